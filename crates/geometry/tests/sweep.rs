//! Random cases of many families: a few of them in turn for `cargo test`, or millions on all cores.
//!
//! Every case has a random generator of its own, seeded by its family and its number. So neither the number of
//! threads nor the order of the work decides what is asked, and a failure names all that is needed to ask again:
//!
//! ```sh
//! CAROM_FAMILY='ball, cone' CAROM_FIRST=12345 CAROM_MOTIONS=1 cargo test --release … -- --ignored moving_curved::
//! ```

use carom_oracle::generate::Rng;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What came of many cases.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) checked: u64,
    /// Touches, and the judge agrees.
    pub(super) hits: u64,
    /// None, and the judge agrees.
    pub(super) misses: u64,
    /// The judge could not tell.
    pub(super) unsure: u64,
    /// Answers that rounding made less sharp than they were asked for.
    pub(super) raised: u64,
    /// Answers that ran into their limit of steps.
    pub(super) limited: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        let Tally { checked, hits, misses, unsure, raised, limited } = other;
        self.checked += checked;
        self.hits += hits;
        self.misses += misses;
        self.unsure += unsure;
        self.raised += raised;
        self.limited += limited;
    }
}

/// Families by name, and the cases of each.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    families: Vec<String>,
    /// Only families whose name has this in it.
    only: String,
    /// The number of the first case of each family.
    first: u64,
    /// Cases of each family.
    count: u64,
}

/// As many failures end a sweep: what is broken at this rate needs no more examples.
const ENOUGH_FAILURES: usize = 50;
/// Cases between two looks at the list of what is left to do.
const CHUNK: u64 = 256;
/// Between two lines that say how far it is.
const PAUSE: Duration = Duration::from_secs(20);

/// `CAROM_…` as a number.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok())
}

/// The generator of one case. Neighbouring seeds must not begin alike, so they are mixed (splitmix64).
fn generator(family: usize, number: u64) -> Rng {
    let mut bits = ((family as u64) << 48).wrapping_add(number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Rng::new(bits ^ (bits >> 31))
}

impl Sweep {
    pub(super) fn new(families: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let families = families.into_iter().map(Into::into).collect();
        Sweep { families, only: String::new(), first: 0, count: 0 }
    }

    /// A few cases, in all, of every family in turn: for `cargo test`.
    pub(super) fn few(&self, cases: usize, check: impl Fn(usize, &mut Rng, &mut Tally)) -> Tally {
        let mut tally = Tally::default();
        for case in 0..cases {
            let (family, number) = (case % self.families.len(), (case / self.families.len()) as u64);
            let checked = catch_unwind(AssertUnwindSafe(|| {
                check(family, &mut generator(family, number), &mut tally);
            }));
            assert!(checked.is_ok(), "number {number} of {}", self.families[family]);
            tally.checked += 1;
        }
        tally
    }

    /// As many cases of each family as the environment variable says, on all cores, with a summary at the end. Fails
    /// with all that went wrong.
    #[allow(clippy::print_stdout)]
    pub(super) fn many(
        mut self,
        title: &str,
        (name, usual): (&str, u64),
        check: impl Fn(usize, &mut Rng, &mut Tally) + Sync,
    ) -> Tally {
        self.count = variable(name).unwrap_or(usual);
        self.first = variable("CAROM_FIRST").unwrap_or(0);
        self.only = std::env::var("CAROM_FAMILY").unwrap_or_default();
        let (tallies, failures) = self.on_all_cores(title, check);
        let mut all = Tally::default();
        let mut table =
            format!("\n{title}, cases {} to {} of each family:\n", self.first, self.first + self.count);
        let mut line = |name: &str, tally: Tally| {
            let Tally { checked, hits, misses, unsure, raised, limited } = tally;
            let _ = writeln!(
                table,
                "{name:>32}: {checked:>9} checked: {hits:>8} hit, {misses:>8} miss, {unsure:>6} undecided by the judge, \
                 {raised:>6} raised, {limited:>4} at the limit"
            );
        };
        for (family, tally) in self.families.iter().zip(tallies).filter(|(_, tally)| 0 < tally.checked) {
            line(family, tally);
            all.add(tally);
        }
        line("all", all);
        println!("{table}{:>32}: {}", "failures", failures.len());
        assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
        all
    }

    /// The tally of each family, and what went wrong.
    #[allow(clippy::print_stdout)]
    fn on_all_cores(
        &self,
        title: &str,
        check: impl Fn(usize, &mut Rng, &mut Tally) + Sync,
    ) -> (Vec<Tally>, Vec<String>) {
        let chosen: Vec<usize> =
            (0..self.families.len()).filter(|&family| self.families[family].contains(&self.only)).collect();
        assert!(!chosen.is_empty(), "no family is called {}", self.only);
        // Families take turns, so that an early end has seen all of them.
        let chunks = self.count.div_ceil(CHUNK) * chosen.len() as u64;
        let (next, begin) = (AtomicU64::new(0), Instant::now());
        let state = Mutex::new((vec![Tally::default(); self.families.len()], Vec::<String>::new(), begin));
        let work = || {
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunks <= chunk {
                    return;
                }
                let family = chosen[(chunk % chosen.len() as u64) as usize];
                let from = chunk / chosen.len() as u64 * CHUNK;
                let mut tally = Tally::default();
                let mut failed = Vec::new();
                for number in self.first + from..self.first + self.count.min(from + CHUNK) {
                    let mut rng = generator(family, number);
                    tally.checked += 1;
                    if let Err(reason) =
                        catch_unwind(AssertUnwindSafe(|| check(family, &mut rng, &mut tally)))
                    {
                        let text = reason.downcast_ref::<String>().cloned();
                        let text =
                            text.or_else(|| reason.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                        let name = &self.families[family];
                        failed.push(format!("{name}, number {number}: {}", text.unwrap_or_default()));
                    }
                }
                let mut state = state.lock().unwrap();
                let (tallies, failures, last) = &mut *state;
                tallies[family].add(tally);
                failures.extend(failed);
                if ENOUGH_FAILURES <= failures.len() {
                    next.store(chunks, Ordering::Relaxed);
                }
                if PAUSE <= last.elapsed() {
                    *last = Instant::now();
                    let mut all = Tally::default();
                    tallies.iter().for_each(|&tally| all.add(tally));
                    let seconds = begin.elapsed().as_secs_f64();
                    let share = all.checked as f64 / (self.count * chosen.len() as u64) as f64;
                    println!(
                        "{title}: {:.1} %, {} checked, {} undecided, {} failures; {:.0} s, about {:.0} s to go",
                        share * 100.0,
                        all.checked,
                        all.unsure,
                        failures.len(),
                        seconds,
                        seconds * (1.0 - share) / share
                    );
                }
            }
        };
        std::thread::scope(|scope| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        let (tallies, mut failures, _) = state.into_inner().unwrap();
        failures.sort();
        (tallies, failures)
    }
}

/// A sweep that finds a fault says where, whatever the threads; and asks the same in any order.
#[test]
fn failures_name_family_and_number() {
    let sweep = Sweep { count: 1000, first: 500, ..Sweep::new(["even", "odd"]) };
    let (tallies, failures) = sweep.on_all_cores("test", |family, rng, tally| {
        assert!(family == 0 || rng.clone().next_u64() != generator(1, 1234).next_u64(), "found");
        tally.hits += u64::from(rng.one_in(2));
    });
    assert_eq!(failures, ["odd, number 1234: found"]);
    assert!(
        tallies.iter().all(|tally| tally.checked == 1000 && (400..600).contains(&tally.hits)),
        "{tallies:?}"
    );
    let (again, _) = sweep.on_all_cores("test", |_, rng, tally| tally.hits += u64::from(rng.one_in(2)));
    assert_eq!(again[0].hits, tallies[0].hits);
}
