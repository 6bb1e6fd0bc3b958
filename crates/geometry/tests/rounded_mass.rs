//! Mass, centre and inertia of rounded shapes: against sums over columns, against each other, and against
//! their own laws.
#![allow(clippy::disallowed_methods)]

use carom_geometry::{Error, d2, d3};
use carom_math::{Mat3, Pose3, Quat, Vec2, Vec3};
use carom_oracle::generate::{Rng, unit_quaternion};

/// Mass, centre, and ∫xx, ∫yy, ∫zz, ∫yz, ∫zx, ∫xy about the centre.
type Numbers = [f64; 10];

fn numbers3(shape: &d3::Shape<f64>) -> Numbers {
    let found = d3::mass_properties(shape, 1.0).unwrap();
    let Mat3 { columns: [a, b, c] } = found.inertia;
    assert_eq!((a.y, a.z, b.z), (b.x, c.x, c.y));
    let half = (a.x + b.y + c.z) / 2.0;
    let center: [f64; 3] = found.center.into();
    let [x, y, z] = center;
    [found.mass, x, y, z, half - a.x, half - b.y, half - c.z, -b.z, -a.z, -a.y]
}

/// The same by columns along y, whose ends are where the distance from the core is the radius.
fn columns3(core: &d3::Shape<f64>, radius: f64, count: usize) -> Numbers {
    let rounded = d3::Rounded::new(core.clone(), radius).unwrap();
    let fit = d3::aabb(&rounded, [0.0; 3]).unwrap();
    let inside =
        |x: f64, y: f64, z: f64| d3::closest_point(core, [0.0; 3], [x, y, z]).unwrap().distance <= radius;
    let step = |low: f64, high: f64, index: usize| low + (high - low) * (index as f64 + 0.5) / count as f64;
    let cell = (fit.max.x - fit.min.x) * (fit.max.z - fit.min.z) / (count * count) as f64;
    let mut sums = [0.0; 10];
    for i in 0..count {
        for k in 0..count {
            let (x, z) = (step(fit.min.x, fit.max.x, i), step(fit.min.z, fit.max.z, k));
            // The distance is convex along a column: a golden section finds the middle of it.
            let distance = |y: f64| d3::closest_point(core, [0.0; 3], [x, y, z]).unwrap().distance;
            let (mut low, mut high) = (fit.min.y, fit.max.y);
            for _ in 0..40 {
                let (p, q) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
                if distance(p) < distance(q) {
                    high = q
                } else {
                    low = p
                }
                if inside(x, p, z) {
                    (low, high) = (p, p);
                }
            }
            if !inside(x, low, z) {
                continue;
            }
            let end = |mut outer: f64| {
                let mut inner = low;
                for _ in 0..30 {
                    let middle = (inner + outer) / 2.0;
                    if inside(x, middle, z) { inner = middle } else { outer = middle }
                }
                inner
            };
            let (bottom, top) = (end(fit.min.y), end(fit.max.y));
            let (y0, y1) = (top - bottom, (top * top - bottom * bottom) / 2.0);
            let y2 = (top * top * top - bottom * bottom * bottom) / 3.0;
            let terms = [y0, x * y0, y1, z * y0, x * x * y0, y2, z * z * y0, y1 * z, z * x * y0, x * y1];
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += term * cell;
            }
        }
    }
    let [mass, x, y, z, second @ ..] = sums;
    let (x, y, z) = (x / mass, y / mass, z / mass);
    let moved = [x * x, y * y, z * z, y * z, z * x, x * y];
    let second: [f64; 6] = std::array::from_fn(|index| second[index] - mass * moved[index]);
    [mass, x, y, z, second[0], second[1], second[2], second[3], second[4], second[5]]
}

fn assert_close(found: Numbers, expected: Numbers, tolerance: f64, what: &dyn std::fmt::Debug) {
    let second = expected[4] + expected[5] + expected[6];
    let length = (second / expected[0]).sqrt();
    for index in 0..10 {
        let unit = match index {
            0 => expected[0],
            1..=3 => length,
            _ => second,
        };
        let off = (found[index] - expected[index]).abs() / unit;
        assert!(off <= tolerance, "{index}: {off:e} {found:?} {expected:?} {what:?}");
    }
}

fn cores3() -> Vec<d3::Shape<f64>> {
    let skew = [[0.1, 0.2, -0.3], [1.5, 0.0, 0.1], [0.3, 1.1, 0.2], [0.0, 0.1, 0.9], [1.0, 0.9, 0.8]];
    vec![
        d3::Cuboid::new([0.7, 0.3, 0.5]).unwrap().into(),
        d3::Triangle::new([0.0, 0.0, 0.0], [1.5, 0.2, 0.1], [0.3, 0.9, 0.4]).unwrap().into(),
        d3::ConvexHull::new(skew).unwrap().into(),
        d3::ConvexHull::new([[0.0, 0.5, 0.0], [1.0, 0.5, 0.0], [1.2, 0.5, 0.7], [0.0, 0.5, 1.0]])
            .unwrap()
            .into(),
        d3::ConvexHull::new([[0.0, 0.5, 0.0], [1.0, 0.7, 0.2]]).unwrap().into(),
        d3::Cylinder::new(0.6, 0.4).unwrap().into(),
        d3::Cone::new(0.6, 0.5).unwrap().into(),
        d3::Cone::new(0.2, 1.5).unwrap().into(),
    ]
}

#[test]
fn rounded_solids_agree_with_sums_over_columns() {
    for core in cores3() {
        for radius in [0.15, 0.6] {
            let rounded = d3::Rounded::new(core.clone(), radius).unwrap();
            assert_close(numbers3(&rounded.into()), columns3(&core, radius, 40), 8e-3, &(&core, radius));
        }
    }
}

/// Boxes have two derivations, which agree to rounding; round things lie between prisms.
#[test]
fn rounded_solids_agree_with_each_other() {
    let rounded = |core: d3::Shape<f64>, radius| d3::Shape::from(d3::Rounded::new(core, radius).unwrap());
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let mut size = || rng.pick(&[0.0, 0.5, 1.0, 1e-3, 1e3, 0.7]);
        let (half, radius) = ([size(), size(), size()], size() + 0.25);
        let corners = carom_oracle::generate::box_corners(half);
        let (cuboid, hull) = (d3::Cuboid::new(half).unwrap(), d3::ConvexHull::new(corners).unwrap());
        let expected = numbers3(&rounded(cuboid.into(), radius));
        assert_close(numbers3(&rounded(hull.into(), radius)), expected, 1e-13, &(half, radius));
    }
    for sides in [100, 200] {
        let ring = |y: f64, radius: f64| {
            (0..sides).map(move |k| {
                let (s, c) = (f64::from(k) * std::f64::consts::TAU / f64::from(sides)).sin_cos();
                [radius * c, y, radius * s]
            })
        };
        let tolerance = 20.0 / f64::from(sides * sides);
        let prism = d3::ConvexHull::new(ring(-0.6, 0.4).chain(ring(0.6, 0.4))).unwrap();
        let cylinder = rounded(d3::Cylinder::new(0.6, 0.4).unwrap().into(), 0.3);
        assert_close(numbers3(&rounded(prism.into(), 0.3)), numbers3(&cylinder), tolerance, &sides);
        let pyramid = d3::ConvexHull::new(ring(-0.6, 0.4).chain([[0.0, 0.6, 0.0]])).unwrap();
        let cone = rounded(d3::Cone::new(0.6, 0.4).unwrap().into(), 0.3);
        assert_close(numbers3(&rounded(pyramid.into(), 0.3)), numbers3(&cone), tolerance, &sides);
    }
    // Without a radius of their own, cylinders and cones are segments.
    let capsule = d3::Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.75).unwrap();
    for core in
        [d3::Shape::from(d3::Cylinder::new(0.5, 0.0).unwrap()), d3::Cone::new(0.5, 0.0).unwrap().into()]
    {
        assert_close(numbers3(&rounded(core, 0.75)), numbers3(&capsule.into()), 1e-14, &"capsule");
    }
    let ball = d3::Ball::new(0.75).unwrap();
    for core in [
        d3::Shape::from(d3::Cylinder::new(0.0, 0.0).unwrap()),
        d3::Cone::new(0.0, 0.0).unwrap().into(),
        d3::Cuboid::new([0.0; 3]).unwrap().into(),
        d3::Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]).unwrap().into(),
    ] {
        assert_close(numbers3(&rounded(core, 0.75)), numbers3(&ball.into()), 1e-14, &"ball");
    }
}

/// A turned and moved hull has the turned and moved mass.
#[test]
fn rounded_hulls_turn_with_their_points() {
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let points: Vec<[f64; 3]> =
            (0..4 + rng.below(9)).map(|_| std::array::from_fn(|_| rng.uniform(-1.0, 1.0))).collect();
        let [x, y, z, w] = unit_quaternion(&mut rng);
        let pose = Pose3::new([3.0, -2.0, 1.0], Quat::new(x, y, z, w).unwrap());
        let mass = |points: Vec<Vec3<f64>>| {
            let hull = d3::Rounded::new(d3::ConvexHull::new(points).unwrap(), 0.3).unwrap();
            d3::mass_properties(&hull, 2.0).unwrap()
        };
        let here = mass(points.iter().map(|&p| p.into()).collect());
        let expected = here.rotated(pose.rotation).unwrap().translated(pose.translation).unwrap();
        let found = mass(points.iter().map(|&p| pose.point_to_world(p.into())).collect());
        let all = |m: &d3::MassProperties<f64>| {
            let [a, b, c]: [[f64; 3]; 3] = m.inertia.columns.map(Into::into);
            let center: [f64; 3] = m.center.into();
            [[m.mass; 3], center, a, b, c]
        };
        for (one, other) in all(&found).iter().flatten().zip(all(&expected).iter().flatten()) {
            assert!((one - other).abs() <= 1e-12 * expected.mass, "{found:?} {expected:?}");
        }
    }
}

#[test]
fn rounded_polygons_agree_with_sums_over_columns() {
    let cores: [d2::Shape<f64>; 5] = [
        d2::Cuboid::new([0.7, 0.3]).unwrap().into(),
        d2::Triangle::new([0.0, 0.0], [1.5, 0.2], [0.3, 0.9]).unwrap().into(),
        d2::Triangle::new([0.3, 0.9], [1.5, 0.2], [0.0, 0.0]).unwrap().into(),
        d2::ConvexPolygon::from_hull([[0.1, 0.2], [1.0, 0.0], [1.4, 0.8], [0.8, 1.2], [0.2, 1.0]])
            .unwrap()
            .into(),
        d2::ConvexPolygon::from_hull([[0.1, 0.2], [1.0, 0.0]]).unwrap().into(),
    ];
    for core in &cores {
        for radius in [0.15, 0.6] {
            let found = d2::mass_properties(&d2::Rounded::new(core.clone(), radius).unwrap(), 1.0).unwrap();
            let rounded = d2::Rounded::new(core.clone(), radius).unwrap();
            let fit = d2::aabb(&rounded, [0.0; 2]).unwrap();
            let distance =
                |x: f64, y: f64| d2::closest_point(core, [0.0; 2], [x, y]).unwrap().distance - radius;
            let count = 4000;
            let width = (fit.max.x - fit.min.x) / f64::from(count);
            let (mut area, mut first, mut second) = (0.0, Vec2::new(0.0, 0.0), 0.0);
            for index in 0..count {
                let x = fit.min.x + width * (f64::from(index) + 0.5);
                let (mut low, mut high) = (fit.min.y, fit.max.y);
                for _ in 0..60 {
                    let (p, q) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
                    if distance(x, p) < distance(x, q) { high = q } else { low = p }
                }
                let middle = low;
                let end = |mut outer: f64| {
                    let mut inner = middle;
                    for _ in 0..50 {
                        let next = (inner + outer) / 2.0;
                        if distance(x, next) <= 0.0 { inner = next } else { outer = next }
                    }
                    inner
                };
                let (bottom, top) = (end(fit.min.y), end(fit.max.y));
                area += width * (top - bottom);
                first += Vec2::new(x * (top - bottom), (top * top - bottom * bottom) / 2.0) * width;
                let cubes = (top * top * top - bottom * bottom * bottom) / 3.0;
                second += width * (x * x * (top - bottom) + cubes);
            }
            let center = first / area;
            let inertia = second - area * center.dot(center);
            assert!((found.mass - area).abs() <= 1e-5 * area, "{found:?} {area} {core:?}");
            assert!(
                (found.center - center).dot(found.center - center) <= 1e-10,
                "{found:?} {center:?} {core:?}"
            );
            assert!((found.inertia - inertia).abs() <= 1e-5 * inertia, "{found:?} {inertia} {core:?}");
        }
    }
}

/// Lengths times 2^k: masses times 2^(3k), inertias times 2^(5k), to the bit; and what is refused.
#[test]
fn rounded_masses_scale_to_the_bit() {
    for core in cores3() {
        let scale = |factor: f64| -> d3::Shape<f64> {
            let point = |p: Vec3<f64>| p * factor;
            let core: d3::Shape<f64> = match &core {
                d3::Shape::Cuboid(c) => d3::Cuboid::new(point(c.half_extents())).unwrap().into(),
                d3::Shape::Triangle(t) => {
                    let [a, b, c] = t.corners().map(point);
                    d3::Triangle::new(a, b, c).unwrap().into()
                }
                d3::Shape::Hull(h) => d3::ConvexHull::new(h.vertices().map(point)).unwrap().into(),
                d3::Shape::Cylinder(c) => {
                    d3::Cylinder::new(c.half_height() * factor, c.radius() * factor).unwrap().into()
                }
                d3::Shape::Cone(c) => {
                    d3::Cone::new(c.half_height() * factor, c.radius() * factor).unwrap().into()
                }
                other => panic!("{other:?}"),
            };
            d3::Rounded::new(core, 0.3 * factor).unwrap().into()
        };
        let here = d3::mass_properties(&scale(1.0), 1.0).unwrap();
        for exponent in [-180, -40, 7, 150] {
            let factor = carom_math::power_of_two(exponent);
            let there = d3::mass_properties(&scale(factor), 1.0).unwrap();
            assert_eq!(there.mass, here.mass * factor * factor * factor);
            assert_eq!(there.center, here.center * factor);
            for (a, b) in here.inertia.columns.into_iter().zip(there.inertia.columns) {
                assert_eq!(a * factor * factor * factor * factor * factor, b);
            }
        }
    }
    let egg = d3::Rounded::new(d3::Ellipsoid::new([1.0, 2.0, 1.0]).unwrap(), 0.5).unwrap();
    let error = d3::mass_properties(&egg, 1.0).unwrap_err();
    assert_eq!(error, Error::UnsupportedShape { operation: "mass", shape: "rounded" });
}

/// The largest deviation of mass and inertia by that of the whole, and of the centre by the length.
fn deviation(found: &d3::MassProperties<f64>, expected: &d3::MassProperties<f64>, length: f64) -> f64 {
    let entries = |m: &d3::MassProperties<f64>| m.inertia.columns.map(<[f64; 3]>::from).concat();
    let size = entries(expected).iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let inertia = entries(found).into_iter().zip(entries(expected)).map(|(a, b)| (a - b).abs() / size);
    let center: [f64; 3] = (found.center - expected.center).into();
    let others = [(found.mass / expected.mass - 1.0).abs()];
    inertia.chain(others).chain(center.map(|x| x.abs() / length)).fold(0.0, f64::max)
}

/// A triangle or hull of almost no height is a capsule, but for a share of its height; none is lost to rounding.
#[test]
fn rounded_needles_are_capsules() {
    let mass = |core: d3::Shape<f64>, radius: f64| {
        d3::mass_properties(&d3::Rounded::new(core, radius).unwrap(), 1.0).unwrap()
    };
    let mut rng = Rng::new(9);
    for round in 0..300 {
        let mut place = || Vec3::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
        let (mut a, mut b, up, out) = (place(), place(), place(), place());
        if round % 3 == 0 {
            // Along an axis heights may be smaller than any rounding.
            (a, b) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0));
        }
        let unit = carom_math::power_of_two([0, -150, 150][round % 3]);
        for height in [1e-6, 1e-10, 1e-13, 1e-15, 1e-16, 1e-17, 1e-20, 1e-30, 1e-100] {
            let between =
                |share: f64, lift: Vec3<f64>| (a * (1.0 - share) + b * share + lift * height) * unit;
            let (p, q, radius) = (a * unit, b * unit, 0.2 * unit);
            let capsule = d3::mass_properties(&d3::Capsule::new(p, q, radius).unwrap(), 1.0).unwrap();
            let triangle = |c: Vec3<f64>| d3::Triangle::new(p, q, c).unwrap().into();
            let hull = [p, q, between(0.3, up), between(0.6, out), between(0.5, -up)];
            let cores: [d3::Shape<f64>; 3] = [
                triangle(between(0.5, up)),
                triangle(between(0.3, out)),
                d3::ConvexHull::new(hull).unwrap().into(),
            ];
            for core in cores {
                let off = deviation(&mass(core.clone(), radius), &capsule, unit);
                // A layer of this height around the axis, which is 0.2 thick, and the ends.
                assert!(off <= 40.0 * height + 4e-15, "{height:e} {off:e} {core:?}");
            }
        }
    }
    // Half way between two corners, up to rounding: once the ball of the radius alone.
    let (a, b) = (Vec3::new(0.1, 0.7, -0.3), Vec3::new(-0.3, 0.1, 0.7));
    let capsule = d3::mass_properties(&d3::Capsule::new(a, b, 0.2).unwrap(), 1.0).unwrap();
    let found = mass(d3::Triangle::new(a, b, (a + b) * 0.5).unwrap().into(), 0.2);
    assert!(deviation(&found, &capsule, 1.0) <= 1e-15, "{found:?} {capsule:?}");
}

/// About its long axis a long box turns as easily as its section says: the two derivations agree entry by entry.
#[test]
fn long_rounded_hulls_turn_about_their_axis_as_boxes_do() {
    for half in [[0.5, 0.65, 5e5], [0.5, 0.65, 5e8], [3e7, 0.1, 0.2], [0.1, 4e10, 4e10], [1e-9, 1e-16, 1.0]] {
        for radius in [0.01, 0.2] {
            let hull = d3::ConvexHull::new(carom_oracle::generate::box_corners(half)).unwrap();
            let hull = d3::mass_properties(&d3::Rounded::new(hull, radius).unwrap(), 1.0).unwrap();
            let cuboid = d3::Rounded::new(d3::Cuboid::new(half).unwrap(), radius).unwrap();
            let cuboid = d3::mass_properties(&cuboid, 1.0).unwrap();
            for axis in 0..3 {
                let [found, expected] =
                    [hull, cuboid].map(|m| <[f64; 3]>::from(m.inertia.columns[axis])[axis]);
                assert!((found / expected - 1.0).abs() <= 1e-14, "{found:e} {expected:e} {half:?} {radius}");
            }
        }
    }
}
