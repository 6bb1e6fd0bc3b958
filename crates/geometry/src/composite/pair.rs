//! Two shapes at rest: do they touch, how far apart, where do they touch.

use super::facet::{Facet, SLANT};
use super::walk::{Actor, AtRest, Task, walk};
use super::{Kernels, Place};
use crate::Error;
use crate::answer::Separation;
use crate::manifold::query::BESIDE;
use crate::manifold::{FeaturePair, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::place::{Relative, Turn};
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
}

/// The separation of two parts, in the frame of the first shape, and which they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<V: Vector<Scalar = f64>> {
    pub(crate) separation: Separation<V>,
    pub(crate) parts: [u32; 2],
    /// By what it is compared: the separation that the kernel found, see [`PartContact::found`].
    order: f64,
    /// By how much it is deeper than that.
    excess: f64,
}

impl<'a, K: Kernels> Both<'a, K> {
    /// What boxes, bounds and kernels may err by together.
    fn slack(&self) -> f64 {
        4.0 * self.error
    }

    fn actors(&self) -> [Actor<'a, K>; 2] {
        self.shapes.map(Actor::whole)
    }

    /// Whether they have a common point.
    pub(crate) fn intersects(&self) -> bool {
        let [a, b] = self.actors();
        let mut task = Touch { error: self.error, is_found: false };
        let _ = walk(&a, &b, &self.place, self.slack(), &mut task);
        task.is_found
    }

    /// How far apart they are, or how deep the deepest contact is; `None` when that is beyond `limit`.
    pub(crate) fn separation(&self, limit: f64) -> Option<Found<K::Vector>> {
        let [a, b] = self.actors();
        let mut task = Closest::<K> { error: self.error, limit, best: None };
        match walk(&a, &b, &self.place, self.slack(), &mut task) {
            ControlFlow::Continue(()) => task.best,
            ControlFlow::Break(()) => self.deepest(0.0).or(task.best),
        }
    }

    /// The deepest contact among those of parts at most `margin` apart.
    pub(crate) fn deepest(&self, margin: f64) -> Option<Found<K::Vector>> {
        let mut best: Option<Found<K::Vector>> = None;
        let raw = self.contacts(margin, |contact| {
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

    /// Visits the contacts of parts at most `margin` apart; in an order that depends on the trees. Returns the
    /// deepest pair of parts as their kernels see it, which is all there is where no part may have a contact.
    pub(crate) fn contacts(
        &self,
        margin: f64,
        visit: impl FnMut(&PartContact<'_, '_, K>) -> Result<(), Error>,
    ) -> Result<Option<Found<K::Vector>>, Error> {
        let [a, b] = self.actors();
        let mut task = Contacts { both: self, margin, visit, touching: 0, raw: None, failed: None };
        let _ = walk(&a, &b, &self.place, self.slack(), &mut task);
        match task.failed {
            Some(error) => Err(error),
            None => Ok(task.raw),
        }
    }
}

impl<V: Vector<Scalar = f64>> Found<V> {
    fn new(separation: Separation<V>, parts: [u32; 2]) -> Self {
        Found { separation, parts, order: separation.separation, excess: 0.0 }
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
    fn view(&self, a: &Actor<'_, K>, _: &Actor<'_, K>, place: &Place<K>) -> AtRest<K> {
        AtRest::new(a, place)
    }
    fn limit(&self) -> f64 {
        0.0
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        match K::relate(a.shape, b.shape, place, self.error, 0.0) {
            Some(Relation::Separated(found)) if found.separation <= 0.0 => self.found(),
            Some(Relation::Endless) => self.found(),
            _ => ControlFlow::Continue(()),
        }
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

/// Breaks off when shapes touch.
struct Closest<K: Kernels> {
    error: f64,
    limit: f64,
    best: Option<Found<K::Vector>>,
}

impl<K: Kernels> Task<K> for Closest<K> {
    type View = AtRest<K>;
    const INSIDES: bool = true;
    fn view(&self, a: &Actor<'_, K>, _: &Actor<'_, K>, place: &Place<K>) -> AtRest<K> {
        AtRest::new(a, place)
    }
    fn limit(&self) -> f64 {
        self.limit
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        let Some(Relation::Separated(separation)) =
            K::relate(a.shape, b.shape, place, self.error, self.limit)
        else {
            return ControlFlow::Continue(());
        };
        let found = Found::new(in_whole(a, separation), [a.first, b.first]);
        if separation.separation <= self.limit && self.best.is_none_or(|best| found.comes_before(&best)) {
            self.best = Some(found);
            self.limit = separation.separation.max_of(0.0);
        }
        if separation.separation <= 0.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
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

/// Two parts that touch, or nearly so.
pub(crate) struct PartContact<'c, 'a, K: Kernels> {
    both: &'c Both<'a, K>,
    margin: f64,
    a: &'c Actor<'c, K>,
    b: &'c Actor<'c, K>,
    place: &'c Place<K>,
    /// In the frame of the first part.
    separation: Separation<K::Vector>,
    /// The same as the kernel sees it.
    kernel: Separation<K::Vector>,
    /// The normal that was taken instead of that of the kernel, in the same frame, and whether it is that of the
    /// first part.
    along: Option<(K::Vector, bool)>,
}

impl<K: Kernels> PartContact<'_, '_, K> {
    pub(crate) fn parts(&self) -> [u32; 2] {
        [self.a.first, self.b.first]
    }

    /// In the frame of the first shape. A part whose own normal was taken instead of the kernel's may be a long way
    /// out where there is a shorter one: two boxes that merely touch have parts that cross at their edges, and the
    /// way along the one is the length of the other. So a contact is as deep as the kernel says.
    pub(crate) fn found(&self) -> Found<K::Vector> {
        let found = Found::new(in_whole(self.a, self.separation), self.parts());
        let order = self.kernel.separation;
        Found { order, excess: order - self.separation.separation, ..found }
    }

    /// All points, in the frame of [`Both::poses`].
    pub(crate) fn manifold(&self) -> Result<Manifold<K::Vector>, Error> {
        Ok(self.points()?.unwrap_or_else(|| self.both.single_point(&self.found())))
    }

    /// The same; `None` where nothing lies over the part whose normal was taken.
    fn points(&self) -> Result<Option<Manifold<K::Vector>>, Error> {
        let parts = [(self.a, 0), (self.b, 1)].map(|(actor, index)| (actor.shape, self.pose(actor, index)));
        let turn = K::place_of(parts[0].1);
        let Some((normal, of_a)) = self.along else {
            // Where they merely touch, the kernel may choose among many normals, and does so in its own frame.
            let normal = turn.rotation.apply(self.separation.normal);
            let found = K::manifold(parts, self.margin, None)?;
            return Ok(found.filter(|found| (found.normal() - normal).max_abs() <= SLANT));
        };
        let along = (turn.rotation.apply(normal), of_a);
        let Some(found) = K::manifold(parts, self.margin, Some(along))? else { return Ok(None) };
        let facet = facet_of(if of_a { self.a } else { self.b });
        let near = BESIDE * self.both.error;
        let back = K::inverse(&turn);
        Ok(found.filtered(|point| {
            let in_a = back.point(point);
            let local = if of_a { in_a } else { self.place.rotation.undo(in_a - self.place.translation) };
            facet.as_ref().is_none_or(|facet| facet.is_below(local, near))
        }))
    }

    fn pose(&self, actor: &Actor<'_, K>, index: usize) -> K::Pose {
        let whole = self.both.poses[index];
        actor.local.map_or(whole, |local| K::placed(whole, local))
    }
}

struct Contacts<'c, 'a, K: Kernels, F> {
    both: &'c Both<'a, K>,
    margin: f64,
    visit: F,
    touching: usize,
    raw: Option<Found<K::Vector>>,
    failed: Option<Error>,
}

impl<K, F> Task<K> for Contacts<'_, '_, K, F>
where
    K: Kernels,
    F: FnMut(&PartContact<'_, '_, K>) -> Result<(), Error>,
{
    type View = AtRest<K>;
    const INSIDES: bool = true;
    fn view(&self, a: &Actor<'_, K>, _: &Actor<'_, K>, place: &Place<K>) -> AtRest<K> {
        AtRest::new(a, place)
    }
    fn limit(&self) -> f64 {
        self.margin
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        let error = self.both.error;
        let Some(Relation::Separated(separation)) = K::relate(a.shape, b.shape, place, error, self.margin)
        else {
            return ControlFlow::Continue(());
        };
        if self.margin < separation.separation {
            return ControlFlow::Continue(());
        }
        self.touching += usize::from(separation.separation <= 0.0);
        let raw = Found::new(in_whole(a, separation), [a.first, b.first]);
        if self.raw.is_none_or(|best| raw.comes_before(&best)) {
            self.raw = Some(raw);
        }
        let contact = PartContact {
            both: self.both,
            margin: self.margin,
            a,
            b,
            place,
            separation,
            kernel: separation,
            along: None,
        };
        let settled = settle(contact);
        match settled.and_then(|contact| contact.map_or(Ok(()), |contact| (self.visit)(&contact))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
    fn touching(&self) -> usize {
        self.touching
    }
    fn inside(
        &mut self,
        a: &Actor<'_, K>,
        b: &Actor<'_, K>,
        place: &Place<K>,
        b_in_a: bool,
    ) -> ControlFlow<()> {
        let found = way_out(a, b, place, b_in_a, self.both.error);
        if self.raw.is_none_or(|best| found.comes_before(&best)) {
            self.raw = Some(found);
        }
        ControlFlow::Continue(())
    }
}

/// The contact with a normal that the parts may have; `None` when it is none of theirs. See [`super::facet`].
fn settle<'c, 'a, K: Kernels>(
    contact: PartContact<'c, 'a, K>,
) -> Result<Option<PartContact<'c, 'a, K>>, Error> {
    let PartContact { both, margin, a, b, place, separation: found, .. } = contact;
    let near = BESIDE * both.error;
    // Each part in turn, in its own frame: the normal points away from it.
    let along = instead::<K>(a, b.shape, place, &found, near).map(|normal| (normal, true)).or_else(|| {
        let seen = swapped(&found, place);
        let normal = instead::<K>(b, a.shape, &K::inverse(place), &seen, near)?;
        Some((-place.rotation.apply(normal), false))
    });
    let Some((normal, of_a)) = along else { return Ok(Some(contact)) };
    let highest = K::farthest(a.shape, normal);
    let lowest = place.point(K::farthest(b.shape, -place.rotation.undo(normal)));
    let separation = normal.dot(lowest - highest);
    // What is apart does not come to overlap by another way to look at it.
    if margin < separation || (0.0 < found.separation && separation < 0.0) {
        return Ok(None);
    }
    let replaced = |point_a: K::Vector, separation: f64| PartContact {
        separation: Separation {
            separation,
            normal,
            point_a,
            point_b: point_a + normal * separation,
            ..found
        },
        along,
        ..contact
    };
    // The deepest point of the other part, if it is over this one.
    let (owner, deepest, point_a) = if of_a {
        (a, lowest, lowest - normal * separation)
    } else {
        (b, place.rotation.undo(highest - place.translation), highest)
    };
    let settled = replaced(point_a, separation);
    if facet_of(owner).is_some_and(|facet| facet.is_below(deepest, near)) {
        return Ok(Some(settled));
    }
    // Otherwise the deepest of the points that are.
    let Some(points) = settled.points()? else { return Ok(None) };
    let deeper = |best, point| if best < point { point } else { best };
    let depth = points.points().iter().map(|point| point.depth).fold(f64::NEG_INFINITY, deeper);
    let Some(deepest) = points.points().iter().find(|point| point.depth == depth) else { return Ok(None) };
    if 0.0 < found.separation && 0.0 < depth {
        return Ok(None);
    }
    let back = K::inverse(&K::place_of(contact.pose(a, 0)));
    Ok(Some(replaced(back.point(deepest.point) + normal * (depth * 0.5), 0.0 - depth)))
}

/// The part as a piece of a surface.
fn facet_of<K: Kernels>(actor: &Actor<'_, K>) -> Option<Facet<K::Vector>> {
    actor.owner.and_then(|(parts, index)| parts.facet(index))
}

/// What a part of a surface has instead of the normal of a contact with `other`, seen from the part.
fn instead<K: Kernels>(
    actor: &Actor<'_, K>,
    other: &K::Shape,
    place: &Place<K>,
    found: &Separation<K::Vector>,
    near: f64,
) -> Option<K::Vector> {
    let facet = facet_of(actor)?;
    if K::plane(other).is_some() {
        return None;
    }
    let along = place.rotation.undo(facet.normal);
    let middle = place.point(K::farthest(other, -along) * 0.5 + K::farthest(other, along) * 0.5);
    facet.instead_of(found.normal, found.point_a, found.separation, middle, near)
}

/// The same seen from the second shape.
fn swapped<V: Vector<Scalar = f64>, M: Turn<V>>(
    found: &Separation<V>,
    place: &Relative<V, M>,
) -> Separation<V> {
    let back = |point: V| place.rotation.undo(point - place.translation);
    Separation {
        normal: -place.rotation.undo(found.normal),
        point_a: back(found.point_b),
        point_b: back(found.point_a),
        ..*found
    }
}

/// From the frame of a part to that of the whole.
fn in_whole<K: Kernels>(actor: &Actor<'_, K>, found: Separation<K::Vector>) -> Separation<K::Vector> {
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
fn way_out<K: Kernels>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    b_in_a: bool,
    error: f64,
) -> Found<K::Vector> {
    let mut task = Surfaces(Closest::<K> { error, limit: f64::INFINITY, best: None });
    let (plain_a, plain_b) = (Actor { local: None, ..*a }, Actor { local: None, ..*b });
    let _ = walk(&plain_a, &plain_b, place, 4.0 * error, &mut task);
    let Some(found) = task.0.best else {
        let nowhere = Separation { error, normal: K::Vector::unit(0), ..Separation::APART };
        return Found::new(Separation { separation: 0.0, ..nowhere }, [a.first, b.first]);
    };
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

/// The same without insides.
struct Surfaces<K: Kernels>(Closest<K>);

impl<K: Kernels> Task<K> for Surfaces<K> {
    type View = AtRest<K>;
    const INSIDES: bool = false;
    fn view(&self, a: &Actor<'_, K>, _: &Actor<'_, K>, place: &Place<K>) -> AtRest<K> {
        AtRest::new(a, place)
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
