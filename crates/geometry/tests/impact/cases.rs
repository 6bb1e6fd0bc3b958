//! Families of moving pairs, for the library and for the judge.
#![allow(unreachable_pub, missing_docs)] // shared by several test programs

use carom_geometry::{Error, Impact, ImpactOptions, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3};
use carom_oracle::generate::{Rng, unit_quaternion, unit_vector};
use carom_oracle::rigid::{Body, Rigid};

/// Two moving shapes. Planar ones have z = 0 throughout, and turn about z.
#[derive(Clone, Debug)]
pub struct Case {
    pub a: (d3::Shape<f64>, Body),
    pub on_a: Rigid,
    pub b: (d3::Shape<f64>, Body),
    pub on_b: Rigid,
    /// The shapes of the plane, where it is a planar case.
    pub flat: Option<[d2::Shape<f64>; 2]>,
}

impl Case {
    pub fn size(&self) -> f64 {
        let far = |v: [f64; 3]| v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        1.0 + far(self.on_a.place) + far(self.on_b.place) + far(self.on_a.velocity) + far(self.on_b.velocity)
    }

    pub fn motions(&self) -> (Motion3<f64>, Motion3<f64>) {
        let motion = |on: &Rigid| {
            let [x, y, z, w] = on.turn;
            let rotation = Quat::new(x, y, z, w).unwrap();
            Motion3::from_velocity(Pose3::new(on.place, rotation), on.velocity, on.angular)
        };
        (motion(&self.on_a), motion(&self.on_b))
    }

    pub fn planar_motions(&self) -> (Motion2<f64>, Motion2<f64>) {
        let motion = |on: &Rigid| {
            let [_, _, z, w] = on.turn;
            // Twice the angle of (w, z).
            let rotation = Rot2::from_cos_sin(w * w - z * z, 2.0 * w * z).unwrap();
            let pose = Pose2::new([on.place[0], on.place[1]], rotation);
            Motion2::from_velocity(pose, [on.velocity[0], on.velocity[1]], on.angular[2])
        };
        (motion(&self.on_a), motion(&self.on_b))
    }

    pub fn ask(&self, options: ImpactOptions<f64>) -> Result<Option<Impact<Vec3<f64>>>, Error> {
        let (motion_a, motion_b) = self.motions();
        d3::time_of_impact(&self.a.0, motion_a, &self.b.0, motion_b, options)
    }

    pub fn ask_in_plane(&self, options: ImpactOptions<f64>) -> Result<Option<Impact<Vec3<f64>>>, Error> {
        let [a, b] = self.flat.as_ref().expect("a planar case");
        let (motion_a, motion_b) = self.planar_motions();
        let found = d2::time_of_impact(a, motion_a, b, motion_b, options)?;
        let lift = |v: Vec2<f64>| Vec3::new(v.x, v.y, 0.0);
        Ok(found.map(|hit| Impact {
            t: hit.t,
            lower: hit.lower,
            tolerance: hit.tolerance,
            point: lift(hit.point),
            normal: lift(hit.normal),
            status: hit.status,
        }))
    }
}

pub type Family = fn(&mut Rng) -> Case;

pub const FAMILIES: [Family; 7] = [tumbling, tumbling, thin_wall, fast, rods, screws, near_the_floor];
pub const PLANAR_FAMILIES: [Family; 4] = [planar_tumbling, planar_tumbling, planar_rods, planar_thin_wall];
/// Each of them once, by name.
pub const NAMED_FAMILIES: [(&str, Family); 9] = [
    ("tumbling", tumbling),
    ("thin wall", thin_wall),
    ("fast", fast),
    ("rods", rods),
    ("screws", screws),
    ("near the floor", near_the_floor),
    ("planar tumbling", planar_tumbling),
    ("planar rods", planar_rods),
    ("planar thin wall", planar_thin_wall),
];

/// A shape of diameter about 2, of any kind that the judge knows.
fn shape(rng: &mut Rng) -> (d3::Shape<f64>, Body) {
    let mut length = || rng.uniform(0.2, 1.0);
    let (x, y, z, r) = (length(), length(), length(), 0.5 * length());
    match rng.below(7) {
        0 => (d3::Ball::new(r).unwrap().into(), Body::point([0.0; 3], r)),
        1 | 2 => (d3::Cuboid::new([x, y, z]).unwrap().into(), Body::cuboid([x, y, z], 0.0)),
        3 => {
            let (a, b) = ([x, -y, 0.0], [-x, y, z]);
            (d3::Capsule::new(a, b, r).unwrap().into(), Body::segment(a, b, r))
        }
        4 => {
            let corners = [[x, 0.0, -z], [-x, y, 0.0], [0.0, -y, z]];
            let [a, b, c] = corners;
            (d3::Triangle::new(a, b, c).unwrap().into(), Body::triangle(corners, 0.0))
        }
        5 => {
            let corners = [[x, 0.0, -z], [-x, y, 0.0], [0.0, -y, z], [x, y, z]];
            let hull = d3::ConvexHull::new(corners.map(Vec3::from).to_vec()).unwrap();
            (hull.into(), Body::tetrahedron(corners, 0.0))
        }
        _ => {
            let inner = d3::Cuboid::new([x, y, z]).unwrap();
            (d3::Rounded::new(inner, 0.5 * r).unwrap().into(), Body::cuboid([x, y, z], 0.5 * r))
        }
    }
}

fn times(v: [f64; 3], s: f64) -> [f64; 3] {
    v.map(|x| x * s)
}

/// A motion that passes near the origin about the middle of the time.
fn pass(rng: &mut Rng, distance: f64, spin: f64) -> Rigid {
    let from = times(unit_vector::<3>(rng), distance);
    let to = times(unit_vector::<3>(rng), rng.uniform(0.0, distance));
    Rigid {
        place: from,
        turn: unit_quaternion(rng),
        velocity: std::array::from_fn(|k| to[k] - from[k]),
        angular: times(unit_vector::<3>(rng), spin),
    }
}

fn case(a: (d3::Shape<f64>, Body), on_a: Rigid, b: (d3::Shape<f64>, Body), on_b: Rigid) -> Case {
    Case { a, on_a, b, on_b, flat: None }
}

/// Anything against anything, turning by up to a few turns.
pub fn tumbling(rng: &mut Rng) -> Case {
    let (a, b) = (shape(rng), shape(rng));
    let spin = rng.pick(&[0.0, 1.0, 4.0, 12.0]);
    let on_a = pass(rng, 4.0, spin);
    let mut on_b = pass(rng, rng.clone().pick(&[0.0, 1.0, 3.0]), rng.clone().pick(&[0.0, 2.0, 6.0]));
    if rng.one_in(3) {
        on_b.velocity = [0.0; 3];
    }
    case(a, on_a, b, on_b)
}

fn standing() -> Rigid {
    Rigid { place: [0.0; 3], turn: [0.0, 0.0, 0.0, 1.0], velocity: [0.0; 3], angular: [0.0; 3] }
}

/// Through a wall of thickness 1e-4, at up to 1e4 lengths per unit of time.
fn thin_wall(rng: &mut Rng) -> Case {
    let half = [1e-4 * rng.uniform(0.1, 1.0), 3.0, 3.0];
    let wall = (d3::Cuboid::new(half).unwrap().into(), Body::cuboid(half, 0.0));
    let speed = rng.pick(&[5.0, 100.0, 1e4]);
    let mut on_a = pass(rng, 2.5, rng.clone().pick(&[0.0, 3.0, 30.0]));
    on_a.place[0] = -2.5;
    on_a.velocity = [speed, rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0)];
    case(shape(rng), on_a, wall, Rigid { turn: standing().turn, ..standing() })
}

/// A long way at a high speed, past something small.
fn fast(rng: &mut Rng) -> Case {
    let (a, b) = (shape(rng), shape(rng));
    let speed = 1e4;
    let direction = unit_vector::<3>(rng);
    let aside = times(unit_vector::<3>(rng), rng.uniform(0.0, 2.0));
    let when = rng.unit();
    let on_a = Rigid {
        place: std::array::from_fn(|k| aside[k] - direction[k] * speed * when),
        turn: unit_quaternion(rng),
        velocity: times(direction, speed),
        angular: times(unit_vector::<3>(rng), 10.0),
    };
    let on_b = Rigid { turn: unit_quaternion(rng), angular: times(unit_vector::<3>(rng), 3.0), ..standing() };
    case(a, on_a, b, on_b)
}

/// Rods a thousand times as long as thick, spinning next to something.
fn rods(rng: &mut Rng) -> Case {
    let (long, thin) = (rng.uniform(0.5, 2.0), rng.uniform(0.5e-3, 2e-3));
    let rod = if rng.one_in(2) {
        (d3::Cuboid::new([long, thin, thin]).unwrap().into(), Body::cuboid([long, thin, thin], 0.0))
    } else {
        let (a, b) = ([-long, 0.0, 0.0], [long, 0.0, 0.0]);
        (d3::Capsule::new(a, b, thin).unwrap().into(), Body::segment(a, b, thin))
    };
    let spin = rng.pick(&[3.0, 10.0, 40.0]);
    let mut on_a = pass(rng, 1.0, spin);
    on_a.place = times(unit_vector::<3>(rng), long * rng.uniform(0.7, 1.6) + 0.7);
    on_a.velocity = times(on_a.velocity, 0.3);
    case(rod, on_a, shape(rng), Rigid { turn: unit_quaternion(rng), ..standing() })
}

/// Screws about the axis along which they move.
fn screws(rng: &mut Rng) -> Case {
    let (a, b) = (shape(rng), shape(rng));
    let mut on_a = pass(rng, 4.0, 0.0);
    on_a.angular = times(on_a.velocity, rng.uniform(-3.0, 3.0));
    case(a, on_a, b, Rigid { turn: unit_quaternion(rng), ..standing() })
}

/// A large slab, tilting slowly, and something that falls on it.
fn near_the_floor(rng: &mut Rng) -> Case {
    let half = [20.0, 1.0, 20.0];
    let slab = (d3::Cuboid::new(half).unwrap().into(), Body::cuboid(half, 0.0));
    let mut on_a = pass(rng, 1.0, rng.clone().pick(&[0.0, 1.0, 9.0]));
    on_a.place = [rng.uniform(-3.0, 3.0), rng.uniform(2.0, 4.0), rng.uniform(-3.0, 3.0)];
    on_a.velocity = [rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 0.5), rng.uniform(-3.0, 3.0)];
    let tilt = times(unit_vector::<3>(rng), rng.pick(&[0.0, 0.1]));
    case(shape(rng), on_a, slab, Rigid { angular: tilt, ..standing() })
}

/// Shapes that the judge does not know: round ones.
pub fn curved(rng: &mut Rng) -> Case {
    let mut case = tumbling(rng);
    let (h, r) = (rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0));
    case.a.0 = match rng.below(3) {
        0 => d3::Cylinder::new(h, r).unwrap().into(),
        1 => d3::Cone::new(h, r).unwrap().into(),
        _ => d3::Ellipsoid::new([h, r, 0.5]).unwrap().into(),
    };
    case
}

fn planar_shape(rng: &mut Rng) -> (d2::Shape<f64>, Body) {
    let mut length = || rng.uniform(0.2, 1.0);
    let (x, y, r) = (length(), length(), 0.5 * length());
    match rng.below(5) {
        0 => (d2::Ball::new(r).unwrap().into(), Body::point([0.0; 3], r)),
        1 => (d2::Cuboid::new([x, y]).unwrap().into(), Body::cuboid([x, y, 0.0], 0.0)),
        2 => {
            let capsule = d2::Capsule::new([x, -y], [-x, y], r).unwrap();
            (capsule.into(), Body::segment([x, -y, 0.0], [-x, y, 0.0], r))
        }
        3 => {
            let corners = [[x, 0.0, 0.0], [-x, y, 0.0], [0.0, -y, 0.0]];
            let triangle = d2::Triangle::new([x, 0.0], [-x, y], [0.0, -y]).unwrap();
            (triangle.into(), Body::triangle(corners, 0.0))
        }
        _ => {
            let corners = [[x, 0.0, 0.0], [-x, y, 0.0], [0.0, -y, 0.0]];
            let points = corners.map(|[x, y, _]| Vec2::new(x, y)).to_vec();
            (d2::ConvexPolygon::from_hull(points).unwrap().into(), Body::triangle(corners, 0.0))
        }
    }
}

fn in_plane(mut on: Rigid) -> Rigid {
    on.place[2] = 0.0;
    on.velocity[2] = 0.0;
    let [_, _, z, w] = on.turn;
    on.turn = if z == 0.0 && w == 0.0 { [0.0, 0.0, 0.0, 1.0] } else { [0.0, 0.0, z, w] };
    let spin = on.angular.iter().map(|x| x * x).sum::<f64>().sqrt();
    on.angular = [0.0, 0.0, if on.angular[2] < 0.0 { -spin } else { spin }];
    on
}

fn planar(a: (d2::Shape<f64>, Body), on_a: Rigid, b: (d2::Shape<f64>, Body), on_b: Rigid) -> Case {
    let any: d3::Shape<f64> = d3::Ball::new(0.0).unwrap().into();
    Case {
        a: (any.clone(), a.1),
        on_a: in_plane(on_a),
        b: (any, b.1),
        on_b: in_plane(on_b),
        flat: Some([a.0, b.0]),
    }
}

pub fn planar_tumbling(rng: &mut Rng) -> Case {
    let (a, b) = (planar_shape(rng), planar_shape(rng));
    let on_a = pass(rng, 3.5, rng.clone().pick(&[0.0, 1.0, 4.0, 12.0]));
    let on_b = pass(rng, rng.clone().pick(&[0.0, 1.0, 3.0]), rng.clone().pick(&[0.0, 2.0, 6.0]));
    planar(a, on_a, b, on_b)
}

fn planar_rods(rng: &mut Rng) -> Case {
    let (long, thin) = (rng.uniform(0.5, 2.0), rng.uniform(0.5e-3, 2e-3));
    let rod = (d2::Cuboid::new([long, thin]).unwrap().into(), Body::cuboid([long, thin, 0.0], 0.0));
    let spin = rng.pick(&[3.0, 10.0, 40.0]);
    let mut on_a = pass(rng, 1.0, spin);
    let away = long * rng.uniform(0.7, 1.4) + 0.7;
    on_a.place = [away, 0.1, 0.0];
    on_a.velocity = times(on_a.velocity, 0.2);
    planar(rod, on_a, planar_shape(rng), Rigid { turn: unit_quaternion(rng), ..standing() })
}

fn planar_thin_wall(rng: &mut Rng) -> Case {
    let half = [1e-4 * rng.uniform(0.0, 1.0), 3.0, 0.0];
    let wall = (d2::Cuboid::new([half[0], half[1]]).unwrap().into(), Body::cuboid(half, 0.0));
    let mut on_a = pass(rng, 2.5, rng.clone().pick(&[0.0, 3.0, 30.0]));
    on_a.place = [-2.5, rng.uniform(-1.0, 1.0), 0.0];
    on_a.velocity = [rng.pick(&[5.0, 100.0, 1e4]), rng.uniform(-2.0, 2.0), 0.0];
    planar(planar_shape(rng), on_a, wall, standing())
}
