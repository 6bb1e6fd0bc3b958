//! Points well inside of solids.
//!
//! The surfaces of two solids may coincide, so that neither reaches into the other, and the solids have everything in
//! common all the same, or nothing: one may be the other twice, cut into other triangles, or fill a hollow of it. What
//! tells these apart is a point inside. Where no surface lies within a solid, each of its components is either within
//! the other one altogether or outside of it, so that one point of each decides.

use carom_math::{Number, Vector, power_of_two};

/// How many pieces of a surface are tried, the largest first: the first will do unless it is a needle.
const TRIED: usize = 4;

/// How often the way is halved before a piece is given up.
const HALVINGS: i32 = 48;

/// A point of the solid that is bounded by a surface, and how deep it lies; `None` where no inside is found.
///
/// From the middle of a piece one goes along its normal, and against it, half of the extent of the surface, a quarter
/// and so on, until the point is as deep as it is far from that middle. Then nothing of the surface lies within a ball that
/// reaches from the point to the middle, so that the point is inside of the component that the piece belongs to.
pub(crate) fn behind<V: Vector<Scalar = f64>, const N: usize>(
    surface: &[[V; N]],
    normal_of: impl Fn([V; N]) -> V,
    depth_of: impl Fn(V) -> f64,
) -> Option<(V, f64)> {
    let first = surface.first()?[0];
    let extent = surface.iter().flatten().fold(0.0, |most: f64, &p| (p - first).max_abs().max_of(most));
    if extent <= 0.0 {
        return None;
    }
    // At the scale of the surface squares neither vanish nor overflow.
    let normal = |piece: [V; N]| normal_of(piece.map(|p| (p - first) * (1.0 / extent)));
    let mut largest: Vec<(f64, usize)> = surface
        .iter()
        .enumerate()
        .map(|(index, &piece)| (normal(piece).length_squared(), index))
        .filter(|(measure, _)| 0.0 < *measure)
        .collect();
    largest.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(_, index) in largest.iter().take(TRIED) {
        let piece = surface[index];
        let Some(normal) = normal(piece).normalized() else { continue };
        let middle = piece.iter().fold(V::ZERO, |sum, &p| sum + p * (1.0 / N as f64));
        for halving in 1..=HALVINGS {
            let way = extent * power_of_two(-halving);
            for direction in [-normal, normal] {
                let point = middle + direction * way;
                let depth = depth_of(point);
                if way * (1.0 - power_of_two(-20)) <= depth {
                    return Some((point, depth));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec2;

    fn across([a, b]: [Vec2<f64>; 2]) -> Vec2<f64> {
        (b - a).perpendicular()
    }

    /// A rectangle about the origin: the depth is that of the nearest side.
    #[test]
    fn a_point_lies_within_a_rectangle_however_thin() {
        for thin in [1.0, 0.125, 1e-6, 1e-12] {
            let corners =
                [[-1.0, -thin], [1.0, -thin], [1.0, thin], [-1.0, thin]].map(|[x, y]| Vec2::new(x, y));
            let sides: Vec<[Vec2<f64>; 2]> = (0..4).map(|k| [corners[k], corners[(k + 1) % 4]]).collect();
            let depth = |p: Vec2<f64>| (1.0 - p.x.abs()).min_of(thin - p.y.abs());
            let (point, found) = behind(&sides, across, depth).unwrap();
            assert_eq!(found, depth(point));
            assert!(0.25 * thin <= found && found <= thin, "{point:?} {found}");
        }
    }

    #[test]
    fn what_is_flat_has_no_point_inside() {
        let there_and_back = [[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]];
        let sides: Vec<[Vec2<f64>; 2]> =
            there_and_back.map(|side| side.map(|[x, y]| Vec2::new(x, y))).to_vec();
        assert_eq!(behind(&sides, across, |p| -p.y.abs()), None);
        assert_eq!(behind(&[[Vec2::new(1.0, 1.0); 2]], across, |_| 1.0), None);
        assert_eq!(behind(&[], across, |_| 1.0), None);
    }
}
