//! The grammar of JSON (RFC 8259): where a value ends, or where and why the text is not JSON.
//!
//! Nothing is built here. A scan keeps one bit for each open bracket, so it needs neither stack nor
//! memory however long or deep the text is, and everything above asks it again for the parts that it
//! wants to read. Stricter than the grammar in one point: an escaped half of a surrogate pair without
//! its other half is an error, because no text can hold it.

use crate::failure::Failure;

/// How deep brackets may be nested: one bit of a `u128` each.
pub(crate) const MAX_DEPTH: u32 = 128;

/// The first position at or after `at` that is not white space.
#[inline]
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The position after the value that starts at `start`.
pub(crate) fn skip_value(bytes: &[u8], start: usize) -> Result<usize, Failure> {
    // Bit 0 tells of the innermost open bracket: 1 for an object, 0 for an array.
    let mut open: u128 = 0;
    let mut depth = 0;
    let mut at = start;
    // Each turn passes at least one byte.
    loop {
        at = skip_space(bytes, at);
        let bracket = match bytes.get(at) {
            Some(b'"') => {
                at = skip_string(bytes, at)?;
                None
            }
            Some(b'-' | b'0'..=b'9') => {
                at = skip_number(bytes, at)?;
                None
            }
            Some(b'{') => Some(b'}'),
            Some(b'[') => Some(b']'),
            _ => {
                at = skip_literal(bytes, at)?;
                None
            }
        };
        if let Some(closing) = bracket {
            if depth == MAX_DEPTH {
                let text = format!("brackets are nested more than {MAX_DEPTH} deep");
                return Err(Failure::at(at, "too_deep", text));
            }
            at = skip_space(bytes, at + 1);
            if bytes.get(at) == Some(&closing) {
                at += 1;
            } else {
                depth += 1;
                open = open << 1 | u128::from(closing == b'}');
                if closing == b'}' {
                    at = skip_key(bytes, at)?.1;
                }
                continue;
            }
        }
        // A value has ended, and with it perhaps the brackets around it.
        loop {
            if depth == 0 {
                return Ok(at);
            }
            at = skip_space(bytes, at);
            let in_object = open & 1 == 1;
            match bytes.get(at) {
                Some(b',') if in_object => {
                    at = skip_key(bytes, skip_space(bytes, at + 1))?.1;
                    break;
                }
                Some(b',') => {
                    at += 1;
                    break;
                }
                Some(b'}') if in_object => {}
                Some(b']') if !in_object => {}
                _ => return Err(unexpected(bytes, at, if in_object { "`,` or `}`" } else { "`,` or `]`" })),
            }
            at += 1;
            depth -= 1;
            open >>= 1;
        }
    }
}

/// The closing quote of a key, and the position after its colon; `at` is where the key must start.
pub(crate) fn skip_key(bytes: &[u8], at: usize) -> Result<(usize, usize), Failure> {
    if bytes.get(at) != Some(&b'"') {
        return Err(unexpected(bytes, at, "a field name in double quotes"));
    }
    let end = skip_string(bytes, at)?;
    let colon = skip_space(bytes, end);
    if bytes.get(colon) != Some(&b':') {
        return Err(unexpected(bytes, colon, "`:` after the field name"));
    }
    Ok((end - 1, colon + 1))
}

/// The position after the string whose opening quote is at `start`.
#[inline]
pub(crate) fn skip_string(bytes: &[u8], start: usize) -> Result<usize, Failure> {
    let mut at = start + 1;
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = skip_escape(bytes, at)?,
            Some(0..=0x1f) => {
                let text = "control characters in a string must be escaped, for example \\n or \\u0009";
                return Err(Failure::at(at, "syntax", text));
            }
            Some(_) => at += 1,
            None => return Err(unexpected(bytes, at, "the closing `\"` of a string")),
        }
    }
}

/// The position after the escape whose backslash is at `at`.
fn skip_escape(bytes: &[u8], at: usize) -> Result<usize, Failure> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match hex_unit(bytes, at + 2) {
            Some(0xD800..=0xDBFF) => {
                let low = if bytes.get(at + 6) == Some(&b'\\') && bytes.get(at + 7) == Some(&b'u') {
                    hex_unit(bytes, at + 8)
                } else {
                    None
                };
                match low {
                    Some(0xDC00..=0xDFFF) => Ok(at + 12),
                    _ => Err(Failure::at(at, "syntax", "half of a surrogate pair stands alone")),
                }
            }
            Some(0xDC00..=0xDFFF) => Err(Failure::at(at, "syntax", "half of a surrogate pair stands alone")),
            Some(_) => Ok(at + 6),
            None => Err(Failure::at(at, "syntax", "expected four hexadecimal digits after \\u")),
        },
        _ => Err(Failure::at(
            at,
            "syntax",
            "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u after a backslash",
        )),
    }
}

/// The UTF-16 unit of four hexadecimal digits.
pub(crate) fn hex_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0_u16, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

/// The position after the number that starts at `start`.
#[inline]
fn skip_number(bytes: &[u8], start: usize) -> Result<usize, Failure> {
    let digits = |mut at: usize| {
        while let Some(b'0'..=b'9') = bytes.get(at) {
            at += 1;
        }
        at
    };
    let mut at = start + usize::from(bytes.get(start) == Some(&b'-'));
    at = match bytes.get(at) {
        Some(b'0') if matches!(bytes.get(at + 1), Some(b'0'..=b'9')) => {
            return Err(Failure::at(start, "syntax", "a number must not start with a needless 0"));
        }
        Some(b'0'..=b'9') => digits(at),
        _ => return Err(unexpected(bytes, at, "a digit")),
    };
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return Err(unexpected(bytes, end, "a digit after the decimal point"));
        }
        at = end;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let first = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(first);
        if at == first {
            return Err(unexpected(bytes, at, "a digit in the exponent"));
        }
    }
    Ok(at)
}

/// The position after `true`, `false` or `null`.
fn skip_literal(bytes: &[u8], at: usize) -> Result<usize, Failure> {
    for word in ["true", "false", "null"] {
        if bytes.get(at..at + word.len()) == Some(word.as_bytes()) {
            return Ok(at + word.len());
        }
    }
    for word in ["NaN", "nan", "Infinity", "inf", "+", "."] {
        if bytes.get(at..at + word.len()) == Some(word.as_bytes()) {
            let text =
                format!("`{word}` does not start a JSON number; numbers are finite, like -1.5 or 2e-3");
            return Err(Failure::at(at, "syntax", text));
        }
    }
    Err(unexpected(bytes, at, "a value"))
}

/// A failure that says what should have been at `at`, and what is there.
pub(crate) fn unexpected(bytes: &[u8], at: usize, expected: &str) -> Failure {
    let found = match bytes.get(at..).unwrap_or_default().utf8_chunks().next().map(|chunk| chunk.valid()) {
        Some(text) => match text.chars().next() {
            Some(character) => format!("found {character:?}"),
            None => "found a byte that is no text".to_owned(),
        },
        None => "the line ends".to_owned(),
    };
    Failure::at(at, "syntax", format!("expected {expected}, but {found}"))
}
