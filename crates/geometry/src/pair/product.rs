//! Cross products that keep their relative accuracy when the factors are nearly parallel.
//!
//! A difference of products a·b − c·d loses what the products share. Where that is much, the rounding
//! errors of the products are recovered ([`two_product`]) and added back: the result is then within ε of the true one plus ε² of the products. What is exact
//! in small whole numbers stays exact in both ways.

use carom_math::double::two_product;
use carom_math::{Vec2, Vec3};

/// A plain cross product with at least this squared sine between its factors is accurate enough.
const WELL_CONDITIONED: f64 = 1.0 / 16.0;

/// a × b, perpendicular to both factors up to ε, however small the angle.
#[inline]
pub(crate) fn cross3(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64> {
    let plain = a.cross(b);
    if WELL_CONDITIONED * (a.dot(a) * b.dot(b)) <= plain.dot(plain) {
        return plain;
    }
    precise_cross3(a, b)
}

/// Apart, so that the plain one is short enough to become part of its callers.
#[inline(never)]
fn precise_cross3(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64> {
    Vec3::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    )
}

/// The signed area of the parallelogram of a and b, accurate however small the angle.
#[inline]
pub(crate) fn cross2(a: Vec2<f64>, b: Vec2<f64>) -> f64 {
    difference_of_products(a.x, b.y, a.y, b.x)
}

/// a·b − c·d
#[inline]
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (p, q) = (two_product(a, b), two_product(c, d));
    (p.high - q.high) + (p.low - q.low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{self, Rng};
    use carom_oracle::rational::{ExactPoint, exact, to_f64};

    #[test]
    fn near_parallel_products_keep_all_their_digits() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let a: [f64; 3] = generate::direction(&mut rng);
            let b = generate::near_parallel(&mut rng, a);
            let truth = a.to_exact().cross(&b.to_exact());
            let found = cross3(a.into(), b.into());
            let found: [f64; 3] = found.into();
            let size = truth.0.iter().map(|x| to_f64(x).abs()).fold(0.0, carom_math::Number::max_of);
            for (found, truth) in found.into_iter().zip(&truth.0) {
                let error = to_f64(&(exact(found) - truth)).abs();
                let lost = 4.0 * f64::EPSILON * f64::EPSILON * 16.0;
                assert!(error <= 4.0 * f64::EPSILON * size + lost, "{a:?} {b:?} {error} {size}");
            }
        }
    }
}
