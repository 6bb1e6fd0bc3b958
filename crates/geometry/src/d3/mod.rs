//! Space: shapes and questions in 3D.
//!
//! A shape lives in its own frame and a pose places it; an array will do for a pose without rotation.
//!
//! | question | function |
//! |---|---|
//! | do two shapes touch? | [`intersects`] |
//! | how far apart are they, and where are they closest? | [`distance`]; [`distance_within`] when far is far enough; [`gap`] for the number alone; [`clearance`] for a quick bound |
//! | how deep do they overlap, and which way out? | [`contact`]; [`contact_within`] also for those almost touching |
//! | where do all parts of a mesh, a polyline, a height field or a compound touch? | [`manifolds`]; [`closest_parts`] for the closest two |
//! | which axis separates two boxes or hulls? | [`sat`] |
//! | the same questions about a pair again and again? | [`PairCache`], [`intersects_cached`], [`distance_cached`], [`contact_cached`]; over a mesh [`PartCache`] with [`manifolds_cached`], [`clearance_cached`] |
//! | how was any of these found? | [`explain`] |
//! | the same about many pairs? | [`intersects_batch`], [`distance_batch`], [`contact_batch`], [`contact_within_batch`], [`manifold_batch`], [`time_of_impact_batch`], and [`crate::batch`] |
//! | which of many shapes clash, and how deep? | [`clashes`] |
//! | which point of a shape is closest to a point? | [`closest_point`], [`closest_point_batch`] |
//! | where does a ray hit first? | [`cast_ray`], [`cast_rays`]; [`ray_hits`] when yes or no is enough |
//! | where does a ray go in and out? | [`ray_passages`] |
//! | when do moving shapes first touch? | [`cast_shape`], [`cast_shapes`]; [`time_of_impact`] when they turn as well |
//! | when do moving corners, edges and faces of meshes meet? | [`ccd_vertex_face`], [`ccd_edge_edge`] |
//! | which box along the axes holds a shape? | [`aabb`] |
//! | which box or ball holds all that a moving shape passes through? | [`swept_aabb`], [`swept_ball`] |
//! | which turned box or ball holds points? | [`minimum_box`], [`Obb::from_principal_axes`], [`BoundingBall::minimum`], [`BoundingBall::ritter`] |
//! | which faces has the convex hull? | [`convex_hull`] |
//! | how do points, lines, rays, segments, planes, triangles and parallelograms relate? | [`relate`] |
//! | where does a line or ray cross a plane? | [`line_plane`], [`ray_plane`] |
//! | where do two lines or rays come closest? | [`closest_approach`], [`ray_ray`] |
//! | which point of a face is closest, and what are its coordinates there? | [`closest_on_triangle`], [`closest_on_parallelogram`], [`barycentric_in_triangle`], [`barycentric_in_parallelogram`] |
//! | what is wrong with a mesh, and can it be mended? | [`mesh_health`], [`repair_mesh`] |
//! | which convex parts make up a mesh? | [`decompose_mesh`] |
//! | is a point inside of a mesh, and how far from its surface? | [`MeshSolid`] |
//! | mass, centre of mass and inertia? | [`mass_properties`], [`mesh_mass`] |

mod batch;
mod bound;
mod clash;
pub(crate) mod closest;
mod composite;
mod convex;
mod hull;
mod line;
mod manifold;
mod mass;
mod mesh;
mod motion;
mod pair;
mod shape;
mod solid;

// Shapes: what can be asked about.
pub use composite::{Compound, EdgeKind, HeightField, TriangleMesh};
pub use convex::ConvexHull;
pub use shape::{
    AsShape, Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Rounded, Segment, Shape, ShapeRef,
    Triangle,
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
    cast_ray, cast_rays, cast_shape, cast_shapes, ccd_edge_edge, ccd_vertex_face, ray_hits, ray_passages,
    time_of_impact, time_of_impact_batch, watch_time_of_impact,
};

// Bounding volumes, and hulls to fit them to.
pub use bound::{Aabb, BoundingBall, Obb, aabb, minimum_box, swept_aabb, swept_ball};
pub use hull::{Hull, convex_hull};

// Flat things by themselves: exact relations, then closed forms.
pub use line::{
    Coordinates, Crossing, barycentric_in_parallelogram, barycentric_in_triangle, closest_approach,
    closest_on_parallelogram, closest_on_triangle, line_plane, ray_plane, ray_ray, triangle_normal,
};
pub use line::{Flat, Line, Parallelogram, Plane, relate};

// Meshes as solids: sound or not, inside and outside, convex parts.
pub use mesh::{
    DecompositionOptions, MeshComponent, MeshDecomposition, MeshFeature, MeshHealth, MeshSolid,
    RepairOptions, RepairReport, RepairedMesh, SignSource, SignedDistance, TurnComponents, WindingNumber,
    decompose_mesh, mesh_health, repair_mesh,
};

// Mass, centre of mass, inertia.
pub use mass::{MassProperties, PrincipalAxes, mass_properties, mesh_mass};

/// A spatial index in space: values of any type with a box each; see [`bvh::Index`](crate::bvh::Index).
pub type Index<T, N = f64> = crate::bvh::Index<carom_math::Vec3<N>, T>;

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec3<T>>;

/// What one question about a pair leaves for the next; see [`PairCache`](crate::PairCache).
pub type PairCache = crate::PairCache<carom_math::Vec3<f64>>;

/// The parts of a shape that were near another one when it was last asked; see [`PartCache`](crate::PartCache).
pub type PartCache = crate::PartCache<carom_math::Vec3<f64>>;
