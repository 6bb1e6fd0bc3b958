//! Planes that may be good to cut a part with.
//!
//! * Through its notches: where two triangles meet at a concave edge, the planes of both and the one half way between
//!   them. A polyhedron falls into convex pieces by such cuts. The edges that lie deepest below the hull come
//!   first;
//! * across the axes, at every eighth of the part's extent;
//! * across its principal axes, at every quarter.

use super::Part;
use super::cut::{Corners, Plane};
use crate::bound::principal_axes;
use crate::d3::mesh::topology::{Checked, Edges};
use crate::exact::{Range, orient3d};
use carom_math::{Number, Vec3, Vector};

/// A concave edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notch {
    pub(super) middle: Vec3<f64>,
    /// The unit normals of its triangles.
    normals: [Vec3<f64>; 2],
}

/// How many notches of a part are measured, and how many of these give planes.
const MEASURED: usize = 128;
const TAKEN: usize = 8;

/// The concave edges of a mesh that is wound outward.
pub(super) fn notches(mesh: &Checked, edges: &Edges) -> Vec<Notch> {
    let mut found = Vec::new();
    for sides in edges.groups() {
        let [one, other] = sides else { continue };
        if one.is_forward == other.is_forward {
            continue;
        }
        let [a, b, c] = mesh.corners(one.triangle);
        let opposite = mesh.corners(other.triangle)[other.opposite()];
        let is_concave = orient3d([a, b, c, opposite], Range::of(&[a, b, c, opposite])) < 0.0;
        let unit = |triangle: usize| {
            let [a, b, c] = mesh.corners(triangle);
            (b - a).cross(c - a).normalized()
        };
        if let (true, Some(first), Some(second)) = (is_concave, unit(one.triangle), unit(other.triangle)) {
            let [from, to] = one.ends.map(|place| mesh.points[place]);
            found.push(Notch { middle: from + (to - from) * 0.5, normals: [first, second] });
        }
    }
    found
}

/// The planes to try for a part, the most promising first. Fewer than 60.
pub(super) fn planes(part: &Part, random: &mut Random) -> Vec<Plane> {
    let mut planes = notch_planes(part, random);
    let points: Vec<Vec3<f64>> = part.surface.iter().flatten().copied().collect();
    let axes = [0, 1, 2].map(Vec3::unit);
    across(&points, axes, 8, &mut planes);
    across(&points, principal_axes(&points), 4, &mut planes);
    planes
}

fn notch_planes(part: &Part, random: &mut Random) -> Vec<Plane> {
    let mut pool = part.notches.clone();
    random.draw_to_front(&mut pool, MEASURED);
    pool.truncate(MEASURED);
    let mut ranked: Vec<(f64, usize)> =
        pool.iter().enumerate().map(|(index, notch)| (part.depth_below_hull(notch.middle), index)).collect();
    ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut planes = Vec::new();
    for &(_, index) in ranked.iter().take(TAKEN) {
        let Notch { middle: origin, normals: [first, second] } = pool[index];
        for normal in [first, second, first - second] {
            planes.push(Plane { origin, normal });
        }
    }
    planes
}

/// Planes across each axis, at equal steps of what the points extend along it.
fn across(points: &[Vec3<f64>], axes: [Vec3<f64>; 3], steps: usize, planes: &mut Vec<Plane>) {
    let Some(&first) = points.first() else { return };
    for normal in axes {
        let (mut low, mut high) = (0.0, 0.0);
        for &point in points {
            let along = normal.dot(point - first);
            (low, high) = (along.min_of(low), along.max_of(high));
        }
        for step in 1..steps {
            let along = low + (high - low) * (step as f64 / steps as f64);
            planes.push(Plane { origin: first + normal * along, normal });
        }
    }
}

/// At most `count` of the triangles, evenly spread, from a random start.
pub(super) fn thinned(triangles: &[Corners], count: usize, random: &mut Random) -> Vec<Corners> {
    if triangles.len() <= count {
        return triangles.to_vec();
    }
    let stride = triangles.len().div_ceil(count);
    triangles.iter().skip(random.below(stride)).step_by(stride).copied().collect()
}

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, or 0. The bias for limits that are no powers of two is below 2⁻³² and harmless.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % (limit.max(1) as u64)) as usize
    }

    /// Moves `count` random items to the front; all of them, in their order, when there are no more.
    fn draw_to_front<T>(&mut self, items: &mut [T], count: usize) {
        if items.len() <= count {
            return;
        }
        for at in 0..count {
            let other = at + self.below(items.len() - at);
            items.swap(at, other);
        }
    }
}
