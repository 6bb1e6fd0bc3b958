//! The separating-axis test as textbooks have it: every axis, by name; and the features that points lie on.
//!
//! The axes are those of [`Flats::best_axis`], in the same order; axes of parallel edges, which have no
//! length, are left out.

use super::{AxisSource, EdgeName, Recorder, Region, Side};
use crate::pair::core::{self, Axis, Core, Flats, Form};
use crate::pair::nearest::{foot_on_segment, perpendicular_to};
use crate::pair::place::Turn;
use crate::pair::product::cross3;
use carom_math::{Vec2, Vec3, Vector};

/// The axes of a dimension, with their names.
pub(crate) trait NamedAxes: Flats {
    /// Calls `visit` with the axes that belong to one of the cores.
    fn own_axes(core: &Core<Self>, of: Side, visit: &mut impl FnMut(AxisSource, Self));
    /// The axis across two edges; zero in the plane and for parallel ones.
    fn across_edges(a: Self, b: Self) -> Self;
}

impl NamedAxes for Vec2<f64> {
    fn own_axes(core: &Core<Self>, of: Side, visit: &mut impl FnMut(AxisSource, Self)) {
        let (directions, count) = core.directions();
        match core.form {
            Form::Point => (0..2).for_each(|axis| visit(AxisSource::Coordinate(axis), Vec2::unit(axis))),
            Form::Triangle { normal } if normal != Vec2::ZERO => {
                for (index, direction) in directions.into_iter().enumerate() {
                    visit(AxisSource::Face { of, index, of_box: false }, -direction.perpendicular());
                }
            }
            Form::Segment | Form::Triangle { .. } => {
                let along = core.longest_edge();
                visit(AxisSource::Along(of), along);
                visit(AxisSource::Across(of, 0), along.perpendicular());
            }
            Form::Box(_) => {
                for (index, direction) in directions.into_iter().enumerate().take(count) {
                    visit(AxisSource::Face { of, index, of_box: true }, direction);
                }
            }
        }
    }

    fn across_edges(_: Self, _: Self) -> Self {
        Vec2::ZERO
    }
}

impl NamedAxes for Vec3<f64> {
    fn own_axes(core: &Core<Self>, of: Side, visit: &mut impl FnMut(AxisSource, Self)) {
        match core.form {
            Form::Point => (0..3).for_each(|axis| visit(AxisSource::Coordinate(axis), Vec3::unit(axis))),
            Form::Triangle { normal } if normal != Vec3::ZERO => {
                visit(AxisSource::Face { of, index: 0, of_box: false }, normal);
            }
            Form::Segment | Form::Triangle { .. } => {
                let along = core.longest_edge();
                let across = perpendicular_to(along);
                visit(AxisSource::Along(of), along);
                visit(AxisSource::Across(of, 0), across);
                visit(AxisSource::Across(of, 1), along.cross(across));
            }
            Form::Box(_) => {
                for (index, direction) in core.directions().0.into_iter().enumerate() {
                    visit(AxisSource::Face { of, index, of_box: true }, direction);
                }
            }
        }
    }

    fn across_edges(a: Self, b: Self) -> Self {
        cross3(a, b)
    }
}

/// Measures two cores along every axis and returns the largest separation.
pub(crate) fn record_axes<V: NamedAxes, M: Turn<V>>(
    a: &Core<V>,
    b: &Core<V>,
    recorder: &mut Recorder<V, M>,
) -> f64 {
    let sides = [recorder.side(false), recorder.side(true)];
    let mut highest = f64::NEG_INFINITY;
    let mut visit = |source: AxisSource, direction: V| {
        let mut axis = Axis::none();
        axis.improve(a, b, direction);
        if axis.separation != f64::NEG_INFINITY {
            recorder.push_axis(source, axis.normal, axis.separation);
            if highest < axis.separation {
                highest = axis.separation;
            }
        }
    };
    V::own_axes(a, sides[0], &mut visit);
    V::own_axes(b, sides[1], &mut visit);
    let ((edges_a, count_a), (edges_b, count_b)) = (a.directions(), b.directions());
    let [named_a, named_b] = [a, b].map(|core| {
        let of_box = matches!(core.form, Form::Box(_));
        move |index: usize| EdgeName { index, of_box }
    });
    for (i, edge_a) in edges_a.into_iter().enumerate().take(count_a) {
        for (j, edge_b) in edges_b.into_iter().enumerate().take(count_b) {
            let (first, second) = (named_a(i), named_b(j));
            let source = match sides[0] {
                Side::A => AxisSource::Edges { a: first, b: second },
                Side::B => AxisSource::Edges { a: second, b: first },
            };
            visit(source, V::across_edges(edge_a, edge_b));
        }
    }
    highest
}

/// The nearest points of two cores, with their features; returns the distance. `error` bounds the rounding
/// errors of the pair.
pub(crate) fn record_nearest<V: Flats, M: Turn<V>>(
    a: &Core<V>,
    b: &Core<V>,
    error: f64,
    recorder: &mut Recorder<V, M>,
) -> f64 {
    let near = core::closest(a, b, V::ZERO, error);
    let regions = [region_of(a, near.point_a, error), region_of(b, near.point_b, error)];
    recorder.push_nearest([near.point_a, near.point_b], regions, near.distance);
    near.distance
}

/// What a point of a core lies on, up to `error`.
pub(crate) fn region_of<V: Flats>(core: &Core<V>, p: V, error: f64) -> Region {
    let at_corner = || core.corners().iter().position(|corner| Vector::length(*corner - p) <= error);
    match core.form {
        Form::Point => Region::Corner(0),
        Form::Segment => {
            let [a, b] = [0, 1].map(|index| core.corners().get(index).copied().unwrap_or(V::ZERO));
            let along = b - a;
            at_corner().map_or_else(|| Region::Along((p - a).dot(along) / along.dot(along)), Region::Corner)
        }
        Form::Triangle { .. } => {
            let on_edge = || {
                let corners = core.corners();
                core.edges().iter().position(|&[from, to]| {
                    let (Some(from), Some(to)) = (corners.get(from), corners.get(to)) else { return false };
                    foot_on_segment(*from, *to, p).distance <= error
                })
            };
            let inside = || if V::DIM == 2 { Region::Inside } else { Region::Face(0) };
            let beside = || on_edge().map_or_else(inside, Region::Edge);
            at_corner().map_or_else(beside, Region::Corner)
        }
        Form::Box(placed) => {
            let local = V::from_fn(|axis| {
                placed.axes.get(axis).map_or(0.0, |direction| direction.dot(p - placed.center))
            });
            region_of_box(placed.half, local, error)
        }
    }
}

/// What a point lies on, in the frame of a box: as many coordinates are at their limits as the feature has
/// dimensions less than the box.
fn region_of_box<V: Vector<Scalar = f64>>(half: V, local: V, error: f64) -> Region {
    let is_limited = |axis: usize| half.get(axis) - error <= local.get(axis).abs();
    let is_positive = |axis: usize| usize::from(0.0 <= local.get(axis));
    let limited = (0..V::DIM).filter(|&axis| is_limited(axis)).count();
    let first = |wanted: bool| (0..V::DIM).find(|&axis| is_limited(axis) == wanted).unwrap_or(0);
    let face = 2 * first(true) + 1 - is_positive(first(true));
    match (V::DIM - limited, V::DIM) {
        (0, _) => Region::Corner((0..V::DIM).map(|axis| is_positive(axis) << axis).sum()),
        (1, 2) => Region::Edge(face),
        (1, _) => {
            let along = first(false);
            let [next, last] = [(along + 1) % 3, (along + 2) % 3].map(is_positive);
            Region::Edge(4 * along + next + 2 * last)
        }
        (2, 3) => Region::Face(face),
        _ => Region::Inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::place::Relative;
    use crate::trace::{Step, View};
    use carom_math::{Mat3, Quat};
    use carom_oracle::generate::{self, Rng};

    fn recorder() -> Recorder<Vec3<f64>, Mat3<f64>> {
        Recorder::new(View { turn: Mat3::IDENTITY, origin: Vec3::ZERO, back: 1.0, swapped: false })
    }

    #[test]
    fn every_axis_of_the_kernel_has_a_name() {
        let mut rng = Rng::new(5);
        for _ in 0..2000 {
            let mut core = || {
                let mut point = || Vec3::from(generate::lattice_point::<3>(&mut rng));
                let (p, q, r) = (point(), point(), point());
                match rng.below(3) {
                    0 => Core::segment(p, q),
                    1 => Core::triangle([p, q, r], cross3(q - p, r - p)),
                    _ => {
                        let [x, y, z, w] = generate::unit_quaternion(&mut rng);
                        let rotation = Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY).to_matrix();
                        Core::cuboid(q.abs_by_axis(), &Relative { rotation, translation: p })
                    }
                }
            };
            let (a, b) = (core(), core());
            let mut recorder = recorder();
            let highest = record_axes(&a, &b, &mut recorder);
            let best = Vec3::best_axis(&a, &b, f64::INFINITY);
            assert_eq!(highest.to_bits(), best.separation.to_bits());
            let marked = recorder.finish(true).into_iter().find_map(|step| match step {
                Step::Axis { normal, separation, best: true, .. } => Some((normal, separation)),
                _ => None,
            });
            let (normal, separation) = marked.expect("an axis");
            assert_eq!(separation, best.separation);
            assert!(Vector::length(normal - best.normal) <= 4.0 * f64::EPSILON);
        }
    }

    #[test]
    fn regions_of_a_box_are_named_like_its_features() {
        let half = Vec3::new(1.0, 2.0, 3.0);
        let at = |x, y, z| region_of_box(half, Vec3::new(x, y, z), 1e-12);
        assert_eq!(at(1.0, -2.0, 3.0), Region::Corner(0b101));
        assert_eq!(at(0.0, -2.0, 0.0), Region::Face(3));
        assert_eq!(at(1.0, 0.0, 0.0), Region::Face(0));
        // Along y, z is the next axis and x the one after.
        assert_eq!(at(1.0, 0.5, -3.0), Region::Edge(4 + 2));
        assert_eq!(at(0.0, 0.5, 0.0), Region::Inside);
        let flat = |x, y| region_of_box(Vec2::new(1.0, 2.0), Vec2::new(x, y), 1e-12);
        assert_eq!(
            [flat(1.0, 2.0), flat(-1.0, 0.0), flat(0.0, 2.0)],
            [Region::Corner(3), Region::Edge(1), Region::Edge(2)]
        );
    }
}
