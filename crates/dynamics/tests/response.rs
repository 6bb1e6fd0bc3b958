//! Collision response against conservation laws, closed forms in exact arithmetic and textbook cases.

use carom_dynamics::{
    Body, Collision, CollisionResponse, CorrectionOptions, Error, Impact, Space, bounce, collide, elastic_1d,
    positional_correction, reflect, respond,
};
use carom_math::{Mat3, Number, Real, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, lattice_point, unit_vector};
use carom_oracle::rational::{ExactPoint, Rational, V, exact, to_f64};

const EPS: f64 = f64::EPSILON;

fn mass(rng: &mut Rng) -> f64 {
    match rng.below(6) {
        0 => 0.0,
        1 => 1.0,
        2 => rng.uniform(0.1, 10.0),
        3 => rng.uniform(0.1, 10.0) * 1e6,
        _ => f64::from(rng.between(1, 5)),
    }
}

fn vector<const D: usize>(rng: &mut Rng) -> [f64; D] {
    if rng.one_in(2) { lattice_point(rng) } else { std::array::from_fn(|_| rng.uniform(-5.0, 5.0)) }
}

fn direction<const D: usize>(rng: &mut Rng) -> [f64; D] {
    loop {
        let candidate: [f64; D] =
            if rng.one_in(2) { lattice_point(rng) } else { unit_vector(rng).map(|x: f64| x * 3.0) };
        if candidate.iter().any(|x| *x != 0.0) {
            return candidate;
        }
    }
}

fn impact(rng: &mut Rng) -> Impact<f64> {
    let restitution = if rng.one_in(2) { 1.0 } else { rng.unit() };
    Impact { restitution, friction: rng.pick(&[0.0, 0.0, 0.25, 1.0, 100.0]) }
}

/// The closed form without rounding: velocities after the normal impulse, and its magnitude squared.
fn exact_response<const D: usize>(
    [va, vb]: [[f64; D]; 2],
    [ma, mb]: [f64; 2],
    normal: [f64; D],
    e: f64,
) -> ([V<D>; 2], Rational) {
    let (va, vb, n) = (va.to_exact(), vb.to_exact(), normal.to_exact());
    let inverse = |m: f64| if m == 0.0 { Rational::ZERO } else { Rational::ONE / exact(m) };
    let total = inverse(ma) + inverse(mb);
    let along = (&vb - &va).dot(&n) / n.norm_squared();
    if along >= Rational::ZERO || total.is_zero() {
        return ([va, vb], Rational::ZERO);
    }
    let j = -(Rational::ONE + exact(e)) * along / total; // times n, which is not of unit length
    let impulse_squared = &j * &j * n.norm_squared();
    ([&va - &n.scaled(&(&j * inverse(ma))), &vb + &n.scaled(&(j * inverse(mb)))], impulse_squared)
}

fn matches_closed_form<const D: usize, W>(seed: u64)
where
    W: Space<Scalar = f64> + From<[f64; D]> + Into<[f64; D]>,
{
    let mut rng = Rng::new(seed);
    let mut struck = 0;
    for _ in 0..4000 {
        let (va, vb, n) = (vector::<D>(&mut rng), vector::<D>(&mut rng), direction::<D>(&mut rng));
        let (ma, mb) = (mass(&mut rng), mass(&mut rng));
        let smooth = Impact { friction: 0.0, ..impact(&mut rng) };
        let after = respond(W::from(va), W::from(vb), ma, mb, W::from(n), smooth).unwrap();
        let (truth, impulse_squared) = exact_response([va, vb], [ma, mb], n, smooth.restitution);
        for (got, truth) in [(after.velocity_a, &truth[0]), (after.velocity_b, &truth[1])] {
            let got: [f64; D] = got.into();
            let error = to_f64(&got.to_exact().distance_squared(truth)).sqrt();
            assert!(error <= 64.0 * EPS * 10.0, "{got:?} {truth:?}");
        }
        let impulse = to_f64(&impulse_squared).sqrt();
        assert!((after.impulse - impulse).abs() <= 16.0 * EPS * impulse + 1e-300, "{after:?} {impulse}");
        struck += usize::from(impulse > 0.0);
        if ma == 0.0 {
            assert_eq!(after.velocity_a, W::from(va));
        }
        if mb == 0.0 {
            assert_eq!(after.velocity_b, W::from(vb));
        }
        // A wall is a thing of mass 0.
        if mb == 0.0 && ma != 0.0 && vb == [0.0; D] {
            let bounced = bounce(W::from(va), -W::from(n), smooth.restitution).unwrap();
            assert!((bounced - after.velocity_a).max_abs() <= 16.0 * EPS * 10.0);
        }
    }
    assert!(struck > 1000, "{struck}");
}

#[test]
fn closed_form_in_the_plane() {
    matches_closed_form::<2, Vec2<f64>>(1);
}

#[test]
fn closed_form_in_space() {
    matches_closed_form::<3, Vec3<f64>>(2);
}

#[test]
fn point_masses_keep_the_laws() {
    let mut rng = Rng::new(3);
    for _ in 0..20_000 {
        let [va, vb, n] = [vector::<3>(&mut rng), vector(&mut rng), direction(&mut rng)].map(Vec3::from);
        let (ma, mb) = (mass(&mut rng), mass(&mut rng));
        let surface = impact(&mut rng);
        let after = respond(va, vb, ma, mb, n, surface).unwrap();
        let (wa, wb) = (after.velocity_a, after.velocity_b);
        let heavy = ma + mb + 1.0;
        if ma != 0.0 && mb != 0.0 {
            let momentum = (wa * ma + wb * mb) - (va * ma + vb * mb);
            assert!(momentum.max_abs() <= 64.0 * EPS * 10.0 * heavy, "{momentum:?}");
        }
        // Energy in the frame of whatever is immovable.
        let (frame_a, frame_b) = if ma == 0.0 { (va, va) } else { (vb, vb) };
        let frame = if ma == 0.0 || mb == 0.0 { frame_a } else { Vec3::new(0.0, 0.0, 0.0) };
        assert_eq!(frame_a, frame_b);
        let energy = |x: Vec3<f64>, y: Vec3<f64>| {
            0.5 * (ma * (x - frame).length_squared() + mb * (y - frame).length_squared())
        };
        let (before, now) = (energy(va, vb), energy(wa, wb));
        let slack = 256.0 * EPS * 100.0 * heavy;
        assert!(now <= before + slack, "{before} {now}");
        if surface.restitution == 1.0 && surface.friction == 0.0 {
            assert!((now - before).abs() <= slack);
        }
        // Along the normal: what comes with v goes with −e·v. Across: slower, never backwards.
        let unit = n.normalized().unwrap();
        let (came, goes) = ((vb - va).dot(unit), (wb - wa).dot(unit));
        let across = |v: Vec3<f64>| v - unit * v.dot(unit);
        let (slid, slides) = (across(vb - va), across(wb - wa));
        if came < -1e-12 && (ma != 0.0 || mb != 0.0) {
            assert!((goes + surface.restitution * came).abs() <= 64.0 * EPS * 10.0, "{came} {goes}");
            assert!(slides.dot(slid) >= -1e-12, "{slid:?} {slides:?}");
            assert!(Vector::length(slides) <= Vector::length(slid) + 64.0 * EPS * 10.0);
            // Coulomb: friction used all of its cone, or the sliding has stopped.
            let inverse = |m: f64| if m == 0.0 { 0.0 } else { 1.0 / m };
            let lost = Vector::length(slid - slides) / (inverse(ma) + inverse(mb));
            let cone = surface.friction * after.impulse;
            assert!(lost <= cone + 64.0 * EPS * 10.0 * heavy, "{lost} {cone}");
            let stopped = Vector::length(slides) <= 64.0 * EPS * 10.0;
            assert!(stopped || (lost - cone).abs() <= 64.0 * EPS * 10.0 * heavy, "{lost} {cone}");
        } else if came > 1e-12 || (ma == 0.0 && mb == 0.0) {
            assert_eq!((wa, wb, after.impulse), (va, vb, 0.0));
        }
        // Exchanged: the same to the bit.
        let other = respond(vb, va, mb, ma, -n, surface).unwrap();
        assert_eq!((other.velocity_a, other.velocity_b, other.impulse), (wb, wa, after.impulse));
    }
}

#[test]
fn powers_of_two_scale_exactly() {
    let mut rng = Rng::new(4);
    for _ in 0..3000 {
        let [va, vb, n] = [vector::<2>(&mut rng), vector(&mut rng), direction(&mut rng)].map(Vec2::from);
        let (ma, mb, surface) = (mass(&mut rng), mass(&mut rng), impact(&mut rng));
        let after = respond(va, vb, ma, mb, n, surface).unwrap();
        for (speed, weight, size) in
            [(40, 0, 0), (-40, 7, 3), (300, -300, -900), (-300, 300, 900), (0, 900, -40)]
        {
            let [speed, weight, size] = [speed, weight, size].map(power_of_two);
            let scaled =
                respond(va * speed, vb * speed, ma * weight, mb * weight, n * size, surface).unwrap();
            assert_eq!(scaled.velocity_a, after.velocity_a * speed);
            assert_eq!(scaled.velocity_b, after.velocity_b * speed);
            assert_eq!(scaled.impulse, after.impulse * speed * weight);
        }
    }
}

#[test]
fn equal_masses_exchange_their_velocities_exactly() {
    let mut rng = Rng::new(5);
    for _ in 0..1000 {
        let (u, v, m) = (rng.between(-9, 9), rng.between(-9, 9), rng.uniform(0.1, 9.0));
        let (u, v) = (f64::from(u), f64::from(v));
        assert_eq!(elastic_1d(m, m, u, v).unwrap(), (v, u));
        let perfect = Impact { restitution: 1.0, friction: 0.0 };
        let after = respond(Vec2::new(u, 3.0), [v, -1.0], m, m, [7.0, 0.0], perfect).unwrap();
        let expected = if v < u { (v, u) } else { (u, v) };
        assert_eq!((after.velocity_a.x, after.velocity_b.x), expected);
        assert_eq!((after.velocity_a.y, after.velocity_b.y), (3.0, -1.0));
    }
}

#[test]
fn elastic_collisions_on_a_line_match_the_textbook() {
    let mut rng = Rng::new(6);
    for _ in 0..3000 {
        let (ma, mb) = (1e-3 + mass(&mut rng), 1e-3 + mass(&mut rng));
        let (u, v) = (rng.uniform(-5.0, 5.0), rng.uniform(-5.0, 5.0));
        let [m, n, x, y] = [ma, mb, u, v].map(exact);
        let two = Rational::from(2);
        let truth_a = ((&m - &n) * &x + &two * &n * &y) / (&m + &n);
        let truth_b = ((&n - &m) * &y + &two * &m * &x) / (&m + &n);
        let (a, b) = elastic_1d(ma, mb, u, v).unwrap();
        assert!((a - to_f64(&truth_a)).abs() <= 8.0 * EPS * 10.0);
        assert!((b - to_f64(&truth_b)).abs() <= 8.0 * EPS * 10.0);
    }
    assert_eq!(elastic_1d(1e-320, 1e-320, 1.0, 0.0).unwrap(), (0.0, 1.0));
    assert_eq!(elastic_1d(f64::MAX, f64::MAX, 1e308, -1e308).unwrap(), (-1e308, 1e308));
    assert_eq!(elastic_1d(0.0, 0.0, 1.0, 2.0).unwrap(), (1.0, 2.0));
}

#[test]
fn mirrors_are_their_own_inverse_and_keep_lengths() {
    let mut rng = Rng::new(7);
    for _ in 0..3000 {
        let (v, n) = (Vec3::from(vector::<3>(&mut rng)), Vec3::from(direction::<3>(&mut rng)));
        let mirrored = reflect(v, n).unwrap();
        let (ve, ne) = ([v.x, v.y, v.z].to_exact(), [n.x, n.y, n.z].to_exact());
        let truth = &ve - &ne.scaled(&(Rational::from(2) * ve.dot(&ne) / ne.norm_squared()));
        let error = to_f64(&[mirrored.x, mirrored.y, mirrored.z].to_exact().distance_squared(&truth)).sqrt();
        assert!(error <= 16.0 * EPS * 10.0);
        assert!((reflect(mirrored, n).unwrap() - v).max_abs() <= 32.0 * EPS * 10.0);
    }
    assert_eq!(reflect(Vec2::new(f64::MAX, f64::MAX), [1.0, 1.0]).unwrap(), Vec2::new(-f64::MAX, -f64::MAX));
    assert_eq!(reflect(Vec2::new(3.0_f32, 4.0), [0.0, 1e-45]).unwrap(), Vec2::new(3.0, -4.0));
}

#[test]
fn corrections_separate_and_keep_the_centre_of_mass() {
    let mut rng = Rng::new(8);
    for _ in 0..3000 {
        let n = Vec2::from(direction::<2>(&mut rng));
        let (ma, mb, depth) = (mass(&mut rng), mass(&mut rng), rng.uniform(-0.5, 1.0));
        let push = positional_correction(depth, n, ma, mb, CorrectionOptions::default()).unwrap();
        let apart = (push.offset_b - push.offset_a).dot(n.normalized().unwrap());
        let expected = if ma == 0.0 && mb == 0.0 { 0.0 } else { depth.max_of(0.0) };
        assert!((apart - expected).abs() <= 8.0 * EPS);
        let centre = push.offset_a * ma + push.offset_b * mb;
        assert!(ma == 0.0 || mb == 0.0 || centre.max_abs() <= 8.0 * EPS * (ma + mb));
        let gentle = CorrectionOptions { slop: 0.25, fraction: 0.5 };
        let less = positional_correction(depth, n, ma, mb, gentle).unwrap();
        let apart = (less.offset_b - less.offset_a).dot(n.normalized().unwrap());
        let expected = if ma == 0.0 && mb == 0.0 { 0.0 } else { 0.5 * (depth - 0.25).max_of(0.0) };
        assert!((apart - expected).abs() <= 8.0 * EPS);
    }
}

/// Two rigid bodies in the plane with a contact.
fn spinning(rng: &mut Rng) -> ([Body<Vec2<f64>>; 2], Collision<Vec2<f64>>) {
    let mut body = || Body {
        mass: mass(rng),
        inverse_inertia: rng.pick(&[0.0, 1.0, 0.25, 3.0]),
        velocity: vector::<2>(rng).into(),
        angular_velocity: f64::from(rng.between(-2, 2)),
    };
    let bodies = [body(), body()];
    let collision = Collision {
        normal: direction::<2>(rng).into(),
        arm_a: vector::<2>(rng).into(),
        arm_b: vector::<2>(rng).into(),
        impact: impact(rng),
    };
    (bodies, collision)
}

#[test]
fn rigid_bodies_keep_the_laws_and_the_plane_is_a_part_of_space() {
    let mut rng = Rng::new(9);
    let mut struck = 0;
    for _ in 0..20_000 {
        let ([a, b], collision) = spinning(&mut rng);
        let after = collide(&a, &b, &collision).unwrap();
        let lift = |body: &Body<Vec2<f64>>| Body::<Vec3<f64>> {
            mass: body.mass,
            inverse_inertia: Mat3::diagonal(Vec3::new(0.0, 0.0, body.inverse_inertia)),
            velocity: body.velocity.lift(),
            angular_velocity: Vec3::new(0.0, 0.0, body.angular_velocity),
        };
        let lifted = Collision {
            normal: collision.normal.lift(),
            arm_a: collision.arm_a.lift(),
            arm_b: collision.arm_b.lift(),
            impact: collision.impact,
        };
        let in_space = collide(&lift(&a), &lift(&b), &lifted).unwrap();
        assert_eq!(in_space.velocity_a, after.velocity_a.lift());
        assert_eq!(in_space.velocity_b, after.velocity_b.lift());
        assert_eq!(in_space.angular_velocity_a.z, after.angular_velocity_a);
        assert_eq!(
            (in_space.impulse, in_space.angular_velocity_b.z),
            (after.impulse, after.angular_velocity_b)
        );

        let turned = Vec2::perpendicular;
        let contact_speed = |va: Vec2<f64>, wa: f64, vb: Vec2<f64>, wb: f64| {
            (vb + turned(collision.arm_b) * wb) - (va + turned(collision.arm_a) * wa)
        };
        let before = contact_speed(a.velocity, a.angular_velocity, b.velocity, b.angular_velocity);
        let now = contact_speed(
            after.velocity_a,
            after.angular_velocity_a,
            after.velocity_b,
            after.angular_velocity_b,
        );
        let unit = collision.normal.normalized().unwrap();
        let slack = 1e-12;
        if after.impulse == 0.0 {
            assert_eq!((after.velocity_a, after.angular_velocity_b), (a.velocity, b.angular_velocity));
            continue;
        }
        struck += 1;
        assert!(before.dot(unit) < 0.0);
        if collision.impact.friction == 0.0 {
            let expected = -collision.impact.restitution * before.dot(unit);
            assert!((now.dot(unit) - expected).abs() <= slack, "{before:?} {now:?}");
        }
        // Momentum, angular momentum about the contact, and energy, where all masses are finite.
        let push = unit * after.impulse + after.friction_impulse;
        let heavy = 1.0 + a.mass + b.mass;
        assert!(
            Vector::length(after.friction_impulse)
                <= collision.impact.friction * after.impulse + slack * heavy
        );
        for (body, sign, velocity, spin, arm) in [
            (&a, -1.0, after.velocity_a, after.angular_velocity_a, collision.arm_a),
            (&b, 1.0, after.velocity_b, after.angular_velocity_b, collision.arm_b),
        ] {
            let momentum = (velocity - body.velocity) * body.mass;
            let expected = if body.mass == 0.0 { Vec2::ZERO } else { push * sign };
            assert!((momentum - expected).max_abs() <= slack * heavy, "{momentum:?} {expected:?}");
            let turn = arm.cross(push * sign) * body.inverse_inertia;
            assert!((spin - body.angular_velocity - turn).abs() <= slack * heavy);
        }
        let immovable = a.mass == 0.0 || b.mass == 0.0;
        let stiff = a.inverse_inertia == 0.0 || b.inverse_inertia == 0.0;
        if !immovable && !stiff {
            let energy = |body: &Body<Vec2<f64>>, v: Vec2<f64>, w: f64| {
                0.5 * (body.mass * v.length_squared() + w * w / body.inverse_inertia)
            };
            let before =
                energy(&a, a.velocity, a.angular_velocity) + energy(&b, b.velocity, b.angular_velocity);
            let now = energy(&a, after.velocity_a, after.angular_velocity_a)
                + energy(&b, after.velocity_b, after.angular_velocity_b);
            assert!(now <= before + 1e-11 * heavy, "{before} {now}");
            if collision.impact == (Impact { restitution: 1.0, friction: 0.0 }) {
                assert!((now - before).abs() <= 1e-11 * heavy);
            }
        }
        let mirrored = Collision {
            normal: -collision.normal,
            arm_a: collision.arm_b,
            arm_b: collision.arm_a,
            ..collision
        };
        let other = collide(&b, &a, &mirrored).unwrap();
        assert_eq!((other.velocity_a, other.velocity_b), (after.velocity_b, after.velocity_a));
        assert_eq!((other.impulse, other.angular_velocity_a), (after.impulse, after.angular_velocity_b));
    }
    assert!(struck > 4000, "{struck}");
}

/// A ball (m, v) hits a resting rod (M, length 2h, inertia M·h²/3) at a distance d from its centre, at a
/// right angle. From momentum, angular momentum and energy: with K = 1/m + 1/M + d²/I, j = 2v/K.
#[test]
fn a_rod_hit_off_centre_turns_as_computed_by_hand() {
    for (m, big, half, d, v) in
        [(1.0, 3.0, 1.0, 1.0, 2.0), (2.0, 4.0, 1.5, 0.75, 1.0), (1.0, 12.0, 2.0, 0.0, 5.0)]
    {
        let inertia: f64 = big * half * half / 3.0;
        let j = 2.0 * v / (1.0 / m + 1.0 / big + d * d / inertia);
        let impact = Impact { restitution: 1.0, friction: 0.0 };
        let flat: CollisionResponse<Vec2<f64>> = collide(
            &Body { mass: m, velocity: Vec2::new(v, 0.0), ..Body::default() },
            &Body { mass: big, inverse_inertia: 1.0 / inertia, ..Body::default() },
            &Collision { normal: Vec2::new(1.0, 0.0), arm_a: Vec2::ZERO, arm_b: Vec2::new(0.0, d), impact },
        )
        .unwrap();
        let near = |x: f64, y: f64| assert!((x - y).abs() <= 8.0 * EPS * 10.0, "{x} {y}");
        near(flat.impulse, j);
        near(flat.velocity_a.x, v - j / m);
        near(flat.velocity_b.x, j / big);
        near(flat.angular_velocity_b, -d * j / inertia);

        // The same rod along z, in space: it turns about y.
        let spatial = collide(
            &Body { mass: m, velocity: Vec3::new(v, 0.0, 0.0), ..Body::default() },
            &Body {
                mass: big,
                inverse_inertia: Mat3::diagonal(Vec3::new(1.0 / inertia, 1.0 / inertia, 0.0)),
                ..Body::default()
            },
            &Collision {
                normal: Vec3::new(1.0, 0.0, 0.0),
                arm_a: Vec3::ZERO,
                arm_b: Vec3::new(0.0, 0.0, d),
                impact,
            },
        )
        .unwrap();
        near(spatial.angular_velocity_b.y, d * j / inertia);
        near(spatial.velocity_b.x, j / big);
        near(spatial.angular_velocity_b.x, 0.0);
    }
}

/// A disc (I = m·r²/2) that spins on rough ground: friction that stops the sliding leaves a third of
/// the surface speed as speed, as K(t) = 1/m + r²/I = 3/m.
#[test]
fn friction_turns_spinning_into_rolling() {
    let disc =
        Body { mass: 2.0, inverse_inertia: 1.0, velocity: Vec2::new(0.0, -1.0), angular_velocity: -0.75 };
    let collision = Collision {
        normal: Vec2::new(0.0, -1.0),
        arm_a: Vec2::new(0.0, -1.0),
        arm_b: Vec2::ZERO,
        impact: Impact { restitution: 0.0, friction: 10.0 },
    };
    let after = collide(&disc, &Body::default(), &collision).unwrap();
    assert!((after.velocity_a.x - 0.25).abs() <= EPS, "{after:?}");
    assert!((after.angular_velocity_a + 0.25).abs() <= EPS, "{after:?}");
}

#[test]
fn bad_input_is_named() {
    let (still, n) = (Vec2::new(0.0, 0.0), [1.0, 0.0]);
    let plain = Impact::default();
    let error = |result: Result<carom_dynamics::Response<Vec2<f64>>, Error>| result.unwrap_err();
    assert_eq!(
        error(respond(still, still, -1.0, 1.0, n, plain)),
        Error::Negative { what: "mass_a", value: -1.0 }
    );
    assert_eq!(
        error(respond(still, still, 1.0, -2.0, n, plain)),
        Error::Negative { what: "mass_b", value: -2.0 }
    );
    assert_eq!(
        error(respond(still, still, 1.0, 1.0, [0.0, 0.0], plain)),
        Error::ZeroDirection { what: "normal" }
    );
    let bouncy = Impact { restitution: 1.5, friction: 0.0 };
    assert_eq!(
        error(respond(still, still, 1.0, 1.0, n, bouncy)),
        Error::AboveOne { what: "restitution", value: 1.5 }
    );
    let slippery = Impact { restitution: 1.0, friction: -0.5 };
    assert_eq!(
        error(respond(still, still, 1.0, 1.0, n, slippery)),
        Error::Negative { what: "friction", value: -0.5 }
    );
    let infinite = respond(still, [f64::INFINITY, 0.0], 1.0, 1.0, n, plain);
    assert_eq!(error(infinite), Error::NotFinite { what: "velocity_b", value: f64::INFINITY });
    // Indefinite along the lever, although the diagonal is not negative.
    let twisted =
        Mat3 { columns: [Vec3::new(1.0, 2.0, 0.0), Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)] };
    let body = Body::<Vec3<f64>> { mass: 1.0, inverse_inertia: twisted, ..Body::default() };
    let collision = Collision {
        normal: Vec3::new(0.0, 0.0, 1.0),
        arm_a: Vec3::new(1.0, 1.0, 0.0),
        arm_b: Vec3::ZERO,
        impact: plain,
    };
    let result = collide(&body, &body, &collision);
    assert!(matches!(result, Err(Error::Negative { what: "inverse_inertia_a", .. })), "{result:?}");
}

#[test]
fn any_numbers_are_answered() {
    let mut rng = Rng::new(10);
    for _ in 0..60_000 {
        let mut x = || any_bits(&mut rng);
        let mut v = || Vec3::new(x(), x(), x());
        let (va, vb, n, arm_a, arm_b, spin) = (v(), v(), v(), v(), v(), v());
        let inertia = Mat3 { columns: [v(), v(), v()] };
        let mut share = || if rng.one_in(2) { rng.unit() } else { any_bits(&mut rng) };
        let impact = Impact { restitution: share(), friction: share() };
        let (ma, mb) = (share(), share());
        let finite = |v: Vec3<f64>| v.finite();
        if let Ok(after) = respond(va, vb, ma, mb, n, impact) {
            assert!(finite(after.velocity_a) && finite(after.velocity_b) && after.impulse >= 0.0);
        }
        let a = Body { mass: ma, inverse_inertia: inertia, velocity: va, angular_velocity: spin };
        let b = Body {
            mass: mb,
            inverse_inertia: Mat3::diagonal(arm_b.abs_by_axis()),
            velocity: vb,
            angular_velocity: n,
        };
        if let Ok(after) = collide(&a, &b, &Collision { normal: n, arm_a, arm_b, impact }) {
            assert!(finite(after.velocity_a) && finite(after.angular_velocity_b), "{after:?}");
            assert!(
                finite(after.velocity_b)
                    && finite(after.angular_velocity_a)
                    && finite(after.friction_impulse)
            );
        }
        let _ = (reflect(va, n), bounce(va, n, impact.restitution), elastic_1d(ma, mb, va.x, vb.x));
        let options = CorrectionOptions { slop: impact.friction, fraction: impact.restitution };
        let _ = positional_correction(va.x, n, ma, mb, options);
        let mut y = || any_bits_f32(&mut rng);
        let small = respond(
            Vec2::new(y(), y()),
            [y(), y()],
            y(),
            y(),
            [y(), y()],
            Impact { restitution: 0.5, friction: y() },
        );
        if let Ok(after) = small {
            assert!(after.velocity_a.finite() && after.velocity_b.finite() && after.impulse.finite());
        }
    }
}

#[test]
fn single_precision_is_the_rounded_double_answer() {
    let mut rng = Rng::new(11);
    for _ in 0..3000 {
        let [va, vb, n] = [vector::<2>(&mut rng), vector(&mut rng), direction(&mut rng)]
            .map(|v| Vec2::new(v[0] as f32, v[1] as f32));
        let (ma, mb) = (mass(&mut rng) as f32, mass(&mut rng) as f32);
        let narrow = Impact { restitution: rng.unit() as f32, friction: 0.5 };
        let wide = Impact { restitution: narrow.restitution.to_f64(), friction: 0.5 };
        let a = respond(va, vb, ma, mb, n, narrow).unwrap();
        let b = respond(va.widen(), vb.widen(), ma.into(), mb.into(), n.widen(), wide).unwrap();
        assert_eq!((a.velocity_a, a.impulse), (Vec2::narrow(b.velocity_a), b.impulse as f32));
    }
}
