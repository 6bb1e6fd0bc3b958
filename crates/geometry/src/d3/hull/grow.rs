//! Quickhull with exact visibility.
//!
//! A face sees a point when the point lies strictly above its plane. Then, without any tolerance:
//!
//! - the faces that a point outside sees form one patch with a simple closed rim, since around every
//!   vertex they are consecutive;
//! - a triangle between an edge of the rim and the point is never degenerate: if the point were on the
//!   line of the edge, it would lie in the plane of the face on the near side, which sees it strictly;
//! - a point that waited at a removed face and is still outside sees one of the new faces. For let it
//!   see an old face h beyond the rim. The faces that it saw before form one patch, so it saw two
//!   faces g and h′ on both sides of some rim edge, and the plane of the new face at that edge lies
//!   between theirs (its normal is a combination of theirs with non-negative weights).
//!
//! So each point waits at one face, and the hull is complete when nobody waits. Points in the plane of
//! a face are not above it; if they are outside, a neighbour sees them. The result is a closed surface
//! of triangles, convex up to neighbours in one plane.

use crate::d2::Predicates;
use carom_math::Vec3;

/// No face, or no vertex.
const NONE: usize = usize::MAX;

struct Face {
    /// Counter-clockwise from outside.
    corners: [usize; 3],
    /// The face across the edge from corner k to corner k + 1.
    neighbors: [usize; 3],
    /// Points above this face that wait for their turn.
    waiting: Vec<usize>,
    alive: bool,
}

struct Builder<'a> {
    points: &'a Predicates<Vec3<f64>>,
    faces: Vec<Face>,
    /// For each point, the newest face whose rim edge starts there.
    starts: Vec<usize>,
}

/// The triangles of the hull. `seed` are four corners of a tetrahedron, the first three
/// counter-clockwise from outside.
pub(crate) fn quickhull(points: &Predicates<Vec3<f64>>, seed: [usize; 4]) -> Vec<[usize; 3]> {
    let mut builder = Builder { points, faces: Vec::new(), starts: vec![NONE; points.points().len()] };
    builder.start(seed);
    // Faces are appended only, so this walk reaches every face that ever lives, and each visit with
    // waiting points settles one of them.
    let mut at = 0;
    while at < builder.faces.len() {
        if builder.faces[at].alive && !builder.faces[at].waiting.is_empty() {
            builder.raise(at);
        }
        at += 1;
    }
    builder.faces.iter().filter(|face| face.alive).map(|face| face.corners).collect()
}

impl Builder<'_> {
    fn start(&mut self, [a, b, c, d]: [usize; 4]) {
        // The face opposite to each corner; neighbours by looking for the reversed edge.
        let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let edge = |face: [usize; 3], k: usize| (face[k], face[(k + 1) % 3]);
        for face in corners {
            let across = |k: usize| {
                let (from, to) = edge(face, k);
                let twin = |other: &[usize; 3]| (0..3).any(|j| edge(*other, j) == (to, from));
                corners.iter().position(twin).unwrap_or(NONE)
            };
            let neighbors = [across(0), across(1), across(2)];
            self.faces.push(Face { corners: face, neighbors, waiting: Vec::new(), alive: true });
        }
        let rest = (0..self.points.points().len()).filter(|i| ![a, b, c, d].contains(i)).collect();
        self.distribute(rest, 0);
    }

    /// How far a point is above a face, up to a factor that depends on the face; the sign is exact.
    fn height(&self, face: usize, point: usize) -> f64 {
        let [a, b, c] = self.faces[face].corners;
        -self.points.orientation([a, b, c, point])
    }

    /// Lets each point wait at the first of the faces from `first` on that sees it; drops the others.
    fn distribute(&mut self, points: Vec<usize>, first: usize) {
        for point in points {
            if let Some(face) = (first..self.faces.len()).find(|&face| 0.0 < self.height(face, point)) {
                self.faces[face].waiting.push(point);
            }
        }
    }

    /// Adds the highest point that waits at a face to the hull.
    fn raise(&mut self, face: usize) {
        let mut apex = (NONE, 0.0);
        for &point in &self.faces[face].waiting {
            let height = self.height(face, point);
            if apex.1 < height {
                apex = (point, height);
            }
        }
        let (apex, _) = apex;
        if apex == NONE {
            return;
        }
        let (waiting, rim) = self.remove_patch(face, apex);
        let first = self.faces.len();
        self.close(&rim, apex);
        self.distribute(waiting.into_iter().filter(|&point| point != apex).collect(), first);
    }

    /// Removes all faces that see the apex. Returns the points that waited there and the rim: for each
    /// of its edges the ends and the face beyond.
    fn remove_patch(&mut self, face: usize, apex: usize) -> (Vec<usize>, Vec<([usize; 2], usize)>) {
        let (mut waiting, mut rim) = (Vec::new(), Vec::new());
        let mut stack = vec![face];
        self.faces[face].alive = false;
        let mut next = 0;
        while next < stack.len() {
            let here = stack[next];
            next += 1;
            waiting.append(&mut self.faces[here].waiting);
            for k in 0..3 {
                let beyond = self.faces[here].neighbors[k];
                if !self.faces[beyond].alive {
                    continue;
                }
                if 0.0 < self.height(beyond, apex) {
                    self.faces[beyond].alive = false;
                    stack.push(beyond);
                } else {
                    let corners = self.faces[here].corners;
                    rim.push(([corners[k], corners[(k + 1) % 3]], beyond));
                }
            }
        }
        (waiting, rim)
    }

    /// Connects every edge of the rim with the apex.
    fn close(&mut self, rim: &[([usize; 2], usize)], apex: usize) {
        let first = self.faces.len();
        for (offset, ([from, to], beyond)) in rim.iter().enumerate() {
            let face = first + offset;
            self.starts[*from] = face;
            for k in 0..3 {
                if self.faces[*beyond].corners[k] == *to {
                    self.faces[*beyond].neighbors[k] = face;
                }
            }
            let corners = [*from, *to, apex];
            let neighbors = [*beyond, NONE, NONE];
            self.faces.push(Face { corners, neighbors, waiting: Vec::new(), alive: true });
        }
        // The face after the edge (from, to) is the one whose edge starts at `to`.
        for (offset, ([_, to], _)) in rim.iter().enumerate() {
            let (face, after) = (first + offset, self.starts[*to]);
            self.faces[face].neighbors[1] = after;
            self.faces[after].neighbors[2] = face;
        }
    }
}
