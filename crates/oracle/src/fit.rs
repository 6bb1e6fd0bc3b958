//! Tight fits around points: convex hull and smallest rectangle in the plane, smallest ball.

use crate::rational::{ExactPoint, Rational, V, exact_points};

/// The corners of the convex hull, counter-clockwise from the lowest of the leftmost points, as
/// indices into the list. Points inside an edge and repetitions are left out (the first of equal
/// points counts). One index for a single point, two if all points are on a line.
///
/// ```
/// use carom_oracle::fit::convex_hull;
/// let points = [[1.0, 1.0], [0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
/// assert_eq!(convex_hull(&points), [1, 2, 4, 5]);
/// ```
pub fn convex_hull(points: &[impl ExactPoint<2>]) -> Vec<usize> {
    let points = exact_points(points);
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| points[i].0.cmp(&points[j].0).then(i.cmp(&j)));
    order.dedup_by(|i, j| points[*i] == points[*j]);
    if order.len() <= 2 {
        return order;
    }
    // Monotone chain: from left to right below, then back above; only left turns survive.
    let mut hull = chain(&points, order.iter().copied());
    hull.pop();
    let back = chain(&points, order.iter().rev().copied());
    hull.extend(&back[..back.len() - 1]);
    hull
}

fn chain(points: &[V<2>], order: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for next in order {
        while let [.., before, last] = chain[..] {
            let edge = &points[last] - &points[before];
            if edge.perp_dot(&(&points[next] - &points[last])) > Rational::ZERO {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain
}

/// A rectangle around points, with one side along an edge of their hull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rectangle {
    /// Area.
    pub area: Rational,
    /// Direction of one side, not of unit length. Zero if there is a single point.
    pub direction: V<2>,
}

/// The rectangle of least area around the points: every edge of the hull is tried. With e the edge,
/// w and h the extents along e and across it (both times |e|), the area is w·h/|e|².
///
/// # Panics
/// If there are no points.
pub fn smallest_rectangle(points: &[impl ExactPoint<2>]) -> Rectangle {
    assert!(!points.is_empty(), "a rectangle around nothing");
    let hull: Vec<V<2>> = convex_hull(points).into_iter().map(|i| points[i].to_exact()).collect();
    let extent = |direction: &V<2>| {
        let products: Vec<Rational> = hull.iter().map(|p| p.dot(direction)).collect();
        let (low, high) = (products.iter().min(), products.iter().max());
        low.zip(high).map_or(Rational::ZERO, |(low, high)| high - low)
    };
    let rectangle = |i: usize| {
        let direction = &hull[(i + 1) % hull.len()] - &hull[i];
        let norm_squared = direction.norm_squared();
        let area = if norm_squared.is_zero() {
            Rational::ZERO
        } else {
            extent(&direction) * extent(&direction.perp()) / norm_squared
        };
        Rectangle { area, direction }
    };
    let first = rectangle(0);
    (1..hull.len()).map(rectangle).fold(first, |best, next| if next.area < best.area { next } else { best })
}

/// A ball with an exact centre.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ball<const D: usize> {
    /// Centre.
    pub center: V<D>,
    /// Squared radius.
    pub radius_squared: Rational,
}

impl<const D: usize> Ball<D> {
    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: &impl ExactPoint<D>) -> bool {
        self.center.distance_squared(&point.to_exact()) <= self.radius_squared
    }
}

/// The smallest ball around the points; there is exactly one.
///
/// A few points are kept whose smallest ball is known. While some point lies outside, the farthest
/// one joins them, and the smallest ball of these few is found among the balls through each subset.
/// It grows every time, so this ends; and the smallest ball of a part that contains the whole is
/// the smallest ball of the whole.
///
/// # Panics
/// If there are no points.
///
/// ```
/// use carom_oracle::fit::smallest_ball;
/// use carom_oracle::rational::exact;
/// let ball = smallest_ball(&[[0.0, 0.0], [4.0, 0.0], [2.0, 1.0]]);
/// assert_eq!(ball.radius_squared, exact(4.0));
/// ```
pub fn smallest_ball<const D: usize>(points: &[impl ExactPoint<D>]) -> Ball<D> {
    let points = exact_points(points);
    let mut support = vec![points.first().expect("a ball around nothing").clone()];
    let mut ball = Ball { center: support[0].clone(), radius_squared: Rational::ZERO };
    loop {
        let distance = |p: &&V<D>| ball.center.distance_squared(p);
        let farthest = points.iter().max_by_key(distance);
        match farthest {
            Some(p) if !ball.contains(p) => support.push(p.clone()),
            _ => return ball,
        }
        (support, ball) = smallest_ball_of_few(&support);
    }
}

/// The smallest ball of up to D + 2 points, the last of which is outside the smallest ball of the
/// others and so on the surface of this one, and a subset of them that determines it.
fn smallest_ball_of_few<const D: usize>(points: &[V<D>]) -> (Vec<V<D>>, Ball<D>) {
    let mut best: Option<(Vec<V<D>>, Ball<D>)> = None;
    let last = points.len() - 1;
    for mask in 0usize..1 << last {
        let subset: Vec<V<D>> = (0..points.len())
            .filter(|&i| i == last || mask >> i & 1 == 1)
            .map(|i| points[i].clone())
            .collect();
        let Some(ball) = ball_through(&subset) else {
            continue;
        };
        let is_smaller = best.as_ref().is_none_or(|(_, b)| ball.radius_squared < b.radius_squared);
        if is_smaller && points.iter().all(|p| ball.contains(p)) {
            best = Some((subset, ball));
        }
    }
    best.expect("some subset determines the smallest ball")
}

/// The smallest ball with all the points on its surface; `None` if they are affinely dependent.
///
/// With qᵢ = pᵢ − p₀ the centre is p₀ + Σ λᵢqᵢ, where Σⱼ 2(qᵢ·qⱼ) λⱼ = qᵢ·qᵢ.
pub fn ball_through<const D: usize>(points: &[V<D>]) -> Option<Ball<D>> {
    let (first, rest) = points.split_first()?;
    let edges: Vec<V<D>> = rest.iter().map(|p| p - first).collect();
    let two = Rational::from(2);
    let rows = edges
        .iter()
        .map(|q| {
            let mut row: Vec<Rational> = edges.iter().map(|r| &two * q.dot(r)).collect();
            row.push(q.norm_squared());
            row
        })
        .collect();
    let weights = solve(rows)?;
    let zero = V::zero();
    let offset = edges.iter().zip(&weights).fold(zero, |sum, (q, weight)| &sum + &q.scaled(weight));
    Some(Ball { center: first + &offset, radius_squared: offset.norm_squared() })
}

/// Gaussian elimination of rows [matrix | right side]; `None` if the matrix is singular.
fn solve(mut rows: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&i| !rows[i][column].is_zero())?;
        rows.swap(column, pivot);
        let pivot_row = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i == column || row[column].is_zero() {
                continue;
            }
            let factor = &row[column] / &pivot_row[column];
            for (x, y) in row.iter_mut().zip(&pivot_row) {
                *x -= &factor * y;
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rng, box_corners, cospherical, points};
    use crate::polytope::Convex;
    use crate::rational::{exact, fraction};

    #[test]
    fn hulls_of_degenerate_lists() {
        assert_eq!(convex_hull(&[[1.0, 1.0], [1.0, 1.0]]), [0]);
        let line = [[1.0, 1.0], [3.0, 3.0], [2.0, 2.0], [0.0, 0.0], [3.0, 3.0]];
        assert_eq!(convex_hull(&line), [3, 1]);
        assert!(convex_hull(&Vec::<[f64; 2]>::new()).is_empty());
    }

    #[test]
    fn hulls_are_convex_and_contain_everything() {
        let mut rng = Rng::new(51);
        for _ in 0..200 {
            let n = 1 + rng.below(12);
            let cloud = points::<2>(&mut rng, n);
            let corners: Vec<V<2>> = convex_hull(&cloud).iter().map(|&i| cloud[i].to_exact()).collect();
            let m = corners.len();
            for i in 0..m {
                let edge = &corners[(i + 1) % m] - &corners[i];
                for p in exact_points(&cloud) {
                    assert!(edge.perp_dot(&(&p - &corners[i])) >= exact(0.0));
                }
                // No corner is in the hull of the others.
                let others: Vec<V<2>> = corners.iter().filter(|p| **p != corners[i]).cloned().collect();
                assert!(others.is_empty() || !Convex::hull(&others).contains(&corners[i]));
            }
        }
    }

    #[test]
    fn rectangles_by_hand() {
        // A square standing on its corner: its own area 2, less than the upright 4.
        let diamond = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
        assert_eq!(smallest_rectangle(&diamond).area, exact(2.0));
        // Right triangle 3-4-5: legs give 12, the hypotenuse 5·12/5 = 12 as well.
        let triangle = [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]];
        assert_eq!(smallest_rectangle(&triangle).area, exact(12.0));
        assert_eq!(smallest_rectangle(&[[0.0, 0.0], [1.0, 7.0]]).area, exact(0.0));
        assert_eq!(smallest_rectangle(&[[5.0, 7.0]]).area, exact(0.0));
    }

    #[test]
    fn balls_by_hand() {
        // Cube: half the diagonal.
        let cube = box_corners([1.0; 3]);
        assert_eq!(smallest_ball(&cube).radius_squared, exact(3.0));
        assert_eq!(smallest_ball(&cube).center, V::zero());
        // Right triangle: the hypotenuse is the diameter. Obtuse: the long side.
        let right = [[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]];
        assert_eq!(smallest_ball(&right).radius_squared, exact(6.25));
        // Acute isosceles with base 2 and height 2: r = (1 + 4)/(2·2).
        let acute = [[-1.0, 0.0], [1.0, 0.0], [0.0, 2.0]];
        assert_eq!(smallest_ball(&acute).radius_squared, fraction(25, 16));
        // Corner tetrahedron: the equilateral face of side √2 decides, r² = 2/3.
        let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(smallest_ball(&corner).radius_squared, fraction(2, 3));
        // Regular tetrahedron in the cube.
        let regular = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        assert_eq!(smallest_ball(&regular).radius_squared, exact(3.0));
        assert_eq!(smallest_ball(&[[7.0, 7.0]; 3]).radius_squared, exact(0.0));
    }

    #[test]
    fn balls_contain_and_cannot_shrink() {
        let mut rng = Rng::new(52);
        for round in 0..100 {
            let n = 1 + rng.below(12);
            let cloud = if round % 4 == 0 { cospherical::<3>(&mut rng, n) } else { points(&mut rng, n) };
            let ball = smallest_ball(&cloud);
            assert!(cloud.iter().all(|p| ball.contains(p)));
            // A ball is smallest exactly if its centre is in the hull of the points on its surface.
            let surface: Vec<V<3>> = exact_points(&cloud)
                .into_iter()
                .filter(|p| p.distance_squared(&ball.center) == ball.radius_squared)
                .collect();
            assert!(Convex::hull(&surface).contains(&ball.center));
        }
    }
}
