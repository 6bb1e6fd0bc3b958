//! Hits: points that come down together share the impulse, and what bounces, bounces. Written once for both dimensions.

/// The functions `meet` and `restitute` of a dimension, over its `Common`, `Velocities` and `Moved`: for contacts of `$points` points with
/// arms of type `$vector`, which are gone through in the order `$there_and_back`.
macro_rules! hits {
    ($vector:ident { $($axis:ident),+ }, points: $points:expr, order: $there_and_back:expr) => {
        /// What several points hit with, at once; see [`Engine::meet`](super::Engine::meet).
        #[inline(always)]
        pub(crate) fn meet<T: Wide>(
            token: T::Token,
            block: &mut Block<'_, T>,
            states: &[Cell<Quad>],
            step: &StepFactors,
        ) {
            let common = Common::load(token, block);
            let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
            let slow = T::splat(token, -step.restitution_speed);
            let inverse_h = T::splat(token, step.inverse_h);
            let mut a = Velocities::gather(token, block, states, 0);
            let mut b = Velocities::gather(token, block, states, 1);
            let moved = Moved::load(token, block, states, common.normal);
            let mut count = zero;
            let mut goals = [Goal { share: zero, speed: zero }; $points];
            for (index, goal) in goals.iter_mut().enumerate() {
                let first = point_row(index);
                let arm = vector(token, block, first + row::ARM);
                let ahead =
                    moved.separation(token, block, first, arm, common.offset).max_of(zero) * inverse_h;
                let speed = common.relative(&a, &b, arm).dot(common.normal);
                // What came fast, and arrives in this sub-step or has arrived.
                let bears = zero.less_than(block.get(token, first + row::IMPULSE));
                let share = T::select((speed + ahead).less_than(zero), one, T::select(bears, one, zero));
                let approach = block.get(token, first + row::APPROACH);
                *goal = Goal { share: T::select(approach.less_than(slow), share, zero), speed: -ahead };
                count = count + goal.share;
            }
            // A single point has nobody to share with, and waits for its turn.
            for goal in &mut goals {
                goal.share = T::select(one.less_than(count), goal.share, zero);
            }
            strike(token, block, &common, (&mut a, &mut b), &goals);
            a.scatter(token, block, states, 0);
            b.scatter(token, block, states, 1);
        }

        /// How fast the surfaces are to part at a point, and whether it shares in a hit: 1 or 0.
        #[derive(Clone, Copy)]
        struct Goal<T> {
            share: T,
            speed: T,
        }

        /// A hit: all points that share in it together, then one after the other, there and back twice. What does not bear, as on the far side of an
        /// edge, has given back by then what it was lent.
        #[inline(always)]
        fn strike<T: Wide>(
            token: T::Token,
            block: &mut Block<'_, T>,
            common: &Common<T>,
            (a, b): (&mut Velocities<T>, &mut Velocities<T>),
            goals: &[Goal<T>; $points],
        ) {
            let zero = T::splat(token, 0.0);
            let (mut struck_a, mut struck_b, mut count) = (*a, *b, zero);
            push_together(token, block, common, (&mut struck_a, &mut struck_b), goals);
            for index in $there_and_back {
                let (first, Goal { share, speed: goal }) = (point_row(index), goals[index]);
                let arm = vector(token, block, first + row::ARM);
                let old = block.get(token, first + row::IMPULSE);
                let speed = common.relative(&struck_a, &struck_b, arm).dot(common.normal);
                let wanted = old - block.get(token, first + row::MASS) * (speed - goal);
                let new = T::select(zero.less_than(share), wanted.max_of(zero), old);
                block.set(first + row::IMPULSE, new);
                common.push(&mut struck_a, &mut struck_b, arm, common.normal * (new - old));
                count = count + share;
            }
            // To the bit as they were where nothing is hit, whatever is in other lanes.
            let is_struck = zero.less_than(count);
            *a = Velocities::select(is_struck, struck_a, *a);
            *b = Velocities::select(is_struck, struck_b, *b);
        }

        /// One impulse for all points that share in a hit, in their middle, which each has the same part of.
        #[inline(always)]
        fn push_together<T: Wide>(
            token: T::Token,
            block: &mut Block<'_, T>,
            common: &Common<T>,
            (a, b): (&mut Velocities<T>, &mut Velocities<T>),
            goals: &[Goal<T>; $points],
        ) {
            let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
            let (mut count, mut goal, mut least) = (zero, zero, T::splat(token, f32::INFINITY));
            let mut arm = $vector { $($axis: zero),+ };
            for (index, Goal { share, speed }) in goals.iter().enumerate() {
                let first = point_row(index);
                count = count + *share;
                goal = goal + *speed * *share;
                arm += vector(token, block, first + row::ARM) * *share;
                let impulse = block.get(token, first + row::IMPULSE);
                least = T::select(zero.less_than(*share), impulse.min_of(least), least);
            }
            let part = inverse(count);
            let (arm, goal) = (arm * part, goal * part);
            let speed = common.relative(a, b, arm).dot(common.normal);
            // None of them pulls.
            let each = (inverse(common.resistance(arm)) * (goal - speed) * part).max_of(-least);
            let is_shared = one.less_than(count);
            for (index, Goal { share, .. }) in goals.iter().enumerate() {
                let at = point_row(index) + row::IMPULSE;
                let old = block.get(token, at);
                block.set(at, T::select(is_shared, old + each * *share, old));
            }
            common.push(a, b, arm, common.normal * (T::select(is_shared, each, zero) * count));
        }

        /// What bounces, bounces.
        #[inline(always)]
        pub(crate) fn restitute<T: Wide>(
            token: T::Token,
            block: &mut Block<'_, T>,
            states: &[Cell<Quad>],
            step: &StepFactors,
        ) {
            let common = Common::load(token, block);
            let zero = T::splat(token, 0.0);
            let slow = T::splat(token, -step.restitution_speed);
            let restitution = block.get(token, row::RESTITUTION);
            let mut a = Velocities::gather(token, block, states, 0);
            let mut b = Velocities::gather(token, block, states, 1);
            // Only what came fast enough and was stopped bounces.
            let one = T::splat(token, 1.0);
            let mut goals = [Goal { share: zero, speed: zero }; $points];
            for (index, goal) in goals.iter_mut().enumerate() {
                let first = point_row(index);
                let approach = block.get(token, first + row::APPROACH);
                let was_stopped = zero.less_than(block.get(token, first + row::PEAK));
                let share = T::select(approach.less_than(slow), T::select(was_stopped, one, zero), zero);
                *goal = Goal { share, speed: -(restitution * approach) };
            }
            strike(token, block, &common, (&mut a, &mut b), &goals);
            for first in (0..goals.len()).map(point_row) {
                let peak = block.get(token, first + row::PEAK);
                block.set(first + row::PEAK, block.get(token, first + row::IMPULSE).max_of(peak));
            }
            a.scatter(token, block, states, 0);
            b.scatter(token, block, states, 1);
        }
    };
}

pub(super) use hits;
