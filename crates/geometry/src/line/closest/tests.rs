//! The kernels against exact arithmetic: distance and weights, on inputs chosen to hurt.

use super::*;
use carom_math::Vec2;
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::sqrt_error;

/// Error of the distance that the points realise, in units of ε times the largest coordinate.
fn error_of<const D: usize>(distance: f64, a: &[[f64; D]], b: &[[f64; D]]) -> f64 {
    let exact = Convex::hull(a).distance_squared(&Convex::hull(b));
    let size = a.iter().chain(b).flatten().fold(0.0_f64, |m, x| x.abs().max_of(m));
    sqrt_error(distance, &exact).abs() / (f64::EPSILON * size).max_of(f64::MIN_POSITIVE)
}

fn segment_pair<const D: usize>(rng: &mut Rng) -> [[f64; D]; 4] {
    match rng.below(4) {
        0 => {
            let (a, b, _) = generate::meeting_segments::<D>(rng);
            let mut points = [a[0], a[1], b[0], b[1]];
            if rng.one_in(2) {
                generate::nudge_one(rng, &mut points);
            }
            points
        }
        1 => {
            // Near-parallel.
            let (start, other) = (generate::lattice_point::<D>(rng), generate::point::<D>(rng));
            let direction = generate::direction::<D>(rng);
            let turned = generate::near_parallel(rng, direction);
            let (from, to) = (rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0));
            [
                start,
                std::array::from_fn(|i| start[i] + direction[i]),
                std::array::from_fn(|i| other[i] + from * turned[i]),
                std::array::from_fn(|i| other[i] + to * turned[i]),
            ]
        }
        _ => {
            let points = generate::points::<D>(rng, 4);
            std::array::from_fn(|i| points[i])
        }
    }
}

fn check_segments<const D: usize, V: Vector<Scalar = f64>>(seed: u64, to: impl Fn([f64; D]) -> V) -> f64 {
    let mut rng = Rng::new(seed);
    let mut worst = 0.0_f64;
    for _ in 0..4000 {
        let points = segment_pair::<D>(&mut rng);
        let [p0, p1, q0, q1] = points.map(&to);
        let (s, t, on_p, on_q) = closest_segment_segment(p0, p1, q0, q1);
        assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
        let error = error_of(Vector::length(on_p - on_q), &points[..2], &points[2..]);
        assert!(error <= 4.0, "{error} {points:?} {s} {t}");
        worst = worst.max_of(error);
        let (u, on) = closest_on_segment(q0, p0, p1);
        assert!((0.0..=1.0).contains(&u));
        let error = error_of(Vector::length(on - q0), &points[..2], &points[2..3]);
        assert!(error <= 4.0, "{error} {points:?} {u}");
    }
    worst
}

#[test]
fn segments_are_as_far_apart_as_exact_arithmetic_says() {
    let worst2 = check_segments(101, Vec2::<f64>::from);
    let worst3 = check_segments(102, Vec3::<f64>::from);
    assert!(worst2 > 0.0 && worst3 > 0.0);
}

#[test]
fn degenerate_segments_are_points() {
    let (a, b) = (Vec2::new(1.0, 1.0), Vec2::new(4.0, 5.0));
    assert_eq!(closest_segment_segment(a, a, b, b), (0.0, 0.0, a, b));
    assert_eq!(closest_on_segment(b, a, a), (0.0, a));
    let (s, t, p, q) = closest_segment_segment(a, b, Vec2::new(4.0, 1.0), Vec2::new(4.0, 1.0));
    assert_eq!((s, t), (0.36, 0.0));
    assert_eq!((p - q).dot(b - a), 0.0);
}

fn triangle_and_point<const D: usize>(rng: &mut Rng) -> [[f64; D]; 4] {
    let corners = match rng.below(3) {
        0 => generate::sliver_triangle::<D>(rng),
        1 => std::array::from_fn(|_| generate::lattice_point::<D>(rng)),
        _ => {
            let points = generate::points::<D>(rng, 3);
            std::array::from_fn(|i| points[i])
        }
    };
    let weights = [rng.uniform(-0.5, 1.0), rng.uniform(-0.5, 1.0)];
    let near: [f64; D] = std::array::from_fn(|i| {
        corners[0][i]
            + weights[0] * (corners[1][i] - corners[0][i])
            + weights[1] * (corners[2][i] - corners[0][i])
    });
    let point = match rng.below(3) {
        0 => near,
        1 => {
            let away = generate::unit_vector::<D>(rng);
            let height = generate::length(rng) * generate::power_of_two(-rng.between(0, 40));
            std::array::from_fn(|i| near[i] + away[i] * height)
        }
        _ => generate::point(rng),
    };
    [corners[0], corners[1], corners[2], point]
}

#[test]
fn points_are_as_far_from_triangles_as_exact_arithmetic_says() {
    let mut rng = Rng::new(103);
    for _ in 0..5000 {
        let points = triangle_and_point::<3>(&mut rng);
        let [a, b, c, p] = points.map(Vec3::from);
        let (weights, point) = closest_on_triangle3(p, [a, b, c]);
        check_weights(weights, point, [a, b, c]);
        let error = error_of(Vector::length(p - point), &points[..3], &points[3..]);
        assert!(error <= 4.0, "{error} {points:?} {weights:?}");
    }
}

fn check_weights<V: Vector<Scalar = f64>>(weights: [f64; 3], point: V, [a, b, c]: [V; 3]) {
    assert!(weights.iter().all(|w| (0.0..=1.0).contains(w)), "{weights:?}");
    let blend = a * weights[0] + b * weights[1] + c * weights[2];
    let size = [a, b, c].map(Vector::max_abs).into_iter().fold(0.0, Number::max_of);
    assert!((blend - point).max_abs() <= 16.0 * f64::EPSILON * size, "{point:?} {blend:?} {weights:?}");
}
