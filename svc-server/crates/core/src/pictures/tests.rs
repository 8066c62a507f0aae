use std::fmt::Debug;

use image::codecs::gif::GifEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ColorType, ImageEncoder, Luma, Rgb, Rgba};
use proptest::prelude::*;
use svc_types::Code;

use super::*;

const CMYK: &[u8] = include_bytes!("samples/cmyk.jpg");
const PROGRESSIVE: &[u8] = include_bytes!("samples/progressive.jpg");
const LOSSY: &[u8] = include_bytes!("samples/lossy.webp");
const MOVING_WEBP: &[u8] = include_bytes!("samples/moving.webp");
const MOVING_GIF: &[u8] = include_bytes!("samples/moving.gif");
const DEEP: &[u8] = include_bytes!("samples/deep.png");
const PALETTE: &[u8] = include_bytes!("samples/palette.png");

/// A picture whose left half is red and whose right half is see-through blue.
pub(super) fn halves(width: u32, height: u32) -> DynamicImage {
    let color = |x, _| if x < width / 2 { Rgba([250, 0, 0, 255]) } else { Rgba([0, 0, 250, 100]) };
    RgbaImage::from_fn(width, height, color).into()
}

pub(super) fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let opaque = DynamicImage::from(picture.to_rgb8());
    let picture = if format == ImageFormat::Jpeg { &opaque } else { picture };
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// One small file of each kind.
fn small() -> Vec<Vec<u8>> {
    let kinds = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif];
    let mut files: Vec<_> = kinds.iter().map(|kind| file(&halves(9, 7), *kind)).collect();
    let samples = [CMYK, PROGRESSIVE, LOSSY, MOVING_WEBP, MOVING_GIF, DEEP, PALETTE];
    files.extend(samples.map(<[u8]>::to_vec));
    files
}

#[track_caller]
pub(super) fn refused<T: Debug>(result: Result<T>) -> String {
    match result.unwrap_err() {
        Error::Refused(refusal) => {
            assert_eq!(refusal.code, Code::ValidationFailed);
            assert_eq!(refusal.field.as_deref(), Some("file"));
            refusal.message
        }
        fault => panic!("{fault}"),
    }
}

#[track_caller]
fn shown(picture: &Picture) -> RgbaImage {
    let format =
        if picture.content_type == "image/png" { ImageFormat::Png } else { ImageFormat::Jpeg };
    image::load_from_memory_with_format(&picture.bytes, format).unwrap().to_rgba8()
}

/// A file of PNG with more chunks before its pixels.
fn png_with(chunks: &[([u8; 4], Vec<u8>)]) -> Vec<u8> {
    let plain = file(&halves(8, 8), ImageFormat::Png);
    let (head, rest) = plain.split_at(33);
    let mut bytes = head.to_vec();
    for (kind, data) in chunks {
        bytes.extend(chunk(*kind, data));
    }
    bytes.extend(rest);
    bytes
}

fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [&kind[..], data].concat();
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// The head of a PNG of this size with next to nothing behind it.
pub(super) fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([8, 6, 0, 0, 0]);
    let chunks = [
        chunk(*b"IHDR", &head),
        chunk(*b"IDAT", &[0x78, 0x9c, 3, 0, 0, 0, 0, 1]),
        chunk(*b"IEND", &[]),
    ];
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

#[test]
fn a_picture_of_any_kind_becomes_a_square_of_at_most_512_pixels() {
    for (format, content_type) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::WebP, "image/png"),
        (ImageFormat::Gif, "image/png"),
    ] {
        for (width, height, side) in [(900, 600, 512), (40, 30, 30), (1, 1, 1), (4096, 2, 2)] {
            let picture = renew(&file(&halves(width, height), format)).unwrap();
            assert_eq!(picture.content_type, content_type);
            assert_eq!(shown(&picture).dimensions(), (side, side), "{format:?} {width}");
            assert_eq!(picture.hash, hash(&picture.bytes));
        }
    }
    let largest = renew(&file(&halves(4096, 4096), ImageFormat::Png)).unwrap();
    let pixels = shown(&largest);
    let sides = [pixels.get_pixel(9, 256), pixels.get_pixel(500, 256)].map(|pixel| pixel.0);
    assert_eq!(sides, [[250, 0, 0, 255], [0, 0, 250, 100]], "what is seen stays");
}

#[test]
fn of_a_moving_picture_the_first_frame_is_kept() {
    for moving in [MOVING_GIF, MOVING_WEBP] {
        let pixel = *shown(&renew(moving).unwrap()).get_pixel(1, 1);
        assert!(pixel.0[0] > 200 && pixel.0[2] < 60, "{pixel:?} is not red");
    }
}

#[test]
fn every_depth_and_colour_of_a_file_is_read() {
    let mut files = small();
    let gray = image::GrayImage::from_pixel(3, 3, Luma([77]));
    let deep = image::ImageBuffer::from_pixel(3, 3, Luma([9000_u16]));
    let rgb = image::ImageBuffer::from_pixel(3, 3, Rgb([1_u16, 2, 60000]));
    for picture in [gray.into(), deep.into(), rgb.into()] {
        let picture: DynamicImage = picture;
        files.push(file(&picture, ImageFormat::Png));
    }
    for bytes in &files {
        renew(bytes).unwrap();
    }
    let ink = *shown(&renew(CMYK).unwrap()).get_pixel(0, 0);
    assert!(ink.0[0] > 150 && ink.0[2] < 120, "{ink:?} is not red");
    let mut pixels = Vec::new();
    WebPEncoder::new_lossless(&mut pixels)
        .write_image(&[8; 4], 1, 1, ColorType::Rgba8.into())
        .unwrap();
    assert_eq!(shown(&renew(&pixels).unwrap()).get_pixel(0, 0).0, [8; 4]);
}

#[test]
fn what_is_too_large_is_refused_by_its_head() {
    let mut gif = file(&halves(2, 2), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff; 4]);
    let mut jpeg = file(&halves(8, 8), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x27, 0x10, 0x27, 0x10]);
    let files = [png_of(10_000, 10_000), png_of(4097, 1), png_of(u32::MAX >> 1, 1), gif, jpeg];
    for bytes in files {
        let message = refused(renew(&bytes));
        assert!(message.contains("4096") || message.contains("whole"), "{message}");
    }
    assert!(refused(renew(&png_of(10_000, 10_000))).contains("4096 × 4096"));
}

#[test]
fn what_is_no_picture_is_refused() {
    let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let odd: [&[u8]; 8] = [
        b"",
        b"x",
        svg,
        b"<html><script>alert(1)</script></html>",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"GIF89a",
        b"BM\x1a\0\0\0\0\0\0\0",
    ];
    for bytes in odd {
        assert!(refused(renew(bytes)).contains("PNG, JPEG, WebP or GIF"));
    }
    refused(renew(&png_of(0, 0)));
}

#[test]
fn half_a_picture_is_refused() {
    let mut seed = 7_u32;
    let grainy = RgbaImage::from_fn(60, 60, |_, _| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgba([seed.to_be_bytes()[0], seed.to_be_bytes()[1], seed.to_be_bytes()[2], 255])
    });
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP, ImageFormat::Gif] {
        let whole = file(&grainy.clone().into(), format);
        renew(&whole).unwrap();
        for part in [8, 20, 60, whole.len() / 2, whole.len() * 9 / 10] {
            assert!(renew(&whole[..part]).is_err(), "{format:?} {part} of {}", whole.len());
        }
    }
    assert!(renew(&LOSSY[..LOSSY.len() / 2]).is_err());
    assert!(renew(&CMYK[..CMYK.len() / 2]).is_err());
}

/// Whether a text stands in some bytes.
pub(super) fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn nothing_but_pixels_is_kept() {
    let secret = "52.5163N <script>";
    let said = |head: &str| [head.as_bytes(), secret.as_bytes()].concat();
    let chunks = [
        (*b"tEXt", said("Comment\0")),
        (*b"eXIf", said("MM\0*")),
        (*b"iTXt", said("XML\0\0\0\0\0")),
    ];
    let mut jpeg = file(&halves(8, 8), ImageFormat::Jpeg);
    for marker in [0xe1, 0xe2, 0xfe] {
        let data = said(if marker == 0xe2 { "ICC_PROFILE\0\x01\x01" } else { "Exif\0\0" });
        let length = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
        jpeg.splice(2..2, [&[0xff, marker], &length[..], &data].concat());
    }
    let behind = |format| [file(&halves(8, 8), format), said("<html>PK\x03\x04")].concat();
    let files = [
        png_with(&chunks),
        jpeg,
        behind(ImageFormat::Png),
        behind(ImageFormat::Jpeg),
        behind(ImageFormat::WebP),
        behind(ImageFormat::Gif),
    ];
    for bytes in files {
        assert!(holds(&bytes, secret));
        let picture = renew(&bytes).unwrap();
        assert!(!holds(&picture.bytes, secret) && !holds(&picture.bytes, "ICC_PROFILE"));
        assert_eq!(renew(&bytes).unwrap(), picture, "the same picture has the same name");
    }
}

#[test]
fn a_photograph_stands_as_the_camera_was_held() {
    // Orientation 6: to be turned to the right, so that what is left comes to the top.
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let mut jpeg = file(&halves(64, 64), ImageFormat::Jpeg);
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    jpeg.splice(2..2, [&[0xff, 0xe1], &length[..], exif].concat());
    let pixels = shown(&renew(&jpeg).unwrap());
    let (top, bottom) = (pixels.get_pixel(60, 4).0, pixels.get_pixel(4, 60).0);
    assert!(top[0] > 200 && top[2] < 60 && bottom[0] < 60 && bottom[2] > 200, "{top:?} {bottom:?}");
}

#[test]
fn a_frame_may_lie_outside_of_its_moving_picture() {
    let mut bytes = Vec::new();
    let frame = image::Frame::from_parts(
        halves(4, 4).to_rgba8(),
        0,
        0,
        image::Delay::from_numer_denom_ms(1, 1),
    );
    GifEncoder::new(&mut bytes).encode_frame(frame).unwrap();
    let place = bytes.iter().position(|byte| *byte == b',').unwrap();
    bytes[place + 1..place + 5].copy_from_slice(&[200, 0, 200, 0]);
    let _ = renew(&bytes);
    bytes[place + 5..place + 9].copy_from_slice(&[0xff; 4]);
    let _ = renew(&bytes);
}

#[test]
fn a_picture_without_width_or_height_is_refused() {
    for sides in [6..8, 8..10] {
        let mut bytes = MOVING_GIF.to_vec();
        bytes[sides].fill(0);
        assert!(refused(renew(&bytes)).starts_with("the file must be a whole"));
        refused(scaled::renew(&bytes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn damaged_files_are_read_or_refused(
        kind in 0_usize..11,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in prop::bool::weighted(0.2),
    ) {
        let mut bytes = small().swap_remove(kind);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Err(error) = renew(&bytes) {
            prop_assert!(matches!(error, Error::Refused(_)), "{error}");
        }
    }
}
