//! Shapes on bodies: what they are made of, and whom they meet.

use super::body::BodyKind;
use super::contact::NONE;
use super::dimension::{Dimension, Engine, Plane, Solid};
use super::handle::BodyHandle;
use crate::Error;
use crate::error::{finite, not_negative, share};
use carom_geometry::bound::Aabb;
use carom_geometry::{d2, d3};
use carom_math::{Number, Vector};

/// Whom a shape meets.
///
/// Two shapes of the same group other than 0 meet when it is positive and do not when it is negative.
/// Otherwise the mask of each must have a bit of the other's category.
///
/// # Example
/// ```
/// use carom_dynamics::Filter;
/// let ghost = Filter { mask: 0, ..Filter::default() };
/// assert!(!ghost.meets(Filter::default()));
/// let friend = Filter { group: -1, ..Filter::default() };
/// assert!(!friend.meets(friend) && friend.meets(Filter::default()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// What the shape is; 1 by default.
    pub category: u64,
    /// What it meets; everything by default.
    pub mask: u64,
    /// Overrides both for shapes with the same number; 0 by default.
    pub group: i32,
}

impl Default for Filter {
    fn default() -> Self {
        Filter { category: 1, mask: u64::MAX, group: 0 }
    }
}

impl Filter {
    /// Meets everything that asks for it.
    pub const ALL: Self = Filter { category: u64::MAX, mask: u64::MAX, group: 0 };

    /// Whether the two meet.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return 0 < self.group;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// A shape for a body: with its pose on the body and its material. Any shape converts into one.
///
/// Half-spaces are for fixed bodies; surfaces (meshes, height fields, polylines) for fixed and kinematic ones. A
/// surface has no inside that could push out what has got through it, so what moves by itself is made of
/// solids: decompose it into convex shapes and add these, each as a shape of the body or all as one compound.
/// Nothing trips over the edges between the triangles of a surface.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, Collider, World};
/// use carom_geometry::d2::{Ball, Cuboid};
/// let mut world = World::new();
/// // A hammer: a light handle and a heavy head.
/// let hammer = Body::dynamic()
///     .shape(Collider::new(Cuboid::new([0.05, 0.5])?).density(0.5))
///     .shape(Collider::new(Ball::new(0.2)?).at([0.0, 0.5]).density(8.0).friction(0.3));
/// let hammer = world.add(hammer)?;
/// assert!(world.get(hammer)?.center_of_mass().y > 0.4);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Collider<D: Dimension> {
    pub(crate) shape: D::Shape,
    pub(crate) pose: D::Pose,
    pub(crate) density: f32,
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
    pub(crate) rolling: f32,
    pub(crate) surface: D::Vector,
    pub(crate) filter: Filter,
    pub(crate) is_sensor: bool,
    pub(crate) user_data: u64,
}

impl<D: Dimension> Collider<D> {
    /// The shape at the origin of its body, of density 1, friction 0.6 and restitution 0.
    #[must_use]
    pub fn new(shape: impl Into<D::Shape>) -> Self {
        Collider {
            shape: shape.into(),
            pose: D::Pose::default(),
            density: 1.0,
            friction: 0.6,
            restitution: 0.0,
            rolling: 0.0,
            surface: D::Vector::ZERO,
            filter: Filter::default(),
            is_sensor: false,
            user_data: 0,
        }
    }
    /// Where it is on the body.
    #[must_use]
    pub fn at(mut self, pose: impl Into<D::Pose>) -> Self {
        self.pose = pose.into();
        self
    }
    /// Mass per area or volume; 0 for a shape that weighs nothing.
    #[must_use]
    pub fn density(mut self, density: f32) -> Self {
        self.density = density;
        self
    }
    /// Coulomb's µ; that of a pair is the geometric mean.
    #[must_use]
    pub fn friction(mut self, friction: f32) -> Self {
        self.friction = friction;
        self
    }
    /// The share of the speed that a bounce gives back, at most 1; that of a pair is the larger one.
    #[must_use]
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.restitution = restitution;
        self
    }
    /// How much it resists rolling, as a share of its radius; that of a pair is the larger one.
    #[must_use]
    pub fn rolling_resistance(mut self, coefficient: f32) -> Self {
        self.rolling = coefficient;
        self
    }
    /// How fast its surface runs by itself, in the frame of the body: a conveyor belt.
    #[must_use]
    pub fn surface_velocity(mut self, velocity: impl Into<D::Vector>) -> Self {
        self.surface = velocity.into();
        self
    }
    /// Whom it meets.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }
    /// Only watches who enters and leaves; nothing bumps into it.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.is_sensor = true;
        self
    }
    /// A number of yours, for events and queries.
    #[must_use]
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }
}

/// A shape of a world.
#[derive(Clone, Debug)]
pub(crate) struct ColliderRecord<D: Engine> {
    pub(crate) given: Collider<D>,
    pub(crate) body: u32,
    /// The next shape of the body.
    pub(crate) next: u32,
    /// The pose from the centre of mass.
    pub(crate) from_center: (D::Vector, D::Rotation),
    /// The box around the shape, in its own frame: centre and half extents; infinite for a half-space.
    pub(crate) local_box: (D::Vector, D::Vector),
    /// Half of what it is thick, roughly, and soundly for what is far thinner than its box; see [`Self::thickness`].
    pub(crate) thickness: f32,
    /// The centre of that box on the body, from the centre of mass.
    pub(crate) box_center: D::Vector,
    /// How far it is from there.
    pub(crate) distance: f32,
    /// Whether the shape is turned on the body.
    pub(crate) is_turned: bool,
    /// The point of the shape farthest from the centre of mass is no farther.
    pub(crate) reach: f32,
    /// By how much its box in the broad phase is larger.
    pub(crate) margin: f32,
    /// Rolling resistance times radius.
    pub(crate) rolling_arm: f32,
    /// The box in the broad phase.
    pub(crate) fat: Aabb<D::Vector>,
}

/// What follows from a shape alone. It takes a look at every part, so who has many colliders of one shape finds it once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeFacts<D: Engine> {
    /// The box around the shape in its own frame.
    bounds: Aabb<D::Vector>,
    thickness: f32,
    rolling_radius: f32,
    /// The last pose at which the box around the shape is known to be one of numbers.
    known: D::Pose,
}

impl<D: Engine> ShapeFacts<D> {
    pub(crate) fn new(shape: &D::Shape) -> Result<Self, Error> {
        let known = D::Pose::default();
        let bounds = D::bounds(shape, known)?;
        D::find_neighbours(shape);
        let is_bounded = bounds.center().finite() && bounds.half_extents().finite();
        let rolling_radius = if is_bounded { D::rolling_radius(shape, bounds) } else { 0.0 };
        Ok(ShapeFacts { bounds, thickness: thickness_of::<D>(shape), rolling_radius, known })
    }
}

impl<D: Engine> ColliderRecord<D> {
    /// Checks the numbers of a collider.
    pub(crate) fn new(given: Collider<D>, box_margin: f32) -> Result<Self, Error> {
        let mut facts = ShapeFacts::new(&given.shape)?;
        Self::with_facts(given, &mut facts, box_margin)
    }
    /// The same for a shape of which all is known.
    pub(crate) fn with_facts(
        given: Collider<D>,
        facts: &mut ShapeFacts<D>,
        box_margin: f32,
    ) -> Result<Self, Error> {
        not_negative("density", given.density)?;
        not_negative("friction", given.friction)?;
        share("restitution", given.restitution)?;
        not_negative("rolling_resistance", given.rolling)?;
        for axis in 0..D::Vector::DIM {
            finite("surface_velocity", given.surface.get(axis))?;
        }
        // Also checks the pose.
        if facts.known != given.pose {
            D::bounds(&given.shape, given.pose)?;
            facts.known = given.pose;
        }
        let (center, half) = (facts.bounds.center(), facts.bounds.half_extents());
        let is_bounded = center.finite() && half.finite();
        let extent = (0..D::Vector::DIM).fold(0.0_f32, |most, axis| half.get(axis).max_of(most));
        Ok(ColliderRecord {
            rolling_arm: if is_bounded { given.rolling * facts.rolling_radius } else { 0.0 },
            local_box: (center, if is_bounded { half } else { D::Vector::splat(f32::INFINITY) }),
            thickness: facts.thickness,
            margin: box_margin.min_of(0.125 * extent),
            given,
            body: NONE,
            next: NONE,
            from_center: (D::Vector::ZERO, D::Rotation::default()),
            box_center: D::Vector::ZERO,
            distance: 0.0,
            is_turned: false,
            reach: 0.0,
            fat: Aabb::empty(),
        })
    }
    /// An error unless the shape can be on a body of this kind.
    pub(crate) fn check_on(&self, kind: BodyKind) -> Result<(), Error> {
        if kind != BodyKind::Fixed && !self.is_bounded() {
            return Err(Error::Immovable { shape: "half_space" });
        }
        match D::surface(&self.given.shape) {
            Some(shape) if kind == BodyKind::Dynamic => Err(Error::NotConvex { shape }),
            _ => Ok(()),
        }
    }
    /// The least half extent, but no more than twice the radius of the ball about its centre that fits into it: a rod that
    /// leans in its frame has a large box. A body that moves by half of that in a step is still with its centre on the same
    /// side of whatever it touched. Sensors are never too thin.
    #[inline(always)]
    pub(crate) fn thickness(&self) -> f32 {
        if self.given.is_sensor { f32::INFINITY } else { self.thickness }
    }
    /// How far its ends reach beyond that, from the centre of mass of the body.
    pub(crate) fn ends(&self) -> f32 {
        (self.reach - self.thickness()).max_of(0.0)
    }
    /// The box that it may move in before pairs are looked for again. No care about rounding: it contains the given box.
    #[inline]
    pub(crate) fn fat_around(&self, tight: Aabb<D::Vector>) -> Aabb<D::Vector> {
        let margin = D::Vector::splat(self.margin);
        Aabb { min: tight.min - margin, max: tight.max + margin }
    }
    /// The box that contains those it may get from `fat_around` on a way whose box this is, whatever is rounded.
    #[inline]
    pub(crate) fn fat_way(&self, way: Aabb<D::Vector>) -> Aabb<D::Vector> {
        let margin = D::Vector::splat(1.01 * self.margin);
        Aabb { min: way.min - margin, max: way.max + margin }
    }
    /// Whether the shape ends somewhere.
    pub(crate) fn is_bounded(&self) -> bool {
        self.local_box.1.finite()
    }
    /// Places the shape on its body, whose centre of mass is at `center` in the body frame.
    pub(crate) fn place(&mut self, center: D::Vector) {
        let (translation, rotation) = D::parts(self.given.pose);
        self.from_center = (translation - center, rotation);
        self.box_center = self.from_center.0 + D::rotate(rotation, self.local_box.0);
        self.is_turned = rotation != D::Rotation::default();
        self.distance = self.box_center.length();
        self.reach = self.distance + self.local_box.1.length();
    }
    /// The box around the shape on a body at a place.
    #[inline]
    pub(crate) fn bounds(&self, center: D::Wide, rotation: D::Rotation) -> Aabb<D::Vector> {
        if !self.is_bounded() {
            return Aabb::unbounded();
        }
        Aabb::narrowed_outward(self.wide_bounds(center, rotation))
    }
    /// The same for a shape that ends somewhere, in `f64`.
    #[inline]
    pub(crate) fn wide_bounds(&self, center: D::Wide, rotation: D::Rotation) -> Aabb<D::Wide> {
        let turned = if self.is_turned { D::compose(self.from_center.1, rotation) } else { rotation };
        let half = D::turned_extents(turned, self.local_box.1).widen();
        let middle = center + D::rotate(rotation, self.box_center).widen();
        Aabb { min: middle - half, max: middle + half }
    }
}

/// What [`ColliderRecord::thickness`] says; of a compound, that of its thinnest part.
fn thickness_of<D: Engine>(shape: &D::Shape) -> f32 {
    if let Some(parts) = D::compound_parts(shape) {
        return parts.iter().fold(f32::INFINITY, |least, (part, _)| thickness_of::<D>(part).min_of(least));
    }
    let Ok(bounds) = D::bounds(shape, D::Pose::default()) else { return 0.0 };
    let half = bounds.half_extents();
    if !half.finite() {
        return f32::INFINITY;
    }
    let least = (0..D::Vector::DIM).fold(f32::INFINITY, |least, axis| half.get(axis).min_of(least));
    if D::is_composite(shape) { least } else { least.min_of(2.0 * inner_radius::<D>(shape)) }
}

/// How far the centre of mass of a convex shape is from its surface; 0 if it has no volume.
fn inner_radius<D: Engine>(shape: &D::Shape) -> f32 {
    let Ok((_, center, _)) = D::mass(shape, 1.0) else { return 0.0 };
    let closest = D::closest_point(shape, D::Pose::default(), center);
    closest.map_or(0.0, |closest| (-closest.distance).max_of(0.0))
}

/// A look at a shape of a world.
#[derive(Clone, Copy, Debug)]
pub struct ColliderRef<'a, D: Engine> {
    pub(crate) record: &'a ColliderRecord<D>,
    pub(crate) body: BodyHandle,
}

impl<'a, D: Engine> ColliderRef<'a, D> {
    /// The body that it is on.
    #[must_use]
    pub fn body(&self) -> BodyHandle {
        self.body
    }
    /// The shape, in its own frame.
    #[must_use]
    pub fn shape(&self) -> &'a D::Shape {
        &self.record.given.shape
    }
    /// Its pose on the body.
    #[must_use]
    pub fn pose(&self) -> D::Pose {
        self.record.given.pose
    }
    /// Coulomb's µ.
    #[must_use]
    pub fn friction(&self) -> f32 {
        self.record.given.friction
    }
    /// The share of the speed that a bounce gives back.
    #[must_use]
    pub fn restitution(&self) -> f32 {
        self.record.given.restitution
    }
    /// How much it resists rolling, as a share of its radius.
    #[must_use]
    pub fn rolling_resistance(&self) -> f32 {
        self.record.given.rolling
    }
    /// Mass per area or volume.
    #[must_use]
    pub fn density(&self) -> f32 {
        self.record.given.density
    }
    /// Whom it meets.
    #[must_use]
    pub fn filter(&self) -> Filter {
        self.record.given.filter
    }
    /// Whether it only watches.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.record.given.is_sensor
    }
    /// Your number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record.given.user_data
    }
}

/// Every concrete shape of a dimension is a collider with the usual material.
macro_rules! shapes_are_colliders {
    ($dimension:ty: $($shape:ty),+ $(,)?) => {
        $(
            impl From<$shape> for Collider<$dimension> {
                fn from(shape: $shape) -> Self {
                    Collider::new(shape)
                }
            }
        )+
    };
}

shapes_are_colliders!(Plane: d2::Shape<f32>, d2::Ball<f32>, d2::Cuboid<f32>, d2::Capsule<f32>,
    d2::Segment<f32>, d2::Triangle<f32>, d2::HalfSpace<f32>, d2::Ellipsoid<f32>, d2::ConvexPolygon<f32>,
    d2::Rounded<f32>, d2::Outline<f32>, d2::Polyline<f32>, d2::HeightField<f32>, d2::Compound<f32>);
shapes_are_colliders!(Solid: d3::Shape<f32>, d3::Ball<f32>, d3::Cuboid<f32>, d3::Capsule<f32>,
    d3::Segment<f32>, d3::Triangle<f32>, d3::HalfSpace<f32>, d3::Cylinder<f32>, d3::Cone<f32>,
    d3::Ellipsoid<f32>, d3::ConvexHull<f32>, d3::Rounded<f32>, d3::TriangleMesh<f32>, d3::HeightField<f32>,
    d3::Compound<f32>);
