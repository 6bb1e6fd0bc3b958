//! What can be wrong with the input, and the checks for it.

use crate::Space;
use carom_math::{Real, Vec3, Vector};

/// Why a response could not be computed. Every variant names the offending input.
///
/// # Example
/// ```
/// use carom_dynamics::{Error, bounce};
/// use carom_math::Vec2;
/// let error = bounce(Vec2::new(1.0, 0.0), [0.0, 0.0], 0.5).unwrap_err();
/// assert_eq!(error, Error::ZeroDirection { what: "normal" });
/// assert_eq!(error.kind(), "zero_direction");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    #[error("{what} must be finite, but is {value}")]
    NotFinite {
        /// The offending input.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that must be zero or more is less.
    #[error("{what} must not be negative, but is {value}")]
    Negative {
        /// The offending input.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A share of something is more than the whole.
    #[error("{what} must not be above 1, but is {value}")]
    AboveOne {
        /// The offending input.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A normal is the zero vector, so it points nowhere.
    #[error("{what} must not be the zero vector: it has to point somewhere")]
    ZeroDirection {
        /// The offending input.
        what: &'static str,
    },
    /// The input is finite, but the answer is too large for the number type.
    #[error("{what} is too large for {number}: use {}larger units", if *number == "f32" { "f64, or " } else { "" })]
    Overflow {
        /// The answer that overflowed.
        what: &'static str,
        /// The number type.
        number: &'static str,
    },
    /// A number is not in its range.
    #[error("{what} must be in {range}, but is {value}")]
    OutOfRange {
        /// The offending input.
        what: &'static str,
        /// The range, in words.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// A handle names something that has been removed, or belongs to another world.
    #[error("{what} is gone: it has been removed, or belongs to another world")]
    Gone {
        /// What it named.
        what: &'static str,
    },
    /// A table is full.
    #[error("there is no room for {what}: the world holds as many as it can name")]
    Full {
        /// What was to be added.
        what: &'static str,
    },
    /// A dynamic body has neither a mass nor a shape that has one.
    #[error("a dynamic body needs a mass: give it a shape with a positive density, or a mass")]
    NoMass,
    /// The mass of a dynamic body, or its inertia, is too large or too small: it or its inverse is infinite.
    #[error(
        "{what} of a dynamic body must be finite, and so must be its inverse, but it is {value}: give it another mass or \
         density, or use other units"
    )]
    Weight {
        /// Which of the two.
        what: &'static str,
        /// Its value; of an inertia, the moment that is to blame.
        value: f64,
    },
    /// A joint needs two bodies.
    #[error("a joint needs two different bodies")]
    SameBody,
    /// A shape cannot move, but its body does.
    #[error("a {shape} cannot be on a body that moves")]
    Immovable {
        /// The kind of the shape.
        shape: &'static str,
    },
    /// A dynamic body has a surface, which has no inside.
    #[error(
        "a {shape} cannot be on a dynamic body: decompose it into convex shapes and add these, or a compound of them"
    )]
    NotConvex {
        /// The kind of the shape.
        shape: &'static str,
    },
    /// Bytes are not those of a snapshot, or were changed.
    #[error("the bytes cannot be read: at {offset} {problem}")]
    Bytes {
        /// Where the reading has got to; in the unpacked bytes, once these are read.
        offset: usize,
        /// What is wrong with them.
        problem: &'static str,
    },
    /// A shape or a question about one was refused.
    #[error(transparent)]
    Geometry(#[from] carom_geometry::Error),
}

impl Error {
    /// A short, stable word for the kind of error, as written to streams.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::NotFinite { .. } => "not_finite",
            Error::Negative { .. } => "negative",
            Error::AboveOne { .. } => "above_one",
            Error::ZeroDirection { .. } => "zero_direction",
            Error::Overflow { .. } => "overflow",
            Error::OutOfRange { .. } => "out_of_range",
            Error::Gone { .. } => "gone",
            Error::Full { .. } => "full",
            Error::NoMass => "no_mass",
            Error::Weight { .. } => "weight",
            Error::SameBody => "same_body",
            Error::Immovable { .. } => "immovable",
            Error::NotConvex { .. } => "not_convex",
            Error::Bytes { .. } => "bytes",
            Error::Geometry(error) => error.kind(),
        }
    }
}

/// The number in `f64` when it is finite.
pub(crate) fn finite<T: Real>(what: &'static str, value: T) -> Result<f64, Error> {
    let value = value.to_f64();
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite { what, value }) }
}

/// The number when it is finite and at least zero.
pub(crate) fn not_negative<T: Real>(what: &'static str, value: T) -> Result<f64, Error> {
    let value = finite(what, value)?;
    if value < 0.0 { Err(Error::Negative { what, value }) } else { Ok(value.abs()) }
}

/// The number when it lies in [0, 1].
pub(crate) fn share<T: Real>(what: &'static str, value: T) -> Result<f64, Error> {
    let value = not_negative(what, value)?;
    if 1.0 < value { Err(Error::AboveOne { what, value }) } else { Ok(value) }
}

/// The vector in space and in `f64` when its components are finite.
pub(crate) fn finite_vector<V: Space>(what: &'static str, value: V) -> Result<Vec3<f64>, Error> {
    finite_lifted(what, value.lift())
}

/// The vector itself when its components are finite.
pub(crate) fn finite_lifted(what: &'static str, value: Vec3<f64>) -> Result<Vec3<f64>, Error> {
    for axis in 0..3 {
        finite(what, Vector::get(value, axis))?;
    }
    Ok(value)
}

/// A vector along the given one, whose largest component has a magnitude in [1, 2).
///
/// The formulas divide by its square instead of asking for a unit vector, so that directions such as
/// (1, 1) cause no rounding. The power of two makes them blind to the scale of the given vector.
pub(crate) fn direction<V: Space>(what: &'static str, value: V) -> Result<Vec3<f64>, Error> {
    let value = finite_vector(what, value)?;
    scaled_to_one(value).map(|(scaled, _)| scaled).ok_or(Error::ZeroDirection { what })
}

/// The vector times a power of two that brings its largest component to [1, 2), and that power; `None`
/// for zero. Subnormal vectors come closer to 1, as far as one normal factor reaches.
pub(crate) fn scaled_to_one(value: Vec3<f64>) -> Option<(Vec3<f64>, f64)> {
    let factor = factor_to_one(value.max_abs())?;
    Some((value * factor, factor))
}

/// The power of two that brings a positive number to [1, 2); `None` for zero.
pub(crate) fn factor_to_one(magnitude: f64) -> Option<f64> {
    if magnitude == 0.0 {
        return None;
    }
    let exponent = (magnitude.to_bits() >> 52) as i32 - 1023;
    // 2^±1022 are the factors whose reciprocals are normal numbers too.
    Some(carom_math::power_of_two((-exponent).clamp(-1022, 1022)))
}

/// The vector in the caller's type, unless it is too large for it.
pub(crate) fn lowered<V: Space>(what: &'static str, value: Vec3<f64>) -> Result<V, Error> {
    let lowered = V::lower(value);
    if lowered.finite() { Ok(lowered) } else { Err(Error::Overflow { what, number: V::Scalar::NAME }) }
}

/// The number in the caller's type, unless it is too large for it.
pub(crate) fn narrowed<T: Real>(what: &'static str, value: f64) -> Result<T, Error> {
    let narrow = T::from_f64(value);
    if narrow.finite() { Ok(narrow) } else { Err(Error::Overflow { what, number: T::NAME }) }
}
