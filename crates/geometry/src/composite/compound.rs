//! Shapes put together, generated for both dimensions.

/// The struct `Compound` of a dimension, and what the queries need of it.
macro_rules! compound_shape {
    ($kernels:ident, $vector:ident, $pose:ident, $example:literal) => {
        /// Shapes at fixed poses that move as one.
        ///
        /// The parts may be convex or not, and may touch and overlap: what lies in one of them lies in the
        /// compound. Not among them: half-spaces, and other compounds. Cheap to clone.
        ///
        /// The surface is that of all parts, what lies inside of another part included: depths, closest points and hollow rays are
        /// those of the part that decides, masses of parts that overlap add up. An outline or a mesh around all of them has no inner surface.
        ///
        /// The convex parts of all shapes are numbered through: a mesh of ten triangles in front of a ball
        /// makes that ball part 10. [`Compound::shape_of_part`] tells which shape a part belongs to.
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct Compound<T: Real> {
            parts: Arc<Vec<(Shape<T>, $pose<T>)>>,
            /// The same in `f64`, so that widening shares it.
            wide: Arc<CompoundParts>,
            /// All lengths of the parts in `f64` are multiplied by this power of two.
            factor: f64,
            twin: Twin<Shape<f64>>,
        }

        struct CompoundParts {
            parts: Vec<(Shape<f64>, $pose<f64>)>,
            /// The number of the first convex part of each.
            first: Vec<u32>,
            count: u32,
            tree: PartTree<$vector<f64>>,
            size: f64,
        }

        impl<T: Real> Compound<T> {
            /// The compound of these shapes at these poses. O(n log n).
            ///
            /// # Errors
            /// When there is no shape, a pose is not finite, or a shape is a half-space, rounded or not, or a compound.
            pub fn new<S: Into<Shape<T>>, P: Into<$pose<T>>>(
                given: impl IntoIterator<Item = (S, P)>,
            ) -> Result<Self, Error> {
                let (mut own, mut parts) = (Vec::new(), Vec::<(Shape<f64>, $pose<f64>)>::new());
                for (shape, pose) in given {
                    let (shape, pose) = (shape.into(), finite_pose("parts", pose.into())?);
                    // A half-space with a radius is one once it is widened.
                    let wide = shape.as_shape().widen().into_owned();
                    if matches!(wide, Shape::HalfSpace(_) | Shape::Compound(_)) {
                        let shape = shape.as_shape().kind();
                        return Err(Error::UnsupportedShape { operation: "to be part of a compound", shape });
                    }
                    parts.push((wide, pose.widen()));
                    own.push((shape, pose));
                }
                let boxes: Vec<_> =
                    parts.iter().map(|(shape, pose)| shape.bounds(&Frame::new(*pose))).collect();
                let Some(tree) = PartTree::build(&boxes) else {
                    return Err(Error::TooFewPoints { what: "a compound", least: 1, count: 0 });
                };
                let (mut first, mut count) = (Vec::with_capacity(parts.len()), 0_u32);
                let mut size: f64 = 0.0;
                for (shape, pose) in &parts {
                    first.push(count);
                    count = count.saturating_add($kernels::parts(shape).map_or(1, |parts| parts.count()));
                    size = size.max_of(pose.translation.max_abs() + Resize::size(shape));
                }
                if !size.is_finite() {
                    return Err(Error::Overflow { what: "the size of the compound", number: T::NAME });
                }
                let wide = Arc::new(CompoundParts { parts, first, count, tree, size });
                Ok(Compound { parts: Arc::new(own), wide, factor: 1.0, twin: Twin::NONE }.with_twin())
            }

            /// The shapes and their poses, in the order given.
            #[must_use]
            pub fn parts(&self) -> &[(Shape<T>, $pose<T>)] {
                &self.parts
            }

            /// Which shape a convex part belongs to, and which of its own parts it is; `None` when there is no
            /// such part.
            #[must_use]
            pub fn shape_of_part(&self, part: u32) -> Option<(usize, u32)> {
                let after = self.wide.first.partition_point(|&first| first <= part);
                let index = after.checked_sub(1)?;
                (part < self.wide.count).then(|| (index, part - self.wide.first[index]))
            }
        }

        impl Compound<f64> {
            /// Which of two compounds comes first by its numbers.
            pub(crate) fn before(&self, other: &Self) -> Option<bool> {
                let (a, b) = (&*self.wide, &*other.wide);
                if core::ptr::eq(a, b) {
                    return order::before_number(self.factor, other.factor);
                }
                if a.parts.len() != b.parts.len() {
                    return Some(a.parts.len() < b.parts.len());
                }
                a.parts
                    .iter()
                    .zip(&b.parts)
                    .find_map(|((a, pose_a), (b, pose_b))| shapes_in_order(a, *pose_a, b, *pose_b))
            }

            /// The shapes at scale, and their poses.
            pub(crate) fn at_scale(&self) -> impl Iterator<Item = (Shape<f64>, $pose<f64>)> + '_ {
                self.wide.parts.iter().map(|(shape, pose)| {
                    let pose = $pose::new(pose.translation * self.factor, pose.rotation);
                    (if self.factor == 1.0 { shape.clone() } else { shape.resized(self.factor) }, pose)
                })
            }
        }

        impl Parts<$kernels> for Compound<f64> {
            fn tree(&self) -> &PartTree<$vector<f64>> {
                &self.wide.tree
            }
            fn factor(&self) -> f64 {
                self.factor
            }
            fn count(&self) -> u32 {
                self.wide.count
            }
            fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
                visit(item)
            }
            fn has_composite_parts(&self) -> bool {
                self.wide.parts.len() < self.wide.count as usize
            }
            fn part(&self, index: u32) -> Part<'_, $kernels> {
                let (shape, pose) = &self.wide.parts[index as usize];
                let first = self.wide.first[index as usize];
                if self.factor == 1.0 {
                    return Part { shape: Cow::Borrowed(shape), local: Some(*pose), first };
                }
                let local = Some($pose::new(pose.translation * self.factor, pose.rotation));
                Part { shape: Cow::Owned(shape.resized(self.factor)), local, first }
            }
            fn visit_anchors(
                &self,
                visit: &mut dyn FnMut($vector<f64>) -> ControlFlow<()>,
            ) -> ControlFlow<()> {
                self.at_scale().try_for_each(|(shape, pose)| match $kernels::parts(&shape) {
                    Some(parts) => parts.visit_anchors(&mut |point| visit(pose.point_to_world(point))),
                    None => visit(pose.point_to_world($kernels::farthest(&shape, $vector::unit(0)))),
                })
            }
        }

        /// Equal shapes at equal poses.
        impl<T: Real> PartialEq for Compound<T> {
            fn eq(&self, other: &Self) -> bool {
                self.factor == other.factor
                    && (Arc::ptr_eq(&self.parts, &other.parts) || self.parts == other.parts)
            }
        }

        impl<T: Real> core::fmt::Debug for Compound<T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str("Compound ")?;
                f.debug_list().entries(self.parts.iter()).finish()
            }
        }

        lends_twin!(Compound, Shape<f64>);

        impl<T: Real> Widen for Compound<T> {
            type Wide = Compound<f64>;
            fn widen(&self) -> Compound<f64> {
                let wide = Arc::clone(&self.wide);
                // The queries know the parts in `f64` only.
                Compound { parts: Arc::default(), wide, factor: self.factor, twin: Twin::NONE }
            }
        }

        impl Resize for Compound<f64> {
            fn size(&self) -> f64 {
                self.wide.size * self.factor
            }
            fn resized(&self, factor: f64) -> Self {
                let (parts, wide) = (Arc::clone(&self.parts), Arc::clone(&self.wide));
                Compound { parts, wide, factor: self.factor * factor, twin: Twin::NONE }
            }
        }

        impl Bounded<$vector<f64>> for Compound<f64> {
            /// The boxes of the parts, each as the composed pose places it.
            fn bounds(&self, frame: &Frame<$vector<f64>>) -> Aabb<$vector<f64>> {
                let all = self.at_scale().fold(Aabb::empty(), |all, (shape, pose)| {
                    all.merged(shape.bounds(&frame.composed(&Frame::new(pose))))
                });
                let is_exact = frame.exact && self.wide.parts.iter().all(|(_, pose)| Frame::new(*pose).exact);
                // Composing has rounded the columns and the origin.
                if is_exact { all } else { all.grown(16.0 * f64::EPSILON * Resize::size(self)) }
            }
        }
    };
}

pub(crate) use compound_shape;
