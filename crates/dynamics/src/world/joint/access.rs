//! Looking at joints, and changing them.

use super::describe::Placement;
use super::prepare::has_length;
use super::{Joint, JointKind, JointRecord};
use crate::Error;
use crate::world::World;
use crate::world::dimension::Engine;
use crate::world::handle::{BodyHandle, JointHandle};
use carom_math::Vector;

/// A look at a joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRef<'a, D: Engine> {
    world: &'a World<D>,
    index: usize,
}

/// A joint that can be changed.
#[derive(Debug)]
pub struct JointMut<'a, D: Engine> {
    world: &'a mut World<D>,
    index: usize,
}

impl<D: Engine> World<D> {
    /// A look at a joint.
    ///
    /// # Errors
    /// When it is gone.
    pub fn joint(&self, joint: JointHandle) -> Result<JointRef<'_, D>, Error> {
        let index = self.joints.table.check(joint)?;
        Ok(JointRef { world: self, index })
    }
    /// A joint that can be changed.
    ///
    /// # Errors
    /// When it is gone.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, Joint, World};
    /// use carom_geometry::d2::Cuboid;
    /// let mut world = World::new();
    /// let wall = world.add(Body::fixed())?;
    /// let door = world.add(Body::dynamic().shape(Cuboid::new([0.5, 0.1])?))?;
    /// let hinge = world.add_joint(Joint::revolute(wall, door).at([0.0, 0.0]).motor(0.0, 100.0))?;
    /// world.joint_mut(hinge)?.change(|joint| joint.motor(2.0, 100.0))?;
    /// for _ in 0..60 {
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!((world.get(door)?.angular_velocity() - 2.0).abs() < 1e-3);
    /// assert!((world.joint(hinge)?.angles()[2] - 2.0).abs() < 0.1);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn joint_mut(&mut self, joint: JointHandle) -> Result<JointMut<'_, D>, Error> {
        let index = self.joints.table.check(joint)?;
        Ok(JointMut { world: self, index })
    }
    /// All joints, by ascending index.
    pub fn joints(&self) -> impl Iterator<Item = JointRef<'_, D>> {
        self.joints.table.indices().map(|index| JointRef { world: self, index })
    }
    /// How many joints there are.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        self.joints.table.len()
    }
}

impl<'a, D: Engine> JointRef<'a, D> {
    fn record(&self) -> &'a JointRecord<D> {
        &self.world.joints.table.items[self.index]
    }
    /// Its handle.
    #[must_use]
    pub fn handle(&self) -> JointHandle {
        self.world.joints.table.handle(self.index)
    }
    /// The bodies that it joins.
    #[must_use]
    pub fn bodies(&self) -> [BodyHandle; 2] {
        self.record().given.bodies
    }
    /// How it was described, with the frames in those of the bodies.
    #[must_use]
    pub fn description(&self) -> &'a Joint<D> {
        &self.record().given
    }
    /// The frames in those of the bodies.
    #[must_use]
    pub fn local_frames(&self) -> [D::Pose; 2] {
        match self.record().given.placement {
            Placement::Local(poses) => poses,
            Placement::World(pose) => [pose; 2],
        }
    }
    /// Where the anchors are in the world, on the first and on the second body.
    #[must_use]
    pub fn anchors(&self) -> [D::Vector; 2] {
        self.world.joint_anchors(self.index).map(D::Vector::narrow)
    }
    /// How far apart the anchors are: of a joint that holds them together, its error.
    #[must_use]
    pub fn separation(&self) -> f32 {
        let [a, b] = self.world.joint_anchors(self.index);
        (b - a).length_squared().sqrt() as f32
    }
    /// Where the second anchor is in the first frame.
    #[must_use]
    pub fn offset(&self) -> D::Vector {
        let [a, b] = self.world.joint_anchors(self.index);
        D::rotate_back(self.frame(0), D::Vector::narrow(b - a))
    }
    /// How the second frame is turned against the first, about x, y and z: in space a twist about the one axis
    /// that is not locked, or z, and a swing about the others; in the plane the angle about z. Each in −π to π.
    #[must_use]
    pub fn angles(&self) -> [f32; 3] {
        let found = D::joint_angles(self.frame(0), self.frame(1), self.record().given.twist_axis()).angles;
        core::array::from_fn(|axis| axis.checked_sub(3 - D::ANGULAR).map_or(0.0, |axis| found[axis]))
    }
    /// The force that the second body felt at its anchor in the last sub-step, in the world; the first felt the
    /// opposite, or as much more as a pulley has it.
    #[must_use]
    pub fn force(&self) -> D::Vector {
        self.world.joints.load(self.index).0
    }
    /// The torque that the second body felt besides, in the world.
    #[must_use]
    pub fn torque(&self) -> D::Angular {
        self.world.joints.load(self.index).1
    }
    /// Your number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().given.user_data
    }
    fn frame(&self, side: usize) -> D::Rotation {
        let joint = self.record();
        let place = &self.world.places[joint.bodies[side] as usize];
        D::compose(joint.frames[side], place.rotation)
    }
}

impl<D: Engine> JointMut<'_, D> {
    /// A look at the joint.
    #[must_use]
    pub fn as_ref(&self) -> JointRef<'_, D> {
        JointRef { world: self.world, index: self.index }
    }
    /// Changes how it is described: anchors, limits, motors, springs, whatever [`Joint`] has. Its bodies wake
    /// up. Impulses are kept where the same parts act as before. A joint of another kind begins as one that is added: rods and ropes
    /// that are given no length have that of now, and so do the angles of a gear.
    ///
    /// # Errors
    /// When a number is not finite or out of its range; nothing changes then.
    pub fn change(&mut self, how: impl FnOnce(Joint<D>) -> Joint<D>) -> Result<(), Error> {
        let index = self.index;
        let before = &self.world.joints.table.items[index].given;
        let after = Joint { bodies: before.bodies, ..how(before.clone()) };
        after.check()?;
        let (collided, collides) = (before.collide_connected, after.collide_connected);
        let is_placed = matches!(after.placement, Placement::Local(_)) && after.placement == before.placement;
        // Whoever gives no length means the one of now, and a gear begins with the angles of now.
        let has_all = !has_length(after.kind) || after.rest.is_some();
        let bodies = self.world.joints.table.items[index].bodies.map(|body| body as usize);
        let placed = if is_placed && has_all { None } else { Some(self.world.placed_joint(&after, bodies)?) };
        self.world.joints.recall(index);
        self.world.joints.count(index, false);
        let joint = &mut self.world.joints.table.items[index];
        let form = after.form();
        let is_same = form == joint.form;
        let keeps_impulses = form.has_impulses_of(joint.form);
        let becomes_gear = after.kind == JointKind::Gear && joint.given.kind != JointKind::Gear;
        if becomes_gear {
            joint.geared = 0.0;
            joint.geared_at = joint.bodies.map(|body| self.world.places[body as usize].rotation);
        }
        joint.given = after;
        if !is_same {
            joint.form = form;
            if !keeps_impulses {
                joint.impulses = Default::default();
            }
            self.world.joints.plan.is_stale = true;
        }
        self.world.joints.count(index, true);
        if let Some(placed) = placed {
            self.world.place_joint(index, placed);
        }
        let joint = &mut self.world.joints.table.items[index];
        joint.rest = joint.given.rest.unwrap_or(joint.rest);
        if collided && !collides {
            self.world.part(bodies);
        } else if !collided && collides {
            self.world.meet_again(bodies);
        }
        if form.is_empty() {
            self.world.uncolour_joint(index);
        }
        self.world.wake_joint(index);
        self.world.colour_joint(index);
        Ok(())
    }
    /// Changes your number.
    pub fn set_user_data(&mut self, data: u64) {
        self.world.joints.table.items[self.index].given.user_data = data;
    }
}
