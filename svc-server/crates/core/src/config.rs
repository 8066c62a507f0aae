//! Settings: flag beats environment beats file beats default.

mod accounts;
mod api;
mod billing;
mod bus;
mod cors;
mod database;
mod exchange;
mod limits;
mod links;
mod mail;
mod mqtt;
mod retention;
mod search;
mod signup;
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
pub use limits::{
    AccountLimits, AppLimits, Limits, MailLimits, PostLimits, Rate, ResetLimits, SignInLimits,
    SignUpLimits, UploadLimits,
};
pub use links::{GoogleLinks, Links, XLinks};
pub use mail::{MailSettings, Relay, RelayTls};
pub use mqtt::{BrokerSettings, MqttLimits};
pub use retention::{Backup, Retention};
pub use search::SearchSettings;
pub use signup::{Signup, SignupMode};
pub use storage::{Bucket, S3Settings, StorageSettings};
pub use tiers::{PassSettings, ProSettings};
pub use trace::TraceSettings;
pub use webhooks::Webhooks;
pub use x402::X402Settings;

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use svc_store::db::{DatabaseUrl, Settings as DatabaseSettings};
use svc_store::error::SetupError;
use svc_types::Span;
use svc_types::api::escrow::DisputeOutcome;
use toml::{Table, Value};

use self::database::DatabaseTuning;

/// The documented default of every setting.
pub const DEFAULT: &str = include_str!("../svc.default.toml");

/// Defaults that differ with `dev`: a public server must not give credits away, and one for
/// development should not limit its user.
const DEV: [(&str, &str); 3] = [
    ("exchange.signup_grant", "100"),
    ("exchange.grant_requires", "nothing"),
    ("limits.budgets", "false"),
];

/// Every setting of the server; `svc.default.toml` says what each means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Address of the API.
    pub listen: SocketAddr,
    /// Folder of the database.
    pub data_dir: PathBuf,
    database_url: String,
    public_url: String,
    #[serde(deserialize_with = "address_or_off")]
    /// Address of the metrics, if they are on.
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

/// How the server ends.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSettings {
    delay: String,
}

/// Time for load balancers to see that a node stops.
const STOP_DELAY: Duration = Duration::from_secs(5);
const STOP_DELAY_MAX: Duration = Duration::from_mins(1);

/// Settings from flags and environment variables: pairs of a dotted key and its text.
pub type Overrides = Vec<(String, String)>;

impl Config {
    /// The settings in force.
    pub fn load(file: Option<&Path>, overrides: &Overrides) -> Result<Self, SetupError> {
        let table = merged(file, overrides)?;
        let config = Self::deserialize(Value::Table(table)).map_err(|error| from_toml(&error))?;
        config.check()?;
        Ok(config)
    }

    /// Whether credits can be bought: by card or with tokens.
    pub const fn sells_credits(&self) -> bool {
        self.billing.is_on() || self.x402.is_on()
    }

    /// Checks what the types can't express.
    fn check(&self) -> Result<(), SetupError> {
        if self.retention.idempotency < Duration::from_hours(24) {
            return Err(SetupError::new("retention.idempotency must be at least 24h".to_owned()));
        }
        if self.retention.notifications < self.retention.events {
            let message = "retention.notifications must be at least retention.events";
            return Err(SetupError::new(message.to_owned()));
        }
        self.database()?;
        let outcome = &self.exchange.dispute_timeout_outcome;
        if !matches!(outcome, DisputeOutcome::Release | DisputeOutcome::Refund) {
            return Err(SetupError::new(
                "exchange.dispute_timeout_outcome must be release or refund".to_owned(),
            ));
        }
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
        self.cors.check()?;
        if !self.public_url.is_empty() && !self.public_url.starts_with("http") {
            return Err(SetupError::new(
                "public_url must begin with http:// or https://".to_owned(),
            ));
        }
        self.broker.external()?;
        self.bus()?;
        self.stop_delay()?;
        self.trace.check()?;
        if self.mqtt_tls_cert.is_empty() != self.mqtt_tls_key.is_empty() {
            return Err(SetupError::new(
                "mqtt_tls_cert and mqtt_tls_key belong together".to_owned(),
            ));
        }
        self.database_url().map(|_| ())
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
        let delay = match &*self.stop.delay {
            "" if matches!(self.database_url()?, DatabaseUrl::Postgres(_)) => Some(STOP_DELAY),
            // A span is never empty.
            "" | "0s" => Some(Duration::ZERO),
            delay => delay.parse().map(Span::duration).ok().filter(|it| *it <= STOP_DELAY_MAX),
        };
        delay.ok_or_else(|| SetupError::new("stop.delay must be from 0s to 60s".to_owned()))
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

/// Settings whose whole value is secret.
const SECRETS: [&str; 3] = ["sealing_keys", "internal_secret", "client_secret"];

/// Settings with an `@` that hold no secret.
const SHOWN: [&str; 1] = ["from"];

/// The settings in force as TOML, with secrets blanked.
pub fn show(file: Option<&Path>, overrides: &Overrides) -> Result<String, SetupError> {
    Config::load(file, overrides)?;
    let mut table = merged(file, overrides)?;
    blank_all(&mut table);
    toml::to_string(&table).map_err(|error| SetupError::new(error.to_string()))
}

fn blank_all(table: &mut Table) {
    for (key, value) in table {
        if !SHOWN.contains(&key.as_str()) {
            blank(SECRETS.contains(&key.as_str()), value);
        }
    }
}

/// Redacts a secret, and every URL that may contain one: credentials before an `@`, and the
/// parameters of a database URL.
fn blank(is_secret: bool, value: &mut Value) {
    match value {
        Value::Table(table) => blank_all(table),
        Value::Array(values) => values.iter_mut().for_each(|value| blank(is_secret, value)),
        Value::String(text) if is_secret || text.contains('@') || text.starts_with("postgres") => {
            "[redacted]".clone_into(text);
        }
        _ => {}
    }
}

/// Defaults, then the file, then the overrides.
fn merged(file: Option<&Path>, overrides: &Overrides) -> Result<Table, SetupError> {
    let table = layered(&[], file, overrides)?;
    let is_dev = table.get("dev").and_then(Value::as_bool) == Some(true);
    if is_dev { layered(&DEV, file, overrides) } else { Ok(table) }
}

/// The documented defaults, then `defaults`, then the file, then the overrides.
fn layered(
    defaults: &[(&str, &str)],
    file: Option<&Path>,
    overrides: &Overrides,
) -> Result<Table, SetupError> {
    let mut table: Table = DEFAULT.parse().expect("svc.default.toml is TOML; tests load it");
    for (key, text) in defaults {
        set(&mut table, key, text)?;
    }
    if let Some(path) = file {
        let place = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SetupError::new(format!("can't read {place}: {error}")))?;
        let given: Table =
            text.parse().map_err(|error| SetupError::new(format!("{place}: {error}")))?;
        merge(&mut table, given, "")
            .map_err(|error| SetupError::new(format!("{place}: {error}")))?;
    }
    for (key, text) in overrides {
        set(&mut table, key, text)?;
    }
    Ok(table)
}

/// Merges the given settings into the known ones.
fn merge(known: &mut Table, given: Table, path: &str) -> Result<(), SetupError> {
    for (key, value) in given {
        let name = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let hint = nearest(known, &key);
        match (known.get_mut(&key), value) {
            (None, _) => return Err(SetupError::new(format!("unknown setting {name}{hint}"))),
            (Some(Value::Table(below)), Value::Table(given)) => merge(below, given, &name)?,
            (Some(slot), value) if slot.same_type(&value) => *slot = value,
            (Some(slot @ Value::Float(_)), Value::Integer(whole)) => {
                *slot = number(&whole.to_string()).unwrap_or(Value::Integer(whole));
            }
            (Some(slot), _) => {
                return Err(SetupError::new(format!("{name} must be {}", expected(slot))));
            }
        }
    }
    Ok(())
}

/// Sets one key from text, read as the type its default has.
fn set(table: &mut Table, key: &str, text: &str) -> Result<(), SetupError> {
    let (parents, leaf) = key.rsplit_once('.').unwrap_or(("", key));
    let mut inner = table;
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        let hint = nearest(inner, parent);
        inner = match inner.get_mut(parent) {
            Some(Value::Table(below)) => below,
            _ => return Err(SetupError::new(format!("unknown setting {key}{hint}"))),
        };
    }
    let hint = nearest(inner, leaf);
    let slot = inner
        .get_mut(leaf)
        .ok_or_else(|| SetupError::new(format!("unknown setting {key}{hint}")))?;
    let value = match slot {
        Value::String(_) => Some(Value::String(text.to_owned())),
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Float(_) => number(text),
        Value::Boolean(_) => text.parse().ok().map(Value::Boolean),
        Value::Array(_) => {
            let items = text.split(',').filter(|item| !item.is_empty());
            Some(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
        }
        _ => None,
    };
    *slot = value
        .ok_or_else(|| SetupError::new(format!("{key} must be {}, not {text}", expected(slot))))?;
    Ok(())
}

/// A number that may have a fraction.
fn number(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Float)
}

/// What a setting must be, by its default.
fn expected(default: &Value) -> String {
    match default {
        Value::Float(_) => "a number".to_owned(),
        Value::Integer(_) | Value::Array(_) => format!("an {}", default.type_str()),
        _ => format!("a {}", default.type_str()),
    }
}

/// `, did you mean …` with the most similar known key.
fn nearest(known: &Table, key: &str) -> String {
    known
        .keys()
        .map(|name| (strsim::jaro_winkler(name, key), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!(", did you mean {name}?"))
        .unwrap_or_default()
}

fn span<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Span::deserialize(deserializer).map(Span::duration)
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

fn from_toml(error: &toml::de::Error) -> SetupError {
    SetupError::new(error.to_string().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(overrides: &[(&str, &str)]) -> Result<Config, SetupError> {
        let owned = overrides.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        Config::load(None, &owned.collect())
    }

    #[test]
    fn the_defaults_are_valid() {
        let config = load(&[]).unwrap();
        assert_eq!(config.limits.posts.free_window, Duration::from_mins(30));
        assert_eq!(config.limits.posts.pro_window, Duration::from_mins(10));
    }

    #[test]
    fn dev_gives_credits_and_lifts_budgets_by_default() {
        let of = |overrides: &[(&str, &str)]| {
            let config = load(overrides).unwrap();
            (config.exchange.signup_grant.to_string(), config.limits.budgets)
        };
        assert_eq!(of(&[]), ("0".to_owned(), true));
        assert_eq!(of(&[("dev", "true")]), ("100".to_owned(), false));
        let strict = [("limits.budgets", "true"), ("exchange.signup_grant", "5"), ("dev", "true")];
        assert_eq!(of(&strict), ("5".to_owned(), true));
    }

    #[test]
    fn a_grant_needs_a_condition_in_writing() {
        let grant = ("exchange.signup_grant", "5");
        let error = load(&[grant]).unwrap_err().to_string();
        assert!(error.contains("exchange.grant_requires"), "{error}");
        for condition in ["linked", "invite", "approval", "nothing"] {
            load(&[grant, ("exchange.grant_requires", condition)]).unwrap();
        }
        let error = load(&[("exchange.grant_requires", "luck")]).unwrap_err().to_string();
        assert!(error.contains("linked, invite, approval or nothing"), "{error}");
    }

    #[test]
    fn the_mode_of_sign_up_and_the_cost_of_a_proof_are_checked() {
        for mode in ["open", "invite", "approval", "closed"] {
            load(&[("signup.mode", mode)]).unwrap();
        }
        let error = load(&[("signup.mode", "ajar")]).unwrap_err().to_string();
        assert!(error.contains("ajar") && error.contains("approval"), "{error}");
        let error = load(&[("signup.proof_cost", "0")]).unwrap_err().to_string();
        assert_eq!(error, "signup.proof_cost must be from 1 to 200000");
    }

    #[test]
    fn strictness_is_one_of_two_words() {
        assert_eq!(load(&[]).unwrap().api.strict, Strictness::Declared);
        assert_eq!(load(&[("api.strict", "all")]).unwrap().api.strict, Strictness::All);
        let error = load(&[("api.strict", "most")]).unwrap_err().to_string();
        assert!(error.contains("most") && error.contains("`declared` or `all`"), "{error}");
    }

    #[test]
    fn an_origin_is_written_as_browsers_send_it() {
        for origins in ["", "*", "https://app.example.org,http://localhost:5173"] {
            load(&[("cors.origins", origins)]).unwrap();
        }
        for (wrong, right) in [
            ("https://app.example.org/", "such as https://app.example.org"),
            ("https://App.example.org", "such as https://app.example.org"),
            ("https://app.example.org:443", "such as https://app.example.org"),
            ("https://app.example.org/login?next=1", "such as https://app.example.org"),
            ("app.example.org", "such as https://"),
            ("ftp://app.example.org", "such as https://"),
            ("null", "such as https://"),
            ("https://user@app.example.org", "such as https://"),
            ("*,https://app.example.org", "\"*\" stands alone"),
        ] {
            let error = load(&[("cors.origins", wrong)]).unwrap_err().to_string();
            assert!(error.starts_with("cors.origins") && error.contains(right), "{error}");
        }
    }

    #[test]
    fn a_fraction_is_set_from_text_with_or_without_a_point() {
        for (text, expected) in [("0.15", 0.15), ("1", 1.0)] {
            let config = load(&[("search.similarity", text)]).unwrap();
            assert!((config.search.similarity - expected).abs() < f64::EPSILON, "{text}");
        }
        for (text, wrong) in [
            ("much", "search.similarity must be a number, not much"),
            ("3", "search.similarity must be between 0 and 1"),
            ("nan", "search.similarity must be between 0 and 1"),
        ] {
            let error = load(&[("search.similarity", text)]).unwrap_err();
            assert_eq!(error.to_string(), wrong);
        }
    }

    #[test]
    fn a_call_of_the_embedder_takes_a_minute_at_most() {
        load(&[("search.embedder_timeout", "60s")]).unwrap();
        let error = load(&[("search.embedder_timeout", "61s")]).unwrap_err().to_string();
        assert_eq!(error, "search.embedder_timeout must be from 1s to 60s");
    }

    #[test]
    fn any_key_can_be_set_from_text() {
        let config =
            load(&[("limits.posts.free_window", "1s"), ("database.readers", "3")]).unwrap();
        assert_eq!(config.limits.posts.free_window, Duration::from_secs(1));
        assert_eq!(config.database().unwrap().readers, 3);
    }

    #[test]
    fn a_password_in_the_query_of_a_url_is_not_shown() {
        let url = "postgres:///svc?host=db&user=svc&password=hidden";
        let owned = vec![("database_url".to_owned(), url.to_owned())];
        assert!(!show(None, &owned).unwrap().contains("hidden"));
    }

    #[test]
    fn webhooks_are_called_at_least_one_at_a_time() {
        for key in ["sends", "sends_per_account", "sends_per_webhook"] {
            let error = load(&[(&format!("webhooks.{key}"), "0")]).unwrap_err().to_string();
            assert!(
                error.starts_with("webhooks.sends") && error.ends_with("at least 1"),
                "{error}"
            );
        }
    }

    #[test]
    fn an_unknown_key_names_the_nearest_known_one() {
        let error = load(&[("limits.posts.free_windw", "1s")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown setting limits.posts.free_windw, did you mean free_window?"
        );
    }

    #[test]
    fn secrets_of_providers_are_neither_shown_nor_logged() {
        let set = [
            ("links.google.client_id", "svc"),
            ("links.google.client_secret", "hidden-one"),
            ("links.x.client_id", "svc"),
            ("links.x.client_secret", "hidden-two"),
        ];
        let owned = set.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        let shown = show(None, &owned).unwrap();
        assert!(!shown.contains("hidden") && shown.contains("client_id = \"svc\""), "{shown}");
        assert!(!format!("{:?}", load(&set).unwrap()).contains("hidden"));
        let error = load(&[("links.x.client_secret", "x")]).unwrap_err();
        assert_eq!(error.to_string(), "links.x.client_secret needs links.x.client_id");
        let error = load(&[("links.google.issuer", "http://accounts.google.com")]).unwrap_err();
        assert!(error.to_string().starts_with("links.google.issuer must be"), "{error}");
    }

    #[test]
    fn the_password_of_the_bus_is_neither_shown_nor_logged() {
        let set = [
            ("database_url", "postgres://svc@db/svc"),
            ("bus.url", "nats://svc:hidden@nats1,nats://nats2"),
        ];
        let owned = set.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        assert!(!show(None, &owned).unwrap().contains("hidden"));
        let config = load(&set).unwrap();
        assert!(!format!("{config:?} {:?}", config.bus.nats()).contains("hidden"));
    }

    #[test]
    fn a_bus_needs_a_database_that_nodes_share() {
        let postgres = ("database_url", "postgres://svc@db/svc");
        assert_eq!(load(&[]).unwrap().bus(), Ok(BusKind::None));
        assert_eq!(load(&[postgres]).unwrap().bus(), Ok(BusKind::Postgres));
        assert_eq!(load(&[postgres, ("bus.url", "none")]).unwrap().bus(), Ok(BusKind::None));
        assert_eq!(load(&[postgres, ("bus.url", "tls://nats")]).unwrap().bus(), Ok(BusKind::Nats));
        for (url, why) in
            [("postgres", "database_url"), ("nats://db", "database_url"), ("x", "none")]
        {
            let error = load(&[("bus.url", url)]).unwrap_err().to_string();
            assert!(error.starts_with("bus.url") && error.contains(why), "{error}");
        }
    }

    #[test]
    fn unnamed_statements_need_a_way_past_the_pooler() {
        let pooled = ("database_url", "postgres://svc:one@pool/svc");
        let direct = ("database.direct_url", "postgres://svc:two@db/svc");
        let unnamed = ("database.statements", "unnamed");
        load(&[pooled, unnamed, ("bus.url", "nats://nats")]).unwrap().database().unwrap();
        let postgres_bus = ("bus.url", "postgres");
        let config = load(&[pooled, direct, unnamed]).unwrap();
        assert!(config.database().unwrap().direct_url.is_some());
        let shown = format!("{config:?} {:?}", config.database().unwrap());
        assert!(!shown.contains("svc:two"), "{shown}");
        for (wrong, named) in [
            (&[pooled, unnamed][..], "database.direct_url"),
            (&[direct], "database.direct_url and database_url"),
            (&[pooled, ("database.direct_url", "db")], "database.direct_url and database_url"),
            (&[("database.statements", "some")], "named or unnamed"),
            (&[postgres_bus, pooled, unnamed], "database.direct_url"),
        ] {
            let error = load(wrong).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn a_stop_is_delayed_where_there_may_be_other_nodes() {
        let delay = |set: &[(&str, &str)]| load(set).and_then(|config| config.stop_delay());
        let postgres = ("database_url", "postgres://svc@db/svc");
        assert_eq!(delay(&[]), Ok(Duration::ZERO));
        assert_eq!(delay(&[postgres]), Ok(Duration::from_secs(5)));
        assert_eq!(delay(&[postgres, ("stop.delay", "0s")]), Ok(Duration::ZERO));
        assert_eq!(delay(&[("stop.delay", "2s")]), Ok(Duration::from_secs(2)));
        assert!(delay(&[("stop.delay", "2m")]).unwrap_err().to_string().contains("stop.delay"));
    }

    #[test]
    fn a_wrong_type_is_named() {
        let error = load(&[("database.readers", "many")]).unwrap_err();
        assert_eq!(error.to_string(), "database.readers must be an integer, not many");
    }
}
