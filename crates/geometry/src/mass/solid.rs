//! What the kernels compute: mass, centre and inertia in numbers that cannot overflow.

use super::unbounded::{Unbounded, unbounded};
use super::{MassProperties, Space};
use crate::Error;
use carom_math::{Mat3, Real, Vec3, Vector};

/// The entries xx, yy, zz, yz, zx, xy of an inertia tensor; in the plane, the first is the moment of
/// inertia and the others are zero.
pub(crate) type Entries = [Unbounded; 6];

/// Mass, centre and inertia about the centre; of density 1 until [`Solid::with_density`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    pub(crate) mass: Unbounded,
    /// z is zero in the plane.
    pub(crate) center: Vec3<Unbounded>,
    pub(crate) inertia: Entries,
}

impl Solid {
    /// A solid without mass.
    pub(crate) fn massless(center: Vec3<Unbounded>) -> Self {
        Solid { mass: Unbounded::ZERO, center, inertia: [Unbounded::ZERO; 6] }
    }

    /// A thin thing: no mass, its centre the mean of the points.
    pub(crate) fn thin<V: Vector<Scalar = f64>>(points: &[V]) -> Self {
        let sum = points.iter().fold(unbounded(Vec3::ZERO), |sum, &point| sum + in_space(point));
        Solid::massless(sum / Unbounded::from(points.len() as f64))
    }

    /// A disc of the plane or another solid with a single moment.
    pub(crate) fn flat(mass: Unbounded, center: Vec3<Unbounded>, moment: Unbounded) -> Self {
        let mut solid = Solid { mass, center, ..Solid::massless(center) };
        solid.inertia[0] = moment;
        solid
    }

    /// A solid whose principal axes are those of its frame.
    pub(crate) fn aligned(mass: Unbounded, center: Vec3<Unbounded>, moments: [Unbounded; 3]) -> Self {
        let ([x, y, z], zero) = (moments, Unbounded::ZERO);
        Solid { mass, center, inertia: [x, y, z, zero, zero, zero] }
    }

    pub(crate) fn with_density(self, density: f64) -> Self {
        let scaled = |x: Unbounded| x * density;
        Solid { mass: scaled(self.mass), center: self.center, inertia: self.inertia.map(scaled) }
    }

    /// Rounds to the number type of the caller.
    pub(crate) fn narrow<V: Space>(&self) -> Result<MassProperties<V>, Error> {
        let narrow = |what: &'static str, value: Unbounded| {
            let narrow = V::Scalar::from_f64(value.to_f64());
            // Adding zero turns −0 into 0.
            if narrow.finite() {
                Ok(narrow + V::Scalar::ZERO)
            } else {
                Err(Error::Overflow { what, number: V::Scalar::NAME })
            }
        };
        let mut inertia = [V::Scalar::ZERO; 6];
        for (entry, value) in inertia.iter_mut().zip(self.inertia) {
            *entry = narrow("the inertia", value)?;
        }
        let mut center = V::ZERO;
        for (axis, value) in
            [self.center.x, self.center.y, self.center.z].into_iter().enumerate().take(V::DIM)
        {
            center = center.with(axis, narrow("the centre", value)?);
        }
        Ok(MassProperties { mass: narrow("the mass", self.mass)?, center, inertia: V::inertia(inertia) })
    }

    /// The solid turned about the origin of its frame, by the columns of a rotation: R·I·Rᵀ.
    pub(crate) fn rotated(&self, rotation: Mat3<f64>, dimension: usize) -> Self {
        let rotation = Mat3 { columns: rotation.columns.map(unbounded) };
        let center = rotation * self.center;
        if dimension == 2 {
            return Solid { center, ..*self };
        }
        let [a, b, c] = (rotation * matrix(self.inertia) * rotation.transposed()).columns;
        Solid { center, inertia: [a.x, b.y, c.z, b.z, a.z, a.y], ..*self }
    }

    /// The solid somewhere else.
    pub(crate) fn moved<V: Vector<Scalar = f64>>(&self, by: V) -> Self {
        Solid { center: self.center + in_space(by), ..*self }
    }

    /// The sum of several solids, by the parallel axis theorem.
    pub(crate) fn merged(parts: &[Solid], dimension: usize) -> Self {
        let zero = Unbounded::ZERO;
        let mass = parts.iter().fold(zero, |sum, part| sum + part.mass);
        // Relative to one of the centres, so that nothing cancels far from the origin.
        let origin = parts.first().map_or(unbounded(Vec3::ZERO), |part| part.center);
        let weight = |part: &Solid| if mass == zero { Unbounded::from(1.0) } else { part.mass };
        let total = parts.iter().fold(zero, |sum, part| sum + weight(part));
        let moment =
            parts.iter().fold(unbounded(Vec3::ZERO), |sum, part| sum + (part.center - origin) * weight(part));
        let offset = moment / total;
        let mut inertia = [zero; 6];
        for part in parts {
            let arm = turning(part.center - origin - offset, dimension);
            for (sum, (own, arm)) in inertia.iter_mut().zip(part.inertia.into_iter().zip(arm)) {
                *sum = *sum + own + arm * part.mass;
            }
        }
        Solid { mass, center: origin + offset, inertia }
    }
}

/// The inertia of a unit mass at `arm` from the axis: |arm|²·1 − arm·armᵀ; in the plane |arm|².
pub(crate) fn turning(arm: Vec3<Unbounded>, dimension: usize) -> Entries {
    let Vec3 { x, y, z } = arm;
    let (xx, yy, zz) = (x.squared(), y.squared(), z.squared());
    if dimension == 2 {
        return Solid::flat(Unbounded::ZERO, arm, xx + yy).inertia;
    }
    [yy + zz, zz + xx, xx + yy, -(y * z), -(z * x), -(x * y)]
}

fn matrix([xx, yy, zz, yz, zx, xy]: Entries) -> Mat3<Unbounded> {
    Mat3 { columns: [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)] }
}

/// A point of the plane or of space, in space.
pub(crate) fn in_space<V: Vector<Scalar = f64>>(v: V) -> Vec3<Unbounded> {
    unbounded(Vec3::from_fn(|axis| if axis < V::DIM { v.get(axis) } else { 0.0 }))
}
