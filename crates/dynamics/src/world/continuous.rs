//! Continuous collision: a body that flies farther in a step than half its thickness does not fly through what
//! stands still.
//!
//! Its shapes are cast along its way, without turning, and it stops at the first touch with something fixed.
//! What it touches already is the solver's business, as long as its middle stays on this side: there a ball of
//! a quarter of its thickness is cast instead (Box2D's fallback). It keeps its velocity, and the next step finds
//! the contact. Between moving bodies there are only the contacts found ahead, so two small fast ones can still
//! miss each other.

use super::World;
use super::contact::NONE;
use super::dimension::Engine;
use super::joint::are_kept_apart;
use carom_geometry::CastOptions;
use carom_math::{Real, Vector};

impl<D: Engine> World<D> {
    /// Whether a body moves so far in a step that it could get through something.
    #[inline]
    pub(super) fn is_fast(&self, index: usize, travel: D::Vector) -> bool {
        let record = &self.bodies.items[index];
        let safe = 0.5 * record.thickness;
        self.settings.continuous && record.moves() && safe * safe < travel.length_squared()
    }

    /// The share of its way that a body can go until it meets something fixed.
    pub(super) fn free_share(&self, index: usize, travel: D::Vector, stack: &mut Vec<u32>) -> f32 {
        let record = &self.bodies.items[index];
        let place = &self.places[index];
        let mut share = 1.0_f32;
        let mut collider = record.first_collider;
        while collider != NONE {
            let moving = &self.colliders.items[collider as usize];
            if !moving.given.is_sensor {
                let start = moving.bounds(place.center, place.rotation);
                let way = start.merged(moving.bounds(place.center + travel.widen(), place.rotation));
                self.broad_phase.still.overlapping(way, stack, |other| {
                    if let Some(met) = self.meets(collider, other, travel * share) {
                        share *= met;
                    }
                });
            }
            collider = moving.next;
        }
        share
    }

    /// When a moving shape meets a fixed one, as a share of its way.
    fn meets(&self, moving: u32, still: u32, travel: D::Vector) -> Option<f32> {
        let (a, b) = (&self.colliders.items[moving as usize], &self.colliders.items[still as usize]);
        if b.given.is_sensor
            || !a.given.filter.meets(b.given.filter)
            || are_kept_apart(&self.joints, &self.bodies, [a.body, b.body])
        {
            return None;
        }
        let pair = [moving.min(still), moving.max(still)];
        let known = self.contacts.of_body(self.bodies.items[a.body as usize].first_contact);
        let mut known = known.map(|(contact, _)| &self.contacts.pool[contact as usize]);
        let is_touching = known.any(|contact| contact.shapes == pair && contact.is_touching);
        let (at_a, at_b) = (&self.places[a.body as usize], &self.places[b.body as usize]);
        // As seen from the moving body, so that the distance from the origin costs nothing.
        let offset = D::Vector::narrow(at_b.center - at_a.center);
        let pose_a =
            D::pose(D::rotate(at_a.rotation, a.from_center.0), D::compose(a.from_center.1, at_a.rotation));
        let pose_b = D::pose(
            offset + D::rotate(at_b.rotation, b.from_center.0),
            D::compose(b.from_center.1, at_b.rotation),
        );
        let options = CastOptions { max: 1.0 };
        if is_touching {
            let middle = D::ball(0.25 * a.thickness())?;
            let hit = D::cast_shape((&middle, D::Pose::default(), travel), (&b.given.shape, pose_b), options);
            let hit = hit.ok().flatten()?;
            // Stops a radius earlier, so that the ball finds room to be cast again; when there is none, only
            // what goes on inwards is stopped.
            let back = 0.25 * a.thickness() / travel.length_squared().sqrt();
            return (hit.t > 0.0 || 0.0 < hit.normal.dot(travel)).then(|| (hit.t - back).clamp_to(0.0, 1.0));
        }
        let hit = D::cast_shape((&a.given.shape, pose_a, travel), (&b.given.shape, pose_b), options);
        hit.ok().flatten().map(|hit| hit.t.clamp_to(0.0, 1.0))
    }
}
