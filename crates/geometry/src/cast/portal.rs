//! Where a line comes into a convex set that is known by its support points: straight to the facet.
//!
//! After Snethen, "XenoCollide: complex collision made simple" (Game Programming Gems 7, 2008), with bounds on both
//! sides. A portal is a facet with corners in the set (a triangle in space, a segment in the plane) that the line
//! passes through. Looked at along the line, it contains the point that the line is seen as; so
//!
//! 1. search for a first portal is that of GJK, one dimension lower: a support point across the line that does not
//!    come beyond it proves that the line **misses** the set;
//! 2. where the line passes the portal is a point of the set, hence an **upper** bound of where it comes in; the
//!    plane parallel to the portal through the support point in front of it is a **lower** one;
//! 3. while they differ, that support point and the portal span smaller portals nearer to the line's way in, one of
//!    which the line passes through: the next one.
//!
//! A polytope ends at the facet, after a handful of support points; a curved set where the bounds agree up to
//! rounding, after some twenty. Nothing is answered that is in doubt: lines that graze, start in or next to the set,
//! or come in where it is nearly parallel to them.

use super::GRAZING;
use crate::gjk::Space;
use carom_math::{Number, Vec2, Vec3, Vector};

/// Facets that are tried. Curved sets take about 24, and two cylinders up to 70.
const MAX_PORTALS: usize = 96;
/// Support points to the first portal.
const MAX_SEARCHED: usize = 32;

/// How far the directions to a first portal lie apart from that to a ball, as a part of its radius. On hulls of 32 vertices and polygons of
/// 8, 0.2 finds the same vertex too often and gains nothing, 0.4 to 0.8 gain 9 to 12 % and 0 to 5 %.
const TILT: f64 = 0.6;
/// The square of the depth of a line in the ball, as a part of that of its radius, below which none is tried.
const RIM: f64 = 0.1;

/// A point of the set of differences, and the point of the target that it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner<V> {
    pub(crate) difference: V,
    pub(crate) on_target: V,
    /// The difference from a point of the line near to the set: how the line passes by is seen from there.
    seen: V,
}

impl<V: Vector<Scalar = f64>> Corner<V> {
    pub(crate) fn new(difference: V, on_target: V) -> Self {
        Corner { difference, on_target, seen: difference }
    }
}

/// Where the line comes in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<V> {
    pub(crate) t: f64,
    /// The normal of the set there, against the line, of any length.
    pub(crate) outward: V,
    pub(crate) on_target: V,
}

/// Where t·`velocity` with t >= 0 comes into the set; `Some(None)` when it never does, or after `max`; `None` for what
/// is in doubt. The search begins in the direction `first`, if there is one; support points are right up to `noise`. `center`
/// is some point of the set and `reach` about how far it extends from there, which decides where to begin, and nothing else.
#[inline]
pub(crate) fn entry<V: Portal>(
    velocity: V,
    first: Option<V>,
    (center, reach): (V, f64),
    max: f64,
    noise: f64,
    support: impl Fn(V) -> Corner<V>,
) -> Option<Option<Entry<V>>> {
    // From far away the products of vectors to the set would lose how large that is.
    let squared_speed = velocity.dot(velocity);
    let ahead = velocity * (center.dot(velocity) / squared_speed);
    let support = |direction: V| {
        let corner = support(direction);
        Corner { seen: corner.difference - ahead, ..corner }
    };
    let speed = squared_speed.sqrt();
    let guessed = match first {
        Some(_) => None,
        None => around_ball(velocity, speed, ahead - center, reach, &support),
    };
    let mut portal = match guessed {
        Some(portal) => portal,
        None => match V::first_portal(velocity, first.unwrap_or(-velocity), noise, &support)? {
            Some(portal) => portal,
            None => return Some(None),
        },
    };
    // The best lower bound, the normal that proves it, and how fast the line approaches planes across that.
    let (mut lower, mut proof, mut closing) = (f64::NEG_INFINITY, V::ZERO, 0.0);
    for _ in 0..MAX_PORTALS {
        let corners = portal.map(|corner| corner.difference);
        let outward = V::outward(corners);
        let (length, slope) = (Vector::length(outward), outward.dot(velocity));
        // Also where it is not a number.
        let is_steep = GRAZING * (length * speed) < -slope;
        if !is_steep {
            return None;
        }
        let beyond = support(outward);
        let bound = outward.dot(beyond.difference) / slope;
        if lower <= bound {
            (lower, proof, closing) = (bound, outward, -slope / length);
        }
        if max < lower {
            return Some(None);
        }
        let upper = outward.dot(corners[0]) / slope;
        if (upper - lower) * closing <= noise {
            // Next to the set at the start, or in it, is another question.
            let is_apart = 8.0 * noise < lower * closing;
            if !is_apart {
                return None;
            }
            // From where the line passes, a corner far away costs the others nothing.
            let met = velocity * upper;
            let around = corners.map(|corner| corner - met);
            let shares = refined(around, V::shares(around, velocity));
            if !is_through(around, shares, 64.0 * noise) {
                return None;
            }
            let [of_first, of_second, of_third] = shares;
            let sum = of_first + of_second + of_third;
            let [a, b, c] = portal.map(|corner| corner.on_target);
            let on_target = a + (b - a) * (of_second / sum) + (c - a) * (of_third / sum);
            return Some(Some(Entry { t: upper, outward: proof, on_target }));
        }
        portal[V::replaced(portal.map(|corner| corner.seen), beyond.seen, velocity)] = beyond;
    }
    None
}

/// A portal near to where the line comes into a ball that is as large as the set; `aside` leads from its centre to the line.
/// The first portals of the search are as wide as the set, and take twice as many steps to shrink.
#[inline]
fn around_ball<V: Portal>(
    velocity: V,
    speed: f64,
    aside: V,
    reach: f64,
    support: &impl Fn(V) -> Corner<V>,
) -> Option<[Corner<V>; 3]> {
    let squared_depth = reach * reach - aside.dot(aside);
    // A line near the rim of the ball most likely misses the set, which the search proves.
    let is_deep = RIM * (reach * reach) < squared_depth;
    if !is_deep {
        return None;
    }
    let outward = aside - velocity * (squared_depth.sqrt() / speed);
    V::portal_around(velocity, outward, TILT * reach / speed, support)
}

/// What differs between the plane and space.
pub(crate) trait Portal: Space {
    /// Corners as below, in directions that differ from `outward` by `aside` times the speed, across the line; `None` when the
    /// line does not pass between them.
    fn portal_around(
        velocity: Self,
        outward: Self,
        aside: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<[Corner<Self>; 3]>;

    /// Corners of a facet that the line passes through, in a fixed sense around it; the last is unused in the plane.
    /// `Some(None)` when the line passes the set by, `None` when it hardly does or hardly meets it.
    #[allow(clippy::type_complexity)] // one caller
    fn first_portal(
        velocity: Self,
        first: Self,
        noise: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<Option<[Corner<Self>; 3]>>;
    /// The normal of the portal, against the line.
    fn outward(corners: [Self; 3]) -> Self;
    /// The corner to replace by a point in front of the portal, so that the line passes through the next one too; all
    /// as seen from the line.
    fn replaced(corners: [Self; 3], by: Self, velocity: Self) -> usize;
    /// The weights of the corners in the point where the line passes, times some factor.
    fn shares(corners: [Self; 3], velocity: Self) -> [f64; 3];
}

/// Shares of a portal whose sum is 1, of which none is negative, so that the point is one of the portal whatever rounding does.
///
/// The corners of curved sets end up close to each other, two of them 10⁻⁷ apart as a rule, and areas of slivers have
/// half the digits only. What the point is off by then is along the longest side, and is taken from one of its ends to the other.
#[inline(always)]
fn refined<V: Vector<Scalar = f64>>(corners: [V; 3], shares: [f64; 3]) -> [f64; 3] {
    let shares = shares.map(|share| share.max_of(0.0));
    let sum = shares[0] + shares[1] + shares[2];
    let mut shares = shares.map(|share| share / sum);
    let off = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
    let (mut longest, mut change, mut ends) = (0.0, 0.0, [0, 1]);
    for [from, to] in [[0, 1], [1, 2], [2, 0]] {
        let side = corners[to] - corners[from];
        let squared = side.dot(side);
        if longest < squared {
            (longest, change, ends) = (squared, off.dot(side) / squared, [from, to]);
        }
    }
    shares[ends[0]] += change;
    shares[ends[1]] -= change;
    shares.map(|share| share.max_of(0.0))
}

/// Whether the point of a portal with these shares, none of which is negative, is the origin up to a distance. Thin
/// portals are chosen by areas that are rounding error, and what the line does not pass through proves nothing.
#[inline(always)]
fn is_through<V: Vector<Scalar = f64>>(corners: [V; 3], [a, b, c]: [f64; 3], leeway: f64) -> bool {
    let point = (corners[0] * a + corners[1] * b + corners[2] * c) / (a + b + c);
    // Not where it is no number.
    point.dot(point) <= leeway * leeway
}

/// On which side of the line a point beyond it in the direction `across` is: `Some(false)` short of it, `None` too
/// close to tell.
#[inline(always)]
fn passes<V: Vector<Scalar = f64>>(point: V, across: V, noise: f64) -> Option<bool> {
    let along = across.dot(point);
    let is_clear = 64.0 * (noise * noise) * across.dot(across) < along * along;
    is_clear.then_some(0.0 < along)
}

/// v·(p × q): twice the area that the line's point spans with p and q, looked at along the line, times |v|; positive
/// when they run in the sense of the portals around it.
#[inline(always)]
fn area(v: Vec3<f64>, p: Vec3<f64>, q: Vec3<f64>) -> f64 {
    v.dot(p.cross(q))
}

impl Portal for Vec3<f64> {
    #[inline]
    fn portal_around(
        v: Self,
        outward: Self,
        aside: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<[Corner<Self>; 3]> {
        // Three directions at equal angles around the line, from an axis that is far from it.
        let (sizes, speed) = (v.abs_by_axis(), Vector::length(v));
        let is_along_x = sizes.y.max_of(sizes.z) < sizes.x;
        let across = v.cross(Vec3::unit(usize::from(is_along_x)));
        let across = across * (aside * speed / Vector::length(across));
        let over = v.cross(across) * (0.866 / speed); // the sine of 60°
        let beside = outward - across * 0.5;
        let [a, b, c] = [outward + across, beside + over, beside - over].map(support);
        let areas = [area(v, a.seen, b.seen), area(v, b.seen, c.seen), area(v, c.seen, a.seen)];
        if areas.iter().all(|area| 0.0 < *area) {
            Some([a, b, c])
        } else if areas.iter().all(|area| *area < 0.0) {
            Some([a, c, b])
        } else {
            None
        }
    }

    #[inline]
    fn first_portal(
        v: Self,
        first: Self,
        noise: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<Option<[Corner<Self>; 3]>> {
        let mut a = support(first);
        // Across the line, from the point to it.
        let across = v.cross(v.cross(a.seen));
        let mut b = support(across);
        if !passes(b.seen, across, noise)? {
            return Some(None);
        }
        if area(v, a.seen, b.seen) < 0.0 {
            (a, b) = (b, a);
        }
        // The line is to the left of the side from a to b, and a support point there closes the triangle, unless
        // the line is to the right of one of the other two sides: then what is beyond that one is next.
        for _ in 0..MAX_SEARCHED {
            let across = v.cross(b.seen - a.seen);
            let c = support(across);
            if !passes(c.seen, across, noise)? {
                return Some(None);
            }
            if area(v, b.seen, c.seen) < 0.0 {
                (a, b) = (c, b);
            } else if area(v, c.seen, a.seen) < 0.0 {
                (a, b) = (a, c);
            } else {
                return Some(Some([a, b, c]));
            }
        }
        None
    }

    /// From the shortest side and the next: the product of two long ones that are nearly parallel would be off along them as well,
    /// and with it where the line passes.
    #[inline]
    fn outward([a, b, c]: [Self; 3]) -> Self {
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (first, second, third) = (ab.dot(ab), bc.dot(bc), ca.dot(ca));
        if second < first && second < third {
            ca.cross(bc)
        } else if first < third {
            bc.cross(ab)
        } else {
            ab.cross(ca)
        }
    }

    #[inline]
    fn replaced([a, b, c]: [Self; 3], by: Self, v: Self) -> usize {
        // The next portal is abw, wbc or awc: that whose areas with the line are all positive.
        let turned = v.cross(by);
        let (of_a, of_b, of_c) = (turned.dot(a), turned.dot(b), turned.dot(c));
        // Which it is cannot be foreseen: no branch.
        let (is_first, is_last) = ((0.0 <= of_a) & (of_b <= 0.0), (of_a < 0.0) & (0.0 <= of_c));
        2 * usize::from(is_first) + usize::from(is_last)
    }

    #[inline]
    fn shares([a, b, c]: [Self; 3], v: Self) -> [f64; 3] {
        [area(v, b, c), area(v, c, a), area(v, a, b)]
    }
}

impl Portal for Vec2<f64> {
    #[inline]
    fn portal_around(
        v: Self,
        outward: Self,
        aside: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<[Corner<Self>; 3]> {
        let left = Vec2::new(-v.y, v.x);
        let (a, b) = (support(outward + left * aside), support(outward - left * aside));
        // The first one is to the left of the line.
        (0.0 < left.dot(a.seen) && left.dot(b.seen) < 0.0).then_some([a, b, b])
    }

    #[inline]
    fn first_portal(
        v: Self,
        first: Self,
        noise: f64,
        support: &impl Fn(Self) -> Corner<Self>,
    ) -> Option<Option<[Corner<Self>; 3]>> {
        let a = support(first);
        let left = Vec2::new(-v.y, v.x);
        let is_left = 0.0 <= left.dot(a.seen);
        let across = if is_left { -left } else { left };
        let b = support(across);
        if !passes(b.seen, across, noise)? {
            return Some(None);
        }
        // The first one is to the left of the line.
        Some(Some(if is_left { [a, b, b] } else { [b, a, a] }))
    }

    #[inline]
    fn outward([a, b, _]: [Self; 3]) -> Self {
        // From left to right, turned towards where the line comes from.
        let along = b - a;
        Vec2::new(along.y, -along.x)
    }

    #[inline]
    fn replaced(_: [Self; 3], by: Self, v: Self) -> usize {
        usize::from(Vec2::new(-v.y, v.x).dot(by) < 0.0)
    }

    #[inline]
    fn shares([a, b, _]: [Self; 3], v: Self) -> [f64; 3] {
        let left = Vec2::new(-v.y, v.x);
        [-left.dot(b), left.dot(a), 0.0]
    }
}
