//! The questions about a pair, asked about many pairs at once.
//!
//! | question | functions of [`d2`](crate::d2) and [`d3`](crate::d3) | what a batch gains |
//! |---|---|---|
//! | do they touch? | `intersects_batch` | lanes: most pairs never see the function for one pair |
//! | how deep, and where? | `contact_batch`, `contact_within_batch`, `manifold_batch`, `manifold_within_batch` | lanes for the pairs that are apart; those that touch go one by one |
//! | how far apart? | `distance_batch` | nothing but the loop: every pair goes one by one |
//! | when do they first touch? | `time_of_impact_batch` | nothing but the loop; pairs with motions for poses |
//!
//! One shape and many points or rays: `closest_point_batch`, `cast_rays`; straight motions: `cast_shapes`.
//!
//! **Same answers.** Each answer is the one that the function for a single pair gives, to the bit, at every
//! instruction set and whatever the other pairs are. That is so by construction: a *filter* in `f32` lanes
//! computes an interval that certainly holds the separation; a pair whose interval lies on one side of zero
//! is answered by its sign, which is what the exact separation has and what the function for one pair,
//! whose own error is a billionth of that of the filter, finds too. The rest, which is a handful, and
//! everything that is not finite, out of range or of another kind, is handed to that function. The proof
//! of the intervals stands in `filter`.
//!
//! **Kinds.** Balls, boxes and capsules have filters: ball–ball, ball–box, ball–capsule, capsule–capsule, capsule–box
//! and box–box. Slices may mix all kinds: pairs are sorted into one row a kind, of 64 pairs, on the stack. With
//! concrete shapes (`&[Ball<f32>]`) no kind is looked up at all.
//!
//! **Errors.** A bad pair has its own error in its own place and does not touch the others; in answers of one byte, those of
//! `intersects_batch`, that is `None`, and `intersects` says why. Nothing is allocated.

pub(crate) mod boxes;
pub(crate) mod filter;
pub(crate) mod gather;
pub(crate) mod query;
pub(crate) mod turn;

use crate::Error;

/// How many pairs of a kind are collected before the lanes go over them. A multiple of every width; half
/// and double make no difference to the time, and double leaves the first level of the cache.
pub(crate) const ROW: usize = 64;

/// Two shapes and their poses, borrowed. A slice of these is a [`Pairs`].
///
/// # Example
/// ```
/// use carom_geometry::batch::Pair;
/// use carom_geometry::d2::{Ball, Cuboid, intersects_batch};
/// use carom_math::Pose2;
///
/// let (ball, square) = (Ball::new(1.0)?, Cuboid::new([1.0, 1.0])?);
/// let (here, there) = (Pose2::IDENTITY, Pose2::at([2.0, 0.5]));
/// let pair = Pair { a: &ball, pose_a: &here, b: &square, pose_b: &there };
/// let mut answers = [None];
/// intersects_batch(&[pair][..], &mut answers)?;
/// assert_eq!(answers, [Some(true)]);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Debug)]
pub struct Pair<'a, A, B, P> {
    /// The first shape.
    pub a: &'a A,
    /// Where it is.
    pub pose_a: &'a P,
    /// The second shape.
    pub b: &'a B,
    /// Where it is.
    pub pose_b: &'a P,
}

impl<A, B, P> Clone for Pair<'_, A, B, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, B, P> Copy for Pair<'_, A, B, P> {}

/// A list of pairs, wherever they are kept: a slice of [`Pair`], the [`IndexedPairs`] of a broad phase, or a
/// layout of your own.
///
/// # Example
/// ```
/// use carom_geometry::batch::{Pair, Pairs};
/// use carom_geometry::{Error, d3::{Ball, intersects_batch}};
/// use carom_math::Pose3;
///
/// /// Every ball against the next one in a chain.
/// struct Chain<'a>(&'a [(Ball<f32>, Pose3<f32>)]);
///
/// impl Pairs for Chain<'_> {
///     type A = Ball<f32>;
///     type B = Ball<f32>;
///     type Pose = Pose3<f32>;
///     fn len(&self) -> usize {
///         self.0.len().saturating_sub(1)
///     }
///     fn pair(&self, index: usize) -> Result<Pair<'_, Ball<f32>, Ball<f32>, Pose3<f32>>, Error> {
///         match self.0.get(index..) {
///             Some([(a, pose_a), (b, pose_b), ..]) => Ok(Pair { a, pose_a, b, pose_b }),
///             _ => Err(Error::NoSuchIndex { what: "the chain", index, count: self.0.len() }),
///         }
///     }
/// }
///
/// let ball = Ball::new(1.0)?;
/// let beads = [0.0, 1.5, 4.0].map(|x| (ball, Pose3::at([x, 0.0, 0.0])));
/// let mut answers = [None; 2];
/// intersects_batch(&Chain(&beads), &mut answers)?;
/// assert_eq!(answers, [Some(true), Some(false)]);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub trait Pairs {
    /// The first shape of a pair: a concrete shape, or the enum of all.
    type A;
    /// The second shape of a pair.
    type B;
    /// The poses: `Pose2` or `Pose3`; motions for questions about those.
    type Pose;

    /// How many pairs there are.
    fn len(&self) -> usize;
    /// The pair with this index, which is below [`len`](Self::len), or why there is none. It may be asked
    /// for more than once, and must be the same each time.
    ///
    /// # Errors
    /// Whatever keeps the pair from being found: the error becomes the answer of the pair.
    #[allow(clippy::type_complexity)] // three names of one pair; a fourth would not help
    fn pair(&self, index: usize) -> Result<Pair<'_, Self::A, Self::B, Self::Pose>, Error>;
    /// There are no pairs.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<A, B, P> Pairs for [Pair<'_, A, B, P>] {
    type A = A;
    type B = B;
    type Pose = P;
    #[inline(always)]
    fn len(&self) -> usize {
        <[_]>::len(self)
    }
    #[inline(always)]
    fn pair(&self, index: usize) -> Result<Pair<'_, A, B, P>, Error> {
        self.get(index).copied().ok_or(Error::NoSuchIndex { what: "pairs", index, count: self.len() })
    }
}

/// What a broad phase has: arrays of shapes and of poses, and pairs of indices into them. Nothing is copied.
///
/// # Example
/// ```
/// use carom_geometry::batch::IndexedPairs;
/// use carom_geometry::d3::{Ball, Cuboid, Shape, intersects_batch};
/// use carom_math::Pose3;
///
/// let shapes: [Shape<f32>; 3] = [Ball::new(1.0)?.into(), Cuboid::new([1.0, 1.0, 1.0])?.into(), Ball::new(0.5)?.into()];
/// let poses = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [5.0, 0.0, 0.0]].map(Pose3::at);
/// let found = [[0, 1], [0, 2], [1, 2], [1, 7]];
/// let mut answers = vec![None; found.len()];
/// intersects_batch(&IndexedPairs::among(&shapes, &poses, &found), &mut answers)?;
/// assert_eq!(answers[..3], [Some(true), Some(false), Some(false)]);
/// assert_eq!(answers[3], None); // there is no shape number 7
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexedPairs<'a, A, B, P> {
    first: (&'a [A], &'a [P]),
    second: (&'a [B], &'a [P]),
    pairs: &'a [[u32; 2]],
}

impl<'a, S, P> IndexedPairs<'a, S, S, P> {
    /// Pairs among the shapes of one array: shape k is placed by pose k.
    pub fn among(shapes: &'a [S], poses: &'a [P], pairs: &'a [[u32; 2]]) -> Self {
        Self::between((shapes, poses), (shapes, poses), pairs)
    }
}

impl<'a, A, B, P> IndexedPairs<'a, A, B, P> {
    /// Pairs between the shapes of two arrays, each with its poses: the first index of a pair counts in the
    /// first array, the second in the second.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::batch::IndexedPairs;
    /// use carom_geometry::d2::{Ball, Cuboid, intersects_batch};
    /// use carom_math::Pose2;
    ///
    /// let (balls, walls) = ([Ball::new(1.0)?; 2], [Cuboid::new([0.5, 9.0])?]);
    /// let (at_balls, at_walls) = ([[0.0, 0.0], [3.0, 0.0]].map(Pose2::at), [Pose2::at([-1.25, 0.0])]);
    /// let pairs = IndexedPairs::between((&balls[..], &at_balls[..]), (&walls[..], &at_walls[..]), &[[0, 0], [1, 0]]);
    /// let mut answers = [None; 2];
    /// intersects_batch(&pairs, &mut answers)?;
    /// assert_eq!(answers, [Some(true), Some(false)]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn between(first: (&'a [A], &'a [P]), second: (&'a [B], &'a [P]), pairs: &'a [[u32; 2]]) -> Self {
        IndexedPairs { first, second, pairs }
    }

    #[cold]
    fn missing(&self, index: usize) -> Error {
        let Some(&[i, j]) = self.pairs.get(index) else {
            return Error::NoSuchIndex { what: "pairs", index, count: self.pairs.len() };
        };
        let (i, j) = (i as usize, j as usize);
        let lacking = |what, index, count| Error::NoSuchIndex { what, index, count };
        if self.first.0.len() <= i {
            lacking("the first index of the pair (its shape)", i, self.first.0.len())
        } else if self.first.1.len() <= i {
            lacking("the first index of the pair (its pose)", i, self.first.1.len())
        } else if self.second.0.len() <= j {
            lacking("the second index of the pair (its shape)", j, self.second.0.len())
        } else {
            lacking("the second index of the pair (its pose)", j, self.second.1.len())
        }
    }
}

impl<A, B, P> Pairs for IndexedPairs<'_, A, B, P> {
    type A = A;
    type B = B;
    type Pose = P;
    #[inline(always)]
    fn len(&self) -> usize {
        self.pairs.len()
    }
    #[inline(always)]
    fn pair(&self, index: usize) -> Result<Pair<'_, A, B, P>, Error> {
        let found = || {
            let &[i, j] = self.pairs.get(index)?;
            let (i, j) = (i as usize, j as usize);
            let (a, pose_a) = (self.first.0.get(i)?, self.first.1.get(i)?);
            let (b, pose_b) = (self.second.0.get(j)?, self.second.1.get(j)?);
            Some(Pair { a, pose_a, b, pose_b })
        };
        found().ok_or_else(|| self.missing(index))
    }
}
