//! EPA: how deep two overlapping convex sets are in each other.
//!
//! The depth is the distance from the origin to the boundary of the set of differences. A polytope
//! with vertices on that boundary grows towards it:
//! 1. Start with the simplex that GJK leaves, completed to full dimension by supports perpendicular to
//!    what it spans. If that is impossible the set is flat, and the overlap across it is the answer.
//! 2. Take the facet nearest to the origin. Its distance bounds the depth from below, since the
//!    polytope lies inside of the set; the overlap H along its normal bounds it from above.
//! 3. Stop when the bounds agree for this facet; otherwise add the support point along that normal.
//! 4. For curved sets, after 4, 8, 16 and more steps, look whether balls inside of the sets prove the depth, all of it or
//!    but for some facets ([`inside`](super::inside)), or whether both surfaces are smooth there, and then which facets need not be looked at
//!    any more ([`cap`](super::cap)). Facets alone would have to be as small as the root of the tolerance.
//!
//! The polytope has a fixed capacity (126 steps). Polytopes rarely use a quarter of it; concentric
//! round shapes, all of whose facets are equally near, use it up. Then, and whenever the bounds have
//! not met, a descent over directions improves the best normal: the answer is a local minimum of H,
//! never worse than any facet seen, with honest bounds around it. Where H is almost constant around an
//! axis, as for a point near the axis of a large cone, the descent can stop 1e-9 of the sizes above the
//! minimum.

use super::cap;
use super::descent::{descend, starts};
use super::inside::{Claim, Shield, Shields};
use super::simplex::{Simplex, Vertex};
use super::space::Space;
use super::support::Support;
use super::{Trace, difference_support, rounding_error};
use carom_math::Number;

/// More than the capacity of the hulls: facets that cannot grow take steps too.
const MAX_ITERATIONS: u32 = 512;

/// The gap of the bounds, relative to the sizes, that counts as agreement. For polytopes nothing but
/// rounding; curved sets come closer by a constant factor with each step, and the normal is right to
/// the square root of this.
const POLYTOPE_TOLERANCE: f64 = 8.0 * f64::EPSILON;
/// 2⁻³⁶, 1.5e-11.
const CURVED_TOLERANCE: f64 = 65536.0 * f64::EPSILON;

/// How deep two convex sets overlap, in their common frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penetration<V> {
    /// The overlap along the normal: moving the second set by normal·depth separates the pair.
    /// Negative, by rounding, for sets that only just touch; below −rounding for sets that are apart,
    /// which are then proven to be.
    pub(crate) depth: f64,
    /// The true depth is never below.
    pub(crate) lower: f64,
    /// The true depth is never above.
    pub(crate) upper: f64,
    /// The unit vector from the first to the second set.
    pub(crate) normal: V,
    /// The point of the first set that is deepest in the second.
    pub(crate) point_a: V,
    /// The point of the second set that is deepest in the first: point_a − normal·depth up to the gap
    /// of the bounds.
    pub(crate) point_b: V,
    #[cfg_attr(not(test), allow(dead_code))] // tests count them
    pub(crate) iterations: u32,
}

/// What the driver needs to know about a facet of the growing polytope.
pub(crate) struct Facet<V> {
    pub(super) index: usize,
    /// Outwards, not of unit length.
    pub(super) normal: V,
    pub(super) length: f64,
    /// The facet is at least this far from the origin; negative if the origin is beyond it.
    pub(super) lower: f64,
}

/// What a hull knows about the future of a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Part of the surface, and may be expanded.
    Open,
    /// Part of the surface, known not to be expandable.
    Settled,
    /// Not part of the surface.
    Free,
}

/// What became of an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    Grown,
    /// The new vertex is not in front of the facet.
    Blocked,
    Full,
}

/// A convex polytope that grows by one vertex at a time.
pub(crate) trait Hull<V>: Sized {
    /// No polytope yet. Made in place, since it is large and moving it costs more than some steps.
    const EMPTY: Self;
    /// Becomes the simplex of full dimension with these vertices; false for a flat one.
    fn start(&mut self, vertices: &[Vertex<V>]) -> bool;
    /// The facet with the least lower bound among those not settled; the lowest index of equals.
    fn nearest(&self) -> Option<Facet<V>>;
    /// The corners of a facet, as many as there are dimensions.
    fn corners(&self, index: usize) -> [Vertex<V>; 3];
    /// All facets of the surface with their lower bounds.
    fn surface(&self) -> impl Iterator<Item = (usize, f64)>;
    /// The set of differences ends no nearer than this behind a facet.
    fn raise(&mut self, index: usize, lower: f64);
    /// Excludes a facet from further expansion.
    fn settle(&mut self, index: usize);
    /// Adds a vertex in front of a facet.
    fn expand(&mut self, index: usize, vertex: Vertex<V>) -> Growth;
}

/// The least overlap found so far.
#[derive(Clone, Copy)]
pub(super) struct Best<V> {
    pub(super) overlap: f64,
    /// Not of unit length.
    pub(super) direction: V,
    /// The corners of the facet with that normal.
    pub(super) vertices: [Vertex<V>; 4],
    pub(super) count: usize,
}

/// How deep two sets overlap that [`distance()`](super::distance()) found overlapping or touching.
/// `simplex` is the one it returned; an empty one will do.
pub(crate) fn penetration<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    simplex: &Simplex<V>,
    trace: &mut impl Trace<V>,
) -> Penetration<V> {
    let size = a.size() + b.size();
    let error = rounding_error(a, b);
    let is_curved = A::CURVED || B::CURVED;
    let tolerance = size * if is_curved { CURVED_TOLERANCE } else { POLYTOPE_TOLERANCE };
    let (start, spanning) = complete(a, b, simplex);
    let mut best =
        Best { overlap: f64::INFINITY, direction: V::unit(0), vertices: [Vertex::ZERO; 4], count: 0 };
    let mut iterations = 0;
    let mut hull = V::Hull::EMPTY;
    if !hull.start(&start[..spanning]) {
        let found = flat(a, b, &start[..spanning], error);
        trace.axis(found.normal, found.depth);
        return found;
    }
    // The least lower bound of facets that cannot be expanded although their bounds differ.
    let mut settled = f64::INFINITY;
    let mut open = f64::INFINITY;
    let mut shields = Shields::NONE;
    while iterations < MAX_ITERATIONS {
        let Some(facet) = hull.nearest() else {
            open = f64::INFINITY;
            break;
        };
        open = facet.lower;
        let corners = hull.corners(facet.index);
        if let Some(shield) = shields.best() {
            // What is settled has its own bound, and nobody can do anything about it.
            let is_known = 0.0 < open && shield.depth() - open <= tolerance;
            if is_known && shield.depth() <= best.overlap + tolerance {
                trace.axis(shield.normal(), shield.depth());
                return shield.penetration(open.min_of(settled), iterations);
            }
            let places = corners.map(|corner| corner.difference);
            if let Some(radius) = shields.behind(&places[..V::DIM], open) {
                hull.raise(facet.index, radius);
                continue;
            }
        }
        iterations += 1;
        let vertex = difference_support(a, b, facet.normal);
        let overlap = facet.normal.dot(vertex.difference) / facet.length;
        trace.axis(facet.normal, overlap);
        trace.facet(&corners[..V::DIM], open, best.overlap);
        // By its own plane: a facet that was raised does not carry the deepest points.
        let own = |corner: &Vertex<V>| facet.normal.dot(corner.difference);
        let plane = corners[..V::DIM].iter().map(own).fold(f64::INFINITY, |least, x| x.min_of(least));
        let is_final = overlap - plane / facet.length <= tolerance;
        let growth = if is_final { Growth::Blocked } else { hull.expand(facet.index, vertex) };
        // A facet that stays is preferred to one as good that was expanded, because its corners carry the
        // deepest points.
        let allowance = if growth == Growth::Blocked { tolerance } else { 0.0 };
        if overlap < best.overlap + allowance {
            let [p, q, r] = corners;
            best =
                Best { overlap, direction: facet.normal, vertices: [p, q, r, Vertex::ZERO], count: V::DIM };
        }
        if is_curved && !is_final && FIRST_LOOK <= iterations && iterations.is_power_of_two() {
            let of_facet = Best {
                overlap,
                direction: facet.normal,
                vertices: [corners[0], corners[1], corners[2], Vertex::ZERO],
                count: V::DIM,
            };
            // Where one valley is known, the facet is in another.
            let tried = if shields.is_empty() { best } else { of_facet };
            let found = tried.shield(a, b, (open, tolerance), iterations);
            if let Some(shield) = found.filter(Shield::is_whole) {
                trace.axis(shield.normal(), shield.depth());
                return shield.penetration(f64::INFINITY, iterations);
            }
            shields.add(found);
        }
        match growth {
            _ if is_final => break,
            Growth::Grown => {}
            Growth::Blocked => {
                hull.settle(facet.index);
                settled = settled.min_of(open.max_of(distance_bound(&corners[..V::DIM])));
            }
            Growth::Full => break,
        }
    }
    let lower = open.min_of(settled).min_of(best.overlap);
    if tolerance < best.overlap - lower {
        let [_, others @ ..] = starts(a, b, &hull, &best);
        descend(a, b, &mut best);
        trace.axis(best.direction, best.overlap);
        for (overlap, direction) in others.into_iter().flatten() {
            let mut other = Best { overlap, direction, ..best };
            descend(a, b, &mut other);
            trace.axis(other.direction, other.overlap);
            if other.overlap < best.overlap {
                best = other;
            }
        }
    } else {
        choose_corners(&hull, tolerance, &mut best);
    }
    finish(best, lower, error, iterations)
}

/// Adds supports to the vertices of a simplex until they span the whole space, if the set does.
fn complete<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    simplex: &Simplex<V>,
) -> ([Vertex<V>; 4], usize) {
    let mut vertices = [Vertex::ZERO; 4];
    let mut points = [V::ZERO; 4];
    let mut count = 0;
    for vertex in simplex.vertices() {
        if V::leaves_span(&points[..count], vertex.difference) {
            (vertices[count], points[count]) = (*vertex, vertex.difference);
            count += 1;
        }
    }
    while count <= V::DIM {
        let mut farthest: Option<(f64, Vertex<V>)> = None;
        for direction in V::perpendiculars(&points[..count]).into_iter().flat_map(|d| [d, -d]) {
            if direction == V::ZERO {
                continue;
            }
            let vertex = difference_support(a, b, direction);
            let reach = direction.dot(vertex.difference - points[0]) / direction.length();
            if V::leaves_span(&points[..count], vertex.difference)
                && farthest.is_none_or(|(best, _)| best < reach || count == 0)
            {
                farthest = Some((reach, vertex));
            }
        }
        let Some((_, vertex)) = farthest else { break };
        (vertices[count], points[count]) = (vertex, vertex.difference);
        count += 1;
    }
    (vertices, count)
}

/// The answer for a set of differences that lies in a plane, a line or a point.
fn flat<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    spanning: &[Vertex<V>],
    error: f64,
) -> Penetration<V> {
    let mut points = [V::ZERO; 4];
    for (point, vertex) in points.iter_mut().zip(spanning) {
        *point = vertex.difference;
    }
    let mut best =
        Best { overlap: f64::INFINITY, direction: V::unit(0), vertices: [Vertex::ZERO; 4], count: 0 };
    best.vertices[..spanning.len()].copy_from_slice(spanning);
    best.count = spanning.len();
    // Three points can be off one line by less than their differences show; then two must do.
    let mut spanned = spanning.len();
    while 1 < spanned && V::perpendiculars(&points[..spanned])[0] == V::ZERO {
        spanned -= 1;
    }
    for direction in V::perpendiculars(&points[..spanned]).into_iter().flat_map(|d| [d, -d]) {
        if direction == V::ZERO {
            continue;
        }
        let overlap = direction.dot(difference_support(a, b, direction).difference) / direction.length();
        if overlap < best.overlap {
            (best.overlap, best.direction) = (overlap, direction);
        }
    }
    finish(best, 0.0, error, 0)
}

/// A facet of the set of differences can be many facets of the polytope, side by side, and only one of
/// them carries the foot of the perpendicular from the origin: takes its corners.
fn choose_corners<V: Space>(hull: &V::Hull, tolerance: f64, best: &mut Best<V>) {
    let Some(normal) = best.direction.normalized() else { return };
    let foot = normal * best.overlap;
    let mut least = about_foot(&best.vertices[..best.count], foot).reduce().length_squared();
    for (index, lower) in hull.surface() {
        if lower <= best.overlap + tolerance {
            let [p, q, r] = hull.corners(index);
            let missed = about_foot(&[p, q, r][..V::DIM], foot).reduce().length_squared();
            if missed < least {
                least = missed;
                (best.vertices, best.count) = ([p, q, r, Vertex::ZERO], V::DIM);
            }
        }
    }
}

/// A lower bound for the distance of a facet from the origin, whatever its plane does: the facet lies
/// beyond the plane through its nearest point p, perpendicular to p. The plane of a facet as thin as
/// rounding can pass anywhere.
fn distance_bound<V: Space>(corners: &[Vertex<V>]) -> f64 {
    let nearest = about_foot(corners, V::ZERO).reduce();
    let bounds = corners.iter().map(|corner| nearest.dot(corner.difference) / nearest.length());
    bounds.fold(f64::INFINITY, |least, bound| bound.min_of(least))
}

/// The simplex with these vertices, seen from the foot of the perpendicular.
fn about_foot<V: Space>(vertices: &[Vertex<V>], foot: V) -> Simplex<V> {
    let mut simplex = Simplex::EMPTY;
    for vertex in vertices {
        simplex.push(Vertex { difference: vertex.difference - foot, ..*vertex });
    }
    simplex
}

impl<V: Space> Best<V> {
    /// The deepest points are the blend of the facet that lies where the normal meets it.
    fn claim(&self) -> Option<Claim<V>> {
        let normal = self.direction.normalized()?;
        let mut simplex = about_foot(&self.vertices[..self.count], normal * self.overlap);
        simplex.reduce();
        let corners = [self.vertices[0], self.vertices[1], self.vertices[2]];
        Some(Claim { normal, points: simplex.witnesses(), corners })
    }

    /// What is known around the direction without facets, given a lower bound of the depth and the tolerance.
    fn shield<A: Support<V>, B: Support<V>>(
        &self,
        a: &A,
        b: &B,
        (lower, tolerance): (f64, f64),
        iterations: u32,
    ) -> Option<Shield<V>> {
        let claim = self.claim()?;
        let corners = &self.vertices[..self.count];
        let smooth = cap::smooth(a, b, claim.normal, corners, tolerance);
        let Some(smooth) = smooth else {
            return claim.proved(a, b, lower, tolerance, iterations == FIRST_LOOK);
        };
        // Its direction and its points are exact, which is what balls need.
        let exact = Claim { normal: smooth.normal(), points: smooth.points(), ..claim };
        exact.proved(a, b, lower, tolerance, true).filter(Shield::is_whole).or(Some(smooth))
    }
}

/// Steps before the first look without facets. Sooner the bounds rule out little and the look takes as long as several steps, of which what
/// is simple needs no more.
const FIRST_LOOK: u32 = 4;

fn finish<V: Space>(best: Best<V>, lower: f64, error: f64, iterations: u32) -> Penetration<V> {
    let normal = best.direction.normalized().unwrap_or(V::unit(0));
    // The deepest points are the blend of the facet that lies where the normal meets it.
    let mut simplex = about_foot(&best.vertices[..best.count], normal * best.overlap);
    simplex.reduce();
    let [point_a, point_b] = simplex.witnesses();
    Penetration {
        depth: best.overlap,
        lower: (lower - error).max_of(0.0),
        upper: (best.overlap + error).max_of(0.0),
        normal,
        point_a,
        point_b,
        iterations,
    }
}
