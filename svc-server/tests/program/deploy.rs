//! The files of `deploy/`: the programs that read them accept them, and what they name exists.

mod alerts;
mod proxies;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use svc_server::testing::until;
use svc_store::testing::left_out;

use crate::process::{Place, Server};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Where Debian puts programs that `PATH` may lack.
const PLACES: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a program of somebody else, if it is here, and expects it to accept a file.
fn accepts(program: &str, arguments: &[&str]) {
    let ran = Command::new(program).args(arguments).env("PATH", PLACES).output();
    let Ok(output) = ran else { return left_out(program) };
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{program} {arguments:?}: {errors}{said}");
}

/// A copy of a file whose certificates are in the folder of the test.
fn with_certificates(place: &Place, file: &str) -> String {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["svc.example.org".to_owned()]).unwrap();
    let (certificate, key) = (cert.pem(), signing_key.serialize_pem());
    fs::write(place.path("fullchain.pem"), &certificate).unwrap();
    fs::write(place.path("privkey.pem"), &key).unwrap();
    fs::write(place.path("svc.pem"), certificate + &key).unwrap();
    let folder = place.path("");
    text(file).replace("/etc/ssl/svc/", &format!("{}/", folder.display()))
}

#[test]
fn haproxy_accepts_its_file() {
    let place = Place::new();
    let file = place.path("haproxy.cfg");
    fs::write(&file, with_certificates(&place, "deploy/haproxy/haproxy.cfg")).unwrap();
    accepts("haproxy", &["-c", "-f", file.to_str().unwrap()]);
}

#[test]
fn nginx_accepts_its_file() {
    let place = Place::new();
    let file = place.path("nginx.conf");
    let server = with_certificates(&place, "deploy/nginx/svc.conf");
    let folder = place.path("").display().to_string();
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}/{name};"));
    let http = format!("http {{ access_log off; {} {server} }}", paths.concat());
    fs::write(&file, format!("pid {folder}/pid; events {{}} {http}")).unwrap();
    accepts("nginx", &["-t", "-q", "-e", "stderr", "-c", file.to_str().unwrap()]);
}

#[test]
fn caddy_accepts_its_file() {
    let file = root().join("deploy/caddy/Caddyfile");
    accepts("caddy", &["adapt", "--adapter", "caddyfile", "--config", file.to_str().unwrap()]);
}

#[test]
fn systemd_accepts_the_units() {
    let place = Place::new();
    let units = ["svc-server.service", "svc-backup.service"];
    for name in units {
        let unit = text(&format!("deploy/systemd/{name}"));
        let unit = unit.replace("/usr/local/bin/svc-server", env!("CARGO_BIN_EXE_svc-server"));
        // Who runs it exists where it is installed.
        fs::write(place.path(name), unit.replace("User=svc\n", "")).unwrap();
    }
    for name in units {
        let file = place.path(name);
        accepts("systemd-analyze", &["verify", "--man=no", file.to_str().unwrap()]);
    }
}

#[tokio::test]
async fn the_unit_of_backups_makes_one() {
    let place = Place::new();
    let unit = text("deploy/systemd/svc-backup.service");
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let (folder, copies) = (place.path("data"), place.path("copies"));
    place.serve().stop().await;
    fs::create_dir(&copies).unwrap();
    fs::write(place.path("svc.toml"), "").unwrap();
    let start = start
        .replace("/var/lib/svc", folder.to_str().unwrap())
        .replace("/var/backups/svc", copies.to_str().unwrap())
        .replace("/etc/svc/svc.toml", place.path("svc.toml").to_str().unwrap());
    let mut words = start.split(' ');
    assert_eq!(words.next(), Some("/usr/local/bin/svc-server"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    let running = Server::start(command.args(words)).expect("it runs");
    let is_made = async || {
        let names = fs::read_dir(&copies).unwrap().map(|entry| entry.unwrap().file_name());
        let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.iter().any(|name| name.starts_with("svc-") && name.ends_with("Z.tar"))
    };
    until("a backup is made", is_made).await;
    running.stop().await;
}

#[test]
fn the_server_accepts_the_settings_of_the_unit() {
    let place = Place::new();
    let key = format!("{}A=", "B".repeat(42));
    let settings = text("deploy/systemd/svc.toml").replace("32 bytes in base64", &key);
    fs::write(place.path("svc.toml"), settings).unwrap();
    let shown = place.run(&["--config", place.path("svc.toml").to_str().unwrap(), "config"]);
    assert!(shown.contains("listen = \"10.0.0.11:8787\""), "{shown}");
}

#[test]
fn the_image_copies_only_what_exists() {
    let (image, manifest) = (text("deploy/Dockerfile"), text("Cargo.toml"));
    let copied = image.lines().filter_map(|line| line.strip_prefix("COPY "));
    for line in copied.filter(|line| !line.starts_with("--from")) {
        for file in line.split(' ').rev().skip(1) {
            assert!(root().join(file).exists(), "COPY {file}");
        }
    }
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    for member in members.split('"').skip(1).step_by(2) {
        let folder = member.split('/').next().unwrap();
        assert!(image.contains(&format!("COPY {folder} {folder}\n")), "{member} is not copied");
    }
    assert!(image.contains("COPY .cargo .cargo\n"), "SQLite is compiled without its options");
    let version = manifest.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(image.contains(&format!("FROM rust:{version}-")), "{version}");
    assert!(image.contains("--profile dist") && manifest.contains("[profile.dist]"));
    // A flag of the entry point could not be replaced, and commands by `docker exec` would not have it.
    assert!(image.ends_with("ENTRYPOINT [\"/usr/local/bin/svc-server\"]\n"), "{image}");
    let help = Place::new().run(&["--help"]);
    let variables = image.lines().find_map(|line| line.strip_prefix("ENV ")).unwrap();
    for variable in variables.split(' ') {
        let (name, _) = variable.split_once('=').unwrap();
        assert!(help.contains(&format!("[env: {name}=")), "{name}");
    }
}

/// The seconds that follow a word in a file.
fn seconds_after(text: &str, word: &str) -> u64 {
    let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("no {word}"));
    rest.split_once('s').unwrap().0.parse().unwrap()
}

#[test]
fn the_broker_is_announced_as_the_proxy_serves_it() {
    let settings: toml::Table = text("deploy/systemd/svc.toml").parse().unwrap();
    let port = settings["mqtt_listen"].as_str().unwrap().rsplit(':').next().unwrap();
    let proxy = text("deploy/haproxy/haproxy.cfg");
    for line in [format!("    bind :{port}\n"), format!("    server node1 10.0.0.11:{port}\n")] {
        assert!(proxy.contains(&line), "{line}");
    }
    assert!(settings.contains_key("mqtt_tls_cert"), "TLS ends at the broker");
}

#[test]
fn a_failover_loses_no_commit_and_the_database_is_reached_only_by_tls() {
    let patroni = text("deploy/patroni/patroni.yml");
    for line in [
        "    synchronous_mode: true",
        "    failsafe_mode: true",
        "    - data-checksums",
        "    ssl: \"on\"",
        // No rule lets Patroni in by TCP.
        "  use_unix_socket: true",
        "  authentication: {username: patroni, password: secret}",
    ] {
        assert!(patroni.lines().any(|own| own == line), "{line}");
    }
    let (_, rules) = patroni.split_once("  pg_hba:\n").unwrap();
    for rule in rules.lines().map_while(|line| line.strip_prefix("    - ")) {
        let is_safe = rule.starts_with("hostssl ") && rule.ends_with(" scram-sha-256");
        assert!(is_safe || rule == "local all postgres peer", "{rule}");
    }
    let pooler = text("deploy/pgbouncer/pgbouncer.ini");
    for line in [
        "auth_type = scram-sha-256",
        "client_tls_sslmode = require",
        "server_tls_sslmode = verify-ca",
    ] {
        assert!(pooler.lines().any(|own| own == line), "{line}");
    }
    let proxy = text("deploy/haproxy/haproxy.cfg");
    let (_, databases) = proxy.split_once("\nlisten postgres\n").unwrap();
    for line in ["    bind 127.0.0.1:5432", "    option httpchk OPTIONS /primary"] {
        assert!(databases.lines().any(|own| own == line), "{line}");
    }
    // TLS is off by default where the URL names this machine, and the rules above demand it.
    let url = proxy.lines().find_map(|line| line.strip_prefix("# postgres://")).unwrap();
    assert!(url.contains("@127.0.0.1/svc?sslmode=verify-ca&sslrootcert="), "{url}");
    assert!(databases.contains(" on-marked-down shutdown-sessions\n"), "an old primary is left");
}

#[test]
fn the_units_run_as_their_own_user_with_few_rights_and_end_in_time() {
    let (_, webhooks) = svc_core::config::DEFAULT.split_once("\n[webhooks]\n").unwrap();
    let calls = seconds_after(webhooks, "\ntimeout = \"");
    for name in ["svc-server", "svc-backup"] {
        let unit = text(&format!("deploy/systemd/{name}.service"));
        for line in [
            "User=svc",
            "UMask=0077",
            "NoNewPrivileges=true",
            "CapabilityBoundingSet=",
            "ProtectSystem=strict",
            "ProtectHome=true",
            "PrivateTmp=true",
            "Restart=on-failure",
            // Wrong settings: another start would end like this one.
            "RestartPreventExitStatus=78",
        ] {
            assert!(unit.lines().any(|own| own == line), "{name}: {line}");
        }
        let stop_timeout = unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec="));
        let stop_timeout: u64 = stop_timeout.unwrap().parse().unwrap();
        assert!(stop_timeout > calls + 10, "{name} is killed while calls of webhooks end");
    }
    let server = text("deploy/systemd/svc-server.service");
    assert!(server.contains("\nStateDirectoryMode=0700\n"));
    assert!(text("deploy/Dockerfile").contains("\nUSER svc\n"), "nor is the image run as root");
}

#[test]
fn a_server_is_restarted_however_long_its_database_is_down() {
    let place = Place::new();
    let mut command = place.program();
    command.args(["--database-url", "postgres://svc@127.0.0.1:1/svc", "--mqtt-listen", "off"]);
    let output = command.args(["--listen", "127.0.0.1:0"]).output().unwrap();
    let unit = text("deploy/systemd/svc-server.service");
    let never = unit.lines().find_map(|line| line.strip_prefix("RestartPreventExitStatus="));
    let code = output.status.code().unwrap().to_string();
    assert_ne!(never, Some(&*code));
    assert!(unit.contains("\nStartLimitIntervalSec=0\n"), "else systemd gives up in seconds");
}
