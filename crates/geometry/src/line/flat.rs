//! Flat things as the relations see them: in space, over a ring, as corners, edges, a face, and linear
//! conditions.
//!
//! The plane of 2D is the plane z = 0 of space, so one set of algorithms serves both dimensions.

use crate::exact::{Ring, Triple};
use crate::scale::towards_one;
use core::cmp::Ordering;

/// What a flat thing is. The order is that in which a pair is put before it is related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The point rows[0].
    Point,
    /// The line through rows[0] along rows[1].
    Line,
    /// The ray from rows[0] along rows[1].
    Ray,
    /// The segment from rows[0] to rows[1].
    Segment,
    /// The plane rows[0]·p = rows[1][0].
    Plane,
    /// The triangle with the corners rows.
    Triangle,
    /// rows[0] + u·rows[1] + v·rows[2] with u and v in [0, 1].
    Parallelogram,
}

/// A flat thing in `f64`, as given. Rows that the kind does not use are zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thing {
    pub(crate) kind: Kind,
    pub(crate) rows: [[f64; 3]; 3],
}

impl Thing {
    /// A total order, so that a pair can be related in one order whatever the order it is given in.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let numbers = self.rows.as_flattened().iter().zip(other.rows.as_flattened());
        let by_number = numbers.map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
        self.kind.cmp(&other.kind).then(by_number.unwrap_or(Ordering::Equal))
    }

    /// The largest magnitude of a length; for a plane, its distance from the origin or a little less.
    pub(crate) fn size(&self) -> f64 {
        let largest =
            |numbers: &[f64]| numbers.iter().fold(0.0, |m: f64, x| if m < x.abs() { x.abs() } else { m });
        match self.kind {
            Kind::Plane => self.rows[1][0].abs() / largest(&self.rows[0]),
            _ => largest(self.rows.as_flattened()),
        }
    }

    /// All lengths multiplied by a power of two, or `None` where that is not exact. The normal of a
    /// plane is brought to about unit length by a power of two of its own.
    pub(crate) fn resized(&self, factor: f64) -> Option<Self> {
        let mut result = *self;
        if self.kind == Kind::Plane {
            let normal = Thing { kind: Kind::Point, rows: [self.rows[0], [0.0; 3], [0.0; 3]] };
            let own = towards_one(normal.size(), 0);
            result.rows[0] = scaled(self.rows[0], own)?;
            // In two steps, either of which may leave the range though the product does not.
            result.rows[1] = scaled(scaled(self.rows[1], own)?, factor)?;
        } else {
            for row in &mut result.rows {
                *row = scaled(*row, factor)?;
            }
        }
        Some(result)
    }
}

fn scaled(row: [f64; 3], factor: f64) -> Option<[f64; 3]> {
    let result = row.map(|x| x * factor);
    let exact = result.iter().zip(&row).all(|(y, x)| y / factor == *x && y.is_finite());
    exact.then_some(result)
}

/// A point with rational coordinates: x/w with w > 0.
#[derive(Clone, Debug)]
pub(crate) struct Place<R> {
    pub(crate) x: Triple<R>,
    pub(crate) w: R,
}

impl<R: Ring> Place<R> {
    pub(crate) fn at(point: &Triple<R>) -> Self {
        Place { x: point.clone(), w: R::one() }
    }
}

/// origin + t·direction, with t >= 0 if it starts and t <= 1 if it ends.
#[derive(Clone, Debug)]
pub(crate) struct Straight<R> {
    pub(crate) origin: Triple<R>,
    pub(crate) direction: Triple<R>,
    pub(crate) starts: bool,
    pub(crate) ends: bool,
}

/// The plane normal·x = level.
#[derive(Clone, Debug)]
pub(crate) struct Face<R> {
    pub(crate) normal: Triple<R>,
    pub(crate) level: R,
}

/// gradient·x − level is zero, or not negative.
pub(crate) struct Condition<R> {
    pub(crate) gradient: Triple<R>,
    pub(crate) level: R,
    pub(crate) is_equation: bool,
}

/// A flat thing over a ring.
#[derive(Clone, Debug)]
pub(crate) struct Flat<R> {
    pub(crate) kind: Kind,
    corners: [Triple<R>; 4],
    corner_count: usize,
    /// Direction of a line or ray; first edge vector u of a triangle or parallelogram.
    u: Triple<R>,
    /// Second edge vector of a triangle or parallelogram.
    v: Triple<R>,
    /// The plane that the thing spans or is.
    pub(crate) face: Option<Face<R>>,
}

impl<R: Ring> Flat<R> {
    pub(crate) fn new(thing: &Thing) -> Self {
        let [p, q, r] = thing.rows.map(Triple::from_f64);
        let zero = || Triple::from_f64([0.0; 3]);
        let flat = |corners: [Triple<R>; 4], corner_count, u, v, face| {
            let kind = thing.kind;
            Flat { kind, corners, corner_count, u, v, face }
        };
        match thing.kind {
            Kind::Point => flat([p, zero(), zero(), zero()], 1, zero(), zero(), None),
            Kind::Line | Kind::Ray => flat([p, zero(), zero(), zero()], 1, q, zero(), None),
            Kind::Segment => {
                let u = q.minus(&p);
                flat([p, q, zero(), zero()], 2, u, zero(), None)
            }
            Kind::Plane => {
                let face = Face { level: q.0[0].clone(), normal: p };
                flat([zero(), zero(), zero(), zero()], 0, zero(), zero(), Some(face))
            }
            Kind::Triangle => {
                let (u, v) = (q.minus(&p), r.minus(&p));
                let face = Face::through(&p, &u, &v);
                flat([p, q, r, zero()], 3, u, v, Some(face))
            }
            Kind::Parallelogram => {
                let face = Face::through(&p, &q, &r);
                let corners = [p.clone(), p.plus(&q), p.plus(&q).plus(&r), p.plus(&r)];
                flat(corners, 4, q, r, Some(face))
            }
        }
    }

    /// The corners and ends; of a line the given point, which serves as one; none of a plane.
    pub(crate) fn corners(&self) -> &[Triple<R>] {
        &self.corners[..self.corner_count]
    }

    /// The only piece of a line, ray or segment; the sides of a triangle or parallelogram.
    pub(crate) fn edges(&self) -> impl Iterator<Item = Straight<R>> + '_ {
        let count = match self.kind {
            Kind::Point | Kind::Plane => 0,
            Kind::Line | Kind::Ray | Kind::Segment => 1,
            Kind::Triangle | Kind::Parallelogram => self.corner_count,
        };
        (0..count).map(|i| self.edge(i))
    }

    fn edge(&self, index: usize) -> Straight<R> {
        let origin = self.corners[index % 4].clone();
        match self.kind {
            Kind::Triangle | Kind::Parallelogram => {
                let next = &self.corners[(index + 1) % self.corner_count.max(1)];
                Straight { direction: next.minus(&origin), origin, starts: true, ends: true }
            }
            _ => Straight {
                origin,
                direction: self.u.clone(),
                starts: matches!(self.kind, Kind::Ray | Kind::Segment),
                ends: self.kind == Kind::Segment,
            },
        }
    }

    /// A point, line, ray or segment as one piece; a point has the direction zero.
    pub(crate) fn as_straight(&self) -> Straight<R> {
        self.edge(0)
    }

    /// Calls `check` with the linear conditions that say which points belong to the thing, until it
    /// answers false; says whether it never did.
    pub(crate) fn all_conditions(
        &self,
        mut check: impl FnMut(&Condition<R>) -> Result<bool, R::Doubt>,
    ) -> Result<bool, R::Doubt> {
        let mut through = |gradient: Triple<R>, point: &Triple<R>, is_equation: bool| {
            check(&Condition { level: gradient.dot(point), gradient, is_equation })
        };
        if let Some(face) = &self.face {
            let (gradient, level) = (face.normal.clone(), face.level.clone());
            if !check(&Condition { gradient, level, is_equation: true })? {
                return Ok(false);
            }
            for edge in self.edges() {
                // (edge × (x − origin))·normal >= 0: to the left of each edge, seen from the normal.
                let inward = face.normal.cross(&edge.direction);
                let condition =
                    Condition { level: inward.dot(&edge.origin), gradient: inward, is_equation: false };
                if !check(&condition)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let [p, ..] = &self.corners;
        if self.kind == Kind::Point {
            for axis in 0..3 {
                let unit = [0, 1, 2].map(|i| if i == axis { 1.0 } else { 0.0 });
                if !through(Triple::from_f64(unit), p, true)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        // (x − p) × u = 0, by component.
        let [x, y, z] = &self.u.0;
        let rows = [
            [R::zero(), z.clone(), y.negated()],
            [z.negated(), R::zero(), x.clone()],
            [y.clone(), x.negated(), R::zero()],
        ];
        for row in rows {
            if !through(Triple(row), p, true)? {
                return Ok(false);
            }
        }
        let straight = self.as_straight();
        if straight.starts && !through(self.u.clone(), p, false)? {
            return Ok(false);
        }
        let backwards = Triple(self.u.0.each_ref().map(R::negated));
        Ok(!straight.ends || through(backwards, &self.corners[1], false)?)
    }

    /// Whether a triangle or parallelogram has no area.
    pub(crate) fn is_collapsed(&self) -> Result<bool, R::Doubt> {
        self.face.as_ref().map_or(Ok(false), |face| face.normal.is_zero())
    }

    /// Whether neither is a point and the directions of one are all among those of the other.
    pub(crate) fn is_parallel_to(&self, other: &Self) -> Result<bool, R::Doubt> {
        match (&self.face, &other.face) {
            (Some(mine), Some(theirs)) => mine.normal.cross(&theirs.normal).is_zero(),
            (Some(face), None) if other.kind != Kind::Point => face.normal.dot(&other.u).is_zero(),
            (None, Some(face)) if self.kind != Kind::Point => face.normal.dot(&self.u).is_zero(),
            (None, None) if self.kind != Kind::Point && other.kind != Kind::Point => {
                self.u.cross(&other.u).is_zero()
            }
            _ => Ok(false),
        }
    }

    /// The parameter of a point of a line, ray or segment: (x − p)·u/u·u. An error of `length_error` in
    /// the point is allowed.
    pub(crate) fn parameter(&self, place: &Place<R>, length_error: f64) -> Result<f64, R::Doubt> {
        let offset = place.x.minus(&self.corners[0].times(&place.w));
        let squared = self.u.dot(&self.u);
        let length = R::ratio(&squared, &R::one(), f64::INFINITY)?.sqrt();
        let tolerance = if 0.0 < length { length_error / length } else { 0.0 };
        R::ratio(&offset.dot(&self.u), &squared.times(&place.w), tolerance)
    }

    /// (α, β) with x = corner + α·u + β·v. With q = x − corner and n = u × v:
    /// α = (q × v)·n/n·n and β = (u × q)·n/n·n.
    pub(crate) fn coordinates(&self, place: &Place<R>) -> Result<[f64; 2], R::Doubt> {
        let normal = self.u.cross(&self.v);
        let offset = place.x.minus(&self.corners[0].times(&place.w));
        let denominator = normal.dot(&normal).times(&place.w);
        // Weights are about 1; an error of 2⁻⁷⁰ is far below their rounding.
        let tolerance = f64::from_bits((1023 - 70) << 52);
        Ok([
            R::ratio(&offset.cross(&self.v).dot(&normal), &denominator, tolerance)?,
            R::ratio(&self.u.cross(&offset).dot(&normal), &denominator, tolerance)?,
        ])
    }
}

impl<R: Ring> Face<R> {
    fn through(point: &Triple<R>, u: &Triple<R>, v: &Triple<R>) -> Self {
        let normal = u.cross(v);
        Face { level: normal.dot(point), normal }
    }
}
