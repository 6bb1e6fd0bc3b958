//! What `carom` shows on its own: questions of every kind, answered on the spot.

use carom_scene::query::{Options, answer_line, field};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// A question in words and as it is asked, and how its answer reads: `{name}` stands for a field.
struct Stop {
    words: &'static str,
    line: &'static str,
    answer: &'static str,
}

const fn stop(words: &'static str, line: &'static str, answer: &'static str) -> Stop {
    Stop { words, line, answer }
}

/// What the answer `null` reads as.
const NOTHING: &str = "no";

const STOPS: &[(&str, &[Stop])] = &[];

/// A line to try, which is also answered by a test.
const TRY: &str = r#"{"op": "overlap_area", "dim": 2, "a": {"min": [0, 0], "max": [2, 2]}, "b": {"min": [1, 1], "max": [3, 3]}}"#;

/// Prints the tour.
///
/// # Errors
/// When it cannot be written. A reader that has gone away is no error.
pub(crate) fn run(output: &mut impl Write) -> Result<ExitCode, String> {
    match output.write_all(text().as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn text() -> String {
    let mut text =
        "Carom: do these things touch, where, how deep, when - and what happens then?\n".to_owned();
    let width = STOPS.iter().flat_map(|(_, stops)| *stops).map(|stop| stop.words.len()).max().unwrap_or(0);
    for (title, stops) in STOPS {
        text += &format!("\n{title}\n");
        for stop in *stops {
            text += &format!("  {:<width$}  {}\n", stop.words, stop.answered());
        }
    }
    text + &format!("\nTry:\n  echo '{TRY}' | carom query\n\ncarom query --help lists what can be asked.\n")
}

impl Stop {
    /// The answer in words.
    fn answered(&self) -> String {
        let mut output = Vec::new();
        answer_line(self.line.as_bytes(), 1, Options::default(), &mut output);
        let output = String::from_utf8_lossy(&output);
        match field(&output, "answer") {
            Some("null") => NOTHING.to_owned(),
            Some(answer) => fill(self.answer, answer),
            None => field(&output, "error").unwrap_or_default().to_owned(),
        }
    }
}

/// Puts the fields of an answer in the places of their names.
fn fill(template: &str, answer: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, open)| Some((before, open.split_once('}')?)))
    {
        text += before;
        text += &neat(field(answer, name).unwrap_or_default());
        rest = after;
    }
    text + rest
}

/// Numbers with four decimals at most, vectors with spaces, other values as they are.
fn neat(value: &str) -> String {
    let shorten = |part: &str| match part.parse::<f64>() {
        Ok(number) => ((number * 1e4).round() / 1e4).to_string(),
        Err(_) => part.trim_matches('"').to_owned(),
    };
    let separated = value.replace(',', ", ");
    separated
        .split_inclusive(['[', ']', ',', ' '])
        .map(|part| {
            let end = part.len()
                - part.chars().next_back().filter(|last| "[], ".contains(*last)).map_or(0, char::len_utf8);
            shorten(&part[..end]) + &part[end..]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stop_is_answered() {
        for stop in STOPS.iter().flat_map(|(_, stops)| *stops) {
            let mut output = Vec::new();
            let answered = answer_line(stop.line.as_bytes(), 1, Options::default(), &mut output);
            assert!(answered, "{}: {}", stop.words, String::from_utf8_lossy(&output));
        }
    }

    #[test]
    fn the_line_to_try_is_answered() {
        assert!(answer_line(TRY.as_bytes(), 1, Options::default(), &mut Vec::new()));
    }

    #[test]
    fn numbers_are_shortened_and_words_kept() {
        assert_eq!(neat("[1.23456789,-0.5,1e-9]"), "[1.2346, -0.5, 0]");
        assert_eq!(neat("2"), "2");
        assert_eq!(neat("\"crossing\""), "crossing");
        assert_eq!(neat("true"), "true");
        assert_eq!(fill("at {t} on {point}.", r#"{"t":0.5,"point":[1,2]}"#), "at 0.5 on [1, 2].");
    }
}
