//! Settings: flag beats environment beats file beats default.

mod accounts;
mod api;
mod billing;
mod bus;
mod cors;
mod database;
mod exchange;
mod legal;
mod limits;
mod links;
mod load;
mod mail;
mod mqtt;
mod retention;
mod search;
mod show;
mod signup;
mod stop;
mod storage;
mod tiers;
mod trace;
mod webhooks;
mod x402;

pub use accounts::{Accounts, Oauth, PasswordRules, Security, SessionLife};
pub use api::{ApiSettings, Strictness};
pub use billing::{Billing, CreditSettings, PayoutSettings, StripeSettings};
pub use bus::{BusKind, BusSettings, NatsServers};
pub use cors::Cors;
pub use exchange::{Exchange, GrantCondition};
pub use legal::Legal;
pub use limits::{
    AccountLimits, AppLimits, Limits, MailLimits, PostLimits, Rate, ResetLimits, SignInLimits,
    SignUpLimits, UploadLimits,
};
pub use links::{GoogleLinks, Links, XLinks};
pub use load::setting_of;
pub use mail::{MailSettings, Relay, RelayTls};
pub use mqtt::{BrokerSettings, MqttLimits};
pub use retention::{Backup, Retention};
pub use search::SearchSettings;
pub use show::{holds_secret, show};
pub use signup::{Signup, SignupMode};
pub use stop::StopSettings;
pub use storage::{Bucket, S3Settings, StorageSettings};
pub use tiers::{PassSettings, ProSettings};
pub use trace::TraceSettings;
pub use webhooks::Webhooks;
pub use x402::X402Settings;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use svc_store::db::{DatabaseUrl, ReplicaSettings, Settings as DatabaseSettings};
use svc_store::error::SetupError;
use svc_types::Span;
use svc_types::api::links::LinkProvider;
use url::{Host, Url};

use self::database::DatabaseTuning;

/// The documented default of every setting.
pub const DEFAULT: &str = include_str!("../svc.default.toml");

/// Every setting of the server; `svc.default.toml` says what each means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Address of the API.
    #[serde(deserialize_with = "address")]
    pub listen: SocketAddr,
    /// Folder of the database.
    pub data_dir: PathBuf,
    database_url: String,
    public_url: String,
    /// Address of the metrics, if they are on.
    #[serde(deserialize_with = "address_or_off")]
    pub metrics_listen: Option<SocketAddr>,
    /// Address of the embedded MQTT broker, if it is on.
    #[serde(deserialize_with = "address_or_off")]
    pub mqtt_listen: Option<SocketAddr>,
    mqtt_tls_cert: String,
    mqtt_tls_key: String,
    /// Level or filter of the log.
    pub log: String,
    /// Readable logs and next steps.
    pub dev: bool,
    /// Proxies whose forwarding headers are trusted.
    #[serde(deserialize_with = "addresses")]
    pub trusted_proxies: Vec<IpAddr>,
    database: DatabaseTuning,
    /// Bounds on requests.
    pub limits: Limits,
    /// How long things are kept.
    pub retention: Retention,
    /// Deleted accounts.
    pub accounts: Accounts,
    /// Passwords that people choose.
    pub passwords: PasswordRules,
    /// Backups, and what they must not bring back.
    pub backup: Backup,
    /// Where files are kept.
    pub storage: StorageSettings,
    /// How requests are read.
    pub api: ApiSettings,
    /// Pages of other origins that may call the API.
    pub cors: Cors,
    /// Who may sign up.
    pub signup: Signup,
    /// Reports of vulnerabilities.
    pub security: Security,
    /// What the operator must publish.
    pub legal: Legal,
    /// Credits and deals.
    pub exchange: Exchange,
    /// Real money.
    pub billing: Billing,
    /// What credits cost.
    pub credits: CreditSettings,
    /// What the tier pro costs.
    pub pro: ProSettings,
    /// What passes cost.
    pub passes: PassSettings,
    /// Credits that are paid with tokens.
    pub x402: X402Settings,
    /// Credits that are paid out.
    pub payouts: PayoutSettings,
    /// How services are found.
    pub search: SearchSettings,
    /// The mail server.
    pub mail: MailSettings,
    /// Calls of webhooks.
    pub webhooks: Webhooks,
    /// Programs that act for accounts.
    pub oauth: Oauth,
    /// Services whose accounts can be linked.
    pub links: Links,
    /// How long a sign-in lasts.
    pub session: SessionLife,
    /// The external broker.
    pub broker: BrokerSettings,
    /// Hints between nodes.
    pub bus: BusSettings,
    /// The end of the server.
    pub stop: StopSettings,
    /// Which requests are recorded.
    pub trace: TraceSettings,
}

/// Settings from flags and environment variables: pairs of a dotted key and its text.
pub type Overrides = Vec<(String, String)>;

impl Config {
    /// The settings in force.
    pub fn load(file: Option<&Path>, overrides: &Overrides) -> Result<Self, SetupError> {
        let config = load::load(file, overrides)?;
        config.check()?;
        Ok(config)
    }

    /// Whether credits can be bought: by card or with tokens.
    pub const fn sells_credits(&self) -> bool {
        self.billing.is_on() || self.x402.is_on()
    }

    /// Why no account gets the sign-up grant, if none can meet its condition.
    pub fn unmet_grant(&self) -> Option<&'static str> {
        let has_provider = [LinkProvider::Google, LinkProvider::X]
            .iter()
            .any(|provider| self.links.client(provider).is_some());
        match self.exchange.grant_requires.filter(|_| self.exchange.signup_grant.micros() > 0) {
            Some(GrantCondition::Approval) if self.signup.mode != SignupMode::Approval => Some(
                "exchange.grant_requires is approval, but accounts need none: no new account gets \
                 exchange.signup_grant without signup.mode = \"approval\"",
            ),
            Some(GrantCondition::Linked) if !has_provider => Some(
                "exchange.grant_requires is linked, but no account can be linked: none gets \
                 exchange.signup_grant without links.google.client_id or links.x.client_id",
            ),
            _ => None,
        }
    }

    /// Why links lead nowhere, if they begin with the address that stands for all addresses of this machine.
    pub fn useless_links(&self) -> Option<&'static str> {
        (!self.has_public_url() && self.listen.ip().is_unspecified()).then_some(
            "public_url is not set, so links, including those in mails, begin with the address of listen, which \
             leads nowhere from other machines",
        )
    }

    /// Checks what the types can't express.
    fn check(&self) -> Result<(), SetupError> {
        self.limits.check()?;
        self.retention.check()?;
        self.database()?;
        self.replicas()?;
        self.storage.check()?;
        self.exchange.check()?;
        self.billing.check(&self.credits)?;
        self.pro.check(&self.billing)?;
        self.passes.check()?;
        self.payouts.check(&self.billing, &self.credits)?;
        self.x402.check(self)?;
        self.search.check()?;
        self.signup.check()?;
        self.mail.check()?;
        self.webhooks.check()?;
        self.links.check()?;
        self.security.check()?;
        self.legal.check()?;
        self.cors.check()?;
        if self.data_dir.as_os_str().is_empty() {
            return Err(SetupError::new("data_dir must name a folder, such as svc-data"));
        }
        self.check_public_url()?;
        self.broker.external()?;
        self.bus()?;
        self.stop_delay()?;
        self.trace.check()?;
        if self.mqtt_tls_cert.is_empty() != self.mqtt_tls_key.is_empty() {
            return Err(SetupError::new("mqtt_tls_cert and mqtt_tls_key belong together"));
        }
        self.database_url().map(|_| ())
    }

    /// Pages, cookies and passkeys are made for the root of a host.
    fn check_public_url(&self) -> Result<(), SetupError> {
        if self.public_url.is_empty() {
            return Ok(());
        }
        let mut schemes = ["http://", "https://"].iter();
        let Some(host) = schemes.find_map(|scheme| self.public_url.strip_prefix(scheme)) else {
            return Err(SetupError::new("public_url must begin with http:// or https://"));
        };
        let host = host.trim_end_matches('/');
        if host.is_empty() || host.contains(['/', '\\', '?', '#']) {
            return Err(SetupError::new(
                "public_url must end with a host or its port, such as https://svc.example.org: \
                 the server needs a host of its own, and can't be below a path",
            ));
        }
        // Links would show a password, and without a host, requests for other hosts could not be refused.
        let is_bare = !host.contains(|c: char| c == '@' || c.is_whitespace());
        if is_bare && Url::parse(&self.public_url).is_ok() {
            return Ok(());
        }
        Err(SetupError::new(
            "public_url must be a URL of a host and perhaps its port, without user or spaces, such as \
             https://svc.example.org",
        ))
    }

    /// The engine and location of the database.
    pub fn database_url(&self) -> Result<DatabaseUrl, SetupError> {
        if self.database_url.is_empty() {
            return Ok(DatabaseUrl::Sqlite(self.data_dir.join("svc.db")));
        }
        self.database_url.parse().map_err(|error| SetupError::new(format!("database_url: {error}")))
    }

    /// How nodes give each other hints.
    pub fn bus(&self) -> Result<BusKind, SetupError> {
        self.bus.kind(&self.database_url()?)
    }

    /// How long a server that stops says that it is not ready before it accepts no more connections.
    pub fn stop_delay(&self) -> Result<Duration, SetupError> {
        self.stop.delay(&self.database_url()?)
    }

    /// The file in which erased accounts are noted.
    pub fn erasures(&self) -> PathBuf {
        if self.backup.erasures.is_empty() {
            self.data_dir.join("erasures.log")
        } else {
            PathBuf::from(&self.backup.erasures)
        }
    }

    /// The settings of the database.
    pub fn database(&self) -> Result<DatabaseSettings, SetupError> {
        self.database.settings(self.database_url()?, self.bus()?)
    }

    /// The standbys that answer reads of a server. Commands use none.
    pub fn replicas(&self) -> Result<ReplicaSettings, SetupError> {
        self.database.replicas(&self.database_url()?)
    }

    /// Base URL of links, without a trailing slash, for a server that listens at `address`.
    pub fn public_url(&self, address: SocketAddr) -> String {
        if self.public_url.is_empty() {
            format!("http://{address}")
        } else {
            self.public_url.trim_end_matches('/').to_owned()
        }
    }

    /// The certificate and key files of the MQTT broker, if TLS is on.
    pub fn mqtt_tls(&self) -> Option<(PathBuf, PathBuf)> {
        let files = (PathBuf::from(&self.mqtt_tls_cert), PathBuf::from(&self.mqtt_tls_key));
        Some(files).filter(|_| !self.mqtt_tls_cert.is_empty())
    }

    /// Whether `public_url` is set rather than derived from the address.
    pub const fn has_public_url(&self) -> bool {
        !self.public_url.is_empty()
    }

    /// Whether people reach the server over https, so that cookies are Secure.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// Whether a URL leads to this machine.
fn is_on_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn span<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    duration(&String::deserialize(deserializer)?)
}

/// A duration of a setting.
fn duration<E: serde::de::Error>(text: &str) -> Result<Duration, E> {
    let rule = "must be a duration of at least 1s in one unit s, m, h or d, with at most six digits, \
                such as 7d";
    text.parse().map(Span::duration).map_err(|_| E::custom(rule))
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| {
        serde::de::Error::custom("must be an IP address with a port, such as 127.0.0.1:8787")
    })
}

fn addresses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpAddr>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: String| {
        text.parse::<IpAddr>().map(|address| address.to_canonical()).map_err(|_| {
            serde::de::Error::custom(
                "must be IP addresses, not names or networks, such as 10.0.0.2",
            )
        })
    };
    texts.into_iter().map(read).collect()
}

fn address_or_off<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<SocketAddr>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text == "off" {
        return Ok(None);
    }
    text.parse()
        .map(Some)
        .map_err(|_| serde::de::Error::custom("must be an address such as 127.0.0.1:9090, or off"))
}

#[cfg(test)]
mod tests;
