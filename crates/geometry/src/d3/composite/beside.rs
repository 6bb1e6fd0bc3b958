//! Triangles of a surface that a ball reaches into, but whose neighbours have the contact.
//!
//! A ball that dips into a fine mesh overlaps hundreds of triangles and has contacts with a few: those that its centre is
//! over, and those at ridges. All others are seen from beyond one of their edges, where the facet may not have the normal that leads to the
//! nearest point (see [`facet`](crate::composite::facet)), and nothing of the ball is over them. That much can be told
//! in plain numbers, at a fraction of what the kernel and the facet take; where rounding could matter, nothing is told.

use crate::composite::Reach;
use crate::composite::facet::{Fold, SLANT};
use carom_math::{Number, Vec3, power_of_two};
use core::cmp::Ordering;

type Point = Vec3<f64>;

/// Whether the nearest point of a triangle to the centre of a ball lies within its reach, on an edge across which a
/// neighbour has the contact, and the centre beyond that edge; all by more than rounding errors. `fold` gives those of
/// [`triangle_facet`](super::facets::triangle_facet).
pub(super) fn is_beside(
    corners: [Point; 3],
    fold: impl Fn(usize) -> Option<Fold<Point>>,
    is_solid: bool,
    reach: &Reach<Point>,
) -> bool {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let normal = edges[0].cross(-edges[2]);
    let (squares, height) = (edges.map(|edge| edge.dot(edge)), normal.dot(reach.center - a));
    let (area_squared, longest) = (normal.dot(normal), squares[0].max_of(squares[1]).max_of(squares[2]));
    // Neither a sliver, nor seen from within its plane.
    let is_plain = longest * longest * power_of_two(-20) < area_squared
        && area_squared * (reach.error * reach.error * 64.0) < height * height;
    if !is_plain {
        return false;
    }
    let seen = corners.map(|corner| reach.center - corner);
    let outward = edges.map(|edge| edge.cross(normal));
    let beyond: [f64; 3] = core::array::from_fn(|k| outward[k].dot(seen[k]));
    // The nearest point is on an edge that the centre is beyond.
    let mut nearest: Option<(usize, Point, f64)> = None;
    for k in 0..3 {
        if 0.0 < beyond[k] {
            let share = (edges[k].dot(seen[k]) / squares[k]).max_of(0.0).min_of(1.0);
            let away = seen[k] - edges[k] * share;
            let squared = away.dot(away);
            if nearest.is_none_or(|(_, _, least)| squared < least) {
                nearest = Some((k, away, squared));
            }
        }
    }
    let Some((k, away, squared)) = nearest else { return false };
    let is_within = reach.least_squared < squared && squared < reach.most_squared;
    // Both sides squared; lengths of `outward` are those of the edge times that of the normal.
    let length_squared = squares[k] * area_squared;
    let leaning = outward[k].dot(away);
    let is_clear = 16.0 * reach.near * reach.near * length_squared < beyond[k] * beyond[k]
        && 0.0 < leaning
        && 4.0 * SLANT * SLANT * length_squared * squared < leaning * leaning
        && reach.error < power_of_two(-24) * squared.sqrt();
    if !is_within || !is_clear {
        return false;
    }
    let ends = |k: usize| [corners[k], corners[(k + 1) % 3]];
    let fold_at = |k: usize| fold(k).filter(|fold| !ends(k).contains(&fold.opposite));
    // The vector in the neighbour that points out of it across the edge.
    let back = |k: usize, fold: &Fold<Point>| {
        let away = corners[k] - fold.opposite;
        away - edges[k] * (away.dot(edges[k]) / squares[k])
    };
    let Some(fold) = fold_at(k) else { return false };
    let is_behind = if is_solid {
        false
    } else {
        // As `Facet::is_before` has it: from the edge that the centre is farthest beyond.
        let ways: [f64; 3] =
            core::array::from_fn(|k| if 0.0 < beyond[k] { beyond[k] * beyond[k] / squares[k] } else { 0.0 });
        let farthest = (1..3).fold(0, |best, k| if ways[best] < ways[k] { k } else { best });
        let is_tied = (0..3).any(|k| k != farthest && ways[farthest] < ways[k] * (1.0 + power_of_two(-20)));
        let is_above = 0.0 < height;
        let is_before = match fold_at(farthest) {
            _ if is_tied => return false,
            None => is_above,
            Some(fold) => {
                let back = back(farthest, &fold);
                let (x, y) = (-back.dot(outward[farthest]), -back.dot(normal));
                let terms = [x * height, y * beyond[farthest]];
                let is_vague =
                    (terms[0] - terms[1]).abs() <= power_of_two(-20) * (terms[0].abs() + terms[1].abs());
                let is_above_other = terms[1] < terms[0];
                match fold.height {
                    Ordering::Equal => is_above,
                    _ if is_vague => return false,
                    Ordering::Less => is_above || is_above_other,
                    Ordering::Greater => is_above && is_above_other,
                }
            }
        };
        !is_before
    };
    let folds_away = if is_behind { Ordering::Greater } else { Ordering::Less };
    if fold.height != folds_away {
        return true;
    }
    let back = back(k, &fold);
    let leaning = back.dot(away);
    leaning < 0.0 && 4.0 * SLANT * SLANT * back.dot(back) * squared < leaning * leaning
}
