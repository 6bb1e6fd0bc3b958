//! Mass, centre and inertia against rational arithmetic, quadrature and the laws of mechanics.

use carom_geometry::mass::{MassProperties, Space};
use carom_geometry::{Error, d2, d3};
use carom_math::{Mat3, Quat, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{
    self, Rng, any_bits, any_bits_f32, lattice_point, length, offset, power_of_two, unit_quaternion,
};
use carom_oracle::rational::{Rational, V, exact, exact_points, fraction, magnitude, to_f64};

const EPSILON: f64 = f64::EPSILON;

/// |found − truth| / |truth|, exactly until the end.
fn relative_error(found: f64, truth: &Rational) -> f64 {
    if *truth == Rational::ZERO {
        return if found == 0.0 { 0.0 } else { f64::INFINITY };
    }
    to_f64(&(magnitude(&(exact(found) - truth)) / magnitude(truth)))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs()
}

/// The entries of a symmetric matrix: xx, yy, zz, yz, zx, xy.
fn entries(m: Mat3<f64>) -> [f64; 6] {
    let [x, y, z] = m.columns;
    assert_eq!((x.y, x.z, y.z), (y.x, z.x, z.y), "not symmetric");
    [x.x, y.y, z.z, y.z, z.x, x.y]
}

// ---- The plane -------------------------------------------------------------------------------------

/// Area, centroid, ∫x², ∫y², ∫xy about the centroid: Green's theorem in rationals, about the origin.
fn polygon_moments(points: &[[f64; 2]]) -> (Rational, V<2>, [Rational; 3]) {
    let ring = exact_points(points);
    let n = ring.len();
    let mut sums: [Rational; 6] = std::array::from_fn(|_| Rational::ZERO);
    for i in 0..n {
        let ([x, y], [u, v]) = (&ring[i].0, &ring[(i + 1) % n].0);
        let cross = x * v - u * y;
        sums[0] += &cross;
        sums[1] += &cross * (x + u);
        sums[2] += &cross * (y + v);
        sums[3] += &cross * (x * x + x * u + u * u);
        sums[4] += &cross * (y * y + y * v + v * v);
        sums[5] += &cross * (x * v + x * y * fraction(2, 1) + u * v * fraction(2, 1) + u * y);
    }
    let [twice, x, y, xx, yy, xy] = sums;
    let area = &twice * fraction(1, 2);
    let (cx, cy) = (x / (&area * fraction(6, 1)), y / (&area * fraction(6, 1)));
    let second = [
        xx * fraction(1, 12) - &area * &cx * &cx,
        yy * fraction(1, 12) - &area * &cy * &cy,
        xy * fraction(1, 24) - &area * &cx * &cy,
    ];
    let sign = if area < Rational::ZERO { fraction(-1, 1) } else { fraction(1, 1) };
    (&area * &sign, V([cx, cy]), second.map(|m| m * &sign))
}

/// A simple polygon: a lower and an upper chain over rising x, thick or thin, sheared, near or far.
fn polygon(rng: &mut Rng) -> Vec<[f64; 2]> {
    let n = 1 + rng.below(5);
    let (random, thin) = (rng.one_in(2), rng.pick(&[1.0, 1.0, 1e-3, power_of_two(-20), 1e-9]));
    let slope = rng.pick(&[0.0, 0.0, 1.0, -3.0, 1.0 / 3.0]);
    let (far_x, far_y) = if rng.one_in(3) { (offset(rng), offset(rng)) } else { (0.0, 0.0) };
    let height =
        |rng: &mut Rng| thin * if random { rng.uniform(0.1, 2.0) } else { f64::from(rng.between(1, 4)) };
    let step = |rng: &mut Rng| if random { rng.uniform(0.1, 1.0) } else { f64::from(rng.between(1, 3)) };
    let chain = |rng: &mut Rng, sign: f64| -> Vec<[f64; 2]> {
        let mut x = 0.0;
        (0..n)
            .map(|_| {
                x += step(rng);
                [x, sign * height(rng)]
            })
            .collect()
    };
    let mut lower = chain(rng, -1.0);
    let mut upper = chain(rng, 1.0);
    let end = lower.iter().chain(&upper).fold(0.0, |m: f64, p| if m < p[0] { p[0] } else { m }) + 1.0;
    upper.reverse();
    let mut ring = vec![[0.0, 0.0]];
    ring.append(&mut lower);
    ring.push([end, 0.0]);
    ring.append(&mut upper);
    for p in &mut ring {
        *p = [p[0] + far_x, p[1] + slope * p[0] + far_y];
    }
    if rng.one_in(4) {
        let i = rng.below(ring.len());
        ring.insert(i, ring[i]);
    }
    if rng.one_in(2) {
        ring.reverse();
    }
    ring
}

fn vectors<const D: usize, W: From<[f64; D]>>(points: &[[f64; D]]) -> Vec<W> {
    points.iter().map(|&p| p.into()).collect()
}

#[test]
fn polygons_agree_with_exact_integrals() {
    let mut rng = Rng::new(1);
    let mut worst = [0.0_f64; 3];
    for _ in 0..1500 {
        let points = polygon(&mut rng);
        let (area, center, [xx, yy, _]) = polygon_moments(&points);
        let found = d2::polygon_mass(&vectors(&points), 1.0).unwrap();
        let box_area = {
            let range = |axis: usize| {
                let all = || points.iter().map(|p| p[axis]);
                all().fold(f64::MIN, |m, x| if m < x { x } else { m })
                    - all().fold(f64::MAX, |m, x| if x < m { x } else { m })
            };
            range(0) * range(1)
        };
        // Rounding the far corners can turn a sliver over; what has no area to speak of is no polygon.
        if to_f64(&area) < 1e-13 * box_area {
            continue;
        }
        let errors = [
            relative_error(found.mass, &area),
            relative_error(found.inertia, &(&xx + &yy)),
            relative_error(found.center.x, &center.0[0]) / (1.0 + box_area.sqrt() / found.center.x.abs()),
        ];
        for (worst, error) in worst.iter_mut().zip(errors) {
            *worst = if *worst < error { error } else { *worst };
        }
        assert!(errors.iter().all(|&error| error <= 2.0 * EPSILON), "{errors:?} {points:?}");
    }
    assert!(worst[0] <= EPSILON, "{worst:?}");
}

#[test]
fn triangles_and_rectangles_are_polygons() {
    let mut rng = Rng::new(2);
    for _ in 0..500 {
        let corners: [[f64; 2]; 3] = [0; 3].map(|_| generate::point(&mut rng));
        let [a, b, c] = corners;
        let triangle = d2::mass_properties(&d2::Triangle::new(a, b, c).unwrap(), 2.0).unwrap();
        assert_eq!(Ok(triangle), d2::polygon_mass(&vectors(&corners), 2.0));
        let [a, b, c] = exact_points(&corners).try_into().unwrap();
        let twice = magnitude(&(&b - &a).perp_dot(&(&c - &a)));
        let squares = (&b - &a).norm_squared() + (&c - &b).norm_squared() + (&a - &c).norm_squared();
        // m/36·(|ab|² + |bc|² + |ca|²), with mass = 2·area.
        assert!(relative_error(triangle.mass, &twice) <= EPSILON, "{corners:?}");
        assert!(
            relative_error(triangle.inertia, &(twice * squares / fraction(36, 1))) <= 2.0 * EPSILON,
            "{corners:?}"
        );

        let half = [0; 2].map(|_| length(&mut rng));
        let cuboid = d2::mass_properties(&d2::Cuboid::new(half).unwrap(), 3.0).unwrap();
        let corners = generate::box_corners(half);
        let ring = [corners[0], corners[1], corners[3], corners[2]];
        let same = d2::polygon_mass(&vectors(&ring), 3.0).unwrap();
        assert!(
            close(same.mass, cuboid.mass, 2.0 * EPSILON)
                && close(same.inertia, cuboid.inertia, 4.0 * EPSILON)
        );
        assert_eq!(same.center, Vec2::ZERO);
    }
}

/// ∫ f over [low, high], by Gauss' three points in each of many panels.
fn quadrature(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let panels = 64;
    let width = (high - low) / f64::from(panels);
    let node = 0.6_f64.sqrt();
    let mut sum = 0.0;
    for panel in 0..panels {
        let middle = low + (f64::from(panel) + 0.5) * width;
        let at = |x: f64| f(middle + x * width / 2.0);
        sum += (at(-node) * 5.0 + at(0.0) * 8.0 + at(node) * 5.0) / 18.0 * width;
    }
    sum
}

#[test]
fn round_shapes_of_the_plane_agree_with_quadrature() {
    let mut rng = Rng::new(3);
    for round in 0..200 {
        let (radius, half) = (length(&mut rng), if round % 4 == 0 { 0.0 } else { length(&mut rng) });
        let direction: [f64; 2] = generate::unit_vector(&mut rng);
        let middle: [f64; 2] = lattice_point(&mut rng);
        let end = |sign: f64| Vec2::from(middle) + Vec2::from(direction) * (sign * half);
        let found =
            d2::mass_properties(&d2::Capsule::new(end(-1.0), end(1.0), radius).unwrap(), 1.0).unwrap();
        // Strips across the axis: width w at distance t has area w and moment w³/12 + w·t². On the caps
        // t = half + r·2u/(1 + u²), w = 2r·(1 − u²)/(1 + u²), with u from 0 to 1.
        let cap = |moment: bool| {
            quadrature(0.0, 1.0, |u| {
                let q = 1.0 + u * u;
                let (t, w) = (half + radius * 2.0 * u / q, 2.0 * radius * (1.0 - u * u) / q);
                let dt = radius * 2.0 * (1.0 - u * u) / (q * q);
                dt * if moment { w * w * w / 12.0 + w * t * t } else { w }
            })
        };
        let strip = |moment: bool| {
            let w = 2.0 * radius;
            quadrature(0.0, half, |t| if moment { w * w * w / 12.0 + w * t * t } else { w })
        };
        let (area, inertia) = (2.0 * (cap(false) + strip(false)), 2.0 * (cap(true) + strip(true)));
        // The ends are rounded where they lie.
        let tolerance = 1e-12 + 16.0 * EPSILON * (2.0 + half) / (radius + half);
        assert!(close(found.mass, area, tolerance), "{radius} {half}");
        assert!(close(found.inertia, inertia, tolerance), "{radius} {half}");
        assert!((found.center - Vec2::from(middle)).max_abs() <= 4.0 * EPSILON * (2.0 + half));
        if half == 0.0 {
            let ball = d2::mass_properties(&d2::Ball::new(radius).unwrap(), 1.0).unwrap();
            assert_eq!((ball.mass, ball.inertia), (found.mass, found.inertia));
        }
    }
}

// ---- Space -----------------------------------------------------------------------------------------

/// A solid of revolution about y with squared radius `square(y)`: volume, centre, I∥, I⊥. Discs of radius
/// R have πR⁴/2 about the axis and πR⁴/4 + πR²·y² across it. Exact for polynomials up to degree five.
fn revolution(pieces: &[(f64, f64)], square: impl Fn(f64) -> f64) -> [f64; 4] {
    let integral =
        |f: &dyn Fn(f64) -> f64| pieces.iter().map(|&(low, high)| quadrature(low, high, f)).sum::<f64>();
    let pi = std::f64::consts::PI;
    let volume = pi * integral(&square);
    let center = pi * integral(&|y| y * square(y)) / volume;
    let along = pi / 2.0 * integral(&|y| square(y) * square(y));
    let across = along / 2.0 + pi * integral(&|y| square(y) * (y - center) * (y - center));
    [volume, center, along, across]
}

#[test]
fn round_shapes_of_space_agree_with_quadrature() {
    let mut rng = Rng::new(4);
    for round in 0..200 {
        let (radius, half) = (length(&mut rng), length(&mut rng));
        let check = |found: d3::MassProperties<f64>, [volume, center, along, across]: [f64; 4]| {
            let [x, y, z, yz, zx, xy] = entries(found.inertia);
            assert!(close(found.mass, volume, 1e-12), "{radius} {half}");
            assert_eq!((found.center.x, found.center.z), (0.0, 0.0));
            assert!((found.center.y - center).abs() <= 1e-12 * (half + radius));
            assert!(close(y, along, 1e-12) && close(x, across, 1e-11) && x == z, "{radius} {half}");
            assert_eq!((yz, zx, xy), (0.0, 0.0, 0.0));
        };
        let cylinder = d3::mass_properties(&d3::Cylinder::new(half, radius).unwrap(), 1.0).unwrap();
        check(cylinder, revolution(&[(-half, half)], |_| radius * radius));
        let cone = d3::mass_properties(&d3::Cone::new(half, radius).unwrap(), 1.0).unwrap();
        let narrowing = |y: f64| radius * (half - y) / (2.0 * half);
        check(cone, revolution(&[(-half, half)], |y| narrowing(y) * narrowing(y)));
        let capsule = d3::Capsule::new([0.0, -half, 0.0], [0.0, half, 0.0], radius).unwrap();
        let capsule = d3::mass_properties(&capsule, 1.0).unwrap();
        let beyond = |y: f64| if y.abs() < half { 0.0 } else { y.abs() - half };
        let pieces = [(-half - radius, -half), (-half, half), (half, half + radius)];
        check(capsule, revolution(&pieces, |y| radius * radius - beyond(y) * beyond(y)));
        let ball = d3::mass_properties(&d3::Ball::new(radius).unwrap(), 1.0).unwrap();
        check(ball, revolution(&[(-radius, radius)], |y| radius * radius - y * y));
        let point = Vec3::from(lattice_point::<3>(&mut rng));
        let short = d3::mass_properties(&d3::Capsule::new(point, point, radius).unwrap(), 1.0).unwrap();
        assert_eq!(short, ball.translated(point).unwrap());

        // Any axis: the tensor turned by hand and by the library.
        let [x, y, z, w] =
            if round % 2 == 0 { generate::cube_rotation(&mut rng) } else { unit_quaternion(&mut rng) };
        let rotation = Quat::new(x, y, z, w).unwrap();
        let axis = rotation.rotate(Vec3::new(0.0, half, 0.0));
        let leaning = d3::mass_properties(&d3::Capsule::new(-axis, axis, radius).unwrap(), 1.0).unwrap();
        let turned = capsule.rotated(rotation).unwrap();
        let size = leaning
            .inertia
            .columns
            .iter()
            .fold(0.0, |m: f64, c| if m < c.max_abs() { c.max_abs() } else { m });
        for (a, b) in entries(leaning.inertia).into_iter().zip(entries(turned.inertia)) {
            assert!((a - b).abs() <= 8.0 * EPSILON * size, "{rotation:?} {a} {b}");
        }
        assert!(close(leaning.mass, turned.mass, 8.0 * EPSILON));
        triangle_inequality(&leaning);
    }
}

/// Each principal moment is at most the sum of the other two.
fn triangle_inequality(mass: &d3::MassProperties<f64>) {
    let [a, b, c] = mass.principal_axes().unwrap().moments;
    assert!(0.0 <= c && c <= b && b <= a && a <= (b + c) + 16.0 * EPSILON * a, "{a} {b} {c}");
}

/// Volume, centroid and the central ∫x_i x_j of a tetrahedron, by its own corners.
fn tetrahedron_moments(corners: &[[f64; 3]; 4]) -> (Rational, V<3>, [[Rational; 3]; 3]) {
    let corners = exact_points(corners);
    let sum = corners.iter().fold(V::zero(), |sum, c| &sum + c);
    let center = sum.scaled(&fraction(1, 4));
    let [a, b, c] = [1, 2, 3].map(|i| &corners[i] - &corners[0]);
    let volume = magnitude(&a.dot(&b.cross(&c))) * fraction(1, 6);
    let second = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut sum = Rational::ZERO;
            for corner in &corners {
                let d = corner - &center;
                sum += &d.0[i] * &d.0[j];
            }
            &volume * sum * fraction(1, 20)
        })
    });
    (volume, center, second)
}

const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

#[test]
fn tetrahedra_agree_with_exact_integrals() {
    let mut rng = Rng::new(5);
    let mut solid = 0;
    for _ in 0..1500 {
        let corners: [[f64; 3]; 4] = generate::points::<3>(&mut rng, 4).try_into().unwrap();
        let (volume, center, second) = tetrahedron_moments(&corners);
        let found = d3::mesh_mass(&vectors(&corners), &TETRAHEDRON, 1.0).unwrap();
        let flipped =
            d3::mesh_mass(&vectors(&corners), &TETRAHEDRON.map(|[a, b, c]| [a, c, b]), 1.0).unwrap();
        assert_eq!(found, flipped);
        let range = |axis: usize| {
            let all = || corners.iter().map(|p| p[axis]);
            all().fold(f64::MIN, |m, x| if m < x { x } else { m })
                - all().fold(f64::MAX, |m, x| if x < m { x } else { m })
        };
        let size = [0, 1, 2].map(range);
        if to_f64(&volume) < 1e-13 * size[0] * size[1] * size[2] || volume == Rational::ZERO {
            continue;
        }
        solid += 1;
        assert!(relative_error(found.mass, &volume) <= EPSILON, "{corners:?}");
        let [xx, yy, zz, yz, zx, xy] = entries(found.inertia);
        for (entry, [i, j]) in [(xx, [1, 2]), (yy, [2, 0]), (zz, [0, 1])] {
            assert!(relative_error(entry, &(&second[i][i] + &second[j][j])) <= 2.0 * EPSILON, "{corners:?}");
        }
        for (entry, [i, j]) in [(yz, [1, 2]), (zx, [2, 0]), (xy, [0, 1])] {
            let error = to_f64(&magnitude(&(exact(entry) + &second[i][j])));
            let scale = to_f64(&second[i][i]).sqrt() * to_f64(&second[j][j]).sqrt();
            assert!(error <= 2.0 * EPSILON * scale, "{corners:?}");
        }
        for (axis, size) in size.into_iter().enumerate() {
            let error = to_f64(&magnitude(&(exact(found.center.get(axis)) - &center.0[axis])));
            assert!(error <= EPSILON * (found.center.get(axis).abs() + 2.0 * size), "{corners:?}");
        }
        triangle_inequality(&found);
    }
    assert!(500 < solid, "{solid}");
}

/// Extruded along z from −height/2 to height/2; caps as fans, which may overlap with either sign.
fn prism(ring: &[[f64; 2]], height: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let n = ring.len() as u32;
    let at = |z: f64| ring.iter().map(move |p| [p[0], p[1], z]);
    let vertices = at(-height / 2.0).chain(at(height / 2.0)).collect();
    let mut triangles = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, n + j], [i, n + j, n + i]]);
        if 0 < i && i + 1 < n {
            triangles.extend([[0, j, i], [n, n + i, n + j]]);
        }
    }
    (vertices, triangles)
}

#[test]
fn prisms_agree_with_exact_integrals() {
    let mut rng = Rng::new(6);
    for _ in 0..400 {
        let (ring, height) = (polygon(&mut rng), length(&mut rng));
        let (area, _, [xx, yy, xy]) = polygon_moments(&ring);
        let (vertices, triangles) = prism(&ring, height);
        let found = d3::mesh_mass(&vectors(&vertices), &triangles, 1.0).unwrap();
        let flat = d2::polygon_mass(&vectors(&ring), 1.0).unwrap();
        if flat.mass < 1e-18 {
            continue;
        }
        let height = exact(height);
        assert!(relative_error(found.mass, &(&area * &height)) <= EPSILON, "{ring:?}");
        let zz = &area * &height * &height * &height * fraction(1, 12);
        let [x, y, z, yz, zx, minus_xy] = entries(found.inertia);
        assert!(relative_error(x, &(&yy * &height + &zz)) <= 2.0 * EPSILON, "{ring:?}");
        assert!(relative_error(y, &(&xx * &height + &zz)) <= 2.0 * EPSILON, "{ring:?}");
        assert!(relative_error(z, &((&xx + &yy) * &height)) <= 2.0 * EPSILON, "{ring:?}");
        let error = to_f64(&magnitude(&(exact(minus_xy) + xy * &height)));
        assert!(error <= 2.0 * EPSILON * (x.sqrt() * y.sqrt()), "{ring:?}");
        assert!(yz.abs() <= EPSILON * z && zx.abs() <= EPSILON * z);
        assert!((found.center.x - flat.center.x).abs() <= 2.0 * EPSILON * (flat.center.x.abs() + 10.0));
    }
}

fn box_mesh(half: [f64; 3]) -> (Vec<Vec3<f64>>, Vec<[u32; 3]>) {
    let [x, y, z] = half;
    let (vertices, triangles) = prism(&[[-x, -y], [x, -y], [x, y], [-x, y]], 2.0 * z);
    (vectors(&vertices), triangles)
}

#[test]
fn boxes_are_meshes_wherever_they_are() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let half = [0; 3].map(|_| f64::from(rng.between(1, 64)) / 16.0);
        let (mut vertices, triangles) = box_mesh(half);
        let truth = d3::mass_properties(&d3::Cuboid::new(half).unwrap(), 5.0).unwrap();
        // Offsets at which the corners are exact: the answer may not know where it is.
        let far = Vec3::from([0; 3].map(|_| 1e6 * f64::from(rng.between(-9, 9))));
        vertices.iter_mut().for_each(|v| *v += far);
        let found = d3::mesh_mass(&vertices, &triangles, 5.0).unwrap();
        assert!(close(found.mass, truth.mass, 2.0 * EPSILON));
        assert_eq!(found.center, far);
        for (a, b) in entries(found.inertia).into_iter().zip(entries(truth.inertia)) {
            assert!(close(a, b, 4.0 * EPSILON), "{half:?} {a} {b}");
        }
        // A soup of loose triangles is the same mesh.
        let soup: Vec<_> = triangles.iter().flatten().map(|&i| vertices[i as usize]).collect();
        let loose: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let same = d3::mesh_mass(&soup, &loose, 5.0).unwrap();
        assert!(close(same.mass, found.mass, EPSILON) && same.center == found.center);
    }
}

#[test]
fn spheres_of_triangles_approach_the_ball() {
    let mut vertices: Vec<Vec3<f64>> = vectors(&[
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ]);
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for (x, y, z, flip) in [
        (0, 2, 4, false),
        (0, 2, 5, true),
        (0, 3, 4, true),
        (0, 3, 5, false),
        (1, 2, 4, true),
        (1, 2, 5, false),
        (1, 3, 4, false),
        (1, 3, 5, true),
    ] {
        triangles.push(if flip { [x, z, y] } else { [x, y, z] });
    }
    let ball = d3::mass_properties(&d3::Ball::new(1.0).unwrap(), 1.0).unwrap();
    let mut deficit = 1.0;
    for _ in 0..5 {
        // Every triangle into four, new corners shared by their bits and pushed out to the sphere.
        let mut finer = Vec::new();
        for [a, b, c] in triangles {
            let first = vertices.len() as u32;
            for [u, v] in [[a, b], [b, c], [c, a]] {
                vertices.push((vertices[u as usize] + vertices[v as usize]).normalized().unwrap());
            }
            let [ab, bc, ca] = [first, first + 1, first + 2];
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
        let found = d3::mesh_mass(&vertices, &triangles, 1.0).unwrap();
        let missing = 1.0 - found.mass / ball.mass;
        assert!(0.0 < missing && missing < deficit / 2.5, "{missing} {deficit}");
        deficit = missing;
        let [x, y, z, yz, zx, xy] = entries(found.inertia);
        for moment in [x, y, z] {
            let missing = 1.0 - moment / ball.inertia.columns[0].x;
            assert!(deficit < missing && missing < 3.0 * deficit, "{missing} {deficit}");
        }
        assert!([yz, zx, xy].into_iter().all(|entry| entry.abs() <= EPSILON));
        assert!(found.center.max_abs() <= EPSILON);
    }
    assert!(deficit < 2e-3, "{deficit}");
}

// ---- Laws ------------------------------------------------------------------------------------------

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
