//! A proxy on which requests get lost, or their answers after the server has acted.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// What gets lost.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Loss {
    Request,
    Answer,
}

/// Listens before a server, and loses requests that begin with `lost`, or their answers.
pub(super) fn losing(server: &str, what: Loss, lost: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    let host = server.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            relay(client.unwrap(), &host, what, lost);
        }
    });
    url
}

fn relay(client: TcpStream, host: &str, what: Loss, lost: &str) {
    let mut reader = BufReader::new(client);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let is_lost = head.starts_with(lost);
    if is_lost && what == Loss::Request {
        return;
    }
    let mut server = TcpStream::connect(host).unwrap();
    write!(server, "{head}connection: close\r\n\r\n").unwrap();
    server.write_all(&body).unwrap();
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).unwrap();
    if !is_lost {
        let _ = reader.into_inner().write_all(&answer);
    }
}
