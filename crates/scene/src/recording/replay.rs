//! Running a recorded scene again, and comparing.

use super::{End, Reader, RecordingError, Source, poses};
use crate::builtin::Running;

/// The first step that went differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step, counted from 1; 0 is the start.
    pub step: u64,
    /// The hash in the recording.
    pub recorded: u64,
    /// The hash of the state now.
    pub found: u64,
    /// The first body whose recorded pose is another, by index, if it shows in a pose.
    pub body: Option<u32>,
}

/// How a replay went.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Where the scene comes from.
    pub source: Source,
    /// How many steps were the same.
    pub steps: u64,
    /// The hash after them.
    pub hash: u64,
    /// The first step that was not.
    pub difference: Option<Difference>,
    /// How the recording ends; it is not known when a step went differently.
    pub end: Option<End>,
}

/// Runs a recorded scene again, on so many threads, and compares every step. `progress` is told the number of steps
/// made and the share of the file that has been read, in [0, 1].
///
/// It ends at the first step that differs, and at the end of the recording, be it whole or not.
///
/// # Errors
/// When the file is no recording or was changed; see [`RecordingError`].
///
/// # Example
/// ```
/// use carom_scene::recording::{End, Recorder, Source, replay};
/// let source = Source::Builtin("2d/arch".into());
/// let mut running = source.start()?;
/// let mut recorder = Recorder::new(Vec::new(), &source, &running)?;
/// running.step()?;
/// recorder.step(&running)?;
/// let file = recorder.finish()?;
/// // Without its last bytes it still has its step.
/// let replayed = replay(&file[..file.len() - 5], 1, |_, _| ())?;
/// assert_eq!(replayed.steps, 1);
/// assert!(matches!(replayed.end, Some(End::Truncated { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replay(
    bytes: &[u8],
    threads: usize,
    mut progress: impl FnMut(u64, f64),
) -> Result<Replay, RecordingError> {
    let mut reader = Reader::open(bytes)?;
    let mut running = reader.source().start()?;
    running.set_threads(threads);
    if matches!(running, Running::Flat { .. }) != (reader.dimension() == 2) {
        let text = "the scene of this name has another dimension now".into();
        return Err(RecordingError { offset: None, kind: "scene", text });
    }
    let mut replay = Replay {
        source: reader.source().clone(),
        steps: 0,
        hash: running.hash(),
        difference: None,
        end: None,
    };
    let mut step = 0_u64;
    while let Some(recorded) = reader.next_step()? {
        if 0 < step {
            running.step().map_err(|error| RecordingError {
                offset: None,
                kind: "scene",
                text: format!("step {step}: {error}"),
            })?;
        }
        let found = running.hash();
        let body = first_difference(&recorded.moved, &poses(&running).of);
        if found != recorded.hash || body.is_some() {
            replay.difference = Some(Difference { step, recorded: recorded.hash, found, body });
            return Ok(replay);
        }
        (replay.steps, replay.hash) = (step, found);
        step += 1;
        progress(replay.steps, reader.offset() as f64 / bytes.len().max(1) as f64);
    }
    replay.end = reader.end();
    Ok(replay)
}

/// The first body that is not where the recording has it. Bodies that did not move are left to the hash.
fn first_difference(recorded: &[(u32, Vec<f32>)], found: &[(u32, [f32; 7])]) -> Option<u32> {
    let mut found = found.iter().peekable();
    for (index, pose) in recorded {
        while found.next_if(|(next, _)| next < index).is_some() {}
        let same = found.peek().is_some_and(|(next, now)| {
            next == index && pose.iter().zip(now).all(|(a, b)| a.to_bits() == b.to_bits())
        });
        if !same {
            return Some(*index);
        }
    }
    None
}
