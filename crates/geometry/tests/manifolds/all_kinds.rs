//! The laws of manifolds for every pair of convex kinds: curved, many-cornered and rounded ones too.

use carom_geometry::{Error, Manifold, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{self, Rng, power_of_two};

/// A shape of both number types, and all that the laws ask about it.
trait World {
    type Shape<T: Real>;
    type Pose<T: Real>: Copy + std::fmt::Debug;
    type Vector: Vector<Scalar = f64>;
    const KINDS: usize;
    const MOST: usize;
    /// A shape of a kind, with all lengths multiplied by a factor; the numbers are those of `f32`.
    fn shape<T: Real>(rng: &mut Rng, kind: usize, lattice: bool, factor: f64) -> Self::Shape<T>;
    fn pose<T: Real>(rng: &mut Rng, lattice: bool, factor: f64) -> Self::Pose<T>;
    fn size<T: Real>(a: (&Self::Shape<T>, Self::Pose<T>), b: (&Self::Shape<T>, Self::Pose<T>)) -> f64;
    fn manifold(pair: &Pair<Self>, margin: f64) -> Result<Option<Manifold<Self::Vector>>, Error>;
    /// Normal and depth.
    fn contact(pair: &Pair<Self>, margin: f64) -> Option<(Self::Vector, f64)>;
    fn off_surfaces(pair: &Pair<Self>, point: Self::Vector) -> [f64; 2];
    fn describe(pair: &Pair<Self>) -> String;
    /// Two half-spaces, rounded or not.
    fn is_endless(pair: &Pair<Self>) -> bool;
    fn swapped(pair: Pair<Self>) -> Pair<Self>;
    /// Depth of the manifold and of the contact, and the farthest that a point is from that in `f64`.
    fn in_single(pair: &Pair<Self>, single: &Single<Self>, margin: f64) -> Option<[f64; 3]>;
}

type Single<W> = (
    (<W as World>::Shape<f32>, <W as World>::Pose<f32>),
    (<W as World>::Shape<f32>, <W as World>::Pose<f32>),
);

struct Pair<W: World + ?Sized> {
    a: W::Shape<f64>,
    pose_a: W::Pose<f64>,
    b: W::Shape<f64>,
    pose_b: W::Pose<f64>,
}

fn length(rng: &mut Rng, lattice: bool) -> f64 {
    match (rng.below(10), lattice) {
        (0, _) => 0.0,
        (_, true) => rng.pick(&[0.25, 0.5, 1.0, 2.0]),
        _ => f64::from(rng.uniform(0.05, 2.0) as f32),
    }
}

fn coordinate(rng: &mut Rng, lattice: bool) -> f64 {
    if lattice {
        rng.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    } else {
        f64::from(rng.uniform(-1.5, 1.5) as f32)
    }
}

macro_rules! world {
    ($world:ident, $d:ident, $vector:ident, $pose:ident, $kinds:literal, $most:literal) => {
        impl World for $world {
            type Shape<T: Real> = $d::Shape<T>;
            type Pose<T: Real> = $pose<T>;
            type Vector = $vector<f64>;
            const KINDS: usize = $kinds;
            const MOST: usize = $most;
            fn shape<T: Real>(rng: &mut Rng, kind: usize, lattice: bool, factor: f64) -> $d::Shape<T> {
                if kind == Self::KINDS - 1 {
                    let core = rng.below(Self::KINDS - 1);
                    let shape = Self::plain::<T>(rng, core, lattice, factor);
                    let radius = T::from_f64(length(rng, lattice) * factor);
                    return $d::Rounded::new(shape, radius).unwrap().into();
                }
                Self::plain(rng, kind, lattice, factor)
            }
            fn pose<T: Real>(rng: &mut Rng, lattice: bool, factor: f64) -> $pose<T> {
                let translation = [0; 3].map(|_| coordinate(rng, lattice) * factor);
                Self::placed(rng, lattice, translation)
            }
            fn size<T: Real>(a: (&$d::Shape<T>, $pose<T>), b: (&$d::Shape<T>, $pose<T>)) -> f64 {
                let reach = |(_, pose): (&$d::Shape<T>, $pose<T>)| pose.translation.widen().max_abs();
                8.0 + reach(a) + reach(b)
            }
            fn manifold(pair: &Pair<Self>, margin: f64) -> Result<Option<Manifold<Self::Vector>>, Error> {
                $d::manifold_within(&pair.a, pair.pose_a, &pair.b, pair.pose_b, margin)
            }
            fn contact(pair: &Pair<Self>, margin: f64) -> Option<(Self::Vector, f64)> {
                let found =
                    $d::contact_within(&pair.a, pair.pose_a, &pair.b, pair.pose_b, margin).unwrap()?;
                Some((found.normal, found.depth))
            }
            fn off_surfaces(pair: &Pair<Self>, point: Self::Vector) -> [f64; 2] {
                [(&pair.a, pair.pose_a), (&pair.b, pair.pose_b)]
                    .map(|(shape, pose)| $d::closest_point(shape, pose, point).unwrap().distance.abs())
            }
            fn is_endless(pair: &Pair<Self>) -> bool {
                let is_plane = |shape: &$d::Shape<f64>| match shape {
                    $d::Shape::HalfSpace(_) => true,
                    $d::Shape::Rounded(rounded) => matches!(rounded.shape(), $d::Shape::HalfSpace(_)),
                    _ => false,
                };
                is_plane(&pair.a) && is_plane(&pair.b)
            }
            fn swapped(pair: Pair<Self>) -> Pair<Self> {
                Pair { a: pair.b, pose_a: pair.pose_b, b: pair.a, pose_b: pair.pose_a }
            }
            fn in_single(_: &Pair<Self>, single: &Single<Self>, margin: f64) -> Option<[f64; 3]> {
                let ((a, pa), (b, pb)) = single;
                let found = $d::manifold_within(a, *pa, b, *pb, margin as f32).unwrap();
                let contact = $d::contact_within(a, *pa, b, *pb, margin as f32).unwrap();
                assert_eq!(found.is_some(), contact.is_some());
                let (found, contact) = (found?, contact?);
                let most = found.points().iter().fold(0.0_f32, |m, p| m.max(p.point.max_abs()));
                Some([found.depth(), contact.depth, most].map(f64::from))
            }
            fn describe(pair: &Pair<Self>) -> String {
                format!("{:?} {:?}\n{:?} {:?}", pair.a, pair.pose_a, pair.b, pair.pose_b)
            }
        }
    };
}

struct Plane;
struct Room;
world!(Plane, d2, Vec2, Pose2, 9, 2);
world!(Room, d3, Vec3, Pose3, 12, 4);

impl Plane {
    fn plain<T: Real>(rng: &mut Rng, kind: usize, lattice: bool, factor: f64) -> d2::Shape<T> {
        let real = |x: f64| T::from_f64(x * factor);
        let point = |rng: &mut Rng| [0; 2].map(|_| real(coordinate(rng, lattice)));
        match kind {
            0 => d2::Ball::new(real(length(rng, lattice))).unwrap().into(),
            1 => d2::Cuboid::new([0; 2].map(|_| real(length(rng, lattice)))).unwrap().into(),
            2 => d2::Capsule::new(point(rng), point(rng), real(length(rng, lattice))).unwrap().into(),
            3 => d2::Segment::new(point(rng), point(rng)).unwrap().into(),
            4 => d2::Triangle::new(point(rng), point(rng), point(rng)).unwrap().into(),
            5 => {
                let count = 1 + rng.below(12);
                d2::ConvexPolygon::from_hull((0..count).map(|_| point(rng)).collect::<Vec<_>>())
                    .unwrap()
                    .into()
            }
            6 => {
                let normal = if lattice { [0.0, 1.0] } else { generate::unit_complex(rng) };
                d2::HalfSpace::new(normal.map(T::from_f64), real(coordinate(rng, lattice))).unwrap().into()
            }
            _ => d2::Ellipsoid::new([0; 2].map(|_| real(length(rng, lattice)))).unwrap().into(),
        }
    }
    fn placed<T: Real>(rng: &mut Rng, lattice: bool, [x, y, _]: [f64; 3]) -> Pose2<T> {
        let [c, s] = if lattice {
            rng.pick(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        } else {
            generate::unit_complex(rng)
        };
        let turn = Rot2::from_cos_sin(T::from_f64(c), T::from_f64(s)).unwrap();
        Pose2::new([T::from_f64(x), T::from_f64(y)], turn)
    }
}

impl Room {
    fn plain<T: Real>(rng: &mut Rng, kind: usize, lattice: bool, factor: f64) -> d3::Shape<T> {
        let real = |x: f64| T::from_f64(x * factor);
        let point = |rng: &mut Rng| [0; 3].map(|_| real(coordinate(rng, lattice)));
        match kind {
            0 => d3::Ball::new(real(length(rng, lattice))).unwrap().into(),
            1 => d3::Cuboid::new([0; 3].map(|_| real(length(rng, lattice)))).unwrap().into(),
            2 => d3::Capsule::new(point(rng), point(rng), real(length(rng, lattice))).unwrap().into(),
            3 => d3::Segment::new(point(rng), point(rng)).unwrap().into(),
            4 => d3::Triangle::new(point(rng), point(rng), point(rng)).unwrap().into(),
            5 => {
                let count = 1 + rng.below(16);
                d3::ConvexHull::new((0..count).map(|_| point(rng)).collect::<Vec<_>>()).unwrap().into()
            }
            6 => prism(rng, lattice, &real),
            7 => d3::Cylinder::new(real(length(rng, lattice)), real(length(rng, lattice))).unwrap().into(),
            8 => d3::Cone::new(real(length(rng, lattice)), real(length(rng, lattice))).unwrap().into(),
            9 => {
                let normal = if lattice { [0.0, 1.0, 0.0] } else { generate::unit_vector(rng) };
                d3::HalfSpace::new(normal.map(T::from_f64), real(coordinate(rng, lattice))).unwrap().into()
            }
            _ => d3::Ellipsoid::new([0; 3].map(|_| real(length(rng, lattice)))).unwrap().into(),
        }
    }
    fn placed<T: Real>(rng: &mut Rng, lattice: bool, translation: [f64; 3]) -> Pose3<T> {
        let numbers = if lattice { generate::cube_rotation(rng) } else { generate::unit_quaternion(rng) };
        let [x, y, z, w] = numbers.map(T::from_f64);
        Pose3::new(translation.map(T::from_f64), Quat::new(x, y, z, w).unwrap())
    }
}

/// A prism with 3 to 12 corners, or a hundred, in two parallel planes.
fn prism<T: Real>(rng: &mut Rng, lattice: bool, real: &impl Fn(f64) -> T) -> d3::Shape<T> {
    let count = if rng.one_in(4) { 100 } else { 3 + rng.below(10) };
    let height = length(rng, lattice);
    let mut points = Vec::new();
    for _ in 0..count {
        let [c, s] = generate::unit_complex(rng);
        let [x, z] = [c, s].map(|x| f64::from(x as f32));
        points.push([real(x), real(height), real(z)]);
        points.push([real(x), real(-height), real(z)]);
    }
    d3::ConvexHull::new(points).unwrap().into()
}

/// All pairs of kinds, on the lattice and off it, with and without a margin.
fn for_each_pair<W: World>(seed: u64, rounds: usize, check: impl Fn(Pair<W>, f64, [usize; 3], u64)) {
    for first in 0..W::KINDS {
        for second in 0..W::KINDS {
            for round in 0..rounds {
                let stream = seed + 1000 * (round + rounds * (first + W::KINDS * second)) as u64;
                let margin = [0.0, 0.0, 0.5, 4.0][round % 4];
                let pair = pair_of::<W>(stream, [first, second], round, 1.0);
                if !W::is_endless(&pair) {
                    check(pair, margin, [first, second, round], stream);
                }
            }
        }
    }
}

/// The same numbers at any scale.
fn pair_of<W: World>(stream: u64, [first, second]: [usize; 2], round: usize, factor: f64) -> Pair<W> {
    let mut rng = Rng::new(stream);
    let lattice = round.is_multiple_of(2);
    Pair {
        a: W::shape(&mut rng, first, lattice, factor),
        pose_a: W::pose(&mut rng, lattice, factor),
        b: W::shape(&mut rng, second, lattice, factor),
        pose_b: W::pose(&mut rng, lattice, factor),
    }
}

/// One normal, few points, the deepest as deep as the contact, each half way between the surfaces.
fn points_lie_between_the_surfaces<W: World>(rounds: usize) {
    for_each_pair::<W>(1, rounds, |pair, margin, _, stream| {
        let pair = &pair;
        let contact = W::contact(pair, margin);
        let found = W::manifold(pair, margin).unwrap();
        let text = || format!("{stream}: {}\n{found:?} {contact:?}", W::describe(pair));
        assert_eq!(found.is_some(), contact.is_some(), "{}", text());
        let (Some(found), Some((normal, depth))) = (found, contact) else { return };
        assert_eq!((found.normal(), found.depth()), (normal, depth), "{}", text());
        assert!((1..=W::MOST).contains(&found.points().len()), "{}", text());
        let size = W::size((&pair.a, pair.pose_a), (&pair.b, pair.pose_b));
        for point in found.points() {
            assert!(-margin <= point.depth && point.depth <= depth, "{}", text());
            for off in W::off_surfaces(pair, point.point) {
                let slack = 1e-6 * size;
                assert!(off <= 0.5 * point.depth.abs() + slack, "off {off:e} {}", text());
            }
        }
    });
}

#[test]
fn points_of_all_kinds_lie_between_the_surfaces_in_the_plane() {
    points_lie_between_the_surfaces::<Plane>(80);
}

#[test]
fn points_of_all_kinds_lie_between_the_surfaces_in_space() {
    points_lie_between_the_surfaces::<Room>(48);
}

fn exchanging_the_shapes_exchanges_the_answer<W: World>() {
    for_each_pair::<W>(2, 16, |pair, margin, _, _| {
        let one = W::manifold(&pair, margin).unwrap();
        let text = W::describe(&pair);
        let other = W::manifold(&W::swapped(pair), margin).unwrap();
        let (Some(one), Some(other)) = (one, other) else { return assert_eq!(one, other) };
        // Nothing tells two equal shapes in one place apart.
        if one.normal() != -other.normal() {
            assert_eq!(one.normal(), other.normal(), "{text}");
            return;
        }
        assert_eq!(one.points().len(), other.points().len(), "{text}");
        for (p, q) in one.points().iter().zip(other.points()) {
            assert_eq!((p.point, p.depth, p.feature), (q.point, q.depth, q.feature.swapped()), "{text}");
        }
    });
}

#[test]
fn exchanging_shapes_of_all_kinds_exchanges_the_answer() {
    exchanging_the_shapes_exchanges_the_answer::<Plane>();
    exchanging_the_shapes_exchanges_the_answer::<Room>();
}

fn scaling_by_powers_of_two_is_exact<W: World>() {
    for_each_pair::<W>(3, 16, |pair, margin, [first, second, round], stream| {
        let exponent = [-300, -40, -7, 1, 23, 40, 300][(stream % 7) as usize];
        let factor = power_of_two(exponent);
        let scaled = pair_of::<W>(stream, [first, second], round, factor);
        let scaled = W::manifold(&scaled, margin * factor).unwrap();
        let found = W::manifold(&pair, margin).unwrap();
        let text = W::describe(&pair);
        let (Some(found), Some(scaled)) = (found, scaled) else {
            return assert_eq!(found, scaled, "{text}");
        };
        assert_eq!(found.normal(), scaled.normal(), "{text}");
        assert_eq!(found.points().len(), scaled.points().len(), "{text}");
        for (p, q) in found.points().iter().zip(scaled.points()) {
            let expected = (p.point * factor, p.depth * factor, p.feature);
            assert_eq!(expected, (q.point, q.depth, q.feature), "{exponent} {text}");
        }
    });
}

#[test]
fn scaling_shapes_of_all_kinds_is_exact() {
    scaling_by_powers_of_two_is_exact::<Plane>();
    scaling_by_powers_of_two_is_exact::<Room>();
}

fn single_precision_agrees_with_the_contact<W: World>() {
    for_each_pair::<W>(4, 12, |pair, margin, [first, second, round], stream| {
        let mut rng = Rng::new(stream);
        let lattice = round.is_multiple_of(2);
        let single: Single<W> = (
            (W::shape(&mut rng, first, lattice, 1.0), W::pose(&mut rng, lattice, 1.0)),
            (W::shape(&mut rng, second, lattice, 1.0), W::pose(&mut rng, lattice, 1.0)),
        );
        if let Some([found, contact, _]) = W::in_single(&pair, &single, margin) {
            assert_eq!(found, contact, "{}", W::describe(&pair));
        }
    });
}

#[test]
fn single_precision_agrees_with_the_contact_for_all_kinds() {
    single_precision_agrees_with_the_contact::<Plane>();
    single_precision_agrees_with_the_contact::<Room>();
}
