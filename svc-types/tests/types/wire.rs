//! What one side encodes, the other decodes; what is wrong is named.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use svc_types::api::escrow::ReleaseEscrow;
use svc_types::api::messages::SendMessage;
use svc_types::api::posts::{CreatePost, EditPost, GetPost, ListReplies};
use svc_types::api::reports::{CreateReport, Subject};
use svc_types::api::users::UpdateMe;
use svc_types::endpoint::path_parameters;
use svc_types::samples::{self, SampleVisitor};
use svc_types::wire::{EncodeError, Handling, Rejected, decode, decode_form, decode_with, encode};
use svc_types::{Code, CommaList, Endpoint, Visitor, api};

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

#[test]
fn a_list_with_commas_has_the_bounds_of_its_schema() {
    let schema = CommaList::<String>::json_schema(&mut SchemaGenerator::default());
    let pattern = schema.get("pattern").and_then(Value::as_str);
    assert_eq!(pattern, Some("^[^,]{1,40}(,[^,]{1,40}){0,99}$"));
    for (length, count, fits) in [(40, 100, true), (41, 1, false), (1, 101, false), (0, 1, false)] {
        let text = vec!["x".repeat(length); count].join(",");
        let read = serde_json::from_value::<CommaList<String>>(text.into());
        assert_eq!(read.is_ok(), fits, "{count} values of {length} characters");
    }
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
    let Rejected { code, message, field, .. } = result.expect_err("this should have been refused");
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
fn a_value_that_is_no_string_is_refused_as_what_it_is() {
    for (body, hint) in [
        (r#"{"content":{"schema":"note"}}"#, Some("send a JSON string, not an object")),
        (r#"{"content":["a"]}"#, Some("send a JSON string, not an array")),
        (r#"{"content":-5}"#, Some("send a JSON string, not a number")),
        (r#"{"content":"x","replyPolicy":5}"#, Some("send a JSON string, not a number")),
        (r#"{"content":""}"#, None),
        ("{}", None),
    ] {
        assert_eq!(post(body).unwrap_err().hint.as_deref(), hint, "{body}");
    }
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
        (r#"{"content":"x","content":"y"}"#, "content", "content occurs twice and must occur once"),
        ("{\"content\":\"a\\u0000b\"}", "content", "content must not hold the character U+0000"),
        (r#"{"content":"x","payload":{"a":1,"a":2}}"#, "payload", "payload must not hold a twice"),
        (
            r#"{"content":"x","payload":{"a":[{"b":1,"b":2}]}}"#,
            "/payload/a",
            "payload.a must not hold b twice",
        ),
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
    let list: ListReplies = decode(&["post_a"], "limit=100&sort=old", b"").unwrap();
    assert_eq!(list.limit.map(svc_types::Whole::get), Some(100));
    for query in
        ["limit=0", "limit=101", "limit=x", "limit=", "limit=-1", "limit=1&limit=2", "limit=1.5"]
    {
        assert_eq!(refused(decode::<ListReplies>(&["post_a"], query, b"")).2, "limit", "{query}");
    }
    assert!(decode::<ListReplies>(&["post_a"], "sort=%ff", b"").is_err());
}

#[test]
fn unknown_parameters_are_refused_with_the_nearest_and_members_where_declared() {
    let details = |rejected: Rejected| (rejected.code, rejected.field, rejected.hint);
    let named =
        |code, field: &str, hint: &str| (code, Some(field.to_owned()), Some(hint.to_owned()));
    let refused = decode::<ListReplies>(&["post_a"], "limit=1&Sorted=old", b"").unwrap_err();
    assert_eq!(details(refused), named(Code::UnknownParameter, "Sorted", "sort"));
    let strict = br#"{"ratings":5}"#;
    let refused = decode::<ReleaseEscrow>(&["esc_a"], "", strict).unwrap_err();
    assert_eq!(details(refused), named(Code::UnknownMember, "ratings", "rating"));
    // The path wins, so its names are known.
    decode::<ListReplies>(&["post_a"], "postId=post_b", b"").unwrap();
}

#[test]
fn parameters_are_refused_where_members_travel_in_the_body() {
    let release = |query: &str, body: &[u8]| decode::<ReleaseEscrow>(&["esc_a"], query, body);
    for (query, body) in [("rating=5", ""), ("rating=5&x=1", r#"{"ratings":5}"#)] {
        let (code, _, field) = refused(release(query, body.as_bytes()));
        assert_eq!((code, &*field), (Code::UnknownParameter, "rating"), "{query}");
    }
    release("&", b"").unwrap();
    assert_eq!(refused(release("%ff=1", b"")).0, Code::ValidationFailed);
}

#[test]
fn a_refusal_repeats_the_start_of_a_long_name() {
    let long = "é".repeat(5000);
    let shown = format!("{}…", "é".repeat(64));
    let query = format!("{long}=1");
    let twice = format!(r#"{{"content":"hi","{long}":1,"{long}":2}}"#);
    let strict = decode_with::<CreatePost>(&[], "", twice.as_bytes(), Handling::Strict);
    for refused in
        [decode::<ListReplies>(&["post_a"], &query, b"").unwrap_err(), strict.unwrap_err()]
    {
        assert!(refused.message.starts_with(&shown) && refused.message.len() < 300, "{refused:?}");
        assert_eq!(refused.field.as_deref(), Some(&*shown));
    }
}

#[test]
fn path_tricks_are_refused_before_sending() {
    for id in ["", ".", ".."] {
        let sent = encode(&GetPost { post_id: id.into(), include: None });
        assert_eq!(sent, Err(EncodeError::PathParameter { field: "postId" }), "{id:?}");
    }
    let sent = encode(&GetPost { post_id: "a/b?c#d%2e ü".into(), include: None }).unwrap();
    assert_eq!(sent.path, "/posts/a%2Fb%3Fc%23d%252e%20%C3%BC");
}

#[test]
fn absent_members_are_omitted() {
    let sent = encode(&SendMessage {
        recipient_username: "bob".into(),
        content: "hi".into(),
        schema: None,
        payload: None,
        reply_to_id: None,
        client_message_id: None,
        automated: None,
        plain: None,
    });
    let body = sent.unwrap().body.unwrap();
    assert_eq!(String::from_utf8(body).unwrap(), r#"{"content":"hi","recipientUsername":"bob"}"#);
}

/// What a form would hold for a request: dots for objects, repeated fields for lists.
fn typed(members: &Map<String, Value>) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (name, value) in members {
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        match value {
            Value::Null => {}
            // Nothing chosen of a list is a field that is empty.
            Value::Array(values) if values.is_empty() => fields.push((name.clone(), String::new())),
            Value::Array(values) => {
                fields.extend(values.iter().map(|value| (name.clone(), text(value))));
            }
            value => fields.push((name.clone(), text(value))),
        }
    }
    fields
}

struct Typed(usize);

impl SampleVisitor for Typed {
    fn visit<E: Endpoint>(&mut self, sample: E) {
        let members = serde_json::to_value(&sample).expect("a sample is JSON");
        let members = members.as_object().expect("a sample is a struct");
        // An operation says by `op` what it is, which no form does; and where any JSON will do, a
        // form gives objects and texts, but no lists.
        if ["RunBatch", "RespondToDispute"].contains(&E::NAME) {
            return;
        }
        assert_eq!(decode_form::<E>(&typed(members)), Ok(sample), "{}", E::NAME);
        self.0 += 1;
    }
}

#[test]
fn every_endpoint_can_be_called_by_a_form() {
    let (mut typed, mut declared) = (Typed(0), Names(Vec::new()));
    samples::visit(&mut typed);
    api::visit(&mut declared);
    assert_eq!(typed.0 + 2, declared.0.len());
}

fn form(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn a_form_names_members_of_objects_with_dots() {
    let fields = form(&[("subject.type", "post"), ("subject.id", "post_1"), ("reason", "spam")]);
    let report: CreateReport = decode_form(&fields).expect("this is a report");
    assert_eq!(report.subject, Subject::post("post_1"));
    let fields = form(&[("subject.type", "planet"), ("subject.id", "x"), ("reason", "spam")]);
    let (_, message, field) = refused(decode_form::<CreateReport>(&fields));
    assert_eq!(field, "/subject/type");
    assert!(message.contains("must be one of user, post"), "{message}");
    let fields = form(&[("subject.type", ""), ("subject.id", ""), ("reason", "spam")]);
    let (_, message, field) = refused(decode_form::<CreateReport>(&fields));
    assert_eq!(field, "/subject/type", "the missing member is reported at the field: {message}");
}

#[test]
fn an_empty_field_is_omitted_unless_it_removes_a_value() {
    let fields = form(&[("content", "hello"), ("contentWarning", ""), ("replyToId", "")]);
    let post: CreatePost = decode_form(&fields).expect("this is a post");
    assert_eq!((post.content_warning, post.reply_to_id), (None, None));
    let fields = form(&[("postId", "post_1"), ("content", "hello"), ("contentWarning", "")]);
    let edit: EditPost = decode_form(&fields).expect("this is a change");
    assert_eq!(edit.content_warning.as_deref(), Some(""));
    let (_, message, field) = refused(decode_form::<CreatePost>(&form(&[("content", "")])));
    assert_eq!(field, "content");
    assert!(message.starts_with("content is required"), "{message}");
}

#[test]
fn an_unchecked_box_sends_the_value_of_the_hidden_field_before_it() {
    let (off, on) = (("allowServiceRequests", "false"), ("allowServiceRequests", "true"));
    let given = |fields: &[(&str, &str)]| decode_form::<UpdateMe>(&form(fields));
    let unticked = given(&[off]).expect("this is a change");
    assert_eq!(unticked.allow_service_requests, Some(false));
    let ticked = given(&[off, on]).expect("this is a change");
    assert_eq!(ticked.allow_service_requests, Some(true));
}
