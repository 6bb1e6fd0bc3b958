//! The watcher of motion: rays, casts and times of impact tell it what they find on the way.
//!
//! The kernels of motion see the shapes in their canonical order, in the frame of the second, and at a scale of
//! their own; [`Told`] stands between them and whoever listens, and takes all that to the world. Nobody, `()`, is
//! told nothing: what is worked out only to be told is behind [`Follow::LISTENS`], so that plain questions
//! are compiled without it.

use super::{AxisSource, Method, Region, Side, Step};
use crate::cast::query::Scales;
use crate::cast::span::Span;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};

/// The shapes at one time of their motion, from the first to the second of the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look<V> {
    pub(crate) t: f64,
    pub(crate) separation: f64,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) normal: V,
    /// No touch before this time.
    pub(crate) clear_until: f64,
}

/// Whoever wants to know how a first touch is found.
pub(crate) trait Follow<V> {
    /// Whether anybody does.
    const LISTENS: bool = true;
    fn method(&mut self, _method: Method, _textbook: bool) {}
    /// What moves, in the frame of a shape that stands still.
    fn frame(&mut self, _of: Side, _origin: V, _direction: V) {}
    /// The two together for a pair: the second shape of the kernel stands still.
    fn begins(&mut self, method: Method, textbook: bool, origin: V, velocity: V) {
        self.method(method, textbook);
        self.frame(Side::B, origin, velocity);
    }
    /// The overlap along an axis begins and ends. `Side::A` is the first shape of the kernel.
    fn meets_along(&mut self, _source: AxisSource, _normal: V, _span: [f64; 2]) {}
    /// The way of a point through a shape that stands still.
    fn passes(&mut self, _span: Span<V>) {}
    /// No touch from one time to another.
    fn clear(&mut self, _from: f64, _to: f64) {}
    fn look(&mut self, _look: Look<V>) {}
}

/// Nobody.
impl<V> Follow<V> for () {
    const LISTENS: bool = false;
}

/// From the frame, order and scale of a kernel to the world.
pub(crate) struct Told<'a, W, M> {
    pub(crate) watch: &'a mut W,
    pub(crate) turn: M,
    pub(crate) scales: Scales,
    /// The first shape of the kernel is b.
    pub(crate) swapped: bool,
    /// The kernel has told how the shapes relate at some time.
    pub(crate) has_looked: bool,
}

impl<V: Vector<Scalar = f64>, W: Follow<V>, M: Turn<V>> Follow<V> for Told<'_, W, M> {
    const LISTENS: bool = W::LISTENS;
    fn method(&mut self, method: Method, textbook: bool) {
        self.watch.method(method, textbook);
    }
    fn frame(&mut self, of: Side, origin: V, direction: V) {
        let of = if self.swapped { of.other() } else { of };
        self.watch.frame(of, origin / self.scales.length, direction / self.scales.direction);
    }
    fn meets_along(&mut self, source: AxisSource, normal: V, span: [f64; 2]) {
        let source = match source {
            AxisSource::Face { of, index, of_box } if self.swapped => {
                AxisSource::Face { of: of.other(), index, of_box }
            }
            AxisSource::Edges { a, b } if self.swapped => AxisSource::Edges { a: b, b: a },
            other => other,
        };
        let normal = self.towards_b(normal.normalized().unwrap_or(V::ZERO));
        self.watch.meets_along(source, normal, span.map(|t| self.scales.parameter(t)));
    }
    fn passes(&mut self, mut span: Span<V>) {
        for passage in [&mut span.enter, &mut span.exit] {
            passage.t = self.scales.parameter(passage.t);
            passage.normal = self.turn.apply(passage.normal.normalized().unwrap_or(V::ZERO));
        }
        self.watch.passes(span);
    }
    fn clear(&mut self, from: f64, to: f64) {
        self.watch.clear(self.scales.parameter(from), self.scales.parameter(to));
    }
    fn look(&mut self, look: Look<V>) {
        let length = self.scales.length;
        self.has_looked = true;
        self.watch.look(Look {
            t: self.scales.parameter(look.t),
            separation: look.separation / length,
            lower: look.lower / length,
            upper: look.upper / length,
            normal: self.towards_b(look.normal),
            clear_until: self.scales.parameter(look.clear_until),
        });
    }
}

impl<W, M> Told<'_, W, M> {
    fn towards_b<V: Vector<Scalar = f64>>(&self, normal: V) -> V
    where
        M: Turn<V>,
    {
        let normal = self.turn.apply(normal);
        if self.swapped { -normal } else { normal }
    }
}

/// Writes down what it is told, which is in the world already.
pub(crate) struct Journey<V: Vector<Scalar = f64>> {
    steps: Vec<Step<V>>,
}

impl<V: Vector<Scalar = f64>> Journey<V> {
    pub(crate) fn new() -> Self {
        Journey { steps: Vec::new() }
    }

    /// All steps, the hit that was found among them.
    pub(crate) fn finish(mut self, hit: Option<Step<V>>) -> Vec<Step<V>> {
        let touching = hit.is_some();
        self.steps.extend(hit);
        self.steps.push(Step::Verdict { touching });
        self.steps
    }
}

impl<V: Vector<Scalar = f64>> Follow<V> for Journey<V> {
    fn method(&mut self, method: Method, textbook: bool) {
        self.steps.push(Step::Method { method, textbook });
    }
    fn frame(&mut self, of: Side, origin: V, direction: V) {
        self.steps.push(Step::Frame { of, origin, direction });
    }
    fn meets_along(&mut self, source: AxisSource, normal: V, [enter, exit]: [f64; 2]) {
        self.steps.push(Step::Overlap { source, normal, enter, exit });
    }
    fn passes(&mut self, Span { enter, exit }: Span<V>) {
        self.steps.push(Step::Passage {
            enter: enter.t,
            exit: exit.t,
            normal_in: enter.normal,
            normal_out: exit.normal,
            region_in: Region::of_feature(enter.feature),
            region_out: Region::of_feature(exit.feature),
        });
    }
    fn clear(&mut self, from: f64, to: f64) {
        self.steps.push(Step::Clear { from, to });
    }
    fn look(&mut self, look: Look<V>) {
        let Look { t, separation, lower, upper, normal, clear_until } = look;
        self.steps.push(Step::Look { t, separation, lower, upper, normal, clear_until });
    }
}

/// When the slab |position + t·speed| <= reach is entered and left: always, or never (∞, twice), without speed.
pub(crate) fn slab_span(position: f64, speed: f64, reach: f64) -> [f64; 2] {
    if speed == 0.0 {
        let is_inside = position.abs() <= reach;
        return [if is_inside { f64::NEG_INFINITY } else { f64::INFINITY }, f64::INFINITY];
    }
    let ends = [(-reach - position) / speed, (reach - position) / speed];
    [ends[0].min_of(ends[1]), ends[0].max_of(ends[1])]
}
