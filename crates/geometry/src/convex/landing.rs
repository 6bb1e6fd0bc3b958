//! Convex sets that overlap a little below a flat side of one of them: whatever rests on something.
//!
//! Such an overlap needs no search. Let n be the normal of the side of a and d the overlap along it: the deepest point p of b lies
//! d below the plane of the side. If p is below the side itself, ρ or more away from its edges, the set of differences C contains the disc
//! of radius ρ about d·n, perpendicular to n; and it contains the difference of two points inside, −D·n + λ with λ perpendicular to n. So
//! for a unit vector m at the angle θ from n the overlap along m is at least the larger of
//!
//! ```text
//! d·cos θ + ρ·sin θ        −D·cos θ − |λ|·sin θ
//! ```
//!
//! Up to a right angle the first is at least d if ρ >= d. Beyond, it is for sin θ >= k = 2d/ρ, and for a smaller sine the second is at
//! least D·√(1 − k²) − |λ|·k. If that is no less than d, no direction has a smaller overlap than n, and d is the depth.
//!
//! Where sides lie flush, any point of that of b is as deep as p: C contains the differences of both sides, and ρ is what two points
//! above each other have together.
//!
//! Where p is above the plane, and above the side itself, it is as far from a as from the plane: all of a is behind that.

use crate::answer::Separation;
use crate::gjk::{self, Penetration, Posed, Support};
use carom_math::{Number, Vector};

/// A flat side of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatSide<V> {
    /// Outwards, of unit length.
    pub(crate) normal: V,
    /// The same times a length, so that heights are exact on lattices.
    pub(crate) along: V,
    pub(crate) length: f64,
    /// A point of it, and one in the middle of it.
    pub(crate) anchor: V,
    pub(crate) middle: V,
    /// Which side it is, as the set counts them.
    pub(crate) number: usize,
}

impl<V: Vector<Scalar = f64>> FlatSide<V> {
    /// A side whose normal is an axis, and whose middle is this far along it.
    #[inline]
    pub(crate) fn upright(normal: V, height: f64, number: usize) -> Self {
        let middle = normal * height;
        FlatSide { normal, along: normal, length: 1.0, anchor: middle, middle, number }
    }

    /// How deep a point is below the plane of the side.
    #[inline]
    pub(crate) fn depth_of(&self, point: V) -> f64 {
        self.along.dot(self.anchor - point) / self.length
    }
}

/// A point that is in both of two sides that lie flush, and how far inside of the edges of either that is together; given in one frame their
/// middles and the room that they have at a point.
pub(crate) fn common_room<V: Vector<Scalar = f64>>(
    [first, second]: [V; 2],
    rooms: impl Fn(V) -> [f64; 2],
) -> Option<(V, f64)> {
    let mut best = None;
    let mut most = 0.0;
    // Small on large, large on small, or side by side.
    for point in [second, first, first + (second - first) * 0.5] {
        let [one, other] = rooms(point);
        if 0.0 <= one && 0.0 <= other && most < one + other {
            (best, most) = (Some(point), one + other);
        }
    }
    best.map(|point| (point, most))
}

/// What is known of an overlap below a flat side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap {
    pub(crate) depth: f64,
    /// How far inside of the edges of the side the deepest point is.
    pub(crate) room: f64,
    /// From a point inside of the set with the side to one inside of the other: along the normal, and beside it.
    pub(crate) along: f64,
    pub(crate) aside: f64,
}

impl Overlap {
    /// Whether it is proved to be the least. `error` bounds the rounding errors of all four.
    #[inline]
    pub(crate) fn is_least(&self, error: f64) -> bool {
        let (depth, room) = (self.depth + error, self.room - error);
        // A little more than rounding would add.
        let k = 2.0 * depth / room * (1.0 + 16.0 * f64::EPSILON);
        // Not for a room that is no number or not positive.
        0.0 < room && k < 1.0 && {
            let behind = (self.along - error) * (1.0 - k * k).sqrt() - (self.aside + error) * k;
            depth < behind
        }
    }
}

/// What a look at the sides that face each other tells.
pub(crate) enum Look<V: Vector<Scalar = f64>> {
    /// They are farther apart than the limit.
    Beyond,
    /// They overlap by more than rounding, as deep as this.
    Deep(Penetration<V>),
    /// They are apart by more than rounding, as far as this.
    Apart(Separation<V>),
    /// Nothing for certain.
    Unknown,
}

/// A look at the flat side of each that faces the other; `limit` is a distance that matters.
pub(crate) fn look<V: Vector<Scalar = f64>, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &Posed<B, V>,
    limit: f64,
) -> Look<V> {
    let error = gjk::rounding_error(a, b);
    let between = b.center() - a.center();
    let side_a = a.flat_side(between);
    let mut of_a = None;
    if let Some(side) = &side_a {
        let lowest = b.support(-side.normal).0;
        let depth = side.depth_of(lowest);
        let foot = lowest + side.normal * depth;
        let above = Above { depth, error, limit, between, normal: side.normal };
        if let Some(met) = above.met(|| a.room_on_side(side, foot)) {
            return met.look(depth, side.normal, [foot, lowest], error);
        }
        of_a = Some(above);
    }
    let back = b.turned_back(-between);
    let Some(side) = b.core().flat_side(back) else { return Look::Unknown };
    let normal = b.turned(side.normal);
    let highest = a.support(-normal).0;
    let in_b = b.taken_back(highest);
    let depth = side.depth_of(in_b);
    let foot = in_b + side.normal * depth;
    let above = Above { depth, error, limit, between: back, normal: side.normal };
    if let Some(met) = above.met(|| b.core().room_on_side(&side, foot)) {
        return met.look(depth, -normal, [highest, highest + normal * depth], error);
    }
    let (Some(side_a), Some(above)) = (side_a, of_a) else { return Look::Unknown };
    if !is_flush(side_a.normal, normal) {
        return Look::Unknown;
    }
    let rooms = |p: V| [a.room_on_side(&side_a, p), b.core().room_on_side(&side, b.taken_back(p))];
    let Some((point, room)) = common_room([side_a.middle, b.placed(side.middle)], rooms) else {
        return Look::Unknown;
    };
    let Some(met) = above.met(|| room) else { return Look::Unknown };
    let on_a = point + side_a.normal * side_a.depth_of(point);
    met.look(above.depth, side_a.normal, [on_a, on_a - side_a.normal * above.depth], error)
}

/// Whether sides with these normals lie flush: then no point of either is farther from the plane of the other than the rounding of lengths.
#[inline]
pub(crate) fn is_flush<V: Vector<Scalar = f64>>(normal: V, other: V) -> bool {
    (normal + other).sum_of_magnitudes() <= FLUSH
}

/// Unit normals that differ by no more than this are the same but for rounding.
pub(crate) const FLUSH: f64 = 8.0 * f64::EPSILON;

/// The other set above or below the plane of a side.
struct Above<V> {
    /// How deep it is below the plane.
    depth: f64,
    error: f64,
    limit: f64,
    /// From the centre of the set with the side to that of the other.
    between: V,
    normal: V,
}

/// What is certain about it.
enum Met {
    Beyond,
    Deep,
    Apart,
}

impl<V: Vector<Scalar = f64>> Above<V> {
    #[inline]
    fn met(&self, room: impl FnOnce() -> f64) -> Option<Met> {
        let Above { depth, error, .. } = *self;
        let doubt = 2.0 * error;
        if self.limit < -depth - doubt {
            return Some(Met::Beyond);
        }
        if depth < -doubt {
            return (0.0 <= room()).then_some(Met::Apart);
        }
        let along = self.normal.dot(self.between);
        let aside = (self.between - self.normal * along).length();
        (doubt < depth && Overlap { depth, room: room(), along, aside }.is_least(error)).then_some(Met::Deep)
    }
}

impl Met {
    #[inline]
    fn look<V: Vector<Scalar = f64>>(
        self,
        depth: f64,
        normal: V,
        [point_a, point_b]: [V; 2],
        error: f64,
    ) -> Look<V> {
        match self {
            Met::Beyond => Look::Beyond,
            Met::Apart => Look::Apart(Separation { separation: -depth, error, normal, point_a, point_b }),
            Met::Deep => {
                let (lower, upper) = ((depth - error).max_of(0.0), depth + error);
                Look::Deep(Penetration { depth, lower, upper, normal, point_a, point_b, iterations: 0 })
            }
        }
    }
}
