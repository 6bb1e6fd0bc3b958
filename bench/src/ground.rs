//! Shapes of many parts as they are in games: ground, and things high above it, hovering over it, resting on it and deep in it.
//!
//! The ground is a flat mesh of squares of a metre, a mesh of waves with squares of half a metre, or 25 boxes side by side. What is above it stands upright
//! with sizes and places in quarters of a metre, so that its sides lie flush with edges of the ground and rays go down through corners: what random
//! poses, as in [`crate::meshes`], never have. Of what hovers, half is turned about the vertical.

use crate::harness::Report;
use crate::upright::{Both, Pair, casts, measure, posed, questions, shape};
use carom_geometry::{RayOptions, d3};
use carom_math::{Pose3, Real, Vec3};
use carom_oracle::generate::Rng;
use parry3d::math::Vector;
use parry3d::query::{self, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::SharedShape;
use std::cell::RefCell;

/// How many pairs of a kind there are.
const PAIRS: usize = 200;

const GROUNDS: [&str; 3] = ["floor", "waves", "blocks"];
const SHAPES: [&str; 6] = ["ball", "box", "capsule", "cylinder", "cone", "hull12"];
const WHERE: [&str; 4] = ["far", "hovering", "resting", "deep"];

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    for kind in GROUNDS {
        let ground = ground(kind);
        for second in SHAPES {
            for place in WHERE {
                let rng = &mut Rng::new(5);
                let pairs: Vec<Pair> =
                    (0..PAIRS).map(|_| pair(rng, (kind, &ground), second, place)).collect();
                let name = format!("{kind}-{second} {place}");
                questions(report, &name, &pairs);
                manifolds(report, &name, &pairs);
                casts(report, &name, &pairs);
                if second == "ball" {
                    points(report, &name, &pairs);
                }
            }
        }
    }
}

/// How high the ground is.
fn height(kind: &str, x: f32, z: f32) -> f32 {
    let wave = |x: f32| f64::from(x).sine_cosine().0 as f32;
    if kind == "waves" { 0.5 * wave(0.75 * x) * wave(z) } else { 0.0 }
}

fn ground(kind: &str) -> Both {
    let (carom, parry) = match kind {
        "blocks" => {
            let places = (0..25).map(|k| [(k % 5) as f32 * 2.0 - 4.0, -0.5, (k / 5) as f32 * 2.0 - 4.0]);
            let block = d3::Cuboid::new([0.875, 0.5, 0.875]).map(d3::Shape::Cuboid);
            let block = block.expect("sizes are positive");
            let carom =
                d3::Compound::new(places.clone().map(|at| (block.clone(), Pose3::from(Vec3::from(at)))));
            let parts = places.map(|at| (posed(at, 0.0).1, SharedShape::cuboid(0.875, 0.5, 0.875)));
            (carom.map(d3::Shape::from), SharedShape::compound(parts.collect()))
        }
        _ => {
            let (squares, size) = if kind == "floor" { (40, 1.0) } else { (60, 0.5) };
            let at = |k: u32| (k as f32 - squares as f32 * 0.5) * size;
            let corners = (0..=squares).flat_map(|i| (0..=squares).map(move |j| (i, j)));
            let corners: Vec<[f32; 3]> =
                corners.map(|(i, j)| [at(i), height(kind, at(i), at(j)), at(j)]).collect();
            let place = |i: u32, j: u32| i * (squares + 1) + j;
            let squares = (0..squares).flat_map(|i| (0..squares).map(move |j| (i, j)));
            let triangles: Vec<[u32; 3]> = squares
                .flat_map(|(i, j)| {
                    let [a, b, c, d] = [place(i, j), place(i, j + 1), place(i + 1, j), place(i + 1, j + 1)];
                    [[a, b, c], [c, b, d]]
                })
                .collect();
            let parry = corners.iter().map(|&corner| Vector::from(corner)).collect();
            let parry = SharedShape::trimesh(parry, triangles.clone()).expect("a mesh");
            (d3::TriangleMesh::new(corners, triangles).map(d3::Shape::from), parry)
        }
    };
    Both { carom: carom.expect("a ground"), parry, heights: [0.0; 2] }
}

fn pair(rng: &mut Rng, (kind, ground): (&str, &Both), second: &str, place: &str) -> Pair {
    let b = shape(rng, second);
    let gap = match place {
        "far" => 30.0,
        "hovering" => rng.uniform(0.05, 2.0),
        "resting" => -0.004 * rng.uniform(0.0, 1.0),
        _ => -0.25,
    } as f32;
    let mut aside = || (rng.below(13) as f32 - 6.0) * 0.25;
    let [x, z] = [aside(), aside()];
    let angle = if place == "hovering" && rng.one_in(2) { rng.uniform(-1.5, 1.5) as f32 } else { 0.0 };
    let pose_b = posed([x, height(kind, x, z) + b.heights[1] + gap, z], angle);
    Pair { a: ground.clone(), b, pose_a: posed([0.0; 3], 0.0), pose_b }
}

/// All contacts of parts, nothing kept from an earlier question.
fn manifolds(report: &mut Report, name: &str, pairs: &[Pair]) {
    let (found, kept) =
        (RefCell::new(Vec::new()), RefCell::new(Vec::<query::ContactManifold<(), ()>>::new()));
    measure(
        report,
        format!("{name}/manifolds"),
        pairs,
        |p| {
            let mut found = found.borrow_mut();
            let asked = d3::manifolds(&p.a.carom, p.pose_a.0, &p.b.carom, p.pose_b.0, 0.0, &mut found);
            asked.map_or(-1.0, |()| found.len() as f64)
        },
        |p| {
            let (mut found, mut workspace) = (kept.borrow_mut(), None);
            found.clear();
            let between = p.pose_a.1.inv_mul(&p.pose_b.1);
            let (a, b) = (&*p.a.parry, &*p.b.parry);
            let asked =
                DefaultQueryDispatcher.contact_manifolds(&between, a, b, 0.0, &mut found, &mut workspace);
            asked.map_or(-1.0, |()| found.len() as f64)
        },
    );
}

/// The point of the ground that is nearest to the middle of what is above it, and a ray from there straight down.
fn points(report: &mut Report, name: &str, pairs: &[Pair]) {
    measure(
        report,
        format!("{name}/closest_point"),
        pairs,
        |p| {
            let found = d3::closest_point(&p.a.carom, p.pose_a.0, p.pose_b.0.translation);
            found.map_or(-1.0, |found| f64::from(found.distance))
        },
        |p| f64::from(p.a.parry.project_point(&p.pose_a.1, p.pose_b.1.translation, false).point.y),
    );
    let down = [0.0, -1.0, 0.0];
    measure(
        report,
        format!("{name}/ray"),
        pairs,
        |p| {
            let Ok(ray) = d3::Ray::new(p.pose_b.0.translation, down) else { return -2.0 };
            let answer = d3::cast_ray(&p.a.carom, p.pose_a.0, &ray, RayOptions::default());
            answer.ok().flatten().map_or(-1.0, |hit| f64::from(hit.t + hit.normal.y))
        },
        |p| {
            let ray = query::Ray::new(p.pose_b.1.translation, Vector::from(down));
            let answer = p.a.parry.cast_ray_and_get_normal(&p.pose_a.1, &ray, f32::MAX, true);
            answer.map_or(-1.0, |hit| f64::from(hit.time_of_impact + hit.normal.y))
        },
    );
}
