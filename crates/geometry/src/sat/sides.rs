//! The nearest points of two polygons that are apart, from the side with the least overlap.
//!
//! On the half of the circle where the overlap −s is negative, s has one maximum, since s is the least of linear
//! functions: the direction of the nearest point of the set of differences. The normals of the sides next to it are
//! better than all others, and where it lies between two of them, both sides end in that point. So the side of the set
//! of differences with the least overlap carries its nearest point, and that side is a side of one polygon and a corner
//! of the other.
//!
//! Frame: that of a. Where the other has a side that is parallel but for rounding, its corner may be the wrong end of
//! it; what is not proved is left to GJK, which begins there.

use super::{Glance, Solid, members};
use crate::answer::Separation;
use crate::gjk::{self, Posed, Space, Support, Vertex};
use crate::pair::nearest::foot_on_segment;
use carom_math::Number;

/// The ends of the side of the set of differences that carries its nearest point, but for rounding.
pub(crate) fn nearest_side<V: Space, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    glance: &Glance,
) -> [Vertex<V>; 2] {
    if let Some(face) = members(&glance.sides[..1]).next() {
        let (direction, _) = a.face(face);
        let (point_b, feature_b) = b.support(-direction);
        a.ends(face).map(|feature_a| {
            Vertex::between((a.vertex(feature_a), feature_a), (point_b, feature_b), direction)
        })
    } else {
        let face = members(&glance.sides[1..]).next().unwrap_or(0);
        let direction = -b.turned(b.core().face(face).0);
        let (point_a, feature_a) = a.support(direction);
        b.core().ends(face).map(|feature_b| {
            let point_b = b.placed(b.core().vertex(feature_b));
            Vertex::between((point_a, feature_a), (point_b, feature_b), direction)
        })
    }
}

/// How polygons relate that are apart by more than rounding, from the side with the least overlap: it carries the
/// nearest point. `None` where that is not proved, as beside parallel sides.
pub(crate) fn apart_at_side<V: Space, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    glance: &Glance,
) -> Option<Separation<V>> {
    let error = gjk::rounding_error(a, b);
    let is_of_a = glance.sides[0] != 0;
    let face = members(&glance.sides[usize::from(!is_of_a)..]).next()?;
    // From a to b, in the frame of a.
    let (direction, ends, tip) = if is_of_a {
        let (direction, _) = a.face(face);
        (direction, a.ends(face).map(|number| a.vertex(number)), b.support(-direction).0)
    } else {
        let direction = -b.turned(b.core().face(face).0);
        (
            direction,
            b.core().ends(face).map(|number| b.placed(b.core().vertex(number))),
            a.support(direction).0,
        )
    };
    let foot = foot_on_segment(ends[0], ends[1], tip);
    let (offset, out) = if is_of_a { (foot.offset, tip - ends[0]) } else { (-foot.offset, ends[0] - tip) };
    // Between the ends the tip is proved to be the support point; beyond, the connection is an axis of its own.
    let is_between = foot.point != ends[0] && foot.point != ends[1];
    let normal = offset.normalized()?;
    let along = if is_between {
        direction.dot(out) / direction.length()
    } else {
        normal.dot(b.support(-normal).0 - a.support(normal).0)
    };
    let [point_a, point_b] = if is_of_a { [foot.point, tip] } else { [tip, foot.point] };
    let (lower, upper) = (along - error, (point_b - point_a).length() + error);
    let is_proved = lower <= foot.distance && foot.distance <= upper && upper - lower <= PROVED * error;
    is_proved.then(|| Separation {
        separation: foot.distance,
        error: (upper - foot.distance).max_of(foot.distance - lower),
        normal,
        point_a,
        point_b,
    })
}

/// How many rounding errors the bounds of a distance that is proved may be apart: one on either side, and the
/// difference of what was computed.
const PROVED: f64 = 4.0;
