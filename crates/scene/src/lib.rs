//! Files and streams of Carom: shapes, poses and questions as JSON.
//!
//! In order of importance: a line that cannot be answered is told what is wrong, where and how to
//! mend it, and the stream goes on; numbers are read and written without loss; the memory used does
//! not depend on the length of the stream; and it is quick.
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
mod failure;
mod json;
pub mod query;
mod write;
