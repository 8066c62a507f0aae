//! Pictures of accounts and images of posts: uploads are decoded and re-encoded.
//!
//! No byte of an upload is stored, so that metadata, appended files and exploits of image decoders
//! do not reach browsers.

mod scaled;

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::error::{ParameterError, ParameterErrorKind};
use image::metadata::Orientation;
use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageFormat, ImageReader,
    ImageResult, Limits, RgbaImage, imageops,
};
use sha2::{Digest, Sha256};
use svc_store::error::{Error, Result};

use crate::background::{Background, Priority};
use crate::keys;

pub use scaled::Image;

/// Largest side of an upload, in pixels.
const UPLOAD_SIDE_MAX: u32 = 4096;
/// Most bytes of decoded pixels, and as many again for the decoder.
const MEMORY_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Largest side of a served picture, in pixels.
const SIDE_MAX: u32 = 512;
/// Its losses are invisible at this size.
const JPEG_QUALITY: u8 = 85;
/// Uploads that may wait for a thread; each holds its bytes.
const QUEUE_MAX: usize = 16;

/// A picture as it was re-encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Hash of the bytes, in hexadecimal digits.
    pub hash: String,
    /// `image/png` or `image/jpeg`.
    pub content_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Avatars re-encoded at once, on machines of any size.
const THREADS_MAX: usize = 4;

/// The same for images of posts: each may take some hundred megabytes.
const IMAGE_THREADS_MAX: usize = 1;

/// Re-encodes uploaded pictures, on threads that yield to requests.
#[derive(Debug)]
pub struct Pictures {
    avatars: Background,
    images: Background,
}

impl Pictures {
    /// Starts the threads.
    pub fn start(priority: Priority) -> Self {
        let full = "too many uploads at once";
        let start = |name, threads| Background::start(name, threads, QUEUE_MAX, full, priority);
        Self { avatars: start("pictures", THREADS_MAX), images: start("images", IMAGE_THREADS_MAX) }
    }

    /// Re-encodes an uploaded picture.
    pub async fn renew(&self, upload: Vec<u8>) -> Result<Picture> {
        self.avatars.run(move || renew(&upload)).await?
    }

    /// Re-encodes an uploaded image of a post.
    pub async fn renew_image(&self, upload: Vec<u8>) -> Result<Image> {
        self.images.run(move || scaled::renew(&upload)).await?
    }
}

/// Re-encodes an uploaded picture: its middle square, at most 512 pixels to a side.
pub fn renew(upload: &[u8]) -> Result<Picture> {
    let format = sniff(upload).ok_or_else(no_picture)?;
    let (decoded, orientation) =
        decode(upload, format, limits()).map_err(|error| refusal(&error))?;
    let square = DynamicImage::from(middle(&decoded));
    drop(decoded);
    let mut square = opaque(square);
    square.apply_orientation(orientation);
    encode(&square, format).map_err(Error::internal)
}

/// The format by its first bytes; the declared content type is ignored.
fn sniff(upload: &[u8]) -> Option<ImageFormat> {
    use ImageFormat::{Gif, Jpeg, Png, WebP};
    let format = image::guess_format(upload).ok()?;
    // The decoder fills in the rest of a truncated JPEG, so its end marker is required here.
    let whole = format != Jpeg || upload.windows(2).any(|marker| marker == [0xff, 0xd9]);
    (whole && [Png, Jpeg, WebP, Gif].contains(&format)).then_some(format)
}

/// The pixels and the EXIF orientation. The size is checked before memory is allocated.
fn decode(
    upload: &[u8],
    format: ImageFormat,
    mut limits: Limits,
) -> ImageResult<(DynamicImage, Orientation)> {
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        // A GIF may say so, and no other format can hold what it decodes to.
        let kind = ParameterErrorKind::DimensionMismatch;
        return Err(ImageError::Parameter(ParameterError::from_kind(kind)));
    }
    limits.reserve(decoder.total_bytes())?;
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, orientation))
}

/// What an avatar may take.
fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(UPLOAD_SIDE_MAX);
    limits.max_image_height = Some(UPLOAD_SIDE_MAX);
    limits.max_alloc = Some(MEMORY_BYTES_MAX);
    limits
}

/// The middle square, scaled down if it is too large.
fn middle(decoded: &DynamicImage) -> RgbaImage {
    let (width, height) = decoded.dimensions();
    let side = width.min(height);
    let (left, top) = ((width - side) / 2, (height - side) / 2);
    let square = imageops::crop_imm(decoded, left, top, side, side);
    if side <= SIDE_MAX {
        return square.to_image();
    }
    imageops::thumbnail(&*square, SIDE_MAX, SIDE_MAX)
}

/// Drops the alpha channel if nothing is transparent.
fn opaque(square: DynamicImage) -> DynamicImage {
    let is_opaque = square.as_rgba8().is_some_and(|rgba| rgba.pixels().all(|p| p.0[3] == u8::MAX));
    if is_opaque { square.into_rgb8().into() } else { square }
}

/// A photograph stays a JPEG; all else keeps every pixel.
fn encode(square: &DynamicImage, format: ImageFormat) -> ImageResult<Picture> {
    let mut bytes = Vec::new();
    let content_type = if format == ImageFormat::Jpeg {
        square.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
        "image/jpeg"
    } else {
        square.write_with_encoder(PngEncoder::new(&mut bytes))?;
        "image/png"
    };
    Ok(Picture { hash: hash(&bytes), content_type: content_type.to_owned(), bytes })
}

/// The name of a picture: a hash of its bytes.
pub fn hash(bytes: &[u8]) -> String {
    keys::hex(&Sha256::digest(bytes))
}

fn refusal(error: &ImageError) -> Error {
    if !matches!(error, ImageError::Limits(_)) {
        return no_picture();
    }
    let bytes = MEMORY_BYTES_MAX / 1024 / 1024;
    let rule = format!(
        "the picture must have at most {UPLOAD_SIDE_MAX} × {UPLOAD_SIDE_MAX} pixels, and at most \
         {bytes} MiB of them"
    );
    Error::invalid("file", rule)
}

fn no_picture() -> Error {
    Error::invalid("file", "the file must be a whole PNG, JPEG, WebP or GIF picture")
}

#[cfg(test)]
mod tests;
