//! Random bytes through the questions of the fuzz targets: no fuzzer, no nightly compiler.
//!
//! A fuzzer that follows coverage finds deeper paths, but needs an hour to build and says little in its first minutes. This asks some
//! sixty thousand questions a second on each core and finds most of what is wrong within a few minutes.
//!
//! ```sh
//! cargo run --release --example random_bytes -- --seconds 60                # all questions, one thread for each core
//! cargo run --release --example random_bytes -- --only cast,ray --seed 7
//! cargo run --release --example random_bytes -- --again finding-cast-17     # one finding once more, with all that it says
//! ```

use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carom_oracle::generate::Rng;

/// Every question by its name.
const QUESTIONS: [(&str, fn(&[u8])); 11] = [
    ("intersects", |input| carom_fuzz::pair_in_every_space!(input, check_intersects)),
    ("distance", |input| carom_fuzz::pair_in_every_space!(input, check_distance)),
    ("contact", |input| carom_fuzz::pair_in_every_space!(input, check_contact)),
    ("manifold", |input| carom_fuzz::pair_in_every_space!(input, check_manifold)),
    ("closest_point", |input| carom_fuzz::in_every_space!(input, closest_point)),
    ("ray", |input| carom_fuzz::in_every_space!(input, ray)),
    ("cast", |input| carom_fuzz::in_every_space!(input, cast)),
    ("impact", |input| carom_fuzz::in_every_space!(input, impact)),
    ("composite", |input| carom_fuzz::in_every_space!(input, composite)),
    ("aabb", |input| carom_fuzz::in_every_space!(input, aabb)),
    ("mass", |input| carom_fuzz::in_every_space!(input, mass)),
];

const USAGE: &str = "random_bytes [--seconds N] [--seed N] [--threads N] [--only NAME,NAME] | --again FILE…";

/// More findings than this of one run are the same one, as a rule.
const ENOUGH: u64 = 50;

struct Options {
    seconds: u64,
    seed: u64,
    threads: u64,
    questions: Vec<(&'static str, fn(&[u8]))>,
    again: Vec<String>,
}

fn main() -> ExitCode {
    match options() {
        Ok(options) if options.again.is_empty() => search(&options),
        Ok(options) => ask_again(&options),
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut options =
        Options { seconds: 60, seed: 1, threads, questions: QUESTIONS.into(), again: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let value = arguments.next().ok_or(format!("{argument} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{argument} needs a number, not {value}"));
        match argument.as_str() {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--threads" => options.threads = number()?.max(1),
            "--only" => options.questions = value.split(',').map(question).collect::<Result<_, _>>()?,
            "--again" => options.again = core::iter::once(value).chain(arguments.by_ref()).collect(),
            _ => return Err(format!("{argument} is not an option")),
        }
    }
    Ok(options)
}

fn question(name: &str) -> Result<(&'static str, fn(&[u8])), String> {
    let known = QUESTIONS.map(|(name, _)| name).join(", ");
    QUESTIONS.into_iter().find(|(other, _)| *other == name).ok_or(format!("{name} is none of {known}"))
}

/// The name of a file of a finding is `finding-QUESTION-…`.
fn ask_again(options: &Options) -> ExitCode {
    for file in &options.again {
        let stem = file.rsplit('/').next().and_then(|name| name.strip_prefix("finding-"));
        let name = stem.and_then(|rest| rest.split('-').next()).unwrap_or_default();
        match (question(name), std::fs::read(file)) {
            (Ok((_, ask)), Ok(bytes)) => ask(&bytes),
            (Err(problem), _) => eprintln!("{file}: {problem}"),
            (_, Err(problem)) => eprintln!("{file}: {problem}"),
        }
    }
    ExitCode::SUCCESS
}

fn search(options: &Options) -> ExitCode {
    // One line a finding: the whole text is had by --again.
    panic::set_hook(Box::new(|info| {
        let text: String = info.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        eprintln!("{}", text.chars().take(600).collect::<String>());
    }));
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let (asked, found) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..options.threads {
            let (asked, found) = (&asked, &found);
            scope.spawn(move || {
                let mut rng = Rng::new(options.seed.wrapping_mul(1000).wrapping_add(thread));
                while Instant::now() < end && found.load(Ordering::Relaxed) < ENOUGH {
                    for &(name, ask) in &options.questions {
                        let input = random_bytes(&mut rng);
                        let number = asked.fetch_add(1, Ordering::Relaxed);
                        if panic::catch_unwind(|| ask(&input)).is_err() {
                            found.fetch_add(1, Ordering::Relaxed);
                            let file = format!("finding-{name}-{}-{number}", options.seed);
                            match std::fs::write(&file, &input) {
                                Ok(()) => eprintln!("--again {file}"),
                                Err(problem) => eprintln!("{file}: {problem}; its bytes: {input:?}"),
                            }
                        }
                    }
                }
            });
        }
    });
    let (asked, found) = (asked.into_inner(), found.into_inner());
    println!("{asked} questions, {found} findings");
    ExitCode::from(u8::from(found != 0))
}

/// Bytes of one of four styles: any, a few that come again and again, a mixture of both, and small low halves, of which numbers of
/// the lattice are made.
fn random_bytes(rng: &mut Rng) -> Vec<u8> {
    let (length, style) = (12 + rng.below(70), rng.below(4));
    let any = |rng: &mut Rng| rng.next_u32() as u8;
    let pool: [u8; 8] = core::array::from_fn(|_| any(rng));
    let few = 3 + rng.below(6);
    let byte = |_| match style {
        0 => any(rng),
        1 => pool[rng.below(few)],
        2 if rng.one_in(3) => any(rng),
        2 => pool[rng.below(few)],
        _ => (rng.below(16) * 16 + rng.below(6)) as u8,
    };
    (0..length).map(byte).collect()
}
