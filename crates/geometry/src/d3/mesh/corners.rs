//! The corners of triangles, side by side.
//!
//! A question about a mesh of many triangles waits for memory: first for the indices of a triangle, then for its three vertices, which may lie
//! anywhere. Where all coordinates are numbers of `f32`, as in most files, the corners themselves take 36 bytes, and are there at once.

use crate::bvh::node::WIDTH;
use crate::composite::sieve::Rows;
use carom_math::{Vec3, Vector};

/// The corners of the triangles of a mesh; nothing when some coordinate is no number of `f32`.
pub(crate) struct Corners {
    beside: Vec<[Vec3<f32>; 3]>,
}

impl Corners {
    /// Of triangles whose vertices must exist.
    pub(crate) fn new(points: &[Vec3<f64>], triangles: &[[u32; 3]]) -> Self {
        let is_narrow =
            points.iter().fold(true, |all, &point| all & (Vec3::<f32>::narrow(point).widen() == point));
        if !is_narrow {
            return Corners { beside: Vec::new() };
        }
        let narrow = |index: u32| Vec3::narrow(points[index as usize]);
        Corners { beside: triangles.iter().map(|corners| corners.map(narrow)).collect() }
    }

    #[inline(always)]
    pub(crate) fn of(&self, triangle: u32) -> Option<[Vec3<f64>; 3]> {
        self.beside.get(triangle as usize).map(|corners| corners.map(Vec3::widen))
    }

    /// The corners of eight triangles; `false` where there are none.
    #[inline]
    pub(crate) fn fill_rows(&self, triangles: &[u32; WIDTH], rows: &mut Rows) -> bool {
        for (lane, triangle) in triangles.iter().enumerate() {
            let Some(corners) = self.beside.get(*triangle as usize) else { return false };
            for (rows, corner) in rows.iter_mut().zip(corners) {
                for (row, number) in rows.iter_mut().zip([corner.x, corner.y, corner.z]) {
                    row[lane] = number;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_those_of_the_indices_or_none() {
        let small = f64::from(f32::from_bits(1));
        let mut points = vec![
            Vec3::new(0.0, -0.0, 1.5),
            Vec3::new(small, -2.0, f64::from(f32::MAX)),
            Vec3::new(3.0, 4.0, 5.0),
        ];
        let triangles = [[0, 1, 2], [2, 1, 1]];
        let corners = Corners::new(&points, &triangles);
        let bits = |p: Vec3<f64>| [p.x, p.y, p.z].map(f64::to_bits);
        for (number, indices) in triangles.iter().enumerate() {
            let expected = indices.map(|index| bits(points[index as usize]));
            assert_eq!(corners.of(number as u32).map(|found| found.map(bits)), Some(expected));
        }
        assert!(corners.of(2).is_none());
        let mut rows = [[[f32::NAN; WIDTH]; 3]; 3];
        assert!(corners.fill_rows(&[0, 1, 0, 1, 1, 1, 0, 1], &mut rows));
        for (corner, index) in [2, 1, 1].into_iter().enumerate() {
            for (axis, row) in rows[corner].iter().enumerate() {
                assert_eq!(f64::from(row[7]).to_bits(), points[index].get(axis).to_bits());
            }
        }
        assert!(!corners.fill_rows(&[0, 1, 0, 1, 2, 1, 0, 1], &mut rows));
        // Between two numbers of f32, beyond the last, below the first.
        for x in [0.1, 1e39, small / 2.0] {
            points[2].y = x;
            assert!(Corners::new(&points, &triangles).of(0).is_none(), "{x}");
        }
    }
}
