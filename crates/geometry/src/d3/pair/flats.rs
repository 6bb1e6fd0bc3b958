//! Cores of space: points, segments, triangles and boxes.
//!
//! Axes, in this order: those of a, those of b, the cross products of their edges. A box has its three
//! normals, a triangle its normal, a segment its direction and two perpendiculars, a point the
//! coordinate axes. That is complete for the depth, and for cores that span space together. Cores in
//! one plane or on one line may be apart without any axis showing it; their nearest features do.

use crate::answer::Separation;
use crate::pair::core::{Axis, Closest, Core, Corners, Flats, Form, takes_part};
use crate::pair::nearest::{
    Foot, NEGLIGIBLE, foot_on_segment, is_beside_longest_edge, nearer_on_edges, perpendicular_to, sign_of,
};
use crate::pair::product::cross3;
use crate::pair::segments::Segments;
use carom_math::{Number, Vec3, Vector};

/// Relative squares below this are flat or parallel up to rounding: 2⁻¹⁰⁶, the square of 2⁻⁵³.
const PARALLEL: f64 = f64::EPSILON * f64::EPSILON / 4.0;
/// Triangles with a smaller squared height, relative to their longest edge, are segments: 2⁻²⁰⁸.
const FLAT: f64 = PARALLEL * PARALLEL * 16.0;

/// Points within this part of the size beside the line of an edge, and much more for slivers, may be on either
/// side of it: 2⁻³⁰.
const BESIDE: f64 = 1.0 / (1_u32 << 30) as f64;

/// (b − a) × (c − a)
pub(crate) fn normal_of([a, b, c]: [Vec3<f64>; 3]) -> Vec3<f64> {
    cross3(b - a, c - a)
}

impl Flats for Vec3<f64> {
    #[inline(always)]
    fn across(d: Self) -> ([Self; 3], usize) {
        ([Vec3::new(0.0, -d.z, d.y), Vec3::new(d.z, 0.0, -d.x), Vec3::new(-d.y, d.x, 0.0)], 3)
    }

    #[inline(always)]
    fn improve_between(closest: &mut Closest<Self>, of_a: [Self; 2], of_b: [Self; 2]) {
        improve_between(closest, of_a, of_b);
    }

    #[inline(always)]
    fn crossing(_: &Segments<Self>) -> Option<Separation<Self>> {
        None
    }

    fn best_axis(a: &Core<Self>, b: &Core<Self>, enough: f64) -> Axis<Self> {
        if let Some(best) = super::facets::best_axis(a, b) {
            return best;
        }
        let mut best = Axis::none();
        improve_by_own_axes(&mut best, a, b, a);
        improve_by_own_axes(&mut best, a, b, b);
        let ((edges_a, count_a), (edges_b, count_b)) = (a.directions(), b.directions());
        for edge_a in edges_a.into_iter().take(count_a) {
            if enough < best.separation {
                return best;
            }
            for edge_b in edges_b.into_iter().take(count_b) {
                best.improve(a, b, cross3(edge_a, edge_b));
            }
        }
        best
    }

    /// On the face when the point is seen along the normal within all three edges, otherwise on the
    /// nearest edge.
    ///
    /// The normal of a sliver is hardly defined by its corners, but it is exact, up to ε, for the edges
    /// as computed: those of a triangle whose corners are a rounding error away. So slivers need an
    /// accurate cross product, and a look along their longest edge.
    fn foot_on_triangle([a, b, c]: [Self; 3], normal: Self, p: Self) -> Foot<Self> {
        let edges = [(a, b), (b, c), (c, a)];
        let longest_squared =
            edges.iter().fold(0.0, |m: f64, (from, to)| (*to - *from).length_squared().max_of(m));
        let (squared, from_a) = (normal.dot(normal), (p - a).length_squared());
        let seen = NEGLIGIBLE * from_a < longest_squared;
        let mut visible = [true; 3];
        if seen && FLAT * (longest_squared * longest_squared) < squared {
            let height = normal.dot(p - a);
            // |normal|·|edge| times the distance from the line of the edge, positive inside.
            let sides = edges.map(|(from, to)| normal.dot((to - from).cross(p - from)));
            if sides.into_iter().all(|side| 0.0 <= side) && is_beside_longest_edge([a, b, c], p) {
                let length = squared.sqrt();
                let offset = normal / length * (height / length);
                return Foot { point: p - offset, offset, distance: height.abs() / length };
            }
            // The nearest edge is one that the point is outside of, or as good as that.
            let least = BESIDE * longest_squared * (longest_squared + from_a);
            visible = sides.map(|side| side <= least);
        }
        let near = edges.into_iter().zip(visible).filter(|(_, is_visible)| *is_visible);
        let feet = near.map(|((from, to), _)| (foot_on_segment(from, to, p), [from, to]));
        feet.reduce(nearer_on_edges).map_or_else(|| foot_on_segment(a, b, p), |(foot, _)| foot)
    }

    fn improve_by_edges(
        closest: &mut Closest<Self>,
        a: &Core<Self>,
        b: &Core<Self>,
        of_a: Corners,
        of_b: Corners,
    ) {
        let (corners_a, corners_b) = (a.corners(), b.corners());
        for edge_a in a.edges() {
            if !takes_part(*edge_a, of_a) {
                continue;
            }
            let ends_a = edge_a.map(|index| corners_a[index]);
            for edge_b in b.edges() {
                if takes_part(*edge_b, of_b) {
                    improve_between(closest, ends_a, edge_b.map(|index| corners_b[index]));
                }
            }
        }
    }
}

fn improve_by_own_axes(
    best: &mut Axis<Vec3<f64>>,
    a: &Core<Vec3<f64>>,
    b: &Core<Vec3<f64>>,
    own: &Core<Vec3<f64>>,
) {
    let (directions, _) = own.directions();
    match own.form {
        Form::Point => {
            for axis in 0..3 {
                best.improve(a, b, Vec3::unit(axis));
            }
        }
        Form::Triangle { normal } if normal != Vec3::ZERO => {
            best.improve(a, b, normal);
        }
        Form::Segment | Form::Triangle { .. } => {
            let along = own.longest_edge();
            let across = perpendicular_to(along);
            best.improve(a, b, along);
            best.improve(a, b, across);
            best.improve(a, b, along.cross(across));
        }
        Form::Box(_) => {
            for direction in directions {
                best.improve(a, b, direction);
            }
        }
    }
}

/// Keeps the nearest points of two lines where both lie within the edges; their ends are feet of
/// corners.
///
/// With u and v along the edges, w from the start of a to the start of b and n = u × v, the points
/// satisfy w + t·v − s·u = λ·n, so t = (w × u)·n / n·n. Nearly parallel edges have a flat valley of
/// almost nearest points, in which t errs by ε/angle; s is therefore projected from the point at t.
/// The distance is |n·w|/|n|.
fn improve_between(closest: &mut Closest<Vec3<f64>>, [a0, a1]: [Vec3<f64>; 2], [b0, b1]: [Vec3<f64>; 2]) {
    let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
    let normal = cross3(u, v);
    let squared = normal.dot(normal);
    let (u_squared, v_squared) = (u.dot(u), v.dot(v));
    let seen = NEGLIGIBLE * w.dot(w) < u_squared.min_of(v_squared);
    if !seen || squared <= PARALLEL * (u_squared * v_squared) {
        return;
    }
    let t_numerator = w.cross(u).dot(normal);
    if t_numerator < 0.0 || squared < t_numerator {
        return;
    }
    let point_b = b0 + v * (t_numerator / squared);
    let s_numerator = (point_b - a0).dot(u);
    if s_numerator < 0.0 || u_squared < s_numerator {
        return;
    }
    let (point_a, height) = (a0 + u * (s_numerator / u_squared), normal.dot(w));
    let (between, distance) = (point_b - point_a, height.abs() / squared.sqrt());
    let gap = Vector::length(between);
    // The points belong to the edges, whatever t is; the lines are as close only if t is right.
    let size = u.max_abs() + v.max_abs() + w.max_abs();
    let honest = gap - distance <= 4.0 * f64::EPSILON * size;
    closest.improve(Closest {
        point_a,
        point_b,
        direction: if honest { normal * sign_of(height) } else { between },
        distance: if honest { distance } else { gap },
    });
}
