//! Faces of a hull that are one face but for rounding.
//!
//! A cube whose corners were turned and rounded to `f32` has twelve triangles that are no longer in pairs in
//! one plane. For display and for the areas in which things touch, it should have six squares. What is merged
//! here is only a view: vertices, support points, separating axes and the exact faces stay as they are.

use carom_math::{Vec3, Vector};
use std::collections::BTreeMap;

/// Unites neighbouring faces whose vertices lie within `tolerance` of the plane of the largest of them, as
/// long as the outline stays convex up to the tolerance. Large faces gather their neighbours first, the
/// first of equals before the others, in the order of the outline. The answer is a list of outlines,
/// counter-clockwise from outside.
///
/// `faces` are the exact faces with their unit normals; vertices that end up inside of an outline are not
/// listed.
pub(crate) fn merged_faces(
    vertices: &[Vec3<f64>],
    faces: &[&[u32]],
    normals: &[Vec3<f64>],
    tolerance: f64,
) -> Vec<Vec<u32>> {
    let mut beyond = BTreeMap::new();
    for (index, face) in faces.iter().enumerate() {
        for (k, &from) in face.iter().enumerate() {
            beyond.insert((from, face[(k + 1) % face.len()]), index);
        }
    }
    let at = |vertex: u32| vertices[vertex as usize];
    let area = |index: usize| {
        let face = faces[index];
        let first = at(face[0]);
        face.windows(2)
            .skip(1)
            .map(|pair| Vector::length((at(pair[0]) - first).cross(at(pair[1]) - first)))
            .sum::<f64>()
    };
    let areas: Vec<f64> = (0..faces.len()).map(area).collect();
    let mut order: Vec<usize> = (0..faces.len()).collect();
    order.sort_by(|&a, &b| areas[b].total_cmp(&areas[a]).then(a.cmp(&b)));
    let mut taken = vec![false; faces.len()];
    let mut outlines = Vec::new();
    for seed in order {
        if std::mem::replace(&mut taken[seed], true) {
            continue;
        }
        let normal = normals[seed];
        let height = normal.dot(at(faces[seed][0]));
        let is_level = |face: &[u32]| face.iter().all(|&v| (normal.dot(at(v)) - height).abs() <= tolerance);
        let mut outline = faces[seed].to_vec();
        let mut k = 0;
        // Each turn passes an edge or takes a face; taking one begins the round again.
        while k < outline.len() {
            let (from, to) = (outline[k], outline[(k + 1) % outline.len()]);
            k += 1;
            let Some(&next) = beyond.get(&(to, from)) else { continue };
            if taken[next] || !is_level(faces[next]) {
                continue;
            }
            let grown = spliced(&outline, k - 1, faces[next]);
            if is_convex(&grown, normal, tolerance, at) {
                taken[next] = true;
                outline = grown;
                k = 0;
            }
        }
        outlines.push(outline);
    }
    outlines.sort();
    outlines
}

/// The outline of a polygon and of its neighbour beyond the edge that begins at place k.
fn spliced(outline: &[u32], k: usize, neighbour: &[u32]) -> Vec<u32> {
    let (from, to) = (outline[k], outline[(k + 1) % outline.len()]);
    let begin = neighbour.iter().position(|&v| v == from).unwrap_or(0);
    // The neighbour runs to → from, so from its `from` on it goes around to its `to`.
    let detour = (1..neighbour.len()).map(|step| neighbour[(begin + step) % neighbour.len()]);
    let detour = detour.take_while(|&v| v != to);
    let mut all: Vec<u32> =
        outline[..=k].iter().copied().chain(detour).chain(outline[k + 1..].iter().copied()).collect();
    // Further common edges are walked there and back.
    let mut place = 0;
    while 2 < all.len() && place < all.len() {
        let count = all.len();
        if all[place] == all[(place + 2) % count] {
            let (first, second) = ((place + 1) % count, (place + 2) % count);
            all.remove(first.max(second));
            all.remove(first.min(second));
            place = 0;
        } else {
            place += 1;
        }
    }
    let smallest = all.iter().enumerate().min_by_key(|(_, v)| **v).map_or(0, |(at, _)| at);
    all.rotate_left(smallest);
    all
}

/// Whether no corner lies more than the tolerance inside of the line between its neighbours.
fn is_convex(outline: &[u32], normal: Vec3<f64>, tolerance: f64, at: impl Fn(u32) -> Vec3<f64>) -> bool {
    let count = outline.len();
    let corner = |k: usize| at(outline[k % count]);
    2 < count
        && (0..count).all(|k| {
            let (a, b, c) = (corner(k), corner(k + 1), corner(k + 2));
            -tolerance * Vector::length(c - a) <= (b - a).cross(c - a).dot(normal)
        })
}
