//! Pushes apart what overlaps.

use crate::error::{finite, finite_vector, lowered, not_negative, share};
use crate::response::shares;
use crate::{Error, Space};
use carom_math::{Number, Real, Vec3, Vector};

/// How much of an overlap is corrected. The defaults correct all of it, so that the two just touch.
///
/// # Example
/// ```
/// use carom_dynamics::CorrectionOptions;
/// let exact = CorrectionOptions::<f64>::default();
/// assert_eq!((exact.slop, exact.fraction), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectionOptions<T> {
    /// The overlap that is left alone, a length; 0 by default. Simulations leave a little, so that what
    /// rests on the ground keeps touching it.
    pub slop: T,
    /// The share of the rest that is corrected, in [0, 1]; 1 by default. Less than 1 spreads the push
    /// over several steps, which calms piles of things that push each other.
    pub fraction: T,
}

impl<T: Real> Default for CorrectionOptions<T> {
    fn default() -> Self {
        CorrectionOptions { slop: T::ZERO, fraction: T::ONE }
    }
}

/// By how much each of two things is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction<V> {
    /// Added to the position of the first thing.
    pub offset_a: V,
    /// Added to the position of the second thing.
    pub offset_b: V,
}

/// How to move two things that overlap by `depth` along `normal` (from a to b, any length) apart:
/// together by fraction·max(depth − slop, 0), split by their inverse masses.
///
/// A mass of 0 does not move, so against an immovable a this is the push-out c′ = c + δN of a ball from a
/// wall. Two immovable things stay where they are. A negative depth is a gap and corrects nothing.
///
/// # Errors
/// When a number is not finite, a mass or the slop is negative, the fraction is not in [0, 1], the normal is
/// zero, or the answer is too large.
///
/// # Example
/// ```
/// use carom_dynamics::positional_correction;
/// use carom_math::Vec2;
/// // A ball of radius 1 whose centre is 0.75 above the ground.
/// let push = positional_correction(0.25, Vec2::new(0.0, 1.0), 0.0, 2.0, Default::default())?;
/// assert_eq!(push.offset_b, Vec2::new(0.0, 0.25));
/// assert_eq!(push.offset_a, Vec2::new(0.0, 0.0));
/// // The lighter of two moves further.
/// let push = positional_correction(0.5, Vec2::new(2.0, 0.0), 3.0, 1.0, Default::default())?;
/// assert_eq!((push.offset_a.x, push.offset_b.x), (-0.125, 0.375));
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn positional_correction<V: Space>(
    depth: V::Scalar,
    normal: V,
    mass_a: V::Scalar,
    mass_b: V::Scalar,
    options: CorrectionOptions<V::Scalar>,
) -> Result<Correction<V>, Error> {
    let depth = finite("depth", depth)?;
    let normal = finite_vector("normal", normal)?;
    let unit = normal.normalized().ok_or(Error::ZeroDirection { what: "normal" })?;
    let masses = (not_negative("mass_a", mass_a)?, not_negative("mass_b", mass_b)?);
    let slop = not_negative("slop", options.slop)?;
    let fraction = share("fraction", options.fraction)?;
    let length = fraction * (depth - slop).max_of(0.0);
    let (share_a, share_b) = shares(masses.0, masses.1);
    let offset = |share: f64| if share == 0.0 { Vec3::ZERO } else { unit * (length * share) };
    Ok(Correction {
        offset_a: lowered("the correction", -offset(share_a))?,
        offset_b: lowered("the correction", offset(share_b))?,
    })
}
