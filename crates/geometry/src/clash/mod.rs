//! Clash checking: which of many placed shapes touch, pierce, contain or duplicate each other, or come too close.
//!
//! A tree over the boxes of all shapes finds the pairs that may; each is then asked for its contact within the
//! clearance and, where it overlaps, for containment and for how deep it goes:
//!
//! * two convex shapes: the depth of their contact, the shortest way apart;
//! * where a mesh, an outline or another shape of many parts takes part: how deep the surface of one protrudes
//!   into the other, the larger of both ways (`clash/protrusion.rs`): the distance of the deepest point of a surface
//!   from the surface that it pierced. A number of one triangle of a mesh would say nothing about the whole.
//!   Where surfaces coincide nothing protrudes, and a point inside of each decides (`clash/interior.rs`).
//!
//! Surfaces without an inside (meshes that were not declared solid, height fields, polylines, flat shapes) pierce
//! and are pierced; they contain nothing.

pub(crate) mod interior;
pub(crate) mod protrusion;
pub(crate) mod query;

use crate::{Error, parallel};
use carom_math::{Real, Vector, power_of_two};
use core::sync::atomic::{AtomicUsize, Ordering};

/// How two shapes clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ClashKind {
    /// They are apart, but closer than the clearance.
    Near,
    /// They touch, and overlap by no more than may be overlooked.
    Touching,
    /// They overlap, and neither is within the other.
    Piercing,
    /// The first lies within the second.
    FirstInside,
    /// The second lies within the first.
    SecondInside,
    /// They are the same twice.
    Duplicate,
}

impl ClashKind {
    /// The name, as in files and messages.
    ///
    /// # Example
    /// ```
    /// assert_eq!(carom_geometry::clash::ClashKind::Piercing.name(), "piercing");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ClashKind::Near => "near",
            ClashKind::Touching => "touching",
            ClashKind::Piercing => "piercing",
            ClashKind::FirstInside => "first_inside",
            ClashKind::SecondInside => "second_inside",
            ClashKind::Duplicate => "duplicate",
        }
    }
}

/// Two shapes that clash. Points and the normal are in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clash<V: Vector> {
    /// The number of the first shape; always less than that of the second.
    pub first: usize,
    /// The number of the second shape.
    pub second: usize,
    /// How they clash.
    pub kind: ClashKind,
    /// How far apart they are; 0 when they touch.
    pub distance: V::Scalar,
    /// How deep they overlap; 0 when they do not. The depth of the contact of two convex shapes, otherwise how
    /// deep a surface protrudes: the depth of `point_first` or `point_second`, whichever is the deeper one. Where
    /// surfaces coincide and nothing protrudes, the depth of a point that both have inside; 0 for a mesh or an outline
    /// that is there twice, with the same numbers.
    pub depth: V::Scalar,
    /// The depth is certainly not above. Equal to `depth` for convex shapes, whose depth is right to rounding.
    pub depth_upper: V::Scalar,
    /// From the first to the second, a unit vector: the way out of the second.
    pub normal: V,
    /// A point of the first, nearest to the second or deepest in it.
    pub point_first: V,
    /// A point of the second, nearest to `point_first`.
    pub point_second: V,
}

/// What counts as a clash.
///
/// # Example
/// ```
/// use carom_geometry::clash::ClashOptions;
/// // Parts need a millimetre between them; coats of paint may overlap.
/// let options = ClashOptions { clearance: 1e-3, touch: 1e-5 };
/// assert_eq!(ClashOptions::<f64>::default(), ClashOptions { clearance: 0.0, touch: 0.0 });
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClashOptions<T> {
    /// Shapes at most this far apart clash as [`ClashKind::Near`]; 0 for only those that touch.
    pub clearance: T,
    /// Shapes at most this far apart, or overlapping by at most this, are [`ClashKind::Touching`]. What rounding
    /// hides is always overlooked: 16 ε times the extent of the smaller shape and the distance of the two places.
    pub touch: T,
}

/// All clashes among many shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClashReport<V: Vector> {
    /// By the numbers of the shapes, the first before the second.
    pub clashes: Vec<Clash<V>>,
    /// Shapes that took no part, each with the reason: poses that are not finite, sizes that overflow.
    pub refused: Vec<(usize, Error)>,
    /// Pairs without an answer, each with the reason; among them meshes and outlines beside something 10¹⁴⁴ times as large.
    pub undecided: Vec<([usize; 2], Error)>,
    /// How many pairs had boxes that came close enough to be asked about.
    pub pairs: usize,
}

/// A contact of two shapes that overlap, in the world frame, before it is told in the number type of the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overlap<V> {
    pub(crate) depth: f64,
    pub(crate) upper: f64,
    pub(crate) normal: V,
    pub(crate) points: [V; 2],
}

/// What rounding hides of a pair of shapes with these sizes.
pub(crate) fn hidden<T: Real>(sizes: [f64; 2], apart: f64) -> f64 {
    let smaller = if sizes[0] < sizes[1] { sizes[0] } else { sizes[1] };
    16.0 * T::EPSILON.to_f64() * (smaller + apart)
}

/// Whether squares of the smaller size are lost beside those of the larger one: depths that are measured at the scale of
/// the larger one would be wrong. What is endless has no scale.
pub(crate) fn are_too_different(sizes: [f64; 2]) -> bool {
    let [smaller, larger] = if sizes[0] < sizes[1] { sizes } else { [sizes[1], sizes[0]] };
    0.0 < smaller && larger < f64::INFINITY && smaller < larger * power_of_two(-480)
}

/// Work shared among the threads at hand, in up to a thousand portions; the results are in the order of the inputs.
pub(crate) fn shared_out<I: Copy + Send + Sync, O: Send>(
    inputs: Vec<I>,
    each: &(impl Fn(I) -> O + Sync),
) -> Vec<O> {
    let length = inputs.len().div_ceil(1024).max(1);
    let portions: Vec<&[I]> = inputs.chunks(length).collect();
    let done =
        parallel::map(portions, |portion| portion.iter().map(|input| each(*input)).collect::<Vec<O>>());
    done.into_iter().flatten().collect()
}

/// Counts what is done and tells it now and then.
pub(crate) struct Counter<'a> {
    total: usize,
    done: AtomicUsize,
    progress: &'a (dyn Fn(usize, usize) + Sync),
}

impl<'a> Counter<'a> {
    pub(crate) fn new(total: usize, progress: &'a (dyn Fn(usize, usize) + Sync)) -> Self {
        Counter { total, done: AtomicUsize::new(0), progress }
    }

    pub(crate) fn count(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done == self.total || done.is_multiple_of(self.total.div_ceil(1000)) {
            (self.progress)(done, self.total);
        }
    }
}
