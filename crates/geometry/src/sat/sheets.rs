//! Triangles in space as solids: prisms of no thickness, as flat hulls are.
//!
//! Face 0 is in front, face 1 behind, face 2 + k, of no area, along side k, which runs from corner k to the next. Edges
//! 2k and 2k + 1 are side k between the front and face 2 + k, and between that and the back: right angles, so that the
//! arcs of both together are the half circle that the side supports.

use super::blocks::RIGHT_ANGLE;
use super::{Edge, Edges, Faces, NO_EDGES, NO_FACES, Outer, Solid};
use crate::gjk::{Corners, Support};
use crate::pair::product::cross3;
use crate::scale;
use carom_math::{Level, Number, Vec3, Vector};

/// A triangle, prepared.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    corners: Corners<Vec3<f64>, 3>,
    center: Vec3<f64>,
    size: f64,
    outer_radius: f64,
    /// `None` for a triangle without area, or with sides too short to tell directions.
    faces: Option<SheetFaces>,
}

#[derive(Clone, Copy, Debug)]
struct SheetFaces {
    /// The normal in front, of a length near 1, exact on lattices.
    front: Vec3<f64>,
    /// The unit normals in front and along the sides.
    units: [Vec3<f64>; 4],
    /// How high the sides are above the centre.
    heights: [f64; 3],
}

impl Sheet {
    pub(crate) fn new(corners: Corners<Vec3<f64>, 3>) -> Self {
        let center = corners.center();
        let farthest = corners.0.iter().fold(0.0, |most: f64, &corner| {
            let away = corner - center;
            away.dot(away).max_of(most)
        });
        Sheet {
            size: corners.size(),
            center,
            outer_radius: farthest.sqrt() * (1.0 + 4.0 * f64::EPSILON),
            faces: SheetFaces::new(corners.0, center),
            corners,
        }
    }

    /// How far a point, relative to the centre, is below a face.
    #[inline]
    fn below(faces: &SheetFaces, face: usize, point: Vec3<f64>) -> f64 {
        match face {
            0 => -faces.units[0].dot(point),
            1 => faces.units[0].dot(point),
            _ => faces.heights[face - 2] - faces.units[face - 1].dot(point),
        }
    }

    /// The ends of a side.
    #[inline]
    fn side(&self, side: usize) -> [Vec3<f64>; 2] {
        let [a, b, c] = self.corners.0;
        [[a, b], [b, c], [c, a]][side % 3]
    }
}

impl SheetFaces {
    fn new([a, b, c]: [Vec3<f64>; 3], center: Vec3<f64>) -> Option<Self> {
        let front = cross3(b - a, c - a);
        let front = front * scale::towards_one(front.max_abs(), 0);
        let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (from, (to - from).cross(front).normalized()));
        let [(_, Some(first)), (_, Some(second)), (_, Some(third))] = sides else { return None };
        let heights = [(a, first), (b, second), (c, third)].map(|(from, unit)| unit.dot(from - center));
        Some(SheetFaces { front, units: [front.normalized()?, first, second, third], heights })
    }

    #[inline]
    fn unit(&self, face: usize) -> Vec3<f64> {
        match face {
            0 => self.units[0],
            1 => -self.units[0],
            _ => self.units[(face - 1) % 4],
        }
    }
}

impl Support<Vec3<f64>> for Sheet {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        self.corners.support(direction)
    }
    #[inline]
    fn center(&self) -> Vec3<f64> {
        self.center
    }
    #[inline]
    fn size(&self) -> f64 {
        self.size
    }
}

/// Nothing about faces and edges is asked where there are none.
impl Solid<Vec3<f64>> for Sheet {
    #[inline]
    fn inner_radius(&self) -> f64 {
        0.0
    }
    #[inline]
    fn outer_radius(&self) -> f64 {
        self.outer_radius
    }
    #[inline]
    fn has_faces(&self) -> bool {
        self.faces.is_some()
    }
    #[inline]
    fn nearest_face(&self, from_center: Vec3<f64>) -> usize {
        let Some(faces) = &self.faces else { return 0 };
        let mut best = (f64::INFINITY, 0);
        for face in 0..5 {
            let below = Self::below(faces, face, from_center);
            if below < best.0 {
                best = (below, face);
            }
        }
        best.1
    }
    #[inline]
    fn faces_near(&self, outer: &Outer<Vec3<f64>>) -> Faces {
        let mut found = NO_FACES;
        if let Some(faces) = &self.faces {
            for face in 0..5 {
                found[0] |= u64::from(outer.admits_face(|p| Self::below(faces, face, p))) << face;
            }
        }
        found
    }
    #[inline]
    fn face(&self, index: usize) -> (Vec3<f64>, Vec3<f64>) {
        let Some(faces) = &self.faces else { return (Vec3::unit(0), self.corners.0[0]) };
        match index {
            0 => (faces.front, self.corners.0[0]),
            1 => (-faces.front, self.corners.0[0]),
            _ => self.plane(index),
        }
    }
    #[inline]
    fn plane(&self, index: usize) -> (Vec3<f64>, Vec3<f64>) {
        let Some(faces) = &self.faces else { return (Vec3::unit(0), self.corners.0[0]) };
        (faces.unit(index), self.corners.0[index.saturating_sub(2) % 3])
    }
    fn room_on_face(&self, index: usize, point: Vec3<f64>) -> f64 {
        let Some(faces) = self.faces.as_ref().filter(|_| index < 2) else { return f64::NEG_INFINITY };
        let room = |side: usize| Self::below(faces, side, point - self.center);
        room(2).min_of(room(3)).min_of(room(4))
    }
    #[inline]
    fn middle_of_face(&self, _index: usize) -> Vec3<f64> {
        self.center
    }
    fn level(&self) -> Level {
        Level::new()
    }
    #[inline]
    fn edges_near(&self, outer: &Outer<Vec3<f64>>) -> Edges {
        let mut found = NO_EDGES;
        if let Some(faces) = &self.faces {
            for number in 0..6 {
                let sides = [number % 2, 2 + number / 2];
                let below = |p: Vec3<f64>| sides.map(|face| Self::below(faces, face, p));
                found[0] |= u64::from(outer.admits_arc(RIGHT_ANGLE, below)) << number;
            }
        }
        found
    }
    #[inline]
    fn edge(&self, number: usize) -> Option<Edge<Vec3<f64>>> {
        let faces = self.faces.as_ref().filter(|_| number < 6)?;
        let ([from, to], side) = (self.side(number / 2), faces.unit(2 + number / 2));
        // Front × side and side × back are along the side.
        let (left, right) =
            if number.is_multiple_of(2) { (faces.unit(0), side) } else { (side, faces.unit(1)) };
        Some(Edge { number: number as u32, from, along: to - from, left, right })
    }
    #[inline]
    fn vertex(&self, number: u32) -> Vec3<f64> {
        self.corners.0[number as usize % 3]
    }
    fn face_count(&self) -> usize {
        5
    }
    fn edge_count(&self) -> usize {
        6
    }
}
