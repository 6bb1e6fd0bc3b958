//! The joint kernel: one pass over a block of joints of one form, in both dimensions.
//!
//! A point that is locked in all directions is pushed half way between the two anchors. There the relative velocity of
//! the bodies is the derivative of the gap C = p_b − p_a as a frame sees it that turns half with either:
//!
//! ```text
//! dC/dt − ½(ω_a + ω_b) × C = v_b + ω_b × (r_b − ½C) − v_a − ω_a × (r_a + ½C)
//! ```
//!
//! Other forms have directions that turn with the first body. As that one sees it, as it stood when the step began, the
//! gap is R_aᵀ(p_b − c_a) − r_a, where R_a is its turn since then, and the derivative along such a direction is the
//! relative velocity *at the point b*, so both are pushed there. Either way they are pushed at one point, whatever the gap:
//! no joint changes linear or angular momentum, unless it pulls so hard that its bodies count as heavier to turn (see `braced` in `prepare`). (Pushing each at its own anchor does; pushing hinges at b makes the
//! gaps of a bridge that falls half as wide again.)
//!
//! Arms move with the bodies within a step: with arms that stay behind, a pendulum of 2 m that swings down from the
//! horizontal leaves its pivot by 3 mm. So does the mass of a point and of whatever pushes through the anchors. A disc that hangs by its edge yields four times as much
//! across its arm as along it; with the mass of an arm that has turned by 45° since, a pass overshoots by more than a
//! factor of two, and nets of discs burst, and a pendulum on a rail that whips through the vertical gains energy without bounds. Directions are those of the begin of the step. Where bodies
//! stand is found once in a sub-step, by the relaxing pass right after they have moved, and kept for the next one.
//!
//! A sub-step starts with the velocities that the impulses of the last one gave (see `advance_velocity`), and
//! those were given at the arms of that time. What the arms of now would have given is made up for first;
//! otherwise whatever spins would gain spin. So would what tumbles about a point in space, if its inertia stayed behind: a box of
//! three different sides that spins about a corner at 5 rad/s had four times its energy after 80 s. There inertias turn with the bodies too.
//!
//! Locks of several directions are solved at once: M is the inverse of their block on the subspace that they
//! span, as a matrix over the world, so that all subsets of axes are one code. Soft factors as in `soft`; rows
//! come before locks, angles before the point, so that what holds the joint together has the last word.

use super::form::{Form, direction_rows, function, function_rows, slot};
use super::mass::{inverse_of_two, inverse_pivot};
use crate::world::dimension::{Engine, Lanewise};
use crate::world::solver::block::Block;
use crate::world::solver::soft::StepFactors;
use crate::world::solver::wide::{Quad, Wide};
use carom_math::Vector;
use core::cell::Cell;

/// Applies the impulses of the last step.
pub(crate) const WARM_START: u8 = 0;
/// With the springs that close gaps.
pub(crate) const SOLVE: u8 = 1;
/// Without them.
pub(crate) const RELAX: u8 = 2;

/// The velocities of both bodies.
type Velocities<D, T> = (<D as Lanewise>::LaneVector<T>, <D as Lanewise>::LaneAngular<T>);

/// What every part needs.
struct Header<D: Engine, T: Wide> {
    mass_a: T,
    mass_b: T,
    inertia_a: D::LaneInertia<T>,
    inertia_b: D::LaneInertia<T>,
    /// From the centres to where the bodies are pushed.
    arm_a: D::LaneVector<T>,
    arm_b: D::LaneVector<T>,
}

impl<D: Engine, T: Wide> Header<D, T> {
    /// Pushes both bodies at one point.
    #[inline(always)]
    fn push(&self, a: &mut Velocities<D, T>, b: &mut Velocities<D, T>, impulse: D::LaneVector<T>) {
        a.0 = a.0 - impulse * self.mass_a;
        b.0 = b.0 + impulse * self.mass_b;
        self.turn(a, b, D::lane_moment(self.arm_a, impulse), D::lane_moment(self.arm_b, impulse));
    }
    /// The moments of a push, or the angular velocities that it gives.
    #[inline(always)]
    fn turned_by(&self, is_velocity: bool, push: D::LaneVector<T>) -> (D::LaneAngular<T>, D::LaneAngular<T>) {
        let moments = (D::lane_moment(self.arm_a, push), D::lane_moment(self.arm_b, push));
        if !is_velocity {
            return moments;
        }
        (D::lane_inertia_times(self.inertia_a, moments.0), D::lane_inertia_times(self.inertia_b, moments.1))
    }
    /// How much both yield along a direction.
    #[inline(always)]
    fn yielding(&self, along: &Direction<D, T>) -> T {
        let by_turning =
            |inertia, angular| D::lane_angular_dot(angular, D::lane_inertia_times(inertia, angular));
        D::lane_dot(along.linear_a, along.linear_a) * self.mass_a
            + D::lane_dot(along.linear_b, along.linear_b) * self.mass_b
            + by_turning(self.inertia_a, along.angular_a)
            + by_turning(self.inertia_b, along.angular_b)
    }
    /// Turns both bodies against each other.
    #[inline(always)]
    fn turn(
        &self,
        a: &mut Velocities<D, T>,
        b: &mut Velocities<D, T>,
        impulse_a: D::LaneAngular<T>,
        impulse_b: D::LaneAngular<T>,
    ) {
        a.1 = a.1 - D::lane_inertia_times(self.inertia_a, impulse_a);
        b.1 = b.1 + D::lane_inertia_times(self.inertia_b, impulse_b);
    }
}

/// The mass of a locked point.
enum PointMass<D: Engine, T: Wide> {
    /// Locked in all directions.
    Whole(D::LaneMatrix<T>),
    /// Along two axes, of which the second may be zero; and the mass along them, as [`inverse_of_two`] gives it.
    Along([D::LaneVector<T>; 2], [T; 3]),
}

impl<D: Engine, T: Wide> PointMass<D, T> {
    #[inline(always)]
    fn at(token: T::Token, block: &Block<'_, T>, row: usize, form: Form) -> Self {
        if form.has_whole_point() {
            return PointMass::Whole(D::matrix_at(token, block, row));
        }
        let dimension = D::Vector::DIM;
        let axes = [D::vector_at(token, block, row), D::vector_at(token, block, row + dimension)];
        let mass = row + 2 * dimension;
        PointMass::Along(axes, [0, 1, 2].map(|entry| block.get(token, mass + entry)))
    }
    /// The same point where the bodies stand now.
    #[inline(always)]
    fn renewed(self, header: &Header<D, T>) -> Self {
        match self {
            PointMass::Whole(_) => {
                let (a, b) = ((header.inertia_a, header.arm_a), (header.inertia_b, header.arm_b));
                PointMass::Whole(D::point_mass(header.mass_a + header.mass_b, a, b))
            }
            PointMass::Along(axes, _) => {
                let moments =
                    axes.map(|axis| [D::lane_moment(header.arm_a, axis), D::lane_moment(header.arm_b, axis)]);
                let yielding = |i: usize, j: usize| {
                    let [by_a, by_b] = moments[j];
                    (header.mass_a + header.mass_b) * D::lane_dot(axes[i], axes[j])
                        + D::lane_angular_dot(moments[i][0], D::lane_inertia_times(header.inertia_a, by_a))
                        + D::lane_angular_dot(moments[i][1], D::lane_inertia_times(header.inertia_b, by_b))
                };
                PointMass::Along(axes, inverse_of_two([yielding(0, 0), yielding(1, 1), yielding(0, 1)]))
            }
        }
    }
    #[inline(always)]
    fn put(&self, block: &mut Block<'_, T>, row: usize) {
        match self {
            PointMass::Whole(matrix) => D::put_matrix(block, row, *matrix),
            PointMass::Along(_, mass) => {
                let first = row + 2 * D::Vector::DIM;
                (0..3).for_each(|entry| block.set(first + entry, mass[entry]));
            }
        }
    }
    #[inline(always)]
    fn times(&self, v: D::LaneVector<T>) -> D::LaneVector<T> {
        match self {
            PointMass::Whole(matrix) => D::matrix_times(*matrix, v),
            PointMass::Along([x, y], [xx, yy, xy]) => {
                let (along_x, along_y) = (D::lane_dot(*x, v), D::lane_dot(*y, v));
                *x * (*xx * along_x + *xy * along_y) + *y * (*xy * along_x + *yy * along_y)
            }
        }
    }
}

/// How the bodies stand now.
struct Standing<D: Engine, T: Wide> {
    /// From the first anchor to the second, as seen from the first body.
    gap: D::LaneVector<T>,
    /// How the second body has turned, likewise.
    turn: D::LaneAngular<T>,
    travel_a: D::LaneVector<T>,
    travel_b: D::LaneVector<T>,
    turn_a: D::LaneTurn<T>,
    turn_b: D::LaneTurn<T>,
}

/// A direction: how it changes with the velocities, and the value it has.
struct Direction<D: Engine, T: Wide> {
    linear_a: D::LaneVector<T>,
    linear_b: D::LaneVector<T>,
    angular_a: D::LaneAngular<T>,
    angular_b: D::LaneAngular<T>,
    value: T,
}

/// One pass over a block.
#[inline(always)]
pub(crate) fn pass<D: Engine, T: Wide, const MODE: u8>(
    token: T::Token,
    block: &mut Block<'_, T>,
    form: Form,
    states: &[Cell<Quad>],
    step: &StepFactors,
) {
    let dimension = D::Vector::DIM;
    let mut impulse = 0;
    let mut row = form.impulse_count::<D>();
    let point_impulse = impulse;
    impulse += if form.has_point() { dimension } else { 0 };
    let turn_impulse = impulse;
    impulse += if form.has_turn() { D::ANGULAR } else { 0 };

    let arm_row = row + 2 + 2 * D::INERTIA;
    let now_row = row + form.header_rows::<D>();
    let arms = if MODE == RELAX { arm_row } else { now_row };
    let turns = form.has_turning_inertias::<D>();
    let inertias_now = now_row + 3 * dimension;
    let inertias = if turns && MODE != RELAX { inertias_now } else { row + 2 };
    let mut header = Header::<D, T> {
        mass_a: block.get(token, row),
        mass_b: block.get(token, row + 1),
        inertia_a: D::inertia_at(token, block, inertias),
        inertia_b: D::inertia_at(token, block, inertias + D::INERTIA),
        arm_a: D::vector_at(token, block, arms),
        arm_b: D::vector_at(token, block, arms + dimension),
    };
    let [bias_rate, mass_scale, impulse_scale] = step.joint;
    let mut soft = [T::splat(token, bias_rate), T::splat(token, mass_scale), T::splat(token, impulse_scale)];
    if form.is_soft() {
        let at = now_row - 3;
        soft = [block.get(token, at), block.get(token, at + 1), block.get(token, at + 2)];
    }
    let [bias_rate, mass_scale, impulse_scale] = soft;
    let push_row = now_row + form.now_rows::<D>();
    row = push_row;
    row += form.push_rows::<D>();
    let has_pushes = push_row < row;
    let sum_row = if form.has_slides() { push_row + 2 * D::ANGULAR } else { point_impulse };

    let mut a = D::gather_velocities(token, block, states, 0);
    let mut b = D::gather_velocities(token, block, states, 1);
    // Nobody looks at what is not set.
    let still = D::no_turn(token);
    let mut standing =
        Standing::<D, T> { gap: a.0, turn: a.1, travel_a: a.0, travel_b: a.0, turn_a: still, turn_b: still };
    if MODE == RELAX || (MODE == SOLVE && form.has_motions_apart()) {
        (standing.travel_a, standing.turn_a) = D::gather_motion(token, block, states, 0);
        (standing.travel_b, standing.turn_b) = D::gather_motion(token, block, states, 1);
    }
    let (gap_row, turn_row) = (now_row + 2 * dimension, now_row + 3 * dimension);
    if MODE == SOLVE {
        standing.gap = D::vector_at(token, block, gap_row);
        if form.is_turned() {
            standing.turn = D::angular_at(token, block, turn_row);
        }
    }
    if MODE == RELAX {
        let turned = D::turned(standing.turn_b, header.arm_b);
        let moved = (standing.travel_b - standing.travel_a) + turned;
        let gap = D::vector_at(token, block, arm_row + 2 * dimension);
        if form.has_whole_point() {
            let turned_a = D::turned(standing.turn_a, header.arm_a);
            standing.gap = gap + (moved - turned_a);
            let half = standing.gap * T::splat(token, 0.5);
            header.arm_a = header.arm_a + turned_a + half;
            header.arm_b = header.arm_b + turned - half;
        } else {
            header.arm_a = header.arm_a + moved;
            header.arm_b = header.arm_b + turned;
            let back = D::turned(D::inverse_turn(standing.turn_a), header.arm_a);
            standing.gap = gap + (moved + back);
        }
        D::put_vector(block, now_row, header.arm_a);
        D::put_vector(block, now_row + dimension, header.arm_b);
        D::put_vector(block, gap_row, standing.gap);
        if turns {
            header.inertia_a = D::inertia_turned(standing.turn_a, header.inertia_a);
            header.inertia_b = D::inertia_turned(standing.turn_b, header.inertia_b);
            D::put_inertia(block, inertias_now, header.inertia_a);
            D::put_inertia(block, inertias_now + D::INERTIA, header.inertia_b);
        }
        if form.is_turned() {
            standing.turn = D::lane_rotation_vector(D::relative_turn(standing.turn_a, standing.turn_b));
            D::put_angular(block, turn_row, standing.turn);
        }
    }

    let mut pushed = D::zero_vector(token);
    let mut turned = (D::zero_angular(token), D::zero_angular(token));
    if MODE != WARM_START && has_pushes {
        turned = (D::angular_at(token, block, push_row), D::angular_at(token, block, push_row + D::ANGULAR));
        if MODE == SOLVE {
            let sum = D::vector_at(token, block, sum_row);
            let now = header.turned_by(turns, sum);
            if turns {
                a.1 = a.1 - (now.0 - turned.0);
                b.1 = b.1 + (now.1 - turned.1);
            } else {
                header.turn(&mut a, &mut b, now.0 - turned.0, now.1 - turned.1);
            }
            turned = now;
        }
    }

    if form.has_rows() {
        for slot in 0..slot::COUNT {
            let functions = form.functions(slot);
            if functions == 0 {
                continue;
            }
            let direction = direction::<D, T>(token, block, slot, row, &header, &standing);
            row += direction_rows::<D>(slot);
            if MODE == RELAX && !(slot::ANGULAR..=slot::GEAR).contains(&slot) {
                let yielding = header.yielding(&direction);
                block.set(row, inverse_pivot(yielding, yielding));
                block.set(row + 1, yielding);
            }
            let speed = (D::lane_dot(direction.linear_b, b.0)
                + D::lane_angular_dot(direction.angular_b, b.1))
                - (D::lane_dot(direction.linear_a, a.0) + D::lane_angular_dot(direction.angular_a, a.1));
            let at = Place { row, impulse };
            let change =
                functions_of::<T, MODE>(token, block, functions, at, soft, direction.value, speed, step);
            row += 2 + function_rows(functions);
            impulse += (functions.count_ones() + (functions & function::LIMIT).count_ones()) as usize;
            if !(slot::ANGULAR..=slot::GEAR).contains(&slot) {
                a.0 = a.0 - direction.linear_a * (change * header.mass_a);
                b.0 = b.0 + direction.linear_b * (change * header.mass_b);
            }
            if slot < slot::ANGULAR {
                pushed = pushed + direction.linear_b * change;
            }
            header.turn(&mut a, &mut b, direction.angular_a * change, direction.angular_b * change);
        }
    }

    if form.has_turn() {
        let mass = D::inertia_at(token, block, row);
        let old = D::angular_at(token, block, turn_impulse);
        let change = match MODE {
            WARM_START => old,
            SOLVE => {
                let error = D::angular_at(token, block, row + D::INERTIA) + standing.turn;
                let speed = (a.1 - b.1) * mass_scale - error * (mass_scale * bias_rate);
                D::lane_inertia_times(mass, speed) - old * impulse_scale
            }
            _ => D::lane_inertia_times(mass, a.1 - b.1),
        };
        row += D::INERTIA + D::ANGULAR;
        if MODE != WARM_START {
            D::put_angular(block, turn_impulse, old + change);
        }
        header.turn(&mut a, &mut b, change, change);
    }

    if form.has_point() {
        let mut mass = PointMass::<D, T>::at(token, block, row, form);
        if MODE == RELAX {
            mass = mass.renewed(&header);
            mass.put(block, row);
        }
        let old = D::vector_at(token, block, point_impulse);
        let at_a = a.0 + D::lane_spin(a.1, header.arm_a);
        let at_b = b.0 + D::lane_spin(b.1, header.arm_b);
        let change = match MODE {
            WARM_START => old,
            SOLVE => {
                let speed = (at_a - at_b) * mass_scale - standing.gap * (mass_scale * bias_rate);
                mass.times(speed) - old * impulse_scale
            }
            _ => mass.times(at_a - at_b),
        };
        if MODE != WARM_START {
            D::put_vector(block, point_impulse, old + change);
        }
        header.push(&mut a, &mut b, change);
        pushed = pushed + change;
    }
    if has_pushes {
        let now = header.turned_by(turns, pushed);
        D::put_angular(block, push_row, turned.0 + now.0);
        D::put_angular(block, push_row + D::ANGULAR, turned.1 + now.1);
        if form.has_slides() {
            let sum = if MODE == WARM_START { pushed } else { D::vector_at(token, block, sum_row) + pushed };
            D::put_vector(block, sum_row, sum);
        }
    }
    D::scatter_velocities(token, block, states, 0, a);
    D::scatter_velocities(token, block, states, 1, b);
}

/// The direction of a slot.
#[inline(always)]
fn direction<D: Engine, T: Wide>(
    token: T::Token,
    block: &Block<'_, T>,
    slot: usize,
    row: usize,
    header: &Header<D, T>,
    standing: &Standing<D, T>,
) -> Direction<D, T> {
    let dimension = D::Vector::DIM;
    match slot {
        slot::GEAR => {
            let (angular_a, angular_b) =
                (D::angular_at(token, block, row), D::angular_at(token, block, row + D::ANGULAR));
            let turned = D::lane_angular_dot(angular_b, D::lane_rotation_vector(standing.turn_b))
                - D::lane_angular_dot(angular_a, D::lane_rotation_vector(standing.turn_a));
            let none = D::zero_vector(token);
            let value = block.get(token, row + 2 * D::ANGULAR) + turned;
            Direction { linear_a: none, linear_b: none, angular_a, angular_b, value }
        }
        slot::PULLEY => {
            let arm_a = D::vector_at(token, block, row);
            let from_a = D::vector_at(token, block, row + dimension);
            let from_b = D::vector_at(token, block, row + 2 * dimension);
            let linear_a = D::vector_at(token, block, row + 3 * dimension);
            let linear_b = D::vector_at(token, block, row + 4 * dimension);
            let ratio = block.get(token, row + 5 * dimension);
            let now_a = from_a + standing.travel_a + D::turned(standing.turn_a, arm_a);
            let now_b = from_b + standing.travel_b + D::turned(standing.turn_b, header.arm_b);
            Direction {
                linear_a,
                linear_b,
                angular_a: D::lane_moment(arm_a, linear_a),
                angular_b: D::lane_moment(header.arm_b, linear_b),
                value: D::lane_dot(now_a, now_a).sqrt() + ratio * D::lane_dot(now_b, now_b).sqrt(),
            }
        }
        slot if slot < slot::ANGULAR => {
            let linear = D::vector_at(token, block, row);
            let value = if slot == slot::LENGTH {
                D::lane_dot(standing.gap, standing.gap).sqrt()
            } else {
                D::lane_dot(standing.gap, linear)
            };
            Direction {
                linear_a: linear,
                linear_b: linear,
                angular_a: D::lane_moment(header.arm_a, linear),
                angular_b: D::lane_moment(header.arm_b, linear),
                value,
            }
        }
        _ => {
            let angular = D::angular_at(token, block, row);
            let none = D::zero_vector(token);
            let value = block.get(token, row + D::ANGULAR) + D::lane_angular_dot(angular, standing.turn);
            Direction { linear_a: none, linear_b: none, angular_a: angular, angular_b: angular, value }
        }
    }
}

/// Where the mass, the functions and the impulses of a slot begin.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    impulse: usize,
}

/// Solves the functions of a slot one after the other; the answer is the sum of the changes of impulse.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "all of them differ from call to call")]
fn functions_of<T: Wide, const MODE: u8>(
    token: T::Token,
    block: &mut Block<'_, T>,
    functions: u8,
    at: Place,
    soft: [T; 3],
    value: T,
    mut speed: T,
    step: &StepFactors,
) -> T {
    let Place { mut row, mut impulse } = at;
    let zero = T::splat(token, 0.0);
    let (mass, yielding) = (block.get(token, row), block.get(token, row + 1));
    let [bias_rate, mass_scale, impulse_scale] = soft;
    row += 2;
    let mut sum = zero;
    if functions & function::SPRING != 0 {
        let old = block.get(token, impulse);
        if MODE == WARM_START {
            sum = sum + old;
        } else if MODE == SOLVE {
            // Springs have their say once in a sub-step: a second time would damp them twice.
            let [target, rate] = [block.get(token, row), block.get(token, row + 1)];
            let [scale, leak] = [block.get(token, row + 2), block.get(token, row + 3)];
            let most = block.get(token, row + 4);
            let wanted = old - mass * scale * (speed + rate * (value - target)) - leak * old;
            let new = wanted.max_of(-most).min_of(most);
            block.set(impulse, new);
            speed = speed + (new - old) * yielding;
            sum = sum + (new - old);
        }
        row += 5;
        impulse += 1;
    }
    if functions & function::MOTOR != 0 {
        let old = block.get(token, impulse);
        if MODE == WARM_START {
            sum = sum + old;
        } else {
            let most = block.get(token, row + 1);
            let mut goal = block.get(token, row);
            if functions & function::LIMIT != 0 {
                // Not past a limit within the sub-step: limits are soft, and a strong motor would lean on them.
                let limits = row + 2 + usize::from(functions & function::LOCK != 0);
                let rate = T::splat(token, step.inverse_h);
                let [lower, upper] = [limits, limits + 1].map(|row| (block.get(token, row) - value) * rate);
                goal = goal.min_of(upper.max_of(zero)).max_of(lower.min_of(zero));
            }
            let wanted = old - mass * (speed - goal);
            let new = wanted.max_of(-most).min_of(most);
            block.set(impulse, new);
            speed = speed + (new - old) * yielding;
            sum = sum + (new - old);
        }
        row += 2;
        impulse += 1;
    }
    if functions & function::LOCK != 0 {
        let old = block.get(token, impulse);
        if MODE == WARM_START {
            sum = sum + old;
        } else {
            let change = if MODE == SOLVE {
                let error = value - block.get(token, row);
                -mass * (mass_scale * (speed + bias_rate * error)) - impulse_scale * old
            } else {
                -mass * speed
            };
            block.set(impulse, old + change);
            speed = speed + change * yielding;
            sum = sum + change;
        }
        row += 1;
        impulse += 1;
    }
    if functions & function::LIMIT != 0 {
        let (low, high) = (block.get(token, impulse), block.get(token, impulse + 1));
        if MODE == WARM_START {
            return sum + (low - high);
        }
        let lower = value - block.get(token, row);
        let new = stop::<T, MODE>(token, lower, speed, mass, low, soft, step);
        block.set(impulse, new);
        speed = speed + (new - low) * yielding;
        sum = sum + (new - low);
        let upper = block.get(token, row + 1) - value;
        let new = stop::<T, MODE>(token, upper, -speed, mass, high, soft, step);
        block.set(impulse + 1, new);
        sum = sum - (new - high);
    }
    sum
}

/// The new impulse of an end stop, like that of a contact: it only pushes, and lets come what is still apart.
#[inline(always)]
fn stop<T: Wide, const MODE: u8>(
    token: T::Token,
    room: T,
    speed: T,
    mass: T,
    old: T,
    [bias_rate, mass_scale, impulse_scale]: [T; 3],
    step: &StepFactors,
) -> T {
    let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
    let is_apart = zero.less_than(room);
    let ahead = room * T::splat(token, step.inverse_h);
    let change = if MODE == RELAX {
        -mass * (speed + T::select(is_apart, ahead, zero))
    } else {
        let bias = T::select(is_apart, ahead, mass_scale * bias_rate * room);
        let scale = T::select(is_apart, one, mass_scale);
        let leak = T::select(is_apart, zero, impulse_scale);
        -mass * (scale * speed + bias) - leak * old
    };
    (old + change).max_of(zero)
}
