//! Where in a line something stands, for messages: the column, and the path through the fields.
//!
//! Both are found by walking the line again when a message is written, so that reading needs no
//! bookkeeping.

use super::scan::{skip_key, skip_space, skip_value};

/// The column of a byte, counted in characters from 1.
pub(crate) fn column(line: &str, offset: usize) -> usize {
    line.char_indices().take_while(|&(start, _)| start < offset).count() + 1
}

/// The way from the outermost object to the value or field name at `offset`, such as
/// `a.half_extents[1]`; empty for the outermost object itself.
pub(crate) fn path(line: &str, offset: usize) -> String {
    let bytes = line.as_bytes();
    let mut path = String::new();
    let mut at = skip_space(bytes, 0);
    // Each turn enters one pair of brackets: the line is as deep as the scanner allows at most.
    while at < offset {
        let Some((step, inner)) = step_towards(line, at, offset) else { break };
        if !path.is_empty() && !step.starts_with('[') {
            path.push('.');
        }
        path.push_str(&step);
        at = inner;
    }
    path
}

/// The element of the bracket at `open` that holds the byte at `offset`: how it is called, and where
/// its value starts (or `offset` itself, when that is in the name).
fn step_towards(line: &str, open: usize, offset: usize) -> Option<(String, usize)> {
    let bytes = line.as_bytes();
    let in_object = match bytes.get(open)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let mut at = open;
    for index in 0.. {
        at = skip_space(bytes, at + 1);
        let (name, value) = if in_object {
            let (quote, after_colon) = skip_key(bytes, at).ok()?;
            (line.get(at + 1..quote)?.chars().take(40).collect(), skip_space(bytes, after_colon))
        } else {
            (format!("[{index}]"), at)
        };
        let end = skip_value(bytes, value).ok()?;
        if at <= offset && offset < end {
            return Some((name, if offset < value { offset } else { value }));
        }
        at = skip_space(bytes, end);
        if bytes.get(at) != Some(&b',') {
            break;
        }
    }
    None
}
