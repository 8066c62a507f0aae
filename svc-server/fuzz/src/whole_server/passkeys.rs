//! Answers of devices with passkeys. Whatever a stranger changes, nobody is signed in.
//!
//! An input is a word in a line, and then:
//! - `create`: the data of the browser in a line, and the attestation object;
//! - `signed`: the same, and the data of the authenticator, which the device signs as they are;
//! - `changed`: changes to what the device answers, four bytes each: what, where (two), and how.

use serde_json::{Value, json};

use super::device::{self, VERIFIED, assertion, client_data, enrolment};
use super::request::Request;
use super::server::{HOST, WholeServer, with_server};
use crate::text::{line, text};

/// Where the server keeps its counter in the data of an authenticator.
const COUNTER: std::ops::Range<usize> = 33..37;

/// The id of a key that is added.
const NEW_ID: &[u8] = b"0123456789abcdef";

/// The base point of P-256, which is the key of somebody: inputs are the same in each run.
const POINT: &[u8] = b"\x04\
    \x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2\
    \x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96\
    \x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16\
    \x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5";

pub(crate) fn judge(mut input: &[u8]) {
    let kind = text(line(&mut input));
    with_server(|server| match &*kind {
        "create" => create(server, &text(line(&mut input)), input),
        "signed" => signed(server, &text(line(&mut input)), input),
        _ => changed(server, input),
    });
}

/// An attestation of any form. A key that was added is removed again, so that there is room for others.
fn create(server: &mut WholeServer, client: &str, object: &[u8]) {
    let Some((id, challenge)) = begin(server, "/api/auth/passkeys/begin") else { return };
    let client = client.replace("$challenge", &challenge);
    let credential = enrolment(NEW_ID, client.as_bytes(), object);
    let body = json!({ "ceremonyId": id, "name": "Phone", "credential": credential });
    let request = Request::post("/api/auth/passkeys", &body).by(server.words.of("$key"));
    let answer = server.send_input(request).expect("there is an answer");
    let Some(made) = answer.granted() else { return };
    assert!(is_right(&client, "webauthn.create", &challenge), "{client}");
    let host = &device::data(0, 0)[..32];
    assert!(object.windows(32).any(|part| part == host), "{}", object.escape_ascii());
    let id = made["passkey"]["passkeyId"].as_str().expect("a passkey has an id");
    let mut remove = Request::get(format!("/api/auth/passkeys/{id}"));
    remove.method = http::Method::DELETE;
    server.made(remove.by(server.words.of("$key")));
}

/// Any data, signed by the right key: they must say that the person was verified, here and now.
fn signed(server: &mut WholeServer, client: &str, data: &[u8]) {
    let Some((id, challenge)) = begin(server, "/api/auth/login/passkey/begin") else { return };
    let client = client.replace("$challenge", &challenge);
    let mut data = data.to_vec();
    let counter = server.device.counted();
    if let Some(place) = data.get_mut(COUNTER) {
        place.copy_from_slice(&counter.to_be_bytes());
    }
    let signature = server.device.signs(client.as_bytes(), &data);
    let parts = [client.as_bytes(), &data, &signature, &server.device.handle];
    let credential = assertion(&server.device.id, parts);
    let is_in = log_in(server, &id, &credential);
    let right = device::data(VERIFIED, counter);
    let is_verified =
        data.len() >= right.len() && data[..32] == right[..32] && data[32] & VERIFIED == VERIFIED;
    let is_right = is_right(&client, "webauthn.get", &challenge) && is_verified;
    assert!(!is_in || is_right, "{client} {}", data.escape_ascii());
}

/// A right answer, changed after it was signed.
fn changed(server: &mut WholeServer, changes: &[u8]) {
    let Some((id, challenge)) = begin(server, "/api/auth/login/passkey/begin") else { return };
    let client = client_data("get").replace("$challenge", &challenge).into_bytes();
    let data = device::data(VERIFIED, server.device.counted());
    let signature = server.device.signs(&client, &data);
    let right = [client, data, signature, server.device.handle.clone(), server.device.id.clone()];
    let mut parts = right.clone();
    for change in changes.chunks_exact(4) {
        let part = &mut parts[usize::from(change[0]) % right.len()];
        let place = usize::from(u16::from_be_bytes([change[1], change[2]])) % part.len();
        part[place] ^= change[3];
    }
    let [client, data, signature, handle, key] = parts.each_ref().map(Vec::as_slice);
    let is_in = log_in(server, &id, &assertion(key, [client, data, signature, handle]));
    assert_eq!(is_in, parts == right, "{}", changes.escape_ascii());
}

/// Begins a ceremony: its id and its challenge. `None` where the server wants its person to confirm who
/// they are, after a long time.
fn begin(server: &mut WholeServer, path: &str) -> Option<(Value, String)> {
    let request = Request::post(path, &json!({})).by(server.words.of("$key"));
    let answer = server.send(request).expect("there is an answer");
    let Some(begun) = answer.granted() else {
        server.wear_out();
        return None;
    };
    let challenge = &begun["options"]["publicKey"]["challenge"];
    let challenge = challenge.as_str().expect("there is a challenge").to_owned();
    Some((begun["ceremonyId"].clone(), challenge))
}

/// Whether an answer signs in. A refusal sets no cookie.
fn log_in(server: &mut WholeServer, id: &Value, credential: &Value) -> bool {
    let body = json!({ "ceremonyId": id, "credential": credential });
    let answer = server.send_input(Request::post("/api/auth/login/passkey", &body));
    let answer = answer.expect("there is an answer");
    let is_in = answer.granted().is_some();
    assert_eq!(answer.headers.contains_key("set-cookie"), is_in);
    is_in
}

/// Whether a browser says that this is done, for this challenge, on a page of the server.
fn is_right(client: &str, kind: &str, challenge: &str) -> bool {
    let Ok(client) = serde_json::from_str::<Value>(client) else { return false };
    let origin = client["origin"].as_str().unwrap_or_default();
    client["type"] == kind
        && client["challenge"] == challenge
        && origin.trim_end_matches('/') == format!("https://{HOST}")
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let key = device::new_key(NEW_ID, POINT);
    let create = |format: &[u8], statement: &[u8]| {
        let object = device::attestation(format, statement, &key);
        [format!("create\n{}\n", client_data("create")).as_bytes(), &object].concat()
    };
    let data = device::data(VERIFIED, 0);
    vec![
        create(b"\x64none", b"\xa0"),
        create(b"\x66packed", b"\xa2\x63alg\x26\x63sig\x41\0"),
        create(b"\x68fido-u2f", b"\xa2\x63sig\x41\0\x63x5c\x81\x43\x30\x01\0"),
        create(b"\x63tpm", b"\xa2\x63ver\x632.0\x67pubArea\x41\0"),
        [format!("signed\n{}\n", client_data("get")).as_bytes(), &data].concat(),
        b"changed\n".to_vec(),
        b"changed\n\0\0\x09\x01".to_vec(),
        b"changed\n\x02\0\x10\x80\x02\0\x10\x80".to_vec(),
        b"changed\n\x03\0\0\xff\x04\0\0\xff".to_vec(),
    ]
}
