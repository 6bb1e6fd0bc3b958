//! Contacts as bytes.
//!
//! The points of a contact whose bodies sleep follow from where these are, so of such a contact only features and
//! impulses are written, if finding the points again does give the same bits; otherwise all of it. The peaks of impulses
//! and the speeds of approach are those of the last step, found anew in each, and are not written.

use super::super::World;
use super::super::colours::{COLOURS, OVERFLOW, UNCOLOURED};
use super::super::contact::{Contact, NONE, Point};
use super::super::narrow_phase::find_points;
use super::body::{get_free, get_indices, put_free, put_indices};
use super::pack::put_varint;
use super::wire::{Input, Wire};
use super::{Portable, get_fields, put_fields};
use crate::Error;
use carom_math::Vector;

/// What a pair has from its shapes.
macro_rules! pair_fields {
    ($do:ident, $io:expr, $contact:expr) => {
        $do!($io, $contact; friction, restitution, rolling, reach)
    };
}
/// The impulses that are not those of points.
macro_rules! impulse_fields {
    ($do:ident, $io:expr, $contact:expr) => {
        $do!($io, $contact; friction_impulse, twist_impulse, rolling_impulse)
    };
}

/// What a contact takes at least.
const LEAST: usize = 32;

/// The bits of a contact's properties.
const TOUCHING: u8 = 1;
const SENSOR: u8 = 2;
const KNOWN: u8 = 4;
const SURFACE: u8 = 8;
/// The points are written; otherwise they are to be found.
const POINTS: u8 = 16;
/// One more manifold of a pair whose shapes have parts.
const EXTRA: u8 = 32;
/// The first manifold of such a pair.
const PARTS: u8 = 64;
/// The second shape is the larger one.
const SECOND: u8 = 128;
/// With the count of points: a hook has said that the shapes do not push each other.
const IGNORED: u8 = 128;

/// Likewise: it was a hit.
const HIT: u8 = 64;

/// The contact as it is found again when it is read without its points; `None` when that is another one.
fn found_again<D: Portable>(world: &World<D>, contact: &Contact<D>) -> bool {
    let has_parts = contact.is_extra || contact.part_pair != NONE;
    if contact.awake_slot != NONE
        || contact.is_sensor
        || !contact.is_known
        || contact.has_surface
        || has_parts
    {
        return false;
    }
    let mut again = *contact;
    blank(&mut again);
    find(world, &mut again);
    let points = |contact: &Contact<D>| {
        let mut bytes = Vec::new();
        put_points(contact, &mut bytes);
        bytes
    };
    again.count == contact.count && points(&again) == points(contact)
}

/// Forgets what can be found.
fn blank<D: Portable>(contact: &mut Contact<D>) {
    contact.is_known = false;
    contact.reference = (D::Vector::ZERO, D::Rotation::default());
    contact.normal = D::Vector::ZERO;
    contact.radii = [0.0; 2];
    for point in contact.points_mut() {
        *point = Point {
            feature: point.feature,
            impulse: point.impulse,
            tangent_impulse: point.tangent_impulse,
            ..Point::default()
        };
    }
}

/// Finds the points of a contact.
fn find<D: Portable>(world: &World<D>, contact: &mut Contact<D>) {
    let [a, b] = contact.shapes.map(|shape| &world.colliders.items[shape as usize]);
    let [at_a, at_b] = contact.bodies.map(|body| &world.places[body as usize]);
    find_points(contact, (a, at_a), (b, at_b), &world.settings);
}

/// What can be found, as it is.
fn put_points<D: Portable>(contact: &Contact<D>, bytes: &mut Vec<u8>) {
    contact.reference.0.put(bytes);
    contact.reference.1.put(bytes);
    contact.normal.put(bytes);
    contact.radii.iter().for_each(|radius| radius.put(bytes));
    for point in contact.points() {
        put_fields!(bytes, point; local_a, local_b);
    }
}

/// As many points as there can be, those beyond the count empty: what comes after them is at the same place in every
/// snapshot, and a difference finds it there.
fn slots<D: Portable>(contact: &Contact<D>) -> impl Iterator<Item = Point<D::Vector>> {
    let empty = contact.points.as_ref().len() - contact.points().len();
    contact.points().iter().copied().chain(core::iter::repeat_n(Point::default(), empty))
}

pub(super) fn put<D: Portable>(world: &World<D>, bytes: &mut Vec<u8>) {
    let contacts = &world.contacts;
    put_varint(bytes, contacts.pool.len() as u64);
    put_varint(bytes, contacts.free.len() as u64);
    put_free(bytes, &contacts.free);
    let alive = || contacts.pool.iter().filter(|contact| contact.shapes[0] != NONE);
    put_indices(bytes, alive().flat_map(|contact| contact.shapes));
    let short: Vec<bool> = alive().map(|contact| found_again(world, contact)).collect();
    for (contact, is_short) in alive().zip(&short) {
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        let flags = bit(contact.is_touching, TOUCHING)
            | bit(contact.is_sensor, SENSOR)
            | bit(contact.is_known, KNOWN)
            | bit(contact.has_surface, SURFACE)
            | bit(!is_short, POINTS)
            | bit(contact.is_extra, EXTRA)
            | bit(contact.part_pair != NONE, PARTS)
            | bit(contact.is_seen_from_second, SECOND);
        flags.put(bytes);
        (contact.count | bit(contact.is_ignored, IGNORED) | bit(contact.has_hit, HIT)).put(bytes);
    }
    for contact in alive() {
        pair_fields!(put_fields, bytes, contact);
        if contact.has_surface {
            contact.surface.put(bytes);
        }
    }
    for contact in alive() {
        slots(contact).for_each(|point| point.feature.put(bytes));
    }
    for contact in alive() {
        impulse_fields!(put_fields, bytes, contact);
        for point in slots(contact) {
            put_fields!(bytes, point; impulse, tangent_impulse);
        }
    }
    for (contact, is_short) in alive().zip(&short) {
        if !is_short {
            put_points(contact, bytes);
        }
    }
    // The further manifolds of pairs with parts.
    for contact in alive().filter(|contact| contact.part_pair != NONE) {
        let extras = world.part_pairs.extras(contact.part_pair);
        put_varint(bytes, extras.len() as u64);
        put_indices(bytes, extras.iter().copied());
    }
    // The contacts of each body, in the order of its list; entries are 2·contact + side.
    let mut lists = Vec::new();
    for index in world.bodies.indices() {
        let before = lists.len();
        let head = world.bodies.items[index].first_contact;
        lists.extend(contacts.of_body(head).map(|(contact, side)| 2 * contact + side as u32));
        put_varint(bytes, (lists.len() - before) as u64);
    }
    put_indices(bytes, lists.into_iter());
    put_varint(bytes, contacts.awake.len() as u64);
    put_indices(bytes, contacts.awake.iter().copied());
    for colour in &world.colours.contacts {
        put_varint(bytes, colour.len() as u64);
        put_indices(bytes, colour.iter().copied());
    }
    // They decide when a list is put in order again, and its order is written.
    for changes in world.colours.changes {
        put_varint(bytes, changes as u64);
    }
}

pub(super) fn get<D: Portable>(world: &mut World<D>, input: &mut Input<'_>) -> Result<(), Error> {
    let count = input.count(1)?;
    let free_count = input.count(8)?;
    if count < free_count || u32::MAX as usize / 4 <= count {
        return Err(input.fail("there cannot be so many"));
    }
    input.need(&[(free_count, 8), (count - free_count, LEAST)])?;
    let nobody = Contact::<D>::new([NONE; 2], [NONE; 2], false);
    let free = get_free(input, free_count, count)?;
    let mut is_free = vec![false; count];
    free.iter().for_each(|index| is_free[*index as usize] = true);
    let alive: Vec<usize> = (0..count).filter(|index| !is_free[*index]).collect();
    let pairs = get_indices(input, 2 * alive.len(), world.colliders.items.len())?;
    world.contacts.pool = vec![nobody; count];
    world.contacts.calm.clear();
    world.contacts.free = free;
    for (&index, pair) in alive.iter().zip(pairs.as_chunks::<2>().0) {
        let [a, b] = *pair;
        let live = |shape: u32| world.colliders.is_alive(shape as usize);
        if b <= a || !live(a) || !live(b) {
            return Err(input.fail("a pair of shapes is none"));
        }
        let bodies = [a, b].map(|shape| world.colliders.items[shape as usize].body);
        if bodies[0] == bodies[1] {
            return Err(input.fail("a body touches itself"));
        }
        world.contacts.pool[index].shapes = [a, b];
        world.contacts.pool[index].bodies = bodies;
    }
    get_contents(world, input, &alive)?;
    get_extras(world, input, &alive)?;
    get_lists(world, input, &alive)
}

fn get_contents<D: Portable>(
    world: &mut World<D>,
    input: &mut Input<'_>,
    alive: &[usize],
) -> Result<(), Error> {
    let mut has_points = Vec::new();
    for &index in alive {
        let contact = &mut world.contacts.pool[index];
        let (flags, count): (u8, u8) = (input.get()?, input.get()?);
        contact.is_ignored = count & IGNORED != 0;
        contact.has_hit = count & HIT != 0;
        let count = count & !(IGNORED | HIT);
        if contact.points.as_ref().len() < usize::from(count) {
            return Err(input.fail("a contact has more points than there can be"));
        }
        contact.is_touching = flags & TOUCHING != 0;
        contact.is_sensor = flags & SENSOR != 0;
        contact.is_known = flags & KNOWN != 0;
        contact.has_surface = flags & SURFACE != 0;
        contact.is_extra = flags & EXTRA != 0;
        contact.is_seen_from_second = flags & SECOND != 0;
        contact.count = count;
        has_points.push(flags & POINTS != 0);
        let (shapes, is_extra) = (contact.shapes, contact.is_extra);
        let is_composite = |shape: &u32| D::is_composite(&world.colliders.items[*shape as usize].given.shape);
        let has_parts = !contact.is_sensor && shapes.iter().any(is_composite);
        let is_head = flags & PARTS != 0;
        let is_right =
            if has_parts { is_extra != is_head && flags & POINTS != 0 } else { !is_extra && !is_head };
        if !is_right {
            return Err(input.fail("a contact has parts that its shapes have not"));
        }
        if is_head {
            world.contacts.pool[index].part_pair = world.part_pairs.insert(index as u32);
        }
        if !is_extra {
            if world.contacts.pairs.contains(shapes) {
                return Err(input.fail("a pair of shapes is there twice"));
            }
            world.contacts.pairs.insert(shapes);
        }
    }
    for &index in alive {
        let contact = &mut world.contacts.pool[index];
        pair_fields!(get_fields, input, contact);
        if contact.has_surface {
            contact.surface = input.get()?;
        }
    }
    for &index in alive {
        for point in world.contacts.pool[index].points.as_mut() {
            point.feature = input.get()?;
        }
    }
    for &index in alive {
        let contact = &mut world.contacts.pool[index];
        impulse_fields!(get_fields, input, contact);
        for point in contact.points.as_mut() {
            get_fields!(input, point; impulse, tangent_impulse);
        }
        // Nothing is kept in slots that are empty.
        let count = usize::from(contact.count);
        contact.points.as_mut()[count..].fill(Point::default());
    }
    for (&index, has_points) in alive.iter().zip(has_points) {
        if has_points {
            let contact = &mut world.contacts.pool[index];
            contact.reference = (input.get()?, input.get()?);
            contact.normal = input.get()?;
            contact.radii = [input.get()?, input.get()?];
            for point in contact.points_mut() {
                get_fields!(input, point; local_a, local_b);
            }
        } else {
            let mut contact = world.contacts.pool[index];
            blank(&mut contact);
            find(world, &mut contact);
            world.contacts.pool[index] = contact;
        }
    }
    Ok(())
}

/// Which contacts are further manifolds of which pair.
fn get_extras<D: Portable>(
    world: &mut World<D>,
    input: &mut Input<'_>,
    alive: &[usize],
) -> Result<(), Error> {
    let pool = &world.contacts.pool;
    let mut is_named = vec![false; pool.len()];
    let mut named = 0;
    for &index in alive {
        let Contact { part_pair, shapes, .. } = pool[index];
        if part_pair == NONE {
            continue;
        }
        let count = input.count(1)?;
        let extras = get_indices(input, count, pool.len())?;
        for &extra in &extras {
            let contact = &pool[extra as usize];
            let is_its = contact.is_extra && contact.shapes == shapes;
            if !is_its || core::mem::replace(&mut is_named[extra as usize], true) {
                return Err(input.fail("a manifold belongs to another pair, or to two"));
            }
            named += 1;
        }
        world.part_pairs.set_extras(part_pair, extras);
    }
    if named != alive.iter().filter(|index| pool[**index].is_extra).count() {
        return Err(input.fail("a manifold belongs to no pair"));
    }
    Ok(())
}

fn get_lists<D: Portable>(world: &mut World<D>, input: &mut Input<'_>, alive: &[usize]) -> Result<(), Error> {
    let count = world.contacts.pool.len();
    let mut all = 0_usize;
    let mut counts = Vec::new();
    for index in world.bodies.indices() {
        let count = input.count(1)?;
        all = all.saturating_add(count);
        counts.push((index, count));
    }
    if all != 2 * alive.len() {
        return Err(input.fail("contacts and bodies do not belong together"));
    }
    let mut entries = get_indices(input, all, 2 * count)?.into_iter();
    let mut is_named = vec![false; 2 * count];
    for (body, count) in counts {
        let mut last = NONE;
        for entry in entries.by_ref().take(count) {
            let (contact, side) = ((entry / 2) as usize, (entry % 2) as usize);
            let is_of_body = world.contacts.pool[contact].bodies[side] == body as u32;
            if !is_of_body || core::mem::replace(&mut is_named[entry as usize], true) {
                return Err(input.fail("a contact is in the list of another body, or twice"));
            }
            world.contacts.pool[contact].links[side].previous = last;
            match last {
                NONE => world.bodies.items[body].first_contact = entry,
                last => world.contacts.pool[(last / 2) as usize].links[(last % 2) as usize].next = entry,
            }
            last = entry;
        }
    }
    let awake = input.count(1)?;
    for index in get_indices(input, awake, count)? {
        let contact = &world.contacts.pool[index as usize];
        if contact.shapes[0] == NONE || contact.awake_slot != NONE {
            return Err(input.fail("a contact is awake that is none, or twice"));
        }
        world.contacts.wake(index);
    }
    for colour in 0..=COLOURS {
        let length = input.count(1)?;
        for index in get_indices(input, length, count)? {
            give_colour(world, index, colour as u8)
                .ok_or_else(|| input.fail("a contact has a colour that it cannot have"))?;
        }
    }
    for colour in 0..COLOURS {
        let changes = usize::try_from(input.varint()?);
        world.colours.changes[colour] = changes.map_err(|_| input.fail("there cannot be so many"))?;
    }
    Ok(())
}

/// Puts a contact at the end of the list of its colour, if it can be there: it is awake and touches, and no other
/// contact of the colour has a body in common with it that moves.
fn give_colour<D: Portable>(world: &mut World<D>, index: u32, colour: u8) -> Option<()> {
    let contact = &world.contacts.pool[index as usize];
    let bodies = contact.bodies;
    let is_solved = contact.awake_slot != NONE && contact.is_touching && !contact.is_sensor;
    let moves = |body: u32| world.bodies.items[body as usize].moves();
    if !is_solved || contact.colour != UNCOLOURED || !bodies.iter().any(|body| moves(*body)) {
        return None;
    }
    if colour != OVERFLOW {
        for body in bodies.into_iter().filter(|body| moves(*body)) {
            let used = &mut world.colours.used[body as usize];
            if *used >> colour & 1 != 0 {
                return None;
            }
            *used |= 1 << colour;
        }
    }
    let list = &mut world.colours.contacts[usize::from(colour)];
    let contact = &mut world.contacts.pool[index as usize];
    (contact.colour, contact.colour_slot) = (colour, list.len() as u32);
    list.push(index);
    Some(())
}

/// Fails to compile when a contact gets something new: then it has to be written and read above, or follow from what is.
#[expect(dead_code, reason = "it is there to be compiled")]
fn complete<D: Portable>(contact: Contact<D>, point: Point<D::Vector>) {
    let Contact {
        shapes: _,
        bodies: _,
        links: _,
        awake_slot: _,
        colour_slot: _,
        colour: _,
        count: _,
        is_touching: _,
        is_sensor: _,
        is_ignored: _,
        is_extra: _,
        part_pair: _,
        is_known: _,
        has_hit: _,
        verdict: _,
        friction: _,
        restitution: _,
        rolling: _,
        reach: _,
        is_seen_from_second: _,
        has_surface: _,
        surface: _,
        reference: _,
        normal: _,
        radii: _,
        friction_impulse: _,
        twist_impulse: _,
        rolling_impulse: _,
        points: _,
    } = contact;
    let Point { local_a: _, local_b: _, feature: _, impulse: _, tangent_impulse: _, peak: _, approach: _ } =
        point;
}
