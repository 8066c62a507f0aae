//! A place that is no server of ours: it keeps what it is sent.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Listens, keeps each request, and gives each the same answer.
pub(crate) struct Place {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<String>>>,
}

impl Place {
    /// A place that answers with this status line, headers and body.
    pub(crate) fn answering(answer: &str) -> Self {
        Self::answering_in_turn(&[answer])
    }

    /// A place that answers with this status and body.
    pub(crate) fn saying(status: &str, body: &str) -> Self {
        let length = body.len();
        Self::answering(&format!(
            "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        ))
    }

    /// A place with an answer for each request, the last of them for all further ones.
    pub(crate) fn answering_in_turn(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/api", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        let mut answers: VecDeque<String> = answers.iter().map(|one| (*one).to_owned()).collect();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                serve(stream.unwrap(), &answers[0], &kept);
                if answers.len() > 1 {
                    answers.pop_front();
                }
            }
        });
        Self { url, received }
    }

    /// A way to a server that has answers of its own to some GETs, by their path below /api.
    pub(crate) fn posing_as(server: &str, answers: &[(&str, String)]) -> String {
        let answers: Vec<(String, String)> =
            answers.iter().map(|(path, body)| (format!("GET /api{path} "), body.clone())).collect();
        before(server, move |head| {
            let (_, body) = answers.iter().find(|(begin, _)| head.starts_with(begin))?;
            let length = body.len();
            Some(format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                 content-length: {length}\r\nconnection: close\r\n\r\n{body}"
            ))
        })
    }

    /// A place that knows nothing.
    pub(crate) fn empty() -> Self {
        Self::saying("404 Not Found", "")
    }

    /// The requests so far, head and body.
    pub(crate) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

/// Listens before a server, which gets what has no answer here; where it listens.
fn before(server: &str, answer: impl Fn(&str) -> Option<String> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    let host = server.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, head, body) = heard(client.unwrap());
            let answer = match answer(&head) {
                Some(answer) => answer.into_bytes(),
                None => asked(&host, &head, &body),
            };
            let _ = client.write_all(&answer);
        }
    });
    url
}

/// What a server answers.
fn asked(host: &str, head: &str, body: &str) -> Vec<u8> {
    let mut server = TcpStream::connect(host).unwrap();
    write!(server, "{head}connection: close\r\n\r\n{body}").unwrap();
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).unwrap();
    answer
}

fn serve(stream: TcpStream, answer: &str, kept: &Mutex<Vec<String>>) {
    let (mut client, head, body) = heard(stream);
    kept.lock().unwrap().push(head + &body);
    let _ = client.write_all(answer.as_bytes());
}

/// A request: its head without the empty line, and its body.
fn heard(stream: TcpStream) -> (TcpStream, String, String) {
    let mut reader = BufReader::new(stream);
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
    (reader.into_inner(), head, String::from_utf8(body).unwrap())
}
