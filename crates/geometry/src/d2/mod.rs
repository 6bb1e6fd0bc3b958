//! The plane: shapes and questions in 2D.
//!
//! A shape lives in its own frame and a pose places it; an array will do for a pose without rotation.
//!
//! | question | function |
//! |---|---|
//! | do two shapes touch? | [`intersects`] |
//! | how far apart are they, and where are they closest? | [`distance`]; [`distance_within`] when far is far enough; [`gap`] for the number alone; [`clearance`] for a quick bound |
//! | how deep do they overlap, and which way out? | [`contact`]; [`contact_within`] also for those almost touching |
//! | where do all parts of a mesh, a polyline, a height field or a compound touch? | [`manifolds`]; [`closest_parts`] for the closest two |
//! | which axis separates two boxes or polygons? | [`sat`] |
//! | the same questions about a pair again and again? | [`PairCache`], [`intersects_cached`], [`distance_cached`], [`contact_cached`]; over a mesh [`PartCache`] with [`manifolds_cached`], [`clearance_cached`] |
//! | how was any of these found? | [`explain`] |
//! | the same about many pairs? | [`intersects_batch`], [`distance_batch`], [`contact_batch`], [`contact_within_batch`], [`manifold_batch`], [`time_of_impact_batch`], and [`crate::batch`] |
//! | which of many shapes clash, and how deep? | [`clashes`] |
//! | which point of a shape is closest to a point? | [`closest_point`], [`closest_point_batch`] |
//! | where does a ray hit first? | [`cast_ray`], [`cast_rays`]; [`ray_hits`] when yes or no is enough |
//! | where does a ray go in and out? | [`ray_passages`] |
//! | when do moving shapes first touch? | [`cast_shape`], [`cast_shapes`]; [`time_of_impact`] when they turn as well |
//! | when does a moving point meet a moving edge? | [`ccd_vertex_edge`] |
//! | which box along the axes holds a shape? | [`aabb`] |
//! | which box or ball holds all that a moving shape passes through? | [`swept_aabb`], [`swept_ball`] |
//! | which turned box or ball holds points? | [`minimum_rectangle`], [`Obb::from_principal_axes`], [`BoundingBall::minimum`], [`BoundingBall::ritter`] |
//! | which points are the corners of the convex hull? | [`convex_hull`] |
//! | do two polygons touch, cross or contain each other? | [`relate_outlines`]; [`outlines_intersect`] when yes or no is enough |
//! | which convex pieces make up a polygon? | [`convex_decomposition`] |
//! | how do points, lines, rays and segments relate? | [`relate`], [`signed_distance_to_line`], and [`crate::line`] |
//! | mass, centre of mass and inertia? | [`mass_properties`], [`polygon_mass`] |

mod batch;
mod bound;
mod clash;
mod closest;
mod composite;
mod convex;
mod decompose;
mod hull;
mod line;
mod manifold;
mod mass;
mod motion;
mod outline;
pub(crate) mod pair;
mod shape;
mod solid;

// Shapes: what can be asked about.
pub use composite::{Compound, HeightField, Polyline};
pub use convex::ConvexPolygon;
pub use outline::Outline;
pub use shape::{
    AsShape, Ball, Capsule, Cuboid, Ellipsoid, HalfSpace, Rounded, Segment, Shape, ShapeRef, Triangle,
};

// Two shapes: touch, distance, depth, all points of the contact.
pub use composite::{clearance, clearance_cached, closest_parts, manifolds, manifolds_cached};
pub use manifold::{manifold, manifold_within};
pub use pair::{
    SatResult, contact, contact_cached, contact_within, distance, distance_cached, distance_within, gap,
    intersects, intersects_cached, sat,
};

// The same questions, with the steps that lead to their answers.
pub use pair::explain;

// Many pairs at once.
pub use batch::{
    contact_batch, contact_within_batch, distance_batch, intersects_batch, intersects_batch_at,
    manifold_batch, manifold_within_batch,
};

// Many shapes at once: all that clash.
pub use clash::{clashes, clashes_with_progress};

// A shape and a point.
pub use closest::{closest_point, closest_point_batch};

// Rays and moving shapes.
pub use motion::{
    cast_ray, cast_rays, cast_shape, cast_shapes, ccd_vertex_edge, ray_hits, ray_passages, time_of_impact,
    time_of_impact_batch, watch_time_of_impact,
};

// Polygons: exact relations, convex pieces.
pub use decompose::convex_decomposition;
pub use outline::{OutlineRelation, SignedDistance, outlines_intersect, relate_outlines};

// Bounding volumes, and hulls to fit them to.
pub use bound::{Aabb, BoundingBall, Obb, aabb, minimum_rectangle, swept_aabb, swept_ball};
pub use hull::convex_hull;

// Points, lines, rays and segments by themselves.
pub use line::{Flat, Line, relate, signed_distance_to_line};

// Mass, centre of mass, inertia.
pub use mass::{MassProperties, mass_properties, polygon_mass};

/// A spatial index in the plane: values of any type with a box each; see [`bvh::Index`](crate::bvh::Index).
pub type Index<T, N = f64> = crate::bvh::Index<carom_math::Vec2<N>, T>;

// Space stands on some of the plane: a flat hull, the shadow of a box.
pub(crate) use bound::least_area;
pub(crate) use hull::{Predicates, hull_of};

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec2<T>>;

/// What one question about a pair leaves for the next; see [`PairCache`](crate::PairCache).
pub type PairCache = crate::PairCache<carom_math::Vec2<f64>>;

/// The parts of a shape that were near another one when it was last asked; see [`PartCache`](crate::PartCache).
pub type PartCache = crate::PartCache<carom_math::Vec2<f64>>;
