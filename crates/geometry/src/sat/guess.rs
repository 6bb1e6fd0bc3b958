//! A first axis, and points of the pair that rule out others.

use super::cache::{Memory, Winner};
use super::filter::SEEN;
use super::search::Search;
use super::{Least, Solid};
use crate::gjk::{Posed, Space, Support};
use carom_math::{Number, Vector};

/// The overlap along some axis, and points of the pair that are far out: they rule out axes that are worse,
/// and change no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess<V> {
    pub(crate) overlap: f64,
    /// Axes that belong to faces.
    pub(super) known: [Option<Least<V>>; 2],
    pub(super) of_a: Seen<V>,
    pub(super) of_b: Seen<V>,
}

impl<V: Space> Guess<V> {
    /// Along a direction of any length.
    #[inline]
    pub(crate) fn along<B: Support<V>>(a: &impl Support<V>, b: &Posed<B, V>, direction: V) -> Self {
        let ((point_a, number_a), (point_b, number_b)) = (a.support(direction), b.support(-direction));
        let overlap = direction.dot(point_a - point_b) / direction.length();
        let mut guess = Guess { overlap, known: [None; 2], of_a: Seen::NONE, of_b: Seen::NONE };
        guess.of_a.add(b.taken_back(point_a), number_a);
        guess.of_b.add(point_b, number_b);
        guess
    }

    /// Along the axis that was best before, with the points that ruled out others then.
    pub(crate) fn recalled<A: Solid<V>, B: Solid<V>>(
        a: &A,
        b: &Posed<B, V>,
        memory: &Memory,
    ) -> Option<Self> {
        let mut search = Search::new(a, b)?;
        for &number in memory.of_a.iter().take(usize::from(memory.count_a)) {
            search.of_a.add(b.taken_back(a.vertex(number)), number);
        }
        for &number in memory.of_b.iter().take(usize::from(memory.count_b)) {
            search.of_b.add(b.placed(b.core().vertex(number)), number);
        }
        let known = match memory.winner {
            Winner::FaceOfA(face) if (face as usize) < a.face_count() => {
                search.of_face_of_a(face as usize, &mut ())
            }
            Winner::FaceOfB(face) if (face as usize) < b.core().face_count() => {
                search.of_face_of_b(face as usize, &mut ())
            }
            Winner::Edges(of_a, of_b) => {
                let (of_a, of_b) = (a.edge(of_a as usize)?, b.core().edge(of_b as usize)?);
                let guess = Guess::along(a, b, of_a.outwards_across(b.turned(of_b.along)));
                search.of_a.add(guess.of_a.points[0], guess.of_a.numbers[0]);
                search.of_b.add(guess.of_b.points[0], guess.of_b.numbers[0]);
                let guess = Guess { of_a: search.of_a, of_b: search.of_b, ..guess };
                return (guess.overlap < f64::INFINITY).then_some(guess);
            }
            _ => return None,
        };
        let known = [Some(known), None];
        Some(Guess { overlap: known[0]?.overlap, known, of_a: search.of_a, of_b: search.of_b })
    }

    /// Along the face of each that is nearest to the centre of the other; only that of a, if the overlap along it
    /// is below `enough` already.
    pub(crate) fn first<A: Solid<V>, B: Solid<V>>(a: &A, b: &Posed<B, V>, enough: f64) -> Option<Self> {
        let mut search = Search::new(a, b)?;
        let of_a = search.of_face_of_a(a.nearest_face(search.between), &mut ());
        let (mut overlap, mut known) = (of_a.overlap, [Some(of_a), None]);
        if enough <= overlap {
            let of_b = search.of_face_of_b(b.core().nearest_face(search.back), &mut ());
            (overlap, known[1]) = (of_b.overlap.min_of(overlap), Some(of_b));
        }
        Some(Guess { overlap, known, of_a: search.of_a, of_b: search.of_b })
    }

    /// The axis with the least overlap of those that belong to faces, if there are any.
    pub(crate) fn normal(&self) -> Option<V> {
        self.least()?.direction.normalized()
    }

    /// That axis.
    pub(super) fn least(&self) -> Option<Least<V>> {
        let mut least = self.known[0]?;
        if let Some(other) = self.known[1] {
            least.improve(other);
        }
        Some(least)
    }
}

/// The last few support points of a polytope, with their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<V> {
    points: [V; SEEN],
    pub(super) numbers: [u32; SEEN],
    pub(super) count: usize,
}

impl<V: Vector<Scalar = f64>> Seen<V> {
    pub(super) const NONE: Self = Seen { points: [V::ZERO; SEEN], numbers: [0; SEEN], count: 0 };

    /// In place of the oldest, if there are too many; nothing new for one that is there.
    pub(super) fn add(&mut self, point: V, number: u32) {
        if !self.numbers[..self.count.min(SEEN)].contains(&number) {
            self.points[self.count % SEEN] = point;
            self.numbers[self.count % SEEN] = number;
            self.count += 1;
        }
    }
    #[inline]
    pub(super) fn points(&self) -> &[V] {
        &self.points[..self.count.min(SEEN)]
    }
    /// Those that came after the first `count`, as far as they are still there.
    #[inline]
    pub(super) fn since(&self, count: usize) -> impl Iterator<Item = V> + '_ {
        (count.max(self.count.saturating_sub(SEEN))..self.count).map(|index| self.points[index % SEEN])
    }
}
