//! Which triangle of a mesh lies across each edge, and how.
//!
//! Sides are put into buckets by the lower place of their ends, of about six each, where those of one edge are found by comparing
//! a side with eight others at once; larger buckets are sorted by the other end. Linear in the number of triangles, but for fans
//! around one vertex.

use crate::bvh::probe::in_lanes;
use crate::exact::{Range, orient3d};
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, u32x8};
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

/// A triangle beside an edge.
#[derive(Clone, Copy)]
struct Wing {
    triangle: u32,
    /// The side leads from this corner to the next.
    corner: Corner,
    /// From the lower to the higher place.
    is_forward: bool,
}

const _: () = assert!(size_of::<Wing>() == 8);

#[derive(Clone, Copy)]
enum Corner {
    A,
    B,
    C,
}

impl Corner {
    /// The one that is not on the side.
    #[inline(always)]
    fn opposite(self) -> usize {
        [2, 0, 1][self as usize]
    }
}

/// What lies across each edge of each triangle. Decided exactly. `place` has the lowest index at the place of each point.
pub(crate) fn across_edges(points: &[Vec3<f64>], triangles: &[[u32; 3]], place: &[u32]) -> Vec<[Across; 3]> {
    let buckets = Buckets::new(triangles, place);
    let mut across = vec![[Across::NOTHING; 3]; triangles.len()];
    // Looked at once for all, unless some point is extreme.
    let mesh = Mesh { points, triangles, range: Range::of(points) };
    in_lanes!(simd => mesh.meet_all(simd, &buckets, &mut across));
    across
}

/// How many sides are compared at once.
const EIGHT: usize = 8;

struct Mesh<'a> {
    points: &'a [Vec3<f64>],
    triangles: &'a [[u32; 3]],
    range: Range,
}

impl Mesh<'_> {
    #[inline(always)]
    fn meet_all<S: Simd>(&self, simd: S, buckets: &Buckets, across: &mut [[Across; 3]]) {
        let mut order = Vec::new();
        let mut start = 0;
        for (low, end) in buckets.ends.iter().enumerate() {
            let (wings, others) = (buckets.wings.get(start..*end), buckets.others.get(start..));
            let (Some(wings), Some(others)) = (wings, others) else { return };
            start = *end;
            let eight = others.first_chunk::<EIGHT>().filter(|_| wings.len() <= EIGHT);
            let Some(eight) = eight else {
                pairs_of_many(&others[..wings.len()], &mut order, &mut |first, second| {
                    self.meet([low, others[first] as usize], [wings[first], wings[second]], across);
                });
                continue;
            };
            let lanes = u32x8::load_array_ref(simd, eight);
            let mut open = (1_u32 << wings.len()) - 1;
            while open != 0 {
                let first = open.trailing_zeros() as usize % EIGHT;
                // All that are equal are open still.
                let same = lanes.simd_eq(eight[first]).to_bitmask() as u32 & open;
                open &= !same;
                // The others, which must be one.
                let second = same & (same - 1);
                if second.is_power_of_two() {
                    let second = second.trailing_zeros() as usize;
                    self.meet([low, eight[first] as usize], [wings[first], wings[second]], across);
                }
            }
        }
    }

    /// Two triangles at an edge between two places, the lower of which is the first.
    ///
    /// With the ends p and q and the corners r and s across from them, the sign of the volume (q − p) × (r − p)·(s − p) tells how s lies to the plane of
    /// p, q, r. The first triangle runs through these as p, q, r when it is forward; seen from the second, r and s are exchanged.
    #[inline(always)]
    fn meet(&self, ends: [usize; 2], wings: [Wing; 2], across: &mut [[Across; 3]]) {
        let [first, second] = wings;
        // A triangle of which two corners are at one place has one edge, twice, and nothing across it.
        if first.triangle == second.triangle {
            return;
        }
        // One by one: mapping an array is a call here, amid code for wider registers.
        let (p, q) = (&self.points[ends[0]], &self.points[ends[1]]);
        let (r, s) = (self.across_from(first), self.across_from(second));
        let volume = side_of_plane_within([p, q, r, s], self.range);
        let seen = |is_turned: bool| if is_turned { volume.reverse() } else { volume };
        across[first.triangle as usize][first.corner as usize] = second.seen_at(seen(!first.is_forward));
        across[second.triangle as usize][second.corner as usize] = first.seen_at(seen(second.is_forward));
    }

    /// The corner of a triangle that is not on the side.
    #[inline(always)]
    fn across_from(&self, wing: Wing) -> &Vec3<f64> {
        let corners = &self.triangles[wing.triangle as usize];
        &self.points[corners[wing.corner.opposite()] as usize]
    }
}

impl Wing {
    #[inline(always)]
    fn seen_at(self, height: Ordering) -> Across {
        Across { triangle: self.triangle, corner: self.corner.opposite() as u8, height }
    }
}

/// Visits the pairs of equal numbers, those that have no third, by sorting.
fn pairs_of_many(numbers: &[u32], order: &mut Vec<(u32, usize)>, visit: &mut impl FnMut(usize, usize)) {
    order.clear();
    order.extend(numbers.iter().enumerate().map(|(k, number)| (*number, k)));
    order.sort_unstable();
    for same in order.chunk_by(|one, other| one.0 == other.0) {
        if let [(_, first), (_, second)] = same {
            visit(*first, *second);
        }
    }
}

/// The sides of all triangles by the lower places of their ends, in the order of the triangles.
struct Buckets {
    /// Where those of each place end: they begin where those of the one before do.
    ends: Vec<usize>,
    /// The higher place of each side, and a few more numbers that mean nothing, to be read with the last.
    others: Vec<u32>,
    wings: Vec<Wing>,
}

impl Buckets {
    /// Sides of no length are left out.
    fn new(triangles: &[[u32; 3]], place: &[u32]) -> Self {
        let places_of = |corners: &[u32; 3]| corners.map(|index| place[index as usize]);
        let sides_of = |[a, b, c]: [u32; 3]| [[a, b], [b, c], [c, a]];
        let mut ends = vec![0_usize; place.len()];
        for corners in triangles {
            for [from, to] in sides_of(places_of(corners)) {
                ends[from.min(to) as usize] += usize::from(from != to);
            }
        }
        let mut total = 0;
        for end in &mut ends {
            total += core::mem::replace(end, total);
        }
        // Starts so far; each moves to its end as its sides come in.
        let mut others = vec![0; total + EIGHT];
        let mut wings = vec![Wing { triangle: NONE, corner: Corner::A, is_forward: false }; total];
        for (triangle, corners) in triangles.iter().enumerate() {
            let sides = sides_of(places_of(corners));
            for ([from, to], corner) in sides.into_iter().zip([Corner::A, Corner::B, Corner::C]) {
                if from == to {
                    continue;
                }
                let next = &mut ends[from.min(to) as usize];
                if let (Some(other), Some(wing)) = (others.get_mut(*next), wings.get_mut(*next)) {
                    *other = from.max(to);
                    *wing = Wing { triangle: triangle as u32, corner, is_forward: from < to };
                }
                *next += 1;
            }
        }
        Buckets { ends, others, wings }
    }
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
    /// nearly flat, and some with a fan of more sides than are compared at once.
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
