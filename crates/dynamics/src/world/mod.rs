//! Worlds: bodies that fall, slide, bounce, stack and sleep. One engine for the plane and for space.
//!
//! A step goes through stages, each a file:
//!
//! 1. `broad_phase`: boxes that moved give new pairs, sorted;
//! 2. `narrow_phase`: each pair that is awake finds its points, or keeps those it has; `parts`: those of meshes;
//! 3. `narrow_phase` again: what began or ceased to touch is acted on in order: events, `colours`, waking, no `ghosts`;
//! 4. `solver`: joints and contacts by colour, as many at a time as the processor has lanes, in sub-steps;
//! 5. `finish`: poses, boxes, hits; `continuous`: what is fast stops at the first touch, which `impact` finds; `islands`: what rests falls asleep.
//!
//! Order decides nothing that it should not: pairs are sorted, colours follow from the order in which contacts
//! begin, contacts of a colour share no moving body. The same calls give the same bits, whatever the width of
//! the registers and the number of `threads`. A step reads no clock unless [`World::set_timed`] asks for it, and allocates nothing once
//! the buffers have grown.

#![allow(private_bounds, reason = "the dimensions are sealed: their inner workings are nobody's business")]

mod access;
mod add;
mod body;
mod broad_phase;
mod bytes;
mod calm;
mod character;
mod collider;
mod colours;
mod contact;
mod continuous;
mod dimension;
mod drag;
mod events;
mod field;
mod finish;
mod ghosts;
mod handle;
mod hooks;
mod impact;
mod islands;
mod joint;
mod narrow_phase;
mod pair_set;
mod parts;
mod query;
mod settings;
mod solver;
mod state;
mod statistics;
mod step;
mod surface;
mod threads;

pub use access::{BodyMut, BodyRef};
pub use body::{Body, BodyKind, Locks};
pub use character::{Character, CharacterMove, CharacterSettings, Ground};
pub use collider::{Collider, ColliderRef, Filter};
pub use dimension::{Dimension, Plane, Solid};
pub use events::{BrokenJoint, Events, HitEvent, Touch};
pub use field::{Explosion, Fluid, Wind};
pub use handle::{BodyHandle, ColliderHandle, JointHandle};
pub use hooks::{ContactChange, Party};
pub use joint::{Joint, JointAxis, JointKind, JointMotor, JointMut, JointRef, JointSpring};
pub use query::{Nearest, QueryFilter, RayHit};
pub use settings::Settings;
pub use solver::wide::Width;
pub use state::Snapshot;
pub use statistics::{ContactPoint, Statistics, Timings};

use body::{Place, Record};
use broad_phase::BroadPhase;
use calm::Strides;
use collider::ColliderRecord;
use colours::Colours;
use contact::Contacts;
use continuous::Continuous;
use dimension::{Engine, Motion, Side};
use finish::Fate;
use handle::Table;
use hooks::Hooks;
use islands::Islands;
use joint::Joints;
use parts::PartPairs;
use solver::Solver;
use solver::wide::Quad;
use threads::{Lists, Pool};

/// Bodies that fall, slide, bounce, stack and sleep.
///
/// Positions are kept in `f64`, everything else in `f32`. See [`Body`] for what can be added, [`Settings`] for
/// how it steps.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, World};
/// use carom_geometry::d2::Cuboid;
/// let mut world = World::new();
/// world.add(Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([50.0, 1.0])?))?;
/// let boxes: Vec<_> = (0..5)
///     .map(|k| world.add(Body::dynamic().at([0.0, 0.5 + k as f32]).shape(Cuboid::new([0.5, 0.5])?)))
///     .collect::<Result<_, _>>()?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// let top = world.get(boxes[4])?;
/// assert!((top.pose().translation.y - 4.5).abs() < 0.02 && !top.is_awake());
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct World<D: Engine> {
    pub(crate) settings: Settings<D::Vector>,
    pub(crate) width: Width,
    pub(crate) bodies: Table<Record<D>>,
    pub(crate) places: Vec<Place<D>>,
    pub(crate) colliders: Table<ColliderRecord<D>>,
    pub(crate) awake: Awake<D>,
    pub(crate) contacts: Contacts<D>,
    pub(crate) part_pairs: PartPairs<D>,
    pub(crate) strides: Strides<D::Vector>,
    pub(crate) colours: Colours,
    pub(crate) joints: Joints<D>,
    pub(crate) broad_phase: BroadPhase<D::Vector>,
    pub(crate) solver: Solver,
    pub(crate) pool: Pool,
    pub(crate) islands: Islands,
    pub(crate) continuous: Continuous<D>,
    pub(crate) hooks: Hooks<D::Vector>,
    /// What had happened by the end of the last step.
    pub(crate) events: Events<D::Vector>,
    /// What has happened since.
    pub(crate) happened: Events<D::Vector>,
    /// How many bodies want to hear of fast contacts.
    pub(crate) hit_reporters: usize,
    pub(crate) step_count: u64,
    pub(crate) is_timed: bool,
    pub(crate) timings: Timings,
    /// Bodies to visit; kept for its memory, as what follows.
    pub(crate) scratch: Vec<u32>,
    /// Bodies that did not simply arrive, by worker and all.
    fates: Lists<(u32, Fate<D::Vector>)>,
    all_fates: Vec<(u32, Fate<D::Vector>)>,
    /// Contacts with news, by worker.
    news: Lists,
}

/// What moves, dense. Index k here is state k + 1: state 0 is that of everything that does not move.
#[derive(Clone, Debug)]
pub(crate) struct Awake<D: Engine> {
    pub(crate) bodies: Vec<u32>,
    pub(crate) quads: Vec<Quad>,
    pub(crate) motion: Vec<Motion<D>>,
    pub(crate) references: Vec<D::Velocities>,
    /// What constraints need to know, found once in a step.
    pub(crate) sides: Vec<Side<D>>,
    /// Whether any of them has locks, likewise.
    pub(crate) has_locks: bool,
}

impl<D: Engine> Default for Awake<D> {
    fn default() -> Self {
        let mut quads = vec![Quad::default(); D::QUADS];
        D::write_state(&mut quads, D::Vector::default(), D::Angular::default());
        let (motion, references, sides) = (Vec::new(), Vec::new(), Vec::new());
        Awake { bodies: Vec::new(), quads, motion, references, sides, has_locks: false }
    }
}

impl<D: Engine> Awake<D> {
    /// The state of the k-th body.
    #[inline(always)]
    pub(crate) fn state(&self, k: usize) -> &[Quad] {
        &self.quads[(k + 1) * D::QUADS..(k + 2) * D::QUADS]
    }
    #[inline(always)]
    pub(crate) fn state_mut(&mut self, k: usize) -> &mut [Quad] {
        &mut self.quads[(k + 1) * D::QUADS..(k + 2) * D::QUADS]
    }
    /// Adds a body; the answer is its index here.
    pub(crate) fn push(&mut self, body: u32, velocity: D::Vector, angular: D::Angular) -> u32 {
        let k = self.bodies.len();
        self.bodies.push(body);
        self.motion.push(Motion::default());
        self.references.push(D::Velocities::default());
        self.sides.push(Side::default());
        self.quads.resize((k + 2) * D::QUADS, Quad::default());
        D::write_state(self.state_mut(k), velocity, angular);
        k as u32
    }
    /// Removes the k-th body; the last one takes its place and is named, if it is another.
    pub(crate) fn swap_remove(&mut self, k: usize) -> Option<u32> {
        let last = self.bodies.len() - 1;
        self.bodies.swap_remove(k);
        self.motion.swap_remove(k);
        self.references.swap_remove(k);
        self.sides.swap_remove(k);
        let (from, to) = ((last + 1) * D::QUADS, (k + 1) * D::QUADS);
        self.quads.copy_within(from..from + D::QUADS, to);
        self.quads.truncate(from);
        self.bodies.get(k).copied()
    }
}
