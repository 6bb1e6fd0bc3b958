//! The point of a shape's surface nearest to a given point, in the shape's own frame.
//!
//! One function per shape answers two questions: `closest_point`, and every pair with a ball, which
//! is its centre and a radius. Each answer carries the outward normal, also where the point lies on
//! the surface or in the middle of the shape:
//!
//! * the middle of a ball: the first axis; on the axis of a capsule: perpendicular to it, along the
//!   first coordinate axis that is least aligned with it;
//! * inside a box, equally far from several faces: the lowest axis, the positive side first;
//! * on a segment: as on the axis of a capsule.
//!
//! Distances are exact where the geometry is: for small dyadic coordinates, a distance that is a
//! dyadic number itself is found without error, because every formula divides last.

use carom_math::{Number, Vector};

/// The surface point nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<V> {
    /// The point of the surface.
    pub(crate) point: V,
    /// Its distance; negative inside a solid.
    pub(crate) distance: f64,
    /// The unit normal that points out of the shape there, through the given point when that is
    /// outside.
    pub(crate) normal: V,
}

impl<V: Vector<Scalar = f64>> Nearest<V> {
    /// The same for the shape inflated by a radius.
    #[inline(always)]
    pub(crate) fn inflated(self, radius: f64) -> Self {
        Nearest {
            point: self.point + self.normal * radius,
            distance: self.distance - radius,
            normal: self.normal,
        }
    }
}

/// The nearest point of something without an inside.
///
/// `offset` = p − point, computed so that its direction is right also where the distance is small
/// beside the coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot<V> {
    pub(crate) point: V,
    pub(crate) offset: V,
    pub(crate) distance: f64,
}

impl<V: Vector<Scalar = f64>> Foot<V> {
    /// The foot `point` itself, seen from `p`.
    #[inline]
    pub(crate) fn at(point: V, p: V) -> Self {
        let offset = p - point;
        Foot { point, offset, distance: Vector::length(offset) }
    }

    /// With the direction of the offset as the normal, or `fallback` where there is none that
    /// stands out of the rounding errors of coordinates of the given size.
    #[inline(always)]
    pub(crate) fn with_normal(self, size: f64, fallback: impl FnOnce() -> V) -> Nearest<V> {
        let mut normal = self.offset / self.distance;
        // An offset that has been projected twice is not as long as the distance.
        let is_unit = (normal.dot(normal) - 1.0).abs() <= 16.0 * f64::EPSILON;
        let is_significant = 8.0 * f64::EPSILON * size < self.distance;
        if !(is_unit & is_significant) {
            normal = if is_significant { unit_along(self.offset, fallback) } else { fallback() };
        }
        Nearest { point: self.point, distance: self.distance, normal }
    }
}

/// Of the feet of a point on two edges the nearer one, the first of equals, with its edge.
///
/// A point between the ends of an edge is not farther than these. Near the normal of a corner their distances have the same digits, and their
/// directions have not.
#[inline(always)]
pub(crate) fn nearer_on_edges<V: Vector<Scalar = f64>>(
    first: (Foot<V>, [V; 2]),
    second: (Foot<V>, [V; 2]),
) -> (Foot<V>, [V; 2]) {
    let ((one, ends), (other, edge)) = (first, second);
    let is_nearer = if edge.contains(&one.point) && !edge.contains(&other.point) {
        true
    } else if ends.contains(&other.point) && !ends.contains(&one.point) {
        false
    } else {
        other.distance < one.distance
    };
    if is_nearer { second } else { first }
}

/// Ball about the origin.
#[inline]
pub(crate) fn on_ball<V: Vector<Scalar = f64>>(radius: f64, p: V) -> Nearest<V> {
    let distance = Vector::length(p);
    let normal = if distance < LEAST_LENGTH { unit_along(p, || V::unit(0)) } else { p / distance };
    Nearest { point: V::ZERO, distance, normal }.inflated(radius)
}

/// Box about the origin.
///
/// The distance is how far p is beyond the faces, less how deep it is below the nearest one: one of the two
/// is zero. Likewise the normal. So inside or outside, and nearest to which face, which is a coin toss for a
/// pair that is close, takes no branch.
#[inline(always)]
pub(crate) fn on_cuboid<V: Vector<Scalar = f64>>(half_extents: V, p: V) -> Nearest<V> {
    let clamped = p.min_by_axis(half_extents).max_by_axis(-half_extents);
    let offset = p - clamped;
    let beyond = length_in_band(offset);
    let is_inside = weight(offset.sum_of_magnitudes() == 0.0);
    let (along, span) = if (beyond < LEAST_LENGTH) & (beyond != 0.0) {
        (unit_along(offset, || V::unit(0)), 1.0)
    } else {
        (offset, beyond)
    };
    let (depth, face, outward) = below_faces(half_extents, p, is_inside);
    Nearest {
        point: V::from_fn(|axis| {
            let on_face = half_extents.get(axis).copysign(outward.get(axis));
            if face.get(axis) == 0.0 { clamped.get(axis) } else { on_face }
        }),
        distance: beyond - depth.max_of(0.0),
        normal: (along + outward) / (span + is_inside),
    }
}

/// How deep a point is below the nearest face of a box, negative outside; inside (`is_inside` is 1) also 1 for that face
/// and 0 for the others, and the normal of the face.
#[inline(always)]
fn below_faces<V: Vector<Scalar = f64>>(half_extents: V, p: V, is_inside: f64) -> (f64, V, V) {
    let below = half_extents - p.abs_by_axis();
    let depth = (1..V::DIM).fold(below.get(0), |least, axis| below.get(axis).min_of(least));
    // 1 for the first of the nearest faces, 0 for the others; −0 is on the positive side.
    let mut left = is_inside;
    let face = V::from_fn(|axis| {
        let chosen = left * weight(below.get(axis) <= depth);
        left -= chosen;
        chosen
    });
    (depth, face, face.zip(p, |chosen, along| chosen.copysign(along + 0.0)))
}

/// How far a point is beyond the faces of a box, how deep below the nearest of them, and the normal; given the square of the first, which is
/// zero or no number that has lost digits. What [`on_cuboid`] says, piece by piece.
#[inline(always)]
pub(crate) fn beside_cuboid<V: Vector<Scalar = f64>>(half_extents: V, p: V, squared: f64) -> (f64, f64, V) {
    let offset = p - p.min_by_axis(half_extents).max_by_axis(-half_extents);
    let (beyond, is_inside) = (squared.sqrt(), weight(squared == 0.0));
    let (depth, _, outward) = below_faces(half_extents, p, is_inside);
    (beyond, depth.max_of(0.0), (offset + outward) * (1.0 / (beyond + is_inside)))
}

/// 1 or 0: a choice that is multiplied, where a branch would be a coin toss.
#[inline(always)]
pub(crate) fn weight(chosen: bool) -> f64 {
    if chosen { 1.0 } else { 0.0 }
}

/// The first for the weight 0, the second for the weight 1; to the bit, but for the sign of zeros.
#[inline(always)]
pub(crate) fn either<V: Vector<Scalar = f64>>(first: V, second: V, weight: f64) -> V {
    first * (1.0 - weight) + second * weight
}

/// −1 for a negative number, 1 for all others that are numbers: vectors times this, where a choice between a vector and
/// its opposite would be a branch.
#[inline(always)]
pub(crate) fn sign_of(x: f64) -> f64 {
    1.0_f64.copysign(x + 0.0)
}

/// −1 or 1: the sign of what is exchanged or not.
#[inline(always)]
pub(crate) fn sign_if(exchanged: bool) -> f64 {
    f64::from_bits(1.0_f64.to_bits() | u64::from(exchanged) << 63)
}

/// The length of a vector whose square does not overflow.
#[inline(always)]
pub(crate) fn length_in_band<V: Vector<Scalar = f64>>(v: V) -> f64 {
    // The zero vector is a likely one, and quite in order: its bits less one are those of no number, and one
    // comparison tells both from the tiny ones.
    let is_tiny = v.sum_of_magnitudes().to_bits().wrapping_sub(1) < TINY.to_bits();
    if is_tiny { tiny_length(v) } else { v.dot(v).sqrt() }
}

/// Whether a vector with this square is longer than `limit`, by more than any rounding of its length: 2⁻⁴¹ of it.
#[inline(always)]
pub(crate) fn is_longer(squared: f64, limit: f64) -> bool {
    const MORE: f64 = 1.0 + 1.0 / (1_u64 << 40) as f64;
    limit * limit * MORE < squared
}

/// The direction of a vector whose square does not overflow. Subnormal numbers have too few digits to be
/// divided by a length: those are scaled first.
#[inline]
fn unit_along<V: Vector<Scalar = f64>>(v: V, fallback: impl FnOnce() -> V) -> V {
    let squared = v.dot(v);
    if squared < LEAST_SQUARE { v.normalized().unwrap_or_else(fallback) } else { v / squared.sqrt() }
}

/// Vectors shorter than this have lost digits, too many to become unit vectors when divided by their length.
const LEAST_LENGTH: f64 = 1e-290;

/// Squares below this have lost digits.
pub(crate) const LEAST_SQUARE: f64 = 1e-279;

/// No vector whose square is below [`LEAST_SQUARE`] has a larger sum of magnitudes.
const TINY: f64 = 1e-139;

#[cold]
#[inline(never)]
fn tiny_length<V: Vector<Scalar = f64>>(v: V) -> f64 {
    Vector::length(v)
}

/// Segment from a to b.
#[inline(always)]
pub(crate) fn on_segment<V: Vector<Scalar = f64>>(a: V, b: V, p: V) -> Nearest<V> {
    let size = (p - a).max_abs().max_of((b - a).max_abs());
    foot_on_segment(a, b, p).with_normal(size, || unit_perpendicular_to(b - a))
}

/// Half-space normal·p <= offset.
#[inline]
pub(crate) fn on_half_space<V: Vector<Scalar = f64>>(normal: V, offset: f64, p: V) -> Nearest<V> {
    let distance = normal.dot(p) - offset;
    Nearest { point: p - normal * distance, distance, normal }
}

/// 2⁻¹²⁰: things smaller than 2⁻⁶⁰ of the distance at which they are seen are points, and their squares
/// might underflow.
pub(crate) const NEGLIGIBLE: f64 = 1.0 / (1_u128 << 120) as f64;

/// From a segment to a point.
#[derive(Clone, Copy)]
pub(crate) struct Offset<V> {
    /// The offset from the nearest point, times `whole`.
    pub(crate) numerator: V,
    pub(crate) whole: f64,
    /// How far the point is along the segment from each end, times the length.
    from_a: f64,
    from_b: f64,
    /// 1 or 0: the nearest point is between the ends, or it is b.
    is_between: f64,
    is_past: f64,
}

/// The offset of `p` from the segment from a to b, without a division.
///
/// Between the ends, with d = b − a and v = p − a, the offset is (v·(d·d) − d·(v·d))/(d·d): for whole
/// numbers the numerator is exact, and with it the length. At an end, v is the vector from there, 1 stands
/// for d·d and 0 for v·d. Which of the three it is, is a coin toss: no branches.
#[inline(always)]
pub(crate) fn offset_from_segment<V: Vector<Scalar = f64>>(a: V, b: V, p: V) -> Offset<V> {
    let (d, v) = (b - a, p - a);
    let (from_a, from_b) = (v.dot(d), (b - p).dot(d));
    let (d_squared, v_squared) = (d.dot(d), v.dot(v));
    // One comparison for three; more of them would be joined by a branch.
    let least = from_a.min_of(from_b).min_of(d_squared - NEGLIGIBLE * v_squared);
    let is_between = weight(0.0 < least);
    let is_past = weight(0.0 < from_a) - is_between;
    let start = p - either(a, b, is_past);
    let whole = is_between * d_squared + (1.0 - is_between);
    let numerator = start * whole - d * (is_between * from_a);
    Offset { numerator, whole, from_a, from_b, is_between, is_past }
}

/// The foot of `p` on the segment from a to b.
#[inline(always)]
pub(crate) fn foot_on_segment<V: Vector<Scalar = f64>>(a: V, b: V, p: V) -> Foot<V> {
    let Offset { numerator, whole, from_a, from_b, is_between, is_past } = offset_from_segment(a, b, p);
    let (d, v) = (b - a, p - a);
    let distance = length_in_band(numerator) / whole;
    let mut offset = numerator / whole;
    // What is left along d after cancellation is rounding error; a second projection removes it.
    if (distance * distance) * 1_048_576.0 < is_between * v.dot(v) {
        offset = offset - d * (offset.dot(d) / d.dot(d));
    }
    // Measured from the nearer end.
    let is_nearer_to_b = weight(from_b < from_a);
    let from_nearer = from_a * (1.0 - is_nearer_to_b) - from_b * is_nearer_to_b;
    let along = is_between * from_nearer / (is_between * (from_a + from_b) + (1.0 - is_between));
    let end = either(a, b, is_between * is_nearer_to_b + is_past);
    Foot { point: end + d * along, offset, distance }
}

/// A vector perpendicular to `d`: the coordinate axis that is least aligned with it (the first of
/// equals) less its part along d, times d·d. Zero for the zero vector.
#[inline(always)]
pub(crate) fn perpendicular_to<V: Vector<Scalar = f64>>(d: V) -> V {
    let mut least = 0;
    for axis in 1..V::DIM {
        if d.get(axis).abs() < d.get(least).abs() {
            least = axis;
        }
    }
    V::unit(least) * d.dot(d) - d * d.get(least)
}

/// The unit vector of [`perpendicular_to`]; the first axis for the zero vector.
#[inline(always)]
fn unit_perpendicular_to<V: Vector<Scalar = f64>>(d: V) -> V {
    let size = d.max_abs();
    if size == 0.0 {
        return V::unit(0);
    }
    let across = perpendicular_to(d / size);
    across / across.dot(across).sqrt()
}

/// Whether `p` lies between the ends of the longest edge of a triangle, seen along that edge, as all
/// points above the triangle do.
///
/// The signs of the three edge functions of a sliver are rounding errors everywhere on its line, also
/// far beyond its ends. With this, what they let pass is beside the triangle by a rounding error only.
#[inline]
pub(crate) fn is_beside_longest_edge<V: Vector<Scalar = f64>>([a, b, c]: [V; 3], p: V) -> bool {
    let (mut start, mut longest) = (a, b - a);
    for (from, to) in [(b, c), (c, a)] {
        if longest.length_squared() < (to - from).length_squared() {
            (start, longest) = (from, to - from);
        }
    }
    let along = longest.dot(p - start);
    0.0 <= along && along <= longest.length_squared()
}
