//! Both rings against rational arithmetic.

use super::*;
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{Rational, exact, to_f64};

/// A random polynomial of the given depth, in both rings and exactly.
fn polynomial(
    rng: &mut Rng,
    depth: usize,
    leaf: &impl Fn(&mut Rng) -> f64,
) -> (Approximate, Dyadic, Rational) {
    if depth == 0 {
        let x = leaf(rng);
        return (Ring::from_f64(x), Ring::from_f64(x), exact(x));
    }
    let (a, b) = (polynomial(rng, depth - 1, leaf), polynomial(rng, depth - 1, leaf));
    match rng.below(4) {
        0 => (a.0.plus(&b.0), a.1.plus(&b.1), a.2 + b.2),
        1 => (a.0.minus(&b.0), a.1.minus(&b.1), a.2 - b.2),
        // Vanishing exactly: (a + b)(a − b) − a² + b².
        2 if depth > 1 => {
            let vanishing =
                |a: &Dyadic, b: &Dyadic| a.plus(b).times(&a.minus(b)).minus(&a.times(a)).plus(&b.times(b));
            let approximate =
                a.0.plus(&b.0).times(&a.0.minus(&b.0)).minus(&a.0.times(&a.0)).plus(&b.0.times(&b.0));
            (approximate, vanishing(&a.1, &b.1), Rational::ZERO)
        }
        _ => (a.0.times(&b.0), a.1.times(&b.1), a.2 * b.2),
    }
}

fn check(seed: u64, rounds: usize, depth: usize, leaf: impl Fn(&mut Rng) -> f64) -> usize {
    let mut rng = Rng::new(seed);
    let mut certain = 0;
    for _ in 0..rounds {
        let (a, d, q) = polynomial(&mut rng, depth, &leaf);
        let truth = q.cmp(&Rational::ZERO);
        assert_eq!(d.sign().unwrap(), truth);
        if let Ok(sign) = a.sign() {
            assert_eq!(sign, truth, "{a:?} {q}");
            certain += 1;
        }
        let (a2, d2, q2) = polynomial(&mut rng, depth, &leaf);
        if !q2.is_zero() {
            let truth = to_f64(&(q / q2));
            let ratio = Dyadic::ratio(&d, &d2, 0.0).unwrap();
            // Beyond the range, the oracle stays finite; subnormal results are rounded twice.
            let subnormal = truth.abs() < f64::MIN_POSITIVE && (ratio - truth).abs() <= f64::from_bits(1);
            let infinite = truth.abs() == f64::MAX && ratio == truth * 2.0;
            assert!(ratio == truth || subnormal || infinite, "{ratio} {truth}");
            if let Ok(ratio) = Approximate::ratio(&a, &a2, 0.0) {
                assert_eq!(ratio, truth);
            }
        }
    }
    certain
}

#[test]
fn signs_and_quotients_are_exact() {
    assert!(check(1, 3000, 3, |rng| generate::lattice_point::<1>(rng)[0]) == 3000);
    check(2, 3000, 3, generate::coordinate);
    assert!(check(3, 3000, 2, |rng| rng.uniform(-1.0, 1.0)) > 2000);
    check(4, 500, 5, generate::coordinate);
}

#[test]
fn no_exponent_is_too_large_or_too_small() {
    check(5, 1000, 2, |rng| {
        let x = generate::any_bits(rng);
        if x.is_finite() { x } else { 1.5 }
    });
    check(6, 1000, 2, |rng| f64::from_bits(rng.next_u64() >> 60));
}

#[test]
fn nothing_finite_makes_a_filter_lie() {
    let tiny = Approximate::from_f64(1e-200);
    assert!(tiny.times(&tiny).sign().is_err(), "an underflow is in doubt");
    let huge = Approximate::from_f64(1e200);
    assert!(huge.times(&huge).sign().is_err(), "an overflow is in doubt");
    let (tiny, huge) = (<Dyadic>::from_f64(1e-200), <Dyadic>::from_f64(1e200));
    assert_eq!(tiny.times(&tiny).sign(), Ok(Ordering::Greater));
    assert_eq!(huge.times(&huge).minus(&huge.times(&huge)).sign(), Ok(Ordering::Equal));
}
