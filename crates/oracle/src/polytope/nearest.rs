//! The point of A − B nearest to the origin, by the method of Wolfe (1976) in whole numbers.
//!
//! x is kept as the nearest point of the hull of a few generators (differences of points, and
//! directions). While some generator p has x·p < x·x (a direction d: x·d < 0), the hull of the
//! active ones and it contains a point nearer to the origin; x moves there. If there is none, x is
//! the answer: x·y >= x·x for every y of the set says that the whole set lies beyond the plane
//! through x orthogonal to x. The length of x falls strictly and there are finitely many sets of
//! generators, so without rounding the method ends.

use super::{Pair, Whole, difference, dot, is_zero};
use dashu_int::IBig;

/// A point of the set of differences, or a direction in which it is unbounded.
#[derive(Clone)]
enum Generator<const D: usize> {
    Point(Whole<D>),
    Ray(Whole<D>),
}

/// numerator / denominator, the denominator positive.
type Fractions<const D: usize> = (Whole<D>, IBig);

/// The shortest vector a − b.
pub(super) fn least_difference<const D: usize>(pair: &Pair<D>) -> Fractions<D> {
    search(pair, false)
}

/// Whether the shortest vector is zero.
pub(super) fn overlaps<const D: usize>(pair: &Pair<D>) -> bool {
    is_zero(&search(pair, true).0)
}

/// With `only_sign` the search may stop at any non-zero x once a plane separates the sets.
fn search<const D: usize>(pair: &Pair<D>, only_sign: bool) -> Fractions<D> {
    let first = difference(&pair.a[0], &pair.b[0]);
    let mut x = (first.clone(), IBig::ONE);
    let mut active = vec![Generator::Point(first)];
    while !is_zero(&x.0) {
        let low_a = pair.a.iter().map(|p| (dot(&x.0, p), p)).min_by(|l, r| l.0.cmp(&r.0));
        let high_b = pair.b.iter().map(|p| (dot(&x.0, p), p)).max_by(|l, r| l.0.cmp(&r.0));
        let (Some((low, a)), Some((high, b))) = (low_a, high_b) else {
            break;
        };
        let support = low - high;
        let open = pair.rays.iter().find(|ray| dot(&x.0, ray) < IBig::ZERO);
        if only_sign && support > IBig::ZERO && open.is_none() {
            break;
        }
        let new = if &support * &x.1 < dot(&x.0, &x.0) {
            Generator::Point(difference(a, b))
        } else if let Some(ray) = open {
            Generator::Ray(ray.clone())
        } else {
            break;
        };
        active.push(new);
        (active, x) = nearest_face(&active);
    }
    x
}

/// The nearest point of the hull of the generators, the last of which is known to take part, and
/// the generators that it is a positive combination of.
fn nearest_face<const D: usize>(set: &[Generator<D>]) -> (Vec<Generator<D>>, Fractions<D>) {
    let old = set.len() - 1;
    let mut choices: Vec<usize> = (0..1 << old).collect();
    choices.sort_by_key(|mask: &usize| std::cmp::Reverse(mask.count_ones()));
    for mask in choices {
        let face: Vec<_> =
            (0..set.len()).filter(|&i| i == old || mask >> i & 1 == 1).map(|i| set[i].clone()).collect();
        if let Some(x) = interior_projection(&face)
            && set.iter().all(|generator| supports(&x, generator))
        {
            return (face, x);
        }
    }
    unreachable!("the nearest point of a hull is inside some face of it")
}

/// Whether the generator lies beyond the plane through x orthogonal to x.
fn supports<const D: usize>((x, denominator): &Fractions<D>, generator: &Generator<D>) -> bool {
    match generator {
        Generator::Point(p) => dot(x, p) * denominator >= dot(x, x),
        Generator::Ray(d) => dot(x, d) >= IBig::ZERO,
    }
}

/// The projection of the origin onto the affine hull of the generators, if they are independent
/// and it is a combination of them with positive weights.
///
/// With p the first point and E the matrix of the other points minus p and of the directions, the
/// projection is p + Ey with EᵀEy = −Eᵀp; if E is square, Ey = −p and the projection is zero.
fn interior_projection<const D: usize>(face: &[Generator<D>]) -> Option<Fractions<D>> {
    let base_index = face.iter().position(|g| matches!(g, Generator::Point(_)))?;
    let Generator::Point(base) = &face[base_index] else {
        return None;
    };
    let columns: Vec<(Whole<D>, bool)> = face
        .iter()
        .enumerate()
        .filter(|&(i, _)| i != base_index)
        .map(|(_, generator)| match generator {
            Generator::Point(p) => (difference(p, base), true),
            Generator::Ray(d) => (d.clone(), false),
        })
        .collect();
    if columns.is_empty() {
        return Some((base.clone(), IBig::ONE));
    }
    if columns.len() > D {
        return None;
    }
    let (rows, right): (Vec<Vec<IBig>>, Vec<IBig>) = if columns.len() == D {
        (0..D).map(|i| (columns.iter().map(|c| c.0[i].clone()).collect(), -&base[i])).unzip()
    } else {
        columns.iter().map(|r| (columns.iter().map(|c| dot(&r.0, &c.0)).collect(), -dot(&r.0, base))).unzip()
    };
    let (weights, denominator) = solve(&rows, &right)?;
    let mut base_weight = denominator.clone();
    for (weight, (_, is_point)) in weights.iter().zip(&columns) {
        if *weight <= IBig::ZERO {
            return None;
        }
        if *is_point {
            base_weight -= weight;
        }
    }
    if base_weight <= IBig::ZERO {
        return None;
    }
    let x = std::array::from_fn(|i| {
        let start = &base[i] * &denominator;
        columns.iter().zip(&weights).fold(start, |sum, (c, w)| sum + &c.0[i] * w)
    });
    Some((x, denominator))
}

/// Cramer's rule for up to three unknowns: numerators and the positive common denominator, or
/// `None` if the matrix is singular.
fn solve(rows: &[Vec<IBig>], right: &[IBig]) -> Option<(Vec<IBig>, IBig)> {
    let n = rows.len();
    let with_column = |replaced: Option<usize>| {
        let at = |i: usize, j: usize| {
            if replaced == Some(j) { &right[i] } else { &rows[i][j] }
        };
        let minor =
            |r: [usize; 2], c: [usize; 2]| at(r[0], c[0]) * at(r[1], c[1]) - at(r[0], c[1]) * at(r[1], c[0]);
        match n {
            1 => at(0, 0).clone(),
            2 => minor([0, 1], [0, 1]),
            _ => {
                at(0, 0) * minor([1, 2], [1, 2]) - at(0, 1) * minor([1, 2], [0, 2])
                    + at(0, 2) * minor([1, 2], [0, 1])
            }
        }
    };
    let determinant = with_column(None);
    if determinant.is_zero() {
        return None;
    }
    let numerators = (0..n).map(|j| with_column(Some(j)));
    if determinant < IBig::ZERO {
        Some((numerators.map(|x| -x).collect(), -determinant))
    } else {
        Some((numerators.collect(), determinant))
    }
}
