//! Mending what [`mesh_health`](super::mesh_health) finds, as far as that can be done without inventing surface.
//!
//! Steps, each optional, in this order:
//!
//! 1. merge vertices that are equal, or within a length of each other;
//! 2. drop triangles without area;
//! 3. drop repeated triangles, and pairs that lie back to back;
//! 4. wind neighbours alike: from triangle to triangle across edges of exactly two;
//! 5. turn closed pieces outward;
//! 6. drop vertices that nothing refers to.
//!
//! Holes are not filled and edges of three and more triangles are not taken apart.

use super::crossing::is_degenerate;
use super::health::{Survey, Twins, unused};
use super::topology::{Checked, Edges, places};
use crate::Error;
use crate::bound::Aabb;
use crate::bvh::Bvh;
use crate::error::not_negative;
use carom_math::{Real, Vec3, Vector};
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// What [`repair_mesh`] does.
///
/// # Example
/// ```
/// use carom_geometry::d3::RepairOptions;
/// // Weld what is within a tenth of a millimetre, and leave the winding alone.
/// let weld = RepairOptions { merge_within: Some(1e-4), orient: false, ..RepairOptions::default() };
/// assert!(weld.drop_degenerate);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RepairOptions<T> {
    /// Merge vertices that are no farther apart than this: in the order of their indices, each vertex takes in
    /// all later ones within the length, and stays where it is. 0 merges equal ones; `None` merges nothing.
    /// `Some(0)` by default.
    pub merge_within: Option<T>,
    /// Drop triangles whose corners lie on one line, exactly. On by default.
    pub drop_degenerate: bool,
    /// Drop triangles with the corners of an earlier one in the same winding. On by default.
    pub drop_duplicates: bool,
    /// Drop pairs of triangles with the same corners in opposite winding, both of them: a wall without
    /// thickness. Off by default, since a sheet with two sides consists of nothing else.
    pub drop_opposite: bool,
    /// Wind triangles like their neighbours across edges of two triangles. The minority is flipped; of equally
    /// many those without the first triangle. On by default.
    pub orient: bool,
    /// Turn closed pieces. By nesting, by default.
    pub turn: TurnComponents,
    /// Drop vertices that no triangle refers to. On by default.
    pub drop_unused: bool,
}

impl<T: Real> Default for RepairOptions<T> {
    fn default() -> Self {
        RepairOptions {
            merge_within: Some(T::ZERO),
            drop_degenerate: true,
            drop_duplicates: true,
            drop_opposite: false,
            orient: true,
            turn: TurnComponents::ByNesting,
            drop_unused: true,
        }
    }
}

/// Which way closed pieces are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnComponents {
    /// As they are.
    Keep,
    /// All outward.
    Outward,
    /// Outward, but those inside of an odd number of others inward: they are cavities.
    ByNesting,
}

/// What [`repair_mesh`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Vertices that were merged into earlier ones.
    pub merged_vertices: usize,
    /// Triangles without area that were dropped.
    pub degenerate_triangles: usize,
    /// Repeated triangles that were dropped.
    pub duplicate_triangles: usize,
    /// Triangles that lay back to back and were dropped.
    pub opposite_triangles: usize,
    /// Triangles that were flipped to be wound like their neighbours.
    pub flipped_triangles: usize,
    /// Pieces in which no winding suits all, like a Möbius strip; they were left alone.
    pub unorientable_pieces: usize,
    /// Closed pieces that were turned.
    pub turned_pieces: usize,
    /// Vertices that were dropped since nothing refers to them, merged ones apart.
    pub unused_vertices: usize,
}

impl RepairReport {
    /// Whether nothing was changed.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        RepairReport { unorientable_pieces: 0, ..*self } == RepairReport::default()
    }
}

/// A mesh that was mended, and what that took.
#[derive(Clone, Debug, PartialEq)]
pub struct RepairedMesh<T> {
    /// The vertices, to the bit as they were given, in the order given.
    pub vertices: Vec<Vec3<T>>,
    /// The triangles, in the order given.
    pub triangles: Vec<[u32; 3]>,
    /// What was done.
    pub report: RepairReport,
}

/// Mends a mesh, step by step, as the options say.
///
/// No vertex is moved and no triangle is added. O(n log n).
///
/// # Errors
/// [`Error::NotFiniteVertex`] and [`Error::NoSuchVertex`]; [`Error::NotFinite`] and [`Error::Negative`] when the length
/// to merge within is.
///
/// # Example
/// ```
/// use carom_geometry::d3::{mesh_health, repair_mesh};
/// use carom_math::Vec3;
/// // A tetrahedron of loose triangles, one of them wound the wrong way, and one of them twice.
/// let [o, x, y, z] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
/// let soup = [o, y, x, o, x, z, o, y, z, x, y, z, x, y, z];
/// let faces = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14]];
/// let mended = repair_mesh(&soup, &faces, &Default::default())?;
/// assert_eq!((mended.vertices.len(), mended.triangles.len()), (4, 4));
/// assert_eq!((mended.report.merged_vertices, mended.report.flipped_triangles), (11, 1));
/// assert!(mesh_health(&mended.vertices, &mended.triangles)?.is_clean());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn repair_mesh<T: Real>(
    vertices: &[Vec3<T>],
    triangles: &[[u32; 3]],
    options: &RepairOptions<T>,
) -> Result<RepairedMesh<T>, Error> {
    let mut mesh = Checked::new(vertices, triangles)?;
    let mut report = RepairReport::default();
    // Which vertices are still there; merged ones go even if others without use stay.
    let mut is_kept = vec![true; vertices.len()];
    if let Some(length) = options.merge_within {
        let leader = leaders(&mesh.points, not_negative("merge_within", length)?.to_f64());
        mesh.triangles.iter_mut().for_each(|triangle| *triangle = triangle.map(|vertex| leader[vertex]));
        is_kept = leader.iter().enumerate().map(|(vertex, &leader)| leader == vertex).collect();
        report.merged_vertices = is_kept.iter().filter(|&&kept| !kept).count();
    }
    drop_triangles(&mut mesh, options, &mut report);
    if options.orient {
        orient(&mut mesh, &mut report);
    }
    turn(&mut mesh, options.turn, &mut report);
    if options.drop_unused {
        let unused = unused(&mesh).into_iter().filter(|&vertex| is_kept[vertex]).collect::<Vec<_>>();
        report.unused_vertices = unused.len();
        unused.into_iter().for_each(|vertex| is_kept[vertex] = false);
    }
    let mut new_index = vec![0_u32; vertices.len()];
    let mut kept = Vec::new();
    for (vertex, _) in is_kept.iter().enumerate().filter(|(_, kept)| **kept) {
        new_index[vertex] = kept.len() as u32;
        kept.push(vertices[vertex]);
    }
    let triangles = mesh.triangles.iter().map(|triangle| triangle.map(|vertex| new_index[vertex])).collect();
    Ok(RepairedMesh { vertices: kept, triangles, report })
}

/// The vertex that each vertex is merged into; itself when it stays.
///
/// Leaders are farther apart than `length`, so that a bounded number of them (about 5³) reaches any vertex:
/// O(n log n) even when all vertices are merged.
fn leaders(points: &[Vec3<f64>], length: f64) -> Vec<usize> {
    let place = places(points);
    if length == 0.0 {
        return place;
    }
    let distinct: Vec<usize> = (0..points.len()).filter(|&vertex| place[vertex] == vertex).collect();
    let boxes: Vec<_> = distinct.iter().map(|&v| Aabb { min: points[v], max: points[v] }).collect();
    let tree = Bvh::build(&boxes);
    let mut leader: Vec<Option<usize>> = vec![None; points.len()];
    for &vertex in &distinct {
        if leader[vertex].is_some() {
            continue;
        }
        leader[vertex] = Some(vertex);
        let center = points[vertex];
        let reach = Vec3::splat(length);
        // A step more, for the rounding of the sum.
        let around =
            Aabb { min: (center - reach).map(Real::step_down), max: (center + reach).map(Real::step_up) };
        let _ = tree.overlapping(around, |at| {
            let other = distinct[at];
            if leader[other].is_none() && Vector::length(points[other] - center) <= length {
                leader[other] = Some(vertex);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    (0..points.len()).map(|vertex| leader[place[vertex]].unwrap_or(vertex)).collect()
}

fn drop_triangles<T: Real>(mesh: &mut Checked, options: &RepairOptions<T>, report: &mut RepairReport) {
    if options.drop_degenerate {
        let is_flat: Vec<bool> = (0..mesh.triangles.len()).map(|t| is_degenerate(mesh.corners(t))).collect();
        report.degenerate_triangles = remove(&mut mesh.triangles, &is_flat);
    }
    let place = places(&mesh.points);
    if options.drop_duplicates {
        let mut is_repeated = vec![false; mesh.triangles.len()];
        Twins::of(&mesh.triangles, &place)
            .same
            .iter()
            .for_each(|&[triangle, _]| is_repeated[triangle] = true);
        report.duplicate_triangles = remove(&mut mesh.triangles, &is_repeated);
    }
    if options.drop_opposite {
        let mut is_doubled = vec![false; mesh.triangles.len()];
        // Without duplicates there is one of each winding; with them, one pair goes.
        for [triangle, first] in Twins::of(&mesh.triangles, &place).opposite {
            is_doubled[triangle] = true;
            is_doubled[first] = true;
        }
        report.opposite_triangles = remove(&mut mesh.triangles, &is_doubled);
    }
}

/// Removes the marked triangles and says how many.
fn remove(triangles: &mut Vec<[usize; 3]>, is_marked: &[bool]) -> usize {
    let before = triangles.len();
    let mut marks = is_marked.iter();
    triangles.retain(|_| !marks.next().copied().unwrap_or(false));
    before - triangles.len()
}

/// Winds triangles like their neighbours, piece by piece.
fn orient(mesh: &mut Checked, report: &mut RepairReport) {
    let count = mesh.triangles.len();
    let edges = Edges::new(&mesh.triangles, &places(&mesh.points));
    // For each triangle its neighbours, and whether they are wound alike.
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); count];
    for sides in edges.groups() {
        if let [one, other] = sides {
            let alike = one.is_forward != other.is_forward;
            neighbours[one.triangle].push((other.triangle, alike));
            neighbours[other.triangle].push((one.triangle, alike));
        }
    }
    let mut flip: Vec<Option<bool>> = vec![None; count];
    for start in 0..count {
        if flip[start].is_some() {
            continue;
        }
        flip[start] = Some(false);
        let mut piece = vec![start];
        let mut is_orientable = true;
        let mut at = 0;
        while at < piece.len() {
            let triangle = piece[at];
            at += 1;
            let own = flip[triangle] == Some(true);
            for &(other, alike) in &neighbours[triangle] {
                let wanted = if alike { own } else { !own };
                match flip[other] {
                    None => {
                        flip[other] = Some(wanted);
                        piece.push(other);
                    }
                    Some(has) => is_orientable &= has == wanted,
                }
            }
        }
        finish_piece(mesh, &piece, &flip, is_orientable, report);
    }
}

fn finish_piece(
    mesh: &mut Checked,
    piece: &[usize],
    flip: &[Option<bool>],
    is_orientable: bool,
    report: &mut RepairReport,
) {
    if !is_orientable {
        report.unorientable_pieces += 1;
        return;
    }
    let flipped = piece.iter().filter(|&&triangle| flip[triangle] == Some(true)).count();
    // The first triangle of a piece is not marked.
    let flip_marked = 2 * flipped <= piece.len();
    for &triangle in piece {
        if flip[triangle] == Some(flip_marked) {
            mesh.triangles[triangle].swap(1, 2);
            report.flipped_triangles += 1;
        }
    }
}

/// Turns closed pieces, where pieces hang together by edges of two triangles.
fn turn(mesh: &mut Checked, how: TurnComponents, report: &mut RepairReport) {
    if how == TurnComponents::Keep {
        return;
    }
    let edges = Edges::new(&mesh.triangles, &places(&mesh.points));
    let survey = Survey::of(mesh, &edges, 2);
    let is_wrong: Vec<bool> = survey
        .components
        .iter()
        .map(|piece| {
            let is_cavity = how == TurnComponents::ByNesting && piece.depth % 2 == 1;
            piece.volume == if is_cavity { Ordering::Greater } else { Ordering::Less }
        })
        .collect();
    report.turned_pieces = is_wrong.iter().filter(|&&wrong| wrong).count();
    for (triangle, &piece) in mesh.triangles.iter_mut().zip(&survey.component_of) {
        if is_wrong[piece] {
            triangle.swap(1, 2);
        }
    }
}
