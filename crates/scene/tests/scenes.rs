//! Scene files, and what `carom check` finds in them, against mathematics.

use carom_scene::check::{Check, ClashKind, ClashOptions, check_meshes, check_scene, items_of_mesh};
use carom_scene::mesh::{Format, MeshFile, parse_mesh};
use carom_scene::scene_file::{MotionKind, Scene, SceneOf, parse_scene, read_scene, world_in_plane};
use std::fmt::Write as _;
use std::path::PathBuf;

const EVERYTHING: &str = r#"{
  "carom": 1, "dim": 3, "gravity": [0, -9.81, 0],
  "bodies": [
    {"name": "wall", "kind": "fixed", "pose": {"translation": [1, 2, 3]}, "shapes": [
      {"shape": {"type": "cuboid", "half_extents": [1, 1, 1]}, "pose": {"translation": [0, 5, 0]}, "density": 2,
       "friction": 0.5, "restitution": 1, "filter": {"category": 4, "mask": 18446744073709551615, "group": -3}},
      {"shape": {"type": "ball", "radius": 9}, "sensor": true}]},
    {"repeat": {"count": [2, 1, 3], "spacing": [10, 0, 0.5], "body": {"name": "door", "kind": "kinematic",
      "pose": {"translation": [100, 0, 0]}, "velocity": [1, 0, 0], "angular": [0, 1, 0],
      "bullet": true, "can_sleep": false}}},
    {}
  ],
  "joints": [{"type": "hinge", "a": "wall", "b": "door[1,0,2]", "anchor_a": [1, 0, 0], "axis_a": [0, 1, 0],
    "limits": [-1, 1], "motor": {"speed": 2}, "spring": {"frequency": 3, "damping_ratio": 0.5}}],
  "settings": {"sub_steps": 8, "slop": 0.001, "sleep": false}
}"#;

fn space(text: &str) -> SceneOf<carom::math::Vec3<f64>> {
    match parse_scene(text.as_bytes(), None) {
        Ok(Scene::Space(scene)) => scene,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_field_is_read() {
    let scene = space(EVERYTHING);
    assert_eq!(scene.gravity.map(|g| g.y), Some(-9.81));
    assert_eq!(scene.bodies.len(), 1 + 6 + 1);
    let wall = &scene.bodies[0];
    assert_eq!((&*wall.name, wall.kind, wall.shapes.len()), ("wall", MotionKind::Fixed, 2));
    let part = &wall.shapes[0];
    assert_eq!((part.pose.translation.y, part.density, part.friction), (5.0, Some(2.0), Some(0.5)));
    assert_eq!((part.restitution, part.is_sensor, wall.shapes[1].is_sensor), (Some(1.0), false, true));
    assert_eq!((part.filter.category, part.filter.mask, part.filter.group), (4, u64::MAX, -3));
    // The first number changes fastest.
    let doors: Vec<_> =
        scene.bodies[1..7].iter().map(|b| (&*b.name, b.pose.translation.x, b.pose.translation.z)).collect();
    assert_eq!(doors[1], ("door[1,0,0]", 110.0, 0.0));
    assert_eq!(doors[4], ("door[0,0,2]", 100.0, 1.0));
    let door = &scene.bodies[6];
    assert!(door.is_bullet && !door.can_sleep && door.kind == MotionKind::Kinematic);
    assert_eq!((door.velocity.x, door.angular.y), (1.0, 1.0));
    assert_eq!((&*scene.bodies[7].name, scene.bodies[7].kind), ("bodies[2]", MotionKind::Dynamic));
    let joint = &scene.joints[0];
    assert_eq!((&*joint.kind, joint.a, joint.b, joint.main.limits), ("hinge", 0, 6, Some([-1.0, 1.0])));
    assert_eq!((joint.anchors[1], joint.axes[0].map(|axis| axis.y)), (None, Some(1.0)));
    assert_eq!(joint.main.motor.map(|motor| (motor.speed, motor.max_force)), Some((2.0, None)));
    assert_eq!(joint.main.spring.map(|spring| spring.frequency), Some(3.0));
    assert_eq!((scene.settings.sub_steps, scene.settings.sleep), (Some(8), Some(false)));
    assert_eq!((scene.settings.slop, scene.settings.max_speed), (Some(0.001), None));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let body = |body: &str| format!("{{\"carom\": 1, \"dim\": 2,\n \"bodies\": [{body}]}}");
    let joint = |joint: &str| {
        format!(
            "{{\"carom\": 1, \"dim\": 2, \"bodies\": [{{\"name\": \"a\"}}, {{\"name\": \"a\"}}, {{}}], \"joints\": [{joint}]}}"
        )
    };
    for (text, kind, parts) in [
        ("".to_owned(), "syntax", &["line 1, column 1"][..]),
        ("[]".to_owned(), "syntax", &["line 1"]),
        ("{}".to_owned(), "missing_field", &["`carom`"]),
        (r#"{"carom": 2, "dim": 2, "bodies": []}"#.to_owned(), "unsupported", &["carom: ", "version 1"]),
        (r#"{"carom": 1, "bodies": []}"#.to_owned(), "missing_field", &["`dim`"]),
        (
            r#"{"carom": 1, "dim": 4, "bodies": []}"#.to_owned(),
            "out_of_range",
            &["dim: ", "2 or 3, but is 4"],
        ),
        (r#"{"carom": 1, "dim": 2}"#.to_owned(), "missing_field", &["`bodies`"]),
        (r#"{"carom": 1, "dim": 2, "bodeis": []}"#.to_owned(), "unknown_field", &["did you mean `bodies`?"]),
        (body("7"), "wrong_type", &["line 2, column 13, bodies[0]: ", "a body"]),
        (body(r#"{}, {"kind": "fixd"}"#), "unknown_kind", &["bodies[1].kind: ", "did you mean `fixed`?"]),
        (body(r#"{"shapes": [{}]}"#), "missing_field", &["bodies[0].shapes[0]: ", "`shape`"]),
        (
            body(r#"{"shapes": [{"shape": {"type": "ball", "radius": -1}}]}"#),
            "negative",
            &["bodies[0].shapes[0].shape.radius: "],
        ),
        (
            body(r#"{"shapes": [{"shape": {"type": "hull", "points": []}}]}"#),
            "wrong_dimension",
            &["shape.type: ", "the scene is in 2D"],
        ),
        (
            body(r#"{"shapes": [{"shape": {"type": "ball", "radius": 1}, "restitution": 1.5}]}"#),
            "out_of_range",
            &["restitution"],
        ),
        (
            body(r#"{"pose": {"translation": [1, 2, 3]}}"#),
            "wrong_length",
            &["pose.translation: ", "the scene is in 2D"],
        ),
        (
            body(&format!(
                r#"{{"repeat": {{"count": [1000, 1000], "spacing": [9, 9], "body": {{"name": "{}"}}}}}}"#,
                "x".repeat(257)
            )),
            "too_long",
            &["bodies[0].repeat.body.name: ", "256 bytes at most, but this has 257"],
        ),
        (
            body(r#"{"repeat": {"count": [2], "spacing": [1, 1], "body": {}}}"#),
            "wrong_length",
            &["repeat.count: "],
        ),
        (
            body(r#"{"repeat": {"count": [-1, 1], "spacing": [1, 1], "body": {}}}"#),
            "wrong_type",
            &["count[0]: "],
        ),
        (
            body(r#"{"repeat": {"count": [1000000000, 1000000000], "spacing": [1, 1], "body": {}}}"#),
            "too_many",
            &["repeat.count: ", "2097152"],
        ),
        (
            body(
                r#"{"repeat": {"count": [3, 1], "spacing": [1e308, 1], "body": {"pose": {"translation": [1e308, 0]}}}}"#,
            ),
            "overflow",
            &["repeat: "],
        ),
        (body(r#"{"repeat": {}, "name": "x"}"#), "unknown_field", &["bodies[0].name: "]),
        ("[]".to_owned(), "syntax", &["expected a scene"]),
        (r#"{"carom": 1,"#.to_owned(), "syntax", &["but the text ends"]),
        (r#"{"carom": 1, "dim": 2, "bodies": []} x"#.to_owned(), "syntax", &["the end of the text"]),
        (
            joint(r#"{"type": "hing", "a": 0, "b": 2}"#),
            "unknown_type",
            &["joints[0].type: ", "did you mean `hinge`?"],
        ),
        // What no part of the joint would heed, and what a joint does nothing without.
        (
            joint(r#"{"type": "fixed", "a": 0, "b": 2, "limits": [0, 1]}"#),
            "unknown_field",
            &["joints[0].limits: ", "a joint of type fixed"],
        ),
        (joint(r#"{"type": "gear", "a": 0, "b": 2, "motor": {"speed": 1}}"#), "unknown_field", &["motor: "]),
        (
            joint(r#"{"type": "filter", "a": 0, "b": 2, "spring": {"frequency": 1}}"#),
            "unknown_field",
            &["spring: "],
        ),
        (
            joint(r#"{"type": "pulley", "a": 0, "b": 2, "points": [[0, 1], [1, 1]], "limits": [0, 1]}"#),
            "unknown_field",
            &["limits: "],
        ),
        (joint(r#"{"type": "rope", "a": 0, "b": 2}"#), "missing_field", &["joints[0]: ", "`limits`"]),
        (joint(r#"{"type": "spring", "a": 0, "b": 2}"#), "missing_field", &["joints[0]: ", "`spring`"]),
        (joint(r#"{"type": "hinge", "a": "b", "b": 2}"#), "no_such_body", &["joints[0].a: "]),
        (joint(r#"{"type": "hinge", "a": "a", "b": 2}"#), "ambiguous", &["joints[0].a: "]),
        (joint(r#"{"type": "hinge", "a": 0, "b": 3}"#), "no_such_index", &["joints[0].b: ", "there are 3"]),
        (joint(r#"{"type": "hinge", "a": 1, "b": 1}"#), "same_body", &["joints[0].b: "]),
        (joint(r#"{"type": "hinge", "a": 0, "b": 1, "limits": [2, 1]}"#), "empty_interval", &["limits: "]),
        (joint(r#"{"type": "hinge", "a": 0, "b": 1, "axis_a": [0, 0]}"#), "zero_direction", &["axis_a: "]),
    ] {
        let error = parse_scene::<f64>(text.as_bytes(), None).expect_err(&text);
        assert_eq!(error.kind, kind, "{text}\n{error}");
        for part in parts {
            assert!(error.to_string().contains(part), "{part}\n{error}");
        }
    }
}

#[test]
fn every_setting_reaches_the_world() {
    let text = br#"{"carom": 1, "dim": 2, "gravity": [0, -2], "bodies": [], "settings": {"sub_steps": 7, "slop": 0.25,
        "contact_stiffness": 0.125, "contact_damping": 3, "joint_stiffness": 0.0625, "joint_damping": 5, "push_speed": 9,
        "restitution_speed": 8, "hit_speed": 6, "max_speed": 50, "continuous": false, "sleep": false, "sleep_time": 2,
        "recycle": false}}"#;
    let Ok(Scene::Plane(mut scene)) = parse_scene::<f32>(text, None) else { panic!("it is a scene") };
    let wanted = carom::d2::Settings {
        gravity: carom::math::Vec2::new(0.0, -2.0),
        sub_steps: 7,
        slop: 0.25,
        contact_stiffness: 0.125,
        contact_damping: 3.0,
        joint_stiffness: 0.0625,
        joint_damping: 5.0,
        push_speed: 9.0,
        restitution_speed: 8.0,
        hit_speed: 6.0,
        max_speed: 50.0,
        continuous: false,
        sleep: false,
        sleep_time: 2.0,
        recycle: false,
    };
    assert_eq!(*world_in_plane(&scene).unwrap().settings(), wanted);
    // A joint between bodies that there are not is not passed over.
    let pair = br#"{"carom": 1, "dim": 2, "bodies": [{"kind": "fixed"}, {"kind": "fixed"}],
        "joints": [{"type": "ball", "a": 0, "b": 1}]}"#;
    let Ok(Scene::Plane(with_joint)) = parse_scene::<f32>(pair, None) else { panic!("it is a scene") };
    scene.joints = with_joint.joints;
    assert_eq!(world_in_plane(&scene).unwrap_err().kind, "no_such_body");
}

/// Every cut and many changed bytes: an error or a scene, never anything worse.
#[test]
fn broken_scenes_do_no_harm() {
    for end in 0..EVERYTHING.len() {
        assert!(parse_scene::<f32>(&EVERYTHING.as_bytes()[..end], None).is_err(), "{end}");
    }
    let mut state = 1_u64;
    for _ in 0..4000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        let index = (state >> 33) as usize % bytes.len();
        bytes[index] = (state >> 20) as u8;
        if let Ok(scene) = parse_scene(&bytes, None) {
            let _ = check_scene(&scene, ClashOptions::default());
        }
    }
}

/// A box as OBJ: the faces run counter-clockwise as seen from outside.
fn brick(name: &str, center: [f64; 3], half: [f64; 3], first: usize) -> String {
    let mut text = format!("o {name}\n");
    for corner in 0..8 {
        let at = |axis: usize| center[axis] + if corner >> axis & 1 == 0 { -half[axis] } else { half[axis] };
        let _ = writeln!(text, "v {} {} {}", at(0), at(1), at(2));
    }
    for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
        let [a, b, c, d] = face.map(|corner| corner + first);
        let _ = writeln!(text, "f {a} {b} {c} {d}");
    }
    text
}

fn obj(text: &str) -> MeshFile {
    parse_mesh(text.as_bytes(), Format::Obj).expect("a mesh")
}

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.join("scene/parts")).expect("a folder");
    path
}

#[test]
fn mesh_files_come_from_the_folder_of_the_scene_and_nowhere_else() {
    let root = folder("scene_meshes");
    std::fs::write(root.join("scene/parts/brick.obj"), brick("b", [0.0; 3], [1.0; 3], 1)).expect("a file");
    std::fs::write(root.join("outside.obj"), brick("b", [0.0; 3], [1.0; 3], 1)).expect("a file");
    std::fs::write(root.join("scene/broken.obj"), "v 1 2 x\n").expect("a file");
    let scene = |file: &str| {
        let path = root.join("scene/scene.json");
        let text = format!(
            "{{\"carom\": 1, \"dim\": 3, \"bodies\": [{{\"repeat\": {{\"count\": [2, 1, 1], \"spacing\": [1.75, 0, 0], \
             \"body\": {{\"name\": \"b\", \"shapes\": [{{\"shape\": {{\"type\": \"mesh\", \"file\": \"{file}\"}}}}]}}}}}}]}}"
        );
        std::fs::write(&path, text).expect("a file");
        read_scene::<f64>(path)
    };
    let Check::Space(found) =
        check_scene(&scene("parts/brick.obj").expect("a scene"), ClashOptions::default()).expect("a report")
    else {
        panic!("in space");
    };
    assert_eq!((found.clashes.len(), found.clashes[0].kind), (1, ClashKind::Piercing));
    assert!((found.clashes[0].depth - 0.25).abs() < 1e-3 && 0.25 <= found.clashes[0].depth_upper);

    for (file, kind, part) in [
        ("../outside.obj", "outside_folder", "own folder"),
        ("/etc/passwd", "outside_folder", "own folder"),
        ("parts/../../outside.obj", "outside_folder", "own folder"),
        ("parts/none.obj", "unreadable", "none.obj cannot be read"),
        ("parts", "unreadable", "not a regular file"),
        ("broken.obj", "syntax", "broken.obj: line 1: expected a number"),
    ] {
        let error = scene(file).expect_err(file);
        assert_eq!(error.kind, kind, "{error}");
        let text = error.to_string();
        assert!(
            text.contains(part) && text.contains("bodies[0].repeat.body.shapes[0].shape.file: "),
            "{text}"
        );
    }
    #[cfg(unix)]
    {
        let link = root.join("scene/link.obj");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(root.join("outside.obj"), link).expect("a link");
        assert_eq!(scene("link.obj").expect_err("a link").kind, "outside_folder");
    }
}

#[test]
fn meshes_clash_by_kind_and_depth() {
    let mut text = brick("plate", [0.0; 3], [4.0, 0.5, 3.0], 1);
    text += &brick("sunk", [2.0, 1.375, 0.0], [0.5, 1.0, 0.5], 9);
    text += &brick("standing", [-2.0, 1.5, 0.0], [0.5, 1.0, 0.5], 17);
    text += &brick("core", [-2.0, 1.5, 0.0], [0.25; 3], 25);
    text += &brick("beside", [5.25, 0.0, 0.0], [1.0; 3], 33);
    let file = obj(&text);
    let items = items_of_mesh("a.obj", &file).expect("items");
    assert!(items.iter().all(|item| item.surface.is_none()));
    let found = check_meshes(items, ClashOptions { clearance: 0.5, touch: 0.0 }).expect("a report");
    let rows = found.rows();
    let kinds: Vec<_> = rows.iter().map(|row| (row.names.map(|name| &name[7..]), row.kind)).collect();
    assert_eq!(
        kinds,
        [
            (["plate", "sunk"], ClashKind::Piercing),
            (["plate", "standing"], ClashKind::Touching),
            (["plate", "beside"], ClashKind::Near),
            (["standing", "core"], ClashKind::SecondInside),
        ]
    );
    assert!((rows[0].depth - 0.125).abs() < 1e-3 && (rows[2].distance - 0.25).abs() < 1e-12, "{rows:?}");
    // Where they touch is the foot of the standing one.
    let place = &rows[1].place;
    assert!(place[1] == 0.5 && (place[0] + 2.0).abs() <= 0.5 && place[2].abs() <= 0.5, "{place:?}");

    let svg = found.to_svg();
    for word in ["from above", "from the front", "from the right", "<title>a.obj: sunk</title>", ">4</text>"]
    {
        assert!(svg.contains(word), "{word}");
    }
    assert!(is_well_formed(&svg));
}

#[test]
fn open_and_inverted_meshes_are_surfaces_and_that_is_said() {
    let closed = brick("b", [0.0; 3], [1.0; 3], 1);
    let open = closed.rsplit_once("\nf").expect("a face").0.to_owned() + "\n";
    let reason = |text: &str| items_of_mesh("x", &obj(text)).expect("items")[0].surface.clone();
    assert_eq!(reason(&closed), None);
    assert_eq!(reason(&open).map(|error| error.kind()), Some("not_closed"));
    let turned: String = closed
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" ")),
            None => format!("{line}\n"),
        })
        .collect();
    assert_eq!(reason(&turned).map(|error| error.kind()), Some("inside_out"));
    // A small piece inside out beside a large one that is not: the volume of both is positive.
    let mut both = brick("b", [0.0; 3], [4.0; 3], 1).replace("o b\n", "");
    for line in brick("b", [9.0, 0.0, 0.0], [1.0; 3], 9).lines().filter(|line| !line.starts_with('o')) {
        match line.strip_prefix("f ") {
            Some(corners) => {
                let _ = writeln!(both, "f {}", corners.split(' ').rev().collect::<Vec<_>>().join(" "));
            }
            None => {
                let _ = writeln!(both, "{line}");
            }
        }
    }
    assert_eq!(reason(&both).map(|error| error.kind()), Some("inside_out"));
    // A triangle from both sides has nothing inside that could be out.
    let sheet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n";
    assert_eq!(reason(sheet).map(|error| error.kind()), Some("no_volume"));
    // The edge is named by the vertices of the file.
    let shifted = format!("v 7 7 7\n{}", open.replace("o b\n", ""));
    let shifted: String = shifted
        .lines()
        .map(|line| match line.strip_prefix("f ") {
            Some(corners) => {
                let moved = corners
                    .split(' ')
                    .map(|corner| (corner.parse::<usize>().expect("a number") + 1).to_string());
                format!("f {}\n", moved.collect::<Vec<_>>().join(" "))
            }
            None => format!("{line}\n"),
        })
        .collect();
    // The missing face is 1 3 7 5, counted from 0: one more for the vertex before them.
    let carom::Error::NotClosed { first, second, .. } = reason(&shifted).expect("open") else {
        panic!("open")
    };
    assert!([2, 4, 8, 6].contains(&first) && [2, 4, 8, 6].contains(&second), "{first} {second}");
}

#[test]
fn bodies_filters_and_sensors_are_respected() {
    let ball = |more: &str| format!("{{\"shape\": {{\"type\": \"ball\", \"radius\": 1}}{more}}}");
    let scene = |bodies: &[String]| {
        let list: Vec<String> = bodies.iter().map(|shapes| format!("{{\"shapes\": [{shapes}]}}")).collect();
        let text = format!("{{\"carom\": 1, \"dim\": 2, \"bodies\": [{}]}}", list.join(", "));
        let scene = parse_scene(text.as_bytes(), None).expect("a scene");
        check_scene(&scene, ClashOptions::default()).expect("a report")
    };
    let names =
        |found: &Check| -> Vec<String> { found.rows().iter().map(|row| row.names.join(" - ")).collect() };
    let two = format!("{}, {}", ball(""), ball(", \"pose\": {\"translation\": [1, 0]}"));
    let found = scene(std::slice::from_ref(&two));
    assert!(found.is_clear());
    assert_eq!(
        names(&scene(&[two, ball("")])),
        ["bodies[0], shape 0 - bodies[1]", "bodies[0], shape 1 - bodies[1]"]
    );
    let group = ball(", \"filter\": {\"group\": -1}");
    assert_eq!(
        names(&scene(&[group.clone(), group, ball("")])),
        ["bodies[0] - bodies[2]", "bodies[1] - bodies[2]"]
    );
    let found = scene(&[ball(", \"sensor\": true"), ball("")]);
    assert!(found.is_clear() && found.sensors() == 1 && found.item_count() == 1);
}

#[test]
fn pictures_of_every_shape_and_size_are_well_formed() {
    let shapes = [
        r#"{"type": "ball", "radius": 1}"#,
        r#"{"type": "cuboid", "half_extents": [1, 2, 3]}"#,
        r#"{"type": "capsule", "a": [0, 0, 0], "b": [1, 1, 1], "radius": 0.5}"#,
        r#"{"type": "segment", "a": [0, 0, 0], "b": [0, 0, 0]}"#,
        r#"{"type": "triangle", "a": [0, 0, 0], "b": [1, 0, 0], "c": [0, 1, 0]}"#,
        r#"{"type": "half_space", "normal": [0, 1, 0], "offset": -1}"#,
        r#"{"type": "half_space", "normal": [1, 1, 1], "offset": -1}"#,
        r#"{"type": "cylinder", "half_height": 1, "radius": 1}"#,
        r#"{"type": "cone", "half_height": 1, "radius": 1}"#,
        r#"{"type": "ellipsoid", "radii": [1, 2, 3]}"#,
        r#"{"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}"#,
        r#"{"type": "rounded", "shape": {"type": "cone", "half_height": 1, "radius": 1}, "radius": 0.25}"#,
        r#"{"type": "height_field", "heights": [[0, 1], [1, 0]], "spacing": [1, 1]}"#,
        r#"{"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}"#,
        r#"{"type": "compound", "parts": [{"shape": {"type": "ball", "radius": 1}, "pose": {"translation": [1, 0, 0]}}]}"#,
    ];
    for place in ["0", "1e-300", "1e300", "1e7"] {
        let bodies: Vec<String> = shapes
            .iter()
            .map(|shape| {
                format!("{{\"name\": \"<&\\u0007\\\">\", \"pose\": {{\"translation\": [{place}, 0, 0]}}, \"shapes\": [{{\"shape\": {shape}}}]}}")
            })
            .collect();
        let text = format!("{{\"carom\": 1, \"dim\": 3, \"bodies\": [{}]}}", bodies.join(", "));
        let scene = parse_scene(text.as_bytes(), None).expect("a scene");
        let found = check_scene(&scene, ClashOptions::default()).expect("a report");
        let svg = found.to_svg();
        assert!(is_well_formed(&svg), "{place}");
        let mut json = Vec::new();
        found.write_json(&[], &mut json);
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        assert_eq!(json["items"].as_array().map(Vec::len), Some(shapes.len()));
    }
}

/// Elements are closed in order, and no number is NaN or infinite.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let Some((tag, text)) = tag.split_once('>') else { return false };
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        let is_control = |c: char| c.is_control() && c != '\n';
        if tag.contains("NaN") || tag.contains("inf") || text.contains('>') || text.contains(is_control) {
            return false;
        }
    }
    open.is_empty()
}
