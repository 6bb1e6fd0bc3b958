//! From a joint to the numbers of its constraint, once in a step, and back from impulses to forces.
//!
//! The layout is that of `form`, the meaning that of `kernel`.

use super::form::{Form, MOST_ROWS, direction_rows, function, function_rows, header_rows, slot};
use super::mass::{invert, packed};
use super::{JointAxis, JointKind, JointRecord};
use crate::world::dimension::{Engine, Side};
use crate::world::solver::block::Lane;
use crate::world::solver::soft::{StepFactors, softness};
use carom_math::{Number, Vector};

/// A bound that is never reached, small enough that it can be multiplied.
const FAR: f32 = 1e30;

/// Writes numbers one after the other.
struct Writer<'a> {
    numbers: &'a mut [f32; MOST_ROWS],
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn number(&mut self, number: f32) {
        if let Some(slot) = self.numbers.get_mut(self.at) {
            *slot = number;
        }
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
    #[inline(always)]
    fn first(&mut self, numbers: [f32; 6], count: usize) {
        numbers.into_iter().take(count).for_each(|number| self.number(number));
    }
}

/// One of the two bodies, and where its anchor is from its centre.
struct End<'a, D: Engine> {
    side: &'a Side<D>,
    arm: D::Vector,
}

impl<D: Engine> End<'_, D> {
    /// How much it yields to an impulse along a direction.
    fn yielding(&self, linear: D::Vector, angular: D::Angular) -> f32 {
        self.side.inverse_mass * linear.length_squared()
            + D::angular_dot(angular, D::inertia_times(self.side.inverse_inertia, angular))
    }
}

/// Fills the numbers of a joint.
pub(crate) fn fill<D: Engine>(
    numbers: &mut [f32; MOST_ROWS],
    joint: &JointRecord<D>,
    sides: [&Side<D>; 2],
    centers: [D::Wide; 2],
    step: &StepFactors,
) {
    let form = joint.form;
    let offset = D::Vector::narrow(centers[1] - centers[0]);
    let anchor_a = D::rotate(sides[0].rotation, joint.anchors[0]);
    let anchor_b = D::rotate(sides[1].rotation, joint.anchors[1]);
    let a = End { side: sides[0], arm: offset + anchor_b };
    let b = End { side: sides[1], arm: anchor_b };
    let gap = a.arm - anchor_a;

    let mut writer = Writer { numbers, at: 0 };
    let impulses = form.impulse_count::<D>();
    joint.impulses.iter().take(impulses).for_each(|impulse| writer.number(*impulse));
    writer.at = impulses;
    writer.number(a.side.inverse_mass);
    writer.number(b.side.inverse_mass);
    writer.first(D::inertia_numbers(a.side.inverse_inertia), D::INERTIA);
    writer.first(D::inertia_numbers(b.side.inverse_inertia), D::INERTIA);
    writer.vector(a.arm);
    writer.vector(b.arm);
    writer.vector(gap);
    let soft = match joint.given.softness {
        None => step.joint,
        Some([frequency, damping]) => softness(frequency.min_of(0.25 * step.inverse_h), damping, step.h),
    };
    soft.into_iter().for_each(|factor| writer.number(factor));
    // Written when the step is warm started.
    writer.at += form.push_rows::<D>();

    let linear = &joint.given.linear[..D::Vector::DIM];
    let is_whole = linear.iter().all(|axis| axis.is_locked);
    if !form.has_rows() && !form.has_turn() && is_whole {
        point_lock(&mut writer, joint.axes(None), linear, (&a, &b));
        return;
    }

    let frame_a = D::compose(joint.frames[0], a.side.rotation);
    let frame_b = D::compose(joint.frames[1], b.side.rotation);
    if form.has_rows() {
        for slot in 0..slot::COUNT {
            let functions = form.functions(slot);
            if functions != 0 {
                let what = joint.axis_of(slot);
                let yielding = direction(
                    &mut writer,
                    joint,
                    slot,
                    (&a, &b),
                    (gap, anchor_a),
                    centers,
                    [frame_a, frame_b],
                );
                writer.number(inverse(yielding));
                writer.number(yielding);
                let rest = if slot == slot::LENGTH { joint.rest } else { 0.0 };
                write_functions(&mut writer, functions, (&what, rest), step);
            }
        }
    }
    if form.has_turn() {
        angular_lock(&mut writer, joint, (&a, &b), [frame_a, frame_b]);
    }
    if form.has_point() {
        // Of all directions the axes of the world are as good as any.
        let axes = joint.axes((!is_whole).then_some(frame_a));
        point_lock(&mut writer, axes, linear, (&a, &b));
    }
}

impl<D: Engine> JointRecord<D> {
    /// The axes of the first frame in the world, or those of the world.
    fn axes(&self, frame: Option<D::Rotation>) -> [D::Vector; 3] {
        core::array::from_fn(|axis| {
            let unit = D::Vector::unit(axis.min(D::Vector::DIM - 1));
            frame.map_or(unit, |frame| D::rotate(frame, unit))
        })
    }
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
    (a, b): (&End<'_, D>, &End<'_, D>),
    (gap, anchor_a): (D::Vector, D::Vector),
    centers: [D::Wide; 2],
    frames: [D::Rotation; 2],
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
            let (angle, axis) = D::joint_angles(frames[0], frames[1], 2).swing;
            about(writer, axis, angle)
        }
        slot if slot < slot::ANGULAR => along(writer, joint.axes(Some(frames[0]))[slot - slot::LINEAR]),
        slot => {
            let angles = D::joint_angles(frames[0], frames[1], joint.given.twist_axis());
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

/// The mass of the locked directions of the point. The impulse of the last step keeps what lies in them.
fn point_lock<D: Engine>(
    writer: &mut Writer<'_>,
    axes: [D::Vector; 3],
    what: &[JointAxis],
    (a, b): (&End<'_, D>, &End<'_, D>),
) {
    let mut locked = [D::Vector::ZERO; 3];
    let mut count = 0;
    for (axis, _) in axes.into_iter().zip(what).filter(|(_, what)| what.is_locked) {
        locked[count] = axis;
        count += 1;
    }
    let inverse_mass = a.side.inverse_mass + b.side.inverse_mass;
    let turn_a = locked.map(|axis| D::moment(a.arm, axis));
    let turn_b = locked.map(|axis| D::moment(b.arm, axis));
    let mut matrix = [[0.0; 3]; 3];
    for j in 0..count {
        let (feel_a, feel_b) = (
            D::inertia_times(a.side.inverse_inertia, turn_a[j]),
            D::inertia_times(b.side.inverse_inertia, turn_b[j]),
        );
        for i in 0..=j {
            let own = if i == j { inverse_mass } else { 0.0 };
            let entry = own + D::angular_dot(turn_a[i], feel_a) + D::angular_dot(turn_b[i], feel_b);
            (matrix[i][j], matrix[j][i]) = (f64::from(entry), f64::from(entry));
        }
    }
    invert(&mut matrix, count);
    if count < D::Vector::DIM {
        let old = D::Vector::from_fn(|axis| writer.numbers[axis]);
        let kept = locked[..count].iter().fold(D::Vector::ZERO, |sum, axis| sum + *axis * axis.dot(old));
        (0..D::Vector::DIM).for_each(|axis| writer.numbers[axis] = kept.get(axis));
        let component = |axis: D::Vector, k| if k < D::Vector::DIM { axis.get(k) } else { 0.0 };
        let components = locked.map(|axis| core::array::from_fn(|k| component(axis, k)));
        matrix = over_the_world(&matrix, &components, count);
    }
    writer.first(packed(&matrix, D::Vector::DIM), D::MATRIX);
}

/// Σ aᵢ·Mᵢⱼ·aⱼᵀ.
fn over_the_world(matrix: &[[f64; 3]; 3], axes: &[[f32; 3]; 3], count: usize) -> [[f64; 3]; 3] {
    let axes = axes.map(|axis| axis.map(f64::from));
    let mut sum = [[0.0; 3]; 3];
    for i in 0..count {
        for j in 0..count {
            for (row, x) in sum.iter_mut().zip(axes[i]) {
                for (entry, y) in row.iter_mut().zip(axes[j]) {
                    *entry += matrix[i][j] * x * y;
                }
            }
        }
    }
    sum
}

/// The mass of the locked angles, and how far they are off.
fn angular_lock<D: Engine>(
    writer: &mut Writer<'_>,
    joint: &JointRecord<D>,
    (a, b): (&End<'_, D>, &End<'_, D>),
    frames: [D::Rotation; 2],
) {
    let angles = D::joint_angles(frames[0], frames[1], joint.given.twist_axis());
    let mut locked = [D::Angular::default(); 3];
    let mut count = 0;
    let mut error = D::Angular::default();
    for (axis, _) in joint.given.turning().iter().enumerate().filter(|(_, what)| what.is_locked) {
        let direction = angles.axes[axis];
        locked[count] = direction;
        count += 1;
        error = error + direction * (angles.angles[axis] / D::angular_dot(direction, direction));
    }
    let mut matrix = [[0.0; 3]; 3];
    for j in 0..count {
        let feel = D::inertia_times(a.side.inverse_inertia, locked[j])
            + D::inertia_times(b.side.inverse_inertia, locked[j]);
        for i in 0..=j {
            let entry = f64::from(D::angular_dot(locked[i], feel));
            (matrix[i][j], matrix[j][i]) = (entry, entry);
        }
    }
    invert(&mut matrix, count);
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
            core::array::from_fn(|axis| if axis < D::ANGULAR { writer.numbers[first + axis] } else { 0.0 });
        let mut kept = [0.0; 3];
        for axis in locked[..count].iter().map(|axis| numbers_of(*axis)) {
            let square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
            let share = (axis[0] * old[0] + axis[1] * old[1] + axis[2] * old[2]) / square;
            (0..3).for_each(|k| kept[k] += axis[k] * share);
        }
        (0..D::ANGULAR).for_each(|axis| writer.numbers[first + axis] = kept[axis]);
    }
    let matrix = over_the_world(&matrix, &locked.map(numbers_of), count);
    writer.first(packed(&matrix, D::ANGULAR), D::INERTIA);
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
    let mut row = form.impulse_count::<D>() + header_rows::<D>() + form.push_rows::<D>();
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
