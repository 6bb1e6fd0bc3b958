//! Worlds: Carom and its peers on the built-in scenes, same bodies, same step, same sub-steps, in turns.
//!
//! Every engine gets the numbers of Carom's own world before the first step ([`scene`]). Step 0 is not timed;
//! what actions do to peers is. The figures of quality are read by one reference for all engines: their poses
//! at every tenth step are put into Carom's world, which looks for contacts without moving anything.
//!
//! Rapier is always there. Box2D, Box3D and Jolt need a C compiler (Jolt also cmake and libclang):
//! `CFLAGS="-O3 -DNDEBUG" cargo run --release -p carom-bench --features box2d,box3d,jolt -- worlds`.

#![allow(
    clippy::disallowed_methods,
    reason = "what peers are given and what is printed need not have the same bits everywhere"
)]

#[cfg(feature = "box2d")]
mod box2d;
#[cfg(feature = "box3d")]
mod box3d;
#[cfg(feature = "jolt")]
mod jolt;
mod quality;
mod rapier;
mod scene;
mod tunnels;

use carom_scene::builtin::{self, Builtin, Running};
use scene::{Change, Mirror, Peer, Place};
use std::time::Instant;

pub(crate) use quality::run as quality;
pub(crate) use tunnels::run as tunnels;

/// The scenes with the steps to run, and below which height a body has fallen through the ground.
const SCENES: [(&str, usize, f32); 27] = [
    ("2d/large_pyramid", 200, -1.0),
    ("2d/many_pyramids", 60, -1.0),
    ("2d/smash", 200, f32::NEG_INFINITY),
    ("2d/compounds", 300, -1.0),
    ("2d/junkyard", 200, -1.0),
    ("2d/washer", 150, -10.0),
    ("3d/large_pyramid", 60, -1.0),
    ("3d/many_pyramids", 40, -1.0),
    ("3d/convex_pile", 100, -1.0),
    ("3d/junkyard", 60, -1.0),
    ("3d/washer", 60, -1.0),
    ("3d/large_world", 60, -1.0),
    ("3d/jolt_pyramid", 200, -1.0),
    ("3d/convex_vs_mesh", 200, -10.0),
    ("3d/trees100", 200, -10.0),
    ("2d/joint_grid", 300, f32::NEG_INFINITY),
    ("2d/tumbler", 200, f32::NEG_INFINITY),
    ("2d/spinner", 100, f32::NEG_INFINITY),
    ("2d/rain", 100, -1.0),
    ("2d/bridge", 300, f32::NEG_INFINITY),
    ("2d/ball_and_chain", 300, f32::NEG_INFINITY),
    ("2d/joint_grid_heavy", 300, f32::NEG_INFINITY),
    ("2d/stretched_chain", 300, f32::NEG_INFINITY),
    ("2d/far_chain", 300, f32::NEG_INFINITY),
    ("2d/falling_hinges", 300, -1.0),
    ("3d/joint_grid", 100, f32::NEG_INFINITY),
    ("3d/rain", 100, -1.0),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Carom,
    Rapier,
    #[cfg(feature = "box2d")]
    Box2d,
    #[cfg(feature = "box3d")]
    Box3d,
    #[cfg(feature = "jolt")]
    Jolt,
}

/// Those that were built in; Carom first.
const ENGINES: &[Engine] = &[
    Engine::Carom,
    Engine::Rapier,
    #[cfg(feature = "box2d")]
    Engine::Box2d,
    #[cfg(feature = "box3d")]
    Engine::Box3d,
    #[cfg(feature = "jolt")]
    Engine::Jolt,
];

impl Engine {
    /// Name and version, as they are printed.
    fn name(self) -> (&'static str, &'static str) {
        match self {
            Engine::Carom => ("carom", env!("CARGO_PKG_VERSION")),
            Engine::Rapier => ("rapier", "0.36"),
            #[cfg(feature = "box2d")]
            Engine::Box2d => ("box2d", "3.2-dev"),
            #[cfg(feature = "box3d")]
            Engine::Box3d => ("box3d", "0.1"),
            #[cfg(feature = "jolt")]
            Engine::Jolt => ("jolt", "5.0"),
        }
    }
    fn runs(self, is_flat: bool, threads: usize) -> bool {
        match self {
            Engine::Carom => true,
            Engine::Rapier => threads == 1,
            #[cfg(feature = "box2d")]
            Engine::Box2d => is_flat,
            #[cfg(feature = "box3d")]
            Engine::Box3d => !is_flat,
            #[cfg(feature = "jolt")]
            Engine::Jolt => !is_flat,
            #[allow(unreachable_patterns, reason = "without the C peers nobody asks for the dimension")]
            _ => is_flat,
        }
    }
}

/// What one run of a scene says.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// Milliseconds per step on the average.
    mean: f64,
    /// The longest step.
    longest: f64,
    /// In metres, at every tenth step of the second half the deepest overlap; the median of these, because a single look finds whoever
    /// has just hit something.
    deepest: f32,
    /// The widest gap of a joint at any tenth step, in metres.
    gap: f32,
    /// How far the body that moved farthest got in the second half, in metres.
    drift: f32,
    /// Bodies below the ground.
    lost: usize,
    /// Bodies whose place is not a number.
    unknown: usize,
}

/// Runs the suite and prints it.
pub(crate) fn run(is_json: bool, filter: &str, repeats: usize, threads: &[usize]) {
    if !is_json {
        println!(
            "{:<20} {:>7} {:<7} {:>9} {:>9} {:>9} {:>11} {:>10} {:>5} {:>4}",
            "scene",
            "threads",
            "engine",
            "min ms",
            "median",
            "longest",
            "carom/peer",
            "deepest mm",
            "lost",
            "NaN"
        );
    }
    // Per dimension, the ratios to the fastest peer.
    let mut ratios: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for (name, steps, ground) in SCENES.into_iter().filter(|(name, ..)| name.contains(filter)) {
        let Some(scene) = builtin::find(name) else { continue };
        let is_flat = name.starts_with("2d");
        for &threads in threads {
            let engines: Vec<_> =
                ENGINES.iter().copied().filter(|engine| engine.runs(is_flat, threads)).collect();
            let mut outcomes = vec![Vec::new(); engines.len()];
            for repeat in 0..repeats.clamp(1, 9) {
                // The engines take turns in being first.
                for turn in 0..engines.len() {
                    let k = (repeat + turn) % engines.len();
                    outcomes[k].extend(outcome(engines[k], scene, steps, threads, ground));
                }
            }
            for outcomes in &mut outcomes {
                outcomes.sort_by(|a: &Outcome, b| a.mean.total_cmp(&b.mean));
            }
            let Some(ours) = outcomes[0].first().copied() else { continue };
            let fastest = outcomes[1..].iter().filter_map(|o| o.first()).map(|o| o.mean);
            let fastest = fastest.fold(f64::INFINITY, f64::min);
            if fastest.is_finite() {
                ratios[usize::from(!is_flat)].push(ours.mean / fastest);
            }
            for (engine, outcomes) in engines.iter().zip(&outcomes) {
                let Some(best) = outcomes.first() else { continue };
                let median = outcomes[outcomes.len() / 2].mean;
                let (engine, version) = engine.name();
                if is_json {
                    println!(
                        "{{\"suite\": \"worlds\", \"case\": \"{name}\", \"engine\": \"{engine}\", \"version\": \"{version}\", \
                         \"dim\": {}, \"precision\": \"f32\", \"threads\": {threads}, \"unit\": \"ms_per_step\", \"min\": {:.5}, \
                         \"median\": {median:.5}, \"quality\": {{\"worst_penetration\": {}, \"worst_anchor_gap\": {}, \"lost\": {}, \"nan\": {}}}}}",
                        &name[..1],
                        best.mean,
                        best.deepest,
                        best.gap,
                        best.lost,
                        best.unknown
                    );
                } else {
                    println!(
                        "{name:<20} {threads:>7} {engine:<7} {:>9.3} {median:>9.3} {:>9.3} {:>11.2} {:>10.2} {:>8.2} {:>5} {:>4}",
                        best.mean,
                        best.longest,
                        ours.mean / best.mean,
                        1e3 * best.deepest,
                        1e3 * best.gap,
                        best.lost,
                        best.unknown
                    );
                }
            }
        }
    }
    if !is_json {
        for (dimension, ratios) in ["2d", "3d"].into_iter().zip(&ratios) {
            if !ratios.is_empty() {
                let sum: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
                let mean = (sum / ratios.len() as f64).exp();
                println!(
                    "{dimension}: {mean:.2} of the fastest peer's time, geometric mean of {} rows",
                    ratios.len()
                );
            }
        }
    }
}

fn outcome(engine: Engine, scene: &Builtin, steps: usize, threads: usize, ground: f32) -> Option<Outcome> {
    let running = prepared(scene)?;
    let Run { times, places, looks, mirror } = match engine {
        Engine::Carom => carom(running, steps, threads)?,
        _ => peer(engine, running, steps, threads, usize::MAX)?,
    };
    let timed = times.get(1..).unwrap_or_default();
    let is_known = |place: &&Place| place.at.iter().chain(&place.turn).all(|number| number.is_finite());
    let mut overlaps: Vec<_> = looks[looks.len() / 2..].iter().map(|places| mirror.deepest(places)).collect();
    overlaps.sort_by(f32::total_cmp);
    let deepest = overlaps.get(overlaps.len() / 2).copied().unwrap_or_default();
    let gap = looks.iter().map(|places| mirror.widest(places)).fold(0.0, f32::max);
    let half = looks.get(looks.len() / 2).map_or(&[][..], |places| places);
    let moved = half.iter().zip(&places).map(|(before, after)| {
        before
            .at
            .iter()
            .zip(after.at)
            .map(|(before, after)| (after - before) * (after - before))
            .sum::<f32>()
            .sqrt()
    });
    Some(Outcome {
        drift: moved.fold(0.0, f32::max),
        mean: timed.iter().sum::<f64>() / timed.len().max(1) as f64,
        longest: timed.iter().copied().fold(0.0, f64::max),
        deepest,
        gap,
        lost: places.iter().filter(|place| place.at[1] < ground).count(),
        unknown: places.len() - places.iter().filter(is_known).count(),
    })
}

/// How an engine did.
struct Run {
    /// Milliseconds of each step.
    times: Vec<f64>,
    /// Where the bodies end.
    places: Vec<Place>,
    /// Where they were at every tenth step: what swings or has just hit something is found anyhow by a look at the end alone.
    looks: Vec<Vec<Place>>,
    /// What measures overlaps and gaps.
    mirror: Mirror,
}

/// Every so many steps there is a look at where bodies are.
const LOOK: usize = 10;

/// A scene as it is timed. Rain when all of it has appeared, without the action that would take some of it away again.
fn prepared(scene: &Builtin) -> Option<Running> {
    let mut running = scene.start().ok()?;
    if scene.name.ends_with("/rain") {
        let steps = if scene.name.starts_with("2d") { 320 } else { 300 };
        (0..steps).try_for_each(|_| running.step()).ok()?;
        match &mut running {
            Running::Flat { action, .. } => *action = None,
            Running::Solid { action, .. } => *action = None,
        }
    }
    Some(running)
}

fn carom(mut running: Running, steps: usize, threads: usize) -> Option<Run> {
    running.set_threads(threads);
    let (mut times, mut looks) = (Vec::with_capacity(steps), Vec::new());
    for step in 0..steps {
        let start = Instant::now();
        let _ = running.step();
        times.push(1e3 * start.elapsed().as_secs_f64());
        if step % LOOK == LOOK - 1 {
            looks.push(scene::places(&running));
        }
    }
    let places = scene::places(&running);
    Some(Run { times, places, looks, mirror: Mirror::new(running)?.1 })
}

/// What moves among the bodies from `bullets` on is as careful as the engine knows.
fn peer(engine: Engine, running: Running, steps: usize, threads: usize, bullets: usize) -> Option<Run> {
    let is_flat = matches!(running, Running::Flat { .. });
    let (mut data, mut mirror) = Mirror::new(running)?;
    for body in data.bodies.iter_mut().skip(bullets) {
        body.is_bullet = body.kind == scene::Kind::Dynamic;
    }
    let mut peer: Box<dyn Peer> = match engine {
        Engine::Carom => return None,
        Engine::Rapier => rapier::build(&data, is_flat),
        #[cfg(feature = "box2d")]
        Engine::Box2d => Box::new(box2d::World::new(&data, threads)),
        #[cfg(feature = "box3d")]
        Engine::Box3d => Box::new(box3d::World::new(&data, threads)),
        #[cfg(feature = "jolt")]
        // Its C layer has neither meshes nor joints.
        Engine::Jolt if data.has_meshes_or_joints() => return None,
        #[cfg(feature = "jolt")]
        Engine::Jolt => Box::new(jolt::World::new(&data, threads)),
    };
    let _ = threads;
    let mut count = data.bodies.len();
    let (mut times, mut looks) = (Vec::with_capacity(steps), Vec::new());
    for step in 0..steps {
        let changes = mirror.act(&*peer);
        let start = Instant::now();
        for change in &changes {
            match change {
                Change::Velocities(body, velocity, angular) => {
                    peer.set_velocities(*body, *velocity, *angular)
                }
                Change::Add(body) => {
                    peer.add(body);
                    count += 1;
                }
            }
        }
        peer.step();
        times.push(1e3 * start.elapsed().as_secs_f64());
        if step % LOOK == LOOK - 1 {
            looks.push((0..count).map(|body| peer.place(body)).collect());
        }
    }
    let places = (0..count).map(|body| peer.place(body)).collect();
    Some(Run { times, places, looks, mirror })
}
