//! Reading a recording, block by block.

use super::numbers::{Bytes, Numbers, Past, read_number};
use super::{
    HEAD, MAGIC, RecordedMesh, RecordingError, Source, TAIL, VERSION, block_check, head_check, step_bits,
};

/// How a recording ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As it should.
    Whole,
    /// In the middle of the block that begins at this byte, or where one should begin.
    Truncated {
        /// The byte.
        offset: usize,
    },
}

/// What a step has left: the hash of the state, and the poses of the bodies that moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The hash of the whole state.
    pub hash: u64,
    /// The indices of bodies that are no longer there.
    pub gone: Vec<u32>,
    /// The indices of bodies that moved or are new, ascending, with the numbers of their poses: position and (cos, sin)
    /// in the plane, position and quaternion (x, y, z, w) in space.
    pub moved: Vec<(u32, Vec<f32>)>,
}

/// A recording that is being read.
///
/// # Example
/// ```
/// use carom_scene::recording::Reader;
/// let error = Reader::open(b"solid cube").unwrap_err();
/// assert_eq!((error.kind, error.offset), ("not_a_recording", Some(0)));
/// ```
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    source: Source,
    past: Past,
    steps: u64,
    end: Option<End>,
    /// How many numbers a pose has.
    count: usize,
}

impl<'a> Reader<'a> {
    /// Reads the begin of a recording.
    ///
    /// # Errors
    /// When it is none, is of another version, or is broken before the first step.
    pub fn open(bytes: &'a [u8]) -> Result<Self, RecordingError> {
        let version_at = MAGIC.len();
        let Some(rest) = bytes.strip_prefix(&MAGIC) else {
            // A magic that was cut off is a recording, though an empty one.
            let is_begin = !bytes.is_empty() && MAGIC.starts_with(bytes);
            let text = if is_begin {
                "the file ends here, before its scene"
            } else {
                "this is no recording of Carom"
            };
            let (kind, offset) = if is_begin { ("corrupt", bytes.len()) } else { ("not_a_recording", 0) };
            return Err(RecordingError { offset: Some(offset), kind, text: text.into() });
        };
        let Some((version, _)) = rest.split_first_chunk() else {
            return Err(RecordingError::corrupt(bytes.len(), "the file ends here, before its scene"));
        };
        let version = u16::from_le_bytes(*version);
        if version != VERSION {
            let text = format!("the recording has version {version}, this program reads version {VERSION}");
            return Err(RecordingError { offset: Some(version_at), kind: "version", text });
        }
        let mut reader = Reader {
            bytes,
            at: version_at + 2,
            source: Source::Builtin(String::new()),
            past: Past::default(),
            steps: 0,
            end: None,
            count: 0,
        };
        let begin = reader.at;
        let Some((b'S', content)) = reader.block()? else {
            return Err(RecordingError::corrupt(begin, "the scene should be here, whole"));
        };
        (reader.source, reader.count) =
            scene(content).ok_or_else(|| RecordingError::corrupt(begin, "the scene cannot be read"))?;
        while let Some(b'M') = bytes.get(reader.at) {
            let begin = reader.at;
            let Some((_, content)) = reader.block()? else {
                return Err(RecordingError::corrupt(begin, "a mesh of the scene should be here, whole"));
            };
            let Some(mesh) = RecordedMesh::read(content) else {
                return Err(RecordingError::corrupt(begin, "a mesh of the scene cannot be read"));
            };
            match &mut reader.source {
                Source::File { meshes, .. } => meshes.push(mesh),
                Source::Builtin(_) => {
                    return Err(RecordingError::corrupt(begin, "a scene that is built in has no mesh files"));
                }
            }
        }
        Ok(reader)
    }
    /// Where the scene comes from.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }
    /// The next block of poses: the start first, then the steps; `None` at the end.
    ///
    /// # Errors
    /// When the file was changed: the message names the byte where the broken block begins.
    pub fn next_step(&mut self) -> Result<Option<Step>, RecordingError> {
        if self.end.is_some() {
            return Ok(None);
        }
        let begin = self.at;
        let Some((letter, content)) = self.block()? else {
            self.end = Some(End::Truncated { offset: begin });
            return Ok(None);
        };
        let mut content = Bytes { rest: content };
        match letter {
            b'P' => {
                let step = self.poses(&mut content).filter(|_| content.rest.is_empty());
                self.steps += 1;
                step.map(Some)
                    .ok_or_else(|| RecordingError::corrupt(begin, "the poses of a step cannot be read"))
            }
            b'E' => {
                let steps = content.take().map(u64::from_le_bytes);
                if steps.and_then(|steps| steps.checked_add(1)) != Some(self.steps)
                    || !content.rest.is_empty()
                {
                    return Err(RecordingError::corrupt(begin, "the end names another number of steps"));
                }
                if self.at != self.bytes.len() {
                    return Err(RecordingError::corrupt(self.at, "there is something after the end"));
                }
                self.end = Some(End::Whole);
                Ok(None)
            }
            _ => Err(RecordingError::corrupt(begin, "there is no block of this kind")),
        }
    }
    /// How the recording ends, once [`next_step`](Self::next_step) has come to it.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }
    /// How many bytes have been read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }
    /// 2 or 3.
    #[must_use]
    pub fn dimension(&self) -> usize {
        if self.count == 4 { 2 } else { 3 }
    }

    /// The letter and content of the next block; `None` when the file ends before its end.
    fn block(&mut self) -> Result<Option<(u8, &'a [u8])>, RecordingError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some((head, after)) = rest.split_first_chunk::<HEAD>() else { return Ok(None) };
        let [letter, l0, l1, l2, l3, c0, c1] = *head;
        let given = &head[..5];
        if head_check(given) != u16::from_le_bytes([c0, c1]) {
            return Err(RecordingError::corrupt(self.at, "the begin of a block was changed"));
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        let Some((content, after)) = after.split_at_checked(length) else { return Ok(None) };
        let Some(tail) = after.first_chunk::<TAIL>() else { return Ok(None) };
        if block_check(given, content) != u32::from_le_bytes(*tail) {
            return Err(RecordingError::corrupt(self.at, "a block was changed"));
        }
        self.at += HEAD + length + TAIL;
        Ok(Some((letter, content)))
    }

    fn poses(&mut self, content: &mut Bytes<'_>) -> Option<Step> {
        let hash = u64::from_le_bytes(content.take()?);
        let mut step = Step { hash, ..Step::default() };
        let mut next = 0_u32;
        for _ in 0..content.index()? {
            let index = next.checked_add(content.index()?)?;
            next = index.checked_add(1)?;
            self.past.get(index)?;
            step.gone.push(index);
        }
        let mut next = 0_u32;
        let mut moved: Vec<(u32, Numbers)> = Vec::new();
        for _ in 0..content.index()? {
            let index = next.checked_add(content.index()?)?;
            next = index.checked_add(1)?;
            let [a, b] = self.past.get(index).unwrap_or_default();
            let mut pose = Numbers::default();
            for ((number, a), b) in pose.iter_mut().zip(a).zip(b).take(self.count) {
                *number = read_number(content, [a, b])?;
            }
            moved.push((index, pose));
        }
        self.past.advance(&step.gone, &moved);
        let numbers = |pose: Numbers| pose.iter().copied().take(self.count).collect();
        step.moved = moved.into_iter().map(|(index, pose)| (index, numbers(pose))).collect();
        Some(step)
    }
}

/// The content of the block about the scene.
fn scene(content: &[u8]) -> Option<(Source, usize)> {
    let mut content = Bytes { rest: content };
    let [kind, dimension] = content.take()?;
    let count = match dimension {
        2 => 4,
        3 => 7,
        _ => return None,
    };
    if u32::from_le_bytes(content.take()?) != step_bits() {
        return None;
    }
    let text = std::str::from_utf8(content.rest).ok()?.to_owned();
    match kind {
        0 => Some((Source::Builtin(text), count)),
        1 => Some((Source::File { text, meshes: Vec::new() }, count)),
        _ => None,
    }
}
