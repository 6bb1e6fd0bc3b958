//! Bodies and shapes as bytes.

use super::super::body::{BodyKind, Locks, Place, Record};
use super::super::collider::{Collider, ColliderRecord, Filter, ShapeFacts};
use super::super::contact::NONE;
use super::super::handle::Table;
use super::super::{Body, World};
use super::pack::put_varint;
use super::wire::{Input, Wire};
use super::{Portable, get_fields, put_fields};
use crate::Error;
use carom_geometry::bound::Aabb;
use carom_math::Vector;

/// What hardly ever changes about a body.
macro_rules! still_fields {
    ($do:ident, $io:expr, $record:expr) => {
        $do!($io, $record; local_center, mass, inertia, linear_damping, angular_damping, gravity_scale, reach, thickness,
            sleep_speed, user_data, name)
    };
}
/// What changes in each step while it is awake.
macro_rules! moving_fields {
    ($do:ident, $io:expr, $record:expr) => {
        $do!($io, $record; slow_time, force, torque)
    };
}
/// What was given with a shape, without the shape and the filter.
macro_rules! given_fields {
    ($do:ident, $io:expr, $given:expr) => {
        $do!($io, $given; pose, density, friction, restitution, rolling, surface, is_sensor, user_data)
    };
}

/// The yes and no of a body in one byte, with its kind.
fn flags<D: Portable>(record: &Record<D>) -> u8 {
    let kind = match record.kind {
        BodyKind::Dynamic => 0,
        BodyKind::Fixed => 1,
        BodyKind::Kinematic => 2,
    };
    let bits = [
        record.can_sleep,
        record.is_quarantined,
        record.reports_hits,
        record.is_continuous,
        record.has_given_mass,
    ];
    bits.iter().enumerate().fold(kind, |flags, (k, bit)| flags | u8::from(*bit) << (k + 2))
}

fn set_flags<D: Portable>(record: &mut Record<D>, flags: u8, input: &Input<'_>) -> Result<(), Error> {
    record.kind = match flags & 3 {
        0 => BodyKind::Dynamic,
        1 => BodyKind::Fixed,
        2 => BodyKind::Kinematic,
        _ => return Err(input.fail("there is no such kind of body")),
    };
    let bit = |k: u8| flags >> (k + 2) & 1 == 1;
    (record.can_sleep, record.is_quarantined, record.reports_hits) = (bit(0), bit(1), bit(2));
    (record.is_continuous, record.has_given_mass) = (bit(3), bit(4));
    if flags >> 7 == 0 { Ok(()) } else { Err(input.fail("a body has properties that are not known")) }
}

/// The generations of all places of a table, and the free ones in the order of their use.
pub(super) fn put_table<T>(table: &Table<T>, bytes: &mut Vec<u8>) {
    put_varint(bytes, table.items.len() as u64);
    table.generations.iter().for_each(|generation| put_varint(bytes, u64::from(*generation)));
    put_free(bytes, &table.free);
}

/// Free places, eight bytes each: in memory a place takes some hundred, and bytes shall not stand for very much more
/// than they are.
pub(super) fn put_free(bytes: &mut Vec<u8>, free: &[u32]) {
    free.iter().for_each(|index| u64::from(*index).put(bytes));
}

/// Free places, each once.
pub(super) fn get_free(input: &mut Input<'_>, count: usize, bound: usize) -> Result<Vec<u32>, Error> {
    input.need(&[(count, 8)])?;
    let mut named = vec![false; bound];
    let mut free = Vec::with_capacity(count);
    for _ in 0..count {
        let index = input.get::<u64>()?;
        let slot = usize::try_from(index).ok().and_then(|index| named.get_mut(index));
        match slot.map(|named| core::mem::replace(named, true)) {
            Some(false) => free.push(index as u32),
            _ => return Err(input.fail("a place is free twice, or beyond the last")),
        }
    }
    Ok(free)
}

/// What a body or a shape takes at least.
const LEAST: usize = 64;

pub(super) fn get_table<T: Clone>(input: &mut Input<'_>, nothing: &T) -> Result<Table<T>, Error> {
    let count = input.count(1)?;
    if u32::MAX as usize / 4 <= count {
        return Err(input.fail("there cannot be so many"));
    }
    let mut generations = Vec::with_capacity(count);
    for _ in 0..count {
        let generation =
            u32::try_from(input.varint()?).map_err(|_| input.fail("a generation is too large"))?;
        generations.push(generation);
    }
    let dead = generations.iter().filter(|generation| *generation % 2 == 0).count();
    input.need(&[(dead, 8), (count - dead, LEAST)])?;
    let free = get_free(input, dead, count)?;
    if free.iter().any(|index| generations[*index as usize] % 2 == 1) {
        return Err(input.fail("a place is named free that is not"));
    }
    Ok(Table { items: vec![nothing.clone(); count], generations, free })
}

/// Indices with small gaps: the difference to the one before, zigzag.
pub(super) fn put_indices(bytes: &mut Vec<u8>, indices: impl Iterator<Item = u32>) {
    let mut last = 0_i64;
    for index in indices {
        let gap = i64::from(index) - last;
        last = i64::from(index);
        put_varint(bytes, (gap << 1 ^ gap >> 63) as u64);
    }
}

pub(super) fn get_indices(input: &mut Input<'_>, count: usize, bound: usize) -> Result<Vec<u32>, Error> {
    let mut last = 0_i64;
    let mut indices = Vec::with_capacity(count);
    for _ in 0..count {
        let zigzag = input.varint()?;
        let gap = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
        last = last.wrapping_add(gap);
        match u32::try_from(last) {
            Ok(index) if (index as usize) < bound => indices.push(index),
            _ => return Err(input.fail("an index is beyond the last")),
        }
    }
    Ok(indices)
}

pub(super) fn put<D: Portable>(world: &World<D>, bytes: &mut Vec<u8>) {
    let alive = || world.bodies.indices();
    put_table(&world.bodies, bytes);
    alive().for_each(|index| flags(&world.bodies.items[index]).put(bytes));
    alive().for_each(|index| world.bodies.items[index].locks.bits.put(bytes));
    for index in alive() {
        still_fields!(put_fields, bytes, world.bodies.items[index]);
    }
    for index in alive() {
        world.places[index].center.put(bytes);
        world.places[index].rotation.put(bytes);
    }
    for index in alive() {
        let (velocity, angular) = world.velocities_of(index);
        velocity.put(bytes);
        angular.put(bytes);
        moving_fields!(put_fields, bytes, world.bodies.items[index]);
    }
    put_varint(bytes, world.awake.bodies.len() as u64);
    put_indices(bytes, world.awake.bodies.iter().copied());

    let alive = || world.colliders.indices();
    put_table(&world.colliders, bytes);
    for index in alive() {
        let given = &world.colliders.items[index].given;
        given_fields!(put_fields, bytes, given);
        put_fields!(bytes, given.filter; category, mask, group);
    }
    // Shapes once each: many bodies have the same.
    let mut known: Vec<(Vec<u8>, u32)> = Vec::new();
    let mut numbers = Vec::new();
    let mut shapes = Vec::new();
    for index in alive() {
        let mut shape = Vec::new();
        world.colliders.items[index].given.shape.put(&mut shape);
        match known.binary_search_by(|(other, _)| other.cmp(&shape)) {
            Ok(at) => numbers.push(known[at].1),
            Err(at) => {
                let number = known.len() as u32;
                shapes.extend_from_slice(&shape);
                known.insert(at, (shape, number));
                numbers.push(number);
            }
        }
    }
    put_varint(bytes, known.len() as u64);
    bytes.extend(shapes);
    put_indices(bytes, numbers.into_iter());
    // Before the boxes, none of which is like another: a difference finds out there by how much this has moved them.
    let touched = world.broad_phase.touched();
    put_varint(bytes, touched.len() as u64);
    put_indices(bytes, touched.into_iter());
    for index in alive() {
        let collider = &world.colliders.items[index];
        collider.margin.put(bytes);
        collider.fat.min.put(bytes);
        collider.fat.max.put(bytes);
    }
    // The shapes of each body, in the order of its list.
    let mut lists = Vec::new();
    for index in world.bodies.indices() {
        let mut count = 0;
        let mut at = world.bodies.items[index].first_collider;
        while at != NONE {
            count += 1;
            lists.push(at);
            at = world.colliders.items[at as usize].next;
        }
        put_varint(bytes, count);
    }
    put_indices(bytes, lists.into_iter());
}

pub(super) fn get<D: Portable>(world: &mut World<D>, input: &mut Input<'_>) -> Result<(), Error> {
    world.bodies = get_table(input, &Record::new(&Body::fixed()))?;
    let count = world.bodies.items.len();
    let alive: Vec<usize> = world.bodies.indices().collect();
    world.places = vec![Place::default(); count];
    world.colours.used = vec![0; count];
    for &index in &alive {
        let flags = input.get()?;
        set_flags(&mut world.bodies.items[index], flags, input)?;
    }
    for &index in &alive {
        world.bodies.items[index].locks = Locks { bits: input.get()? };
    }
    for &index in &alive {
        let record = &mut world.bodies.items[index];
        still_fields!(get_fields, input, record);
        record.inverse_mass = if 0.0 < record.mass { 1.0 / record.mass } else { 0.0 };
        record.inverse_inertia = D::inverse_inertia(record.inertia);
        record.tumbles = record.kind == BodyKind::Dynamic && !D::is_round(record.inertia);
        if !record.inverse_mass.is_finite() || !record.mass.is_finite() || record.mass < 0.0 {
            return Err(input.fail("a mass is no mass"));
        }
        let inertias = [record.inertia, record.inverse_inertia].map(D::inertia_entries);
        if inertias.as_flattened().iter().any(|moment| !moment.is_finite()) {
            return Err(input.fail("an inertia is none"));
        }
    }
    for &index in &alive {
        let (center, rotation): (D::Wide, D::Rotation) = (input.get()?, input.get()?);
        if !center.finite() || !D::is_finite_rotation(rotation) {
            return Err(input.fail("a body is nowhere"));
        }
        world.places[index] = Place { center, rotation, state: 0 };
    }
    for &index in &alive {
        let record = &mut world.bodies.items[index];
        get_fields!(input, record; velocity, angular);
        moving_fields!(get_fields, input, record);
        if !record.velocity.finite() {
            return Err(input.fail("a velocity is infinite"));
        }
        if record.kind == BodyKind::Fixed {
            (record.velocity, record.angular) = Default::default();
        }
    }
    let awake = input.count(1)?;
    for index in get_indices(input, awake, count)? {
        let record = &world.bodies.items[index as usize];
        let may_be = world.bodies.is_alive(index as usize) && record.kind != BodyKind::Fixed;
        if !may_be || record.is_awake() || record.is_quarantined {
            return Err(input.fail("a body is awake that cannot be, or twice"));
        }
        let k = world.awake.push(index, record.velocity, record.angular);
        world.set_awake(index as usize, k);
    }
    get_colliders(world, input)
}

fn get_colliders<D: Portable>(world: &mut World<D>, input: &mut Input<'_>) -> Result<(), Error> {
    // Something to stand in each place until it is read.
    let Some(ball) = D::ball(1.0) else { return Err(input.fail("there is no ball")) };
    let nothing = ColliderRecord::<D>::new(Collider::new(ball), 0.0)?;
    world.colliders = get_table(input, &nothing)?;
    let alive: Vec<usize> = world.colliders.indices().collect();
    let mut givens = Vec::new();
    for _ in &alive {
        let mut given = nothing.given.clone();
        given_fields!(get_fields, input, given);
        let mut filter = Filter::default();
        get_fields!(input, filter; category, mask, group);
        given.filter = filter;
        givens.push(given);
    }
    let mut shapes: Vec<(D::Shape, ShapeFacts<D>)> = Vec::new();
    for _ in 0..input.count(5)? {
        let shape = input.get()?;
        let facts = ShapeFacts::new(&shape)?;
        shapes.push((shape, facts));
    }
    let numbers = get_indices(input, alive.len(), shapes.len())?;
    let touched = input.count(1)?;
    let touched = get_indices(input, touched, world.colliders.items.len())?;
    for ((&index, mut given), number) in alive.iter().zip(givens).zip(numbers) {
        let (shape, facts) = &mut shapes[number as usize];
        given.shape = shape.clone();
        let mut collider = ColliderRecord::<D>::with_facts(given, facts, 0.0)?;
        collider.margin = input.get()?;
        collider.fat = Aabb { min: input.get()?, max: input.get()? };
        world.colliders.items[index] = collider;
    }
    let mut counts = Vec::new();
    let mut all = 0_usize;
    for index in world.bodies.indices() {
        let count = input.count(1)?;
        all = all.saturating_add(count);
        counts.push((index, count));
    }
    if all != alive.len() {
        return Err(input.fail("shapes and bodies do not belong together"));
    }
    let mut list = get_indices(input, all, world.colliders.items.len())?.into_iter();
    for (body, count) in counts {
        let mut last = NONE;
        for index in list.by_ref().take(count) {
            let is_free = world.colliders.is_alive(index as usize)
                && world.colliders.items[index as usize].body == NONE;
            let record = &mut world.bodies.items[body];
            let collider = &mut world.colliders.items[index as usize];
            if !is_free || record.kind != BodyKind::Fixed && !collider.is_bounded() {
                return Err(input.fail("a shape is on two bodies, or on one that it cannot be on"));
            }
            collider.body = body as u32;
            collider.place(record.local_center);
            match last {
                NONE => record.first_collider = index,
                last => world.colliders.items[last as usize].next = index,
            }
            last = index;
        }
    }
    for &index in &alive {
        let collider = &world.colliders.items[index];
        let is_still = world.bodies.items[collider.body as usize].kind == BodyKind::Fixed;
        world.broad_phase.put(is_still, collider.fat, index as u32);
    }
    world.broad_phase.forget_moves();
    touched.into_iter().for_each(|index| world.broad_phase.touch(index));
    Ok(())
}

/// Fails to compile when a body or a shape gets something new: then it has to be written and read above, or follow
/// from what is.
#[expect(dead_code, reason = "it is there to be compiled")]
fn complete<D: Portable>(record: Record<D>, collider: ColliderRecord<D>) {
    let Record {
        kind: _,
        velocity: _,
        angular: _,
        local_center: _,
        mass: _,
        has_given_mass: _,
        inverse_mass: _,
        inertia: _,
        inverse_inertia: _,
        force: _,
        torque: _,
        linear_damping: _,
        angular_damping: _,
        gravity_scale: _,
        locks: _,
        first_collider: _,
        first_contact: _,
        first_joint: _,
        joint_count: _,
        awake: _,
        reach: _,
        thickness: _,
        sleep_speed: _,
        slow_time: _,
        can_sleep: _,
        tumbles: _,
        is_quarantined: _,
        reports_hits: _,
        is_continuous: _,
        is_deep: _,
        user_data: _,
        name: _,
    } = record;
    let ColliderRecord {
        given,
        body: _,
        next: _,
        from_center: _,
        local_box: _,
        thickness: _,
        distance: _,
        box_center: _,
        is_turned: _,
        reach: _,
        margin: _,
        rolling_arm: _,
        fat: _,
    } = collider;
    let Collider {
        shape: _,
        pose: _,
        density: _,
        friction: _,
        restitution: _,
        rolling: _,
        surface: _,
        filter: _,
        is_sensor: _,
        user_data: _,
    } = given;
}
