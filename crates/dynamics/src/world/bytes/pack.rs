//! Compression: what was there before is named instead of repeated (Lempel and Ziv, 1977).
//!
//! Packed bytes are a sequence of: how many literals follow (a varint), the literals, the length of a copy less 3 (a
//! varint; 0 ends the sequence), and how far back the copy begins (a varint; 0 for as far as the last long one). Copies may
//! reach into a *dictionary* that both sides have: the difference of two states is the later one, packed with the earlier
//! one as its dictionary. Where little has changed, copies are long and always reach back equally far.
//!
//! Varints have 7 bits a byte, lowest first; the top bit says that more follow.

/// A copy is at least so long.
const LEAST: usize = 4;
/// A copy within the text is at most so long, so that few bytes cannot stand for very many.
const MOST: usize = 1024;
/// How much more than the packed bytes, times this, and than twice the dictionary there is at most. What is packed is
/// filled up with zeros where that would be exceeded.
const RATIO: usize = 16;
/// The distance of a copy that is at least so long is likely to be used again.
const LONG: usize = 32;
/// A copy from the dictionary that is so long tells where the text is in it.
const HOME: usize = 512;
/// The most places in a table of texts, as a power of two; there are as many as the text is long otherwise.
const LARGEST_TABLE: u32 = 22;

/// Appends a varint.
pub(super) fn put_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// How many bytes a varint takes.
fn varint_length(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()).div_ceil(7).max(1) as usize
}

/// Takes a varint from the front; `None` when there is none or it has more than 64 bits.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
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

/// The most that so many packed bytes may stand for.
pub(super) fn limit(packed: usize, dictionary: usize) -> usize {
    packed.saturating_mul(RATIO).saturating_add(dictionary.saturating_mul(2))
}

/// Where each text of `N` bytes was last, up to collisions.
struct Recent<const N: usize> {
    table: Vec<u32>,
    shift: u32,
}

impl<const N: usize> Recent<N> {
    fn new(length: usize) -> Self {
        let bits = (usize::BITS - length.leading_zeros()).clamp(8, LARGEST_TABLE);
        Recent { table: vec![u32::MAX; 1 << bits], shift: 64 - bits }
    }
    fn key(&self, all: &[u8], at: usize) -> Option<usize> {
        let text = all.get(at..)?.first_chunk::<N>()?;
        let mut word = [0; 8];
        word[..N].copy_from_slice(text);
        Some((u64::from_le_bytes(word).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize)
    }
    /// Where the text at a place may have been.
    fn find(&self, all: &[u8], at: usize) -> Option<usize> {
        let before = *self.table.get(self.key(all, at)?)?;
        (before != u32::MAX).then_some(before as usize)
    }
    /// The same; from now on it is there.
    fn replace(&mut self, all: &[u8], at: usize) -> Option<usize> {
        let key = self.key(all, at)?;
        let before = core::mem::replace(self.table.get_mut(key)?, at as u32);
        (before != u32::MAX).then_some(before as usize)
    }
}

/// Packs a text, given a dictionary.
pub(super) fn pack(text: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let all = [dictionary, text].concat();
    // Where four bytes of the text were last, and where eight were: in a large text four are found almost anywhere. In
    // the dictionary, where eight were first: where much is alike, the longest copy begins there.
    let (mut short, mut long) = (Recent::<4>::new(text.len()), Recent::<8>::new(text.len()));
    let mut known = Recent::<8>::new(dictionary.len());
    for at in (0..dictionary.len()).rev() {
        known.replace(&all, at);
    }
    // How long the text at two places is the same.
    let same = |at: usize, before: usize| {
        let most = if before < dictionary.len() { usize::MAX } else { MOST };
        let pairs = all.iter().skip(at).zip(all.iter().skip(before));
        pairs.take(most).take_while(|(a, b)| a == b).count()
    };
    let mut packed = Vec::new();
    let (mut at, mut from, mut last) = (dictionary.len(), dictionary.len(), dictionary.len());
    // How far back the text of the dictionary is that this one follows, as far as is known: where everything looks alike,
    // other places match as well, but not for long.
    let mut home = dictionary.len();
    while at < all.len() {
        let found = [known.find(&all, at), long.replace(&all, at), short.replace(&all, at)];
        // As far back as last time is the cheapest.
        let again = at.checked_sub(last).filter(|_| 0 < last);
        let (mut length, mut before) = (0, 0);
        let at_home = at.checked_sub(home).filter(|_| 0 < home);
        for candidate in [again, at_home].into_iter().chain(found).flatten() {
            let candidate_length = same(at, candidate);
            // What names the copy must be shorter than the copy.
            let distance = at - candidate;
            let pays = distance == last || 2 + varint_length(distance) < candidate_length;
            if pays && length < candidate_length {
                (length, before) = (candidate_length, candidate);
            }
        }
        if length < LEAST {
            at += 1;
            continue;
        }
        put_varint(&mut packed, (at - from) as u64);
        packed.extend_from_slice(all.get(from..at).unwrap_or_default());
        put_varint(&mut packed, (length - LEAST + 1) as u64);
        let distance = at - before;
        put_varint(&mut packed, if distance == last { 0 } else { distance as u64 });
        if LONG <= length {
            last = distance;
        }
        if before < dictionary.len() && HOME <= length {
            home = distance;
        }
        for passed in at + 1..at + length {
            short.replace(&all, passed);
            long.replace(&all, passed);
        }
        at += length;
        from = at;
    }
    put_varint(&mut packed, (all.len() - from) as u64);
    packed.extend_from_slice(all.get(from..).unwrap_or_default());
    packed.push(0);
    while limit(packed.len(), dictionary.len()) < text.len() {
        packed.push(0);
    }
    packed
}

/// Unpacks a text of so many bytes; `None` when that is not what was packed.
pub(super) fn unpack(packed: &[u8], dictionary: &[u8], length: usize) -> Option<Vec<u8>> {
    if limit(packed.len(), dictionary.len()) < length {
        return None;
    }
    let mut rest = packed;
    let mut text: Vec<u8> = Vec::new();
    let mut last = dictionary.len();
    loop {
        let literals = usize::try_from(take_varint(&mut rest)?).ok()?;
        let (literal, after) = rest.split_at_checked(literals)?;
        if length < text.len() + literals {
            return None;
        }
        text.extend_from_slice(literal);
        rest = after;
        let copied = usize::try_from(take_varint(&mut rest)?).ok()?;
        if copied == 0 {
            return (text.len() == length).then_some(text);
        }
        let copied = copied.checked_add(LEAST - 1)?;
        if length - text.len() < copied {
            return None;
        }
        let distance = match usize::try_from(take_varint(&mut rest)?).ok()? {
            0 => last,
            distance => distance,
        };
        if LONG <= copied {
            last = distance;
        }
        let mut from = (dictionary.len() + text.len()).checked_sub(distance).filter(|_| 0 < distance)?;
        let mut left = copied;
        // In runs: first what the dictionary has, then what the text has, which may be about to be written.
        while 0 < left {
            let source = if from < dictionary.len() {
                dictionary.get(from..)?
            } else {
                text.get(from - dictionary.len()..)?
            };
            let run = left.min(source.len());
            let piece = source.get(..run)?.to_vec();
            text.extend_from_slice(&piece);
            from += run;
            left -= run;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(count: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let next = |_| {
            state = state.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
            (state >> 24) as u8
        };
        (0..count).map(next).collect()
    }

    #[test]
    fn texts_come_back() {
        let random = noise(5000, 1);
        let repeated = random[..100].repeat(40);
        let texts =
            [vec![], vec![7], vec![0; 100_000], random.clone(), repeated, b"abcabcabcabcabcabc".to_vec()];
        for text in &texts {
            for dictionary in &texts {
                let packed = pack(text, dictionary);
                assert_eq!(unpack(&packed, dictionary, text.len()).as_ref(), Some(text));
                assert!(packed.len() <= text.len() + 16);
            }
        }
    }

    #[test]
    fn what_has_hardly_changed_takes_hardly_any_room() {
        let before = noise(1_000_000, 3);
        let mut after = before.clone();
        for k in 0..100 {
            after[k * 9973] ^= 0x55;
        }
        let packed = pack(&after, &before);
        assert!(packed.len() < 100 * 16, "{}", packed.len());
        assert_eq!(unpack(&packed, &before, after.len()), Some(after));
    }

    #[test]
    fn whatever_is_unpacked_it_ends() {
        let dictionary = noise(300, 9);
        let text = noise(100, 4).repeat(3);
        let packed = pack(&text, &dictionary);
        for cut in 0..packed.len() {
            assert_eq!(unpack(&packed[..cut], &dictionary, text.len()), None);
        }
        for seed in 0..2000 {
            let hostile = noise(40, seed);
            let unpacked = unpack(&hostile, &dictionary, 500);
            assert!(unpacked.is_none_or(|text| text.len() == 500));
        }
        // A few bytes that stand for very many.
        assert_eq!(unpack(&[1, 0, 0xff, 0xff, 0xff, 0xff, 0x7f, 1], &[], 1 << 40), None);
    }
}
