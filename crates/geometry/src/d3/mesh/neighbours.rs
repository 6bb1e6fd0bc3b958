//! Which triangle of a mesh lies across each edge, and how.
//!
//! Sides are put into buckets by the lower place of their ends, and each bucket, of about six, is sorted by the other end:
//! linear in the number of triangles, but for fans around one vertex.

use crate::exact::{Range, orient3d};
use carom_math::{Vec3, Vector};
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

/// A side of a triangle, in the bucket of the lower place of its ends: the higher place, and the triangle in the lower bits. So
/// sides of one edge are in the order of their triangles when they are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side(u64);

impl Side {
    fn new(end: u32, triangle: usize) -> Self {
        Side(u64::from(end) << 32 | triangle as u64)
    }
    fn end(self) -> u32 {
        (self.0 >> 32) as u32
    }
    fn triangle(self) -> usize {
        self.0 as u32 as usize
    }
}

/// What lies across each edge of each triangle. Decided exactly. `place` has the lowest index at the place of each point.
pub(crate) fn across_edges(points: &[Vec3<f64>], triangles: &[[u32; 3]], place: &[u32]) -> Vec<[Across; 3]> {
    // Looked at once for all, unless some point is extreme.
    let range = Range::of(points);
    let at: Vec<[u32; 3]> =
        triangles.iter().map(|corners| corners.map(|index| place[index as usize])).collect();
    let (ends, mut sides) = buckets(&at, place.len());
    let mut across = vec![[Across::NOTHING; 3]; triangles.len()];
    let mut start = 0;
    for (low, end) in ends.into_iter().enumerate() {
        let bucket = sides.get_mut(start..end).unwrap_or_default();
        start = end;
        sort(bucket);
        let mut index = 0;
        while index + 1 < bucket.len() {
            let (first, second) = (bucket[index], bucket[index + 1]);
            let is_last = bucket.get(index + 2).is_none_or(|third| third.end() != first.end());
            if first.end() == second.end() && is_last {
                let found = [first, second].map(|side| Wing::new(&at, side, [low as u32, first.end()]));
                if let [Some(first), Some(second)] = found {
                    meet(points, triangles, range, [first, second], &mut across);
                }
            }
            index += 1;
            while index < bucket.len() && bucket[index].end() == first.end() {
                index += 1;
            }
        }
    }
    across
}

/// The next corner of a triangle, and the one before.
const AFTER: [usize; 3] = [1, 2, 0];
const BEFORE: [usize; 3] = [2, 0, 1];

/// A triangle beside an edge.
#[derive(Clone, Copy)]
struct Wing {
    triangle: usize,
    /// The side leads from this corner to the next.
    corner: usize,
    /// From the lower to the higher place.
    is_forward: bool,
    /// The corner that is not on the edge, unless all of the triangle is.
    opposite: Option<usize>,
}

impl Wing {
    /// A triangle that is all on the edge has it twice: whichever is taken will do, since nothing is across it.
    #[inline(always)]
    fn new(at: &[[u32; 3]], side: Side, ends: [u32; 2]) -> Option<Self> {
        let own = at.get(side.triangle())?;
        let [low, high] = ends;
        let leads = |k: usize| {
            let (from, to) = (own[k], own[AFTER[k]]);
            (from == low) & (to == high) | (from == high) & (to == low)
        };
        let corner = (usize::from(leads(1)) + 2 * usize::from(leads(2))).min(2);
        let across = BEFORE[corner];
        let opposite = (own[across] != low && own[across] != high).then_some(across);
        Some(Wing { triangle: side.triangle(), corner, is_forward: own[corner] == low, opposite })
    }
}

/// Two triangles at an edge.
#[inline(always)]
fn meet(
    points: &[Vec3<f64>],
    triangles: &[[u32; 3]],
    range: Range,
    [first, second]: [Wing; 2],
    across: &mut [[Across; 3]],
) {
    let height = |of: &Wing, over: &Wing, corner: usize| {
        let point = |index: u32| &points[index as usize];
        let [a, b, c] = &triangles[of.triangle];
        let over = triangles[over.triangle][corner];
        side_of_plane_within([point(*a), point(*b), point(*c), point(over)], range)
    };
    let seen_by_first = second.opposite.map(|corner| height(&first, &second, corner));
    // The volume of the four corners: it has the same sign seen from either triangle when they run through
    // the edge in opposite directions, and the opposite one when they do not.
    let seen_by_second = match (seen_by_first, first.opposite) {
        (Some(height), Some(_)) if first.is_forward != second.is_forward => Some(height),
        (Some(height), Some(_)) => Some(height.reverse()),
        (None, Some(corner)) => Some(height(&second, &first, corner)),
        (_, None) => None,
    };
    for (own, other, height) in [(&first, &second, seen_by_first), (&second, &first, seen_by_second)] {
        if let Some(height) = height {
            let corner = BEFORE[other.corner];
            across[own.triangle][own.corner] =
                Across { triangle: other.triangle as u32, corner: corner as u8, height };
        }
    }
}

/// Sorts a bucket, which mostly has six sides.
#[inline(always)]
fn sort(bucket: &mut [Side]) {
    const FEW: usize = 16;
    if FEW < bucket.len() {
        bucket.sort_unstable();
        return;
    }
    for index in 1..bucket.len() {
        let side = bucket[index];
        let mut place = index;
        while 0 < place && side < bucket[place - 1] {
            bucket[place] = bucket[place - 1];
            place -= 1;
        }
        bucket[place] = side;
    }
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
    let mut sides = vec![Side(0); total];
    for (index, triangle) in at.iter().enumerate() {
        for [from, to] in sides_of(*triangle) {
            if from == to {
                continue;
            }
            let next = &mut ends[from.min(to) as usize];
            sides[*next] = Side::new(from.max(to), index);
            *next += 1;
        }
    }
    (ends, sides)
}

/// How a point lies to the plane of three, exactly: above is where these are seen counter-clockwise from.
pub(crate) fn side_of_plane([a, b, c]: [Vec3<f64>; 3], point: Vec3<f64>) -> Ordering {
    let all = [a, b, c, point];
    side_of_plane_within(all.each_ref(), Range::of(&all))
}

/// The same for the fourth of four points, all of which are within a range if that is moderate.
///
/// With u = b − a, v = c − a and d from a to the point, this is the sign of (u × v)·d, a sum of six products. Each of them carries a rounding
/// for each of three differences and two products, and the sums add three at most: within 8·ε/2, to first order, of the sum of their magnitudes, so that twice
/// as much is a bound. What underflows is below the smallest normal number, as moderate coordinates are whole multiples of 2⁻³⁵².
#[inline(always)]
fn side_of_plane_within(all: [&Vec3<f64>; 4], range: Range) -> Ordering {
    let [a, b, c, point] = all;
    let (u, v, d) = (*b - *a, *c - *a, *point - *a);
    let (plus, minus) =
        (Vec3::new(u.y * v.z, u.z * v.x, u.x * v.y), Vec3::new(u.z * v.y, u.x * v.z, u.y * v.x));
    let height = (plus - minus).dot(d);
    let bound = (plus.abs_by_axis() + minus.abs_by_axis()).dot(d.abs_by_axis()) * (8.0 * f64::EPSILON)
        + f64::MIN_POSITIVE;
    if range == Range::Moderate && bound < height.abs() {
        // From a table: no branch could foresee it.
        return [Ordering::Less, Ordering::Greater][usize::from(0.0 < height)];
    }
    side_in_doubt(all.map(|point| *point), range)
}

#[cold]
fn side_in_doubt(all: [Vec3<f64>; 4], range: Range) -> Ordering {
    let range = if range == Range::Moderate { range } else { Range::of(&all) };
    0.0.partial_cmp(&orient3d(all, range)).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::Rng;

    /// Neighbours as the definition has them: of the sides that connect the same places there are two.
    fn by_definition(
        points: &[Vec3<f64>],
        triangles: &[[u32; 3]],
        place: &[u32],
    ) -> Vec<[(u32, u8, Ordering); 3]> {
        let side = |triangle: usize, corner: usize| {
            let [from, to] = [corner, (corner + 1) % 3].map(|k| place[triangles[triangle][k] as usize]);
            (from != to).then_some([from.min(to), from.max(to)])
        };
        let all = || (0..triangles.len()).flat_map(|triangle| (0..3).map(move |corner| (triangle, corner)));
        let across = |triangle: usize, corner: usize| {
            let nothing = (NONE, 0, Ordering::Equal);
            let Some(ends) = side(triangle, corner) else { return nothing };
            let others = all()
                .filter(|(other, k)| (*other, *k) != (triangle, corner) && side(*other, *k) == Some(ends));
            let &[(other, k)] = others.collect::<Vec<_>>().as_slice() else { return nothing };
            let opposite = triangles[other][(k + 2) % 3];
            if ends.contains(&place[opposite as usize]) {
                return nothing;
            }
            let corners = triangles[triangle].map(|index| points[index as usize]);
            let below = orient3d([corners[0], corners[1], corners[2], points[opposite as usize]], Range::Any);
            (other as u32, ((k + 2) % 3) as u8, 0.0.partial_cmp(&below).unwrap_or(Ordering::Equal))
        };
        (0..triangles.len()).map(|triangle| core::array::from_fn(|corner| across(triangle, corner))).collect()
    }

    /// Soups on a lattice, where triangles share corners, edges and planes, lie on one line, and have edges twice; some of them
    /// nearly flat, and some with a fan of more sides than are sorted by hand.
    #[test]
    fn neighbours_are_those_of_the_definition() {
        let rng = &mut Rng::new(23);
        let mut below = |most: usize| rng.uniform(0.0, most as f64) as usize;
        for round in 0..400 {
            let count = 3 + below(12);
            let tilt = if round % 3 == 0 { 1e-17 } else { 0.0 };
            let points: Vec<Vec3<f64>> = (0..count)
                .map(|_| {
                    Vec3::new(
                        below(4) as f64,
                        below(4) as f64,
                        below(3) as f64 * if tilt == 0.0 { 1.0 } else { tilt },
                    )
                })
                .collect();
            let place: Vec<u32> =
                points.iter().map(|p| points.iter().position(|q| p == q).unwrap() as u32).collect();
            let triangles: Vec<[u32; 3]> =
                (0..1 + below(60)).map(|_| [0; 3].map(|_| below(count) as u32)).collect();
            let found = across_edges(&points, &triangles, &place);
            let found: Vec<_> = found
                .into_iter()
                .map(|sides| sides.map(|side| (side.triangle, side.corner, side.height)))
                .collect();
            assert_eq!(found, by_definition(&points, &triangles, &place), "round {round}");
        }
    }
}
