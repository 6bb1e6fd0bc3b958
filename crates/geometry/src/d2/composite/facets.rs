//! Segments as parts of a chain.

use crate::composite::facet::{Border, Facet, Fold};
use crate::exact::orientation;
use carom_math::{Vec2, Vector};

/// A segment, and the ends before and after it of its neighbours in the chain. The normal is to its left, or to
/// its right when `flipped`. `None` for a segment of no length.
pub(crate) fn segment_facet(
    [from, to]: [Vec2<f64>; 2],
    neighbours: [Option<Vec2<f64>>; 2],
    flipped: bool,
    is_solid: bool,
) -> Option<Facet<Vec2<f64>>> {
    let along = (to - from).normalized()?;
    let left = along.perpendicular();
    let border = |point: Vec2<f64>, outward: Vec2<f64>, neighbour: Option<Vec2<f64>>| {
        let beyond = neighbour.filter(|end| *end != point).map(|opposite| {
            let height = orientation(from, to, opposite);
            Fold { opposite, height: if flipped { height.reverse() } else { height } }
        });
        Some(Border { point, outward, length: 1.0, along: Vec2::ZERO, beyond })
    };
    let [before, after] = neighbours;
    let borders = [border(from, -along, before), border(to, along, after), None];
    Some(Facet { normal: if flipped { -left } else { left }, is_solid, borders })
}
