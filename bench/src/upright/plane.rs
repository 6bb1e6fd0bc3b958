//! Shapes of the plane that stand on each other or hover above each other, as those of space do in [`super`].

use super::quarters;
use crate::harness::Report;
use crate::pairs::PAIRS;
use crate::pairs::plane::{Both, Pair, posed, questions, widened};
use carom_geometry::d2;
use carom_math::Vec2;
use carom_oracle::generate::Rng;
use parry2d::math::Vector;
use parry2d::shape::SharedShape;

const CASES: [(&str, &str); 7] = [
    ("floor", "box"),
    ("box", "box"),
    ("box", "ball"),
    ("box", "capsule"),
    ("capsule", "capsule"),
    ("floor", "octagon"),
    ("octagon", "octagon"),
];

/// Shapes of a kind that pairs are made of.
const SHAPES: usize = 64;

pub(super) fn run(report: &mut Report) {
    for (first, second) in CASES {
        for resting in [true, false] {
            let rng = &mut Rng::new(3);
            let firsts: Vec<(Both, f32)> = (0..SHAPES).map(|_| shape(rng, first)).collect();
            let seconds: Vec<(Both, f32)> = (0..SHAPES).map(|_| shape(rng, second)).collect();
            let mut next = || {
                let (a, b) = (&firsts[rng.below(SHAPES)], &seconds[rng.below(SHAPES)]);
                pair(rng, a, b, resting)
            };
            let pairs: Vec<Pair<'_>> = (0..PAIRS).map(|_| next()).collect();
            let name = format!("{first}-{second} {}", if resting { "resting" } else { "hovering" });
            questions(report, &pairs, &name);
        }
    }
}

/// A shape, and how far it reaches up and down. Capsules lie.
fn shape(rng: &mut Rng, kind: &str) -> (Both, f32) {
    let (x, y) = (quarters(rng), quarters(rng));
    let ((carom, parry), height) = match kind {
        "floor" => {
            ((d2::Cuboid::new([50.0, 1.0]).map(d2::Shape::Cuboid), SharedShape::cuboid(50.0, 1.0)), 1.0)
        }
        "box" => ((d2::Cuboid::new([x, y]).map(d2::Shape::Cuboid), SharedShape::cuboid(x, y)), y),
        "ball" => ((d2::Ball::new(x).map(d2::Shape::Ball), SharedShape::ball(x)), x),
        "capsule" => {
            let carom = d2::Capsule::new([-x, 0.0], [x, 0.0], 0.5 * y).map(d2::Shape::Capsule);
            ((carom, SharedShape::capsule_x(x, 0.5 * y)), 0.5 * y)
        }
        _ => {
            // A box with its corners cut off.
            let (u, v) = (x - 0.0625, y - 0.0625);
            let corners = [[-u, -y], [u, -y], [x, -v], [x, v], [u, y], [-u, y], [-x, v], [-x, -v]];
            let hull = SharedShape::convex_hull(&corners.map(Vector::from)).expect("a polygon with area");
            ((d2::ConvexPolygon::new(corners).map(d2::Shape::Polygon), hull), y)
        }
    };
    let carom = carom.expect("sizes are positive");
    (Both { wide: widened(&carom), carom, parry, radius: 1.0 }, height)
}

fn pair<'a>(rng: &mut Rng, a: &'a (Both, f32), b: &'a (Both, f32), resting: bool) -> Pair<'a> {
    let gap = if resting { -0.004 * rng.uniform(0.0, 1.0) } else { rng.uniform(0.05, 2.0) } as f32;
    let aside = (rng.below(5) as f32 - 2.0) * 0.25;
    let at = Vec2::new(rng.below(20) as f32, rng.below(20) as f32);
    let angle = if resting || rng.one_in(2) { 0.0 } else { rng.uniform(-1.5, 1.5) as f32 };
    let there = at + Vec2::new(aside, a.1 + b.1 + gap);
    Pair { a: &a.0, pose_a: posed(at, 0.0), b: &b.0, pose_b: posed(there, angle) }
}
