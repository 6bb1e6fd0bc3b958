//! An index over boxes: your things, each with a box, and every question about boxes.
//!
//! Nothing here knows of shapes. Entries are small, copyable and generational: one that was removed is
//! refused, never mistaken for what came in its place.

use super::dynamic::{DynamicBvh, check_box};
use super::view::box_distance;
use crate::Error;
use crate::bound::Aabb;
use crate::error::{finite, finite_vector, not_negative};
use carom_math::{Real, Vector};
use core::ops::ControlFlow;

/// A spatial index: values with a box each.
///
/// Questions are answered exactly for the boxes that were given; touching counts. What comes out is in the order of
/// the question (by distance, or by entry number), so it does not depend on how the index came about.
/// See [`Bvh`](super::Bvh) for boxes that never change, which is smaller and quicker.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Aabb, Index};
///
/// let mut shops = Index::new();
/// let bakery = shops.insert(Aabb::from_corner_size([0.0, 0.0], [2.0, 1.0])?, "bakery")?;
/// let cinema = shops.insert(Aabb::from_corner_size([5.0, 5.0], [4.0, 4.0])?, "cinema")?;
/// let around_the_corner = Aabb::from_corner_size([1.0, 1.0], [1.0, 1.0])?;
///
/// assert_eq!(shops.overlapping(around_the_corner), [bakery]); // they share an edge
/// assert_eq!(shops.nearest([5.0, 1.0], 2)?, [(bakery, 3.0), (cinema, 4.0)]);
/// assert_eq!(shops.cast_ray([0.5, -3.0], [0.0, 1.5], 10.0)?, [(bakery, 2.0)]);
///
/// shops.move_to(cinema, Aabb::from_corner_size([1.0, 1.0], [4.0, 4.0])?)?;
/// assert_eq!(shops.pairs(), [(bakery, cinema)]);
/// assert_eq!(shops.remove(bakery)?, "bakery");
/// assert!(shops.get(bakery).is_none() && shops.remove(bakery).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index<V: Vector, T> {
    tree: DynamicBvh<V>,
    slots: Vec<Slot<V, T>>,
    /// Slots without a value, the last one being the next to be used.
    free: Vec<u32>,
}

/// Names something in an [`Index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    number: u32,
    generation: u32,
}

impl Entry {
    /// The number of the entry: small, and used again after a removal.
    #[must_use]
    pub fn number(self) -> usize {
        self.number as usize
    }
}

#[derive(Clone, Debug)]
struct Slot<V, T> {
    generation: u32,
    bounds: Aabb<V>,
    value: Option<T>,
}

impl<V: Vector, T> Default for Index<V, T> {
    fn default() -> Self {
        Self::new()
    }
}

/// What is in it.
impl<V: Vector, T> Index<V, T> {
    /// An index without entries.
    #[must_use]
    pub fn new() -> Self {
        Index { tree: DynamicBvh::without_margin(), slots: Vec::new(), free: Vec::new() }
    }

    /// An index whose boxes may move by `margin` before it has to change; answers stay exact.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn with_margin(margin: V::Scalar) -> Result<Self, Error> {
        Ok(Index { tree: DynamicBvh::new(margin)?, slots: Vec::new(), free: Vec::new() })
    }

    /// The index of many values at once: quicker than one by one, and a better tree. Entry number k is the k-th
    /// pair.
    ///
    /// # Errors
    /// When a box is empty or not finite; the error names it.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Aabb, Index};
    /// let boxes = [0.0, 1.0, 5.0].map(|x| Aabb::from_corner_size([x, 0.0, 0.0], [1.0, 1.0, 1.0]));
    /// let index = Index::build(boxes.into_iter().flatten().zip(["a", "b", "c"]))?;
    /// assert_eq!(index.iter().map(|(_, _, name)| *name).collect::<String>(), "abc");
    /// assert_eq!(index.pairs().len(), 1);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn build(entries: impl IntoIterator<Item = (Aabb<V>, T)>) -> Result<Self, Error> {
        let slots: Vec<_> = entries
            .into_iter()
            .map(|(bounds, value)| Slot { generation: 0, bounds, value: Some(value) })
            .collect();
        let boxes: Vec<_> = slots.iter().map(|slot| slot.bounds).collect();
        Ok(Index { tree: DynamicBvh::build(V::Scalar::ZERO, &boxes)?, slots, free: Vec::new() })
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tree.is_empty()
    }

    /// Puts a value with its box in.
    ///
    /// # Errors
    /// When the box is empty or not finite; the error has the number that the entry would have got.
    pub fn insert(&mut self, bounds: Aabb<V>, value: T) -> Result<Entry, Error> {
        let number = self.free.last().map_or(self.slots.len(), |number| *number as usize);
        self.tree.insert(number, bounds)?;
        self.free.pop();
        match self.slots.get_mut(number) {
            Some(slot) => (slot.bounds, slot.value) = (bounds, Some(value)),
            None => self.slots.push(Slot { generation: 0, bounds, value: Some(value) }),
        }
        Ok(Entry { number: number as u32, generation: self.slots[number].generation })
    }

    /// Takes an entry out and gives its value back.
    ///
    /// # Errors
    /// When there is no such entry.
    pub fn remove(&mut self, entry: Entry) -> Result<T, Error> {
        let missing = Error::NoSuchEntry { index: entry.number() };
        let slot = self.slots.get_mut(entry.number()).filter(|slot| slot.generation == entry.generation);
        let slot = slot.ok_or(missing.clone())?;
        let value = slot.value.take().ok_or(missing)?;
        self.tree.remove(entry.number());
        // After 2³² removals a slot retires, so that no entry ever comes back to life.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(entry.number);
        }
        Ok(value)
    }

    /// Gives an entry a new box.
    ///
    /// # Errors
    /// When there is no such entry, or the box is empty or not finite; nothing has changed then.
    pub fn move_to(&mut self, entry: Entry, bounds: Aabb<V>) -> Result<(), Error> {
        self.slot(entry)?;
        self.tree.move_to(entry.number(), check_box(entry.number(), bounds)?)?;
        self.slots[entry.number()].bounds = bounds;
        Ok(())
    }

    /// The value of an entry, or `None` when there is no such entry.
    #[must_use]
    pub fn get(&self, entry: Entry) -> Option<&T> {
        self.slot(entry).ok().and_then(|slot| slot.value.as_ref())
    }

    /// The value of an entry, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, entry: Entry) -> Option<&mut T> {
        self.slot(entry).ok()?;
        self.slots.get_mut(entry.number()).and_then(|slot| slot.value.as_mut())
    }

    /// The box of an entry, as it was given, or `None` when there is no such entry.
    #[must_use]
    pub fn bounds(&self, entry: Entry) -> Option<Aabb<V>> {
        self.slot(entry).ok().map(|slot| slot.bounds)
    }

    /// All entries in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Entry, Aabb<V>, &T)> {
        self.slots.iter().enumerate().filter_map(|(number, slot)| {
            let entry = Entry { number: number as u32, generation: slot.generation };
            slot.value.as_ref().map(|value| (entry, slot.bounds, value))
        })
    }

    /// Builds the tree inside anew: worth it after very many insertions and before very many questions.
    pub fn rebuild(&mut self) {
        self.tree.rebuild();
    }

    fn slot(&self, entry: Entry) -> Result<&Slot<V, T>, Error> {
        let slot = self.slots.get(entry.number()).filter(|slot| slot.generation == entry.generation);
        slot.filter(|slot| slot.value.is_some()).ok_or(Error::NoSuchEntry { index: entry.number() })
    }
}

/// What can be asked.
impl<V: Vector, T> Index<V, T> {
    /// The entries whose boxes overlap `bounds`, by number. None for an empty box or one with a NaN.
    #[must_use]
    pub fn overlapping(&self, bounds: Aabb<V>) -> Vec<Entry> {
        let mut found = Vec::new();
        let _ = self.each_overlapping(bounds, |entry, _| {
            found.push(entry);
            ControlFlow::<()>::Continue(())
        });
        found.sort_unstable();
        found
    }

    /// Visits the entries whose boxes overlap `bounds`, without allocating, in the order of the tree, until the
    /// visitor breaks.
    pub fn each_overlapping<'a, B>(
        &'a self,
        bounds: Aabb<V>,
        mut visit: impl FnMut(Entry, &'a T) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tree.overlapping(bounds, |number| match self.known(number) {
            Some((entry, own, value)) if own.overlaps(bounds) => visit(entry, value),
            _ => ControlFlow::Continue(()),
        })
    }

    /// The entries whose boxes come within `radius` of a point, by number.
    ///
    /// # Errors
    /// When the point or the radius is not finite, or the radius is negative.
    pub fn within(&self, center: impl Into<V>, radius: V::Scalar) -> Result<Vec<Entry>, Error> {
        let center = finite_vector("center", center.into())?;
        let radius = not_negative("radius", radius)?;
        let mut found = Vec::new();
        let _ = self.tree.overlapping_ball(center, radius, |number| {
            let near = |own| box_distance(own, center) <= radius.to_f64();
            found.extend(self.known(number).filter(|(_, own, _)| near(*own)).map(|(entry, ..)| entry));
            ControlFlow::<()>::Continue(())
        });
        found.sort_unstable();
        Ok(found)
    }

    /// The entries whose boxes are not outside of any of the half-spaces normal·p <= offset, by number: what a
    /// camera sees, and a few boxes that pass the corners of the frustum.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn in_half_spaces(&self, half_spaces: &[(V, V::Scalar)]) -> Result<Vec<Entry>, Error> {
        for (normal, offset) in half_spaces {
            finite_vector("normal", *normal)?;
            finite("offset", *offset)?;
        }
        let mut found = Vec::new();
        let _ = self.tree.in_half_spaces(half_spaces, |number| {
            let inside = |own: Aabb<V>| half_spaces.iter().all(|(normal, d)| own.shadow(*normal).min <= *d);
            found.extend(self.known(number).filter(|(_, own, _)| inside(*own)).map(|(entry, ..)| entry));
            ControlFlow::<()>::Continue(())
        });
        found.sort_unstable();
        Ok(found)
    }

    /// The entries whose boxes the ray origin + t·direction meets, with the least t in [0, max] of each: the first
    /// one first, of equal t the lower number. t has a relative error of 4ε.
    ///
    /// # Errors
    /// When a number is not finite, `max` is negative, or the direction is zero.
    pub fn cast_ray(
        &self,
        origin: impl Into<V>,
        direction: impl Into<V>,
        max: V::Scalar,
    ) -> Result<Vec<(Entry, V::Scalar)>, Error> {
        let origin = finite_vector("origin", origin.into())?;
        let direction = finite_vector("direction", direction.into())?;
        let max = not_negative("max", max)?;
        if direction == V::ZERO {
            return Err(Error::ZeroDirection { what: "direction" });
        }
        let mut found = Vec::new();
        // No answer is ever the first one, so every box on the way is offered.
        let _ = self.tree.cast_ray(origin, direction, max, |number, _| {
            if let Some((entry, own, _)) = self.known(number) {
                found.extend(first_parameter(own, origin, direction, max).map(|t| (entry, t)));
            }
            None
        });
        found.sort_unstable_by(|(a, t), (b, u)| t.to_f64().total_cmp(&u.to_f64()).then(a.cmp(b)));
        Ok(found)
    }

    /// The `count` entries whose boxes are nearest to a point, with their distances (0 inside): the nearest
    /// first, of equal ones the lower number.
    ///
    /// # Errors
    /// When the point is not finite.
    pub fn nearest(&self, point: impl Into<V>, count: usize) -> Result<Vec<(Entry, V::Scalar)>, Error> {
        let point = finite_vector("point", point.into())?;
        let exact = |number: usize| self.slots.get(number).map_or_else(Aabb::empty, |slot| slot.bounds);
        let near = self.tree.view().nearest_to(point, count, f64::INFINITY, Some(&exact));
        let known = near.into_iter().filter_map(|near| {
            let (entry, ..) = self.known(near.item as usize)?;
            Some((entry, V::Scalar::from_f64(near.distance)))
        });
        Ok(known.collect())
    }

    /// All pairs of entries whose boxes overlap, by number, the lower first; by all threads at hand.
    #[must_use]
    pub fn pairs(&self) -> Vec<(Entry, Entry)> {
        let close = self.tree.all_pairs();
        let known = close.into_iter().filter_map(|[a, b]| {
            let ((a, own, _), (b, other, _)) = (self.known(a as usize)?, self.known(b as usize)?);
            own.overlaps(other).then_some((a, b))
        });
        known.collect()
    }

    fn known(&self, number: usize) -> Option<(Entry, Aabb<V>, &T)> {
        let slot = self.slots.get(number)?;
        let entry = Entry { number: number as u32, generation: slot.generation };
        slot.value.as_ref().map(|value| (entry, slot.bounds, value))
    }
}

/// The least t in [0, max] at which the ray is in the box. Solved in `f64`: along an axis the ray is inside
/// for t between two quotients, each with two roundings.
fn first_parameter<V: Vector>(bounds: Aabb<V>, origin: V, direction: V, max: V::Scalar) -> Option<V::Scalar> {
    let (bounds, origin, direction) = (bounds.widen(), origin.widen(), direction.widen());
    let (mut enter, mut leave) = (0.0, max.to_f64());
    for axis in 0..V::DIM {
        let (low, high) = (bounds.min.get(axis), bounds.max.get(axis));
        let (o, d) = (origin.get(axis), direction.get(axis));
        if d == 0.0 {
            if o < low || high < o {
                return None;
            }
            continue;
        }
        let (near, far) = if 0.0 < d { (low, high) } else { (high, low) };
        let (first, last) = ((near - o) / d, (far - o) / d);
        enter = if enter < first { first } else { enter };
        leave = if last < leave { last } else { leave };
    }
    (enter <= leave).then(|| V::Scalar::from_f64(enter))
}
