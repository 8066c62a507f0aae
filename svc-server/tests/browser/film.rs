//! Pictures in rows: what a test saw step by step, and sheets of all pages.
//!
//! With `SVC_FILMS` each test of a person writes the strip of its pictures into that folder, and with
//! `SVC_SCREENSHOTS` the pictures of all pages are put on sheets.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, RgbaImage};

/// Pixels between two pictures.
const GAP: u32 = 8;

/// What is behind the pictures.
const GROUND: image::Rgba<u8> = image::Rgba([120, 126, 136, 255]);

/// Pictures of a strip in a row, and the size of each.
const STRIP: Layout = Layout { columns: 4, width: 400, height: 250 };

/// The same for a phone.
const PHONE_STRIP: Layout = Layout { columns: 8, width: 195, height: 422 };

/// Pictures on a sheet: as much of a page as tells how it looks.
const SHEET: Layout = Layout { columns: 6, width: 320, height: 400 };

/// Pictures on one sheet.
const SHEET_MAX: usize = 24;

/// How pictures stand on a sheet.
#[derive(Clone, Copy)]
struct Layout {
    columns: u32,
    width: u32,
    height: u32,
}

/// The pictures of a test.
#[derive(Debug, Default)]
pub(crate) struct Film(Mutex<Vec<Vec<u8>>>);

/// The folder of films, if they are wanted.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os("SVC_FILMS").map(PathBuf::from)
}

impl Film {
    /// Adds a picture, unless nothing changed.
    pub(crate) fn add(&self, picture: Vec<u8>) {
        let mut pictures = self.0.lock().unwrap();
        if pictures.last() != Some(&picture) {
            pictures.push(picture);
        }
    }

    /// Writes the strip.
    pub(crate) fn write(&self, name: &str, is_phone: bool) {
        let Some(folder) = folder() else { return };
        std::fs::create_dir_all(&folder).unwrap();
        let pictures = std::mem::take(&mut *self.0.lock().unwrap());
        let pictures: Vec<_> =
            pictures.iter().map(|bytes| image::load_from_memory(bytes).unwrap()).collect();
        let (device, layout) = if is_phone { ("phone", PHONE_STRIP) } else { ("wide", STRIP) };
        write(&folder.join(format!("{name}-{device}.webp")), &pictures, layout);
    }
}

/// Puts the pictures of a folder on sheets: one series for each ending, such as `phone-light`.
pub(crate) fn write_sheets(folder: &Path, endings: &[&str]) {
    let mut series: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(ending) = endings.iter().find(|ending| name.ends_with(*ending)) {
            series.entry(ending).or_default().push(file);
        }
    }
    for (ending, mut files) in series {
        files.sort();
        for (number, files) in (1..).zip(files.chunks(SHEET_MAX)) {
            let pictures: Vec<_> = files.iter().map(|file| image::open(file).unwrap()).collect();
            write(&folder.join(format!("sheet-{ending}-{number}.webp")), &pictures, SHEET);
        }
    }
}

fn write(path: &Path, pictures: &[DynamicImage], layout: Layout) {
    let Layout { columns, width, height } = layout;
    let count = u32::try_from(pictures.len()).unwrap();
    let (across, down) = (columns.min(count), count.div_ceil(columns));
    let size = (across * (width + GAP) + GAP, down * (height + GAP) + GAP);
    let mut sheet = RgbaImage::from_pixel(size.0, size.1, GROUND);
    for (at, picture) in (0..).zip(pictures) {
        let small = picture.resize(width, u32::MAX, FilterType::Triangle);
        let small = small.crop_imm(0, 0, width, height.min(small.height())).to_rgba8();
        let place = (GAP + at % columns * (width + GAP), GAP + at / columns * (height + GAP));
        image::imageops::overlay(&mut sheet, &small, place.0.into(), place.1.into());
    }
    let mut bytes = Cursor::new(Vec::new());
    sheet.write_to(&mut bytes, ImageFormat::WebP).unwrap();
    std::fs::write(path, bytes.into_inner()).unwrap();
}
