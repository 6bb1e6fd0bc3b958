//! P7: how far answers are from the truth. Polytopes against exact rational arithmetic, curved shapes
//! against their support functions. A quick version for every day and a long one to measure with.

use super::placement::{adversarial, kind_pairs};
use super::reference::Judge;
use super::spaces::{Plane, Room};
use super::world::{Body, Case, Place, Space, soak};
use carom_oracle::generate::Rng;
use carom_oracle::rational::{Rational, exact, magnitude, to_f64};

/// The worst of everything that was looked at.
#[derive(Debug, Default)]
struct Worst {
    cases: usize,
    /// Errors relative to the size, in `f64`.
    error: f64,
    /// The width of the bounds, relative to the size.
    width: f64,
    /// Errors in `f32`, in units of its ε times the size.
    units_in_f32: f64,
}

impl Worst {
    fn report(&self, what: &str) {
        let Worst { cases, error, width, units_in_f32 } = self;
        println!(
            "{what}: {cases} pairs, worst error {error:.2e}·S, widest bounds {width:.2e}·S, f32 {units_in_f32:.2} ε·S"
        );
    }
}

fn is_polytope<const D: usize>(body: &Body<D>) -> bool {
    !body.is_curved() && !body.is_half_space()
}

/// Distance, depth and bounds against the exact answer, in both precisions.
fn against_exact_arithmetic<const D: usize, S: Space<D>>(case: &Case<D>, worst: &mut Worst) {
    let zero = Rational::ZERO;
    let positive = |x: &Rational| if *x < zero { zero.clone() } else { x.clone() };
    let size = case.size();
    if size == 0.0 {
        return;
    }
    let truth = case.truth::<S>();
    let apart = case.distance::<S>();
    let near = case.contact::<S>();
    let error = to_f64(&magnitude(&(exact(-near.depth) - &truth[0]))) / size;
    assert!(error <= 1e-12, "{error:e} {near:?} {case:?}");
    assert!(exact(apart.lower) <= positive(&truth[1]), "lower {apart:?} {} {case:?}", to_f64(&truth[1]));
    assert!(positive(&truth[0]) <= exact(apart.upper), "upper {apart:?} {} {case:?}", to_f64(&truth[0]));
    worst.cases += 1;
    worst.error = worst.error.max(error);
    worst.width = worst.width.max((apart.upper - apart.lower) / size);

    let narrow = Case {
        a: case.a.to_f32_values(),
        pa: S::place_f32(&case.pa),
        b: case.b.to_f32_values(),
        pb: S::place_f32(&case.pb),
    };
    let size = narrow.size();
    // Beyond the range in which ε of the size is a normal number.
    if size < 1e-25 {
        return;
    }
    let truth = narrow.truth::<S>();
    let Ok([_, lower, upper, depth]) = S::in_f32(&narrow.a, &narrow.pa, &narrow.b, &narrow.pb) else {
        panic!("{narrow:?}")
    };
    let units = to_f64(&magnitude(&(exact(-depth) - &truth[0]))) / (f64::from(f32::EPSILON) * size);
    assert!(units <= 8.0, "{units} {narrow:?}");
    assert!(exact(lower) <= positive(&truth[1]), "lower {lower} {} {narrow:?}", to_f64(&truth[1]));
    assert!(positive(&truth[0]) <= exact(upper), "upper {upper} {} {narrow:?}", to_f64(&truth[0]));
    worst.units_in_f32 = worst.units_in_f32.max(units);
}

/// What is left to curved pairs, relative to the size.
const CURVED_ERROR: f64 = 1e-9;

/// Distance and depth against directions and points that prove something; see [`super::reference`].
fn against_support_functions<const D: usize, S: Space<D>>(
    rng: &mut Rng,
    case: &Case<D>,
    count: usize,
    worst: &mut Worst,
) {
    let size = case.size();
    let both_planes = case.a.is_half_space() && case.b.is_half_space();
    if both_planes || size == 0.0 {
        return;
    }
    let judge = Judge::new::<S>(case);
    let apart = case.distance::<S>();
    let near = case.contact::<S>();
    let found = -near.depth;
    let n: [f64; D] = near.normal.into();
    let reference = judge.widest_gap(rng, count, n);
    let rounding = 64.0 * f64::EPSILON * size;
    // Whatever direction shows a gap, the distance is no less.
    assert!(reference - rounding <= apart.upper, "upper {reference} {apart:?} {case:?}");
    let error = (found - reference).abs() / size;
    assert!(error <= CURVED_ERROR, "{error:e} {reference} {near:?} {case:?}");
    if 0.0 < found {
        let (a, b): ([f64; D], [f64; D]) = (near.point_a.into(), near.point_b.into());
        let between = (0..D).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt();
        let outside = judge.a.outside(a, n).max(0.0) + judge.b.outside(b, n.map(|x| -x)).max(0.0);
        let far = case.pa.translation.iter().fold(size, |m, x| m.max(x.abs()));
        let highest = between + outside + 64.0 * f64::EPSILON * far;
        assert!(apart.lower <= highest, "lower {highest} {apart:?} {case:?}");
    }
    worst.cases += 1;
    worst.error = worst.error.max(error);
    worst.width = worst.width.max((apart.upper - apart.lower.min(apart.distance)) / size);
}

/// All pairs of kinds: `rounds` ordinary and as many adversarial ones each.
fn sweep<const D: usize, S: Space<D>>(seed: u64, polytopes: usize, curved: usize, count: usize) {
    let mut rng = Rng::new(seed);
    let mut worst: [[Worst; 2]; 2] = Default::default();
    for kinds in kind_pairs::<D>() {
        let sample = Case::random::<S>(&mut rng, kinds, false);
        let is_exact = is_polytope(&sample.a) && is_polytope(&sample.b);
        for round in 0..2 * if is_exact { polytopes } else { curved } {
            let is_adversarial = round % 2 == 1;
            let case = if is_adversarial {
                adversarial::<D, S>(&mut rng, kinds)
            } else {
                Case::random::<S>(&mut rng, kinds, false)
            };
            if is_exact {
                against_exact_arithmetic::<D, S>(&case, &mut worst[0][usize::from(is_adversarial)]);
            } else {
                let worst = &mut worst[1][usize::from(is_adversarial)];
                against_support_functions::<D, S>(&mut rng, &case, count, worst);
            }
        }
    }
    for (worst, what) in worst.iter().zip(["polytopes", "curved shapes and half-spaces"]) {
        worst[0].report(&format!("{D}D {what}, mixed"));
        worst[1].report(&format!("{D}D {what}, adversarial"));
    }
}

#[test]
fn answers_are_close_to_the_truth() {
    sweep::<2, Plane>(1, 12 * soak(), 12 * soak(), 90);
    sweep::<3, Room>(2, 5 * soak(), 5 * soak(), 200);
}

/// 10⁵ mixed and 10⁵ adversarial pairs of polytopes, and a sixth of that of curved shapes.
/// `cargo test --release -p carom-geometry --test geometry -- --ignored --nocapture accuracy_sweep`
#[test]
#[ignore = "minutes"]
fn accuracy_sweep() {
    // 66 pairs of kinds of polytopes in each dimension; 70 others in the plane, 144 in space.
    sweep::<2, Plane>(11, 760, 100, 180);
    sweep::<3, Room>(12, 760, 100, 600);
}

/// What long sweeps have found, with its numbers.
#[test]
fn cases_of_long_sweeps_are_close_to_the_truth() {
    let ulps = [
        [2.9999999999999996, -6.000000000000001, 5.999999999999999],
        [-4.000000000000001, -6.999999999999999, -4.000000000000001],
        [9.0, -0.0, -5e-324],
        [-2.9999999999999996, 6.000000000000001, -6.0],
        [3.0, -5.999999999999999, 6.000000000000001],
        [3.0000000000000004, 6.0, 6.0],
        [8.000000000000002, 1.0, -4.000000000000001],
        [-7.999999999999999, -1.0, -4.000000000000001],
        [-5.999999999999999, -6.000000000000001, -3.0],
        [5.999999999999999, -2.9999999999999996, -6.000000000000001],
        [-1.0, -7.999999999999999, -4.0],
    ];
    let needle = [
        [0.5230948596172942, 1500000.0, 0.5],
        [-0.5, -1000000.0, -1.0],
        [-1.75, -500000.00000000023, -1.3949105444158234],
        [2.0, -2000000.0, -1.0479788762645659],
        [2.0, -131072500000.0, 1.9999999999999993],
        [2.0, 1625000.0, -1.478067387268771],
        [0.0, -875000.0, 0.0001220703125],
    ];
    let chunk = [
        [-1.0, 2.0, 0.5],
        [2.0, -0.5, 2.0],
        [0.5, -2.0, -1.0],
        [1.0, 0.5, 2.0],
        [0.5, -0.5, -0.5],
        [-0.5, 0.0, 0.5],
        [0.0, 1.0, 2.0],
    ];
    let half_turn = [-0.0, -0.0, -1.0, 0.0];
    let cases = [
        // A ball in a hull of a sphere, whose faces are an ulp off: it was told to be on the surface.
        Case {
            a: Body::new("rounded_ball", &[], 3.0),
            pa: Place { translation: [-4194306.0, -100000.0, 10000.0], rotation: half_turn },
            b: Body::new("rounded_hull", &ulps, 2.0),
            pb: Place {
                translation: [-4194307.053418012, -99996.94658198742, 9998.446581987386],
                rotation: half_turn,
            },
        },
        // A needle of 10¹¹ times its width.
        Case {
            a: Body::new("rounded_hull", &chunk, 0.5),
            pa: Place { translation: [0.5, 2.0, 2.0], rotation: [0.5, 0.0, 0.0, -0.8660254037844386] },
            b: Body::new("rounded_hull", &needle, 1.072129091728622),
            pb: Place {
                translation: [1.5, 0.0, 0.0],
                rotation: [
                    -0.00015267765517812284,
                    0.0002956634954249024,
                    0.00035733898939325966,
                    0.9999998807907318,
                ],
            },
        },
    ];
    let mut worst = Worst::default();
    for case in &cases {
        against_exact_arithmetic::<3, Room>(case, &mut worst);
    }
    assert!(worst.cases == cases.len());
}
