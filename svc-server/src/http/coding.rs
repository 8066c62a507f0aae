//! Content codings: which one a caller accepts, and texts in it.

use std::io::Write;

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{ACCEPT_ENCODING, GetAll, HeaderMap, HeaderValue};

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Brotli,
    Gzip,
}

/// How hard a coding works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// For what is sent once: a page of 60 KB takes about a millisecond.
    Once,
    /// For what is sent often. Higher levels of brotli take twice the memory for a few percent, and the last two take
    /// seconds.
    Often,
}

impl Coding {
    /// Both, the smaller first.
    pub(super) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in headers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The best one that the caller accepts.
    pub(super) fn accepted(asked: &HeaderMap) -> Option<Self> {
        Self::ALL.into_iter().find(|coding| accepts(asked.get_all(ACCEPT_ENCODING), coding.name()))
    }

    /// Bytes in this coding.
    pub(super) fn of(self, bytes: &[u8], effort: Effort) -> Vec<u8> {
        match (self, effort) {
            (Self::Brotli, Effort::Once) => brotli(bytes, 4),
            (Self::Brotli, Effort::Often) => brotli(bytes, 7),
            (Self::Gzip, Effort::Once) => gzip(bytes, Compression::default()),
            (Self::Gzip, Effort::Often) => gzip(bytes, Compression::best()),
        }
    }
}

/// Whether a coding is accepted (RFC 9110 §12.5.3). Without the header none is, so that simple clients
/// get a text.
fn accepts(values: GetAll<'_, HeaderValue>, coding: &str) -> bool {
    let (mut named, mut any) = (None, false);
    for item in texts(values) {
        let mut parameters = item.split(';').map(str::trim);
        let name = parameters.next().unwrap_or_default();
        let weight = parameters.find_map(|parameter| parameter.strip_prefix("q="));
        let is_wanted = weight.is_none_or(|weight| weight.parse().is_ok_and(|q: f32| q > 0.0));
        if name.eq_ignore_ascii_case(coding) {
            named = Some(is_wanted);
        } else if name == "*" {
            any = is_wanted;
        }
    }
    named.unwrap_or(any)
}

/// The items of a list that may be spread over several headers.
pub(super) fn texts(values: GetAll<'_, HeaderValue>) -> impl Iterator<Item = &str> {
    let texts = values.into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("writing to memory can't fail")
}

fn brotli(bytes: &[u8], quality: i32) -> Vec<u8> {
    let parameters = BrotliEncoderParams {
        quality,
        lgwin: window(bytes.len()),
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    let written = brotli::BrotliCompress(&mut &*bytes, &mut compressed, &parameters);
    written.expect("writing to memory can't fail");
    compressed
}

/// The size of a window that holds a text, as a power of two. The default is 4 MiB for each page, which doubles the
/// time.
fn window(length: usize) -> i32 {
    let bits = usize::BITS - length.leading_zeros();
    bits.clamp(10, 22).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_accepted_coding_is_sent() {
        let (brotli, gzip) = (Some(Coding::Brotli), Some(Coding::Gzip));
        for (accept, expected) in [
            (None, None),
            (Some(""), None),
            (Some("gzip, deflate, br, zstd"), brotli),
            (Some("gzip"), gzip),
            (Some("GZIP;q=0.5"), gzip),
            (Some("br;q=0, *"), gzip),
            (Some("*"), brotli),
            (Some("br;q=0.000, gzip ;q=0"), None),
            (Some("br;q=much"), None),
            (Some("identity"), None),
            (Some("brotli, gzipped"), None),
        ] {
            let mut asked = HeaderMap::new();
            if let Some(accept) = accept {
                asked.insert(ACCEPT_ENCODING, HeaderValue::try_from(accept).unwrap());
            }
            assert_eq!(Coding::accepted(&asked), expected, "{accept:?}");
        }
    }
}
