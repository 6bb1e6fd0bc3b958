//! What the fuzz targets share: bytes become shapes, poses and numbers of every kind.
//!
//! A number is a byte that says which sort it is, and what that sort needs: a lattice value, a small
//! fraction, a step beside either, an ordinary `f32`, a power of two, or any bits at all. So a fuzzer finds
//! both the coincidences of small numbers and the ends of the range within a few bytes. When the bytes are
//! used up, zeros follow.

use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{LATTICE, SPECIAL, nudge, power_of_two};

#[path = "../../crates/geometry/tests/properties/agreement.rs"]
#[allow(dead_code)] // each target asks its own question
mod agreement;
mod composite;
mod impact;
#[path = "../../crates/geometry/tests/pairs/spaces.rs"]
#[allow(dead_code)]
mod spaces;
#[path = "../../crates/geometry/tests/pairs/world.rs"]
#[allow(dead_code)]
mod world;

use spaces::{Plane, Room};
use world::{Body, all_kinds};

/// The input of a target, read from the front.
pub struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// All of the input.
    pub fn new(bytes: &'a [u8]) -> Self {
        Bytes(bytes)
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.byte())
    }

    /// 0 .. n, n at most 256.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    /// Any number; see the module.
    pub fn number(&mut self) -> f64 {
        let sort = self.byte();
        let lattice = |byte: u8| LATTICE[usize::from(byte) % LATTICE.len()];
        match sort % 16 {
            0..=4 => lattice(sort / 16),
            5 | 6 => f64::from(self.byte() as i8) / 16.0,
            7 => nudge(lattice(sort / 16), i32::from(self.byte() as i8) / 32),
            8 | 9 => f64::from(i16::from_le_bytes(self.array())) / 4096.0,
            10 => f64::from(i32::from_le_bytes(self.array())) / 1e6,
            11 => lattice(sort / 16) * power_of_two(i32::from(self.byte() as i8) / 2),
            12 => lattice(sort / 16) * power_of_two(i32::from(i16::from_le_bytes(self.array())) % 1022),
            13 => f64::from(f32::from_le_bytes(self.array())),
            14 => f64::from_le_bytes(self.array()),
            _ => SPECIAL[usize::from(self.byte()) % SPECIAL.len()],
        }
    }

    /// A point or direction.
    pub fn point<const D: usize>(&mut self) -> [f64; D] {
        core::array::from_fn(|_| self.number())
    }

    /// Up to `most` points.
    pub fn points<const D: usize>(&mut self, most: usize) -> Vec<[f64; D]> {
        (0..1 + self.below(most)).map(|_| self.point()).collect()
    }

    fn body<const D: usize>(&mut self) -> Body<D> {
        let kinds = all_kinds::<D>();
        let kind = kinds[self.below(kinds.len())];
        // The sign of sizes is rarely worth an error.
        let unsigned = self.below(16) != 0;
        let mut body = Body::new(kind, &[], self.number());
        if unsigned && kind != "half_space" {
            body.radius = body.radius.abs();
        }
        let count = match body.base() {
            "hull" => 1 + self.below(12),
            "triangle" => 3,
            "segment" | "capsule" => 2,
            _ => 1,
        };
        let sizes = matches!(body.base(), "cuboid" | "ellipsoid" | "cylinder" | "cone");
        body.numbers = (0..count)
            .map(|_| self.point())
            .map(|p: [f64; D]| if sizes && unsigned { p.map(f64::abs) } else { p })
            .collect();
        body
    }

    /// The cosine and sine of a turn, or a quaternion: lattice numbers, then nearly so, then any.
    fn turn<const N: usize>(&mut self) -> [f64; N] {
        let mut turn = [0.0; N];
        match self.below(4) {
            0 => turn[N - 1] = 1.0,
            1 => turn = core::array::from_fn(|_| LATTICE[self.below(5)]),
            2 => {
                turn[N - 1] = 1.0;
                turn[self.below(N)] += power_of_two(-(self.below(60) as i32));
            }
            _ => turn = self.point(),
        }
        turn
    }
}

macro_rules! dimension {
    ($name:ident, $d:ident, $dim:literal, $space:ident, $vector:ident, $pose:ident, $turns:literal, $rotation:expr) => {
        /// Questions of this dimension, from bytes.
        pub mod $name {
            use super::*;
            pub use crate::agreement::$name::Pair;
            pub use crate::composite::$name::composite;
            pub use crate::impact::$name::impact;
            use carom_geometry::{CastOptions, RayOptions};

            /// A shape; `None` when the numbers make none, which must be for a reason with a name.
            pub fn shape<T: Real>(bytes: &mut Bytes<'_>) -> Option<$d::Shape<T>> {
                let body = bytes.body::<$dim>();
                match $space::shape::<T>(&body) {
                    Ok(shape) => Some(shape),
                    Err(
                        Error::NotFinite { .. }
                        | Error::Negative { .. }
                        | Error::ZeroDirection { .. }
                        | Error::Overflow { .. },
                    ) => None,
                    Err(error) => panic!("{error} {body:?}"),
                }
            }

            pub fn vector<T: Real>(bytes: &mut Bytes<'_>) -> $vector<T> {
                $vector::narrow(bytes.point::<$dim>().into())
            }

            /// A pose, whose numbers may be anything.
            pub fn pose<T: Real>(bytes: &mut Bytes<'_>) -> Option<$pose<T>> {
                let turn = bytes.turn::<$turns>().map(T::from_f64);
                Some($pose::new(vector(bytes), $rotation(turn)?))
            }

            pub fn pair<T: Real>(bytes: &mut Bytes<'_>) -> Option<Pair<T>> {
                let (a, b) = (shape(bytes)?, shape(bytes)?);
                Some(Pair { a, pa: pose(bytes)?, b, pb: pose(bytes)? })
            }

            fn is_refusal(error: &Error) -> bool {
                matches!(
                    error,
                    Error::NotFinite { .. }
                        | Error::Negative { .. }
                        | Error::ZeroDirection { .. }
                        | Error::Overflow { .. }
                        | Error::UnsupportedPair { .. }
                        | Error::UnsupportedShape { .. }
                )
            }

            fn is_unit<T: Real>(v: $vector<T>) -> bool {
                let squared = Vector::dot(v.widen(), v.widen());
                (squared - 1.0).abs() <= 32.0 * T::EPSILON.to_f64()
            }

            pub fn closest_point<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let (shape, pose, point) = (shape::<T>(bytes)?, pose(bytes)?, vector(bytes));
                match $d::closest_point(&shape, pose, point) {
                    Ok(found) => {
                        assert!(found.point.finite() && found.distance.finite(), "{found:?}");
                        assert!(found.inside || T::ZERO < found.distance, "{found:?}");
                        assert!(!found.inside || found.distance <= T::ZERO, "{found:?}");
                        // A point is a ball of radius zero.
                        let ball = $d::Ball::new(T::ZERO).ok()?;
                        if let Ok(touches) = $d::intersects(&shape, pose, &ball, point)
                            && touches != found.inside
                        {
                            // Within rounding either may be right.
                            let apart = $d::gap(&shape, pose, &ball, point).expect("a decision");
                            assert!(apart.lower == T::ZERO, "{shape:?} {pose:?} {point:?} {found:?}");
                        }
                    }
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
                Some(())
            }

            pub fn ray<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let (shape, pose) = (shape::<T>(bytes)?, pose(bytes)?);
                let ray = $d::Ray::new(vector::<T>(bytes), vector::<T>(bytes)).ok()?;
                let max = if bytes.below(2) == 0 { T::INFINITY } else { T::from_f64(bytes.number()) };
                let options = RayOptions { max, solid: bytes.below(2) == 0 };
                match $d::cast_ray(&shape, pose, &ray, options) {
                    Ok(Some(hit)) => {
                        assert!(T::ZERO <= hit.t && hit.t <= max, "{hit:?}");
                        assert!(hit.t.finite() && hit.point.finite() && is_unit(hit.normal), "{hit:?}");
                    }
                    Ok(None) => {}
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
                Some(())
            }

            pub fn cast<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let pair = pair::<T>(bytes)?;
                let (u, v) = (vector::<T>(bytes), vector::<T>(bytes));
                let max = if bytes.below(2) == 0 { T::ONE } else { T::from_f64(bytes.number()) };
                let options = CastOptions { max };
                match $d::cast_shape(&pair.a, pair.pa, u, &pair.b, pair.pb, v, options) {
                    Ok(found) => {
                        if let Some(hit) = found {
                            assert!(T::ZERO <= hit.t && hit.t <= max, "{hit:?}");
                            assert!(hit.t.finite() && hit.point.finite() && is_unit(hit.normal), "{hit:?}");
                        }
                        // What touches at the start is hit at once.
                        let at_once = found.is_some_and(|hit| hit.t == T::ZERO);
                        if let Ok(touches) = pair.intersects()
                            && touches != at_once
                        {
                            // Within rounding either may be right; and a time can be too short for its type. The nearest points
                            // may be out of range where what lies between them is not.
                            let apart = $d::gap(&pair.a, pair.pa, &pair.b, pair.pb).expect("a decision");
                            let speed = Vector::max_abs(u).to_f64() + Vector::max_abs(v).to_f64();
                            let is_short = apart.upper.to_f64() <= speed * 1e-30;
                            let is_known = apart.lower == T::ZERO || is_short;
                            assert!(is_known, "{pair:?} {u:?} {v:?} {found:?}");
                        }
                    }
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
                Some(())
            }

            pub fn mass<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let (shape, density) = (shape::<T>(bytes)?, T::from_f64(bytes.number()));
                match $d::mass_properties(&shape, density) {
                    Ok(found) => {
                        assert!(T::ZERO <= found.mass && found.mass.finite() && found.center.finite());
                    }
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
                Some(())
            }

            pub fn aabb<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let (shape, pose, point) = (shape::<T>(bytes)?, pose(bytes)?, vector(bytes));
                match $d::aabb(&shape, pose) {
                    Ok(fit) => {
                        for axis in 0..$dim {
                            assert!(fit.min.get(axis) <= fit.max.get(axis), "{fit:?}");
                        }
                        // The point of the shape nearest to any other is in the box around it.
                        if let Ok(found) = $d::closest_point(&shape, pose, point) {
                            let reach = Vector::max_abs(fit.min).max_of(Vector::max_abs(fit.max));
                            let slack = (reach.to_f64() + Vector::max_abs(pose.translation).to_f64())
                                * T::EPSILON.to_f64()
                                * 64.0
                                + found.distance.to_f64().abs() * T::EPSILON.to_f64() * 64.0;
                            for axis in 0..$dim {
                                let x = found.point.get(axis).to_f64();
                                let (low, high) = (fit.min.get(axis).to_f64(), fit.max.get(axis).to_f64());
                                let inside = low - slack <= x && x <= high + slack;
                                assert!(inside, "{shape:?} {pose:?} {point:?} {found:?} {fit:?}");
                            }
                        }
                    }
                    Err(error) => assert!(is_refusal(&error), "{error}"),
                }
                Some(())
            }
        }
    };
}

dimension!(plane, d2, 2, Plane, Vec2, Pose2, 2, turn2);
dimension!(room, d3, 3, Room, Vec3, Pose3, 4, turn3);

/// Runs a question in both dimensions and both precisions, as the first byte says.
#[macro_export]
macro_rules! in_every_space {
    ($input:expr, $question:ident) => {{
        let mut bytes = $crate::Bytes::new($input);
        let _ = match bytes.below(4) {
            0 => $crate::plane::$question::<f32>(&mut bytes),
            1 => $crate::plane::$question::<f64>(&mut bytes),
            2 => $crate::room::$question::<f32>(&mut bytes),
            _ => $crate::room::$question::<f64>(&mut bytes),
        };
    }};
}

/// The same for a question about a pair.
#[macro_export]
macro_rules! pair_in_every_space {
    ($input:expr, $check:ident) => {{
        let mut bytes = $crate::Bytes::new($input);
        match bytes.below(4) {
            0 => drop($crate::plane::pair::<f32>(&mut bytes).map(|pair| pair.$check())),
            1 => drop($crate::plane::pair::<f64>(&mut bytes).map(|pair| pair.$check())),
            2 => drop($crate::room::pair::<f32>(&mut bytes).map(|pair| pair.$check())),
            _ => drop($crate::room::pair::<f64>(&mut bytes).map(|pair| pair.$check())),
        }
    }};
}

fn turn2<T: Real>([s, c]: [T; 2]) -> Option<Rot2<T>> {
    Rot2::from_cos_sin(c, s)
}

fn turn3<T: Real>([x, y, z, w]: [T; 4]) -> Option<Quat<T>> {
    Quat::new(x, y, z, w)
}
