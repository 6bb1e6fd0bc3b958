//! Shapes as bytes: a letter for the kind, and the numbers that it was made of. A shape that is read is made by its
//! constructor, so whatever the numbers are, it is a shape or an error.

use super::wire::{Input, Wire, get_list, put_list};
use crate::Error;
use carom_geometry::{d2, d3};
use carom_math::{Pose2, Pose3, Vec2, Vec3};

/// Compounds hold shapes that hold shapes, but not compounds.
const DEEPEST: usize = 3;

fn unknown(input: &Input<'_>) -> Error {
    input.fail("there is no shape of this kind")
}

/// The kinds that both dimensions have: letter, variant, parts, constructor.
macro_rules! common_shapes {
    ($module:ident, $vector:ty, $put:ident, $get:ident, $pose:ty, $put_more:ident, $get_more:ident) => {
        fn $put(shape: &$module::Shape<f32>, bytes: &mut Vec<u8>) {
            match shape {
                $module::Shape::Ball(ball) => {
                    bytes.push(b'b');
                    ball.radius().put(bytes);
                }
                $module::Shape::Cuboid(cuboid) => {
                    bytes.push(b'c');
                    cuboid.half_extents().put(bytes);
                }
                $module::Shape::Capsule(capsule) => {
                    bytes.push(b'k');
                    capsule.segment().a().put(bytes);
                    capsule.segment().b().put(bytes);
                    capsule.radius().put(bytes);
                }
                $module::Shape::Segment(segment) => {
                    bytes.push(b's');
                    segment.a().put(bytes);
                    segment.b().put(bytes);
                }
                $module::Shape::Triangle(triangle) => {
                    bytes.push(b't');
                    triangle.corners().iter().for_each(|corner| corner.put(bytes));
                }
                $module::Shape::HalfSpace(half_space) => {
                    bytes.push(b'h');
                    half_space.normal().put(bytes);
                    half_space.offset().put(bytes);
                }
                $module::Shape::Ellipsoid(ellipsoid) => {
                    bytes.push(b'e');
                    ellipsoid.radii().put(bytes);
                }
                $module::Shape::Rounded(rounded) => {
                    bytes.push(b'r');
                    rounded.radius().put(bytes);
                    $put(rounded.shape(), bytes);
                }
                $module::Shape::Compound(compound) => {
                    bytes.push(b'z');
                    super::pack::put_varint(bytes, compound.parts().len() as u64);
                    for (part, pose) in compound.parts() {
                        pose.put(bytes);
                        $put(part, bytes);
                    }
                }
                other => $put_more(other, bytes),
            }
        }

        fn $get(input: &mut Input<'_>, depth: usize) -> Result<$module::Shape<f32>, Error> {
            if DEEPEST <= depth {
                return Err(input.fail("shapes are nested too deep"));
            }
            Ok(match input.get::<u8>()? {
                b'b' => $module::Ball::new(input.get()?)?.into(),
                b'c' => $module::Cuboid::new(input.get::<$vector>()?)?.into(),
                b'k' => {
                    let (a, b): ($vector, $vector) = (input.get()?, input.get()?);
                    $module::Capsule::new(a, b, input.get()?)?.into()
                }
                b's' => $module::Segment::new(input.get::<$vector>()?, input.get::<$vector>()?)?.into(),
                b't' => {
                    let (a, b, c): ($vector, $vector, $vector) = (input.get()?, input.get()?, input.get()?);
                    $module::Triangle::new(a, b, c)?.into()
                }
                b'h' => $module::HalfSpace::from_parts(input.get::<$vector>()?, input.get()?)?.into(),
                b'e' => $module::Ellipsoid::new(input.get::<$vector>()?)?.into(),
                b'r' => {
                    let radius = input.get()?;
                    $module::Rounded::new($get(input, depth + 1)?, radius)?.into()
                }
                b'z' => {
                    let mut parts: Vec<($module::Shape<f32>, $pose)> = Vec::new();
                    for _ in 0..input.count(16)? {
                        let pose = input.get()?;
                        parts.push(($get(input, depth + 1)?, pose));
                    }
                    $module::Compound::new(parts)?.into()
                }
                kind => return $get_more(kind, input),
            })
        }
    };
}

common_shapes!(d2, Vec2<f32>, put_flat, get_flat, Pose2<f32>, put_more_flat, get_more_flat);

fn put_more_flat(shape: &d2::Shape<f32>, bytes: &mut Vec<u8>) {
    match shape {
        d2::Shape::Polygon(polygon) => {
            bytes.push(b'p');
            put_list(bytes, polygon.points());
        }
        d2::Shape::Outline(outline) => {
            bytes.push(b'o');
            put_list(bytes, outline.points());
        }
        d2::Shape::Polyline(line) => {
            bytes.push(if line.is_closed() { b'q' } else { b'l' });
            put_list(bytes, line.points());
        }
        d2::Shape::HeightField(field) => {
            bytes.push(b'f');
            put_field2(field, bytes);
        }
        // Nothing that this version has; a reader refuses it.
        _ => bytes.push(0),
    }
}

fn get_more_flat(kind: u8, input: &mut Input<'_>) -> Result<d2::Shape<f32>, Error> {
    Ok(match kind {
        b'p' => d2::ConvexPolygon::new(get_list::<Vec2<f32>>(input, 8)?)?.into(),
        b'o' => d2::Outline::new(get_list::<Vec2<f32>>(input, 8)?)?.into(),
        b'l' => d2::Polyline::new(get_list::<Vec2<f32>>(input, 8)?)?.into(),
        b'q' => d2::Polyline::closed(get_list::<Vec2<f32>>(input, 8)?)?.into(),
        b'f' => {
            let spacing = input.get()?;
            let heights = get_list::<f32>(input, 4)?;
            let missing: Vec<usize> = get_list::<u32>(input, 4)?.into_iter().map(|k| k as usize).collect();
            let field = d2::HeightField::new(heights, spacing)?;
            if missing.is_empty() { field.into() } else { field.without_cells(missing)?.into() }
        }
        _ => return Err(unknown(input)),
    })
}

/// The spacing, all heights, and which segments are missing.
fn put_field2(field: &d2::HeightField<f32>, bytes: &mut Vec<u8>) {
    let cells = field.cells();
    field.spacing().put(bytes);
    put_list(bytes, (0..cells + 1).map(|k| field.corner(k).map_or(0.0, |corner| corner.y)));
    let missing: Vec<u32> = (0..cells as u32).filter(|k| !field.has_cell(*k as usize)).collect();
    put_list(bytes, missing.into_iter());
}

common_shapes!(d3, Vec3<f32>, put_solid, get_solid, Pose3<f32>, put_more_solid, get_more_solid);

fn put_more_solid(shape: &d3::Shape<f32>, bytes: &mut Vec<u8>) {
    match shape {
        d3::Shape::Cylinder(cylinder) => {
            bytes.push(b'y');
            cylinder.half_height().put(bytes);
            cylinder.radius().put(bytes);
        }
        d3::Shape::Cone(cone) => {
            bytes.push(b'n');
            cone.half_height().put(bytes);
            cone.radius().put(bytes);
        }
        d3::Shape::Hull(hull) => {
            bytes.push(b'p');
            put_list(bytes, hull.vertices());
        }
        d3::Shape::Mesh(mesh) => {
            bytes.push(if mesh.is_solid() { b'w' } else { b'm' });
            put_list(bytes, mesh.vertices());
            put_list(bytes, mesh.triangles().iter().map(|triangle| Corners(*triangle)));
        }
        d3::Shape::HeightField(field) => {
            bytes.push(b'f');
            let [rows, columns] = field.cells();
            let corner = |row: usize, column: usize| field.corner(row, column).unwrap_or_default();
            corner(0, 1).x.put(bytes);
            corner(1, 0).z.put(bytes);
            super::pack::put_varint(bytes, columns as u64 + 1);
            let at = |k: usize| corner(k / (columns + 1), k % (columns + 1)).y;
            put_list(bytes, (0..(rows + 1) * (columns + 1)).map(at));
            let missing = |k: &u32| !field.has_cell(*k as usize / columns, *k as usize % columns);
            let missing: Vec<u32> = (0..(rows * columns) as u32).filter(missing).collect();
            put_list(bytes, missing.into_iter());
        }
        // Nothing that this version has; a reader refuses it.
        _ => bytes.push(0),
    }
}

fn get_more_solid(kind: u8, input: &mut Input<'_>) -> Result<d3::Shape<f32>, Error> {
    Ok(match kind {
        b'y' => d3::Cylinder::new(input.get()?, input.get()?)?.into(),
        b'n' => d3::Cone::new(input.get()?, input.get()?)?.into(),
        b'p' => d3::ConvexHull::new(get_list::<Vec3<f32>>(input, 12)?)?.into(),
        b'm' | b'w' => {
            let vertices = get_list::<Vec3<f32>>(input, 12)?;
            let triangles = get_list::<Corners>(input, 12)?;
            let mesh = d3::TriangleMesh::new(vertices, triangles.into_iter().map(|corners| corners.0))?;
            // A closed one is the same with and without gaps.
            if kind == b'w' { mesh.solid_with_gaps().into() } else { mesh.into() }
        }
        b'f' => {
            let spacing = [input.get()?, input.get()?];
            let columns = usize::try_from(input.varint()?).unwrap_or(usize::MAX);
            let heights = get_list::<f32>(input, 4)?;
            let missing = get_list::<u32>(input, 4)?;
            if columns < 2 {
                return Err(input.fail("a height field has two columns at least"));
            }
            let rows = heights.chunks(columns).map(|row| row.iter().copied());
            let field = d3::HeightField::new(rows, spacing)?;
            let cells = columns - 1;
            let missing: Vec<[usize; 2]> =
                missing.into_iter().map(|k| [k as usize / cells, k as usize % cells]).collect();
            if missing.is_empty() { field.into() } else { field.without_cells(missing)?.into() }
        }
        _ => return Err(unknown(input)),
    })
}

/// A triangle of a mesh.
struct Corners([u32; 3]);

impl Wire for Corners {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|corner| corner.put(bytes));
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        Ok(Corners([input.get()?, input.get()?, input.get()?]))
    }
}

impl Wire for d2::Shape<f32> {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_flat(self, bytes);
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        get_flat(input, 0)
    }
}

impl Wire for d3::Shape<f32> {
    fn put(&self, bytes: &mut Vec<u8>) {
        put_solid(self, bytes);
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        get_solid(input, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::{Quat, Rot2};

    fn again<T: Wire>(value: &T) -> T {
        let mut bytes = Vec::new();
        value.put(&mut bytes);
        let mut input = Input::new(&bytes);
        let read = T::get(&mut input).unwrap();
        assert!(input.is_empty());
        // No shorter text is a shape.
        for cut in 0..bytes.len() {
            assert!(T::get(&mut Input::new(&bytes[..cut])).is_err());
        }
        read
    }

    #[test]
    fn shapes_come_back() {
        let points = [[0.1_f32, 0.2], [3.0, 0.1], [2.0, 2.3], [0.4, 1.7]];
        let pose = Pose2::new(Vec2::new(1.0, 2.0), Rot2::from_angle(0.3));
        let square = d2::Cuboid::new([1.0_f32, 0.3]).unwrap();
        let field = d2::HeightField::new([0.1_f32, 0.7, 0.3, 0.2, 0.9], 0.3).unwrap();
        let shapes: Vec<d2::Shape<f32>> = vec![
            d2::Ball::new(0.3).unwrap().into(),
            square.into(),
            d2::Capsule::new([0.1, 0.2], [1.0, 0.4], 0.3).unwrap().into(),
            d2::Segment::new([0.1, 0.2], [1.0, 0.4]).unwrap().into(),
            d2::Triangle::new([0.1, 0.2], [1.0, 0.4], [0.3, 0.9]).unwrap().into(),
            d2::HalfSpace::new([0.1, 0.7], 0.3).unwrap().into(),
            d2::Ellipsoid::new([0.1, 0.7]).unwrap().into(),
            d2::Rounded::new(square, 0.1).unwrap().into(),
            d2::ConvexPolygon::new(points).unwrap().into(),
            d2::Outline::new(points).unwrap().into(),
            d2::Polyline::new(points).unwrap().into(),
            d2::Polyline::closed(points).unwrap().into(),
            field.without_cells([2]).unwrap().into(),
            field.without_cells([0, 1]).unwrap().into(),
            field.without_cells([0, 3]).unwrap().into(),
            field.into(),
            d2::Compound::new([(square, pose), (square, Pose2::default())]).unwrap().into(),
        ];
        for shape in shapes {
            assert_eq!(again(&shape), shape);
        }
    }

    #[test]
    fn solids_come_back() {
        let points = [[0.1_f32, 0.2, 0.0], [3.0, 0.1, 0.3], [2.0, 2.3, 0.1], [0.4, 1.7, 2.0]];
        let pose = Pose3::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_vector([0.1, 0.2, 0.3]));
        let brick = d3::Cuboid::new([1.0_f32, 0.3, 0.7]).unwrap();
        let mesh = d3::TriangleMesh::new(points, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
        let open = d3::TriangleMesh::new(points, [[0, 2, 1], [0, 1, 3], [0, 3, 2]]).unwrap();
        let heights = [[0.1_f32, 0.7, 0.3], [0.2, 0.9, 0.4], [0.3, 0.8, 0.5], [0.1, 0.6, 0.7]];
        let field = d3::HeightField::new(heights, [0.3, 0.7]).unwrap();
        let shapes: Vec<d3::Shape<f32>> = vec![
            d3::Ball::new(0.3).unwrap().into(),
            brick.into(),
            d3::Capsule::new([0.1, 0.2, 0.3], [1.0, 0.4, 0.5], 0.3).unwrap().into(),
            d3::Segment::new([0.1, 0.2, 0.3], [1.0, 0.4, 0.5]).unwrap().into(),
            d3::Triangle::new([0.1, 0.2, 0.3], [1.0, 0.4, 0.5], [0.3, 0.9, 0.1]).unwrap().into(),
            d3::HalfSpace::new([0.1, 0.7, 0.3], 0.3).unwrap().into(),
            d3::Cylinder::new(0.1, 0.7).unwrap().into(),
            d3::Cone::new(0.1, 0.7).unwrap().into(),
            d3::Ellipsoid::new([0.1, 0.7, 0.3]).unwrap().into(),
            d3::Rounded::new(brick, 0.1).unwrap().into(),
            d3::ConvexHull::new(points).unwrap().into(),
            mesh.solid().unwrap_or_else(|_| mesh.clone()).into(),
            mesh.into(),
            open.solid_with_gaps().into(),
            open.into(),
            field.without_cells([[1, 0], [2, 1]]).unwrap().into(),
            field.into(),
            d3::Compound::new([(brick, pose), (brick, Pose3::default())]).unwrap().into(),
        ];
        for shape in shapes {
            assert_eq!(again(&shape), shape);
        }
    }

    #[test]
    fn nests_and_unknown_kinds_are_refused() {
        assert!(d2::Shape::<f32>::get(&mut Input::new(&[0])).is_err());
        let deep = [b'r', 0, 0, 0, 0].repeat(100_000);
        assert!(d3::Shape::<f32>::get(&mut Input::new(&deep)).is_err());
        // More corners than there are bytes.
        assert!(d3::Shape::<f32>::get(&mut Input::new(&[b'p', 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0])).is_err());
    }
}
