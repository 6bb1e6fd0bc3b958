//! Rows: the numbers of many pairs of one kind, field by field, as the lanes want them.
//!
//! Differences are taken in the caller's number type, here; everything after that is `f32`. A number that does
//! not fit becomes infinite, which the filters answer with 0.

use super::ROW;
use super::filter::{Filter, Space, judge};
use carom_math::{Level, Real, Vector};
use core::ops::Range;

/// Up to [`ROW`] pairs of one kind, with F fields each.
pub(crate) struct Row<const F: usize> {
    fields: [[f32; ROW]; F],
    /// Which pair each column is.
    indices: [usize; ROW],
    count: usize,
    /// The sum of zero times the rotations that no filter looks at, but which have to be finite: it is not zero when one of them is
    /// not. Then, and when a sum of two overflows, the whole row goes one by one.
    unused: [f32; 4],
}

impl<const F: usize> Row<F> {
    pub(crate) fn new() -> Self {
        Row { fields: [[0.0; ROW]; F], indices: [0; ROW], count: 0, unused: [0.0; 4] }
    }

    /// Takes one pair after the other until the row is full or `put` says that the pair is not of this kind, before it
    /// has written anything. The index of the first pair that was not taken.
    #[inline(always)]
    pub(crate) fn fill(
        &mut self,
        indices: Range<usize>,
        put: impl Fn(usize, &mut Column<'_, F>) -> Option<()>,
    ) -> usize {
        let (mut index, mut lane) = (indices.start, self.count);
        let mut unused = self.unused; // of its own, in a register
        while index < indices.end && lane < ROW {
            let mut column = Column { fields: &mut self.fields, unused, lane, next: 0 };
            if put(index, &mut column).is_none() {
                break;
            }
            unused = column.unused;
            self.indices[lane] = index;
            index += 1;
            lane += 1;
        }
        self.unused = unused;
        self.count = lane;
        index
    }

    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.count == ROW
    }

    /// Answers all pairs of the row and empties it: by the verdict of the filter where `certain` makes an
    /// answer of it, otherwise by `one_by_one`.
    #[inline(never)] // once for many pairs
    pub(crate) fn flush<P: Space, K: Filter<P>, A>(
        &mut self,
        (level, margin): (Level, f32),
        answers: &mut [A],
        certain: impl Fn(f32) -> Option<A>,
        one_by_one: impl Fn(usize) -> A,
    ) {
        let mut verdicts = [0.0; ROW];
        if self.unused == [0.0; 4] {
            judge::<P, K>(level, &self.fields, self.count, margin, &mut verdicts);
        }
        for (verdict, &index) in verdicts.iter().zip(&self.indices).take(self.count) {
            let Some(slot) = answers.get_mut(index) else { continue };
            // Two stores instead of one of both: an answer that is first put together on the stack is read
            // back before it is written, which takes longer than the filter.
            if let Some(answer) = certain(*verdict) {
                *slot = answer;
            } else {
                *slot = one_by_one(index);
            }
        }
        self.count = 0;
        self.unused = [0.0; 4];
    }
}

/// Takes the fields of one pair, in order.
pub(crate) struct Column<'a, const F: usize> {
    fields: &'a mut [[f32; ROW]; F],
    unused: [f32; 4],
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
    /// Two rotations that the filter does not look at.
    #[inline(always)]
    pub(crate) fn unused<T: Real, const N: usize>(&mut self, first: [T; N], second: [T; N]) {
        for (sum, (x, y)) in self.unused.iter_mut().zip(first.into_iter().zip(second)) {
            *sum += (narrow(x) + narrow(y)) * 0.0;
        }
    }
}

/// The nearest `f32`.
#[inline(always)]
fn narrow<T: Real>(value: T) -> f32 {
    f32::from_f64(value.to_f64())
}
