//! GJK: the distance of two convex sets with bounds that prove it.
//!
//! v is the point of the current simplex that is nearest to the origin, so |v| bounds the distance
//! from above. w, the farthest point of the set of differences towards the origin, spans a plane
//! perpendicular to v with the whole set behind it, so v·w/|v| bounds the distance from below. Each
//! step adds w to the simplex and reduces it to the part that carries the new v.
//!
//! The loop ends when the simplex contains the origin, when w is a vertex that it already has (for
//! polytopes, the exact end), when the bounds agree to the tolerance, when |v| stops decreasing (a
//! simplex that would increase it is not taken), or at the cap. Whatever ended it, the answer carries the best
//! of both bounds.
//!
//! How close they are: for polytopes within rounding, about 1e-14 of the sizes. For curved sets within
//! 1e-12 of the sizes S, except that over a wide flat face, at a distance d much smaller than S, the
//! rounding of the vertices tilts v by ε·S/d and costs the lower bound ε·S²/d.

use super::simplex::{Simplex, Vertex};
use super::space::Space;
use super::support::Support;
use super::{Trace, difference_support, outward, rounding_error};
use crate::pair::nearest::LEAST_SQUARE;
use crate::scale;
use carom_math::Number;

/// Polytopes end by a repeated vertex after a dozen steps; the cap serves slender curved shapes.
const MAX_ITERATIONS: u32 = 128;

/// Steps in a row that may leave |v| as it is.
const MAX_STALLED: u32 = 8;

/// The relative gap of the bounds at which the loop stops. The distance is then right to this much;
/// the direction to its square root, since |v − v*|² <= |v|² − v·w.
const POLYTOPE_TOLERANCE: f64 = 4.0 * f64::EPSILON;
/// 2⁻⁴³: distances to 1e-13, normals to 4e-7. A smaller one is lost in rounding for most pairs.
const CURVED_TOLERANCE: f64 = 512.0 * f64::EPSILON;
/// The same where any direction will do along which the sets are nearly as far apart as they are: 3 degrees.
const ROUGH_TOLERANCE: f64 = 1.0 / 1024.0;

/// Bounds that are wider than so many rounding errors are those of a search that ended too soon.
const LOOSE: f64 = 1024.0;

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The distance exceeds the limit that was asked about; `lower` and `normal` prove it.
    Separated,
    /// Apart; the points are the closest ones.
    Closest,
    /// Neither proven apart nor proven to overlap; `upper` says how far apart at most. For polytopes that
    /// is nothing but rounding; tangent curved pairs may stop at 1e-8 of their size. The sign of
    /// [`penetration()`](super::penetration())'s depth decides.
    Touching,
    /// A simplex of full dimension contains the origin.
    Overlap,
}

/// How far apart two convex sets are, in their common frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proximity<V> {
    pub(crate) status: Status,
    /// The length of point_a − point_b within the bounds; 0 for an overlap. When separated, only an
    /// upper bound of the distance.
    pub(crate) distance: f64,
    /// The true distance is never below.
    pub(crate) lower: f64,
    /// The true distance is never above.
    pub(crate) upper: f64,
    /// The unit vector from the first to the second set; zero when touching or overlapping left no
    /// direction. The depth query then finds the normal.
    pub(crate) normal: V,
    pub(crate) point_a: V,
    pub(crate) point_b: V,
    /// The vertices that carry the points.
    pub(crate) simplex: Simplex<V>,
    #[cfg_attr(not(test), allow(dead_code))] // tests count them
    pub(crate) iterations: u32,
}

impl<V: Space> Proximity<V> {
    /// Whether the bounds of a pair that is apart are much wider than rounding would have them.
    fn is_loose(&self, error: f64) -> bool {
        self.status == Status::Closest && LOOSE * error < self.upper - self.lower
    }
    /// The radius of a ball about the origin in a simplex that contains it; 0 where there is none.
    ///
    /// A side lies beyond the plane n·v = d whatever unit vector n is and with d the least n·v of its corners, so it is d away or more.
    pub(crate) fn inner_radius(&self) -> f64 {
        let vertices = self.simplex.vertices();
        if self.status != Status::Overlap {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for omitted in 0..vertices.len() {
            let mut corners = [V::ZERO; 3];
            let others = vertices.iter().enumerate().filter(|(index, _)| *index != omitted);
            for (corner, (_, vertex)) in corners.iter_mut().zip(others) {
                *corner = vertex.difference;
            }
            let corners = &corners[..V::DIM];
            let normal = outward(corners);
            least = corners.iter().fold(least, |least, &corner| normal.dot(corner).min_of(least));
        }
        least.max_of(0.0)
    }
    /// What a later query about nearly the same pair can start from.
    pub(crate) fn warm(&self) -> Warm<V> {
        let mut warm = Warm { directions: [V::ZERO; 4], count: 0 };
        for (to, vertex) in warm.directions.iter_mut().zip(self.simplex.vertices()) {
            *to = vertex.direction;
            warm.count += 1;
        }
        warm
    }
}

/// Directions, in the common frame, in which the last simplex had its vertices. Their supports start
/// the next search. Stale ones cost time, never correctness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Warm<V> {
    pub(crate) directions: [V; 4],
    pub(crate) count: usize,
}

/// The distance of two convex sets, or the proof that it exceeds `max_distance`.
pub(crate) fn distance<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    warm: Option<&Warm<V>>,
    max_distance: f64,
    trace: &mut impl Trace<V>,
) -> Proximity<V> {
    let mut search = Search::EMPTY;
    search.recall(a, b, warm);
    search.run(a, b, max_distance, agree::<V, A, B>, trace);
    concluded(search, a, b, max_distance, trace)
}

/// What a search has found; of polytopes, what another one has found where rounding ended the first too soon.
#[inline(always)]
fn concluded<V: Space, A: Support<V>, B: Support<V>>(
    search: Search<V>,
    a: &A,
    b: &B,
    max_distance: f64,
    trace: &mut impl Trace<V>,
) -> Proximity<V> {
    let axis = search.lower_axis;
    let found = search.conclude(a, b);
    if A::CURVED || B::CURVED || !found.is_loose(rounding_error(a, b)) {
        return found;
    }
    again(a, b, (axis, found), max_distance, trace)
}

/// Once more, from the vertex along the best axis of a search that rounding has ended too soon: beside a needle of 10¹¹ times its width a
/// simplex may lose ground by rounding where another one does not. The one with the tighter bounds counts.
#[cold]
fn again<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    (axis, found): (V, Proximity<V>),
    max_distance: f64,
    trace: &mut impl Trace<V>,
) -> Proximity<V> {
    let mut search = Search::EMPTY;
    search.begin(&[difference_support(a, b, -axis)]);
    search.run(a, b, max_distance, agree::<V, A, B>, trace);
    let second = search.conclude(a, b);
    if second.upper - second.lower < found.upper - found.lower { second } else { found }
}

/// The same for polytopes, from vertices that are likely to hold the nearest point.
pub(crate) fn distance_from<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    vertices: &[Vertex<V>],
    max_distance: f64,
    trace: &mut impl Trace<V>,
) -> Proximity<V> {
    let mut search = Search::EMPTY;
    search.begin(vertices);
    search.run(a, b, max_distance, agree::<V, A, B>, trace);
    search.conclude(a, b)
}

/// About the distance, from vertices or directions that are likely to hold the nearest point: all bounds hold as
/// ever, but the search ends as soon as a direction along which the sets are apart is a good one. What counts is how
/// far they are apart beyond `radii`.
#[inline(always)] // one caller, which shall not copy the answer
pub(crate) fn rough_distance<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    radii: f64,
    vertices: &[Vertex<V>],
    warm: Option<&Warm<V>>,
) -> Proximity<V> {
    let mut search = Search::EMPTY;
    search.begin(vertices);
    search.recall(a, b, warm);
    let error = rounding_error(a, b);
    // Below rounding there is nothing to be gained either.
    let agree = |squared: f64, product: f64| {
        let length = squared.sqrt();
        let slack = (ROUGH_TOLERANCE * (length - radii)).max_of(error);
        squared - product <= slack * length || agree::<V, A, B>(squared, product)
    };
    search.run(a, b, f64::INFINITY, agree, &mut ());
    search.conclude(a, b)
}

/// Whether the bounds agree, given |v|² and v·w.
#[inline]
fn agree<V: Space, A: Support<V>, B: Support<V>>(squared: f64, product: f64) -> bool {
    let tolerance = if A::CURVED || B::CURVED { CURVED_TOLERANCE } else { POLYTOPE_TOLERANCE };
    squared - product <= tolerance * squared
}

/// What [`distance`] says, without anything to start from, if it takes points to tell; else how the pair relates, which is known sooner.
pub(crate) fn status_or_distance<V: Space, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    max_distance: f64,
    trace: &mut impl Trace<V>,
) -> Result<Status, Proximity<V>> {
    let mut search = Search::EMPTY;
    search.run(a, b, max_distance, agree::<V, A, B>, trace);
    match search.status() {
        status @ (Status::Separated | Status::Overlap) => Ok(status),
        _ => Err(concluded(search, a, b, max_distance, trace)),
    }
}

/// Where the loop stands.
struct Search<V> {
    simplex: Simplex<V>,
    /// The nearest point of the simplex, or a first guess.
    nearest: V,
    /// Its squared length; infinite for a guess.
    nearest_squared: f64,
    /// The best proof of separation, and the vector that gave it.
    lower: f64,
    lower_axis: V,
    /// Farther apart than was asked about.
    separated: bool,
    iterations: u32,
    error: f64,
}

impl<V: Space> Search<V> {
    const EMPTY: Self = Search {
        simplex: Simplex::EMPTY,
        nearest: V::ZERO,
        nearest_squared: f64::INFINITY,
        lower: f64::NEG_INFINITY,
        lower_axis: V::ZERO,
        separated: false,
        iterations: 0,
        error: 0.0,
    };

    /// Begins with the vertices that were farthest in some directions.
    fn recall<A: Support<V>, B: Support<V>>(&mut self, a: &A, b: &B, warm: Option<&Warm<V>>) {
        if let Some(warm) = warm {
            for &direction in warm.directions.iter().take(warm.count) {
                add_new(&mut self.simplex, difference_support(a, b, direction));
            }
        }
    }

    /// Begins with vertices.
    fn begin(&mut self, vertices: &[Vertex<V>]) {
        for &vertex in vertices {
            add_new(&mut self.simplex, vertex);
        }
    }

    fn run<A: Support<V>, B: Support<V>>(
        &mut self,
        a: &A,
        b: &B,
        max_distance: f64,
        agree: impl Fn(f64, f64) -> bool,
        trace: &mut impl Trace<V>,
    ) {
        let error = rounding_error(a, b);
        let simplex = &mut self.simplex;
        let mut nearest = simplex.reduce();
        let mut nearest_squared = f64::INFINITY;
        if simplex.is_empty() {
            nearest = in_range(a.center() - b.center());
            if nearest == V::ZERO {
                nearest = V::unit(0);
            }
        } else {
            nearest_squared = nearest.length_squared();
        }
        let (mut lower, mut lower_axis) = (f64::NEG_INFINITY, nearest);
        let mut iterations = 0;
        let mut stalled = 0;
        while nearest_squared != 0.0 && iterations < MAX_ITERATIONS {
            iterations += 1;
            let towards = if nearest_squared < LEAST_SQUARE { in_range(nearest) } else { nearest };
            let vertex = difference_support(a, b, -towards);
            let product = nearest.dot(vertex.difference);
            let bound = product / nearest.length();
            trace.axis(-nearest, -bound);
            if lower < bound {
                (lower, lower_axis) = (bound, nearest);
            }
            if max_distance < lower - error {
                self.separated = true;
                break;
            }
            if !simplex.is_empty()
                && (agree(nearest_squared, product) || simplex.contains_vertex(vertex.difference))
            {
                break;
            }
            let next = simplex.nearest_with(vertex);
            let next_squared = next.point.length_squared();
            // Along a needle the first step in the right direction can be too short to change |v|, and only
            // the one after it pays. So a few steps may stand still; one that loses ground ends the search.
            stalled = if next_squared < nearest_squared { 0 } else { stalled + 1 };
            let holds_ground = next_squared <= nearest_squared * (1.0 + 8.0 * f64::EPSILON);
            if MAX_STALLED < stalled || !holds_ground {
                break;
            }
            simplex.reduce_to(&next);
            (nearest, nearest_squared) = (next.point, next_squared);
            trace.simplex(simplex.vertices(), lower, nearest_squared.sqrt());
        }
        (self.nearest, self.nearest_squared, self.lower, self.lower_axis) =
            (nearest, nearest_squared, lower, lower_axis);
        (self.iterations, self.error) = (iterations, error);
    }

    /// The vertices are within rounding of the true set, so a blend of them that is zero proves a common point.
    fn contains_origin(&self) -> bool {
        self.nearest_squared == 0.0
    }

    fn status(&self) -> Status {
        let contained = self.contains_origin();
        if self.separated {
            Status::Separated
        } else if contained && V::DIM < self.simplex.vertices().len() {
            Status::Overlap
        } else if !contained && 0.0 < self.lower {
            Status::Closest
        } else {
            Status::Touching
        }
    }

    fn conclude<A: Support<V>, B: Support<V>>(self, a: &A, b: &B) -> Proximity<V> {
        let (status, contained) = (self.status(), self.contains_origin());
        let Search { simplex, nearest, lower, lower_axis, separated, iterations, error, .. } = self;
        // Unless the origin is contained, the witnesses are the proof.
        let [point_a, point_b] =
            if simplex.is_empty() { [a.center(), b.center()] } else { simplex.witnesses() };
        let upper = if contained { error } else { (point_a - point_b).length() + error };
        // Where the gap is no more than rounding errors, so is the nearest point, and it may lie in any direction. The best axis shows a gap.
        let is_axis_better = separated || (status == Status::Closest && lower <= error);
        let lower = if contained { 0.0 } else { (lower - error).max_of(0.0) };
        let length = if contained {
            0.0
        } else if separated {
            upper
        } else {
            nearest.length()
        };
        Proximity {
            status,
            distance: length.max_of(lower).min_of(upper),
            lower,
            upper,
            normal: (if is_axis_better { -lower_axis } else { -nearest }).normalized().unwrap_or(V::ZERO),
            point_a,
            point_b,
            simplex,
            iterations,
        }
    }
}

/// The vector, times a power of two where its products with lengths near 1 would be rounded among the subnormal
/// numbers: supports depend on the direction alone, and centres may be as close to each other as numbers can be.
fn in_range<V: Space>(direction: V) -> V {
    direction * scale::towards_one(direction.max_abs(), 200)
}

/// Adds a vertex unless it is there already or not a number.
fn add_new<V: Space>(simplex: &mut Simplex<V>, vertex: Vertex<V>) {
    if vertex.difference.finite() && !simplex.contains_vertex(vertex.difference) {
        simplex.push(vertex);
    }
}
