//! Cores of the plane: convex polygons with at most four corners.
//!
//! Axes: the normals of all edges, of a first; complete for polygons. A core without area also has
//! its own direction, before its normal: segments in line that meet end to end separate along the line.

use crate::answer::Separation;
use crate::pair::core::{Axis, Closest, Core, Corners, Flats, Form};
use crate::pair::nearest::{Foot, either, foot_on_segment, nearer_on_edges, weight};
use crate::pair::product::cross2;
use crate::pair::segments::Segments;
use carom_math::{Number, Vec2, Vector};

/// Twice the signed area as a vector, as [`Form::Triangle`] wants it.
pub(super) fn normal_of([a, b, c]: [Vec2<f64>; 3]) -> Vec2<f64> {
    Vec2::new(cross2(b - a, c - a), 0.0)
}

impl Flats for Vec2<f64> {
    #[inline(always)]
    fn across(direction: Self) -> ([Self; 3], usize) {
        ([direction.perpendicular(), Self::ZERO, Self::ZERO], 1)
    }

    #[inline(always)]
    fn improve_between(_: &mut Closest<Self>, _: [Self; 2], _: [Self; 2]) {}

    /// The differences b − a are a parallelogram about the origin, whose sides are those of the segments:
    /// the depth is the distance to the nearest side, which is that of an end from the line of the other
    /// segment. Ends of b first.
    #[inline(always)]
    fn crossing(segments: &Segments<Self>) -> Option<Separation<Self>> {
        let ([a0, a1], [b0, b1]) = (segments.a, segments.b);
        let (u, v) = (a1 - a0, b1 - b0);
        let (u_length, v_length) = (u.dot(u).sqrt(), v.dot(v).sqrt());
        // Signed distances, to the left of the other segment.
        let of_b = [u.cross(b0 - a0) / u_length, u.cross(b1 - a0) / u_length];
        let of_a = [v.cross(a0 - b0) / v_length, v.cross(a1 - b0) / v_length];
        let depths = [of_b[0].abs(), of_b[1].abs(), of_a[0].abs(), of_a[1].abs()];
        let depth = depths[0].min_of(depths[1]).min_of(depths[2].min_of(depths[3]));
        // The larger of two products with the same sign is not negative. NaN for points: no crossing.
        let sides = (of_b[0] * of_b[1]).max_of(of_a[0] * of_a[1]);
        if !(segments.error < depth && sides < 0.0) {
            return None;
        }
        let index = depths.into_iter().rev().fold(0, |after, x| usize::from(x != depth) * (after + 1)) & 3;
        let (across_a, across_b) = (u.perpendicular() / u_length, v.perpendicular() / v_length);
        // b leaves away from its own end, and towards that of a.
        let left = [of_b[0], of_b[1], of_a[0], of_a[1]][index];
        let is_of_a = weight(1 < index);
        let side = if left < 0.0 { -1.0 } else { 1.0 };
        let normal = either(across_a, across_b, is_of_a) * (side * (is_of_a * 2.0 - 1.0));
        let end = [b0, b1, a0, a1][index];
        // From the end of b along the normal to a, from the end of a against it to b.
        let foot = end + normal * (depth * (1.0 - 2.0 * is_of_a));
        let [radius_a, radius_b] = segments.radii;
        Some(Separation {
            separation: (0.0 - depth) - (radius_a + radius_b),
            error: segments.error,
            normal,
            point_a: either(foot, end, is_of_a) + normal * radius_a,
            point_b: either(end, foot, is_of_a) - normal * radius_b,
        })
    }

    fn best_axis(a: &Core<Self>, b: &Core<Self>, enough: f64) -> Axis<Self> {
        let mut best = Axis::none();
        for core in [a, b] {
            let (directions, count) = core.directions();
            match core.form {
                Form::Point => {
                    best.improve(a, b, Vec2::unit(0));
                    best.improve(a, b, Vec2::unit(1));
                }
                Form::Triangle { normal } if normal != Vec2::ZERO => {
                    for direction in directions {
                        best.improve(a, b, -direction.perpendicular());
                    }
                }
                Form::Segment | Form::Triangle { .. } => {
                    let along = core.longest_edge();
                    best.improve(a, b, along);
                    best.improve(a, b, along.perpendicular());
                }
                Form::Box(_) => {
                    for direction in directions.into_iter().take(count) {
                        best.improve(a, b, direction);
                    }
                }
            }
            if enough < best.separation {
                break;
            }
        }
        best
    }

    fn foot_on_triangle([a, b, c]: [Self; 3], _normal: Self, p: Self) -> Foot<Self> {
        let on_edge = |[from, to]: [Self; 2]| (foot_on_segment(from, to, p), [from, to]);
        nearer_on_edges(nearer_on_edges(on_edge([a, b]), on_edge([b, c])), on_edge([c, a])).0
    }

    /// Two edges of the plane are nearest at an end of one of them, or cross.
    fn improve_by_edges(_: &mut Closest<Self>, _: &Core<Self>, _: &Core<Self>, _: Corners, _: Corners) {}
}
