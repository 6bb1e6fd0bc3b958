//! The common pairs of kinds, each with its kernel: what a pair of concrete shapes needs, field by field.

use super::boxes::{Boxes, EdgeAxes};
use super::core::Flats;
use super::nearest::{self, Nearest, is_longer};
use super::place::{Relative, Turn};
use super::query::is_narrow;
use super::rods::{BoxAndRod, limited};
use super::segments::Segments;
use crate::answer::Separation;
use crate::sat::PairCache;
use crate::shape::{Capsule, Cuboid, Resize};
use carom_math::{Real, Vector, power_of_two};
use std::marker::PhantomData;

/// A kind that is first in the canonical order of a pair with `B`, and lends its frame.
pub(crate) trait Meets<B: Resize, V: Flats, M: Turn<V>>: Resize {
    /// How the shapes relate, given the second one's place.
    fn relate(&self, other: &B, place: &Relative<V, M>, error: f64) -> Separation<V>;
    /// The same, or `None` when they are proven to be farther apart than the limit; may begin at the cache.
    #[inline(always)]
    fn relate_within(
        &self,
        other: &B,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
        _cache: Option<&mut PairCache<V>>,
    ) -> Option<Separation<V>> {
        if self.is_beyond(other, place, error, limit) { None } else { Some(self.relate(other, place, error)) }
    }
    /// Whether there is a shorter way for answers in `f32`, which do not show the last digits of `f64`.
    const HAS_NARROW: bool = false;
    /// [`relate_within`](Self::relate_within) by that way.
    #[inline(always)]
    fn relate_narrow(
        &self,
        other: &B,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
    ) -> Option<Separation<V>> {
        self.relate_within(other, place, (error, limit), None)
    }
    /// The same; may begin at the cache.
    #[inline(always)]
    fn relate_narrow_from(
        &self,
        other: &B,
        place: &Relative<V, M>,
        bounds: (f64, f64),
        _cache: Option<&mut PairCache<V>>,
    ) -> Option<Separation<V>> {
        self.relate_narrow(other, place, bounds)
    }
    /// [`relate_within`](Self::relate_within) without a cache, for answers of some number type.
    #[inline(always)]
    fn relate_for<T: Real>(
        &self,
        other: &B,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
    ) -> Option<Separation<V>> {
        if Self::HAS_NARROW && is_narrow::<T>() {
            self.relate_narrow(other, place, (error, limit))
        } else {
            self.relate_within(other, place, (error, limit), None)
        }
    }
    /// Whether [`relate`](Self::relate) would say that they are farther apart than `limit`; in doubt not.
    #[inline(always)]
    fn is_beyond(&self, _other: &B, _place: &Relative<V, M>, _error: f64, _limit: f64) -> bool {
        false
    }
    /// The separation alone and its error; any number of at most 0 when they touch or overlap, which may be
    /// known sooner.
    #[inline(always)]
    fn gap(&self, other: &B, place: &Relative<V, M>, error: f64) -> (f64, f64) {
        self.relate(other, place, error).without_points()
    }
    /// The same of [`relate_narrow`](Self::relate_narrow).
    #[inline(always)]
    fn narrow_gap(&self, other: &B, place: &Relative<V, M>, error: f64) -> (f64, f64) {
        let found = self.relate_narrow(other, place, (error, f64::INFINITY));
        found.unwrap_or(Separation::APART).without_points()
    }
    /// Whether they touch: what [`relate`](Self::relate) says, maybe sooner.
    fn touch(&self, other: &B, place: &Relative<V, M>, error: f64) -> bool;
    /// The same; may begin at the cache.
    #[inline(always)]
    fn touch_from(
        &self,
        other: &B,
        place: &Relative<V, M>,
        error: f64,
        _cache: Option<&mut PairCache<V>>,
    ) -> bool {
        self.touch(other, place, error)
    }
}

/// The nearest point of a shape, for answers in `f32`. Whoever reads less of it need not compute the rest.
#[derive(Clone, Copy)]
pub(crate) struct Spot<V> {
    /// How far the given point is from the shape, or from the core of a round one.
    pub(crate) beyond: f64,
    /// What is to be taken off that for the distance: the radius of a round shape, how deep the point is below the surface of another.
    pub(crate) depth: f64,
    pub(crate) normal: V,
    /// Whether the normal is not lost in rounding errors.
    pub(crate) is_clear: bool,
}

/// A kind that knows its point nearest to a given one, which is all that a ball asks for.
pub(crate) trait NearPoint<V: Vector<Scalar = f64>>: Resize {
    /// The nearest point of the surface.
    fn nearest(&self, p: V) -> Nearest<V>;
    /// Whether that is certainly farther away than `limit`: neither root nor division.
    fn is_farther(&self, p: V, limit: f64) -> bool;
    /// No less than the size, and within a small factor of it: without comparisons.
    fn reach(&self) -> f64;
    /// Whether it has a core and a radius.
    const IS_ROUND: bool = false;
    /// What [`spot`](Self::spot) sees before it takes a root.
    type Sight: Copy;
    /// The way to the nearest point, for numbers that come from `f32`, of which no square is lost.
    fn sight(&self, p: V) -> Self::Sight;
    /// Whether the nearest point is certainly farther away than `limit`.
    fn is_sight_longer(&self, seen: Self::Sight, limit: f64) -> bool;
    /// The nearest point from there.
    fn spot(&self, seen: Self::Sight) -> Spot<V>;
}

impl<V: Vector<Scalar = f64>> NearPoint<V> for Cuboid<V> {
    #[inline(always)]
    fn nearest(&self, p: V) -> Nearest<V> {
        nearest::on_cuboid(self.half_extents(), p)
    }
    #[inline(always)]
    fn is_farther(&self, p: V, limit: f64) -> bool {
        let offset = p - limited(p, self.half_extents());
        is_longer(offset.dot(offset), limit)
    }
    /// None is negative.
    #[inline(always)]
    fn reach(&self) -> f64 {
        (1..V::DIM).fold(self.half_extents().get(0), |sum, axis| sum + self.half_extents().get(axis))
    }
    /// The point and the square of its offset from the box.
    type Sight = (V, f64);
    #[inline(always)]
    fn sight(&self, p: V) -> (V, f64) {
        let offset = p - limited(p, self.half_extents());
        (p, offset.dot(offset))
    }
    #[inline(always)]
    fn is_sight_longer(&self, (_, squared): (V, f64), limit: f64) -> bool {
        is_longer(squared, limit)
    }
    #[inline(always)]
    fn spot(&self, (p, squared): (V, f64)) -> Spot<V> {
        let (beyond, depth, normal) = nearest::beside_cuboid(self.half_extents(), p, squared);
        Spot { beyond, depth, normal, is_clear: true }
    }
}

impl<V: Vector<Scalar = f64>> NearPoint<V> for Capsule<V> {
    #[inline(always)]
    fn nearest(&self, p: V) -> Nearest<V> {
        nearest::on_segment(self.segment().a(), self.segment().b(), p).inflated(self.radius())
    }
    #[inline(always)]
    fn is_farther(&self, p: V, limit: f64) -> bool {
        let offset = nearest::offset_from_segment(self.segment().a(), self.segment().b(), p);
        is_longer(offset.numerator.dot(offset.numerator), (self.radius() + limit) * offset.whole)
    }
    #[inline(always)]
    fn reach(&self) -> f64 {
        let (a, b) = (self.segment().a(), self.segment().b());
        a.sum_of_magnitudes() + b.sum_of_magnitudes() + self.radius()
    }
    const IS_ROUND: bool = true;
    /// The offset of the point from the segment, its square, and that of the way from the start.
    type Sight = (V, f64, f64);
    #[inline(always)]
    fn sight(&self, p: V) -> (V, f64, f64) {
        let (start, along) = (p - self.segment().a(), self.segment().b() - self.segment().a());
        // NaN of a segment without a length becomes its start.
        let t = (start.dot(along) / along.dot(along)).clamp_to(0.0, 1.0);
        let offset = start - along * t;
        (offset, offset.dot(offset), start.dot(start))
    }
    #[inline(always)]
    fn is_sight_longer(&self, (_, squared, _): (V, f64, f64), limit: f64) -> bool {
        is_longer(squared, self.radius() + limit)
    }
    /// The offset is off by rounding errors of the way from the start: a normal that is clear by less than 2⁻³⁰.
    #[inline(always)]
    fn spot(&self, (offset, squared, start): (V, f64, f64)) -> Spot<V> {
        let beyond = squared.sqrt();
        let is_clear = start < squared * power_of_two(40);
        Spot { beyond, depth: self.radius(), normal: offset * (1.0 / beyond), is_clear }
    }
}

#[inline(always)]
fn segments<V: Flats, M: Turn<V>>(
    a: &Capsule<V>,
    b: &Capsule<V>,
    place: &Relative<V, M>,
    error: f64,
) -> Segments<V> {
    Segments {
        a: [a.segment().a(), a.segment().b()],
        b: [place.point(b.segment().a()), place.point(b.segment().b())],
        radii: [a.radius(), b.radius()],
        error,
    }
}

impl<V: Flats, M: Turn<V>> Meets<Capsule<V>, V, M> for Capsule<V> {
    #[inline(always)]
    fn relate(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> Separation<V> {
        segments(self, other, place, error).relate()
    }
    const HAS_NARROW: bool = true;
    #[inline(always)]
    fn relate_narrow(
        &self,
        other: &Capsule<V>,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
    ) -> Option<Separation<V>> {
        segments(self, other, place, error).relate_narrow(limit)
    }
    #[inline(always)]
    fn is_beyond(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64, limit: f64) -> bool {
        segments(self, other, place, error).is_beyond(limit)
    }
    #[inline(always)]
    fn touch(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> bool {
        segments(self, other, place, error).touch()
    }
}

#[inline(always)]
fn box_and_rod<V: Flats, M: Turn<V>>(
    a: &Cuboid<V>,
    b: &Capsule<V>,
    place: &Relative<V, M>,
    error: f64,
) -> BoxAndRod<V, M> {
    BoxAndRod {
        half: a.half_extents(),
        ends: [place.point(b.segment().a()), place.point(b.segment().b())],
        radius: b.radius(),
        error,
        turn: PhantomData,
    }
}

impl<V: Flats, M: Turn<V>> Meets<Capsule<V>, V, M> for Cuboid<V> {
    #[inline(always)]
    fn relate(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> Separation<V> {
        box_and_rod(self, other, place, error).relate()
    }
    const HAS_NARROW: bool = true;
    #[inline(always)]
    fn relate_narrow(
        &self,
        other: &Capsule<V>,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
    ) -> Option<Separation<V>> {
        box_and_rod(self, other, place, error).relate_narrow(limit)
    }
    #[inline(always)]
    fn gap(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> (f64, f64) {
        let pair = box_and_rod(self, other, place, error);
        if pair.clearly_touch() { (0.0, error) } else { pair.relate().without_points() }
    }
    #[inline(always)]
    fn narrow_gap(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> (f64, f64) {
        let pair = box_and_rod(self, other, place, error);
        pair.gap_clearly().unwrap_or_else(|| pair.relate().without_points())
    }
    #[inline(always)]
    fn is_beyond(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64, limit: f64) -> bool {
        box_and_rod(self, other, place, error).is_beyond(limit)
    }
    #[inline(always)]
    fn touch(&self, other: &Capsule<V>, place: &Relative<V, M>, error: f64) -> bool {
        box_and_rod(self, other, place, error).touch()
    }
}

impl<V: Flats, M: EdgeAxes<V>> Meets<Cuboid<V>, V, M> for Cuboid<V> {
    #[inline(always)]
    fn relate(&self, other: &Cuboid<V>, place: &Relative<V, M>, error: f64) -> Separation<V> {
        Boxes { a: self.half_extents(), b: other.half_extents(), place, error }.relate()
    }
    /// The axes are looked at once, for the limit and for the rest.
    #[inline(always)]
    fn relate_within(
        &self,
        other: &Cuboid<V>,
        place: &Relative<V, M>,
        (error, limit): (f64, f64),
        _cache: Option<&mut PairCache<V>>,
    ) -> Option<Separation<V>> {
        Boxes { a: self.half_extents(), b: other.half_extents(), place, error }.relate_within(limit)
    }
    #[inline(always)]
    fn gap(&self, other: &Cuboid<V>, place: &Relative<V, M>, error: f64) -> (f64, f64) {
        Boxes { a: self.half_extents(), b: other.half_extents(), place, error }.gap()
    }
    #[inline(always)]
    fn is_beyond(&self, other: &Cuboid<V>, place: &Relative<V, M>, error: f64, limit: f64) -> bool {
        Boxes { a: self.half_extents(), b: other.half_extents(), place, error }.is_beyond(limit)
    }
    #[inline(always)]
    fn touch(&self, other: &Cuboid<V>, place: &Relative<V, M>, error: f64) -> bool {
        Boxes { a: self.half_extents(), b: other.half_extents(), place, error }.touch()
    }
}
