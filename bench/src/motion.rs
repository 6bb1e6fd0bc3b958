//! Rays and straight casts: the same random questions through Carom and Parry, in space and in the plane.
//!
//! Rays start 2 to 6 units from a shape of size about 1 and are aimed within 1.2 units of its centre, moving
//! shapes start 4 to 6 units apart and are aimed within 1.5; about two of three hit. Both engines go through their
//! run-time dispatch (an enum here, trait objects there), in `f32`, with random rotations in the world: 64
//! shapes of each kind, 2,000 questions, each asked cold, in arrays of each engine's own. A third row asks Carom the same in `f64`.

use crate::harness::{Case, Engine, Report};
use carom_geometry::{CastOptions, RayOptions};
use carom_math::Vector;
use carom_oracle::generate::Rng;

const QUESTIONS: usize = 2000;
const SHAPES: usize = 64;
const PARRY: &str = "0.31.1";

/// A ray as one engine is asked about it; the questions to each engine are in an array of its own.
struct RayAsked<'a, S, P, R> {
    shape: &'a S,
    pose: P,
    ray: R,
}

/// A straight cast as one engine is asked about it: the first shape moves.
struct CastAsked<'a, S, P, V> {
    a: &'a S,
    b: &'a S,
    poses: [P; 2],
    velocity: V,
}

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    space::run(report);
    plane::run(report);
}

fn uniform(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * f64::from(rng.next_u32()) / 4_294_967_296.0
}

/// The questions of a dimension, over its own `random_shape`, `random_place` and `parry`, which converts vectors.
macro_rules! suite {
    ($dim:literal, $d:ident, $vector:ident, $pose:ident) => {
        /// Runs the cases of the dimension.
        pub(super) fn run(report: &mut Report) {
            for kind in RAYS {
                rays(report, kind);
            }
            for (first, second) in CASTS {
                casts(report, first, second);
            }
        }

        struct Place {
            carom: $pose<f32>,
            wide: $pose<f64>,
            parry: query_math::Pose,
        }

        fn random_point(rng: &mut Rng, range: f64) -> $vector<f32> {
            std::array::from_fn::<f32, $dim, _>(|_| uniform(rng, -range, range) as f32).into()
        }

        fn random_direction(rng: &mut Rng) -> $vector<f32> {
            random_point(rng, 1.0).normalized().unwrap_or($vector::unit(0))
        }

        fn shapes(rng: &mut Rng, kind: &str) -> Shapes {
            let mut shapes = Shapes::default();
            for _ in 0..SHAPES {
                shapes.push(random_shape(rng, kind));
            }
            shapes
        }

        fn rays(report: &mut Report, kind: &str) {
            let name = format!("ray-{kind}");
            if !report.wants(&name) {
                return;
            }
            let mut rng = Rng::new(11);
            let shapes = shapes(&mut rng, kind);
            let (mut narrow, mut peer, mut wide) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..QUESTIONS {
                let at = random_point(&mut rng, 100.0);
                let from = at + random_direction(&mut rng) * uniform(&mut rng, 2.0, 6.0) as f32;
                let along = at + random_point(&mut rng, 1.2) - from;
                let k = rng.below(SHAPES);
                let place = random_place(&mut rng, at);
                let ray = $d::Ray::new(from, along).expect("not zero");
                narrow.push(RayAsked { shape: &shapes.carom[k], pose: place.carom, ray });
                let ray = query::Ray::new(parry(from), parry(along));
                peer.push(RayAsked { shape: &shapes.parry[k], pose: place.parry, ray });
                let ray = $d::Ray::new(Vector::widen(from), Vector::widen(along)).expect("not zero");
                wide.push(RayAsked { shape: &shapes.wide[k], pose: place.wide, ray });
            }
            measure(
                report,
                ($dim, name),
                (&narrow, |q| {
                    let hit = $d::cast_ray(q.shape, q.pose, &q.ray, RayOptions { max: 1e3, solid: true });
                    hit.ok().flatten().map(|hit| f64::from(hit.t + hit.normal.x))
                }),
                (&peer, |q| {
                    let hit = q.shape.cast_ray_and_get_normal(&q.pose, &q.ray, 1e3, true);
                    hit.map(|hit| f64::from(hit.time_of_impact + hit.normal.x))
                }),
                (&wide, |q| {
                    let hit = $d::cast_ray(q.shape, q.pose, &q.ray, RayOptions { max: 1e3, solid: true });
                    hit.ok().flatten().map(|hit| hit.t + hit.normal.x)
                }),
            );
        }

        fn casts(report: &mut Report, first: &str, second: &str) {
            let name = format!("cast-{first}-{second}");
            if !report.wants(&name) {
                return;
            }
            let mut rng = Rng::new(12);
            let (firsts, seconds) = (shapes(&mut rng, first), shapes(&mut rng, second));
            let (mut narrow, mut peer, mut wide) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..QUESTIONS {
                let at = random_point(&mut rng, 100.0);
                let from = at + random_direction(&mut rng) * uniform(&mut rng, 4.0, 6.0) as f32;
                let along = at + random_point(&mut rng, 1.5) - from;
                let (a, b) = (rng.below(SHAPES), rng.below(SHAPES));
                let places = [random_place(&mut rng, from), random_place(&mut rng, at)];
                let poses = places.each_ref().map(|place| place.carom);
                narrow.push(CastAsked { a: &firsts.carom[a], b: &seconds.carom[b], poses, velocity: along });
                let (poses, velocity) = (places.each_ref().map(|place| place.parry), parry(along));
                peer.push(CastAsked { a: &firsts.parry[a], b: &seconds.parry[b], poses, velocity });
                let (poses, velocity) = (places.each_ref().map(|place| place.wide), Vector::widen(along));
                wide.push(CastAsked { a: &firsts.wide[a], b: &seconds.wide[b], poses, velocity });
            }
            let (still, options) = ($vector::ZERO, CastOptions { max: 1.0 });
            let (wide_still, wide_options) = ($vector::ZERO, CastOptions { max: 1.0 });
            let parry_still = query_math::Vector::ZERO;
            let parry_options = ShapeCastOptions::with_max_time_of_impact(1.0);
            measure(
                report,
                ($dim, name),
                (&narrow, move |q| {
                    let [from, to] = q.poses;
                    let hit = $d::cast_shape(q.a, from, q.velocity, q.b, to, still, options);
                    hit.ok().flatten().map(|hit| f64::from(hit.t + hit.normal.x))
                }),
                (&peer, move |q| {
                    let ([from, to], still) = (&q.poses, parry_still);
                    let hit = query::cast_shapes(from, q.velocity, &**q.a, to, still, &**q.b, parry_options);
                    hit.ok().flatten().map(|hit| f64::from(hit.time_of_impact + hit.normal1.x))
                }),
                (&wide, move |q| {
                    let [from, to] = q.poses;
                    let hit = $d::cast_shape(q.a, from, q.velocity, q.b, to, wide_still, wide_options);
                    hit.ok().flatten().map(|hit| hit.t + hit.normal.x)
                }),
            );
        }
    };
}

mod space {
    use super::*;
    use crate::pairs::space::{Both, Shapes};
    use carom_geometry::d3;
    use carom_math::{Pose3, Quat, Vec3};
    use parry3d::math as query_math;
    use parry3d::query::{self, ShapeCastOptions};
    use parry3d::shape::SharedShape;

    const RAYS: [&str; 7] = ["ball", "box", "capsule", "cylinder", "cone", "triangle", "hull32"];

    const CASTS: [(&str, &str); 9] = [
        ("ball", "ball"),
        ("ball", "box"),
        ("ball", "capsule"),
        ("ball", "triangle"),
        ("capsule", "capsule"),
        ("capsule", "box"),
        ("box", "box"),
        ("cylinder", "box"),
        ("hull32", "hull32"),
    ];

    suite!(3, d3, Vec3, Pose3);

    fn random_place(rng: &mut Rng, at: Vec3<f32>) -> Place {
        let mut c = || uniform(rng, -1.0, 1.0) as f32;
        let rotation = Quat::new(c(), c(), c(), c()).unwrap_or(Quat::IDENTITY);
        let [x, y, z, w] = rotation.to_array();
        let turn = query_math::Rotation::from_xyzw(x, y, z, w);
        let carom = Pose3::new(at, rotation);
        Place { carom, wide: carom.widen(), parry: query_math::Pose::from_parts(parry(at), turn) }
    }

    fn parry(v: Vec3<f32>) -> query_math::Vector {
        query_math::Vector::new(v.x, v.y, v.z)
    }

    fn random_shape(rng: &mut Rng, kind: &str) -> Both {
        let mut size = || uniform(rng, 0.5, 1.5) as f32;
        let wide = |v: [f32; 3]| v.map(f64::from);
        let (carom, wide, parry) = match kind {
            "ball" => {
                let r = size();
                (
                    d3::Ball::new(r).map(Into::into),
                    d3::Ball::new(f64::from(r)).map(Into::into),
                    SharedShape::ball(r),
                )
            }
            "box" => {
                let half = [size(), size(), size()];
                (
                    d3::Cuboid::new(half).map(Into::into),
                    d3::Cuboid::new(wide(half)).map(Into::into),
                    SharedShape::cuboid(half[0], half[1], half[2]),
                )
            }
            "capsule" => {
                let (half, r) = (size(), 0.5 * size());
                let ends = [[0.0, -half, 0.0], [0.0, half, 0.0]];
                (
                    d3::Capsule::new(ends[0], ends[1], r).map(Into::into),
                    d3::Capsule::new(wide(ends[0]), wide(ends[1]), f64::from(r)).map(Into::into),
                    SharedShape::capsule_y(half, r),
                )
            }
            "cylinder" => {
                let (h, r) = (size(), size());
                (
                    d3::Cylinder::new(h, r).map(Into::into),
                    d3::Cylinder::new(f64::from(h), f64::from(r)).map(Into::into),
                    SharedShape::cylinder(h, r),
                )
            }
            "cone" => {
                let (h, r) = (size(), size());
                (
                    d3::Cone::new(h, r).map(Into::into),
                    d3::Cone::new(f64::from(h), f64::from(r)).map(Into::into),
                    SharedShape::cone(h, r),
                )
            }
            "triangle" => {
                let corners =
                    [[size(), -size(), size()], [-size(), -size(), size()], [size(), size(), -size()]];
                let [a, b, c] = corners;
                let points = corners.map(|p| parry(p.into()));
                (
                    d3::Triangle::new(a, b, c).map(Into::into),
                    d3::Triangle::new(wide(a), wide(b), wide(c)).map(Into::into),
                    SharedShape::triangle(points[0], points[1], points[2]),
                )
            }
            _ => {
                let points: Vec<Vec3<f32>> = (0..32).map(|_| random_direction(rng)).collect();
                let flat: Vec<query_math::Vector> = points.iter().map(|&p| parry(p)).collect();
                (
                    d3::ConvexHull::new(points.iter().copied()).map(Into::into),
                    d3::ConvexHull::new(points.iter().map(|p| Vector::widen(*p))).map(Into::into),
                    SharedShape::convex_hull(&flat).expect("points on a sphere have a hull"),
                )
            }
        };
        Both { carom: carom.expect("sizes are positive"), wide: wide.expect("sizes are positive"), parry }
    }
}

mod plane {
    use super::*;
    use crate::pairs::plane::{Both, Shapes};
    use carom_geometry::d2;
    use carom_math::{Pose2, Rot2, Vec2};
    use parry2d::math as query_math;
    use parry2d::query::{self, ShapeCastOptions};
    use parry2d::shape::SharedShape;

    const RAYS: [&str; 5] = ["ball", "box", "capsule", "triangle", "polygon8"];

    const CASTS: [(&str, &str); 7] = [
        ("ball", "ball"),
        ("ball", "box"),
        ("ball", "capsule"),
        ("capsule", "capsule"),
        ("capsule", "box"),
        ("box", "box"),
        ("polygon8", "polygon8"),
    ];

    suite!(2, d2, Vec2, Pose2);

    fn random_place(rng: &mut Rng, at: Vec2<f32>) -> Place {
        let angle = uniform(rng, -3.0, 3.0) as f32;
        let carom = Pose2::new(at, Rot2::from_angle(angle));
        Place { carom, wide: carom.widen(), parry: query_math::Pose::new(parry(at), angle) }
    }

    fn parry(v: Vec2<f32>) -> query_math::Vector {
        query_math::Vector::new(v.x, v.y)
    }

    fn random_shape(rng: &mut Rng, kind: &str) -> Both {
        let mut size = || uniform(rng, 0.5, 1.5) as f32;
        let wide = |v: [f32; 2]| v.map(f64::from);
        let (carom, wide, parry) = match kind {
            "ball" => {
                let r = size();
                (
                    d2::Ball::new(r).map(Into::into),
                    d2::Ball::new(f64::from(r)).map(Into::into),
                    SharedShape::ball(r),
                )
            }
            "box" => {
                let half = [size(), size()];
                (
                    d2::Cuboid::new(half).map(Into::into),
                    d2::Cuboid::new(wide(half)).map(Into::into),
                    SharedShape::cuboid(half[0], half[1]),
                )
            }
            "capsule" => {
                let (half, r) = (size(), 0.5 * size());
                let ends = [[0.0, -half], [0.0, half]];
                (
                    d2::Capsule::new(ends[0], ends[1], r).map(Into::into),
                    d2::Capsule::new(wide(ends[0]), wide(ends[1]), f64::from(r)).map(Into::into),
                    SharedShape::capsule_y(half, r),
                )
            }
            "triangle" => {
                let corners = [[size(), -size()], [size(), size()], [-size(), 0.5 - size()]];
                let [a, b, c] = corners;
                let points = corners.map(|p| parry(p.into()));
                (
                    d2::Triangle::new(a, b, c).map(Into::into),
                    d2::Triangle::new(wide(a), wide(b), wide(c)).map(Into::into),
                    SharedShape::triangle(points[0], points[1], points[2]),
                )
            }
            _ => {
                let points: Vec<Vec2<f32>> = (0..8).map(|_| random_direction(rng)).collect();
                let flat: Vec<query_math::Vector> = points.iter().map(|&p| parry(p)).collect();
                (
                    d2::ConvexPolygon::from_hull(points.iter().copied()).map(Into::into),
                    d2::ConvexPolygon::from_hull(points.iter().map(|p| Vector::widen(*p))).map(Into::into),
                    SharedShape::convex_hull(&flat).expect("points on a circle have a hull"),
                )
            }
        };
        Both { carom: carom.expect("sizes are positive"), wide: wide.expect("sizes are positive"), parry }
    }
}

/// Each engine with its questions and how it answers one.
fn measure<'a, C, P, W>(
    report: &mut Report,
    (dimension, name): (usize, String),
    (questions, carom): (&'a [C], impl Fn(&C) -> Option<f64> + 'a),
    (peer_questions, peer): (&'a [P], impl Fn(&P) -> Option<f64> + 'a),
    (wide_questions, wide): (&'a [W], impl Fn(&W) -> Option<f64> + 'a),
) {
    let case = Case { name, dimension, precision: "f32", questions: QUESTIONS };
    let version = env!("CARGO_PKG_VERSION");
    report.case(
        &case,
        vec![
            engine("carom", version, questions, carom),
            engine("parry", PARRY, peer_questions, peer),
            engine("carom-f64", version, wide_questions, wide),
        ],
    );
}

fn engine<'a, Q>(
    name: &'static str,
    version: &'static str,
    questions: &'a [Q],
    ask: impl Fn(&Q) -> Option<f64> + 'a,
) -> Engine<'a> {
    let run = move || questions.iter().map(|q| ask(q).unwrap_or(-1.0)).sum();
    Engine { name, version, run: Box::new(run) }
}
