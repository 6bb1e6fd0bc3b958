//! From triangles to polygons: unites neighbours that lie exactly in one plane.

use crate::d2::Predicates;
use carom_math::Vec3;
use std::collections::BTreeMap;

/// The faces of a closed convex surface of triangles as loops of corners, without corners inside an
/// edge or inside a face.
pub(crate) fn united(points: &Predicates<Vec3<f64>>, triangles: &[[usize; 3]]) -> Vec<Vec<usize>> {
    let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (face, [a, b, c]) in triangles.iter().enumerate() {
        edges.extend([((*a, *b), face), ((*b, *c), face), ((*c, *a), face)]);
    }
    let mut groups = Groups { parent: (0..triangles.len()).collect() };
    for (&(from, to), &face) in &edges {
        let Some(&other) = edges.get(&(to, from)) else { continue };
        let [a, b, c] = triangles[face];
        let opposite = triangles[other].into_iter().find(|v| *v != from && *v != to);
        if opposite.is_some_and(|d| points.orientation([a, b, c, d]) == 0.0) {
            groups.unite(face, other);
        }
    }
    // The edges between different groups bound the polygons: for each group, who follows whom.
    let mut follows: BTreeMap<usize, BTreeMap<usize, usize>> = BTreeMap::new();
    for (&(from, to), &face) in &edges {
        let other = edges.get(&(to, from)).copied().unwrap_or(face);
        let (group, beyond) = (groups.leader(face), groups.leader(other));
        if group != beyond {
            follows.entry(group).or_default().insert(from, to);
        }
    }
    follows.values().map(|next| without_straight_angles(points, &walk(next))).collect()
}

/// The cycle through a map from each corner to its successor.
fn walk(next: &BTreeMap<usize, usize>) -> Vec<usize> {
    let mut cycle = Vec::with_capacity(next.len());
    let mut at = next.keys().next().copied();
    while let Some(corner) = at {
        cycle.push(corner);
        at = next.get(&corner).copied().filter(|v| Some(v) != cycle.first() && cycle.len() < next.len());
    }
    cycle
}

/// Drops the corners at which the outline goes straight on. Whether it does depends on the directions
/// of its two edges only, so the neighbours in the given loop serve as well as those that remain.
fn without_straight_angles(points: &Predicates<Vec3<f64>>, outline: &[usize]) -> Vec<usize> {
    let count = outline.len();
    let at = |k: usize| outline[k % count];
    (0..count).filter(|k| !points.on_a_line([at(k + count - 1), at(*k), at(k + 1)])).map(at).collect()
}

/// Sets of faces, each named after one of its members.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn leader(&mut self, face: usize) -> usize {
        let mut at = face;
        while self.parent[at] != at {
            // Halving the path keeps the walks short.
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// The smaller number leads, so that names do not depend on the order of the unions.
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
