//! Two rigid bodies: the impulse at a point of contact, spinning included.
//!
//! With the unit normal n from a to b, the arms r from the centres of mass to the contact, and the velocity
//! of b relative to a there, v = (v_b + ω_b × r_b) − (v_a + ω_a × r_a), an impulse j·n on b and −j·n on a
//! changes v·n by K·j, where
//!
//! ```text
//! K(n) = 1/m_a + 1/m_b + (r_a × n)·I_a⁻¹(r_a × n) + (r_b × n)·I_b⁻¹(r_b × n)
//! ```
//!
//! So j = −(1 + e)(v·n)/K(n) gives v′·n = −e·(v·n). Friction follows along t, the direction of the sliding
//! that is left, with the impulse |v_t|/K(t) that stops it there, but at most µ·j (Coulomb's cone). Each
//! impulse p takes p·|v| − ½K·p² of energy, which is not negative as p stays within that of stopping: the
//! energy never grows.
//!
//! Directions are not of unit length here: the formulas divide by their squares.

use crate::error::{
    direction, factor_to_one, finite_lifted, finite_vector, lowered, narrowed, not_negative, scaled_to_one,
    share,
};
use crate::{Error, Impact, Space};
use carom_math::{Mat3, Number, Real, Vec3, Vector};

/// A rigid body as a collision sees it.
///
/// # Example
/// ```
/// use carom_dynamics::Body;
/// use carom_math::Vec2;
/// let wall = Body::<Vec2<f64>>::default(); // at rest, immovable
/// let disc = Body { mass: 2.0, inverse_inertia: 1.0, velocity: Vec2::new(3.0, 0.0), ..Body::default() };
/// assert!(disc.mass > wall.mass);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Body<V: Space> {
    /// The mass; 0 for a body that nothing moves.
    pub mass: V::Scalar,
    /// The inverse of the inertia about the centre of mass, in the world frame; 0 for a body that nothing
    /// turns. (A body of mass 0 that turns is one that is hinged at its centre.)
    pub inverse_inertia: V::InverseInertia,
    /// The velocity of the centre of mass.
    pub velocity: V,
    /// The angular velocity.
    pub angular_velocity: V::Angular,
}

/// Where and how two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision<V: Space> {
    /// From the first body to the second; of any length but zero.
    pub normal: V,
    /// From the centre of mass of the first body to the point of contact.
    pub arm_a: V,
    /// From the centre of mass of the second body to the point of contact.
    pub arm_b: V,
    /// Restitution and friction.
    pub impact: Impact<V::Scalar>,
}

/// The velocities after a collision of rigid bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionResponse<V: Space> {
    /// The new velocity of the first body's centre of mass.
    pub velocity_a: V,
    /// The new velocity of the second body's centre of mass.
    pub velocity_b: V,
    /// The new angular velocity of the first body.
    pub angular_velocity_a: V::Angular,
    /// The new angular velocity of the second body.
    pub angular_velocity_b: V::Angular,
    /// The magnitude of the normal impulse; 0 when the bodies separate.
    pub impulse: V::Scalar,
    /// The impulse of friction on the second body (the first one gets the opposite).
    pub friction_impulse: V,
}

/// The velocities of two rigid bodies after they collide at a point.
///
/// Nothing happens unless they approach there. Two bodies that nothing moves exchange no impulse. Where
/// there is no sliding there is no friction, so no direction has to be made up. Along the normal the
/// relative velocity of the contact becomes −restitution times what it was; friction may change that again
/// when it turns bodies whose mass is not spread evenly about the contact.
///
/// # Errors
/// When a number is not finite; a mass, the friction or an inertia is negative; the restitution is not in
/// [0, 1]; the normal is zero; or the answer is too large.
///
/// # Example
/// ```
/// use carom_dynamics::{Body, Collision, Impact, collide};
/// use carom_math::Vec2;
/// // A rod of length 2 and mass 3 (inertia m·l²/12 = 1) falls flat and its right end hits the ground.
/// let rod = Body { mass: 3.0, inverse_inertia: 1.0, velocity: Vec2::new(0.0, -1.0), angular_velocity: 0.0 };
/// let ground = Body::default();
/// let end = Collision {
///     normal: Vec2::new(0.0, -1.0),
///     arm_a: Vec2::new(1.0, 0.0),
///     arm_b: Vec2::new(0.0, 0.0),
///     impact: Impact { restitution: 1.0, friction: 0.0 },
/// };
/// let after = collide(&rod, &ground, &end)?;
/// // K = 1/3 + 1, j = 2/K = 3/2: half of the speed is gone, and the rest of the energy turns the rod.
/// assert_eq!((after.velocity_a.y, after.angular_velocity_a, after.impulse), (-0.5, 1.5, 1.5));
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn collide<V: Space>(
    a: &Body<V>,
    b: &Body<V>,
    collision: &Collision<V>,
) -> Result<CollisionResponse<V>, Error> {
    let normal = direction("normal", collision.normal)?;
    let restitution = share("restitution", collision.impact.restitution)?;
    let friction = not_negative("friction", collision.impact.friction)?;
    let names = [
        ["velocity_a", "angular_velocity_a", "mass_a", "inverse_inertia_a", "arm_a"],
        ["velocity_b", "angular_velocity_b", "mass_b", "inverse_inertia_b", "arm_b"],
    ];
    let moving_a = Moving::new(a, collision.arm_a, names[0])?;
    let moving_b = Moving::new(b, collision.arm_b, names[1])?;
    let mut pair = Pair { a: moving_a, b: moving_b };
    let (speed_scale, mass_scale) = pair.tame();

    let Struck { impulse, friction_impulse } = pair.strike::<V>(normal, restitution, friction)?;
    // The lighter mass was multiplied by mass_scale, velocities by speed_scale: impulses by both. What an
    // impulse does not change is returned as it was given.
    let unchanged = impulse == 0.0;
    let linear = |before: &Body<V>, after: &Moving| {
        if unchanged || after.mass == 0.0 {
            return Ok(before.velocity);
        }
        lowered("the velocity", after.velocity / speed_scale)
    };
    let angular = |before: &Body<V>, after: &Moving| {
        if unchanged || after.inverse_inertia == Mat3::default() {
            return Ok(before.angular_velocity);
        }
        let lowered = V::lower_angular(after.angular / speed_scale);
        if V::finite_angular(lowered) { Ok(lowered) } else { Err(overflow::<V>("the angular velocity")) }
    };
    // In one division where one power of two holds both factors, so that nothing is lost on the way.
    let both = mass_scale * speed_scale;
    let (first, second) = if both.is_normal() { (both, 1.0) } else { (mass_scale, speed_scale) };
    Ok(CollisionResponse {
        velocity_a: linear(a, &pair.a)?,
        velocity_b: linear(b, &pair.b)?,
        angular_velocity_a: angular(a, &pair.a)?,
        angular_velocity_b: angular(b, &pair.b)?,
        impulse: narrowed("the impulse", impulse / first / second)?,
        friction_impulse: lowered("the impulse", friction_impulse / first / second)?,
    })
}

fn overflow<V: Space>(what: &'static str) -> Error {
    Error::Overflow { what, number: V::Scalar::NAME }
}

/// A body in space and in `f64`, with the arm to the contact.
struct Moving {
    mass: f64,
    inverse_mass: f64,
    inverse_inertia: Mat3<f64>,
    velocity: Vec3<f64>,
    angular: Vec3<f64>,
    arm: Vec3<f64>,
    inertia_name: &'static str,
}

impl Moving {
    fn new<V: Space>(body: &Body<V>, arm: V, names: [&'static str; 5]) -> Result<Self, Error> {
        let [velocity, angular, mass, inertia, arm_name] = names;
        let inverse_inertia = V::lift_inertia(body.inverse_inertia);
        for column in inverse_inertia.columns {
            finite_lifted(inertia, column)?;
        }
        for (axis, column) in inverse_inertia.columns.into_iter().enumerate() {
            not_negative(inertia, Vector::get(column, axis))?;
        }
        Ok(Moving {
            velocity: finite_vector(velocity, body.velocity)?,
            angular: finite_lifted(angular, V::lift_angular(body.angular_velocity))?,
            mass: not_negative(mass, body.mass)?,
            inverse_mass: 0.0,
            inverse_inertia,
            arm: finite_vector(arm_name, arm)?,
            inertia_name: inertia,
        })
    }

    /// The velocity at the contact.
    fn at_contact(&self) -> Vec3<f64> {
        self.velocity + self.angular.cross(self.arm)
    }

    /// This body's part of K along a direction.
    fn compliance(&self, along: Vec3<f64>) -> Result<f64, Error> {
        let lever = self.arm.cross(along);
        let turned = self.inverse_inertia * lever;
        let form = lever.dot(turned);
        // The sum of magnitudes, times the roundings of three products and sums with room to spare.
        let slack =
            16.0 * f64::EPSILON * lever.abs_by_axis().dot(self.inverse_inertia.abs() * lever.abs_by_axis());
        if !form.is_finite() {
            return Ok(f64::INFINITY);
        }
        if form < -slack {
            return Err(Error::Negative { what: self.inertia_name, value: form });
        }
        Ok(self.inverse_mass + form.max_of(0.0) / along.dot(along))
    }

    /// Applies the impulse `along`·`change`/K, where `change` is the change of relative velocity wanted
    /// along `along`. The ratio of mobilities comes first: it is exactly ½ for equal masses.
    fn push(&mut self, along: Vec3<f64>, change: f64, total: f64) {
        self.velocity += along * (change * (self.inverse_mass / total));
        self.angular += (self.inverse_inertia * self.arm.cross(along)) * (change / total);
    }
}

struct Struck {
    impulse: f64,
    friction_impulse: Vec3<f64>,
}

struct Pair {
    a: Moving,
    b: Moving,
}

impl Pair {
    /// Multiplies velocities, and masses, by powers of two that keep products in range: the lighter
    /// mass comes to [1, 2), the largest velocity too. A mass that is then too large to have an inverse
    /// is immovable to all digits. Returns both factors.
    fn tame(&mut self) -> (f64, f64) {
        let bodies = [&self.a, &self.b];
        let fastest = bodies.iter().fold(0.0, |fastest: f64, body| {
            let spin = body.angular.max_abs() * body.arm.max_abs();
            let speed = body.velocity.max_abs().max_of(spin);
            speed.max_of(fastest)
        });
        let speed_scale = factor_to_one(if fastest.is_finite() { fastest } else { f64::MAX }).unwrap_or(1.0);
        let lightest = bodies
            .iter()
            .map(|body| body.mass)
            .filter(|mass| *mass != 0.0)
            .fold(f64::INFINITY, |lightest, mass| mass.min_of(lightest));
        let mass_scale = if lightest.is_finite() { factor_to_one(lightest).unwrap_or(1.0) } else { 1.0 };
        for body in [&mut self.a, &mut self.b] {
            let mass = body.mass * mass_scale;
            body.inverse_mass = if body.mass == 0.0 { 0.0 } else { 1.0 / mass };
            let columns = body.inverse_inertia.columns;
            body.inverse_inertia = Mat3 { columns: columns.map(|column| column / mass_scale) };
            body.velocity = body.velocity * speed_scale;
            body.angular = body.angular * speed_scale;
        }
        (speed_scale, mass_scale)
    }

    fn relative(&self) -> Vec3<f64> {
        self.b.at_contact() - self.a.at_contact()
    }

    /// K along a direction, of both bodies.
    fn compliance<V: Space>(&self, along: Vec3<f64>) -> Result<f64, Error> {
        let total = self.a.compliance(along)? + self.b.compliance(along)?;
        if total.is_finite() { Ok(total) } else { Err(overflow::<V>("the angular velocity")) }
    }

    /// Pushes the bodies apart so that their relative velocity changes by `along`·`change`.
    fn push(&mut self, along: Vec3<f64>, change: f64, total: f64) {
        self.b.push(along, change, total);
        self.a.push(along, -change, total);
    }

    fn strike<V: Space>(
        &mut self,
        normal: Vec3<f64>,
        restitution: f64,
        friction: f64,
    ) -> Result<Struck, Error> {
        let nothing = Struck { impulse: 0.0, friction_impulse: Vec3::ZERO };
        let relative = self.relative();
        if !relative.finite() {
            return Err(overflow::<V>("the velocity at the contact"));
        }
        let square = normal.dot(normal);
        let along = relative.dot(normal) / square;
        let total = self.compliance::<V>(normal)?;
        let approaching = along < 0.0;
        if !approaching || total == 0.0 {
            return Ok(nothing);
        }
        let change = -(1.0 + restitution) * along;
        self.push(normal, change, total);
        let impulse = change * square.sqrt() / total;

        // What slides now. For bodies that do not turn that is what slid before, without its rounding.
        let after = self.relative();
        let turns = self.a.arm != Vec3::ZERO || self.b.arm != Vec3::ZERO;
        let sliding =
            if turns { after - normal * (after.dot(normal) / square) } else { relative - normal * along };
        let Some((direction, stretch)) = scaled_to_one(sliding).filter(|_| 0.0 < friction) else {
            return Ok(Struck { impulse, ..nothing });
        };
        let total = self.compliance::<V>(direction)?;
        if total == 0.0 {
            return Ok(Struck { impulse, ..nothing });
        }
        // Along `direction` the sliding is 1/stretch; as a length, that times |direction|.
        let length = direction.dot(direction).sqrt();
        let (stopping, most) = (length / stretch / total, friction * impulse);
        let change = if stopping <= most { 1.0 / stretch } else { most * total / length };
        self.push(direction, -change, total);
        Ok(Struck { impulse, friction_impulse: direction * (-change / total) })
    }
}
