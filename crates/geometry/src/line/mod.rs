//! Lines, rays and segments in either dimension: closest points, and how flat things relate.
//!
//! [`relate`](crate::d3::relate) answers for every pair of flat things. The relation itself is exact for
//! the numbers as given, near-parallel and touching input included; points, parameters and distances are
//! rounded once or a few times. [`closest_on_line`], [`closest_on_ray`], [`closest_on_segment`] and
//! [`closest_between_segments`] are the closed forms behind many other questions.

mod apart;
pub(crate) mod closest;
pub(crate) mod flat;
mod forms;
mod meet;
pub(crate) mod relate;

pub(crate) use forms::rescaled;
pub use forms::{
    ClosestPair, Projection, closest_between_segments, closest_on_line, closest_on_ray, closest_on_segment,
};

use crate::Error;
use crate::error::finite_vector;
use carom_math::{Real, Vector};

/// The points point + t·direction for all t. The direction is kept as given: t counts in its length.
///
/// # Example
/// ```
/// use carom_geometry::d2::Line;
/// // Vertical lines are lines like any other.
/// let line = Line::new([2.0, 0.0], [0.0, 4.0])?;
/// assert_eq!(line.at(0.5).y, 2.0);
/// assert!(Line::new([0.0, 0.0], [0.0, 0.0]).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<V> {
    point: V,
    direction: V,
}

impl<V: Vector> Line<V> {
    /// The line through a point along a direction of any length but zero.
    ///
    /// # Errors
    /// When the direction is the zero vector or a coordinate is not finite.
    pub fn new(point: impl Into<V>, direction: impl Into<V>) -> Result<Self, Error> {
        let point = finite_vector("point", point.into())?;
        let direction = finite_vector("direction", direction.into())?;
        if direction == V::ZERO {
            return Err(Error::ZeroDirection { what: "direction" });
        }
        Ok(Line { point, direction })
    }
    /// The given point on the line, where t = 0.
    #[must_use]
    pub fn point(&self) -> V {
        self.point
    }
    /// Where the line goes; not of unit length in general.
    #[must_use]
    pub fn direction(&self) -> V {
        self.direction
    }
    /// The point at a parameter.
    #[must_use]
    pub fn at(&self, t: V::Scalar) -> V {
        self.point + self.direction * t
    }
}

/// What two flat things have in common.
///
/// # Example
/// ```
/// use carom_geometry::line::Relation;
/// assert_eq!(Relation::Crossing.name(), "crossing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Exactly one point, an end or a corner included.
    Crossing,
    /// More than one point.
    Coincident,
    /// No point, and no angle: the directions of one are all among the directions of the other. Never
    /// with a point or a segment of length zero, which have no direction.
    Parallel,
    /// No point, and not parallel.
    Apart,
}

impl Relation {
    /// The word for the relation in streams.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Relation::Crossing => "crossing",
            Relation::Coincident => "coincident",
            Relation::Parallel => "parallel",
            Relation::Apart => "apart",
        }
    }
}

/// How two flat things relate, and a pair of closest points.
///
/// The relation is exact. If there is a common point, `point_a` and `point_b` are the same to the bit and
/// `distance` is 0; otherwise `distance` is positive and within a few ulp of the true distance.
/// Coordinates are rounded to nearest, so the points are as close to their things as the number type
/// allows.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Segment, relate};
/// use carom_geometry::line::Relation;
/// let a = Segment::new([0.0, 0.0], [4.0, 0.0])?;
/// let b = Segment::new([1.0, 2.0], [1.0, -2.0])?;
/// let answer = relate(a, b)?;
/// assert_eq!(answer.relation, Relation::Crossing);
/// assert_eq!((answer.point_a.x, answer.s, answer.t), (1.0, Some(0.25), Some(0.5)));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineRelation<V: Vector> {
    /// What they have in common.
    pub relation: Relation,
    /// The point of the first thing that is closest to the second.
    pub point_a: V,
    /// The point of the second thing that is closest to the first.
    pub point_b: V,
    /// How far apart they are; 0 exactly when they have a common point.
    pub distance: V::Scalar,
    /// The parameter of `point_a` on a line, ray or segment (there 0 at the first end and 1 at the other).
    pub s: Option<V::Scalar>,
    /// The parameter of `point_b` on a line, ray or segment.
    pub t: Option<V::Scalar>,
    /// [u, v] of `point_a` on a triangle, a + u·(b − a) + v·(c − a), or parallelogram, origin + u·U + v·V.
    pub barycentric_a: Option<[V::Scalar; 2]>,
    /// [u, v] of `point_b` on a triangle or parallelogram.
    pub barycentric_b: Option<[V::Scalar; 2]>,
}

/// Generates the enum `Flat` of a dimension, the conversions into it, and its view in space.
macro_rules! flat_things {
    ($($(#[$documentation:meta])* $kind:ident($type:ty) = $name:literal, $thing:ident => $rows:expr;)+) => {
        /// Any flat thing of this dimension. Concrete things convert into it.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Flat<T: Real> {
            $($(#[$documentation])* $kind($type)),+
        }

        impl<T: Real> Flat<T> {
            /// The name of the kind, as in streams.
            #[must_use]
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Flat::$kind(_) => $name),+
                }
            }
        }

        $(
            impl<T: Real> From<$type> for Flat<T> {
                fn from(thing: $type) -> Self {
                    Flat::$kind(thing)
                }
            }
        )+

        impl<T: Real> From<&Flat<T>> for Flat<T> {
            fn from(thing: &Flat<T>) -> Self {
                *thing
            }
        }

        impl<T: Real> crate::line::relate::ToThing for Flat<T> {
            fn to_thing(&self) -> crate::line::flat::Thing {
                use crate::line::flat::{Kind, Thing};
                match self {
                    $(Flat::$kind($thing) => Thing { kind: Kind::$kind, rows: $rows }),+
                }
            }
        }
    };
}

pub(crate) use flat_things;

/// A vector of either dimension as a row in space; exact.
pub(crate) fn row<V: Vector>(v: V) -> [f64; 3] {
    [0, 1, 2].map(|axis| if axis < V::DIM { v.get(axis).to_f64() } else { 0.0 })
}

/// The row of what is not used.
pub(crate) const NO_ROW: [f64; 3] = [0.0; 3];
