//! Rays and casts of shapes that once went wrong, each by the name of what did.

use super::support;

use carom_geometry::{CastOptions, RayOptions, d2, d3};
use carom_math::{Pose3, Quat, Real, Vec2};
use carom_oracle::generate::Rng;
use support::*;

/// A ball that falls onto a large box is not off by millimetres.
///
/// Casting by iteration is, elsewhere: 0.246, 3.64 and 139 mm for half extents of 5, 50 and 500.
#[test]
fn a_ball_meets_a_large_box_on_time() {
    for half in [5.0_f64, 50.0, 500.0] {
        let ball = d3::Ball::new(0.5166).unwrap();
        let floor = d3::Cuboid::new([half; 3]).unwrap();
        let start = [0.1, half + 10.0, -0.2];
        let still = [0.0; 3];
        let hit =
            d3::cast_shape(&ball, start, [0.0, -20.0, 0.0], &floor, still, still, CastOptions::default());
        let expected: f64 = (10.0 - 0.5166) / 20.0;
        assert!((hit.unwrap().unwrap().t - expected).abs() < 1e-14 * half);
    }
}

/// Found by fuzzing: a line as good as in the plane of a triangle was seen to pass it, at once, wherever it was.
#[test]
fn a_point_that_moves_past_in_the_plane_of_a_triangle_misses_it() {
    let (point, still, far) = (d3::Ball::new(0.0).unwrap(), [0.0; 3], f64::from(f32::MAX));
    let rod = d3::Triangle::new([2.0, 0.0, 0.0], [0.0, 2.0, 2.0], [0.0, 2.0, 2.0]).unwrap();
    let velocity = [2.0, 1.785_17e-39, 0.0];
    let options = CastOptions::default();
    assert_eq!(d3::cast_shape(&rod, still, velocity, &point, still, still, options), Ok(None));

    let sheet = d3::ConvexHull::new([[-0.5, 0.0, 0.0], [0.0, -0.5, -0.5], [0.0; 3]]).unwrap();
    let (below, velocity) = ([0.0, 0.0, -0.5], [far, 0.0, -0.5]);
    let hit = d3::cast_shape(&sheet, below, velocity, &point, [0.0, far, far], [-0.5, 0.0, 0.0], options);
    assert_eq!(hit, Ok(None));

    // As flat as that, seen from so far away.
    let least = 5e-324;
    let corners = [[0.0, -least, -f64::MIN_POSITIVE], [0.0; 3], [least, -least, -0.5], [0.5, -least, 0.0]];
    let leaf = d3::ConvexHull::new(corners).unwrap();
    let hit = d3::cast_shape(&leaf, still, [far, 0.0, 1.0], &point, [0.0, -least, far], still, options);
    assert_eq!(hit, Ok(None));
}

#[test]
fn a_point_far_away_from_a_cone_does_not_begin_on_it() {
    let (cone, point) = (shape3::<f64>(&Cone(1.0, 2.0)), shape3(&Ball(0.0)));
    let (still, far) = ([0.0; 3], -1.432_399_846_232_359e115);
    let cast = |velocity: [f64; 3]| {
        let options = CastOptions { max: 1.0 };
        d3::cast_shape(&cone, still, still, &point, [far, 0.0, 0.0], velocity, options).unwrap()
    };
    // Everything about the cone is tiny beside the way to it, and products of four such numbers are 0.
    assert_eq!(cast([0.0, 0.0, 23_553.319_950_347_77]), None);
    assert_eq!(cast([0.0, 0.0, 1e-200]), None);
    assert_eq!(cast([-2.0 * far, 0.0, 0.0]).map(|hit| hit.t), Some(0.5));
}

/// Found by fuzzing: what could not be decided about shapes 10³⁰⁸ apart became a touch at once.
#[test]
fn what_is_undecided_at_the_edge_of_the_numbers_is_no_touch() {
    let ball = d3::Ball::new(5.65e276).unwrap();
    let first = d3::Rounded::new(ball, 5.65e276).unwrap();
    let corners = [
        [-2.0, 0.0, -0.25],
        [-0.5, 5.186_894_461_101_241e179, 0.0],
        [0.0, -0.25, -0.5],
        [7.27, 6.90, 3.019e169],
        [1679.84, 6.77, -2.0],
        [3.019e169, 1679.83, 6.77],
    ];
    let second = d3::Rounded::new(d3::ConvexHull::new(corners).unwrap(), 1071.49).unwrap();
    let turned = Quat::new(0.0, 0.9628, 0.0, -0.27).unwrap();
    let pose = Pose3::new([f64::MAX, 2.153, 6.77], turned);
    let (u, v) = ([1.35e126, -1.8e162, 5.19e179], [0.0, 7.27, 6.90]);
    let place = [-2.0, -2.0, 3.6875];
    assert_eq!(d3::intersects(&first, pose, &second, place), Ok(false));
    let hit = d3::cast_shape(&first, pose, u, &second, place, v, CastOptions::default());
    assert!(matches!(hit, Ok(None) | Err(carom_geometry::Error::Overflow { .. })), "{hit:?}");
}

/// Found by fuzzing: next to a segment of 10⁸, a point 10⁻⁶ away counted as touching, wherever it went.
#[test]
fn a_point_beside_a_long_segment_does_not_begin_on_it() {
    let point = d3::Cuboid::new([0.0; 3]).unwrap();
    let end = 215_274_704.0;
    let rod = d3::Segment::new([end, end, 0.0], [0.0; 3]).unwrap();
    let (still, place) = ([0.0; 3], [0.0, 9.843_942_501_419_622e-12, 1.907_348_632_812_5e-6]);
    let apart = d3::distance(&point, still, &rod, place).unwrap();
    assert!(0.0 < apart.lower);
    let cast = |velocity: [f64; 3]| {
        let options = CastOptions { max: f64::INFINITY };
        let back = velocity.map(|x| -x);
        let moves = d3::cast_shape(&point, still, velocity, &rod, place, still, options).unwrap();
        let comes = d3::cast_shape(&point, still, still, &rod, place, back, options).unwrap();
        assert_eq!(moves.map(|hit| hit.t), comes.map(|hit| hit.t));
        moves.map(|hit| hit.t)
    };
    // Along it and away from it.
    for velocity in [[1.853_83e-319, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 1.0, -1e-3]] {
        assert_eq!(cast(velocity), None, "{velocity:?}");
    }
    // Towards it, at a speed of 1.
    let t = cast([0.0, 0.0, 1.0]).unwrap();
    assert!(0.0 < t && t <= apart.upper, "{t} {apart:?}");
}

/// What was found at t is found again when t is the last parameter, rounded as it is.
#[test]
fn a_hit_exactly_at_the_end_is_one() {
    let rng = &mut Rng::new(5);
    let ball = d2::Ball::new(1.0_f32).unwrap();
    for _ in 0..2000 {
        let from = Vec2::new(rng.uniform(-6.0, -4.0) as f32, rng.uniform(-0.5, 0.5) as f32);
        let ray = d2::Ray::new(from, [rng.uniform(1.0, 2.0) as f32, 0.0]).unwrap();
        let hit = d2::cast_ray(&ball, [0.0; 2], &ray, RayOptions::default()).unwrap().unwrap();
        let last = RayOptions { max: hit.t, solid: true };
        assert_eq!(d2::cast_ray(&ball, [0.0; 2], &ray, last), Ok(Some(hit)));
        assert_eq!(d2::ray_hits(&ball, [0.0; 2], &ray, hit.t), Ok(true));
        assert_eq!(d2::ray_hits(&ball, [0.0; 2], &ray, hit.t.step_down()), Ok(false));
        let cast = |max: f32| {
            let options = CastOptions { max };
            d2::cast_shape(&ball, from, ray.direction(), &ball, [0.0; 2], [0.0; 2], options).unwrap()
        };
        let touch = cast(99.0).unwrap();
        assert_eq!((cast(touch.t), cast(touch.t.step_down())), (Some(touch), None));
    }
}
