//! Which triangle of a mesh lies across each edge, and how.
//!
//! Sides are put into buckets by the lower place of their ends, and each bucket, of about six, is sorted by the other end:
//! linear in the number of triangles, but for fans around one vertex.

use crate::exact::{Range, orient3d};
use carom_math::Vec3;
use core::cmp::Ordering;

/// No triangle, in lists of neighbours.
pub(crate) const NONE: u32 = u32::MAX;

/// What lies across an edge of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Across {
    /// [`NONE`] for none or more than one.
    pub(crate) triangle: u32,
    /// Which of its corners is not on the edge.
    pub(crate) corner: u8,
    /// How that lies to the plane of the first triangle: above is where this is seen counter-clockwise from.
    pub(crate) height: Ordering,
}

impl Across {
    const NOTHING: Across = Across { triangle: NONE, corner: 0, height: Ordering::Equal };
}

/// A side of a triangle, in the bucket of the lower place of its ends.
#[derive(Clone, Copy)]
struct Side {
    /// The higher place.
    end: u32,
    triangle: u32,
    /// It leads from corner `corner` to the next.
    corner: u8,
    /// It leads from the lower to the higher place.
    is_forward: bool,
}

/// What lies across each edge of each triangle. Decided exactly. `place` has the lowest index at the place of each point.
pub(crate) fn across_edges(points: &[Vec3<f64>], triangles: &[[u32; 3]], place: &[u32]) -> Vec<[Across; 3]> {
    // Looked at once for all, unless some point is extreme.
    let range = Range::of(points);
    let range_of = |corners: &[Vec3<f64>; 4]| match range {
        Range::Moderate => range,
        Range::Any => Range::of(corners),
    };
    let at: Vec<[u32; 3]> =
        triangles.iter().map(|corners| corners.map(|index| place[index as usize])).collect();
    let (ends, mut sides) = buckets(&at, place.len());
    let mut across = vec![[Across::NOTHING; 3]; triangles.len()];
    let mut start = 0;
    for (low, end) in ends.into_iter().enumerate() {
        let bucket = sides.get_mut(start..end).unwrap_or_default();
        start = end;
        // Stable: sides of one edge stay in the order of their triangles.
        bucket.sort_by_key(|side| side.end);
        for group in bucket.chunk_by(|one, other| one.end == other.end) {
            let &[first, second] = group else { continue };
            // The corner that is not on the edge, unless all of the triangle is.
            let opposite = |side: &Side| {
                let (triangle, corner) = (side.triangle as usize, usize::from(side.corner + 2) % 3);
                let place = at[triangle][corner];
                (place as usize != low && place != side.end).then(|| triangles[triangle][corner])
            };
            let height = |of: &Side, point: u32| {
                let [a, b, c] = triangles[of.triangle as usize];
                let corners = [a, b, c, point].map(|index| points[index as usize]);
                side_of_plane_within(corners, range_of(&corners))
            };
            let (over_first, over_second) = (opposite(&second), opposite(&first));
            let seen_by_first = over_first.map(|point| height(&first, point));
            // The volume of the four corners: it has the same sign seen from either triangle when they run through
            // the edge in opposite directions, and the opposite one when they do not.
            let seen_by_second = match (seen_by_first, over_second) {
                (Some(height), Some(_)) if first.is_forward != second.is_forward => Some(height),
                (Some(height), Some(_)) => Some(height.reverse()),
                (None, Some(point)) => Some(height(&second, point)),
                (_, None) => None,
            };
            for (own, other, height) in [(first, second, seen_by_first), (second, first, seen_by_second)] {
                if let Some(height) = height {
                    across[own.triangle as usize][usize::from(own.corner % 3)] =
                        Across { triangle: other.triangle, corner: (other.corner + 2) % 3, height };
                }
            }
        }
    }
    across
}

/// The sides of all triangles by the lower places of their ends, and where those of each place end: they begin where
/// those of the one before do. Sides of no length are left out.
fn buckets(at: &[[u32; 3]], places: usize) -> (Vec<usize>, Vec<Side>) {
    let sides_of = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
    let mut ends = vec![0_usize; places];
    for triangle in at {
        for [from, to] in sides_of(*triangle) {
            ends[from.min(to) as usize] += usize::from(from != to);
        }
    }
    let mut total = 0;
    for end in &mut ends {
        total += core::mem::replace(end, total);
    }
    // Starts so far; each moves to its end as its sides come in.
    let mut sides = vec![Side { end: 0, triangle: 0, corner: 0, is_forward: false }; total];
    for (index, triangle) in at.iter().enumerate() {
        for (corner, [from, to]) in sides_of(*triangle).into_iter().enumerate() {
            if from == to {
                continue;
            }
            let next = &mut ends[from.min(to) as usize];
            sides[*next] = Side {
                end: from.max(to),
                triangle: index as u32,
                corner: corner as u8,
                is_forward: from < to,
            };
            *next += 1;
        }
    }
    (ends, sides)
}

/// How a point lies to the plane of three, exactly: above is where these are seen counter-clockwise from.
pub(crate) fn side_of_plane([a, b, c]: [Vec3<f64>; 3], point: Vec3<f64>) -> Ordering {
    let all = [a, b, c, point];
    side_of_plane_within(all, Range::of(&all))
}

/// The same for the fourth of four points within a range.
fn side_of_plane_within(all: [Vec3<f64>; 4], range: Range) -> Ordering {
    let below = orient3d(all, range);
    0.0.partial_cmp(&below).unwrap_or(Ordering::Equal)
}
