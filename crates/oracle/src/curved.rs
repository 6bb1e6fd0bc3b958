//! Signed distances of curved shapes, enclosed between rationals that agree to 60 digits.
//!
//! Balls, capsules and rounded boxes are polytopes with a radius around them: the core is solved
//! exactly, one square root follows, and the radius is subtracted. Cylinders and cones are bodies
//! of revolution: the point is taken into the half-plane (ρ, y) with ρ² = x² + z², where the body
//! is a polygon mirrored at the axis. The signed distance to a convex body grows with ρ, so bounds
//! of ρ give bounds of the distance.
//!
//! Signed means: outside, the distance to the body; inside, minus the distance to its surface,
//! which is the depth of the shortest way out.

use crate::polytope::Convex;
use crate::rational::{
    ExactPoint, Rational, V, exact, f64_above, f64_below, magnitude, sqrt_enclosure, square, to_f64,
};

/// A real number between two rationals that are equal or very close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosure {
    /// Not above the number.
    pub lo: Rational,
    /// Not below the number.
    pub hi: Rational,
}

impl Enclosure {
    /// `f64` bounds of the number; neighbours, or equal, unless the number is within 10⁻⁶⁰ of one.
    pub fn bounds(&self) -> [f64; 2] {
        [f64_below(&self.lo), f64_above(&self.hi)]
    }

    /// How far a computed value can be from the number at most.
    pub fn error_of(&self, value: f64) -> f64 {
        let value = exact(value);
        let from_lo = magnitude(&(&value - &self.lo));
        let from_hi = magnitude(&(&value - &self.hi));
        to_f64(&from_lo.max(from_hi))
    }

    fn root_of(squared: &Rational) -> Self {
        let [lo, hi] = sqrt_enclosure(squared);
        Enclosure { lo, hi }
    }

    fn minus(&self, x: &Rational) -> Self {
        Enclosure { lo: &self.lo - x, hi: &self.hi - x }
    }

    fn negated(&self) -> Self {
        Enclosure { lo: -&self.hi, hi: -&self.lo }
    }
}

/// Signed separation of two polytopes with radii around them, the radii given by their sum: the
/// distance if they are apart, minus the penetration depth if they overlap.
///
/// A point with a radius is a ball, a segment with one a capsule, a box with one a rounded box. The
/// radius adds the same to the extent along every direction, so it just adds to the depth of the
/// cores; crossing segments in space have depth zero.
///
/// # Panics
/// If a set is unbounded and the cores overlap.
///
/// ```
/// use carom_oracle::curved::separation;
/// use carom_oracle::polytope::Convex;
/// let capsule = Convex::hull(&[[0.0, -1.0], [0.0, 1.0]]);
/// let ball = Convex::hull(&[[3.0, 5.0]]);
/// // √(3² + 4²) − (0.5 + 1.5)
/// assert_eq!(separation(&capsule, &ball, &[0.5, 1.5]).bounds(), [3.0, 3.0]);
/// ```
pub fn separation<const D: usize>(a: &Convex<D>, b: &Convex<D>, radii: &[f64]) -> Enclosure {
    let radius = radii.iter().fold(Rational::ZERO, |sum, &r| sum + exact(r));
    let squared = a.distance_squared(b);
    let of_cores = if squared.is_zero() {
        let depth_squared = a.depth_squared(b).unwrap_or_default();
        Enclosure::root_of(&depth_squared).negated()
    } else {
        Enclosure::root_of(&squared)
    };
    of_cores.minus(&radius)
}

/// Signed distance of a point to a polytope with a radius around it. See [`separation`].
pub fn point_distance<const D: usize>(
    core: &Convex<D>,
    radius: f64,
    point: &impl ExactPoint<D>,
) -> Enclosure {
    separation(core, &Convex::hull(&[point.to_exact()]), &[radius])
}

/// A body of revolution about the y axis, centred on the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Revolved {
    /// Flat ends at y = ±half_height.
    Cylinder {
        /// Half the length along the axis.
        half_height: f64,
        /// Radius everywhere.
        radius: f64,
    },
    /// Tip at y = +half_height, flat base at y = −half_height.
    Cone {
        /// Half the length along the axis.
        half_height: f64,
        /// Radius of the base.
        radius: f64,
    },
}

impl Revolved {
    /// The cut with a plane through the axis, in coordinates (ρ, y).
    pub fn profile(&self) -> Convex<2> {
        match *self {
            Revolved::Cylinder { half_height: h, radius: r } => {
                Convex::hull(&[[-r, -h], [r, -h], [r, h], [-r, h]])
            }
            Revolved::Cone { half_height: h, radius: r } => Convex::hull(&[[-r, -h], [r, -h], [0.0, h]]),
        }
    }

    /// Signed distance of a point, given in the frame of the body.
    ///
    /// ```
    /// use carom_oracle::curved::Revolved;
    /// let cylinder = Revolved::Cylinder { half_height: 1.0, radius: 2.0 };
    /// // ρ = 5, so 3 beyond the side; 4 above the end.
    /// assert_eq!(cylinder.point_distance(&[3.0, 5.0, 4.0]).bounds(), [5.0, 5.0]);
    /// assert_eq!(cylinder.point_distance(&[0.0, 0.25, 0.5]).bounds(), [-0.75, -0.75]);
    /// ```
    pub fn point_distance(&self, point: &impl ExactPoint<3>) -> Enclosure {
        let V([x, y, z]) = point.to_exact();
        let [rho_lo, rho_hi] = sqrt_enclosure(&(square(&x) + square(&z)));
        let profile = self.profile();
        let at = |rho: Rational| point_distance(&profile, 0.0, &V([rho, y.clone()]));
        Enclosure { lo: at(rho_lo).lo, hi: at(rho_hi).hi }
    }

    /// Whether the segment from `start` to `end`, in the frame of the body, has a common point with
    /// it. Exact: with p(s) = start + s·(end − start), the ends bound s by the height, and on that
    /// interval a quadratic polynomial (below) must be negative or zero somewhere.
    pub fn meets_segment(&self, start: &impl ExactPoint<3>, end: &impl ExactPoint<3>) -> bool {
        let start = start.to_exact();
        let along = &end.to_exact() - &start;
        let (half_height, radius) = match *self {
            Revolved::Cylinder { half_height, radius } | Revolved::Cone { half_height, radius } => {
                (exact(half_height), exact(radius))
            }
        };
        let Some([first, last]) = clip(&start.0[1], &along.0[1], &half_height) else {
            return false;
        };
        // Cylinder: ρ² − r² <= 0. Cone: 4h²ρ² − r²(h − y)² <= 0, because h − y >= 0 on the interval.
        let value = |s: &Rational| {
            let V([x, y, z]) = &start + &along.scaled(s);
            let rho_squared = square(&x) + square(&z);
            match self {
                Revolved::Cylinder { .. } => rho_squared - square(&radius),
                Revolved::Cone { .. } => {
                    Rational::from(4) * square(&half_height) * rho_squared
                        - square(&radius) * square(&(&half_height - y))
                }
            }
        };
        // q(s) = c + bs + as², from three values.
        let (zero, one) = (Rational::ZERO, Rational::ONE);
        let (c, q1, q_minus) = (value(&zero), value(&one), value(&-&one));
        let two = Rational::from(2);
        let a = (&q1 + &q_minus) / &two - &c;
        let b = (&q1 - &q_minus) / &two;
        let lowest =
            if a > zero { (-b / (two * a)).clamp(first.clone(), last.clone()) } else { first.clone() };
        [first, last, lowest].iter().any(|s| value(s) <= zero)
    }
}

/// The s in [0, 1] with −limit <= y + s·dy <= limit.
fn clip(y: &Rational, dy: &Rational, limit: &Rational) -> Option<[Rational; 2]> {
    if dy.is_zero() {
        return (magnitude(y) <= *limit).then_some([Rational::ZERO, Rational::ONE]);
    }
    let ends = [(-limit - y) / dy, (limit - y) / dy];
    let [low, high] = ends;
    let (low, high) = if low < high { (low, high) } else { (high, low) };
    let first = low.max(Rational::ZERO);
    let last = high.min(Rational::ONE);
    (first <= last).then_some([first, last])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rng, box_corners, length, point};

    #[test]
    fn rounded_polytopes_by_hand() {
        let rod = Convex::hull(&[[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(point_distance(&rod, 0.5, &[0.0, 0.5, 0.0]).bounds(), [-0.5, -0.5]);
        assert_eq!(point_distance(&rod, 0.5, &[2.0, 3.0, 1.0]).bounds(), [2.5, 2.5]);
        let cube = Convex::hull(&box_corners([1.0; 3]));
        assert_eq!(point_distance(&cube, 0.25, &[0.5, 0.0, 0.0]).bounds(), [-0.75, -0.75]);
        // Crossing rods of radius ½ and ¼: a move of ¾ across both frees them.
        let across = Convex::hull(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
        assert_eq!(separation(&rod, &across, &[0.5, 0.25]).bounds(), [-0.75, -0.75]);
        // An irrational distance: √2 − 1.
        let ball = Convex::hull(&[[1.0, 2.0, 0.0]]);
        let [lo, hi] = separation(&rod, &ball, &[1.0]).bounds();
        assert!(lo < hi && lo.next_up() == hi);
        assert!((lo - (2f64.sqrt() - 1.0)).abs() < 1e-15);
        let error = separation(&rod, &ball, &[1.0]).error_of(1.0);
        assert!((error - (2.0 - 2f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn cones_by_hand() {
        // Slope 3-4-5: half height 2, radius 3, slant 5; outward normal (4, 3)/5.
        let cone = Revolved::Cone { half_height: 2.0, radius: 3.0 };
        // Middle of the slant in the plane x, plus 5 along its normal.
        assert_eq!(cone.point_distance(&[1.5 + 4.0, 3.0, 0.0]).bounds(), [5.0, 5.0]);
        // Straight above the tip, below the base, beyond the rim.
        assert_eq!(cone.point_distance(&[0.0, 3.0, 0.0]).bounds(), [1.0, 1.0]);
        assert_eq!(cone.point_distance(&[1.0, -4.0, 1.0]).bounds(), [2.0, 2.0]);
        assert_eq!(cone.point_distance(&[0.0, -6.0, 6.0]).bounds(), [5.0, 5.0]);
        // On the axis at y = 0 the slant is 2·3/5 away, the base 2.
        assert!(cone.point_distance(&[0.0, 0.0, 0.0]).error_of(-1.2) < 1e-15);
    }

    #[test]
    fn segments_meet_what_they_enter() {
        let cylinder = Revolved::Cylinder { half_height: 1.0, radius: 2.0 };
        let cone = Revolved::Cone { half_height: 1.0, radius: 2.0 };
        // Grazing the side of the cylinder, and one step outside.
        assert!(cylinder.meets_segment(&[2.0, 0.0, -5.0], &[2.0, 0.0, 5.0]));
        let outside = 2f64.next_up();
        assert!(!cylinder.meets_segment(&[outside, 0.0, -5.0], &[outside, 0.0, 5.0]));
        // At height 0 the cone has radius 1.
        assert!(cone.meets_segment(&[1.0, 0.0, -5.0], &[1.0, 0.0, 5.0]));
        let outside = 1f64.next_up();
        assert!(!cone.meets_segment(&[outside, 0.0, -5.0], &[outside, 0.0, 5.0]));
        // The mirror image of the cone above the tip does not count.
        assert!(!cone.meets_segment(&[0.0, 1.5, -5.0], &[0.0, 1.5, 5.0]));
        assert!(cone.meets_segment(&[0.0, 1.0, -5.0], &[0.0, 1.0, 5.0]));
        // Along the axis, stopping short of the tip and reaching it.
        assert!(!cone.meets_segment(&[0.0, 3.0, 0.0], &[0.0, 1f64.next_up(), 0.0]));
        assert!(cone.meets_segment(&[0.0, 3.0, 0.0], &[0.0, 1.0, 0.0]));
    }

    #[test]
    fn points_and_segments_agree() {
        let mut rng = Rng::new(31);
        for _ in 0..100 {
            let (half_height, radius) = (length(&mut rng), length(&mut rng));
            let p: [f64; 3] = point(&mut rng);
            for solid in [Revolved::Cylinder { half_height, radius }, Revolved::Cone { half_height, radius }]
            {
                let distance = solid.point_distance(&p);
                assert!(distance.lo <= distance.hi);
                // A point is a segment of length zero.
                let inside = solid.meets_segment(&p, &p);
                assert!(if inside { distance.lo <= exact(0.0) } else { distance.hi > exact(0.0) });
            }
        }
    }
}
