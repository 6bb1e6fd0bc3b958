//! What can be asked: the names, the fields, and the function that answers.

use super::dimension::Dimension;
use super::{fit, impact, lines, mass, motion, pair, respond};
use crate::failure::Failure;
use crate::json::Object;
use crate::mesh::Folder;
use crate::write::Answer;

/// A question of the stream.
///
/// # Example
/// ```
/// use carom_scene::query::OPERATIONS;
/// let distance = OPERATIONS.iter().find(|operation| operation.name == "distance").unwrap();
/// assert!(distance.fields.contains(&"pose_a") && distance.supported);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The value of the field `op`.
    pub name: &'static str,
    /// The fields that the question may have.
    pub fields: &'static [&'static str],
    /// What is asked, in a few words.
    pub summary: &'static str,
    /// Whether it can be answered yet.
    pub supported: bool,
}

/// `Operation`s from a table whose rows leave out the fields that every question has.
macro_rules! operations {
    ($($name:literal [$($field:literal),*] $summary:literal $supported:literal;)+) => {
        [$(Operation {
            name: $name,
            fields: &["id", "dim", "op", $($field),*],
            summary: $summary,
            supported: $supported,
        }),+]
    };
}

/// Every question that the format knows.
pub const OPERATIONS: [Operation; 16] = operations! {
    "intersects" ["a", "pose_a", "b", "pose_b"] "whether two shapes touch" true;
    "distance" ["a", "pose_a", "b", "pose_b", "max"] "how far apart they are, with bounds and the closest points" true;
    "contact" ["a", "pose_a", "b", "pose_b", "margin"] "how deep they overlap, and which way out" true;
    "manifold" ["a", "pose_a", "b", "pose_b", "margin"] "all points of a contact" true;
    "closest_point" ["shape", "pose", "point"] "the point of a surface that is closest to a point" true;
    "ray" ["shape", "pose", "origin", "direction", "max", "solid"] "where a ray meets a shape" true;
    "cast" ["a", "pose_a", "velocity_a", "b", "pose_b", "velocity_b", "max"] "when two shapes that move straight touch" true;
    "time_of_impact" ["a", "motion_a", "b", "motion_b", "tolerance"] "when two shapes that move and turn touch" true;
    "ccd_vertex_face" ["start", "end", "separation"] "when a moving point meets a moving triangle" true;
    "ccd_edge_edge" ["start", "end", "separation"] "when two moving edges meet" true;
    "lines" ["a", "b"] "how points, lines, rays, segments and planes relate" true;
    "fit" ["points", "kind"] "the box or ball around points" true;
    "hull" ["points"] "the convex hull of points" true;
    "mass" ["shape", "density"] "mass, centre and inertia" true;
    "overlap_area" ["a", "b"] "the overlap of two axis-aligned boxes" true;
    "respond" ["velocity_a", "velocity_b", "mass_a", "mass_b", "normal", "restitution", "friction"] "the velocities after a collision" true;
};

impl Operation {
    /// Reads the rest of the question, whose mesh files are in the folder, and writes its answer.
    pub(super) fn answer<D: Dimension>(
        &self,
        question: &Object<'_>,
        folder: &Folder<D::Scalar>,
        answer: &mut Answer<'_>,
    ) -> Result<(), Failure> {
        match self.name {
            "intersects" => pair::intersects::<D>(question, folder, answer),
            "distance" => pair::distance::<D>(question, folder, answer),
            "contact" => pair::contact::<D>(question, folder, answer),
            "manifold" => pair::manifold::<D>(question, folder, answer),
            "closest_point" => pair::closest_point::<D>(question, folder, answer),
            "ray" => motion::ray::<D>(question, folder, answer),
            "cast" => motion::cast::<D>(question, folder, answer),
            "time_of_impact" => impact::time_of_impact::<D>(question, folder, answer),
            "ccd_vertex_face" => impact::ccd_vertex_face::<D>(question, answer),
            "ccd_edge_edge" => impact::ccd_edge_edge::<D>(question, answer),
            "lines" => lines::lines::<D>(question, answer),
            "fit" => fit::fit::<D>(question, answer),
            "hull" => fit::hull::<D>(question, answer),
            "mass" => mass::mass::<D>(question, folder, answer),
            "overlap_area" => fit::overlap_area::<D>(question, answer),
            "respond" => respond::respond::<D>(question, answer),
            name => {
                let start = question.get("op").map_or(question.start(), |op| op.start());
                Err(Failure::unsupported(start, format!("{name} is not supported yet")))
            }
        }
    }
}
