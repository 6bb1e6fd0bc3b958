//! Joints as bytes: what was given, the impulses and the colours. Forms, anchors and the plan follow.

use super::super::World;
use super::super::colours::{COLOURS, OVERFLOW, UNCOLOURED};
use super::super::contact::{Link, NONE};
use super::super::handle::{BodyHandle, Handle};
use super::super::joint::{Joint, JointAxis, JointKind, JointMotor, JointRecord, JointSpring, Placement};
use super::body::{get_indices, get_table, put_indices, put_table};
use super::pack::put_varint;
use super::wire::{Input, Wire, get_option, put_option};
use super::{Portable, get_fields, put_fields};
use crate::Error;

/// The kinds, by their numbers in bytes.
const KINDS: [JointKind; 11] = [
    JointKind::Fixed,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Ball,
    JointKind::Distance,
    JointKind::Wheel,
    JointKind::Motor,
    JointKind::Gear,
    JointKind::Pulley,
    JointKind::Filter,
    JointKind::Generic,
];

/// What is plainly numbers in what was given.
macro_rules! given_fields {
    ($do:ident, $io:expr, $given:expr) => {
        $do!($io, $given; ratio, hooks, break_force, break_torque, collide_connected, user_data)
    };
}
/// What changes from step to step.
macro_rules! state_fields {
    ($do:ident, $io:expr, $joint:expr) => {
        $do!($io, $joint; impulses, geared, geared_at, force, torque, colour)
    };
}

impl Wire for JointAxis {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.is_locked.put(bytes);
        put_option(self.limits.as_ref(), bytes);
        put_option(self.motor.map(|motor| [motor.speed, motor.max_force]).as_ref(), bytes);
        let spring = |s: JointSpring| [s.target, s.frequency, s.damping_ratio, s.max_force];
        put_option(self.spring.map(spring).as_ref(), bytes);
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        let (is_locked, limits) = (input.get()?, get_option(input)?);
        let motor = get_option(input)?.map(|[speed, max_force]: [f32; 2]| JointMotor { speed, max_force });
        let spring = get_option(input)?.map(|[target, frequency, damping_ratio, max_force]: [f32; 4]| {
            JointSpring { target, frequency, damping_ratio, max_force }
        });
        Ok(JointAxis { is_locked, limits, motor, spring })
    }
}

fn put_given<D: Portable>(given: &Joint<D>, bytes: &mut Vec<u8>) {
    for body in given.bodies {
        let (index, generation) = body.parts();
        put_varint(bytes, u64::from(index));
        put_varint(bytes, u64::from(generation));
    }
    let kind = KINDS.iter().position(|kind| *kind == given.kind).unwrap_or_default();
    bytes.push(kind as u8);
    // Frames are in those of the bodies as soon as the joint is in a world.
    let poses = match given.placement {
        Placement::Local(poses) => poses,
        Placement::World(pose) => [pose; 2],
    };
    poses.put(bytes);
    let axes = given.linear.iter().chain(&given.angular).chain([&given.length]);
    axes.for_each(|axis| axis.put(bytes));
    put_option(given.rest.as_ref(), bytes);
    put_option(given.cone.as_ref(), bytes);
    put_option(given.softness.as_ref(), bytes);
    given_fields!(put_fields, bytes, given);
}

fn get_given<D: Portable>(input: &mut Input<'_>) -> Result<Joint<D>, Error> {
    let mut handles = [BodyHandle::new(0, 0); 2];
    for handle in &mut handles {
        let mut number = || Ok::<u32, Error>(u32::try_from(input.varint()?).unwrap_or(u32::MAX));
        *handle = BodyHandle::new(number()?, number()?);
    }
    let kind = input.get::<u8>()?;
    let Some(&kind) = KINDS.get(usize::from(kind)) else {
        return Err(input.fail("there is no such kind of joint"));
    };
    let mut given = Joint::<D>::of_kind(kind, handles);
    given.placement = Placement::Local(input.get()?);
    for axis in given.linear.iter_mut().chain(&mut given.angular).chain([&mut given.length]) {
        *axis = input.get()?;
    }
    given.rest = get_option(input)?;
    given.cone = get_option(input)?;
    given.softness = get_option(input)?;
    given_fields!(get_fields, input, given);
    Ok(given)
}

pub(super) fn put<D: Portable>(world: &World<D>, bytes: &mut Vec<u8>) {
    let table = &world.joints.table;
    put_table(table, bytes);
    table.indices().for_each(|index| put_given(&table.items[index].given, bytes));
    for index in table.indices() {
        let mut joint = table.items[index].clone();
        joint.impulses = world.joints.impulses(index);
        (joint.force, joint.torque) = world.joints.load(index);
        state_fields!(put_fields, bytes, joint);
    }
    if table.indices().next().is_none() {
        return;
    }
    // The joints of each body, in the order of its list; entries are 2·joint + side.
    let mut lists = Vec::new();
    for index in world.bodies.indices() {
        let before = lists.len();
        let head = world.bodies.items[index].first_joint;
        lists.extend(world.joints.of_body(head).map(|(joint, side)| (2 * joint + side) as u32));
        put_varint(bytes, (lists.len() - before) as u64);
    }
    put_indices(bytes, lists.into_iter());
}

pub(super) fn get<D: Portable>(world: &mut World<D>, input: &mut Input<'_>) -> Result<(), Error> {
    let nobody = BodyHandle::new(0, 0);
    let nothing = JointRecord::<D>::new(Joint::of_kind(JointKind::Filter, [nobody; 2]), [0; 2]);
    world.joints.table = get_table(input, &nothing)?;
    let alive: Vec<usize> = world.joints.table.indices().collect();
    for &index in &alive {
        let given = get_given::<D>(input)?;
        let bodies = given.bodies.map(|body| world.bodies.check(body));
        let [Ok(a), Ok(b)] = bodies else { return Err(input.fail("a joint holds a body that is gone")) };
        if a == b || given.check().is_err() {
            return Err(input.fail("a joint cannot be as it is said to be"));
        }
        world.joints.table.items[index] = JointRecord::new(given, [a as u32, b as u32]);
    }
    for &index in &alive {
        let joint = &mut world.joints.table.items[index];
        state_fields!(get_fields, input, joint);
        world.restore_joint(index);
    }
    if alive.is_empty() {
        return Ok(());
    }
    get_lists(world, input, alive.len())?;
    for index in alive {
        let colour = core::mem::replace(&mut world.joints.table.items[index].colour, UNCOLOURED);
        if colour != UNCOLOURED && !give_colour(world, index, colour) {
            return Err(input.fail("a joint has a colour that it cannot have"));
        }
    }
    Ok(())
}

fn get_lists<D: Portable>(world: &mut World<D>, input: &mut Input<'_>, alive: usize) -> Result<(), Error> {
    let mut counts = Vec::new();
    let mut all = 0_usize;
    for index in world.bodies.indices() {
        let count = input.count(1)?;
        all = all.saturating_add(count);
        counts.push((index, count));
    }
    if all != 2 * alive {
        return Err(input.fail("joints and bodies do not belong together"));
    }
    let bound = 2 * world.joints.table.items.len();
    let mut entries = get_indices(input, all, bound)?.into_iter();
    let mut is_named = vec![false; bound];
    for (body, count) in counts {
        let mut last = NONE;
        for entry in entries.by_ref().take(count) {
            let (joint, side) = ((entry / 2) as usize, (entry % 2) as usize);
            let is_its = world.joints.table.is_alive(joint)
                && world.joints.table.items[joint].bodies[side] == body as u32;
            if !is_its || core::mem::replace(&mut is_named[entry as usize], true) {
                return Err(input.fail("a joint is in the list of another body, or twice"));
            }
            world.joints.table.items[joint].links[side] = Link { previous: last, next: NONE };
            match last {
                NONE => world.bodies.items[body].first_joint = entry,
                last => world.joints.table.items[(last / 2) as usize].links[(last % 2) as usize].next = entry,
            }
            last = entry;
        }
        world.bodies.items[body].joint_count = count as u32;
    }
    Ok(())
}

/// Gives a joint the colour that it had, if it can have it: something moves, and no other joint of the colour has a body
/// in common with it that does.
fn give_colour<D: Portable>(world: &mut World<D>, index: usize, colour: u8) -> bool {
    let joint = &world.joints.table.items[index];
    let bodies = joint.bodies;
    let moves = |body: u32| world.bodies.items[body as usize].moves();
    let is_solved = bodies.iter().any(|body| moves(*body) && world.bodies.items[*body as usize].is_awake());
    let is_colour = usize::from(colour) < COLOURS || colour == OVERFLOW;
    if !is_solved || !is_colour || joint.form.is_empty() {
        return false;
    }
    let moving = bodies.map(moves);
    world.joints.take_colour(index, colour, moving, world.bodies.items.len())
}

/// Fails to compile when a joint gets something new: then it has to be written and read above, or follow from what is.
#[expect(dead_code, reason = "it is there to be compiled")]
fn complete<D: Portable>(joint: JointRecord<D>) {
    let JointRecord {
        bodies: _,
        form: _,
        group: _,
        lane: _,
        is_in_lane: _,
        colour: _,
        anchors: _,
        frames: _,
        impulses: _,
        rest: _,
        geared: _,
        geared_at: _,
        force: _,
        torque: _,
        links: _,
        given,
    } = joint;
    let Joint {
        bodies: _,
        kind: _,
        placement: _,
        linear: _,
        angular: _,
        length: _,
        rest: _,
        cone: _,
        ratio: _,
        hooks: _,
        softness: _,
        break_force: _,
        break_torque: _,
        collide_connected: _,
        user_data: _,
        // What is in a world was not refused.
        refused: _,
    } = given;
}
