//! Poses of either dimension behind one trait, and their matrices with certain error bounds.

use crate::bound::Aabb;
use crate::bound::directed::{sum_down, sum_up};
use carom_math::{Mat3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};
use core::fmt::Debug;

/// A pose of the plane or of space: [`Pose2`] or [`Pose3`]. Turned boxes are written over it.
///
/// The trait is sealed; use the inherent methods of the poses.
///
/// # Example
/// ```
/// use carom_geometry::bound::{Obb, Placement};
/// use carom_math::{Real, Vector};
/// // Written once for both dimensions.
/// fn longest_side<P: Placement>(fit: &Obb<P>) -> f64 {
///     fit.half_extents().max_abs().to_f64() * 2.0
/// }
/// let points = [[0.0, 0.0], [3.0, 0.0]].map(Into::into);
/// assert_eq!(longest_side(&carom_geometry::d2::Obb::from_principal_axes(&points)?), 3.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub trait Placement: Copy + PartialEq + Debug + Send + Sync + sealed::Sealed + 'static {
    /// The vectors of this dimension and number type.
    type Vector: Vector;
    /// As many vectors as there are dimensions.
    type Axes: AsRef<[Self::Vector]> + IntoIterator<Item = Self::Vector> + Copy + PartialEq + Debug;

    /// The images of the local axes.
    #[doc(hidden)]
    fn axes(self) -> Self::Axes;
    /// The images of the local axes; of three, as many as there are dimensions, the rest are zero.
    #[doc(hidden)]
    fn columns(self) -> [Self::Vector; 3];
    /// The images of the local axes, computed in `f64`.
    #[doc(hidden)]
    fn wide_columns(self) -> [<Self::Vector as Vector>::Wide; 3];
    /// Where the local origin lies.
    #[doc(hidden)]
    fn origin(self) -> Self::Vector;
    /// The pose with the rotation nearest to the given orthonormal axes; the identity when they are
    /// not finite. Only as many axes are read as a rotation needs.
    #[doc(hidden)]
    fn from_axes(axes: [<Self::Vector as Vector>::Wide; 3], origin: Self::Vector) -> Self;
    /// The same rotation with another origin.
    #[doc(hidden)]
    fn moved_to(self, origin: Self::Vector) -> Self;
    /// What the rotation is made of, up to four numbers; the rest are zero.
    #[doc(hidden)]
    fn rotation_numbers(self) -> [<Self::Vector as Vector>::Scalar; 4];
    /// Four sums in which every number of the pose takes part.
    #[doc(hidden)]
    fn four_sums(self) -> [<Self::Vector as Vector>::Scalar; 4];
}

mod sealed {
    use carom_math::{Pose2, Pose3};
    pub trait Sealed {}
    impl<T> Sealed for Pose2<T> {}
    impl<T> Sealed for Pose3<T> {}
}

impl<T: carom_math::Real> Placement for Pose2<T> {
    type Vector = Vec2<T>;
    type Axes = [Vec2<T>; 2];

    fn axes(self) -> [Vec2<T>; 2] {
        self.rotation.to_matrix().columns
    }
    fn columns(self) -> [Vec2<T>; 3] {
        let [x, y] = self.rotation.to_matrix().columns;
        [x, y, Vec2::ZERO]
    }
    fn wide_columns(self) -> [Vec2<f64>; 3] {
        let [x, y] = self.rotation.widen().to_matrix().columns;
        [x, y, Vec2::ZERO]
    }
    #[inline]
    fn origin(self) -> Vec2<T> {
        self.translation
    }
    fn from_axes(axes: [Vec2<f64>; 3], origin: Vec2<T>) -> Self {
        let [x, _, _] = axes;
        let rotation = Rot2::from_cos_sin(T::from_f64(x.x), T::from_f64(x.y)).unwrap_or(Rot2::IDENTITY);
        Pose2::new(origin, rotation)
    }
    fn moved_to(self, origin: Vec2<T>) -> Self {
        Pose2::new(origin, self.rotation)
    }
    #[inline(always)]
    fn rotation_numbers(self) -> [T; 4] {
        [self.rotation.cos(), self.rotation.sin(), T::ZERO, T::ZERO]
    }
    #[inline(always)]
    fn four_sums(self) -> [T; 4] {
        [self.rotation.cos(), self.rotation.sin(), self.translation.x, self.translation.y]
    }
}

impl<T: carom_math::Real> Placement for Pose3<T> {
    type Vector = Vec3<T>;
    type Axes = [Vec3<T>; 3];

    fn axes(self) -> [Vec3<T>; 3] {
        self.rotation.to_matrix().columns
    }
    fn columns(self) -> [Vec3<T>; 3] {
        self.rotation.to_matrix().columns
    }
    fn wide_columns(self) -> [Vec3<f64>; 3] {
        self.rotation.widen().to_matrix().columns
    }
    #[inline]
    fn origin(self) -> Vec3<T> {
        self.translation
    }
    fn from_axes(axes: [Vec3<f64>; 3], origin: Vec3<T>) -> Self {
        let [x, y, z, w] = Quat::from_matrix(Mat3 { columns: axes }).unwrap_or(Quat::IDENTITY).to_array();
        let narrow = |value: f64| T::from_f64(value);
        let rotation = Quat::new(narrow(x), narrow(y), narrow(z), narrow(w)).unwrap_or(Quat::IDENTITY);
        Pose3::new(origin, rotation)
    }
    fn moved_to(self, origin: Vec3<T>) -> Self {
        Pose3::new(origin, self.rotation)
    }
    #[inline(always)]
    fn rotation_numbers(self) -> [T; 4] {
        self.rotation.to_array()
    }
    #[inline(always)]
    fn four_sums(self) -> [T; 4] {
        let ([x, y, z, w], shift) = (self.rotation.to_array(), self.translation);
        [x + shift.x, y + shift.y, z + shift.z, w + T::ZERO]
    }
}

/// A pose as a matrix in `f64`, with what is known about its rounding errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<V> {
    /// The images of the local axes; the third is zero in the plane.
    pub(crate) columns: [V; 3],
    /// The image of the local origin.
    pub(crate) origin: V,
    /// The matrix is a signed permutation (no turn, or turns by right angles). It is then free of
    /// error: any other rotation shows in an off-diagonal entry that does not underflow.
    pub(crate) exact: bool,
}

/// Bounds the error of a coordinate of R·p, in units of ε·Σ|pₖ|.
///
/// The entries of R come from a quaternion by two roundings a product, three sums and a division by
/// a norm with four roundings; each is off by less than 4ε absolutely. The products and sums of R·p
/// add 1.5ε·Σ|pₖ| at most.
const TURN_ERROR: f64 = 8.0 * f64::EPSILON;

/// Four times the smallest positive number: covers the underflow of a few products.
const UNDERFLOW: f64 = f64::from_bits(4);

impl<V: Vector<Scalar = f64>> Frame<V> {
    pub(crate) fn new<P: Placement>(pose: P) -> Self
    where
        P::Vector: Vector<Wide = V>,
    {
        Self::from_columns(pose.wide_columns(), pose.origin().widen())
    }

    /// The frame with these images of the local axes and of the local origin.
    pub(crate) fn from_columns(columns: [V; 3], origin: V) -> Self {
        let zero_or_one = |x: f64| x == 0.0 || x.abs() == 1.0;
        let exact = columns.iter().all(|c| (0..V::DIM).all(|k| zero_or_one(c.get(k))));
        Frame { columns, origin, exact }
    }

    /// A frame within this one; rounds, where both are not exact, by a few ε.
    pub(crate) fn composed(&self, inner: &Self) -> Self {
        let turned = |v: V| {
            let products = (0..V::DIM).map(|k| self.columns[k.min(2)] * v.get(k));
            products.fold(V::ZERO, |sum, product| sum + product)
        };
        Self::from_columns(inner.columns.map(turned), turned(inner.origin) + self.origin)
    }

    /// The frame of the shape itself.
    pub(crate) fn local() -> Self {
        let unit = |axis: usize| if axis < V::DIM { V::unit(axis) } else { V::ZERO };
        Frame { columns: [unit(0), unit(1), unit(2)], origin: V::ZERO, exact: true }
    }

    /// Whether it is that: nothing is turned, moved or rounded.
    #[inline]
    pub(crate) fn is_local(&self) -> bool {
        let is_unit = |axis: usize| self.columns[axis] == V::unit(axis);
        self.exact && self.origin == V::ZERO && (0..V::DIM).all(is_unit)
    }

    /// A bound on the rounding error of R·p for |pₖ| <= reachₖ, in every coordinate.
    pub(crate) fn turn_error(&self, reach: V) -> f64 {
        let sum = (0..V::DIM).fold(0.0, |sum, k| sum + reach.get(k).abs());
        if self.exact || sum == 0.0 { 0.0 } else { TURN_ERROR * sum + UNDERFLOW }
    }

    /// A bound on the rounding error of the k-th column times p for |pₖ| <= reachₖ. None when the column
    /// is a coordinate axis: the rotation is then about that axis, or turns it by right angles.
    pub(crate) fn axis_error(&self, k: usize, reach: V) -> f64 {
        let along = |axis: usize| self.columns[k.min(2)].with(axis, 0.0) == V::ZERO;
        if (0..V::DIM).any(along) { 0.0 } else { self.turn_error(reach) }
    }

    /// The box around R·(local box), without the translation, rounded outwards.
    ///
    /// The smallest x of the turned box takes, for each entry of the first row of R, the lower end of
    /// the local range where the entry is positive and the upper end where it is negative; the largest
    /// x takes the others. Two products an entry: 18 multiplications in space and 8 in the plane,
    /// where turning all corners would take 72 and 16.
    pub(crate) fn turned(&self, local: Aabb<V>) -> Aabb<V> {
        let (mut min, mut max) = (V::ZERO, V::ZERO);
        for (k, column) in self.columns.iter().enumerate().take(V::DIM) {
            let (low, high) = (local.min.get(k), local.max.get(k));
            let term = |at_negative: f64, at_positive: f64| {
                column.map(|entry| {
                    // An exact zero annihilates, infinite ends included.
                    if entry == 0.0 {
                        0.0
                    } else {
                        entry * if entry < 0.0 { at_negative } else { at_positive }
                    }
                })
            };
            min += term(high, low);
            max += term(low, high);
        }
        // A sum that overflows towards the inside is still above the largest number.
        let (min, max) = (
            min.map(|x| if x == f64::INFINITY { f64::MAX } else { x }),
            max.map(|x| if x == f64::NEG_INFINITY { f64::MIN } else { x }),
        );
        let error = self.turn_error(local.min.abs_by_axis().max_by_axis(local.max.abs_by_axis()));
        if error == 0.0 {
            return Aabb { min, max };
        }
        Aabb { min: min.map(|x| sum_down(x, -error)), max: max.map(|x| sum_up(x, error)) }
    }

    /// The box around R·(local box) + t, rounded outwards.
    pub(crate) fn placed(&self, local: Aabb<V>) -> Aabb<V> {
        if self.is_local() {
            return local;
        }
        let turned = self.turned(local);
        Aabb { min: turned.min.zip(self.origin, sum_down), max: turned.max.zip(self.origin, sum_up) }
    }

    /// The box around the image of one point.
    pub(crate) fn placed_point(&self, local: V) -> Aabb<V> {
        self.placed(Aabb { min: local, max: local })
    }
}

/// The box rounded outwards to the caller's number type.
pub(crate) fn narrowed_outward<V: Vector>(wide: Aabb<V::Wide>) -> Aabb<V> {
    use carom_math::Real;
    Aabb {
        min: V::from_fn(|k| V::Scalar::from_f64_down(wide.min.get(k))),
        max: V::from_fn(|k| V::Scalar::from_f64_up(wide.max.get(k))),
    }
}
