//! What texts mean, as vectors that a program beside the server computes (`search.embedder`).

mod vector;

use std::collections::VecDeque;
use std::fmt::{self, Debug};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use svc_store::clock::Clock;
use svc_types::Timestamp;

pub use vector::Vector;

/// Texts that an [`Embedder`] takes at once.
pub const TEXTS_MAX: usize = 32;

/// Search terms whose vectors are kept.
const TERMS_MAX: usize = 256;

/// How long a term finds nothing after the embedder failed.
const FAILED_FOR: Duration = Duration::from_secs(10);

/// The vectors of texts, in their order, or why there are none.
pub type Embedding<'a> = Pin<Box<dyn Future<Output = Result<Vec<Vec<f32>>, String>> + Send + 'a>>;

/// A program that turns texts into vectors: the closer their meaning, the closer their direction.
pub trait Embedder: Debug + Send + Sync {
    /// Computes the vectors of at most [`TEXTS_MAX`] texts.
    fn embed<'a>(&'a self, texts: &'a [String]) -> Embedding<'a>;

    /// Names the source of the vectors: those of another source can't be compared.
    fn source(&self) -> &str;
}

/// The embedder, if there is one, and the vectors of the latest search terms.
#[derive(Default)]
pub struct Embeddings {
    embedder: Option<Arc<dyn Embedder>>,
    terms: Mutex<VecDeque<(String, Known)>>,
}

/// What is known of a term.
#[derive(Clone, Debug)]
enum Known {
    Vector(Arc<Vector>),
    /// The embedder failed; asked again from this instant on.
    Failed(Timestamp),
}

/// The vector of a term.
#[derive(Clone, Debug)]
pub enum Term {
    /// It is known.
    Known(Arc<Vector>),
    /// [`Embeddings::learn`] has to ask for it first.
    Unknown,
    /// There is none: no embedder, or one that failed a moment ago.
    None,
}

impl Debug for Embeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Embeddings").field(&self.embedder).finish()
    }
}

impl Embeddings {
    /// Uses this embedder.
    pub fn new(embedder: Option<Arc<dyn Embedder>>) -> Self {
        Self { embedder, terms: Mutex::default() }
    }

    /// The embedder, if the operator has set one.
    pub fn embedder(&self) -> Option<&Arc<dyn Embedder>> {
        self.embedder.as_ref()
    }

    /// The vector of a search term.
    pub fn term(&self, term: &str, now: Timestamp) -> Term {
        if self.embedder.is_none() {
            return Term::None;
        }
        match self.lock().iter().find(|(known, _)| known == term) {
            Some((_, Known::Vector(vector))) => Term::Known(Arc::clone(vector)),
            Some((_, Known::Failed(until))) if now < *until => Term::None,
            _ => Term::Unknown,
        }
    }

    /// Asks for the vector of a term, so that [`term`](Self::term) knows it, or that there is none.
    pub async fn learn(&self, term: String, clock: &Clock) {
        let Some(embedder) = &self.embedder else { return };
        let known = match embed(embedder.as_ref(), std::slice::from_ref(&term)).await {
            Ok(vectors) => vectors.into_iter().next().map(|vector| Known::Vector(Arc::new(vector))),
            Err(reason) => {
                tracing::warn!(reason, "search.embedder failed");
                None
            }
        };
        let known = known.unwrap_or_else(|| Known::Failed(clock.now().plus(FAILED_FOR)));
        let mut terms = self.lock();
        terms.retain(|(other, _)| *other != term);
        terms.push_front((term, known));
        terms.truncate(TERMS_MAX);
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(String, Known)>> {
        self.terms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The vectors of texts, one for each.
pub async fn embed(embedder: &dyn Embedder, texts: &[String]) -> Result<Vec<Vector>, String> {
    let vectors = embedder.embed(texts).await?;
    if vectors.len() != texts.len() {
        return Err(format!("{} vectors for {} texts", vectors.len(), texts.len()));
    }
    vectors.iter().map(|numbers| Vector::of(numbers)).collect()
}
