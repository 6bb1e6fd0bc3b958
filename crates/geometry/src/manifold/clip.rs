//! Clipping a polygon or a segment against the sides of another, by Sutherland and Hodgman (1974).
//!
//! Inside is d <= 0; a new corner arises only between strictly opposite signs and is blended from the
//! corner inside, so corners that lie on a side stay what they are, to the bit. Every edge remembers
//! whether it is one of the incident polygon or lies along a side of the reference, which names the
//! new corners: incident edge × side, or a corner of the reference inside of the incident face.

use super::FeaturePair;
use super::feature::Corner;
use super::watch::Watch;
use carom_math::Vector;

/// A plane through a side of the reference, parallel to the contact normal. Inside is
/// outward·(p − at) <= 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<V> {
    pub(crate) outward: V,
    pub(crate) at: V,
    /// What the reference calls the side: an edge, or in the plane a vertex.
    pub(crate) name: u32,
    /// What it calls the corner where the side begins; the next side begins where this one ends.
    pub(crate) start: u32,
}

/// What an edge of the clipped polygon comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Origin {
    /// An edge of the incident polygon, by name.
    Incident(u32),
    /// A side of the reference, by index.
    Side(u32),
}

/// A corner of the clipped polygon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clipped<V> {
    /// A point of the incident core.
    pub(crate) point: V,
    /// (reference, incident)
    pub(crate) feature: FeaturePair,
    /// The edge to the next corner.
    edge: Origin,
}

/// A polygon of at most `N` corners; a segment when it is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polygon<V, const N: usize> {
    corners: [Clipped<V>; N],
    count: usize,
    closed: bool,
}

impl<V: Vector<Scalar = f64>, const N: usize> Polygon<V, N> {
    /// The incident feature before any clipping. `inside` is what the reference calls its inside.
    pub(crate) fn new(corners: &[Corner<V>], inside: u32) -> Self {
        let mut polygon = Self::empty(2 < corners.len());
        for corner in corners {
            let feature = FeaturePair { a: inside, b: corner.vertex };
            polygon.push(Clipped { point: corner.point, feature, edge: Origin::Incident(corner.edge) });
        }
        polygon
    }

    /// Room for a polygon.
    pub(crate) fn empty(closed: bool) -> Self {
        let corner =
            Clipped { point: V::ZERO, feature: FeaturePair { a: 0, b: 0 }, edge: Origin::Incident(0) };
        Polygon { corners: [corner; N], count: 0, closed }
    }

    fn push(&mut self, corner: Clipped<V>) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    pub(crate) fn corners(&self) -> &[Clipped<V>] {
        &self.corners[..self.count.min(N)]
    }

    /// What lies inside of all sides. `face` is what the incident shape calls its face, `rest` is room to
    /// work in. A convex polygon gains at most one corner a side.
    #[inline]
    pub(crate) fn clipped<'a>(
        &'a mut self,
        rest: &'a mut Self,
        sides: &[Side<V>],
        face: u32,
        watcher: &mut impl Watch<V>,
    ) -> &'a Self {
        rest.closed = self.closed;
        let (mut polygon, mut rest) = (self, rest);
        let mut heights = [0.0; N];
        for (index, side) in sides.iter().enumerate() {
            let mut is_cut = false;
            for (height, corner) in heights.iter_mut().zip(polygon.corners()) {
                *height = side.outward.dot(corner.point - side.at);
                is_cut |= 0.0 < *height;
            }
            if is_cut {
                polygon.clip_once(&heights, sides, index, face, rest);
                core::mem::swap(&mut polygon, &mut rest);
            }
            watcher.clipped(side.at, polygon.corners().iter().map(|corner| corner.point));
        }
        polygon
    }

    /// Leaves what lies inside of one side, above which the corners have the given heights, in `rest`.
    fn clip_once(&self, heights: &[f64; N], sides: &[Side<V>], index: usize, face: u32, rest: &mut Self) {
        rest.count = 0;
        let Some(side) = sides.get(index) else { return };
        let corners = self.corners();
        for (i, (corner, &here)) in corners.iter().zip(heights).enumerate() {
            if here <= 0.0 {
                rest.push(*corner);
            }
            let after = if i + 1 < corners.len() { i + 1 } else { 0 };
            if after == 0 && !self.closed {
                break;
            }
            let (Some(next), Some(&there)) = (corners.get(after), heights.get(after)) else { break };
            // A corner on the side keeps its name, but the edge behind it runs along the side now.
            if here == 0.0
                && 0.0 < there
                && let Some(last) = rest.corners.get_mut(rest.count.saturating_sub(1))
            {
                last.edge = Origin::Side(index as u32);
            }
            let (leaves, enters) = (here < 0.0 && 0.0 < there, 0.0 < here && there < 0.0);
            if leaves || enters {
                let (inside, outside, d_in, d_out) =
                    if leaves { (corner, next, here, there) } else { (next, corner, there, here) };
                let point = inside.point + (outside.point - inside.point) * (d_in / (d_in - d_out));
                let feature = match corner.edge {
                    Origin::Incident(edge) => FeaturePair { a: side.name, b: edge },
                    Origin::Side(other) => match meeting_corner(sides, index, other as usize) {
                        Some(vertex) => FeaturePair { a: vertex, b: face },
                        None => FeaturePair { a: side.name, b: face },
                    },
                };
                rest.push(Clipped {
                    point,
                    feature,
                    edge: if leaves { Origin::Side(index as u32) } else { corner.edge },
                });
            }
        }
    }
}

/// The corner of the reference where two of its sides meet.
fn meeting_corner<V>(sides: &[Side<V>], one: usize, other: usize) -> Option<u32> {
    let count = sides.len();
    let later = if (other + 1) % count == one {
        one
    } else if (one + 1) % count == other {
        other
    } else {
        return None;
    };
    sides.get(later).map(|side| side.start)
}
