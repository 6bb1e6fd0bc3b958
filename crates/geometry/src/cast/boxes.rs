//! Two boxes in straight motion, turned any way.
//!
//! Without rotation the separating axes stay as they are: the face normals of both boxes and, in
//! space, the cross products of their edges. Along each axis the boxes overlap during an interval of
//! time, a slab, and they touch first where all intervals have begun. An axis that is nothing but
//! rounding error (parallel edges) does no harm: every axis is projected on as the vector that it is.

use super::precision::lift;
use super::query::{Meeting, Motion, Touch};
use super::span::Slabs;
use crate::convex::landing::FLUSH;
use crate::manifold::clip::{Polygon, Side};
use crate::manifold::feature::Corner;
use crate::pair::place::{Relative, Turn};
use crate::trace::{self, AxisSource, EdgeName, Follow, slab_span};
use carom_math::{Number, Vector};

/// The cosine below which an edge counts as perpendicular to the normal. More than rounding leaves of one, also
/// for the cross product of almost parallel edges; what then is in doubt goes the long way.
const LEVEL: f64 = 1e-6;

/// The first box as seen from the second, in motion.
pub(crate) struct MovingBoxes<'a, V: Vector<Scalar = f64>, M> {
    pub(crate) half_extents: [V; 2],
    pub(crate) place: &'a Relative<V, M>,
    pub(crate) velocity: V,
}

impl<V: Vector<Scalar = f64>, M: Turn<V>> MovingBoxes<'_, V, M> {
    /// When the boxes touch first. The normal is along the axis that decides: the faces of the second box, those
    /// of the first, then `edge_axes`.
    pub(crate) fn meeting(&self, edge_axes: &[V]) -> Meeting<V> {
        let Some((t, towards)) = self.first_touch(edge_axes) else { return Meeting::Never };
        if t <= 0.0 { Meeting::AtStart } else { self.landing(t, towards) }
    }

    /// The first touch along the axis that decides, from what [`Race`] has found.
    pub(crate) fn landing(&self, t: f64, axis: V) -> Meeting<V> {
        let towards = if axis.dot(self.velocity) < 0.0 { -axis } else { axis };
        let Some(normal) = towards.normalized() else { return Meeting::AtStart };
        match self.common_point(t, normal) {
            Some(point) => Meeting::At(Touch { t, point, normal }),
            None => Meeting::Somewhere { t, normal },
        }
    }

    /// A point in which the boxes touch at t; `None` where edges or faces are nearly but not quite flush, or meet by rounding only.
    ///
    /// Along the normal the first box reaches farthest with a corner, an edge or a face: an edge or face
    /// along which the normal has no component. If it is a corner, that is in the other box, since something
    /// of it has to be.
    fn common_point(&self, t: f64, normal: V) -> Option<V> {
        let [half_first, half_second] = self.half_extents;
        let mut corner = self.place.translation + self.velocity * t;
        let (mut level_first, mut count_first, mut steepest) = ([V::ZERO; 2], 0, 0.0);
        for axis in 0..V::DIM {
            let (column, half) = (self.place.rotation.column(axis), half_first.get(axis));
            let along = column.dot(normal);
            if half != 0.0 && along.abs() <= LEVEL && count_first < 2 {
                level_first[count_first] = column * half;
                (count_first, steepest) = (count_first + 1, along.abs().max_of(steepest));
            } else {
                corner += column * if along < 0.0 { -half } else { half };
            }
        }
        if count_first == 0 {
            return Some(corner);
        }
        let (mut level_second, mut count_second) = ([V::ZERO; 2], 0);
        let other = V::from_fn(|axis| {
            let (along, half) = (normal.get(axis), half_second.get(axis));
            if half != 0.0 && along.abs() <= LEVEL && count_second < 2 {
                level_second[count_second] = V::unit(axis) * half;
                (count_second, steepest) = (count_second + 1, along.abs().max_of(steepest));
                return 0.0;
            }
            if along < 0.0 { half } else { -half }
        });
        if count_second == 0 {
            return Some(other);
        }
        let are_edges = [count_first, count_second] == [1, 1] && V::DIM == 3;
        if are_edges {
            // Where the lines along the edges come closest: with u, w along them and N = u × w,
            // s = ((other − corner) × w)·N / N·N.
            let along = level_first[0].normalized()?;
            let [u, w, between] = [along, level_second[0].normalized()?, other - corner].map(lift::<f64, V>);
            let across = u.cross(w);
            let square = across.dot(across);
            if LEVEL < square {
                return Some(corner + along * (between.cross(w).dot(across) / square));
            }
        }
        // Edges that are nearly parallel cross somewhere, or lie side by side; that is not found out here.
        if are_edges || FLUSH < steepest {
            return None;
        }
        // What has fewer dimensions is cut to what is above the other: it may be an edge above a face.
        let (first, second) = ((corner, &level_first[..count_first]), (other, &level_second[..count_second]));
        let (small, large) = if count_second < count_first { (second, first) } else { (first, second) };
        middle_in_common(small, large)
    }

    /// When the boxes touch first, and the direction from the first to the second along the axis that
    /// decides. The time is negative when they touch from the start, `None` when they never do.
    fn first_touch(&self, edge_axes: &[V]) -> Option<(f64, V)> {
        let [half_first, half_second] = self.half_extents;
        let path = Motion { origin: self.place.translation, velocity: self.velocity };
        let turn = self.place.rotation;
        let mut slabs = Slabs::<15>::new();
        for axis in 0..V::DIM {
            let unit = V::unit(axis);
            let reach = half_second.get(axis) + self.reach_of_first(unit, None);
            let (position, speed) = (path.origin.get(axis), path.velocity.get(axis));
            if !slabs.add(axis, [-reach, reach], position, speed) {
                return None;
            }
        }
        for axis in 0..V::DIM {
            let column = turn.column(axis);
            let reach = half_first.get(axis) + half_second.dot(column.abs_by_axis());
            if !slabs.add(3 + axis, [-reach, reach], column.dot(path.origin), column.dot(path.velocity)) {
                return None;
            }
        }
        for (index, &axis) in edge_axes.iter().enumerate() {
            let parallel = index % V::DIM;
            let reach = half_second.dot(axis.abs_by_axis()) + self.reach_of_first(axis, Some(parallel));
            let (position, speed) = (axis.dot(path.origin), axis.dot(path.velocity));
            if axis != V::ZERO && !slabs.add(6 + index, [-reach, reach], position, speed) {
                return None;
            }
        }
        let span = slabs.span()?;
        if span.exit < 0.0 {
            return None;
        }
        let axis = match span.enter_axis {
            face @ 0..3 => V::unit(face),
            face @ 3..6 => turn.column(face - 3),
            edge => *edge_axes.get(edge - 6)?,
        };
        // The first box comes from where the speed points away.
        let towards = if axis.dot(path.velocity) < 0.0 { -axis } else { axis };
        Some((span.enter, towards))
    }

    /// Tells when the boxes overlap along each axis, for whoever watches: what [`MovingBoxes::meeting`] and [`Race`]
    /// decide by, in the same order, whether they need it or not.
    pub(crate) fn tell<W: Follow<V>>(&self, edge_axes: &[V], watch: &mut W) {
        let face = |of, index| AxisSource::Face { of, index, of_box: true };
        let of_second = (0..V::DIM).map(|axis| (face(trace::Side::B, axis), V::unit(axis)));
        let of_first = (0..V::DIM).map(|axis| (face(trace::Side::A, axis), self.place.rotation.column(axis)));
        let of_edges = edge_axes.iter().enumerate().map(|(index, &axis)| {
            let [a, b] = [index % 3, index / 3].map(|index| EdgeName { index, of_box: true });
            (AxisSource::Edges { a, b }, axis)
        });
        for (source, axis) in of_second.chain(of_first).chain(of_edges) {
            if axis != V::ZERO {
                let reach = self.half_extents[1].dot(axis.abs_by_axis()) + self.reach_of_first(axis, None);
                let speed = axis.dot(self.velocity);
                let span = slab_span(axis.dot(self.place.translation), speed, reach);
                watch.meets_along(source, if speed < 0.0 { -axis } else { axis }, span);
            }
        }
    }

    /// max |axis·p| over the first box, about its centre; without the edge that the axis was made
    /// perpendicular to.
    fn reach_of_first(&self, axis: V, without: Option<usize>) -> f64 {
        let half = self.half_extents[0];
        let term = |edge: usize| half.get(edge) * axis.dot(self.place.rotation.column(edge)).abs();
        (0..V::DIM).filter(|&edge| Some(edge) != without).map(term).fold(0.0, |sum, x| sum + x)
    }
}

/// The middle of what is above each other of two sides that lie flush, each given by its middle and how far it reaches from there: an edge or
/// a face. The first has no more dimensions than the second.
fn middle_in_common<V: Vector<Scalar = f64>>(
    (middle, reaches): (V, &[V]),
    (other, limits): (V, &[V]),
) -> Option<V> {
    let corner = |point: V| Corner { point, vertex: 0, edge: 0 };
    let mut polygon = match *reaches {
        [u, v] => {
            let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v].map(corner);
            Polygon::<V, 8>::new(&corners, 0)
        }
        [u] => Polygon::new(&[middle - u, middle + u].map(corner), 0),
        _ => return None,
    };
    // Nobody asks for names here.
    let mut sides = [Side { outward: V::ZERO, at: V::ZERO, name: 0, start: 0 }; 4];
    for (pair, &limit) in sides.chunks_exact_mut(2).zip(limits) {
        for (side, reach) in pair.iter_mut().zip([limit, -limit]) {
            (side.outward, side.at) = (reach.normalized()?, other + reach);
        }
    }
    let mut room = Polygon::empty(true);
    let left = polygon.clipped(&mut room, &sides[..2 * limits.len().min(2)], 0, &mut ()).corners();
    let sum = left.iter().fold(V::ZERO, |sum, corner| sum + corner.point);
    (!left.is_empty()).then(|| sum / left.len() as f64)
}

/// What the axes say about two boxes, in plain numbers: the last one along which they meet, and whether they part along
/// another one before that. Which one it is cannot be foreseen, so nothing is compared before all of them are known.
///
/// Along an axis, with the speed made positive, the boxes meet when position + t·speed = −reach and part when it is
/// +reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race<const AXES: usize> {
    /// −reach − position, reach − position and speed of every axis.
    ahead: [f64; AXES],
    left: [f64; AXES],
    speed: [f64; AXES],
    /// No position, reach or speed is farther from the truth.
    length_doubt: f64,
    speed_doubt: f64,
}

/// The boxes never touch.
pub(crate) struct Parted;

impl<const AXES: usize> Race<AXES> {
    /// What the faces say: those of the second box first, then those of the first. Other axes are still to be set.
    #[inline(always)]
    pub(crate) fn between_faces<V: Vector<Scalar = f64>, M: Turn<V>>(boxes: &MovingBoxes<'_, V, M>) -> Self {
        let [half_first, half_second] = boxes.half_extents;
        let (turn, at, velocity) = (boxes.place.rotation, boxes.place.translation, boxes.velocity);
        let length =
            at.sum_of_magnitudes() + half_first.sum_of_magnitudes() + half_second.sum_of_magnitudes();
        let mut race = Race {
            ahead: [f64::NEG_INFINITY; AXES],
            left: [f64::INFINITY; AXES],
            speed: [0.0; AXES],
            length_doubt: AXIS_ROUNDING * length,
            speed_doubt: AXIS_ROUNDING * velocity.sum_of_magnitudes(),
        };
        let mut reach_of_first = V::ZERO;
        for axis in 0..V::DIM {
            reach_of_first += turn.column(axis).abs_by_axis() * half_first.get(axis);
        }
        for axis in 0..V::DIM {
            let reach = half_second.get(axis) + reach_of_first.get(axis);
            race.set(axis, at.get(axis), velocity.get(axis), reach);
        }
        for axis in 0..V::DIM {
            let column = turn.column(axis);
            let reach = half_first.get(axis) + half_second.dot(column.abs_by_axis());
            race.set(V::DIM + axis, column.dot(at), column.dot(velocity), reach);
        }
        race
    }

    /// What is known of an axis.
    #[inline(always)]
    pub(crate) fn set(&mut self, axis: usize, position: f64, speed: f64, reach: f64) {
        let position = position * 1.0_f64.copysign(speed);
        self.ahead[axis] = -reach - position;
        self.left[axis] = reach - position;
        self.speed[axis] = speed.abs();
    }

    /// Whether the boxes are apart along an axis and do not come closer, beyond doubt.
    #[inline(always)]
    pub(crate) fn is_parted(&self) -> bool {
        let mut parted = false;
        for axis in 0..AXES {
            let stays = (self.speed[axis] == 0.0) & (self.length_doubt < self.ahead[axis]);
            parted |= (self.left[axis] < -self.length_doubt) | stays;
        }
        parted
    }

    /// The time of the first touch and the index of the axis that decides; an error when the boxes pass each other,
    /// `None` when that is in doubt or they may touch at the start.
    #[inline(always)]
    pub(crate) fn winner(&self) -> Option<Result<(f64, usize), Parted>> {
        if self.is_parted() {
            return Some(Err(Parted));
        }
        let mut times = [0.0; AXES];
        for (axis, time) in times.iter_mut().enumerate() {
            *time = self.ahead[axis] / self.speed[axis];
        }
        // 0/0 is not a number, which no comparison prefers. Four at a time: one after the other they would wait for each other.
        let mut latest = [f64::NEG_INFINITY; 4];
        for (axis, &time) in times.iter().enumerate() {
            latest[axis % 4] = if latest[axis % 4] < time { time } else { latest[axis % 4] };
        }
        let t = latest[0].max_of(latest[1]).max_of(latest[2].max_of(latest[3]));
        // The first of equally late ones.
        let winners =
            times.iter().enumerate().fold(0, |set, (axis, &time)| set | u32::from(time == t) << axis);
        let index = (winners.trailing_zeros() as usize).min(AXES - 1);
        if !(self.length_doubt < self.ahead[index] && self.speed_doubt < self.speed[index]) {
            return None;
        }
        let doubt = self.length_doubt + t * self.speed_doubt;
        let (mut parted, mut close) = (false, false);
        for axis in 0..AXES {
            let way = t * self.speed[axis];
            // What is apart along one axis when it meets along another never touches.
            parted |= self.left[axis] < way - doubt;
            close |= (self.left[axis] < way + doubt) & (self.speed[axis] != 0.0);
        }
        if parted {
            return Some(Err(Parted));
        }
        (!close).then_some(Ok((t, index)))
    }
}

/// Positions, reaches and speeds along an axis err by less than this part of the lengths and speeds that were
/// projected: a dozen roundings each.
const AXIS_ROUNDING: f64 = 64.0 * f64::EPSILON;
