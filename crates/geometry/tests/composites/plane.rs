//! Polylines, height fields and compounds of the plane; outlines have an inside and are tested by it.

use super::brute_force;
use crate::sweep::{Sweep, Tally};
use carom_geometry::PartCache;
use carom_geometry::d2;
use carom_math::{Motion2, Pose2, Rot2, Vec2, Vector};
use carom_oracle::generate::{Rng, lattice_point, unit_complex};

fn angular(rng: &mut Rng) -> f64 {
    rng.uniform(-2.0, 2.0)
}

/// In the order of [`random_shape`].
const KINDS: [&str; 10] = [
    "polyline",
    "height field",
    "compound",
    "ball",
    "box",
    "capsule",
    "triangle",
    "half-space",
    "polygon",
    "segment",
];

brute_force!(d2, Vec2, Pose2, Motion2, KINDS, angular);

fn random_pose(rng: &mut Rng) -> Pose {
    let exact = rng.one_in(3);
    let [cos, sin] =
        if exact { rng.pick(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]) } else { unit_complex(rng) };
    let at = if exact {
        lattice_point(rng).map(|x| x * 0.5)
    } else {
        std::array::from_fn(|_| rng.uniform(-2.5, 2.5))
    };
    Pose::new(at, Rot2::from_cos_sin(cos, sin).unwrap())
}

fn random_point(rng: &mut Rng) -> [f64; 2] {
    if rng.one_in(2) {
        lattice_point(rng).map(|x| x * 0.5)
    } else {
        std::array::from_fn(|_| rng.uniform(-2.0, 2.0))
    }
}

fn random_shape(rng: &mut Rng, kind: usize) -> Shape {
    let mut size = || if rng.one_in(2) { 0.25 * (1 + rng.below(4)) as f64 } else { rng.uniform(0.1, 1.0) };
    let sizes = [size(), size()];
    match kind {
        0 => {
            let points: Vec<[f64; 2]> = (0..2 + rng.below(9)).map(|_| random_point(rng)).collect();
            if rng.one_in(2) { d2::Polyline::new(points) } else { d2::Polyline::closed(points) }
                .unwrap()
                .into()
        }
        1 => {
            let heights: Vec<f64> = (0..2 + rng.below(40)).map(|_| rng.uniform(-0.5, 0.5)).collect();
            let field = d2::HeightField::new(heights, 0.125).unwrap();
            if rng.one_in(2) { field.without_cells([0]).unwrap_or(field) } else { field }.into()
        }
        2 => {
            let count = 1 + rng.below(4);
            let parts: Vec<(Shape, Pose)> = (0..count)
                .map(|_| {
                    let kind = rng.pick(&[0, 1, 3, 4, 5, 6, 8]);
                    (random_shape(rng, kind), random_pose(rng))
                })
                .collect();
            d2::Compound::new(parts).unwrap().into()
        }
        3 => d2::Ball::new(sizes[0]).unwrap().into(),
        4 => d2::Cuboid::new(sizes).unwrap().into(),
        5 => d2::Capsule::new(random_point(rng), random_point(rng), sizes[0]).unwrap().into(),
        6 => d2::Triangle::new(random_point(rng), random_point(rng), random_point(rng)).unwrap().into(),
        7 => d2::HalfSpace::new(random_pose(rng).rotation.rotate(Vec2::unit(1)), -sizes[0]).unwrap().into(),
        8 => {
            let points: Vec<[f64; 2]> = (0..8).map(|_| random_point(rng)).collect();
            d2::ConvexPolygon::from_hull(points).unwrap().into()
        }
        _ => d2::Segment::new(random_point(rng), random_point(rng)).unwrap().into(),
    }
}

fn parts_of(shape: &Shape) -> Vec<(u32, Shape, Pose)> {
    match shape {
        Shape::Polyline(line) => {
            let points: Vec<_> = line.points().collect();
            let count = if line.is_closed() { points.len() } else { points.len() - 1 };
            let segment =
                |index: usize| d2::Segment::new(points[index], points[(index + 1) % points.len()]).unwrap();
            (0..count).map(|index| (index as u32, segment(index).into(), Pose::IDENTITY)).collect()
        }
        Shape::HeightField(field) => (0..field.cells())
            .filter_map(|index| Some((index as u32, field.segment(index)?.into(), Pose::IDENTITY)))
            .collect(),
        Shape::Compound(compound) => {
            let mut all: Vec<(u32, Shape, Pose)> = Vec::new();
            let mut first = 0;
            for (part, pose) in compound.parts() {
                let inner = parts_of(part);
                all.extend(
                    inner.into_iter().map(|(index, inner, local)| (first + index, inner, *pose * local)),
                );
                first += match part {
                    Shape::Polyline(line) => (line.points().len() - usize::from(!line.is_closed())) as u32,
                    Shape::HeightField(field) => field.cells() as u32,
                    _ => 1,
                };
            }
            all
        }
        other => vec![(0, other.clone(), Pose::IDENTITY)],
    }
}

fn scaled(shape: &Shape, factor: f64) -> Option<Shape> {
    let grown = |p: Vec2<f64>| p * factor;
    Some(match shape {
        Shape::Polyline(line) if line.is_closed() => {
            d2::Polyline::closed(line.points().map(grown)).unwrap().into()
        }
        Shape::Polyline(line) => d2::Polyline::new(line.points().map(grown)).unwrap().into(),
        Shape::Compound(compound) => {
            let parts: Option<Vec<(Shape, Pose)>> = compound
                .parts()
                .iter()
                .map(|(part, pose)| {
                    Some((scaled(part, factor)?, Pose::new(grown(pose.translation), pose.rotation)))
                })
                .collect();
            d2::Compound::new(parts?).unwrap().into()
        }
        Shape::Ball(ball) => d2::Ball::new(ball.radius() * factor).unwrap().into(),
        Shape::Cuboid(cuboid) => d2::Cuboid::new(grown(cuboid.half_extents())).unwrap().into(),
        Shape::Capsule(capsule) => {
            let (a, b) = (grown(capsule.segment().a()), grown(capsule.segment().b()));
            d2::Capsule::new(a, b, capsule.radius() * factor).unwrap().into()
        }
        Shape::Segment(segment) => d2::Segment::new(grown(segment.a()), grown(segment.b())).unwrap().into(),
        _ => return None,
    })
}
