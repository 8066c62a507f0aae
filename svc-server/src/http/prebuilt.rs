//! Documents and files that are the same for every caller: built and compressed once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::StatusCode;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH,
    VARY, X_CONTENT_TYPE_OPTIONS,
};
use sha2::{Digest, Sha256};
use svc_store::error::{Error, Result};
use tokio::sync::Mutex as AsyncMutex;

use super::coding::{Coding, Effort, texts};

/// Bytes of a hash in an `ETag`: enough for strangers never to make two documents with one tag.
const TAG_BYTES: usize = 16;

/// Unchanged documents are not sent again, and changed ones are seen at once.
const REVALIDATED: HeaderValue = HeaderValue::from_static("public, no-cache");

/// A document before it is compressed.
pub(crate) struct Source {
    pub(crate) content_type: String,
    pub(crate) bytes: Vec<u8>,
}

/// The documents of a server by their names, each built when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    known: Mutex<BTreeMap<String, Arc<Prebuilt>>>,
    /// Held while one is built: that takes up to 20 MB, and many callers may ask at once.
    turn: Arc<AsyncMutex<()>>,
}

impl Documents {
    /// The document of this name; `None` if `build` has none, which is then not remembered.
    pub(crate) async fn get(
        self: &Arc<Self>,
        name: &str,
        build: impl FnOnce() -> Option<Source> + Send + 'static,
    ) -> Result<Option<Arc<Prebuilt>>> {
        if let Some(known) = self.known(name) {
            return Ok(Some(known));
        }
        let turn = Arc::clone(&self.turn).lock_owned().await;
        if let Some(known) = self.known(name) {
            return Ok(Some(known));
        }
        let (documents, name) = (Arc::clone(self), name.to_owned());
        let building = tokio::task::spawn_blocking(move || {
            let document = documents.build(name, build);
            // Held until here, even if the caller has left.
            drop(turn);
            document
        });
        building.await.map_err(Error::internal)
    }

    fn known(&self, name: &str) -> Option<Arc<Prebuilt>> {
        self.lock().get(name).cloned()
    }

    fn build(&self, name: String, build: impl FnOnce() -> Option<Source>) -> Option<Arc<Prebuilt>> {
        let new = Arc::new(Prebuilt::new(build()?));
        self.lock().insert(name, Arc::clone(&new));
        Some(new)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Prebuilt>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A document as it is sent.
#[derive(Debug)]
pub(crate) struct Prebuilt {
    content_type: HeaderValue,
    /// The smallest first; the last one is not compressed.
    forms: Vec<Form>,
}

/// A document in one content coding.
#[derive(Debug)]
struct Form {
    coding: Option<Coding>,
    /// Another one for each coding, because a strong tag names bytes (RFC 9110 §8.8.3).
    etag: HeaderValue,
    bytes: Bytes,
}

impl Prebuilt {
    fn new(Source { content_type, bytes }: Source) -> Self {
        let hash = hash(&bytes);
        let form = |coding: Option<Coding>, bytes: Vec<u8>| {
            let suffix = coding.map(|coding| format!("-{}", coding.name())).unwrap_or_default();
            let etag = HeaderValue::try_from(format!("\"{hash}{suffix}\""));
            Form { coding, etag: etag.expect("base64url is plain ASCII"), bytes: bytes.into() }
        };
        let coded = |coding: Coding| form(Some(coding), coding.of(&bytes, Effort::Often));
        let mut forms = Vec::from(Coding::ALL.map(coded));
        // What is compressed already gets no smaller.
        forms.retain(|compressed| compressed.bytes.len() < bytes.len());
        forms.push(form(None, bytes));
        let content_type = HeaderValue::try_from(content_type);
        Self { content_type: content_type.expect("a media type is plain ASCII"), forms }
    }

    /// The response to a request with these headers.
    pub(crate) fn respond(&self, asked: &HeaderMap) -> Response {
        let form = self.form(asked);
        let is_known = is_known(asked, &form.etag);
        let mut response =
            Response::new(if is_known { Body::empty() } else { Body::from(form.bytes.clone()) });
        let headers = response.headers_mut();
        headers.insert(ETAG, form.etag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(CACHE_CONTROL, REVALIDATED);
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(CONTENT_TYPE, self.content_type.clone());
        if let Some(coding) = form.coding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
        }
        response
    }

    /// The smallest form that the caller accepts.
    fn form(&self, asked: &HeaderMap) -> &Form {
        let coding = Coding::accepted(asked);
        let accepted = |form: &&Form| form.coding.is_none() || form.coding == coding;
        let last = self.forms.last().expect("the last form is not compressed");
        self.forms.iter().find(accepted).unwrap_or(last)
    }
}

fn hash(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..TAG_BYTES])
}

/// The tag of a text in whatever coding it is sent.
pub(super) fn weak_tag(text: &str) -> HeaderValue {
    let tag = HeaderValue::try_from(format!("W/\"{}\"", hash(text.as_bytes())));
    tag.expect("base64url is plain ASCII")
}

/// Whether the caller has the form of this tag already. Tags are compared weakly (RFC 9110 §13.1.2).
pub(super) fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let etag = etag.as_bytes();
    let etag = etag.strip_prefix(b"W/").unwrap_or(etag);
    let mut known = texts(asked.get_all(IF_NONE_MATCH));
    known.any(|tag| tag == "*" || tag.trim_start_matches("W/").as_bytes() == etag)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;

    fn tiny() -> Source {
        Source { content_type: "text/plain".to_owned(), bytes: b"a".to_vec() }
    }

    #[test]
    fn what_gets_no_smaller_is_sent_as_it_is() {
        assert_eq!(Prebuilt::new(tiny()).forms.len(), 1);
    }

    #[tokio::test]
    async fn a_document_that_many_ask_for_at_once_is_built_once() {
        let (documents, built) = (Arc::new(Documents::default()), Arc::new(AtomicUsize::new(0)));
        let asking = (0..8).map(|_| {
            let built = Arc::clone(&built);
            documents.get("tiny", move || {
                built.fetch_add(1, Ordering::Relaxed);
                Some(tiny())
            })
        });
        let found = join_all(asking).await;
        assert!(found.iter().all(|found| matches!(found, Ok(Some(_)))));
        assert_eq!(built.load(Ordering::Relaxed), 1);
    }
}
