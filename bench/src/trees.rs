//! Trees over boxes: building, rays, pairs of moving boxes, and how the cost grows.
//!
//! The mesh is a bumpy sphere of 69,312 triangles, a cube's faces blown up; rays go from points in a box
//! around it to points inside. Every engine calls the same triangle test. The moving boxes fill a cube, each
//! overlapping about two others; those in motion swing to and fro, and a step takes the new boxes, mends the tree
//! and lists the pairs of enlarged boxes of which one was renewed, as they come; in rows named `carom sorted` and `carom 2`
//! they are sorted.
//!
//! Rows named `carom 2…` use all threads. Peers run with one.

use crate::harness::{Case, Engine, Report};
use carom_geometry::bound::Aabb;
use carom_geometry::bvh::{Bvh, DynamicBvh};
use carom_math::{Vec3, Vector};
use carom_oracle::generate::Rng;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray, RayHit};
use obvhs::triangle::Triangle;
use obvhs::{BvhBuildParams, aabb::Aabb as ObvhsBox};
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy, BvhWorkspace};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;
use std::time::Duration;

const PARRY: &str = "0.31.1";
const OBVHS: &str = "0.4.0";
const MARGIN: f32 = 0.1;

type Point = Vec3<f32>;
type Bounds = Aabb<Point>;

/// Runs every case of the suite.
pub(crate) fn run(report: &mut Report) {
    let pools = [1, 0].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
    let [Ok(one), Ok(all)] = pools else { return };
    mesh(report, &one, &all);
    moving(report, &one, &all);
    million(report, &one, &all);
    growth(report, &one);
}

fn carom<'a>(
    name: &'static str,
    pool: &'a ThreadPool,
    mut run: impl FnMut() -> f64 + Send + 'a,
) -> Engine<'a> {
    Engine { name, version: env!("CARGO_PKG_VERSION"), run: Box::new(move || pool.install(&mut run)) }
}

fn peer<'a>(name: &'static str, one: &'a ThreadPool, mut run: impl FnMut() -> f64 + Send + 'a) -> Engine<'a> {
    let version = if name.starts_with("parry") { PARRY } else { OBVHS };
    Engine { name, version, run: Box::new(move || one.install(&mut run)) }
}

fn case(name: impl Into<String>, questions: usize) -> Case {
    Case { name: name.into(), dimension: 3, precision: "f32", questions }
}

/// The corners of every triangle of the mesh.
fn bumpy_sphere() -> Vec<[Point; 3]> {
    let (corners, triangles) = crate::meshes::bumpy_sphere();
    triangles.into_iter().map(|triangle| triangle.map(|index| corners[index as usize])).collect()
}

/// Möller and Trumbore's test, the same for every engine.
#[inline(always)]
fn hit([a, b, c]: &[Point; 3], origin: Point, direction: Point) -> Option<f32> {
    let (e1, e2) = (*b - *a, *c - *a);
    let p = direction.cross(e2);
    let determinant = e1.dot(p);
    if determinant == 0.0 {
        return None;
    }
    let (inverse, s) = (1.0 / determinant, origin - *a);
    let u = s.dot(p) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = s.cross(e1);
    let v = direction.dot(q) * inverse;
    if v < 0.0 || 1.0 < u + v {
        return None;
    }
    let t = e2.dot(q) * inverse;
    (0.0 <= t).then_some(t)
}

fn glam(p: Point) -> glam::Vec3A {
    glam::Vec3A::new(p.x, p.y, p.z)
}

fn parry_box(own: &Bounds) -> ParryBox {
    let point = |p: Point| parry3d::math::Vec3::new(p.x, p.y, p.z);
    ParryBox::new(point(own.min), point(own.max))
}

fn obvhs_box(own: &Bounds) -> ObvhsBox {
    ObvhsBox::new(glam(own.min), glam(own.max))
}

fn mesh(report: &mut Report, one: &ThreadPool, all: &ThreadPool) {
    if !report.wants("mesh/build") && !report.wants("mesh/rays") {
        return;
    }
    let triangles = bumpy_sphere();
    let around = |t: &[Point; 3]| t.iter().fold(Aabb::empty(), |all: Bounds, p| all.merged_with(*p));
    let boxes: Vec<Bounds> = triangles.iter().map(around).collect();
    let parry_boxes: Vec<_> = boxes.iter().map(parry_box).collect();
    let soup: Vec<Triangle> =
        triangles.iter().map(|t| Triangle { v0: glam(t[0]), v1: glam(t[1]), v2: glam(t[2]) }).collect();
    let time = &mut Duration::default();
    report.case(
        &case("mesh/build, a triangle", boxes.len()),
        vec![
            carom("carom", one, || Bvh::build(&boxes).len() as f64),
            carom("carom 2", all, || Bvh::build(&boxes).len() as f64),
            peer("parry", one, || {
                f64::from(ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes).leaf_count())
            }),
            peer("obvhs", one, || {
                build_cwbvh_from_tris(&soup, BvhBuildParams::fast_build(), &mut Duration::default())
                    .nodes
                    .len() as f64
            }),
        ],
    );
    let rng = &mut Rng::new(7);
    let mut anywhere = |size: f64| Point::from_fn(|_| rng.uniform(-size, size) as f32);
    let rays: Vec<(Point, Point)> = (0..2000)
        .map(|_| (anywhere(2.0), anywhere(1.0)))
        .map(|(from, to)| (from, (to - from).normalized().unwrap_or_default()))
        .collect();
    let (triangles, rays) = (&triangles, &rays);
    let (tree, parry) = (&Bvh::build(&boxes), &ParryBvh::from_leaves(BvhBuildStrategy::Binned, &parry_boxes));
    let wide = &build_cwbvh_from_tris(&soup, BvhBuildParams::very_slow_build(), time);
    let binary = &build_bvh2_from_tris(&soup, BvhBuildParams::very_slow_build(), time);
    let ray_of = |from: &Point, along: &Point| Ray::new_inf(glam(*from), glam(*along));
    report.case(
        &case("mesh/rays", rays.len()),
        vec![
            carom("carom", one, move || {
                let cast = |(from, along): &(Point, Point)| {
                    tree.cast_ray(*from, *along, f32::INFINITY, |i, _| hit(&triangles[i], *from, *along))
                };
                rays.iter().filter_map(cast).map(|(_, t)| f64::from(t)).sum()
            }),
            peer("parry", one, move || {
                let point = |p: &Point| parry3d::math::Vec3::new(p.x, p.y, p.z);
                let cast = |(from, along): &(Point, Point)| {
                    let ray = parry3d::query::Ray::new(point(from), point(along));
                    parry.cast_ray(&ray, f32::MAX, |i, _| hit(&triangles[i as usize], *from, *along))
                };
                rays.iter().filter_map(cast).map(|(_, t)| f64::from(t)).sum()
            }),
            peer("obvhs", one, move || {
                let mut sum = 0.0;
                for (from, along) in rays {
                    let mut best = RayHit::none();
                    let found = wide.ray_traverse(ray_of(from, along), &mut best, |_, id| {
                        hit(&triangles[wide.primitive_indices[id] as usize], *from, *along)
                            .unwrap_or(f32::INFINITY)
                    });
                    sum += if found { f64::from(best.t) } else { 0.0 };
                }
                sum
            }),
            peer("obvhs 2w", one, move || {
                let mut sum = 0.0;
                for (from, along) in rays {
                    let mut best = RayHit::none();
                    let found = binary.ray_traverse(ray_of(from, along), &mut best, |_, id| {
                        hit(&triangles[binary.primitive_indices[id] as usize], *from, *along)
                            .unwrap_or(f32::INFINITY)
                    });
                    sum += if found { f64::from(best.t) } else { 0.0 };
                }
                sum
            }),
        ],
    );
}

/// Boxes that swing to and fro.
#[derive(Clone)]
struct Crowd {
    boxes: Vec<Bounds>,
    speeds: Vec<Point>,
    /// Every so many moves.
    every: usize,
    step: usize,
    /// The boxes that move now, with where they are then; kept for its memory, as whoever has such a list keeps it.
    moves: Vec<(usize, Bounds)>,
}

impl Crowd {
    /// In a cube where a box overlaps about two others.
    fn new(count: usize, every: usize) -> Self {
        let rng = &mut Rng::new(count as u64);
        let mut side = 1.0_f64;
        while side * side * side < 5.0 * count as f64 {
            side *= 1.01;
        }
        let boxes = (0..count)
            .map(|_| {
                let corner = Point::from_fn(|_| rng.uniform(0.0, side) as f32);
                Aabb { min: corner, max: corner + Point::from_fn(|_| rng.uniform(0.5, 1.0) as f32) }
            })
            .collect();
        let speeds = (0..count).map(|_| Point::from_fn(|_| rng.uniform(-0.05, 0.05) as f32)).collect();
        Crowd { boxes, speeds, every, step: 0, moves: Vec::new() }
    }

    /// Moves on; the boxes that moved, with where they are now.
    fn moves(&mut self) -> &[(usize, Bounds)] {
        let Crowd { boxes, speeds, every, step, moves } = self;
        *step += 1;
        let sign = if *step % 40 < 20 { 1.0 } else { -1.0 };
        moves.clear();
        moves.extend((0..boxes.len()).step_by(*every).map(|item| {
            let by = speeds[item] * sign;
            let own = &mut boxes[item];
            *own = Aabb { min: own.min + by, max: own.max + by };
            (item, *own)
        }));
        moves
    }
}

/// Half a swing: boxes leave their enlarged ones in some steps and not in others.
const STEPS: usize = 20;

fn steps(mut step: impl FnMut() -> usize) -> f64 {
    (0..STEPS).map(|_| step()).sum::<usize>() as f64
}

/// In order, as whoever wants the same answer everywhere has them.
fn carom_step(crowd: &mut Crowd, tree: &mut DynamicBvh<Point>) -> usize {
    tree.forget_moves();
    let _ = tree.move_many(crowd.moves());
    tree.moved_pairs().len()
}

/// In the order in which they are found, as the peers have them.
fn carom_step_as_found(crowd: &mut Crowd, tree: &mut DynamicBvh<Point>) -> usize {
    tree.forget_moves();
    let _ = tree.move_many(crowd.moves());
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let _ = tree.visit_moved_pairs(|a, b| {
        pairs.push((a, b));
        ControlFlow::<()>::Continue(())
    });
    pairs.len()
}

fn parry_step(crowd: &mut Crowd, tree: &mut ParryBvh, workspace: &mut BvhWorkspace) -> usize {
    for (item, own) in crowd.moves() {
        tree.insert_or_update_partially(parry_box(own), *item as u32, MARGIN);
    }
    tree.refit(workspace);
    tree.optimize_incremental(workspace);
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    tree.traverse_bvtt_single_tree::<true>(workspace, &mut |a, b| pairs.push((a, b)));
    pairs.len()
}

struct Obvhs {
    tree: Bvh2,
    builder: PlocBuilder,
    fat: Vec<ObvhsBox>,
    moved: Vec<bool>,
}

impl Obvhs {
    fn new(boxes: &[Bounds]) -> Self {
        let fat: Vec<_> = boxes.iter().map(|own| obvhs_box(&own.grown(MARGIN))).collect();
        let mut new =
            Obvhs { tree: Bvh2::default(), builder: PlocBuilder::new(), moved: vec![false; fat.len()], fat };
        new.rebuild();
        new
    }

    fn rebuild(&mut self) {
        let indices = (0..self.fat.len() as u32).collect();
        let (least, precision) = (PlocSearchDistance::Minimum, SortPrecision::U64);
        self.builder.build_with_bvh(&mut self.tree, least, &self.fat, indices, precision, 0);
        self.tree.init_primitives_to_nodes_if_uninit();
    }

    fn step(&mut self, crowd: &mut Crowd) -> usize {
        let mut renewed = Vec::new();
        for (item, own) in crowd.moves() {
            let (item, tight) = (*item, obvhs_box(own));
            if self.fat[item].union(&tight) != self.fat[item] {
                self.fat[item] = obvhs_box(&own.grown(MARGIN));
                renewed.push(item as u32);
            }
        }
        // As many as that: a new tree is quicker.
        if self.fat.len() < renewed.len() * 20 {
            self.rebuild();
        } else {
            for item in &renewed {
                self.tree.move_primitive(self.fat[*item as usize], *item);
            }
        }
        renewed.iter().for_each(|item| self.moved[*item as usize] = true);
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for &a in &renewed {
            let own = self.fat[a as usize];
            self.tree.aabb_traverse(own, |tree, node| {
                let node = &tree.nodes[node as usize];
                for place in node.first_index..node.first_index + node.prim_count {
                    let b = tree.primitive_indices[place as usize];
                    if a != b
                        && !(self.moved[b as usize] && b < a)
                        && self.fat[b as usize].intersect_aabb(&own)
                    {
                        pairs.push((a, b));
                    }
                }
                true
            });
        }
        renewed.iter().for_each(|item| self.moved[*item as usize] = false);
        pairs.len()
    }
}

fn moving(report: &mut Report, one: &ThreadPool, all: &ThreadPool) {
    const COUNT: usize = 100_000;
    for (name, every) in [("moving/5 %, a step", 20), ("moving/all, a step", 1)] {
        if !report.wants(name) {
            continue;
        }
        let crowd = Crowd::new(COUNT, every);
        let Ok(tree) = DynamicBvh::build(MARGIN, &crowd.boxes) else { return };
        let fat: Vec<_> = crowd.boxes.iter().map(|own| parry_box(&own.grown(MARGIN))).collect();
        let [mut crowd_a, mut crowd_b, mut crowd_c, mut crowd_d, mut crowd_e] = [0; 5].map(|_| crowd.clone());
        let (mut tree_a, mut tree_b, mut tree_e) = (tree.clone(), tree.clone(), tree);
        let mut workspace = BvhWorkspace::default();
        let mut parry = ParryBvh::from_leaves(BvhBuildStrategy::Binned, &fat);
        let mut obvhs = Obvhs::new(&crowd.boxes);
        let case = case(name, STEPS);
        report.case(
            &case,
            vec![
                carom("carom", one, move || steps(|| carom_step_as_found(&mut crowd_a, &mut tree_a))),
                carom("carom sorted", one, move || steps(|| carom_step(&mut crowd_e, &mut tree_e))),
                carom("carom 2", all, move || steps(|| carom_step(&mut crowd_b, &mut tree_b))),
                peer("parry", one, move || steps(|| parry_step(&mut crowd_c, &mut parry, &mut workspace))),
                peer("obvhs", one, move || steps(|| obvhs.step(&mut crowd_d))),
            ],
        );
    }
}

fn million(report: &mut Report, one: &ThreadPool, all: &ThreadPool) {
    let name = "million static, 10⁴ moving";
    if !report.wants(name) {
        return;
    }
    let ground = Crowd::new(1_000_000, 1);
    let fixed = all.install(|| Bvh::build(&ground.boxes));
    let mut crowd = Crowd::new(10_000, 1);
    for (own, place) in crowd.boxes.iter_mut().zip(ground.boxes.iter().step_by(100)) {
        *own = Aabb { min: place.min, max: place.min + (own.max - own.min) };
    }
    let Ok(tree) = DynamicBvh::build(MARGIN, &crowd.boxes) else { return };
    let step = |mut crowd: Crowd, mut tree: DynamicBvh<Point>, fixed: &Bvh<Point>| {
        let fixed = fixed.clone();
        move || {
            let own = carom_step(&mut crowd, &mut tree);
            // Every pair, as on the first step: the worst that can be.
            (own + tree.all_pairs_with(&fixed).len()) as f64
        }
    };
    report.case(
        &case(name, 1),
        vec![
            carom("carom", one, step(crowd.clone(), tree.clone(), &fixed)),
            carom("carom 2", all, step(crowd, tree, &fixed)),
        ],
    );
}

/// Per box: constant but for a logarithm.
fn growth(report: &mut Report, one: &ThreadPool) {
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let names = [
            format!("growth/build {count}, a box"),
            format!("growth/all pairs {count}, a box"),
            format!("growth/5 % step {count}, a box"),
        ];
        if !names.iter().any(|name| report.wants(name)) {
            continue;
        }
        let mut crowd = Crowd::new(count, 20);
        let boxes = crowd.boxes.clone();
        let tree = Bvh::build(&boxes);
        let Ok(mut moving) = DynamicBvh::build(MARGIN, &boxes) else { return };
        let [build, pairs, step] = names.map(|name| case(name, count));
        report.case(&build, vec![carom("carom", one, || Bvh::build(&boxes).len() as f64)]);
        report.case(&pairs, vec![carom("carom", one, || tree.all_pairs().len() as f64)]);
        report.case(&step, vec![carom("carom", one, move || carom_step(&mut crowd, &mut moving) as f64)]);
    }
}
