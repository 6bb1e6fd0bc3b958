//! Where the plane and space differ: exact orientations, perpendiculars, and the solution of the
//! largest simplices.

use super::penetration::Hull;
use super::polygon::Polygon;
use super::polyhedron::Polyhedron;
use super::simplex::{Nearest, nearest_of_edges, smaller};
use carom_math::{Vec2, Vec3, Vector};
use robust::{Coord, Coord3D};

/// Vectors of the plane or of space, with what the kernels need to know about simplices there.
pub(crate) trait Space: Vector<Scalar = f64> {
    /// The expanding polytope of EPA.
    type Hull: Hull<Self>;

    /// The point of the line through a and b that is nearest to the origin, for an origin so close to
    /// the line that a blend of a and b would be all rounding error: the direction is right, and the
    /// answer is zero exactly when the three points are on one line.
    fn foot_on_line(a: Self, b: Self) -> Self;
    /// The point of a triangle that is nearest to the origin; with `keep_last`, of those that are not
    /// on the side opposite to the last corner.
    fn nearest_of_triangle(corners: [Self; 3], keep_last: bool) -> Nearest<Self>;
    /// The point of a tetrahedron that is nearest to the origin; `keep_last` as above.
    fn nearest_of_tetrahedron(corners: [Self; 4], keep_last: bool) -> Nearest<Self>;
    /// Directions perpendicular to everything that the points span, in pairs of opposites, each as
    /// (direction, direction…); the first axes for a single point.
    fn perpendiculars(points: &[Self]) -> [Self; 3];
    /// Whether the next point lies outside of the point, line or plane that the points span; exact.
    fn leaves_span(points: &[Self], next: Self) -> bool;
}

impl Space for Vec2<f64> {
    type Hull = Polygon;

    fn foot_on_line(a: Self, b: Self) -> Self {
        let along = b - a;
        Vec2::new(along.y, -along.x) * (difference_of_products(a.x, b.y, a.y, b.x) / along.length_squared())
    }

    fn nearest_of_triangle([a, b, c]: [Self; 3], keep_last: bool) -> Nearest<Self> {
        let area = orient2(a, b, c);
        // The coordinates of the origin are the signed areas that it forms with the sides.
        let weights = [orient2(b, c, Vec2::ZERO), orient2(c, a, Vec2::ZERO), orient2(a, b, Vec2::ZERO)];
        let mask = outer_sides(&weights, area);
        if area != 0.0 && mask == 0 {
            return Nearest::containing([weights[0], weights[1], weights[2], 0.0]);
        }
        nearest_of_edges([a, b, c], sides_to_search(mask, 3, keep_last))
    }

    /// Not called in the plane, where a simplex has at most three corners.
    fn nearest_of_tetrahedron([a, b, c, _]: [Self; 4], keep_last: bool) -> Nearest<Self> {
        Self::nearest_of_triangle([a, b, c], keep_last)
    }

    fn perpendiculars(points: &[Self]) -> [Self; 3] {
        match *points {
            [a, b, ..] => [Vec2::new(b.y - a.y, a.x - b.x), Vec2::ZERO, Vec2::ZERO],
            _ => [Vec2::unit(0), Vec2::unit(1), Vec2::ZERO],
        }
    }

    fn leaves_span(points: &[Self], next: Self) -> bool {
        match *points {
            [] => true,
            [a] => a != next,
            [a, b, ..] => orient2(a, b, next) != 0.0,
        }
    }
}

impl Space for Vec3<f64> {
    type Hull = Polyhedron;

    fn foot_on_line(a: Self, b: Self) -> Self {
        // a − e(a·e)/e² = e×(a×e)/e² with e = b − a, and a×e = a×b.
        let along = b - a;
        along.cross(accurate_cross(a, b)) / along.length_squared()
    }

    fn nearest_of_triangle([a, b, c]: [Self; 3], keep_last: bool) -> Nearest<Self> {
        if let Some(nearest) = nearest_of_plain_triangle([a, b, c], keep_last) {
            return nearest;
        }
        let normal = triangle_normal(a, b, c);
        let normal_squared = normal.length_squared();
        if normal_squared == 0.0 {
            return nearest_of_edges([a, b, c], sides_to_search(0, 3, keep_last));
        }
        // The foot of the perpendicular from the origin. The height errs by ε times the corner that it is
        // taken at, so that is the nearest one; near the plane the exact predicate takes over.
        let [a_squared, b_squared, c_squared] = [a, b, c].map(Vector::length_squared);
        let (nearest, nearest_squared) = if a_squared <= b_squared && a_squared <= c_squared {
            (a, a_squared)
        } else if b_squared <= c_squared {
            (b, b_squared)
        } else {
            (c, c_squared)
        };
        let mut height = nearest.dot(normal);
        if height * height <= CLOSE * CLOSE * nearest_squared * normal_squared {
            height = orient3(a, b, c, Vec3::ZERO);
        }
        let foot = normal * (height / normal_squared);
        let (weights, missed_squared) = coordinates_in_triangle([a, b, c], normal, normal_squared, foot);
        let is_inside = weights.iter().all(|&weight| 0.0 < weight);
        if is_inside && missed_squared <= CLOSE * CLOSE * (a_squared + b_squared + c_squared) {
            return Nearest {
                point: foot,
                weights: [weights[0], weights[1], weights[2], 0.0],
                contains: false,
            };
        }
        nearest_of_edges([a, b, c], sides_to_search(0, 3, keep_last))
    }

    fn nearest_of_tetrahedron(corners: [Self; 4], keep_last: bool) -> Nearest<Self> {
        let a = corners[0];
        let (weights, volume) = coordinates_in_tetrahedron(corners);
        let mask = outer_sides(&weights, volume);
        if volume != 0.0 && mask == 0 {
            return Nearest::containing(weights);
        }
        let mask = sides_to_search(mask, 4, keep_last);
        let mut best: Option<Nearest<Self>> = None;
        for (omitted, side) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
            if mask & (1 << omitted) != 0 {
                // The last corner of the whole is the last one of the side, if it is there at all.
                let side_keeps = keep_last && omitted != 3;
                let candidate = Self::nearest_of_triangle(side.map(|i| corners[i]), side_keeps).spread(side);
                best = Some(smaller(best, candidate));
            }
        }
        best.unwrap_or(Nearest::corner(a, 0))
    }

    fn perpendiculars(points: &[Self]) -> [Self; 3] {
        match *points {
            [a, b, c, ..] => [triangle_normal(a, b, c), Vec3::ZERO, Vec3::ZERO],
            [a, b] => {
                let along = b - a;
                // Crossed with the axis of its smallest component, the first of equals.
                let size = along.abs_by_axis();
                let axis = if size.x <= size.y && size.x <= size.z {
                    0
                } else if size.y <= size.z {
                    1
                } else {
                    2
                };
                let across = along.cross(Vec3::unit(axis));
                [across, along.cross(across), Vec3::ZERO]
            }
            _ => [Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)],
        }
    }

    fn leaves_span(points: &[Self], next: Self) -> bool {
        match *points {
            [] => true,
            [a] => a != next,
            // On one line in space means on one line in each coordinate plane.
            [a, b] => {
                let flat = |p: Self, x: usize, y: usize| Vec2::new(p.get(x), p.get(y));
                [(0, 1), (1, 2), (2, 0)]
                    .into_iter()
                    .any(|(x, y)| orient2(flat(a, x, y), flat(b, x, y), flat(next, x, y)) != 0.0)
            }
            [a, b, c, ..] => orient3(a, b, c, next) != 0.0,
        }
    }
}

/// Relative to the size of the corners, the distance from the origin below which rounding begins to
/// govern its direction, and exact predicates are worth their price.
pub(super) const CLOSE: f64 = 1024.0 * f64::EPSILON;

/// Twice the area of the triangle abc, positive when it runs counter-clockwise; the sign is exact.
#[inline]
pub(crate) fn orient2(a: Vec2<f64>, b: Vec2<f64>, c: Vec2<f64>) -> f64 {
    let coord = |p: Vec2<f64>| Coord { x: p.x, y: p.y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// Six times the volume of abcd, positive when d is behind the triangle abc, that is, opposite to
/// (b − a)×(c − a); the sign is exact.
#[inline]
pub(crate) fn orient3(a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>, d: Vec3<f64>) -> f64 {
    let coord = |p: Vec3<f64>| Coord3D { x: p.x, y: p.y, z: p.z };
    robust::orient3d(coord(a), coord(b), coord(c), coord(d))
}

/// The coordinates of the origin in a tetrahedron, that is, the volumes with one corner replaced by it,
/// and the whole volume; their signs are exact.
#[inline]
fn coordinates_in_tetrahedron([a, b, c, d]: [Vec3<f64>; 4]) -> ([f64; 4], f64) {
    // det(b−a, c−a, d−a) = det(b,c,d) − det(a,c,d) + det(a,b,d) − det(a,b,c), term by term the coordinates.
    let (ab, cd) = (a.cross(b), c.cross(d));
    let weights = [b.dot(cd), -a.dot(cd), d.dot(ab), -c.dot(ab)];
    let volume = (weights[0] + weights[1]) + (weights[2] + weights[3]);
    // Each determinant is a sum of six products of three, with fewer than eight roundings on the way.
    let size = [a, b, c, d].into_iter().fold(Vec3::ZERO, |size, p| size.max_by_axis(p.abs_by_axis()));
    let doubt = 32.0 * f64::EPSILON * (size.x * size.y * size.z);
    if weights.iter().all(|weight| doubt < weight.abs()) && 8.0 * doubt < volume.abs() {
        return (weights, volume);
    }
    let origin = Vec3::ZERO;
    let exact = [
        orient3(origin, b, c, d),
        orient3(a, origin, c, d),
        orient3(a, b, origin, d),
        orient3(a, b, c, origin),
    ];
    (exact, orient3(a, b, c, d))
}

/// The nearest point of a triangle that is no sliver and whose plane the origin is not near to; else `None`.
#[inline]
fn nearest_of_plain_triangle([a, b, c]: [Vec3<f64>; 3], keep_last: bool) -> Option<Nearest<Vec3<f64>>> {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let normal_squared = normal.length_squared();
    let height = a.dot(normal);
    // The squared sine of the angle between the edges, and that between the plane and the way to a corner.
    let is_plain = ab.length_squared() * ac.length_squared() <= 64.0 * normal_squared
        && a.length_squared() * normal_squared <= 1024.0 * (height * height)
        && 0.0 < normal_squared;
    if !is_plain {
        return None;
    }
    let at_b = ac.cross(a).dot(normal) / normal_squared;
    let at_c = a.cross(ab).dot(normal) / normal_squared;
    let weights = [1.0 - at_b - at_c, at_b, at_c];
    let outside = weights.iter().enumerate().fold(0, |mask, (i, &w)| mask | (u32::from(w <= 0.0) << i));
    if outside == 0 {
        let point = normal * (height / normal_squared);
        return Some(Nearest { point, weights: [weights[0], at_b, at_c, 0.0], contains: false });
    }
    // Near a corner, rounding may have chosen the side: then all of them are looked at.
    let is_doubtful = weights.iter().any(|weight| weight.abs() < CLOSE);
    Some(nearest_of_edges([a, b, c], sides_to_search(if is_doubtful { 0 } else { outside }, 3, keep_last)))
}

/// Bit i is set when the origin lies beyond the side opposite to corner i: its coordinate there has
/// the sign opposite to the whole.
fn outer_sides(weights: &[f64], whole: f64) -> u32 {
    let beyond = |weight: f64| (weight < 0.0 && 0.0 < whole) || (0.0 < weight && whole < 0.0);
    weights.iter().enumerate().fold(0, |mask, (i, &weight)| mask | (u32::from(beyond(weight)) << i))
}

/// The sides, by their opposite corners, among which the nearest point has to be sought: those that
/// face the origin; all of a flat simplex, where none does. With `keep_last` the side opposite to the
/// last corner only if no other remains.
fn sides_to_search(facing: u32, corners: usize, keep_last: bool) -> u32 {
    let all = (1 << corners) - 1;
    let facing = if facing == 0 { all } else { facing };
    let kept = facing & (all >> 1);
    if keep_last && kept != 0 { kept } else { facing }
}

/// (b − a)×(c − a), from the two shortest edges, accurate for slivers too.
pub(super) fn triangle_normal(a: Vec3<f64>, b: Vec3<f64>, c: Vec3<f64>) -> Vec3<f64> {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let (ab2, bc2, ca2) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
    let (first, second, product) = if ab2 <= ca2 && bc2 <= ca2 {
        (ab, bc, ab2 * bc2)
    } else if bc2 <= ab2 && ca2 <= ab2 {
        (bc, ca, bc2 * ca2)
    } else {
        (ca, ab, ca2 * ab2)
    };
    let normal = first.cross(second);
    // sin² of the angle between the edges; below 1/64 more than three bits are lost.
    if normal.length_squared() * 64.0 < product { accurate_cross(first, second) } else { normal }
}

/// The coordinates of a point in the plane of a triangle. They are affine in the point, with gradients
/// (opposite edge)×n/n²; the second step corrects what rounding left, so that the blend of the corners
/// meets the point even when the triangle is a sliver. Also returns the square of the distance by which
/// the blend misses the point nevertheless: of a triangle as thin as rounding, the coordinates are noise.
fn coordinates_in_triangle(
    [a, b, c]: [Vec3<f64>; 3],
    normal: Vec3<f64>,
    normal_squared: f64,
    point: Vec3<f64>,
) -> ([f64; 3], f64) {
    let gradient_b = (c - a).cross(normal) / normal_squared;
    let gradient_c = (a - b).cross(normal) / normal_squared;
    let offset = point - a;
    let missed = |at_b: f64, at_c: f64| offset - (b - a) * at_b - (c - a) * at_c;
    let (mut at_b, mut at_c) = (gradient_b.dot(offset), gradient_c.dot(offset));
    let correction = missed(at_b, at_c);
    at_b += gradient_b.dot(correction);
    at_c += gradient_c.dot(correction);
    ([1.0 - at_b - at_c, at_b, at_c], missed(at_b, at_c).length_squared())
}

/// a×b with each component accurate to its own size rather than to that of the products.
fn accurate_cross(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64> {
    Vec3::new(
        difference_of_products(a.y, b.z, a.z, b.y),
        difference_of_products(a.z, b.x, a.x, b.z),
        difference_of_products(a.x, b.y, a.y, b.x),
    )
}

/// a·b − c·d within about an ulp, by Dekker's exact products.
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (first, first_tail) = exact_product(a, b);
    let (second, second_tail) = exact_product(c, d);
    (first - second) + (first_tail - second_tail)
}

/// The rounded product and its rounding error (Dekker 1971, splitting by Veltkamp).
fn exact_product(a: f64, b: f64) -> (f64, f64) {
    let split = |x: f64| {
        let shifted = 134_217_729.0 * x; // 2²⁷ + 1
        let high = shifted - (shifted - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low)
}
