//! Rigid motions over the unit interval of time.
//!
//! The translation is interpolated linearly; the rotation turns at constant angular velocity about
//! the local origin, along the shorter arc when only the end poses are given.

use crate::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};

/// A rigid motion of the plane over t in [0, 1].
///
/// # Example
/// ```
/// use carom_math::{Motion2, Pose2};
/// let motion = Motion2::from_velocity(Pose2::at([0.0, 0.0]), [4.0, 0.0], 1.0);
/// assert_eq!(motion.at(0.5).translation.x, 2.0);
/// assert_eq!(motion.at(0.5).rotation.angle(), 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Motion2<T> {
    from: Pose2<T>,
    /// Where it ends, if that was given: what nobody asks for is not computed.
    to: Option<Pose2<T>>,
    velocity: Vec2<T>,
    angular: T,
}

/// A rigid motion of space over t in [0, 1].
///
/// # Example
/// ```
/// use carom_math::{Motion3, Pose3, Quat};
/// let motion = Motion3::between(Pose3::IDENTITY, Pose3::at([4.0, 0.0, 0.0]));
/// assert_eq!(motion.at(0.25), Pose3::at([1.0, 0.0, 0.0]));
/// assert_eq!(motion.at(1.0), Pose3::at([4.0, 0.0, 0.0]));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Motion3<T> {
    from: Pose3<T>,
    /// Where it ends, if that was given: what nobody asks for is not computed.
    to: Option<Pose3<T>>,
    velocity: Vec3<T>,
    angular: Vec3<T>,
}

impl<T: Real> Motion2<T> {
    /// The motion from one pose to another, along the shorter arc.
    #[must_use]
    pub fn between(from: Pose2<T>, to: Pose2<T>) -> Self {
        let angular = (from.rotation.inverse() * to.rotation).angle();
        Motion2 { from, to: Some(to), velocity: to.translation - from.translation, angular }
    }
    /// The motion that starts at a pose with the given displacement and turn (radians,
    /// counter-clockwise, more than a full turn allowed) per unit of time.
    #[must_use]
    pub fn from_velocity(from: Pose2<T>, velocity: impl Into<Vec2<T>>, angular: T) -> Self {
        Motion2 { from, to: None, velocity: velocity.into(), angular }
    }
    /// The turn per unit of time, in radians, counter-clockwise.
    #[must_use]
    pub fn angular(self) -> T {
        self.angular
    }
    fn turn(self, time: T) -> Rot2<T> {
        Rot2::from_angle(self.angular * time)
    }
    fn turns_finitely(self) -> bool {
        self.angular.finite()
    }
}

impl<T: Real> Motion3<T> {
    /// The motion from one pose to another, along the shorter arc.
    #[must_use]
    pub fn between(from: Pose3<T>, to: Pose3<T>) -> Self {
        let angular = (to.rotation * from.rotation.inverse()).rotation_vector();
        Motion3 { from, to: Some(to), velocity: to.translation - from.translation, angular }
    }
    /// The motion that starts at a pose with the given displacement and rotation vector (world
    /// frame, radians, more than a full turn allowed) per unit of time.
    #[must_use]
    pub fn from_velocity(from: Pose3<T>, velocity: impl Into<Vec3<T>>, angular: impl Into<Vec3<T>>) -> Self {
        Motion3 { from, to: None, velocity: velocity.into(), angular: angular.into() }
    }
    /// The rotation vector per unit of time, in the world frame.
    #[must_use]
    pub fn angular(self) -> Vec3<T> {
        self.angular
    }
    fn turn(self, time: T) -> Quat<T> {
        Quat::from_rotation_vector(self.angular * time)
    }
    fn turns_finitely(self) -> bool {
        // Components may be in range where the angle is not.
        Vector::length(self.angular).finite()
    }
}

macro_rules! shared_by_motions {
    ($motion:ident, $pose:ident, $vector:ident, $widen:path) => {
        impl<T: Real> $motion<T> {
            /// The pose at time 0.
            #[must_use]
            pub fn start(self) -> $pose<T> {
                self.from
            }
            /// The pose at time 1.
            #[must_use]
            pub fn end(self) -> $pose<T> {
                self.at(T::ONE)
            }
            /// The displacement per unit of time.
            #[must_use]
            pub fn velocity(self) -> $vector<T> {
                self.velocity
            }
            /// All numbers are finite, the velocities and the end too.
            #[must_use]
            pub fn finite(self) -> bool {
                let end = self.to.unwrap_or($pose::from(self.from.translation + self.velocity));
                self.from.finite() && end.finite() && self.velocity.finite() && self.turns_finitely()
            }
            /// The same motion in `f64`: from the same pose at the same velocities.
            #[must_use]
            pub fn widen(self) -> $motion<f64> {
                $motion::from_velocity(self.from.widen(), self.velocity.widen(), $widen(self.angular))
            }
            /// The pose at a time; exactly the end poses at 0 and 1.
            #[must_use]
            pub fn at(self, time: T) -> $pose<T> {
                if time == T::ONE
                    && let Some(to) = self.to
                {
                    return to;
                }
                $pose {
                    rotation: if time == T::ZERO {
                        self.from.rotation
                    } else {
                        self.turn(time) * self.from.rotation
                    },
                    translation: self.from.translation + self.velocity * time,
                }
            }
        }
    };
}

shared_by_motions!(Motion2, Pose2, Vec2, Real::to_f64);
shared_by_motions!(Motion3, Pose3, Vec3, Vector::widen);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_between_poses_meets_both_and_takes_the_shorter_arc() {
        let from = Pose3::new([1.0, 2.0, 3.0], Quat::from_axis_angle([0.0, 0.0, 1.0], 3.0).unwrap());
        let to = Pose3::new([-1.0, 0.0, 3.5], Quat::from_axis_angle([0.0, 0.0, 1.0], -3.0).unwrap());
        let motion = Motion3::between(from, to);
        assert_eq!((motion.at(0.0), motion.at(1.0)), (from, to));
        let expected: f64 = 2.0 * std::f64::consts::PI - 6.0;
        assert!(Vector::length(motion.angular() - Vec3::new(0.0, 0.0, expected)) < 1e-14);
        let planar =
            Motion2::between(Pose2::from(Rot2::from_angle(3.0)), Pose2::from(Rot2::from_angle(-3.0)));
        assert!((planar.angular() - expected).abs() < 1e-14);
        assert!((planar.at(0.5).rotation.angle().abs() - std::f64::consts::PI).abs() < 1e-14);
    }

    #[test]
    fn motion_by_velocity_may_turn_more_than_once() {
        let turns = 7.0;
        let motion = Motion2::<f64>::from_velocity(Pose2::IDENTITY, [0.0, 0.0], turns);
        assert!((motion.at(0.5).rotation.cos() - Rot2::from_angle(3.5).cos()).abs() < 1e-15);
        assert_eq!(motion.angular(), turns);
    }

    /// Sums of numbers may be out of range where they are not, and so may lengths.
    #[test]
    fn motions_with_an_infinite_end_are_not_finite() {
        let far = Pose3::<f32>::at([3e38, 0.0, 0.0]);
        let moved = |velocity: f32, angular: f32| Motion3::from_velocity(far, [velocity; 3], [angular; 3]);
        assert!(moved(1e38, 0.0).finite() == moved(1e38, 0.0).end().finite() && !moved(1e38, 0.0).finite());
        assert!(moved(-1e38, 1e38).finite() && moved(-1e38, 1e38).end().finite());
        assert!(!moved(-1e38, 3e38).finite() && !moved(-1e38, 3e38).end().finite());
        let far = Pose2::<f32>::at([3e38, 0.0]);
        assert!(!Motion2::from_velocity(far, [1e38, 0.0], 0.0).finite());
        assert!(Motion2::from_velocity(far, [0.0, 0.0], 3e38).finite());
    }

    /// The difference of two numbers may be out of range where they are not.
    #[test]
    fn motions_with_an_infinite_velocity_are_not_finite() {
        let ends = [-3e38_f32, 3e38];
        let [from, to] = ends.map(|x| Pose3::at([x, 0.0, 0.0]));
        assert!(from.finite() && to.finite() && !Motion3::between(from, to).finite());
        assert!(Motion3::between(from, Pose3::IDENTITY).finite());
        let [from, to] = ends.map(|x| Pose2::at([x, 0.0]));
        assert!(from.finite() && to.finite() && !Motion2::between(from, to).finite());
        assert!(Motion2::between(from, Pose2::IDENTITY).finite());
    }
}
