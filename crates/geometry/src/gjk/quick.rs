//! The nearest points of two polytopes in space, for answers in `f32`.
//!
//! GJK as in [`distance`](super::distance()), without what makes that exact to the end: the set of differences y − x, of points y of b
//! and x of a, is searched for the point v nearest to the origin. Each step takes the corner w that is least along v; when
//! v·w is |v|² up to rounding, the slab across v between the sets is as thick as v is long, which proves v, however it was found
//! ([`Between`]). Where that does not happen (an overlap, a touch, slivers), there is no answer, and the kernel for all
//! cases is asked.
//!
//! v is perpendicular to what it comes from up to rounding of its own length, not of the coordinates, or shapes that are
//! close could not be proved apart: over a face it goes along the cross product of two edges, beside an edge it is projected twice.

use super::support::Block;
use crate::pair::between::Between;
use crate::pair::core::PROOF;
use crate::pair::nearest::{sign_if, sign_of};
use carom_math::{Number, Vec3, Vector, power_of_two};

/// A polytope that is known by its corners.
pub(crate) trait Cornered {
    /// The corner that is farthest along a direction, and its number.
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize);
    /// The corner with this number.
    fn corner(&self, number: usize) -> Vec3<f64>;
    /// Some point inside.
    fn middle(&self) -> Vec3<f64>;
}

impl Cornered for [Vec3<f64>; 3] {
    #[inline(always)]
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize) {
        let [a, b, c] = self.map(|corner| direction.dot(corner));
        let (first, high) = if a < b { (1, b) } else { (0, a) };
        let number = if high < c { 2 } else { first };
        (self[number], number)
    }
    #[inline(always)]
    fn corner(&self, number: usize) -> Vec3<f64> {
        self[number.min(2)]
    }
    #[inline(always)]
    fn middle(&self) -> Vec3<f64> {
        (self[0] + self[1] + self[2]) * (1.0 / 3.0)
    }
}

/// A box about the origin.
impl Cornered for Block<Vec3<f64>> {
    #[inline(always)]
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize) {
        let bit = |along: f64| usize::from(along < 0.0);
        let number = bit(direction.x) | bit(direction.y) << 1 | bit(direction.z) << 2;
        (Cornered::corner(self, number), number)
    }
    #[inline(always)]
    fn corner(&self, number: usize) -> Vec3<f64> {
        let side = |bit: usize| sign_if(number >> bit & 1 == 1);
        Vec3::new(self.0.x * side(0), self.0.y * side(1), self.0.z * side(2))
    }
    #[inline(always)]
    fn middle(&self) -> Vec3<f64> {
        Vec3::ZERO
    }
}

/// What the search found.
pub(crate) enum Nearness {
    /// A slab between the sets, across this direction, is thicker than the limit: so thick, up to rounding.
    Beyond(Vec3<f64>, f64),
    /// Two points that the slab across their connection proves to be the nearest, up to rounding.
    Near(Between<Vec3<f64>>),
    /// They have a common point, by more than rounding.
    Overlap,
    /// They overlap a little, or rounding decides.
    Unknown,
}

/// Triangles take four steps, hulls six, and hardly ever twice as many.
const STEPS: usize = 32;

/// A corner of the set of differences: of b less of a.
#[derive(Clone, Copy)]
struct Corner {
    difference: Vec3<f64>,
    of_a: usize,
    of_b: usize,
}

/// A point of the hull of up to three corners: those that carry it, and their shares.
#[derive(Clone, Copy)]
struct Carried {
    point: Vec3<f64>,
    corners: [Corner; 3],
    shares: [f64; 3],
    count: usize,
}

/// The nearest points of two sets, or how else they relate. `error` bounds the rounding errors of the pair.
#[inline(always)]
pub(crate) fn nearest(a: &impl Cornered, b: &impl Cornered, error: f64, limit: f64) -> Nearness {
    let start = Carried::corner(corner_along(a, b, b.middle() - a.middle()));
    let is_proved = |squared: f64, low: f64| squared - low <= PROOF * error * squared.sqrt();
    match search(a, b, start, (error, limit), is_proved) {
        Ended::Beyond(along, low) => Nearness::Beyond(along, low / along.dot(along).sqrt()),
        Ended::Near(at, low) => Nearness::Near(at.between(a, b, low)),
        Ended::Overlap => Nearness::Overlap,
        Ended::Unknown => Nearness::Unknown,
    }
}

/// The corners between which two sets that are apart are nearest, of the first and of the second, and the way from there to there: the shortest up to a
/// millionth.
pub(crate) struct Facing {
    pub(crate) gap: Vec3<f64>,
    pub(crate) corners: [[usize; 2]; 3],
    pub(crate) count: usize,
}

/// What faces each other, given corners that did when the sets were elsewhere, if they are apart by more than rounding. For who can do with any direction, but
/// better with that one.
#[inline(always)]
pub(crate) fn facing(a: &impl Cornered, b: &impl Cornered, error: f64, kept: &[[u32; 2]]) -> Option<Facing> {
    let corner = |[of_a, of_b]: [u32; 2]| {
        let [of_a, of_b] = [of_a as usize, of_b as usize];
        Corner { difference: b.corner(of_b) - a.corner(of_a), of_a, of_b }
    };
    let start = match kept {
        [first, others @ ..] => {
            // Any point will do to begin with.
            let first = Carried::corner(corner(*first));
            others.iter().take(2).fold(first, |at, other| at.with(corner(*other)).unwrap_or(at))
        }
        [] => Carried::corner(corner_along(a, b, b.middle() - a.middle())),
    };
    let is_near = |squared: f64, low: f64| squared - low <= power_of_two(-20) * squared;
    match search(a, b, start, (error, f64::INFINITY), is_near) {
        Ended::Near(at, _) if error * error < at.point.dot(at.point) => {
            let corners = at.corners.map(|corner| [corner.of_a, corner.of_b]);
            Some(Facing { gap: at.point, corners, count: at.count })
        }
        _ => None,
    }
}

/// The corner of the set of differences that is least along a direction.
#[inline(always)]
fn corner_along(a: &impl Cornered, b: &impl Cornered, direction: Vec3<f64>) -> Corner {
    let ((on_a, of_a), (on_b, of_b)) = (a.farthest(direction), b.farthest(-direction));
    Corner { difference: on_b - on_a, of_a, of_b }
}

/// How a search ended; see [`Nearness`].
enum Ended {
    /// With v and v·w.
    Beyond(Vec3<f64>, f64),
    /// There, with v·w.
    Near(Carried, f64),
    Overlap,
    Unknown,
}

/// Goes on from a point of the set of differences until `is_near`, given |v|² and v·w.
#[inline(always)]
fn search(
    a: &impl Cornered,
    b: &impl Cornered,
    mut at: Carried,
    (error, limit): (f64, f64),
    is_near: impl Fn(f64, f64) -> bool,
) -> Ended {
    let far = limit + 2.0 * error;
    for _ in 0..STEPS {
        let v = at.point;
        let squared = v.dot(v);
        let next = corner_along(a, b, v);
        let low = v.dot(next.difference);
        if 0.0 < low && far * far * squared < low * low {
            return Ended::Beyond(v, low);
        }
        if is_near(squared, low) {
            return if 0.0 < squared { Ended::Near(at, low) } else { Ended::Unknown };
        }
        let Some(nearer) = at.with(next) else {
            let is_sure = surround_origin([at.corners[0], at.corners[1], at.corners[2], next], error);
            return if is_sure { Ended::Overlap } else { Ended::Unknown };
        };
        // Not so for NaN either.
        let is_nearer = nearer.point.dot(nearer.point) < squared;
        if !is_nearer {
            return Ended::Unknown;
        }
        at = nearer;
    }
    Ended::Unknown
}

impl Carried {
    #[inline(always)]
    fn corner(corner: Corner) -> Self {
        Carried { point: corner.difference, corners: [corner; 3], shares: [1.0, 0.0, 0.0], count: 1 }
    }

    /// The point of the hull of these corners and one more that is nearest to the origin; `None` when that is inside.
    #[inline(always)]
    fn with(&self, last: Corner) -> Option<Self> {
        let [p, q, r] = self.corners;
        match self.count {
            1 => Some(on_edge(p, last)),
            2 => Some(on_triangle(p, q, last)),
            _ => on_tetrahedron([p, q, r], last),
        }
    }

    /// The points of both sets, given v·w.
    #[inline(always)]
    fn between(&self, a: &impl Cornered, b: &impl Cornered, low: f64) -> Between<Vec3<f64>> {
        let blend = |[first, second, third]: [Vec3<f64>; 3]| {
            first + (second - first) * self.shares[1] + (third - first) * self.shares[2]
        };
        let point_a = blend(self.corners.map(|corner| a.corner(corner.of_a)));
        let point_b = blend(self.corners.map(|corner| b.corner(corner.of_b)));
        Between { point_a, point_b, gap: self.point, low }
    }
}

/// The nearest point of an edge.
#[inline(always)]
fn on_edge(p: Corner, last: Corner) -> Carried {
    let (from, along) = (p.difference, last.difference - p.difference);
    let (ahead, whole) = (0.0 - from.dot(along), along.dot(along));
    if ahead <= 0.0 {
        return Carried::corner(p);
    }
    if whole <= ahead {
        return Carried::corner(last);
    }
    let per_whole = 1.0 / whole;
    let share = ahead * per_whole;
    let point = from + along * share;
    let point = point - along * (point.dot(along) * per_whole);
    Carried { point, corners: [p, last, last], shares: [1.0 - share, share, 0.0], count: 2 }
}

/// The nearest point of a triangle, of which the last corner is known to take part.
///
/// With n = (q − p) × (r − p), the shares of the foot of the origin are n·(q × r), n·(r × p) and n·(p × q), divided by n².
#[inline(always)]
fn on_triangle(p: Corner, q: Corner, last: Corner) -> Carried {
    let (a, b, c) = (p.difference, q.difference, last.difference);
    let normal = (b - a).cross(c - a);
    let whole = normal.dot(normal);
    let (of_a, of_b, of_c) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if 0.0 < of_a.min_of(of_b).min_of(of_c) {
        let per_whole = 1.0 / whole;
        let point = normal * (c.dot(normal) * per_whole);
        return Carried {
            point,
            corners: [p, q, last],
            shares: [of_a * per_whole, of_b * per_whole, of_c * per_whole],
            count: 3,
        };
    }
    // Beyond one of the edges at the last corner, or both.
    if 0.0 < of_a {
        return on_edge(p, last);
    }
    if 0.0 < of_b {
        return on_edge(q, last);
    }
    on_edge(p, last).nearer(on_edge(q, last))
}

/// The nearest point of a tetrahedron, of which the last corner takes part; `None` when the origin seems to be inside.
#[inline(always)]
fn on_tetrahedron([p, q, r]: [Corner; 3], last: Corner) -> Option<Carried> {
    let top = last.difference;
    let mut best: Option<Carried> = None;
    for [from, to, opposite] in [[p, q, r], [q, r, p], [r, p, q]] {
        let normal = (from.difference - top).cross(to.difference - top);
        // The origin and the other corner on different sides of the face.
        let (inside, height) = (normal.dot(opposite.difference - top), normal.dot(top));
        if 0.0 < height * sign_of(inside) {
            let found = on_triangle(from, to, last);
            best = Some(best.map_or(found, |best: Carried| best.nearer(found)));
        }
    }
    best
}

/// Whether the origin is surely inside of a tetrahedron whose corners err by no more than `error`.
///
/// It is by far farther from each face than the normal can be wrong. With s the sine between the two edges that it is the
/// cross product of, the normal errs by 4ε/s; s is 2⁻⁸ or more, so that a height errs by less than 2¹¹ε of the size, 2⁶ errors.
#[inline]
fn surround_origin(corners: [Corner; 4], error: f64) -> bool {
    let [a, b, c, d] = corners.map(|corner| corner.difference);
    let doubt = power_of_two(8) * error;
    [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]].into_iter().all(|[at, from, to, opposite]| {
        let (one, two) = (from - at, to - at);
        let normal = one.cross(two);
        let squared = normal.dot(normal);
        let height = normal.dot(opposite - at);
        let above = (0.0 - normal.dot(at)) * sign_of(height);
        let is_plain = one.dot(one) * two.dot(two) <= power_of_two(16) * squared;
        is_plain
            & (0.0 < above)
            & (doubt * doubt * squared < above * above)
            & (doubt * doubt * squared < height * height)
    })
}

impl Carried {
    /// The nearer of two to the origin.
    #[inline(always)]
    fn nearer(self, other: Self) -> Self {
        if other.point.dot(other.point) < self.point.dot(self.point) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::core::{self, Core};
    use carom_oracle::generate::Rng;

    /// Where the search has an answer it is that of the features, and of what is apart it almost always has one.
    #[test]
    fn nearest_points_are_those_of_the_features() {
        let mut rng = Rng::new(5);
        let (mut apart, mut found, mut overlap) = (0, 0, 0);
        for _ in 0..4000 {
            let mut triangle = |at: f64| {
                [(); 3].map(|()| Vec3::new(at, 0.0, 0.0) + Vec3::from_fn(|_| rng.uniform(-1.0, 1.0)))
            };
            let (a, b) = (triangle(0.0), triangle(0.75));
            let error = crate::pair::ROUNDING * 4.0;
            let core = |[p, q, r]: [Vec3<f64>; 3]| Core::triangle([p, q, r], (q - p).cross(r - p));
            let (core_a, core_b) = (core(a), core(b));
            let whole = core::relate(&core_a, &core_b, [0.0; 2], error);
            apart += usize::from(0.0 < whole.separation);
            let between = match nearest(&a, &b, error, f64::INFINITY) {
                Nearness::Near(between) => between,
                Nearness::Overlap => {
                    assert!(whole.separation < 0.0, "{a:?} {b:?}");
                    overlap += 1;
                    continue;
                }
                _ => continue,
            };
            let Some(narrow) = between.narrow([0.0; 2], error) else { continue };
            found += 1;
            assert!((narrow.separation - whole.separation).abs() <= error, "{a:?} {b:?}");
            assert!((narrow.normal - whole.normal).max_abs() <= 1e-7, "{a:?} {b:?}");
            assert!(matches!(nearest(&a, &b, error, whole.separation * 0.5), Nearness::Beyond(..)));
            assert!(!matches!(nearest(&a, &b, error, whole.separation), Nearness::Beyond(..)));
        }
        assert!(1500 < apart && apart * 98 < found * 100, "{apart} {found}");
        assert!((4000 - apart) * 98 < overlap * 100, "{apart} {overlap}");
    }

    #[test]
    fn corners_of_a_box_are_the_farthest() {
        let (half, mut rng) = (Vec3::new(1.0, 2.0, 3.0), Rng::new(1));
        let corners = Block(half);
        for _ in 0..100 {
            let direction = Vec3::from_fn(|_| rng.uniform(-1.0, 1.0));
            let (farthest, number) = corners.farthest(direction);
            assert_eq!(farthest, Cornered::corner(&corners, number));
            assert_eq!(farthest.dot(direction), half.dot(direction.abs_by_axis()));
        }
    }
}
