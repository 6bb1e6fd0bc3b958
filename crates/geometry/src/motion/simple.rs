//! The way between points, rods and boxes, for the search for their first touch.
//!
//! The proof that is made with a direction holds for any ([`certificate`](super::certificate)), so that nobody needs to know here in which
//! order the shapes are best looked at, how deep they are when they overlap, or the last digits. Frame: the axes of the world.

use crate::answer::Separation;
use crate::pair::between::Between;
use crate::pair::boxes::{Boxes, EdgeAxes};
use crate::pair::core::Flats;
use crate::pair::place::Relative;
use crate::pair::rods::BoxAndRod;
use crate::pair::segments::Segments;
use carom_math::{Vector, power_of_two};
use core::marker::PhantomData;

/// A core that is known by a few numbers, in the frame of its shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Simple<V> {
    /// By its ends, which are one for a point.
    Rod([V; 2]),
    /// About the origin.
    Block(V),
}

/// A point of one of two boxes, in its own frame, than which none is nearer to the other: a corner if there is one, since that mostly stays nearest while they turn.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nearest<V> {
    OfFirst(V),
    OfSecond(V),
}

/// Two of them where they are: turned, and the origin of the second seen from that of the first.
pub(crate) struct SimplePair<V, M> {
    pub(crate) cores: [Simple<V>; 2],
    pub(crate) turns: [M; 2],
    pub(crate) between: V,
    /// No gap that is computed here is farther from the truth.
    pub(crate) error: f64,
}

impl<V: Flats, M: EdgeAxes<V>> SimplePair<V, M> {
    /// The way from the first to the second where they are nearest, but for a millionth, and of two boxes a point that is nearest. `None` where it takes another
    /// search: what touches or overlaps, and boxes with edges that are all but parallel.
    #[inline]
    pub(crate) fn way_between(&self) -> Option<(V, Option<Nearest<V>>)> {
        let SimplePair { cores, turns: [turn_a, turn_b], between, error } = *self;
        let way = match cores {
            [Simple::Rod(a), Simple::Rod(b)] => {
                let (a, b) = (a.map(|end| turn_a.apply(end)), b.map(|end| turn_b.apply(end) + between));
                self.nearly(&Segments { a, b, radii: [0.0; 2], error }.between())
            }
            [Simple::Block(half), Simple::Rod(b)] => {
                self.block_to_rod(half, turn_a, b.map(|end| turn_b.apply(end) + between))
            }
            [Simple::Rod(a), Simple::Block(half)] => {
                self.block_to_rod(half, turn_b, a.map(|end| turn_a.apply(end) - between)).map(|way| -way)
            }
            [Simple::Block(a), Simple::Block(b)] => {
                let near = self.between_boxes(a, b)?;
                // Corners are what they are, to the bit.
                let is_corner = near.point_a.abs_by_axis() == a;
                let point = if is_corner {
                    Nearest::OfFirst(near.point_a)
                } else {
                    Nearest::OfSecond(turn_b.undo(turn_a.apply(near.point_b) - between))
                };
                return Some((turn_a.apply(near.normal), Some(point)));
            }
        };
        way.map(|way| (way, None))
    }

    /// Whether both are boxes and a point of one of them is inside of the other by more than rounding.
    #[inline]
    pub(crate) fn are_joined_at(&self, point: Nearest<V>) -> bool {
        let SimplePair { cores, turns: [turn_a, turn_b], between, error } = *self;
        let [Simple::Block(half_a), Simple::Block(half_b)] = cores else { return false };
        let beyond = match point {
            Nearest::OfFirst(point) => turn_b.undo(turn_a.apply(point) - between).abs_by_axis() - half_b,
            Nearest::OfSecond(point) => turn_a.undo(turn_b.apply(point) + between).abs_by_axis() - half_a,
        };
        (0..V::DIM).all(|axis| beyond.get(axis) <= -error)
    }

    /// The nearest points, if that does not take another search.
    #[inline]
    pub(crate) fn nearest_points(&self) -> Option<Separation<V>> {
        let [Simple::Block(a), Simple::Block(b)] = self.cores else { return None };
        let (turn, near) = (self.turns[0], self.between_boxes(a, b)?);
        Some(Separation {
            normal: turn.apply(near.normal),
            point_a: turn.apply(near.point_a),
            point_b: turn.apply(near.point_b),
            ..near
        })
    }

    /// In the frame of the first.
    #[inline]
    fn between_boxes(&self, a: V, b: V) -> Option<Separation<V>> {
        let [turn_a, turn_b] = self.turns;
        let place = Relative { rotation: turn_b.seen_from(turn_a), translation: turn_a.undo(self.between) };
        Boxes { a, b, place: &place, error: self.error }.relate_apart()
    }

    /// From a box to a rod, whose ends are as seen from the middle of the box.
    #[inline]
    fn block_to_rod(&self, half: V, turn: M, ends: [V; 2]) -> Option<V> {
        let ends = ends.map(|end| turn.undo(end));
        let pair = BoxAndRod { half, ends, radius: 0.0, error: self.error, turn: PhantomData::<M> };
        Some(turn.apply(self.nearly(&pair.between().0)?))
    }

    #[inline(always)]
    fn nearly(&self, between: &Between<V>) -> Option<V> {
        is_nearest(between.gap, between.low, self.error).then_some(between.gap)
    }
}

/// Whether the slab across a way between two points, which is as thick as low/|way|, leaves out no more than a millionth of
/// it, and the way is more than rounding.
#[inline(always)]
fn is_nearest<V: Vector<Scalar = f64>>(way: V, low: f64, error: f64) -> bool {
    let squared = way.dot(way);
    (error * error < squared) & (squared * (1.0 - power_of_two(-20)) <= low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::ROUNDING;
    use crate::pair::core::{self, Core};
    use carom_math::{Mat2, Mat3, Quat, Rot2, Vec2, Vec3};
    use carom_oracle::generate::Rng;

    /// A slab across the way is as thick as the cores are apart, by the general kernel; and most pairs that are apart have one.
    fn check<V: Flats, M: EdgeAxes<V>>(turn: impl Fn(&mut Rng) -> M) {
        let mut rng = Rng::new(8);
        let (mut told, mut apart, mut boxes, mut inside) = (0, 0, 0, 0);
        for round in 0..4000 {
            // Flat, upright and touching ones too.
            let mut number = |size: f64| {
                let any = rng.uniform(-size, size);
                if round % 4 == 0 { (any * 4.0).round() * 0.25 } else { any }
            };
            let mut vector = |size: f64| V::from_fn(|_| number(size));
            let mut core = |kind: usize| match kind {
                0 => Simple::Rod([vector(1.0); 2]),
                1 => Simple::Rod([vector(1.0), vector(1.0)]),
                _ => Simple::Block(vector(1.0).abs_by_axis()),
            };
            let cores = [core(round % 3), core(round / 3 % 3)];
            let between = vector(3.0);
            let turns = if round % 4 == 0 { [M::IDENTITY; 2] } else { [turn(&mut rng), turn(&mut rng)] };
            let error = ROUNDING * 8.0;
            let pair = SimplePair { cores, turns, between, error };
            let placed = |core: Simple<V>, rotation: M, translation: V| match core {
                Simple::Rod([p, q]) => {
                    Core::segment(rotation.apply(p) + translation, rotation.apply(q) + translation)
                }
                Simple::Block(half) => Core::cuboid(half, &Relative { rotation, translation }),
            };
            let [a, b] = [placed(cores[0], turns[0], V::ZERO), placed(cores[1], turns[1], between)];
            let truth = core::relate(&a, &b, [0.0; 2], error);
            apart += usize::from(error < truth.separation);
            let Some((way, nearest)) = pair.way_between() else { continue };
            told += 1;
            let normal = way.normalized().unwrap_or(V::ZERO);
            let thickness = b.extent_along(normal)[0] - a.extent_along(normal)[1];
            let least = truth.separation * (1.0 - 1e-6) - error;
            assert!(least <= thickness, "{cores:?} {between:?} {thickness} {truth:?}");
            if let Some(point) = nearest {
                // On a side of the slab; and inside of the other box once that is moved there, which must not be told of boxes that are apart.
                let above = match point {
                    Nearest::OfFirst(point) => normal.dot(turns[0].apply(point)) - a.extent_along(normal)[1],
                    Nearest::OfSecond(point) => {
                        normal.dot(turns[1].apply(point) + between) - b.extent_along(normal)[0]
                    }
                };
                assert!(above.abs() <= 4.0 * error, "{cores:?} {between:?} {above}");
                assert!(!pair.are_joined_at(point), "{cores:?} {between:?}");
                let closer = between - normal * (truth.separation + 4.0 * error);
                let moved = SimplePair { between: closer, ..pair };
                let [a, b] = [placed(cores[0], turns[0], V::ZERO), placed(cores[1], turns[1], closer)];
                let touches = core::relate(&a, &b, [0.0; 2], error).separation <= 0.0;
                let told = moved.are_joined_at(point);
                assert!(touches || !told, "{cores:?} {between:?}");
                (boxes, inside) = (boxes + 1, inside + usize::from(told));
            }
            if let Some(near) = pair.nearest_points() {
                assert!((near.separation - truth.separation).abs() <= error, "{cores:?} {between:?}");
                assert!(
                    (near.point_b - near.point_a - near.normal * near.separation).length() <= 4.0 * error
                );
            }
        }
        assert!(1500 < apart && apart - apart / 50 < told && told <= apart, "{told} of {apart}");
        assert!(boxes / 2 < inside && inside <= boxes, "{inside} of {boxes}");
    }

    #[test]
    fn ways_part_what_is_apart() {
        check::<Vec2<f64>, Mat2<f64>>(|rng| Rot2::from_angle(rng.uniform(-4.0, 4.0)).to_matrix());
        check::<Vec3<f64>, Mat3<f64>>(|rng| {
            let vector = [0; 3].map(|_| rng.uniform(-2.0, 2.0));
            Quat::from_rotation_vector(Vec3::from(vector)).to_matrix()
        });
    }
}
