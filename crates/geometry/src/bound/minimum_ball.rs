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
//! Last, the centre is polished: the differences of the squared distances to the points on the surface
//! are computed with doubled precision and the system above is solved for a correction.

use crate::bound::directed::Doubled;
use carom_math::{Number, Vector};

/// A bound on the number of pivots. Each one enlarges the ball; a few dozen were the most in tests with
/// a million points.
const PIVOTS: usize = 1000;

/// A point counts as outside when its squared distance exceeds the squared radius by this part.
const OUTSIDE: f64 = 1.0 + 4.0 * f64::EPSILON;

/// A pivot of the Gram matrix below this part of its diagonal entry is a dependent point.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;

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

/// The centre moved so that the points of the surface are equally far from it.
///
/// With aᵢ = pᵢ − c, a move by δ changes |aᵢ|² − |a₀|² by exactly −2 qᵢ·δ, so one solve with the true
/// differences on the right corrects all but the rounding of the solve itself. Kept only if it helps.
fn polished<V: Vector<Scalar = f64>>(points: &[V], center: V, surface: Surface<V>) -> V {
    let Some((first, rest)) = surface.points().split_first() else {
        return center;
    };
    let edges: [V; 3] = core::array::from_fn(|i| rest.get(i).map_or(V::ZERO, |p| *p - *first));
    let (mut best, mut radius) = (center, reach_up(points, center));
    for _ in 0..2 {
        let zero = Doubled::distance_squared(*first, best);
        let right = core::array::from_fn(|i| {
            rest.get(i).map_or(0.0, |p| {
                let one = Doubled::distance_squared(*p, best);
                (one.high - zero.high) + (one.low - zero.low)
            })
        });
        let moved = best + combination(edges, right);
        let reach = reach_up(points, moved);
        if radius <= reach {
            break;
        }
        (best, radius) = (moved, reach);
    }
    best
}

/// The distance from `center` to the farthest point, rounded up.
pub(crate) fn reach_up<V: Vector<Scalar = f64>>(points: &[V], center: V) -> f64 {
    let (_, largest) = farthest(points, center);
    // The plain squared distance is off by less than 4ε: only points this close to the largest count.
    let threshold = largest * (1.0 - 16.0 * f64::EPSILON);
    points
        .iter()
        .filter(|p| threshold <= (**p - center).length_squared())
        .fold(0.0, |reach, p| Doubled::distance_squared(*p, center).root_up().max_of(reach))
}
