//! Numbering places: equal coordinates get the same number.

use super::error::Problem;
use carom::d3::Vec3;
use std::collections::HashMap;

/// The distinct places so far, numbered by first use. The map is only asked, never listed, so that its
/// order reaches no result.
#[derive(Default)]
pub(super) struct Places {
    numbers: HashMap<[u64; 3], u32>,
    vertices: Vec<Vec3<f64>>,
}

impl Places {
    /// The number of a place, a new one for a new place. Coordinates must be finite; the zeros are equal.
    pub(super) fn number(&mut self, place: Vec3<f64>) -> Result<u32, Problem> {
        let next = u32::try_from(self.vertices.len()).map_err(|_| Problem::TooManyVertices)?;
        let bits = [place.x, place.y, place.z].map(|x| (x + 0.0).to_bits());
        let number = *self.numbers.entry(bits).or_insert(next);
        if number == next {
            self.vertices.push(place);
        }
        Ok(number)
    }

    /// The places in the order of their numbers.
    pub(super) fn into_vertices(self) -> Vec<Vec3<f64>> {
        self.vertices
    }
}
