//! Interleaved timing and the report.
//!
//! Two noisy cores: a single figure means little. Every engine runs the whole batch once a round, the
//! rounds alternate between the engines, and the smallest time per question counts. What is printed
//! is the ratio to each peer in the same run.

use serde_json::json;
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

/// One engine's way to answer a batch of questions; returns something that depends on every answer.
pub(crate) struct Engine<'a> {
    /// `carom`, `parry`, …
    pub(crate) name: &'static str,
    /// The version that ran.
    pub(crate) version: &'static str,
    /// Answers the whole batch.
    pub(crate) run: Box<dyn FnMut() -> f64 + 'a>,
}

/// What a case is about.
pub(crate) struct Case {
    /// For example `box-box/contact`.
    pub(crate) name: String,
    /// 2 or 3.
    pub(crate) dimension: usize,
    /// `f32` or `f64`.
    pub(crate) precision: &'static str,
    /// How many questions a batch holds.
    pub(crate) questions: usize,
}

/// Collects and prints the results of a suite.
pub(crate) struct Report {
    suite: &'static str,
    json: bool,
    filter: String,
    repeats: usize,
    header_printed: bool,
    ratios: Vec<f64>,
}

impl Report {
    pub(crate) fn new(suite: &'static str, json: bool, filter: String, repeats: usize) -> Self {
        Report { suite, json, filter, repeats: repeats.max(1), header_printed: false, ratios: Vec::new() }
    }

    /// Whether a case of this name is to be measured.
    pub(crate) fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }

    /// Runs the engines of a case in turn and prints a row. The first engine is Carom.
    pub(crate) fn case(&mut self, case: &Case, mut engines: Vec<Engine<'_>>) {
        if !self.wants(&case.name) {
            return;
        }
        let mut times = vec![Vec::with_capacity(self.repeats); engines.len()];
        for engine in &mut engines {
            black_box((engine.run)()); // warm the caches and the branch predictors
        }
        for _ in 0..self.repeats {
            for (engine, times) in engines.iter_mut().zip(&mut times) {
                let start = Instant::now();
                black_box((engine.run)());
                times.push(start.elapsed().as_secs_f64() * 1e9 / case.questions as f64);
            }
        }
        for times in &mut times {
            times.sort_by(f64::total_cmp);
        }
        if self.json {
            self.print_json(case, &engines, &times);
        } else {
            self.print_row(case, &engines, &times);
        }
    }

    fn print_json(&self, case: &Case, engines: &[Engine<'_>], times: &[Vec<f64>]) {
        for (engine, times) in engines.iter().zip(times) {
            let line = json!({
                "suite": self.suite, "case": case.name, "engine": engine.name, "version": engine.version,
                "dim": case.dimension, "precision": case.precision, "threads": 1, "unit": "ns",
                "min": times[0], "median": times[times.len() / 2], "quality": {},
            });
            print_line(&line.to_string());
        }
    }

    fn print_row(&mut self, case: &Case, engines: &[Engine<'_>], times: &[Vec<f64>]) {
        if !self.header_printed {
            self.header_printed = true;
            print_line(&format!(
                "{:36} {:9} {:>10} {:>10} {:>18}",
                "case", "engine", "min ns", "median ns", "times Carom's min"
            ));
        }
        for (k, (engine, own)) in engines.iter().zip(times).enumerate() {
            let label = match k {
                0 => format!("{}d {} {}", case.dimension, case.name, case.precision),
                _ => String::new(),
            };
            let ratio = match k {
                0 => String::new(),
                _ => {
                    let ratio = own[0] / times[0][0];
                    // Carom in another precision is no peer.
                    if !engine.name.starts_with("carom") {
                        self.ratios.push(ratio);
                    }
                    format!("{ratio:.2}")
                }
            };
            let (min, median) = (own[0], own[own.len() / 2]);
            print_line(&format!("{label:36} {:9} {min:>10.1} {median:>10.1} {ratio:>18}", engine.name));
        }
    }

    /// Prints how right an engine is about a case: names and counts.
    pub(crate) fn quality(&self, case: &Case, engine: &str, version: &str, counts: &[(&str, usize)]) {
        if !self.wants(&case.name) {
            return;
        }
        if self.json {
            let quality: serde_json::Map<_, _> =
                counts.iter().map(|(name, count)| ((*name).into(), json!(count))).collect();
            let line = json!({
                "suite": self.suite, "case": case.name, "engine": engine, "version": version,
                "dim": case.dimension, "precision": case.precision, "quality": quality,
            });
            print_line(&line.to_string());
        } else {
            let text: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            print_line(&format!("{:36} {engine:9} {}", "", text.join(", ")));
        }
    }

    /// Prints the geometric mean of all ratios.
    pub(crate) fn finish(&self) {
        if !self.json && !self.ratios.is_empty() {
            // The geometric mean by repeated square roots would be silly: this is a report, not a result.
            #[allow(clippy::disallowed_methods)]
            let mean = (self.ratios.iter().map(|r| r.ln()).sum::<f64>() / self.ratios.len() as f64).exp();
            print_line(&format!("geometric mean of {} ratios: {mean:.2}", self.ratios.len()));
        }
    }
}

fn print_line(line: &str) {
    // A closed pipe ends the output, not the measurement.
    let _ = writeln!(std::io::stdout(), "{line}");
}
