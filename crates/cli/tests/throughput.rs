//! How much memory and time a long stream takes.
//!
//! The memory is checked always, with a stream that is larger than the bound. The time is measured on
//! demand, since it says something about an optimised program on a quiet machine only:
//!
//! ```text
//! cargo test --release -p carom-cli --test throughput -- --ignored --nocapture
//! ```

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(threads: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["query", "--threads", threads])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Questions about two balls, about 200 bytes a line.
fn write_question(output: &mut impl Write, id: u32) -> std::io::Result<()> {
    let coordinate =
        |salt: u32| f64::from(id.wrapping_mul(2_654_435_761).wrapping_add(salt) % 20_000) / 1000.0 - 10.0;
    writeln!(
        output,
        r#"{{"id": {id}, "op": "distance", "a": {{"type": "ball", "radius": 0.75}}, "pose_a": {{"translation": [{:.3}, {:.3}, {:.3}]}}, "b": {{"type": "ball", "radius": 1.25}}, "pose_b": {{"translation": [{:.3}, {:.3}, {:.3}]}}}}"#,
        coordinate(1),
        coordinate(977),
        coordinate(5_501),
        coordinate(9_091),
        coordinate(13_003),
        coordinate(17_011),
    )
}

/// Sends that many questions through the program; the time, and the most memory that it has held.
fn measure(threads: &str, count: u32) -> (Duration, Option<u64>) {
    let mut questions = Vec::new();
    for id in 0..count {
        write_question(&mut questions, id).expect("memory takes everything");
    }
    let mut child = start(threads);
    let mut input = BufWriter::with_capacity(1 << 16, child.stdin.take().expect("a pipe"));
    let answers = BufReader::with_capacity(1 << 16, child.stdout.take().expect("a pipe"));
    let begin = Instant::now();
    let (sent, peak) = std::thread::scope(|scope| {
        let reader = scope.spawn(move || {
            let mut answers = answers;
            let (mut line, mut count, mut received) = (Vec::new(), 0, None);
            while 0 < answers.read_until(b'\n', &mut line).expect("readable") {
                assert!(line.starts_with(format!("{{\"id\":{count},\"answer\":").as_bytes()));
                line.clear();
                count += 1;
                received = Some(Instant::now());
            }
            (count, received)
        });
        input.write_all(&questions).and_then(|()| input.flush()).expect("the program reads");
        // All but what is on its way has been answered, and the program still waits for more.
        let peak = peak_memory(child.id());
        drop(input);
        (reader.join().expect("every answer is in its place"), peak)
    });
    assert!(child.wait().expect("the program ends").success());
    assert_eq!(sent.0, count);
    (sent.1.map_or(Duration::ZERO, |last| last - begin), peak)
}

/// The most memory that a process has held at once, in KiB, where the system tells.
fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    // 12 MB of questions; the program itself takes about 3 MiB, and a few blocks for each thread.
    for threads in ["1", "2"] {
        let (_, peak) = measure(threads, 60_000);
        if let Some(peak) = peak {
            assert!(peak < 10 << 10, "{threads} threads hold {peak} KiB");
        }
    }
}

#[test]
#[ignore = "a measurement, see above"]
fn questions_a_second() {
    for threads in ["1", "2", "4"] {
        let (time, peak) = measure(threads, 1_000_000);
        let rate = 1e6 / time.as_secs_f64();
        let peak = peak.unwrap_or_default();
        writeln!(std::io::stderr(), "{threads} threads: {rate:.0} questions a second, {peak} KiB")
            .expect("a terminal");
    }
}
