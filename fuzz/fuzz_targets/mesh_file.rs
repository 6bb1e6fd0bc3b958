//! The readers of mesh files: any bytes, as the format that they look like and as any other, give a mesh
//! that is whole, or an error of one line.
#![no_main]

use carom_scene::mesh::{Format, parse_mesh};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&first, rest)) = input.split_first() else { return };
    let formats = [Format::Obj, Format::Stl, Format::Ply, Format::Gltf];
    let other = formats[usize::from(first) % formats.len()];
    // The first byte chooses a format, and is a part of the file when the content is to decide.
    for (bytes, format) in [(rest, Some(other)), (input, Format::of(input, None))] {
        let Some(format) = format else { continue };
        match parse_mesh(bytes, format) {
            Ok(mesh) => {
                let count = mesh.vertices.len();
                assert!(mesh.vertices.iter().all(|v| v.x.is_finite() && v.y.is_finite() && v.z.is_finite()));
                assert!(mesh.triangles.as_flattened().iter().all(|&index| (index as usize) < count));
                let end = mesh.groups.iter().fold(0, |end, group| {
                    assert!(group.triangles.start == end && end < group.triangles.end);
                    group.triangles.end
                });
                assert!(0 < end && end == mesh.triangles.len());
                let welded = mesh.welded();
                assert!(welded.vertices.len() <= count && welded.triangles.len() == end);
            }
            Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
        }
    }
});
