//! Clashes: against interval arithmetic for boxes along the axes, and against what is known of simple scenes.

use carom_geometry::clash::{Clash, ClashKind, ClashOptions};
use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::Rng;

type Item = (d3::Shape<f64>, Pose3<f64>);

/// The triangles of a box along the axes, outwards, as a solid.
fn box_mesh(half: [f64; 3]) -> d3::TriangleMesh<f64> {
    let corner =
        |id: usize| core::array::from_fn(|axis| if id >> axis & 1 == 0 { -half[axis] } else { half[axis] });
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    d3::TriangleMesh::new(corners, faces.into_iter().flat_map(halves)).unwrap().solid().unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose3<f64> {
    Pose3::from([x, y, z])
}

fn only(items: &[Item], options: ClashOptions<f64>) -> Option<Clash<Vec3<f64>>> {
    let report = d3::clashes(items, options).unwrap();
    assert!(report.refused.is_empty() && report.undecided.is_empty(), "{report:?}");
    assert!(report.clashes.len() <= 1, "{report:?}");
    report.clashes.first().copied()
}

/// What interval arithmetic says about two boxes along the axes; lattice numbers, so all of it is exact.
fn by_intervals(a: [[f64; 3]; 2], b: [[f64; 3]; 2], clearance: f64) -> Option<ClashKind> {
    let ([center_a, half_a], [center_b, half_b]) = (a, b);
    let gap = |i: usize| (center_a[i] - center_b[i]).abs() - half_a[i] - half_b[i];
    let apart = (0..3).map(|i| gap(i).max(0.0)).map(|x| x * x).sum::<f64>();
    let holds = |[outer, by]: [[f64; 3]; 2], [inner, of]: [[f64; 3]; 2]| {
        (0..3).all(|i| (outer[i] - inner[i]).abs() + of[i] <= by[i])
    };
    if 0.0 < apart {
        return (apart <= clearance * clearance).then_some(ClashKind::Near);
    }
    Some(match (holds(b, a), holds(a, b)) {
        _ if (0..3).any(|i| gap(i) == 0.0) => ClashKind::Touching,
        (true, true) => ClashKind::Duplicate,
        (true, false) => ClashKind::FirstInside,
        (false, true) => ClashKind::SecondInside,
        (false, false) => ClashKind::Piercing,
    })
}

#[test]
fn boxes_clash_as_intervals_say() {
    let mut rng = Rng::new(71);
    for _ in 0..40 {
        let boxes: Vec<[[f64; 3]; 2]> = (0..40)
            .map(|_| {
                let center = core::array::from_fn(|_| rng.between(-12, 12) as f64 * 0.5);
                [center, core::array::from_fn(|_| rng.between(1, 6) as f64 * 0.5)]
            })
            .collect();
        let item =
            |[center, half]: [[f64; 3]; 2]| (d3::Cuboid::new(half).unwrap().into(), Pose3::from(center));
        let items: Vec<Item> = boxes.iter().copied().map(item).collect();
        let report = d3::clashes(&items, ClashOptions { clearance: 0.75, touch: 0.0 }).unwrap();
        let found: Vec<_> = report.clashes.iter().map(|c| ([c.first, c.second], c.kind)).collect();
        let pairs = (0..boxes.len()).flat_map(|i| (i + 1..boxes.len()).map(move |j| [i, j]));
        let expected: Vec<_> =
            pairs.filter_map(|[i, j]| Some(([i, j], by_intervals(boxes[i], boxes[j], 0.75)?))).collect();
        assert_eq!(found, expected);
        for clash in &report.clashes {
            let is_overlap = !matches!(clash.kind, ClashKind::Near | ClashKind::Touching);
            assert_eq!(is_overlap, 0.0 < clash.depth, "{clash:?}");
            assert_eq!(clash.kind == ClashKind::Near, 0.0 < clash.distance, "{clash:?}");
        }
    }
}

/// The same boxes as solid meshes, in triangles of two sorts, and as a mesh and a box: all kinds stay the same, flush
/// ones included.
#[test]
fn meshes_of_boxes_clash_like_boxes() {
    let mut rng = Rng::new(72);
    let mut flush = 0;
    for case in 0..32 {
        let boxes: [[[f64; 3]; 2]; 2] = core::array::from_fn(|_| {
            let center = core::array::from_fn(|_| rng.between(-3, 3) as f64 * 0.5);
            [center, core::array::from_fn(|_| rng.between(1, 6) as f64 * 0.5)]
        });
        let expected = by_intervals(boxes[0], boxes[1], 0.75);
        let is_flush = (0..3).any(|i| {
            let [[a, half_a], [b, half_b]] = boxes.map(|[center, half]| [center[i], half[i]]);
            a + half_a == b + half_b || a - half_a == b - half_b
        });
        let is_inside = matches!(expected, Some(ClashKind::FirstInside | ClashKind::SecondInside));
        flush += usize::from(is_flush && is_inside);
        let [[first, half_first], [second, half_second]] = boxes;
        let mesh: Item = (box_mesh(half_first).into(), Pose3::from(first));
        let other: d3::Shape<f64> = match case % 3 {
            0 => box_mesh(half_second).into(),
            1 => turned_mesh(half_second).into(),
            _ => d3::Cuboid::new(half_second).unwrap().into(),
        };
        let items = [mesh, (other, Pose3::from(second))];
        let found = only(&items, ClashOptions { clearance: 0.75, touch: 0.0 });
        assert_eq!(found.map(|clash| clash.kind), expected, "{boxes:?} {found:?}");
    }
    assert!(2 <= flush, "{flush}");
}

/// The triangles of a box, cut along the other diagonals.
fn turned_mesh(half: [f64; 3]) -> d3::TriangleMesh<f64> {
    let mesh = box_mesh(half);
    let turned = mesh.triangles().chunks(2).flat_map(|pair| {
        // Of [a, b, c] and [a, c, d] the diagonal is from a to c.
        let ([a, b, c], d) = (pair[0], pair[1][2]);
        [[b, c, d], [b, d, a]]
    });
    d3::TriangleMesh::new(mesh.vertices(), turned).unwrap().solid().unwrap()
}

/// Several meshes as one.
fn joined(meshes: &[(d3::TriangleMesh<f64>, [f64; 3])]) -> d3::TriangleMesh<f64> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (mesh, by) in meshes {
        let before = vertices.len() as u32;
        vertices.extend(mesh.vertices().map(|p| p + Vec3::from(*by)));
        triangles.extend(mesh.triangles().iter().map(|corners| corners.map(|index| index + before)));
    }
    d3::TriangleMesh::new(vertices, triangles).unwrap()
}

/// The common volume of each of these pairs is that of the smaller one, although no surface goes into the other solid.
#[test]
fn solids_whose_surfaces_coincide_overlap() {
    let origin = at(0.0, 0.0, 0.0);
    let kind = |first: &d3::Shape<f64>, second: &d3::Shape<f64>| {
        let found =
            only(&[(first.clone(), origin), (second.clone(), origin)], ClashOptions::default()).unwrap();
        if found.kind != ClashKind::Touching {
            // No ball inside of the cube of 1 has a larger radius than half of it.
            assert!(0.0 < found.depth && found.depth <= 0.5 && 0.5 <= found.depth_upper, "{found:?}");
            let way = Vector::length(found.point_second - found.point_first);
            assert!((way - found.depth).abs() <= 1e-12, "{found:?}");
        }
        found.kind
    };
    let half = [0.5; 3];
    let cube: d3::Shape<f64> = box_mesh(half).into();
    let other: d3::Shape<f64> = turned_mesh(half).into();
    let two: d3::Shape<f64> =
        joined(&[(box_mesh(half), [3.0, 0.0, 0.0]), (turned_mesh(half), [0.0; 3])]).solid().unwrap().into();
    // Two cubes with an edge in common have four triangles there.
    let by_an_edge: d3::Shape<f64> =
        joined(&[(box_mesh(half), [1.0, 1.0, 0.0]), (turned_mesh(half), [0.0; 3])]).solid().unwrap().into();
    let beside: d3::Shape<f64> =
        joined(&[(box_mesh(half), [-3.0, 0.0, 0.0]), (box_mesh(half), [0.0; 3])]).solid().unwrap().into();
    assert_eq!(kind(&cube, &other), ClashKind::Duplicate);
    assert_eq!(kind(&two, &cube), ClashKind::SecondInside);
    assert_eq!(kind(&cube, &by_an_edge), ClashKind::FirstInside);
    assert_eq!(kind(&two, &beside), ClashKind::Piercing);
    assert_eq!(kind(&d3::Cuboid::new(half).unwrap().into(), &other), ClashKind::Duplicate);
    // What fills a hollow has its surface in common with what is around it, and nothing else.
    let hollow = turned_mesh(half);
    let inward = hollow.triangles().iter().map(|&[a, b, c]| [a, c, b]);
    let hollow = d3::TriangleMesh::new(hollow.vertices(), inward).unwrap();
    let shell: d3::Shape<f64> =
        joined(&[(box_mesh([1.0; 3]), [0.0; 3]), (hollow, [0.0; 3])]).solid().unwrap().into();
    assert_eq!(kind(&shell, &cube), ClashKind::Touching);
}

#[test]
fn outlines_from_another_corner_are_the_same() {
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
    let outline = |points: Vec<[f64; 2]>| d2::Shape::from(d2::Outline::new(points).unwrap());
    let from = |first: usize| (0..6).map(|k| corners[(first + k) % 6]).collect::<Vec<_>>();
    let with_one_more = || [&corners[..1], &[[2.5, 0.0]], &corners[1..]].concat();
    let flush = d2::Shape::from(d2::Cuboid::new([0.5, 0.5]).unwrap());
    let kind = |shape: d2::Shape<f64>, center: [f64; 2]| {
        let items = [(outline(from(0)), Pose2::IDENTITY), (shape, Pose2::from(center))];
        let report = d2::clashes(&items, ClashOptions::default()).unwrap();
        report.clashes.iter().map(|clash| clash.kind).collect::<Vec<_>>()
    };
    assert_eq!(kind(outline(from(2)), [0.0, 0.0]), [ClashKind::Duplicate]);
    assert_eq!(kind(outline(with_one_more()), [0.0, 0.0]), [ClashKind::Duplicate]);
    assert_eq!(kind(flush.clone(), [2.5, 0.5]), [ClashKind::SecondInside]);
    // In the corner that is left open it has two sides in common with the outline from outside.
    assert_eq!(kind(flush, [1.5, 1.5]), [ClashKind::Touching]);
}

#[test]
fn depth_of_a_mesh_is_how_far_it_protrudes() {
    let options = ClashOptions::default();
    // A box an eighth deep in a slab: neither the size of the slab nor its triangles matter.
    let slab: d3::Shape<f64> = box_mesh([50.0, 1.0, 50.0]).into();
    let cube: d3::Shape<f64> = box_mesh([0.5, 0.5, 0.5]).into();
    let turned = Pose3::new([3.0, 1.375, -7.0], Quat::new(0.0, 1.0, 0.0, 3.0).unwrap());
    let found = only(&[(slab.clone(), at(0.0, 0.0, 0.0)), (cube, turned)], options).unwrap();
    assert_eq!(found.kind, ClashKind::Piercing);
    assert!((found.depth - 0.125).abs() <= 1e-12 && found.depth_upper <= 0.1252, "{found:?}");
    assert!((found.normal.y - 1.0).abs() <= 1e-12, "from the slab to the box: {found:?}");

    // A rod through the slab: its middle is one deep, while the slab's faces are a quarter deep in the rod.
    let rod: d3::Shape<f64> = box_mesh([0.25, 9.0, 0.25]).into();
    let found = only(&[(slab.clone(), at(0.0, 0.0, 0.0)), (rod, at(3.0, 0.5, 2.0))], options).unwrap();
    assert_eq!(found.kind, ClashKind::Piercing);
    assert!(found.depth <= 1.0 && 1.0 <= found.depth_upper && 0.99 <= found.depth, "{found:?}");

    // A ball that dents the slab, and one that is swallowed.
    let ball: d3::Shape<f64> = d3::Ball::new(0.5).unwrap().into();
    let dent =
        only(&[(ball.clone(), at(0.5, 1.25, 0.25)), (slab.clone(), at(0.0, 0.0, 0.0))], options).unwrap();
    assert_eq!(dent.kind, ClashKind::Piercing);
    assert!((dent.depth - 0.25).abs() <= 1e-3, "{dent:?}");
    let inside = only(&[(ball, at(0.5, 0.25, 0.25)), (slab, at(0.0, 0.0, 0.0))], options).unwrap();
    assert_eq!(inside.kind, ClashKind::FirstInside);
    assert!(0.75 <= inside.depth && 1.0 <= inside.depth_upper, "{inside:?}");
}

#[test]
fn the_same_twice_is_a_duplicate() {
    let options = ClashOptions::default();
    let mesh: Item = (box_mesh([1.0, 2.0, 3.0]).into(), at(5.0, 0.0, 0.0));
    let cuboid: Item = (d3::Cuboid::new([1.0, 2.0, 3.0]).unwrap().into(), at(5.0, 0.0, 0.0));
    assert_eq!(only(&[mesh.clone(), mesh], options).unwrap().kind, ClashKind::Duplicate);
    assert_eq!(only(&[cuboid.clone(), cuboid.clone()], options).unwrap().kind, ClashKind::Duplicate);
    // Turned by a quarter about an axis of symmetry it is still the same body.
    let turn = Quat::new(0.0, 1.0, 0.0, 0.0).unwrap();
    let turned = (cuboid.0.clone(), Pose3::new(cuboid.1.translation, turn));
    assert_eq!(only(&[cuboid, turned], options).unwrap().kind, ClashKind::Duplicate);
}

#[test]
fn surfaces_pierce_and_contain_nothing() {
    let sheet = |x: f64| {
        let corners = [[x, -1.0, -1.0], [x, 1.0, -1.0], [x, 0.0, 1.0]];
        d3::Shape::from(d3::TriangleMesh::new(corners, [[0, 1, 2]]).unwrap())
    };
    let tilted = Pose3::new([0.0, 0.0, 0.0], Quat::new(0.0, 0.0, 1.0, 1.0).unwrap());
    let crossing =
        only(&[(sheet(0.0), at(0.0, 0.0, 0.0)), (sheet(0.0), tilted)], ClashOptions::default()).unwrap();
    assert_eq!(crossing.kind, ClashKind::Piercing);
    let ball: d3::Shape<f64> = d3::Ball::new(5.0).unwrap().into();
    let swallowed =
        only(&[(ball, at(0.0, 0.0, 0.0)), (sheet(0.5), at(0.0, 0.0, 0.0))], ClashOptions::default());
    assert_eq!(swallowed.unwrap().kind, ClashKind::SecondInside);
}

#[test]
fn half_spaces_reach_everywhere() {
    let floor: d3::Shape<f64> = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap().into();
    let ball: d3::Shape<f64> = d3::Ball::new(1.0).unwrap().into();
    let kind = |y: f64| {
        let items = [(floor.clone(), at(0.0, 0.0, 0.0)), (ball.clone(), at(1e6, y, -1e6))];
        only(&items, ClashOptions { clearance: 0.5, touch: 0.0 }).map(|clash| clash.kind)
    };
    assert_eq!(kind(2.0), None);
    assert_eq!(kind(1.25), Some(ClashKind::Near));
    assert_eq!(kind(1.0), Some(ClashKind::Touching));
    assert_eq!(kind(0.5), Some(ClashKind::Piercing));
    assert_eq!(kind(-3.0), Some(ClashKind::SecondInside));
}

#[test]
fn half_spaces_are_inside_of_nothing() {
    let floor: d3::Shape<f64> = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap().into();
    let corners = [[-2.0, -1.0, -2.0], [2.0, -1.0, -2.0], [0.0, -1.0, 2.0], [0.0, 1.0, 0.0]];
    let slab = d3::Cuboid::new([2.0, 1.0, 2.0]).unwrap();
    let outer: [d3::Shape<f64>; 7] = [
        slab.into(),
        d3::ConvexHull::new(corners).unwrap().into(),
        d3::Ball::new(1.0).unwrap().into(),
        d3::Cylinder::new(1.0, 3.0).unwrap().into(),
        box_mesh([2.0, 1.0, 2.0]).into(),
        d3::Rounded::new(d3::Cuboid::new([1.0, 0.5, 1.0]).unwrap(), 0.5).unwrap().into(),
        d3::Compound::new([(d3::Shape::from(slab), at(0.0, 0.0, 0.0))]).unwrap().into(),
    ];
    for shape in outer {
        // One unit of it is above the floor and one below, so either way out is one long at least.
        for items in [[&shape, &floor], [&floor, &shape]] {
            let items = items.map(|item| (item.clone(), at(0.0, 0.0, 0.0)));
            let clash = only(&items, ClashOptions::default()).unwrap();
            assert_eq!((clash.kind, clash.depth), (ClashKind::Piercing, 1.0), "{items:?}");
        }
    }
    let floor: d2::Shape<f64> = d2::HalfSpace::new([0.0, 1.0], 0.0).unwrap().into();
    let outer: [d2::Shape<f64>; 2] = [
        d2::Cuboid::new([2.0, 1.0]).unwrap().into(),
        d2::Outline::new([[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [0.0, 0.5], [-2.0, 1.0]]).unwrap().into(),
    ];
    for shape in outer {
        let items = [shape, floor.clone()].map(|item| (item, Pose2::from([0.0, 0.0])));
        let report = d2::clashes(&items, ClashOptions::default()).unwrap();
        assert_eq!(report.clashes[0].kind, ClashKind::Piercing, "{items:?}");
    }
}

#[test]
fn what_may_be_overlooked_touches() {
    let cube: d3::Shape<f64> = d3::Cuboid::new([1.0; 3]).unwrap().into();
    let kind = |x: f64| {
        let items = [(cube.clone(), at(0.0, 0.0, 0.0)), (cube.clone(), at(x, 0.0, 0.0))];
        only(&items, ClashOptions { clearance: 0.0, touch: 0.01 }).map(|clash| clash.kind)
    };
    assert_eq!(
        [kind(2.02), kind(2.005), kind(1.995), kind(1.98)].map(|kind| kind.map(ClashKind::name)),
        [None, Some("touching"), Some("touching"), Some("piercing"),]
    );
}

#[test]
fn bad_items_are_named_and_the_others_go_on() {
    let ball: d3::Shape<f64> = d3::Ball::new(1.0).unwrap().into();
    let lost = Pose3::new([f64::NAN, 0.0, 0.0], Quat::IDENTITY);
    let items = [(ball.clone(), at(0.0, 0.0, 0.0)), (ball.clone(), lost), (ball.clone(), at(1.5, 0.0, 0.0))];
    let report = d3::clashes(&items, ClashOptions::default()).unwrap();
    assert_eq!((report.clashes.len(), report.refused.len()), (1, 1));
    assert!(matches!(report.refused[0], (1, Error::NotFinite { .. })));
    for clearance in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(d3::clashes(&items, ClashOptions { clearance, touch: 0.0 }).is_err());
        assert!(d3::clashes(&items, ClashOptions { clearance: 0.0, touch: clearance }).is_err());
    }
    assert!(d3::clashes::<f32>(&[], ClashOptions::default()).unwrap().clashes.is_empty());
}

#[test]
fn outlines_hold_what_does_not_cross_them() {
    // A U: the square between its arms has all corners near it and is not in it.
    let cup =
        [[0.0, 0.0], [6.0, 0.0], [6.0, 6.0], [4.0, 6.0], [4.0, 2.0], [2.0, 2.0], [2.0, 6.0], [0.0, 6.0]];
    let cup: d2::Shape<f64> = d2::Outline::new(cup).unwrap().into();
    let kind = |half: [f64; 2], center: [f64; 2]| {
        let square = d2::Cuboid::new(half).unwrap().into();
        let items: [(d2::Shape<f64>, Pose2<f64>); 2] =
            [(cup.clone(), [0.0, 0.0].into()), (square, center.into())];
        d2::clashes(&items, ClashOptions::default()).unwrap().clashes.first().map(|clash| clash.kind)
    };
    assert_eq!(kind([0.5, 0.5], [1.0, 3.0]), Some(ClashKind::SecondInside));
    assert_eq!(kind([0.5, 0.5], [3.0, 4.0]), None);
    assert_eq!(kind([1.0, 0.5], [3.0, 4.0]), Some(ClashKind::Touching));
    // Its corners are in both arms, and its middle is in neither.
    assert_eq!(kind([2.5, 0.5], [3.0, 4.0]), Some(ClashKind::Piercing));
    assert_eq!(kind([9.0, 9.0], [3.0, 3.0]), Some(ClashKind::FirstInside));
}

/// Everything scales with the unit of length, to the bit.
#[test]
fn lengths_in_another_unit_give_the_same_clashes() {
    let mut rng = Rng::new(73);
    let scene: Vec<([f64; 3], [f64; 3])> = (0..30)
        .map(|_| {
            let number =
                |rng: &mut Rng, low, high| core::array::from_fn(|_| f64::from(rng.between(low, high)) / 16.0);
            (number(&mut rng, -60, 60), number(&mut rng, 4, 30))
        })
        .collect();
    let clashes = |unit: f64| {
        let scaled = |v: [f64; 3]| v.map(|x| x * unit);
        let items: Vec<Item> = scene
            .iter()
            .enumerate()
            .map(|(index, (center, half))| {
                let half = scaled(*half);
                let shape = if index % 2 == 0 {
                    box_mesh(half).into()
                } else {
                    d3::Cuboid::new(half).unwrap().into()
                };
                (shape, Pose3::new(scaled(*center), Quat::new(1.0, 0.0, index as f64, 4.0).unwrap()))
            })
            .collect();
        d3::clashes(&items, ClashOptions { clearance: unit / 4.0, touch: 0.0 }).unwrap().clashes
    };
    let (small, large) = (clashes(1.0), clashes(1024.0));
    assert!(10 < small.len());
    assert_eq!(small.len(), large.len());
    for (small, large) in small.iter().zip(&large) {
        assert_eq!((small.kind, small.depth * 1024.0), (large.kind, large.depth), "{small:?} {large:?}");
        assert!((small.normal - large.normal).length() == 0.0, "{small:?} {large:?}");
    }
}

/// Whether the second item is told as lying within the first.
fn holds(outer: impl Into<d3::Shape<f64>>, inner: impl Into<d3::Shape<f64>>, place: Pose3<f64>) -> bool {
    let items = [(outer.into(), at(0.0, 0.0, 0.0)), (inner.into(), place)];
    let found = only(&items, ClashOptions::default()).unwrap();
    assert!(matches!(found.kind, ClashKind::SecondInside | ClashKind::Piercing), "{found:?}");
    found.kind == ClashKind::SecondInside
}

#[test]
fn curved_shapes_lie_within_others() {
    let crate_of = |half: f64| d3::Cuboid::new([half; 3]).unwrap();
    let can = d3::Cylinder::new(1.0, 1.0).unwrap();
    let hat = d3::Cone::new(1.0, 1.0).unwrap();
    let egg = d3::Ellipsoid::new([1.0, 0.5, 0.75]).unwrap();
    // Flat faces decide exactly, up to rounding: a can fits into a box as wide as itself.
    for (shape, radius) in [(d3::Shape::from(can), 1.2), (hat.into(), 1.2), (egg.into(), 0.9)] {
        assert!(holds(crate_of(1.0), shape.clone(), at(0.0, 0.0, 0.0)), "{shape:?}");
        assert!(!holds(crate_of(1.0), shape.clone(), at(1e-9, 0.0, 0.0)), "{shape:?}");
        assert!(holds(box_mesh([1.5; 3]), shape.clone(), at(0.25, 0.25, 0.25)), "{shape:?}");
        assert!(!holds(box_mesh([1.5; 3]), shape.clone(), at(1.0, 0.0, 0.0)), "{shape:?}");
        // The farthest points of the can are √2 from its middle, those of the others less.
        assert!(holds(d3::Ball::new(1.45).unwrap(), shape.clone(), at(0.0, 0.0, 0.0)), "{shape:?}");
        assert!(!holds(d3::Ball::new(radius).unwrap(), shape.clone(), at(0.0, 0.0, 0.0)), "{shape:?}");
    }
    // Turned by half a right angle the can is √2 wide along the axes.
    let half = std::f64::consts::FRAC_PI_8;
    let turned = Pose3::new(Vec3::ZERO, Quat::new(0.0, 0.0, half.sin(), half.cos()).unwrap());
    assert!(holds(crate_of(1.42), can, turned) && !holds(crate_of(1.41), can, turned));
}

#[test]
fn compounds_hold_by_their_parts_and_protrude_by_them() {
    let compound = |parts: Vec<Item>| d3::Compound::new(parts).unwrap();
    let rod = |x: f64| (d3::Shape::from(d3::Cuboid::new([0.25; 3]).unwrap()), at(x, 0.0, 0.0));
    let two = compound(vec![rod(-0.5), rod(0.5)]);
    // Both of the parts have to be inside.
    assert!(holds(d3::Cuboid::new([1.0; 3]).unwrap(), two.clone(), at(0.0, 0.0, 0.0)));
    assert!(!holds(d3::Cuboid::new([1.0; 3]).unwrap(), two.clone(), at(0.5, 0.0, 0.0)));
    // A solid mesh stays solid among the parts of a compound.
    let hollow = (d3::Shape::from(box_mesh([1.0; 3]).surface()), at(0.0, 0.0, 0.0));
    let full = (d3::Shape::from(box_mesh([1.0; 3])), at(0.0, 0.0, 0.0));
    let marble = (d3::Shape::from(d3::Ball::new(0.25).unwrap()), at(0.25, 0.0, 0.0));
    let options = ClashOptions::default();
    let around = |part: Item| (d3::Shape::from(compound(vec![part, rod(5.0)])), at(0.0, 0.0, 0.0));
    assert_eq!(only(&[around(hollow), marble.clone()], options), None);
    let found = only(&[around(full.clone()), marble], options).unwrap();
    assert_eq!(found.kind, ClashKind::SecondInside, "{found:?}");
    // Through the side of the solid by a quarter of its half width.
    let stuck = (d3::Shape::from(d3::Cuboid::new([0.5; 3]).unwrap()), at(1.25, 0.0, 0.0));
    let found = only(&[around(full), stuck], options).unwrap();
    assert_eq!((found.kind, found.depth), (ClashKind::Piercing, 0.25), "{found:?}");
}

#[test]
fn the_report_does_not_depend_on_threads_and_progress_ends() {
    let rng = &mut Rng::new(17);
    let items: Vec<Item> = (0..120)
        .map(|index| {
            let place = at(rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0));
            let half = [rng.uniform(0.2, 1.0), 0.5, 0.5];
            let shape: d3::Shape<f64> =
                if index % 3 == 0 { box_mesh(half).into() } else { d3::Cuboid::new(half).unwrap().into() };
            (shape, place)
        })
        .collect();
    let options = ClashOptions { clearance: 0.1, touch: 0.0 };
    let in_pool = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let last = std::sync::Mutex::new((0, 0));
        let progress = |done: usize, of: usize| {
            let mut last = last.lock().unwrap();
            *last = (last.0.max(done), of);
        };
        let report = pool.install(|| d3::clashes_with_progress(&items, options, &progress)).unwrap();
        let last = *last.lock().unwrap();
        assert_eq!(last, (report.pairs, report.pairs));
        report
    };
    let report = in_pool(1);
    assert!(20 < report.clashes.len());
    assert!(report.clashes.is_sorted_by_key(|clash| (clash.first, clash.second)));
    assert_eq!(report, in_pool(4));
    assert_eq!(report, d3::clashes(&items, options).unwrap());
}

#[test]
fn what_is_straight_holds_nothing_round() {
    let line = |from: f64, to: f64| d3::ConvexHull::new([[from, 0.0, 0.0], [to, 0.0, 0.0]]).unwrap();
    let kinds = |round: d3::Shape<f64>, line: d3::ConvexHull<f64>| {
        let items = [(round, Pose3::IDENTITY), (line.into(), Pose3::IDENTITY)];
        let found = d3::clashes(&items, ClashOptions::default()).unwrap();
        found.clashes.iter().map(|clash| clash.kind).collect::<Vec<_>>()
    };
    let rounds: [d3::Shape<f64>; 3] = [
        d3::Cylinder::new(1.0, 1.0).unwrap().into(),
        d3::Cone::new(1.0, 1.0).unwrap().into(),
        d3::Ellipsoid::new([1.0, 0.5, 0.75]).unwrap().into(),
    ];
    for round in rounds {
        assert_eq!(kinds(round.clone(), line(-0.1, 0.1)), [ClashKind::SecondInside]);
        assert_eq!(kinds(round.clone(), line(0.125, 0.125)), [ClashKind::SecondInside]);
        assert_eq!(kinds(round, line(-0.1, 2.0)), [ClashKind::Piercing]);
    }
}

/// The cube of 1 in the corner of one of 10²⁰⁰ is 1 deep, which is nothing at the scale of the larger one.
#[test]
fn sizes_beyond_all_comparison_are_undecided() {
    let corner = |half: f64| {
        let mesh = joined(&[(box_mesh([half; 3]), [half; 3])]).solid().unwrap();
        (d3::Shape::from(mesh), at(0.0, 0.0, 0.0))
    };
    let report = d3::clashes(&[corner(0.5), corner(5e199)], ClashOptions::default()).unwrap();
    assert!(report.clashes.is_empty(), "{report:?}");
    assert!(matches!(report.undecided[..], [([0, 1], Error::Overflow { .. })]), "{report:?}");
    let found = only(&[corner(0.5), corner(5e99)], ClashOptions::default()).unwrap();
    assert_eq!((found.kind, found.depth), (ClashKind::FirstInside, 1.0), "{found:?}");
}
