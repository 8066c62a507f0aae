//! Values of members: each type decodes the same JSON, and what it took is encoded to the same.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_types::api::batch::RunBatch;
use svc_types::api::posts::PostInclude;
use svc_types::api::services::Service;
use svc_types::{
    ChannelName, Checksum, CommaList, Credits, Cursor, Email, ErrorBody, Handle, Limit,
    PositiveCredits, PostId, Rating, Scope, Share, Span, Text, Timestamp, Username, WebUrl, id,
};

use crate::text::text;

macro_rules! each {
    ($judge:ident($value:expr): $($type:ty),+ $(,)?) => {$($judge::<$type>($value);)+};
}

pub(crate) fn judge(input: &[u8]) {
    let text = text(input);
    if let Some(number) = id::number(&text) {
        let digits = text.rsplit('_').next().unwrap_or_default();
        assert_eq!(
            <PostId as svc_types::Id>::from_number(number).as_str(),
            format!("post_{digits}")
        );
    }
    let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
    each!(again(&value): Timestamp, Span, Credits, PositiveCredits, Rating, Share, Limit, Text<1, 64>,
        WebUrl, Email, Checksum, ChannelName, Username, Handle, Cursor, Scope, CommaList<PostInclude>,
        ErrorBody, Service, RunBatch);
}

fn again<T: Serialize + DeserializeOwned + Debug>(value: &Value) {
    let Ok(read) = serde_json::from_value::<T>(value.clone()) else { return };
    let written = serde_json::to_value(&read).expect("values are JSON");
    let again = serde_json::from_value::<T>(written.clone());
    let again = again.unwrap_or_else(|error| panic!("{written} of {read:?}: {error}"));
    // Not every type can be compared, but each writes all that it holds.
    assert_eq!(serde_json::to_value(&again).ok(), Some(written), "{read:?}");
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "2026-01-31T09:30:00.000Z",
        "2024-02-29T23:59:59.999+05:30",
        "1h30m",
        "90s",
        "7d",
        "0.000001",
        "1000000000",
        "12.5",
        "4.5",
        "\"4.5\"",
        "0.05",
        "20",
        "https://a.example/x?y=1#z",
        "a.b@c.example",
        "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "rust-talk",
        "ada_1",
        "usr_7zzzzzzzzzzzz",
        "post_01kdya0svee4h",
        "exchange:spend",
        "html,replies",
        r#"{"error":"no","code":"not_found","requestId":"r","errors":[{"field":"a","code":"missing","message":"m"}]}"#,
        r#"{"operations":[{"method":"likePost","params":{"postId":"post_1"}}],"atomic":true}"#,
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
