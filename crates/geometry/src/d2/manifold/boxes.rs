//! A side of a box on a side of another one.
//!
//! Boxes of the plane that overlap do so the least along the normal of a side. So the normal of the contact is known as
//! soon as the separations along the four normals are, and the side of the other box that faces it is cut at the two ends of
//! that side, as in [`edges`](super::edges): with the same numbers in the same order, less what is known to be 0 or 1. Each
//! side of the reference has code of its own. Frame: that of the pair, which is the first box's.

use super::Place;
use super::edges::{End, Part};
use crate::manifold::feature::{Kind, number};
use crate::manifold::gather::{Candidate, FACING, SAME};
use crate::manifold::touch::{Met, Points};
use crate::manifold::watch::Watch;
use crate::pair::boxes::face_separations;
use crate::pair::nearest::sign_of;
use crate::pair::place::Turn;
use carom_math::{Number, Vec2, Vector};

/// Where two boxes meet, given their half extents; `Met::Aside` where it takes the general way to tell: for boxes that do not
/// overlap by more than rounding, without width, or turned alike but for rounding.
#[inline(always)]
pub(super) fn side_of_boxes<W: Watch<Vec2<f64>>>(
    halves: [Vec2<f64>; 2],
    place: &Place,
    (error, margin): (f64, f64),
    watcher: &mut W,
) -> Met<Vec2<f64>> {
    let [x, y, u, v, ..] = face_separations(halves[0], halves[1], place);
    let (of_a, of_b) = (y.max_of(x), v.max_of(u));
    let separation = of_b.max_of(of_a);
    if margin + error < separation {
        return Met::Apart;
    }
    let is_deep = separation < -error;
    if !is_deep {
        return Met::Aside;
    }
    let found = Overlap { halves, place, separation, doubt: SAME * error, margin };
    // The first of equals.
    let points = match (of_b <= of_a, y <= x, v <= u) {
        (true, true, _) => found.at_side::<0, true>(watcher),
        (true, false, _) => found.at_side::<1, true>(watcher),
        (false, _, true) => found.at_side::<0, false>(watcher),
        (false, _, false) => found.at_side::<1, false>(watcher),
    };
    points.map_or(Met::Aside, Met::Here)
}

/// Two boxes that overlap, and what the separation along the best axis is.
struct Overlap<'a> {
    halves: [Vec2<f64>; 2],
    place: &'a Place,
    separation: f64,
    /// Depths within this of the deepest one are the deepest one.
    doubt: f64,
    margin: f64,
}

/// A side of a box about the origin, which faces a direction.
#[derive(Clone, Copy)]
struct Side {
    /// In the frame of the box: from lower to higher coordinates.
    ends: [Vec2<f64>; 2],
    name: u32,
    vertices: [u32; 2],
}

impl Side {
    /// The side across an axis. Corners are named by bit 0 for the side along x and bit 1 for that along y.
    #[inline(always)]
    fn new(half: Vec2<f64>, is_y: bool, is_negative: bool) -> Self {
        let sign = if is_negative { -1.0 } else { 1.0 };
        let axis = usize::from(is_y);
        let bits = usize::from(!is_negative) << axis;
        Side {
            ends: if is_y {
                [Vec2::new(-half.x, half.y * sign), Vec2::new(half.x, half.y * sign)]
            } else {
                [Vec2::new(half.x * sign, -half.y), Vec2::new(half.x * sign, half.y)]
            },
            name: number(Kind::Edge, axis * 2 + usize::from(is_negative)),
            vertices: [number(Kind::Vertex, bits), number(Kind::Vertex, bits | 1 << (1 - axis))],
        }
    }

    /// The side that faces a direction most, that along x of equals.
    #[inline(always)]
    fn facing(half: Vec2<f64>, direction: Vec2<f64>) -> Self {
        let is_y = direction.x.abs() < direction.y.abs();
        Side::new(half, is_y, (if is_y { direction.y } else { direction.x }) < 0.0)
    }

    #[inline(always)]
    fn placed(self, place: &Place) -> Self {
        Side { ends: [place.point(self.ends[0]), place.point(self.ends[1])], ..self }
    }
}

impl Overlap<'_> {
    /// The points on the side across an axis of the first box, or of the second.
    #[inline(always)]
    fn at_side<const AXIS: usize, const OF_A: bool>(
        &self,
        watcher: &mut impl Watch<Vec2<f64>>,
    ) -> Option<Points<Vec2<f64>>> {
        let (place, [half_a, half_b]) = (self.place, self.halves);
        let normal = if OF_A { Vec2::unit(AXIS) } else { place.rotation.column(AXIS) };
        let sign = sign_of(normal.dot(place.translation));
        let normal = normal * sign;
        let in_b = place.rotation.undo(-normal);
        let (facing_a, facing_b) = (normal.max_abs(), in_b.max_abs());
        // The reference is the side that faces the normal more, the first of equals: for boxes that are turned alike but for
        // rounding that need not be the one with the normal.
        let is_reference = if OF_A { facing_b <= facing_a } else { facing_a < facing_b };
        let is_narrow = half_a.x == 0.0 || half_a.y == 0.0 || half_b.x == 0.0 || half_b.y == 0.0;
        if !is_reference || is_narrow || facing_a.max_of(facing_b) < FACING {
            return None;
        }
        if OF_A {
            let reference = Side::new(half_a, AXIS == 1, sign < 0.0);
            let incident = Side::facing(half_b, in_b).placed(place);
            let (along, reach) = (|point: Vec2<f64>| point.get(1 - AXIS), half_a.get(1 - AXIS));
            let mut part = Part::new(incident.ends, reference.name, incident.vertices);
            part.cut(|point| -(along(point) + reach), reference.vertices[0], incident.name);
            let halfway = part;
            part.cut(|point| along(point) - reach, reference.vertices[1], incident.name);
            let candidate = |end: End| {
                let height = (end.point.get(AXIS) - sign * half_a.get(AXIS)) * sign;
                let up = end.point.get(AXIS) - sign * (height * 0.5);
                Candidate { point: end.point.with(AXIS, up), depth: 0.0 - height, feature: end.feature }
            };
            let points =
                self.points(normal, [candidate(part.ends[0]), candidate(part.ends[1])], part.count)?;
            show([&reference, &incident], [halfway, part], &points, watcher);
            Some(points)
        } else {
            let reference = Side::new(half_b, AXIS == 1, 0.0 < sign).placed(place);
            let incident = Side::facing(half_a, normal);
            let (forward, [from, to]) = (place.rotation.column(1 - AXIS), reference.ends);
            let mut part = Part::new(incident.ends, reference.name, incident.vertices);
            part.cut(|point| (-forward).dot(point - from), reference.vertices[0], incident.name);
            let halfway = part;
            part.cut(|point| forward.dot(point - to), reference.vertices[1], incident.name);
            let candidate = |end: End| {
                let height = (-normal).dot(end.point - from) / facing_b;
                let point = end.point + normal * (height * 0.5);
                Candidate { point, depth: 0.0 - height, feature: end.feature.swapped() }
            };
            let points =
                self.points(normal, [candidate(part.ends[0]), candidate(part.ends[1])], part.count)?;
            show([&reference, &incident], [halfway, part], &points, watcher);
            Some(points)
        }
    }

    /// The points, given what would be one at either end of what is left: the deeper first, the first of equals; the other only
    /// if it is within the margin and elsewhere. `None` if neither is as deep as the boxes are, but for rounding.
    #[inline(always)]
    fn points(
        &self,
        normal: Vec2<f64>,
        [first, second]: [Candidate<Vec2<f64>>; 2],
        count: usize,
    ) -> Option<Points<Vec2<f64>>> {
        let deepest = 0.0 - self.separation;
        let snapped = |depth: f64| if deepest - self.doubt <= depth { deepest } else { depth };
        let first = Candidate { depth: snapped(first.depth), ..first };
        let second = Candidate { depth: snapped(second.depth), ..second };
        let is_second = count == 2 && first.depth < second.depth;
        let (deeper, other) = if is_second { (second, first) } else { (first, second) };
        if count == 0 || deeper.depth < deepest {
            return None;
        }
        let has_other = count == 2 && -self.margin <= other.depth && other.point != deeper.point;
        let other = if has_other { other } else { deeper };
        let count = 1 + usize::from(has_other);
        Some(Points::new(normal, ([deeper, other, other, other], count)))
    }
}

/// Tells a watcher of what succeeded.
#[inline(always)]
fn show<W: Watch<Vec2<f64>>>(
    sides: [&Side; 2],
    left: [Part; 2],
    points: &Points<Vec2<f64>>,
    watcher: &mut W,
) {
    if !W::LISTENS {
        return;
    }
    let [reference, incident] = sides.map(|side| side.ends);
    watcher.faces(reference.into_iter(), incident.into_iter());
    for (corner, part) in reference.into_iter().zip(left) {
        watcher.clipped(corner, part.points());
    }
    watcher.gathered(points.all().iter().map(|candidate| candidate.point));
}

#[cfg(test)]
mod tests {
    use super::super::edges::edge_on_edge;
    use super::super::of_box;
    use super::*;
    use crate::answer::Separation;
    use crate::pair::boxes::best_face_axis;
    use crate::pair::place::Relative;
    use carom_math::Rot2;
    use carom_oracle::generate::Rng;

    /// The same points, depths and names as the way that knows nothing of boxes has, to the bit.
    #[test]
    fn sides_of_boxes_meet_as_edges_do() {
        let mut rng = Rng::new(3);
        let mut counts = [0; 3];
        for round in 0..4000 {
            let mut half = || Vec2::new(rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5));
            let halves = [half(), half()];
            // All ways, nearly alike, and alike.
            let angle = rng.uniform(-3.0, 3.0) * [1.0, 1e-3, 1e-9, 0.0][round % 4];
            let place = Place {
                rotation: Rot2::from_angle(angle).to_matrix(),
                translation: Vec2::new(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)),
            };
            let bounds = (1e-14, if round.is_multiple_of(3) { 0.1 } else { 0.0 });
            let Met::Here(points) = side_of_boxes(halves, &place, bounds, &mut ()) else { continue };
            let axis = best_face_axis(halves[0], halves[1], &place);
            let found = Separation {
                separation: axis.separation,
                error: bounds.0,
                normal: axis.normal,
                point_a: Vec2::ZERO,
                point_b: Vec2::ZERO,
            };
            let a = of_box::<2>(halves[0], &Relative::IDENTITY, axis.normal);
            let b = of_box::<2>(halves[1], &place, -axis.normal);
            let edges = edge_on_edge(&a, &b, &found, bounds, &mut ()).expect("edges that face each other");
            assert_eq!(points.normal, edges.normal);
            let numbers = |points: &Points<Vec2<f64>>| -> Vec<_> {
                points.all().iter().map(|p| (p.point, p.depth, p.feature)).collect()
            };
            assert_eq!(numbers(&points), numbers(&edges), "{halves:?} {place:?}");
            counts[points.all().len()] += 1;
        }
        assert!(100 < counts[1] && 1000 < counts[2], "{counts:?}");
    }
}
