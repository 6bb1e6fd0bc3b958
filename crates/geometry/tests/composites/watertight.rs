//! Rays through corners, edges and faces of closed meshes never leak.

use crate::sweep::{Sweep, Tally};
use carom_geometry::{RayOptions, d3};
use carom_math::{Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{Rng, unit_quaternion};

type Point = Vec3<f64>;

/// A closed surface around the origin: a cube or an octahedron, subdivided and pushed out to bumps.
pub(super) fn bumpy(levels: usize, bump: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let mut vertices: Vec<Point> =
        (0..6).map(|index| Point::unit(index / 2) * if index % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                triangles.push(if (x + y + z) % 2 == 0 { [x, y, z] } else { [x, z, y] });
            }
        }
    }
    for _ in 0..levels {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: u32, b: u32, vertices: &mut Vec<Point>| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum: Point = vertices[a as usize] + vertices[b as usize];
                vertices.push(sum / sum.length());
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] =
                    [middle(a, b, &mut vertices), middle(b, c, &mut vertices), middle(c, a, &mut vertices)];
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    for vertex in &mut vertices {
        let wave = (vertex.x * 7.0).sin() * (vertex.y * 5.0).cos() * (vertex.z * 3.0).sin();
        *vertex = *vertex * (1.0 + bump * wave);
    }
    (vertices, triangles)
}

/// A closed mesh, as a surface and as a solid.
struct Closed {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    surface: d3::TriangleMesh<f64>,
    solid: d3::TriangleMesh<f64>,
}

impl Closed {
    fn new() -> Self {
        let (vertices, triangles) = bumpy(3, 0.2);
        let surface = d3::TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap();
        let solid = surface.solid().unwrap();
        Closed { vertices, triangles, surface, solid }
    }

    /// One ray from inside, and one back from outside, through a point of the family [`THROUGH`].
    fn check(&self, family: usize, rng: &mut Rng, tally: &mut Tally) {
        let [x, y, z, w] = unit_quaternion(rng);
        let pose = if rng.one_in(2) {
            Pose3::IDENTITY
        } else {
            Pose3::new([rng.uniform(-9.0, 9.0), 3.0, -1.0], Quat::new(x, y, z, w).unwrap())
        };
        let corners = self.triangles[rng.below(self.triangles.len())];
        let [a, b, c] = corners.map(|index| self.vertices[index as usize]);
        let target = match family {
            0 => a,
            1 => a + (b - a) * rng.unit(),
            _ => a + (b - a) * (0.5 * rng.unit()) + (c - a) * (0.5 * rng.unit()),
        };
        // From within there is always a way out, and from outside a way in; targets on the surface may be missed
        // by an ulp once they are turned, but what passes near the middle meets the surface.
        let inside = Vec3::new(rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3));
        let (from, to) = (pose.point_to_world(inside), pose.point_to_world(target));
        let options = RayOptions { solid: false, ..Default::default() };
        let out = d3::Ray::new(from, to - from).unwrap();
        for mesh in [&self.surface, &self.solid] {
            let hit = d3::cast_ray(mesh, pose, &out, options).unwrap().expect("no leak from within");
            assert!((hit.point - to).length() < 1e-9 || hit.t <= 1.0 + 1e-9, "{hit:?}");
        }
        let back = d3::Ray::new(to + (to - from) * 3.0, from - to).unwrap();
        let hit = d3::cast_ray(&self.solid, pose, &back, options).unwrap().expect("no leak from outside");
        assert!(hit.t <= 3.0 + 1e-9 && hit.normal.dot(from - to) <= 1e-9, "{hit:?}");
        let at_once = d3::cast_ray(&self.solid, pose, &out, Default::default()).unwrap();
        let at_once = at_once.expect("it starts inside");
        assert_eq!((at_once.t, at_once.feature), (0.0, 0));
        tally.hits += 1;
    }
}

const THROUGH: [&str; 3] = ["corners", "edges", "faces"];

#[test]
fn no_ray_leaks_through_vertices_and_edges() {
    let closed = Closed::new();
    Sweep::new(THROUGH).few(1000, |family, rng, tally| closed.check(family, rng, tally));
}

#[test]
#[ignore = "a sweep of minutes"]
fn no_ray_of_a_million_leaks() {
    let closed = Closed::new();
    let rays = ("CAROM_RAYS", 1_000_000);
    Sweep::new(THROUGH).many("watertight rays", rays, |family, rng, tally| closed.check(family, rng, tally));
}

#[test]
fn a_solid_knows_its_inside() {
    let (vertices, triangles) = bumpy(2, 0.25);
    let solid = d3::TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap().solid().unwrap();
    let mut rng = Rng::new(32);
    for _ in 0..500 {
        let point = Vec3::new(rng.uniform(-1.3, 1.3), rng.uniform(-1.3, 1.3), rng.uniform(-1.3, 1.3));
        // The surface is star-shaped: along the ray from the middle it is crossed once.
        let ray = d3::Ray::new([0.0, 0.0, 0.0], point).unwrap();
        let hit =
            d3::cast_ray(&solid, Pose3::IDENTITY, &ray, RayOptions { solid: false, ..Default::default() });
        let truth = 1.0 <= hit.unwrap().expect("no leak").t;
        let near = d3::closest_point(&solid, Pose3::IDENTITY, point).unwrap();
        assert_eq!(near.inside, truth, "{point:?} {near:?}");
        assert_eq!(near.distance < 0.0, truth);
        let speck = d3::Ball::new(0.0).unwrap();
        assert_eq!(d3::intersects(&solid, Pose3::IDENTITY, &speck, point).unwrap(), truth);
    }
}

/// Rays at a height field, straight down at corners and sides, along them, aslant from one to another and anywhere, hit what they hit of the mesh
/// of its triangles.
#[test]
fn a_height_field_is_hit_where_its_mesh_is() {
    let rng = &mut Rng::new(31);
    for spacing in [[0.25, 0.5], [0.3, 0.7], [1e-3, 1e3]] {
        let row =
            |rng: &mut Rng| -> Vec<f64> { (0..9).map(|_| f64::from(rng.between(-4, 4)) * 0.125).collect() };
        let heights: Vec<Vec<f64>> = (0..6).map(|_| row(rng)).collect();
        let field = d3::HeightField::new(heights, spacing).unwrap().without_cells([[2, 3], [4, 0]]).unwrap();
        let parts = (0..2 * 5 * 8).filter_map(|part| field.triangle(part));
        let corners: Vec<Point> = parts.flat_map(|triangle| triangle.corners()).collect();
        let triangles = (0..corners.len() as u32 / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        let mesh = d3::TriangleMesh::new(corners.iter().copied(), triangles).unwrap();
        // Corners, middles of sides and of cells, and beyond the border.
        let place = |rng: &mut Rng, y: f64| {
            let [column, row] = [17, 11].map(|most| f64::from(rng.between(-1, most)) * 0.5);
            Point::new(column * spacing[0], y, row * spacing[1])
        };
        let options = RayOptions { max: f64::MAX, solid: false };
        let mut hits = 0;
        for round in 0..3000 {
            let height = if round % 3 == 0 { 2.0 } else { f64::from(rng.between(-2, 2)) * 0.25 };
            let (start, end) = (place(rng, height), place(rng, -1.0));
            let direction = match round % 5 {
                0 => Point::new(0.0, -1.0, 0.0),
                1 => Point::new(end.x - start.x, 0.0, 0.0),
                2 => Point::new(0.0, 0.0, end.z - start.z),
                3 => end - start,
                _ => Point::from_fn(|axis| rng.uniform(-1.0, 1.0) * [spacing[0], 1.0, spacing[1]][axis]),
            };
            let Ok(ray) = d3::Ray::new(start, direction) else { continue };
            let own = d3::cast_ray(&field, [0.0; 3], &ray, options).unwrap();
            let its = d3::cast_ray(&mesh, [0.0; 3], &ray, options).unwrap();
            assert_eq!(own.map(|hit| hit.t), its.map(|hit| hit.t), "{spacing:?} {ray:?}");
            hits += usize::from(own.is_some());
        }
        assert!(500 < hits, "{spacing:?}: {hits}");
    }
}
