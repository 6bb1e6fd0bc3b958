//! Splitting a part of the items in two, where that costs least.
//!
//! A part is read once to fill the bins, which know the boxes of both sides and of their centres, and once to copy it, left and right, into a second
//! buffer, without a branch that depends on the data. Upper ends are kept negated, so that one minimum of eight numbers unites two boxes.

use super::record::{Extent, Record};
use carom_math::prelude_simd::Simd;

/// Items that will be together under one slot, with a second buffer of the same length.
pub(super) struct Part<'a> {
    pub(super) records: &'a mut [Record],
    spare: &'a mut [Record],
    pub(super) bounds: Extent,
    /// Of the doubled centres.
    centers: Extent,
    /// The surface of the bounds.
    pub(super) measure: f32,
    /// How often the whole has been split to get here.
    splits: u32,
}

/// How many slots two parts may take, and how many items go into one.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub(super) slots: usize,
    pub(super) of: usize,
}

impl Room {
    /// How many slots so many items take at least.
    #[inline(always)]
    pub(super) fn needed(&self, items: usize) -> usize {
        // Where items may go as deep as they like, nothing is to be divided.
        if self.of == usize::MAX { 1 } else { items.div_ceil(self.of) }
    }

    #[inline(always)]
    fn holds(&self, left: usize, right: usize) -> bool {
        self.needed(left) + self.needed(right) <= self.slots
    }
}

impl<'a> Part<'a> {
    /// The part of these records, looked through once.
    pub(super) fn new(records: &'a mut [Record], spare: &'a mut [Record], splits: u32, plane: bool) -> Self {
        let (mut bounds, mut centers) = (Extent::EMPTY, Extent::EMPTY);
        for record in records.iter() {
            bounds.include(&record.0);
            centers.include(&record.doubled_center::<false>());
        }
        Part { records, spare, bounds, centers, measure: bounds.measure(plane), splits }
    }

    /// Two parts of one that has two items or more. Both have `room`, or it is parted in the `middle`; so it is when it has been split as often as
    /// is allowed. `numbers` is memory for as many bytes as there are items.
    #[inline(always)]
    pub(super) fn halves<S: Simd>(
        self,
        simd: S,
        (split_limit, plane): (u32, bool),
        (middle, room): (usize, Room),
        numbers: &mut [u8],
    ) -> (Part<'a>, Part<'a>) {
        let part = self;
        let (mut axis, mut size) = (0, part.centers.size(0));
        for other in 1..3 {
            if size < part.centers.size(other) {
                (axis, size) = (other, part.centers.size(other));
            }
        }
        let (spread, along) = (0.0 < size, (axis, size));
        if split_limit <= part.splits || !spread {
            return part.parted_at(middle, axis, plane);
        }
        let split = (middle, room);
        match (part.bounds.is_near(), part.records.len()) {
            (true, ..=48) => binned::<8, 1, true, _>(simd, part, along, split, plane, numbers),
            (true, ..=512) => binned::<16, 2, true, _>(simd, part, along, split, plane, numbers),
            (true, _) => binned::<16, 4, true, _>(simd, part, along, split, plane, numbers),
            (false, _) => binned::<16, 1, false, _>(simd, part, along, split, plane, numbers),
        }
    }

    /// The part of the records of some bins.
    #[inline(always)]
    fn of(records: &'a mut [Record], spare: &'a mut [Record], bin: &Bin, splits: u32, plane: bool) -> Self {
        let (bounds, centers) = (bin.bounds, bin.centers);
        Part { records, spare, bounds, centers, measure: bounds.measure(plane), splits }
    }

    /// Splits before bin `border`, given the bin of each record; `left` and `right` are the sums of the bins on both sides.
    #[inline(always)]
    fn parted(
        self,
        numbers: &[u8],
        border: u8,
        [left, right]: [&Bin; 2],
        plane: bool,
    ) -> (Part<'a>, Part<'a>) {
        let Part { records, spare, splits, .. } = self;
        let (mut start, mut end) = (0, spare.len());
        for (record, number) in records.iter().zip(numbers) {
            let to_left = *number < border;
            end -= usize::from(!to_left);
            let place = if to_left { start } else { end };
            start += usize::from(to_left);
            if let Some(place) = spare.get_mut(place) {
                *place = *record;
            }
        }
        // The records are in the other buffer now.
        let (records_left, records_right) = spare.split_at_mut((left.count as usize).min(records.len()));
        let (spare_left, spare_right) = records.split_at_mut(records_left.len());
        (
            Part::of(records_left, spare_left, left, splits + 1, plane),
            Part::of(records_right, spare_right, right, splits + 1, plane),
        )
    }

    /// The first `half` along the axis and the others, the index having the last word.
    fn parted_at(self, half: usize, axis: usize, plane: bool) -> (Part<'a>, Part<'a>) {
        let half = half.min(self.records.len());
        if half < self.records.len() {
            // The order is total, so what comes to the left is certain, however the selection works.
            self.records.select_nth_unstable_by(half, |a, b| {
                let along = |record: &Record| record.doubled_center_along::<false>(axis);
                along(a).total_cmp(&along(b)).then(a.item().cmp(&b.item()))
            });
        }
        let (left, right) = self.records.split_at_mut(half);
        let (spare_left, spare_right) = self.spare.split_at_mut(half);
        (
            Part::new(left, spare_left, self.splits + 1, plane),
            Part::new(right, spare_right, self.splits + 1, plane),
        )
    }
}

/// Splits a part where it costs least, along an axis along which its centres have this size.
///
/// Neighbours in the list often fall into one bin, and each would wait for the one before to come back from memory: in large parts
/// two or four in a row each have a set of bins of their own.
#[inline(always)]
fn binned<'a, const BINS: usize, const SETS: usize, const NEAR: bool, S: Simd>(
    simd: S,
    part: Part<'a>,
    (axis, size): (usize, f32),
    (middle, room): (usize, Room),
    plane: bool,
    numbers: &mut [u8],
) -> (Part<'a>, Part<'a>) {
    let last = BINS as u32 - 1;
    let binning = Binning { axis, first: part.centers.low(axis), per_length: last as f32 / size, mask: last };
    let mut sets = [[Bin::EMPTY; BINS]; SETS];
    let Some(numbers) = numbers.get_mut(..part.records.len()) else {
        return part.parted_at(middle, axis, plane);
    };
    // The number of each record's bin is kept: to split them takes another look at it.
    let (several, rest) = part.records.as_chunks::<SETS>();
    let (several_numbers, rest_numbers) = numbers.as_chunks_mut::<SETS>();
    for (records, numbers) in several.iter().zip(several_numbers) {
        for k in 0..SETS {
            numbers[k] = binning.of::<NEAR>(&records[k]);
            sets[k][usize::from(numbers[k]) % BINS].take::<NEAR, S>(simd, &records[k]);
        }
    }
    let Some((bins, others)) = sets.split_first_mut() else { return part.parted_at(middle, axis, plane) };
    for (record, number) in rest.iter().zip(rest_numbers) {
        *number = binning.of::<NEAR>(record);
        bins[usize::from(*number) % BINS].take::<NEAR, S>(simd, record);
    }
    for other in others.iter() {
        for (bin, other) in bins.iter_mut().zip(other) {
            bin.add(simd, other);
        }
    }
    // What everything from bin k on costs, then everything before it.
    let mut costs_behind = [(0, 0.0); BINS];
    let mut behind = Bin::EMPTY;
    for k in (1..BINS).rev() {
        behind.add(simd, &bins[k]);
        costs_behind[k] = (behind.count, behind.cost(plane));
    }
    let mut before = Bin::EMPTY;
    let mut best: Option<(usize, f32)> = None;
    for k in 1..BINS {
        before.add(simd, &bins[k - 1]);
        let (left, (right, cost_right)) = (before.count, costs_behind[k]);
        if left == 0 || right == 0 || !room.holds(left as usize, right as usize) {
            continue;
        }
        let cost = before.cost(plane) + cost_right;
        // NaN and infinity never are the best.
        if cost < best.map_or(f32::INFINITY, |(_, least)| least) {
            best = Some((k, cost));
        }
    }
    let Some((border, _)) = best else { return part.parted_at(middle, axis, plane) };
    let (mut left, mut right) = (Bin::EMPTY, Bin::EMPTY);
    for bin in &bins[..border] {
        left.add(simd, bin);
    }
    for bin in &bins[border..] {
        right.add(simd, bin);
    }
    part.parted(numbers, border as u8, [&left, &right], plane)
}

/// Which bin a centre falls into.
struct Binning {
    axis: usize,
    first: f32,
    /// From the first bin to the last over the whole length.
    per_length: f32,
    /// The last bin: all bits of the numbers of bins.
    mask: u32,
}

impl Binning {
    /// Adding 2²³, beyond which there are no fractions, rounds to whole numbers, which are the last bits then. So bins
    /// have their middles at whole numbers, and the first and the last are half as wide; clamping and
    /// casting would take twice the instructions. What is no number, for lengths whose reciprocal overflows, has zeros there.
    #[inline(always)]
    fn of<const NEAR: bool>(&self, record: &Record) -> u8 {
        const WHOLE: f32 = 8_388_608.0;
        let along = record.doubled_center_along::<NEAR>(self.axis) - self.first;
        ((along * self.per_length + WHOLE).to_bits() & self.mask) as u8
    }
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Bin {
    bounds: Extent,
    centers: Extent,
    count: u32,
}

impl Bin {
    const EMPTY: Bin = Bin { bounds: Extent::EMPTY, centers: Extent::EMPTY, count: 0 };

    #[inline(always)]
    fn take<const NEAR: bool, S: Simd>(&mut self, simd: S, record: &Record) {
        self.bounds.include_in_lanes(simd, &record.0);
        self.centers.include_in_lanes(simd, &record.doubled_center::<NEAR>());
        self.count += 1;
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, other: &Bin) {
        self.bounds.include_in_lanes(simd, &other.bounds);
        self.centers.include_in_lanes(simd, &other.centers);
        self.count += other.count;
    }

    /// The surface times the number of items, rounded up to full quarters of a node: a node that is
    /// half empty costs as much as a full one.
    #[inline(always)]
    fn cost(&self, plane: bool) -> f32 {
        self.bounds.measure(plane) * (self.count.div_ceil(4) as f32)
    }
}
