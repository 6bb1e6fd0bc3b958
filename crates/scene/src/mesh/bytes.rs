//! Reading numbers of the binary formats, either end first.

use super::error::{MeshError, Place, Problem};
use std::borrow::Cow;

/// A number type of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    /// How many bytes it takes.
    pub(super) fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }

    /// Whether it holds whole numbers only.
    pub(super) fn is_whole(self) -> bool {
        !matches!(self, Kind::F32 | Kind::F64)
    }

    /// The number at the start of the bytes, little end first; `None` when there are too few. All types
    /// are exact in `f64`.
    #[inline]
    pub(super) fn little(self, bytes: &[u8]) -> Option<f64> {
        Some(match self {
            Kind::I8 => f64::from(i8::from_le_bytes(*bytes.first_chunk()?)),
            Kind::U8 => f64::from(u8::from_le_bytes(*bytes.first_chunk()?)),
            Kind::I16 => f64::from(i16::from_le_bytes(*bytes.first_chunk()?)),
            Kind::U16 => f64::from(u16::from_le_bytes(*bytes.first_chunk()?)),
            Kind::I32 => f64::from(i32::from_le_bytes(*bytes.first_chunk()?)),
            Kind::U32 => f64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Kind::F32 => f64::from(f32::from_le_bytes(*bytes.first_chunk()?)),
            Kind::F64 => f64::from_le_bytes(*bytes.first_chunk()?),
        })
    }

    /// The same, big end first.
    #[inline]
    fn big(self, bytes: &[u8]) -> Option<f64> {
        let mut turned = [0; 8];
        let size = self.size();
        turned.get_mut(..size)?.copy_from_slice(bytes.get(..size)?);
        turned.get_mut(..size)?.reverse();
        self.little(&turned)
    }
}

/// Binary content that is read from the front.
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
    big_endian: bool,
}

impl<'a> Bytes<'a> {
    /// The content from a position on.
    pub(super) fn new(all: &'a [u8], at: usize, big_endian: bool) -> Self {
        Bytes { all, at: at.min(all.len()), big_endian }
    }

    /// The position in the file.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// What has not been read.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.all.get(self.at..).unwrap_or_default()
    }

    /// The next `length` bytes. `what` needs them.
    pub(super) fn take(&mut self, length: u64, what: &'static str) -> Result<&'a [u8], MeshError> {
        self.check(length, what)?;
        // What is left fits into memory, and so does what is less.
        let start = self.at;
        self.at += length as usize;
        Ok(self.all.get(start..self.at).unwrap_or_default())
    }

    /// An error unless there are so many bytes.
    pub(super) fn check(&self, needed: u64, what: impl Into<Cow<'static, str>>) -> Result<(), MeshError> {
        let left = self.rest().len() as u64;
        if needed <= left {
            return Ok(());
        }
        Err(self.fail(Problem::Truncated { what: what.into(), needed, left }))
    }

    /// The next number, which `what` needs.
    #[inline]
    pub(super) fn number(&mut self, kind: Kind, what: &'static str) -> Result<f64, MeshError> {
        let rest = self.rest();
        match if self.big_endian { kind.big(rest) } else { kind.little(rest) } {
            Some(number) => {
                self.at += kind.size();
                Ok(number)
            }
            None => {
                let (needed, left) = (kind.size() as u64, rest.len() as u64);
                Err(self.fail(Problem::Truncated { what: what.into(), needed, left }))
            }
        }
    }

    /// A failure at the position.
    #[cold]
    pub(super) fn fail(&self, problem: Problem) -> MeshError {
        MeshError::at(Place::Byte(self.at as u64), problem)
    }
}
