//! Triangle meshes.

use super::super::mesh::{
    Across, Corners, Edges, MeshSolid, NONE, Place, across_edges, check_indices, check_vertices,
    locate_among, places,
};
use super::super::shape::{Shape, Triangle};
use super::Space;
use super::beside::is_beside;
use super::facets::{normal_of_facet, triangle_facet};
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame};
use crate::bvh::node::WIDTH;
use crate::cast::span::Passage;
use crate::composite::facet::{Facet, Fold};
use crate::composite::sieve::Rows;
use crate::composite::tree::PartTree;
use crate::composite::{Part, Parts, Reach};
use crate::parallel;
use crate::shape::{Resize, Twin, Widen, lends_twin};
use carom_math::{Real, Vec3, Vector};
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

type Point = Vec3<f64>;

/// A surface of triangles, or the solid that a closed one encloses.
///
/// A mesh is a thin surface with two sides, whatever it looks like, until [`TriangleMesh::solid`] says that its
/// inside counts. Triangles may be degenerate, overlap and cross each other; corners at the same place are the
/// same corner, whatever their index. Part `i` is triangle `i`. Cheap to clone: clones share everything.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ball, TriangleMesh, distance};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 0.0, 4.0]];
/// let floor = TriangleMesh::new(corners, [[0, 2, 1], [0, 3, 2]])?;
/// let above = distance(&floor, [0.0, 0.0, 0.0], &Ball::new(1.0)?, [3.0, 3.0, 1.0])?;
/// assert_eq!((above.distance, above.normal.y), (2.0, 1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct TriangleMesh<T> {
    data: Arc<Data>,
    /// All coordinates are multiplied by this power of two.
    factor: f64,
    inside: Inside,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

/// What tells which points are inside.
#[derive(Clone)]
enum Inside {
    /// It is a surface.
    Nothing,
    /// It is closed: triangles that a ray crosses, counted exactly.
    Crossings,
    /// It has gaps: how often it winds about a point.
    Winding(MeshSolid<f64>),
}

/// How two triangles meet at an edge, seen from the side from which the first runs counter-clockwise.
///
/// # Example
/// ```
/// use carom_geometry::d3::{EdgeKind, TriangleMesh};
/// // A roof: the ridge from vertex 0 to vertex 1 is convex, the other edges have one triangle only.
/// let corners = [[0.0, 1.0, 0.0], [0.0, 1.0, 4.0], [2.0, 0.0, 0.0], [-2.0, 0.0, 0.0]];
/// let roof = TriangleMesh::new(corners, [[0, 1, 2], [1, 0, 3]])?;
/// assert_eq!(roof.edge_kinds(0), Some([EdgeKind::Convex, EdgeKind::Boundary, EdgeKind::Boundary]));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// There is no second triangle, or there are more than two.
    Boundary,
    /// The second triangle bends away.
    Convex,
    /// Both lie in one plane.
    Flat,
    /// The second triangle bends towards the side it is seen from.
    Concave,
}

/// In `f64` (but for corners that `f32` holds) and without the scale, whatever the number type of the caller.
struct Data {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    corners: Corners,
    tree: PartTree<Point>,
    /// Found when they are asked for: rays, casts and distances do without, and to find them takes a good part of the time that all the rest takes.
    neighbours: OnceLock<Neighbours>,
}

/// How the triangles hang together.
struct Neighbours {
    /// What lies across each edge.
    across: Vec<[Across; 3]>,
    /// A vertex of each connected piece.
    anchors: Vec<u32>,
}

impl<T: Real> TriangleMesh<T> {
    /// The surface of these triangles, given by the indices of their corners. O(n log n).
    ///
    /// # Errors
    /// - [`Error::NotFiniteVertex`] when a coordinate is not finite;
    /// - [`Error::NoSuchVertex`] when a triangle refers to a vertex that does not exist;
    /// - [`Error::NoTriangles`] when there is none.
    pub fn new(
        vertices: impl IntoIterator<Item = impl Into<Vec3<T>>>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
    ) -> Result<Self, Error> {
        let points: Vec<Point> = vertices.into_iter().map(|vertex| vertex.into().widen()).collect();
        let triangles: Vec<[u32; 3]> = triangles.into_iter().collect();
        check_vertices(&points)?;
        check_indices(&triangles, points.len())?;
        let (tree, corners) = parallel::both(
            4096 <= triangles.len(),
            || PartTree::over_corners(&points, &triangles),
            || Corners::new(&points, &triangles),
        );
        let Some(tree) = tree else {
            return Err(Error::NoTriangles { what: "triangles" });
        };
        let data = Data { vertices: points, triangles, corners, tree, neighbours: OnceLock::new() };
        let (data, inside) = (Arc::new(data), Inside::Nothing);
        Ok(TriangleMesh { data, factor: 1.0, inside, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// Finds out how the triangles hang together, if that is not known yet. Contacts need it, so that nothing catches on the edges inside of
    /// a surface, and so do questions about solids: the first of them takes the time, and memory, unless this was called before. A world does so when a
    /// body is added. Rays, casts, and distances of what is apart do without. O(n); clones share what was found.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::TriangleMesh;
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 0.0, 4.0]];
    /// let floor = TriangleMesh::<f32>::new(corners, [[0, 2, 1], [0, 3, 2]])?;
    /// floor.find_neighbours();
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn find_neighbours(&self) {
        self.data.neighbours();
    }

    /// The solid inside: what lies within the surface counts as part of the shape, and contacts push outwards.
    /// Which points these are is decided exactly. For meshes with gaps see [`TriangleMesh::solid_with_gaps`].
    ///
    /// # Errors
    /// - [`Error::NotClosed`] when an edge is not shared by triangles that run through it both ways;
    /// - [`Error::InsideOut`] when the triangles are wound the wrong way: they must run counter-clockwise as
    ///   seen from outside;
    /// - [`Error::NoVolume`] when there is nothing inside.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Ball, TriangleMesh, intersects};
    /// let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]];
    /// let surface = TriangleMesh::new(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let (marble, inside) = (Ball::new(0.5)?, [2.0, 2.0, 2.0]);
    /// assert!(!intersects(&surface, [0.0, 0.0, 0.0], &marble, inside)?);
    /// assert!(intersects(&surface.solid()?, [0.0, 0.0, 0.0], &marble, inside)?);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn solid(&self) -> Result<Self, Error> {
        let data = &self.data;
        let place = places(&data.vertices);
        let indices: Vec<[usize; 3]> =
            data.triangles.iter().map(|triangle| triangle.map(|index| index as usize)).collect();
        Edges::new(&indices, &place).check_closed()?;
        match data.volume_sign() {
            Ordering::Greater => {}
            Ordering::Equal => return Err(Error::NoVolume { what: "triangles" }),
            Ordering::Less => return Err(Error::InsideOut { what: "triangles" }),
        }
        Ok(TriangleMesh { inside: Inside::Crossings, ..self.clone() }.with_twin())
    }

    /// The solid inside of a surface that may have gaps: points about which it winds by half a turn or more, see
    /// [`MeshSolid`](crate::d3::MeshSolid). Triangles should run counter-clockwise as seen from outside. O(n log n); questions about what
    /// is inside take up to O(n). The same as [`TriangleMesh::solid`] for a closed mesh that is wound so.
    ///
    /// What has gaps has no volume that could be told: [`mass_properties`](crate::d3::mass_properties) refuses it with
    /// [`Error::NotClosed`], so a body that moves needs another shape to weigh it by.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Ball, TriangleMesh, intersects};
    /// // A tetrahedron without its slanted face.
    /// let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]];
    /// let open = TriangleMesh::new(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2]])?;
    /// assert!(open.solid().is_err());
    /// let (solid, marble) = (open.solid_with_gaps(), Ball::new(0.25)?);
    /// let touches = |at: [f64; 3]| intersects(&solid, [0.0, 0.0, 0.0], &marble, at);
    /// assert!(touches([1.0, 1.0, 1.0])? && !touches([6.0, 6.0, 6.0])?);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn solid_with_gaps(&self) -> Self {
        if let Ok(solid) = self.solid() {
            return solid;
        }
        // What was a mesh before is one now.
        let solid = MeshSolid::new(&self.data.vertices, &self.data.triangles);
        let inside = solid.map_or(Inside::Nothing, Inside::Winding);
        TriangleMesh { inside, ..self.clone() }.with_twin()
    }

    /// The same triangles without an inside.
    #[must_use]
    pub fn surface(&self) -> Self {
        TriangleMesh { inside: Inside::Nothing, ..self.clone() }.with_twin()
    }

    /// Whether the inside counts.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        !matches!(self.inside, Inside::Nothing)
    }

    /// The vertices, in the order given.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vec3<T>> + Clone + '_ {
        self.data.vertices.iter().map(|&vertex| Vec3::narrow(vertex * self.factor))
    }

    /// The indices of the corners of each triangle, in the order given.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.data.triangles
    }

    /// A triangle by its number; `None` when there is none.
    #[must_use]
    pub fn triangle(&self, index: usize) -> Option<Triangle<T>> {
        let corners = self.data.triangles.get(index)?.map(|corner| Vec3::narrow(self.vertex(corner)));
        Triangle::new(corners[0], corners[1], corners[2]).ok()
    }

    /// How the edges of a triangle lie, first that from its first corner to its second; `None` when there is no
    /// such triangle. Decided exactly.
    #[must_use]
    pub fn edge_kinds(&self, index: usize) -> Option<[EdgeKind; 3]> {
        Some(self.data.neighbours().across.get(index)?.map(|Across { triangle, height, .. }| {
            match (triangle, height) {
                (NONE, _) => EdgeKind::Boundary,
                (_, Ordering::Less) => EdgeKind::Convex,
                (_, Ordering::Equal) => EdgeKind::Flat,
                (_, Ordering::Greater) => EdgeKind::Concave,
            }
        }))
    }

    fn vertex(&self, index: u32) -> Point {
        self.data.vertices[index as usize] * self.factor
    }
}

impl TriangleMesh<f64> {
    #[inline]
    fn corners(&self, triangle: u32) -> [Point; 3] {
        match self.data.corners.of(triangle) {
            Some(corners) => corners.map(|corner| corner * self.factor),
            None => self.data.triangles[triangle as usize].map(|index| self.vertex(index)),
        }
    }

    /// What lies across an edge of a triangle.
    #[inline]
    fn fold(&self, triangle: u32, edge: usize) -> Option<Fold<Point>> {
        let Across { triangle, corner, height } = self.data.neighbours().across[triangle as usize][edge % 3];
        let corners = self.data.triangles.get(triangle as usize)?;
        Some(Fold { opposite: self.vertex(corners[usize::from(corner % 3)]), height })
    }

    /// Which of two meshes comes first by its numbers.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (a, b) = (&*self.data, &*other.data);
        let by_inside = || {
            let [x, y] = [self, other].map(TriangleMesh::is_closed_solid);
            (x != y).then_some(x < y)
        };
        if core::ptr::eq(a, b) {
            return crate::pair::order::before_number(self.factor, other.factor).or_else(by_inside);
        }
        let by_count = |x: usize, y: usize| (x != y).then_some(x < y);
        by_count(a.triangles.len(), b.triangles.len())
            .or_else(|| by_count(a.vertices.len(), b.vertices.len()))
            .or_else(by_inside)
            .or_else(|| {
                let pairs = a.vertices.iter().zip(&b.vertices);
                pairs.map(|(x, y)| crate::pair::order::before([*x], [*y])).find_map(|order| order)
            })
            .or_else(|| (a.triangles != b.triangles).then(|| a.triangles < b.triangles))
    }

    /// An error for a solid with gaps, which bounds no volume.
    pub(crate) fn check_gaps(&self) -> Result<(), Error> {
        match &self.inside {
            Inside::Nothing | Inside::Crossings => Ok(()),
            // Closed when it is merely wound inside out, or flat.
            Inside::Winding(solid) => solid.check_closed(),
        }
    }

    /// Mass properties of a solid; thin otherwise.
    pub(crate) fn boundary(&self) -> (Vec<[f64; 3]>, Vec<[usize; 3]>) {
        let points = self.data.vertices.iter().map(|vertex| array(*vertex * self.factor)).collect();
        (points, self.data.triangles.iter().map(|corners| corners.map(|index| index as usize)).collect())
    }
}

impl Parts<Space> for TriangleMesh<f64> {
    #[inline]
    fn tree(&self) -> &PartTree<Point> {
        &self.data.tree
    }
    #[inline]
    fn factor(&self) -> f64 {
        self.factor
    }
    fn count(&self) -> u32 {
        self.data.triangles.len() as u32
    }
    #[inline]
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        visit(item)
    }
    fn triangles(&self, items: &[u32], corners: &mut [[Point; 3]]) -> bool {
        for (corners, item) in corners.iter_mut().zip(items) {
            *corners = self.corners(*item);
        }
        true
    }
    fn rows(&self, items: &[u32; WIDTH], rows: &mut Rows) -> bool {
        self.data.corners.fill_rows(items, rows)
    }
    fn part(&self, index: u32) -> Part<'_, Space> {
        let triangle = Triangle::of_corners(self.corners(index));
        Part { shape: Cow::Owned(Shape::Triangle(triangle)), local: None, first: index }
    }
    fn facet(&self, index: u32) -> Option<Facet<Point>> {
        let folds = core::array::from_fn(|edge| self.fold(index, edge));
        triangle_facet(self.corners(index), folds, self.is_solid())
    }
    fn facet_normal(&self, index: u32) -> Option<Point> {
        normal_of_facet(self.corners(index))
    }
    fn is_beside(&self, index: u32, reach: &Reach<Point>) -> bool {
        is_beside(self.corners(index), |edge| self.fold(index, edge), self.is_solid(), reach)
    }
    #[inline]
    fn part_hit(
        &self,
        index: u32,
        [origin, direction]: [Point; 2],
        _: bool,
        _: f64,
    ) -> Option<(Passage<Point>, u32)> {
        Some((Space::first_hit_of_triangle(self.corners(index), origin, direction)?, index))
    }
    fn is_solid(&self) -> bool {
        TriangleMesh::is_solid(self)
    }
    fn contains(&self, p: Point) -> bool {
        let data = &*self.data;
        // The scale is a power of two: undoing it is exact for all that is near.
        let p = p * (1.0 / self.factor);
        if !data.tree.bounds().contains_point(p) {
            return false;
        }
        match &self.inside {
            Inside::Nothing => false,
            Inside::Crossings => {
                let corners = |triangle: usize| data.triangles[triangle].map(|at| data.vertices[at as usize]);
                locate_among(corners, data.tree.view(), p) != Place::Winding(0)
            }
            Inside::Winding(solid) => solid.holds(p),
        }
    }
    fn visit_anchors(&self, visit: &mut dyn FnMut(Point) -> ControlFlow<()>) -> ControlFlow<()> {
        self.data.neighbours().anchors.iter().try_for_each(|&anchor| visit(self.vertex(anchor)))
    }
}

impl Data {
    #[inline]
    fn neighbours(&self) -> &Neighbours {
        // Who looks for them must not take up other work meanwhile, which might ask for the same: nothing below is shared among threads.
        self.neighbours.get_or_init(|| {
            let (points, triangles) = (&self.vertices, &self.triangles);
            // No triangle refers to a place beyond the indices that there are.
            let place: Vec<u32> = places(points).into_iter().map(|place| place as u32).collect();
            let across = across_edges(points, triangles, &place);
            Neighbours { across, anchors: anchors(triangles, &place) }
        })
    }

    /// The sign of the enclosed volume: the sum of the tetrahedra between the triangles and the centre.
    fn volume_sign(&self) -> Ordering {
        let factor = crate::scale::towards_one(self.tree.size(), 0);
        let center = self.tree.bounds().center();
        let volume = self.triangles.iter().fold(0.0, |sum, triangle| {
            let [a, b, c] = triangle.map(|index| (self.vertices[index as usize] - center) * factor);
            sum + a.dot(b.cross(c))
        });
        // The sum may be a negative zero.
        (volume + 0.0).total_cmp(&0.0)
    }
}

fn array(point: Point) -> [f64; 3] {
    [point.x, point.y, point.z]
}

/// The lowest vertex of each connected piece, in order.
fn anchors(triangles: &[[u32; 3]], place: &[u32]) -> Vec<u32> {
    let mut root: Vec<u32> = (0..place.len()).map(|index| index as u32).collect();
    // Halves the way to the root as it goes.
    fn find(root: &mut [u32], mut at: u32) -> u32 {
        while root[at as usize] != at {
            root[at as usize] = root[root[at as usize] as usize];
            at = root[at as usize];
        }
        at
    }
    let mut is_used = vec![false; place.len()];
    for triangle in triangles {
        let corners = triangle.map(|index| place[index as usize]);
        corners.iter().for_each(|place| is_used[*place as usize] = true);
        // Most are of one piece already, and say so at once.
        let [a, b, c] = corners.map(|place| root[place as usize]);
        if a == b && b == c {
            continue;
        }
        let [a, b, c] = [a, b, c].map(|place| find(&mut root, place));
        let lowest = a.min(b).min(c);
        [a, b, c].iter().for_each(|place| root[*place as usize] = lowest);
    }
    // The lowest place of a piece is its root, and a place without triangles is the root of nothing.
    let roots = root.iter().zip(is_used).enumerate();
    roots
        .filter(|(at, (root, is_used))| *is_used && **root as usize == *at)
        .map(|(at, _)| at as u32)
        .collect()
}

impl<T> TriangleMesh<T> {
    /// `None` for a surface.
    fn is_closed_solid(&self) -> Option<bool> {
        match self.inside {
            Inside::Nothing => None,
            Inside::Crossings => Some(true),
            Inside::Winding(_) => Some(false),
        }
    }
}

/// Equal vertices and triangles in the same order, and both solid or neither.
impl<T> PartialEq for TriangleMesh<T> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.data, &*other.data);
        let is_same = |a: &Data, b: &Data| a.vertices == b.vertices && a.triangles == b.triangles;
        self.factor == other.factor
            && self.is_closed_solid() == other.is_closed_solid()
            && (core::ptr::eq(a, b) || is_same(a, b))
    }
}

impl<T> fmt::Debug for TriangleMesh<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TriangleMesh")
            .field("vertices", &self.data.vertices.len())
            .field("triangles", &self.data.triangles.len())
            .field("solid", &!matches!(self.inside, Inside::Nothing))
            .finish()
    }
}

lends_twin!(TriangleMesh, Shape<f64>);

impl<T: Real> Widen for TriangleMesh<T> {
    type Wide = TriangleMesh<f64>;
    fn widen(&self) -> TriangleMesh<f64> {
        let (data, inside) = (Arc::clone(&self.data), self.inside.clone());
        TriangleMesh { data, factor: self.factor, inside, twin: Twin::NONE, number: PhantomData }
    }
}

impl Resize for TriangleMesh<f64> {
    fn size(&self) -> f64 {
        self.data.tree.size() * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        TriangleMesh { factor: self.factor * factor, ..self.widen() }
    }
}

impl Bounded<Point> for TriangleMesh<f64> {
    /// Over the corners of all triangles: vertices that no triangle has do not count.
    fn bounds(&self, frame: &Frame<Point>) -> Aabb<Point> {
        let corners = self.data.triangles.iter().flatten();
        corners.fold(Aabb::empty(), |all, &index| all.merged(frame.placed_point(self.vertex(index))))
    }
}
