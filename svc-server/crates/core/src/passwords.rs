//! Hashing of passwords, on threads of its own so that sign-ins slow nobody.

use std::num::NonZero;
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use crossbeam_channel::{Sender, TrySendError, bounded};
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use tokio::sync::oneshot;

/// Memory in KiB, passes and lanes: the setting OWASP recommends.
const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Sign-ins that may wait; at some 30 ms each the last waits for two seconds.
const QUEUE_MAX: usize = 64;

/// A queue in front of the hashing threads.
#[derive(Debug)]
pub struct Passwords {
    queue: Sender<Work>,
}

type Work = Box<dyn FnOnce(&Argon2<'static>) + Send>;

impl Passwords {
    /// Starts as many threads as there are cores but one, at least one.
    pub fn start() -> Self {
        let (queue, work) = bounded::<Work>(QUEUE_MAX);
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        for number in 0..cores.saturating_sub(1).max(1) {
            let work = work.clone();
            let run = move || {
                step_back();
                let argon2 = argon2();
                work.iter().for_each(|job| job(&argon2));
            };
            let name = format!("passwords-{number}");
            thread::Builder::new().name(name).spawn(run).expect("a thread can be started");
        }
        Self { queue }
    }

    /// Hashes a password, as a PHC string.
    pub async fn hash(&self, password: String) -> Result<String> {
        let hash = move |argon2: &Argon2<'static>| {
            argon2.hash_password(password.as_bytes()).map(|hash| hash.to_string())
        };
        self.run(hash).await?.map_err(|error| Error::internal(error.to_string()))
    }

    /// Whether a password belongs to a hash; without a hash it takes as long and is false.
    pub async fn verify(&self, password: String, hash: Option<String>) -> Result<bool> {
        self.run(move |argon2| match hash.as_deref().map(PasswordHash::new) {
            Some(Ok(hash)) => argon2.verify_password(password.as_bytes(), &hash).is_ok(),
            Some(Err(_)) => false,
            None => {
                // An unknown name must not answer quicker than a wrong password.
                let _ = argon2.hash_password(password.as_bytes());
                false
            }
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Argon2<'static>) -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, result) = oneshot::channel();
        let work: Work = Box::new(move |argon2| {
            // The caller may have gone.
            let _ = answer.send(job(argon2));
        });
        match self.queue.try_send(work) {
            Ok(()) => result.await.map_err(Error::internal),
            Err(TrySendError::Full(_)) => {
                let full = Refusal::new(Code::Overloaded, "too many sign-ins at once");
                Err(full.retry_after(2).into())
            }
            Err(TrySendError::Disconnected(_)) => Err(Error::internal("no hashing thread is left")),
        }
    }
}

/// Whether a hash was made with other parameters than today's.
pub fn is_outdated(hash: &str) -> bool {
    let wanted = format!("$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$");
    !hash.starts_with(&wanted)
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).expect("the parameters are in range");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Lets every other thread go first: a sign-in may wait, a request should not.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19) {
        tracing::debug!(%error, "hashing runs at normal priority");
    }
}
