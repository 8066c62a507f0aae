//! Forms of pages with images of a post: each is uploaded, and its id takes its place among the fields.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::media::{IMAGE_BYTES_MAX, IMAGES_MAX};

use super::request::Fields;
use crate::app::ServerApp;
use crate::http::incoming::{self, Incoming};
use crate::http::{media, multipart};

/// The names of a form: its files, and what each shows.
const FILE: &str = "file";
const ALT: &str = "alt";

/// The form fields with the ids of images that were uploaded with the form.
pub(crate) const IDS: &str = "mediaIds";

/// The form field with the number of the image that was refused.
pub(crate) const REFUSED: &str = "refusedImage";

/// A form that was read.
pub(super) struct Sent {
    pub(super) parts: Parts,
    /// Its texts, and the ids of its images; of the first one that was refused its number and what it shows.
    pub(super) fields: Fields,
    /// Why that image was refused.
    pub(super) refusal: Option<Refusal>,
}

/// An image of a form.
struct Image {
    /// Its place among those of the form, from 1.
    number: usize,
    file: Bytes,
    alt: Bytes,
}

/// Reads a form. Of a visitor who may not upload only the texts are read, so that they are not lost.
pub(super) async fn read(app: &Arc<ServerApp>, mut incoming: Incoming) -> Result<Sent> {
    let texts_max = app.config.limits.body_bytes;
    let most = media::forms(IMAGES_MAX * IMAGE_BYTES_MAX + texts_max);
    let visitor = match media::uploader(app, &incoming.parts, &most).await {
        Ok(account) => Some(account),
        Err(Error::Refused(_)) => None,
        Err(error) => return Err(error),
    };
    let accepts = if visitor.is_some() { most } else { media::forms(texts_max) };
    let _room = media::room(app, &incoming.parts, &accepts).await;
    let body = incoming::read(&mut incoming, &accepts).await?;
    let parts = incoming.parts;
    let (mut fields, images) = sorted(&parts, body).await?;
    let mut refusal = None;
    if let Some(visitor) = visitor {
        for Image { number, file, alt } in images {
            match media::keep(app, &visitor, &file, &alt).await {
                Ok(id) => fields.push((IDS.to_owned(), id.to_string())),
                Err(Error::Refused(refused)) if refusal.is_none() => {
                    fields.push((REFUSED.to_owned(), number.to_string()));
                    fields.push((ALT.to_owned(), String::from_utf8_lossy(&alt).into_owned()));
                    refusal = Some(*refused);
                }
                Err(Error::Refused(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Sent { parts, fields, refusal })
}

/// The texts of a form, and its images. An empty file is a field that was left blank.
async fn sorted(parts: &Parts, body: Bytes) -> Result<(Fields, Vec<Image>)> {
    let mut fields = Fields::new();
    let (mut files, mut alts) = (Vec::new(), Vec::new());
    for field in multipart::fields(incoming::content_type(parts), body, FILE).await? {
        match &*field.name {
            FILE => files.push(field.content),
            ALT => alts.push(field.content),
            _ => fields.push((field.name, text(&field.content)?)),
        }
    }
    let images = (1..).zip(files).zip(alts);
    let images = images.map(|((number, file), alt)| Image { number, file, alt });
    Ok((fields, images.filter(|image| !image.file.is_empty()).collect()))
}

/// Browsers send CR LF line ends, which become LF.
fn text(content: &Bytes) -> Result<String> {
    let text = std::str::from_utf8(content);
    let text = text.map_err(|_| Error::invalid("content", "the form must be UTF-8"))?;
    Ok(text.replace("\r\n", "\n"))
}
