//! Mesh parts in straight motion: cases whose answer is known exactly, and laws.

#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter here

use carom_geometry::{CcdHit, CcdOptions, Error, MovingBall, bisect_moving_balls, d2, d3};
use carom_math::{Real, Vec2, Vec3};
use carom_oracle::generate::{Rng, any_bits, power_of_two};
use carom_oracle::motion::{Cast, FirstTouch, Touch};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{Rational, exact};

type Parts = [[f64; 3]; 4];

#[derive(Clone, Copy, Debug)]
enum Kind {
    VertexFace,
    EdgeEdge,
}

fn ask(kind: Kind, start: &Parts, end: &Parts, options: CcdOptions<f64>) -> Option<CcdHit<f64>> {
    let (start, end) = (start.map(Vec3::from), end.map(Vec3::from));
    let found = match kind {
        Kind::VertexFace => d3::ccd_vertex_face(start, end, options),
        Kind::EdgeEdge => d3::ccd_edge_edge(start, end, options),
    };
    found.unwrap_or_else(|error| panic!("{error}"))
}

/// A whole number of sixteenths, so that everything that is built from a few of them is exact.
fn lattice(rng: &mut Rng) -> f64 {
    f64::from(rng.between(-64, 64)) / 16.0
}

fn lattice_parts(rng: &mut Rng) -> Parts {
    std::array::from_fn(|_| std::array::from_fn(|_| lattice(rng)))
}

/// Parts that meet exactly at time `t`, a power of two: everything is random but the end of the first point,
/// which is chosen so that it goes through a point of the other part then. They may meet earlier as well.
fn meeting(rng: &mut Rng, kind: Kind) -> (Parts, Parts, f64) {
    let (mut start, mut end) = (lattice_parts(rng), lattice_parts(rng));
    match rng.below(8) {
        0 => end[1..].copy_from_slice(&start[1..]), // the other part stands still
        1 => start[3] = start[2],                   // degenerate at the start
        2 => {
            // Flat: all in one plane, at all times.
            for point in start.iter_mut().chain(end.iter_mut()) {
                point[2] = 1.0;
            }
        }
        3 => end[3] = end[1],                         // degenerate at the end
        4 => (start[3], end[3]) = (start[2], end[2]), // degenerate throughout
        _ => {}
    }
    let t = rng.pick(&[1.0, 0.5, 0.25, 0.125, 0.0]);
    let weights =
        rng.pick(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.25, 0.5], [0.25, 0.25], [0.5, 0.0]]);
    let at = |index: usize, k: usize| start[index][k] * (1.0 - t) + end[index][k] * t;
    let [u, v] = weights;
    let first: [f64; 3] = std::array::from_fn(|k| match kind {
        Kind::VertexFace => at(1, k) * (1.0 - u - v) + at(2, k) * u + at(3, k) * v,
        // a₀ such that a₀(1 − u) + a₁u meets the other edge at v; u = 1 leaves a₀ free.
        Kind::EdgeEdge => {
            let u = if u == 1.0 { 0.0 } else { u };
            ((at(2, k) * (1.0 - v) + at(3, k) * v) - at(1, k) * u) / (1.0 - u)
        }
    });
    // In quarters and halves of sixteenths nothing rounds; 1 − 0.25 = 3/4 would.
    for k in 0..3 {
        if t == 0.0 {
            start[0][k] = first[k];
        } else {
            end[0][k] = start[0][k] + (first[k] - start[0][k]) / t;
        }
    }
    (start, end, t)
}

/// Whether they meet at this time in exact arithmetic.
fn meets_exactly(kind: Kind, start: &Parts, end: &Parts, t: f64) -> bool {
    let t: Rational = exact(t);
    let at = |index: usize| -> [Rational; 3] {
        std::array::from_fn(|k| {
            let (from, to) = (exact(start[index][k]), exact(end[index][k]));
            from.clone() + (to - from) * &t
        })
    };
    let hull = |indices: &[usize]| {
        let points: Vec<_> = indices.iter().map(|&index| carom_oracle::rational::V(at(index))).collect();
        Convex::hull(&points)
    };
    match kind {
        Kind::VertexFace => hull(&[0]).overlaps(&hull(&[1, 2, 3])),
        Kind::EdgeEdge => hull(&[0, 1]).overlaps(&hull(&[2, 3])),
    }
}

#[test]
fn exact_touches_are_never_missed_nor_late() {
    let mut rng = Rng::new(31);
    let mut exact_cases = 0;
    for index in 0..1500 {
        let kind = if index % 2 == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
        let (mut start, mut end, t) = meeting(&mut rng, kind);
        if !meets_exactly(kind, &start, &end, t) {
            continue; // a coordinate was rounded
        }
        exact_cases += 1;
        // Far away, the same relative to each other.
        let offset = rng.pick(&[0.0, 0.0, 1024.0, 1048576.0]);
        for point in start.iter_mut().chain(end.iter_mut()) {
            point[0] += offset;
        }
        let hit = ask(kind, &start, &end, CcdOptions::default());
        let hit = hit.unwrap_or_else(|| panic!("missed at {t}: {kind:?} {start:?} {end:?}"));
        assert!(hit.t <= t, "{hit:?} after {t}: {kind:?} {start:?} {end:?}");
        // Powers of two change nothing.
        let factor = power_of_two(rng.pick(&[-300, -40, 40, 300]));
        let scaled = |parts: &Parts| parts.map(|point| point.map(|x| x * factor));
        assert_eq!(ask(kind, &scaled(&start), &scaled(&end), CcdOptions::default()), Some(hit));
    }
    assert!(800 < exact_cases, "{exact_cases}");
}

/// Parts on either side of a plane that stands in the middle of space at a slant, at least `gap` from it at the
/// start and at the end, hence always.
fn separated(rng: &mut Rng, kind: Kind, gap: f64) -> (Parts, Parts) {
    let normal: [f64; 3] = rng.pick(&[[1.0, 0.0, 0.0], [1.0, 2.0, 2.0], [2.0, -1.0, 2.0], [1.0, 1.0, 0.0]]);
    let squared: f64 = normal.iter().map(|x| x * x).sum();
    let mut place = |index: usize| -> [f64; 3] {
        let point: [f64; 3] = std::array::from_fn(|_| lattice(rng));
        let is_first = match kind {
            Kind::VertexFace => index == 0,
            Kind::EdgeEdge => index < 2,
        };
        let height: f64 = point.iter().zip(normal).map(|(x, n)| x * n).sum();
        // Close to the plane, on its own side.
        let side = if is_first { 1.0 } else { -1.0 };
        let wanted = side * gap * (1.0 + f64::from(rng.below(4) as u8));
        std::array::from_fn(|k| point[k] + normal[k] * ((wanted - height) / squared))
    };
    (std::array::from_fn(&mut place), std::array::from_fn(&mut place))
}

#[test]
fn false_alarms_are_rare() {
    let mut rng = Rng::new(32);
    let (mut alarms, mut limited, mut count) = (0, 0, 0);
    for index in 0..2000 {
        let kind = if index % 2 == 0 { Kind::VertexFace } else { Kind::EdgeEdge };
        let gap = power_of_two(-rng.between(0, 24));
        let (start, end) = separated(&mut rng, kind, gap);
        let found = ask(kind, &start, &end, CcdOptions::default());
        count += 1;
        alarms += usize::from(found.is_some());
        limited += usize::from(found.is_some_and(|hit| hit.limited));
    }
    assert!(alarms * 100 < count, "{alarms} of {count} false, {limited} cut short");
}

/// A corner against a face at rest is a ray against a triangle, of which the exact time is known.
#[test]
fn times_agree_with_exact_rays() {
    let mut rng = Rng::new(33);
    let mut hits = 0;
    for _ in 0..400 {
        let (start, mut end) = (lattice_parts(&mut rng), lattice_parts(&mut rng));
        end[1..].copy_from_slice(&start[1..]);
        let way: [f64; 3] = std::array::from_fn(|k| end[0][k] - start[0][k]);
        let face = Convex::hull(&start[1..]);
        let truth = Cast::ray(&start[0], &way, face).first_touch(1.0);
        let hit = ask(Kind::VertexFace, &start, &end, CcdOptions::default());
        match (truth, hit) {
            (FirstTouch::AtStart, Some(hit)) => assert_eq!(hit.t, 0.0),
            (FirstTouch::Between(early, late), Some(hit)) => {
                hits += 1;
                assert!(hit.t <= late && early - 1e-6 <= hit.t, "{hit:?} {early} {start:?} {end:?}");
            }
            (FirstTouch::Never, None) => {}
            other => panic!("{other:?} {start:?} {end:?}"),
        }
    }
    assert!(10 < hits, "{hits}");
}

#[test]
fn separation_is_kept() {
    // A point comes down on a face and stops at a height of 1/4.
    let parts = |z: f64| [[0.25, 0.25, z], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let with = |separation| CcdOptions { separation, ..CcdOptions::default() };
    let ask = |separation: f64| ask(Kind::VertexFace, &parts(1.25), &parts(0.25), with(separation));
    assert_eq!(ask(0.2), None);
    let hit = ask(0.25).expect("exactly then");
    assert!(hit.t <= 1.0 && 1.0 - 1e-6 < hit.t);
    let hit = ask(0.5).expect("before");
    assert!(hit.t <= 0.75 && 0.75 - 1e-6 < hit.t);
    // Across a corner: √2 away, not 1.
    let beside = |z: f64| [[-1.0, z, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let start = beside(-3.0);
    let end = beside(-1.0);
    let ask = |separation| self::ask(Kind::VertexFace, &start, &end, with(separation));
    assert!(ask(1.3).is_none() && ask(1.42).is_some());
}

#[test]
fn work_is_bounded_and_conservative() {
    // Everything in one plane: the roots fill an area.
    let (start, end) = (
        [[0.1, 0.2, 0.0], [-1.0, 0.3, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[5.0, 0.4, 0.0], [0.0, -2.0, 0.0], [7.0, 1.0, 0.0], [0.0, 3.0, 0.0]],
    );
    for kind in [Kind::VertexFace, Kind::EdgeEdge] {
        for max_boxes in [0, 1, 7, 100] {
            let hit = ask(kind, &start, &end, CcdOptions { max_boxes, ..CcdOptions::default() });
            let full = ask(kind, &start, &end, CcdOptions::default());
            if let Some(full) = full {
                assert!(hit.is_some_and(|hit| hit.t <= full.t), "{kind:?} {max_boxes} {hit:?} {full:?}");
            }
        }
    }
}

#[test]
fn in_the_plane_edges_are_met_exactly() {
    let mut rng = Rng::new(34);
    for _ in 0..1500 {
        let mut points: [[[f64; 2]; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| lattice(&mut rng))));
        let t = rng.pick(&[1.0, 0.5, 0.25, 0.0]);
        let u = rng.pick(&[0.0, 0.25, 0.5, 1.0]);
        #[allow(clippy::needless_range_loop)] // k counts coordinates of several points
        for k in 0..2 {
            let at = |index: usize| points[0][index][k] * (1.0 - t) + points[1][index][k] * t;
            let met = at(1) * (1.0 - u) + at(2) * u;
            if t == 0.0 {
                points[0][0][k] = met;
            } else {
                points[1][0][k] = points[0][0][k] + (met - points[0][0][k]) / t;
            }
        }
        let [start, end] = points.map(|side| side.map(Vec2::from));
        let hit = d2::ccd_vertex_edge(start, end, CcdOptions::default()).unwrap();
        assert!(hit.is_some_and(|hit| hit.t <= t), "{hit:?} at {t}: {points:?}");
        // Away from each other on both sides of a line, they do not meet.
        let apart = |side: [[f64; 2]; 3]| {
            [
                [side[0][0], side[0][1].abs() + 1e-6],
                [side[1][0], -side[1][1].abs()],
                [side[2][0], -side[2][1].abs()],
            ]
            .map(Vec2::from)
        };
        let hit = d2::ccd_vertex_edge(apart(points[0]), apart(points[1]), CcdOptions::default()).unwrap();
        assert_eq!(hit, None, "{points:?}");
    }
}

#[test]
fn any_bits_have_an_answer_or_an_error() {
    let mut rng = Rng::new(35);
    for _ in 0..3000 {
        let mut point = || Vec3::new(any_bits(&mut rng), any_bits(&mut rng), any_bits(&mut rng));
        let (start, end): ([_; 4], [_; 4]) =
            (std::array::from_fn(|_| point()), std::array::from_fn(|_| point()));
        let options = CcdOptions { max_boxes: 200, ..CcdOptions::default() };
        for found in [d3::ccd_vertex_face(start, end, options), d3::ccd_edge_edge(start, end, options)] {
            match found {
                Ok(Some(hit)) => assert!((0.0..=1.0).contains(&hit.t)),
                Ok(None) => {}
                Err(error) => assert!(matches!(error, Error::NotFinite { .. }), "{error}"),
            }
        }
        let ball = |a: Vec3<f64>, b: Vec3<f64>| MovingBall { from: a, to: b, radius: a.x };
        let _ = bisect_moving_balls(ball(start[0], end[0]), ball(start[1], end[1]), 1e-3);
    }
    let zero = [Vec3::new(0.0, 0.0, 0.0); 4];
    let negative = CcdOptions { separation: -1.0, ..CcdOptions::default() };
    assert_eq!(d3::ccd_edge_edge(zero, zero, negative).unwrap_err().kind(), "negative");
    let tolerance = CcdOptions { tolerance: f64::NAN, ..CcdOptions::default() };
    assert_eq!(d3::ccd_vertex_face(zero, zero, tolerance).unwrap_err().kind(), "not_finite");
}

/// In single precision the same numbers have the same answer, rounded down.
#[test]
fn single_precision_agrees() {
    let mut rng = Rng::new(36);
    for _ in 0..500 {
        let (start, end, _) = meeting(&mut rng, Kind::VertexFace);
        let options = CcdOptions { tolerance: power_of_two(-24), ..CcdOptions::default() };
        let narrow = |parts: &Parts| parts.map(|p| Vec3::new(p[0] as f32, p[1] as f32, p[2] as f32));
        if (start.iter().chain(&end).flatten()).any(|&x| f64::from(x as f32) != x) {
            continue;
        }
        let wide = ask(Kind::VertexFace, &start, &end, options).map(|hit| f32::from_f64_down(hit.t));
        let options = CcdOptions { tolerance: 2.0_f32.powi(-24), ..CcdOptions::default() };
        let hit = d3::ccd_vertex_face(narrow(&start), narrow(&end), options).unwrap();
        assert_eq!(hit.map(|hit| hit.t), wide);
    }
}

/// Balls by halving, against the exact time.
#[test]
fn bisection_brackets_the_exact_touch() {
    let mut rng = Rng::new(37);
    let mut hits = 0;
    for index in 0..600 {
        let mut point = || -> [f64; 2] { std::array::from_fn(|_| lattice(&mut rng)) };
        let (a0, a1, b0, b1) = (point(), point(), point(), point());
        let radii = [f64::from(rng.between(0, 16)) / 16.0, f64::from(rng.between(0, 16)) / 16.0];
        let minimum = [1e-2, 1e-4, 1e-7][index % 3];
        let ball = |from: [f64; 2], to: [f64; 2], radius| MovingBall {
            from: Vec2::from(from),
            to: to.into(),
            radius,
        };
        let found = bisect_moving_balls(ball(a0, a1, radii[0]), ball(b0, b1, radii[1]), minimum).unwrap();
        let origin: [f64; 2] = std::array::from_fn(|k| b0[k] - a0[k]);
        let way: [f64; 2] = std::array::from_fn(|k| (b1[k] - b0[k]) - (a1[k] - a0[k]));
        let truth = |grown: f64| {
            let cast = Cast::ray(&origin, &way, Convex::hull(&[[0.0, 0.0]]));
            cast.with_radius(radii[0]).with_radius(radii[1]).with_radius(grown).first_touch(1.0)
        };
        match (truth(0.0), found) {
            (FirstTouch::AtStart, Some(touch)) => assert_eq!((touch.min, touch.max), (0.0, 0.0)),
            (FirstTouch::Between(early, late), Some(touch)) => {
                hits += 1;
                assert!(touch.length() <= minimum && touch.min <= late, "{touch:?} {late}");
                // They touch in it, or nearly did in it: within the way that they go.
                let nearly = 2.0 * minimum * (way[0].abs() + way[1].abs());
                let FirstTouch::Between(early_grown, _) = truth(nearly) else { continue };
                assert!(early_grown.min(early) <= touch.max, "{touch:?} {early}");
            }
            (FirstTouch::Never, None) => {}
            (FirstTouch::Never, Some(_)) => {
                let nearly = 2.0 * minimum * (way[0].abs() + way[1].abs());
                assert_ne!(truth(nearly), FirstTouch::Never, "{found:?}");
            }
            other => panic!("{other:?} {a0:?} {a1:?} {b0:?} {b1:?} {radii:?}"),
        }
    }
    assert!(100 < hits, "{hits}");
}

/// The first half touches only by its larger ball, and the touch is in the second: following the first half
/// alone would find nothing.
#[test]
fn bisection_falls_back_to_the_second_half() {
    let moving = MovingBall { from: Vec2::new(0.0, 0.0), to: Vec2::new(16.0, 0.0), radius: 1.0 };
    let target = MovingBall { from: Vec2::new(10.0, 1.5), to: Vec2::new(10.0, 1.5), radius: 1.0 };
    // The ball of the first half: centre (4, 0), radius 1 + 4: (10, 1.5) is 6.18 away from it, within 5 + 1 + …
    let touch = bisect_moving_balls(moving, target, 1e-9).unwrap().expect("in the second half");
    let expected = (10.0 - (4.0 - 2.25_f64).sqrt()) / 16.0;
    assert!(touch.min <= expected && expected <= touch.max + 1e-9, "{touch:?} {expected}");
}
