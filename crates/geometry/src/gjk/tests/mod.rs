//! The general kernels against exact answers and closed forms.
#![allow(clippy::disallowed_methods)] // the expected answers may use whatever the platform has

mod catalogue;
mod curved;
mod polytopes;
mod timing;
mod valleys;

use super::{Penetration, Proximity, Space, Support, distance, penetration};
use carom_math::{Vec2, Vec3};

/// Arrays, as the oracle wants them, to vectors.
pub(super) trait FromArray<const D: usize>: Space {
    fn from_array(array: [f64; D]) -> Self;
    fn to_array(self) -> [f64; D];
}

impl FromArray<2> for Vec2<f64> {
    fn from_array([x, y]: [f64; 2]) -> Self {
        Vec2::new(x, y)
    }
    fn to_array(self) -> [f64; 2] {
        [self.x, self.y]
    }
}

impl FromArray<3> for Vec3<f64> {
    fn from_array([x, y, z]: [f64; 3]) -> Self {
        Vec3::new(x, y, z)
    }
    fn to_array(self) -> [f64; 3] {
        [self.x, self.y, self.z]
    }
}

pub(super) fn vectors<V: FromArray<D>, const D: usize>(points: &[[f64; D]]) -> Vec<V> {
    points.iter().map(|&p| V::from_array(p)).collect()
}

/// The distance without a limit, from a cold start.
pub(super) fn apart<V: Space>(a: &impl Support<V>, b: &impl Support<V>) -> Proximity<V> {
    distance(a, b, None, f64::INFINITY, &mut ())
}

/// The depth, from where the distance query ended.
pub(super) fn deep<V: Space>(a: &impl Support<V>, b: &impl Support<V>) -> Penetration<V> {
    penetration(a, b, &apart(a, b).simplex, &mut ())
}
