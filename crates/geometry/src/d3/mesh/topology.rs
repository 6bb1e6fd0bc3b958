//! How the triangles of a mesh hang together.
//!
//! Corners are the same when their coordinates are, whatever their indices, so that a list of loose triangles
//! has the same edges as the indexed mesh it was written from. The first index of each place stands for it.

use crate::Error;
use crate::mass::moments;
use crate::mass::solid::Solid;
use carom_math::{Real, Vec3, Vector};

/// A mesh whose numbers are finite and whose indices exist.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) points: Vec<Vec3<f64>>,
    pub(crate) triangles: Vec<[usize; 3]>,
}

impl Checked {
    /// Widens the coordinates, exactly. A mesh without vertices or triangles is legal here.
    pub(crate) fn new<T: Real>(vertices: &[Vec3<T>], triangles: &[[u32; 3]]) -> Result<Self, Error> {
        // Adding zero makes −0 and 0 the same.
        let points: Vec<_> = vertices.iter().map(|point| point.widen() + Vec3::ZERO).collect();
        check_vertices(&points)?;
        check_indices(triangles, points.len())?;
        let triangles = triangles.iter().map(|corners| corners.map(|index| index as usize)).collect();
        Ok(Checked { points, triangles })
    }

    /// The corners of a triangle.
    #[inline]
    pub(crate) fn corners(&self, triangle: usize) -> [Vec3<f64>; 3] {
        self.triangles[triangle].map(|index| self.points[index])
    }

    /// Mass, centre and inertia of the inside, for density 1. There must be a point.
    pub(crate) fn solid(&self) -> Solid {
        let points: Vec<[f64; 3]> = self.points.iter().map(|p| [p.x, p.y, p.z]).collect();
        moments::of_boundary(&points, self.triangles.iter().copied())
    }
}

/// An error that names the first vertex that is not finite.
pub(crate) fn check_vertices(points: &[Vec3<f64>]) -> Result<(), Error> {
    let lacking = points.iter().enumerate().find_map(|(vertex, point)| {
        let value = [point.x, point.y, point.z].into_iter().find(|x| !x.is_finite())?;
        Some(Error::NotFiniteVertex { vertex, value })
    });
    lacking.map_or(Ok(()), Err)
}

/// An error that names the first triangle with a vertex that is not among so many.
pub(crate) fn check_indices(triangles: &[[u32; 3]], count: usize) -> Result<(), Error> {
    let lacking = triangles.iter().enumerate().find_map(|(triangle, corners)| {
        let vertex = corners.iter().map(|&index| index as usize).find(|&index| count <= index)?;
        Some(Error::NoSuchVertex { triangle, vertex, count })
    });
    lacking.map_or(Ok(()), Err)
}

/// For each point the lowest index of a point with the same coordinates.
pub(crate) fn places(points: &[Vec3<f64>]) -> Vec<usize> {
    let key = |index: usize| {
        let point = points[index] + Vec3::ZERO;
        [point.x, point.y, point.z].map(f64::to_bits)
    };
    places_by_hash(points.len(), key).unwrap_or_else(|| places_by_order(points.len(), key))
}

/// By a table of twice as many entries as there are points; `None` when too many fall into the same ones.
fn places_by_hash(count: usize, key: impl Fn(usize) -> [u64; 3]) -> Option<Vec<usize>> {
    const FREE: u32 = u32::MAX;
    u32::try_from(count).ok()?;
    let bits = (2 * count.max(1)).next_power_of_two().trailing_zeros();
    let mut table = vec![FREE; 1 << bits];
    let mut place = Vec::with_capacity(count);
    let mut steps_left = 16 * count;
    for index in 0..count {
        let own = key(index);
        // Odd factors from the golden ratio: high bits depend on all bits.
        let mixed = own.into_iter().fold(0_u64, |sum, part| {
            (sum ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (sum.rotate_left(29))
        });
        let mut at = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize;
        let found = loop {
            match table[at] {
                FREE => {
                    table[at] = index as u32;
                    break index;
                }
                other if key(other as usize) == own => break other as usize,
                _ => at = (at + 1) & ((1 << bits) - 1),
            }
            steps_left = steps_left.checked_sub(1)?;
        };
        place.push(found);
    }
    Some(place)
}

/// By sorting.
fn places_by_order(count: usize, key: impl Fn(usize) -> [u64; 3]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by_key(|&index| (key(index), index));
    let mut place = vec![0; count];
    for group in order.chunk_by(|&one, &other| key(one) == key(other)) {
        for &index in group {
            place[index] = group[0];
        }
    }
    place
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// The places of its ends, the lower one first.
    pub(crate) ends: [usize; 2],
    pub(crate) triangle: usize,
    /// It leads from corner `corner` to the next.
    pub(crate) corner: usize,
    /// It leads from the lower to the higher place.
    pub(crate) is_forward: bool,
}

impl Side {
    /// The corner of the triangle that is not on this side.
    pub(crate) fn opposite(&self) -> usize {
        (self.corner + 2) % 3
    }
}

/// The sides of all triangles, those of one edge side by side.
pub(crate) struct Edges {
    sides: Vec<Side>,
}

impl Edges {
    /// Triangles of which two corners are at one place have no sides.
    pub(crate) fn new(triangles: &[[usize; 3]], place: &[usize]) -> Self {
        let mut sides = Vec::with_capacity(3 * triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            let at = corners.map(|index| place[index]);
            if at[0] == at[1] || at[1] == at[2] || at[2] == at[0] {
                continue;
            }
            for corner in 0..3 {
                let (from, to) = (at[corner], at[(corner + 1) % 3]);
                let ends = [from.min(to), from.max(to)];
                sides.push(Side { ends, triangle, corner, is_forward: from < to });
            }
        }
        sides.sort_unstable();
        Edges { sides }
    }

    /// The sides of each edge, in the order of the places of its ends.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|one, other| one.ends == other.ends)
    }

    /// The lowest edge that is run through more often in one direction than in the other, in that direction.
    fn unbalanced(&self) -> Option<[usize; 2]> {
        self.groups().find_map(|sides| {
            let ([low, high], forward) = (sides[0].ends, forward_count(sides));
            match (2 * forward).cmp(&sides.len()) {
                core::cmp::Ordering::Equal => None,
                core::cmp::Ordering::Greater => Some([low, high]),
                core::cmp::Ordering::Less => Some([high, low]),
            }
        })
    }

    /// An error that names an edge unless every edge is run through as often in one direction as in the other.
    pub(crate) fn check_closed(&self) -> Result<(), Error> {
        match self.unbalanced() {
            None => Ok(()),
            Some([first, second]) => Err(Error::NotClosed { what: "triangles", first, second }),
        }
    }
}

/// How many of the sides of an edge lead from its lower to its higher end.
pub(crate) fn forward_count(sides: &[Side]) -> usize {
    sides.iter().filter(|side| side.is_forward).count()
}

/// Sets that are united one by one; the lowest member stands for its set.
pub(crate) struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Sets { parent: (0..count).collect() }
    }

    pub(crate) fn find(&mut self, mut item: usize) -> usize {
        while self.parent[item] != item {
            // Halving the path keeps all of them short.
            self.parent[item] = self.parent[self.parent[item]];
            item = self.parent[item];
        }
        item
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Which component each triangle belongs to, where triangles that share an edge of at most `most` triangles hang
/// together, and how many components there are. They are numbered in the order of their first triangles.
pub(crate) fn components(count: usize, edges: &Edges, most: usize) -> (Vec<usize>, usize) {
    let mut sets = Sets::new(count);
    for sides in edges.groups().filter(|sides| sides.len() <= most) {
        for side in &sides[1..] {
            sets.unite(sides[0].triangle, side.triangle);
        }
    }
    let mut component = vec![0; count];
    let mut found = 0;
    for triangle in 0..count {
        let first = sets.find(triangle);
        component[triangle] = if first == triangle { found } else { component[first] };
        found += usize::from(first == triangle);
    }
    (component, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_by_hash_and_by_order() {
        // Lattice points, many of them the same, and zeros of both signs.
        let coordinate = |k: usize| [0.0, -0.0, 1.0, -1.0, 0.5, 1e300, 1e-300][k % 7];
        let points: Vec<Vec3<f64>> =
            (0..2000).map(|k| Vec3::new(coordinate(k), coordinate(k / 3), coordinate(k / 11))).collect();
        let key = |index: usize| {
            let point = points[index] + Vec3::ZERO;
            [point.x, point.y, point.z].map(f64::to_bits)
        };
        let by_order = places_by_order(points.len(), key);
        assert_eq!(places_by_hash(points.len(), key), Some(by_order.clone()));
        assert_eq!(places(&points), by_order);
        assert!(by_order.iter().enumerate().all(|(index, &place)| place <= index));
    }
}
