//! What is told about a mesh, against mathematics.

use super::valid::parsed;
use super::write::brick;
use carom_scene::mesh::{FitKind, FitOptions, Format, fit};
use serde_json::Value;

fn json(bytes: &[u8], format: Format, options: &FitOptions<'_>) -> Value {
    let mut output = Vec::new();
    fit(&parsed(bytes, format), options, |_| {}).write_json("a \"file\"", &mut output);
    serde_json::from_slice(&output).expect("JSON")
}

#[test]
fn a_brick() {
    // 1 by 2 by 0.5, with a corner at the origin.
    for (name, format, bytes) in brick().files() {
        let options = FitOptions { kinds: &FitKind::ALL, density: 3.0 };
        let found = json(&bytes, format, &options);
        assert_eq!(found["file"], "a \"file\"");
        assert_eq!(found["format"], format.name());
        for (field, count) in [("vertices", 8), ("places", 8), ("triangles", 12), ("groups", 1)] {
            assert_eq!(found[field], count, "{name}");
        }
        let number = |value: &Value| value.as_f64().expect("a number");
        let near = |value: &Value, expected: f64| (number(value) - expected).abs() < 1e-14;
        assert_eq!(found["aabb"]["max"], serde_json::json!([1, 2, 0.5]));
        for part in ["aabb", "obb", "hull", "mass"] {
            assert!(near(&found[part]["volume"], 1.0), "{name} {part}: {found}");
        }
        assert!(0.999 < number(&found["obb_pca"]["volume"]));
        // Half the diagonal: √(1 + 4 + 1/4) / 2.
        assert!(near(&found["ball"]["radius"], 5.25_f64.sqrt() / 2.0), "{found}");
        assert!(number(&found["ball"]["radius"]) <= number(&found["ritter"]["radius"]));
        assert_eq!((&found["hull"]["vertices"], &found["hull"]["faces"]), (&8.into(), &6.into()));
        assert_eq!(
            (number(&found["mass"]["mass"]), &found["mass"]["center"]),
            (3.0, &serde_json::json!([0.5, 1, 0.25]))
        );
        // m (b² + c²) / 12.
        assert!(near(&found["mass"]["inertia"][0][0], 3.0 * (4.0 + 0.25) / 12.0));
        assert_eq!(found["health"]["closed"], true);
        assert_eq!(
            (&found["health"]["open_edge"], &found["health"]["surplus_vertices"]),
            (&Value::Null, &0.into())
        );
        assert_eq!((&found["health"]["oriented"], &found["health"]["components"]), (&true.into(), &1.into()));
        assert_eq!(found["health"]["boundary_edges"], serde_json::json!([]), "{name}");
    }
}

#[test]
fn an_open_mesh_has_bounds_but_no_inside() {
    let mut model = brick();
    model.triangles.pop();
    model.vertices.push([100.0, 0.0, 0.0]);
    let found = json(&model.obj(), Format::Obj, &FitOptions::default());
    assert_eq!(found["mass"]["error"]["kind"], "not_closed");
    assert_eq!(found["health"]["closed"], false);
    assert_eq!((&found["vertices"], &found["places"]), (&9.into(), &8.into()));
    assert_eq!(found["health"]["surplus_vertices"], 1);
    // The last triangle was 1 7 5: the lowest of its edges is open now.
    assert_eq!(found["health"]["open_edge"], serde_json::json!([1, 5]));
    // That triangle has three edges, and the last vertex belongs to none.
    assert_eq!(found["health"]["boundary_edges"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["health"]["unused_vertices"], serde_json::json!([8]));
    // What no triangle uses is not bounded.
    assert_eq!(found["aabb"]["max"], serde_json::json!([1, 2, 0.5]));
}

#[test]
fn only_what_is_asked_for_is_told_and_in_a_fixed_order() {
    let mut seen = Vec::new();
    let mesh = parsed(brick().obj(), Format::Obj);
    let options = FitOptions { kinds: &[FitKind::Health, FitKind::Aabb], density: 1.0 };
    let found = fit(&mesh, &options, |kind| seen.push(kind));
    assert_eq!(seen, [FitKind::Aabb, FitKind::Health]);
    assert!(found.aabb.is_some() && found.mass.is_none() && found.hull.is_none() && found.obb.is_none());
    // A box does not depend on whether the hull was found first.
    let both = fit(&mesh, &FitOptions::default(), |_| {});
    assert_eq!(both.aabb, found.aabb);
}

#[test]
fn what_is_too_large_is_an_error_of_its_part() {
    let text = "v 0 0 0\nv 1e200 0 0\nv 0 1e200 0\nv 0 0 1e200\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let found = json(text.as_bytes(), Format::Obj, &FitOptions::default());
    assert_eq!(found["aabb"]["error"]["kind"], "overflow", "{found}");
    assert_eq!(found["mass"]["error"]["kind"], "overflow");
    assert_eq!(found["health"]["closed"], true);
    assert!(found["ball"]["radius"].is_number());
    let flat = json(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj, &FitOptions::default());
    assert_eq!((&flat["hull"]["faces"], &flat["hull"]["volume"]), (&2.into(), &0.into()));
    let negative = json(&brick().obj(), Format::Obj, &FitOptions { density: -1.0, ..FitOptions::default() });
    assert_eq!(negative["mass"]["error"]["kind"], "negative");
}
