//! QR codes, as paths of an SVG picture inside a page.

use std::fmt::Write;

use qrcode::{Color, QrCode as Modules};

/// Light modules around a code, by which cameras find it (ISO/IEC 18004).
const MARGIN: usize = 4;

/// A QR code.
pub(super) struct QrCode {
    /// Modules of a side, without the margin.
    side: usize,
    /// The path of the dark modules.
    pub(super) dark: String,
}

impl QrCode {
    /// The code of a text; none of a text that is too long for one.
    pub(super) fn of(text: &str) -> Option<Self> {
        let code = Modules::new(text).ok()?;
        let (side, colors) = (code.width(), code.into_colors());
        let mut dark = String::new();
        for (y, row) in colors.chunks(side).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|one, next| one == next) {
                if run[0] == Color::Dark {
                    // Writing to a text does not fail.
                    let _ = write!(dark, "M{x} {y}h{length}v1h-{length}z", length = run.len());
                }
                x += run.len();
            }
        }
        Some(Self { side, dark })
    }

    /// The part of the plane that is shown.
    pub(super) fn view(&self) -> String {
        let whole = self.side + 2 * MARGIN;
        format!("-{MARGIN} -{MARGIN} {whole} {whole}")
    }

    /// The path of the light ground, which stays light in dark colours.
    pub(super) fn ground(&self) -> String {
        let whole = self.side + 2 * MARGIN;
        format!("M-{MARGIN}-{MARGIN}h{whole}v{whole}h-{whole}z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_a_code_are_its_finders() {
        let code = QrCode::of("otpauth://totp/svc:ada?secret=JBSWY3DP").unwrap();
        for corner in [(0, 0), (0, code.side - 7), (code.side - 7, 0)] {
            let (x, y) = corner;
            assert!(code.dark.contains(&format!("M{x} {y}h7v1h-7z")), "{corner:?}: {}", code.dark);
        }
        assert!(QrCode::of(&"a".repeat(8_000)).is_none());
    }
}
