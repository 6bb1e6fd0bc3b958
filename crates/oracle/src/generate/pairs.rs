//! Pairs of shapes in special position, exact by construction: touching in a face, an edge or a
//! corner, tangent balls, segments that meet end to end, slivers.

use super::{LATTICE, Rng, lattice_point, nudge, power_of_two};

/// A box given by its lowest and highest corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<const D: usize> {
    /// Lowest corner.
    pub min: [f64; D],
    /// Highest corner.
    pub max: [f64; D],
}

impl<const D: usize> Bounds<D> {
    /// All 2^D corners; bit i of the index chooses the high side of coordinate i.
    pub fn corners(&self) -> Vec<[f64; D]> {
        (0..1usize << D)
            .map(|index| std::array::from_fn(|i| if index >> i & 1 == 1 { self.max[i] } else { self.min[i] }))
            .collect()
    }
}

/// The corners of the box about the origin with the given half extents.
///
/// ```
/// use carom_oracle::generate::box_corners;
/// assert_eq!(box_corners([1.0, 2.0]), [[-1.0, -2.0], [1.0, -2.0], [-1.0, 2.0], [1.0, 2.0]]);
/// ```
pub fn box_corners<const D: usize>(half_extents: [f64; D]) -> Vec<[f64; D]> {
    let min = half_extents.map(|x| -x);
    Bounds { min, max: half_extents }.corners()
}

/// How two boxes of [`touching_boxes`] meet along one coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// The end of one is the beginning of the other.
    Touch,
    /// They share an interval of positive length.
    Overlap,
}

/// Two boxes on the lattice that touch without overlapping, and how they meet along each
/// coordinate: one `Touch` is a common piece of face, two of an edge (in space), D a corner.
///
/// All numbers are multiples of ¼ of moderate size, so sums and halves of them are exact.
pub fn touching_boxes<const D: usize>(rng: &mut Rng) -> (Bounds<D>, Bounds<D>, [Meeting; D]) {
    let mut meetings: [Meeting; D] =
        std::array::from_fn(|_| if rng.one_in(2) { Meeting::Touch } else { Meeting::Overlap });
    meetings[rng.below(D)] = Meeting::Touch;
    let mut a = Bounds { min: [0.0; D], max: [0.0; D] };
    let mut b = a;
    for (i, meeting) in meetings.into_iter().enumerate() {
        let widths = [0.5, 1.0, 2.0, 4.0];
        a.min[i] = rng.pick(&LATTICE);
        a.max[i] = a.min[i] + rng.pick(&widths);
        let width = rng.pick(&widths);
        b.min[i] = match (meeting, rng.one_in(2)) {
            (Meeting::Touch, true) => a.max[i],
            (Meeting::Touch, false) => a.min[i] - width,
            (Meeting::Overlap, _) => {
                // Strictly between a.min − width and a.max, in quarters.
                let quarters = ((a.max[i] - a.min[i] + width) * 4.0) as i32;
                a.min[i] - width + f64::from(rng.between(1, quarters - 1)) / 4.0
            }
        };
        b.max[i] = b.min[i] + width;
    }
    (a, b, meetings)
}

/// Centres and radii of two balls that touch exactly, outside or (`inside`) with the second within
/// the first: the centres differ by a Pythagorean tuple scaled by a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchingBalls<const D: usize> {
    /// The two centres.
    pub centers: [[f64; D]; 2],
    /// The two radii.
    pub radii: [f64; 2],
    /// Whether the second ball touches the first from within.
    pub inside: bool,
}

/// Two balls that touch in exactly one point. See [`TouchingBalls`].
pub fn touching_balls<const D: usize>(rng: &mut Rng) -> TouchingBalls<D> {
    let (mut tuple, length) = if D == 2 {
        let (tuple, length) =
            rng.pick(&[([3.0, 4.0], 5.0), ([5.0, 12.0], 13.0), ([8.0, 15.0], 17.0), ([0.0, 1.0], 1.0)]);
        (tuple.to_vec(), length)
    } else {
        let (tuple, length) = rng.pick(&[
            ([1.0, 2.0, 2.0], 3.0),
            ([2.0, 3.0, 6.0], 7.0),
            ([1.0, 4.0, 8.0], 9.0),
            ([0.0, 3.0, 4.0], 5.0),
            ([0.0, 0.0, 1.0], 1.0),
        ]);
        (tuple.to_vec(), length)
    };
    tuple.resize(D, 0.0);
    rng.shuffle(&mut tuple);
    let unit = power_of_two(rng.between(-8, 8));
    let first: [f64; D] = lattice_point(rng);
    let first = first.map(|x| x * unit);
    let second = std::array::from_fn(|i| first[i] + tuple[i] * rng.sign() * unit);
    let part = length * f64::from(rng.between(1, 7)) / 8.0 * unit;
    let inside = rng.one_in(4);
    let radii = if inside { [length * unit + part, part] } else { [part, length * unit - part] };
    TouchingBalls { centers: [first, second], radii, inside }
}

/// How the two segments of [`meeting_segments`] relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentMeeting {
    /// An end of one is an end of the other; directions are arbitrary.
    EndToEnd,
    /// An end of the second lies inside the first.
    EndToMiddle,
    /// They cross in the middle of both.
    Cross,
    /// On one line, sharing a piece of positive length.
    CollinearOverlap,
    /// On one line, a gap between them.
    CollinearApart,
}

/// Two lattice segments in a special position; both have positive length.
pub fn meeting_segments<const D: usize>(rng: &mut Rng) -> ([[f64; D]; 2], [[f64; D]; 2], SegmentMeeting) {
    let shift = |p: [f64; D], d: [f64; D], s: f64| std::array::from_fn(|i| p[i] + d[i] * s);
    let nonzero = |rng: &mut Rng| {
        let mut v: [f64; D] = lattice_point(rng);
        if v == [0.0; D] {
            v[rng.below(D)] = 1.0;
        }
        v
    };
    let p: [f64; D] = lattice_point(rng);
    let (u, v) = (nonzero(rng), nonzero(rng));
    let a = [shift(p, u, -1.0), shift(p, u, 1.0)];
    let (b, meeting) = match rng.below(5) {
        0 => ([a[1], shift(a[1], v, 1.0)], SegmentMeeting::EndToEnd),
        1 => ([p, shift(p, v, 1.0)], SegmentMeeting::EndToMiddle),
        2 => ([shift(p, v, -1.0), shift(p, v, 1.0)], SegmentMeeting::Cross),
        3 => ([p, shift(p, u, 1.5)], SegmentMeeting::CollinearOverlap),
        _ => ([shift(p, u, 1.5), shift(p, u, 3.0)], SegmentMeeting::CollinearApart),
    };
    if rng.one_in(2) { (a, [b[1], b[0]], meeting) } else { (a, b, meeting) }
}

/// A triangle that is almost a segment: lattice base, apex on the base moved by a few steps of the
/// number format or by 2⁻ᵏ. May be exactly flat.
pub fn sliver_triangle<const D: usize>(rng: &mut Rng) -> [[f64; D]; 3] {
    let a: [f64; D] = lattice_point(rng);
    let b: [f64; D] = lattice_point(rng);
    let mut apex: [f64; D] = std::array::from_fn(|i| (a[i] + b[i]) / 2.0);
    let axis = rng.below(D);
    apex[axis] = if rng.one_in(2) {
        nudge(apex[axis], rng.between(-3, 3))
    } else {
        apex[axis] + power_of_two(-rng.between(1, 60)) * rng.sign()
    };
    [a, b, apex]
}

/// One number of a list nudged by one step, at random: turns exact contact into a gap or an overlap
/// of one unit in the last place.
pub fn nudge_one<const D: usize>(rng: &mut Rng, points: &mut [[f64; D]]) {
    if points.is_empty() {
        return;
    }
    let (i, axis) = (rng.below(points.len()), rng.below(D));
    let steps = rng.pick(&[-1, 1]);
    points[i][axis] = nudge(points[i][axis], steps);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::{ExactPoint, exact, square};

    #[test]
    fn balls_touch_exactly() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let TouchingBalls { centers: [p, q], radii: [r, s], inside } = touching_balls::<3>(&mut rng);
            let reach = if inside { exact(r) - exact(s) } else { exact(r) + exact(s) };
            assert_eq!(p.to_exact().distance_squared(&q.to_exact()), square(&reach));
            assert!(r > 0.0 && s > 0.0);
        }
    }

    #[test]
    fn boxes_touch_along_the_named_coordinates() {
        let mut rng = Rng::new(2);
        for _ in 0..200 {
            let (a, b, meetings) = touching_boxes::<3>(&mut rng);
            for (i, meeting) in meetings.into_iter().enumerate() {
                let shared = a.max[i].min(b.max[i]) - a.min[i].max(b.min[i]);
                match meeting {
                    Meeting::Touch => assert_eq!(shared, 0.0),
                    Meeting::Overlap => assert!(shared > 0.0),
                }
            }
        }
    }
}
