//! Penetration depth: the least distance from the origin to the boundary of A − B.
//!
//! For overlapping sets the depth is the least H(n)/|n| over all directions n, with
//! H(n) = max n·a − min n·b, and it is attained at the normal of a facet of A − B. A facet of a
//! Minkowski sum is the sum of a face of A and a face of B, so it is spanned by differences of
//! points of A and differences of points of B. Hence, in space, some n = u×v with u and v among
//! all such differences attains the minimum; in the plane, some n = u turned by a right angle. All
//! other candidates do no harm, because H(n)/|n| is never below the depth. So no faces or edges
//! have to be known, and flat or degenerate sets need no special care.
//!
//! There are many candidates, so they are first evaluated in floating point; only those whose value
//! is within the error bound of the least one are evaluated exactly.

use super::{Pair, Whole, difference, dot, is_zero};
use crate::rational::{Rational, V};
use dashu_int::ops::{BitTest, Gcd};
use dashu_int::{IBig, UBig};

/// Below this sine of the angle between u and v the product u×v is computed exactly before it is
/// rounded. Above it, cancellation leaves a relative error of at most a few 2⁻⁵³/10⁻⁶ < 10⁻⁹.
const SAFE_SINE: f64 = 1e-6;

/// Twice a bound on the error of a floating-point H(n)/|n|, coordinates being at most 1: the error
/// of the direction above times the diameter, with plenty to spare.
const MARGIN: f64 = 1e-7;

/// The shortest translation of b that separates; the pair is known to overlap.
pub(super) fn minimum_translation<const D: usize>(pair: &Pair<D>) -> V<D> {
    let mut best: Option<(IBig, IBig, Whole<D>)> = None;
    for normal in promising_normals(pair) {
        let [low_a, high_a] = extent(&pair.a, &normal);
        let [low_b, high_b] = extent(&pair.b, &normal);
        let norm_squared = dot(&normal, &normal);
        let ahead = high_a - low_b;
        let back = high_b - low_a;
        let (overlap, signed) = if back < ahead { (back.clone(), -back) } else { (ahead.clone(), ahead) };
        // overlap²/norm² against the best, without division.
        let is_better = best.as_ref().is_none_or(|(best_overlap, best_norm, _)| {
            let best_overlap: &IBig = best_overlap;
            &overlap * &overlap * best_norm < best_overlap * best_overlap * &norm_squared
        });
        if is_better {
            let along = normal.map(|x| x * &signed);
            best = Some((overlap, norm_squared, along));
        }
    }
    match best {
        // n·H/|n|², in units of the caller.
        Some((_, norm_squared, along)) => {
            let factor = &pair.unit / Rational::from(norm_squared);
            V(along.map(|x| Rational::from(x) * &factor))
        }
        // Everything lies on one line (in one point, in the plane): a sideways move of any length.
        None => V::zero(),
    }
}

fn extent<const D: usize>(points: &[Whole<D>], normal: &Whole<D>) -> [IBig; 2] {
    let mut values = points.iter().map(|p| dot(p, normal));
    let first = values.next().unwrap_or_default();
    values.fold([first.clone(), first], |[low, high], x| {
        if x < low {
            [x, high]
        } else if x > high {
            [low, x]
        } else {
            [low, high]
        }
    })
}

/// Primitive normals, sorted and without repetition, among which is one that attains the depth.
fn promising_normals<const D: usize>(pair: &Pair<D>) -> Vec<Whole<D>> {
    let directions = directions(pair);
    let rounded: Vec<[f64; D]> = directions.iter().map(rounded_unit).collect();
    let scaled = ScaledPair::new(pair);
    // (value, exact normal or the pair of directions that gives it)
    let mut candidates: Vec<(f64, usize, usize)> = Vec::new();
    for i in 0..directions.len() {
        // In the plane one direction determines the normal.
        let partners = if D == 2 { i..i + 1 } else { 0..i };
        for j in partners {
            let quick = normal_f64(&rounded[i], &rounded[j]);
            let length = quick.iter().map(|x| x * x).sum::<f64>().sqrt();
            let unit = if length < SAFE_SINE {
                let normal = normal_of(&directions[i], &directions[j]);
                if is_zero(&normal) {
                    continue;
                }
                rounded_unit(&normal)
            } else {
                quick.map(|x| x / length)
            };
            candidates.push((scaled.overlap(&unit), i, j));
        }
    }
    let least = candidates.iter().fold(f64::INFINITY, |least, c| least.min(c.0));
    let mut normals: Vec<Whole<D>> = candidates
        .iter()
        .filter(|(value, _, _)| *value <= least + MARGIN)
        .filter_map(|&(_, i, j)| primitive(normal_of(&directions[i], &directions[j])))
        .collect();
    normals.sort();
    normals.dedup();
    normals
}

/// Differences of points of the same set, one of each direction.
fn directions<const D: usize>(pair: &Pair<D>) -> Vec<Whole<D>> {
    let mut directions = Vec::new();
    for points in [&pair.a, &pair.b] {
        for (i, p) in points.iter().enumerate() {
            directions.extend(points[..i].iter().filter_map(|q| primitive(difference(p, q))));
        }
    }
    directions.sort();
    directions.dedup();
    directions
}

/// The vector divided by the greatest common divisor of its coordinates, the first coordinate that
/// is not zero positive: equal for parallel vectors. `None` for zero.
fn primitive<const D: usize>(v: Whole<D>) -> Option<Whole<D>> {
    let leading = v.iter().find(|x| !x.is_zero())?;
    let flip = *leading < IBig::ZERO;
    let divisor = v.iter().fold(UBig::ZERO, |divisor, x| {
        if x.is_zero() {
            divisor
        } else if divisor.is_zero() {
            x.clone().into_parts().1
        } else {
            divisor.gcd(x)
        }
    });
    let divisor = if flip { -IBig::from(divisor) } else { IBig::from(divisor) };
    Some(v.map(|x| x / &divisor))
}

/// u×v in space; u turned by a right angle in the plane, where v is ignored.
fn normal_of<const D: usize>(u: &Whole<D>, v: &Whole<D>) -> Whole<D> {
    std::array::from_fn(|i| match D {
        2 => {
            if i == 0 {
                -&u[1]
            } else {
                u[0].clone()
            }
        }
        3 => {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            &u[j] * &v[k] - &u[k] * &v[j]
        }
        _ => panic!("depth is for two and three dimensions"),
    })
}

/// [`normal_of`] in floating point.
fn normal_f64<const D: usize>(u: &[f64; D], v: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|i| match D {
        2 => {
            if i == 0 {
                -u[1]
            } else {
                u[0]
            }
        }
        3 => {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            u[j] * v[k] - u[k] * v[j]
        }
        _ => panic!("depth is for two and three dimensions"),
    })
}

/// The direction of a non-zero vector, rounded.
fn rounded_unit<const D: usize>(v: &Whole<D>) -> [f64; D] {
    let rounded = rounded(v, excess_bits(v));
    let length = rounded.iter().map(|x| x * x).sum::<f64>().sqrt();
    rounded.map(|x| x / length)
}

/// v / 2^(60 + shift), rounded; the coordinates of v have at most 60 + shift bits.
fn rounded<const D: usize>(v: &Whole<D>, shift: usize) -> [f64; D] {
    std::array::from_fn(|i| {
        let top = i64::try_from(&v[i] >> shift).unwrap_or_default();
        top as f64 / (1u64 << 60) as f64
    })
}

/// Bits of the largest coordinate beyond 60.
fn excess_bits<const D: usize>(v: &Whole<D>) -> usize {
    v.iter().map(BitTest::bit_len).max().unwrap_or(0).saturating_sub(60)
}

/// The pair with coordinates rounded and scaled into ±1.
struct ScaledPair<const D: usize> {
    a: Vec<[f64; D]>,
    b: Vec<[f64; D]>,
}

impl<const D: usize> ScaledPair<D> {
    fn new(pair: &Pair<D>) -> Self {
        // Small coordinates are enlarged first, so that the margin is relative to their size.
        let bits = pair.a.iter().chain(&pair.b).flatten().map(BitTest::bit_len).max().unwrap_or(0);
        let enlarge = 60usize.saturating_sub(bits);
        let shift = bits.saturating_sub(60);
        let scaled = |points: &[Whole<D>]| {
            points
                .iter()
                .map(|p| {
                    let p: Whole<D> = std::array::from_fn(|i| &p[i] << enlarge);
                    rounded(&p, shift)
                })
                .collect()
        };
        ScaledPair { a: scaled(&pair.a), b: scaled(&pair.b) }
    }

    /// The lesser of H(n) and H(−n).
    fn overlap(&self, n: &[f64; D]) -> f64 {
        let extent = |points: &[[f64; D]]| {
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| {
                let value = p.iter().zip(n).map(|(x, y)| x * y).sum::<f64>();
                (low.min(value), high.max(value))
            })
        };
        let (low_a, high_a) = extent(&self.a);
        let (low_b, high_b) = extent(&self.b);
        (high_a - low_b).min(high_b - low_a)
    }
}
