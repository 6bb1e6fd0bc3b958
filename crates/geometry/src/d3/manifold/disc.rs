//! A disc, the cap of a cylinder or the base of a cone, on a face, an edge or another disc.
//!
//! Seen along the normal of the contact, what the two share is bounded by parts of the other's edges and by
//! arcs of the rim. Its extreme points are
//! 1. corners of the other inside of the disc;
//! 2. places where an edge of the other crosses the rim: |w + t·d|² = R² for the edge w + t·d in the plane
//!    of the disc;
//! 3. points of the rim: the four of the feature, the lowest of which touches first when the disc leans, and
//!    beyond each side the point farthest from it, as far as they lie inside of the other.
//!
//! Every one is a point of both planes, so nothing is approximated but the arcs between the points: with 2
//! and 3, what an edge cuts off a disc keeps three quarters of its area or more.
//!
//! Two discs have the points where their rims cross, if their planes are parallel up to rounding, and the
//! points nearest to the other's centre.

use super::feature::Face;
use crate::manifold::FeaturePair;
use crate::manifold::clip::Side;
use crate::manifold::gather::{Candidate, Candidates, Facing};
use crate::manifold::reach::reach;
use carom_math::{Number, Vec3, Vector};

/// A face that leans more than 60° out of the plane across the normal of the contact has no points there:
/// it is seen edgewise.
const EDGEWISE: f64 = 0.5;

/// The plane of a feature, and the normal of the contact that points are moved along.
struct Sheet {
    at: Vec3<f64>,
    normal: Vec3<f64>,
    along: Vec3<f64>,
    steepness: f64,
}

impl Sheet {
    fn new(at: Vec3<f64>, normal: Option<Vec3<f64>>, along: Vec3<f64>) -> Option<Self> {
        let normal = normal?;
        let steepness = normal.dot(along);
        (EDGEWISE <= steepness.abs()).then_some(Sheet { at, normal, along, steepness })
    }
    /// The point of the plane that covers `p`, as seen along the normal of the contact.
    fn under(&self, p: Vec3<f64>) -> Vec3<f64> {
        p - self.along * (self.normal.dot(p - self.at) / self.steepness)
    }
}

/// A disc as seen along the normal of the contact.
struct Disc {
    sheet: Sheet,
    center: Vec3<f64>,
    /// Squared radius.
    squared: f64,
    radius: f64,
}

impl Disc {
    fn new<const N: usize>(feature: &Face<N>, along: Vec3<f64>) -> Option<Self> {
        let center = feature.center();
        let spoke = feature.corners().first()?.point - center;
        let sheet = Sheet::new(center, feature.normal, along)?;
        Some(Disc { sheet, center, squared: spoke.dot(spoke), radius: Vector::length(spoke) })
    }
    fn covers(&self, p: Vec3<f64>) -> bool {
        (self.sheet.under(p) - self.center).length_squared() <= self.squared
    }
    /// The point of the rim farthest along a direction.
    fn rim_towards(&self, direction: Vec3<f64>) -> Option<Vec3<f64>> {
        let flat = direction - self.sheet.normal * self.sheet.normal.dot(direction);
        Some(self.center + flat.normalized()? * self.radius)
    }
}

/// See [`Facing::on_disc`].
pub(super) fn on_disc<const N: usize, const M: usize>(
    feature: &Face<N>,
    other: &Face<N>,
    along: Vec3<f64>,
    error: f64,
    candidates: &mut Candidates<Vec3<f64>, M>,
) {
    let Some(disc) = Disc::new(feature, along) else { return };
    let mut push = |p: Vec3<f64>, q: Vec3<f64>, [of_disc, of_other]: [u32; 2]| {
        let height = along.dot(q - p);
        let (above, below) = (reach(feature, p, along), reach(other, q, -along));
        candidates.push(Candidate {
            point: q - along * ((height - above + below) * 0.5),
            depth: (above + below) - height,
            feature: FeaturePair { a: of_disc, b: of_other },
        });
    };
    for corner in other.corners() {
        if disc.covers(corner.point) {
            push(disc.sheet.under(corner.point), corner.point, [feature.name, corner.vertex]);
        }
    }
    if other.round {
        if let Some(other_disc) = Disc::new(other, along) {
            two_discs((feature, &disc), (other, &other_disc), error, push);
        }
        return;
    }
    crossings(feature, &disc, other, &mut push);
    let at = other.corners().first().map_or(Vec3::ZERO, |corner| corner.point);
    let Some(sheet) = Sheet::new(at, other.normal, along) else { return };
    let none = Side { outward: Vec3::ZERO, at, name: 0, start: 0 };
    let (mut sides, mut count) = ([none; N], 0);
    Vec3::sides(other, -along, |side| {
        if let Some(place) = sides.get_mut(count) {
            *place = side;
            count += 1;
        }
    });
    let sides = &sides[..count.min(N)];
    let is_inside = |p: Vec3<f64>| sides.iter().all(|side| side.outward.dot(p - side.at) <= 0.0);
    for corner in feature.corners() {
        if is_inside(corner.point) {
            push(corner.point, sheet.under(corner.point), [corner.vertex, other.name]);
        }
    }
    let arc = feature.corners().last().map_or(feature.name, |corner| corner.edge);
    for side in sides {
        // Only where the side cuts the disc is its farthest point more than what the rim has already.
        let depth = side.outward.dot(disc.center - side.at);
        let is_cut = depth * depth < disc.squared * side.outward.length_squared();
        if let (true, Some(p)) = (is_cut, disc.rim_towards(-side.outward))
            && is_inside(p)
        {
            push(p, sheet.under(p), [arc, side.name]);
        }
    }
}

/// Where edges of the other cross the rim.
fn crossings<const N: usize>(
    feature: &Face<N>,
    disc: &Disc,
    other: &Face<N>,
    push: &mut impl FnMut(Vec3<f64>, Vec3<f64>, [u32; 2]),
) {
    let corners = other.corners();
    let ([entry, exit, ..], true) = (feature.corners(), 2 <= corners.len()) else { return };
    let edges = if corners.len() == 2 { 1 } else { corners.len() };
    for (index, from) in corners.iter().enumerate().take(edges) {
        let Some(to) = corners.get((index + 1) % corners.len()) else { continue };
        let start = disc.sheet.under(from.point);
        let (w, d) = (start - disc.center, disc.sheet.under(to.point) - start);
        let (a, b) = (d.dot(d), w.dot(d));
        let square = b * b - a * (w.dot(w) - disc.squared);
        if square <= 0.0 || a == 0.0 {
            continue;
        }
        let root = square.sqrt();
        for (t, arc) in [((-b - root) / a, entry.edge), ((root - b) / a, exit.edge)] {
            if 0.0 < t && t < 1.0 {
                let q = from.point + (to.point - from.point) * t;
                push(disc.sheet.under(q), q, [arc, from.edge]);
            }
        }
    }
}

/// What two discs have beside the four points of each rim that lie inside of the other.
fn two_discs<const N: usize>(
    (a, disc_a): (&Face<N>, &Disc),
    (b, disc_b): (&Face<N>, &Disc),
    error: f64,
    mut push: impl FnMut(Vec3<f64>, Vec3<f64>, [u32; 2]),
) {
    let ([a0, a1, ..], [b0, b1, ..]) = (a.corners(), b.corners()) else { return };
    for corner in a.corners() {
        if disc_b.covers(corner.point) {
            push(corner.point, disc_b.sheet.under(corner.point), [corner.vertex, b.name]);
        }
    }
    let between = disc_a.sheet.under(disc_b.center) - disc_a.center;
    let distance_squared = between.length_squared();
    let apart = distance_squared.sqrt();
    // One inside of the other has no points of its own here.
    if apart <= (disc_a.radius - disc_b.radius).abs() {
        return;
    }
    if let Some(p) = disc_a.rim_towards(between)
        && disc_b.covers(p)
    {
        push(p, disc_b.sheet.under(p), [a0.edge, b.name]);
    }
    if let Some(q) = disc_b.rim_towards(-between)
        && disc_a.covers(q)
    {
        push(disc_a.sheet.under(q), q, [a.name, b0.edge]);
    }
    // On the line between the centres the chord through the crossings is at x, half as long as 2y.
    let x = (distance_squared + disc_a.squared - disc_b.squared) / (2.0 * apart);
    let y = (disc_a.squared - x * x).max_of(0.0).sqrt();
    let ahead = between / apart;
    let aside = disc_a.sheet.normal.cross(ahead);
    for (side, names) in [(y, [a0.edge, b0.edge]), (-y, [a1.edge, b1.edge])] {
        let p = disc_a.center + ahead * x + aside * side;
        let q = disc_b.sheet.under(p);
        let beyond = Vector::length(q - disc_b.center) - disc_b.radius;
        if beyond.abs() <= error {
            push(p, q, names);
        }
    }
}
