//! The log of the test that runs.
//!
//! `tracing` remembers for the whole process which events have a subscriber, so a subscriber for one
//! thread misses events that another test's thread reached first. One subscriber therefore serves
//! all tests, and each thread keeps the lines it wrote. Tests run on one thread each.
//!
//! The tests of the bot kit include this file, too.

use std::cell::RefCell;
use std::io;
use std::sync::Once;

use tracing::Level;

static SUBSCRIBE: Once = Once::new();

thread_local! {
    static LINES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct ThisThread;

impl io::Write for ThisThread {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.extend(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts with an empty log.
pub(crate) fn start() {
    SUBSCRIBE.call_once(|| {
        let subscriber = tracing_subscriber::fmt().with_max_level(Level::TRACE);
        subscriber.with_ansi(false).with_writer(|| ThisThread).init();
    });
    LINES.with_borrow_mut(Vec::clear);
}

/// What this thread has logged since it started.
pub(crate) fn text() -> String {
    LINES.with_borrow(|lines| String::from_utf8(lines.clone()).unwrap())
}
