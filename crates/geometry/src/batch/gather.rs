//! Rows: the numbers of many pairs of one kind, field by field, as the lanes want them.
//!
//! Differences are taken in the caller's number type, here; everything after that is `f32`. A number that does
//! not fit becomes infinite, which the filters answer with 0.

use super::ROW;
use super::filter::{Filter, Space, judge};
use crate::Error;
use carom_math::{Level, Real, Vector};

/// Up to [`ROW`] pairs of one kind, with F fields each.
pub(crate) struct Row<const F: usize> {
    fields: [[f32; ROW]; F],
    /// Which pair each column is.
    indices: [usize; ROW],
    count: usize,
    /// The sum of rotations that no filter looks at, but which have to be finite: it is not when one of
    /// them is not. Then, and when the sum overflows, the whole row goes one by one.
    unused: [f32; 4],
}

impl<const F: usize> Row<F> {
    pub(crate) fn new() -> Self {
        Row { fields: [[0.0; ROW]; F], indices: [0; ROW], count: 0, unused: [0.0; 4] }
    }

    /// A new column for the pair with this index. A full row has to be flushed first.
    #[inline(always)]
    pub(crate) fn column(&mut self, index: usize) -> Column<'_, F> {
        let lane = self.count % ROW;
        self.count = lane + 1;
        self.indices[lane] = index;
        Column { fields: &mut self.fields, unused: &mut self.unused, lane, next: 0 }
    }

    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.count == ROW
    }

    /// Answers all pairs of the row and empties it: by the verdict of the filter where `certain` makes an
    /// answer of it, otherwise by `one_by_one`.
    #[inline(always)]
    pub(crate) fn flush<P: Space, K: Filter<P>, A>(
        &mut self,
        (level, margin): (Level, f32),
        answers: &mut [Result<A, Error>],
        certain: impl Fn(f32) -> Option<A>,
        one_by_one: impl Fn(usize) -> Result<A, Error>,
    ) {
        let mut verdicts = [0.0; ROW];
        if self.unused.iter().all(|sum| sum * 0.0 == 0.0) {
            judge::<P, K>(level, &self.fields, self.count, margin, &mut verdicts);
        }
        for (verdict, &index) in verdicts.iter().zip(&self.indices).take(self.count) {
            if let Some(answer) = answers.get_mut(index) {
                *answer = certain(*verdict).map_or_else(|| one_by_one(index), Ok);
            }
        }
        self.count = 0;
        self.unused = [0.0; 4];
    }
}

/// Takes the fields of one pair, in order.
pub(crate) struct Column<'a, const F: usize> {
    fields: &'a mut [[f32; ROW]; F],
    unused: &'a mut [f32; 4],
    lane: usize,
    next: usize,
}

impl<const F: usize> Column<'_, F> {
    #[inline(always)]
    pub(crate) fn number<T: Real>(&mut self, value: T) {
        if let Some(field) = self.fields.get_mut(self.next) {
            field[self.lane % ROW] = narrow(value);
        }
        self.next += 1;
    }
    #[inline(always)]
    pub(crate) fn numbers<T: Real, const N: usize>(&mut self, values: [T; N]) {
        for value in values {
            self.number(value);
        }
    }
    #[inline(always)]
    pub(crate) fn vector<V: Vector>(&mut self, value: V) {
        for axis in 0..V::DIM {
            self.number(value.get(axis));
        }
    }
    /// Rotations that the filter does not look at.
    #[inline(always)]
    pub(crate) fn unused<T: Real, const N: usize>(&mut self, values: [T; N]) {
        for (sum, value) in self.unused.iter_mut().zip(values) {
            *sum += narrow(value);
        }
    }
}

/// The nearest `f32`.
#[inline(always)]
fn narrow<T: Real>(value: T) -> f32 {
    f32::from_f64(value.to_f64())
}
