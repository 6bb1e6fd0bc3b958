//! `carom replay`: runs a recorded scene again and compares every step.

use crate::arguments::ReplayArguments;
use crate::run::{Progress, quoted, show};
use carom_scene::recording::{End, RecordingError, Replay, Source, replay};
use std::process::ExitCode;

/// Replays what the command line names.
///
/// # Errors
/// When the file cannot be read, or the answer cannot be written.
pub(crate) fn run(arguments: &ReplayArguments) -> Result<ExitCode, String> {
    let file = arguments.file.display().to_string();
    let bytes = match std::fs::read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) if arguments.json => {
            let text = format!("cannot be read: {error}");
            let error = RecordingError { offset: None, kind: "unreadable", text };
            return show(&json_error(&file, &error)).map(|_| ExitCode::from(2));
        }
        Err(error) => return Err(format!("{file} cannot be read: {error}")),
    };
    let mut progress = Progress::new("replay", 1000);
    let replayed = replay(&bytes, arguments.threads, |_, share| progress.show((share * 1000.0) as usize));
    progress.clear();
    let (text, code) = match replayed {
        Ok(replay) => {
            let code = if replay.difference.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS };
            (if arguments.json { json(&file, &replay) } else { summary(&file, &replay) }, code)
        }
        Err(error) if arguments.json => (json_error(&file, &error), ExitCode::from(2)),
        Err(error) => return Err(format!("{file}: {error}")),
    };
    show(&text).map(|_| code)
}

fn scene(source: &Source) -> &str {
    match source {
        Source::Builtin(name) => name,
        Source::File { .. } => "the scene file in the recording",
    }
}

fn summary(file: &str, replay: &Replay) -> String {
    let name = scene(&replay.source);
    let mut text = match &replay.difference {
        None => {
            format!("{file}: {name}, all {} steps are the same, hash {:016x}\n", replay.steps, replay.hash)
        }
        Some(difference) => {
            let body = difference.body.map(|body| format!(", body {body} is elsewhere")).unwrap_or_default();
            format!(
                "{file}: {name}, step {} differs{body}: hash {:016x} instead of {:016x}; {} steps are the same\n",
                difference.step, difference.found, difference.recorded, replay.steps
            )
        }
    };
    if let Some(End::Truncated { offset }) = replay.end {
        text += &format!("{file}: the file ends early: its last whole step ends at byte {offset}\n");
    }
    text
}

fn json(file: &str, replay: &Replay) -> String {
    let difference = replay.difference.as_ref().map_or_else(
        || "null".to_owned(),
        |difference| {
            let body = difference.body.map_or_else(|| "null".to_owned(), |body| body.to_string());
            format!(
                "{{\"step\": {}, \"recorded\": \"{:016x}\", \"found\": \"{:016x}\", \"body\": {body}}}",
                difference.step, difference.recorded, difference.found
            )
        },
    );
    let truncated = match replay.end {
        Some(End::Truncated { offset }) => offset.to_string(),
        _ => "null".to_owned(),
    };
    format!(
        "{{\"file\": {}, \"scene\": {}, \"steps\": {}, \"hash\": \"{:016x}\", \"same\": {}, \"difference\": {difference}, \
         \"truncated_at\": {truncated}}}\n",
        quoted(file),
        match &replay.source {
            Source::Builtin(name) => quoted(name),
            Source::File { .. } => "null".to_owned(),
        },
        replay.steps,
        replay.hash,
        replay.difference.is_none(),
    )
}

fn json_error(file: &str, error: &RecordingError) -> String {
    let offset = error.offset.map_or_else(|| "null".to_owned(), |offset| offset.to_string());
    format!(
        "{{\"file\": {}, \"error\": {{\"kind\": \"{}\", \"offset\": {offset}, \"message\": {}}}}}\n",
        quoted(file),
        error.kind,
        quoted(&error.to_string())
    )
}
