//! A shell inside of the set of differences, which proves how deep two polytopes overlap and can be kept from one question to the next.
//!
//! The set of differences {x − y}, of points x of a and y of b, holds the origin when they overlap, and how deep they do is how far the origin is from
//! its surface. Any overlap H(n) is an upper bound of that. A lower one is a closed surface of triangles between points of the set that goes around the
//! origin: every ray from there meets it, and as the set is convex it holds whatever is not beyond: a ball as large as the distance of the nearest
//! triangle. Where the two bounds meet, the depth is proved, as in EPA (van den Bergen, "Proximity queries and penetration depth computation on 3D
//! game objects", 2001). That of [`gjk`](crate::gjk) knows its neighbours and sees by exact predicates, for it has to end wherever it began; a shell only
//! has to be small, and to be right when it says so.
//!
//! What is kept are numbers: which vertex of a less which of b each corner is, and which corners each triangle has. Where they are is looked up each
//! time. Where the bounds do not meet, the triangle that is nearest gives way to the farthest vertex beyond it, as in EPA; a pair that moves a little
//! needs one such step now and then.
//!
//! **What is looked at.** When all triangles were looked at, their distances are kept in rising order. While no corner has moved by more than
//! m since, a triangle that was d away is at least d − m away. So only those are looked at again for which that is less than what is to be
//! proved; and as long as m is below all d, none has passed the origin.
//!
//! **That the surface goes around the origin.** The triangles always form a cycle: each edge is passed once in either direction, which adding a vertex
//! does not change (the visible triangles are replaced by a cone over their rim). Of a cycle that avoids the origin each ray meets as many more
//! triangles from within than from without, the same number for all rays. Here every triangle is met from within: with its corners in
//! counter-clockwise order, its normal has a positive product with each of them, by more than rounding. So that number is positive for the rays that
//! meet any triangle, and for all others too.
//!
//! **Rounding.** Any n with n·p >= d·|n| at the three corners keeps a triangle at the distance d, so that a bad normal makes a weak bound, never a
//! wrong one. For the signs a normal has to be better than that: triangles whose sides meet with a sine below 2⁻²⁰ are not used, nor is a shell
//! when the overlap is not above 2⁻²⁴ of the size. Frame: that of a.

use super::cache::Winner;
use super::search::Search;
use super::{Least, Solid, Source};
use crate::gjk::{Space, Support};
use carom_math::{Number, Vec3, Vector, power_of_two};

/// Corners that a shell can have: twice as many as most need.
const CORNERS: usize = 24;
/// A triangulated sphere with n corners has 2n − 4 triangles.
const TRIANGLES: usize = 2 * CORNERS - 4;
/// Corners that may be added by one question, and when a shell is made.
const STEPS: usize = 8;
const MAKING_STEPS: usize = 40;
/// Squares of sines below this do not tell directions.
const SLIVER: f64 = power_of_two(-40);
/// Overlaps below this, in terms of the size, are left to others.
const SHALLOW: f64 = power_of_two(-24);

/// Which vertices, and which triangles between them. Nothing, if there are no triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shell {
    /// The numbers of a vertex of a and of one of b.
    corners: [[u16; 2]; CORNERS],
    /// Counter-clockwise from outside.
    triangles: [[u8; 3]; TRIANGLES],
    /// How far away they were, or less, when all of them were looked at, in rising order and in terms of the nearest: sizes that `f32` cannot hold are
    /// ratios that it can.
    distances: [f32; TRIANGLES],
    nearest: f64,
    corner_count: u8,
    triangle_count: u8,
    /// Whether there are distances, and whether the last question left them.
    pub(super) has_distances: bool,
    pub(super) is_new: bool,
}

impl Shell {
    pub(super) const NONE: Self = Shell {
        corners: [[0; 2]; CORNERS],
        triangles: [[0; 3]; TRIANGLES],
        distances: [0.0; TRIANGLES],
        nearest: 0.0,
        corner_count: 0,
        triangle_count: 0,
        has_distances: false,
        is_new: false,
    };

    pub(super) fn is_some(&self) -> bool {
        self.triangle_count != 0
    }

    /// How many triangles may be nearer than `wanted`, now that corners have moved by up to `motion`; they come first.
    fn count_near(&self, wanted: f64, motion: f64) -> usize {
        let count = usize::from(self.triangle_count);
        let distance = |ratio: f32| f64::from(ratio) * self.nearest;
        // NaN is not below.
        if self.has_distances && motion < distance(self.distances[0]) {
            self.distances[..count].partition_point(|&ratio| distance(ratio) < wanted + motion)
        } else {
            count
        }
    }

    /// Forgets the corners that no triangle has; the new places of the others.
    fn drop_unused(&mut self) -> [Option<u8>; CORNERS] {
        let (mut places, mut count) = ([None; CORNERS], 0);
        for corner in self.triangles[..usize::from(self.triangle_count)].as_flattened_mut() {
            let place = places[usize::from(*corner) % CORNERS].get_or_insert(count);
            count = count.max(*place + 1);
            *corner = *place;
        }
        let corners = self.corners;
        for (corner, place) in corners.iter().zip(places) {
            if let Some(place) = place {
                self.corners[usize::from(place)] = *corner;
            }
        }
        self.corner_count = count;
        places
    }
}

/// Where a triangle is.
#[derive(Clone, Copy)]
struct Side {
    /// Outwards, not of unit length.
    normal: Vec3<f64>,
    /// How far away it is at least; negative when the origin is on the other side, minus infinity for a sliver.
    distance: f64,
}

const FAR_SIDE: Side = Side { normal: Vec3::ZERO, distance: f64::INFINITY };
const NO_SIDE: Side = Side { normal: Vec3::ZERO, distance: f64::NEG_INFINITY };

impl Side {
    #[inline(always)]
    fn of([p, q, r]: [Vec3<f64>; 3]) -> Self {
        let (to_q, to_r) = (q - p, r - p);
        let normal = to_q.cross(to_r);
        let squared = normal.dot(normal);
        let least = normal.dot(p).min_of(normal.dot(q)).min_of(normal.dot(r));
        // What is no number tells nothing either.
        let is_told = SLIVER * (to_q.dot(to_q) * to_r.dot(to_r)) < squared;
        Side { normal, distance: if is_told { least / squared.sqrt() } else { f64::NEG_INFINITY } }
    }
}

/// A shell where the pair is now.
struct Placed<'s> {
    shell: &'s mut Shell,
    points: [Vec3<f64>; CORNERS],
    /// The corners whose points are known, bit by bit.
    placed: u32,
    sides: [Side; TRIANGLES],
    /// The triangles that were looked at: the first ones.
    known: usize,
}

impl<'s> Placed<'s> {
    fn new(shell: &'s mut Shell) -> Self {
        Placed { shell, points: [Vec3::ZERO; CORNERS], placed: 0, sides: [NO_SIDE; TRIANGLES], known: 0 }
    }

    /// Looks at the first triangles.
    #[inline]
    fn look_at<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>>(
        &mut self,
        search: &Search<'_, A, B, Vec3<f64>>,
        count: usize,
    ) {
        for index in self.known..count {
            let [p, q, r] = self.shell.triangles[index];
            self.sides[index] =
                Side::of([self.point(search, p), self.point(search, q), self.point(search, r)]);
        }
        self.known = count;
    }

    /// Where a corner is, looked up once.
    #[inline(always)]
    fn point<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>>(
        &mut self,
        search: &Search<'_, A, B, Vec3<f64>>,
        corner: u8,
    ) -> Vec3<f64> {
        let index = usize::from(corner) % CORNERS;
        if self.placed >> index & 1 == 0 {
            self.placed |= 1 << index;
            let [of_a, of_b] = self.shell.corners[index];
            let on_b = search.b.placed(search.b.core().vertex(of_b.into()));
            self.points[index] = search.a.vertex(of_a.into()) - on_b;
        }
        self.points[index]
    }

    fn is_complete(&self) -> bool {
        self.known == usize::from(self.shell.triangle_count)
    }

    /// The triangle that is nearest, or farthest behind the origin, of those that were looked at.
    fn nearest(&self) -> Option<usize> {
        let mut best = (f64::INFINITY, None);
        for (index, side) in self.sides[..self.known].iter().enumerate() {
            if side.distance < best.0 {
                best = (side.distance, Some(index));
            }
        }
        best.1
    }

    /// Whether there is a triangle as near that is not on the plane of an axis.
    fn is_tied(&self, least: &Least<Vec3<f64>>, close: f64) -> bool {
        let low = (least.overlap - 4.0 * close) * Vector::length(least.direction);
        self.sides[..self.known].iter().zip(&self.shell.triangles).any(|(side, triangle)| {
            let is_off = |corner: &u8| least.direction.dot(self.points[usize::from(*corner) % CORNERS]) < low;
            side.distance <= least.overlap + close && triangle.iter().any(is_off)
        })
    }

    /// Keeps the distances of all triangles.
    fn keep_distances(&mut self) {
        // None is negative, so that they are in the order of their bits.
        self.shell.nearest = self.nearest().map_or(0.0, |nearest| self.sides[nearest].distance);
        let less = (1.0 - power_of_two(-22)) / self.shell.nearest;
        let mut order = [0_u64; TRIANGLES];
        for (index, (key, side)) in order.iter_mut().zip(&self.sides[..self.known]).enumerate() {
            let ratio = (side.distance * less) as f32;
            *key = u64::from(ratio.to_bits()) << 8 | index as u64;
        }
        let (order, triangles) = (&mut order[..self.known], self.shell.triangles);
        order.sort_unstable();
        for (place, key) in order.iter().enumerate() {
            self.shell.triangles[place] = triangles[(key & 255) as usize % TRIANGLES];
            self.shell.distances[place] = f32::from_bits((key >> 8) as u32);
        }
        (self.shell.has_distances, self.shell.is_new) = (true, true);
    }

    /// A new corner instead of the nearest triangle and all around that it sees; `None` when there is no room for it, or a new triangle is not
    /// farther than the floor, which is minus infinity for those that have no normal.
    fn add(&mut self, nearest: usize, (numbers, point): ([u16; 2], Vec3<f64>), floor: f64) -> Option<()> {
        if usize::from(self.shell.corner_count) == CORNERS {
            let (places, points) = (self.shell.drop_unused(), self.points);
            for (point, place) in points.iter().zip(places) {
                if let Some(place) = place {
                    self.points[usize::from(place)] = *point;
                }
            }
            if usize::from(self.shell.corner_count) == CORNERS {
                return None;
            }
            self.placed = (1 << self.shell.corner_count) - 1;
        }
        self.shell.has_distances = false;
        // Where the surface is not convex any more, it may be a corner that is there already.
        let known = &self.shell.corners[..usize::from(self.shell.corner_count)];
        let place = known.iter().position(|corner| *corner == numbers);
        let new = place.unwrap_or(known.len());
        self.placed |= 1 << new;
        (self.points[new], self.shell.corners[new]) = (point, numbers);
        self.shell.corner_count = self.shell.corner_count.max(new as u8 + 1);
        let new = new as u8;
        // What it sees of the surface in one piece with the nearest triangle, which it is beyond: the edges of those triangles.
        let (mut edges, mut count) = ([[0_u8; 2]; 3 * TRIANGLES], 0);
        let mut open: u64 = 0;
        for (index, triangle) in self.shell.triangles[..self.known].iter().enumerate() {
            let above = point - self.points[usize::from(triangle[0]) % CORNERS];
            open |= u64::from(0.0 < self.sides[index].normal.dot(above)) << index;
        }
        let (mut seen, mut next) = (0_u64, open & 1 << nearest);
        while next != 0 {
            let index = next.trailing_zeros() as usize;
            seen |= 1 << index;
            open &= !(1 << index);
            let [p, q, r] = self.shell.triangles[index];
            for edge in [[p, q], [q, r], [r, p]] {
                edges[count] = edge;
                count += 1;
            }
            let adjoins = |other: usize| {
                let [p, q, r] = self.shell.triangles[other];
                [[q, p], [r, q], [p, r]].iter().any(|edge| edges[..count].contains(edge))
            };
            next = (0..self.known)
                .find(|&other| open >> other & 1 == 1 && adjoins(other))
                .map_or(0, |other| 1 << other);
        }
        let mut kept = 0;
        for index in 0..self.known {
            if seen >> index & 1 == 0 {
                (self.shell.triangles[kept], self.sides[kept]) =
                    (self.shell.triangles[index], self.sides[index]);
                kept += 1;
            }
        }
        // Those on the rim are passed once, the others back as well.
        let edges = &edges[..count];
        for &[from, to] in edges {
            // A triangle between an edge and its own end is nothing, and the cycle closed without it.
            if !edges.contains(&[to, from]) && from != new && to != new {
                let triangle = [from, to, new];
                // The same triangle the other way around: both are nothing, and what was bent inwards is not any more.
                let is_opposite =
                    |other: &[u8; 3]| [[to, from, new], [from, new, to], [new, to, from]].contains(other);
                if place.is_some()
                    && let Some(other) = self.shell.triangles[..kept].iter().position(is_opposite)
                {
                    kept -= 1;
                    (self.shell.triangles[other], self.sides[other]) =
                        (self.shell.triangles[kept], self.sides[kept]);
                    continue;
                }
                let side = Side::of(triangle.map(|corner| self.points[usize::from(corner) % CORNERS]));
                if kept == TRIANGLES || side.distance <= floor {
                    return None;
                }
                (self.shell.triangles[kept], self.sides[kept]) = (triangle, side);
                kept += 1;
            }
        }
        self.shell.triangle_count = kept as u8;
        self.known = kept;
        (0 < count).then_some(())
    }
}

/// What the nearest triangle says.
enum Bound {
    /// It is not nearer than the overlap that was to be proved.
    Proved,
    /// It is on the surface of the set, and between these corners.
    Other([[u16; 2]; 3]),
}

impl<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>> Search<'_, A, B, Vec3<f64>> {
    /// Bounds closer than this meet.
    fn close(&self) -> f64 {
        0.25 * self.error
    }

    /// The least overlap, beginning with the axis that lately had it, if the shell proves it. `motion` is how far
    /// the corners moved at most since the distances were kept.
    pub(super) fn least_by_shell(
        &mut self,
        shell: &mut Shell,
        winner: Winner,
        motion: f64,
    ) -> Option<Least<Vec3<f64>>> {
        let mut least = self.overlap_of(winner);
        // Where the arcs of edges do not cross any more, their axis is none of the set, but the overlap along it is as good to begin with.
        let mut overlap = least.map_or_else(|| self.bar_of(winner), |least| least.overlap);
        let mut placed = Placed::new(shell);
        // The second time for another axis.
        for _ in 0..2 {
            match self.bound(&mut placed, (overlap, least.as_ref()), (STEPS, motion)) {
                Some(Bound::Proved) => return least,
                Some(Bound::Other(corners)) => {
                    let other = self.overlap_of(self.winner_between(corners)?)?;
                    (least, overlap) = (Some(other), other.overlap);
                }
                None => break,
            }
        }
        None
    }

    /// A shell that proves an overlap to be the least; whether there is one.
    pub(super) fn make_shell(&self, shell: &mut Shell, least: &Least<Vec3<f64>>) -> bool {
        *shell = Shell::NONE;
        let Some(first) = least.direction.normalized() else { return false };
        let [_, second, _] = Vec3::perpendiculars(&[Vec3::ZERO, first]);
        let Some(second) = second.normalized() else { return false };
        let third = first.cross(second);
        for (corner, direction) in [first, -first, second, -second, third, -third].into_iter().enumerate() {
            let (Some(of_a), Some(of_b)) =
                (short(self.a.support(direction).1), short(self.b.support(-direction).1))
            else {
                return false;
            };
            shell.corners[corner] = [of_a, of_b];
        }
        for octant in 0..8_u8 {
            let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)];
            let is_odd = octant.count_ones() % 2 == 1;
            shell.triangles[usize::from(octant)] = if is_odd { [x, z, y] } else { [x, y, z] };
        }
        (shell.corner_count, shell.triangle_count) = (6, 8);
        let bound =
            self.bound(&mut Placed::new(shell), (least.overlap, Some(least)), (MAKING_STEPS, f64::INFINITY));
        let is_proof = matches!(bound, Some(Bound::Proved));
        if is_proof {
            shell.drop_unused();
        } else {
            *shell = Shell::NONE;
        }
        is_proof
    }

    /// What the shell says about an overlap, with up to so many new corners; `None` when it cannot tell.
    fn bound(
        &self,
        placed: &mut Placed<'_>,
        (overlap, least): (f64, Option<&Least<Vec3<f64>>>),
        (steps, motion): (usize, f64),
    ) -> Option<Bound> {
        let size = Support::size(self.a) + Support::size(self.b);
        let wanted = overlap - self.close();
        // NaN is not above.
        if !(SHALLOW * size < wanted && placed.shell.is_some()) {
            return None;
        }
        let near = placed.shell.count_near(overlap + self.close(), motion);
        if placed.known < near {
            placed.look_at(self, near);
        }
        for step in 0..=steps {
            let nearest = placed.nearest();
            let Side { normal, distance } = nearest.map_or(FAR_SIDE, |nearest| placed.sides[nearest]);
            if wanted <= distance {
                // Of equal axes the search takes the first, whichever was remembered.
                if least.is_some_and(|least| placed.is_tied(least, self.close())) {
                    return None;
                }
                if placed.is_complete() {
                    placed.keep_distances();
                }
                return Some(Bound::Proved);
            }
            if step == steps || distance == f64::NEG_INFINITY {
                return None;
            }
            let ((on_a, of_a), (on_b, of_b)) = (self.a.support(normal), self.b.support(-normal));
            let point = on_a - on_b;
            let overlap = normal.dot(point) / Vector::length(normal);
            if overlap <= distance + self.close() {
                let corners = placed.shell.triangles[nearest.unwrap_or(0)];
                return Some(Bound::Other(
                    corners.map(|corner| placed.shell.corners[usize::from(corner) % CORNERS]),
                ));
            }
            if !placed.is_complete() {
                placed.look_at(self, placed.shell.triangle_count.into());
                continue;
            }
            // Once the shell is around the origin, what does not face outwards is a fold.
            let floor = if 0.0 < distance { 0.0 } else { f64::NEG_INFINITY };
            placed.add(nearest.unwrap_or(0), ([short(of_a)?, short(of_b)?], point), floor)?;
        }
        None
    }

    /// The overlap along an axis.
    fn overlap_of(&mut self, winner: Winner) -> Option<Least<Vec3<f64>>> {
        match winner {
            Winner::FaceOfA(face) if (face as usize) < self.a.face_count() => {
                Some(self.of_face_of_a(face as usize, &mut ()))
            }
            Winner::FaceOfB(face) if (face as usize) < self.b.core().face_count() => {
                Some(self.of_face_of_b(face as usize, &mut ()))
            }
            Winner::Edges(of_a, of_b) => {
                let source = Source::Edges(of_a, of_b);
                let mut least = Least { overlap: f64::INFINITY, direction: Vec3::ZERO, source };
                self.try_pair(of_a, of_b, &mut least);
                (least.overlap < f64::INFINITY && self.confirm_edges(&mut least)).then_some(least)
            }
            _ => None,
        }
    }

    /// The overlap across two edges.
    fn bar_of(&self, winner: Winner) -> f64 {
        let Winner::Edges(of_a, of_b) = winner else { return f64::INFINITY };
        let edges = self.a.edge(of_a as usize).zip(self.b.core().edge(of_b as usize));
        edges.map_or(f64::INFINITY, |(of_a, of_b)| {
            self.overlap_along(of_a.outwards_across(self.b.turned(of_b.along)))
        })
    }

    /// The axis of a triangle on the surface of the set of differences.
    fn winner_between(&self, corners: [[u16; 2]; 3]) -> Option<Winner> {
        let [of_a, of_b] = [0, 1].map(|which| corners.map(|corner| u32::from(corner[which])));
        let is_one = |numbers: [u32; 3]| numbers[0] == numbers[1] && numbers[1] == numbers[2];
        if is_one(of_b) {
            return Some(Winner::FaceOfA(self.a.face_between(of_a)? as u32));
        }
        if is_one(of_a) {
            return Some(Winner::FaceOfB(self.b.core().face_between(of_b)? as u32));
        }
        let edge = |[p, q, r]: [u32; 3]| if p == q { [p, r] } else { [p, q] };
        let (of_a, of_b) = (self.a.edge_between(edge(of_a))?, self.b.core().edge_between(edge(of_b))?);
        Some(Winner::Edges(of_a as u32, of_b as u32))
    }
}

fn short(number: u32) -> Option<u16> {
    u16::try_from(number).ok()
}
