//! The box of least volume around points.
use crate::Error;
use crate::d3::Obb;
use carom_math::{Real, Vec3};

/// Stub.
pub fn minimum_box<T: Real>(points: &[Vec3<T>]) -> Result<Obb<T>, Error> {
    Obb::from_principal_axes(points)
}
