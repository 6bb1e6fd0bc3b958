//! Mass, centre and inertia against rational arithmetic, quadrature and the laws of mechanics.

use carom_geometry::mass::{MassProperties, Space};
use carom_geometry::{Error, d2, d3};
use carom_math::{Mat3, Quat, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{
    self, Rng, any_bits, any_bits_f32, lattice_point, length, offset, power_of_two, unit_quaternion,
};
use carom_oracle::rational::{Rational, V, exact, exact_points, fraction, magnitude, to_f64};

mod laws;

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
