//! First touch by halving intervals of time: a lesson, and a method for two balls.
//!
//! A fast ball can be in front of a thin thing at one moment and behind it at the next. The remedy is to ask
//! about the whole time between. All places of a moving ball during an interval lie in one larger ball:
//!
//! ```text
//! centre: where it is in the middle of the interval,   radius: its own + half of the way that it goes
//! ```
//!
//! If that ball touches nothing, the interval is empty. If it touches something, halve the interval.
//!
//! Where the usual telling goes wrong: it then follows the first half whenever *its* ball touches, and forgets the
//! second. But the larger ball is only an upper bound; the first half may turn out to be empty after all, and
//! then the second has to be searched. So: intervals are searched in the order of time, and only those proven
//! empty are discarded. The halving has no end by itself; an interval of the minimum length that could not be
//! discarded is the answer.
//!
//! Nothing tunnels: every time before the answer was part of an interval proven empty.

use crate::error::{finite_vector, not_negative};
use crate::{Error, scale};
use carom_math::{Interval, Number, Real, Vector, power_of_two};

/// A ball in straight motion over the unit interval of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBall<V: Vector> {
    /// The centre at time 0.
    pub from: V,
    /// The centre at time 1.
    pub to: V,
    /// The radius.
    pub radius: V::Scalar,
}

/// Intervals are not halved further: with more levels, balls that graze each other would be searched for long.
const DEEPEST: u32 = 30;

/// Intervals that are looked at before one that may not be empty is good enough. A hundred is usual; balls that
/// pass each other within the way they go in an interval need about the square root of their number.
const MAX_INTERVALS: u32 = 1 << 20;

/// The interval of time in which two moving balls first touch, found by halving; `None` when they never do.
///
/// They do not touch before the interval. Its length is at most `minimum` (a time, raised to 2⁻³⁰, or more for balls
/// that pass each other so closely that a million intervals do not tell), and the larger
/// balls of the interval touch: the balls themselves do so in the interval, or come closer to each other than the
/// way that they go in it. Balls that touch at the start answer [0, 0].
///
/// This is the method of the module for those who want to see it at work; `cast_shape` has the same answer in
/// closed form.
///
/// # Errors
/// When a number is not finite, or `minimum` or a radius is negative.
///
/// # Example
/// ```
/// use carom_geometry::{MovingBall, bisect_moving_balls};
/// use carom_math::Vec2;
/// // A fast bullet and a small target, long passed at time 1.
/// let bullet = MovingBall { from: Vec2::new(0.0, 0.0), to: Vec2::new(1000.0, 0.0), radius: 0.25 };
/// let target = MovingBall { from: Vec2::new(500.5, 0.0), to: Vec2::new(500.5, 0.0), radius: 0.25 };
/// let touch = bisect_moving_balls(bullet, target, 1e-6)?.expect("no tunnelling");
/// assert!(touch.min <= 0.5 && 0.5 <= touch.max && touch.length() <= 1e-6);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn bisect_moving_balls<V: Vector>(
    a: MovingBall<V>,
    b: MovingBall<V>,
    minimum: V::Scalar,
) -> Result<Option<Interval<V::Scalar>>, Error> {
    let minimum = not_negative("minimum", minimum)?.to_f64().max_of(power_of_two(-(DEEPEST as i32)));
    let (a, b) = (a.checked()?, b.checked()?);
    // Seen from a, only b moves.
    let size = scale::largest([a.from, a.to, b.from, b.to].map(Vector::max_abs));
    let size = scale::largest([size, a.radius, b.radius]);
    let factor = scale::rescaling(size).unwrap_or(1.0);
    let [a_from, a_to, b_from, b_to] = [a.from, a.to, b.from, b.to].map(|point| point * factor);
    let start = b_from - a_from;
    let way = (b_to - b_from) - (a_to - a_from);
    let radius = a.radius * factor + b.radius * factor;
    // Rounding must not prove anything: three roundings of each coordinate, four of a length.
    let slack = 16.0 * f64::EPSILON * (start.length() + 2.0 * way.length() + radius + size * factor);
    let touches = |from: f64, length: f64| {
        let middle = start + way * (from + 0.5 * length);
        middle.length() <= radius + 0.5 * length * way.length() + slack
    };
    if start.length() <= radius {
        return Ok(Some(Interval::point(V::Scalar::ZERO)));
    }

    // The interval is [index, index + 1] / 2^level.
    let (mut index, mut level) = (0_u64, 0_u32);
    let ends = |from: f64, length: f64| {
        Interval::new(V::Scalar::from_f64_down(from), V::Scalar::from_f64_up(from + length))
    };
    for _ in 0..MAX_INTERVALS {
        let length = power_of_two(-(level as i32));
        let from = index as f64 * length;
        if touches(from, length) {
            if length <= minimum {
                return Ok(Some(ends(from, length)));
            }
            (index, level) = (2 * index, level + 1); // the first half
            continue;
        }
        // Empty. The next interval in time begins where this one ends, and is as long as possible: after a
        // second half, that of its parent.
        index += 1;
        while level > 0 && index % 2 == 0 {
            (index, level) = (index / 2, level - 1);
        }
        if level == 0 {
            return Ok(None);
        }
    }
    let length = power_of_two(-(level as i32));
    Ok(Some(ends(index as f64 * length, length)))
}

impl<V: Vector> MovingBall<V> {
    fn checked(self) -> Result<MovingBall<V::Wide>, Error> {
        Ok(MovingBall {
            from: finite_vector("from", self.from)?.widen(),
            to: finite_vector("to", self.to)?.widen(),
            radius: not_negative("radius", self.radius)?.to_f64(),
        })
    }
}
