//! Where the polytope of [`penetration`](super::penetration()) is full, and neither balls nor curvature prove anything: a descent over
//! directions, from several of them, to local minima of the overlap H.

use super::penetration::{Best, Hull};
use super::simplex::Vertex;
use super::space::Space;
use super::support::Support;
use super::{difference_support, outward};
use carom_math::Number;

/// Where to look for the least overlap when the polytope is full: H may have several valleys (about the
/// axis of a large cylinder that holds a triangle there are three), and the deepest lies behind a facet whose
/// lower bound is below the best overlap. The best direction comes first, then the normals of such
/// facets with the least H, well apart from each other.
pub(super) fn starts<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    hull: &V::Hull,
    best: &Best<V>,
) -> [Option<(f64, V)>; MAX_STARTS] {
    let mut chosen = [None; MAX_STARTS];
    chosen[0] = best.direction.normalized().map(|normal| (best.overlap, normal));
    for slot in 1..MAX_STARTS {
        let mut least: Option<(f64, V)> = None;
        for (index, lower) in hull.surface() {
            let corners = hull.corners(index).map(|corner| corner.difference);
            let normal = outward(&corners[..V::DIM]);
            let is_apart = |other: &Option<(f64, V)>| other.is_none_or(|(_, n)| n.dot(normal) < SAME_VALLEY);
            if best.overlap < lower || normal == V::ZERO || !chosen.iter().all(is_apart) {
                continue;
            }
            let overlap = normal.dot(difference_support(a, b, normal).difference);
            if least.is_none_or(|(known, _)| overlap < known) {
                least = Some((overlap, normal));
            }
        }
        chosen[slot] = least;
    }
    chosen
}

/// How many valleys are searched.
const MAX_STARTS: usize = 5;
/// The cosine of the angle below which two directions lie in different valleys, perhaps: 25°.
const SAME_VALLEY: f64 = 0.906;

/// Improves the best direction n by what the set of differences looks like around it. Supports along a
/// ring of directions about n are points of the boundary near the foot; the plane through them is a
/// better facet than any the polytope could afford, exact where the minimum sits on an edge or corner
/// of H. Its normal, the ring itself and the gradient (w − (n·w)n at the support point w) are tried;
/// the ring shrinks when none helps.
pub(super) fn descend<V: Space>(a: &impl Support<V>, b: &impl Support<V>, best: &mut Best<V>) {
    let Some(mut normal) = best.direction.normalized() else { return };
    let mut radius = 0.25;
    for step in 0..MAX_DESCENT_STEPS {
        let ring = ring_about(normal, if step % 2 == 0 { radius } else { -radius });
        let points = ring.map(|direction| difference_support(a, b, direction).difference);
        let plane = V::perpendiculars(&points[..V::DIM])[0];
        let plane = if plane.dot(normal) < 0.0 { -plane } else { plane };
        let here = difference_support(a, b, normal).difference;
        let gradient = (normal * normal.dot(here) - here).normalized().unwrap_or(V::ZERO);
        let mut improved = false;
        // The plane is wherever the ring says, so its success does not say that the ring is narrow enough:
        // it would creep for all steps there are.
        let steps = ring.into_iter().take(V::DIM).chain([normal + gradient * radius]);
        for (direction, is_step) in steps.map(|step| (step, true)).chain([(plane, false)]) {
            if direction == V::ZERO {
                continue;
            }
            let overlap = direction.dot(difference_support(a, b, direction).difference) / direction.length();
            if overlap < best.overlap {
                (best.overlap, best.direction) = (overlap, direction);
                improved |= is_step;
            }
        }
        normal = best.direction.normalized().unwrap_or(normal);
        if !improved {
            radius *= 0.5;
            if radius < SMALLEST_RADIUS {
                break;
            }
        }
    }
    if V::DIM == 3 {
        normal = slide(a, b, best).unwrap_or(normal);
    }
    let [p, q, r] = ring_about(normal, WITNESS_RADIUS).map(|direction| difference_support(a, b, direction));
    (best.vertices, best.count) = ([p, q, r, Vertex::ZERO], V::DIM);
}

/// Follows a valley of H to its lowest place. Around the axis of a large cone or ellipsoid that holds
/// something small, H hardly changes, and across it changes fast; a straight step leaves such a valley
/// unless it is very short. So each step goes along the valley, u being the flattest direction around n,
/// and then down to its floor: over t, H(n + s·u + t·v) is convex but for the length of its argument, and
/// a golden section finds the least. The steps shrink when none helps. Returns the best normal.
fn slide<V: Space>(a: &impl Support<V>, b: &impl Support<V>, best: &mut Best<V>) -> Option<V> {
    let overlap_along = |direction: V| {
        let length = direction.length();
        if length == 0.0 {
            return f64::INFINITY;
        }
        direction.dot(difference_support(a, b, direction).difference) / length
    };
    let mut stride = LONGEST_STRIDE;
    let mut normal = best.direction.normalized()?;
    for _ in 0..MAX_STRIDES {
        let [u, v, _] = V::perpendiculars(&[V::ZERO, normal]).map(|t| t.normalized().unwrap_or(V::ZERO));
        let near = stride.min_of(VALLEY_RADIUS) * core::f64::consts::FRAC_1_SQRT_2;
        let around = [[u, v], [v, -u], [u + v, v - u], [u - v, u + v]];
        let mut flattest = (f64::INFINITY, [u, v]);
        for [along, across] in around {
            let scale = if along == u || along == v { 1.0 } else { core::f64::consts::FRAC_1_SQRT_2 };
            let (along, across) = (along * scale, across * scale);
            // The valley goes both ways; its walls rise on one side at least.
            let height = overlap_along(normal + along * near).max_of(overlap_along(normal - along * near));
            if height < flattest.0 {
                flattest = (height, [along, across]);
            }
        }
        let [along, across] = flattest.1;
        let mut improved = false;
        for step in [stride, -stride] {
            let from = normal + along * step;
            let mut low = -stride;
            let mut width = 2.0 * stride;
            let at = |t: f64| overlap_along(from + across * t);
            let (mut left, mut right) = (at(low + width * (1.0 - GOLDEN)), at(low + width * GOLDEN));
            for _ in 0..MAX_SECTIONS {
                if right < left {
                    low += width * (1.0 - GOLDEN);
                    width *= GOLDEN;
                    left = right;
                    right = at(low + width * GOLDEN);
                } else {
                    width *= GOLDEN;
                    right = left;
                    left = at(low + width * (1.0 - GOLDEN));
                }
            }
            let t = if left < right { low + width * (1.0 - GOLDEN) } else { low + width * GOLDEN };
            let direction = from + across * t;
            let overlap = overlap_along(direction);
            if overlap < best.overlap {
                (best.overlap, best.direction) = (overlap, direction);
                improved = true;
            }
        }
        normal = best.direction.normalized()?;
        if !improved {
            stride *= 0.25;
            if stride < SMALLEST_STRIDE {
                break;
            }
        }
    }
    Some(normal)
}

/// Two or three directions evenly around n, about `radius` radians away.
fn ring_about<V: Space>(normal: V, radius: f64) -> [V; 3] {
    let [u, v, _] = V::perpendiculars(&[V::ZERO, normal]).map(|t| t.normalized().unwrap_or(V::ZERO) * radius);
    if V::DIM == 2 {
        return [normal + u, normal - u, normal];
    }
    // cos 120° = −½, sin 120° = √3/2.
    let (half, across) = (u * 0.5, v * 0.866_025_403_784_438_6);
    [normal + u, normal - half + across, normal - half - across]
}

/// Radians. The plane through supports this far apart is all rounding error.
const SMALLEST_RADIUS: f64 = 1e-9;
/// Radians. Deepest points are blended from supports this far apart: on a sphere of radius 1 they are
/// within 1e-12 of its surface.
const WITNESS_RADIUS: f64 = 1e-6;
/// Radians: from a fifth of a right angle down to where H, at its least, no longer changes.
const LONGEST_STRIDE: f64 = 0.3;
const SMALLEST_STRIDE: f64 = 1e-7;
/// Radians. The flattest direction is looked for this close.
const VALLEY_RADIUS: f64 = 1e-3;
/// Shrinking alone takes eleven.
const MAX_STRIDES: u32 = 40;
/// Narrows the cross-section by 1e-8.
const MAX_SECTIONS: u32 = 38;
/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Halving alone takes about thirty.
const MAX_DESCENT_STEPS: u32 = 100;
