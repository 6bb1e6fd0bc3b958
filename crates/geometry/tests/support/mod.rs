//! What the tests of rays and moving shapes share: shapes that both the library and the exact oracle
//! understand, and inputs that hurt.
#![allow(dead_code, unreachable_pub, missing_docs)] // each test file uses its part
#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter here

use carom_geometry::{d2, d3};
use carom_math::Real;
use carom_oracle::curved::Revolved;
use carom_oracle::generate::{Rng, box_corners, coordinate, direction, lattice_point, length, unit_vector};
use carom_oracle::motion::{Cast, RevolvedRay, Touch};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, Transform, V, exact};

/// A shape by its numbers, in D dimensions.
#[derive(Clone, Debug)]
pub enum Thing<const D: usize> {
    Ball(f64),
    Cuboid([f64; D]),
    Capsule([f64; D], [f64; D], f64),
    Segment([f64; D], [f64; D]),
    Triangle([[f64; D]; 3]),
    HalfSpace([f64; D], f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    /// The convex hull of points.
    Points(Vec<[f64; D]>),
    Ellipsoid([f64; D]),
    Rounded(Box<Thing<D>>, f64),
}

pub use Thing::*;

/// Vectors that span the plane perpendicular to a normal, exactly; the second is zero in the plane.
fn across<const D: usize>(n: &V<D>) -> [V<D>; 2] {
    let largest = (0..D).max_by_key(|&i| carom_oracle::rational::magnitude(&n.0[i])).unwrap();
    let mut spanning = [V::zero(), V::zero()];
    for (step, v) in spanning.iter_mut().enumerate().take(D - 1) {
        let other = (largest + 1 + step) % D;
        v.0[other] = n.0[largest].clone();
        v.0[largest] = -&n.0[other];
    }
    spanning
}

impl<const D: usize> Thing<D> {
    /// The largest magnitude of a number in it.
    pub fn size(&self) -> f64 {
        let of = |points: &[[f64; D]]| points.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        match self {
            Ball(r) => *r,
            Cuboid(h) => of(&[*h]),
            Capsule(a, b, r) => of(&[*a, *b]).max(*r),
            Segment(a, b) => of(&[*a, *b]),
            Triangle(corners) => of(corners),
            HalfSpace(_, o) => o.abs(),
            Cylinder(h, r) | Cone(h, r) => h.max(*r),
            Points(points) => of(points),
            Ellipsoid(radii) => of(&[*radii]),
            Rounded(core, r) => core.size() + r,
        }
    }

    /// All lengths multiplied.
    pub fn scaled(&self, f: f64) -> Self {
        let p = |v: &[f64; D]| v.map(|x| x * f);
        match self {
            Ball(r) => Ball(r * f),
            Cuboid(h) => Cuboid(p(h)),
            Capsule(a, b, r) => Capsule(p(a), p(b), r * f),
            Segment(a, b) => Segment(p(a), p(b)),
            Triangle([a, b, c]) => Triangle([p(a), p(b), p(c)]),
            HalfSpace(n, o) => HalfSpace(*n, o * f),
            Cylinder(h, r) => Cylinder(h * f, r * f),
            Cone(h, r) => Cone(h * f, r * f),
            Points(points) => Points(points.iter().map(p).collect()),
            Ellipsoid(radii) => Ellipsoid(p(radii)),
            Rounded(core, r) => Rounded(Box::new(core.scaled(f)), r * f),
        }
    }

    /// All numbers rounded to single precision; `None` for half-spaces, whose normals do not survive that.
    pub fn narrowed(&self) -> Option<Self> {
        let r = |x: &f64| f64::from(*x as f32);
        let p = |v: &[f64; D]| v.map(|x| f64::from(x as f32));
        Some(match self {
            Ball(radius) => Ball(r(radius)),
            Cuboid(h) => Cuboid(p(h)),
            Capsule(a, b, radius) => Capsule(p(a), p(b), r(radius)),
            Segment(a, b) => Segment(p(a), p(b)),
            Triangle([a, b, c]) => Triangle([p(a), p(b), p(c)]),
            HalfSpace(..) => return None,
            Cylinder(h, radius) => Cylinder(r(h), r(radius)),
            Cone(h, radius) => Cone(r(h), r(radius)),
            Points(points) => Points(points.iter().map(p).collect()),
            Ellipsoid(radii) => Ellipsoid(p(radii)),
            Rounded(core, radius) => Rounded(Box::new(core.narrowed()?), r(radius)),
        })
    }

    /// The shape without its radius, and the radius; `None` for cylinders, cones and ellipsoids.
    pub fn core(&self) -> Option<(Convex<D>, f64)> {
        let rows = std::array::from_fn(V::axis);
        self.core_at(&Transform { rows, translation: V::zero() })
    }

    /// The same, moved by a pose.
    pub fn core_at(&self, pose: &Transform<D>) -> Option<(Convex<D>, f64)> {
        let hull = |points: &[[f64; D]]| Convex::hull(&pose.points(points));
        Some(match self {
            Ball(r) => (hull(&[[0.0; D]]), *r),
            Cuboid(h) => (hull(&box_corners(*h)), 0.0),
            Capsule(a, b, r) => (hull(&[*a, *b]), *r),
            Segment(a, b) => (hull(&[*a, *b]), 0.0),
            Triangle(corners) => (hull(corners), 0.0),
            HalfSpace(n, o) => {
                let n = n.to_exact();
                let foot = n.scaled(&(exact(*o) / n.norm_squared()));
                let [u, v] = across(&n).map(|along| pose.vector(&along));
                let plane = Convex::hull(&[pose.point(&foot)]).extended_both_ways(&u).extended_both_ways(&v);
                (plane.extended(&-&pose.vector(&n)), 0.0)
            }
            Points(points) => (hull(points), 0.0),
            Rounded(core, more) => {
                let (core, radius) = core.core_at(pose)?;
                (core, radius + more)
            }
            Cylinder(..) | Cone(..) | Ellipsoid(..) => return None,
        })
    }

    /// A slightly smaller shape that lies inside, or `None` when there is none: shrunk by `delta` or
    /// more all around.
    pub fn shrunk(&self, delta: f64) -> Option<Self> {
        let less = |x: f64| (2.0 * delta < x).then_some(x - 2.0 * delta);
        Some(match self {
            Ball(r) => Ball(less(*r)?),
            Cuboid(h) => {
                let mut smaller = *h;
                for x in &mut smaller {
                    *x = less(*x)?;
                }
                Cuboid(smaller)
            }
            Capsule(a, b, r) => Capsule(*a, *b, less(*r)?),
            HalfSpace(n, o) => HalfSpace(*n, o - 2.0 * delta),
            Cylinder(h, r) => Cylinder(less(*h)?, less(*r)?),
            Cone(h, r) => {
                // Shorter at both ends, and narrower so that the side moves inwards as well: with the
                // inscribed radius r·2h/(√(r² + 4h²) + r) the factors move everything by delta or more.
                let inner = r * 2.0 * h / ((r * r + 4.0 * h * h).sqrt() + r);
                let factor = 1.0 - 4.0 * delta / inner;
                if factor.is_nan() || factor < 0.5 {
                    return None;
                }
                Cone(h * factor, r * factor * factor)
            }
            Segment(..) | Points(_) => return None,
            Ellipsoid(radii) => {
                let mut smaller = *radii;
                for x in &mut smaller {
                    *x = less(*x)?;
                }
                Ellipsoid(smaller)
            }
            Rounded(core, r) => Rounded(core.clone(), less(*r)?),
            Triangle([a, b, c]) => {
                if D == 3 {
                    return None;
                }
                let (u, v): ([f64; 2], [f64; 2]) =
                    (std::array::from_fn(|i| b[i] - a[i]), std::array::from_fn(|i| c[i] - a[i]));
                let w = [v[0] - u[0], v[1] - u[1]];
                let area = (u[0] * v[1] - u[1] * v[0]).abs();
                let norm = |x: [f64; 2]| (x[0] * x[0] + x[1] * x[1]).sqrt();
                let inner = area / (norm(u) + norm(v) + norm(w));
                let factor = 1.0 - 4.0 * delta / inner;
                if factor.is_nan() || factor < 0.5 {
                    return None;
                }
                let middle: [f64; D] = std::array::from_fn(|i| (a[i] + b[i] + c[i]) / 3.0);
                let pull = |p: &[f64; D]| std::array::from_fn(|i| middle[i] + (p[i] - middle[i]) * factor);
                Triangle([pull(a), pull(b), pull(c)])
            }
        })
    }

    /// A shape that contains all within `delta`.
    pub fn ray(&self, origin: &V<D>, along: &V<D>, grown: f64) -> Box<dyn Touch> {
        if let Some((core, radius)) = self.core() {
            return Box::new(Cast::ray(origin, along, core).with_radius(radius).with_radius(grown));
        }
        if let Ellipsoid(radii) = self {
            // Divided by the radii, it is the unit ball.
            let unit = |v: &V<D>| V(std::array::from_fn(|i| &v.0[i] / &(exact(radii[i]) + exact(grown))));
            return Box::new(
                Cast::ray(&unit(origin), &unit(along), Convex::hull(&[[0.0; D]])).with_radius(1.0),
            );
        }
        // One step at least, since the numbers of the body have to be f64.
        let more = |x: f64| if grown == 0.0 { x } else { (x + 4.0 * grown).max(x.next_up()) };
        let body = match *self {
            Cylinder(h, r) => Revolved::Cylinder { half_height: more(h), radius: more(r) },
            // A cone without height is a disc; the equation of the cone does not say so.
            Cone(h, r) if h == 0.0 => Revolved::Cylinder { half_height: more(h), radius: more(r) },
            // Grown by 4δ in the slant's own measure.
            Cone(h, r) => {
                let slant = (r * r + 4.0 * h * h).sqrt();
                let steep = if grown == 0.0 { 0.0 } else { 4.0 * grown * (1.0 + slant / r.max(1e-300)) };
                let wide = if grown == 0.0 { 0.0 } else { 4.0 * grown * (1.0 + slant / h.max(1e-300)) };
                let more = |x: f64, by: f64| {
                    if grown == 0.0 { x } else { (x + by.min(x + 16.0 * grown)).max(x.next_up()) }
                };
                Revolved::Cone { half_height: more(h, steep), radius: more(r, wide) }
            }
            _ => unreachable!(),
        };
        let lift = |v: &V<D>| V::<3>(std::array::from_fn(|i| v.0[i].clone()));
        Box::new(RevolvedRay::new(&lift(origin), &lift(along), body))
    }
}

pub fn shape2<T: Real>(thing: &Thing<2>) -> d2::Shape<T> {
    let p = |v: &[f64; 2]| v.map(T::from_f64);
    match thing {
        Ball(r) => d2::Ball::new(T::from_f64(*r)).unwrap().into(),
        Cuboid(h) => d2::Cuboid::new(p(h)).unwrap().into(),
        Capsule(a, b, r) => d2::Capsule::new(p(a), p(b), T::from_f64(*r)).unwrap().into(),
        Segment(a, b) => d2::Segment::new(p(a), p(b)).unwrap().into(),
        Triangle([a, b, c]) => d2::Triangle::new(p(a), p(b), p(c)).unwrap().into(),
        HalfSpace(n, o) => d2::HalfSpace::new(p(n), T::from_f64(*o)).unwrap().into(),
        Points(points) => d2::ConvexPolygon::from_hull(points.iter().map(p)).unwrap().into(),
        Ellipsoid(radii) => d2::Ellipsoid::new(p(radii)).unwrap().into(),
        Rounded(core, r) => d2::Rounded::new(shape2::<T>(core), T::from_f64(*r)).unwrap().into(),
        Cylinder(..) | Cone(..) => unreachable!(),
    }
}

pub fn shape3<T: Real>(thing: &Thing<3>) -> d3::Shape<T> {
    let p = |v: &[f64; 3]| v.map(T::from_f64);
    let r = T::from_f64;
    match thing {
        Ball(radius) => d3::Ball::new(r(*radius)).unwrap().into(),
        Cuboid(h) => d3::Cuboid::new(p(h)).unwrap().into(),
        Capsule(a, b, radius) => d3::Capsule::new(p(a), p(b), r(*radius)).unwrap().into(),
        Segment(a, b) => d3::Segment::new(p(a), p(b)).unwrap().into(),
        Triangle([a, b, c]) => d3::Triangle::new(p(a), p(b), p(c)).unwrap().into(),
        HalfSpace(n, o) => d3::HalfSpace::new(p(n), r(*o)).unwrap().into(),
        Cylinder(h, radius) => d3::Cylinder::new(r(*h), r(*radius)).unwrap().into(),
        Cone(h, radius) => d3::Cone::new(r(*h), r(*radius)).unwrap().into(),
        Points(points) => d3::ConvexHull::new(points.iter().map(p)).unwrap().into(),
        Ellipsoid(radii) => d3::Ellipsoid::new(p(radii)).unwrap().into(),
        Rounded(core, radius) => d3::Rounded::new(shape3::<T>(core), r(*radius)).unwrap().into(),
    }
}

/// A length that may be zero and is mostly on the lattice.
pub fn size(rng: &mut Rng) -> f64 {
    match rng.below(12) {
        0 => 0.0,
        1 => 1e-4,
        2 => rng.uniform(0.1, 3.0),
        3 => length(rng),
        _ => rng.pick(&[0.5, 1.0, 2.0, 3.0]),
    }
}

/// Steps away from 0 lead among the subnormal numbers, whose products vanish: those are not promised
/// to be told from 0 next to lengths of 1.
fn without_subnormals<const D: usize>(p: [f64; D]) -> [f64; D] {
    p.map(|x| if x.abs() < 1e-100 { 0.0 } else { x })
}

pub fn point<const D: usize>(rng: &mut Rng) -> [f64; D] {
    without_subnormals(match rng.below(3) {
        0 => lattice_point(rng),
        1 => std::array::from_fn(|_| rng.uniform(-2.0, 2.0)),
        _ => std::array::from_fn(|_| coordinate(rng)),
    })
}

/// The kinds of [`thing`] that exist in the plane.
pub const PLANE: [usize; 9] = [0, 1, 2, 3, 4, 5, 8, 9, 10];

/// A shape of kind 0.. (ball, cuboid, capsule, segment, triangle, half-space, cylinder, cone, hull, ellipsoid,
/// rounded).
pub fn thing<const D: usize>(rng: &mut Rng, kind: usize) -> Thing<D> {
    match kind {
        0 => Ball(size(rng)),
        1 => Cuboid(std::array::from_fn(|_| size(rng))),
        2 => Capsule(point(rng), point(rng), size(rng)),
        3 => Segment(point(rng), point(rng)),
        4 => Triangle(if rng.one_in(6) {
            carom_oracle::generate::sliver_triangle(rng).map(without_subnormals)
        } else {
            [point(rng), point(rng), point(rng)]
        }),
        5 => {
            let normal: [f64; D] = if rng.one_in(2) { unit_vector(rng) } else { direction(rng) };
            half_space(normal, without_subnormals([coordinate(rng)])[0])
        }
        6 => Cylinder(size(rng), size(rng)),
        7 => Cone(size(rng), size(rng)),
        8 => {
            let count = 1 + rng.below(if D == 2 { 7 } else { 9 });
            let flat = rng.one_in(5);
            let corner = |rng: &mut Rng| {
                let mut p: [f64; D] = point(rng);
                if flat {
                    p[0] = 0.5;
                }
                p
            };
            Points((0..count).map(|_| corner(rng)).collect())
        }
        9 => Ellipsoid(std::array::from_fn(|_| size(rng).max(1e-4))),
        _ => {
            let kind = rng.pick(&[1, 4, 8]);
            Rounded(Box::new(thing(rng, kind)), size(rng).max(1e-3))
        }
    }
}

/// With numbers that the library keeps as they are: a normal whose computed length is exactly 1.
pub fn half_space<const D: usize>(mut normal: [f64; D], offset: f64) -> Thing<D> {
    for _ in 0..100 {
        let norm = (0..D).map(|i| normal[i] * normal[i]).fold(0.0, |sum, x| sum + x).sqrt();
        if norm == 1.0 {
            return HalfSpace(normal, offset);
        }
        normal = normal.map(|x| x / norm);
        // Some directions alternate between two lengths next to 1: step aside.
        normal = without_subnormals(normal.map(f64::next_up));
    }
    let mut up = [0.0; D];
    up[1] = 1.0;
    HalfSpace(up, offset)
}

/// A point on or near the shape, often at a corner, an edge or a rim.
pub fn feature<const D: usize>(rng: &mut Rng, thing: &Thing<D>) -> [f64; D] {
    let blend = |rng: &mut Rng, points: &[[f64; D]]| {
        let weights: Vec<f64> = points.iter().map(|_| rng.pick(&[0.0, 0.0, 0.5, 1.0, 0.3])).collect();
        let total: f64 = weights.iter().sum();
        if total == 0.0 {
            return points[rng.below(points.len())];
        }
        std::array::from_fn(|i| points.iter().zip(&weights).map(|(p, w)| p[i] * w / total).sum())
    };
    match thing {
        Ball(r) => {
            let n: [f64; D] = if rng.one_in(2) { unit_vector(rng) } else { axis(rng) };
            n.map(|x| x * r)
        }
        Cuboid(h) => h.map(|x| x * rng.pick(&[1.0, -1.0, 0.0, 0.4, 1.0, -1.0])),
        Capsule(a, b, r) => {
            let p = blend(rng, &[*a, *b]);
            let n: [f64; D] = if rng.one_in(2) { unit_vector(rng) } else { axis(rng) };
            let r = if rng.one_in(4) { 0.0 } else { *r };
            std::array::from_fn(|i| p[i] + n[i] * r)
        }
        Segment(a, b) => blend(rng, &[*a, *b]),
        Triangle(corners) => blend(rng, corners),
        HalfSpace(n, o) => n.map(|x| x * o),
        Points(points) => {
            let some: Vec<[f64; D]> = (0..3).map(|_| points[rng.below(points.len())]).collect();
            blend(rng, &some)
        }
        Ellipsoid(radii) => {
            let n: [f64; D] = if rng.one_in(2) { unit_vector(rng) } else { axis(rng) };
            std::array::from_fn(|i| n[i] * radii[i])
        }
        Rounded(core, r) => {
            let p = feature(rng, core);
            let n: [f64; D] = if rng.one_in(2) { unit_vector(rng) } else { axis(rng) };
            std::array::from_fn(|i| p[i] + n[i] * r)
        }
        Cylinder(h, r) | Cone(h, r) => {
            let cone = matches!(thing, Cone(..));
            let [c, s] = carom_oracle::generate::unit_complex(rng);
            let level = rng.pick(&[1.0, -1.0, 0.0, 0.5]);
            let r = r * if cone { (1.0 - level) / 2.0 } else { 1.0 };
            let r = r * rng.pick(&[1.0, 1.0, 0.5, 0.0]);
            let p = [r * c, level * h, r * s];
            std::array::from_fn(|i| p[i])
        }
    }
}

pub fn axis<const D: usize>(rng: &mut Rng) -> [f64; D] {
    let mut v = [0.0; D];
    v[rng.below(D)] = rng.sign();
    v
}

/// A ray (origin, direction) that often meets the shape at a special place: aimed at a feature, along
/// an axis through it, grazing, far away, with directions of many lengths.
pub fn aimed<const D: usize>(rng: &mut Rng, thing: &Thing<D>) -> ([f64; D], [f64; D]) {
    let target = feature(rng, thing);
    let mut along: [f64; D] = match rng.below(4) {
        0 => axis(rng),
        1 => lattice_point(rng),
        2 => unit_vector(rng),
        _ => direction(rng),
    };
    if along == [0.0; D] {
        along = axis(rng);
    }
    let back = match rng.below(6) {
        0 => 0.0,
        1 => rng.pick(&[1e3, 1e6]),
        2 => -1.0,
        _ => f64::from(rng.between(1, 6)) * 0.5,
    };
    let origin: [f64; D] = std::array::from_fn(|i| target[i] - along[i] * back);
    let factor = rng.pick(&[1.0, 1.0, 2.0, 0.25, 3.0, 1e4, 1e-3]);
    match rng.below(5) {
        // Aimed anew from a rounded origin.
        0 if target != origin => (origin, std::array::from_fn(|i| (target[i] - origin[i]) * factor)),
        1 => (origin, along.map(|x| -x * factor)),
        _ => (origin, along.map(|x| x * factor)),
    }
}

pub fn largest(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

pub fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|i| a[i] * b[i]).sum()
}
