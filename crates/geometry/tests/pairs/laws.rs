//! Laws that hold for every pair: symmetry, scaling, rigid motion, separation, no panic.

use super::spaces::{Plane, Room};
use super::world::{Body, Case, FAR, Place, Space, soak};
use carom_geometry::Error;
use carom_math::power_of_two;
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{Rational, exact, magnitude, to_f64};

/// Runs a check on random and lattice cases of all pairs of kinds.
fn for_all<const D: usize, S: Space<D>>(seed: u64, rounds: usize, check: impl Fn(&mut Rng, Case<D>)) {
    let mut rng = Rng::new(seed);
    for kinds in super::kind_pairs() {
        for round in 0..rounds * soak() {
            let case = Case::random::<S>(&mut rng, kinds, round % 4 == 0);
            check(&mut rng, case);
        }
    }
}

fn bits<const D: usize>(v: impl Into<[f64; D]>) -> [u64; D] {
    // A zero has no sign here: −(0) and 0 − 0 differ in nothing but that.
    v.into().map(|x| (x + 0.0).to_bits())
}

fn negated<const D: usize>(v: impl Into<[f64; D]>) -> [f64; D] {
    v.into().map(|x| -x)
}

/// P1
fn swapping<const D: usize, S: Space<D>>(seed: u64) {
    for_all::<D, S>(seed, 300, |_, case| {
        let (here, there) = (case.contact::<S>(), case.swapped().contact::<S>());
        assert_eq!(here.depth.to_bits(), there.depth.to_bits(), "{case:?}");
        let (apart, back) = (case.distance::<S>(), case.swapped().distance::<S>());
        assert_eq!(bits([apart.lower, apart.upper]), bits([back.lower, back.upper]));
        // A box rounded by nothing is a box.
        let plain = |body: &Body<D>| match body.kind {
            "rounded" if body.radius == 0.0 => "cuboid",
            kind => kind,
        };
        let same_shape = (plain(&case.a), &case.a.numbers) == (plain(&case.b), &case.b.numbers);
        if same_shape && case.a.radius == case.b.radius && case.pa == case.pb {
            return; // Nothing tells them apart: there is one answer.
        }
        assert_eq!(bits::<D>(here.normal), bits(negated::<D>(there.normal)), "{here:?} {there:?} {case:?}");
        assert_eq!(bits::<D>(here.point_a), bits::<D>(there.point_b), "{case:?}");
        assert_eq!(bits::<D>(here.point_b), bits::<D>(there.point_a), "{case:?}");
    });
}

#[test]
fn exchanging_the_shapes_exchanges_the_answer() {
    swapping::<2, Plane>(1);
    swapping::<3, Room>(2);
}

/// P3
fn scaling<const D: usize, S: Space<D>>(seed: u64) {
    for_all::<D, S>(seed, 60, |rng, case| {
        let here = case.contact::<S>();
        let small = case.size() <= 1e6 && 1e-6 < case.size();
        let exponent = match rng.below(4) {
            0 if small => rng.pick(&[-940, -700, 700, 980]),
            _ => rng.between(-40, 40),
        };
        let factor = power_of_two(exponent);
        // What underflows is another case, also on the way to a size near 1, where extreme cases are solved: from the
        // small ones that is less than 2⁻²⁰.
        let survives = |factor: f64| case.scaled(factor).scaled(1.0 / factor) == case;
        if !(survives(factor) && survives(power_of_two(-20))) {
            return;
        }
        let there = case.scaled(factor).contact::<S>();
        assert_eq!(bits::<D>(here.normal), bits::<D>(there.normal), "2^{exponent} {case:?}");
        // Nor does the law hold for an answer that underflows.
        let is_kept = |x: f64| x * factor * power_of_two(-exponent) == x;
        let (point_a, point_b): ([f64; D], [f64; D]) = (here.point_a.into(), here.point_b.into());
        if !(is_kept(here.depth) && point_a.into_iter().chain(point_b).all(is_kept)) {
            return;
        }
        assert_eq!(here.depth * factor, there.depth, "2^{exponent} {case:?}");
        let scaled = |p: [f64; D]| p.map(|x| x * factor);
        assert_eq!(bits(scaled(here.point_a.into())), bits::<D>(there.point_a), "2^{exponent} {case:?}");
        assert_eq!(bits(scaled(here.point_b.into())), bits::<D>(there.point_b), "2^{exponent} {case:?}");
        let (apart, scaled) = (case.distance::<S>(), case.scaled(factor).distance::<S>());
        assert_eq!(apart.distance * factor, scaled.distance);
    });
}

#[test]
fn lengths_scale_to_the_bit() {
    scaling::<2, Plane>(3);
    scaling::<3, Room>(4);
}

/// P2
fn moving_both<const D: usize, S: Space<D>>(seed: u64) {
    for_all::<D, S>(seed, 100, |rng, case| {
        let here = case.contact::<S>();
        let motion = Place {
            translation: generate::lattice_point(rng),
            rotation: S::rotation(rng, rng.clone().one_in(2)),
        };
        let moved =
            Case { pa: S::compose(&motion, &case.pa), pb: S::compose(&motion, &case.pb), ..case.clone() };
        let reach = |p: &Place<D>| p.translation.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let size = case.size() + reach(&moved.pa) + reach(&moved.pb) + reach(&case.pa) + reach(&case.pb);
        let there = moved.contact::<S>();
        assert!((here.depth - there.depth).abs() <= 16.0 * f64::EPSILON * size, "{case:?} {motion:?}");
    });
}

#[test]
fn moving_both_shapes_changes_nothing() {
    moving_both::<2, Plane>(5);
    moving_both::<3, Room>(6);
}

/// P6, P8 and P9: the returned normal separates by the returned depth, and no less does; farther along
/// it, the distance grows as far as the shape moves.
fn moving_out<const D: usize, S: Space<D>>(seed: u64) {
    for_all::<D, S>(seed, 40, |rng, case| {
        let near = case.contact::<S>();
        let n: [f64; D] = near.normal.into();
        // H(n) = depth, exactly evaluated for the rounded normal. A flat pair may be a rounding error
        // thick, hence the tolerance in both directions.
        let tolerance = 16.0 * f64::EPSILON * case.size();
        let [a, b] = case.cores::<S>();
        let radii = exact(case.a.radius) + exact(case.b.radius);
        let overlap = a.overlap_along(&b, &n) + radii;
        let off = to_f64(&magnitude(&(overlap - exact(near.depth))));
        let deep = -(case.a.radius + case.b.radius) <= near.depth - 1e-3 * case.size();
        // Cores that are apart have the normal of their connection, which errs by ε·S over its length.
        let gap = (case.a.radius + case.b.radius - near.depth).max(0.0);
        if near.depth > tolerance && 0.0 < gap {
            assert!(off <= tolerance * (1.0 + case.size() / gap), "H(n) {off} {near:?} {case:?}");
        } else if near.depth > tolerance {
            assert!(off <= tolerance, "H(n) {off} {near:?} {case:?}");
        } else if deep {
            // Apart, the normal is that of the nearest features: as good as the gap of the cores.
            assert!(off <= 1e5 * tolerance, "gap {off} {near:?} {case:?}");
        }
        let step = case.size() * rng.pick(&[1e-6, 1e-3, 1.0]);
        let reach = |case: &Case<D>| case.pb.translation.iter().fold(case.size(), |m, x| m.max(x.abs()));
        for (extra, touches) in [(step, false), (-step, true)] {
            let by = n.map(|x| x * (near.depth + extra));
            let moved = case.moved(by);
            let slack = 64.0 * f64::EPSILON * reach(&moved);
            if step <= slack || near.depth < 0.0 || near.depth + extra < 0.0 {
                continue;
            }
            assert_eq!(moved.touches::<S>(), touches, "{near:?} {extra} {case:?}");
            if !touches {
                let distance = moved.distance::<S>().distance;
                assert!((distance - step).abs() <= slack, "{distance} {step} {near:?} {case:?}");
            }
        }
        let connected = 1e-3 * case.size() < case.a.radius + case.b.radius - near.depth;
        if near.depth < 0.0 && connected {
            let moved = case.moved(n.map(|x| x * step));
            let (before, after) = (case.distance::<S>().distance, moved.distance::<S>().distance);
            let slack = 1e4 * f64::EPSILON * reach(&moved);
            assert!((after - before - step).abs() <= slack, "{before} {after} {step} {case:?}");
        }
    });
}

#[test]
fn the_normal_is_the_way_out() {
    moving_out::<2, Plane>(7);
    moving_out::<3, Room>(8);
}

/// The answer in `f32` is that for the numbers given, rounded at the end.
fn single<const D: usize, S: Space<D>>(seed: u64) {
    for_all::<D, S>(seed, 20, |_, case| {
        let case = Case {
            a: case.a.to_f32_values(),
            pa: S::place_f32(&case.pa),
            b: case.b.to_f32_values(),
            pb: S::place_f32(&case.pb),
        };
        let [distance, lower, upper, depth] = S::in_f32(&case.a, &case.pa, &case.b, &case.pb).unwrap();
        // The quaternion of the pose is not of unit length to f64 precision; the exact pose divides.
        let wide = Case { pa: case.pa.clone(), pb: case.pb.clone(), ..case.clone() };
        let [low, high] = wide.truth::<S>();
        let zero = Rational::ZERO;
        assert!(exact(lower) <= high.clone().max(zero.clone()), "{case:?}");
        assert!(low.clone().max(zero) <= exact(upper), "{case:?}");
        let unit = f64::from(f32::EPSILON) * case.size();
        let error = to_f64(&magnitude(&(exact(-depth) - &low)));
        assert!(error <= unit, "{error} {unit} {case:?}");
        assert_eq!(distance, (-depth).max(0.0));
    });
}

#[test]
fn single_precision_rounds_once() {
    single::<2, Plane>(9);
    single::<3, Room>(10);
}

/// P16: any bit pattern is answered or refused by name.
fn any_bits<const D: usize, S: Space<D>>(seed: u64) {
    let mut rng = Rng::new(seed);
    let (mut answered, mut refused) = (0, 0);
    let pairs = super::kind_pairs();
    for round in 0..super::ANY_BITS_ROUNDS {
        // Mostly finite numbers, so that the kernels see the extremes of the range too.
        let number = |rng: &mut Rng| loop {
            let x = generate::any_bits(rng);
            if x.is_finite() || round % 8 == 0 {
                return x;
            }
        };
        let kinds = rng.pick(&pairs);
        let body = |rng: &mut Rng, kind: &'static str| {
            let mut point = || -> [f64; D] { std::array::from_fn(|_| number(rng)) };
            let numbers: Vec<_> = match kind {
                "cuboid" | "rounded" => vec![point().map(f64::abs)],
                "hull" | "rounded_hull" => (0..7).map(|_| point()).collect(),
                "triangle" => vec![point(), point(), point()],
                _ => vec![point(), point()],
            };
            Body::new(kind, &numbers, number(rng).abs())
        };
        let (a, b) = (body(&mut rng, kinds[0]), body(&mut rng, kinds[1]));
        let place = |rng: &mut Rng| Place {
            translation: std::array::from_fn(|_| number(rng)),
            rotation: S::rotation(rng, false),
        };
        let (pa, pb) = (place(&mut rng), place(&mut rng));
        match S::distance(&a, &pa, &b, &pb) {
            Ok(found) => {
                answered += 1;
                let point: [f64; D] = found.point_a.into();
                let normal: [f64; D] = found.normal.into();
                assert!(point.iter().chain(&normal).all(|x| x.is_finite()), "{a:?} {pa:?} {b:?} {pb:?}");
                assert!(found.lower <= found.distance && found.distance <= found.upper);
                let touching = S::intersects(&a, &pa, &b, &pb).unwrap();
                assert_eq!(touching, found.distance == 0.0, "{a:?} {pa:?} {b:?} {pb:?}");
                let _ = S::contact(&a, &pa, &b, &pb, FAR);
            }
            Err(Error::NotFinite { .. } | Error::Overflow { .. }) => refused += 1,
            Err(other) => panic!("{other} {a:?} {b:?}"),
        }
    }
    assert!(
        super::ANY_BITS_ROUNDS < 6 * answered && super::ANY_BITS_ROUNDS < 60 * refused,
        "{answered} {refused}"
    );
}

#[test]
fn any_bits_are_answered_or_refused() {
    any_bits::<2, Plane>(11);
    any_bits::<3, Room>(12);
}
