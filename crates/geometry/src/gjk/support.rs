//! Support points: all that the general kernels know about a shape.
//!
//! Each type here is a core without radius, about the origin of its own frame; [`Posed`] puts one
//! elsewhere. Directions need not have unit length, and no answer depends on their length.

use super::inside::Ball;
use crate::convex::landing::FlatSide;
use crate::convex::nearest_on_ellipsoid;
use crate::d3::closest::{nearest_cone, nearest_cylinder};
use carom_math::{Number, Vec3, Vector};

/// A convex set that can tell its farthest point in any direction.
pub(crate) trait Support<V: Vector<Scalar = f64>> {
    /// Whether the set has other than finitely many support points. The loops stop at exactly the
    /// right facet of a polytope, and at a tolerance otherwise.
    const CURVED: bool;
    /// A point of the set, within 8ε·size, whose product with the direction is the largest, within
    /// 8ε·size·|direction|; and the number of the vertex, 0 where there are no vertices. Equal
    /// products go to the lower number. Any point will do for a zero direction.
    fn support(&self, direction: V) -> (V, u32);
    /// The least product of a point of the set with the direction, within 8ε·size·|direction|: what the support point opposite says, for less.
    #[inline]
    fn least_along(&self, direction: V) -> f64 {
        direction.dot(self.support(-direction).0)
    }
    /// Some point inside, for the first guess of the direction between two shapes.
    fn center(&self) -> V;
    /// The largest distance of a point of the set from the origin of the frame, or a little more.
    fn size(&self) -> f64;
    /// The flat side that faces a point, given from the centre, more than others do, if there is one. Whichever it is, no answer is
    /// wrong.
    #[inline]
    fn flat_side(&self, _from_center: V) -> Option<FlatSide<V>> {
        None
    }
    /// How far inside of the edges of a side a point in its plane is; negative or −∞ outside.
    #[inline]
    fn room_on_side(&self, _side: &FlatSide<V>, _point: V) -> f64 {
        f64::NEG_INFINITY
    }
    /// The t for which the ball about from + t·along is the largest, cuts aside, where that takes no search.
    #[inline]
    fn deepest_on(&self, _from: V, _along: V) -> Option<f64> {
        None
    }
    /// The semi-axes of an ellipsoid in the set that reaches as far as the set does in a direction; for one without any extent every set has a
    /// place.
    #[inline]
    fn curve_at(&self, _direction: V) -> [V; 3] {
        [V::ZERO; 3]
    }
    /// The ends of the line that holds the farthest points in directions across it, beside an ellipsoid moved along it that is [`curve_at`](Self::curve_at).
    #[inline]
    fn line_at(&self, _direction: V) -> Option<[V; 2]> {
        None
    }
    /// The point of a curved set nearest to a point outside of it, where that takes no support points.
    #[inline]
    fn nearest(&self, _point: V) -> Option<V> {
        None
    }
    /// The largest ball about a point that is inside, but for what flat sides cut off, where that takes no search.
    #[inline]
    fn ball_about(&self, _point: V) -> Option<Ball<V>> {
        None
    }
}

/// The convex hull of some points, by linear scan. An empty one counts as the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cloud<'a, V> {
    points: &'a [V],
    center: V,
    size: f64,
}

impl<'a, V: Vector<Scalar = f64>> Cloud<'a, V> {
    pub(crate) fn new(points: &'a [V]) -> Self {
        let size = points.iter().fold(0.0, |size: f64, p| larger(size, p.length()));
        let sum = points.iter().fold(V::ZERO, |sum, &p| sum + p);
        let center = if points.is_empty() { V::ZERO } else { sum / points.len() as f64 };
        Cloud { points, center, size }
    }
}

impl<V: Vector<Scalar = f64>> Support<V> for Cloud<'_, V> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        farthest(self.points, direction)
    }
    fn center(&self) -> V {
        self.center
    }
    fn size(&self) -> f64 {
        self.size
    }
}

/// A point, a segment or a triangle, given by its corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corners<V, const N: usize>(pub(crate) [V; N]);

impl<V: Vector<Scalar = f64>, const N: usize> Support<V> for Corners<V, N> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        farthest(&self.0, direction)
    }
    #[inline]
    fn least_along(&self, direction: V) -> f64 {
        least_product(&self.0, direction)
    }
    fn center(&self) -> V {
        Cloud::new(&self.0).center
    }
    fn size(&self) -> f64 {
        Cloud::new(&self.0).size
    }
}

/// A rectangle or box about the origin, given by its half extents. The number of a corner has a bit
/// set for each axis on whose negative side it lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<V>(pub(crate) V);

impl<V: Vector<Scalar = f64>> Block<V> {
    /// How far inside of the edges of a side a point in its plane is. Side 2i faces +axis i, side 2i + 1 faces −axis i.
    #[inline]
    pub(crate) fn room_on(&self, side: usize, point: V) -> f64 {
        let room = |axis: usize| self.0.get(axis) - point.get(axis).abs();
        (0..V::DIM)
            .filter(|&axis| axis != side / 2)
            .fold(f64::INFINITY, |least, axis| room(axis).min_of(least))
    }
    /// The corner of a number.
    pub(crate) fn corner(&self, number: u32) -> V {
        V::from_fn(|axis| if number >> axis & 1 == 1 { -self.0.get(axis) } else { self.0.get(axis) })
    }
}

impl<V: Vector<Scalar = f64>> Support<V> for Block<V> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        let mut corner = 0;
        let point = V::from_fn(|axis| {
            if direction.get(axis) < 0.0 {
                corner |= 1 << axis;
                -self.0.get(axis)
            } else {
                self.0.get(axis)
            }
        });
        (point, corner)
    }
    #[inline]
    fn least_along(&self, direction: V) -> f64 {
        -direction.abs_by_axis().dot(self.0)
    }
    fn center(&self) -> V {
        V::ZERO
    }
    fn size(&self) -> f64 {
        self.0.length()
    }
    #[inline]
    fn flat_side(&self, from_center: V) -> Option<FlatSide<V>> {
        let beyond = |axis: usize| from_center.get(axis).abs() - self.0.get(axis);
        let axis = (1..V::DIM).fold(0, |most, axis| if beyond(most) < beyond(axis) { axis } else { most });
        let is_negative = from_center.get(axis) < 0.0;
        let normal = V::unit(axis) * if is_negative { -1.0 } else { 1.0 };
        Some(FlatSide::upright(normal, self.0.get(axis), 2 * axis + usize::from(is_negative)))
    }
    #[inline]
    fn room_on_side(&self, side: &FlatSide<V>, point: V) -> f64 {
        self.room_on(side.number, point)
    }
    #[inline]
    fn ball_about(&self, point: V) -> Option<Ball<V>> {
        let below = |axis: usize| self.0.get(axis) - point.get(axis).abs();
        let axis = (1..V::DIM).fold(0, |least, axis| if below(axis) < below(least) { axis } else { least });
        let sign = if point.get(axis) < 0.0 { -1.0 } else { 1.0 };
        Ball::whole(below(axis), V::unit(axis) * sign)
    }
}

/// A cylinder about the y axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cylinder {
    pub(crate) half_height: f64,
    pub(crate) radius: f64,
}

impl Support<Vec3<f64>> for Cylinder {
    const CURVED: bool = true;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        let end = if direction.y < 0.0 { -self.half_height } else { self.half_height };
        (rim(direction, self.radius, end), 0)
    }
    fn center(&self) -> Vec3<f64> {
        Vec3::ZERO
    }
    fn size(&self) -> f64 {
        (self.radius * self.radius + self.half_height * self.half_height).sqrt()
    }
    #[inline]
    fn flat_side(&self, from_center: Vec3<f64>) -> Option<FlatSide<Vec3<f64>>> {
        let normal = Vec3::new(0.0, if from_center.y < 0.0 { -1.0 } else { 1.0 }, 0.0);
        Some(FlatSide::upright(normal, self.half_height, 0))
    }
    #[inline]
    fn room_on_side(&self, _side: &FlatSide<Vec3<f64>>, point: Vec3<f64>) -> f64 {
        room_in_circle(self.radius, point)
    }
    #[inline]
    fn ball_about(&self, point: Vec3<f64>) -> Option<Ball<Vec3<f64>>> {
        let up = Vec3::unit(1);
        let ends = [(up, self.half_height - point.y), (-up, self.half_height + point.y)];
        Ball::cut(room_in_circle(self.radius, point), bearing(point), ends)
    }
    #[inline]
    fn deepest_on(&self, from: Vec3<f64>, along: Vec3<f64>) -> Option<f64> {
        deepest_below_mantle(from, along, 0.0)
    }
    #[inline]
    fn curve_at(&self, _direction: Vec3<f64>) -> [Vec3<f64>; 3] {
        rim_axes(self.radius)
    }
    #[inline]
    fn line_at(&self, direction: Vec3<f64>) -> Option<[Vec3<f64>; 2]> {
        Some([-self.half_height, self.half_height].map(|end| rim(direction, self.radius, end)))
    }
    fn nearest(&self, point: Vec3<f64>) -> Option<Vec3<f64>> {
        Some(nearest_cylinder(self.half_height, self.radius, point).point)
    }
}

/// A cone about the y axis: tip at +half_height, base at −half_height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cone {
    pub(crate) half_height: f64,
    pub(crate) radius: f64,
}

impl Support<Vec3<f64>> for Cone {
    const CURVED: bool = true;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        // With q the part of d across the axis: tip·d = h·dy, base rim·d = r·|q| − h·dy.
        let across = (direction.x * direction.x + direction.z * direction.z).sqrt();
        if self.radius * across <= 2.0 * self.half_height * direction.y {
            return (Vec3::new(0.0, self.half_height, 0.0), 0);
        }
        (rim(direction, self.radius, -self.half_height), 0)
    }
    fn center(&self) -> Vec3<f64> {
        Vec3::ZERO
    }
    fn size(&self) -> f64 {
        (self.radius * self.radius + self.half_height * self.half_height).sqrt()
    }
    #[inline]
    fn flat_side(&self, from_center: Vec3<f64>) -> Option<FlatSide<Vec3<f64>>> {
        let normal = Vec3::new(0.0, -1.0, 0.0);
        (from_center.y < 0.0).then(|| FlatSide::upright(normal, self.half_height, 0))
    }
    #[inline]
    fn room_on_side(&self, _side: &FlatSide<Vec3<f64>>, point: Vec3<f64>) -> f64 {
        room_in_circle(self.radius, point)
    }
    /// The mantle goes from (r, −h) to (0, h) in the plane of a point at the distance ρ from the axis and the axis; out of it points
    /// (2h, r)/l with l² = 4h² + r², so that the point (ρ, y) is (r·(h − y) − 2h·ρ)/l below it.
    #[inline]
    fn ball_about(&self, point: Vec3<f64>) -> Option<Ball<Vec3<f64>>> {
        let (height, radius) = (2.0 * self.half_height, self.radius);
        let across = (point.x * point.x + point.z * point.z).sqrt();
        let length = (height * height + radius * radius).sqrt();
        let mantle = (radius * (self.half_height - point.y) - height * across) / length;
        let base = (-Vec3::unit(1), self.half_height + point.y);
        let bearing = bearing(point) * (height / length);
        let outward = Vec3::new(bearing.x, radius / length, bearing.z);
        Ball::cut(mantle, outward, [base, (Vec3::ZERO, f64::INFINITY)])
    }
    #[inline]
    fn deepest_on(&self, from: Vec3<f64>, along: Vec3<f64>) -> Option<f64> {
        deepest_below_mantle(from, along, 0.5 * self.radius / self.half_height)
    }
    #[inline]
    fn curve_at(&self, direction: Vec3<f64>) -> [Vec3<f64>; 3] {
        if self.support(direction).0.y < 0.0 { rim_axes(self.radius) } else { [Vec3::ZERO; 3] }
    }
    fn nearest(&self, point: Vec3<f64>) -> Option<Vec3<f64>> {
        Some(nearest_cone(self.half_height, self.radius, point).point)
    }
}

/// Where on a line the sum ρ + slope·y, of the distance from the y axis and the height, is the least.
///
/// With the part a of the line across the axis and p that of its first point: ρ² = d² + a²·s², s = t − t₀, a²·t₀ = −a·p, and d the distance at t₀. The
/// derivative a²·s/ρ + k, k = slope·(height along the line), is zero for s = −k·d/(|a|·√(a² − k²)).
#[inline]
fn deepest_below_mantle(from: Vec3<f64>, along: Vec3<f64>, slope: f64) -> Option<f64> {
    let across = Vec3::new(along.x, 0.0, along.z);
    let (squared, steep) = (across.length_squared(), slope * along.y);
    let rest = squared - steep * steep;
    // Not for a slope that is no number either.
    let has_least = 0.0 < rest;
    if !has_least {
        return None;
    }
    let middle = -across.dot(from) / squared;
    let nearest = from + along * middle;
    let distance = (nearest.x * nearest.x + nearest.z * nearest.z).sqrt();
    Some(middle - steep * distance / (squared * rest).sqrt())
}

/// The semi-axes of a circle about the y axis.
#[inline]
fn rim_axes(radius: f64) -> [Vec3<f64>; 3] {
    [Vec3::unit(0) * radius, Vec3::unit(2) * radius, Vec3::ZERO]
}

/// The direction from the y axis to a point; the first axis for one on it.
#[inline]
fn bearing(point: Vec3<f64>) -> Vec3<f64> {
    Vec3::new(point.x, 0.0, point.z).normalized().unwrap_or(Vec3::unit(0))
}

/// How far inside of a circle about the y axis a point is.
#[inline]
fn room_in_circle(radius: f64, point: Vec3<f64>) -> f64 {
    radius - (point.x * point.x + point.z * point.z).sqrt()
}

/// The point of the circle of this radius at height y that is farthest in the direction. The centre
/// of the circle when the direction is the axis up to rounding: no farther than radius·ε·|direction|
/// behind the best point, and free of a bearing that is only noise.
#[inline]
fn rim(direction: Vec3<f64>, radius: f64, y: f64) -> Vec3<f64> {
    let across_squared = direction.x * direction.x + direction.z * direction.z;
    let along = direction.y * f64::EPSILON;
    if across_squared <= along * along {
        return Vec3::new(0.0, y, 0.0);
    }
    let across = across_squared.sqrt();
    Vec3::new(radius * (direction.x / across), y, radius * (direction.z / across))
}

/// An ellipse or ellipsoid about the origin, given by its radii.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ellipsoid<V>(pub(crate) V);

impl<V: Vector<Scalar = f64>> Support<V> for Ellipsoid<V> {
    const CURVED: bool = true;
    /// The ellipsoid is the image of the unit ball under R = diag(radii): s = R·(R·d)/|R·d|.
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        let pulled_back = self.0.zip(direction, |radius, d| radius * d);
        let length = pulled_back.length_squared().sqrt();
        if length == 0.0 {
            return (V::ZERO, 0);
        }
        (self.0.zip(pulled_back, |radius, u| radius * (u / length)), 0)
    }
    fn center(&self) -> V {
        V::ZERO
    }
    fn size(&self) -> f64 {
        self.0.max_abs()
    }
    #[inline]
    fn ball_about(&self, point: V) -> Option<Ball<V>> {
        let nearest = nearest_on_ellipsoid(self.0, point);
        Ball::whole(-nearest.distance, nearest.normal)
    }
    #[inline]
    fn curve_at(&self, _direction: V) -> [V; 3] {
        let axis = |axis: usize| if axis < V::DIM { V::unit(axis) * self.0.get(axis) } else { V::ZERO };
        [axis(0), axis(1), axis(2)]
    }
    fn nearest(&self, point: V) -> Option<V> {
        Some(nearest_on_ellipsoid(self.0, point).point)
    }
}

/// A core that is turned and moved: x ↦ R·x + t.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posed<C, V> {
    core: C,
    /// The images of the axes; as many as there are dimensions are used.
    columns: [V; 3],
    translation: V,
    /// The length of the translation.
    distance: f64,
}

impl<C, V: Vector<Scalar = f64>> Posed<C, V> {
    /// `columns` are those of a rotation matrix; missing ones count as zero.
    pub(crate) fn new(core: C, columns: &[V], translation: V) -> Self {
        let mut all = [V::ZERO; 3];
        for (to, from) in all.iter_mut().zip(columns) {
            *to = *from;
        }
        Posed { core, columns: all, translation, distance: translation.length() }
    }

    /// What is turned and moved.
    #[inline]
    pub(crate) fn core(&self) -> &C {
        &self.core
    }

    /// The images of the axes.
    #[inline]
    pub(crate) fn columns(&self) -> &[V; 3] {
        &self.columns
    }

    /// A direction of the core, turned.
    #[inline]
    pub(crate) fn turned(&self, direction: V) -> V {
        let [x, y, z] = self.columns;
        let turned = x * direction.get(0) + y * direction.get(1);
        if V::DIM == 3 { turned + z * direction.get(2) } else { turned }
    }

    /// A direction, turned back to the frame of the core.
    #[inline]
    pub(crate) fn turned_back(&self, direction: V) -> V {
        V::from_fn(|axis| self.columns[axis].dot(direction))
    }

    /// A point of the core, turned and moved.
    #[inline]
    pub(crate) fn placed(&self, point: V) -> V {
        self.turned(point) + self.translation
    }

    /// A point, moved and turned back to the frame of the core.
    #[inline]
    pub(crate) fn taken_back(&self, point: V) -> V {
        self.turned_back(point - self.translation)
    }

    /// The same core, moved further.
    pub(crate) fn moved(&self, by: V) -> Moved<'_, C, V> {
        Moved { posed: self, by }
    }
}

/// A placed core that is moved once more.
pub(crate) struct Moved<'a, C, V> {
    posed: &'a Posed<C, V>,
    by: V,
}

impl<V: Vector<Scalar = f64>, C: Support<V>> Support<V> for Moved<'_, C, V> {
    const CURVED: bool = C::CURVED;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        let (point, feature) = self.posed.support(direction);
        (point + self.by, feature)
    }
    fn center(&self) -> V {
        self.posed.center() + self.by
    }
    fn size(&self) -> f64 {
        self.posed.size() + self.by.length()
    }
}

impl<V: Vector<Scalar = f64>, C: Support<V>> Support<V> for Posed<C, V> {
    const CURVED: bool = C::CURVED;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        let (point, feature) = self.core.support(self.turned_back(direction));
        (self.placed(point), feature)
    }
    fn center(&self) -> V {
        self.placed(self.core.center())
    }
    fn size(&self) -> f64 {
        self.core.size() + self.distance
    }
    #[inline]
    fn ball_about(&self, point: V) -> Option<Ball<V>> {
        let ball = self.core.ball_about(self.taken_back(point))?;
        let cuts = ball.cuts.map(|(e, c)| (self.turned(e), c));
        Some(Ball { outward: self.turned(ball.outward), cuts, ..ball })
    }
    #[inline]
    fn deepest_on(&self, from: V, along: V) -> Option<f64> {
        self.core.deepest_on(self.taken_back(from), self.turned_back(along))
    }
    #[inline]
    fn curve_at(&self, direction: V) -> [V; 3] {
        self.core.curve_at(self.turned_back(direction)).map(|axis| self.turned(axis))
    }
    #[inline]
    fn line_at(&self, direction: V) -> Option<[V; 2]> {
        Some(self.core.line_at(self.turned_back(direction))?.map(|end| self.placed(end)))
    }
    fn nearest(&self, point: V) -> Option<V> {
        Some(self.placed(self.core.nearest(self.taken_back(point))?))
    }
}

/// The point with the largest product with the direction, the first among equals. Products are taken
/// relative to the first point, so that a cloud far from the origin loses nothing.
#[inline]
pub(crate) fn farthest<V: Vector<Scalar = f64>>(points: &[V], direction: V) -> (V, u32) {
    let Some(&first) = points.first() else { return (V::ZERO, 0) };
    // Tried 2026-11: four searches side by side over chunks of four points. 60 % slower on hulls of 32
    // vertices; the plain loop compiles to conditional moves.
    let (mut best, mut best_product) = (0, 0.0);
    for (index, &point) in points.iter().enumerate().skip(1) {
        let product = (point - first).dot(direction);
        if best_product < product {
            (best, best_product) = (index, product);
        }
    }
    (points[best], best as u32)
}

/// The least product of one of the points with the direction, by which the order of equals does not matter; 0 of no points.
#[inline]
pub(crate) fn least_product<V: Vector<Scalar = f64>>(points: &[V], direction: V) -> f64 {
    let Some((first, rest)) = points.split_first() else { return 0.0 };
    rest.iter().fold(direction.dot(*first), |least, &point| direction.dot(point).min_of(least))
}

fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}
