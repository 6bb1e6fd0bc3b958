//! What a shape offers to a direction: its face, edge or corner that reaches farthest that way.
//!
//! A polytope offers the face (an edge in the plane) whose normal is most parallel to the direction,
//! whole, even if the direction leans away from it; a capsule its segment and radius; a half-space its
//! plane; a cylinder its cap, which is a disc, or a line on its side. The smaller features, edges and
//! corners, are found in the corners of that face. A rounded shape offers what its core does, and a radius.

use crate::pair::place::Relative;
use carom_math::Vector;

/// Edges are side by side when the sine between them, and that between each and the plane of the
/// contact, is at most this.
pub(crate) const SIDE_BY_SIDE: f64 = 0.1;

/// Whether the sine between two vectors is at most [`SIDE_BY_SIDE`].
#[inline(always)]
pub(crate) fn is_parallel<V: Vector<Scalar = f64>>(u: V, v: V) -> bool {
    let limit = SIDE_BY_SIDE * SIDE_BY_SIDE;
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    (1.0 - limit) * (uu * vv) <= uv * uv
}

/// Kinds of features, as [`FeaturePair`](super::FeaturePair) numbers them.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Vertex = 1,
    Edge = 2,
    Face = 3,
}

/// The number of a feature.
#[inline]
pub(crate) const fn number(kind: Kind, index: usize) -> u32 {
    (index as u32) << 2 | kind as u32
}

/// A kind of shape whose features can be asked for where the kind is known.
pub(crate) trait Offers<V, M> {
    /// The most corners that a feature of the shape can have.
    fn corners_at_most(&self) -> usize;
    /// The feature that faces a unit direction, in the frame of the pair.
    fn feature<const N: usize>(&self, place: &Relative<V, M>, direction: V) -> Feature<V, N>;
}

/// A corner of a feature, and what it and the edge to the next corner are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner<V> {
    pub(crate) point: V,
    pub(crate) vertex: u32,
    pub(crate) edge: u32,
}

/// A face, an edge or a vertex with a radius, in the frame of the pair. At most `N` corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feature<V, const N: usize> {
    corners: [Corner<V>; N],
    count: usize,
    /// What the whole is called.
    pub(crate) name: u32,
    /// The outward unit normal of a face (of an edge, in the plane); `None` where there is none.
    pub(crate) normal: Option<V>,
    /// The surface is this far from the corners.
    pub(crate) radius: f64,
    /// A plane without sides; the corner is a point of it.
    pub(crate) endless: bool,
    /// A disc: the corners are four points of its rim, a quarter of a turn from each to the next.
    pub(crate) round: bool,
    /// From a line on the side of a cylinder to its axis; zero for every other feature.
    pub(crate) spine: V,
}

impl<V: Vector<Scalar = f64>, const N: usize> Feature<V, N> {
    /// A feature without corners.
    #[inline]
    pub(crate) fn new(name: u32, normal: Option<V>, radius: f64) -> Self {
        let corner = Corner { point: V::ZERO, vertex: 0, edge: 0 };
        Feature {
            corners: [corner; N],
            count: 0,
            name,
            normal,
            radius,
            endless: false,
            round: false,
            spine: V::ZERO,
        }
    }

    /// Appends a corner; in space, counter-clockwise as seen against the normal. One corner too many
    /// is left out: callers with more choose `N` of them.
    #[inline]
    pub(crate) fn push(&mut self, point: V, vertex: u32, edge: u32) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = Corner { point, vertex, edge };
            self.count += 1;
        }
    }

    /// A segment, or a point when both ends are equal. Names: vertices 0 and 1, edge 0.
    #[inline]
    pub(crate) fn segment(a: V, b: V, normal: Option<V>, radius: f64) -> Self {
        Self::edge([a, b], [0, 1], 0, normal, radius)
    }

    /// An edge between two corners with the given indices.
    #[inline]
    pub(crate) fn edge(
        [a, b]: [V; 2],
        vertices: [usize; 2],
        edge: usize,
        normal: Option<V>,
        radius: f64,
    ) -> Self {
        let name = number(Kind::Edge, edge);
        let mut feature = Feature::new(name, normal, radius);
        feature.push(a, number(Kind::Vertex, vertices[0]), name);
        if a != b {
            feature.push(b, number(Kind::Vertex, vertices[1]), name);
        }
        feature
    }

    /// An edge of a face, with its names.
    pub(crate) fn between([from, to]: [Corner<V>; 2], radius: f64) -> Self {
        let mut edge = Feature::new(from.edge, None, radius);
        edge.push(from.point, from.vertex, from.edge);
        edge.push(to.point, to.vertex, from.edge);
        edge
    }

    /// The axis of the cylinder whose side this is, with its radius; the edge itself if it is not one.
    pub(crate) fn to_spine(self) -> Self {
        if self.spine == V::ZERO {
            return self;
        }
        let mut axis = self;
        axis.radius += Vector::length(self.spine);
        for corner in axis.corners.iter_mut() {
            corner.point += self.spine;
        }
        axis
    }

    /// Nothing but the contact itself: a shape that is curved all around.
    pub(crate) fn nowhere_flat() -> Self {
        Feature::new(0, None, 0.0)
    }

    /// The plane of a half-space.
    pub(crate) fn plane(normal: V, offset: f64) -> Self {
        let mut feature = Feature::new(0, Some(normal), 0.0);
        feature.push(normal * offset, 0, 0);
        feature.endless = true;
        feature
    }

    #[inline]
    pub(crate) fn corners(&self) -> &[Corner<V>] {
        &self.corners[..self.count.min(N)]
    }

    /// The middle of a disc.
    pub(crate) fn center(&self) -> V {
        match self.corners() {
            [first, _, opposite, ..] => (first.point + opposite.point) * 0.5,
            _ => V::ZERO,
        }
    }

    /// The same for the core inflated by another radius.
    pub(crate) fn inflated(mut self, radius: f64) -> Self {
        self.radius += radius;
        self
    }

    /// The cosine between the normal of the face and a unit direction; −1 without a face.
    #[inline]
    pub(crate) fn alignment(&self, direction: V) -> f64 {
        self.normal.map_or(-1.0, |normal| normal.dot(direction))
    }

    /// The index of the corner that is highest along a direction, the first of equals.
    pub(crate) fn highest(&self, direction: V) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, corner) in self.corners().iter().enumerate() {
            let height = direction.dot(corner.point);
            if best.0 < height {
                best = (height, index);
            }
        }
        best.1
    }

    /// The ends of the edge at the highest corner along a direction that is the higher of the two there, in
    /// the order of the face.
    pub(crate) fn highest_ends(&self, direction: V) -> Option<[Corner<V>; 2]> {
        let corners = self.corners();
        let highest = self.highest(direction);
        let corner = *corners.get(highest)?;
        let next = *corners.get((highest + 1) % corners.len())?;
        let before = *corners.get((highest + corners.len() - 1) % corners.len())?;
        let is_before = direction.dot(next.point) < direction.dot(before.point);
        Some(if is_before { [before, corner] } else { [corner, next] })
    }

    /// What touches something that comes from a unit direction, when no face does: the edge at the
    /// highest corner if it is level up to [`SIDE_BY_SIDE`], otherwise the corner.
    #[inline]
    pub(crate) fn tip(&self, direction: V) -> u32 {
        let corners = self.corners();
        let highest = self.highest(direction);
        if self.round {
            return corners.first().map_or(self.name, |corner| corner.vertex);
        }
        let Some(corner) = corners.get(highest) else { return self.name };
        let after = if highest + 1 < corners.len() { highest + 1 } else { 0 };
        let before = if highest == 0 { corners.len() - 1 } else { highest - 1 };
        for (edge, other) in [(highest, after), (before, before)] {
            let (Some(edge), Some(other)) = (corners.get(edge), corners.get(other)) else { continue };
            let along = other.point - corner.point;
            let rise = direction.dot(along);
            let squared = along.length_squared();
            if 0.0 < squared && rise * rise <= SIDE_BY_SIDE * SIDE_BY_SIDE * squared {
                return edge.edge;
            }
        }
        corner.vertex
    }
}
