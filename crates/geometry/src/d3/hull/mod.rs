//! Convex hulls in space.
//!
//! The combinatorics is exact: every decision is the sign of an orientation determinant, computed
//! without error (Shewchuk 1997), so there is no threshold, no sliver face and no case in which it
//! fails. Steps:
//!
//! 1. Sort the points and drop repetitions. Everything later depends on the sorted list only, so the
//!    order of the input does not matter.
//! 2. Find the dimension: one point, a segment, a flat polygon, or a solid.
//! 3. Grow a solid hull of triangles by Quickhull ([`grow`]; Barber, Dobkin and Huhdanpaa 1996).
//! 4. Unite triangles that lie in one plane into polygons and drop the points inside their edges
//!    ([`faces`]).

mod faces;
mod facets;
mod grow;
mod merge;

use crate::Error;
use crate::bound::check_points;
use crate::d2::{self, Predicates};
use carom_math::{Real, Vec3, Vector};

pub(crate) use facets::{Facets, HullEdge};
pub(crate) use merge::merged_faces;

/// A convex hull as lists of indices.
///
/// `faces` and `triangles` refer to positions in `vertices`, which refers to the points that were
/// given. All lists are in an order that does not depend on the order of those points: vertices by
/// coordinates (x, then y, then z), faces starting at their smallest vertex and sorted.
///
/// # Example
/// ```
/// use carom_geometry::d3::convex_hull;
/// // A pyramid with a square base, and a point inside.
/// let points = [[0, 0, 0], [2, 0, 0], [1, 1, 1], [2, 2, 0], [0, 2, 0], [1, 1, 2]];
/// let hull = convex_hull(&points.map(|p| p.map(f64::from).into()))?;
/// assert_eq!(hull.dimension, 3);
/// assert_eq!((hull.vertices.len(), hull.faces.len(), hull.triangles.len()), (5, 5, 6));
/// assert!(!hull.vertices.contains(&2));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hull {
    /// The dimension of the points: 0 when they are all equal, 1 on a line, 2 in a plane, 3 otherwise.
    pub dimension: usize,
    /// The corners, as indices into the given points; the first of equal points counts. One for
    /// dimension 0, two for dimension 1. No corner lies between others.
    pub vertices: Vec<usize>,
    /// The faces, counter-clockwise seen from outside, as positions in `vertices`. Each is a convex
    /// polygon without straight angles, and two that share an edge do not lie in one plane. A flat hull
    /// has two, one for each side; a hull of lower dimension has none.
    pub faces: Vec<Vec<usize>>,
    /// The faces cut into triangles, with the same winding, in the order of the faces.
    pub triangles: Vec<[usize; 3]>,
}

/// The convex hull of points, in O(n log n) for ordinary clouds.
///
/// Decided exactly, for all finite coordinates. Points of lower dimension are legal.
///
/// # Errors
/// When there is no point, or a coordinate is not finite.
///
/// # Example
/// ```
/// use carom_geometry::d3::convex_hull;
/// // Eight corners of a cube: six square faces.
/// let cube: Vec<_> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(f64::from).into()).collect();
/// let hull = convex_hull(&cube)?;
/// assert_eq!(hull.faces.len(), 6);
/// assert!(hull.faces.iter().all(|face| face.len() == 4));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn convex_hull<T: Real>(points: &[Vec3<T>]) -> Result<Hull, Error> {
    check_points(points)?;
    let wide: Vec<Vec3<f64>> = points.iter().map(|p| p.widen()).collect();
    Ok(hull_of(&wide))
}

/// The hull of finite points, at least one.
pub(crate) fn hull_of(points: &[Vec3<f64>]) -> Hull {
    let given = Predicates::new(points);
    let order = given.sorted();
    let sorted = given.select(&order);
    let (dimension, loops) = match Seed::of(&sorted) {
        Seed::Point => return Hull { dimension: 0, ..Hull::without_faces(&order[..1]) },
        // The extremes of points on a line are the first and the last in the order.
        Seed::Line(a, b) => return Hull { dimension: 1, ..Hull::without_faces(&[order[a], order[b]]) },
        Seed::Plane(drop) => {
            let front = d2::hull_of(&sorted.without(drop));
            let back = front.iter().rev().copied().collect();
            (2, vec![front, back])
        }
        Seed::Solid(tetrahedron) => {
            let triangles = grow::quickhull(&sorted, tetrahedron);
            (3, faces::united(&sorted, &triangles))
        }
    };
    Hull::from_loops(dimension, loops, &order)
}

impl Hull {
    fn without_faces(vertices: &[usize]) -> Self {
        Hull { dimension: 0, vertices: vertices.to_vec(), faces: Vec::new(), triangles: Vec::new() }
    }

    /// Numbers the vertices that occur in the loops, by rank, and puts everything into its order.
    fn from_loops(dimension: usize, loops: Vec<Vec<usize>>, order: &[usize]) -> Self {
        let mut ranks: Vec<usize> = loops.iter().flatten().copied().collect();
        ranks.sort_unstable();
        ranks.dedup();
        let position = |rank: usize| ranks.binary_search(&rank).unwrap_or(0);
        let mut faces: Vec<Vec<usize>> = loops
            .into_iter()
            .map(|face| {
                let mut face: Vec<usize> = face.into_iter().map(position).collect();
                let smallest = face.iter().enumerate().min_by_key(|(_, v)| **v).map_or(0, |(at, _)| at);
                face.rotate_left(smallest);
                face
            })
            .collect();
        faces.sort();
        let fan = |face: &Vec<usize>| -> Vec<[usize; 3]> {
            face.windows(2).skip(1).map(|pair| [face[0], pair[0], pair[1]]).collect()
        };
        let triangles = faces.iter().flat_map(fan).collect();
        Hull { dimension, vertices: ranks.iter().map(|&rank| order[rank]).collect(), faces, triangles }
    }
}

/// Independent points to start from.
enum Seed {
    Point,
    Line(usize, usize),
    /// All points lie in a plane that is not perpendicular to the plane without this axis.
    Plane(usize),
    /// Four corners of a tetrahedron; the last is on the inner side of the first three, which are
    /// counter-clockwise from outside.
    Solid([usize; 4]),
}

impl Seed {
    /// Looks for far apart points among sorted, different ones. Decides by exact signs; the magnitudes
    /// only serve to pick a large tetrahedron.
    fn of(points: &Predicates<Vec3<f64>>) -> Self {
        let last = points.points().len() - 1;
        if last == 0 {
            return Seed::Point;
        }
        // Points on a line are sorted along it, so if any three are independent, so are these two
        // extremes and some other.
        let area = |k: usize| {
            (0..3)
                .map(|drop| (drop, points.orientation_without([0, last, k], drop).abs()))
                .fold((0, 0.0), |best: (usize, f64), next| if best.1 < next.1 { next } else { best })
        };
        let mut third = (0, (0, 0.0));
        for k in 1..last {
            let candidate = area(k);
            if third.1.1 < candidate.1 {
                third = (k, candidate);
            }
        }
        let (third, (drop, size)) = third;
        if size == 0.0 {
            return Seed::Line(0, last);
        }
        let mut fourth = (0, 0.0);
        for k in 1..last {
            let volume = points.orientation([0, last, third, k]);
            if f64::abs(fourth.1) < volume.abs() {
                fourth = (k, volume);
            }
        }
        match fourth {
            (_, 0.0) => Seed::Plane(drop),
            (fourth, volume) if 0.0 < volume => Seed::Solid([0, last, third, fourth]),
            (fourth, _) => Seed::Solid([last, 0, third, fourth]),
        }
    }
}
