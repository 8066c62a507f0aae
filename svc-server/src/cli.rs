//! Flags and subcommands.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Arg, Args, CommandFactory, Parser, Subcommand};
use svc_core::config::{self, Overrides};
use svc_store::db::DatabaseUrl;
use svc_store::error::SetupError;
use svc_types::Span;

use crate::admin;

/// The reference server of the svc platform. Without a command it serves.
#[derive(Clone, Debug, Parser)]
#[command(name = "svc-server", version, about)]
pub struct Cli {
    /// Settings.
    #[command(flatten)]
    pub flags: Flags,
    /// With --dev, fill an empty database with sample data, whose services answer orders.
    #[arg(long, env = "SVC_DEMO", global = true, value_parser = switch)]
    pub demo: bool,
    /// The command.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Settings that the command line gives.
    pub fn overrides(&self) -> Overrides {
        let mut given = self.flags.overrides();
        if let Some(Command::Migrate { to: Some(url), .. }) = &self.command {
            given.push(("database_url".to_owned(), url.clone()));
        }
        given
    }
}

/// Settings with a flag and a variable. The others are set in the file or with `--set`.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Flags {
    /// Address of the API; port 0 picks a free one.
    #[arg(long, env = "SVC_LISTEN", global = true, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Address of the MQTT broker; port 0 picks a free one.
    #[arg(long, env = "SVC_MQTT_LISTEN", global = true, value_name = "ADDRESS|off")]
    mqtt_listen: Option<String>,
    /// Certificate of the MQTT broker, a PEM file; with its key it speaks TLS.
    #[arg(long, env = "SVC_MQTT_TLS_CERT", global = true, value_name = "FILE")]
    mqtt_tls_cert: Option<String>,
    /// Key of that certificate.
    #[arg(long, env = "SVC_MQTT_TLS_KEY", global = true, value_name = "FILE")]
    mqtt_tls_key: Option<String>,
    /// `embedded`, or `mqtt://user:password@host:port` of another broker; `mqtts://` with TLS.
    #[arg(long, env = "SVC_BROKER", global = true, hide_env_values = true, value_name = "URL")]
    broker: Option<String>,
    /// Folder of the data, created with mode 0700.
    #[arg(long, env = "SVC_DATA_DIR", global = true, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// `sqlite:FILE` or `postgres://…`; by default SQLite in the data folder.
    #[arg(
        long,
        env = "SVC_DATABASE_URL",
        global = true,
        hide_env_values = true,
        value_name = "URL"
    )]
    database_url: Option<String>,
    /// Base of links; https makes cookies Secure.
    #[arg(long, env = "SVC_PUBLIC_URL", global = true, value_name = "URL")]
    public_url: Option<String>,
    /// Address of Prometheus metrics at /metrics.
    #[arg(long, env = "SVC_METRICS_LISTEN", global = true, value_name = "ADDRESS|off")]
    metrics_listen: Option<String>,
    /// Level or filter of the log.
    #[arg(long, env = "SVC_LOG", global = true, value_name = "FILTER")]
    log: Option<String>,
    /// Let webhooks call this machine, with or without TLS.
    #[arg(
        long,
        env = "SVC_ALLOW_LOOPBACK_WEBHOOKS",
        global = true,
        value_parser = switch
    )]
    allow_loopback_webhooks: bool,
    /// For development: readable logs, no budgets, 100 credits for each new account, and webhooks that may
    /// call this machine.
    #[arg(long, env = "SVC_DEV", global = true, value_parser = switch)]
    dev: bool,
    /// File with settings (TOML).
    #[arg(long, env = "SVC_CONFIG", global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Any setting, such as `limits.posts.free_window=1s`; repeatable.
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// Print `{"http":"ADDRESS","mqtt":"ADDRESS"}` as the only line on stdout, once connections are
    /// accepted.
    #[arg(long, global = true)]
    pub print_addresses: bool,
}

impl Flags {
    /// The given flags by configuration key; `--set` comes last and wins.
    pub fn overrides(&self) -> Overrides {
        let flags = [
            ("listen", &self.listen),
            ("data_dir", &self.data_dir),
            ("database_url", &self.database_url),
            ("public_url", &self.public_url),
            ("metrics_listen", &self.metrics_listen),
            ("mqtt_listen", &self.mqtt_listen),
            ("mqtt_tls_cert", &self.mqtt_tls_cert),
            ("mqtt_tls_key", &self.mqtt_tls_key),
            ("broker.url", &self.broker),
            ("log", &self.log),
        ];
        let given =
            flags.into_iter().filter_map(|(key, text)| Some((key.to_owned(), text.clone()?)));
        let loopback = self.allow_loopback_webhooks;
        let switches = [
            ("webhooks.allow_loopback", "SVC_ALLOW_LOOPBACK_WEBHOOKS", loopback),
            ("dev", "SVC_DEV", self.dev),
        ];
        // A variable that says no beats the file.
        let decided = switches.into_iter().filter(|(_, name, is_on)| *is_on || is_set(name));
        let decided = decided.map(|(key, _, is_on)| (key.to_owned(), is_on.to_string()));
        given.chain(decided).chain(self.set.clone()).collect()
    }
}

/// Whether a variable has a value.
fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Whether a switch is on. A variable without a value leaves it off.
fn switch(text: &str) -> Result<bool, String> {
    match text.to_lowercase().as_str() {
        "y" | "yes" | "t" | "true" | "on" | "1" => Ok(true),
        "" | "n" | "no" | "f" | "false" | "off" | "0" => Ok(false),
        _ => Err("it must be true or false".to_owned()),
    }
}

/// Refuses a variable that is named like a setting which has none: an operator would think that it counts.
pub fn refuse_ignored_variables() -> Result<(), SetupError> {
    let command = Cli::command();
    let read: Vec<&OsStr> = command.get_arguments().filter_map(Arg::get_env).collect();
    for (name, value) in env::vars_os() {
        if value.is_empty() || read.contains(&name.as_os_str()) {
            continue;
        }
        if let Some(setting) = name.to_str().and_then(config::setting_of) {
            return Err(SetupError::new(format!(
                "{} is not read: give {setting} in the file of --config, or by --set {setting}=…",
                name.display()
            )));
        }
    }
    Ok(())
}

/// Prints a text. A reader that stops early, such as `head`, is not an error.
pub fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("must be KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// A command of the program.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Serve the API (the default).
    Serve,
    /// Change accounts as the operator; works while a server runs.
    Admin {
        /// Answer as JSON.
        #[arg(long, global = true)]
        json: bool,
        /// What to change.
        #[command(subcommand)]
        command: admin::Command,
    },
    /// Check the consistency of the ledger, all deals and all counts; works while a server runs.
    ///
    /// Exits with 0 when everything is consistent, 1 when it is not, 2 when the check failed, 78 when settings are
    /// wrong or there is no database.
    Audit {
        /// First set wrong counts, such as those of followers, likes and unread messages, to what is stored, and list
        /// them. Credits and deals stay as they are.
        #[arg(long)]
        repair_counts: bool,
        /// Answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Compare Stripe's books with ours: payments, refunds, disputes; works while a server runs.
    ///
    /// Exits with 0 when both agree, 1 when they differ, 2 when the comparison failed, 78 when settings are wrong or
    /// there is no database.
    Reconcile {
        /// Compare what was made within this time, such as 12h or 30d.
        #[arg(long, value_name = "DURATION", default_value = "30d")]
        since: Span,
        /// Let the server look again at what it has missed.
        #[arg(long)]
        fix: bool,
        /// Answer as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Manage webhooks as the operator; works while a server runs.
    Webhooks {
        /// What to do.
        #[command(subcommand)]
        command: WebhooksCommand,
    },
    /// Manage the files of accounts; works while a server runs.
    Blobs {
        /// What to do.
        #[command(subcommand)]
        command: BlobsCommand,
    },
    /// Write a consistent copy of the data to a new file; works while a server runs.
    ///
    /// With --to, each copy is restored aside and audited, and gets its name, svc-TIME.tar, only if the
    /// audit holds. With --every as well, this goes on until the program is stopped.
    #[command(subcommand_negates_reqs = true, disable_help_subcommand = true)]
    Backup(BackupArgs),
    /// Put a backup into an empty data folder, and erase accounts again that were erased since.
    Restore {
        /// The archive to read, a file or `s3://BUCKET/PREFIX/NAME`.
        file: PathBuf,
        /// Restore although there is no log of erased accounts: none was erased since the backup.
        #[arg(long)]
        without_erasures: bool,
    },
    /// Run database migrations and stop; `serve` runs them too. Or move a server to PostgreSQL.
    ///
    /// The server of a SQLite file must have stopped.
    ///
    /// A move copies everything from a SQLite file, whose server has stopped, to an empty database,
    /// compares both, and audits the copy. Then the file is refused from now on. A move that ended
    /// early can be repeated; what it copied is gone.
    Migrate {
        /// Move what is in this file, such as sqlite:data/svc.db.
        #[arg(long, value_name = "URL")]
        from: Option<DatabaseUrl>,
        /// The database to move to, instead of `database_url`.
        #[arg(long, value_name = "URL", requires = "from")]
        to: Option<String>,
    },
    /// Print the effective settings, with redacted secrets.
    Config {
        /// Print the defaults with their explanations instead.
        #[arg(long)]
        default: bool,
    },
    /// Print the OpenAPI document.
    Openapi,
    /// Print the AsyncAPI document: events by MQTT and webhooks.
    Asyncapi,
}

/// What `backup` does: one copy, verified copies by a schedule, or the verification of one.
#[derive(Clone, Debug, Args)]
pub struct BackupArgs {
    /// The archive to write.
    #[arg(required_unless_present_any = ["to", "every", "keep", "aside"], conflicts_with = "to")]
    pub file: Option<PathBuf>,
    /// Where verified archives are kept; `storage.s3` says how a bucket is reached.
    #[arg(long, value_name = "FOLDER|s3://BUCKET/PREFIX")]
    pub to: Option<PathBuf>,
    /// Time between two backups, such as 15m, from 1m; without it there is one.
    #[arg(long, value_name = "DURATION", requires = "to", conflicts_with = "file")]
    pub every: Option<Span>,
    /// Age from which archives there are deleted; by default a day less than `backup.horizon`, so 34d.
    #[arg(long, value_name = "DURATION", requires = "to", conflicts_with = "file")]
    pub keep: Option<Span>,
    /// Where each is restored to be verified, in a private folder that is gone afterwards; by default
    /// the data folder.
    #[arg(long, value_name = "FOLDER", requires = "to", conflicts_with = "file")]
    pub aside: Option<PathBuf>,
    /// What else to do.
    #[command(subcommand)]
    pub command: Option<BackupCommand>,
}

/// An operator command on archives.
#[derive(Clone, Debug, Subcommand)]
pub enum BackupCommand {
    /// Restore an archive aside, audit it, and say what it holds; nothing of that stays.
    ///
    /// Exits with 0 when a server could go on from it, 1 when not, 78 when its keys are missing.
    Verify {
        /// The archive, a file or `s3://BUCKET/PREFIX/NAME`.
        file: PathBuf,
        /// Where it is restored, in a private folder that is gone afterwards; by default the data
        /// folder, or that for temporary files where there is none.
        #[arg(long, value_name = "FOLDER")]
        aside: Option<PathBuf>,
    },
}

/// An operator command on webhooks.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum WebhooksCommand {
    /// Encrypt all secrets with the first of `exchange.sealing_keys`, so that older keys can be
    /// removed. Servers that run must have been started with that key first.
    Reseal {
        /// Discard secrets whose key is lost, so that the server can start again.
        #[arg(long)]
        lost: bool,
    },
}

/// An operator command on files.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum BlobsCommand {
    /// Move avatars and images of posts to where new ones go by `storage.blobs`. A move that ended early goes on when
    /// it is repeated.
    Move,
}
