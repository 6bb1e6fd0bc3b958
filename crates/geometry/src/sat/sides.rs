//! The nearest points of two polygons that are apart, from the side with the least overlap.
//!
//! On the half of the circle where the overlap −s is negative, s has one maximum, since s is the least of linear
//! functions: the direction of the nearest point of the set of differences. The normals of the sides next to it are
//! better than all others, and where it lies between two of them, both sides end in that point. So the side of the set
//! of differences with the least overlap carries its nearest point, and that side is a side of one polygon and a corner
//! of the other.
//!
//! Frame: that of a. Where the other has a side that is parallel but for rounding, its corner may be the wrong end of
//! it; then the middle of what both sides share is nearest. What is not proved is left to GJK, which begins there.

use super::{Glance, Least, Search, Solid, Source, members};
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
    // Between the ends the tip is proved to be the support point; beyond, the connection is an axis of its own.
    let is_between = foot.point != ends[0] && foot.point != ends[1];
    if !is_between && let Some(found) = apart_and_flush(a, b, is_of_a, (direction, ends, tip), error) {
        return Some(found);
    }
    let (offset, out) = if is_of_a { (foot.offset, tip - ends[0]) } else { (-foot.offset, ends[0] - tip) };
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

/// The same for a side that lies flush with one of the other polygon, whose lowest corner is beyond its ends. `direction` is from a to b.
#[inline(never)] // what has no flush sides had rather not make room for it
fn apart_and_flush<V: Space, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    is_of_a: bool,
    (direction, ends, tip): (V, [V; 2], V),
    error: f64,
) -> Option<Separation<V>> {
    let support = |along: V| if is_of_a { b.support(along).0 } else { a.support(along).0 };
    let forth = if is_of_a { 1.0 } else { -1.0 };
    let middle = middle_of_flush(ends, direction * forth, tip, support, error)?;
    let normal = direction.normalized()?;
    let separation = direction.dot(tip - ends[0]) * forth / direction.length();
    let beyond = middle + normal * (separation * forth);
    let [point_a, point_b] = if is_of_a { [middle, beyond] } else { [beyond, middle] };
    // The other side is level but for `error`, and all of it is rounded.
    Some(Separation { separation, error: 2.0 * error, normal, point_a, point_b })
}

/// The middle of what a side shares with one of the other polygon that lies flush above it, on the side; `None` without such a side.
/// `tip` is the lowest corner of the other, beyond an end of the side, `support` gives its farthest corner along a direction.
pub(super) fn middle_of_flush<V: Space>(
    ends: [V; 2],
    outward: V,
    tip: V,
    support: impl Fn(V) -> V,
    error: f64,
) -> Option<V> {
    let (unit, along) = (outward.normalized()?, (ends[1] - ends[0]).normalized()?);
    // Of a side so short that rounding turns it nothing is level.
    if TILT < along.dot(unit).abs() {
        return None;
    }
    let at = |point: V| along.dot(point - ends[0]);
    let towards = if at(tip) < 0.0 { along } else { -along };
    let far = support(towards * TILT - unit);
    let (from, to) = (at(tip).min_of(at(far)), at(tip).max_of(at(far)));
    let (low, high) = (from.max_of(0.0), to.min_of(at(ends[1])));
    // What the side is off by along its length is what the distance is off by.
    let is_flush = unit.dot(far - tip).abs() <= LEVEL * error && low <= high;
    is_flush.then(|| ends[0] + along * (low + (high - low) * 0.5))
}

/// The slope at which the other end of a level side is looked for: 2⁻²⁰. Where a side beyond it is less steep, that is not level, and
/// nothing is found.
const TILT: f64 = 1.0 / 1_048_576.0;

/// Sides whose ends differ in height by this part of the rounding errors are level.
const LEVEL: f64 = 0.125;

/// How many rounding errors the bounds of a distance that is proved may be apart: one on either side, and the
/// difference of what was computed.
const PROVED: f64 = 4.0;

impl<V: Space, A: Solid<V>, B: Solid<V>> Search<'_, A, B, V> {
    /// The deepest points of polygons of the plane whose sides lie flush.
    #[inline(never)]
    pub(super) fn on_flush_sides(&self, least: &Least<V>, normal: V) -> Option<[V; 2]> {
        if V::DIM != 2 {
            return None;
        }
        let out = normal * least.overlap;
        match least.source {
            Source::FaceOfA(face, point_b) => {
                let ends = self.a.ends(face).map(|number| self.a.vertex(number));
                let support = |along: V| self.b.support(along).0;
                let middle = middle_of_flush(ends, normal, point_b, support, self.error)?;
                Some([middle, middle - out])
            }
            Source::FaceOfB(face, point_a) => {
                let core = self.b.core();
                let ends = core.ends(face).map(|number| self.b.placed(core.vertex(number)));
                let support = |along: V| self.a.support(along).0;
                let middle = middle_of_flush(ends, -normal, point_a, support, self.error)?;
                Some([middle + out, middle])
            }
            Source::Edges(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::d2::{ConvexPolygon, contact, distance};

    /// A box with its corners cut off.
    fn octagon(x: f64, y: f64) -> ConvexPolygon<f64> {
        let (u, v) = (x - 0.125, y - 0.125);
        ConvexPolygon::new([[-u, -y], [u, -y], [x, -v], [x, v], [u, y], [-u, y], [-x, v], [-x, -v]]).unwrap()
    }

    /// Sides of which one is tilted by 2⁻³⁴ share a part of each, and are nearest at its end: the corner of the box that is lowest, seen along
    /// the normal of the other side, is beyond it.
    #[test]
    fn sides_that_are_nearly_flush_are_not() {
        let wedge = ConvexPolygon::new([[5000.0, -20000.0], [5000.0, 0.0], [10000.0, -5000.0]]).unwrap();
        let square = ConvexPolygon::new([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]).unwrap();
        let tilt = carom_math::Rot2::from_cos_sin(1.0, 2.0_f64.powi(-34)).unwrap();
        let there = carom_math::Pose2::new([-1.0, 0.5], tilt);
        let found = distance(&square, [-1.710_315_055_4, 0.963_163_059_5], &wedge, there).unwrap();
        // The upper corner of the wedge stays where it is up to 10⁻¹⁶.
        let truth = 4999.0 - (-1.710_315_055_4 + 0.5);
        assert!((found.distance - truth).abs() <= 8.0 * f64::EPSILON * 20_000.0, "{found:?}");
        assert!(found.lower <= truth && truth <= found.upper, "{found:?}");
    }

    /// Sides that lie flush and share a part of each are nearest, and deepest, in the middle of that part.
    #[test]
    fn flush_sides_meet_in_the_middle_of_what_they_share() {
        let (small, large) = (octagon(0.5, 0.5), octagon(1.0, 1.0));
        // Sides reach from −0.375 to 0.375 and from −0.875 to 0.875.
        for (at, middle) in [(1.0, 0.75), (-1.0, -0.75), (0.0, 0.0), (0.75, 0.625), (1.125, 0.8125)] {
            for gap in [0.25, -0.25] {
                for turned in [1.0, -1.0] {
                    let there = [at, turned * (1.5 + gap)];
                    let found = distance(&large, [0.0, 0.0], &small, there).unwrap();
                    assert_eq!(found.normal.y, turned);
                    assert_eq!(found.distance, if 0.0 < gap { gap } else { 0.0 });
                    assert!(found.lower <= found.distance && found.distance <= found.upper);
                    let points = if gap < 0.0 {
                        let touch = contact(&large, [0.0, 0.0], &small, there).unwrap().unwrap();
                        assert_eq!(touch.depth, -gap);
                        [touch.point_a, touch.point_b]
                    } else {
                        [found.point_a, found.point_b]
                    };
                    assert_eq!(points.map(|point| point.y), [turned, turned * (1.0 + gap)]);
                    // A corner that is above the other side may stand for the middle.
                    let corners = [at - 0.375, at + 0.375, -0.875, 0.875];
                    for point in points {
                        assert!(point.x == middle || corners.contains(&point.x), "{at} {gap} {point:?}");
                        assert!(
                            point.x.abs() <= 0.875 && (point.x - at).abs() <= 0.375,
                            "{at} {gap} {point:?}"
                        );
                    }
                }
            }
        }
    }
}
