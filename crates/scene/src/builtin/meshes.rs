//! The benchmark scenes of Box3D and Jolt with meshes.

use super::Solid;
use carom::d3::{
    Ball, Body, Capsule, Collider, ConvexHull, Cuboid, Filter, Settings, Shape, TriangleMesh, World,
};
use carom::math::{Real, Vec3};
use carom::response::Error;
use core::f32::consts::PI;

/// A surface over a grid of cells from the origin along x and z.
///
/// Corners of a cell are a (i, j), b (i, j + 1), c (i + 1, j + 1), d (i + 1, j); the diagonal is a–c or, where
/// `is_crossed`, b–d. Triangles are seen counter-clockwise from above.
fn surface(
    [columns, rows]: [u16; 2],
    is_crossed: bool,
    corner: impl Fn(f32, f32) -> Vec3<f32>,
) -> Result<TriangleMesh<f32>, Error> {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for i in 0..=columns {
        for j in 0..=rows {
            corners.push(corner(f32::from(i), f32::from(j)));
        }
    }
    let at = |i: u16, j: u16| u32::from(i) * (u32::from(rows) + 1) + u32::from(j);
    for i in 0..columns {
        for j in 0..rows {
            let [a, b, c, d] = [at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)];
            triangles.extend(if is_crossed { [[a, b, d], [d, b, c]] } else { [[a, b, c], [c, d, a]] });
        }
    }
    Ok(TriangleMesh::new(corners, triangles)?)
}

fn sine(angle: f32) -> f32 {
    angle.sine_cosine().0
}

fn cosine(angle: f32) -> f32 {
    angle.sine_cosine().1
}

/// Waves of an amplitude and of frequencies along x and z, in the middle of the world.
fn waves(
    cells: [u16; 2],
    cell: f32,
    amplitude: f32,
    frequency: [f32; 2],
) -> Result<TriangleMesh<f32>, Error> {
    let half = cells.map(|count| 0.5 * cell * f32::from(count));
    surface(cells, false, |i, j| {
        let (x, z) = (cell * i, cell * j);
        let y = amplitude * sine(2.0 * PI * frequency[0] * x) * sine(2.0 * PI * frequency[1] * z);
        Vec3::new(x - half[0], y, z - half[1])
    })
}

pub(super) fn convex_vs_mesh() -> Result<Solid, Error> {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec3::new(0.0, -9.81, 0.0), ..Settings::default() })?;
    let ground =
        surface([100, 100], true, |x, z| Vec3::new(3.0 * x, 5.0 * sine(0.5 * x) * cosine(0.5 * z), 3.0 * z))?;
    let ground = Collider::new(ground).friction(0.5).restitution(0.6);
    world.add(Body::fixed().at([-150.0, 5.0, -150.0]).shape(ground))?;
    let corners = [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    let shapes: [Shape<f32>; 4] = [
        Cuboid::new([0.5, 0.75, 1.0])?.into(),
        Ball::new(0.5)?.into(),
        Capsule::new([0.0, -0.75, 0.0], [0.0, 0.75, 0.0], 0.5)?.into(),
        ConvexHull::new(corners)?.into(),
    ];
    for x in -10..=10_i16 {
        for (y, shape) in shapes.iter().enumerate() {
            for z in -10..=10_i16 {
                let at = [7.5 * f32::from(x), 15.0 + 2.0 * y as f32, 7.5 * f32::from(z)];
                let shape = Collider::new(shape.clone()).density(1000.0).friction(0.5).restitution(0.6);
                world.add(Body::dynamic().at(at).damping(0.05, 0.05).shape(shape))?;
            }
        }
    }
    Ok((world, None))
}

pub(super) fn mesh_drop() -> Result<Solid, Error> {
    let mut world = World::new();
    let ground = Collider::new(waves([40, 40], 1.0, 0.5, [0.2, 0.1])?);
    world.add(Body::fixed().shape(ground))?;
    let mut state = 3_963_634_789_u32;
    // In ±1, from xorshift32.
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        2.0 * ((state % 32_768) as f32 / 32_767.0) - 1.0
    };
    let filter = Filter { category: 2, mask: 1, ..Filter::default() };
    let card = Collider::new(Cuboid::new([0.02, 0.2, 0.04])?).rolling_resistance(0.1).filter(filter);
    for i in 0..20_i16 {
        for j in 0..20_i16 {
            let velocity = [draw(), draw(), draw()];
            let spin = [draw(), draw(), draw()].map(|part| 5.0 * part);
            let at = [0.5 * f32::from(i - 10), 5.0, 0.5 * f32::from(j - 10)];
            let body = Body::dynamic().at(at).velocity(velocity).angular_velocity(spin);
            world.add(body.shape(card.clone()))?;
        }
    }
    Ok((world, None))
}

/// Fifty trunks fall over on waves; there are `scale` cells to a metre.
fn trees(scale: u16) -> Result<Solid, Error> {
    let mut world = World::new();
    let ground = waves([150 * scale, 200 * scale], 1.0 / f32::from(scale), 0.4, [0.1, 0.05])?;
    world.add(Body::fixed().shape(Collider::new(ground).friction(0.6)))?;
    let mut trunk = Vec::new();
    let (mut y, mut radius) = (1.0_f32, 0.75_f32);
    for _ in 0..22 {
        let height = 1.5 + 2.0 * radius;
        let corners = (0..6_u8).flat_map(|k| {
            let (sine, cosine) = (f32::from(k) * PI / 3.0).sine_cosine();
            [y - radius, y - radius + height].map(|y| [radius * cosine, y, radius * sine])
        });
        let hull = Collider::new(ConvexHull::new(corners)?);
        trunk.push(hull.friction(0.9).rolling_resistance(0.05));
        y += height;
        radius *= 0.95;
    }
    for k in 0..50_i16 {
        let side = if k % 2 == 0 { -1.0 } else { 1.0 };
        let spin = side * 0.5 * (0.5 + 0.5 * f32::from(k) / 50.0);
        let body = Body::dynamic().at([0.0, 1.0, -70.0 + 3.0 * f32::from(k)]).sleep_speed(0.2);
        let body = trunk.iter().fold(body, |body, part| body.shape(part.clone()));
        let handle = world.add(body)?;
        let mut body = world.get_mut(handle)?;
        // Turns about its origin: v = ω × r.
        let arm = body.as_ref().center_of_mass() - body.as_ref().pose().translation;
        body.set_angular_velocity([0.0, 0.0, spin])?;
        body.set_velocity([-spin * arm.y, spin * arm.x, 0.0])?;
    }
    Ok((world, None))
}

pub(super) fn trees100() -> Result<Solid, Error> {
    trees(1)
}

pub(super) fn trees50() -> Result<Solid, Error> {
    trees(2)
}

pub(super) fn trees25() -> Result<Solid, Error> {
    trees(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_definitions() {
        let (world, _) = trees100().unwrap();
        let tree = world.bodies().nth(1).unwrap();
        assert!((tree.mass() - 34.979).abs() < 2e-3, "{}", tree.mass());
        let ground = world.bodies().next().unwrap().colliders().next().unwrap();
        let Shape::Mesh(mesh) = world.collider(ground).unwrap().shape() else {
            panic!("the ground is a mesh")
        };
        assert_eq!(mesh.triangles().len(), 60_000);
    }

    #[test]
    fn mesh_drop_loses_no_box() {
        let (mut world, _) = mesh_drop().unwrap();
        for _ in 0..300 {
            world.step(super::super::STEP).unwrap();
        }
        for body in world.bodies().skip(1) {
            let place = body.pose().translation;
            let height =
                0.5 * sine(2.0 * PI * 0.2 * (place.x + 20.0)) * sine(2.0 * PI * 0.1 * (place.z + 20.0));
            assert!(height - 0.1 < place.y, "{place:?} is below {height}");
        }
    }
}
