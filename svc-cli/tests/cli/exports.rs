//! Exports of an account's data.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_server::testing::{found_by_thread, until};

use crate::shell::{Shell, typed};

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
async fn an_export_is_made_and_saved_only_for_its_owner() {
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
    shell.svc(&["export", "-"]).run().ends_with(2);
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
    assert!(!shell.folder.path().join("part.zip.svc-part").exists(), "and nothing of it is left");
}

/// A server whose export is ready, but which sends only the beginning of the file.
fn endless() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let client = client.unwrap();
            std::thread::spawn(move || begin(client));
        }
    });
    url
}

/// Answers a request, and leaves the connection open, so that more could come.
fn begin(mut client: TcpStream) {
    let lines = BufReader::new(client.try_clone().unwrap()).lines();
    let head: Vec<String> = lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
    let ready = r#"{"export":{"state":"ready","createdAt":"2026-01-31T09:30:00.000Z"}}"#;
    let (status, body, length) = if head[0].contains("/export/file") {
        ("200 OK", "PK", 100)
    } else if head[0].starts_with("POST") {
        ("201 Created", ready, ready.len())
    } else {
        ("200 OK", ready, ready.len())
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close");
    write!(client, "{head}\r\n\r\n{body}").unwrap();
    let _ = client.read_to_end(&mut Vec::new());
}

#[test]
fn an_interrupted_download_does_not_pass_for_the_whole() {
    let (folder, url) = (tempfile::tempdir().unwrap(), endless());
    let path = folder.path().join("mine.zip");
    let part = folder.path().join("mine.zip.svc-part");
    fs::write(&part, "of an interrupted command").unwrap();
    let line = ["export", path.to_str().unwrap()];
    let export = typed(&folder, &line).env("SVC_URL", &url).env("SVC_API_KEY", "svc_ak_x");
    let mut command = export.command;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    found_by_thread("the beginning is saved", || {
        fs::read(&part).ok().filter(|bytes| bytes == b"PK")
    });
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(!path.exists(), "a part passes for the whole");
}
