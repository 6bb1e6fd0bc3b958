//! The closest points of two flat things that have no common point.
//!
//! The closest points lie inside a corner, edge or face of each thing, and are the closest points of the
//! points, lines or planes that these span. Where those are parallel, the pair slides until one of the
//! two reaches a smaller piece. So it is enough to try corner–corner, corner–edge, corner–face and
//! edge–edge, to keep the pairs that fall inside their pieces, and to take the closest. (A line counts
//! its given point as a corner, since a pair on it may slide for ever; two planes are treated apart.)

use super::flat::{Flat, Kind, Place, Straight};
use crate::exact::{Ring, Triple};
use core::cmp::Ordering;

/// A pair of closest points, and their distance.
pub(crate) struct Closest<R> {
    pub(crate) a: Place<R>,
    pub(crate) b: Place<R>,
    pub(crate) distance: f64,
}

/// The closest points of a pair without common points. Of equally close pairs the first tried: corners of
/// `a` with corners of `b`, with edges, with the face; then corners of `b`; then edges with edges. Among
/// these, the pair whose point on a straight `a` is closest to its start.
pub(crate) fn closest<R: Ring>(a: &Flat<R>, b: &Flat<R>) -> Result<Option<Closest<R>>, R::Doubt> {
    let mut best = Best { a, found: None };
    for p in a.corners() {
        for q in b.corners() {
            best.offer(&q.minus(p), &R::one(), || (Place::at(p), Place::at(q)))?;
        }
        from_corner(p, b, |gap, scale, foot| best.offer(gap, scale, || (Place::at(p), foot())))?;
    }
    for q in b.corners() {
        from_corner(q, a, |gap, scale, foot| best.offer(gap, scale, || (foot(), Place::at(q))))?;
    }
    for p in a.edges() {
        for q in b.edges() {
            between_edges(&p, &q, &mut best)?;
        }
    }
    if let (Kind::Plane, Kind::Plane, Some(p), Some(q)) = (a.kind, b.kind, &a.face, &b.face) {
        // Each plane's point closest to the origin: α·m/m·m and β·n/n·n.
        let (w_p, w_q) = (p.normal.dot(&p.normal), q.normal.dot(&q.normal));
        let (x_p, x_q) = (p.normal.times(&p.level), q.normal.times(&q.level));
        let gap = x_q.times(&w_p).minus(&x_p.times(&w_q));
        best.offer(&gap, &w_p.times(&w_q), || {
            (Place { x: x_p, w: w_p.clone() }, Place { x: x_q, w: w_q.clone() })
        })?;
    }
    Ok(best.found)
}

/// The closest pair so far.
struct Best<'a, R> {
    a: &'a Flat<R>,
    found: Option<Closest<R>>,
}

impl<R: Ring> Best<'_, R> {
    /// Keeps the pair, whose difference is gap/scale, when it is closer.
    fn offer(
        &mut self,
        gap: &Triple<R>,
        scale: &R,
        places: impl FnOnce() -> (Place<R>, Place<R>),
    ) -> Result<(), R::Doubt> {
        let distance = length_of(gap, scale)?;
        let order =
            self.found.as_ref().map_or(Some(Ordering::Less), |best| distance.partial_cmp(&best.distance));
        if order == Some(Ordering::Greater) {
            return Ok(());
        }
        let (a, b) = places();
        if order == Some(Ordering::Equal)
            && let Some(best) = &self.found
        {
            let is_straight = matches!(self.a.kind, Kind::Line | Kind::Ray | Kind::Segment);
            let start = |place| self.a.parameter(place, f64::INFINITY).map(f64::abs);
            if !is_straight || start(&best.a)? <= start(&a)? {
                return Ok(());
            }
        }
        self.found = Some(Closest { a, b, distance });
        Ok(())
    }
}

/// |gap|/scale.
fn length_of<R: Ring>(gap: &Triple<R>, scale: &R) -> Result<f64, R::Doubt> {
    /// 2^-900: above, the square of the length is precise.
    const SQUARE_IS_PRECISE: f64 = f64::from_bits((1023 - 900) << 52);
    let squared = R::ratio(&gap.dot(gap), &scale.times(scale), 0.0)?;
    if SQUARE_IS_PRECISE < squared && squared.is_finite() {
        return Ok(squared.sqrt());
    }
    let [x, y, z] = &gap.0;
    let component = |x: &R| R::ratio(x, scale, 0.0);
    let gap = carom_math::Vec3::new(component(x)?, component(y)?, component(z)?);
    Ok(carom_math::Vector::length(gap))
}

/// Offers the foot of a point on each edge and on the face of a thing, where it falls inside: the gap as
/// a vector over a positive number, and the foot.
fn from_corner<R: Ring>(
    p: &Triple<R>,
    other: &Flat<R>,
    mut offer: impl FnMut(&Triple<R>, &R, &mut dyn FnMut() -> Place<R>) -> Result<(), R::Doubt>,
) -> Result<(), R::Doubt> {
    for edge in other.edges() {
        // t = (p − o)·d/d·d; the gap is o + t·d − p.
        let numerator = p.minus(&edge.origin).dot(&edge.direction);
        let squared = edge.direction.dot(&edge.direction);
        if is_inside(&edge, &numerator, &squared)? {
            let gap = edge.origin.minus(p).times(&squared).plus(&edge.direction.times(&numerator));
            offer(&gap, &squared, &mut || place_on(&edge, &numerator, &squared))?;
        }
    }
    if let Some(face) = &other.face {
        // The gap is −n·h/n·n with h = n·p − level.
        let height = face.normal.dot(p).minus(&face.level);
        let squared = face.normal.dot(&face.normal);
        let gap = face.normal.times(&height.negated());
        let foot = Place { x: p.times(&squared).plus(&gap), w: squared.clone() };
        let is_inside = other.all_conditions(|condition| {
            let value = condition.gradient.dot(&foot.x).minus(&condition.level.times(&foot.w));
            Ok(condition.is_equation || !value.is_negative()?)
        })?;
        if is_inside {
            offer(&gap, &squared, &mut || foot.clone())?;
        }
    }
    Ok(())
}

/// Offers the closest points of two lines, where they fall inside both pieces.
///
/// With n = d × e and w = q − p between the origins: s = (w × e)·n/n·n, t = (w × d)·n/n·n, and the gap is
/// n·(w·n)/n·n.
fn between_edges<R: Ring>(p: &Straight<R>, q: &Straight<R>, best: &mut Best<'_, R>) -> Result<(), R::Doubt> {
    let normal = p.direction.cross(&q.direction);
    if normal.is_zero()? {
        return Ok(());
    }
    let squared = normal.dot(&normal);
    let between = q.origin.minus(&p.origin);
    let s = between.cross(&q.direction).dot(&normal);
    let t = between.cross(&p.direction).dot(&normal);
    if is_inside(p, &s, &squared)? && is_inside(q, &t, &squared)? {
        let gap = normal.times(&between.dot(&normal));
        best.offer(&gap, &squared, || (place_on(p, &s, &squared), place_on(q, &t, &squared)))?;
    }
    Ok(())
}

/// Whether the parameter numerator/denominator belongs to the piece; the denominator is positive.
fn is_inside<R: Ring>(piece: &Straight<R>, numerator: &R, denominator: &R) -> Result<bool, R::Doubt> {
    if piece.starts && numerator.is_negative()? {
        return Ok(false);
    }
    Ok(!piece.ends || !denominator.minus(numerator).is_negative()?)
}

fn place_on<R: Ring>(piece: &Straight<R>, numerator: &R, denominator: &R) -> Place<R> {
    let x = piece.origin.times(denominator).plus(&piece.direction.times(numerator));
    Place { x, w: denominator.clone() }
}
