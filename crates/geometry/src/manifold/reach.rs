//! How far the surface of a rounded feature is from a point of its core, along a direction.
//!
//! All points within r of a face are the union of convex pieces: the slab above and below the face, a
//! cylinder about each edge, a ball about each corner. The union is convex, so a ray that starts in it leaves
//! it where it leaves the last of the pieces that it meets. Of a disc the last two pieces are a torus, whose
//! surface is found by Newton's method: the distance from a convex set is a convex function of the way along
//! a ray, so steps from outside never go too far.

use super::feature::Feature;
use super::gather::Facing;
use carom_math::{Number, Vector};

/// From a point of the core of a feature along a unit direction to the surface.
#[inline]
pub(crate) fn reach<V: Facing, const N: usize>(feature: &Feature<V, N>, point: V, direction: V) -> f64 {
    if feature.radius == 0.0 { 0.0 } else { of_rounded(feature, point, direction) }
}

fn of_rounded<V: Facing, const N: usize>(feature: &Feature<V, N>, point: V, direction: V) -> f64 {
    let r = feature.radius;
    match (feature.corners(), feature.normal) {
        ([from, to], _) => of_segment([from.point, to.point], r, point, direction),
        ([_, _, _, ..], Some(normal)) if normal != direction => {
            if feature.round {
                of_disc(feature, normal, point, direction)
            } else {
                of_face(feature, normal, point, direction)
            }
        }
        _ => r,
    }
}

/// For a capsule whose segment rises by the angle θ against the plane perpendicular to the direction, that
/// is r/cos θ on the side; beyond the side, which ends r·tan θ before the end of the segment, it is the way
/// out of the ball about that end. The point lies on the segment.
fn of_segment<V: Vector<Scalar = f64>>([from, to]: [V; 2], r: f64, point: V, direction: V) -> f64 {
    let edge = to - from;
    let along = direction.dot(edge);
    if along == 0.0 {
        return r;
    }
    let sine = (along / Vector::length(edge)).abs();
    let cosine = (1.0 - sine * sine).max_of(0.0).sqrt();
    let from_tip = point - if along < 0.0 { from } else { to };
    if r * sine < Vector::length(from_tip) * cosine {
        return r / cosine;
    }
    out_of_ball(from_tip, direction, r)
}

fn of_face<V: Facing, const N: usize>(feature: &Feature<V, N>, normal: V, point: V, direction: V) -> f64 {
    let r = feature.radius;
    let cosine = normal.dot(direction);
    let straight = r / cosine;
    let foot = point + (direction * straight - normal * r);
    // A sheet that is seen edgewise is left at its edges.
    let mut inside = 0.0 < cosine && straight.is_finite();
    V::sides(feature, normal, |side| inside &= side.outward.dot(foot - side.at) <= 0.0);
    if inside {
        return straight;
    }
    let corners = feature.corners();
    let mut farthest = r;
    for (index, corner) in corners.iter().enumerate() {
        let Some(next) = corners.get((index + 1) % corners.len()) else { continue };
        farthest = out_of_ball(point - corner.point, direction, r).max_of(farthest);
        farthest = out_of_rod(point - corner.point, next.point - corner.point, direction, r).max_of(farthest);
    }
    farthest
}

/// Where a ray leaves a ball, given its start as seen from the centre; 0 when it misses the ball.
#[inline]
pub(crate) fn out_of_ball<V: Vector<Scalar = f64>>(start: V, direction: V, r: f64) -> f64 {
    let height = direction.dot(start);
    let square = height * height - start.dot(start) + r * r;
    if square < 0.0 { 0.0 } else { square.sqrt() - height }
}

/// Where a ray leaves the side of a cylinder about an edge, given its start as seen from where the edge
/// begins; 0 when it does not leave it there.
fn out_of_rod<V: Vector<Scalar = f64>>(start: V, edge: V, direction: V, r: f64) -> f64 {
    let squared = edge.dot(edge);
    let (start_along, along) = (start.dot(edge) / squared, direction.dot(edge) / squared);
    let (start_across, across) = (start - edge * start_along, direction - edge * along);
    let (a, b) = (across.dot(across), across.dot(start_across));
    let square = b * b - a * (start_across.dot(start_across) - r * r);
    let way = (square.max_of(0.0).sqrt() - b) / a;
    let end = start_along + way * along;
    if 0.0 <= square && (0.0..=1.0).contains(&end) { way } else { 0.0 }
}

/// Newton's steps; the first is mostly the last, and the error is squared in each.
const STEPS: usize = 16;

fn of_disc<V: Facing, const N: usize>(feature: &Feature<V, N>, normal: V, point: V, direction: V) -> f64 {
    let (r, center) = (feature.radius, feature.center());
    let rim = feature.corners().first().map_or(0.0, |corner| Vector::length(corner.point - center));
    // No point of the disc is farther from the surface than a diameter and the radius.
    let mut way = (r / normal.dot(direction).abs()).min_of(2.0 * rim + r);
    for _ in 0..STEPS {
        let from_center = point + direction * way - center;
        let height = normal.dot(from_center);
        let flat = from_center - normal * height;
        let from_axis = Vector::length(flat);
        let beyond = (from_axis - rim).max_of(0.0);
        let distance = (height * height + beyond * beyond).sqrt();
        let outward =
            if beyond == 0.0 { normal * height } else { normal * height + flat * (beyond / from_axis) };
        // The ball about the point is inside.
        let next = (way - (distance - r) * distance / outward.dot(direction)).max_of(r);
        let is_nearer = next < way;
        if !is_nearer {
            break;
        }
        way = next;
    }
    way
}
