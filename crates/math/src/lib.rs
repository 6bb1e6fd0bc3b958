//! Numbers and space: what the rest of Carom computes with.
//!
//! - [`Real`] is `f32` or `f64`, [`Number`] also a row of SIMD [`Lanes`]; [`Vec2`], [`Vec3`],
//!   [`Mat2`] and [`Mat3`] work over any of them, [`Vector`] over both dimensions.
//! - [`Rot2`], [`Quat`], [`Pose2`], [`Pose3`], [`Motion2`] and [`Motion3`] place and move things.
//! - [`Interval`] is a range that can serve as a proof; [`symmetric_eigen3`] finds principal axes.
//! - [`double`] has error-free sums and products, and numbers of twice the precision.
//! - [`trig`] has sine, cosine and arc functions with the same bits on every target.
//!
//! Nothing here fuses a multiplication with an addition, estimates a reciprocal, or calls a
//! mathematical function of the platform: equal input gives equal bits everywhere.
//!
//! ```
//! use carom_math::{Pose3, Quat, Vec3};
//!
//! let quarter_turn = Quat::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2).unwrap();
//! let pose = Pose3::new([1.0, 0.0, 0.0], quarter_turn);
//! let tip = pose.point_to_world(Vec3::new(2.0, 0.0, 0.0));
//! assert!((tip.x - 1.0).abs() < 1e-15 && tip.y == 2.0);
//! ```

// Tests may measure with whatever they like; the code they test may not.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod convert;
pub mod double;
mod eigen;
mod interval;
mod lanes;
mod matrix;
mod motion;
mod number;
mod pose;
mod rotation;
pub mod trig;
mod vec2;
mod vec3;
mod vec_ops;
mod vector;

pub use convert::NotARotation;
pub use eigen::{symmetric_eigen2, symmetric_eigen3};
pub use interval::Interval;
pub use lanes::{Lanes, Level, prelude_simd};
pub use matrix::{Mat2, Mat3};
pub use motion::{Motion2, Motion3};
pub use number::{Number, Real};
pub use pose::{Pose2, Pose3};
pub use rotation::{Quat, Rot2};
pub use vec2::Vec2;
pub use vec3::Vec3;
pub use vector::Vector;

/// 2 to the power `exponent`, exactly; 0 or infinite when out of the range of `f64`.
///
/// # Example
/// ```
/// assert_eq!(carom_math::power_of_two(-3), 0.125);
/// assert_eq!(carom_math::power_of_two(-1074), f64::from_bits(1));
/// assert_eq!(carom_math::power_of_two(1024), f64::INFINITY);
/// ```
#[must_use]
#[inline]
pub const fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..1024 => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}
