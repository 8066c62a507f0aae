//! A download that stalls.

use svc_client::{Client, Error};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// The address of a server that sends the beginning of a file, and then nothing.
async fn stalling() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 4096]).await;
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf").await.unwrap();
        while stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {}
    });
    url
}

#[tokio::test]
async fn a_download_ends_when_nothing_arrives_any_more() {
    let svc = Client::builder(stalling().await).api_key("svc_ak_1").build().unwrap();
    let mut file = svc.export().file().await.unwrap();
    let piece = file.chunk().await.unwrap().unwrap();
    assert_eq!((file.bytes(), &piece[..]), (Some(9), &b"half"[..]));
    // Nothing else happens, so this clock advances to the next alarm by itself.
    tokio::time::pause();
    let error = file.chunk().await.unwrap_err();
    assert!(matches!(error, Error::Timeout { .. }), "{error:?}");
    assert_eq!((error.path(), error.attempts()), (Some("/api/users/me/export/file"), 1));
}
