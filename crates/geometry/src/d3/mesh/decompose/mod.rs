//! Convex parts of a closed mesh, by cutting it with planes.
//!
//! In the spirit of CoACD (Wei et al., "Approximate Convex Decomposition for 3D Meshes with Collision-Aware Concavity
//! and Tree Search", 2022), but greedy: the part whose hull has most in excess of its volume is cut in two, by that
//! of a few dozen planes ([`candidates`]) which leaves the smallest hulls, until no part has more than is tolerated, or
//! there are as many parts as allowed. At last parts are united again where their common hull is as good.
//!
//! A part is what the solid and a convex cell between the cuts have in common. Its hull needs no cross-sections:
//! a point of the part that is extreme lies on the surface, where it is a corner of a triangle that was cut with
//! the cell, or it is a corner of the cell inside of the solid, which is decided exactly. So the surface may be
//! as wild as it likes (nested, touching itself, many pieces) provided that it is closed.
//!
//! Every part is covered by its hull, up to the rounding of the points where planes cross edges: some ε of the size.
//! The work is bounded: at most 2·parts hulls are cut, for each some 60 planes are tried on at most
//! 512 triangles. Same seed, same bits.

mod candidates;
mod concavity;
mod cut;
mod unite;

use super::crossing;
use super::solid::Parts;
use super::topology::{Checked, Edges, Sets, components, places};
use crate::Error;
use crate::bound::{Aabb, size_of};
use crate::bvh::Bvh;
use crate::d3::ConvexHull;
use crate::d3::hull::hull_of;
use crate::error::not_negative;
use crate::scale;
use candidates::{Notch, Random, notches, planes, thinned};
use carom_math::{Number, Real, Vec3, Vector, power_of_two};
use core::ops::ControlFlow;
use cut::{Corners, Plane, Sides, box_triangles, close, cut, six_volumes};
use unite::united;

/// How finely [`decompose_mesh`] cuts.
///
/// # Example
/// ```
/// use carom_geometry::d3::DecompositionOptions;
/// let coarse = DecompositionOptions { max_parts: 8, ..DecompositionOptions::<f32>::default() };
/// assert_eq!(coarse.tolerance, 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecompositionOptions<T> {
    /// There are never more parts than this; 0 counts as 1. 32 by default. Time grows with it.
    pub max_parts: usize,
    /// A part is good when the volume of its hull exceeds its own by no more than this fraction of the volume of the
    /// whole mesh. 0.01 by default: half of it takes about 1.5 times as many parts of a smooth surface.
    pub tolerance: T,
    /// Chooses which of many planes and triangles are looked at. 0 by default.
    pub seed: u64,
}

impl<T: Real> Default for DecompositionOptions<T> {
    fn default() -> Self {
        DecompositionOptions { max_parts: 32, tolerance: T::from_f64(0.01), seed: 0 }
    }
}

/// Convex parts that cover a mesh, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshDecomposition<T> {
    /// The parts, in the frame of the mesh; flat ones only where a piece of the mesh is flat.
    pub parts: Vec<ConvexHull<T>>,
    /// The volume of the mesh: that of all its components, less that of cavities. What several components have in common
    /// counts as often, so that a mesh that overlaps itself has more than it fills.
    pub volume: T,
    /// The sum of the volumes of the parts.
    pub parts_volume: T,
    /// The second by the first: 1 is perfect, unless the mesh overlaps itself, which makes it smaller. 1 as well when both are
    /// zero, infinite when only the first is.
    pub volume_ratio: T,
    /// The largest distance found of a point of a part from the mesh, in a search of 512 points a part: a length, 0 when
    /// the parts fill their hulls. The true one may be a few per cent larger.
    pub concavity: T,
}

/// Cuts a closed mesh into nearly convex parts and takes their hulls.
///
/// The parts cover the mesh, up to a few ε of its size. They may overlap by what their hulls fill in. A convex
/// mesh is one part, its hull. Pieces that lie apart may be wound either way. See the options for when to stop.
///
/// # Errors
/// - [`Error::NotFiniteVertex`] and [`Error::NoSuchVertex`];
/// - [`Error::NoTriangles`] when there is none;
/// - [`Error::NotClosed`] when an edge does not have a triangle on each side, wound alike;
///   [`repair_mesh`](super::repair_mesh) may help;
/// - [`Error::NotFinite`] and [`Error::Negative`] when the tolerance is;
/// - [`Error::Overflow`] when a volume is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::decompose_mesh;
/// use carom_math::Vec3;
/// // An L, one unit thick.
/// let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// let corners: Vec<_> = [0.0, 1.0].iter().flat_map(|&z| outline.map(|[x, y]| Vec3::new(x, y, z))).collect();
/// let mut faces = vec![];
/// for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
///     faces.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
/// }
/// for i in 0..6 {
///     let j = (i + 1) % 6;
///     faces.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
/// }
/// let parts = decompose_mesh(&corners, &faces, &Default::default())?;
/// assert_eq!(parts.parts.len(), 2);
/// assert_eq!((parts.volume, parts.volume_ratio, parts.concavity), (3.0, 1.0, 0.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn decompose_mesh<T: Real>(
    vertices: &[Vec3<T>],
    triangles: &[[u32; 3]],
    options: &DecompositionOptions<T>,
) -> Result<MeshDecomposition<T>, Error> {
    let tolerance = not_negative("tolerance", options.tolerance)?.to_f64();
    let mut mesh = Checked::new(vertices, triangles)?;
    if mesh.triangles.is_empty() {
        return Err(Error::NoTriangles { what: "triangles" });
    }
    let edges = Edges::new(&mesh.triangles, &places(&mesh.points));
    edges.check_closed()?;
    let factor = scale::rescaling(size_of(&mesh.points)).unwrap_or(1.0);
    mesh.points.iter_mut().for_each(|point| *point = *point * factor);
    let whole = Whole::new(mesh, edges);
    let max_parts = options.max_parts.max(1);
    let tolerated = tolerance * whole.volume;
    let parts = whole.decomposed(max_parts, tolerated, &mut Random(options.seed));
    let parts = united(parts, tolerated);
    whole.answer(&parts, factor)
}

/// The whole mesh, scaled.
struct Whole {
    solid: Parts,
    notches: Vec<Notch>,
    /// Which group each triangle belongs to: pieces whose boxes overlap.
    group_of: Vec<usize>,
    group_count: usize,
    /// That of each component, and which one each triangle belongs to.
    volumes: Vec<f64>,
    component_of: Vec<usize>,
    volume: f64,
}

/// What the solid and a convex cell have in common.
struct Part {
    /// The triangles of the surface within the cell.
    surface: Vec<Corners>,
    /// The triangles that close them; see [`cut`].
    caps: Vec<Corners>,
    /// The boundary of the cell.
    cell: Vec<Corners>,
    notches: Vec<Notch>,
    volume: f64,
    hull: Vec<Corners>,
    hull_volume: f64,
    /// No plane that was tried cuts it.
    is_final: bool,
}

/// Triangles that planes are tried on. Twice as many double the time and find hardly better planes.
const TRIED: usize = 512;

/// Planes that are tried with proper hulls.
const FINALISTS: usize = 8;

/// How many components are looked at one by one.
const MANY: usize = 2048;

/// Pieces smaller than this fraction of the hull are slivers along a plane that grazes the part, and an excess below it
/// is rounding.
const NOTHING: f64 = power_of_two(-30);

impl Whole {
    fn new(mut mesh: Checked, mut edges: Edges) -> Self {
        let (component_of, count) = components(mesh.triangles.len(), &edges, usize::MAX);
        let (group_of_component, group_count) = groups(&mesh, &component_of, count);
        let mut volumes = volumes_of(&mesh, &component_of, count);
        let mut of_group = vec![0.0; group_count];
        for (volume, &group) in volumes.iter().zip(&group_of_component) {
            of_group[group] += volume;
        }
        // Groups lie apart, so none is a cavity of another: those that are wound inward are turned over.
        let is_inward = |component: usize| of_group[group_of_component[component]] < 0.0;
        if of_group.iter().any(|&volume| volume < 0.0) {
            for (corners, &component) in mesh.triangles.iter_mut().zip(&component_of) {
                if is_inward(component) {
                    corners.swap(1, 2);
                }
            }
            for (component, volume) in volumes.iter_mut().enumerate() {
                *volume = if is_inward(component) { -*volume } else { *volume };
            }
            edges = Edges::new(&mesh.triangles, &places(&mesh.points));
        }
        Whole {
            notches: notches(&mesh, &edges),
            group_of: component_of.iter().map(|&component| group_of_component[component]).collect(),
            group_count,
            volumes,
            component_of,
            volume: of_group.iter().fold(0.0, |sum, volume| sum + volume.abs()),
            solid: Parts::new(mesh),
        }
    }

    fn decomposed(&self, max_parts: usize, tolerated: f64, random: &mut Random) -> Vec<Part> {
        let mut parts = self.first_parts(max_parts);
        while parts.len() < max_parts {
            // The worst part; of equals the first.
            let excess = |part: &Part| part.hull_volume - part.volume;
            let mut worst: Option<(usize, f64)> = None;
            for (index, part) in parts.iter().enumerate() {
                let least = worst.map_or(tolerated, |(_, excess)| excess);
                let is_real = NOTHING * part.hull_volume < excess(part);
                if !part.is_final && is_real && least < excess(part) {
                    worst = Some((index, excess(part)));
                }
            }
            let Some((index, _)) = worst else { break };
            match self.best_cut(&parts[index], random).and_then(|plane| self.split(&parts[index], &plane)) {
                Some(Sides { below, above }) => {
                    parts[index] = below;
                    parts.push(above);
                }
                None => parts[index].is_final = true,
            }
        }
        parts
    }

    /// One part for each group of triangles, or one for all when there are too many groups.
    fn first_parts(&self, max_parts: usize) -> Vec<Part> {
        let groups = if self.group_count <= max_parts { self.group_count } else { 1 };
        let mut surfaces: Vec<Vec<Corners>> = vec![Vec::new(); groups];
        let mut volumes = vec![0.0; groups];
        let mut is_counted = vec![false; self.volumes.len()];
        for (triangle, &group) in self.group_of.iter().enumerate() {
            let (group, component) = (if groups == 1 { 0 } else { group }, self.component_of[triangle]);
            surfaces[group].push(self.solid.mesh.corners(triangle));
            if !is_counted[component] {
                volumes[group] += self.volumes[component];
                is_counted[component] = true;
            }
        }
        let part = |(surface, volume): (Vec<Corners>, f64)| {
            let around = bounds_of(&surface);
            let is_here = |notch: &&Notch| around.contains_point(notch.middle);
            let notches = self.notches.iter().filter(is_here).copied().collect();
            let part = self.part(surface, Vec::new(), box_triangles(around.min, around.max), notches);
            Part { volume, ..part }
        };
        surfaces.into_iter().zip(volumes).map(part).collect()
    }

    fn part(
        &self,
        surface: Vec<Corners>,
        caps: Vec<Corners>,
        cell: Vec<Corners>,
        notches: Vec<Notch>,
    ) -> Part {
        let hull = triangles_of_hull(&self.points(&surface, &cell));
        let origin = first_point(&surface, &cell);
        let volume = six_volumes(surface.iter().chain(&caps).copied(), origin) / 6.0;
        let hull_volume = six_volumes(hull.iter().copied(), origin) / 6.0;
        Part { surface, caps, cell, notches, volume, hull, hull_volume, is_final: false }
    }

    /// The points whose hull is that of a part: the corners of its surface, and those corners of its cell that are in
    /// the solid.
    fn points(&self, surface: &[Corners], cell: &[Corners]) -> Vec<Vec3<f64>> {
        let mut points: Vec<Vec3<f64>> = surface.iter().flatten().copied().collect();
        let mut corners: Vec<Vec3<f64>> = cell.iter().flatten().copied().collect();
        let key = |point: &Vec3<f64>| [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits());
        corners.sort_unstable_by_key(key);
        corners.dedup_by_key(|corner| key(corner));
        points.extend(corners.into_iter().filter(|corner| self.solid.locate(*corner).is_inside));
        points
    }

    /// The plane that leaves the smallest hulls, tried on some of the triangles: all planes with rough hulls, the best
    /// of them with proper ones.
    fn best_cut(&self, part: &Part, random: &mut Random) -> Option<Plane> {
        let surface = thinned(&part.surface, TRIED, random);
        let least = NOTHING * part.hull_volume;
        let bounds = part.bounds();
        let whole_diagonal = (bounds.max - bounds.min).length_squared();
        let score = |plane: &Plane, volume_of: fn(&[Vec3<f64>]) -> f64| {
            let mut rim = Vec::new();
            let pieces = cut(&surface, plane, &mut rim);
            rim.clear();
            let mut cells = cut(&part.cell, plane, &mut rim);
            close(&rim, &mut cells);
            let points = [self.points(&pieces.below, &cells.below), self.points(&pieces.above, &cells.above)];
            let [below, above] = [volume_of(&points[0]), volume_of(&points[1])];
            // Balanced cuts are preferred by 2 % of the excess: enough to halve what no plane makes better, too little
            // to give up a good notch. Compact pieces by as much: a ring may be cut along or across, its hulls are as
            // large either way, but only what was cut across can become convex.
            let balance = (below - above).abs() / (below + above);
            let spread = (diagonal_squared(&points[0]) + diagonal_squared(&points[1])) / whole_diagonal;
            let preference = 0.02 * (part.hull_volume - part.volume) * (balance + spread);
            let score = below + above + preference;
            (least < below && least < above).then_some(score)
        };
        let mut rough: Vec<(f64, Plane)> = planes(part, random)
            .into_iter()
            .filter_map(|plane| Some((score(&plane, rough_hull_volume)?, plane)))
            .collect();
        // Stable: of equals the first comes first.
        rough.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut best: Option<(f64, Plane)> = None;
        for &(_, plane) in rough.iter().take(FINALISTS) {
            if let Some(score) = score(&plane, hull_volume)
                && best.is_none_or(|(lowest, _)| score < lowest)
            {
                best = Some((score, plane));
            }
        }
        best.map(|(_, plane)| plane)
    }

    /// `None` when there is nothing on one side.
    fn split(&self, part: &Part, plane: &Plane) -> Option<Sides<Part>> {
        let mut rim = Vec::new();
        let surfaces = cut(&part.surface, plane, &mut rim);
        let mut caps = cut(&part.caps, plane, &mut rim);
        close(&rim, &mut caps);
        rim.clear();
        let mut cells = cut(&part.cell, plane, &mut rim);
        close(&rim, &mut cells);
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for &notch in &part.notches {
            let height = plane.height(notch.middle);
            // One on the plane itself belongs to both.
            if height <= 0.0 {
                below.push(notch);
            }
            if 0.0 <= height {
                above.push(notch);
            }
        }
        let below = self.part(surfaces.below, caps.below, cells.below, below);
        let above = self.part(surfaces.above, caps.above, cells.above, above);
        let is_something = |part: &Part| !part.hull.is_empty();
        (is_something(&below) && is_something(&above)).then_some(Sides { below, above })
    }

    fn answer<T: Real>(&self, parts: &[Part], factor: f64) -> Result<MeshDecomposition<T>, Error> {
        let mut hulls = Vec::with_capacity(parts.len());
        for part in parts {
            let corners = part.hull.iter().flatten().map(|&corner| Vec3::<T>::narrow(corner / factor));
            hulls.push(ConvexHull::new(corners)?);
        }
        let parts_volume = parts.iter().fold(0.0, |sum, part| sum + part.hull_volume);
        let concavity =
            parts.iter().fold(0.0, |most: f64, part| concavity::concavity(self, part).max_of(most));
        let ratio = match (self.volume, parts_volume) {
            (0.0, 0.0) => 1.0,
            (0.0, _) => f64::INFINITY,
            (volume, parts_volume) => parts_volume / volume,
        };
        let unscaled = |volume: f64| T::from_f64(volume / factor / factor / factor);
        let answer = MeshDecomposition {
            parts: hulls,
            volume: unscaled(self.volume),
            parts_volume: unscaled(parts_volume),
            volume_ratio: T::from_f64(ratio),
            concavity: T::from_f64(concavity / factor),
        };
        if answer.volume.finite() && answer.parts_volume.finite() && answer.concavity.finite() {
            Ok(answer)
        } else {
            Err(Error::Overflow { what: "the volume", number: T::NAME })
        }
    }
}

impl Part {
    /// How far a point is below the nearest face of the hull; negative outside, zero when the hull has no inside.
    fn depth_below_hull(&self, point: Vec3<f64>) -> f64 {
        let mut least = f64::INFINITY;
        for &[a, b, c] in &self.hull {
            if let Some(normal) = (b - a).cross(c - a).normalized() {
                least = normal.dot(a - point).min_of(least);
            }
        }
        if least < f64::INFINITY { least } else { 0.0 }
    }

    fn bounds(&self) -> Aabb<Vec3<f64>> {
        bounds_of(&self.hull)
    }
}

/// The hull of points as triangles wound outward; nothing for no points. Points and segments are triangles that
/// have shrunk.
fn triangles_of_hull(points: &[Vec3<f64>]) -> Vec<Corners> {
    if points.is_empty() {
        return Vec::new();
    }
    let hull = hull_of(points);
    let corner = |at: usize| points[hull.vertices[at]];
    if hull.triangles.is_empty() {
        let last = hull.vertices.len() - 1;
        return vec![[corner(0), corner(last), corner(0)]];
    }
    hull.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

fn hull_volume(points: &[Vec3<f64>]) -> f64 {
    let origin = points.first().copied().unwrap_or(Vec3::ZERO);
    six_volumes(triangles_of_hull(points), origin) / 6.0
}

/// A little less than the volume of the hull: that of the points farthest along the 98 directions with whole
/// components of at most 2. The hull of all points takes several times as long, since those on a plane that was cut
/// along are a hard case for exact decisions.
fn rough_hull_volume(points: &[Vec3<f64>]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let mut farthest = Vec::with_capacity(98);
    // One of each pair of opposite directions: the first component that is not 0 is positive.
    for code in 63..125_i32 {
        let [x, y, z] = [code / 25 - 2, code / 5 % 5 - 2, code % 5 - 2];
        if [x, y, z].iter().all(|component| component % 2 == 0) {
            continue; // twice another
        }
        let direction = Vec3::new(f64::from(x), f64::from(y), f64::from(z));
        let (mut low, mut high) = ((0.0, first), (0.0, first));
        for &point in points {
            let along = direction.dot(point - first);
            if along < low.0 {
                low = (along, point);
            }
            if high.0 < along {
                high = (along, point);
            }
        }
        farthest.extend([low.1, high.1]);
    }
    hull_volume(&farthest)
}

/// That of the box around points, squared.
fn diagonal_squared(points: &[Vec3<f64>]) -> f64 {
    let Some(&first) = points.first() else { return 0.0 };
    let around = points.iter().fold(Aabb { min: first, max: first }, |all, &point| all.merged_with(point));
    (around.max - around.min).length_squared()
}

fn bounds_of(triangles: &[Corners]) -> Aabb<Vec3<f64>> {
    triangles.iter().flatten().fold(Aabb::empty(), |all, &corner| all.merged_with(corner))
}

fn first_point(surface: &[Corners], cell: &[Corners]) -> Vec3<f64> {
    surface.first().or(cell.first()).map_or(Vec3::ZERO, |corners| corners[0])
}

/// The volume of each component, positive when it is wound outward. Each about a corner of its own: seen from afar, the
/// volumes below the triangles are so much larger than what is left of them that their rounding would be all there is.
fn volumes_of(mesh: &Checked, component_of: &[usize], count: usize) -> Vec<f64> {
    let mut origins: Vec<Option<Vec3<f64>>> = vec![None; count];
    let mut volumes: Vec<f64> = vec![0.0; count];
    for (triangle, &component) in component_of.iter().enumerate() {
        let corners = mesh.corners(triangle);
        let origin = *origins[component].get_or_insert(corners[0]);
        volumes[component] += six_volumes([corners], origin);
    }
    volumes.into_iter().map(|six_volumes| six_volumes / 6.0).collect()
}

/// The group of each component, and how many there are. Components whose boxes overlap belong together: one may lie in the
/// other. More than [`MANY`] are one group, since all of them might overlap.
fn groups(mesh: &Checked, component_of: &[usize], count: usize) -> (Vec<usize>, usize) {
    if MANY < count {
        return (vec![0; count], 1);
    }
    let mut boxes = vec![Aabb::empty(); count];
    for (triangle, &component) in component_of.iter().enumerate() {
        boxes[component] = boxes[component].merged(crossing::box_of(mesh.corners(triangle)));
    }
    // Boxes of united groups may overlap others in turn, until nothing changes: at most `count` rounds, since
    // each but the last unites something.
    let mut sets = Sets::new(count);
    for _ in 0..count {
        let mut changed = false;
        let _ = Bvh::build(&boxes).self_pairs(|i, j| {
            let (i, j) = (sets.find(i), sets.find(j));
            if i != j {
                sets.unite(i, j);
                changed = true;
            }
            ControlFlow::<()>::Continue(())
        });
        if !changed {
            break;
        }
        // The first of a group has the box of all; those of the others overlap nothing any more.
        for component in 0..count {
            let group = sets.find(component);
            if group != component {
                boxes[group] = boxes[group].merged(boxes[component]);
                boxes[component] = Aabb::empty();
            }
        }
    }
    let mut number = vec![0; count];
    let mut found = 0;
    for component in 0..count {
        let group = sets.find(component);
        number[component] = if group == component { found } else { number[group] };
        found += usize::from(group == component);
    }
    (number, found)
}
