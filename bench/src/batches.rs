//! Many pairs at once: the pairs of [`crate::pairs`], as a broad phase has them, through the lanes and one by one.
//!
//! Two arrays of bodies, 2,000 shapes and poses each, and a list of index pairs. The rows: the batch with
//! the widest lanes at hand; Parry, one by one; Carom one by one, on the same arrays; the batch with AVX2 only, with
//! what every processor has, and in `f64`.

use crate::harness::{Case, Engine, Report};
use crate::pairs::{PAIRS, PARRY, plane, space};
use carom_geometry::batch::IndexedPairs;
use carom_math::Level;

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    in_space::run(report);
    in_plane::run(report);
}

fn engine<'a>(name: &'static str, run: impl FnMut() -> f64 + 'a) -> Engine<'a> {
    Engine { name, version: env!("CARGO_PKG_VERSION"), run: Box::new(run) }
}

/// The level without AVX-512, if there is one.
fn avx2() -> Level {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Level::new().as_avx2() {
        return Level::Avx2(avx2);
    }
    Level::new()
}

macro_rules! suite {
    ($dimension:literal, $carom:ident, $parry:ident, $pairs:ident) => {
        use super::*;
        use carom_geometry::$carom;
        use $parry::query;

        pub(super) fn run(report: &mut Report) {
            for kinds in [
                ["ball", "ball"],
                ["ball", "box"],
                ["ball", "capsule"],
                ["capsule", "capsule"],
                ["capsule", "box"],
                ["box", "box"],
            ] {
                $pairs::with_pairs(kinds, |pairs| {
                    intersects(report, &format!("{}-{}/intersects batch", kinds[0], kinds[1]), pairs);
                    contact(report, &format!("{}-{}/contact batch", kinds[0], kinds[1]), pairs);
                });
            }
        }

        fn hits(answers: &[Option<bool>]) -> f64 {
            // Summed, not branched on: whether a pair touches is a coin toss.
            f64::from(answers.iter().map(|answer| u32::from(*answer == Some(true))).sum::<u32>())
        }

        fn intersects(report: &mut Report, name: &str, pairs: &$pairs::Pairs<'_>) {
            let shapes_a: Vec<_> = pairs.carom.iter().map(|p| p.a.clone()).collect();
            let shapes_b: Vec<_> = pairs.carom.iter().map(|p| p.b.clone()).collect();
            let wide_a: Vec<_> = pairs.wide.iter().map(|p| p.a.clone()).collect();
            let wide_b: Vec<_> = pairs.wide.iter().map(|p| p.b.clone()).collect();
            let poses_a: Vec<_> = pairs.carom.iter().map(|p| p.pose_a).collect();
            let poses_b: Vec<_> = pairs.carom.iter().map(|p| p.pose_b).collect();
            let wide_poses_a: Vec<_> = pairs.wide.iter().map(|p| p.pose_a).collect();
            let wide_poses_b: Vec<_> = pairs.wide.iter().map(|p| p.pose_b).collect();
            let indices: Vec<[u32; 2]> = (0..PAIRS as u32).map(|k| [k, k]).collect();
            let narrow = IndexedPairs::between((&shapes_a, &poses_a), (&shapes_b, &poses_b), &indices);
            let wide = IndexedPairs::between((&wide_a, &wide_poses_a), (&wide_b, &wide_poses_b), &indices);
            let mut answers = vec![None; PAIRS];
            let batch = |level: Level| {
                let (pairs, mut answers) = (&narrow, answers.clone());
                move || {
                    let done = $carom::intersects_batch_at(level, pairs, &mut answers);
                    done.map_or(-1.0, |()| hits(&answers))
                }
            };
            let mut engines = vec![
                engine("carom", batch(Level::new())),
                Engine {
                    name: "parry",
                    version: PARRY,
                    run: Box::new(|| {
                        pairs
                            .parry
                            .iter()
                            .map(|p| query::intersection_test(&p.pose_a, &**p.a, &p.pose_b, &**p.b))
                            .map(|answer| f64::from(u8::from(answer.is_ok_and(|i| i.intersecting))))
                            .sum()
                    }),
                },
                engine(
                    "carom-one",
                    (|| {
                        let ask = |&[i, j]: &[u32; 2]| {
                            let (i, j) = (i as usize, j as usize);
                            $carom::intersects(&shapes_a[i], poses_a[i], &shapes_b[j], poses_b[j])
                        };
                        indices
                            .iter()
                            .map(ask)
                            .map(|answer| f64::from(u8::from(matches!(answer, Ok(true)))))
                            .sum()
                    }),
                ),
                engine("carom-avx2", batch(avx2())),
                engine("carom-base", batch(Level::baseline())),
            ];
            engines.push(engine(
                "carom-f64",
                (|| $carom::intersects_batch(&wide, &mut answers).map_or(-1.0, |()| hits(&answers))),
            ));
            let case = Case { name: name.into(), dimension: $dimension, precision: "f32", questions: PAIRS };
            report.case(&case, engines);
        }

        fn contact(report: &mut Report, name: &str, pairs: &$pairs::Pairs<'_>) {
            let shapes_a: Vec<_> = pairs.carom.iter().map(|p| p.a.clone()).collect();
            let shapes_b: Vec<_> = pairs.carom.iter().map(|p| p.b.clone()).collect();
            let poses_a: Vec<_> = pairs.carom.iter().map(|p| p.pose_a).collect();
            let poses_b: Vec<_> = pairs.carom.iter().map(|p| p.pose_b).collect();
            let indices: Vec<[u32; 2]> = (0..PAIRS as u32).map(|k| [k, k]).collect();
            let narrow = IndexedPairs::between((&shapes_a, &poses_a), (&shapes_b, &poses_b), &indices);
            let mut answers = vec![Ok(None); PAIRS];
            let version = env!("CARGO_PKG_VERSION");
            let case = Case { name: name.into(), dimension: $dimension, precision: "f32", questions: PAIRS };
            report.case(
                &case,
                vec![
                    Engine {
                        name: "carom",
                        version,
                        run: Box::new(|| {
                            let done = $carom::contact_batch(&narrow, &mut answers);
                            done.map_or(-1.0, |()| {
                                answers.iter().filter(|a| matches!(a, Ok(Some(_)))).count() as f64
                            })
                        }),
                    },
                    Engine {
                        name: "parry",
                        version: PARRY,
                        run: Box::new(|| {
                            let answers = pairs
                                .parry
                                .iter()
                                .map(|p| query::contact(&p.pose_a, &**p.a, &p.pose_b, &**p.b, 0.0));
                            answers.filter(|a| matches!(a, Ok(Some(_)))).count() as f64
                        }),
                    },
                    Engine {
                        name: "carom-one",
                        version,
                        run: Box::new(|| {
                            let ask = |&[i, j]: &[u32; 2]| {
                                let (i, j) = (i as usize, j as usize);
                                $carom::contact(&shapes_a[i], poses_a[i], &shapes_b[j], poses_b[j])
                            };
                            indices.iter().map(ask).filter(|a| matches!(a, Ok(Some(_)))).count() as f64
                        }),
                    },
                ],
            );
        }
    };
}

mod in_space {
    suite!(3, d3, parry3d, space);
}

mod in_plane {
    suite!(2, d2, parry2d, plane);
}
