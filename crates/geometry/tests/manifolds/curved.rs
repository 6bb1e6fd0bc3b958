//! Cylinders, cones, hulls and rounded shapes: cases worked by hand, and the area that their points span.

use super::named::sorted;
use super::stability::{area_of_hull, corners_of_intersection, names};
use carom_geometry::d3::{self, Shape};
use carom_geometry::{Manifold, d2};
use carom_math::{Pose3, Quat, Vec2, Vec3};
use carom_oracle::generate::{self, Rng};

const ORIGIN: [f64; 3] = [0.0; 3];

fn box3(x: f64, y: f64, z: f64) -> d3::Cuboid<f64> {
    d3::Cuboid::new([x, y, z]).unwrap()
}

fn hull_of_box(x: f64, y: f64, z: f64) -> d3::ConvexHull<f64> {
    let signs = [-1.0, 1.0];
    let corners =
        signs.iter().flat_map(|i| signs.iter().flat_map(move |j| signs.map(|k| [i * x, j * y, k * z])));
    d3::ConvexHull::new(corners.collect::<Vec<_>>()).unwrap()
}

fn meet(
    a: &impl d3::AsShape<f64>,
    b: &impl d3::AsShape<f64>,
    pose: impl Into<Pose3<f64>>,
) -> Manifold<Vec3<f64>> {
    d3::manifold(a, ORIGIN, b, pose).unwrap().expect("they touch")
}

fn quarter_about_z() -> Quat<f64> {
    Quat::new(0.0, 0.0, 1.0, 1.0).unwrap()
}

/// Depth 1/4 into a wide table, and over its edge: four points of the rim, or those inside and the two where
/// the rim crosses the edge.
#[test]
fn cylinder_on_a_box() {
    let (table, can) = (box3(4.0, 1.0, 4.0), d3::Cylinder::new(2.0, 0.5).unwrap());
    let standing = meet(&table, &can, [1.0, 2.75, 0.0]);
    assert_eq!(standing.normal(), Vec3::new(0.0, 1.0, 0.0));
    let rim = [[0.5, 0.875, 0.0], [1.0, 0.875, -0.5], [1.0, 0.875, 0.5], [1.5, 0.875, 0.0]];
    assert_eq!(sorted(&standing), rim.map(|p| (p.to_vec(), 0.25)));
    // The axis is 0.3 inside of the edge: the rim crosses it at z = ±0.4.
    let over = meet(&table, &can, [3.7, 3.0, 0.0]);
    assert!(over.points().iter().all(|p| p.depth == 0.0 && p.point.y == 1.0 && p.point.x <= 4.0));
    let crossings: Vec<f64> = over.points().iter().filter(|p| p.point.x == 4.0).map(|p| p.point.z).collect();
    assert!(over.points().len() == 4 && !crossings.is_empty(), "{over:?}");
    assert!(crossings.iter().all(|z| (z.abs() - 0.4).abs() < 1e-14), "{over:?}");
    // Only a sliver of the cap is on the table: it keeps its two corners and the middle of its arc.
    let barely = meet(&table, &can, [4.4375, 3.0, 0.0]);
    let places: Vec<[f64; 3]> = barely.points().iter().map(|p| p.point.into()).collect();
    assert!(places.contains(&[3.9375, 1.0, 0.0]) && 3 <= places.len(), "{places:?}");
}

#[test]
fn lying_cylinders() {
    let (table, can) = (box3(1.0, 1.0, 1.0), d3::Cylinder::new(2.0, 0.5).unwrap());
    // Its axis along x, longer than the table.
    let found = meet(&table, &can, Pose3::new([0.0, 1.25, 0.5], quarter_about_z()));
    assert_eq!(sorted(&found), [[-1.0, 0.875, 0.5], [1.0, 0.875, 0.5]].map(|p| (p.to_vec(), 0.25)));
    // On another that lies the same way, beside a capsule, and on the edge of a box.
    let lying = |at: [f64; 3]| Pose3::new(at, quarter_about_z());
    let found = d3::manifold(&can, lying(ORIGIN), &can, lying([1.0, 0.75, 0.0])).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-1.0, 0.375, 0.0], [2.0, 0.375, 0.0]].map(|p| (p.to_vec(), 0.25)));
    let pill = d3::Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5).unwrap();
    let found = d3::manifold(&can, lying(ORIGIN), &pill, [0.0, 0.0, 0.75]).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-1.0, 0.0, 0.375], [1.0, 0.0, 0.375]].map(|p| (p.to_vec(), 0.25)));
    // Across each other they have one point.
    let found = meet(&can, &can, Pose3::new([0.0, 0.0, 0.75], quarter_about_z()));
    let only = found.points()[0];
    let off = only.point - Vec3::new(0.0, 0.0, 0.375);
    assert!(found.points().len() == 1 && only.depth == 0.25 && off.dot(off) < 1e-12, "{found:?}");
}

#[test]
fn caps_on_caps() {
    let can = d3::Cylinder::new(1.0, 0.5).unwrap();
    let wide = d3::Cylinder::new(1.0, 2.0).unwrap();
    let found = meet(&wide, &can, [1.0, 1.75, 0.0]);
    let rim = [[0.5, 0.875, 0.0], [1.0, 0.875, -0.5], [1.0, 0.875, 0.5], [1.5, 0.875, 0.0]];
    assert_eq!(sorted(&found), rim.map(|p| (p.to_vec(), 0.25)));
    // A lens: the rims cross at x = 0.4, z = ±0.3.
    let found = meet(&can, &can, [0.8, 2.0, 0.0]);
    assert_eq!(found.points().len(), 4, "{found:?}");
    for (x, z) in [(0.4, 0.3), (0.4, -0.3), (0.3, 0.0), (0.5, 0.0)] {
        let near = |p: &Vec3<f64>| (p.x - x).abs() < 1e-14 && p.y == 1.0 && (p.z - z).abs() < 1e-14;
        assert!(found.points().iter().any(|p| near(&p.point) && p.depth == 0.0), "{x} {z} {found:?}");
    }
}

#[test]
fn cones() {
    let (table, hat) = (box3(4.0, 1.0, 4.0), d3::Cone::new(1.0, 0.5).unwrap());
    let standing = meet(&table, &hat, [0.0, 1.75, 0.0]);
    let rim = [[-0.5, 0.875, 0.0], [0.0, 0.875, -0.5], [0.0, 0.875, 0.5], [0.5, 0.875, 0.0]];
    assert_eq!(sorted(&standing), rim.map(|p| (p.to_vec(), 0.25)));
    let upside_down = Pose3::new([0.0, 1.75, 0.0], Quat::new(0.0, 0.0, 1.0, 0.0).unwrap());
    assert_eq!(sorted(&meet(&table, &hat, upside_down)), [(vec![0.0, 0.875, 0.0], 0.25)]);
    // On its side: with height 4 and radius 3 the slope is 5 long, and the axis leans by atan(3/4).
    let hat = d3::Cone::new(2.0, 3.0).unwrap();
    let lean = Quat::from_axis_angle([0.0, 0.0, 1.0], 0.75_f64.atan() + std::f64::consts::FRAC_PI_2).unwrap();
    // The side passes through the tip at +2 along the axis, (−0.8·2, …): raise it by what is below.
    let tip = lean.rotate(Vec3::new(0.0, 2.0, 0.0));
    let found = meet(&table, &hat, Pose3::new([0.0, 1.0 - tip.y - 1e-3, 0.0], lean));
    assert_eq!(found.points().len(), 2, "{found:?}");
    assert!(found.points().iter().all(|p| (p.depth - 1e-3).abs() < 1e-9), "{found:?}");
    let [p, q] = [found.points()[0].point, found.points()[1].point];
    assert!(((p - q).dot(p - q) - 25.0).abs() < 1e-6, "{found:?}");
}

/// A hull of the corners of a box is that box.
#[test]
fn hulls_of_boxes_are_boxes() {
    let (small, large) = ([1.0, 0.5, 0.75], [2.0, 1.0, 1.5]);
    let mut rng = Rng::new(1);
    let mut compared = 0;
    for round in 0..400 {
        let turn = if round % 2 == 0 {
            generate::cube_rotation(&mut rng)
        } else {
            generate::unit_quaternion(&mut rng)
        };
        let rotation = Quat::new(turn[0], turn[1], turn[2], turn[3]).unwrap();
        let at = [0; 3].map(|_| f64::from(rng.between(-8, 8)) * 0.25);
        let boxes = |[x, y, z]: [f64; 3]| (Shape::from(box3(x, y, z)), Shape::from(hull_of_box(x, y, z)));
        let ((a, hull_a), (b, hull_b)) = (boxes(small), boxes(large));
        let pose = Pose3::new(at, rotation);
        let plain = d3::manifold_within(&a, ORIGIN, &b, pose, 0.125).unwrap();
        for (a, b) in [(&hull_a, &b), (&a, &hull_b), (&hull_a, &hull_b)] {
            let hull = d3::manifold_within(a, ORIGIN, b, pose, 0.125).unwrap();
            assert_eq!(plain.is_some(), hull.is_some());
            let (Some(plain), Some(hull)) = (&plain, &hull) else { continue };
            assert!((plain.depth() - hull.depth()).abs() < 1e-13, "{plain:?} {hull:?}");
            // Directions that are equally deep are a choice, and so are faces that lean alike.
            let turned = plain.normal() - hull.normal();
            let is_flat = plain.points().iter().all(|p| plain.depth() - p.depth < 1e-9);
            if turned.dot(turned) < 1e-20 && 2 < plain.points().len() && is_flat {
                compared += 1;
                let (one, other) = (span(plain), span(hull));
                // More than four points leave a choice as well.
                let close = if round % 2 == 0 { (one - other).abs() < 1e-9 } else { other < 2.0 * one };
                assert!(close && one < 2.0 * other + 1e-9, "{plain:?} {hull:?}");
            }
        }
    }
    assert!(50 < compared, "{compared}");
    // On the lattice they are the same points to the bit.
    let at = [0.5, 1.25, 0.25];
    let plain = d3::manifold(&box3(1.0, 0.5, 1.0), ORIGIN, &box3(2.0, 1.0, 1.0), at).unwrap().unwrap();
    let hull =
        d3::manifold(&hull_of_box(1.0, 0.5, 1.0), ORIGIN, &hull_of_box(2.0, 1.0, 1.0), at).unwrap().unwrap();
    assert_eq!((plain.normal(), sorted(&plain)), (hull.normal(), sorted(&hull)));
}

/// The area that the points span, seen along the normal.
fn span(found: &Manifold<Vec3<f64>>) -> f64 {
    let n = found.normal();
    let u = if n.x.abs() < 0.7 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
    let v = n.cross(u);
    let u = v.cross(n);
    let flat: Vec<Vec2<f64>> =
        found.points().iter().map(|p| Vec2::new(u.dot(p.point), v.dot(p.point))).collect();
    area_of_hull(&flat).abs() / u.dot(u)
}

/// The order in which the points of a hull are given makes no difference.
#[test]
fn permutations_of_vertices() {
    let mut rng = Rng::new(2);
    for _ in 0..50 {
        let mut points: Vec<[f64; 3]> = (0..20).map(|_| generate::unit_vector(&mut rng)).collect();
        let one = d3::ConvexHull::new(points.clone()).unwrap();
        for k in (1..points.len()).rev() {
            points.swap(k, rng.below(k + 1));
        }
        let other = d3::ConvexHull::new(points).unwrap();
        let pose = Pose3::new([0.0, 1.75, 0.0], Quat::new(0.1, 0.2, 0.3, 1.0).unwrap());
        let cube = box3(1.0, 1.0, 1.0);
        assert_eq!(
            d3::manifold_within(&cube, ORIGIN, &one, pose, 0.5).unwrap(),
            d3::manifold_within(&cube, ORIGIN, &other, pose, 0.5).unwrap()
        );
    }
}

/// A prism with any number of corners stands on a plane, a table and a prism: four points that surround
/// its middle and span as much as four points can. (Peers that take the first corners of a face tip over.)
#[test]
fn prisms_stand() {
    let ground = Shape::from(d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap());
    let table = Shape::from(box3(4.0, 1.0, 4.0));
    for count in [3, 5, 12, 16, 17, 64, 65, 100, 257] {
        let mut points = Vec::new();
        for k in 0..count {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            points.extend([-1.0, 1.0].map(|y| [angle.cos(), y, angle.sin()]));
        }
        let prism = Shape::from(d3::ConvexHull::new(points).unwrap());
        let whole = 0.5 * count as f64 * (std::f64::consts::TAU / count as f64).sin();
        for (support, height) in [(&ground, 1.0), (&table, 2.0), (&prism, 2.0)] {
            let found = meet(support, &prism, [0.25, height - 0.125, 0.0]);
            let least = if std::ptr::eq(support, &prism) { 0.4 } else { 0.5 };
            assert!(least * whole < span(&found), "{count} {found:?}");
            assert!(found.points().iter().all(|p| p.depth == found.depth()), "{count} {found:?}");
        }
    }
}

#[test]
fn rounded_shapes() {
    let tile = d3::Rounded::new(box3(1.0, 0.25, 1.0), 0.25).unwrap();
    // Two of them: the corners of the flat parts, a radius above each core.
    let found = meet(&tile, &tile, [0.5, 0.75, 0.0]);
    assert_eq!(found.normal(), Vec3::new(0.0, 1.0, 0.0));
    let corners = [[-0.5, 0.375, -1.0], [-0.5, 0.375, 1.0], [1.0, 0.375, -1.0], [1.0, 0.375, 1.0]];
    assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.25)));
    let pill = d3::Capsule::new([-4.0, 0.0, 0.0], [0.5, 0.0, 0.0], 0.25).unwrap();
    let found = meet(&hull_of_box(1.0, 1.0, 1.0), &pill, [0.0, 1.125, 0.5]);
    assert_eq!(sorted(&found), [[-1.0, 0.9375, 0.5], [0.5, 0.9375, 0.5]].map(|p| (p.to_vec(), 0.125)));
    let cheese = d3::Rounded::new(d3::Cylinder::new(0.5, 1.0).unwrap(), 0.5).unwrap();
    let found = meet(&box3(4.0, 1.0, 4.0), &cheese, [0.0, 2.0, 0.0]);
    let rim = [[-1.0, 1.0, 0.0], [0.0, 1.0, -1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]];
    assert_eq!(sorted(&found), rim.map(|p| (p.to_vec(), 0.0)));
    let egg = d3::Ellipsoid::new([1.0, 0.5, 1.0]).unwrap();
    let found = meet(&box3(4.0, 1.0, 4.0), &egg, [0.5, 1.25, 0.0]);
    assert_eq!((found.points().len(), found.depth()), (1, 0.25));
    // In the plane.
    let plate = d2::Rounded::new(d2::Cuboid::new([1.0, 0.25]).unwrap(), 0.25).unwrap();
    let found = d2::manifold(&plate, [0.0, 0.0], &plate, [0.5, 0.75]).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-0.5, 0.375], [1.0, 0.375]].map(|p| (p.to_vec(), 0.25)));
    let house =
        d2::ConvexPolygon::new([[-1.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-1.0, 1.0]]).unwrap();
    let found =
        d2::manifold(&d2::Cuboid::new([2.0, 1.0]).unwrap(), [1.5, -1.0], &house, [0.0, -0.25]).unwrap();
    assert_eq!(sorted(&found.unwrap()), [[-0.5, -0.125], [1.0, -0.125]].map(|p| (p.to_vec(), 0.25)));
}

/// One step of the last bit up or down: touching with all points, or apart.
#[test]
fn one_step_decides() {
    let (table, can) = (box3(4.0, 1.0, 4.0), d3::Cylinder::new(1.0, 0.5).unwrap());
    let prism = hull_of_box(0.5, 1.0, 0.5);
    for shape in [Shape::from(can), Shape::from(prism)] {
        let at = |y: f64| d3::manifold(&table, ORIGIN, &shape, [0.0, y, 0.0]).unwrap();
        assert!(at(2.0_f64.next_up()).is_none(), "{shape:?}");
        assert_eq!(at(2.0).unwrap().points().len(), 4, "{shape:?}");
        assert!(at(2.0_f64.next_down()).unwrap().points().len() == 4, "{shape:?}");
    }
}

/// The same names while a shape trembles by 1e-6 where it rests, sunk in by 1e-4.
#[test]
fn names_of_all_kinds_survive_jitter() {
    let table = box3(3.0, 1.0, 3.0);
    let upright = |y: f64| ([0.1, y, 0.2], Quat::IDENTITY);
    let shapes = [
        (Shape::from(d3::Cylinder::new(0.5, 1.0).unwrap()), upright(1.5), 4),
        (d3::Cylinder::new(1.0, 0.5).unwrap().into(), ([0.1, 1.5, 0.2], quarter_about_z()), 2),
        (d3::Cone::new(0.5, 1.0).unwrap().into(), upright(1.5), 4),
        (hull_of_box(1.0, 0.5, 0.75).into(), upright(1.5), 4),
        (d3::Rounded::new(box3(1.0, 0.25, 0.75), 0.25).unwrap().into(), upright(1.5), 4),
        (d3::Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5).unwrap().into(), upright(1.5), 2),
    ];
    let mut rng = Rng::new(3);
    for (shape, (at, turn), count) in shapes {
        let mut previous = Vec::new();
        let mut changes = 0;
        for frame in 0..500 {
            let mut jitter = || rng.uniform(-1e-6, 1e-6);
            let rotation = Quat::from_rotation_vector([jitter(), jitter(), jitter()]) * turn;
            let place = [at[0] + jitter(), at[1] - 1e-4 + jitter(), at[2] + jitter()];
            let found = d3::manifold(&table, ORIGIN, &shape, Pose3::new(place, rotation)).unwrap().unwrap();
            assert_eq!(found.points().len(), count, "{shape:?} {found:?}");
            let names = names(found.points());
            changes += usize::from(0 < frame && names != previous);
            previous = names;
        }
        assert!(changes < 5, "{shape:?}: {changes} of 500");
    }
}

/// What a cap or a prism shares with a table, as a polygon with very many corners, against what the points
/// span: at least half, but for areas that are specks next to the cap.
#[test]
fn points_span_half_of_what_faces_share() {
    let mut rng = Rng::new(4);
    let mut least: f64 = 1.0;
    for round in 0..3000 {
        let half = [0; 2].map(|_| rng.uniform(0.2, 2.0));
        let angle = rng.uniform(-3.0, 3.0);
        let at = [0; 2].map(|_| rng.uniform(-2.0, 2.0));
        let radius = rng.uniform(0.3, 1.5);
        let count = [3, 7, 24, 4096][round % 4];
        let circle = |k: usize| {
            let angle = std::f64::consts::TAU * k as f64 / count as f64;
            [radius * angle.cos(), radius * angle.sin()]
        };
        let shape: Shape<f64> = if count == 4096 {
            d3::Cylinder::new(10.0, radius).unwrap().into()
        } else {
            let points = (0..count).map(circle).flat_map(|[x, z]| [[x, -10.0, z], [x, 10.0, z]]);
            d3::ConvexHull::new(points.collect::<Vec<_>>()).unwrap().into()
        };
        let rotation = Quat::from_axis_angle([0.0, 1.0, 0.0], angle).unwrap();
        let pose = Pose3::new([at[0], 19.99, at[1]], rotation);
        let table = d3::Cuboid::new([half[0], 10.0, half[1]]).unwrap();
        let Some(found) = d3::manifold_within(&table, ORIGIN, &shape, pose, 0.1).unwrap() else { continue };
        if found.normal().y < 0.999 {
            continue;
        }
        // Seen from above with z to the right, so that what is counter-clockwise about y is so here.
        let turned = |[x, z]: [f64; 2]| {
            let p = pose.point_to_world(Vec3::new(x, 0.0, z));
            Vec2::new(p.z, p.x)
        };
        let steps = if count == 4096 { 96 } else { count };
        let mut face: Vec<Vec2<f64>> = (0..steps).map(|k| turned(circle(k * count / steps))).collect();
        face.reverse();
        let [x, z] = half;
        let rectangle = [[-z, -x], [z, -x], [z, x], [-z, x]].map(|[z, x]| Vec2::new(z, x));
        let whole = area_of_hull(&corners_of_intersection(&rectangle, &face));
        if 1e-3 < whole {
            let ratio = span(&found) / whole;
            assert!(ratio < 1.01, "{ratio} {shape:?} {found:?}");
            least = least.min(ratio);
            assert!(0.5 <= ratio, "{ratio} of {whole}: {shape:?} {pose:?} {found:?}");
        }
    }
    assert!(0.5 <= least, "{least}");
}
