//! `carom query`: streams and files of questions.

use crate::arguments::QueryArguments;
use carom_scene::mesh::MeshFolder;
use carom_scene::query::{StreamError, Summary, answer_stream_in};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

/// Answers all inputs in order. A file that cannot be read is reported, and the next one is read. Mesh files are in
/// the folder of the input that names them, or in the current one for standard input.
///
/// # Errors
/// When the answers cannot be written. A reader that has gone away is no error.
pub(crate) fn run(arguments: &QueryArguments) -> Result<ExitCode, String> {
    let threads = NonZeroUsize::new(arguments.threads)
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let standard_input = [Path::new("-").to_path_buf()];
    let files = if arguments.files.is_empty() { &standard_input } else { arguments.files.as_slice() };

    // Inputs of one folder share what was read from it.
    let mut folders: BTreeMap<&Path, MeshFolder> = BTreeMap::new();
    let mut total = Summary::default();
    let mut unreadable = false;
    for file in files {
        let path = file.parent().unwrap_or(Path::new(""));
        let folder = folders.entry(path).or_insert_with(|| MeshFolder::at(path));
        let answered = open(file)
            .map_err(StreamError::Read)
            .and_then(|input| answer_stream_in(folder, input, io::stdout(), arguments.options(), threads));
        match answered {
            Ok(summary) => total.add(summary),
            Err(StreamError::Write(error)) if error.kind() == ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            Err(StreamError::Write(error)) => return Err(format!("cannot write the answers: {error}")),
            Err(error) => {
                // The other inputs are worth answering even when this cannot be told.
                let _ = writeln!(io::stderr(), "carom: {}: {error}", name(file));
                unreadable = true;
            }
        }
    }
    Ok(match (unreadable, total.failed) {
        (true, _) => ExitCode::from(2),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(1),
    })
}

fn open(file: &Path) -> io::Result<Box<dyn Read>> {
    if !is_standard_input(file) {
        return Ok(Box::new(File::open(file)?));
    }
    if io::stdin().is_terminal() {
        // Somebody who sees nothing happen is told what is waited for.
        let _ =
            writeln!(io::stderr(), "carom: type one JSON question a line; carom query --help has examples");
    }
    Ok(Box::new(io::stdin().lock()))
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn name(file: &Path) -> String {
    if is_standard_input(file) { "standard input".to_owned() } else { file.display().to_string() }
}
