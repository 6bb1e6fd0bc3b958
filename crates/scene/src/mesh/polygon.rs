//! Polygons of a file, and how they become triangles.
//!
//! A polygon with n corners becomes n − 2 triangles that use every corner, so that neighbours stay
//! connected. It is seen along the axis in which its plane is steepest (that of the largest component of
//! the area vector, after Newell). Where the first corner sees every other from inside, the triangles are a
//! fan about it; otherwise ears are cut off one after the other (Meisters 1975). Corners on a straight edge
//! and polygons that touch themselves along a bridge to a hole are legal.
//!
//! Decisions are plain `f64`, on coordinates relative to the first corner and scaled by a power of two: a
//! corner that is off its neighbours' line by less than rounding may end in a sliver, and scaling the
//! polygon by a power of two changes nothing. A polygon without area, or that crosses itself, has no right
//! answer and becomes a fan.

use super::error::{MeshError, Place, Problem};
use super::{Format, Group, MeshFile};
use carom::d3::Vec3;
use carom::math::power_of_two;
use std::sync::Arc;

/// Polygons over vertices that need not be known yet: files may list them in any order.
#[derive(Default)]
pub(super) struct Polygons {
    corners: Vec<u32>,
    /// Where the corners of each polygon end, and where it stands in the file.
    ends: Vec<(usize, u64)>,
    /// The names, and the first polygon of each.
    groups: Vec<(Arc<str>, usize)>,
}

impl Polygons {
    /// A corner of the polygon that is being read.
    #[inline]
    pub(super) fn corner(&mut self, index: u32) {
        self.corners.push(index);
    }

    /// Ends a polygon that stands at `place` (a line or a byte).
    pub(super) fn end(&mut self, place: u64) -> Result<(), Problem> {
        let count = self.corners.len() - self.ends.last().map_or(0, |end| end.0);
        if count < 3 {
            return Err(Problem::TooFewCorners { count });
        }
        self.ends.push((self.corners.len(), place));
        Ok(())
    }

    /// How many polygons there are.
    pub(super) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The polygons from number `first` on stand at `place`.
    pub(super) fn place_from(&mut self, first: usize, place: u64) {
        self.ends.iter_mut().skip(first).for_each(|end| end.1 = place);
    }

    /// Polygons from now on have this name.
    pub(super) fn start_group(&mut self, name: Arc<str>) {
        // A group that has stayed empty is replaced.
        if self.groups.last().is_some_and(|group| group.1 == self.ends.len()) {
            self.groups.pop();
        }
        self.groups.push((name, self.ends.len()));
    }

    /// The mesh over the vertices. `first` is how the file calls the first of them, `place` turns the places
    /// of polygons into places of errors.
    pub(super) fn into_mesh(
        self,
        format: Format,
        vertices: Vec<Vec3<f64>>,
        first: i64,
        place: fn(u64) -> Place,
    ) -> Result<MeshFile, MeshError> {
        let mut triangles = Vec::with_capacity(self.corners.len() - 2 * self.ends.len());
        let mut cutter = Cutter::new(self.corners.len());
        let mut groups: Vec<Group> = Vec::new();
        let mut names = self.groups.into_iter().peekable();
        let mut name: Arc<str> = "".into();
        let mut start = 0;
        for (polygon, (end, at)) in self.ends.into_iter().enumerate() {
            if let Some((next, _)) = names.next_if(|group| group.1 <= polygon) {
                push_group(&mut groups, std::mem::replace(&mut name, next), triangles.len());
            }
            let corners = self.corners.get(start..end).unwrap_or_default();
            start = end;
            let missing = corners.iter().find(|&&corner| vertices.len() <= corner as usize);
            let cut = match missing {
                Some(&corner) => Err(Problem::NoSuchVertex {
                    index: i64::from(corner) + first,
                    first,
                    last: vertices.len() as i64 - 1 + first,
                }),
                None => cutter.cut(&vertices, corners, &mut triangles),
            };
            cut.map_err(|problem| MeshError::at(place(at), problem))?;
        }
        push_group(&mut groups, name, triangles.len());
        if triangles.is_empty() {
            return Err(MeshError::new(Problem::NoTriangles));
        }
        Ok(MeshFile { format, vertices, triangles, groups })
    }
}

/// Ends the group that goes up to the triangle `end`, unless it is empty.
pub(super) fn push_group(groups: &mut Vec<Group>, name: Arc<str>, end: usize) {
    let start = groups.last().map_or(0, |group| group.triangles.end);
    if start < end {
        groups.push(Group { name, triangles: start..end });
    }
}

/// How many corners may be tested against ears: this many for each corner of the file, and [`FREE_TESTS`].
/// A test takes some nanoseconds. At half of it, meshes of large gear wheels are refused; at twice, a
/// hostile file keeps the reader twice as long.
const TESTS_PER_CORNER: u64 = 256;
const FREE_TESTS: u64 = 1 << 24;

/// Cuts polygons into triangles, with a bound on the work for all of them.
struct Cutter {
    tests_left: u64,
    flat: Vec<[f64; 2]>,
    /// The corners around what is left of the polygon.
    next: Vec<usize>,
    previous: Vec<usize>,
}

impl Cutter {
    fn new(corners: usize) -> Self {
        let tests_left = FREE_TESTS + TESTS_PER_CORNER * corners as u64;
        Cutter { tests_left, flat: Vec::new(), next: Vec::new(), previous: Vec::new() }
    }

    /// Appends the triangles of a polygon whose corners exist.
    fn cut(
        &mut self,
        vertices: &[Vec3<f64>],
        corners: &[u32],
        triangles: &mut Vec<[u32; 3]>,
    ) -> Result<(), Problem> {
        if let [a, b, c] = *corners {
            triangles.push([a, b, c]);
            return Ok(());
        }
        self.flatten(vertices, corners);
        let corner = |position: usize| corners.get(position).copied().unwrap_or_default();
        let fan = 1..corners.len().saturating_sub(1);
        // Without an area the comparisons are false, and ears would not be found either.
        let has_area = !self.flat.is_empty();
        if !has_area || fan.clone().all(|b| 0.0 < self.turn(0, b, b + 1)) {
            triangles.extend(fan.map(|b| [corner(0), corner(b), corner(b + 1)]));
            return Ok(());
        }
        let mut left = corners.len();
        self.next.clear();
        self.next.extend((1..left).chain([0]));
        self.previous.clear();
        self.previous.extend([left - 1].into_iter().chain(0..left - 1));
        let mut b = 0;
        let mut passed = 0;
        // Each turn either cuts a corner off or passes one, and not all of them in a row.
        while 3 < left {
            let (a, c) = (self.previous[b], self.next[b]);
            // After a whole round without an ear the polygon crosses itself: any corner will do.
            if passed == left || self.is_ear(a, b, c)? {
                triangles.push([a, b, c].map(corner));
                self.next[a] = c;
                self.previous[c] = a;
                left -= 1;
                passed = 0;
            } else {
                passed += 1;
            }
            b = c;
        }
        triangles.push([self.previous[b], b, self.next[b]].map(corner));
        Ok(())
    }

    /// The polygon seen along an axis, counter-clockwise; nothing when it has no area.
    ///
    /// With p the corners relative to the first, the area vector is ½ Σ pᵢ × pᵢ₊₁. Its largest component is
    /// the area of the largest of the three shadows.
    fn flatten(&mut self, vertices: &[Vec3<f64>], corners: &[u32]) {
        self.flat.clear();
        let point = |corner: &u32| vertices.get(*corner as usize).map_or([0.0; 3], |v| [v.x, v.y, v.z]);
        let largest = |largest: f64, x: f64| if largest < x.abs() { x.abs() } else { largest };
        let size = corners.iter().flat_map(point).fold(0.0, largest);
        let scale = towards_one(size);
        let origin = corners.first().map_or([0.0; 3], point).map(|x| x * scale);
        let local = |corner: &u32| {
            let p = point(corner);
            [p[0] * scale - origin[0], p[1] * scale - origin[1], p[2] * scale - origin[2]]
        };
        // Again, because a small polygon far away is small now.
        let rescale = towards_one(corners.iter().flat_map(local).fold(0.0, largest));
        let local = |corner: &u32| local(corner).map(|x| x * rescale);
        let mut area = [0.0; 3];
        for pair in corners.windows(2) {
            if let [p, q] = pair {
                let (p, q) = (local(p), local(q));
                area[0] += p[1] * q[2] - p[2] * q[1];
                area[1] += p[2] * q[0] - p[0] * q[2];
                area[2] += p[0] * q[1] - p[1] * q[0];
            }
        }
        let axis = (1..3).fold(0, |best: usize, i| if area[best].abs() < area[i].abs() { i } else { best });
        let (mut u, mut v) = ((axis + 1) % 3, (axis + 2) % 3);
        if area[axis] < 0.0 {
            (u, v) = (v, u);
        }
        if area[axis] != 0.0 {
            self.flat.extend(corners.iter().map(local).map(|p| [p[u], p[v]]));
        }
    }

    /// Whether the triangle turns left and no other corner lies in it. Corners at the places of its own are
    /// passed over: they are the other end of a bridge.
    fn is_ear(&mut self, a: usize, b: usize, c: usize) -> Result<bool, Problem> {
        self.spend_test()?;
        if self.turn(a, b, c) <= 0.0 {
            return Ok(false);
        }
        let own = [self.flat[a], self.flat[b], self.flat[c]];
        let mut p = self.next[c];
        while p != a {
            self.spend_test()?;
            let is_inside =
                0.0 <= self.turn(a, b, p) && 0.0 <= self.turn(b, c, p) && 0.0 <= self.turn(c, a, p);
            if is_inside && !own.contains(&self.flat[p]) {
                return Ok(false);
            }
            p = self.next[p];
        }
        Ok(true)
    }

    fn spend_test(&mut self) -> Result<(), Problem> {
        self.tests_left = self.tests_left.checked_sub(1).ok_or(Problem::TooInvolved)?;
        Ok(())
    }

    /// Twice the area of a triangle of the flat polygon, positive when it turns left.
    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        let ([ax, ay], [bx, by], [cx, cy]) = (self.flat[a], self.flat[b], self.flat[c]);
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    }
}

/// A power of two that brings a size to about 1; 1 for zero. The products of three scaled coordinates
/// neither overflow nor vanish.
fn towards_one(size: f64) -> f64 {
    let exponent = (size.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    if size == 0.0 { 1.0 } else { power_of_two((-exponent).min(1023)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Triangles of the polygon, whose number and total area vector are checked: every part of the plane
    /// counts as often as the polygon winds around it.
    fn cut(points: &[[f64; 3]]) -> Vec<[u32; 3]> {
        let vertices: Vec<Vec3<f64>> = points.iter().map(|&p| p.into()).collect();
        let corners: Vec<u32> = (0..points.len() as u32).collect();
        let mut triangles = Vec::new();
        Cutter::new(corners.len()).cut(&vertices, &corners, &mut triangles).expect("little work");
        assert_eq!(triangles.len(), points.len() - 2, "{points:?}");
        // As a surface with the polygon as its boundary, the inner edges cancel.
        let mut edges = std::collections::BTreeMap::new();
        for &[a, b, c] in &triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((from.min(to), from.max(to))).or_insert(0) += if from < to { 1 } else { -1 };
            }
        }
        for i in 0..corners.len() as u32 {
            let j = (i + 1) % corners.len() as u32;
            *edges.entry((i.min(j), i.max(j))).or_insert(0) -= if i < j { 1 } else { -1 };
        }
        assert!(edges.values().all(|&count| count == 0), "{points:?}: {triangles:?}");
        triangles
    }

    fn areas(points: &[[f64; 2]], triangles: &[[u32; 3]]) -> Vec<f64> {
        let turn = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [points[a as usize], points[b as usize], points[c as usize]];
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        triangles.iter().map(|&triangle| turn(triangle)).collect()
    }

    /// Every polygon, from each of its corners, both ways around, in three planes and two sizes.
    fn check(points: &[[f64; 2]]) {
        for start in 0..points.len() {
            let mut turned = points.to_vec();
            turned.rotate_left(start);
            for _ in 0..2 {
                turned.reverse();
                for axis in 0..3 {
                    for scale in [1.0, power_of_two(-1000), power_of_two(900)] {
                        let raised: Vec<[f64; 3]> = turned
                            .iter()
                            .map(|&[x, y]| {
                                let mut p = [x * scale, y * scale, (x + y) * 0.25 * scale];
                                p.rotate_left(axis);
                                p
                            })
                            .collect();
                        let found = areas(&turned, &cut(&raised));
                        let total: f64 = found.iter().sum();
                        assert!(found.iter().all(|area| 0.0 < area * total), "{turned:?}: {found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn triangles_cover_simple_polygons_without_overlap_or_slivers() {
        check(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        // A dart, whose fan leaves it.
        check(&[[0.0, 0.0], [4.0, 1.0], [0.0, 2.0], [1.0, 1.0]]);
        // A comb, and an L with a corner on a straight edge.
        check(&[
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 3.0],
            [4.0, 3.0],
            [4.0, 1.0],
            [3.0, 1.0],
            [3.0, 3.0],
            [2.0, 1.0],
        ]);
        check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]]);
    }

    #[test]
    fn a_bridge_to_a_hole_is_no_obstacle() {
        // A square of 4 by 4 with a hole of 2 by 2: the area is 12.
        let ring = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        let found = areas(&ring, &cut(&ring.map(|[x, y]| [x, y, 7.0])));
        assert!(found.iter().all(|&area| 0.0 < area), "{found:?}");
        assert_eq!(found.iter().sum::<f64>(), 24.0);
    }

    #[test]
    fn polygons_without_an_answer_are_still_bounded_by_their_edges() {
        cut(&[[0.0; 3]; 5]);
        cut(&[[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]]);
        cut(&[[0.0; 3], [2.0, 2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]]);
        cut(&[
            [f64::MAX, 0.0, 0.0],
            [-f64::MAX, 0.0, 0.0],
            [0.0, f64::MAX, 0.0],
            [1.0, 1.0, f64::MIN_POSITIVE],
        ]);
    }
}
