//! Separating axes against growing polytopes, and scans against plain loops.

use super::rows::{PointRows, members};
use super::search::Search;
use super::shell::Shell;
use super::{ArcRows, Guess, Outer, PlaneRows, Sheet, Solid, least_overlap};
use crate::d3::ConvexHull;
use crate::gjk::{self, Block, Corners, Posed, Simplex, Support};
use crate::pair::place::Turn;
use carom_math::{Level, Quat, Vec3, Vector, power_of_two};
use carom_oracle::generate::{self, Rng};

fn random_place<B: Support<Vec3<f64>>>(rng: &mut Rng, core: B, lattice: bool) -> Posed<B, Vec3<f64>> {
    let [x, y, z, w] = if lattice { generate::cube_rotation(rng) } else { generate::unit_quaternion(rng) };
    let rotation = Quat::new(x, y, z, w).unwrap().to_matrix();
    let at: [f64; 3] =
        if lattice { generate::lattice_point(rng) } else { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) };
    Posed::new(core, &rotation.columns, at.into())
}

fn corner(rng: &mut Rng, round: usize) -> [f64; 3] {
    match round % 4 {
        0 => generate::direction(rng),
        1 => generate::lattice_point(rng),
        // A slab, and a needle.
        2 => [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1e-6, 1e-6)],
        _ => [rng.uniform(-1.0, 1.0), rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5)],
    }
}

fn hull(rng: &mut Rng, round: usize) -> ConvexHull<f64> {
    let count = 2 + rng.below(40);
    let points: Vec<[f64; 3]> = (0..count).map(|_| corner(rng, round)).collect();
    ConvexHull::new(points).unwrap()
}

/// Both bound the depth from above, and both reach it.
fn check<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>>(a: &A, b: &Posed<B, Vec3<f64>>) -> bool {
    let grown = gjk::penetration(a, b, &Simplex::EMPTY, &mut ());
    let Some(overlap) = least_overlap(a, b, None, &mut ()) else { return false };
    let (found, memory) = (overlap.penetration(), overlap.memory());
    assert_eq!((overlap.depth(), overlap.normal()), (found.depth, found.normal));
    let tolerance = gjk::rounding_error(a, b);
    let near = gjk::distance(a, b, None, f64::INFINITY, &mut ());
    if near.status == gjk::Status::Overlap {
        assert!(found.depth <= grown.depth + tolerance, "{found:?} {grown:?}");
        assert!(grown.lower <= found.depth + tolerance, "{found:?} {grown:?}");
        assert!((found.point_a - found.point_b - found.normal * found.depth).max_abs() <= 4.0 * tolerance);
        // A guess rules out axes, and changes nothing.
        for guess in [Some(Guess::along(a, b, found.normal)), Guess::recalled(a, b, &memory)] {
            let barred = least_overlap(a, b, guess.as_ref(), &mut ()).unwrap();
            assert_eq!((barred.depth(), barred.normal()), (found.depth, found.normal));
        }
    } else if near.status == gjk::Status::Closest {
        assert!(-found.depth <= near.upper + tolerance, "{found:?} {near:?}");
        assert!(near.lower <= tolerance || found.depth < 0.0, "{found:?} {near:?}");
    }
    true
}

#[test]
fn axes_and_growing_polytopes_agree() {
    let mut rng = Rng::new(1);
    let mut answered = 0;
    for round in 0..2000 {
        let (first, second) = (hull(&mut rng, round), hull(&mut rng, round / 4));
        let lattice = round % 16 == 5;
        answered += usize::from(check(&first.view(), &random_place(&mut rng, second.view(), lattice)));
        let half = Vec3::from_fn(|_| if rng.one_in(5) { 0.0 } else { rng.uniform(0.0, 1.0) });
        let half = if lattice { half.map(|x| if x < 0.5 { 0.5 } else { 1.0 }) } else { half };
        answered += usize::from(check(&first.view(), &random_place(&mut rng, Block(half), lattice)));
        let corners = [0; 3].map(|_| Vec3::from(corner(&mut rng, round / 16)));
        let sheet = Sheet::new(Corners(corners));
        answered += usize::from(check(&first.view(), &random_place(&mut rng, sheet, lattice)));
    }
    // All but points, and triangles of the lattice without area.
    assert!(5700 < answered, "{answered}");
}

#[test]
fn scans_agree_with_plain_loops_at_any_width() {
    let mut rng = Rng::new(2);
    for round in 0..400 {
        let count = 1 + rng.below(70);
        let mut points: Vec<Vec3<f64>> = (0..count)
            .map(|_| {
                if round % 2 == 0 { generate::lattice_point(&mut rng) } else { generate::direction(&mut rng) }
            })
            .map(Vec3::from)
            .collect();
        points[0] = Vec3::ZERO;
        let direction: Vec3<f64> = Vec3::from(if round % 4 == 0 {
            generate::lattice_point(&mut rng)
        } else {
            generate::direction(&mut rng)
        });
        for level in [Level::new(), Level::baseline()] {
            let rows = PointRows::new(points.iter().copied()).at_level(level);
            assert_eq!(rows.farthest(direction), gjk::farthest(&points, direction).1 as usize);
        }
    }
}

/// What a filter rules out, it rules out in `f64` too; and all that it should, but for what is close.
#[test]
fn filters_agree_with_plain_loops_at_any_width() {
    let mut rng = Rng::new(3);
    let (mut admitted, mut ruled_out) = (0, 0);
    for round in 0..600 {
        // Numbers of any size; the factor has to be taken out again.
        let (unit, factor) = [(0, 1.0), (0, 2.0), (140, 1.0), (-140, 0.25)][round % 4];
        let unit = power_of_two(unit);
        let size = factor / unit;
        let mut point = |reach: f64| Vec3::from_fn(|_| rng.uniform(-reach, reach) * size);
        let points: [Vec3<f64>; 4] = std::array::from_fn(|_| point(1.5));
        let (center, ball_center) = (point(0.5), point(1.5));
        let count = rng.below(5);
        let outer = |slack: f64| {
            let limit = size * ((round % 7) as f64 * 0.2 - 0.2 + slack);
            Outer::new(&points[..count], center, limit, ball_center, 0.4 * size)
        };
        let planes: Vec<(Vec3<f64>, f64)> = (0..1 + rng.below(150))
            .map(|_| (Vec3::from(generate::direction(&mut rng)), rng.uniform(0.2, 1.0) / unit))
            .collect();
        let arcs: Vec<[(Vec3<f64>, f64); 2]> = planes.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        let stretch = |[(left, _), (right, _)]: [(Vec3<f64>, f64); 2]| 2.0 / Vector::length(left + right);
        let below = |(normal, height): (Vec3<f64>, f64), p: Vec3<f64>| height * factor - normal.dot(p);
        let mut check = |is_in: bool, plainly: &dyn Fn(f64) -> bool| {
            assert!(is_in || !plainly(0.0));
            assert!(!is_in || plainly(1e-3));
            admitted += usize::from(is_in);
            ruled_out += usize::from(!is_in);
        };
        for level in [Level::new(), Level::baseline()] {
            let rows = PlaneRows::new(planes.iter().copied(), unit).at_level(level);
            let found: Vec<usize> = members(&rows.near(factor, &outer(0.0))).collect();
            for (index, &plane) in planes.iter().enumerate() {
                let plainly = |slack: f64| outer(slack).admits_face(|p| below(plane, p));
                check(found.contains(&index), &plainly);
            }
            let nearest = below(planes[rows.nearest(ball_center, factor)], ball_center);
            assert!(planes.iter().all(|&plane| nearest <= below(plane, ball_center) + 1e-5 * size));
            let [p, q, r, _] = points;
            let above = |&plane: &(Vec3<f64>, f64)| {
                [p, q, r].into_iter().fold(f64::INFINITY, |least, p| least.min(-below(plane, p)))
            };
            let highest = planes.iter().map(above).fold(f64::NEG_INFINITY, f64::max);
            let all_above = rows.all_above([p, q, r], factor);
            assert!(all_above <= highest && highest <= all_above + 1e-4 * size, "{all_above} {highest}");
            let rows = ArcRows::new(arcs.iter().map(|&arc| (arc, stretch(arc))), unit).at_level(level);
            let found: Vec<usize> = members(&rows.near(factor, &outer(0.0))).collect();
            assert!(found.iter().all(|&index| index < arcs.len()));
            for (index, &arc) in arcs.iter().enumerate() {
                let plainly = |slack: f64| {
                    let outer = outer(slack * stretch(arc));
                    outer.admits_arc(stretch(arc), |p| arc.map(|plane| below(plane, p)))
                };
                check(found.contains(&index), &plainly);
            }
        }
    }
    assert!(20_000 < admitted && 20_000 < ruled_out, "{admitted} {ruled_out}");
}

/// A little away from there.
fn nudged<B: Support<Vec3<f64>> + Clone>(
    rng: &mut Rng,
    b: &Posed<B, Vec3<f64>>,
    step: f64,
) -> Posed<B, Vec3<f64>> {
    let mut some = || Vec3::from(generate::direction(rng)) * step;
    let (turn, shift) = (some(), some());
    let turn = Quat::new(turn.x, turn.y, turn.z, 1.0).unwrap().to_matrix();
    let columns = b.columns().map(|column| turn.apply(column));
    Posed::new(b.core().clone(), &columns, b.placed(Vec3::ZERO) + shift)
}

/// What a shell proves is what the search finds, wherever the pair went, and where it went a little the shell does prove it.
#[test]
fn shells_follow_a_pair_that_moves() {
    let mut rng = Rng::new(21);
    let (mut asked, mut answered) = (0, 0);
    for round in 0..400 {
        let (a, b) = (hull(&mut rng, round), hull(&mut rng, round));
        let a = a.view();
        let mut placed = random_place(&mut rng, b.view(), round % 5 == 0);
        let step = [1e-6, 1e-3, 1e-2, 0.1][rng.below(4)];
        let (mut shell, mut winner) = (Shell::NONE, None);
        for _ in 0..30 {
            let Some(found) = least_overlap(&a, &placed, None, &mut ()) else { break };
            let doubt = 2.0 * found.search.error;
            if doubt < found.depth() {
                let known = if let (Some(winner), true) = (winner, shell.is_some()) {
                    asked += u32::from(step < 0.1 && round % 4 == 0);
                    let mut search = Search::new(&a, &placed).unwrap();
                    let least = search.least_by_shell(&mut shell, winner, f64::INFINITY);
                    if let Some(least) = least {
                        assert!(
                            (least.overlap - found.depth()).abs() <= 0.5 * search.error,
                            "{round}: {least:?}"
                        );
                        winner_of(&search, &least)
                    } else {
                        None
                    }
                } else {
                    None
                };
                answered += u32::from(known.is_some() && step < 0.1 && round % 4 == 0);
                winner = known.or_else(|| {
                    let is_made = found.search.make_shell(&mut shell, &found.least);
                    is_made.then(|| found.search.memory(&found.least).winner)
                });
            }
            placed = nudged(&mut rng, &placed, step);
        }
    }
    // Of round hulls; those that are flat or needles are left to the search more often.
    assert!(1000 < asked && 9 * asked < 10 * answered, "{answered} of {asked}");
}

fn winner_of<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>>(
    search: &Search<'_, A, B, Vec3<f64>>,
    least: &super::Least<Vec3<f64>>,
) -> Option<super::cache::Winner> {
    Some(search.memory(least).winner)
}

/// Whatever the numbers of a shell are, what it proves is true: it may have been made for another pair, far away or deeper.
#[test]
fn shells_of_other_pairs_prove_nothing_wrong() {
    let mut rng = Rng::new(22);
    let mut proved = 0;
    let mut shells = Vec::new();
    for round in 0..2000 {
        let (a, b) = (hull(&mut rng, 4 * (round / 4)), hull(&mut rng, 4 * (round / 4)));
        let (a, placed) = (a.view(), random_place(&mut rng, b.view(), false));
        let Some(found) = least_overlap(&a, &placed, None, &mut ()) else { continue };
        for (shell, winner) in shells.iter().rev().take(8) {
            let (mut shell, mut search): (Shell, _) = (*shell, Search::new(&a, &placed).unwrap());
            if let Some(least) = search.least_by_shell(&mut shell, *winner, f64::INFINITY) {
                let difference = (least.overlap - found.depth()).abs();
                assert!(difference <= 0.5 * search.error, "{round}: {least:?} {}", found.depth());
                proved += 1;
            }
        }
        let mut shell = Shell::NONE;
        if 2.0 * found.search.error < found.depth() && found.search.make_shell(&mut shell, &found.least) {
            shells.push((shell, found.search.memory(&found.least).winner));
        }
    }
    assert!(30 < proved && 300 < shells.len(), "{proved} by {}", shells.len());
}

#[test]
fn a_cache_takes_less_than_a_kilobyte() {
    let size = size_of::<super::PairCache<Vec3<f64>>>();
    assert!(size < 1024, "{size}");
}

/// Of two equal axes the first one counts, also where the other one was best before.
#[test]
fn equal_axes_are_left_to_the_search() {
    let cube = |half: f64| ConvexHull::<f64>::new(generate::box_corners([half; 3])).unwrap();
    let (a, b) = (cube(1.0), cube(0.5));
    let at = |x: f64, y: f64| {
        Posed::new(b.view(), &[Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)], Vec3::new(x, y, 0.1))
    };
    let a = a.view();
    let (before, now) = (at(1.125, 1.0), at(1.0, 1.0));
    let found = least_overlap(&a, &before, None, &mut ()).unwrap();
    assert_eq!(found.normal(), Vec3::unit(0));
    let mut shell = Shell::NONE;
    assert!(found.search.make_shell(&mut shell, &found.least));
    let winner = found.search.memory(&found.least).winner;
    let mut search = Search::new(&a, &now).unwrap();
    assert!(search.least_by_shell(&mut shell, winner, f64::INFINITY).is_none());
    assert_eq!(least_overlap(&a, &now, None, &mut ()).unwrap().normal(), Vec3::unit(1));
}
