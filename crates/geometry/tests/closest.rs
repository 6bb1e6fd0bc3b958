//! The closest point of a shape against exact arithmetic, in both dimensions.

// Tolerances may come from any maximum; the worst errors are worth a look with --nocapture.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use super::spaces;
use super::world;

use carom_geometry::{ClosestPoint, Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, Rational, exact, magnitude, sqrt_enclosure, to_f64};
use spaces::{Plane, Room};
use world::{Body, KINDS, Place, Space};

/// The plane or space, for one question.
trait Ask<const D: usize>: Space<D> {
    fn closest(body: &Body<D>, place: &Place<D>, point: [f64; D]) -> Result<([f64; D], f64, bool), Error>;
}

macro_rules! ask {
    ($space:ident, $dim:literal, $d:ident) => {
        impl Ask<$dim> for $space {
            fn closest(
                body: &Body<$dim>,
                place: &Place<$dim>,
                point: [f64; $dim],
            ) -> Result<([f64; $dim], f64, bool), Error> {
                let found = $d::closest_point(&Self::shape::<f64>(body)?, Self::pose::<f64>(place), point)?;
                Ok((found.point.into(), found.distance, found.inside))
            }
        }
    };
}
ask!(Plane, 2, d2);
ask!(Room, 3, d3);

/// The true signed distance, enclosed. Flat things have no inside.
fn truth<const D: usize, S: Space<D>>(body: &Body<D>, place: &Place<D>, point: [f64; D]) -> [Rational; 2] {
    let core = Convex::hull(&S::transform(place).points(&body.core()));
    let point = Convex::hull(&[point.to_exact()]);
    let [low, high] = match core.depth_squared(&point) {
        None => sqrt_enclosure(&core.distance_squared(&point)),
        Some(squared) => {
            let [low, high] = sqrt_enclosure(&squared);
            [-high, -low]
        }
    };
    [low - exact(body.radius), high - exact(body.radius)]
}

fn check<const D: usize, S: Ask<D>>(seed: u64, rounds: usize, lattice: bool) {
    let mut rng = Rng::new(seed);
    let mut worst = 0.0_f64;
    for kind in KINDS {
        for _ in 0..rounds {
            let body = Body::<D>::random(&mut rng, kind, lattice);
            let spot = |rng: &mut Rng| -> [f64; D] {
                if lattice || rng.one_in(2) { generate::lattice_point(rng) } else { generate::point(rng) }
            };
            let place = Place { translation: spot(&mut rng), rotation: S::rotation(&mut rng, lattice) };
            let point = spot(&mut rng);
            let [low, high] = truth::<D, S>(&body, &place, point);
            let (found, distance, inside) = S::closest(&body, &place, point).unwrap();
            let say = || {
                format!("{found:?} {distance} {inside} truth {} {body:?} {place:?} {point:?}", to_f64(&low))
            };
            let between = (0..D).fold(0.0_f64, |m, i| m.max((point[i] - place.translation[i]).abs()));
            let unit = f64::EPSILON * (between + body.size());
            let error = to_f64(&magnitude(&(exact(distance) - &low)));
            assert!(error <= 8.0 * unit, "{error} {}", say());
            worst = worst.max(if error == 0.0 { 0.0 } else { error / unit });
            assert_eq!(inside, distance <= 0.0, "{}", say());
            assert!(distance != 0.0 || distance.is_sign_positive(), "{}", say());
            if lattice {
                assert_eq!(exact(distance).cmp(&Rational::ZERO), low.cmp(&Rational::ZERO), "{}", say());
                if low == high && exact(to_f64(&low)) == low {
                    assert_eq!(distance, to_f64(&low), "{}", say());
                }
            }
            // The point is as far away as claimed, and on the surface: its own distance vanishes.
            let reach = place.translation.iter().chain(&point).fold(unit, |m, x| m.max(x.abs()));
            let tolerance = 16.0 * unit + 8.0 * f64::EPSILON * reach;
            let gap = point.iter().zip(&found).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt();
            assert!((gap - distance.abs()).abs() <= tolerance, "{gap} {}", say());
            let [on_surface, _] = truth::<D, S>(&body, &place, found);
            assert!(to_f64(&magnitude(&on_surface)) <= tolerance, "{}", say());
        }
    }
    println!("{D}D worst: {worst:.2} ε·S");
}

#[test]
fn closest_points_agree_with_exact_arithmetic() {
    check::<2, Plane>(1, 600, false);
    check::<3, Room>(2, 400, false);
}

#[test]
fn closest_points_on_lattices_are_exact() {
    check::<2, Plane>(3, 400, true);
    check::<3, Room>(4, 400, true);
}

/// Thin triangles in any direction, and points on their line, within them and beyond their ends.
#[test]
fn slivers_end_where_they_end() {
    fn slivers<const D: usize, S: Ask<D>>(seed: u64) {
        let mut rng = Rng::new(seed);
        let random = |rng: &mut Rng| -> [f64; D] { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) };
        let plus =
            |p: [f64; D], d: [f64; D], t: f64| -> [f64; D] { std::array::from_fn(|i| p[i] + d[i] * t) };
        for _ in 0..6000 {
            let (from, along) = (random(&mut rng), random(&mut rng));
            let middle = plus(from, along, rng.unit());
            let apex = plus(middle, random(&mut rng), power_of_two(-rng.between(20, 54)));
            let body = Body::new("triangle", &[from, plus(from, along, 1.0), apex], 0.0);
            let spot = plus(from, along, rng.uniform(-0.2, 1.2));
            let point = plus(spot, random(&mut rng), power_of_two(-rng.between(10, 60)));
            let place =
                Place { translation: [0.0; D], rotation: [f64::from(D == 2), 0.0, 0.0, f64::from(D == 3)] };
            let [low, _] = truth::<D, S>(&body, &place, point);
            let (found, distance, inside) = S::closest(&body, &place, point).unwrap();
            let error = to_f64(&magnitude(&(exact(distance) - &low)));
            let unit = f64::EPSILON * (body.size() + point.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
            assert!(
                error <= 8.0 * unit,
                "{error} {distance} {found:?} {inside} {} {body:?} {point:?}",
                to_f64(&low)
            );
        }
    }
    slivers::<2, Plane>(9);
    slivers::<3, Room>(10);
}

/// Lengths times a power of two give lengths times that power, to the bit.
#[test]
fn closest_points_scale_to_the_bit() {
    fn scaling<const D: usize, S: Ask<D>>(seed: u64) {
        let mut rng = Rng::new(seed);
        for _ in 0..1500 {
            let kind = rng.pick(&KINDS);
            let body = Body::<D>::random(&mut rng, kind, true);
            let place = Place {
                translation: generate::lattice_point(&mut rng),
                rotation: S::rotation(&mut rng, false),
            };
            let point: [f64; D] = generate::lattice_point(&mut rng);
            let factor = power_of_two(rng.pick(&[-960, -700, -40, -3, 1, 40, 500, 1000]));
            let times = |p: [f64; D]| p.map(|x| x * factor);
            let (found, distance, inside) = S::closest(&body, &place, point).unwrap();
            let far = Place { translation: times(place.translation), rotation: place.rotation };
            let scaled = S::closest(&body.scaled(factor), &far, times(point)).unwrap();
            assert_eq!(
                (times(found), distance * factor, inside),
                scaled,
                "{body:?} {place:?} {point:?} {factor}"
            );
        }
    }
    scaling::<2, Plane>(5);
    scaling::<3, Room>(6);
}

/// Where many points are closest, the rule decides: the first axis, its positive side.
#[test]
fn ties_go_to_the_first_axis() {
    let at = |found: ClosestPoint<Vec3<f64>>| (<[f64; 3]>::from(found.point), found.distance, found.inside);
    let o = [0.0; 3];
    let ball = d3::Ball::new(2.0).unwrap();
    assert_eq!(at(d3::closest_point(&ball, o, o).unwrap()), ([2.0, 0.0, 0.0], -2.0, true));
    let cube = d3::Cuboid::<f64>::new([1.0, 1.0, 1.0]).unwrap();
    assert_eq!(at(d3::closest_point(&cube, o, o).unwrap()), ([1.0, 0.0, 0.0], -1.0, true));
    let low = d3::closest_point(&cube, o, [-0.5, -0.5, 0.5]).unwrap();
    assert_eq!(at(low), ([-1.0, -0.5, 0.5], -0.5, true));
    let pill = d3::Capsule::<f64>::new([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5).unwrap();
    assert_eq!(at(d3::closest_point(&pill, o, o).unwrap()), ([0.5, 0.0, 0.0], -0.5, true));
    let lying = d3::Capsule::<f64>::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5).unwrap();
    assert_eq!(at(d3::closest_point(&lying, o, o).unwrap()), ([0.0, 0.5, 0.0], -0.5, true));
    let can = d3::Cylinder::new(2.0, 1.0).unwrap();
    assert_eq!(at(d3::closest_point(&can, o, o).unwrap()), ([1.0, 0.0, 0.0], -1.0, true));
    let coin = d3::Cylinder::new(1.0, 2.0).unwrap();
    assert_eq!(at(d3::closest_point(&coin, o, o).unwrap()), ([0.0, 1.0, 0.0], -1.0, true));
    let square = d2::Cuboid::<f64>::new([1.0, 1.0]).unwrap();
    let found = d2::closest_point(&square, [0.0, 0.0], [0.0, 0.0]).unwrap();
    assert_eq!((found.point, found.distance), (Vec2::new(1.0, 0.0), -1.0));
    // On the surface: inside, at distance +0.
    let face = d3::closest_point(&cube, o, [1.0, 0.25, 0.0]).unwrap();
    assert_eq!((at(face), face.distance.is_sign_positive()), (([1.0, 0.25, 0.0], 0.0, true), true));
    let ground = d3::HalfSpace::<f64>::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let on = d3::closest_point(&ground, o, [3.0, -0.0, 1.0]).unwrap();
    assert!(on.inside && on.distance == 0.0 && on.distance.is_sign_positive());
}

/// Samples of the surface of a cylinder or cone in its own frame.
fn surface(rng: &mut Rng, cone: bool, half_height: f64, radius: f64) -> Vec3<f64> {
    let around: [f64; 2] = generate::unit_vector(rng);
    let part = rng.unit();
    let (rho, y) = match (rng.below(3), cone) {
        (0, _) => (radius * part, -half_height),
        (1, false) => (radius * part, half_height),
        (_, false) => (radius, half_height * (2.0 * part - 1.0)),
        (_, true) => (radius * (1.0 - part), half_height * (2.0 * part - 1.0)),
    };
    Vec3::new(around[0] * rho, y, around[1] * rho)
}

/// In the half-plane through the axis, a cylinder is a rectangle and a cone a triangle: the exact
/// distance there, for points whose distance from the axis is rational.
#[test]
fn round_shapes_agree_with_their_profile() {
    let mut rng = Rng::new(7);
    for round in 0..4000 {
        let cone = rng.one_in(2);
        let length = |rng: &mut Rng| if rng.one_in(10) { 0.0 } else { generate::length(rng) };
        let (h, r) = (length(&mut rng), length(&mut rng));
        let (x, z, rho) = rng.pick(&[
            (3.0, 4.0, 5.0),
            (0.0, 0.0, 0.0),
            (1.0, 0.0, 1.0),
            (-0.75, 1.0, 1.25),
            (0.0, 0.5, 0.5),
        ]);
        let y = generate::coordinate(&mut rng);
        let profile: Vec<[f64; 2]> =
            if cone { vec![[0.0, h], [r, -h], [-r, -h]] } else { vec![[r, h], [r, -h], [-r, -h], [-r, h]] };
        let (core, spot) = (Convex::hull(&profile), Convex::hull(&[[rho, y]]));
        // A profile without area has no inside; its depth is 0 where the point is on it.
        let low = match core.depth_squared(&spot) {
            None => sqrt_enclosure(&core.distance_squared(&spot))[0].clone(),
            Some(squared) => -sqrt_enclosure(&squared)[1].clone(),
        };
        let found = if cone {
            d3::closest_point(&d3::Cone::new(h, r).unwrap(), [0.0; 3], [x, y, z])
        } else {
            d3::closest_point(&d3::Cylinder::new(h, r).unwrap(), [0.0; 3], [x, y, z])
        }
        .unwrap();
        let unit = f64::EPSILON * (h + r + rho + y.abs());
        let error = to_f64(&magnitude(&(exact(found.distance) - &low)));
        assert!(error <= 8.0 * unit, "{round} {error} {found:?} {} {cone} {h} {r} {x} {y} {z}", to_f64(&low));
        let gap = Vector::length(found.point - Vec3::new(x, y, z));
        assert!(
            (gap - found.distance.abs()).abs() <= 16.0 * unit,
            "{gap} {found:?} {cone} {h} {r} {x} {y} {z}"
        );
        // Nothing of the surface is nearer.
        for _ in 0..8 {
            let other = surface(&mut rng, cone, h, r);
            let gap = Vector::length(other - Vec3::new(x, y, z));
            assert!(
                found.distance.abs() <= gap + 16.0 * unit,
                "{found:?} {other:?} {cone} {h} {r} {x} {y} {z}"
            );
        }
    }
}

#[test]
fn single_precision_and_poses() {
    let can = d3::Cylinder::new(1.0_f32, 0.5).unwrap();
    let pose = Pose3::new([10.0, 0.0, 0.0], Quat::new(0.0, 0.0, 1.0, 1.0).unwrap());
    // The axis lies along x now.
    let found = d3::closest_point(&can, pose, [13.0_f32, 0.25, 0.0]).unwrap();
    assert_eq!((found.point, found.distance, found.inside), (Vec3::new(11.0, 0.25, 0.0), 2.0, false));
}

#[test]
fn any_bits_are_answered_or_refused() {
    let mut rng = Rng::new(8);
    let mut answered = 0;
    for _ in 0..60_000 {
        let n: [f64; 16] = std::array::from_fn(|_| generate::any_bits(&mut rng));
        let point = [n[0], n[1], n[2]];
        let pose = Pose3::at([n[3], n[4], n[5]]);
        let shape: Result<d3::Shape<f64>, Error> = match rng.below(7) {
            0 => d3::Cylinder::new(n[6].abs(), n[7].abs()).map(Into::into),
            1 => d3::Cone::new(n[6].abs(), n[7].abs()).map(Into::into),
            2 => d3::HalfSpace::<f64>::new([n[6], n[7], n[8]], n[9]).map(Into::into),
            3 => d3::Triangle::<f64>::new([n[6], n[7], n[8]], [n[9], n[10], n[11]], [n[12], n[13], n[14]])
                .map(Into::into),
            4 => {
                d3::Capsule::<f64>::new([n[6], n[7], n[8]], [n[9], n[10], n[11]], n[12].abs()).map(Into::into)
            }
            5 => d3::Cuboid::<f64>::new([n[6].abs(), n[7].abs(), n[8].abs()]).map(Into::into),
            _ => d3::Ball::new(n[6].abs()).map(Into::into),
        };
        if let Ok(shape) = shape
            && let Ok(found) = d3::closest_point(&shape, pose, point)
        {
            answered += 1;
            assert!(
                found.point.finite() && found.distance.is_finite(),
                "{shape:?} {pose:?} {point:?} {found:?}"
            );
        }
    }
    assert!(3000 < answered, "{answered}");
    let ball = d3::Ball::new(1.0).unwrap();
    assert!(matches!(
        d3::closest_point(&ball, [0.0; 3], [f64::NAN, 0.0, 0.0]),
        Err(Error::NotFinite { what: "point", .. })
    ));
    assert!(matches!(
        d3::closest_point(&ball, [f64::INFINITY, 0.0, 0.0], [0.0; 3]),
        Err(Error::NotFinite { what: "pose", .. })
    ));
}

/// Found by fuzzing: a gap that is too small for the number type is none.
#[test]
fn what_rounds_to_the_surface_is_on_it() {
    let tiny = f32::from_bits(1);
    for turn in [[0.8_f32, 0.6], [0.999, -0.04], [-0.3, 0.7]] {
        let pose = Pose2::new([0.0, 0.0], Rot2::from_cos_sin(turn[0], turn[1]).unwrap());
        for end in [[tiny, 2.0 * tiny], [3.0 * tiny, -tiny], [tiny, 0.0]] {
            let segment = d2::Segment::new([0.0, 0.0], end).unwrap();
            for point in [[0.0, 0.0], [tiny, tiny], [-tiny, 0.0], [tiny, 0.0]] {
                let found = d2::closest_point(&segment, pose, point).unwrap();
                assert_eq!(found.inside, found.distance <= 0.0, "{turn:?} {end:?} {point:?} {found:?}");
            }
        }
    }
}

/// Sizes among the subnormal numbers: a point half a unit away is not inside, and a normal is a unit vector.
#[test]
fn specks_far_away_are_far_away() {
    let tiny = f64::from_bits(1);
    let cone = d3::Cone::new(3.0 * tiny, tiny).unwrap();
    let rounded = d3::Rounded::new(cone, 3.0 * tiny).unwrap();
    for found in [
        d3::closest_point(&cone, [0.0, -0.5, 0.0], [0.0; 3]).unwrap(),
        d3::closest_point(&rounded, [0.0, -0.5, 0.0], [0.0; 3]).unwrap(),
    ] {
        assert_eq!((found.distance, found.inside), (0.5, false));
    }
    let speck = d3::Capsule::new([tiny, 200.0 * tiny, 0.0], [0.0; 3], 1.0).unwrap();
    let point = d3::Ball::new(0.0).unwrap();
    let found = d3::distance(&speck, [0.0; 3], &point, [0.0; 3]).unwrap();
    let length =
        found.normal.x * found.normal.x + found.normal.y * found.normal.y + found.normal.z * found.normal.z;
    assert!((length - 1.0).abs() < 1e-15 && found.distance == 0.0, "{found:?}");
}

/// Of a face with four corners one is 1e38 away from the others, which are then all in one place as seen from it; the hull
/// is a needle beside the distance of the point.
#[test]
fn a_face_whose_first_corner_is_far_from_the_others() {
    use carom_geometry::d3::{Ball, ConvexHull, closest_point, distance};
    let far =
        Vec3::<f64>::new(-2.875_719_540_651_38e38, 3.402_823_466_385_288_6e38, 3.402_823_466_385_288_6e38);
    let near = [[0.0, 0.0, 0.0], [0.021, 7.3125, 5.5], [5.5, 0.0, 0.0], [5.5, 5.5, 5.5]].map(Vec3::from);
    let hull = ConvexHull::new([far, near[0], near[1], near[2], near[3]]).unwrap();
    let point = Vec3::new(976.0, 0.0, far.z);
    // From the segment between the origin and the far corner.
    let along = far * (1.0 / Vector::length(far));
    let truth = Vector::length(point - along * along.dot(point));
    let found = closest_point(&hull, Pose3::IDENTITY, point).unwrap();
    assert!(!found.inside && (found.distance - truth).abs() <= 1e-12 * truth, "{found:?} {truth}");
    let found = distance(&hull, Pose3::IDENTITY, &Ball::new(0.0).unwrap(), point).unwrap();
    assert!(found.lower <= truth && truth <= found.upper, "{found:?} {truth}");
}
