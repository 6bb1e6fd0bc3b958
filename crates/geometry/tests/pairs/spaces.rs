//! The plane and space as the generic tests see them.

use super::world::{Body, Place, Space};
use carom_geometry::{Contact, Distance, Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{Transform, pose2, pose3};

pub(crate) struct Plane;
pub(crate) struct Room;

macro_rules! space {
    ($space:ident, $dim:literal, $d:ident, $hull:expr, $round:expr, $vector:ident, $pose:ident, $transform:expr, $turn:expr, $numbers:expr) => {
        impl $space {
            /// The engine's shape.
            pub(crate) fn shape<T: Real>(body: &Body<$dim>) -> Result<$d::Shape<T>, Error> {
                let point = |index: usize| $vector::narrow(body.numbers[index].into());
                let corners =
                    || body.numbers.iter().map(|&p| $vector::<T>::narrow(p.into())).collect::<Vec<_>>();
                let length = |index: usize| T::from_f64(body.numbers[0][index]);
                // What has a radius of its own keeps half of it.
                let (radius, half) = (T::from_f64(body.radius), T::from_f64(body.radius * 0.5));
                let is_rounded = body.kind.starts_with("rounded");
                let own = if is_rounded { half } else { radius };
                let inside: $d::Shape<T> = match body.base() {
                    "cuboid" => $d::Cuboid::<T>::new(point(0))?.into(),
                    "hull" => $hull(corners())?.into(),
                    "ellipsoid" => $d::Ellipsoid::<T>::new(point(0))?.into(),
                    "triangle" => $d::Triangle::<T>::new(point(0), point(1), point(2))?.into(),
                    "segment" => $d::Segment::<T>::new(point(0), point(1))?.into(),
                    "capsule" => $d::Capsule::<T>::new(point(0), point(1), own)?.into(),
                    "half_space" => $d::HalfSpace::<T>::new(point(0), own)?.into(),
                    kind @ ("cylinder" | "cone") => $round(kind, length(0), length(1))?,
                    _ => $d::Ball::new(own)?.into(),
                };
                let more =
                    if matches!(body.base(), "ball" | "capsule" | "half_space") { half } else { radius };
                Ok(if is_rounded { $d::Rounded::new(inside, more)?.into() } else { inside })
            }
            pub(crate) fn pose<T: Real>(place: &Place<$dim>) -> $pose<T> {
                $pose::new($vector::narrow(place.translation.into()), $turn(place.rotation.map(T::from_f64)))
            }
            pub(crate) fn place<T: Real>(pose: $pose<T>) -> Place<$dim> {
                let translation = pose.translation.widen().into();
                Place { translation, rotation: $numbers(pose.rotation.widen()) }
            }
        }

        impl Space<$dim> for $space {
            type Vector = $vector<f64>;
            fn transform(place: &Place<$dim>) -> Transform<$dim> {
                let held = Self::place(Self::pose::<f64>(place));
                $transform(held.rotation, held.translation)
            }
            fn rotation(rng: &mut Rng, lattice: bool) -> [f64; 4] {
                if $dim == 2 {
                    let [c, s] = if lattice {
                        rng.pick(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
                    } else {
                        generate::unit_complex(rng)
                    };
                    [c, s, 0.0, 0.0]
                } else if lattice {
                    generate::cube_rotation(rng)
                } else {
                    generate::unit_quaternion(rng)
                }
            }
            fn compose(outer: &Place<$dim>, inner: &Place<$dim>) -> Place<$dim> {
                Self::place(Self::pose::<f64>(outer) * Self::pose::<f64>(inner))
            }
            fn distance(
                a: &Body<$dim>,
                pa: &Place<$dim>,
                b: &Body<$dim>,
                pb: &Place<$dim>,
            ) -> Result<Distance<Self::Vector>, Error> {
                let (a, b) = (Self::shape::<f64>(a)?, Self::shape::<f64>(b)?);
                $d::distance(&a, Self::pose::<f64>(pa), &b, Self::pose::<f64>(pb))
            }
            fn contact(
                a: &Body<$dim>,
                pa: &Place<$dim>,
                b: &Body<$dim>,
                pb: &Place<$dim>,
                margin: f64,
            ) -> Result<Option<Contact<Self::Vector>>, Error> {
                let (a, b) = (Self::shape::<f64>(a)?, Self::shape::<f64>(b)?);
                $d::contact_within(&a, Self::pose::<f64>(pa), &b, Self::pose::<f64>(pb), margin)
            }
            fn intersects(
                a: &Body<$dim>,
                pa: &Place<$dim>,
                b: &Body<$dim>,
                pb: &Place<$dim>,
            ) -> Result<bool, Error> {
                let (a, b) = (Self::shape::<f64>(a)?, Self::shape::<f64>(b)?);
                $d::intersects(&a, Self::pose::<f64>(pa), &b, Self::pose::<f64>(pb))
            }
            fn in_f32(
                a: &Body<$dim>,
                pa: &Place<$dim>,
                b: &Body<$dim>,
                pb: &Place<$dim>,
            ) -> Result<[f64; 4], Error> {
                let (a, b) = (Self::shape::<f32>(a)?, Self::shape::<f32>(b)?);
                let (pa, pb) = (Self::pose::<f32>(pa), Self::pose::<f32>(pb));
                let apart = $d::distance(&a, pa, &b, pb)?;
                let near = $d::contact_within(&a, pa, &b, pb, f32::MAX)?.unwrap();
                Ok([apart.distance, apart.lower, apart.upper, near.depth].map(f64::from))
            }
            fn place_f32(place: &Place<$dim>) -> Place<$dim> {
                Self::place(Self::pose::<f32>(place))
            }
        }
    };
}

fn turn2<T: Real>([c, s, ..]: [T; 4]) -> Rot2<T> {
    Rot2::from_cos_sin(c, s).unwrap()
}
fn numbers2(r: Rot2<f64>) -> [f64; 4] {
    [r.cos(), r.sin(), 0.0, 0.0]
}
fn turn3<T: Real>([x, y, z, w]: [T; 4]) -> Quat<T> {
    Quat::new(x, y, z, w).unwrap()
}

/// A cylinder or a cone.
fn revolved<T: Real>(kind: &str, half_height: T, radius: T) -> Result<d3::Shape<T>, Error> {
    Ok(match kind {
        "cylinder" => d3::Cylinder::new(half_height, radius)?.into(),
        _ => d3::Cone::new(half_height, radius)?.into(),
    })
}
/// The plane has none; a rectangle stands for both.
fn profile<T: Real>(_: &str, half_height: T, radius: T) -> Result<d2::Shape<T>, Error> {
    Ok(d2::Cuboid::<T>::new([radius, half_height])?.into())
}

space!(
    Plane,
    2,
    d2,
    d2::ConvexPolygon::from_hull,
    profile,
    Vec2,
    Pose2,
    |[c, s, ..]: [f64; 4], t| pose2([c, s], t),
    turn2,
    numbers2
);
space!(Room, 3, d3, d3::ConvexHull::new, revolved, Vec3, Pose3, pose3, turn3, |q: Quat<f64>| q.to_array());
