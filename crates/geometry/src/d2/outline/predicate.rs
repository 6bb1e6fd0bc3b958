//! Exact decisions about segments of the plane, for any finite coordinates.

use crate::bound::Aabb;
use crate::exact::orientation;
use carom_math::{Vec2, Vector};
use core::cmp::Ordering;

type Point = Vec2<f64>;

/// The smallest box around two points.
pub(super) fn box_around(a: Point, b: Point) -> Aabb<Point> {
    Aabb { min: a.min_by_axis(b), max: a.max_by_axis(b) }
}

/// Whether two segments share a point, ends included; segments may be points.
///
/// Proper crossings have the ends of each on both sides of the other. An end on the line of the other
/// counts for both sides; when all four do, the segments lie on one line and share a point exactly if
/// their boxes do.
pub(super) fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let (of_c, of_d) = (orientation(a, b, c), orientation(a, b, d));
    if of_c == of_d && of_c != Ordering::Equal {
        return false;
    }
    let (of_a, of_b) = (orientation(c, d, a), orientation(c, d, b));
    if of_a == of_b && of_a != Ordering::Equal {
        return false;
    }
    let on_one_line = [of_a, of_b, of_c, of_d] == [Ordering::Equal; 4];
    !on_one_line || box_around(a, b).overlaps(box_around(c, d))
}

/// Whether a point lies on a segment.
pub(super) fn point_on_segment(p: Point, [a, b]: [Point; 2]) -> bool {
    box_around(a, b).overlaps(Aabb { min: p, max: p }) && orientation(a, b, p) == Ordering::Equal
}
