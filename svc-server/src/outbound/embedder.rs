//! The program beside the server that turns texts into vectors (`search.embedder`).

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::config::Config;
use svc_core::embeddings::{Embedder, Embedding};

use super::client::{Limits, Outbound};
use super::resolve::SystemNames;
use super::url::Rules;

/// Time for a connection: it is on this machine.
const CONNECT: Duration = Duration::from_secs(1);

/// Most bytes of an answer: 32 vectors of 4096 numbers with 16 characters each.
const BYTES_MAX: usize = 2 * 1024 * 1024;

/// Asks a program on loopback.
#[derive(Debug)]
pub struct HttpEmbedder {
    url: String,
    outbound: Outbound,
}

#[derive(Serialize)]
struct Texts<'a> {
    texts: &'a [String],
}

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Vec<f32>>,
}

impl HttpEmbedder {
    /// The embedder of the settings, if there is one.
    pub fn of(config: &Config) -> Option<Arc<dyn Embedder>> {
        let url = Some(&config.search.embedder).filter(|url| !url.is_empty())?.clone();
        let rules = Rules { loopback: true, networks: Vec::new() };
        let total = config.search.embedder_timeout;
        let limits = Limits { connect: CONNECT, total, proxy: None };
        let outbound = Outbound::new(rules, limits, Arc::new(SystemNames));
        Some(Arc::new(Self { url, outbound }))
    }

    async fn ask(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let body = serde_json::to_string(&Texts { texts }).map_err(|error| error.to_string())?;
        let answer = self.outbound.post_json(&self.url, body, BYTES_MAX).await;
        let answer = answer.map_err(|class| class.to_string())?;
        if answer.status != 200 {
            return Err(format!("status {}", answer.status));
        }
        if answer.body.len() > BYTES_MAX {
            return Err("its answer is longer than 2 MiB".to_owned());
        }
        let vectors: Vectors = serde_json::from_slice(&answer.body)
            .map_err(|error| format!("expected {{\"vectors\": [[number, …], …]}}: {error}"))?;
        Ok(vectors.vectors)
    }
}

impl Embedder for HttpEmbedder {
    fn embed<'a>(&'a self, texts: &'a [String]) -> Embedding<'a> {
        Box::pin(self.ask(texts))
    }

    fn source(&self) -> &str {
        &self.url
    }
}
