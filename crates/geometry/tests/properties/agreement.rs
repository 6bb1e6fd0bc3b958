//! What must hold for any two shapes and any numbers, however extreme: P1, P4, P6 and P16.
//!
//! Every question is answered or refused by name, all questions agree on whether the shapes touch, bounds
//! are in order, answers are finite, and exchanging the shapes exchanges the answer to the bit. Tests and
//! fuzz targets call the same functions.

use carom_geometry::Error;
use carom_math::{Number, Real, Vector};

/// Kinds for which a question has no answer by nature or not yet.
fn is_refusal(error: &Error) -> bool {
    match error {
        Error::NotFinite { .. } | Error::Overflow { .. } => true,
        Error::UnsupportedPair { first, second, .. } => {
            // Overlapping half-spaces overlap without end.
            let is_endless = |kind: &str| kind == "half_space" || kind == "rounded";
            is_endless(first) && is_endless(second)
        }
        _ => false,
    }
}

/// Zeros have no sign here: −(0) and 0 − 0 differ in nothing but that.
fn numbers<V: Vector>(v: V) -> impl Iterator<Item = u64> {
    (0..V::DIM).map(move |axis| (v.get(axis).to_f64() + 0.0).to_bits())
}

fn same<V: Vector>(a: V, b: V) -> bool {
    numbers(a).eq(numbers(b))
}

fn is_unit<V: Vector>(v: V) -> bool {
    let squared = (0..V::DIM).map(|axis| v.get(axis).to_f64()).fold(0.0, |sum, x| sum + x * x);
    (squared - 1.0).abs() <= 32.0 * V::Scalar::EPSILON.to_f64()
}

macro_rules! agreement {
    ($name:ident, $d:ident, $vector:ident, $pose:ident) => {
        /// The questions of a dimension.
        pub mod $name {
            use super::*;
            use carom_geometry::$d;
            use carom_geometry::{Contact, Distance};
            use carom_math::{$pose, $vector};

            /// A pair as the engine takes it.
            #[derive(Debug)]
            pub struct Pair<T: Real> {
                pub a: $d::Shape<T>,
                pub pa: $pose<T>,
                pub b: $d::Shape<T>,
                pub pb: $pose<T>,
            }

            impl<T: Real> Pair<T> {
                pub fn intersects(&self) -> Result<bool, Error> {
                    $d::intersects(&self.a, self.pa, &self.b, self.pb)
                }
                pub fn distance(&self) -> Result<Distance<$vector<T>>, Error> {
                    $d::distance(&self.a, self.pa, &self.b, self.pb)
                }
                pub fn contact_within(&self, margin: T) -> Result<Option<Contact<$vector<T>>>, Error> {
                    $d::contact_within(&self.a, self.pa, &self.b, self.pb, margin)
                }
                fn swapped(&self) -> Self {
                    Pair { a: self.b.clone(), pa: self.pb, b: self.a.clone(), pb: self.pa }
                }

                /// Nothing tells them apart, whatever they are called: there is one answer for both orders.
                fn is_same_twice(&self) -> bool {
                    // Balls look the same in every turn.
                    self.pa.translation == self.pb.translation
                        && $d::aabb(&self.a, self.pa) == $d::aabb(&self.b, self.pb)
                }

                /// All questions about the pair. Whether it touches, where that is known.
                pub fn check(&self) -> Option<bool> {
                    let touches = self.check_intersects();
                    self.check_distance();
                    self.check_contact();
                    self.check_manifold();
                    touches
                }

                pub fn check_intersects(&self) -> Option<bool> {
                    let (here, there) = (self.intersects(), self.swapped().intersects());
                    match (here, there) {
                        (Ok(here), Ok(there)) => {
                            assert_eq!(here, there, "exchanging changes the decision");
                            Some(here)
                        }
                        (Err(here), Err(there)) => {
                            assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                            None
                        }
                        (here, there) => panic!("answered in one order only: {here:?} {there:?}"),
                    }
                }

                pub fn check_distance(&self) {
                    let (here, there) = match (self.distance(), self.swapped().distance()) {
                        (Ok(here), Ok(there)) => (here, there),
                        (Err(here), Err(there)) => {
                            return assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                        }
                        (here, there) => panic!("answered in one order only: {here:?} {there:?}"),
                    };
                    assert!(here.lower <= here.distance && here.distance <= here.upper, "{here:?}");
                    assert!(
                        here.upper.finite() && here.point_a.finite() && here.point_b.finite(),
                        "{here:?}"
                    );
                    assert!(T::ZERO <= here.lower && is_unit(here.normal), "{here:?}");
                    assert_eq!(
                        (here.distance, here.lower, here.upper),
                        (there.distance, there.lower, there.upper)
                    );
                    if !self.is_same_twice() {
                        assert!(same(here.normal, -there.normal), "{here:?} {there:?}");
                        assert!(same(here.point_a, there.point_b), "{here:?} {there:?}");
                        assert!(same(here.point_b, there.point_a), "{here:?} {there:?}");
                    }
                    let touches = self.intersects().expect("the distance is known");
                    assert_eq!(touches, here.distance == T::ZERO, "{here:?}");
                    let gap = $d::gap(&self.a, self.pa, &self.b, self.pb).expect("the distance is known");
                    assert_eq!(gap.distance, here.distance);
                    if touches {
                        assert!(gap.lower == T::ZERO && T::ZERO <= gap.upper, "{gap:?}");
                    } else {
                        assert_eq!((gap.lower, gap.upper), (here.lower, here.upper));
                    }
                    let within = |limit: T| {
                        let found = $d::distance_within(&self.a, self.pa, &self.b, self.pb, limit);
                        found.expect("the distance is known").map(|found| found.distance)
                    };
                    assert_eq!(within(T::MAX), Some(here.distance));
                    let less = here.lower * T::from_f64(0.5);
                    if T::ZERO < less {
                        assert_eq!(within(less), None, "{here:?}");
                    }
                }

                pub fn check_contact(&self) {
                    let (here, there) =
                        match (self.contact_within(T::ZERO), self.swapped().contact_within(T::ZERO)) {
                            (Ok(here), Ok(there)) => (here, there),
                            (Err(here), Err(there)) => {
                                return assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                            }
                            (here, there) => panic!("answered in one order only: {here:?} {there:?}"),
                        };
                    assert_eq!(here.is_some(), there.is_some());
                    let touches = self.intersects().expect("the contact is known");
                    assert_eq!(here.is_some(), touches);
                    if let (Some(here), Some(there)) = (here, there) {
                        assert!(
                            T::ZERO <= here.depth && here.depth.finite() && is_unit(here.normal),
                            "{here:?}"
                        );
                        assert!(here.point_a.finite() && here.point_b.finite(), "{here:?}");
                        assert_eq!(here.depth, there.depth);
                        if !self.is_same_twice() {
                            assert!(same(here.normal, -there.normal), "{here:?} {there:?}");
                            assert!(same(here.point_a, there.point_b), "{here:?} {there:?}");
                        }
                        if let Ok(apart) = self.distance() {
                            assert!(same(apart.normal, here.normal) && same(apart.point_a, here.point_a));
                        }
                    }
                    // At any margin the answer is the distance, as long as it is in range.
                    if let (Ok(Some(near)), Ok(apart)) = (self.contact_within(T::MAX), self.distance()) {
                        assert_eq!(
                            near.depth.max_of(T::ZERO) > T::ZERO,
                            here.is_some_and(|c| c.depth > T::ZERO)
                        );
                        assert_eq!((T::ZERO - near.depth).max_of(T::ZERO), apart.distance);
                    }
                }

                pub fn check_manifold(&self) {
                    let here = $d::manifold(&self.a, self.pa, &self.b, self.pb);
                    let there = $d::manifold(&self.b, self.pb, &self.a, self.pa);
                    let (here, there) = match (here, there) {
                        (Ok(here), Ok(there)) => (here, there),
                        (Err(here), Err(there)) => {
                            return assert!(is_refusal(&here) && is_refusal(&there), "{here} {there}");
                        }
                        (here, there) => panic!("answered in one order only: {here:?} {there:?}"),
                    };
                    assert_eq!(here.is_some(), there.is_some());
                    if let Ok(touches) = self.intersects() {
                        assert_eq!(here.is_some(), touches);
                    }
                    let (Some(here), Some(there)) = (here, there) else { return };
                    assert!(is_unit(here.normal()), "{here:?}");
                    assert!(!here.points().is_empty(), "{here:?}");
                    assert_eq!(here.points().len(), there.points().len());
                    if !self.is_same_twice() {
                        assert!(same(here.normal(), -there.normal()), "{here:?} {there:?}");
                        for (one, other) in here.points().iter().zip(there.points()) {
                            assert!(
                                same(one.point, other.point) && one.depth == other.depth,
                                "{here:?} {there:?}"
                            );
                            assert_eq!(one.feature, other.feature.swapped());
                        }
                    }
                    if let Ok(Some(contact)) = self.contact_within(T::ZERO) {
                        let deepest =
                            here.points().iter().fold(here.points()[0].depth, |m, p| p.depth.max_of(m));
                        // One may be rounded in another way than the other, by rounding errors of all numbers of the pair.
                        let reach = |shape: &$d::Shape<T>| {
                            $d::aabb(shape, $pose::IDENTITY).map_or(0.0, |bounds| {
                                bounds.min.widen().max_abs().max_of(bounds.max.widen().max_abs())
                            })
                        };
                        let size = (self.pb.translation.widen() - self.pa.translation.widen()).max_abs()
                            + reach(&self.a)
                            + reach(&self.b)
                            + contact.depth.to_f64();
                        let off = (deepest.to_f64() - contact.depth.to_f64()).abs();
                        let ulps = 2.0 * T::EPSILON.to_f64() * contact.depth.to_f64();
                        assert!(off <= ulps + 64.0 * f64::EPSILON * size, "{here:?} {contact:?}");
                    }
                }
            }
        }
    };
}

agreement!(plane, d2, Vec2, Pose2);
agreement!(room, d3, Vec3, Pose3);
