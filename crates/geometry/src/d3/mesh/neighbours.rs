//! Which triangle of a mesh lies across each edge, and how.
//!
//! Sides are put into buckets by the lower place of their ends, and each bucket, of about six, is sorted by the other end:
//! linear in the number of triangles, but for fans around one vertex.

use crate::exact::{Range, orient3d};
use carom_math::Vec3;
use core::cmp::Ordering;

/// No triangle, in lists of neighbours.
pub(crate) const NONE: u32 = u32::MAX;

/// A side of a triangle, in the bucket of the lower place of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The higher place.
    end: u32,
    triangle: u32,
    /// It leads from corner `corner` to the next.
    corner: u8,
    /// It leads from the lower to the higher place.
    is_forward: bool,
}

/// For each triangle the one across each of its edges, [`NONE`] for none or more than one, and how its corner lies to the
/// plane of the triangle: above is where that is seen counter-clockwise from. Decided exactly.
pub(crate) fn across_edges(
    points: &[Vec3<f64>],
    triangles: &[[u32; 3]],
    place: &[usize],
) -> Vec<[(u32, Ordering); 3]> {
    let (starts, mut sides) = buckets(triangles, place);
    let mut across = vec![[(NONE, Ordering::Equal); 3]; triangles.len()];
    for (low, range) in starts.windows(2).enumerate() {
        let Some(bucket) = sides.get_mut(range[0]..range[1]) else { continue };
        bucket.sort_unstable();
        for group in bucket.chunk_by(|one, other| one.end == other.end) {
            let &[first, second] = group else { continue };
            let ends = [low, first.end as usize];
            let corner = |index: u32| points[index as usize];
            let opposite = |side: &Side| {
                let corners = triangles[side.triangle as usize].into_iter();
                corners.map(|index| (index, place[index as usize])).find(|(_, place)| !ends.contains(place))
            };
            let height = |of: &Side, point: u32| {
                side_of_plane(triangles[of.triangle as usize].map(corner), corner(point))
            };
            let (over_first, over_second) = (opposite(&second), opposite(&first));
            let seen_by_first = over_first.map(|(point, _)| height(&first, point));
            // The volume of the four corners: it has the same sign seen from either triangle when they run through
            // the edge in opposite directions, and the opposite one when they do not.
            let seen_by_second = match (seen_by_first, over_second) {
                (Some(height), Some(_)) if first.is_forward != second.is_forward => Some(height),
                (Some(height), Some(_)) => Some(height.reverse()),
                (None, Some((point, _))) => Some(height(&second, point)),
                (_, None) => None,
            };
            for (own, other, height) in [(first, second, seen_by_first), (second, first, seen_by_second)] {
                if let Some(height) = height {
                    across[own.triangle as usize][usize::from(own.corner % 3)] = (other.triangle, height);
                }
            }
        }
    }
    across
}

/// The sides of all triangles by the lower places of their ends; those of place i lie between start i and start
/// i + 1. Sides of no length are left out.
fn buckets(triangles: &[[u32; 3]], place: &[usize]) -> (Vec<usize>, Vec<Side>) {
    let ends_of = |triangle: &[u32; 3], corner: usize| {
        let [from, to] = [corner, (corner + 1) % 3].map(|k| place[triangle[k] as usize]);
        (from != to).then_some([from, to])
    };
    let mut starts = vec![0_usize; place.len() + 1];
    for triangle in triangles {
        for [from, to] in (0..3).filter_map(|corner| ends_of(triangle, corner)) {
            starts[from.min(to) + 1] += 1;
        }
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    let total = starts.last().copied().unwrap_or(0);
    let mut next = starts.clone();
    let mut sides = vec![Side { end: 0, triangle: 0, corner: 0, is_forward: false }; total];
    for (index, triangle) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let Some([from, to]) = ends_of(triangle, corner) else { continue };
            let at = &mut next[from.min(to)];
            sides[*at] = Side {
                end: from.max(to) as u32,
                triangle: index as u32,
                corner: corner as u8,
                is_forward: from < to,
            };
            *at += 1;
        }
    }
    (starts, sides)
}

/// How a point lies to the plane of three, exactly: above is where these are seen counter-clockwise from.
pub(crate) fn side_of_plane([a, b, c]: [Vec3<f64>; 3], point: Vec3<f64>) -> Ordering {
    let all = [a, b, c, point];
    let below = orient3d(all, Range::of(&all));
    0.0.partial_cmp(&below).unwrap_or(Ordering::Equal)
}
