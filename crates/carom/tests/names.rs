//! What the table of README.md names can be named through this crate alone, and poses are anything that converts.

/// The table, as one imports it.
#[allow(unused_imports)]
mod table {
    use carom::bvh::{Bvh, DynamicBvh};
    use carom::d2::{Outline, ccd_vertex_edge, convex_decomposition, minimum_rectangle};
    use carom::d3::{
        Aabb, Ball, BoundingBall, Cuboid, HeightField, Index, MeshSolid, Obb, Pose, Vec3, World, cast_ray,
        cast_rays, cast_shape, ccd_edge_edge, ccd_vertex_face, clashes, clearance_cached, closest_point,
        closest_point_batch, contact, contact_batch, contact_cached, contact_within, convex_hull,
        decompose_mesh, distance, distance_batch, distance_cached, explain, gap, intersects,
        intersects_batch, intersects_cached, manifold, manifold_batch, manifolds, manifolds_cached,
        mass_properties, mesh_health, mesh_mass, minimum_box, ray_hits, ray_passages, relate, repair_mesh,
        time_of_impact, time_of_impact_batch,
    };
    use carom::response::respond;
}

use carom::d3::{
    Ball, Cuboid, HeightField, Pose, Vec3, intersects, intersects_cached, manifolds, manifolds_cached,
};
use carom::{d2, d3};

#[test]
fn caches_of_parts_and_of_pairs_can_be_kept_in_a_field() -> Result<(), carom::Error> {
    #[derive(Default)]
    struct Kept {
        parts: d3::PartCache,
        pair: d3::PairCache,
        in_the_plane: (d2::PartCache, d2::PairCache),
        by_vector: (carom::PartCache<Vec3<f64>>, carom::PairCache<Vec3<f64>>),
    }
    let mut kept = Kept::default();
    let floor = HeightField::new([[0.0; 5]; 5], [1.0, 1.0])?;
    let (brick, here, at) = (Cuboid::new([0.5, 0.5, 0.5])?, (0.0, 0.0, 0.0), (2.0, 0.25, 2.0));
    let (mut found, mut anew) = (Vec::new(), Vec::new());
    manifolds_cached(&floor, here, &brick, at, 0.01, &mut kept.parts, &mut found)?;
    manifolds_cached(&floor, here, &brick, at, 0.01, &mut kept.by_vector.0, &mut found)?;
    manifolds(&floor, here, &brick, at, 0.01, &mut anew)?;
    assert!(!anew.is_empty() && found == anew);
    assert!(intersects_cached(&brick, here, &brick, (0.5, 0.0, 0.0), &mut kept.pair)?);
    assert!(intersects_cached(&brick, here, &brick, (0.5, 0.0, 0.0), &mut kept.by_vector.1)?);
    let disc = d2::Ball::new(1.0)?;
    assert!(d2::intersects_cached(&disc, (0.0, 0.0), &disc, (1.5, 0.0), &mut kept.in_the_plane.1)?);
    Ok(())
}

#[test]
fn tuples_arrays_vectors_and_turned_ones_are_poses() -> Result<(), carom::Error> {
    let ball = Ball::new(1.0)?;
    let turned = ((0.0, 0.0, 0.0), carom::d3::Quat::IDENTITY);
    assert!(intersects(&ball, (0.0, 0.0, 0.0), &ball, (1.5, 0.0, 0.0))?);
    assert!(intersects(&ball, [0.0, 0.0, 0.0], &ball, Vec3::new(1.5, 0.0, 0.0))?);
    assert!(!intersects(&ball, turned, &ball, Pose::at((2.5, 0.0, 0.0)))?);
    let disc = d2::Ball::new(1.0_f32)?;
    assert!(d2::intersects(&disc, (0.0, 0.0), &disc, ((1.5, 0.0), d2::Rot2::IDENTITY))?);
    Ok(())
}
