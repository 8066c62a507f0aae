//! A server that sends given bytes: for what no HTTP library lets a test do.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Sends the same bytes over each connection, then closes it.
pub(crate) struct RawServer {
    pub(crate) url: String,
    connections: Arc<AtomicUsize>,
}

impl RawServer {
    pub(crate) async fn start(answer: impl Into<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/api", listener.local_addr().unwrap());
        let connections = Arc::new(AtomicUsize::new(0));
        let (counter, answer) = (connections.clone(), answer.into());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]).await;
                // The client may hang up before it has read everything.
                let _ = stream.write_all(&answer).await;
                let _ = stream.shutdown().await;
                while stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {}
            }
        });
        Self { url, connections }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// The address of a server that takes one request and is gone, without an answer.
pub(crate) async fn gone_after_one() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        // Before the client hears that its connection is lost.
        drop(listener);
        let _ = stream.read(&mut [0; 4096]).await;
    });
    url
}

/// Where no server is: tests listen on ports that the system chooses, which this is never one of.
pub(crate) const NOBODY: &str = "http://127.0.0.1:1/api";
