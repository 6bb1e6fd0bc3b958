//! What differs between the plane and space, so that each operation is written once.
//!
//! Every call into the geometry goes through here.

use super::fit::{Hull, Surface};
use super::{lines, mass, read};
use crate::failure::Failure;
use crate::json::Value;
use crate::mesh::Folder;
use crate::write::Answer;
use carom::bound::{Obb, Placement};
use carom::line::{Line, LineRelation};
use carom::mass::MassProperties;
use carom::math::{Motion2, Motion3, Pose2, Pose3, Real, Vec2, Vec3, Vector};
use carom::shape::Segment;
use carom::trace::Step;
use carom::{CastOptions, ClosestPoint, Contact, Distance, Error, Hit, Manifold, Ray, RayOptions, d2, d3};
use carom::{Impact, ImpactOptions};
use std::marker::PhantomData;

/// The plane or space over a number type.
pub(super) trait Dimension {
    /// `f32` or `f64`.
    type Scalar: Real;
    /// Points and directions.
    type Vector: Vector<Scalar = Self::Scalar> + carom::response::Space + carom::mass::Space;
    /// Where a shape is.
    type Pose: Copy + Default + Placement<Vector = Self::Vector>;
    /// A rigid motion.
    type Motion: Copy;
    /// Any shape.
    type Shape;
    /// Any flat thing.
    type Flat: From<Self::Vector>
        + From<Line<Self::Vector>>
        + From<Ray<Self::Vector>>
        + From<Segment<Self::Vector>>;
    /// What the size of a box is called.
    const MEASURE: &'static str;

    /// Reads a shape, whose mesh files are in the folder.
    fn shape(value: Value<'_>, folder: &Folder<Self::Scalar>) -> Result<Self::Shape, Failure>;
    /// Reads a pose.
    fn pose(value: Value<'_>) -> Result<Self::Pose, Failure>;

    /// The motion of what does not move.
    fn still() -> Self::Motion;
    /// The motion between two poses.
    fn motion_between(from: Self::Pose, to: Self::Pose) -> Self::Motion;
    /// The motion with a velocity and an angular velocity, which is still to be read: a number in the plane, a
    /// vector in space.
    fn motion_by_velocity(
        from: Self::Pose,
        velocity: Self::Vector,
        angular: Option<Value<'_>>,
    ) -> Result<Self::Motion, Failure>;

    /// Reads a flat thing.
    fn flat(value: Value<'_>) -> Result<Self::Flat, Failure>;

    fn intersects(pair: &Pair<Self>) -> Result<bool, Error>;
    fn distance(pair: &Pair<Self>) -> Result<Distance<Self::Vector>, Error>;
    fn contact(pair: &Pair<Self>, margin: Self::Scalar) -> Result<Option<Contact<Self::Vector>>, Error>;
    fn manifold(pair: &Pair<Self>, margin: Self::Scalar) -> Result<Option<Manifold<Self::Vector>>, Error>;
    /// The steps of one of the four questions above; of the last one for any other name.
    fn explain(question: &str, pair: &Pair<Self>, margin: Self::Scalar) -> Result<Steps<Self>, Error>;
    fn closest_point(
        shape: &Self::Shape,
        pose: Self::Pose,
        point: Self::Vector,
    ) -> Result<ClosestPoint<Self::Vector>, Error>;
    fn cast_ray(
        shape: &Self::Shape,
        pose: Self::Pose,
        ray: &Ray<Self::Vector>,
        options: RayOptions<Self::Scalar>,
    ) -> Result<Option<Hit<Self::Vector>>, Error>;
    fn cast_shape(
        pair: &Pair<Self>,
        velocity_a: Self::Vector,
        velocity_b: Self::Vector,
        max: Self::Scalar,
    ) -> Result<Option<Hit<Self::Vector>>, Error>;
    fn time_of_impact(
        moving: &Moving<Self>,
        options: ImpactOptions<Self::Scalar>,
    ) -> Result<Option<Impact<Self::Vector>>, Error>;
    /// The steps of [`Dimension::cast_ray`].
    fn explain_ray(
        shape: &Self::Shape,
        pose: Self::Pose,
        ray: &Ray<Self::Vector>,
        options: RayOptions<Self::Scalar>,
    ) -> Result<Steps<Self>, Error>;
    /// The steps of [`Dimension::cast_shape`].
    fn explain_cast(
        pair: &Pair<Self>,
        velocity_a: Self::Vector,
        velocity_b: Self::Vector,
        max: Self::Scalar,
    ) -> Result<Steps<Self>, Error>;
    /// The steps of [`Dimension::time_of_impact`].
    fn explain_impact(
        moving: &Moving<Self>,
        options: ImpactOptions<Self::Scalar>,
    ) -> Result<Steps<Self>, Error>;
    fn relate(a: Self::Flat, b: Self::Flat) -> Result<LineRelation<Self::Vector>, Error>;
    fn hull(points: &[Self::Vector]) -> Result<Hull<Self::Vector>, Error>;
    fn mass_properties(
        shape: &Self::Shape,
        density: Self::Scalar,
    ) -> Result<MassProperties<Self::Vector>, Error>;
    /// Writes the field `inertia`.
    fn write_inertia(inertia: <Self::Vector as carom::mass::Space>::Inertia, answer: &mut Answer<'_>);
    /// The smallest box around points, turned as it likes.
    fn minimum_box(points: &[Self::Vector]) -> Result<Obb<Self::Pose>, Error>;
}

/// How an answer was found.
pub(super) type Steps<D> = Vec<Step<<<D as Dimension>::Vector as Vector>::Wide>>;

/// Two shapes and where they are.
pub(super) struct Pair<D: Dimension + ?Sized> {
    pub(super) a: D::Shape,
    pub(super) pose_a: D::Pose,
    pub(super) b: D::Shape,
    pub(super) pose_b: D::Pose,
}

/// Two shapes and how they move.
pub(super) struct Moving<D: Dimension + ?Sized> {
    pub(super) a: D::Shape,
    pub(super) motion_a: D::Motion,
    pub(super) b: D::Shape,
    pub(super) motion_b: D::Motion,
}

/// 2D over a number type.
pub(super) struct Plane<T>(PhantomData<T>);

/// 3D over a number type.
pub(super) struct Space<T>(PhantomData<T>);

macro_rules! dimension {
    ($name:ident, $module:ident, $vector:ident, $pose:ident, $motion:ident, $measure:literal,
     read: $read_shape:path, $read_pose:path, $read_angular:path, $read_flat:path; fit: $minimum_box:path, $hull:path;
     mass: $mass:path, $write_inertia:path) => {
        impl<T: Real> Dimension for $name<T> {
            type Scalar = T;
            type Vector = $vector<T>;
            type Pose = $pose<T>;
            type Motion = $motion<T>;
            type Shape = $module::Shape<T>;
            type Flat = $module::Flat<T>;
            const MEASURE: &'static str = $measure;

            fn shape(value: Value<'_>, folder: &Folder<T>) -> Result<Self::Shape, Failure> {
                $read_shape(value, folder)
            }
            fn pose(value: Value<'_>) -> Result<Self::Pose, Failure> {
                $read_pose(value)
            }
            fn still() -> Self::Motion {
                $motion::between($pose::IDENTITY, $pose::IDENTITY)
            }
            fn motion_between(from: Self::Pose, to: Self::Pose) -> Self::Motion {
                $motion::between(from, to)
            }
            fn motion_by_velocity(
                from: Self::Pose,
                velocity: Self::Vector,
                angular: Option<Value<'_>>,
            ) -> Result<Self::Motion, Failure> {
                let angular = angular.map_or(Ok(Default::default()), $read_angular)?;
                Ok($motion::from_velocity(from, velocity, angular))
            }
            fn flat(value: Value<'_>) -> Result<Self::Flat, Failure> {
                $read_flat(value)
            }

            fn intersects(pair: &Pair<Self>) -> Result<bool, Error> {
                $module::intersects(&pair.a, pair.pose_a, &pair.b, pair.pose_b)
            }
            fn distance(pair: &Pair<Self>) -> Result<Distance<Self::Vector>, Error> {
                $module::distance(&pair.a, pair.pose_a, &pair.b, pair.pose_b)
            }
            fn contact(pair: &Pair<Self>, margin: T) -> Result<Option<Contact<Self::Vector>>, Error> {
                $module::contact_within(&pair.a, pair.pose_a, &pair.b, pair.pose_b, margin)
            }
            fn manifold(pair: &Pair<Self>, margin: T) -> Result<Option<Manifold<Self::Vector>>, Error> {
                $module::manifold_within(&pair.a, pair.pose_a, &pair.b, pair.pose_b, margin)
            }
            fn explain(
                question: &str,
                pair: &Pair<Self>,
                margin: T,
            ) -> Result<Vec<Step<$vector<f64>>>, Error> {
                use $module::explain;
                let Pair { a, pose_a, b, pose_b } = pair;
                Ok(match question {
                    "intersects" => explain::intersects(a, *pose_a, b, *pose_b)?.steps,
                    "distance" => explain::distance(a, *pose_a, b, *pose_b)?.steps,
                    "contact" => explain::contact_within(a, *pose_a, b, *pose_b, margin)?.steps,
                    _ => explain::manifold_within(a, *pose_a, b, *pose_b, margin)?.steps,
                })
            }
            fn closest_point(
                shape: &Self::Shape,
                pose: Self::Pose,
                point: Self::Vector,
            ) -> Result<ClosestPoint<Self::Vector>, Error> {
                $module::closest_point(shape, pose, point)
            }
            fn cast_ray(
                shape: &Self::Shape,
                pose: Self::Pose,
                ray: &Ray<Self::Vector>,
                options: RayOptions<T>,
            ) -> Result<Option<Hit<Self::Vector>>, Error> {
                $module::cast_ray(shape, pose, ray, options)
            }
            fn cast_shape(
                pair: &Pair<Self>,
                velocity_a: Self::Vector,
                velocity_b: Self::Vector,
                max: T,
            ) -> Result<Option<Hit<Self::Vector>>, Error> {
                let Pair { a, pose_a, b, pose_b } = pair;
                $module::cast_shape(a, *pose_a, velocity_a, b, *pose_b, velocity_b, CastOptions { max })
            }
            fn time_of_impact(
                moving: &Moving<Self>,
                options: ImpactOptions<T>,
            ) -> Result<Option<Impact<Self::Vector>>, Error> {
                let Moving { a, motion_a, b, motion_b } = moving;
                $module::time_of_impact(a, *motion_a, b, *motion_b, options)
            }
            fn explain_ray(
                shape: &Self::Shape,
                pose: Self::Pose,
                ray: &Ray<Self::Vector>,
                options: RayOptions<T>,
            ) -> Result<Steps<Self>, Error> {
                $module::explain::cast_ray(shape, pose, ray, options).map(|told| told.steps)
            }
            fn explain_cast(
                pair: &Pair<Self>,
                velocity_a: Self::Vector,
                velocity_b: Self::Vector,
                max: T,
            ) -> Result<Steps<Self>, Error> {
                let Pair { a, pose_a, b, pose_b } = pair;
                let options = CastOptions { max };
                let told =
                    $module::explain::cast_shape(a, *pose_a, velocity_a, b, *pose_b, velocity_b, options);
                told.map(|told| told.steps)
            }
            fn explain_impact(
                moving: &Moving<Self>,
                options: ImpactOptions<T>,
            ) -> Result<Steps<Self>, Error> {
                let Moving { a, motion_a, b, motion_b } = moving;
                $module::explain::time_of_impact(a, *motion_a, b, *motion_b, options).map(|told| told.steps)
            }
            fn relate(a: Self::Flat, b: Self::Flat) -> Result<LineRelation<Self::Vector>, Error> {
                $module::relate(a, b)
            }
            fn mass_properties(
                shape: &Self::Shape,
                density: T,
            ) -> Result<MassProperties<Self::Vector>, Error> {
                $mass(shape, density)
            }
            fn write_inertia(
                inertia: <Self::Vector as carom::mass::Space>::Inertia,
                answer: &mut Answer<'_>,
            ) {
                $write_inertia(inertia, answer);
            }
            fn hull(points: &[Self::Vector]) -> Result<Hull<Self::Vector>, Error> {
                $hull(points)
            }
            fn minimum_box(points: &[Self::Vector]) -> Result<Obb<Self::Pose>, Error> {
                $minimum_box(points)
            }
        }
    };
}

/// Shapes of the plane refer to no files.
fn shape2<T: Real>(value: Value<'_>, _: &Folder<T>) -> Result<d2::Shape<T>, Failure> {
    read::shape2(value)
}

/// The corners of the hull in the order of its boundary.
fn hull2<T: Real>(points: &[Vec2<T>]) -> Result<Hull<Vec2<T>>, Error> {
    let corners = d2::convex_hull(points)?;
    Ok(Hull {
        points: corners.iter().filter_map(|&index| points.get(index).copied()).collect(),
        surface: Surface::Loop((0..corners.len()).collect()),
    })
}

/// The corners of the hull and its faces.
fn hull3<T: Real>(points: &[Vec3<T>]) -> Result<Hull<Vec3<T>>, Error> {
    let hull = d3::convex_hull(points)?;
    Ok(Hull {
        points: hull.vertices.iter().filter_map(|&index| points.get(index).copied()).collect(),
        surface: Surface::Faces(hull.faces),
    })
}

dimension!(Plane, d2, Vec2, Pose2, Motion2, "area",
    read: shape2, read::pose2, Value::number::<T>, lines::flat2; fit: d2::minimum_rectangle, hull2;
    mass: d2::mass_properties, mass::write_number);
dimension!(Space, d3, Vec3, Pose3, Motion3, "volume",
    read: read::shape3, read::pose3, Value::vector::<Vec3<T>>, lines::flat3; fit: d3::minimum_box, hull3;
    mass: mass::of_inside, mass::write_matrix);
