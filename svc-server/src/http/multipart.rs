//! The file of an upload form.

use bytes::Bytes;
use futures_util::stream;
use multer::Multipart;
use svc_store::error::{Error, Result};

/// Longest boundary (RFC 2046).
const BOUNDARY_LENGTH_MAX: usize = 70;

/// The bytes of the field `name` of a `multipart/form-data` body; other fields are ignored.
///
/// The body was read with a limit before, so the parser needs none.
pub(super) async fn field(content_type: &str, body: Bytes, name: &str) -> Result<Bytes> {
    let boundary = multer::parse_boundary(content_type)
        .ok()
        .filter(|boundary| (1..=BOUNDARY_LENGTH_MAX).contains(&boundary.len()))
        .ok_or_else(|| Error::invalid(name, "the Content-Type must name a boundary"))?;
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut form = Multipart::new(body, boundary);
    let mut found = None;
    while let Some(field) = form.next_field().await.map_err(|error| malformed(name, &error))? {
        if field.name() != Some(name) {
            continue;
        }
        let content = field.bytes().await.map_err(|error| malformed(name, &error))?;
        if found.replace(content).is_some() {
            return Err(Error::invalid(name, "the form must hold one file, not two"));
        }
    }
    found.ok_or_else(|| Error::invalid(name, "the form must have a field named file"))
}

fn malformed(name: &str, error: &multer::Error) -> Error {
    let rule = match error {
        multer::Error::IncompleteStream | multer::Error::IncompleteFieldData { .. } => {
            "the form must end with its boundary"
        }
        _ => "each field must have a header",
    };
    Error::invalid(name, rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"b-1\"";

    fn field(content_type: &str, body: &str) -> Result<Bytes, String> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let found = futures_util::FutureExt::now_or_never(super::field(content_type, body, "file"));
        found.expect("the whole body is there").map_err(|error| error.to_string())
    }

    fn file(body: &str) -> Result<Bytes, String> {
        field(TYPE, body)
    }

    #[test]
    fn a_file_is_found_among_other_fields() {
        let body = "preamble\r\n--b-1\r\nContent-Disposition: form-data; name=\"alt\"\r\n\r\nme\r\n\
                    --b-1 \r\nContent-Type: text/html\r\n\
                    content-disposition: form-data; filename=\"name=x.png\"; name=file\r\n\r\n\
                    a\r\n--b\r\n\r\nc\r\n--b-1--\r\n";
        assert_eq!(file(body), Ok(Bytes::from_static(b"a\r\n--b\r\n\r\nc")));
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
            assert!(field(bare, part).unwrap_err().contains("boundary"));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_body_is_read_without_a_panic(body in "(--b-1|\r\n|name=\"file\"|:|;|--|a)*") {
            let _ = file(&body);
        }
    }
}
