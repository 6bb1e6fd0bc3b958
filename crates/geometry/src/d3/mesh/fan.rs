//! The winding number of a mesh with few gaps, from its gaps.
//!
//! A fan of triangles from one point to every edge that is run through more often in one direction than in the other
//! closes the mesh: the edges of gaps form cycles, so that the edges of the fan itself cancel. About the closed mesh the
//! winding number is an integer N, counted exactly ([`crossing`]), and since it is a sum over triangles,
//!
//! ```text
//! w(mesh) = N − w(fan)
//! ```
//!
//! The fan has as many triangles as the gaps have edges. Where those are few, nothing is left to sum; for a list
//! of triangles that share no edges nothing is gained, and [`Fan::of`] says so.

use super::crossing::{self, Place};
use super::topology::{Checked, Edges, forward_count};
use super::winding::{Clusters, WindingNumber};
use crate::bvh::Bvh;
use carom_math::Vec3;

pub(super) struct Fan {
    /// The mesh and the fan together.
    closed: Checked,
    tree: Bvh<Vec3<f64>>,
    /// The fan alone.
    clusters: Clusters,
}

/// How many triangles of the mesh there must be for each of the fan. With fewer, the sum over the mesh takes no longer.
const WORTH_IT: usize = 4;

impl Fan {
    /// `None` when the gaps are so many that the fan is no help.
    pub(super) fn of(mesh: &Checked, edges: &Edges) -> Option<Self> {
        let mut fan = Vec::new();
        let mut apex = None;
        for sides in edges.groups() {
            let ([low, high], forward) = (sides[0].ends, forward_count(sides));
            let backward = sides.len() - forward;
            if forward == backward {
                continue;
            }
            let apex = *apex.get_or_insert(low);
            let against = if backward < forward { [apex, high, low] } else { [apex, low, high] };
            fan.extend((0..forward.abs_diff(backward)).map(|_| against));
        }
        if mesh.triangles.len() < WORTH_IT * fan.len() {
            return None;
        }
        let fan = Checked { points: mesh.points.clone(), triangles: fan };
        let clusters = Clusters::new(&fan);
        let mut closed = fan;
        closed.triangles.extend(&mesh.triangles);
        Some(Fan { tree: crossing::tree_of(&closed), closed, clusters })
    }

    /// The winding number of the mesh about a point, as [`Clusters::winding_number`]; `None` on the fan and on the mesh.
    pub(super) fn winding_number(&self, p: Vec3<f64>, tolerance: f64) -> Option<WindingNumber<f64>> {
        match crossing::locate(&self.closed, &self.tree, p) {
            Place::Surface => None,
            Place::Winding(turns) => {
                let WindingNumber { value, error } = self.clusters.winding_number(p, tolerance);
                let value = f64::from(turns) - value;
                Some(WindingNumber { value, error: error + f64::EPSILON * value.abs() })
            }
        }
    }
}
