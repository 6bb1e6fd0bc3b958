//! Distances, depths and decisions against exact rational arithmetic.

use crate::spaces::{Plane, Room};
use crate::world::{Case, KINDS, Space, outside};
use carom_oracle::generate::Rng;
use carom_oracle::rational::{Rational, exact, magnitude, to_f64};

/// |found − truth| in units of ε times the size.
fn error<const D: usize>(found: f64, [low, high]: &[Rational; 2], case: &Case<D>) -> f64 {
    let middle = (low + high) / Rational::from(2);
    let unit = f64::EPSILON * case.size();
    let error = to_f64(&magnitude(&(exact(found) - middle)));
    if error == 0.0 { 0.0 } else { error / unit }
}

fn check<const D: usize, S: Space<D>>(case: &Case<D>) -> f64 {
    let truth = case.truth::<S>();
    let zero = Rational::ZERO;
    let positive = |x: &Rational| if *x < zero { zero.clone() } else { x.clone() };
    let apart = case.distance::<S>();
    let near = case.contact::<S>();
    assert!(exact(apart.lower) <= positive(&truth[1]), "lower {apart:?} {} {case:?}", to_f64(&truth[1]));
    assert!(positive(&truth[0]) <= exact(apart.upper), "upper {apart:?} {} {case:?}", to_f64(&truth[0]));
    assert!(apart.lower <= apart.distance && apart.distance <= apart.upper);
    assert_eq!(apart.distance, (-near.depth).max(0.0));
    // P4: one decision, whoever is asked.
    assert_eq!(case.touches::<S>(), apart.distance == 0.0, "{case:?}");
    assert_eq!(case.touches::<S>(), 0.0 <= near.depth, "{case:?}");
    let error = error(-near.depth, &truth, case);
    assert!(error <= 8.0, "{error} {} {near:?} {case:?}", to_f64(&truth[0]));
    error
}

/// P5: the points belong to the shapes, and the normal connects them.
fn check_witnesses<const D: usize, S: Space<D>>(case: &Case<D>) {
    let near = case.contact::<S>();
    let tolerance = 32.0 * f64::EPSILON * case.size();
    let reach = |p: [f64; D]| p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let (a, b, n): ([f64; D], [f64; D], [f64; D]) =
        (near.point_a.into(), near.point_b.into(), near.normal.into());
    let tolerance = tolerance + 2.0 * f64::EPSILON * (reach(a) + reach(b));
    let [core_a, core_b] = case.cores::<S>();
    assert!(outside(&core_a, case.a.radius, a) <= tolerance, "a {near:?} {case:?}");
    assert!(outside(&core_b, case.b.radius, b) <= tolerance, "b {near:?} {case:?}");
    let norm = n.iter().map(|x| x * x).sum::<f64>();
    assert!((norm - 1.0).abs() <= 16.0 * f64::EPSILON, "{norm} {case:?}");
    for i in 0..D {
        let connected = a[i] - n[i] * near.depth;
        assert!((connected - b[i]).abs() <= tolerance, "{near:?} {case:?}");
    }
}

fn check_all<const D: usize, S: Space<D>>(seed: u64, rounds: usize, lattice: bool) {
    let mut rng = Rng::new(seed);
    for kind_a in KINDS {
        for kind_b in KINDS {
            let mut worst = 0.0_f64;
            for _ in 0..rounds {
                let case = Case::random::<S>(&mut rng, [kind_a, kind_b], lattice);
                worst = worst.max(check::<D, S>(&case));
                check_witnesses::<D, S>(&case);
            }
            println!("{D}D {kind_a}-{kind_b}: {worst:.2} ε·S");
        }
    }
}

#[test]
fn plane_agrees_with_exact_arithmetic() {
    check_all::<2, Plane>(1, 250, false);
}

#[test]
fn space_agrees_with_exact_arithmetic() {
    check_all::<3, Room>(2, 150, false);
}

/// On a lattice, with turns that map it to itself, nothing is rounded until the last root or division:
/// what touches exactly is found to touch exactly.
fn check_lattice<const D: usize, S: Space<D>>(seed: u64, rounds: usize) {
    let mut rng = Rng::new(seed);
    let mut touching = 0;
    for kind_a in KINDS {
        for kind_b in KINDS {
            for _ in 0..rounds {
                let case = Case::random::<S>(&mut rng, [kind_a, kind_b], true);
                let [low, high] = case.truth::<S>();
                let near = case.contact::<S>();
                let order = (-exact(near.depth)).cmp(&Rational::ZERO);
                assert!(order == low.cmp(&Rational::ZERO), "{} {near:?} {case:?}", to_f64(&low));
                touching += usize::from(near.depth == 0.0);
                if low == high && exact(to_f64(&low)) == low {
                    assert_eq!(-near.depth, to_f64(&low), "{near:?} {case:?}");
                }
                check::<D, S>(&case);
            }
        }
    }
    println!("{touching} of the pairs touch exactly");
    assert!(rounds / 4 < touching);
}

#[test]
fn lattices_of_the_plane_are_decided_exactly() {
    check_lattice::<2, Plane>(3, 200);
}

#[test]
fn lattices_of_space_are_decided_exactly() {
    check_lattice::<3, Room>(4, 120);
}
