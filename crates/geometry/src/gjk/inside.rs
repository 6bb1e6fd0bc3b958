//! Depths that are proved by balls inside of the sets.
//!
//! Let balls of the radii r and s about one point p lie in A and in B. Then C = {a − b} contains the ball of radius r + s about the origin,
//! and no direction has an overlap below r + s. That holds for every p. Let x be the point of A deepest in B and y that of B deepest
//! in A, so that x − y = d·n with the depth d. For a p on the way from x to y the ball in A reaches x at best, that in B reaches y,
//! and together they have d at most; they have it where neither surface curves more than a sphere about p does. So one p is a proof:
//!
//! - x itself where B is round or flat around y, as below a corner of A: r = 0;
//! - y itself where A is;
//! - for two round sets a p between, of which those beside the centres are tried.
//!
//! A polytope inside of C, which is what EPA has, proves as much with facets as small as the root of the tolerance. Where directions all
//! around an axis are as good as each other (a corner on the axis of a cone), or nearly so, no number of
//! facets is enough, and one ball is.
//!
//! **Cut balls.** A corner x of A on the axis of a cylinder or a cone may lie close to its flat end, beyond which there is more of A: then the depth is that of the
//! mantle, but the ball of that radius about x is cut by the plane of the end. C contains such a ball as well, cut by the
//! planes e·v <= c. Where v is a place on a facet of the polytope, e·v <= m, the largest of its corners, and |v| is no less than the
//! distance l of the facet: its directions have e·v/|v| <= m/l or less, and if the radius times that is at most c, what is
//! beyond the facet is beyond the ball. EPA need not look at such facets ([`Shield`]), and ends when the others are as far away.
//!
//! The direction: towards the place where the ball meets the surface. About a point on an axis that is
//! any of a circle. So it is looked for from a place beside p as well, on the way to where the deepest points are.

use super::penetration::Penetration;
use super::simplex::Vertex;
use super::space::Space;
use super::support::Support;
use super::{difference_support, outward, rounding_error};
use carom_math::{Number, Vector, power_of_two};

/// A ball of which the part on the inner side of two planes is inside of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball<V> {
    /// Positive, and as large as it can be; within 8ε of the sizes of the set and of the centre.
    pub(crate) radius: f64,
    /// Outwards, of unit length: where it meets the surface.
    pub(crate) outward: V,
    /// Unit vectors out of planes, and how far from the centre of the ball these are.
    pub(crate) cuts: [(V, f64); 2],
}

impl<V: Vector<Scalar = f64>> Ball<V> {
    /// One that no plane cuts, if the radius is positive.
    #[inline]
    pub(crate) fn whole(radius: f64, outward: V) -> Option<Self> {
        Ball::cut(radius, outward, uncut())
    }

    #[inline]
    pub(crate) fn cut(radius: f64, outward: V, cuts: [(V, f64); 2]) -> Option<Self> {
        (0.0 < radius).then_some(Ball { radius, outward, cuts })
    }

    /// The largest ball about the same centre that is not cut.
    fn uncut(self) -> Option<Self> {
        let [(e, c), (f, d)] = self.cuts;
        let (nearest, end) = if d < c { (f, d) } else { (e, c) };
        if end < self.radius { Ball::whole(end, nearest) } else { Ball::whole(self.radius, self.outward) }
    }
}

/// The part of a ball's radius from which its place on the surface is looked for once more.
const BESIDE: f64 = power_of_two(-10);

/// An edge takes one, a face two.
const MAX_WAYS: u32 = 2;

/// What the search for the depth stands at, to be proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<V> {
    /// Of unit length.
    pub(super) normal: V,
    /// The deepest points of either set along the normal.
    pub(super) points: [V; 2],
    /// What these are blended from.
    pub(super) corners: [Vertex<V>; 3],
}

impl<V: Space> Claim<V> {
    /// The depth, if balls prove it up to the tolerance; their direction is as good as that of the claim or better.
    /// Where a ball is cut, it is left to EPA whether that matters. The depth is known to be at least `lower`.
    pub(super) fn proved<A: Support<V>, B: Support<V>>(
        &self,
        a: &A,
        b: &B,
        lower: f64,
        tolerance: f64,
        is_first: bool,
    ) -> Option<Shield<V>> {
        let [x, y] = self.points;
        let normal = self.normal;
        let proof = Proof { a, b, normal, lower, error: rounding_error(a, b), tolerance };
        // The farthest points, where they are corners, are known better than blends of them.
        let (corner_a, corner_b) = (a.support(normal).0, b.support(-normal).0);
        let about = |corner: V, blend: V, side: Side| {
            let mut found = proof.about_point(corner, side);
            // Towards what is farther in the direction of the ball, to the deepest place on the way there.
            let mut place = corner;
            for _ in 0..MAX_WAYS {
                if found.is_none()
                    && let Some(next) = proof.beyond(place, side)
                    && let Some(deeper) = proof.on_way(place, next, side)
                {
                    place = deeper;
                    found = proof.about_point(place, side);
                }
            }
            let found = found.or_else(|| proof.about_point(proof.next(corner, side)?, side));
            // Only of what has corners: other points of a smooth surface are no better.
            let curve = match side {
                Side::A => b.curve_at(-normal),
                Side::B => a.curve_at(normal),
            };
            let count = if curve.iter().all(|&s| s == V::ZERO) { V::DIM } else { 0 };
            let of = |vertex: &Vertex<V>| if side == Side::B { vertex.point_a } else { vertex.point_b };
            let points = self.corners[..count].iter().map(of).chain([blend]);
            let others = points.filter(|&point| point != corner);
            found.or_else(|| {
                others.into_iter().find_map(|point| {
                    let between = proof.on_way(corner, point, side);
                    let found = between.and_then(|place| proof.about_point(place, side));
                    found.or_else(|| proof.about_point(point, side))
                })
            })
        };
        let found = about(corner_a, x, Side::B).or_else(|| about(corner_b, y, Side::A));
        if !is_first {
            return found;
        }
        let (center_a, center_b) = (a.center(), b.center());
        let middle = (center_a + center_b) * 0.5;
        found
            .or_else(|| proof.in_both(middle))
            .or_else(|| proof.in_both(center_a))
            .or_else(|| proof.in_both(center_b))
            .or_else(|| proof.in_both(proof.between(x, y, center_a)?))
            .or_else(|| proof.in_both(proof.between(x, y, center_b)?))
    }
}

/// The set with the ball.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    A,
    B,
}

struct Proof<'a, V, A, B> {
    a: &'a A,
    b: &'a B,
    normal: V,
    lower: f64,
    error: f64,
    tolerance: f64,
}

impl<V: Space, A: Support<V>, B: Support<V>> Proof<'_, V, A, B> {
    fn ball(&self, side: Side, p: V) -> Option<Ball<V>> {
        match side {
            Side::A => self.a.ball_about(p),
            Side::B => self.b.ball_about(p),
        }
    }

    /// The point between two others of one set that is the deepest in the other set.
    fn on_way(&self, from: V, to: V, side: Side) -> Option<V> {
        let along = to - from;
        let share = match side {
            Side::A => self.a.deepest_on(from, along),
            Side::B => self.b.deepest_on(from, along),
        };
        share.filter(|&share| 0.0 < share && share < 1.0).map(|share| from + along * share)
    }

    /// A direction out of a set as one of the set of differences.
    fn signed(side: Side, outward: V) -> V {
        if side == Side::A { outward } else { -outward }
    }

    /// Whether no direction could have an overlap as small as that, so that there is nothing to be proved.
    fn is_too_small(&self, radius: f64) -> bool {
        radius + self.tolerance < self.lower
    }

    /// A ball in one set about a point of the other.
    fn about_point(&self, p: V, side: Side) -> Option<Shield<V>> {
        let ball = self.ball(side, p)?;
        // Beyond a cut its place on the surface would be outside of the set.
        let is_beyond = ball.cuts.iter().any(|&(_, c)| c < -self.error);
        if is_beyond || self.is_too_small(ball.radius) {
            return None;
        }
        let whole = ball.uncut();
        if let Some(whole) = whole {
            let found = self.along(p, Self::radii(side, whole.radius), Self::signed(side, whole.outward));
            if found.is_some() {
                return found;
            }
        }
        let is_cut = whole.is_none_or(|whole| whole.radius < ball.radius);
        let cuts = if is_cut { ball.cuts.map(|(e, c)| (Self::signed(side, e), c)) } else { uncut() };
        // From beside the point, towards where the search is, or else away from the middle of the set whose point it is.
        let center = if side == Side::A { self.b.center() - p } else { p - self.a.center() };
        let beside = |towards: V| self.ball(side, p + Self::signed(side, towards) * (ball.radius * BESIDE));
        let along = |outward: V| self.along(p, Self::radii(side, ball.radius), Self::signed(side, outward));
        let found = beside(self.normal)
            .and_then(|beside| along(beside.outward))
            .or_else(|| along(beside(center.normalized()?)?.outward))
            .or_else(|| if is_cut { along(ball.outward) } else { None })?;
        Some(Shield { cuts: cuts.map(|(e, c)| (e, c + self.error)), ..found })
    }

    /// The radii of a ball in one set and of none in the other.
    fn radii(side: Side, radius: f64) -> [f64; 2] {
        if side == Side::A { [radius, 0.0] } else { [0.0, radius] }
    }

    /// The point that is deepest in the direction of the largest whole ball about another one, if that is not the same.
    fn next(&self, p: V, side: Side) -> Option<V> {
        self.deepest(p, Self::signed(side, self.ball(side, p)?.uncut()?.outward), side)
    }

    /// The same for the ball that may be cut.
    fn beyond(&self, p: V, side: Side) -> Option<V> {
        self.deepest(p, Self::signed(side, self.ball(side, p)?.outward), side)
    }

    fn deepest(&self, p: V, normal: V, side: Side) -> Option<V> {
        let next = if side == Side::A { self.b.support(-normal).0 } else { self.a.support(normal).0 };
        (next != p).then_some(next)
    }

    /// The point between x and y that is beside another one.
    fn between(&self, x: V, y: V, beside: V) -> Option<V> {
        let (way, along) = (self.normal.dot(x - y), self.normal.dot(beside - y));
        (0.0 < along && along < way).then(|| y + (x - y) * (along / way))
    }

    /// Balls in both sets about a point.
    fn in_both(&self, p: V) -> Option<Shield<V>> {
        let in_a = self.a.ball_about(p)?.uncut()?;
        let in_b = self.b.ball_about(p)?.uncut()?;
        let radii = [in_a.radius, in_b.radius];
        if self.is_too_small(in_a.radius + in_b.radius) {
            return None;
        }
        let near_a = || self.a.ball_about(p + self.normal * (in_a.radius * BESIDE))?.uncut();
        let near_b = || self.b.ball_about(p - self.normal * (in_b.radius * BESIDE))?.uncut();
        self.along(p, radii, in_a.outward)
            .or_else(|| self.along(p, radii, -in_b.outward))
            .or_else(|| near_a().and_then(|ball| self.along(p, radii, ball.outward)))
            .or_else(|| near_b().and_then(|ball| self.along(p, radii, -ball.outward)))
    }

    /// The depth along a direction, if it is no more than the radii.
    fn along(&self, p: V, [in_a, in_b]: [f64; 2], normal: V) -> Option<Shield<V>> {
        let radius = in_a + in_b;
        if self.is_too_small(radius) {
            return None;
        }
        let overlap = normal.dot(difference_support(self.a, self.b, normal).difference);
        (overlap - radius <= self.tolerance).then(|| Shield {
            depth: overlap,
            normal,
            points: [p + normal * in_a, p - normal * in_b],
            radius,
            cuts: uncut(),
            cap: -1.0,
            error: self.error,
        })
    }
}

/// Planes that cut nothing.
fn uncut<V: Vector<Scalar = f64>>() -> [(V, f64); 2] {
    [(V::ZERO, f64::INFINITY); 2]
}

/// A ball about the origin whose part on the inner side of two planes is inside of the set of differences, and what is deepest if all of it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shield<V> {
    depth: f64,
    normal: V,
    points: [V; 2],
    radius: f64,
    cuts: [(V, f64); 2],
    /// The cosine of the angle around the normal up to which directions have the overlap of the radius at least.
    cap: f64,
    error: f64,
}

impl<V: Space> Shield<V> {
    /// Whether the set of differences ends beyond the ball behind a facet with these corners, which has the origin in front of it and is
    /// this far from it. If so, the radius.
    fn behind(&self, corners: &[V], distance: f64) -> Option<f64> {
        let is_behind = |&(e, c): &(V, f64)| {
            c == f64::INFINITY || (0.0 < distance && self.radius * largest_cosine(corners, e) <= c)
        };
        let is_shielded = if self.cap == -1.0 {
            self.cuts.iter().all(is_behind)
        } else {
            0.0 < distance && self.is_around(corners)
        };
        (distance < self.radius && is_shielded).then_some(self.radius)
    }

    /// Whether the nearest place of the surface of the set of differences, if it is behind a facet with these corners, is within the cap.
    ///
    /// Such a place is nearer than the depth d, and so is the place v of the facet in front of it, while n·v >= l for the normal n of the facet and the
    /// least n·v of its corners, l. So v is within γ of n, cos γ = l/d; and if n is within α − γ of the middle of the cap, whose angle is
    /// α, v is within the cap.
    fn is_around(&self, corners: &[V]) -> bool {
        let normal = outward(corners);
        let least = corners.iter().fold(f64::INFINITY, |least, &corner| normal.dot(corner).min_of(least));
        let (alpha, gamma) = (self.cap, (least / self.depth).min_of(1.0));
        let sine = |cosine: f64| (1.0 - cosine * cosine).max_of(0.0).sqrt();
        alpha <= gamma && alpha * gamma + sine(alpha) * sine(gamma) <= normal.dot(self.normal)
    }

    /// Directions within an angle of the normal, given its cosine, have at least the overlap `radius`.
    pub(super) fn around(depth: f64, normal: V, points: [V; 2], radius: f64, cap: f64, error: f64) -> Self {
        Shield { depth, normal, points, radius, cuts: uncut(), cap, error }
    }

    /// Whether no plane cuts the ball.
    pub(super) fn is_whole(&self) -> bool {
        self.cap == -1.0 && self.cuts.iter().all(|&(_, c)| self.radius <= c)
    }

    pub(super) fn normal(&self) -> V {
        self.normal
    }

    /// The points that are deepest along the normal.
    pub(super) fn points(&self) -> [V; 2] {
        self.points
    }

    /// How deep the sets overlap along the normal.
    pub(super) fn depth(&self) -> f64 {
        self.depth
    }

    /// The answer, given that the surface of the set of differences is nowhere nearer than `lower` where the ball does not reach.
    pub(super) fn penetration(&self, lower: f64, iterations: u32) -> Penetration<V> {
        // The point about which the balls are is in its set, the radii are right, and the planes are where they are, all up to rounding.
        let lower = lower.min_of(self.radius) - 3.0 * self.error;
        let [point_a, point_b] = self.points;
        Penetration {
            depth: self.depth,
            lower: lower.max_of(0.0),
            upper: (self.depth + self.error).max_of(0.0),
            normal: self.normal,
            point_a,
            point_b,
            iterations,
        }
    }
}

/// What is known of some parts of the surface.
pub(super) struct Shields<V> {
    all: [Option<Shield<V>>; MAX_SHIELDS],
}

/// Valleys of the overlap that are kept: two for what lies in the middle of something, and others for those that turn out not to be the lowest.
const MAX_SHIELDS: usize = 4;

impl<V: Space> Shields<V> {
    pub(super) const NONE: Self = Shields { all: [None; MAX_SHIELDS] };

    pub(super) fn is_empty(&self) -> bool {
        self.all[0].is_none()
    }

    /// Keeps another one, as long as there is room.
    pub(super) fn add(&mut self, shield: Option<Shield<V>>) {
        if let Some(place) = self.all.iter_mut().find(|place| place.is_none()) {
            *place = shield;
        }
    }

    /// The one with the least overlap, the first of equals.
    pub(super) fn best(&self) -> Option<&Shield<V>> {
        self.all.iter().flatten().reduce(|best, next| if next.depth < best.depth { next } else { best })
    }

    /// [`Shield::behind`] for any of them.
    pub(super) fn behind(&self, corners: &[V], distance: f64) -> Option<f64> {
        self.all.iter().flatten().find_map(|shield| shield.behind(corners, distance))
    }
}

/// No place on a facet that has the origin behind it has a larger e·v/|v|.
///
/// With the normal n of the facet, k = n·e, m the largest e·v and l the least n·v of its corners: for a place with e·v = s,
/// |v|² >= s² + (l − s·k)²/(1 − k²) as long as s·k < l, and s/|v| grows with s then.
pub(super) fn largest_cosine<V: Space>(corners: &[V], e: V) -> f64 {
    let normal = outward(corners);
    let (mut most, mut least, mut far) = (f64::NEG_INFINITY, f64::INFINITY, 0.0_f64);
    for &corner in corners {
        most = e.dot(corner).max_of(most);
        least = normal.dot(corner).min_of(least);
        far = corner.length().max_of(far);
    }
    if most <= 0.0 {
        return most / far;
    }
    let cosine = normal.dot(e);
    let (ahead, across) = (least - most * cosine, 1.0 - cosine * cosine);
    // Not for a facet across e, nor for numbers that are none.
    if 0.0 < ahead && 0.0 < across { most / (most * most + ahead * ahead / across).sqrt() } else { 1.0 }
}
