//! The fields of an upload form.

use std::borrow::Cow;

use bytes::Bytes;
use futures_util::stream;
use multer::Multipart;
use svc_store::error::{Error, Result};

/// The media type of upload forms.
pub(super) const FORM: &str = "multipart/form-data";

/// Most bytes of an upload form besides its file.
pub(super) const BESIDE_FILE_BYTES_MAX: usize = 16 * 1024;

/// Longest boundary (RFC 2046).
const BOUNDARY_LENGTH_MAX: usize = 70;

/// Most fields of a form.
const FIELDS_MAX: usize = 100;

/// A field of a form.
pub(super) struct Field {
    /// Its name.
    pub(super) name: String,
    /// Its bytes.
    pub(super) content: Bytes,
}

/// Whether a Content-Type is that of upload forms.
pub(super) fn is_form(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(FORM)
}

/// A body without its boundary if it is a form. Programs choose another boundary for each request, so this is what
/// a request and its repetition have in common.
pub(super) fn without_boundary<'a>(content_type: &str, body: &'a [u8]) -> Cow<'a, [u8]> {
    let Some(boundary) = Some(content_type).filter(|text| is_form(text)).and_then(boundary) else {
        return Cow::Borrowed(body);
    };
    // No field contains this, since a field ends there.
    let delimiter = format!("\r\n--{boundary}");
    let mut rest = body.strip_prefix(&delimiter.as_bytes()[2..]).unwrap_or(body);
    let mut kept = Vec::with_capacity(body.len());
    let next =
        |rest: &[u8]| rest.windows(delimiter.len()).position(|part| part == delimiter.as_bytes());
    while let Some(at) = next(rest) {
        kept.extend_from_slice(&rest[..at]);
        kept.extend_from_slice(b"\r\n--");
        rest = &rest[at + delimiter.len()..];
    }
    kept.extend_from_slice(rest);
    Cow::Owned(kept)
}

/// The named fields of a `multipart/form-data` body, in their order. `about` is the field that errors name.
///
/// The body was read with a limit before, so the parser needs none.
pub(super) async fn fields(content_type: &str, body: Bytes, about: &str) -> Result<Vec<Field>> {
    let mut form = form(content_type, body, about)?;
    let mut fields = Vec::new();
    while let Some(field) = next(&mut form).await.map_err(|error| malformed(about, &error))? {
        fields.push(field);
        if fields.len() > FIELDS_MAX {
            let rule = format!("the form must have at most {FIELDS_MAX} fields");
            return Err(Error::invalid(about, rule));
        }
    }
    Ok(fields)
}

/// The same of the beginning of a body: the fields that it has whole.
pub(super) async fn fields_of_beginning(
    content_type: &str,
    body: Bytes,
    about: &str,
) -> Result<Vec<Field>> {
    let mut form = form(content_type, body, about)?;
    let mut fields = Vec::new();
    while fields.len() < FIELDS_MAX
        && let Ok(Some(field)) = next(&mut form).await
    {
        fields.push(field);
    }
    Ok(fields)
}

fn form(content_type: &str, body: Bytes, about: &str) -> Result<Multipart<'static>> {
    let boundary = boundary(content_type)
        .ok_or_else(|| Error::invalid(about, "the Content-Type must name a boundary"))?;
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    Ok(Multipart::new(body, boundary))
}

/// The boundary that a Content-Type names.
fn boundary(content_type: &str) -> Option<String> {
    let boundary = multer::parse_boundary(content_type).ok();
    boundary.filter(|boundary| (1..=BOUNDARY_LENGTH_MAX).contains(&boundary.len()))
}

/// The next field that has a name.
async fn next(form: &mut Multipart<'static>) -> multer::Result<Option<Field>> {
    while let Some(field) = form.next_field().await? {
        if let Some(name) = field.name().map(str::to_owned) {
            return Ok(Some(Field { name, content: field.bytes().await? }));
        }
    }
    Ok(None)
}

/// The bytes of the one field `name`.
pub(super) fn only(fields: &[Field], name: &str) -> Result<Bytes> {
    let mut found = fields.iter().filter(|field| field.name == name);
    match (found.next(), found.next()) {
        (Some(field), None) => Ok(field.content.clone()),
        (Some(_), Some(_)) => {
            Err(Error::invalid(name, format!("the form must have one field {name}, not two")))
        }
        (None, _) => Err(Error::invalid(name, format!("the form must have a field named {name}"))),
    }
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
    use futures_util::FutureExt;

    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"b-1\"";

    fn field(content_type: &str, body: &str) -> Result<Bytes, String> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let found = FutureExt::now_or_never(fields(content_type, body, "file"));
        let found = found.expect("the whole body is there");
        found.and_then(|fields| only(&fields, "file")).map_err(|error| error.to_string())
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
        assert!(file(&format!("{}--b-1--", part.repeat(101))).unwrap_err().contains("100 fields"));
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

    #[test]
    fn a_form_is_the_same_with_another_boundary() {
        let body = |boundary: &str, file: &str| {
            format!("--{boundary}\r\nname: file\r\n\r\n{file}\r\n--{boundary}--\r\n")
        };
        let kept = |boundary: &str, file: &str| {
            let content_type = format!("multipart/form-data; boundary={boundary}");
            without_boundary(&content_type, body(boundary, file).as_bytes()).into_owned()
        };
        assert_eq!(kept("b-1", "a"), kept("c-22", "a"));
        assert_ne!(kept("b-1", "a"), kept("b-1", "b"));
        assert_ne!(kept("b", "a--b"), kept("b", "a"), "only the boundary of a field goes");
        let json = br#"{"a":"--b"}"#;
        assert_eq!(&*without_boundary("application/json; boundary=b", json), json);
    }

    proptest::proptest! {
        #[test]
        fn any_body_is_read_without_a_panic(body in "(--b-1|\r\n|name=\"file\"|:|;|--|a)*") {
            let _ = file(&body);
        }
    }
}
