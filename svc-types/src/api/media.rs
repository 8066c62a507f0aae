//! Images of posts. They are uploaded as files, so that no endpoint is declared here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MediaId;
use crate::text::Text;

/// Maximum number of images of a post.
pub const IMAGES_MAX: usize = 4;

/// Most bytes of an uploaded image.
pub const IMAGE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// What an image shows, for people who do not see it: 1–1500 characters.
pub type AltText = Text<1, 1500>;

/// An image of a post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct Attachment {
    /// The image's id.
    pub id: MediaId,
    /// URL of the image, at most 2048 pixels to a side. It answers 404 to those who may not read the
    /// post.
    pub url: String,
    /// URL of a small image, at most 640 pixels to a side.
    pub thumb_url: String,
    /// What the image shows, in words.
    pub alt: String,
    /// Width of the image at `url`, in pixels.
    pub width: u32,
    /// Height of the image at `url`, in pixels.
    pub height: u32,
}

/// Response with an uploaded image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct MediaEnvelope {
    /// The image. Only you can read it until a post of yours has it.
    pub media: Attachment,
}
