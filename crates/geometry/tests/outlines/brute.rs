//! What brute force says about polygons with exact corners.

use super::*;
use std::cmp::Ordering;

pub(crate) fn turn(a: &V<2>, b: &V<2>, c: &V<2>) -> Ordering {
    (b - a).perp_dot(&(c - a)).cmp(&Rational::ZERO)
}

fn boxes_meet(s: [&V<2>; 2], t: [&V<2>; 2]) -> bool {
    (0..2).all(|k| {
        let low = |e: [&V<2>; 2]| e[0].0[k].clone().min(e[1].0[k].clone());
        let high = |e: [&V<2>; 2]| e[0].0[k].clone().max(e[1].0[k].clone());
        low(s) <= high(t) && low(t) <= high(s)
    })
}

/// By solving a + s(b − a) = c + t(d − c), the formula of the textbook.
pub(crate) fn segments_meet(s: [&V<2>; 2], t: [&V<2>; 2]) -> bool {
    if !boxes_meet(s, t) {
        return false;
    }
    let ([a, b], [c, d]) = (s, t);
    let (u, v, w) = (b - a, d - c, c - a);
    let denominator = u.perp_dot(&v);
    if denominator.is_zero() {
        // Parallel, or a point: on one line, where boxes that meet are segments that meet.
        return u.perp_dot(&w).is_zero() && v.perp_dot(&w).is_zero();
    }
    let unit = Rational::ZERO..=Rational::ONE;
    unit.contains(&(w.perp_dot(&v) / &denominator)) && unit.contains(&(w.perp_dot(&u) / &denominator))
}

pub(crate) fn edge(points: &[V<2>], i: usize) -> [&V<2>; 2] {
    [&points[i], &points[(i + 1) % points.len()]]
}

/// The lowest pair of edges that meet although they must not.
pub(crate) fn not_simple(points: &[V<2>]) -> Option<(usize, usize)> {
    let n = points.len();
    let folds = |a: &V<2>, b: &V<2>, c: &V<2>| {
        turn(a, b, c) == Ordering::Equal && (a - b).dot(&(c - b)) > Rational::ZERO
    };
    let clash = |i: usize, j: usize| {
        let (first, second) = (edge(points, i), edge(points, j));
        if i + 1 == j {
            folds(first[0], first[1], second[1])
        } else if i == 0 && j + 1 == n {
            folds(second[0], first[0], first[1])
        } else {
            segments_meet(first, second)
        }
    };
    (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).find(|&(i, j)| clash(i, j))
}

pub(crate) fn on_boundary(points: &[V<2>], p: &V<2>) -> bool {
    (0..points.len()).any(|i| segments_meet(edge(points, i), [p, p]))
}

/// Crossings of the upward ray, where the code under test uses the one to the right.
pub(crate) fn contains(points: &[V<2>], p: &V<2>) -> bool {
    let crosses = |i: usize| {
        let [a, b] = edge(points, i);
        let (a_is_left, b_is_left) = (a.0[0] <= p.0[0], b.0[0] <= p.0[0]);
        let (left, right) = if a_is_left { (a, b) } else { (b, a) };
        a_is_left != b_is_left && turn(left, right, p) == Ordering::Less
    };
    (0..points.len()).filter(|&i| crosses(i)).count() % 2 == 1 || on_boundary(points, p)
}

pub(crate) fn relation(a: &[V<2>], b: &[V<2>]) -> OutlineRelation {
    for first in 0..a.len() {
        for second in 0..b.len() {
            if segments_meet(edge(a, first), edge(b, second)) {
                return OutlineRelation::Crossing { first, second };
            }
        }
    }
    if contains(b, &a[0]) {
        OutlineRelation::FirstInside
    } else if contains(a, &b[0]) {
        OutlineRelation::SecondInside
    } else {
        OutlineRelation::Apart
    }
}

pub(crate) fn squared_distance(p: &V<2>, [a, b]: [&V<2>; 2]) -> Rational {
    let d = b - a;
    let t = ((p - a).dot(&d) / d.norm_squared()).clamp(Rational::ZERO, Rational::ONE);
    (p - &(a + &d.scaled(&t))).norm_squared()
}

pub(crate) fn distance(points: &[V<2>], p: &V<2>) -> f64 {
    let squares = (0..points.len()).map(|i| squared_distance(p, edge(points, i)));
    to_f64(&squares.min().expect("a polygon has edges")).sqrt()
}

pub(crate) fn twice_area(points: &[V<2>]) -> Rational {
    (0..points.len()).map(|i| edge(points, i)).fold(Rational::ZERO, |sum, [a, b]| sum + a.perp_dot(b))
}

/// The smallest t >= 0 at which a ray meets an edge.
pub(crate) fn first_hit(points: &[V<2>], o: &V<2>, d: &V<2>) -> Option<Rational> {
    let hit = |i: usize| {
        let [a, b] = edge(points, i);
        let (e, w) = (b - a, a - o);
        let denominator = d.perp_dot(&e);
        if denominator.is_zero() {
            if !d.perp_dot(&w).is_zero() {
                return None;
            }
            let project = |p: &V<2>| (p - o).dot(d) / d.norm_squared();
            let (t, u) = (project(a), project(b));
            let (low, high) = if t < u { (t, u) } else { (u, t) };
            return (high >= Rational::ZERO).then(|| low.max(Rational::ZERO));
        }
        let (t, s) = (w.perp_dot(&e) / &denominator, w.perp_dot(d) / &denominator);
        (t >= Rational::ZERO && (Rational::ZERO..=Rational::ONE).contains(&s)).then_some(t)
    };
    (0..points.len()).filter_map(hit).min()
}
