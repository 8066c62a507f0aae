//! A device with a passkey, which signs whatever it is given.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::server::HOST;

/// What a device says of the person: present, and verified.
pub(super) const VERIFIED: u8 = 5;

/// A new key follows.
const NEW_KEY: u8 = 0x40;

pub(super) struct Device {
    key: EcdsaKeyPair,
    pub(super) id: Vec<u8>,
    /// What the server calls the account.
    pub(super) handle: Vec<u8>,
    counter: u32,
}

impl Device {
    pub(super) fn new() -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).expect("a key is made");
        let id = Sha256::digest(key.public_key().as_ref()).to_vec();
        Self { key, id, handle: Vec::new(), counter: 0 }
    }

    /// Its answer to the options of an enrolment.
    pub(super) fn enrols(&mut self, options: &Value) -> Value {
        let asked = &options["publicKey"];
        self.handle = decoded(asked["user"]["id"].as_str().expect("accounts have a handle"));
        let challenge = asked["challenge"].as_str().expect("there is a challenge");
        let client = client_data("create").replace("$challenge", challenge);
        let key = new_key(&self.id, self.key.public_key().as_ref());
        let object = attestation(b"\x64none", b"\xa0", &key);
        enrolment(&self.id, client.as_bytes(), &object)
    }

    /// The count of its signatures, which must grow.
    pub(super) fn counted(&mut self) -> u32 {
        self.counter += 1;
        self.counter
    }

    /// Its signature of client data and authenticator data.
    pub(super) fn signs(&self, client: &[u8], data: &[u8]) -> Vec<u8> {
        let signed = [data, Sha256::digest(client).as_slice()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).expect("a key signs");
        signature.as_ref().to_vec()
    }
}

/// The data of a browser; `$challenge` stands for the challenge.
pub(super) fn client_data(kind: &str) -> String {
    format!(
        r#"{{"type":"webauthn.{kind}","challenge":"$challenge","origin":"https://{HOST}","crossOrigin":false}}"#
    )
}

/// The data of an authenticator.
pub(super) fn data(flags: u8, counter: u32) -> Vec<u8> {
    let mut data = Sha256::digest(HOST).to_vec();
    data.push(flags);
    data.extend(counter.to_be_bytes());
    data
}

/// The same with a new key: its id, and its point on P-256 as it is sent without compression.
pub(super) fn new_key(id: &[u8], point: &[u8]) -> Vec<u8> {
    let length = u16::try_from(id.len()).expect("it is short").to_be_bytes();
    let mut data = data(VERIFIED | NEW_KEY, 0);
    data.extend([0; 16]);
    data.extend(length);
    data.extend(id);
    // COSE: a key on P-256 for ES256.
    data.extend(b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20");
    data.extend(&point[1..33]);
    data.extend(b"\x22\x58\x20");
    data.extend(&point[33..65]);
    data
}

/// The CBOR of an attestation object.
pub(super) fn attestation(format: &[u8], statement: &[u8], data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("it is short").to_be_bytes();
    let head =
        [&b"\xa3\x63fmt"[..], format, b"\x67attStmt", statement, b"\x68authData\x59"].concat();
    [&head[..], &length[..], data].concat()
}

/// What a browser passes on when a key is added.
pub(super) fn enrolment(id: &[u8], client: &[u8], object: &[u8]) -> Value {
    let response = json!({
        "clientDataJSON": coded(client), "attestationObject": coded(object),
        "transports": ["internal"],
    });
    credential(id, &response)
}

/// What a browser passes on when a key signs in.
pub(super) fn assertion(id: &[u8], parts: [&[u8]; 4]) -> Value {
    let [client, data, signature, handle] = parts.map(coded);
    let response = json!({
        "clientDataJSON": client, "authenticatorData": data,
        "signature": signature, "userHandle": handle,
    });
    credential(id, &response)
}

fn credential(id: &[u8], response: &Value) -> Value {
    let id = coded(id);
    json!({
        "id": id, "rawId": id, "type": "public-key", "response": response,
        "clientExtensionResults": {},
    })
}

fn coded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn decoded(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).expect("it is base64 for URLs")
}
