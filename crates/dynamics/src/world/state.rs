//! The state as a whole: a hash of it, and taking it back.

use super::World;
use super::dimension::Engine;
use carom_math::Vector;

/// A world as it was, to go back to.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, World};
/// use carom_geometry::d2::Ball;
/// let mut world = World::new();
/// world.add(Body::dynamic().shape(Ball::new(1.0)?))?;
/// let before = world.snapshot();
/// world.step(1.0 / 60.0)?;
/// let after = world.hash();
/// world.restore(&before);
/// world.step(1.0 / 60.0)?;
/// assert_eq!(world.hash(), after);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot<D: Engine> {
    pub(super) world: World<D>,
}

/// FNV-1a over 32-bit words.
struct Fnv(u64);

impl Fnv {
    fn word(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    /// The bits of a number; both zeros are one.
    fn number(&mut self, number: f32) {
        self.word(if number == 0.0 { 0 } else { number.to_bits() });
    }
    fn wide(&mut self, number: f64) {
        let bits = if number == 0.0 { 0 } else { number.to_bits() };
        self.word(bits as u32);
        self.word((bits >> 32) as u32);
    }
}

impl<D: Engine> World<D> {
    /// Everything as it is now, bodies and shapes, joints and contacts with their impulses, trees.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<D> {
        Snapshot { world: self.clone() }
    }
    /// Goes back to a snapshot: from there on the same steps give the same bits. Bodies that were added since
    /// are gone, and those that were removed are back, with the handles they had. How it is computed (width,
    /// threads, clock) stays as it is, and so do the hooks, which are functions and no state.
    pub fn restore(&mut self, snapshot: &Snapshot<D>) {
        let (width, is_timed, timings) = (self.width, self.is_timed, self.timings);
        let (pool, hooks) = (self.pool.clone(), self.hooks.clone());
        self.clone_from(&snapshot.world);
        (self.pool, self.hooks) = (pool, hooks);
        (self.width, self.is_timed, self.timings) = (width, is_timed, timings);
    }
    /// A hash of all bodies (indices, poses, velocities, who is awake) and joints (indices, impulses). Worlds that went through the same
    /// have the same hash, on any machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        for index in self.bodies.indices() {
            let record = &self.bodies.items[index];
            let place = &self.places[index];
            hash.word(index as u32);
            hash.word(u32::from(record.is_awake()));
            (0..D::Wide::DIM).for_each(|axis| hash.wide(place.center.get(axis)));
            D::rotation_numbers(place.rotation, &mut |number| hash.number(number));
            let (velocity, angular) = self.velocities_of(index);
            (0..D::Vector::DIM).for_each(|axis| hash.number(velocity.get(axis)));
            D::angular_numbers(angular, &mut |number| hash.number(number));
        }
        for index in self.joints.table.indices() {
            let joint = &self.joints.table.items[index];
            hash.word(index as u32);
            joint.bodies.into_iter().for_each(|body| hash.word(body));
            let count = joint.form.impulse_count::<D>();
            self.joints.impulses(index).iter().take(count).for_each(|impulse| hash.number(*impulse));
        }
        hash.0
    }
}
