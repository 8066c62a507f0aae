//! Lines of the log, which keep nobody waiting.
//!
//! A write to a terminal that was stopped (Ctrl-S), or to a program that has ceased to read, does not return. Each
//! request logs a line, so before long all threads would wait there, and not even a signal would end the server. So a
//! line waits for its reader for a moment and is dropped then.

use std::io::{self, IsTerminal, Stderr, Write};
use std::mem;
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use tracing_subscriber::fmt::MakeWriter;

/// How long a line waits for its reader. Those after a line that was dropped do not wait, until one is written.
const WAIT_MAX: Duration = Duration::from_millis(100);

/// How long a line waits for the one before it: on a busy machine, its thread may not run for a while.
const TURN_MAX: Duration = Duration::from_millis(500);

/// Most bytes of a write. A pipe that takes anything takes as many at once.
const PART_BYTES: usize = 4_096;

/// The same for a terminal.
const PART_BYTES_ON_TERMINAL: usize = 128;

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
    /// Whether the reader stopped in the middle of the last line that was begun.
    is_cut: bool,
}

/// What holds for a line that may be written now.
#[derive(Debug, Eq, PartialEq)]
struct Turn {
    /// How long it may wait for its reader.
    wait: Duration,
    /// Whether the line before it has no end.
    after_cut: bool,
}

/// How much of a line was written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Written {
    All,
    Part,
    Nothing,
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
        let Some(turn) = self.begin() else { return 0 };
        let written = if turn.after_cut {
            self.write_parts(&[&b"\n"[..], line].concat(), turn.wait)
        } else {
            self.write_parts(line, turn.wait)
        };
        self.end(written)
    }

    /// Waits until no other line is being written. `None` if that takes too long, and the line is dropped.
    fn begin(&self) -> Option<Turn> {
        let state = self.state();
        let wait = if state.dropped == 0 { TURN_MAX } else { Duration::ZERO };
        let waited = self.0.freed.wait_timeout_while(state, wait, |state| state.is_busy);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if state.is_busy {
            state.dropped += 1;
            return None;
        }
        state.is_busy = true;
        let wait = if state.dropped == 0 { WAIT_MAX } else { Duration::ZERO };
        let turn = Turn { wait, after_cut: state.is_cut };
        drop(state);
        Some(turn)
    }

    /// Writes as much of a line as its reader takes, who has time again for each part.
    fn write_parts(&self, line: &[u8], mut wait: Duration) -> Written {
        let mut out = &self.0.out;
        let mut written = Written::Nothing;
        for part in parts(line, out.as_fd().is_terminal()) {
            if !takes(out, wait) {
                return written;
            }
            // One that can't be written, as on a full disk, is lost.
            if out.write_all(part).is_err() {
                break;
            }
            written = Written::Part;
            wait = WAIT_MAX;
        }
        Written::All
    }

    /// Lets the next line be written.
    fn end(&self, written: Written) -> u64 {
        let mut state = self.state();
        state.is_busy = false;
        let mut dropped = 0;
        if written == Written::All {
            dropped = mem::take(&mut state.dropped);
        } else {
            state.dropped += 1;
        }
        if written != Written::Nothing {
            state.is_cut = written == Written::Part;
        }
        drop(state);
        self.0.freed.notify_one();
        dropped
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The parts of a line that are written one by one. A terminal that has room for some text may have none for the end
/// of the line behind it, and the write would not return.
fn parts(line: &[u8], on_terminal: bool) -> impl Iterator<Item = &[u8]> {
    let most = if on_terminal { PART_BYTES_ON_TERMINAL } else { PART_BYTES };
    let is_joined = move |one: &u8, next: &u8| !on_terminal || (*one != b'\n' && *next != b'\n');
    line.chunk_by(is_joined).flat_map(move |text| text.chunks(most))
}

/// Whether a write of a part returns at once, now or within this time.
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
    use std::io::{PipeReader, Read};

    use super::*;

    const LINE: [u8; 1_024] = [b'x'; 1_024];

    /// Reads what a pipe holds.
    fn read(reader: &mut PipeReader) {
        assert!(reader.read(&mut vec![0; 1 << 20]).unwrap() > 0);
    }

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
        read(&mut reader);
        assert_eq!(log.write_line(&LINE), 4);
        assert_eq!(log.state().dropped, 0);
    }

    #[test]
    fn a_line_that_is_longer_than_its_reader_takes_is_cut_and_the_next_one_is_whole() {
        let (mut reader, writer) = io::pipe().unwrap();
        let log = LogLines::on(writer);
        assert_eq!(log.write_line(&vec![b'x'; 2 << 20]), 0);
        read(&mut reader);
        assert_eq!(log.write_line(b"next\n"), 1);
        assert_eq!(log.write_line(b"last\n"), 0);
        drop(log);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("\nnext\nlast\n"), "{text}");
    }

    #[test]
    fn a_terminal_takes_the_end_of_a_line_by_itself() {
        let line = [&[b'x'; 200][..], b"\n"].concat();
        let lengths = |on_terminal: bool| -> Vec<usize> {
            parts(&line, on_terminal).map(<[u8]>::len).collect()
        };
        assert_eq!(lengths(true), [128, 72, 1]);
        assert_eq!(lengths(false), [201]);
    }

    #[test]
    fn a_line_that_is_stuck_keeps_no_other_waiting() {
        let (mut reader, writer) = io::pipe().unwrap();
        let log = LogLines::on(writer);
        assert_eq!(log.begin(), Some(Turn { wait: WAIT_MAX, after_cut: false }));
        assert_eq!(log.write_line(b"two\n"), 0);
        assert_eq!(log.end(Written::All), 1);
        assert_eq!(log.write_line(b"three\n"), 0);
        drop(log);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "three\n");
    }
}
