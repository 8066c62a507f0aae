//! Time that processes spend on processors, as Linux counts it.

use std::fs;

/// Ticks per second in `/proc/PID/stat`, on every current Linux.
const TICKS: f64 = 100.0;

/// Seconds of a process with all its threads.
pub(crate) fn seconds(id: u32) -> f64 {
    Stat::of(id).map_or(0.0, |stat| stat.own)
}

/// Seconds of a process and its children, also of those that have ended.
pub(crate) fn seconds_with_children(parent: u32) -> f64 {
    let whole = Stat::of(parent).map_or(0.0, |stat| stat.own + stat.ended);
    whole + children(parent).into_iter().map(seconds_of_thread).sum::<f64>()
}

/// The running children of a process.
fn children(parent: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").expect("the processes are listed").flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| Stat::of(*id).is_some_and(|stat| stat.parent == parent)).collect()
}

/// Seconds of a process with one thread: exact where the kernel counts nanoseconds. Ticks are too coarse for
/// fifty processes that each did little.
fn seconds_of_thread(id: u32) -> f64 {
    let counted = fs::read_to_string(format!("/proc/{id}/schedstat")).unwrap_or_default();
    let nanos = counted.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    let exact = nanos.filter(|nanos| *nanos > 0.0).map(|nanos| nanos / 1e9);
    exact.unwrap_or_else(|| seconds(id))
}

/// What one line says of a process.
struct Stat {
    parent: u32,
    /// Seconds of its own.
    own: f64,
    /// Seconds of its children that have ended.
    ended: f64,
}

impl Stat {
    /// `None` if there is no such process any more.
    fn of(id: u32) -> Option<Self> {
        let line = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name of the program stands in brackets, and may hold spaces and brackets itself.
        let (_, rest) = line.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            own: (ticks(11)? + ticks(12)?) / TICKS,
            ended: (ticks(13)? + ticks(14)?) / TICKS,
        })
    }
}
