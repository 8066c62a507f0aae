//! How a server starts and stops.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use svc_client::types::UserId;
use svc_core::ids;
use svc_server::testing::{in_time, until};
use svc_store::clock::Clock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::spawn_blocking;

use crate::process::{Place, Server, database, http_client};

/// A request the server has begun to answer; the last byte of its body is still missing.
struct Begun(TcpStream);

impl Begun {
    /// Sends all but the last byte of a sign-up.
    async fn send(server: &Server) -> Self {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let body = r#"{"username":"late","isAgent":true}"#;
        let head = format!(
            "POST /api/auth/register HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n\
             Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut begun = Self(stream);
        begun.read_until("100 Continue\r\n\r\n").await;
        begun.0.write_all(&body.as_bytes()[..body.len() - 1]).await.unwrap();
        begun
    }

    /// Sends the last byte; the answer is the whole response.
    async fn finish(mut self) -> String {
        self.0.write_all(b"}").await.unwrap();
        self.read_until("svc_ak_").await
    }

    async fn read_until(&mut self, end: &str) -> String {
        let mut text = String::new();
        let reading = async {
            while !text.contains(end) {
                let mut bytes = [0; 4096];
                let length = self.0.read(&mut bytes).await.unwrap();
                assert_ne!(length, 0, "{text:?}");
                text.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
            }
        };
        in_time(end, reading).await;
        text
    }
}

/// Waits until the port is closed.
async fn closed(server: &Server) {
    let is_closed = async || TcpStream::connect(server.address()).await.is_err();
    until("the port is closed", is_closed).await;
}

#[tokio::test]
async fn a_hangup_ends_no_server_that_has_no_terminal() {
    let place = Place::new();
    let server = place.serve();
    server.signal(Signal::HUP);
    until("the log says so", async || place.log().contains("SIGHUP changes nothing")).await;
    server.client().health().ready().await.unwrap();
    server.stop().await;
}

#[tokio::test]
async fn the_first_line_is_the_address_and_no_second_one_follows() {
    let place = Place::new();
    let server = place.serve();
    let (address, mqtt) = (server.address(), server.mqtt());
    let line = format!("{{\"http\":\"{address}\",\"mqtt\":\"{mqtt}\"}}\n");
    assert_eq!(server.first_line, line);
    std::net::TcpStream::connect(mqtt).unwrap();
    server.client().auth().register_agent("ada").await.unwrap();
    server.signal(Signal::TERM);
    let (status, rest) = server.end().await;
    assert_eq!((status.code(), &*rest), (Some(0), ""));
}

#[tokio::test]
async fn the_server_prints_its_address_and_next_steps() {
    let place = Place::new();
    let mut command = place.program();
    let free = ["--listen", "127.0.0.1:0", "--mqtt-listen", "off"];
    let command = command.arg("--dev").args(free).stderr(Stdio::null());
    let server = Server::start(command).unwrap();
    assert!(server.first_line.starts_with("listening  http://127.0.0.1:"), "{}", server.first_line);
    assert!(server.first_line.contains(place.path("data").to_str().unwrap()));
    server.signal(Signal::INT);
    let (status, rest) = server.end().await;
    let next: Vec<&str> = rest.lines().collect();
    assert!(next[0].starts_with("people     open http://127.0.0.1:"), "{rest}");
    assert!(next[0].ends_with("/ in a browser"), "{rest}");
    assert_eq!((status.code(), next[1]), (Some(0), "next steps:"));
    assert!(next.len() >= 5 && next[2].starts_with("  export SVC_URL=http://"), "{rest}");

    let mut command = place.program();
    let server = Server::start(command.args(free).stderr(Stdio::null())).unwrap();
    server.signal(Signal::INT);
    let (_, rest) = server.end().await;
    assert_eq!(rest.lines().count(), 1, "without --dev there is no copy of the sources: {rest}");
}

#[tokio::test]
async fn a_broker_that_is_off_has_no_address() {
    let place = Place::new();
    let off = ["--set", "mqtt_listen=off"];
    let server = place.serve_by(place.program().args(off));
    assert_eq!(server.first_line, format!("{{\"http\":\"{}\"}}\n", server.address()));
    server.stop().await;
}

#[tokio::test]
async fn only_the_server_may_read_the_data_folder() {
    let place = Place::new();
    let server = place.serve();
    let mode = |name| fs::metadata(place.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("data"), mode("data/svc.db")), (0o700, 0o600));
    server.stop().await;
}

#[tokio::test]
async fn a_start_warns_if_the_log_of_erased_accounts_is_gone() {
    let place = Place::new();
    let server = place.serve();
    server.client().auth().register_agent("ada").await.unwrap();
    server.stop().await;
    place.serve().stop().await;
    let warning = "there was no log of erased accounts";
    assert!(!place.log().contains(warning), "{}", place.log());
    fs::remove_file(place.path("data/erasures.log")).unwrap();
    place.serve().stop().await;
    assert!(place.log().contains(warning), "{}", place.log());
}

#[tokio::test]
async fn a_start_warns_of_secrets_in_settings_that_others_can_read() {
    let place = Place::new();
    let file = place.path("svc.toml");
    fs::write(&file, "[mail]\nurl = \"smtps://svc:hunter2@mail.example.org\"\n").unwrap();
    for (mode, is_warned) in [(0o640, false), (0o644, true)] {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        place.serve_by(place.program().arg("--config").arg(&file)).stop().await;
        let warning = "svc.toml, which holds a secret: chmod o=";
        assert_eq!(place.log().contains(warning), is_warned, "{mode:o}");
    }
    fs::write(&file, "listen = \"127.0.0.1:0\"\n[mail]\nfrom = \"svc@example.org\"\n").unwrap();
    let other = Place::new();
    other.serve_by(other.program().arg("--config").arg(&file)).stop().await;
    assert!(!other.log().contains("secret"), "{}", other.log());
}

#[tokio::test]
async fn a_start_warns_of_a_clock_that_is_behind_what_is_stored() {
    let place = Place::new();
    place.serve().stop().await;
    let warning = "the clock of this machine is behind";
    assert!(!place.log().contains(warning), "{}", place.log());
    let id: UserId = ids::first_of(Clock::system().now().plus(Duration::from_hours(2)));
    let id = id.as_str().replace("usr_", "aud_");
    let insert = format!(
        "insert into audit_log (id, actor, action, subject, detail, at)
         values ('{id}', 'operator', 'so', 'so', '', 1)"
    );
    rusqlite::Connection::open(place.path("data/svc.db")).unwrap().execute_batch(&insert).unwrap();
    place.serve().stop().await;
    assert!(place.log().contains(warning), "{}", place.log());
}

/// Notes more nodes than run, as if each had just renewed its lease.
async fn note_nodes(database: String, nodes: u32) {
    let note = move || {
        let mut client = ::postgres::Client::connect(&database, ::postgres::NoTls).unwrap();
        client.batch_execute("set default_transaction_read_only = off").unwrap();
        let insert = format!(
            "insert into node (number, holder, seen_at, bus)
             select n, 'other-' || n, clock_timestamp() + interval '1 h', 'postgres'
             from generate_series(1, {nodes}) n"
        );
        client.batch_execute(&insert).unwrap();
    };
    spawn_blocking(note).await.unwrap();
}

#[tokio::test]
async fn a_start_warns_of_more_connections_than_postgres_accepts() {
    let Some(database) = database().await else { return };
    let place = Place::new();
    let start = async || {
        let mut program = place.program();
        let set = ["--database-url", database.as_str(), "--set", "database.connections=16"];
        place.serve_by(program.args(set)).stop().await;
    };
    start().await;
    let warning = "the nodes may need more connections than PostgreSQL accepts";
    assert!(!place.log().contains(warning), "{}", place.log());
    // With this one there are 61, of 18 connections each.
    note_nodes(database.clone(), 60).await;
    start().await;
    let log = place.log();
    assert!(log.contains(warning) && log.contains("\"wanted\":1098"), "{log}");
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused_with_the_first_ones_id() {
    let place = Place::new();
    let server = place.serve();
    let message = place.refused(&["--listen", "127.0.0.1:0"]);
    assert!(
        message.contains(&format!("is served by process {} already", server.id())),
        "{message}"
    );
    let message = place.refused(&["migrate"]);
    assert!(
        message.contains(&format!("is served by process {} already", server.id())),
        "its tables are not changed under it: {message}"
    );
    server.client().auth().register_agent("ada").await.unwrap();
    server.kill();
    assert_eq!(place.run(&["migrate"]), "the tables are up to date\n");
    place.serve().stop().await;
}

/// Whether a server answers on a new connection.
async fn answers(server: &Server) -> bool {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    // It may be closed already.
    let _ = stream.write_all(b"GET /api/health/live HTTP/1.1\r\nHost: test\r\n\r\n").await;
    let mut bytes = [0; 64];
    let read = in_time("an answer, or the end", stream.read(&mut bytes)).await;
    read.is_ok_and(|length| length > 0)
}

#[tokio::test]
async fn clients_of_a_trusted_proxy_do_not_share_the_connections_of_one_address() {
    let place = Place::new();
    for proxy in [None, Some("trusted_proxies=127.0.0.1")] {
        let mut command = place.program();
        command.args(["--set", "limits.connections_per_address=2"]);
        command.args(proxy.iter().flat_map(|set| ["--set", set]));
        let server = place.serve_by(&mut command);
        let one = TcpStream::connect(server.address()).await.unwrap();
        let other = TcpStream::connect(server.address()).await.unwrap();
        assert_eq!(answers(&server).await, proxy.is_some(), "{proxy:?}");
        drop((one, other));
        server.stop().await;
    }
}

#[tokio::test]
async fn connections_over_the_limit_are_logged_once_in_a_while() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--set", "limits.connections=2"]));
    let one = TcpStream::connect(server.address()).await.unwrap();
    let other = TcpStream::connect(server.address()).await.unwrap();
    for _ in 0..3 {
        assert!(!answers(&server).await);
    }
    drop((one, other));
    server.stop().await;
    assert_eq!(place.log().matches("connections over limits.connections or").count(), 1);
}

/// The program with this limit on open files, as `ulimit` of a shell takes it.
fn with_files(place: &Place, limit: &str) -> Command {
    let program = place.program();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
    command.arg(program.get_program()).args(program.get_args()).current_dir(place.path(""));
    for (name, _) in program.get_envs() {
        command.env_remove(name);
    }
    command
}

#[tokio::test]
async fn a_server_may_open_as_many_files_as_its_connections_need() {
    let place = Place::new();
    let set = ["--set", "limits.connections=500", "--set", "limits.mqtt.connections=200"];
    let server = place.serve_by(with_files(&place, "-Sn 256").args(set));
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    let of_files = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let number = |at: usize| -> Option<u64> { of_files.split_whitespace().nth(at)?.parse().ok() };
    // The system may allow less, which comes second, or `unlimited`.
    let allowed = number(1).unwrap_or(u64::MAX);
    assert_eq!(number(0), Some(allowed.min(1_700)), "{limits}");
    server.stop().await;
}

#[tokio::test]
async fn connections_of_mqtt_that_cannot_be_accepted_are_logged_once_in_a_while() {
    let place = Place::new();
    // Its database takes more files on a machine with more cores.
    let server = place.serve_by(&mut with_files(&place, "-n 250"));
    let mut clients = Vec::new();
    for _ in 0..270 {
        clients.push(TcpStream::connect(server.mqtt()).await.unwrap());
    }
    // The server waits for a CONNECT for seconds, and tries to accept the others meanwhile.
    let mut byte = [0; 1];
    let closed = clients[0].read(&mut byte);
    assert_eq!(in_time("the first is closed", closed).await.unwrap_or(0), 0);
    server.stop().await;
    let log = place.log();
    assert_eq!(log.matches("failed to accept an MQTT connection").count(), 1, "{log}");
}

#[tokio::test]
async fn a_running_request_finishes_before_shutdown() {
    let place = Place::new();
    let server = place.serve();
    let begun = Begun::send(&server).await;
    server.signal(Signal::TERM);
    closed(&server).await;
    let response = begun.finish().await;
    assert!(response.starts_with("HTTP/1.1 201"), "{response}");
    assert_eq!(server.end().await.0.code(), Some(0));

    let server = place.serve();
    assert_eq!(server.client().users().get("late").await.unwrap().user.username, "late");
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_waits_for_its_database_can_be_stopped() {
    let place = Place::new();
    // It accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://svc@{}/svc", silent.local_addr().unwrap());
    let mut command = place.program();
    command.args(["--database-url", &url, "--listen", "127.0.0.1:0", "--mqtt-listen", "off"]);
    let mut starting = command.stderr(Stdio::null()).spawn().unwrap();
    let connected = in_time("it connects", silent.accept()).await;
    kill_process(Pid::from_child(&starting), Signal::TERM).unwrap();
    let ended = in_time("it ends", spawn_blocking(move || starting.wait().unwrap())).await;
    assert_eq!(ended.unwrap().code(), Some(0));
    drop(connected);
}

#[tokio::test]
async fn a_command_does_not_wait_for_a_database_that_is_silent() {
    let place = Place::new();
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("postgres://svc@{}/svc?connect_timeout=1", silent.local_addr().unwrap());
    let mut command = place.program();
    command.args(["--database-url", &url, "audit"]);
    let ended = in_time("it ends", spawn_blocking(move || command.output().unwrap())).await;
    let output = ended.unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("database_url: svc on 127.0.0.1 does not answer"), "{message}");
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let place = Place::new();
    let server = place.serve();
    let begun = Begun::send(&server).await;
    server.signal(Signal::TERM);
    closed(&server).await;
    server.signal(Signal::TERM);
    assert_eq!(server.end().await.0.code(), Some(1));
    drop(begun);
    place.serve().stop().await;
}

#[tokio::test]
async fn a_server_that_stops_is_not_ready_first_and_answers_meanwhile() {
    let place = Place::new();
    let server = place.serve_by(place.program().args(["--set", "stop.delay=3s"]));
    let client = server.client();
    client.health().ready().await.unwrap();
    server.signal(Signal::TERM);
    until("it is not ready", async || client.health().ready().await.is_err()).await;
    client.auth().register_agent("ada").await.expect("requests succeed meanwhile");
    let url = format!("http://{}/api/health/live", server.address());
    let answer = http_client().get(url).send().await.unwrap();
    assert_eq!(answer.headers()["connection"], "close", "else a proxy sends it one that is lost");
    TcpStream::connect(server.address()).await.expect("new connections are accepted");
    assert_eq!(server.end().await.0.code(), Some(0));
}
