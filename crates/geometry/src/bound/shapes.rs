//! The boxes of the shapes that both dimensions have.

use crate::bound::directed::{sum_down, sum_up};
use crate::bound::{Aabb, Frame};
use crate::shape::{Ball, Capsule, Cuboid, HalfSpace, Segment, Triangle};
use carom_math::Vector;

/// A shape in `f64` that can tell the box around it after a pose: tight up to a few ulp of its size,
/// and certain to contain it.
pub(crate) trait Bounded<V> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V>;
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Ball<f64> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        Aabb { min: frame.origin, max: frame.origin }.grown(self.radius())
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Cuboid<V> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        frame.placed(Aabb { min: -self.half_extents(), max: self.half_extents() })
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Segment<V> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        frame.placed_point(self.a()).merged(frame.placed_point(self.b()))
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Capsule<V> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        self.segment().bounds(frame).grown(self.radius())
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Triangle<V> {
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        self.corners().into_iter().fold(Aabb::empty(), |all, corner| all.merged(frame.placed_point(corner)))
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for HalfSpace<V> {
    /// Everything, unless the plane is certain to be perpendicular to an axis: then the box ends there.
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        let mut all = Aabb::<V>::unbounded();
        for (k, column) in frame.columns.iter().enumerate().take(V::DIM) {
            // The local normal is ± the k-th axis, and the frame maps that to ± an axis.
            if self.normal().get(k).abs() != 1.0 || self.normal().with(k, 0.0) != V::ZERO || !frame.exact {
                continue;
            }
            for axis in 0..V::DIM {
                let direction = column.get(axis) * self.normal().get(k);
                let at = frame.origin.get(axis);
                if direction == 1.0 {
                    all.max = all.max.with(axis, sum_up(at, self.offset()));
                } else if direction == -1.0 {
                    all.min = all.min.with(axis, sum_down(at, -self.offset()));
                }
            }
        }
        all
    }
}
