//! Triangulation by cutting off ears, with exact decisions.
//!
//! An ear is a corner that turns left and whose triangle with its neighbours contains no other corner,
//! boundary included. Every simple polygon of more than three corners has two (Meisters 1975), also when
//! some corners are flat: a triangulation in which no diagonal passes through a corner exists, and its
//! dual is a tree with two leaves. What remains after a cut is simple again. So with exact decisions the
//! search never fails.
//!
//! Only corners that do not turn left can be in the way: of those in the triangle, the one farthest from
//! the cut has all of the polygon near it on the far side of its neighbours, thus an angle of at least π.
//! O(n·r) for r such corners, in practice.

use super::polygon::Corner;
use crate::exact::orientation;
use carom_math::{Number, Vec2};
use core::cmp::Ordering;

type Point = Vec2<f64>;

/// The triangles of the polygon, as positions in `corners`, which are counter-clockwise. `None` when the
/// polygon is not simple.
pub(super) fn triangulate(corners: &[Corner]) -> Option<Vec<[usize; 3]>> {
    let mut ring = Ring::new(corners);
    let mut triangles = Vec::with_capacity(corners.len());
    let mut current = 0;
    let mut misses = 0;
    while 3 < ring.count {
        let next = ring.next[current];
        if ring.is_ear(current) {
            triangles.push(ring.cut(current));
            misses = 0;
            // The neighbour that just changed rests, so that the cuts go around instead of fanning out.
            current = ring.next[next];
        } else {
            misses += 1;
            if ring.count < misses {
                return None;
            }
            current = next;
        }
    }
    let last = ring.triangle(current);
    triangles.push(last);
    Some(triangles)
}

struct Ring<'a> {
    corners: &'a [Corner],
    next: Vec<usize>,
    previous: Vec<usize>,
    count: usize,
    is_cut: Vec<bool>,
    /// Turns left strictly. Cutting makes angles smaller, so once true it stays so.
    is_convex: Vec<bool>,
    /// The corners that are not convex.
    concave: Vec<usize>,
    /// A corner known to lie in the triangle at this one.
    blocker: Vec<Option<usize>>,
}

impl<'a> Ring<'a> {
    fn new(corners: &'a [Corner]) -> Self {
        let count = corners.len();
        let mut ring = Ring {
            corners,
            next: (0..count).map(|i| if i + 1 < count { i + 1 } else { 0 }).collect(),
            previous: (0..count).map(|i| if i == 0 { count - 1 } else { i - 1 }).collect(),
            count,
            is_cut: vec![false; count],
            is_convex: vec![false; count],
            concave: Vec::new(),
            blocker: vec![None; count],
        };
        for i in 0..count {
            ring.is_convex[i] = ring.turns_left(i);
        }
        ring.concave = (0..count).filter(|&i| !ring.is_convex[i]).collect();
        ring
    }

    fn triangle(&self, corner: usize) -> [usize; 3] {
        [self.previous[corner], corner, self.next[corner]]
    }

    fn points(&self, corner: usize) -> [Point; 3] {
        self.triangle(corner).map(|i| self.corners[i].1)
    }

    fn turns_left(&self, corner: usize) -> bool {
        let [a, b, c] = self.points(corner);
        orientation(a, b, c) == Ordering::Greater
    }

    fn is_ear(&mut self, corner: usize) -> bool {
        if !self.is_convex[corner] || self.blocker[corner].is_some_and(|other| !self.is_cut[other]) {
            return false;
        }
        let (own, points) = (self.triangle(corner), self.points(corner));
        let in_the_way =
            |&&other: &&usize| !own.contains(&other) && triangle_contains(points, self.corners[other].1);
        self.blocker[corner] = self.concave.iter().find(in_the_way).copied();
        self.blocker[corner].is_none()
    }

    /// Removes a corner, and returns its triangle.
    fn cut(&mut self, corner: usize) -> [usize; 3] {
        let triangle @ [before, _, after] = self.triangle(corner);
        self.next[before] = after;
        self.previous[after] = before;
        self.is_cut[corner] = true;
        self.count -= 1;
        for neighbour in [before, after] {
            self.blocker[neighbour] = None;
            if !self.is_convex[neighbour] && self.turns_left(neighbour) {
                self.is_convex[neighbour] = true;
                self.concave.retain(|&other| other != neighbour);
            }
        }
        triangle
    }
}

/// Whether `p` lies in a counter-clockwise triangle or on its boundary.
fn triangle_contains([a, b, c]: [Point; 3], p: Point) -> bool {
    let low = Vec2::new(a.x.min_of(b.x).min_of(c.x), a.y.min_of(b.y).min_of(c.y));
    let high = Vec2::new(a.x.max_of(b.x).max_of(c.x), a.y.max_of(b.y).max_of(c.y));
    let in_box = low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
    in_box && [[a, b], [b, c], [c, a]].into_iter().all(|[u, v]| orientation(u, v, p) != Ordering::Less)
}
