//! Joints: what holds bodies together, and how a world keeps it.
//!
//! - `describe`: what a user says; `access`: looking at joints and changing them.
//! - `form`: which parts a constraint has. `prepare` finds their numbers once in a step, with masses from `mass`; `kernel` solves them.
//! - `plan`: joints of one colour and one form go side by side, and their impulses stay there from step to step.
//!
//! Joints are coloured by the rule of contacts, with bits of their own: they are solved before the contacts of
//! a pass, so that contacts have the last word, and neither takes colours from the other. Two bodies that are
//! joined belong to one island, wake and sleep together, and do not collide unless the joint allows it.

mod access;
mod axis;
mod describe;
mod form;
pub(crate) mod kernel;
pub(crate) mod mass;
mod plan;
mod prepare;

pub use access::{JointMut, JointRef};
pub use axis::{JointAxis, JointMotor, JointSpring};
pub use describe::{Joint, JointKind};
pub(crate) use plan::{JointGroups, JointRows, JointTask, Plan};
pub(crate) use prepare::PrepareJoints;

use super::World;
use super::add::check_vector;
use super::colours::{OVERFLOW, UNCOLOURED, pick};
use super::contact::{Link, NONE};
use super::dimension::Engine;
use super::events::BrokenJoint;
use super::handle::{JointHandle, Table};
use crate::Error;
use crate::error::finite;
use carom_math::Vector;
pub(crate) use describe::Placement;
use form::{Form, MOST_IMPULSES, slot};

/// What a world keeps about a joint. What each step reads comes first.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct JointRecord<D: Engine> {
    pub(crate) bodies: [u32; 2],
    pub(crate) form: Form,
    /// The place in the plan.
    pub(crate) group: u32,
    pub(crate) lane: u32,
    /// Whether the lane is filled: then impulses, force and torque are there, not here.
    pub(crate) is_in_lane: bool,
    /// The colour, or [`UNCOLOURED`].
    pub(crate) colour: u8,
    /// From the centres of mass, in the frames of the bodies.
    pub(crate) anchors: [D::Vector; 2],
    /// The frames of the joint in those of the bodies.
    pub(crate) frames: [D::Rotation; 2],
    pub(crate) impulses: [f32; MOST_IMPULSES],
    /// The length of a rod or of the rope of a pulley.
    pub(crate) rest: f32,
    /// By how much the angles of a gear are off, and the rotations for which that was true.
    pub(crate) geared: f64,
    pub(crate) geared_at: [D::Rotation; 2],
    /// What the second body felt in the last sub-step.
    pub(crate) force: D::Vector,
    pub(crate) torque: D::Angular,
    pub(crate) links: [Link; 2],
    pub(crate) given: Joint<D>,
}

impl<D: Engine> JointRecord<D> {
    /// A joint that is in no list yet and has no place.
    pub(crate) fn new(given: Joint<D>, bodies: [u32; 2]) -> Self {
        JointRecord {
            bodies,
            form: given.form(),
            group: 0,
            lane: 0,
            is_in_lane: false,
            colour: UNCOLOURED,
            anchors: [D::Vector::ZERO; 2],
            frames: [D::Rotation::default(); 2],
            impulses: [0.0; MOST_IMPULSES],
            rest: 0.0,
            geared: 0.0,
            geared_at: [D::Rotation::default(); 2],
            force: D::Vector::ZERO,
            torque: D::Angular::default(),
            links: [Link::default(); 2],
            given,
        }
    }
    fn is_overloaded(&self, [force, torque]: [f32; 2]) -> bool {
        self.given.break_force < force || self.given.break_torque < torque
    }
}

/// Where the frames of a joint are on its bodies, also from their centres of mass, and its length if it has one.
struct PlacedJoint<D: Engine> {
    poses: [D::Pose; 2],
    anchors: [D::Vector; 2],
    rest: Option<f32>,
}

/// All joints.
#[derive(Clone, Debug)]
pub(crate) struct Joints<D: Engine> {
    pub(crate) table: Table<JointRecord<D>>,
    pub(crate) plan: Plan,
    pub(crate) rows: JointRows,
    /// One bit for each colour of a body's joints, by body.
    used: Vec<u32>,
    /// How many can break.
    breakable: usize,
    /// How many are gears.
    gears: usize,
}

impl<D: Engine> Default for Joints<D> {
    fn default() -> Self {
        Joints {
            table: Table::default(),
            plan: Plan::default(),
            rows: JointRows::default(),
            used: Vec::new(),
            breakable: 0,
            gears: 0,
        }
    }
}

impl<D: Engine> Joints<D> {
    fn link_mut(&mut self, entry: u32) -> &mut Link {
        &mut self.table.items[(entry / 2) as usize].links[(entry % 2) as usize]
    }
    /// The joints of a body, from the head of its list; each with the side that the body is on.
    pub(crate) fn of_body(&self, head: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut entry = head;
        core::iter::from_fn(move || {
            if entry == NONE {
                return None;
            }
            let found = ((entry / 2) as usize, (entry % 2) as usize);
            entry = self.table.items[found.0].links[found.1].next;
            Some(found)
        })
    }
    /// Notes the colour of a joint, if no body of it that moves has another joint of that colour.
    pub(crate) fn take_colour(&mut self, index: usize, colour: u8, moves: [bool; 2], bodies: usize) -> bool {
        if self.used.len() < bodies {
            self.used.resize(bodies, 0);
        }
        let joint = &mut self.table.items[index];
        if colour != OVERFLOW {
            for side in [0, 1].into_iter().filter(|side| moves[*side]) {
                let used = &mut self.used[joint.bodies[side] as usize];
                if *used >> colour & 1 != 0 {
                    return false;
                }
                *used |= 1 << colour;
            }
        }
        joint.colour = colour;
        self.plan.is_stale = true;
        true
    }
    /// Counts what needs looking after beyond the solver, up or down.
    fn count(&mut self, index: usize, is_new: bool) {
        let joint = &self.table.items[index];
        let changes = [
            (joint.given.is_breakable(), &mut self.breakable),
            (joint.form.functions(slot::GEAR) != 0, &mut self.gears),
        ];
        for (_, count) in changes.into_iter().filter(|(counts, _)| *counts) {
            *count = if is_new { *count + 1 } else { *count - 1 };
        }
    }
}

impl<D: Engine> World<D> {
    /// Adds a joint. Both bodies wake up; unless it allows collisions, what they touch of each other is forgotten.
    ///
    /// # Errors
    /// When a body is gone or both are the same, or a number is not finite or out of its range.
    pub fn add_joint(&mut self, joint: Joint<D>) -> Result<JointHandle, Error> {
        let bodies = [self.bodies.check(joint.bodies[0])?, self.bodies.check(joint.bodies[1])?];
        if bodies[0] == bodies[1] {
            return Err(Error::SameBody);
        }
        joint.check()?;
        let placed = self.placed_joint(&joint, bodies)?;
        let mut record = JointRecord::new(joint, bodies.map(|body| body as u32));
        record.geared_at = bodies.map(|body| self.places[body].rotation);
        let handle: JointHandle = self.joints.table.insert(record)?;
        let index = handle.index();
        for (side, body) in bodies.into_iter().enumerate() {
            let entry = (index * 2 + side) as u32;
            let head = core::mem::replace(&mut self.bodies.items[body].first_joint, entry);
            self.bodies.items[body].joint_count += 1;
            self.joints.table.items[index].links[side] = Link { previous: NONE, next: head };
            if head != NONE {
                self.joints.link_mut(head).previous = entry;
            }
        }
        self.joints.count(index, true);
        self.place_joint(index, placed);
        if !self.joints.table.items[index].given.collide_connected {
            self.part(bodies);
        }
        self.wake_joint(index);
        self.colour_joint(index);
        Ok(handle)
    }

    /// Removes a joint. Both bodies wake up, and collide again.
    ///
    /// # Errors
    /// When it is gone already.
    pub fn remove_joint(&mut self, joint: JointHandle) -> Result<(), Error> {
        let index = self.joints.table.check(joint)?;
        self.wake_joint(index);
        self.forget_joint(index);
        Ok(())
    }

    /// Takes a joint out of all lists.
    pub(super) fn forget_joint(&mut self, index: usize) {
        self.uncolour_joint(index);
        self.joints.count(index, false);
        let (bodies, links) = (self.joints.table.items[index].bodies, self.joints.table.items[index].links);
        for (body, Link { previous, next }) in bodies.into_iter().zip(links) {
            let record = &mut self.bodies.items[body as usize];
            record.joint_count -= 1;
            if previous == NONE {
                record.first_joint = next;
            } else {
                self.joints.link_mut(previous).next = next;
            }
            if next != NONE {
                self.joints.link_mut(next).previous = previous;
            }
        }
        self.joints.table.release(index);
        self.meet_again(bodies.map(|body| body as usize));
    }

    /// Removes the joints of a body.
    pub(super) fn remove_joints_of(&mut self, body: usize) {
        let mut entry = self.bodies.items[body].first_joint;
        while entry != NONE {
            let (joint, side) = ((entry / 2) as usize, (entry % 2) as usize);
            entry = self.joints.table.items[joint].links[side].next;
            self.wake_joint(joint);
            self.forget_joint(joint);
        }
    }

    /// Finds where the frames of a joint are on the bodies, and what it holds from now on. An error when a number does not
    /// reach that far: between the ends of all numbers is twice the largest.
    fn placed_joint(&self, given: &Joint<D>, bodies: [usize; 2]) -> Result<PlacedJoint<D>, Error> {
        let local_pose = |body: usize, pose: D::Pose| {
            let (translation, rotation) = D::parts(pose);
            let place = &self.places[body];
            let from_center = D::Vector::narrow(translation.widen() - place.center);
            let center = self.bodies.items[body].local_center;
            D::pose(
                D::rotate_back(place.rotation, from_center) + center,
                D::compose(rotation, D::inverse_rotation(place.rotation)),
            )
        };
        let poses = match given.placement {
            Placement::Local(poses) => poses,
            Placement::World(pose) => bodies.map(|body| local_pose(body, pose)),
        };
        let mut anchors = [D::Vector::ZERO; 2];
        for side in [0, 1] {
            let (translation, rotation) = D::parts(poses[side]);
            anchors[side] = translation - self.bodies.items[bodies[side]].local_center;
            check_vector("the frame of a joint on its body", translation)?;
            check_vector("the frame of a joint on its body", anchors[side])?;
            if !D::is_finite_rotation(rotation) {
                return Err(Error::NotFinite { what: "the frame of a joint on its body", value: f64::NAN });
            }
        }
        let mut rest = None;
        if prepare::has_length(given.kind) {
            let ends = [0, 1].map(|side| self.anchor_in_world(bodies[side], anchors[side]));
            let length = |v: D::Wide| v.length_squared().sqrt() as f32;
            let found = || {
                if given.kind == JointKind::Pulley {
                    let [a, b] = [0, 1].map(|side| length(ends[side] - given.hooks[side].widen()));
                    a + given.ratio * b
                } else {
                    length(ends[1] - ends[0])
                }
            };
            let length = given.rest.unwrap_or_else(found);
            finite("the length of a joint", length)?;
            rest = Some(length);
        }
        Ok(PlacedJoint { poses, anchors, rest })
    }
    /// Puts a joint where it was found to be.
    fn place_joint(&mut self, index: usize, placed: PlacedJoint<D>) {
        let joint = &mut self.joints.table.items[index];
        joint.given.placement = Placement::Local(placed.poses);
        joint.anchors = placed.anchors;
        joint.frames = placed.poses.map(|pose| D::parts(pose).1);
        if let Some(rest) = placed.rest {
            joint.rest = rest;
            joint.given.rest = Some(rest);
        }
    }
    /// Finds again what follows from what is known about a joint that was read.
    pub(super) fn restore_joint(&mut self, index: usize) {
        self.joints.count(index, true);
        let Placement::Local(poses) = self.joints.table.items[index].given.placement else { return };
        for side in [0, 1] {
            let center = self.bodies.items[self.joints.table.items[index].bodies[side] as usize].local_center;
            let (translation, rotation) = D::parts(poses[side]);
            let joint = &mut self.joints.table.items[index];
            (joint.anchors[side], joint.frames[side]) = (translation - center, rotation);
            joint.rest = joint.given.rest.unwrap_or(0.0);
        }
    }
    /// Where the anchors are in the world.
    fn joint_anchors(&self, index: usize) -> [D::Wide; 2] {
        let joint = &self.joints.table.items[index];
        [0, 1].map(|side| self.anchor_in_world(joint.bodies[side] as usize, joint.anchors[side]))
    }
    fn anchor_in_world(&self, body: usize, anchor: D::Vector) -> D::Wide {
        let place = &self.places[body];
        place.center + D::rotate(place.rotation, anchor).widen()
    }
    /// The centre of mass of a body is elsewhere: so are the anchors, from there.
    pub(super) fn recenter_joints(&mut self, body: usize) {
        let center = self.bodies.items[body].local_center;
        let mut entry = self.bodies.items[body].first_joint;
        while entry != NONE {
            let (index, side) = ((entry / 2) as usize, (entry % 2) as usize);
            self.joints.recall(index);
            let joint = &mut self.joints.table.items[index];
            if let Placement::Local(poses) = joint.given.placement {
                joint.anchors[side] = D::parts(poses[side]).0 - center;
            }
            entry = joint.links[side].next;
        }
    }

    /// Wakes both bodies of a joint.
    fn wake_joint(&mut self, index: usize) {
        for body in self.joints.table.items[index].bodies {
            self.wake_index(body as usize);
            self.bodies.items[body as usize].slow_time = 0.0;
        }
    }
    /// Gives a joint a colour if the solver has something to do for it.
    pub(super) fn colour_joint(&mut self, index: usize) {
        let joint = &self.joints.table.items[index];
        if joint.colour != UNCOLOURED || joint.form.is_empty() {
            return;
        }
        let bodies = joint.bodies.map(|body| body as usize);
        let records = bodies.map(|body| &self.bodies.items[body]);
        let moves = records.map(|record| record.moves());
        if !records.iter().any(|record| record.moves() && record.is_awake()) {
            return;
        }
        let used = |body: usize| self.joints.used.get(body).copied().unwrap_or(0);
        let colour = pick([0, 1].map(|side| if moves[side] { used(bodies[side]) } else { 0 }), moves);
        self.joints.take_colour(index, colour, moves, self.bodies.items.len());
    }
    /// Takes the colour away, if it has one.
    pub(super) fn uncolour_joint(&mut self, index: usize) {
        self.joints.recall(index);
        let joint = &mut self.joints.table.items[index];
        let colour = core::mem::replace(&mut joint.colour, UNCOLOURED);
        if colour == UNCOLOURED {
            return;
        }
        self.joints.plan.is_stale = true;
        if colour != OVERFLOW {
            // As for contacts: bits are only ever set for bodies that move.
            for body in joint.bodies {
                self.joints.used[body as usize] &= !(1 << colour);
            }
        }
    }
    /// Gives the joints of a body that no longer moves new colours.
    pub(super) fn recolour_joints_of(&mut self, body: usize) {
        let mut entry = self.bodies.items[body].first_joint;
        while entry != NONE {
            let (index, side) = ((entry / 2) as usize, (entry % 2) as usize);
            self.uncolour_joint(index);
            self.joints.table.items[index].impulses = [0.0; MOST_IMPULSES];
            self.colour_joint(index);
            entry = self.joints.table.items[index].links[side].next;
        }
    }

    /// Ends all contacts between two bodies.
    fn part(&mut self, bodies: [usize; 2]) {
        let other = bodies[1] as u32;
        self.end_contacts(bodies[0], |contact| contact.bodies.contains(&other));
    }

    /// What was kept from colliding may do so: looks for pairs again.
    fn meet_again(&mut self, bodies: [usize; 2]) {
        for body in bodies {
            let mut collider = self.bodies.items[body].first_collider;
            while collider != NONE {
                self.broad_phase.touch(collider);
                collider = self.colliders.items[collider as usize].next;
            }
        }
    }

    /// Angles of gears since the last look.
    pub(super) fn turn_gears(&mut self) {
        if self.joints.gears == 0 {
            return;
        }
        let Joints { table, plan, .. } = &mut self.joints;
        for &index in plan.order() {
            let joint = &mut table.items[index as usize];
            if joint.form.functions(slot::GEAR) == 0 {
                continue;
            }
            let now = joint.bodies.map(|body| self.places[body as usize].rotation);
            let turned = [0, 1].map(|side| {
                let frame = D::compose(joint.frames[side], now[side]);
                let axis = D::joint_angles(frame, frame, 2).axes[D::ANGULAR - 1];
                D::angular_dot(axis, D::turn_between(joint.geared_at[side], now[side]))
            });
            joint.geared += f64::from(turned[0]) + f64::from(joint.given.ratio) * f64::from(turned[1]);
            joint.geared_at = now;
        }
    }

    /// Removes joints that had to bear too much, by ascending index.
    pub(super) fn break_joints(&mut self) {
        if self.joints.breakable == 0 {
            return;
        }
        for index in 0..self.joints.table.items.len() {
            let joint = &self.joints.table.items[index];
            let can_break = joint.colour != UNCOLOURED && joint.given.is_breakable();
            if !can_break || !self.joints.table.is_alive(index) {
                continue;
            }
            let [force, torque] = self.joints.largest_load(index);
            if !joint.is_overloaded([force, torque]) {
                continue;
            }
            let bodies = joint.bodies.map(|body| self.bodies.handle(body as usize));
            let joint = self.joints.table.handle(index);
            self.happened.broken.push(BrokenJoint { joint, bodies, force, torque });
            self.wake_joint(index);
            self.forget_joint(index);
        }
    }
}

/// Whether two bodies must not collide because a joint says so.
pub(crate) fn are_kept_apart<D: Engine>(
    joints: &Joints<D>,
    bodies: &Table<super::Record<D>>,
    [a, b]: [u32; 2],
) -> bool {
    let (first, second) = (&bodies.items[a as usize], &bodies.items[b as usize]);
    if first.joint_count == 0 || second.joint_count == 0 {
        return false;
    }
    // A ground may have thousands of joints, what hangs on it few.
    let (head, other) = if first.joint_count <= second.joint_count {
        (first.first_joint, b)
    } else {
        (second.first_joint, a)
    };
    joints.of_body(head).any(|(joint, side)| {
        let joint = &joints.table.items[joint];
        joint.bodies[1 - side] == other && !joint.given.collide_connected
    })
}
