//! Pictures of sample posts, drawn point by point.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use svc_store::error::{Error, Result};

/// Width and height.
const SIZE: (u32, u32) = (480, 320);

const PAPER: Rgb<u8> = Rgb([247, 248, 250]);
const INK: Rgb<u8> = Rgb([26, 29, 35]);
const BLUE: Rgb<u8> = Rgb([50, 87, 201]);
const ORANGE: Rgb<u8> = Rgb([226, 132, 60]);
const WATER: Rgb<u8> = Rgb([28, 62, 88]);

/// Heights of the bars.
const BARS: [u32; 4] = [96, 240, 24, 168];

/// A picture of this name, as PNG.
pub(super) fn png(name: &str) -> Result<Vec<u8>> {
    let point: fn(u32, u32) -> Rgb<u8> = match name {
        "bars" => bars,
        "shore" => shore,
        _ => disc,
    };
    let picture = RgbImage::from_fn(SIZE.0, SIZE.1, point);
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).map_err(Error::internal)?;
    Ok(png.into_inner())
}

/// Four bars on a line.
fn bars(x: u32, y: u32) -> Rgb<u8> {
    let (column, within) = (x.saturating_sub(40) / 100, x.saturating_sub(40) % 100);
    let height = usize::try_from(column).ok().and_then(|column| BARS.get(column)).copied();
    let is_bar =
        x >= 40 && within < 70 && height.is_some_and(|height| y < 290 && y + height >= 290);
    match y {
        290..=292 => INK,
        _ if is_bar => BLUE,
        _ => PAPER,
    }
}

/// A house on a shore, under a sky in bands.
fn shore(x: u32, y: u32) -> Rgb<u8> {
    let is_wall = (300..380).contains(&x) && (170..230).contains(&y);
    let is_roof = (130..170).contains(&y) && x.abs_diff(340) < (y - 130) * 5 / 4;
    if is_wall || is_roof {
        return INK;
    }
    if y >= 230 {
        return if (y + x / 40).is_multiple_of(9) { BLUE } else { WATER };
    }
    let Rgb([red, green, blue]) = ORANGE;
    let band = u8::try_from(y / 23).unwrap_or_default();
    Rgb([red - 16 * (9 - band), green, blue.saturating_add(16 * (9 - band))])
}

/// A pie of which one slice is nearly all.
fn disc(x: u32, y: u32) -> Rgb<u8> {
    let (right, up) = (i64::from(x) - 240, 160 - i64::from(y));
    if right * right + up * up > 130 * 130 {
        return PAPER;
    }
    if right > 0 && up > right * 4 { ORANGE } else { BLUE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_picture_is_a_png_of_its_own() {
        let pictures = ["bars", "shore", "disc"].map(|name| png(name).unwrap());
        for picture in &pictures {
            let read = image::load_from_memory(picture).unwrap();
            assert_eq!((read.width(), read.height()), SIZE);
        }
        assert_ne!(pictures[0], pictures[1]);
        assert_ne!(pictures[1], pictures[2]);
    }
}
