//! Lines against segments, triangles and polygons of the plane, in the frame of the shape.
//!
//! All decisions rest on one predicate per corner: on which side of the line it lies, the sign of
//! direction × (corner − origin). A sign in doubt is computed again in double precision. Edges that
//! share a corner see the same sign, so no line slips through between them.

use super::moving::inflated_span;
use crate::cast::ellipsoid::ellipsoid_span;
use crate::cast::flat::{cuboid_span, half_space_span};
use crate::cast::general::NOISE;
use crate::cast::narrow::{self, Stretched};
use crate::cast::precision::{Precision, between, lift};
use crate::cast::query::{LocalLine, Motion};
use crate::cast::quick::{Care, Quick, capsule_hit, cross_in_plane, cuboid_hit};
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::span::{Passage, Span, with_sign};
use crate::d2::solid::PolygonView;
use crate::d2::{Shape, ShapeRef};
use crate::gjk::Support;
use crate::manifold::feature::Kind;
use crate::pair::place::Turn;
use crate::pair::product::cross2;
use crate::sat::{Entry, FLAT, Missed, entry, last_side};
use carom_math::double::Double;
use carom_math::{Mat2, Number, Real, Rot2, Vec2, Vector, power_of_two};

/// What a ray hits first, for shapes that need no preparation; `None` for others and for what is in doubt.
#[inline(always)]
pub(super) fn direct_hit<T: Real>(
    shape: ShapeRef<'_, T>,
    line: impl LocalLine<Vec2<f64>>,
    solid: bool,
    care: Care,
) -> Quick<Vec2<f64>> {
    match shape {
        ShapeRef::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents().widen();
            let [origin, direction] =
                line.origin_and_direction(care.size(|| half_extents.sum_of_magnitudes()))?;
            cuboid_hit(origin, direction, half_extents)
        }
        ShapeRef::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a().widen(), capsule.segment().b().widen());
            let radius = capsule.radius().to_f64();
            let [origin, direction] = line
                .origin_and_direction(care.size(|| a.sum_of_magnitudes() + b.sum_of_magnitudes() + radius))?;
            capsule_hit(origin, direction, [a, b], radius, care)
        }
        ShapeRef::Triangle(triangle) => {
            let corners = triangle.corners().map(|corner| corner.widen());
            let [origin, direction] =
                line.origin_and_direction(Some(corners.map(Vector::sum_of_magnitudes).iter().sum()))?;
            if let Some(hit) = triangle_hit(origin, direction, corners) {
                return Some(hit);
            }
            Some(triangle_span(origin, direction, corners).and_then(|span| span.first_hit(solid)))
        }
        ShapeRef::Polygon(polygon) => {
            let view = polygon.view();
            let [origin, direction] = line.origin_and_direction(Some(Support::size(&view)))?;
            polygon_hit(origin, direction, &view)
        }
        _ => None,
    }
}

/// The first hit of a ray from outside, where there is no doubt about it.
///
/// The normals of the sides are as long as these; see [`last_side`].
#[inline(always)]
fn triangle_hit(origin: Vec2<f64>, direction: Vec2<f64>, corners: [Vec2<f64>; 3]) -> Quick<Vec2<f64>> {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let longest = edges.map(Vector::sum_of_magnitudes).into_iter().fold(0.0, |most, x| x.max_of(most));
    let size = corners.map(Vector::sum_of_magnitudes).into_iter().fold(0.0, |most, x| x.max_of(most));
    let noise = NOISE * (size + origin.max_abs());
    let area = cross2(edges[0], edges[1]);
    // A sliver that may be turned around.
    let is_told = noise * longest < area.abs();
    if !is_told {
        return None;
    }
    let side = 1.0_f64.copysign(area);
    let outward = edges.map(|edge| -edge.perpendicular() * side);
    let gap = |index: usize| outward[index].dot(origin - corners[index]);
    let closing = |index: usize| 0.0 - outward[index].dot(direction);
    let (gaps, closing) = ([gap(0), gap(1), gap(2)], [closing(0), closing(1), closing(2)]);
    let length = Vector::length(direction);
    let index = match last_side(gaps, closing, length * longest, f64::INFINITY, noise * longest)? {
        Err(Missed) => return Some(None),
        Ok((index, _)) => index,
    };
    let along = edges[index];
    let own_length = Vector::length(along);
    let t = gaps[index] / closing[index];
    // Where it meets the side, from its beginning and times its length; not next to a corner, and not at a small angle.
    let (met, room) = (along.dot(origin + direction * t - corners[index]), 16.0 * noise * own_length);
    let is_clear = (room < met) & (met < own_length * own_length - room);
    let is_steep = FLAT * length * own_length < closing[index];
    (is_clear & is_steep).then(|| Some(Passage::new(t, outward[index]).on(Kind::Edge, index)))
}

/// The same for a polygon with few corners.
#[inline(never)]
fn polygon_hit(origin: Vec2<f64>, direction: Vec2<f64>, polygon: &PolygonView<'_>) -> Quick<Vec2<f64>> {
    // Two corners are a segment, which has no inside.
    if polygon.count() < 3 {
        return None;
    }
    let noise = NOISE * (Support::size(polygon) + origin.max_abs());
    let met = entry(polygon, origin, direction, noise)?;
    Some(met.map(|Entry { t, side, outward }| Passage::new(t, outward).on(Kind::Edge, side)))
}

/// What a ray hits first, with a unit normal in the world, for answers in `f32`; `None` for kinds that have no such kernel. The
/// line is seen from the origin of the shape, with the axes of the world.
#[inline(always)]
pub(super) fn narrow_hit<T: Real>(
    shape: ShapeRef<'_, T>,
    rotation: Rot2<T>,
    [from, direction]: [Vec2<f64>; 2],
    care: Care,
) -> Option<Quick<Vec2<f64>>> {
    if let ShapeRef::Ball(ball) = shape {
        let radius = ball.radius().to_f64();
        return Some(rotation.finite().then(|| narrow::ball_hit(from, direction, radius, care)).flatten());
    }
    match shape {
        ShapeRef::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents().widen();
            let frame = stretched(rotation);
            Some(frame.and_then(|frame| narrow::cuboid_hit(frame, from, direction, half_extents)))
        }
        ShapeRef::Capsule(capsule) => {
            let ends = [capsule.segment().a().widen(), capsule.segment().b().widen()];
            let (radius, frame) = (capsule.radius().to_f64(), stretched(rotation));
            Some(frame.and_then(|frame| narrow::capsule_hit(frame, from, direction, ends, radius, care)))
        }
        ShapeRef::Triangle(triangle) => {
            let (corners, frame) = (triangle.corners().map(|corner| corner.widen()), stretched(rotation));
            // What is in doubt goes the way of `f64`.
            let hit = frame.and_then(|frame| narrow_triangle_hit(frame, from, direction, corners));
            hit.map(Some)
        }
        _ => None,
    }
}

/// The first hit of a ray from outside on a triangle, with a unit normal in the world, for answers in `f32`.
///
/// Seen with its corners in counter-clockwise order, a triangle is entered by the edge that leads from the left of the line to its right.
/// With s the sides of its ends, direction × (corner − origin), and w the way from the origin to its beginning,
///
/// ```text
/// t = (e × w) / (s₀ − s₁)
/// ```
///
/// The difference is a sum of magnitudes, and cancels nothing. In a frame that is stretched the sides are norm times as large as e × w is.
/// Both err by less than 16ε of the products of their lengths, what the frame was rounded by included; and so does the way of `f64`,
/// which decides what is in doubt.
#[inline(always)]
fn narrow_triangle_hit(
    Stretched { turn, norm }: Stretched<Mat2<f64>>,
    from: Vec2<f64>,
    direction: Vec2<f64>,
    [a, b, c]: [Vec2<f64>; 3],
) -> Quick<Vec2<f64>> {
    let (origin, d) = (turn.undo(from), turn.undo(direction));
    let (edges, ways) = ([b - a, c - b, a - c], [a, b, c].map(|corner| corner * norm - origin));
    let area = cross_in_plane(edges[0], edges[1]);
    let winding = 1.0_f64.copysign(area);
    let sides = ways.map(|way| cross_in_plane(d, way) * winding);
    let (along, long) = (d.sum_of_magnitudes(), edges[0].sum_of_magnitudes() + edges[1].sum_of_magnitudes());
    let far = origin.sum_of_magnitudes() + a.sum_of_magnitudes() + long;
    let doubt = 64.0 * f64::EPSILON * far;
    let least = sides[0].min_of(sides[1]).min_of(sides[2]);
    let most = sides[0].max_of(sides[1]).max_of(sides[2]);
    if (doubt * along < least) | (most < -doubt * along) {
        return Some(None);
    }
    let nearest = sides[0].abs().min_of(sides[1].abs()).min_of(sides[2].abs());
    let is_told = (doubt * along < nearest) & (64.0 * f64::EPSILON * (long * long) < area.abs());
    // Which corners are on the left tells the edges; none and all do not get here.
    let is_left = |index: usize| usize::from(0.0 < sides[index]) << index;
    let left = is_left(0) | is_left(1) | is_left(2);
    let gap = |edge: usize| cross_in_plane(edges[edge], ways[edge]) * winding;
    let edge = [0, 0, 1, 1, 2, 0, 2, 0][left];
    let (ahead, closing) = (gap(edge), sides[edge] - sides[[1, 2, 0][edge]]);
    // Right to 2⁻²⁶.
    let least = power_of_two(26) * doubt;
    let is_precise = (least * along < closing) & (least * long < ahead);
    if !(is_told & is_precise) {
        // All of the triangle may lie behind the origin.
        let out = gap([0, 2, 0, 2, 1, 1, 0, 0][left]);
        return if is_told & (doubt * long < out) { Some(None) } else { None };
    }
    let facing = turn.apply(edges[edge].perpendicular());
    let normal = facing * (-winding / facing.dot(facing).sqrt());
    Some(Some(Passage::new(ahead * norm / closing, normal).on(Kind::Edge, edge)))
}

/// The frame of a rotation without a division; `None` unless its numbers are those of a rotation, up to rounding.
///
/// With x = cos² + sin² − 1 the norm √(1 + x) is 1 + x/2 − x²/8 up to x³/16, which is below 2⁻⁵⁵ for what is accepted here.
#[inline(always)]
fn stretched<T: Real>(rotation: Rot2<T>) -> Option<Stretched<Mat2<f64>>> {
    let (cos, sin) = (rotation.cos().to_f64(), rotation.sin().to_f64());
    let excess = (cos * cos + sin * sin) - 1.0;
    let norm = 1.0 + (0.5 * excess - 0.125 * (excess * excess));
    let turn = Mat2 { columns: [Vec2::new(cos, sin), Vec2::new(-sin, cos)] };
    (excess.abs() <= power_of_two(-17)).then_some(Stretched { turn, norm })
}

/// The part of the line in the shape, and whether the shape is thin: a ray that starts in a thin
/// shape has hit it, even when it passes through the inside of solids.
pub(in crate::d2) fn span(
    shape: &Shape<f64>,
    origin: Vec2<f64>,
    direction: Vec2<f64>,
) -> (Option<Span<Vec2<f64>>>, bool) {
    match shape {
        Shape::Ball(ball) => (ball_span(origin, direction, Vec2::ZERO, ball.radius()), false),
        Shape::Cuboid(cuboid) => (cuboid_span(origin, direction, cuboid.half_extents()), false),
        Shape::Capsule(capsule) => {
            let segment = [capsule.segment().a(), capsule.segment().b()];
            if capsule.radius() == 0.0 {
                return (segment_span(origin, direction, segment), true);
            }
            (capsule_span(origin, direction, segment, capsule.radius()), false)
        }
        Shape::Segment(segment) => (segment_span(origin, direction, [segment.a(), segment.b()]), true),
        Shape::Triangle(triangle) => (triangle_span(origin, direction, triangle.corners()), false),
        Shape::HalfSpace(half_space) => (half_space_span(origin, direction, half_space, 0.0), false),
        Shape::Polygon(polygon) => {
            let count = polygon.points().len();
            let corner = |index: usize| polygon.corner(index);
            if count < 3 {
                return (segment_span(origin, direction, [corner(0), corner(count - 1)]), true);
            }
            (loop_span(origin, direction, count, corner, false), false)
        }
        Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii();
            (ellipsoid_span(origin, direction, radii), radii.x == 0.0 || radii.y == 0.0)
        }
        Shape::Rounded(rounded) => {
            let radius = rounded.radius();
            (inflated_span(&rounded.core(), radius, Motion { origin, velocity: direction }), radius == 0.0)
        }
        // A line may enter these more than once; their parts are asked one by one.
        Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_) => (None, false),
    }
}

/// Where the line meets the segment: a single point, or all of a collinear segment. The normal of a
/// crossing is perpendicular to the segment and faces the line; that of an end met head on is
/// −direction.
pub(crate) fn segment_span(
    origin: Vec2<f64>,
    direction: Vec2<f64>,
    [a, b]: [Vec2<f64>; 2],
) -> Option<Span<Vec2<f64>>> {
    let sides = [a, b].map(|corner| side(origin, direction, corner));
    if sides == [0.0, 0.0] {
        let [t_a, t_b] = [a, b].map(|end| along(origin, direction, end));
        let (first, last) = if t_b < t_a { (t_b, t_a) } else { (t_a, t_b) };
        let nearer = usize::from(t_b < t_a);
        let end = |t, normal, which| Passage::new(t, normal).on(Kind::Vertex, which);
        return Some(Span::new(end(first, -direction, nearer), end(last, direction, 1 - nearer)));
    }
    let t = crossing(origin, direction, [a, b], sides)?;
    let normal = (b - a).perpendicular();
    let facing = if normal.dot(direction) < 0.0 { normal } else { -normal };
    let (kind, index) = met(sides, 0, [0, 1]);
    let at = |normal| Passage::new(t, normal).on(kind, index);
    Some(Span::new(at(facing), at(-facing)))
}

/// The part of the line in the triangle, of either winding: the crossings with its edges, those that
/// go in before those that go out.
pub(crate) fn triangle_span(
    origin: Vec2<f64>,
    direction: Vec2<f64>,
    corners: [Vec2<f64>; 3],
) -> Option<Span<Vec2<f64>>> {
    let [a, b, c] = corners;
    let coordinates = corners.map(|p| robust::Coord { x: p.x, y: p.y });
    let area = robust::orient2d(coordinates[0], coordinates[1], coordinates[2]);
    let edges = [[a, b], [b, c], [c, a]];
    if area == 0.0 {
        // Corners on one line: the longest edge covers the others.
        let length = |[p, q]: [Vec2<f64>; 2]| (q - p).length_squared();
        let mut longest = edges[0];
        for edge in edges {
            if length(longest) < length(edge) {
                longest = edge;
            }
        }
        return segment_span(origin, direction, longest);
    }
    loop_span(origin, direction, 3, |index| corners[index], area < 0.0)
}

/// The part of the line in a convex polygon of at least three corners, no two edges on one line.
fn loop_span(
    origin: Vec2<f64>,
    direction: Vec2<f64>,
    count: usize,
    corner: impl Fn(usize) -> Vec2<f64>,
    clockwise: bool,
) -> Option<Span<Vec2<f64>>> {
    let mut enter: Option<Passage<Vec2<f64>>> = None;
    let mut exit: Option<Passage<Vec2<f64>>> = None;
    let first = (corner(0), side(origin, direction, corner(0)));
    let mut from = first;
    for index in 0..count {
        let next = if index + 1 < count { index + 1 } else { 0 };
        let to = if next == 0 { first } else { (corner(next), side(origin, direction, corner(next))) };
        let (edge, ends) = ([from.0, to.0], [from.1, to.1]);
        from = to;
        let Some(t) = crossing(origin, direction, edge, ends) else { continue };
        let outward = (edge[0] - edge[1]).perpendicular();
        let (kind, name) = met(ends, index, [index, next]);
        let passage = Passage::new(t, if clockwise { -outward } else { outward }).on(kind, name);
        // direction × (q − p) is the difference of the sides; outward·direction has its sign for a
        // counter-clockwise polygon.
        let leaves = (ends[0] < ends[1]) != clockwise;
        let slot = if leaves { &mut exit } else { &mut enter };
        let better = |old: Passage<Vec2<f64>>| if leaves { old.t < t } else { t < old.t };
        if slot.is_none_or(better) {
            *slot = Some(passage);
        }
    }
    Some(Span::new(enter?, exit?))
}

/// What a line meets of an edge whose ends lie on the given sides: an end that is on the line, or the edge.
fn met(sides: [f64; 2], edge: usize, ends: [usize; 2]) -> (Kind, usize) {
    match sides {
        [0.0, _] => (Kind::Vertex, ends[0]),
        [_, 0.0] => (Kind::Vertex, ends[1]),
        _ => (Kind::Edge, edge),
    }
}

/// direction × (corner − origin): positive when the corner lies to the left of the line, zero when on
/// it. Right to a few ulp, since it is computed again in double precision when the terms cancel.
fn side(origin: Vec2<f64>, direction: Vec2<f64>, corner: Vec2<f64>) -> f64 {
    let to_corner = corner - origin;
    let (first, second) = (direction.x * to_corner.y, direction.y * to_corner.x);
    let plain = first - second;
    if first.abs() + second.abs() < 16.0 * plain.abs() {
        return plain;
    }
    lift::<Double, _>(direction).cross(between(origin, corner)).z.value()
}

/// Where the line crosses an edge whose ends lie on the given sides, not both zero.
///
/// The ends weighted by the other's distance from the line give the common point. All terms have the
/// same sign, and of the parameters only those of the ends enter, so nothing cancels.
fn crossing(origin: Vec2<f64>, direction: Vec2<f64>, ends: [Vec2<f64>; 2], sides: [f64; 2]) -> Option<f64> {
    if (0.0 < sides[0] && 0.0 < sides[1]) || (sides[0] < 0.0 && sides[1] < 0.0) || sides == [0.0, 0.0] {
        return None;
    }
    let [t_a, t_b] = ends.map(|end| along(origin, direction, end));
    let (weight_a, weight_b) = (sides[1].abs(), sides[0].abs());
    if weight_b == 0.0 {
        return Some(t_a);
    }
    if weight_a == 0.0 {
        return Some(t_b);
    }
    let t = (t_a * weight_a + t_b * weight_b) / (weight_a + weight_b);
    if 64.0 * f64::EPSILON * t_a.abs().max_of(t_b.abs()) < t.abs() {
        return Some(t);
    }
    // The origin is next to the edge: before it or behind it decides over hit and miss.
    let axis = larger_axis(direction);
    let [weight_b, weight_a] = ends.map(|end| lift::<Double, _>(direction).cross(between(origin, end)).z);
    let [far_a, far_b] = ends.map(|end| Double::difference(end.get(axis), origin.get(axis)));
    let blend = far_b * weight_b - far_a * weight_a;
    let t = (blend / ((weight_b - weight_a) * Double::exact(direction.get(axis)))).value();
    // t = (a − origin) × (b − a) / direction × (b − a) has an exact sign.
    let [pa, pb, po] = [ends[0], ends[1], origin].map(|p| robust::Coord { x: p.x, y: p.y });
    let left = robust::orient2d(pa, pb, po);
    Some(with_sign(t, left, (weight_a - weight_b).value()))
}

/// The parameter of a point by the larger component of the direction.
fn along(origin: Vec2<f64>, direction: Vec2<f64>, point: Vec2<f64>) -> f64 {
    let axis = larger_axis(direction);
    (point.get(axis) - origin.get(axis)) / direction.get(axis)
}

fn larger_axis(direction: Vec2<f64>) -> usize {
    if direction.x.abs() < direction.y.abs() { 1 } else { 0 }
}
