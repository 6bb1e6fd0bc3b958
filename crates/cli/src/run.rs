//! `carom run`: steps a scene and says what became of it.

use crate::arguments::RunArguments;
use crate::terminal::spare_inputs;
use carom_scene::builtin::{self, Running};
use carom_scene::recording::{Recorder, Source};
use carom_scene::scene_file::read_scene;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How a run ended.
struct Report {
    name: String,
    steps: usize,
    running: Running,
    picture: PathBuf,
    recording: Option<PathBuf>,
}

/// For how many steps a scene file runs unless told otherwise: ten seconds.
const FILE_STEPS: usize = 600;

/// Runs what the command line asks for.
///
/// # Errors
/// When there is no such scene, or the picture cannot be written.
pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, String> {
    if arguments.list {
        return show(&list());
    }
    let mut report = simulate(find(arguments)?, arguments)?;
    let text = if arguments.json { json(&mut report) } else { summary(&mut report) };
    show(&text)
}

/// Writes to standard output; a reader that has gone away is no error.
pub(crate) fn show(text: &str) -> Result<ExitCode, String> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(format!("cannot write: {error}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn list() -> String {
    let width = builtin::all().map(|scene| scene.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for scene in builtin::all() {
        let _ = writeln!(text, "{:<width$}  {:>4} steps  {}", scene.name, scene.steps, scene.summary);
    }
    text
}

/// A scene that is ready to run.
struct Ready {
    name: String,
    steps: usize,
    running: Running,
    /// What a recording has to know.
    source: Option<Source>,
}

/// The scene that the command line names: one that is built in, else a file.
fn find(arguments: &RunArguments) -> Result<Ready, String> {
    let name = arguments.scene.as_deref().unwrap_or_default();
    if let Some(scene) = builtin::find(name) {
        let running = scene.start().map_err(|error| format!("{name}: {error}"))?;
        let source = Some(Source::Builtin(name.to_owned()));
        return Ok(Ready { name: name.to_owned(), steps: scene.steps, running, source });
    }
    let path = Path::new(name);
    if !path.is_file() && path.extension().is_none_or(|extension| extension != "json") {
        return Err(format!(
            "there is no scene \"{name}\": carom run --list names them; a file ends in .json"
        ));
    }
    let (running, source) = if arguments.record.is_some() {
        let source = Source::file(path).map_err(|error| error.to_string())?;
        (source.start().map_err(|error| format!("{name}: {error}"))?, Some(source))
    } else {
        let scene = read_scene::<f32>(path).map_err(|error| error.to_string())?;
        // What a world refuses has no place in the file; that it is of this file has to be said.
        (scene.start().map_err(|error| format!("{name}: {error}"))?, None)
    };
    Ok(Ready { name: name.to_owned(), steps: FILE_STEPS, running, source })
}

fn simulate(ready: Ready, arguments: &RunArguments) -> Result<Report, String> {
    let Ready { name, steps, mut running, source } = ready;
    let steps = arguments.steps.unwrap_or(steps);
    if let Some(lanes) = &arguments.lanes {
        use carom_scene::builtin::Width;
        running.set_width(match lanes.as_str() {
            "1" => Width::Scalar,
            "4" => Width::Four,
            "8" => Width::Eight,
            _ => Width::Sixteen,
        });
    }
    running.set_threads(arguments.threads);
    running.set_timed(true);
    let unwritten = |error: std::io::Error| {
        let file = arguments.record.as_deref().unwrap_or(Path::new("")).display();
        format!("cannot write {file}: {error}")
    };
    let mut recorder = match (&arguments.record, &source) {
        (Some(file), Some(source)) => {
            spare_inputs(file, inputs(Path::new(&name), source))?;
            let file = BufWriter::new(File::create(file).map_err(unwritten)?);
            Some(Recorder::new(file, source, &running).map_err(unwritten)?)
        }
        _ => None,
    };
    let mut progress = Progress::new(&name, steps);
    for step in 0..steps {
        running.step().map_err(|error| format!("{name}, step {step}: {error}"))?;
        if let Some(recorder) = &mut recorder {
            recorder.step(&running).map_err(unwritten)?;
        }
        progress.show(step + 1);
    }
    progress.clear();
    recorder.map(Recorder::finish).transpose().map_err(unwritten)?;
    let picture = draw(&running, &name, &arguments.out)?;
    Ok(Report { name, steps, running, picture, recording: arguments.record.clone() })
}

/// What a scene is read from: its file and its mesh files.
fn inputs(scene: &Path, source: &Source) -> Vec<PathBuf> {
    let folder = scene.parent().unwrap_or(Path::new(""));
    let mut inputs = vec![scene.to_path_buf()];
    if let Source::File { meshes, .. } = source {
        inputs.extend(meshes.iter().map(|mesh| folder.join(&mesh.name)));
    }
    inputs
}

/// Draws a scene as it is into a folder; the answer is the file.
pub(crate) fn draw(running: &Running, name: &str, folder: &Path) -> Result<PathBuf, String> {
    // Of a scene file, its own name.
    let file = Path::new(name).extension().map_or_else(
        || name.replace('/', "-"),
        |_| Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    );
    let picture = folder.join(format!("{file}.svg"));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&picture, running.picture()));
    written.map_err(|error| format!("cannot write {}: {error}", picture.display()))?;
    Ok(picture)
}

/// A bar on standard error, when that is a terminal.
pub(crate) struct Progress {
    name: String,
    steps: usize,
    last: Option<Instant>,
}

impl Progress {
    pub(crate) fn new(name: &str, steps: usize) -> Self {
        Progress { name: name.to_owned(), steps, last: std::io::stderr().is_terminal().then(Instant::now) }
    }
    pub(crate) fn show(&mut self, step: usize) {
        let Some(last) = self.last else { return };
        if last.elapsed() < Duration::from_millis(50) && step != self.steps {
            return;
        }
        self.last = Some(Instant::now());
        let filled = 30 * step / self.steps.max(1);
        let bar: String = (0..30).map(|k| if k < filled { '#' } else { '.' }).collect();
        let _ = write!(std::io::stderr(), "\r{} [{bar}] {step}/{}", self.name, self.steps);
    }
    pub(crate) fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The stages in milliseconds a step, with their names.
pub(crate) fn stages(running: &Running) -> [(&'static str, f64); 9] {
    let times = running.timings();
    let per_step = |time: Duration| 1e3 * time.as_secs_f64() / times.steps.max(1) as f64;
    [
        ("total", per_step(times.total)),
        ("pairs", per_step(times.pairs)),
        ("collide", per_step(times.collide)),
        ("settle", per_step(times.settle)),
        ("prepare", per_step(times.prepare)),
        ("solve", per_step(times.solve)),
        ("finish", per_step(times.finish.saturating_sub(times.continuous))),
        ("continuous", per_step(times.continuous)),
        ("sleep", per_step(times.sleep)),
    ]
}

fn summary(report: &mut Report) -> String {
    let statistics = report.running.statistics();
    let mut text = String::new();
    let _ = writeln!(text, "{}: {} steps", report.name, report.steps);
    let _ = writeln!(
        text,
        "  bodies    {} ({} awake, {} islands)\n  contacts  {} of {} pairs\n  energy    {:.3} J, {:.3} J of it motion\n  overlap   {:.2} mm at worst",
        statistics.bodies,
        statistics.awake,
        statistics.islands,
        statistics.contacts,
        statistics.pairs,
        report.running.energy(),
        statistics.kinetic_energy,
        1e3 * statistics.deepest,
    );
    if statistics.quarantined > 0 {
        let count = statistics.quarantined;
        let _ = writeln!(text, "  frozen    {count}, whose numbers had become too large to go on with");
    }
    let stages = stages(&report.running);
    let _ = write!(text, "  time      {:.3} ms a step:", stages[0].1);
    for (name, time) in &stages[1..] {
        let _ = write!(text, " {name} {time:.3}");
    }
    let _ = writeln!(text, "\n  hash      {:016x}", report.running.hash());
    let _ = writeln!(text, "  picture   {}", report.picture.display());
    if let Some(recording) = &report.recording {
        let _ = writeln!(text, "  recording {}", recording.display());
    }
    text
}

/// A text as JSON.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

fn json(report: &mut Report) -> String {
    let statistics = report.running.statistics();
    let times: Vec<String> =
        stages(&report.running).iter().map(|(name, time)| format!("\"{name}\": {time:.6}")).collect();
    format!(
        "{{\"scene\": {}, \"steps\": {}, \"bodies\": {}, \"awake\": {}, \"quarantined\": {}, \"islands\": {}, \"pairs\": {}, \
         \"contacts\": {}, \"energy\": {}, \"kinetic_energy\": {}, \"worst_penetration\": {}, \
         \"ms_per_step\": {{{}}}, \"hash\": \"{:016x}\", \"picture\": {}, \
         \"recording\": {}}}\n",
        quoted(&report.name),
        report.steps,
        statistics.bodies,
        statistics.awake,
        statistics.quarantined,
        statistics.islands,
        statistics.pairs,
        statistics.contacts,
        report.running.energy(),
        statistics.kinetic_energy,
        statistics.deepest,
        times.join(", "),
        report.running.hash(),
        quoted(&report.picture.display().to_string()),
        report
            .recording
            .as_ref()
            .map_or_else(|| "null".to_owned(), |file| quoted(&file.display().to_string())),
    )
}
