//! Trigonometry against arithmetic of 200 bits, and its identities to the bit.
//!
//! An error is measured in units in the last place of the real value, so that 0.5 is the best that a
//! rounded result can guarantee. The long sweeps are left out of the ordinary run:
//! `cargo test --release -p carom-math --test trig -- --ignored --nocapture`.
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN must fail these comparisons")]
#![allow(clippy::print_stdout, reason = "the sweeps report the largest error with --nocapture")]

use carom_math::trig::*;
use dashu_float::{ConstCache, Context, FBig, round::mode::HalfEven};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

type Big = FBig<HalfEven, 2>;

/// What the documentation of the module promises.
const SIN_COS_BOUND: f64 = 0.8;
const INVERSE_BOUND: f64 = 0.52;
const F32_BOUND: f64 = 0.500_000_1;

/// The least positive distance of an f64 from a multiple of π/2 belongs to this number.
fn hardest_case() -> f64 {
    6381956970095103.0 * power_of_two(797)
}

fn power_of_two(exponent: i32) -> f64 {
    if exponent < -1022 {
        f64::from_bits(1 << (exponent + 1074))
    } else {
        f64::from_bits(((1023 + exponent) as u64) << 52)
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * power_of_two(-53)
    }

    fn finite(&mut self) -> f64 {
        loop {
            let value = f64::from_bits(self.bits());
            if value.is_finite() {
                return value;
            }
        }
    }

    /// One of `values`, which are not negative, or a neighbour up to two ulps away.
    fn near(&mut self, values: &[f64]) -> f64 {
        let value = values[(self.bits() % values.len() as u64) as usize];
        let steps = self.bits() % 5;
        f64::from_bits((value.to_bits() + steps).saturating_sub(2))
    }
}

/// The reference: real functions at 200 bits of exact arguments, π kept between calls.
struct Reference {
    context: Context<HalfEven>,
    cache: ConstCache,
}

impl Reference {
    fn new() -> Self {
        Self { context: Context::new(200), cache: ConstCache::new() }
    }

    fn sin_cos(&mut self, x: f64) -> (Big, Big) {
        let (sin, cos) = self.context.sin_cos(exactly(x).repr(), Some(&mut self.cache));
        (sin.unwrap().value(), cos.unwrap().value())
    }

    fn atan2(&mut self, y: f64, x: f64) -> Big {
        self.context.atan2(exactly(y).repr(), exactly(x).repr(), Some(&mut self.cache)).unwrap().value()
    }

    fn acos(&mut self, x: f64) -> Big {
        self.context.acos(exactly(x).repr(), Some(&mut self.cache)).unwrap().value()
    }

    fn asin(&mut self, x: f64) -> Big {
        self.context.asin(exactly(x).repr(), Some(&mut self.cache)).unwrap().value()
    }
}

fn exactly(value: f64) -> Big {
    Big::try_from(value).expect("finite").with_precision(1100).value()
}

/// A floating point format: stored significand bits and exponent of the smallest subnormal number.
#[derive(Clone, Copy)]
struct Format {
    fraction_bits: i32,
    least_exponent: i32,
}

const F64: Format = Format { fraction_bits: 52, least_exponent: -1074 };
const F32: Format = Format { fraction_bits: 23, least_exponent: -149 };

/// |value − real| in units in the last place that `format` has at the real value.
fn error_in_ulps(value: f64, real: &Big, format: Format) -> f64 {
    let repr = real.repr();
    let exponent = if repr.significand().is_zero() {
        i32::MIN / 2
    } else {
        (repr.exponent() + repr.digits() as isize - 1) as i32
    };
    let ulp_exponent = (exponent - format.fraction_bits).max(format.least_exponent);
    let error = (exactly(value) - real) >> (ulp_exponent as isize);
    error.to_f64().value().abs()
}

/// The largest error seen, and where.
#[derive(Default)]
struct Worst {
    error: f64,
    arguments: (f64, f64),
}

impl Worst {
    fn see(&mut self, error: f64, arguments: (f64, f64)) {
        // Written so that NaN counts as worst.
        if !(error <= self.error) {
            *self = Self { error, arguments };
        }
    }

    fn check(&self, name: &str, bound: f64) {
        println!("{name}: {} ulp at {:e}, {:e}", self.error, self.arguments.0, self.arguments.1);
        assert!(self.error < bound, "{name}: {} ulp at {:?}", self.error, self.arguments);
    }
}

/// Angles of every kind. The kind goes round with `turn`.
fn angle(random: &mut Random, turn: usize) -> f64 {
    match turn % 8 {
        0 => random.finite(),
        1 => (random.unit() - 0.5) * 2.0 * PI,
        2 => (random.unit() - 0.5) * 2e5,
        // Around the border between the two reductions, which is at 1e5.
        3 => 1e5 + (random.unit() - 0.5) * 4.0,
        // Neighbours of small multiples of π/4, even ones being multiples of π/2.
        4 => {
            let k = (random.bits() % 200) as f64;
            random.near(&[k * FRAC_PI_4])
        }
        // Neighbours of multiples of π/2 of any size up to 2⁵³.
        5 => {
            let k = (random.bits() >> (11 + random.bits() % 53)) as f64;
            random.near(&[k * FRAC_PI_2])
        }
        6 => (random.bits() % 4096) as f64 / 64.0 - 32.0,
        _ => random.near(&[
            hardest_case(),
            FRAC_PI_4,
            1e5,
            power_of_two(-30),
            power_of_two(-1022),
            f64::MAX / 2.0,
            1.0,
            1e22,
        ]),
    }
}

/// Cosines and sines of every kind, in [−1, 1].
fn cosine(random: &mut Random, turn: usize) -> f64 {
    let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
    let magnitude = match turn % 6 {
        0 => random.unit(),
        1 => 1.0 - random.unit() * power_of_two(-((random.bits() % 53) as i32)),
        2 => random.unit() * power_of_two(-((random.bits() % 1070) as i32)),
        3 => random.near(&[FRAC_PI_4.sqrt(), 0.5_f64.sqrt(), 0.5, power_of_two(-30)]),
        4 => (random.bits() % 65) as f64 / 64.0,
        _ => 1.0 - (random.bits() % 1000) as f64 * power_of_two(-53),
    };
    sign * magnitude
}

/// Points (y, x) of every kind.
fn point(random: &mut Random, turn: usize) -> (f64, f64) {
    let signs = random.bits();
    let (y, x) = match turn % 7 {
        0 => (random.finite(), random.finite()),
        1 => (random.unit(), random.unit()),
        // The same exponent, whatever it is: huge, tiny, subnormal.
        2 => {
            let x = random.finite();
            let y = f64::from_bits(x.to_bits() ^ (random.bits() >> 12));
            (y, x)
        }
        // Quotients near the nodes of the table and midway between them.
        3 => {
            let x = random.unit() + 0.5;
            let quotient = (random.bits() % 33) as f64 / 32.0;
            (random.near(&[x * quotient]), x)
        }
        4 => ((random.bits() % 17) as f64 + 1.0, (random.bits() % 17) as f64 + 1.0),
        // Quotients that are subnormal, or that overflow when turned over.
        5 => {
            let x = random.unit() * power_of_two(500 + (random.bits() % 500) as i32);
            (x * power_of_two(-1000) * power_of_two(-((random.bits() % 80) as i32)), x)
        }
        // Around the border of the linear branch.
        _ => {
            let x = random.unit() + 0.5;
            (x * power_of_two(-30) * (1.0 + (random.unit() - 0.5) * 0.01), x)
        }
    };
    let sign = |bit: u64| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let (y, x) = if signs >> 2 & 1 == 0 { (y, x) } else { (x, y) };
    (y.abs() * sign(0), x.abs() * sign(1))
}

fn sweep_sin_cos(samples: usize, seed: u64) {
    let (mut random, mut reference) = (Random(seed), Reference::new());
    let (mut worst_sin, mut worst_cos) = (Worst::default(), Worst::default());
    for turn in 0..samples {
        let x = angle(&mut random, turn);
        let (sin, cos) = sin_cos_f64(x);
        let (real_sin, real_cos) = reference.sin_cos(x);
        worst_sin.see(error_in_ulps(sin, &real_sin, F64), (x, 0.0));
        worst_cos.see(error_in_ulps(cos, &real_cos, F64), (x, 0.0));
        assert!((sin * sin + cos * cos - 1.0).abs() <= 4.0 * f64::EPSILON);
    }
    worst_sin.check("sin_f64", SIN_COS_BOUND);
    worst_cos.check("cos_f64", SIN_COS_BOUND);
}

fn sweep_atan2(samples: usize, seed: u64) {
    let (mut random, mut reference) = (Random(seed), Reference::new());
    let mut worst = Worst::default();
    for turn in 0..samples {
        let (y, x) = point(&mut random, turn);
        // Zeros and infinities have exact answers and a test of their own.
        if y == 0.0 || x == 0.0 {
            continue;
        }
        let real = reference.atan2(y, x);
        worst.see(error_in_ulps(atan2_f64(y, x), &real, F64), (y, x));
    }
    worst.check("atan2_f64", INVERSE_BOUND);
}

fn sweep_acos_asin(samples: usize, seed: u64) {
    let (mut random, mut reference) = (Random(seed), Reference::new());
    let (mut worst_acos, mut worst_asin) = (Worst::default(), Worst::default());
    for turn in 0..samples {
        let x = cosine(&mut random, turn);
        worst_acos.see(error_in_ulps(acos_f64(x), &reference.acos(x), F64), (x, 0.0));
        worst_asin.see(error_in_ulps(asin_f64(x), &reference.asin(x), F64), (x, 0.0));
    }
    worst_acos.check("acos_f64", INVERSE_BOUND);
    worst_asin.check("asin_f64", INVERSE_BOUND);
}

fn sweep_f32(samples: usize, seed: u64) {
    let (mut random, mut reference) = (Random(seed), Reference::new());
    let mut worst: [Worst; 5] = Default::default();
    let mut see = |index: usize, value: f32, real: &Big, arguments: (f32, f32)| {
        let arguments = (f64::from(arguments.0), f64::from(arguments.1));
        worst[index].see(error_in_ulps(f64::from(value), real, F32), arguments);
    };
    for turn in 0..samples {
        let x = if turn % 2 == 0 {
            f32::from_bits(random.bits() as u32)
        } else {
            angle(&mut random, turn) as f32
        };
        let y = f32::from_bits(random.bits() as u32);
        if x.is_finite() {
            let (sin, cos) = sin_cos_f32(x);
            let (real_sin, real_cos) = reference.sin_cos(f64::from(x));
            see(0, sin, &real_sin, (x, 0.0));
            see(1, cos, &real_cos, (x, 0.0));
            if y.is_finite() && x != 0.0 && y != 0.0 {
                let real = reference.atan2(f64::from(y), f64::from(x));
                see(2, atan2_f32(y, x), &real, (y, x));
            }
        }
        let c = cosine(&mut random, turn) as f32;
        see(3, acos_f32(c), &reference.acos(f64::from(c)), (c, 0.0));
        see(4, asin_f32(c), &reference.asin(f64::from(c)), (c, 0.0));
    }
    let names = ["sin_f32", "cos_f32", "atan2_f32", "acos_f32", "asin_f32"];
    for (worst, name) in worst.iter().zip(names) {
        worst.check(name, F32_BOUND);
    }
}

#[test]
fn sine_and_cosine_are_within_their_bound() {
    sweep_sin_cos(5_000, 1);
}

#[test]
fn atan2_is_within_its_bound() {
    sweep_atan2(5_000, 2);
}

#[test]
fn acos_and_asin_are_within_their_bound() {
    sweep_acos_asin(3_000, 3);
}

#[test]
fn f32_functions_are_rounded_once() {
    sweep_f32(2_000, 4);
}

/// `cargo test --release -p carom-math --test trig -- --ignored --nocapture long_sweep`
#[test]
#[ignore = "takes minutes"]
fn long_sweep_sin_cos() {
    sweep_sin_cos(1_000_000, 11);
}

/// `cargo test --release -p carom-math --test trig -- --ignored --nocapture long_sweep`
#[test]
#[ignore = "takes minutes"]
fn long_sweep_atan2() {
    sweep_atan2(1_000_000, 12);
}

/// `cargo test --release -p carom-math --test trig -- --ignored --nocapture long_sweep`
#[test]
#[ignore = "takes minutes"]
fn long_sweep_acos_asin() {
    sweep_acos_asin(500_000, 13);
}

/// `cargo test --release -p carom-math --test trig -- --ignored --nocapture long_sweep`
#[test]
#[ignore = "takes minutes"]
fn long_sweep_f32() {
    sweep_f32(200_000, 14);
}

/// Every f32 against the f64 functions, whose own error was measured above: the result must be the
/// rounded f64, its mirror the mirror, and nothing may panic.
/// `cargo test --release -p carom-math --test trig -- --ignored every_f32`
#[test]
#[ignore = "takes minutes"]
fn every_f32() {
    for bits in 0..=u32::MAX >> 1 {
        check_f32(f32::from_bits(bits));
    }
}

#[test]
fn some_f32() {
    for bits in (0..=u32::MAX >> 1).step_by(4099) {
        check_f32(f32::from_bits(bits));
    }
}

fn check_f32(x: f32) {
    let same = |a: f32, b: f64| a.to_bits() == (b as f32).to_bits() || (a.is_nan() && b.is_nan());
    let wide = f64::from(x);
    let (sin, cos) = sin_cos_f32(x);
    assert!(same(sin, sin_f64(wide)) && same(cos, cos_f64(wide)), "{x:e}");
    assert_eq!(sin.is_nan(), !x.is_finite());
    let (sin_mirrored, cos_mirrored) = sin_cos_f32(-x);
    assert!(same(-sin, f64::from(sin_mirrored)) && same(cos, f64::from(cos_mirrored)));
    assert!(same(acos_f32(x), acos_f64(wide)) && same(asin_f32(x), asin_f64(wide)));
    assert_eq!(acos_f32(x).is_nan(), x.is_nan() || 1.0 < x.abs());
    assert!(same(atan2_f32(x, 1.0), atan2_f64(wide, 1.0)));
}

/// Kahan and McDonald's hard case: the cosine there is −4.687165924254624e-19.
#[test]
fn the_closest_approach_to_a_multiple_of_half_pi() {
    let mut reference = Reference::new();
    let x = hardest_case();
    let (sin, cos) = sin_cos_f64(x);
    let (real_sin, real_cos) = reference.sin_cos(x);
    assert!(cos.abs() < power_of_two(-60));
    assert!(error_in_ulps(sin, &real_sin, F64) < SIN_COS_BOUND);
    assert!(error_in_ulps(cos, &real_cos, F64) < SIN_COS_BOUND);
}

/// Among the neighbours of the first 63662 multiples of π/2, which is as far as the short reduction
/// goes, those where it cancels most.
#[test]
fn the_closest_approaches_below_the_border_of_the_reductions() {
    let mut reference = Reference::new();
    let mut checked = 0;
    for k in 1..=63_662 {
        let nearest = (f64::from(k) * FRAC_PI_2).to_bits();
        for x in [nearest - 1, nearest, nearest + 1].map(f64::from_bits) {
            let (sin, cos) = sin_cos_f64(x);
            let near_zero = if k % 2 == 0 { sin } else { cos };
            if power_of_two(-49) < near_zero.abs() {
                continue;
            }
            let (real_sin, real_cos) = reference.sin_cos(x);
            assert!(error_in_ulps(sin, &real_sin, F64) < SIN_COS_BOUND, "{x:e}");
            assert!(error_in_ulps(cos, &real_cos, F64) < SIN_COS_BOUND, "{x:e}");
            checked += 1;
        }
    }
    assert!(20 < checked, "{checked}");
}

/// One argument for each exponent exercises every window of the digits of 2/π.
#[test]
fn every_exponent() {
    let (mut random, mut reference) = (Random(5), Reference::new());
    for exponent in 0..2047u64 {
        let x = f64::from_bits((exponent << 52) | (random.bits() >> 12));
        let (sin, cos) = sin_cos_f64(x);
        let (real_sin, real_cos) = reference.sin_cos(x);
        assert!(error_in_ulps(sin, &real_sin, F64) < SIN_COS_BOUND, "{x:e}");
        assert!(error_in_ulps(cos, &real_cos, F64) < SIN_COS_BOUND, "{x:e}");
    }
}

#[test]
fn symmetries_hold_to_the_bit() {
    let mut random = Random(6);
    for turn in 0..200_000 {
        let x = angle(&mut random, turn);
        let (sin, cos) = sin_cos_f64(x);
        assert_eq!(sin.to_bits(), sin_f64(x).to_bits());
        assert_eq!(cos.to_bits(), cos_f64(x).to_bits());
        assert_eq!((-sin).to_bits(), sin_f64(-x).to_bits());
        assert_eq!(cos.to_bits(), cos_f64(-x).to_bits());

        let (y, x) = point(&mut random, turn);
        assert_eq!((-atan2_f64(y, x)).to_bits(), atan2_f64(-y, x).to_bits());

        let c = cosine(&mut random, turn);
        assert_eq!((-asin_f64(c)).to_bits(), asin_f64(-c).to_bits());
        assert!((acos_f64(c) + asin_f64(c) - FRAC_PI_2).abs() <= 2.0 * f64::EPSILON);
    }
}

#[test]
fn no_bit_pattern_panics_or_leaves_the_range() {
    let mut random = Random(7);
    for _ in 0..200_000 {
        let (y, x) = (
            f64::from_bits(random.bits()),
            f64::from_bits(random.bits() | ((random.bits() & 1) * 0x7ff0_0000_0000_0000)),
        );
        for value in [sin_f64(x), cos_f64(x)] {
            assert!(value.is_nan() != x.is_finite() && !(1.0 < value.abs()));
        }
        let angle = atan2_f64(y, x);
        assert!(angle.is_nan() == (x.is_nan() || y.is_nan()) && !(PI < angle.abs()));
        assert_eq!(acos_f64(x).is_nan(), !(x.abs() <= 1.0));
        assert_eq!(asin_f64(x).is_nan(), !(x.abs() <= 1.0));
    }
}

#[test]
fn special_values() {
    let infinity = f64::INFINITY;
    let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits(), "{a:e} {b:e}");
    same(sin_f64(0.0), 0.0);
    same(sin_f64(-0.0), -0.0);
    same(cos_f64(-0.0), 1.0);
    same(sin_f64(f64::from_bits(1)), f64::from_bits(1));
    same(asin_f64(-0.0), -0.0);
    same(asin_f64(-1.0), -FRAC_PI_2);
    same(acos_f64(1.0), 0.0);
    same(acos_f64(-1.0), PI);
    same(acos_f64(0.0), FRAC_PI_2);
    same(acos_f64(-0.0), FRAC_PI_2);

    // The table of IEEE 754-2019, 9.2.1, for y of either sign.
    for sign in [1.0, -1.0] {
        for (y, x, angle) in [
            (0.0, 0.0, 0.0),
            (0.0, 1.0, 0.0),
            (0.0, infinity, 0.0),
            (0.0, -0.0, PI),
            (0.0, -f64::from_bits(1), PI),
            (0.0, -infinity, PI),
            (f64::from_bits(1), 0.0, FRAC_PI_2),
            (f64::MAX, -0.0, FRAC_PI_2),
            (infinity, 1.0, FRAC_PI_2),
            (infinity, -f64::MAX, FRAC_PI_2),
            (infinity, infinity, FRAC_PI_4),
            (infinity, -infinity, 3.0 * FRAC_PI_4),
            (f64::MAX, infinity, 0.0),
            (f64::MAX, -infinity, PI),
            // Finite, with quotients out of range.
            (f64::MAX, f64::from_bits(1), FRAC_PI_2),
            (f64::from_bits(1), f64::MAX, 0.0),
            (f64::from_bits(1), -f64::MAX, PI),
            (f64::MAX, f64::MAX, FRAC_PI_4),
            (f64::from_bits(1), f64::from_bits(1), FRAC_PI_4),
            (f64::from_bits(1), 1.0, f64::from_bits(1)),
        ] {
            same(atan2_f64(sign * y, x), sign * angle);
            let (narrow_y, narrow_x) = (y as f32, x as f32);
            if f64::from(narrow_y) == y && f64::from(narrow_x) == x {
                let narrow = atan2_f32(sign as f32 * narrow_y, narrow_x);
                assert_eq!(narrow.to_bits(), ((sign * angle) as f32).to_bits());
            }
        }
    }
}

#[test]
fn every_nan_is_the_same() {
    let (quiet, quiet_f32) = (0x7ff8_0000_0000_0000, 0x7fc0_0000);
    let odd_nan = f64::from_bits(0xfff4_0000_0000_1234);
    for value in [
        sin_f64(odd_nan),
        cos_f64(f64::INFINITY),
        sin_cos_f64(f64::NEG_INFINITY).0,
        sin_cos_f64(odd_nan).1,
        atan2_f64(odd_nan, 1.0),
        atan2_f64(1.0, odd_nan),
        acos_f64(odd_nan),
        acos_f64(1.0 + f64::EPSILON),
        asin_f64(-2.0),
    ] {
        assert_eq!(value.to_bits(), quiet);
    }
    let odd_nan = f32::from_bits(0xffa0_0123);
    for value in [
        sin_f32(odd_nan),
        cos_f32(f32::INFINITY),
        sin_cos_f32(odd_nan).0,
        atan2_f32(odd_nan, f32::INFINITY),
        acos_f32(1.5),
        asin_f32(odd_nan),
    ] {
        assert_eq!(value.to_bits(), quiet_f32);
    }
}
