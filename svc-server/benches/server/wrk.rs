//! Throughput by `wrk`, which takes far less of the machine than the server that it measures.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::load::Shot;

/// Whether it is installed.
pub(crate) fn is_there() -> bool {
    Command::new("wrk").arg("-v").output().is_ok()
}

/// How long an answer may take: a peer that is slow fails nothing.
const TIMEOUT: &str = "30s";

/// Requests per second of this many connections for this time, in whole seconds. The shots follow
/// one another over all connections.
pub(crate) fn per_second(
    address: SocketAddr,
    connections: usize,
    length: Duration,
    shots: &[Shot],
) -> f64 {
    let script = script(shots);
    let seconds = length.as_secs_f64().ceil();
    let mut command = Command::new("wrk");
    command.args(["--threads", "1", "--connections", &connections.to_string()]);
    command.args(["--duration", &format!("{seconds}s"), "--timeout", TIMEOUT]);
    command.arg("--script").arg(script.path());
    let output = command.arg(format!("http://{address}")).output().expect("wrk can be started");
    let report = String::from_utf8_lossy(&output.stdout);
    rate(&report).unwrap_or_else(|| panic!("{}: wrk reports no rate:\n{report}", shots[0].path))
}

/// The rate in a report, unless a request failed.
fn rate(report: &str) -> Option<f64> {
    let has_failed = report.contains("Non-2xx") || report.contains("Socket errors");
    let line = report.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
    line.filter(|_| !has_failed)?.trim().parse().ok()
}

/// The Lua program that sends the shots. Long brackets take texts as they are.
fn script(shots: &[Shot]) -> NamedTempFile {
    let mut lua = String::from("local shots, last = {}, 0\ninit = function()\n");
    for shot in shots {
        let headers = shot.headers();
        let headers = headers.iter().map(|(name, value)| format!("[ [[{name}]] ]=[[{value}]]"));
        let headers = headers.collect::<Vec<_>>().join(", ");
        let body = shot.body.as_ref().map_or("nil".to_owned(), |body| format!("[=[{body}]=]"));
        let (method, path) = (&shot.method, &shot.path);
        let request = format!("wrk.format([[{method}]], [[{path}]], {{{headers}}}, {body})");
        writeln!(lua, "shots[#shots + 1] = {request}").expect("text grows");
    }
    lua.push_str("end\nrequest = function() last = last % #shots + 1; return shots[last] end\n");
    let mut file = NamedTempFile::with_suffix(".lua").expect("a file can be made");
    file.write_all(lua.as_bytes()).expect("the file can be written");
    file
}
