//! The functions `manifold` and `manifold_within`, generated for both dimensions.

/// The dimension supplies `feature_of::<N>(&Shape, &Place, direction)`, which is `None` for kinds that
/// have no feature yet; `reduce(&points, normal)`, which leaves few points; and `choose`, which calls
/// `choose_among` with the capacities.
macro_rules! manifold_queries {
    ($vector:ident, $pose:ident, $identity:expr,
     manifold: $example:literal, manifold_within: $within_example:literal) => {
        /// All points at which two shapes touch, up to four of them (two in the plane); `None` when
        /// they do not touch. See [`manifold_within`] for shapes that are close but do not touch.
        ///
        /// Answers in the world frame. The normal and the deepest depth are those of
        /// [`contact`](super::contact). Every point lies half way between two points of the surfaces
        /// that are |depth| apart. Exchanging the shapes negates the normal, exchanges the features and
        /// changes nothing else.
        ///
        /// A ball has one point; a capsule that lies on a face has two; two faces have the corners of
        /// what they share, of which four are chosen that span most of its area.
        ///
        /// # Errors
        /// As for [`contact`](super::contact).
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn manifold<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            manifold_within(a, pose_a, b, pose_b, T::ZERO)
        }

        /// Like [`manifold`], also for shapes that are at most `margin` apart, and with all points
        /// whose gap is at most `margin`.
        ///
        /// # Errors
        /// As for [`contact_within`](super::contact_within).
        ///
        /// # Example
        /// ```
        #[doc = $within_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifold_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            let margin = not_negative("margin", margin)?.to_f64();
            let (a, b) = (a.as_shape(), b.as_shape());
            let kinds = (a.kind(), b.kind());
            if has_no_contact(a, b) {
                return Err(unsupported("manifold", kinds));
            }
            let (pose_a, pose_b) =
                (finite_pose("pose_a", pose_a.into())?, finite_pose("pose_b", pose_b.into())?);
            let (a, b) = (a.widen(), b.widen());
            let answer: Manifold<$vector<T>> =
                if matches!((&a, &b), (Shape::Ball(_), _) | (_, Shape::Ball(_))) {
                    let Relation::Separated(found) = separation(&a, pose_a, &b, pose_b)? else {
                        return Err(unsupported("manifold", kinds));
                    };
                    if margin < found.separation {
                        return Ok(None);
                    }
                    let point = found.point_a * 0.5 + found.point_b * 0.5;
                    let only = narrowed(point, 0.0 - found.separation, FeaturePair::default());
                    Manifold::new($vector::narrow(found.normal), &[only])
                } else {
                    let pair = Pair::new(&a, pose_a, &b, pose_b)?;
                    let (first, second) = pair.shapes(&a, &b);
                    let Relation::Separated(found) = pair.relate(&first, &second) else {
                        return Err(unsupported("manifold", kinds));
                    };
                    let back = 1.0 / pair.factor;
                    if margin < found.separation * back {
                        return Ok(None);
                    }
                    let Some((chosen, count)) = choose(&first, &second, &pair, &found, margin * pair.factor)
                    else {
                        return Err(unsupported("manifold", kinds));
                    };
                    let mut points = [ManifoldPoint::default(); MOST];
                    for (place, candidate) in points.iter_mut().zip(&chosen[..count.min(MOST)]) {
                        let feature =
                            if pair.swapped { candidate.feature.swapped() } else { candidate.feature };
                        let point = pair.turn.apply(candidate.point * back) + pair.origin;
                        *place = narrowed(point, candidate.depth * back, feature);
                    }
                    let normal = pair.turn.apply(found.normal);
                    let normal = if pair.swapped { -normal } else { normal };
                    Manifold::new($vector::narrow(normal), &points[..count.min(MOST)])
                };
            if answer.points().iter().all(|point| point.point.finite() && point.depth.finite()) {
                Ok(Some(answer))
            } else {
                Err(Error::Overflow { what: "the manifold", number: T::NAME })
            }
        }

        /// The points between two shapes in the frame of the first; `None` for kinds without features.
        /// `N` is the most corners of a feature, `M` that of one clipped against another, plus one.
        fn choose_among<const N: usize, const M: usize>(
            first: &Shape<f64>,
            second: &Shape<f64>,
            pair: &Pair,
            found: &Separation<$vector<f64>>,
            margin: f64,
        ) -> Option<([Candidate<$vector<f64>>; MOST], usize)> {
            let identity = Relative { rotation: $identity, translation: $vector::ZERO };
            let feature_a = feature_of::<N>(first, &identity, found.normal)?;
            let feature_b = feature_of::<N>(second, &pair.place, -found.normal)?;
            let gathered = gather::<_, N, M>(&feature_a, &feature_b, found, pair.error, margin);
            Some(reduce(gathered.points(), found.normal))
        }

        fn narrowed<T: Real>(
            point: $vector<f64>,
            depth: f64,
            feature: FeaturePair,
        ) -> ManifoldPoint<$vector<T>> {
            ManifoldPoint { point: $vector::narrow(point), depth: T::from_f64(depth), feature }
        }
    };
}

pub(crate) use manifold_queries;
