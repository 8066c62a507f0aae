//! Images of posts: the whole picture, in two sizes.

use std::io::Cursor;

use image::error::{LimitError, LimitErrorKind};
use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits,
};
use svc_store::error::{Error, Result};

use super::{Picture, decode, encode, no_picture, opaque, sniff};

/// Most pixels of an upload.
const PIXELS_MAX: u64 = 40_000_000;
/// Most bytes of decoded pixels, and as many again for the decoder. Pictures of 16 bits a channel may
/// have half as many pixels.
const MEMORY_BYTES_MAX: u64 = 4 * PIXELS_MAX;
/// Largest side of a served image, in pixels.
const SIDE_MAX: u32 = 2048;
/// Largest side of its small version, in pixels.
const THUMB_SIDE_MAX: u32 = 640;

/// An image of a post, re-encoded or as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image<F = Picture> {
    /// The image, at most 2048 pixels to a side.
    pub full: F,
    /// The same, at most 640 pixels to a side.
    pub thumb: F,
    /// Width of the image in pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Bytes of both.
    pub bytes: usize,
}

/// Re-encodes an uploaded image in both sizes.
pub(super) fn renew(upload: &[u8]) -> Result<Image> {
    let format = sniff(upload).ok_or_else(no_picture)?;
    refuse_large(upload, format).map_err(|error| refusal(&error))?;
    let (decoded, orientation) =
        decode(upload, format, limits()).map_err(|error| refusal(&error))?;
    // Both bounds are the same for a turned picture, and a small one is turned in less memory.
    let mut full = opaque(within(&decoded, SIDE_MAX));
    drop(decoded);
    full.apply_orientation(orientation);
    let thumb = opaque(within(&full, THUMB_SIDE_MAX));
    let (width, height) = (full.width(), full.height());
    let encoded = |picture: &DynamicImage| encode(picture, format).map_err(Error::internal);
    let (full, thumb) = (encoded(&full)?, encoded(&thumb)?);
    let bytes = full.bytes.len() + thumb.bytes.len();
    Ok(Image { full, thumb, width, height, bytes })
}

/// Checks the size that the head of the file declares, before anything is decoded.
fn refuse_large(upload: &[u8], format: ImageFormat) -> ImageResult<()> {
    let mut reader = ImageReader::with_format(Cursor::new(upload), format);
    reader.limits(limits());
    let (width, height) = reader.into_decoder()?.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::DimensionError)));
    }
    Ok(())
}

fn limits() -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY_BYTES_MAX);
    limits
}

/// The picture in 8 bits a channel, scaled down if a side is too long. It is never enlarged.
fn within(picture: &DynamicImage, side: u32) -> DynamicImage {
    if picture.width().max(picture.height()) <= side {
        return picture.to_rgba8().into();
    }
    picture.thumbnail(side, side).to_rgba8().into()
}

fn refusal(error: &ImageError) -> Error {
    if !matches!(error, ImageError::Limits(_)) {
        return no_picture();
    }
    let (megapixels, deep) = (PIXELS_MAX / 1_000_000, PIXELS_MAX / 2_000_000);
    let rule = format!(
        "the image must have at most {megapixels} megapixels, and {deep} if it has 16 bits a channel"
    );
    Error::invalid("file", rule)
}

#[cfg(test)]
mod tests {
    use image::RgbaImage;

    use super::super::tests::{file, halves, holds, png_of, refused};
    use super::*;

    #[track_caller]
    fn shown(picture: &Picture) -> RgbaImage {
        image::load_from_memory(&picture.bytes).unwrap().to_rgba8()
    }

    #[test]
    fn an_image_is_scaled_to_two_sizes_and_never_enlarged() {
        for (size, full, thumb) in [
            ((2100, 1050), (2048, 1024), (640, 320)),
            ((350, 700), (350, 700), (320, 640)),
            ((2048, 1), (2048, 1), (640, 1)),
            ((640, 480), (640, 480), (640, 480)),
            ((1, 1), (1, 1), (1, 1)),
            ((9000, 2), (2048, 1), (640, 1)),
        ] {
            let image = renew(&file(&halves(size.0, size.1), ImageFormat::Png)).unwrap();
            assert_eq!((image.width, image.height), full, "{size:?}");
            assert_eq!(shown(&image.full).dimensions(), full, "{size:?}");
            assert_eq!(shown(&image.thumb).dimensions(), thumb, "{size:?}");
        }
    }

    #[test]
    fn images_of_each_format_are_taken() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
            let image = renew(&file(&halves(700, 350), format)).unwrap();
            assert_eq!(shown(&image.thumb).dimensions(), (640, 320), "{format:?}");
        }
    }

    #[test]
    fn a_photograph_is_shown_as_the_camera_was_held_and_says_nothing_else() {
        let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0secret";
        let mut jpeg = file(&halves(1000, 500), ImageFormat::Jpeg);
        let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
        jpeg.splice(2..2, [&[0xff, 0xe1], &length[..], exif].concat());
        jpeg.extend(b"secret <script>");
        let image = renew(&jpeg).unwrap();
        assert_eq!((image.width, image.height), (500, 1000), "turned to the right");
        let thumb = shown(&image.thumb);
        assert_eq!(thumb.dimensions(), (320, 640));
        let (top, bottom) = (*thumb.get_pixel(9, 9), *thumb.get_pixel(9, 630));
        assert!(top.0[0] > 200 && bottom.0[2] > 100, "{top:?} {bottom:?}");
        for picture in [&image.full, &image.thumb] {
            assert!(!holds(&picture.bytes, "secret") && !holds(&picture.bytes, "Exif"));
        }
    }

    #[test]
    fn more_than_40_megapixels_are_refused_by_the_head() {
        for bytes in [png_of(8000, 5001), png_of(40_000, 1001), png_of(u32::MAX >> 1, 1)] {
            assert!(refused(renew(&bytes)).contains("40 megapixels"));
        }
    }
}
