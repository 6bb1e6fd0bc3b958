//! Two polytopes with faces: GJK, and when they overlap separating axes.
//!
//! Two polygons with few corners are answered by a look at all their sides ([`sat`]); GJK serves where sides are
//! parallel or rounding decides. Two hulls begin with the balls inside and around them and with the faces nearest to each
//! other's centres. What seems deep goes to the axes at once, which prove an overlap as well as GJK does. Radii and bounds are those of
//! [`general`](super::general).

use super::general::{apart, inflated, overlapping, surely_overlapping};
use crate::answer::Separation;
use crate::gjk::{self, Posed, Space, Status, Support, Trace};
use crate::pair::core::Flats;
use crate::sat::{self, EdgeAxes, Glance, Guess, Last, PairCache, QuickAnswer, Solid};

/// [`relate`](super::general::relate) for polytopes that may have faces; `cache` is where to begin, and what to leave behind.
pub(crate) fn relate_solids<V: Space + Flats + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    bounds: (f64, f64),
    cache: Option<&mut PairCache<V>>,
    trace: &mut impl Trace<V>,
) -> Option<Separation<V>> {
    relate_solids_for::<false, V, A, B>(a, b, radii, bounds, cache, trace)
}

/// The same; `NARROW` for answers in `f32` without radii, which nobody watches.
pub(crate) fn relate_solids_for<const NARROW: bool, V: Space + Flats + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    (error, limit): (f64, f64),
    mut cache: Option<&mut PairCache<V>>,
    trace: &mut impl Trace<V>,
) -> Option<Separation<V>> {
    let reach = limit + (radii[0] + radii[1]);
    let mut balls = Balls::of(a, b);
    if trace.listens() {
        // The record has no word for a ball beside a box; without that shortcut it shows the axis.
        balls.from_box = None;
    }
    trace.balls([a.center(), b.center()], balls.inner, balls.outer);
    if balls.are_farther_than(reach) {
        return None;
    }
    if let Some(glance) = V::glance(a, b) {
        if reach < 0.0 - glance.overlap - balls.doubt {
            if trace.listens() {
                // Measures the sides that separate them once more, for the record.
                sat::least_overlap_among(a, b, &glance, trace);
            }
            return None;
        }
        if balls.doubt < glance.overlap {
            let deep = sat::least_overlap_among(a, b, &glance, trace);
            if let Some(deep) = deep.filter(|deep| balls.doubt < deep.depth) {
                return Some(inflated(surely_overlapping(&deep), radii, error));
            }
        }
        if glance.overlap < -balls.doubt
            && let Some(core) = apart_at_side(a, b, &glance, trace)
        {
            return Some(inflated(core, radii, error));
        }
    }
    if let Some(cache) = cache.as_deref_mut().filter(|_| !trace.listens()) {
        let depth = cache.depth(a, b);
        if reach + balls.doubt < 0.0 - depth {
            return None;
        }
        if 0.0 <= depth
            && let Some(found) = cache.overlap(a, b)
            && balls.doubt < found.depth()
        {
            return Some(inflated(surely_overlapping(&found.penetration()), radii, error));
        }
    }
    let remembered = cache.as_ref().and_then(|cache| cache.normal());
    // The answer for an overlap beyond doubt, and what it leaves behind.
    let surely = |found: &sat::Overlap<'_, A, B, V>, cache: Option<&mut PairCache<V>>| {
        let deep = found.penetration();
        if let Some(cache) = cache {
            cache.keep_overlap(found, deep.normal);
        }
        inflated(surely_overlapping(&deep), radii, error)
    };
    let guess = remembered.and_then(|(normal, last)| match last {
        Last::Overlapping(Some(memory)) => Guess::recalled(a, b, &memory),
        _ => Some(Guess::along(a, b, normal)),
    });
    // Who wants to know how far apart they are needs GJK if they are; else a face may do.
    let guess = guess.or_else(|| {
        let is_skipped = reach == f64::INFINITY && balls.seem_apart();
        if is_skipped { None } else { Guess::first(a, b, -balls.doubt) }
    });
    if let Some(guess) = guess.as_ref().filter(|guess| reach < 0.0 - guess.overlap - balls.doubt) {
        if let Some(normal) = guess.normal().filter(|_| trace.listens()) {
            trace.axis(normal, guess.overlap);
        }
        if let (Some(cache), Some(normal)) = (cache, guess.normal().or(remembered.map(|(normal, _)| normal)))
        {
            cache.keep_apart(b, normal, 0.0 - guess.overlap - balls.doubt);
        }
        return None;
    }
    // What rests on a face needs no search.
    if let Some(found) = guess.as_ref().and_then(|guess| sat::landing(a, b, guess, trace))
        && balls.doubt < found.depth()
    {
        return Some(surely(&found, cache));
    }
    // What overlapped lately is likely to do so still, and what the first faces show to be deep; a depth beyond all
    // doubt proves it.
    let overlapped = remembered.is_some_and(|(_, last)| last != Last::Apart);
    let deep = if overlapped || balls.is_thin { 0.0 } else { LIKELY * balls.inner };
    if (balls.overlap() || guess.as_ref().is_some_and(|guess| deep < guess.overlap))
        && let Some(found) = sat::least_overlap(a, b, guess.as_ref(), trace)
    {
        if reach < 0.0 - found.depth() - balls.doubt {
            if let Some(cache) = cache {
                cache.keep_apart(b, found.normal(), 0.0 - found.depth() - balls.doubt);
            }
            return None;
        }
        if balls.doubt < found.depth() {
            return Some(surely(&found, cache));
        }
    }
    if NARROW {
        match V::quickly_nearest(a, b, (error, limit)) {
            QuickAnswer::Beyond(along, thickness) => {
                if let (Some(cache), Some(normal)) = (cache, along.normalized()) {
                    cache.keep_apart(b, normal, thickness - balls.doubt);
                }
                return None;
            }
            QuickAnswer::Apart(found) => {
                if let Some(cache) = cache {
                    cache.keep_apart(b, found.normal, found.separation - found.error - balls.doubt);
                }
                return Some(found);
            }
            QuickAnswer::Overlap => {
                let found = deepest(a, b, (guess.as_ref(), balls.doubt), trace);
                if let Some(found) = found.filter(|found| balls.doubt < found.depth()) {
                    return Some(surely(&found, cache));
                }
            }
            QuickAnswer::Unknown => {}
        }
    }
    let near = gjk::distance(a, b, cache.as_ref().and_then(|cache| cache.warm()), reach, trace);
    if let Some(cache) = cache.as_mut() {
        cache.keep_simplex(near.warm());
        cache.keep_apart(b, near.normal, near.lower - balls.doubt);
    }
    let core = match near.status {
        Status::Separated => return None,
        Status::Closest => apart(&near, true),
        Status::Touching | Status::Overlap => {
            let (deep, memory) = match deepest(a, b, (guess.as_ref(), balls.doubt), trace) {
                Some(found) => (found.penetration(), Some(found.memory())),
                None => (gjk::penetration(a, b, &near.simplex, trace), None),
            };
            if let Some(cache) = cache {
                cache.keep_normal(deep.normal, Last::Overlapping(memory));
            }
            if memory.is_some() && balls.doubt < deep.depth {
                surely_overlapping(&deep)
            } else {
                overlapping(&near, &deep)
            }
        }
    };
    Some(inflated(core, radii, error))
}

/// The axis of the least overlap of polytopes that overlap or touch; without a guess nobody has looked yet whether one rests on a face of the other,
/// by more than doubt.
fn deepest<'a, V: Space + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &'a A,
    b: &'a Posed<B, V>,
    (guess, doubt): (Option<&Guess<V>>, f64),
    trace: &mut impl Trace<V>,
) -> Option<sat::Overlap<'a, A, B, V>> {
    if guess.is_some() {
        return sat::least_overlap(a, b, guess, trace);
    }
    let first = Guess::first(a, b, f64::NEG_INFINITY);
    let landed = first.as_ref().and_then(|guess| sat::landing(a, b, guess, trace));
    let landed = landed.filter(|found| doubt < found.depth());
    landed.or_else(|| sat::least_overlap(a, b, first.as_ref(), trace))
}

/// Of the radii of the balls inside: an overlap along the first faces above this part of them is likely to be one.
/// Where it is not, the axes were looked at in vain; where it is smaller, GJK is. No answer depends on it.
const LIKELY: f64 = 0.125;

/// How polygons relate that are apart by more than rounding.
fn apart_at_side<V: Space + Flats, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    glance: &Glance,
    trace: &mut impl Trace<V>,
) -> Option<Separation<V>> {
    sat::apart_at_side(a, b, glance).or_else(|| {
        let near = gjk::distance_from(a, b, &sat::nearest_side(a, b, glance), f64::INFINITY, trace);
        (near.status == Status::Closest).then(|| apart(&near, true))
    })
}

/// The axis along which polytopes are farthest apart or least deep, and the separation along it. Where there
/// are too many axes to try, that of the distance or depth, which is as good as any of them; also where they
/// seem to touch, since what lies in one plane or on one line can be apart along an axis that is none of
/// a solid.
pub(crate) fn best_axis<V: Space + Flats + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    error: f64,
) -> Option<(f64, V)> {
    let doubt = Balls::of(a, b).doubt;
    if let Some(found) = sat::least_overlap(a, b, None, &mut ())
        && !(0.0..=doubt).contains(&found.depth())
    {
        return Some((0.0 - found.depth(), found.normal()));
    }
    let found = relate_solids(a, b, [0.0; 2], (error, f64::INFINITY), None, &mut ())?;
    Some((found.separation, found.normal))
}

/// Whether polytopes with radii touch: whether [`relate_solids`] gives a separation of at most 0.
pub(crate) fn touch_solids<V: Space + Flats + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    error: f64,
    mut cache: Option<&mut PairCache<V>>,
) -> bool {
    let reach = radii[0] + radii[1];
    let balls = Balls::of(a, b);
    if balls.overlap() {
        return true;
    }
    if balls.are_farther_than(reach) {
        return false;
    }
    if let Some(glance) = V::glance(a, b) {
        if balls.doubt < glance.overlap {
            return true;
        }
        if reach < 0.0 - glance.overlap - balls.doubt {
            return false;
        }
        if glance.overlap < -balls.doubt {
            // With radii around them: what the distance says.
            return relate_solids(a, b, radii, (error, 0.0), None, &mut ())
                .is_some_and(|found| found.separation <= 0.0);
        }
    }
    if let Some(cache) = cache.as_deref_mut() {
        let depth = cache.depth(a, b);
        if balls.doubt < depth {
            return true;
        }
        if reach + balls.doubt < 0.0 - depth {
            return false;
        }
    }
    if let Some((normal, Last::Apart)) = cache.as_ref().and_then(|cache| cache.normal())
        && reach < 0.0 - Guess::along(a, b, normal).overlap - balls.doubt
    {
        return false;
    }
    let near = if let Some(cache) = cache.as_mut() {
        let near = gjk::distance(a, b, cache.warm(), reach, &mut ());
        cache.keep_simplex(near.warm());
        cache.keep_apart(b, near.normal, near.lower - balls.doubt);
        near
    } else {
        match gjk::status_or_distance(a, b, reach, &mut ()) {
            Ok(status) => return status == Status::Overlap,
            Err(near) => near,
        }
    };
    match near.status {
        Status::Separated => false,
        Status::Overlap => true,
        Status::Closest => inflated(apart(&near, true), radii, error).separation <= 0.0,
        // Without the cache, so that it cannot tip the scales.
        Status::Touching => relate_solids(a, b, radii, (error, 0.0), None, &mut ())
            .is_some_and(|found| found.separation <= 0.0),
    }
}

/// The separation that [`relate_solids`] gives and its error; of polytopes that overlap, only its sign.
pub(crate) fn gap_of_solids<const NARROW: bool, V: Space + Flats + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    error: f64,
) -> (f64, f64) {
    let balls = Balls::of(a, b);
    if balls.overlap() {
        return (-error, error);
    }
    if let Some(glance) = V::glance(a, b) {
        let doubt = balls.doubt;
        if doubt < glance.overlap {
            return (-error, error);
        }
        if glance.overlap < -doubt
            && let Some(core) = apart_at_side(a, b, &glance, &mut ())
        {
            return inflated(core, [0.0; 2], error).without_points();
        }
    }
    if NARROW {
        match V::quickly_nearest(a, b, (error, f64::INFINITY)) {
            QuickAnswer::Apart(found) => return found.without_points(),
            QuickAnswer::Overlap => return (-error, error),
            QuickAnswer::Beyond(..) | QuickAnswer::Unknown => {}
        }
    }
    match gjk::status_or_distance(a, b, f64::INFINITY, &mut ()) {
        Ok(Status::Overlap) => (-error, error),
        Err(near) if near.status == Status::Closest => {
            inflated(apart(&near, true), [0.0; 2], error).without_points()
        }
        // In doubt, and then all questions have to agree.
        _ => relate_solids(a, b, [0.0; 2], (error, f64::INFINITY), None, &mut ())
            .unwrap_or(Separation::APART)
            .without_points(),
    }
}

/// Balls inside and around two polytopes, about their centres.
struct Balls {
    distance_squared: f64,
    /// The sums of the radii.
    inner: f64,
    outer: f64,
    /// Either has no inside: then the faces nearest to the centres show an overlap sooner than its depth.
    is_thin: bool,
    /// Where b is a box: the squared distance from it to the centre of a, and the radii of a alone. A box says more
    /// than the balls of a box do.
    from_box: Option<(f64, [f64; 2])>,
    /// More than all rounding errors.
    doubt: f64,
}

impl Balls {
    #[inline]
    fn of<V: Space, A: Solid<V>, B: Solid<V>>(a: &A, b: &Posed<B, V>) -> Self {
        let (inner, outer) = (a.inner_radius(), a.outer_radius());
        let inner_b = b.core().inner_radius();
        let from_box =
            if B::IS_BOX { b.core().distance_squared_from(b.taken_back(a.center())) } else { None };
        Balls {
            distance_squared: (b.center() - a.center()).length_squared(),
            inner: inner + inner_b,
            outer: outer + b.core().outer_radius(),
            is_thin: inner == 0.0 || inner_b == 0.0,
            from_box: from_box.map(|squared| (squared, [inner, outer])),
            doubt: 2.0 * gjk::rounding_error(a, b),
        }
    }
    #[inline]
    fn overlap(&self) -> bool {
        let is_inside = |radius: f64, squared: f64| {
            let sure = radius - self.doubt;
            0.0 < sure && squared < sure * sure
        };
        is_inside(self.inner, self.distance_squared)
            || self.from_box.is_some_and(|(squared, [inner, _])| is_inside(inner, squared))
    }
    /// Whether the centres are farther apart than half way between what the balls inside and around allow.
    #[inline]
    fn seem_apart(&self) -> bool {
        let middle = 0.5 * (self.inner + self.outer);
        middle * middle < self.distance_squared
    }
    #[inline]
    fn are_farther_than(&self, limit: f64) -> bool {
        let is_outside = |radius: f64, squared: f64| {
            let sure = radius + self.doubt + limit;
            sure * sure < squared
        };
        is_outside(self.outer, self.distance_squared)
            || self.from_box.is_some_and(|(squared, [_, outer])| is_outside(outer, squared))
    }
}
