//! The public functions of `explain`, generated for both dimensions.
//!
//! The answer is that of the plain question. The steps are recorded in a second run over the same pair, by
//! the same dispatch on the kinds: watched where the kernel can be watched, by the textbook otherwise.

/// The functions of the module `explain` of a dimension, from its pair queries.
///
/// The dimension supplies what [`crate::pair::query`] and [`crate::pair::dispatch`] generate for it.
macro_rules! explain_queries {
    ($vector:ident, $pose:ident, $matrix:ty,
     intersects: $intersects_example:literal, distance: $distance_example:literal,
     contact: $contact_example:literal, contact_within: $contact_within_example:literal,
     manifold: $manifold_example:literal, manifold_within: $manifold_within_example:literal) => {
        /// An answer and the steps that lead to it, in the world frame.
        pub type Explained<A> = crate::trace::Explained<A, $vector<f64>>;

        type Watcher = Recorder<$vector<f64>, $matrix>;

        /// [`intersects`](super::intersects) with its steps.
        ///
        /// # Errors
        /// As for [`intersects`](super::intersects).
        ///
        /// # Example
        /// ```
        #[doc = $intersects_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn intersects<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Explained<bool>, Error> {
            let (a, b): (ShapeRef<'_, T>, ShapeRef<'_, T>) = (a.as_shape(), b.as_shape());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let answer = super::intersects(&a, pose_a, &b, pose_b)?;
            let mut story = Story::new((a, pose_a), (b, pose_b))?;
            story.relate(0.0)?;
            Ok(Explained { answer, steps: story.recorder.finish(answer) })
        }

        /// [`distance`](super::distance) with its steps.
        ///
        /// # Errors
        /// As for [`distance`](super::distance).
        ///
        /// # Example
        /// ```
        #[doc = $distance_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn distance<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Explained<Distance<$vector<T>>>, Error> {
            let (a, b): (ShapeRef<'_, T>, ShapeRef<'_, T>) = (a.as_shape(), b.as_shape());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let answer = super::distance(&a, pose_a, &b, pose_b)?;
            let mut story = Story::new((a, pose_a), (b, pose_b))?;
            let touching = story.relate(f64::INFINITY)?;
            Ok(Explained { answer, steps: story.recorder.finish(touching) })
        }

        /// [`contact`](super::contact) with its steps.
        ///
        /// # Errors
        /// As for [`contact`](super::contact).
        ///
        /// # Example
        /// ```
        #[doc = $contact_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn contact<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Explained<Option<Contact<$vector<T>>>>, Error> {
            contact_within(a, pose_a, b, pose_b, T::ZERO)
        }

        /// [`contact_within`](super::contact_within) with its steps.
        ///
        /// # Errors
        /// As for [`contact_within`](super::contact_within).
        ///
        /// # Example
        /// ```
        #[doc = $contact_within_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn contact_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
        ) -> Result<Explained<Option<Contact<$vector<T>>>>, Error> {
            let (a, b): (ShapeRef<'_, T>, ShapeRef<'_, T>) = (a.as_shape(), b.as_shape());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let answer = super::contact_within(&a, pose_a, &b, pose_b, margin)?;
            let mut story = Story::new((a, pose_a), (b, pose_b))?;
            let touching = story.relate(f64::INFINITY)?;
            Ok(Explained { answer, steps: story.recorder.finish(touching) })
        }

        /// [`manifold`](super::super::manifold) with its steps.
        ///
        /// # Errors
        /// As for [`manifold`](super::super::manifold).
        ///
        /// # Example
        /// ```
        #[doc = $manifold_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifold<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Explained<Option<Manifold<$vector<T>>>>, Error> {
            manifold_within(a, pose_a, b, pose_b, T::ZERO)
        }

        /// [`manifold_within`](super::super::manifold_within) with its steps.
        ///
        /// # Errors
        /// As for [`manifold_within`](super::super::manifold_within).
        ///
        /// # Example
        /// ```
        #[doc = $manifold_within_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifold_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
        ) -> Result<Explained<Option<Manifold<$vector<T>>>>, Error> {
            let (a, b): (ShapeRef<'_, T>, ShapeRef<'_, T>) = (a.as_shape(), b.as_shape());
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            // What is wrong with the input is told in the words of the plain question.
            super::super::manifold_within(&a, pose_a, &b, pose_b, margin)?;
            let mut story = Story::new((a, pose_a), (b, pose_b))?;
            let touching = story.relate(f64::INFINITY)?;
            let answer = manifold_watched(a, pose_a, b, pose_b, margin, &mut story.recorder)?;
            Ok(Explained { answer, steps: story.recorder.finish(touching) })
        }

        /// A pair, and what was recorded about it so far.
        struct Story<'a> {
            a: Cow<'a, Shape<f64>>,
            pose_a: $pose<f64>,
            b: Cow<'a, Shape<f64>>,
            pose_b: $pose<f64>,
            pair: Pair,
            recorder: Watcher,
        }

        /// What the steps led to.
        enum Outcome {
            /// The kernel was watched and found this, in the frame of the pair.
            Found(Separation<$vector<f64>>),
            /// The kernel was watched and proved that the shapes are farther apart than was asked.
            Apart,
            /// The steps are those of the textbook: the kernel has to be asked.
            AskKernel,
        }

        impl<'a> Story<'a> {
            fn new<T: Real>(
                (a, pose_a): (ShapeRef<'a, T>, $pose<T>),
                (b, pose_b): (ShapeRef<'a, T>, $pose<T>),
            ) -> Result<Self, Error> {
                let (a, b, pose_a, pose_b) = (a.widen(), b.widen(), pose_a.widen(), pose_b.widen());
                let pair = Pair::new(&a, pose_a, &b, pose_b)?;
                let view = View {
                    turn: pair.turn,
                    origin: pair.origin,
                    back: 1.0 / pair.factor,
                    swapped: pair.swapped,
                };
                Ok(Story { a, pose_a, b, pose_b, pair, recorder: Recorder::new(view) })
            }

            /// Records how the shapes relate, as far as it matters up to a distance of `limit`; returns
            /// whether they touch.
            fn relate(&mut self, limit: f64) -> Result<bool, Error> {
                let [first, second] = self.pair.shapes(&self.a, &self.b);
                if let Some(found) =
                    super::separation_by_parts(&self.a, self.pose_a, &self.b, self.pose_b, limit, false)
                {
                    self.recorder.method(Method::Parts, false);
                    let Some((found, _)) = found? else { return Ok(false) };
                    self.recorder.push_separation(&found);
                    return Ok(found.separation <= 0.0);
                }
                let found = match record(&first, &second, &self.pair, limit, &mut self.recorder) {
                    Outcome::Apart => return Ok(false),
                    Outcome::Found(found) => self.pair.to_world(found),
                    Outcome::AskKernel => {
                        match super::separation(&self.a, self.pose_a, &self.b, self.pose_b)? {
                            Relation::Separated(found) => found,
                            Relation::Endless => return Ok(true),
                            Relation::Unsupported => return Ok(false),
                        }
                    }
                };
                self.recorder.push_separation(&found);
                Ok(found.separation <= 0.0)
            }
        }

        /// Records the steps for two shapes in the canonical order, seen from the first.
        fn record(
            first: &Shape<f64>,
            second: &Shape<f64>,
            pair: &Pair,
            limit: f64,
            recorder: &mut Watcher,
        ) -> Outcome {
            let (place, error) = (&pair.place, pair.error);
            if let Shape::Ball(ball) = second {
                record_nearest_to_ball(first, ball.radius(), pair, recorder);
                return Outcome::AskKernel;
            }
            if let Shape::HalfSpace(plane) = first {
                recorder.method(Method::HalfSpace, false);
                if let Relation::Separated(found) = super::relate(first, second, place, error) {
                    let of = recorder.side(false);
                    let source = AxisSource::Face { of, index: 0, of_box: false };
                    recorder.push_axis(source, plane.normal(), found.separation);
                }
                return Outcome::AskKernel;
            }
            let ((a, extra_a), (b, extra_b)) = (first.unrounded(), second.unrounded());
            let (a, b) = (&*a, &*b);
            if let (Some((core_a, radius_a)), Some((core_b, radius_b))) =
                (super::core_of(a, &Relative::IDENTITY), super::core_of(b, place))
            {
                let slender = is_slender(&core_a) && is_slender(&core_b);
                recorder.method(if slender { Method::NearestFeatures } else { Method::SeparatingAxes }, true);
                record_cores(&core_a, &core_b, error, recorder);
                recorder.push_radii([radius_a + extra_a, radius_b + extra_b]);
                return Outcome::AskKernel;
            }
            recorder.method(Method::SupportPoints, false);
            let found = super::generally(a, b, place, [extra_a, extra_b], error, limit, recorder);
            if let (Some((_, radius_a)), Some((_, radius_b))) = (super::body_of(a), super::body_of(b)) {
                recorder.push_radii([radius_a + extra_a, radius_b + extra_b]);
            }
            match found {
                Some(Some(found)) => Outcome::Found(found),
                Some(None) => Outcome::Apart,
                None => Outcome::AskKernel,
            }
        }

        /// The point of a shape nearest to the centre of a ball.
        fn record_nearest_to_ball(first: &Shape<f64>, radius: f64, pair: &Pair, recorder: &mut Watcher) {
            recorder.method(Method::NearestPoint, false);
            let center = pair.place.translation;
            let nearest = super::nearest_point(first, center);
            let (inner, extra) = first.unrounded();
            let core = super::core_of(&inner, &Relative::IDENTITY);
            let own_radius = match (&*inner, &core) {
                (Shape::Ball(ball), _) => ball.radius() + extra,
                (_, Some((_, radius))) => radius + extra,
                _ => extra,
            };
            let point = nearest.point - nearest.normal * own_radius;
            let region = match (&*inner, &core) {
                (Shape::Ball(_), _) => Region::Corner(0),
                (Shape::HalfSpace(_), _) => Region::Face(0),
                (_, Some((core, _))) => region_of(core, point, pair.error),
                _ => Region::Whole,
            };
            let regions = [region, Region::Corner(0)];
            recorder.push_nearest([point, center], regions, nearest.distance + own_radius);
            recorder.push_radii([own_radius, radius]);
        }
    };
}

pub(crate) use explain_queries;

use super::{NamedAxes, Recorder, record_axes, record_nearest};
use crate::pair::core::{Core, is_slender};
use crate::pair::place::Turn;

/// The steps of [`core::relate`](crate::pair::core::relate): every axis and, unless one shows a clear
/// overlap, the nearest features. Those come first, and suffice for a gap, between segments in space.
pub(crate) fn record_cores<V: NamedAxes, M: Turn<V>>(
    a: &Core<V>,
    b: &Core<V>,
    error: f64,
    recorder: &mut Recorder<V, M>,
) {
    let slender = is_slender(a) && is_slender(b);
    if slender && error < record_nearest(a, b, error, recorder) {
        return;
    }
    if -error <= record_axes(a, b, recorder) && !slender {
        record_nearest(a, b, error, recorder);
    }
}
