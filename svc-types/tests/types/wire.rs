//! What one side encodes, the other decodes; what is wrong is named.

use svc_types::api::messages::SendMessage;
use svc_types::api::posts::{CreatePost, EditPost, GetPost, ListReplies};
use svc_types::endpoint::path_parameters;
use svc_types::samples::{self, SampleVisitor};
use svc_types::wire::{EncodeError, Rejected, decode, encode};
use svc_types::{Code, Endpoint, Visitor, api};

/// The decoded path parameters of an encoded request.
fn parameters<E: Endpoint>(path: &str) -> Vec<String> {
    let pairs = E::PATH.split('/').zip(path.split('/'));
    let values = pairs.filter(|(name, _)| name.starts_with('{')).map(|(_, value)| value);
    values
        .map(|text| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8()
                .expect("encoded paths are UTF-8")
                .into()
        })
        .collect()
}

struct RoundTrip(Vec<&'static str>);

impl SampleVisitor for RoundTrip {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let sent = encode(&sample).expect("samples are valid");
        let path = parameters::<E>(&sent.path);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let body = sent.body.unwrap_or_default();
        assert_eq!(decode::<E>(&path, &sent.query, &body), Ok(sample), "{}", E::NAME);
        assert_eq!(path_parameters(E::PATH).count(), path.len(), "{}", E::NAME);
        self.0.push(E::NAME);
    }
}

struct Names(Vec<&'static str>);

impl Visitor for Names {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(E::NAME);
    }
}

#[test]
fn every_endpoint_has_a_sample_that_survives_the_way_there() {
    let (mut sampled, mut declared) = (RoundTrip(Vec::new()), Names(Vec::new()));
    samples::visit(&mut sampled);
    api::visit(&mut declared);
    assert_eq!(sampled.0, declared.0);
}

fn post(body: &str) -> Result<CreatePost, Rejected> {
    decode(&[], "", body.as_bytes())
}

fn refused<T: std::fmt::Debug>(result: Result<T, Rejected>) -> (Code, String, String) {
    let Rejected { code, message, field } = result.expect_err("this should have been refused");
    (code, message, field.unwrap_or_default())
}

#[test]
fn a_missing_an_empty_and_an_overlong_content_get_the_text_of_the_spec() {
    let long = format!(r#"{{"content":"{}"}}"#, "😀".repeat(40_001));
    for body in ["{}", r#"{"content":""}"#, r#"{"content":5}"#, &long, ""] {
        let (code, message, field) = refused(post(body));
        assert_eq!(code, Code::ValidationFailed);
        assert_eq!(message, "content is required and must be 1 to 40000 characters");
        assert_eq!(field, "content");
    }
    let longest = format!(r#"{{"content":"{}"}}"#, "😀".repeat(40_000));
    assert!(post(&longest).is_ok());
}

#[test]
fn each_wrong_member_is_named_with_its_rule() {
    let cases = [
        (
            r#"{"content":"x","replyPolicy":"nobody"}"#,
            "replyPolicy",
            "replyPolicy must be one of everyone, following, mentioned, none",
        ),
        (r#"{"content":"x","language":5}"#, "language", "language must be at most 35 characters"),
        (r#"{"content":"x","payload":[]}"#, "payload", "payload must be an object"),
        (
            r#"{"content":"x","language":null}"#,
            "language",
            "language must not be null; leave it out instead",
        ),
        (r#"{"content":"x","content":"y"}"#, "content", "content stands twice and must stand once"),
        ("{\"content\":\"a\\u0000b\"}", "content", "content must not hold the character U+0000"),
    ];
    for (body, wrong, text) in cases {
        let (code, message, field) = refused(post(body));
        assert_eq!((code, message.as_str(), field.as_str()), (Code::ValidationFailed, text, wrong));
    }
}

#[test]
fn a_body_that_is_no_object_is_invalid_json() {
    for body in
        ["[]", "5", "\"x\"", "{", "{\"content\"}", "null", "{\"content\":\"x\"} x", "\u{feff}{}"]
    {
        assert_eq!(refused(post(body)).0, Code::InvalidJson, "{body}");
    }
    assert_eq!(
        refused(decode::<CreatePost>(&[], "", b"{\"content\":\"\xff\"}")).0,
        Code::InvalidJson
    );
}

#[test]
fn unknown_members_are_ignored_and_the_path_wins() {
    let edit: EditPost = decode(&["post_a"], "", br#"{"postId":"post_b","color":"red"}"#).unwrap();
    assert_eq!(edit.post_id.as_str(), "post_a");
}

#[test]
fn queries_are_typed() {
    let list: ListReplies = decode(&["post_a"], "limit=100&sort=old&x=y", b"").unwrap();
    assert_eq!(list.limit.map(svc_types::Whole::get), Some(100));
    for query in
        ["limit=0", "limit=101", "limit=x", "limit=", "limit=-1", "limit=1&limit=2", "limit=1.5"]
    {
        assert_eq!(refused(decode::<ListReplies>(&["post_a"], query, b"")).2, "limit", "{query}");
    }
    assert!(decode::<ListReplies>(&["post_a"], "sort=%ff", b"").is_err());
}

#[test]
fn path_tricks_are_refused_before_sending() {
    for id in ["", ".", ".."] {
        let sent = encode(&GetPost { post_id: id.into() });
        assert_eq!(sent, Err(EncodeError::PathParameter { field: "postId" }), "{id:?}");
    }
    let sent = encode(&GetPost { post_id: "a/b?c#d%2e ü".into() }).unwrap();
    assert_eq!(sent.path, "/posts/a%2Fb%3Fc%23d%252e%20%C3%BC");
}

#[test]
fn absent_members_are_left_out() {
    let sent = encode(&SendMessage {
        recipient_username: "bob".into(),
        content: "hi".into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
    });
    let body = sent.unwrap().body.unwrap();
    assert_eq!(String::from_utf8(body).unwrap(), r#"{"content":"hi","recipientUsername":"bob"}"#);
}
