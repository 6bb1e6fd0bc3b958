//! First touch under rigid motion, by certified subdivision of time.
//!
//! Nothing rational is to be had here: a rotation at constant speed is not. Instead an interval of time is
//! discarded when the bodies are farther apart in its middle than any two of their points can come closer
//! within half of its length; what is left is halved, in the order of time. The distance is found by brute
//! force: separating axes of polytopes, all pairs of features of rounded ones. Only plain `f64` with the
//! platform's sine and cosine is used, and a margin of 2⁻⁴⁴ of all lengths for its rounding.
//!
//! A body is a point, segment, triangle or polytope with a radius around it, in two dimensions or three; planar
//! bodies are given as flat ones in space, with z = 0.

/// A convex body: corners, the edges and triangles between them, and a radius.
#[derive(Clone, Debug)]
pub struct Body {
    points: Vec<[f64; 3]>,
    edges: Vec<[usize; 2]>,
    faces: Vec<[usize; 3]>,
    radius: f64,
}

/// A motion: where the origin of the body is at time 0, how its axes are turned then, and the velocities.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    /// The place of the local origin at time 0.
    pub place: [f64; 3],
    /// The quaternion x, y, z, w of the orientation at time 0; of any length but zero.
    pub turn: [f64; 4],
    /// The displacement per unit of time.
    pub velocity: [f64; 3],
    /// The rotation vector per unit of time, in the world frame.
    pub angular: [f64; 3],
}

/// When two bodies touch first, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstImpact {
    /// They are apart during the whole interval.
    Never,
    /// They touch after the first time (or at it) and not after the second.
    Between(f64, f64),
    /// They do not touch before this time, and come very close to each other about then.
    Unsure(f64),
}

/// The first touch in [0, 1], its time bracketed to `tolerance` where possible within `work` measurements.
///
/// ```
/// use carom_oracle::rigid::{Body, FirstImpact, Rigid, first_impact};
/// let ball = Body::point([0.0; 3], 1.0);
/// let still = Rigid { place: [5.0, 0.0, 0.0], turn: [0.0, 0.0, 0.0, 1.0], velocity: [0.0; 3], angular: [0.0; 3] };
/// let moving = Rigid { place: [0.0; 3], velocity: [4.0, 0.0, 0.0], ..still };
/// let FirstImpact::Between(low, high) = first_impact(&ball, &moving, &ball, &still, 1e-9, 1000) else { panic!() };
/// assert!(low <= 0.75 && 0.75 <= high && high - low <= 2e-9);
/// ```
pub fn first_impact(
    a: &Body,
    on_a: &Rigid,
    b: &Body,
    on_b: &Rigid,
    tolerance: f64,
    work: usize,
) -> FirstImpact {
    let relative = sub(on_b.velocity, on_a.velocity);
    let speed = length(relative) + a.turning_speed(on_a.angular) + b.turning_speed(on_b.angular);
    let size = length(sub(on_b.place, on_a.place)) + speed + a.reach() + b.reach();
    let margin = size * (2.0_f64).powi(-44);
    let gap = |t: f64| separation(&a.placed(on_a, on_a, t), &b.placed(on_b, on_a, t), a.radius + b.radius);
    if gap(0.0) <= -margin {
        return FirstImpact::Between(0.0, 0.0);
    }
    // Intervals yet to be looked at, the earliest last; all are before the first touch that is known.
    let mut waiting = vec![(0.0, 1.0)];
    let mut touched = if gap(1.0) <= -margin { Some(1.0) } else { None };
    for _ in 0..work {
        let Some((from, to)) = waiting.pop() else {
            return touched.map_or(FirstImpact::Never, |t| FirstImpact::Between(t, t));
        };
        let is_narrow = to - from <= tolerance;
        let middle = from + (to - from) * 0.5;
        let here = gap(middle);
        if here > speed * (to - from) * 0.5 + margin {
            continue;
        }
        if here <= -margin {
            touched = Some(middle);
            waiting.clear();
            if is_narrow {
                return FirstImpact::Between(from, middle);
            }
            waiting.push((from, middle));
            continue;
        }
        if is_narrow {
            // Not to be decided here: perhaps soon after.
            let reach = tolerance.max(4.0 * margin / speed);
            let soon =
                [0.5, 1.0, 2.0, 4.0].map(|k| middle + k * reach).into_iter().find(|&t| gap(t) <= -margin);
            return match soon.filter(|&t| t <= 1.0) {
                Some(t) => FirstImpact::Between(from, t),
                None => FirstImpact::Unsure(from),
            };
        }
        waiting.push((middle, to));
        waiting.push((from, middle));
    }
    FirstImpact::Unsure(waiting.last().map_or(0.0, |interval| interval.0))
}

/// How far apart two bodies are at a time: negative for an overlap, as deep as the axes tell.
pub fn gap_at(a: &Body, on_a: &Rigid, b: &Body, on_b: &Rigid, t: f64) -> f64 {
    separation(&a.placed(on_a, on_a, t), &b.placed(on_b, on_a, t), a.radius + b.radius)
}

impl Body {
    /// A point with a radius: a ball.
    pub fn point(at: [f64; 3], radius: f64) -> Self {
        Body { points: vec![at], edges: vec![], faces: vec![], radius }
    }

    /// A segment with a radius: a capsule.
    pub fn segment(a: [f64; 3], b: [f64; 3], radius: f64) -> Self {
        Body { points: vec![a, b], edges: vec![[0, 1]], faces: vec![], radius }
    }

    /// A triangle with a radius.
    pub fn triangle(corners: [[f64; 3]; 3], radius: f64) -> Self {
        let edges = vec![[0, 1], [1, 2], [2, 0]];
        Body { points: corners.to_vec(), edges, faces: vec![[0, 1, 2]], radius }
    }

    /// A box by its half extents, with a radius; a rectangle in the plane z = 0 where the last one is zero.
    pub fn cuboid(half: [f64; 3], radius: f64) -> Self {
        let corner = |i: usize| -> [f64; 3] {
            std::array::from_fn(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] })
        };
        if half[2] == 0.0 {
            let points = [0, 1, 3, 2].map(corner).to_vec();
            let edges = vec![[0, 1], [1, 2], [2, 3], [3, 0]];
            return Body { points, edges, faces: vec![[0, 1, 2], [0, 2, 3]], radius };
        }
        let mut edges = Vec::new();
        let mut faces = Vec::new();
        for k in 0..3 {
            let (u, v) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
            for base in [0, 1 << k] {
                faces.push([base, base | u, base | u | v]);
                faces.push([base, base | u | v, base | v]);
            }
            for base in [0, u, v, u | v] {
                edges.push([base, base | 1 << k]);
            }
        }
        Body { points: (0..8).map(corner).collect(), edges, faces, radius }
    }

    /// The tetrahedron between four points, with a radius.
    pub fn tetrahedron(corners: [[f64; 3]; 4], radius: f64) -> Self {
        let edges = vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let faces = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        Body { points: corners.to_vec(), edges, faces, radius }
    }

    fn reach(&self) -> f64 {
        self.points.iter().fold(0.0, |far, &p| length(p).max(far)) + self.radius
    }

    fn turning_speed(&self, angular: [f64; 3]) -> f64 {
        self.points.iter().fold(0.0, |fast, &p| (length(p) * length(angular)).max(fast))
    }

    /// The corners at a time, relative to where the origin of `seen_from` is then.
    fn placed(&self, on: &Rigid, seen_from: &Rigid, t: f64) -> Placed<'_> {
        let start = sub(on.place, seen_from.place);
        let velocity = sub(on.velocity, seen_from.velocity);
        let origin = add(start, scaled(velocity, t));
        let points = self.points.iter().map(|&p| add(turned_by(on.angular, t, turned(on.turn, p)), origin));
        Placed { body: self, points: points.collect() }
    }
}

struct Placed<'a> {
    body: &'a Body,
    points: Vec<[f64; 3]>,
}

impl Placed<'_> {
    fn edge(&self, [i, j]: [usize; 2]) -> [[f64; 3]; 2] {
        [self.points[i], self.points[j]]
    }
    fn face(&self, [i, j, k]: [usize; 3]) -> [[f64; 3]; 3] {
        [self.points[i], self.points[j], self.points[k]]
    }
    fn normals(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.body.faces.iter().map(|&face| {
            let [a, b, c] = self.face(face);
            cross(sub(b, a), sub(c, a))
        })
    }
    fn directions(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.body.edges.iter().map(|&edge| {
            let [a, b] = self.edge(edge);
            sub(b, a)
        })
    }
    fn range(&self, axis: [f64; 3]) -> (f64, f64) {
        self.points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &p| {
            let x = dot(axis, p);
            (x.min(low), x.max(high))
        })
    }
}

fn separation(a: &Placed<'_>, b: &Placed<'_>, radius: f64) -> f64 {
    let by_axes = axes_gap(a, b);
    if radius == 0.0 && by_axes.is_finite() {
        return by_axes;
    }
    let apart = feature_distance(a, b);
    (if by_axes < 0.0 { by_axes.max(-apart.max(radius)) } else { apart }) - radius
}

/// The largest gap along a separating axis; not above the distance, and negative for an overlap. Infinite for
/// bodies without enough axes to tell.
fn axes_gap(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    if a.body.faces.is_empty() && b.body.faces.is_empty() {
        return f64::INFINITY;
    }
    let in_plane = |body: &Placed<'_>| body.points.iter().all(|p| p[2] == 0.0);
    if in_plane(a) && in_plane(b) {
        let normals = a.directions().chain(b.directions()).map(|[x, y, _]| [y, -x, 0.0]);
        return largest_gap(a, b, normals);
    }
    let mut axes: Vec<[f64; 3]> = a.normals().chain(b.normals()).collect();
    for u in a.directions() {
        axes.extend(b.directions().map(|v| cross(u, v)));
        // Flat bodies, and bodies in one plane, are also separated across their edges.
        axes.extend(a.normals().take(flat(a)).chain(b.normals().take(flat(b))).map(|n| cross(u, n)));
    }
    for v in b.directions() {
        axes.extend(a.normals().take(flat(a)).chain(b.normals().take(flat(b))).map(|n| cross(v, n)));
    }
    largest_gap(a, b, axes.into_iter())
}

/// The largest gap along an axis: any direction gives a lower bound of the distance.
fn largest_gap(a: &Placed<'_>, b: &Placed<'_>, axes: impl Iterator<Item = [f64; 3]>) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for axis in axes {
        let size = length(axis);
        if size <= 0.0 || !size.is_finite() {
            continue;
        }
        let unit = scaled(axis, 1.0 / size);
        let ((low_a, high_a), (low_b, high_b)) = (a.range(unit), b.range(unit));
        largest = largest.max((low_b - high_a).max(low_a - high_b));
    }
    largest
}

/// One for a body in a plane, whose single normal spans it; none for a solid one.
fn flat(body: &Placed<'_>) -> usize {
    usize::from(body.body.faces.len() <= 2)
}

/// The least distance between corners and faces, and between edges.
fn feature_distance(a: &Placed<'_>, b: &Placed<'_>) -> f64 {
    let mut least = f64::INFINITY;
    for &p in &a.points {
        for &q in &b.points {
            least = least.min(length(sub(p, q)));
        }
    }
    for (one, other) in [(a, b), (b, a)] {
        for &p in &one.points {
            for &face in &other.body.faces {
                least = least.min(point_triangle(p, other.face(face)));
            }
            for &edge in &other.body.edges {
                least = least.min(point_segment(p, other.edge(edge)));
            }
        }
    }
    for &edge_a in &a.body.edges {
        for &edge_b in &b.body.edges {
            least = least.min(segment_segment(a.edge(edge_a), b.edge(edge_b)));
        }
    }
    least
}

fn point_segment(p: [f64; 3], [a, b]: [[f64; 3]; 2]) -> f64 {
    let along = sub(b, a);
    let squared = dot(along, along);
    let s = if squared > 0.0 { (dot(sub(p, a), along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    length(sub(p, add(a, scaled(along, s))))
}

/// To the plane of the triangle where the foot is inside; the edges are looked at elsewhere.
fn point_triangle(p: [f64; 3], [a, b, c]: [[f64; 3]; 3]) -> f64 {
    let normal = cross(sub(b, a), sub(c, a));
    let size = length(normal);
    if size <= 0.0 {
        return f64::INFINITY;
    }
    let inside =
        [(a, b), (b, c), (c, a)].iter().all(|&(u, v)| dot(cross(sub(v, u), sub(p, u)), normal) >= 0.0);
    if inside { dot(normal, sub(p, a)).abs() / size } else { f64::INFINITY }
}

/// Between the inner points nearest to each other; the ends are looked at elsewhere.
fn segment_segment([a, b]: [[f64; 3]; 2], [c, d]: [[f64; 3]; 2]) -> f64 {
    let (u, v, w) = (sub(b, a), sub(d, c), sub(a, c));
    let (uu, uv, vv, uw, vw) = (dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w));
    let determinant = uu * vv - uv * uv;
    if determinant <= 0.0 {
        return f64::INFINITY;
    }
    let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
    if !(0.0..=1.0).contains(&s) || !(0.0..=1.0).contains(&t) {
        return f64::INFINITY;
    }
    length(sub(add(w, scaled(u, s)), scaled(v, t)))
}

/// The vector turned about the axis `angular` by |angular|·t (Rodrigues).
fn turned_by(angular: [f64; 3], t: f64, p: [f64; 3]) -> [f64; 3] {
    let rate = length(angular);
    if rate == 0.0 {
        return p;
    }
    let axis = scaled(angular, 1.0 / rate);
    let (sin, cos) = (rate * t).sin_cos();
    let along = scaled(axis, dot(axis, p));
    add(along, add(scaled(sub(p, along), cos), scaled(cross(axis, p), sin)))
}

/// The vector turned by a quaternion of any length: p + 2w(q×p)/|q|² + 2 q×(q×p)/|q|².
fn turned([x, y, z, w]: [f64; 4], p: [f64; 3]) -> [f64; 3] {
    let q = [x, y, z];
    let norm = dot(q, q) + w * w;
    let first = cross(q, p);
    add(p, scaled(add(scaled(first, w), cross(q, first)), 2.0 / norm))
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}
fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}
fn scaled(a: [f64; 3], s: f64) -> [f64; 3] {
    a.map(|x| x * s)
}
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}
