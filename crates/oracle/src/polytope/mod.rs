//! Convex sets given by points and unbounded directions; exact distance, overlap and depth of two.
//!
//! A [`Convex`] is the set of all Σ λᵢpᵢ + Σ μⱼdⱼ with λ, μ >= 0 and Σ λᵢ = 1: points, segments,
//! triangles, flat polygons, boxes and hulls from points alone; rays, lines, planes and half-spaces
//! with directions added. The points may repeat, be collinear or coplanar, or lie inside the hull
//! of the others: nothing here asks for general position or for faces and edges.
//!
//! Questions about a pair A, B are questions about the origin and the set of differences A − B.
//! Coordinates are brought to one common denominator, and everything is done in whole numbers.

mod depth;
mod nearest;

use crate::rational::{ExactPoint, Rational, V, exact_points, scaled_by_power};
use dashu_int::ops::{Gcd, PowerOfTwo};
use dashu_int::{IBig, UBig};

/// A convex set: the hull of some points, extended along some directions. Has one point at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convex<const D: usize> {
    points: Vec<V<D>>,
    rays: Vec<V<D>>,
}

impl<const D: usize> Convex<D> {
    /// The convex hull of the points.
    ///
    /// # Panics
    /// If there is no point, or a coordinate is not finite.
    ///
    /// ```
    /// use carom_oracle::polytope::Convex;
    /// let segment = Convex::hull(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    /// assert!(segment.contains(&[0.5, 0.0, 0.0]));
    /// ```
    pub fn hull(points: &[impl ExactPoint<D>]) -> Self {
        assert!(!points.is_empty(), "the hull of nothing");
        let points = exact_points(points);
        Convex { points, rays: Vec::new() }
    }

    /// The set extended without end along the direction: p becomes {p + μd, μ >= 0}.
    pub fn extended(mut self, direction: &impl ExactPoint<D>) -> Self {
        let direction = direction.to_exact();
        if !direction.is_zero() {
            self.rays.push(direction);
        }
        self
    }

    /// The set extended without end along the direction and against it.
    pub fn extended_both_ways(self, direction: &impl ExactPoint<D>) -> Self {
        let direction = direction.to_exact();
        self.extended(&direction).extended(&-&direction)
    }

    /// The points that the set was made from.
    pub fn points(&self) -> &[V<D>] {
        &self.points
    }

    /// The set moved by a vector.
    pub fn translated(&self, by: &impl ExactPoint<D>) -> Self {
        let by = by.to_exact();
        Convex { points: self.points.iter().map(|p| p + &by).collect(), rays: self.rays.clone() }
    }

    /// Everything that the set covers while it moves by a vector: the hull of start and end.
    pub fn swept(&self, by: &impl ExactPoint<D>) -> Self {
        let mut swept = self.translated(by);
        swept.points.extend_from_slice(&self.points);
        swept
    }

    /// Whether the point belongs to the set; its boundary does.
    pub fn contains(&self, point: &impl ExactPoint<D>) -> bool {
        self.overlaps(&Convex::hull(&[point.to_exact()]))
    }

    /// Whether the two have a common point. Touching counts.
    ///
    /// ```
    /// use carom_oracle::polytope::Convex;
    /// let a = Convex::hull(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    /// assert!(a.overlaps(&Convex::hull(&[[0.5, 0.5]])));
    /// assert!(!a.overlaps(&Convex::hull(&[[0.5, 0.5f64.next_up()]])));
    /// ```
    pub fn overlaps(&self, other: &Self) -> bool {
        nearest::overlaps(&Pair::new(self, other))
    }

    /// The shortest vector from a point of this set to a point of the other: zero if they overlap.
    /// The vector is unique, though the points that it connects need not be.
    pub fn separation(&self, other: &Self) -> V<D> {
        let pair = Pair::new(self, other);
        let (numerator, denominator) = nearest::least_difference(&pair);
        let factor = -&pair.unit / Rational::from(denominator);
        V(numerator.map(|x| Rational::from(x) * &factor))
    }

    /// Squared distance; zero if they overlap.
    ///
    /// ```
    /// use carom_oracle::polytope::Convex;
    /// use carom_oracle::rational::{exact, fraction};
    /// let wall = Convex::hull(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    /// let origin = Convex::hull(&[[0.0, 0.0, 0.0]]);
    /// assert_eq!(wall.distance_squared(&origin), fraction(1, 3));
    /// ```
    pub fn distance_squared(&self, other: &Self) -> Rational {
        self.separation(other).norm_squared()
    }

    /// A shortest translation of `other` after which the two no longer overlap in more than their
    /// boundaries; `None` if they are disjoint. Zero if they only touch, and zero if both lie in
    /// one plane (in one line, in the plane): the smallest move out of that plane separates them.
    ///
    /// The length is unique, the direction need not be; among equal ones the first in the order of
    /// coordinates of the primitive whole-number normal is returned.
    ///
    /// # Panics
    /// If one of the sets is unbounded.
    pub fn minimum_translation(&self, other: &Self) -> Option<V<D>> {
        assert!(self.rays.is_empty() && other.rays.is_empty(), "the depth of unbounded sets need not exist");
        let pair = Pair::new(self, other);
        if !nearest::overlaps(&pair) {
            return None;
        }
        Some(depth::minimum_translation(&pair))
    }

    /// Squared penetration depth: the squared length of [`Convex::minimum_translation`]; `None` if
    /// the sets are disjoint.
    ///
    /// ```
    /// use carom_oracle::polytope::Convex;
    /// use carom_oracle::rational::fraction;
    /// let a = Convex::hull(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    /// let b = a.translated(&[0.75, 0.25]);
    /// assert_eq!(a.depth_squared(&b), Some(fraction(1, 16)));
    /// ```
    pub fn depth_squared(&self, other: &Self) -> Option<Rational> {
        self.minimum_translation(other).map(|v| v.norm_squared())
    }

    /// Smallest and largest n·p over the set.
    ///
    /// # Panics
    /// If the set is unbounded.
    pub fn extent_along(&self, n: &impl ExactPoint<D>) -> [Rational; 2] {
        assert!(self.rays.is_empty(), "the set is unbounded");
        let n = n.to_exact();
        let products = || self.points.iter().map(|p| p.dot(&n));
        // A hull has one point at least.
        [products().min().unwrap_or_default(), products().max().unwrap_or_default()]
    }

    /// H(n) = max n·a − min n·b: how far the sets overlap along `n`, times the length of `n`. Moving
    /// `other` by n·H/|n|² separates them; a negative H proves them disjoint, with distance at
    /// least −H/|n|.
    pub fn overlap_along(&self, other: &Self, n: &impl ExactPoint<D>) -> Rational {
        let [_, high] = self.extent_along(n);
        let [low, _] = other.extent_along(n);
        high - low
    }
}

/// A vector of whole numbers.
type Whole<const D: usize> = [IBig; D];

/// Two sets in common whole-number coordinates: a coordinate is `unit` times the number stored.
/// Both are moved by the same vector, which leaves differences between them as they were.
struct Pair<const D: usize> {
    a: Vec<Whole<D>>,
    b: Vec<Whole<D>>,
    /// Directions in which the set of differences a − b is unbounded.
    rays: Vec<Whole<D>>,
    unit: Rational,
}

impl<const D: usize> Pair<D> {
    fn new(a: &Convex<D>, b: &Convex<D>) -> Self {
        let origin = &a.points[0];
        let mut points: Vec<V<D>> = a.points.iter().chain(&b.points).map(|p| p - origin).collect();
        let unit = to_whole_numbers(&mut points);
        let mut whole = points.into_iter().map(numerators);
        let first: Vec<_> = whole.by_ref().take(a.points.len()).collect();
        let rays = a.rays.iter().cloned().chain(b.rays.iter().map(|d| -d));
        let primitive_ray = |ray: V<D>| {
            let mut ray = [ray];
            to_whole_numbers(&mut ray);
            let [ray] = ray;
            numerators(ray)
        };
        Pair { b: whole.collect(), a: first, rays: rays.map(primitive_ray).collect(), unit }
    }
}

/// Multiplies all coordinates by one positive number that makes them whole, and as small as powers
/// of two allow; returns the reciprocal of that number.
fn to_whole_numbers<const D: usize>(points: &mut [V<D>]) -> Rational {
    let mut common = UBig::ONE;
    for denominator in points.iter().flat_map(|p| &p.0).map(Rational::denominator) {
        let both_are_powers = common.is_power_of_two() && denominator.is_power_of_two();
        if both_are_powers {
            if *denominator > common {
                common = denominator.clone();
            }
        } else {
            let shared = (&common).gcd(denominator);
            common = common / shared * denominator;
        }
    }
    let coordinates = || points.iter().flat_map(|p| &p.0);
    // If all coordinates are whole, a common power of two may be left in them.
    let zeros = if common == UBig::ONE {
        coordinates().filter_map(|x| x.numerator().trailing_zeros()).min().unwrap_or(0)
    } else {
        0
    };
    for x in points.iter_mut().flat_map(|p| &mut p.0) {
        let factor = &common / x.denominator();
        *x = Rational::from((x.numerator() * factor) >> zeros);
    }
    scaled_by_power(IBig::ONE, zeros as isize) / Rational::from(common)
}

fn numerators<const D: usize>(v: V<D>) -> Whole<D> {
    v.0.map(|x| x.into_parts().0)
}

fn dot<const D: usize>(u: &Whole<D>, v: &Whole<D>) -> IBig {
    let mut sum = &u[0] * &v[0];
    for (x, y) in u.iter().zip(v).skip(1) {
        sum += x * y;
    }
    sum
}

fn difference<const D: usize>(u: &Whole<D>, v: &Whole<D>) -> Whole<D> {
    std::array::from_fn(|i| &u[i] - &v[i])
}

fn is_zero<const D: usize>(v: &Whole<D>) -> bool {
    v.iter().all(IBig::is_zero)
}

#[cfg(test)]
mod tests;
