//! Files of this machine: keys, and journals of what was spent or done.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use svc_bot_kit::{Error as KitError, Journal};

use super::check::Check;
use crate::settings::Settings;
use crate::shell::quoted;

/// What others than the owner of a file may do with it.
const OTHERS: u32 = 0o077;

/// How often a journal that is in use is tried again, and the time in between: buyers hold theirs
/// only for the moment of a note.
const TRIES_MAX: u32 = 10;
const PAUSE: Duration = Duration::from_millis(50);

/// Whether others on this machine can read the keys.
pub(super) fn credentials(settings: &Settings) -> Check {
    let name = "credentials";
    let path = settings.store.credentials_path();
    if let Err(error) = settings.store.read() {
        return Check::failed(name, *error, "svc login --with-key");
    }
    private(name, &path).unwrap_or_else(|| Check::good(name, "none saved yet"))
}

/// Whether only its owner can read a file; none when it is not there.
fn private(name: &'static str, path: &Path) -> Option<Check> {
    let place = path.display();
    let mode = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => return Some(unreadable(name, path, &error.to_string())),
        Ok(file) => file.permissions().mode(),
    };
    Some(if mode & OTHERS == 0 {
        Check::good(name, format!("{place}, readable only by you"))
    } else {
        let fix = format!("chmod 600 {}", quoted(&place.to_string()));
        Check::bad(name, format!("{place} can be read by others"), fix)
    })
}

fn unreadable(name: &'static str, path: &Path, why: &str) -> Check {
    let place = path.display();
    let fix =
        format!("ls -l {}; the file must be yours to read and write", quoted(&place.to_string()));
    Check::bad(name, format!("{place}: {why}"), fix)
}

/// Whether a journal is there, private, readable and free.
pub(super) async fn journal(path: &Path) -> Check {
    let name = "journal";
    let private = match private(name, path) {
        None => return Check::good(name, format!("none yet at {}", path.display())),
        // Opening it would take everybody else's rights, and hide that they had some.
        Some(check) if !check.ok => return check,
        Some(check) => check,
    };
    if let Err(error) = File::options().read(true).write(true).open(path) {
        return unreadable(name, path, &error.to_string());
    }
    let mut tries = TRIES_MAX;
    loop {
        let opened = Journal::open(path);
        let Err(error) = opened else { return private };
        let is_in_use = error.to_string().contains("another process");
        if !is_in_use {
            return damaged(path, &error);
        }
        tries -= 1;
        if tries == 0 {
            let fix = format!("end the other process; fuser {} names it", path.display());
            return Check::bad(name, format!("{}: {error}", path.display()), fix);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn damaged(path: &Path, error: &KitError) -> Check {
    let place = path.display().to_string();
    let aside = quoted(&format!("{place}.old"));
    let fix = format!("mv {} {aside}; what the platform knows is found again", quoted(&place));
    Check::bad("journal", format!("{place}: {error}"), fix)
}
