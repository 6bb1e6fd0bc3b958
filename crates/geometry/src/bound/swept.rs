//! Boxes and balls around everything that a shape passes through in a rigid motion.
//!
//! Take the boxes at some times tᵢ, and a point of the shape on its way between two of them. Along each axis e its
//! coordinate has a second derivative of at most K = |ω|·|e×ω|·(its distance from the axis of rotation), so it
//! exceeds what is larger at the ends by at most
//!
//! ```text
//! K·(tᵢ₊₁ − tᵢ)²/8
//! ```
//!
//! With eight intervals for each radian that is 1/512 of the distance from the axis. Also, whatever the turn, the
//! shape stays within its reach of where its centre is; for many turns that is the better box.

use super::directed::{sum_down, sum_up};
use super::{Aabb, BoundingBall};
use crate::Error;
use crate::motion::spin::Spin;
use carom_math::{Number, Real, Vector};

/// Intervals for each radian, and at most.
const INTERVALS_PER_RADIAN: f64 = 8.0;
const MAX_INTERVALS: f64 = 64.0;

/// A turning shape, in `f64`.
pub(crate) struct Sweep<V, S> {
    pub(crate) from: V,
    pub(crate) velocity: V,
    pub(crate) spin: S,
    /// No point without the radius is farther from the axis of rotation.
    pub(crate) arm: f64,
    /// No point, the radius included, is farther from the centre of rotation.
    pub(crate) reach: f64,
    /// The radius around the part that turns.
    pub(crate) radius: f64,
}

impl<V: Vector<Scalar = f64>, S: Spin<V>> Sweep<V, S> {
    /// The times at which the boxes are taken.
    fn intervals(&self) -> f64 {
        let wanted = self.spin.rate() * INTERVALS_PER_RADIAN;
        // A rotation of nearly nothing has one interval too; NaN does not occur, motions are finite.
        let mut count = 1.0;
        while count < wanted && count < MAX_INTERVALS {
            count += 1.0;
        }
        count
    }

    /// What the rounding of a place may amount to: of the angle, of sine and cosine, of a turned arm, of a sum.
    fn rounding(&self) -> f64 {
        let turned = (16.0 + 8.0 * self.spin.rate()) * self.reach;
        f64::EPSILON * (turned + 4.0 * (self.from.length() + self.velocity.length()))
    }

    /// The box of the motion, given the box at each time. Without rotation, the box at the start and the way are
    /// enough, and nothing is lost but the rounding of a sum.
    pub(crate) fn aabb(&self, at: impl Fn(f64) -> Aabb<V>) -> Aabb<V> {
        let start = at(0.0);
        if self.spin.rate() == 0.0 {
            let moved = Aabb {
                min: start.min.zip(self.velocity, |x, v| sum_down(x, v.min_of(0.0))),
                max: start.max.zip(self.velocity, |x, v| sum_up(x, v.max_of(0.0))),
            };
            return moved.merged(at(1.0));
        }
        if !(self.spin.rate() * self.reach).is_finite() {
            return Aabb::unbounded();
        }
        let count = self.intervals();
        let mut all = start;
        let mut index = 1.0;
        while index <= count {
            all = all.merged(at(index / count));
            index += 1.0;
        }
        let (rate, rounding) = (self.spin.rate(), self.rounding());
        let bulge = V::from_fn(|axis| {
            let across = self.spin.tilt(V::unit(axis)).length();
            (rate * across * self.arm) / (8.0 * count * count) * (1.0 + 16.0 * f64::EPSILON) + rounding
        });
        let sampled = Aabb { min: all.min.zip(-bulge, sum_down), max: all.max.zip(bulge, sum_up) };
        // All turns: across the axis by the arm, along it by the reach.
        let around = V::from_fn(|axis| {
            let across = (self.spin.tilt(V::unit(axis)).length() / rate).min_of(1.0);
            let along = (1.0 - across * across).max_of(0.0).sqrt();
            let turned = along * self.reach + across * self.arm + self.radius;
            turned.min_of(self.reach) * (1.0 + 16.0 * f64::EPSILON) + rounding
        });
        let to = self.from + self.velocity;
        let (low, high) = (self.from.min_by_axis(to), self.from.max_by_axis(to));
        let turned = Aabb { min: low.zip(-around, sum_down), max: high.zip(around, sum_up) };
        Aabb { min: sampled.min.max_by_axis(turned.min), max: sampled.max.min_by_axis(turned.max) }
    }

    /// The smaller of two balls of the motion: that about the middle of the way, and that around the path of the
    /// centre of a ball around the shape (given by its place at each time, its arm and its radius).
    pub(crate) fn ball<W: Vector<Wide = V>>(
        &self,
        center_at: impl Fn(f64) -> V,
        arm: f64,
        radius: f64,
    ) -> Result<BoundingBall<W>, Error> {
        let rounding = self.rounding();
        let middle = self.from + self.velocity * 0.5;
        let around_middle = 0.5 * self.velocity.length() + self.reach;
        let count = self.intervals();
        let mut path = Aabb::empty();
        let mut index = 0.0;
        while index <= count {
            path = path.merged_with(center_at(index / count));
            index += 1.0;
        }
        let center = path.center();
        let mut farthest: f64 = 0.0;
        let mut index = 0.0;
        while index <= count {
            farthest = (center_at(index / count) - center).length().max_of(farthest);
            index += 1.0;
        }
        let rate = self.spin.rate();
        let around_path = farthest + rate * rate * arm / (8.0 * count * count) + radius;
        let (center, reach) =
            if around_path < around_middle { (center, around_path) } else { (middle, around_middle) };
        let narrow = W::narrow(center);
        let moved = (narrow.widen() - center).length();
        let reach = (reach + moved) * (1.0 + 16.0 * f64::EPSILON) + 4.0 * rounding;
        BoundingBall::new(narrow, W::Scalar::from_f64_up(reach))
            .map_err(|_| Error::Overflow { what: "the ball of the motion", number: W::Scalar::NAME })
    }
}

/// The functions `swept_aabb` and `swept_ball` of a dimension, over its own `largest_arm_of`.
macro_rules! swept_queries {
    ($vector:ident, $pose:ident, $motion:ident, $aabb_example:literal, $ball_example:literal) => {
        /// The box along the coordinate axes around everything that a shape passes through in a rigid motion.
        /// It contains the shape at all times in [0, 1], and is at most a few thousandths of the distance from
        /// the axis of rotation too large; without rotation it is exact up to rounding. Half-spaces that turn,
        /// and those that are not along the axes, have no bounds.
        ///
        /// # Errors
        /// When the motion is not finite.
        ///
        /// # Example
        /// ```
        #[doc = $aabb_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn swept_aabb<T: Real>(
            shape: &impl AsShape<T>,
            motion: $motion<T>,
        ) -> Result<Aabb<$vector<T>>, Error> {
            let wide = finite_motion("motion", motion)?;
            let shape = shape.as_shape().widen();
            if matches!(*shape, Shape::HalfSpace(_)) && wide.angular() != Default::default() {
                return Ok(Aabb::unbounded());
            }
            let sweep = sweep_of(&shape, wide);
            // What was asked about ends at the pose that was given, which may be an ulp beside the computed one.
            let end = shape.bounds(&Frame::new(motion.end()));
            let swept = sweep.aabb(|time| shape.bounds(&Frame::new(wide.at(time)))).merged(end);
            Ok(Aabb::narrowed_outward(swept))
        }

        /// A ball around everything that a shape passes through in a rigid motion: about the middle of its way,
        /// or around the path of the shape's middle, whichever is smaller.
        ///
        /// # Errors
        /// When the motion is not finite, the shape is a half-space, or the ball is too large for the number
        /// type.
        ///
        /// # Example
        /// ```
        #[doc = $ball_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn swept_ball<T: Real>(
            shape: &impl AsShape<T>,
            motion: $motion<T>,
        ) -> Result<BoundingBall<$vector<T>>, Error> {
            let wide = finite_motion("motion", motion)?;
            let kind = shape.as_shape().kind();
            let shape = shape.as_shape().widen();
            if matches!(*shape, Shape::HalfSpace(_)) {
                return Err(Error::UnsupportedShape { operation: "swept_ball", shape: kind });
            }
            let sweep = sweep_of(&shape, wide);
            let local = shape.bounds(&Frame::new($pose::<f64>::IDENTITY));
            let middle = local.center();
            let radius = Vector::length(local.max - middle).max_of(Vector::length(middle - local.min));
            let radius = match &*shape {
                Shape::Ball(ball) => ball.radius(),
                _ => radius * (1.0 + 4.0 * f64::EPSILON),
            };
            sweep.ball(|time| wide.at(time).point_to_world(middle), Vector::length(middle), radius)
        }

        fn sweep_of(shape: &Shape<f64>, motion: $motion<f64>) -> Sweep<$vector<f64>, Angular> {
            let (core, radius) = shape.unrounded();
            let radius = match shape {
                Shape::Ball(ball) => ball.radius(),
                Shape::Capsule(capsule) => capsule.radius(),
                _ => radius,
            };
            let looks_turned = !matches!(*core, Shape::Ball(_) | Shape::HalfSpace(_));
            let spin = if looks_turned { motion.angular() } else { Angular::default() };
            let local = shape.bounds(&Frame::new($pose::<f64>::IDENTITY));
            let corner = local.max.abs_by_axis().max_by_axis(local.min.abs_by_axis());
            let diagonal = Vector::length(corner) * (1.0 + 4.0 * f64::EPSILON);
            Sweep {
                from: motion.start().translation,
                velocity: motion.velocity(),
                spin,
                arm: if looks_turned {
                    largest_arm_of(&core, local_axis(motion.start(), spin.axis())).min_of(diagonal)
                } else {
                    0.0
                },
                reach: if let Shape::Ball(_) = *core { radius } else { diagonal },
                radius,
            }
        }
    };
}

pub(crate) use swept_queries;
