//! Vectors and rotations in lanes, for the plane and for space.
//!
//! Rotations are homogeneous, as everywhere in Carom: the norm is divided out, whatever it is.

use carom_math::prelude_simd::{Simd, SimdFloat};
use carom_math::{Lanes, Number, Vec2, Vec3};
use core::ops::{Add, Mul, Neg, Sub};

/// A number of the filters.
///
/// [`Number::max_of`] promises what becomes of zeros and NaN, which costs three instructions instead of one. The
/// filters do not care: a NaN has an infinite tolerance beside it.
pub(crate) trait Lane: Number<Element = f32> {
    /// The larger one; any of the two when they are zeros or a NaN is among them.
    fn larger(self, other: Self) -> Self;
    /// The smaller one; any of the two when they are zeros or a NaN is among them.
    fn smaller(self, other: Self) -> Self;
}

impl<S: Simd, V: SimdFloat<S, Element = f32>> Lane for Lanes<S, V> {
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Lanes::new(self.into_inner().max(other.into_inner()))
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Lanes::new(self.into_inner().min(other.into_inner()))
    }
}

/// One lane.
impl Lane for f32 {
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other < self { self } else { other }
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }
}

/// Reads one field of a row after the other.
pub(crate) trait Fields<N> {
    fn next(&mut self) -> N;
}

/// What the filters need of a vector.
pub(crate) trait LaneVector<N: Lane>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> + Mul<N, Output = Self>
{
    fn read(fields: &mut impl Fields<N>) -> Self;
    fn dot(self, other: Self) -> N;
    fn abs(self) -> Self;
    /// Negative components become zero.
    fn not_negative(self) -> Self;
    /// The largest component.
    fn largest(self) -> N;
    /// The sum of the components.
    fn sum(self) -> N;
    /// The nearest point of a box about the origin.
    fn clamped(self, half: Self) -> Self;
}

impl<N: Lane> LaneVector<N> for Vec2<N> {
    #[inline(always)]
    fn read(fields: &mut impl Fields<N>) -> Self {
        let x = fields.next();
        Vec2::new(x, fields.next())
    }
    #[inline(always)]
    fn dot(self, other: Self) -> N {
        Vec2::dot(self, other)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Vec2::new(self.x.abs(), self.y.abs())
    }
    #[inline(always)]
    fn not_negative(self) -> Self {
        let zero = number(self.x, 0.0);
        Vec2::new(self.x.larger(zero), self.y.larger(zero))
    }
    #[inline(always)]
    fn largest(self) -> N {
        self.x.larger(self.y)
    }
    #[inline(always)]
    fn sum(self) -> N {
        self.x + self.y
    }
    #[inline(always)]
    fn clamped(self, half: Self) -> Self {
        Vec2::new(limited(self.x, half.x), limited(self.y, half.y))
    }
}

impl<N: Lane> LaneVector<N> for Vec3<N> {
    #[inline(always)]
    fn read(fields: &mut impl Fields<N>) -> Self {
        let x = fields.next();
        let y = fields.next();
        Vec3::new(x, y, fields.next())
    }
    #[inline(always)]
    fn dot(self, other: Self) -> N {
        Vec3::dot(self, other)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Vec3::new(self.x.abs(), self.y.abs(), self.z.abs())
    }
    #[inline(always)]
    fn not_negative(self) -> Self {
        let zero = number(self.x, 0.0);
        Vec3::new(self.x.larger(zero), self.y.larger(zero), self.z.larger(zero))
    }
    #[inline(always)]
    fn largest(self) -> N {
        self.x.larger(self.y).larger(self.z)
    }
    #[inline(always)]
    fn sum(self) -> N {
        self.x + self.y + self.z
    }
    #[inline(always)]
    fn clamped(self, half: Self) -> Self {
        Vec3::new(limited(self.x, half.x), limited(self.y, half.y), limited(self.z, half.z))
    }
}

#[inline(always)]
fn limited<N: Lane>(x: N, reach: N) -> N {
    x.larger(-reach).smaller(reach)
}

/// The number in every lane.
#[inline(always)]
pub(crate) fn number<N: Lane>(like: N, value: f32) -> N {
    like.like(value)
}

/// What the filters need of a rotation.
pub(crate) trait LaneTurn<N: Lane, V: LaneVector<N>>: Copy {
    fn read(fields: &mut impl Fields<N>) -> Self;
    /// The square of the norm: about 1 for a sane rotation, NaN or infinite when a number is.
    fn norm_squared(self) -> N;
    /// `v`, turned.
    fn apply(self, v: V) -> V;
    /// `v`, turned back.
    fn undo(self, v: V) -> V;
    /// `other`, seen from the frame of `self`.
    fn relative(self, other: Self) -> Self;
    /// The separating axes of two boxes: the second, with half extents `b`, is turned by `self` and its
    /// centre lies at `center`, seen from the first, with half extents `a`.
    fn box_axes(self, center: V, a: V, b: V) -> BoxAxes<N>;
}

/// What the separating axes say about two boxes.
#[derive(Clone, Copy)]
pub(crate) struct BoxAxes<N> {
    /// The largest gap on an axis; axes of nearly parallel edges are left out, and an axis of two edges is
    /// as long as the sine of their angle.
    pub(crate) gap: N,
    /// The square of the largest sine of two edges that were left out; 0 when none was.
    pub(crate) left_out: N,
}

/// Edges whose sine is below this are called parallel. At half of it, axes between edges that are almost
/// parallel have gaps too short to tell from rounding errors; at double, parallel boxes must overlap by
/// more to be certain ([`super::filter`] has both terms, and this is where they are about equal).
const PARALLEL: f32 = 1.0 / 1024.0;

/// A rotation of the plane in lanes.
#[derive(Clone, Copy)]
pub(crate) struct Turn2<N> {
    cos: N,
    sin: N,
}

impl<N: Lane> Turn2<N> {
    #[inline(always)]
    fn divided(self, v: Vec2<N>) -> Vec2<N> {
        v / self.norm_squared().sqrt()
    }
}

impl<N: Lane> LaneTurn<N, Vec2<N>> for Turn2<N> {
    #[inline(always)]
    fn read(fields: &mut impl Fields<N>) -> Self {
        let cos = fields.next();
        Turn2 { cos, sin: fields.next() }
    }
    #[inline(always)]
    fn norm_squared(self) -> N {
        self.cos * self.cos + self.sin * self.sin
    }
    #[inline(always)]
    fn apply(self, v: Vec2<N>) -> Vec2<N> {
        self.divided(Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y))
    }
    #[inline(always)]
    fn undo(self, v: Vec2<N>) -> Vec2<N> {
        self.divided(Vec2::new(self.cos * v.x + self.sin * v.y, self.cos * v.y - self.sin * v.x))
    }
    #[inline(always)]
    fn relative(self, other: Self) -> Self {
        Turn2 {
            cos: self.cos * other.cos + self.sin * other.sin,
            sin: self.cos * other.sin - self.sin * other.cos,
        }
    }
    #[inline(always)]
    fn box_axes(self, center: Vec2<N>, a: Vec2<N>, b: Vec2<N>) -> BoxAxes<N> {
        let Vec2 { x: cos, y: sin } = self.divided(Vec2::new(self.cos, self.sin));
        let (first, second) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
        let own =
            LaneVector::abs(center) - a - (LaneVector::abs(first) * b.x + LaneVector::abs(second) * b.y);
        let gap = own
            .largest()
            .larger(gap_along(first, LaneVector::abs(first), center, a, b.x))
            .larger(gap_along(second, LaneVector::abs(second), center, a, b.y));
        BoxAxes { gap, left_out: number(gap, 0.0) }
    }
}

/// A rotation of space in lanes.
#[derive(Clone, Copy)]
pub(crate) struct Turn3<N> {
    vector: Vec3<N>,
    w: N,
}

impl<N> Turn3<N> {
    #[inline(always)]
    pub(crate) fn new(vector: Vec3<N>, w: N) -> Self {
        Turn3 { vector, w }
    }
}

impl<N: Lane> LaneTurn<N, Vec3<N>> for Turn3<N> {
    #[inline(always)]
    fn read(fields: &mut impl Fields<N>) -> Self {
        let vector = Vec3::read(fields);
        Turn3 { vector, w: fields.next() }
    }
    #[inline(always)]
    fn norm_squared(self) -> N {
        self.vector.dot(self.vector) + self.w * self.w
    }
    /// With q = (v, w): t + (w·c + v×c)·2/|q|², where c = v×t.
    #[inline(always)]
    fn apply(self, t: Vec3<N>) -> Vec3<N> {
        let c = self.vector.cross(t);
        t + (self.vector.cross(c) + c * self.w) * (number(self.w, 2.0) / self.norm_squared())
    }
    #[inline(always)]
    fn undo(self, t: Vec3<N>) -> Vec3<N> {
        let c = self.vector.cross(t);
        t + (self.vector.cross(c) - c * self.w) * (number(self.w, 2.0) / self.norm_squared())
    }
    /// The product of the conjugate of `self` with `other`.
    #[inline(always)]
    fn relative(self, other: Self) -> Self {
        let (p, q) = (self.vector, other.vector);
        Turn3 { vector: (q * self.w - p * other.w) - p.cross(q), w: self.w * other.w + p.dot(q) }
    }
    /// With the second box's axes as columns, one column against the three axes of the first at a time.
    #[inline(always)]
    fn box_axes(self, center: Vec3<N>, a: Vec3<N>, b: Vec3<N>) -> BoxAxes<N> {
        let [c, d, e] = self.columns();
        let (far_c, far_d, far_e) = (LaneVector::abs(c), LaneVector::abs(d), LaneVector::abs(e));
        let own = LaneVector::abs(center) - a - (far_c * b.x + far_d * b.y + far_e * b.z);
        let faces = own
            .largest()
            .larger(gap_along(c, far_c, center, a, b.x))
            .larger(gap_along(d, far_d, center, a, b.y))
            .larger(gap_along(e, far_e, center, a, b.z));
        let mut axes = BoxAxes { gap: faces, left_out: number(faces, 0.0) };
        axes.add_edges(c, far_c, center, a, far_e * b.y + far_d * b.z);
        axes.add_edges(d, far_d, center, a, far_e * b.x + far_c * b.z);
        axes.add_edges(e, far_e, center, a, far_d * b.x + far_c * b.y);
        axes
    }
}

impl<N: Lane> Turn3<N> {
    /// The images of the axes.
    #[inline(always)]
    fn columns(self) -> [Vec3<N>; 3] {
        let (Vec3 { x, y, z }, w) = (self.vector, self.w);
        let (one, twice) = (number(w, 1.0), number(w, 2.0) / self.norm_squared());
        let (sx, sy, sz) = (x * twice, y * twice, z * twice);
        let (xx, yy, zz) = (x * sx, y * sy, z * sz);
        let (xy, xz, yz) = (x * sy, x * sz, y * sz);
        let (wx, wy, wz) = (w * sx, w * sy, w * sz);
        [
            Vec3::new(one - (yy + zz), xy + wz, xz - wy),
            Vec3::new(xy - wz, one - (xx + zz), yz + wx),
            Vec3::new(xz + wy, yz - wx, one - (xx + yy)),
        ]
    }
}

/// The gap along an axis of the second box, whose components have the magnitudes `far`. Here and below functions, not
/// closures: lanes have to be inlined all the way, which cannot be demanded of a closure.
#[inline(always)]
fn gap_along<N: Lane, V: LaneVector<N>>(axis: V, far: V, center: V, a: V, half: N) -> N {
    axis.dot(center).abs() - (half + far.dot(a))
}

impl<N: Lane> BoxAxes<N> {
    /// The axes eᵢ × c of the three axes of the first box and the edge c of the second, for which
    /// center·(eᵢ × c) = −(center × c)ᵢ. The first box reaches as far as the products of its other two half extents
    /// with the components of c, the second as far as `reach`: with its other edges d and e, that is
    /// |d·(eᵢ × c)| = |e·eᵢ| and |e·(eᵢ × c)| = |d·eᵢ|.
    #[inline(always)]
    fn add_edges(&mut self, axis: Vec3<N>, far: Vec3<N>, center: Vec3<N>, a: Vec3<N>, reach: Vec3<N>) {
        let own = Vec3::new(a.y * far.z + a.z * far.y, a.x * far.z + a.z * far.x, a.x * far.y + a.y * far.x);
        let gap = LaneVector::abs(center.cross(axis)) - own - reach;
        let square = axis.scaled_by(axis);
        self.add(gap.x, square.y + square.z);
        self.add(gap.y, square.x + square.z);
        self.add(gap.z, square.x + square.y);
    }
    #[inline(always)]
    fn add(&mut self, gap: N, sine_squared: N) {
        let parallel = sine_squared.less_than(number(gap, PARALLEL * PARALLEL));
        self.gap = N::select(parallel, self.gap, gap.larger(self.gap));
        self.left_out = N::select(parallel, sine_squared.larger(self.left_out), self.left_out);
    }
}
