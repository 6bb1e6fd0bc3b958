//! Handles: small, copyable names of bodies and shapes that can tell when what they name is gone.

use crate::Error;

macro_rules! handle {
    ($(#[$documentation:meta])* $handle:ident, $what:literal) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $handle {
            pub(crate) index: u32,
            pub(crate) generation: u32,
        }

        impl $handle {
            /// The index in its table: unique among what lives, used again after a removal.
            #[must_use]
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        impl Handle for $handle {
            const WHAT: &'static str = $what;
            fn new(index: u32, generation: u32) -> Self {
                $handle { index, generation }
            }
            fn parts(self) -> (u32, u32) {
                (self.index, self.generation)
            }
        }
    };
}

handle! {
    /// Names a body of a world.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// let mut world = World::new();
    /// let body = world.add(Body::fixed())?;
    /// world.remove(body)?;
    /// // A dead handle is an error, never somebody else's body.
    /// let other = world.add(Body::fixed())?;
    /// assert_eq!(other.index(), body.index());
    /// assert_eq!(world.get(body).unwrap_err().kind(), "gone");
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    BodyHandle, "the body"
}

handle! {
    /// Names a shape on a body of a world.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// use carom_geometry::d2::Ball;
    /// let mut world = World::new();
    /// let body = world.add(Body::dynamic().shape(Ball::new(1.0)?))?;
    /// let shape = world.get(body)?.colliders().next().expect("one shape");
    /// assert_eq!(world.collider(shape)?.body(), body);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    ColliderHandle, "the collider"
}

handle! {
    /// Names a joint of a world.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, Joint, World};
    /// let mut world = World::new();
    /// let (a, b) = (world.add(Body::fixed())?, world.add(Body::dynamic().mass(1.0))?);
    /// let joint = world.add_joint(Joint::fixed(a, b))?;
    /// // A body takes its joints along.
    /// world.remove(b)?;
    /// assert_eq!(world.joint(joint).unwrap_err().kind(), "gone");
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    JointHandle, "the joint"
}

/// What all kinds of handles are.
pub(crate) trait Handle: Copy {
    const WHAT: &'static str;
    fn new(index: u32, generation: u32) -> Self;
    fn parts(self) -> (u32, u32);
}

/// A table of things with handles. Odd generations live.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    pub(crate) items: Vec<T>,
    pub(super) generations: Vec<u32>,
    pub(super) free: Vec<u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { items: Vec::new(), generations: Vec::new(), free: Vec::new() }
    }
}

impl<T> Table<T> {
    pub(crate) fn insert<H: Handle>(&mut self, item: T) -> Result<H, Error> {
        if let Some(index) = self.free.pop() {
            self.items[index as usize] = item;
            let generation = &mut self.generations[index as usize];
            *generation = generation.wrapping_add(1);
            return Ok(H::new(index, *generation));
        }
        // One index is kept for "none", one bit for marks.
        let index = u32::try_from(self.items.len()).ok().filter(|index| *index < u32::MAX / 4);
        let index = index.ok_or(Error::Full { what: H::WHAT })?;
        self.items.push(item);
        self.generations.push(1);
        Ok(H::new(index, 1))
    }
    /// The index, if the handle is alive.
    pub(crate) fn check<H: Handle>(&self, handle: H) -> Result<usize, Error> {
        let (index, generation) = handle.parts();
        match self.generations.get(index as usize) {
            Some(current) if *current == generation && generation % 2 == 1 => Ok(index as usize),
            _ => Err(Error::Gone { what: H::WHAT }),
        }
    }
    /// Forgets an item that is alive.
    pub(crate) fn release(&mut self, index: usize) {
        self.generations[index] = self.generations[index].wrapping_add(1);
        self.free.push(index as u32);
    }
    pub(crate) fn is_alive(&self, index: usize) -> bool {
        self.generations.get(index).is_some_and(|generation| generation % 2 == 1)
    }
    pub(crate) fn handle<H: Handle>(&self, index: usize) -> H {
        H::new(index as u32, self.generations[index])
    }
    /// Those alive, by ascending index.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.items.len()).filter(|index| self.is_alive(*index))
    }
    pub(crate) fn len(&self) -> usize {
        self.items.len() - self.free.len()
    }
}
