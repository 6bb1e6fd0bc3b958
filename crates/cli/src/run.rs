//! `carom run`: steps a built-in scene and says what became of it.

use crate::arguments::RunArguments;
use carom_scene::builtin::{self, Builtin, Running};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How a run ended.
struct Report {
    name: &'static str,
    steps: usize,
    running: Running,
    picture: PathBuf,
}

/// Runs what the command line asks for.
///
/// # Errors
/// When there is no such scene, or the picture cannot be written.
pub(crate) fn run(arguments: &RunArguments) -> Result<ExitCode, String> {
    if arguments.list {
        return show(&list());
    }
    let name = arguments.scene.as_deref().unwrap_or_default();
    let scene = builtin::find(name)
        .ok_or_else(|| format!("there is no scene \"{name}\": carom run --list names them"))?;
    let mut report = simulate(scene, arguments)?;
    let text = if arguments.json { json(&mut report) } else { summary(&mut report) };
    show(&text)
}

/// Writes to standard output; a reader that has gone away is no error.
fn show(text: &str) -> Result<ExitCode, String> {
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

fn simulate(scene: &'static Builtin, arguments: &RunArguments) -> Result<Report, String> {
    let steps = arguments.steps.unwrap_or(scene.steps);
    let mut running = scene.start().map_err(|error| format!("{}: {error}", scene.name))?;
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
    let mut progress = Progress::new(scene.name, steps);
    for step in 0..steps {
        running.step().map_err(|error| format!("{}, step {step}: {error}", scene.name))?;
        progress.show(step + 1);
    }
    progress.clear();
    let picture = arguments.out.join(format!("{}.svg", scene.name.replace('/', "-")));
    let written =
        std::fs::create_dir_all(&arguments.out).and_then(|()| std::fs::write(&picture, running.picture()));
    written.map_err(|error| format!("cannot write {}: {error}", picture.display()))?;
    Ok(Report { name: scene.name, steps, running, picture })
}

/// A bar on standard error, when that is a terminal.
struct Progress {
    name: &'static str,
    steps: usize,
    last: Option<Instant>,
}

impl Progress {
    fn new(name: &'static str, steps: usize) -> Self {
        Progress { name, steps, last: std::io::stderr().is_terminal().then(Instant::now) }
    }
    fn show(&mut self, step: usize) {
        let Some(last) = self.last else { return };
        if last.elapsed() < Duration::from_millis(50) && step != self.steps {
            return;
        }
        self.last = Some(Instant::now());
        let filled = 30 * step / self.steps.max(1);
        let bar: String = (0..30).map(|k| if k < filled { '#' } else { '.' }).collect();
        let _ = write!(std::io::stderr(), "\r{} [{bar}] {step}/{}", self.name, self.steps);
    }
    fn clear(&self) {
        if self.last.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// The stages in milliseconds a step, with their names.
fn stages(running: &Running) -> [(&'static str, f64); 8] {
    let times = running.timings();
    let per_step = |time: Duration| 1e3 * time.as_secs_f64() / times.steps.max(1) as f64;
    [
        ("total", per_step(times.total)),
        ("pairs", per_step(times.pairs)),
        ("collide", per_step(times.collide)),
        ("settle", per_step(times.settle)),
        ("prepare", per_step(times.prepare)),
        ("solve", per_step(times.solve)),
        ("finish", per_step(times.finish)),
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
    let stages = stages(&report.running);
    let _ = write!(text, "  time      {:.3} ms a step:", stages[0].1);
    for (name, time) in &stages[1..] {
        let _ = write!(text, " {name} {time:.3}");
    }
    let _ = writeln!(text, "\n  hash      {:016x}", report.running.hash());
    let _ = writeln!(text, "  picture   {}", report.picture.display());
    text
}

fn json(report: &mut Report) -> String {
    let statistics = report.running.statistics();
    let times: Vec<String> =
        stages(&report.running).iter().map(|(name, time)| format!("\"{name}\": {time:.6}")).collect();
    format!(
        "{{\"scene\": \"{}\", \"steps\": {}, \"bodies\": {}, \"awake\": {}, \"islands\": {}, \"pairs\": {}, \
         \"contacts\": {}, \"energy\": {}, \"kinetic_energy\": {}, \"worst_penetration\": {}, \
         \"ms_per_step\": {{{}}}, \"hash\": \"{:016x}\", \"picture\": \"{}\"}}\n",
        report.name,
        report.steps,
        statistics.bodies,
        statistics.awake,
        statistics.islands,
        statistics.pairs,
        statistics.contacts,
        report.running.energy(),
        statistics.kinetic_energy,
        statistics.deepest,
        times.join(", "),
        report.running.hash(),
        report.picture.display().to_string().replace('\\', "\\\\").replace('"', "\\\""),
    )
}
