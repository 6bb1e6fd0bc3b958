//! Shapes as they stand in games and drawings: upright, one on the other or above it, with sizes and places in quarters of a metre.
//!
//! Random poses, as in [`crate::pairs`], never have faces that lie flush, edges that are parallel, or rays along faces, and so
//! say nothing about how long these take. `resting` pairs overlap by up to 4 mm, `hovering` ones are 0.05 to 2 m apart; half of
//! the latter are turned about the vertical. Casts fall straight down, rays too. The plane is in [`plane`].

mod plane;

use crate::harness::{Case, Engine, Report};
use crate::pairs::PARRY;
use carom_geometry::{CastOptions, RayOptions, d3};
use carom_math::{Pose3, Quat, Real, Vec3};
use carom_oracle::generate::Rng;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{self, DefaultQueryDispatcher, PersistentQueryDispatcher, ShapeCastOptions};
use parry3d::shape::SharedShape;

/// How many pairs of a kind there are.
const PAIRS: usize = 1000;

#[derive(Clone)]
pub(crate) struct Both {
    pub(crate) carom: d3::Shape<f32>,
    pub(crate) parry: SharedShape,
    /// How far it reaches up and down.
    pub(crate) heights: [f32; 2],
}

/// The second above the first.
pub(crate) struct Pair {
    pub(crate) a: Both,
    pub(crate) b: Both,
    pub(crate) pose_a: (Pose3<f32>, Pose),
    pub(crate) pose_b: (Pose3<f32>, Pose),
}

const CASES: [(&str, &str); 12] = [
    ("floor", "box"),
    ("box", "box"),
    ("floor", "hull8"),
    ("hull8", "hull8"),
    ("hull12", "hull12"),
    ("hull8", "ball"),
    ("hull8", "capsule"),
    ("floor", "cylinder"),
    ("cylinder", "cylinder"),
    ("floor", "cone"),
    ("triangle", "box"),
    ("triangle", "hull8"),
];

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    for (first, second) in CASES {
        for resting in [true, false] {
            let rng = &mut Rng::new(3);
            let pairs: Vec<Pair> = (0..PAIRS).map(|_| pair(rng, first, second, resting)).collect();
            let name = format!("{first}-{second} {}", if resting { "resting" } else { "hovering" });
            questions(report, &name, &pairs);
            manifolds(report, &name, &pairs);
            if !resting {
                casts(report, &name, &pairs);
                rays(report, &name, &pairs);
            }
        }
    }
    plane::run(report);
}

fn quarters(rng: &mut Rng) -> f32 {
    (1 + rng.below(4)) as f32 * 0.25
}

pub(crate) fn shape(rng: &mut Rng, kind: &str) -> Both {
    let mut size = || quarters(rng);
    let hull = |points: Vec<[f32; 3]>| {
        let parry: Vec<_> = points.iter().map(|&p| Vector::from(p)).collect();
        let parry = SharedShape::convex_hull(&parry).expect("a hull with volume");
        (d3::ConvexHull::new(points).map(d3::Shape::Hull), parry)
    };
    let cuboid = |half: [f32; 3]| {
        let [x, y, z] = half;
        ((d3::Cuboid::new(half).map(d3::Shape::Cuboid), SharedShape::cuboid(x, y, z)), [y, y])
    };
    let ((carom, parry), heights) = match kind {
        "floor" => cuboid([50.0, 1.0, 50.0]),
        "box" => cuboid([size(), size(), size()]),
        "hull8" => {
            let half = [size(), size(), size()];
            let side = |k: usize, axis: usize| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] };
            (hull((0..8).map(|k| [side(k, 0), side(k, 1), side(k, 2)]).collect()), [half[1]; 2])
        }
        "hull12" => {
            let (radius, height) = (size(), size());
            let corner = |k: usize| {
                let (sine, cosine) = (k as f32 / 6.0 * std::f32::consts::TAU).sine_cosine();
                [radius * cosine, if k < 6 { height } else { -height }, radius * sine]
            };
            (hull((0..12).map(corner).collect()), [height; 2])
        }
        "ball" => {
            let radius = size();
            ((d3::Ball::new(radius).map(d3::Shape::Ball), SharedShape::ball(radius)), [radius; 2])
        }
        "capsule" => {
            let (half, radius) = (size(), 0.5 * size());
            let carom = d3::Capsule::new([0.0, -half, 0.0], [0.0, half, 0.0], radius).map(d3::Shape::Capsule);
            ((carom, SharedShape::capsule_y(half, radius)), [half + radius; 2])
        }
        "cylinder" => {
            let (half, radius) = (size(), size());
            let carom = d3::Cylinder::new(half, radius).map(d3::Shape::Cylinder);
            ((carom, SharedShape::cylinder(half, radius)), [half; 2])
        }
        "cone" => {
            let (half, radius) = (size(), size());
            let carom = d3::Cone::new(half, radius).map(d3::Shape::Cone);
            ((carom, SharedShape::cone(half, radius)), [half; 2])
        }
        _ => {
            let size = 4.0 * size();
            let corners = [[-size, 0.0, -size], [size, 0.0, -size], [0.0, 0.0, size]];
            let carom = d3::Triangle::new(corners[0], corners[1], corners[2]).map(d3::Shape::Triangle);
            let [a, b, c] = corners.map(Vector::from);
            ((carom, SharedShape::triangle(a, b, c)), [0.0; 2])
        }
    };
    Both { carom: carom.expect("sizes are positive"), parry, heights }
}

fn pair(rng: &mut Rng, first: &str, second: &str, resting: bool) -> Pair {
    let (a, b) = (shape(rng, first), shape(rng, second));
    let gap = if resting { -0.004 * rng.uniform(0.0, 1.0) } else { rng.uniform(0.05, 2.0) } as f32;
    let mut aside = || (rng.below(5) as f32 - 2.0) * 0.25;
    let offset = [aside(), a.heights[0] + b.heights[1] + gap, aside()];
    let at = [0; 3].map(|_| rng.below(20) as f32);
    let angle = if resting || rng.one_in(2) { 0.0 } else { rng.uniform(-1.5, 1.5) as f32 };
    let pose_a = posed(at, 0.0);
    let pose_b = posed([at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]], angle);
    Pair { a, b, pose_a, pose_b }
}

/// Turned about the vertical.
pub(crate) fn posed(at: [f32; 3], angle: f32) -> (Pose3<f32>, Pose) {
    let (sine, cosine) = (0.5 * angle).sine_cosine();
    let turn = Quat::new(0.0, sine, 0.0, cosine).unwrap_or(Quat::IDENTITY);
    let [x, y, z, w] = turn.to_array();
    let parry = Pose::from_parts(Vector::from(at), Rotation::from_xyzw(x, y, z, w));
    (Pose3::new(Vec3::from(at), turn), parry)
}

pub(crate) fn measure(
    report: &mut Report,
    name: String,
    pairs: &[Pair],
    carom: impl Fn(&Pair) -> f64,
    parry: impl Fn(&Pair) -> f64,
) {
    let case = Case { name, dimension: 3, precision: "f32", questions: pairs.len() };
    let version = env!("CARGO_PKG_VERSION");
    report.case(
        &case,
        vec![
            Engine { name: "carom", version, run: Box::new(|| pairs.iter().map(&carom).sum()) },
            Engine { name: "parry", version: PARRY, run: Box::new(|| pairs.iter().map(&parry).sum()) },
        ],
    );
}

/// What any two shapes can be asked.
pub(crate) fn questions(report: &mut Report, name: &str, pairs: &[Pair]) {
    measure(
        report,
        format!("{name}/intersects"),
        pairs,
        |p| {
            let answer = d3::intersects(&p.a.carom, p.pose_a.0, &p.b.carom, p.pose_b.0);
            f64::from(u8::from(answer.is_ok_and(|yes| yes)))
        },
        |p| {
            let answer = query::intersection_test(&p.pose_a.1, &*p.a.parry, &p.pose_b.1, &*p.b.parry);
            f64::from(u8::from(answer.is_ok_and(|found| found.intersecting)))
        },
    );
    measure(
        report,
        format!("{name}/gap"),
        pairs,
        |p| {
            let answer = d3::gap(&p.a.carom, p.pose_a.0, &p.b.carom, p.pose_b.0);
            answer.map_or(-1.0, |found| f64::from(found.distance))
        },
        |p| {
            let answer = query::distance(&p.pose_a.1, &*p.a.parry, &p.pose_b.1, &*p.b.parry);
            answer.map_or(-1.0, |found| f64::from(found.distance))
        },
    );
    measure(
        report,
        format!("{name}/contact"),
        pairs,
        |p| {
            let answer = d3::contact(&p.a.carom, p.pose_a.0, &p.b.carom, p.pose_b.0);
            answer.ok().flatten().map_or(-1.0, |found| f64::from(found.depth))
        },
        |p| {
            let answer = query::contact(&p.pose_a.1, &*p.a.parry, &p.pose_b.1, &*p.b.parry, 0.0);
            answer.ok().flatten().map_or(-1.0, |found| f64::from(found.dist))
        },
    );
}

fn manifolds(report: &mut Report, name: &str, pairs: &[Pair]) {
    measure(
        report,
        format!("{name}/manifold"),
        pairs,
        |p| {
            let answer = d3::manifold(&p.a.carom, p.pose_a.0, &p.b.carom, p.pose_b.0);
            answer.ok().flatten().map_or(-1.0, |found| f64::from(found.points()[0].depth))
        },
        |p| {
            let mut manifold = query::ContactManifold::<(), ()>::new();
            let between = p.pose_a.1.inv_mul(&p.pose_b.1);
            let (a, b) = (&*p.a.parry, &*p.b.parry);
            let asked = DefaultQueryDispatcher.contact_manifold_convex_convex(
                &between,
                a,
                b,
                None,
                None,
                0.0,
                &mut manifold,
            );
            asked.ok().and_then(|()| manifold.points.first()).map_or(-1.0, |point| f64::from(point.dist))
        },
    );
}

/// The second falls straight down, at 3 m/s; rays too.
const DOWN: [f32; 3] = [0.0, -3.0, 0.0];

pub(crate) fn casts(report: &mut Report, name: &str, pairs: &[Pair]) {
    measure(
        report,
        format!("{name}/cast"),
        pairs,
        |p| {
            let (a, b) = ((&p.a.carom, p.pose_a.0), (&p.b.carom, p.pose_b.0));
            let answer = d3::cast_shape(a.0, a.1, [0.0; 3], b.0, b.1, DOWN, CastOptions { max: 1.0 });
            answer.ok().flatten().map_or(-1.0, |hit| f64::from(hit.t))
        },
        |p| {
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            let (a, b) = ((&p.pose_a.1, &*p.a.parry), (&p.pose_b.1, &*p.b.parry));
            let answer = query::cast_shapes(a.0, Vector::ZERO, a.1, b.0, Vector::from(DOWN), b.1, options);
            answer.ok().flatten().map_or(-1.0, |hit| f64::from(hit.time_of_impact))
        },
    );
}

fn rays(report: &mut Report, name: &str, pairs: &[Pair]) {
    measure(
        report,
        format!("{name}/ray"),
        pairs,
        |p| {
            let from = p.pose_b.0.translation + Vec3::new(0.0, 9.0, 0.0);
            let Ok(ray) = d3::Ray::new(from, DOWN) else { return -2.0 };
            let answer = d3::cast_ray(&p.b.carom, p.pose_b.0, &ray, RayOptions::default());
            answer.ok().flatten().map_or(-1.0, |hit| f64::from(hit.t + hit.normal.y))
        },
        |p| {
            let from = p.pose_b.1.translation + Vector::new(0.0, 9.0, 0.0);
            let ray = query::Ray::new(from, Vector::from(DOWN));
            let answer = p.b.parry.cast_ray_and_get_normal(&p.pose_b.1, &ray, f32::MAX, true);
            answer.map_or(-1.0, |hit| f64::from(hit.time_of_impact + hit.normal.y))
        },
    );
}
