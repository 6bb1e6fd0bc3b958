//! Separating axes against growing polytopes, and scans against plain loops.

use super::rows::{PlaneRows, PointRows, members};
use super::{Guess, Solid, least_overlap};
use crate::d3::ConvexHull;
use crate::gjk::{self, Block, Posed, Simplex, Support};
use carom_math::{Level, Quat, Vec3, Vector};
use carom_oracle::generate::{self, Rng};

fn random_place<B: Support<Vec3<f64>>>(rng: &mut Rng, core: B, lattice: bool) -> Posed<B, Vec3<f64>> {
    let [x, y, z, w] = if lattice { generate::cube_rotation(rng) } else { generate::unit_quaternion(rng) };
    let rotation = Quat::new(x, y, z, w).unwrap().to_matrix();
    let at: [f64; 3] =
        if lattice { generate::lattice_point(rng) } else { std::array::from_fn(|_| rng.uniform(-1.0, 1.0)) };
    Posed::new(core, &rotation.columns, at.into())
}

fn hull(rng: &mut Rng, round: usize) -> ConvexHull<f64> {
    let count = 2 + rng.below(40);
    let points: Vec<[f64; 3]> = (0..count)
        .map(|_| match round % 4 {
            0 => generate::direction(rng),
            1 => generate::lattice_point(rng),
            // A slab, and a needle.
            2 => [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1e-6, 1e-6)],
            _ => [rng.uniform(-1.0, 1.0), rng.uniform(-1e-5, 1e-5), rng.uniform(-1e-5, 1e-5)],
        })
        .collect();
    ConvexHull::new(points).unwrap()
}

/// Both bound the depth from above, and both reach it.
fn check<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>>(a: &A, b: &Posed<B, Vec3<f64>>) -> bool {
    let grown = gjk::penetration(a, b, &Simplex::EMPTY, &mut ());
    let Some((found, memory)) = least_overlap(a, b, None, &mut ()) else { return false };
    let tolerance = gjk::rounding_error(a, b);
    let near = gjk::distance(a, b, None, f64::INFINITY, &mut ());
    if near.status == gjk::Status::Overlap {
        assert!(found.depth <= grown.depth + tolerance, "{found:?} {grown:?}");
        assert!(grown.lower <= found.depth + tolerance, "{found:?} {grown:?}");
        assert!((found.point_a - found.point_b - found.normal * found.depth).max_abs() <= 4.0 * tolerance);
        // A guess rules out axes, and changes nothing.
        for guess in [Some(Guess::along(a, b, found.normal)), Guess::recalled(a, b, &memory)] {
            let (barred, _) = least_overlap(a, b, guess, &mut ()).unwrap();
            assert_eq!((barred.depth, barred.normal), (found.depth, found.normal));
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
    }
    // All but points.
    assert!(3900 < answered, "{answered}");
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
        let planes = || points.iter().map(|p| (*p, p.y.abs(), 1.5));
        let below = |p: &Vec3<f64>| p.y.abs() * 0.5 - p.dot(direction);
        let mut nearest = 0;
        for (index, p) in points.iter().enumerate() {
            if below(p) < below(&points[nearest]) {
                nearest = index;
            }
        }
        let stretched = |p: &Vec3<f64>| if below(p) < 0.0 { below(p) * 1.5 } else { below(p) };
        let expected: Vec<usize> = (0..count).filter(|&i| stretched(&points[i]) < 0.25).collect();
        for level in [Level::new(), Level::baseline()] {
            let rows = PointRows::new(points.iter().copied()).at_level(level);
            assert_eq!(rows.farthest(direction), gjk::farthest(&points, direction).1 as usize);
            let planes = PlaneRows::new(planes().collect::<Vec<_>>().into_iter()).at_level(level);
            assert_eq!(planes.nearest(direction, 0.5), nearest);
            let found = planes.below(direction, 0.5, 0.25, true);
            assert_eq!(members(&found).collect::<Vec<_>>(), expected);
        }
    }
}
