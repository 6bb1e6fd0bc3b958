//! Rays, boxes and balls given as plain numbers have the answers of the same things as shapes.

use carom_geometry::{
    CastOptions, Ray, d3, moving_aabb_aabb, moving_aabb_plane, moving_ball_plane, ray_aabb, ray_plane,
};
use carom_math::Vec3;
use carom_oracle::generate::Rng;

#[test]
fn plain_boxes_and_planes_agree_with_shapes() {
    let mut rng = Rng::new(30);
    for _ in 0..2000 {
        let mut p = || Vec3::from([0; 3].map(|_| f64::from(rng.between(-8, 8)) / 2.0));
        let (half, place, velocity) = (p(), p() * 2.0, p());
        let half = Vec3::new(half.x.abs(), half.y.abs(), half.z.abs());
        let (other, drift) = (Vec3::new(1.0, 0.5, 2.0), p());
        let options = CastOptions { max: 1e9 };
        let still = Vec3::new(0.0, 0.0, 0.0);
        let cuboid = d3::Cuboid::new(half).unwrap();
        let second = d3::Cuboid::new(other).unwrap();
        let by_shapes = d3::cast_shape(&cuboid, place, velocity, &second, still, drift, options).unwrap();
        let by_numbers =
            moving_aabb_aabb([place - half, place + half], velocity, [-other, other], drift).unwrap();
        assert_eq!(by_shapes.map(|hit| hit.t), by_numbers);

        // From above the plane is the surface of a half-space.
        let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], -10.0).unwrap();
        let by_shapes = d3::cast_shape(&cuboid, place, velocity, &ground, still, still, options).unwrap();
        if place.y - half.y >= -10.0 {
            let by_numbers =
                moving_aabb_plane(place - half, place + half, velocity, [0.0, 2.0, 0.0], -20.0).unwrap();
            assert_eq!(by_shapes.map(|hit| hit.t), by_numbers);
        }
        let ball = d3::Ball::new(half.x).unwrap();
        let by_shapes = d3::cast_shape(&ball, place, velocity, &ground, still, still, options).unwrap();
        if place.y - half.x >= -10.0 {
            let by_numbers = moving_ball_plane(place, half.x, velocity, [0.0, 1.0, 0.0], -10.0).unwrap();
            assert_eq!(by_shapes.map(|hit| hit.t), by_numbers);
        }
        if velocity == still {
            continue;
        }
        let ray = Ray::new(place, velocity).unwrap();
        let by_shape = d3::cast_ray(&second, still, &ray, Default::default()).unwrap();
        let by_numbers = ray_aabb(-other, other, &ray).unwrap();
        assert_eq!(by_shape.map(|hit| hit.t), by_numbers.map(|[enter, _]| enter));
        let by_plane = ray_plane([0.0, 1.0, 0.0], -10.0, &ray).unwrap();
        let by_ball = moving_ball_plane(place, 0.0, velocity, [0.0, 1.0, 0.0], -10.0).unwrap();
        assert_eq!(by_plane, by_ball);
    }
    let upside_down = moving_aabb_plane(Vec3::new(1.0, 0.0, 0.0), [0.0; 3], [0.0; 3], [0.0, 1.0, 0.0], 0.0);
    assert_eq!(upside_down.unwrap_err().kind(), "negative");
}
