//! Files and streams of Carom: shapes, poses, questions and scenes as JSON, and mesh files.
//!
//! Questions are answered by [`query`], mesh files are read by [`mesh`], scenes by [`scene_file`]; [`check`] tells what
//! clashes in them, [`builtin`] has scenes that come along, and [`recording`] writes down how one went.
//!
//! In order of importance: a line or file that cannot be read or answered is told what is wrong, where
//! and how to mend it, and the rest goes on; numbers are read and written without loss; the memory used
//! does not depend on the length of the stream, and only on the size of a file; and it is quick.
//!
//! ```
//! use carom_scene::query::{Options, answer_line};
//!
//! let mut output = Vec::new();
//! let answered = answer_line(br#"{"id": 7, "op": "volume"}"#, 1, Options::default(), &mut output);
//! assert!(!answered);
//! assert!(output.starts_with(br#"{"id":7,"error":{"kind":"unknown_op","message":"line 1, column 17, op: "#));
//! ```

// Tests may measure with whatever they like; the code they test may not.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod builtin;
pub mod check;
mod failure;
mod json;
pub mod mesh;
pub mod query;
pub mod recording;
pub mod scene_file;
mod write;
