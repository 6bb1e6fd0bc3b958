//! The public question about a shape and a point, generated for both dimensions.

/// The function `closest_point` of a dimension, from its `nearest_point(&Shape<f64>, point)`.
macro_rules! closest_query {
    ($vector:ident, $pose:ident, $example:literal) => {
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
            let pose = finite_pose("pose", pose.into())?;
            let point = Vector::widen(finite_vector("point", point.into())?);
            let shape = shape.as_shape().widen();
            let from_origin = point - pose.translation;
            let size = scale::largest([from_origin.max_abs(), Resize::size(&shape)]);
            let overflow = Error::Overflow { what: "the closest point", number: T::NAME };
            if !size.is_finite() {
                return Err(overflow);
            }
            // A ball looks the same in every turn: then nothing is rounded by turning, as in `intersects`.
            let rotation = if matches!(shape, Shape::Ball(_)) { Default::default() } else { pose.rotation };
            let turn = rotation.to_matrix();
            let nearest = match scale::rescaling(size) {
                None => nearest_point(&shape, turn.undo(from_origin)),
                Some(factor) => {
                    let scaled = nearest_point(&shape.resized(factor), turn.undo(from_origin * factor));
                    let back = 1.0 / factor;
                    Nearest { point: scaled.point * back, distance: scaled.distance * back, ..scaled }
                }
            };
            // The sum turns −0 into 0. What is 0 in the number type of the caller is on the surface.
            let distance = T::from_f64(nearest.distance) + T::ZERO;
            let answer = ClosestPoint {
                point: $vector::narrow(turn.apply(nearest.point) + pose.translation),
                distance,
                inside: distance <= T::ZERO,
            };
            if answer.point.finite() && answer.distance.finite() { Ok(answer) } else { Err(overflow) }
        }
    };
}

pub(crate) use closest_query;
