//! Uploaded pictures, as avatars and as images of posts.

use std::sync::LazyLock;

use image::GenericImageView;
use image::codecs::{gif::GifEncoder, jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder};
use image::{DynamicImage, ImageEncoder, RgbaImage};
use svc_core::background::Priority;
use svc_core::pictures::{Picture, Pictures};
use svc_store::error::{Error, Result};
use tokio::runtime::Runtime;

/// Largest sides of an avatar, an image and its small version.
const SIDES: [u32; 3] = [512, 2048, 640];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime starts"));

static PICTURES: LazyLock<Pictures> = LazyLock::new(|| Pictures::start(Priority::Usual));

pub(crate) fn judge(input: &[u8]) {
    let upload = with_sums(input);
    let avatar = judged(RUNTIME.block_on(PICTURES.renew(upload.clone())));
    if let Some(avatar) = &avatar {
        let (width, height) = judge_picture(avatar, SIDES[0]);
        assert_eq!(width, height, "an avatar is a square");
        let again = judged(RUNTIME.block_on(PICTURES.renew(avatar.bytes.clone())));
        assert_eq!(
            judge_picture(&again.expect("what is served is a picture"), SIDES[0]),
            (width, height)
        );
    }
    if let Some(image) = judged(RUNTIME.block_on(PICTURES.renew_image(upload))) {
        assert_eq!(judge_picture(&image.full, SIDES[1]), (image.width, image.height));
        judge_picture(&image.thumb, SIDES[2]);
    }
}

/// Only refusals that name the file are answers to an upload.
fn judged<T>(renewed: Result<T>) -> Option<T> {
    match renewed {
        Ok(renewed) => Some(renewed),
        Err(Error::Refused(refusal)) => {
            assert_eq!(refusal.field.as_deref(), Some("file"), "{refusal:?}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// A picture is what it says, within its bounds.
fn judge_picture(picture: &Picture, side_max: u32) -> (u32, u32) {
    let format = image::guess_format(&picture.bytes).expect("it has a format");
    assert_eq!(format.to_mime_type(), picture.content_type);
    let decoded = image::load_from_memory(&picture.bytes).expect("it can be shown");
    let (width, height) = decoded.dimensions();
    assert!(width.max(height) <= side_max && width.min(height) > 0, "{width} × {height}");
    (width, height)
}

/// The same with the sums of the chunks of a PNG, which no mutation hits.
fn with_sums(input: &[u8]) -> Vec<u8> {
    const HEAD: usize = 8;
    let mut upload = input.to_vec();
    if !upload.starts_with(b"\x89PNG") {
        return upload;
    }
    let mut at = HEAD;
    while let Some(length) = upload.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]);
        let end = usize::try_from(length).ok().and_then(|length| length.checked_add(at + HEAD));
        let Some(end) = end.filter(|end| end + 4 <= upload.len()) else { break };
        let sum = crc32fast::hash(&upload[at + 4..end]);
        upload[end..end + 4].copy_from_slice(&sum.to_be_bytes());
        at = end + 4;
    }
    upload
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let byte = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    let pixels = RgbaImage::from_fn(7, 5, |x, y| {
        image::Rgba([byte(x * 30), byte(y * 50), 9, byte(255 - y)])
    });
    let picture = DynamicImage::from(pixels);
    let opaque = DynamicImage::from(picture.to_rgb8());
    let mut files: [Vec<u8>; 4] = Default::default();
    let [png, jpeg, webp, gif] = &mut files;
    let written = [
        write(&picture, PngEncoder::new(png)),
        write(&opaque, JpegEncoder::new(jpeg)),
        write(&picture, WebPEncoder::new_lossless(webp)),
        GifEncoder::new(gif)
            .encode(picture.as_bytes(), 7, 5, image::ExtendedColorType::Rgba8)
            .is_ok(),
    ];
    assert_eq!(written, [true; 4]);
    files.to_vec()
}

fn write(picture: &DynamicImage, encoder: impl ImageEncoder) -> bool {
    picture.write_with_encoder(encoder).is_ok()
}
