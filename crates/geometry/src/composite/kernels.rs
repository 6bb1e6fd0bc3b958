//! The kernels for convex shapes as the walks see them, generated for both dimensions.

/// The type `$kernels` of a dimension. The dimension supplies what its `composite/mod.rs` imports: pairs, manifolds, motions, and
/// the names of its composite shapes; `$speed` is the magnitude of an angular velocity, and the block holds further methods.
macro_rules! kernels_of_convex_shapes {
    (
        $(#[$doc:meta])*
        $kernels:ident, $vector:ident, $matrix:ident, $pose:ident, $motion:ident, [$($composite:ident),+], $speed:expr, { $($own:tt)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $kernels;

        impl Kernels for $kernels {
            type Vector = $vector<f64>;
            type Matrix = $matrix<f64>;
            type Pose = $pose<f64>;
            type Motion = $motion<f64>;
            type Shape = Shape<f64>;

            #[inline]
            fn parts(shape: &Shape<f64>) -> Option<&dyn Parts<Self>> {
                match shape {
                    $(Shape::$composite(parts) => Some(parts),)+
                    _ => None,
                }
            }
            fn plane(shape: &Shape<f64>) -> Option<($vector<f64>, f64)> {
                if let Shape::HalfSpace(plane) = shape { Some((plane.normal(), plane.offset())) } else { None }
            }
            fn core_bounds(shape: &Shape<f64>) -> (Aabb<$vector<f64>>, f64) {
                let of = |points: [$vector<f64>; 2]| points.into_iter().fold(Aabb::empty(), Aabb::merged_with);
                match shape {
                    // Without the roundings of a placement: these two are asked about for every pair.
                    Shape::Cuboid(cuboid) => {
                        let half = cuboid.half_extents();
                        (Aabb { min: -half, max: half }, 0.0)
                    }
                    Shape::Triangle(triangle) => {
                        (triangle.corners().into_iter().fold(Aabb::empty(), Aabb::merged_with), 0.0)
                    }
                    Shape::Ball(ball) => (of([$vector::<f64>::ZERO; 2]), ball.radius()),
                    Shape::Capsule(capsule) => (of([capsule.segment().a(), capsule.segment().b()]), capsule.radius()),
                    Shape::Rounded(rounded) => {
                        let (core, radius) = Self::core_bounds(&rounded.core());
                        (core, radius + rounded.radius())
                    }
                    other => (other.bounds(&Frame::local()), 0.0),
                }
            }
            fn farthest(shape: &Shape<f64>, direction: $vector<f64>) -> $vector<f64> {
                let along = |radius: f64| direction.normalized().map_or($vector::<f64>::ZERO, |unit| unit * radius);
                match shape {
                    Shape::Ball(ball) => along(ball.radius()),
                    Shape::Triangle(triangle) => {
                        let [first, rest @ ..] = triangle.corners();
                        let higher = |(most, best), corner| {
                            let height = direction.dot(corner);
                            if most < height { (height, corner) } else { (most, best) }
                        };
                        rest.into_iter().fold((direction.dot(first), first), higher).1
                    }
                    Shape::HalfSpace(plane) => plane.normal() * plane.offset(),
                    Shape::Rounded(rounded) => Self::farthest(&rounded.core(), direction) + along(rounded.radius()),
                    other => {
                        body_of(other).map_or($vector::<f64>::ZERO, |(body, radius)| body.support(direction).0 + along(radius))
                    }
                }
            }
            #[inline]
            fn radius_of_ball(shape: &Shape<f64>) -> Option<f64> {
                if let Shape::Ball(ball) = shape { Some(ball.radius()) } else { None }
            }
            fn middle(shape: &Shape<f64>, direction: $vector<f64>) -> $vector<f64> {
                if let Shape::Ball(_) = shape {
                    return $vector::<f64>::ZERO;
                }
                Self::farthest(shape, -direction) * 0.5 + Self::farthest(shape, direction) * 0.5
            }
            $($own)*
            fn relate(
                a: &Shape<f64>,
                b: &Shape<f64>,
                place: &Place<Self>,
                error: f64,
                limit: f64,
            ) -> Option<Relation<$vector<f64>>> {
                relate_in_any_order(a, b, place, error, limit)
            }
            fn touch(a: &Shape<f64>, b: &Shape<f64>, place: &Place<Self>, error: f64) -> bool {
                touch_in_any_order(a, b, place, error)
            }
            fn overlap_by(a: &Shape<f64>, b: &Shape<f64>, place: &Place<Self>, error: f64, depth: f64) -> bool {
                overlap_by(a, b, place, error, depth)
            }
            fn nearest(shape: &Shape<f64>, point: $vector<f64>) -> Nearest<$vector<f64>> {
                nearest_point(shape, point)
            }
            fn span(shape: &Shape<f64>, origin: $vector<f64>, direction: $vector<f64>) -> (Option<Span<$vector<f64>>>, bool) {
                span(shape, origin, direction)
            }

            fn composed(outer: &Place<Self>, inner: &Place<Self>) -> Place<Self> {
                Relative { rotation: outer.rotation * inner.rotation, translation: outer.point(inner.translation) }
            }
            fn inverse(place: &Place<Self>) -> Place<Self> {
                let rotation = place.rotation.transposed();
                Relative { rotation, translation: -(rotation * place.translation) }
            }
            fn place_of(pose: $pose<f64>) -> Place<Self> {
                Relative { rotation: pose.rotation.to_matrix(), translation: pose.translation }
            }
            fn placed(outer: $pose<f64>, inner: $pose<f64>) -> $pose<f64> {
                outer * inner
            }

            fn manifold(
                shapes: [&Shape<f64>; 2],
                place: &Place<Self>,
                found: &Separation<$vector<f64>>,
                bounds: (f64, f64),
            ) -> Result<Option<Manifold<$vector<f64>>>, Error> {
                manifold_of_known(shapes, place, found, bounds)
            }
            fn cast(
                [(a, pose_a), (b, pose_b)]: [(&Shape<f64>, $pose<f64>); 2],
                [velocity_a, velocity_b]: [$vector<f64>; 2],
                options: CastOptions<f64>,
            ) -> Result<Option<Hit<$vector<f64>>>, Error> {
                cast_shape(a, pose_a, velocity_a, b, pose_b, velocity_b, options)
            }
            fn pose_at(motion: $motion<f64>, time: f64) -> $pose<f64> {
                motion.at(time)
            }
            fn moved(motion: $motion<f64>, time: f64, point: $vector<f64>) -> $vector<f64> {
                motion.at(time).point_to_world(point)
            }
            fn turning_speed(motion: $motion<f64>, arm: f64) -> f64 {
                let speed: fn(_) -> f64 = $speed;
                speed(motion.angular()) * arm
            }
            fn angular_speeds([a, b]: [$motion<f64>; 2]) -> ([f64; 2], f64) {
                let speed: fn(_) -> f64 = $speed;
                ([a, b].map(|motion| speed(motion.angular())), speed(b.angular() - a.angular()))
            }
            fn velocity(motion: $motion<f64>) -> $vector<f64> {
                motion.velocity()
            }
            fn impact(
                parts: [(&Shape<f64>, Option<$pose<f64>>, $motion<f64>); 2],
                options: ImpactOptions<f64>,
            ) -> Result<Option<Impact<$vector<f64>>>, Error> {
                impact_of_parts(parts, options)
            }
        }
    };
}

pub(crate) use kernels_of_convex_shapes;
