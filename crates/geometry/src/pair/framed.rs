//! A pair in the frame of its first shape, at a scale that suits the kernels, and the way back; which of two shapes is the first.

/// The struct `Pair` of a dimension, and the canonical order of two placed shapes: `comes_after`, `shapes_in_order`, `poses_in_order`.
///
/// The dimension supplies what [`super::dispatch`] generates (`rank`, `relate_within`) and the numbers of a rotation.
macro_rules! pair_frame {
    ($vector:ident, $pose:ident, $rotation_numbers:expr) => {
        /// A pair as the kernel sees it, and the way back.
        ///
        /// Kernels are lent a copy of the place: were it this one, then for all the compiler knows, what a kernel calls in
        /// doubt could change the rest as well, which would be read from memory again, and the factor 1 of `f32` divided by.
        pub(crate) struct Pair {
            /// The second shape in the canonical order, seen from the first; rescaled.
            pub(crate) place: Relative<$vector<f64>, Matrix>,
            /// From the frame of the first shape to the world.
            pub(crate) turn: Matrix,
            /// Whether that is the identity: then nothing is turned.
            pub(crate) is_upright: bool,
            pub(crate) origin: $vector<f64>,
            /// All lengths were multiplied by this power of two.
            pub(crate) factor: f64,
            /// The rounding errors of the kernel are below this.
            pub(crate) error: f64,
            /// The canonical order is b, a.
            pub(crate) swapped: bool,
        }

        impl Pair {
            /// The size of the pair, which the rounding errors are relative to, at the caller's scale.
            #[inline(always)]
            pub(crate) fn size(&self) -> f64 {
                self.error * (1.0 / ROUNDING) / self.factor
            }

            /// What the kernel found, in the world frame and ready to be rounded to `T`.
            #[inline(always)]
            fn found<T: Real>(&self, found: Separation<$vector<f64>>) -> Found<Separation<$vector<f64>>> {
                let size = self.size();
                Found {
                    answer: self.to_world(found),
                    apart: crate::scale::length_back(found.separation, self.factor),
                    input: rounded_input::<T>(size),
                    is_in_range: is_in_range::<T>(self.origin.max_abs() + 4.0 * size),
                }
            }
        }

        impl Pair {
            #[inline(always)]
            pub(crate) fn new(
                a: &Shape<f64>,
                pose_a: $pose<f64>,
                b: &Shape<f64>,
                pose_b: $pose<f64>,
            ) -> Result<Self, Error> {
                let swapped = comes_after(a, pose_a, b, pose_b);
                let (first, second) = if swapped { (pose_b, pose_a) } else { (pose_a, pose_b) };
                let between = second.translation - first.translation;
                let (size_a, size_b) = (Resize::size(a), Resize::size(b));
                let factor =
                    rescaling_of::<f64>(between.max_abs().max_of(size_a.max_of(size_b)), || f64::INFINITY)?;
                let turn = first.rotation.to_matrix();
                // The last kind in the canonical order is the ball, which looks the same in every turn.
                let rotation = if matches!((a, b), (Shape::Ball(_), _) | (_, Shape::Ball(_))) {
                    turn
                } else {
                    (first.rotation.inverse() * second.rotation).to_matrix()
                };
                let sum = between.max_abs() * factor + (size_a * factor + size_b * factor);
                Ok(Pair {
                    place: Relative { rotation, translation: turn.undo(between * factor) },
                    turn,
                    is_upright: false,
                    origin: first.translation,
                    factor,
                    error: ROUNDING * sum,
                    swapped,
                })
            }

            /// The shapes in the canonical order and at the scale of the kernel.
            #[inline(always)]
            pub(crate) fn shapes<'a>(
                &self,
                a: &'a Shape<f64>,
                b: &'a Shape<f64>,
            ) -> [Cow<'a, Shape<f64>>; 2] {
                let in_order = if self.swapped { [b, a] } else { [a, b] };
                in_order.map(|shape| match self.factor {
                    1.0 => Cow::Borrowed(shape),
                    factor => Cow::Owned(shape.resized(factor)),
                })
            }

            /// How the shapes, as [`Pair::shapes`] gives them, relate in the frame of the first, by the same
            /// kernels as in [`separation`]; `None` where it is cheaper to see that they are farther apart than
            /// `limit`.
            #[inline]
            pub(crate) fn relate_within(
                &self,
                first: &Shape<f64>,
                second: &Shape<f64>,
                limit: f64,
            ) -> Option<Relation<$vector<f64>>> {
                let (place, error) = (&self.place, self.error);
                match (first, second) {
                    (Shape::Cuboid(a), Shape::Cuboid(b)) => {
                        let faces = best_face_axis(a.half_extents(), b.half_extents(), place);
                        (faces.separation <= limit + error)
                            .then(|| Relation::Separated(a.relate(b, place, error)))
                    }
                    (Shape::Cuboid(a), Shape::Capsule(b)) => {
                        // Far apart when a side of the box is between them.
                        let (p, q) = (place.point(b.segment().a()), place.point(b.segment().b()));
                        let gap = p.min_by_axis(q).max_by_axis(-p.max_by_axis(q)) - a.half_extents();
                        let reach = b.radius() + limit + 2.0 * error;
                        let is_far = (0..$vector::<f64>::DIM).any(|axis| reach < gap.get(axis));
                        (!is_far).then(|| Relation::Separated(a.relate(b, place, error)))
                    }
                    (Shape::Capsule(a), Shape::Capsule(b)) => {
                        // Far apart when the balls about their middles are.
                        let middle =
                            |segment: crate::shape::Segment<$vector<f64>>| (segment.a() + segment.b()) * 0.5;
                        let (one, other) = (a.segment(), b.segment());
                        let between = place.point(middle(other)) - middle(one);
                        let squares =
                            [one.b() - one.a(), other.b() - other.a()].map(|along| along.dot(along).sqrt());
                        let reach =
                            (squares[0] + squares[1]) * 0.5 + (a.radius() + b.radius()) + limit + 2.0 * error;
                        (between.dot(between) <= reach * reach)
                            .then(|| Relation::Separated(a.relate(b, place, error)))
                    }
                    _ => relate_within(first, second, place, error, limit),
                }
            }

            /// A vector of the frame of the pair in the world.
            #[inline(always)]
            pub(crate) fn turned(&self, v: $vector<f64>) -> $vector<f64> {
                if self.is_upright { v } else { self.turn.apply(v) }
            }

            #[inline(always)]
            pub(crate) fn to_world(&self, found: Separation<$vector<f64>>) -> Separation<$vector<f64>> {
                let back = 1.0 / self.factor;
                let to_world = |p: $vector<f64>| self.turned(p * back) + self.origin;
                let points = [to_world(found.point_a), to_world(found.point_b)];
                let normal = self.turned(found.normal);
                // Which way round is a coin toss: no branch.
                Separation {
                    separation: crate::scale::length_back(found.separation, self.factor),
                    error: crate::scale::error_back(found.error, self.factor),
                    normal: normal * crate::pair::nearest::sign_if(self.swapped),
                    point_a: points[usize::from(self.swapped)],
                    point_b: points[usize::from(!self.swapped)],
                }
            }
        }

        /// Whether the canonical order is b, a. See [`order`].
        #[inline(always)]
        pub(crate) fn comes_after(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
        ) -> bool {
            let (rank_a, rank_b) = (rank(a), rank(b));
            if rank_a != rank_b {
                return rank_b < rank_a;
            }
            let by_shape = match (a, b) {
                (Shape::Cuboid(a), Shape::Cuboid(b)) => order::before([a.half_extents()], [b.half_extents()]),
                (Shape::Capsule(a), Shape::Capsule(b)) => order::before_number(a.radius(), b.radius())
                    .or_else(|| {
                        order::before([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()])
                    }),
                (Shape::Segment(a), Shape::Segment(b)) => order::before([a.a(), a.b()], [b.a(), b.b()]),
                (Shape::Triangle(a), Shape::Triangle(b)) => order::before(a.corners(), b.corners()),
                (Shape::HalfSpace(a), Shape::HalfSpace(b)) => order::before_number(a.offset(), b.offset())
                    .or_else(|| order::before([a.normal()], [b.normal()])),
                _ => before_by_numbers(a, b),
            };
            by_shape.or_else(|| poses_in_order(pose_a, pose_b)) == Some(false)
        }

        /// Which of two placed shapes comes first in the canonical order; `None` for equal ones.
        pub(crate) fn shapes_in_order(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
        ) -> Option<bool> {
            match (comes_after(a, pose_a, b, pose_b), comes_after(b, pose_b, a, pose_a)) {
                (true, _) => Some(false),
                (false, true) => Some(true),
                // Two balls are ordered by their kernel; as parts they tell apart what they are parts of.
                (false, false) => match (a, b) {
                    (Shape::Ball(a), Shape::Ball(b)) => order::before_number(b.radius(), a.radius()),
                    _ => None,
                },
            }
        }

        /// Whether the first pose comes before the second in the canonical order; `None` for equal ones.
        #[cold]
        fn poses_in_order(a: $pose<f64>, b: $pose<f64>) -> Option<bool> {
            order::before([a.translation], [b.translation]).or_else(|| {
                let (numbers_a, numbers_b) = ($rotation_numbers(a.rotation), $rotation_numbers(b.rotation));
                numbers_a.into_iter().zip(numbers_b).find_map(|(x, y)| order::before_number(x, y))
            })
        }
    };
}

pub(crate) use pair_frame;
