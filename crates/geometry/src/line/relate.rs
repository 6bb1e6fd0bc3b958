//! How two flat things relate: the exact relation, and closest points as good as the number type allows.

use super::apart::closest;
use super::flat::{Flat, Kind, Place, Thing};
use super::meet::{Common, common_points};
use super::{LineRelation, Relation};
use crate::Error;
use crate::exact::{Question, Ring, decide};
use crate::scale::towards_one;
use carom_math::{Number, Real, Vector, power_of_two};

/// Something that [`relate`] can be asked about.
pub(crate) trait ToThing {
    /// The same thing in `f64`, in space.
    fn to_thing(&self) -> Thing;
}

/// Relates two things. A collapsed one is an error that names `a` or `b`.
pub(crate) fn relate<V: Vector>(a: &impl ToThing, b: &impl ToThing) -> Result<LineRelation<V>, Error> {
    let (given_a, given_b) = (a.to_thing(), b.to_thing());
    let size = given_a.size().max_of(given_b.size());
    // A band of 0: the tolerance below is meant relative to a size of about 1.
    let factor = towards_one(size, 0);
    // Where lengths differ by more than f64 can hold at once, the exact numbers take over unscaled.
    // Scaled, the size is about 1, and an error of 2⁻⁷⁵ in a coordinate is far below its rounding.
    let (a, b, inverse, tolerance) = match (given_a.resized(factor), given_b.resized(factor)) {
        (Some(a), Some(b)) => (a, b, 1.0 / factor, power_of_two(-75)),
        _ => (given_a, given_b, 1.0, 0.0),
    };
    let swap = b.compare(&a).is_lt();
    let [first, second] = if swap { [b, a] } else { [a, b] };
    let [first, second] = [first, second].map(segment_or_point);
    let answer = match decide(&Pair { first, second, tolerance }) {
        Ok(answer) => answer,
        Err(first_is_collapsed) => {
            let what = if first_is_collapsed != swap { "a" } else { "b" };
            return Err(Error::Collapsed { what });
        }
    };
    // Adding zero makes a negative zero positive.
    let narrow = |end: &End| {
        let position = V::Wide::from_fn(|axis| end.point.get(axis).map_or(0.0, |x| x * inverse + 0.0));
        V::narrow(position)
    };
    let [end_a, end_b] =
        if swap { [&answer.ends[1], &answer.ends[0]] } else { [&answer.ends[0], &answer.ends[1]] };
    let scalar = V::Scalar::from_f64;
    let mut distance = scalar(answer.distance * inverse);
    if distance == V::Scalar::ZERO && matches!(answer.relation, Relation::Parallel | Relation::Apart) {
        // Apart by less than the number type can tell: the least positive number.
        distance = distance.step_up();
    }
    let parameter = |end: &End, given: &Thing| match given.kind {
        Kind::Line | Kind::Ray | Kind::Segment => Some(scalar(end.parameters[0])),
        _ => None,
    };
    let barycentric = |end: &End, given: &Thing| match given.kind {
        Kind::Triangle | Kind::Parallelogram => Some(end.parameters.map(scalar)),
        _ => None,
    };
    let result = LineRelation {
        relation: answer.relation,
        point_a: narrow(end_a),
        point_b: narrow(end_b),
        distance,
        s: parameter(end_a, &given_a),
        t: parameter(end_b, &given_b),
        barycentric_a: barycentric(end_a, &given_a),
        barycentric_b: barycentric(end_b, &given_b),
    };
    let parameters = [result.s, result.t].into_iter().flatten();
    let weights = [result.barycentric_a, result.barycentric_b].into_iter().flatten().flatten();
    let finite = result.point_a.finite() && result.point_b.finite() && distance.finite();
    if finite && parameters.chain(weights).all(Real::finite) {
        Ok(result)
    } else {
        Err(Error::Overflow { what: "the closest point or its parameter", number: V::Scalar::NAME })
    }
}

/// A segment of length zero is a point.
fn segment_or_point(thing: Thing) -> Thing {
    let [a, b, _] = thing.rows;
    if thing.kind == Kind::Segment && a == b {
        return Thing { kind: Kind::Point, rows: [a, [0.0; 3], [0.0; 3]] };
    }
    thing
}

/// One of the two closest points: where it is, and its parameters on its thing.
struct End {
    point: [f64; 3],
    /// Parameter and zero, or the two weights; zeros for points and planes.
    parameters: [f64; 2],
}

struct Answer {
    relation: Relation,
    ends: [End; 2],
    distance: f64,
}

/// The question how two things relate.
struct Pair {
    first: Thing,
    second: Thing,
    /// The error in a length that does not matter.
    tolerance: f64,
}

impl Question for Pair {
    /// Or whether the first (true) or the second (false) is collapsed.
    type Answer = Result<Answer, bool>;

    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt> {
        // A segment that became a point sorts among the points.
        let swap = self.second.kind < self.first.kind;
        let (first, second) = (Flat::<R>::new(&self.first), Flat::<R>::new(&self.second));
        for (flat, is_first) in [(&first, true), (&second, false)] {
            if flat.kind != Kind::Plane && flat.is_collapsed()? {
                return Ok(Err(is_first));
            }
        }
        let [low, high] = if swap { [&second, &first] } else { [&first, &second] };
        let (relation, [at_low, at_high], distance) = match common_points(low, high)? {
            Common::One(place) => (Relation::Crossing, [place.clone(), place], 0.0),
            Common::Many(place) => (Relation::Coincident, [place.clone(), place], 0.0),
            Common::None => {
                let relation = if low.is_parallel_to(high)? { Relation::Parallel } else { Relation::Apart };
                let origin = || Place { x: crate::exact::Triple::from_f64([0.0; 3]), w: R::one() };
                // Every pair without common points has a closest one; the default is never used.
                closest(low, high)?.map_or_else(
                    || (relation, [origin(), origin()], 0.0),
                    |pair| (relation, [pair.a, pair.b], pair.distance),
                )
            }
        };
        let ends = [self.end(low, &at_low)?, self.end(high, &at_high)?];
        let ends = if swap {
            let [x, y] = ends;
            [y, x]
        } else {
            ends
        };
        Ok(Ok(Answer { relation, ends, distance }))
    }
}

impl Pair {
    fn end<R: Ring>(&self, flat: &Flat<R>, place: &Place<R>) -> Result<End, R::Doubt> {
        let [x, y, z] = &place.x.0;
        let coordinate = |x: &R| R::ratio(x, &place.w, self.tolerance);
        Ok(End {
            point: [coordinate(x)?, coordinate(y)?, coordinate(z)?],
            parameters: match flat.kind {
                Kind::Point | Kind::Plane => [0.0; 2],
                Kind::Line | Kind::Ray | Kind::Segment => [flat.parameter(place, self.tolerance)?, 0.0],
                Kind::Triangle | Kind::Parallelogram => flat.coordinates(place)?,
            },
        })
    }
}
