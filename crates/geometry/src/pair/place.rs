//! Where one shape lies as seen from the other, for both dimensions.

use crate::answer::Separation;
use carom_math::{Mat2, Mat3, Vec2, Vec3, Vector};

/// A rotation matrix of either dimension.
pub(crate) trait Turn<V: Vector<Scalar = f64>>: Copy {
    /// No rotation.
    const IDENTITY: Self;
    /// The rotation back.
    fn inverse(self) -> Self;
    /// `v`, turned.
    fn apply(self, v: V) -> V;
    /// `v`, turned back.
    fn undo(self, v: V) -> V;
    /// The image of the unit vector along `axis`; the last one for any axis beyond.
    fn column(self, axis: usize) -> V;
    /// This rotation in a frame that is turned itself.
    fn seen_from(self, frame: Self) -> Self;
}

impl Turn<Vec2<f64>> for Mat2<f64> {
    const IDENTITY: Self = Mat2 { columns: [Vec2 { x: 1.0, y: 0.0 }, Vec2 { x: 0.0, y: 1.0 }] };
    #[inline(always)]
    fn inverse(self) -> Self {
        self.transposed()
    }
    #[inline(always)]
    fn apply(self, v: Vec2<f64>) -> Vec2<f64> {
        self * v
    }
    #[inline(always)]
    fn undo(self, v: Vec2<f64>) -> Vec2<f64> {
        Vec2::new(self.columns[0].dot(v), self.columns[1].dot(v))
    }
    #[inline(always)]
    fn column(self, axis: usize) -> Vec2<f64> {
        self.columns[axis.min(1)]
    }
    #[inline(always)]
    fn seen_from(self, frame: Self) -> Self {
        Mat2 { columns: self.columns.map(|column| frame.undo(column)) }
    }
}

impl Turn<Vec3<f64>> for Mat3<f64> {
    const IDENTITY: Self = Mat3::IDENTITY;
    #[inline(always)]
    fn inverse(self) -> Self {
        self.transposed()
    }
    #[inline(always)]
    fn apply(self, v: Vec3<f64>) -> Vec3<f64> {
        self * v
    }
    #[inline(always)]
    fn undo(self, v: Vec3<f64>) -> Vec3<f64> {
        self.transpose_mul(v)
    }
    #[inline(always)]
    fn column(self, axis: usize) -> Vec3<f64> {
        self.columns[axis.min(2)]
    }
    #[inline(always)]
    fn seen_from(self, frame: Self) -> Self {
        Mat3 { columns: self.columns.map(|column| frame.undo(column)) }
    }
}

/// A pose as a matrix and a translation: the second shape as seen from the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative<V, M> {
    /// Applied first.
    pub(crate) rotation: M,
    /// Where the origin of the second shape lies.
    pub(crate) translation: V,
}

impl<V: Vector<Scalar = f64>, M: Turn<V>> Relative<V, M> {
    /// The first shape as seen from itself.
    pub(crate) const IDENTITY: Self = Relative { rotation: M::IDENTITY, translation: V::ZERO };
    /// A point of the second frame, seen from the first.
    #[inline(always)]
    pub(crate) fn point(&self, local: V) -> V {
        self.rotation.apply(local) + self.translation
    }
    /// The first shape as seen from the second.
    #[inline(always)]
    pub(crate) fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Relative { rotation, translation: -rotation.apply(self.translation) }
    }
    /// How the shapes relate, seen from the first, where it was found with the shapes exchanged and this place inverted.
    #[inline(always)]
    pub(crate) fn exchanged(&self, found: Separation<V>) -> Separation<V> {
        Separation {
            normal: -self.rotation.apply(found.normal),
            point_a: self.point(found.point_b),
            point_b: self.point(found.point_a),
            ..found
        }
    }
}
