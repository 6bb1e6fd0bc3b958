//! Bounding discs and balls: quickly by Ritter's method, or the smallest one.

use crate::Error;
use crate::bound::directed::sum_up;
use crate::bound::distance::distance_up;
use crate::bound::{Aabb, check_points, minimum_ball, size_of};
use crate::error::{finite_vector, not_negative};
use crate::scale;
use carom_math::{Number, Real, Vector};

/// All points within `radius` of `center`.
///
/// A ball that was fitted to points contains each of them: |p − center|² <= radius² holds in exact
/// arithmetic for the returned numbers.
///
/// # Example
/// ```
/// use carom_geometry::d2::BoundingBall;
/// let points = [[0.0, 0.0], [4.0, 0.0], [2.0, 1.0]].map(Into::into);
/// let ball = BoundingBall::minimum(&points)?;
/// assert_eq!((ball.center().x, ball.center().y, ball.radius()), (2.0, 0.0, 2.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBall<V: Vector> {
    center: V,
    radius: V::Scalar,
}

impl<V: Vector> BoundingBall<V> {
    /// A ball from its centre and its radius, which may be zero.
    ///
    /// # Errors
    /// When a number is not finite, or the radius is negative.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// assert!(BoundingBall::new([0.0, 0.0], -1.0).is_err());
    /// assert_eq!(BoundingBall::new([0.0, 3.0], 2.0)?.aabb().max.y, 5.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn new(center: impl Into<V>, radius: V::Scalar) -> Result<Self, Error> {
        Ok(BoundingBall {
            center: finite_vector("center", center.into())?,
            radius: not_negative("radius", radius)?,
        })
    }

    /// A ball around the points in linear time, usually some per cent larger than the smallest.
    ///
    /// After Ritter (1990), in three sweeps: p₁ is the point farthest from the first point, p₂ the one
    /// farthest from p₁; start with the ball on the diameter p₁p₂; for each point p outside, at a
    /// distance d > r from the centre c, take the smallest ball around the current one and p:
    ///
    /// ```text
    /// r′ = (r + d)/2,   c′ = c + (r′ − r)/d · (p − c)
    /// ```
    ///
    /// The radius that is returned is the distance from the final centre to the farthest point, which
    /// is at most Ritter's. The order of the points matters; ties go to the lower index.
    ///
    /// # Errors
    /// When there is no point, a coordinate is not finite, or the ball overflows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0]].map(Into::into);
    /// let ball = BoundingBall::ritter(&points)?;
    /// assert!(points.iter().all(|p| ball.contains_point(*p)));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn ritter(points: &[V]) -> Result<Self, Error> {
        Self::ritter_best_of(points, 1)
    }

    /// The smallest of several balls of Ritter's method, each from another start: the points with the
    /// indices 0, n/starts, 2n/starts, … Ties go to the earlier start. At least one start and at most
    /// one for each point is tried.
    ///
    /// # Errors
    /// As for [`ritter`](Self::ritter).
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.5], [0.5, -0.5]].map(Into::into);
    /// let (one, four) = (BoundingBall::ritter(&points)?, BoundingBall::ritter_best_of(&points, 4)?);
    /// assert!(four.radius() <= one.radius());
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn ritter_best_of(points: &[V], starts: usize) -> Result<Self, Error> {
        Self::fit(points, |local| {
            let starts = starts.clamp(1, local.len().max(1));
            let mut best: Option<(V::Wide, f64)> = None;
            for k in 0..starts {
                // At most 2^64 points times starts: in u128 nothing overflows.
                let start = (k as u128 * local.len() as u128 / starts as u128) as usize;
                let center = ritter_center(local, start);
                let reach = local.iter().fold(0.0, |far: f64, p| (*p - center).length_squared().max_of(far));
                if best.is_none_or(|(_, smallest)| reach < smallest) {
                    best = Some((center, reach));
                }
            }
            best.map_or(V::Wide::ZERO, |(center, _)| center)
        })
    }

    /// The smallest ball around the points; there is exactly one.
    ///
    /// Welzl's method with the points moved to the front and pivots chosen by Gärtner (1999), in `f64`,
    /// then polished with doubled precision; expected linear time. The radius exceeds the true one by a
    /// few ulp of the radius and of the centre's coordinates at most.
    ///
    /// # Errors
    /// When there is no point, a coordinate is not finite, or the ball overflows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::BoundingBall;
    /// // The corners of a cube: half the diagonal.
    /// let cube: Vec<_> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
    /// let ball = BoundingBall::minimum(&cube)?;
    /// assert_eq!((ball.center().x, ball.center().y, ball.center().z), (0.5, 0.5, 0.5));
    /// assert!((ball.radius() - 0.75_f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn minimum(points: &[V]) -> Result<Self, Error> {
        Self::fit(points, minimum_ball::center)
    }

    /// The centre.
    #[must_use]
    pub fn center(&self) -> V {
        self.center
    }

    /// The radius.
    #[must_use]
    pub fn radius(&self) -> V::Scalar {
        self.radius
    }

    /// Whether the point lies inside or on the surface. Points within rounding error of the surface
    /// count as inside, so the points that a ball was fitted to always do.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// let ball = BoundingBall::new([0.0, 0.0], 5.0)?;
    /// assert!(ball.contains_point([3.0, 4.0]) && !ball.contains_point([3.0, 4.5]));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn contains_point(&self, point: impl Into<V>) -> bool {
        let away = point.into().widen() - self.center.widen();
        // The length is accurate to 3 ulp.
        Vector::length(away) <= self.radius.to_f64() * (1.0 + 4.0 * f64::EPSILON)
    }

    /// Whether the balls have a point in common; touching counts.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// let (a, b) = (BoundingBall::new([0.0, 0.0], 1.0)?, BoundingBall::new([3.0, 0.0], 2.0)?);
    /// assert!(a.overlaps(b)); // they touch
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn overlaps(&self, other: Self) -> bool {
        let between = Vector::length(other.center.widen() - self.center.widen());
        between <= (self.radius.to_f64() + other.radius.to_f64()) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// The smallest ball around both, rounded outwards: one of them when it contains the other.
    ///
    /// # Errors
    /// When the ball overflows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::BoundingBall;
    /// let (a, b) = (BoundingBall::new([0.0, 0.0], 1.0)?, BoundingBall::new([4.0, 0.0], 1.0)?);
    /// let both = a.merged(b)?;
    /// assert_eq!((both.center().x, both.radius()), (2.0, 3.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn merged(&self, other: Self) -> Result<Self, Error> {
        let (a, b) = (self.center.widen(), other.center.widen());
        let (ra, rb) = (self.radius.to_f64(), other.radius.to_f64());
        let size = scale::largest([a.max_abs(), b.max_abs(), ra, rb]);
        // A sum of two lengths must not overflow.
        let factor = scale::rescaling(size).unwrap_or(1.0);
        let [a, b] = [a * factor, b * factor];
        let [ra, rb] = [ra * factor, rb * factor];
        let between = distance_up(a, b);
        if sum_up(between, rb) <= ra {
            return Ok(*self);
        }
        if sum_up(between, ra) <= rb {
            return Ok(other);
        }
        // The ends of the common diameter lie at −ra and between + rb on the line from a to b.
        let along =
            if between == 0.0 { 0.0 } else { (0.5 * ((between + rb) - ra) / between).clamp_to(0.0, 1.0) };
        let center = V::narrow((a + (b - a) * along) / factor);
        let at = center.widen() * factor;
        let radius = sum_up(distance_up(at, a), ra).max_of(sum_up(distance_up(at, b), rb));
        Self::finite(center, radius / factor)
    }

    /// The box along the coordinate axes around the ball, rounded outwards.
    #[must_use]
    pub fn aabb(&self) -> Aabb<V> {
        Aabb { min: self.center, max: self.center }.grown(self.radius)
    }

    /// The ball about the centre that `choose` finds. It sees the points relative to the middle of
    /// their box and at a scale where squares neither overflow nor underflow.
    fn fit(points: &[V], choose: impl FnOnce(&[V::Wide]) -> V::Wide) -> Result<Self, Error> {
        check_points(points)?;
        let mut wide: Vec<V::Wide> = points.iter().map(|p| p.widen()).collect();
        let factor = scale::rescaling(size_of(&wide)).unwrap_or(1.0);
        let mut lost = 0.0;
        for point in &mut wide {
            let scaled = *point * factor;
            if scaled / factor != *point {
                // Each coordinate is off by half of the smallest positive number at most.
                lost = f64::from_bits(4);
            }
            *point = scaled;
        }
        let middle = wide.iter().fold(Aabb::empty(), |all, p| all.merged_with(*p)).center();
        let local: Vec<V::Wide> = wide.iter().map(|p| *p - middle).collect();
        let center = V::narrow((choose(&local) + middle) / factor);
        let radius = minimum_ball::reach_up(&wide, center.widen() * factor);
        Self::finite(center, sum_up(radius, lost) / factor)
    }

    /// The ball, unless its numbers have overflowed.
    fn finite(center: V, radius: f64) -> Result<Self, Error> {
        Self::new(center, V::Scalar::from_f64_up(radius))
            .map_err(|_| Error::Overflow { what: "the ball", number: V::Scalar::NAME })
    }
}

/// Ritter's centre from the given start.
fn ritter_center<V: Vector<Scalar = f64>>(points: &[V], start: usize) -> V {
    let farthest = |from: V| {
        let mut best = (from, 0.0);
        for point in points {
            let distance = (*point - from).length_squared();
            if best.1 < distance {
                best = (*point, distance);
            }
        }
        best.0
    };
    let first = farthest(points.get(start).copied().unwrap_or(V::ZERO));
    let second = farthest(first);
    let mut center = first + (second - first) * 0.5;
    let mut radius = (second - first).length_squared().sqrt() * 0.5;
    for point in points {
        let away = *point - center;
        let distance = away.length_squared().sqrt();
        if radius < distance {
            let grown = (radius + distance) * 0.5;
            center += away * ((grown - radius) / distance);
            radius = grown;
        }
    }
    center
}
