//! Exports of an account's data.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_server::testing::until;

use crate::shell::Shell;

/// Runs a command while the server makes exports, as it does by itself every second.
async fn exported(shell: &Shell, arguments: &[&str]) -> String {
    let typed = shell.svc(arguments);
    let running = tokio::task::spawn_blocking(move || typed.ok());
    until("the command ends", async || {
        shell.server.export().await;
        running.is_finished()
    })
    .await;
    running.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_made_and_saved_for_its_owner_alone() {
    let shell = Shell::with_agent().await;
    shell.svc(&["export", "--status"]).run().ends_with(3);
    let nowhere = shell.folder.path().join("nowhere/mine.zip");
    let refused = shell.svc(&["export", nowhere.to_str().unwrap()]).run().ends_with(1);
    assert!(refused.stderr.contains("there is no such folder"), "{refused:?}");
    // Nothing was asked for yet.
    shell.svc(&["export", "--status"]).run().ends_with(3);
    let path = shell.folder.path().join("mine.zip");
    let path = path.to_str().unwrap();
    let shown = shell.svc(&["export", path, "--dry-run"]).ok();
    assert!(shown.starts_with("POST ") && shown.contains("/users/me/export"), "{shown}");
    let saved = exported(&shell, &["export", path]).await;
    let bytes = fs::metadata(path).unwrap().len();
    assert_eq!(saved, format!("saved {path} ({bytes} bytes)\n"));
    assert!(fs::read(path).unwrap().starts_with(b"PK"));
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    let status = shell.svc(&["export", "--status"]).ok();
    assert!(status.starts_with(&format!("ready  {bytes} bytes  until ")), "{status}");
    shell.svc(&["export", path]).run().ends_with(1);
}

#[tokio::test(flavor = "multi_thread")]
async fn within_a_day_the_latest_export_is_saved_again() {
    let shell = Shell::with_agent().await;
    let [one, two] = ["one.zip", "two.zip"].map(|name| shell.folder.path().join(name));
    exported(&shell, &["export", one.to_str().unwrap()]).await;
    let saved = shell.svc(&["export", two.to_str().unwrap(), "--json"]).json();
    assert_eq!(saved["file"], two.to_str().unwrap());
    assert_eq!(fs::read(one).unwrap(), fs::read(two).unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_breaks_leaves_no_file() {
    let shell = Shell::with_agent().await;
    let [whole, part] = ["whole.zip", "part.zip"].map(|name| shell.folder.path().join(name));
    exported(&shell, &["export", whole.to_str().unwrap()]).await;
    let proxy = FaultProxy::start(shell.server.url()).await.unwrap();
    let bytes = fs::metadata(&whole).unwrap().len();
    let after = usize::try_from(bytes).unwrap();
    proxy.always("GET /api/users/me/export/file", Fault::Cut { after });
    let cut = shell.svc(&["export", part.to_str().unwrap(), "--timeout", "2s"]);
    let cut = cut.env("SVC_URL", proxy.url()).env("SVC_API_KEY", &shell.key("wordbot"));
    cut.run().ends_with(7);
    assert!(!part.exists(), "a part passes for the whole");
}
