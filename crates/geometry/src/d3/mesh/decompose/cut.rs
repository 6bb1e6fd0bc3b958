//! Cutting lists of triangles with a plane.
//!
//! A closed surface cut in two leaves two open ones. Their rims are closed by fans of triangles from an arbitrary
//! point of the plane to every piece of the rim, wound so that each edge is run through as often one way as the
//! other. The triangles of a fan may overlap and cancel; volumes come out right all the same, and so do those of
//! what is cut from it later. Nothing has to be triangulated and no rim has to be found, so there is no input
//! for which this fails.

use carom_math::{Vec3, Vector};

/// The corners of a triangle.
pub(super) type Corners = [Vec3<f64>; 3];

/// The plane through `origin` across `normal`, which need not be a unit vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub(super) origin: Vec3<f64>,
    pub(super) normal: Vec3<f64>,
}

impl Plane {
    /// The height of a point above the plane, in lengths of the normal. Points with at most 0 are below.
    pub(super) fn height(&self, point: Vec3<f64>) -> f64 {
        self.normal.dot(point - self.origin)
    }
}

/// Two things, below and above a plane.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides<T> {
    pub(super) below: T,
    pub(super) above: T,
}

/// The triangles below and above the plane, those that it crosses cut apart.
///
/// The edges along the cut are added to `rim`, in the direction in which the triangles below run through them. Where
/// two triangles share an edge they are cut at the same point, to the bit: it is computed from the end below.
pub(super) fn cut(
    triangles: &[Corners],
    plane: &Plane,
    rim: &mut Vec<[Vec3<f64>; 2]>,
) -> Sides<Vec<Corners>> {
    let mut sides = Sides::<Vec<Corners>>::default();
    for &corners in triangles {
        let heights = corners.map(|corner| plane.height(corner));
        let is_above = heights.map(|height| 0.0 < height);
        let count = is_above.iter().filter(|&&above| above).count();
        if count == 0 {
            sides.below.push(corners);
            continue;
        }
        if count == 3 {
            sides.above.push(corners);
            continue;
        }
        // The corner that is alone on its side, then the other two.
        let lone_is_above = count == 1;
        let lone = (0..3).find(|&corner| is_above[corner] == lone_is_above).unwrap_or(0);
        let [a, b, c] = [lone, (lone + 1) % 3, (lone + 2) % 3];
        let crossing = |i: usize, j: usize| {
            let (low, high) = if is_above[i] { (j, i) } else { (i, j) };
            let t = heights[low] / (heights[low] - heights[high]);
            corners[low] + (corners[high] - corners[low]) * t
        };
        let (p, q) = (crossing(a, b), crossing(a, c));
        let (lone_side, other_side) = if lone_is_above {
            (&mut sides.above, &mut sides.below)
        } else {
            (&mut sides.below, &mut sides.above)
        };
        push(lone_side, [corners[a], p, q]);
        push(other_side, [p, corners[b], corners[c]]);
        push(other_side, [p, corners[c], q]);
        if p != q {
            rim.push(if lone_is_above { [q, p] } else { [p, q] });
        }
    }
    sides
}

/// What has shrunk to a segment or a point closes nothing and encloses nothing.
fn push(triangles: &mut Vec<Corners>, corners: Corners) {
    let [a, b, c] = corners;
    if a != b && b != c && c != a {
        triangles.push(corners);
    }
}

/// The fans that close what [`cut`] has opened.
pub(super) fn close(rim: &[[Vec3<f64>; 2]], sides: &mut Sides<Vec<Corners>>) {
    let Some(&[apex, _]) = rim.first() else { return };
    for &[from, to] in rim {
        push(&mut sides.below, [apex, to, from]);
        push(&mut sides.above, [apex, from, to]);
    }
}

/// Six times the volume that triangles enclose, positive when they are wound outward.
pub(super) fn six_volumes(triangles: impl IntoIterator<Item = Corners>, origin: Vec3<f64>) -> f64 {
    triangles.into_iter().fold(0.0, |sum, corners| {
        let [a, b, c] = corners.map(|corner| corner - origin);
        sum + a.dot(b.cross(c))
    })
}

/// The twelve triangles of a box, wound outward.
pub(super) fn box_triangles(low: Vec3<f64>, high: Vec3<f64>) -> Vec<Corners> {
    let corner = |bits: usize| {
        Vec3::from_fn(|axis| if bits >> axis & 1 == 0 { low.get(axis) } else { high.get(axis) })
    };
    const FACES: [[usize; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    FACES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|face| face.map(corner)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_of_the_pieces_of_a_box_add_up() {
        let whole = box_triangles(Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 4.0, 6.0));
        assert_eq!(six_volumes(whole.iter().copied(), Vec3::ZERO), 36.0);
        // Through a corner, through an edge, along a face, and across; each piece is cut again.
        let normals =
            [[1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.7], [0.0, 2.0, -1.0]];
        let origins = [[1.5, 3.0, 4.5], [1.0, 2.0, 3.0], [2.0, 3.0, 4.0]];
        for normal in normals {
            for origin in origins {
                let plane = Plane { origin: origin.into(), normal: normal.into() };
                let across = Plane { normal: plane.normal.cross(Vec3::new(0.2, 1.0, -0.4)), ..plane };
                let apart = |triangles: &[Corners], plane: &Plane| {
                    let mut rim = Vec::new();
                    let mut sides = cut(triangles, plane, &mut rim);
                    close(&rim, &mut sides);
                    [sides.below, sides.above]
                };
                let mut sum = 0.0;
                for piece in apart(&whole, &plane) {
                    for quarter in apart(&piece, &across) {
                        let volume = six_volumes(quarter, plane.origin);
                        assert!(-1e-12 < volume, "{normal:?} {origin:?} {volume}");
                        sum += volume;
                    }
                }
                assert!((sum - 36.0).abs() < 1e-12, "{normal:?} {origin:?} {sum}");
            }
        }
    }
}
