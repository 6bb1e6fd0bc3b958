//! Snapshots as bytes: to keep, to send, to compare.
//!
//! Little-endian throughout. A snapshot is `CRMS`, the version (2 bytes), the dimension (1 byte), the check of the raw
//! bytes (8 bytes, FNV-1a), how many there are (a varint), and the raw bytes, packed (see `pack`). A difference is `CRMD`,
//! version, dimension, the check of the earlier snapshot's raw bytes, then the same, with those as the dictionary.
//!
//! The raw bytes are all that decides how the world goes on: settings, bodies and shapes with the names that they have
//! in their tables and the order in which free ones are used again, contacts and joints with their impulses and the order
//! of every list of them. What follows from these is not written: trees, colours' bits, masses' inverses, the points of contacts
//! that sleep. They are in columns, each with one thing about all bodies, shapes or contacts, so that what is alike lies
//! side by side.
//!
//! Nothing is taken on trust: every index is checked, lists name each thing once, and contacts of one colour share no
//! body that moves. What bytes may cost is bounded by how many there are. Events are not written: a world that was read
//! has none until its next step.

mod body;
mod contact;
mod joint;
pub(crate) mod pack;
mod shapes;
pub(crate) mod wire;

use super::dimension::{Engine, Plane, Solid};
use super::state::Snapshot;
use super::{Settings, World};
use crate::Error;
use carom_math::Vector;
use wire::{Input, Wire};

const VERSION: u16 = 2;

/// A dimension whose things can be written.
pub(crate) trait Portable:
    Engine<Vector: Wire, Wide: Wire, Angular: Wire, Rotation: Wire, Pose: Wire, Inertia: Wire, Shape: Wire>
{
}

impl Portable for Plane {}
impl Portable for Solid {}

/// Writes fields, and reads them into something that has them.
macro_rules! put_fields {
    ($bytes:expr, $from:expr; $($field:ident),+) => { $($from.$field.put($bytes);)+ };
}
macro_rules! get_fields {
    ($input:expr, $to:expr; $($field:ident),+) => { $($to.$field = $input.get()?;)+ };
}
pub(crate) use {get_fields, put_fields};

/// The fields of the settings, once for both directions.
macro_rules! settings_fields {
    ($do:ident, $io:expr, $settings:expr) => {
        $do!($io, $settings; gravity, sub_steps, slop, contact_stiffness, contact_damping, joint_stiffness,
            joint_damping, push_speed, restitution_speed,
            hit_speed, max_speed, continuous, sleep, sleep_time, recycle)
    };
}

/// FNV-1a, eight bytes at a time: quick, and enough against accidents.
fn check(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(mix(hash, bytes.len() as u64), |hash, byte| mix(hash, u64::from(*byte)))
}

impl<D: Portable> Snapshot<D> {
    /// The snapshot as bytes, compressed. The same state gives the same bytes on every machine.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d3::{Body, Snapshot, World};
    /// use carom_geometry::d3::Cuboid;
    /// let mut world = World::new();
    /// world.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(Cuboid::new([9.0, 1.0, 9.0])?))?;
    /// world.add(Body::dynamic().at([0.0, 2.0, 0.0]).shape(Cuboid::new([0.5, 0.5, 0.5])?))?;
    /// let bytes = world.snapshot().to_bytes();
    /// // Somewhere else, later:
    /// let mut other = World::new();
    /// other.restore(&Snapshot::from_bytes(&bytes)?);
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    ///     other.step(1.0 / 60.0)?;
    /// }
    /// assert_eq!(world.hash(), other.hash());
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let raw = self.raw();
        let mut bytes = Self::head(b"CRMS");
        put_raw(&mut bytes, &raw, &[]);
        bytes
    }

    /// A snapshot from bytes that [`to_bytes`](Self::to_bytes) gave.
    ///
    /// # Errors
    /// [`Error::Bytes`] when they are something else, of another version or dimension, or were changed.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut input = Input::new(bytes);
        Self::check_head(&mut input, b"CRMS")?;
        Self::of_raw(&get_raw(&mut input, bytes, &[])?)
    }

    /// What is different from an earlier snapshot, as bytes: little when little has moved.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// use carom_geometry::d2::Ball;
    /// let mut world = World::new();
    /// world.add(Body::dynamic().shape(Ball::new(1.0)?))?;
    /// let earlier = world.snapshot();
    /// world.step(1.0 / 60.0)?;
    /// let later = world.snapshot();
    /// let difference = later.delta(&earlier);
    /// let again = earlier.apply(&difference)?;
    /// assert_eq!(again.to_bytes(), later.to_bytes());
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    #[must_use]
    pub fn delta(&self, earlier: &Self) -> Vec<u8> {
        let (raw, before) = (self.raw(), earlier.raw());
        let mut bytes = Self::head(b"CRMD");
        check(&before).put(&mut bytes);
        put_raw(&mut bytes, &raw, &before);
        bytes
    }

    /// The later snapshot, from this one and what [`delta`](Self::delta) gave.
    ///
    /// # Errors
    /// [`Error::Bytes`] when the bytes are something else or were changed, or are the difference from another snapshot.
    pub fn apply(&self, delta: &[u8]) -> Result<Self, Error> {
        let mut input = Input::new(delta);
        Self::check_head(&mut input, b"CRMD")?;
        let before = self.raw();
        if input.get::<u64>()? != check(&before) {
            return Err(input.fail("they are the difference from another snapshot"));
        }
        Self::of_raw(&get_raw(&mut input, delta, &before)?)
    }

    fn head(magic: &[u8; 4]) -> Vec<u8> {
        let mut bytes = magic.to_vec();
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.push(D::Vector::DIM as u8);
        bytes
    }
    fn check_head(input: &mut Input<'_>, magic: &[u8; 4]) -> Result<(), Error> {
        if input.take::<4>()? != *magic {
            return Err(input.fail("they are no snapshot, or no difference of two"));
        }
        if u16::from_le_bytes(input.take()?) != VERSION {
            return Err(input.fail("they are of another version"));
        }
        if usize::from(input.get::<u8>()?) != D::Vector::DIM {
            return Err(input.fail("they are of the other dimension"));
        }
        Ok(())
    }

    fn raw(&self) -> Vec<u8> {
        let world = &self.world;
        let mut bytes = Vec::new();
        settings_fields!(put_fields, &mut bytes, world.settings);
        world.step_count.put(&mut bytes);
        body::put(world, &mut bytes);
        contact::put(world, &mut bytes);
        joint::put(world, &mut bytes);
        bytes
    }
    fn of_raw(raw: &[u8]) -> Result<Self, Error> {
        let mut input = Input::new(raw);
        let mut world = World::new();
        let mut settings = Settings::default();
        settings_fields!(get_fields, input, settings);
        world.set_settings(settings)?;
        world.step_count = input.get()?;
        body::get(&mut world, &mut input)?;
        let wants = |index: &usize| world.bodies.items[*index].reports_hits;
        world.hit_reporters = world.bodies.indices().filter(wants).count();
        contact::get(&mut world, &mut input)?;
        joint::get(&mut world, &mut input)?;
        if !input.is_empty() {
            return Err(input.fail("something is left over"));
        }
        Ok(Snapshot { world })
    }
}

/// The check, the length, and what is packed.
fn put_raw(bytes: &mut Vec<u8>, raw: &[u8], dictionary: &[u8]) {
    check(raw).put(bytes);
    pack::put_varint(bytes, raw.len() as u64);
    bytes.extend(pack::pack(raw, dictionary));
}

fn get_raw(input: &mut Input<'_>, bytes: &[u8], dictionary: &[u8]) -> Result<Vec<u8>, Error> {
    let expected: u64 = input.get()?;
    let length = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
    let packed = bytes.get(input.offset()..).unwrap_or_default();
    let raw = pack::unpack(packed, dictionary, length);
    raw.filter(|raw| check(raw) == expected).ok_or_else(|| input.fail("they were changed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Body, Collider, Joint};
    use carom_geometry::d2::{Ball, Cuboid, HalfSpace, Polyline};

    /// A little of everything: awake, asleep, removed, a sensor, a belt, joints, a valley with two sides.
    fn world() -> World<Plane> {
        let mut world = World::new();
        world.add(Body::fixed().shape(HalfSpace::new([0.0, 1.0], 0.0).unwrap())).unwrap();
        let cube = Cuboid::new([0.5, 0.5]).unwrap();
        for k in 0..4_i16 {
            world.add(Body::dynamic().at([0.0, 0.5 + f32::from(k)]).shape(cube)).unwrap();
        }
        let gone = world.add(Body::dynamic().at([9.0, 0.5]).shape(cube)).unwrap();
        let belt = Collider::new(Cuboid::new([2.0, 0.1]).unwrap()).surface_velocity([1.0, 0.0]);
        world.add(Body::kinematic().at([5.0, 1.0]).velocity([0.0, 0.1]).name("belt").shape(belt)).unwrap();
        world.add(Body::fixed().at([5.0, 2.0]).shape(Collider::new(cube).sensor())).unwrap();
        let ditch = Polyline::new([[20.0, 3.0], [22.0, 1.0], [24.0, 3.0]]).unwrap();
        world.add(Body::fixed().shape(ditch)).unwrap();
        let ball = Ball::new(0.5).unwrap();
        let valley = Polyline::new([[30.0, 3.0], [32.0, 1.0], [34.0, 3.0]]).unwrap();
        world.add(Body::fixed().shape(valley)).unwrap();
        world.add(Body::dynamic().at([32.0, 1.75]).shape(ball)).unwrap();
        let [a, b, c] = [22.0, 22.6, 23.4].map(|x| {
            let body = Body::dynamic().at([x, 2.5]).shape(Collider::new(ball).friction(0.5));
            world.add(body).unwrap()
        });
        world.add_joint(Joint::revolute(a, b).at([22.3, 2.5]).limits(-0.5, 0.5).motor(0.2, 1.0)).unwrap();
        let rope = world.add_joint(Joint::rope(b, c, 1.5).breaks_at(900.0, 900.0)).unwrap();
        world.add_joint(Joint::gear(a, c, 2.0)).unwrap();
        for _ in 0..60 {
            world.step(1.0 / 60.0).unwrap();
        }
        world.remove_joint(rope).unwrap();
        assert!(world.contacts.pool.iter().any(|contact| contact.is_extra), "the valley has one side");
        world.remove(gone).unwrap();
        world.add(Body::dynamic().at([5.0, 2.0]).shape(Ball::new(0.3).unwrap())).unwrap();
        for _ in 0..30 {
            world.step(1.0 / 60.0).unwrap();
        }
        world
    }

    #[test]
    fn raw_bytes_that_lie_are_refused_or_make_a_world_that_steps() {
        let raw = world().snapshot().raw();
        let again = Snapshot::<Plane>::of_raw(&raw).unwrap();
        assert_eq!(again.raw(), raw);
        for cut in 0..raw.len() {
            assert!(Snapshot::<Plane>::of_raw(&raw[..cut]).is_err());
        }
        let mut accepted = 0;
        for at in 0..raw.len() {
            for flip in [1, 0x80] {
                let mut changed = raw.clone();
                changed[at] ^= flip;
                if let Ok(snapshot) = Snapshot::<Plane>::of_raw(&changed) {
                    accepted += 1;
                    let mut world = World::new();
                    world.restore(&snapshot);
                    for _ in 0..2 {
                        world.step(1.0 / 60.0).unwrap();
                    }
                    let _ = world.snapshot().to_bytes();
                }
            }
        }
        // Most bytes are numbers, and another number is a number too.
        assert!(accepted > raw.len() / 8);
    }
}
