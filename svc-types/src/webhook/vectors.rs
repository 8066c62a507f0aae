//! Test vectors of the signatures, for receivers in any language.
//!
//! They were verified with `openssl` and with independent libraries of Standard Webhooks.

/// One signed request.
#[derive(Clone, Copy, Debug)]
pub struct Vector {
    /// The secret as shown to its owner.
    pub secret: &'static str,
    /// The event's id.
    pub id: &'static str,
    /// Unix seconds of the attempt.
    pub timestamp: i64,
    /// The body, byte for byte.
    pub body: &'static str,
    /// `X-Webhook-Signature`, if the vector has one.
    pub signature: Option<&'static str>,
    /// `webhook-signature`.
    pub standard: &'static str,
}

const BODY: &str = r#"{"event":"like","timestamp":"2026-01-02T03:04:05.678Z","data":{"postId":"post_01kdya0svee4hr04hmasw9nf6y","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}}"#;
const ID: &str = "evt_01kdyak3seey4r44hmasw9nf6g";
const TIMESTAMP: i64 = 1_767_323_046;

/// SHA-256 of the body of the first two, in hex: it identifies a repeated body without a signed id.
pub const BODY_DIGEST: &str = "1f9149fbee9dea68b5279db3403ccbae94c2b26630c50c9b8419fb67894e0c86";

/// The same request with two secrets, and the published vector of Standard Webhooks.
pub const ALL: [Vector; 3] = [
    Vector {
        secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
        id: ID,
        timestamp: TIMESTAMP,
        body: BODY,
        signature: Some("5e513dccb4cd5740aeecfeb4af5d84df16a8d008d57e85744c8de4dd847dabfa"),
        standard: "v1,AD2t8mSx7UAVtH1woOGbCVhYNb7zndkP2QDNi4Beq1s=",
    },
    Vector {
        secret: "whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v",
        id: ID,
        timestamp: TIMESTAMP,
        body: BODY,
        signature: Some("b0c099c7ffe63f2e1b04e4e400ccf542e7df162673a21da78eceb5bf98e2c935"),
        standard: "v1,5RtNzEnVnKXU1UspqYIxa5usR0jd2eFC2ILzq/chiRE=",
    },
    Vector {
        secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
        id: "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
        timestamp: 1_649_367_553,
        body: r#"{"email":"test@example.com","username":"test_user"}"#,
        signature: None,
        standard: "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
    },
];
