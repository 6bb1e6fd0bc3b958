//! Convex shapes inflated by a radius, generated for both dimensions.

/// The struct `Rounded` of a dimension, from its `Shape`, and what the queries need of it.
macro_rules! rounded_shape {
    ($kernels:path, $vector:ident, $example:literal) => {
        /// All points within `radius` of a convex shape.
        ///
        /// Every question is answered for the shape inside, with the radius added: nothing is
        /// approximated. Rounding what is rounded already adds the radii. Cheap to clone.
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[derive(Clone)]
        pub struct Rounded<T: Real> {
            core: Arc<Shape<T>>,
            radius: T,
            /// All lengths of the core are multiplied by this power of two; the radius is at scale.
            factor: f64,
            twin: Twin<Shape<f64>>,
        }

        impl<T: Real> Rounded<T> {
            /// The shape inflated by a radius, which may be zero.
            ///
            /// # Errors
            /// When the radius is negative or not finite, the sum of the radii is too large for the
            /// number type, or the shape is not convex.
            pub fn new(shape: impl Into<Shape<T>>, radius: T) -> Result<Self, Error> {
                let radius = not_negative("radius", radius)?;
                let shape = shape.into();
                if crate::composite::is_composite::<$kernels>(&shape.as_shape().widen()) {
                    return Err(Error::UnsupportedShape {
                        operation: "rounding",
                        shape: shape.as_shape().kind(),
                    });
                }
                if let Shape::Rounded(inner) = shape {
                    let radius = inner.radius + radius;
                    if !radius.finite() {
                        return Err(Error::Overflow { what: "the sum of the radii", number: T::NAME });
                    }
                    return Ok(Rounded { radius, ..inner }.with_twin());
                }
                Ok(Rounded { core: Arc::new(shape), radius, factor: 1.0, twin: Twin::NONE }.with_twin())
            }
            /// The shape inside; never rounded itself.
            #[must_use]
            pub fn shape(&self) -> &Shape<T> {
                &self.core
            }
            /// The distance from the shape inside to the surface.
            #[must_use]
            pub fn radius(&self) -> T {
                self.radius
            }
        }

        impl Rounded<f64> {
            /// The shape inside, at scale.
            pub(crate) fn core(&self) -> Cow<'_, Shape<f64>> {
                match self.factor {
                    1.0 => Cow::Borrowed(&*self.core),
                    factor => Cow::Owned(self.core.resized(factor)),
                }
            }
        }

        impl Shape<f64> {
            /// The shape inside of a rounded one, and the radius.
            #[inline(always)]
            pub(crate) fn unrounded(&self) -> (Cow<'_, Shape<f64>>, f64) {
                match self {
                    Shape::Rounded(rounded) => (rounded.core(), rounded.radius()),
                    shape => (Cow::Borrowed(shape), 0.0),
                }
            }
        }

        /// Equal shapes inside and equal radii.
        impl<T: Real> PartialEq for Rounded<T> {
            fn eq(&self, other: &Self) -> bool {
                self.radius == other.radius && self.factor == other.factor && self.core == other.core
            }
        }

        impl<T: Real> core::fmt::Debug for Rounded<T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("Rounded").field("shape", &self.core).field("radius", &self.radius).finish()
            }
        }

        lends_twin!(Rounded, Shape<f64>);

        impl<T: Real> Widen for Rounded<T> {
            type Wide = Shape<f64>;
            /// What has a simpler name gets it: a rounded ball is a ball, a rounded segment a capsule.
            fn widen(&self) -> Shape<f64> {
                let radius = self.radius.to_f64();
                let wide = self.core.as_shape().widen();
                let at_scale = if self.factor == 1.0 { wide } else { Cow::Owned(wide.resized(self.factor)) };
                let known = match &*at_scale {
                    _ if radius == 0.0 => Some((*at_scale).clone()),
                    Shape::Ball(ball) => Ball::new(ball.radius() + radius).ok().map(Shape::from),
                    Shape::Segment(segment) => {
                        Capsule::<f64>::new(segment.a(), segment.b(), radius).ok().map(Shape::from)
                    }
                    Shape::Capsule(capsule) => {
                        let segment = capsule.segment();
                        Capsule::<f64>::new(segment.a(), segment.b(), capsule.radius() + radius)
                            .ok()
                            .map(Shape::from)
                    }
                    Shape::HalfSpace(plane) => {
                        HalfSpace::<f64>::new(plane.normal(), plane.offset() + radius).ok().map(Shape::from)
                    }
                    _ => None,
                };
                // Others; and sums that overflow, which the size of the pair then reveals.
                known.unwrap_or_else(|| {
                    let core = Arc::new(at_scale.into_owned());
                    Shape::Rounded(Rounded { core, radius, factor: 1.0, twin: Twin::NONE })
                })
            }
        }

        impl Resize for Rounded<f64> {
            fn size(&self) -> f64 {
                Resize::size(&*self.core) * self.factor + self.radius
            }
            fn resized(&self, factor: f64) -> Self {
                Rounded {
                    core: Arc::clone(&self.core),
                    radius: self.radius * factor,
                    factor: self.factor * factor,
                    twin: Twin::NONE,
                }
            }
        }
    };
}

pub(crate) use rounded_shape;
