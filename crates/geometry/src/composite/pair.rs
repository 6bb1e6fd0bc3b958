//! Two shapes at rest: do they touch, how far apart, where do they touch.

use super::descent::Side;
use super::view::{AtRest, are_beyond};
use super::walk::{Actor, Near, Task, walk, walk_among};
use super::{Kernels, Place};
use crate::answer::Separation;
use crate::manifold::{FeaturePair, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// Two shapes in the canonical order and at the scale of the kernels, the second seen from the first.
pub(crate) struct Both<'a, K: Kernels> {
    pub(crate) shapes: [&'a K::Shape; 2],
    pub(crate) place: Place<K>,
    /// The rounding errors of a kernel are below this, those of composing poses included.
    pub(crate) error: f64,
    /// Their poses in a frame with the axes of the world and its origin at the first shape, at scale.
    pub(crate) poses: [K::Pose; 2],
    /// Answers in `f32` are asked for.
    pub(crate) is_narrow: bool,
    /// The parts of the first shape that are near the second, where a cache knows them.
    pub(crate) near: Option<Near<'a, K::Vector>>,
}

/// The separation of two parts, in the frame of the first shape, and which they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<V: Vector<Scalar = f64>> {
    pub(crate) separation: Separation<V>,
    pub(crate) parts: [u32; 2],
    /// By what it is compared: the separation that the kernel found, see [`super::contact::PartContact::found`].
    pub(crate) order: f64,
    /// By how much it is deeper than that.
    pub(super) excess: f64,
}

/// Overlaps that are deeper than this, 2⁻²⁰ of the size of a pair, are beyond any doubt, that of what was rounded to `f32` included.
pub(crate) fn decisive(error: f64) -> f64 {
    error * (1 << 26) as f64
}

impl<'a, K: Kernels> Both<'a, K> {
    /// What boxes, bounds and kernels may err by together.
    pub(super) fn slack(&self) -> f64 {
        4.0 * self.error
    }

    /// Brings the pairs of parts before the task that its limit does not exclude.
    pub(super) fn walk<T: Task<K>>(&self, task: &mut T) -> ControlFlow<()> {
        let [a, b] = self.shapes.map(Actor::whole);
        match self.near {
            Some(near) => walk_among(&a, &b, &self.place, self.slack(), near, task),
            None => walk(&a, &b, &self.place, self.slack(), task),
        }
    }

    /// Whether they have a common point.
    pub(crate) fn intersects(&self) -> bool {
        let mut task = Touch { error: self.error, is_found: false };
        let _ = self.walk(&mut task);
        task.is_found
    }

    /// The deepest contact of shapes that have a common point; `None` for an overlap without end.
    pub(crate) fn touch(&self) -> Option<Found<K::Vector>> {
        self.deepest(0.0).or_else(|| self.separation(f64::INFINITY))
    }

    /// How far apart they are, or how deep the deepest contact is; `None` when that is beyond `limit`.
    pub(crate) fn separation(&self, limit: f64) -> Option<Found<K::Vector>> {
        // Of what does not touch nothing else is to be known.
        if limit <= 0.0 {
            return self.deepest(0.0);
        }
        let mut task = Closest::<K>::new(self.error, self.is_narrow, limit);
        match self.walk(&mut task) {
            ControlFlow::Continue(()) => task.found(),
            ControlFlow::Break(()) => self.deepest(0.0).or_else(|| {
                let best = task.best?;
                Some(if self.intersects() { best } else { best.just_apart() })
            }),
        }
    }

    /// How far apart they are. Of shapes that overlap beyond doubt, an infinite depth: which it is, is not looked for.
    pub(crate) fn gap(&self) -> Option<Found<K::Vector>> {
        let mut task = Closest::<K>::new(self.error, self.is_narrow, f64::INFINITY);
        task.enough = -decisive(self.error);
        match (self.walk(&mut task), task.best) {
            (ControlFlow::Break(()), Some(best)) if best.order <= task.enough => {
                let separation = Separation { separation: f64::NEG_INFINITY, ..best.separation };
                Some(Found { separation, ..best })
            }
            // What merely touches is measured as for a distance, so that all answers agree.
            (_, Some(best)) if best.separation.separation <= 0.0 => self.separation(f64::INFINITY),
            _ => task.found(),
        }
    }

    /// A lower bound on their distance, as far as boxes and glances tell, up to `limit`.
    pub(crate) fn clearance(&self, limit: f64) -> f64 {
        let mut task = Clear { least: limit };
        let _ = self.walk(&mut task);
        // What boxes and glances are off by.
        if task.least < limit { task.least - self.slack() } else { limit }
    }

    /// The deepest contact among those of parts at most `margin` apart.
    pub(crate) fn deepest(&self, margin: f64) -> Option<Found<K::Vector>> {
        let mut best: Option<Found<K::Vector>> = None;
        let raw = self.contacts(margin, true, |contact| {
            let found = contact.found();
            if best.as_ref().is_none_or(|best| found.comes_before(best)) {
                best = Some(found);
            }
            Ok(())
        });
        // The visitor has no errors.
        best.or(raw.ok().flatten())
    }

    /// The manifold of one point that stands for a separation, in the frame of [`Both::poses`].
    pub(crate) fn single_point(&self, found: &Found<K::Vector>) -> Manifold<K::Vector> {
        let (frame, found) = (K::place_of(self.poses[0]), &found.separation);
        let point = frame.point(found.point_a * 0.5 + found.point_b * 0.5);
        let (depth, feature) = (0.0 - found.separation, FeaturePair::default());
        Manifold::single(frame.rotation.apply(found.normal), ManifoldPoint { point, depth, feature })
    }
}

impl<V: Vector<Scalar = f64>> Found<V> {
    pub(super) fn new(separation: Separation<V>, parts: [u32; 2]) -> Self {
        Found { separation, parts, order: separation.separation, excess: 0.0 }
    }

    /// The same of parts that touch up to rounding by the kernel for distances, and not by those that `intersects` asks: as far apart as their points,
    /// or as that kernel may err; where the points are one, by a part of what it may err.
    fn just_apart(mut self) -> Self {
        let Separation { point_a, point_b, error, separation, .. } = self.separation;
        if separation.abs() <= error {
            let apart = (point_b - point_a).length().min_of(error);
            self.separation.separation = if 0.0 < apart { apart } else { f64::EPSILON * error };
        }
        self
    }

    /// Closer or deeper; of equals the one whose normal makes the least of it, then the lower parts.
    pub(crate) fn comes_before(&self, other: &Self) -> bool {
        let (own, others) = ([self.order, self.excess], [other.order, other.excess]);
        own < others || (own == others && self.parts < other.parts)
    }
}

struct Touch {
    error: f64,
    is_found: bool,
}

impl<K: Kernels> Task<K> for Touch {
    type View = AtRest<K>;
    const INSIDES: bool = true;
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> AtRest<K> {
        // What overlaps most comes first: that touches more likely, and is easier to tell.
        AtRest::new(a, place, sides).with_depths(true)
    }
    fn limit(&self) -> f64 {
        0.0
    }
    fn is_out_of_sight(&self, place: &Place<K>, sides: [&Side<'_, K>; 2], slack: f64) -> bool {
        are_beyond(place, sides, slack)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        if K::is_beyond(a.shape, b.shape, place, 0.0, self.error) {
            return ControlFlow::Continue(());
        }
        if K::touch(a.shape, b.shape, place, self.error) { self.found() } else { ControlFlow::Continue(()) }
    }
    fn touching(&self) -> usize {
        usize::from(self.is_found)
    }
    fn inside(&mut self, _: &Actor<'_, K>, _: &Actor<'_, K>, _: &Place<K>, _: bool) -> ControlFlow<()> {
        self.found()
    }
}

impl Touch {
    fn found(&mut self) -> ControlFlow<()> {
        self.is_found = true;
        ControlFlow::Break(())
    }
}

/// The least bound on the distance of parts so far; breaks off when there is none.
struct Clear {
    least: f64,
}

impl<K: Kernels> Task<K> for Clear {
    type View = AtRest<K>;
    const INSIDES: bool = true;
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> AtRest<K> {
        AtRest::new(a, place, sides)
    }
    fn limit(&self) -> f64 {
        self.least
    }
    fn is_out_of_sight(&self, place: &Place<K>, sides: [&Side<'_, K>; 2], slack: f64) -> bool {
        are_beyond(place, sides, self.least + slack)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        self.meet_beyond(a, b, place, 0.0)
    }
    fn meet_beyond(
        &mut self,
        a: &Actor<'_, K>,
        b: &Actor<'_, K>,
        place: &Place<K>,
        lower: f64,
    ) -> ControlFlow<()> {
        if lower < self.least {
            self.least = K::gap_at_a_glance(a.shape, b.shape, place).max_of(lower).min_of(self.least);
        }
        if 0.0 < self.least { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
    fn inside(&mut self, _: &Actor<'_, K>, _: &Actor<'_, K>, _: &Place<K>, _: bool) -> ControlFlow<()> {
        self.least = 0.0;
        ControlFlow::Break(())
    }
}

/// Breaks off when shapes touch, or overlap by enough.
struct Closest<K: Kernels> {
    error: f64,
    is_narrow: bool,
    limit: f64,
    /// The separation at which it breaks off, not positive.
    enough: f64,
    best: Option<Found<K::Vector>>,
    /// Parts were passed over that are as far apart as the closest, or nearer by no more than [`TIE`].
    is_tied: bool,
}

/// Parts that are this much nearer than others, as part of the error of kernels, are as near as these: over a flat floor of a hundred
/// triangles a box is as far from each, and one is enough to tell.
const TIE: f64 = 0.25;

/// What the distance may be off by then, likewise: boxes and support points err too.
const TIED: f64 = TIE + 1.0;

impl<K: Kernels> Closest<K> {
    fn new(error: f64, is_narrow: bool, limit: f64) -> Self {
        Closest { error, is_narrow, limit, enough: 0.0, best: None, is_tied: false }
    }

    /// Whether parts may be passed over that are as near as the best: not where some may touch and others not, which all questions have to agree
    /// about.
    fn has_ties(&self) -> bool {
        4.0 * self.error < self.limit
    }

    /// The closest parts, with what the distance may be off by.
    fn found(&self) -> Option<Found<K::Vector>> {
        let doubt = if self.is_tied { TIED * self.error } else { 0.0 };
        self.best.map(|mut best| {
            best.separation.error += doubt;
            best
        })
    }
}

impl<K: Kernels> Task<K> for Closest<K> {
    type View = AtRest<K>;
    const INSIDES: bool = true;
    const HAS_TIES: bool = true;
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> AtRest<K> {
        AtRest::new(a, place, sides).with_depths(true)
    }
    fn limit(&self) -> f64 {
        self.limit
    }
    fn is_out_of_sight(&self, place: &Place<K>, sides: [&Side<'_, K>; 2], slack: f64) -> bool {
        are_beyond(place, sides, self.limit + slack)
    }
    fn is_no_better(&mut self, lower: f64) -> bool {
        let is_tied = self.best.is_some() && self.has_ties() && self.limit - TIE * self.error <= lower;
        self.is_tied |= is_tied;
        is_tied
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        if self.is_no_closer(a, b, place) || K::is_beyond(a.shape, b.shape, place, self.limit, self.error) {
            return ControlFlow::Continue(());
        }
        // The depth of curved shapes takes long to find.
        if self.enough < 0.0 && K::overlap_by(a.shape, b.shape, place, self.error, -self.enough) {
            let overlap =
                Separation { separation: 2.0 * self.enough, error: self.error, ..Separation::APART };
            self.best = Some(Found::new(overlap, [a.first, b.first]));
            return ControlFlow::Break(());
        }
        let relate = if self.is_narrow { K::relate_narrow } else { K::relate };
        let Some(Relation::Separated(separation)) = relate(a.shape, b.shape, place, self.error, self.limit)
        else {
            return ControlFlow::Continue(());
        };
        let found = Found::new(in_whole(a, separation), [a.first, b.first]);
        if separation.separation <= self.limit && self.best.is_none_or(|best| found.comes_before(&best)) {
            self.best = Some(found);
            self.limit = separation.separation.max_of(0.0);
        }
        if separation.separation <= self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn inside(
        &mut self,
        a: &Actor<'_, K>,
        b: &Actor<'_, K>,
        place: &Place<K>,
        b_in_a: bool,
    ) -> ControlFlow<()> {
        self.best = Some(way_out(a, b, place, b_in_a, self.error));
        ControlFlow::Break(())
    }
}

impl<K: Kernels> Closest<K> {
    /// Whether the parts are farther apart than the best ones along the way between these, or as far: most pairs are that come up beside the
    /// closest, and two support points tell.
    fn is_no_closer(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> bool {
        let Some(best) = &self.best else { return false };
        let along = a.turned_into(best.separation.normal);
        let gap = gap_along::<K>(a.shape, b.shape, place, along);
        if K::plane(a.shape).is_some() {
            // Half-spaces have no farthest point.
            return false;
        }
        if self.limit + 4.0 * self.error < gap {
            return true;
        }
        let is_tied = self.has_ties() && self.limit - TIE * self.error <= gap;
        self.is_tied |= is_tied;
        is_tied
    }
}

/// How far apart two convex parts are along a direction of the first, by their support points.
pub(super) fn gap_along<K: Kernels>(a: &K::Shape, b: &K::Shape, place: &Place<K>, along: K::Vector) -> f64 {
    let lowest = place.point(K::farthest(b, -place.rotation.undo(along)));
    along.dot(lowest - K::farthest(a, along))
}

/// From the frame of a part to that of the whole.
pub(super) fn in_whole<K: Kernels>(
    actor: &Actor<'_, K>,
    found: Separation<K::Vector>,
) -> Separation<K::Vector> {
    let Some(local) = actor.local else { return found };
    let place = K::place_of(local);
    Separation {
        normal: place.rotation.apply(found.normal),
        point_a: place.point(found.point_a),
        point_b: place.point(found.point_b),
        ..found
    }
}

/// The way out of a solid for something inside: through the nearest point of its surface, and as far as all of
/// it needs to be beyond the plane there.
pub(super) fn way_out<K: Kernels>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    b_in_a: bool,
    error: f64,
) -> Found<K::Vector> {
    let mut task = Surfaces(Closest::<K>::new(error, false, f64::INFINITY));
    let (plain_a, plain_b) = (Actor { local: None, ..*a }, Actor { local: None, ..*b });
    let _ = walk(&plain_a, &plain_b, place, 4.0 * error, &mut task);
    let Some(found) = task.0.best else {
        let nowhere = Separation { error, normal: K::Vector::unit(0), ..Separation::APART };
        return Found::new(Separation { separation: 0.0, ..nowhere }, [a.first, b.first]);
    };
    if found.separation.separation <= 4.0 * error && !is_within(a, b, place, b_in_a, &found.separation, error)
    {
        let touch = Separation { separation: found.separation.separation.min_of(0.0), ..found.separation };
        return Found::new(in_whole(a, touch), found.parts);
    }
    let Separation { normal: inwards, point_a, point_b, .. } = found.separation;
    // The surfaces are connected by the shortest way, which leads inwards; the way out is the other way.
    let normal = -inwards;
    let (depth, point_a, point_b) = if b_in_a {
        let lowest = place.point(extreme::<K>(b.shape, -place.rotation.undo(normal)));
        let depth = normal.dot(point_a - lowest);
        (depth, lowest + normal * depth, lowest)
    } else {
        let highest = extreme::<K>(a.shape, normal);
        let depth = normal.dot(highest - point_b);
        (depth, highest, highest - normal * depth)
    };
    let separation = Separation { separation: 0.0 - depth, error, normal, point_a, point_b };
    Found::new(in_whole(a, separation), found.parts)
}

/// Whether a shape is within a solid that it touches, or as good as touches: a point of it that touches is on either side. Since surfaces do not cross, the point
/// that is farthest from the touch tells. What is flat there is not within.
fn is_within<K: Kernels>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    b_in_a: bool,
    touch: &Separation<K::Vector>,
    error: f64,
) -> bool {
    let (solid, inner) = if b_in_a { (a.shape, b.shape) } else { (b.shape, a.shape) };
    if K::parts(inner).is_some() {
        // Some of its pieces may be within and others not.
        return true;
    }
    let far = |along: K::Vector| {
        let point = match b_in_a {
            true => place.point(extreme::<K>(inner, place.rotation.undo(along))),
            false => extreme::<K>(inner, along),
        };
        (touch.normal.dot(point - touch.point_a).abs(), point)
    };
    let (ahead, behind) = (far(touch.normal), far(-touch.normal));
    let (reach, point) = if behind.0 < ahead.0 { ahead } else { behind };
    let seen = if b_in_a { point } else { K::inverse(place).point(point) };
    4.0 * error < reach && K::parts(solid).is_some_and(|solid| solid.contains(seen))
}

/// The same without insides.
struct Surfaces<K: Kernels>(Closest<K>);

impl<K: Kernels> Task<K> for Surfaces<K> {
    type View = AtRest<K>;
    const INSIDES: bool = false;
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> AtRest<K> {
        AtRest::new(a, place, sides)
    }
    fn limit(&self) -> f64 {
        self.0.limit
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        self.0.meet(a, b, place)
    }
}

/// The point of any shape that is farthest along a direction, in its own frame; the first of equals.
pub(crate) fn extreme<K: Kernels>(shape: &K::Shape, direction: K::Vector) -> K::Vector {
    let Some(parts) = K::parts(shape) else { return K::farthest(shape, direction) };
    let mut best: Option<(f64, K::Vector)> = None;
    super::point::each_part(parts, |part| {
        let found = match part.local.map(K::place_of) {
            None => extreme::<K>(&part.shape, direction),
            Some(place) => place.point(extreme::<K>(&part.shape, place.rotation.undo(direction))),
        };
        let height = found.dot(direction);
        if best.is_none_or(|(most, _)| most < height) {
            best = Some((height, found));
        }
    });
    best.map_or(K::Vector::ZERO, |(_, point)| point)
}
