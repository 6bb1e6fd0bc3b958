//! EPA: how deep two overlapping convex sets are in each other.
//!
//! The depth is the distance from the origin to the boundary of the set of differences. A polytope
//! with vertices on that boundary grows towards it:
//! 1. Start with the simplex that GJK leaves, completed to full dimension by supports perpendicular to
//!    what it spans. If that is impossible the set is flat, and the overlap across it is the answer.
//! 2. Take the facet nearest to the origin. Its distance bounds the depth from below, since the
//!    polytope lies inside of the set; the overlap H along its normal bounds it from above.
//! 3. Stop when the bounds agree for this facet; otherwise add the support point along that normal.
//!
//! The polytope has a fixed capacity (126 steps). Polytopes rarely use a quarter of it; concentric
//! round shapes, all of whose facets are equally near, use it up. Then, and whenever the bounds have
//! not met, a descent over directions improves the best normal: the answer is a local minimum of H,
//! never worse than any facet seen, with honest bounds around it. Where H is almost constant around an
//! axis, as for a point near the axis of a large cone, the descent can stop 1e-9 of the sizes above the
//! minimum.

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
    /// Excludes a facet from further expansion.
    fn settle(&mut self, index: usize);
    /// Adds a vertex in front of a facet.
    fn expand(&mut self, index: usize, vertex: Vertex<V>) -> Growth;
}

/// The least overlap found so far.
#[derive(Clone, Copy)]
struct Best<V> {
    overlap: f64,
    /// Not of unit length.
    direction: V,
    /// The corners of the facet with that normal.
    vertices: [Vertex<V>; 4],
    count: usize,
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
    let tolerance = size * if A::CURVED || B::CURVED { CURVED_TOLERANCE } else { POLYTOPE_TOLERANCE };
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
    while iterations < MAX_ITERATIONS {
        let Some(facet) = hull.nearest() else {
            open = f64::INFINITY;
            break;
        };
        open = facet.lower;
        iterations += 1;
        let vertex = difference_support(a, b, facet.normal);
        let overlap = facet.normal.dot(vertex.difference) / facet.length;
        trace.axis(facet.normal, overlap);
        let corners = hull.corners(facet.index);
        trace.facet(&corners[..V::DIM], open, best.overlap);
        let is_final = overlap - open <= tolerance;
        let growth = if is_final { Growth::Blocked } else { hull.expand(facet.index, vertex) };
        // A facet that stays is preferred to one as good that was expanded, because its corners carry the
        // deepest points.
        let allowance = if growth == Growth::Blocked { tolerance } else { 0.0 };
        if overlap < best.overlap + allowance {
            let [p, q, r] = corners;
            best =
                Best { overlap, direction: facet.normal, vertices: [p, q, r, Vertex::ZERO], count: V::DIM };
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

/// Where to look for the least overlap when the polytope is full: H may have several valleys (about the
/// axis of a large cylinder that holds a triangle there are three), and the deepest lies behind a facet whose
/// lower bound is below the best overlap. The best direction comes first, then the normals of such
/// facets with the least H, well apart from each other.
fn starts<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    hull: &V::Hull,
    best: &Best<V>,
) -> [Option<(f64, V)>; MAX_STARTS] {
    let mut chosen = [None; MAX_STARTS];
    chosen[0] = best.direction.normalized().map(|normal| (best.overlap, normal));
    for slot in 1..MAX_STARTS {
        let mut least: Option<(f64, V)> = None;
        for (index, lower) in hull.surface() {
            let corners = hull.corners(index).map(|corner| corner.difference);
            let normal = V::perpendiculars(&corners[..V::DIM])[0].normalized().unwrap_or(V::ZERO);
            let normal = if normal.dot(corners[0]) < 0.0 { -normal } else { normal };
            let is_apart = |other: &Option<(f64, V)>| other.is_none_or(|(_, n)| n.dot(normal) < SAME_VALLEY);
            if best.overlap < lower || normal == V::ZERO || !chosen.iter().all(is_apart) {
                continue;
            }
            let overlap = normal.dot(difference_support(a, b, normal).difference);
            if least.is_none_or(|(known, _)| overlap < known) {
                least = Some((overlap, normal));
            }
        }
        chosen[slot] = least;
    }
    chosen
}

/// How many valleys are searched.
const MAX_STARTS: usize = 5;
/// The cosine of the angle below which two directions lie in different valleys, perhaps: 25°.
const SAME_VALLEY: f64 = 0.906;

/// Improves the best direction n by what the set of differences looks like around it. Supports along a
/// ring of directions about n are points of the boundary near the foot; the plane through them is a
/// better facet than any the polytope could afford, exact where the minimum sits on an edge or corner
/// of H. Its normal, the ring itself and the gradient (w − (n·w)n at the support point w) are tried;
/// the ring shrinks when none helps.
fn descend<V: Space>(a: &impl Support<V>, b: &impl Support<V>, best: &mut Best<V>) {
    let Some(mut normal) = best.direction.normalized() else { return };
    let mut radius = 0.25;
    for step in 0..MAX_DESCENT_STEPS {
        let ring = ring_about(normal, if step % 2 == 0 { radius } else { -radius });
        let points = ring.map(|direction| difference_support(a, b, direction).difference);
        let plane = V::perpendiculars(&points[..V::DIM])[0];
        let plane = if plane.dot(normal) < 0.0 { -plane } else { plane };
        let here = difference_support(a, b, normal).difference;
        let gradient = (normal * normal.dot(here) - here).normalized().unwrap_or(V::ZERO);
        let mut improved = false;
        // The plane is wherever the ring says, so its success does not say that the ring is narrow enough:
        // it would creep for all steps there are.
        let steps = ring.into_iter().take(V::DIM).chain([normal + gradient * radius]);
        for (direction, is_step) in steps.map(|step| (step, true)).chain([(plane, false)]) {
            if direction == V::ZERO {
                continue;
            }
            let overlap = direction.dot(difference_support(a, b, direction).difference) / direction.length();
            if overlap < best.overlap {
                (best.overlap, best.direction) = (overlap, direction);
                improved |= is_step;
            }
        }
        normal = best.direction.normalized().unwrap_or(normal);
        if !improved {
            radius *= 0.5;
            if radius < SMALLEST_RADIUS {
                break;
            }
        }
    }
    if V::DIM == 3 {
        normal = slide(a, b, best).unwrap_or(normal);
    }
    let [p, q, r] = ring_about(normal, WITNESS_RADIUS).map(|direction| difference_support(a, b, direction));
    (best.vertices, best.count) = ([p, q, r, Vertex::ZERO], V::DIM);
}

/// Follows a valley of H to its lowest place. Around the axis of a large cone or ellipsoid that holds
/// something small, H hardly changes, and across it changes fast; a straight step leaves such a valley
/// unless it is very short. So each step goes along the valley, u being the flattest direction around n,
/// and then down to its floor: over t, H(n + s·u + t·v) is convex but for the length of its argument, and
/// a golden section finds the least. The steps shrink when none helps. Returns the best normal.
fn slide<V: Space>(a: &impl Support<V>, b: &impl Support<V>, best: &mut Best<V>) -> Option<V> {
    let overlap_along = |direction: V| {
        let length = direction.length();
        if length == 0.0 {
            return f64::INFINITY;
        }
        direction.dot(difference_support(a, b, direction).difference) / length
    };
    let mut stride = LONGEST_STRIDE;
    let mut normal = best.direction.normalized()?;
    for _ in 0..MAX_STRIDES {
        let [u, v, _] = V::perpendiculars(&[V::ZERO, normal]).map(|t| t.normalized().unwrap_or(V::ZERO));
        let near = stride.min_of(VALLEY_RADIUS) * core::f64::consts::FRAC_1_SQRT_2;
        let around = [[u, v], [v, -u], [u + v, v - u], [u - v, u + v]];
        let mut flattest = (f64::INFINITY, [u, v]);
        for [along, across] in around {
            let scale = if along == u || along == v { 1.0 } else { core::f64::consts::FRAC_1_SQRT_2 };
            let (along, across) = (along * scale, across * scale);
            // The valley goes both ways; its walls rise on one side at least.
            let height = overlap_along(normal + along * near).max_of(overlap_along(normal - along * near));
            if height < flattest.0 {
                flattest = (height, [along, across]);
            }
        }
        let [along, across] = flattest.1;
        let mut improved = false;
        for step in [stride, -stride] {
            let from = normal + along * step;
            let mut low = -stride;
            let mut width = 2.0 * stride;
            let at = |t: f64| overlap_along(from + across * t);
            let (mut left, mut right) = (at(low + width * (1.0 - GOLDEN)), at(low + width * GOLDEN));
            for _ in 0..MAX_SECTIONS {
                if right < left {
                    low += width * (1.0 - GOLDEN);
                    width *= GOLDEN;
                    left = right;
                    right = at(low + width * GOLDEN);
                } else {
                    width *= GOLDEN;
                    right = left;
                    left = at(low + width * (1.0 - GOLDEN));
                }
            }
            let t = if left < right { low + width * (1.0 - GOLDEN) } else { low + width * GOLDEN };
            let direction = from + across * t;
            let overlap = overlap_along(direction);
            if overlap < best.overlap {
                (best.overlap, best.direction) = (overlap, direction);
                improved = true;
            }
        }
        normal = best.direction.normalized()?;
        if !improved {
            stride *= 0.25;
            if stride < SMALLEST_STRIDE {
                break;
            }
        }
    }
    Some(normal)
}

/// Two or three directions evenly around n, about `radius` radians away.
fn ring_about<V: Space>(normal: V, radius: f64) -> [V; 3] {
    let [u, v, _] = V::perpendiculars(&[V::ZERO, normal]).map(|t| t.normalized().unwrap_or(V::ZERO) * radius);
    if V::DIM == 2 {
        return [normal + u, normal - u, normal];
    }
    // cos 120° = −½, sin 120° = √3/2.
    let (half, across) = (u * 0.5, v * 0.866_025_403_784_438_6);
    [normal + u, normal - half + across, normal - half - across]
}

/// Radians. The plane through supports this far apart is all rounding error.
const SMALLEST_RADIUS: f64 = 1e-9;
/// Radians. Deepest points are blended from supports this far apart: on a sphere of radius 1 they are
/// within 1e-12 of its surface.
const WITNESS_RADIUS: f64 = 1e-6;
/// Radians: from a fifth of a right angle down to where H, at its least, no longer changes.
const LONGEST_STRIDE: f64 = 0.3;
const SMALLEST_STRIDE: f64 = 1e-7;
/// Radians. The flattest direction is looked for this close.
const VALLEY_RADIUS: f64 = 1e-3;
/// Shrinking alone takes eleven.
const MAX_STRIDES: u32 = 40;
/// Narrows the cross-section by 1e-8.
const MAX_SECTIONS: u32 = 38;
/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Halving alone takes about thirty.
const MAX_DESCENT_STEPS: u32 = 100;
