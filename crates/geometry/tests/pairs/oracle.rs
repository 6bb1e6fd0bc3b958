//! Distances, depths and decisions against exact rational arithmetic.

use super::spaces::{Plane, Room};
use super::world::{Body, Case, Place, Space, outside, soak};
use carom_math::power_of_two;
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
    let error = check_bounds::<D, S>(case);
    assert!(error <= 8.0, "{error} {:?} {case:?}", case.contact::<S>());
    error
}

/// The bounds hold, all questions agree; returns the error of the separation.
fn check_bounds<const D: usize, S: Space<D>>(case: &Case<D>) -> f64 {
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
    error(-near.depth, &truth, case)
}

/// P5: the points belong to the shapes, and the normal connects them, within `units` of ε·S.
fn check_witnesses<const D: usize, S: Space<D>>(case: &Case<D>, units: f64) {
    let near = case.contact::<S>();
    let tolerance = units * f64::EPSILON * case.size();
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
    for kinds in super::kind_pairs() {
        let mut worst = 0.0_f64;
        for _ in 0..rounds * soak() {
            let case = Case::random::<S>(&mut rng, kinds, lattice);
            worst = worst.max(check::<D, S>(&case));
            check_witnesses::<D, S>(&case, super::WITNESS_UNITS);
        }
        println!("{D}D {kinds:?}: {worst:.2} ε·S");
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
    for kinds in super::kind_pairs() {
        for _ in 0..rounds * soak() {
            let case = Case::random::<S>(&mut rng, kinds, true);
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

/// Triangles that are thin by every power of two, in any direction, seen from near and far: their
/// normals are hardly defined, their distances are.
#[test]
fn slivers_keep_their_distance() {
    let mut rng = Rng::new(5);
    let mut worst = 0.0_f64;
    let random = |rng: &mut Rng| -> [f64; 3] { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) };
    let plus = |p: [f64; 3], d: [f64; 3], t: f64| -> [f64; 3] { std::array::from_fn(|i| p[i] + d[i] * t) };
    for round in 0..6000 {
        let sliver = |rng: &mut Rng, from: [f64; 3]| {
            let along = random(rng);
            let apex = plus(plus(from, along, rng.unit()), random(rng), power_of_two(-rng.between(1, 54)));
            Body::new("triangle", &[from, plus(from, along, 1.0), apex], 0.0)
        };
        let corner = random(&mut rng);
        let a = sliver(&mut rng, corner);
        // Something near a point of it, thin in a nearly parallel direction or not.
        let corners = &a.numbers;
        let along: [f64; 3] = std::array::from_fn(|i| corners[1][i] - corners[0][i]);
        let middle = plus(corners[0], along, rng.uniform(-0.1, 1.1));
        let spot = plus(middle, random(&mut rng), power_of_two(-rng.between(-1, 50)));
        let b = match rng.below(4) {
            0 => Body::new("segment", &[spot, spot], 0.0),
            1 => Body::new(
                "segment",
                &[
                    plus(spot, along, -0.4),
                    plus(plus(spot, along, 0.4), random(&mut rng), power_of_two(-rng.between(1, 54))),
                ],
                0.0,
            ),
            2 => sliver(&mut rng, spot),
            _ => {
                let turned = plus(along, random(&mut rng), power_of_two(-rng.between(1, 54)));
                Body::new("triangle", &[spot, plus(spot, turned, 0.5), plus(spot, along, 0.25)], 0.0)
            }
        };
        let place = Place { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
        let case = Case { a, pa: place.clone(), b, pb: place };
        let case = if round % 2 == 0 { case } else { case.swapped() };
        worst = worst.max(check::<3, Room>(&case));
        check_witnesses::<3, Room>(&case, 256.0);
    }
    println!("slivers: {worst:.2} ε·S");
}

/// Two needles tip to tip: no face or edge shows the gap between them, their tips do. Below the rounding
/// errors of the axes they count as touching, and the bounds say so.
#[test]
fn needle_tips_are_apart() {
    let mut rng = Rng::new(6);
    for _ in 0..2000 {
        let [u, tip] = [(); 2].map(|()| -> [f64; 2] { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) });
        let (thin, gap) = (power_of_two(-rng.between(1, 40)), power_of_two(-rng.between(10, 50)));
        let at = |along: f64, across: f64| {
            [tip[0] + along * u[0] - across * u[1], tip[1] + along * u[1] + across * u[0]]
        };
        let a = Body::new("triangle", &[at(0.0, 0.0), at(-1.0, thin), at(-0.5, -thin)], 0.0);
        let b = Body::new("triangle", &[at(gap, 0.0), at(1.0, thin), at(0.75, -0.5 * thin)], 0.0);
        let place = Place { translation: [0.0; 2], rotation: [1.0, 0.0, 0.0, 0.0] };
        let case = Case { a, pa: place.clone(), b, pb: place };
        let error = check_bounds::<2, Plane>(&case);
        if 128.0 * f64::EPSILON * case.size() < gap * (u[0] * u[0] + u[1] * u[1]).sqrt() {
            assert!(error <= 8.0 && !case.touches::<Plane>(), "{error} {case:?}");
        }
    }
}

/// The least depth is across two edges that are nearly parallel, so they have no nearest points of their
/// own.
#[test]
fn boxes_across_nearly_parallel_edges_have_witnesses() {
    let place = |translation, rotation| Place { translation, rotation };
    let case = Case {
        a: Body::new("cuboid", &[[3.0, 15606.733310631102, 1.0]], 0.0),
        pa: place(
            [1.591557901708696, 0.922522835854156, 0.858089402088567],
            [0.5, 0.0, 0.0, 0.8660254037844386],
        ),
        b: Body::new("cuboid", &[[1.0, 2000000.0, 5.166800885980234e-6]], 0.0),
        pb: place(
            [-5e-324, 2.0, 2.0],
            [std::f64::consts::FRAC_1_SQRT_2, 0.0, std::f64::consts::FRAC_1_SQRT_2, -0.0],
        ),
    };
    check::<3, Room>(&case);
    check_witnesses::<3, Room>(&case, 32.0);
}
