//! Forms of pages with images of a post: each is uploaded, and its id takes its place among the fields.

use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use svc_core::network::Network;
use svc_store::error::{Error, Refusal, Result};
use svc_types::api::media::{IMAGE_BYTES_MAX, IMAGES_MAX};

use super::request::Fields;
use crate::app::ServerApp;
use crate::http::incoming::{self, Incoming};
use crate::http::media;
use crate::http::multipart::{self, Field};
use crate::http::observe::Peer;

/// The names of a form: its files, and what each shows.
const FILE: &str = "file";
pub(crate) const ALT: &str = "alt";

/// The form fields with the ids of images that were uploaded with the form.
pub(crate) const IDS: &str = "mediaIds";

/// The form fields with the numbers of images that were not kept; of each the field of its text follows.
pub(crate) const LOST: &str = "lostImage";

/// A form that was read.
pub(super) struct Sent {
    pub(super) parts: Parts,
    /// Its texts, the ids of its images, and the number and text of each that was not kept.
    pub(super) fields: Fields,
    /// Why the form is refused: an image was, or the visitor may not upload any.
    pub(super) refusal: Option<Refusal>,
}

/// An image of a form.
struct Image {
    /// Its place among those of the form, from 1.
    number: usize,
    file: Bytes,
    alt: Bytes,
}

impl Image {
    /// Whether its fields were left blank.
    fn is_blank(&self) -> bool {
        self.file.is_empty() && self.alt.trim_ascii().is_empty()
    }

    /// The fields by which the page asks for it again.
    fn lost(&self) -> [(String, String); 2] {
        let alt = String::from_utf8_lossy(&self.alt).into_owned();
        [(LOST.to_owned(), self.number.to_string()), (ALT.to_owned(), alt)]
    }
}

/// Reads a form.
pub(super) async fn read(app: &Arc<ServerApp>, mut incoming: Incoming) -> Result<Sent> {
    let most = media::forms(IMAGES_MAX * IMAGE_BYTES_MAX + app.config.limits.body_bytes);
    let visitor = match media::uploader(app, &incoming.parts, &most).await {
        Ok(account) => account,
        Err(Error::Refused(refusal)) => return without_images(app, incoming, *refusal).await,
        Err(error) => return Err(error),
    };
    let _room = media::room(app, &incoming.parts, &most, visitor.id.as_str()).await;
    let body = incoming::read(&mut incoming, &most).await?;
    let parts = incoming.parts;
    let found = multipart::fields(incoming::content_type(&parts), body, FILE).await?;
    let (mut fields, images) = sorted(found)?;
    let mut refusal = None;
    for image in images {
        match media::keep(app, &visitor, &image.file, &image.alt).await {
            Ok(id) => fields.push((IDS.to_owned(), id.to_string())),
            Err(Error::Refused(refused)) => {
                fields.extend(image.lost());
                refusal = refusal.or(Some(*refused));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Sent { parts, fields, refusal })
}

/// Reads the texts of a form that is refused whatever it holds, so that they are not lost. Of large images only
/// the beginning is read.
async fn without_images(
    app: &Arc<ServerApp>,
    mut incoming: Incoming,
    refusal: Refusal,
) -> Result<Sent> {
    let bytes_max = app.config.limits.body_bytes;
    let (accepts, sender) = (media::forms(bytes_max), network(&incoming.parts));
    let _room = media::room(app, &incoming.parts, &accepts, &sender).await;
    let body = incoming::read_beginning(&mut incoming, bytes_max).await?;
    let is_cut = body.len() == bytes_max;
    let parts = incoming.parts;
    let found = multipart::fields_of_beginning(incoming::content_type(&parts), body, FILE).await?;
    let number = 1 + found.iter().filter(|field| field.name == ALT).count();
    let (mut fields, images) = sorted(found)?;
    let cut = is_cut.then(|| Image { number, file: Bytes::new(), alt: Bytes::new() });
    fields.extend(images.iter().chain(&cut).flat_map(Image::lost));
    Ok(Sent { parts, fields, refusal: Some(refusal) })
}

/// The network of a visitor.
fn network(parts: &Parts) -> String {
    let peer = parts.extensions.get::<Peer>();
    peer.map(|peer| Network::of(peer.address).around().to_string()).unwrap_or_default()
}

/// The texts of a form, and its images. An empty file is a field that was left blank, unless its text says what it
/// shows: then the file was not chosen again after a refusal, and a post without it is not what was meant.
fn sorted(found: Vec<Field>) -> Result<(Fields, Vec<Image>)> {
    let mut fields = Fields::new();
    let (mut files, mut alts) = (Vec::new(), Vec::new());
    for field in found {
        match &*field.name {
            FILE => files.push(field.content),
            ALT => alts.push(field.content),
            _ => fields.push((field.name, text(&field.content)?)),
        }
    }
    let images = (1..).zip(files).zip(alts);
    let images = images.map(|((number, file), alt)| Image { number, file, alt });
    Ok((fields, images.filter(|image| !image.is_blank()).collect()))
}

/// Browsers send CR LF line ends, which become LF.
fn text(content: &Bytes) -> Result<String> {
    let text = std::str::from_utf8(content);
    let text = text.map_err(|_| Error::invalid("content", "the form must be UTF-8"))?;
    Ok(text.replace("\r\n", "\n"))
}
