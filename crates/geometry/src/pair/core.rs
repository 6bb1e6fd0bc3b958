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

use super::nearest::{Foot, foot_on_segment};
use super::place::{Relative, Turn};
use super::segments::Segments;
use crate::answer::Separation;
use crate::scale;
use carom_math::{Number, Real, Vector};

/// Corners at most: those of a box in space.
pub(crate) const CORNERS: usize = 8;

/// An eighth of the bound on the rounding errors: more than the errors of a projection, so a gap that is
/// wider is a gap. Half as much would take noise for gaps, twice as much would call tiny gaps touching.
pub(super) const DOUBT: f64 = 0.125;

/// A plane between the cores that is as thick as a distance, up to this part of the bound on the rounding
/// errors, proves that nothing is nearer.
pub(crate) const PROOF: f64 = 0.0625;

/// A point, a segment, a triangle or a box, in the frame of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<V> {
    corners: [V; CORNERS],
    count: usize,
    pub(crate) form: Form<V>,
}

/// What the corners span.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<V> {
    /// One corner.
    Point,
    /// Two different corners.
    Segment,
    /// Three corners, not all equal. The normal is (b − a) × (c − a) in space, (area, 0) in the plane;
    /// zero when they lie on one line.
    Triangle { normal: V },
    /// 2 or 2³ corners; bit i of the index chooses the side along axis i.
    Box(PlacedBox<V>),
}

/// A box somewhere: c + Σ λᵢ·axisᵢ with |λᵢ| <= halfᵢ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBox<V> {
    pub(crate) center: V,
    pub(crate) axes: [V; 3],
    pub(crate) half: V,
}

/// Which corners take part: bit i for corner i.
pub(crate) type Corners = u32;
/// All of them.
pub(crate) const ALL: Corners = u32::MAX;

impl<V: Vector<Scalar = f64>> Core<V> {
    /// A segment, or a point when both ends are equal.
    pub(crate) fn segment(a: V, b: V) -> Self {
        let mut corners = [a; CORNERS];
        corners[1] = b;
        if a == b {
            Core { corners, count: 1, form: Form::Point }
        } else {
            Core { corners, count: 2, form: Form::Segment }
        }
    }

    /// A triangle with the given normal, or less when all corners are equal.
    pub(crate) fn triangle([a, b, c]: [V; 3], normal: V) -> Self {
        if a == b && b == c {
            return Self::segment(a, b);
        }
        let mut corners = [a; CORNERS];
        (corners[1], corners[2]) = (b, c);
        Core { corners, count: 3, form: Form::Triangle { normal } }
    }

    /// A box about the origin of the frame that `place` puts into the frame of the pair.
    pub(crate) fn cuboid<M: Turn<V>>(half: V, place: &Relative<V, M>) -> Self {
        let axes = [0, 1, 2].map(|axis| place.rotation.column(axis));
        let center = place.translation;
        let mut corners = [center; CORNERS];
        for (index, corner) in corners.iter_mut().enumerate().take(1 << V::DIM) {
            for (axis, direction) in axes.into_iter().enumerate().take(V::DIM) {
                let reach = half.get(axis);
                *corner += direction * if index >> axis & 1 == 1 { reach } else { -reach };
            }
        }
        Core { corners, count: 1 << V::DIM, form: Form::Box(PlacedBox { center, axes, half }) }
    }

    /// The corners.
    #[inline(always)]
    pub(crate) fn corners(&self) -> &[V] {
        &self.corners[..self.count]
    }

    /// Pairs of indices of corners that an edge connects.
    pub(crate) fn edges(&self) -> &'static [[usize; 2]] {
        match self.form {
            Form::Point => &[],
            Form::Segment => &[[0, 1]],
            Form::Triangle { .. } => &[[0, 1], [1, 2], [2, 0]],
            Form::Box(_) if V::DIM == 2 => &[[0, 1], [1, 3], [3, 2], [2, 0]],
            Form::Box(_) => &[
                [0, 1],
                [2, 3],
                [4, 5],
                [6, 7],
                [0, 2],
                [1, 3],
                [4, 6],
                [5, 7],
                [0, 4],
                [1, 5],
                [2, 6],
                [3, 7],
            ],
        }
    }

    /// The directions of the edges, each once, not of unit length.
    #[inline]
    pub(crate) fn directions(&self) -> ([V; 3], usize) {
        let [a, b, c, ..] = self.corners;
        match self.form {
            Form::Point => ([V::ZERO; 3], 0),
            Form::Segment => ([b - a, V::ZERO, V::ZERO], 1),
            Form::Triangle { .. } => ([b - a, c - b, a - c], 3),
            Form::Box(placed) => (placed.axes, V::DIM),
        }
    }

    /// The longest edge of a triangle, the only edge of a segment; the first of equals. Brought near to 1 where squares
    /// would vanish: beside what is far away edges may be as short as that, and the first may be none at all.
    pub(crate) fn longest_edge(&self) -> V {
        let (directions, count) = self.directions();
        let size = scale::largest(directions.map(Vector::max_abs));
        let directions = scale::rescaling(size).map_or(directions, |factor| directions.map(|d| d * factor));
        let mut longest = directions[0];
        for direction in directions.into_iter().take(count).skip(1) {
            if longest.length_squared() < direction.length_squared() {
                longest = direction;
            }
        }
        longest
    }

    /// Smallest and largest n·p over the corners: of a box by its axes.
    #[inline]
    pub(crate) fn extent_along(&self, n: V) -> [f64; 2] {
        if let Form::Box(placed) = &self.form {
            let (middle, reach) = (n.dot(placed.center), placed.reach_along(n));
            return [middle - reach, middle + reach];
        }
        let first = n.dot(self.corners[0]);
        let (mut low, mut high) = (first, first);
        for corner in &self.corners()[1..] {
            let along = n.dot(*corner);
            low = along.min_of(low);
            high = along.max_of(high);
        }
        [low, high]
    }

    /// The corner that is highest along n, the first of equals.
    #[inline]
    fn highest(&self, n: V) -> V {
        let mut highest = (n.dot(self.corners[0]), self.corners[0]);
        for corner in &self.corners()[1..] {
            let height = n.dot(*corner);
            if highest.0 < height {
                highest = (height, *corner);
            }
        }
        highest.1
    }

    fn moved(mut self, by: V) -> Self {
        for corner in &mut self.corners {
            *corner += by;
        }
        if let Form::Box(placed) = &mut self.form {
            placed.center += by;
        }
        self
    }
}

impl<V: Vector<Scalar = f64>> PlacedBox<V> {
    /// How far the box reaches from its centre along n, times the length of n.
    #[inline]
    fn reach_along(&self, n: V) -> f64 {
        let along = |axis: usize| n.dot(self.axes[axis]).abs() * self.half.get(axis);
        let plane = along(0) + along(1);
        if V::DIM == 2 { plane } else { plane + along(2) }
    }

    /// The foot of `p` on the solid box: `p` itself inside.
    #[inline]
    pub(crate) fn foot(&self, p: V) -> Foot<V> {
        let from_center = p - self.center;
        let mut point = self.center;
        let mut beyond = V::ZERO;
        let mut offset = V::ZERO;
        for (axis, direction) in self.axes.into_iter().enumerate().take(V::DIM) {
            let (along, reach) = (direction.dot(from_center), self.half.get(axis));
            let clamped = along.clamp_to(-reach, reach);
            point += direction * clamped;
            beyond = beyond.with(axis, along - clamped);
            offset += direction * (along - clamped);
        }
        if beyond == V::ZERO {
            return Foot { point: p, offset: V::ZERO, distance: 0.0 };
        }
        Foot { point, offset, distance: Vector::length(beyond) }
    }
}

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
        if !is_proved(&closest, a, b, error) {
            V::improve_by_edges(&mut closest, a, b, ALL, ALL);
        }
        return closest;
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
    if V::DIM == 2 || is_proved(&closest, a, b, error) {
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
    closest
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
