//! Convex decomposition against exact rational arithmetic: pieces are convex, disjoint, and cover.

use carom_geometry::Error;
use carom_geometry::d2::convex_decomposition;
use carom_math::{Real, Vec2};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, coordinate, lattice_point, nudge, power_of_two};
use carom_oracle::rational::{Rational, V, exact_points, fraction};
use std::collections::BTreeSet;

type Points = Vec<[f64; 2]>;

fn decompose(points: &[[f64; 2]]) -> Result<Vec<Vec<usize>>, Error> {
    let points: Vec<Vec2<f64>> = points.iter().map(|&p| p.into()).collect();
    convex_decomposition(&points)
}

/// Twice the signed area of the triangle abc.
fn turn(a: &V<2>, b: &V<2>, c: &V<2>) -> Rational {
    (b - a).perp_dot(&(c - a))
}

fn twice_area(ring: &[V<2>]) -> Rational {
    let zero = V::zero();
    let mut sum = Rational::ZERO;
    for i in 0..ring.len() {
        sum += turn(&zero, &ring[i], &ring[(i + 1) % ring.len()]);
    }
    sum
}

/// Whether segments share a point: solved by signs, in rationals.
fn meet(a: &V<2>, b: &V<2>, c: &V<2>, d: &V<2>) -> bool {
    let zero = Rational::ZERO;
    let on = |a: &V<2>, b: &V<2>, p: &V<2>| turn(a, b, p) == zero && (a - p).dot(&(b - p)) <= zero;
    let opposite = |x: Rational, y: Rational| x * y < zero;
    on(a, b, c)
        || on(a, b, d)
        || on(c, d, a)
        || on(c, d, b)
        || (opposite(turn(a, b, c), turn(a, b, d)) && opposite(turn(c, d, a), turn(c, d, b)))
}

/// Whether two edges of a ring without repeated neighbours share more than they must.
fn clash(ring: &[V<2>], i: usize, j: usize) -> bool {
    let n = ring.len();
    let at = |k: usize| &ring[k % n];
    let fold = |a: &V<2>, b: &V<2>, c: &V<2>| {
        turn(a, b, c) == Rational::ZERO && Rational::ZERO < (a - b).dot(&(c - b))
    };
    if i + 1 == j {
        fold(at(i), at(j), at(j + 1))
    } else if i == 0 && j + 1 == n {
        fold(at(j), at(0), at(1))
    } else {
        meet(at(i), at(i + 1), at(j), at(j + 1))
    }
}

fn is_simple(ring: &[V<2>]) -> bool {
    let n = ring.len();
    (0..n).all(|i| ring[i] != ring[(i + 1) % n]) && (0..n).all(|i| (i + 1..n).all(|j| !clash(ring, i, j)))
}

/// Whether a point that is on no edge lies inside.
fn inside(ring: &[V<2>], p: &V<2>) -> bool {
    let mut odd = false;
    for i in 0..ring.len() {
        let (a, b) = (&ring[i], &ring[(i + 1) % ring.len()]);
        if (a.0[1] <= p.0[1]) != (b.0[1] <= p.0[1]) {
            let left = turn(a, b, p);
            odd ^= if a.0[1] <= p.0[1] { Rational::ZERO < left } else { left < Rational::ZERO };
        }
    }
    odd
}

/// Checks everything that is promised for a simple polygon, and returns the number of pieces.
fn check(points: &[[f64; 2]]) -> usize {
    let zero = Rational::ZERO;
    let pieces = decompose(points).unwrap_or_else(|error| panic!("{error} {points:?}"));
    let ring = exact_points(points);
    let sign = if twice_area(&ring) < zero { -1 } else { 1 };
    let mut sum = Rational::ZERO;
    let loops: Vec<Vec<V<2>>> =
        pieces.iter().map(|piece| piece.iter().map(|&i| ring[i].clone()).collect()).collect();
    for (piece, indices) in loops.iter().zip(&pieces) {
        assert!(3 <= piece.len(), "{points:?}");
        let distinct: BTreeSet<_> = indices.iter().collect();
        assert_eq!(distinct.len(), indices.len());
        assert_eq!(indices.iter().min(), indices.first());
        let n = piece.len();
        for i in 0..n {
            for j in 0..n {
                let side = turn(&piece[i], &piece[(i + 1) % n], &piece[j]);
                assert_eq!(side == zero, j == i || j == (i + 1) % n, "{points:?} {pieces:?}");
                assert!(zero <= side, "{points:?} {pieces:?}");
            }
            // No edge of the piece runs across an edge of the polygon.
            for k in 0..ring.len() {
                let (a, b, c, d) = (&piece[i], &piece[(i + 1) % n], &ring[k], &ring[(k + 1) % ring.len()]);
                let across = turn(a, b, c) * turn(a, b, d) < zero && turn(c, d, a) * turn(c, d, b) < zero;
                assert!(!across, "{points:?} {pieces:?}");
            }
        }
        let third = fraction(1, 3);
        let middle = (&(&piece[0] + &piece[1]) + &piece[2]).scaled(&third);
        assert!(inside(&ring, &middle), "{points:?} {pieces:?}");
        sum += twice_area(piece);
    }
    assert_eq!(sum, twice_area(&ring) * Rational::from(sign), "{points:?} {pieces:?}");
    // Disjoint: an edge of one has the other on its outer side.
    let separates = |one: &[V<2>], other: &[V<2>]| {
        (0..one.len()).any(|i| other.iter().all(|p| turn(&one[i], &one[(i + 1) % one.len()], p) <= zero))
    };
    for (i, one) in loops.iter().enumerate() {
        for other in &loops[..i] {
            assert!(separates(one, other) || separates(other, one), "{points:?} {pieces:?}");
        }
    }
    assert!(pieces.windows(2).all(|pair| pair[0] < pair[1]));
    let n = ring.len();
    let concave = (0..n)
        .filter(|&i| turn(&ring[(i + n - 1) % n], &ring[i], &ring[(i + 1) % n]) * Rational::from(sign) < zero)
        .count();
    assert!(pieces.len() <= 2 * concave + 1, "{} pieces, {concave} concave", pieces.len());
    // Never fewer than the bound of geometry: each cut mends at most two concave corners.
    assert!(concave.div_ceil(2) < pieces.len());
    pieces.len()
}

/// A random simple polygon, grown from a triangle by inserting points wherever it stays simple.
fn grown(rng: &mut Rng, n: usize) -> Points {
    let grid = rng.one_in(2);
    let point = |rng: &mut Rng| -> [f64; 2] {
        match (grid, rng.below(8)) {
            (true, _) => [0; 2].map(|_| f64::from(rng.between(0, 6))),
            (false, 0) => lattice_point(rng),
            (false, 1) => [coordinate(rng), coordinate(rng)],
            (false, 2) => [0; 2].map(|_| nudge(f64::from(rng.between(-2, 2)), rng.between(-1, 1))),
            _ => [rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)],
        }
    };
    let mut ring: Points = loop {
        let triangle = [0; 3].map(|_| point(rng));
        let [a, b, c] = [0, 1, 2].map(|i| exact_points(&triangle)[i].clone());
        if turn(&a, &b, &c) != Rational::ZERO {
            break triangle.to_vec();
        }
    };
    for _ in 0..3 * n {
        if n <= ring.len() {
            break;
        }
        let mut candidate = ring.clone();
        candidate.insert(1 + rng.below(ring.len()), point(rng));
        if is_simple(&exact_points(&candidate)) {
            ring = candidate;
        }
    }
    ring
}

#[test]
fn random_simple_polygons_are_cut_exactly() {
    let mut rng = Rng::new(1);
    for round in 0..250 {
        let mut ring = grown(&mut rng, 4 + round % 14);
        if rng.one_in(2) {
            ring.reverse();
        }
        let pieces = check(&ring);
        // The same with repeated points, which may not make a difference.
        let mut repeated = ring.clone();
        for _ in 0..3 {
            let i = rng.below(repeated.len());
            repeated.insert(i, repeated[i]);
        }
        repeated.push(repeated[0]);
        assert_eq!(decompose(&repeated).unwrap().len(), pieces);
        // And scaled, by powers of two that take the predicates to the ends of the range.
        let factor = power_of_two(rng.pick(&[-40, 40, -320, 320, 600, -600]));
        let scaled: Points = ring.iter().map(|p| p.map(|x| x * factor)).collect();
        if ring.iter().flatten().all(|x| *x == 0.0 || 1e-100 < x.abs()) {
            assert_eq!(decompose(&scaled).unwrap(), decompose(&ring).unwrap());
        }
    }
}

#[test]
fn chains_are_refused_exactly_when_they_are_not_simple() {
    let mut rng = Rng::new(2);
    let (mut simple, mut refused) = (0, 0);
    for _ in 0..2000 {
        let n = 3 + rng.below(5);
        let wide = rng.one_in(2);
        let points: Points = (0..n)
            .map(|_| {
                if wide {
                    [0; 2].map(|_| coordinate(&mut rng))
                } else {
                    [0; 2].map(|_| f64::from(rng.between(0, 5)))
                }
            })
            .collect();
        let ring = exact_points(&points);
        if (0..n).any(|i| ring[i] == ring[(i + 1) % n]) {
            continue;
        }
        match decompose(&points) {
            Ok(_) => {
                assert!(is_simple(&ring), "{points:?}");
                check(&points);
                simple += 1;
            }
            Err(Error::NotSimple { first, second, .. }) => {
                let lowest =
                    (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).find(|&(i, j)| clash(&ring, i, j));
                assert_eq!(lowest, Some((first, second)), "{points:?}");
                refused += 1;
            }
            Err(Error::Collapsed { .. }) => {
                assert!((2..n).all(|i| turn(&ring[0], &ring[1], &ring[i]) == Rational::ZERO), "{points:?}");
            }
            Err(error) => panic!("{error} {points:?}"),
        }
    }
    assert!(250 < simple && 250 < refused, "{simple} {refused}");
}

#[test]
fn regular_polygons_are_one_piece() {
    // rapier issue 223: the 240-gon.
    for n in (3..60).chain(235..260) {
        let angle = |i: u16| 2.0 * f64::PI * f64::from(i) / f64::from(n);
        let ring: Points = (0..n).map(|i| angle(i).sine_cosine()).map(|(sin, cos)| [cos, sin]).collect();
        assert_eq!(decompose(&ring).unwrap().len(), 1, "{n}");
        let narrow: Vec<Vec2<f32>> = ring.iter().map(|p| Vec2::new(p[0] as f32, p[1] as f32)).collect();
        let pieces = convex_decomposition(&narrow).unwrap();
        // Rounded to f32 a corner may be concave by half an ulp; then more pieces are right.
        let wide: Points = narrow.iter().map(|p| [f64::from(p.x), f64::from(p.y)]).collect();
        assert_eq!(pieces, decompose(&wide).unwrap());
        if n % 20 == 0 {
            check(&wide);
        }
    }
}

#[test]
fn named_shapes() {
    // Corners on one line, on edges and between pieces.
    let plus: Points = vec![
        [1.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [3.0, 1.0],
        [3.0, 2.0],
        [2.0, 2.0],
        [2.0, 3.0],
        [1.0, 3.0],
        [1.0, 2.0],
        [0.0, 2.0],
        [0.0, 1.0],
        [1.0, 1.0],
    ];
    assert_eq!(check(&plus), 3);
    let square: Points =
        vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0], [0.0, 1.0]];
    assert_eq!(decompose(&square).unwrap(), [[0, 2, 4, 6]]);
    let chevron: Points = vec![[0.0, 0.0], [2.0, -1.0], [4.0, 0.0], [2.0, 4.0], [2.0, 0.0]];
    check(&chevron);
    // A comb, and a square spiral.
    let mut comb: Points = vec![[0.0, -1.0]];
    for tooth in 0..40 {
        let x = f64::from(tooth);
        comb.extend([[x, 0.0], [x + 0.5, 30.0]]);
    }
    comb.extend([[40.0, 0.0], [40.0, -1.0]]);
    check(&comb);
    check(&spiral(8));
    // The lattice polygon of parry issue 65.
    let gem = [
        [22.0, -11.0],
        [21.0, -12.0],
        [20.0, -13.0],
        [19.0, -14.0],
        [18.0, -13.0],
        [17.0, -12.0],
        [15.0, -12.0],
        [14.0, -11.0],
        [15.0, -10.0],
        [17.0, -10.0],
        [19.0, -10.0],
        [21.0, -10.0],
        [22.0, -11.0],
    ];
    check(&gem.map(|p| p.map(|x| x / 512.0))[..12]);
    assert_eq!(decompose(&gem).unwrap(), decompose(&gem[..12]).unwrap());
}

/// A square spiral of this many turns, of width 1 with gaps of width 1.
fn spiral(turns: i32) -> Points {
    let (mut outer, mut inner) = (Vec::new(), Vec::new());
    for turn in 0..turns {
        let (low, high) = (f64::from(2 * turn), f64::from(4 * turns - 2 * turn));
        // Each turn begins where the one before came down, at x = low − 2.
        let begin = if turn == 0 { [0.0, 0.0] } else { [low - 2.0, low - 1.0] };
        outer.extend([[begin[0], low], [high, low], [high, high], [low, high]]);
        inner.extend([
            [begin[1], low + 1.0],
            [high - 1.0, low + 1.0],
            [high - 1.0, high - 1.0],
            [low + 1.0, high - 1.0],
        ]);
    }
    inner.reverse();
    outer.extend(inner);
    outer
}

#[test]
fn errors_name_what_is_wrong() {
    let bow_tie: Points = vec![[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    assert_eq!(decompose(&bow_tie), Err(Error::NotSimple { what: "points", first: 0, second: 2 }));
    // A corner that touches an edge, a corner that touches a corner, a spike.
    let touch: Points = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]];
    assert_eq!(decompose(&touch), Err(Error::NotSimple { what: "points", first: 0, second: 2 }));
    let spike: Points = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [4.0, 0.0], [2.0, -1.0]];
    assert!(matches!(decompose(&spike), Err(Error::NotSimple { .. })));
    let line: Points = vec![[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [2.0, 2.0]];
    assert_eq!(decompose(&line), Err(Error::Collapsed { what: "points" }));
    let two: Points = vec![[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]];
    assert_eq!(decompose(&two), Err(Error::TooFewPoints { what: "points", least: 3, count: 2 }));
    assert_eq!(decompose(&[]), Err(Error::TooFewPoints { what: "points", least: 3, count: 0 }));
    assert!(matches!(decompose(&[[0.0, f64::NAN]; 4]), Err(Error::NotFinite { what: "points", .. })));
}

#[test]
fn any_bits_are_answered() {
    let mut rng = Rng::new(5);
    for _ in 0..3000 {
        let n = rng.below(9);
        let points: Points = (0..n).map(|_| [0; 2].map(|_| any_bits(&mut rng))).collect();
        if decompose(&points).is_ok() && n < 7 {
            check(&points);
        }
        let narrow: Vec<Vec2<f32>> =
            (0..n).map(|_| Vec2::new(any_bits_f32(&mut rng), any_bits_f32(&mut rng))).collect();
        let _ = convex_decomposition(&narrow);
    }
}
