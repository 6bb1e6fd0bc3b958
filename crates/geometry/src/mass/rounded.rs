//! Mass, centre and inertia of rounded shapes: a convex core and everything within a radius r of it.
//!
//! The layer around the core is cut by which point c of the core is nearest (Steiner 1840): every point of
//! the layer is c + ρ·u with 0 <= ρ <= r, where c runs over a vertex, an edge or a face and u over the unit
//! vectors in its normal cone. With the integrals over c (L₀ = ∫1, L₁ = ∫c, L₂ = ∫c·cᵀ), those over u (D₀, D₁,
//! D₂) and the volume element ρ^p dρ, p being the dimension of the normal cone less one,
//!
//! ```text
//! measure   L₀ D₀ r^(p+1)/(p+1)
//! ∫ x       L₁ D₀ r^(p+1)/(p+1) + L₀ D₁ r^(p+2)/(p+2)
//! ∫ x·xᵀ    L₂ D₀ r^(p+1)/(p+1) + (L₁ D₁ᵀ + D₁ L₁ᵀ) r^(p+2)/(p+2) + L₀ D₂ r^(p+3)/(p+3)
//! ```
//!
//! The integrals over u are elementary. On an arc from the unit vector n towards the unit vector o over the
//! angle α (an edge of a polyhedron, a corner of a polygon): with c = cos α, s = sin α
//!
//! ```text
//! D₀ = α     D₁ = n·s + o·(1 − c)     D₂ = n·nᵀ(α + s·c)/2 + o·oᵀ(α − s·c)/2 + (n·oᵀ + o·nᵀ)s²/2
//! ```
//!
//! At a corner of a polyhedron D₀ is what is missing to 2π from the angles of its faces (Descartes), D₁ is
//! −½ Σ α·t over its edges, t pointing away from it, and the D₂ of all corners make up those of the
//! whole sphere, 4/3 π·1. Nothing is approximated; ellipsoids have no such form.

use super::solid::{Entries, Solid, in_space};
use super::unbounded::{Unbounded, unbounded};
use crate::exact::{Dyadic, Ring, Triple};
use carom_math::{Number, Real, Vec3};
use core::f64::consts::PI;

type Vector = Vec3<Unbounded>;

/// Measure, first and second moments about some point: ∫1, ∫x, and ∫x·xᵀ as xx, yy, zz, yz, zx, xy.
#[derive(Clone, Copy)]
struct Moments {
    measure: Unbounded,
    first: Vector,
    second: [Unbounded; 6],
}

fn zero() -> Vector {
    unbounded(Vec3::new(0.0, 0.0, 0.0))
}

fn over(x: Unbounded, divisor: f64) -> Unbounded {
    x / Unbounded::from(divisor)
}

/// (a·bᵀ + b·aᵀ)/2
fn product(a: Vector, b: Vector) -> [Unbounded; 6] {
    let mixed = |p: Unbounded, q: Unbounded, s: Unbounded, t: Unbounded| (p * q + s * t) * 0.5;
    [
        a.x * b.x,
        a.y * b.y,
        a.z * b.z,
        mixed(a.y, b.z, a.z, b.y),
        mixed(a.z, b.x, a.x, b.z),
        mixed(a.x, b.y, a.y, b.x),
    ]
}

fn scaled(entries: [Unbounded; 6], factor: Unbounded) -> [Unbounded; 6] {
    entries.map(|entry| entry * factor)
}

fn sum(a: [Unbounded; 6], b: [Unbounded; 6]) -> [Unbounded; 6] {
    core::array::from_fn(|index| a[index] + b[index])
}

fn length(v: Vector) -> Unbounded {
    v.dot(v).sqrt()
}

/// The angle in [0, π] with this sine and cosine, both times any positive number.
fn angle(sine: Unbounded, cosine: Unbounded) -> f64 {
    let largest = sine.abs().max_of(cosine.abs());
    (sine.abs() / largest).to_f64().arc_tangent2((cosine / largest).to_f64())
}

impl Moments {
    /// Those of nothing.
    fn none() -> Self {
        Moments { measure: Unbounded::ZERO, first: zero(), second: [Unbounded::ZERO; 6] }
    }

    /// Those of a unit mass at a point.
    fn at(point: Vector) -> Self {
        Moments { measure: Unbounded::from(1.0), first: point, second: product(point, point) }
    }

    fn add(&mut self, other: &Moments) {
        self.measure = self.measure + other.measure;
        self.first += other.first;
        self.second = sum(self.second, other.second);
    }

    /// Those of the points evenly between p and q.
    fn of_segment(p: Vector, q: Vector) -> Self {
        let measure = length(q - p);
        let second = sum(sum(product(p, p), product(q, q)), product(p, q));
        Moments { measure, first: (p + q) * (measure * 0.5), second: scaled(second, over(measure, 3.0)) }
    }

    /// Those of a triangle of this area.
    fn of_triangle([p, q, r]: [Vector; 3], area: Unbounded) -> Self {
        let total = p + q + r;
        let corners = sum(sum(product(p, p), product(q, q)), product(r, r));
        Moments {
            measure: area,
            first: total * over(area, 3.0),
            second: scaled(sum(corners, product(total, total)), over(area, 12.0)),
        }
    }

    /// Those of the unit vectors on an arc from n towards o.
    fn of_arc(n: Vector, o: Vector, angle: f64) -> Self {
        let (sine, cosine) = Real::sine_cosine(angle);
        let number = Unbounded::from;
        // 1 − cos α without cancellation.
        let (half, _) = Real::sine_cosine(angle * 0.5);
        let along = scaled(product(n, n), number((angle + sine * cosine) * 0.5));
        let beside = scaled(product(o, o), number((angle - sine * cosine) * 0.5));
        Moments {
            measure: number(angle),
            first: n * number(sine) + o * number(2.0 * half * half),
            second: sum(sum(along, beside), scaled(product(n, o), number(sine * sine))),
        }
    }

    /// Adds the layer over `base` in the directions `around`; see the module.
    fn add_layer(&mut self, base: &Moments, around: &Moments, radius: Unbounded, power: u32) {
        let p = f64::from(power);
        let r1 = (0..power).fold(radius, |r, _| r * radius);
        let [r1, r2, r3] =
            [over(r1, p + 1.0), over(r1 * radius, p + 2.0), over(r1 * radius * radius, p + 3.0)];
        let mixed = scaled(product(base.first, around.first), r2 * 2.0);
        let second = sum(
            sum(scaled(base.second, around.measure * r1), mixed),
            scaled(around.second, base.measure * r3),
        );
        self.add(&Moments {
            measure: base.measure * around.measure * r1,
            first: base.first * (around.measure * r1) + around.first * (base.measure * r2),
            second,
        });
    }

    /// Those of a solid about a point, by its second moments about its centre.
    fn of_solid(solid: &Solid, own: Entries, origin: Vector) -> Self {
        let arm = solid.center - origin;
        let second = sum(own, scaled(product(arm, arm), solid.mass));
        Moments { measure: solid.mass, first: arm * solid.mass, second }
    }

    /// The solid that has these moments about `origin`.
    fn to_solid(self, origin: Vector, dimension: usize) -> Solid {
        let arm = self.first / self.measure;
        let moved = scaled(product(arm, arm), self.measure);
        let [xx, yy, zz, yz, zx, xy] = core::array::from_fn(|i| self.second[i] - moved[i]);
        let center = origin + arm;
        if dimension == 2 {
            return Solid::flat(self.measure, center, xx + yy);
        }
        Solid { mass: self.measure, center, inertia: [yy + zz, zz + xx, xx + yy, -yz, -zx, -xy] }
    }
}

fn mean(points: &[Vector]) -> Vector {
    points.iter().fold(zero(), |sum, &point| sum + point) / Unbounded::from(points.len() as f64)
}

/// A polygon, convex and counter-clockwise, with `inside`, its own mass, within; one or two points will do.
pub(crate) fn of_polygon(points: &[Vector], inside: &Solid, radius: Unbounded) -> Solid {
    let origin = mean(points);
    // Of the second moments only the sum of xx and yy is known, and only it is asked for.
    let mut own = [Unbounded::ZERO; 6];
    own[0] = inside.inertia[0];
    let mut moments = Moments::of_solid(inside, own, origin);
    if points.len() < 2 {
        let (x, y) = (unbounded(Vec3::new(1.0, 0.0, 0.0)), unbounded(Vec3::new(0.0, 1.0, 0.0)));
        moments.add_layer(&Moments::at(zero()), &Moments::of_arc(x, y, 2.0 * PI), radius, 1);
        return moments.to_solid(origin, 2);
    }
    let corner = |index: usize| points[index % points.len()] - origin;
    let along = |index: usize| {
        let edge = corner(index + 1) - corner(index);
        edge / length(edge)
    };
    for index in 0..points.len() {
        let (before, after) = (along(index + points.len() - 1), along(index));
        let outward = Vec3::new(after.y, -after.x, Unbounded::ZERO);
        let edge = Moments::of_segment(corner(index), corner(index + 1));
        moments.add_layer(&edge, &Moments::at(outward), radius, 0);
        let normal = Vec3::new(before.y, -before.x, Unbounded::ZERO);
        let turn = angle(before.cross(after).z, before.dot(after));
        moments.add_layer(&Moments::at(corner(index)), &Moments::of_arc(normal, before, turn), radius, 1);
    }
    moments.to_solid(origin, 2)
}

/// Twice the area of a triangle along its normal, exactly. Of a needle it is all that tells where its sides face: next to
/// its length, the height may be less than a rounding error.
fn twice_area(corners: [Vec3<f64>; 3]) -> Triple<Dyadic> {
    let [a, b, c] = corners.map(Triple::of);
    b.minus(&a).cross(&c.minus(&a))
}

/// Every coordinate rounded once.
fn rounded_once(v: &Triple<Dyadic>) -> Vector {
    let [x, y, z] = v.0.each_ref().map(|number| {
        let (mantissa, exponent) = number.rounded();
        // Products of three lengths of f64 have exponents of four digits.
        Unbounded::from(mantissa).shifted(exponent as i32)
    });
    Vec3::new(x, y, z)
}

/// A convex polyhedron or a flat polygon with two faces, by its vertices and the loops of its faces,
/// counter-clockwise from outside; `inside` is its own mass, with its second moments about its centre. There must be a face.
///
/// However flat or thin it is, down to a segment: normals come from exact areas, and directions of edges from
/// differences of the given vertices, so that the angles between them are right to rounding.
pub(crate) fn of_polyhedron<'a>(
    vertices: &[Vec3<f64>],
    faces: impl Iterator<Item = &'a [u32]>,
    (inside, second): (&Solid, Entries),
    radius: Unbounded,
) -> Solid {
    let points: Vec<Vector> = vertices.iter().map(|&vertex| in_space(vertex)).collect();
    let origin = mean(&points);
    let given = |index: u32| vertices.get(index as usize).copied().unwrap_or_default();
    let point = |index: u32| points.get(index as usize).copied().unwrap_or(origin);
    let corner = |index: u32| point(index) - origin;
    let mut moments = Moments::of_solid(inside, second, origin);
    let mut missing = vec![2.0 * PI; points.len()];
    let mut leaning = vec![zero(); points.len()];
    // Every edge under its lower end, with the direction in which the face runs through it.
    let mut edges: Vec<([u32; 2], bool, Vector)> = Vec::new();
    for face in faces {
        let count = face.len();
        let mut base = Moments::none();
        let mut area = Triple([0; 3].map(|_| Dyadic::zero()));
        for index in 1..count.max(1) - 1 {
            let triangle = [face[0], face[index], face[index + 1]];
            let twice = twice_area(triangle.map(given));
            base.add(&Moments::of_triangle(triangle.map(corner), length(rounded_once(&twice)) * 0.5));
            area = area.plus(&twice);
        }
        let area = rounded_once(&area);
        let normal = area / length(area);
        moments.add_layer(&base, &Moments::at(normal), radius, 0);
        for index in 0..count {
            let [before, here, after] =
                [index + count - 1, index, index + 1].map(|position| face[position % count]);
            let [back, ahead] = [before, after].map(|other| point(other) - point(here));
            if let Some(missing) = missing.get_mut(here as usize) {
                *missing -= angle(length(back.cross(ahead)), back.dot(ahead));
            }
            let is_forward = here < after;
            edges.push((if is_forward { [here, after] } else { [after, here] }, is_forward, normal));
        }
    }
    edges.sort_by_key(|(ends, is_forward, _)| (*ends, !is_forward));
    for pair in edges.chunk_by(|one, other| one.0 == other.0) {
        let [([low, high], _, normal), (_, _, other)] = *pair else { continue };
        let (p, q) = (corner(low), corner(high));
        let edge = point(high) - point(low);
        let along = edge / length(edge);
        let outward = along.cross(normal);
        let turn = angle(outward.dot(other), normal.dot(other));
        moments.add_layer(&Moments::of_segment(p, q), &Moments::of_arc(normal, outward, turn), radius, 1);
        let lean = along * Unbounded::from(turn * 0.5);
        for (end, lean) in [(low, -lean), (high, lean)] {
            if let Some(sum) = leaning.get_mut(end as usize) {
                *sum += lean;
            }
        }
    }
    for (index, (missing, first)) in missing.into_iter().zip(leaning).enumerate() {
        let around =
            Moments { measure: Unbounded::from(missing.max_of(0.0)), first, second: [Unbounded::ZERO; 6] };
        moments.add_layer(&Moments::at(corner(index as u32)), &around, radius, 2);
    }
    let sphere = over(Unbounded::from(4.0 * PI), 3.0);
    let zero = Unbounded::ZERO;
    let second = [sphere, sphere, sphere, zero, zero, zero];
    let around = Moments { second, ..Moments::none() };
    moments.add_layer(&Moments { measure: Unbounded::from(1.0), ..Moments::none() }, &around, radius, 2);
    moments.to_solid(origin, 3)
}

/// A box of D dimensions, by its half extents, as a product of axes: along each axis the layer is a
/// segment and two halves of a disc or ball. All terms are positive.
///
/// With the half extents a, b, c (c absent in the plane), of all pieces only the distance from the middle
/// plane matters for ∫x²: x² over the core and over layers beside x, (a + ξ)² over the others, ξ being
/// the first coordinate in the layer. ∫|ξ| and ∫ξ² are 4/3 r³ and π/4 r⁴ over a disc, π/2 r⁴ and 4/15 π r⁵ over
/// a ball, r² and 2/3 r³ over a segment.
pub(crate) fn of_box(half: Vector, radius: Unbounded, dimension: usize) -> Solid {
    let r = radius;
    let (r2, number) = (r * r, Unbounded::from);
    let third = |x: Unbounded| over(x, 3.0);
    // ∫1 and ∫x² for the axis a; b and c are the others.
    let along = |a: Unbounded, b: Unbounded, c: Unbounded| {
        let (a2, disc, ball) = (a * a, r2 * PI, over(r2 * r * (4.0 * PI), 3.0));
        let beyond =
            |measure: Unbounded, first: Unbounded, second: Unbounded| a2 * measure + a * first * 2.0 + second;
        let on_segment = beyond(r * 2.0, r2, third(r2 * r * 2.0));
        let on_disc = beyond(disc, third(r2 * r * 4.0), r2 * r2 * (PI / 4.0));
        if dimension == 2 {
            let across = b * 2.0;
            return a * 2.0 * third(a2) * (across + r * 2.0) + across * on_segment + on_disc;
        }
        let on_ball = beyond(ball, r2 * r2 * (PI / 2.0), over(r2 * r2 * r * (4.0 * PI), 15.0));
        let section = b * c * 4.0;
        a * 2.0 * third(a2) * (section + (b + c) * r * 4.0 + disc)
            + section * on_segment
            + (b + c) * 2.0 * on_disc
            + on_ball
    };
    let Vec3 { x, y, z } = half;
    let (edges, faces) = (x + y + z, x * y + y * z + z * x);
    if dimension == 2 {
        let area = x * y * 4.0 + (x + y) * r * 4.0 + r2 * PI;
        return Solid::flat(area, zero(), along(x, y, z) + along(y, x, z));
    }
    let volume =
        x * y * z * 8.0 + faces * r * 8.0 + edges * r2 * (2.0 * PI) + over(r2 * r, 3.0) * number(4.0 * PI);
    let [xx, yy, zz] = [along(x, y, z), along(y, z, x), along(z, x, y)];
    Solid::aligned(volume, zero(), [yy + zz, zz + xx, xx + yy])
}

/// A side of the profile of a body of revolution about y: from one point (ρ, y) to the next, and the unit
/// normal that points out.
pub(crate) struct Side {
    pub(crate) from: [Unbounded; 2],
    pub(crate) to: [Unbounded; 2],
    pub(crate) normal: [f64; 2],
}

/// A body of revolution about y whose profile has straight sides, listed from the lower end of the axis to
/// the upper one; `inside` is its own mass.
///
/// Over a side the moments are polynomials of degree five at most, for which Gauss's rule with three points
/// is exact. Around a corner (R, h) of the profile the layer is (R + ρ·a, h + ρ·b) with (a, b) on an arc, and
/// the integrals of a^i·b^j over it follow from sine and cosine, which are the coordinates of the normals.
pub(crate) fn of_revolved(sides: &[Side], inside: &Solid, radius: Unbounded) -> Solid {
    let [across, axial, ..] = inside.inertia;
    let low = inside.center.y;
    // ∫1, ∫y, ∫y², ∫ρ²
    let mut sums = [inside.mass, inside.mass * low, (across - axial * 0.5) + inside.mass * low * low, axial];
    let mut add = |terms: [Unbounded; 4], factor: Unbounded| {
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum = *sum + term * factor * (2.0 * PI);
        }
    };
    let [mut cosine, mut sine] = [0.0, -1.0];
    for (index, side) in sides.iter().enumerate() {
        let [a, b] = side.normal;
        corner(&mut add, side.from, [[cosine, sine], [a, b]], radius);
        [cosine, sine] = [a, b];
        let along = [side.to[0] - side.from[0], side.to[1] - side.from[1]];
        let size = (along[0] * along[0] + along[1] * along[1]).sqrt();
        for (s, weight_s) in GAUSS {
            for (w, weight_w) in GAUSS {
                let place = |axis: usize| side.from[axis] + along[axis] * s + radius * w * side.normal[axis];
                let (rho, y) = (place(0), place(1));
                add([rho, rho * y, rho * y * y, rho * rho * rho], size * radius * (weight_s * weight_w));
            }
        }
        if index + 1 == sides.len() {
            corner(&mut add, side.to, [[cosine, sine], [0.0, 1.0]], radius);
        }
    }
    let [mass, first, second, axial] = sums;
    let center = first / mass;
    let across = second - center * first + axial * 0.5;
    let middle = Vec3::new(Unbounded::ZERO, center, Unbounded::ZERO);
    Solid::aligned(mass, middle, [across, axial, across])
}

/// Points in [0, 1] and weights of Gauss's rule: ½, and √(3/5)/2 to either side.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// The layer around a corner of a profile, between two normals.
fn corner(
    add: &mut impl FnMut([Unbounded; 4], Unbounded),
    [rho, y]: [Unbounded; 2],
    [[a1, b1], [a2, b2]]: [[f64; 2]; 2],
    radius: Unbounded,
) {
    let turn = (a1 * b2 - b1 * a2).abs().arc_tangent2(a1 * a2 + b1 * b2);
    // ∫a, ∫b, ∫a², ∫a·b, ∫b², ∫a³, ∫a·b² over the arc.
    let (a, b) = (b2 - b1, a1 - a2);
    let mixed = (a2 * b2 - a1 * b1) * 0.5;
    let (aa, ab, bb) = (turn * 0.5 + mixed, (b2 * b2 - b1 * b1) * 0.5, turn * 0.5 - mixed);
    let abb = (b2 * b2 * b2 - b1 * b1 * b1) / 3.0;
    let aaa = a - abb;
    let r = |power: u32| {
        let product = (1..power).fold(radius, |r, _| r * radius);
        over(product, f64::from(power))
    };
    let one = Unbounded::from(1.0);
    add([rho * turn, rho * y * turn, rho * y * y * turn, rho * rho * rho * turn], r(2));
    add([one * a, rho * b + y * a, rho * y * (2.0 * b) + y * y * a, rho * rho * (3.0 * a)], r(3));
    add([Unbounded::ZERO, one * ab, rho * bb + y * (2.0 * ab), rho * (3.0 * aa)], r(4));
    add([Unbounded::ZERO, Unbounded::ZERO, one * abb, one * aaa], r(5));
}
