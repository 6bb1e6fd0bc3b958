//! What explanations cost: nothing to those who do not ask for them.
//!
//! The plain questions are the watched kernels with the watcher `()`, whose methods are empty. The rows
//! compare them with the same questions asked for their steps, which allocates and, where the kernel takes
//! shortcuts, carries out the textbook test as well. That the plain rows pay nothing shows in counts of
//! instructions with and without the parameter, not in times.

use crate::harness::{Case, Engine, Report};
use carom_geometry::d3::{self, explain};
use carom_math::{Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{self, Rng};

const PAIRS: usize = 500;
const VERSION: &str = env!("CARGO_PKG_VERSION");

type Pair = (d3::Shape<f32>, Pose3<f32>, d3::Shape<f32>, Pose3<f32>);

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    let hulls = pairs(|rng| {
        let points: Vec<Vec3<f32>> =
            (0..32).map(|_| Vec3::narrow(generate::unit_vector(rng).into())).collect();
        d3::ConvexHull::new(points).expect("points of a sphere").into()
    });
    let boxes = pairs(|rng| {
        let half: [f64; 3] = std::array::from_fn(|_| rng.uniform(0.5, 1.5));
        d3::Cuboid::new(half.map(|x| x as f32)).expect("positive sizes").into()
    });
    measure(
        report,
        "hull32-hull32/distance",
        &hulls,
        |(a, pa, b, pb)| d3::distance(a, *pa, b, *pb).map_or(-1.0, |found| found.distance),
        |(a, pa, b, pb)| explain::distance(a, *pa, b, *pb).map_or(-1.0, |found| found.answer.distance),
    );
    measure(
        report,
        "hull32-hull32/contact",
        &hulls,
        |(a, pa, b, pb)| d3::contact(a, *pa, b, *pb).ok().flatten().map_or(-1.0, |found| found.depth),
        |(a, pa, b, pb)| {
            let found = explain::contact(a, *pa, b, *pb).ok();
            found.and_then(|found| found.answer).map_or(-1.0, |found| found.depth)
        },
    );
    measure(
        report,
        "box-box/contact",
        &boxes,
        |(a, pa, b, pb)| d3::contact(a, *pa, b, *pb).ok().flatten().map_or(-1.0, |found| found.depth),
        |(a, pa, b, pb)| {
            let found = explain::contact(a, *pa, b, *pb).ok();
            found.and_then(|found| found.answer).map_or(-1.0, |found| found.depth)
        },
    );
}

/// Pairs of which about half overlap.
fn pairs(shape: impl Fn(&mut Rng) -> d3::Shape<f32>) -> Vec<Pair> {
    let mut rng = Rng::new(7);
    let shapes: Vec<d3::Shape<f32>> = (0..16).map(|_| shape(&mut rng)).collect();
    let place = |rng: &mut Rng, apart: f64| {
        let [x, y, z, w] = generate::unit_quaternion(rng).map(|x| x as f32);
        let at: Vec3<f64> = generate::unit_vector(rng).into();
        Pose3::new(Vec3::<f32>::narrow(at * apart), Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY))
    };
    let pair = |rng: &mut Rng| {
        let (a, b) = (shapes[rng.below(16)].clone(), shapes[rng.below(16)].clone());
        let apart = rng.uniform(0.6, 3.2);
        (a, place(rng, 0.0), b, place(rng, apart))
    };
    (0..PAIRS).map(|_| pair(&mut rng)).collect()
}

fn measure(
    report: &mut Report,
    name: &str,
    pairs: &[Pair],
    plain: impl Fn(&Pair) -> f32,
    explained: impl Fn(&Pair) -> f32,
) {
    let case = Case { name: name.into(), dimension: 3, precision: "f32", questions: PAIRS };
    let sum = |ask: &dyn Fn(&Pair) -> f32| pairs.iter().map(|pair| f64::from(ask(pair))).sum();
    let engines = vec![
        Engine { name: "carom", version: VERSION, run: Box::new(|| sum(&plain)) },
        Engine { name: "carom-explained", version: VERSION, run: Box::new(|| sum(&explained)) },
    ];
    report.case(&case, engines);
}
