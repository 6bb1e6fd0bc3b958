//! Meshes to test with.

use carom_geometry::d3::convex_hull;
use carom_math::{Real, Vec3, Vector};
use carom_oracle::generate::{Rng, points};

/// Vertices and triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// The vertices as the code under test takes them.
    pub(crate) fn points<T: Real>(&self) -> Vec<Vec3<T>> {
        self.vertices.iter().map(|&vertex| Vec3::narrow(Vec3::from(vertex))).collect()
    }

    pub(crate) fn mapped(&self, mut f: impl FnMut([f64; 3]) -> [f64; 3]) -> Self {
        Mesh { vertices: self.vertices.iter().map(|&v| f(v)).collect(), triangles: self.triangles.clone() }
    }

    pub(crate) fn moved(&self, by: [f64; 3]) -> Self {
        self.mapped(|v| [v[0] + by[0], v[1] + by[1], v[2] + by[2]])
    }

    pub(crate) fn scaled(&self, by: f64) -> Self {
        self.mapped(|v| v.map(|x| x * by))
    }

    /// Both, one after the other.
    pub(crate) fn and(mut self, other: &Mesh) -> Self {
        let shift = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|index| index + shift)));
        self
    }

    pub(crate) fn inside_out(mut self) -> Self {
        self.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self
    }

    /// Loose triangles, each with vertices of its own.
    pub(crate) fn soup(&self) -> Self {
        let vertices: Vec<_> = self.triangles.iter().flatten().map(|&v| self.vertices[v as usize]).collect();
        let triangles = (0..self.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Mesh { vertices, triangles }
    }

    pub(crate) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|index| self.vertices[index as usize])
    }
}

/// A prism over a polygon of the plane z = 0, given counter-clockwise, with its triangles.
fn prism(outline: &[[f64; 2]], triangles: &[[u32; 3]], height: f64) -> Mesh {
    let n = outline.len() as u32;
    let mut mesh = Mesh::default();
    for z in [0.0, height] {
        mesh.vertices.extend(outline.iter().map(|&[x, y]| [x, y, z]));
    }
    for &[a, b, c] in triangles {
        mesh.triangles.extend([[a, c, b], [a + n, b + n, c + n]]);
    }
    for i in 0..n {
        let j = (i + 1) % n;
        mesh.triangles.extend([[i, j, j + n], [i, j + n, i + n]]);
    }
    mesh
}

/// A box from the origin.
pub(crate) fn cuboid(size: [f64; 3]) -> Mesh {
    let [x, y, z] = size;
    prism(&[[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]], &[[0, 1, 2], [0, 2, 3]], z)
}

pub(crate) fn ell() -> Mesh {
    let outline = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    prism(&outline, &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]], 1.0)
}

pub(crate) fn u_shape() -> Mesh {
    let outline =
        [[0.0, 0.0], [3.0, 0.0], [3.0, 2.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    prism(&outline, &[[0, 5, 6], [0, 6, 7], [0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]], 1.0)
}

/// A torus about z of `around` by `across` quadrilaterals.
pub(crate) fn torus(around: u32, across: u32, radius: f64, tube: f64) -> Mesh {
    let turn = |i: u32, n: u32| (std::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
    let mut mesh = Mesh::default();
    for i in 0..around {
        let (s, c) = turn(i, around);
        for j in 0..across {
            let (t, d) = turn(j, across);
            let r = radius + tube * d;
            mesh.vertices.push([r * c, r * s, tube * t]);
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    for i in 0..around {
        for j in 0..across {
            let quad = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    mesh
}

/// An octahedron whose triangles are cut into four, `depth` times, pushed out to the unit sphere.
pub(crate) fn sphere(depth: usize) -> Mesh {
    let mut mesh = Mesh {
        vertices: vec![
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ],
        triangles: vec![
            [0, 2, 4],
            [2, 1, 4],
            [1, 3, 4],
            [3, 0, 4],
            [2, 0, 5],
            [1, 2, 5],
            [3, 1, 5],
            [0, 3, 5],
        ],
    };
    for _ in 0..depth {
        let mut middles = std::collections::BTreeMap::new();
        let mut finer = Vec::new();
        for &[a, b, c] in &mesh.triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[i, j]| {
                *middles.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                    let [p, q] = [i.min(j), i.max(j)].map(|k| mesh.vertices[k as usize]);
                    let sum = [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
                    let length = (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt();
                    mesh.vertices.push(sum.map(|x| x / length));
                    mesh.vertices.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        mesh.triangles = finer;
    }
    mesh
}

/// A sphere with bumps, star-shaped about the origin.
pub(crate) fn bumpy(depth: usize) -> Mesh {
    sphere(depth).mapped(|[x, y, z]| {
        let bump = 1.0 + 0.25 * (5.0 * x).sin() * (4.0 * y).cos() + 0.1 * (7.0 * z).sin();
        [x * bump, y * bump, z * bump]
    })
}

/// The hull of random points, when it is solid.
pub(crate) fn random_hull(rng: &mut Rng) -> Option<Mesh> {
    let count = 4 + rng.below(9);
    let cloud: Vec<[f64; 3]> = points(rng, count);
    let hull = convex_hull(&cloud.iter().map(|&p| p.into()).collect::<Vec<Vec3<f64>>>()).ok()?;
    (hull.dimension == 3).then(|| Mesh {
        vertices: hull.vertices.iter().map(|&index| cloud[index]).collect(),
        triangles: hull.triangles.iter().map(|t| t.map(|index| index as u32)).collect(),
    })
}

/// Closed, but with its vertices anywhere: cuts itself, folds over, has triangles without area.
pub(crate) fn crumpled(rng: &mut Rng, mut vertex: impl FnMut(&mut Rng) -> [f64; 3]) -> Mesh {
    let depth = rng.below(2);
    let base = if rng.one_in(3) { cuboid([1.0; 3]) } else { sphere(depth) };
    base.mapped(|_| vertex(rng))
}

/// Closed meshes that do not cut themselves, wound outward.
pub(crate) fn clean(rng: &mut Rng) -> Mesh {
    match rng.below(8) {
        0 => cuboid([1.0, 2.0, 0.5]),
        1 => cuboid([1.0, 1e-6, 1.0]),
        2 => ell(),
        3 => u_shape(),
        4 => torus(8, 6, 2.0, 0.75),
        5 => sphere(1),
        // A shell: the cavity is wound inward.
        6 => cuboid([4.0; 3]).and(&cuboid([2.0; 3]).moved([1.0; 3]).inside_out()),
        _ => random_hull(rng).unwrap_or_else(|| cuboid([1.0; 3])),
    }
}
