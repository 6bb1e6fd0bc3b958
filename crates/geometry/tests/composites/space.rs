//! Meshes, height fields and compounds of space.

use super::brute_force;
use crate::sweep::{Sweep, Tally};
use carom_geometry::PartCache;
use carom_geometry::d3;
use carom_math::{Motion3, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{Rng, cube_rotation, lattice_point, unit_quaternion};

fn angular(rng: &mut Rng) -> Vec3<f64> {
    Vec3::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0))
}

/// In the order of [`random_shape`].
const KINDS: [&str; 11] = [
    "mesh",
    "height field",
    "compound",
    "ball",
    "box",
    "capsule",
    "triangle",
    "half-space",
    "hull",
    "cylinder",
    "rounded box",
];

brute_force!(d3, Vec3, Pose3, Motion3, KINDS, angular);

fn random_pose(rng: &mut Rng) -> Pose {
    let exact = rng.one_in(3);
    let [x, y, z, w] = if exact { cube_rotation(rng) } else { unit_quaternion(rng) };
    let at = if exact {
        lattice_point(rng).map(|x| x * 0.5)
    } else {
        std::array::from_fn(|_| rng.uniform(-2.5, 2.5))
    };
    Pose::new(at, Quat::new(x, y, z, w).unwrap())
}

fn random_point(rng: &mut Rng) -> [f64; 3] {
    if rng.one_in(2) {
        lattice_point(rng).map(|x| x * 0.5)
    } else {
        std::array::from_fn(|_| rng.uniform(-2.0, 2.0))
    }
}

/// Loose triangles, degenerate ones and coincident corners among them.
fn random_mesh(rng: &mut Rng) -> d3::TriangleMesh<f64> {
    let count = 3 + rng.below(8);
    let mut vertices: Vec<[f64; 3]> = (0..count).map(|_| random_point(rng)).collect();
    vertices.push(vertices[0]);
    let triangles: Vec<[u32; 3]> =
        (0..1 + rng.below(12)).map(|_| std::array::from_fn(|_| rng.below(vertices.len()) as u32)).collect();
    d3::TriangleMesh::new(vertices, triangles).unwrap()
}

fn random_field(rng: &mut Rng) -> d3::HeightField<f64> {
    let (rows, columns) = (2 + rng.below(6), 2 + rng.below(9));
    let heights: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..columns).map(|_| rng.uniform(-0.5, 0.5)).collect()).collect();
    let field = d3::HeightField::new(heights, [0.25, 0.5]).unwrap();
    if rng.one_in(2) { field.without_cells([[0, 0]]).unwrap_or(field) } else { field }
}

fn random_shape(rng: &mut Rng, kind: usize) -> Shape {
    let mut size = || if rng.one_in(2) { 0.25 * (1 + rng.below(4)) as f64 } else { rng.uniform(0.1, 1.0) };
    let sizes = [size(), size(), size()];
    match kind {
        0 => random_mesh(rng).into(),
        1 => random_field(rng).into(),
        2 => {
            let count = 1 + rng.below(4);
            let parts: Vec<(Shape, Pose)> = (0..count)
                .map(|_| {
                    let kind = rng.pick(&[0, 1, 3, 4, 5, 6, 8, 9]);
                    (random_shape(rng, kind), random_pose(rng))
                })
                .collect();
            d3::Compound::new(parts).unwrap().into()
        }
        3 => d3::Ball::new(sizes[0]).unwrap().into(),
        4 => d3::Cuboid::new(sizes).unwrap().into(),
        5 => d3::Capsule::new(random_point(rng), random_point(rng), sizes[0]).unwrap().into(),
        6 => d3::Triangle::new(random_point(rng), random_point(rng), random_point(rng)).unwrap().into(),
        7 => d3::HalfSpace::new(random_pose(rng).rotation.rotate(Vec3::unit(1)), -sizes[0]).unwrap().into(),
        8 => {
            let points: Vec<[f64; 3]> = (0..8).map(|_| random_point(rng)).collect();
            d3::ConvexHull::new(points).unwrap().into()
        }
        9 => d3::Cylinder::new(sizes[0], sizes[1]).unwrap().into(),
        _ => d3::Rounded::new(d3::Cuboid::new(sizes).unwrap(), 0.25).unwrap().into(),
    }
}

fn parts_of(shape: &Shape) -> Vec<(u32, Shape, Pose)> {
    match shape {
        Shape::Mesh(mesh) => (0..mesh.triangles().len())
            .map(|index| (index as u32, mesh.triangle(index).unwrap().into(), Pose::IDENTITY))
            .collect(),
        Shape::HeightField(field) => {
            let [rows, columns] = field.cells();
            let all = 0..2 * (rows * columns) as u32;
            all.filter_map(|index| Some((index, field.triangle(index)?.into(), Pose::IDENTITY))).collect()
        }
        Shape::Compound(compound) => {
            let mut all: Vec<(u32, Shape, Pose)> = Vec::new();
            let mut first = 0;
            for (part, pose) in compound.parts() {
                for (index, inner, local) in parts_of(part) {
                    assert!(compound.shape_of_part(first + index).is_some());
                    all.push((first + index, inner, *pose * local));
                }
                first += match part {
                    Shape::Mesh(mesh) => mesh.triangles().len() as u32,
                    Shape::HeightField(field) => 2 * field.cells().iter().product::<usize>() as u32,
                    _ => 1,
                };
            }
            all
        }
        other => vec![(0, other.clone(), Pose::IDENTITY)],
    }
}

fn scaled(shape: &Shape, factor: f64) -> Option<Shape> {
    let grown = |p: Vec3<f64>| p * factor;
    Some(match shape {
        Shape::Mesh(mesh) => {
            d3::TriangleMesh::new(mesh.vertices().map(grown), mesh.triangles().iter().copied())
                .unwrap()
                .into()
        }
        Shape::Compound(compound) => {
            let parts: Option<Vec<(Shape, Pose)>> = compound
                .parts()
                .iter()
                .map(|(part, pose)| {
                    Some((scaled(part, factor)?, Pose::new(grown(pose.translation), pose.rotation)))
                })
                .collect();
            d3::Compound::new(parts?).unwrap().into()
        }
        Shape::Ball(ball) => d3::Ball::new(ball.radius() * factor).unwrap().into(),
        Shape::Cuboid(cuboid) => d3::Cuboid::new(grown(cuboid.half_extents())).unwrap().into(),
        Shape::Capsule(capsule) => {
            let (a, b) = (grown(capsule.segment().a()), grown(capsule.segment().b()));
            d3::Capsule::new(a, b, capsule.radius() * factor).unwrap().into()
        }
        Shape::Triangle(triangle) => {
            let [a, b, c] = triangle.corners().map(grown);
            d3::Triangle::new(a, b, c).unwrap().into()
        }
        Shape::HalfSpace(plane) => {
            // A unit normal that is normalised again may change by an ulp; then it is another shape.
            let same = d3::HalfSpace::new(plane.normal(), plane.offset() * factor).unwrap();
            Some(same).filter(|same| same.normal() == plane.normal())?.into()
        }
        _ => return None,
    })
}

/// The same triangles, and the same box or hull, in both number types: all numbers are those of `f32`.
struct Twins {
    narrow: [(d3::Shape<f32>, Pose3<f32>); 2],
    wide: [(Shape, Pose); 2],
    size: f64,
}

impl Twins {
    fn new(rng: &mut Rng) -> Self {
        let short = |point: [f64; 3]| point.map(|x| x as f32);
        let long = |point: [f32; 3]| point.map(f64::from);
        let corners: Vec<[f32; 3]> = (0..6).map(|_| short(random_point(rng))).collect();
        let triangles: [[u32; 3]; 3] =
            std::array::from_fn(|_| std::array::from_fn(|_| rng.below(corners.len()) as u32));
        let sizes = short(std::array::from_fn(|_| rng.uniform(0.1, 1.0)));
        let points: Vec<[f32; 3]> = (0..8).map(|_| short(random_point(rng))).collect();
        let is_hull = rng.one_in(2);
        let (solid, wide_solid): (d3::Shape<f32>, Shape) = if is_hull {
            let wide = d3::ConvexHull::new(points.iter().map(|point| long(*point))).unwrap();
            (d3::ConvexHull::new(points).unwrap().into(), wide.into())
        } else {
            (d3::Cuboid::new(sizes).unwrap().into(), d3::Cuboid::new(long(sizes)).unwrap().into())
        };
        let mut pose = || {
            let pose = random_pose(rng);
            let Vec3 { x, y, z } = pose.translation;
            let [i, j, k, w] = pose.rotation.to_array().map(|part| part as f32);
            let narrow = Pose3::new(short([x, y, z]), Quat::new(i, j, k, w).unwrap());
            (narrow, narrow.widen())
        };
        let [(at, wide_at), (solid_at, wide_solid_at)] = [pose(), pose()];
        let mesh = d3::TriangleMesh::new(corners.iter().copied(), triangles).unwrap();
        let wide_mesh = d3::TriangleMesh::new(corners.iter().map(|corner| long(*corner)), triangles).unwrap();
        let wide: [(Shape, Pose); 2] = [(wide_mesh.into(), wide_at), (wide_solid, wide_solid_at)];
        let away = wide_at.translation - wide_solid_at.translation;
        let size = away.max_abs() + size_of(&wide[0].0) + size_of(&wide[1].0);
        Twins { narrow: [(mesh.into(), at), (solid, solid_at)], wide, size }
    }
}

/// Answers in `f32` have a shorter way to go for boxes and hulls on meshes, and say the same.
#[test]
fn answers_in_f32_are_those_in_f64() {
    let mut rng = Rng::new(77);
    let (mut near, mut touching) = (0, 0);
    for _ in 0..6000 {
        let Twins { narrow: [(a, at_a), (b, at_b)], wide: [(c, at_c), (d, at_d)], size } =
            Twins::new(&mut rng);
        let tolerance = 8.0 * f64::from(f32::EPSILON) * size;
        let what = format!("{c:?} {at_c:?}\n{d:?} {at_d:?}");
        let (short, long) =
            (d3::distance(&a, at_a, &b, at_b).unwrap(), d3::distance(&c, at_c, &d, at_d).unwrap());
        assert!((f64::from(short.distance) - long.distance).abs() <= tolerance, "{what}\n{short:?} {long:?}");
        assert!(
            f64::from(short.lower) <= long.upper && long.lower <= f64::from(short.upper),
            "{what}\n{short:?} {long:?}"
        );
        if 0.01 * size < long.distance {
            near += 1;
            assert!((short.normal.widen() - long.normal).max_abs() <= 1e-4, "{what}\n{short:?} {long:?}");
        }
        let reach = 0.1_f32;
        let (mut few, mut all) = (Vec::new(), Vec::new());
        d3::manifolds(&a, at_a, &b, at_b, reach, &mut few).unwrap();
        d3::manifolds(&c, at_c, &d, at_d, f64::from(reach), &mut all).unwrap();
        // What is as far away as is asked about may be on either list.
        let clear = tolerance - f64::from(reach);
        let of_few = few.iter().map(|manifold| (manifold.parts(), f64::from(manifold.depth())));
        let of_all: Vec<([u32; 2], f64)> =
            all.iter().map(|manifold| (manifold.parts(), manifold.depth())).collect();
        let of_few: Vec<([u32; 2], f64)> = of_few.collect();
        for (these, those) in [(&of_few, &of_all), (&of_all, &of_few)] {
            for (parts, depth) in these.iter().filter(|(_, depth)| clear < *depth) {
                touching += usize::from(0.0 < *depth);
                let same = those.iter().find(|(others, _)| others == parts);
                let is_same = same.is_some_and(|(_, other)| (depth - other).abs() <= tolerance);
                assert!(is_same, "{what}\n{parts:?} {depth} {same:?}");
            }
        }
    }
    assert!(1000 < near && 1000 < touching, "{near} {touching}");
}
