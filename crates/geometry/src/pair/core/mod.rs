//! Two cores: how deep they overlap by separating axes, how far apart they are by nearest features.
//!
//! The separation along a unit vector n is σ(n) = min n·b − max n·a, evaluated honestly from all
//! vertices. Every n is a certificate: σ(n) > 0 proves the cores disjoint, and moving b by −σ(n)·n
//! separates them. A finite set of axes, which each dimension lists, contains one that maximises σ when
//! the cores overlap, so depth = −max σ. When they do not overlap, the distance is that of the nearest
//! vertex and feature or of the nearest two edges, and the maximum over the axes is a lower bound.
//!
//! Steps:
//! 1. σ over all axes. Clearly negative: overlap, by that depth.
//! 2. Otherwise the nearest features. σ > 0 proves that their distance is the answer; so does a clearly
//!    positive σ along their connection, which finds gaps that no axis shows: between the tips of
//!    needles, or in the common plane of flat cores.
//! 3. Otherwise the cores touch up to rounding, and the answer is σ of step 1.
//!
//! Points of an overlapping pair: b is moved out along n until it touches, and the nearest features,
//! which lie on the supports of n, are moved back.
//!
//! Degenerate cores (repeated or collinear corners, flat boxes) are legal: an axis of length zero is
//! passed over.

mod form;

pub(crate) use form::{ALL, CORNERS, Core, Corners, Form};

use super::nearest::{Foot, foot_on_segment};
use super::segments::Segments;
use crate::answer::Separation;
use crate::scale;
use carom_math::{Number, Vector};

/// An eighth of the bound on the rounding errors: more than the errors of a projection, so a gap that is
/// wider is a gap. Half as much would take noise for gaps, twice as much would call tiny gaps touching.
pub(super) const DOUBT: f64 = 0.125;

/// A plane between the cores that is as thick as a distance, up to this part of the bound on the rounding
/// errors, proves that nothing is nearer.
pub(crate) const PROOF: f64 = 0.0625;

/// A direction and the separation along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<V> {
    /// σ(normal)
    pub(crate) separation: f64,
    /// A unit vector, from a to b.
    pub(crate) normal: V,
}

impl<V: Vector<Scalar = f64>> Axis<V> {
    /// Less than every axis.
    pub(crate) fn none() -> Self {
        Axis { separation: f64::NEG_INFINITY, normal: V::unit(0) }
    }

    /// Keeps the better of this axis and ±`axis`, which may have any length; the first of equals.
    /// The projections are divided by the length, not the axis: they stay exact where the axis is.
    #[inline]
    pub(crate) fn improve(&mut self, a: &Core<V>, b: &Core<V>, axis: V) {
        if axis == V::ZERO {
            return;
        }
        // An edge may be shorter than anything that can be multiplied.
        let axis = scale::rescaling(axis.max_abs()).map_or(axis, |factor| axis * factor);
        let ([a_low, a_high], [b_low, b_high]) = (a.extent_along(axis), b.extent_along(axis));
        let (forward, backward) = (b_low - a_high, a_low - b_high);
        // Few axes are better than all before.
        if !may_improve(forward.max_of(backward), axis.dot(axis), self.separation) {
            return;
        }
        let length = Vector::length(axis);
        if self.separation < forward / length {
            *self = Axis { separation: forward / length, normal: axis / length };
        }
        if self.separation < backward / length {
            *self = Axis { separation: backward / length, normal: -axis / length };
        }
    }
}

/// Whether numerator/√squared may exceed `best`: an answer without root or division, in doubt yes. All three
/// are within the range of the kernels, or `best` is infinite.
#[inline(always)]
pub(crate) fn may_improve(numerator: f64, squared: f64, best: f64) -> bool {
    const DOUBT: f64 = 16.0 * f64::EPSILON;
    let (ours, theirs) = (numerator * numerator, best * best * squared);
    if best < 0.0 {
        0.0 <= numerator || ours <= theirs * (1.0 + DOUBT)
    } else {
        0.0 < numerator && theirs * (1.0 - DOUBT) <= ours
    }
}

/// The nearest points of two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest<V> {
    pub(crate) point_a: V,
    pub(crate) point_b: V,
    /// Along point_b − point_a; its length need not be the distance.
    pub(crate) direction: V,
    pub(crate) distance: f64,
}

impl<V: Vector<Scalar = f64>> Closest<V> {
    /// Farther than everything.
    pub(crate) fn none() -> Self {
        Closest { point_a: V::ZERO, point_b: V::ZERO, direction: V::ZERO, distance: f64::INFINITY }
    }
    /// Keeps the nearer of the two, the first of equals.
    #[inline(always)]
    pub(crate) fn improve(&mut self, other: Self) {
        if other.distance < self.distance {
            *self = other;
        }
    }
    /// Keeps a nearer foot on b of the corner `p` of a.
    #[inline(always)]
    pub(crate) fn improve_from_a(&mut self, p: V, foot: Foot<V>) {
        self.improve(Closest {
            point_a: p,
            point_b: foot.point,
            direction: -foot.offset,
            distance: foot.distance,
        });
    }
    /// Keeps a nearer foot on a of the corner `p` of b.
    #[inline(always)]
    pub(crate) fn improve_from_b(&mut self, p: V, foot: Foot<V>) {
        self.improve(Closest {
            point_a: foot.point,
            point_b: p,
            direction: foot.offset,
            distance: foot.distance,
        });
    }
}

impl<V: Vector<Scalar = f64>> Closest<V> {
    /// The answer for radii around the cores, if the points are proved to be the nearest: by a distance
    /// that stands out of the rounding errors, and `separation_along` = σ of their direction.
    #[inline(always)]
    pub(crate) fn proved(
        self,
        separation_along: impl FnOnce(V) -> f64,
        [radius_a, radius_b]: [f64; 2],
        error: f64,
    ) -> Option<Separation<V>> {
        let normal = self.direction.normalized()?;
        let proved = self.distance - PROOF * error <= separation_along(normal);
        (proved && DOUBT * error < self.distance).then(|| Separation {
            separation: self.distance - (radius_a + radius_b),
            error,
            normal,
            point_a: self.point_a + normal * radius_a,
            point_b: self.point_b - normal * radius_b,
        })
    }
}

/// What differs between the plane and space.
pub(crate) trait Flats: Vector<Scalar = f64> {
    /// The axes of a box and a segment that are not faces of the box: perpendicular to the segment and to
    /// an edge of the box; not of unit length. The second number counts them.
    fn across(direction: Self) -> ([Self; 3], usize);
    /// Keeps nearer points between the insides of two edges, given by their ends; none in the plane.
    fn improve_between(closest: &mut Closest<Self>, of_a: [Self; 2], of_b: [Self; 2]);
    /// How deep two segments with radii overlap, if they clearly cross; `None` in space, where they do not.
    fn crossing(segments: &Segments<Self>) -> Option<Separation<Self>>;
    /// The best of a complete set of axes; may stop early once the separation exceeds `enough`.
    fn best_axis(a: &Core<Self>, b: &Core<Self>, enough: f64) -> Axis<Self>;
    /// The foot of a point on a triangle: on its face in space, on its outline in the plane.
    fn foot_on_triangle(corners: [Self; 3], normal: Self, p: Self) -> Foot<Self>;
    /// Keeps nearer points between the insides of edges.
    fn improve_by_edges(
        closest: &mut Closest<Self>,
        a: &Core<Self>,
        b: &Core<Self>,
        of_a: Corners,
        of_b: Corners,
    );
}

/// Whether both corners of an edge take part.
#[inline(always)]
pub(crate) fn takes_part([from, to]: [usize; 2], corners: Corners) -> bool {
    corners >> from & corners >> to & 1 == 1
}

#[inline]
fn foot<V: Flats>(core: &Core<V>, p: V) -> Foot<V> {
    let [a, b, c, ..] = core.corners;
    match core.form {
        Form::Point => Foot::at(a, p),
        Form::Segment => foot_on_segment(a, b, p),
        Form::Triangle { normal } => V::foot_on_triangle([a, b, c], normal, p),
        Form::Box(placed) => placed.foot(p),
    }
}

fn improve_by_corners<V: Flats>(
    closest: &mut Closest<V>,
    a: &Core<V>,
    b: &Core<V>,
    of_a: Corners,
    of_b: Corners,
) {
    for (index, corner) in a.corners().iter().enumerate() {
        if of_a >> index & 1 == 1 {
            closest.improve_from_a(*corner, foot(b, *corner));
        }
    }
    for (index, corner) in b.corners().iter().enumerate() {
        if of_b >> index & 1 == 1 {
            closest.improve_from_b(*corner, foot(a, *corner));
        }
    }
}

/// σ(n) for a unit vector.
#[inline]
fn separation_along<V: Vector<Scalar = f64>>(a: &Core<V>, b: &Core<V>, n: V) -> f64 {
    let ([_, a_high], [b_low, _]) = (a.extent_along(n), b.extent_along(n));
    b_low - a_high
}

/// Whether a plane between the cores is as thick as the distance, so that nothing is nearer.
#[inline]
fn is_proved<V: Vector<Scalar = f64>>(near: &Closest<V>, a: &Core<V>, b: &Core<V>, error: f64) -> bool {
    let along = near.direction.normalized().map(|n| separation_along(a, b, n));
    along.is_some_and(|separation| near.distance - PROOF * error <= separation)
}

/// The nearest points, given that the cores do not overlap. `error` bounds the rounding errors.
///
/// For every unit vector n, points p of a and q of b are at least n·q − n·p apart. So with n along the
/// nearest points so far only corners and edges need to be looked at that reach far enough along n. The first
/// two points are the corners that face each other along `towards`, from a to b; zero where nobody knows.
pub(crate) fn closest<V: Flats>(a: &Core<V>, b: &Core<V>, towards: V, error: f64) -> Closest<V> {
    let mut closest = Closest::none();
    if towards != V::ZERO {
        let (facing_a, facing_b) = (a.highest(towards), b.highest(-towards));
        closest.improve_from_a(facing_a, foot(b, facing_a));
        closest.improve_from_b(facing_b, foot(a, facing_b));
        if is_proved(&closest, a, b, error) {
            return closest;
        }
    }
    let Some(n) = closest.direction.normalized() else {
        improve_by_corners(&mut closest, a, b, ALL, ALL);
        if is_proved(&closest, a, b, error) {
            return closest;
        }
        V::improve_by_edges(&mut closest, a, b, ALL, ALL);
        return of_equals(closest, a, b, error);
    };
    let heights = |core: &Core<V>| core.corners.map(|corner| n.dot(corner));
    let (heights_a, heights_b) = (heights(a), heights(b));
    let slack = DOUBT * error;
    let (low, high) = (lowest_of(heights_b, b.count), -lowest_of(heights_a.map(|height| -height), a.count));
    for (corner, height) in a.corners().iter().zip(heights_a) {
        if low - height <= closest.distance + slack {
            closest.improve_from_a(*corner, foot(b, *corner));
        }
    }
    for (corner, height) in b.corners().iter().zip(heights_b) {
        if height - high <= closest.distance + slack {
            closest.improve_from_b(*corner, foot(a, *corner));
        }
    }
    if V::DIM == 2 {
        return of_equals(closest, a, b, error);
    }
    if is_proved(&closest, a, b, error) {
        return closest;
    }
    for &[from_a, to_a] in a.edges() {
        let high = heights_a[from_a].max_of(heights_a[to_a]);
        if closest.distance + slack < low - high {
            continue;
        }
        for &[from_b, to_b] in b.edges() {
            let low = heights_b[from_b].min_of(heights_b[to_b]);
            if low - high <= closest.distance + slack {
                let edge_a = [a.corners[from_a], a.corners[to_a]];
                V::improve_between(&mut closest, edge_a, [b.corners[from_b], b.corners[to_b]]);
            }
        }
    }
    of_equals(closest, a, b, error)
}

/// Of features that are as near as the nearest ones up to rounding, those whose direction proves the most.
///
/// A corner that is 10⁻⁹ beside the foot of another one on its edge is no farther away than the foot, in 16 digits: distances grow with the square. Their directions
/// differ by 10⁻⁹, and only that from the foot separates the cores by their distance.
#[inline]
fn of_equals<V: Flats>(near: Closest<V>, a: &Core<V>, b: &Core<V>, error: f64) -> Closest<V> {
    // Below the rounding errors a connection has no direction.
    if near.distance <= error || is_proved(&near, a, b, error) {
        near
    } else {
        best_proved(near, a, b, error)
    }
}

#[cold]
#[inline(never)]
fn best_proved<V: Flats>(near: Closest<V>, a: &Core<V>, b: &Core<V>, error: f64) -> Closest<V> {
    let proof = |near: &Closest<V>| {
        near.direction.normalized().map_or(f64::NEG_INFINITY, |n| separation_along(a, b, n))
    };
    let (mut best, mut most) = (near, proof(&near));
    let mut consider = |other: Closest<V>| {
        if other.distance <= near.distance + DOUBT * error && most < proof(&other) {
            (best, most) = (other, proof(&other));
        }
    };
    let mut each = |of_a: Corners, of_b: Corners| {
        let mut alone = Closest::none();
        improve_by_corners(&mut alone, a, b, of_a, of_b);
        consider(alone);
    };
    (0..a.count).for_each(|index| each(1 << index, 0));
    (0..b.count).for_each(|index| each(0, 1 << index));
    for &[from_a, to_a] in a.edges() {
        for &[from_b, to_b] in b.edges() {
            let mut alone = Closest::none();
            let edge_a = [a.corners[from_a], a.corners[to_a]];
            V::improve_between(&mut alone, edge_a, [b.corners[from_b], b.corners[to_b]]);
            consider(alone);
        }
    }
    best
}

fn lowest_of(heights: [f64; CORNERS], count: usize) -> f64 {
    heights.into_iter().take(count).fold(f64::INFINITY, |lowest, height| height.min_of(lowest))
}

/// How two cores with radii relate, given the best axis of a complete set. `error` bounds the rounding
/// errors of the pair.
pub(crate) fn resolve<V: Flats>(
    a: &Core<V>,
    b: &Core<V>,
    axis: Axis<V>,
    radii: [f64; 2],
    error: f64,
) -> Separation<V> {
    if axis.separation < -error {
        return overlapping(a, b, axis, radii, error);
    }
    let near = closest(a, b, axis.normal, error);
    let along = near.direction.normalized().map_or(f64::NEG_INFINITY, |n| separation_along(a, b, n));
    if 0.0 < axis.separation || DOUBT * error < along {
        return apart(near, axis, radii, error);
    }
    // Touching up to rounding; were it a gap after all, it could not be wider than the nearest features.
    overlapping(a, b, axis, radii, error + (near.distance - axis.separation).max_of(0.0))
}

/// The cores do not overlap: their distance less the radii.
pub(crate) fn apart<V: Vector<Scalar = f64>>(
    near: Closest<V>,
    axis: Axis<V>,
    [radius_a, radius_b]: [f64; 2],
    error: f64,
) -> Separation<V> {
    // Below the rounding errors the connection has no direction of its own.
    let connection = if DOUBT * error < near.distance { near.direction.normalized() } else { None };
    let normal = connection.unwrap_or(axis.normal);
    // The axis is a lower bound: rounding must not let the two disagree.
    let distance = near.distance.max_of(axis.separation);
    Separation {
        separation: distance - (radius_a + radius_b),
        error,
        normal,
        point_a: near.point_a + normal * radius_a,
        point_b: near.point_b - normal * radius_b,
    }
}

fn overlapping<V: Flats>(
    a: &Core<V>,
    b: &Core<V>,
    axis: Axis<V>,
    [radius_a, radius_b]: [f64; 2],
    error: f64,
) -> Separation<V> {
    let normal = axis.normal;
    let back = normal * axis.separation;
    let moved = b.moved(-back);
    let ([_, a_high], [b_low, _]) = (a.extent_along(normal), moved.extent_along(normal));
    let slack = 16.0 * error;
    let support = |core: &Core<V>, takes: &dyn Fn(f64) -> bool| {
        let corners = core.corners().iter().enumerate();
        corners.fold(0, |mask, (index, corner)| mask | u32::from(takes(normal.dot(*corner))) << index)
    };
    let of_a = support(a, &|along| a_high - slack <= along);
    let of_b = support(&moved, &|along| along <= b_low + slack);
    let mut near = Closest::none();
    let is_edge = |corners: Corners| V::DIM == 3 && corners.count_ones() == 2;
    if is_edge(of_a) && is_edge(of_b) {
        V::improve_by_edges(&mut near, a, &moved, of_a, of_b);
    }
    // One corner on a face is enough.
    if DOUBT * error < near.distance && of_b.count_ones() < of_a.count_ones() {
        improve_by_corners(&mut near, a, &moved, 0, of_b);
    }
    if DOUBT * error < near.distance {
        improve_by_corners(&mut near, a, &moved, of_a, 0);
    }
    if DOUBT * error < near.distance {
        improve_by_corners(&mut near, a, &moved, 0, of_b);
    }
    if DOUBT * error < near.distance {
        V::improve_by_edges(&mut near, a, &moved, of_a, of_b);
    }
    if error < near.distance {
        improve_by_corners(&mut near, a, &moved, ALL, ALL);
        V::improve_by_edges(&mut near, a, &moved, ALL, ALL);
    }
    Separation {
        separation: axis.separation - (radius_a + radius_b),
        error,
        normal,
        point_a: near.point_a + normal * radius_a,
        point_b: near.point_b + back - normal * radius_b,
    }
}

/// How two cores with radii relate, or `None` when an axis shows them farther apart than `limit`.
pub(crate) fn relate_within<V: Flats>(
    a: &Core<V>,
    b: &Core<V>,
    radii: [f64; 2],
    error: f64,
    limit: f64,
) -> Option<Separation<V>> {
    if is_slender(a) && is_slender(b) {
        return Some(relate(a, b, radii, error));
    }
    let enough = radii[0] + radii[1] + limit + error;
    // The nearest features need no better axis than one that shows a clear gap.
    let axis = V::best_axis(a, b, error);
    (axis.separation <= enough).then(|| resolve(a, b, axis, radii, error))
}

/// How two cores with radii relate.
pub(crate) fn relate<V: Flats>(a: &Core<V>, b: &Core<V>, radii: [f64; 2], error: f64) -> Separation<V> {
    if is_slender(a) && is_slender(b) {
        // In space, where edges are features too, the nearest ones tell crossing from apart without
        // any axis.
        let near = closest(a, b, V::ZERO, error);
        if DOUBT * error < near.distance {
            return apart(near, Axis::none(), radii, error);
        }
    }
    resolve(a, b, V::best_axis(a, b, error), radii, error)
}

/// Whether two cores with radii touch: what [`relate`] says, often sooner.
pub(crate) fn touch<V: Flats>(a: &Core<V>, b: &Core<V>, radii: [f64; 2], error: f64) -> bool {
    let reach = radii[0] + radii[1];
    if is_slender(a) && is_slender(b) {
        return relate(a, b, radii, error).separation <= 0.0;
    }
    // Beyond the rounding errors any axis decides; within them the answer is that of the distance.
    let axis = V::best_axis(a, b, reach + error);
    if reach + error < axis.separation {
        return false;
    }
    axis.separation < -error || relate(a, b, radii, error).separation <= 0.0
}

pub(crate) fn is_slender<V: Vector>(core: &Core<V>) -> bool {
    V::DIM == 3 && matches!(core.form, Form::Point | Form::Segment)
}
