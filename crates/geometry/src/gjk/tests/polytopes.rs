use super::super::{Cloud, Status};
use super::{FromArray, apart, deep, vectors};
use carom_math::{Vec2, Vec3, Vector};
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{sqrt_bounds, sqrt_error};

/// Two point sets in one of many relations.
fn pair<const D: usize>(rng: &mut Rng) -> [Vec<[f64; D]>; 2] {
    let (n, m) = (1 + rng.below(12), 1 + rng.below(12));
    let a: Vec<[f64; D]> = generate::points(rng, n);
    let mut b: Vec<[f64; D]> = generate::points(rng, m);
    match rng.below(10) {
        0 => b = a.clone(),
        1 => b = a.iter().map(|p| p.map(|x| x * 0.5)).collect(),
        2 => b = a.iter().map(|p| p.map(|x| -x)).collect(),
        3 => {
            // A common vertex.
            let shift: [f64; D] = std::array::from_fn(|i| a[0][i] - b[0][i]);
            b.iter_mut().for_each(|p| *p = std::array::from_fn(|i| p[i] + shift[i]));
        }
        4 => {
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            return [box_a.corners(), box_b.corners()];
        }
        5 => {
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            let mut corners = box_b.corners();
            generate::nudge_one(rng, &mut corners);
            return [box_a.corners(), corners];
        }
        6 => {
            // Slabs.
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            let (axis, factor) = (rng.below(D), rng.pick(&[1e-6, 1e6, 1e-3]));
            let press = |points: Vec<[f64; D]>| {
                points.into_iter().map(|mut p| { p[axis] *= factor; p }).collect()
            };
            return [press(box_a.corners()), if rng.one_in(2) { press(box_b.corners()) } else { b }];
        }
        _ => {}
    }
    [a, b]
}

fn check<V: FromArray<D>, const D: usize>(seed: u64, cases: usize) {
    let mut rng = Rng::new(seed);
    let mut worst = [0.0_f64; 4];
    let mut most = [0, 0];
    for case in 0..cases {
        let [a, b] = pair::<D>(&mut rng);
        let (exact_a, exact_b) = (Convex::hull(&a), Convex::hull(&b));
        let (va, vb): (Vec<V>, Vec<V>) = (vectors(&a), vectors(&b));
        let (a, b) = (Cloud::new(&va), Cloud::new(&vb));
        let size = va.iter().chain(&vb).fold(0.0_f64, |m, p| m.max(p.length()));
        if size < 1e-40 { continue; }
        let found = apart(&a, &b);
        let squared = exact_a.distance_squared(&exact_b);
        let [low, high] = sqrt_bounds(&squared);
        let error = sqrt_error(found.distance, &squared) / size;
        if error > 1e-13 || found.upper - found.lower > 1e-12*size { eprintln!("case {case} dist err {error:e} {} {} {} {} truth {low}\n{va:?}\n{vb:?}", found.lower, found.upper, found.iterations, found.normal.get(0)); }
        if !(found.lower <= high && low <= found.upper) { eprintln!("case {case} BOUNDS {} {} {} {} truth {low}\n{va:?}\n{vb:?}", found.lower, found.upper, found.iterations, found.normal.get(0)); }
        worst[0] = worst[0].max(error);
        worst[1] = worst[1].max((found.upper - found.lower) / size);
        most[0] = most[0].max(found.iterations);
        let overlap = matches!(found.status, Status::Touching | Status::Overlap);
        let truly = low == 0.0;
        if truly && !overlap && found.distance > 0.0 { eprintln!("case {case} status {:?} {}", found.status, found.distance/size); }
        if overlap {
            let depth_squared = exact_a.depth_squared(&exact_b).unwrap_or_default();
            let [low, high] = sqrt_bounds(&depth_squared);
            let found = deep(&a, &b);
            if !found.depth.is_finite() {eprintln!("{found:?} {va:?} {vb:?}");}
            let error = sqrt_error(found.depth.max(0.0), &depth_squared) / size;
            if error > 1e-12 { eprintln!("case {case} depth err {error:e} {} {} {} {} truth {low} \n{va:?}\n{vb:?}", found.lower, found.upper, found.iterations, found.depth); }
            if !(found.lower <= high && low <= found.upper) { eprintln!("case {case} DEPTH BOUNDS {} {} {} {} truth {low}", found.lower, found.upper, found.iterations, found.depth); }
            worst[2] = worst[2].max(error);
            worst[3] = worst[3].max((found.upper - found.lower) / size);
            most[1] = most[1].max(found.iterations);
        }
    }
    eprintln!("{worst:?} {most:?}");
}

#[test]
fn polygons_agree_with_exact_answers() {
    check::<Vec2<f64>, 2>(1, 20000);
}

#[test]
fn polyhedra_agree_with_exact_answers() {
    check::<Vec3<f64>, 3>(2, 20000);
}

struct P;
impl super::super::Trace<Vec3<f64>> for P {
    fn simplex(&mut self, points: &[Vec3<f64>], lower: f64, upper: f64) { eprintln!("simplex {points:?} {lower} {upper}"); }
    fn axis(&mut self, d: Vec3<f64>, h: f64) { eprintln!("axis {d:?} {h}"); }
}
#[test]
fn debug_case() {
    let a = [Vec3 { x: 2.0, y: -1000000.0, z: 0.5 }, Vec3 { x: 2.5, y: -1000000.0, z: 0.5 }, Vec3 { x: 2.0, y: 0.0, z: 0.5 }, Vec3 { x: 2.5, y: 0.0, z: 0.5 }, Vec3 { x: 2.0, y: -1000000.0, z: 1.0 }, Vec3 { x: 2.5, y: -1000000.0, z: 1.0 }, Vec3 { x: 2.0, y: 0.0, z: 1.0 }, Vec3 { x: 2.5, y: 0.0, z: 1.0 }];
    let b = [Vec3 { x: -2.0, y: -0.5, z: -0.02 }, Vec3 { x: 2.0, y: 0.0, z: 0.01 }, Vec3 { x: -2.0, y: -0.5, z: 0.02 }, Vec3 { x: 0.0, y: 2.0, z: -0.005 }, Vec3 { x: 2.0, y: 0.5, z: 0.005 }, Vec3 { x: 0.0, y: 0.5, z: 0.02 }, Vec3 { x: 1.0, y: 0.5, z: -0.01 }, Vec3 { x: 0.0, y: -1.0, z: 0.005 }, Vec3 { x: 1.0, y: 0.5, z: 0.005 }, Vec3 { x: -2.0, y: -2.0, z: -0.005 }];
    let p = super::super::distance(&Cloud::new(&a), &Cloud::new(&b), None, f64::INFINITY, &mut P);
    eprintln!("{p:?}");
}
