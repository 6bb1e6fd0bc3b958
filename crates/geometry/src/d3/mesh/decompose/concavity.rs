//! How far the hull of a part reaches into the open.
//!
//! The concavity is the largest distance of a point of the hull from the solid. The signed distance f changes by no more
//! than the way one goes, so in a box with the centre c and half a diagonal h it is at most f(c) + h. Boxes are
//! halved along all axes, that with the largest bound first, and dropped when they cannot hold a larger distance than
//! the largest found (the branch and bound of global optimisation). The search ends after a number of points, so
//! what it has found is a lower bound, reached at a point that it looked at.
//!
//! Of a box whose centre is beside the hull, the point of the hull nearest to it is looked at: a thin plate that is
//! turned has hardly any box with its centre within it. The bound stays the same, since a point of the hull is no
//! farther from the nearest point to c than from c itself.

use super::{NOTHING, Part, Whole};
use crate::d3::{ConvexHull, closest_point};
use carom_math::{Number, Pose3, Vec3, Vector};

/// Points that are looked at in a part. Twice as many bring the result some per cent closer.
const POINTS: usize = 512;

struct Cell {
    center: Vec3<f64>,
    half: Vec3<f64>,
    /// No point of the cell is farther from the solid.
    bound: f64,
}

/// The largest distance found; 0 for a part that fills its hull.
pub(super) fn concavity(whole: &Whole, part: &Part) -> f64 {
    if part.hull_volume - part.volume <= NOTHING * part.hull_volume {
        return 0.0;
    }
    let Ok(hull) = ConvexHull::new(part.hull.iter().flatten().copied()) else { return 0.0 };
    let bounds = part.bounds();
    let mut largest = 0.0;
    let mut looked_at = 0;
    let mut cells = Vec::new();
    let mut look = |center: Vec3<f64>, half: Vec3<f64>, cells: &mut Vec<Cell>| {
        looked_at += 1;
        let reach = Vector::length(half);
        let Ok(nearest) = closest_point(&hull, Pose3::IDENTITY, center) else { return looked_at };
        if reach < nearest.distance {
            return looked_at; // beside the hull
        }
        let signed = whole.solid.signed(if nearest.inside { center } else { nearest.point });
        largest = signed.max_of(largest);
        let bound = signed + reach;
        if largest < bound {
            cells.push(Cell { center, half, bound });
        }
        looked_at
    };
    let mut count = look(bounds.center(), bounds.half_extents(), &mut cells);
    while count < POINTS {
        // Of equal bounds the first counts.
        let best = (0..cells.len()).reduce(|a, b| if cells[a].bound < cells[b].bound { b } else { a });
        let Some(best) = best else { break };
        let Cell { center, half, .. } = cells.swap_remove(best);
        let quarter = half * 0.5;
        for octant in 0..8 {
            let side =
                |axis: usize| if octant >> axis & 1 == 0 { -quarter.get(axis) } else { quarter.get(axis) };
            count = look(center + Vec3::from_fn(side), quarter, &mut cells);
        }
    }
    largest
}
