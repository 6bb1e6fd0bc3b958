//! Faces and edges of a hull as separating axes need them: planes in columns, edges with both their faces.
//!
//! Hulls without volume are prisms and beams of no thickness: a flat one has a face on either side and one,
//! of no area, along each edge; a straight one has four along its length. Then every edge has two faces at
//! right angles, and the arcs between their normals cover what the edge supports.

use crate::exact::normal_rounded_once;
use crate::sat::{ArcRows, PlaneRows};
use crate::scale;
use carom_math::{Number, Vec3, Vector, power_of_two};
use std::collections::BTreeMap;

/// The faces and edges of a hull, at the scale of its vertices.
pub(crate) struct Facets {
    /// Unit normals with the heights above the centre.
    pub(crate) planes: PlaneRows<Vec3<f64>>,
    /// The same for both faces of each edge.
    pub(crate) arcs: ArcRows,
    /// Normals of lengths near 1, exact on lattices, for each face.
    pub(crate) normals: Vec<Vec3<f64>>,
    /// Unit normals.
    pub(crate) units: Vec<Vec3<f64>>,
    /// A vertex of each face.
    pub(crate) anchors: Vec<u32>,
    /// Each edge once.
    pub(crate) edges: Vec<HullEdge>,
    /// For each edge of each face the unit vector in the plane of the face that points inwards, and its product with the edge: list i is
    /// what lies between start i and start i + 1.
    rims: Vec<(Vec3<f64>, f64)>,
    rim_starts: Vec<u32>,
    /// A point in the middle of each face.
    pub(crate) middles: Vec<Vec3<f64>>,
    /// Of a ball about the centre that lies inside.
    pub(crate) inner_radius: f64,
}

/// Vertices from and to, with the faces on the left and right: to − from ∥ left × right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HullEdge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
}

/// Sizes between 2^±1020: heights do not overflow.
const BAND: i32 = 1020;

impl Facets {
    /// `faces` are loops of vertices, counter-clockwise from outside. `None` for points, and for sizes at the
    /// ends of the range.
    pub(crate) fn new(
        dimension: usize,
        vertices: &[Vec3<f64>],
        faces: &[Vec<usize>],
        center: Vec3<f64>,
        size: f64,
    ) -> Option<Self> {
        if dimension == 0 || scale::towards_one(size, BAND) != 1.0 {
            return None;
        }
        let factor = scale::towards_one(size, 0);
        let scaled: Vec<Vec3<f64>> = vertices.iter().map(|&vertex| vertex * factor).collect();
        let Skeleton { normals, anchors, edges } = match dimension {
            3 => of_solid(&scaled, faces),
            2 => of_sheet(&scaled, &faces[0]),
            _ => of_beam(&scaled),
        };
        let units = normals.iter().map(|normal| normal.normalized()).collect::<Option<Vec<_>>>()?;
        let mut own = vec![Vec::new(); units.len()];
        for (index, edge) in edges.iter().enumerate() {
            own[edge.left as usize].push(index as u32);
            own[edge.right as usize].push(index as u32);
        }
        let mut rim_starts = vec![0];
        for edges in &own {
            rim_starts.push(rim_starts[rim_starts.len() - 1] + edges.len() as u32);
        }
        let rim = |face: usize, edge: &u32| {
            let HullEdge { from, to, left, .. } = edges[*edge as usize];
            // Edges run counter-clockwise around the face on their left.
            let along = (scaled[to as usize] - scaled[from as usize])
                * if left as usize == face { 1.0 } else { -1.0 };
            // What has no direction leaves no room.
            let inwards = units[face].cross(along).normalized();
            inwards.map_or((Vec3::ZERO, f64::INFINITY), |inwards| {
                (inwards, inwards.dot(scaled[from as usize]) / factor)
            })
        };
        let rims =
            own.iter().enumerate().flat_map(|(face, edges)| edges.iter().map(move |edge| (face, edge)));
        let rims: Vec<(Vec3<f64>, f64)> = rims.map(|(face, edge)| rim(face, edge)).collect();
        let middle = |own: &Vec<u32>| {
            let ends = own.iter().flat_map(|edge| [edges[*edge as usize].from, edges[*edge as usize].to]);
            let sum = ends.fold(Vec3::ZERO, |sum: Vec3<f64>, end| sum + scaled[end as usize]);
            sum / (2.0 * factor * own.len().max(1) as f64)
        };
        let middles = own.iter().map(middle).collect();
        let height = |face: usize| units[face].dot(scaled[anchors[face] as usize] - center * factor) / factor;
        let arc = |edge: &HullEdge| {
            let sides = [edge.left, edge.right].map(|face| (units[face as usize], height(face as usize)));
            (sides, stretch(sides[0].0, sides[1].0))
        };
        let least = (0..units.len()).fold(f64::INFINITY, |least, face| height(face).min_of(least));
        Some(Facets {
            planes: PlaneRows::new((0..units.len()).map(|face| (units[face], height(face))), factor),
            arcs: ArcRows::new(edges.iter().map(arc), factor),
            inner_radius: (least - 64.0 * f64::EPSILON * size).max_of(0.0),
            rims,
            middles,
            normals,
            units,
            anchors,
            edges,
            rim_starts,
        })
    }

    /// How far inside of the edges of a face a point in its plane is, both at the scale of the vertices times `factor`; −∞ for a face with
    /// fewer than three.
    #[inline]
    pub(crate) fn room_on_face(&self, face: usize, point: Vec3<f64>, factor: f64) -> f64 {
        let rims = match (self.rim_starts.get(face), self.rim_starts.get(face + 1)) {
            (Some(&from), Some(&to)) => self.rims.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        };
        let room = rims.iter().fold(f64::INFINITY, |least, (inwards, offset)| {
            (inwards.dot(point) - offset * factor).min_of(least)
        });
        if rims.len() < 3 { f64::NEG_INFINITY } else { room }
    }
}

/// The factor by which the chord between unit normals is shorter than 1: at the angle φ it passes the origin at
/// the distance cos(φ/2), which squared is (1 + cos φ)/2.
fn stretch(left: Vec3<f64>, right: Vec3<f64>) -> f64 {
    let half = (1.0 + left.dot(right)) / 2.0;
    if half < 1e-12 { f64::INFINITY } else { (1.0 + 1e-9) / half.sqrt() }
}

struct Skeleton {
    normals: Vec<Vec3<f64>>,
    anchors: Vec<u32>,
    edges: Vec<HullEdge>,
}

fn of_solid(vertices: &[Vec3<f64>], faces: &[Vec<usize>]) -> Skeleton {
    let mut beyond = BTreeMap::new();
    for (face, outline) in faces.iter().enumerate() {
        for (from, to) in sides(outline) {
            beyond.insert((from, to), face);
        }
    }
    // Each edge once, from its lower vertex, in the order of the vertices.
    let edges = beyond.iter().filter(|((from, to), _)| from < to).filter_map(|(&(from, to), &left)| {
        let right = *beyond.get(&(to, from))?;
        Some(HullEdge { from: from as u32, to: to as u32, left: left as u32, right: right as u32 })
    });
    Skeleton {
        edges: edges.collect(),
        normals: faces.iter().map(|outline| accurate_normal(vertices, outline)).collect(),
        anchors: faces.iter().map(|outline| outline[0] as u32).collect(),
    }
}

fn of_sheet(vertices: &[Vec3<f64>], outline: &[usize]) -> Skeleton {
    let front = accurate_normal(vertices, outline);
    let mut all =
        Skeleton { normals: vec![front, -front], anchors: vec![outline[0] as u32; 2], edges: Vec::new() };
    for (from, to) in sides(outline) {
        let side = all.normals.len() as u32;
        all.normals.push((vertices[to] - vertices[from]).cross(front));
        let (from, to) = (from as u32, to as u32);
        all.anchors.push(from);
        all.edges.push(HullEdge { from, to, left: 0, right: side });
        all.edges.push(HullEdge { from, to, left: side, right: 1 });
    }
    all
}

fn of_beam(vertices: &[Vec3<f64>]) -> Skeleton {
    use crate::gjk::Space;
    let along = vertices[1] - vertices[0];
    let [first, second, _] = Vec3::perpendiculars(&[vertices[0], vertices[1]]);
    // second = along × first, so first × second ∥ along.
    let normals: Vec<Vec3<f64>> = [first, second, -first, -second]
        .into_iter()
        .map(|normal| normal.normalized().unwrap_or(along))
        .collect();
    let edge = |side: u32| HullEdge { from: 0, to: 1, left: side, right: (side + 1) % 4 };
    Skeleton { normals, anchors: vec![0; 4], edges: (0..4).map(edge).collect() }
}

/// The sides of an outline as pairs of vertices.
fn sides(outline: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    outline.iter().enumerate().map(|(k, &from)| (from, outline[(k + 1) % outline.len()]))
}

/// The normal of a face from three corners that span a large part of it: right to the last bit however thin the face
/// is, and exact on lattices. Multiplied by a power of two that brings it near to 1; zero for an area whose digits are
/// lost among the subnormal numbers.
///
/// Needles need all of that: twice the precision of the coordinates does not tell the plane of corners that are off one
/// line by 2⁻¹⁰⁵ of its length, and every wrong plane of a face separates it from its own hull.
fn accurate_normal(vertices: &[Vec3<f64>], outline: &[usize]) -> Vec3<f64> {
    let origin = vertices[outline[0]];
    let farthest = |measure: &dyn Fn(usize) -> f64| {
        let mut best = (1, 0.0);
        for k in 1..outline.len() {
            if best.1 < measure(k) {
                best = (k, measure(k));
            }
        }
        best.0
    };
    let at = |k: usize| vertices[outline[k]];
    let second = farthest(&|k| (at(k) - origin).length_squared());
    let area = |k: usize| normal_rounded_once([origin, at(second), at(k)]).length_squared();
    let third = farthest(&|k| if k == second { 0.0 } else { area(k) });
    let normal = normal_rounded_once([origin, at(second.min(third)), at(second.max(third))]);
    let size = normal.max_abs();
    if size < power_of_two(-900) { Vec3::ZERO } else { normal * scale::towards_one(size, 0) }
}
