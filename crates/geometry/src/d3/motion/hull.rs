//! Lines against convex hulls, and hulls inflated by a radius.
//!
//! A hull is what its faces have in common, so the line enters it through the plane that it passes last of
//! those that face it. That is computed in plain numbers with bounds on their errors, and when the bounds
//! leave hit, miss or side of the start open, the faces are asked one by one as triangles, whose edges are
//! watertight and exact ([`triangle_span`]).
//!
//! Hulls without volume are legal: a flat one is its polygon, a straight one a segment.

use super::triangle::{face_normal, triangle_span};
use crate::cast::query::Motion;
use crate::cast::quick::Quick;
use crate::cast::round::capsule_span;
use crate::cast::span::{Passage, Span};
use crate::d3::ConvexHull;
use crate::d3::solid::HullView;
use crate::gjk::Support;
use crate::manifold::feature::Kind;
use crate::sat::{Solid, members};
use crate::shape::Resize;
use carom_math::{Number, Vec3, Vector};

/// The part of the line in the hull.
pub(super) fn hull_span(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    hull: &ConvexHull<f64>,
) -> Option<Span<Vec3<f64>>> {
    match hull.dimension() {
        0 | 1 => capsule_span(origin, direction, ends(hull), 0.0).map(|span| span.named_edge(0, [0, 1])),
        2 => span_by_triangles(origin, direction, hull, 1),
        _ => {
            let count = hull.face_count();
            span_by_planes(origin, direction, &hull.view(), 0..hull.view().face_count())
                .unwrap_or_else(|| span_by_triangles(origin, direction, hull, count))
        }
    }
}

/// The first hit of a ray in plain numbers, where there is no doubt about it: of all faces, `f32` leaves two or three
/// to look at.
#[inline(never)]
pub(super) fn hull_hit(origin: Vec3<f64>, direction: Vec3<f64>, hull: &HullView<'_>) -> Quick<Vec3<f64>> {
    let faces = hull.faces_passed(origin, direction)?;
    let Some(Span { enter, exit }) = span_by_planes(origin, direction, hull, members(&faces))? else {
        return Some(None);
    };
    if exit.t < 0.0 {
        return Some(None);
    }
    // From inside there are other questions.
    (0.0 < enter.t).then_some(Some(enter))
}

/// The ends of a straight hull.
fn ends(hull: &ConvexHull<f64>) -> [Vec3<f64>; 2] {
    [hull.vertex(0), hull.vertex(hull.vertices().len() as u32 - 1)]
}

/// A parameter and a bound on its error.
#[derive(Clone, Copy)]
struct Estimate {
    t: f64,
    error: f64,
    face: usize,
}

/// How a line passes the plane of a face.
struct Crossing {
    t: f64,
    error: f64,
    /// normal·(anchor − origin) and normal·direction, and bounds on their errors.
    height: f64,
    speed: f64,
    height_error: f64,
    speed_error: f64,
}

#[inline(always)]
fn crossing(hull: &HullView<'_>, face: usize, origin: Vec3<f64>, direction: Vec3<f64>) -> Crossing {
    let (normal, anchor) = hull.face(face);
    let to = anchor - origin;
    let (height, speed) = (normal.dot(to), normal.dot(direction));
    // The normal is right to its last bits; three products, and the sums.
    let rounding = 32.0 * f64::EPSILON * normal.max_abs();
    let (height_error, speed_error) = (rounding * to.max_abs(), rounding * direction.max_abs());
    let t = height / speed;
    let error = 2.0 * (height_error + t.abs() * speed_error) / speed.abs() + f64::EPSILON * t.abs();
    Crossing { t, error, height, speed, height_error, speed_error }
}

fn passage(hull: &HullView<'_>, at: Estimate) -> Passage<Vec3<f64>> {
    Passage::new(at.t, hull.face(at.face).0).on(Kind::Face, at.face)
}

/// Times the bound on its error: a speed towards a plane up to this much says nothing about when that is passed.
const NEARLY_PARALLEL: f64 = 4096.0;

/// The span by the planes of the faces, of which those that cannot matter may be left out; `None` when rounding leaves
/// it open.
#[inline(always)]
fn span_by_planes(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    hull: &HullView<'_>,
    faces: impl Iterator<Item = usize> + Clone,
) -> Option<Option<Span<Vec3<f64>>>> {
    let mut enter = Estimate { t: f64::NEG_INFINITY, error: 0.0, face: 0 };
    let mut exit = Estimate { t: f64::INFINITY, error: 0.0, face: 0 };
    // The largest possible entry and the smallest possible exit, whichever faces they belong to.
    let (mut latest, mut earliest) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut has_parallel = false;
    for face in faces.clone() {
        let Crossing { t, error, height, speed, height_error, speed_error } =
            crossing(hull, face, origin, direction);
        if speed.abs() <= NEARLY_PARALLEL * speed_error {
            if speed == 0.0 && height_error < -height {
                return Some(None);
            }
            has_parallel = true;
            continue;
        }
        if speed < 0.0 {
            latest = latest.max_of(t + error);
            if enter.t < t {
                enter = Estimate { t, error, face };
            }
        } else {
            earliest = earliest.min_of(t - error);
            if t < exit.t {
                exit = Estimate { t, error, face };
            }
        }
    }
    if exit.t + exit.error < enter.t - enter.error {
        return Some(None);
    }
    if has_parallel {
        // Behind all these planes throughout, or outside of one, or too close to say.
        let farthest = exit.t.abs().max_of(enter.t.abs());
        let is_behind = |face: usize| {
            let at = crossing(hull, face, origin, direction);
            let drift = (at.speed.abs() + at.speed_error) * farthest;
            NEARLY_PARALLEL * at.speed_error < at.speed.abs() || at.height_error + drift < at.height
        };
        if !(farthest.is_finite() && faces.clone().all(is_behind)) {
            return None;
        }
    }
    // Clear of each other and of the start, and right to a few ulp of the scale: the bounds are that much too
    // wide.
    let scale = (origin.max_abs() + Resize::size(hull)) / direction.max_abs();
    let is_precise = enter.error.max_of(exit.error) <= 256.0 * f64::EPSILON * scale
        && latest - enter.t <= 256.0 * f64::EPSILON * scale
        && exit.t - earliest <= 256.0 * f64::EPSILON * scale;
    let is_clear = latest < earliest && enter.error < enter.t.abs() && exit.error < exit.t.abs();
    if is_clear && is_precise {
        return Some(Some(Span::new(passage(hull, enter), passage(hull, exit))));
    }
    None
}

fn hull_size(hull: &ConvexHull<f64>) -> f64 {
    Resize::size(hull)
}

/// The span by the triangles of the first faces, each cut into a fan.
fn span_by_triangles(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    hull: &ConvexHull<f64>,
    faces: usize,
) -> Option<Span<Vec3<f64>>> {
    let mut enter: Option<Passage<Vec3<f64>>> = None;
    let mut exit: Option<Passage<Vec3<f64>>> = None;
    let solid = hull.dimension() == 3;
    for face in 0..faces {
        let [first, rest @ ..] = hull.face(face) else { continue };
        for pair in rest.windows(2) {
            let corners = [*first, pair[0], pair[1]].map(|index| hull.vertex(index));
            let Some(found) = triangle_span(origin, direction, corners) else { continue };
            let outward = face_normal(corners);
            let sides = if solid { [outward; 2] } else { [found.enter.normal, found.exit.normal] };
            let [near, far] = [(found.enter, sides[0]), (found.exit, sides[1])]
                .map(|(at, normal)| Passage { normal, ..at }.on(Kind::Face, face));
            // Where parameters are equal, the line goes in through what faces it and out through what does not.
            let rank = |p: Passage<Vec3<f64>>| (p.t, 0.0 <= p.normal.dot(direction));
            if enter.is_none_or(|old| rank(near) < rank(old)) {
                enter = Some(near);
            }
            let rank = |p: Passage<Vec3<f64>>| (p.t, 0.0 < p.normal.dot(direction));
            if exit.is_none_or(|old| rank(old) < rank(far)) {
                exit = Some(far);
            }
        }
    }
    Some(Span::new(enter?, exit?))
}

/// The part of the path within `radius` of the hull.
///
/// The surface consists of the faces, moved out by the radius, and of the inflated edges. Where the plane that
/// is passed last is passed above its face, that is the place; otherwise it is on an edge.
pub(super) fn rounded_hull_span(
    path: Motion<Vec3<f64>>,
    hull: &ConvexHull<f64>,
    radius: f64,
) -> Option<Span<Vec3<f64>>> {
    let Motion { origin, velocity } = path;
    if hull.dimension() < 2 {
        return capsule_span(origin, velocity, ends(hull), radius).map(|span| span.named_edge(0, [0, 1]));
    }
    let slack = 16.0 * f64::EPSILON * (origin.max_abs() + hull_size(hull) + radius);
    let view = hull.view();
    if is_far_from(path, view.center(), view.outer_radius() + radius + 4.0 * slack) {
        return None;
    }
    let mut enter = Passage::new(f64::NEG_INFINITY, Vec3::ZERO);
    let mut exit = Passage::new(f64::INFINITY, Vec3::ZERO);
    // The earliest of the last entry and the latest of the first exit that rounding allows for: heights are off by the slack, speeds by
    // as much of the velocity.
    let (mut entered, mut left) = (f64::NEG_INFINITY, f64::INFINITY);
    let speed_slack = 16.0 * f64::EPSILON * velocity.max_abs();
    for face in 0..hull.face_count() {
        let Some((normal, anchor)) = plane_of(hull, &view, face) else { continue };
        let (height, speed) = (radius - normal.dot(origin - anchor), normal.dot(velocity));
        if speed == 0.0 {
            if height < -slack {
                return None;
            }
            continue;
        }
        let passage = Passage::new(height / speed, normal).on(Kind::Face, face);
        let doubt = (slack + passage.t.abs() * speed_slack) / speed.abs();
        if speed < 0.0 {
            entered = (passage.t - doubt).max_of(entered);
            if enter.t < passage.t {
                enter = passage;
            }
        } else {
            left = (passage.t + doubt).min_of(left);
            if passage.t < exit.t {
                exit = passage;
            }
        }
    }
    // What is never behind all faces, moved out, is never near: what is round lies within them.
    if left < entered {
        return None;
    }
    let through = [enter, exit].map(|passage| is_above_face(path, hull, passage).then_some(passage));
    if let [Some(enter), Some(exit)] = through {
        return Some(Span::new(enter, exit));
    }
    let mut span = through.into_iter().flatten().map(|at| Some(Span::new(at, at))).fold(None, Span::hull);
    let mut position = 0;
    for face in 0..hull.face_count() {
        let corners = hull.face(face);
        for (k, &from) in corners.iter().enumerate() {
            let to = corners[if k + 1 < corners.len() { k + 1 } else { 0 }];
            // Every edge belongs to two faces, which walk it in opposite directions.
            if from < to {
                let edge = [hull.vertex(from), hull.vertex(to)];
                let (middle, half) = ((edge[0] + edge[1]) * 0.5, Vector::length(edge[1] - edge[0]) * 0.5);
                if is_far_from(path, middle, half + radius + 4.0 * slack) {
                    position += 1;
                    continue;
                }
                let met = capsule_span(origin, velocity, edge, radius);
                let ends = [from as usize, to as usize];
                span = Span::hull(span, met.map(|span| span.named_edge(position, ends)));
            }
            position += 1;
        }
    }
    span
}

/// The unit normal of a face and a point of it; `None` where it has no area.
#[inline]
fn plane_of(hull: &ConvexHull<f64>, view: &HullView<'_>, face: usize) -> Option<(Vec3<f64>, Vec3<f64>)> {
    if view.has_faces() {
        return Some(view.plane(face));
    }
    let &[a, b, c, ..] = hull.face(face) else { return None };
    let corners = [a, b, c].map(|index| hull.vertex(index));
    Some((face_normal(corners).normalized()?, corners[0]))
}

/// Whether the line stays farther than a distance from a point. The cross product is off by some ε of the vector from the start of the path, which
/// the caller allows for; squares and products by some ε of themselves.
#[inline]
fn is_far_from(path: Motion<Vec3<f64>>, point: Vec3<f64>, distance: f64) -> bool {
    let (beside, reach) = ((point - path.origin).cross(path.velocity), distance * (1.0 + 1e-12));
    reach * reach * path.velocity.length_squared() < beside.length_squared()
}

/// Whether the line passes the plane of a face, moved out along its normal, above the face.
fn is_above_face(path: Motion<Vec3<f64>>, hull: &ConvexHull<f64>, passage: Passage<Vec3<f64>>) -> bool {
    if !passage.t.is_finite() {
        return false;
    }
    let point = path.origin + path.velocity * passage.t;
    let corners = hull.face((passage.feature >> 2) as usize);
    corners.iter().enumerate().all(|(k, &from)| {
        let to = corners[if k + 1 < corners.len() { k + 1 } else { 0 }];
        let (from, to) = (hull.vertex(from), hull.vertex(to));
        0.0 <= passage.normal.cross(to - from).dot(point - from)
    })
}
