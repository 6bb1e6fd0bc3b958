//! The closed forms for lines, planes, triangles and parallelograms against exact arithmetic.

use carom_geometry::line::{closest_between_segments, closest_on_line, closest_on_ray, closest_on_segment};
use carom_geometry::{Error, d2, d3};
use carom_math::{Number, Real, Vec2, Vec3, Vector};
use carom_oracle::flat::Flat as Exact;
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{ExactPoint, Rational, V, exact, sqrt_error, to_f64};

fn size_of<const D: usize>(rows: &[[f64; D]]) -> f64 {
    rows.iter().flatten().fold(0.0_f64, |m, x| x.abs().max_of(m))
}

/// Rows of points that are moderate, on the lattice, nudged or far out; exact in `T`.
fn rows<const D: usize, const N: usize, T: Real>(rng: &mut Rng) -> [[f64; D]; N] {
    let points = generate::points::<D>(rng, N);
    std::array::from_fn(|i| points[i].map(|x| T::from_f64(x).to_f64()))
}

fn nonzero<const D: usize>(row: [f64; D]) -> bool {
    // Directions of the order of 1e-324 send parameters out of range.
    row.iter().any(|x| 1e-30 < x.abs())
}

/// A point, and a line, ray or segment; two segments.
fn check_straight<const D: usize, W>(seed: u64)
where
    W: Vector + From<[W::Scalar; D]>,
{
    let epsilon = W::Scalar::EPSILON.to_f64();
    let mut rng = Rng::new(seed);
    for _ in 0..1500 {
        let [p, a, b, c] = rows::<D, 4, W::Scalar>(&mut rng);
        let vector = |row: [f64; D]| W::from(row.map(W::Scalar::from_f64));
        let tolerance = 8.0 * epsilon * size_of(&[p, a, b, c]);
        let near = |distance: W::Scalar, a: &Exact<D>, b: &Exact<D>| {
            let error = sqrt_error(distance.to_f64(), &a.distance_squared(b));
            assert!(error <= tolerance, "{error} {tolerance} {p:?} {a:?} {b:?}");
        };
        let on = |point: W, thing: &Exact<D>| {
            let point: [f64; D] = std::array::from_fn(|i| point.get(i).to_f64());
            let off = to_f64(&thing.distance_squared(&Exact::point(&point))).sqrt();
            assert!(off <= tolerance + epsilon * size_of(&[point]), "{off} {p:?} {thing:?}");
        };
        let point = Exact::point(&p);
        if nonzero(b) {
            let line = carom_geometry::line::Line::<W>::new(vector(a), vector(b)).unwrap();
            let foot = closest_on_line(vector(p), &line).unwrap();
            near(foot.distance, &point, &Exact::line(&a, &b));
            on(foot.point, &Exact::line(&a, &b));
            let ray = carom_geometry::Ray::<W>::new(vector(a), vector(b)).unwrap();
            let foot = closest_on_ray(vector(p), &ray).unwrap();
            near(foot.distance, &point, &Exact::ray(&a, &b));
            on(foot.point, &Exact::ray(&a, &b));
            assert!(W::Scalar::ZERO <= foot.t);
        }
        let segment = |a, b| carom_geometry::shape::Segment::<W>::new(vector(a), vector(b)).unwrap();
        let foot = closest_on_segment(vector(p), &segment(a, b)).unwrap();
        near(foot.distance, &point, &Exact::segment(&a, &b));
        on(foot.point, &Exact::segment(&a, &b));
        let both = closest_between_segments(&segment(p, a), &segment(b, c)).unwrap();
        near(both.distance, &Exact::segment(&p, &a), &Exact::segment(&b, &c));
        on(both.point_a, &Exact::segment(&p, &a));
        on(both.point_b, &Exact::segment(&b, &c));
        let swapped = closest_between_segments(&segment(b, c), &segment(p, a)).unwrap();
        assert_eq!((swapped.distance, swapped.point_a, swapped.s), (both.distance, both.point_b, both.t));
    }
}

#[test]
fn points_and_straight_things() {
    check_straight::<2, Vec2<f64>>(1);
    check_straight::<3, Vec3<f64>>(2);
    check_straight::<2, Vec2<f32>>(3);
    check_straight::<3, Vec3<f32>>(4);
}

#[test]
fn sides_of_lines_and_planes() {
    let mut rng = Rng::new(5);
    for _ in 0..2000 {
        let [p, a, d] = rows::<2, 3, f64>(&mut rng);
        if nonzero(d) {
            let found = d2::signed_distance_to_line(p, &d2::Line::new(a, d).unwrap()).unwrap();
            let side = d.to_exact().perp_dot(&(&p.to_exact() - &a.to_exact()));
            let truth = &side * &side / d.to_exact().norm_squared();
            let tolerance = 8.0 * f64::EPSILON * size_of(&[p, a]);
            assert!(sqrt_error(found.abs(), &truth) <= tolerance, "{found} {p:?} {a:?} {d:?}");
            assert!(found.abs() <= tolerance || (found > 0.0) == (side > Rational::ZERO));
        }
        let [p, n, o] = rows::<3, 3, f64>(&mut rng);
        if nonzero(n) {
            let plane = d3::Plane::new(n, o[0]).unwrap();
            let found = plane.signed_distance(p).unwrap();
            let side = n.to_exact().dot(&p.to_exact()) - exact(o[0]);
            let truth = &side * &side / n.to_exact().norm_squared();
            let (unit, offset) = plane.unit().unwrap();
            let tolerance = 8.0 * f64::EPSILON * size_of(&[p, [offset, 0.0, 0.0]]);
            assert!(sqrt_error(found.abs(), &truth) <= tolerance, "{found} {p:?} {n:?} {o:?}");
            assert!((Vector::length(unit) - 1.0).abs() <= 4.0 * f64::EPSILON);
            // The foot lies on the plane: its distance from it is a rounding error.
            let foot: [f64; 3] = plane.closest_point(p).unwrap().into();
            let off = n.to_exact().dot(&foot.to_exact()) - exact(o[0]);
            let off = to_f64(&(&off * &off / n.to_exact().norm_squared())).sqrt();
            assert!(off <= tolerance, "{off} {tolerance} {p:?} {n:?} {o:?}");
        }
    }
}

/// Rounded to nearest, or within a hair of half way.
fn is_rounded(found: f64, truth: &Rational) -> bool {
    let nearest = to_f64(truth);
    found == nearest || found == nearest.next_up() || found == nearest.next_down()
}

#[test]
fn lines_and_rays_cross_planes_and_each_other() {
    let mut rng = Rng::new(6);
    let mut met = [0; 2];
    for round in 0..3000 {
        let [p, d, q, e] = if round % 2 == 0 {
            rows::<3, 4, f64>(&mut rng)
        } else {
            std::array::from_fn(|_| generate::lattice_point(&mut rng))
        };
        if !nonzero(d) || !nonzero(e) {
            continue;
        }
        let [p_, d_, q_, e_] = [p, d, q, e].map(|row| row.to_exact());
        // The plane e·x = q.x.
        let plane = d3::Plane::new(e, q[0]).unwrap();
        let crossing = d3::line_plane(&d3::Line::new(p, d).unwrap(), &plane).unwrap();
        let slope = e_.dot(&d_);
        assert_eq!(crossing.is_none(), slope.is_zero());
        if let Some(crossing) = crossing {
            let t = (exact(q[0]) - e_.dot(&p_)) / &slope;
            assert!(is_rounded(crossing.t, &t));
            let point = &p_ + &d_.scaled(&t);
            for (found, truth) in <[f64; 3]>::from(crossing.point).into_iter().zip(&point.0) {
                assert!(is_rounded(found, truth));
            }
            let by_ray = d3::ray_plane(&d3::Ray::new(p, d).unwrap(), &plane).unwrap();
            assert_eq!(by_ray.is_some(), t >= Rational::ZERO);
        }
        // Two lines, two rays.
        let normal = d_.cross(&e_);
        let between = &q_ - &p_;
        let lines = [d3::Line::new(p, d).unwrap(), d3::Line::new(q, e).unwrap()];
        let found = d3::closest_approach(&lines[0], &lines[1]).unwrap();
        assert_eq!(found.is_none(), normal.is_zero());
        let rays = [d3::Ray::new(p, d).unwrap(), d3::Ray::new(q, e).unwrap()];
        let meeting = d3::ray_ray(&rays[0], &rays[1]).unwrap();
        if let Some(found) = found {
            let s = between.cross(&e_).dot(&normal) / normal.norm_squared();
            let t = between.cross(&d_).dot(&normal) / normal.norm_squared();
            assert!(is_rounded(found[0], &s) && is_rounded(found[1], &t));
            let meets = between.dot(&normal).is_zero() && s >= Rational::ZERO && t >= Rational::ZERO;
            assert_eq!(meeting, meets.then_some(found));
            met[usize::from(meets)] += 1;
        } else {
            assert_eq!(meeting, None);
        }
    }
    assert!(met.iter().all(|&count| count > 50), "{met:?}");
}

/// The exact normal of a triangle by its length, as [`f64`] with a relative error of a few ulp.
fn unit_normal([a, b, c]: [[f64; 3]; 3]) -> Option<Vec3<f64>> {
    let [a, b, c] = [a, b, c].map(|row| row.to_exact());
    let normal: V<3> = (&b - &a).cross(&(&c - &a));
    if normal.is_zero() {
        return None;
    }
    let largest = normal.0.iter().map(carom_oracle::rational::magnitude).max().unwrap();
    Vec3::from(normal.scaled(&(Rational::ONE / largest)).to_f64()).normalized()
}

#[test]
fn triangles_and_parallelograms() {
    let mut rng = Rng::new(7);
    for _ in 0..2500 {
        let [p] = rows::<3, 1, f64>(&mut rng);
        let corners =
            if rng.one_in(2) { generate::sliver_triangle(&mut rng) } else { rows::<3, 3, f64>(&mut rng) };
        let [a, b, c] = corners;
        let triangle = d3::Triangle::new(a, b, c).unwrap();
        let tolerance = 8.0 * f64::EPSILON * size_of(&[p, a, b, c]);
        let (_, distance) = d3::closest_on_triangle(p, &triangle).unwrap();
        let truth = Exact::triangle(&corners).distance_squared(&Exact::point(&p));
        assert!(sqrt_error(distance, &truth) <= tolerance, "{p:?} {corners:?}");

        let normal = d3::triangle_normal(&triangle);
        let coordinates = d3::barycentric_in_triangle(p, &triangle);
        let Some(true_normal) = unit_normal(corners) else {
            assert_eq!(normal, Err(Error::Collapsed { what: "triangle" }));
            assert!(matches!(coordinates, Err(Error::Collapsed { .. })));
            continue;
        };
        assert!((normal.unwrap() - true_normal).max_abs() <= 32.0 * f64::EPSILON, "{corners:?}");
        let [a_, b_, c_, p_] = [a, b, c, p].map(|row| row.to_exact());
        let (u, v, q) = (&b_ - &a_, &c_ - &a_, &p_ - &a_);
        let n = u.cross(&v);
        let truth = [q.cross(&v).dot(&n), u.cross(&q).dot(&n)].map(|x| to_f64(&(x / n.norm_squared())));
        if truth.iter().any(|x| x.abs() == f64::MAX) {
            assert!(matches!(coordinates, Err(Error::Overflow { .. })));
            continue;
        }
        let coordinates = coordinates.unwrap();
        for (found, truth) in [coordinates.u, coordinates.v].into_iter().zip(truth) {
            assert!(
                (found - truth).abs() <= f64::EPSILON * truth.abs() + 1e-20,
                "{found} {truth} {corners:?}"
            );
        }
        // A parallelogram on the same corner.
        let tile = d3::Parallelogram::new(a, b, c).unwrap();
        if let Ok((point, distance)) = d3::closest_on_parallelogram(p, &tile) {
            let exact_tile = Exact::parallelogram(&a, &b, &c);
            let truth = exact_tile.distance_squared(&Exact::point(&p));
            assert!(sqrt_error(distance, &truth) <= tolerance, "{p:?} {corners:?}");
            let off = to_f64(&exact_tile.distance_squared(&Exact::point(&<[f64; 3]>::from(point)))).sqrt();
            assert!(off <= tolerance);
        }
    }
}

#[test]
fn any_bits_get_an_answer_or_an_error() {
    let mut rng = Rng::new(8);
    for _ in 0..3000 {
        let r: [[f64; 3]; 4] = std::array::from_fn(|_| std::array::from_fn(|_| generate::any_bits(&mut rng)));
        let finite = |v: Vec3<f64>| assert!(v.finite(), "{r:?}");
        let [p, a, b, c] = r;
        let flat = |row: [f64; 3]| [row[0], row[1]];
        if let Ok(line) = d2::Line::new(flat(a), flat(b))
            && let Ok(distance) = d2::signed_distance_to_line(flat(p), &line)
        {
            assert!(distance.is_finite());
        }
        if let Ok(line) = d3::Line::new(a, b) {
            if let Ok(foot) = closest_on_line(p, &line) {
                finite(foot.point);
            }
            if let (Ok(other), Ok(plane)) = (d3::Line::new(p, c), d3::Plane::new(c, p[0])) {
                let _ = d3::closest_approach(&line, &other);
                if let Ok(Some(crossing)) = d3::line_plane(&line, &plane) {
                    finite(crossing.point);
                }
                if let Ok(foot) = plane.closest_point(a) {
                    finite(foot);
                }
                let _ = (plane.signed_distance(a), plane.unit());
            }
        }
        if let (Ok(first), Ok(second)) = (d3::Segment::new(p, a), d3::Segment::new(b, c)) {
            if let Ok(pair) = closest_between_segments(&first, &second) {
                finite(pair.point_a);
                finite(pair.point_b);
            }
            let _ = closest_on_segment(b, &first);
        }
        if let (Ok(triangle), Ok(tile)) = (d3::Triangle::new(a, b, c), d3::Parallelogram::new(a, b, c)) {
            if let Ok((point, _)) = d3::closest_on_triangle(p, &triangle) {
                finite(point);
            }
            if let Ok(normal) = d3::triangle_normal(&triangle) {
                finite(normal);
            }
            let _ = (d3::barycentric_in_triangle(p, &triangle), d3::barycentric_in_parallelogram(p, &tile));
            let _ = d3::closest_on_parallelogram(p, &tile);
        }
    }
}
