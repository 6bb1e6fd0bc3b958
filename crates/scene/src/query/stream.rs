//! Whole streams: lines in, lines out, in order, in memory that does not grow with the stream.
//!
//! The input is cut into blocks of whole lines, each what one read of the source gave. A block is
//! answered and its answers are written and flushed before the source is asked for more, so that
//! somebody who types gets an answer after each line, and a file is read and written in large pieces.
//!
//! With several threads, block number k goes to worker k mod N, and the answers are collected in the
//! same rotation: the order is kept without sorting or waiting for anything but the next block, and
//! all channels are short, so at most a few blocks for each thread exist at a time.

use super::{Options, answer_line_in, refuse_long_line};
use crate::mesh::MeshFolder;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;

/// The longest line that is read, in bytes. A longer one is answered with an error, and is skipped
/// without being held.
pub const MAX_LINE: usize = 64 << 20;

/// How many bytes are asked of the source at once.
const READ_SIZE: usize = 128 << 10;

/// Blocks waiting in front of each worker, and answers behind it.
const QUEUE: usize = 2;

/// More threads than this count as this many.
const MAX_THREADS: usize = 256;

/// What became of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lines that were answered.
    pub answered: u64,
    /// Lines that were answered with an error.
    pub failed: u64,
}

/// Why a stream ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The source could not be read; everything before was answered.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// The answers could not be written.
    #[error("cannot write: {0}")]
    Write(io::Error),
    /// The system gave no more threads; nothing was answered.
    #[error("cannot start a thread, ask for fewer: {0}")]
    Thread(io::Error),
}

/// Answers every line of `source` in order. Blank lines are skipped, though they count for line
/// numbers; a byte order mark at the start and a carriage return at the end of a line are ignored. The
/// output is the same for any number of threads.
///
/// # Errors
/// When the source cannot be read, or the answers cannot be written. A line that cannot be answered
/// is no error: it is counted in the summary.
///
/// # Example
/// ```
/// use carom_scene::query::{Options, answer_stream};
/// let lines = "{\"id\": 1, \"op\": \"fly\"}\n\nnot json\n";
/// let mut output = Vec::new();
/// let one = std::num::NonZeroUsize::MIN;
/// let summary = answer_stream(lines.as_bytes(), &mut output, Options::default(), one)?;
/// assert_eq!((summary.answered, summary.failed), (0, 2));
/// assert_eq!(output.iter().filter(|byte| **byte == b'\n').count(), 2);
/// # Ok::<(), carom_scene::query::StreamError>(())
/// ```
pub fn answer_stream(
    source: impl Read,
    output: impl Write + Send,
    options: Options,
    threads: NonZeroUsize,
) -> Result<Summary, StreamError> {
    answer_stream_in(&MeshFolder::none(), source, output, options, threads)
}

/// As [`answer_stream`], where shapes may be mesh files of the folder. The meshes stay in memory.
///
/// # Errors
/// Those of [`answer_stream`]. A mesh file that cannot be read is an error of the lines that name it.
///
/// # Example
/// ```
/// use carom_scene::mesh::MeshFolder;
/// use carom_scene::query::{Options, answer_stream_in};
/// let line = r#"{"op": "mass", "shape": {"type": "mesh", "file": "no/such.stl"}, "density": 1}"#;
/// let (folder, one) = (MeshFolder::at("".as_ref()), std::num::NonZeroUsize::MIN);
/// let mut output = Vec::new();
/// answer_stream_in(&folder, line.as_bytes(), &mut output, Options::default(), one)?;
/// assert!(String::from_utf8_lossy(&output).contains("shape.file: no/such.stl cannot be read"));
/// # Ok::<(), carom_scene::query::StreamError>(())
/// ```
pub fn answer_stream_in(
    folder: &MeshFolder,
    source: impl Read,
    output: impl Write + Send,
    options: Options,
    threads: NonZeroUsize,
) -> Result<Summary, StreamError> {
    let blocks = Blocks { source, rest: Vec::new(), line: 1, skipping: false, ended: false };
    if threads.get() == 1 {
        answer_here(folder, blocks, output, options)
    } else {
        answer_apart(folder, blocks, output, options, threads)
    }
}

fn answer_here(
    folder: &MeshFolder,
    mut blocks: Blocks<impl Read>,
    mut output: impl Write,
    options: Options,
) -> Result<Summary, StreamError> {
    let mut summary = Summary::default();
    let (mut block, mut answers) = (Block::default(), Answers::default());
    while blocks.next(&mut block).map_err(StreamError::Read)? {
        answer_block(folder, &block, options, &mut answers);
        summary.add(answers.summary);
        output.write_all(&answers.bytes).and_then(|()| output.flush()).map_err(StreamError::Write)?;
    }
    Ok(summary)
}

fn answer_apart(
    folder: &MeshFolder,
    mut blocks: Blocks<impl Read>,
    output: impl Write + Send,
    options: Options,
    threads: NonZeroUsize,
) -> Result<Summary, StreamError> {
    std::thread::scope(|scope| {
        let mut inputs: Vec<SyncSender<Block>> = Vec::new();
        let mut outputs: Vec<Receiver<Answers>> = Vec::new();
        for _ in 0..threads.get().min(MAX_THREADS) {
            let (send_block, take_block) = sync_channel::<Block>(QUEUE);
            let (send_answers, take_answers) = sync_channel::<Answers>(QUEUE);
            inputs.push(send_block);
            outputs.push(take_answers);
            let work = move || {
                for block in take_block {
                    let mut answers = Answers::default();
                    answer_block(folder, &block, options, &mut answers);
                    // The writer is gone when it could not write: nobody wants more answers.
                    if send_answers.send(answers).is_err() {
                        break;
                    }
                }
            };
            Builder::new().spawn_scoped(scope, work).map_err(StreamError::Thread)?;
        }
        let write = move || write_in_rotation(&outputs, output);
        let writer = Builder::new().spawn_scoped(scope, write).map_err(StreamError::Thread)?;

        let mut read = Ok(());
        for turn in 0_usize.. {
            let mut block = Block::default();
            match blocks.next(&mut block) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    read = Err(StreamError::Read(error));
                    break;
                }
            }
            if inputs[turn % inputs.len()].send(block).is_err() {
                break;
            }
        }
        // Closing the queues ends the workers, and they end the writer.
        drop(inputs);
        let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread failed")));
        let summary = written.map_err(StreamError::Write)?;
        read.map(|()| summary)
    })
}

/// Writes the answers of worker 0, 1, …, N − 1, 0, … until the worker whose turn it is has ended.
fn write_in_rotation(outputs: &[Receiver<Answers>], mut output: impl Write) -> io::Result<Summary> {
    let mut summary = Summary::default();
    for turn in 0_usize.. {
        let Ok(answers) = outputs[turn % outputs.len()].recv() else { break };
        summary.add(answers.summary);
        output.write_all(&answers.bytes)?;
        output.flush()?;
    }
    Ok(summary)
}

impl Summary {
    /// Adds the counts of another part of a stream.
    pub fn add(&mut self, other: Summary) {
        self.answered += other.answered;
        self.failed += other.failed;
    }
}

/// Whole lines of the input.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// The number of the first line.
    line: u64,
    /// The block stands for one line that was too long, and has no bytes.
    too_long: bool,
}

/// The answers to a block.
#[derive(Default)]
struct Answers {
    bytes: Vec<u8>,
    summary: Summary,
}

fn answer_block(folder: &MeshFolder, block: &Block, options: Options, answers: &mut Answers) {
    answers.bytes.clear();
    // An unusual block does not leave its memory to the usual ones.
    answers.bytes.shrink_to(8 * READ_SIZE);
    answers.summary = Summary::default();
    if block.too_long {
        refuse_long_line(block.line, &mut answers.bytes);
        answers.summary.failed += 1;
        return;
    }
    for (number, mut line) in (block.line..).zip(block.bytes.split(|byte| *byte == b'\n')) {
        if number == 1 {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match answer_line_in(folder, line, number, options, &mut answers.bytes) {
            true => answers.summary.answered += 1,
            false => answers.summary.failed += 1,
        }
    }
}

/// Cuts a source into blocks of whole lines.
struct Blocks<R> {
    source: R,
    /// The start of a line whose end has not been read yet.
    rest: Vec<u8>,
    /// The number of the line that `rest` starts.
    line: u64,
    /// The rest of a line that is too long is being passed over.
    skipping: bool,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    /// The next block, or `false` at the end.
    fn next(&mut self, block: &mut Block) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut block.bytes);
        bytes.clear();
        bytes.shrink_to(2 * READ_SIZE);
        bytes.append(&mut self.rest);
        // The usual rest is part of a line: its memory may go.
        self.rest.shrink_to(2 * READ_SIZE);
        while !self.ended {
            let known = bytes.len();
            self.read_more(&mut bytes)?;
            let fresh = &bytes[known..];
            let last_break = fresh.iter().rposition(|byte| *byte == b'\n').map(|at| known + at);
            if self.skipping {
                // Drop what belongs to the long line. Its number has been used already.
                let Some(first) = bytes.iter().position(|byte| *byte == b'\n') else {
                    bytes.clear();
                    continue;
                };
                bytes.drain(..=first);
                self.skipping = false;
                // Look for whole lines in what is left as if it had just been read.
                let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') else { continue };
                return Ok(self.give(block, bytes, last));
            }
            if let Some(last) = last_break {
                return Ok(self.give(block, bytes, last));
            }
            if MAX_LINE < bytes.len() {
                *block = Block { bytes: Vec::new(), line: self.line, too_long: true };
                self.line += 1;
                self.skipping = true;
                return Ok(true);
            }
        }
        // The last line need not end with a line break.
        let found = !bytes.is_empty();
        *block = Block { bytes, line: self.line, too_long: false };
        Ok(found)
    }

    /// Keeps what follows the line break at `last` for later, and gives the lines before it.
    fn give(&mut self, block: &mut Block, mut bytes: Vec<u8>, last: usize) -> bool {
        self.rest.extend_from_slice(&bytes[last + 1..]);
        bytes.truncate(last);
        let breaks = bytes.iter().filter(|byte| **byte == b'\n').count();
        let line = self.line;
        self.line += breaks as u64 + 1;
        *block = Block { bytes, line, too_long: false };
        true
    }

    /// Appends what one read of the source gives.
    fn read_more(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let known = bytes.len();
        bytes.resize(known + READ_SIZE, 0);
        let count = loop {
            match self.source.read(&mut bytes[known..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        bytes.truncate(known + *count.as_ref().unwrap_or(&0));
        self.ended = count? == 0;
        Ok(())
    }
}
