//! Flat sides that something comes down on.
//!
//! Most casts end with a corner of one shape on a flat side of the other: a box or the end of a cylinder. Along the
//! normal of each side the shapes are apart until some time, which is a **lower** bound of the first touch; if at the
//! latest of these times the foremost point of the other shape lies on the side, that is a common point, hence
//! an **upper** bound too, and the answer. If one of the sides is never reached, neither is the shape.

use carom_math::Vector;

/// The flat sides of a core about the origin of its own frame, as far as they are used. Opposite sides share a
/// normal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sides<V> {
    None,
    /// Of a box with these half extents.
    Box(V),
    /// Both ends of a cylinder about the y axis.
    Ends {
        radius: f64,
    },
}

impl<V: Vector<Scalar = f64>> Sides<V> {
    /// The axes that normals lie along: from the first to before the last.
    pub(crate) fn axes(&self) -> core::ops::Range<usize> {
        match self {
            Sides::None => 0..0,
            Sides::Box(_) => 0..V::DIM,
            Sides::Ends { .. } => 1..2,
        }
    }

    /// Whether a point in the plane of a side along this axis lies on the side.
    pub(crate) fn holds(&self, axis: usize, point: V) -> bool {
        match self {
            Sides::None => false,
            Sides::Box(half_extents) => {
                (0..V::DIM).all(|other| other == axis || point.get(other).abs() <= half_extents.get(other))
            }
            Sides::Ends { radius } => {
                let flat = point.with(axis, 0.0);
                flat.dot(flat) <= radius * radius
            }
        }
    }
}
