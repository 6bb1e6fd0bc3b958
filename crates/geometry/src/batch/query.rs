//! The public questions about many pairs, generated for both dimensions.

/// The functions `intersects_batch`, `intersects_batch_at`, `distance_batch`, `contact_batch`, `contact_within_batch`,
/// `manifold_batch` and `manifold_within_batch` of a dimension.
///
/// The dimension supplies the functions for one pair, the name of its lanes, how to take a rotation apart, and how
/// many fields each kind of pair has.
macro_rules! batch_queries {
    (
        $vector:ident, $pose:ident, $space:ident, $rotation_numbers:expr,
        fields: [$balls:literal, $ball_box:literal, $capsules:literal, $capsule_box:literal, $boxes:literal],
        $(intersects: $intersects_example:literal, level: $level_example:literal, distance: $distance_example:literal,
        contact: $contact_example:literal, contact_within: $within_example:literal,
        manifold: $manifold_example:literal, manifold_within: $manifold_within_example:literal)?
    ) => {
        /// [`intersects`] for every pair, the answer of pair k in `answers[k]`: the same, several times quicker for balls, boxes
        /// and capsules. See [`crate::batch`].
        ///
        /// A pair that cannot be answered has `None` in its place and does not touch the others; [`intersects`] says why. An
        /// answer is one byte, so that those of thousands of pairs stay in the fastest cache.
        ///
        /// # Errors
        /// When there are not as many answers as pairs; then no answer is written.
        ///
        /// # Example
        /// ```
        $(#[doc = $intersects_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn intersects_batch<T, L>(pairs: &L, answers: &mut [Option<bool>]) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            intersects_batch_at(Level::new(), pairs, answers)
        }

        /// [`intersects_batch`] with the instruction set `level`, to compare their speed. The answers are the same
        /// at each.
        ///
        /// # Errors
        /// As for [`intersects_batch`].
        ///
        /// # Example
        /// ```
        $(#[doc = $level_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn intersects_batch_at<T, L>(
            level: Level,
            pairs: &L,
            answers: &mut [Option<bool>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            one_for_each(pairs.len(), answers.len())?;
            // Which of the two it is is a coin toss, so it is computed, not branched on.
            let certain = |verdict: f32| (verdict != 0.0).then_some(Some(verdict < 0.0));
            filtered(pairs, (level, 0.0), answers, certain, |pair| {
                pair.and_then(|pair| intersects(pair.a, *pair.pose_a, pair.b, *pair.pose_b)).ok()
            });
            Ok(())
        }

        /// [`contact`](super::contact) for every pair, the answer of pair k in `answers[k]`: the same to the bit. The pairs that
        /// are apart are found in lanes, for balls, boxes and capsules; those that touch go one by one.
        ///
        /// # Errors
        /// As for [`intersects_batch`].
        ///
        /// # Example
        /// ```
        $(#[doc = $contact_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn contact_batch<T, L>(
            pairs: &L,
            answers: &mut [Result<Option<Contact<$vector<T>>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            contact_within_batch(pairs, T::ZERO, answers)
        }

        /// [`contact_within`] for every pair, with one margin; see [`contact_batch`].
        ///
        /// # Errors
        /// As for [`intersects_batch`], and when the margin is negative or not finite.
        ///
        /// # Example
        /// ```
        $(#[doc = $within_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn contact_within_batch<T, L>(
            pairs: &L,
            margin: T,
            answers: &mut [Result<Option<Contact<$vector<T>>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            one_for_each(pairs.len(), answers.len())?;
            let margin = not_negative("margin", margin)?;
            apart_or(pairs, margin, answers, |pair| {
                pair.and_then(|pair| contact_within(pair.a, *pair.pose_a, pair.b, *pair.pose_b, margin))
            });
            Ok(())
        }

        /// [`manifold`](super::manifold) for every pair, the answer of pair k in `answers[k]`: the same to the bit. The pairs that
        /// are apart are found as by [`contact_batch`].
        ///
        /// # Errors
        /// As for [`intersects_batch`].
        ///
        /// # Example
        /// ```
        $(#[doc = $manifold_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifold_batch<T, L>(
            pairs: &L,
            answers: &mut [Result<Option<Manifold<$vector<T>>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            manifold_within_batch(pairs, T::ZERO, answers)
        }

        /// [`manifold_within`] for every pair, with one margin; see [`manifold_batch`].
        ///
        /// # Errors
        /// As for [`contact_within_batch`].
        ///
        /// # Example
        /// ```
        $(#[doc = $manifold_within_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifold_within_batch<T, L>(
            pairs: &L,
            margin: T,
            answers: &mut [Result<Option<Manifold<$vector<T>>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            one_for_each(pairs.len(), answers.len())?;
            let margin = not_negative("margin", margin)?;
            apart_or(pairs, margin, answers, |pair| {
                pair.and_then(|pair| manifold_within(pair.a, *pair.pose_a, pair.b, *pair.pose_b, margin))
            });
            Ok(())
        }

        /// `None` for the pairs that the lanes find farther apart than the margin, what `answer` says for the others.
        #[inline(always)]
        fn apart_or<T, L, A>(
            pairs: &L,
            margin: T,
            answers: &mut [Result<Option<A>, Error>],
            answer: impl Fn(Result<Pair<'_, L::A, L::B, $pose<T>>, Error>) -> Result<Option<A>, Error> + Copy,
        ) where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            let certain = |verdict: f32| (0.0 < verdict).then_some(Ok(None));
            filtered(pairs, (Level::new(), f32::from_f64_up(margin.to_f64())), answers, certain, answer);
        }

        /// [`distance`] for every pair, the answer of pair k in `answers[k]`: the same to the bit, and as quick as a
        /// loop, for that is what it is.
        ///
        /// # Errors
        /// As for [`intersects_batch`].
        ///
        /// # Example
        /// ```
        $(#[doc = $distance_example])?
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn distance_batch<T, L>(
            pairs: &L,
            answers: &mut [Result<Distance<$vector<T>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            one_for_each(pairs.len(), answers.len())?;
            for (index, answer) in answers.iter_mut().enumerate() {
                *answer =
                    pairs.pair(index).and_then(|pair| distance(pair.a, *pair.pose_a, pair.b, *pair.pose_b));
            }
            Ok(())
        }

        /// Sorts the pairs into rows, one for each kind that has a filter, and answers each row when it is full.
        /// What becomes of a pair does not depend on the others: rows only decide when it is answered.
        #[inline(always)]
        fn filtered<T, L, A>(
            pairs: &L,
            filter: (Level, f32),
            answers: &mut [A],
            certain: impl Fn(f32) -> Option<A> + Copy,
            answer: impl Fn(Result<Pair<'_, L::A, L::B, $pose<T>>, Error>) -> A + Copy,
        ) where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            let one_by_one = |index: usize| answer(pairs.pair(index));
            let mut balls = Row::<$balls>::new();
            let mut boxes = Row::<$boxes>::new();
            let mut ball_box = Row::<$ball_box>::new();
            let mut capsules = Row::<$capsules>::new();
            let mut capsule_box = Row::<$capsule_box>::new();

            let (mut next, count) = (0, answers.len());
            while next < count {
                let first = next;
                next = fill_balls(&mut balls, pairs, next..count);
                if balls.is_full() {
                    balls.flush::<$space, Balls, _>(filter, answers, certain, one_by_one);
                }
                next = fill_boxes(&mut boxes, pairs, next..count);
                if boxes.is_full() {
                    boxes.flush::<$space, Boxes, _>(filter, answers, certain, one_by_one);
                }
                next = fill_ball_box(&mut ball_box, pairs, next..count);
                if ball_box.is_full() {
                    ball_box.flush::<$space, BallBox, _>(filter, answers, certain, one_by_one);
                }
                next = fill_capsules(&mut capsules, pairs, next..count);
                if capsules.is_full() {
                    capsules.flush::<$space, Capsules, _>(filter, answers, certain, one_by_one);
                }
                next = fill_capsule_box(&mut capsule_box, pairs, next..count);
                if capsule_box.is_full() {
                    capsule_box.flush::<$space, CapsuleBox, _>(filter, answers, certain, one_by_one);
                }
                if next == first {
                    // Another kind, or no pair at all.
                    answers[first] = one_by_one(first);
                    next += 1;
                }
            }
            balls.flush::<$space, Balls, _>(filter, answers, certain, one_by_one);
            boxes.flush::<$space, Boxes, _>(filter, answers, certain, one_by_one);
            ball_box.flush::<$space, BallBox, _>(filter, answers, certain, one_by_one);
            capsules.flush::<$space, Capsules, _>(filter, answers, certain, one_by_one);
            capsule_box.flush::<$space, CapsuleBox, _>(filter, answers, certain, one_by_one);
        }

        /// As many pairs of balls as come next.
        #[inline(never)] // a loop of its own: with all of them in one, its numbers would not fit into registers
        fn fill_balls<T, L>(row: &mut Row<$balls>, pairs: &L, indices: Range<usize>) -> usize
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            row.fill(indices, |index, column| {
                let pair = pairs.pair(index).ok()?;
                let (a, b) = (ball(pair.a)?, ball(pair.b)?);
                column.vector(pair.pose_b.translation - pair.pose_a.translation);
                column.number(a.radius() + b.radius());
                column.unused($rotation_numbers(pair.pose_a.rotation), $rotation_numbers(pair.pose_b.rotation));
                Some(())
            })
        }

        /// As many pairs of boxes as come next.
        #[inline(never)] // a loop of its own: with all of them in one, its numbers would not fit into registers
        fn fill_boxes<T, L>(row: &mut Row<$boxes>, pairs: &L, indices: Range<usize>) -> usize
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            row.fill(indices, |index, column| {
                let pair = pairs.pair(index).ok()?;
                let (a, b) = (cuboid(pair.a)?, cuboid(pair.b)?);
                column.vector(pair.pose_b.translation - pair.pose_a.translation);
                column.numbers($rotation_numbers(pair.pose_a.rotation));
                column.numbers($rotation_numbers(pair.pose_b.rotation));
                column.vector(a.half_extents());
                column.vector(b.half_extents());
                Some(())
            })
        }

        /// As many pairs of a box and a ball as come next, in either order.
        #[inline(never)] // a loop of its own: with all of them in one, its numbers would not fit into registers
        fn fill_ball_box<T, L>(row: &mut Row<$ball_box>, pairs: &L, indices: Range<usize>) -> usize
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            row.fill(indices, |index, column| {
                let pair = pairs.pair(index).ok()?;
                let ((cuboid, at), (ball, to)) = box_and(&pair, ball, ball)?;
                column.vector(to.translation - at.translation);
                column.numbers($rotation_numbers(at.rotation));
                column.vector(cuboid.half_extents());
                column.number(ball.radius());
                column.unused($rotation_numbers(to.rotation), $rotation_numbers(to.rotation));
                Some(())
            })
        }

        /// As many pairs of capsules, or of a capsule and a ball, as come next.
        #[inline(never)] // a loop of its own: with all of them in one, its numbers would not fit into registers
        fn fill_capsules<T, L>(row: &mut Row<$capsules>, pairs: &L, indices: Range<usize>) -> usize
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            row.fill(indices, |index, column| {
                let pair = pairs.pair(index).ok()?;
                let (a, b) = (rod(pair.a)?, rod(pair.b)?);
                if ball(pair.a).is_some() && ball(pair.b).is_some() {
                    return None; // they have their own row
                }
                column.vector(pair.pose_b.translation - pair.pose_a.translation);
                column.numbers($rotation_numbers(pair.pose_a.rotation));
                column.numbers($rotation_numbers(pair.pose_b.rotation));
                column.vector(a.end);
                column.vector(a.along);
                column.vector(b.end);
                column.vector(b.along);
                column.number(a.radius + b.radius);
                Some(())
            })
        }

        /// As many pairs of a box and a capsule as come next, in either order.
        #[inline(never)] // a loop of its own: with all of them in one, its numbers would not fit into registers
        fn fill_capsule_box<T, L>(row: &mut Row<$capsule_box>, pairs: &L, indices: Range<usize>) -> usize
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $pose<T>> + ?Sized,
        {
            row.fill(indices, |index, column| {
                let pair = pairs.pair(index).ok()?;
                let ((cuboid, at), (capsule, to)) = box_and(&pair, capsule, capsule)?;
                column.vector(to.translation - at.translation);
                column.numbers($rotation_numbers(at.rotation));
                column.numbers($rotation_numbers(to.rotation));
                column.vector(cuboid.half_extents());
                let (a, b) = (capsule.segment().a(), capsule.segment().b());
                column.vector(a);
                column.vector(b - a);
                column.number(capsule.radius());
                Some(())
            })
        }

        #[inline(always)]
        fn capsule<T: Real>(shape: &impl AsShape<T>) -> Option<&Capsule<T>> {
            if let ShapeRef::Capsule(capsule) = shape.as_shape() { Some(capsule) } else { None }
        }

        #[inline(always)]
        fn ball<T: Real>(shape: &impl AsShape<T>) -> Option<&Ball<T>> {
            if let ShapeRef::Ball(ball) = shape.as_shape() { Some(ball) } else { None }
        }

        #[inline(always)]
        fn cuboid<T: Real>(shape: &impl AsShape<T>) -> Option<&Cuboid<T>> {
            if let ShapeRef::Cuboid(cuboid) = shape.as_shape() { Some(cuboid) } else { None }
        }

        /// A box and its pose, and another shape of one kind and its pose, if the pair is one of each: `of_a` and `of_b` find that
        /// kind.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // two pairs, taken apart at once
        fn box_and<'a, T: Real, A: AsShape<T>, B: AsShape<T>, S>(
            pair: &Pair<'a, A, B, $pose<T>>,
            of_a: impl Fn(&'a A) -> Option<&'a S>,
            of_b: impl Fn(&'a B) -> Option<&'a S>,
        ) -> Option<((&'a Cuboid<T>, &'a $pose<T>), (&'a S, &'a $pose<T>))> {
            match (cuboid(pair.a), of_b(pair.b)) {
                (Some(cuboid), Some(other)) => Some(((cuboid, pair.pose_a), (other, pair.pose_b))),
                _ => match (of_a(pair.a), cuboid(pair.b)) {
                    (Some(other), Some(cuboid)) => Some(((cuboid, pair.pose_b), (other, pair.pose_a))),
                    _ => None,
                },
            }
        }

        /// A capsule, or a ball, which is one without length.
        struct Rod<T> {
            end: $vector<T>,
            /// The vector to the other end.
            along: $vector<T>,
            radius: T,
        }

        #[inline(always)]
        fn rod<T: Real>(shape: &impl AsShape<T>) -> Option<Rod<T>> {
            match shape.as_shape() {
                ShapeRef::Capsule(capsule) => {
                    let (a, b) = (capsule.segment().a(), capsule.segment().b());
                    Some(Rod { end: a, along: b - a, radius: capsule.radius() })
                }
                ShapeRef::Ball(ball) => {
                    Some(Rod { end: $vector::ZERO, along: $vector::ZERO, radius: ball.radius() })
                }
                _ => None,
            }
        }
    };
}

pub(crate) use batch_queries;
