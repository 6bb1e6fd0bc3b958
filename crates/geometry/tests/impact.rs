//! First touch under rigid motion: judged by certified subdivision of time, by mathematics, and by laws.

#![allow(clippy::disallowed_methods)] // the platform's sine and cosine judge, they do not answer

use super::cases;
use super::sweep::{Sweep, Tally};
#[path = "impact/laws.rs"]
mod laws;
#[path = "impact/named.rs"]
mod named;

use carom_geometry::{Error, Impact, ImpactOptions, ImpactStatus, d3};
use carom_math::Vec3;
use carom_oracle::generate::Rng;
use carom_oracle::rigid::{FirstImpact, first_impact};
use cases::{Case, NAMED_FAMILIES};

type Found = Result<Option<Impact<Vec3<f64>>>, Error>;

/// Compares an answer with the truth, as far as that is known.
fn judge(case: &Case, found: Found, tolerance: f64, tally: &mut Tally) {
    let found = found.unwrap_or_else(|error| panic!("{error}: {case:?}"));
    // Below what rounding can tell, in time: positions are off by a few ε times all lengths.
    let truth = first_impact(&case.a.1, &case.on_a, &case.b.1, &case.on_b, 1e-10, 40_000);
    let slack = 1e-9;
    if let Some(hit) = found {
        assert!(hit.lower <= hit.t && hit.t <= hit.lower + hit.tolerance, "{hit:?} {case:?}");
        match hit.status {
            ImpactStatus::Limit => {
                tally.limited += 1;
                if let FirstImpact::Between(_, late) = truth {
                    assert!(hit.lower <= late + slack, "late: {hit:?} {truth:?} {case:?}");
                }
                return;
            }
            ImpactStatus::Raised => tally.raised += 1,
            ImpactStatus::Bracketed => {
                assert!(hit.tolerance <= tolerance * 1.0001 + 1e-15, "{hit:?} {case:?}")
            }
            ImpactStatus::AtStart => assert_eq!((hit.t, hit.lower), (0.0, 0.0)),
        }
    }
    match (truth, found) {
        (FirstImpact::Never, None) => tally.misses += 1,
        (FirstImpact::Between(early, late), Some(hit)) => {
            tally.hits += 1;
            assert!(hit.lower <= late + slack, "late: {hit:?} {truth:?} {case:?}");
            assert!(early - slack <= hit.lower + hit.tolerance, "early: {hit:?} {truth:?} {case:?}");
            assert!(early - slack - hit.tolerance <= hit.t, "early: {hit:?} {truth:?} {case:?}");
            assert!(hit.t <= late + slack + hit.tolerance, "late: {hit:?} {truth:?} {case:?}");
        }
        (FirstImpact::Unsure(early), Some(hit)) => {
            tally.unsure += 1;
            assert!(early - slack <= hit.lower + hit.tolerance, "early: {hit:?} {truth:?} {case:?}");
        }
        (FirstImpact::Unsure(_), None) => tally.unsure += 1,
        (FirstImpact::Never, Some(hit)) => {
            // A touch that is none: allowed only where they come as close as rounding.
            let gap = carom_oracle::rigid::gap_at(&case.a.1, &case.on_a, &case.b.1, &case.on_b, hit.t);
            assert!(gap.abs() <= 1e-10 * case.size(), "false: {hit:?} gap {gap} {case:?}");
        }
        (FirstImpact::Between(..), None) => panic!("missed: {truth:?} {case:?}"),
    }
}

/// A case of a family of [`NAMED_FAMILIES`].
fn check(family: usize, rng: &mut Rng, tally: &mut Tally) {
    let tolerance = rng.pick(&[1e-6, 1e-9, 1e-3, 0.05]);
    let options = ImpactOptions { tolerance, ..ImpactOptions::default() };
    let case = NAMED_FAMILIES[family].1(rng);
    let found = if case.flat.is_some() { case.ask_in_plane(options) } else { case.ask(options) };
    judge(&case, found, tolerance, tally);
}

fn families() -> Sweep {
    Sweep::new(NAMED_FAMILIES.map(|(name, _)| name))
}

#[test]
fn no_touch_is_missed_and_none_is_late() {
    let tally = families().few(3000, check);
    // The families are made so that both outcomes are common, and undecidable ones rare.
    assert!(800 < tally.hits && 800 < tally.misses, "{tally:?}");
    assert!(tally.unsure < 300 && tally.limited == 0, "{tally:?}");
}

/// `cargo test --release -p carom-geometry --test geometry -- --ignored --nocapture impact::` with `CAROM_SWEEP` motions
/// of each family, a million by default.
#[test]
#[ignore = "a sweep of hours"]
fn sweep_of_many_motions() {
    families().many("first touches of turning bodies", ("CAROM_SWEEP", 1_000_000), check);
}

/// Judged by the answers about shapes at rest, since the brute-force judge knows no curved shapes: apart at
/// every time before `lower`, and in touch within the tolerance of it.
#[test]
fn curved_shapes_are_apart_before_and_touch_after() {
    let mut rng = Rng::new(5);
    let mut hits = 0;
    for _ in 0..250 {
        let case = cases::curved(&mut rng);
        let options = ImpactOptions { tolerance: 1e-8, ..ImpactOptions::default() };
        let found = case.ask(options).unwrap_or_else(|error| panic!("{error}: {case:?}"));
        let (motion_a, motion_b) = case.motions();
        let gap = |t: f64| {
            let found = d3::distance(&case.a.0, motion_a.at(t), &case.b.0, motion_b.at(t)).unwrap();
            found.distance
        };
        let clear = found.map_or(1.0, |hit| hit.lower);
        for k in 0..40 {
            let t = clear * f64::from(k) / 40.0;
            assert!(0.0 < gap(t) || t == clear, "touches at {t}: {found:?} {case:?}");
        }
        if let Some(hit) = found {
            hits += 1;
            let speed = 1e-8 * 200.0 * case.size();
            assert!(gap(hit.t) <= speed, "apart at {hit:?} by {}: {case:?}", gap(hit.t));
        }
    }
    assert!(50 < hits && hits < 240, "{hits}");
}
