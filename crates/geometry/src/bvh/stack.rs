//! The stack of a traversal: on the machine stack as long as that suffices, and it does for most trees;
//! beyond that it spills, so that no depth can overflow it.

/// How many entries are held without allocating. A traversal leaves up to seven entries behind a level: nine full levels, 10⁸
/// boxes. More would take longer to clear than a small traversal takes.
const INLINE: usize = 64;

pub(crate) struct Stack<E> {
    inline: [E; INLINE],
    count: usize,
    spilled: Vec<E>,
}

impl<E: Copy> Stack<E> {
    /// A stack with one entry.
    #[inline]
    pub(crate) fn with(entry: E) -> Self {
        Stack { inline: [entry; INLINE], count: 1, spilled: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: E) {
        match self.inline.get_mut(self.count) {
            Some(place) => {
                *place = entry;
                self.count += 1;
            }
            None => self.spilled.push(entry),
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<E> {
        if let Some(entry) = self.spilled.pop() {
            return Some(entry);
        }
        self.count = self.count.checked_sub(1)?;
        self.inline.get(self.count).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_reverse_beyond_the_inline_part() {
        let mut stack = Stack::with(0);
        for entry in 1..1000 {
            stack.push(entry);
        }
        for entry in (0..1000).rev() {
            assert_eq!(stack.pop(), Some(entry));
        }
        assert_eq!(stack.pop(), None);
    }
}
