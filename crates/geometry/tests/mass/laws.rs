//! What holds of masses at any scale and in any frame: powers of two, the ends of the range, parts and wholes.

use super::*;

/// value·2^exponent, rounded once.
fn shifted(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * power_of_two(half) * power_of_two(exponent - half)
}

fn check_scaling<W: Space<Scalar = f64>>(
    base: MassProperties<W>,
    scaled: Result<MassProperties<W>, Error>,
    exponent: i32,
    numbers: impl Fn(W::Inertia) -> Vec<f64>,
) {
    let dimension = W::DIM as i32;
    let mass = shifted(base.mass, dimension * exponent);
    let inertia: Vec<f64> =
        numbers(base.inertia).iter().map(|&x| shifted(x, (dimension + 2) * exponent)).collect();
    if !mass.is_finite() || inertia.iter().any(|x| !x.is_finite()) {
        assert!(matches!(scaled, Err(Error::Overflow { .. })), "{scaled:?}");
        return;
    }
    let scaled = scaled.unwrap();
    assert_eq!(scaled.mass, mass);
    assert_eq!(numbers(scaled.inertia), inertia);
    for axis in 0..W::DIM {
        assert_eq!(scaled.center.get(axis), shifted(base.center.get(axis), exponent));
    }
}

#[test]
fn powers_of_two_scale_exactly() {
    let mut rng = Rng::new(8);
    for _ in 0..500 {
        let exponent = rng.pick(&[-40, -7, 1, 13, 40, 190, 300, -150, -100]);
        let f = |x: f64| shifted(x, exponent);
        let [x, y, z] = [0; 3].map(|_| length(&mut rng));
        let [a, b, c] =
            [0; 3].map(|_| generate::point::<2>(&mut rng).map(|x| if x.abs() < 1e-30 { 0.0 } else { x }));
        let pairs: [[d2::Shape<f64>; 2]; 4] = [
            [d2::Ball::new(x).unwrap().into(), d2::Ball::new(f(x)).unwrap().into()],
            [d2::Cuboid::new([x, y]).unwrap().into(), d2::Cuboid::new([f(x), f(y)]).unwrap().into()],
            [
                d2::Capsule::new(a, b, x).unwrap().into(),
                d2::Capsule::new(a.map(f), b.map(f), f(x)).unwrap().into(),
            ],
            [
                d2::Triangle::new(a, b, c).unwrap().into(),
                d2::Triangle::new(a.map(f), b.map(f), c.map(f)).unwrap().into(),
            ],
        ];
        for [base, scaled] in pairs {
            let base = d2::mass_properties(&base, y).unwrap();
            check_scaling(base, d2::mass_properties(&scaled, y), exponent, |inertia| vec![inertia]);
        }
        let [a, b] =
            [0; 2].map(|_| generate::point::<3>(&mut rng).map(|x| if x.abs() < 1e-30 { 0.0 } else { x }));
        let pairs: [[d3::Shape<f64>; 2]; 5] = [
            [d3::Ball::new(x).unwrap().into(), d3::Ball::new(f(x)).unwrap().into()],
            [d3::Cuboid::new([x, y, z]).unwrap().into(), d3::Cuboid::new([f(x), f(y), f(z)]).unwrap().into()],
            [
                d3::Capsule::new(a, b, x).unwrap().into(),
                d3::Capsule::new(a.map(f), b.map(f), f(x)).unwrap().into(),
            ],
            [d3::Cylinder::new(x, y).unwrap().into(), d3::Cylinder::new(f(x), f(y)).unwrap().into()],
            [d3::Cone::new(x, y).unwrap().into(), d3::Cone::new(f(x), f(y)).unwrap().into()],
        ];
        for [base, scaled] in pairs {
            let base = d3::mass_properties(&base, z).unwrap();
            check_scaling(base, d3::mass_properties(&scaled, z), exponent, |m| entries(m).to_vec());
        }
        let (vertices, triangles) = box_mesh([x, y, z]);
        let scaled: Vec<_> = vertices.iter().map(|v| v.map(f)).collect();
        let base = d3::mesh_mass(&vertices, &triangles, 1.0).unwrap();
        check_scaling(base, d3::mesh_mass(&scaled, &triangles, 1.0), exponent, |m| entries(m).to_vec());
    }
}

#[test]
fn sizes_at_the_ends_of_the_range_are_legal() {
    let slab = d2::mass_properties(&d2::Cuboid::new([1e-200, 1e200]).unwrap(), 1e-300).unwrap();
    assert!(close(slab.mass, 4e-300, 4.0 * EPSILON) && close(slab.inertia, 4e100 / 3.0, 4.0 * EPSILON));
    let dust = d3::mass_properties(&d3::Ball::new(1e-150).unwrap(), 1e300).unwrap();
    assert!(close(dust.mass, 4.0 / 3.0 * std::f64::consts::PI * 1e-150, 8.0 * EPSILON));
    assert_eq!(entries(dust.inertia)[0], 0.0);
    let speck = d3::mass_properties(&d3::Ball::new(1e-300).unwrap(), 1.0).unwrap();
    assert_eq!(speck.mass, 0.0);
    let overflow = Error::Overflow { what: "the inertia", number: "f64" };
    assert_eq!(d3::mass_properties(&d3::Ball::new(1e300).unwrap(), 1.0), Err(overflow.clone()));
    assert_eq!(d2::mass_properties(&d2::Ball::new(1e300).unwrap(), 1.0), Err(overflow));
    let narrow = d2::mass_properties(&d2::Ball::new(1e15_f32).unwrap(), 1.0);
    assert_eq!(narrow, Err(Error::Overflow { what: "the inertia", number: "f32" }));
    let sliver = [[0.0, 0.0], [1e-200, 0.0], [0.0, 1e200]];
    let found = d2::polygon_mass(&vectors(&sliver), 1.0).unwrap_err();
    assert!(matches!(found, Error::Overflow { .. }));
    let found = d2::polygon_mass(&vectors(&sliver), 1e-200).unwrap();
    assert!(close(found.mass, 5e-201, 4.0 * EPSILON) && close(found.inertia, 1e200 / 36.0, 4.0 * EPSILON));
    let segment = d2::Segment::new([f64::MAX, f64::MAX], [f64::MAX, -f64::MAX]).unwrap();
    let middle = d2::mass_properties(&segment, 1.0).unwrap();
    assert_eq!((middle.mass, middle.center, middle.inertia), (0.0, Vec2::new(f64::MAX, 0.0), 0.0));
}

#[test]
fn thin_and_infinite_shapes() {
    let triangle = d3::Triangle::new([0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 6.0, 0.0]).unwrap();
    let thin = d3::mass_properties(&triangle, 7.0).unwrap();
    assert_eq!((thin.mass, thin.center, thin.inertia), (0.0, Vec3::new(1.0, 2.0, 0.0), Mat3::default()));
    let segment = d3::Segment::new([0.0, 0.0, 0.0], [3.0, 0.0, 2.0]).unwrap();
    assert_eq!(d3::mass_properties(&segment, 7.0).unwrap().center, Vec3::new(1.5, 0.0, 1.0));
    let rod = d3::mass_properties(&d3::Capsule::new([0.0; 3], [0.0, 2.0, 0.0], 0.0).unwrap(), 1.0).unwrap();
    assert_eq!((rod.mass, rod.center.y, rod.inertia), (0.0, 1.0, Mat3::default()));
    for half in [[0.0, 1.0, 1.0], [0.0; 3]] {
        assert_eq!(d3::mass_properties(&d3::Cuboid::new(half).unwrap(), 1.0).unwrap().mass, 0.0);
    }
    // Flat, but not along an axis: decided against rounding.
    let flat: Vec<Vec2<f64>> = vectors(&[[0.1, 0.3], [0.2, 0.6], [0.3, 0.9], [0.7, 2.1]]);
    let found = d2::polygon_mass(&flat, 1.0).unwrap();
    assert!(found.mass <= 1e-16 && 0.0 < found.center.x && found.center.x <= 0.7, "{found:?}");
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let infinite = Err(Error::UnsupportedShape { operation: "mass", shape: "half_space" });
    assert_eq!(d3::mass_properties(&ground, 1.0), infinite);
    let ball = d3::Ball::new(1.0).unwrap();
    assert_eq!(d3::mass_properties(&ball, -1.0), Err(Error::Negative { what: "density", value: -1.0 }));
    assert!(matches!(d3::mass_properties(&ball, f64::NAN), Err(Error::NotFinite { what: "density", .. })));
    assert_eq!(d3::mass_properties(&ball, 0.0).unwrap().mass, 0.0);
}

#[test]
fn meshes_that_are_not_closed_are_refused() {
    let (vertices, triangles) = box_mesh([1.0; 3]);
    assert_eq!(
        d3::mesh_mass(&vertices, &triangles[1..], 1.0),
        Err(Error::NotClosed { what: "triangles", first: 1, second: 0 })
    );
    let mut flipped = triangles.clone();
    flipped[3].swap(0, 1);
    assert!(matches!(d3::mesh_mass(&vertices, &flipped, 1.0), Err(Error::NotClosed { .. })));
    let mut beyond = triangles;
    beyond[2][1] = 8;
    let error = Error::NoSuchVertex { triangle: 2, vertex: 8, count: 8 };
    assert_eq!(d3::mesh_mass(&vertices, &beyond, 1.0), Err(error));
    assert!(matches!(d3::mesh_mass::<f64>(&[], &[], 1.0), Err(Error::TooFewPoints { .. })));
    assert_eq!(d3::mesh_mass(&vertices, &[], 1.0).unwrap().mass, 0.0);
    assert_eq!(d3::mesh_mass(&vertices, &[[0, 1, 2], [2, 1, 0]], 1.0).unwrap().mass, 0.0);
    // A hollow box: the hole is wound the other way.
    let (inner, hole) = box_mesh([0.5; 3]);
    let (mut hollow, mut faces) = box_mesh([1.0; 3]);
    hollow.extend(inner);
    faces.extend(hole.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    assert_eq!(d3::mesh_mass(&hollow, &faces, 1.0).unwrap().mass, 7.0);
}

#[test]
fn parts_make_a_whole() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        // A box in eight, far away; then turned as a whole or part by part.
        let half = [0; 3].map(|_| f64::from(rng.between(1, 32)) / 8.0);
        let far = Vec3::from([0; 3].map(|_| f64::from(rng.between(-3, 3)) * rng.pick(&[1.0, 1e6])));
        let whole =
            d3::mass_properties(&d3::Cuboid::new(half).unwrap(), 3.0).unwrap().translated(far).unwrap();
        let eighth = d3::mass_properties(&d3::Cuboid::new(half.map(|x| x / 2.0)).unwrap(), 3.0).unwrap();
        let corners = generate::box_corners(half.map(|x| x / 2.0));
        let parts = corners.iter().map(|&corner| eighth.translated(far + corner.into()).unwrap());
        let merged = d3::MassProperties::merged(parts.clone()).unwrap();
        assert_eq!((merged.mass, merged.center), (whole.mass, whole.center));
        let size =
            whole.inertia.columns.iter().fold(0.0, |m: f64, c| if m < c.max_abs() { c.max_abs() } else { m });
        for (a, b) in entries(merged.inertia).into_iter().zip(entries(whole.inertia)) {
            assert!((a - b).abs() <= 8.0 * EPSILON * size);
        }
        let [x, y, z, w] = unit_quaternion(&mut rng);
        let rotation = Quat::new(x, y, z, w).unwrap();
        let turned = whole.rotated(rotation).unwrap();
        let merged = d3::MassProperties::merged(parts.map(|part| part.rotated(rotation).unwrap())).unwrap();
        let reach = whole.center.max_abs();
        assert!((merged.center - turned.center).max_abs() <= 16.0 * EPSILON * (reach + 4.0));
        for (a, b) in entries(merged.inertia).into_iter().zip(entries(turned.inertia)) {
            // The centres of the parts were rounded at their distance from the origin.
            assert!((a - b).abs() <= 32.0 * EPSILON * (size + whole.mass * reach * 8.0));
        }
        // The eigenvalues do not turn, and the axes are those of the box.
        let moments = whole.principal_axes().unwrap().moments;
        let principal = turned.principal_axes().unwrap();
        for (a, b) in principal.moments.into_iter().zip(moments) {
            assert!((a - b).abs() <= 16.0 * EPSILON * size);
        }
        for (axis, moment) in principal.axes.columns.into_iter().zip(moments) {
            assert!((turned.inertia * axis - axis * moment).max_abs() <= 32.0 * EPSILON * size);
        }
        // Steiner: about another point, and back to the origin by hand.
        let about = whole.inertia_about(Vec3::ZERO).unwrap();
        let (c, m) = (whole.center, whole.mass);
        let by_hand = whole.inertia.columns[0].x + m * (c.y * c.y + c.z * c.z);
        assert!(close(about.columns[0].x, by_hand, 4.0 * EPSILON));
    }
    assert_eq!(d3::MassProperties::<f64>::merged([]).unwrap().mass, 0.0);
    let speck = d2::mass_properties(&d2::Ball::new(0.0).unwrap(), 1.0).unwrap();
    let specks = d2::MassProperties::merged([speck, speck.translated([4.0, 0.0]).unwrap()]).unwrap();
    assert_eq!((specks.mass, specks.center, specks.inertia), (0.0, Vec2::new(2.0, 0.0), 0.0));
}

#[test]
fn polygons_turn_with_their_frame() {
    let mut rng = Rng::new(10);
    for _ in 0..500 {
        let points: Vec<Vec2<f64>> = vectors(&polygon(&mut rng));
        let found = d2::polygon_mass(&points, 2.0).unwrap();
        // By quarter turns exactly, also in space.
        let quarter = Rot2::from_cos_sin(0.0, 1.0).unwrap();
        let turned: Vec<_> = points.iter().map(|&p| quarter.rotate(p)).collect();
        let again = d2::polygon_mass(&turned, 2.0).unwrap();
        let expected = found.rotated(quarter).unwrap();
        assert!(close(again.mass, found.mass, EPSILON) && close(again.inertia, found.inertia, 4.0 * EPSILON));
        assert!((again.center - expected.center).max_abs() <= EPSILON * (found.center.max_abs() + 20.0));
        let narrow: Vec<Vec2<f32>> = points.iter().map(|p| Vec2::new(p.x as f32, p.y as f32)).collect();
        let wide: Vec<Vec2<f64>> = narrow.iter().map(|p| p.widen()).collect();
        let (narrow, wide) = (d2::polygon_mass(&narrow, 2.0).unwrap(), d2::polygon_mass(&wide, 2.0).unwrap());
        assert_eq!((narrow.mass, narrow.inertia), (wide.mass as f32, wide.inertia as f32));
    }
}

#[test]
fn any_bits_are_answered() {
    let mut rng = Rng::new(11);
    for _ in 0..5000 {
        let mut next = || any_bits(&mut rng);
        let (a, b, c, density) = ([next(), next()], [next(), next()], [next(), next()], next());
        let flat: [Option<d2::Shape<f64>>; 4] = [
            d2::Ball::new(a[0]).ok().map(Into::into),
            d2::Cuboid::new(a).ok().map(Into::into),
            d2::Capsule::new(a, b, c[0].abs()).ok().map(Into::into),
            d2::Triangle::new(a, b, c).ok().map(Into::into),
        ];
        for shape in flat.into_iter().flatten() {
            for density in [density, density.abs(), 1.0] {
                if let Ok(mass) = d2::mass_properties(&shape, density) {
                    assert!(0.0 <= mass.mass && 0.0 <= mass.inertia && mass.inertia.is_finite(), "{shape:?}");
                    assert!(mass.center.finite());
                    let _ = mass.translated(b);
                    let _ = d2::MassProperties::merged([mass, mass.translated(a).unwrap_or(mass)])
                        .map(|m| m.inertia_about(c));
                }
            }
        }
        let mut next = || any_bits(&mut rng);
        let [a, b, c, d] = [0; 4].map(|_| [next(), next(), next()]);
        let solid: [Option<d3::Shape<f64>>; 4] = [
            d3::Cuboid::new(a.map(f64::abs)).ok().map(Into::into),
            d3::Capsule::new(a, b, c[0].abs()).ok().map(Into::into),
            d3::Cylinder::new(a[0].abs(), b[0].abs()).ok().map(Into::into),
            d3::Cone::new(a[0].abs(), b[0].abs()).ok().map(Into::into),
        ];
        let masses = solid.into_iter().flatten().map(|shape| d3::mass_properties(&shape, density.abs()));
        let mesh = d3::mesh_mass(&vectors(&[a, b, c, d]), &TETRAHEDRON, density.abs());
        for mass in masses.chain([mesh]).flatten() {
            assert!(
                0.0 <= mass.mass && mass.center.finite() && mass.inertia.columns.iter().all(|c| c.finite())
            );
            if let Ok(principal) = mass.principal_axes() {
                assert!(principal.moments.iter().all(|m| 0.0 <= *m));
            }
            if let Some(rotation) = Quat::new(a[0], a[1], b[0], c[2]) {
                let _ = mass.rotated(rotation);
            }
            let _ = d3::MassProperties::merged([mass, mass]);
        }
        let odd = d3::MassProperties {
            mass: next(),
            center: a.into(),
            inertia: Mat3 { columns: [a, b, c].map(Vec3::from) },
        };
        let _ = (
            odd.principal_axes(),
            odd.translated(b),
            odd.inertia_about(c),
            d3::MassProperties::merged([odd, odd]),
        );
        let narrow: Vec<Vec2<f32>> =
            (0..5).map(|_| Vec2::new(any_bits_f32(&mut rng), any_bits_f32(&mut rng))).collect();
        let _ = d2::polygon_mass(&narrow, any_bits_f32(&mut rng));
    }
}
