//! Exact decisions about points of the plane, for all finite coordinates.
//!
//! Orientation is Shewchuk's adaptive predicate (1997), from the crate `robust`, which is exact unless a
//! product over- or underflows. Where one might, the products are summed in fixed point, in a register
//! that is long enough for all of them (Kulisch): slow, rare and right.

use carom_math::{Number, Vec2};
use core::cmp::Ordering;

pub(super) type Point = Vec2<f64>;

/// On which side of the line from `a` to `b` the point `c` lies: `Greater` on the left, `Less` on the right,
/// `Equal` on the line.
pub(super) fn orientation(a: Point, b: Point, c: Point) -> Ordering {
    let determinant = if [a, b, c].into_iter().all(is_moderate) {
        let coordinates = |p: Point| robust::Coord { x: p.x, y: p.y };
        robust::orient2d(coordinates(a), coordinates(b), coordinates(c))
    } else {
        // a × b + b × c + c × a
        let term = |p: Point, q: Point| [(p.x, q.y), (-p.y, q.x)];
        sign_of_sum([term(a, b), term(b, c), term(c, a)].as_flattened())
    };
    determinant.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

/// Whether two segments share a point, ends included.
pub(super) fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let same_side = |one: Ordering, other: Ordering| one == other && one != Ordering::Equal;
    let (of_a, of_b) = (orientation(c, d, a), orientation(c, d, b));
    let (of_c, of_d) = (orientation(a, b, c), orientation(a, b, d));
    // On one line, segments meet exactly if their boxes do; otherwise boxes that are apart are no news.
    !same_side(of_a, of_b) && !same_side(of_c, of_d) && boxes_meet([a, b], [c, d])
}

/// Whether the way a → b → c turns back onto itself.
pub(super) fn folds_back(a: Point, b: Point, c: Point) -> bool {
    let same_side = |a: f64, b: f64, c: f64| (a < b) == (c < b) && (b < a) == (b < c);
    same_side(a.x, b.x, c.x) && same_side(a.y, b.y, c.y) && orientation(a, b, c) == Ordering::Equal
}

/// Whether `p` lies in a counter-clockwise triangle or on its boundary.
pub(super) fn triangle_contains([a, b, c]: [Point; 3], p: Point) -> bool {
    let low = Vec2::new(a.x.min_of(b.x).min_of(c.x), a.y.min_of(b.y).min_of(c.y));
    let high = Vec2::new(a.x.max_of(b.x).max_of(c.x), a.y.max_of(b.y).max_of(c.y));
    let in_box = low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y;
    in_box && [[a, b], [b, c], [c, a]].into_iter().all(|[u, v]| orientation(u, v, p) != Ordering::Less)
}

fn boxes_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let overlap = |a: f64, b: f64, c: f64, d: f64| a.min_of(b) <= c.max_of(d) && c.min_of(d) <= a.max_of(b);
    overlap(a.x, b.x, c.x, d.x) && overlap(a.y, b.y, c.y, d.y)
}

/// Coordinates whose differences and products keep all of their bits: zero, or between 2⁻³⁰⁰ and 2³⁰⁰.
fn is_moderate(p: Point) -> bool {
    const LOW: f64 = carom_math::power_of_two(-300);
    const HIGH: f64 = carom_math::power_of_two(300);
    [p.x, p.y].into_iter().all(|x| x == 0.0 || (LOW <= x.abs() && x.abs() <= HIGH))
}

/// −1, 0 or 1: the sign of Σ x·y without rounding, for finite numbers.
fn sign_of_sum(products: &[(f64, f64)]) -> f64 {
    // In units of 2⁻²¹⁴⁸, the square of the smallest number: products have less than 4,200 bits. Each digit
    // of 32 bits sits in a wider number, where sums of a few do not overflow.
    let mut register = [0_i64; 136];
    for &(x, y) in products {
        let ((x_mantissa, x_exponent), (y_mantissa, y_exponent)) = (parts(x), parts(y));
        let mut rest = u128::from(x_mantissa) * u128::from(y_mantissa);
        let (place, shift) = ((x_exponent + y_exponent) / 32, (x_exponent + y_exponent) % 32);
        let sign = if (x < 0.0) == (y < 0.0) { 1 } else { -1 };
        // The lowest digit takes what is left of the shift, the others 32 bits each; 106 bits in all.
        let mut width = 32 - shift;
        let mut lift = shift;
        for digit in register.iter_mut().skip(place).take(5) {
            *digit += sign * (((rest & ((1 << width) - 1)) as i64) << lift);
            rest >>= width;
            (width, lift) = (32, 0);
        }
    }
    let (mut carry, mut nonzero) = (0, false);
    for digit in register {
        let total = digit + carry;
        nonzero |= total & 0xffff_ffff != 0;
        carry = total >> 32;
    }
    // Two's complement: a negative sum leaves a borrow of one above the top digit.
    if carry < 0 { -1.0 } else { f64::from(u8::from(nonzero)) }
}

/// |x| = mantissa·2^(exponent − 1074).
fn parts(x: f64) -> (u64, usize) {
    let (field, fraction) = ((x.to_bits() >> 52) as usize & 0x7ff, x.to_bits() & ((1 << 52) - 1));
    if field == 0 { (fraction, 0) } else { (fraction | 1 << 52, field - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, any_bits, coordinate, nudge};
    use carom_oracle::rational::{ExactPoint, Rational};

    #[test]
    fn orientation_is_exact_for_all_finite_points() {
        let mut rng = Rng::new(17);
        let number = |rng: &mut Rng| {
            let x = if rng.one_in(2) { any_bits(rng) } else { coordinate(rng) };
            if x.is_finite() { x } else { 1.0 }
        };
        for _ in 0..20_000 {
            let [a, b, other] = [0; 3].map(|_| Vec2::new(number(&mut rng), number(&mut rng)));
            let c = match rng.below(3) {
                0 => other,
                1 => a * 0.5 + b * 0.5,
                _ => Vec2::new(nudge(b.x * 0.5, rng.between(-1, 1)), b.y * 0.5),
            };
            let at = |p: Point| [p.x, p.y].to_exact();
            let truth = (&at(b) - &at(a)).perp_dot(&(&at(c) - &at(a)));
            assert_eq!(orientation(a, b, c), truth.cmp(&Rational::ZERO), "{a:?} {b:?} {c:?}");
        }
    }
}
