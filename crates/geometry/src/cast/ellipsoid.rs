//! A line against an ellipse or ellipsoid about the origin, in either dimension.
//!
//! Multiplied by all radii, Σ (xᵢ/rᵢ)² = 1 becomes the equation of a ball without a division,
//!
//! ```text
//! |m + t·d|² = R²    mᵢ = originᵢ·Πⱼ≠ᵢ rⱼ,   dᵢ = directionᵢ·Πⱼ≠ᵢ rⱼ,   R = Π rⱼ
//! ```
//!
//! and is solved like one: first in `f64`, and when hit or miss is in doubt with 106 bits, in which the
//! products of two coordinates are exact. Every axis is first brought to a radius in [1, 2) by a power of
//! two, so that slender ellipsoids are as good as round ones; a radius below 2⁻¹⁰⁰ of the size counts as
//! that much. Radii of zero are legal: the line then has to pass the flat set itself.

use super::precision::Precision;
use super::round::{Quadratic, ball_equation, cross_terms, doubt_of_squares, roots_in_doubt};
use super::span::{Passage, Span};
use crate::scale;
use carom_math::double::Double;
use carom_math::{Number, Vec3, Vector, power_of_two};

/// The part of the line origin + t·direction in the ellipsoid.
pub(crate) fn ellipsoid_span<V: Vector<Scalar = f64>>(origin: V, direction: V, radii: V) -> Option<Span<V>> {
    let round = Round::new(radii, origin.max_abs());
    let flat = |axis: &usize| radii.get(*axis) == 0.0;
    if let Some(across) = (0..V::DIM).filter(flat).find(|&axis| direction.get(axis) != 0.0) {
        return flat_span(origin, direction, radii, &round, across);
    }
    if (0..V::DIM).filter(flat).any(|axis| origin.get(axis) != 0.0) {
        return None;
    }
    let [enter, exit] = round.roots(origin, direction)?;
    // ∇ = xᵢ/rᵢ² ∝ fᵢ·(fᵢ·xᵢ)/(fᵢ·rᵢ)². With the root in double precision nothing is left of the rounding of x.
    let gradient = |t: Double| {
        V::from_fn(|axis| {
            let x = Double::from(origin.get(axis)) + t * Double::from(direction.get(axis));
            let (factor, radius) = (round.factors[axis], round.radii[axis]);
            if radii.get(axis) == 0.0 { 0.0 } else { x.value() * factor / (radius * radius) * factor }
        })
    };
    let passage = |t: Double| Passage::new(t.value(), gradient(t));
    Some(Span::new(passage(enter), passage(exit)))
}

/// The radii brought to [1, 2) axis by axis, and the powers of two that did it.
struct Round {
    factors: [f64; 3],
    radii: [f64; 3],
    /// The largest quotient of two radii is large, or the origin is far away: plain numbers would show it.
    slender: bool,
}

impl Round {
    fn new<V: Vector<Scalar = f64>>(radii: V, distance: f64) -> Self {
        let size = radii.max_abs().max_of(distance);
        let most = scale::towards_one(size, 0) * power_of_two(100);
        let mut round = Round { factors: [1.0; 3], radii: [1.0; 3], slender: false };
        let mut least = f64::INFINITY;
        for axis in 0..V::DIM {
            let radius = radii.get(axis);
            if radius == 0.0 {
                continue;
            }
            let factor = scale::towards_one(radius, 0).min_of(most);
            round.factors[axis] = factor;
            round.radii[axis] = (radius * factor).max_of(1.0);
            least = least.min_of(radius);
        }
        round.slender = 1024.0 * least < radii.max_abs();
        round
    }

    /// The product of all radii but one; of all for an axis that does not exist.
    fn others<P: Precision>(&self, left_out: usize) -> P {
        let mut product = P::exact(1.0);
        for (axis, &radius) in self.radii.iter().enumerate() {
            if axis != left_out {
                product = product * P::exact(radius);
            }
        }
        product
    }

    fn stretched<P: Precision, V: Vector<Scalar = f64>>(&self, v: V) -> Vec3<P> {
        let component = |axis: usize| {
            if axis < V::DIM {
                P::exact(v.get(axis) * self.factors[axis]) * self.others(axis)
            } else {
                P::exact(0.0)
            }
        };
        Vec3::new(component(0), component(1), component(2))
    }

    fn equation<P: Precision, V: Vector<Scalar = f64>>(&self, origin: V, direction: V) -> Quadratic<P> {
        ball_equation(self.stretched(origin), self.stretched(direction), self.others::<P>(3))
    }

    /// The parameters at which the line passes the surface; axes of radius zero must not take part.
    fn roots<V: Vector<Scalar = f64>>(&self, origin: V, direction: V) -> Option<[Double; 2]> {
        let radius = self.others::<f64>(3);
        let plain = self.equation::<f64, V>(origin, direction);
        let precisely = || {
            let moment = cross_terms(self.stretched(origin), self.stretched(direction));
            let precise = self.equation::<Double, V>(origin, direction);
            precise.roots_if_any(radius * radius * precise.alpha.value(), moment.dot(moment))
        };
        if self.slender {
            return precisely();
        }
        match roots_in_doubt(plain, radius * radius, 128.0 * f64::EPSILON) {
            Some(found) => found.map(|roots| roots.map(Double::from)),
            None => precisely(),
        }
    }
}

/// The passage through an ellipsoid that is flat along an axis which the line crosses, at t = −o/d there: the
/// point (oᵢ·d − o·dᵢ)/d has to lie in what is left.
fn flat_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    radii: V,
    round: &Round,
    across: usize,
) -> Option<Span<V>> {
    // The line may creep across at any speed, next to which the rest of the direction is out of range. The test is
    // homogeneous in o and d, so both are multiplied by a power of two that brings d near 2⁻⁶⁰: where o is
    // then out of range, so is t.
    let unit = scale::towards_one(direction.get(across).abs(), 0) * power_of_two(-60);
    let (o, d) = (Double::from(origin.get(across) * unit), Double::from(direction.get(across) * unit));
    let (mut squares, mut size) = (Double::from(0.0), 0.0);
    for axis in (0..V::DIM).filter(|&axis| axis != across) {
        let (first, second) = (Double::from(origin.get(axis)) * d, o * Double::from(direction.get(axis)));
        let offset = first - second;
        if radii.get(axis) == 0.0 {
            if offset.value() != 0.0 {
                return None;
            }
            continue;
        }
        let stretch = Double::from(round.factors[axis]) * round.others(axis);
        let part = offset * stretch;
        squares = squares + part * part;
        let terms = (first.value().abs() + second.value().abs()) * stretch.value();
        size += terms * terms;
    }
    let reach = round.others::<Double>(3) * d;
    let excess = (squares - reach * reach).value();
    let square = (reach * reach).value();
    // The origin is near 1, so what overflows is an offset that is out of reach.
    if !excess.is_finite() || doubt_of_squares(square, size) < excess {
        return None;
    }
    let t = 0.0 - origin.get(across) / direction.get(across);
    let against = if direction.get(across) < 0.0 { 1.0 } else { -1.0 };
    let facing = V::ZERO.with(across, against);
    Some(Span::new(Passage::new(t, facing), Passage::new(t, -facing)))
}
