//! The common points of two flat things: none, one or more, and one of them.
//!
//! A straight piece o + t·d meets a flat thing where the linear conditions of that hold, each of which
//! bounds t: the piece is clipped like a segment by half-planes, with exact fractions for the bounds.
//! Two things with a face meet where an edge of one meets the other, since a common point that is on
//! no edge has more common points around it, up to an edge. Only two planes are treated apart.

use super::flat::{Flat, Kind, Place, Straight};
use crate::exact::Ring;
use core::cmp::Ordering;

/// The common points.
pub(crate) enum Common<R> {
    None,
    /// Exactly one.
    One(Place<R>),
    /// More than one; this is one of them.
    Many(Place<R>),
}

/// The common points of a pair in the order of [`Kind`]. Of many, the one on the first straight piece
/// that has any, closest to where that starts.
pub(crate) fn common_points<R: Ring>(a: &Flat<R>, b: &Flat<R>) -> Result<Common<R>, R::Doubt> {
    match (&a.face, &b.face) {
        (Some(_), Some(_)) if a.kind == Kind::Plane && b.kind == Kind::Plane => of_planes(a, b),
        (Some(_), Some(_)) => of_faces(a, b),
        _ => Ok(match (a.kind, of_straight(&a.as_straight(), b)?) {
            (Kind::Point, Common::Many(place)) => Common::One(place),
            (_, common) => common,
        }),
    }
}

/// numerator/denominator with a positive denominator.
struct Fraction<R> {
    numerator: R,
    denominator: R,
}

impl<R: Ring> Fraction<R> {
    fn compare(&self, other: &Self) -> Result<Ordering, R::Doubt> {
        let mine = self.numerator.times(&other.denominator);
        mine.minus(&other.numerator.times(&self.denominator)).sign()
    }
}

/// The part of a straight piece that fulfils the conditions seen so far.
struct Clip<R> {
    low: Option<Fraction<R>>,
    high: Option<Fraction<R>>,
    /// The only parameter that fulfils an equation. Two bounds that meet would say the same, but that they
    /// are equal is not to be seen from rounded numbers.
    only: Option<Fraction<R>>,
}

impl<R: Ring> Clip<R> {
    /// Keeps the parameters t with value + slope·t >= 0. False when none is left for certain; bounds that
    /// exclude each other are noticed at the end.
    fn require(&mut self, value: R, slope: &R) -> Result<bool, R::Doubt> {
        match slope.sign()? {
            Ordering::Equal => return Ok(!value.is_negative()?),
            Ordering::Greater => {
                let bound = Fraction { numerator: value.negated(), denominator: slope.clone() };
                let is_higher = match &self.low {
                    Some(low) => bound.compare(low)? == Ordering::Greater,
                    None => true,
                };
                if is_higher {
                    self.low = Some(bound);
                }
            }
            Ordering::Less => {
                let bound = Fraction { numerator: value, denominator: slope.negated() };
                let is_lower = match &self.high {
                    Some(high) => bound.compare(high)? == Ordering::Less,
                    None => true,
                };
                if is_lower {
                    self.high = Some(bound);
                }
            }
        }
        Ok(true)
    }
}

impl<R: Ring> Clip<R> {
    /// Keeps the parameters t with value + slope·t = 0. False when none is left for certain.
    fn require_zero(&mut self, value: R, slope: &R) -> Result<bool, R::Doubt> {
        let bound = match slope.sign()? {
            Ordering::Equal => return value.is_zero(),
            Ordering::Greater => Fraction { numerator: value.negated(), denominator: slope.clone() },
            Ordering::Less => Fraction { numerator: value, denominator: slope.negated() },
        };
        if let Some(only) = &self.only {
            return Ok(bound.compare(only)? == Ordering::Equal);
        }
        self.only = Some(bound);
        Ok(true)
    }
}

/// The common points of a straight piece and a flat thing; of many, that with t closest to 0.
fn of_straight<R: Ring>(piece: &Straight<R>, other: &Flat<R>) -> Result<Common<R>, R::Doubt> {
    let mut clip = Clip { low: None, high: None, only: None };
    if piece.starts {
        clip.low = Some(Fraction { numerator: R::zero(), denominator: R::one() });
    }
    if piece.ends {
        clip.high = Some(Fraction { numerator: R::one(), denominator: R::one() });
    }
    let some_left = other.all_conditions(|condition| {
        let value = condition.gradient.dot(&piece.origin).minus(&condition.level);
        let slope = condition.gradient.dot(&piece.direction);
        if condition.is_equation { clip.require_zero(value, &slope) } else { clip.require(value, &slope) }
    })?;
    if !some_left {
        return Ok(Common::None);
    }
    let place = |t: &Fraction<R>| Place {
        x: piece.origin.times(&t.denominator).plus(&piece.direction.times(&t.numerator)),
        w: t.denominator.clone(),
    };
    if let Some(only) = &clip.only {
        let is_below = |bound: &Fraction<R>| Ok(only.compare(bound)? == Ordering::Less);
        let is_above = |bound: &Fraction<R>| Ok(only.compare(bound)? == Ordering::Greater);
        let misses = clip.low.as_ref().map_or(Ok(false), is_below)?
            || clip.high.as_ref().map_or(Ok(false), is_above)?;
        return Ok(if misses { Common::None } else { Common::One(place(only)) });
    }
    if let (Some(low), Some(high)) = (&clip.low, &clip.high) {
        match low.compare(high)? {
            Ordering::Greater => return Ok(Common::None),
            Ordering::Equal => return Ok(Common::One(place(low))),
            Ordering::Less => {}
        }
    }
    if let Some(low) = &clip.low
        && low.numerator.sign()? == Ordering::Greater
    {
        return Ok(Common::Many(place(low)));
    }
    if let Some(high) = &clip.high
        && high.numerator.is_negative()?
    {
        return Ok(Common::Many(place(high)));
    }
    Ok(Common::Many(Place::at(&piece.origin)))
}

/// The common points of a face with edges and another face.
fn of_faces<R: Ring>(a: &Flat<R>, b: &Flat<R>) -> Result<Common<R>, R::Doubt> {
    let mut found: Option<Place<R>> = None;
    let with_b = a.edges().map(|edge| (edge, b));
    let with_a = b.edges().map(|edge| (edge, a));
    for (edge, other) in with_b.chain(with_a) {
        let place = match of_straight(&edge, other)? {
            Common::None => continue,
            Common::Many(place) => return Ok(Common::Many(place)),
            Common::One(place) => place,
        };
        match &found {
            None => found = Some(place),
            Some(first) => {
                if !first.x.times(&place.w).minus(&place.x.times(&first.w)).is_zero()? {
                    return Ok(Common::Many(first.clone()));
                }
            }
        }
    }
    Ok(found.map_or(Common::None, Common::One))
}

/// The common points of two planes m·x = α and n·x = β; of many, that closest to the origin.
///
/// With k = m × n, the point (α·(n × k) + β·(k × m))/k·k lies on both, and k·x = 0 there.
fn of_planes<R: Ring>(a: &Flat<R>, b: &Flat<R>) -> Result<Common<R>, R::Doubt> {
    let (Some(a), Some(b)) = (&a.face, &b.face) else {
        return Ok(Common::None);
    };
    let along = a.normal.cross(&b.normal);
    if !along.is_zero()? {
        let x = b.normal.cross(&along).times(&a.level).plus(&along.cross(&a.normal).times(&b.level));
        return Ok(Common::Many(Place { x, w: along.dot(&along) }));
    }
    // Parallel normals m = κn: the planes are equal when α·n = β·m.
    if a.normal.times(&b.level).minus(&b.normal.times(&a.level)).is_zero()? {
        return Ok(Common::Many(Place { x: a.normal.times(&a.level), w: a.normal.dot(&a.normal) }));
    }
    Ok(Common::None)
}
