//! PgBouncer in transaction mode, in front of each cluster of the tests that asks for it.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use super::left_out;
use super::postgres::{folder_of, start};

/// Starts PgBouncer on a Unix socket in a folder, announces it, and ends when the standard input does.
///
/// Four connections to PostgreSQL serve each database, so that sessions share them: one for who holds a
/// lock, two for who wait for it, and one for the others.
const SCRIPT: &str = r#"
folder=$(mktemp -d /tmp/svc-pooler-XXXXXX) || exit 1
remove() {
    kill "$pooler"
    rm -rf "$folder"
}
trap remove EXIT
echo '"svc" ""' >"$folder/users"
cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=$1 port=5432
[pgbouncer]
unix_socket_dir = $folder
listen_port = 5432
auth_type = trust
auth_file = $folder/users
pool_mode = transaction
default_pool_size = 4
max_client_conn = 4000
server_idle_timeout = 5
END
"$0" --quiet "$folder/pgbouncer.ini" 2>"$folder/log" &
pooler=$!
until [ -S "$folder/.s.PGSQL.5432" ]; do
    kill -0 "$pooler" || { cat "$folder/log" >&2; exit 1; }
    sleep 0.05
done
echo "$folder"
cat
"#;

/// Debian's, or one in `PATH`.
const DEBIAN: &str = "/usr/sbin/pgbouncer";

/// A pooler that knows every database of a server.
#[derive(Debug)]
pub struct Pooler {
    /// Its host in URLs.
    host: String,
    _watchdog: Child,
}

/// The pooler of this process in front of the server of this URL.
///
/// Where there is no PgBouncer it is `None`, as for [`postgres`](super::postgres::postgres).
///
/// # Panics
/// If it does not start.
pub fn pooler(database: &str) -> Option<Arc<Pooler>> {
    static POOLERS: Mutex<BTreeMap<String, Arc<Pooler>>> = Mutex::new(BTreeMap::new());
    let Some(program) = find_program() else {
        left_out("PgBouncer");
        return None;
    };
    let url = Url::parse(database).expect("a database has a URL");
    let server = folder_of(&url);
    let mut poolers = POOLERS.lock().unwrap_or_else(PoisonError::into_inner);
    let pooler = poolers.entry(server).or_insert_with_key(|server| Pooler::start(&program, server));
    Some(Arc::clone(pooler))
}

impl Pooler {
    /// Starts one in front of the server whose socket is in this folder.
    fn start(program: &Path, server: &str) -> Arc<Self> {
        let (folder, watchdog) = start(SCRIPT, program, |command| _ = command.arg(server));
        Arc::new(Self { host: folder.replace('/', "%2F"), _watchdog: watchdog })
    }

    /// The URL of a database through the pooler.
    ///
    /// # Panics
    /// Never: a URL of PostgreSQL has a host.
    pub fn url(&self, database: &str) -> String {
        let mut url = Url::parse(database).expect("a database has a URL");
        url.set_host(Some(&self.host)).expect("the URL has a host");
        url.into()
    }
}

fn find_program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut places = env::split_paths(&path).map(|folder| folder.join("pgbouncer"));
    let found = places.find(|file| fs::metadata(file).is_ok_and(|about| about.is_file()));
    found.or_else(|| Path::new(DEBIAN).is_file().then(|| DEBIAN.into()))
}
