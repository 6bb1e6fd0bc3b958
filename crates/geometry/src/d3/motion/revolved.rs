//! Lines against cylinders and cones about the y axis.
//!
//! The surface is put together from parts, and the span of the line is the hull of its passages
//! through them: two through the side, one through each flat end, one through the tip. Each part has
//! its own test that is exact on a lattice, so that a line that meets nothing but a rim or the tip is
//! not lost to the rounding of another part's parameter.

use crate::cast::double::{Double, Precision};
use crate::cast::round::{Quadratic, ball_roots, capsule_span};
use crate::cast::span::{Passage, Span};
use carom_math::{Number, Vec2, Vec3};

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
        let roots = ball_roots(Vec2::new(origin.x, origin.z), flat_direction, Vec2::new(0.0, 0.0), radius)?;
        for (slot, t) in passages.iter_mut().zip(roots) {
            let point = origin + direction * t;
            if (origin.y + t * direction.y).abs() <= half_height {
                *slot = Some(Passage { t, normal: Vec3::new(point.x, 0.0, point.z) });
            }
        }
    }
    for (slot, up) in passages[2..].iter_mut().zip([1.0, -1.0]) {
        *slot = disc_passage(origin, direction, up * half_height, radius, Vec3::new(0.0, up, 0.0));
    }
    hull_of(passages, direction)
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
    let mut passages: Passages = [None; 4];
    passages[2] = disc_passage(origin, direction, -half_height, radius, Vec3::new(0.0, -1.0, 0.0));
    if let Some([t, _]) = ball_roots(origin, direction, tip, 0.0) {
        // Exactly through the tip, hence through the side nowhere else.
        passages[3] = Some(Passage { t, normal: tip_normal(direction, half_height, radius) });
        return hull_of(passages, direction);
    }
    for (slot, t) in passages.iter_mut().zip(cone_roots(origin, direction, half_height, radius)) {
        let Some(t) = t else { continue };
        let point = origin + direction * t;
        let below_tip = (half_height - origin.y) - t * direction.y;
        if 0.0 <= below_tip && below_tip <= 2.0 * half_height {
            // The gradient of X² + Z² − U², divided by 2: (4h²x, r²u, 4h²z).
            let (stretch, slope) = (4.0 * half_height * half_height, radius * radius * below_tip);
            *slot = Some(Passage { t, normal: Vec3::new(stretch * point.x, slope, stretch * point.z) });
        }
    }
    hull_of(passages, direction)
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

/// Both roots of the cone's equation, on either nappe.
fn cone_roots(origin: Vec3<f64>, direction: Vec3<f64>, half_height: f64, radius: f64) -> [Option<f64>; 2] {
    let plain = cone_equation::<f64>(origin, direction, half_height, radius);
    // The sizes of the terms that cancel in each coefficient.
    let (wide, deep) = (2.0 * half_height, radius);
    let size = |v: Vec3<f64>, y: f64| wide * wide * (v.x * v.x + v.z * v.z) + deep * deep * y * y;
    let (m_size, d_size) = (size(origin, half_height - origin.y), size(direction, direction.y));
    let quarter = m_size * d_size / 16.0;
    let clear = d_size < 16.0 * plain.alpha.abs() && quarter < plain.discriminant;
    if clear {
        let [first, second] = plain.roots();
        return [Some(first), Some(second)];
    }
    let doubt = 64.0 * f64::EPSILON * m_size * d_size;
    if plain.discriminant < -doubt {
        return [None, None];
    }
    let precise = cone_equation::<Double>(origin, direction, half_height, radius);
    if precise.discriminant.value() < 0.0 {
        return [None, None];
    }
    if precise.alpha.value() == 0.0 {
        // Parallel to a line of the cone: 2βt + γ = 0.
        let t = (precise.gamma / (precise.beta + precise.beta)).value();
        return [t.is_finite().then_some(-t), None];
    }
    precise.roots().map(|t| t.is_finite().then_some(t))
}

fn cone_equation<P: Precision>(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    half_height: f64,
    radius: f64,
) -> Quadratic<P> {
    let (wide, deep) = (P::exact(2.0 * half_height), P::exact(radius));
    let m = Vec3::new(
        wide * P::exact(origin.x),
        wide * P::exact(origin.z),
        deep * P::difference(half_height, origin.y),
    );
    let d =
        Vec3::new(wide * P::exact(direction.x), wide * P::exact(direction.z), deep * P::exact(-direction.y));
    let form = |a: Vec3<P>, b: Vec3<P>| a.x * b.x + a.y * b.y - a.z * b.z;
    let minors = m.cross(d); // (m_Z d_U − m_U d_Z, m_U d_X − m_X d_U, m_X d_Z − m_Z d_X)
    Quadratic { alpha: form(d, d), beta: form(m, d), gamma: form(m, m), discriminant: form(minors, minors) }
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
    let (plain, size) = disc_excess::<f64>(origin, direction, height, radius);
    let doubt = 64.0 * f64::EPSILON * size;
    let outside =
        if plain.abs() <= doubt { disc_excess::<Double>(origin, direction, height, radius).0 } else { plain };
    (outside <= 0.0).then(|| Passage { t: (height - origin.y) / direction.y, normal })
}

/// By how much the squared distance from the axis exceeds the squared radius, times d_y²; and the
/// size of what cancels.
fn disc_excess<P: Precision>(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    height: f64,
    radius: f64,
) -> (f64, f64) {
    let [dx, dy, dz] = [direction.x, direction.y, direction.z].map(P::exact);
    let delta = P::difference(origin.y, height);
    let (ox, oz) = (P::exact(origin.x) * dy, P::exact(origin.z) * dy);
    let (x, z) = (ox - delta * dx, oz - delta * dz);
    let reach = P::exact(radius) * dy;
    let squares = |a: P, b: P| (a * a + b * b).value();
    let size = squares(ox, oz) + squares(delta * dx, delta * dz) + squares(reach, reach);
    ((x * x + z * z - reach * reach).value(), size)
}

/// The hull of the passages; those whose normal faces the line go in, the others out.
fn hull_of(passages: Passages, direction: Vec3<f64>) -> Option<Span<Vec3<f64>>> {
    let (mut enter, mut exit): (Option<Passage<Vec3<f64>>>, Option<Passage<Vec3<f64>>>) = (None, None);
    for passage in passages.into_iter().flatten() {
        let facing = passage.normal.dot(direction) <= 0.0;
        // A strictly earlier passage wins; at the same parameter one that faces the line does.
        let earlier = |old: Passage<Vec3<f64>>| {
            passage.t < old.t || (passage.t == old.t && facing && 0.0 < old.normal.dot(direction))
        };
        let later = |old: Passage<Vec3<f64>>| {
            old.t < passage.t || (passage.t == old.t && !facing && old.normal.dot(direction) <= 0.0)
        };
        if enter.is_none_or(earlier) {
            enter = Some(passage);
        }
        if exit.is_none_or(later) {
            exit = Some(passage);
        }
    }
    Some(Span::new(enter?, exit?))
}
