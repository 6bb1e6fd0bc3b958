//! The form of a joint constraint: which parts it has, and where their numbers are.
//!
//! Joints of the same form do the same work, so they can be solved side by side. A constraint has, in this
//! order of rows:
//!
//! ```text
//! impulses    of the point lock, the angular lock and the rows: what is kept from step to step comes first
//! header      inverse masses and inertias, arms, the gap between the anchors, softness
//! pushes      what the impulses along directions have turned each body by, and their sum
//! rows        for each slot that does something: direction, mass, then the numbers of its functions
//! locks       of angles, then of the point: matrix, and for angles the error at the begin of the step
//! ```

use crate::world::dimension::Engine;
use carom_math::Vector;

/// A slot of a constraint: one direction with functions that act along it.
pub(crate) mod slot {
    /// The distance of the anchors.
    pub(crate) const LENGTH: usize = 0;
    /// Along the axes of the first frame.
    pub(crate) const LINEAR: usize = 1;
    /// About its axes.
    pub(crate) const ANGULAR: usize = 4;
    /// The angle between the z axes.
    pub(crate) const CONE: usize = 7;
    /// A sum of the angles of both bodies.
    pub(crate) const GEAR: usize = 8;
    /// A sum of two distances from fixed points.
    pub(crate) const PULLEY: usize = 9;
    pub(crate) const COUNT: usize = 10;
}

/// What acts along the direction of a slot, a bit each.
pub(crate) mod function {
    /// Holds a value: target; one impulse.
    pub(crate) const LOCK: u8 = 1;
    /// Stays within bounds: lower, upper; an impulse for each.
    pub(crate) const LIMIT: u8 = 2;
    /// Seeks a speed: speed, greatest impulse; one impulse.
    pub(crate) const MOTOR: u8 = 4;
    /// A damped spring: target, three factors, greatest impulse; one impulse.
    pub(crate) const SPRING: u8 = 8;
}

const POINT: u64 = 1 << (4 * slot::COUNT);
const TURN: u64 = POINT << 1;
/// Any function of any slot.
const ROWS: u64 = POINT - 1;
/// Any function along a direction through the anchors.
const SLIDES: u64 = (1 << (4 * slot::ANGULAR)) - 1;
/// Any limit of any slot.
const LIMITS: u64 = ROWS / 15 * (function::LIMIT as u64);

/// Which parts a constraint has: four bits of functions for each slot, and two for the locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form(u64);

impl Form {
    /// With functions in a slot.
    pub(crate) fn with(self, slot: usize, functions: u8) -> Self {
        Form(self.0 | u64::from(functions & 15) << (4 * slot))
    }
    /// With a lock of the anchors, in all directions or some.
    pub(crate) fn with_point(self) -> Self {
        Form(self.0 | POINT)
    }
    /// With a lock of angles.
    pub(crate) fn with_turn(self) -> Self {
        Form(self.0 | TURN)
    }
    #[inline(always)]
    pub(crate) fn functions(self, slot: usize) -> u8 {
        (self.0 >> (4 * slot)) as u8 & 15
    }
    #[inline(always)]
    pub(crate) fn has_point(self) -> bool {
        self.0 & POINT != 0
    }
    #[inline(always)]
    pub(crate) fn has_turn(self) -> bool {
        self.0 & TURN != 0
    }
    #[inline(always)]
    pub(crate) fn has_rows(self) -> bool {
        self.0 & ROWS != 0
    }
    #[inline(always)]
    pub(crate) fn has_limits(self) -> bool {
        self.0 & LIMITS != 0
    }
    /// Whether any slot pushes along a direction through the anchors.
    #[inline(always)]
    pub(crate) fn has_slides(self) -> bool {
        self.0 & SLIDES != 0
    }
    /// The rows of pushes.
    #[inline(always)]
    pub(crate) fn push_rows<D: Engine>(self) -> usize {
        // Where only the point is locked its impulse is the sum.
        let sum = if self.has_slides() { D::Vector::DIM } else { 0 };
        if self.has_point() || self.has_slides() { 2 * D::ANGULAR + sum } else { 0 }
    }
    /// Whether there is nothing to solve.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// How many impulses are kept.
    #[inline(always)]
    pub(crate) fn impulse_count<D: Engine>(self) -> usize {
        let locks =
            if self.has_point() { D::Vector::DIM } else { 0 } + if self.has_turn() { D::ANGULAR } else { 0 };
        if !self.has_rows() {
            return locks;
        }
        // Two for a limit, one for anything else.
        let limits = (self.0 & LIMITS).count_ones() as usize;
        locks + limits + (self.0 & ROWS).count_ones() as usize
    }
    /// How many rows a block has.
    pub(crate) fn row_count<D: Engine>(self) -> usize {
        let rows: usize = (0..slot::COUNT).map(|slot| slot_rows::<D>(slot, self.functions(slot))).sum();
        let point = if self.has_point() { D::MATRIX } else { 0 };
        let turn = if self.has_turn() { D::INERTIA + D::ANGULAR } else { 0 };
        self.impulse_count::<D>() + header_rows::<D>() + self.push_rows::<D>() + rows + turn + point
    }
}

/// Masses, inertias, two arms, the gap, three factors.
pub(crate) fn header_rows<D: Engine>() -> usize {
    2 + 2 * D::INERTIA + 3 * D::Vector::DIM + 3
}

/// The rows of the direction of a slot, and where it stood when the step began.
#[inline(always)]
pub(crate) fn direction_rows<D: Engine>(slot: usize) -> usize {
    match slot {
        slot::LENGTH => D::Vector::DIM,
        slot::GEAR => 2 * D::ANGULAR + 1,
        slot::PULLEY => 5 * D::Vector::DIM + 1,
        slot if slot < slot::ANGULAR => D::Vector::DIM,
        _ => D::ANGULAR + 1,
    }
}

/// All rows of a slot without its impulses: direction, mass and its inverse, functions.
fn slot_rows<D: Engine>(slot: usize, functions: u8) -> usize {
    if functions == 0 {
        return 0;
    }
    direction_rows::<D>(slot) + 2 + function_rows(functions)
}

/// The rows of functions.
#[inline(always)]
pub(crate) fn function_rows(functions: u8) -> usize {
    let count = |function: u8, rows: usize| if functions & function != 0 { rows } else { 0 };
    count(function::LOCK, 1)
        + count(function::LIMIT, 2)
        + count(function::MOTOR, 2)
        + count(function::SPRING, 5)
}

/// The most impulses of any form: both locks cannot be whole when all axes have functions, but each axis is
/// either locked or has at most four, and a cone two.
pub(crate) const MOST_IMPULSES: usize = 32;
/// The most rows of any form, rounded up.
pub(crate) const MOST_ROWS: usize = 192;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Plane, Solid};

    #[test]
    fn the_largest_form_fits() {
        let all = function::LIMIT | function::MOTOR | function::SPRING;
        let mut form = Form::default().with_point().with_turn().with(slot::CONE, function::LIMIT);
        for slot in slot::LINEAR..slot::CONE {
            form = form.with(slot, all);
        }
        assert!(form.impulse_count::<Solid>() <= MOST_IMPULSES, "{}", form.impulse_count::<Solid>());
        assert!(form.row_count::<Solid>() <= MOST_ROWS, "{}", form.row_count::<Solid>());
        assert!(form.has_limits() && form.has_rows());
        let hinge = Form::default().with_point();
        assert_eq!((hinge.impulse_count::<Plane>(), hinge.row_count::<Plane>()), (2, 20));
        assert_eq!(hinge.row_count::<Solid>(), 3 + 26 + 6 + 6);
    }
}
