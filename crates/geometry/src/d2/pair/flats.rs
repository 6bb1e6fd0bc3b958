//! Cores of the plane: convex polygons with at most four corners.
//!
//! Axes: the normals of all edges, of a first; complete for polygons. A core without area also has
//! its own direction, before its normal: segments in line that meet end to end separate along the line.

use crate::pair::core::{Axis, Closest, Core, Corners, Flats, Form};
use crate::pair::nearest::{Foot, foot_on_segment};
use crate::pair::product::cross2;
use carom_math::{Vec2, Vector};

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
        let mut best = foot_on_segment(a, b, p);
        for (from, to) in [(b, c), (c, a)] {
            let foot = foot_on_segment(from, to, p);
            if foot.distance < best.distance {
                best = foot;
            }
        }
        best
    }

    /// Two edges of the plane are nearest at an end of one of them, or cross.
    fn improve_by_edges(_: &mut Closest<Self>, _: &Core<Self>, _: &Core<Self>, _: Corners, _: Corners) {}
}
