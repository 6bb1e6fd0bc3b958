//! Free rotation: a body that tumbles keeps its angular momentum and its energy.
//!
//! Euler's equations in the body frame, I·ω̇ + ω × Iω = 0, are integrated by the implicit midpoint rule, with
//! u = (ω₀ + ω₁)/2:
//!
//! ```text
//! 2I(u − ω₀) + τ·u × Iu = 0        ω₁ = 2u − ω₀
//! ```
//!
//! Energy ½ωᵀIω and |Iω|² are quadratic, and the midpoint rule keeps quadratic invariants. The equation
//! also says that the momentum Iω is turned by the Cayley transform of −τu; when the body is turned by the
//! Cayley transform of +τu, the quaternion (½τu, 1), the momentum in the world does not change at all. With
//! τ = (2/|ω|)·tan(h|ω|/2) instead of h that quaternion turns by the angle h|ω|, exactly what a steady spin
//! does. So both are kept to rounding error, for any step, where the usual implicit Euler step loses energy.

use carom_math::{Lanes, Level, Mat3, Number, Quat, Real, Vec3, Vector, prelude_simd::*};

/// tan(x)/x for x² given: by its series up to x = 0.4, beyond by trigonometry, and never near the pole.
#[inline(always)]
pub(super) fn turn_factor(square: f32) -> f32 {
    if square <= 0.16 {
        const SERIES: [f32; 5] = [1.0 / 3.0, 2.0 / 15.0, 17.0 / 315.0, 62.0 / 2835.0, 1382.0 / 155_925.0];
        return SERIES.iter().rev().fold(0.0, |sum, term| (sum + term) * square) + 1.0;
    }
    let x = square.sqrt();
    let x = if x < 1.5 { x } else { 1.5 };
    let (sine, cosine) = x.sine_cosine();
    sine / (cosine * x)
}

/// Bodies that are turned side by side.
const LANES: usize = 8;

/// τ, the inertia, the rotation as a quaternion, the angular velocity.
const COLUMNS: usize = 1 + 9 + 4 + 3;

/// A few bodies that turn freely, until they are enough to be turned.
///
/// Newton's method in `f64`; with the rotation in a sub-step limited to an eighth of a turn three rounds end far below the
/// rounding error of `f32`, and two where it is slow. One by one that took a tenth of a step of a world of hulls.
pub(super) struct Spins {
    bodies: [usize; LANES],
    count: usize,
    columns: [[f64; LANES]; COLUMNS],
}

impl Spins {
    pub(super) const NONE: Self = Spins { bodies: [0; LANES], count: 0, columns: [[0.0; LANES]; COLUMNS] };

    pub(super) fn is_full(&self) -> bool {
        self.count == LANES
    }

    /// Adds a body with the rotation that it has before the turn; not if it is full.
    #[inline]
    pub(super) fn add(
        &mut self,
        body: usize,
        (inertia, rotation): (Mat3<f32>, Quat<f32>),
        angular: Vec3<f32>,
        h: f32,
    ) {
        if self.is_full() {
            return;
        }
        let tau = f64::from(h * turn_factor(0.25 * h * h * angular.dot(angular)));
        let [a, b, c] = inertia.columns.map(Vector::widen);
        let [x, y, z, w] = rotation.widen().to_array();
        let v = angular.widen();
        // One by one: through iterators this took as long as to turn the body.
        let numbers: [f64; COLUMNS] =
            [tau, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, x, y, z, w, v.x, v.y, v.z];
        let lane = self.count % LANES;
        for (column, number) in self.columns.iter_mut().zip(numbers) {
            column[lane] = number;
        }
        self.bodies[lane] = body;
        self.count += 1;
    }

    /// Turns them, and tells of each the vector part ½τu of the turn, in the world, and the angular velocity after it.
    #[inline]
    pub(super) fn turn(&mut self, level: Level, mut tell: impl FnMut(usize, Vec3<f32>, Vec3<f32>)) {
        if self.count == 0 {
            return;
        }
        let mut found = [[0.0; LANES]; 6];
        dispatch!(level, simd => turned(simd, &self.columns, &mut found));
        for (lane, body) in self.bodies.iter().enumerate().take(self.count) {
            let [a, b, c, d, e, f] = found.map(|column| column[lane]);
            tell(*body, Vec3::narrow(Vec3::new(a, b, c)), Vec3::narrow(Vec3::new(d, e, f)));
        }
        self.count = 0;
    }
}

/// See [`Spins::turn`].
#[inline(always)]
fn turned<S: Simd>(simd: S, columns: &[[f64; LANES]; COLUMNS], found: &mut [[f64; LANES]; 6]) {
    for start in (0..LANES).step_by(S::f64s::LEN) {
        let tau = Lanes::<S, S::f64s>::load(simd, &columns[0][start..]);
        let Vec3 { x, y, z } = vector(simd, &columns[10..], start);
        let w = Lanes::load(simd, &columns[13][start..]);
        let (inertia, turn) = (matrix(simd, &columns[1..10], start), unit_turn([x, y, z, w]));
        let before = turn.transpose_mul(vector(simd, &columns[14..], start));
        let mut middle = improved(before, before, &inertia, tau);
        middle = improved(middle, before, &inertia, tau);
        let slow = (tau * tau * before.dot(before)).less_than(tau.like(1e-4));
        let mut fast = [0.0; LANES];
        Lanes::select(slow, tau.like(0.0), tau.like(1.0)).store(&mut fast);
        if fast.contains(&1.0) {
            middle = Vec3::select(slow, middle, improved(middle, before, &inertia, tau));
        }
        let (half, after) = ends(middle, before, &turn, tau);
        for (column, number) in found.iter_mut().zip([half.x, half.y, half.z, after.x, after.y, after.z]) {
            number.store(&mut column[start..]);
        }
    }
}

/// [`Quat::to_matrix`] for quaternions of unit length up to rounding, as those of bodies are.
#[inline(always)]
pub(super) fn unit_turn<T: Number>([x, y, z, w]: [T; 4]) -> Mat3<T> {
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let norm = xx + yy + zz + ww;
    let two = x.like(2.0.into());
    let a = Vec3::new((ww - zz) + (xx - yy), two * (x * y + w * z), two * (x * z - w * y));
    let b = Vec3::new(two * (x * y - w * z), (ww - zz) - (xx - yy), two * (y * z + w * x));
    let c = Vec3::new(two * (x * z + w * y), two * (y * z - w * x), (ww + zz) - (xx + yy));
    let correction = (norm - x.like(1.0.into())) / norm;
    Mat3 { columns: [a - a * correction, b - b * correction, c - c * correction] }
}

#[inline(always)]
fn vector<S: Simd>(simd: S, columns: &[[f64; LANES]], start: usize) -> Vec3<Lanes<S, S::f64s>> {
    Vec3::new(
        Lanes::load(simd, &columns[0][start..]),
        Lanes::load(simd, &columns[1][start..]),
        Lanes::load(simd, &columns[2][start..]),
    )
}

#[inline(always)]
fn matrix<S: Simd>(simd: S, columns: &[[f64; LANES]], start: usize) -> Mat3<Lanes<S, S::f64s>> {
    Mat3 {
        columns: [
            vector(simd, columns, start),
            vector(simd, &columns[3..], start),
            vector(simd, &columns[6..], start),
        ],
    }
}

/// One round of Newton's method for u.
#[inline(always)]
fn improved<N: Number<Element = f64>>(
    middle: Vec3<N>,
    before: Vec3<N>,
    inertia: &Mat3<N>,
    tau: N,
) -> Vec3<N> {
    let (two, zero) = (tau.like(2.0), tau.like(0.0));
    let momentum = *inertia * middle;
    let residual = *inertia * (middle - before) * two + middle.cross(momentum) * tau;
    // Column k of [u]I − [Iu] is u × I·e − Iu × e for the axis e.
    let Vec3 { x, y, z } = momentum;
    let [a, b, c] = inertia.columns;
    let derivative = Mat3 {
        columns: [
            a * two + (middle.cross(a) - Vec3::new(zero, z, -y)) * tau,
            b * two + (middle.cross(b) - Vec3::new(-z, zero, x)) * tau,
            c * two + (middle.cross(c) - Vec3::new(y, -x, zero)) * tau,
        ],
    };
    let (numerators, determinant) = derivative.cramer(residual);
    let next = middle - numerators * (tau.like(1.0) / determinant);
    // Where there is no solution, nothing changes.
    let size = determinant.abs();
    let next = Vec3::select(zero.less_than(size), next, middle);
    Vec3::select(size.less_or_equal(zero.like(f64::MAX)), next, middle)
}

/// ½τu and ω₁ in the world.
#[inline(always)]
fn ends<N: Number<Element = f64>>(
    middle: Vec3<N>,
    before: Vec3<N>,
    turn: &Mat3<N>,
    tau: N,
) -> (Vec3<N>, Vec3<N>) {
    let (one, two) = (tau.like(1.0), tau.like(2.0));
    let half = (*turn * middle) * (tau.like(0.5) * tau);
    // The world components of ω₁: its body components, turned with the body.
    let after = *turn * (middle * two - before);
    // The Cayley transform of q = ½τu, without the quaternion: v + 2/(1 + q²)·(q × v + q × (q × v)).
    let across = half.cross(after);
    (half, after + (across + half.cross(across)) * (two / (one + half.dot(half))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::Rng;

    struct Top {
        inertia: Mat3<f32>,
        rotation: Quat<f32>,
        angular: Vec3<f32>,
    }

    fn top(rng: &mut Rng, k: u32) -> Top {
        let mut number = || rng.uniform(-1.0, 1.0) as f32;
        let (a, b) = (Vec3::new(number(), number(), number()), Vec3::new(number(), number(), number()));
        // Positive definite: some masses at the ends of vectors.
        let columns = core::array::from_fn(|axis| {
            let e = Vec3::unit(axis);
            e + [a, b].iter().fold(Vec3::ZERO, |sum, r| sum + (e * r.dot(*r) - *r * r.dot(e)))
        });
        let rotation = Quat::new(number(), number(), number(), number()).unwrap();
        // Slow ones and fast ones, up to an eighth of a turn in a 240th of a second.
        let speed = [0.5, 3.0, 40.0, 100.0][k as usize % 4];
        Top { inertia: Mat3 { columns }, rotation, angular: Vec3::new(number(), number(), number()) * speed }
    }

    fn turned(level: Level, tops: &[Top]) -> Vec<(Vec3<f32>, Vec3<f32>)> {
        let (mut spins, mut found) = (Spins::NONE, vec![(Vec3::ZERO, Vec3::ZERO); tops.len()]);
        for (k, top) in tops.iter().enumerate() {
            spins.add(k, (top.inertia, top.rotation), top.angular, 1.0 / 240.0);
            if spins.is_full() || k + 1 == tops.len() {
                spins.turn(level, |k, half, after| found[k] = (half, after));
            }
        }
        found
    }

    /// Angular momentum in the world and energy are those before, whatever stands in the other lanes.
    #[test]
    fn turns_keep_momentum_and_energy_at_any_width() {
        let mut rng = Rng::new(5);
        let tops: Vec<Top> = (0..203).map(|k| top(&mut rng, k)).collect();
        let found = turned(Level::new(), &tops);
        assert_eq!(found, turned(Level::baseline(), &tops));
        for (top, (half, after)) in tops.iter().zip(found) {
            assert_eq!(turned(Level::new(), std::slice::from_ref(top)), [(half, after)]);
            let inertia = Mat3 { columns: top.inertia.columns.map(Vector::widen) };
            let momentum = |rotation: Quat<f64>, angular: Vec3<f64>| {
                let turn = rotation.to_matrix();
                turn * (inertia * turn.transpose_mul(angular))
            };
            let [x, y, z] = [half.x, half.y, half.z].map(f64::from);
            let next = Quat::new(x, y, z, 1.0).unwrap() * top.rotation.widen();
            let (before, after) = (top.angular.widen(), after.widen());
            let [old, new] = [momentum(top.rotation.widen(), before), momentum(next, after)];
            assert!(Vector::length(new - old) <= 1e-6 * Vector::length(old), "{old:?} {new:?}");
            let [old, new] = [old.dot(before), new.dot(after)];
            assert!((new - old).abs() <= 1e-6 * old, "{old} {new}");
        }
    }

    /// A body without inertia is no reason to stop.
    #[test]
    fn nothing_is_turned_by_no_inertia() {
        let inertia = Mat3 { columns: [Vec3::ZERO; 3] };
        let angular = Vec3::new(1.0, 2.0, 3.0);
        let found = turned(Level::new(), &[Top { inertia, rotation: Quat::IDENTITY, angular }]);
        assert!(found[0].0.finite() && Vector::length(found[0].1 - angular) < 1e-5, "{found:?}");
    }
}
