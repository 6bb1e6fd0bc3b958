//! The mass that a block of directions feels: the inverse of J·M⁻¹·Jᵀ for up to three directions at once, of one
//! joint or of as many as there are lanes.
//!
//! With K = L·D·Lᵀ the inverse is L⁻ᵀ·D⁻¹·L⁻¹. What a pivot adds to the diagonal of it is a square over the
//! pivot, so the inverse of what is positive has a positive diagonal in spite of rounding. A direction is left out when its pivot
//! has lost all but rounding error of its diagonal, that is when nothing moves along it or it depends on those
//! before; its row becomes 0, and the rest is the inverse without it.

use carom_math::Number;

/// The rounding errors of a pivot in entries that come from `f32`, relative to its diagonal.
const NOISE: f32 = 4.0 * f32::EPSILON;

/// 1/pivot, or 0 where the direction is left out. 1/∞ is 0 too, and NaN is less than nothing.
#[inline(always)]
pub(crate) fn inverse_pivot<T: Number>(pivot: T, diagonal: T) -> T {
    let (zero, one) = (pivot.like(0.0.into()), pivot.like(1.0.into()));
    let noise = diagonal * diagonal.like(NOISE.into());
    T::select(noise.less_than(pivot), one / pivot, zero)
}

/// The inverse of a symmetric matrix [xx, yy, xy].
#[inline(always)]
pub(crate) fn inverse_of_two<T: Number>([xx, yy, xy]: [T; 3]) -> [T; 3] {
    let first = inverse_pivot(xx, xx);
    let share = xy * first;
    let second = inverse_pivot(yy - share * xy, yy);
    let across = share * second;
    [first + share * across, second, -across]
}

/// The inverse of a symmetric matrix [xx, yy, zz, yz, zx, xy].
#[inline(always)]
pub(crate) fn inverse_of_three<T: Number>([xx, yy, zz, yz, zx, xy]: [T; 6]) -> [T; 6] {
    let first = inverse_pivot(xx, xx);
    let (share_y, share_z) = (xy * first, zx * first);
    let second = inverse_pivot(yy - share_y * xy, yy);
    let left = yz - share_z * xy;
    let share = left * second;
    let third = inverse_pivot(zz - share_z * zx - share * left, zz);
    // The last row of L⁻¹.
    let (x, y) = (share_y * share - share_z, -share);
    let (by_x, by_y) = (x * third, y * third);
    [
        first + share_y * (share_y * second) + x * by_x,
        second + y * by_y,
        third,
        by_y,
        by_x,
        x * by_y - share_y * second,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    /// The three rows.
    fn rows([xx, yy, zz, yz, zx, xy]: [f64; 6]) -> [Vec3<f64>; 3] {
        [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)]
    }

    #[test]
    fn inverse_times_matrix_is_the_identity_on_what_moves() {
        let given = [4.0, 3.0, 5.0, 0.5, -2.0, 1.0];
        let inverse = rows(inverse_of_three(given));
        for (i, row) in inverse.into_iter().enumerate() {
            for (j, other) in rows(given).into_iter().enumerate() {
                assert!((row.dot(other) - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12);
            }
        }
        let [xx, yy, xy] = inverse_of_two([4.0, 3.0, 1.0]);
        assert!((xx - 3.0 / 11.0).abs() < 1e-15 && (yy - 4.0 / 11.0).abs() < 1e-15);
        assert!((xy + 1.0 / 11.0).abs() < 1e-15);
        // Nothing moves along the second direction: the others are as if it were not there.
        let partial = inverse_of_three([2.0, 0.0, 4.0, 0.0, 1.0, 0.0]);
        assert_eq!(rows(partial)[1], Vec3::new(0.0, 0.0, 0.0));
        assert!((partial[0] - 4.0 / 7.0).abs() < 1e-15 && (partial[4] + 1.0 / 7.0).abs() < 1e-15);
        // Twice the same direction counts once.
        assert_eq!(inverse_of_three([2.0, 2.0, 0.0, 0.0, 0.0, 2.0]), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(inverse_of_two([2.0, 2.0, 2.0_f32]), [0.5, 0.0, 0.0]);
        assert_eq!(inverse_of_two([0.0_f32; 3]), [0.0; 3]);
        assert!(inverse_pivot(f32::NAN, f32::NAN) == 0.0 && inverse_pivot(f32::INFINITY, 1.0) == 0.0);
    }

    #[test]
    fn directions_of_very_different_mass_keep_theirs() {
        // Bodies that yield to turning far more than to pushing, with arms along u: K = 1 + 10⁴·(1 − uuᵀ).
        let u = Vec3::new(1.0, 2.0, 2.0) * (1.0 / 3.0);
        let entry = |i: usize, j: usize| {
            let one = if i == j { 1.0 } else { 0.0 };
            let [a, b] = [i, j].map(|k| [u.x, u.y, u.z][k]);
            one + 1e4 * (one - a * b)
        };
        let wide = [entry(0, 0), entry(1, 1), entry(2, 2), entry(1, 2), entry(2, 0), entry(0, 1)];
        let inverse = inverse_of_three(wide.map(|number| number as f32)).map(f64::from);
        // Along u the mass is 1.
        let along = rows(inverse).map(|row| row.dot(u));
        let error = (Vec3::new(along[0], along[1], along[2]) - u).dot(u).abs();
        assert!(error < 1e4 * 8.0 * f64::from(f32::EPSILON), "{error}");
    }
}
