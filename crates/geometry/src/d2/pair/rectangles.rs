//! Boxes and capsules of the plane with each other, for answers in `f32`.
//!
//! A capsule is a box without height and with a radius. Which of two boxes lends the axis, which axis that is, and whether
//! they overlap are coin tosses that no processor foresees, so all of it is chosen by weights, and there is one branch at the
//! end: what is not proved is left to the kernels of the kinds. Steps:
//!
//! 1. The separations along the four normals of sides. That with the largest one is the side that all else is seen from, with x
//!    out of it and y along it, about the middle of its box.
//! 2. The lowest corner of the other box, and its foot on the side. Apart, the side of the set of differences with the largest
//!    separation carries its nearest point (see [`apart_at_side`](crate::sat::apart_at_side)), so these are the nearest points.
//!    Overlapping, the other box touches the side with that corner when it is moved out along x. Where sides are parallel, the middle
//!    of what they share stands for the corner.
//! 3. Proof: the other box reaches no farther against their connection than the corner, or the foot is straight below it.
//!
//! Frame: the axes of the world, about the origin of the first shape. Of the 29 roundings that
//! [`ROUNDING`](crate::pair::ROUNDING) has room for, a turn takes 3, the direction of a segment 4, the relative turn 3, a centre 5
//! and a projection 5.

use super::unit_or_nan;
use crate::answer::Separation;
use crate::d2::shape::{Capsule, Cuboid};
use crate::pair::core::PROOF;
use crate::pair::nearest::{either, sign_of, weight};
use crate::pair::segments::Clearly;
use carom_math::{Number, Pose2, Real, Rot2, Vec2, Vector};

/// A box, or the segment of a capsule, with a radius around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    /// Cosine and sine of its first axis.
    turn: Vec2<f64>,
    center: Vec2<f64>,
    half: Vec2<f64>,
    pub(crate) radius: f64,
}

impl Rectangle {
    /// Whether it has no width or no height.
    #[inline(always)]
    pub(crate) fn is_thin(&self) -> bool {
        self.half.x * self.half.y == 0.0
    }
}

/// A kind that is such a rectangle.
pub(crate) trait Rectangular<T: Real> {
    /// Whether it is the segment of a capsule: then it has one edge with two sides.
    const IS_ROD: bool;
    fn rectangle(&self, pose: &Pose2<T>, origin: Vec2<f64>) -> Rectangle;
}

#[inline(always)]
fn unit<T: Real>(rotation: Rot2<T>) -> Vec2<f64> {
    let turn = unit_or_nan(rotation);
    Vec2::new(turn.cos(), turn.sin())
}

impl<T: Real> Rectangular<T> for Cuboid<T> {
    const IS_ROD: bool = false;
    #[inline(always)]
    fn rectangle(&self, pose: &Pose2<T>, origin: Vec2<f64>) -> Rectangle {
        Rectangle {
            turn: unit(pose.rotation),
            center: pose.translation.widen() - origin,
            half: self.half_extents().widen(),
            radius: 0.0,
        }
    }
}

impl<T: Real> Rectangular<T> for Capsule<T> {
    const IS_ROD: bool = true;
    /// Not a number for segments without length, which proves nothing.
    #[inline(always)]
    fn rectangle(&self, pose: &Pose2<T>, origin: Vec2<f64>) -> Rectangle {
        let (turn, a, b) = (unit(pose.rotation), self.segment().a().widen(), self.segment().b().widen());
        let along = turned(turn, b - a);
        let length = along.dot(along).sqrt();
        Rectangle {
            turn: along / length,
            center: turned(turn, (a + b) * 0.5) + (pose.translation.widen() - origin),
            half: Vec2::new(length * 0.5, 0.0),
            radius: self.radius().to_f64(),
        }
    }
}

/// `v`, turned by the angle with this cosine and sine.
#[inline(always)]
pub(crate) fn turned(turn: Vec2<f64>, v: Vec2<f64>) -> Vec2<f64> {
    Vec2::new(turn.x * v.x - turn.y * v.y, turn.x * v.y + turn.y * v.x)
}

#[inline(always)]
fn turned_back(turn: Vec2<f64>, v: Vec2<f64>) -> Vec2<f64> {
    Vec2::new(turn.x * v.x + turn.y * v.y, turn.x * v.y - turn.y * v.x)
}

#[inline(always)]
fn exchanged(v: Vec2<f64>) -> Vec2<f64> {
    Vec2::new(v.y, v.x)
}

/// The first for the weight 0, the second for the weight 1.
#[inline(always)]
pub(crate) fn one_of(first: f64, second: f64, weight: f64) -> f64 {
    first * (1.0 - weight) + second * weight
}

/// The side with the largest separation, and the other box as seen from there: x out of the side, y along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// Of the cores, along x.
    pub(crate) separation: f64,
    /// 1 for a side of the first box, −1 for one of the second.
    pub(crate) forth: f64,
    /// x in the frame of the box that the side is of: one component is ±1, the other 0.
    pub(crate) out: Vec2<f64>,
    /// x in the axes of the world, and the middle of that box.
    pub(crate) outward: Vec2<f64>,
    pub(crate) center: Vec2<f64>,
    /// Half of its extents across and along the side.
    pub(crate) height: f64,
    pub(crate) reach: f64,
    /// Half extents of the other box, where its middle is along y, and how it is turned.
    pub(crate) half: Vec2<f64>,
    pub(crate) beside: f64,
    pub(crate) turn: Vec2<f64>,
}

impl Facing {
    #[inline(always)]
    fn new(a: &Rectangle, b: &Rectangle) -> Self {
        let between = b.center - a.center;
        let (from_a, from_b) = (turned_back(a.turn, between), turned_back(b.turn, between));
        let turn = turned_back(a.turn, b.turn);
        let size = turn.abs_by_axis();
        let reach = |half: Vec2<f64>| half * size.x + exchanged(half) * size.y;
        let of_a = from_a.abs_by_axis() - (a.half + reach(b.half));
        let of_b = from_b.abs_by_axis() - (b.half + reach(a.half));
        // The first of equals.
        let (along_a, along_b) = (of_a.y.max_of(of_a.x), of_b.y.max_of(of_b.x));
        let is_b = weight(along_a < along_b);
        let gaps = either(of_a, of_b, is_b);
        let is_y = weight(gaps.x < gaps.y);
        let axis = Vec2::new(1.0 - is_y, is_y);
        let forth = 1.0 - 2.0 * is_b;
        // Along the axes of the box with the side, from a to b; x is forth or back.
        let along = either(from_a, from_b, is_b);
        let towards = axis.scaled_by(Vec2::new(sign_of(along.x), sign_of(along.y)));
        let out = towards * forth;
        let own = either(a.half, b.half, is_b);
        Facing {
            separation: along_b.max_of(along_a),
            forth,
            out,
            outward: turned(either(a.turn, b.turn, is_b), out),
            center: either(a.center, b.center, is_b),
            height: own.dot(axis),
            reach: own.dot(exchanged(axis)),
            half: either(b.half, a.half, is_b),
            beside: towards.cross(along),
            turn: turned_back(out, Vec2::new(turn.x, turn.y * forth)),
        }
    }

    /// A point of this frame in the axes of the world.
    #[inline(always)]
    pub(crate) fn in_world(&self, point: Vec2<f64>) -> Vec2<f64> {
        turned(self.outward, point) + self.center
    }
}

/// The nearest or deepest points of two rectangles, as seen from a side.
pub(crate) struct Meeting {
    pub(crate) side: Facing,
    /// Where the lowest corner is in the frame of the other box, and its foot along the side.
    pub(crate) lowest: Vec2<f64>,
    pub(crate) foot: f64,
    /// How far the corner is beside its foot.
    pub(crate) aside: f64,
    /// From the foot to the corner; x for those that overlap.
    direction: Vec2<f64>,
    length: f64,
    /// Of the cores, and with the radii.
    core: f64,
    pub(crate) separation: f64,
}

/// Whether two rectangles are farther apart than a limit, or where they meet, if that is proved.
pub(crate) enum Look {
    Beyond,
    Here(Meeting),
    Unknown,
}

/// `error` bounds the rounding errors of the pair.
#[inline(always)]
pub(crate) fn look(a: &Rectangle, b: &Rectangle, (error, limit): (f64, f64)) -> Look {
    let side = Facing::new(a, b);
    let (height, reach, radii) = (side.separation, side.reach, a.radius + b.radius);
    if limit + error < height - radii {
        return Look::Beyond;
    }
    let mut lowest = Vec2::new(-side.half.x.copysign(side.turn.x), side.half.y.copysign(side.turn.y));
    let mut corner = side.beside + side.turn.dot(exchanged(lowest));
    if side.turn.x * side.turn.y == 0.0 {
        // Parallel: the middle of what they share, in the frame of the other box too.
        let size = side.turn.abs_by_axis();
        let width = size.dot(exchanged(side.half));
        let (from, to) = (side.beside - width, side.beside + width);
        let (low, high) = (from.max_of(-reach), to.min_of(reach));
        corner = (low + (high - low) * 0.5).clamp_to(from, to);
        lowest = lowest.scaled_by(size) + exchanged(side.turn) * (corner - side.beside);
    }
    let foot = corner.clamp_to(-reach, reach);
    let aside = corner - foot;
    let is_apart = weight(0.0 < height);
    let direction = Vec2::new(one_of(1.0, height, is_apart), aside * is_apart);
    let length = direction.dot(direction).sqrt();
    let core = one_of(height, length, is_apart);
    let separation = core - radii;
    // How much farther than the corner the other box reaches against the connection, times its length.
    let back = turned_back(side.turn, direction);
    let farther = lowest.dot(back) + side.half.dot(back.abs_by_axis());
    let is_proved = farther * is_apart <= PROOF * error * length;
    let is_below = aside.abs() * (1.0 - is_apart) <= error;
    // Also of the limit, so that all questions agree on whether it is exceeded.
    let is_clear = error < separation.abs().min_of(height.abs()).min_of((separation - limit).abs());
    if is_proved & is_below & is_clear {
        Look::Here(Meeting { side, lowest, foot, aside, direction, length, core, separation })
    } else {
        Look::Unknown
    }
}

impl Meeting {
    /// How they relate, in the axes of the world.
    #[inline(always)]
    pub(crate) fn separation(&self, radii: [f64; 2], error: f64) -> Separation<Vec2<f64>> {
        let side = &self.side;
        let normal = turned(side.outward, self.direction / self.length) * side.forth;
        let on_side = side.in_world(Vec2::new(side.height, self.foot));
        // The foot is on the first or on the second.
        let of_a = 0.5 + 0.5 * side.forth;
        Separation {
            separation: self.separation,
            error,
            normal,
            point_a: on_side + normal * (radii[0] - self.core * (1.0 - of_a)),
            point_b: on_side + normal * (self.core * of_a - radii[1]),
        }
    }

    /// The direction of the connection in the frame of the other box.
    #[inline(always)]
    pub(crate) fn towards_other(&self) -> Vec2<f64> {
        turned_back(self.side.turn, self.direction / self.length)
    }

    /// The cosine between the connection and x.
    #[inline(always)]
    pub(crate) fn steepness(&self) -> f64 {
        self.direction.x / self.length
    }
}

/// How two of them relate, where that is proved.
#[inline(always)]
pub(crate) fn relate(a: &Rectangle, b: &Rectangle, (error, limit): (f64, f64)) -> Clearly<Vec2<f64>> {
    match look(a, b, (error, limit)) {
        Look::Beyond => Clearly::Beyond,
        Look::Here(meeting) => Clearly::So(meeting.separation([a.radius, b.radius], error)),
        Look::Unknown => Clearly::Not,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::{AsShape, contact_within};
    use crate::pair::ROUNDING;
    use carom_oracle::generate::Rng;

    fn pose(rng: &mut Rng, round: usize) -> Pose2<f64> {
        // All ways, nearly alike, alike, and turned by right angles.
        let angle = rng.uniform(-3.0, 3.0) * [1.0, 1e-3, 1e-9, 0.0][round % 4];
        let quarter = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][rng.below(4)];
        let turn =
            if round % 4 == 3 { Rot2::from_parts(quarter.0, quarter.1) } else { Rot2::from_angle(angle) };
        Pose2::new([rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)], turn)
    }

    /// What is decided is what the kernels of the kinds say in `f64`, which go other ways.
    fn check<A: Rectangular<f64> + AsShape<f64>, B: Rectangular<f64> + AsShape<f64>>(
        first: impl Fn(&mut Rng) -> A,
        second: impl Fn(&mut Rng) -> B,
    ) {
        let mut rng = Rng::new(9);
        let (mut apart, mut deep, mut open) = (0, 0, 0);
        for round in 0..8000 {
            let (a, b) = (first(&mut rng), second(&mut rng));
            let (pose_a, pose_b) = (pose(&mut rng, round / 4), pose(&mut rng, round));
            let origin = pose_a.translation;
            let (one, two) = (a.rectangle(&pose_a, origin), b.rectangle(&pose_b, origin));
            let error = ROUNDING * 8.0;
            let truth = contact_within(&a, pose_a, &b, pose_b, 100.0).unwrap().expect("not so far apart");
            let found = match relate(&one, &two, (error, f64::INFINITY)) {
                Clearly::So(found) => found,
                _ => {
                    open += 1;
                    continue;
                }
            };
            assert!((found.separation + truth.depth).abs() <= error, "{one:?} {two:?} {truth:?}");
            let off = (found.point_b - found.point_a) - found.normal * found.separation;
            assert!(off.max_abs() <= 2.0 * error && (found.normal.length() - 1.0).abs() <= 1e-15);
            // Overlaps may be as deep along two normals, and points of parallel sides are many.
            if round % 4 == 0 && round / 4 % 4 == 0 && (found.normal - truth.normal).max_abs() <= 1e-6 {
                assert!(
                    (found.point_a + origin - truth.point_a).max_abs() <= 1e-9,
                    "{one:?} {two:?} {truth:?}"
                );
                assert!(
                    (found.point_b + origin - truth.point_b).max_abs() <= 1e-9,
                    "{one:?} {two:?} {truth:?}"
                );
            }
            (apart, deep) =
                (apart + usize::from(0.0 < found.separation), deep + usize::from(found.separation < 0.0));
            // A limit is exceeded only by what is farther apart.
            let limit = rng.uniform(0.0, 2.0);
            if let Clearly::Beyond = relate(&one, &two, (error, limit)) {
                assert!(limit < -truth.depth, "{one:?} {two:?}");
            }
        }
        assert!(1500 < apart && 1000 < deep && open < 100, "{apart} {deep} {open}");
    }

    fn cuboid(rng: &mut Rng) -> Cuboid<f64> {
        Cuboid::new([rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0)]).unwrap()
    }

    fn capsule(rng: &mut Rng) -> Capsule<f64> {
        let mut end = |low: f64| [rng.uniform(low, low + 1.0), rng.uniform(-0.5, 0.5)];
        let (a, b) = (end(-1.0), end(0.1));
        Capsule::new(a, b, rng.uniform(0.0, 0.5)).unwrap()
    }

    #[test]
    fn rectangles_relate_as_boxes_and_capsules_do() {
        check(cuboid, cuboid);
        check(cuboid, capsule);
        check(capsule, capsule);
    }

    /// Nothing is decided where rounding would decide, or without a direction.
    #[test]
    fn touches_and_points_are_left_to_the_kernels() {
        let square = Cuboid::new([1.0, 1.0]).unwrap().rectangle(&Pose2::IDENTITY, Vec2::ZERO);
        let beside = Rectangle { center: Vec2::new(2.0, 0.5), ..square };
        assert!(matches!(relate(&square, &beside, (1e-14, f64::INFINITY)), Clearly::Not));
        let point =
            Capsule::new([3.0, 0.0], [3.0, 0.0], 0.5).unwrap().rectangle(&Pose2::IDENTITY, Vec2::ZERO);
        assert!(matches!(relate(&square, &point, (1e-14, f64::INFINITY)), Clearly::Not));
        assert!(matches!(relate(&square, &point, (1e-14, 0.0)), Clearly::Not));
    }
}
