//! Where nodes are: affine maps in `f64`, which keep the digits of the document.

use crate::failure::Failure;
use crate::json::Value;
use carom::d3::{Quat, Vec3};
use carom::math::Vector;

/// p ↦ origin + x·column₀ + y·column₁ + z·column₂.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affine {
    columns: [[f64; 3]; 3],
    origin: [f64; 3],
}

impl Affine {
    pub(super) const IDENTITY: Affine =
        Affine { columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], origin: [0.0; 3] };

    /// Where a point goes.
    #[inline]
    pub(super) fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let turned = self.turn(point);
        std::array::from_fn(|i| turned[i] + self.origin[i])
    }

    #[inline]
    fn turn(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [a, b, c] = self.columns;
        std::array::from_fn(|i| a[i] * x + b[i] * y + c[i] * z)
    }

    /// The map of a child whose own map is given.
    pub(super) fn then(&self, child: &Affine) -> Affine {
        Affine { columns: child.columns.map(|column| self.turn(column)), origin: self.apply(child.origin) }
    }

    /// Whether it turns right hands into left ones: its determinant is negative. Columns are made unit
    /// vectors first, so that scale does not matter.
    pub(super) fn is_mirroring(&self) -> bool {
        let [a, b, c] = self.columns.map(|column| Vec3::from(column).normalized().unwrap_or(Vec3::ZERO));
        a.dot(b.cross(c)) < 0.0
    }
}

/// The fields of a node that place it.
#[derive(Default)]
pub(super) struct Fields<'a> {
    matrix: Option<Value<'a>>,
    translation: Option<Value<'a>>,
    rotation: Option<Value<'a>>,
    scale: Option<Value<'a>>,
}

impl<'a> Fields<'a> {
    /// Notes a field, if it is one of these.
    pub(super) fn take(&mut self, name: &str, value: Value<'a>) {
        match name {
            "matrix" => self.matrix = Some(value),
            "translation" => self.translation = Some(value),
            "rotation" => self.rotation = Some(value),
            "scale" => self.scale = Some(value),
            _ => {}
        }
    }

    /// The map from the frame of the node to that of its parent: scaled, then turned, then moved.
    pub(super) fn read(&self) -> Result<Affine, Failure> {
        if let Some(value) = self.matrix {
            return read_matrix(value);
        }
        let turn = match self.rotation {
            Some(value) => read_rotation(value)?,
            None => Affine::IDENTITY.columns,
        };
        let scale: [f64; 3] = self.scale.map_or(Ok([1.0; 3]), numbers)?;
        let columns = std::array::from_fn(|axis| turn[axis].map(|x| x * scale[axis]));
        Ok(Affine { columns, origin: self.translation.map_or(Ok([0.0; 3]), numbers)? })
    }
}

/// The columns of the rotation of a quaternion, which need not be of unit length.
fn read_rotation(value: Value<'_>) -> Result<[[f64; 3]; 3], Failure> {
    let [x, y, z, w] = numbers(value)?;
    let rotation = Quat::new(x, y, z, w).ok_or_else(|| {
        value.fail("zero_direction", "the zero quaternion is no rotation; the identity is [0, 0, 0, 1]")
    })?;
    Ok(rotation.to_matrix().columns.map(|column| [column.x, column.y, column.z]))
}

/// Column by column; the last row must be 0, 0, 0, 1.
fn read_matrix(value: Value<'_>) -> Result<Affine, Failure> {
    let m: [f64; 16] = numbers(value)?;
    if [m[3], m[7], m[11], m[15]] != [0.0, 0.0, 0.0, 1.0] {
        let text = "the last row of the matrix must be 0, 0, 0, 1; perspective cannot place a mesh";
        return Err(value.fail("not_affine", text));
    }
    Ok(Affine {
        columns: [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]],
        origin: [m[12], m[13], m[14]],
    })
}

/// An array of so many numbers.
fn numbers<const N: usize>(value: Value<'_>) -> Result<[f64; N], Failure> {
    let mut numbers = [0.0; N];
    value.fixed(N, |index, element| {
        if let Some(slot) = numbers.get_mut(index) {
            *slot = element.number()?;
        }
        Ok(())
    })?;
    Ok(numbers)
}
