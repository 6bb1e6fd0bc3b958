//! Contacts of parts: which normals they have, and where they touch.

use super::descent::Side;
use super::facet::Facet;
use super::pair::{Both, Found, in_whole, way_out};
use super::view::{AtRest, are_beyond};
use super::walk::{Actor, Task};
use super::{Kernels, Parts, Place, Reach};
use crate::Error;
use crate::answer::Separation;
use crate::manifold::Manifold;
use crate::manifold::query::BESIDE;
use crate::pair::Relation;
use crate::pair::place::{Relative, Turn};
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

impl<K: Kernels> Both<'_, K> {
    /// Visits the contacts of parts at most `margin` apart; in an order that depends on the trees. Returns the
    /// deepest pair of parts as their kernels see it, which is all there is where no part may have a contact.
    /// `is_only_deepest`: those that are less deep than one before may be passed over.
    pub(crate) fn contacts(
        &self,
        margin: f64,
        is_only_deepest: bool,
        visit: impl FnMut(&PartContact<'_, '_, K>) -> Result<(), Error>,
    ) -> Result<Option<Found<K::Vector>>, Error> {
        let wanted = Wanted { is_only_deepest, least: f64::INFINITY, has_own_normal: false };
        let mut task = Contacts { both: self, margin, visit, wanted, touching: 0, raw: None, failed: None };
        let _ = self.walk(&mut task);
        match task.failed {
            Some(error) => Err(error),
            None => Ok(task.raw),
        }
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
    /// The normal of a part that was taken instead of that of the kernel.
    instead: Option<Instead<'c, K::Vector>>,
    /// Its points, where it took them to find the separation.
    known: Option<&'c Manifold<K::Vector>>,
}

/// What all of two parts has along the normal of one of them.
#[derive(Clone, Copy)]
struct Instead<'c, V: Vector<Scalar = f64>> {
    facet: &'c Facet<V>,
    /// Whether it is that of the first part.
    of_a: bool,
    /// Along the normal, in the frame of the first part.
    separation: Separation<V>,
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
        let found = if self.known.is_some() { self.known.copied() } else { self.points()? };
        let Some(mut found) = found else { return Ok(self.both.single_point(&self.found())) };
        let whole = self.both.poses[0];
        let frame = K::place_of(self.a.local.map_or(whole, |local| K::placed(whole, local)));
        found.place(|point| frame.point(point), |normal| frame.rotation.apply(normal));
        Ok(found)
    }

    /// All points, in the frame of the first part; `None` where nothing lies over the part whose normal was taken.
    fn points(&self) -> Result<Option<Manifold<K::Vector>>, Error> {
        let (shapes, bounds) = ([self.a.shape, self.b.shape], (self.both.error, self.margin));
        let Some(Instead { facet, of_a, separation }) = self.instead else {
            return K::manifold(shapes, self.place, &self.kernel, bounds);
        };
        let mut found = K::manifold(shapes, self.place, &separation, bounds)?;
        let near = BESIDE * self.both.error;
        let is_below = |point: K::Vector| {
            let local = if of_a { point } else { self.place.rotation.undo(point - self.place.translation) };
            facet.is_below(local, near)
        };
        if found.as_mut().is_some_and(|found| !found.retain(is_below)) {
            found = None;
        }
        Ok(found)
    }
}

struct Contacts<'c, 'a, K: Kernels, F> {
    both: &'c Both<'a, K>,
    margin: f64,
    visit: F,
    /// Contacts that are less deep than this are of no interest; it may rise during the walk.
    wanted: Wanted,
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
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> AtRest<K> {
        AtRest::new(a, place, sides).with_depths(self.wanted.is_only_deepest)
    }
    fn limit(&self) -> f64 {
        if self.wanted.is_only_deepest { self.margin.min_of(self.wanted.least) } else { self.margin }
    }
    fn is_out_of_sight(&self, place: &Place<K>, sides: [&Side<'_, K>; 2], slack: f64) -> bool {
        are_beyond(place, sides, self.margin + slack)
    }
    fn passes_over(&mut self, part: (&dyn Parts<K>, u32), b: &Actor<'_, K>, place: &Place<K>) -> bool {
        let is_beside = self.is_beside(part, b, place);
        self.touching += usize::from(is_beside);
        is_beside
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        let error = self.both.error;
        if K::is_beyond(a.shape, b.shape, place, self.limit(), error) {
            return ControlFlow::Continue(());
        }
        if self.wanted.is_plain()
            && K::is_beyond(a.shape, b.shape, place, self.wanted.least - 8.0 * error, error)
        {
            return ControlFlow::Continue(());
        }
        let relate = if self.both.is_narrow { K::relate_narrow } else { K::relate };
        let Some(Relation::Separated(separation)) = relate(a.shape, b.shape, place, error, self.margin)
        else {
            return ControlFlow::Continue(());
        };
        if self.margin < separation.separation {
            return ControlFlow::Continue(());
        }
        self.touching += usize::from(separation.separation <= 0.0);
        if self.raw.as_ref().is_none_or(|best| separation.separation <= best.order) {
            let raw = Found::new(in_whole(a, separation), [a.first, b.first]);
            if self.raw.as_ref().is_none_or(|best| raw.comes_before(best)) {
                self.raw = Some(raw);
            }
        }
        if self.wanted.is_only_deepest && self.wanted.least < separation.separation {
            return ControlFlow::Continue(());
        }
        let mut contact = PartContact {
            both: self.both,
            margin: self.margin,
            a,
            b,
            place,
            separation,
            kernel: separation,
            instead: None,
            known: None,
        };
        let (mut facet, mut points) = (None, None);
        match settle(&mut contact, &mut facet, &mut points) {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => {
                self.wanted.least = separation.separation;
                self.wanted.has_own_normal = contact.instead.is_none();
                self.tell(&contact)
            }
            Err(error) => self.fail(error),
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

impl<K, F> Contacts<'_, '_, K, F>
where
    K: Kernels,
    F: FnMut(&PartContact<'_, '_, K>) -> Result<(), Error>,
{
    /// Whether a ball surely touches a part less deeply than the deepest one so far, and has no contact with it. Parts of surfaces,
    /// which alone can tell, are in the frame of their whole.
    fn is_beside(&self, (parts, index): (&dyn Parts<K>, u32), b: &Actor<'_, K>, place: &Place<K>) -> bool {
        let (Some(deepest), Some(radius)) = (&self.raw, K::radius_of_ball(b.shape)) else { return false };
        let error = self.both.error;
        let [least, most] = [deepest.order + radius + 8.0 * error, radius - 8.0 * error];
        let reach = || Reach {
            center: place.translation,
            least_squared: least * least,
            most_squared: most * most,
            error,
            near: BESIDE * error,
        };
        0.0 <= least && least < most && parts.is_beside(index, &reach())
    }

    fn tell(&mut self, contact: &PartContact<'_, '_, K>) -> ControlFlow<()> {
        match (self.visit)(contact) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: Error) -> ControlFlow<()> {
        self.failed = Some(error);
        ControlFlow::Break(())
    }
}

/// Which contacts are asked for.
#[derive(Clone, Copy)]
struct Wanted {
    is_only_deepest: bool,
    /// The separation of the deepest one so far.
    least: f64,
    /// Whether it has the normal that the kernel found.
    has_own_normal: bool,
}

impl Wanted {
    /// Whether what is as deep as the deepest contact so far, up to the errors of kernels, is of no interest, because that has the normal of the
    /// kernel. What lies on a flat floor is as deep in every part of it; and shapes in the same place have no deeper contacts, and one for each
    /// pair of neighbours.
    fn is_plain(&self) -> bool {
        self.is_only_deepest && self.has_own_normal && self.least <= 0.0
    }
}

/// Gives the contact a normal that the parts may have; `false` when it is none of theirs. See [`super::facet`]. What it refers to
/// then is left in `facet` and `known`, as large values had better stay where they are.
fn settle<'c, K: Kernels>(
    contact: &mut PartContact<'c, '_, K>,
    facet: &'c mut Option<Facet<K::Vector>>,
    known: &'c mut Option<Manifold<K::Vector>>,
) -> Result<bool, Error> {
    let PartContact { both, margin, a, b, place, separation: found, .. } = *contact;
    let near = BESIDE * both.error;
    // Each part in turn, in its own frame: the normal points away from it.
    let mut of_a = true;
    let mut normal = instead::<K>(a, b.shape, place, &found, near, facet);
    if normal.is_none() {
        of_a = false;
        let seen = swapped(&found, place);
        normal = instead::<K>(b, a.shape, &K::inverse(place), &seen, near, facet)
            .map(|normal| -place.rotation.apply(normal));
    }
    let (Some(normal), Some(facet)) = (normal, &*facet) else { return Ok(true) };
    let highest = K::farthest(a.shape, normal);
    let lowest = place.point(K::farthest(b.shape, -place.rotation.undo(normal)));
    let separation = normal.dot(lowest - highest);
    // What is apart does not come to overlap by another way to look at it.
    if margin < separation || (0.0 < found.separation && separation < 0.0) {
        return Ok(false);
    }
    let along_normal = |point_a: K::Vector, separation: f64| Separation {
        separation,
        normal,
        point_a,
        point_b: point_a + normal * separation,
        ..found
    };
    // The deepest point of the other part, if it is over this one.
    let (deepest, point_a) = if of_a {
        (lowest, lowest - normal * separation)
    } else {
        (place.rotation.undo(highest - place.translation), highest)
    };
    let separation = along_normal(point_a, separation);
    contact.separation = separation;
    contact.instead = Some(Instead { facet, of_a, separation });
    if facet.is_below(deepest, near) {
        return Ok(true);
    }
    // Otherwise the deepest of the points that are.
    *known = contact.points()?;
    let Some(points) = known else { return Ok(false) };
    let deeper = |best, point| if best < point { point } else { best };
    let depth = points.points().iter().map(|point| point.depth).fold(f64::NEG_INFINITY, deeper);
    let Some(deepest) = points.points().iter().find(|point| point.depth == depth) else { return Ok(false) };
    if 0.0 < found.separation && 0.0 < depth {
        return Ok(false);
    }
    contact.separation = along_normal(deepest.point + normal * (depth * 0.5), 0.0 - depth);
    contact.known = Some(points);
    Ok(true)
}

/// What a part of a surface has instead of the normal of a contact with `other`, seen from the part, which is then left in `facet`.
fn instead<K: Kernels>(
    actor: &Actor<'_, K>,
    other: &K::Shape,
    place: &Place<K>,
    found: &Separation<K::Vector>,
    near: f64,
    facet: &mut Option<Facet<K::Vector>>,
) -> Option<K::Vector> {
    let (parts, index) = actor.owner?;
    if K::plane(other).is_some() {
        return None;
    }
    *facet = parts.facet(index);
    let facet = facet.as_ref()?;
    let along = place.rotation.undo(facet.normal);
    let middle = place.point(K::middle(other, along));
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
