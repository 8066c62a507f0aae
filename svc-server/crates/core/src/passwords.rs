//! Password hashing, on dedicated threads so that sign-ins do not slow other requests.

mod breached;
mod common;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{self, PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use svc_store::error::{Error, Refusal, Result, SetupError};
use svc_types::Code;
use unicode_normalization::{UnicodeNormalization, is_nfkc};

use self::breached::Breached;
pub use self::common::refuse_common;
use crate::background::{Background, Priority};
use crate::config::PasswordRules;

const LANES: u32 = 1;

/// Sign-ins that may wait; at some 30 ms each the last waits for two seconds.
const QUEUE_MAX: usize = 64;

/// What it costs to compute a hash.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    memory_kib: u32,
    passes: u32,
}

impl Default for Cost {
    /// What OWASP recommends.
    fn default() -> Self {
        Self { memory_kib: 19_456, passes: 2 }
    }
}

impl Cost {
    /// Next to nothing, for the servers of tests.
    #[cfg(feature = "testing")]
    pub const TESTING: Self = Self { memory_kib: 8, passes: 1 };

    fn argon2(self) -> Argon2<'static> {
        let params = Params::new(self.memory_kib, self.passes, LANES, None);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params.expect("the costs are in range"))
    }
}

/// The form in which passwords are hashed. Systems encode the same letters in different ways: `é` as one character or
/// as two, digits in full width.
fn normal(password: String) -> String {
    if password.is_ascii() { password } else { password.nfkc().collect() }
}

/// What a typed password may have been hashed as. Earlier versions hashed it as it was typed.
fn forms(typed: String) -> Vec<String> {
    let hashed = normal(typed.clone());
    if hashed == typed { vec![hashed] } else { vec![hashed, typed] }
}

/// Hashes passwords, on threads that yield to requests.
#[derive(Debug)]
pub struct Passwords {
    threads: Background,
    breached: Option<Breached>,
    cost: Cost,
}

impl Passwords {
    /// Starts the threads.
    pub fn start(rules: &PasswordRules, priority: Priority) -> Self {
        let file = &rules.breached_file;
        let breached = (!file.is_empty()).then(|| Breached::at(file));
        let full = "too many sign-ins at once";
        let threads = Background::start("passwords", usize::MAX, QUEUE_MAX, full, priority);
        Self { threads, breached, cost: rules.cost }
    }

    /// Refuses a file of breached passwords that is none.
    pub fn check(&self) -> Result<(), SetupError> {
        self.breached.as_ref().map_or(Ok(()), Breached::check)
    }

    /// Hashes a password that somebody has chosen; 400 for one that is known from a breach.
    pub async fn hash_new(&self, field: &str, password: String) -> Result<String> {
        let password = normal(password);
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
        let (argon2, password) = (self.cost.argon2(), normal(password));
        self.text_of(move || argon2.hash_password(password.as_bytes())).await
    }

    /// Hashes a password whose hash is outdated. The salt stays, so that concurrent sign-ins compute the same hash.
    pub async fn renew(&self, password: String, outdated: &str) -> Result<String> {
        let (argon2, password) = (self.cost.argon2(), normal(password));
        let Some(salt) = PasswordHash::new(outdated).ok().and_then(|hash| hash.salt) else {
            return self.hash(password).await;
        };
        self.text_of(move || argon2.hash_password_with_salt(password.as_bytes(), &salt)).await
    }

    async fn text_of<H>(&self, hash: H) -> Result<String>
    where
        H: FnOnce() -> Result<PasswordHash, password_hash::Error> + Send + 'static,
    {
        let hashed = self.threads.run(move || hash().map(|hash| hash.to_string())).await?;
        hashed.map_err(|error| Error::internal(error.to_string()))
    }

    /// Whether a password matches a hash. Without a hash it is false and takes as long.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        let (argon2, forms) = (self.cost.argon2(), forms(password));
        let verify = move || match hash.as_deref().map(PasswordHash::new) {
            Some(Ok(hash)) => {
                let is_of = |form: &String| argon2.verify_password(form.as_bytes(), &hash).is_ok();
                forms.iter().any(is_of)
            }
            Some(Err(_)) => false,
            None => {
                // An unknown name must not answer quicker than a wrong password.
                for form in &forms {
                    let _ = argon2.hash_password(form.as_bytes());
                }
                false
            }
        };
        self.threads.run(verify).await
    }

    /// Whether a hash, which this password matches, has another cost than new ones, or may be that of the password as
    /// it was typed.
    pub fn is_outdated(&self, hash: &str, typed: &str) -> bool {
        let Cost { memory_kib, passes } = self.cost;
        let is_current =
            hash.starts_with(&format!("$argon2id$v=19$m={memory_kib},t={passes},p={LANES}$"));
        !is_current || !is_nfkc(typed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Overrides};

    #[tokio::test]
    async fn a_password_costs_what_owasp_recommends() {
        let rules = Config::load(None, &Overrides::default()).unwrap().passwords;
        let passwords = Passwords::start(&rules, Priority::Usual);
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let is_outdated = |hash: &str| passwords.is_outdated(hash, "correct horse");
        assert!(!is_outdated(&hash));
        assert!(is_outdated(&hash.replace("t=2", "t=1")));
    }
}
