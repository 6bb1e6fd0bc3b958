//! The canonical order of a pair: exchanging two shapes must not change a bit of the answer.
//!
//! Most kernels are not symmetric in their arithmetic. So the pair is sorted before it is solved: by
//! kind, then by the numbers of the shapes, then by their poses. Only two equal shapes in equal poses
//! are left unsorted, and those have one answer.

use carom_math::{Real, Vector};

/// Whether `x` comes before, after, or beside `y` (`None`), component by component.
#[inline(always)]
pub(crate) fn before<V: Vector, const N: usize>(x: [V; N], y: [V; N]) -> Option<bool> {
    for (x, y) in x.into_iter().zip(y) {
        for axis in 0..V::DIM {
            if let Some(decided) = before_number(x.get(axis), y.get(axis)) {
                return Some(decided);
            }
        }
    }
    None
}

/// Whether the number `x` comes before, after, or beside `y` (`None`).
#[inline(always)]
pub(crate) fn before_number<T: Real>(x: T, y: T) -> Option<bool> {
    // Different numbers are the rule, which of them is less is a coin toss: a branch on the first only.
    if x == y { None } else { Some(x < y) }
}

/// The two, or the two exchanged, without a branch.
#[inline(always)]
pub(crate) fn swapped_if<T: Copy>(swapped: bool, a: T, b: T) -> (T, T) {
    let both = [a, b];
    (both[usize::from(swapped)], both[usize::from(!swapped)])
}
