//! The public functions of `explain` about motion, generated for both dimensions.
//!
//! The steps of a time of impact are watched while it is found. Rays and casts have short ways past their kernels;
//! for them the long way, which finds the same, is watched in a second run.

/// `cast_ray`, `cast_shape` and `time_of_impact` with their steps.
///
/// The dimension supplies what [`crate::cast::ray_query`], [`crate::cast::shape_query`] and
/// [`crate::motion::query`] generate for it.
macro_rules! explain_motion {
    ($vector:ident, $pose:ident, $motion:ident,
     cast_ray: $ray_example:literal, cast_shape: $shape_example:literal, time_of_impact: $impact_example:literal) => {
        /// [`cast_ray`](super::cast_ray) with its steps: the ray in the frame of the shape, where it comes in and
        /// goes out, the hit. Of a shape with parts, only the part that is hit is told.
        ///
        /// # Errors
        /// As for [`cast_ray`](super::cast_ray).
        ///
        /// # Example
        /// ```
        #[doc = $ray_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn cast_ray<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Explained<Option<Hit<$vector<T>>>>, Error> {
            let (shape, pose): (ShapeRef<'_, T>, $pose<T>) = (shape.as_shape(), pose.into());
            let answer = super::cast_ray(&shape, pose, ray, options)?;
            let mut journey = Journey::new();
            super::follow_ray(shape, pose, ray, &mut journey)?;
            Ok(Explained { answer, steps: journey.finish(answer.map(|hit| step_of(&hit))) })
        }

        /// [`cast_shape`](super::cast_shape) with its steps: for closed forms the times during which a ball is in the
        /// other shape, inflated by its radius, or boxes overlap along their axes; otherwise the steps from one
        /// time that is proven clear to the next.
        ///
        /// # Errors
        /// As for [`cast_shape`](super::cast_shape).
        ///
        /// # Example
        /// ```
        #[doc = $shape_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn cast_shape<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            velocity_a: impl Into<$vector<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            velocity_b: impl Into<$vector<T>>,
            options: CastOptions<T>,
        ) -> Result<Explained<Option<Hit<$vector<T>>>>, Error> {
            let (a, b): (ShapeRef<'_, T>, ShapeRef<'_, T>) = (a.as_shape(), b.as_shape());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let (velocity_a, velocity_b): ($vector<T>, $vector<T>) = (velocity_a.into(), velocity_b.into());
            let answer = super::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options)?;
            let mut journey = Journey::new();
            super::cast_in_general((a, pose_a, velocity_a), (b, pose_b, velocity_b), options, &mut journey)?;
            Ok(Explained { answer, steps: journey.finish(answer.map(|hit| step_of(&hit))) })
        }

        /// [`time_of_impact`](super::time_of_impact) with its steps: times that are clear because the balls around
        /// the shapes are apart, then the distance at each time that was looked at, and until when that proves
        /// them apart.
        ///
        /// # Errors
        /// As for [`time_of_impact`](super::time_of_impact).
        ///
        /// # Example
        /// ```
        #[doc = $impact_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn time_of_impact<T: Real>(
            a: &impl AsShape<T>,
            motion_a: $motion<T>,
            b: &impl AsShape<T>,
            motion_b: $motion<T>,
            options: ImpactOptions<T>,
        ) -> Result<Explained<Option<Impact<$vector<T>>>>, Error> {
            let mut journey = Journey::new();
            let pair = ((a.as_shape(), motion_a), (b.as_shape(), motion_b));
            let answer = super::impact_watched(pair.0, pair.1, options, &mut journey)?;
            let hit = answer.map(|hit| Step::Hit {
                t: hit.t.to_f64(),
                lower: hit.lower.to_f64(),
                point: hit.point.widen(),
                normal: hit.normal.widen(),
                region: Region::Whole,
            });
            Ok(Explained { answer, steps: journey.finish(hit) })
        }

        fn step_of<T: Real>(hit: &Hit<$vector<T>>) -> Step<$vector<f64>> {
            let t = hit.t.to_f64();
            let (point, normal) = (hit.point.widen(), hit.normal.widen());
            Step::Hit { t, lower: t, point, normal, region: Region::of_feature(hit.feature) }
        }
    };
}

pub(crate) use explain_motion;
