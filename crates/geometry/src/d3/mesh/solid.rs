//! A mesh prepared for questions about its inside.

use super::crossing::{self, Place};
use super::fan::Fan;
use super::topology::{Checked, Edges, places};
use super::winding::{Clusters, WindingNumber};
use crate::Error;
use crate::bound::size_of;
use crate::bvh::Bvh;
use crate::error::{finite_vector, not_negative};
use carom_math::{Real, Vec3, Vector};
use core::fmt;
use core::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A triangle mesh and what lies inside of it, in the frame of its vertices.
///
/// *Closed* means: every edge is run through as often in one direction as in the other, where vertices with
/// equal coordinates are the same. Then the surface winds about every point a whole number of times, and the
/// point is inside when that number is not zero: overlapping pieces count once, holes wound the other way
/// count as holes, and a mesh that is wound inside out has the same inside. This is decided exactly, so that
/// nothing leaks through edges and vertices.
///
/// A mesh with gaps, stray triangles or triangles wound both ways has no exact inside. The generalised winding
/// number gives it a sensible one: inside is where the surface covers half of the sphere around the point or more.
///
/// Either way the surface belongs to the inside. Cheap to clone; clones share everything.
///
/// # Example
/// ```
/// use carom_geometry::d3::{MeshSolid, SignSource};
/// use carom_math::Vec3;
/// let corner = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0]].map(Vec3::from);
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let tetrahedron = MeshSolid::new(&corner, &faces)?;
/// assert!(tetrahedron.is_closed());
/// assert!(tetrahedron.contains_point([2.0, 2.0, 2.0])?); // on the slanted face
/// assert!(!tetrahedron.contains_point([2.0, 2.0, 2.0_f64.next_up()])?);
///
/// let near = tetrahedron.signed_distance([1.0, 1.0, 0.25])?;
/// assert_eq!((near.distance, near.point), (-0.25, Vec3::new(1.0, 1.0, 0.0)));
/// assert_eq!(near.sign, SignSource::Crossings);
///
/// // Without the slanted face, most of the surface still says inside.
/// let open = MeshSolid::new(&corner, &faces[..3])?;
/// assert!(open.contains_point([0.5, 0.5, 0.5])? && !open.contains_point([5.0, 5.0, 5.0])?);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct MeshSolid<T> {
    pub(super) parts: Arc<Parts>,
    number: PhantomData<T>,
}

/// Everything in `f64`.
pub(crate) struct Parts {
    pub(super) mesh: Checked,
    pub(super) tree: Bvh<Vec3<f64>>,
    /// The largest magnitude of a coordinate.
    pub(super) size: f64,
    /// For each vertex the lowest one at the same place.
    pub(super) place: Vec<usize>,
    /// The triangles around each place: those of place i lie between start i and start i + 1.
    around: Vec<usize>,
    around_starts: Vec<usize>,
    open: Option<Error>,
    /// Made when they are first asked for: closed meshes need neither, those with few gaps rarely the first.
    clusters: OnceLock<Clusters>,
    fan: OnceLock<Option<Fan>>,
}

impl MeshSolid<f64> {
    /// Whether a finite point lies inside, on the surface included.
    pub(crate) fn holds(&self, point: Vec3<f64>) -> bool {
        self.parts.locate(point).is_inside
    }
}

impl<T: Real> MeshSolid<T> {
    /// The mesh with these vertices and triples of their indices. O(n log n).
    ///
    /// # Errors
    /// - [`Error::NotFiniteVertex`] when a coordinate is not finite;
    /// - [`Error::NoSuchVertex`] when a triangle refers to a vertex that does not exist;
    /// - [`Error::NoTriangles`] when there is none.
    pub fn new(vertices: &[Vec3<T>], triangles: &[[u32; 3]]) -> Result<Self, Error> {
        let mesh = Checked::new(vertices, triangles)?;
        if mesh.triangles.is_empty() {
            return Err(Error::NoTriangles { what: "triangles" });
        }
        Ok(MeshSolid { parts: Arc::new(Parts::new(mesh)), number: PhantomData })
    }

    /// How many triangles there are.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.parts.mesh.triangles.len()
    }

    /// Whether every edge is run through as often in one direction as in the other.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.parts.open.is_none()
    }

    /// Nothing when the mesh is closed, or an error that names the lowest edge where it is not.
    ///
    /// # Errors
    /// [`Error::NotClosed`].
    pub fn check_closed(&self) -> Result<(), Error> {
        self.parts.open.clone().map_or(Ok(()), Err)
    }

    /// Whether a point lies inside; see [`MeshSolid`] for what that means. The surface counts as inside.
    ///
    /// Exact for closed meshes, and about the surface of all. For others what rounding leaves in doubt counts
    /// as inside. O(log n) and the triangles that a ray crosses; for meshes that are not closed up to O(n).
    ///
    /// # Errors
    /// When the point is not finite.
    pub fn contains_point(&self, point: impl Into<Vec3<T>>) -> Result<bool, Error> {
        let point = finite_vector("point", point.into())?.widen();
        Ok(self.parts.locate(point).is_inside)
    }

    /// How often the surface winds about a point: its signed solid angle by that of the sphere.
    ///
    /// About a point off the surface of a closed mesh this is an integer, with error 0. A mesh with few gaps is
    /// closed by a fan of triangles, whose number is taken from that integer. Else all triangles are summed, where
    /// groups far away are taken together as long as that adds no more than `tolerance` to the error; with 0 none
    /// are. On the surface the number jumps: an error near 1/2 or more says so.
    ///
    /// # Errors
    /// When the point is not finite, or the tolerance is negative or not finite.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::MeshSolid;
    /// use carom_math::Vec3;
    /// // A single triangle that covers an eighth of the sphere around the origin.
    /// let corner = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    /// let octant = MeshSolid::new(&corner, &[[0, 1, 2]])?.winding_number([0.0, 0.0, 0.0], 0.0)?;
    /// assert!((octant.value - 0.125_f64).abs() <= octant.error && octant.error < 1e-13);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn winding_number(&self, point: impl Into<Vec3<T>>, tolerance: T) -> Result<WindingNumber<T>, Error> {
        let point = finite_vector("point", point.into())?.widen();
        let tolerance = not_negative("tolerance", tolerance)?.to_f64();
        let parts = &self.parts;
        if parts.open.is_none()
            && let Place::Winding(turns) = crossing::locate(&parts.mesh, &parts.tree, point)
        {
            return Ok(WindingNumber { value: T::from_f64(f64::from(turns)), error: T::ZERO });
        }
        Ok(WindingNumber::narrowed(parts.winding_number(point, tolerance)))
    }
}

/// What decided on which side of a mesh a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignSource {
    /// The point lies on the surface, exactly.
    Surface,
    /// The mesh is closed: triangles crossed by a ray, counted exactly.
    Crossings,
    /// The mesh is not closed: the generalised winding number.
    Winding,
}

/// Where a point lies, and what says so.
pub(super) struct Located {
    pub(super) is_inside: bool,
    pub(super) source: SignSource,
}

impl Parts {
    pub(super) fn new(mesh: Checked) -> Self {
        let place = places(&mesh.points);
        let open = Edges::new(&mesh.triangles, &place).check_closed().err();
        let mut around_starts = vec![0; mesh.points.len() + 1];
        for &corner in mesh.triangles.as_flattened() {
            around_starts[place[corner] + 1] += 1;
        }
        for at in 1..around_starts.len() {
            around_starts[at] += around_starts[at - 1];
        }
        let mut next = around_starts.clone();
        let mut around = vec![0; 3 * mesh.triangles.len()];
        for (triangle, corners) in mesh.triangles.iter().enumerate() {
            for &corner in corners {
                around[next[place[corner]]] = triangle;
                next[place[corner]] += 1;
            }
        }
        let (tree, size) = (crossing::tree_of(&mesh), size_of(&mesh.points));
        Parts {
            mesh,
            tree,
            size,
            place,
            around,
            around_starts,
            open,
            clusters: OnceLock::new(),
            fan: OnceLock::new(),
        }
    }

    /// The generalised winding number; expansions add at most `tolerance` to the error.
    fn winding_number(&self, point: Vec3<f64>, tolerance: f64) -> WindingNumber<f64> {
        let fan =
            self.fan.get_or_init(|| Fan::of(&self.mesh, &Edges::new(&self.mesh.triangles, &self.place)));
        let from_gaps = fan.as_ref().and_then(|fan| fan.winding_number(point, tolerance));
        from_gaps.unwrap_or_else(|| {
            self.clusters.get_or_init(|| Clusters::new(&self.mesh)).winding_number(point, tolerance)
        })
    }

    /// Whether the mesh winds about the point by half a turn or more, in either direction; what rounding leaves in doubt
    /// counts as inside. Most points are far from the gaps, where a rough number tells.
    fn winds_about(&self, point: Vec3<f64>) -> bool {
        let mut winding = WindingNumber::default();
        for tolerance in [0.4, 0.1, 0.01, 0.0] {
            winding = self.winding_number(point, tolerance);
            if winding.error < (winding.value.abs() - 0.5).abs() {
                break;
            }
        }
        0.5 <= winding.value.abs() + winding.error
    }

    /// The triangles with a corner at this place, in rising order; one with two corners there occurs twice.
    pub(super) fn triangles_around(&self, place: usize) -> &[usize] {
        &self.around[self.around_starts[place]..self.around_starts[place + 1]]
    }

    pub(super) fn locate(&self, point: Vec3<f64>) -> Located {
        if self.open.is_some() {
            if crossing::is_on_surface(&self.mesh, &self.tree, point) {
                return Located { is_inside: true, source: SignSource::Surface };
            }
            return Located { is_inside: self.winds_about(point), source: SignSource::Winding };
        }
        match crossing::locate(&self.mesh, &self.tree, point) {
            Place::Surface => Located { is_inside: true, source: SignSource::Surface },
            Place::Winding(turns) => Located { is_inside: turns != 0, source: SignSource::Crossings },
        }
    }
}

impl<T: Real> fmt::Debug for MeshSolid<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshSolid")
            .field("vertices", &self.parts.mesh.points.len())
            .field("triangles", &self.triangle_count())
            .field("is_closed", &self.is_closed())
            .finish()
    }
}
