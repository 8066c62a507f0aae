//! A throw-away PostgreSQL cluster for the tests of one process.

use std::env;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use postgres::types::FromSqlOwned;
use postgres::{Client, NoTls};
use url::Url;

use crate::clock::Clock;
use crate::db::{DatabaseUrl, Db, Settings, on_own_thread};
use crate::testing::{START, left_out};

/// Where Debian and its kin keep the programs, in a folder per version.
const DEBIAN_FOLDER: &str = "/usr/lib/postgresql";

/// Makes a cluster, announces its folder, and removes it when the standard input ends.
///
/// The test process holds the other end of that pipe, so the cluster goes away however the process
/// ends. The cluster listens on a Unix socket in its folder, and on no port. In memory a database
/// is made ten times as fast as on a disk, so it lives there if there is room.
///
/// With a port as its argument it listens there too, with TLS by what three variables hold. Its
/// database `certified` then wants a certificate of the client.
const SCRIPT: &str = r#"
place=/tmp
room_kib=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${room_kib:-0}" -gt 4000000 ]; then place=/dev/shm; fi
folder=$(mktemp -d "$place/svc-postgres-XXXXXX") || exit 1
remove() {
    "$0/pg_ctl" stop --pgdata "$folder/data" --mode immediate --silent
    rm -rf "$folder"
}
trap remove EXIT
"$0/initdb" --pgdata "$folder/data" --username svc --auth trust --encoding UTF8 \
    --no-locale --no-sync >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
network="-c listen_addresses="
if [ -n "$1" ]; then
    cd "$folder/data" && umask 077 || exit 1
    echo "$SVC_TLS_CERTIFICATE" >server.crt
    echo "$SVC_TLS_KEY" >server.key
    echo "$SVC_TLS_CA" >clients.crt
    sed -i '1i hostssl certified all 127.0.0.1/32 cert' pg_hba.conf
    network="-c listen_addresses=127.0.0.1 -c port=$1 -c ssl=on -c ssl_ca_file=clients.crt"
fi
"$0/pg_ctl" start --pgdata "$folder/data" --log "$folder/log" --silent --wait --options "\
    -k $folder $network -c max_connections=400 -c shared_buffers=64MB \
    -c fsync=off -c full_page_writes=off -c autovacuum=off -c max_wal_size=128MB" ||
{ cat "$folder/log" >&2; exit 1; }
echo "$folder"
cat
"#;

/// Copies a cluster as its standby with more options of `postgres`, and announces its folder, as [`SCRIPT`]
/// does.
const STANDBY: &str = r#"
folder=$(mktemp -d /tmp/svc-standby-XXXXXX) || exit 1
remove() {
    "$0/pg_ctl" stop --pgdata "$folder/data" --mode immediate --silent
    rm -rf "$folder"
}
trap remove EXIT
"$0/pg_basebackup" --host "$1" --username svc --pgdata "$folder/data" --checkpoint fast \
    --write-recovery-conf --no-sync >"$folder/log" 2>&1 &&
"$0/pg_ctl" start --pgdata "$folder/data" --log "$folder/log" --silent --wait --options "\
    -k $folder -c listen_addresses= -c max_connections=400 -c fsync=off $2" ||
{ cat "$folder/log" >&2; exit 1; }
echo "$folder"
cat
"#;

/// A PostgreSQL server that makes databases for tests.
pub struct Cluster {
    url: Url,
    /// A migrated database, copied for each test.
    template: OnceLock<String>,
    databases: AtomicU32,
    /// Connections that execute statements, kept because each is a process of the server.
    idle: Mutex<Vec<Client>>,
    /// Its standard input keeps the cluster alive.
    watchdog: Option<Child>,
}

/// The cluster of this process, started when first asked for.
///
/// With `SVC_TEST_POSTGRES_URL` it is that server, on which the databases stay. Where there is no
/// PostgreSQL it is `None`, loudly, and a panic if `SVC_TEST_SERVICES` is `required`.
pub fn postgres() -> Option<&'static Cluster> {
    static CLUSTER: OnceLock<Option<Cluster>> = OnceLock::new();
    let cluster = CLUSTER.get_or_init(|| match env::var_os("SVC_TEST_POSTGRES_URL") {
        Some(url) => {
            let url = url.to_str().expect("SVC_TEST_POSTGRES_URL is text");
            Some(Cluster::at(url, None))
        }
        None => find_programs().map(|programs| Cluster::start(&programs, None)),
    });
    if cluster.is_none() {
        left_out("PostgreSQL");
    }
    cluster.as_ref()
}

/// What a server and its clients have for TLS, in PEM.
#[derive(Clone, Copy, Debug)]
pub struct Certificates<'a> {
    /// The server's certificate.
    pub certificate: &'a str,
    /// Its key.
    pub key: &'a str,
    /// The CA of the clients' certificates.
    pub ca: &'a str,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

impl Cluster {
    /// A cluster of its own that also listens on a port of 127.0.0.1, with TLS.
    ///
    /// # Panics
    /// If it does not start, or as [`postgres()`] does.
    pub fn with_tls(certificates: Certificates<'_>) -> Option<(Self, u16)> {
        let Some(programs) = find_programs() else {
            left_out("PostgreSQL");
            return None;
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        drop(listener);
        Some((Self::start(&programs, Some((port, certificates))), port))
    }

    /// A database on a primary of its own, and the same one on a standby that was promoted in its place:
    /// two servers, of which the first does not know of the second.
    ///
    /// # Panics
    /// If they do not start, or as [`postgres()`] does.
    pub fn failed_over() -> Option<[(Self, String); 2]> {
        let both = Self::with_standby("")?;
        both[1].0.execute("select pg_promote()");
        Some(both)
    }

    /// A database on a primary of its own, and the same one on its standby, which has these options of
    /// `postgres`, such as `-c recovery_min_apply_delay=2s`. A standby that is dropped dies.
    ///
    /// # Panics
    /// If they do not start, or as [`postgres()`] does.
    pub fn with_standby(options: &str) -> Option<[(Self, String); 2]> {
        let Some(programs) = find_programs() else {
            left_out("PostgreSQL");
            return None;
        };
        let primary = Self::start(&programs, None);
        let database = primary.database();
        // The defaults of the role are copied, too.
        migrate(&database);
        let (folder, watchdog) = start(STANDBY, &programs, |command| {
            command.arg(folder_of(&primary.url)).arg(options);
        });
        let standby = Self::at(&url_of_folder(&folder), Some(watchdog));
        let path = Url::parse(&database).expect("a database has a URL").path().to_owned();
        let copy = standby.url_of(path.trim_start_matches('/'));
        Some([(primary, database), (standby, copy)])
    }

    /// Gives the server another certificate of the same key, for the connections that follow.
    ///
    /// # Panics
    /// If the cluster was not started here.
    pub fn set_certificate(&self, certificate: &str) {
        let folder = folder_of(&self.url);
        fs::write(format!("{folder}/data/server.crt"), certificate).expect("the folder is there");
        self.execute("select pg_reload_conf()");
    }

    /// The URL of a new database that has all tables and no rows.
    pub fn database(&self) -> String {
        let template = self.template.get_or_init(|| {
            let template = self.create("");
            migrate(&self.url_of(&template));
            template
        });
        // Copying the files takes a third of the time of writing them to the log.
        self.url_of(&self.create(&format!("template {template} strategy file_copy")))
    }

    fn start(programs: &Path, tls: Option<(u16, Certificates<'_>)>) -> Self {
        let (folder, watchdog) = start(SCRIPT, programs, |command| {
            if let Some((port, Certificates { certificate, key, ca })) = tls {
                command.arg(port.to_string()).env("SVC_TLS_CERTIFICATE", certificate);
                command.env("SVC_TLS_KEY", key).env("SVC_TLS_CA", ca);
            }
        });
        let mut url = Url::parse(&url_of_folder(&folder)).expect("the server's address is a URL");
        // The socket's name has the port.
        url.set_port(tls.map(|(port, _)| port)).expect("the URL has a host");
        Self::at(url.as_str(), Some(watchdog))
    }

    fn at(url: &str, watchdog: Option<Child>) -> Self {
        Self {
            url: Url::parse(url).expect("the server's address is a URL"),
            template: OnceLock::new(),
            databases: AtomicU32::new(0),
            idle: Mutex::default(),
            watchdog,
        }
    }

    fn url_of(&self, database: &str) -> String {
        let mut url = self.url.clone();
        url.set_path(database);
        url.into()
    }

    /// Removes a database, with what is still connected to it. A thousand of them take 12 GB.
    ///
    /// # Panics
    /// If the cluster has no such database.
    pub fn remove(&self, url: &str) {
        let url = Url::parse(url).expect("a database has a URL");
        let name = url.path().trim_start_matches('/');
        self.execute(&format!("drop database {name} with (force)"));
    }

    /// Creates a database and returns its name.
    fn create(&self, options: &str) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("svc_test_{}_{number}", process::id());
        // On a server that stays, an older process may have had the same id.
        self.execute(&format!("drop database if exists {name}"));
        self.execute(&format!("create database {name} {options}"));
        name
    }

    /// The id of the process whose children do the work of the cluster; none if it was not started here.
    pub fn process(&self) -> Option<u32> {
        self.watchdog.as_ref()?;
        let file = format!("{}/data/postmaster.pid", folder_of(&self.url));
        fs::read_to_string(file).ok()?.lines().next()?.trim().parse().ok()
    }

    /// Executes a statement in the database that every cluster has.
    ///
    /// # Panics
    /// If it fails.
    pub fn execute(&self, sql: &str) {
        self.ask(|client| client.batch_execute(sql));
    }

    /// The one value that a query answers, in the database that every cluster has.
    ///
    /// # Panics
    /// If it fails, or answers something else.
    pub fn value<T: FromSqlOwned + Send>(&self, sql: &str) -> T {
        self.ask(|client| client.query_one(sql, &[])?.try_get(0))
    }

    fn ask<T: Send>(
        &self,
        question: impl FnOnce(&mut Client) -> Result<T, postgres::Error> + Send,
    ) -> T {
        on_own_thread(|| {
            let idle = self.idle.lock().expect("no statement failed").pop();
            let mut client = idle.unwrap_or_else(|| {
                Client::connect(self.url.as_str(), NoTls).expect("PostgreSQL answers")
            });
            let answer = question(&mut client).expect("PostgreSQL executes the statement");
            self.idle.lock().expect("no statement failed").push(client);
            answer
        })
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A connection that is closed blocks its thread, which may be one that runs async code.
        let idle = self.idle.get_mut().map(std::mem::take).unwrap_or_default();
        on_own_thread(|| drop(idle));
    }
}

/// Brings a database up to date, with the partitions of a test's first day.
fn migrate(url: &str) {
    let settings = Settings::new(DatabaseUrl::Postgres(url.to_owned()));
    Db::open(&settings, &Clock::manual(START)).expect("the database takes all migrations").close();
}

/// Runs a script whose `$0` is this, and returns the folder that it announces. The script lives as long
/// as its standard input, which the child holds.
pub(super) fn start(
    script: &str,
    programs: &Path,
    prepare: impl FnOnce(&mut Command),
) -> (String, Child) {
    let mut command = shell();
    command.args(["-c", script]).arg(programs);
    prepare(&mut command);
    let mut watchdog = command
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // An interrupt from the terminal is for the tests; the watchdog sees their end.
        .process_group(0)
        .spawn()
        .expect("a shell starts");
    let mut folder = String::new();
    let output = watchdog.stdout.take().expect("the output is piped");
    BufReader::new(output).read_line(&mut folder).expect("the shell announces the folder");
    assert!(!folder.is_empty(), "{} did not start; its log is above", programs.display());
    (folder.trim_end().to_owned(), watchdog)
}

fn url_of_folder(folder: &str) -> String {
    format!("postgres://svc@{}/postgres", folder.replace('/', "%2F"))
}

/// The folder of the socket in a URL.
pub(super) fn folder_of(url: &Url) -> String {
    url.host_str().unwrap_or_default().replace("%2F", "/")
}

/// A shell, as the user `postgres` if this is root: PostgreSQL refuses to run as root.
fn shell() -> Command {
    let id = Command::new("id").arg("-u").output().expect("`id` runs");
    if id.stdout.trim_ascii() == b"0" {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--", "sh"]);
        command
    } else {
        Command::new("sh")
    }
}

/// The folder with PostgreSQL's programs: one of `PATH`, or the newest version of Debian's.
fn find_programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut versions: Vec<PathBuf> = fs::read_dir(DEBIAN_FOLDER)
        .map(|folders| folders.flatten().map(|folder| folder.path().join("bin")).collect())
        .unwrap_or_default();
    versions.sort();
    env::split_paths(&path).chain(versions.into_iter().rev()).find(|folder| {
        ["initdb", "pg_ctl", "pg_basebackup"].iter().all(|name| folder.join(name).is_file())
    })
}
