//! Lines of the log, which keep nobody waiting.
//!
//! A write to a terminal that was stopped (Ctrl-S), or to a program that has ceased to read, does not return. Each
//! request logs a line, so before long all threads would wait there, and not even a signal would end the server. So a
//! line waits for its reader for a moment and is dropped then.

use std::io::{self, Stderr, Write};
use std::mem;
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use tracing_subscriber::fmt::MakeWriter;

/// How long a line waits. Those after a line that was dropped do not wait, until one is written.
const WAIT_MAX: Duration = Duration::from_millis(100);

/// Where lines are written. Clones share it.
#[derive(Debug)]
pub struct LogLines<W>(Arc<Shared<W>>);

#[derive(Debug)]
struct Shared<W> {
    out: W,
    state: Mutex<State>,
    /// Notified when the next line may be written.
    freed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Whether a line is being written.
    is_busy: bool,
    /// Lines that were dropped since the last one that was written.
    dropped: u64,
}

impl<W> Clone for LogLines<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl LogLines<Stderr> {
    /// Writes to stderr.
    pub fn on_stderr() -> Self {
        Self::on(io::stderr())
    }
}

impl<W: AsFd> LogLines<W>
where
    for<'a> &'a W: Write,
{
    fn on(out: W) -> Self {
        Self(Arc::new(Shared { out, state: Mutex::default(), freed: Condvar::new() }))
    }

    /// Writes a line, or drops it. Returns how many were dropped before it, if it was written.
    fn write_line(&self, line: &[u8]) -> u64 {
        let Some(wait) = self.begin() else { return 0 };
        let mut out = &self.0.out;
        let is_taken = takes(out, wait);
        if is_taken {
            // One that can't be written, as on a full disk, is lost.
            let _ = out.write_all(line);
        }
        self.end(is_taken)
    }

    /// Waits until no other line is being written. Returns how long this one may wait for its reader; `None` if it is
    /// dropped.
    fn begin(&self) -> Option<Duration> {
        let state = self.state();
        let wait = if state.dropped == 0 { WAIT_MAX } else { Duration::ZERO };
        let waited = self.0.freed.wait_timeout_while(state, wait, |state| state.is_busy);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_busy {
            state.dropped += 1;
            return None;
        }
        state.is_busy = true;
        Some(wait)
    }

    /// Lets the next line be written.
    fn end(&self, is_written: bool) -> u64 {
        let mut state = self.state();
        state.is_busy = false;
        let mut dropped = 0;
        if is_written {
            dropped = mem::take(&mut state.dropped);
        } else {
            state.dropped += 1;
        }
        drop(state);
        self.0.freed.notify_one();
        dropped
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a write there returns at once, now or within this time.
fn takes(out: &impl AsFd, wait: Duration) -> bool {
    let Ok(wait) = Timespec::try_from(wait) else { return true };
    let ready = retry_on_intr(|| poll(&mut [PollFd::new(out, PollFlags::OUT)], Some(&wait)));
    // What the system can't tell is tried.
    ready.unwrap_or(1) > 0
}

impl Write for LogLines<Stderr> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let dropped = self.write_line(line);
        if dropped > 0 {
            tracing::warn!(dropped, "nobody read the log for a while, and lines were dropped");
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogLines<Stderr> {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// A quarter of a page of a pipe.
    const LINE: [u8; 1_024] = [b'x'; 1_024];

    #[test]
    fn lines_that_nobody_reads_are_dropped_and_counted() {
        let (mut reader, writer) = io::pipe().unwrap();
        let log = LogLines::on(writer);
        while log.state().dropped == 0 {
            assert_eq!(log.write_line(&LINE), 0);
        }
        for dropped in 2..5 {
            assert_eq!(log.write_line(&LINE), 0);
            assert_eq!(log.state().dropped, dropped);
        }
        let mut page = [0; 4 * LINE.len()];
        reader.read_exact(&mut page).unwrap();
        assert_eq!(log.write_line(&LINE), 4);
        assert_eq!(log.state().dropped, 0);
    }

    #[test]
    fn a_line_that_is_stuck_keeps_no_other_waiting() {
        let (mut reader, writer) = io::pipe().unwrap();
        let log = LogLines::on(writer);
        assert_eq!(log.begin(), Some(WAIT_MAX));
        assert_eq!(log.write_line(b"two\n"), 0);
        assert_eq!(log.end(true), 1);
        assert_eq!(log.write_line(b"three\n"), 0);
        drop(log);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "three\n");
    }
}
