use super::super::{Block, Cloud, Cone, Cylinder, Ellipsoid, Posed, Status, Support};
use super::{apart, deep};
use carom_math::{Quat, Vec2, Vec3, Vector};
use carom_oracle::generate::{self, Rng};

type P3 = Vec3<f64>;

fn turned<C>(core: C, q: [f64; 4], t: P3) -> Posed<C, P3> {
    let m = Quat::new(q[0], q[1], q[2], q[3]).unwrap().to_matrix();
    Posed::new(core, &m.columns, t)
}

/// Least overlap over many directions, then downhill: independent of the kernel's own search.
fn swept_overlap(a: &impl Support<P3>, b: &impl Support<P3>) -> f64 {
    let overlap = |n: P3| {
        let n = n.normalized().unwrap();
        n.dot(a.support(n).0 - b.support(-n).0)
    };
    let count = 1_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let mut starts: Vec<(f64, P3)> = (0..count)
        .map(|i| {
            let y = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let r = (1.0 - y * y).sqrt();
            let (s, c) = (golden * f64::from(i)).sin_cos();
            let n = Vec3::new(r * c, y, r * s);
            (overlap(n), n)
        })
        .collect();
    starts.sort_by(|x, y| x.0.total_cmp(&y.0));
    starts.truncate(3);
    starts
        .into_iter()
        .map(|(mut best, mut n)| {
            let mut step = 0.02;
            while 1e-9 < step {
                let mut improved = false;
                for k in 0..16 {
                    let (s, c) = (f64::from(k) * std::f64::consts::PI / 8.0).sin_cos();
                    let u = if n.x.abs() < 0.6 { n.cross(Vec3::unit(0)) } else { n.cross(Vec3::unit(1)) }
                        .normalized()
                        .unwrap();
                    let candidate = (n + (u * c + n.cross(u) * s) * step).normalized().unwrap();
                    let h = overlap(candidate);
                    if h < best {
                        (best, n) = (h, candidate);
                        improved = true;
                        break;
                    }
                }
                if !improved {
                    step *= 0.5;
                }
            }
            best
        })
        .fold(f64::INFINITY, f64::min)
}

struct Stats {
    worst: [f64; 4],
    most: [u32; 2],
}

fn compare(what: &str, a: &impl Support<P3>, b: &impl Support<P3>, stats: &mut Stats) {
    let size = a.size() + b.size();
    let found = apart(a, b);
    let truth = -swept_overlap(a, b);
    stats.most[0] = stats.most[0].max(found.iterations);
    if truth > 0.0 {
        let e = (found.distance - truth).abs() / size;
        if found.distance < truth - 1e-13 * size
            || found.upper - found.lower > 1e-12 * size
            || found.upper < truth
        {
            eprintln!(
                "{what} dist {:?} {} [{} {}] {truth} it {}",
                found.status, found.distance, found.lower, found.upper, found.iterations
            );
        }
        stats.worst[0] = stats.worst[0].max(e);
        stats.worst[1] = stats.worst[1].max((found.upper - found.lower) / size);
    }
    if matches!(found.status, Status::Overlap | Status::Touching) {
        let found = deep(a, b);
        let e = (found.depth - -truth).abs() / size;
        if found.upper - found.lower > 1e-9 * size
            || found.lower > -truth
            || found.depth > -truth + 2e-11 * size
        {
            eprintln!(
                "{what} depth {} [{} {}] {} it {}",
                found.depth, found.lower, found.upper, -truth, found.iterations
            );
        }
        stats.worst[2] = stats.worst[2].max(e);
        stats.worst[3] = stats.worst[3].max((found.upper - found.lower) / size);
        stats.most[1] = stats.most[1].max(found.iterations);
    }
}

#[test]
fn curved_pairs() {
    let mut rng = Rng::new(7);
    let mut stats = Stats { worst: [0.0; 4], most: [0; 2] };
    for case in 0..200 {
        let l = |rng: &mut Rng| rng.pick(&[0.1, 0.5, 1.0, 2.0, 0.7]);
        let spread = rng.pick(&[0.0, 0.3, 1.0, 3.0]);
        let mut t = || {
            if case % 5 == 0 {
                generate::lattice_point(&mut rng)
            } else {
                std::array::from_fn(|_| rng.uniform(-spread, spread))
            }
        };
        let [x, y, z]: [f64; 3] = t();
        let t = Vec3::new(x, y, z);
        let q = if case % 3 == 0 {
            generate::cube_rotation(&mut rng)
        } else {
            generate::unit_quaternion(&mut rng)
        };
        let e1 = Ellipsoid(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        let e2 = Ellipsoid(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        let cy = Cylinder { half_height: l(&mut rng), radius: l(&mut rng) };
        let co = Cone { half_height: l(&mut rng), radius: l(&mut rng) };
        let bl = Block(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        compare("ell-ell", &e1, &turned(e2, q, t), &mut stats);
        compare("ell-box", &e1, &turned(bl, q, t), &mut stats);
        compare("cyl-box", &cy, &turned(bl, q, t), &mut stats);
        compare(
            "cyl-cyl",
            &cy,
            &turned(Cylinder { half_height: l(&mut rng), radius: l(&mut rng) }, q, t),
            &mut stats,
        );
        compare("cone-box", &co, &turned(bl, q, t), &mut stats);
        compare("cone-cyl", &co, &turned(cy, q, t), &mut stats);
        compare(
            "cone-cone",
            &co,
            &turned(Cone { half_height: l(&mut rng), radius: l(&mut rng) }, q, t),
            &mut stats,
        );
    }
    eprintln!("{:?} {:?}", stats.worst, stats.most);
}
#[test]
fn gap_stats() {
    let mut rng = Rng::new(77);
    let mut hist = [0u32; 140];
    let mut histe = [0u32; 600];
    let mut big = 0;
    for case in 0..20000 {
        let l = |rng: &mut Rng| {
            if case % 4 == 0 {
                rng.pick(&[0.001, 0.1, 1.0, 100.0])
            } else {
                rng.pick(&[0.1, 0.5, 1.0, 2.0, 0.7])
            }
        };
        let spread = rng.pick(&[0.0, 0.3, 1.0, 3.0]);
        let mut t = || {
            if case % 5 == 0 {
                generate::lattice_point(&mut rng)
            } else {
                std::array::from_fn(|_| rng.uniform(-spread, spread))
            }
        };
        let [x, y, z]: [f64; 3] = t();
        let t = Vec3::new(x, y, z);
        let q = if case % 3 == 0 {
            generate::cube_rotation(&mut rng)
        } else {
            generate::unit_quaternion(&mut rng)
        };
        let e1 = Ellipsoid(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        let e2 = Ellipsoid(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        let cy = Cylinder { half_height: l(&mut rng), radius: l(&mut rng) };
        let co = Cone { half_height: l(&mut rng), radius: l(&mut rng) };
        let bl = Block(Vec3::new(l(&mut rng), l(&mut rng), l(&mut rng)));
        let mut go = |what: &str,
                      found: super::super::Proximity<P3>,
                      size: f64,
                      d: &dyn Fn() -> super::super::Penetration<P3>| {
            hist[found.iterations as usize] += 1;
            if found.upper - found.lower > 1e-12 * size && big < 30 {
                big += 1;
                eprintln!(
                    "{case} {what} {:?} {:e} gap {:e} it {} size {size} n {}",
                    found.status,
                    found.distance,
                    (found.upper - found.lower) / size,
                    found.iterations,
                    found.simplex.vertices().len()
                );
            }
            if found.status != Status::Closest && case % 8 == 0 {
                let e = d();
                histe[e.iterations as usize] += 1;
                if !(e.upper - e.lower <= 0.02 * size) || !(e.depth >= -1e-13 * size) {
                    eprintln!("{case} {what} depth {} {} {} it {}", e.depth, e.lower, e.upper, e.iterations);
                }
            }
        };
        macro_rules! go {
            ($w:expr, $a:expr, $b:expr) => {{
                let b = turned($b, q, t);
                go($w, apart(&$a, &b), $a.size() + b.size(), &|| deep(&$a, &b));
            }};
        }
        go!("ell-ell", e1, e2);
        if case == 18020 || case == 16345 {
            let b = turned(bl, q, t);
            eprintln!("{e1:?} {b:?}");
            super::super::distance(&e1, &b, None, f64::INFINITY, &mut Pr);
        }
        go!("ell-box", e1, bl);
        go!("cyl-box", cy, bl);
        go!("cyl-cyl", cy, Cylinder { half_height: l(&mut rng), radius: l(&mut rng) });
        go!("cone-box", co, bl);
        go!("cone-cyl", co, cy);
    }
    eprintln!("{:?}", hist);
    eprintln!("{:?}", histe);
}

struct Pr;
impl super::super::Trace<P3> for Pr {
    fn simplex(&mut self, points: &[P3], lower: f64, upper: f64) {
        eprintln!("simplex {points:?} {lower} {upper}");
    }
    fn axis(&mut self, d: P3, h: f64) {
        eprintln!("axis {d:?} {h}");
    }
}
