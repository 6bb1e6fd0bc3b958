//! Writing a recording while a scene runs.

use super::numbers::{Past, write_number, write_varint};
use super::{MAGIC, Source, VERSION, block_check, head_check, poses, step_bits};
use crate::builtin::Running;
use std::io::{self, Write};

/// Writes down how a scene goes.
///
/// # Example
/// ```
/// use carom_scene::recording::{Recorder, Source, replay};
/// let source = Source::Builtin("2d/vertical_stack".into());
/// let mut running = source.start()?;
/// let mut recorder = Recorder::new(Vec::new(), &source, &running)?;
/// for _ in 0..10 {
///     running.step()?;
///     recorder.step(&running)?;
/// }
/// let file = recorder.finish()?;
/// let replayed = replay(&file, 1, |_, _| ())?;
/// assert_eq!((replayed.steps, replayed.difference), (10, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    output: W,
    past: Past,
    steps: u64,
    /// The content of a block; kept for its memory.
    content: Vec<u8>,
}

impl<W: Write> Recorder<W> {
    /// Begins a recording of a scene that has not made a step.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(output: W, source: &Source, running: &Running) -> io::Result<Self> {
        let mut recorder = Recorder { output, past: Past::default(), steps: 0, content: Vec::new() };
        recorder.output.write_all(&MAGIC)?;
        recorder.output.write_all(&VERSION.to_le_bytes())?;
        let (kind, text, meshes) = match source {
            Source::Builtin(name) => (0, name, &[][..]),
            Source::File { text, meshes } => (1, text, &meshes[..]),
        };
        let dimension = if matches!(running, Running::Flat { .. }) { 2 } else { 3 };
        recorder.content.extend([kind, dimension]);
        recorder.content.extend(step_bits().to_le_bytes());
        recorder.content.extend(text.as_bytes());
        recorder.block(b'S')?;
        for mesh in meshes {
            mesh.write(&mut recorder.content);
            recorder.block(b'M')?;
        }
        recorder.poses(running)?;
        Ok(recorder)
    }
    /// Writes down the step that the scene has just made.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn step(&mut self, running: &Running) -> io::Result<()> {
        self.poses(running)?;
        self.steps += 1;
        Ok(())
    }
    /// Ends the recording; the answer is what it was written to.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.content.extend(self.steps.to_le_bytes());
        self.block(b'E')?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn poses(&mut self, running: &Running) -> io::Result<()> {
        let poses = poses(running);
        let Recorder { past, content, .. } = self;
        content.extend(running.hash().to_le_bytes());
        let is_there = |index: &u32| poses.of.binary_search_by_key(index, |(index, _)| *index).is_ok();
        let gone: Vec<u32> = past.indices().filter(|index| !is_there(index)).collect();
        write_varint(content, gone.len() as u64);
        let mut next = 0;
        for &index in &gone {
            write_varint(content, u64::from(index - next));
            next = index + 1;
        }
        let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
        let mut moved = poses.of;
        moved.retain(|(index, pose)| {
            past.get(*index).is_none_or(|[last, _]| !last.iter().zip(pose).all(same))
        });
        write_varint(content, moved.len() as u64);
        let mut next = 0;
        for (index, pose) in &moved {
            write_varint(content, u64::from(index - next));
            next = index + 1;
            let [a, b] = past.get(*index).unwrap_or_default();
            for ((number, a), b) in pose.iter().zip(a).zip(b).take(poses.count) {
                write_number(content, *number, [a, b]);
            }
        }
        past.advance(&gone, &moved);
        self.block(b'P')
    }

    /// Writes the content as a block, and forgets it.
    fn block(&mut self, letter: u8) -> io::Result<()> {
        let length = u32::try_from(self.content.len()).map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidInput, "a step or a mesh takes more than four gigabytes")
        })?;
        let mut head = [letter, 0, 0, 0, 0];
        head[1..].copy_from_slice(&length.to_le_bytes());
        self.output.write_all(&head)?;
        self.output.write_all(&head_check(&head).to_le_bytes())?;
        self.output.write_all(&self.content)?;
        self.output.write_all(&block_check(&head, &self.content).to_le_bytes())?;
        self.content.clear();
        Ok(())
    }
}
