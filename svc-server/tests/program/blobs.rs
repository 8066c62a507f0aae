//! Files in a bucket, by the program itself. Moto is the store.

use std::fs::{self, Permissions};
use std::io::Cursor;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use image::{DynamicImage, ImageFormat, RgbImage};
use svc_server::testing::until;

use crate::process::{self, Place, Server, http_client};
use crate::s3::S3;

/// The arguments of settings.
fn sets(settings: &[(&str, &str)]) -> Vec<String> {
    settings.iter().flat_map(|(key, text)| ["--set".to_owned(), format!("{key}={text}")]).collect()
}

fn png() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let plain = DynamicImage::from(RgbImage::new(8, 8));
    plain.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// The secret of the access key.
fn secret(s3: &S3) -> String {
    let file = s3.settings().into_iter().find(|(name, _)| name.ends_with("key_file"));
    fs::read_to_string(file.unwrap().1).unwrap().trim().to_owned()
}

/// What the path of an avatar shows at a server.
async fn media_type(server: &Server) -> String {
    let http = http_client();
    let url = format!("http://{}/api/users/ada/avatar", server.address());
    let answer = http.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.headers()["content-type"].to_str().unwrap().to_owned()
}

/// What a server says that must end as one that was set up wrongly.
#[track_caller]
fn refused(command: &mut Command) -> String {
    command.args(["--listen", "127.0.0.1:0", "--mqtt-listen", "off"]);
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{message}");
    message
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_survive_a_crash_and_go_with_what_they_belong_to() {
    let Some(s3) = S3::start().await else { return };
    let (place, bucket) = (Place::new(), sets(&s3.settings()));
    let server = place.serve_by(place.program().args(&bucket));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    server.client_of(&ada.api_key).users().upload_avatar(png()).await.unwrap();
    assert_eq!(s3.objects().await.len(), 1);
    server.kill();
    let server = place.serve_by(place.program().args(&bucket));
    assert_eq!(media_type(&server).await, "image/png");
    let mut backing_up = place.program();
    let file = place.path("backup.tar");
    let output = backing_up.args(&bucket).arg("backup").arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.ends_with("files in the bucket are not in it\n"), "{printed}");
    server.client_of(&ada.api_key).users().delete_avatar().await.unwrap();
    until("the object is deleted", async || s3.objects().await.is_empty()).await;
    assert_eq!(media_type(&server).await, "image/svg+xml");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_moves_files_while_the_server_runs() {
    let Some(s3) = S3::start().await else { return };
    let (place, older) = (Place::new(), sets(&s3.settings_of_older()));
    let server = place.serve_by(place.program().args(&older));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    server.client_of(&ada.api_key).users().upload_avatar(png()).await.unwrap();
    let moved = |settings: &[String]| {
        let output = place.program().args(settings).args(["blobs", "move"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(moved(&sets(&s3.settings())), "moved 1 files\n");
    assert_eq!(s3.objects().await.len(), 1);
    assert_eq!(media_type(&server).await, "image/png");
    assert_eq!(moved(&older), "moved 1 files\n");
    assert_eq!(media_type(&server).await, "image/png");
    until("the object is deleted", async || s3.objects().await.is_empty()).await;
    server.stop().await;
}

#[test]
fn a_move_names_the_store_that_does_not_answer() {
    let place = Place::new();
    place.run(&["migrate"]);
    let file = place.path("secret");
    fs::write(&file, "hidden").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    let settings = sets(&[
        ("storage.blobs", "s3://files/svc"),
        ("storage.s3.endpoint", "http://127.0.0.1:1"),
        ("storage.s3.access_key", "AKIA"),
        ("storage.s3.secret_key_file", file.to_str().unwrap()),
        ("storage.s3.timeout", "1s"),
    ]);
    let message = process::refused(place.program().args(settings).args(["blobs", "move"]));
    assert!(message.contains("does not answer, files at http://127.0.0.1:1: "), "{message}");
    assert!(!message.contains("hidden"), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_does_not_start_with_a_wrong_store_and_says_which_setting_is_wrong() {
    let Some(s3) = S3::start().await else { return };
    let place = Place::new();
    let file = |name: &str, text: &str, mode: u32| {
        let path = place.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let wrong = file("wrong", "not-the-secret", 0o600);
    let secret = secret(&s3);
    let open = file("open", &secret, 0o644);
    let empty = file("empty", "\n", 0o600);
    for (setting, text, message) in [
        (
            "storage.blobs",
            "s3://no-such-bucket/x",
            "storage.blobs: there is no bucket no-such-bucket",
        ),
        ("storage.s3.access_key", "AKIASOMEBODYELSE", "storage.s3.access_key must be allowed to"),
        ("storage.s3.secret_key_file", wrong.as_str(), "storage.s3.access_key must be allowed to"),
        (
            "storage.s3.secret_key_file",
            open.as_str(),
            "storage.s3.secret_key_file: others may read or write",
        ),
        ("storage.s3.secret_key_file", empty.as_str(), "storage.s3.secret_key_file: "),
        (
            "storage.s3.secret_key_file",
            "/no/such/file",
            "storage.s3.secret_key_file: /no/such/file",
        ),
        (
            "storage.s3.endpoint",
            "http://minio.example.org",
            "storage.s3.endpoint must be an https URL",
        ),
    ] {
        let settings = [&s3.settings()[..], &[(setting, text)]].concat();
        let said = refused(place.program().args(sets(&settings)));
        assert!(said.contains(message), "{setting} = {text}: {said}");
        assert!(!said.contains(&secret), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_access_key_comes_from_a_file_or_the_environment_and_is_never_shown() {
    let Some(s3) = S3::start().await else { return };
    let place = Place::new();
    let shown = place.program().arg("config").args(sets(&s3.settings())).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    let secret = secret(&s3);
    assert!(shown.contains("access_key = \"AKIA") && !shown.contains(&secret), "{shown}");
    let of_file = |name: &str| name.ends_with("access_key") || name.ends_with("key_file");
    let (key, settings): (Vec<_>, Vec<_>) =
        s3.settings().into_iter().partition(|(name, _)| of_file(name));
    let message = refused(place.program().args(sets(&settings)));
    assert!(message.contains("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"), "{message}");
    let mut program = place.program();
    program.env("AWS_ACCESS_KEY_ID", key[0].1).env("AWS_SECRET_ACCESS_KEY", &secret);
    let server = place.serve_by(program.args(sets(&settings)));
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    server.client_of(&ada.api_key).users().upload_avatar(png()).await.unwrap();
    assert_eq!(s3.objects().await.len(), 1);
    server.stop().await;
    assert!(!place.log().contains(&secret));
}
