//! Characters: shapes that walk. They are moved by what their player wants, slide along what they meet, climb slopes and
//! steps, stay on the ground and on what it carries, and push what can be pushed.
//!
//! A move is made of parts, each a sequence of the same three operations:
//!
//! 1. *Look*: every surface within a small distance becomes a plane, normal·x >= −separation, that the next bit of way
//!    must respect. Planes keep a gap, so that a cast never starts in touch.
//! 2. *Solve*: of all ways that respect the planes, the one closest to the way that is wanted (Dykstra's projections, the
//!    dual of which is the sequential impulse of the solver). In a corner this is the way along its edge, and in a wedge
//!    none: there is no order in which walls are met, so nothing trembles between them.
//! 3. *Cast*: goes that way until something else is met, and looks again.
//!
//! The parts are: with the ground, if that moves; sideways, where slopes too steep to walk on are walls, and what blocks
//! the way is stepped onto if it is low; up or down; and down to the ground if it is near. Box2D's mover
//! works with planes likewise.
//!
//! Frame and numbers: all in the world, in `f32`. Degenerate input: a move that is not finite is an error; a shape that
//! starts inside others is pushed out of them, by no more than its own size in one move.

mod steps;

use super::World;
use super::add::check_vector;
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle};
use super::query::{QueryFilter, RayHit};
use crate::Error;
use crate::error::not_negative;
use carom_geometry::Manifold;
use carom_math::{Number, Vector};

/// How often a part of a move looks, at most.
const LOOKS: usize = 8;
/// How often all planes are gone through, at most.
const SWEEPS: usize = 64;
/// The most planes that are heeded at once, the closest first.
const PLANES: usize = 24;
/// The least rise of a slope that can be walked on, 89.4°: walking lifts by one over it, and of an upright wall the rise is
/// what rounding left.
const LEAST_RISE: f32 = 0.01;

/// A shape that walks.
///
/// It is no body: it meets bodies, but they do not meet it. If they shall, give it a kinematic body, name that in
/// `filter.except`, and set the pose of the body to that of the character after each move.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, Character, World};
/// use carom_geometry::d2::{Capsule, Cuboid};
/// use carom_math::Vec2;
/// let mut world = World::new();
/// world.add(Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([20.0, 1.0])?))?;
/// // A step of 30 cm.
/// world.add(Body::fixed().at([6.0, 0.15]).shape(Cuboid::new([3.0, 0.15])?))?;
/// let shape = Capsule::new([0.0, -0.5], [0.0, 0.5], 0.4)?;
/// let mut walker = Character::new(shape, [0.0, 1.0])?;
/// let mut fall = 0.0;
/// for _ in 0..120 {
///     fall = if walker.ground().is_some() { 0.0 } else { fall - 10.0 / 60.0 };
///     world.step(1.0 / 60.0)?;
///     world.move_character(&mut walker, Vec2::new(3.0, fall) / 60.0, 1.0 / 60.0)?;
/// }
/// // It has walked onto the step.
/// let at = walker.pose().translation;
/// assert!(at.x > 5.0 && (at.y - 1.2).abs() < 0.05 && walker.ground().is_some());
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Character<D: Engine> {
    /// How it walks.
    pub settings: CharacterSettings<D::Vector>,
    shape: D::Shape,
    pose: D::Pose,
    ground: Option<Ground<D::Vector>>,
    /// Where it stands, in the frame of the body that it stands on.
    anchor: D::Vector,
    /// The largest half extent.
    size: f32,
}

/// How a character walks. Lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterSettings<V> {
    /// Away from the ground, a unit vector; +y by default.
    pub up: V,
    /// The cosine of the steepest slope that it can walk on; 0.7, 45.6°, by default. Less than 0.01 counts as 0.01: an
    /// upright wall is not walked up, however steep it may be.
    pub slope: f32,
    /// How high a step it takes; 0.4 by default.
    pub step: f32,
    /// How far below it the ground may be for it to stay there; 0.3 by default.
    pub snap: f32,
    /// The gap that it keeps from everything: 1/50 of its least half extent by default. It must be more than 0.
    pub gap: f32,
    /// The force with which it pushes dynamic bodies out of its way, N; 500 by default, 0 for none.
    pub force: f32,
    /// Whom it meets.
    pub filter: QueryFilter,
}

/// What a character stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground<V> {
    /// The body.
    pub body: BodyHandle,
    /// The shape.
    pub collider: ColliderHandle,
    /// The normal of the ground.
    pub normal: V,
    /// How fast the ground moves there.
    pub velocity: V,
}

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterMove<V> {
    /// How far it got, with what the ground carried it.
    pub moved: V,
    /// What the ground carried it.
    pub carried: V,
    /// Whether something was in its way sideways that it could not climb.
    pub is_blocked: bool,
    /// Whether its head met something.
    pub hit_ceiling: bool,
    /// Whether it took a step.
    pub stepped: bool,
}

/// A surface nearby: positions x from here must have normal·x >= −separation.
#[derive(Clone, Copy, Debug)]
struct Wall<V> {
    normal: V,
    separation: f32,
    collider: u32,
    /// The highest point at which it is touched.
    rim: V,
}

/// A shape that was in the way.
#[derive(Clone, Copy, Debug)]
struct Met<V> {
    collider: u32,
    /// Towards the character.
    normal: V,
    /// Where it is pushed.
    point: V,
    /// The highest point of it that was in the way.
    rim: V,
}

impl<D: Engine> Character<D> {
    /// A character of a convex shape at a pose, which keeps the rotation that it has.
    ///
    /// # Errors
    /// When the pose is not finite, or the shape has no end.
    pub fn new(shape: impl Into<D::Shape>, pose: impl Into<D::Pose>) -> Result<Self, Error> {
        let (shape, pose) = (shape.into(), pose.into());
        let half = D::bounds(&shape, pose)?.half_extents();
        check_vector("the size of the character", half)?;
        let extents = || (0..D::Vector::DIM).map(|axis| half.get(axis));
        let (least, size) = extents().fold((f32::INFINITY, 0.0_f32), |(least, most), extent| {
            (extent.min_of(least), extent.max_of(most))
        });
        let settings = CharacterSettings {
            up: D::Vector::unit(1),
            slope: 0.7,
            step: 0.4,
            snap: 0.3,
            gap: least / 50.0,
            force: 500.0,
            filter: QueryFilter::default(),
        };
        Ok(Character { settings, shape, pose, ground: None, anchor: D::Vector::ZERO, size })
    }
    /// Where it is.
    #[must_use]
    pub fn pose(&self) -> D::Pose {
        self.pose
    }
    /// Puts it somewhere else at once; it stands on nothing then.
    ///
    /// # Errors
    /// When the pose is not finite.
    pub fn set_pose(&mut self, pose: impl Into<D::Pose>) -> Result<(), Error> {
        let pose = pose.into();
        D::bounds(&self.shape, pose)?;
        (self.pose, self.ground) = (pose, None);
        Ok(())
    }
    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> &D::Shape {
        &self.shape
    }
    /// What it stands on, after the last move.
    #[must_use]
    pub fn ground(&self) -> Option<Ground<D::Vector>> {
        self.ground
    }
    fn position(&self) -> D::Vector {
        D::parts(self.pose).0
    }
    fn at(&self, position: D::Vector) -> D::Pose {
        D::pose(position, D::parts(self.pose).1)
    }
}

/// How planes that are too steep to walk on count.
#[derive(Clone, Copy, PartialEq)]
enum Steep {
    /// As they are.
    Slopes,
    /// As walls: nothing is gained in height from them.
    Walls,
}

/// A move that is being made.
struct Walk<'a, D: Engine> {
    world: &'a World<D>,
    character: &'a Character<D>,
    position: D::Vector,
    walls: Vec<Wall<D::Vector>>,
    manifolds: Vec<Manifold<D::Vector>>,
    /// Shapes that were in the way, each once.
    met: Vec<Met<D::Vector>>,
}

impl<D: Engine> World<D> {
    /// Moves a character by `motion`, with what it stands on, sliding along what it meets. `dt` is the time that it takes:
    /// pushing depends on it. Call it after a step, with the gravity of your choice in the motion.
    ///
    /// It ends outside of everything, unless it began inside of something it cannot get out of.
    ///
    /// # Errors
    /// When a number is not finite, the gap is not positive, or `up` is no unit vector; nothing happens then.
    pub fn move_character(
        &mut self,
        character: &mut Character<D>,
        motion: impl Into<D::Vector>,
        dt: f32,
    ) -> Result<CharacterMove<D::Vector>, Error> {
        let motion = motion.into();
        check_vector("motion", motion)?;
        not_negative("dt", dt)?;
        let CharacterSettings { up, slope, step, snap, gap, force, filter: _ } = character.settings;
        check_vector("up", up)?;
        if 1e-3 < (up.length_squared() - 1.0).abs() {
            return Err(Error::OutOfRange { what: "|up|", range: "1", value: f64::from(up.length()) });
        }
        for (what, value) in [("slope", slope), ("step", step), ("snap", snap), ("force", force)] {
            not_negative(what, value)?;
        }
        if !(gap.is_finite() && 0.0 < gap) {
            return Err(Error::OutOfRange { what: "gap", range: "more than 0", value: f64::from(gap) });
        }
        D::bounds(&character.shape, character.pose)?;
        let start = character.position();
        let mut walk = Walk {
            world: self,
            character,
            position: start,
            walls: Vec::new(),
            manifolds: Vec::new(),
            met: Vec::new(),
        };
        walk.get_out();
        let carried = walk.carry();
        let was_grounded = character.ground.is_some();
        let rise = up.dot(motion);
        let sideways = motion - up * rise;
        let (mut is_blocked, mut stepped) = (false, false);
        if sideways != D::Vector::ZERO {
            (is_blocked, stepped) = walk.go_sideways(sideways, was_grounded && rise <= 0.0);
        }
        let before = up.dot(walk.position);
        if rise != 0.0 && !stepped {
            walk.go_upwards(rise);
        }
        let hit_ceiling = 0.0 < rise && up.dot(walk.position) - before < 0.5 * rise;
        if was_grounded && rise <= 0.0 && !stepped {
            walk.snap();
        }
        let ground = walk.find_ground(stepped).or_else(|| walk.ground_below().filter(|_| was_grounded));
        let (position, met) = (walk.position, walk.met);
        let handles = |index: u32| {
            let collider = &self.colliders.items[index as usize];
            (self.bodies.handle(collider.body as usize), self.colliders.handle(index as usize))
        };
        let ground = ground.filter(|_| rise <= 0.0).map(|(index, normal)| {
            let (body, collider) = handles(index);
            (Ground { body, collider, normal, velocity: D::Vector::ZERO }, index)
        });
        character.pose = character.at(position);
        character.ground = ground.map(|(ground, index)| {
            let body = self.colliders.items[index as usize].body as usize;
            let place = &self.places[body];
            let arm = D::Vector::narrow(position.widen() - place.center);
            character.anchor = D::rotate_back(place.rotation, arm);
            let (velocity, angular) = self.velocities_of(body);
            Ground { velocity: velocity + D::spin(angular, arm), ..ground }
        });
        if 0.0 < dt && 0.0 < force {
            for Met { collider, normal, point, .. } in met {
                self.push_away(collider, normal, point, motion * (1.0 / dt), force * dt)?;
            }
        }
        Ok(CharacterMove { moved: position - start, carried, is_blocked, hit_ceiling, stepped })
    }

    /// Pushes what was in the way: it shall be as fast as the character along the normal, for no more than an impulse.
    fn push_away(
        &mut self,
        collider: u32,
        normal: D::Vector,
        point: D::Vector,
        velocity: D::Vector,
        most: f32,
    ) -> Result<(), Error> {
        let body = self.colliders.items[collider as usize].body as usize;
        let record = &self.bodies.items[body];
        if !record.moves() {
            return Ok(());
        }
        let place = &self.places[body];
        let arm = D::Vector::narrow(point.widen() - place.center);
        let (own, angular) = self.velocities_of(body);
        let approach = (own + D::spin(angular, arm) - velocity).dot(normal);
        let turn = D::moment(arm, normal);
        let inverse = record.free_inverse_inertia(place.rotation);
        let give = record.inverse_mass + D::angular_dot(turn, D::inertia_times(inverse, turn));
        // The normal points to the character: what is to be pushed gets faster against it.
        if 0.0 < approach && 0.0 < give {
            let impulse = normal * -(approach / give).min_of(most);
            let handle = self.bodies.handle(body);
            self.get_mut(handle)?.apply_impulse_at(impulse, point)?;
        }
        Ok(())
    }
}

impl<D: Engine> Walk<'_, D> {
    fn is_walkable(&self, normal: D::Vector) -> bool {
        let CharacterSettings { up, slope, .. } = self.character.settings;
        slope.max_of(LEAST_RISE) <= normal.dot(up)
    }

    /// Finds the planes near a position.
    fn look(&mut self, position: D::Vector, reach: f32) {
        let Walk { world, character, walls, manifolds, .. } = self;
        let CharacterSettings { up, gap, .. } = character.settings;
        let pose = character.at(position);
        walls.clear();
        let Ok(bounds) = D::bounds(&character.shape, pose) else { return };
        let bounds = bounds.grown(reach + gap);
        let mut found = Vec::new();
        for tree in [&world.broad_phase.still, &world.broad_phase.moving] {
            tree.search(
                |other| other.overlaps(bounds).then_some(0.0),
                |item| {
                    found.push(item);
                    true
                },
            );
        }
        found.sort_unstable();
        for item in found {
            let collider = &world.colliders.items[item as usize];
            if !world.is_asked(collider, character.settings.filter) {
                continue;
            }
            let at = world.collider_pose(collider);
            let shapes = ((&collider.given.shape, at), (&character.shape, pose));
            if D::manifolds(shapes.0, shapes.1, reach + gap, manifolds).is_err() {
                continue;
            }
            for manifold in manifolds.iter() {
                let (points, normal) = (manifold.points(), manifold.normal());
                let depth = points.iter().fold(f32::NEG_INFINITY, |most, p| p.depth.max_of(most));
                // Points are half way between the two; the other surface is half a depth farther.
                let touched = points.iter().map(|p| p.point + normal * (0.5 * p.depth));
                let rim = touched.reduce(|a, b| if a.dot(up) < b.dot(up) { b } else { a });
                let rim = rim.unwrap_or(position);
                walls.push(Wall { normal, separation: -depth - gap, collider: item, rim });
            }
        }
        walls.sort_by(|a, b| a.separation.total_cmp(&b.separation));
        walls.truncate(PLANES);
    }

    /// The way closest to the wanted one that respects all planes.
    fn solve(&self, wanted: D::Vector, steep: Steep) -> D::Vector {
        let up = self.character.settings.up;
        // A plane, and the way out of it for each metre that is lacking.
        let plane = |wall: &Wall<D::Vector>| {
            let Wall { normal, separation, .. } = *wall;
            let rise = normal.dot(up);
            let flat = normal - up * rise;
            match steep {
                // Uphill it walks as fast as on the level: slopes lift.
                Steep::Walls if self.is_walkable(normal) => (normal, separation, up * (1.0 / rise)),
                // What is too steep is a wall; an overhang too, so that it pushes nobody into the ground.
                Steep::Walls if 0.05 < flat.length() => {
                    let level = flat * (1.0 / flat.length());
                    (level, separation / flat.length(), level)
                }
                _ => (normal, separation, normal),
            }
        };
        let planes: Vec<(D::Vector, f32, D::Vector)> = self.walls.iter().map(plane).collect();
        let mut pushes = vec![0.0_f32; planes.len()];
        let mut way = wanted;
        for _ in 0..SWEEPS {
            let mut change = 0.0_f32;
            for ((normal, separation, out), push) in planes.iter().zip(&mut pushes) {
                let lack = -(separation + normal.dot(way));
                let before = *push;
                *push = (before + lack).max_of(0.0);
                way += *out * (*push - before);
                change = (*push - before).abs().max_of(change);
            }
            if change <= 0.01 * self.character.settings.gap {
                break;
            }
        }
        way
    }

    /// The share of a way that is free, a gap less at its end, and what is met.
    fn cast(&self, way: D::Vector) -> (f32, Option<RayHit<D::Vector>>) {
        let Walk { world, character, position, .. } = self;
        let pose = character.at(*position);
        let hit = world.cast_shape(&character.shape, pose, way, character.settings.filter).ok().flatten();
        let Some(met) = hit else { return (1.0, None) };
        let length = way.length();
        // The normal points from the character to what it meets. Along the way the gap is the longer the flatter the angle.
        let into = met.hit.normal.dot(way) / length;
        let back = character.settings.gap / into.max_of(0.1);
        (((met.hit.t * length - back) / length).max_of(0.0), hit)
    }

    /// Goes a way as far as it is free, around corners; the answer is what is left of it.
    fn slide(&mut self, way: D::Vector, steep: Steep) -> D::Vector {
        let target = self.position + way;
        let gap = self.character.settings.gap;
        for _ in 0..LOOKS {
            let wanted = target - self.position;
            self.look(self.position, wanted.length());
            let solved = self.solve(wanted, steep);
            self.note(wanted);
            if solved.length() <= 0.01 * gap || !solved.finite() {
                break;
            }
            let (share, hit) = self.cast(solved);
            let mut advance = solved * share;
            // What already touches is not seen by a cast: the end must be no deeper in anything than the begin.
            let begin = self.depth_at(self.position);
            for _ in 0..4 {
                if self.depth_at(self.position + advance) <= begin.max_of(0.0) {
                    break;
                }
                advance = advance * 0.5;
            }
            if begin.max_of(0.0) < self.depth_at(self.position + advance) {
                break;
            }
            self.position += advance;
            if hit.is_none() && share == 1.0 && (solved - wanted).length() <= 0.01 * gap {
                break;
            }
            if advance.length() <= 0.01 * gap {
                break;
            }
        }
        target - self.position
    }

    /// How deep it is in anything at a position; at most 0 when it is outside.
    fn depth_at(&mut self, position: D::Vector) -> f32 {
        let walls = core::mem::take(&mut self.walls);
        self.look(position, 0.0);
        let depth = self
            .walls
            .first()
            .map_or(f32::NEG_INFINITY, |wall| -wall.separation - self.character.settings.gap);
        self.walls = walls;
        depth
    }

    /// Keeps in mind what is in the way, to push it.
    fn note(&mut self, wanted: D::Vector) {
        let gap = self.character.settings.gap;
        for k in 0..self.walls.len() {
            let Wall { normal, separation, collider, rim } = self.walls[k];
            let blocks = separation < gap && normal.dot(wanted) < 0.0;
            if blocks && self.met.iter().all(|known| known.collider != collider) {
                let shape = &self.world.colliders.items[collider as usize];
                let pose = self.world.collider_pose(shape);
                let closest = D::closest_point(&shape.given.shape, pose, self.position);
                let point = closest.map_or(self.position, |closest| closest.point);
                self.met.push(Met { collider, normal, point, rim });
            }
        }
    }

    /// Leaves what it is inside of, or too close to.
    fn get_out(&mut self) {
        let limit = self.character.size;
        let start = self.position;
        for _ in 0..LOOKS {
            self.look(self.position, 0.0);
            if self.walls.iter().all(|wall| -0.01 * self.character.settings.gap <= wall.separation) {
                break;
            }
            let way = self.solve(D::Vector::ZERO, Steep::Slopes);
            let out = self.position + way - start;
            if !out.finite() {
                break;
            }
            // As far as it may: the next move goes on from there.
            if limit < out.length() {
                self.position = start + out * (limit / out.length());
                break;
            }
            self.position += way;
        }
    }

    /// Goes with the ground.
    fn carry(&mut self) -> D::Vector {
        let Some(ground) = self.character.ground else { return D::Vector::ZERO };
        let Ok(body) = self.world.bodies.check(ground.body) else { return D::Vector::ZERO };
        let place = &self.world.places[body];
        let now = D::Vector::narrow(place.center + D::rotate(place.rotation, self.character.anchor).widen());
        let way = now - self.character.position();
        let start = self.position;
        // Rounding of a pose that has not changed carries nobody anywhere.
        if 1e-3 * self.character.settings.gap < way.length() {
            // Being pushed out may have been the begin of it.
            let left = way - (self.position - self.character.position());
            self.slide(left, Steep::Slopes);
            self.met.clear();
        }
        self.position - start
    }

    /// Goes up or down. Ground that can be walked on stops it, what is steeper lets it slide.
    fn go_upwards(&mut self, rise: f32) {
        let up = self.character.settings.up;
        if 0.0 < rise {
            self.slide(up * rise, Steep::Slopes);
            return;
        }
        let target = self.position + up * rise;
        let gap = self.character.settings.gap;
        for _ in 0..LOOKS {
            let wanted = target - self.position;
            if wanted.dot(up) >= -0.01 * gap {
                break;
            }
            self.look(self.position, 2.0 * gap);
            if self.walls.iter().any(|wall| wall.separation < gap && self.is_walkable(wall.normal)) {
                break;
            }
            let solved = self.solve(up * wanted.dot(up), Steep::Slopes);
            self.note(wanted);
            let (share, _) = self.cast(solved);
            let advance = solved * share;
            if advance.length() <= 0.01 * gap
                || 0.0 <= advance.dot(up)
                || self.depth_at(self.position + advance) > 0.0
            {
                break;
            }
            self.position += advance;
        }
    }
}
