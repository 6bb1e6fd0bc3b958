//! Conversions keep every component in its place.

use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3};

#[test]
fn arrays_and_tuples_round_trip() {
    let flat: Vec2<f32> = [1.0, 2.0].into();
    assert_eq!(flat, (1.0, 2.0).into());
    assert_eq!(<[f32; 2]>::from(flat), [1.0, 2.0]);
    let (x, y, z): (f64, f64, f64) = Vec3::from([1.0, 2.0, 3.0]).into();
    assert_eq!((x, y, z), (1.0, 2.0, 3.0));
    assert_eq!(Pose2::from([1.0, 2.0]).translation, Vec2::new(1.0, 2.0));
    assert_eq!(Pose2::from((1.0_f32, 2.0)), Pose2::at([1.0, 2.0]));
    assert_eq!(Pose3::from((1.0, 2.0, 3.0)), Pose3::at([1.0, 2.0, 3.0]));
    let quarter = Rot2::from_cos_sin(0.0, 1.0).unwrap();
    assert_eq!(Pose2::from(((1.0, 2.0), quarter)), Pose2::new([1.0, 2.0], quarter));
    assert_eq!(Pose3::from(([1.0, 2.0, 3.0], Quat::IDENTITY)).translation.z, 3.0);
    assert_eq!(<[f64; 4]>::from(Quat::IDENTITY), [0.0, 0.0, 0.0, 1.0]);
}

#[cfg(feature = "glam-034")]
#[test]
fn glam_round_trips() {
    use glam_034 as glam;
    let v = glam::Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(glam::Vec3::from(Vec3::from(v)), v);
    let v = glam::DVec2::new(1.0, 2.0);
    assert_eq!(glam::DVec2::from(Vec2::from(v)), v);
    assert_eq!(Pose3::from(glam::Vec3::new(1.0, 2.0, 3.0)), Pose3::at([1.0, 2.0, 3.0]));
    assert_eq!(Pose3::from(glam::DVec3::new(1.0, 2.0, 3.0)), Pose3::at([1.0, 2.0, 3.0]));
    assert_eq!(Pose2::from(glam::Vec2::new(1.0, 2.0)), Pose2::at([1.0, 2.0]));
    assert_eq!(Pose2::from(v), Pose2::at([1.0, 2.0]));
    let q = glam::DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    assert_eq!(glam::DQuat::from(Quat::try_from(q).unwrap()), q);
    assert!(Quat::try_from(glam::Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)).is_err());
}

#[cfg(feature = "mint-05")]
#[test]
fn mint_round_trips() {
    let v = mint::Point3 { x: 1.0, y: 2.0, z: 3.0 };
    assert_eq!(mint::Point3::from(Vec3::from(v)), v);
    assert_eq!(Pose3::from(v), Pose3::at([1.0, 2.0, 3.0]));
    assert_eq!(Pose3::from(mint::Vector3 { x: 1.0, y: 2.0, z: 3.0 }), Pose3::at([1.0, 2.0, 3.0]));
    assert_eq!(Pose2::from(mint::Point2 { x: 1.0, y: 2.0 }), Pose2::at([1.0, 2.0]));
    assert_eq!(Pose2::from(mint::Vector2 { x: 1.0, y: 2.0 }), Pose2::at([1.0, 2.0]));
    let q = mint::Quaternion { s: 0.8, v: mint::Vector3 { x: 0.0, y: 0.6, z: 0.0 } };
    assert_eq!(mint::Quaternion::from(Quat::try_from(q).unwrap()), q);
}
