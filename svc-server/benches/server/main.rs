//! Compares the server with its ceilings on the same machine: `cargo bench -p svc-server`.
//!
//! Each figure is a ratio of two loads that ran in turns against two processes on this machine; the
//! median and the range of the pairs are printed. The speed of the machine and its disk are printed
//! too, because absolute figures mean nothing without them.
//!
//! Throughput is measured by `wrk`, and MQTT beside rumqttd and mosquitto, which `.ci/run bench` installs;
//! without them those figures are left out. The load on several nodes comes from this program itself, and
//! is measured with what it took.
//!
//! `cargo bench -p svc-server -- reads` runs only parts whose names contain a word, and so does
//! `SVC_BENCH_PARTS=reads .ci/run bench`. `SVC_BENCH_SECONDS` and `SVC_BENCH_PAIRS` set the length and
//! number of the loads.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the table is the output")]
#![expect(clippy::disallowed_methods, reason = "a bench reads clocks and its environment")]

mod attacker;
mod ceiling;
mod cpu;
mod disk;
mod load;
mod parts;
mod process;
mod table;
mod wrk;

use std::process::ExitCode;

use table::Table;

fn main() -> ExitCode {
    // Ceilings and attackers are separate processes of this program.
    match std::env::args().nth(1).as_deref() {
        Some("--ceiling") => {
            ceiling::serve();
            return ExitCode::SUCCESS;
        }
        Some("--attack") => attacker::run(),
        _ => {}
    }
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime can be built");
    let mut table = Table::default();
    runtime.block_on(async {
        for (name, part) in parts::ALL {
            if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
                eprintln!("{name} …");
                part.run(&mut table).await;
            }
        }
    });
    print!("{table}");
    println!("{}", table.json());
    ExitCode::SUCCESS
}
