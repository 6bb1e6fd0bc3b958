//! Lines against cylinders and cones about the y axis.
//!
//! The surface is put together from parts, and the span of the line is the hull of its passages
//! through them: two through the side, one through each flat end, one through the tip. Each part has
//! its own test that is exact on a lattice, so that a line that meets nothing but a rim or the tip is
//! not lost to the rounding of another part's parameter.

use crate::cast::precision::Precision;
use crate::cast::round::{
    Quadratic, ball_roots, ball_roots_precisely, capsule_span, difference_or_zero, doubt_of_squares,
};
use crate::cast::span::{Passage, Span};
use crate::manifold::feature::Kind;
use carom_math::double::Double;
use carom_math::{Number, Vec2, Vec3, Vector, power_of_two};

type Passages = [Option<Passage<Vec3<f64>>>; 4];

/// The part of the line in the cylinder: a disc in (x, z) swept along −half_height <= y <= half_height.
pub(crate) fn cylinder_span(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    half_height: f64,
    radius: f64,
) -> Option<Span<Vec3<f64>>> {
    let mut passages: Passages = [None; 4];
    let flat_direction = Vec2::new(direction.x, direction.z);
    if flat_direction != Vec2::new(0.0, 0.0) {
        let (flat_origin, axis) = (Vec2::new(origin.x, origin.z), Vec2::new(0.0, 0.0));
        let roots = ball_roots(flat_origin, flat_direction, axis, radius)?;
        let precisely =
            |which: usize| Some(ball_roots_precisely(flat_origin, flat_direction, axis, radius)?[which]);
        for (which, (slot, t)) in passages.iter_mut().zip(roots).enumerate() {
            if is_between_ends(origin.y, direction.y, half_height, t, || precisely(which)) {
                let normal = cylinder_side_normal(origin + direction * t);
                *slot = Some(Passage::new(t, normal).on(Kind::Edge, 8));
            }
        }
    }
    for (slot, up) in passages[2..].iter_mut().zip([1.0, -1.0]) {
        let normal = Vec3::new(0.0, up, 0.0);
        *slot = disc_passage(origin, direction, up * half_height, radius, normal)
            .map(|cap| cap.on(Kind::Face, usize::from(up < 0.0)));
    }
    hull_of(passages, direction, |t| cylinder_side_normal(origin + direction * t))
}

fn cylinder_side_normal(point: Vec3<f64>) -> Vec3<f64> {
    Vec3::new(point.x, 0.0, point.z)
}

/// The part of the line in the cone with its base at −half_height and its tip at +half_height.
///
/// With u = half_height − y, the distance below the tip, and both nappes: (2h)²(x² + z²) = r²u². In
/// the coordinates X = 2h·x, Z = 2h·z, U = r·u this is the light cone X² + Z² = U²; with ⟨,⟩ its
/// bilinear form, the line m + t·d meets it where ⟨d,d⟩t² + 2⟨m,d⟩t + ⟨m,m⟩ = 0, and
///
/// ```text
/// ⟨m,d⟩² − ⟨d,d⟩⟨m,m⟩ = (m_X d_U − m_U d_X)² + (m_Z d_U − m_U d_Z)² − (m_X d_Z − m_Z d_X)²
/// ```
pub(crate) fn cone_span(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    half_height: f64,
    radius: f64,
) -> Option<Span<Vec3<f64>>> {
    if half_height == 0.0 {
        return cylinder_span(origin, direction, 0.0, radius);
    }
    let (tip, base) = (Vec3::new(0.0, half_height, 0.0), Vec3::new(0.0, -half_height, 0.0));
    if radius == 0.0 {
        return capsule_span(origin, direction, [tip, base], 0.0);
    }
    let side_normal = |t: f64| {
        let point = origin + direction * t;
        let noise = 8.0 * f64::EPSILON * (origin.max_abs() + half_height);
        cone_side_normal(point, half_height, radius, noise)
            .unwrap_or_else(|| tip_normal(direction, half_height, radius))
    };
    let mut passages: Passages = [None; 4];
    passages[2] = disc_passage(origin, direction, -half_height, radius, Vec3::new(0.0, -1.0, 0.0))
        .map(|cap| cap.on(Kind::Face, 0));
    if let Some([t, _]) = ball_roots(origin, direction, tip, 0.0) {
        // Exactly through the tip, hence through the side nowhere else.
        let normal = tip_normal(direction, half_height, radius);
        passages[3] = Some(Passage::new(t, normal).on(Kind::Vertex, 4));
        return hull_of(passages, direction, side_normal);
    }
    let roots = cone_roots(origin, direction, half_height, radius, false);
    for (which, (slot, t)) in passages.iter_mut().zip(roots).enumerate() {
        let Some(t) = t.map(Double::value) else { continue };
        let precisely = || cone_roots(origin, direction, half_height, radius, true)[which];
        if is_between_ends(origin.y, direction.y, half_height, t, precisely) {
            *slot = Some(Passage::new(t, side_normal(t)).on(Kind::Edge, 4));
        }
    }
    hull_of(passages, direction, side_normal)
}

/// Whether |y + t·d_y| <= half_height at a root t. Next to an end it is the root in double precision
/// that decides; what still is in doubt then lies on the rim, where the flat end has its own test.
fn is_between_ends(
    y: f64,
    speed: f64,
    half_height: f64,
    t: f64,
    precisely: impl FnOnce() -> Option<Double>,
) -> bool {
    let height = y + t * speed;
    let doubt = 64.0 * f64::EPSILON * (y.abs() + half_height);
    if speed == 0.0 || doubt < (height.abs() - half_height).abs() {
        return height.abs() <= half_height;
    }
    let Some(t) = precisely() else { return false };
    let height = Double::exact(y) + t * Double::exact(speed);
    height.abs().less_or_equal(Double::exact(half_height))
}

/// In the profile (ρ, y) the side runs from (0, h) to (r, −h), so its normal is (2h, r); ρ is that of
/// the point itself, so that the normal leans by the right amount also near the tip. `None` at the tip,
/// where the point is nothing but rounding errors.
fn cone_side_normal(point: Vec3<f64>, half_height: f64, radius: f64, noise: f64) -> Option<Vec3<f64>> {
    let rho = (point.x * point.x + point.z * point.z).sqrt();
    let normal = Vec3::new(2.0 * half_height * point.x, radius * rho, 2.0 * half_height * point.z);
    (noise < rho).then_some(normal)
}

/// The axis for a line that goes on inside the cone; for one that only touches the tip, the normal of
/// the side that faces it.
fn tip_normal(direction: Vec3<f64>, half_height: f64, radius: f64) -> Vec3<f64> {
    let flat = (direction.x * direction.x + direction.z * direction.z).sqrt();
    if 2.0 * half_height * flat < radius * direction.y.abs() {
        return Vec3::new(0.0, 1.0, 0.0);
    }
    Vec3::new(-2.0 * half_height * direction.x, radius * flat, -2.0 * half_height * direction.z)
}

/// Both roots of the cone's equation, on either nappe; in double precision when asked or in doubt.
fn cone_roots(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    half_height: f64,
    radius: f64,
    precisely: bool,
) -> [Option<Double>; 2] {
    // The equation is homogeneous in the slope of the cone, as 2h and r, and in the direction, but for the unit of t. Of
    // tiny ones, products of four would be 0 and everything on the cone.
    let slope = growth_of_tiny(half_height.max_of(radius));
    let longer = growth_of_tiny(direction.max_abs());
    if longer != 1.0 {
        let roots = cone_roots(origin, direction * longer, half_height, radius, precisely);
        let shorter = |t: Double| t * Double::exact(longer);
        return roots.map(|t| t.map(shorter).filter(|t| t.value().is_finite()));
    }
    let (wide, deep) = (2.0 * half_height * slope, radius * slope);
    let (plain, _) = cone_equation::<f64>(origin, direction, half_height, [wide, deep]);
    // The sizes of the terms that cancel in each coefficient.
    let size = |v: Vec3<f64>, y: f64| wide * wide * (v.x * v.x + v.z * v.z) + deep * deep * y * y;
    let (m_size, d_size) = (size(origin, half_height - origin.y), size(direction, direction.y));
    let on_surface = plain.gamma.abs() <= 64.0 * f64::EPSILON * m_size;
    let clear = d_size < 16.0 * plain.alpha.abs() && m_size * d_size < 16.0 * plain.discriminant;
    if clear && !on_surface && !precisely {
        return plain.roots().map(|t| Some(Double::exact(t)));
    }
    if plain.discriminant < -64.0 * f64::EPSILON * m_size * d_size {
        return [None, None];
    }
    let (precise, reach) = cone_equation::<Double>(origin, direction, half_height, [wide, deep]);
    let precise = precise.snapped(reach, m_size * d_size);
    if precise.discriminant.value() < 0.0 {
        return [None, None];
    }
    let finite = |t: Double| t.value().is_finite().then_some(t);
    if precise.alpha.value().abs() <= power_of_two(-96) * d_size {
        // Parallel to a line of the cone: 2βt + γ = 0.
        return [finite(-(precise.gamma / (precise.beta + precise.beta))), None];
    }
    precise.roots().map(finite)
}

/// A power of two that makes a number about 1 if it is tiny; else 1.
fn growth_of_tiny(number: f64) -> f64 {
    let exponent = (number.to_bits() >> 52) as i32 - 1023;
    if number == 0.0 || -200 < exponent { 1.0 } else { power_of_two(-exponent) }
}

/// The equation, and the part of its discriminant that counts positive. The slope is as 2h and r.
fn cone_equation<P: Precision>(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    half_height: f64,
    slope: [f64; 2],
) -> (Quadratic<P>, f64) {
    let [wide, deep] = slope.map(P::exact);
    let m = Vec3::new(
        wide * P::exact(origin.x),
        wide * P::exact(origin.z),
        deep * P::difference(half_height, origin.y),
    );
    let d =
        Vec3::new(wide * P::exact(direction.x), wide * P::exact(direction.z), deep * P::exact(-direction.y));
    let form = |a: Vec3<P>, b: Vec3<P>| a.x * b.x + a.y * b.y - a.z * b.z;
    let minors = m.cross(d); // (m_Z d_U − m_U d_Z, m_U d_X − m_X d_U, m_X d_Z − m_Z d_X)
    let discriminant = form(minors, minors);
    let reach = (minors.x * minors.x + minors.y * minors.y).value();
    let gamma = difference_or_zero(m.x * m.x + m.y * m.y, m.z * m.z);
    (Quadratic { alpha: form(d, d), beta: form(m, d), gamma, discriminant }, reach)
}

/// Where the line passes the disc of a radius about the y axis at a height; `None` for a parallel line.
///
/// The point is (origin·d_y − (o_y − height)·d)/d_y, so it lies in the disc when
/// |(o_x d_y − δ d_x, o_z d_y − δ d_z)| <= radius·|d_y| with δ = o_y − height.
fn disc_passage(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    height: f64,
    radius: f64,
    normal: Vec3<f64>,
) -> Option<Passage<Vec3<f64>>> {
    if direction.y == 0.0 {
        return None;
    }
    let (plain, size, reach_square) = disc_excess::<f64>(origin, direction, height, radius);
    let doubt = 64.0 * f64::EPSILON * size;
    let outside =
        if plain.abs() <= doubt { disc_excess::<Double>(origin, direction, height, radius).0 } else { plain };
    (outside <= doubt_of_squares(reach_square, size))
        .then(|| Passage::new((height - origin.y) / direction.y, normal))
}

/// By how much the squared distance from the axis exceeds the squared radius, times d_y²; the size of what cancels; and
/// the squared radius, times that. All are times the square of a power of two where d_y and δ, in which the test is
/// homogeneous, are so small that squares would be 0 and everything in the disc.
fn disc_excess<P: Precision>(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    height: f64,
    radius: f64,
) -> (f64, f64, f64) {
    let is_tiny = (origin.y - height).abs().max_of(direction.y.abs()) < power_of_two(-300);
    let factor = P::exact(if is_tiny { power_of_two(700) } else { 1.0 });
    let [dx, dy, dz] = [direction.x, direction.y, direction.z].map(P::exact);
    let (dy, delta) = (dy * factor, P::difference(origin.y, height) * factor);
    let (ox, oz) = (P::exact(origin.x) * dy, P::exact(origin.z) * dy);
    let (x, z) = (ox - delta * dx, oz - delta * dz);
    let reach = P::exact(radius) * dy;
    let squares = |a: P, b: P| (a * a + b * b).value();
    let size = squares(ox, oz) + squares(delta * dx, delta * dz) + squares(reach, reach);
    ((x * x + z * z - reach * reach).value(), size, (reach * reach).value())
}

/// From the first to the last passage. A line goes in through a surface that faces it and out through
/// one that does not: at a rim, where parameters differ by rounding only, that decides. A line that
/// touches a rim from the side may be seen by the flat end alone; it gets the normal of the side.
fn hull_of(
    passages: Passages,
    direction: Vec3<f64>,
    side_normal: impl Fn(f64) -> Vec3<f64>,
) -> Option<Span<Vec3<f64>>> {
    let speed = |p: &Passage<Vec3<f64>>| p.normal.dot(direction);
    let mut enter: Option<Passage<Vec3<f64>>> = None;
    let mut exit: Option<Passage<Vec3<f64>>> = None;
    for passage in passages.into_iter().flatten() {
        let rank = |p: Passage<Vec3<f64>>| (0.0 < speed(&p), p.t);
        if enter.is_none_or(|old| rank(passage) < rank(old)) {
            enter = Some(passage);
        }
        let rank = |p: Passage<Vec3<f64>>| (0.0 <= speed(&p), p.t);
        if exit.is_none_or(|old| rank(old) < rank(passage)) {
            exit = Some(passage);
        }
    }
    let (mut enter, mut exit) = (enter?, exit?);
    if 0.0 < speed(&enter) {
        enter.normal = side_normal(enter.t);
    }
    if speed(&exit) < 0.0 {
        exit.normal = side_normal(exit.t);
    }
    Some(Span::new(enter, exit))
}
