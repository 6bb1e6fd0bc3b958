//! The feature of each kind of shape in space that faces a direction. A new kind needs one arm of
//! [`Offers`] for [`Shape`].

use super::hull::MOST_CORNERS;
use crate::d3::pair::{normal_of, radial};
use crate::d3::shape::{Capsule, Cone, Cuboid, Cylinder, Shape, Triangle};
use crate::d3::solid::HullView;
use crate::gjk::Support;
use crate::manifold::feature::{Feature, Kind, Offers, number};
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Vec3, Vector};

type Place = Relative<Vec3<f64>, Mat3<f64>>;
pub(super) type Face<const N: usize> = Feature<Vec3<f64>, N>;

/// Whether a feature of the shape can be a disc.
pub(super) fn has_disc(shape: &Shape<f64>) -> bool {
    match shape {
        Shape::Cylinder(_) | Shape::Cone(_) => true,
        Shape::Rounded(rounded) => has_disc(&rounded.core()),
        _ => false,
    }
}

impl Offers<Vec3<f64>, Mat3<f64>> for Cuboid<f64> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        4
    }
    #[inline(always)]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec3<f64>) -> Face<N> {
        of_box(self.half_extents(), place, direction)
    }
}

impl Offers<Vec3<f64>, Mat3<f64>> for Capsule<f64> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        2
    }
    #[inline(always)]
    fn feature<const N: usize>(&self, place: &Place, _: Vec3<f64>) -> Face<N> {
        let segment = self.segment();
        Feature::segment(place.point(segment.a()), place.point(segment.b()), None, self.radius())
    }
}

impl Offers<Vec3<f64>, Mat3<f64>> for Triangle<f64> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        3
    }
    #[inline]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec3<f64>) -> Face<N> {
        of_triangle(self.corners().map(|corner| place.point(corner)), direction)
    }
}

/// The face most parallel to the direction among those at the farthest vertex; the whole of a straight hull.
impl Offers<Vec3<f64>, Mat3<f64>> for HullView<'_> {
    fn corners_at_most(&self) -> usize {
        self.faces().1.most_corners().min(MOST_CORNERS)
    }
    fn feature<const N: usize>(&self, place: &Place, direction: Vec3<f64>) -> Face<N> {
        let (faces, facing, factor) = self.faces();
        if self.dimension() < 2 {
            let last = faces.vertices.len().saturating_sub(1);
            let ends = [0, last].map(|index| place.point(self.at(index as u32)));
            return Feature::edge(ends, [0, last], 0, None, 0.0);
        }
        let local = place.rotation.undo(direction);
        let (_, vertex) = self.support(local);
        facing.feature(faces, (vertex, local), |p| place.point(p * factor), |n| place.rotation.apply(n))
    }
}

impl Offers<Vec3<f64>, Mat3<f64>> for Shape<f64> {
    fn corners_at_most(&self) -> usize {
        match self {
            Shape::Hull(hull) => hull.view().corners_at_most(),
            Shape::Rounded(rounded) => rounded.core().corners_at_most(),
            _ => 4,
        }
    }
    #[inline]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec3<f64>) -> Face<N> {
        match self {
            Shape::Cuboid(cuboid) => cuboid.feature(place, direction),
            Shape::Triangle(triangle) => triangle.feature(place, direction),
            Shape::Segment(segment) => {
                Feature::segment(place.point(segment.a()), place.point(segment.b()), None, 0.0)
            }
            Shape::Capsule(capsule) => capsule.feature(place, direction),
            Shape::Cylinder(can) => of_cylinder(can, place, direction),
            Shape::Cone(cone) => of_cone(cone, place, direction),
            Shape::Hull(hull) => hull.view().feature(place, direction),
            Shape::HalfSpace(plane) => {
                let normal = place.rotation.apply(plane.normal());
                Feature::plane(normal, plane.offset() + normal.dot(place.translation))
            }
            Shape::Rounded(rounded) => of_rounded(&rounded.core(), rounded.radius(), place, direction),
            Shape::Ball(_) | Shape::Ellipsoid(_) => Feature::nowhere_flat(),
            Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => Feature::nowhere_flat(),
        }
    }
}

/// The feature of the core with the radius. A sliver, which has no normal to speak of, is its edge that is
/// highest along the direction.
#[inline(never)]
fn of_rounded<const N: usize>(
    core: &Shape<f64>,
    radius: f64,
    place: &Place,
    direction: Vec3<f64>,
) -> Face<N> {
    let feature: Face<N> = core.feature(place, direction);
    if feature.normal.is_some() || feature.corners().len() <= 2 {
        return feature.inflated(radius);
    }
    feature.highest_ends(direction).map_or(feature.inflated(radius), |ends| Feature::between(ends, radius))
}

/// The face of a box whose normal is most parallel to a direction, the lowest axis of equals: the axes along
/// its sides and its normal, and whether it is on the negative side. Corners go around counter-clockwise about
/// +axis as (j, k) turn right-handed; the other way around about −axis.
#[inline(always)]
pub(super) fn box_face_axes(local: Vec3<f64>) -> ([usize; 3], bool) {
    let size = local.abs_by_axis();
    // Which one it is, is a coin toss: no branch.
    let (y_beats_x, z_beats_x, z_beats_y) = (size.x < size.y, size.x < size.z, size.y < size.z);
    let is_z = (y_beats_x & z_beats_y) | (!y_beats_x & z_beats_x);
    let axis = (usize::from(is_z) * 2 + usize::from(y_beats_x & !z_beats_y)).min(2);
    let negative = [local.x, local.y, local.z][axis] < 0.0;
    (BOX_FACES[axis * 2 + usize::from(negative)], negative)
}

/// The axes of the faces of a box: 2·axis for the positive side, one more for the negative.
pub(super) const BOX_FACES: [[usize; 3]; 6] =
    [[1, 2, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1], [0, 1, 2], [1, 0, 2]];

/// What a corner of a face of a box and the edge to the next are called: a corner by bit i for the side along
/// axis i; the face across axis i is 2i on the positive side; an edge along axis i is 4i plus the bits of the
/// axes i + 1 and i + 2, in this order.
#[inline(always)]
pub(super) const fn box_corner_names([j, k, axis]: [usize; 3], negative: bool, corner: usize) -> (u32, u32) {
    let (far_j, far_k) = ((corner == 1 || corner == 2) as usize, (2 <= corner) as usize);
    let bits = (!negative as usize) << axis | far_j << j | far_k << k;
    let along = if corner & 1 == 0 { j } else { k };
    (number(Kind::Vertex, bits), number(Kind::Edge, along * 4 + other_bits(bits, along)))
}

#[inline(always)]
const fn other_bits(bits: usize, along: usize) -> usize {
    (bits >> [1, 2, 0][along] & 1) | (bits >> [2, 0, 1][along] & 1) << 1
}

/// What the edge at a corner of a box is called that is along the lowest of the axes in `level`, each a bit; the corner
/// if there is none.
#[inline(always)]
pub(super) fn box_tip(corner: usize, level: usize) -> u32 {
    const TIPS: [[u32; 8]; 8] = {
        let mut tips = [[0; 8]; 8];
        let mut corner = 0;
        while corner < 8 {
            tips[corner][0] = number(Kind::Vertex, corner);
            let mut level = 1_usize;
            while level < 8 {
                let along = level.trailing_zeros() as usize;
                tips[corner][level] = number(Kind::Edge, along * 4 + other_bits(corner, along));
                level += 1;
            }
            corner += 1;
        }
        tips
    };
    TIPS[corner & 7][level & 7]
}

/// See [`box_face_axes`] and [`box_corner_names`].
#[inline(always)]
fn of_box<const N: usize>(half: Vec3<f64>, place: &Place, direction: Vec3<f64>) -> Face<N> {
    let (axes, negative) = box_face_axes(place.rotation.undo(direction));
    let [j, k, axis] = axes;
    let sign = if negative { -1.0 } else { 1.0 };
    let name = number(Kind::Face, axis * 2 + usize::from(negative));
    let mut face = Feature::new(name, Some(place.rotation.column(axis) * sign), 0.0);
    if half.get(j) == 0.0 || half.get(k) == 0.0 {
        return of_flat_box(half, place, axes, negative);
    }
    // From the middle of the face half the extents to either side.
    let across = |i: usize| place.rotation.column(i) * half.get(i);
    let (to_j, to_k) = (across(j), across(k));
    let middle = place.translation + across(axis) * sign;
    let (low, high) = (middle - to_k, middle + to_k);
    for (index, point) in [low - to_j, low + to_j, high + to_j, high - to_j].into_iter().enumerate() {
        let (vertex, edge) = box_corner_names(axes, negative, index);
        face.push(point, vertex, edge);
    }
    face
}

/// A face of a box that is an edge or a point, because the box is flat along j, k or both.
fn of_flat_box<const N: usize>(
    half: Vec3<f64>,
    place: &Place,
    [j, k, axis]: [usize; 3],
    negative: bool,
) -> Face<N> {
    let along = if half.get(j) == 0.0 { k } else { j };
    let low = usize::from(!negative) << axis;
    let end = |bits: usize| {
        place.point(Vec3::from_fn(|i| if bits >> i & 1 == 1 { half.get(i) } else { -half.get(i) }))
    };
    let bits = [low, low | 1 << along];
    Feature::edge(bits.map(end), bits, along * 4 + other_bits(low, along), None, 0.0)
}

/// Triangles whose squared height is less than this part of the square of their longest edge are no
/// reference: their long sides meet at so small an angle that clipping would miss the corner by
/// rounding errors divided by it.
pub(super) const SLIVER: f64 = 1.0 / 1_048_576.0;

/// A face with two sides, 0 and 1. Edge i runs from corner i to the next. A triangle without area is
/// its longest edge.
fn of_triangle<const N: usize>(corners: [Vec3<f64>; 3], direction: Vec3<f64>) -> Face<N> {
    let length = |index: usize| (corners[(index + 1) % 3] - corners[index]).length_squared();
    let mut longest = 0;
    for index in 1..3 {
        if length(longest) < length(index) {
            longest = index;
        }
    }
    let double_area = normal_of(corners);
    let Some(normal) = double_area.normalized() else {
        let next = (longest + 1) % 3;
        return Feature::edge([corners[longest], corners[next]], [longest, next], longest, None, 0.0);
    };
    let sliver = double_area.length_squared() < SLIVER * (length(longest) * length(longest));
    let back = normal.dot(direction) < 0.0;
    let mut face = Feature::new(
        number(Kind::Face, usize::from(back)),
        (!sliver).then_some(if back { -normal } else { normal }),
        0.0,
    );
    for index in 0..3 {
        // Seen from behind the corners come in the order 0, 2, 1, with the edges 2, 1, 0.
        let (vertex, edge) = if back { ((3 - index) % 3, 2 - index) } else { (index, index) };
        face.push(corners[vertex], number(Kind::Vertex, vertex), number(Kind::Edge, edge));
    }
    face
}

/// Four points of a rim about the local y axis: the one farthest along a direction first, then around.
fn push_rim<const N: usize>(
    face: &mut Face<N>,
    place: &Place,
    [height, radius]: [f64; 2],
    outward: Vec3<f64>,
    first: usize,
) {
    face.round = true;
    let across = Vec3::new(-outward.z, 0.0, outward.x);
    let center = Vec3::new(0.0, height, 0.0);
    // Seen from above, x towards −z is counter-clockwise; caps that face down go the other way.
    let turn = if height < 0.0 { across } else { -across };
    for (step, spoke) in [outward, turn, -outward, -turn].into_iter().enumerate() {
        let name = first + step;
        face.push(place.point(center + spoke * radius), number(Kind::Vertex, name), number(Kind::Edge, name));
    }
}

/// The direction in which a disc about the y axis leans first when it comes from `local`: away from the axis,
/// or the first axis where that is rounding.
fn bearing(local: Vec3<f64>) -> Vec3<f64> {
    let across = local.x * local.x + local.z * local.z;
    let rounding = local.y * f64::EPSILON;
    if across <= rounding * rounding { Vec3::unit(0) } else { radial(local) }
}

/// The cap, by four points of its rim, or the line on the side, whichever faces the direction more. A
/// cylinder without radius is a segment.
fn of_cylinder<const N: usize>(can: &Cylinder<f64>, place: &Place, direction: Vec3<f64>) -> Face<N> {
    let local = place.rotation.undo(direction);
    let outward = bearing(local);
    let (half_height, radius) = (can.half_height(), can.radius());
    let down = local.y < 0.0;
    if 0.0 < radius && outward.dot(local) <= local.y.abs() {
        let side = if down { -1.0 } else { 1.0 };
        let name = number(Kind::Face, usize::from(down));
        let mut face = Feature::new(name, Some(place.rotation.column(1) * side), 0.0);
        push_rim(&mut face, place, [side * half_height, radius], outward, if down { 4 } else { 0 });
        return face;
    }
    let end = |height: f64| place.point(outward * radius + Vec3::new(0.0, height, 0.0));
    let mut line: Face<N> = Feature::edge([end(half_height), end(-half_height)], [0, 4], 8, None, 0.0);
    line.spine = place.rotation.apply(outward * -radius);
    line
}

/// The base, by four points of its rim, or the line from the tip down the side, whichever faces the
/// direction more. A cone without radius is a segment.
fn of_cone<const N: usize>(cone: &Cone<f64>, place: &Place, direction: Vec3<f64>) -> Face<N> {
    let local = place.rotation.undo(direction);
    let outward = bearing(local);
    let (half_height, radius) = (cone.half_height(), cone.radius());
    // The normal of the side leans up by the angle whose tangent is radius/height.
    let lean = Vec3::new(outward.x * (2.0 * half_height), radius, outward.z * (2.0 * half_height));
    let facing_side = lean.normalized().map_or(-1.0, |normal| normal.dot(local));
    if 0.0 < radius && facing_side <= -local.y {
        let mut face = Feature::new(number(Kind::Face, 0), Some(-place.rotation.column(1)), 0.0);
        push_rim(&mut face, place, [-half_height, radius], outward, 0);
        return face;
    }
    let tip = place.point(Vec3::new(0.0, half_height, 0.0));
    let foot = place.point(outward * radius - Vec3::new(0.0, half_height, 0.0));
    Feature::edge([tip, foot], [4, 0], 4, None, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_run_counter_clockwise_and_share_the_names_of_their_edges() {
        let place = Relative { rotation: Mat3::IDENTITY, translation: Vec3::new(1.0, 2.0, 3.0) };
        let cuboid = Shape::Cuboid(crate::d3::Cuboid::new([1.0, 2.0, 4.0]).unwrap());
        let mut edges = std::collections::BTreeMap::new();
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let direction = Vec3::unit(axis) * sign;
                let face = cuboid.feature::<4>(&place, direction);
                let corners = face.corners();
                assert_eq!((corners.len(), face.normal), (4, Some(direction)));
                for (index, corner) in corners.iter().enumerate() {
                    let (next, after) = (&corners[(index + 1) % 4], &corners[(index + 2) % 4]);
                    let turn = (next.point - corner.point).cross(after.point - next.point);
                    assert!(0.0 < turn.dot(direction));
                    let mut ends = [corner.vertex, next.vertex];
                    ends.sort_unstable();
                    assert_eq!(*edges.entry(corner.edge).or_insert(ends), ends);
                }
            }
        }
        assert_eq!(edges.len(), 12);
    }

    #[test]
    fn caps_face_their_direction() {
        let place = Relative { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };
        let can = Shape::Cylinder(Cylinder::new(1.0, 0.5).unwrap());
        let hat = Shape::Cone(Cone::new(1.0, 0.5).unwrap());
        for (shape, direction) in
            [(&can, [0.1, 1.0, 0.0]), (&can, [0.0, -1.0, 0.2]), (&hat, [0.0, -1.0, 0.0])]
        {
            let face = shape.feature::<4>(&place, Vec3::from(direction).normalized().unwrap());
            let [a, b, c, _] = face.corners() else { panic!("four points of the rim") };
            let turn = (b.point - a.point).cross(c.point - b.point);
            assert!(0.0 < turn.dot(face.normal.unwrap()));
        }
    }
}
