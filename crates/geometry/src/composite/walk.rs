//! From two shapes to the pairs of convex parts that may matter to a task.

use super::cache::Guest;
use super::descent::{Side, descend};
use super::view::View;
use super::{Kernels, Part, Parts, Place, is_composite};
use crate::bound::Aabb;
use crate::pair::place::Turn;
use carom_math::Vector;
use core::ops::ControlFlow;

/// A shape or a part of one, in a frame of its own.
pub(crate) struct Actor<'a, K: Kernels> {
    pub(crate) shape: &'a K::Shape,
    /// The number of its first convex part.
    pub(crate) first: u32,
    /// Where its frame lies in that of the whole; `None` for no displacement. Compounds do not nest, so one
    /// pose is all there can be.
    pub(crate) local: Option<K::Pose>,
    /// What it is a part of, and which.
    pub(crate) owner: Option<(&'a dyn Parts<K>, u32)>,
}

impl<'a, K: Kernels> Actor<'a, K> {
    pub(crate) fn whole(shape: &'a K::Shape) -> Self {
        Actor { shape, first: 0, local: None, owner: None }
    }

    /// A direction of the whole as the part sees it.
    #[inline]
    pub(crate) fn turned_into(&self, direction: K::Vector) -> K::Vector {
        self.local.map_or(direction, |local| K::place_of(local).rotation.undo(direction))
    }

    /// What a part of `parts` is called, and where its frame is.
    pub(crate) fn part<'b>(
        &self,
        part: &'b Part<'_, K>,
        owner: Option<(&'b dyn Parts<K>, u32)>,
    ) -> Actor<'b, K> {
        Actor { shape: &part.shape, first: self.first + part.first, local: part.local.or(self.local), owner }
    }
}

/// What a walk is for.
pub(crate) trait Task<K: Kernels> {
    type View: View<K>;
    /// Whether it matters that one shape lies inside of another without touching its surface.
    const INSIDES: bool;
    /// The frames of two shapes or parts, the second seen from the first.
    fn view(&self, actors: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> Self::View;
    /// Pairs that are certainly beyond this are passed over.
    fn limit(&self) -> f64;
    /// Whether the boxes around the shapes tell that nothing is to be found, before anything is prepared; `false` says nothing.
    fn is_out_of_sight(&self, place: &Place<K>, sides: [&Side<'_, K>; 2], slack: f64) -> bool {
        let _ = (place, sides, slack);
        false
    }
    /// Whether [`is_no_better`](Self::is_no_better) has something to say.
    const HAS_TIES: bool = false;
    /// Whether nothing with this lower bound is better than the best so far: asked about boxes whose bound is close to the limit.
    fn is_no_better(&mut self, lower: f64) -> bool {
        let _ = lower;
        false
    }
    /// Whether a glance tells all there is to know about a part of the first shape and the second shape, which has no parts: what is told so
    /// need not be made.
    fn passes_over(&mut self, part: (&dyn Parts<K>, u32), b: &Actor<'_, K>, place: &Place<K>) -> bool {
        let _ = (part, b, place);
        false
    }
    /// Two convex parts, the second seen from the first.
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()>;
    /// The same, given what boxes tell: a lower bound on what is sought, up to rounding.
    fn meet_beyond(
        &mut self,
        a: &Actor<'_, K>,
        b: &Actor<'_, K>,
        place: &Place<K>,
        lower: f64,
    ) -> ControlFlow<()> {
        let _ = lower;
        self.meet(a, b, place)
    }
    /// How many pairs that touch have been met, if insides matter.
    fn touching(&self) -> usize {
        0
    }
    /// No parts of the two touch, but one lies inside of the other: b in a, or a in b.
    fn inside(
        &mut self,
        a: &Actor<'_, K>,
        b: &Actor<'_, K>,
        place: &Place<K>,
        b_in_a: bool,
    ) -> ControlFlow<()> {
        let _ = (a, b, place, b_in_a);
        ControlFlow::Continue(())
    }
}

/// Brings all pairs of convex parts before the task that its limit does not exclude. `slack` is what the
/// kernels and the places may err by.
pub(crate) fn walk<K: Kernels, T: Task<K>>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    slack: f64,
    task: &mut T,
) -> ControlFlow<()> {
    walk_beyond(a, b, place, (slack, 0.0), task)
}

/// The same, given a lower bound on what is sought.
fn walk_beyond<K: Kernels, T: Task<K>>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    (slack, lower): (f64, f64),
    task: &mut T,
) -> ControlFlow<()> {
    if !is_composite::<K>(a.shape) && !is_composite::<K>(b.shape) {
        return task.meet_beyond(a, b, place, lower);
    }
    let before = task.touching();
    let (mut side_a, mut side_b) = (Side::<K>::new(a.shape), Side::<K>::new(b.shape));
    // A part with parts of its own meets all of the other shape at once: tree and tree, instead of tree after tree.
    let is_nested = |actor: &Actor<'_, K>| K::parts(actor.shape).is_some_and(Parts::has_composite_parts);
    let (a_is_whole, b_is_whole) = (!is_nested(a) && is_nested(b), is_nested(a));
    if a_is_whole {
        side_a = side_a.undivided();
    }
    if b_is_whole {
        side_b = side_b.undivided();
    }
    let sides = [&side_a, &side_b];
    if task.is_out_of_sight(place, sides, slack) {
        return ControlFlow::Continue(());
    }
    let view = task.view([a, b], place, sides);
    descend(
        sides,
        &view,
        task,
        |task: &T| task.limit() + slack,
        T::HAS_TIES.then_some(|task: &mut T, lower: f64| task.is_no_better(lower)),
        &mut |task: &mut T, i: u32, j: u32, lower: f64| {
            let (i, j) = ((!a_is_whole).then_some(i), (!b_is_whole).then_some(j));
            meet_parts([(a, i), (b, j)], place, (slack, lower), task)
        },
    )?;
    if task.touching() == before { look_inside(a, b, place, task) } else { ControlFlow::Continue(()) }
}

/// Parts of the first shape, with their boxes, and the second shape among them.
pub(crate) type Near<'a, V> = (&'a [(u32, Aabb<V>)], &'a Guest<V>);

/// The same for a first shape with parts and a second one without, of which only these parts, with their boxes, are
/// within the limit.
pub(crate) fn walk_among<K: Kernels, T: Task<K>>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    slack: f64,
    (parts, guest): Near<'_, K::Vector>,
    task: &mut T,
) -> ControlFlow<()> {
    let before = task.touching();
    for (index, bounds) in parts {
        let limit = task.limit() + slack;
        if guest.is_beyond(bounds, limit) {
            continue;
        }
        let lower = guest.gap(bounds);
        if limit < lower {
            continue;
        }
        meet_parts([(a, Some(*index)), (b, Some(0))], place, (slack, lower), task)?;
    }
    if task.touching() == before { look_inside(a, b, place, task) } else { ControlFlow::Continue(()) }
}

/// Two parts, by their numbers; a shape without parts is its own, and one without a number is meant as a whole.
fn meet_parts<K: Kernels, T: Task<K>>(
    [(a, i), (b, j)]: [(&Actor<'_, K>, Option<u32>); 2],
    place: &Place<K>,
    (slack, lower): (f64, f64),
    task: &mut T,
) -> ControlFlow<()> {
    if let (Some(parts), None, Some(i)) = (K::parts(a.shape), K::parts(b.shape), i)
        && task.passes_over((parts, i), b, place)
    {
        return ControlFlow::Continue(());
    }
    with_part(a, i, |part_a, from_a| {
        with_part(b, j, |part_b, from_b| {
            let mut inner = *place;
            if let Some(local) = from_b {
                inner = K::composed(&inner, &K::place_of(local));
            }
            if let Some(local) = from_a {
                inner = K::composed(&K::inverse(&K::place_of(local)), &inner);
            }
            walk_beyond(part_a, part_b, &inner, (slack, lower), task)
        })
    })
}

/// Whether one shape lies inside of the other, given that no parts touch.
fn look_inside<K: Kernels, T: Task<K>>(
    a: &Actor<'_, K>,
    b: &Actor<'_, K>,
    place: &Place<K>,
    task: &mut T,
) -> ControlFlow<()> {
    if !T::INSIDES {
        return ControlFlow::Continue(());
    }
    let (parts_a, parts_b) = (K::parts(a.shape), K::parts(b.shape));
    if parts_a.is_some_and(|parts| contains_some::<K>(parts, b.shape, place)) {
        return task.inside(a, b, place, true);
    }
    if parts_b.is_some_and(|parts| contains_some::<K>(parts, a.shape, &K::inverse(place))) {
        return task.inside(a, b, place, false);
    }
    ControlFlow::Continue(())
}

/// A part by its number, and where it is in the whole; a shape without parts, or without a number, is its own. Made in place and borrowed: shapes are
/// large, and to move them cost as much as to look at them.
#[inline]
fn with_part<K: Kernels, R>(
    actor: &Actor<'_, K>,
    index: Option<u32>,
    then: impl FnOnce(&Actor<'_, K>, Option<K::Pose>) -> R,
) -> R {
    match (K::parts(actor.shape), index) {
        (None, _) | (_, None) => then(actor, None),
        (Some(parts), Some(index)) => {
            let part = parts.part(index);
            then(&actor.part(&part, Some((parts, index))), part.local)
        }
    }
}

/// Whether a piece of the other shape lies inside of a solid, given that no parts touch.
pub(super) fn contains_some<K: Kernels>(solid: &dyn Parts<K>, other: &K::Shape, place: &Place<K>) -> bool {
    if !solid.is_solid() || K::plane(other).is_some() {
        return false;
    }
    let is_inside = |point: K::Vector| {
        if solid.contains(place.point(point)) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match K::parts(other) {
        Some(parts) => parts.visit_anchors(&mut |point| is_inside(point)).is_break(),
        None => is_inside(K::farthest(other, K::Vector::unit(0))).is_break(),
    }
}
