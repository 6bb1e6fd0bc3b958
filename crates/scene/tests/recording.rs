//! Recordings: they replay to the same hashes, and no file, however it was cut or changed, does more than be refused.

use carom_scene::recording::{End, Reader, Recorder, RecordingError, Replay, Source, replay};

fn record(source: &Source, steps: usize) -> Vec<u8> {
    let mut running = source.start().unwrap();
    let mut recorder = Recorder::new(Vec::new(), source, &running).unwrap();
    for _ in 0..steps {
        running.step().unwrap();
        recorder.step(&running).unwrap();
    }
    recorder.finish().unwrap()
}

fn builtin(name: &str) -> Source {
    Source::Builtin(name.into())
}

fn replayed(file: &[u8]) -> Result<Replay, RecordingError> {
    replay(file, 1, |_, _| ())
}

/// FNV-1a as the format asks for, written down once more.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(14_695_981_039_346_656_037, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211)
    })
}

fn block(letter: u8, content: &[u8]) -> Vec<u8> {
    let mut head = vec![letter];
    head.extend((content.len() as u32).to_le_bytes());
    let hash = fnv(&head);
    let small = (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) as u16;
    let hash = fnv(&[&head, content].concat());
    let large = (hash ^ hash >> 32) as u32;
    [&head, &small.to_le_bytes()[..], content, &large.to_le_bytes()].concat()
}

/// Where the blocks of a file begin, and where it ends.
fn blocks(file: &[u8]) -> Vec<usize> {
    let mut at = vec![10];
    while let Some(begin) = at.last().copied().filter(|begin| *begin < file.len()) {
        let length = u32::from_le_bytes(file[begin + 1..begin + 5].try_into().unwrap()) as usize;
        at.push(begin + 7 + length + 4);
    }
    at
}

#[test]
fn scenes_replay_to_the_same_hashes_on_any_number_of_threads() {
    for (name, steps) in [("2d/card_house", 30), ("2d/rush", 20), ("3d/jolt_pyramid", 4), ("2d/washer", 3)] {
        let file = record(&builtin(name), steps);
        for threads in [1, 2] {
            let replay = replay(&file, threads, |_, _| ()).unwrap();
            assert_eq!((replay.steps, replay.difference, replay.end), (steps as u64, None, Some(End::Whole)));
        }
        // The same file whenever it is written.
        assert_eq!(record(&builtin(name), steps), file);
    }
}

#[test]
fn a_scene_file_is_recorded_with_its_text() {
    let text = r#"{"carom": 1, "dim": 3, "gravity": [0, -9.81, 0], "bodies": [
        {"name": "ground", "kind": "fixed", "shapes": [{"shape": {"type": "cuboid", "half_extents": [9, 1, 9]}}]},
        {"repeat": {"count": [2, 3, 2], "spacing": [1, 1.25, 1], "body":
            {"name": "ball", "pose": {"translation": [0, 2, 0]}, "shapes": [{"shape": {"type": "ball", "radius": 0.5}}]}}}]}"#;
    let source = Source::File { text: text.into(), meshes: Vec::new() };
    let file = record(&source, 60);
    let replay = replayed(&file).unwrap();
    assert_eq!((replay.source, replay.steps, replay.difference), (source, 60, None));
    let broken = Source::File { text: "{\"carom\": 1}".into(), meshes: Vec::new() }.start().unwrap_err();
    assert_eq!(broken.kind, "scene");
}

#[test]
fn mesh_files_travel_with_the_scene() {
    let folder = std::env::temp_dir().join(format!("carom-recording-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    let floor = "v -4 0 -4\nv 4 0.25 -4\nv 4 0 4\nv -4 0 4.0000002\nf 4 3 2\nf 2 1 4\n";
    std::fs::write(folder.join("parts/floor.obj"), floor).unwrap();
    let text = r#"{"carom": 1, "dim": 3, "gravity": [0, -9.81, 0], "bodies": [
        {"name": "ground", "kind": "fixed", "shapes": [{"shape": {"type": "mesh", "file": "./parts/floor.obj"}}]},
        {"name": "ball", "pose": {"translation": [0.5, 1, 0]}, "shapes": [{"shape": {"type": "ball", "radius": 0.5}}]}]}"#;
    std::fs::write(folder.join("scene.json"), text).unwrap();
    let source = Source::file(folder.join("scene.json")).unwrap();
    let run = carom_scene::scene_file::read_scene::<f32>(folder.join("scene.json")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let Source::File { meshes, .. } = &source else { panic!("not a file") };
    assert_eq!((meshes.len(), meshes[0].name.as_str()), (1, "parts/floor.obj"));
    assert_eq!((meshes[0].vertices.len(), meshes[0].triangles.len()), (4, 2));

    let file = record(&source, 90);
    let replay = replayed(&file).unwrap();
    assert_eq!((&replay.source, replay.steps, replay.difference), (&source, 90, None));
    // As without a recording: the ball lies on the mesh.
    let mut running = run.start().unwrap();
    (0..90).for_each(|_| running.step().unwrap());
    assert_eq!(running.hash(), replay.hash);
    let carom_scene::builtin::Running::Solid { world, .. } = &running else { unreachable!() };
    assert!(world.bodies().all(|body| body.pose().translation.y > -0.1));

    // Cut off or changed within the mesh.
    let mesh = blocks(&file)[1];
    assert_eq!(file[mesh], b'M');
    let cut = replayed(&file[..mesh + 20]).unwrap_err();
    assert_eq!((cut.kind, cut.offset), ("corrupt", Some(mesh)));
    let mut changed = file.clone();
    changed[mesh + 20] ^= 1;
    assert_eq!(replayed(&changed).unwrap_err().offset, Some(mesh));
    // Without it, the scene is not complete.
    let alone = Source::File { text: text.into(), meshes: Vec::new() }.start().unwrap_err();
    assert!(alone.text.contains("no folder"), "{alone}");
}

#[test]
fn poses_are_those_of_the_bodies() {
    let source = builtin("2d/vertical_stack");
    let file = record(&source, 40);
    let mut reader = Reader::open(&file).unwrap();
    let mut running = source.start().unwrap();
    let mut known = std::collections::BTreeMap::new();
    let mut step = 0;
    while let Some(recorded) = reader.next_step().unwrap() {
        if step > 0 {
            running.step().unwrap();
        }
        known.extend(recorded.moved);
        assert_eq!(recorded.hash, running.hash());
        let carom_scene::builtin::Running::Flat { world, .. } = &running else { unreachable!() };
        assert_eq!(known.len(), world.body_count());
        for body in world.bodies() {
            let pose = body.pose();
            let found = [pose.translation.x, pose.translation.y, pose.rotation.cos(), pose.rotation.sin()];
            assert_eq!(known[&(body.handle().index() as u32)], found);
        }
        step += 1;
    }
    assert_eq!((step, reader.end()), (41, Some(End::Whole)));
}

#[test]
fn prediction_makes_recordings_small() {
    // 5050 bodies that settle: raw, a step takes 4 numbers of 4 bytes each.
    let steps = 20;
    let file = record(&builtin("2d/large_pyramid"), steps);
    let raw = 5050 * 16 * steps;
    assert!(file.len() < raw * 2 / 3, "{} of {raw}", file.len());
    // What sleeps costs nothing: 9600 squares and one that flies.
    let file = record(&builtin("2d/smash"), 20);
    let start = blocks(&file)[2];
    assert!(file.len() - start < 20 * 64, "{}", file.len() - start);
}

#[test]
fn a_file_that_ends_early_replays_to_its_last_whole_step() {
    let file = record(&builtin("2d/vertical_stack"), 5);
    let blocks = blocks(&file);
    assert_eq!(blocks.last(), Some(&file.len()));
    for length in 0..file.len() {
        let replay = replayed(&file[..length]);
        let whole = blocks.iter().filter(|begin| **begin <= length).count();
        if length == 0 {
            assert_eq!(replay.unwrap_err().kind, "not_a_recording");
        } else if whole < 2 {
            let error = replay.unwrap_err();
            assert!(error.kind == "corrupt" && error.offset.unwrap() <= length, "{length}: {error}");
        } else {
            let replay = replay.unwrap();
            // The scene and the start come before the first step.
            assert_eq!(replay.steps, whole.saturating_sub(3) as u64, "{length}");
            assert_eq!(replay.end, Some(End::Truncated { offset: blocks[whole - 1] }), "{length}");
        }
    }
}

#[test]
fn every_changed_byte_is_noticed_and_its_block_named() {
    let file = record(&builtin("2d/vertical_stack"), 2);
    let blocks = blocks(&file);
    for at in 0..file.len() {
        for flip in [1, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[at] ^= flip;
            let error = replayed(&changed).unwrap_err();
            let expected = match at {
                0..8 => ("not_a_recording", 0),
                8..10 => ("version", 8),
                _ => ("corrupt", *blocks.iter().rfind(|begin| **begin <= at).unwrap()),
            };
            assert_eq!((error.kind, error.offset), (expected.0, Some(expected.1)), "{at} ^ {flip}");
        }
    }
    let longer = [&file[..], b"x"].concat();
    assert_eq!(replayed(&longer).unwrap_err().offset, Some(file.len()));
}

#[test]
fn contents_that_lie_are_refused_at_no_cost() {
    let file = record(&builtin("2d/vertical_stack"), 1);
    let begin = &file[..blocks(&file)[1]];
    let varint = [0xff, 0xff, 0xff, 0xff, 0x0f];
    let hash = [0; 8];
    let lies: [(u8, Vec<u8>); 9] = [
        (b'P', vec![]),
        (b'P', hash.to_vec()),
        // Four milliard bodies are gone, or have moved.
        (b'P', [&hash[..], &varint].concat()),
        (b'P', [&hash[..], &[0], &varint].concat()),
        // The last body of all has moved, and then another one.
        (b'P', [&hash[..], &[0, 2], &varint, &[0, 0, 0, 0], &varint, &[0, 0, 0, 0]].concat()),
        // Something is left over.
        (b'P', [&hash[..], &[0, 0, 0]].concat()),
        // A body is gone that was never there.
        (b'P', [&hash[..], &[1, 5, 0]].concat()),
        (b'E', u64::MAX.to_le_bytes().to_vec()),
        (b'Z', vec![1, 2, 3]),
    ];
    for (letter, content) in lies {
        let file = [begin, &block(letter, &content)].concat();
        let error = replayed(&file).unwrap_err();
        assert_eq!((error.kind, error.offset), ("corrupt", Some(begin.len())), "{content:?}");
    }
    // A block that says that it is four gigabytes long is one that ends early.
    let mut head = vec![b'P', 0xff, 0xff, 0xff, 0xff];
    let fold = fnv(&head);
    head.extend(((fold ^ fold >> 16 ^ fold >> 32 ^ fold >> 48) as u16).to_le_bytes());
    let file = [begin, &head].concat();
    assert_eq!(replayed(&file).unwrap().end, Some(End::Truncated { offset: begin.len() }));
    for content in [&b"\x00\x02\x00\x00\x00\x002d/arch"[..], b"\x02\x02\x89\x88\x88\x3c2d/arch", b"\x00", b""]
    {
        let file = [&file[..10], &block(b'S', content)].concat();
        assert_eq!(replayed(&file).unwrap_err().kind, "corrupt");
    }
    let elsewhere = [&file[..10], &block(b'S', b"\x00\x02\x89\x88\x88\x3c2d/from_tomorrow")].concat();
    assert_eq!(replayed(&elsewhere).unwrap_err().kind, "scene");
}

#[test]
fn the_first_step_that_differs_is_reported_with_its_body() {
    let file = record(&builtin("2d/vertical_stack"), 6);
    let blocks = blocks(&file);
    // Another hash in step 4, with its check put right.
    let at = blocks[5];
    let content = &file[at + 7..blocks[6] - 4];
    let mut changed = content.to_vec();
    changed[0] ^= 1;
    let other = [&file[..at], &block(b'P', &changed), &file[blocks[6]..]].concat();
    let replay = replayed(&other).unwrap();
    let difference = replay.difference.unwrap();
    assert_eq!((replay.steps, difference.step, difference.body), (3, 4, None));
    assert_eq!(difference.recorded, difference.found ^ 1);
    // Another pose of the last body that moved.
    let mut changed = content.to_vec();
    *changed.last_mut().unwrap() ^= 2;
    let other = [&file[..at], &block(b'P', &changed), &file[blocks[6]..]].concat();
    let difference = replayed(&other).unwrap().difference.unwrap();
    assert_eq!((difference.step, difference.body), (4, Some(15)));
    assert_eq!(difference.recorded, difference.found);
}

#[test]
fn names_write_no_control_characters_into_messages() {
    let error = builtin("2d/\u{1b}[31mred\u{7}").start().unwrap_err();
    assert_eq!(error.to_string(), "the scene 2d/\u{fffd}[31mred\u{fffd} is not built into this version");
    let long = builtin(&"x".repeat(1 << 16)).start().unwrap_err();
    assert!(long.to_string().len() < 128, "{long}");
}
