//! How an answer was found: the steps of a query as data.
//!
//! The functions of [`d2::explain`](crate::d2::explain) and [`d3::explain`](crate::d3::explain) have the names
//! and arguments of the plain questions. They give the same answer, to the bit, and the steps that lead to
//! it: axes tried with their overlaps, simplices and facets with their bounds, nearest points and the
//! features that they lie on, faces and what clipping leaves of them; for motion, the way of a ray through a
//! shape, the times that were looked at with bounds of the distance then, and the times that are proven clear.
//! Pictures, lessons and searches for errors can all be made from them.
//!
//! Everything is in the world frame and in `f64`, in which the kernels run whatever the number type of the
//! question: a picture of the shapes and of a step needs no further transformation. Only [`Step::Frame`] shows the
//! frame of a shape. The bounds of a step are
//! those of the loop; the rounding errors of the poses are added once, in [`Step::Separation`].
//!
//! Where the steps come from: GJK, EPA, clipping and the advancement of moving shapes are watched at work, by a parameter that costs nothing
//! when nobody listens. The kernels of boxes and capsules take shortcuts past most of the axes; for them the
//! textbook test is carried out beside the kernel, and [`Step::Method`] says so. A plain question may stop as
//! soon as it knows enough; the steps go on to the separation, but for shapes that [`intersects`] finds apart.
//!
//! [`intersects`]: crate::d3::explain::intersects
//!
//! ```
//! use carom_geometry::d3::{Cuboid, explain};
//! use carom_geometry::trace::Step;
//!
//! let cube = Cuboid::new([1.0, 1.0, 1.0])?;
//! let found = explain::contact(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 1.75, 0.0])?;
//! assert_eq!(found.answer.expect("they overlap").depth, 0.25);
//! let best = found.steps.iter().find_map(|step| match step {
//!     Step::Axis { source, separation, best: true, .. } => Some((source.to_string(), *separation)),
//!     _ => None,
//! });
//! assert_eq!(best, Some(("face a.y".to_owned(), -0.25)));
//! # Ok::<(), carom_geometry::Error>(())
//! ```
//!
//! * `record`: from the frame of a kernel to the world;
//! * `axes`: the axes of the textbook test, by name, and the features that points lie on;
//! * `follow`: the watcher of motion, and its way to the world;
//! * `query`, `motion_query`: the public functions, generated for both dimensions.

mod axes;
mod follow;
mod record;

pub(crate) mod motion_query;
pub(crate) mod query;

pub(crate) use follow::{Follow, Journey, Look, Told, slab_span};

pub(crate) use axes::{NamedAxes, record_axes, record_nearest, region_of};
pub(crate) use record::{Recorder, View};

use carom_math::Vector;
use std::fmt;

/// An answer and how it was found.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, distance, explain};
/// let unit = Ball::new(1.0)?;
/// let explained = explain::distance(&unit, [0.0, 0.0], &unit, [5.0, 0.0])?;
/// assert_eq!(explained.answer, distance(&unit, [0.0, 0.0], &unit, [5.0, 0.0])?);
/// assert!(!explained.steps.is_empty());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explained<A, V: Vector<Scalar = f64>> {
    /// What the plain question answers, to the bit.
    pub answer: A,
    /// The steps in order: a [`Step::Method`] first, a [`Step::Verdict`] last.
    pub steps: Vec<Step<V>>,
}

/// One of the two shapes, in the order of the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// How a pair is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// The point of one shape that is nearest to the centre of a ball.
    NearestPoint,
    /// The lowest point over a half-space.
    HalfSpace,
    /// Separating axes, then the nearest features.
    SeparatingAxes,
    /// The nearest points of two segments in space; the axes only when they cross.
    NearestFeatures,
    /// The distance of convex sets from their support points; the depth by EPA or by axes.
    SupportPoints,
    /// The parts of shapes that have many; the steps between two parts are not recorded.
    Parts,
    /// An equation for the time: a ray or a ball against a shape, two boxes, two capsules, a half-space.
    ClosedForm,
    /// From one time that is proven clear to the next.
    Advancement,
}

/// Where an axis comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AxisSource {
    /// The normal of a face (of an edge, in the plane): of a box, the axis with this index.
    Face {
        /// Whose face.
        of: Side,
        /// Which face.
        index: usize,
        /// The shape is a box, whose axes are called x, y and z.
        of_box: bool,
    },
    /// Perpendicular to an edge of a and an edge of b.
    Edges {
        /// The edge of a; of a box, the axis along it.
        a: EdgeName,
        /// The edge of b.
        b: EdgeName,
    },
    /// Along a shape that is a segment.
    Along(Side),
    /// Perpendicular to a shape that is a segment; space has two of them.
    Across(Side, usize),
    /// A coordinate axis, for a shape that is a point.
    Coordinate(usize),
    /// A direction in which GJK, EPA or the axes of hulls asked for support points.
    Search,
}

/// An edge in the name of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeName {
    /// The index; of a box, the axis along which the edge runs.
    pub index: usize,
    /// The shape is a box.
    pub of_box: bool,
}

/// The part of a shape that a point lies on, up to rounding; of a rounded shape, of the shape inside.
///
/// The numbers are those of [`FeaturePair`](crate::FeaturePair): corner i of a box is named by its bits,
/// set for the positive side of an axis; its face 2i is across axis i on the positive side, 2i + 1 on the
/// negative one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Region {
    /// A corner, or the end of a segment; the centre of a ball.
    Corner(usize),
    /// An edge.
    Edge(usize),
    /// Between the ends of a segment: 0 at the first, 1 at the second.
    Along(f64),
    /// A face.
    Face(usize),
    /// Inside.
    Inside,
    /// The shape has no parts with names.
    Whole,
}

/// One step on the way to an answer. Points and directions are in the world frame.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ball, explain};
/// use carom_geometry::trace::{Method, Step};
/// let unit = Ball::new(1.0)?;
/// let steps = explain::intersects(&unit, [0.0, 0.0, 0.0], &unit, [2.0, 0.0, 0.0])?.steps;
/// assert_eq!(steps[0], Step::Method { method: Method::NearestPoint, textbook: false });
/// assert_eq!(steps[2], Step::Radii { a: 1.0, b: 1.0 });
/// assert_eq!(steps.last(), Some(&Step::Verdict { touching: true }));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Step<V: Vector<Scalar = f64>> {
    /// The method was chosen by the kinds of the shapes.
    Method {
        /// The method.
        method: Method,
        /// The kernel of these kinds takes shortcuts; what follows is the textbook test that it shortens.
        textbook: bool,
    },
    /// Balls inside of two polytopes and around them, about the same centres: if those inside overlap, so do
    /// the polytopes; if those around them are apart, so are the polytopes, and nothing more needs to be known.
    Balls {
        /// The centre of a.
        center_a: V,
        /// The centre of b.
        center_b: V,
        /// The sum of the radii of the balls inside.
        inner: f64,
        /// The sum of the radii of the balls around.
        outer: f64,
    },
    /// The shapes were measured along an axis.
    Axis {
        /// Where the axis comes from.
        source: AxisSource,
        /// The unit vector, from a to b; zero where a loop had none.
        normal: V,
        /// The gap along it, without radii: greater than 0 proves that the shapes (their cores) are apart,
        /// less than 0 is the overlap.
        separation: f64,
        /// The first one with the largest separation of all axes.
        best: bool,
    },
    /// GJK holds a simplex: one to four pairs of points, whose differences are its vertices.
    Simplex {
        /// The points of a.
        points_a: Vec<V>,
        /// The points of b.
        points_b: Vec<V>,
        /// The distance of the cores is never below; −∞ is never held.
        lower: f64,
        /// The distance of the cores is never above.
        upper: f64,
    },
    /// EPA looks at the facet of its polytope that is nearest to the origin.
    Facet {
        /// The points of a whose differences to those of b are the corners.
        points_a: Vec<V>,
        /// The points of b.
        points_b: Vec<V>,
        /// The depth of the cores is never below.
        lower: f64,
        /// The depth of the cores is never above.
        upper: f64,
    },
    /// The nearest points of the cores, and what they lie on.
    Nearest {
        /// The point of a; of a ball, its centre.
        point_a: V,
        /// The point of b; of a ball, its centre.
        point_b: V,
        /// What `point_a` lies on.
        region_a: Region,
        /// What `point_b` lies on.
        region_b: Region,
        /// How far apart they are; negative when a centre is inside of the other shape.
        distance: f64,
    },
    /// The radii around the cores, which are subtracted from what was found so far.
    Radii {
        /// Around the core of a.
        a: f64,
        /// Around the core of b.
        b: f64,
    },
    /// What the kernel found, radii and rounding errors included.
    Separation {
        /// The gap; less than 0 is the depth.
        separation: f64,
        /// The true separation is never below.
        lower: f64,
        /// The true separation is never above.
        upper: f64,
        /// The unit vector from a to b.
        normal: V,
        /// The point of a nearest to, or deepest in, b.
        point_a: V,
        /// The point of b nearest to, or deepest in, a.
        point_b: V,
    },
    /// Two features face each other: the incident one is going to be clipped to the sides of the reference,
    /// which is the face more parallel to the normal.
    Faces {
        /// The corners of the reference face, around it; four points of the rim of a disc, one point of a
        /// half-space.
        reference: Vec<V>,
        /// The corners of the incident feature.
        incident: Vec<V>,
    },
    /// What one side of the reference left of the incident feature.
    Clip {
        /// The corner of the reference where the side begins.
        from: V,
        /// The corners that are left, around it.
        polygon: Vec<V>,
    },
    /// All contact points that were found, half way between the surfaces.
    Candidates {
        /// The points.
        points: Vec<V>,
    },
    /// The contact points that were chosen: those of the manifold.
    Chosen {
        /// The points.
        points: Vec<V>,
    },
    /// What moves, as a shape sees it that stands still at the origin of its own frame: a ray, or the origin of the other
    /// shape and how fast that comes. The axes are those of the shape, but those of the world for balls, which look the
    /// same from all sides. The one step that is not in the world frame.
    Frame {
        /// The shape that stands still; that of a ray is a.
        of: Side,
        /// Where the ray, or the origin of the other shape, starts.
        origin: V,
        /// The direction of the ray, or the velocity of the other shape less that of this one.
        direction: V,
    },
    /// The part of a line in a shape: of a ray, or of the centre of a moving ball in the other shape, which is
    /// inflated by the radius. The line goes on in both directions, so the parameters may be negative or infinite.
    Passage {
        /// Where the line comes in.
        enter: f64,
        /// Where it goes out; not before `enter`.
        exit: f64,
        /// The outward unit normal where it comes in; zero where there is none to prefer.
        normal_in: V,
        /// The outward unit normal where it goes out.
        normal_out: V,
        /// What it comes in through.
        region_in: Region,
        /// What it goes out through.
        region_out: Region,
    },
    /// When shapes in straight motion overlap along an axis. They touch while they do so along all axes.
    Overlap {
        /// Where the axis comes from.
        source: AxisSource,
        /// The unit vector, from a to b when they meet.
        normal: V,
        /// The overlap begins; −∞ when it lasts for ever, ∞ when there is none.
        enter: f64,
        /// The overlap ends; not before `enter`.
        exit: f64,
    },
    /// No touch for a while, without a look at the shapes: balls around them, or their flat sides, are apart.
    Clear {
        /// No touch from this time on,
        from: f64,
        /// until this one; ∞ for never.
        to: f64,
    },
    /// The shapes at one time of their motion: a point of the curve of their distance.
    Look {
        /// The time.
        t: f64,
        /// The separation then: the distance, or minus the depth.
        separation: f64,
        /// The true separation is never below.
        lower: f64,
        /// The true separation is never above.
        upper: f64,
        /// The unit vector from a to b; zero where a loop had none.
        normal: V,
        /// No touch from the start until this time; ∞ for never. It is before `t` for a look ahead.
        clear_until: f64,
    },
    /// The first touch, or where a ray hits: the answer.
    Hit {
        /// The time, or the parameter of the ray.
        t: f64,
        /// There is no touch before; `t` itself but for a time of impact.
        lower: f64,
        /// Where.
        point: V,
        /// The unit vector from a to b; of a ray, the outward normal.
        normal: V,
        /// What a ray hits; of a shape with parts, face `i` is part `i`.
        region: Region,
    },
    /// The end: whether the shapes touch.
    Verdict {
        /// Touching counts.
        touching: bool,
    },
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "a",
            Side::B => "b",
        })
    }
}

impl Side {
    /// The other one.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::trace::Side;
    /// assert_eq!(Side::A.other(), Side::B);
    /// ```
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

impl Region {
    /// The part with a number of [`FeaturePair`](crate::FeaturePair).
    pub(crate) fn of_feature(feature: u32) -> Self {
        let index = (feature >> 2) as usize;
        match feature & 3 {
            1 => Region::Corner(index),
            2 => Region::Edge(index),
            3 => Region::Face(index),
            _ => Region::Whole,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::NearestPoint => "nearest point",
            Method::HalfSpace => "half-space",
            Method::SeparatingAxes => "separating axes",
            Method::NearestFeatures => "nearest features",
            Method::SupportPoints => "support points",
            Method::Parts => "parts",
            Method::ClosedForm => "closed form",
            Method::Advancement => "advancement",
        })
    }
}

/// x, y or z for a box, otherwise the number.
fn write_index(f: &mut fmt::Formatter<'_>, index: usize, of_box: bool) -> fmt::Result {
    match (of_box, index) {
        (true, 0) => f.write_str("x"),
        (true, 1) => f.write_str("y"),
        (true, 2) => f.write_str("z"),
        _ => write!(f, "{index}"),
    }
}

impl fmt::Display for EdgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_index(f, self.index, self.of_box)
    }
}

/// `face a.x`, `edges a.x × b.y`, `along a`, `across b.0`, `axis x`, `search`.
impl fmt::Display for AxisSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AxisSource::Face { of, index, of_box } => {
                write!(f, "face {of}.")?;
                write_index(f, index, of_box)
            }
            AxisSource::Edges { a, b } => write!(f, "edges a.{a} × b.{b}"),
            AxisSource::Along(of) => write!(f, "along {of}"),
            AxisSource::Across(of, index) => write!(f, "across {of}.{index}"),
            AxisSource::Coordinate(index) => {
                f.write_str("axis ")?;
                write_index(f, index, true)
            }
            AxisSource::Search => f.write_str("search"),
        }
    }
}

/// `corner 5`, `edge 2`, `face 0`, `along 0.25`, `inside`, `whole`.
impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Region::Corner(index) => write!(f, "corner {index}"),
            Region::Edge(index) => write!(f, "edge {index}"),
            Region::Along(t) => write!(f, "along {t}"),
            Region::Face(index) => write!(f, "face {index}"),
            Region::Inside => f.write_str("inside"),
            Region::Whole => f.write_str("whole"),
        }
    }
}
