//! A composite shape and a ray: the first part that is hit.
//!
//! The ray is carried into the frame of the shape once, so that all triangles of a mesh see the same ray: their
//! edge functions have exact signs, and boxes are passed over only when the ray surely misses them. A ray that
//! meets a closed mesh meets one of its triangles, through edges and corners too.

use super::{Kernels, Parts};
use crate::bound::Aabb;
use crate::cast::span::Passage;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// Where a ray in the frame of the shape first hits it, and which part: the lowest of those hit at once.
/// `solid`: what starts inside hits at once, with the zero vector for a normal. Hits beyond `most` need not be found.
pub(crate) fn first_hit<K: Kernels>(
    shape: &K::Shape,
    origin: K::Vector,
    direction: K::Vector,
    solid: bool,
    most: f64,
) -> Option<(Passage<K::Vector>, u32)> {
    let Some(parts) = K::parts(shape) else {
        return K::first_hit(shape, origin, direction, solid).map(|passage| (passage, 0));
    };
    if solid && parts.is_solid() && parts.contains(origin) {
        // On the surface the hit has its normal.
        let at_start =
            first_part(parts, origin, direction, solid, most).filter(|(passage, _)| passage.t == 0.0);
        return at_start.or(Some((Passage::new(0.0, K::Vector::ZERO), 0)));
    }
    first_part(parts, origin, direction, solid, most)
}

fn first_part<K: Kernels>(
    parts: &dyn Parts<K>,
    origin: K::Vector,
    direction: K::Vector,
    solid: bool,
    most: f64,
) -> Option<(Passage<K::Vector>, u32)> {
    let (tree, factor) = (parts.tree(), parts.factor());
    let all = tree.bounds();
    let size = all.max.max_abs().max_of(all.min.max_abs()) * factor;
    // Turning into the frame of a part of a compound rounds; triangles are tested where they are.
    let slack = K::Vector::splat(16.0 * f64::EPSILON * (size + origin.max_abs()));
    // The tree does not know the scale, which is a power of two.
    let back = 1.0 / factor;
    let start = Aabb { min: (origin - slack) * back, max: (origin + slack) * back };
    let mut best: Option<(Passage<K::Vector>, u32)> = None;
    let meet = |index: u32, best: &mut Option<(Passage<K::Vector>, u32)>| {
        let part = parts.part(index);
        let place = part.local.map(K::place_of);
        let (local, along) = match &place {
            Some(place) => (place.rotation.undo(origin - place.translation), place.rotation.undo(direction)),
            None => (origin, direction),
        };
        let Some((passage, inner)) = first_hit::<K>(&part.shape, local, along, solid, most) else { return };
        let number = part.first + inner;
        let wins = best
            .is_none_or(|(first, lowest)| passage.t < first.t || (passage.t == first.t && number < lowest));
        if wins {
            // A solid has normals that point outwards, whichever side is hit.
            let outward = if parts.is_solid() { parts.facet(index).map(|facet| facet.normal) } else { None };
            let normal = outward.unwrap_or(passage.normal);
            let normal = place.map_or(normal, |place| place.rotation.apply(normal));
            *best = Some((Passage { normal, ..passage }, number));
        }
    };
    let _ = tree.view().cast_box(start, direction, factor, most, &mut |item, limit| {
        let _ = parts.visit(item as u32, &mut |index| {
            meet(index, &mut best);
            ControlFlow::Continue(())
        });
        best.map(|(passage, _)| passage.t).filter(|t| *t < limit)
    });
    best
}
