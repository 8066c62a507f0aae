//! Programs and tables of different versions.

use std::fs::File;
use std::net::TcpListener;
use std::process::Command;

use ::postgres::{Client, NoTls};
use rusqlite::Connection;
use serde_json::Value;
use svc_store::testing::postgres;
use tokio::task::spawn_blocking;

use crate::process::{Place, Server, database, refused};

/// A later program's migration that only adds.
const ADDS: &str = "
    insert into refinery_schema_history (version, name, applied_on, checksum)
    select 900, 'labels_since_' || max(version), max(applied_on), '1' from refinery_schema_history;
    alter table account add column label text;";

/// One that earlier programs can't use the tables after.
const CHANGES: &str = "
    insert into refinery_schema_history (version, name, applied_on, checksum)
    select 901, 'names', max(applied_on), '2' from refinery_schema_history;";

/// Makes the tables look like those of the previous version.
const BEFORE: &str = "
    delete from refinery_schema_history
    where version = (select max(version) from refinery_schema_history);";

/// Forgets the migrations from the one on that changes tables which exist.
const BEFORE_PRIVACY: &str = "
    begin read write;
    delete from refinery_schema_history where version >= 76;
    commit";

/// Drops the last of the partitions that were made ahead.
const WITHOUT_PARTITION: &str = "
    begin read write;
    do $$ begin
        execute (
            select 'drop table ' || max(cast(relname as text)) from pg_class
            where cast(relname as text) similar to 'idempotency_[0-9]{10}'
        );
    end $$;
    commit";

/// Holds all tables, as `pg_dump` does until it has written them. PostgreSQL ends it at some time.
const HOLD: &str = "
    begin;
    set local idle_in_transaction_session_timeout = '20s';
    do $$ declare held text; begin
        for held in select tablename from pg_tables where schemaname = 'public' loop
            execute format('lock table %I in access share mode', held);
        end loop;
    end $$";

/// A server's program on a database; on a file in its folder if there is none.
fn program(place: &Place, database: Option<&str>) -> Command {
    let mut program = place.program();
    program.args(database.iter().flat_map(|url| ["--database-url", url]));
    program
}

/// Runs statements in that database.
async fn migrate(place: &Place, database: Option<String>, statements: &'static str) {
    let file = place.path("data/svc.db");
    let run = move || match database {
        Some(url) => {
            // The role reads by default.
            let statements = format!("begin read write; {statements} commit");
            Client::connect(&url, NoTls).unwrap().batch_execute(&statements).unwrap();
        }
        None => Connection::open(file).unwrap().execute_batch(statements).unwrap(),
    };
    spawn_blocking(run).await.unwrap();
}

async fn a_program_runs_on_later_tables_as_long_as_they_only_grew(database: Option<String>) {
    let place = Place::new();
    let on_database = || program(&place, database.as_deref());
    let server = place.serve_by(&mut on_database());
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;

    migrate(&place, database.clone(), ADDS).await;
    let server = place.serve_by(&mut on_database());
    server.client().auth().register_agent("bob").await.unwrap();
    assert_eq!(server.client().users().get("ada").await.unwrap().user.username, "ada");
    server.stop().await;
    assert!(on_database().arg("audit").output().unwrap().status.success());

    migrate(&place, database.clone(), CHANGES).await;
    for command in ["serve", "audit"] {
        let free = ["--listen", "127.0.0.1:0", "--mqtt-listen", "off"];
        let output = on_database().arg(command).args(free).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{command}: {error}");
        assert!(error.contains("the tables have version 901"), "{command}: {error}");
        assert!(error.contains("start a later program"), "{command}: {error}");
    }
}

#[tokio::test]
async fn a_program_runs_on_a_later_file_as_long_as_it_only_grew() {
    a_program_runs_on_later_tables_as_long_as_they_only_grew(None).await;
}

#[tokio::test]
async fn a_program_runs_on_later_tables_of_postgres_as_long_as_they_only_grew() {
    let Some(database) = database().await else { return };
    a_program_runs_on_later_tables_as_long_as_they_only_grew(Some(database)).await;
}

async fn commands_do_not_migrate_the_tables_of_an_earlier_server(database: Option<String>) {
    let place = Place::new();
    let on_database = || program(&place, database.as_deref());
    place.serve_by(&mut on_database()).stop().await;
    migrate(&place, database.clone(), BEFORE).await;
    for command in [
        &["admin", "list-users"][..],
        &["admin", "grant-role", "ada", "admin"],
        &["blobs", "move"],
        &["webhooks", "reseal"],
        &["webhooks", "reseal", "--lost"],
        &["audit"],
        &["reconcile"],
    ] {
        let output = on_database().args(command).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(78), "{command:?}: {error}");
        let reason = "start the server of this version first";
        assert!(error.contains("but this program needs") && error.contains(reason), "{error}");
    }
}

#[tokio::test]
async fn commands_do_not_migrate_the_file_of_an_earlier_server_and_back_it_up_as_it_is() {
    commands_do_not_migrate_the_tables_of_an_earlier_server(None).await;
    let place = Place::new();
    place.serve().stop().await;
    migrate(&place, None, BEFORE).await;
    place.run(&["backup", "copy.tar"]);
    assert_eq!(
        place.program().args(["admin", "list-users"]).output().unwrap().status.code(),
        Some(78)
    );
}

#[tokio::test]
async fn commands_do_not_migrate_the_tables_of_an_earlier_server_on_postgres() {
    let Some(database) = database().await else { return };
    commands_do_not_migrate_the_tables_of_an_earlier_server(Some(database)).await;
}

async fn a_server_whose_port_is_taken_leaves_the_tables_of_an_earlier_server(
    database: Option<String>,
) {
    let place = Place::new();
    let on_database = || program(&place, database.as_deref());
    place.serve_by(&mut on_database()).stop().await;
    migrate(&place, database.clone(), BEFORE).await;
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap().to_string();
    let free = "127.0.0.1:0";
    for (listen, mqtt, metrics, purpose) in [
        (&*taken, "off", "off", ""),
        (free, &*taken, "off", " for MQTT"),
        (free, "off", &*taken, " for metrics"),
    ] {
        let ports = ["--listen", listen, "--mqtt-listen", mqtt, "--metrics-listen", metrics];
        let output = on_database().args(ports).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("can't listen on {taken}{purpose}: ")), "{error}");
        let output = on_database().args(["admin", "list-users"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("start the server of this version first"), "{error}");
    }
}

#[tokio::test]
async fn a_server_whose_port_is_taken_leaves_the_file_of_an_earlier_server() {
    a_server_whose_port_is_taken_leaves_the_tables_of_an_earlier_server(None).await;
}

#[tokio::test]
async fn a_server_whose_port_is_taken_leaves_the_tables_of_an_earlier_server_on_postgres() {
    let Some(database) = database().await else { return };
    a_server_whose_port_is_taken_leaves_the_tables_of_an_earlier_server(Some(database)).await;
}

async fn a_server_logs_that_it_updates_the_tables(database: Option<String>) {
    let place = Place::new();
    let on_database = || program(&place, database.as_deref());
    place.serve_by(&mut on_database()).stop().await;
    assert!(!place.log().contains("updating the tables"), "it made them: {}", place.log());
    migrate(&place, database.clone(), BEFORE).await;
    let log = File::create(place.path("log")).unwrap();
    let ports = ["--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--print-addresses"];
    // What the last migration makes is there already, so the server may end.
    drop(Server::start(on_database().args(ports).stderr(log)));
    let log = place.log();
    let line = log.lines().find(|line| line.contains("updating the tables"));
    let line: Value = serde_json::from_str(line.unwrap_or_else(|| panic!("{log}"))).unwrap();
    let [from, to] = ["from", "to"].map(|name| line[name].as_i64().unwrap());
    assert!(from < to, "{line}");
}

#[tokio::test]
async fn a_server_logs_that_it_updates_the_tables_of_a_file() {
    a_server_logs_that_it_updates_the_tables(None).await;
}

#[tokio::test]
async fn a_server_logs_that_it_updates_the_tables_of_postgres() {
    let Some(database) = database().await else { return };
    a_server_logs_that_it_updates_the_tables(Some(database)).await;
}

/// A connection that holds all tables of a server that has ended, after these changes to them.
fn held(place: &Place, database: &str, changes: &str) -> Client {
    drop(place.serve_by(&mut program(place, Some(database))));
    let mut client = Client::connect(database, NoTls).unwrap();
    client.batch_execute(changes).unwrap();
    client.batch_execute(HOLD).unwrap();
    client
}

#[test]
fn a_migration_does_not_wait_for_a_backup_with_all_nodes_behind_it() {
    let Some(database) = postgres::postgres().map(postgres::Cluster::database) else { return };
    let place = Place::new();
    let mut backup = held(&place, &database, BEFORE_PRIVACY);
    let message = refused(program(&place, Some(&database)).arg("migrate"));
    assert!(message.contains("lock timeout") && message.contains("pg_dump"), "{message}");
    backup.batch_execute("commit").expect("it goes on meanwhile");
}

#[test]
fn a_start_does_not_wait_for_a_backup_that_holds_the_tables_of_partitions() {
    let Some(database) = postgres::postgres().map(postgres::Cluster::database) else { return };
    let place = Place::new();
    let mut backup = held(&place, &database, WITHOUT_PARTITION);
    drop(place.serve_by(&mut program(&place, Some(&database))));
    backup.batch_execute("commit").expect("it goes on meanwhile");
}
