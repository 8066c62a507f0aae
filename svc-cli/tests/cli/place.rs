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

    /// A place that knows nothing.
    pub(crate) fn empty() -> Self {
        Self::answering("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    }

    /// The requests so far, head and body.
    pub(crate) fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, answer: &str, kept: &Mutex<Vec<String>>) {
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
    kept.lock().unwrap().push(head + &String::from_utf8(body).unwrap());
    let _ = reader.into_inner().write_all(answer.as_bytes());
}
