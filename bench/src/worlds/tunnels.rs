//! What gets through: Jolt's HighSpeed box, whose walls are 0.4 m thick, and bullets against walls of a millimetre, surfaces
//! and each other. Every engine is at its most careful: Rapier with continuous collision for whatever is shot, Box2D and Box3D with
//! bullets (of two bullets neither looks out for the other, so what they are shot at is none), Jolt with linear casts.

use super::scene::Place;
use super::{ENGINES, Engine, Run, carom, peer};
use carom::response::Error;
use carom_oracle::generate::Rng;
use carom_scene::builtin::{self, Running};

/// How many bullets share a world.
const VOLLEY: usize = 50;
/// For how many steps they fly: the slowest arrive after seven.
const FLIGHT: usize = 30;
/// How far apart the lines are along which they are shot: a rod is up to 1.7 m long.
const LINE: f32 = 4.0;
/// How far a bullet gets aside: a rod that meets a wall with its end turns all of its speed aside.
const ASIDE: f32 = 1000.0 * FLIGHT as f32 / 60.0;

/// What bullets are shot at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// A millimetre thick.
    Wall,
    /// A segment, or a mesh that faces the bullets.
    Surface,
    /// Something of the same kind that comes the other way or waits.
    Another,
}

/// What became of the bodies of a case.
#[derive(Default)]
struct Count {
    shots: usize,
    lost: usize,
    unknown: usize,
    steps: usize,
    milliseconds: f64,
}

/// Runs the cases whose names contain the filter and prints how many bodies got through.
pub(crate) fn run(is_json: bool, filter: &str, steps: usize, bullets: usize, threads: usize) {
    if !is_json {
        println!(
            "{:<16} {:<8} {:>7} {:>9} {:>8} {:>6} {:>5}",
            "case", "engine", "steps", "mean ms", "bodies", "lost", "NaN"
        );
    }
    let report = |case: &str, is_flat: bool, count: &dyn Fn(Engine) -> Option<Count>| {
        for engine in ENGINES.iter().copied().filter(|engine| engine.runs(is_flat, threads)) {
            let (name, version) = engine.name();
            if !case.contains(filter) && !name.contains(filter) {
                continue;
            }
            let Some(Count { shots, lost, unknown, steps, milliseconds }) = count(engine) else { continue };
            let mean = milliseconds / steps.max(1) as f64;
            if is_json {
                println!(
                    "{{\"suite\": \"tunnels\", \"case\": \"{case}\", \"engine\": \"{name}\", \"version\": \"{version}\", \
                     \"threads\": {threads}, \"steps\": {steps}, \"unit\": \"ms_per_step\", \"mean\": {mean:.5}, \
                     \"quality\": {{\"bodies\": {shots}, \"lost\": {lost}, \"nan\": {unknown}}}}}"
                );
            } else {
                println!("{case:<16} {name:<8} {steps:>7} {mean:>9.3} {shots:>8} {lost:>6} {unknown:>5}");
            }
        }
    };
    for (case, target) in [
        ("bullets-wall", Target::Wall),
        ("bullets-surface", Target::Surface),
        ("bullets-other", Target::Another),
    ] {
        for is_flat in [true, false] {
            let name = format!("{}/{case}", if is_flat { "2d" } else { "3d" });
            report(&name, is_flat, &|engine| volleys(engine, target, is_flat, bullets, threads));
        }
    }
    report("3d/high_speed", false, &|engine| high_speed(engine, steps, threads));
}

/// The bodies from `bullets` on are the ones that are fast.
fn run_one(engine: Engine, running: Running, steps: usize, threads: usize, bullets: usize) -> Option<Run> {
    match engine {
        Engine::Carom => carom(running, steps, threads),
        _ => peer(engine, running, steps, threads, bullets),
    }
}

fn is_unknown(place: &&Place) -> bool {
    !place.at.iter().all(|coordinate| coordinate.is_finite())
}

/// 5,000 bodies at 250 m/s, of which some get out of their box.
fn high_speed(engine: Engine, steps: usize, threads: usize) -> Option<Count> {
    let running = builtin::find("3d/high_speed")?.start().ok()?;
    let Run { times, places, .. } = run_one(engine, running, steps, threads, 0)?;
    // The middle of the wall is 50 m away.
    let is_out = |place: &&Place| place.at.iter().any(|coordinate| coordinate.abs() > 50.2);
    Some(Count {
        // Without the walls.
        shots: places.len() - 6,
        lost: places.iter().filter(is_out).count(),
        unknown: places.iter().filter(is_unknown).count(),
        steps,
        milliseconds: times.iter().sum(),
    })
}

/// So many bullets, volley by volley.
fn volleys(engine: Engine, target: Target, is_flat: bool, bullets: usize, threads: usize) -> Option<Count> {
    let mut count = Count::default();
    for seed in 0..bullets.div_ceil(VOLLEY) {
        let mut rng = Rng::new(seed as u64);
        let running = if is_flat {
            flat::volley(&mut rng, target).map(|world| Running::Flat { world: Box::new(world), action: None })
        } else {
            solid::volley(&mut rng, target)
                .map(|world| Running::Solid { world: Box::new(world), action: None })
        };
        let targets = if target == Target::Another { VOLLEY } else { 1 };
        let Run { times, places, .. } = run_one(engine, running.ok()?, FLIGHT, threads, targets)?;
        // Targets first, then the bullets.
        let (targets, shots) = places.split_at(targets);
        let is_through = |(shot, target): &(&Place, &Place)| target.at[0] <= shot.at[0];
        count.lost += shots.iter().zip(targets.iter().cycle()).filter(is_through).count();
        count.shots += VOLLEY;
        count.unknown += places.iter().filter(is_unknown).count();
        count.steps += FLIGHT;
        count.milliseconds += times.iter().sum::<f64>();
    }
    Some(count)
}

/// How a bullet starts: where on its line, how fast along it, and which of the kinds it is.
struct Shot {
    from: f32,
    speed: f32,
    kind: usize,
    size: f32,
}

impl Shot {
    fn new(rng: &mut Rng, kind: usize) -> Self {
        let slowness = rng.uniform(0.0, 1.0);
        Shot {
            from: rng.uniform(-20.0, -2.0) as f32,
            speed: (1000.0 - 800.0 * slowness * slowness) as f32,
            kind,
            size: rng.uniform(0.02, 0.1) as f32,
        }
    }
    /// How fast the target comes the other way: half of them wait.
    fn against(&self) -> f32 {
        if self.kind % 4 < 2 { 0.0 } else { -0.7 * self.speed }
    }
}

/// The parts of a volley that are the same in both dimensions.
macro_rules! volley {
    ($dimension:ident) => {
        use super::{ASIDE, Error, LINE, Rng, Shot, Target, VOLLEY};
        use carom::$dimension::{Body, Settings, World};

        /// The targets, and then the bullets.
        pub(super) fn volley(rng: &mut Rng, target: Target) -> Result<World, Error> {
            let mut world = World::new();
            let settings = Settings { gravity: vector(0.0, 0.0), max_speed: 2000.0, ..*world.settings() };
            world.set_settings(settings)?;
            let shots: Vec<_> = (0..VOLLEY).map(|kind| Shot::new(rng, kind)).collect();
            // As far as anything gets.
            let reach = 0.5 * LINE * VOLLEY as f32 + ASIDE;
            let lines = || (0..VOLLEY).map(|k| LINE * (k as f32 - 0.5 * VOLLEY as f32));
            match target {
                Target::Wall => drop(world.add(Body::fixed().shape(wall(reach)?))?),
                Target::Surface => drop(world.add(Body::fixed().shape(surface(reach)?))?),
                Target::Another => {
                    for (shot, line) in shots.iter().zip(lines()) {
                        let body = Body::dynamic().at(vector(0.0, line)).shape(square_on(shot)?);
                        world.add(body.velocity(vector(shot.against(), 0.0)))?;
                    }
                }
            }
            for (shot, line) in shots.iter().zip(lines()) {
                let body = if target == Target::Another {
                    Body::dynamic().at(vector(shot.from, line)).shape(square_on(shot)?)
                } else {
                    spinning(rng, shot, vector(shot.from, line))?
                };
                world.add(body.velocity(vector(shot.speed, 0.0)))?;
            }
            Ok(world)
        }
    };
}

mod flat {
    volley!(d2);
    use carom::d2::{Ball, Capsule, Cuboid, Rot2, Segment, Shape};
    use carom::math::Vec2;

    fn vector(x: f32, y: f32) -> Vec2<f32> {
        Vec2::new(x, y)
    }
    fn wall(reach: f32) -> Result<Shape<f32>, Error> {
        Ok(Cuboid::new([0.0005, reach])?.into())
    }
    fn surface(reach: f32) -> Result<Shape<f32>, Error> {
        Ok(Segment::new([0.0, -reach], [0.0, reach])?.into())
    }
    /// A ball or a box that stays on its line whatever meets it there.
    fn square_on(shot: &Shot) -> Result<Shape<f32>, Error> {
        let size = shot.size;
        Ok(if shot.kind.is_multiple_of(2) {
            Ball::new(size)?.into()
        } else {
            Cuboid::new([0.5 * size, size])?.into()
        })
    }
    fn spinning(rng: &mut Rng, shot: &Shot, at: Vec2<f32>) -> Result<Body, Error> {
        let size = shot.size;
        let shape: Shape<f32> = match shot.kind % 3 {
            0 => Ball::new(size)?.into(),
            1 => Cuboid::new([size, 0.5 * size])?.into(),
            _ => Capsule::new([-8.0 * size, 0.0], [8.0 * size, 0.0], 0.2 * size)?.into(),
        };
        let turn = Rot2::from_angle(rng.uniform(-3.0, 3.0) as f32);
        Ok(Body::dynamic().at((at, turn)).angular_velocity(rng.uniform(-47.0, 47.0) as f32).shape(shape))
    }
}

mod solid {
    volley!(d3);
    use carom::d3::{Ball, Capsule, Cuboid, Quat, Shape, TriangleMesh};
    use carom::math::Vec3;

    fn vector(x: f32, y: f32) -> Vec3<f32> {
        Vec3::new(x, y, 0.0)
    }
    fn wall(reach: f32) -> Result<Shape<f32>, Error> {
        Ok(Cuboid::new([0.0005, reach, reach])?.into())
    }
    /// Cells as wide as the lines are apart, two triangles each, which face the bullets.
    fn surface(reach: f32) -> Result<Shape<f32>, Error> {
        let cells = (reach / LINE).ceil() as u32;
        let (rows, mut points, mut triangles) = (2 * cells + 1, Vec::new(), Vec::new());
        for row in 0..rows {
            let y = LINE * (row as f32 - cells as f32);
            points.extend([Vec3::new(0.0, y, -reach), Vec3::new(0.0, y, 0.3), Vec3::new(0.0, y, reach)]);
        }
        for row in 0..rows - 1 {
            for column in 0..2 {
                let [a, b] = [3 * row + column, 3 * (row + 1) + column];
                triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
            }
        }
        Ok(TriangleMesh::new(points, triangles)?.into())
    }
    /// A ball or a box that stays on its line whatever meets it there.
    fn square_on(shot: &Shot) -> Result<Shape<f32>, Error> {
        let size = shot.size;
        Ok(if shot.kind.is_multiple_of(2) {
            Ball::new(size)?.into()
        } else {
            Cuboid::new([0.5 * size, size, size])?.into()
        })
    }
    fn spinning(rng: &mut Rng, shot: &Shot, at: Vec3<f32>) -> Result<Body, Error> {
        let size = shot.size;
        let shape: Shape<f32> = match shot.kind % 3 {
            0 => Ball::new(size)?.into(),
            1 => Cuboid::new([size, 0.5 * size, 0.7 * size])?.into(),
            _ => Capsule::new([-8.0 * size, 0.0, 0.0], [8.0 * size, 0.0, 0.0], 0.2 * size)?.into(),
        };
        let mut any = |most: f64| rng.uniform(-most, most) as f32;
        let axis = [any(1.0), any(1.0), 1.5];
        let turn = Quat::from_axis_angle(axis, any(3.0)).unwrap_or_default();
        let spin = [any(27.0), any(27.0), any(27.0)];
        Ok(Body::dynamic().at((at, turn)).angular_velocity(spin).shape(shape))
    }
}
