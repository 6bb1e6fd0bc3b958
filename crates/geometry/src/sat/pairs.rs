//! Pairs of polytopes with faces, generated for both dimensions: a hull or polygon with another one or
//! with a box.

/// The functions `ask_solids`, `relate_solids` and `touch_solids` of a dimension, and the kernels of the
/// pairs. `$kind` names the polytope in `Shape` and in `Body`, `$view` the type that lends it.
macro_rules! solid_pairs {
    ($vector:ident, $pose:ident, $kind:ident, $view:ident) => {
        fn posed<B: Support<$vector<f64>>>(b: B, place: &Place) -> Posed<B, $vector<f64>> {
            Posed::new(b, &place.rotation.columns, place.translation)
        }

        impl Meets<$view<'_>, $vector<f64>, Matrix> for $view<'_> {
            fn relate(&self, other: &$view<'_>, place: &Place, error: f64) -> Separation<$vector<f64>> {
                let found = self.relate_within(other, place, error, f64::INFINITY);
                found.unwrap_or(Separation::APART)
            }
            fn relate_within(
                &self,
                other: &$view<'_>,
                place: &Place,
                error: f64,
                limit: f64,
            ) -> Option<Separation<$vector<f64>>> {
                let other = posed(other.clone(), place);
                convex_pair::relate_solids(self, &other, [0.0; 2], error, limit, &mut ())
            }
            fn touch(&self, other: &$view<'_>, place: &Place, error: f64) -> bool {
                convex_pair::touch_solids(self, &posed(other.clone(), place), [0.0; 2], error)
            }
        }

        impl Meets<Cuboid<f64>, $vector<f64>, Matrix> for $view<'_> {
            fn relate(&self, other: &Cuboid<f64>, place: &Place, error: f64) -> Separation<$vector<f64>> {
                let found = self.relate_within(other, place, error, f64::INFINITY);
                found.unwrap_or(Separation::APART)
            }
            fn relate_within(
                &self,
                other: &Cuboid<f64>,
                place: &Place,
                error: f64,
                limit: f64,
            ) -> Option<Separation<$vector<f64>>> {
                let other = posed(Block(other.half_extents()), place);
                convex_pair::relate_solids(self, &other, [0.0; 2], error, limit, &mut ())
            }
            fn touch(&self, other: &Cuboid<f64>, place: &Place, error: f64) -> bool {
                let other = posed(Block(other.half_extents()), place);
                convex_pair::touch_solids(self, &other, [0.0; 2], error)
            }
        }

        /// The largest coordinate of a shape, without a copy of it where that would cost.
        #[inline]
        fn wide_size<T: Real>(shape: ShapeRef<'_, T>) -> f64 {
            match shape {
                ShapeRef::$kind(shape) => Resize::size(&shape.view()),
                other => Resize::size(&other.widen()),
            }
        }

        /// The answer for two polytopes with faces; `None` for other kinds. The poses are finite.
        #[inline]
        fn ask_solids<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
        ) -> Option<Result<Q::Answer, Error>> {
            match (a, b) {
                (ShapeRef::$kind(a), ShapeRef::$kind(b)) => {
                    let (wide_a, wide_b) = (pose_a.widen(), pose_b.widen());
                    let in_order = a.before(b).or_else(|| poses_in_order(wide_a, wide_b));
                    let (a, b) = ((&a.view(), &wide_a), (&b.view(), &wide_b));
                    let swapped = in_order == Some(false);
                    let (first, second) = order::swapped_if(swapped, a, b);
                    Some(called(question, first, second, swapped))
                }
                (ShapeRef::$kind(a), ShapeRef::Cuboid(b)) => Some(called(
                    question,
                    (&a.view(), &pose_a.widen()),
                    (b, &pose_b.widen()),
                    false,
                )),
                (ShapeRef::Cuboid(a), ShapeRef::$kind(b)) => {
                    Some(called(question, (&b.view(), &pose_b.widen()), (a, &pose_a.widen()), true))
                }
                _ => None,
            }
        }

        /// How two bodies relate, in the canonical order, if they are such polytopes; `Some(None)` when they
        /// are farther apart than `limit`.
        fn relate_solids(
            (a, b): (&Body<'_>, &Body<'_>),
            place: &Place,
            radii: [f64; 2],
            error: f64,
            limit: f64,
        ) -> Option<Option<Separation<$vector<f64>>>> {
            match (a, b) {
                (Body::$kind(a), Body::$kind(b)) => {
                    let b = posed(b.clone(), place);
                    Some(convex_pair::relate_solids(a, &b, radii, error, limit, &mut ()))
                }
                (Body::$kind(a), Body::Block(b)) => {
                    Some(convex_pair::relate_solids(a, &posed(*b, place), radii, error, limit, &mut ()))
                }
                _ => None,
            }
        }

        /// Whether two bodies touch, if they are such polytopes.
        fn touch_solids(
            (a, b): (&Body<'_>, &Body<'_>),
            place: &Place,
            radii: [f64; 2],
            error: f64,
        ) -> Option<bool> {
            match (a, b) {
                (Body::$kind(a), Body::$kind(b)) => {
                    Some(convex_pair::touch_solids(a, &posed(b.clone(), place), radii, error))
                }
                (Body::$kind(a), Body::Block(b)) => {
                    Some(convex_pair::touch_solids(a, &posed(*b, place), radii, error))
                }
                _ => None,
            }
        }
    };
}

pub(crate) use solid_pairs;
