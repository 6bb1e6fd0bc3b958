//! The mass that a block of directions feels: the inverse of J·M⁻¹·Jᵀ for up to three directions at once.

/// Inverts a symmetric matrix in place, leaving out directions in which nothing moves.
///
/// By sweeps (Goodnight 1979): sweeping all pivots turns K into −K⁻¹, and pivots that are left out leave the
/// inverse of the rest. A direction is left out when its pivot has lost all but rounding error of its
/// diagonal, that is when it depends on those before; its rows become 0.
pub(crate) fn invert(matrix: &mut [[f64; 3]; 3], count: usize) {
    let (mut is_swept, count) = ([false; 3], count.min(3));
    let diagonal: [f64; 3] = core::array::from_fn(|k| matrix[k][k]);
    for k in 0..count {
        let pivot = matrix[k][k];
        // Entries come from f32, so less than 2⁻²⁴ of the diagonal is noise.
        if !(diagonal[k] * f64::from(f32::EPSILON) < pivot && pivot.is_finite()) {
            continue;
        }
        is_swept[k] = true;
        // One division a pivot; the double rounding is far below that of the entries.
        let inverse = 1.0 / pivot;
        let column: [f64; 3] = core::array::from_fn(|i| matrix[i][k]);
        for i in 0..count {
            let share = column[i] * inverse;
            for j in 0..count {
                matrix[i][j] = match (i == k, j == k) {
                    (true, true) => -inverse,
                    (true, false) => column[j] * inverse,
                    (false, true) => share,
                    (false, false) => matrix[i][j] - share * column[j],
                };
            }
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            matrix[i][j] = if is_swept[i] && is_swept[j] { -matrix[i][j] } else { 0.0 };
        }
    }
}

/// The numbers of a symmetric matrix in the order of rows: xx; xx, yy, xy; xx, yy, zz, yz, zx, xy.
pub(crate) fn packed(matrix: &[[f64; 3]; 3], dimension: usize) -> [f32; 6] {
    let [x, y, z] = matrix;
    let numbers = match dimension {
        1 => [x[0], 0.0, 0.0, 0.0, 0.0, 0.0],
        2 => [x[0], y[1], x[1], 0.0, 0.0, 0.0],
        _ => [x[0], y[1], z[2], y[2], z[0], x[1]],
    };
    numbers.map(|number| number as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_the_identity_on_what_moves() {
        let given = [[4.0, 1.0, -2.0], [1.0, 3.0, 0.5], [-2.0, 0.5, 5.0]];
        let mut inverse = given;
        invert(&mut inverse, 3);
        for (i, row) in inverse.iter().enumerate() {
            for j in [0, 1, 2] {
                let product: f64 = row.iter().zip(&given).map(|(entry, other)| entry * other[j]).sum();
                assert!((product - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12);
            }
        }
        // Nothing moves along the second direction: the others are as if it were not there.
        let mut partial = [[2.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 4.0]];
        invert(&mut partial, 3);
        assert_eq!(partial[1], [0.0; 3]);
        assert!((partial[0][0] - 4.0 / 7.0).abs() < 1e-15 && (partial[0][2] + 1.0 / 7.0).abs() < 1e-15);
        // Twice the same direction counts once.
        let mut twice = [[2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [0.0; 3]];
        invert(&mut twice, 2);
        assert_eq!(twice, [[0.5, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
        let mut broken = [[f64::NAN; 3]; 3];
        invert(&mut broken, 3);
        assert_eq!(broken, [[0.0; 3]; 3]);
    }
}
