//! Exact signs of polynomials in floating-point numbers.
//!
//! A geometric decision (do these cross, is this point inside) is the sign of a polynomial in the
//! coordinates. It is written once, over a [`Ring`], and asked twice at most ([`decide`]):
//!
//! 1. with [`Approximate`] numbers: about 106 bits and a bound on the error, no allocation. Nearly
//!    every sign is certain then, exact zeros of short numbers (lattice coordinates) included;
//! 2. with [`Dyadic`] numbers, which are exact, only when some sign was in doubt. These take some microseconds a
//!    product, and allocate, but for the sides of lines and planes, whose numbers have a place of known size.
//!
//! The exact numbers are integers times a power of two rather than the floating-point expansions of
//! Shewchuk (1997): an expansion loses its tail to underflow when a tiny number is multiplied, while
//! here every finite input has an exact answer, whatever its exponents.
//!
//! The most common question, on which side of a line or plane a point lies, has functions of its own
//! ([`orientation`], [`orient2d`], [`orient3d`]).
//!
//! Besides signs, a ring gives quotients rounded to the nearest `f64` (what is half way to within 2⁻⁵⁰ of
//! an ulp may go either way), so that points and parameters computed from a decision are as good as the number type allows.

mod approximate;
mod dyadic;
mod limbs;
mod orientation;

pub(crate) use approximate::Approximate;
pub(crate) use dyadic::Dyadic;
use limbs::InPlace;
pub(crate) use orientation::{
    Range, normal_rounded_once, orient2d, orient3d, orientation, plane_parameter, side_of_ray, volume_sign,
};

use carom_math::Vector;
use core::cmp::Ordering;
use core::convert::Infallible;

/// Numbers that can be added and multiplied, and whose sign is known or known to be in doubt.
pub(crate) trait Ring: Clone {
    /// What is returned when a sign or a quotient is not certain; uninhabited for exact numbers.
    type Doubt;

    /// The number itself; it must be finite.
    fn from_f64(value: f64) -> Self;
    /// self + other.
    fn plus(&self, other: &Self) -> Self;
    /// self · other.
    fn times(&self, other: &Self) -> Self;
    /// −self.
    fn negated(&self) -> Self;
    /// The sign: how the number compares to zero.
    fn sign(&self) -> Result<Ordering, Self::Doubt>;
    /// numerator/denominator, rounded to `f64`; zero for a zero denominator, infinite beyond the range.
    /// A further error of `tolerance` is allowed, and what may be zero within it is zero.
    fn ratio(numerator: &Self, denominator: &Self, tolerance: f64) -> Result<f64, Self::Doubt>;

    /// self − other.
    fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }
    /// Zero.
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    /// One.
    fn one() -> Self {
        Self::from_f64(1.0)
    }
    /// Whether the number is zero.
    fn is_zero(&self) -> Result<bool, Self::Doubt> {
        Ok(self.sign()? == Ordering::Equal)
    }
    /// Whether the number is below zero.
    fn is_negative(&self) -> Result<bool, Self::Doubt> {
        Ok(self.sign()? == Ordering::Less)
    }
}

/// A question that is answered by signs of ring elements.
pub(crate) trait Question {
    /// What is asked for.
    type Answer;
    /// The answer, unless a sign is in doubt.
    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt>;
}

/// The certain answer: from approximate numbers when these suffice, else from exact ones.
pub(crate) fn decide<Q: Question>(question: &Q) -> Q::Answer {
    question.ask::<Approximate>().unwrap_or_else(|_| decide_exactly(question))
}

/// The same without an allocation, for signs of polynomials of a degree of at most three in differences of the
/// coordinates.
fn decide_in_place<Q: Question>(question: &Q) -> Q::Answer {
    question.ask::<Approximate>().unwrap_or_else(|_| {
        let Ok::<_, Infallible>(answer) = question.ask::<Dyadic<InPlace>>();
        answer
    })
}

/// The answer from exact numbers alone.
pub(crate) fn decide_exactly<Q: Question>(question: &Q) -> Q::Answer {
    let Ok::<_, Infallible>(answer) = question.ask::<Dyadic>();
    answer
}

/// A vector of space over a ring.
#[derive(Clone, Debug)]
pub(crate) struct Triple<R>(pub(crate) [R; 3]);

impl<R: Ring> Triple<R> {
    /// The vector with these coordinates.
    pub(crate) fn from_f64(coordinates: [f64; 3]) -> Self {
        Triple(coordinates.map(R::from_f64))
    }
    /// A vector of the plane or of space, in space: the plane is z = 0.
    pub(crate) fn of<V: Vector<Scalar = f64>>(v: V) -> Self {
        Self::from_f64([0, 1, 2].map(|axis| if axis < V::DIM { v.get(axis) } else { 0.0 }))
    }
    fn zip(&self, other: &Self, f: impl Fn(&R, &R) -> R) -> Self {
        let ([x, y, z], [u, v, w]) = (&self.0, &other.0);
        Triple([f(x, u), f(y, v), f(z, w)])
    }
    /// self + other.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        self.zip(other, R::plus)
    }
    /// self − other.
    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.zip(other, R::minus)
    }
    /// The vector times a number.
    pub(crate) fn times(&self, factor: &R) -> Self {
        Triple(self.0.each_ref().map(|x| x.times(factor)))
    }
    /// Σ aᵢ·bᵢ.
    pub(crate) fn dot(&self, other: &Self) -> R {
        let ([x, y, z], [u, v, w]) = (&self.0, &other.0);
        x.times(u).plus(&y.times(v)).plus(&z.times(w))
    }
    /// The cross product, right-handed.
    pub(crate) fn cross(&self, other: &Self) -> Self {
        let ([x, y, z], [u, v, w]) = (&self.0, &other.0);
        let minor = |a: &R, b: &R, c: &R, d: &R| a.times(b).minus(&c.times(d));
        Triple([minor(y, w, z, v), minor(z, u, x, w), minor(x, v, y, u)])
    }
    /// Whether all coordinates are zero.
    pub(crate) fn is_zero(&self) -> Result<bool, R::Doubt> {
        for x in &self.0 {
            if !x.is_zero()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
