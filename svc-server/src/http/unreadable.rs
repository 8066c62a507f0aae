//! Bodies for the answers to requests whose head can't be read.
//!
//! The library answers these before any code of ours, with a head only. But every error has a body (spec §7), by which
//! clients tell it from the page of a proxy.

use svc_store::error::Refusal;
use svc_types::Code;

use super::refuse::error_body;

/// How the library goes on after the status line. Answers of ours begin with another header.
const NO_BODY: &str = "\r\nconnection: close\r\ncontent-length: 0\r\n";

/// What the log and the body say in place of a request id: there is no request.
const NO_REQUEST: &str = "none";

/// Status lines of the library, and what they mean.
static PROBLEMS: [(&str, &str); 3] = [
    ("HTTP/1.1 400 Bad Request", "the head of the request must be valid HTTP/1.1"),
    ("HTTP/1.1 414 URI Too Long", "the URL is too long"),
    ("HTTP/1.1 431 Request Header Fields Too Large", "the headers are too many or too long"),
];

/// What the library writes for a head that it can't read, with a body; `None` for everything else.
pub(super) fn with_body(written: &[u8]) -> Option<Vec<u8>> {
    let (line, problem) = PROBLEMS.iter().find(|(line, _)| written.starts_with(line.as_bytes()))?;
    let rest = written[line.len()..].strip_prefix(NO_BODY.as_bytes())?;
    let refusal = Refusal::new(Code::ValidationFailed, *problem);
    let body = serde_json::to_vec(&error_body(refusal, NO_REQUEST)).ok()?;
    let length = body.len();
    let head = format!(
        "{line}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         x-request-id: {NO_REQUEST}\r\n"
    );
    Some([head.as_bytes(), rest, &body].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_a_body_gets_one() {
        let written = b"HTTP/1.1 414 URI Too Long\r\nconnection: close\r\ncontent-length: 0\r\ndate: now\r\n\r\n";
        let answer = String::from_utf8(with_body(written).unwrap()).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(
            body,
            r#"{"error":"the URL is too long","code":"validation_failed","requestId":"none"}"#
        );
        let lines: Vec<&str> = head.split("\r\n").collect();
        assert_eq!(
            lines,
            [
                "HTTP/1.1 414 URI Too Long",
                "connection: close",
                "content-type: application/json",
                &format!("content-length: {}", body.len()),
                "x-request-id: none",
                "date: now",
            ]
        );
    }

    #[test]
    fn other_answers_stay_as_they_are() {
        for written in [
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
            "{\"error\":\"HTTP/1.1 400 Bad Request\"}",
            "",
        ] {
            assert_eq!(with_body(written.as_bytes()), None, "{written}");
        }
    }
}
