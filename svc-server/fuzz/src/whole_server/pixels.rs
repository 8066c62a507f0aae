//! Whether the file of a picture holds its pixels and what they need, and no metadata.

use image::ImageFormat;

/// Bytes before the first chunk of a PNG.
const SIGNATURE: usize = 8;

/// Whether every part of a file is about pixels, up to its last byte.
pub(super) fn is_bare(format: ImageFormat, file: &[u8]) -> bool {
    let holds_pixels = match format {
        ImageFormat::Png => png(file),
        _ => jpeg(file),
    };
    holds_pixels.unwrap_or(false)
}

/// None where the file ends too soon.
fn png(file: &[u8]) -> Option<bool> {
    let mut rest = file.get(SIGNATURE..)?;
    loop {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let (name, after) = after.split_first_chunk::<4>()?;
        // The data, and its checksum.
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?.checked_add(4)?;
        rest = after.get(length..)?;
        match name {
            b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" => {}
            b"IEND" => return Some(rest.is_empty()),
            _ => return Some(false),
        }
    }
}

/// The segments before the pixels are tables, frames and the first one of JFIF; after them comes the end.
fn jpeg(file: &[u8]) -> Option<bool> {
    let mut rest = file.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let (marker, after) = rest.split_first_chunk::<2>()?;
        match marker {
            [0xff, 0xc0..=0xc4 | 0xdb | 0xdd | 0xe0] => {}
            [0xff, 0xda] => return Some(ends_with_pixels(after)),
            _ => return Some(false),
        }
        let length = usize::from(u16::from_be_bytes(*after.first_chunk::<2>()?));
        rest = after.get(length..)?;
    }
}

/// Within pixels, `ff` is followed by `00` or the number of a restart; then the picture ends.
fn ends_with_pixels(data: &[u8]) -> bool {
    let is_marker = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7);
    let end = data.windows(2).position(is_marker);
    end.is_some_and(|end| data[end..] == [0xff, 0xd9])
}
