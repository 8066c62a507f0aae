//! Settings of what nodes have in common.

use std::fmt;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use serde::Deserialize;
use svc_store::db::DatabaseUrl;
use url::Url;

use super::SetupError;

/// Most servers of NATS in one URL.
const SERVERS_MAX: usize = 16;

/// How nodes give each other hints.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusSettings {
    url: String,
    /// File with credentials for NATS; empty for those in the URL, or none.
    pub credentials_file: PathBuf,
    /// File with the CA certificates to trust; empty for those of the system.
    pub tls_ca: PathBuf,
}

/// The URL may hold a password.
impl fmt::Debug for BusSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BusSettings").finish_non_exhaustive()
    }
}

/// How nodes learn what the others commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusKind {
    /// Not at all: the node is alone.
    None,
    /// By LISTEN and NOTIFY of PostgreSQL.
    Postgres,
    /// By publish and subscribe of NATS.
    Nats,
}

/// Servers of NATS, of which one is enough, and who may use them.
#[derive(Clone)]
pub struct NatsServers {
    /// Their URLs, without a user.
    pub urls: Vec<Url>,
    /// The user and the password of all.
    pub login: Option<(String, String)>,
}

impl fmt::Debug for NatsServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NatsServers").finish_non_exhaustive()
    }
}

impl BusKind {
    /// As the database names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Postgres => "postgres",
            Self::Nats => "nats",
        }
    }
}

impl BusSettings {
    /// The bus of a server on this database.
    pub fn kind(&self, database: &DatabaseUrl) -> Result<BusKind, SetupError> {
        let kind = self.kind_on(matches!(database, DatabaseUrl::Postgres(_)))?;
        let files = [("credentials_file", &self.credentials_file), ("tls_ca", &self.tls_ca)];
        match files.iter().find(|(_, file)| kind != BusKind::Nats && *file != Path::new("")) {
            None => Ok(kind),
            Some((name, _)) => Err(SetupError::new(format!("bus.{name} needs NATS in bus.url"))),
        }
    }

    fn kind_on(&self, on_postgres: bool) -> Result<BusKind, SetupError> {
        match self.url.as_str() {
            "" | "postgres" if on_postgres => Ok(BusKind::Postgres),
            "" | "none" => Ok(BusKind::None),
            "postgres" => Err(wrong("postgres needs a PostgreSQL database in database_url")),
            url if !is_nats(url) => {
                Err(wrong("it must be postgres, none or nats://host:port (or tls://)"))
            }
            _ if !on_postgres => Err(wrong("NATS needs a PostgreSQL database in database_url")),
            _ => self.nats().map(|_| BusKind::Nats),
        }
    }

    /// The servers of NATS in the URL.
    pub fn nats(&self) -> Result<NatsServers, SetupError> {
        let scheme = self.url.split_once("://").map_or("nats", |(scheme, _)| scheme);
        let (mut urls, mut login) = (Vec::new(), None);
        for text in self.url.split(',') {
            let text = text.trim();
            let text = if text.contains("://") { text } else { &format!("{scheme}://{text}") };
            let (url, given) = server(text)?;
            if login.is_some() && given.is_some() && login != given {
                return Err(wrong("all servers must have the same user and password"));
            }
            login = login.or(given);
            urls.push(url);
        }
        if urls.len() > SERVERS_MAX {
            return Err(wrong(&format!("it must name at most {SERVERS_MAX} servers")));
        }
        if login.is_some() && self.credentials_file != Path::new("") {
            return Err(wrong("it names a user, so bus.credentials_file must be empty"));
        }
        Ok(NatsServers { urls, login })
    }
}

fn is_nats(url: &str) -> bool {
    ["nats://", "tls://"].iter().any(|scheme| url.starts_with(scheme))
}

/// A server, and its user with the password. What is wrong is said without the text, which may hold
/// the password.
fn server(text: &str) -> Result<(Url, Option<(String, String)>), SetupError> {
    let malformed = || wrong("a server of NATS is nats://user:password@host:port (or tls://)");
    let mut url = Url::parse(text).ok().filter(|_| is_nats(text)).ok_or_else(malformed)?;
    let is_bare =
        matches!(url.path(), "" | "/") && url.query().is_none() && url.fragment().is_none();
    if !is_bare || url.host_str().is_none_or(str::is_empty) {
        return Err(malformed());
    }
    let decoded = |part: &str| percent_decode_str(part).decode_utf8().map(String::from);
    let login = match (url.username(), url.password()) {
        ("", None) => None,
        (user, Some(password)) if !user.is_empty() => {
            let (Ok(user), Ok(password)) = (decoded(user), decoded(password)) else {
                return Err(malformed());
            };
            Some((user, password))
        }
        _ => return Err(malformed()),
    };
    url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| malformed())?;
    Ok((url, login))
}

fn wrong(what: &str) -> SetupError {
    SetupError::new(format!("bus.url: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nats(url: &str) -> Result<NatsServers, SetupError> {
        let (credentials_file, tls_ca) = (PathBuf::new(), PathBuf::new());
        BusSettings { url: url.to_owned(), credentials_file, tls_ca }.nats()
    }

    #[test]
    fn servers_are_separated_by_commas_and_share_user_and_password() {
        let read = nats("tls://svc:p%2Cw@nats1:4222, nats2,tls://[::1]:4223").unwrap();
        let urls: Vec<&str> = read.urls.iter().map(Url::as_str).collect();
        assert_eq!(urls, ["tls://nats1:4222", "tls://nats2", "tls://[::1]:4223"]);
        assert_eq!(read.login, Some(("svc".to_owned(), "p,w".to_owned())));
        assert_eq!(nats("nats://127.0.0.1").unwrap().login, None);
    }

    #[test]
    fn what_is_wrong_is_said_without_the_password() {
        let many = ["nats://nats"; SERVERS_MAX + 1].join(",");
        for (url, right) in [
            ("nats://", "host:port"),
            ("nats://svc@nats", "user:password"),
            ("nats://:secret@nats", "user:password"),
            ("nats://svc:secret@nats/subject", "host:port"),
            ("nats://svc:secret@nats:port", "host:port"),
            ("nats://svc:secret@nats,", "host:port"),
            ("nats://svc:secret@nats,http://nats", "host:port"),
            ("nats://svc:secret@nats,nats://svc:secret2@nats2", "the same user"),
            (&many, "at most 16"),
        ] {
            let error = nats(url).unwrap_err().to_string();
            assert!(error.starts_with("bus.url: ") && error.contains(right), "{url}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
