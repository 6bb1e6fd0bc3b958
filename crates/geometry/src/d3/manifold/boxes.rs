//! The face of a box on a face of another box, or under a capsule.
//!
//! In the coordinates of the reference face its sides are the lines |x| = hⱼ and |y| = hₖ. A point q at the
//! height h above the face is seen along the normal n of the contact at q − s·n with s = h/n_z, so clipping
//! (as in [`clip`](crate::manifold::clip), with the same names) takes comparisons of these coordinates, and s
//! is the gap. Frame: that of the box whose face it is; the points go to the frame of the pair in the end,
//! when there are few.

use super::Place;
use super::feature::{BOX_FACES, Face, box_corner_names, box_face_axes};
use super::reduce::four_of;
use crate::manifold::feature::{Kind, number};
use crate::manifold::gather::{Candidate, FACING, SAME};
use crate::manifold::reach::reach;
use crate::manifold::touch::Points;
use crate::manifold::watch::Watch;
use crate::manifold::{FeaturePair, MOST};
use crate::pair::core::Axis;
use crate::pair::nearest::sign_if;
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Number, Vec2, Vec3, Vector};

/// What is left of a quadrilateral after four cuts has at most this many corners.
const CORNERS: usize = 8;
/// The same, and room for one more.
const ROOM: usize = CORNERS + 1;

/// The corners of what is left, number by number: what is written by one cut is read by the next, and numbers that are
/// written one by one are to be read one by one.
#[derive(Clone, Copy)]
struct Pieces {
    /// Where they are seen in the plane of the face, along the normal.
    x: [f64; ROOM],
    y: [f64; ROOM],
    /// How far above it along the normal.
    gap: [f64; ROOM],
    /// Which features make the corner, see [`Names`]: that of the reference + 16 · that of the incident face.
    feature: [u32; ROOM],
    /// What the edge to the next corner is: 0 to 3 for one of the incident face, 4 to 7 for one along a side of the
    /// reference.
    edge: [u32; ROOM],
}

const NOTHING: Pieces =
    Pieces { x: [0.0; ROOM], y: [0.0; ROOM], gap: [0.0; ROOM], feature: [0; ROOM], edge: [0; ROOM] };

impl Pieces {
    #[inline(always)]
    fn at(&self, index: usize) -> [f64; 3] {
        let index = index.min(CORNERS);
        [self.x[index], self.y[index], self.gap[index]]
    }
    #[inline(always)]
    fn set(&mut self, index: usize, [x, y, gap]: [f64; 3], feature: u32, edge: u32) {
        let index = index.min(CORNERS);
        (self.x[index], self.y[index], self.gap[index]) = (x, y, gap);
        (self.feature[index], self.edge[index]) = (feature, edge);
    }
    /// What is behind the last corner: the first one, or the last one again.
    #[inline(always)]
    fn repeat(&mut self, from: usize, to: usize) {
        self.set(to, self.at(from), 0, 0);
    }
}

/// What the parts of a face are called: the face, its edges, its corners.
#[derive(Clone, Copy)]
struct Names([u32; 9]);

/// The number of the first edge, and of the first corner, in [`Names`].
const EDGE: u32 = 1;
const CORNER: u32 = 5;

/// Of the faces of a box, in the order of [`BOX_FACES`].
static NAMES: [Names; 6] = {
    let mut names = [Names([0; 9]); 6];
    let mut face = 0;
    while face < 6 {
        let (axes, negative) = (BOX_FACES[face], face % 2 == 1);
        names[face] = Names::new(
            number(Kind::Face, face),
            [
                box_corner_names(axes, negative, 0),
                box_corner_names(axes, negative, 1),
                box_corner_names(axes, negative, 2),
                box_corner_names(axes, negative, 3),
            ],
        );
        face += 1;
    }
    names
};

impl Names {
    /// Corner i and the edge from there are called so.
    const fn new(face: u32, corners: [(u32, u32); 4]) -> Self {
        let [(v0, e0), (v1, e1), (v2, e2), (v3, e3)] = corners;
        Names([face, e0, e1, e2, e3, v0, v1, v2, v3])
    }
    #[inline(always)]
    fn of_box(axis: usize, negative: bool) -> &'static Self {
        &NAMES[(axis * 2 + usize::from(negative)).min(5)]
    }
    #[inline(always)]
    fn get(&self, code: u32) -> u32 {
        self.0[(code as usize & 15).min(8)]
    }
}

/// What the place is where a side crosses an edge: an edge of the incident face, or another side inside of that face,
/// in a corner of the reference if they meet there.
const CROSSINGS: [[u32; 8]; 4] = {
    let mut crossings = [[0; 8]; 4];
    let mut side = 0;
    while side < 4 {
        let mut edge = 0;
        while edge < 4 {
            crossings[side][edge] = (EDGE + side as u32) + 16 * (EDGE + edge as u32);
            crossings[side][4 + edge] = if (edge + 1) % 4 == side {
                CORNER + side as u32
            } else if (side + 1) % 4 == edge {
                CORNER + edge as u32
            } else {
                EDGE + side as u32
            };
            edge += 1;
        }
        side += 1;
    }
    crossings
};

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
        let sign = sign_if(negative);
        let [x, y, up] = permuted(along, axes);
        let normal = [x, y, up.abs()];
        let face = BoxFace { axes, negative, sign, half, normal, per_height: 1.0 / normal[2] };
        (0.0 < half[0] && 0.0 < half[1]).then_some(face)
    }

    #[inline(always)]
    fn names(&self) -> &'static Names {
        Names::of_box(self.axes[2], self.negative)
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
        let [nx, ny, nz] = self.normal;
        self.unpermuted([x + nx * gap, y + ny * gap, self.sign * (self.half[2] + nz * gap)])
    }

    /// A vector of the box, whose numbers are given in the order of `axes`. Numbers are read by their place, not
    /// written: what is written one by one and then read in pairs keeps the processor waiting.
    #[inline(always)]
    fn unpermuted(&self, numbers: [f64; 3]) -> Vec3<f64> {
        /// Where the axes x, y and z are in `axes`, by the same index as [`BOX_FACES`].
        const PLACES: [[usize; 3]; 6] = [[2, 0, 1], [2, 1, 0], [1, 2, 0], [0, 2, 1], [0, 1, 2], [1, 0, 2]];
        let [x, y, z] = PLACES[(self.axes[2] * 2 + usize::from(self.negative)).min(5)];
        Vec3::new(numbers[x], numbers[y], numbers[z])
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
    fn facing(&self, half: Vec3<f64>, place: &Place, pieces: &mut Pieces) -> Option<&'static Names> {
        let [x, y, up] = self.normal;
        let down = self.unpermuted([-x, -y, -self.sign * up]);
        let (axes, negative) = box_face_axes(place.rotation.undo(down));
        let [reach_j, reach_k, reach_up] = permuted(half, axes);
        if reach_j == 0.0 || reach_k == 0.0 {
            return None;
        }
        let (to_j, to_k) = (across(place, axes[0], reach_j), across(place, axes[1], reach_k));
        let middle = place.translation + across(place, axes[2], reach_up * sign_if(negative));
        let (low, high) = (middle - to_k, middle + to_k);
        let corners = [low - to_j, low + to_j, high + to_j, high - to_j];
        for (index, corner) in corners.into_iter().enumerate() {
            let code = index as u32;
            pieces.set(index, self.seen(self.flat(corner)), 16 * (CORNER + code), code);
        }
        Some(Names::of_box(axes[2], negative))
    }

    /// Cuts the first `count` pieces, a face or a segment, at the sides. What is left is in the first of the two
    /// buffers, and has that many corners.
    #[inline(always)]
    fn clip<'a>(
        &self,
        mut buffers: (&'a mut Pieces, &'a mut Pieces),
        mut count: usize,
        watcher: &mut impl Watch<Vec3<f64>>,
        to_pair: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> (&'a mut Pieces, usize) {
        watcher.faces(
            (0..4).map(|index| to_pair(self.corner(index))),
            (0..count).map(|index| to_pair(self.point(buffers.0.at(index)))),
        );
        let is_closed = 2 < count;
        macro_rules! cut_at {
            ($($side:literal)+) => {
                $(
                    (buffers, count) = self.cut_if_beyond::<$side>(buffers, count, is_closed);
                    watcher.clipped(
                        to_pair(self.corner($side)),
                        (0..count).map(|index| to_pair(self.point(buffers.0.at(index)))),
                    );
                )+
            };
        }
        cut_at!(0 1 2 3);
        (buffers.0, count)
    }

    #[inline(always)]
    fn cut_if_beyond<'a, const SIDE: usize>(
        &self,
        (pieces, rest): (&'a mut Pieces, &'a mut Pieces),
        count: usize,
        is_closed: bool,
    ) -> ((&'a mut Pieces, &'a mut Pieces), usize) {
        let (coordinate, sign) = side_line(SIDE);
        let numbers = if coordinate == 0 { &pieces.x } else { &pieces.y };
        let mut beyonds = [0.0; ROOM];
        let mut most = f64::NEG_INFINITY;
        for (place, number) in beyonds.iter_mut().zip(&numbers[..count.min(CORNERS)]) {
            *place = sign * number - self.half[coordinate];
            most = place.max_of(most);
        }
        let is_cut = 0.0 < most;
        if !is_cut {
            return ((pieces, rest), count);
        }
        let end = count.min(CORNERS);
        let after = if is_closed { 0 } else { end.saturating_sub(1) };
        pieces.repeat(after, end);
        beyonds[end] = beyonds[after];
        let count = self.cut::<SIDE>(pieces, count, &beyonds, rest);
        ((rest, pieces), count)
    }

    /// Leaves what is not beyond one side in `rest`, and returns how many corners that has. Which corners stay
    /// and which edges cross is a coin toss: all of them are written, and stay if the next is not written there.
    #[inline(never)]
    fn cut<const SIDE: usize>(
        &self,
        pieces: &Pieces,
        count: usize,
        beyonds: &[f64; ROOM],
        rest: &mut Pieces,
    ) -> usize {
        let (coordinate, sign) = side_line(SIDE);
        let (bound, along_side) = (sign * self.half[coordinate], 4 + SIDE as u32);
        let mut left = 0;
        for index in 0..count.min(CORNERS) {
            let (here, there, edge) = (beyonds[index], beyonds[index + 1], pieces.edge[index]);
            // A corner on the side keeps its name, but the edge behind it runs along the side now.
            let is_last_inside = (here == 0.0) & (0.0 < there);
            rest.set(
                left,
                pieces.at(index),
                pieces.feature[index],
                either_of(is_last_inside, along_side, edge),
            );
            left = (left + usize::from(here <= 0.0)).min(CORNERS);
            let leaves = (here < 0.0) & (0.0 < there);
            let enters = (0.0 < here) & (there < 0.0);
            // Blended from the corner inside, whichever way the edge goes.
            let (inside, outside) = (index + usize::from(!leaves), index + usize::from(leaves));
            let (d_in, d_out) = (beyonds[inside], beyonds[outside]);
            let mut at = blended(pieces.at(inside), pieces.at(outside), d_in / (d_in - d_out));
            // Exactly on the side, so that points on parallel sides are equally far apart.
            at[coordinate] = bound;
            let feature = CROSSINGS[SIDE][edge as usize & 7];
            rest.set(left, at, feature, either_of(leaves, along_side, edge));
            left = (left + usize::from(leaves | enters)).min(CORNERS);
        }
        left
    }
}

/// From the middle of a box, which is put somewhere, along one of its axes.
#[inline(always)]
fn across(place: &Place, axis: usize, reach: f64) -> Vec3<f64> {
    const UNITS: [Vec3<f64>; 3] =
        [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
    place.rotation * (UNITS[axis.min(2)] * reach)
}

/// A choice without a branch.
#[inline(always)]
fn either_of(chosen: bool, one: u32, other: u32) -> u32 {
    other ^ ((one ^ other) & 0_u32.wrapping_sub(u32::from(chosen)))
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
    let (mut pieces, mut rest) = (NOTHING, NOTHING);
    if FACING <= facing_a && facing_b <= facing_a {
        let reference = BoxFace::new(half_a, normal)?;
        let names = reference.facing(half_b, place, &mut pieces)?;
        let incident = Incident { count: 4, names, is_first: false, below: |_| 0.0 };
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
    let names = reference.facing(half_a, &from_b, &mut pieces)?;
    let incident = Incident { count: 4, names, is_first: true, below: |_| 0.0 };
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
    let (mut pieces, mut rest) = (NOTHING, NOTHING);
    let mut corners = [(0, 0); 4];
    for (index, (names, corner)) in corners.iter_mut().zip(capsule.corners()).enumerate() {
        let code = index as u32;
        pieces.set(index, reference.seen(reference.flat(corner.point)), 16 * (CORNER + code), code);
        *names = (corner.vertex, corner.edge);
    }
    let names = &Names::new(capsule.name, corners);
    let below = |p: Vec3<f64>| reach(capsule, p, -normal);
    let incident = Incident { count: capsule.corners().len(), names, is_first: false, below };
    reference.points((&mut pieces, &mut rest), &incident, &found, watcher, |p| p)
}

/// What lies on the face: a feature of so many corners.
struct Incident<'a, F> {
    count: usize,
    names: &'a Names,
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
        incident: &Incident<'_, impl Fn(Vec3<f64>) -> f64>,
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
        incident: &Incident<'_, impl Fn(Vec3<f64>) -> f64>,
        found: &Found,
        watcher: &mut impl Watch<Vec3<f64>>,
        to_pair: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> Option<Points<Vec3<f64>>> {
        let (pieces, count) = self.clip(buffers, incident.count, watcher, &to_pair);
        let deepest = 0.0 - found.separation;
        let (mut kept, mut is_reached) = (0_usize, false);
        let mut depths = [0.0; ROOM];
        for index in 0..count.min(CORNERS) {
            let at = pieces.at(index);
            let [x, y, height] = at;
            let below = (incident.below)(self.point(at));
            let is_deepest = deepest - found.doubt <= below - height;
            is_reached |= is_deepest;
            let depth = if is_deepest { deepest } else { below - height };
            // Half way between the surfaces.
            let at = [x, y, (height - below) * 0.5];
            let is_known = (0 < kept) & is_same(pieces.at(kept.saturating_sub(1)), at);
            // Written in any case, and kept if the next is not written there.
            pieces.set(kept, at, pieces.feature[index], 0);
            depths[kept] = depth;
            kept = (kept + usize::from((-found.margin <= depth) & !is_known)).min(CORNERS);
        }
        if 1 < kept && is_same(pieces.at(kept - 1), pieces.at(0)) {
            kept -= 1;
        }
        if !is_reached {
            return None;
        }
        watcher.gathered((0..kept).map(|index| to_pair(self.point(pieces.at(index)))));
        let mut four = ([0, 1, 2, 3], kept);
        if MOST < kept {
            four = four_of(kept, |index| {
                let [x, y, _] = pieces.at(index);
                (Vec2::new(x, y), depths[index.min(CORNERS)])
            });
        }
        let mut points = Points::none(found.normal);
        for &index in &four.0[..four.1.min(MOST)] {
            let feature = self.feature(incident, pieces.feature[index.min(CORNERS)]);
            let point = to_pair(self.point(pieces.at(index)));
            points.push(Candidate { point, depth: depths[index.min(CORNERS)], feature });
        }
        Some(points)
    }

    /// The names of what makes a corner, given its code.
    #[inline(always)]
    fn feature<F>(&self, incident: &Incident<'_, F>, code: u32) -> FeaturePair {
        let feature = FeaturePair { a: self.names().get(code), b: incident.names.get(code >> 4) };
        if incident.is_first { feature.swapped() } else { feature }
    }
}

#[inline(always)]
fn is_same([x, y, z]: [f64; 3], [u, v, w]: [f64; 3]) -> bool {
    (x == u) & (y == v) & (z == w)
}
