//! Ghosts: contacts with what cannot be in the way.
//!
//! A floor is made of boxes side by side, and a box slides over it. The next box of the floor is level with the one
//! that it lies on, yet the shortest way out of it, seen by itself, may be sideways: against the motion. Shape by
//! shape nothing is wrong with that. Together with the contact that is there already it is: a body that rests on the
//! plane of one obstacle can only be in the way of another if that one rises above the plane.
//!
//! So a contact with something that does not move does not begin if all of that something is below the plane of
//! another contact of the body with something that does not move, its points are in that plane, and its normal is
//! another one. (A body with several shapes may well reach below the plane, and meet things there.) It begins when
//! the body has come farther, with the normal of the plane. How high a shape rises is bounded by its box in its own
//! frame, which is exact for boxes. Within a surface the geometry does the same, and more, for its parts.

use super::World;
use super::contact::{Contact, NONE};
use super::dimension::Engine;
use carom_math::{Number, Vector};

/// Normals whose cosine is above this are the same: 1.1°.
const SAME: f32 = 0.9998;

impl<D: Engine> World<D> {
    /// Whether a contact that is about to begin would be a ghost.
    pub(super) fn is_ghost(&self, index: u32) -> bool {
        let contact = &self.contacts.pool[index as usize];
        let Some(own_side) = self.side_that_moves(contact) else { return false };
        let body = contact.bodies[own_side];
        let center = self.places[body as usize].center;
        let normal = self.normal_towards(contact, own_side);
        let obstacle = &self.colliders.items[contact.shapes[1 - own_side] as usize];
        let place = &self.places[obstacle.body as usize];
        let turned = D::compose(obstacle.from_center.1, place.rotation);
        let middle =
            D::Vector::narrow(place.center - center) + D::rotate(place.rotation, obstacle.box_center);
        let others = self.contacts.of_body(self.bodies.items[body as usize].first_contact);
        for (other, side) in others {
            let other = &self.contacts.pool[other as usize];
            let matters = other.is_touching && !other.is_sensor && other.shapes != contact.shapes;
            if !matters || self.side_that_moves(other) != Some(side) {
                continue;
            }
            let up = self.normal_towards(other, side);
            if SAME < up.dot(normal) {
                continue;
            }
            // The plane of the contact and the highest point of the obstacle, counted from the centre of the body.
            let plane =
                self.heights(other, side, up).fold(f32::NEG_INFINITY, |most, height| height.max_of(most));
            let lowest =
                self.heights(contact, own_side, up).fold(f32::INFINITY, |least, height| height.min_of(least));
            if lowest < plane - self.settings.slop {
                continue;
            }
            let (half, along) = (obstacle.local_box.1, D::rotate_back(turned, up));
            let rise =
                (0..D::Vector::DIM).fold(0.0, |sum, axis| sum + half.get(axis) * along.get(axis).abs());
            if middle.dot(up) + rise <= plane + self.settings.slop {
                return true;
            }
        }
        false
    }

    /// Which body of a contact impulses move, if it is one of them.
    fn side_that_moves(&self, contact: &Contact<D>) -> Option<usize> {
        if contact.shapes[0] == NONE {
            return None;
        }
        match contact.bodies.map(|body| self.bodies.items[body as usize].moves()) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }
    /// How far the points on the other body are in a direction, counted from the centre of the body on this side.
    fn heights(&self, contact: &Contact<D>, side: usize, up: D::Vector) -> impl Iterator<Item = f32> {
        let [own, other] = [side, 1 - side].map(|side| &self.places[contact.bodies[side] as usize]);
        let between = D::Vector::narrow(other.center - own.center);
        let rotations = contact.bodies.map(|body| self.places[body as usize].rotation);
        contact
            .points()
            .iter()
            .map(move |point| up.dot(between + contact.on_surfaces(point, rotations)[1 - side]))
    }
    /// The normal in the world, towards one of the bodies.
    fn normal_towards(&self, contact: &Contact<D>, side: usize) -> D::Vector {
        let normal = D::rotate(self.places[contact.bodies[0] as usize].rotation, contact.normal);
        if side == 0 { -normal } else { normal }
    }
}
