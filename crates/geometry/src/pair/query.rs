//! The public questions about a pair, generated for both dimensions.
//!
//! The frame work: validate, widen, sort into the canonical order, see the second shape from the
//! first, rescale, ask the kernel, and bring its answer back to the caller's order, scale, frame and
//! number type. Nothing here allocates; for concrete shapes the dispatch on the kinds folds away.

use super::Relation;
use super::nearest::{self, Nearest};
use super::place::{Relative, Turn};
use crate::answer::Separation;
use crate::bound::Placement;
use crate::{Error, scale};
use carom_math::{Real, Vector};

/// Two balls, given the vector between their centres, in any frame with the first centre as the origin.
/// Symmetric by nature, but for the direction of concentric balls: from the larger one along +x, and of equal
/// ones from the first in the canonical order, which `is_first` tells.
#[inline(always)]
pub(crate) fn ball_ball<V: Vector<Scalar = f64>>(
    between: V,
    [radius_a, radius_b]: [f64; 2],
    is_first: impl FnOnce() -> bool,
) -> Separation<V> {
    let squared = between.dot(between);
    let (distance, normal) = if squared < nearest::LEAST_SQUARE {
        let leads = radius_b < radius_a || (radius_a == radius_b && is_first());
        between_close_centers(between, leads)
    } else {
        let distance = squared.sqrt();
        (distance, between / distance)
    };
    Separation {
        separation: distance - (radius_a + radius_b),
        error: super::ROUNDING * (between.max_abs() + (radius_a + radius_b)),
        normal,
        point_a: normal * radius_a,
        point_b: between - normal * radius_b,
    }
}

/// The length and the direction of a vector whose square has lost digits; ±x for the zero vector.
#[cold]
#[inline(never)]
fn between_close_centers<V: Vector<Scalar = f64>>(between: V, leads: bool) -> (f64, V) {
    let distance = Vector::length(between);
    let along = if leads { V::unit(0) } else { -V::unit(0) };
    // A subnormal length is rounded by too much to be divided by.
    (distance, between.normalized().unwrap_or(along))
}

/// A shape and a ball, from the shape's point nearest to the centre of the ball.
#[inline(always)]
pub(crate) fn with_ball<V: Vector<Scalar = f64>>(
    nearest: Nearest<V>,
    center: V,
    radius: f64,
    error: f64,
) -> Separation<V> {
    Separation {
        separation: nearest.distance - radius,
        error,
        normal: nearest.normal,
        point_a: nearest.point,
        point_b: center - nearest.normal * radius,
    }
}

/// The half-space normal·p <= offset and the hull of `corners` with a radius: its lowest corner
/// decides, the first of equally low ones.
pub(crate) fn half_space_and_corners<V: Vector<Scalar = f64>>(
    normal: V,
    offset: f64,
    corners: impl IntoIterator<Item = V>,
    radius: f64,
    error: f64,
) -> Relation<V> {
    let mut lowest = (f64::INFINITY, V::ZERO);
    for corner in corners {
        let height = normal.dot(corner);
        if height < lowest.0 {
            lowest = (height, corner);
        }
    }
    let (height, corner) = lowest;
    let separation = (height - offset) - radius;
    let point_b = corner - normal * radius;
    Relation::Separated(Separation {
        separation,
        error,
        normal,
        point_a: point_b - normal * separation,
        point_b,
    })
}

/// Two half-spaces: a slab between opposite ones, otherwise an endless overlap.
pub(crate) fn half_spaces<V: Vector<Scalar = f64>, M: Turn<V>>(
    (normal, offset): (V, f64),
    (other_normal, other_offset): (V, f64),
    place: &Relative<V, M>,
    error: f64,
) -> Relation<V> {
    let opposite = place.rotation.apply(other_normal);
    if normal + opposite != V::ZERO {
        return Relation::Endless;
    }
    // b is normal·p >= low with low = normal·t − its offset.
    let low = normal.dot(place.translation) - other_offset;
    let separation = low - offset;
    let point_a = normal * offset;
    Relation::Separated(Separation {
        separation,
        error,
        normal,
        point_a,
        point_b: point_a + normal * separation,
    })
}

/// Whether no number of two poses is infinite or NaN; in doubt not, since sums may overflow.
#[inline(always)]
pub(crate) fn seem_finite<P: Placement>(a: P, b: P) -> bool {
    are_finite_sums(a.four_sums(), b.four_sums())
}

/// The same of their rotations.
#[inline(always)]
pub(crate) fn turns_seem_finite<P: Placement>(a: P, b: P) -> bool {
    are_finite_sums(a.rotation_numbers(), b.rotation_numbers())
}

/// Four sums side by side fill a register: what is not finite stays so in a sum, and times zero it is no zero.
#[inline(always)]
fn are_finite_sums<T: Real>(a: [T; 4], b: [T; 4]) -> bool {
    let [x, y, z, w] = std::array::from_fn(|k| (a[k] + b[k]) * T::ZERO);
    (x == T::ZERO) & (y == T::ZERO) & (z == T::ZERO) & (w == T::ZERO)
}

/// What the rounding of rotations and normals to `f32` may have moved a pair of this size: unit vectors in
/// `f32` point ε/2 beside what was asked for, which is far more than the kernels err. A quaternion: four
/// components, twice the angle, √3 for the largest coordinate; a normal half as much again. Zero for `f64`,
/// whose kernels count it.
#[inline(always)]
pub(crate) fn rounded_input<T: Real>(size: f64) -> f64 {
    if is_narrow::<T>() { 4.0 * T::EPSILON.to_f64() * size } else { 0.0 }
}

/// Whether answers in this number type have fewer digits than the kernels.
#[inline(always)]
pub(crate) fn is_narrow<T: Real>() -> bool {
    T::EPSILON.to_f64() != f64::EPSILON
}

/// The power of two by which all lengths of a problem are multiplied: 1 for all of `f32`. `size` is the
/// largest of them, or a small multiple; if that overflows, `largest` is asked.
#[inline(always)]
pub(crate) fn rescaling_of<T: Real>(size: f64, largest: impl FnOnce() -> f64) -> Result<f64, Error> {
    if T::MAX.to_f64() < f64::MAX {
        return Ok(1.0);
    }
    let size = if size <= f64::MAX { size } else { largest() };
    if size <= f64::MAX {
        Ok(scale::rescaling(size).unwrap_or(1.0))
    } else {
        Err(Error::Overflow { what: "the vector between the shapes", number: "f64" })
    }
}

/// Whether [`rescaling_of`] says 1 for lengths that add up to this; all of `f32` is, and NaN is not.
#[inline(always)]
pub(crate) fn is_at_scale<T: Real>(sum: f64) -> bool {
    T::MAX.to_f64() < f64::MAX || scale::is_plain(sum)
}

/// The functions `intersects`, `distance`, `distance_within`, `gap`, `contact`, `contact_within` and `sat` of a dimension.
///
/// The dimension supplies what [`super::dispatch`] generates (`rank`, `relate`, `touch`) and what
/// [`super::direct`] does (`ask`).
macro_rules! pair_queries {
    (
        $vector:ident, $pose:ident,
        $(intersects: $intersects_example:literal, distance: $distance_example:literal,
        distance_within: $distance_within_example:literal, gap: $gap_example:literal,
        contact: $contact_example:literal, contact_within: $within_example:literal, sat: $sat_example:literal)?
    ) => {
        /// Whether two shapes have a common point. Touching counts.
        ///
        /// Agrees with [`distance`] being 0 and with [`contact`] being something. Two half-spaces
        /// intersect unless they face each other across a gap.
        ///
        /// # Errors
        /// When a pose is not finite, the shapes are too far apart for the number type, or the kinds
        /// are not supported together.
        ///
        /// # Example
        /// ```
        $(#[doc = $intersects_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn intersects<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<bool, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            ask(Touching, a.as_shape(), pose_a, b.as_shape(), pose_b)
        }

        fn intersects_in_general<T: Real>(
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<bool, Error> {
            let kinds = (a.kind(), b.kind());
            let (a, b) = (a.widen(), b.widen());
            let (pose_a, pose_b) = (pose_a.widen(), pose_b.widen());
            if let Some(answer) = intersects_by_parts(&a, pose_a, &b, pose_b) {
                return answer;
            }
            if is_common(&a) && is_common(&b) {
                return ask(Touching, a.as_shape(), pose_a, b.as_shape(), pose_b);
            }
            let pair = Pair::new(&a, pose_a, &b, pose_b)?;
            let [first, second] = pair.shapes(&a, &b);
            if let Some(known) = touch(&first, &second, &pair.place, pair.error) {
                return Ok(known);
            }
            match relate(&first, &second, &pair.place, pair.error) {
                Relation::Separated(found) => Ok(found.separation <= 0.0),
                Relation::Endless => Ok(true),
                Relation::Unsupported => Err(unsupported("intersects", kinds)),
            }
        }

        /// How far apart two shapes are, with bounds that hold, and where.
        ///
        /// Answers in the world frame. When the shapes touch or overlap, the distance is 0, and points
        /// and normal are those of [`contact`]. Where several pairs of points are equally close, one of
        /// them is chosen deterministically; exchanging the shapes exchanges the points to the bit.
        ///
        /// # Errors
        /// When a pose is not finite, or the answer is too large for the number type. Half-spaces that overlap without end have a distance of 0 at
        /// some common point, and no contact.
        ///
        /// # Example
        /// ```
        $(#[doc = $distance_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline(always)] // as `contact_within`
        pub fn distance<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Distance<$vector<T>>, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            ask((AsDistance,), a.as_shape(), pose_a, b.as_shape(), pose_b)
        }

        /// [`distance`] of shapes that are at most `limit` apart; `None` when they are farther apart. What is far away
        /// costs little, above all beside shapes of many parts.
        ///
        /// # Errors
        /// As for [`distance`], and when the limit is negative or not finite.
        ///
        /// # Example
        /// ```
        $(#[doc = $distance_within_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn distance_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            limit: T,
        ) -> Result<Option<Distance<$vector<T>>>, Error> {
            let limit = not_negative("limit", limit)?.to_f64();
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            ask((AsDistanceWithin { limit },), a.as_shape(), pose_a, b.as_shape(), pose_b)
        }

        /// How far apart two shapes are, with bounds that hold: [`distance`] without the points and the normal.
        ///
        /// The distance is the same, to the bit. Quicker above all for shapes that overlap, for which the way
        /// out is not looked for.
        ///
        /// # Errors
        /// As for [`distance`], but not for points that are out of range.
        ///
        /// # Example
        /// ```
        $(#[doc = $gap_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn gap<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Gap<T>, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            ask(HowFar, a.as_shape(), pose_a, b.as_shape(), pose_b)
        }

        /// The gap of curved shapes and of shapes with parts, without a look for the way out of those that overlap; `None` for other kinds. The
        /// bounds are those of [`distance`], to the bit.
        fn gap_in_general<T: Real>(
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Option<Result<Gap<T>, Error>> {
            let (a, b) = (a.widen(), b.widen());
            let (pose_a, pose_b) = (pose_a.widen(), pose_b.widen());
            let input = || rounded_input::<T>(size_of_pair((&a, pose_a), (&b, pose_b)));
            if let Some(found) = gap_by_parts(&a, pose_a, &b, pose_b, is_narrow::<T>()) {
                return match found {
                    Ok(Some(answer)) => {
                        let (input, apart) = (input(), answer.separation);
                        let found = Found { answer, apart, input, is_in_range: false };
                        Some(Reading::<T>::read(&AsGap, &found))
                    }
                    // An overlap without end.
                    Ok(None) => None,
                    Err(error) => Some(Err(error)),
                };
            }
            if !is_curved_pair(&a, &b) {
                return None;
            }
            let pair = match Pair::new(&a, pose_a, &b, pose_b) {
                Ok(pair) => pair,
                Err(error) => return Some(Err(error)),
            };
            let [first, second] = pair.shapes(&a, &b);
            let (separation, error) = gap_of_curved(&first, &second, &pair.place, pair.error)?;
            let error = crate::scale::error_back(error, pair.factor) + input();
            Some(Gap::of_signed(crate::scale::length_back(separation, pair.factor), error))
        }

        /// How deep two shapes overlap, where, and in which direction they separate; `None` when they
        /// do not touch. See [`contact_within`] for shapes that are close but do not touch.
        ///
        /// The depth is the least over all directions: moving the second shape by normal·depth
        /// separates them, and no shorter way does. Shapes that merely touch have depth 0.
        ///
        /// Of shapes with many parts it is the deepest contact of two of them that counts, with a normal that the
        /// surface has there; moving by it separates those two. Something inside of a solid that touches none of
        /// its parts leaves it through the nearest of them.
        ///
        /// # Errors
        /// As for [`distance`].
        ///
        /// # Example
        /// ```
        $(#[doc = $contact_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline(always)] // as below
        pub fn contact<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Option<Contact<$vector<T>>>, Error> {
            contact_within(a, pose_a, b, pose_b, T::ZERO)
        }

        /// Like [`contact`], also for shapes that are at most `margin` apart: their depth is negative,
        /// the gap with its sign changed.
        ///
        /// # Errors
        /// As for [`distance`], and when the margin is negative or not finite.
        ///
        /// # Example
        /// ```
        $(#[doc = $within_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline(always)] // an answer that comes back through memory costs more than that of two balls
        pub fn contact_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
        ) -> Result<Option<Contact<$vector<T>>>, Error> {
            let margin = not_negative("margin", margin)?.to_f64();
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            ask((AsContact { margin },), a.as_shape(), pose_a, b.as_shape(), pose_b)
        }

        /// The separating-axis test of boxes and convex polytopes: the axis along which they are farthest
        /// apart or, if they overlap, along which they separate with the least movement.
        ///
        /// A gap is a lower bound of the distance (the nearest features may be corners, which no axis
        /// of the test sees); a depth is exact. The axis points from a to b, in the world frame. Among
        /// equal ones those of the shape with the most corners come first, of boxes those of the smaller one
        /// (lexicographic by half extents, then by pose), then those of the other shape, then those of pairs
        /// of edges.
        ///
        /// # Errors
        /// When a pose is not finite, the shapes are too far apart for the number type, or one is neither a
        /// box nor a polytope.
        ///
        /// # Example
        /// ```
        $(#[doc = $sat_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn sat<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<SatResult<$vector<T>>, Error> {
            let kinds = (a.as_shape().kind(), b.as_shape().kind());
            let (a, b) = (a.as_shape().widen(), b.as_shape().widen());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            if let Some(error) = not_finite(&pose_a, &pose_b, false) {
                return Err(error);
            }
            let pair = Pair::new(&a, pose_a.widen(), &b, pose_b.widen())?;
            let [first, second] = pair.shapes(&a, &b);
            let (separation, normal) = match (&*first, &*second) {
                (Shape::Cuboid(first), Shape::Cuboid(second)) => {
                    let (a, b) = (first.half_extents(), second.half_extents());
                    let axis = best_box_axis(a, b, &pair.place, f64::INFINITY);
                    (axis.separation, axis.normal)
                }
                _ => best_axis_of_solids(&first, &second, &pair.place, pair.error)
                    .ok_or_else(|| unsupported("sat", kinds))?,
            };
            let normal = pair.turn.apply(normal);
            SatResult::new(crate::scale::length_back(separation, pair.factor), if pair.swapped { -normal } else { normal })
        }

        /// The separation of two shapes; in the world frame, or, with the identity for `pose_a`, in the frame
        /// of the first.
        pub(crate) fn separation(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
        ) -> Result<Relation<$vector<f64>>, Error> {
            Ok(separation_within(a, pose_a, b, pose_b, f64::INFINITY, false)?.unwrap_or(Relation::Unsupported))
        }

        /// The same, or `None` where it is cheaper to see that they are farther apart than `limit`. `is_narrow` for answers
        /// in `f32`.
        fn separation_within(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
            limit: f64,
            is_narrow: bool,
        ) -> Result<Option<Relation<$vector<f64>>>, Error> {
            if is_common(a) && is_common(b) {
                let found = ask((Plainly,), a.as_shape(), pose_a, b.as_shape(), pose_b)?;
                return Ok(Some(Relation::Separated(found)));
            }
            separation_in_general(a, pose_a, b, pose_b, limit, is_narrow)
        }

        /// Whether the pairs of this kind with each other go the short way. A rounded segment, say, is a
        /// capsule once it is widened, and is to be answered like one.
        pub(crate) fn is_common(shape: &Shape<f64>) -> bool {
            matches!(shape, Shape::Ball(_) | Shape::Cuboid(_) | Shape::Capsule(_))
        }

        #[inline(never)]
        fn separation_in_general(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
            limit: f64,
            is_narrow: bool,
        ) -> Result<Option<Relation<$vector<f64>>>, Error> {
            if let Some(found) = separation_by_parts(a, pose_a, b, pose_b, limit, is_narrow) {
                return Ok(match found? {
                    Some((found, _)) => Some(Relation::Separated(found)),
                    None => (limit == f64::INFINITY).then_some(Relation::Endless),
                });
            }
            let pair = Pair::new(a, pose_a, b, pose_b)?;
            let [first, second] = pair.shapes(a, b);
            let found = relate_within(&first, &second, &pair.place, pair.error, limit * pair.factor);
            Ok(found.map(|found| match found {
                Relation::Separated(found) => Relation::Separated(pair.to_world(found)),
                other => other,
            }))
        }

        /// The answer of [`distance`] for half-spaces that overlap without end: a common point p, twice, and
        /// the normal of the first in the canonical order. With unit normals m and k, the point c of the
        /// first plane nearest to its origin, and d = −(m + k), p = c + s·d is in the first half-space for
        /// all s >= 0, and in the second, k·p <= offset, from s = (k·c − offset)/(1 + m·k) on.
        fn common_point(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
        ) -> Separation<$vector<f64>> {
            let swapped = comes_after(a, pose_a, b, pose_b);
            let plane = |shape: &Shape<f64>, pose: $pose<f64>| match shape {
                Shape::HalfSpace(plane) => {
                    let normal = pose.rotation.to_matrix().apply(plane.normal());
                    (normal, normal * plane.offset() + pose.translation)
                }
                _ => ($vector::unit(0), pose.translation),
            };
            let (first, second) = (plane(a, pose_a), plane(b, pose_b));
            let ((m, c), (k, other)) = if swapped { (second, first) } else { (first, second) };
            let beyond = k.dot(c - other) / (1.0 + m.dot(k));
            let point = if 0.0 < beyond { c - (m + k) * beyond } else { c };
            let normal = if swapped { -m } else { m };
            Separation { separation: 0.0, error: 0.0, normal, point_a: point, point_b: point }
        }

        pub(crate) fn unsupported(operation: &'static str, (first, second): (&'static str, &'static str)) -> Error {
            Error::UnsupportedPair { operation, first, second }
        }

        /// The pose in `f64`, or an error that names it.
        #[inline]
        pub(crate) fn finite_pose<T: Real>(what: &'static str, pose: $pose<T>) -> Result<$pose<f64>, Error> {
            Ok(crate::error::finite_pose(what, pose)?.widen())
        }

        /// The error for the first of two poses that is not finite; `swapped` when they come in the other order. They are tested in place: a pose
        /// that is handed on inside of a `Result` is copied through memory, which costs more than a small kernel.
        #[inline(always)]
        pub(crate) fn not_finite<T: Real>(
            first: &$pose<T>,
            second: &$pose<T>,
            swapped: bool,
        ) -> Option<Error> {
            if seem_finite(*first, *second) {
                return None;
            }
            let (pose_a, pose_b) = order::swapped_if(swapped, first, second);
            first_not_finite(pose_a.copied(), pose_b.copied())
        }

        #[cold]
        #[inline(never)]
        fn first_not_finite<T: Real>(pose_a: $pose<T>, pose_b: $pose<T>) -> Option<Error> {
            let first = crate::error::finite_pose("pose_a", pose_a).err();
            first.or_else(|| crate::error::finite_pose("pose_b", pose_b).err())
        }
    };
}

pub(crate) use pair_queries;
