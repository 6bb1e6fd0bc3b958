//! From joints to the numbers of their constraints, and back from impulses to forces.
//!
//! The layout is that of `form`, the meaning that of `kernel`. What stays is filled in when a joint gets its lane; in each step the
//! header and the mass of the point follow from where the bodies are, for all lanes at once, and then whatever
//! else a form has, joint by joint.

use super::form::{Form, direction_rows, function, function_rows, slot};
use super::mass::{inverse_of_three, inverse_of_two};
use super::plan::{Group, JointGroups};
use super::{JointAxis, JointKind, JointRecord};
use crate::world::dimension::{Engine, JointAngles, Side};
use crate::world::solver::SolverJob;
use crate::world::solver::block::{Block, Lane};
use crate::world::solver::soft::{StepFactors, softness};
use crate::world::solver::wide::{Quad, Wide, WideTask};
use carom_math::{Number, Vector};
use core::cell::LazyCell;
use core::marker::PhantomData;
use core::ops::Deref;

/// A bound that is never reached, small enough that it can be multiplied.
const FAR: f32 = 1e30;

/// The highest frequency of a joint with a softness of its own, as a share of the sub-step rate: as stiff as others are by default.
const MOST_STIFFNESS: f32 = 0.3;

/// The most lanes.
const MOST_LANES: usize = 16;
/// Where the quads of the second body begin, and where that of the way to it is.
const SECOND: usize = 3;
const OFFSET: usize = 6;
/// What lanes need to know about both bodies.
type Looks = [[Quad; 7]; MOST_LANES];

/// Finds what changes from step to step, for groups of one width.
pub(crate) struct PrepareJoints<'a, 'b, D: Engine> {
    pub(crate) job: &'a SolverJob<'b, D>,
    pub(crate) groups: JointGroups<'a>,
}

impl<D: Engine> WideTask for PrepareJoints<'_, '_, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let PrepareJoints { job, mut groups } = self;
        let mut looks: Looks = [[Quad::default(); 7]; MOST_LANES];
        for at in 0..groups.groups.len() {
            let (group, rows, states) = groups.get(at);
            let form = group.form;
            look(job, group, states, &mut looks);
            prepare_header::<D, T>(token, rows, states, form, &looks, job.step.h);
            if !form.is_plain::<D>() {
                prepare_rest(job, group, rows);
            }
        }
    }
}

/// Looks at the bodies of a group.
#[inline(never)]
fn look<D: Engine>(job: &SolverJob<'_, D>, group: &Group, states: &mut [u32], looks: &mut Looks) {
    let (first, second) = states.split_at_mut(group.width);
    let bodies = &job.plan.bodies[group.first..group.first + group.count];
    for (((look, bodies), state_a), state_b) in looks.iter_mut().zip(bodies).zip(first).zip(second) {
        let [a, b] = bodies.map(|body| &job.places[body as usize]);
        look[OFFSET] = D::vector_quad(D::Vector::narrow(b.center - a.center));
        let (a, b) = (job.side(a), job.side(b));
        (*state_a, *state_b) = (a.state, b.state);
        look[..D::STAND_QUADS].copy_from_slice(&D::stand(&a)[..D::STAND_QUADS]);
        look[SECOND..SECOND + D::STAND_QUADS].copy_from_slice(&D::stand(&b)[..D::STAND_QUADS]);
    }
    for look in &mut looks[group.count.min(MOST_LANES)..] {
        *look = [Quad::default(); 7];
    }
}

/// A quad of all lanes.
#[inline(always)]
fn column<T: Wide>(token: T::Token, looks: &Looks, quad: usize) -> [T; 4] {
    T::gather(
        token,
        #[inline(always)]
        |lane| looks[lane][quad],
    )
}

/// The inverse mass, the inverse inertia and the rotation of one of the bodies of all lanes.
#[inline(always)]
fn stands<D: Engine, T: Wide>(
    token: T::Token,
    looks: &Looks,
    first: usize,
) -> (T, D::LaneInertia<T>, D::LaneTurn<T>) {
    let mut quads = [column(token, looks, first), [T::splat(token, 0.0); 4], [T::splat(token, 0.0); 4]];
    if D::STAND_QUADS > 1 {
        quads[1] = column(token, looks, first + 1);
        quads[2] = column(token, looks, first + 2);
    }
    D::stands(quads)
}

/// The header, and the mass of a point that is locked in all directions.
#[inline(always)]
fn prepare_header<D: Engine, T: Wide>(
    token: T::Token,
    rows: &mut [f32],
    states: &[u32],
    form: Form,
    looks: &Looks,
    h: f32,
) {
    let mut block = Block { rows, states, rolls: false, width: PhantomData::<T> };
    let dimension = D::Vector::DIM;
    let end = form.row_count::<D>() - form.anchor_rows::<D>();
    let impulses = form.impulse_count::<D>();
    let (zero, infinity) = (T::splat(token, 0.0), T::splat(token, f32::INFINITY));
    for row in 0..impulses {
        // A body that is lost takes its impulses along.
        let impulse = block.get(token, row);
        block.set(row, T::select(impulse.abs().less_than(infinity), impulse, zero));
    }
    let (mass_a, mut inertia_a, turn_a) = stands::<D, T>(token, looks, 0);
    let (mass_b, mut inertia_b, turn_b) = stands::<D, T>(token, looks, SECOND);
    let offset = D::lane_vector(column(token, looks, OFFSET));
    let (anchor_a, arm_b) = (D::vector_at(token, &block, end), D::vector_at(token, &block, end + dimension));
    let anchor_a = anchor_a + D::turned(turn_a, anchor_a);
    let arm_b = arm_b + D::turned(turn_b, arm_b);
    let arm_a = offset + arm_b;
    // As the bodies stand when the step begins, and so as they stand in its first sub-step.
    let gap = arm_a - anchor_a;
    let (mut first, mut push_a, mut push_b) = (arm_a, arm_a, arm_b);
    if form.has_whole_point() {
        let half = gap * T::splat(token, 0.5);
        (first, push_a, push_b) = (anchor_a, anchor_a + half, arm_b - half);
        let (pull, h) = (D::vector_at(token, &block, 0), T::splat(token, h));
        inertia_a = braced::<D, T>(inertia_a, push_a, D::zero_vector(token) - pull, h);
        inertia_b = braced::<D, T>(inertia_b, push_b, pull, h);
    }

    block.set(impulses, mass_a);
    block.set(impulses + 1, mass_b);
    D::put_inertia(&mut block, impulses + 2, inertia_a);
    D::put_inertia(&mut block, impulses + 2 + D::INERTIA, inertia_b);
    let arms = impulses + 2 + 2 * D::INERTIA;
    let now = impulses + form.header_rows::<D>();
    for (row, a, b) in [(arms, first, arm_b), (now, push_a, push_b)] {
        D::put_vector(&mut block, row, a);
        D::put_vector(&mut block, row + dimension, b);
        D::put_vector(&mut block, row + 2 * dimension, gap);
    }
    for row in end - form.load_rows()..end {
        block.set(row, zero);
    }
    if form.is_turned() {
        D::put_angular(&mut block, now + 3 * dimension, D::zero_angular(token));
    }
    if form.has_turning_inertias::<D>() {
        D::put_inertia(&mut block, now + 3 * dimension, inertia_a);
        D::put_inertia(&mut block, now + 3 * dimension + D::INERTIA, inertia_b);
    }
    if form.has_whole_point() {
        let mass = D::point_mass(mass_a + mass_b, (inertia_a, push_a), (inertia_b, push_b));
        D::put_matrix(&mut block, end - form.load_rows() - D::MATRIX, mass);
    }
    if form.has_lane_angle::<D>() {
        let rows = (form.begin::<D>(), end + 2 * dimension);
        D::put_angle(token, &mut block, rows, (turn_a, turn_b), (inertia_a, inertia_b));
    }
}

/// How much of its inertia a joint may take for a spring before a body counts as heavier.
const MOST_SPRING: f32 = 0.5;

/// The inverse inertia of a body as a joint sees it that pulls it outward at an arm r by the impulse λ in each sub-step.
///
/// Such a pull turns the arm back into its direction like a spring of stiffness r·λ/h, the geometric stiffness of the joint. Impulses
/// that follow their arms integrate it explicitly, which is unstable when two such joints have κ = h·(r·λ)/I above 2: light bodies between
/// heavy ones begin to spin until their joints open (a net of 10,000 discs that hangs on seven of them, under twice its weight, by 3.1 m instead of 0.8).
/// So what is above a half is added to the inertia, which is what an implicit step would do with it. After Andrews, Teichmann and Kry,
/// "Geometric stiffness for real-time constrained multibody dynamics" (2017), who add a diagonal to the whole system; here each joint
/// has its own, so that nothing has to be summed up over the joints of a body.
#[inline(always)]
fn braced<D: Engine, T: Wide>(
    inertia: D::LaneInertia<T>,
    arm: D::LaneVector<T>,
    pull: D::LaneVector<T>,
    h: T,
) -> D::LaneInertia<T> {
    let (one, zero) = (h.like(1.0), h.like(0.0));
    let square = D::lane_dot(arm, arm).max_of(h.like(f32::MIN_POSITIVE));
    let spring = h * D::lane_dot(arm, pull) * (D::lane_yield_across(inertia, arm) / square);
    let excess = (spring - h.like(MOST_SPRING)).max_of(zero);
    D::lane_inertia_scaled(inertia, one / (one + excess))
}

/// One lane of a block, to be written number after number.
struct Writer<'a> {
    rows: &'a mut [f32],
    width: usize,
    lane: usize,
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn get(&self, row: usize) -> f32 {
        self.rows[row * self.width + self.lane]
    }
    #[inline(always)]
    fn set(&mut self, row: usize, number: f32) {
        self.rows[row * self.width + self.lane] = number;
    }
    #[inline(always)]
    fn number(&mut self, number: f32) {
        self.set(self.at, number);
        self.at += 1;
    }
    #[inline(always)]
    fn vector<V: Vector<Scalar = f32>>(&mut self, v: V) {
        (0..V::DIM).for_each(|axis| self.number(v.get(axis)));
    }
    #[inline(always)]
    fn angular<D: Engine>(&mut self, angular: D::Angular) {
        D::angular_numbers(angular, &mut |number| self.number(number));
    }
    /// The numbers of a symmetric matrix of a dimension in the order of rows: xx; xx, yy, xy; xx, yy, zz, yz, zx, xy.
    fn matrix(&mut self, [xx, yy, zz, yz, zx, xy]: [f64; 6], dimension: usize) {
        let all = match dimension {
            1 => &[xx] as &[f64],
            2 => &[xx, yy, xy],
            _ => &[xx, yy, zz, yz, zx, xy],
        };
        all.iter().for_each(|number| self.number(*number as f32));
    }
}

/// One of the two bodies, and where its anchor is from its centre.
struct End<D: Engine> {
    side: Side<D>,
    arm: D::Vector,
}

impl<D: Engine> End<D> {
    /// How much it yields to an impulse along a direction.
    fn yielding(&self, linear: D::Vector, angular: D::Angular) -> f32 {
        self.side.inverse_mass * linear.length_squared()
            + D::angular_dot(angular, D::inertia_times(self.side.inverse_inertia, angular))
    }
}

/// Fills the lane of a joint with what stays from step to step.
pub(crate) fn fill<D: Engine>(rows: &mut [f32], width: usize, joint: &JointRecord<D>, step: &StepFactors) {
    let form = joint.form;
    let mut writer = Writer { rows, width, lane: joint.lane as usize, at: 0 };
    joint.impulses.iter().take(form.impulse_count::<D>()).for_each(|impulse| writer.number(*impulse));
    writer.at += form.header_rows::<D>();
    if let Some([frequency, damping]) = joint.given.softness {
        writer.at -= 3;
        let soft = softness(frequency.min_of(MOST_STIFFNESS * step.inverse_h), damping, step.h);
        soft.into_iter().for_each(|factor| writer.number(factor));
    }
    writer.at = form.begin::<D>();
    for slot in 0..slot::COUNT {
        let functions = form.functions(slot);
        if functions != 0 {
            writer.at += direction_rows::<D>(slot) + 2;
            let rest = if slot == slot::LENGTH { joint.rest } else { 0.0 };
            write_functions(&mut writer, functions, (&joint.axis_of(slot), rest), step);
        }
    }
    writer.at = form.row_count::<D>() - form.anchor_rows::<D>();
    joint.anchors.into_iter().for_each(|anchor| writer.vector(anchor));
    if form.has_lane_angle::<D>() {
        D::rotation_numbers(D::relative(joint.frames[0], joint.frames[1]), &mut |number| {
            writer.number(number)
        });
    }
}

/// What a form has besides the header and a point that is locked in all directions, joint by joint.
#[inline(never)]
fn prepare_rest<D: Engine>(job: &SolverJob<'_, D>, group: &Group, rows: &mut [f32]) {
    let (form, dimension) = (group.form, D::Vector::DIM);
    let arms = form.impulse_count::<D>() + 2 + 2 * D::INERTIA;
    let first = form.begin::<D>();
    let range = group.first..group.first + group.count;
    for (lane, index) in job.plan.order()[range].iter().enumerate() {
        let joint = &job.joints[*index as usize];
        let mut writer = Writer { rows, width: group.width, lane, at: first };
        let vector = |row: usize| D::Vector::from_fn(|axis| writer.get(row + axis));
        let (arm_a, arm_b, gap) = (vector(arms), vector(arms + dimension), vector(arms + 2 * dimension));
        let places = joint.bodies.map(|body| &job.places[body as usize]);
        let centers = places.map(|place| place.center);
        let [mut a, mut b] = places.map(|place| job.side(place));
        // Braced, where the point is locked: a mass from other inertias than those that its impulses are spent on would overshoot.
        let inertias = arms - 2 * D::INERTIA;
        a.inverse_inertia = D::inertia_of(|number| writer.get(inertias + number));
        b.inverse_inertia = D::inertia_of(|number| writer.get(inertias + D::INERTIA + number));
        let frames = [D::compose(joint.frames[0], a.rotation), D::compose(joint.frames[1], b.rotation)];
        let (a, b) = (End { side: a, arm: arm_a }, End { side: b, arm: arm_b });
        // Several parts ask for them, or none.
        let angles = LazyCell::new(|| D::joint_angles(frames[0], frames[1], joint.given.twist_axis()));
        let frames = (frames, &angles);
        for slot in 0..slot::COUNT {
            let functions = form.functions(slot);
            if functions != 0 {
                let yielding = direction(&mut writer, joint, slot, (&a, &b), gap, centers, frames);
                writer.number(inverse(yielding));
                writer.number(yielding);
                writer.at += function_rows(functions);
            }
        }
        if form.has_turn() {
            angular_lock(&mut writer, joint, (&a, &b), &angles);
        }
        if form.has_point() && !form.has_whole_point() {
            point_lock(&mut writer, joint, frames.0[0], (&a, &b));
        }
    }
}

impl<D: Engine> JointRecord<D> {
    /// What the joint does in a slot.
    fn axis_of(&self, slot: usize) -> JointAxis {
        let given = &self.given;
        match slot {
            slot::LENGTH => given.length,
            slot::CONE => JointAxis::FREE.limits(f32::NEG_INFINITY, given.cone.unwrap_or(f32::INFINITY)),
            slot::PULLEY => JointAxis::FREE.limits(f32::NEG_INFINITY, self.rest),
            slot::GEAR => JointAxis::LOCKED,
            slot if slot < slot::ANGULAR => given.linear_axis(slot - slot::LINEAR),
            slot => given.turning().get(slot - slot::ANGULAR).copied().unwrap_or(JointAxis::FREE),
        }
    }
}

/// Writes the direction of a slot; the answer is how much the bodies yield along it.
fn direction<D: Engine>(
    writer: &mut Writer<'_>,
    joint: &JointRecord<D>,
    slot: usize,
    (a, b): (&End<D>, &End<D>),
    gap: D::Vector,
    centers: [D::Wide; 2],
    (frames, angles): ([D::Rotation; 2], &impl Deref<Target = JointAngles<D>>),
) -> f32 {
    let none = D::Angular::default();
    let along = |writer: &mut Writer<'_>, linear: D::Vector| {
        writer.vector(linear);
        a.yielding(linear, D::moment(a.arm, linear)) + b.yielding(linear, D::moment(b.arm, linear))
    };
    let about = |writer: &mut Writer<'_>, angular: D::Angular, value: f32| {
        writer.angular::<D>(angular);
        writer.number(value);
        a.yielding(D::Vector::ZERO, angular) + b.yielding(D::Vector::ZERO, angular)
    };
    match slot {
        slot::LENGTH => along(writer, unit_or_first(gap).0),
        slot::GEAR => {
            let axis = |frame| D::joint_angles(frame, frame, 2).axes[D::ANGULAR - 1];
            let (angular_a, angular_b) = (-axis(frames[0]), axis(frames[1]) * joint.given.ratio);
            writer.angular::<D>(angular_a);
            writer.angular::<D>(angular_b);
            writer.number(joint.geared as f32);
            a.yielding(D::Vector::ZERO, angular_a) + b.yielding(D::Vector::ZERO, angular_b)
        }
        slot::PULLEY => {
            let hang = |center: D::Wide, arm: D::Vector, hook: D::Vector| {
                D::Vector::narrow((center - hook.widen()) + arm.widen())
            };
            let anchor_a = a.arm - gap;
            let from_a = hang(centers[0], anchor_a, joint.given.hooks[0]);
            let from_b = hang(centers[1], b.arm, joint.given.hooks[1]);
            let linear_a = -unit_or_first(from_a).0;
            let linear_b = unit_or_first(from_b).0 * joint.given.ratio;
            [anchor_a, from_a, from_b, linear_a, linear_b].into_iter().for_each(|v| writer.vector(v));
            writer.number(joint.given.ratio);
            a.yielding(linear_a, D::moment(anchor_a, linear_a))
                + b.yielding(linear_b, D::moment(b.arm, linear_b))
        }
        slot::CONE => {
            let is_same = joint.given.twist_axis() == 2;
            let (angle, axis) =
                if is_same { angles.swing } else { D::joint_angles(frames[0], frames[1], 2).swing };
            about(writer, axis, angle)
        }
        slot if slot < slot::ANGULAR => along(writer, axes::<D>(frames[0])[slot - slot::LINEAR]),
        slot => {
            let axis = (slot - slot::ANGULAR).min(2);
            let direction = angles.axes.get(axis).copied().unwrap_or(none);
            about(writer, direction, angles.angles[axis])
        }
    }
}

/// Writes the numbers of functions, in the order of the kernel.
fn write_functions(
    writer: &mut Writer<'_>,
    functions: u8,
    (what, rest): (&JointAxis, f32),
    step: &StepFactors,
) {
    if functions & function::SPRING != 0 {
        let (mut target, mut factors, mut most) = (0.0, [0.0; 3], 0.0);
        if let Some(spring) = what.spring {
            target = spring.target;
            factors = softness(spring.frequency, spring.damping_ratio, step.h);
            most = spring.max_force * step.h;
        }
        writer.number(target);
        factors.into_iter().for_each(|factor| writer.number(factor));
        writer.number(most);
    }
    if functions & function::MOTOR != 0 {
        let (speed, most) = what.motor.map_or((0.0, 0.0), |motor| (motor.speed, motor.max_force * step.h));
        writer.number(speed);
        writer.number(most);
    }
    if functions & function::LOCK != 0 {
        writer.number(rest);
    }
    if functions & function::LIMIT != 0 {
        let [lower, upper] = what.limits.unwrap_or([-FAR, FAR]);
        writer.number(lower.max_of(-FAR));
        writer.number(upper.min_of(FAR));
    }
}

/// The axes of a frame in the world.
fn axes<D: Engine>(frame: D::Rotation) -> [D::Vector; 3] {
    core::array::from_fn(|axis| D::rotate(frame, D::Vector::unit(axis.min(D::Vector::DIM - 1))))
}

/// Places of the entries of a symmetric matrix in the order of rows.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)];

/// The locked directions of the point, at most two, and the mass along them. The impulse of the last step keeps what lies in
/// them.
fn point_lock<D: Engine>(
    writer: &mut Writer<'_>,
    joint: &JointRecord<D>,
    frame: D::Rotation,
    (a, b): (&End<D>, &End<D>),
) {
    let mut locked = [D::Vector::ZERO; 2];
    let what = &joint.given.linear[..D::Vector::DIM];
    let is_locked = axes::<D>(frame).into_iter().zip(what).filter(|(_, what)| what.is_locked);
    locked.iter_mut().zip(is_locked).for_each(|(place, (axis, _))| *place = axis);
    let inverse_mass = a.side.inverse_mass + b.side.inverse_mass;
    let turns = locked.map(|axis| [D::moment(a.arm, axis), D::moment(b.arm, axis)]);
    let yielding = |i: usize, j: usize| {
        let by_a = D::angular_dot(turns[i][0], D::inertia_times(a.side.inverse_inertia, turns[j][0]));
        let by_b = D::angular_dot(turns[i][1], D::inertia_times(b.side.inverse_inertia, turns[j][1]));
        f64::from(inverse_mass * locked[i].dot(locked[j]) + by_a + by_b)
    };
    let mass = inverse_of_two([yielding(0, 0), yielding(1, 1), yielding(0, 1)]);
    let old = D::Vector::from_fn(|axis| writer.get(axis));
    let kept = locked.iter().fold(D::Vector::ZERO, |sum, axis| sum + *axis * axis.dot(old));
    (0..D::Vector::DIM).for_each(|axis| writer.set(axis, kept.get(axis)));
    locked.into_iter().for_each(|axis| writer.vector(axis));
    mass.into_iter().for_each(|entry| writer.number(entry as f32));
}

/// Σ aᵢ·Mᵢⱼ·aⱼᵀ; axes that are not there are 0.
fn over_the_world(mass: [f64; 6], axes: &[[f32; 3]; 3]) -> [f64; 6] {
    let axes = axes.map(|axis| axis.map(f64::from));
    ENTRIES.map(|(row, column)| {
        let product = |i: usize, j: usize| axes[i][row] * axes[j][column];
        let all = mass.iter().zip(ENTRIES).map(|(entry, (i, j))| match i == j {
            true => entry * product(i, i),
            false => entry * (product(i, j) + product(j, i)),
        });
        all.fold(0.0, |sum, term| sum + term)
    })
}
/// The mass of the locked angles, and how far they are off.
fn angular_lock<D: Engine>(
    writer: &mut Writer<'_>,
    joint: &JointRecord<D>,
    (a, b): (&End<D>, &End<D>),
    angles: &JointAngles<D>,
) {
    let mut locked = [D::Angular::default(); 3];
    let mut count = 0;
    let mut error = D::Angular::default();
    for (axis, _) in joint.given.turning().iter().enumerate().filter(|(_, what)| what.is_locked) {
        let direction = angles.axes[axis];
        locked[count] = direction;
        count += 1;
        error = error + direction * (angles.angles[axis] / D::angular_dot(direction, direction));
    }
    let mass = inverse_of_three(ENTRIES.map(|(i, j)| {
        let feel = D::inertia_times(a.side.inverse_inertia, locked[j])
            + D::inertia_times(b.side.inverse_inertia, locked[j]);
        f64::from(D::angular_dot(locked[i], feel))
    }));
    let numbers_of = |angular: D::Angular| {
        let (mut numbers, mut at) = ([0.0; 3], 0);
        D::angular_numbers(angular, &mut |number| {
            if let Some(slot) = numbers.get_mut(at) {
                *slot = number;
            }
            at += 1;
        });
        numbers
    };
    if count < D::ANGULAR {
        // Here too the impulse of the last step keeps what lies in the locked directions.
        let first = if joint.form.has_point() { D::Vector::DIM } else { 0 };
        let old: [f32; 3] =
            core::array::from_fn(|axis| if axis < D::ANGULAR { writer.get(first + axis) } else { 0.0 });
        let mut kept = [0.0; 3];
        for axis in locked[..count].iter().map(|axis| numbers_of(*axis)) {
            let square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
            let share = (axis[0] * old[0] + axis[1] * old[1] + axis[2] * old[2]) / square;
            (0..3).for_each(|k| kept[k] += axis[k] * share);
        }
        (0..D::ANGULAR).for_each(|axis| writer.set(first + axis, kept[axis]));
    }
    writer.matrix(over_the_world(mass, &locked.map(numbers_of)), D::ANGULAR);
    writer.angular::<D>(error);
}

/// The force and torque impulses of one lane, as the second body feels them.
pub(crate) fn total<D: Engine>(lane: &Lane<'_>, form: Form) -> (D::Vector, D::Angular) {
    let vector = |row: usize| D::Vector::from_fn(|axis| lane.get(row + axis));
    let angular = |row: usize| {
        (0..D::ANGULAR)
            .fold(D::Angular::default(), |sum, axis| sum + D::angular_unit(axis) * lane.get(row + axis))
    };
    let (mut force, mut torque) = (D::Vector::ZERO, D::Angular::default());
    let mut impulse = 0;
    if form.has_point() {
        force = vector(0);
        impulse += D::Vector::DIM;
    }
    if form.has_turn() {
        torque = angular(impulse);
        impulse += D::ANGULAR;
    }
    let mut row = form.begin::<D>();
    for slot in (0..slot::COUNT).filter(|_| form.has_rows()) {
        let functions = form.functions(slot);
        if functions == 0 {
            continue;
        }
        let single = (functions & !function::LIMIT).count_ones() as usize;
        let mut sum = (0..single).fold(0.0, |sum, k| sum + lane.get(impulse + k));
        impulse += single;
        if functions & function::LIMIT != 0 {
            sum += lane.get(impulse) - lane.get(impulse + 1);
            impulse += 2;
        }
        match slot {
            slot::PULLEY => force += vector(row + 4 * D::Vector::DIM) * sum,
            slot::GEAR => torque = torque + angular(row + D::ANGULAR) * sum,
            slot if slot < slot::ANGULAR => force += vector(row) * sum,
            _ => torque = torque + angular(row) * sum,
        }
        row += direction_rows::<D>(slot) + 2 + function_rows(functions);
    }
    (force, torque)
}

/// Where the largest load of a joint that can break is.
#[inline]
pub(crate) fn load_row<D: Engine>(form: Form) -> usize {
    form.row_count::<D>() - form.anchor_rows::<D>() - form.load_rows()
}

/// Keeps the largest load of the sub-steps, the impulses of one of which are there.
pub(crate) fn note_load<D: Engine>(rows: &mut [f32], group: &Group) {
    let first = load_row::<D>(group.form);
    for lane in 0..group.count {
        let (force, torque) = total::<D>(&Lane::new(rows, group.width, lane), group.form);
        let mut writer = Writer { rows, width: group.width, lane, at: first };
        for square in [force.length_squared(), D::angular_dot(torque, torque)] {
            writer.number(square.max_of(writer.get(writer.at)));
        }
    }
}

/// The direction of a vector and its length; the first axis where it has none.
pub(crate) fn unit_or_first<V: Vector<Scalar = f32>>(v: V) -> (V, f32) {
    let length = v.length_squared().sqrt();
    if length > 0.0 && (1.0 / length).is_finite() { (v * (1.0 / length), length) } else { (V::unit(0), 0.0) }
}

fn inverse(sum: f32) -> f32 {
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

/// Whether a kind has a length of its own that is taken when it is added.
pub(crate) fn has_length(kind: JointKind) -> bool {
    matches!(kind, JointKind::Distance | JointKind::Pulley)
}
