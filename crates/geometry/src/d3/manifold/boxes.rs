//! The face of a box on a face of another box, or under a capsule.
//!
//! In the coordinates of the reference face its sides are the lines |x| = hⱼ and |y| = hₖ. A point q at the
//! height h above the face is seen along the normal n of the contact at q − s·n with s = h/n_z, so clipping
//! (as in [`clip`](crate::manifold::clip), with the same names) takes comparisons of these coordinates, and s
//! is the gap. Frame: that of the box whose face it is; the points go to the frame of the pair in the end,
//! when there are few.

use super::Place;
use super::feature::{Face, box_corner_names, box_face_axes};
use super::reduce::four_of;
use crate::manifold::feature::{Kind, number};
use crate::manifold::gather::{Candidate, FACING, SAME};
use crate::manifold::reach::reach;
use crate::manifold::touch::Points;
use crate::manifold::watch::Watch;
use crate::manifold::{FeaturePair, MOST};
use crate::pair::core::Axis;
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Vec2, Vec3, Vector};

/// What is left of a quadrilateral after four cuts has at most this many corners.
const CORNERS: usize = 8;

/// Edges that lie along a side of the reference are called this plus the index of the side.
const SIDE: u32 = 1 << 31;

/// A corner of what is left.
#[derive(Clone, Copy)]
struct Piece {
    /// Where it is seen in the plane of the face, along the normal, and how far above it along the normal.
    at: [f64; 3],
    /// (reference, incident)
    feature: FeaturePair,
    /// What the edge to the next corner is called.
    edge: u32,
}

const NOTHING: Piece = Piece { at: [0.0; 3], feature: FeaturePair { a: 0, b: 0 }, edge: 0 };

type Pieces = [Piece; CORNERS];

/// A face of a box about the origin.
struct BoxFace {
    /// The axes that are x, y and the normal.
    axes: [usize; 3],
    negative: bool,
    sign: f64,
    /// Half extents along x and y, and how high the face is.
    half: [f64; 3],
    /// The normal of the contact, out of the face, in these coordinates.
    normal: [f64; 3],
    per_height: f64,
}

impl BoxFace {
    /// The face that faces `along`; `None` if it has no area.
    #[inline(always)]
    fn new(half: Vec3<f64>, along: Vec3<f64>) -> Option<Self> {
        let (axes, negative) = box_face_axes(along);
        let half = permuted(half, axes);
        let sign = if negative { -1.0 } else { 1.0 };
        let [x, y, up] = permuted(along, axes);
        let normal = [x, y, up.abs()];
        let face = BoxFace { axes, negative, sign, half, normal, per_height: 1.0 / normal[2] };
        (0.0 < half[0] && 0.0 < half[1]).then_some(face)
    }

    #[inline(always)]
    fn name(&self) -> u32 {
        number(Kind::Face, self.axes[2] * 2 + usize::from(self.negative))
    }

    /// A vector in the coordinates of the face.
    #[inline(always)]
    fn flat(&self, v: Vec3<f64>) -> [f64; 3] {
        let [x, y, up] = permuted(v, self.axes);
        [x, y, self.sign * up]
    }

    /// How a point is seen, given in the coordinates of the face.
    #[inline(always)]
    fn seen(&self, [x, y, up]: [f64; 3]) -> [f64; 3] {
        let gap = (up - self.half[2]) * self.per_height;
        [x - self.normal[0] * gap, y - self.normal[1] * gap, gap]
    }

    /// The point that is seen so.
    #[inline(always)]
    fn point(&self, [x, y, gap]: [f64; 3]) -> Vec3<f64> {
        let mut point = [0.0; 3];
        let ([j, k, axis], [nx, ny, nz]) = (self.axes, self.normal);
        point[j] = x + nx * gap;
        point[k] = y + ny * gap;
        point[axis] = self.sign * (self.half[2] + nz * gap);
        Vec3::new(point[0], point[1], point[2])
    }

    /// A corner of the face; side i goes from corner i to the next.
    #[inline(always)]
    fn corner(&self, index: usize) -> Vec3<f64> {
        let [x, y, _] = self.half;
        let [x, y] = [[-x, -y], [x, -y], [x, y], [-x, y]][index & 3];
        self.point([x, y, 0.0])
    }

    /// The face of another box that faces this one, as pieces, and what it is called; `None` without area.
    #[inline(always)]
    fn facing(&self, half: Vec3<f64>, place: &Place, pieces: &mut Pieces) -> Option<u32> {
        let [x, y, up] = self.normal;
        let (mut down, [j, k, axis]) = ([0.0; 3], self.axes);
        (down[j], down[k], down[axis]) = (-x, -y, -self.sign * up);
        let down = Vec3::new(down[0], down[1], down[2]);
        let (axes, negative) = box_face_axes(place.rotation.undo(down));
        let [reach_j, reach_k, reach_up] = permuted(half, axes);
        if reach_j == 0.0 || reach_k == 0.0 {
            return None;
        }
        let side = if negative { -reach_up } else { reach_up };
        let across = |i: usize, reach: f64| place.rotation.column(i) * reach;
        let (to_j, to_k) = (across(axes[0], reach_j), across(axes[1], reach_k));
        let middle = place.translation + across(axes[2], side);
        let (low, high) = (middle - to_k, middle + to_k);
        let corners = [low - to_j, low + to_j, high + to_j, high - to_j];
        for (index, (place, corner)) in pieces.iter_mut().zip(corners).enumerate() {
            let (vertex, edge) = box_corner_names(axes, negative, index);
            let at = self.seen(self.flat(corner));
            *place = Piece { at, feature: FeaturePair { a: self.name(), b: vertex }, edge };
        }
        Some(number(Kind::Face, axes[2] * 2 + usize::from(negative)))
    }

    /// Cuts the first `count` pieces, a face or a segment called `name`, at the sides. What is left is in the
    /// first of the two buffers, and has that many corners.
    #[inline(always)]
    fn clip<'a>(
        &self,
        (mut pieces, mut rest): (&'a mut Pieces, &'a mut Pieces),
        mut count: usize,
        name: u32,
        watcher: &mut impl Watch<Vec3<f64>>,
        to_pair: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> (&'a mut Pieces, usize) {
        watcher.faces(
            (0..4).map(|index| to_pair(self.corner(index))),
            pieces.iter().take(count).map(|piece| to_pair(self.point(piece.at))),
        );
        let is_closed = 2 < count;
        for side in 0..4 {
            let (coordinate, sign) = side_line(side);
            let mut beyonds = [0.0; CORNERS];
            let mut most = f64::NEG_INFINITY;
            for (place, piece) in beyonds.iter_mut().zip(&pieces[..count.min(CORNERS)]) {
                *place = sign * piece.at[coordinate] - self.half[coordinate];
                most = if most < *place { *place } else { most };
            }
            if 0.0 < most {
                count = self.cut(pieces, count, &beyonds, is_closed, (side, name), rest);
                core::mem::swap(&mut pieces, &mut rest);
            }
            watcher.clipped(
                to_pair(self.corner(side)),
                pieces.iter().take(count).map(|piece| to_pair(self.point(piece.at))),
            );
        }
        (pieces, count)
    }

    /// Leaves what is not beyond one side in `rest`, and returns how many corners that has.
    #[inline(never)]
    fn cut(
        &self,
        pieces: &Pieces,
        count: usize,
        beyonds: &[f64; CORNERS],
        is_closed: bool,
        (side, name): (usize, u32),
        rest: &mut Pieces,
    ) -> usize {
        let mut left = 0;
        let (coordinate, sign) = side_line(side);
        let along_side = SIDE + side as u32;
        for index in 0..count.min(CORNERS) {
            let (piece, here) = (&pieces[index], beyonds[index]);
            let after = if index + 1 < count { index + 1 } else { 0 };
            let is_last = after == 0 && !is_closed;
            let (next, there) = (&pieces[after], if is_last { here } else { beyonds[after] });
            if here <= 0.0 && left < CORNERS {
                // A corner on the side keeps its name, but the edge behind it runs along the side now.
                let edge = if here == 0.0 && 0.0 < there { along_side } else { piece.edge };
                rest[left] = Piece { edge, ..*piece };
                left += 1;
            }
            let leaves = here < 0.0 && 0.0 < there;
            if (leaves || (0.0 < here && there < 0.0)) && left < CORNERS {
                // Blended from the corner inside, whichever way the edge goes.
                let (inside, outside, d_in, d_out) =
                    if leaves { (piece, next, here, there) } else { (next, piece, there, here) };
                let part = d_in / (d_in - d_out);
                // Exactly on the side, so that points on parallel sides are equally far apart.
                let mut at = blended(inside.at, outside.at, part);
                at[coordinate] = sign * self.half[coordinate];
                rest[left] = Piece {
                    at,
                    feature: self.crossing(side, piece.edge, name),
                    edge: if leaves { along_side } else { piece.edge },
                };
                left += 1;
            }
        }
        left
    }

    /// What the place is called where a side crosses an edge of the incident face, or another side inside of
    /// that face.
    #[inline(always)]
    fn crossing(&self, side: usize, edge: u32, face: u32) -> FeaturePair {
        let names = |side: usize| box_corner_names(self.axes, self.negative, side);
        if edge < SIDE {
            return FeaturePair { a: names(side).1, b: edge };
        }
        // Two sides meet in a corner of the reference.
        let other = (edge - SIDE) as usize & 3;
        let a = if (other + 1) & 3 == side {
            names(side).0
        } else if (side + 1) & 3 == other {
            names(other).0
        } else {
            names(side).1
        };
        FeaturePair { a, b: face }
    }
}

/// Which coordinate is constant along a side, and on which side of zero it is.
#[inline(always)]
fn side_line(side: usize) -> (usize, f64) {
    (usize::from(side & 1 == 0), if side == 1 || side == 2 { 1.0 } else { -1.0 })
}

#[inline(always)]
fn permuted(v: Vec3<f64>, [j, k, axis]: [usize; 3]) -> [f64; 3] {
    let numbers = [v.x, v.y, v.z];
    [numbers[j], numbers[k], numbers[axis]]
}

#[inline(always)]
fn blended(from: [f64; 3], to: [f64; 3], part: f64) -> [f64; 3] {
    [
        from[0] + (to[0] - from[0]) * part,
        from[1] + (to[1] - from[1]) * part,
        from[2] + (to[2] - from[2]) * part,
    ]
}

/// Where two boxes meet on a face of one of them, given the axis of the least depth, which is the normal of
/// that face; `None` where the general way is needed.
#[inline(always)]
pub(super) fn face_of_boxes<W: Watch<Vec3<f64>>>(
    [half_a, half_b]: [Vec3<f64>; 2],
    place: &Place,
    axis: Axis<Vec3<f64>>,
    (error, margin): (f64, f64),
    watcher: &mut W,
) -> Option<Points<Vec3<f64>>> {
    let normal = axis.normal;
    let in_b = place.rotation.undo(normal);
    let (facing_a, facing_b) = (normal.max_abs(), in_b.max_abs());
    let found = Found { separation: axis.separation, normal, doubt: SAME * error, margin };
    let (mut pieces, mut rest) = ([NOTHING; CORNERS], [NOTHING; CORNERS]);
    if FACING <= facing_a && facing_b <= facing_a {
        let reference = BoxFace::new(half_a, normal)?;
        let name = reference.facing(half_b, place, &mut pieces)?;
        let incident = Incident { count: 4, name, is_first: false, below: |_| 0.0 };
        return reference.points((&mut pieces, &mut rest), &incident, &found, watcher, |p| p);
    }
    if facing_b < FACING {
        return None;
    }
    let [x, y, z] = place.rotation.columns;
    let from_b = Relative {
        rotation: Mat3 {
            columns: [Vec3::new(x.x, y.x, z.x), Vec3::new(x.y, y.y, z.y), Vec3::new(x.z, y.z, z.z)],
        },
        translation: -place.rotation.undo(place.translation),
    };
    let reference = BoxFace::new(half_b, -in_b)?;
    let name = reference.facing(half_a, &from_b, &mut pieces)?;
    let incident = Incident { count: 4, name, is_first: true, below: |_| 0.0 };
    reference.points((&mut pieces, &mut rest), &incident, &found, watcher, |p| place.point(p))
}

/// A capsule on a face of a box, in the frame of the box, given the contact; `None` as above.
#[inline(always)]
pub(super) fn capsule_on_face<W: Watch<Vec3<f64>>>(
    half: Vec3<f64>,
    capsule: &Face<2>,
    axis: Axis<Vec3<f64>>,
    (error, margin): (f64, f64),
    watcher: &mut W,
) -> Option<Points<Vec3<f64>>> {
    let normal = axis.normal;
    if normal.max_abs() < FACING {
        return None;
    }
    let reference = BoxFace::new(half, normal)?;
    let found = Found { separation: axis.separation, normal, doubt: SAME * error, margin };
    let (mut pieces, mut rest) = ([NOTHING; CORNERS], [NOTHING; CORNERS]);
    for (place, corner) in pieces.iter_mut().zip(capsule.corners()) {
        let feature = FeaturePair { a: reference.name(), b: corner.vertex };
        *place = Piece { at: reference.seen(reference.flat(corner.point)), feature, edge: corner.edge };
    }
    let below = |p: Vec3<f64>| reach(capsule, p, -normal);
    let incident = Incident { count: capsule.corners().len(), name: capsule.name, is_first: false, below };
    reference.points((&mut pieces, &mut rest), &incident, &found, watcher, |p| p)
}

/// What lies on the face: a feature of so many corners.
struct Incident<F> {
    count: usize,
    name: u32,
    /// It belongs to the first shape of the pair.
    is_first: bool,
    /// How far its surface is below a point of it, along the normal.
    below: F,
}

/// What the contact says.
struct Found {
    separation: f64,
    /// In the frame of the pair.
    normal: Vec3<f64>,
    /// Depths within this of the deepest one are the deepest one.
    doubt: f64,
    margin: f64,
}

impl BoxFace {
    /// The contact points; `None` if none is as deep as the contact. A watcher is told only of what succeeds.
    #[inline(always)]
    fn points<W: Watch<Vec3<f64>>>(
        &self,
        (pieces, rest): (&mut Pieces, &mut Pieces),
        incident: &Incident<impl Fn(Vec3<f64>) -> f64>,
        found: &Found,
        watcher: &mut W,
        to_pair: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> Option<Points<Vec3<f64>>> {
        if W::LISTENS {
            let mut copies = (*pieces, *rest);
            self.points_left((&mut copies.0, &mut copies.1), incident, found, &mut (), &to_pair)?;
        }
        self.points_left((pieces, rest), incident, found, watcher, to_pair)
    }

    #[inline(always)]
    fn points_left(
        &self,
        buffers: (&mut Pieces, &mut Pieces),
        incident: &Incident<impl Fn(Vec3<f64>) -> f64>,
        found: &Found,
        watcher: &mut impl Watch<Vec3<f64>>,
        to_pair: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> Option<Points<Vec3<f64>>> {
        let (pieces, count) = self.clip(buffers, incident.count, incident.name, watcher, &to_pair);
        let deepest = 0.0 - found.separation;
        let (mut kept, mut is_reached) = (0, false);
        let mut depths = [0.0; CORNERS];
        for index in 0..count.min(CORNERS) {
            let mut piece = pieces[index];
            let [x, y, height] = piece.at;
            let below = (incident.below)(self.point(piece.at));
            let mut depth = below - height;
            if deepest - found.doubt <= depth {
                depth = deepest;
                is_reached = true;
            }
            // Half way between the surfaces.
            piece.at = [x, y, (height - below) * 0.5];
            let is_known = 0 < kept && pieces[kept - 1].at == piece.at;
            if -found.margin <= depth && !is_known {
                (pieces[kept], depths[kept]) = (piece, depth);
                kept += 1;
            }
        }
        if 1 < kept && pieces[kept - 1].at == pieces[0].at {
            kept -= 1;
        }
        if !is_reached {
            return None;
        }
        let candidate = |index: usize| {
            let (piece, depth) = (&pieces[index & 7], depths[index & 7]);
            let feature = if incident.is_first { piece.feature.swapped() } else { piece.feature };
            Candidate { point: to_pair(self.point(piece.at)), depth, feature }
        };
        watcher.gathered((0..kept).map(|index| candidate(index).point));
        let mut four = ([0, 1, 2, 3], kept);
        if MOST < kept {
            four = four_of(kept, |index| {
                let [x, y, _] = pieces[index & 7].at;
                (Vec2::new(x, y), depths[index & 7])
            });
        }
        let mut points = Points::none(found.normal);
        for &index in &four.0[..four.1.min(MOST)] {
            points.push(candidate(index));
        }
        Some(points)
    }
}
