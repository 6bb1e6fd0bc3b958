//! Edges of the plane on each other.
//!
//! Every feature of the plane but a half-space is a segment, so clipping cuts a segment at the two ends of the
//! reference, with the same names as in [`clip`](crate::manifold::clip). Two points at most are left, and need
//! no choice. Frame: that of the pair.

use super::Edge;
use crate::answer::Separation;
use crate::manifold::FeaturePair;
use crate::manifold::gather::{Candidate, FACING, doubt};
use crate::manifold::reach::out_of_ball;
use crate::manifold::touch::Points;
use crate::manifold::watch::Watch;
use carom_math::{Vec2, Vector};

/// An end of what is left of the incident edge. The feature is that of (reference, incident).
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) point: Vec2<f64>,
    pub(super) feature: FeaturePair,
}

/// What is left of the incident edge: both ends, the first of them, or nothing.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) ends: [End; 2],
    pub(super) count: usize,
}

impl Part {
    /// The whole of an edge.
    #[inline(always)]
    pub(super) fn new(points: [Vec2<f64>; 2], reference: u32, vertices: [u32; 2]) -> Self {
        let end = |index: usize| End {
            point: points[index],
            feature: FeaturePair { a: reference, b: vertices[index] },
        };
        Part { ends: [end(0), end(1)], count: 2 }
    }

    /// Cuts off what is beyond a corner of the reference, which is called `corner`: by as much as `beyond` says.
    #[inline(always)]
    pub(super) fn cut(&mut self, beyond: impl Fn(Vec2<f64>) -> f64, corner: u32, edge: u32) {
        let [from, to] = self.ends;
        let (d_from, d_to) = (beyond(from.point), beyond(to.point));
        if self.count < 2 {
            self.count = if 0.0 < d_from { 0 } else { self.count };
            return;
        }
        let crossing = |inside: End, outside: End, d_in: f64, d_out: f64| End {
            point: inside.point + (outside.point - inside.point) * (d_in / (d_in - d_out)),
            feature: FeaturePair { a: corner, b: edge },
        };
        match (0.0 < d_from, 0.0 < d_to) {
            (false, false) => {}
            (true, true) => self.count = 0,
            (false, true) if d_from < 0.0 => self.ends[1] = crossing(from, to, d_from, d_to),
            (true, false) if d_to < 0.0 => self.ends[0] = crossing(to, from, d_to, d_from),
            // Only the corner on the side is left.
            (false, true) => self.count = 1,
            (true, false) => (self.ends[0], self.count) = (to, 1),
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = Vec2<f64>> {
        self.ends.into_iter().take(self.count).map(|end| end.point)
    }
}

/// From a point of an edge along a unit direction to its surface, as [`reach`](crate::manifold::reach) says, given the cosine
/// between the direction, or its opposite, and the normal of the edge: neither root nor division before the side or the end
/// is known.
#[inline(always)]
fn reach(edge: &Edge<2>, cosine: f64, point: Vec2<f64>, direction: Vec2<f64>) -> f64 {
    let (r, [from, to]) = (edge.radius, edge.corners()) else { return edge.radius };
    let along = direction.dot(to.point - from.point);
    if r == 0.0 || along == 0.0 {
        return r;
    }
    let from_tip = point - if along < 0.0 { from.point } else { to.point };
    let squared = (to.point - from.point).length_squared();
    // r·sin θ < |from_tip|·cos θ, squared, with sin θ = along/length.
    if r * r * (along * along) < from_tip.dot(from_tip) * (cosine * cosine) * squared {
        return r / cosine.abs();
    }
    out_of_ball(from_tip, direction, r)
}

/// Where two edges meet, given the contact; `None` where the general way is needed. A watcher is told only of what succeeds.
#[inline(always)]
pub(super) fn edge_on_edge<W: Watch<Vec2<f64>>>(
    a: &Edge<2>,
    b: &Edge<2>,
    found: &Separation<Vec2<f64>>,
    (error, margin): (f64, f64),
    watcher: &mut W,
) -> Option<Points<Vec2<f64>>> {
    let normal = found.normal;
    let (facing_a, facing_b) = (a.alignment(normal), b.alignment(-normal));
    let is_of_a = FACING <= facing_a && facing_b <= facing_a;
    if !is_of_a && facing_b < FACING {
        // A corner or an end touches: there is the point of the contact.
        let feature = FeaturePair { a: a.tip(normal), b: b.tip(-normal) };
        let point = found.point_a * 0.5 + found.point_b * 0.5;
        watcher.gathered([point].into_iter());
        return Some(Points::single(normal, Candidate { point, depth: 0.0 - found.separation, feature }));
    }
    let (reference, incident, along, steepness) =
        if is_of_a { (a, b, normal, facing_a) } else { (b, a, -normal, facing_b) };
    let ([from, to], [start, end], Some(outward), Some(incident_normal)) =
        (reference.corners(), incident.corners(), reference.normal, incident.normal)
    else {
        return None;
    };
    let tangent = along.perpendicular();
    let forward = if tangent.dot(to.point - from.point) < 0.0 { -tangent } else { tangent };
    let mut part = Part::new([start.point, end.point], reference.name, [start.vertex, end.vertex]);
    part.cut(|point| (-forward).dot(point - from.point), from.vertex, start.edge);
    let halfway = part;
    part.cut(|point| forward.dot(point - to.point), to.vertex, start.edge);

    let deepest = 0.0 - found.separation;
    let doubt = doubt(found, error);
    let mut points = Points::none(normal);
    let mut is_reached = false;
    for end in part.ends.into_iter().take(part.count) {
        let q = end.point;
        let height = outward.dot(q - from.point) / steepness;
        let above = reach(reference, steepness, q - along * height, along);
        let below = reach(incident, along.dot(incident_normal), q, -along);
        let mut depth = (above + below) - height;
        if deepest - doubt <= depth {
            depth = deepest;
            is_reached = true;
        }
        if -margin <= depth {
            let feature = if is_of_a { end.feature } else { end.feature.swapped() };
            points.push(Candidate { point: q - along * ((height - above + below) * 0.5), depth, feature });
        }
    }
    if !is_reached {
        return None;
    }
    if W::LISTENS {
        let ends = |edge: &Edge<2>| {
            let [one, two] = edge.corners() else { return [Vec2::ZERO; 2] };
            [one.point, two.point]
        };
        watcher.faces(ends(reference).into_iter(), ends(incident).into_iter());
        watcher.clipped(from.point, halfway.points());
        watcher.clipped(to.point, part.points());
        watcher.gathered(points.all().iter().map(|candidate| candidate.point));
    }
    points.deepest_first();
    Some(points)
}
