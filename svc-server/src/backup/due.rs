//! When the next backup of a schedule is due, as a file in the data folder: the program that makes backups has no
//! metrics, so the server beside it tells the time as one.

use std::fs;
use std::path::Path;

use svc_types::Timestamp;

/// Name of the file, which holds the time in seconds since 1970.
const FILE: &str = "backup.due";

/// Notes when the next backup is due. Backups do not fail because of that.
pub(super) fn note(data_dir: &Path, due: Timestamp) {
    let (file, unfinished) = (data_dir.join(FILE), data_dir.join("backup.due.partial"));
    let text = (due.as_millis() / 1_000).to_string();
    if fs::read_to_string(&file).is_ok_and(|noted| noted == text) {
        return;
    }
    let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &file));
    if let Err(error) = written {
        let file = file.display();
        tracing::warn!(%file, %error, "no metric of the server says when the next backup is due");
    }
}

/// Notes that a backup is due, unless a schedule has noted a time already.
pub(super) fn note_first(data_dir: &Path, now: Timestamp) {
    if !data_dir.join(FILE).exists() {
        note(data_dir, now);
    }
}

/// When the next backup is due, in seconds since 1970, if backups are made by a schedule.
pub(crate) fn read(data_dir: &Path) -> Option<f64> {
    fs::read_to_string(data_dir.join(FILE)).ok()?.trim().parse().ok()
}
