//! First touch under translation: rays, moving balls, moving polytopes.
//!
//! Up to time t, a convex set moving with constant velocity covers the hull of its start and its
//! place at t. So "has it touched by t" is a question about two fixed convex sets, answered
//! exactly, and it is monotone in t. The first time of touch is then found between two neighbouring
//! `f64` by bisection over the representable numbers, with no root finding, no tolerance and no
//! difficulty with grazing contact. To check a time that an engine returned, two such questions
//! are enough ([`Touch::is_first_touch`]).

use crate::curved::Revolved;
use crate::polytope::Convex;
use crate::rational::{ExactPoint, Rational, V, exact, square};

/// A motion towards a target. Touching counts.
pub trait Touch {
    /// Whether the motion has touched the target at some time in [0, t].
    fn has_touched_by(&self, t: &Rational) -> bool;

    /// The first touch at a time in [0, t_max]. The end of the interval is included.
    fn first_touch(&self, t_max: f64) -> FirstTouch {
        if self.has_touched_by(&Rational::ZERO) {
            return FirstTouch::AtStart;
        }
        if t_max <= 0.0 || !self.has_touched_by(&exact(t_max)) {
            return FirstTouch::Never;
        }
        // The bit patterns of positive floats are in the order of the floats.
        let (mut before, mut after) = (0u64, t_max.to_bits());
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            if self.has_touched_by(&exact(f64::from_bits(middle))) {
                after = middle;
            } else {
                before = middle;
            }
        }
        FirstTouch::Between(f64::from_bits(before), f64::from_bits(after))
    }

    /// Whether the first time of touch lies within `tolerance` of `t`: there is a touch by
    /// t + tolerance, and none before t − tolerance (one at that very time is accepted only if it
    /// is the start).
    fn is_first_touch(&self, t: f64, tolerance: f64) -> bool {
        let early = exact(t) - exact(tolerance);
        let late = exact(t) + exact(tolerance);
        late >= Rational::ZERO
            && self.has_touched_by(&late)
            && (early <= Rational::ZERO || !self.has_touched_by(&early))
    }
}

/// When a motion touches first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstTouch {
    /// At time zero already.
    AtStart,
    /// After the first and not after the second time, two neighbouring `f64`.
    Between(f64, f64),
    /// Not up to the time that was asked for.
    Never,
}

/// A convex set that moves with constant velocity towards another, with radii around both.
///
/// A ray is a moving point; a moving ball is a moving point with a radius; a target ball is a point
/// with a radius, a target capsule a segment with one; planes and half-spaces are unbounded sets.
#[derive(Clone, Debug)]
pub struct Cast<const D: usize> {
    moving: Convex<D>,
    velocity: V<D>,
    target: Convex<D>,
    radius: Rational,
}

impl<const D: usize> Cast<D> {
    /// A moving set without radii.
    pub fn new(moving: Convex<D>, velocity: &impl ExactPoint<D>, target: Convex<D>) -> Self {
        let velocity = velocity.to_exact();
        Cast { moving, velocity, target, radius: Rational::ZERO }
    }

    /// A moving point.
    ///
    /// ```
    /// use carom_oracle::motion::{Cast, FirstTouch, Touch};
    /// use carom_oracle::polytope::Convex;
    /// let ball = Convex::hull(&[[5.0, 0.0]]);
    /// let ray = Cast::ray(&[0.0, 0.0], &[2.0, 0.0], ball).with_radius(1.0);
    /// assert_eq!(ray.first_touch(10.0), FirstTouch::Between(2f64.next_down(), 2.0));
    /// assert!(ray.is_first_touch(2.0, 1e-300));
    /// ```
    pub fn ray(origin: &impl ExactPoint<D>, direction: &impl ExactPoint<D>, target: Convex<D>) -> Self {
        Self::new(Convex::hull(&[origin.to_exact()]), direction, target)
    }

    /// Adds a radius around the moving set or around the target: only the sum matters.
    pub fn with_radius(mut self, radius: f64) -> Self {
        self.radius += exact(radius);
        self
    }
}

impl<const D: usize> Touch for Cast<D> {
    fn has_touched_by(&self, t: &Rational) -> bool {
        let path = self.moving.swept(&self.velocity.scaled(t));
        if self.radius.is_zero() {
            path.overlaps(&self.target)
        } else {
            path.distance_squared(&self.target) <= square(&self.radius)
        }
    }
}

/// A ray against a cylinder or cone, in the frame of the body.
#[derive(Clone, Debug)]
pub struct RevolvedRay {
    origin: V<3>,
    direction: V<3>,
    body: Revolved,
}

impl RevolvedRay {
    /// The ray {origin + t·direction, t >= 0}.
    ///
    /// ```
    /// use carom_oracle::curved::Revolved;
    /// use carom_oracle::motion::{FirstTouch, RevolvedRay, Touch};
    /// let body = Revolved::Cylinder { half_height: 1.0, radius: 2.0 };
    /// let ray = RevolvedRay::new(&[-5.0, 0.5, 0.0], &[1.0, 0.0, 0.0], body);
    /// assert_eq!(ray.first_touch(9.0), FirstTouch::Between(3f64.next_down(), 3.0));
    /// ```
    pub fn new(origin: &impl ExactPoint<3>, direction: &impl ExactPoint<3>, body: Revolved) -> Self {
        RevolvedRay { origin: origin.to_exact(), direction: direction.to_exact(), body }
    }
}

impl Touch for RevolvedRay {
    fn has_touched_by(&self, t: &Rational) -> bool {
        let end = &self.origin + &self.direction.scaled(t);
        self.body.meets_segment(&self.origin, &end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rng, box_corners, direction, lattice_point};

    fn just(t: f64) -> FirstTouch {
        FirstTouch::Between(t.next_down(), t)
    }

    fn origin<const D: usize>() -> Convex<D> {
        Convex::hull(&[[0.0; D]])
    }

    #[test]
    fn rays_by_hand() {
        let cube = || Convex::hull(&box_corners([1.0; 3]));
        let ray = |o, d| Cast::ray(&o, &d, cube());
        assert_eq!(ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).first_touch(9.0), just(2.0));
        assert_eq!(ray([-3.0, 1.0, 1.0], [1.0, 0.0, 0.0]).first_touch(9.0), just(2.0));
        let above = 1f64.next_up();
        let miss = ray([-3.0, above, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(miss.first_touch(9.0), FirstTouch::Never);
        assert_eq!(ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).first_touch(2.0), just(2.0));
        let short = ray([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).first_touch(2f64.next_down());
        assert_eq!(short, FirstTouch::Never);
        let inside = ray([0.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
        assert_eq!(inside.first_touch(9.0), FirstTouch::AtStart);
        let triangle = Convex::hull(&[[0.0, 0.0, 1.0], [2.0, 0.0, 1.0], [0.0, 2.0, 1.0]]);
        let through_edge = Cast::ray(&[1.0, 1.0, 0.0], &[0.0, 0.0, 4.0], triangle);
        assert_eq!(through_edge.first_touch(9.0), just(0.25));
    }

    #[test]
    fn moving_balls_by_hand() {
        // Onto a floor from height 5 with radius 1 at speed 2.
        let floor = origin::<3>().extended_both_ways(&[1.0, 0.0, 0.0]).extended_both_ways(&[0.0, 0.0, 1.0]);
        let fall = Cast::ray(&[0.0, 5.0, 0.0], &[0.5, -2.0, 0.0], floor).with_radius(1.0);
        assert_eq!(fall.first_touch(9.0), just(2.0));
        // Two balls, offset 3 across, radii 2 + 3: contact 4 before the centres pass.
        let pass = Cast::ray(&[-10.0, 3.0], &[1.0, 0.0], origin()).with_radius(2.0).with_radius(3.0);
        assert_eq!(pass.first_touch(100.0), just(6.0));
        // Grazing exactly, and missing by one step.
        let graze = Cast::ray(&[-10.0, 5.0], &[1.0, 0.0], origin());
        assert_eq!(graze.clone().with_radius(5.0).first_touch(100.0), just(10.0));
        let miss = graze.with_radius(5f64.next_down());
        assert_eq!(miss.first_touch(100.0), FirstTouch::Never);
        // Against the rim of a capsule: √2 is irrational.
        let rod = Convex::hull(&[[0.0, -1.0], [0.0, 1.0]]);
        let oblique = Cast::ray(&[-5.0, 2.0], &[1.0, 0.0], rod).with_radius(2.0);
        let FirstTouch::Between(lo, hi) = oblique.first_touch(9.0) else {
            panic!("they touch");
        };
        assert!(lo.next_up() == hi && (lo - (5.0 - 3f64.sqrt())).abs() < 1e-15);
        assert!(oblique.is_first_touch(lo, 1e-15) && !oblique.is_first_touch(lo + 1e-14, 5e-15));
    }

    #[test]
    fn moving_polytopes_by_hand() {
        let cube = || Convex::hull(&box_corners([1.0; 3]));
        let cast = Cast::new(cube().translated(&[-4.0, 0.5, 0.0]), &[1.0, 0.0, 0.0], cube());
        assert_eq!(cast.first_touch(9.0), just(2.0));
        let past = Cast::new(cube().translated(&[-4.0, 2.5, 0.0]), &[1.0, 0.0, 0.0], cube());
        assert_eq!(past.first_touch(9.0), FirstTouch::Never);
    }

    #[test]
    fn cylinder_rays_agree_with_their_boxes_and_balls() {
        // Along the axis a cylinder is its box; across it at height 0 it is a disc.
        let body = Revolved::Cylinder { half_height: 1.0, radius: 1.0 };
        let mut rng = Rng::new(41);
        for _ in 0..20 {
            let [x, z]: [f64; 2] = lattice_point(&mut rng);
            let [u, w]: [f64; 2] = direction(&mut rng);
            let ray = RevolvedRay::new(&[x * 4.0, 0.0, z], &[u, 0.0, w], body);
            let disc = Cast::ray(&[x * 4.0, z], &[u, w], origin()).with_radius(1.0);
            assert_eq!(ray.first_touch(50.0), disc.first_touch(50.0));
        }
        let down = RevolvedRay::new(&[0.5, 4.0, 0.5], &[0.0, -1.0, 0.0], body);
        assert_eq!(down.first_touch(9.0), just(3.0));
        // Cone, half height 1, radius 1: at x = ½ the slant is at y = 0.
        let cone = Revolved::Cone { half_height: 1.0, radius: 1.0 };
        let down = RevolvedRay::new(&[0.5, 4.0, 0.0], &[0.0, -1.0, 0.0], cone);
        assert_eq!(down.first_touch(9.0), just(4.0));
    }
}
