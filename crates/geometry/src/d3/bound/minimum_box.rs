//! The box of least volume around points.
//!
//! No closed form is known. O'Rourke (1985) proved that some two neighbouring sides of the smallest box
//! each contain an edge of the convex hull; Jylänki (2015) observed that in practice a third side does
//! too. The boxes in which three sides are pinned by edges are finitely many, so they are listed:
//!
//! - *A side lies on a face of the hull*: its normal is known, and the rectangle of least area of the
//!   shadow along it (found by calipers) completes the box.
//! - *Two opposite sides each contain an edge*: the normal is the cross product of the edges, and the
//!   shadow completes the box again.
//! - *Three mutually perpendicular sides each contain an edge*: see [`pinned`].
//!
//! The best of them, and the boxes along the coordinate axes and the principal axes, are improved by
//! completing them about each of their own axes in turn, and by small turns, until nothing helps.
//!
//! Listing is cubic in the number of edges, with a small constant. Beyond [`EDGES`] edges only faces
//! are tried, the largest first, as many as [`WORK`] allows.

use crate::Error;
use crate::bound::{Aabb, Placement, check_points, principal_axes, size_of};
use crate::d2::{self, Predicates, least_area};
use crate::d3::Obb;
use crate::d3::hull::{Hull, hull_of};
use crate::scale::towards_one;
use carom_math::{Number, Pose3, Real, Vec2, Vec3, Vector, power_of_two};
use std::collections::BTreeMap;

/// Up to this many edges, pairs and triples are listed: about 200 corners, some tenths of a second.
const EDGES: usize = 600;

/// A bound on faces tried times corners, so that hulls of many thousand corners end in a few seconds.
const WORK: usize = 4_000_000;

/// The smallest box that contains all points, in any orientation.
///
/// Never larger than the box along the coordinate axes or [`Obb::from_principal_axes`] (flat clouds are
/// compared by area, clouds on a line by length). For hulls of up
/// to about 200 corners all boxes with three pinned sides are compared, which has found the optimum
/// wherever it is known; for larger hulls the answer is a good box, not a proven optimum. Flat clouds
/// get the rectangle of least area in their plane, points on a line a box along it, a single point a
/// box of size zero.
///
/// # Errors
/// When there is no point, a coordinate is not finite, or the box overflows.
///
/// # Example
/// ```
/// use carom_geometry::d3::minimum_box;
/// // A regular tetrahedron fits best into the cube whose face diagonals are its edges.
/// let corners = [[1.0_f64, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
/// let fit = minimum_box(&corners.map(Into::into))?;
/// assert!((fit.volume() - 8.0).abs() < 1e-13);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn minimum_box<T: Real>(points: &[Vec3<T>]) -> Result<Obb<T>, Error> {
    check_points(points)?;
    let wide: Vec<Vec3<f64>> = points.iter().map(|p| p.widen()).collect();
    let hull = hull_of(&wide);
    // The hull is exact and boxes are convex, so what contains the corners contains all points.
    let extreme: Vec<Vec3<T>> = hull.vertices.iter().map(|&i| points[i]).collect();
    let corners = normalized(&hull.vertices.iter().map(|&i| wide[i]).collect::<Vec<_>>());
    // How thick a flat hull may look once its box is rounded.
    let thin = 64.0 * T::EPSILON.to_f64() * size_of(&wide);
    let mut best = Obb::around(&extreme, Pose3::<f64>::IDENTITY.columns())?;
    for axes in [principal_axes(&wide), smallest_frame(&corners, &hull)] {
        let candidate = Obb::around(&extreme, axes)?;
        if smaller(&candidate, &best, hull.dimension, thin) {
            best = candidate;
        }
    }
    Ok(best)
}

/// Whether the first box is the smaller one, by the product of the largest extents, as many as the
/// points have dimensions: what is left of the height of a flat cloud is rounding, at most `thin`. A box
/// that is thicker than that does not lie in the plane of the cloud and is larger than any that does,
/// whatever the product of its two largest extents.
fn smaller<T: Real>(a: &Obb<T>, b: &Obb<T>, dimension: usize, thin: f64) -> bool {
    let sorted = |fit: &Obb<T>| {
        let half = fit.half_extents().widen();
        let mut extents = [half.x, half.y, half.z];
        extents.sort_by(|x, y| y.total_cmp(x));
        extents
    };
    let (a, b) = (sorted(a), sorted(b));
    let is_flat = |extents: &[f64; 3]| extents.iter().skip(dimension).all(|extent| *extent <= thin);
    let counted = match (is_flat(&a), is_flat(&b)) {
        (true, true) => dimension,
        (false, false) => 3,
        (only_a, _) => return only_a,
    };
    // Ratios of like extents, unlike their products, neither overflow nor underflow.
    let ratios = a.into_iter().zip(b).take(counted);
    ratios.fold(1.0, |product, (a, b)| if a == b { product } else { product * (a / b) }) < 1.0
}

/// A right-handed orthonormal frame and the volume of the box along it.
#[derive(Clone, Copy)]
struct Candidate {
    axes: [Vec3<f64>; 3],
    volume: f64,
}

impl Candidate {
    /// Keeps the smaller one; the earlier among equals.
    fn improve(&mut self, other: Option<Candidate>) -> bool {
        match other {
            Some(other) if other.volume < self.volume => {
                *self = other;
                true
            }
            _ => false,
        }
    }
}

/// The corners relative to the middle of their box and scaled by a power of two to a size near one: the
/// search sees the same numbers whatever the scale of the input.
fn normalized(corners: &[Vec3<f64>]) -> Vec<Vec3<f64>> {
    let resized = |points: &[Vec3<f64>]| -> Vec<Vec3<f64>> {
        let factor = towards_one(size_of(points), 0);
        points.iter().map(|p| *p * factor).collect()
    };
    let scaled = resized(corners);
    let bounds: Aabb<Vec3<f64>> = scaled.iter().fold(Aabb::empty(), |all, p| all.merged_with(*p));
    let middle = bounds.center();
    let local: Vec<Vec3<f64>> = scaled.iter().map(|p| *p - middle).collect();
    resized(&local)
}

/// The axes of the smallest box around the corners of a hull.
fn smallest_frame(corners: &[Vec3<f64>], hull: &Hull) -> [Vec3<f64>; 3] {
    let upright = Pose3::<f64>::IDENTITY.columns();
    match (hull.dimension, corners) {
        (1, [a, .., b]) => frame_about(*b - *a).unwrap_or(upright),
        (2, _) => {
            let face = Surface::new(corners, hull).faces.first().copied();
            face.and_then(|face| completed(corners, face.normal)).map_or(upright, |best| best.axes)
        }
        (3, _) => smallest_around_solid(corners, hull),
        _ => upright,
    }
}

fn smallest_around_solid(corners: &[Vec3<f64>], hull: &Hull) -> [Vec3<f64>; 3] {
    let surface = Surface::new(corners, hull);
    let mut best = measured(corners, Pose3::<f64>::IDENTITY.columns());
    let mut principal = measured(corners, principal_axes(corners));
    descend(corners, &mut principal);
    best.improve(Some(principal));
    // Boxes with a face of the hull on a side.
    let mut faces = surface.faces.clone();
    let allowed = (WORK / corners.len().max(1)).max(64);
    if allowed < faces.len() {
        faces.sort_by(|a, b| b.area.total_cmp(&a.area));
        faces.truncate(allowed);
    }
    for face in &faces {
        best.improve(completed(corners, face.normal));
    }
    if surface.edges.len() <= EDGES {
        best.improve(opposite_edges(corners, &surface.edges));
        best.improve(pinned(corners, &surface.edges));
    }
    descend(corners, &mut best);
    best.axes
}

/// A face of the hull.
#[derive(Clone, Copy)]
struct Face {
    normal: Vec3<f64>,
    area: f64,
}

/// An edge of the hull and the unit normals of the faces beside it. The directions in which the edge is
/// extreme are those between the two normals: `left` + t·(`right` − `left`) with t in [0, 1].
#[derive(Clone, Copy)]
struct Edge {
    direction: Vec3<f64>,
    left: Vec3<f64>,
    right: Vec3<f64>,
}

struct Surface {
    faces: Vec<Face>,
    edges: Vec<Edge>,
}

impl Surface {
    fn new(corners: &[Vec3<f64>], hull: &Hull) -> Self {
        let mut faces = Vec::new();
        let mut beside: BTreeMap<(usize, usize), Vec3<f64>> = BTreeMap::new();
        for face in &hull.faces {
            let at = |k: usize| corners[face[k % face.len()]];
            // Newell's normal: the sum of the cross products around the first corner.
            let sum =
                (1..face.len()).fold(Vec3::ZERO, |sum, k| sum + (at(k) - at(0)).cross(at(k + 1) - at(0)));
            let Some(normal) = sum.normalized() else { continue };
            faces.push(Face { normal, area: Vector::length(sum) });
            for k in 0..face.len() {
                beside.insert((face[k], face[(k + 1) % face.len()]), normal);
            }
        }
        let mut edges = Vec::new();
        for (&(from, to), &left) in &beside {
            let Some(&right) = beside.get(&(to, from)).filter(|_| from < to) else { continue };
            // Where rounded coordinates have split a flat face, the normals differ by rounding only; such
            // an edge pins nothing that the face does not.
            if Vector::length(left.cross(right)) < 1e-12 {
                continue;
            }
            if let Some(direction) = (corners[to] - corners[from]).normalized() {
                edges.push(Edge { direction, left, right });
            }
        }
        Surface { faces, edges }
    }
}

impl Edge {
    /// Whether the edge is extreme in a direction perpendicular to it: the direction lies between the
    /// normals, up to a little that only lets more candidates through.
    fn is_extreme_along(&self, normal: Vec3<f64>) -> bool {
        let turn = self.left.cross(self.right);
        let slack = -1e-9;
        slack <= self.left.cross(normal).dot(turn)
            && slack <= normal.cross(self.right).dot(turn)
            && 0.0 < normal.dot(self.left + self.right)
    }
}

/// The box along a frame.
fn measured(corners: &[Vec3<f64>], axes: [Vec3<f64>; 3]) -> Candidate {
    Candidate { axes, volume: axes.into_iter().fold(1.0, |volume, axis| volume * extent(corners, axis)) }
}

fn extent(corners: &[Vec3<f64>], axis: Vec3<f64>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for corner in corners {
        let along = axis.dot(*corner);
        low = along.min_of(low);
        high = along.max_of(high);
    }
    high - low
}

/// Any right-handed orthonormal frame whose third axis has the given direction.
fn frame_about(direction: Vec3<f64>) -> Option<[Vec3<f64>; 3]> {
    let third = direction.normalized()?;
    // The coordinate axis that is most perpendicular.
    let magnitudes = third.abs_by_axis();
    let smallest = if magnitudes.x <= magnitudes.y && magnitudes.x <= magnitudes.z {
        0
    } else if magnitudes.y <= magnitudes.z {
        1
    } else {
        2
    };
    let first = Vec3::unit(smallest).cross(third).normalized()?;
    Some([first, third.cross(first), third])
}

/// The smallest box with the given direction as an axis: the shadow along it is a flat problem.
fn completed(corners: &[Vec3<f64>], direction: Vec3<f64>) -> Option<Candidate> {
    let [u, v, w] = frame_about(direction)?;
    let shadow: Vec<Vec2<f64>> = corners.iter().map(|p| Vec2::new(u.dot(*p), v.dot(*p))).collect();
    let outline: Vec<Vec2<f64>> =
        d2::hull_of(&Predicates::new(&shadow)).into_iter().map(|i| shadow[i]).collect();
    let (along, _) = least_area(&outline)?;
    let first = (u * along.x + v * along.y).normalized()?;
    Some(measured(corners, [first, w.cross(first), w]))
}

/// The best box with an edge on each of two opposite sides: the normal of the sides is perpendicular to
/// both edges.
fn opposite_edges(corners: &[Vec3<f64>], edges: &[Edge]) -> Option<Candidate> {
    let mut best: Option<Candidate> = None;
    for (k, first) in edges.iter().enumerate() {
        for second in &edges[k + 1..] {
            let Some(normal) = first.direction.cross(second.direction).normalized() else { continue };
            let normal = if normal.dot(first.left + first.right) < 0.0 { -normal } else { normal };
            if first.is_extreme_along(normal) && second.is_extreme_along(-normal) {
                keep(&mut best, completed(corners, normal));
            }
        }
    }
    best
}

/// The best box with three mutually perpendicular sides that each contain an edge.
///
/// The side normals at the edges are n₁ = a + b·t, n₂ = c + d·u, n₃ = e + f·v with t, u, v in [0, 1].
/// From n₂·n₃ = 0 and n₁·n₂ = 0 follow u and t as functions of v,
///
/// ```text
/// u = −(c·e + (c·f) v) / (d·e + (d·f) v),        t = −(g + h v) / (i + j v)
/// g = (a·c)(d·e) − (a·d)(c·e)     h = (a·c)(d·f) − (a·d)(c·f)
/// i = (b·c)(d·e) − (b·d)(c·e)     j = (b·c)(d·f) − (b·d)(c·f)
/// ```
///
/// and n₁·n₃ = 0 becomes the quadratic equation
///
/// ```text
/// ((a·f) j − (b·f) h) v² + ((a·e) j + (a·f) i − (b·e) h − (b·f) g) v + ((a·e) i − (b·e) g) = 0
/// ```
fn pinned(corners: &[Vec3<f64>], edges: &[Edge]) -> Option<Candidate> {
    let compatible = compatible_pairs(edges);
    let mut best: Option<Candidate> = None;
    for (i, first) in edges.iter().enumerate() {
        for j in compatible[i].iter().copied() {
            // Both lists are sorted: a walk along both finds the common members.
            let mut others = compatible[i].iter().copied().filter(|k| j < *k).peekable();
            for k in compatible[j].iter().copied() {
                while others.next_if(|other| *other < k).is_some() {}
                if others.peek() == Some(&k) {
                    for frame in pinned_by(first, &edges[j], &edges[k]).into_iter().flatten() {
                        keep(&mut best, Some(measured(corners, frame)));
                    }
                }
            }
        }
    }
    best
}

/// For each edge the later edges that can lie on a perpendicular side. The product n₁·n₂ is linear in
/// each parameter, so it vanishes somewhere only if it does not have one sign at the four ends.
fn compatible_pairs(edges: &[Edge]) -> Vec<Vec<usize>> {
    let perpendicular = |a: &Edge, b: &Edge| {
        let ends = [a.left.dot(b.left), a.left.dot(b.right), a.right.dot(b.left), a.right.dot(b.right)];
        ends.iter().any(|x| *x <= 0.0) && ends.iter().any(|x| 0.0 <= *x)
    };
    (0..edges.len())
        .map(|i| (i + 1..edges.len()).filter(|&j| perpendicular(&edges[i], &edges[j])).collect())
        .collect()
}

/// The frames in which the three edges lie on perpendicular sides: at most two.
fn pinned_by(first: &Edge, second: &Edge, third: &Edge) -> [Option<[Vec3<f64>; 3]>; 2] {
    let (a, b) = (first.left, first.right - first.left);
    let (c, d) = (second.left, second.right - second.left);
    let (e, f) = (third.left, third.right - third.left);
    let g = a.dot(c) * d.dot(e) - a.dot(d) * c.dot(e);
    let h = a.dot(c) * d.dot(f) - a.dot(d) * c.dot(f);
    let i = b.dot(c) * d.dot(e) - b.dot(d) * c.dot(e);
    let j = b.dot(c) * d.dot(f) - b.dot(d) * c.dot(f);
    let square = a.dot(f) * j - b.dot(f) * h;
    let linear = a.dot(e) * j + a.dot(f) * i - b.dot(e) * h - b.dot(f) * g;
    let constant = a.dot(e) * i - b.dot(e) * g;
    // A little outside of the range is still a box, only not a pinned one.
    let inside = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
    roots(square, linear, constant).map(|v| {
        let v = v.filter(|v| inside(*v))?;
        let t = -(g + h * v) / (i + j * v);
        let u = -(c.dot(e) + c.dot(f) * v) / (d.dot(e) + d.dot(f) * v);
        if !inside(t) || !inside(u) {
            return None;
        }
        let (x, y) = ((a + b * t).normalized()?, (c + d * u).normalized()?);
        // Far from perpendicular: the equations were ill-conditioned and this is no solution. Otherwise
        // only rounding is left to remove.
        if 1e-3 < x.dot(y).abs() {
            return None;
        }
        let z = x.cross(y).normalized()?;
        Some([x, z.cross(x), z])
    })
}

/// The real roots of a·x² + b·x + c, without cancellation.
fn roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 || discriminant.is_nan() {
        return [None, None];
    }
    let root = discriminant.sqrt();
    let q = -0.5 * (b + if b < 0.0 { -root } else { root });
    let quotient = |x: f64, y: f64| Some(x / y).filter(|z| z.is_finite());
    [quotient(q, a), quotient(c, q)]
}

fn keep(best: &mut Option<Candidate>, candidate: Option<Candidate>) {
    match (best.as_mut(), candidate) {
        (Some(best), candidate) => {
            best.improve(candidate);
        }
        (None, candidate) => *best = candidate,
    }
}

/// Improves a box until nothing helps: completes it about each of its axes, and when that is at its end
/// tries small turns. Every accepted step shrinks the volume, and the number of steps is bounded.
fn descend(corners: &[Vec3<f64>], best: &mut Candidate) {
    for _ in 0..64 {
        let before = best.volume;
        for k in 0..3 {
            best.improve(completed(corners, best.axes[k]));
        }
        if before * (1.0 - 1e-13) <= best.volume {
            turn_slightly(corners, best);
        }
        if before * (1.0 - 1e-13) <= best.volume {
            break;
        }
    }
}

/// Turns about each of the box's axes by angles from 2⁻⁴ down to 2⁻⁴⁰, keeping what helps.
fn turn_slightly(corners: &[Vec3<f64>], best: &mut Candidate) {
    let mut exponent = -4;
    for _ in 0..400 {
        let angle = power_of_two(exponent);
        let mut improved = false;
        for k in 0..3 {
            for sine in [angle, -angle] {
                let (u, v, w) = (best.axes[(k + 1) % 3], best.axes[(k + 2) % 3], best.axes[k]);
                let turned = (u + v * sine).normalized();
                let Some(u) = turned else { continue };
                let mut axes = best.axes;
                axes[(k + 1) % 3] = u;
                axes[(k + 2) % 3] = w.cross(u);
                improved |= best.improve(Some(measured(corners, axes)));
            }
        }
        if !improved {
            exponent -= 1;
        }
        if exponent < -40 {
            break;
        }
    }
}
