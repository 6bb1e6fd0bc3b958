//! Ellipses and ellipsoids about the local origin, their axes along the local ones.
//!
//! # The nearest point
//!
//! After Eberly, *Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid* (2013). By
//! symmetry let all coordinates yᵢ of the point be positive. The nearest point x of the surface
//! satisfies y − x = t·∇, that is xᵢ = rᵢ²yᵢ/(t + rᵢ²) for one t >= −m², where m is the least radius. With
//! u = (t + m²)/m², ρᵢ = rᵢ²/m² and δᵢ = ρᵢ − 1 = (rᵢ − m)(rᵢ + m)/m², so that nothing cancels,
//!
//! ```text
//! g(u) = Σ (ρᵢ zᵢ/(u + δᵢ))² − 1 = 0    with zᵢ = yᵢ/rᵢ
//! xᵢ = ρᵢ yᵢ/(u + δᵢ),   yᵢ − xᵢ = yᵢ (u − 1)/(u + δᵢ),   normal ∝ yᵢ/(u + δᵢ)
//! ```
//!
//! g falls and is convex, so Newton's method from the left never overshoots; a bisection of the
//! logarithm keeps far starts short. The sign of u − 1 tells inside from outside. When no axis of the
//! least radius takes part (yᵢ = 0 there) and g(0) <= 0, the answer is u = 0 with the missing part along
//! that axis: points near the centre of a pancake.
//!
//! Radii of zero are legal: the set is then flat, has no inside, and the point is projected into it
//! first.

use crate::Error;
use crate::bound::directed::{product_up, root_up, sum_down, sum_up};
use crate::bound::{Aabb, Bounded, Frame};
use crate::error::not_negative;
use crate::pair::nearest::{Nearest, on_ball};
use crate::shape::{Lend, Resize, Widen};
use carom_math::{Number, Vector, power_of_two};

/// A solid ellipse or ellipsoid about the local origin: Σ (xᵢ/radiusᵢ)² <= 1.
///
/// A radius of zero is legal and makes it flat.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ellipsoid, closest_point};
/// let egg = Ellipsoid::new([1.0, 2.0, 1.0])?;
/// assert_eq!(egg.radii().y, 2.0);
/// let top = closest_point(&egg, [0.0, 0.0, 0.0], [0.0, 5.0, 0.0])?;
/// assert_eq!((top.distance, top.point.y), (3.0, 2.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid<V> {
    radii: V,
}

impl<V: Vector> Ellipsoid<V> {
    /// From the radii along the local axes, any of which may be zero.
    ///
    /// # Errors
    /// When a radius is negative or not finite.
    pub fn new(radii: impl Into<V>) -> Result<Self, Error> {
        let mut checked = radii.into();
        for axis in 0..V::DIM {
            checked = checked.with(axis, not_negative("radii", checked.get(axis))?);
        }
        Ok(Ellipsoid { radii: checked })
    }
    /// From the centre to the surface, along each axis.
    #[must_use]
    pub fn radii(&self) -> V {
        self.radii
    }
}

impl<V: Vector, S> Lend<S> for Ellipsoid<V> {}

impl<V: Vector> Widen for Ellipsoid<V> {
    type Wide = Ellipsoid<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        Ellipsoid { radii: self.radii.widen() }
    }
}

impl<V: Vector<Scalar = f64>> Resize for Ellipsoid<V> {
    #[inline]
    fn size(&self) -> f64 {
        self.radii.max_abs()
    }
    fn resized(&self, factor: f64) -> Self {
        Ellipsoid { radii: self.radii * factor }
    }
}

impl<V: Vector<Scalar = f64>> Bounded<V> for Ellipsoid<V> {
    /// Along axis i it reaches √(Σ (Rᵢₖ·radiusₖ)²) from its centre. Radii beyond the range of squares are
    /// brought near 1 first.
    fn bounds(&self, frame: &Frame<V>) -> Aabb<V> {
        let factor = crate::scale::rescaling(self.radii.max_abs()).unwrap_or(1.0);
        let radii = self.radii * factor;
        let reach = V::from_fn(|i| {
            let mut only = None;
            let mut sum = 0.0;
            for (k, column) in frame.columns.iter().enumerate().take(V::DIM) {
                let part = product_up(column.get(i).abs(), radii.get(k));
                only = if sum == 0.0 {
                    Some(part)
                } else if part == 0.0 {
                    only
                } else {
                    None
                };
                sum = sum_up(sum, product_up(part, part));
            }
            // A single part needs no root, which would round.
            sum_up(only.unwrap_or_else(|| root_up(sum)), frame.turn_error(radii))
        });
        let reach = reach.map(|x| product_up(x, 1.0 / factor));
        Aabb { min: frame.origin.zip(-reach, sum_down), max: frame.origin.zip(reach, sum_up) }
    }
}

/// Radii below this part of the largest are zero: 2⁻²⁰⁰, so that their squares stay in range.
const FLAT: f64 = power_of_two(-200);

/// Radii below this part of the distance are zero: 2⁻⁷⁰⁰, so that the point seen at their scale is in range.
const FAR: f64 = power_of_two(-700);

/// More than enough: the bisection of the logarithm takes a dozen steps, Newton's method a handful.
const MAX_STEPS: u32 = 200;

/// The point of an ellipsoid's surface nearest to p. See the module.
pub(crate) fn nearest_on_ellipsoid<V: Vector<Scalar = f64>>(radii: V, p: V) -> Nearest<V> {
    let largest = radii.max_abs();
    if (0..V::DIM).all(|axis| radii.get(axis) == largest) {
        return on_ball(largest, p);
    }
    // Nor must quotients overflow, of points that are much farther away than that.
    let negligible = (FLAT * largest).max_of(FAR * p.max_abs());
    let radii = radii.map(|radius| if radius <= negligible { 0.0 } else { radius });
    let y = p.abs_by_axis();
    let signed = |v: V| v.zip(p, |x, sign| if sign < 0.0 { -x } else { x });
    let is_flat = (0..V::DIM).any(|axis| radii.get(axis) == 0.0);
    let inside: f64 = (0..V::DIM).fold(0.0, |sum, axis| {
        let z = y.get(axis) / radii.get(axis);
        if radii.get(axis) == 0.0 { sum } else { sum + z * z }
    });
    if is_flat && inside <= 1.0 {
        // Above or below the flat set, whose normal is the first axis without extent.
        let offset = y.zip(radii, |y, radius| if radius == 0.0 { y } else { 0.0 });
        let flat_axis = (0..V::DIM).find(|axis| radii.get(*axis) == 0.0).unwrap_or(0);
        let normal = offset.normalized().unwrap_or(V::unit(flat_axis));
        return Nearest { point: p - signed(offset), distance: offset.length(), normal: signed(normal) };
    }
    let least = (0..V::DIM).fold(f64::INFINITY, |least, axis| {
        let radius = radii.get(axis);
        if radius == 0.0 { least } else { radius.min_of(least) }
    });
    // A coordinate whose square is out of range next to the radii is as good as zero.
    let y = y.zip(radii, |y, radius| if radius != 0.0 && y <= FLAT * least { 0.0 } else { y });
    let ratio = radii.map(|radius| radius / least);
    let rho = ratio.map(|ratio| ratio * ratio);
    let delta = radii.map(|radius| ((radius - least) / least) * ((radius + least) / least));
    // ρᵢ·zᵢ; axes without extent do not take part.
    let weighted = V::from_fn(|axis| ratio.get(axis) * (y.get(axis) / least));
    let u = root(weighted, delta);
    // The point relative to the direction n with nᵢ = yᵢ/(u + δᵢ).
    let direction = V::from_fn(|axis| {
        let radius = radii.get(axis);
        if radius == 0.0 || y.get(axis) == 0.0 { 0.0 } else { y.get(axis) / (u + delta.get(axis)) }
    });
    let mut x = direction.zip(rho, |n, rho| n * rho);
    let mut offset = direction * (u - 1.0);
    let mut gradient = direction;
    if u == 0.0 {
        // The part that is missing from the surface lies along the first axis of the least radius.
        let axis = (0..V::DIM).find(|axis| radii.get(*axis) == least).unwrap_or(0);
        let covered = (0..V::DIM).fold(0.0, |sum, axis| {
            let part = if radii.get(axis) == 0.0 { 0.0 } else { x.get(axis) / radii.get(axis) };
            sum + part * part
        });
        let missing = least * (1.0 - covered).max_of(0.0).sqrt();
        x = x.with(axis, missing);
        offset = offset.with(axis, -missing);
        gradient = gradient.with(axis, missing);
    }
    if is_flat {
        // Beside a flat set: the offset has a part across it as well, and is the normal.
        let across = y.zip(radii, |y, radius| if radius == 0.0 { y } else { 0.0 });
        offset += across;
        gradient = if offset == V::ZERO { gradient } else { offset };
    }
    let normal = gradient.normalized().unwrap_or(V::unit(0));
    let distance = offset.length();
    Nearest {
        point: signed(x),
        distance: if u < 1.0 { 0.0 - distance } else { distance },
        normal: signed(normal),
    }
}

/// The root u >= 0 of Σ (wᵢ/(u + δᵢ))² = 1, or 0 when the sum is at most 1 there.
fn root<V: Vector<Scalar = f64>>(weighted: V, delta: V) -> f64 {
    // g(u) and −g'(u)/2
    let evaluate = |u: f64| {
        let (mut value, mut slope) = (-1.0, 0.0);
        for axis in 0..V::DIM {
            if weighted.get(axis) != 0.0 {
                let below = u + delta.get(axis);
                let part = weighted.get(axis) / below;
                value += part * part;
                slope += part * part / below;
            }
        }
        (value, slope)
    };
    // No part exceeds 1 at the root, and the whole is at most 1 at the length of w.
    let mut low = (0..V::DIM).fold(0.0, |low: f64, axis| {
        if weighted.get(axis) == 0.0 { low } else { (weighted.get(axis) - delta.get(axis)).max_of(low) }
    });
    let mut high = weighted.length();
    if low == 0.0 && evaluate(0.0).0 <= 0.0 {
        return 0.0;
    }
    for _ in 0..MAX_STEPS {
        let middle = if low == 0.0 { high * 0.5 } else { (low * high).sqrt() };
        if 2.0 * low < high && low < middle && middle < high {
            if 0.0 < evaluate(middle).0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let (value, slope) = evaluate(low);
        let next = low + 0.5 * value / slope;
        let is_farther = low < next;
        // Ends when rounding makes the step zero or negative, or there is no number to go to.
        if !is_farther || low == high {
            break;
        }
        low = next.min_of(high);
    }
    low
}
