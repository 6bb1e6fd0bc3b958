//! What the commands about files share: names, progress, numbers, and writing to standard output.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, ErrorKind, Read, Write};
use std::path::Path;
use std::time::Duration;

/// The most that is read from standard input, where no size is known beforehand.
const MOST_FROM_INPUT: u64 = 1 << 32;

/// All of standard input.
pub(crate) fn standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MOST_FROM_INPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// How a file is called.
pub(crate) fn name(file: &Path) -> String {
    if file.as_os_str() == "-" { "standard input".to_owned() } else { file.display().to_string() }
}

/// Refuses to write to a file that is read, whatever it is called.
pub(crate) fn spare_inputs(
    output: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    let Ok(target) = output.canonicalize() else { return Ok(()) };
    match inputs.into_iter().find(|input| input.as_ref().canonicalize().is_ok_and(|input| input == target)) {
        Some(input) => Err(format!(
            "{} would be overwritten, and it is what is read here: choose another file than {}",
            input.as_ref().display(),
            output.display()
        )),
        None => Ok(()),
    }
}

/// A bar on standard error, if that is a terminal.
pub(crate) fn progress(steps: usize) -> ProgressBar {
    let bar = ProgressBar::new(steps as u64);
    // The template is right: a test reads it.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

const TEMPLATE: &str = "{bar:24} {pos}/{len} {elapsed} {wide_msg}";

/// Writes to standard output; a reader that has gone away is no error.
pub(crate) fn write_answers(answers: &[u8]) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(answers).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write the answers: {error}"))
        }
        _ => Ok(()),
    }
}

/// Seven digits, without zeros at the end; powers of ten where that is shorter.
pub(crate) fn digits(x: f64) -> String {
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
