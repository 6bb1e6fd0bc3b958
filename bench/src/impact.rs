//! First touch under rigid motion: the same random motions through Carom and Parry's nonlinear cast, and how many
//! touches each of them misses, in space and in the plane.
//!
//! The first shape flies past or into the second, turning by a radian or two while it does; `spinning` are rods
//! that make several turns next to something, `thin` boxes that fly through a wall 1e-4 thin at 100 lengths per
//! unit of time. Everything is in `f32`; the judge is certified subdivision of time in `f64`. A touch counts as
//! missed when there is one for certain and the answer is none, or a time that is later than the touch by more
//! than 1e-3.

use crate::harness::{Case, Engine, Report};
use carom_geometry::ImpactOptions;
use carom_oracle::generate::{Rng, unit_vector};
use carom_oracle::rigid::{Body, FirstImpact, Rigid, first_impact};

const MOTIONS: usize = 400;
const PARRY: &str = "0.31.1";

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    space::run(report);
    plane::run(report);
}

/// The questions of a dimension, over its own `question(rng, first, second, manner)`.
macro_rules! suite {
    ($dim:literal, $d:ident, $motion:ident, $cases:expr) => {
        /// A shape for both engines and for the judge.
        struct Shape {
            carom: $d::Shape<f32>,
            parry: SharedShape,
            judged: Body,
        }

        /// A motion for both engines and for the judge.
        struct Path {
            carom: $motion<f32>,
            parry: NonlinearRigidMotion,
            judged: Rigid,
        }

        struct Question {
            a: Shape,
            on_a: Path,
            b: Shape,
            on_b: Path,
        }

        /// Runs the cases of the dimension.
        pub(super) fn run(report: &mut Report) {
            for (name, first, second, manner) in $cases {
                let mut rng = Rng::new(19);
                let questions: Vec<Question> =
                    (0..MOTIONS).map(|_| question(&mut rng, first, second, manner)).collect();
                let name = format!("{name}/time_of_impact");
                measure(report, &name, &questions);
            }
        }

        fn ask_carom(q: &Question) -> Option<f64> {
            let options = ImpactOptions::default();
            let answer = $d::time_of_impact(&q.a.carom, q.on_a.carom, &q.b.carom, q.on_b.carom, options);
            answer.ok().flatten().map(|hit| f64::from(hit.t))
        }

        /// How often the search of Carom looks at the shapes.
        fn evaluations(q: &Question) -> usize {
            let mut count = 0;
            let options = ImpactOptions::default();
            let mut watch = |_| count += 1;
            let answer = $d::watch_time_of_impact(
                &q.a.carom,
                q.on_a.carom,
                &q.b.carom,
                q.on_b.carom,
                options,
                &mut watch,
            );
            if answer.is_ok() { count } else { 0 }
        }

        fn ask_parry(q: &Question) -> Option<f64> {
            let (a, b) = (&*q.a.parry, &*q.b.parry);
            let answer = cast_shapes_nonlinear(&q.on_a.parry, a, &q.on_b.parry, b, 0.0, 1.0, true);
            answer.ok().flatten().map(|hit| f64::from(hit.time_of_impact))
        }

        fn measure(report: &mut Report, name: &str, questions: &[Question]) {
            let case =
                Case { name: name.into(), dimension: $dim, precision: "f32", questions: questions.len() };
            if !report.wants(name) {
                return;
            }
            let engines = vec![
                Engine {
                    name: "carom",
                    version: env!("CARGO_PKG_VERSION"),
                    run: Box::new(|| questions.iter().map(|q| ask_carom(q).unwrap_or(2.0)).sum()),
                },
                Engine {
                    name: "parry",
                    version: PARRY,
                    run: Box::new(|| questions.iter().map(|q| ask_parry(q).unwrap_or(2.0)).sum()),
                },
            ];
            report.case(&case, engines);
            let truth: Vec<FirstImpact> = questions
                .iter()
                .map(|q| first_impact(&q.a.judged, &q.on_a.judged, &q.b.judged, &q.on_b.judged, 1e-7, 20_000))
                .collect();
            for (engine, version, ask) in [
                ("carom", env!("CARGO_PKG_VERSION"), ask_carom as fn(&Question) -> Option<f64>),
                ("parry", PARRY, ask_parry),
            ] {
                let (mut touches, mut missed, mut early, mut false_hits) = (0, 0, 0, 0);
                for (q, truth) in questions.iter().zip(&truth) {
                    match (truth, ask(q)) {
                        (FirstImpact::Between(from, to), found) => {
                            touches += 1;
                            missed += usize::from(found.is_none_or(|t| to + 1e-3 < t));
                            early += usize::from(found.is_some_and(|t| t < from - 1e-3));
                        }
                        (FirstImpact::Never, Some(_)) => false_hits += 1,
                        _ => {}
                    }
                }
                let counts =
                    [("touches", touches), ("missed", missed), ("too early", early), ("false", false_hits)];
                report.quality(&case, engine, version, &counts);
            }
            let looks = questions.iter().map(evaluations).sum();
            report.quality(
                &case,
                "carom",
                env!("CARGO_PKG_VERSION"),
                &[("evaluations in all questions", looks)],
            );
        }
    };
}

mod space {
    use super::*;
    use carom_geometry::d3;
    use carom_math::{Motion3, Pose3, Quat};
    use carom_oracle::generate::unit_quaternion;
    use parry3d::math::{Pose, Rotation, Vector};
    use parry3d::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
    use parry3d::shape::SharedShape;

    const CASES: [(&str, &str, &str, &str); 8] = [
        ("ball-box", "ball", "box", "tumbling"),
        ("capsule-capsule", "capsule", "capsule", "tumbling"),
        ("capsule-box", "capsule", "box", "tumbling"),
        ("box-box", "box", "box", "tumbling"),
        ("hull4-hull4", "hull", "hull", "tumbling"),
        ("hull4-box", "hull", "box", "tumbling"),
        ("rod-box", "rod", "box", "spinning"),
        ("box-wall", "box", "wall", "thin"),
    ];

    suite!(3, d3, Motion3, CASES);

    fn question(rng: &mut Rng, first: &str, second: &str, manner: &str) -> Question {
        let (a, b) = (shape(rng, first), shape(rng, second));
        let scaled = |v: [f64; 3], s: f64| v.map(|x| x * s);
        let from = scaled(unit_vector::<3>(rng), 4.0);
        let to = scaled(unit_vector::<3>(rng), rng.uniform(0.0, 4.0));
        let way: [f64; 3] = std::array::from_fn(|k| to[k] - from[k]);
        let still = |rng: &mut Rng| path([0.0; 3], unit_quaternion(rng), [0.0; 3], [0.0; 3]);
        let (on_a, on_b) = match manner {
            "spinning" => {
                let place = scaled(unit_vector::<3>(rng), rng.uniform(1.6, 2.6));
                let spin = scaled(unit_vector::<3>(rng), 20.0);
                (path(place, unit_quaternion(rng), scaled(way, 0.1), spin), still(rng))
            }
            "thin" => {
                let place = [-3.0, rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)];
                let spin = scaled(unit_vector::<3>(rng), rng.uniform(0.0, 6.0));
                let fast = [100.0, rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)];
                (
                    path(place, unit_quaternion(rng), fast, spin),
                    path([0.0; 3], [0.0, 0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]),
                )
            }
            _ => {
                let spin = scaled(unit_vector::<3>(rng), rng.uniform(0.0, 3.0));
                let other = scaled(unit_vector::<3>(rng), rng.uniform(0.0, 2.0));
                (
                    path(from, unit_quaternion(rng), way, spin),
                    path([0.0; 3], unit_quaternion(rng), [0.0; 3], other),
                )
            }
        };
        Question { a, on_a, b, on_b }
    }

    fn path(place: [f64; 3], turn: [f64; 4], velocity: [f64; 3], angular: [f64; 3]) -> Path {
        let (place, velocity, angular) =
            (place.map(|x| x as f32), velocity.map(|x| x as f32), angular.map(|x| x as f32));
        let [x, y, z, w] = turn.map(|x| x as f32);
        let rotation = Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY);
        let [x, y, z, w] = rotation.to_array();
        let vector = |v: [f32; 3]| Vector::new(v[0], v[1], v[2]);
        let start = Pose::from_parts(vector(place), Rotation::from_xyzw(x, y, z, w));
        Path {
            carom: Motion3::from_velocity(Pose3::new(place, rotation), velocity, angular),
            parry: NonlinearRigidMotion::new(start, Vector::ZERO, vector(velocity), vector(angular)),
            judged: Rigid {
                place: place.map(f64::from),
                turn: [x, y, z, w].map(f64::from),
                velocity: velocity.map(f64::from),
                angular: angular.map(f64::from),
            },
        }
    }

    fn shape(rng: &mut Rng, kind: &str) -> Shape {
        let mut size = || rng.uniform(0.5, 1.5) as f32;
        let wide = |v: [f32; 3]| v.map(f64::from);
        let (carom, parry, judged) = match kind {
            "ball" => {
                let radius = size();
                let judged = Body::point([0.0; 3], f64::from(radius));
                (d3::Ball::new(radius).map(d3::Shape::Ball), SharedShape::ball(radius), judged)
            }
            "capsule" => {
                let (half, radius) = (size(), 0.5 * size());
                let (a, b) = ([0.0, -half, 0.0], [0.0, half, 0.0]);
                let judged = Body::segment(wide(a), wide(b), f64::from(radius));
                (
                    d3::Capsule::new(a, b, radius).map(d3::Shape::Capsule),
                    SharedShape::capsule_y(half, radius),
                    judged,
                )
            }
            "hull" => {
                let corners = [
                    [size(), -size(), size()],
                    [-size(), -size(), size()],
                    [size(), size(), -size()],
                    [-size(), size(), -size()],
                ];
                let points: Vec<Vector> = corners.iter().map(|c| Vector::new(c[0], c[1], c[2])).collect();
                let parry = SharedShape::convex_hull(&points).expect("four corners of a tetrahedron");
                (
                    d3::ConvexHull::new(corners).map(d3::Shape::Hull),
                    parry,
                    Body::tetrahedron(corners.map(wide), 0.0),
                )
            }
            _ => {
                let half = match kind {
                    "rod" => [size(), 0.002 * size(), 0.002 * size()],
                    "wall" => [0.00005, 5.0, 5.0],
                    _ => [size(), size(), size()],
                };
                let parry = SharedShape::cuboid(half[0], half[1], half[2]);
                (d3::Cuboid::new(half).map(d3::Shape::Cuboid), parry, Body::cuboid(wide(half), 0.0))
            }
        };
        Shape { carom: carom.expect("sizes are positive"), parry, judged }
    }
}

mod plane {
    use super::*;
    use carom_geometry::d2;
    use carom_math::{Motion2, Pose2, Rot2};
    use parry2d::math::{Pose, Vector};
    use parry2d::query::{NonlinearRigidMotion, cast_shapes_nonlinear};
    use parry2d::shape::SharedShape;

    const CASES: [(&str, &str, &str, &str); 6] = [
        ("ball-box", "ball", "box", "tumbling"),
        ("capsule-capsule", "capsule", "capsule", "tumbling"),
        ("box-box", "box", "box", "tumbling"),
        ("triangle-triangle", "triangle", "triangle", "tumbling"),
        ("rod-box", "rod", "box", "spinning"),
        ("box-wall", "box", "wall", "thin"),
    ];

    suite!(2, d2, Motion2, CASES);

    fn question(rng: &mut Rng, first: &str, second: &str, manner: &str) -> Question {
        let (a, b) = (shape(rng, first), shape(rng, second));
        let scaled = |v: [f64; 2], s: f64| v.map(|x| x * s);
        let angle = |rng: &mut Rng| rng.uniform(-3.0, 3.0);
        let from = scaled(unit_vector::<2>(rng), 4.0);
        let to = scaled(unit_vector::<2>(rng), rng.uniform(0.0, 4.0));
        let way = [to[0] - from[0], to[1] - from[1]];
        let (on_a, on_b) = match manner {
            "spinning" => {
                let place = scaled(unit_vector::<2>(rng), rng.uniform(1.6, 2.6));
                let spin = 20.0 * rng.sign();
                (path(place, angle(rng), scaled(way, 0.1), spin), path([0.0; 2], angle(rng), [0.0; 2], 0.0))
            }
            "thin" => {
                let place = [-3.0, rng.uniform(-1.0, 1.0)];
                let fast = [100.0, rng.uniform(-1.0, 1.0)];
                let on_a = path(place, angle(rng), fast, rng.uniform(-6.0, 6.0));
                (on_a, path([0.0; 2], 0.0, [0.0; 2], 0.0))
            }
            _ => {
                let on_a = path(from, angle(rng), way, rng.uniform(-3.0, 3.0));
                (on_a, path([0.0; 2], angle(rng), [0.0; 2], rng.uniform(-2.0, 2.0)))
            }
        };
        Question { a, on_a, b, on_b }
    }

    fn path(place: [f64; 2], angle: f64, velocity: [f64; 2], angular: f64) -> Path {
        let (place, velocity) = (place.map(|x| x as f32), velocity.map(|x| x as f32));
        let (angle, angular) = (angle as f32, angular as f32);
        let vector = |v: [f32; 2]| Vector::new(v[0], v[1]);
        let lifted = |v: [f32; 2]| [f64::from(v[0]), f64::from(v[1]), 0.0];
        let half = Rot2::from_angle(0.5 * f64::from(angle));
        Path {
            carom: Motion2::from_velocity(Pose2::new(place, Rot2::from_angle(angle)), velocity, angular),
            parry: NonlinearRigidMotion::new(
                Pose::new(vector(place), angle),
                Vector::ZERO,
                vector(velocity),
                angular,
            ),
            judged: Rigid {
                place: lifted(place),
                turn: [0.0, 0.0, half.sin(), half.cos()],
                velocity: lifted(velocity),
                angular: [0.0, 0.0, f64::from(angular)],
            },
        }
    }

    /// The judge sees flat bodies in space.
    fn shape(rng: &mut Rng, kind: &str) -> Shape {
        let mut size = || rng.uniform(0.5, 1.5) as f32;
        let lifted = |v: [f32; 2]| [f64::from(v[0]), f64::from(v[1]), 0.0];
        let (carom, parry, judged) = match kind {
            "ball" => {
                let radius = size();
                let judged = Body::point([0.0; 3], f64::from(radius));
                (d2::Ball::new(radius).map(d2::Shape::Ball), SharedShape::ball(radius), judged)
            }
            "capsule" => {
                let (half, radius) = (size(), 0.5 * size());
                let (a, b) = ([0.0, -half], [0.0, half]);
                let judged = Body::segment(lifted(a), lifted(b), f64::from(radius));
                (
                    d2::Capsule::new(a, b, radius).map(d2::Shape::Capsule),
                    SharedShape::capsule_y(half, radius),
                    judged,
                )
            }
            "triangle" => {
                let corners = [[size(), -size()], [size(), size()], [-size(), 0.5 - size()]];
                let [a, b, c] = corners;
                let [p, q, r] = corners.map(|[x, y]| Vector::new(x, y));
                (
                    d2::Triangle::new(a, b, c).map(d2::Shape::Triangle),
                    SharedShape::triangle(p, q, r),
                    Body::triangle(corners.map(lifted), 0.0),
                )
            }
            _ => {
                let half = match kind {
                    "rod" => [size(), 0.002 * size()],
                    "wall" => [0.00005, 5.0],
                    _ => [size(), size()],
                };
                let parry = SharedShape::cuboid(half[0], half[1]);
                (d2::Cuboid::new(half).map(d2::Shape::Cuboid), parry, Body::cuboid(lifted(half), 0.0))
            }
        };
        Shape { carom: carom.expect("sizes are positive"), parry, judged }
    }
}
