//! A device with a passkey, in software: makes a key, and answers ceremonies as a browser passes them
//! on. Every part of an answer can be made wrong.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use svc_client::types::api::passkeys::{Passkey, PasskeyCeremony};

use crate::app::{Member, TestApp};

/// Where the tests of passkeys say that the server is.
pub(crate) const ORIGIN: &str = "https://svc.example.org";

/// Flags of what a device says: a person is there, was verified, and a new key follows.
pub(crate) const PRESENT: u8 = 1;
pub(crate) const VERIFIED: u8 = 4;
const NEW_KEY: u8 = 0x40;

/// What an answer says, for a test to change.
#[derive(Clone, Debug)]
pub(crate) struct Says {
    pub(crate) kind: String,
    pub(crate) challenge: String,
    pub(crate) origin: String,
    pub(crate) rp_id: String,
    pub(crate) flags: u8,
    pub(crate) counter: u32,
    pub(crate) handle: String,
    /// Whether the signature is of something else.
    pub(crate) is_forged: bool,
}

/// A device with one passkey.
pub(crate) struct Device {
    key: EcdsaKeyPair,
    origin: String,
    pub(crate) id: Vec<u8>,
    handle: String,
    counter: u32,
}

impl Device {
    pub(crate) fn new() -> Self {
        Self::at(ORIGIN)
    }

    /// The same for a server at another address.
    pub(crate) fn at(origin: &str) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = Sha256::digest(key.public_key().as_ref()).to_vec();
        Self { key, origin: origin.to_owned(), id, handle: String::new(), counter: 0 }
    }

    /// What it says when it adds its passkey.
    pub(crate) fn enrols(&mut self, options: &Map<String, Value>) -> Map<String, Value> {
        self.enrols_but(options, |_| {})
    }

    /// The same, with a change.
    pub(crate) fn enrols_but(
        &mut self,
        options: &Map<String, Value>,
        change: impl Fn(&mut Says),
    ) -> Map<String, Value> {
        let asked = &options["publicKey"];
        self.handle = text(&asked["user"]["id"]);
        let mut says = Says {
            kind: "webauthn.create".to_owned(),
            challenge: text(&asked["challenge"]),
            origin: self.origin.clone(),
            rp_id: text(&asked["rp"]["id"]),
            flags: PRESENT | VERIFIED,
            counter: 0,
            handle: self.handle.clone(),
            is_forged: false,
        };
        change(&mut says);
        let object = attestation("none", b"\xa0", &self.new_key(&says));
        self.enrolment(&says, &object)
    }

    /// An enrolment with this attestation object.
    pub(crate) fn enrolment(&self, says: &Says, object: &[u8]) -> Map<String, Value> {
        let response = json!({
            "clientDataJSON": coded(&client_data(says)), "attestationObject": coded(object),
            "transports": ["internal"],
        });
        self.credential(&response, &json!({ "credProps": { "rk": true } }))
    }

    /// What a device signs, with its new key.
    pub(crate) fn new_key(&self, says: &Says) -> Vec<u8> {
        let says = Says { flags: says.flags | NEW_KEY, ..says.clone() };
        let mut data = authenticator_data(&says);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        // COSE: a key on P-256 for ES256.
        let point = self.key.public_key().as_ref();
        data.extend(b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20");
        data.extend(&point[1..33]);
        data.extend(b"\x22\x58\x20");
        data.extend(&point[33..]);
        data
    }

    /// What it answers when it signs in or confirms.
    pub(crate) fn signs(&mut self, options: &Map<String, Value>) -> Map<String, Value> {
        self.signs_but(options, |_| {})
    }

    /// The same, with a change.
    pub(crate) fn signs_but(
        &mut self,
        options: &Map<String, Value>,
        change: impl Fn(&mut Says),
    ) -> Map<String, Value> {
        let asked = &options["publicKey"];
        self.counter += 1;
        let mut says = Says {
            kind: "webauthn.get".to_owned(),
            challenge: text(&asked["challenge"]),
            origin: self.origin.clone(),
            rp_id: text(&asked["rpId"]),
            flags: PRESENT | VERIFIED,
            counter: self.counter,
            handle: self.handle.clone(),
            is_forged: false,
        };
        change(&mut says);
        let (client, data) = (client_data(&says), authenticator_data(&says));
        let mut signed = [data.clone(), Sha256::digest(&client).to_vec()].concat();
        signed.extend(says.is_forged.then_some(0));
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let response = json!({
            "clientDataJSON": coded(&client), "authenticatorData": coded(&data),
            "signature": coded(signature.as_ref()), "userHandle": says.handle,
        });
        self.credential(&response, &json!({}))
    }

    fn credential(&self, response: &Value, extensions: &Value) -> Map<String, Value> {
        let id = coded(&self.id);
        let credential = json!({
            "id": id, "rawId": id, "type": "public-key", "response": response,
            "clientExtensionResults": extensions, "authenticatorAttachment": "platform",
        });
        credential.as_object().unwrap().clone()
    }

    /// Adds its passkey to an account.
    pub(crate) async fn join(&mut self, member: &Member, name: &str) -> Passkey {
        let passkeys = member.client.passkeys();
        let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin().await.unwrap();
        passkeys.create(ceremony_id, self.enrols(&options), name).await.unwrap().passkey
    }

    /// A new device with a passkey of an account.
    pub(crate) async fn of(member: &Member) -> Self {
        let mut device = Self::new();
        device.join(member, "Laptop").await;
        device
    }

    /// Signs in and returns the cookie.
    pub(crate) async fn sign_in(&mut self, app: &TestApp) -> String {
        let passkeys = app.anonymous.passkeys();
        let PasskeyCeremony { ceremony_id, options, .. } = passkeys.begin_login().await.unwrap();
        let call = passkeys.login(ceremony_id, self.signs(&options));
        crate::app::cookie(&call.raw().await.unwrap().headers)
    }
}

fn client_data(says: &Says) -> Vec<u8> {
    let data = json!({
        "type": says.kind, "challenge": says.challenge, "origin": says.origin,
        "crossOrigin": false,
    });
    data.to_string().into_bytes()
}

fn authenticator_data(says: &Says) -> Vec<u8> {
    let mut data = Sha256::digest(says.rp_id.as_bytes()).to_vec();
    data.push(says.flags);
    data.extend(says.counter.to_be_bytes());
    data
}

/// The CBOR of an attestation object.
pub(crate) fn attestation(format: &str, statement: &[u8], data: &[u8]) -> Vec<u8> {
    let mut object = b"\xa3\x63fmt".to_vec();
    object.push(0x60 | u8::try_from(format.len()).unwrap());
    object.extend(format.as_bytes());
    object.extend(b"\x67attStmt");
    object.extend(statement);
    object.extend(b"\x68authData\x59");
    object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    object.extend(data);
    object
}

pub(crate) fn coded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
