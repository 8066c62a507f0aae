//! A stand-in for Stripe, with the files and settings by which a server sells credits.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use svc_fake_stripe::{API_KEY, FakeStripe, WEBHOOK_SECRET};
use tempfile::TempDir;

/// The setting by which a test asks for it, and its value.
const ASKED: &str = "billing.stripe.key_file";
const ITS_OWN: &str = "its own";

/// A stand-in for Stripe, and what a server needs to use it.
pub(crate) struct Selling {
    pub(crate) stripe: FakeStripe,
    folder: TempDir,
    settings: Vec<(&'static str, String)>,
}

impl Selling {
    /// A stand-in for a test whose settings name a key of Stripe.
    pub(crate) async fn asked_for(settings: &[(&str, &str)]) -> Option<Self> {
        let is_asked = settings.contains(&(ASKED, ITS_OWN));
        if is_asked { Some(Self::start().await) } else { None }
    }

    async fn start() -> Self {
        let (stripe, folder) = (FakeStripe::start().await, TempDir::new().unwrap());
        let key = secret_file(folder.path(), "stripe.key", API_KEY);
        let secret = secret_file(folder.path(), "stripe.secret", WEBHOOK_SECRET);
        let settings = vec![
            (ASKED, key.to_str().unwrap().to_owned()),
            ("billing.stripe.webhook_secret_files", secret.to_str().unwrap().to_owned()),
            ("billing.stripe.api_url", stripe.url().to_owned()),
            ("billing.allow_test", "true".to_owned()),
        ];
        Self { stripe, folder, settings }
    }

    /// The settings of a server that uses it.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(name, text)| (*name, text.as_str()))
    }

    /// Another file that only its owner can read.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        secret_file(self.folder.path(), name, text)
    }
}

fn secret_file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    path
}
