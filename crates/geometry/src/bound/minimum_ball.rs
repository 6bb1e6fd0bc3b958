//! The smallest ball around points.
//!
//! Welzl (1991) found it with a recursion over a list of points: the smallest ball around the first i
//! points with a set S on its surface is that of the first i − 1, unless the i-th lies outside; then it
//! lies on the surface too. Gärtner (1999) keeps the list short: it holds the points that mattered so
//! far, the one farthest from the current ball joins at the front, and this repeats until none is
//! outside. Each round grows the ball, so the loop ends; a bound on the rounds guards against rounding.
//!
//! The ball through at most DIM + 1 points, with qᵢ = pᵢ − p₀, has its centre at p₀ + Σ λᵢ qᵢ where
//!
//! ```text
//! Σⱼ 2 (qᵢ·qⱼ) λⱼ = qᵢ·qᵢ
//! ```
//!
//! Points that are affinely dependent on those already on the surface make the system singular; they
//! are left out, which cannot shrink the ball by more than rounding.
//!
//! Last, the ball is checked and completed with twice the digits, see [`polished`].

use crate::bound::distance::distance_up;
use carom_math::double::{Double, fast_two_sum};
use carom_math::{Number, Vector};

/// A bound on the number of pivots. Each one enlarges the ball, so the loops end by themselves; this
/// guards against rounding.
const PIVOTS: usize = 1000;

/// A point counts as outside when its squared distance exceeds the squared radius by this part.
const OUTSIDE: f64 = 1.0 + 4.0 * f64::EPSILON;

/// A pivot of the Gram matrix below this part of its diagonal entry is a dependent point.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;

/// Plain squared distances are off by less than 4ε; those within this part of each other are compared
/// with doubled precision.
const NEARLY: f64 = 16.0 * f64::EPSILON;

#[derive(Clone, Copy)]
struct Candidate<V> {
    center: V,
    radius_squared: f64,
}

/// At most four points that lie on the surface.
#[derive(Clone, Copy)]
struct Surface<V> {
    points: [V; 4],
    count: usize,
}

impl<V: Vector<Scalar = f64>> Surface<V> {
    fn empty() -> Self {
        Surface { points: [V::ZERO; 4], count: 0 }
    }
    fn with(mut self, point: V) -> Self {
        if let Some(free) = self.points.get_mut(self.count) {
            *free = point;
            self.count += 1;
        }
        self
    }
    fn points(&self) -> &[V] {
        self.points.get(..self.count).unwrap_or(&self.points)
    }
}

/// The centre of the smallest ball around the points, which must be of moderate size and relative to a
/// point among them.
pub(crate) fn center<V: Vector<Scalar = f64>>(points: &[V]) -> V {
    let Some(first) = points.first().copied() else {
        return V::ZERO;
    };
    let mut list = vec![first];
    let mut ball = Candidate { center: first, radius_squared: 0.0 };
    let mut surface = Surface::empty().with(first);
    for _ in 0..PIVOTS {
        let (pivot, distance) = farthest(points, ball.center);
        if distance <= ball.radius_squared * OUTSIDE {
            break;
        }
        let count = list.len();
        let (grown, support) = smallest(&mut list, count, Surface::empty().with(pivot));
        list.insert(0, pivot);
        if grown.radius_squared <= ball.radius_squared {
            break;
        }
        (ball, surface) = (grown, support);
    }
    polished(points, ball.center, surface)
}

/// The point farthest from `from` (the lowest index among equals) and its squared distance.
fn farthest<V: Vector<Scalar = f64>>(points: &[V], from: V) -> (V, f64) {
    let mut best = (from, -1.0);
    for point in points {
        let distance = (*point - from).length_squared();
        if best.1 < distance {
            best = (*point, distance);
        }
    }
    best
}

/// The smallest ball around the first `count` points of the list that has `on` on its surface, and the
/// points that determine it. The recursion is as deep as the surface has room: DIM + 1.
fn smallest<V: Vector<Scalar = f64>>(
    list: &mut [V],
    count: usize,
    on: Surface<V>,
) -> (Candidate<V>, Surface<V>) {
    let (mut ball, mut support) = (ball_through(on.points()), on);
    if on.count == V::DIM + 1 {
        return (ball, support);
    }
    for i in 0..count.min(list.len()) {
        let point = list[i];
        if (point - ball.center).length_squared() <= ball.radius_squared * OUTSIDE {
            continue;
        }
        let (grown, grown_support) = smallest(list, i, on.with(point));
        // A dependent point changes nothing: drop it.
        if ball.radius_squared < grown.radius_squared {
            (ball, support) = (grown, grown_support);
            list[..=i].rotate_right(1);
        }
    }
    (ball, support)
}

/// The smallest ball with these points on its surface.
fn ball_through<V: Vector<Scalar = f64>>(points: &[V]) -> Candidate<V> {
    let Some((first, rest)) = points.split_first() else {
        return Candidate { center: V::ZERO, radius_squared: -1.0 };
    };
    let edges: [V; 3] = core::array::from_fn(|i| rest.get(i).map_or(V::ZERO, |p| *p - *first));
    let offset = combination(edges, edges.map(Vector::length_squared));
    Candidate { center: *first + offset, radius_squared: offset.length_squared() }
}

/// Σ λᵢ qᵢ where Σⱼ 2 (qᵢ·qⱼ) λⱼ = rightᵢ: by elimination along the diagonal, which is stable for a
/// Gram matrix. Edges that depend on the others (zero edges too) get λ = 0.
fn combination<V: Vector<Scalar = f64>>(edges: [V; 3], right: [f64; 3]) -> V {
    let mut rows: [[f64; 4]; 3] = core::array::from_fn(|i| {
        core::array::from_fn(|j| edges.get(j).map_or(right[i], |edge| 2.0 * edges[i].dot(*edge)))
    });
    let diagonal: [f64; 3] = core::array::from_fn(|k| rows[k][k]);
    let mut used = [false; 3];
    for _ in 0..3 {
        // The pivot that is largest relative to the size of its edge.
        let (mut pivot, mut largest) = (None, DEPENDENT);
        for k in 0..3 {
            let part = if diagonal[k] == 0.0 { 0.0 } else { rows[k][k] / diagonal[k] };
            if !used[k] && largest < part {
                (pivot, largest) = (Some(k), part);
            }
        }
        let Some(pivot) = pivot else { break };
        used[pivot] = true;
        let pivot_row = rows[pivot];
        for (k, row) in rows.iter_mut().enumerate() {
            if k != pivot {
                let factor = row[pivot] / pivot_row[pivot];
                *row = core::array::from_fn(|j| row[j] - factor * pivot_row[j]);
            }
        }
    }
    let mut sum = V::ZERO;
    for k in 0..3 {
        if used[k] {
            sum += edges[k] * (rows[k][3] / rows[k][k]);
        }
    }
    sum
}

/// The centre of the smallest ball, from one that is right but for rounding and the points that
/// determine it.
///
/// A cluster of points far from another makes the linear systems so ill-conditioned that the recursion
/// above may stop at the wrong surface. So the last steps are taken with twice the digits, and over all
/// subsets: while some point lies outside, it joins the points of the surface, and the smallest ball
/// of these few, which has it on its surface, is found among the balls through the subsets that contain
/// it. Each step enlarges the ball; one is the rule.
fn polished<V: Vector<Scalar = f64>>(points: &[V], center: V, surface: Surface<V>) -> V {
    let Some(mut ball) = doubled_ball(surface.points()) else {
        return center;
    };
    let mut surface = surface;
    for _ in 0..PIVOTS {
        let (pivot, _) = farthest_doubled(points, &ball);
        if !ball.excludes(pivot) {
            break;
        }
        match smallest_of_few(surface, pivot) {
            Some((grown, support)) if ball.radius_squared.less_than(grown.radius_squared) => {
                (ball, surface) = (grown, support);
            }
            _ => break,
        }
    }
    let polished = ball.center();
    if reach_up(points, polished) <= reach_up(points, center) { polished } else { center }
}

/// A ball in doubled precision.
#[derive(Clone, Copy)]
struct DoubledBall<V> {
    /// A point on the surface; the centre is relative to it.
    origin: V,
    offset: [Double; 3],
    radius_squared: Double,
}

impl<V: Vector<Scalar = f64>> DoubledBall<V> {
    fn center(&self) -> V {
        self.origin + V::from_fn(|k| self.offset[k.min(2)].high)
    }
    fn distance_squared(&self, point: V) -> Double {
        (0..V::DIM).fold(Double::ZERO, |sum, k| {
            let away = Double::difference(point.get(k), self.origin.get(k)) - self.offset[k.min(2)];
            sum + away * away
        })
    }
    /// Outside by more than the rounding of well-conditioned doubled precision.
    fn excludes(&self, point: V) -> bool {
        let slack = Double::from(self.radius_squared.high * 1e-24);
        (self.radius_squared + slack).less_than(self.distance_squared(point))
    }
}

/// The point farthest from the centre, by doubled precision among those that plain precision cannot
/// tell apart.
fn farthest_doubled<V: Vector<Scalar = f64>>(points: &[V], ball: &DoubledBall<V>) -> (V, Double) {
    let center = ball.center();
    let (first, largest) = farthest(points, center);
    let threshold = largest * (1.0 - NEARLY);
    let mut best = (first, ball.distance_squared(first));
    for point in points {
        if threshold <= (*point - center).length_squared() {
            let distance = ball.distance_squared(*point);
            if best.1.less_than(distance) {
                best = (*point, distance);
            }
        }
    }
    best
}

/// The smallest ball around the points of a surface and a point outside of its ball.
fn smallest_of_few<V: Vector<Scalar = f64>>(
    surface: Surface<V>,
    pivot: V,
) -> Option<(DoubledBall<V>, Surface<V>)> {
    let mut best: Option<(DoubledBall<V>, Surface<V>)> = None;
    for subset in 0..1_usize << surface.count {
        if V::DIM < subset.count_ones() as usize {
            continue;
        }
        let mut support = Surface::empty().with(pivot);
        for (k, point) in surface.points().iter().enumerate() {
            if subset >> k & 1 == 1 {
                support = support.with(*point);
            }
        }
        let Some(ball) = doubled_ball(support.points()) else { continue };
        let smaller = best.is_none_or(|(least, _)| ball.radius_squared.less_than(least.radius_squared));
        if smaller && !surface.points().iter().any(|point| ball.excludes(*point)) {
            best = Some((ball, support));
        }
    }
    best
}

/// The smallest ball with these points on its surface; `None` when they are dependent.
fn doubled_ball<V: Vector<Scalar = f64>>(points: &[V]) -> Option<DoubledBall<V>> {
    let (first, rest) = points.split_first()?;
    let count = rest.len();
    let edges: [[Double; 3]; 3] = core::array::from_fn(|i| {
        core::array::from_fn(|k| match rest.get(i) {
            Some(point) if k < V::DIM => Double::difference(point.get(k), first.get(k)),
            _ => Double::ZERO,
        })
    });
    let dot = |a: &[Double; 3], b: &[Double; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let two = Double::from(2.0);
    let mut rows: [[Double; 4]; 3] = core::array::from_fn(|i| {
        core::array::from_fn(|j| edges.get(j).map_or(dot(&edges[i], &edges[i]), |e| two * dot(&edges[i], e)))
    });
    for k in 0..count {
        // Relative to the square of its edge: 1e-20 is far below any f64 geometry that is not dependent
        // (angles of 1e-10), and far above the rounding of doubled precision.
        if rows[k][k].high <= 1e-20 * dot(&edges[k], &edges[k]).high {
            return None;
        }
        let pivot_row = rows[k];
        for (i, row) in rows.iter_mut().enumerate().take(count) {
            if i != k {
                let factor = quotient(row[k], pivot_row[k]);
                *row = core::array::from_fn(|j| row[j] - factor * pivot_row[j]);
            }
        }
    }
    let mut offset = [Double::ZERO; 3];
    for k in 0..count {
        let weight = quotient(rows[k][3], rows[k][k]);
        for (sum, edge) in offset.iter_mut().zip(&edges[k]) {
            *sum = *sum + weight * *edge;
        }
    }
    Some(DoubledBall { origin: *first, offset, radius_squared: dot(&offset, &offset) })
}

/// a/b by long division with three digits of 53 bits, one more than [`Double`] takes: nearly dependent points
/// multiply the error of each quotient.
fn quotient(a: Double, b: Double) -> Double {
    let first = a.high / b.high;
    let remainder = a - b * Double::from(first);
    let second = remainder.high / b.high;
    let remainder = remainder - b * Double::from(second);
    fast_two_sum(first, second) + Double::from(remainder.high / b.high)
}

/// The distance from `center` to the farthest point, rounded up.
pub(crate) fn reach_up<V: Vector<Scalar = f64>>(points: &[V], center: V) -> f64 {
    let (_, largest) = farthest(points, center);
    let threshold = largest * (1.0 - NEARLY);
    points
        .iter()
        .filter(|p| threshold <= (**p - center).length_squared())
        .fold(0.0, |reach, p| distance_up(*p, center).max_of(reach))
}
