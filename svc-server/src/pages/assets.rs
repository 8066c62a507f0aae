//! Style, script and icon of the pages, compiled in.
//!
//! Each is named by a hash of its content, so that browsers may keep it for good.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A file that pages name.
#[derive(Debug)]
pub struct Asset {
    /// Its name, with the hash of its content.
    pub name: String,
    /// What it is.
    pub content_type: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

impl Asset {
    fn new(stem: &str, ending: &str, content_type: &'static str, bytes: &'static [u8]) -> Self {
        let hash = URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..9]);
        Self { name: format!("{stem}.{hash}.{ending}"), content_type, bytes }
    }
}

/// The one stylesheet.
pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/svc.css");
    Asset::new("svc", "css", "text/css; charset=utf-8", bytes)
});

/// The one script; every page works without it.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/svc.js");
    Asset::new("svc", "js", "text/javascript; charset=utf-8", bytes)
});

/// The icon of the site.
pub static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("svc", "svg", "image/svg+xml", include_bytes!("../../assets/svc.svg"))
});

/// The file of this name.
pub fn named(name: &str) -> Option<&'static Asset> {
    [&*STYLE, &*SCRIPT, &*ICON].into_iter().find(|asset| asset.name == name)
}
