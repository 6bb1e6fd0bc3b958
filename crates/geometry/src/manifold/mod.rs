//! Contact manifolds: where two shapes touch, as the few points that a solver pushes on.
//!
//! The normal n and the depth are those of the pair kernel. Every shape contributes the feature that
//! faces the other one along n ([`feature`]): a face in space, an edge in the plane, a segment for a
//! capsule. The face more parallel to n is the *reference*; the other feature, the *incident* one, is
//! clipped against the planes that contain the sides of the reference face and the direction n
//! ([`clip`], Sutherland and Hodgman 1974). A point q that is left has the partner q − s·n in the
//! reference face, so s is a gap between two points of the surfaces and can never be less than the
//! separation along n, which is that of the shapes: no point is deeper than the contact. The contact
//! point is put half way between the partners, which is the same place whichever face is the reference.
//!
//! Where no face is nearly perpendicular to n there is one point, that of the contact; parallel edges
//! (capsules side by side) keep the two ends of what they share. Discs, the caps of cylinders and the bases
//! of cones, are not clipped as polygons: where their rims cross the edges of the other face is computed.
//!
//! | feature | offered by |
//! |---|---|
//! | face: an edge in the plane | cuboid, triangle, polygon, hull; in the plane also segment and capsule |
//! | disc | cap of a cylinder, base of a cone |
//! | edge | side of a cylinder or cone; in space segment, capsule, flat cuboids and straight hulls |
//! | nothing: one point | ball, ellipsoid |
//!
//! Rounded shapes offer what their core does, with a radius.
//!
//! Frame: that of the first shape in the canonical order of the pair, so that exchanging the shapes
//! changes no bit. All thresholds are angles, or multiples of the rounding error of the pair.
//!
//! * [`feature`]: what a shape offers to a direction;
//! * [`clip`]: clipping, and what the points are called;
//! * [`reach`]: from the core of a rounded feature to its surface;
//! * [`gather`]: from features to points, the same in both dimensions;
//! * [`touch`]: what two shapes of known kinds share;
//! * [`watch`]: the steps, for who wants to see them;
//! * [`query`]: the public questions.

pub(crate) mod clip;
pub(crate) mod feature;
pub(crate) mod gather;
pub(crate) mod query;
pub(crate) mod reach;
pub(crate) mod touch;
pub(crate) mod watch;

use carom_math::{Real, Vector};

/// The most points that a manifold has; 2 in the plane.
pub(crate) const MOST: usize = 4;

/// Which features of the two shapes made a contact point.
///
/// A number is 4·index + kind with kind 0 for a whole curved shape or an unbounded one, 1 for a
/// vertex, 2 for an edge and 3 for a face. It stays the same while the same features touch, whichever
/// of the two shapes the computation starts from, so impulses can be carried from step to step.
///
/// # Example
/// ```
/// use carom_geometry::FeaturePair;
/// let pair = FeaturePair { a: 7, b: 1 };
/// assert_eq!(pair.swapped(), FeaturePair { a: 1, b: 7 });
/// assert_eq!(pair.key(), (7 << 32) + 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeaturePair {
    /// The feature of the first shape.
    pub a: u32,
    /// The feature of the second shape.
    pub b: u32,
}

impl FeaturePair {
    /// The same features with the shapes exchanged.
    #[must_use]
    #[inline(always)]
    pub fn swapped(self) -> Self {
        FeaturePair { a: self.b, b: self.a }
    }
    /// Both numbers in one, to compare or to look up.
    #[must_use]
    pub fn key(self) -> u64 {
        u64::from(self.a) << 32 | u64::from(self.b)
    }
}

/// One point of a [`Manifold`].
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, manifold};
/// let unit = Ball::new(1.0)?;
/// let found = manifold(&unit, [0.0, 0.0], &unit, [1.5, 0.0])?.expect("they overlap");
/// let point = found.points()[0];
/// assert_eq!((point.point.x, point.depth), (0.75, 0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ManifoldPoint<V: Vector> {
    /// Half way between the two surfaces, in the world.
    pub point: V,
    /// Positive for penetration along the normal, negative for a gap within the margin.
    pub depth: V::Scalar,
    /// What touches what.
    pub feature: FeaturePair,
}

/// How two shapes touch: one normal, and one to four points (one or two in the plane).
///
/// The deepest point is as deep as [`contact`](crate::d3::contact) says, and none is deeper. Points
/// with a gap wider than the margin are left out.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Cuboid, manifold};
/// let cube = Cuboid::new([1.0, 1.0, 1.0])?;
/// let found = manifold(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 1.75, 0.0])?.expect("they overlap");
/// assert_eq!((found.normal().y, found.points().len()), (1.0, 4));
/// assert!(found.points().iter().all(|point| point.depth == 0.25 && point.point.y == 0.875));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Manifold<V: Vector> {
    normal: V,
    points: [ManifoldPoint<V>; MOST],
    count: usize,
    parts: [u32; 2],
}

impl<V: Vector> Manifold<V> {
    /// From the first `count` points.
    #[inline(always)]
    pub(crate) fn new(normal: V, points: [ManifoldPoint<V>; MOST], count: usize) -> Self {
        Manifold { normal, points, count: count.min(MOST), parts: [0; 2] }
    }
    /// With one point.
    #[inline(always)]
    pub(crate) fn single(normal: V, point: ManifoldPoint<V>) -> Self {
        let none = ManifoldPoint::default();
        Manifold { normal, points: [point, none, none, none], count: 1, parts: [0; 2] }
    }
    /// The unit vector from the first shape to the second, in the world.
    #[must_use]
    pub fn normal(&self) -> V {
        self.normal
    }
    /// The points: at least one, in an order that depends on the input only.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint<V>] {
        &self.points[..self.count.min(MOST)]
    }
    /// Which part of the first and of the second shape touch: triangles of a mesh, edges of a polyline, shapes of
    /// a compound. The features of the points are those of the parts. 0 for a shape without parts.
    #[must_use]
    pub fn parts(&self) -> [u32; 2] {
        self.parts
    }
    pub(crate) fn with_parts(self, parts: [u32; 2]) -> Self {
        Manifold { parts, ..self }
    }
    /// Goes over to another frame, whose points and normals these functions give.
    #[inline]
    pub(crate) fn place(&mut self, point: impl Fn(V) -> V, normal: impl Fn(V) -> V) {
        self.normal = normal(self.normal);
        for place in self.points.iter_mut().take(self.count) {
            place.point = point(place.point);
        }
    }
    /// Keeps the points that pass; `false` when there are none.
    #[inline]
    pub(crate) fn retain(&mut self, passes: impl Fn(V) -> bool) -> bool {
        let mut kept = 0;
        for index in 0..self.count.min(MOST) {
            if passes(self.points[index].point) {
                self.points[kept] = self.points[index];
                kept += 1;
            }
        }
        self.count = kept;
        0 < kept
    }
    /// The depth of the deepest point, which is the depth of the contact.
    #[must_use]
    pub fn depth(&self) -> V::Scalar {
        let deeper = |deepest: V::Scalar, point: &ManifoldPoint<V>| {
            if deepest < point.depth { point.depth } else { deepest }
        };
        self.points().iter().fold(-V::Scalar::INFINITY, deeper)
    }
}

/// The same normal, the same points and the same parts.
impl<V: Vector> PartialEq for Manifold<V> {
    fn eq(&self, other: &Self) -> bool {
        self.normal == other.normal && self.points() == other.points() && self.parts == other.parts
    }
}
