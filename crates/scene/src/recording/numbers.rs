//! Numbers as bytes: varints, predicted floats, and the poses of all bodies in one step.

/// The numbers of a pose: 4 of them in the plane, 7 in space.
pub(super) type Numbers = [f32; 7];

/// Appends a number, 7 bits a byte, lowest first.
pub(super) fn write_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends a number of either sign, zigzag: near zero is short.
pub(super) fn write_signed(bytes: &mut Vec<u8>, number: i32) {
    write_varint(bytes, u64::from((number << 1 ^ number >> 31) as u32));
}

/// Content that is read from its beginning.
#[derive(Clone, Debug)]
pub(super) struct Bytes<'a> {
    pub(super) rest: &'a [u8],
}

impl Bytes<'_> {
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*first)
    }
    /// `None` when there is none, or it has more than 64 bits.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.take()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && 1 < bits {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
    /// A varint that fits an index.
    pub(super) fn index(&mut self) -> Option<u32> {
        self.varint().and_then(|number| u32::try_from(number).ok())
    }
    /// What `write_signed` wrote.
    pub(super) fn signed(&mut self) -> Option<i32> {
        let zigzag = self.index()?;
        Some((zigzag >> 1) as i32 ^ -((zigzag & 1) as i32))
    }
}

/// The place of a number among all, so that neighbours are neighbours; wraps around between the largest and the
/// smallest NaN.
fn rank(number: f32) -> i32 {
    let bits = number.to_bits() as i32;
    // Negative numbers are ordered the other way round.
    if bits < 0 { i32::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

fn number_of_rank(rank: i32) -> f32 {
    let bits = if rank < 0 { i32::MIN.wrapping_sub(rank.wrapping_add(1)) } else { rank };
    f32::from_bits(bits as u32)
}

/// What is expected after b and a.
fn expected(a: f32, b: f32) -> f32 {
    let line = a + (a - b);
    if line.is_finite() { line } else { a }
}

/// The distance from what was expected.
pub(super) fn write_number(bytes: &mut Vec<u8>, number: f32, [a, b]: [f32; 2]) {
    write_signed(bytes, rank(number).wrapping_sub(rank(expected(a, b))));
}

pub(super) fn read_number(bytes: &mut Bytes<'_>, [a, b]: [f32; 2]) -> Option<f32> {
    Some(number_of_rank(rank(expected(a, b)).wrapping_add(bytes.signed()?)))
}

/// The poses of all bodies in a step, by ascending index.
#[derive(Clone, Debug, Default)]
pub(super) struct Poses {
    /// How many numbers a pose has.
    pub(super) count: usize,
    pub(super) of: Vec<(u32, Numbers)>,
}

impl Poses {
    pub(super) fn new(count: usize, poses: impl Iterator<Item = (u32, Numbers)>) -> Self {
        Poses { count, of: poses.collect() }
    }
}

/// What is known about the bodies that are there: their poses now and one step before, by ascending index.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    bodies: Vec<(u32, [Numbers; 2])>,
}

impl Past {
    pub(super) fn get(&self, index: u32) -> Option<[Numbers; 2]> {
        let at = self.bodies.binary_search_by_key(&index, |(index, _)| *index).ok()?;
        self.bodies.get(at).map(|(_, poses)| *poses)
    }
    pub(super) fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.bodies.iter().map(|(index, _)| *index)
    }
    /// Goes on by a step. Both lists ascend; who is in neither has not moved.
    pub(super) fn advance(&mut self, gone: &[u32], moved: &[(u32, Numbers)]) {
        let before = core::mem::take(&mut self.bodies);
        let (mut gone, mut moved) = (gone.iter().peekable(), moved.iter().peekable());
        for (index, [last, _]) in before {
            while let Some((new, pose)) = moved.next_if(|(next, _)| *next < index) {
                self.bodies.push((*new, [*pose; 2]));
            }
            while gone.next_if(|next| **next < index).is_some() {}
            let moved = moved.next_if(|(next, _)| *next == index);
            match (moved, gone.peek() == Some(&&index)) {
                (Some((_, pose)), true) => self.bodies.push((index, [*pose; 2])),
                (Some((_, pose)), false) => self.bodies.push((index, [*pose, last])),
                (None, true) => {}
                (None, false) => self.bodies.push((index, [last; 2])),
            }
        }
        self.bodies.extend(moved.map(|(new, pose)| (*new, [*pose; 2])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_the_order_of_numbers_and_lead_back() {
        let numbers = [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.5,
            -1.0,
            -1e-45,
            -0.0,
            0.0,
            1e-45,
            1.0,
            1.5,
            f32::MAX,
            f32::INFINITY,
        ];
        for pair in numbers.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
        assert_eq!((rank(-0.0), rank(0.0)), (-1, 0));
        for bits in [0, 1, 0x7fc0_0000, 0x8000_0000, 0xffff_ffff, 0x3f80_0000, 0xbf80_0000_u32] {
            assert_eq!(number_of_rank(rank(f32::from_bits(bits))).to_bits(), bits);
        }
    }

    #[test]
    fn numbers_come_back_to_the_bit_and_what_was_expected_takes_a_byte() {
        let special = [0.0, -0.0, 1.0, -3.5, f32::MAX, f32::MIN, f32::NAN, f32::INFINITY, 1e-45];
        for number in special {
            for a in special {
                for b in special {
                    let mut bytes = Vec::new();
                    write_number(&mut bytes, number, [a, b]);
                    assert!(bytes.len() <= 5);
                    let read = read_number(&mut Bytes { rest: &bytes }, [a, b]).unwrap();
                    assert_eq!(read.to_bits(), number.to_bits());
                }
            }
        }
        let mut bytes = Vec::new();
        write_number(&mut bytes, 3.0, [2.0, 1.0]);
        assert_eq!(bytes, [0]);
    }

    #[test]
    fn the_past_is_that_of_a_map() {
        let pose = |number: f32| [number; 7];
        let mut past = Past::default();
        past.advance(&[], &[(1, pose(1.0)), (4, pose(4.0)), (9, pose(9.0))]);
        past.advance(&[4], &[(0, pose(0.5)), (1, pose(2.0)), (7, pose(7.0)), (12, pose(12.0))]);
        let found: Vec<_> =
            past.indices().map(|index| (index, past.get(index).unwrap().map(|p| p[0]))).collect();
        let expected =
            [(0, [0.5, 0.5]), (1, [2.0, 1.0]), (7, [7.0, 7.0]), (9, [9.0, 9.0]), (12, [12.0, 12.0])];
        assert_eq!(found, expected);
        assert_eq!(past.get(4), None);
    }

    #[test]
    fn varints_come_back_and_too_long_ones_are_refused() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, number);
            let mut bytes = Bytes { rest: &bytes };
            assert_eq!((bytes.varint(), bytes.rest.len()), (Some(number), 0));
        }
        assert_eq!(Bytes { rest: &[0xff; 11] }.varint(), None);
        assert_eq!(Bytes { rest: &[0x80, 0x80] }.varint(), None);
        assert_eq!(Bytes { rest: &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2] }.varint(), None);
    }
}
