//! Answers of any size, which are read piece by piece.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use reqwest::Response;

use crate::answer::text;
use crate::client::Client;
use crate::error::{Error, Result, Target};

/// How long a download may be silent.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// A file that is being downloaded; from [`Exports::file`](crate::Exports::file) and
/// [`Call::download`](crate::Call::download).
///
/// Dropping it ends the download.
pub struct Download {
    client: Client,
    target: Target,
    response: Response,
    bytes: Option<u64>,
    received: u64,
}

impl Download {
    pub(crate) fn new(client: Client, target: Target, response: Response) -> Self {
        let bytes = text(response.headers(), &CONTENT_LENGTH);
        let bytes = bytes.and_then(|bytes| bytes.parse().ok());
        Self { client, target, response, bytes, received: 0 }
    }

    /// Size of the whole file, if the server names it.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// println!("{:?} bytes", svc.export().file().await?.bytes());
    /// # Ok(()) }
    /// ```
    pub const fn bytes(&self) -> Option<u64> {
        self.bytes
    }

    /// Size of what was received so far.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mut download = svc.export().file().await?;
    /// while download.chunk().await?.is_some() {
    ///     println!("{} bytes", download.received());
    /// }
    /// # Ok(()) }
    /// ```
    pub const fn received(&self) -> u64 {
        self.received
    }

    /// The next piece; `None` at the end of the file. Fails with [`Error::Timeout`] if none arrives for
    /// 60 s.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let mut download = svc.export().file().await?;
    /// while let Some(piece) = download.chunk().await? {
    ///     println!("{} bytes more", piece.len());
    /// }
    /// # Ok(()) }
    /// ```
    pub async fn chunk(&mut self) -> Result<Option<Bytes>> {
        let Self { client, target, response, .. } = self;
        let arriving = async { response.chunk().await.map_err(Error::transport) };
        let chunk = client.within(SILENCE_MAX, arriving).await;
        let chunk = chunk.map_err(|error| error.attempted(1).of(target.clone()))?;
        self.received += chunk.as_ref().map_or(0, |chunk| chunk.len() as u64);
        Ok(chunk)
    }
}

impl fmt::Debug for Download {
    /// Without the answer, whose headers may hold a cookie.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, received) = (&self.bytes, &self.received);
        f.debug_struct("Download")
            .field("bytes", bytes)
            .field("received", received)
            .finish_non_exhaustive()
    }
}
