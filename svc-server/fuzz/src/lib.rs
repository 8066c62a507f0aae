//! What strangers send, against every decoder of it.
//!
//! A target takes any bytes and panics if a decoder breaks a promise: it decodes to something that is not
//! encoded to the same, refuses without naming what is wrong, takes too much memory or work, or panics itself.
//!
//! `tests/targets.rs` plays the seeds, the inputs in `corpus/`, and mutations of both, in an ordinary build.
//! `.ci/run guided TARGET` lets libFuzzer look for inputs by what they reach.

mod configuration;
mod markdown;
mod mqtt;
pub mod mutation;
mod pictures;
mod requests;
mod schemas;
mod service_messages;
mod text;
mod values;
mod webhooks;
mod whole_server;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use peak_alloc::PeakAlloc;
use rustix::time::{ClockId, clock_gettime};
pub use whole_server::{ServerUse, successes};
use whole_server::{a2a, cursors, mcp, oauth, passkeys, stripe, uploads};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Most time on the processors for one input, which only a loop without an end or of a square needs: it is
/// a hundred times what the slowest inputs take.
const WORK_MAX: Duration = Duration::from_secs(20);

const MIB: usize = 1024 * 1024;

/// A decoder, and what is demanded of it.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the folder in `corpus/`.
    pub name: &'static str,
    /// Makes what the target needs, which counts for no input.
    prepare: fn(),
    /// Decodes the input and judges what came out.
    run: fn(&[u8]),
    /// Valid inputs, from which mutations begin.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Longest input; the rest of a longer one is ignored.
    input_max: usize,
    /// Most bytes of memory at once.
    memory_max: usize,
}

/// Every target.
pub const TARGETS: [Target; 16] = [
    Target::new("a2a", a2a::judge, a2a::seeds).of(8 * 1024, 32 * MIB).of_server(),
    Target::new("configuration", configuration::judge, configuration::seeds).of(8 * 1024, 16 * MIB),
    Target::new("cursors", cursors::judge, cursors::seeds).of(2 * 1024, 32 * MIB).of_server(),
    Target::new("markdown", markdown::judge, markdown::seeds).of(16 * 1024, 16 * MIB),
    Target::new("mcp", mcp::judge, mcp::seeds).of(8 * 1024, 32 * MIB).of_server(),
    Target::new("mqtt", mqtt::judge, mqtt::seeds).of(4 * 1024, MIB),
    Target::new("oauth", oauth::judge, oauth::seeds).of(4 * 1024, 32 * MIB).of_server(),
    Target::new("passkeys", passkeys::judge, passkeys::seeds).of(8 * 1024, 32 * MIB).of_server(),
    Target::new("pictures", pictures::judge, pictures::seeds).of(64 * 1024, 768 * MIB),
    Target::new("requests", requests::judge, requests::seeds).of(8 * 1024, 4 * MIB),
    Target::new("schemas", schemas::judge, schemas::seeds).of(8 * 1024, 128 * MIB),
    Target::new("service_messages", service_messages::judge, service_messages::seeds)
        .of(8 * 1024, 4 * MIB),
    Target::new("stripe", stripe::judge, stripe::seeds).of(4 * 1024, 32 * MIB).of_server(),
    Target::new("uploads", uploads::judge, uploads::seeds).of(16 * 1024, 768 * MIB).of_server(),
    Target::new("values", values::judge, values::seeds).of(2 * 1024, MIB),
    Target::new("webhooks", webhooks::judge, webhooks::seeds).of(8 * 1024, 4 * MIB),
];

impl Target {
    const fn new(name: &'static str, run: fn(&[u8]), seeds: fn() -> Vec<Vec<u8>>) -> Self {
        Self { name, prepare: || {}, run, seeds, input_max: 0, memory_max: 0 }
    }

    const fn of(self, input_max: usize, memory_max: usize) -> Self {
        Self { input_max, memory_max, ..self }
    }

    /// The same for what a whole server decodes.
    const fn of_server(self) -> Self {
        Self { prepare: whole_server::prepare, ..self }
    }

    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// The target that `SVC_FUZZ_TARGET` names.
    #[expect(clippy::disallowed_methods, reason = "libFuzzer takes the arguments")]
    pub fn of_environment() -> Self {
        static CHOSEN: LazyLock<Target> = LazyLock::new(|| {
            let name = std::env::var("SVC_FUZZ_TARGET").unwrap_or_default();
            Target::named(&name).expect("SVC_FUZZ_TARGET names a target")
        });
        *CHOSEN
    }

    /// Judges what the decoder makes of an input.
    pub fn judge(&self, input: &[u8]) {
        let input = &input[..input.len().min(self.input_max)];
        (self.prepare)();
        ALLOCATOR.reset_peak_usage();
        let (before, began) = (ALLOCATOR.current_usage(), work());
        (self.run)(input);
        let memory = ALLOCATOR.peak_usage().saturating_sub(before);
        let worked = work().saturating_sub(began);
        assert!(memory <= self.memory_max, "{memory} bytes of memory for {} bytes", input.len());
        assert!(worked <= WORK_MAX, "{worked:?} of work for {} bytes", input.len());
    }

    /// The seeds and the inputs that were kept.
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let kept =
            fs::read_dir(self.folder()).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut kept: Vec<PathBuf> = kept.collect();
        kept.sort();
        let kept = kept.iter().map(|path| fs::read(path).expect("an input can be read"));
        (self.seeds)().into_iter().chain(kept).collect()
    }

    /// The folder of the inputs that were kept.
    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }

    /// Writes the seeds as files for libFuzzer, if `SVC_FUZZ_SEEDS` names a folder for them.
    pub fn leave_seeds(&self) {
        let Some(folder) = std::env::var_os("SVC_FUZZ_SEEDS") else { return };
        for (number, seed) in (self.seeds)().iter().enumerate() {
            let path = Path::new(&folder).join(format!("seed-{number}"));
            fs::write(path, seed).expect("seeds can be written");
        }
    }
}

/// The time that this process has spent on processors.
fn work() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
}
