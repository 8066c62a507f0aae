//! Password hashing, on dedicated threads so that sign-ins do not slow other requests.

mod breached;
mod common;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use svc_store::error::{Error, Refusal, Result, SetupError};
use svc_types::Code;

use self::breached::Breached;
pub use self::common::refuse_common;
use crate::background::{Background, Priority};

/// Memory in KiB, passes and lanes: the setting OWASP recommends.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Sign-ins that may wait; at some 30 ms each the last waits for two seconds.
const QUEUE_MAX: usize = 64;

/// Hashes passwords, on threads that yield to requests.
#[derive(Debug)]
pub struct Passwords {
    threads: Background,
    breached: Option<Breached>,
}

impl Passwords {
    /// Starts the threads; new passwords must not be in `breached`, if that names a file.
    pub fn start(breached: &str, priority: Priority) -> Self {
        let breached = (!breached.is_empty()).then(|| Breached::at(breached));
        let full = "too many sign-ins at once";
        let threads = Background::start("passwords", usize::MAX, QUEUE_MAX, full, priority);
        Self { threads, breached }
    }

    /// Refuses a file of breached passwords that is none.
    pub fn check(&self) -> Result<(), SetupError> {
        self.breached.as_ref().map_or(Ok(()), Breached::check)
    }

    /// Hashes a password that somebody has chosen; 400 for one that is known from a breach.
    pub async fn hash_new(&self, field: &str, password: String) -> Result<String> {
        if let Some(breached) = self.breached.clone() {
            let typed = password.clone();
            let is_breached = self.threads.run(move || breached.contains(&typed)).await?;
            if is_breached.map_err(Error::internal)? {
                let message = "the password is known from a breach of another site";
                let refusal = Refusal::new(Code::PasswordTooCommon, message).field(field);
                return Err(refusal.hint("choose one that you use nowhere else").into());
            }
        }
        self.hash(password).await
    }

    /// Hashes a password, as a PHC string.
    pub async fn hash(&self, password: String) -> Result<String> {
        let hash = move || argon2().hash_password(password.as_bytes()).map(|hash| hash.to_string());
        self.threads.run(hash).await?.map_err(|error| Error::internal(error.to_string()))
    }

    /// Whether a password matches a hash. Without a hash it is false and takes as long.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        let verify = move || match hash.as_deref().map(PasswordHash::new) {
            Some(Ok(hash)) => argon2().verify_password(password.as_bytes(), &hash).is_ok(),
            Some(Err(_)) => false,
            None => {
                // An unknown name must not answer quicker than a wrong password.
                let _ = argon2().hash_password(password.as_bytes());
                false
            }
        };
        self.threads.run(verify).await
    }
}

/// Whether a hash uses outdated parameters.
pub fn is_outdated(hash: &str) -> bool {
    let wanted = format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$");
    !hash.starts_with(&wanted)
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}
