//! Inside, outside or on the surface of a closed mesh, exactly.
//!
//! From the point p a ray leaves along +x; each triangle that it crosses from inside to outside counts +1, the
//! other way −1. The sum is the winding number of the mesh about p: an integer when every edge is run through
//! as often in one direction as in the other, and zero exactly outside.
//!
//! Rays through edges and vertices: the ray starts at p′ = p + (0, δ, δ²) instead, with δ > 0 smaller than any
//! number (Edelsbrunner and Mücke 1990, Simulation of Simplicity). No edge passes through such a ray. For a p
//! that is not on the surface, p′ has the same winding number, so nothing is left to chance. Seen along x the
//! triangle is one of the plane with coordinates (y, z), and its winding number about q = (p.y, p.z) decides
//! whether the line is met:
//!
//! * an edge reaches from below to above q′ when one of its ends has z <= q.z and the other has not: δ² lifts
//!   q′ above all that is level with q;
//! * it then passes q′ on the side that the orientation of (lower end, upper end, q) tells; when q lies on it,
//!   δ moves q′ to the right of it, and δ² is too small to matter.
//!
//! Both depend on the edge alone, so the triangles beside it agree: no leak and no double count, whatever
//! their indices. Then the plane of the triangle passes p on the side that orient3d tells; if p lies on it, p is
//! on the triangle.
//!
//! All signs are exact ([`crate::exact`]), for every finite coordinate; nothing depends on a scale.

use super::topology::Checked;
use crate::bound::Aabb;
use crate::bvh::Bvh;
use crate::bvh::view::View;
use crate::exact::{Range, orient2d, orient3d};
use carom_math::{Vec2, Vec3, Vector};
use core::ops::ControlFlow;

/// How the ray from a point along +x meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// Not at all.
    None,
    /// The point lies on the triangle.
    OnSurface,
    /// It passes through: +1 out through its counter-clockwise side, −1 the other way.
    Through(i32),
}

/// Where a point lies relative to a closed mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On a triangle, an edge or a vertex.
    Surface,
    /// The mesh winds this many times about the point; outside when 0.
    Winding(i32),
}

/// The tree over the boxes of the triangles.
pub(crate) fn tree_of(mesh: &Checked) -> Bvh<Vec3<f64>> {
    let boxes: Vec<_> = (0..mesh.triangles.len()).map(|triangle| box_of(mesh.corners(triangle))).collect();
    Bvh::build(&boxes)
}

/// The box around three corners.
pub(crate) fn box_of(corners: [Vec3<f64>; 3]) -> Aabb<Vec3<f64>> {
    corners.into_iter().fold(Aabb::empty(), |all, corner| all.merged_with(corner))
}

/// Visits the triangles that the ray from `p` along +x can meet, with how it meets them, until the visitor
/// breaks. Those that it misses are passed over. `tree` is that of [`tree_of`].
pub(crate) fn walk<B>(
    mesh: &Checked,
    tree: &Bvh<Vec3<f64>>,
    p: Vec3<f64>,
    visit: impl FnMut(usize, Crossing) -> ControlFlow<B>,
) -> ControlFlow<B> {
    walk_among(|triangle| mesh.corners(triangle), tree.view(), p, visit)
}

/// The same for the corners of triangles from anywhere; the tree may have no boxes of its own.
fn walk_among<B>(
    corners: impl Fn(usize) -> [Vec3<f64>; 3],
    tree: View<'_, Vec3<f64>>,
    p: Vec3<f64>,
    mut visit: impl FnMut(usize, Crossing) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let ahead = Aabb { min: p, max: Vec3::new(f64::INFINITY, p.y, p.z) };
    // What the enclosures of the boxes let through is decided by the triangle.
    tree.visit(
        &tree.frame.small(&ahead),
        true,
        |_| true,
        |triangle| match crossing(p, corners(triangle as usize)) {
            Crossing::None => ControlFlow::Continue(()),
            met => visit(triangle as usize, met),
        },
    )
}

/// Where a point lies. For a mesh that is not closed the number means nothing, but the surface does.
pub(crate) fn locate(mesh: &Checked, tree: &Bvh<Vec3<f64>>, p: Vec3<f64>) -> Place {
    locate_among(|triangle| mesh.corners(triangle), tree.view(), p)
}

/// The same for the corners of triangles from anywhere.
pub(crate) fn locate_among(
    corners: impl Fn(usize) -> [Vec3<f64>; 3],
    tree: View<'_, Vec3<f64>>,
    p: Vec3<f64>,
) -> Place {
    let mut winding = 0;
    let walk = walk_among(corners, tree, p, |_, met| match met {
        Crossing::Through(sign) => {
            winding += sign;
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Break(()),
    });
    if walk.is_break() { Place::Surface } else { Place::Winding(winding) }
}

/// Whether a point lies on the surface.
pub(crate) fn is_on_surface(mesh: &Checked, tree: &Bvh<Vec3<f64>>, p: Vec3<f64>) -> bool {
    let here = Aabb { min: p, max: p };
    tree.overlapping(here, |triangle| {
        let corners = mesh.corners(triangle);
        if lies_on(p, corners, range_of(p, corners)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .is_break()
}

/// How the ray from `p` along +x meets one triangle.
pub(crate) fn crossing(p: Vec3<f64>, corners: [Vec3<f64>; 3]) -> Crossing {
    let range = range_of(p, corners);
    let is_near = box_of(corners).contains_point(p);
    let winding = winding_in_plane(Vec2::new(p.y, p.z), corners.map(|c| Vec2::new(c.y, c.z)), range);
    if winding == 0 {
        // p′ misses the triangle; p may still be on its outline, or on a triangle seen edge on.
        let on_it = is_near && lies_on(p, corners, range);
        return if on_it { Crossing::OnSurface } else { Crossing::None };
    }
    let [a, b, c] = corners;
    // Positive when p is below the plane, seen from where the corners are counter-clockwise. That side faces
    // +x when they are counter-clockwise seen along x, and then below is where x is less.
    let below = orient3d([a, b, c, p], range);
    if below == 0.0 {
        Crossing::OnSurface
    } else if (0.0 < below) == (0 < winding) {
        Crossing::Through(winding)
    } else {
        Crossing::None
    }
}

fn range_of(p: Vec3<f64>, [a, b, c]: [Vec3<f64>; 3]) -> Range {
    Range::of(&[p, a, b, c])
}

/// How often a triangle of the plane winds about q′ = q + (δ, δ²): −1, 0 or 1.
fn winding_in_plane(q: Vec2<f64>, corners: [Vec2<f64>; 3], range: Range) -> i32 {
    let mut winding = 0;
    for side in 0..3 {
        let (from, to) = (corners[side], corners[(side + 1) % 3]);
        let (from_is_below, to_is_below) = (from.y <= q.y, to.y <= q.y);
        if from_is_below == to_is_below {
            continue;
        }
        // Upwards on the right of q′ is counter-clockwise. q′ is strictly to the left of it exactly if q is.
        let (low, high) = if from_is_below { (from, to) } else { (to, from) };
        if 0.0 < orient2d([low, high, q], range) {
            winding += if from_is_below { 1 } else { -1 };
        }
    }
    winding
}

/// Whether `p` lies on the triangle, its outline included; it may have shrunk to a segment or a point.
fn lies_on(p: Vec3<f64>, corners: [Vec3<f64>; 3], range: Range) -> bool {
    let [a, b, c] = corners;
    if orient3d([a, b, c, p], range) != 0.0 {
        return false;
    }
    // In the common plane, seen along the first axis along which the triangle does not vanish.
    for drop in 0..3 {
        let flat = |v: Vec3<f64>| without(v, drop);
        let area = orient2d(corners.map(flat), range);
        if area != 0.0 {
            let turns = [[a, b], [b, c], [c, a]].map(|[u, v]| orient2d([flat(u), flat(v), flat(p)], range));
            return turns.iter().all(|&turn| turn == 0.0 || (0.0 < turn) == (0.0 < area));
        }
    }
    // All corners on one line: the sides cover it.
    [[a, b], [b, c], [c, a]].into_iter().any(|[u, v]| {
        let around = Aabb { min: u.min_by_axis(v), max: u.max_by_axis(v) };
        let on_line = |drop: usize| orient2d([u, v, p].map(|w| without(w, drop)), range) == 0.0;
        around.contains_point(p) && (0..3).all(on_line)
    })
}

/// Whether the corners lie on one line, exactly.
pub(crate) fn is_degenerate(corners: [Vec3<f64>; 3]) -> bool {
    let range = Range::of(&corners);
    (0..3).all(|drop| orient2d(corners.map(|corner| without(corner, drop)), range) == 0.0)
}

/// The point of the plane without one axis.
fn without(v: Vec3<f64>, drop: usize) -> Vec2<f64> {
    match drop {
        0 => Vec2::new(v.y, v.z),
        1 => Vec2::new(v.z, v.x),
        _ => Vec2::new(v.x, v.y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(corners: [[f64; 3]; 3]) -> [Vec3<f64>; 3] {
        corners.map(Vec3::from)
    }

    #[test]
    fn a_ray_through_a_corner_or_edge_meets_one_triangle_of_a_fan() {
        // Four triangles around (1, 0, 0), all in the plane x = 1, and rays through their common corner,
        // their common edges and their insides.
        let rim = [[1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0]];
        for (y, z) in
            [(0.0, 0.0), (0.5, 0.5), (-0.5, 0.5), (-0.25, -0.25), (0.5, -0.5), (0.5, 0.0), (0.0, 0.9)]
        {
            let met = |x: f64| -> Vec<Crossing> {
                let p = Vec3::new(x, y, z);
                (0..4).map(|i| crossing(p, triangle([[1.0, 0.0, 0.0], rim[i], rim[(i + 1) % 4]]))).collect()
            };
            let through = |x| met(x).iter().filter(|&&c| c == Crossing::Through(1)).count();
            assert_eq!((through(0.0), through(1.0_f64.next_down())), (1, 1), "{y} {z}");
            assert_eq!(through(1.0_f64.next_up()), 0);
            assert!(met(1.0).contains(&Crossing::OnSurface));
        }
    }

    #[test]
    fn shrunken_triangles_are_segments_and_points() {
        let straight = triangle([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0], [3.0, 6.0, 12.0]]);
        assert!(is_degenerate(straight));
        assert_eq!(crossing(Vec3::new(2.0, 4.0, 8.0), straight), Crossing::OnSurface);
        assert_eq!(crossing(Vec3::new(2.0, 4.0, 8.0_f64.next_up()), straight), Crossing::None);
        assert_eq!(crossing(Vec3::new(4.0, 8.0, 16.0), straight), Crossing::None);
        let point = triangle([[1.0, 2.0, 3.0]; 3]);
        assert_eq!(crossing(Vec3::new(1.0, 2.0, 3.0), point), Crossing::OnSurface);
        assert_eq!(crossing(Vec3::new(0.0, 2.0, 3.0), point), Crossing::None);
        // One step beside the line, at the ends of the range of numbers.
        let tiny = triangle([[0.0; 3], [1e-300; 3], [3e300; 3]]);
        assert!(is_degenerate(tiny));
        assert!(!is_degenerate(triangle([[0.0; 3], [1e-300, 1e-300, 1e-300_f64.next_up()], [3e300; 3]])));
    }
}
