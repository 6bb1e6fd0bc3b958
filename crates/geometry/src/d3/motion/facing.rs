//! What two polytopes in motion face each other with, for the search for their first touch.
//!
//! The proof that is made with a direction holds for any ([`certificate`](crate::motion::certificate)), so that the lean search for answers in `f32` will do, which begins at the
//! corners that it found a moment before. Frame: the axes of the world, about the centre of the first.

use super::super::pair::Body;
use crate::gjk::quick::{self, Cornered, Facing};
use crate::gjk::{Support, Vertex};
use crate::motion::chase::{Kept, Vertices};
use crate::pair::place::Turn;
use carom_math::{Mat3, Vec3, Vector};

/// A core where it is.
struct Placed<'a> {
    body: &'a Body<'a>,
    turn: Mat3<f64>,
    at: Vec3<f64>,
}

impl Cornered for Placed<'_> {
    #[inline(always)]
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize) {
        let (corner, number) = self.body.support(self.turn.undo(direction));
        (self.turn.apply(corner) + self.at, number as usize)
    }
    #[inline(always)]
    fn corner(&self, number: usize) -> Vec3<f64> {
        // Only polytopes are asked, see `facing`, and only for numbers of theirs.
        let corner = super::impact::corner_of(self.body, number as u32).unwrap_or(Vec3::ZERO);
        self.turn.apply(corner) + self.at
    }
    #[inline(always)]
    fn middle(&self) -> Vec3<f64> {
        self.turn.apply(self.body.center()) + self.at
    }
}

/// The unit vector from the first to the second where they are nearest, and the vertices there, which are kept; `None` where it takes another search: curved cores, and
/// what touches or overlaps.
#[inline(never)]
#[allow(clippy::type_complexity)] // one caller
pub(super) fn facing(
    [first, second]: [&Body<'_>; 2],
    [turn_a, turn_b]: [Mat3<f64>; 2],
    between: Vec3<f64>,
    error: f64,
    kept: &mut Option<Kept<Vec3<f64>>>,
) -> Option<(Vec3<f64>, [Vertex<Vec3<f64>>; 3], usize)> {
    if first.is_curved() || second.is_curved() {
        return None;
    }
    let a = Placed { body: first, turn: turn_a, at: Vec3::ZERO };
    let b = Placed { body: second, turn: turn_b, at: between };
    let known = kept.as_ref().and_then(Kept::vertices);
    let known = known.map_or(&[][..], |known| known.features.get(..known.warm.count).unwrap_or(&[]));
    let Facing { gap, corners, count } = quick::facing(&a, &b, error, known)?;
    let vertices = corners.map(|[of_a, of_b]| {
        Vertex::between((a.corner(of_a), of_a as u32), (b.corner(of_b), of_b as u32), Vec3::ZERO)
    });
    *kept = Some(Kept::Vertices(Vertices::at(&vertices[..count.min(3)])));
    Some((gap.normalized()?, vertices, count))
}
