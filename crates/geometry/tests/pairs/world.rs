//! Shapes, poses and exact truths for the tests of pair queries, the same for both dimensions.

use carom_geometry::{Contact, Distance, Error};
use carom_math::Vector;
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, Rational, Transform, exact, sqrt_enclosure};

/// The kinds that are a core with a radius.
pub(crate) const KINDS: [&str; 5] = ["cuboid", "triangle", "capsule", "segment", "ball"];

/// The kinds with any number of corners, and those inflated by a radius.
pub(crate) const CONVEX_KINDS: [&str; 3] = ["hull", "rounded", "rounded_hull"];

/// Every convex kind of both dimensions, each also inflated; the plane has all but the last four.
pub(crate) const ALL_KINDS: [&str; 20] = [
    "ball",
    "cuboid",
    "capsule",
    "segment",
    "triangle",
    "half_space",
    "hull",
    "ellipsoid",
    "rounded_ball",
    "rounded",
    "rounded_capsule",
    "rounded_segment",
    "rounded_triangle",
    "rounded_half_space",
    "rounded_hull",
    "rounded_ellipsoid",
    "cylinder",
    "cone",
    "rounded_cylinder",
    "rounded_cone",
];

/// Those of them that a dimension has.
pub(crate) fn all_kinds<const D: usize>() -> &'static [&'static str] {
    if D == 2 { &ALL_KINDS[..16] } else { &ALL_KINDS }
}

/// A shape by the corners of its core and its radius.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body<const D: usize> {
    pub(crate) kind: &'static str,
    /// Half extents for a cuboid, radii for an ellipsoid, the normal of a half-space, half height and
    /// radius of a cylinder or cone; otherwise the corners.
    pub(crate) numbers: Vec<[f64; D]>,
    /// What it is inflated by; the offset of a half-space.
    pub(crate) radius: f64,
}

impl<const D: usize> Body<D> {
    pub(crate) fn new(kind: &'static str, numbers: &[[f64; D]], radius: f64) -> Self {
        Body { kind, numbers: numbers.to_vec(), radius }
    }
    /// The kind of the shape inside.
    pub(crate) fn base(&self) -> &'static str {
        if self.kind == "rounded" { "cuboid" } else { self.kind.trim_start_matches("rounded_") }
    }
    /// The corners of a polytope's core. Half-spaces and curved shapes have none.
    pub(crate) fn core(&self) -> Vec<[f64; D]> {
        match self.base() {
            "cuboid" => generate::box_corners(self.numbers[0]),
            "ball" => vec![[0.0; D]],
            _ => self.numbers.clone(),
        }
    }
    pub(crate) fn is_half_space(&self) -> bool {
        self.base() == "half_space"
    }
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self.base(), "cylinder" | "cone" | "ellipsoid")
    }
    pub(crate) fn size(&self) -> f64 {
        if self.is_half_space() {
            return self.radius.abs();
        }
        let core = self.numbers.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        if self.is_curved() { core + self.radius } else { core.max(self.radius) }
    }
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        if self.is_half_space() {
            return Body { radius: self.radius * factor, ..self.clone() };
        }
        let numbers = self.numbers.iter().map(|p| p.map(|x| x * factor)).collect();
        Body { kind: self.kind, numbers, radius: self.radius * factor }
    }
    pub(crate) fn to_f32_values(&self) -> Self {
        let numbers = self.numbers.iter().map(|p| generate::to_f32_values(*p)).collect();
        Body { kind: self.kind, numbers, radius: f64::from(self.radius as f32) }
    }
    /// A body of the kind; on the lattice, or with anything else mixed in.
    pub(crate) fn random(rng: &mut Rng, kind: &'static str, lattice: bool) -> Self {
        let length = |rng: &mut Rng| match (rng.below(8), lattice) {
            (0, _) => 0.0,
            (_, true) => rng.pick(&[0.25, 0.5, 1.0, 2.0, 3.0]),
            _ => generate::length(rng),
        };
        let radius = length(rng);
        let corners = |rng: &mut Rng, n: usize| -> Vec<[f64; D]> {
            match (lattice, rng.below(6)) {
                (true, _) | (_, 0 | 1) => (0..n).map(|_| generate::lattice_point(rng)).collect(),
                (_, 2) => generate::sliver_triangle(rng)[3 - n..].to_vec(),
                (_, 3) => (0..n).map(|_| std::array::from_fn(|_| rng.uniform(-1.0, 1.0))).collect(),
                _ => generate::points(rng, n),
            }
        };
        match kind {
            "cuboid" => Body::new(kind, &[std::array::from_fn(|_| length(rng))], 0.0),
            "rounded" => Body::new(kind, &[std::array::from_fn(|_| length(rng))], radius),
            "ellipsoid" | "cylinder" | "cone" => {
                Body::new(kind, &[std::array::from_fn(|_| length(rng))], 0.0)
            }
            "rounded_ellipsoid" | "rounded_cylinder" | "rounded_cone" => {
                Body::new(kind, &[std::array::from_fn(|_| length(rng))], radius)
            }
            "half_space" | "rounded_half_space" => {
                let mut axis = [0.0; D];
                axis[rng.below(D)] = rng.sign();
                let any: [f64; D] = generate::direction(rng);
                let norm = any.iter().map(|x| x * x).sum::<f64>().sqrt();
                let normal = if lattice { axis } else { any.map(|x| x / norm) };
                let offset = if kind == "half_space" { radius * rng.sign() } else { radius };
                Body::new(kind, &[normal], offset)
            }
            "rounded_triangle" => Body::new(kind, &corners(rng, 3), radius),
            "rounded_segment" => Body::new(kind, &corners(rng, 2), radius),
            "hull" | "rounded_hull" => {
                let count = 1 + rng.below(12);
                let points = if lattice {
                    (0..count).map(|_| generate::lattice_point(rng)).collect()
                } else {
                    generate::points(rng, count)
                };
                Body::new(kind, &points, if kind == "hull" { 0.0 } else { radius })
            }
            "triangle" => Body::new(kind, &corners(rng, 3), 0.0),
            "capsule" | "rounded_capsule" => Body::new(kind, &corners(rng, 2), radius),
            "segment" => Body::new(kind, &corners(rng, 2), 0.0),
            _ => Body::new(kind, &[], radius),
        }
    }
}

/// A pose by its numbers: (cos, sin) or a quaternion, as the engine holds them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place<const D: usize> {
    pub(crate) translation: [f64; D],
    pub(crate) rotation: [f64; 4],
}

/// What a dimension has to offer to the tests.
pub(crate) trait Space<const D: usize> {
    type Vector: Vector<Scalar = f64> + Into<[f64; D]>;
    fn transform(place: &Place<D>) -> Transform<D>;
    /// Identity, a turn of the cube (square), or anything.
    fn rotation(rng: &mut Rng, lattice: bool) -> [f64; 4];
    fn compose(outer: &Place<D>, inner: &Place<D>) -> Place<D>;
    fn distance(
        a: &Body<D>,
        pa: &Place<D>,
        b: &Body<D>,
        pb: &Place<D>,
    ) -> Result<Distance<Self::Vector>, Error>;
    fn contact(
        a: &Body<D>,
        pa: &Place<D>,
        b: &Body<D>,
        pb: &Place<D>,
        margin: f64,
    ) -> Result<Option<Contact<Self::Vector>>, Error>;
    fn intersects(a: &Body<D>, pa: &Place<D>, b: &Body<D>, pb: &Place<D>) -> Result<bool, Error>;
    /// (distance, lower, upper, depth within any margin, intersects) in `f32`.
    fn in_f32(a: &Body<D>, pa: &Place<D>, b: &Body<D>, pb: &Place<D>) -> Result<[f64; 4], Error>;
    fn place_f32(place: &Place<D>) -> Place<D>;
}

/// A pair, as every test takes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Case<const D: usize> {
    pub(crate) a: Body<D>,
    pub(crate) pa: Place<D>,
    pub(crate) b: Body<D>,
    pub(crate) pb: Place<D>,
}

/// A margin that covers every case.
pub(crate) const FAR: f64 = f64::MAX;

impl<const D: usize> Case<D> {
    pub(crate) fn random<S: Space<D>>(rng: &mut Rng, kinds: [&'static str; 2], lattice: bool) -> Self {
        let offset: [f64; D] = match (lattice, rng.below(8)) {
            (false, 0) => std::array::from_fn(|_| generate::offset(rng)),
            (true, 0) => std::array::from_fn(|_| f64::from(rng.between(-1024, 1024)) * 1024.0),
            _ => [0.0; D],
        };
        let place = |rng: &mut Rng| {
            let t: [f64; D] = match (lattice, rng.below(6)) {
                (true, _) | (_, 0 | 1) => generate::lattice_point(rng),
                (_, 2 | 3) => std::array::from_fn(|_| rng.uniform(-2.0, 2.0)),
                _ => generate::point(rng),
            };
            let translation = std::array::from_fn(|i| t[i] + offset[i]);
            Place { translation, rotation: S::rotation(rng, lattice) }
        };
        let (a, b) = (Body::random(rng, kinds[0], lattice), Body::random(rng, kinds[1], lattice));
        let (pa, mut pb) = (place(rng), place(rng));
        if rng.one_in(6) {
            pb.rotation = pa.rotation;
        }
        if !lattice && rng.one_in(8) {
            let axis = rng.below(D);
            pb.translation[axis] = generate::nudge(pb.translation[axis], rng.pick(&[-1, 1]));
        }
        Case { a, pa, b, pb }
    }

    /// Largest coordinate difference and extents, summed.
    pub(crate) fn size(&self) -> f64 {
        let between =
            (0..D).fold(0.0_f64, |m, i| m.max((self.pb.translation[i] - self.pa.translation[i]).abs()));
        between + self.a.size() + self.b.size()
    }

    pub(crate) fn swapped(&self) -> Self {
        Case { a: self.b.clone(), pa: self.pb.clone(), b: self.a.clone(), pb: self.pa.clone() }
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let place =
            |p: &Place<D>| Place { translation: p.translation.map(|x| x * factor), rotation: p.rotation };
        Case { a: self.a.scaled(factor), pa: place(&self.pa), b: self.b.scaled(factor), pb: place(&self.pb) }
    }

    pub(crate) fn cores<S: Space<D>>(&self) -> [Convex<D>; 2] {
        let hull = |body: &Body<D>, place: &Place<D>| Convex::hull(&S::transform(place).points(&body.core()));
        [hull(&self.a, &self.pa), hull(&self.b, &self.pb)]
    }

    /// The true separation, enclosed.
    pub(crate) fn truth<S: Space<D>>(&self) -> [Rational; 2] {
        let [a, b] = self.cores::<S>();
        let radii = exact(self.a.radius) + exact(self.b.radius);
        let [low, high] = match a.depth_squared(&b) {
            None => sqrt_enclosure(&a.distance_squared(&b)),
            Some(squared) => {
                let [low, high] = sqrt_enclosure(&squared);
                [-high, -low]
            }
        };
        [low - &radii, high - radii]
    }

    pub(crate) fn distance<S: Space<D>>(&self) -> Distance<S::Vector> {
        S::distance(&self.a, &self.pa, &self.b, &self.pb).unwrap()
    }
    /// The contact whatever the distance.
    pub(crate) fn contact<S: Space<D>>(&self) -> Contact<S::Vector> {
        S::contact(&self.a, &self.pa, &self.b, &self.pb, FAR).unwrap().unwrap()
    }
    pub(crate) fn touches<S: Space<D>>(&self) -> bool {
        S::intersects(&self.a, &self.pa, &self.b, &self.pb).unwrap()
    }
    /// The second shape moved.
    pub(crate) fn moved(&self, by: [f64; D]) -> Self {
        let mut moved = self.clone();
        for (x, d) in moved.pb.translation.iter_mut().zip(by) {
            *x += d;
        }
        moved
    }
}

/// How far outside of the core inflated by the radius a point is, as an upper bound.
pub(crate) fn outside<const D: usize>(core: &Convex<D>, radius: f64, point: [f64; D]) -> f64 {
    let squared = core.distance_squared(&Convex::hull(&[point.to_exact()]));
    let [_, high] = sqrt_enclosure(&squared);
    carom_oracle::rational::to_f64(&(high - exact(radius)))
}

/// How many times more cases than usual, from the environment: see CONTRIBUTING.md.
pub(crate) fn soak() -> usize {
    std::env::var("CAROM_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}
