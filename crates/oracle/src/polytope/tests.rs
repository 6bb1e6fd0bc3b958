use super::*;
use crate::generate::{
    Rng, SegmentMeeting, box_corners, meeting_segments, points, touching_boxes, unit_quaternion,
};
use crate::rational::{exact, fraction, pose3};

fn cube(half: f64) -> Convex<3> {
    Convex::hull(&box_corners([half; 3]))
}

fn squared(a: &Convex<3>, b: &Convex<3>) -> Rational {
    let result = a.distance_squared(b);
    assert_eq!(result, b.distance_squared(a));
    assert_eq!(result.is_zero(), a.overlaps(b));
    result
}

#[test]
fn boxes_by_hand() {
    let a = cube(1.0);
    assert_eq!(squared(&a, &cube(1.0).translated(&[3.0, 0.5, 0.5])), exact(1.0));
    assert_eq!(squared(&a, &cube(1.0).translated(&[3.0, 4.0, 0.5])), exact(5.0));
    assert_eq!(squared(&a, &cube(1.0).translated(&[4.0, 4.0, 3.0])), exact(9.0));
    assert_eq!(squared(&a, &cube(1.0).translated(&[2.0, 2.0, 2.0])), exact(0.0));
    // Overlap by a quarter along x: half extents 1 and 1, centres 1.75 apart.
    let b = cube(1.0).translated(&[1.75, 0.5, -0.5]);
    assert_eq!(a.minimum_translation(&b), Some([0.25, 0.0, 0.0].to_exact()));
    assert_eq!(b.minimum_translation(&a), Some([-0.25, 0.0, 0.0].to_exact()));
    assert_eq!(a.depth_squared(&cube(1.0).translated(&[2.0, 0.0, 0.0])), Some(exact(0.0)));
    assert_eq!(a.depth_squared(&cube(1.0).translated(&[2.5, 0.0, 0.0])), None);
    // Concentric: out through the nearest face, half extents 1 + 0.25.
    assert_eq!(a.depth_squared(&cube(0.25)), Some(exact(1.5625)));
}

#[test]
fn edges_of_turned_boxes_cross() {
    // Two sharp edges: A ends in the edge (0, ·, 0) along y, facing up; B above it ends in an edge
    // along x facing down. Their cross product is z, and the gap along z counts.
    let a = Convex::hull(&[
        [-1.0, -2.0, -1.0],
        [1.0, -2.0, -1.0],
        [0.0, -2.0, 0.0],
        [-1.0, 2.0, -1.0],
        [1.0, 2.0, -1.0],
        [0.0, 2.0, 0.0],
    ]);
    let b = Convex::hull(&[
        [-2.0, -1.0, 1.0],
        [-2.0, 1.0, 1.0],
        [-2.0, 0.0, 0.0],
        [2.0, -1.0, 1.0],
        [2.0, 1.0, 1.0],
        [2.0, 0.0, 0.0],
    ]);
    assert_eq!(squared(&a, &b), exact(0.0));
    assert_eq!(squared(&a, &b.translated(&[0.0, 0.0, 0.5])), exact(0.25));
    let sunk = b.translated(&[0.25, 0.0, -0.125]);
    assert_eq!(a.minimum_translation(&sunk), Some([0.0, 0.0, 0.125].to_exact()));
}

#[test]
fn turned_box_against_box() {
    // A square turned by the rational angle (3/5, 4/5): its support along x is 7/5.
    let turned: Vec<V<2>> = box_corners([1.0, 1.0])
        .iter()
        .map(|p| {
            let [x, y] = &p.to_exact().0;
            let (c, s) = (fraction(3, 5), fraction(4, 5));
            V([&c * x - &s * y, &s * x + &c * y])
        })
        .collect();
    let a = Convex::hull(&box_corners([1.0, 1.0]));
    let b = Convex::hull(&turned).translated(&[2.375, 0.0]);
    // 1 + 7/5 − 2.375 = 0.025 along x.
    assert_eq!(a.depth_squared(&b), Some(fraction(1, 1600)));
    let c = Convex::hull(&turned).translated(&[3.0, 0.0]);
    assert_eq!(a.distance_squared(&c), fraction(9, 25));
}

#[test]
fn flat_shapes() {
    let triangle = Convex::hull(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    // Coplanar and overlapping: a move along z of any length separates.
    let inside = Convex::hull(&[[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0]]);
    assert_eq!(triangle.depth_squared(&inside), Some(exact(0.0)));
    // A segment through it by 1 below and 2 above: out by 1.
    let needle = Convex::hull(&[[1.0, 1.0, -1.0], [1.0, 1.0, 2.0]]);
    assert_eq!(triangle.minimum_translation(&needle), Some([0.0, 0.0, 1.0].to_exact()));
    // Near the edge x = 0 it is shorter to leave sideways.
    let needle = Convex::hull(&[[0.25, 1.0, -1.0], [0.25, 1.0, 2.0]]);
    assert_eq!(triangle.minimum_translation(&needle), Some([-0.25, 0.0, 0.0].to_exact()));
    // Crossing segments span a plane; the third direction is free.
    let s = Convex::hull(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let t = Convex::hull(&[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(s.depth_squared(&t), Some(exact(0.0)));
    assert_eq!(s.depth_squared(&s), Some(exact(0.0)));
    // In the plane they do penetrate: the difference set is the square of half side 1.
    let s = Convex::hull(&[[-1.0, 0.0], [1.0, 0.0]]);
    let t = Convex::hull(&[[0.0, -1.0], [0.0, 1.0]]);
    assert_eq!(s.depth_squared(&t), Some(exact(1.0)));
    // Segment in a box.
    let rod = Convex::hull(&[[-5.0, 0.0, 0.5], [5.0, 0.0, 0.5]]);
    assert_eq!(cube(1.0).minimum_translation(&rod), Some([0.0, 0.0, 0.5].to_exact()));
    // Point in a box and point on point.
    let dot = Convex::hull(&[[0.5, 0.0, 0.0]]);
    assert_eq!(cube(1.0).minimum_translation(&dot), Some([0.5, 0.0, 0.0].to_exact()));
    assert_eq!(dot.depth_squared(&dot), Some(exact(0.0)));
}

#[test]
fn unbounded_sets() {
    let floor = Convex::hull(&[[0.0, 0.0, 0.0]])
        .extended_both_ways(&[1.0, 0.0, 0.0])
        .extended_both_ways(&[1.0, 0.0, 3.0]);
    assert_eq!(squared(&floor, &cube(1.0).translated(&[1e6, 3.0, -1e5])), exact(4.0));
    let line = Convex::hull(&[[0.0, 5.0, 0.0]]).extended_both_ways(&[1.0, 0.0, 1.0]);
    assert_eq!(squared(&floor, &line), exact(25.0));
    let ray = Convex::hull(&[[9.0, 5.0, 0.0]]).extended(&[0.0, -1.0, 1.0]);
    assert_eq!(squared(&floor, &ray), exact(0.0));
    let away = Convex::hull(&[[9.0, 5.0, 0.0]]).extended(&[0.0, 1.0, 1.0]);
    assert_eq!(squared(&floor, &away), exact(25.0));
    let half_space = floor.clone().extended(&[0.0, -1.0, 0.0]);
    assert!(half_space.contains(&[3.0, -7.0, 1.0]));
    assert!(!half_space.contains(&[3.0, f64::from_bits(1), 1.0]));
}

#[test]
fn one_step_of_the_format_decides() {
    let a = cube(1.0);
    let mut corners = box_corners([1.0; 3]);
    for corner in &mut corners {
        corner[0] += 2.0;
    }
    assert!(a.overlaps(&Convex::hull(&corners)));
    for corner in &mut corners {
        corner[0] = corner[0].max(1.0f64.next_up());
    }
    assert_eq!(squared(&a, &Convex::hull(&corners)), exact(f64::EPSILON * f64::EPSILON));
    for corner in &mut corners {
        corner[0] = if corner[0] < 2.0 { 1.0f64.next_down() } else { corner[0] };
    }
    let depth = a.depth_squared(&Convex::hull(&corners));
    assert_eq!(depth, Some(exact(f64::EPSILON * f64::EPSILON / 4.0)));
}

#[test]
fn generated_touching_pairs_touch() {
    let mut rng = Rng::new(11);
    for _ in 0..100 {
        let (a, b, _) = touching_boxes::<3>(&mut rng);
        let (a, b) = (Convex::hull(&a.corners()), Convex::hull(&b.corners()));
        assert!(a.overlaps(&b));
        assert_eq!(a.depth_squared(&b), Some(exact(0.0)));
        let (s, t, meeting) = meeting_segments::<3>(&mut rng);
        let meets = meeting != SegmentMeeting::CollinearApart;
        assert_eq!(Convex::hull(&s).overlaps(&Convex::hull(&t)), meets);
    }
}

/// Depth by definition, without the floating-point choice: all cross products of all differences.
fn depth_squared_slowly(a: &Convex<3>, b: &Convex<3>) -> Rational {
    let mut directions = Vec::new();
    for set in [a, b] {
        for p in set.points() {
            directions.extend(set.points().iter().map(|q| p - q));
        }
    }
    let mut best: Option<Rational> = None;
    for u in &directions {
        for v in &directions {
            let n = u.cross(v);
            if !n.is_zero() {
                let h = a.overlap_along(b, &n);
                let value = &h * &h / n.norm_squared();
                best = Some(best.map_or(value.clone(), |b| b.min(value)));
            }
        }
    }
    best.unwrap_or_default()
}

#[test]
fn random_pairs_satisfy_the_definitions() {
    let mut rng = Rng::new(12);
    let mut overlapping = 0;
    for _ in 0..80 {
        let (n, m) = (2 + rng.below(5), 2 + rng.below(5));
        let a = Convex::hull(&points::<3>(&mut rng, n));
        let b = Convex::hull(&points::<3>(&mut rng, m));
        let gap = a.separation(&b);
        assert_eq!(gap.norm_squared(), squared(&a, &b));
        if let Some(translation) = a.minimum_translation(&b) {
            overlapping += 1;
            assert!(gap.is_zero());
            assert_eq!(translation.norm_squared(), depth_squared_slowly(&a, &b));
            // Moved by it the sets still touch, but no deeper.
            let moved = b.translated(&translation);
            assert_eq!(a.depth_squared(&moved), Some(exact(0.0)));
        } else {
            // The gap is a certificate: along it the sets are apart by exactly its length.
            assert_eq!(a.overlap_along(&b, &gap), -gap.norm_squared());
            assert!(a.overlaps(&b.translated(&-&gap)));
        }
    }
    assert!(overlapping > 10);
}

#[test]
fn rotated_boxes_satisfy_the_definitions() {
    let mut rng = Rng::new(13);
    for _ in 0..60 {
        let mut turned_box = || {
            let pose = pose3(unit_quaternion(&mut rng), [0.0; 3]);
            let shift: [f64; 3] = std::array::from_fn(|_| rng.uniform(-1.5, 1.5));
            // Rounded, as an engine sees them: parallel edges are no longer quite parallel.
            let corners = pose.points(&box_corners([1.0, 0.5, 2.0]));
            let corners: Vec<[f64; 3]> = corners.iter().map(V::to_f64).collect();
            Convex::hull(&corners).translated(&shift)
        };
        let (a, b) = (turned_box(), turned_box());
        let gap = a.separation(&b);
        match a.minimum_translation(&b) {
            Some(translation) => {
                let n = &translation;
                assert_eq!(a.overlap_along(&b, n), n.norm_squared());
                assert_eq!(a.depth_squared(&b.translated(n)), Some(exact(0.0)));
            }
            None => assert_eq!(a.overlap_along(&b, &gap), -gap.norm_squared()),
        }
    }
}
