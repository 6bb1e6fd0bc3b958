//! The numbers of contacts in space for the passes of a step, found in lanes: arms, masses, soft factors, the patch of friction.

use super::super::gyro::unit_turn;
use super::super::space::{Solid, entries};
use super::super::{Engine, Side, inverse, speed_at_impact};
use super::{POINT_COUNT, Symmetric, Velocities, point_row, row, set_vector, tangents, vector};
use crate::world::contact::{Contact, Point};
use crate::world::solver::block::{Block, Draft, MOST_LANES};
use crate::world::solver::wide::{Quad, Wide};
use carom_math::{Mat3, Vec3, Vector};

/// What a constraint needs to know about a row of bodies; see [`Side`].
struct Sides<T> {
    inverse_mass: T,
    inverse_inertia: Symmetric<T>,
    turn: Mat3<T>,
    velocities: Velocities<T>,
    acceleration: Vec3<T>,
}

impl<T: Wide> Sides<T> {
    #[inline(always)]
    fn gather(token: T::Token, sides: &[Side<Solid>; MOST_LANES]) -> Self {
        let turn = T::gather(
            token,
            #[inline(always)]
            |lane| Quad(sides[lane].rotation.to_array()),
        );
        let [xx, yy, zz, yz] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let [a, b, c] = sides[lane].inverse_inertia.columns;
                Quad([a.x, b.y, c.z, b.z])
            },
        );
        let [zx, xy, inverse_mass, r] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Side { inverse_inertia, inverse_mass, angular, .. } = sides[lane];
                let [a, _, c] = inverse_inertia.columns;
                Quad([c.x, a.y, inverse_mass, angular.z])
            },
        );
        let [x, y, z, p] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Side { velocity, angular, .. } = sides[lane];
                Quad([velocity.x, velocity.y, velocity.z, angular.x])
            },
        );
        let [u, v, w, q] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Side { acceleration, angular, .. } = sides[lane];
                Quad([acceleration.x, acceleration.y, acceleration.z, angular.y])
            },
        );
        Sides {
            inverse_mass,
            inverse_inertia: Symmetric([xx, yy, zz, yz, zx, xy]),
            turn: unit_turn(turn),
            velocities: Velocities { linear: Vec3::new(x, y, z), angular: Vec3::new(p, q, r) },
            acceleration: Vec3::new(u, v, w),
        }
    }
}

/// Vectors of the contacts of a block, each with one more number.
#[inline(always)]
fn gather_vectors<T: Wide>(token: T::Token, mut of: impl FnMut(usize) -> (Vec3<f32>, f32)) -> (Vec3<T>, T) {
    let [x, y, z, number] = T::gather(
        token,
        #[inline(always)]
        |lane| {
            let (v, number) = of(lane);
            Quad([v.x, v.y, v.z, number])
        },
    );
    (Vec3::new(x, y, z), number)
}

/// Fills a block, but for its states; the answer is the fastest approach of each contact.
#[inline(always)]
pub(crate) fn prepare<T: Wide>(token: T::Token, block: &mut Block<'_, T>, draft: &Draft<'_, Solid>) -> T {
    let Draft { contacts, sides, offsets, softs, counts } = draft;
    let zero = T::splat(token, 0.0);
    let (a, b) = (Sides::gather(token, &sides[0]), Sides::gather(token, &sides[1]));
    let (normal, friction) = gather_vectors(
        token,
        #[inline(always)]
        |lane| (contacts[lane].normal, contacts[lane].friction),
    );
    let (surface, restitution) = gather_vectors(
        token,
        #[inline(always)]
        |lane| (contacts[lane].surface, contacts[lane].restitution),
    );
    let (friction_impulse, twist_impulse) = gather_vectors(
        token,
        #[inline(always)]
        |lane| (contacts[lane].friction_impulse, contacts[lane].twist_impulse),
    );
    let (offset, count) = gather_vectors(
        token,
        #[inline(always)]
        |lane| (offsets[lane], counts[lane]),
    );
    let (soft, rolling) = gather_vectors(
        token,
        #[inline(always)]
        |lane| (Vec3::from(softs[lane]), contacts[lane].rolling),
    );
    // What has hit starts from nothing.
    let [radius_a, radius_b, kept, _] = T::gather(
        token,
        #[inline(always)]
        |lane| {
            let Contact { radii, has_hit, .. } = contacts[lane];
            Quad([radii[0], radii[1], if *has_hit { 0.0 } else { counts[lane] }, 0.0])
        },
    );
    let normal = a.turn * normal;
    let (round_a, round_b) = (normal * radius_a, normal * radius_b);
    // What rolls touches below its centre, wherever it was when the points were found.
    let (a_leads, b_leads) = (radius_b.less_than(radius_a), radius_a.less_than(radius_b));
    let (tangent, other) = tangents(normal);
    let (inertia_a, inertia_b) = (a.inverse_inertia, b.inverse_inertia);
    let inverse_mass = a.inverse_mass + b.inverse_mass;
    let acceleration = (b.acceleration - a.acceleration).dot(normal);
    set_vector(block, row::NORMAL, normal);
    set_vector(block, row::TANGENT, tangent);
    set_vector(block, row::OFFSET, offset);
    set_vector(block, row::SOFT, soft);
    block.set(row::INVERSE_MASS_A, a.inverse_mass);
    block.set(row::INVERSE_MASS_B, b.inverse_mass);
    inertia_a.store(block, row::INVERSE_INERTIA_A);
    inertia_b.store(block, row::INVERSE_INERTIA_B);
    block.set(row::FRICTION, friction);
    block.set(row::RESTITUTION, restitution);
    block.set(row::RADII, radius_a);
    block.set(row::RADII + 1, radius_b);

    let (mut total, mut fastest) = (zero, zero);
    for index in 0..POINT_COUNT {
        let [local_x, local_y, local_z, impulse] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Point { local_a, impulse, .. } = contacts[lane].points[index];
                Quad([local_a.x, local_a.y, local_a.z, impulse])
            },
        );
        let (local_b, _) = gather_vectors(
            token,
            #[inline(always)]
            |lane| (contacts[lane].points[index].local_b, 0.0),
        );
        let has_point = zero.like(index as f32).less_than(count);
        let impulse = T::select(zero.like(index as f32).less_than(kept), impulse, zero);
        total = total + impulse;
        let on_a = a.turn * Vec3::new(local_x, local_y, local_z) + round_a;
        let on_b = offset + (b.turn * local_b - round_b);
        let middle = (on_a + on_b) * zero.like(0.5);
        let arm = Vec3::new(
            T::select(b_leads, on_b.x, T::select(a_leads, on_a.x, middle.x)),
            T::select(b_leads, on_b.y, T::select(a_leads, on_a.y, middle.y)),
            T::select(b_leads, on_b.z, T::select(a_leads, on_a.z, middle.z)),
        );
        let arm_b = arm - offset;
        let velocity = b.velocities.at(arm_b) - a.velocities.at(arm);
        let (turn_a, turn_b) = (arm.cross(normal), arm_b.cross(normal));
        let resistance =
            inverse_mass + turn_a.dot(inertia_a.times(turn_a)) + turn_b.dot(inertia_b.times(turn_b));
        let separation = (on_b - on_a).dot(normal);
        let approach = speed_at_impact(velocity.dot(normal), acceleration, separation);
        let first = point_row(index);
        block.set(first + row::ARM, T::select(has_point, arm.x, zero));
        block.set(first + row::ARM + 1, T::select(has_point, arm.y, zero));
        block.set(first + row::ARM + 2, T::select(has_point, arm.z, zero));
        block.set(first + row::SEPARATION, T::select(has_point, separation, zero));
        block.set(first + row::MASS, T::select(has_point, inverse(resistance), zero));
        block.set(first + row::IMPULSE, impulse);
        block.set(first + row::PEAK, zero);
        let approach = T::select(has_point, approach, zero);
        block.set(first + row::APPROACH, approach);
        fastest = approach.min_of(fastest);
    }
    let center = center_of_pressure(token, block, count, total);
    let center_b = center - offset;
    for index in 0..POINT_COUNT {
        let first = point_row(index);
        let has_point = zero.like(index as f32).less_than(count);
        let away = vector(token, block, first + row::ARM) - center;
        block.set(first + row::LEVER, T::select(has_point, away.dot(away).sqrt(), zero));
    }
    set_vector(block, row::CENTER, center);
    let (tangent_a, tangent_b) = (center.cross(tangent), center_b.cross(tangent));
    let (other_a, other_b) = (center.cross(other), center_b.cross(other));
    let (pushed_a, pushed_b) = (inertia_a.times(other_a), inertia_b.times(other_b));
    let k11 = inverse_mass
        + (tangent_a.dot(inertia_a.times(tangent_a)) + tangent_b.dot(inertia_b.times(tangent_b)));
    let k12 = tangent_a.dot(pushed_a) + tangent_b.dot(pushed_b);
    let k22 = inverse_mass + (other_a.dot(pushed_a) + other_b.dot(pushed_b));
    let determinant = inverse(k11 * k22 - k12 * k12);
    set_vector(block, row::TANGENT_MASS, Vec3::new(k22 * determinant, -k12 * determinant, k11 * determinant));
    let twist = normal.dot(inertia_a.times(normal)) + normal.dot(inertia_b.times(normal));
    block.set(row::TWIST_MASS, inverse(twist));
    let is_kept = zero.less_than(kept);
    block.set(row::TWIST_IMPULSE, T::select(is_kept, twist_impulse, zero));
    block.set(row::TANGENT_IMPULSE, T::select(is_kept, friction_impulse.dot(tangent), zero));
    block.set(row::TANGENT_IMPULSE + 1, T::select(is_kept, friction_impulse.dot(other), zero));
    block.set(row::SURFACE, surface.dot(tangent));
    block.set(row::SURFACE + 1, surface.dot(other));
    block.set(row::ROLLING, rolling);
    for at in row::ROLLING_IMPULSE..row::RADII {
        block.set(at, zero);
    }
    if block.rolls {
        prepare_rolling(block, draft);
    }
    fastest
}

/// The mean of the points by their impulses, with a share of the mean added to each, so that those without load count a little.
#[inline(always)]
fn center_of_pressure<T: Wide>(token: T::Token, block: &Block<'_, T>, count: T, total: T) -> Vec3<T> {
    let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
    let floor = T::select(zero.less_than(total), total.like(0.01) * total, one);
    let (mut center, mut weight) = (Vec3::new(zero, zero, zero), zero);
    for index in 0..POINT_COUNT {
        let first = point_row(index);
        let has_point = zero.like(index as f32).less_than(count);
        let share = T::select(has_point, block.get(token, first + row::IMPULSE) + floor, zero);
        center += vector(token, block, first + row::ARM) * share;
        weight = weight + share;
    }
    center * T::select(zero.less_than(weight), one / weight, one)
}

/// The rows of rolling resistance, lane by lane: few contacts have it.
#[cold]
fn prepare_rolling<T: Wide>(block: &mut Block<'_, T>, draft: &Draft<'_, Solid>) {
    for lane in 0..T::WIDTH {
        let contact = draft.contacts[lane];
        if contact.rolling <= 0.0 || draft.counts[lane] == 0.0 {
            continue;
        }
        let [a, b] = [0, 1].map(|side: usize| draft.sides[side][lane].inverse_inertia);
        let sum = Mat3 { columns: core::array::from_fn(|k| a.columns[k] + b.columns[k]) };
        let mass = entries(Solid::inverse_inertia(sum));
        let mut set = |row: usize, value: f32| block.rows[row * T::WIDTH + lane] = value;
        (0..6).for_each(|k| set(row::ROLLING_MASS + k, mass[k]));
        if !contact.has_hit {
            (0..3).for_each(|k| set(row::ROLLING_IMPULSE + k, contact.rolling_impulse.get(k)));
        }
    }
}
