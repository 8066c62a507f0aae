//! Where PostgreSQL is, and how it is reached.

use std::error::Error as _;
use std::net::IpAddr;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::time::timeout;
use tokio_postgres::config::{Host, LoadBalanceHosts, SslMode, TargetSessionAttrs};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::client::ROUND_TRIP;
use super::failure::describe;
use super::timeline::SELECT_TIMELINE;
use super::tls::{self, Mode, Parameters};
use crate::error::{Error, Result};

/// How long to wait for a connection, unless the URL says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long sent data may stay unacknowledged before the server is given up.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(6);

/// When an idle connection is first probed, how long after that again, and how many failed probes end it.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_RETRIES: u32 = 3;

/// Attempts to reach another host than an old primary; the first host of each is random.
const TRIES_PER_HOST: usize = 4;

/// How long a host may take to answer before the next one is tried.
const HOST_TIMEOUT: Duration = Duration::from_millis(500);

/// What a server says of a password, a user or a database that it does not have.
const WRONG_LOGIN: [SqlState; 3] = [
    SqlState::INVALID_PASSWORD,
    SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
    SqlState::INVALID_CATALOG_NAME,
];

/// A server, or several of which one answers.
#[derive(Clone)]
pub(in crate::db) struct Target {
    /// The setting that holds the URL.
    setting: &'static str,
    /// At least one.
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
}

/// The half of a connection that moves its bytes.
pub(super) type Driver = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

impl Target {
    /// Reads the URL in this setting, and the certificates that it names. The log says what is sent without
    /// protection.
    pub(in crate::db) fn of(setting: &'static str, url: &str) -> Result<Self> {
        let (target, mode) = Self::read(setting, url)?;
        if mode == Mode::Require {
            tracing::warn!(
                setting,
                "sslmode=require verifies no certificate: others on the network path can pose as the \
                 database; sslmode=verify-full is safe"
            );
        }
        Ok(target)
    }

    fn read(setting: &'static str, url: &str) -> Result<(Self, Mode)> {
        let (rest, parameters) = Parameters::take(url);
        let wrong = |what: String| Error::setup(format!("{setting}: {what}"));
        let mut hosts = Vec::new();
        for url in each_host(&rest) {
            let config: Config =
                url.parse().map_err(|error: tokio_postgres::Error| wrong(malformed(&error)))?;
            if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
                return Err(wrong(
                    "the URL names no host: it must be postgres://user@host/name, or \
                     postgres://user@%2Frun%2Fpostgresql/name for a socket"
                        .to_owned(),
                ));
            }
            hosts.push(config);
        }
        let mode = mode_of(&parameters, &hosts).map_err(wrong)?;
        let tls = tls::client(mode, &parameters).map_err(wrong)?;
        for config in &mut hosts {
            set_defaults(config);
            config.ssl_mode(if mode == Mode::Disable {
                SslMode::Disable
            } else {
                SslMode::Require
            });
        }
        Ok((Self { setting, hosts, tls: MakeRustlsConnect::new(tls) }, mode))
    }

    /// The hosts and the database, for people.
    pub(in crate::db) fn place(&self) -> String {
        let hosts = self.hosts.iter().flat_map(Config::get_hosts).map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) => folder.display().to_string(),
        });
        let name = self.hosts[0].get_dbname().or(self.hosts[0].get_user()).unwrap_or_default();
        format!("{name} on {}", hosts.collect::<Vec<_>>().join(", "))
    }

    /// The setting that names it.
    pub(super) const fn setting(&self) -> &'static str {
        self.setting
    }

    /// Whether it is one server, as far as its URL says.
    pub(super) fn is_single(&self) -> bool {
        matches!(&self.hosts[..], [host] if host.get_hosts().len().max(host.get_hostaddrs().len()) <= 1)
    }

    pub(super) fn tls(&self) -> MakeRustlsConnect {
        self.tls.clone()
    }

    /// Connects to one of the hosts.
    pub(super) async fn connect(&self) -> Result<(Client, Driver), tokio_postgres::Error> {
        let (_, client, driver) = self.find().await?;
        Ok((client, driver))
    }

    /// The same, with the number of the host. One that accepts connections and answers nothing is passed
    /// over; the last may take as long as the caller waits. The first to be tried is random: in their
    /// order, an old primary or a standby would hide those behind it.
    async fn find(&self) -> Result<(usize, Client, Driver), tokio_postgres::Error> {
        let count = self.hosts.len();
        let first = getrandom::u32().unwrap_or(0) as usize % count;
        for number in first..first + count - 1 {
            let connecting = self.hosts[number % count].connect(self.tls.clone());
            if let Ok(Ok((client, driver))) = timeout(HOST_TIMEOUT, connecting).await {
                return Ok((number % count, client, driver));
            }
        }
        let last = (first + count - 1) % count;
        let (client, driver) = self.hosts[last].connect(self.tls.clone()).await?;
        Ok((last, client, driver))
    }

    /// Connects to a primary by the synchronous client, whose round trips have no limit.
    pub(in crate::db) fn connect_for_long(&self) -> Result<::postgres::Client> {
        let mut tries = 0..self.tries();
        loop {
            let host = self.answering()?;
            let connected = ::postgres::Config::from(host.clone()).connect(self.tls.clone());
            let mut client = connected.map_err(|error| self.refusal(&error))?;
            let asked = client.simple_query(SELECT_TIMELINE);
            match (asked, tries.next()) {
                (Ok(_), _) => return Ok(client),
                (Err(_), Some(_)) => {}
                (Err(error), None) => {
                    let (setting, place, said) = (self.setting, self.place(), describe(&error));
                    let message = format!("{setting}: {place} is no primary: {said}");
                    return Err(Error::internal(message));
                }
            }
        }
    }

    /// A host that answers; the synchronous client would wait for one that does not.
    fn answering(&self) -> Result<&Config> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(Error::internal)?;
        let connecting = self.hosts.iter().filter_map(Config::get_connect_timeout).max();
        let limit = ROUND_TRIP + connecting.copied().unwrap_or(CONNECT_TIMEOUT);
        let found = runtime.block_on(async { timeout(limit, self.find_answering()).await });
        let (setting, place) = (self.setting, self.place());
        let silent = |_| Error::internal(format!("{setting}: {place} does not answer"));
        found.map_err(silent)?.map(|host| &self.hosts[host]).map_err(|error| self.refusal(&error))
    }

    /// The number of a host that answers a statement: a pooler accepts connections for a server that is silent.
    async fn find_answering(&self) -> Result<usize, tokio_postgres::Error> {
        let (host, client, driver) = self.find().await?;
        tokio::select! {
            // That of a standby is an error.
            _ = client.simple_query(SELECT_TIMELINE) => Ok(host),
            ended = driver => ended.map(|()| host),
        }
    }

    /// Why there is no connection: a server that can't be verified, or that knows no such user, password or
    /// database, is a wrong setting.
    pub(super) fn refusal(&self, error: &tokio_postgres::Error) -> Error {
        let (setting, place) = (self.setting, self.place());
        if let Some(refused) = tls::explain(error) {
            return Error::setup(format!("{setting}: {refused}"));
        }
        let message = format!("{setting}: can't connect to {place}: {}", describe(error));
        if error.code().is_some_and(|code| WRONG_LOGIN.contains(code)) {
            Error::setup(message)
        } else {
            Error::internal(message)
        }
    }

    /// How often to try until each host has had its turn, most likely.
    pub(super) fn tries(&self) -> usize {
        let hosts = self.hosts.len();
        if hosts > 1 { TRIES_PER_HOST * hosts } else { 0 }
    }
}

/// What is wrong with a URL. The parser's message is left out where it may quote the password; of parameters it quotes
/// only the name.
fn malformed(error: &tokio_postgres::Error) -> String {
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    let named = |beginning: &str| cause.strip_prefix(beginning)?.strip_suffix('`');
    if let Some(name) = named("unknown option `") {
        return format!("the URL has a parameter that is not known: {name}");
    }
    if let Some(name) = named("invalid value for option `") {
        return format!("{name} in the URL has a value that it can't have");
    }
    "the URL of the PostgreSQL database is malformed: it must be postgres://user@host/name, with special characters of \
     the password percent-encoded"
        .to_owned()
}

/// The same URL once for each of its hosts.
fn each_host(url: &str) -> Vec<String> {
    let start = url.find('@').or_else(|| url.find("//").map(|at| at + 1)).map_or(0, |at| at + 1);
    let end = url[start..].find(['/', '?']).map_or(url.len(), |length| start + length);
    let (before, after) = (&url[..start], &url[end..]);
    url[start..end].split(',').map(|host| format!("{before}{host}{after}")).collect()
}

fn set_defaults(config: &mut Config) {
    if config.get_application_name().is_none() {
        config.application_name("svc-server");
    }
    // Several that a parameter of the URL names, not its authority.
    config.load_balance_hosts(LoadBalanceHosts::Random);
    // Whether a server takes writes is asked when it is connected; by their defaults, sessions are read-only.
    config.target_session_attrs(TargetSessionAttrs::Any);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(ANSWER_TIMEOUT);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_idle(KEEPALIVE_IDLE);
        config.keepalives_interval(KEEPALIVE_INTERVAL);
        config.keepalives_retries(KEEPALIVE_RETRIES);
    }
}

/// What is written; by default TLS is on where others share the network. Unix sockets have no TLS.
fn mode_of(parameters: &Parameters, configs: &[Config]) -> Result<Mode, String> {
    let written = parameters.mode()?;
    let is_socket = |host: &Host| matches!(host, Host::Unix(_));
    let is_all = |is: &dyn Fn(&Config) -> bool| configs.iter().all(is);
    if is_all(&|config| {
        config.get_hostaddrs().is_empty() && config.get_hosts().iter().all(is_socket)
    }) {
        return Ok(Mode::Disable);
    }
    let is_near = is_all(&|config| {
        config.get_hostaddrs().iter().all(IpAddr::is_loopback)
            && config.get_hosts().iter().all(is_local)
    });
    Ok(written.unwrap_or(if is_near { Mode::Disable } else { Mode::VerifyFull }))
}

/// Whether the host is this machine.
fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost"
                || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> Result<Mode, String> {
        Target::read("database_url", url).map(|(_, mode)| mode).map_err(|error| error.to_string())
    }

    #[test]
    fn what_leaves_this_machine_is_encrypted_and_verified_unless_something_else_is_written() {
        for near in ["localhost", "127.0.0.1:5433", "%2Frun%2Fpostgresql", "127.0.0.1,localhost"] {
            assert_eq!(mode(&format!("postgres://svc@{near}/svc")), Ok(Mode::Disable), "{near}");
        }
        for far in ["db", "10.0.0.2", "localhost,db", "db:5433,db2:5433"] {
            assert_eq!(mode(&format!("postgres://svc@{far}/svc")), Ok(Mode::VerifyFull), "{far}");
        }
        let address = mode("postgres://svc@localhost/svc?hostaddr=10.0.0.2");
        assert_eq!(address, Ok(Mode::VerifyFull));
        for (word, meant) in [
            ("disable", Mode::Disable),
            ("require", Mode::Require),
            ("verify-full", Mode::VerifyFull),
        ] {
            let url = format!("postgres://svc:p%3Fw@db/svc?sslmode={word}&connect_timeout=3");
            assert_eq!(mode(&url), Ok(meant));
        }
        let socket = mode("postgres://svc@%2Frun%2Fpostgresql/svc?sslmode=verify-full");
        assert_eq!(socket, Ok(Mode::Disable), "as in libpq");
    }

    #[test]
    fn a_url_is_split_by_its_hosts() {
        let several = each_host("postgres://svc:a%2Cb@db1:5433,db2/svc?x=1,2");
        let each =
            ["postgres://svc:a%2Cb@db1:5433/svc?x=1,2", "postgres://svc:a%2Cb@db2/svc?x=1,2"];
        assert_eq!(several, each);
        assert_eq!(each_host("postgres://db1,db2"), ["postgres://db1", "postgres://db2"]);
    }

    #[test]
    fn a_url_without_a_host_is_refused() {
        for url in
            ["postgres://svc:secret@/svc", "postgres:///svc?user=svc", "postgres://svc@db,/svc"]
        {
            let error = mode(url).unwrap_err();
            assert!(
                error.contains("the URL names no host") && !error.contains("secret"),
                "{error}"
            );
        }
        assert_eq!(mode("postgres:///svc?host=/run/postgresql"), Ok(Mode::Disable));
    }

    #[test]
    fn a_wrong_parameter_is_named() {
        for (query, named) in [
            ("sslmode=prefer", "sslmode must be verify-full, verify-ca, require or disable"),
            ("sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert"),
            ("sslmode=require&sslrootcert=ca.pem", "sslmode=require ignores sslrootcert"),
            ("sslmode=verify-full&sslrootcert=/none.pem", "sslrootcert: can't read /none.pem"),
            ("sslcert=client.pem", "sslcert and sslkey belong together"),
            ("sslcompression=1", "a parameter that is not known: sslcompression"),
            ("connect_timeout=soon", "connect_timeout in the URL has a value"),
            ("soon", "malformed"),
        ] {
            let error = mode(&format!("postgres://svc:secret@db/svc?{query}")).unwrap_err();
            assert!(error.starts_with("database_url: ") && error.contains(named), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
