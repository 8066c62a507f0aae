//! Server-sent events, read block by block.

use http::StatusCode;
use reqwest::{RequestBuilder, Response};
use svc_server::testing::in_time;

/// A response that does not end by itself.
pub(crate) struct EventStream {
    response: Response,
    /// What has arrived after the last block.
    text: String,
}

impl EventStream {
    pub(crate) async fn open(request: RequestBuilder) -> Self {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["x-accel-buffering"], "no", "nginx passes events on at once");
        Self { response, text: String::new() }
    }

    /// The text up to the next empty line; `None` at the end.
    pub(crate) async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(block);
            }
            let chunk = in_time("something arrives", self.response.chunk()).await;
            self.text.push_str(std::str::from_utf8(&chunk.unwrap()?).unwrap());
        }
    }
}
