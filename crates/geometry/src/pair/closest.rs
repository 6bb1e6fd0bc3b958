//! The public question about a shape and a point, generated for both dimensions.

/// The functions `closest_point` and `closest_point_batch` of a dimension, from its `nearest_point(&Shape<f64>, point)`.
macro_rules! closest_query {
    ($vector:ident, $pose:ident, $matrix:ty, $example:literal, batch: $batch_example:literal) => {
        /// The point of a shape's surface that is closest to a given point, in the world frame.
        ///
        /// The distance is negative inside a solid. `inside` holds on the surface as well, where the
        /// distance is 0. Where many points are equally close, one is chosen deterministically: the
        /// lowest axis first, its positive side before its negative one.
        ///
        /// # Errors
        /// When the pose or the point is not finite, or the answer is too large for the number type.
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn closest_point<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            point: impl Into<$vector<T>>,
        ) -> Result<ClosestPoint<$vector<T>>, Error> {
            Asked::new(shape.as_shape(), pose.into())?.closest_to(point.into())
        }

        /// [`closest_point`] of one shape for many points, the answer of point k in `answers[k]`: the same to the bit. The shape is
        /// prepared once.
        ///
        /// # Errors
        /// When the pose is not finite or there are not as many answers as points; then no answer is written. For the points, each
        /// its own.
        ///
        /// # Example
        /// ```
        #[doc = $batch_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn closest_point_batch<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            points: &[$vector<T>],
            answers: &mut [Result<ClosestPoint<$vector<T>>, Error>],
        ) -> Result<(), Error> {
            one_for_each(points.len(), answers.len())?;
            let asked = Asked::new(shape.as_shape(), pose.into())?;
            for (point, answer) in points.iter().zip(answers) {
                *answer = asked.closest_to(*point);
            }
            Ok(())
        }

        /// A shape that is asked about, in `f64`.
        struct Asked<'a> {
            shape: Cow<'a, Shape<f64>>,
            size: f64,
            origin: $vector<f64>,
            turn: $matrix,
        }

        impl<'a> Asked<'a> {
            #[inline(always)] // so that the kind, where it is known, decides at compile time
            fn new<T: Real>(shape: ShapeRef<'a, T>, pose: $pose<T>) -> Result<Self, Error> {
                let pose = finite_pose("pose", pose)?;
                let shape = shape.widen();
                // A ball looks the same in every turn: then nothing is rounded by turning, as in `intersects`.
                let rotation =
                    if matches!(*shape, Shape::Ball(_)) { Default::default() } else { pose.rotation };
                let size = Resize::size(&*shape);
                Ok(Asked { shape, size, origin: pose.translation, turn: rotation.to_matrix() })
            }

            #[inline(always)]
            fn closest_to<T: Real>(&self, point: $vector<T>) -> Result<ClosestPoint<$vector<T>>, Error> {
                let from_origin = Vector::widen(finite_vector("point", point)?) - self.origin;
                let size = scale::largest([from_origin.max_abs(), self.size]);
                let overflow = Error::Overflow { what: "the closest point", number: T::NAME };
                if !size.is_finite() {
                    return Err(overflow);
                }
                let nearest = match scale::rescaling(size) {
                    None => nearest_point(&self.shape, self.turn.undo(from_origin)),
                    Some(factor) => {
                        let resized = self.shape.resized(factor);
                        let scaled = nearest_point(&resized, self.turn.undo(from_origin * factor));
                        let back = 1.0 / factor;
                        Nearest { point: scaled.point * back, distance: scaled.distance * back, ..scaled }
                    }
                };
                // The sum turns −0 into 0. What is 0 in the number type of the caller is on the surface.
                let distance = T::from_f64(nearest.distance) + T::ZERO;
                let answer = ClosestPoint {
                    point: <$vector<T> as Vector>::narrow(self.turn.apply(nearest.point) + self.origin),
                    distance,
                    inside: distance <= T::ZERO,
                };
                if answer.point.finite() && answer.distance.finite() { Ok(answer) } else { Err(overflow) }
            }
        }
    };
}

pub(crate) use closest_query;
