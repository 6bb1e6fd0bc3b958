//! A corner and a face, or two edges, in straight motion.

use crate::error::finite_vector;
use crate::motion::inclusion::{CcdHit, CcdOptions, first_root, initial_error, rescaling};
use crate::{Error, scale};
use carom_math::{Real, Vec3, Vector};

/// When a moving point first meets a moving triangle: `start` and `end` are the point and the corners of the
/// triangle at the times 0 and 1; all move straight between. `None` when they do not meet.
///
/// No touch is ever missed, whatever the coordinates, and the time is never late. What comes closer than the
/// tolerance of the options may count as a touch. The triangle may be degenerate at any time.
///
/// # Errors
/// When a coordinate is not finite, or the separation or the tolerance is negative or not finite.
///
/// # Example
/// ```
/// use carom_geometry::d3::ccd_vertex_face;
/// let face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let corners = |z: f64| [[0.25, 0.25, z].into(), face[0].into(), face[1].into(), face[2].into()];
/// let hit = ccd_vertex_face(corners(1.0), corners(-3.0), Default::default())?.expect("it passes through");
/// assert!((hit.t - 0.25_f64).abs() < 1e-8 && hit.t <= 0.25);
/// assert!(ccd_vertex_face(corners(1.0), corners(0.5), Default::default())?.is_none());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ccd_vertex_face<T: Real>(
    start: [Vec3<T>; 4],
    end: [Vec3<T>; 4],
    options: CcdOptions<T>,
) -> Result<Option<CcdHit<T>>, Error> {
    first_touch(start, end, options, true, |[p, f0, f1, f2], u, v| match (u, v) {
        (false, false) => p - f0,
        (true, false) => p - f1,
        (false, true) => p - f2,
        // The face continued beyond its third side.
        (true, true) => (p - f1) - (f2 - f0),
    })
}

/// When two moving edges first meet: `start` and `end` are the ends a₀, a₁ of one and b₀, b₁ of the other at the
/// times 0 and 1; all move straight between. `None` when they do not meet.
///
/// No touch is ever missed, whatever the coordinates, and the time is never late. What comes closer than the
/// tolerance of the options may count as a touch. The edges may be parallel, or points, at any time.
///
/// # Errors
/// When a coordinate is not finite, or the separation or the tolerance is negative or not finite.
///
/// # Example
/// ```
/// use carom_geometry::{CcdOptions, d3::ccd_edge_edge};
/// let edges = |z: f64| {
///     [[-1.0, 0.0, z].into(), [1.0, 0.0, z].into(), [0.0, -1.0, 0.0].into(), [0.0, 1.0, 0.0].into()]
/// };
/// let options = CcdOptions { separation: 0.5, ..CcdOptions::default() };
/// let hit = ccd_edge_edge(edges(1.0), edges(-1.0), options)?.expect("they cross");
/// assert!((hit.t - 0.25_f64).abs() < 1e-8 && hit.t <= 0.25); // within 1/2 of each other
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ccd_edge_edge<T: Real>(
    start: [Vec3<T>; 4],
    end: [Vec3<T>; 4],
    options: CcdOptions<T>,
) -> Result<Option<CcdHit<T>>, Error> {
    first_touch(start, end, options, false, |[a0, a1, b0, b1], u, v| {
        (if u { a1 } else { a0 }) - (if v { b1 } else { b0 })
    })
}

/// The first root of the vector between the parts, `between(points, u, v)` at the ends of the parameters.
fn first_touch<T: Real>(
    start: [Vec3<T>; 4],
    end: [Vec3<T>; 4],
    options: CcdOptions<T>,
    triangle: bool,
    between: impl Fn([Vec3<f64>; 4], bool, bool) -> Vec3<f64>,
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
    let (start, end) = (start.map(|p| p * factor), end.map(|p| p * factor));
    search.separation *= factor;
    let value = |corner: usize| {
        let points = if corner & 1 == 1 { end } else { start };
        between(points, corner & 2 != 0, corner & 4 != 0)
    };
    // The normal of face or edges in the middle of the motion: F changes along u and v within them.
    let mean = |corner: usize| (value(corner) + value(corner | 1)) * 0.5;
    let across = (mean(2) - mean(0)).cross(mean(4) - mean(0)).normalized().unwrap_or(Vec3::ZERO);
    let corners: [[f64; 4]; 8] = core::array::from_fn(|corner| {
        let f = value(corner);
        [f.x, f.y, f.z, across.dot(f)]
    });
    // Beside the values, the difference f₂ − f₀ of the last corner.
    let size = (0..8).fold(0.0, |size, corner| scale::largest([size, value(corner).max_abs()]));
    let found = first_root::<3, 4, 8>(corners, initial_error(2.0 * size), triangle, search);
    Ok(found.map(|(t, limited)| CcdHit { t: T::from_f64_down(t), limited }))
}
