//! Closed meshes: which points they contain and how far points are from them, by the plainest method there is.
//!
//! Containment: a ray in a random direction is intersected with every triangle in rational arithmetic. A ray that
//! meets an edge or a corner, or runs in the plane of a triangle, tells nothing and is replaced by another; no
//! perturbation is needed. What is left crosses insides only, and the signed crossings add up to the winding number.

use crate::flat::Flat;
use crate::generate::Rng;
use crate::rational::{ExactPoint, Rational, V};

/// A mesh with exact vertices.
#[derive(Clone, Debug)]
pub struct Mesh {
    vertices: Vec<V<3>>,
    triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// The mesh with these vertices and triples of indices.
    ///
    /// # Panics
    /// If a coordinate is not finite, or an index is too large.
    ///
    /// ```
    /// use carom_oracle::mesh::Mesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let tetrahedron = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]);
    /// assert_eq!(tetrahedron.winding_number(&[0.25, 0.25, 0.25]), Some(1));
    /// assert_eq!(tetrahedron.winding_number(&[0.25, 0.25, 0.75]), Some(0));
    /// assert_eq!(tetrahedron.winding_number(&[0.25, 0.25, 0.5]), None);
    /// ```
    pub fn new(vertices: &[impl ExactPoint<3>], triangles: &[[u32; 3]]) -> Self {
        let mesh = Mesh {
            vertices: vertices.iter().map(ExactPoint::to_exact).collect(),
            triangles: triangles.iter().map(|triangle| triangle.map(|index| index as usize)).collect(),
        };
        assert!(mesh.triangles.iter().flatten().all(|&index| index < mesh.vertices.len()));
        mesh
    }

    fn corners(&self, triangle: usize) -> [&V<3>; 3] {
        self.triangles[triangle].map(|index| &self.vertices[index])
    }

    /// The squared distance from a point to the nearest triangle.
    ///
    /// # Panics
    /// If there is no triangle.
    pub fn distance_squared(&self, point: &impl ExactPoint<3>) -> Rational {
        let point = point.to_exact();
        // Most triangles are out of the question: their boxes are farther away than some vertex. The differences are
        // rounded once, so a margin of 10⁻⁹ is more than enough.
        let squared = |differences: [f64; 3]| differences.iter().map(|x| x * x).sum::<f64>();
        let seen: Vec<[f64; 3]> = self.vertices.iter().map(|vertex| (vertex - &point).to_f64()).collect();
        let used = self.triangles.iter().flatten();
        let limit = used.map(|&vertex| squared(seen[vertex])).fold(f64::INFINITY, f64::min) * (1.0 + 1e-9);
        let may_be_near = |triangle: &usize| {
            let corners = self.triangles[*triangle].map(|vertex| seen[vertex]);
            let gap = |axis: usize| {
                let [low, high] = [f64::min, f64::max]
                    .map(|pick| pick(pick(corners[0][axis], corners[1][axis]), corners[2][axis]));
                low.max(-high).max(0.0)
            };
            squared([0, 1, 2].map(gap)) * (1.0 - 1e-9) <= limit
        };
        let to = |triangle: usize| {
            let corners = self.corners(triangle).map(V::clone);
            Flat::point(&point).distance_squared(&Flat::triangle(&corners))
        };
        (0..self.triangles.len()).filter(may_be_near).map(to).min().expect("a mesh has triangles")
    }

    /// How often the mesh winds about a point, or `None` for a point on its surface.
    ///
    /// # Panics
    /// If a thousand rays tell nothing, which does not happen for meshes that are closed.
    pub fn winding_number(&self, point: &impl ExactPoint<3>) -> Option<i32> {
        let point = point.to_exact();
        if self.distance_squared(&point).is_zero() {
            return None;
        }
        let mut rng = Rng::new(271);
        for _ in 0..1000 {
            let direction = [0; 3].map(|_| f64::from(rng.between(-1_000_000, 1_000_000))).to_exact();
            let crossings: Option<Vec<i32>> = (0..self.triangles.len())
                .map(|triangle| self.crossing(triangle, &point, &direction))
                .collect();
            if let Some(crossings) = crossings {
                return Some(crossings.iter().sum());
            }
        }
        panic!("no ray is generic")
    }

    /// +1 when the ray leaves through the counter-clockwise side of the triangle, −1 when it enters through it, 0 when
    /// it misses, `None` when that cannot be told.
    fn crossing(&self, triangle: usize, origin: &V<3>, direction: &V<3>) -> Option<i32> {
        let [a, b, c] = self.corners(triangle);
        let zero = Rational::ZERO;
        let normal = (b - a).cross(&(c - a));
        if normal.is_zero() {
            // Without area: a generic ray misses it.
            return Some(0);
        }
        let slope = direction.dot(&normal);
        if slope == zero {
            return None;
        }
        let t = (a - origin).dot(&normal) / &slope;
        if t < zero {
            return Some(0);
        }
        let hit = origin + &direction.scaled(&t);
        let areas = [[a, b], [b, c], [c, a]].map(|[u, v]| (v - u).cross(&(&hit - u)).dot(&normal));
        if areas.iter().any(|area| *area < zero) {
            return Some(0);
        }
        if areas.contains(&zero) {
            return None;
        }
        Some(if zero < slope { 1 } else { -1 })
    }
}
