//! Outlines against brute force in exact arithmetic.

mod brute;

use carom_geometry::d2::{
    AsShape, Outline, OutlineRelation, Ray, Shape, aabb, outlines_intersect, relate_outlines,
};
use carom_geometry::{Error, RayOptions};
use carom_math::{Number, Pose2, Real, Rot2, Vec2, Vector, power_of_two};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, coordinate, nudge, unit_complex};
use carom_oracle::rational::{ExactPoint, Rational, Transform, V, exact_points, pose2, to_f64};

type Points = Vec<[f64; 2]>;

const ORIGIN: [f64; 2] = [0.0, 0.0];

/// Star-shaped about the origin, with radii that vary wildly.
fn star(rng: &mut Rng, n: usize) -> Points {
    (0..n)
        .map(|k| {
            let (sin, cos) = (2.0 * f64::PI * (k as f64 + rng.uniform(0.0, 0.9)) / n as f64).sine_cosine();
            let r = if rng.one_in(2) { f64::from(rng.between(1, 4)) } else { rng.uniform(0.1, 4.0) };
            [r * cos, r * sin]
        })
        .collect()
}

/// Teeth of width 1 on a back of height 1, on the lattice.
fn comb(rng: &mut Rng, teeth: usize) -> Points {
    let mut points = vec![[0.0, 0.0], [2.0 * teeth as f64 - 1.0, 0.0]];
    for tooth in (0..teeth).rev() {
        let (x, length) = (2.0 * tooth as f64, f64::from(rng.between(2, 5)));
        points.extend([[x + 1.0, length], [x, length]]);
        if 0 < tooth {
            points.extend([[x, 1.0], [x - 1.0, 1.0]]);
        }
    }
    points
}

/// A square spiral with walls of width 1 and corridors of width 1, on the lattice.
fn spiral(legs: usize) -> Points {
    const DIRECTIONS: [[f64; 2]; 4] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let add = |p: [f64; 2], d: [f64; 2], s: f64| [p[0] + d[0] * s, p[1] + d[1] * s];
    let mut at = [-3.0, -3.0];
    let (mut outer, mut inner) = (vec![at], vec![add(at, DIRECTIONS[1], 1.0)]);
    for leg in 0..legs {
        // Three legs of the longest length, then two of each shorter one.
        let length = 2.0 * (legs - leg.saturating_sub(1) / 2) as f64;
        let (along, next) = (DIRECTIONS[leg % 4], DIRECTIONS[(leg + 1) % 4]);
        at = add(at, along, length);
        outer.push(at);
        let back = if leg + 1 == legs { 0.0 } else { -1.0 };
        inner.push(add(add(at, along, back), next, 1.0));
    }
    outer.extend(inner.into_iter().rev());
    outer
}

/// Few random lattice points: simple sometimes.
fn scribble(rng: &mut Rng) -> Points {
    let n = 3 + rng.below(5);
    (0..n).map(|_| [f64::from(rng.between(-2, 2)), f64::from(rng.between(-2, 2))]).collect()
}

fn polygon(rng: &mut Rng) -> Points {
    loop {
        let mut points = match rng.below(5) {
            0 => {
                let n = 3 + rng.below(12);
                star(rng, n)
            }
            1 => {
                let teeth = 1 + rng.below(4);
                comb(rng, teeth)
            }
            2 => spiral(1 + rng.below(6)),
            _ => scribble(rng),
        };
        if let Ok(outline) = outline(&points) {
            points = outline.points().map(|p| [p.x, p.y]).collect();
            if rng.one_in(2) {
                points.reverse();
            }
            return points;
        }
    }
}

fn outline(points: &[[f64; 2]]) -> Result<Outline<f64>, Error> {
    Outline::new(points.iter().copied())
}

fn scaled(points: &[[f64; 2]], factor: f64) -> Points {
    points.iter().map(|p| p.map(|x| x * factor)).collect()
}

/// The corners with repeated ones dropped, and where they were in the input.
fn kept(points: &[[f64; 2]]) -> (Vec<V<2>>, Vec<usize>) {
    let mut indices: Vec<usize> = Vec::new();
    for (i, p) in points.iter().enumerate() {
        if indices.last().is_none_or(|&last| points[last] != *p) {
            indices.push(i);
        }
    }
    while indices.len() > 1 && points[indices[0]] == points[indices[indices.len() - 1]] {
        indices.pop();
    }
    (indices.iter().map(|&i| points[i].to_exact()).collect(), indices)
}

#[test]
fn only_simple_polygons_are_accepted() {
    let mut rng = Rng::new(21);
    let mut accepted = 0;
    for round in 0..6000 {
        let mut points = if round % 4 == 0 { polygon(&mut rng) } else { scribble(&mut rng) };
        if rng.one_in(3) {
            let i = rng.below(points.len());
            points[i] = points[i].map(|x| nudge(x, rng.between(-1, 1)));
        }
        if rng.one_in(4) {
            let i = rng.below(points.len());
            points.insert(i, points[i]);
        }
        if rng.one_in(4) {
            points.push(points[0]);
        }
        let (corners, indices) = kept(&points);
        let expected = if corners.len() < 3 {
            Err(Error::TooFewPoints { what: "outline", least: 3, count: corners.len() })
        } else if corners.iter().all(|p| brute::turn(&corners[0], &corners[1], p).is_eq()) {
            Err(Error::Collapsed { what: "outline" })
        } else if let Some((i, j)) = brute::not_simple(&corners) {
            Err(Error::NotSimple { what: "outline", first: indices[i], second: indices[j] })
        } else {
            Ok(brute::twice_area(&corners))
        };
        match (outline(&points), expected) {
            (Ok(outline), Ok(twice)) => {
                accepted += 1;
                assert_eq!(outline.edge_count(), corners.len());
                assert_eq!(outline.is_counter_clockwise(), twice > Rational::ZERO);
                let (area, truth) = (outline.area().unwrap(), to_f64(&twice).abs() / 2.0);
                let is_lattice = points.iter().flatten().all(|x| x.fract() == 0.0);
                let slack = if is_lattice { 0.0 } else { 1e-13 * (1.0 + truth) };
                assert!((area - truth).abs() <= slack, "{area} {truth}");
            }
            (Err(error), Err(expected)) => assert_eq!(error, expected, "{points:?}"),
            (built, expected) => panic!("{points:?}: {built:?} but {expected:?}"),
        }
    }
    assert!(accepted > 1000, "{accepted}");
}

#[test]
fn generators_are_simple() {
    let mut rng = Rng::new(5);
    for size in 1..8 {
        assert!(outline(&spiral(size)).is_ok(), "{:?}", spiral(size));
        assert!(outline(&comb(&mut rng, size)).is_ok());
        assert!(outline(&star(&mut rng, size + 7)).is_ok());
    }
}

/// A quarter turn and a lattice translation: exact for coordinates of few bits.
fn exact_pose(rng: &mut Rng) -> (Pose2<f64>, Transform<2>) {
    let [cos, sin] = rng.pick(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]);
    let translation = [f64::from(rng.between(-6, 6)) / 2.0, f64::from(rng.between(-6, 6)) / 2.0];
    (Pose2::new(translation, Rot2::from_cos_sin(cos, sin).unwrap()), pose2([cos, sin], translation))
}

/// 0 apart, 1 crossing, 2 the first inside, 3 the second inside.
fn kind(relation: OutlineRelation) -> usize {
    match relation {
        OutlineRelation::Apart => 0,
        OutlineRelation::Crossing { .. } => 1,
        OutlineRelation::FirstInside => 2,
        OutlineRelation::SecondInside => 3,
    }
}

/// The kind of the same relation with the outlines exchanged.
fn exchanged(relation: OutlineRelation) -> usize {
    [0, 1, 3, 2][kind(relation)]
}

/// Coordinates rounded to multiples of 2⁻³⁰, so that the exact poses are.
fn coarse(points: &[[f64; 2]]) -> Points {
    let unit = power_of_two(-30);
    points.iter().map(|p| p.map(|x| (x / unit).round() * unit)).collect()
}

#[test]
fn pairs_match_brute_force_at_exact_poses() {
    let mut rng = Rng::new(22);
    let mut seen = [0; 4];
    for case in 0..3000 {
        let mut size = || if rng.one_in(3) { 0.125 } else { 1.0 };
        let (size_a, size_b) = (size(), size());
        let points_a = scaled(&coarse(&polygon(&mut rng)), size_a);
        let points_b = scaled(&coarse(&polygon(&mut rng)), size_b);
        let (Ok(a), Ok(b)) = (outline(&points_a), outline(&points_b)) else { continue };
        let ((pose_a, exact_a), (pose_b, exact_b)) = (exact_pose(&mut rng), exact_pose(&mut rng));
        let truth = brute::relation(&exact_a.points(&points_a), &exact_b.points(&points_b));
        let answer = relate_outlines(&a, pose_a, &b, pose_b).unwrap();
        assert_eq!(answer, truth, "{points_a:?} {pose_a:?} {points_b:?} {pose_b:?}");
        seen[kind(truth)] += 1;
        let intersects = outlines_intersect(&a, pose_a, &b, pose_b).unwrap();
        assert_eq!(intersects, truth != OutlineRelation::Apart);

        assert_eq!(exchanged(relate_outlines(&b, pose_b, &a, pose_a).unwrap()), kind(answer));
        assert_eq!(outlines_intersect(&b, pose_b, &a, pose_a).unwrap(), intersects);
        if case % 8 == 0 {
            for exponent in [-300, -40, 40, 300, 990] {
                let factor = power_of_two(exponent);
                let far = |pose: Pose2<f64>| Pose2 { translation: pose.translation * factor, ..pose };
                let big_a = outline(&scaled(&points_a, factor)).unwrap();
                let big_b = outline(&scaled(&points_b, factor)).unwrap();
                assert_eq!(relate_outlines(&big_a, far(pose_a), &big_b, far(pose_b)), Ok(answer));
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 25), "{seen:?}");
}

/// Corners that are nudged by an ulp around exact touching, without any pose.
#[test]
fn an_ulp_decides_between_touching_and_apart() {
    let mut rng = Rng::new(23);
    let mut seen = [0; 4];
    for _ in 0..3000 {
        let points_a = polygon(&mut rng);
        let i = rng.below(points_a.len());
        let ([ax, ay], [bx, by]) = (points_a[i], points_a[(i + 1) % points_a.len()]);
        let s = rng.pick(&[0.0, 0.5, 1.0, 0.3]);
        let [x, y] = [ax + (bx - ax) * s, ay + (by - ay) * s].map(|x| nudge(x, rng.between(-1, 1)));
        let points_b =
            [[x, y], [x + rng.uniform(-0.3, 0.3), y + 0.25], [x + 0.25, y + rng.uniform(-0.3, 0.1)]];
        let (a, b) = (outline(&points_a).unwrap(), outline(&points_b).unwrap());
        let truth = brute::relation(&exact_points(&points_a), &exact_points(&points_b));
        assert_eq!(relate_outlines(&a, ORIGIN, &b, ORIGIN), Ok(truth), "{points_a:?} {points_b:?}");
        // Equal rotations cancel without rounding.
        let [cos, sin] = unit_complex(&mut rng);
        let turn = Pose2::from(Rot2::from_cos_sin(cos, sin).unwrap());
        assert_eq!(relate_outlines(&a, turn, &b, turn), Ok(truth));
        seen[kind(truth)] += 1;
    }
    assert!(seen[0] > 50 && seen[1] > 500 && seen[3] > 50, "{seen:?}");
}

#[test]
fn rotated_pairs_are_right_unless_they_touch_within_rounding() {
    let mut rng = Rng::new(24);
    let (mut right, mut doubtful) = (0, 0);
    for _ in 0..800 {
        let (points_a, points_b) = (polygon(&mut rng), polygon(&mut rng));
        let (a, b) = (outline(&points_a).unwrap(), outline(&points_b).unwrap());
        let mut pose = || {
            let [cos, sin] = unit_complex(&mut rng);
            let translation = [coordinate(&mut rng), coordinate(&mut rng)];
            let rotation = Rot2::from_cos_sin(cos, sin).unwrap();
            (Pose2::new(translation, rotation), pose2([rotation.cos(), rotation.sin()], translation))
        };
        let ((pose_a, exact_a), (pose_b, exact_b)) = (pose(), pose());
        let (world_a, world_b) = (exact_a.points(&points_a), exact_b.points(&points_b));
        let truth = brute::relation(&world_a, &world_b);
        let answer = relate_outlines(&a, pose_a, &b, pose_b).unwrap();
        assert_eq!(exchanged(relate_outlines(&b, pose_b, &a, pose_a).unwrap()), kind(answer));
        if kind(answer) == kind(truth) {
            right += 1;
            continue;
        }
        doubtful += 1;
        let gap = |p: &[V<2>], q: &[V<2>]| {
            q.iter().map(|corner| brute::distance(p, corner)).fold(f64::INFINITY, Number::min_of)
        };
        let gap = gap(&world_a, &world_b).min_of(gap(&world_b, &world_a));
        let size = 20.0 + (pose_a.translation - pose_b.translation).max_abs();
        assert!(gap <= 8.0 * f64::EPSILON * size, "{truth:?} {answer:?} {gap}");
    }
    assert!(right > 700 && doubtful < 50, "{right} {doubtful}");
}

#[test]
fn points_match_brute_force() {
    let mut rng = Rng::new(25);
    let (mut inside, mut on) = (0, 0);
    for _ in 0..4000 {
        let points = polygon(&mut rng);
        let shape = outline(&points).unwrap();
        let corners = exact_points(&points);
        let i = rng.below(points.len());
        let ([ax, ay], [bx, by]) = (points[i], points[(i + 1) % points.len()]);
        let p = match rng.below(4) {
            0 => [coordinate(&mut rng), coordinate(&mut rng)],
            1 => [(ax + bx) / 2.0, (ay + by) / 2.0].map(|x| nudge(x, rng.between(-1, 1))),
            2 => points[i],
            _ => [rng.uniform(-4.0, 4.0), f64::from(rng.between(-4, 4))],
        };
        let exact_p = p.to_exact();
        let truth = brute::contains(&corners, &exact_p);
        assert_eq!(shape.contains_point(ORIGIN, p), Ok(truth), "{points:?} {p:?}");

        let answer = shape.closest_point(ORIGIN, p).unwrap();
        assert_eq!(answer.inside, truth);
        let distance = brute::distance(&corners, &exact_p);
        let size = 10.0 + p[0].abs() + p[1].abs();
        let error = (answer.distance.abs() - distance).abs();
        assert!(error <= 8.0 * f64::EPSILON * size, "{answer:?} {distance} {points:?} {p:?}");
        assert!(if truth { answer.distance <= 0.0 } else { answer.distance >= 0.0 });
        let boundary = brute::on_boundary(&corners, &exact_p);
        if boundary {
            assert_eq!((answer.distance, answer.point), (0.0, Vec2::from(p)));
        }
        let witness = [answer.point.x, answer.point.y].to_exact();
        assert!(brute::distance(&corners, &witness) <= 4.0 * f64::EPSILON * size);
        let bounded = shape.signed_distance(ORIGIN, p).unwrap();
        assert_eq!((bounded.distance, bounded.point, bounded.inside), (answer.distance, answer.point, truth));
        let signed = if truth { -distance } else { distance };
        assert!(
            bounded.lower <= signed && signed <= bounded.upper,
            "{bounded:?} {distance} {points:?} {p:?}"
        );
        inside += usize::from(truth);
        on += usize::from(boundary);

        for exponent in [-300, 40, 300] {
            let factor = power_of_two(exponent);
            if p.iter().any(|x| x * factor / factor != *x) {
                continue; // a coordinate of 10⁻³²⁴ cannot be scaled
            }
            let big = outline(&scaled(&points, factor)).unwrap();
            let far = big.closest_point(ORIGIN, p.map(|x| x * factor)).unwrap();
            assert_eq!((far.point, far.distance), (answer.point * factor, answer.distance * factor));
        }
    }
    assert!(inside > 500 && on > 500, "{inside} {on}");
}

#[test]
fn signed_distances_are_bounded_at_any_pose() {
    let mut rng = Rng::new(27);
    for _ in 0..600 {
        let points = polygon(&mut rng);
        let shape = outline(&points).unwrap();
        let [cos, sin] = unit_complex(&mut rng);
        let translation = [coordinate(&mut rng), coordinate(&mut rng)];
        let pose = Pose2::new(translation, Rot2::from_cos_sin(cos, sin).unwrap());
        let p = [rng.uniform(-4.0, 4.0) + translation[0], rng.uniform(-4.0, 4.0) + translation[1]];
        let turn = pose.rotation;
        let local = pose2([turn.cos(), turn.sin()], translation).point_to_local(&p);
        let distance = brute::distance(&exact_points(&points), &local);
        let answer = shape.signed_distance(pose, p).unwrap();
        let [low, high] =
            if answer.inside { [-answer.upper, -answer.lower] } else { [answer.lower, answer.upper] };
        assert!(low <= distance && distance <= high, "{points:?} {pose:?} {p:?} {answer:?} {distance}");
        assert_eq!(answer.inside, shape.contains_point(pose, p).unwrap());
        // The normal at the closest point faces the side that the point is on.
        let away = Vec2::from(p) - answer.point;
        if 1e-6 < answer.distance.abs() {
            assert_eq!(answer.inside, away.dot(answer.normal) < 0.0, "{points:?} {pose:?} {p:?} {answer:?}");
        }
    }
}

#[test]
fn rays_match_brute_force() {
    let mut rng = Rng::new(26);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..4000 {
        let points = polygon(&mut rng);
        let shape = outline(&points).unwrap();
        let corners = exact_points(&points);
        let y = rng.uniform(-6.0, 6.0);
        let origin = [f64::from(rng.between(-12, 12)) / 2.0, if rng.one_in(2) { y.round() } else { y }];
        // At a corner, along an axis, along the lattice, or anywhere.
        let target = points[rng.below(points.len())];
        let direction = match rng.below(4) {
            0 => [target[0] - origin[0], target[1] - origin[1]],
            1 => rng.pick(&[[1.0, 0.0], [0.0, -1.0], [-2.0, 0.0], [0.0, 0.5]]),
            2 => [f64::from(rng.between(-3, 3)), f64::from(rng.between(-3, 3))],
            _ => [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)],
        };
        let Ok(ray) = Ray::new(origin, direction) else { continue };
        let hollow = RayOptions { solid: false, ..RayOptions::default() };
        let (o, d) = (origin.to_exact(), direction.to_exact());
        let truth = brute::first_hit(&corners, &o, &d);
        let answer = shape.cast_ray(ORIGIN, &ray, hollow).unwrap();
        assert_eq!(answer.is_some(), truth.is_some(), "{points:?} {ray:?}");
        let solid = shape.cast_ray(ORIGIN, &ray, RayOptions::default()).unwrap();
        if brute::contains(&corners, &o) {
            assert_eq!(solid.unwrap().t, 0.0);
        } else {
            assert_eq!(solid, answer);
        }
        let Some((hit, truth)) = answer.zip(truth) else {
            misses += 1;
            continue;
        };
        hits += 1;
        let length = Vector::length(ray.direction());
        // The sine of the angle between ray and edge magnifies the rounding.
        let sine = (hit.normal.dot(ray.direction()).abs() / length).max_of(1e-3);
        let error = (hit.t - to_f64(&truth)).abs() * length * sine;
        assert!(error <= 64.0 * f64::EPSILON * 12.0, "{hit:?} {truth} {points:?} {ray:?}");
        let at = RayOptions { max: hit.t, ..hollow };
        assert!(shape.cast_ray(ORIGIN, &ray, at).unwrap().is_some());
        if hit.t > 0.0 {
            let before = RayOptions { max: hit.t.next_down(), ..hollow };
            assert_eq!(shape.cast_ray(ORIGIN, &ray, before), Ok(None));
        }
        for (exponent, of_direction) in [(300, 0), (-300, -500), (40, 900)] {
            let (factor, stretch) = (power_of_two(exponent), power_of_two(of_direction));
            let big = outline(&scaled(&points, factor)).unwrap();
            let ray = Ray::new(origin.map(|x| x * factor), direction.map(|x| x * stretch)).unwrap();
            let far = big.cast_ray(ORIGIN, &ray, hollow).unwrap().unwrap();
            assert_eq!((far.t, far.normal), (hit.t / stretch * factor, hit.normal));
        }
    }
    assert!(hits > 1000 && misses > 300, "{hits} {misses}");
}

#[test]
fn rays_report_the_side_they_hit() {
    let u =
        outline(&[[0., 0.], [3., 0.], [3., 3.], [2., 3.], [2., 1.], [1., 1.], [1., 3.], [0., 3.]]).unwrap();
    let cast = |origin: [f64; 2], direction: [f64; 2], solid| {
        let ray = Ray::new(origin, direction).unwrap();
        let hit = u.cast_ray(ORIGIN, &ray, RayOptions { solid, ..RayOptions::default() }).unwrap();
        hit.map(|hit| (hit.t, [hit.normal.x, hit.normal.y]))
    };
    // Down into the gap, out of the left arm, and from outside at the arm's corner and along its top.
    assert_eq!(cast([1.5, 5.0], [0.0, -2.0], true), Some((2.0, [0.0, 1.0])));
    assert_eq!(cast([0.5, 2.0], [1.0, 0.0], false), Some((0.5, [1.0, 0.0])));
    assert_eq!(cast([0.5, 2.0], [1.0, 0.0], true), Some((0.0, [-1.0, 0.0])));
    assert_eq!(cast([-1.0, 3.0], [1.0, 0.0], true), Some((1.0, [-1.0, 0.0])));
    assert_eq!(cast([1.5, 3.0], [1.0, 0.0], true), Some((0.5, [-1.0, 0.0])));
    assert_eq!(cast([-1.0, 2.0], [1.0, 1.0], true), Some((1.0, [-1.0, 0.0])));
    assert_eq!(cast([1.5, 2.0], [0.0, 1.0], true), None);
}

#[test]
fn extremes_of_the_range_are_exact() {
    // Corners 2¹⁰⁰⁰ and 2⁻¹⁰⁰⁰ away in one outline, and a point that lies on its slanted edge.
    let (huge, tiny) = (power_of_two(1000), power_of_two(-1000));
    let wedge = outline(&[[0.0, 0.0], [huge, tiny], [0.0, huge]]).unwrap();
    assert_eq!(wedge.contains_point(ORIGIN, [huge / 2.0, tiny / 2.0]), Ok(true));
    assert_eq!(wedge.contains_point(ORIGIN, [huge / 2.0, (tiny / 2.0).next_down()]), Ok(false));

    // Differences of coordinates that overflow.
    let (low, high) = (f64::MIN, f64::MAX);
    let all = outline(&[[low, low], [high, low], [high, high], [low, high]]).unwrap();
    assert_eq!(relate_outlines(&all, ORIGIN, &wedge, ORIGIN), Ok(OutlineRelation::SecondInside));
    assert_eq!(relate_outlines(&wedge, [high, 0.0], &wedge, [low, 0.0]), Ok(OutlineRelation::Apart));
    assert_eq!(all.contains_point(ORIGIN, [high, 1.0]), Ok(true));
    assert_eq!(all.contains_point([high, 0.0], [low, 1.0]), Ok(false));
    assert!(matches!(all.area(), Err(Error::Overflow { .. })));
    assert!(matches!(all.perimeter(), Err(Error::Overflow { .. })));

    let at = 512.0_f64.next_up();
    let (big, small) = (power_of_two(900), power_of_two(-900));
    let needle = outline(&[[0.0, 0.0], [big, small * at], [0.0, big]]).unwrap();
    let tip = |y: f64| outline(&[[big / 2.0, y], [big / 4.0, -big], [big / 2.0, -big]]).unwrap();
    let on = small * at / 2.0;
    assert_eq!(outlines_intersect(&needle, ORIGIN, &tip(on), ORIGIN), Ok(true));
    assert_eq!(outlines_intersect(&needle, ORIGIN, &tip(on.next_down()), ORIGIN), Ok(false));
}

#[test]
fn long_outlines_are_no_trouble() {
    let gear = |n: usize, phase: f64| {
        let corner = |k: usize| {
            let (sin, cos) = (2.0 * f64::PI * (k as f64 + phase) / n as f64).sine_cosine();
            let r = if k.is_multiple_of(2) { 1.0 } else { 0.9 };
            Vec2::new(r * cos, r * sin)
        };
        Outline::new((0..n).map(corner)).unwrap()
    };
    let (a, b) = (gear(10_000, 0.0), gear(10_000, 0.5));
    assert!(outlines_intersect(&a, ORIGIN, &b, [1.5, 0.0]).unwrap());
    assert!(!outlines_intersect(&a, ORIGIN, &b, [2.01, 0.0]).unwrap());
    let half = Outline::new(b.points().map(|p| p * 0.5)).unwrap();
    assert_eq!(relate_outlines(&a, ORIGIN, &half, ORIGIN), Ok(OutlineRelation::SecondInside));
    assert_eq!(relate_outlines(&half, ORIGIN, &a, ORIGIN), Ok(OutlineRelation::FirstInside));
    assert!(a.contains_point(ORIGIN, ORIGIN).unwrap());
}

#[test]
fn any_numbers_are_answered() {
    let mut rng = Rng::new(27);
    for _ in 0..20_000 {
        let n = rng.below(6);
        let points: Points = (0..n).map(|_| [any_bits(&mut rng), any_bits(&mut rng)]).collect();
        let mut number = || any_bits(&mut rng);
        let pose = Pose2::new([number(), number()], Rot2::from_angle(number()));
        let point = [number(), number()];
        let ray = Ray::new([number(), number()], [number(), number()]);
        let options = RayOptions { max: number(), solid: n.is_multiple_of(2) };
        let made = outline(&points);
        if points.iter().flatten().any(|x| !x.is_finite()) {
            assert!(matches!(made, Err(Error::NotFinite { what: "points", .. })));
        }
        let unit = outline(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
        let shape = made.unwrap_or_else(|_| unit.clone());
        let (inside, closest) = (shape.contains_point(pose, point), shape.closest_point(pose, point));
        if !pose.finite() {
            assert!(matches!(inside, Err(Error::NotFinite { what: "pose", .. })));
        } else if let (Ok(inside), Ok(closest)) = (inside, closest) {
            assert_eq!(inside, closest.inside);
            match shape.signed_distance(pose, point) {
                Ok(answer) => assert_eq!(answer.inside, inside),
                Err(error) => assert!(matches!(error, Error::Overflow { .. }), "{error}"),
            }
        }
        if let Ok(ray) = ray {
            let _ = shape.cast_ray(pose, &ray, options);
        }
        assert_eq!(relate_outlines(&shape, pose, &unit, ORIGIN).is_err(), !pose.finite());
        let _ = (shape.area(), shape.perimeter());
        let small: Vec<[f32; 2]> = (0..n).map(|_| [any_bits_f32(&mut rng), any_bits_f32(&mut rng)]).collect();
        if let Ok(shape) = Outline::new(small) {
            let at = [any_bits_f32(&mut rng), any_bits_f32(&mut rng)];
            let _ = (shape.closest_point([0.0, 0.0], at), shape.area());
        }
    }
}

#[test]
fn an_outline_is_a_shape_with_a_box() {
    let corner = outline(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]]).unwrap();
    let quarter = Pose2::new([10.0, 0.0], Rot2::from_cos_sin(0.0, 1.0).unwrap());
    let fit = aabb(&corner, quarter).unwrap();
    assert_eq!((fit.min, fit.max), (Vec2::new(7.0, 0.0), Vec2::new(10.0, 2.0)));
    let shape = Shape::from(corner.clone());
    assert_eq!((shape.as_shape().kind(), &shape), ("outline", &Shape::Outline(corner)));
}

#[test]
fn single_precision_is_the_same_outline() {
    let mut rng = Rng::new(28);
    for _ in 0..500 {
        let points: Vec<[f32; 2]> = polygon(&mut rng).iter().map(|p| p.map(|x| x as f32)).collect();
        let wide: Points = points.iter().map(|p| p.map(f64::from)).collect();
        let (Ok(narrow), Ok(wide)) = (Outline::new(points.iter().copied()), outline(&wide)) else { continue };
        assert!(narrow.points().map(|p| [p.x, p.y]).eq(points.iter().copied()));
        let p = [rng.uniform(-4.0, 4.0) as f32, rng.between(-3, 3) as f32];
        let a = narrow.closest_point([0.0, 0.0], p).unwrap();
        let b = wide.closest_point(ORIGIN, p.map(f64::from)).unwrap();
        assert_eq!((a.distance, a.inside), (b.distance as f32, b.inside));
    }
}
