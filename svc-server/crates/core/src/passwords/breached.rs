//! Passwords that are known from breaches: a file of sorted SHA-1 hashes, as Have I Been Pwned offers
//! it. It may be larger than the memory, so it is searched where it lies.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use svc_store::error::SetupError;

use crate::keys;

/// Digits of a hash. What follows them in a line, such as a count, is not read.
const DIGITS: usize = 40;

/// Bytes that hold the rest of a line and all of the next: lines are far shorter.
const WINDOW: usize = 512;

/// The file.
#[derive(Clone, Debug)]
pub(super) struct Breached(PathBuf);

impl Breached {
    /// The file at this path.
    pub(super) fn at(path: &str) -> Self {
        Self(path.into())
    }

    /// Refuses a file that does not begin as such a file does.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let wrong = |what: String| {
            SetupError::new(format!("passwords.breached_file, {}: {what}", self.0.display()))
        };
        let mut file = File::open(&self.0).map_err(|error| wrong(error.to_string()))?;
        let head = read_at(&mut file, 0).map_err(|error| wrong(error.to_string()))?;
        let lines: Vec<&[u8]> = head.split_inclusive(|byte| *byte == b'\n').take(2).collect();
        let are_hashes = !lines.is_empty() && lines.iter().all(|line| hash_of(line).is_some());
        if are_hashes && lines.is_sorted_by(|a, b| hash_of(a) < hash_of(b)) {
            return Ok(());
        }
        Err(wrong("its lines must be SHA-1 hashes in hex, sorted".to_owned()))
    }

    /// Whether a password is in it.
    pub(super) fn contains(&self, password: &str) -> io::Result<bool> {
        let mut file = File::open(&self.0)?;
        let wanted = digest(&SHA1_FOR_LEGACY_USE_ONLY, password.as_bytes());
        let wanted = keys::hex(wanted.as_ref()).to_ascii_uppercase();
        find(&mut file, &wanted)
    }
}

/// Searches by halves. The line that is looked for begins in `from..to`.
fn find(file: &mut (impl Read + Seek), wanted: &str) -> io::Result<bool> {
    let (mut from, mut to) = (0, file.seek(SeekFrom::End(0))?);
    while from < to {
        let middle = from.midpoint(to);
        // The first line that begins at `middle` or later: the byte before tells whether one does.
        let at = if middle == from { from } else { middle - 1 };
        let window = read_at(file, at)?;
        let skipped = if middle == from { 0 } else { line_end(&window) };
        let line = &window[skipped..];
        let start = at + u64::try_from(skipped).unwrap_or(u64::MAX);
        let order =
            if start < to { hash_of(line).map(|hash| hash.as_str().cmp(wanted)) } else { None };
        match order {
            Some(Ordering::Equal) => return Ok(true),
            Some(Ordering::Less) => {
                from = start + u64::try_from(line_end(line)).unwrap_or(u64::MAX);
            }
            Some(Ordering::Greater) | None => to = middle,
        }
    }
    Ok(false)
}

fn read_at(file: &mut (impl Read + Seek), offset: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut window = Vec::with_capacity(WINDOW);
    file.take(WINDOW as u64).read_to_end(&mut window)?;
    Ok(window)
}

/// Where the next line begins.
fn line_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1)
}

/// The hash a line begins with, in capitals.
fn hash_of(line: &[u8]) -> Option<String> {
    let hash = str::from_utf8(line.get(..DIGITS)?).ok()?;
    let is_hash = hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hash.then(|| hash.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_hash_is_found_if_it_is_there(
            hashes in proptest::collection::btree_set("[0-9A-F]{40}", 0..40),
            count in 0_u32..9_999_999, other in "[0-9A-F]{40}", ending in "\r?\n",
        ) {
            let line = |hash: &String| format!("{hash}:{count}{ending}");
            let text: String = hashes.iter().map(line).collect();
            let is_found = |hash: &str| find(&mut Cursor::new(text.as_bytes()), hash).unwrap();
            for hash in &hashes {
                prop_assert!(is_found(hash), "{hash} in {text}");
            }
            let hashes: BTreeSet<String> = hashes;
            prop_assert_eq!(is_found(&other), hashes.contains(&other));
        }
    }
}
