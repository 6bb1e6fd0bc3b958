//! What is wrong with a triangle mesh.
//!
//! Every finding is a list, in rising order, so that it can be shown, counted or mended; nothing is hidden and
//! nothing is changed. Decisions about coordinates are exact: equal means equal, and a triangle is degenerate
//! when its corners lie on one line without any rounding.
//!
//! Edges connect places, not indices: vertices with equal coordinates are the same (and are listed as
//! duplicates). So a list of loose triangles, as STL files have it, is as closed as the surface it describes.

use super::crossing::{self, Crossing, is_degenerate};
use super::topology::{Checked, Edges, Sets, Side, components, forward_count, places};
use crate::Error;
use crate::exact::{Question, Ring, Triple, decide};
use carom_math::{Real, Vec3, Vector};
use core::cmp::Ordering;
use core::fmt;
use core::ops::ControlFlow;
use std::collections::BTreeMap;

/// What [`mesh_health`] finds. All indices are those of the vertices and triangles that were given; an edge
/// is named by two vertices, the lowest ones at its places.
///
/// `Display` gives a line for each kind of finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshHealth {
    /// How many vertices were given.
    pub vertex_count: usize,
    /// How many triangles were given.
    pub triangle_count: usize,
    /// Vertices with the coordinates of an earlier one: [vertex, the first one there].
    pub duplicate_vertices: Vec<[usize; 2]>,
    /// Vertices that no triangle refers to.
    pub unused_vertices: Vec<usize>,
    /// Triangles whose corners lie on one line, exactly.
    pub degenerate_triangles: Vec<usize>,
    /// Triangles with the corners of an earlier one in the same winding: [triangle, the first one].
    pub duplicate_triangles: Vec<[usize; 2]>,
    /// Triangles with the corners of an earlier one in the opposite winding: [triangle, the first one].
    pub opposite_triangles: Vec<[usize; 2]>,
    /// Edges of a single triangle, in its direction.
    pub boundary_edges: Vec<[usize; 2]>,
    /// Edges of more than two triangles.
    pub non_manifold_edges: Vec<[usize; 2]>,
    /// Vertices where fans of triangles meet that share no edge there.
    pub non_manifold_vertices: Vec<usize>,
    /// Edges of two triangles that run through it in the same direction: one of them is wound the wrong way.
    pub inconsistent_edges: Vec<[usize; 2]>,
    /// The pieces that hang together by edges, in the order of their first triangles.
    pub components: Vec<MeshComponent>,
    /// Which of them are closed and turned inside out although they are not inside of another.
    pub inverted_components: Vec<usize>,
}

/// A part of a mesh whose triangles hang together by edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshComponent {
    /// Its first triangle.
    pub first_triangle: usize,
    /// How many triangles it has.
    pub triangle_count: usize,
    /// Whether every edge is run through as often in one direction as in the other, so that it has an inside.
    pub is_closed: bool,
    /// Whether its volume is positive (`Greater`: wound outward), zero or negative (`Less`: wound inward). Exact
    /// for closed components, `Equal` for others.
    pub volume: Ordering,
    /// How many other closed components it lies in, judged by one of its corners; 0 unless it is closed. An odd
    /// depth makes it a cavity, which is rightly wound inward.
    pub depth: usize,
}

/// Looks for everything that can be wrong with a mesh.
///
/// O(n log n), and exact. A mesh without triangles is sound but not closed.
///
/// # Errors
/// [`Error::NotFiniteVertex`] and [`Error::NoSuchVertex`], which name the first offender.
///
/// # Example
/// ```
/// use carom_geometry::d3::mesh_health;
/// use carom_math::Vec3;
/// let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
/// let health = mesh_health(&corner, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// assert!(health.is_closed() && health.is_clean());
///
/// // One face missing, one turned around.
/// let health = mesh_health(&corner, &[[0, 1, 2], [0, 1, 3], [0, 3, 2]])?;
/// assert_eq!(health.boundary_edges.len(), 3);
/// assert_eq!(health.inconsistent_edges, [[0, 1], [0, 2]]);
/// assert!(health.to_string().contains("3 boundary edges: 1-2"));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn mesh_health<T: Real>(vertices: &[Vec3<T>], triangles: &[[u32; 3]]) -> Result<MeshHealth, Error> {
    let mesh = Checked::new(vertices, triangles)?;
    let place = places(&mesh.points);
    let edges = Edges::new(&mesh.triangles, &place);
    let mut health = MeshHealth {
        vertex_count: mesh.points.len(),
        triangle_count: mesh.triangles.len(),
        duplicate_vertices: (0..place.len()).filter(|&v| place[v] != v).map(|v| [v, place[v]]).collect(),
        unused_vertices: unused(&mesh),
        degenerate_triangles: (0..mesh.triangles.len()).filter(|&t| is_degenerate(mesh.corners(t))).collect(),
        non_manifold_vertices: pinched(&mesh, &place, &edges),
        ..MeshHealth::default()
    };
    let twins = Twins::of(&mesh.triangles, &place);
    (health.duplicate_triangles, health.opposite_triangles) = (twins.same, twins.opposite);
    for sides in edges.groups() {
        let ends = sides[0].ends;
        match (sides.len(), forward_count(sides)) {
            (1, forward) => health.boundary_edges.push(if forward == 1 { ends } else { [ends[1], ends[0]] }),
            (2, 1) => {}
            (2, _) => health.inconsistent_edges.push(ends),
            _ => health.non_manifold_edges.push(ends),
        }
    }
    health.components = Survey::of(&mesh, &edges, usize::MAX).components;
    let is_inverted = |c: &MeshComponent| c.volume == Ordering::Less && c.depth.is_multiple_of(2);
    let inverted = health.components.iter().enumerate().filter(|(_, c)| is_inverted(c));
    health.inverted_components = inverted.map(|(index, _)| index).collect();
    Ok(health)
}

impl MeshHealth {
    /// Whether there is a triangle and all components are closed: every edge is run through as often in one
    /// direction as in the other, so that the mesh has an exact inside.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        !self.components.is_empty() && self.components.iter().all(|component| component.is_closed)
    }

    /// Whether triangles that share an edge are wound alike.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        self.inconsistent_edges.is_empty()
    }

    /// Whether no edge has more than two triangles and no vertex more than one fan of them.
    #[must_use]
    pub fn is_manifold(&self) -> bool {
        self.non_manifold_edges.is_empty() && self.non_manifold_vertices.is_empty()
    }

    /// Whether there is nothing to report. Boundary edges are a finding: a clean mesh is closed.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings().iter().all(|(count, ..)| *count == 0)
    }

    /// Each kind of finding: how many, what one is called, what several are called, the first of them.
    fn findings(&self) -> [(usize, &'static str, &'static str, Vec<String>); 10] {
        const SHOWN: usize = 5;
        let one = |list: &[usize]| list.iter().take(SHOWN).map(|i| i.to_string()).collect();
        let edge = |list: &[[usize; 2]]| list.iter().take(SHOWN).map(|[a, b]| format!("{a}-{b}")).collect();
        let pair =
            |list: &[[usize; 2]]| list.iter().take(SHOWN).map(|[a, b]| format!("{a} (as {b})")).collect();
        macro_rules! finding {
            ($list:ident, $show:ident, $single:literal, $several:literal) => {
                (self.$list.len(), $single, $several, $show(&self.$list))
            };
        }
        [
            finding!(duplicate_vertices, pair, "duplicate vertex", "duplicate vertices"),
            finding!(unused_vertices, one, "unused vertex", "unused vertices"),
            finding!(degenerate_triangles, one, "degenerate triangle", "degenerate triangles"),
            finding!(duplicate_triangles, pair, "duplicate triangle", "duplicate triangles"),
            finding!(opposite_triangles, pair, "opposite triangle", "opposite triangles"),
            finding!(boundary_edges, edge, "boundary edge", "boundary edges"),
            finding!(non_manifold_edges, edge, "non-manifold edge", "non-manifold edges"),
            finding!(non_manifold_vertices, one, "non-manifold vertex", "non-manifold vertices"),
            finding!(inconsistent_edges, edge, "inconsistently wound edge", "inconsistently wound edges"),
            finding!(inverted_components, one, "inverted component", "inverted components"),
        ]
    }
}

impl fmt::Display for MeshHealth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural =
            |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
        let (vertices, triangles, components) =
            (self.vertex_count, self.triangle_count, self.components.len());
        writeln!(
            f,
            "{vertices} {}, {triangles} {}, {components} {}",
            plural(vertices, "vertex", "vertices"),
            plural(triangles, "triangle", "triangles"),
            plural(components, "component", "components"),
        )?;
        let yes_or_not = |yes: bool| if yes { "" } else { "not " };
        write!(
            f,
            "{}closed, {}consistently wound, {}manifold",
            yes_or_not(self.is_closed()),
            yes_or_not(self.is_oriented()),
            yes_or_not(self.is_manifold()),
        )?;
        for (count, single, several, first) in self.findings() {
            if count != 0 {
                let more = if first.len() < count { ", …" } else { "" };
                write!(f, "\n{count} {}: {}{more}", plural(count, single, several), first.join(", "))?;
            }
        }
        Ok(())
    }
}

/// Vertices that no triangle refers to.
pub(super) fn unused(mesh: &Checked) -> Vec<usize> {
    let mut is_used = vec![false; mesh.points.len()];
    mesh.triangles.as_flattened().iter().for_each(|&vertex| is_used[vertex] = true);
    (0..is_used.len()).filter(|&vertex| !is_used[vertex]).collect()
}

/// Places where more than one fan of triangles meets. Corners at one place belong to one fan when their triangles
/// share an edge there.
fn pinched(mesh: &Checked, place: &[usize], edges: &Edges) -> Vec<usize> {
    let mut fans = Sets::new(3 * mesh.triangles.len());
    // The corner of the side's triangle at the lower or the higher end of the edge.
    let corner_at = |side: &Side, high: bool| {
        let is_first = side.is_forward != high;
        3 * side.triangle + if is_first { side.corner } else { (side.corner + 1) % 3 }
    };
    let mut has_sides = vec![false; mesh.triangles.len()];
    for sides in edges.groups() {
        for side in sides {
            has_sides[side.triangle] = true;
            for high in [false, true] {
                fans.unite(corner_at(&sides[0], high), corner_at(side, high));
            }
        }
    }
    let mut fan_at: Vec<Option<usize>> = vec![None; mesh.points.len()];
    let mut is_pinched = vec![false; mesh.points.len()];
    for (triangle, corners) in mesh.triangles.iter().enumerate().filter(|(t, _)| has_sides[*t]) {
        for (corner, &vertex) in corners.iter().enumerate() {
            let (at, fan) = (place[vertex], fans.find(3 * triangle + corner));
            is_pinched[at] |= *fan_at[at].get_or_insert(fan) != fan;
        }
    }
    (0..is_pinched.len()).filter(|&vertex| is_pinched[vertex]).collect()
}

/// Triangles with the corners of an earlier one.
pub(super) struct Twins {
    /// In the same winding.
    pub(super) same: Vec<[usize; 2]>,
    /// In the opposite one.
    pub(super) opposite: Vec<[usize; 2]>,
}

impl Twins {
    /// Triangles with two corners at one place have no winding and are passed over: they are degenerate.
    pub(super) fn of(triangles: &[[usize; 3]], place: &[usize]) -> Self {
        // The lowest corner first; then the winding is that of the other two.
        let mut keys = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            let mut at = corners.map(|vertex| place[vertex]);
            let lowest = (0..3).min_by_key(|&corner| at[corner]).unwrap_or(0);
            at.rotate_left(lowest);
            if at[0] != at[1] && at[1] != at[2] && at[2] != at[0] {
                keys.push(([at[0], at[1].min(at[2]), at[1].max(at[2])], triangle, at[1] < at[2]));
            }
        }
        keys.sort_unstable();
        let mut twins = Twins { same: Vec::new(), opposite: Vec::new() };
        for group in keys.chunk_by(|one, other| one.0 == other.0) {
            let first_of = |winding: bool| group.iter().find(|key| key.2 == winding).map(|key| key.1);
            for &(_, triangle, winding) in &group[1..] {
                match first_of(winding) {
                    Some(first) if first != triangle => twins.same.push([triangle, first]),
                    _ => twins.opposite.push([triangle, group[0].1]),
                }
            }
        }
        twins.same.sort_unstable();
        twins.opposite.sort_unstable();
        twins
    }
}

/// The components of a mesh, and which triangle belongs to which.
pub(super) struct Survey {
    pub(super) component_of: Vec<usize>,
    pub(super) components: Vec<MeshComponent>,
}

impl Survey {
    /// Triangles that share an edge of at most `most` triangles hang together.
    pub(super) fn of(mesh: &Checked, edges: &Edges, most: usize) -> Self {
        let (component_of, count) = components(mesh.triangles.len(), edges, most);
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (triangle, &component) in component_of.iter().enumerate() {
            members[component].push(triangle);
        }
        let mut is_closed = vec![true; count];
        // An edge of many triangles may belong to several components.
        let mut balance: BTreeMap<usize, i64> = BTreeMap::new();
        for sides in edges.groups() {
            balance.clear();
            for side in sides {
                let count = balance.entry(component_of[side.triangle]).or_insert(0);
                *count += if side.is_forward { 1 } else { -1 };
            }
            balance.iter().for_each(|(&component, &count)| is_closed[component] &= count == 0);
        }
        let described = members.iter().enumerate().map(|(index, triangles)| MeshComponent {
            first_triangle: triangles[0],
            triangle_count: triangles.len(),
            is_closed: is_closed[index],
            volume: if is_closed[index] { decide(&Volume { mesh, triangles }) } else { Ordering::Equal },
            depth: 0,
        });
        let mut survey = Survey { components: described.collect(), component_of };
        survey.measure_depths(mesh, &members);
        survey
    }

    /// How many other closed components contain each closed one: a ray from its first corner that is not on the
    /// surface of another counts the crossings of each.
    fn measure_depths(&mut self, mesh: &Checked, members: &[Vec<usize>]) {
        if members.len() < 2 {
            return;
        }
        let tree = crossing::tree_of(mesh);
        for (index, triangles) in members.iter().enumerate() {
            if !self.components[index].is_closed {
                continue;
            }
            let corners = triangles.iter().flat_map(|&triangle| mesh.corners(triangle));
            // All corners of a piece may lie in the surface of another one, and no more of it.
            let middles = triangles.iter().map(|&triangle| {
                let [a, b, c] = mesh.corners(triangle);
                a + ((b - a) + (c - a)) * (1.0 / 3.0)
            });
            let depth_at = |p: Vec3<f64>| {
                let mut windings: BTreeMap<usize, i32> = BTreeMap::new();
                let walk = crossing::walk(mesh, &tree, p, |triangle, met| {
                    let component = self.component_of[triangle];
                    match met {
                        _ if component == index || !self.components[component].is_closed => {}
                        Crossing::Through(sign) => *windings.entry(component).or_insert(0) += sign,
                        _ => return ControlFlow::Break(()),
                    }
                    ControlFlow::Continue(())
                });
                walk.is_continue().then(|| windings.values().filter(|&&winding| winding != 0).count())
            };
            let depth = corners.chain(middles).find_map(depth_at).unwrap_or(0);
            self.components[index].depth = depth;
        }
    }
}

/// The sign of the volume of some triangles: Σ (a − o)·((b − o) × (c − o)), with o one of the corners.
struct Volume<'a> {
    mesh: &'a Checked,
    triangles: &'a [usize],
}

impl Question for Volume<'_> {
    type Answer = Ordering;
    fn ask<R: Ring>(&self) -> Result<Ordering, R::Doubt> {
        let origin = self.triangles.first().map_or(Vec3::ZERO, |&first| self.mesh.corners(first)[0]);
        let origin = Triple::<R>::of(origin);
        let mut sum = R::zero();
        for &triangle in self.triangles {
            let corners = self.mesh.corners(triangle).map(|corner| Triple::<R>::of(corner).minus(&origin));
            let [a, b, c] = &corners;
            sum = sum.plus(&a.dot(&b.cross(c)));
        }
        sum.sign()
    }
}
