//! The nearest point of a hull, where rounding leaves no doubt on which side of its faces a point is.
//!
//! A look in lanes finds the face that the point is least far below, or farthest above. From outside the foot on its plane is the
//! nearest point if it lies on the face, since all of the hull is behind the plane. Else it is on the edge of the face, if no vertex is
//! farther in the direction from there; and else GJK finds it. From inside it is on the plane that is nearest, one of a few
//! that the lanes leave.

use super::normal_of;
use crate::convex::general::nearest_of_flat;
use crate::d3::ConvexHull;
use crate::d3::solid::HullView;
use crate::gjk::Support;
use crate::pair::core::Flats;
use crate::pair::nearest::{Foot, Nearest};
use crate::sat::{Outer, Solid, members};
use crate::shape::Resize;
use carom_math::{Vec3, Vector};

/// Heights above a plane err by less than this part of all lengths: a dozen roundings.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The nearest point of the surface; `None` in doubt, and for a hull that is as good as flat.
pub(crate) fn clearly_nearest(hull: &ConvexHull<f64>, p: Vec3<f64>) -> Option<Nearest<Vec3<f64>>> {
    let view = hull.view();
    let size = p.max_abs() + Resize::size(&view);
    let error = ROUNDING * size;
    if view.dimension() < 3 || !view.has_faces() || view.inner_radius() <= error {
        return None;
    }
    let face = view.nearest_face(p - view.center());
    let (height, unit) = height_above(&view, face, p);
    if height < -error {
        return from_inside(&view, p, (error, height));
    }
    if height <= error {
        return None;
    }
    let foot = p - unit * height;
    if 0.0 <= view.room_on_face(face, foot) {
        return Some(Nearest { point: foot, distance: height, normal: unit });
    }
    let on_edge = foot_on_face(hull, face, p)?;
    let farthest = view.support(on_edge.offset).0;
    if on_edge.offset.dot(farthest - on_edge.point) <= error * on_edge.distance {
        return Some(on_edge.with_normal(size, || unit));
    }
    nearest_of_flat(&view, p)
}

/// How far a point is above the plane of a face, and the unit normal.
#[inline]
fn height_above(hull: &HullView<'_>, face: usize, p: Vec3<f64>) -> (f64, Vec3<f64>) {
    // Not by the unit normal: heights are exact where coordinates are on a lattice and the length of the normal is a whole number.
    let (normal, vertex) = hull.face(face);
    let length = Vector::length(normal);
    (normal.dot(p - vertex) / length, normal / length)
}

/// The nearest of the planes, the first of equals, given the height above one of the nearest.
fn from_inside(hull: &HullView<'_>, p: Vec3<f64>, (error, height): (f64, f64)) -> Option<Nearest<Vec3<f64>>> {
    let near = Outer::new(&[], hull.center(), error - height, p - hull.center(), 0.0);
    let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
    for face in members(&hull.faces_near(&near)) {
        let next = height_above(hull, face, p);
        best = if best.0 < next.0 { next } else { best };
    }
    let (height, unit) = best;
    let is_inside = f64::NEG_INFINITY < height && height < -error;
    is_inside.then(|| Nearest { point: p - unit * height, distance: height, normal: unit })
}

/// The nearest point of a face, cut into a fan.
fn foot_on_face(hull: &ConvexHull<f64>, face: usize, p: Vec3<f64>) -> Option<Foot<Vec3<f64>>> {
    let [first, rest @ ..] = hull.face(face) else { return None };
    let foot = |pair: &[u32]| {
        let corners = [*first, pair[0], pair[1]].map(|index| hull.vertex(index));
        Vec3::foot_on_triangle(corners, normal_of(corners), p)
    };
    rest.windows(2).map(foot).reduce(|best, next| if next.distance < best.distance { next } else { best })
}
