//! `svc export`: a copy of everything that your account has stored.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::json;
use svc_client::Download;
use svc_client::types::Code;
use svc_client::types::api::export::{CreateExport, Export, ExportState, GetExport};

use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::time;

/// Where the file is saved, unless the command names another place.
const FILE: &str = "svc-export.zip";

/// The first pause between two looks at the state, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));

/// Flags of `svc export`.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExportFlags {
    /// Where to save the file, which must not exist yet; svc-export.zip when omitted.
    file: Option<PathBuf>,
    /// Show the state of the latest export instead.
    #[arg(long, conflicts_with = "file")]
    status: bool,
}

/// Asks for an export, waits for it and downloads it. Within a day, it downloads the latest one.
pub(crate) async fn export(flags: &ExportFlags, settings: &Settings) -> Result<()> {
    let caller = settings.caller()?;
    if flags.status {
        return caller.show(GetExport {}, |answer| words(&answer.export)).await;
    }
    let path = flags.file.as_deref().unwrap_or(Path::new(FILE));
    if !caller.is_dry_run() {
        refuse_place(path)?;
    }
    match caller.send(CreateExport {}).await {
        Ok(None) => return Ok(()),
        Ok(Some(_)) => {}
        Err(error) if error.code == Code::LimitReached.as_str() => {
            caller.out.note("an export is made once a day; this is the latest");
        }
        Err(error) => return Err(error),
    }
    {
        let _progress = Progress::start(settings, "collecting your data");
        wait(&caller).await?;
    }
    let bytes = save(caller.download("/users/me/export/file").await?, path).await?;
    let saved = json!({ "file": path, "bytes": bytes });
    caller.out.local(&saved, &format!("saved {} ({bytes} bytes)", path.display()))
}

/// Refuses a place where nothing can be saved, before the one export of a day is made.
fn refuse_place(path: &Path) -> Result<()> {
    if path == Path::new("-") {
        return Err(Error::usage("an export is saved in a file").hint("svc export FILE"));
    }
    if path.exists() {
        return Err(exists(path));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Error::file("write", path, "there is no such folder"));
    }
    Ok(())
}

fn exists(path: &Path) -> Box<Error> {
    Error::file("write", path, "it exists").hint("svc export OTHER.zip")
}

/// Waits until the file is ready.
async fn wait(caller: &Caller) -> Result<()> {
    let (mut pause, longest) = PAUSES;
    loop {
        let export = caller.read(GetExport {}).await?.value.export;
        if export.state == ExportState::Ready {
            return Ok(());
        }
        if export.state != ExportState::Working {
            let message = format!("the export {}", words(&export));
            return Err(Error::new(Exit::Other, "export_failed", message));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(longest);
    }
}

fn words(export: &Export) -> String {
    let since = time::minute(export.created_at);
    match (&export.state, export.expires_at, &export.reason) {
        (ExportState::Ready, Some(until), _) => {
            let bytes = export.bytes.unwrap_or_default();
            format!("ready  {bytes} bytes  until {}", time::minute(until))
        }
        (_, _, Some(reason)) => format!("failed  {}", reason.as_str().replace('_', " ")),
        (state, ..) => format!("{state}  since {since}"),
    }
}

/// Saves a download to a file that only its owner can read; its size.
///
/// A part of the data must not pass for all of it: the file has another name until it is whole, since the
/// command may be interrupted.
async fn save(download: Download, path: &Path) -> Result<u64> {
    let part = part(path);
    // What an interrupted command left.
    let _ = fs::remove_file(&part);
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part);
    let file = file.map_err(|error| Error::file("write", &part, error))?;
    let saved =
        write(download, file, &part).await.and_then(|bytes| name(&part, path).map(|()| bytes));
    if saved.is_err() {
        let _ = fs::remove_file(&part);
    }
    saved
}

/// The name of a file that is not whole yet.
fn part(path: &Path) -> PathBuf {
    let mut part = path.to_owned().into_os_string();
    part.push(".svc-part");
    part.into()
}

/// Gives a whole file its name, unless another file got it meanwhile.
fn name(part: &Path, path: &Path) -> Result<()> {
    if path.exists() {
        return Err(exists(path));
    }
    fs::rename(part, path).map_err(|error| Error::file("write", path, error))
}

async fn write(mut download: Download, mut file: File, path: &Path) -> Result<u64> {
    let failed = |error| Error::file("write", path, error);
    while let Some(piece) = download.chunk().await? {
        file.write_all(&piece).map_err(failed)?;
    }
    let received = download.received();
    if download.bytes().is_some_and(|bytes| bytes != received) {
        return Err(Error::new(Exit::Network, "incomplete", "the download ended too early"));
    }
    file.sync_all().map_err(failed)?;
    Ok(received)
}
