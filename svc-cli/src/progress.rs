//! A sign of life for people while something takes long.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::output::plain;
use crate::settings::Settings;

/// What is over sooner needs no sign.
const SILENT: Duration = Duration::from_secs(1);
/// The time between two pictures.
const PAUSE: Duration = Duration::from_millis(120);
const PICTURES: [char; 4] = ['|', '/', '-', '\\'];
/// Back to the beginning of the line, which is emptied.
const EMPTY_LINE: &str = "\r\x1b[2K";

/// Turns on stderr until it is dropped, and leaves nothing behind.
///
/// It appears only on a terminal used by a person, without `--json` and `--quiet`.
pub(crate) struct Progress(Option<(Sender<()>, JoinHandle<()>)>);

impl Progress {
    /// Begins to turn, a second from now.
    pub(crate) fn start(settings: &Settings, what: &str) -> Self {
        let is_seen = settings.is_animated() && io::stderr().is_terminal();
        Self(is_seen.then(|| {
            let (stop, stopped) = mpsc::channel();
            let what = plain(what);
            let turn = move || {
                let mut pause = SILENT;
                for picture in PICTURES.iter().cycle() {
                    if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
                        break;
                    }
                    pause = PAUSE;
                    draw(&format!("{EMPTY_LINE}{picture} {what}"));
                }
                if pause == PAUSE {
                    draw(EMPTY_LINE);
                }
            };
            (stop, std::thread::spawn(turn))
        }))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            // What is printed next begins on an empty line.
            let _ = thread.join();
        }
    }
}

/// Draws; a failure cannot be reported anywhere.
fn draw(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
