//! `carom check`: what clashes among mesh files, or in a scene.

use crate::arguments::CheckArguments;
use crate::terminal::{digits, name, progress, spare_inputs, standard_input, write_answers};
use carom_scene::check::{
    Check, ClashKind, ClashOptions, Row, Unread, check_meshes_with_progress, check_scene_with_progress,
    items_of_mesh,
};
use carom_scene::mesh::{MeshError, MeshFile, parse_standard_input, read_mesh};
use carom_scene::scene_file::{Scene, SceneError, is_scene, parse_scene, parse_scene_and_files};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The most notes of one sort in the table; JSON has all.
const MOST_NOTES: usize = 20;

/// Checks what the files hold. A file that cannot be read is told as such, and the others are checked.
///
/// # Errors
/// When the answers or the picture cannot be written. A reader that has gone away is no error.
pub(crate) fn run(arguments: &CheckArguments) -> Result<ExitCode, String> {
    if let Some(path) = &arguments.svg {
        spare_inputs(path, &arguments.files)?;
    }
    let options = ClashOptions { clearance: arguments.clearance, touch: arguments.touch };
    let progress = progress(arguments.files.len() + 1);
    let (mut items, mut scene, mut unread) = (Vec::new(), None, Vec::new());
    for file in &arguments.files {
        let name = name(file);
        progress.set_message(format!("{name}: reading"));
        match input(file) {
            Ok(Input::Scene(found, meshes)) if arguments.files.len() == 1 => {
                if let Some(path) = &arguments.svg {
                    spare_inputs(path, meshes)?;
                }
                scene = Some(found);
            }
            Ok(Input::Scene(..)) => unread.push(Unread {
                message: format!("{name}: a scene is checked by itself, without other files"),
                file: name,
                kind: "scene_with_others",
            }),
            Ok(Input::Mesh(mesh)) => match items_of_mesh(&name, &mesh) {
                Ok(found) => items.extend(found),
                Err(error) => unread.push(Unread {
                    message: format!("{name}: {error}"),
                    file: name,
                    kind: error.kind(),
                }),
            },
            Err((kind, message)) => unread.push(Unread { file: name, kind, message }),
        }
        progress.inc(1);
    }
    progress.set_message(if scene.is_some() {
        "checking the scene".to_owned()
    } else {
        format!("checking {} items", items.len())
    });
    // From here on the bar counts pairs.
    let pairs_done = |done: usize, pairs: usize| {
        progress.set_length(pairs as u64);
        progress.set_position(done as u64);
    };
    let found = match &scene {
        Some(scene) => check_scene_with_progress(scene, options, &pairs_done),
        None => check_meshes_with_progress(items, options, &pairs_done),
    };
    let found = found.map_err(|error| error.to_string())?;
    if let Some(path) = &arguments.svg {
        progress.set_message("drawing");
        std::fs::write(path, found.to_svg())
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    progress.finish_and_clear();
    write_answers(&report(&found, &unread, arguments.json))?;
    Ok(match found.is_complete() && unread.is_empty() {
        false => ExitCode::from(2),
        true => ExitCode::from(u8::from(!found.is_clear())),
    })
}

enum Input {
    Mesh(MeshFile),
    /// A scene and the mesh files that it was read from.
    Scene(Scene<f64>, Vec<PathBuf>),
}

/// What a file holds, or why it cannot be read: a word and a sentence.
fn input(file: &Path) -> Result<Input, (&'static str, String)> {
    let of_mesh = |error: MeshError| (error.problem.kind(), error.to_string());
    let of_scene = |error: SceneError| {
        let error = SceneError { file: Some(name(file).into()), ..error };
        (error.kind, error.to_string())
    };
    if file.as_os_str() == "-" {
        let bytes = standard_input()
            .map_err(|error| ("unreadable", format!("{}: cannot be read: {error}", name(file))))?;
        return match is_scene(&bytes) {
            true => parse_scene(&bytes, None).map(|scene| Input::Scene(scene, Vec::new())).map_err(of_scene),
            false => parse_standard_input(&bytes).map(Input::Mesh).map_err(of_mesh),
        };
    }
    match scene_text(file) {
        Some(bytes) => {
            let read = parse_scene_and_files(&bytes, file.parent().unwrap_or(Path::new("")));
            read.map(|(scene, meshes)| Input::Scene(scene, meshes)).map_err(of_scene)
        }
        None => read_mesh(file).map(Input::Mesh).map_err(of_mesh),
    }
}

/// The content of a file, if it is a scene. Meshes, which may be large, are not read here.
fn scene_text(file: &Path) -> Option<Vec<u8>> {
    // A pipe is left to the reader of meshes, which refuses it.
    if !std::fs::metadata(file).ok()?.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(file).ok()?.take(256).read_to_end(&mut head).ok()?;
    let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    if !is_json && !is_scene(&head) {
        return None;
    }
    let bytes = std::fs::read(file).ok()?;
    (is_json || is_scene(&bytes)).then_some(bytes)
}

/// The report as it is written to standard output. For people, inputs that could not be read are told on standard
/// error.
fn report(found: &Check, unread: &[Unread], json: bool) -> Vec<u8> {
    if json {
        let mut output = Vec::new();
        found.write_json(unread, &mut output);
        output.push(b'\n');
        return output;
    }
    for file in unread {
        // The rest is worth telling even when this cannot be told.
        let _ = writeln!(io::stderr(), "carom: {}", file.message);
    }
    let is_nothing = found.item_count() == 0 && !unread.is_empty();
    if is_nothing { Vec::new() } else { table(found).into_bytes() }
}

/// The clashes, a line each, and what else there is to say.
fn table(found: &Check) -> String {
    let mut text = String::new();
    let rows = found.rows();
    let cells: Vec<[String; 6]> = rows.iter().map(cells).collect();
    let head = ["no.", "first", "second", "how", "how far", "where"].map(str::to_owned);
    if !cells.is_empty() {
        let width = |column: usize| {
            let lengths = cells.iter().chain([&head]).map(|row| row[column].chars().count());
            lengths.max().unwrap_or(0)
        };
        let widths: [usize; 6] = std::array::from_fn(width);
        for row in [&head].into_iter().chain(&cells) {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(widths) {
                let _ = write!(line, "{cell:<width$}  ");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    let _ = writeln!(text, "{}", summary(found, rows.len()));
    let surfaces = found.surfaces();
    notes(&mut text, surfaces, |(name, reason)| format!("{name} is a surface, not a solid: {reason}"));
    notes(&mut text, found.refused(), |(name, reason)| format!("{name} was left out: {reason}"));
    notes(&mut text, found.undecided(), |([first, second], reason)| {
        format!("{first} and {second} could not be decided: {reason}")
    });
    text
}

fn cells(row: &Row<'_>) -> [String; 6] {
    let (how, amount) = match row.kind {
        ClashKind::Near => ("near", format!("{} apart", digits(row.distance))),
        ClashKind::Touching => ("touching", "0".to_owned()),
        ClashKind::FirstInside => ("first inside second", format!("{} deep", digits(row.depth))),
        ClashKind::SecondInside => ("second inside first", format!("{} deep", digits(row.depth))),
        other => (other.name(), format!("{} deep", digits(row.depth))),
    };
    let place: Vec<String> = row.place.iter().map(|&x| digits(x)).collect();
    let [first, second] = row.names.map(printable);
    [row.number.to_string(), first, second, how.to_owned(), amount, format!("[{}]", place.join(", "))]
}

/// A name from a file must not write to the terminal what it likes.
fn printable(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

fn summary(found: &Check, clashes: usize) -> String {
    let items = match found.item_count() {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    };
    let sensors = match found.sensors() {
        0 => "",
        1 => " (a sensor takes no part)",
        _ => " (sensors take no part)",
    };
    match clashes {
        0 => format!("nothing clashes among {items}{sensors}"),
        1 => format!("1 clash among {items}{sensors}"),
        count => format!("{count} clashes among {items}{sensors}"),
    }
}

fn notes<N>(text: &mut String, notes: Vec<N>, note: impl Fn(N) -> String) {
    let more = notes.len().saturating_sub(MOST_NOTES);
    for line in notes.into_iter().take(MOST_NOTES) {
        let _ = writeln!(text, "{}", printable(&note(line)));
    }
    if 0 < more {
        let _ = writeln!(text, "and {more} more of these; --json has all");
    }
}
