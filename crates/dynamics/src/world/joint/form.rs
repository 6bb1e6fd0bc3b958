//! The form of a joint constraint: which parts it has, and where their numbers are.
//!
//! Joints of the same form do the same work, so they can be solved side by side. A constraint has, in this
//! order of rows:
//!
//! ```text
//! impulses    of the point lock, the angular lock and the rows: what is kept from step to step comes first
//! header      inverse masses and inertias, arms, the gap between the anchors, softness where it is its own
//! now         arms, gap, relative turn and inertias as the bodies stand in this sub-step
//! pushes      what the impulses along directions have turned each body by, and their sum: moments, where inertias turn
//!             angular velocities
//! rows        for each slot that does something: direction, mass, then the numbers of its functions
//! locks       of angles, then of the point: matrix, and for angles the error at the begin of the step; of a point that is
//!             locked along some axes only these, two of them, and the mass along them
//! load        of what can break, the squares of the largest force and torque impulses of the sub-steps
//! anchors     in the frames of the bodies, from the centres of mass, and where an angle is found in lanes the turn from
//!             frame to frame at which it is 0: no pass looks at them
//! ```
//!
//! Impulses, softness, the numbers of functions and anchors stay from step to step; the rest is found anew in each.

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
/// The point is locked along some axes only.
const PART: u64 = POINT << 2;
const SOFT: u64 = POINT << 3;
/// It can break, and keeps the largest load of a step.
const BREAKS: u64 = POINT << 4;
/// Any function of any slot.
const ROWS: u64 = POINT - 1;
/// Any function about the first axis.
const ANGLE: u64 = 15 << (4 * slot::ANGULAR);
/// Any function along a direction through the anchors.
const SLIDES: u64 = (1 << (4 * slot::ANGULAR)) - 1;
/// Any function of what depends on both bodies by themselves, not on how they stand to each other.
const APART: u64 = 15 << (4 * slot::GEAR) | 15 << (4 * slot::PULLEY);
/// Any limit of any slot.
const LIMITS: u64 = ROWS / 15 * (function::LIMIT as u64);

/// Which parts a constraint has: four bits of functions for each slot, and a few for the locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Form(u64);

impl Form {
    /// With functions in a slot.
    pub(crate) fn with(self, slot: usize, functions: u8) -> Self {
        Form(self.0 | u64::from(functions & 15) << (4 * slot))
    }
    /// With a lock of the anchors, in all directions or some.
    pub(crate) fn with_point(self, is_whole: bool) -> Self {
        Form(self.0 | POINT | if is_whole { 0 } else { PART })
    }
    /// With a softness of its own, if it has parts at all.
    pub(crate) fn with_softness(self) -> Self {
        if self.is_empty() { self } else { Form(self.0 | SOFT) }
    }
    /// With a note of the largest load, if it has parts at all.
    pub(crate) fn with_breaking(self) -> Self {
        if self.is_empty() { self } else { Form(self.0 | BREAKS) }
    }
    #[inline(always)]
    pub(crate) fn breaks(self) -> bool {
        self.0 & BREAKS != 0
    }
    /// The rows of the largest load.
    #[inline(always)]
    pub(crate) fn load_rows(self) -> usize {
        if self.breaks() { 2 } else { 0 }
    }
    /// Whether the impulses of one mean the same in the other.
    pub(crate) fn has_impulses_of(self, other: Self) -> bool {
        (self.0 ^ other.0) & (ROWS | POINT | TURN) == 0
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
    /// Whether the point is locked in all directions.
    #[inline(always)]
    pub(crate) fn has_whole_point(self) -> bool {
        self.0 & (POINT | PART) == POINT
    }
    #[inline(always)]
    pub(crate) fn is_soft(self) -> bool {
        self.0 & SOFT != 0
    }
    /// Whether all of it is found in lanes: a point and, in the plane, what acts about its one axis.
    #[inline(always)]
    pub(crate) fn is_plain<D: Engine>(self) -> bool {
        let angle = if D::ANGULAR == 1 { ANGLE } else { 0 };
        self.0 & !(SOFT | BREAKS | angle) == POINT
    }
    /// Whether an angle is found in lanes.
    #[inline(always)]
    pub(crate) fn has_lane_angle<D: Engine>(self) -> bool {
        self.is_plain::<D>() && self.0 & ANGLE != 0
    }
    /// The rows of anchors, and of the turn at which an angle is 0.
    #[inline(always)]
    pub(crate) fn anchor_rows<D: Engine>(self) -> usize {
        2 * D::Vector::DIM + if self.has_lane_angle::<D>() { 2 } else { 0 }
    }
    #[inline(always)]
    pub(crate) fn has_turn(self) -> bool {
        self.0 & TURN != 0
    }
    #[inline(always)]
    pub(crate) fn has_rows(self) -> bool {
        self.0 & ROWS != 0
    }
    /// Whether a gear or a pulley is among them.
    #[inline(always)]
    pub(crate) fn has_motions_apart(self) -> bool {
        self.0 & APART != 0
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
        let point = match (self.has_point(), self.has_whole_point()) {
            (true, true) => D::MATRIX,
            (true, false) => 2 * D::Vector::DIM + 3,
            _ => 0,
        };
        let turn = if self.has_turn() { D::INERTIA + D::ANGULAR } else { 0 };
        self.begin::<D>() + rows + turn + point + self.load_rows() + self.anchor_rows::<D>()
    }
    /// Where the rows of slots begin.
    #[inline(always)]
    pub(crate) fn begin<D: Engine>(self) -> usize {
        self.impulse_count::<D>() + self.header_rows::<D>() + self.now_rows::<D>() + self.push_rows::<D>()
    }
    /// Whether the relative turn of the bodies matters.
    #[inline(always)]
    pub(crate) fn is_turned(self) -> bool {
        self.has_turn() || self.has_rows()
    }
    /// Whether the inertias turn with the bodies within a step: in space, where nothing but a point is locked. What is locked
    /// about axes too turns about one at most, or has directions that stay as well.
    #[inline(always)]
    pub(crate) fn has_turning_inertias<D: Engine>(self) -> bool {
        D::ANGULAR == 3 && self.is_plain::<D>()
    }
    /// Arms, gap, relative turn, inertias that turn.
    #[inline(always)]
    pub(crate) fn now_rows<D: Engine>(self) -> usize {
        let inertias = if self.has_turning_inertias::<D>() { 2 * D::INERTIA } else { 0 };
        3 * D::Vector::DIM + if self.is_turned() { D::ANGULAR } else { 0 } + inertias
    }
    /// Masses, inertias, two arms, the gap, three factors of softness.
    #[inline(always)]
    pub(crate) fn header_rows<D: Engine>(self) -> usize {
        2 + 2 * D::INERTIA + 3 * D::Vector::DIM + if self.is_soft() { 3 } else { 0 }
    }
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
#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Plane, Solid};

    #[test]
    fn the_largest_form_fits() {
        let all = function::LIMIT | function::MOTOR | function::SPRING;
        let mut form = Form::default().with_point(false).with_turn().with(slot::CONE, function::LIMIT);
        for slot in slot::LINEAR..slot::CONE {
            form = form.with(slot, all);
        }
        assert!(form.impulse_count::<Solid>() <= MOST_IMPULSES, "{}", form.impulse_count::<Solid>());
        assert!(form.is_turned() && form.has_rows() && !form.has_whole_point());
        let hinge = Form::default().with_point(true);
        assert_eq!((hinge.impulse_count::<Plane>(), hinge.row_count::<Plane>()), (2, 17 + 6 + 4));
        assert_eq!(hinge.row_count::<Solid>(), 3 + 23 + 9 + 12 + 6 + 6 + 6);
        let soft = hinge.with_softness();
        assert_eq!(soft.row_count::<Plane>(), 20 + 6 + 4);
        assert!(hinge.is_plain::<Plane>() && soft.is_plain::<Plane>() && soft.has_impulses_of(hinge));
        let elbow = hinge.with(slot::ANGULAR, function::LIMIT);
        assert!(elbow.has_lane_angle::<Plane>() && !elbow.is_plain::<Solid>());
        assert!(Form::default().with_softness().is_empty());
    }
}
