//! A server moves from SQLite to PostgreSQL.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use reqwest::StatusCode;
use svc_server::testing::PATIENCE;
use svc_store::testing::postgres;
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::timeout;
use url::Url;

use crate::process::{Place, Server, database, http_client, unread};

/// What anybody reads of the demo's data. Searches ask an index that each engine makes for itself.
const READ: [&str; 8] = [
    "/api/users/basho",
    "/api/users/basho/posts",
    "/api/users/basho/followers",
    "/api/v1/bots/discover",
    "/api/v1/bots/basho/reviews",
    "/api/leaderboard",
    "/api/search?q=haiku",
    "/api/search?q=basho&type=users",
];

/// The variable that says how many accounts there are besides those of the demo; `.ci/run long` asks for more.
const ACCOUNTS: &str = "SVC_MOVED_ACCOUNTS";

/// Accounts with a key each.
const CROWD: &str = "
    insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, created_at, updated_at)
    with recursive n (i) as (values (1) union all select i + 1 from n where i < ?1)
    select 'usr_-' || i, 'crowd_' || i, 'so', '', 1, 'free', 'user', 'active', 0, 0, 'all', 1, 0, 0, 0, 1, 1
    from n";
const KEYS: &str = "
    insert into api_key (key_id, account, name, is_default, hash, scopes, created_at)
    select id, id, 'default', 1, randomblob(32), 'read', 1 from account where username like 'crowd%'";

type Answers = Vec<(StatusCode, String)>;

/// Links in answers, wherever the server listens.
const PUBLIC_URL: [&str; 2] = ["--public-url", "http://svc.test"];

/// The command that moves the data of a place to this database.
fn moving(place: &Place, url: &str) -> Command {
    let mut command = place.program();
    let file = format!("sqlite:{}", place.path("data/svc.db").display());
    command.args(["migrate", "--from", &file, "--to", url]);
    command
}

/// With which words a command says that its settings are wrong.
fn wrong_setup(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(78), "{message}");
    message
}

async fn read(server: &Server) -> Answers {
    let mut answers = Vec::new();
    for path in READ {
        let url = format!("http://{}{path}", server.address());
        let answer = http_client().get(url).send().await.unwrap();
        answers.push((answer.status(), answer.text().await.unwrap()));
    }
    answers
}

/// Reads until the answers are as expected; if they never are, the last ones. What is searched is
/// indexed in the background.
async fn read_until(server: &Server, are_expected: impl Fn(&Answers) -> bool) -> Answers {
    let mut answers = read(server).await;
    let expected = async {
        while !are_expected(&answers) {
            yield_now().await;
            answers = read(server).await;
        }
    };
    // The caller compares what came.
    let _ = timeout(PATIENCE, expected).await;
    answers
}

/// Adds accounts to the file of a server that has ended; the name of the last.
fn add_accounts(place: &Place) -> String {
    let asked = env::var_os(ACCOUNTS).and_then(|text| text.to_str()?.parse().ok());
    let count: u32 = asked.unwrap_or(1_000);
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    database.execute(CROWD, [count]).unwrap();
    database.execute(KEYS, []).unwrap();
    format!("crowd_{count}")
}

/// Runs a command that moves data, and kills it when it has copied its first table.
fn kill_amid(mut command: Command) {
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(line.starts_with("copied"), "{line}");
}

#[tokio::test]
async fn a_server_on_sqlite_moves_to_postgres_in_spite_of_crashes() {
    let Some(url) = database().await else { return };
    let place = Place::new();
    let server = place.serve_by(place.program().args(PUBLIC_URL).args(["--dev", "--demo"]));
    let mover = server.client().auth().register_agent("mover").await.unwrap();
    let posts = server.client_of(&mover.api_key);
    let post = posts.posts().create("hi").idempotency_key("one").await.unwrap().post;
    let is_found = |read: &Answers| read[6].1.contains("post_") && read[7].1.contains("usr_");
    let before = read_until(&server, is_found).await;
    assert!(is_found(&before), "{before:?}");
    assert!(before.iter().all(|(status, _)| *status == StatusCode::OK), "{before:?}");

    let output = moving(&place, &url).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("is served by process"));
    server.stop().await;
    let last = add_accounts(&place);
    kill_amid(moving(&place, &url));
    for crash in ["before-commit=return", "after-commit=return"] {
        assert!(!moving(&place, &url).env("FAILPOINTS", crash).output().unwrap().status.success());
    }
    let output = moving(&place, &url).output().unwrap();
    let (printed, error) = (String::from_utf8(output.stdout).unwrap(), output.stderr);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&error));
    assert!(printed.contains("moved") && !printed.contains("BROKEN"), "{printed}");

    let mut refused = place.program();
    let output = refused.arg("audit").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("was moved to"));
    assert_eq!(moving(&place, &url).output().unwrap().status.code(), Some(78));

    let on_postgres = ["--database-url", &url];
    let server = place.serve_by(place.program().args(PUBLIC_URL).args(on_postgres));
    assert_eq!(read_until(&server, |read| *read == before).await, before);
    server.client().users().get(&*last).await.unwrap();
    let posts = server.client_of(&mover.api_key);
    let again = posts.posts().create("hi").idempotency_key("one").await.unwrap().post;
    assert_eq!(again.id, post.id, "stored answers have moved too");
    let reply = posts.posts().reply(&post.id, "again").await.unwrap().post;
    assert!(reply.id > post.id);
    server.stop().await;
}

#[tokio::test]
async fn a_file_in_which_the_audit_finds_something_can_still_be_served() {
    let Some(url) = database().await else { return };
    let place = Place::new();
    let server = place.serve_by(place.program().arg("--dev"));
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    let damage = "update ledger_account set balance = balance + 1 where kind = 'user'";
    assert_eq!(database.execute(damage, []).unwrap(), 1);
    drop(database);
    let error = String::from_utf8(unread(&mut moving(&place, &url)).stderr).unwrap();
    assert!(error.contains("the audit found something"), "{error}");
    let audit = unread(place.program().arg("audit"));
    assert_eq!(audit.status.code(), Some(1), "{}", String::from_utf8_lossy(&audit.stderr));
    place.serve().stop().await;
}

#[tokio::test]
async fn a_server_moves_to_no_database_of_another() {
    let Some(url) = database().await else { return };
    let (place, other) = (Place::new(), Place::new());
    let refusal = || {
        let output = moving(&place, &url).output().unwrap();
        assert_eq!(output.status.code(), Some(78));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal().contains("--from: there is no file"), "{}", refusal());
    assert!(!place.path("data/svc.db.lock").exists());

    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    let server = other.serve_by(other.program().args(["--database-url", &url]));
    assert!(refusal().contains("a server runs on this database"), "{}", refusal());
    server.client().auth().register_agent("bob").await.unwrap();
    server.stop().await;
    assert!(refusal().contains("has accounts that are not those of"), "{}", refusal());
    assert!(refusal().contains("(account differs)"), "{}", refusal());

    place.serve().stop().await;
    let server = other.serve_by(other.program().args(["--database-url", &url]));
    server.client().users().get("bob").await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_database_of_another_encoding_is_refused() {
    let create = || {
        let cluster = postgres::postgres()?;
        let mut url = Url::parse(&cluster.database()).unwrap();
        let name = format!("{}_ascii", url.path().trim_start_matches('/'));
        cluster.execute(&format!("drop database if exists {name}"));
        cluster.execute(&format!(
            "create database {name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'"
        ));
        url.set_path(&name);
        Some(url.to_string())
    };
    let Some(url) = spawn_blocking(create).await.unwrap() else { return };
    let place = Place::new();
    place.serve().stop().await;
    let mut migrating = place.program();
    migrating.args(["--database-url", &url, "migrate"]);
    for command in [&mut moving(&place, &url), &mut migrating] {
        let message = wrong_setup(command);
        assert!(message.contains("has the encoding SQL_ASCII, but must have UTF8"), "{message}");
    }
    place.serve().stop().await;
}

#[tokio::test]
async fn a_role_without_rights_is_named_as_the_cause() {
    let create = || {
        let cluster = postgres::postgres()?;
        let mut url = Url::parse(&cluster.database()).unwrap();
        let role = format!("{}_stranger", url.path().trim_start_matches('/'));
        cluster.execute(&format!("drop role if exists {role}"));
        cluster.execute(&format!("create role {role} login"));
        url.set_username(&role).unwrap();
        Some(url.to_string())
    };
    let Some(url) = spawn_blocking(create).await.unwrap() else { return };
    let message = Place::new().refused(&["--database-url", &url, "migrate"]);
    assert!(message.contains("the role must own the database and its tables"), "{message}");
}

#[tokio::test]
async fn a_user_or_a_database_that_postgres_does_not_have_is_a_wrong_setting() {
    let Some(database) = database().await else { return };
    let mut urls = [0, 1].map(|_| Url::parse(&database).unwrap());
    urls[0].set_username("stranger").unwrap();
    urls[1].set_path("/nowhere");
    for (url, named) in urls.iter().zip(["role \"stranger\"", "database \"nowhere\""]) {
        for command in ["serve", "audit", "migrate"] {
            let place = Place::new();
            let mut program = place.program();
            program.args(["--database-url", url.as_str(), "--listen", "127.0.0.1:0"]);
            let message = wrong_setup(program.args(["--mqtt-listen", "off", command]));
            assert!(message.contains("database_url: can't connect to"), "{message}");
            assert!(message.contains(&format!("{named} does not exist")), "{message}");
        }
    }
}

#[tokio::test]
async fn a_file_of_another_version_is_not_moved() {
    let place = Place::new();
    place.serve().stop().await;
    let last = "(select max(version) from refinery_schema_history)";
    let earlier = format!("delete from refinery_schema_history where version = {last}");
    let later = format!(
        "insert into refinery_schema_history select version + 2, 'later', applied_on, checksum
         from refinery_schema_history where version = {last}"
    );
    for (change, fix) in
        [(earlier, "`svc-server migrate`"), (later, "use the program that served the file last")]
    {
        let file = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
        assert_eq!(file.execute(&change, []).unwrap(), 1);
        drop(file);
        let message = wrong_setup(&mut moving(&place, "postgres://svc@127.0.0.1:1/svc"));
        assert!(message.contains(fix), "{message}");
    }
}
