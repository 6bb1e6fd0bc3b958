//! Shapes of the plane that stand on each other or hover above each other, as those of space do in [`super`].

use super::quarters;
use crate::harness::Report;
use crate::pairs::PAIRS;
use crate::pairs::plane::{Both, Pairs, Poses, Shapes, posed, questions, widened};
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
            let (firsts, tops) = shapes(rng, first);
            let (seconds, bottoms) = shapes(rng, second);
            let mut pairs = Pairs::default();
            for _ in 0..PAIRS {
                let (a, b) = (rng.below(SHAPES), rng.below(SHAPES));
                let [poses_a, poses_b] = poses(rng, tops[a] + bottoms[b], resting);
                pairs.push((&firsts, a, poses_a), (&seconds, b, poses_b));
            }
            let name = format!("{first}-{second} {}", if resting { "resting" } else { "hovering" });
            questions(report, &pairs, &name);
        }
    }
}

/// Shapes of a kind, and how far each reaches up and down.
fn shapes(rng: &mut Rng, kind: &str) -> (Shapes, Vec<f32>) {
    let mut shapes = Shapes::default();
    let heights = (0..SHAPES).map(|_| {
        let (both, height) = shape(rng, kind);
        shapes.push(both);
        height
    });
    let heights = heights.collect();
    (shapes, heights)
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
    (Both { wide: widened(&carom), carom, parry }, height)
}

/// Two places, one above the other by the sum of the heights and a gap.
fn poses(rng: &mut Rng, heights: f32, resting: bool) -> [Poses; 2] {
    let gap = if resting { -0.004 * rng.uniform(0.0, 1.0) } else { rng.uniform(0.05, 2.0) } as f32;
    let aside = (rng.below(5) as f32 - 2.0) * 0.25;
    let at = Vec2::new(rng.below(20) as f32, rng.below(20) as f32);
    let angle = if resting || rng.one_in(2) { 0.0 } else { rng.uniform(-1.5, 1.5) as f32 };
    [posed(at, 0.0), posed(at + Vec2::new(aside, heights + gap), angle)]
}
