//! Lines against balls, cylinders without ends and capsules, in either dimension.
//!
//! Every round surface leads to α t² + 2β t + γ = 0. Its discriminant β² − αγ cancels for origins far
//! away and for grazing lines, so it is never formed: Lagrange's identity turns it into a difference
//! of two squares that mean something, the radius and the distance of the line,
//!
//! ```text
//! ball      β² − αγ = r²|d|² − |m × d|²                        m: from the centre to the origin
//! cylinder  β² − αγ = |e|² (r²|d × e|² − (m·(d × e))²)         e: along the axis
//! ```
//!
//! and each root is taken in the form that does not cancel: q = −(β ± √disc), t = q/α and γ/q. When
//! the difference of the squares is in doubt, or the line is nearly parallel to the axis, everything
//! is computed again in [`Double`]; so grazing is decided to about 30 digits, and exactly on a lattice.

use super::precision::{Precision, between, lift};
use super::span::{Passage, Span};
use crate::manifold::feature::Kind;
use carom_math::double::Double;
use carom_math::{Number, Vec3, Vector, power_of_two};

/// αt² + 2βt + γ, and its discriminant β² − αγ by a formula that does not cancel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quadratic<P> {
    pub(crate) alpha: P,
    pub(crate) beta: P,
    pub(crate) gamma: P,
    pub(crate) discriminant: P,
}

/// Whether the ray from the origin certainly stays clear of the ball about `centre`, or leaves it behind. No root, and
/// in doubt not.
#[inline(always)]
pub(crate) fn clears_ball<V: Vector<Scalar = f64>>(ray: V, centre: V, radius: f64) -> bool {
    let (square, ahead) = (ray.dot(ray), centre.dot(ray));
    let beside = centre * square - ray * ahead;
    // More than the roundings of what lies beside, and of the squares.
    let reach = radius * (1.0 + 1e-9) + 16.0 * f64::EPSILON * centre.sum_of_magnitudes();
    let limit = reach * square;
    limit * limit < beside.dot(beside) || (ahead < 0.0 && reach * reach < centre.dot(centre))
}

/// The parameters at which the line passes the ball about `centre`, in order; `None` for a miss.
/// Without a direction: the whole line when the origin is inside.
pub(crate) fn ball_roots<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    centre: V,
    radius: f64,
) -> Option<[f64; 2]> {
    let plain = ball_equation::<f64>(between(centre, origin), lift(direction), radius);
    match roots_in_doubt(plain, radius * radius, 16.0 * f64::EPSILON) {
        Some(found) => found,
        None => ball_roots_precisely(origin, direction, centre, radius).map(|roots| roots.map(Double::value)),
    }
}

/// The roots of a ball's equation with this squared radius in plain numbers, or `None` when they are in
/// doubt: hit or miss, or digits lost to cancellation. `rounding` is the relative error of the squares.
#[inline]
pub(crate) fn roots_in_doubt(
    plain: Quadratic<f64>,
    squared_radius: f64,
    rounding: f64,
) -> Option<Option<[f64; 2]>> {
    let reach = squared_radius * plain.alpha;
    let moment = (plain.gamma + squared_radius) * plain.alpha; // |m|²|d|²
    let doubt = rounding * (moment + reach);
    if plain.discriminant < -doubt {
        return Some(None);
    }
    // Next to the surface γ cancels. In a section of a longer problem (a cylinder met almost along its
    // axis) that would show in t.
    let near_surface = 16.0 * plain.gamma.abs() < squared_radius;
    let clear = doubt < plain.discriminant && reach < 16.0 * plain.discriminant && !near_surface;
    clear.then(|| Some(plain.roots()))
}

/// The same, always in double precision.
pub(crate) fn ball_roots_precisely<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    centre: V,
    radius: f64,
) -> Option<[Double; 2]> {
    let equation = ball_equation(between(centre, origin), lift(direction), Double::from(radius));
    let moment = cross_terms(lift(origin - centre), lift(direction));
    equation.roots_if_any(radius * radius * equation.alpha.value(), moment.dot(moment))
}

#[inline]
pub(crate) fn ball_equation<P: Precision>(m: Vec3<P>, d: Vec3<P>, radius: P) -> Quadratic<P> {
    let across = m.cross(d);
    let alpha = d.dot(d);
    let square = radius * radius;
    Quadratic {
        alpha,
        beta: m.dot(d),
        gamma: difference_or_zero(m.dot(m), square),
        discriminant: square * alpha - across.dot(across),
    }
}

/// The parameters at which the line passes the surface at `radius` around the line through `a` and
/// `b`; `None` for a miss, and for a line parallel to the axis.
fn cylinder_roots<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    [a, b]: [V; 2],
    radius: f64,
) -> Option<[f64; 2]> {
    let axis = b - a;
    let (plain, length) =
        cylinder_equation::<f64>(between(a, origin), lift(direction), between(a, b), radius);
    let reach = radius * radius * plain.alpha;
    let from_a = origin - a;
    if direction.dot(direction) * axis.dot(axis) < 16.0 * plain.alpha {
        let doubt = 64.0 * f64::EPSILON * (from_a.dot(from_a) * plain.alpha + reach);
        if plain.discriminant < -doubt {
            return None;
        }
        let on_surface = plain.gamma.abs()
            <= 64.0 * f64::EPSILON * axis.dot(axis) * (radius * radius + from_a.dot(from_a));
        if doubt < plain.discriminant && reach < 16.0 * plain.discriminant && !on_surface {
            return Some(plain.with_root_scaled_by(length).roots());
        }
    }
    let (precise, length) =
        cylinder_equation::<Double>(between(a, origin), lift(direction), between(a, b), radius);
    if precise.alpha.value() == 0.0 {
        return None;
    }
    let moment = cross_terms(lift(direction), lift(axis)).dot(lift(from_a.abs_by_axis()));
    let roots = precise.snapped(reach, moment * moment).with_root_scaled_by(length).roots_if_any(0.0, 0.0);
    roots.map(|roots| roots.map(Double::value))
}

/// The quadratic and |e|²; its discriminant still lacks that factor.
fn cylinder_equation<P: Precision>(m: Vec3<P>, d: Vec3<P>, e: Vec3<P>, radius: f64) -> (Quadratic<P>, P) {
    let (d_across, m_across) = (d.cross(e), m.cross(e));
    let radius = P::exact(radius);
    let (alpha, length_squared, square) = (d_across.dot(d_across), e.dot(e), radius * radius);
    let offset = m.dot(d_across);
    let quadratic = Quadratic {
        alpha,
        beta: m_across.dot(d_across),
        gamma: difference_or_zero(m_across.dot(m_across), square * length_squared),
        discriminant: square * alpha - offset * offset,
    };
    (quadratic, length_squared)
}

/// The cross product with every term counted positive: the size of what cancels in it.
pub(crate) fn cross_terms(a: Vec3<f64>, b: Vec3<f64>) -> Vec3<f64> {
    let (a, b) = (a.abs_by_axis(), b.abs_by_axis());
    Vec3::new(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x)
}

/// a − b for positive numbers, and zero when it is no more than the rounding errors of double
/// precision: an origin on the surface as far as anyone can tell is on it.
pub(crate) fn difference_or_zero<P: Precision>(a: P, b: P) -> P {
    let difference = a - b;
    let doubt = power_of_two(-98) * a.value();
    if difference.value().abs() <= doubt { P::exact(0.0) } else { difference }
}

/// How far a difference x² − y² in double precision can be from the truth, where x² = `reach` and y is
/// a sum of terms whose squares are of size `moment` before they cancel: y errs by about 2⁻¹⁰⁴·√moment.
pub(crate) fn doubt_of_squares(reach: f64, moment: f64) -> f64 {
    let size = reach.sqrt();
    power_of_two(-96) * size * (size + moment.sqrt()) + power_of_two(-196) * moment
}

impl<P: Precision> Quadratic<P> {
    /// With a discriminant that is in doubt taken for zero: touching counts, also when nobody can tell.
    pub(crate) fn snapped(self, reach: f64, moment: f64) -> Self {
        if self.discriminant.value().abs() <= doubt_of_squares(reach, moment) {
            return Quadratic { discriminant: P::exact(0.0), ..self };
        }
        self
    }

    fn with_root_scaled_by(self, square: P) -> Self {
        Quadratic { discriminant: self.discriminant * square, ..self }
    }

    /// The roots, if any, of an equation in double precision; see [`Self::snapped`].
    pub(crate) fn roots_if_any(self, reach: f64, moment: f64) -> Option<[P; 2]> {
        if self.alpha.value() == 0.0 {
            let whole = [f64::NEG_INFINITY, f64::INFINITY].map(P::exact);
            return (self.gamma.value() <= 0.0).then_some(whole);
        }
        let snapped = self.snapped(reach, moment);
        (0.0 <= snapped.discriminant.value()).then(|| snapped.roots())
    }

    /// In order. The discriminant must not be negative, nor alpha zero.
    pub(crate) fn roots(self) -> [P; 2] {
        let root = self.discriminant.sqrt();
        let ordered = |a: P, b: P| if b.less_than(a) { [b, a] } else { [a, b] };
        if self.beta.value() < 0.0 {
            let q = root - self.beta;
            return ordered(self.gamma / q, q / self.alpha);
        }
        let q = -(self.beta + root);
        let enter = q / self.alpha;
        // q = 0 only when β = 0 and the discriminant vanishes: a double root at the origin.
        ordered(enter, if q.value() == 0.0 { enter } else { self.gamma / q })
    }
}

/// The part of the line in the ball about `centre`. The normals point away from the centre.
pub(crate) fn ball_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    centre: V,
    radius: f64,
) -> Option<Span<V>> {
    let from_centre = origin - centre;
    let passage = |t: f64, against: f64| {
        let normal = from_centre + direction * t;
        // A ball of radius 0 is met head on.
        Passage::new(t, if radius == 0.0 { direction * against } else { normal })
    };
    let [enter, exit] = ball_roots(origin, direction, centre, radius)?;
    Some(Span::new(passage(enter, -1.0), passage(exit, 1.0)))
}

/// The part of the line within `radius` of the segment `a` `b`: the hull of its parts in the balls
/// about the ends and in the cylinder between.
///
/// Where the line passes the cylinder between its ends, that is the surface of the capsule. A line
/// parallel to the segment needs the balls only. Radius 0 in space: the segment itself, met when the
/// line crosses it exactly; the normal is then the part of −direction across the segment.
pub(crate) fn capsule_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    [a, b]: [V; 2],
    radius: f64,
) -> Option<Span<V>> {
    let axis = b - a;
    let (from_a, length_squared) = (origin - a, axis.dot(axis));
    let mut side = [None; 2];
    if 0.0 < length_squared {
        let (start, speed) = (from_a.dot(axis), direction.dot(axis));
        let roots = cylinder_roots(origin, direction, [a, b], radius);
        side = [0, 1].map(|which| {
            let t = roots?[which];
            let along = start + t * speed;
            let sign = if which == 0 { -1.0 } else { 1.0 };
            let spoke = if radius == 0.0 { direction * sign } else { from_a + direction * t };
            let between = if radius == 0.0 {
                meets_between_ends(origin, direction, [a, b])
            } else {
                // Rounding does no harm here: at the seams the balls have the same surface.
                0.0 <= along && along <= length_squared
            };
            between.then(|| Passage::new(t, across(spoke, axis)).on(Kind::Edge, 0))
        });
        if let [Some(enter), Some(exit)] = side {
            return Some(Span::new(enter, exit));
        }
    }
    let cap = |centre: V, vertex: usize| {
        let span = ball_span(origin, direction, centre, radius)?;
        Some(Span { enter: span.enter.on(Kind::Vertex, vertex), exit: span.exit.on(Kind::Vertex, vertex) })
    };
    let caps = Span::hull(cap(a, 0), cap(b, 1));
    // One passage through the side and none through the ends: the other one was lost to rounding at
    // the seam, where the line only just touches.
    side.into_iter().flatten().fold(caps, |span, point| Span::hull(span, Some(Span::new(point, point))))
}

/// Whether a line that crosses the line through `a` and `b` does so between them: at t = −β/α the
/// position along the axis is m·e + t·d·e, to be compared with 0 and e·e.
fn meets_between_ends<V: Vector<Scalar = f64>>(origin: V, direction: V, [a, b]: [V; 2]) -> bool {
    let (m, d, e) =
        (between::<Double, V>(a, origin), lift::<Double, V>(direction), between::<Double, V>(a, b));
    let (equation, length_squared) = cylinder_equation(m, d, e, 0.0);
    let along = m.dot(e) * equation.alpha - equation.beta * d.dot(e);
    Double::exact(0.0).less_or_equal(along) && along.less_or_equal(length_squared * equation.alpha)
}

/// The part of `v` perpendicular to `axis`, times |axis|²: Σⱼ eⱼ·(vᵢeⱼ − vⱼeᵢ). The differences of
/// products keep their accuracy for a `v` that is nearly parallel to the axis.
#[inline]
pub(crate) fn across<V: Vector<Scalar = f64>>(v: V, axis: V) -> V {
    if V::DIM == 2 {
        let turned = v.get(0) * axis.get(1) - v.get(1) * axis.get(0);
        return V::from_fn(|i| if i == 0 { axis.get(1) * turned } else { -axis.get(0) * turned });
    }
    let (lifted, e) = (lift::<f64, V>(v), lift::<f64, V>(axis));
    let result = e.cross(lifted.cross(e));
    V::from_fn(|i| result.get(i))
}
