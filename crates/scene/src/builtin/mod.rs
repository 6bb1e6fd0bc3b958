//! Scenes that come with Carom, by name: those that other engines are measured with, and those that show
//! whether bodies behave.
//!
//! A scene is a world and what is done to it before each step. Numbers are `f32` and bodies are added in the
//! order of the definition, because indices, and with them every bit of the run, follow from it. The origins
//! (Box2D, Box3D, Jolt and Solver2D, all under the MIT licence) are named in the table; what is taken from
//! them are dimensions and positions.

mod joints_plane;
mod joints_space;
mod lifted;
mod meshes;
mod picture;
mod plane;
mod quality;
mod ragdoll;
mod ragdoll_space;
mod space;
mod speed;

use carom::d2;
use carom::d3;
use carom::response::Error;

pub use carom::d2::Width;

/// What is known about a scene before it is built.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name, `2d/…` or `3d/…`.
    pub name: &'static str,
    /// For how many steps it usually runs.
    pub steps: usize,
    /// What it shows, in a few words.
    pub summary: &'static str,
    build: Build,
}

#[derive(Clone, Copy, Debug)]
enum Build {
    Flat(fn() -> Result<Flat, Error>),
    Solid(fn() -> Result<Solid, Error>),
}

/// What is done to a world before the step with an index.
pub type Action<W> = fn(&mut W, usize) -> Result<(), Error>;

/// A world in the plane with its action.
pub(crate) type Flat = (d2::World, Option<Action<d2::World>>);
/// A world in space with its action.
pub(crate) type Solid = (d3::World, Option<Action<d3::World>>);

/// The time that a step of a scene takes.
pub const STEP: f32 = 1.0 / 60.0;

/// A scene that is running.
///
/// # Example
/// ```
/// use carom_scene::builtin::{Running, find};
/// let scene = find("2d/overlap_recovery").expect("it is built in");
/// let mut running = scene.start()?;
/// for _ in 0..10 {
///     running.step()?;
/// }
/// assert_eq!(running.steps_made(), 10);
/// assert!(matches!(running, Running::Flat { .. }));
/// # Ok::<(), carom::response::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Running {
    /// In the plane.
    Flat {
        /// The bodies.
        world: Box<d2::World>,
        /// What is done before each step.
        action: Option<Action<d2::World>>,
    },
    /// In space.
    Solid {
        /// The bodies.
        world: Box<d3::World>,
        /// What is done before each step.
        action: Option<Action<d3::World>>,
    },
}

/// The same for a world of either dimension.
macro_rules! either {
    ($running:expr, $world:ident => $do:expr) => {
        match $running {
            Running::Flat { world: $world, .. } => $do,
            Running::Solid { world: $world, .. } => $do,
        }
    };
}

impl Builtin {
    /// Builds the scene.
    ///
    /// # Errors
    /// None that a test has not ruled out.
    pub fn start(&self) -> Result<Running, Error> {
        Ok(match self.build {
            Build::Flat(build) => {
                let (world, action) = build()?;
                Running::Flat { world: Box::new(world), action }
            }
            Build::Solid(build) => {
                let (world, action) = build()?;
                Running::Solid { world: Box::new(world), action }
            }
        })
    }
}

impl Running {
    /// One step of [`STEP`] seconds, with what is done before it.
    ///
    /// # Errors
    /// None that a test has not ruled out.
    pub fn step(&mut self) -> Result<(), Error> {
        match self {
            Running::Flat { world, action } => {
                if let Some(action) = action {
                    let index = world.step_count() as usize;
                    action(world, index)?;
                }
                world.step(STEP)
            }
            Running::Solid { world, action } => {
                if let Some(action) = action {
                    let index = world.step_count() as usize;
                    action(world, index)?;
                }
                world.step(STEP)
            }
        }
    }
    /// How many steps were made.
    #[must_use]
    pub fn steps_made(&self) -> usize {
        either!(self, world => world.step_count() as usize)
    }
    /// How much there is.
    pub fn statistics(&mut self) -> d2::Statistics {
        either!(self, world => world.statistics())
    }
    /// The hash of the state.
    #[must_use]
    pub fn hash(&self) -> u64 {
        either!(self, world => world.hash())
    }
    /// Switches the clock on or off.
    pub fn set_timed(&mut self, is_timed: bool) {
        either!(self, world => world.set_timed(is_timed));
    }
    /// How long the stages took.
    #[must_use]
    pub fn timings(&self) -> d2::Timings {
        either!(self, world => world.timings())
    }
    /// How many contacts are solved side by side.
    pub fn set_width(&mut self, width: d2::Width) {
        either!(self, world => world.set_width(width));
    }
    /// On how many threads it runs.
    pub fn set_threads(&mut self, count: usize) {
        either!(self, world => world.set_threads(count));
    }
    /// The energy of motion and, against gravity, of height, in joules.
    #[must_use]
    pub fn energy(&self) -> f64 {
        either!(self, world => {
            let gravity = f64::from(world.settings().gravity.y);
            world.bodies().fold(0.0, |sum, body| {
                sum + body.kinetic_energy() - gravity * f64::from(body.mass()) * body.exact_center_of_mass().y
            })
        })
    }
    /// A picture of the scene as it is now, as SVG: from the front.
    #[must_use]
    pub fn picture(&self) -> String {
        match self {
            Running::Flat { world, .. } => picture::flat(world),
            Running::Solid { world, .. } => picture::solid(world),
        }
    }
}

/// All scenes, 2D first.
///
/// # Example
/// ```
/// assert!(carom_scene::builtin::all().any(|scene| scene.name == "3d/jolt_pyramid"));
/// ```
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    SCENES.iter()
}

/// The scene of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Builtin> {
    all().find(|scene| scene.name == name)
}

const fn flat(
    name: &'static str,
    steps: usize,
    summary: &'static str,
    build: fn() -> Result<Flat, Error>,
) -> Builtin {
    Builtin { name, steps, summary, build: Build::Flat(build) }
}

const fn solid(
    name: &'static str,
    steps: usize,
    summary: &'static str,
    build: fn() -> Result<Solid, Error>,
) -> Builtin {
    Builtin { name, steps, summary, build: Build::Solid(build) }
}

const SCENES: &[Builtin] = &[
    flat("2d/compounds", 500, "3000 bodies of two triangles fall into a box (Box2D)", plane::compounds),
    flat("2d/junkyard", 800, "8000 pentagons, and something that pushes them (Box2D)", plane::junkyard),
    flat("2d/large_pyramid", 500, "5050 squares, a hundred high (Box2D)", plane::large_pyramid),
    flat("2d/many_pyramids", 200, "400 pyramids of 55 squares (Box2D)", plane::many_pyramids),
    flat("2d/smash", 300, "a heavy square flies into 9600 sleeping ones (Box2D)", plane::smash),
    flat("2d/washer", 500, "8100 squares in a turning drum (Box2D)", plane::washer),
    flat(
        "2d/high_mass_ratio_1",
        600,
        "pyramids under boxes 100 to 300 times as dense (Solver2D)",
        quality::high_mass_ratio_1,
    ),
    flat(
        "2d/high_mass_ratio_2",
        600,
        "a box of 400 squares falls onto two (Solver2D)",
        quality::high_mass_ratio_2,
    ),
    flat("2d/high_mass_ratio_3", 600, "the same on a thick ground (Solver2D)", quality::high_mass_ratio_3),
    flat("2d/friction_ramp", 600, "five frictions on ramps (Solver2D)", quality::friction_ramp),
    flat(
        "2d/overlap_recovery",
        600,
        "squares that start in each other (Solver2D)",
        quality::overlap_recovery,
    ),
    flat(
        "2d/vertical_stack",
        600,
        "15 squares, not quite above each other (Solver2D)",
        quality::vertical_stack,
    ),
    flat("2d/arch", 600, "an arch of 17 stones under a load (Solver2D)", quality::arch),
    flat("2d/card_house", 600, "40 cards of 2 mm (Solver2D)", quality::card_house),
    flat("2d/confined", 600, "more discs than there is room for (Solver2D)", quality::confined),
    flat("2d/far_pyramid", 600, "a pyramid 128 km from the origin (Solver2D)", quality::far_pyramid),
    flat(
        "2d/warm_start_energy",
        600,
        "a heavy ball is taken off two light ones (Solver2D)",
        quality::warm_start_energy,
    ),
    flat("2d/rush", 600, "400 discs rush to the centre (Solver2D)", quality::rush),
    flat("2d/double_domino", 600, "15 dominoes (Solver2D)", quality::double_domino),
    flat("2d/circle_stack", 600, "ten discs on top of each other (Solver2D)", quality::circle_stack),
    flat("2d/far_stack", 600, "a small pile 47 km from the origin (Solver2D)", quality::far_stack),
    flat("2d/far_recovery", 600, "overlaps 106 km from the origin (Solver2D)", quality::far_recovery),
    flat("2d/joint_grid", 500, "a hundred by a hundred discs on hinges (Box2D)", joints_plane::joint_grid),
    flat("2d/rain", 1000, "it rains ragdolls, a thousand of them (Box2D)", joints_plane::rain),
    flat("2d/spinner", 500, "6076 bodies and a motor that stirs them (Box2D)", joints_plane::spinner),
    flat("2d/tumbler", 750, "2025 squares in a frame that a motor turns (Box2D)", joints_plane::tumbler),
    flat("2d/bridge", 600, "160 planks on hinges (Solver2D)", joints_plane::bridge),
    flat(
        "2d/ball_and_chain",
        600,
        "a ball of 672 times the mass of the links of its chain (Solver2D)",
        joints_plane::ball_and_chain,
    ),
    flat(
        "2d/joint_grid_heavy",
        600,
        "the grid with twice the gravity (Solver2D)",
        joints_plane::joint_grid_heavy,
    ),
    flat(
        "2d/stretched_chain",
        600,
        "a chain whose joints start a metre open (Solver2D)",
        joints_plane::stretched_chain,
    ),
    flat("2d/far_chain", 600, "a chain 53 km from the origin (Solver2D)", joints_plane::far_chain),
    flat(
        "2d/falling_hinges",
        600,
        "pairs of squares on hinges fall over (Box2D)",
        joints_plane::falling_hinges,
    ),
    solid(
        "3d/joint_grid",
        100,
        "a hundred by a hundred balls on ball joints (Box3D)",
        joints_space::joint_grid,
    ),
    solid("3d/rain", 400, "it rains ragdolls onto meshes, three hundred of them (Box3D)", joints_space::rain),
    solid(
        "3d/convex_pile",
        500,
        "5120 hulls of 32 points fall onto a heap (PEEL, Box3D)",
        space::convex_pile,
    ),
    solid(
        "3d/convex_vs_mesh",
        500,
        "1764 boxes, balls, capsules and hulls on 20000 triangles (Jolt)",
        meshes::convex_vs_mesh,
    ),
    solid("3d/mesh_drop", 500, "400 small boxes fall onto waves (Box3D)", meshes::mesh_drop),
    solid("3d/trees100", 500, "50 trunks of 22 hulls fall over on 60000 triangles (Box3D)", meshes::trees100),
    solid("3d/trees50", 500, "the same on 240000 triangles (Box3D)", meshes::trees50),
    solid("3d/trees25", 500, "the same on 960000 triangles (Box3D)", meshes::trees25),
    solid("3d/junkyard", 500, "10584 rocks, and something that pushes them (Box3D)", space::junkyard),
    solid("3d/large_pyramid", 200, "5050 cubes, a hundred high (Box3D)", space::large_pyramid),
    solid("3d/large_world", 500, "a million tiles, and a ball now and then (Box3D)", space::large_world),
    solid("3d/many_pyramids", 100, "196 pyramids of 55 cubes (Box3D)", space::many_pyramids),
    solid("3d/washer", 1000, "8000 cubes in a turning drum (Box3D)", space::washer),
    solid("3d/wide_pyramid", 500, "1240 cubes in 15 layers (Box3D)", space::wide_pyramid),
    solid("3d/high_speed", 500, "5000 bodies at 250 m/s in a box (Jolt)", speed::high_speed),
    solid("3d/jolt_pyramid", 500, "1240 cubes in 15 layers, as Jolt has them", space::jolt_pyramid),
    solid(
        "3d/high_mass_ratio_1",
        600,
        "pyramids under boxes 100 to 300 times as dense (after Solver2D)",
        lifted::high_mass_ratio_1,
    ),
    solid(
        "3d/high_mass_ratio_2",
        600,
        "a box of 400 cubes falls onto two (after Solver2D)",
        lifted::high_mass_ratio_2,
    ),
    solid(
        "3d/high_mass_ratio_3",
        600,
        "the same on a thick ground (after Solver2D)",
        lifted::high_mass_ratio_3,
    ),
    solid(
        "3d/vertical_stack",
        600,
        "15 cubes, not quite above each other (after Solver2D)",
        lifted::vertical_stack,
    ),
    solid("3d/arch", 600, "an arch of 17 stones under a load (after Solver2D)", lifted::arch),
    solid("3d/card_house", 600, "40 cards of 2 mm (after Solver2D)", lifted::card_house),
    solid("3d/far_pyramid", 600, "a pyramid 128 km from the origin (after Solver2D)", lifted::far_pyramid),
    solid(
        "3d/ball_and_chain",
        600,
        "a ball on a chain of hinges, 37000 times as heavy as a link (after Solver2D)",
        lifted::ball_and_chain,
    ),
    solid(
        "3d/ball_and_chain_1000",
        600,
        "the same with a ball of 1000 times the mass of a link",
        lifted::ball_and_chain_1000,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_tell_the_dimension() {
        for (k, scene) in SCENES.iter().enumerate() {
            assert!(SCENES[..k].iter().all(|other| other.name != scene.name));
            assert_eq!(
                scene.name.starts_with("2d/"),
                matches!(scene.build, Build::Flat(_)),
                "{}",
                scene.name
            );
        }
    }

    #[test]
    fn counts_are_those_of_the_definitions() {
        let bodies = |name: &str| find(name).unwrap().start().unwrap().statistics().bodies;
        assert_eq!(bodies("2d/compounds"), 3001);
        assert_eq!(bodies("2d/junkyard"), 8002);
        assert_eq!(bodies("2d/large_pyramid"), 5051);
        assert_eq!(bodies("2d/many_pyramids"), 22_001);
        assert_eq!(bodies("2d/smash"), 9601);
        assert_eq!(bodies("2d/washer"), 8102);
        let joints = |name: &str| find(name).unwrap().start().unwrap().statistics().joints;
        assert_eq!((bodies("2d/joint_grid"), joints("2d/joint_grid")), (10_000, 19_800));
        assert_eq!((bodies("3d/joint_grid"), joints("3d/joint_grid")), (10_000, 19_800));
        assert_eq!((bodies("2d/spinner"), bodies("2d/tumbler")), (6078, 2027));
        assert_eq!((joints("2d/bridge"), joints("2d/ball_and_chain")), (161, 41));
        assert_eq!((bodies("2d/falling_hinges"), joints("2d/falling_hinges")), (81, 40));
        assert_eq!(bodies("2d/arch"), 22);
        assert_eq!(bodies("2d/card_house"), 41);
        assert_eq!(bodies("2d/confined"), 626);
        assert_eq!(bodies("3d/convex_pile"), 5121);
        assert_eq!(bodies("3d/junkyard"), 10_586);
        assert_eq!(bodies("3d/many_pyramids"), 10_781);
        assert_eq!(bodies("3d/washer"), 8002);
        assert_eq!(bodies("3d/high_speed"), 5006);
        assert_eq!(bodies("3d/jolt_pyramid"), 1241);
        assert_eq!(bodies("3d/convex_vs_mesh"), 1765);
        assert_eq!(bodies("3d/mesh_drop"), 401);
        assert_eq!(bodies("3d/trees100"), 51);
    }

    #[test]
    fn ragdolls_come_and_go() {
        let mut rain = find("2d/rain").unwrap().start().unwrap();
        rain.step().unwrap();
        let (bodies, joints) = (rain.statistics().bodies, rain.statistics().joints);
        assert_eq!((bodies, joints), (1 + 25 * 11, 25 * 10));
        let Running::Flat { mut world, action: Some(action) } = rain else { panic!("rain is in the plane") };
        for step in (8..=8 * 45).step_by(8) {
            action(&mut world, step).unwrap();
        }
        assert_eq!((world.body_count(), world.joint_count()), (1 + 11_000, 10_000));
        let rain = find("3d/rain").unwrap().start().unwrap();
        let Running::Solid { mut world, action: Some(action) } = rain else { panic!("rain is in space") };
        for step in (0..400).step_by(16) {
            action(&mut world, step).unwrap();
        }
        assert_eq!((world.body_count(), world.joint_count()), (100 + 4200, 3900 + 300));
        // Joints start closed, but for the hips, which the origin has 4 cm open.
        let holds: Vec<_> =
            world.joints().filter(|joint| joint.description().kind() != d3::JointKind::Filter).collect();
        assert!(holds.len() == 3900 && holds.iter().all(|joint| joint.separation() < 0.041));
    }

    #[test]
    fn every_scene_steps_and_can_be_drawn() {
        // The worlds of a million tiles and triangles are for the benchmark.
        for scene in
            all().filter(|scene| !["3d/large_world", "3d/trees50", "3d/trees25"].contains(&scene.name))
        {
            let mut running = scene.start().unwrap();
            running.step().unwrap();
            let picture = running.picture();
            assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"), "{}", scene.name);
        }
    }
}
