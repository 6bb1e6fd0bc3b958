//! Where boxes and capsules of the plane meet, for answers in `f32`: what [`edges`](super::edges) finds, as seen from the side that
//! [`rectangles`](crate::d2::pair::rectangles) chose, with weights in place of branches.
//!
//! The edge of the other box that faces the side is m + τ·e with |τ| <= 1, in the frame of the side. It is cut where y is ±reach, and
//! its ends are points of the contact, with depths along x. Where a corner or the end of a capsule touches beside the side, there is one point.

use crate::d2::pair::rectangles::{Look, Meeting, Rectangle, Rectangular, look, one_of};
use crate::manifold::FeaturePair;
use crate::manifold::feature::{Kind, number};
use crate::manifold::gather::{Candidate, FACING, SAME};
use crate::manifold::touch::{Met, Points};
use crate::pair::nearest::{sign_of, weight};
use carom_math::{Number, Real, Vec2, Vector};

/// Where two of them meet; `Met::Aside` where it takes their kinds to tell.
#[inline(always)]
pub(crate) fn meet<T: Real, A: Rectangular<T>, B: Rectangular<T>>(
    a: &Rectangle,
    b: &Rectangle,
    (error, margin): (f64, f64),
) -> Met<Vec2<f64>> {
    // A side without length has one end, and one name.
    if !A::IS_ROD && a.is_thin() || !B::IS_ROD && b.is_thin() {
        return Met::Aside;
    }
    let meeting = match look(a, b, (error, margin)) {
        Look::Beyond => return Met::Apart,
        Look::Unknown => return Met::Aside,
        Look::Here(meeting) => meeting,
    };
    if margin < meeting.separation {
        return Met::Apart;
    }
    let is_of_a = 0.0 < meeting.side.forth;
    let is_rod = if is_of_a { [A::IS_ROD, B::IS_ROD] } else { [B::IS_ROD, A::IS_ROD] };
    // The end of a capsule is no side.
    if is_rod[0] && meeting.side.out.y == 0.0 {
        return Met::Aside;
    }
    if meeting.aside != 0.0 && 0.0 < meeting.side.separation {
        return at_corner(&meeting, is_rod, [a.radius, b.radius]);
    }
    let radii = [one_of(b.radius, a.radius, weight(is_of_a)), one_of(a.radius, b.radius, weight(is_of_a))];
    let points = if A::IS_ROD | B::IS_ROD {
        on_side::<true>(&meeting, is_rod, radii, (error, margin))
    } else {
        on_side::<false>(&meeting, is_rod, radii, (error, margin))
    };
    points.map_or(Met::Aside, Met::Here)
}

/// What a side and its ends are called. Corners of a box are named by bit 0 for the side along x and bit 1 for that along y; a
/// capsule has one edge.
struct Names {
    edge: u32,
    corners: [u32; 2],
}

impl Names {
    /// Of the side across an axis; the corners from lower to higher coordinates.
    #[inline(always)]
    fn new(is_rod: bool, is_y: bool, is_negative: bool) -> Self {
        let (axis, negative) = (usize::from(is_y), usize::from(is_negative));
        let low = (1 - negative) << axis & if is_rod { 0 } else { 3 };
        let edge = if is_rod { 0 } else { axis * 2 + negative };
        Names {
            edge: number(Kind::Edge, edge),
            corners: [number(Kind::Vertex, low), number(Kind::Vertex, low | 1 << (1 - axis))],
        }
    }

    /// Of the side that a meeting is seen from; the corners along its y.
    #[inline(always)]
    fn of_side(meeting: &Meeting, is_rod: bool) -> Self {
        let out = meeting.side.out;
        let Names { edge, corners } = Names::new(is_rod, out.y != 0.0, out.x + out.y < 0.0);
        let is_reversed = usize::from(out.x - out.y < 0.0);
        Names { edge, corners: [corners[is_reversed], corners[1 - is_reversed]] }
    }
}

/// A corner or an end touches one: there is the point of the contact.
#[inline(always)]
fn at_corner(meeting: &Meeting, is_rod: [bool; 2], radii: [f64; 2]) -> Met<Vec2<f64>> {
    let steepness = meeting.steepness();
    // The edge of the other that faces the connection most.
    let towards = meeting.towards_other().abs_by_axis();
    let facing = if is_rod[1] { towards.y } else { towards.x.max_of(towards.y) };
    if FACING <= steepness.max_of(facing) {
        return Met::Aside;
    }
    let corner = Names::of_side(meeting, is_rod[0]).corners[usize::from(0.0 < meeting.aside)];
    let Vec2 { x, y } = meeting.lowest;
    let other = usize::from(0.0 < x) | usize::from(0.0 < y && !is_rod[1]) << 1;
    let feature = FeaturePair { a: corner, b: number(Kind::Vertex, other) };
    let found = meeting.separation(radii, 0.0);
    let candidate = Candidate {
        point: found.point_a * 0.5 + found.point_b * 0.5,
        depth: 0.0 - found.separation,
        feature: if 0.0 < meeting.side.forth { feature } else { feature.swapped() },
    };
    Met::Point(found.normal, candidate)
}

/// What is left of the facing edge above the side. `None` if neither end is as deep as the contact, but for rounding. `ROUND`: there are
/// radii.
#[inline(always)]
fn on_side<const ROUND: bool>(
    meeting: &Meeting,
    is_rod: [bool; 2],
    radii: [f64; 2],
    (error, margin): (f64, f64),
) -> Option<Points<Vec2<f64>>> {
    let side = &meeting.side;
    let Vec2 { x: cos, y: sin } = side.turn;
    // Against x, in the frame of the other.
    let is_y = is_rod[1] | (cos.abs() < sin.abs());
    let of_y = weight(is_y);
    let across = one_of(-cos, sin, of_y);
    let edge = Vec2::new(
        one_of(0.0 - sin * side.half.y, cos * side.half.x, of_y),
        one_of(cos * side.half.y, sin * side.half.x, of_y),
    );
    let middle = Vec2::new(
        side.separation + edge.x.abs(),
        side.beside + sign_of(across) * one_of(sin * side.half.x, cos * side.half.y, of_y),
    );
    // Where y is −reach and reach; infinite or NaN for an edge along x, which then has no end that counts.
    let per_y = 1.0 / edge.y;
    let (low, high) = ((-side.reach - middle.y) * per_y, (side.reach - middle.y) * per_y);
    let ends = [low.min_of(high).max_of(-1.0), low.max_of(high).min_of(1.0)];
    let (own, other) = (Names::of_side(meeting, is_rod[0]), Names::new(is_rod[1], is_y, across < 0.0));
    let is_backwards = usize::from(edge.y < 0.0);
    let at_own = [own.corners[is_backwards], own.corners[1 - is_backwards]];
    let deepest = 0.0 - meeting.separation;
    let candidate = |end: usize| {
        let at = ends[end];
        let is_cut = at.abs() < 1.0;
        let feature = FeaturePair {
            a: if is_cut { at_own[end] } else { own.edge },
            b: if is_cut { other.edge } else { other.corners[usize::from(0.0 < at)] },
        };
        let height = middle.x + edge.x * at;
        let below = if ROUND { below_rod(edge, side.half.x, radii[1], at) } else { 0.0 };
        let depth = (radii[0] + below) - height;
        let point =
            Vec2::new(side.height + height - (height - radii[0] + below) * 0.5, middle.y + edge.y * at);
        Candidate {
            point: side.in_world(point),
            depth: if deepest - SAME * error <= depth { deepest } else { depth },
            feature: if 0.0 < side.forth { feature } else { feature.swapped() },
        }
    };
    let both = [candidate(0), candidate(1)];
    let is_second = both[0].depth < both[1].depth;
    let (deeper, less) = (both[usize::from(is_second)], both[usize::from(!is_second)]);
    // Not so for NaN either.
    let is_reached = (ends[0] <= ends[1]) & (deepest <= deeper.depth);
    if !is_reached {
        return None;
    }
    // Both ends of a capsule that stands on the side show the same point, up to rounding.
    let is_elsewhere = SAME * error < (less.point - deeper.point).max_abs();
    let has_two = (ends[0] < ends[1]) & (-margin <= less.depth) & is_elsewhere;
    let normal = side.outward * side.forth;
    Some(Points::new(normal, ([deeper, less, less, less], 1 + usize::from(has_two))))
}

/// How far the surface of a capsule is below a point τ of its segment with the half extent e, along x: r/cos θ on its side, which ends
/// r·tan θ before the lower end; beyond, the way out of the ball about that end, as in [`reach`](crate::manifold::reach). 0 without a
/// radius.
#[inline(always)]
fn below_rod(edge: Vec2<f64>, half: f64, radius: f64, at: f64) -> f64 {
    let size = edge.abs_by_axis();
    let from_end = (at + sign_of(edge.x)).abs();
    let is_side = weight(radius * size.x < from_end * half * size.y);
    let from_side = radius * half / size.y.max_of(LEAST);
    let beyond = from_end * size.y;
    let from_ball = (radius * radius - beyond * beyond).max_of(0.0).sqrt() + from_end * size.x;
    one_of(from_ball, from_side, is_side)
}

/// Keeps a quotient that nobody asks for finite.
const LEAST: f64 = 1e-150;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::{AsShape, Capsule, Cuboid, manifold_within};
    use crate::pair::ROUNDING;
    use carom_math::{Pose2, Rot2};
    use carom_oracle::generate::Rng;

    /// The points, depths and names that the kernels of the kinds find in `f64`, which go another way.
    fn check<A: Rectangular<f64> + AsShape<f64>, B: Rectangular<f64> + AsShape<f64>>(
        first: impl Fn(&mut Rng) -> A,
        second: impl Fn(&mut Rng) -> B,
    ) -> [usize; 4] {
        let mut rng = Rng::new(6);
        let mut counts = [0; 4];
        for round in 0..8000 {
            let (a, b) = (first(&mut rng), second(&mut rng));
            let mut pose = |far: f64, scale: f64| {
                let at = [rng.uniform(-far, far), rng.uniform(-far, far)];
                Pose2::new(at, Rot2::from_angle(rng.uniform(-3.0, 3.0) * scale))
            };
            // All ways, nearly alike, and alike.
            let scale = [1.0, 1e-3, 0.0][round % 3];
            let (pose_a, pose_b) = (pose(0.1, scale), pose(1.5, scale));
            let margin = if round.is_multiple_of(2) { 0.1 } else { 0.0 };
            let origin = pose_a.translation;
            let (one, two) = (a.rectangle(&pose_a, origin), b.rectangle(&pose_b, origin));
            let truth = manifold_within(&a, pose_a, &b, pose_b, margin).unwrap();
            let (normal, points) = match meet::<f64, A, B>(&one, &two, (ROUNDING * 8.0, margin)) {
                Met::Here(points) => (points.normal, points.all().to_vec()),
                Met::Point(normal, point) => (normal, vec![point]),
                Met::Apart => {
                    assert!(truth.is_none(), "{one:?} {two:?} {truth:?}");
                    continue;
                }
                Met::Aside => {
                    counts[3] += 1;
                    continue;
                }
            };
            let truth = truth.expect("they touch");
            assert!((points[0].depth - truth.depth()).abs() <= 1e-12, "{one:?} {two:?} {points:?} {truth:?}");
            // Overlaps may be as deep along two normals.
            if 1e-6 < (normal - truth.normal()).max_abs() {
                counts[0] += 1;
                continue;
            }
            // Both ends of a capsule that stands on a side show one point, which the long way may tell twice.
            let is_twice =
                matches!(truth.points(), [first, second] if (first.point - second.point).max_abs() <= 1e-12);
            let expected = if is_twice { 1 } else { truth.points().len() };
            assert_eq!(points.len(), expected, "{one:?} {two:?} {points:?} {truth:?}");
            for point in &points {
                let same = truth.points().iter().find(|other| other.feature == point.feature);
                let same = same.unwrap_or_else(|| panic!("{one:?} {two:?} {points:?} {truth:?}"));
                assert!((same.point - (point.point + origin)).max_abs() <= 1e-9, "{points:?} {truth:?}");
                assert!((same.depth - point.depth).abs() <= 1e-9, "{points:?} {truth:?}");
            }
            counts[points.len()] += 1;
        }
        counts
    }

    fn cuboid(rng: &mut Rng) -> Cuboid<f64> {
        Cuboid::new([rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0)]).unwrap()
    }

    fn capsule(rng: &mut Rng) -> Capsule<f64> {
        let half = rng.uniform(0.2, 1.0);
        Capsule::new([-half, 0.0], [half, 0.0], rng.uniform(0.1, 0.5)).unwrap()
    }

    #[test]
    fn rectangles_meet_as_boxes_and_capsules_do() {
        let [other, one, two, aside] = check(cuboid, cuboid);
        assert!(other < 20 && 200 < one && 1000 < two && aside < 50, "{other} {one} {two} {aside}");
        let [other, one, two, aside] = check(cuboid, capsule);
        assert!(other < 20 && 500 < one && 1000 < two && aside < 400, "{other} {one} {two} {aside}");
    }
}
