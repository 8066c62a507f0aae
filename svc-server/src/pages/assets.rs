//! Stylesheet, scripts and icon of the pages, compiled into the binary.
//!
//! File names contain a hash of the content, so that browsers may cache them forever.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A static file of the pages.
#[derive(Debug)]
pub struct Asset {
    /// The file name, with the hash of the content.
    pub name: String,
    /// The content type.
    pub content_type: &'static str,
    /// The content.
    pub bytes: &'static [u8],
}

impl Asset {
    fn new(stem: &str, ending: &str, content_type: &'static str, bytes: &'static [u8]) -> Self {
        let hash = URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..9]);
        Self { name: format!("{stem}.{hash}.{ending}"), content_type, bytes }
    }
}

/// The stylesheet.
pub static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/svc.css");
    Asset::new("svc", "css", "text/css; charset=utf-8", bytes)
});

/// The script, which is optional on every page.
pub static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/svc.js");
    Asset::new("svc", "js", "text/javascript; charset=utf-8", bytes)
});

/// The script of passkeys, on the pages that offer them.
pub static PASSKEY: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/passkey.js");
    Asset::new("svc.passkey", "js", "text/javascript; charset=utf-8", bytes)
});

/// The script of forms that need a proof of work.
pub static PROOF: LazyLock<Asset> = LazyLock::new(|| {
    let bytes = include_bytes!("../../assets/proof.js");
    Asset::new("proof", "js", "text/javascript; charset=utf-8", bytes)
});

/// The icon of the site.
pub static ICON: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("svc", "svg", "image/svg+xml", include_bytes!("../../assets/svc.svg"))
});

/// The icon for programs that look for no other.
pub static FAVICON: &[u8] = include_bytes!("../../assets/favicon.ico");

/// The file with this name.
pub fn named(name: &str) -> Option<&'static Asset> {
    [&*STYLE, &*SCRIPT, &*PASSKEY, &*PROOF, &*ICON].into_iter().find(|asset| asset.name == name)
}
