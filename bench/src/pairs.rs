//! Two shapes of every common kind: the same random pairs through Carom and Parry.
//!
//! Centres lie at 0.3 to 1.6 times the sum of the mean radii, so that about half of the pairs
//! overlap. Both engines go through their run-time dispatch (an enum here, trait objects there), in
//! `f32`, with random rotations and poses in the world: 64 shapes of each kind in 2,000 pairs of poses, in arrays of each
//! engine's own.
//! Hulls and polygons have all their vertices on a sphere or circle (hull32 has 32 of them).
//! Every question is asked cold: nothing is kept from one to the next. A third row asks Carom the same
//! in `f64`.

use crate::harness::{Case, Engine, Report};
use carom_oracle::generate::Rng;
use std::cell::RefCell;

pub(crate) const PAIRS: usize = 2000;
const SHAPES: usize = 64;
pub(crate) const PARRY: &str = "0.31.1";

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    space::run(report);
    plane::run(report);
}

/// What is asked about a pair.
const QUESTIONS: [&str; 6] = ["intersects", "distance", "gap", "contact", "manifold", "moved-contact"];

/// A number in [low, high).
fn uniform(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * f64::from(rng.next_u32()) / 4_294_967_296.0
}

/// The suite for one dimension: `$random_shape` and `$random_pose` build the same thing for both engines.
macro_rules! suite {
    ($dimension:literal, $carom:ident, $parry:ident) => {
        /// A shape in both engines, and for Carom in both precisions.
        pub(crate) struct Both {
            pub(crate) carom: $carom::Shape<f32>,
            pub(crate) wide: $carom::Shape<f64>,
            pub(crate) parry: SharedShape,
        }

        /// Shapes of one kind, each engine's side by side.
        #[derive(Default)]
        pub(crate) struct Shapes {
            pub(crate) carom: Vec<$carom::Shape<f32>>,
            pub(crate) wide: Vec<$carom::Shape<f64>>,
            pub(crate) parry: Vec<SharedShape>,
        }

        impl Shapes {
            fn random(rng: &mut Rng, kind: &str) -> Self {
                let mut shapes = Shapes::default();
                for _ in 0..SHAPES {
                    shapes.push(random_shape(rng, kind));
                }
                shapes
            }
            pub(crate) fn push(&mut self, shape: Both) {
                self.carom.push(shape.carom);
                self.wide.push(shape.wide);
                self.parry.push(shape.parry);
            }
        }

        /// The same pose for Carom, for Parry, and for Carom in `f64`.
        pub(crate) type Poses = (Pose<f32>, query_math::Pose, Pose<f64>);

        /// A pair as one engine is asked about it.
        pub(crate) struct Asked<'a, S, P> {
            pub(crate) a: &'a S,
            pub(crate) pose_a: P,
            pub(crate) b: &'a S,
            pub(crate) pose_b: P,
        }

        /// The same pairs for each engine, in an array of its own: nobody waits for the numbers of another.
        #[derive(Default)]
        pub(crate) struct Pairs<'a> {
            pub(crate) carom: Vec<Asked<'a, $carom::Shape<f32>, Pose<f32>>>,
            pub(crate) parry: Vec<Asked<'a, SharedShape, query_math::Pose>>,
            pub(crate) wide: Vec<Asked<'a, $carom::Shape<f64>, Pose<f64>>>,
        }

        pub(super) fn run(report: &mut Report) {
            for (first, second) in CASES {
                // Hulls take long to make.
                let asked = QUESTIONS.map(|question| format!("{first}-{second}/{question}"));
                if !asked.iter().any(|name| report.wants(name)) {
                    continue;
                }
                with_pairs([first, second], |pairs| {
                    questions(report, pairs, &format!("{first}-{second}"));
                    if first.starts_with("hull") || first.starts_with("polygon") {
                        moved_contact(report, pairs, &format!("{first}-{second}/moved-contact"));
                    }
                });
            }
        }

        /// Every question about some pairs.
        pub(crate) fn questions(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            intersects(report, pairs, &format!("{name}/intersects"));
            distance(report, pairs, &format!("{name}/distance"));
            gap(report, pairs, &format!("{name}/gap"));
            contact(report, pairs, &format!("{name}/contact"));
            manifold(report, pairs, &format!("{name}/manifold"));
        }

        /// The pairs of two kinds that the suite is about.
        pub(crate) fn with_pairs([first, second]: [&str; 2], run: impl FnOnce(&Pairs<'_>)) {
            let mut rng = Rng::new(7);
            let firsts = Shapes::random(&mut rng, first);
            let seconds = Shapes::random(&mut rng, second);
            let mut pairs = Pairs::default();
            for _ in 0..PAIRS {
                add_random_pair(&mut rng, &firsts, &seconds, &mut pairs);
            }
            run(&pairs);
        }

        /// All shapes have a mean radius of about 1.
        fn add_random_pair<'a>(
            rng: &mut Rng,
            firsts: &'a Shapes,
            seconds: &'a Shapes,
            pairs: &mut Pairs<'a>,
        ) {
            let (a, b) = (rng.below(SHAPES), rng.below(SHAPES));
            let apart = 2.0 * uniform(rng, 0.3, 1.6);
            let at = random_point(rng, 100.0);
            let poses_a = random_pose(rng, at);
            let there = offset(rng, at, apart);
            pairs.push((firsts, a, poses_a), (seconds, b, random_pose(rng, there)));
        }

        impl<'a> Pairs<'a> {
            /// Adds a pair of the shapes with these numbers.
            pub(crate) fn push(
                &mut self,
                (firsts, a, poses_a): (&'a Shapes, usize, Poses),
                (seconds, b, poses_b): (&'a Shapes, usize, Poses),
            ) {
                let (pose_a, pose_b) = (poses_a.0, poses_b.0);
                self.carom.push(Asked { a: &firsts.carom[a], pose_a, b: &seconds.carom[b], pose_b });
                let (pose_a, pose_b) = (poses_a.1, poses_b.1);
                self.parry.push(Asked { a: &firsts.parry[a], pose_a, b: &seconds.parry[b], pose_b });
                let (pose_a, pose_b) = (poses_a.2, poses_b.2);
                self.wide.push(Asked { a: &firsts.wide[a], pose_a, b: &seconds.wide[b], pose_b });
            }
        }

        /// An engine that is asked about its pairs one after the other. Generic, so that no engine is called through a pointer for each pair.
        fn engine<'a, S, P>(
            name: &'static str,
            version: &'static str,
            pairs: &'a [Asked<'a, S, P>],
            ask: impl Fn(&Asked<'a, S, P>) -> f64 + 'a,
        ) -> Engine<'a> {
            Engine { name, version, run: Box::new(move || pairs.iter().map(&ask).sum()) }
        }

        fn measure<'a>(
            report: &mut Report,
            name: &str,
            pairs: &'a Pairs<'a>,
            carom: impl Fn(&Asked<'a, $carom::Shape<f32>, Pose<f32>>) -> f64 + 'a,
            parry: impl Fn(&Asked<'a, SharedShape, query_math::Pose>) -> f64 + 'a,
            wide: impl Fn(&Asked<'a, $carom::Shape<f64>, Pose<f64>>) -> f64 + 'a,
        ) {
            let version = env!("CARGO_PKG_VERSION");
            let case = Case { name: name.into(), dimension: $dimension, precision: "f32", questions: PAIRS };
            report.case(
                &case,
                vec![
                    engine("carom", version, &pairs.carom, carom),
                    engine("parry", PARRY, &pairs.parry, parry),
                    engine("carom-f64", version, &pairs.wide, wide),
                ],
            );
        }

        /// Contacts of pairs that move a little from one round to the next, by up to 0.01 in place and
        /// angle. Carom keeps a cache for each pair; Parry has none for this question.
        fn moved_contact(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            let mut rng = Rng::new(11);
            let case = Case { name: name.into(), dimension: $dimension, precision: "f32", questions: PAIRS };
            let (rounds, parry_rounds): (Vec<_>, Vec<_>) = (0..8)
                .map(|_| {
                    let poses = pairs.carom.iter().map(|pair| nudged(&mut rng, pair.pose_b));
                    poses.map(|(pose, parry, _)| (pose, parry)).unzip::<_, _, Vec<_>, Vec<_>>()
                })
                .unzip();
            let mut caches = vec![$carom::PairCache::default(); PAIRS];
            let (mut round, mut parry_round) = (0, 0);
            let carom = || {
                round = (round + 1) % rounds.len();
                let asked = pairs.carom.iter().zip(&rounds[round]).zip(&mut caches);
                let answers = asked.map(|((p, pose_b), cache)| {
                    let found = $carom::contact_cached(p.a, p.pose_a, p.b, *pose_b, cache);
                    found.ok().flatten().map_or(-1.0, |c| f64::from(c.depth))
                });
                answers.sum()
            };
            let parry = || {
                parry_round = (parry_round + 1) % parry_rounds.len();
                let answers = pairs.parry.iter().zip(&parry_rounds[parry_round]).map(|(p, pose_b)| {
                    let found = query::contact(&p.pose_a, &**p.a, pose_b, &**p.b, 0.0);
                    found.ok().flatten().map_or(-1.0, |c| f64::from(c.dist))
                });
                answers.sum()
            };
            report.case(
                &case,
                vec![
                    Engine { name: "carom", version: env!("CARGO_PKG_VERSION"), run: Box::new(carom) },
                    Engine { name: "parry", version: PARRY, run: Box::new(parry) },
                ],
            );
        }

        fn intersects(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            measure(
                report,
                name,
                pairs,
                |p| {
                    let answer = $carom::intersects(p.a, p.pose_a, p.b, p.pose_b);
                    f64::from(u8::from(answer.is_ok_and(|yes| yes)))
                },
                |p| {
                    let answer = query::intersection_test(&p.pose_a, &**p.a, &p.pose_b, &**p.b);
                    f64::from(u8::from(answer.is_ok_and(|i| i.intersecting)))
                },
                |p| {
                    let answer = $carom::intersects(p.a, p.pose_a, p.b, p.pose_b);
                    f64::from(u8::from(answer.is_ok_and(|yes| yes)))
                },
            );
        }

        fn distance(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            measure(
                report,
                name,
                pairs,
                |p| {
                    let answer = $carom::distance(p.a, p.pose_a, p.b, p.pose_b);
                    answer.map_or(-1.0, |d| f64::from(d.distance))
                },
                |p| {
                    let answer = query::distance(&p.pose_a, &**p.a, &p.pose_b, &**p.b);
                    answer.map_or(-1.0, |d| f64::from(d.distance))
                },
                |p| {
                    let answer = $carom::distance(p.a, p.pose_a, p.b, p.pose_b);
                    answer.map_or(-1.0, |d| d.distance)
                },
            );
        }

        /// The number alone, which is what Parry's distance is.
        fn gap(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            measure(
                report,
                name,
                pairs,
                |p| {
                    let answer = $carom::gap(p.a, p.pose_a, p.b, p.pose_b);
                    answer.map_or(-1.0, |d| f64::from(d.distance))
                },
                |p| {
                    let answer = query::distance(&p.pose_a, &**p.a, &p.pose_b, &**p.b);
                    answer.map_or(-1.0, |d| f64::from(d.distance))
                },
                |p| {
                    let answer = $carom::gap(p.a, p.pose_a, p.b, p.pose_b);
                    answer.map_or(-1.0, |d| d.distance)
                },
            );
        }

        fn contact(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            measure(
                report,
                name,
                pairs,
                |p| {
                    let answer = $carom::contact(p.a, p.pose_a, p.b, p.pose_b);
                    answer.ok().flatten().map_or(-1.0, |c| f64::from(c.depth))
                },
                |p| {
                    let answer = query::contact(&p.pose_a, &**p.a, &p.pose_b, &**p.b, 0.0);
                    answer.ok().flatten().map_or(-1.0, |c| f64::from(c.dist))
                },
                |p| {
                    let answer = $carom::contact(p.a, p.pose_a, p.b, p.pose_b);
                    answer.ok().flatten().map_or(-1.0, |c| c.depth)
                },
            );
        }

        /// Parry keeps its memory from question to question, but no contact and no normal: asked cold.
        fn manifold(report: &mut Report, pairs: &Pairs<'_>, name: &str) {
            let kept = RefCell::new(vec![query::ContactManifold::<(), ()>::new()]);
            measure(
                report,
                name,
                pairs,
                |p| {
                    let answer = $carom::manifold(p.a, p.pose_a, p.b, p.pose_b);
                    answer.ok().flatten().map_or(-1.0, |m| f64::from(m.points()[0].depth))
                },
                |p| {
                    let mut manifolds = kept.borrow_mut();
                    manifolds[0].clear();
                    manifolds[0].local_n1 = Default::default();
                    let place = p.pose_a.inv_mul(&p.pose_b);
                    let (a, b) = (&**p.a, &**p.b);
                    let dispatcher = query::DefaultQueryDispatcher;
                    let answer = dispatcher.contact_manifolds(&place, a, b, 0.0, &mut manifolds, &mut None);
                    answer.ok().and(manifolds[0].points.first()).map_or(-1.0, |point| f64::from(point.dist))
                },
                |p| {
                    let answer = $carom::manifold(p.a, p.pose_a, p.b, p.pose_b);
                    answer.ok().flatten().map_or(-1.0, |m| m.points()[0].depth)
                },
            );
        }
    };
}

pub(crate) mod space {
    use super::*;
    use carom_geometry::d3;
    use carom_math::{Quat, Vec3};
    use parry3d::math as query_math;
    use parry3d::query::{self, PersistentQueryDispatcher};
    use parry3d::shape::SharedShape;

    type Pose<T> = carom_math::Pose3<T>;

    const CASES: [(&str, &str); 11] = [
        ("ball", "ball"),
        ("ball", "box"),
        ("ball", "capsule"),
        ("capsule", "capsule"),
        ("capsule", "box"),
        ("box", "box"),
        ("triangle", "box"),
        ("triangle", "triangle"),
        ("box", "hull32"),
        ("hull32", "hull32"),
        ("hull128", "hull128"),
    ];

    suite!(3, d3, parry3d);

    fn random_shape(rng: &mut Rng, kind: &str) -> Both {
        let mut size = || uniform(rng, 0.5, 1.5) as f32;
        let (carom, parry) = match kind {
            "ball" => {
                let radius = size();
                (d3::Ball::new(radius).map(d3::Shape::Ball), SharedShape::ball(radius))
            }
            "box" => {
                let half = [size(), size(), size()];
                (d3::Cuboid::new(half).map(d3::Shape::Cuboid), SharedShape::cuboid(half[0], half[1], half[2]))
            }
            "capsule" => {
                let (half, radius) = (size(), 0.5 * size());
                (
                    d3::Capsule::new([0.0, -half, 0.0], [0.0, half, 0.0], radius).map(d3::Shape::Capsule),
                    SharedShape::capsule_y(half, radius),
                )
            }
            "hull32" | "hull128" => {
                let count = if kind == "hull32" { 32 } else { 128 };
                let points: Vec<_> = (0..count).map(|_| offset(rng, Vec3::new(0.0, 0.0, 0.0), 1.0)).collect();
                let parry: Vec<_> = points.iter().map(|p| query_math::Vector::new(p.x, p.y, p.z)).collect();
                let hull = SharedShape::convex_hull(&parry).expect("points on a sphere have a hull");
                (d3::ConvexHull::new(points).map(d3::Shape::Hull), hull)
            }
            _ => {
                let corners =
                    [[size(), -size(), size()], [-size(), -size(), size()], [size(), size(), -size()]];
                let parry = corners.map(|c| query_math::Vector::new(c[0], c[1], c[2]));
                (
                    d3::Triangle::new(corners[0], corners[1], corners[2]).map(d3::Shape::Triangle),
                    SharedShape::triangle(parry[0], parry[1], parry[2]),
                )
            }
        };
        let carom = carom.expect("sizes are positive");
        Both { wide: widened(&carom), carom, parry }
    }

    /// The same shape in `f64`.
    fn widened(shape: &d3::Shape<f32>) -> d3::Shape<f64> {
        use carom_math::Vector;
        let wide = match shape {
            d3::Shape::Ball(ball) => d3::Ball::new(f64::from(ball.radius())).map(Into::into),
            d3::Shape::Cuboid(cuboid) => {
                d3::Cuboid::new(Vector::widen(cuboid.half_extents())).map(Into::into)
            }
            d3::Shape::Capsule(capsule) => {
                let (a, b) = (capsule.segment().a(), capsule.segment().b());
                d3::Capsule::new(Vector::widen(a), Vector::widen(b), f64::from(capsule.radius()))
                    .map(Into::into)
            }
            d3::Shape::Triangle(triangle) => {
                let [a, b, c] = triangle.corners().map(Vector::widen);
                d3::Triangle::new(a, b, c).map(Into::into)
            }
            d3::Shape::Hull(hull) => d3::ConvexHull::new(hull.vertices().map(Vector::widen)).map(Into::into),
            _ => unreachable!("the suite has no other kinds"),
        };
        wide.expect("the sizes were fine before")
    }

    fn random_point(rng: &mut Rng, range: f64) -> Vec3<f32> {
        let mut c = || uniform(rng, -range, range) as f32;
        Vec3::new(c(), c(), c())
    }

    fn offset(rng: &mut Rng, from: Vec3<f32>, length: f64) -> Vec3<f32> {
        use carom_math::Vector;
        let direction = random_point(rng, 1.0).normalized().unwrap_or(Vec3::new(1.0, 0.0, 0.0));
        from + direction * length as f32
    }

    fn random_pose(rng: &mut Rng, at: Vec3<f32>) -> Poses {
        let mut c = || uniform(rng, -1.0, 1.0) as f32;
        posed(at, [c(), c(), c(), c()])
    }

    /// A pose beside a pose.
    fn nudged(rng: &mut Rng, pose: Pose<f32>) -> Poses {
        let mut c = |x: f32| x + uniform(rng, -0.01, 0.01) as f32;
        let rotation = pose.rotation.to_array().map(&mut c);
        let at = pose.translation;
        posed(Vec3::new(c(at.x), c(at.y), c(at.z)), rotation)
    }

    fn posed(at: Vec3<f32>, [x, y, z, w]: [f32; 4]) -> Poses {
        let q = Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY);
        let [x, y, z, w] = q.to_array();
        let parry = query_math::Pose::from_parts(
            query_math::Vector::new(at.x, at.y, at.z),
            query_math::Rotation::from_xyzw(x, y, z, w),
        );
        let pose = Pose::new(at, q);
        (pose, parry, pose.widen())
    }
}

pub(crate) mod plane {
    use super::*;
    use carom_geometry::d2;
    use carom_math::{Rot2, Vec2};
    use parry2d::math as query_math;
    use parry2d::query::{self, PersistentQueryDispatcher};
    use parry2d::shape::SharedShape;

    type Pose<T> = carom_math::Pose2<T>;

    const CASES: [(&str, &str); 9] = [
        ("ball", "ball"),
        ("ball", "box"),
        ("ball", "capsule"),
        ("capsule", "capsule"),
        ("capsule", "box"),
        ("box", "box"),
        ("box", "polygon8"),
        ("polygon8", "polygon8"),
        ("polygon32", "polygon32"),
    ];

    suite!(2, d2, parry2d);

    fn random_shape(rng: &mut Rng, kind: &str) -> Both {
        let mut size = || uniform(rng, 0.5, 1.5) as f32;
        let (carom, parry) = match kind {
            "ball" => {
                let radius = size();
                (d2::Ball::new(radius).map(d2::Shape::Ball), SharedShape::ball(radius))
            }
            "box" => {
                let half = [size(), size()];
                (d2::Cuboid::new(half).map(d2::Shape::Cuboid), SharedShape::cuboid(half[0], half[1]))
            }
            "polygon8" | "polygon32" => {
                let count = if kind == "polygon8" { 8 } else { 32 };
                let points: Vec<_> = (0..count).map(|_| offset(rng, Vec2::new(0.0, 0.0), 1.0)).collect();
                let parry: Vec<_> = points.iter().map(|p| query_math::Vector::new(p.x, p.y)).collect();
                let hull = SharedShape::convex_hull(&parry).expect("points on a circle have a hull");
                (d2::ConvexPolygon::from_hull(points).map(d2::Shape::Polygon), hull)
            }
            _ => {
                let (half, radius) = (size(), 0.5 * size());
                (
                    d2::Capsule::new([0.0, -half], [0.0, half], radius).map(d2::Shape::Capsule),
                    SharedShape::capsule_y(half, radius),
                )
            }
        };
        let carom = carom.expect("sizes are positive");
        Both { wide: widened(&carom), carom, parry }
    }

    /// The same shape in `f64`.
    pub(crate) fn widened(shape: &d2::Shape<f32>) -> d2::Shape<f64> {
        use carom_math::Vector;
        let wide = match shape {
            d2::Shape::Ball(ball) => d2::Ball::new(f64::from(ball.radius())).map(Into::into),
            d2::Shape::Cuboid(cuboid) => {
                d2::Cuboid::new(Vector::widen(cuboid.half_extents())).map(Into::into)
            }
            d2::Shape::Capsule(capsule) => {
                let (a, b) = (capsule.segment().a(), capsule.segment().b());
                d2::Capsule::new(Vector::widen(a), Vector::widen(b), f64::from(capsule.radius()))
                    .map(Into::into)
            }
            d2::Shape::Polygon(polygon) => {
                d2::ConvexPolygon::new(polygon.points().map(Vector::widen)).map(Into::into)
            }
            _ => unreachable!("the suite has no other kinds"),
        };
        wide.expect("the sizes were fine before")
    }

    fn random_point(rng: &mut Rng, range: f64) -> Vec2<f32> {
        let mut c = || uniform(rng, -range, range) as f32;
        Vec2::new(c(), c())
    }

    fn offset(rng: &mut Rng, from: Vec2<f32>, length: f64) -> Vec2<f32> {
        use carom_math::Vector;
        let direction = random_point(rng, 1.0).normalized().unwrap_or(Vec2::new(1.0, 0.0));
        from + direction * length as f32
    }

    fn random_pose(rng: &mut Rng, at: Vec2<f32>) -> Poses {
        let angle = uniform(rng, -3.0, 3.0) as f32;
        posed(at, angle)
    }

    /// A pose beside a pose.
    fn nudged(rng: &mut Rng, pose: Pose<f32>) -> Poses {
        let mut c = |x: f32| x + uniform(rng, -0.01, 0.01) as f32;
        let (at, angle) = (pose.translation, pose.rotation.angle());
        posed(Vec2::new(c(at.x), c(at.y)), c(angle))
    }

    pub(crate) fn posed(at: Vec2<f32>, angle: f32) -> Poses {
        let parry = query_math::Pose::new(query_math::Vector::new(at.x, at.y), angle);
        let pose = Pose::new(at, Rot2::from_angle(angle));
        (pose, parry, pose.widen())
    }
}
