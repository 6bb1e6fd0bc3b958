//! What was proved about a pair at one place, and holds for all places nearby.
//!
//! Let c be the centre of b and R its rotation, as a sees them. From one place to another a point of b at the distance r from c moves, in the frame of a,
//! by at most
//!
//! ```text
//! d(r) = |c′ − c| + ‖R′ − R‖·r
//! ```
//!
//! (‖R′ − R‖ = 2 sin(θ/2) for a turn by θ, the root of half the sum of the squares of its entries.) With the radius of b for r, b was farther away than d
//! and the limit together, and it is still beyond the limit; and if it overlapped a by more than d, it still does. No support point is asked
//! for. How deep it does is left to [a shell](super::shell), which is made when a pair was asked about before and overlapped then, too.

use super::cache::Winner;
use super::search::Search;
use super::shell::Shell;
use super::{EdgeAxes, Overlap, Solid};
use crate::gjk::{Posed, Space, Support};
use carom_math::{Number, Vector, power_of_two};
use core::sync::atomic::{AtomicU64, Ordering};

/// Tells solids apart for as long as the program runs: equal ones may have different names, but never the other way around.
pub(crate) type Name = [u64; 4];

/// A number that no other solid has. No answer depends on it, so that it does not matter which thread comes first.
pub(crate) fn new_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The name of what has a number and is multiplied by a factor.
pub(crate) fn name_by_number(number: u64, factor: f64) -> Name {
    [0, number, factor.to_bits(), 0]
}

/// The name of what three sizes describe.
pub(super) fn name_by_sizes(sizes: [f64; 3]) -> Name {
    let [x, y, z] = sizes.map(f64::to_bits);
    [1, x, y, z]
}

/// Where b was.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place<V> {
    columns: [V; 3],
    center: V,
}

impl<V: Vector<Scalar = f64>> Place<V> {
    fn of<B: Support<V>>(b: &Posed<B, V>) -> Self {
        Place { columns: *b.columns(), center: b.center() }
    }

    /// How far a point moved from there to here, rounding included, that is so far from the centre of b.
    fn motion<B: Support<V>>(&self, b: &Posed<B, V>, from_center: f64) -> f64 {
        let mut squares = 0.0;
        for (from, to) in self.columns.iter().zip(b.columns()) {
            squares += (*to - *from).length_squared();
        }
        let motion = (b.center() - self.center).length() + (0.5 * squares).sqrt() * from_center;
        motion * (1.0 + power_of_two(-40))
    }
}

/// What is known about a pair, from the questions before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearby<V> {
    names: [Option<Name>; 2],
    place: Place<V>,
    /// How deep they overlapped there at least, or, negative, how far apart they were; 0 for what is not known.
    depth: f64,
    shell: Shell,
    /// The axis of the shell.
    winner: Winner,
    /// Overlaps that are searched for before the next shell is made: more of them each time that it was of little use.
    wait: u8,
    patience: u8,
    answered: u8,
}

/// How often overlaps are searched for before the first shell, and answers that are worth one.
const PATIENCE: u8 = 1;
const USEFUL: u8 = 4;

impl<V: Vector<Scalar = f64>> Nearby<V> {
    pub(super) const NOTHING: Self = Nearby {
        names: [None; 2],
        place: Place { columns: [V::ZERO; 3], center: V::ZERO },
        depth: 0.0,
        shell: Shell::NONE,
        winner: Winner::FaceOfA(0),
        wait: PATIENCE,
        patience: PATIENCE,
        answered: 0,
    };

    /// How deep they overlap at least; negative when they are at least so far apart, and 0 for what is not known.
    #[inline]
    pub(super) fn depth<A: Solid<V>, B: Solid<V>>(&mut self, a: &A, b: &Posed<B, V>) -> f64 {
        let names = [a.name(), b.core().name()];
        if self.names != names {
            *self = Nearby { names, ..Self::NOTHING };
        }
        if self.depth == 0.0 || names[0].is_none() || names[1].is_none() {
            return 0.0;
        }
        let motion = self.place.motion(b, b.core().outer_radius());
        if self.depth < 0.0 { (self.depth + motion).min_of(0.0) } else { (self.depth - motion).max_of(0.0) }
    }

    /// They are here, and overlap at least so deep, or are at least so far apart.
    pub(super) fn keep<B: Solid<V>>(&mut self, b: &Posed<B, V>, depth: f64) {
        (self.place, self.depth) = (Place::of(b), depth);
        self.shell.has_distances = false;
    }
}

impl<V: Space + EdgeAxes> Nearby<V> {
    /// The least overlap, if the shell tells.
    pub(super) fn overlap<'a, A: Solid<V>, B: Solid<V>>(
        &mut self,
        a: &'a A,
        b: &'a Posed<B, V>,
    ) -> Option<Overlap<'a, A, B, V>> {
        if !self.shell.is_some() {
            return None;
        }
        let mut search = Search::new(a, b)?;
        let is_named = self.names.iter().all(Option::is_some);
        let motion = if is_named { self.place.motion(b, b.core().outer_radius()) } else { f64::INFINITY };
        self.shell.is_new = false;
        if let Some(least) = V::least_by_shell(&mut search, &mut self.shell, (self.winner, motion)) {
            if self.shell.is_new {
                (self.place, self.depth) = (Place::of(b), least.overlap - search.error);
            }
            self.winner = search.memory(&least).winner;
            self.answered = self.answered.saturating_add(1);
            return Some(Overlap { search, least });
        }
        self.shell = Shell::NONE;
        self.patience = if self.answered < USEFUL { self.patience.saturating_mul(2) } else { PATIENCE };
        self.wait = if self.answered < USEFUL { self.patience } else { 0 };
        None
    }

    /// They overlap like this, as the search found.
    pub(super) fn watch<A: Solid<V>, B: Solid<V>>(&mut self, found: &Overlap<'_, A, B, V>) {
        let Overlap { search, least } = found;
        self.keep(search.b, (least.overlap - search.error).max_of(0.0));
        if 0 < self.wait {
            self.wait -= 1;
            return;
        }
        (self.winner, self.answered) = (search.memory(least).winner, 0);
        if !V::make_shell(search, &mut self.shell, least) {
            self.patience = self.patience.saturating_mul(2);
            self.wait = self.patience;
        }
    }
}
