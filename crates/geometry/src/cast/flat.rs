//! Lines against boxes and half-spaces, in the frame of the shape, in either dimension.

use super::precision::{Precision, lift};
use super::span::{Passage, Slabs, Span};
use crate::manifold::feature::Kind;
use crate::shape::HalfSpace;
use carom_math::double::Double;
use carom_math::{Number, Vector};

/// The part of the line origin + t·direction in the box from −half_extents to +half_extents.
///
/// A line along a face or an edge is inside. The normal is that of the slab entered last or left
/// first; the lower axis wins ties.
pub(crate) fn cuboid_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    half_extents: V,
) -> Option<Span<V>> {
    let mut slabs = Slabs::<3>::new();
    for axis in 0..V::DIM {
        let reach = half_extents.get(axis);
        if !slabs.add(axis, [-reach, reach], origin.get(axis), direction.get(axis)) {
            return None;
        }
    }
    let span = slabs.span()?;
    let kind = if V::DIM == 2 { Kind::Edge } else { Kind::Face };
    let through = |t: f64, axis: usize, leaves: bool| {
        let negative = (direction.get(axis) < 0.0) == leaves;
        let normal = V::ZERO.with(axis, if negative { -1.0 } else { 1.0 });
        Passage::new(t, normal).on(kind, 2 * axis + usize::from(negative))
    };
    Some(Span::new(through(span.enter, span.enter_axis, false), through(span.exit, span.exit_axis, true)))
}

/// The part of the line in the half-space normal·p <= offset + margin.
///
/// ```text
/// normal·(origin + t·direction) = offset + margin   ⇒   t = (offset + margin − normal·origin) / normal·direction
/// ```
///
/// A line parallel to the plane is inside throughout or not at all.
pub(crate) fn half_space_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    shape: &HalfSpace<V>,
    margin: f64,
) -> Option<Span<V>> {
    let normal = shape.normal();
    let speed = precise_dot(normal, direction, 0.0, 0.0);
    let gap = precise_dot(normal, origin, shape.offset(), margin);
    let t = if speed == 0.0 { f64::INFINITY } else { -gap / speed };
    let plane = |t| Passage::new(t, normal);
    if speed < 0.0 {
        Some(Span::new(plane(t), plane(f64::INFINITY)))
    } else if 0.0 < speed {
        Some(Span::new(plane(f64::NEG_INFINITY), plane(t)))
    } else if gap == 0.0 {
        // Along the surface: it starts there.
        Some(Span::new(plane(0.0), plane(f64::INFINITY)))
    } else {
        (gap < 0.0).then(|| Span::new(plane(f64::NEG_INFINITY), plane(f64::INFINITY)))
    }
}

/// a·b − c − d, evaluated again in double precision when the terms cancel.
pub(crate) fn precise_dot<V: Vector<Scalar = f64>>(a: V, b: V, c: f64, d: f64) -> f64 {
    let plain = a.dot(b) - c - d;
    let size = a.zip(b, |x, y| x * y).max_abs().max_of(c.abs()).max_of(d.abs());
    if size < 16.0 * plain.abs() {
        return plain;
    }
    (lift::<Double, V>(a).dot(lift(b)) - Double::exact(c) - Double::exact(d)).value()
}
