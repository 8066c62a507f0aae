//! Takes the place of a mail server in tests.

use std::sync::{Arc, Mutex, PoisonError};

use svc_core::services::mail::Mail;

/// A mail as it would have been sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its address.
    pub recipient: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
}

impl Recorded {
    /// The token of its link.
    ///
    /// # Panics
    /// If it has none.
    pub fn token(&self) -> String {
        let link = self.text.lines().find_map(|line| line.split_once("?token="));
        link.expect("the mail holds a link").1.to_owned()
    }
}

/// Mails that a server would have sent.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Vec<Recorded>>>);

impl Recorder {
    pub(super) fn note(&self, mail: &Mail) {
        let Mail { recipient, subject, text, .. } = mail;
        let [recipient, subject, text] = [recipient, subject, text].map(Clone::clone);
        let mail = Recorded { recipient, subject, text };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
    }

    /// Takes the mails recorded so far.
    pub fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
