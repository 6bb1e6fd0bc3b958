//! Cases with a name: errors, insides, single triangles, numbers of every size.

use super::watertight::bumpy;
use carom_geometry::{CastOptions, Error, RayOptions, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{Rng, any_bits};

const CORNERS: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// A box without a lid has no volume, whatever other vertices there are, so nobody says one.
#[test]
fn solids_with_gaps_weigh_nothing_that_could_be_told() {
    let open = FACES[1..].iter().copied();
    let far = CORNERS.into_iter().chain([[100.0, 100.0, 100.0]]);
    for vertices in [CORNERS.to_vec(), far.collect()] {
        let mesh = d3::TriangleMesh::new(vertices.clone(), open.clone()).unwrap().solid_with_gaps();
        let refused = d3::mass_properties(&mesh, 1.0);
        let points: Vec<Vec3<f64>> = vertices.iter().map(|&vertex| vertex.into()).collect();
        assert!(matches!(refused, Err(Error::NotClosed { .. })), "{refused:?}");
        assert_eq!(refused, d3::mesh_mass(&points, &FACES[1..], 1.0));
        // Neither does what it is a part of.
        let compound = d3::Compound::new([(mesh.clone(), [1.0, 0.0, 0.0])]).unwrap();
        assert_eq!(d3::mass_properties(&compound, 1.0), refused);
        // As a surface it weighs nothing, as it always did.
        assert_eq!(d3::mass_properties(&mesh.surface(), 1.0).unwrap().mass, 0.0);
    }
    // Wound inside out is closed nevertheless, and has the same inside.
    for faces in [FACES, FACES.map(|[a, b, c]| [a, c, b])] {
        let solid = d3::TriangleMesh::new(CORNERS, faces).unwrap().solid_with_gaps();
        assert_eq!(d3::mass_properties(&solid, 1.0).unwrap().mass, 36.0);
    }
}

#[test]
fn bad_meshes_are_refused_by_name() {
    let none: [[u32; 3]; 0] = [];
    let empty = d3::TriangleMesh::new(CORNERS, none);
    assert_eq!(empty, Err(Error::NoTriangles { what: "triangles" }));
    let message = empty.unwrap_err().to_string();
    assert_eq!(message, "triangles must not be empty: a mesh needs at least one triangle");
    let beyond = d3::TriangleMesh::new(CORNERS, [[0, 1, 4]]);
    assert_eq!(beyond, Err(Error::NoSuchVertex { triangle: 0, vertex: 4, count: 4 }));
    let endless = d3::TriangleMesh::new([[f64::NAN, 0.0, 0.0]], [[0, 0, 0]]);
    assert!(matches!(endless, Err(Error::NotFiniteVertex { vertex: 0, .. })));
    let open = d3::TriangleMesh::new(CORNERS, FACES[1..].iter().copied()).unwrap();
    assert!(matches!(open.solid(), Err(Error::NotClosed { .. })));
    let inverted = d3::TriangleMesh::new(CORNERS, FACES.map(|[a, b, c]| [a, c, b])).unwrap();
    assert_eq!(inverted.solid(), Err(Error::InsideOut { what: "triangles" }));
    assert!(matches!(d2::Polyline::new([[0.0, 0.0]]), Err(Error::TooFewPoints { .. })));
    let uneven = d3::HeightField::new([vec![0.0, 0.0], vec![0.0]], [1.0, 1.0]);
    assert_eq!(uneven, Err(Error::UnevenRows { what: "heights", row: 1, expected: 2, count: 1 }));
    assert!(matches!(d3::HeightField::new([[0.0, 0.0]; 2], [1.0, 0.0]), Err(Error::Collapsed { .. })));
    assert!(matches!(d2::HeightField::new([0.0], 1.0), Err(Error::TooFewPoints { .. })));
    let nothing: [(d3::Shape<f64>, [f64; 3]); 0] = [];
    assert!(d3::Compound::new(nothing).is_err());
    let ball: d3::Shape<f64> = d3::Ball::new(1.0).unwrap().into();
    let inner = d3::Compound::new([(ball.clone(), [0.0, 0.0, 0.0])]).unwrap();
    assert!(matches!(
        d3::Compound::new([(inner.clone(), [0.0, 0.0, 0.0])]),
        Err(Error::UnsupportedShape { .. })
    ));
    assert!(d3::Rounded::new(inner, 1.0).is_err());
    assert!(d3::Compound::new([(ball, [f64::INFINITY, 0.0, 0.0])]).is_err());
}

/// A ball wholly inside of a solid is 0 away, and its way out is through the nearest face.
#[test]
fn what_is_inside_of_a_solid_is_pushed_out() {
    let solid = d3::TriangleMesh::new(CORNERS, FACES).unwrap().solid().unwrap();
    let ball = d3::Ball::new(0.25).unwrap();
    let here = [0.0, 0.0, 0.0];
    let found = d3::contact(&solid, here, &ball, [1.0, 1.5, 1.5]).unwrap().expect("it is inside");
    assert_eq!((found.depth, found.normal), (1.25, Vec3::new(-1.0, 0.0, 0.0)));
    let swapped = d3::contact(&ball, [1.0, 1.5, 1.5], &solid, here).unwrap().expect("it is inside");
    assert_eq!((swapped.depth, swapped.normal), (1.25, Vec3::new(1.0, 0.0, 0.0)));
    assert_eq!(d3::distance(&solid, here, &ball, [1.0, 1.5, 1.5]).unwrap().distance, 0.0);
    // Half way through a face it is pushed outwards, however deep.
    let through = d3::contact(&solid, here, &ball, [0.125, 2.0, 1.5]).unwrap().expect("it touches");
    assert_eq!((through.depth, through.normal), (0.375, Vec3::new(-1.0, 0.0, 0.0)));
    // A mesh inside of a mesh, and one around.
    let (vertices, triangles) = bumpy(1, 0.0);
    let inner = d3::TriangleMesh::new(vertices.iter().map(|v| *v * 0.25), triangles).unwrap();
    assert!(d3::intersects(&solid, here, &inner, [1.0, 1.0, 1.0]).unwrap());
    assert!(d3::intersects(&inner, [1.0, 1.0, 1.0], &solid, here).unwrap());
    assert!(!d3::intersects(&solid, here, &inner, [4.0, 4.0, 4.0]).unwrap());
    let mass = d3::mass_properties(&solid, 1.0).unwrap();
    assert_eq!((mass.mass, mass.center), (36.0, Vec3::new(1.5, 1.5, 1.5)));
}

#[test]
fn an_outline_is_a_shape_like_others() {
    let u: d2::Shape<f64> = d2::Outline::new([
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 3.0],
        [2.0, 3.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 3.0],
        [0.0, 3.0],
    ])
    .unwrap()
    .into();
    let (ball, here) = (d2::Ball::new(0.25).unwrap(), [0.0, 0.0]);
    let between = d2::distance(&u, here, &ball, [1.5, 2.0]).unwrap();
    assert_eq!(between.distance, 0.25);
    let resting = d2::contact(&u, here, &ball, [1.5, 1.25]).unwrap().expect("on the ground");
    assert_eq!((resting.depth, resting.normal), (0.0, Vec2::new(0.0, 1.0)));
    let inside = d2::contact(&u, here, &ball, [0.5, 2.0]).unwrap().expect("in the arm");
    assert_eq!(inside.depth, 0.75);
    let square = d2::Cuboid::new([0.25, 0.25]).unwrap();
    let falling =
        d2::cast_shape(&square, [1.5, 5.0], [0.0, -4.0], &u, here, here, Default::default()).unwrap();
    assert_eq!(falling.expect("into the gap").t, 0.9375);
    assert!(d2::intersects(&u, here, &u, [0.5, 0.5]).unwrap());
    assert!(!d2::intersects(&u, here, &u, [3.5, 0.0]).unwrap());
}

#[test]
fn degenerate_meshes_answer() {
    let point = d3::TriangleMesh::new([[1.0, 2.0, 3.0]; 3], [[0, 1, 2]]).unwrap();
    let needle =
        d3::TriangleMesh::new([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [[0, 1, 2]]).unwrap();
    let ball = d3::Ball::new(1.0).unwrap();
    assert_eq!(d3::distance(&point, [0.0; 3], &ball, [1.0, 2.0, 6.0]).unwrap().distance, 2.0);
    assert_eq!(d3::distance(&needle, [0.0; 3], &ball, [2.0, 3.0, 0.0]).unwrap().distance, 2.0);
    assert_eq!(d3::contact(&needle, [0.0; 3], &ball, [2.0, 0.5, 0.0]).unwrap().unwrap().depth, 0.5);
    let ray = d3::Ray::new([2.0, 5.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    assert_eq!(
        d3::cast_ray(&needle, [0.0; 3], &ray, Default::default()).unwrap().map(|hit| hit.t),
        Some(5.0)
    );
}

/// Whatever the bits: an answer or an error.
#[test]
fn any_bits_give_an_answer_or_an_error() {
    let mut rng = Rng::new(41);
    let mut answers = 0;
    for _ in 0..3000 {
        let wild = rng.one_in(2);
        let mut number = || {
            if wild {
                any_bits(&mut rng)
            } else {
                rng.uniform(-2.0, 2.0) * 10.0_f64.powi(rng.between(-300, 300))
            }
        };
        let vertices: [[f64; 3]; 5] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let heights: [[f64; 3]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
        let (spacing, radius) = ([number().abs(), number().abs()], number().abs());
        let (at, towards): ([f64; 3], [f64; 3]) =
            (std::array::from_fn(|_| number()), std::array::from_fn(|_| number()));
        let flat: Vec<[f64; 2]> = vertices.iter().map(|[x, y, _]| [*x, *y]).collect();
        let shapes: Vec<d3::Shape<f64>> = [
            d3::TriangleMesh::new(vertices, [[0, 1, 2], [2, 3, 4]]).map(Into::into),
            d3::HeightField::new(heights, spacing).map(Into::into),
            d3::Ball::new(radius).map(Into::into),
            d3::Compound::new([(
                d3::Ball::new(radius.min(f64::MAX)).unwrap_or(d3::Ball::new(1.0).unwrap()),
                at,
            )])
            .map(Into::into),
        ]
        .into_iter()
        .filter_map(Result::ok)
        .collect();
        for a in &shapes {
            for b in &shapes {
                let found = d3::distance(a, [0.0; 3], b, at);
                answers += usize::from(found.is_ok());
                let _ = (
                    d3::contact(a, [0.0; 3], b, at),
                    d3::manifold(a, [0.0; 3], b, at),
                    d3::intersects(a, at, b, at),
                );
                let _ = d3::cast_shape(a, at, towards, b, [0.0; 3], [0.0; 3], Default::default());
            }
            let _ = (d3::closest_point(a, at, towards), d3::aabb(a, at), d3::mass_properties(a, 1.0));
            if let Ok(ray) = d3::Ray::new(at, towards) {
                let _ = d3::cast_ray(
                    a,
                    [0.0; 3],
                    &ray,
                    RayOptions { solid: rng.one_in(2), ..Default::default() },
                );
            }
        }
        if let (Ok(line), Ok(field)) =
            (d2::Polyline::closed(flat), d2::HeightField::new(heights[0], spacing[0]))
        {
            let at = [at[0], at[1]];
            let _ = (d2::distance(&line, at, &field, [0.0; 2]), d2::manifold(&line, at, &line, [0.0; 2]));
            let _ = (
                d2::contact(&line, Pose2::IDENTITY, &field, at),
                d2::closest_point(&field, at, [towards[0], 1.0]),
            );
        }
    }
    assert!(100 < answers);
}

#[test]
fn single_precision_agrees() {
    let (vertices, triangles) = bumpy(2, 0.2);
    let wide = d3::TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap();
    let narrow = d3::TriangleMesh::<f32>::new(
        vertices.iter().map(|v| [v.x as f32, v.y as f32, v.z as f32]),
        triangles,
    )
    .unwrap();
    let mut rng = Rng::new(42);
    for _ in 0..50 {
        let at = [rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0)];
        let here = d3::distance(&wide, Pose3::IDENTITY, &d3::Ball::new(0.25).unwrap(), at).unwrap();
        let there =
            d3::distance(&narrow, [0.0_f32; 3], &d3::Ball::new(0.25_f32).unwrap(), at.map(|x| x as f32))
                .unwrap();
        assert!((here.distance - f64::from(there.distance)).abs() < 8.0 * f64::from(f32::EPSILON) * 4.0);
    }
}

#[test]
fn a_compound_weighs_as_much_as_its_parts() {
    let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let bar = d3::Cuboid::new([2.0, 1.0, 1.0]).unwrap();
    let two = d3::Compound::new([(cube, [-1.0, 0.0, 0.0]), (cube, [1.0, 0.0, 0.0])]).unwrap();
    let (two, bar) = (d3::mass_properties(&two, 2.0).unwrap(), d3::mass_properties(&bar, 2.0).unwrap());
    assert_eq!((two.mass, two.center), (bar.mass, bar.center));
    for (x, y) in two.inertia.columns.iter().zip(bar.inertia.columns) {
        assert!((*x - y).max_abs() < 1e-13, "{x:?} {y:?}");
    }
    let square = d2::Cuboid::new([1.0, 1.0]).unwrap();
    let plank = d2::Cuboid::new([1.0, 2.0]).unwrap();
    let flat = d2::Compound::new([(square, [0.0, -1.0]), (square, [0.0, 1.0])]).unwrap();
    let (flat, plank) = (d2::mass_properties(&flat, 2.0).unwrap(), d2::mass_properties(&plank, 2.0).unwrap());
    assert_eq!((flat.mass, flat.center), (plank.mass, plank.center));
    assert!(f64::abs(flat.inertia - plank.inertia) < 1e-13);
}

/// At a corner the way out is through a side that is near, not through the one across.
#[test]
fn a_ball_at_the_corner_of_a_solid_leaves_through_a_near_side() {
    let wedge = d2::Outline::new([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
    let found = d2::contact(&wedge, [0.0, 0.0], &d2::Ball::new(1.0).unwrap(), [0.0, 0.0]).unwrap().unwrap();
    assert_eq!(found.depth, 1.0);
    assert!(found.normal == Vec2::new(-1.0, 0.0) || found.normal == Vec2::new(0.0, -1.0), "{found:?}");
}

/// Boxes of triangles that merely touch, face to face or edge to edge: triangles cross at the edges, and the way
/// along one of them is long, but nothing is deep.
#[test]
fn meshes_that_merely_touch_have_no_depth() {
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let mesh = |low: [f64; 3], size: [f64; 3]| {
        let corner = |id: usize| {
            core::array::from_fn::<f64, 3, _>(|axis| low[axis] + size[axis] * (id >> axis & 1) as f64)
        };
        let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
        d3::TriangleMesh::new(corners, faces.into_iter().flat_map(halves)).unwrap()
    };
    let here = mesh([0.0; 3], [1.0; 3]);
    for (low, size) in [
        ([1.0, 0.25, 0.25], [1.0, 1.0, 1.0]),
        ([0.5, 1.0, 0.0], [3.0, 1.0, 1.0]),
        ([-3.0, 1.0, -3.0], [7.0, 1.0, 7.0]),
        ([1.0, 1.0, -2.0], [1.0, 1.0, 7.0]),
    ] {
        let there = mesh(low, size);
        for [a, b] in [
            [here.clone(), there.clone()],
            [there.clone(), here.clone()],
            [here.solid().unwrap(), there.solid().unwrap()],
        ] {
            let found = d3::distance(&a, [0.0; 3], &b, [0.0; 3]).unwrap();
            assert!(found.distance == 0.0 && (found.point_a - found.point_b).max_abs() <= 1e-12, "{found:?}");
            let found = d3::contact(&a, [0.0; 3], &b, [0.0; 3]).unwrap().unwrap();
            assert!(found.depth.abs() <= 1e-12, "{found:?}");
        }
    }
}

/// Found by fuzzing: compounds that differ in nothing but the radii of their balls had no order, so that the way out of concentric
/// ones was the same for both.
#[test]
fn compounds_of_concentric_balls_part_in_opposite_directions() {
    let disc = |radius: f64| d2::Compound::new([(d2::Ball::new(radius).unwrap(), [0.0; 2])]).unwrap();
    let (small, large, here) = (disc(0.5), disc(1.0), [0.0; 2]);
    let there = d2::distance(&small, here, &large, here).unwrap();
    let back = d2::distance(&large, here, &small, here).unwrap();
    assert_eq!((there.point_a, there.point_b, there.normal), (back.point_b, back.point_a, -back.normal));

    let ball = |radius: f64| d3::Compound::new([(d3::Ball::new(radius).unwrap(), [0.0; 3])]).unwrap();
    let (small, large, here) = (ball(0.5), ball(1.0), [0.0; 3]);
    let there = d3::distance(&small, here, &large, here).unwrap();
    let back = d3::distance(&large, here, &small, here).unwrap();
    assert_eq!((there.point_a, there.point_b, there.normal), (back.point_b, back.point_a, -back.normal));
}

/// Found by fuzzing: a half-space with a radius was let in where one without is refused, and made compounds without an end.
#[test]
fn compounds_take_no_half_space_with_a_radius() {
    let plane = d2::HalfSpace::new([0.0, 1.0], 0.5).unwrap();
    for radius in [0.0, 0.25] {
        let rounded = d2::Rounded::new(plane, radius).unwrap();
        let compound = d2::Compound::new([(d2::Shape::from(rounded), [0.0; 2])]);
        assert!(
            matches!(compound, Err(Error::UnsupportedShape { operation: "to be part of a compound", .. })),
            "{radius}"
        );
    }
    let plane = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.5).unwrap();
    let twice = d3::Rounded::new(d3::Rounded::new(plane, 0.25).unwrap(), 0.25).unwrap();
    let compound = d3::Compound::new([(d3::Shape::from(twice), [0.0; 3])]);
    assert!(matches!(compound, Err(Error::UnsupportedShape { operation: "to be part of a compound", .. })));
}

/// Found by fuzzing: in `f32`, cells of up to the largest number were taken, and the corners of the second one were infinite.
#[test]
fn height_fields_beyond_their_numbers_are_refused() {
    let refused = Error::Overflow { what: "the size of the height field", number: "f32" };
    for (heights, spacing) in [
        ([[0.0, 1.0], [1.0, 1.0], [1.0, 1.0]], [0.5, f32::MAX]),
        ([[0.0, -0.5], [-6.866_211, 0.0], [0.0, -0.0625]], [6.866_211, f32::MAX]),
        ([[0.0, 0.0], [0.5, 0.5], [f32::MAX, f32::MAX]], [f32::MAX, f32::MAX]),
        ([[-1.0, 0.0], [0.0, 0.0], [0.5, 1.0]], [488.447_5, 2.261_199_2e38]),
    ] {
        assert_eq!(d3::HeightField::new(heights, spacing), Err(refused.clone()));
        // Half as wide, all corners are numbers.
        let field = d3::HeightField::new(heights, spacing.map(|x| 0.5 * x)).unwrap();
        assert!((0..3).all(|row| (0..2).all(|column| field.corner(row, column).unwrap().finite())));
        assert!(d3::HeightField::new(heights.map(|row| row.map(f64::from)), spacing.map(f64::from)).is_ok());
    }
    assert_eq!(d2::HeightField::new([0.0, 1.0, 2.0], f32::MAX), Err(refused));
    assert!(d2::HeightField::new([0.0, 1.0, 2.0], 0.5 * f32::MAX).is_ok());
    assert!(d2::HeightField::new([0.0, 1.0, 2.0], f64::from(f32::MAX)).is_ok());
}

#[test]
fn what_merely_touches_a_solid_is_not_within_it() {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let host = d2::Outline::new(square).unwrap();
    let cube = d2::Shape::from(d2::Cuboid::new([0.5, 0.5]).unwrap());
    let corner = d2::Shape::from(d2::Triangle::new([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]).unwrap());
    let options = CastOptions { max: 10.0 };
    for step in 0..1000 {
        let angle = f64::from(step) * 0.02;
        let turn = Rot2::from_angle(angle);
        let (along, place) = (turn.rotate(Vec2::new(1.0, 0.0)), Pose2::new([0.1, 0.2], turn));
        let from = Pose2::new(along * 5.0 + along.perpendicular() * 0.3, Rot2::from_angle(angle * 1.7));
        for other in [&cube, &corner] {
            let hit = d2::cast_shape(other, from, -along, &host, place, [0.0; 2], options).unwrap().unwrap();
            let there = Pose2 { translation: from.translation - along * hit.t, ..from };
            let touch = d2::contact_within(other, there, &host, place, 1e-9).unwrap().unwrap();
            assert!(
                touch.depth.abs() < 1e-12 && touch.normal.dot(hit.normal).abs() > 0.999,
                "{step}: {touch:?} {hit:?}"
            );
        }
    }
    // From within, all of it has to go.
    let inner = d2::contact(&host, [0.0; 2], &cube, [0.5, 0.0]).unwrap().unwrap();
    assert_eq!((inner.depth, inner.normal), (1.0, Vec2::new(1.0, 0.0)));
}

#[test]
fn no_index_wraps_around() {
    let row = d2::HeightField::new([0.0, 1.0, 2.0], 1.0).unwrap();
    assert!(row.has_cell(1) && !row.has_cell(2) && !row.has_cell(usize::MAX));
    assert!(row.segment(usize::MAX).is_none());
    let field = d3::HeightField::new([[0.0, 1.0], [2.0, 3.0]], [1.0, 1.0]).unwrap();
    assert!(
        field.corner(1, 1).is_some() && field.corner(2, 0).is_none() && field.corner(1 << 63, 0).is_none()
    );
    assert!(!field.has_cell(usize::MAX, 0));
    let hull = d3::ConvexHull::new(CORNERS).unwrap();
    assert!(hull.face(usize::MAX).is_empty());
}

/// Found by fuzzing: two compounds whose boxes lie farther apart, in the units of one of their trees, than `f32` can tell were as good as endless, and 0 apart.
#[test]
fn compounds_that_fill_the_range_of_numbers_are_as_far_apart_as_their_parts() {
    let compound = |line: [[f64; 2]; 2], pose: Pose2<f64>| {
        let line = d2::Shape::from(d2::Polyline::new(line).unwrap());
        d2::Shape::from(d2::Compound::new([(line, pose)]).unwrap())
    };
    let speck = compound([[0.0; 2]; 2], Pose2::IDENTITY);
    for large in [1.0, 1e100, 1e285, 1e291, 1e292, 1e293, 1e294, 1e300, 1e306] {
        let (line, pose) =
            ([[0.0, 7.8], [2.4 * large, 0.0]], Pose2::new([2.5 * large, 3.375], Rot2::from_angle(0.0)));
        let far = compound(line, pose);
        let found = d2::distance(&far, Pose2::IDENTITY, &speck, Pose2::IDENTITY).unwrap();
        let (segment, point) = (d2::Segment::new(line[0], line[1]).unwrap(), d2::Ball::new(0.0).unwrap());
        let truth = d2::distance(&segment, pose, &point, Pose2::IDENTITY).unwrap();
        assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{found:?} {truth:?}");
        assert!((found.distance - truth.distance).abs() <= 1e-12 * truth.distance, "{found:?} {truth:?}");
        let gap = d2::gap(&speck, Pose2::IDENTITY, &far, Pose2::IDENTITY).unwrap();
        assert_eq!(gap.distance, found.distance);
        assert!(!d2::intersects(&far, Pose2::IDENTITY, &speck, Pose2::IDENTITY).unwrap());
    }
}

/// Found by fuzzing: beside a part that is at the end of the range, a near one is less than the rounding errors of the pair, and was 0 away although nothing touched.
#[test]
fn what_is_apart_beside_a_part_without_end_is_not_at_distance_zero() {
    let near = d3::Shape::from(d3::Cuboid::new([2.0, 0.5, 0.5]).unwrap());
    let far = d3::Shape::from(d3::Ball::new(2.5).unwrap());
    let turn = Quat::new(2.0, 0.0, -2.0, 1.0).unwrap();
    for large in [1e20, 1e100, 1e200, f64::MAX] {
        let parts = [
            (near.clone(), Pose3::new([-782_816.0, 0.0, 0.0], turn)),
            (far.clone(), Pose3::at([-0.5, -large, 4.0])),
        ];
        let both = d3::Compound::new(parts).unwrap();
        let point = d3::Cylinder::new(0.0, 0.0).unwrap();
        let (here, there) = (Pose3::IDENTITY, Pose3::IDENTITY);
        assert!(!d3::intersects(&both, here, &point, there).unwrap());
        assert_eq!(d3::contact(&both, here, &point, there), Ok(None));
        let found = d3::distance(&both, here, &point, there).unwrap();
        assert!(0.0 < found.distance && found.lower <= 782_815.0 && 782_815.0 <= found.upper, "{found:?}");
        assert_eq!(d3::gap(&both, here, &point, there).unwrap().distance, found.distance);
        assert_eq!(d3::distance(&point, there, &both, here).unwrap().distance, found.distance);
    }
}
