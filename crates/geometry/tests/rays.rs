//! Rays against every shape, judged by exact arithmetic.

use super::support;

use carom_geometry::{Error, RayOptions, d2, d3};
use carom_math::{Number, Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, power_of_two, unit_complex, unit_quaternion};
use carom_oracle::rational::{ExactPoint, V, exact, pose2, pose3};
use support::*;

const KINDS: usize = 11;
/// A rounded shape: its faces are moved by rounded normals, so hit and miss are right up to rounding only.
const ROUNDED: usize = 10;
/// Large enough for every hit of the generators, small enough to be exact.
const FAR: f64 = 1e30;

type Found<const D: usize> = Option<(f64, [f64; D], [f64; D])>;

fn cast2<T: Real>(thing: &Thing<2>, pose: Pose2<T>, o: [f64; 2], d: [f64; 2], solid: bool) -> Found<2> {
    let ray = d2::Ray::new(o.map(T::from_f64), d.map(T::from_f64)).unwrap();
    let options = RayOptions { max: T::from_f64(FAR), solid };
    let hit = d2::cast_ray(&shape2::<T>(thing), pose, &ray, options).unwrap()?;
    let wide = |v: Vec2<T>| [v.x.to_f64(), v.y.to_f64()];
    Some((hit.t.to_f64(), wide(hit.point), wide(hit.normal)))
}

fn cast3<T: Real>(thing: &Thing<3>, pose: Pose3<T>, o: [f64; 3], d: [f64; 3], solid: bool) -> Found<3> {
    let ray = d3::Ray::new(o.map(T::from_f64), d.map(T::from_f64)).unwrap();
    let options = RayOptions { max: T::from_f64(FAR), solid };
    let hit = d3::cast_ray(&shape3::<T>(thing), pose, &ray, options).unwrap()?;
    let wide = |v: Vec3<T>| [v.x.to_f64(), v.y.to_f64(), v.z.to_f64()];
    Some((hit.t.to_f64(), wide(hit.point), wide(hit.normal)))
}

/// In the frame of the shape nothing is rounded before the kernel runs: hit or miss must be right
/// without exception, and the time right to a few ulp of the scale, grazing rays included.
fn check_exact<const D: usize>(
    thing: &Thing<D>,
    origin: [f64; D],
    direction: [f64; D],
    found: Found<D>,
    worst: &mut f64,
) {
    let truth = thing.ray(&origin.to_exact(), &direction.to_exact(), 0.0);
    let name = format!("{thing:?} {origin:?} {direction:?}");
    let Some((t, _, normal)) = found else {
        assert!(!truth.has_touched_by(&exact(FAR)), "missed: {name}");
        return;
    };
    let scale = (largest(&origin) + thing.size()) / largest(&direction);
    // What misses by less than 10⁻²⁹ of the scale may count as touching.
    let size = largest(&origin) + thing.size();
    let nearly = thing.ray(&origin.to_exact(), &direction.to_exact(), 1e-29 * size);
    let is_right = |k: &f64| {
        let tolerance = exact(k * f64::EPSILON * scale);
        let [early, late] = [exact(t) - &tolerance, exact(t) + &tolerance];
        (truth.has_touched_by(&late) || nearly.has_touched_by(&late))
            && (early <= exact(0.0) || !truth.has_touched_by(&early))
    };
    let Some(ulps) = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().find(is_right) else {
        panic!("t = {t}, truth {:?}: {name}", truth.first_touch(FAR));
    };
    *worst = ulps.max_of(*worst);
    let norm = dot(normal, normal).sqrt();
    assert!((norm - 1.0).abs() < 1e-14, "normal {normal:?}: {name}");
    if t > 0.0 {
        let facing = dot(normal, direction) / dot(direction, direction).sqrt();
        assert!(facing <= 1e-7, "normal {normal:?} does not face the ray: {name}");
    }
}

#[test]
fn hits_and_misses_are_exact_in_the_frame_of_the_shape() {
    let mut rng = Rng::new(11);
    for kind in (0..KINDS).filter(|&kind| kind != ROUNDED) {
        let (mut worst, mut hits) = (0.0, 0);
        for _ in 0..700 {
            if PLANE.contains(&kind) {
                let shape: Thing<2> = thing(&mut rng, kind);
                let (o, d) = aimed(&mut rng, &shape);
                let found = cast2::<f64>(&shape, Pose2::IDENTITY, o, d, true);
                hits += usize::from(found.is_some());
                check_exact(&shape, o, d, found, &mut worst);
            }
            let shape: Thing<3> = thing(&mut rng, kind);
            let (o, d) = aimed(&mut rng, &shape);
            let found = cast3::<f64>(&shape, Pose3::IDENTITY, o, d, true);
            hits += usize::from(found.is_some());
            check_exact(&shape, o, d, found, &mut worst);
        }
        assert!(hits > 150, "kind {kind}: only {hits} hits");
        assert!(worst <= 16.0, "kind {kind}: {worst} ε of the scale");
    }
}

/// A pose: turned in two of three, far away in one of four.
fn place<const D: usize>(rng: &mut Rng) -> ([f64; 4], [f64; D]) {
    let turn = if D == 2 {
        let [c, s] = unit_complex(rng);
        let unit = Rot2::from_cos_sin(c, s).unwrap();
        [unit.cos(), unit.sin(), 0.0, 0.0]
    } else {
        unit_quaternion(rng)
    };
    let far = rng.pick(&[1.0, 1.0, 1.0, 1e7]);
    (turn, point(rng).map(|x| x * far))
}

/// Under a pose the ray is rounded on its way into the frame of the shape, so hit and time are right for
/// a shape that differs by a few ulp of the scale.
fn check_placed<const D: usize>(
    thing: &Thing<D>,
    local: [V<D>; 2],
    [origin, direction]: [[f64; D]; 2],
    place: [f64; D],
    found: Found<D>,
) {
    let name = format!("{thing:?} at {place:?}: {origin:?} {direction:?}");
    let between: [f64; D] = std::array::from_fn(|i| origin[i] - place[i]);
    let size = largest(&between) + thing.size();
    let slack = 64.0 * f64::EPSILON * size;
    let thin = thing.shrunk(slack).map(|thin| thin.ray(&local[0], &local[1], 0.0));
    let Some((t, hit_point, normal)) = found else {
        if let Some(thin) = thin {
            // Farther away, a half-space is met or not by the last bit of the direction.
            let soon = exact(16.0 * size / largest(&direction));
            assert!(!thin.has_touched_by(&soon), "missed: {name}");
        }
        return;
    };
    // The rotation of the direction moves the point at t by some ε|d|t, which counts for a half-space that
    // is met far away at a flat angle.
    let speed = largest(&direction);
    let slack = 64.0 * f64::EPSILON * (size + speed * t);
    let tolerance = exact(64.0 * f64::EPSILON * (size / speed + t));
    let wide = thing.ray(&local[0], &local[1], slack);
    assert!(wide.has_touched_by(&(exact(t) + &tolerance)), "too early, t = {t}: {name}");
    let thin = thing.shrunk(slack).map(|thin| thin.ray(&local[0], &local[1], 0.0));
    if let Some(thin) = thin {
        let early = exact(t) - &tolerance;
        assert!(early <= exact(0.0) || !thin.has_touched_by(&early), "too late, t = {t}: {name}");
    }
    for i in 0..D {
        let expected = origin[i] + t * direction[i];
        assert!((hit_point[i] - expected).abs() <= 4.0 * f64::EPSILON * (largest(&origin) + expected.abs()));
    }
    assert!((dot(normal, normal).sqrt() - 1.0).abs() < 1e-14, "normal {normal:?}: {name}");
}

#[test]
fn hits_and_misses_are_right_under_any_pose() {
    let mut rng = Rng::new(12);
    for kind in 0..KINDS {
        for _ in 0..200 {
            if PLANE.contains(&kind) {
                let shape: Thing<2> = thing(&mut rng, kind);
                let (turn, at) = place::<2>(&mut rng);
                let pose = Pose2::new(at, Rot2::from_cos_sin(turn[0], turn[1]).unwrap());
                let (o, d) = aimed(&mut rng, &shape);
                let [o, d]: [[f64; 2]; 2] =
                    [pose.point_to_world(o.into()).into(), pose.rotation.rotate(d.into()).into()];
                let exact_pose = pose2([pose.rotation.cos(), pose.rotation.sin()], at);
                // Not quite a rotation: divide by its determinant to undo it exactly.
                let undo = |v: V<2>| {
                    let [a, b] = [exact(pose.rotation.cos()), exact(pose.rotation.sin())];
                    v.scaled(&(exact(1.0) / (&a * &a + &b * &b)))
                };
                let still = pose2([turn[0], turn[1]], [0.0, 0.0]);
                let local = [undo(exact_pose.point_to_local(&o)), undo(still.point_to_local(&d))];
                check_placed(&shape, local, [o, d], at, cast2::<f64>(&shape, pose, o, d, true));
            }
            let shape: Thing<3> = thing(&mut rng, kind);
            let (turn, at) = place::<3>(&mut rng);
            let [x, y, z, w] = turn;
            let pose = Pose3::new(at, Quat::new(x, y, z, w).unwrap());
            let (o, d) = aimed(&mut rng, &shape);
            let [o, d]: [[f64; 3]; 2] =
                [pose.point_to_world(o.into()).into(), pose.rotation.rotate(d.into()).into()];
            let turn = pose.rotation.to_array();
            let local = [pose3(turn, at).point_to_local(&o), pose3(turn, [0.0; 3]).point_to_local(&d)];
            check_placed(&shape, local, [o, d], at, cast3::<f64>(&shape, pose, o, d, true));
        }
    }
}

#[test]
fn a_ray_from_inside_leaves_where_the_ray_back_comes_in() {
    let mut rng = Rng::new(13);
    let mut tried = 0;
    for round in 0..2400 {
        let kind = [0, 1, 2, 6, 7, 8, 9, 10][round % 8];
        let shape: Thing<3> = thing(&mut rng, kind);
        let start = feature(&mut rng, &shape).map(|x| x * 0.5);
        let (_, d) = aimed(&mut rng, &shape);
        if cast3::<f64>(&shape, Pose3::IDENTITY, start, d, true).is_none_or(|(t, ..)| t != 0.0) {
            continue;
        }
        let Some((t, _, normal)) = cast3::<f64>(&shape, Pose3::IDENTITY, start, d, false) else {
            panic!("no way out of {shape:?} from {start:?} along {d:?}");
        };
        if t == 0.0 {
            continue; // on the surface: hit there, whichever way the ray goes
        }
        // From twice as far beyond, exactly.
        let far = 2.0 * t + 4.0 * (largest(&start) + shape.size()) / largest(&d);
        let end = &start.to_exact() + &d.to_exact().scaled(&exact(far));
        let back = shape.ray(&end, &-&d.to_exact(), 0.0);
        let tolerance = 64.0 * f64::EPSILON * far;
        let expected = exact(far) - exact(t);
        let [early, late] = [&expected - exact(tolerance), &expected + exact(tolerance)];
        assert!(back.has_touched_by(&late), "{shape:?} {start:?} {d:?} {t}");
        assert!(early <= exact(0.0) || !back.has_touched_by(&early), "{shape:?} {start:?} {d:?} {t}");
        assert!(
            t == 0.0 || dot(normal, d) >= -1e-7 * dot(d, d).sqrt(),
            "{shape:?} {start:?} {d:?} {normal:?}"
        );
        tried += 1;
    }
    assert!(tried > 800, "only {tried}");
}

/// `ray_passages` always goes the long way; the others take the short one where there is no doubt.
#[test]
fn the_short_way_and_the_long_way_agree() {
    let mut rng = Rng::new(19);
    let mut hits = 0;
    for round in 0..8000 {
        let kind = [0, 1, 2, 4, 6][round % 5];
        let thing: Thing<3> = thing(&mut rng, kind);
        let ([x, y, z, w], at) = place::<3>(&mut rng);
        let pose = Pose3::new(at, Quat::new(x, y, z, w).unwrap());
        let (o, d) = aimed(&mut rng, &thing);
        let ray = d3::Ray::new(pose.point_to_world(o.into()), pose.rotation.rotate(d.into())).unwrap();
        let (shape, options) = (shape3::<f64>(&thing), RayOptions { max: FAR, solid: false });
        let short = d3::cast_ray(&shape, pose, &ray, options).unwrap();
        let [long, _] = d3::ray_passages(&shape, pose, &ray, FAR).unwrap();
        assert_eq!(short.is_some(), long.is_some(), "{thing:?} {pose:?} {ray:?}");
        if let (Some(short), Some(long)) = (short, long) {
            let slack = 8.0 * f64::EPSILON * (long.t + (largest(&o) + thing.size()) / largest(&d));
            assert!((short.t - long.t).abs() <= slack, "{short:?} {long:?}: {thing:?} {pose:?} {ray:?}");
            hits += 1;
        }
        for max in [FAR, 1.0, 0.25] {
            let first = d3::cast_ray(&shape, pose, &ray, RayOptions { max, solid: true }).unwrap();
            assert_eq!(d3::ray_hits(&shape, pose, &ray, max).unwrap(), first.is_some(), "{thing:?} {ray:?}");
        }
    }
    assert!(hits > 2000, "only {hits}");
}

/// As [`no_ray_slips_through_a_closed_mesh`], in `f32`: neighbours may be answered in different ways, with the line rounded
/// differently in the frame of the mesh.
#[test]
fn no_ray_in_single_precision_slips_through_a_closed_mesh() {
    let mut rng = Rng::new(21);
    let turns = [[0.0, 0.0, 0.0, 1.0], [0.1, -0.4, 0.8, 0.3], [0.0, 0.0, 1.0, 1.0], [0.5, 0.5, 0.5, 0.5]];
    for mesh in [cube_mesh(), sphere_mesh(2, true)] {
        for turn in turns {
            let [x, y, z, w] = turn.map(|x: f64| x as f32);
            let pose = Pose3::new([0.5, -7.25, 3.0], Quat::new(x, y, z, w).unwrap());
            for _ in 0..400 {
                let [a, b, c] = mesh[rng.below(mesh.len())];
                let (u, v) = (rng.pick(&[0.0, 0.5, 1.0, 0.3]), rng.pick(&[0.0, 0.0, 0.25]));
                let target: [f64; 3] = std::array::from_fn(|i| {
                    let on_edge = a[i] + (b[i] - a[i]) * u;
                    on_edge + (c[i] - on_edge) * v
                });
                let out = target.map(|x| x * rng.pick(&[3.0, 5.0, 101.0]));
                let world_out: Vec3<f32> = Vec3::narrow(pose.widen().point_to_world(out.into()));
                let along = pose.translation - world_out;
                let [o, d] = [world_out, along].map(|v| Vector::widen(v).into());
                let hits =
                    mesh.iter().filter(|face| cast3::<f32>(&Triangle(**face), pose, o, d, true).is_some());
                assert!(hits.count() > 0, "{turn:?}: {out:?} through {target:?}");
            }
        }
    }
}

/// A closed mesh: an octahedron, each face cut in four `depth` times and drawn to the unit sphere, on
/// multiples of 2⁻¹⁰ or not.
fn sphere_mesh(depth: usize, lattice: bool) -> Vec<[[f64; 3]; 3]> {
    let mut faces = Vec::new();
    for signs in 0..8_u32 {
        let s = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
        faces.push([[s(0), 0.0, 0.0], [0.0, s(1), 0.0], [0.0, 0.0, s(2)]]);
    }
    let middle = |a: [f64; 3], b: [f64; 3]| {
        let sum: [f64; 3] = std::array::from_fn(|i| a[i] + b[i]);
        let norm = dot(sum, sum).sqrt();
        sum.map(|x| if lattice { (x / norm * 1024.0).round() / 1024.0 } else { x / norm })
    };
    for _ in 0..depth {
        faces = faces
            .into_iter()
            .flat_map(|[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    faces
}

fn cube_mesh() -> Vec<[[f64; 3]; 3]> {
    let mut faces = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let corner = |u: f64, v: f64| {
                let mut p = [0.0; 3];
                p[axis] = side;
                p[(axis + 1) % 3] = u;
                p[(axis + 2) % 3] = v;
                p
            };
            faces.push([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)]);
            faces.push([corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)]);
        }
    }
    faces
}

#[test]
fn no_ray_slips_through_a_closed_mesh() {
    let mut rng = Rng::new(14);
    let poses = [Pose3::IDENTITY, Pose3::new([0.1, -7.3, 1e3], Quat::new(0.1, -0.4, 0.8, 0.3).unwrap())];
    for (mesh, name) in
        [(cube_mesh(), "cube"), (sphere_mesh(2, true), "lattice sphere"), (sphere_mesh(2, false), "sphere")]
    {
        let corners: Vec<[f64; 3]> = mesh.iter().flatten().copied().collect();
        for pose in poses {
            for _ in 0..400 {
                // A point of the mesh: a corner, on an edge or on a face; and one inside or on it, so
                // that the line between them meets the closed mesh.
                let [a, b, c] = mesh[rng.below(mesh.len())];
                let (u, v) = (rng.pick(&[0.0, 0.5, 1.0, 0.3]), rng.pick(&[0.0, 0.0, 0.25]));
                let target: [f64; 3] = std::array::from_fn(|i| {
                    let on_edge = a[i] + (b[i] - a[i]) * u;
                    on_edge + (c[i] - on_edge) * v
                });
                let inner =
                    if rng.one_in(2) { [0.0; 3] } else { corners[rng.below(corners.len())].map(|x| x * 0.5) };
                let back = rng.pick(&[2.0, 4.0, 100.0, 1e6]);
                // Outside of the unit ball times √3, looking at the target and on towards the inside.
                let out: [f64; 3] = std::array::from_fn(|i| target[i] + (target[i] - inner[i]) * back);
                let world_out: [f64; 3] = pose.point_to_world(out.into()).into();
                let world_in: [f64; 3] = pose.point_to_world(inner.into()).into();
                let along: [f64; 3] = std::array::from_fn(|i| world_in[i] - world_out[i]);
                let hits = mesh
                    .iter()
                    .filter(|face| cast3::<f64>(&Triangle(**face), pose, world_out, along, true).is_some())
                    .count();
                assert!(hits > 0, "{name}: {out:?} to {inner:?} through {target:?}");
            }
        }
    }
}

#[test]
fn powers_of_two_scale_exactly() {
    let mut rng = Rng::new(15);
    for round in 0..1500 {
        let shape: Thing<3> = thing(&mut rng, round % KINDS);
        let (o, d) = aimed(&mut rng, &shape);
        let (turn, at) = place::<3>(&mut rng);
        let [x, y, z, w] = turn;
        let rotation = Quat::new(x, y, z, w).unwrap();
        let solid = rng.one_in(2);
        let plain = cast3::<f64>(&shape, Pose3::new(at, rotation), o, d, solid);
        for exponent in [-300, -40, -7, 40, 300] {
            let f = power_of_two(exponent);
            let times = |v: [f64; 3]| v.map(|x| x * f);
            let scaled =
                cast3::<f64>(&shape.scaled(f), Pose3::new(times(at), rotation), times(o), times(d), solid);
            let expected = plain.map(|(t, p, n)| (t, times(p), n));
            assert_eq!(scaled, expected, "2^{exponent}: {shape:?} {o:?} {d:?}");
            // With the direction as it was, t counts in its length.
            let stretched =
                cast3::<f64>(&shape.scaled(f), Pose3::new(times(at), rotation), times(o), d, solid);
            if exponent.abs() < 50 {
                assert_eq!(stretched.map(|(t, ..)| t), plain.map(|(t, ..)| t * f));
            }
        }
    }
}

#[test]
fn single_precision_agrees() {
    let mut rng = Rng::new(16);
    for round in 0..4000 {
        let kind = round % KINDS;
        let shape: Thing<3> = thing(&mut rng, kind);
        let (o, d) = aimed(&mut rng, &shape);
        let f = |v: [f64; 3]| v.map(|x| f64::from(x as f32));
        let Some(narrow) = shape.narrowed() else { continue };
        let (o, d) = (f(o), f(d));
        let wide = cast3::<f64>(&narrow, Pose3::IDENTITY, o, d, true);
        let single = cast3::<f32>(&narrow, Pose3::IDENTITY, o, d, true);
        // The same numbers, the same kernel: only the answer is rounded.
        assert_eq!(
            single.map(|(t, ..)| t),
            wide.map(|(t, ..)| f64::from(t as f32)),
            "{narrow:?} {o:?} {d:?}"
        );
    }
}

/// Whether a point in the frame of a box is on the face with a normal, to `f32`.
fn is_on_face_of_box<const D: usize>(thing: &Thing<D>, point: [f64; D], normal: [f64; D]) -> bool {
    let Cuboid(half) = thing else { return false };
    let along = (0..D).find(|&i| 0.99 < normal[i].abs());
    let slack = 1e-5 * (largest(half) + largest(&point));
    along.is_some_and(|i| (point[i] * normal[i].signum() - half[i]).abs() <= slack)
}

/// Rotations in `f32` are not of unit length, which their kernels leave in the frame of the shape.
#[test]
fn single_precision_agrees_under_any_pose() {
    let mut rng = Rng::new(20);
    let (mut hits, mut misses) = (0, 0);
    // At the edge of a box, up to rounding, either face may be named, as long as the hit is on it.
    let mut judge = |name: &str, size: f64, [single, wide]: [Option<(f64, Vec<f64>)>; 2], on_face: bool| {
        assert_eq!(single.is_some(), wide.is_some(), "{name}: {single:?} {wide:?}");
        let (Some((t, normal)), Some((expected, other))) = (single, wide) else {
            misses += 1;
            return;
        };
        let epsilon = f64::from(f32::EPSILON);
        let slack = 0.5 * epsilon * (1.01 * expected + 0.01 * size);
        assert!((t - expected).abs() <= slack, "{t} {expected}: {name}");
        let is_same = normal.iter().zip(&other).all(|(x, y)| (x - y).abs() <= 2.0 * epsilon);
        assert!(is_same || on_face, "{normal:?} {other:?}: {name}");
        hits += 1;
    };
    for round in 0..15000 {
        let f = |x: f64| f64::from(x as f32);
        if round % 3 == 0 {
            let Some(shape) = thing::<2>(&mut rng, [0, 1, 2, 4][round / 3 % 4]).narrowed() else { continue };
            let (turn, at) = place::<2>(&mut rng);
            let turn = Rot2::from_cos_sin(turn[0] as f32, turn[1] as f32).unwrap();
            let pose = Pose2::new(at.map(|x| x as f32), turn);
            let (o, d) = aimed(&mut rng, &shape);
            let o: [f64; 2] = pose.widen().point_to_world(o.into()).into();
            let d: [f64; 2] = turn.widen().rotate(d.into()).into();
            let (o, d) = (o.map(f), d.map(f));
            if d == [0.0; 2] {
                continue;
            }
            let from: [f64; 2] = std::array::from_fn(|i| o[i] - f(at[i]));
            let wide = cast2::<f64>(&shape, pose.widen(), o, d, true);
            let single = cast2::<f32>(&shape, pose, o, d, true);
            let found = |found: Found<2>| found.map(|(t, _, normal)| (t, normal.to_vec()));
            let size = (largest(&from) + shape.size()) / largest(&d);
            let on_face = single.is_some_and(|(t, _, normal)| {
                let met: [f64; 2] = std::array::from_fn(|i| from[i] + t * d[i]);
                let back = |v: [f64; 2]| turn.widen().inverse().rotate(v.into()).into();
                is_on_face_of_box(&shape, back(met), back(normal))
            });
            let name = format!("{shape:?} {pose:?} {o:?} {d:?}");
            judge(&name, size, [found(single), found(wide)], on_face);
            continue;
        }
        let kind = [0, 1, 2, 4, 6][round % 5];
        let Some(shape) = thing::<3>(&mut rng, kind).narrowed() else { continue };
        let (turn, at) = place::<3>(&mut rng);
        let [x, y, z, w] = turn.map(|x| x as f32);
        let pose = Pose3::new(at.map(|x| x as f32), Quat::new(x, y, z, w).unwrap());
        let (o, d) = aimed(&mut rng, &shape);
        let o: [f64; 3] = pose.widen().point_to_world(o.into()).into();
        let d: [f64; 3] = pose.rotation.widen().rotate(d.into()).into();
        let (o, d) = (o.map(f), d.map(f));
        if d == [0.0; 3] {
            continue;
        }
        let from: [f64; 3] = std::array::from_fn(|i| o[i] - f(at[i]));
        let wide = cast3::<f64>(&shape, pose.widen(), o, d, true);
        let single = cast3::<f32>(&shape, pose, o, d, true);
        let found = |found: Found<3>| found.map(|(t, _, normal)| (t, normal.to_vec()));
        let size = (largest(&from) + shape.size()) / largest(&d);
        let on_face = single.is_some_and(|(t, _, normal)| {
            let met: [f64; 3] = std::array::from_fn(|i| from[i] + t * d[i]);
            let back = |v: [f64; 3]| pose.rotation.widen().inverse().rotate(v.into()).into();
            is_on_face_of_box(&shape, back(met), back(normal))
        });
        judge(&format!("{shape:?} {pose:?} {o:?} {d:?}"), size, [found(single), found(wide)], on_face);
    }
    assert!(hits > 2000 && misses > 500, "{hits} hits, {misses} misses");
}

#[test]
fn any_bit_pattern_is_answered() {
    let mut rng = Rng::new(17);
    let mut answered = 0;
    for _ in 0..30_000 {
        let mut x = || any_bits(&mut rng);
        let [a, b, c, o, d, at] = [0; 6].map(|_| [x(), x(), x()]);
        let (r, h, max) = (x(), x(), x());
        let rotation = Quat::new(x(), x(), x(), x()).unwrap_or(Quat::IDENTITY);
        let shapes: [Result<d3::Shape<f64>, Error>; 8] = [
            d3::Ball::new(r).map(Into::into),
            d3::Cuboid::new(a.map(f64::abs)).map(Into::into),
            d3::Capsule::new(a, b, r).map(Into::into),
            d3::Segment::new(a, b).map(Into::into),
            d3::Triangle::new(a, b, c).map(Into::into),
            d3::HalfSpace::new(a, h).map(Into::into),
            d3::Cylinder::new(h, r).map(Into::into),
            d3::Cone::new(h, r).map(Into::into),
        ];
        let Ok(ray) = d3::Ray::new(o, d) else { continue };
        for shape in shapes.into_iter().flatten() {
            for solid in [true, false] {
                let options = RayOptions { max, solid };
                match d3::cast_ray(&shape, Pose3::new(at, rotation), &ray, options) {
                    Ok(Some(hit)) => {
                        answered += 1;
                        assert!(hit.t >= 0.0 && hit.t <= max && hit.t.is_finite());
                        assert!(hit.point.x.is_finite() && (hit.normal.x.abs() <= 1.0 + 1e-14));
                    }
                    Ok(None) => answered += 1,
                    Err(Error::NotFinite { what, .. }) => assert!(what == "pose" || what == "max"),
                    Err(Error::Negative { what, .. }) => assert_eq!(what, "max"),
                    Err(Error::Overflow { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        }
        let mut x = || any_bits_f32(&mut rng);
        let [a, b, c, o, d, at] = [0; 6].map(|_| [x(), x()]);
        let Ok(ray) = d2::Ray::new(o, d) else { continue };
        let shapes: [Result<d2::Shape<f32>, Error>; 5] = [
            d2::Ball::new(x()).map(Into::into),
            d2::Cuboid::new(a.map(f32::abs)).map(Into::into),
            d2::Capsule::new(a, b, x()).map(Into::into),
            d2::Triangle::new(a, b, c).map(Into::into),
            d2::HalfSpace::new(a, x()).map(Into::into),
        ];
        for shape in shapes.into_iter().flatten() {
            let _ = d2::cast_ray(&shape, at, &ray, RayOptions { max: x(), solid: true });
        }
    }
    assert!(answered > 1000, "only {answered} answers");
}

#[test]
fn ends_of_the_range_and_starts_on_the_surface() {
    let cube: Thing<3> = Cuboid([1.0; 3]);
    let shape = shape3::<f64>(&cube);
    let ray = d3::Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let cast = |max: f64| d3::cast_ray(&shape, [0.0; 3], &ray, RayOptions { max, solid: true }).unwrap();
    assert_eq!(cast(2.0).map(|hit| hit.t), Some(2.0));
    assert_eq!(cast(2.0_f64.next_down()), None);
    assert!(d3::cast_ray(&shape, [0.0; 3], &ray, RayOptions { max: -1.0, solid: true }).is_err());
    assert!(d3::cast_ray(&shape, [0.0, f64::NAN, 0.0], &ray, RayOptions::default()).is_err());

    let at = |thing: &Thing<3>, o, d, solid| cast3::<f64>(thing, Pose3::IDENTITY, o, d, solid);
    // Inside, solid: at once, against the direction. Hollow: out through the face.
    let inside = at(&cube, [0.0; 3], [0.0, 2.0, 0.0], true).unwrap();
    assert_eq!((inside.0, inside.2), (0.0, [0.0, -1.0, 0.0]));
    let through = at(&cube, [0.0; 3], [0.0, 2.0, 0.0], false).unwrap();
    assert_eq!((through.0, through.2), (0.5, [0.0, 1.0, 0.0]));
    // On the surface: its normal, whichever way the ray goes.
    for d in [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
        let on = at(&cube, [0.0, 1.0, 0.0], d, true).unwrap();
        assert_eq!((on.0, on.2), (0.0, [0.0, 1.0, 0.0]));
    }
    // A sheet faces the ray from either side, and has no inside.
    let sheet: Thing<3> = Triangle([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(at(&sheet, [0.5, 0.5, 1.0], [0.0, 0.0, -1.0], true).unwrap().2, [0.0, 0.0, 1.0]);
    assert_eq!(at(&sheet, [0.5, 0.5, -1.0], [0.0, 0.0, 1.0], true).unwrap().2, [0.0, 0.0, -1.0]);
    assert_eq!(at(&sheet, [0.5, 0.5, 0.0], [1.0, 0.0, 0.0], false).unwrap().0, 0.0);
    assert_eq!(at(&sheet, [-1.0, 0.5, 0.0], [1.0, 0.0, 0.0], true).unwrap().0, 1.0);
    // A segment end on: its nearest end.
    let rod: Thing<3> = Segment([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
    let end_on = at(&rod, [3.0, 3.0, 3.0], [-1.0, -1.0, -1.0], true).unwrap();
    assert_eq!(end_on.0, 2.0);
    let across = at(&rod, [0.5, 0.5, -1.0], [0.0, 0.0, 2.0], true).unwrap();
    assert_eq!(across.0, 0.75);
}

/// Found by fuzzing: squares of a slope of 1e-305 are 0, and so was the radius of the disc that the line passed.
#[test]
fn a_line_that_hardly_climbs_passes_a_disc_where_it_passes_it() {
    let slope = 6.773120479448553e-305;
    let point = d3::Rounded::new(d3::Cone::new(0.0_f64, 0.0).unwrap(), 0.0).unwrap();
    let ball = d3::Ball::new(0.0).unwrap();
    let (here, behind) = (Pose3::default(), Pose3::from(Vec3::new(0.0, 0.0, -2.0)));
    let options = carom_geometry::CastOptions { max: 2.0 };
    let away = d3::cast_shape(&point, here, [0.0, slope, 2.0], &ball, behind, [0.0; 3], options).unwrap();
    assert!(away.is_none(), "{away:?}");
    // From the edge of a disc, and from beside it.
    let disc = d3::Cylinder::new(0.0_f64, 1.0).unwrap();
    for (x, hits) in [(0.5, true), (1.5, false)] {
        let ray = d3::Ray::new([x, 0.0, 0.0], [0.0, slope, 1.0]).unwrap();
        let found = d3::cast_ray(&disc, here, &ray, RayOptions::default()).unwrap();
        assert_eq!(found.is_some(), hits, "{found:?}");
    }
}
