//! The files of `deploy/`: the programs that read them accept them, and what they name exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use svc_client::types::api::media::{IMAGE_BYTES_MAX, IMAGES_MAX};
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

/// The files of a folder of `deploy/` by their names without the ending.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

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
fn the_image_is_made_of_what_exists() {
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
fn proxies_close_an_idle_connection_before_a_node_does() {
    let node = seconds_after(svc_core::config::DEFAULT, "head_timeout = \"");
    for (file, word) in
        [("nginx/svc.conf", "keepalive_timeout "), ("caddy/Caddyfile", "\t\t\tkeepalive ")]
    {
        let proxy = seconds_after(&text(&format!("deploy/{file}")), word);
        assert!(proxy * 2 <= node, "{file}: {proxy} s, a node: {node} s");
    }
}

#[test]
fn proxies_wait_longer_than_a_node_may_take() {
    let request = seconds_after(svc_core::config::DEFAULT, "request_timeout = \"");
    let node = svc_mcp::WAIT_MAX.as_secs() + request;
    for (file, word) in [
        ("nginx/svc.conf", "proxy_read_timeout "),
        ("haproxy/haproxy.cfg", "timeout client "),
        ("haproxy/haproxy.cfg", "timeout server "),
    ] {
        let proxy = seconds_after(&text(&format!("deploy/{file}")), word);
        assert!(proxy > node, "{file}: {proxy} s, a node: {node} s");
    }
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
fn proxies_pass_on_no_header_that_only_they_may_choose() {
    for (file, before, after) in [
        ("nginx/svc.conf", "    proxy_set_header ", " \"\";\n"),
        ("haproxy/haproxy.cfg", "    http-request del-header ", "\n"),
        ("caddy/Caddyfile", "\theader_up -", "\n"),
    ] {
        let text = text(&format!("deploy/{file}")).to_lowercase();
        for header in ["traceparent", "x-request-id"] {
            assert!(text.contains(&format!("{before}{header}{after}")), "{file}: {header}");
        }
    }
}

#[test]
fn proxies_say_who_the_client_is_whatever_that_says_itself() {
    // Caddy replaces what clients send by itself.
    for (file, line) in [
        ("nginx/svc.conf", "    proxy_set_header X-Forwarded-For $remote_addr;\n"),
        ("haproxy/haproxy.cfg", "    http-request set-header X-Forwarded-For %[src]\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}");
    }
}

#[test]
fn proxies_ask_nodes_whether_they_are_ready() {
    for (file, line) in [
        ("haproxy/haproxy.cfg", "    option httpchk GET /api/health/ready\n"),
        ("caddy/Caddyfile", "\t\thealth_uri /api/health/ready\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}");
    }
}

#[test]
fn proxies_pass_on_the_largest_upload_and_streams_at_once() {
    let nginx = text("deploy/nginx/svc.conf");
    let (_, rest) = nginx.split_once("client_max_body_size ").unwrap();
    let mebibytes: usize = rest.split_once("m;").unwrap().0.parse().unwrap();
    let (_, rest) = svc_core::config::DEFAULT.split_once("\nbody_bytes = ").unwrap();
    let other_fields: usize = rest.lines().next().unwrap().parse().unwrap();
    // The form of a post on a page.
    let largest = IMAGES_MAX * IMAGE_BYTES_MAX + other_fields;
    assert!(mebibytes * 1024 * 1024 > largest, "{mebibytes} MiB, and a form has {largest} bytes");
    for route in ["/api/v1/connect/stream", "/mcp"] {
        let (_, rest) = nginx.split_once(&format!("location = {route} {{")).unwrap();
        assert!(rest.split_once('}').unwrap().0.contains("proxy_buffering off;"), "{route}");
    }
    assert!(text("deploy/caddy/Caddyfile").contains("\tflush_interval -1\n"));
}

#[test]
fn proxies_repeat_only_requests_that_no_node_took_and_know_nobody_by_plain_text() {
    for (file, line) in [
        ("nginx/svc.conf", "    proxy_next_upstream error;\n"),
        ("nginx/svc.conf", "    return 301 https://$host$request_uri;\n"),
        ("nginx/svc.conf", "    ssl_protocols TLSv1.2 TLSv1.3;\n"),
        ("haproxy/haproxy.cfg", "    retry-on conn-failure\n"),
        ("haproxy/haproxy.cfg", "    http-request redirect scheme https unless { ssl_fc }\n"),
        ("haproxy/haproxy.cfg", "    ssl-default-bind-options ssl-min-ver TLSv1.2\n"),
    ] {
        assert!(text(&format!("deploy/{file}")).contains(line), "{file}: {line}");
    }
}

#[test]
fn a_failover_loses_no_commit_and_the_database_is_reached_by_tls_alone() {
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
        let patience = unit.lines().find_map(|line| line.strip_prefix("TimeoutStopSec="));
        let patience: u64 = patience.unwrap().parse().unwrap();
        assert!(patience > calls + 10, "{name} is killed while calls of webhooks end");
    }
    let server = text("deploy/systemd/svc-server.service");
    assert!(server.contains("\nStateDirectoryMode=0700\n"));
    assert!(text("deploy/Dockerfile").contains("\nUSER svc\n"), "nor is the image run as root");
}

#[test]
fn a_server_is_started_again_however_long_its_database_is_down() {
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

/// Whether a route matches a pattern of Prometheus whose only wildcard is `.*`.
fn is_like(route: &str, pattern: &str) -> bool {
    match pattern.split_once(".*") {
        None => route == pattern,
        Some((begin, rest)) => route.strip_prefix(begin).is_some_and(|left| {
            left.char_indices()
                .map(|(at, _)| at)
                .chain([left.len()])
                .any(|at| is_like(&left[at..], rest))
        }),
    }
}

/// The pattern of the routes that an alert leaves out.
fn left_out_by(alert: &str) -> String {
    let rules = text("deploy/prometheus/rules.yml");
    let (_, rule) = rules.split_once(&format!("- alert: {alert}\n")).unwrap();
    let (_, pattern) = rule.split_once("route!~\"").unwrap();
    pattern.split('"').next().unwrap().to_owned()
}

#[test]
fn what_load_balancers_ask_of_a_node_that_stops_is_no_error() {
    let left_out = left_out_by("SvcErrors");
    assert!(is_like("/api/health/ready", &left_out), "{left_out}");
    assert!(!is_like("/api/posts", &left_out), "{left_out}");
}

#[test]
fn routes_that_wait_on_purpose_are_not_slow() {
    let left_out = left_out_by("SvcSlow");
    let waits = |route: &str| left_out.split('|').any(|pattern| is_like(route, pattern));
    for route in [
        "/api/v1/connect/stream",
        "/mcp",
        "/a2a/{username}",
        "/a2a/{username}/message:send",
        "/api/orders/{orderId}",
        "/api/v1/billing/payments/{paymentId}",
        "/api/v1/credits/x402",
        "/api/webhooks/{webhookId}/test",
        "/settings/webhooks/{webhookId}/test",
    ] {
        assert!(waits(route), "{route}");
    }
    assert!(!waits("/api/posts") && !waits("/api/webhooks/{webhookId}") && !waits("/orders"));
}

#[test]
fn commands_in_runbooks_give_the_settings_of_the_server() {
    let settings = "svc-server --config /etc/svc/svc.toml --data-dir /var/lib/svc ";
    for name in names("deploy/runbooks") {
        let runbook = text(&format!("deploy/runbooks/{name}.md"));
        for command in ["admin", "audit", "reconcile"] {
            let bare = format!("svc-server {command}");
            assert!(!runbook.contains(&bare), "{name}: as printed, {bare} finds no database");
        }
        let typed = runbook.lines().filter(|line| line.trim_start().starts_with("sudo "));
        for line in typed {
            assert!(line.contains(settings), "{name}: {line}");
        }
    }
}

#[test]
fn every_alert_has_a_runbook() {
    let rules = text("deploy/prometheus/rules.yml");
    let alerts = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: "));
    let alerts: BTreeSet<String> = alerts.map(str::to_owned).collect();
    assert_eq!(alerts, names("deploy/runbooks"));
    for alert in alerts {
        assert!(rules.contains(&format!("runbook: runbooks/{alert}.md")), "{alert}");
    }
}
