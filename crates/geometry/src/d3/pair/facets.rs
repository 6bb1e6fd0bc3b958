//! Separating axes of a triangle and a box, and of two triangles, all at once.
//!
//! The axes, their order and the separations along them are those of [`super::flats`]: the normals of both
//! shapes and the cross products of their edges. Of the corners of a triangle two are level along a product
//! with one of its edges, so an axis takes two projections of it. Which axis is the best is a coin toss, so
//! nothing is compared before all of them are known.
//!
//! Frame: that of the pair. A triangle without area, or with edges so short that squares would vanish, is
//! left to the general way.

use crate::pair::core::{Axis, Core, Form};
use crate::pair::nearest::LEAST_SQUARE;
use crate::pair::product::cross3;
use carom_math::{Mat3, Number, Vec3, Vector};

/// The best axis of two cores that this knows about; `None` for others.
#[inline]
pub(super) fn best_axis(a: &Core<Vec3<f64>>, b: &Core<Vec3<f64>>) -> Option<Axis<Vec3<f64>>> {
    let Form::Triangle { normal } = b.form else { return None };
    let [p, q, r, ..] = *b.corners() else { return None };
    let triangle = Facet::new([p, q, r], normal)?;
    match a.form {
        Form::Box(placed) if placed.axes == Mat3::IDENTITY.columns && placed.center == Vec3::ZERO => {
            of_box_and_triangle(placed.half, &triangle)
        }
        Form::Triangle { normal } => {
            let [p, q, r, ..] = *a.corners() else { return None };
            of_triangles(&Facet::new([p, q, r], normal)?, &triangle)
        }
        _ => None,
    }
}

/// A triangle with an area.
struct Facet {
    corners: [Vec3<f64>; 3],
    normal: Vec3<f64>,
    /// Edge i goes from corner i to the next.
    edges: [Vec3<f64>; 3],
}

impl Facet {
    #[inline(always)]
    fn new(corners: [Vec3<f64>; 3], normal: Vec3<f64>) -> Option<Self> {
        let [a, b, c] = corners;
        let edges = [b - a, c - b, a - c];
        // The least component of an edge may vanish beside the others, so that the others decide.
        let shortest = edges.into_iter().fold(f64::INFINITY, |least, edge| edge.dot(edge).min_of(least));
        let is_fit = LEAST_SQUARE < shortest && LEAST_SQUARE < normal.dot(normal);
        is_fit.then_some(Facet { corners, normal, edges })
    }

    /// Lowest and highest along `n`.
    #[inline(always)]
    fn extent(&self, n: Vec3<f64>) -> [f64; 2] {
        let [p, q, r] = self.corners.map(|corner| n.dot(corner));
        [p.min_of(q).min_of(r), p.max_of(q).max_of(r)]
    }

    /// The same for `n` across edge i.
    #[inline(always)]
    fn extent_across(&self, n: Vec3<f64>, edge: usize) -> [f64; 2] {
        let (on_edge, opposite) = (n.dot(self.corners[edge]), n.dot(self.corners[[2, 0, 1][edge]]));
        [on_edge.min_of(opposite), on_edge.max_of(opposite)]
    }
}

/// Axes of any length, and how far b is beyond a along each of them and against it, times the length.
struct Axes<const N: usize> {
    forward: [f64; N],
    backward: [f64; N],
    squared: [f64; N],
}

impl<const N: usize> Axes<N> {
    #[inline(always)]
    fn set(&mut self, index: usize, axis: Vec3<f64>, [a_low, a_high]: [f64; 2], [b_low, b_high]: [f64; 2]) {
        self.forward[index] = b_low - a_high;
        self.backward[index] = a_low - b_high;
        self.squared[index] = axis.dot(axis);
    }

    /// The best of them, the first of equals; `None` when one is too short to say.
    #[inline(always)]
    fn best(&self, axis: impl FnOnce(usize) -> Vec3<f64>) -> Option<Axis<Vec3<f64>>> {
        let mut separations = [0.0; N];
        let mut shortest = f64::INFINITY;
        for (k, place) in separations.iter_mut().enumerate() {
            // An axis of no length has no say: its separation is NaN, which no comparison prefers.
            let (numerator, squared) = (self.forward[k].max_of(self.backward[k]), self.squared[k]);
            *place = numerator / squared.sqrt();
            let is_nothing = (squared == 0.0) & (numerator == 0.0);
            shortest = if is_nothing { shortest } else { squared.min_of(shortest) };
        }
        if shortest < LEAST_SQUARE {
            return None;
        }
        let separation = separations.into_iter().fold(f64::NEG_INFINITY, |most, x| x.max_of(most));
        let index =
            separations.into_iter().rev().fold(0, |after, x| usize::from(x != separation) * (after + 1));
        let index = index.min(N - 1);
        let unit = axis(index) / self.squared[index].sqrt();
        let side = if self.forward[index] < self.backward[index] { -1.0 } else { 1.0 };
        Some(Axis { separation, normal: unit * side })
    }
}

#[inline(always)]
fn of_box_and_triangle(half: Vec3<f64>, b: &Facet) -> Option<Axis<Vec3<f64>>> {
    let mut axes = Axes { forward: [0.0; 13], backward: [0.0; 13], squared: [1.0; 13] };
    let [p, q, r] = b.corners;
    let (low, high) = (p.min_by_axis(q).min_by_axis(r), p.max_by_axis(q).max_by_axis(r));
    let (forward, backward) = (low - half, -high - half);
    for axis in 0..3 {
        (axes.forward[axis], axes.backward[axis]) = (forward.get(axis), backward.get(axis));
    }
    let reach = half.dot(b.normal.abs_by_axis());
    axes.set(3, b.normal, [-reach, reach], b.extent(b.normal));
    for (j, edge) in b.edges.into_iter().enumerate() {
        for (i, axis) in across(edge).into_iter().enumerate() {
            let reach = half.dot(axis.abs_by_axis());
            axes.set(4 + 3 * i + j, axis, [-reach, reach], b.extent_across(axis, j));
        }
    }
    axes.best(|index| match index {
        0..=2 => Vec3::unit(index),
        3 => b.normal,
        _ => across(b.edges[(index - 4) % 3])[((index - 4) / 3).min(2)],
    })
}

/// The cross products of the coordinate axes with an edge.
#[inline(always)]
fn across(edge: Vec3<f64>) -> [Vec3<f64>; 3] {
    let Vec3 { x, y, z } = edge;
    [Vec3::new(0.0, -z, y), Vec3::new(z, 0.0, -x), Vec3::new(-y, x, 0.0)]
}

#[inline(always)]
fn of_triangles(a: &Facet, b: &Facet) -> Option<Axis<Vec3<f64>>> {
    let mut axes = Axes { forward: [0.0; 11], backward: [0.0; 11], squared: [1.0; 11] };
    for (index, normal) in [a.normal, b.normal].into_iter().enumerate() {
        axes.set(index, normal, a.extent(normal), b.extent(normal));
    }
    for (i, edge_a) in a.edges.into_iter().enumerate() {
        for (j, edge_b) in b.edges.into_iter().enumerate() {
            let axis = cross3(edge_a, edge_b);
            axes.set(2 + 3 * i + j, axis, a.extent_across(axis, i), b.extent_across(axis, j));
        }
    }
    axes.best(|index| match index {
        0 => a.normal,
        1 => b.normal,
        _ => cross3(a.edges[((index - 2) / 3).min(2)], b.edges[(index - 2) % 3]),
    })
}
