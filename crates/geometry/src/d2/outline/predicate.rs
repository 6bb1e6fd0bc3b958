//! Exact decisions about points of the plane, for any finite coordinates.
//!
//! Orientation comes from Shewchuk's adaptive predicates (1997) in the crate `robust`, which are exact as
//! long as no product over- or underflows. Where one could, the sign is taken from the exact sum of the
//! products in a long fixed-point register, after Kulisch: slow, rare and right.

use crate::bvh::Aabb;
use carom_math::Vec2;
use core::cmp::Ordering;

type Point = Vec2<f64>;

/// On which side of the line from `a` to `b` the point `c` lies: `Greater` to the left (the three turn
/// counter-clockwise), `Less` to the right, `Equal` on the line (or when `a` = `b`).
pub(super) fn orientation(a: Point, b: Point, c: Point) -> Ordering {
    if [a, b, c].into_iter().all(in_safe_range) {
        let coordinate = |p: Point| robust::Coord { x: p.x, y: p.y };
        return sign(robust::orient2d(coordinate(a), coordinate(b), coordinate(c)));
    }
    // (a − c) × (b − c), multiplied out.
    sign_of_sum(&[(a.x, b.y), (-a.x, c.y), (-c.x, b.y), (-a.y, b.x), (a.y, c.x), (c.y, b.x)])
}

/// On which side of the line through `origin` along `direction` the point `c` lies, as [`orientation`].
pub(super) fn side_of_ray(origin: Point, direction: Point, c: Point) -> Ordering {
    // direction × (c − origin). The difference of the two products below carries five roundings of at
    // most ε/2 relative to a product, so a determinant above 4ε of their sum has the right sign.
    let (left, right) = (direction.x * (c.y - origin.y), direction.y * (c.x - origin.x));
    let bound = (left.abs() + right.abs()) * (4.0 * f64::EPSILON);
    let determinant = left - right;
    if SAFE_PRODUCT < bound && bound < f64::MAX && bound < determinant.abs() {
        return sign(determinant);
    }
    let (d, o) = (direction, origin);
    sign_of_sum(&[(d.x, c.y), (-d.x, o.y), (-d.y, c.x), (d.y, o.x)])
}

/// Whether two segments share a point, ends included; segments may be points.
///
/// Proper crossings have the ends of each on both sides of the other. An end on the line of the other
/// counts for both sides; when all four do, the segments lie on one line and share a point exactly if
/// their boxes do.
pub(super) fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let (of_c, of_d) = (orientation(a, b, c), orientation(a, b, d));
    if of_c == of_d && of_c != Ordering::Equal {
        return false;
    }
    let (of_a, of_b) = (orientation(c, d, a), orientation(c, d, b));
    if of_a == of_b && of_a != Ordering::Equal {
        return false;
    }
    let on_one_line = [of_a, of_b, of_c, of_d] == [Ordering::Equal; 4];
    !on_one_line || Aabb::around(a, b).overlaps(Aabb::around(c, d))
}

/// Whether a point lies on a segment.
pub(super) fn point_on_segment(p: Point, [a, b]: [Point; 2]) -> bool {
    Aabb::around(a, b).overlaps(Aabb { min: p, max: p }) && orientation(a, b, p) == Ordering::Equal
}

/// An error bound above this is not disturbed by the other product underflowing, which costs it at most
/// 2⁻¹⁰⁷⁴.
const SAFE_PRODUCT: f64 = f64::from_bits((1023 - 900) << 52);

/// Coordinates for which nothing over- or underflows: 0, or of a magnitude in [2⁻³⁰⁰, 2³⁰⁰]. They are
/// whole multiples of 2⁻³⁵², so everything formed from their differences and the products of those is a
/// multiple of 2⁻⁷⁰⁴.
fn in_safe_range(p: Point) -> bool {
    const LOW: f64 = f64::from_bits((1023 - 300) << 52);
    const HIGH: f64 = f64::from_bits((1023 + 300) << 52);
    [p.x, p.y].into_iter().all(|x| x == 0.0 || (LOW..=HIGH).contains(&x.abs()))
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// The sign of Σ xᵢ·yᵢ without any rounding, for finite numbers.
fn sign_of_sum(products: &[(f64, f64)]) -> Ordering {
    // Every product is a whole multiple of 2^(2·−1074). The register counts in that unit: 4,300 bits
    // hold the largest product, 2²⁰⁴⁸, and the carries. Digits of 32 bits, each in a wider number that
    // takes many additions before it has to pass its carry on.
    let mut digits = [0_i64; 136];
    for &(x, y) in products {
        let ((mantissa_x, exponent_x), (mantissa_y, exponent_y)) = (parts(x), parts(y));
        let product = u128::from(mantissa_x) * u128::from(mantissa_y);
        let position = exponent_x + exponent_y;
        let (first, shift) = (position / 32, position % 32);
        let direction = if (x < 0.0) == (y < 0.0) { 1 } else { -1 };
        // 106 bits, shifted by at most 31, spread over five digits.
        let (low, high) = (product << shift, if shift == 0 { 0 } else { product >> (128 - shift) });
        for place in 0..4 {
            if let Some(digit) = digits.get_mut(first + place) {
                *digit += direction * ((low >> (32 * place)) & 0xffff_ffff) as i64;
            }
        }
        if let Some(digit) = digits.get_mut(first + 4) {
            *digit += direction * high as i64;
        }
    }
    let mut carry = 0;
    let mut any = false;
    for digit in digits {
        let total = digit + carry;
        any |= total & 0xffff_ffff != 0;
        carry = total >> 32;
    }
    // What is left above the top digit is 0 or −1: the sign of the whole, in two's complement.
    match (carry < 0, any) {
        (true, _) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => Ordering::Equal,
    }
}

/// |x| = mantissa·2^(exponent − 1074) with a mantissa of at most 53 bits.
fn parts(x: f64) -> (u64, usize) {
    let bits = x.to_bits();
    let field = (bits >> 52) as usize & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    if field == 0 { (fraction, 0) } else { (fraction | 1 << 52, field - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, any_bits, coordinate, nudge};
    use carom_oracle::rational::{ExactPoint, Rational};

    /// Points that often lie on one line or nearly so, at every magnitude.
    fn point(rng: &mut Rng) -> Point {
        let mut number = || loop {
            let x = if rng.one_in(3) { any_bits(rng) } else { coordinate(rng) };
            if x.is_finite() {
                return x;
            }
        };
        Vec2::new(number(), number())
    }

    #[test]
    fn orientation_is_exact_for_all_finite_numbers() {
        let mut rng = Rng::new(11);
        for _ in 0..20_000 {
            let (a, b) = (point(&mut rng), point(&mut rng));
            let c = match rng.below(3) {
                0 => point(&mut rng),
                1 => a * 0.5 + b * 0.5,
                _ => Vec2::new(nudge(b.x, rng.between(-1, 1)), b.y),
            };
            let at = |p: Point| [p.x, p.y].to_exact();
            if !c.x.is_finite() {
                continue;
            }
            let exact = (&at(b) - &at(a)).perp_dot(&(&at(c) - &at(a)));
            assert_eq!(orientation(a, b, c), exact.cmp(&Rational::ZERO), "{a:?} {b:?} {c:?}");
            let exact = at(b).perp_dot(&(&at(c) - &at(a)));
            assert_eq!(side_of_ray(a, b, c), exact.cmp(&Rational::ZERO), "{a:?} {b:?} {c:?}");
        }
    }
}
