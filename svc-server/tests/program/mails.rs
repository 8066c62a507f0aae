//! Mails that a mail server refuses.

use svc_server::testing::until;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::process::Place;

/// Plays a mail server that refuses every recipient, and says whom.
async fn refuse_recipients(listener: TcpListener) {
    while let Ok((mut client, _)) = listener.accept().await {
        let (reader, mut writer) = client.split();
        let mut lines = BufReader::new(reader).lines();
        let mut reply = "220 mail.example.org\r\n".to_owned();
        while writer.write_all(reply.as_bytes()).await.is_ok()
            && let Ok(Some(line)) = lines.next_line().await
        {
            reply = match line.strip_prefix("RCPT TO:") {
                Some(recipient) => format!("550 {recipient} is unknown\r\n"),
                None => "250 fine\r\n".to_owned(),
            };
        }
    }
}

#[tokio::test]
async fn the_log_of_a_mail_that_was_refused_names_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("mail.url=smtp://{}", listener.local_addr().unwrap());
    tokio::spawn(refuse_recipients(listener));
    let place = Place::new();
    let mut program = place.program();
    program.args(["--set", &url, "--set", "mail.from=svc@example.org"]);
    let server = place.serve_by(&mut program);
    let anonymous = server.client();
    let ada = anonymous.auth().register_person("ada", "ada@example.org", "correct horse");
    ada.await.unwrap();
    let refused = "the mail server answered 550";
    until("a mail is refused", async || place.log().contains(refused)).await;
    assert!(!place.log().contains("ada@"), "{}", place.log());
    server.stop().await;
}
