//! What a character stands on, and what it steps onto.

use super::super::dimension::Engine;
use super::super::query::RayHit;
use super::{CharacterSettings, LEAST_RISE, Met, Steep, Walk, Wall};
use carom_geometry::Ray;
use carom_math::{Number, Vector};

impl<D: Engine> Walk<'_, D> {
    /// Goes sideways, up and down slopes, and onto what is low; whether it was blocked, and whether it stepped.
    pub(super) fn go_sideways(&mut self, way: D::Vector, may_step: bool) -> (bool, bool) {
        let CharacterSettings { up, step, gap, .. } = self.character.settings;
        let start = self.position;
        let along = |position: D::Vector| (position - start).dot(way) / way.length();
        let left = self.slide(way, Steep::Walls);
        let level = left - up * left.dot(up);
        let is_blocked = 0.1 * way.length() < level.length();
        if !is_blocked || !may_step || step == 0.0 || !self.is_low(start) {
            return (is_blocked, false);
        }
        // Up, forwards, down: worth it when it gets farther.
        let (plain, met) = (self.position, self.met.len());
        self.position = start;
        let rise = up * (step + gap);
        let (share, _) = self.cast(rise);
        self.position = start + rise * share;
        let raised = self.position;
        self.slide(way, Steep::Walls);
        // Farther than it was lifted: what it comes down to is a gap below where it ends.
        let fall = up * -((raised - start).length() + step);
        let (share, down) = self.cast(fall);
        self.position += fall * share;
        self.met.truncate(met);
        // Down to ground that can be walked on, or to a rim of such.
        let is_ground = down.is_some_and(|met| {
            let normal = -met.hit.normal;
            let is_rim = |top: f32| self.has_ground_beyond(met.hit.point, normal, top);
            self.is_walkable(normal) || self.step_top(start).is_some_and(is_rim)
        });
        if is_ground && along(plain) + 0.1 * gap < along(self.position) {
            return (false, true);
        }
        self.position = plain;
        (true, false)
    }

    /// Whether what is in the way is low: just beyond its rim there is ground that can be walked on, and no higher than
    /// a step. The rim itself says nothing, as it is steep for a round foot.
    fn is_low(&self, start: D::Vector) -> bool {
        let Some(top) = self.step_top(start) else { return false };
        let steep = self.met.iter().filter(|met| !self.is_walkable(met.normal));
        steep.copied().all(|Met { normal, rim, .. }| self.has_ground_beyond(rim, normal, top))
    }

    /// The height up to which it steps from a position, with a gap.
    fn step_top(&self, start: D::Vector) -> Option<f32> {
        let CharacterSettings { up, step, gap, .. } = self.character.settings;
        let bounds = D::bounds(&self.character.shape, self.character.at(start)).ok()?;
        Some(bounds.center().dot(up) - self.half_height(bounds.half_extents()) + step + gap)
    }

    /// Whether there is ground that can be walked on just beyond a rim, below `top`. It begins at the rim, so it is not
    /// lower, but for what it may fall away on that bit of way: the floor behind a thin wall is no step.
    fn has_ground_beyond(&self, rim: D::Vector, normal: D::Vector, top: f32) -> bool {
        let CharacterSettings { up, slope, gap, filter, .. } = self.character.settings;
        let inwards = (normal - up * normal.dot(up)).normalized().unwrap_or(D::Vector::ZERO);
        let beyond = rim - inwards * (2.0 * gap);
        let height = top - beyond.dot(up);
        // By the tangent of the steepest slope; where hardly anything is too steep, no thin wall may be that low.
        let tangent = (1.0 - slope * slope).max_of(0.0).sqrt() / slope.max_of(LEAST_RISE);
        let fall = 2.0 * gap * tangent.min_of(2.0) + gap;
        let met = Ray::new(beyond + up * height, -up)
            .ok()
            .filter(|_| -fall <= height)
            .and_then(|ray| self.world.cast_ray(&ray, height + fall, filter).ok().flatten());
        met.is_some_and(|met| 0.0 < met.hit.t && self.is_walkable(met.hit.normal))
    }

    /// Half its extent along the upright axis.
    fn half_height(&self, half: D::Vector) -> f32 {
        let up = self.character.settings.up;
        (0..D::Vector::DIM).fold(0.0, |sum, axis| sum + half.get(axis) * up.get(axis).abs())
    }

    /// Goes down to the ground if it is near and can be walked on.
    pub(super) fn snap(&mut self) {
        let CharacterSettings { up, snap, .. } = self.character.settings;
        let (share, hit) = self.cast(up * -snap);
        if hit.is_some() && self.is_walkable(down_normal(hit)) && 0.0 < share {
            self.position -= up * (snap * share);
        }
    }

    /// What it stands on: the most level of the planes that are within two gaps.
    pub(super) fn find_ground(&mut self, stepped: bool) -> Option<(u32, D::Vector)> {
        let CharacterSettings { up, gap, .. } = self.character.settings;
        self.look(self.position, 2.0 * gap);
        let mut best: Option<&Wall<D::Vector>> = None;
        for wall in &self.walls {
            let level = wall.normal.dot(up);
            let counts = self.is_walkable(wall.normal) || stepped && 0.0 < level;
            if counts && wall.separation <= gap && best.is_none_or(|best| best.normal.dot(up) < level) {
                best = Some(wall);
            }
        }
        best.map(|wall| (wall.collider, wall.normal))
    }

    /// The ground below its middle, where a rim that is too steep to stand on keeps its foot above it.
    pub(super) fn ground_below(&self) -> Option<(u32, D::Vector)> {
        let Walk { world, character, position, .. } = self;
        let CharacterSettings { up, snap, filter, .. } = character.settings;
        let bounds = D::bounds(&character.shape, character.at(*position)).ok()?;
        let below = self.half_height(bounds.half_extents());
        let ray = Ray::new(bounds.center(), -up).ok()?;
        let met = world.cast_ray(&ray, below + snap, filter).ok()??;
        self.is_walkable(met.hit.normal).then_some((met.collider.index, met.hit.normal))
    }
}

/// The normal of what was met, towards the character.
fn down_normal<V: Vector<Scalar = f32>>(hit: Option<RayHit<V>>) -> V {
    hit.map_or(V::ZERO, |met| -met.hit.normal)
}
