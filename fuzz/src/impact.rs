//! First touches of turning shapes: what any answer must satisfy, by asking about the shapes at single times.
//!
//! Nothing overlaps before `lower`, nothing is far apart when it is said to touch, the bracket is in order, and either
//! order of the shapes has the same times. A pose at a time is rounded where `time_of_impact` bounds it, so that an
//! overlap counts when it is deeper than that.

use crate::Bytes;
use crate::composite::rounding;
use carom_geometry::{Error, ImpactOptions, ImpactStatus, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Real, Vec2, Vec3, Vector};

fn is_refusal(error: &Error) -> bool {
    matches!(
        error,
        Error::NotFinite { .. }
            | Error::Negative { .. }
            | Error::EmptyInterval { .. }
            | Error::Overflow { .. }
            | Error::UnsupportedPair { .. }
    )
}

fn options<T: Real>(bytes: &mut Bytes<'_>) -> ImpactOptions<T> {
    let mut options = ImpactOptions { max_steps: 16 << bytes.below(6), ..ImpactOptions::default() };
    if bytes.below(4) == 0 {
        options.tolerance = T::from_f64(bytes.number());
    }
    if bytes.below(4) == 0 {
        (options.start, options.end) = (T::from_f64(bytes.number()), T::from_f64(bytes.number()));
    }
    options
}

macro_rules! impact {
    ($name:ident, $d:ident, $vector:ident, $pose:ident, $motion:ident, $spin:ident, $rate:ident) => {
        /// Questions of this dimension, from bytes.
        pub mod $name {
            use super::*;

            /// Two shapes, how they move, and when somebody looks.
            #[derive(Debug)]
            struct Chase<T: Real> {
                shapes: [$d::Shape<T>; 2],
                motions: [$motion<T>; 2],
                options: ImpactOptions<T>,
            }

            pub fn impact<T: Real>(bytes: &mut Bytes<'_>) -> Option<()> {
                let crate::$name::Pair { a, pa, b, pb } = crate::$name::pair::<T>(bytes)?;
                let mut motion =
                    |pose| $motion::from_velocity(pose, crate::$name::vector::<T>(bytes), $spin::<T>(bytes));
                let motions = [motion(pa), motion(pb)];
                let chase = Chase { shapes: [a, b], motions, options: options(bytes) };
                chase.check();
                Some(())
            }

            impl<T: Real> Chase<T> {
                fn check(&self) {
                    let ([a, b], [motion_a, motion_b]) = (&self.shapes, self.motions);
                    let here = $d::time_of_impact(a, motion_a, b, motion_b, self.options);
                    let there = $d::time_of_impact(b, motion_b, a, motion_a, self.options);
                    let (found, swapped) = match (here, there) {
                        (Ok(here), Ok(there)) => (here, there),
                        (Err(here), Err(there)) => {
                            return assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                        }
                        (here, there) => panic!("answered in one order only: {here:?} {there:?} {self:?}"),
                    };
                    let times = |hit: carom_geometry::Impact<$vector<T>>| {
                        (hit.t, hit.lower, hit.tolerance, hit.status)
                    };
                    assert_eq!(found.map(times), swapped.map(times), "{self:?}");
                    let ImpactOptions { start, end, .. } = self.options;
                    let Some(hit) = found else { return self.check_clear(end) };
                    assert!(start <= hit.lower && hit.lower <= hit.t && hit.t <= end, "{hit:?} {self:?}");
                    let is_unit =
                        (Vector::length(hit.normal.widen()) - 1.0).abs() <= 32.0 * T::EPSILON.to_f64();
                    assert!(hit.point.finite() && is_unit, "{hit:?} {self:?}");
                    match hit.status {
                        ImpactStatus::AtStart => assert!(hit.lower == start && hit.t == start, "{hit:?}"),
                        _ => self.check_clear(hit.lower),
                    }
                    if hit.status != ImpactStatus::Limit {
                        let late = hit.t.to_f64() - hit.lower.to_f64();
                        assert!(late <= hit.tolerance.to_f64() * (1.0 + 1e-6), "{hit:?} {self:?}");
                        self.check_near(hit.t, hit.tolerance.to_f64());
                    }
                }

                /// Nothing overlaps before this time.
                fn check_clear(&self, until: T) {
                    let ([a, b], [motion_a, motion_b]) = (&self.shapes, self.motions);
                    let (start, slack) = (self.options.start, rounding::<T>() * self.size());
                    for step in 0..8 {
                        let t = start + (until - start) * T::from_f64(f64::from(step) / 8.0);
                        let touch = $d::contact(a, motion_a.at(t), b, motion_b.at(t));
                        let Ok(Some(touch)) = touch else { continue };
                        let is_shallow = touch.depth.to_f64() <= slack;
                        assert!(is_shallow || until <= t, "{t:?} of {until:?}: {touch:?} {self:?}");
                    }
                }

                /// What touches within a tolerance of a time is not far apart then.
                fn check_near(&self, t: T, tolerance: f64) {
                    let ([a, b], [motion_a, motion_b]) = (&self.shapes, self.motions);
                    let Ok(gap) = $d::gap(a, motion_a.at(t), b, motion_b.at(t)) else { return };
                    let most = rounding::<T>() * self.size() + self.speed() * tolerance;
                    let is_near = gap.lower.to_f64() <= most || !most.is_finite();
                    assert!(is_near, "{t:?} {gap:?} {most} {self:?}");
                }

                /// All lengths and ways that take part; the rounding of an angle is felt at the end of an arm.
                fn size(&self) -> f64 {
                    let latest = self.latest();
                    let way = |motion: $motion<T>| {
                        motion.start().translation.widen().max_abs()
                            + motion.velocity().widen().max_abs() * latest
                    };
                    let lengths = self.reach() + self.motions.map(way).iter().sum::<f64>();
                    lengths * (1.0 + self.rate() * latest)
                }

                /// No point of either shape comes closer to the other faster than this.
                fn speed(&self) -> f64 {
                    let straight = self.motions.map(|motion| motion.velocity().widen().max_abs());
                    // The plane of a half-space sweeps as far out as the other shape is.
                    2.0 * straight.iter().sum::<f64>() + 2.0 * self.rate() * self.size()
                }

                fn latest(&self) -> f64 {
                    self.options.start.to_f64().abs().max(self.options.end.to_f64().abs())
                }

                fn rate(&self) -> f64 {
                    self.motions.map(|motion| $rate(motion.widen().angular())).iter().sum()
                }

                /// How far the shapes reach from their origins, and how far from them half-spaces begin.
                fn reach(&self) -> f64 {
                    let of = |shape: &$d::Shape<T>| {
                        let bounds = $d::aabb(shape, $pose::IDENTITY);
                        let reach = bounds.map_or(f64::INFINITY, |bounds| {
                            bounds.min.widen().max_abs().max(bounds.max.widen().max_abs())
                        });
                        let origin = $d::closest_point(shape, $pose::IDENTITY, $vector::ZERO);
                        let near = origin.map_or(0.0, |near| near.distance.to_f64().abs());
                        2.0 * if reach.is_finite() { reach } else { near }
                    };
                    self.shapes.iter().map(of).sum()
                }
            }
        }
    };
}

impact!(plane, d2, Vec2, Pose2, Motion2, spin2, rate2);
impact!(room, d3, Vec3, Pose3, Motion3, spin3, rate3);

fn spin2<T: Real>(bytes: &mut Bytes<'_>) -> T {
    T::from_f64(bytes.number())
}

fn spin3<T: Real>(bytes: &mut Bytes<'_>) -> Vec3<T> {
    crate::room::vector(bytes)
}

fn rate2(spin: f64) -> f64 {
    spin.abs()
}

fn rate3(spin: Vec3<f64>) -> f64 {
    Vector::length(spin)
}
