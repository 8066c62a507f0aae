//! One attempt to make a file.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::due;
use svc_core::identity::acting;
use svc_core::pictures;
use svc_core::services::blob::{Blob, Kind};
use svc_core::services::export::{self, Build, LEASE, PIECE_BYTES};
use svc_store::error::{Error, Result};
use svc_types::api::export::ExportFailure;
use svc_types::{Code, Timestamp};

use super::archive::Archive;
use super::contents::{FILES, File, avatar, next_image};
use super::source::{Page, Position, Source};
use crate::app::ServerApp;
use crate::blobs;
use crate::http::DirectApi;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The file can be downloaded.
    Ready,
    /// The account has more data than a file may hold.
    TooLarge,
    /// Another node has taken over, or the account was deleted.
    Lost,
}

impl Outcome {
    /// The word of the metrics.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::TooLarge => "too_large",
            Self::Lost => "lost",
        }
    }
}

/// Why an attempt ends early: with an outcome, or by an error, after which it is made again.
enum Stop {
    With(Outcome),
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Makes the file of a request.
pub(super) async fn build(
    app: &Arc<ServerApp>,
    api: &Arc<DirectApi>,
    build: &Build,
) -> Result<Outcome> {
    loop {
        let attempt = build.clone();
        if !app.write(move |ctx| export::tidy(ctx, &attempt)).await? {
            break;
        }
    }
    let builder = Builder::new(app, api, build);
    // On the heap: with all the kinds of pages it is large.
    match Box::pin(builder.make()).await {
        Ok(()) => Ok(Outcome::Ready),
        Err(Stop::With(Outcome::TooLarge)) => {
            give_up(app, build).await?;
            Ok(Outcome::TooLarge)
        }
        Err(Stop::With(outcome)) => Ok(outcome),
        Err(Stop::Failed(error)) => {
            if error.code() == Code::StorageUnavailable {
                let attempt = build.clone();
                app.write(move |ctx| export::put_off(ctx, &attempt)).await?;
            }
            Err(error)
        }
    }
}

async fn give_up(app: &Arc<ServerApp>, build: &Build) -> Result<()> {
    let failed = build.clone();
    app.write(move |ctx| export::fail(ctx, &failed, &ExportFailure::TooLarge)).await?;
    loop {
        let account = build.account.clone();
        if !app.write(move |ctx| export::forget_some(ctx, &account)).await? {
            return Ok(());
        }
    }
}

/// Reads as the account of an attempt, which ends when there is no such account any more.
async fn read<T: Send + 'static>(
    app: &Arc<ServerApp>,
    api: &Arc<DirectApi>,
    build: &Build,
    read: impl Fn(&mut Source<'_, '_, '_>) -> Result<T> + Send + Sync + 'static,
) -> Result<T, Stop> {
    let (api, account) = (Arc::clone(api), build.account.clone());
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let Some(account) = acting(ctx, &account)? else { return Ok(None) };
        read(&mut Source { ctx, api: &api, account: &account }).map(Some)
    };
    due::read(app, job).await?.ok_or(Stop::With(Outcome::Lost))
}

/// An attempt that is under way.
struct Builder<'a> {
    app: &'a Arc<ServerApp>,
    api: &'a Arc<DirectApi>,
    build: &'a Build,
    /// Travels to a thread that may block and back, for each page.
    archive: Option<Archive>,
    /// Pieces stored so far, and their bytes.
    pieces: i64,
    bytes: i64,
    renewed_at: Timestamp,
}

impl<'a> Builder<'a> {
    fn new(app: &'a Arc<ServerApp>, api: &'a Arc<DirectApi>, build: &'a Build) -> Self {
        let archive = Some(Archive::new(app.config.limits.export_bytes, build.created_at));
        let renewed_at = app.clock.now();
        Self { app, api, build, archive, pieces: 0, bytes: 0, renewed_at }
    }

    async fn make(mut self) -> Result<(), Stop> {
        for file in FILES {
            self.with(move |archive| archive.begin(file.name)).await?;
            self.fill(file).await?;
        }
        if let Some((name, blob)) = read(self.app, self.api, self.build, avatar).await? {
            self.add_whole(name, blob).await?;
        }
        self.add_images().await?;
        let (account, now) = (self.build.account.clone(), self.app.clock.now());
        self.with(move |archive| archive.finish(&account, now)).await?;
        self.store(0).await?;
        let (build, bytes) = (self.build.clone(), self.bytes);
        let is_kept = self.app.write(move |ctx| export::finish(ctx, &build, bytes)).await?;
        if is_kept { Ok(()) } else { Err(Stop::With(Outcome::Lost)) }
    }

    /// Adds the images of posts, one at a time.
    async fn add_images(&mut self) -> Result<(), Stop> {
        let mut after = String::new();
        loop {
            let next = move |source: &mut Source<'_, '_, '_>| next_image(source, &after);
            let found = read(self.app, self.api, self.build, next).await?;
            let Some((id, name, blob)) = found else { return Ok(()) };
            self.add_whole(name, blob).await?;
            after = id;
        }
    }

    /// Adds a file of the account, unless it was removed a moment ago.
    async fn add_whole(&mut self, name: String, blob: Blob) -> Result<(), Stop> {
        let Some(bytes) = blobs::read_whole(self.app, blob).await? else { return Ok(()) };
        self.with(move |archive| archive.begin(&name)).await?;
        self.add(Page { lines: bytes, records: 1, next: None }).await
    }

    /// Adds the pages of a file.
    async fn fill(&mut self, file: &'static File) -> Result<(), Stop> {
        let mut next = Some(Position::default());
        while let Some(from) = next.take() {
            let page = move |source: &mut Source<'_, '_, '_>| (file.read)(source, &from);
            let page = read(self.app, self.api, self.build, page).await?;
            next.clone_from(&page.next);
            self.add(page).await?;
        }
        Ok(())
    }

    async fn add(&mut self, page: Page) -> Result<(), Stop> {
        let fits = self.with(move |archive| archive.write(&page.lines, page.records)).await?;
        if !fits {
            return Err(Stop::With(Outcome::TooLarge));
        }
        self.store(PIECE_BYTES).await?;
        self.renew().await
    }

    /// Works on the archive on a thread that may block: compression takes its time.
    async fn with<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Archive) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut archive = self.archive.take().expect("the archive is put back after each use");
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&mut archive);
            (archive, done)
        });
        let (archive, done) = done.await.map_err(Error::internal)?;
        self.archive = Some(archive);
        done
    }

    /// Stores whole pieces while the archive holds at least `least` bytes.
    async fn store(&mut self, least: usize) -> Result<(), Stop> {
        while let Some(piece) = self.archive.as_ref().and_then(|it| it.take(PIECE_BYTES, least)) {
            let bytes = i64::try_from(piece.len()).map_err(Error::internal)?;
            let hash = pictures::hash(&piece);
            let piece = blobs::keep(self.app, Kind::Export, &hash, piece).await?;
            let (build, n) = (self.build.clone(), self.pieces);
            let job = move |ctx: &mut Ctx<'_, '_>| export::store(ctx, &build, n, &piece);
            if !self.app.write(job).await? {
                return Err(Stop::With(Outcome::Lost));
            }
            self.pieces += 1;
            self.bytes += bytes;
            self.renewed_at = self.app.clock.now();
        }
        Ok(())
    }

    /// Renews the lease when much was read of which little remains, because it compresses well.
    async fn renew(&mut self) -> Result<(), Stop> {
        let now = self.app.clock.now();
        if now.since(self.renewed_at) < LEASE / 4 {
            return Ok(());
        }
        let build = self.build.clone();
        if !self.app.write(move |ctx| export::renew(ctx, &build)).await? {
            return Err(Stop::With(Outcome::Lost));
        }
        self.renewed_at = now;
        Ok(())
    }
}
