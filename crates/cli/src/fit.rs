//! `carom fit`: what there is to know about mesh files.

use crate::arguments::FitArguments;
use carom_scene::mesh::{
    Fit, FitKind, FitOptions, Format, MeshError, MeshFile, Problem, fit, parse_mesh, read_mesh,
};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::{Display, Write as _};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// The most that is read from standard input, where no size is known beforehand.
const MOST_FROM_INPUT: u64 = 1 << 32;

/// Tells about all files in order. A file that cannot be read is told as such, and the next one follows.
///
/// # Errors
/// When the answers cannot be written. A reader that has gone away is no error.
pub(crate) fn run(arguments: &FitArguments) -> Result<ExitCode, String> {
    let kinds = arguments.kinds();
    let options = FitOptions { kinds: &kinds, density: arguments.density };
    let progress = progress(arguments.files.len() * (1 + kinds.len()));
    let mut code = ExitCode::SUCCESS;
    for (number, file) in arguments.files.iter().enumerate() {
        let name = name(file);
        let step = |what: &str| progress.set_message(format!("{name}: {what}"));
        step("reading");
        let found = read(file).map(|mesh| {
            fit(&mesh, &options, |kind| {
                progress.inc(1);
                step(title(kind));
            })
        });
        // A file that failed has left out its steps.
        progress.set_position(((number + 1) * (1 + kinds.len())) as u64);
        if found.is_err() {
            code = ExitCode::from(1);
        }
        let written = progress.suspend(|| write(&name, &found, arguments.json, 0 < number));
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            Err(error) => return Err(format!("cannot write the answers: {error}")),
        }
    }
    progress.finish_and_clear();
    Ok(code)
}

fn read(file: &Path) -> Result<MeshFile, MeshError> {
    if file.as_os_str() != "-" {
        return read_mesh(file);
    }
    let mut bytes = Vec::new();
    let problem = match io::stdin().lock().take(MOST_FROM_INPUT).read_to_end(&mut bytes) {
        Err(error) => Problem::Unreadable { reason: error.to_string() },
        Ok(_) => match Format::of(&bytes, None) {
            Some(format) => {
                return parse_mesh(&bytes, format)
                    .map_err(|error| MeshError { file: Some(name(file).into()), ..error });
            }
            None => Problem::UnknownFormat { is_empty: bytes.is_empty() },
        },
    };
    Err(MeshError { file: Some(name(file).into()), place: None, problem })
}

fn name(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() }
}

/// A bar on standard error, if that is a terminal.
fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    // The template is right: a test reads it.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

const TEMPLATE: &str = "{bar:24} {pos}/{len} {elapsed} {wide_msg}";

/// Writes what was found about one file: answers to standard output, failures of the table to standard
/// error.
fn write(name: &str, found: &Result<Fit, MeshError>, json: bool, is_later: bool) -> io::Result<()> {
    let mut output = Vec::new();
    match found {
        Ok(found) if json => found.write_json(name, &mut output),
        Err(error) if json => error.write_json(name, &mut output),
        Ok(found) => output.extend_from_slice(table(name, found, is_later).as_bytes()),
        Err(error) => return writeln!(io::stderr(), "carom: {error}"),
    }
    if json {
        output.push(b'\n');
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(&output)?;
    stdout.flush()
}

/// What a part is called in the table and in the progress bar.
fn title(kind: FitKind) -> &'static str {
    match kind {
        FitKind::Aabb => "box along the axes",
        FitKind::Obb => "smallest box",
        FitKind::ObbPca => "box along the principal axes",
        FitKind::Ball => "smallest ball",
        FitKind::Ritter => "Ritter's ball",
        FitKind::Hull => "convex hull",
        FitKind::Mass => "inside",
        FitKind::Health => "health",
    }
}

/// The findings for people: a line for each number, numbers with seven digits.
fn table(name: &str, found: &Fit, is_later: bool) -> String {
    let mut table = Table(String::new());
    if is_later {
        table.0.push('\n');
    }
    let _ = writeln!(table.0, "{name} ({})", found.format.name());
    let used = if found.places == found.vertices {
        String::new()
    } else {
        format!(", {} places in use", found.places)
    };
    let groups = if found.groups == 1 { String::new() } else { format!(", in {} groups", found.groups) };
    table.row("vertices", "", format!("{}{used}", found.vertices));
    table.row("triangles", "", format!("{}{groups}", found.triangles));
    table.part(FitKind::Aabb, &found.aabb, |fit| {
        let size = [fit.max.x - fit.min.x, fit.max.y - fit.min.y, fit.max.z - fit.min.z];
        vec![
            ("size", vector(size)),
            ("min", vector(fit.min.into())),
            ("max", vector(fit.max.into())),
            ("volume", digits(fit.volume())),
        ]
    });
    for (kind, fit) in [(FitKind::Obb, &found.obb), (FitKind::ObbPca, &found.obb_pca)] {
        table.part(kind, fit, |fit| {
            let half: [f64; 3] = fit.half_extents().into();
            let [x, y, z] = fit.axes().map(|axis| vector(axis.into()));
            vec![
                ("size", vector(half.map(|x| 2.0 * x))),
                ("center", vector(fit.center().into())),
                ("axes", format!("{x}, {y}, {z}")),
                ("volume", digits(fit.volume())),
            ]
        });
    }
    for (kind, fit) in [(FitKind::Ball, &found.ball), (FitKind::Ritter, &found.ritter)] {
        table.part(kind, fit, |fit| {
            vec![("radius", digits(fit.radius())), ("center", vector(fit.center().into()))]
        });
    }
    table.part(FitKind::Hull, &found.hull, |fit| {
        vec![
            ("vertices", fit.vertices.to_string()),
            ("faces", fit.faces.to_string()),
            ("volume", digits(fit.volume)),
        ]
    });
    table.part(FitKind::Mass, &found.mass, |fit| {
        let [x, y, z] = fit.inertia.columns.map(|row| vector(row.into()));
        vec![
            ("volume", digits(fit.volume)),
            ("mass", digits(fit.mass)),
            ("center", vector(fit.center.into())),
            ("inertia", format!("{x}, {y}, {z}")),
        ]
    });
    if let Some(health) = &found.health {
        let closed = match health.open_edge {
            None => "yes".to_owned(),
            Some([first, second]) => {
                format!("no: the edge from vertex {first} to {second} is open, counted from 0")
            }
        };
        table.row(title(FitKind::Health), "closed", closed);
        table.row("", "surplus vertices", health.surplus_vertices);
    }
    table.0
}

/// Rows of a part, a name and a value, under each other.
struct Table(String);

impl Table {
    fn row(&mut self, part: &str, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "  {part:<28}  {name:<16}  {value}");
    }

    fn part<T>(
        &mut self,
        kind: FitKind,
        part: &Option<Result<T, impl Display>>,
        rows: impl FnOnce(&T) -> Vec<(&'static str, String)>,
    ) {
        match part {
            None => {}
            Some(Err(error)) => self.row(title(kind), "none", error),
            Some(Ok(part)) => {
                let mut title = title(kind);
                for (name, value) in rows(part) {
                    self.row(title, name, value);
                    title = "";
                }
            }
        }
    }
}

fn vector(v: [f64; 3]) -> String {
    let [x, y, z] = v.map(digits);
    format!("[{x}, {y}, {z}]")
}

/// Seven digits, without zeros at the end; powers of ten where that is shorter.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    // The sum has no negative zero.
    let (plain, power) = (format!("{}", rounded + 0.0), format!("{:e}", rounded + 0.0));
    if plain.len() <= 10 || plain.len() <= power.len() { plain } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0 / 3.0, "0.3333333"),
            (-2.5, "-2.5"),
            (1234567.89, "1234568"),
            (1e-300, "1e-300"),
            (123_456_789_012.0, "1.234568e11"),
            (0.000_012_345_678, "1.234568e-5"),
            (f64::MAX, "1.797693e308"),
        ] {
            assert_eq!(digits(number), text);
        }
    }

    #[test]
    fn the_bar_has_a_template() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
