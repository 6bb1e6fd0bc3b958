//! A composite shape and a ray: the first part that is hit.
//!
//! The ray is carried into the frame of the shape once, so that all triangles of a mesh see the same ray: their
//! edge functions have exact signs, and boxes are passed over only when the ray surely misses them. A ray that
//! meets a closed mesh meets one of its triangles, through edges and corners too.

use super::{Kernels, Parts};
use crate::cast::span::Passage;
use crate::pair::place::Turn;
use carom_math::Vector;
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
            parts.first_hit([origin, direction], solid, most).filter(|(passage, _)| passage.t == 0.0);
        return at_start.or(Some((Passage::new(0.0, K::Vector::ZERO), 0)));
    }
    parts.first_hit([origin, direction], solid, most)
}

/// The same for the parts of one kind of shape, with a copy of the walk for each kind: a part of a mesh is met in a few
/// nanoseconds, and calls by way of tables would take longer than that.
pub(crate) fn first_part<K: Kernels, P: Parts<K> + ?Sized>(
    parts: &P,
    line: [K::Vector; 2],
    solid: bool,
    most: f64,
) -> Option<(Passage<K::Vector>, u32)> {
    let [origin, direction] = line;
    let (tree, factor) = (parts.tree(), parts.factor());
    // The tree does not know the scale, which is a power of two.
    let back = 1.0 / factor;
    let start = origin * back;
    // Turning into the frame of a part of a compound rounds; triangles are tested where they are.
    let slack = 16.0 * f64::EPSILON * (tree.size() + start.max_abs());
    let mut best: Option<(Passage<K::Vector>, u32)> = None;
    let meet = |index: u32, best: &mut Option<(Passage<K::Vector>, u32)>| {
        let Some((passage, number)) = parts.part_hit(index, line, solid, most) else { return };
        let wins = best
            .is_none_or(|(first, lowest)| passage.t < first.t || (passage.t == first.t && number < lowest));
        if wins {
            *best = Some((outward(parts, index, passage), number));
        }
    };
    let _ = tree.view().cast_spot((start, slack), (direction, back), most, |item, limit| {
        let _ = parts.visit_along(item as u32, line, &mut |index| {
            meet(index, &mut best);
            ControlFlow::Continue(())
        });
        best.map(|(passage, _)| passage.t).filter(|t| *t < limit)
    });
    best
}

/// Where a ray hits a part first, and the number of the convex part that it hits.
pub(crate) fn part_hit<K: Kernels, P: Parts<K> + ?Sized>(
    parts: &P,
    index: u32,
    [origin, direction]: [K::Vector; 2],
    solid: bool,
    most: f64,
) -> Option<(Passage<K::Vector>, u32)> {
    let part = parts.part(index);
    let place = part.local.map(K::place_of);
    let (local, along) = match &place {
        Some(place) => (place.rotation.undo(origin - place.translation), place.rotation.undo(direction)),
        None => (origin, direction),
    };
    let (passage, inner) = first_hit::<K>(&part.shape, local, along, solid, most)?;
    let normal = place.map_or(passage.normal, |place| place.rotation.apply(passage.normal));
    Some((Passage { normal, ..passage }, part.first + inner))
}

/// A solid has normals that point outwards, whichever side is hit.
fn outward<K: Kernels, P: Parts<K> + ?Sized>(
    parts: &P,
    index: u32,
    passage: Passage<K::Vector>,
) -> Passage<K::Vector> {
    let normal = if parts.is_solid() { parts.facet_normal(index) } else { None };
    normal.map_or(passage, |normal| Passage { normal, ..passage })
}
