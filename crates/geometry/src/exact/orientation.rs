//! On which side: exact orientation of points in the plane and in space, for all finite coordinates.
//!
//! Shewchuk's adaptive predicates (1997), from the crate `robust`, are exact as long as no product over-
//! or underflows. That is certain for coordinates of a moderate magnitude ([`Range`]). For others the
//! question goes to the numbers of this module ([`decide_in_place`]), which have no such limits: slower, rare and
//! right. Nothing is allocated either way.

use super::{Question, Ring, Triple, decide_in_place};
use carom_math::{Vec2, Vec3, Vector, power_of_two};
use core::cmp::Ordering;
use robust::{Coord, Coord3D};

type Point = Vec2<f64>;

/// The magnitudes of some coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// Zero, or between 2⁻³⁰⁰ and 2³⁰⁰. Such numbers are whole multiples of 2⁻³⁵², so a product of three
    /// differences has no bit below 2⁻¹⁰⁵⁶ and no value above 2⁹⁰⁶: all of it is representable.
    Moderate,
    /// Any finite number.
    Any,
}

impl Range {
    /// The range of these points.
    #[inline]
    pub(crate) fn of<V: Vector<Scalar = f64>>(points: &[V]) -> Self {
        const MODERATE: core::ops::RangeInclusive<f64> = power_of_two(-300)..=power_of_two(300);
        let is_moderate = |x: f64| x == 0.0 || MODERATE.contains(&x.abs());
        let all = points.iter().all(|p| (0..V::DIM).all(|axis| is_moderate(p.get(axis))));
        if all { Range::Moderate } else { Range::Any }
    }
}

/// On which side of the line from `a` to `b` the point `c` lies: `Greater` to the left (the three turn
/// counter-clockwise), `Less` to the right, `Equal` on the line (or when `a` = `b`).
#[inline]
pub(crate) fn orientation(a: Point, b: Point, c: Point) -> Ordering {
    sign(orient2d([a, b, c], Range::of(&[a, b, c])))
}

/// On which side of the line through `origin` along `direction` the point `c` lies, as [`orientation`].
pub(crate) fn side_of_ray(origin: Point, direction: Point, c: Point) -> Ordering {
    // direction × (c − origin). The difference of the two products below carries five roundings of at
    // most ε/2 relative to a product, so a determinant above 4ε of their sum has the right sign.
    let (left, right) = (direction.x * (c.y - origin.y), direction.y * (c.x - origin.x));
    let bound = (left.abs() + right.abs()) * (4.0 * f64::EPSILON);
    let determinant = left - right;
    // A bound of this size is not disturbed by the other product underflowing, which costs it at most
    // 2⁻¹⁰⁷⁴.
    if power_of_two(-900) < bound && bound < f64::MAX && bound < determinant.abs() {
        return sign(determinant);
    }
    decide_in_place(&Turn { first: [Point::ZERO, direction], second: [origin, c] })
}

/// Positive when the three points are counter-clockwise, zero when they lie on a line.
///
/// The sign is exact. The magnitude is about twice the area for [`Range::Moderate`], and 1 for
/// [`Range::Any`]. `range` must hold all three; a cloud is judged once for all of its triples.
#[inline]
pub(crate) fn orient2d([a, b, c]: [Point; 3], range: Range) -> f64 {
    if range == Range::Moderate {
        let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
        return robust::orient2d(a, b, c);
    }
    unit(decide_in_place(&Turn { first: [a, b], second: [a, c] }))
}

/// Positive when the fourth point lies below the plane of the other three, seen from where these are
/// counter-clockwise; zero when all lie in a plane. Sign, magnitude and `range` as for [`orient2d`].
#[inline]
pub(crate) fn orient3d(corners: [Vec3<f64>; 4], range: Range) -> f64 {
    if range == Range::Moderate {
        let [a, b, c, d] = corners.map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
        return robust::orient3d(a, b, c, d);
    }
    unit(decide_in_place(&Volume(corners)))
}

/// The sign of u · (v × w), as −1, 0 or 1, for three vectors from one point to another each.
pub(crate) fn volume_sign(vectors: [[Vec3<f64>; 2]; 3]) -> f64 {
    unit(decide_in_place(&Spanned(vectors)))
}

/// Where a line passes the plane of three points, which it is not parallel to: n·(a − origin)/(n·direction) with
/// n = (b − a) × (c − a), rounded once.
pub(crate) fn plane_parameter(origin: Vec3<f64>, direction: Vec3<f64>, corners: [Vec3<f64>; 3]) -> f64 {
    decide_in_place(&Crossing { origin, direction, corners })
}

/// (b − a) × (c − a), each component rounded once: right however thin the triangle is, as long as nothing is beyond the
/// range of numbers.
pub(crate) fn normal_rounded_once(corners: [Vec3<f64>; 3]) -> Vec3<f64> {
    decide_in_place(&Normal(corners))
}

/// The sign of (first[1] − first[0]) × (second[1] − second[0]).
struct Turn {
    first: [Point; 2],
    second: [Point; 2],
}

impl Question for Turn {
    type Answer = Ordering;
    fn ask<R: Ring>(&self) -> Result<Ordering, R::Doubt> {
        let between = |[from, to]: [Point; 2]| Triple::<R>::of(to).minus(&Triple::of(from));
        let (Triple([x, y, _]), Triple([u, v, _])) = (between(self.first), between(self.second));
        x.times(&v).minus(&y.times(&u)).sign()
    }
}

/// The sign of (a − d) · (b − d) × (c − d).
struct Volume([Vec3<f64>; 4]);

impl Question for Volume {
    type Answer = Ordering;
    fn ask<R: Ring>(&self) -> Result<Ordering, R::Doubt> {
        let [a, b, c, d] = self.0.map(Triple::<R>::of);
        a.minus(&d).dot(&b.minus(&d).cross(&c.minus(&d))).sign()
    }
}

/// The sign of u · (v × w), each from one point to another.
struct Spanned([[Vec3<f64>; 2]; 3]);

impl Question for Spanned {
    type Answer = Ordering;
    fn ask<R: Ring>(&self) -> Result<Ordering, R::Doubt> {
        let [u, v, w] = self.0.map(|[from, to]| Triple::<R>::of(to).minus(&Triple::of(from)));
        u.dot(&v.cross(&w)).sign()
    }
}

/// The components of (b − a) × (c − a).
struct Normal([Vec3<f64>; 3]);

impl Question for Normal {
    type Answer = Vec3<f64>;
    fn ask<R: Ring>(&self) -> Result<Vec3<f64>, R::Doubt> {
        let [a, b, c] = self.0.map(Triple::<R>::of);
        let Triple([x, y, z]) = b.minus(&a).cross(&c.minus(&a));
        let rounded = |component: R| R::ratio(&component, &R::one(), 0.0);
        Ok(Vec3::new(rounded(x)?, rounded(y)?, rounded(z)?))
    }
}

/// The parameter of a line in a plane.
struct Crossing {
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    corners: [Vec3<f64>; 3],
}

impl Question for Crossing {
    type Answer = f64;
    fn ask<R: Ring>(&self) -> Result<f64, R::Doubt> {
        let [a, b, c] = self.corners.map(Triple::<R>::of);
        let normal = b.minus(&a).cross(&c.minus(&a));
        let height = normal.dot(&a.minus(&Triple::of(self.origin)));
        R::ratio(&height, &normal.dot(&Triple::of(self.direction)), 0.0)
    }
}

fn sign(x: f64) -> Ordering {
    x.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

fn unit(sign: Ordering) -> f64 {
    f64::from(sign as i8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, any_bits, coordinate, nudge};
    use carom_oracle::rational::{ExactPoint, Rational};

    /// Numbers of every magnitude, often small integers.
    fn number(rng: &mut Rng) -> f64 {
        let x = if rng.one_in(3) { any_bits(rng) } else { coordinate(rng) };
        if x.is_finite() { x } else { 1.0 }
    }

    /// On the way from a to b or next to b, so that three points often lie on one line or nearly so.
    fn nearby<const D: usize>(rng: &mut Rng, a: [f64; D], b: [f64; D]) -> [f64; D] {
        let mut c = match rng.below(3) {
            0 => core::array::from_fn(|_| number(rng)),
            1 => core::array::from_fn(|axis| a[axis] * 0.5 + b[axis] * 0.5),
            _ => b.map(|x| x * 0.5),
        };
        c[0] = nudge(c[0], rng.between(-1, 1));
        if c[0].is_finite() { c } else { a }
    }

    #[test]
    fn sides_are_exact_for_all_finite_numbers() {
        let mut rng = Rng::new(11);
        let mut on_a_line = 0;
        for _ in 0..40_000 {
            let [a, b] = [0; 2].map(|_| [number(&mut rng), number(&mut rng)]);
            let c = nearby(&mut rng, a, b);
            let exact = (&b.to_exact() - &a.to_exact()).perp_dot(&(&c.to_exact() - &a.to_exact()));
            let side = exact.cmp(&Rational::ZERO);
            assert_eq!(orientation(a.into(), b.into(), c.into()), side, "{a:?} {b:?} {c:?}");
            on_a_line += u32::from(side == Ordering::Equal);
            let exact = b.to_exact().perp_dot(&(&c.to_exact() - &a.to_exact()));
            let side = side_of_ray(a.into(), b.into(), c.into());
            assert_eq!(side, exact.cmp(&Rational::ZERO), "{a:?} {b:?} {c:?}");
        }
        assert!(1000 < on_a_line && on_a_line < 30_000, "{on_a_line}");
    }

    /// The ends of the range beside each other, where the numbers are the longest.
    #[test]
    fn volumes_are_exact_from_end_to_end_of_the_range() {
        let mut rng = Rng::new(13);
        let ends = [f64::MAX, -f64::MAX, f64::from_bits(1), -f64::from_bits(1), f64::MIN_POSITIVE, 0.0, 1.0];
        for _ in 0..2000 {
            let corners = [0; 4].map(|_| [0; 3].map(|_| rng.pick(&ends)));
            let [a, b, c, d] = corners.map(|p| p.to_exact());
            let exact = (&a - &d).dot(&(&b - &d).cross(&(&c - &d))).cmp(&Rational::ZERO);
            assert_eq!(sign(orient3d(corners.map(Vec3::from), Range::Any)), exact, "{corners:?}");
        }
    }

    #[test]
    fn volumes_are_exact_for_all_finite_numbers() {
        let mut rng = Rng::new(12);
        let mut in_a_plane = 0;
        for _ in 0..6000 {
            let [a, b, c] = [0; 3].map(|_| [0; 3].map(|_| number(&mut rng)));
            let d = nearby(&mut rng, a, b);
            let corners = [a, b, c, d];
            let [a, b, c, d] = corners.map(|p| p.to_exact());
            let exact = (&a - &d).dot(&(&b - &d).cross(&(&c - &d))).cmp(&Rational::ZERO);
            let corners = corners.map(Vec3::from);
            assert_eq!(sign(orient3d(corners, Range::of(&corners))), exact, "{corners:?}");
            in_a_plane += u32::from(exact == Ordering::Equal);
        }
        assert!(100 < in_a_plane && in_a_plane < 5000, "{in_a_plane}");
    }
}
