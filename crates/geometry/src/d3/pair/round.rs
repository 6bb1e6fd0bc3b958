//! The lowest points of cylinders and cones: their support against a half-space.

use crate::d3::shape::{Cone, Cylinder};
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Vec3, Vector};

/// The radial unit direction of a vector about the y axis; the first axis for one along y.
pub(crate) fn radial(v: Vec3<f64>) -> Vec3<f64> {
    Vec3::new(v.x, 0.0, v.z).normalized().unwrap_or(Vec3::unit(0))
}

/// A point of the cylinder that is lowest along `normal`: on the rim of the lower cap, or its centre
/// when the axis is along the normal; on the upper cap when both are equally low.
pub(super) fn lowest_of_cylinder(
    can: &Cylinder<f64>,
    place: &Relative<Vec3<f64>, Mat3<f64>>,
    normal: Vec3<f64>,
) -> Vec3<f64> {
    let up = place.rotation.undo(normal);
    let half_height = if 0.0 < up.y { -can.half_height() } else { can.half_height() };
    place.point(rim(up, can.radius(), half_height))
}

/// A point of the cone that is lowest along `normal`: the tip, or on the rim of the base; the tip when
/// both are equally low.
pub(super) fn lowest_of_cone(
    cone: &Cone<f64>,
    place: &Relative<Vec3<f64>, Mat3<f64>>,
    normal: Vec3<f64>,
) -> Vec3<f64> {
    let up = place.rotation.undo(normal);
    let tip = Vec3::new(0.0, cone.half_height(), 0.0);
    let base = rim(up, cone.radius(), -cone.half_height());
    place.point(if up.dot(base) < up.dot(tip) { base } else { tip })
}

fn rim(up: Vec3<f64>, radius: f64, height: f64) -> Vec3<f64> {
    let center = Vec3::new(0.0, height, 0.0);
    if up.x == 0.0 && up.z == 0.0 { center } else { center - radial(up) * radius }
}
