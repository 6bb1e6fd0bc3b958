//! Pairs with a triangle and another triangle or a box; of meshes, their triangles and a box or a hull.
//!
//! For answers in `f32` the nearest points are searched and proved ([`quick`](crate::gjk::quick)); what overlaps, and what is not
//! proved, goes to the kernel for [`Core`]s, as all answers in `f64` do.

use super::{Place, Question, framed, normal_of, posed, poses_in_order};
use crate::Error;
use crate::answer::Separation;
use crate::convex::solids::relate_solids;
use crate::d3::shape::{Cuboid, Shape, ShapeRef, Triangle};
use crate::gjk::quick::{Cornered, Nearness, nearest};
use crate::gjk::{Block, Corners, Support};
use crate::pair::core::{self, Core};
use crate::pair::meet::Meets;
use crate::pair::order;
use crate::sat::{Own, PairCache, Sheet, Solid};
use carom_math::{Mat3, Pose3, Real, Vec3, Vector};

type Found = Separation<Vec3<f64>>;

/// The answer for such a pair; `None` for other kinds. The poses are finite.
#[inline]
pub(super) fn ask_triangles<T: Real, Q: Question<T>>(
    question: &Q,
    (a, pose_a): (ShapeRef<'_, T>, &Pose3<T>),
    (b, pose_b): (ShapeRef<'_, T>, &Pose3<T>),
) -> Option<Result<Q::Answer, Error>> {
    let (wide_a, wide_b) = (|| pose_a.widen(), || pose_b.widen());
    match (a, b) {
        (ShapeRef::Triangle(a), ShapeRef::Triangle(b)) => {
            let in_order = order::before(a.corners(), b.corners());
            let swapped = in_order.or_else(|| poses_in_order(wide_a(), wide_b())) == Some(false);
            let (wide_a, wide_b) = (wide_a(), wide_b());
            let (first, second) = order::swapped_if(swapped, (a, &wide_a), (b, &wide_b));
            Some(framed(question, first, second, swapped))
        }
        (ShapeRef::Cuboid(a), ShapeRef::Triangle(b)) => {
            Some(framed(question, (a, &wide_a()), (b, &wide_b()), false))
        }
        (ShapeRef::Triangle(a), ShapeRef::Cuboid(b)) => {
            Some(framed(question, (b, &wide_b()), (a, &wide_a()), true))
        }
        _ => None,
    }
}

/// How a triangle relates to another shape that is placed in its frame, for answers in `f32`, if that is a box or a hull;
/// `Some(None)` when they are farther apart than the second bound, the first being the error.
pub(crate) fn relate_triangle(
    triangle: &Triangle<f64>,
    other: &Shape<f64>,
    place: &Place,
    bounds: (f64, f64),
) -> Option<Option<Found>> {
    let found = match other {
        Shape::Cuboid(cuboid) => {
            let corners = placed(triangle, &place.inverse());
            narrow_unless(
                &cuboid.few(),
                corners,
                bounds,
                |corner| cuboid.holds(corner),
                || by_cores(cuboid, corners, bounds.0, bounds.1),
            )
        }
        Shape::Hull(hull) => {
            let (view, back) = (hull.view(), place.inverse());
            let (center, radius) = (view.center(), view.inner_radius());
            let is_inside = |corner: Vec3<f64>| (corner - center).length_squared() < radius * radius;
            narrow_unless(&Own(&view), placed(triangle, &back), bounds, is_inside, || {
                let sheet = posed(Sheet::new(Corners(triangle.corners())), &back);
                relate_solids(&view, &sheet, [0.0; 2], bounds, None, &mut ())
            })
        }
        _ => return None,
    };
    Some(found.map(|found| place.exchanged(found)))
}

/// [`narrow_or`], and nothing is searched for where a corner is seen to be inside: of what lies in a mesh of small triangles
/// most are.
#[inline(always)]
fn narrow_unless(
    a: &impl Cornered,
    corners: [Vec3<f64>; 3],
    bounds: (f64, f64),
    is_inside: impl Fn(Vec3<f64>) -> bool,
    otherwise: impl FnOnce() -> Option<Found>,
) -> Option<Found> {
    if corners.into_iter().any(is_inside) { otherwise() } else { narrow_or(a, corners, bounds, otherwise) }
}

/// A polytope that is a core too.
trait Flat {
    /// Whether the search pays where nothing but an overlap is of interest: the core of a box has axes that tell it apart
    /// sooner, and of what overlaps the search knows nothing that they need.
    const SEARCHES_OVERLAPS: bool;
    fn few(&self) -> impl Cornered;
    fn core(&self) -> Core<Vec3<f64>>;
    /// Whether a point is seen to be inside.
    fn holds(&self, point: Vec3<f64>) -> bool;
}

impl Flat for Triangle<f64> {
    const SEARCHES_OVERLAPS: bool = true;
    #[inline(always)]
    fn few(&self) -> impl Cornered {
        self.corners()
    }
    fn core(&self) -> Core<Vec3<f64>> {
        Core::triangle(self.corners(), normal_of(self.corners()))
    }
    #[inline(always)]
    fn holds(&self, _point: Vec3<f64>) -> bool {
        false
    }
}

impl Flat for Cuboid<f64> {
    const SEARCHES_OVERLAPS: bool = false;
    #[inline(always)]
    fn few(&self) -> impl Cornered {
        Block(self.half_extents())
    }
    fn core(&self) -> Core<Vec3<f64>> {
        Core::cuboid(self.half_extents(), &Place::IDENTITY)
    }
    #[inline(always)]
    fn holds(&self, point: Vec3<f64>) -> bool {
        let Vec3 { x, y, z } = self.half_extents() - point.abs_by_axis();
        (0.0 <= x) & (0.0 <= y) & (0.0 <= z)
    }
}

#[inline(always)]
fn placed(triangle: &Triangle<f64>, place: &Place) -> [Vec3<f64>; 3] {
    triangle.corners().map(|corner| place.point(corner))
}

#[inline(never)]
fn by_cores(a: &impl Flat, corners: [Vec3<f64>; 3], error: f64, limit: f64) -> Option<Found> {
    core::relate_within(&a.core(), &Core::triangle(corners, normal_of(corners)), [0.0; 2], error, limit)
}

#[inline(always)]
fn narrow<A: Flat>(a: &A, corners: [Vec3<f64>; 3], bounds: (f64, f64)) -> Option<Found> {
    let by_axes = || by_cores(a, corners, bounds.0, bounds.1);
    if !A::SEARCHES_OVERLAPS && bounds.1 == 0.0 {
        return by_axes();
    }
    narrow_unless(&a.few(), corners, bounds, |corner| a.holds(corner), by_axes)
}

/// How a polytope and a triangle relate, in its frame; `otherwise` for what the search does not prove.
#[inline(always)]
fn narrow_or(
    a: &impl Cornered,
    corners: [Vec3<f64>; 3],
    (error, limit): (f64, f64),
    otherwise: impl FnOnce() -> Option<Found>,
) -> Option<Found> {
    match nearest(a, &corners, error, limit) {
        Nearness::Beyond(..) => return None,
        Nearness::Near(between) => {
            if let Some(found) = between.narrow([0.0; 2], error) {
                return Some(found);
            }
        }
        Nearness::Overlap | Nearness::Unknown => {}
    }
    otherwise()
}

#[inline(always)]
fn touch(a: &impl Flat, corners: [Vec3<f64>; 3], error: f64) -> bool {
    match nearest(&a.few(), &corners, error, 0.0) {
        Nearness::Beyond(..) => false,
        Nearness::Overlap => true,
        Nearness::Near(_) | Nearness::Unknown => touch_in_doubt(a, corners, error),
    }
}

#[inline(never)]
fn touch_in_doubt(a: &impl Flat, corners: [Vec3<f64>; 3], error: f64) -> bool {
    core::touch(&a.core(), &Core::triangle(corners, normal_of(corners)), [0.0; 2], error)
}

/// The separation and its error; of what surely overlaps any negative number.
#[inline(always)]
fn narrow_gap(a: &impl Flat, corners: [Vec3<f64>; 3], error: f64) -> (f64, f64) {
    match nearest(&a.few(), &corners, error, f64::INFINITY) {
        Nearness::Overlap => return (-error, error),
        Nearness::Near(between) => {
            if let Some(found) = between.narrow([0.0; 2], error) {
                return found.without_points();
            }
        }
        Nearness::Beyond(..) | Nearness::Unknown => {}
    }
    by_cores(a, corners, error, f64::INFINITY).unwrap_or(Separation::APART).without_points()
}

macro_rules! meets_triangle {
    ($($kind:ident),*) => {$(
        impl Meets<Triangle<f64>, Vec3<f64>, Mat3<f64>> for $kind<f64> {
            #[inline(always)]
            fn relate(&self, other: &Triangle<f64>, place: &Place, error: f64) -> Found {
                let found = by_cores(self, placed(other, place), error, f64::INFINITY);
                found.unwrap_or(Separation::APART)
            }
            #[inline(always)]
            fn relate_within(
                &self,
                other: &Triangle<f64>,
                place: &Place,
                (error, limit): (f64, f64),
                _cache: Option<&mut PairCache<Vec3<f64>>>,
            ) -> Option<Found> {
                by_cores(self, placed(other, place), error, limit)
            }
            const HAS_NARROW: bool = true;
            #[inline(always)]
            fn relate_narrow(
                &self,
                other: &Triangle<f64>,
                place: &Place,
                bounds: (f64, f64),
            ) -> Option<Found> {
                narrow(self, placed(other, place), bounds)
            }
            #[inline(always)]
            fn narrow_gap(&self, other: &Triangle<f64>, place: &Place, error: f64) -> (f64, f64) {
                narrow_gap(self, placed(other, place), error)
            }
            #[inline(always)]
            fn touch(&self, other: &Triangle<f64>, place: &Place, error: f64) -> bool {
                touch(self, placed(other, place), error)
            }
        }
    )*};
}

meets_triangle!(Triangle, Cuboid);
