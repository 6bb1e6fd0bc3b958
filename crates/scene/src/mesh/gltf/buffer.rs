//! Buffers: the binary chunk of a GLB file, base64 in the document, or a file beside it.
//!
//! Files are those of the document's folder ([`folder`](crate::mesh::folder)). Of each no more is read than the
//! document declares, and only once.

use super::{Budget, entry};
use crate::failure::Failure;
use crate::json::Value;
use crate::mesh::folder::{found_within, path_within};
use crate::mesh::read_file;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The bytes of a buffer.
#[derive(Clone)]
pub(super) enum Loaded<'a> {
    Chunk(&'a [u8]),
    Own(Rc<[u8]>),
}

impl Deref for Loaded<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Loaded::Chunk(bytes) => bytes,
            Loaded::Own(bytes) => bytes,
        }
    }
}

/// The buffers of a document, read when they are needed.
pub(super) struct Buffers<'a> {
    list: Vec<Value<'a>>,
    chunk: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: Vec<Option<Loaded<'a>>>,
    files: BTreeMap<PathBuf, Loaded<'a>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(list: Vec<Value<'a>>, chunk: Option<&'a [u8]>, folder: Option<&'a Path>) -> Self {
        Buffers { loaded: vec![None; list.len()], list, chunk, folder, files: BTreeMap::new() }
    }

    /// The bytes of the buffer that is referred to, at least as many as it declares.
    pub(super) fn load(&mut self, reference: Value<'a>, budget: &mut Budget) -> Result<Loaded<'a>, Failure> {
        let (number, buffer) = entry(&self.list, reference, "buffer")?;
        if let Some(Some(bytes)) = self.loaded.get(number) {
            return Ok(bytes.clone());
        }
        let (uri, declared) = fields(buffer)?;
        let bytes = match (uri, self.chunk) {
            (Some(uri), _) => self.fetch(uri, budget)?,
            (None, Some(chunk)) if number == 0 => Loaded::Chunk(chunk),
            _ => {
                return Err(
                    buffer.fail("missing_field", "the buffer needs a `uri` that says where its bytes are")
                );
            }
        };
        if (bytes.len() as u64) < declared {
            let text =
                format!("the buffer declares {declared} bytes, but there are {}; it is cut off", bytes.len());
            return Err(buffer.fail("truncated", text));
        }
        if let Some(slot) = self.loaded.get_mut(number) {
            *slot = Some(bytes.clone());
        }
        Ok(bytes)
    }

    fn fetch(&mut self, uri: Value<'a>, budget: &mut Budget) -> Result<Loaded<'a>, Failure> {
        let text = uri.word()?;
        if let Some(data) = text.strip_prefix("data:") {
            let encoded =
                data.split_once(',').and_then(|(head, body)| head.ends_with(";base64").then_some(body));
            let bytes = encoded
                .and_then(base64)
                .ok_or_else(|| uri.fail("syntax", "expected base64 after `data:..;base64,`"))?;
            return Ok(Loaded::Own(bytes.into()));
        }
        let Some(relative) = path_of(&text) else {
            let refused = "a document may refer only to files in its own folder and below, such as mesh.bin; put the file there";
            return Err(uri.fail("outside_folder", refused));
        };
        if let Some(bytes) = self.files.get(&relative) {
            return Ok(bytes.clone());
        }
        let Some(folder) = self.folder else {
            return Err(
                uri.fail("unreadable", "the document needs another file, but was not read from a folder")
            );
        };
        let path = found_within(folder, &relative, uri)?;
        let bytes = read_file(&path, self.declared(&relative)?)
            .map_err(|reason| uri.fail("unreadable", format!("{text} cannot be read: {reason}")))?;
        budget.grow(bytes.len());
        let bytes = Loaded::Own(bytes.into());
        self.files.insert(relative, bytes.clone());
        Ok(bytes)
    }

    /// The most that any buffer declares of a file.
    fn declared(&self, relative: &Path) -> Result<u64, Failure> {
        let mut most = 0;
        for &buffer in &self.list {
            let (uri, length) = fields(buffer)?;
            let text = uri.map(Value::word).transpose()?.unwrap_or_default();
            if most < length && path_of(&text).as_deref() == Some(relative) {
                most = length;
            }
        }
        Ok(most)
    }
}

/// Where a buffer is, and how long.
fn fields(buffer: Value<'_>) -> Result<(Option<Value<'_>>, u64), Failure> {
    let Some(length) = buffer.field("byteLength")? else {
        return Err(buffer.fail("missing_field", "the buffer needs its `byteLength`"));
    };
    Ok((buffer.field("uri")?, length.whole()?))
}

/// The path of a reference that stays in the folder; `None` for any other.
fn path_of(uri: &str) -> Option<PathBuf> {
    path_within(&percent_decoded(uri)?)
}

/// The text with `%20` and the like resolved; `None` when that is no text.
fn percent_decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |position: usize| char::from(*after.get(position)?).to_digit(16);
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// The bytes of a base64 text (RFC 4648), padded or not.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    // One letter alone holds no byte.
    if text.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0_u32;
        for (position, &letter) in group.iter().enumerate() {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits |= u32::from(value) << (18 - 6 * position);
        }
        let [_, decoded @ ..] = bits.to_be_bytes();
        bytes.extend(decoded.iter().take(group.len() - 1));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_the_standard() {
        // The test vectors of RFC 4648.
        let known = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, bytes) in known {
            assert_eq!(base64(text).as_deref(), Some(bytes.as_bytes()));
            assert_eq!(base64(text.trim_end_matches('=')).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(base64("+/+/").as_deref(), Some(&[0xfb, 0xff, 0xbf][..]));
        for wrong in ["Z", "Zm9vY", "Zm 9", "Zm9v\n", "Zm=v", "Zm_v"] {
            assert_eq!(base64(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn paths_stay_in_the_folder() {
        for (uri, path) in [
            ("mesh.bin", "mesh.bin"),
            ("./a/b%20c.bin", "a/b c.bin"),
            ("a//b", "a/b"),
            ("50%.bin", "50%.bin"),
        ] {
            assert_eq!(path_of(uri).as_deref(), Some(Path::new(path)), "{uri}");
        }
        for uri in [
            "",
            ".",
            "/etc/passwd",
            "../x.bin",
            "a/../../x",
            "a/..",
            "%2e%2e/x",
            "..%2fx",
            "%2Fetc/passwd",
            "file:///etc/passwd",
            "http://example.org/x",
            "C:x",
            "C%3Ax",
            "a\\..\\x",
            "a%5cb",
            "x%00y",
            "%ff",
        ] {
            assert_eq!(path_of(uri), None, "{uri}");
        }
    }
}
