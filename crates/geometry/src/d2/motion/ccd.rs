//! A corner and an edge in straight motion.

use crate::error::finite_vector;
use crate::motion::inclusion::{CcdHit, CcdOptions, first_root, initial_error, rescaling};
use crate::{Error, scale};
use carom_math::{Real, Vec2, Vector};

/// When a moving point first meets a moving edge: `start` and `end` are the point and the ends of the edge at the
/// times 0 and 1; all move straight between. `None` when they do not meet.
///
/// No touch is ever missed, whatever the coordinates, and the time is never late. What comes closer than the
/// tolerance of the options may count as a touch. The edge may be a point at any time.
///
/// # Errors
/// When a coordinate is not finite, or the separation or the tolerance is negative or not finite.
///
/// # Example
/// ```
/// use carom_geometry::d2::ccd_vertex_edge;
/// let parts = |y: f64| [[0.5, y].into(), [0.0, 0.0].into(), [1.0, 0.0].into()];
/// let hit = ccd_vertex_edge(parts(1.0), parts(-3.0), Default::default())?.expect("it passes through");
/// assert!((hit.t - 0.25_f64).abs() < 1e-8 && hit.t <= 0.25);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ccd_vertex_edge<T: Real>(
    start: [Vec2<T>; 3],
    end: [Vec2<T>; 3],
    options: CcdOptions<T>,
) -> Result<Option<CcdHit<T>>, Error> {
    let mut search = options.check()?;
    for (what, points) in [("start", start), ("end", end)] {
        for point in points {
            finite_vector(what, point)?;
        }
    }
    let (start, end) = (start.map(Vector::widen), end.map(Vector::widen));
    let sizes = [start, end].map(|points| scale::largest(points.map(Vector::max_abs)));
    let factor = rescaling(scale::largest([sizes[0], sizes[1], search.separation]));
    search.separation *= factor;
    let value = |corner: usize| {
        let [p, e0, e1] = if corner & 1 == 1 { end } else { start };
        p * factor - (if corner & 2 != 0 { e1 } else { e0 }) * factor
    };
    // The normal of the edge in the middle of the motion.
    let along = (value(2) + value(3)) * 0.5 - (value(0) + value(1)) * 0.5;
    let across = Vec2::new(along.y, -along.x).normalized().unwrap_or(Vec2::ZERO);
    let corners: [[f64; 3]; 4] = core::array::from_fn(|corner| {
        let f = value(corner);
        [f.x, f.y, across.dot(f)]
    });
    let size = (0..4).fold(0.0, |size, corner| scale::largest([size, value(corner).max_abs()]));
    let found = first_root::<2, 3, 4>(corners, initial_error(size), false, search);
    Ok(found.map(|(t, limited)| CcdHit { t: T::from_f64_down(t), limited }))
}
