//! The `svc-server` program as an operator meets it: real processes, files, signals, faults.
//!
//! | module | what it covers |
//! |---|---|
//! | `setup` | wrong settings, keys and files, with which a server does not start |
//! | `deleted_texts` | deleted texts remain in no file |
//! | `settings` | where settings come from, and the commands that only print |
//! | `lifecycle` | how a server starts and ends |
//! | `operator` | commands of the operator: accounts, lists, and what is refused |
//! | `restore` | what a restore accepts, and what it leaves behind |
//! | `backups` | backups that are verified, once and by a schedule |
//! | `blobs` | files in a bucket |
//! | `moving` | a server moves from SQLite to PostgreSQL |
//! | `observability` | logs and metrics |
//! | `replicas` | standbys that answer reads, and wrong settings of them |
//! | `traces` | one trace through all that a request causes |
//! | `deals` | deals under `kill -9`, and the `audit` command |
//! | `cluster` | what a cluster survives, by `deploy/local-cluster` |
//! | `chain` | a chain with a token, a facilitator and payers of x402, among themselves |
//! | `deploy` | the files of `deploy/` |
//! | `kill` | `kill -9` under load loses nothing that was answered |
//! | `languages` | clients in other languages, generated from the document |
//! | `sdk_crashes` | bots in the languages of the SDKs under `kill -9` |
//! | `sdk_faults` | faults between a program and the platform, one table for all languages |
//! | `sdk_python` | the Python SDK: its package, its README, a bot under `kill -9` |
//! | `sdk_samples` | the code samples of the document, in the languages of the SDKs |
//! | `sdk_typescript` | the TypeScript SDK: its package, its README, a bot under `kill -9` |
//! | `stripe` | the client of Stripe and the stand-in for Stripe, judged by npm's `stripe` |
//! | `topups` | agents buy credits by x402 on a real chain, and on one that is played while the server dies |
//! | `webhooks` | `kill -9` loses no event for a webhook |
//! | `payments` | payments under `kill -9`, and the `reconcile` command |
//! | `payouts` | payouts under `kill -9` |
//! | `mqtt` | `kill -9` loses no live event for good |
//! | `cookbook` | the recipes of the cookbook in three languages |
//! | `disk` | a full disk and a failing one |
#![expect(clippy::unwrap_used, reason = "what these functions unwrap is what their tests assert")]

#[path = "../mqtt/aedes.rs"]
mod aedes;
mod backups;
mod blobs;
mod chain;
mod cluster;
#[path = "../api/collector.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod collector;
mod cookbook;
mod deals;
mod deleted_texts;
mod deploy;
mod disk;
#[path = "../api/chain.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod fake_chain;
mod kill;
mod languages;
mod lifecycle;
mod load;
mod mails;
mod moving;
mod mqtt;
mod observability;
mod operator;
mod payments;
mod payouts;
mod process;
#[path = "../api/receiver.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod receiver;
mod replicas;
mod restore;
#[path = "../api/s3.rs"]
#[expect(dead_code, reason = "these tests need only a part of it")]
mod s3;
mod sdk_crashes;
mod sdk_faults;
mod sdk_python;
mod sdk_samples;
mod sdk_typescript;
mod settings;
mod setup;
mod stripe;
mod topups;
mod traces;
mod versions;
mod webhooks;
