//! A throw-away PostgreSQL cluster for the tests of one process.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use postgres::{Client, NoTls};
use url::Url;

use crate::clock::Clock;
use crate::db::{DatabaseUrl, Db, Settings, on_own_thread};

/// Where Debian and its kin keep the programs, in a folder per version.
const DEBIAN_FOLDER: &str = "/usr/lib/postgresql";

/// Makes a cluster, announces its folder, and removes it when the standard input ends.
///
/// The test process holds the other end of that pipe, so the cluster goes away however the process
/// ends. The cluster listens on a Unix socket in its folder, and on no port. In memory a database
/// is made ten times as fast as on a disk, so it lives there if there is room.
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
    --no-locale --no-sync >"$folder/log" 2>&1 &&
"$0/pg_ctl" start --pgdata "$folder/data" --log "$folder/log" --silent --wait --options "\
    -k $folder -c listen_addresses= -c max_connections=400 -c shared_buffers=64MB \
    -c fsync=off -c full_page_writes=off -c autovacuum=off -c max_wal_size=128MB" ||
{ cat "$folder/log" >&2; exit 1; }
echo "$folder"
cat
"#;

/// A PostgreSQL server that makes databases for tests.
#[derive(Debug)]
pub struct Cluster {
    url: Url,
    /// A migrated database, copied for each test.
    template: OnceLock<String>,
    databases: AtomicU32,
    /// Its standard input keeps the cluster alive.
    _watchdog: Option<Child>,
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
        None => find_programs().map(|programs| Cluster::start(&programs)),
    });
    if cluster.is_none() {
        report_absence();
    }
    cluster.as_ref()
}

impl Cluster {
    /// The URL of a new database that has all tables and no rows.
    pub fn database(&self) -> String {
        let template = self.template.get_or_init(|| {
            let template = self.create("");
            let settings = Settings::new(DatabaseUrl::Postgres(self.url_of(&template)));
            Db::open(&settings, &Clock::system())
                .expect("the template takes all migrations")
                .close();
            template
        });
        // Copying the files takes a third of the time of writing them to the log.
        self.url_of(&self.create(&format!("template {template} strategy file_copy")))
    }

    fn start(programs: &Path) -> Self {
        let mut watchdog = shell()
            .args(["-c", SCRIPT])
            .arg(programs)
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
        assert!(!folder.is_empty(), "PostgreSQL did not start; its log is above");
        let host = folder.trim_end().replace('/', "%2F");
        Self::at(&format!("postgres://svc@{host}/postgres"), Some(watchdog))
    }

    fn at(url: &str, watchdog: Option<Child>) -> Self {
        Self {
            url: Url::parse(url).expect("the server's address is a URL"),
            template: OnceLock::new(),
            databases: AtomicU32::new(0),
            _watchdog: watchdog,
        }
    }

    fn url_of(&self, database: &str) -> String {
        let mut url = self.url.clone();
        url.set_path(database);
        url.into()
    }

    /// Creates a database and answers its name.
    fn create(&self, options: &str) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("svc_test_{}_{number}", process::id());
        on_own_thread(|| {
            let mut client = Client::connect(self.url.as_str(), NoTls).expect("PostgreSQL answers");
            // On a server that stays, an older process may have had the same id.
            let drop = format!("drop database if exists {name}");
            client.batch_execute(&drop).expect("nobody uses an old database");
            let create = format!("create database {name} {options}");
            client.batch_execute(&create).expect("PostgreSQL creates a database");
        });
        name
    }
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
    env::split_paths(&path)
        .chain(versions.into_iter().rev())
        .find(|folder| ["initdb", "pg_ctl"].iter().all(|name| folder.join(name).is_file()))
}

#[expect(clippy::print_stderr, reason = "a skipped test must be reported")]
fn report_absence() {
    let required = env::var_os("SVC_TEST_SERVICES").is_some_and(|value| value == "required");
    assert!(!required, "SVC_TEST_SERVICES is required, but there is no PostgreSQL here");
    eprintln!("LEFT OUT: no PostgreSQL here, its tests do nothing");
}
