//! The reader of `carom query`: any bytes are answered line by line, each answer is one line of JSON that
//! the reader itself understands, and no line stops the stream.
#![no_main]

use carom_scene::query::{Options, Precision, answer_line, field};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&first, rest)) = input.split_first() else { return };
    let precision = if first & 1 == 0 { Precision::F64 } else { Precision::F32 };
    let options = Options { precision, explain: first & 2 != 0 };
    let lines = rest.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    for (number, line) in lines.enumerate() {
        let mut output = Vec::new();
        let answered = answer_line(line, number as u64 + 1, options, &mut output);
        let text = std::str::from_utf8(&output).expect("answers are text");
        assert!(text.ends_with('\n') && text.trim_end().lines().count() == 1, "{text:?}");
        assert!(field(text.trim_end(), "id").is_some(), "{text}");
        assert_eq!(field(text.trim_end(), "answer").is_some(), answered, "{text}");
        assert_eq!(field(text.trim_end(), "error").is_some(), !answered, "{text}");
    }
});
