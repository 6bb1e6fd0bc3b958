//! From two features and a normal to contact points, the same in both dimensions.

use super::FeaturePair;
use super::clip::{Polygon, Side};
use super::feature::{Feature, SIDE_BY_SIDE, is_parallel};
use super::reach::reach;
use super::watch::Watch;
use crate::answer::Separation;
use carom_math::{Number, Vector};

/// A face is the reference when the cosine between its normal and that of the contact is at least
/// this: 8°. Beyond, a corner or an edge touches, and the contact has one point.
pub(crate) const FACING: f64 = 0.99;

/// Nearest points of edges count when the cosine between their connection and the normal is at least
/// this: the connection of edges that cross turns over.
const ALONG_NORMAL: f64 = 0.9;

/// Depths within this many rounding errors of the deepest one are the deepest one.
pub(crate) const SAME: f64 = 2.0;

/// The same where the bounds of the depth are farther apart, but no more than 2⁻²⁸ of the size.
const CURVED: f64 = (1_u32 << 19) as f64;

/// Depths within this of the deepest one are the deepest one. The kernels for curved shapes know it less well
/// than rounding allows, but not by much more.
#[inline(always)]
pub(crate) fn doubt<V: Vector<Scalar = f64>>(found: &Separation<V>, error: f64) -> f64 {
    (SAME * error).max_of(found.error).min_of(CURVED * error)
}

/// A contact point in the frame of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<V> {
    pub(crate) point: V,
    pub(crate) depth: f64,
    pub(crate) feature: FeaturePair,
}

/// Contact points, at most `N`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidates<V, const N: usize> {
    points: [Candidate<V>; N],
    count: usize,
}

impl<V: Vector<Scalar = f64>, const N: usize> Candidates<V, N> {
    pub(crate) fn new() -> Self {
        let none = Candidate { point: V::ZERO, depth: 0.0, feature: FeaturePair { a: 0, b: 0 } };
        Candidates { points: [none; N], count: 0 }
    }
    /// Appends a point, unless there is one at the same place.
    pub(crate) fn push(&mut self, candidate: Candidate<V>) {
        let known = self.points().iter().any(|other| other.point == candidate.point);
        if let (false, Some(place)) = (known, self.points.get_mut(self.count)) {
            *place = candidate;
            self.count += 1;
        }
    }
    fn swap_features(&mut self) {
        for candidate in self.points.iter_mut().take(self.count) {
            candidate.feature = candidate.feature.swapped();
        }
    }
    pub(crate) fn points(&self) -> &[Candidate<V>] {
        &self.points[..self.count.min(N)]
    }

    /// The deepest points become as deep as the contact, and none is deeper; when all are less deep,
    /// the contact's own point, called `feature`, is one more, or replaces the one of that name. Points with
    /// a gap wider than the margin go.
    fn complete(
        &mut self,
        found: &Separation<V>,
        feature: impl FnOnce() -> FeaturePair,
        error: f64,
        margin: f64,
    ) {
        let deepest = 0.0 - found.separation;
        let doubt = doubt(found, error);
        let mut reached = false;
        let mut kept = 0;
        for index in 0..self.count.min(N) {
            let mut candidate = self.points[index];
            if deepest - doubt <= candidate.depth {
                candidate.depth = deepest;
                reached = true;
            }
            if -margin <= candidate.depth {
                self.points[kept] = candidate;
                kept += 1;
            }
        }
        self.count = kept;
        if !reached {
            // Where a less deep point is at the same place or has the same name, this one replaces it.
            let (point, feature) = (found.point_a * 0.5 + found.point_b * 0.5, feature());
            let is_same = |other: &Candidate<V>| other.point == point || other.feature == feature;
            let same = self.points().iter().position(is_same);
            if let Some(place) = self.points.get_mut(same.unwrap_or(kept)) {
                *place = Candidate { point, depth: deepest, feature };
                self.count = if same.is_some() { kept } else { kept + 1 };
            }
        }
    }
}

/// What differs between the plane and space.
pub(crate) trait Facing: Vector<Scalar = f64> {
    /// The planes through the sides of a reference face, parallel to `along`, the unit vector that
    /// points out of it. Calls `visit` with each, in order.
    fn sides<const N: usize>(reference: &Feature<Self, N>, along: Self, visit: impl FnMut(Side<Self>));
    /// The part of a feature that edges are made of: in space, the edge of a face that is highest
    /// along a direction; nothing in the plane.
    fn highest_edge<const N: usize>(feature: &Feature<Self, N>, along: Self) -> Option<Feature<Self, 2>>;
    /// The points that a disc shares with another feature, seen along `along`, which points out of the disc;
    /// features in the order disc, other. There are no discs in the plane.
    fn on_disc<const N: usize, const M: usize>(
        disc: &Feature<Self, N>,
        other: &Feature<Self, N>,
        along: Self,
        error: f64,
        candidates: &mut Candidates<Self, M>,
    ) {
        let _ = (disc, other, along, error, candidates);
    }
}

/// All points of the contact between the features of a and b; the normal of `found` points from a to
/// b. `N` is the number of corners of a feature, `M` that of a polygon after clipping plus one.
pub(crate) fn gather<V: Facing, const N: usize, const M: usize>(
    a: &Feature<V, N>,
    b: &Feature<V, N>,
    found: &Separation<V>,
    error: f64,
    margin: f64,
    watcher: &mut impl Watch<V>,
    candidates: &mut Candidates<V, M>,
) {
    let normal = found.normal;
    let (facing_a, facing_b) = (a.alignment(normal), b.alignment(-normal));
    let a_is_reference = FACING <= facing_a && facing_b <= facing_a;
    let has_reference = a_is_reference || FACING <= facing_b;
    // The points are those of (a, b) or of (b, a); the features of the latter are exchanged in the end.
    let is_disc = (a.round || b.round) && !a.endless && !b.endless;
    let is_swapped = has_reference && if is_disc { !a.round } else { !a_is_reference };
    let (first, second, along) = if is_swapped { (b, a, -normal) } else { (a, b, normal) };
    if !has_reference {
        side_by_side(a, b, normal, error, candidates);
    } else if is_disc {
        V::on_disc(first, second, along, error, candidates);
    } else {
        on_face(first, second, along, watcher, candidates);
    }
    if is_swapped {
        candidates.swap_features();
    }
    // What touches at the deepest point: a face that is perpendicular to the normal touches as a whole.
    let touching = |feature: &Feature<V, N>, facing: f64, is_reference: bool, along: V| {
        if is_reference && FACING <= facing { feature.name } else { feature.tip(along) }
    };
    let tips = || FeaturePair {
        a: touching(a, facing_a, a_is_reference, normal),
        b: touching(b, facing_b, has_reference && !a_is_reference, -normal),
    };
    candidates.complete(found, tips, error, margin);
    watcher.gathered(candidates.points().iter().map(|candidate| candidate.point));
}

/// The incident feature clipped against a face; `along` points out of the face.
#[inline]
fn on_face<V: Facing, const N: usize, const M: usize>(
    reference: &Feature<V, N>,
    incident: &Feature<V, N>,
    along: V,
    watcher: &mut impl Watch<V>,
    candidates: &mut Candidates<V, M>,
) {
    let (Some(normal), Some(corner)) = (reference.normal, reference.corners().first()) else { return };
    watcher.faces(
        reference.corners().iter().map(|corner| corner.point),
        incident.corners().iter().map(|corner| corner.point),
    );
    let steepness = normal.dot(along);
    let mut given = Polygon::<V, M>::new(incident.corners(), reference.name);
    let mut room = Polygon::empty(false);
    let polygon;
    if reference.endless {
        polygon = &given;
    } else {
        let none = Side { outward: V::ZERO, at: V::ZERO, name: 0, start: 0 };
        let (mut sides, mut count) = ([none; N], 0);
        V::sides(reference, along, |side| {
            if let Some(place) = sides.get_mut(count) {
                *place = side;
                count += 1;
            }
        });
        polygon = given.clipped(&mut room, &sides[..count.min(N)], incident.name, watcher);
    }
    for clipped in polygon.corners() {
        let q = clipped.point;
        let height = normal.dot(q - corner.point) / steepness;
        let above = reach(reference, q - along * height, along);
        let below = reach(incident, q, -along);
        candidates.push(Candidate {
            point: q - along * ((height - above + below) * 0.5),
            depth: (above + below) - height,
            feature: clipped.feature,
        });
    }
}

/// Two edges next to each other: the ends of what they share.
///
/// With p the foot on a of a point q of b, w = |q − p| and κ the sine between that connection and b, a
/// point at λ from p is λ away from a and κ(w − λ) away from b. It is half way between the surfaces
/// when λ − rₐ = κ(w − λ) − r_b. By the triangle inequality its depth, rₐ + r_b − λ − κ(w − λ), is no
/// more than that of the contact, also for edges that cross at a small angle.
///
/// The side of a cylinder is its axis with its radius. Edges that have crossed each other, as those of solids
/// in each other have, are left to [`above_each_other`].
fn side_by_side<V: Facing, const N: usize, const M: usize>(
    a: &Feature<V, N>,
    b: &Feature<V, N>,
    normal: V,
    error: f64,
    candidates: &mut Candidates<V, M>,
) {
    // Most capsules cross, and need no more than this.
    if let ([a0, a1], [b0, b1]) = (a.corners(), b.corners())
        && !is_parallel(a1.point - a0.point, b1.point - b0.point)
    {
        return;
    }
    let (Some(line_a), Some(line_b)) = (V::highest_edge(a, normal), V::highest_edge(b, -normal)) else {
        return;
    };
    let (a, b) = (line_a.to_spine(), line_b.to_spine());
    let ([a0, a1], [b0, b1]) = (a.corners(), b.corners()) else { return };
    let (u, v) = (a1.point - a0.point, b1.point - b0.point);
    let (uu, vv) = (u.dot(u), v.dot(v));
    let rise = |edge: V, squared: f64| {
        let rise = normal.dot(edge);
        rise * rise / squared
    };
    let limit = SIDE_BY_SIDE * SIDE_BY_SIDE;
    if uu == 0.0 || vv == 0.0 || !is_parallel(u, v) || limit < rise(u, uu) || limit < rise(v, vv) {
        return;
    }
    let level = rise(u, uu) <= f64::EPSILON && rise(v, vv) <= f64::EPSILON;
    let along_b = v / vv.sqrt();
    for clipped in shared_part(&a, &b).corners() {
        let q = clipped.point;
        let p = a0.point + u * (u.dot(q - a0.point) / uu);
        let between = q - p;
        let w = Vector::length(between);
        // Below the rounding errors the connection has no direction of its own.
        let direction = if SAME * error < w { between / w } else { normal };
        if direction == normal && !level || direction.dot(normal) < ALONG_NORMAL {
            continue;
        }
        let cosine = direction.dot(along_b);
        let halfway = |sine: f64| (a.radius - b.radius + sine * w) / (1.0 + sine);
        let mut sine = (1.0 - cosine * cosine).max_of(0.0).sqrt();
        // Where on b the foot of the point is, as seen from q; beyond the end it is the end.
        let shift = (halfway(sine) - w) * cosine;
        let room = along_b.dot(if shift < 0.0 { q - b0.point } else { b1.point - q });
        if shift != 0.0 && room < shift.abs() {
            // Only what is rounded at its end has a ball there.
            if (q != b0.point && q != b1.point) || b.spine != V::ZERO {
                continue;
            }
            sine = 1.0;
        }
        let mut lambda = halfway(sine);
        let (mut foot, mut depth) = (p, (a.radius + b.radius) - (lambda + sine * (w - lambda)));
        let mut towards = direction;
        // Between the edges the triangle inequality holds. A point beyond one of them, as one is when the
        // other's radius reaches that far, is as deep as their distance says, which is that of the feet.
        if lambda < 0.0 {
            let on_b = b0.point + along_b * along_b.dot(p - b0.point);
            let apart = Vector::length(on_b - p);
            let is_outside = along_b.dot(on_b - b0.point) < 0.0 || along_b.dot(b1.point - on_b) < 0.0;
            if is_outside || apart <= SAME * error {
                continue;
            }
            towards = (on_b - p) / apart;
            lambda = (a.radius - b.radius + apart) * 0.5;
            depth = (a.radius + b.radius) - apart;
        } else if w < lambda {
            lambda = halfway(1.0);
            depth = (a.radius + b.radius) - w;
        }
        foot += towards * lambda;
        candidates.push(Candidate { point: foot, depth, feature: clipped.feature });
    }
    if candidates.points().is_empty() {
        above_each_other(&line_a, &line_b, normal, error, candidates);
    }
}

/// What edge b has between the ends of edge a, each with its name.
fn shared_part<V: Facing>(a: &Feature<V, 2>, b: &Feature<V, 2>) -> Polygon<V, 4> {
    let mut part = Polygon::new(b.corners(), a.name);
    let [a0, a1] = a.corners() else { return part };
    let along = a1.point - a0.point;
    let sides = [
        Side { outward: -along, at: a0.point, name: a0.vertex, start: a0.vertex },
        Side { outward: along, at: a1.point, name: a1.vertex, start: a1.vertex },
    ];
    *part.clipped(&mut Polygon::empty(false), &sides, b.name, &mut ())
}

/// Two edges in one plane with the normal: where both have points, one above the other.
fn above_each_other<V: Facing, const M: usize>(
    a: &Feature<V, 2>,
    b: &Feature<V, 2>,
    normal: V,
    error: f64,
    candidates: &mut Candidates<V, M>,
) {
    let [a0, a1] = a.corners() else { return };
    let along = a1.point - a0.point;
    let flat = along - normal * normal.dot(along);
    let squared = flat.dot(flat);
    for clipped in shared_part(a, b).corners() {
        let q = clipped.point;
        let p = a0.point + along * (flat.dot(q - a0.point) / squared);
        let height = normal.dot(q - p);
        let aside = (q - p) - normal * height;
        let room = SAME * error;
        if aside.dot(aside) <= room * room {
            let (above, below) = (reach(a, p, normal), reach(b, q, -normal));
            candidates.push(Candidate {
                point: q - normal * ((height - above + below) * 0.5),
                depth: (above + below) - height,
                feature: clipped.feature,
            });
        }
    }
}
