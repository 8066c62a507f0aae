//! Inputs in lines.

/// The text of bytes; what is not UTF-8 is replaced.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes the first line of an input, without its end.
pub(crate) fn line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let end = rest.iter().position(|byte| *byte == b'\n');
    let (line, after) = match end {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (*rest, &[][..]),
    };
    *rest = after;
    line
}

/// One of several by a name; any other name means one of them too, so that no mutation is in vain.
pub(crate) fn by_name<'a, T>(all: &'a [T], name: &str, name_of: impl Fn(&T) -> &str) -> &'a T {
    let found = all.iter().find(|one| name_of(one) == name);
    found.unwrap_or_else(|| {
        let sum: usize = name.bytes().map(usize::from).sum();
        &all[sum % all.len()]
    })
}
