//! What devices answer, judged by `webauthn-rs`: challenge, origin, user verification, signature and
//! counter. Nothing here touches the database.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_types::api::passkeys::CREDENTIAL_BYTES_MAX;
use svc_types::{PasskeyId, UserId};
use tracing::subscriber::{NoSubscriber, with_default};
use url::Url;
use webauthn_rs::prelude::{
    AuthenticationResult, DiscoverableAuthentication, DiscoverableKey, Passkey,
    PasskeyAuthentication, PasskeyRegistration, PublicKeyCredential, RegisterPublicKeyCredential,
    Uuid, Webauthn, WebauthnBuilder, WebauthnResult,
};

use super::ceremony::{Ceremony, LIFE};
use super::{Stored, refused, require};
use crate::app::App;
use crate::keys;

/// What a device answers when a passkey is added.
pub type Enrolment = RegisterPublicKeyCredential;

/// What a device answers when a passkey is used.
pub type Answer = PublicKeyCredential;

/// A passkey whose enrolment was verified.
#[derive(Debug)]
pub struct New {
    pub(super) credential_id: Vec<u8>,
    pub(super) credential: String,
    pub(super) is_synced: bool,
}

/// A passkey whose signature was verified.
#[derive(Debug)]
pub struct Used {
    pub(super) id: PasskeyId,
    /// Whose it is.
    pub account: UserId,
    /// Its counter and flags as they were when the signature was verified.
    pub(super) before: String,
    /// What they are from now on.
    pub(super) after: String,
    pub(super) is_synced: bool,
}

/// Verifies answers of devices for this server. 503 where passkeys don't work.
pub(super) fn verifier(app: &App) -> Result<Webauthn> {
    require(app)?;
    let url = Url::parse(&app.public_url).map_err(Error::internal)?;
    let host = url.domain().unwrap_or_default();
    let builder = WebauthnBuilder::new(host, &url).map_err(Error::internal)?;
    builder.timeout(LIFE).build().map_err(Error::internal)
}

/// What devices keep to tell accounts apart. `WebAuthn` wants nothing in it that says who somebody is,
/// so it is a hash rather than the id.
pub(super) fn handle(account: &UserId) -> Uuid {
    let hash = keys::hash(&format!("passkeys of {account}"));
    let (handle, _) = hash.split_first_chunk().expect("a hash has more than 16 bytes");
    Uuid::from_bytes(*handle)
}

/// A stored passkey.
pub(super) fn passkey(stored: &str) -> Result<Passkey> {
    serde_json::from_str(stored).map_err(Error::internal)
}

/// Reads what a browser sends; 400 for what no browser does.
pub fn parse<T: DeserializeOwned>(credential: &Map<String, Value>) -> Result<T> {
    let credential = Value::Object(credential.clone());
    if credential.to_string().len() > CREDENTIAL_BYTES_MAX {
        let message = format!("credential must have at most {CREDENTIAL_BYTES_MAX} bytes of JSON");
        return Err(Error::invalid("credential", message));
    }
    serde_json::from_value(credential).map_err(|_| {
        let message =
            "credential must be the PublicKeyCredential of a browser, as toJSON() returns it";
        Error::invalid("credential", message)
    })
}

/// Verifies the enrolment of a passkey.
pub fn check_new(app: &App, ceremony: &Ceremony, enrolment: &Enrolment) -> Result<New> {
    let verifier = verifier(app)?;
    let state: PasskeyRegistration = state(ceremony)?;
    let passkey = judged(|| verifier.finish_passkey_registration(enrolment, &state))?;
    let credential = serde_json::to_value(&passkey).map_err(Error::internal)?;
    Ok(New {
        credential_id: passkey.cred_id().clone(),
        // The library shows this flag only with internals that it calls a danger.
        is_synced: credential["cred"]["backup_state"] == Value::Bool(true),
        credential: credential.to_string(),
    })
}

/// Verifies that a passkey of the expected account signed the challenge.
pub fn check_sign_in(
    app: &App,
    ceremony: &Ceremony,
    stored: &Stored,
    answer: &Answer,
) -> Result<Used> {
    let verifier = verifier(app)?;
    let state: DiscoverableAuthentication = state(ceremony)?;
    let is_expected = ceremony.username.as_ref().is_none_or(|name| *name == stored.username);
    let key = DiscoverableKey::from(passkey(&stored.credential)?);
    let result = judged(|| {
        let (whose, _) = verifier.identify_discoverable_authentication(answer)?;
        let result = verifier.finish_discoverable_authentication_v2(answer, state, key)?;
        Ok((whose, result))
    });
    let (whose, result) = result?;
    if !is_expected || whose != handle(&stored.account) {
        return Err(refused());
    }
    used(stored, &result)
}

/// Verifies that one of the caller's passkeys signed the challenge.
pub fn check_confirmation(
    app: &App,
    ceremony: &Ceremony,
    stored: &Stored,
    answer: &Answer,
) -> Result<Used> {
    let verifier = verifier(app)?;
    let state: PasskeyAuthentication = state(ceremony)?;
    let result = judged(|| verifier.finish_passkey_authentication(answer, &state))?;
    used(stored, &result)
}

fn state<T: DeserializeOwned>(ceremony: &Ceremony) -> Result<T> {
    serde_json::from_str(&ceremony.state).map_err(Error::internal)
}

/// What a verification finds. Strangers choose what it is given, so it writes no lines into the log.
fn judged<T>(verification: impl FnOnce() -> WebauthnResult<T>) -> Result<T> {
    let verdict = with_default(NoSubscriber::default(), verification);
    verdict.map_err(|error| {
        tracing::debug!(?error, "a passkey was refused");
        refused()
    })
}

/// The passkey after its use.
fn used(stored: &Stored, result: &AuthenticationResult) -> Result<Used> {
    let mut passkey = passkey(&stored.credential)?;
    if passkey.update_credential(result).is_none() || !result.user_verified() {
        return Err(refused());
    }
    Ok(Used {
        id: stored.id.clone(),
        account: stored.account.clone(),
        before: stored.credential.clone(),
        after: text(&passkey)?,
        is_synced: result.backup_state(),
    })
}

fn text(passkey: &impl Serialize) -> Result<String> {
    let value = serde_json::to_value(passkey).map_err(Error::internal)?;
    Ok(value.to_string())
}
