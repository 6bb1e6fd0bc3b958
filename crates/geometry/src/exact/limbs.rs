//! Where the limbs of exact numbers are kept: on the heap, or in place for polynomials of a degree of at most three.

use core::fmt::Debug;
use core::ops::Range;

/// A list of limbs of 64 bits.
pub(crate) trait Limbs: Clone + Debug + AsRef<[u64]> + AsMut<[u64]> {
    /// So many limbs of zero.
    fn zeros(count: usize) -> Self;
    /// Drops the limbs outside of a range, which lies within the list.
    fn keep(&mut self, range: Range<usize>);
}

impl Limbs for Vec<u64> {
    fn zeros(count: usize) -> Self {
        vec![0; count]
    }
    fn keep(&mut self, range: Range<usize>) {
        self.truncate(range.end);
        self.drain(..range.start);
    }
}

/// What the exact value of a determinant of three differences of coordinates takes, and its sums on the way.
///
/// Coordinates are whole multiples of 2⁻¹⁰⁷⁴ below 2¹⁰²⁴, so a sum of six products of three differences is one of
/// 2⁻³²²² below 2³⁰⁷⁸: 6300 bits, in 99 limbs. Alignment and a carry take two more.
const CAPACITY: usize = 104;

/// Limbs without an allocation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPlace {
    limbs: [u64; CAPACITY],
    count: usize,
}

impl AsRef<[u64]> for InPlace {
    fn as_ref(&self) -> &[u64] {
        &self.limbs[..self.count]
    }
}

impl AsMut<[u64]> for InPlace {
    fn as_mut(&mut self) -> &mut [u64] {
        &mut self.limbs[..self.count]
    }
}

impl Limbs for InPlace {
    fn zeros(count: usize) -> Self {
        debug_assert!(count <= CAPACITY, "a polynomial of too high a degree");
        InPlace { limbs: [0; CAPACITY], count: count.min(CAPACITY) }
    }
    fn keep(&mut self, range: Range<usize>) {
        let end = range.end.min(self.count);
        let start = range.start.min(end);
        self.limbs.copy_within(start..end, 0);
        self.count = end - start;
    }
}
