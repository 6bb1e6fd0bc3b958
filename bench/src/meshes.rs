//! Meshes as shapes: building them, rays, distances and contacts of two meshes, and of a mesh and something convex.
//!
//! The mesh is the bumpy sphere of the suite `trees`, 69,312 triangles with shared vertices, as a surface
//! without an inside in both engines. A second one is turned at random and placed in a random direction, so far away
//! that the spheres without their bumps are apart, nearly touch, or overlap by 0.02 to 0.1 of the radius.
//!
//! "all contacts" are Carom's `manifolds` and Parry's `contact_manifolds`, both without margin and without anything kept
//! from an earlier question. Carom's are the pairs of triangles that touch, sorted; Parry's have one entry for each
//! pair whose boxes overlap.

use crate::harness::{Case, Engine, Report};
use carom_geometry::d3;
use carom_math::{Number, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::Rng;
use parry3d::math as parry_math;
use parry3d::query::{self, PersistentQueryDispatcher};
use parry3d::shape::{SharedShape, TriMesh, TriMeshFlags};

type Point = Vec3<f32>;

/// Squares along a side of a face of the cube.
const SIDE: usize = 76;

/// A cube with 76² squares a face, blown up to a ball with bumps: corners, and three of them a triangle.
pub(crate) fn bumpy_sphere() -> (Vec<Point>, Vec<[u32; 3]>) {
    let corner = |face: usize, i: usize, j: usize| {
        let [u, v] = [i, j].map(|k| k as f64 / SIDE as f64 * 2.0 - 1.0);
        let side = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
        let cube = [[side, u, v], [u, side, v], [u, v, side]][face / 2];
        let unit = Vec3::new(cube[0], cube[1], cube[2]).normalized().unwrap_or_default();
        let wave = |x: f64| carom_math::Real::sine_cosine(x).0;
        let bump = 0.05 * wave(9.0 * unit.x) * wave(11.0 * unit.y) * wave(7.0 * unit.z)
            + 0.01 * wave(40.0 * unit.x) * wave(37.0 * unit.y);
        Point::narrow(unit * (1.0 + bump))
    };
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6 {
        let first = corners.len();
        let place = |i: usize, j: usize| (first + i * (SIDE + 1) + j) as u32;
        for (i, j) in (0..(SIDE + 1) * (SIDE + 1)).map(|k| (k / (SIDE + 1), k % (SIDE + 1))) {
            corners.push(corner(face, i, j));
        }
        for (i, j) in (0..SIDE * SIDE).map(|k| (k / SIDE, k % SIDE)) {
            let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i, j + 1), place(i + 1, j + 1)];
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    (corners, triangles)
}

fn case(name: impl Into<String>, questions: usize) -> Case {
    Case { name: name.into(), dimension: 3, precision: "f32", questions }
}

fn engine<'a>(name: &'static str, run: impl FnMut() -> f64 + 'a) -> Engine<'a> {
    let version = if name == "parry" { "0.31.1" } else { env!("CARGO_PKG_VERSION") };
    Engine { name, version, run: Box::new(run) }
}

/// A shape in both engines.
struct Both {
    name: &'static str,
    carom: d3::Shape<f32>,
    parry: SharedShape,
    /// About how far its surface is from its origin.
    radius: f64,
}

/// Two poses in both engines.
struct Placed {
    carom: [Pose3<f32>; 2],
    parry: [parry_math::Pose; 2],
}

fn parry_point(p: Point) -> parry_math::Vector {
    parry_math::Vector::new(p.x, p.y, p.z)
}

/// Poses at which the shapes are this far apart, their bumps aside.
fn placed(rng: &mut Rng, distance: f64) -> Placed {
    let direction = loop {
        let tried = Vec3::from_fn(|_| rng.uniform(-1.0, 1.0));
        if let Some(unit) = tried.normalized() {
            break Point::narrow(unit);
        }
    };
    let mut turn = || {
        let [x, y, z, w] = [0; 4].map(|_| rng.uniform(-1.0, 1.0) as f32);
        Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY)
    };
    let carom = [Pose3::new(Point::ZERO, turn()), Pose3::new(direction * distance as f32, turn())];
    let parry = carom.map(|pose| {
        let [x, y, z, w] = pose.rotation.to_array();
        let turn = parry_math::Rotation::from_xyzw(x, y, z, w);
        parry_math::Pose::from_parts(parry_point(pose.translation), turn)
    });
    Placed { carom, parry }
}

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    let (corners, triangles) = bumpy_sphere();
    let parry_corners: Vec<_> = corners.iter().map(|p| parry_point(*p)).collect();
    let (corners, triangles, parry_corners) = (&corners, &triangles, &parry_corners);
    let new = || d3::TriangleMesh::new(corners.iter().copied(), triangles.iter().copied());
    let (Ok(mesh), Ok(parry_mesh)) = (new(), TriMesh::new(parry_corners.clone(), triangles.clone())) else {
        return;
    };
    report.case(
        &case("build, a triangle", triangles.len()),
        vec![
            engine("carom", || new().map_or(0.0, |mesh| mesh.triangles().len() as f64)),
            engine("parry", || {
                TriMesh::new(parry_corners.clone(), triangles.clone())
                    .map_or(0.0, |mesh| mesh.indices().len() as f64)
            }),
        ],
    );
    // What contacts need in order not to catch on edges, which a mesh of Carom looks for when it is first asked about one.
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    report.case(
        &case("build for contacts, a triangle", triangles.len()),
        vec![
            engine("carom", || {
                new().map_or(0.0, |mesh| {
                    mesh.find_neighbours();
                    mesh.triangles().len() as f64
                })
            }),
            engine("parry", || {
                TriMesh::with_flags(parry_corners.clone(), triangles.clone(), flags)
                    .map_or(0.0, |mesh| mesh.indices().len() as f64)
            }),
        ],
    );
    let mesh = Both {
        name: "mesh",
        carom: mesh.into(),
        parry: SharedShape(std::sync::Arc::new(parry_mesh)),
        radius: 1.0,
    };
    rays(report, &mesh);
    for other in [None, small_ball(), small_box(), small_hull()] {
        let other = other.as_ref().unwrap_or(&mesh);
        distances(report, &mesh, other);
        contacts(report, &mesh, other);
    }
}

fn small_ball() -> Option<Both> {
    let carom = d3::Ball::new(0.2).ok()?.into();
    Some(Both { name: "ball", carom, parry: SharedShape::ball(0.2), radius: 0.2 })
}

fn small_box() -> Option<Both> {
    let carom = d3::Cuboid::new([0.2, 0.15, 0.25]).ok()?.into();
    Some(Both { name: "box", carom, parry: SharedShape::cuboid(0.2, 0.15, 0.25), radius: 0.25 })
}

fn small_hull() -> Option<Both> {
    let rng = &mut Rng::new(5);
    let corners: Vec<Point> = (0..32)
        .map(|_| Point::from_fn(|_| rng.uniform(-1.0, 1.0) as f32).normalized().unwrap_or_default() * 0.2)
        .collect();
    let parry: Vec<_> = corners.iter().map(|p| parry_point(*p)).collect();
    Some(Both {
        name: "hull32",
        carom: d3::ConvexHull::new(corners).ok()?.into(),
        parry: SharedShape::convex_hull(&parry)?,
        radius: 0.2,
    })
}

fn rays(report: &mut Report, mesh: &Both) {
    let rng = &mut Rng::new(7);
    let mut anywhere = |size: f64| Point::from_fn(|_| rng.uniform(-size, size) as f32);
    let rays: Vec<(Point, Point)> = (0..2000)
        .map(|_| (anywhere(2.0), anywhere(1.0)))
        .map(|(from, to)| (from, (to - from).normalized().unwrap_or_default()))
        .collect();
    let pose = placed(&mut Rng::new(8), 0.0);
    let cast = |(from, along): &(Point, Point)| {
        let ray = d3::Ray::new(*from, *along).ok()?;
        let options = carom_geometry::RayOptions { max: f32::MAX, solid: false };
        d3::cast_ray(&mesh.carom, pose.carom[1], &ray, options).ok()?
    };
    let parry_cast = |(from, along): &(Point, Point)| {
        let ray = query::Ray::new(parry_point(*from), parry_point(*along));
        mesh.parry.cast_ray_and_get_normal(&pose.parry[1], &ray, f32::MAX, false)
    };
    let all = || rays.iter().filter_map(cast).map(|hit| f64::from(hit.t)).sum();
    let parry_all = || rays.iter().filter_map(parry_cast).map(|hit| f64::from(hit.time_of_impact)).sum();
    report.case(&case("rays", rays.len()), vec![engine("carom", all), engine("parry", parry_all)]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    report.case(
        &case("rays, every thread at one mesh", ROUNDS * rays.len()),
        vec![
            engine("carom", || on_every_thread(threads, all)),
            engine("parry", || on_every_thread(threads, parry_all)),
        ],
    );
}

/// How often a thread asks all questions when it is not alone: often enough for its start not to count.
const ROUNDS: usize = 16;

/// So many threads side by side, each of which asks all questions some times; the sum of what one of them found.
fn on_every_thread(threads: usize, ask: impl Fn() -> f64 + Sync) -> f64 {
    let rounds = || (0..ROUNDS).map(|_| ask()).sum::<f64>();
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(rounds)).collect();
        let sum = rounds();
        others.into_iter().fold(sum, |sum, other| sum.max_of(other.join().unwrap_or_default()))
    })
}

fn distances(report: &mut Report, mesh: &Both, other: &Both) {
    let is_mesh = other.name == "mesh";
    for (name, gap) in [("apart", [0.5, 1.5]), ("near", [0.13, 0.16])] {
        let name = format!("mesh-{}/distance, {name}", other.name);
        if !report.wants(&name) {
            continue;
        }
        let rng = &mut Rng::new(11);
        let count = if is_mesh { 4 } else { 100 };
        let reach = mesh.radius + other.radius;
        let pairs = placed_within(rng, count, reach, gap);
        report.case(
            &case(name, pairs.len()),
            vec![
                engine("carom", || {
                    let ask = |pair: &Placed| {
                        let [a, b] = pair.carom;
                        d3::distance(&mesh.carom, a, &other.carom, b)
                            .map_or(0.0, |found| f64::from(found.distance))
                    };
                    pairs.iter().map(ask).sum()
                }),
                engine("parry", || {
                    let ask = |pair: &Placed| {
                        let [a, b] = &pair.parry;
                        query::distance(a, &*mesh.parry, b, &*other.parry)
                            .map_or(0.0, |found| f64::from(found.distance))
                    };
                    pairs.iter().map(ask).sum()
                }),
            ],
        );
    }
}

/// So many of them, within these bounds beyond `reach`.
fn placed_within(rng: &mut Rng, count: usize, reach: f64, [low, high]: [f64; 2]) -> Vec<Placed> {
    let mut pairs = Vec::with_capacity(count);
    for _ in 0..count {
        let distance = reach + rng.uniform(low, high);
        pairs.push(placed(rng, distance));
    }
    pairs
}

fn contacts(report: &mut Report, mesh: &Both, other: &Both) {
    let rng = &mut Rng::new(13);
    let (count, depth) = if other.name == "mesh" { (4, [-0.1, -0.02]) } else { (100, [-0.1, 0.0]) };
    let reach = mesh.radius + other.radius;
    let pairs = placed_within(rng, count, reach, depth);
    report.case(
        &case(format!("mesh-{}/intersects", other.name), pairs.len()),
        vec![
            engine("carom", || {
                let ask = |pair: &Placed| {
                    let [a, b] = pair.carom;
                    d3::intersects(&mesh.carom, a, &other.carom, b)
                        .map_or(0.0, |yes| f64::from(u8::from(yes)))
                };
                pairs.iter().map(ask).sum()
            }),
            engine("parry", || {
                let ask = |pair: &Placed| {
                    let [a, b] = &pair.parry;
                    query::intersection_test(a, &*mesh.parry, b, &*other.parry)
                        .map_or(0.0, |found| f64::from(u8::from(found.intersecting)))
                };
                pairs.iter().map(ask).sum()
            }),
        ],
    );
    report.case(
        &case(format!("mesh-{}/contact", other.name), pairs.len()),
        vec![
            engine("carom", || {
                let ask = |pair: &Placed| {
                    let [a, b] = pair.carom;
                    let found = d3::contact(&mesh.carom, a, &other.carom, b);
                    found.ok().flatten().map_or(0.0, |found| f64::from(found.depth))
                };
                pairs.iter().map(ask).sum()
            }),
            engine("parry", || {
                let ask = |pair: &Placed| {
                    let [a, b] = &pair.parry;
                    let found = query::contact(a, &*mesh.parry, b, &*other.parry, 0.0);
                    found.ok().flatten().map_or(0.0, |found| f64::from(found.dist))
                };
                pairs.iter().map(ask).sum()
            }),
        ],
    );
    let mut found = Vec::new();
    report.case(
        &case(format!("mesh-{}/all contacts", other.name), pairs.len()),
        vec![
            engine("carom", || {
                let mut sum = 0.0;
                for pair in &pairs {
                    let [a, b] = pair.carom;
                    let _ = d3::manifolds(&mesh.carom, a, &other.carom, b, 0.0, &mut found);
                    sum += found.len() as f64;
                }
                sum
            }),
            engine("parry", || {
                let mut sum = 0.0;
                for pair in &pairs {
                    let mut found: Vec<query::ContactManifold<(), ()>> = Vec::new();
                    let between = pair.parry[0].inv_mul(&pair.parry[1]);
                    let _ = query::DefaultQueryDispatcher.contact_manifolds(
                        &between,
                        &*mesh.parry,
                        &*other.parry,
                        0.0,
                        &mut found,
                        &mut None,
                    );
                    sum += found.len() as f64;
                }
                sum
            }),
        ],
    );
}
