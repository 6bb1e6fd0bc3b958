//! Shapes of many parts in every question, beside each pair of their parts alone.
//!
//! What holds of two convex shapes holds of these (either order, agreement of all questions), bounds of a distance meet
//! those of the nearest parts, and rays and casts meet the first part of all. The triangles and segments of a mesh or a
//! chain are its own numbers; parts of a compound and cells of a height field are placed here with a rounding that they
//! do not have inside, so that they are compared within that.

use crate::Bytes;
use carom_geometry::{CastOptions, Error, RayOptions, d2, d3};
use carom_math::{Pose2, Pose3, Real, Vec2, Vec3, Vector};

/// A shape is made of these numbers, or there is a reason with a name.
fn made<S>(shape: Result<S, Error>) -> Option<S> {
    match shape {
        Ok(shape) => Some(shape),
        Err(
            Error::NotFinite { .. }
            | Error::NotFiniteVertex { .. }
            | Error::Negative { .. }
            | Error::Collapsed { .. }
            | Error::UnsupportedShape { .. }
            | Error::Overflow { .. },
        ) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Rounding of ways and depths, in units of the lengths that take part: round sides are measured to 10⁻¹¹.
pub(crate) fn rounding<T: Real>() -> f64 {
    (4096.0 * T::EPSILON.to_f64()).max(1e-9)
}

fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::NotFinite { .. } | Error::Negative { .. } | Error::Overflow { .. })
}

macro_rules! composite {
    ($name:ident, $d:ident, $vector:ident, $pose:ident, $lines:ident, $facets:ident) => {
        /// Questions of this dimension, from bytes.
        pub mod $name {
            use super::*;
            use crate::$name::{Pair, pose, shape, vector};

            pub fn composite<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let first = many::<T>(bytes)?;
                let other = if bytes.below(3) == 0 { many(bytes)? } else { shape(bytes)? };
                let (a, b) = if bytes.below(2) == 0 { (first, other) } else { (other, first) };
                let pair = Pair { a, pa: pose(bytes)?, b, pb: pose(bytes)? };
                let [velocity_a, velocity_b] = [vector(bytes), vector(bytes)];
                pair.check_intersects();
                pair.check_distance();
                pair.check_contact();
                check_distance(&pair);
                check_cast(&pair, velocity_a, velocity_b);
                check_ray(&pair.a, pair.pa, vector(bytes), velocity_a);
                Some(())
            }

            /// A mesh or chain, a height field, or a compound of such and of convex shapes.
            fn many<T: Real>(bytes: &mut Bytes<'_>) -> Option<$d::Shape<T>> {
                if bytes.below(3) != 0 {
                    return $lines(bytes);
                }
                let mut parts = Vec::new();
                for _ in 0..1 + bytes.below(3) {
                    let part = if bytes.below(2) == 0 { $lines(bytes)? } else { shape(bytes)? };
                    parts.push((part, pose(bytes)?));
                }
                made($d::Compound::new(parts)).map(Into::into)
            }

            /// The parts with their poses, and whether they are the very numbers of the shape.
            fn parts<T: Real>(shape: &$d::Shape<T>) -> (Vec<($d::Shape<T>, $pose<T>)>, bool) {
                let $d::Shape::Compound(compound) = shape else {
                    let (parts, are_exact) = $facets(shape);
                    return (parts.into_iter().map(|part| (part, $pose::IDENTITY)).collect(), are_exact);
                };
                let mut all = Vec::new();
                for (part, local) in compound.parts() {
                    all.extend($facets(part).0.into_iter().map(|facet| (facet, *local)));
                }
                (all, false)
            }

            /// The pairs of parts as pairs of their own, and the rounding of their places.
            fn pairs<T: Real>(pair: &Pair<T>) -> (Vec<Pair<T>>, f64) {
                let ((of_a, exact_a), (of_b, exact_b)) = (parts(&pair.a), parts(&pair.b));
                let mut all = Vec::new();
                for (a, local_a) in &of_a {
                    for (b, local_b) in &of_b {
                        let placed = |pose: $pose<T>, local: &$pose<T>| {
                            if *local == $pose::IDENTITY { pose } else { pose * *local }
                        };
                        let (pa, pb) = (placed(pair.pa, local_a), placed(pair.pb, local_b));
                        all.push(Pair { a: a.clone(), pa, b: b.clone(), pb });
                    }
                }
                if exact_a && exact_b {
                    return (all, 0.0);
                }
                (all, size_of(pair) * 1024.0 * T::EPSILON.to_f64())
            }

            /// How far the shapes reach from the origin of the world, but for half-spaces.
            fn size_of<T: Real>(pair: &Pair<T>) -> f64 {
                let reach = |shape: &$d::Shape<T>, pose: $pose<T>| {
                    let bounds = $d::aabb(shape, $pose::IDENTITY).map_or(f64::INFINITY, |bounds| {
                        bounds.min.widen().max_abs().max(bounds.max.widen().max_abs())
                    });
                    // The corners of a box are farther away than its sides.
                    let reach = if bounds.is_finite() { 2.0 * bounds } else { 0.0 };
                    reach + pose.translation.widen().max_abs()
                };
                reach(&pair.a, pair.pa) + reach(&pair.b, pair.pb)
            }

            /// Bounds of the whole and of the nearest parts hold the same number.
            fn check_distance<T: Real>(pair: &Pair<T>) {
                let Ok(found) = pair.distance() else { return };
                let (parts, slack) = pairs(pair);
                let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
                for part in &parts {
                    let Ok(of_part) = part.distance() else { return };
                    (lower, upper) = (lower.min(of_part.lower.to_f64()), upper.min(of_part.upper.to_f64()));
                }
                // The rounding of numbers that nothing is left of.
                let slack = slack + T::ZERO.step_up().to_f64() * 16.0;
                let is_same = found.lower.to_f64() <= upper + slack && lower <= found.upper.to_f64() + slack;
                assert!(is_same || !slack.is_finite(), "{found:?} {lower} {upper} {slack} {pair:?}");
            }

            /// A cast meets the first part, whichever way it is asked.
            fn check_cast<T: Real>(pair: &Pair<T>, u: $vector<T>, v: $vector<T>) {
                let options = CastOptions::default();
                let cast = |pair: &Pair<T>| $d::cast_shape(&pair.a, pair.pa, u, &pair.b, pair.pb, v, options);
                let back = $d::cast_shape(&pair.b, pair.pb, v, &pair.a, pair.pa, u, options);
                let found = match (cast(pair), back) {
                    (Ok(here), Ok(there)) => {
                        let same = here.map(|hit| hit.t) == there.map(|hit| hit.t);
                        assert!(same, "{here:?} {there:?} {pair:?} {u:?} {v:?}");
                        here
                    }
                    (Err(here), Err(there)) => {
                        return assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                    }
                    (here, there) => panic!("answered in one order only: {here:?} {there:?} {pair:?}"),
                };
                let at_once = found.is_some_and(|hit| hit.t == T::ZERO);
                if let (false, Ok(true)) = (at_once, pair.intersects()) {
                    let apart = $d::gap(&pair.a, pair.pa, &pair.b, pair.pb).expect("a decision");
                    assert!(apart.lower == T::ZERO, "{found:?} {apart:?} {pair:?} {u:?} {v:?}");
                }
                let mut first = T::INFINITY;
                for part in &pairs(pair).0 {
                    let Ok(hit) = cast(part) else { return };
                    first = hit.map_or(first, |hit| hit.t.min_of(first));
                }
                let t = found.map_or(T::INFINITY, |hit| hit.t);
                let slack = rounding::<T>() * (size_of(pair) + u.widen().max_abs() + v.widen().max_abs());
                let moved = |t: T| {
                    let at =
                        |pose: $pose<T>, v: $vector<T>| $pose::new(pose.translation + v * t, pose.rotation);
                    Pair { a: pair.a.clone(), pa: at(pair.pa, u), b: pair.b.clone(), pb: at(pair.pb, v) }
                };
                // What is behind the other by no more than rounding; edges of chains may overlap deeply as soon as they meet.
                let behind = (t.to_f64() - first.to_f64()).abs() * (u.widen() - v.widen()).max_abs();
                let is_same = if t == first || behind <= slack {
                    true
                } else if t < first {
                    // As good as touching.
                    !moved(t).distance().is_ok_and(|apart| slack < apart.lower.to_f64())
                } else {
                    // What the whole has not met is only grazed.
                    let until = if t < T::ONE { t } else { T::ONE };
                    (1..4).all(|step| {
                        let t = first + (until - first) * T::from_f64(f64::from(step) / 4.0);
                        let touch = moved(t).contact_within(T::ZERO).ok().flatten();
                        touch.is_none_or(|touch| touch.depth.to_f64() <= slack)
                    })
                };
                assert!(is_same || !slack.is_finite(), "{t:?} {first:?} {slack} {pair:?} {u:?} {v:?}");
            }

            /// A ray meets the first part, and no place where nothing is.
            fn check_ray<T: Real>(shape: &$d::Shape<T>, pose: $pose<T>, origin: $vector<T>, way: $vector<T>) {
                let Ok(ray) = $d::Ray::new(origin, way) else { return };
                let options = RayOptions { max: T::INFINITY, ..RayOptions::default() };
                let found = match $d::cast_ray(shape, pose, &ray, options) {
                    Ok(found) => found,
                    Err(error) => return assert!(is_refusal(&error), "{error}"),
                };
                if let Some(hit) = found {
                    assert!(T::ZERO <= hit.t && hit.t.finite() && hit.point.finite(), "{hit:?}");
                }
                let (parts, are_exact) = parts(shape);
                let mut first = T::INFINITY;
                for (part, local) in &parts {
                    let placed = if *local == $pose::IDENTITY { pose } else { pose * *local };
                    let Ok(hit) = $d::cast_ray(part, placed, &ray, options) else { return };
                    first = hit.map_or(first, |hit| hit.t.min_of(first));
                }
                // Without a turn both see the same numbers; with one, what is next to an edge may be rounded to either side. Between
                // triangles that share an edge a ray does not get through where it misses both by rounding.
                let is_exact = are_exact && pose.rotation == $pose::IDENTITY.rotation;
                let is_late = found.is_none_or(|hit| first < hit.t) && first != T::INFINITY;
                assert!(!(is_exact && is_late), "{found:?} {first:?} {shape:?} {pose:?} {ray:?}");
            }
        }
    };
}

composite!(plane, d2, Vec2, Pose2, lines2, facets2);
composite!(room, d3, Vec3, Pose3, meshes3, facets3);

fn lines2<T: Real>(bytes: &mut Bytes<'_>) -> Option<d2::Shape<T>> {
    if bytes.below(3) == 0 {
        let heights: Vec<T> = (0..2 + bytes.below(6)).map(|_| T::from_f64(bytes.number())).collect();
        let field = made(d2::HeightField::new(heights, T::from_f64(bytes.number().abs())))?;
        let last = field.cells() - 1;
        // Without any cell there is no field.
        return Some(
            if bytes.below(3) == 0 { field.without_cells([last]).unwrap_or(field) } else { field }.into(),
        );
    }
    let points: Vec<Vec2<T>> = (0..2 + bytes.below(6)).map(|_| crate::plane::vector(bytes)).collect();
    let chain = if bytes.below(2) == 0 { d2::Polyline::new(points) } else { d2::Polyline::closed(points) };
    made(chain).map(Into::into)
}

fn meshes3<T: Real>(bytes: &mut Bytes<'_>) -> Option<d3::Shape<T>> {
    if bytes.below(3) == 0 {
        let [rows, columns] = [2 + bytes.below(2), 2 + bytes.below(3)];
        let mut row = || -> Vec<T> { (0..columns).map(|_| T::from_f64(bytes.number())).collect() };
        let heights: Vec<Vec<T>> = (0..rows).map(|_| row()).collect();
        let spacing = [0; 2].map(|_| T::from_f64(bytes.number().abs()));
        let field = made(d3::HeightField::new(heights, spacing))?;
        return Some(
            if bytes.below(3) == 0 { field.without_cells([[0, 0]]).unwrap_or(field) } else { field }.into(),
        );
    }
    let corners: Vec<Vec3<T>> = (0..3 + bytes.below(4)).map(|_| crate::room::vector(bytes)).collect();
    let mut corner = || bytes.below(corners.len()) as u32;
    let count = 1 + corner() as usize;
    let triangles: Vec<[u32; 3]> = (0..count).map(|_| [corner(), corner(), corner()]).collect();
    made(d3::TriangleMesh::new(corners, triangles)).map(Into::into)
}

/// The convex parts of anything but a compound, and whether they are the very numbers of the shape.
fn facets2<T: Real>(shape: &d2::Shape<T>) -> (Vec<d2::Shape<T>>, bool) {
    match shape {
        d2::Shape::Polyline(line) => {
            let points: Vec<Vec2<T>> = line.points().collect();
            let count = points.len() - usize::from(!line.is_closed());
            let segment = |index: usize| {
                let ends = d2::Segment::new(points[index], points[(index + 1) % points.len()]);
                ends.expect("the points are finite").into()
            };
            ((0..count).map(segment).collect(), true)
        }
        d2::Shape::HeightField(field) => {
            ((0..field.cells()).filter_map(|index| Some(field.segment(index)?.into())).collect(), false)
        }
        other => (vec![other.clone()], true),
    }
}

/// The same in space.
fn facets3<T: Real>(shape: &d3::Shape<T>) -> (Vec<d3::Shape<T>>, bool) {
    match shape {
        d3::Shape::Mesh(mesh) => {
            let count = mesh.triangles().len();
            ((0..count).filter_map(|index| Some(mesh.triangle(index)?.into())).collect(), true)
        }
        d3::Shape::HeightField(field) => {
            let count = 2 * field.cells().iter().product::<usize>() as u32;
            ((0..count).filter_map(|index| Some(field.triangle(index)?.into())).collect(), false)
        }
        other => (vec![other.clone()], true),
    }
}
