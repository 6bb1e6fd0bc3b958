//! Relations of flat things against exact arithmetic: every pair of kinds, both dimensions and number
//! types, on inputs chosen to hurt.

use carom_geometry::line::{LineRelation, Relation};
use carom_geometry::{Error, d2, d3};
use carom_math::{Number, Real, Vec2, Vec3, Vector};
use carom_oracle::flat::{Flat as Exact, Relation as ExactRelation};
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{ExactPoint, V, exact, sqrt_error, to_f64};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Point,
    Line,
    Ray,
    Segment,
    Plane,
    Triangle,
    Parallelogram,
}
use Kind::{Line, Parallelogram, Plane, Point, Ray, Segment, Triangle};

const KINDS: [Kind; 7] = [Point, Line, Ray, Segment, Plane, Triangle, Parallelogram];

/// A flat thing as plain numbers: points first, then directions; the plane is normal and offset.
#[derive(Clone, Copy, Debug)]
struct Sample<const D: usize> {
    kind: Kind,
    rows: [[f64; D]; 3],
}

fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| a[i] - b[i])
}

impl<const D: usize> Sample<D> {
    /// The thing spanned by three points.
    fn through(kind: Kind, [a, b, c]: [[f64; D]; 3]) -> Self {
        let zero = [0.0; D];
        let rows = match kind {
            Point => [a, zero, zero],
            Segment => [a, b, zero],
            Triangle => [a, b, c],
            Line | Ray => [a, minus(b, a), zero],
            Parallelogram => [a, minus(b, a), minus(c, a)],
            Plane => {
                let (u, v) = (minus(b, a), minus(c, a));
                let cross = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
                let normal: [f64; D] = std::array::from_fn(|i| cross((i + 1) % D, (i + 2) % D));
                let offset: f64 = (0..D).map(|i| normal[i] * a[i]).sum();
                let mut row = zero;
                row[0] = offset;
                [normal, row, zero]
            }
        };
        Sample { kind, rows }
    }

    fn map(&self, f: impl Fn(f64) -> f64) -> Self {
        Sample { kind: self.kind, rows: self.rows.map(|row| row.map(&f)) }
    }

    /// All lengths times a factor.
    fn resized(&self, factor: f64) -> Self {
        let mut result = self.map(|x| x * factor);
        if self.kind == Plane {
            result.rows[0] = self.rows[0];
        }
        result
    }

    fn size(&self) -> f64 {
        let largest = |row: &[f64]| row.iter().fold(0.0_f64, |m, x| x.abs().max_of(m));
        match self.kind {
            Plane => self.rows[1][0].abs() / largest(&self.rows[0]),
            _ => largest(self.rows.as_flattened()),
        }
    }

    fn exact_without_plane(&self) -> Exact<D> {
        let [a, b, c] = &self.rows;
        match self.kind {
            Point => Exact::point(a),
            Line => Exact::line(a, b),
            Ray => Exact::ray(a, b),
            Segment => Exact::segment(a, b),
            Triangle => Exact::triangle(&self.rows),
            _ => Exact::parallelogram(a, b, c),
        }
    }
}

/// What the tests need of a dimension.
trait Dimension<const D: usize, T: Real> {
    type Vector: Vector<Scalar = T>;
    type Flat: Copy + std::fmt::Debug;
    fn flat(sample: &Sample<D>) -> Result<Self::Flat, Error>;
    fn exact(sample: &Sample<D>) -> Exact<D>;
    fn relate(a: Self::Flat, b: Self::Flat) -> Result<LineRelation<Self::Vector>, Error>;
}

struct Dim2;
struct Dim3;

impl<T: Real> Dimension<2, T> for Dim2 {
    type Vector = Vec2<T>;
    type Flat = d2::Flat<T>;
    fn flat(sample: &Sample<2>) -> Result<d2::Flat<T>, Error> {
        let [a, b, _] = sample.rows.map(|row| Vec2::<T>::narrow(row.into()));
        Ok(match sample.kind {
            Point => a.into(),
            Line => d2::Line::new(a, b)?.into(),
            Ray => d2::Ray::new(a, b)?.into(),
            _ => d2::Segment::new(a, b)?.into(),
        })
    }
    fn exact(sample: &Sample<2>) -> Exact<2> {
        sample.exact_without_plane()
    }
    fn relate(a: d2::Flat<T>, b: d2::Flat<T>) -> Result<LineRelation<Vec2<T>>, Error> {
        d2::relate(a, b)
    }
}

impl<T: Real> Dimension<3, T> for Dim3 {
    type Vector = Vec3<T>;
    type Flat = d3::Flat<T>;
    fn flat(sample: &Sample<3>) -> Result<d3::Flat<T>, Error> {
        let [a, b, c] = sample.rows.map(|row| Vec3::<T>::narrow(row.into()));
        Ok(match sample.kind {
            Point => a.into(),
            Line => d3::Line::new(a, b)?.into(),
            Ray => d3::Ray::new(a, b)?.into(),
            Segment => d3::Segment::new(a, b)?.into(),
            Plane => d3::Plane::new(a, b.x)?.into(),
            Triangle => d3::Triangle::new(a, b, c)?.into(),
            Parallelogram => d3::Parallelogram::new(a, b, c)?.into(),
        })
    }
    fn exact(sample: &Sample<3>) -> Exact<3> {
        if sample.kind != Plane {
            return sample.exact_without_plane();
        }
        let normal = sample.rows[0].to_exact();
        let point = normal.scaled(&(exact(sample.rows[1][0]) / normal.norm_squared()));
        Exact::plane(&point, &normal)
    }
    fn relate(a: d3::Flat<T>, b: d3::Flat<T>) -> Result<LineRelation<Vec3<T>>, Error> {
        d3::relate(a, b)
    }
}

/// Two things that are likely to touch, to be parallel, or nearly so.
fn pair<const D: usize>(rng: &mut Rng, kinds: [Kind; 2]) -> [Sample<D>; 2] {
    let mut points: [[f64; D]; 6] = match rng.below(5) {
        0 => std::array::from_fn(|_| generate::lattice_point(rng)),
        1 | 2 => {
            let cloud = generate::points::<D>(rng, 6);
            std::array::from_fn(|i| cloud[i])
        }
        _ => {
            // The second thing is spanned by points in the plane of the first, maybe shifted.
            let [a, b, c, shift]: [[f64; D]; 4] = std::array::from_fn(|_| generate::lattice_point(rng));
            let shift = if rng.one_in(3) { shift } else { [0.0; D] };
            let mut inside = || -> [f64; D] {
                let [u, v] = std::array::from_fn(|_| f64::from(rng.between(-4, 8)) / 4.0);
                std::array::from_fn(|i| shift[i] + a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]))
            };
            [a, b, c, inside(), inside(), inside()]
        }
    };
    if rng.one_in(4) {
        generate::nudge_one(rng, &mut points);
    }
    let [a, b, c, d, e, f] = points;
    let end = if rng.one_in(4) {
        // Near-parallel: the first direction of the second thing is that of the first, turned a little.
        let turned = generate::near_parallel(rng, minus(b, a));
        std::array::from_fn(|i| d[i] + turned[i])
    } else {
        e
    };
    [Sample::through(kinds[0], [a, b, c]), Sample::through(kinds[1], [d, end, f])]
}

fn is_valid<const D: usize>(sample: &Sample<D>) -> bool {
    let zero = |row: usize| sample.rows[row].iter().all(|x| *x == 0.0);
    match sample.kind {
        Line | Ray => !zero(1),
        Plane => !zero(0),
        _ => true,
    }
}

/// Whether a triangle or parallelogram has no area: |u|²|v|² = (u·v)² (Lagrange).
fn is_collapsed<const D: usize>(sample: &Sample<D>) -> bool {
    let [a, b, c] = sample.rows.map(|row| row.to_exact());
    let (u, v) = match sample.kind {
        Triangle => (&b - &a, &c - &a),
        Parallelogram => (b, c),
        _ => return false,
    };
    u.norm_squared() * v.norm_squared() == u.dot(&v) * u.dot(&v)
}

fn same(relation: Relation, truth: ExactRelation) -> bool {
    matches!(
        (relation, truth),
        (Relation::Crossing, ExactRelation::Crossing)
            | (Relation::Coincident, ExactRelation::Coincident)
            | (Relation::Parallel, ExactRelation::Parallel)
            | (Relation::Apart, ExactRelation::Apart)
    )
}

fn coordinates<const D: usize, W: Vector>(v: W) -> [f64; D] {
    std::array::from_fn(|i| v.get(i).to_f64())
}

/// The point at the parameters of an answer, exactly.
fn at<const D: usize, T: Real>(sample: &Sample<D>, t: Option<T>, uv: Option<[T; 2]>) -> Option<V<D>> {
    let [a, b, c] = sample.rows.map(|row| row.to_exact());
    let number = |x: T| exact(x.to_f64());
    Some(match sample.kind {
        Line | Ray => &a + &b.scaled(&number(t.unwrap())),
        Segment => &a + &(&b - &a).scaled(&number(t.unwrap())),
        Triangle | Parallelogram => {
            let [u, v] = uv.unwrap().map(number);
            let (along_u, along_v) = if sample.kind == Triangle { (&b - &a, &c - &a) } else { (b, c) };
            &(&a + &along_u.scaled(&u)) + &along_v.scaled(&v)
        }
        Point | Plane => {
            assert!(t.is_none() && uv.is_none());
            return None;
        }
    })
}

fn swapped<W: Vector>(answer: LineRelation<W>) -> LineRelation<W> {
    LineRelation {
        point_a: answer.point_b,
        point_b: answer.point_a,
        s: answer.t,
        t: answer.s,
        barycentric_a: answer.barycentric_b,
        barycentric_b: answer.barycentric_a,
        ..answer
    }
}

fn check<const D: usize, T: Real, S: Dimension<D, T>>(pair: [Sample<D>; 2]) -> Option<ExactRelation> {
    let [a, b] = &pair;
    let (flat_a, flat_b) = (S::flat(a).unwrap(), S::flat(b).unwrap());
    let answer = S::relate(flat_a, flat_b);
    if is_collapsed(a) || is_collapsed(b) {
        let Err(Error::Collapsed { what }) = answer else { panic!("{answer:?} {pair:?}") };
        assert!(is_collapsed(if what == "a" { a } else { b }), "{what} {pair:?}");
        return None;
    }
    if let Err(Error::Overflow { .. }) = answer {
        // A direction or an angle of the order of 5e-324 may send a parameter or point beyond the range.
        let mut numbers = pair.iter().flat_map(|sample| sample.rows.as_flattened());
        assert!(numbers.any(|x| 0.0 < x.abs() && x.abs() < 4.0 / T::MAX.to_f64()), "{pair:?}");
        return None;
    }
    let answer = answer.unwrap_or_else(|error| panic!("{error} {pair:?}"));
    let (exact_a, exact_b) = (S::exact(a), S::exact(b));
    let truth = exact_a.relation(&exact_b);
    assert!(same(answer.relation, truth), "{answer:?} {truth:?} {pair:?}");
    assert_eq!(answer, swapped(S::relate(flat_b, flat_a).unwrap()), "{pair:?}");

    let epsilon = T::EPSILON.to_f64();
    let (p, q) = (coordinates::<D, _>(answer.point_a), coordinates::<D, _>(answer.point_b));
    let distance = answer.distance.to_f64();
    if matches!(truth, ExactRelation::Crossing | ExactRelation::Coincident) {
        assert_eq!((p, distance), (q, 0.0), "{pair:?}");
        if let Some(point) = exact_a.crossing_point(&exact_b) {
            let point: [f64; D] = point.to_f64();
            let size = a.size().max_of(b.size());
            for (found, true_coordinate) in p.iter().zip(point) {
                let nearest = T::from_f64(true_coordinate).to_f64();
                // Rounded to nearest, but for what is half way to 2⁻⁵⁰ of an ulp.
                let off = (found - nearest).abs();
                assert!(
                    off <= 1e-22 * size || off <= epsilon * nearest.abs(),
                    "{answer:?} {point:?} {pair:?}"
                );
            }
        }
    } else {
        assert!(0.0 < distance, "{answer:?} {pair:?}");
        let error = sqrt_error(distance, &exact_a.distance_squared(&exact_b));
        let least = T::ZERO.step_up().to_f64();
        assert!(error <= 2.0 * epsilon * distance + least, "{error} {answer:?} {pair:?}");
    }
    // The points lie on their things, at their parameters.
    let ends =
        [(a, &exact_a, p, answer.s, answer.barycentric_a), (b, &exact_b, q, answer.t, answer.barycentric_b)];
    for (sample, thing, point, t, uv) in ends {
        let size = point.iter().fold(sample.size(), |m, x| x.abs().max_of(m));
        let off = to_f64(&thing.distance_squared(&Exact::point(&point))).sqrt();
        assert!(off <= 2.0 * epsilon * size, "{off} {answer:?} {pair:?}");
        if let Some(by_parameter) = at(sample, t, uv) {
            let off = to_f64(&by_parameter.distance_squared(&point.to_exact())).sqrt();
            assert!(off <= 4.0 * epsilon * size, "{off} {answer:?} {pair:?}");
        }
        if sample.kind == Segment {
            assert!((0.0..=1.0).contains(&t.unwrap().to_f64()));
        }
        if let Some([u, v]) = uv {
            let (u, v) = (u.to_f64(), v.to_f64());
            assert!((0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v), "{answer:?} {pair:?}");
            assert!(sample.kind == Parallelogram || u + v <= 1.0 + epsilon);
        }
    }
    Some(truth)
}

/// Every pair of kinds; says how often each relation came up.
fn check_all<const D: usize, T: Real, S: Dimension<D, T>>(
    seed: u64,
    kinds: &[Kind],
    rounds: usize,
) -> [usize; 4] {
    let mut rng = Rng::new(seed);
    let mut counts = [0; 4];
    for first in kinds {
        for second in kinds {
            for _ in 0..rounds {
                let samples = pair::<D>(&mut rng, [*first, *second]);
                let samples = samples.map(|sample| sample.map(|x| T::from_f64(x).to_f64()));
                if !samples.iter().all(is_valid) {
                    continue;
                }
                match check::<D, T, S>(samples) {
                    Some(ExactRelation::Crossing) => counts[0] += 1,
                    Some(ExactRelation::Coincident) => counts[1] += 1,
                    Some(ExactRelation::Parallel) => counts[2] += 1,
                    Some(ExactRelation::Apart) => counts[3] += 1,
                    None => {}
                }
            }
        }
    }
    counts
}

#[test]
fn the_plane_in_f64() {
    let counts = check_all::<2, f64, Dim2>(1, &KINDS[..4], 500);
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn the_plane_in_f32() {
    let counts = check_all::<2, f32, Dim2>(2, &KINDS[..4], 500);
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn space_in_f64() {
    let counts = check_all::<3, f64, Dim3>(3, &KINDS, 120);
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn space_in_f32() {
    let counts = check_all::<3, f32, Dim3>(4, &KINDS, 120);
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Multiplying all lengths by a power of two multiplies the answer, and changes nothing else.
fn check_scaling<const D: usize, S: Dimension<D, f64>>(seed: u64, kinds: &[Kind]) {
    let mut rng = Rng::new(seed);
    let mut checked = 0;
    for round in 0..3000 {
        let kinds = [rng.pick(kinds), rng.pick(kinds)];
        let samples = pair::<D>(&mut rng, kinds);
        let exponent = [rng.between(-40, 40), 300, -300, 700, -700][round % 5];
        let factor = carom_math::power_of_two(exponent);
        let scaled = samples.map(|sample| sample.resized(factor));
        // Numbers at the lower end of the range lose bits when scaled.
        let is_exact = scaled.iter().zip(&samples).all(|(x, y)| x.resized(1.0 / factor).rows == y.rows);
        let tiny = samples.iter().flat_map(|s| s.rows.as_flattened()).any(|x| *x != 0.0 && x.abs() < 1e-300);
        if !samples.iter().all(is_valid) || !is_exact || tiny {
            continue;
        }
        let [a, b] = samples.map(|sample| S::flat(&sample).unwrap());
        let [big_a, big_b] = scaled.map(|sample| S::flat(&sample).unwrap());
        let (Ok(answer), Ok(big)) = (S::relate(a, b), S::relate(big_a, big_b)) else {
            assert!(S::relate(a, b).is_err() && S::relate(big_a, big_b).is_err());
            continue;
        };
        let expected = LineRelation {
            point_a: answer.point_a * factor,
            point_b: answer.point_b * factor,
            distance: answer.distance * factor,
            ..answer
        };
        assert_eq!(big, expected, "2^{exponent} {samples:?}");
        checked += 1;
    }
    assert!(checked > 2000, "{checked}");
}

#[test]
fn powers_of_two_scale_exactly() {
    check_scaling::<2, Dim2>(5, &KINDS[..4]);
    check_scaling::<3, Dim3>(6, &KINDS);
}

#[test]
fn sizes_of_1e300_and_1e_minus_300() {
    let mut rng = Rng::new(7);
    for round in 0..300 {
        let kinds = [rng.pick(&KINDS), rng.pick(&KINDS)];
        let lattice: [[f64; 3]; 6] = std::array::from_fn(|_| generate::lattice_point(&mut rng));
        let [a, b, c, d, e, f] = lattice;
        let factor = if round % 2 == 0 { 1e300 } else { 1e-300 };
        let samples = [Sample::through(kinds[0], [a, b, c]), Sample::through(kinds[1], [d, e, f])];
        let samples = samples.map(|sample| sample.resized(factor));
        if samples.iter().all(is_valid) {
            check::<3, f64, Dim3>(samples);
        }
    }
}

fn check_bits<const D: usize, T: Real, S: Dimension<D, T>>(
    seed: u64,
    kinds: &[Kind],
    number: impl Fn(&mut Rng) -> f64,
) {
    let mut rng = Rng::new(seed);
    let mut answered = 0;
    for _ in 0..2000 {
        let samples: [Sample<D>; 2] = std::array::from_fn(|_| {
            let is_calm = rng.one_in(3);
            let rows = std::array::from_fn(|_| {
                std::array::from_fn(|_| {
                    if is_calm { generate::coordinate_f32(&mut rng) } else { number(&mut rng) }
                })
            });
            Sample { kind: rng.pick(kinds), rows }
        });
        let (Ok(a), Ok(b)) = (S::flat(&samples[0]), S::flat(&samples[1])) else {
            continue;
        };
        match S::relate(a, b) {
            Ok(answer) => {
                answered += 1;
                assert!(answer.point_a.finite() && answer.point_b.finite() && answer.distance.finite());
                // The relation is exact for every bit pattern.
                if answered % 8 == 0 {
                    let truth = S::exact(&samples[0]).relation(&S::exact(&samples[1]));
                    assert!(same(answer.relation, truth), "{answer:?} {truth:?} {samples:?}");
                }
            }
            Err(error) => assert!(
                matches!(error, Error::NotFinite { .. } | Error::Collapsed { .. } | Error::Overflow { .. }),
                "{error:?} {samples:?}"
            ),
        }
    }
    assert!(answered > 50, "{answered}");
}

#[test]
fn any_bits_get_an_answer_or_an_error() {
    check_bits::<2, f64, Dim2>(8, &KINDS[..4], generate::any_bits);
    check_bits::<3, f64, Dim3>(9, &KINDS, generate::any_bits);
    let narrow = |rng: &mut Rng| f64::from(generate::any_bits_f32(rng));
    check_bits::<2, f32, Dim2>(10, &KINDS[..4], narrow);
    check_bits::<3, f32, Dim3>(11, &KINDS, narrow);
}

#[test]
fn of_many_pairs_the_one_nearest_the_start_is_taken() -> Result<(), Error> {
    let segment = |a: [f64; 2], b: [f64; 2]| d2::Segment::new(a, b);
    // Parallel; the first by its numbers is that from (0, 0), and the other begins at its quarter.
    let (a, b) = (segment([0.0, 0.0], [4.0, 0.0])?, segment([6.0, 1.0], [1.0, 1.0])?);
    let answer = d2::relate(a, b)?;
    assert_eq!((answer.relation, answer.distance), (Relation::Parallel, 1.0));
    assert_eq!((answer.s, answer.t), (Some(0.25), Some(1.0)));
    // On one line, overlapping.
    let answer = d2::relate(a, segment([3.0, 0.0], [1.0, 0.0])?)?;
    assert_eq!((answer.relation, answer.s, answer.t), (Relation::Coincident, Some(0.25), Some(1.0)));
    // On one line, apart: the ends that face each other.
    let answer = d2::relate(a, segment([7.0, 0.0], [6.0, 0.0])?)?;
    assert_eq!((answer.relation, answer.distance, answer.t), (Relation::Parallel, 2.0, Some(1.0)));
    // A line that misses the start of a ray's shadow: t is negative on the line, and as small as can be.
    let line = d2::Line::new([5.0, 1.0], [-1.0, 0.0])?;
    let answer = d2::relate(line, d2::Ray::new([7.0, 0.0], [2.0, 0.0])?)?;
    assert_eq!((answer.relation, answer.s, answer.t), (Relation::Parallel, Some(-2.0), Some(0.0)));
    // A segment of length zero is a point, at its parameter 0, and never parallel.
    let dot = segment([2.0, 3.0], [2.0, 3.0])?;
    let answer = d2::relate(a, dot)?;
    assert_eq!((answer.relation, answer.s, answer.t), (Relation::Apart, Some(0.5), Some(0.0)));
    Ok(())
}

#[test]
fn bad_input_is_named() {
    let nan = d3::Flat::from(Vec3::new(f64::NAN, 0.0, 0.0));
    let flat = d3::Triangle::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]).unwrap();
    let plane = d3::Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    assert!(matches!(d3::relate(plane, nan), Err(Error::NotFinite { what: "b", .. })));
    assert_eq!(d3::relate(plane, flat), Err(Error::Collapsed { what: "b" }));
    assert_eq!(d3::relate(flat, plane), Err(Error::Collapsed { what: "a" }));
    assert_eq!(d3::Plane::new([0.0, 0.0, 0.0], 1.0), Err(Error::ZeroDirection { what: "normal" }));
    assert_eq!(d2::Line::new([0.0, 0.0], [0.0, 0.0]), Err(Error::ZeroDirection { what: "direction" }));
}
