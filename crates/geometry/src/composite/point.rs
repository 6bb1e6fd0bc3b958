//! A composite shape and a point: the nearest part.

use super::{Kernels, Part, Parts};
use crate::pair::nearest::Nearest;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// The nearest part and its point nearest to `p`, in the frame of the shape. Inside of parts, that which is
/// deepest counts; inside of a solid, the distance is negative and the normal points out. Of equally near
/// parts the lowest.
pub(crate) fn nearest<K: Kernels>(parts: &dyn Parts<K>, p: K::Vector) -> (Nearest<K::Vector>, u32) {
    let (found, index) = nearest_part(parts, p);
    let is_inside = parts.is_solid() && 0.0 < found.distance && parts.contains(p);
    let found = if is_inside {
        Nearest { distance: 0.0 - found.distance, normal: -found.normal, ..found }
    } else {
        found
    };
    (found, index)
}

/// The same without the inside of a solid.
pub(crate) fn nearest_part<K: Kernels>(parts: &dyn Parts<K>, p: K::Vector) -> (Nearest<K::Vector>, u32) {
    let (tree, factor) = (parts.tree(), parts.factor());
    let all = tree.bounds();
    let size = all.max.max_abs().max_of(all.min.max_abs()) * factor + p.max_abs();
    // What turning into the frame of a part and measuring there may err by.
    let slack = 64.0 * f64::EPSILON * size;
    let mut best: Option<(Nearest<K::Vector>, u32)> = None;
    tree.view().approach(p * (1.0 / factor), |item| {
        let _ = parts.visit(item, &mut |index| {
            let part = parts.part(index);
            // Along the way to the nearest point so far most others are farther, which one support point tells.
            if let (Some((found, _)), None) = (&best, part.local)
                && 0.0 < found.distance
                && found.distance + slack < found.normal.dot(p - K::farthest(&part.shape, found.normal))
                && K::plane(&part.shape).is_none()
            {
                return ControlFlow::Continue(());
            }
            let found = nearest_of_part(&part, p);
            let wins = best.is_none_or(|(least, lowest)| {
                found.distance < least.distance || (found.distance == least.distance && index < lowest)
            });
            if wins {
                best = Some((found, index));
            }
            ControlFlow::Continue(())
        });
        best.map_or(f64::INFINITY, |(found, _)| (found.distance.max_of(0.0) + slack) / factor)
    });
    // There is at least one part, and the first one looked at is within every limit.
    best.unwrap_or((Nearest { point: p, distance: f64::INFINITY, normal: K::Vector::unit(0) }, 0))
}

fn nearest_of_part<K: Kernels>(part: &Part<'_, K>, p: K::Vector) -> Nearest<K::Vector> {
    let Some(local) = part.local else { return K::nearest(&part.shape, p) };
    let place = K::place_of(local);
    let found = K::nearest(&part.shape, place.rotation.undo(p - place.translation));
    Nearest {
        point: place.point(found.point),
        normal: place.rotation.apply(found.normal),
        distance: found.distance,
    }
}

/// Visits every part, item by item.
pub(crate) fn each_part<K: Kernels>(parts: &dyn Parts<K>, mut visit: impl FnMut(&Part<'_, K>)) {
    for item in 0..parts.tree().len() {
        let _ = parts.visit(item, &mut |index| {
            visit(&parts.part(index));
            ControlFlow::Continue(())
        });
    }
}
