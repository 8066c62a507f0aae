//! The one file of a form, found in its body.
//!
//! The body is small and already read, so it is cut at its boundary and nothing is copied.

/// The bytes of the field `name` of a `multipart/form-data` body; other fields count for nothing.
pub(super) fn field<'a>(
    content_type: &str,
    body: &'a [u8],
    name: &str,
) -> Result<&'a [u8], &'static str> {
    let boundary = boundary(content_type).ok_or("the Content-Type must name a boundary")?;
    let mut found = None;
    for part in parts(body, boundary).ok_or("the form must end with its boundary")? {
        let end = find(part, b"\r\n\r\n").ok_or("each field must have a header")?;
        let (head, content) = (&part[..end], &part[end + 4..]);
        let is_named = std::str::from_utf8(head).is_ok_and(|head| is_named(head, name));
        if is_named && found.replace(content).is_some() {
            return Err("the form must hold one file, not two");
        }
    }
    found.ok_or("the form must have a field named file")
}

/// The boundary of a content type, 1 to 70 characters (RFC 2046).
fn boundary(content_type: &str) -> Option<&str> {
    let parameters = content_type.split(';').skip(1).filter_map(|pair| pair.split_once('='));
    let mut boundaries = parameters.filter(|(key, _)| key.trim().eq_ignore_ascii_case("boundary"));
    let boundary = unquoted(boundaries.next()?.1);
    (1..=70).contains(&boundary.len()).then_some(boundary)
}

/// What stands between the boundaries; nothing when the last one is missing.
fn parts<'a>(body: &'a [u8], boundary: &str) -> Option<Vec<&'a [u8]>> {
    let (first, next) = (format!("--{boundary}"), format!("\r\n--{boundary}"));
    let mut rest = &body[find(body, first.as_bytes())? + first.len()..];
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        // Spaces may follow a boundary before the line ends.
        let begin = find(rest, b"\r\n")?;
        let part = &rest[begin + 2..];
        let end = find(part, next.as_bytes())?;
        parts.push(&part[..end]);
        rest = &part[end + next.len()..];
    }
    Some(parts)
}

/// Whether the header of a part gives it this name.
fn is_named(head: &str, name: &str) -> bool {
    let lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut dispositions = lines.filter(|(key, _)| key.eq_ignore_ascii_case("content-disposition"));
    let Some((_, disposition)) = dispositions.next() else {
        return false;
    };
    let mut pairs = disposition.split(';').filter_map(|pair| pair.split_once('='));
    pairs.any(|(key, text)| key.trim().eq_ignore_ascii_case("name") && unquoted(text) == name)
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"b-1\"";

    fn file(body: &str) -> Result<&[u8], &'static str> {
        field(TYPE, body.as_bytes(), "file")
    }

    #[test]
    fn a_file_is_found_among_other_fields() {
        let body = "preamble\r\n--b-1\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nme\r\n\
                    --b-1 \r\nContent-Type: text/html\r\n\
                    content-disposition: form-data; filename=\"name=x.png\"; name=file\r\n\r\n\
                    a\r\n--b\r\n\r\nc\r\n--b-1--\r\n";
        assert_eq!(file(body), Ok(&b"a\r\n--b\r\n\r\nc"[..]));
    }

    #[test]
    fn a_form_without_one_file_is_refused() {
        let part = "--b-1\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\na\r\n";
        assert!(file(&format!("{part}--b-1--")).is_ok());
        assert!(file(&format!("{part}{part}--b-1--")).unwrap_err().contains("not two"));
        let other = part.replace("\"file\"", "\"files\"");
        assert!(file(&format!("{other}--b-1--")).unwrap_err().contains("named file"));
        for broken in
            ["", "--b-1", "--b-1--", part, "--b-1\r\n\r\n--b-1--", "--b-2\r\n\r\n\r\n--b-2--"]
        {
            assert!(file(broken).is_err(), "{broken:?}");
        }
        for bare in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"\"",
        ] {
            assert!(field(bare, part.as_bytes(), "file").unwrap_err().contains("boundary"));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_body_is_read_without_a_panic(body in "(--b-1|\r\n|name=\"file\"|:|;|--|a)*") {
            let _ = file(&body);
        }
    }
}
