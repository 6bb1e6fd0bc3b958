//! Corners beside the rim of a cylinder, in the plane of its cap: the ends of the mantle are equally far towards them, and a search along
//! support points may stop on a chord of the rim.

use super::named::pose;
use carom_geometry::d3;
use carom_oracle::generate::Rng;

/// Turns the y axis to −x.
const TURN: [f64; 4] = [0.5, -0.5, 0.5, 0.5];

/// The corner (−1, 1, 0), turned. From there the others are at (1.5, −1, 2), (0, −1, 1) and (0, −1, 0).
const CORNER: [f64; 3] = [-1.0, 0.0, -1.0];

/// Sheets and solids with the corner that counts.
fn shapes() -> [d3::Shape<f64>; 2] {
    let [a, b, c] = [[1.0, -0.5, 1.0], [0.0, 1.0, 1.0], [-1.0, 1.0, 0.0]];
    let hull = d3::ConvexHull::new([a, b, c, [-1.0, 1.0, 1.0]]).unwrap();
    [d3::Triangle::new(a, b, c).unwrap().into(), hull.into()]
}

/// The cylinder has a half height of 0.5 and a radius of 1, its cap is in the plane of the corner, and the rim is `beside` that, more or less: how far
/// away is known from the coordinates, whose differences are exact. Outwards is (0, −cos, −sin), and nothing of the shapes is farther inwards than the
/// corner where the tangent is less than a half.
#[test]
fn in_the_plane_of_a_cap_corners_are_as_far_from_the_rim_as_they_are() {
    let can = d3::Cylinder::<f64>::new(0.5, 1.0).unwrap();
    let mut rng = Rng::new(3);
    for case in 0..4000 {
        let beside = 10_f64.powf(rng.uniform(-14.0, -2.0));
        let (sin, cos) = f64::sin_cos(rng.uniform(0.0, 0.45));
        let at = [1.0, 4.0, 4096.0][case % 3];
        let corner = [at + 1.0, at, -at];
        let center = [at + 0.5, at + (1.0 + beside) * cos, (1.0 + beside) * sin - at];
        let (y, z) = (corner[1] - center[1], corner[2] - center[2]);
        let truth = (y * y + z * z).sqrt() - 1.0;
        if truth <= 1e-14 {
            continue; // the rounding of the centre
        }
        let origin = std::array::from_fn(|axis| corner[axis] - CORNER[axis]);
        let (with_corner, upright) = (pose(origin, TURN), pose(center, TURN));
        for shape in &shapes() {
            let found = d3::distance(shape, with_corner, &can, upright).unwrap();
            let context = format!("{beside:e} {center:?} {shape:?}: {found:?} instead of {truth:e}");
            assert!((found.distance - truth).abs() <= 2e-11, "{context}");
            // The root is rounded.
            assert!(found.lower <= truth + 1e-15 && truth - 1e-15 <= found.upper, "{context}");
            assert!(found.upper - found.lower <= 1e-10, "{context}");
            let swapped = d3::distance(&can, upright, shape, with_corner).unwrap();
            assert_eq!(swapped.distance, found.distance, "{context}");
        }
    }
}

/// The pair that showed it: a corner 2.6e-8 beside the rim was told to be 4.9e-8 away.
#[test]
fn a_corner_beside_a_rim_far_from_the_origin() {
    let can = d3::Cylinder::<f64>::new(0.5, 1.0).unwrap();
    let triangle = d3::Triangle::new([1.0, -0.5, 1.0], [0.0, 1.0, 1.0], [-1.0, 1.0, 0.0]).unwrap();
    let here = pose([777_218.0, 835_583.5, -880_639.0], TURN);
    let there = pose([777_216.5, 835_584.448_683_289, -880_639.683_772_124_2], TURN);
    let found = d3::distance(&triangle, here, &can, there).unwrap();
    let (y, z) = (835_584.448_683_289_f64 - 835_583.5, -880_639.683_772_124_2_f64 + 880_640.0);
    let truth = (y * y + z * z).sqrt() - 1.0;
    assert!((2.6e-8..2.7e-8).contains(&truth));
    assert!((found.distance - truth).abs() <= 1e-15, "{found:?} {truth:e}");
    assert!(found.lower <= truth && truth <= found.upper && found.upper - found.lower < 1e-12, "{found:?}");
}
