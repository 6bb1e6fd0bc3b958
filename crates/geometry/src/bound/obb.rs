//! Boxes in any orientation, and the one along the principal axes of a cloud of points.
//!
//! Every fit chooses a rotation by its own method and ends in [`Obb::around`], which measures the
//! points against the rotation that is returned. So a poor choice of axes costs volume, never
//! containment.

use crate::Error;
use crate::bound::directed::{dot_of_difference, magnitude, sum_up};
use crate::bound::{Aabb, Frame, Placement, check_points, size_of};
use crate::error::finite_pose;
use crate::scale;
use crate::shape::Cuboid;
use carom_math::{Interval, Mat2, Mat3, Number, Real, Vec2, Vec3, Vector};
use carom_math::{symmetric_eigen2, symmetric_eigen3};

/// A box in any orientation: a centre, a rotation, and how far it reaches along each turned axis.
///
/// A box that was fitted to points contains each of them in two senses, both in exact arithmetic:
/// |axisₖ·(p − center)| <= half_extentₖ with the numbers that [`axes`](Self::axes),
/// [`center`](Self::center) and [`half_extents`](Self::half_extents) return, and as the solid
/// [`Cuboid`] at the pose of [`to_cuboid_and_pose`](Self::to_cuboid_and_pose).
///
/// # Example
/// ```
/// use carom_geometry::d2::Obb;
/// // Four points of a square that stands on its corner.
/// let points = [[1.0_f64, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]].map(Into::into);
/// let fit = carom_geometry::d2::minimum_rectangle(&points)?;
/// assert!((fit.volume() - 2.0).abs() < 1e-13);
/// assert!(points.iter().all(|p| fit.contains_point(*p)));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb<P: Placement> {
    pose: P,
    cuboid: Cuboid<P::Vector>,
}

/// Shorthands for the number types behind a pose.
type Scalar<P> = <<P as Placement>::Vector as Vector>::Scalar;
pub(crate) type Wide<P> = <<P as Placement>::Vector as Vector>::Wide;

/// Construction.
impl<P: Placement> Obb<P> {
    /// The box at `pose`, its centre at the pose's origin, that reaches by `half_extents` along the
    /// turned axes.
    ///
    /// # Errors
    /// When a number is not finite, or a half extent is negative.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::Pose2;
    /// assert_eq!(Obb::new(Pose2::at([1.0, 0.0]), [2.0, 3.0])?.volume(), 24.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn new(pose: P, half_extents: impl Into<P::Vector>) -> Result<Self, Error> {
        finite_pose("pose", pose)?;
        Ok(Obb { pose, cuboid: Cuboid::new(half_extents)? })
    }

    /// The local box of a mesh, carried along with the mesh's pose: computed once for the mesh, it
    /// follows every motion without looking at a point again. Contains the image of `local` exactly.
    ///
    /// # Errors
    /// When the box is empty or unbounded, the pose is not finite, or the answer overflows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::{Aabb, Obb};
    /// use carom_math::{Pose2, Rot2};
    /// let local = Aabb::from_corner_size([0.0, 0.0], [4.0, 2.0])?;
    /// let carried = Obb::from_aabb(local, Pose2::new([10.0, 0.0], Rot2::from_cos_sin(0.0, 1.0).unwrap()))?;
    /// assert_eq!((carried.center().x, carried.center().y), (9.0, 2.0));
    /// assert_eq!((carried.half_extents().x, carried.half_extents().y), (2.0, 1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_aabb(local: Aabb<P::Vector>, pose: P) -> Result<Self, Error> {
        finite_pose("pose", pose)?;
        if local.is_empty() {
            return Err(Error::TooFewPoints { what: "the box", least: 1, count: 0 });
        }
        check_points(&[local.min, local.max])?;
        let wide = local.widen();
        let middle = wide.center();
        // The exact image of the middle lies in `image`; the centre that is returned is a rounded one,
        // and the extents make up for its distance from any point of `image`.
        let image = Frame::new(pose).placed_point(middle);
        let center = P::Vector::narrow(image.center());
        let mut shift = 0.0;
        for k in 0..P::Vector::DIM {
            let off = directed_range(center.widen().get(k), image.interval(k));
            shift = sum_up(shift, off);
        }
        let half_extents = P::Vector::from_fn(|k| {
            let reach = directed_range(middle.get(k), wide.interval(k));
            Scalar::<P>::from_f64_up(sum_up(reach, shift))
        });
        Self::finite(pose.moved_to(center), half_extents)
    }

    /// The box along the principal axes of the points: the directions in which they spread most and
    /// least (the eigenvectors of their covariance).
    ///
    /// Good for elongated clouds, but not the smallest box: a dense cluster pulls the axes. Takes
    /// linear time. A single point gives a box of size zero along the coordinate axes.
    ///
    /// ```text
    /// μ = Σ pᵢ / n,   Σ = Σ (pᵢ − μ)(pᵢ − μ)ᵀ / n,   Σ·u = λ·u,   λ₁ >= λ₂ (>= λ₃)
    /// ```
    ///
    /// # Errors
    /// When there is no point, a coordinate is not finite, or the box overflows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Obb;
    /// let points = [[0.0_f64, 0.0, 0.0], [2.0, 2.0, 0.0], [1.0, 1.0, 0.0]].map(Into::into);
    /// let fit = Obb::from_principal_axes(&points)?;
    /// let long = fit.axes()[0];
    /// assert!((long.x - long.y).abs() < 1e-15 && fit.half_extents().y < 1e-14);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_principal_axes(points: &[P::Vector]) -> Result<Self, Error> {
        check_points(points)?;
        let wide: Vec<Wide<P>> = points.iter().map(|p| p.widen()).collect();
        Self::around(points, principal_axes(&wide))
    }

    /// The smallest box with the given axes (orthonormal up to rounding) around points that are known
    /// to be finite.
    pub(crate) fn around(points: &[P::Vector], axes: [Wide<P>; 3]) -> Result<Self, Error> {
        let pose = P::from_axes(axes, P::Vector::ZERO);
        let frame = Frame::new(pose);
        let rounded = pose.columns().map(Vector::widen);
        // The middle, seen from a point among the points so that far clouds lose nothing.
        let bounds = points.iter().fold(Aabb::empty(), |all: Aabb<Wide<P>>, p| all.merged_with(p.widen()));
        let near = bounds.center();
        let mut center = near;
        for axis in frame.columns.into_iter().take(P::Vector::DIM) {
            let range = points
                .iter()
                .fold(Interval::empty(), |range, p| range.merged_with(axis.dot(p.widen() - near)));
            center += axis * range.center();
        }
        let center = P::Vector::narrow(center);
        // Every point is now measured against the rounded centre, once along the axes as they are
        // returned, once along the exact rotation.
        let mut half_extents = Wide::<P>::ZERO;
        for point in points {
            let (point, center) = (point.widen(), center.widen());
            half_extents = Wide::<P>::from_fn(|k| {
                let along_rounded = magnitude(dot_of_difference(rounded[k.min(2)], point, center));
                let along_exact = magnitude(dot_of_difference(frame.columns[k.min(2)], point, center));
                let needed = sum_up(along_exact, frame.axis_error(k, point - center)).max_of(along_rounded);
                needed.max_of(half_extents.get(k))
            });
        }
        let half_extents = P::Vector::from_fn(|k| Scalar::<P>::from_f64_up(half_extents.get(k)));
        Self::finite(pose.moved_to(center), half_extents)
    }

    /// The box, unless its numbers have overflowed.
    fn finite(pose: P, half_extents: P::Vector) -> Result<Self, Error> {
        Self::new(pose, half_extents)
            .map_err(|_| Error::Overflow { what: "the box", number: Scalar::<P>::NAME })
    }
}

/// Measures and questions.
impl<P: Placement> Obb<P> {
    /// The centre and the rotation.
    #[must_use]
    pub fn pose(&self) -> P {
        self.pose
    }

    /// The centre.
    #[must_use]
    pub fn center(&self) -> P::Vector {
        self.pose.origin()
    }

    /// The unit vectors along the edges, right-handed: two in the plane, three in space.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::Pose2;
    /// let fit = Obb::new(Pose2::at([1.0, 0.0]), [2.0, 3.0])?;
    /// assert_eq!((fit.axes()[0].x, fit.axes()[1].y), (1.0, 1.0));
    /// assert_eq!((fit.center().x, fit.half_extents().y), (1.0, 3.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn axes(&self) -> P::Axes {
        self.pose.axes()
    }

    /// How far the box reaches to both sides of its centre along each of its axes.
    #[must_use]
    pub fn half_extents(&self) -> P::Vector {
        self.cuboid.half_extents()
    }

    /// The volume (area in the plane).
    #[must_use]
    pub fn volume(&self) -> Scalar<P> {
        (0..P::Vector::DIM)
            .fold(Scalar::<P>::ONE, |volume, k| volume * (self.half_extents().get(k) * Scalar::<P>::TWO))
    }

    /// The corners: four in the plane, eight in space. Corner number i lies on the positive side of
    /// axis k where bit k of i is set.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::Pose2;
    /// let fit = Obb::new(Pose2::at([1.0, 0.0]), [2.0, 3.0])?;
    /// let last = fit.corners().last().unwrap();
    /// assert_eq!((last.x, last.y), (3.0, 3.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn corners(&self) -> impl ExactSizeIterator<Item = P::Vector> {
        let (center, columns) = (self.center(), self.pose.columns());
        let local = Aabb { min: -self.half_extents(), max: self.half_extents() };
        local.corners().map(move |corner| {
            let mut point = center;
            for (k, axis) in columns.into_iter().enumerate().take(P::Vector::DIM) {
                point += axis * corner.get(k);
            }
            point
        })
    }

    /// Whether the point lies inside or on the surface. Points within rounding error of the surface
    /// count as inside, so the points that a box was fitted to always do.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::Pose2;
    /// let fit = Obb::new(Pose2::at([1.0, 0.0]), [2.0, 3.0])?;
    /// assert!(fit.contains_point([3.0, 3.0]) && !fit.contains_point([3.5, 0.0]));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn contains_point(&self, point: impl Into<P::Vector>) -> bool {
        let (point, center) = (point.into().widen(), self.center().widen());
        let columns = self.pose.columns().map(Vector::widen);
        (0..P::Vector::DIM).all(|k| {
            let half = self.half_extents().widen().get(k);
            dot_of_difference(columns[k.min(2)], point, center).overlaps(Interval::new(-half, half))
        })
    }

    /// The point of the solid box that is closest to a given one: its coordinates along the box's
    /// axes are pushed into their ranges.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::{Pose2, Rot2};
    /// let turned = Obb::new(Pose2::new([0.0, 0.0], Rot2::from_cos_sin(0.0, 1.0).unwrap()), [2.0, 1.0])?;
    /// let closest = turned.closest_point([5.0, 1.5]);
    /// assert_eq!((closest.x, closest.y), (1.0, 1.5));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn closest_point(&self, point: impl Into<P::Vector>) -> P::Vector {
        let frame = Frame::new(self.pose);
        let half = self.half_extents().widen();
        let away = point.into().widen() - frame.origin;
        let mut closest = frame.origin;
        for (k, axis) in frame.columns.into_iter().enumerate().take(P::Vector::DIM) {
            closest += axis * axis.dot(away).clamp_to(-half.get(k), half.get(k));
        }
        P::Vector::narrow(closest)
    }

    /// The box along the coordinate axes around this box, rounded outwards.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Obb;
    /// use carom_math::Pose2;
    /// let fit = Obb::new(Pose2::at([1.0, 0.0]), [2.0, 3.0])?;
    /// assert_eq!((fit.aabb().min.x, fit.aabb().max.y), (-1.0, 3.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn aabb(&self) -> Aabb<P::Vector> {
        let half = self.half_extents().widen();
        Aabb::narrowed_outward(Frame::new(self.pose).placed(Aabb { min: -half, max: half }))
    }

    /// The box as a shape at a pose, ready for every query.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Obb, aabb};
    /// let points = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(Into::into);
    /// let (cuboid, pose) = Obb::from_principal_axes(&points)?.to_cuboid_and_pose();
    /// assert_eq!(aabb(&cuboid, pose)?.max.x, 2.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn to_cuboid_and_pose(&self) -> (Cuboid<P::Vector>, P) {
        (self.cuboid, self.pose)
    }
}

/// The larger distance from a number to the ends of a range, rounded up.
fn directed_range(from: f64, range: Interval<f64>) -> f64 {
    sum_up(range.max, -from).max_of(sum_up(from, -range.min)).max_of(0.0)
}

/// The unit eigenvectors of the covariance of the points, by falling eigenvalue, right-handed.
pub(crate) fn principal_axes<V: Vector<Scalar = f64>>(points: &[V]) -> [V; 3] {
    let count = points.len() as f64;
    let factor = scale::rescaling(size_of(points)).unwrap_or(1.0);
    // Summed relative to the first point: exact for equal points, and nothing is lost far away.
    let first = points.first().copied().unwrap_or(V::ZERO) * factor;
    let mean = points.iter().fold(V::ZERO, |sum, p| sum + (*p * factor - first)) / count;
    let mut covariance = [[0.0; 3]; 3];
    for point in points {
        let away = (*point * factor - first) - mean;
        for (i, row) in covariance.iter_mut().enumerate().take(V::DIM) {
            for (j, entry) in row.iter_mut().enumerate().take(V::DIM) {
                *entry += away.get(i) * away.get(j) / count;
            }
        }
    }
    let column = |j: usize| Vec3::new(covariance[0][j], covariance[1][j], covariance[2][j]);
    if V::DIM == 2 {
        let column = |j: usize| Vec2::new(covariance[0][j], covariance[1][j]);
        let (_, vectors) = symmetric_eigen2(Mat2 { columns: [column(0), column(1)] });
        let [x, y] = vectors.columns;
        return [V::from_fn(|k| x.get(k)), V::from_fn(|k| y.get(k)), V::ZERO];
    }
    let (_, vectors) = symmetric_eigen3(Mat3 { columns: [column(0), column(1), column(2)] });
    vectors.columns.map(|axis| V::from_fn(|k| axis.get(k)))
}
