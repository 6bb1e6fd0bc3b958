//! Shapes as they stand in games and drawings: upright, aligned, one resting on the other. Random poses never come near to what is
//! special about these: faces that lie flush, edges that are parallel, rays along faces.

use carom_geometry::{CastOptions, RayOptions, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Vec2, Vec3, Vector};
use carom_oracle::generate::Rng;
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, is_sqrt_within, pose3};

/// A whole number of quarters, from 1 to 4 of them.
fn size(rng: &mut Rng) -> f64 {
    f64::from(1 + rng.below(4) as u32) * 0.25
}

/// A whole number of quarters between −`most` and `most` of them.
fn offset(rng: &mut Rng, most: usize) -> f64 {
    (f64::from(rng.below(2 * most + 1) as u32) - most as f64) * 0.25
}

/// The corners of a box.
fn corners_of(half: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] })).collect()
}

/// A shape with its corners: a box, a box as a hull, a prism, a pyramid, a triangle that lies flat.
fn solid(rng: &mut Rng, kind: usize) -> (d3::Shape<f64>, Vec<[f64; 3]>) {
    let half = [size(rng), size(rng), size(rng)];
    let hull = |points: Vec<[f64; 3]>| (d3::ConvexHull::new(points.clone()).unwrap().into(), points);
    match kind {
        0 => (d3::Cuboid::new(half).unwrap().into(), corners_of(half)),
        1 => hull(corners_of(half)),
        2 => {
            let ring = [[2.0, 0.0], [1.0, 2.0], [-1.0, 2.0], [-2.0, 0.0], [-1.0, -2.0], [1.0, -2.0]];
            let ends = [-half[1], half[1]];
            hull(
                ends.iter()
                    .flat_map(|&y| ring.map(|[x, z]| [0.5 * x * half[0], y, 0.5 * z * half[2]]))
                    .collect(),
            )
        }
        3 => {
            let [x, y, z] = half;
            hull(vec![[x, -y, z], [-x, -y, z], [-x, -y, -z], [x, -y, -z], [0.0, y, 0.0]])
        }
        _ => {
            let [x, _, z] = half;
            let corners = [[-x, 0.0, -z], [x, 0.0, -z], [0.0, 0.0, z]];
            (d3::Triangle::new(corners[0], corners[1], corners[2]).unwrap().into(), corners.to_vec())
        }
    }
}

fn extent(corners: &[[f64; 3]], axis: usize) -> [f64; 2] {
    corners.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], corner| {
        [low.min(corner[axis]), high.max(corner[axis])]
    })
}

/// Polytopes that stand on each other, overlap a little, just touch, or hover, against exact arithmetic.
#[test]
fn what_stands_on_something_is_as_deep_or_as_far_as_exact_arithmetic_says() {
    let mut rng = Rng::new(3);
    for (first, second) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
        for round in 0..24 {
            let ((a, corners_a), (b, corners_b)) = (solid(&mut rng, first), solid(&mut rng, second));
            let gap = [-0.0625, -1.0 / 1024.0, 0.0, 0.25][round % 4];
            let rise = extent(&corners_a, 1)[1] - extent(&corners_b, 1)[0] + gap;
            let at = [offset(&mut rng, 3), rise, offset(&mut rng, 3)];
            // Upright, or turned about the vertical by an angle whose sine and cosine are exact.
            let turn = if round % 3 == 2 { [0.0, 0.6, 0.0, 0.8] } else { [0.0, 0.0, 0.0, 1.0] };
            let pose = Pose3::new(Vec3::from(at), Quat::new(turn[0], turn[1], turn[2], turn[3]).unwrap());
            let placed = pose3(turn, at);
            let exact_a = Convex::hull(&corners_a.iter().map(|p| p.to_exact()).collect::<Vec<_>>());
            let exact_b = Convex::hull(&placed.points(&corners_b));
            let what = format!("{first} {second} {round}: {a:?} {b:?} {at:?} {turn:?}");
            let tolerance = 1e-13;
            let found = d3::distance(&a, Pose3::IDENTITY, &b, pose).unwrap();
            let touch = d3::contact(&a, Pose3::IDENTITY, &b, pose).unwrap();
            let turned = d3::contact(&b, pose, &a, Pose3::IDENTITY).unwrap();
            assert_eq!(touch.map(|c| c.depth), turned.map(|c| c.depth), "{what}");
            match exact_a.depth_squared(&exact_b) {
                Some(squared) => {
                    let contact = touch.expect(&what);
                    assert!(is_sqrt_within(contact.depth, &squared, tolerance), "{what}: {contact:?}");
                    assert!(found.distance == 0.0 && d3::intersects(&a, Pose3::IDENTITY, &b, pose).unwrap());
                    // The points are that deep, and each is on its shape.
                    let between = contact.point_a - contact.point_b - contact.normal * contact.depth;
                    assert!(between.length_squared() < 1e-24, "{what}: {contact:?}");
                    for (shape, pose, point) in
                        [(&a, Pose3::IDENTITY, contact.point_a), (&b, pose, contact.point_b)]
                    {
                        let near = d3::closest_point(shape, pose, point).unwrap();
                        assert!(near.distance.abs() < 1e-12, "{what}: {contact:?}");
                    }
                }
                None => {
                    let squared = exact_a.distance_squared(&exact_b);
                    assert!(is_sqrt_within(found.distance, &squared, tolerance), "{what}: {found:?}");
                    assert!(touch.is_none() || squared.is_zero(), "{what}: {touch:?}");
                }
            }
        }
    }
}

/// Boxes with the same axes are intervals; order, sign and number type change nothing.
#[test]
fn boxes_of_a_grid_are_intervals() {
    let mut rng = Rng::new(5);
    for _ in 0..4000 {
        let (a, b) = ([0; 3].map(|_| size(&mut rng)), [0; 3].map(|_| size(&mut rng)));
        let at = [0; 3].map(|_| offset(&mut rng, 8));
        let gaps = [0, 1, 2].map(|k| at[k].abs() - a[k] - b[k]);
        let widest = gaps.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let expected = if 0.0 < widest {
            gaps.map(|g| g.max(0.0)).iter().map(|g| g * g).sum::<f64>().sqrt()
        } else {
            widest
        };
        let [first, second] = [a, b].map(|half| d3::Cuboid::new(half).unwrap());
        let (here, there) = (Pose3::at([3.0, -2.0, 1.0]), Pose3::at([at[0] + 3.0, at[1] - 2.0, at[2] + 1.0]));
        let found = d3::distance(&first, here, &second, there).unwrap();
        assert!((found.distance - expected.max(0.0)).abs() <= 1e-15, "{a:?} {b:?} {at:?} {found:?}");
        assert_eq!(d3::intersects(&first, here, &second, there).unwrap(), widest <= 0.0);
        let touch = d3::contact(&first, here, &second, there).unwrap();
        assert_eq!(touch.map(|c| c.depth), (widest <= 0.0).then_some(-widest + 0.0), "{a:?} {b:?} {at:?}");
        // The same in the plane.
        let [first, second] = [a, b].map(|half| d2::Cuboid::new([half[0], half[1]]).unwrap());
        let widest = gaps[0].max(gaps[1]);
        let touch = d2::contact(&first, Pose2::IDENTITY, &second, Pose2::at([at[0], at[1]])).unwrap();
        assert_eq!(touch.map(|c| c.depth), (widest <= 0.0).then_some(-widest + 0.0));
    }
}

/// Boxes that fall flat on each other touch in a point that both have.
#[test]
fn boxes_that_fall_flat_touch_in_a_common_point() {
    let mut rng = Rng::new(7);
    let mut hits = 0;
    for round in 0..3000 {
        let (a, b) = ([0; 3].map(|_| size(&mut rng)), [0; 3].map(|_| size(&mut rng)));
        let axis = round % 3;
        let mut at = [0; 3].map(|_| offset(&mut rng, 5));
        let gap = f64::from(1 + rng.below(8) as u32) * 0.125;
        at[axis] = a[axis] + b[axis] + gap;
        let mut velocity = [0.0; 3];
        velocity[axis] = -2.0;
        // About the axis along which it falls any turn leaves the faces flush.
        let mut turn = [0.0, 0.0, 0.0, 1.0];
        if round % 2 == 1 {
            (turn[axis], turn[3]) = (0.6, 0.8);
        }
        let pose = Pose3::new(Vec3::from(at), Quat::new(turn[0], turn[1], turn[2], turn[3]).unwrap());
        let [first, second] = [a, b].map(|half| d3::Cuboid::new(half).unwrap());
        let options = CastOptions { max: 10.0 };
        let still = [0.0; 3];
        let found = d3::cast_shape(&first, Pose3::IDENTITY, still, &second, pose, velocity, options).unwrap();
        let Some(hit) = found else { continue };
        hits += 1;
        assert!((hit.t - gap / 2.0).abs() < 1e-14, "{hit:?}");
        let moved = Pose3::new(pose.translation + Vec3::from(velocity) * hit.t, pose.rotation);
        for near in [
            d3::closest_point(&first, Pose3::IDENTITY, hit.point).unwrap(),
            d3::closest_point(&second, moved, hit.point).unwrap(),
        ] {
            assert!(near.distance.abs() < 1e-14, "{a:?} {b:?} {pose:?}: {hit:?} {near:?}");
        }
    }
    assert!(1500 < hits, "{hits}");
    let square = d2::Cuboid::new([1.0, 0.5]).unwrap();
    let options = CastOptions { max: 10.0 };
    let hit =
        d2::cast_shape(&square, [0.0, 0.0], [0.0; 2], &square, [1.0, 3.0], [0.0, -1.0], options).unwrap();
    assert_eq!(hit.map(|hit| (hit.t, hit.point)), Some((2.0, Vec2::new(0.5, 0.5))));
}

/// A box as a hull is hit like a box, by rays along its faces, beside them and in them.
#[test]
fn rays_along_the_faces_of_a_hull_hit_it_like_a_box() {
    let mut rng = Rng::new(11);
    for round in 0..6000 {
        let half = [0; 3].map(|_| size(&mut rng));
        let cuboid = d3::Cuboid::new(half).unwrap();
        let hull = d3::ConvexHull::new(corners_of(half)).unwrap();
        let mut direction = [0.0; 3];
        direction[round % 3] = if round % 2 == 0 { 1.0 } else { -2.0 };
        if round % 5 == 0 {
            direction[(round + 1) % 3] = 0.5;
        }
        let mut origin = [0; 3].map(|_| offset(&mut rng, 5));
        origin[round % 3] -= 4.0 * direction[round % 3];
        let turn = if round % 7 == 0 { [0.0, 0.6, 0.0, 0.8] } else { [0.0, 0.0, 0.0, 1.0] };
        let pose =
            Pose3::new(Vec3::new(1.0, 2.0, 3.0), Quat::new(turn[0], turn[1], turn[2], turn[3]).unwrap());
        let world = |v: [f64; 3]| pose.rotation.to_matrix() * Vec3::from(v);
        let ray = d3::Ray::new(world(origin) + pose.translation, world(direction)).unwrap();
        let by_box = d3::cast_ray(&cuboid, pose, &ray, RayOptions::default()).unwrap();
        let by_hull = d3::cast_ray(&hull, pose, &ray, RayOptions::default()).unwrap();
        let what = format!("{half:?} {origin:?} {direction:?} {turn:?}: {by_box:?} {by_hull:?}");
        if round % 7 != 0 {
            assert_eq!(by_box.map(|hit| hit.t), by_hull.map(|hit| hit.t), "{what}");
        } else if let (Some(one), Some(other)) = (by_box, by_hull) {
            // Turned, what grazes is a matter of rounding.
            assert!((one.t - other.t).abs() < 1e-12, "{what}");
        }
        let [from, along] = [ray.origin(), ray.direction()].map(Vec3::<f32>::narrow);
        let narrow = d3::Ray::new(from, along).unwrap();
        let small = d3::Cuboid::new(half.map(|x| x as f32)).unwrap();
        let at = Pose3::new(
            Vec3::new(1.0_f32, 2.0, 3.0),
            Quat::new(turn[0] as f32, turn[1] as f32, 0.0, turn[3] as f32).unwrap(),
        );
        let quick = d3::cast_ray(&small, at, &narrow, RayOptions::default()).unwrap();
        // What grazes in `f32` is a matter of its rounding.
        let grazes = (0..3).any(|axis| axis != round % 3 && (origin[axis].abs() - half[axis]).abs() < 1e-3);
        if let (Some(one), Some(other)) = (quick, by_box.filter(|_| !grazes)) {
            assert!((f64::from(one.t) - other.t).abs() < 1e-5, "{what}: {quick:?}");
        }
    }
}

/// The largest overlap along a direction is no less than the depth, along the normal it is the depth.
#[test]
fn round_things_that_stand_have_the_least_depth_of_all_directions() {
    let mut rng = Rng::new(13);
    let shape = |rng: &mut Rng, kind: usize| -> d3::Shape<f64> {
        match kind {
            0 => d3::Cylinder::new(size(rng), size(rng)).unwrap().into(),
            1 => d3::Cone::new(size(rng), size(rng)).unwrap().into(),
            kind => solid(rng, kind - 2).0,
        }
    };
    // By the lowest point over a half-space: nothing that two shapes share.
    let reach = |shape: &d3::Shape<f64>, pose: Pose3<f64>, n: Vec3<f64>| {
        let far = d3::HalfSpace::new(-n, -64.0).unwrap();
        64.0 - d3::distance(&far, Pose3::IDENTITY, shape, pose).unwrap().distance
    };
    for round in 0..400 {
        let (a, b) = (shape(&mut rng, round % 6), shape(&mut rng, rng_kind(round)));
        let [top, bottom] =
            [(&a, 1.0), (&b, -1.0)].map(|(shape, y)| reach(shape, Pose3::IDENTITY, Vec3::new(0.0, y, 0.0)));
        let depth = [1.0 / 64.0, 1.0 / 1024.0][round % 2];
        let tilt = [0.0, 0.0, 1e-3][round % 3];
        let at = Vec3::new(offset(&mut rng, 3), top + bottom - depth, offset(&mut rng, 3));
        let pose = Pose3::new(at, Quat::new(tilt, 0.3, 0.0, 1.0).unwrap());
        let Some(contact) = d3::contact(&a, Pose3::IDENTITY, &b, pose).unwrap() else { continue };
        let overlap = |n: Vec3<f64>| reach(&a, Pose3::IDENTITY, n) + reach(&b, pose, -n);
        let what = format!("{a:?} {b:?} {pose:?} {contact:?}");
        assert!((overlap(contact.normal) - contact.depth).abs() < 1e-9, "{what}");
        for _ in 0..300 {
            let mut direction = || rng.uniform(-1.0, 1.0);
            let near = Vec3::new(direction(), direction(), direction());
            let scale = [1.0, 0.1, 1e-3][rng.below(3)];
            let n = (contact.normal * (1.0 - scale) + near * scale).normalized().unwrap();
            assert!(contact.depth - 1e-9 <= overlap(n), "{what}: {n:?} {}", overlap(n));
        }
    }
}

fn rng_kind(round: usize) -> usize {
    [0, 1, 2, 3, 4, 5, 1, 0][(round / 6) % 8]
}

/// The nearest point of a hull is a point of it, and nothing of it is nearer: all of it is behind the plane through it.
#[test]
fn the_nearest_point_of_a_hull_has_all_of_it_behind() {
    let mut rng = Rng::new(17);
    for round in 0..4000 {
        let corners = match round % 3 {
            0 => corners_of([0; 3].map(|_| size(&mut rng))),
            1 => solid(&mut rng, 2).1,
            _ => (0..24)
                .map(|_| {
                    let v = Vec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
                    v.normalized().unwrap_or(Vec3::new(1.0, 0.0, 0.0)).into()
                })
                .collect(),
        };
        let hull = d3::ConvexHull::new(corners.clone()).unwrap();
        let p = if round % 2 == 0 {
            Vec3::new(offset(&mut rng, 8), offset(&mut rng, 8), offset(&mut rng, 8))
        } else {
            Vec3::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0))
        };
        let found = d3::closest_point(&hull, Pose3::IDENTITY, p).unwrap();
        let highest =
            |n: Vec3<f64>| corners.iter().map(|&c| n.dot(Vec3::from(c))).fold(f64::NEG_INFINITY, f64::max);
        let what = format!("{corners:?} {p:?}: {found:?}");
        let away = p - found.point;
        assert!((away.length_squared().sqrt() - found.distance.abs()).abs() < 1e-13, "{what}");
        let Some(n) = away.normalized().filter(|_| 1e-9 < found.distance.abs()) else { continue };
        let outwards = if found.inside { -n } else { n };
        assert!((highest(outwards) - outwards.dot(found.point)).abs() < 1e-13, "{what}");
        if found.inside {
            // No face is nearer: along any direction the surface is at least as far.
            for _ in 0..100 {
                let m = Vec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
                let Some(m) = m.normalized() else { continue };
                assert!(-found.distance - 1e-13 <= highest(m) - m.dot(p), "{what}");
            }
        }
    }
}
