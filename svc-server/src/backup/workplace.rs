//! A folder for the parts of one backup, which hold secrets: only its owner can read it, and it is gone afterwards.

use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// What the names of these folders begin with.
const PREFIX: &str = ".svc-backup-";

/// Attempts to make one that no other program removes before it is locked.
const TRIES: usize = 8;

/// Such a folder, removed when it is dropped. It is locked, so that other programs see that its owner lives.
#[derive(Debug)]
pub(super) struct Workplace {
    // Removed before the lock ends.
    folder: TempDir,
    _lock: File,
}

impl Workplace {
    /// Makes one in `place`, and removes those that killed programs left there.
    pub(super) fn make_in(place: &Path) -> io::Result<Self> {
        for entry in fs::read_dir(place)? {
            remove_left(&entry?.path());
        }
        for _ in 0..TRIES {
            let mut folder = tempfile::Builder::new();
            let folder = folder.prefix(PREFIX).permissions(Permissions::from_mode(0o700));
            let folder = folder.tempdir_in(place)?;
            if let Some(lock) = lock(folder.path())
                && folder.path().exists()
            {
                return Ok(Self { folder, _lock: lock });
            }
        }
        Err(io::Error::other("another program removes folders whose names begin with .svc-backup-"))
    }

    /// The path of a file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The lock of a folder, unless another program has it. Where a file system has no locks, none is needed to work there.
fn lock(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    match file.try_lock() {
        Ok(()) | Err(TryLockError::Error(_)) => Some(file),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Removes a folder whose owner was killed. What can't be locked is left alone.
fn remove_left(path: &Path) {
    let name = path.file_name().and_then(|name| name.to_str());
    // Opening something else of this name, in a folder where others write, could take for ever.
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if !is_folder || !name.is_some_and(|name| name.starts_with(PREFIX)) {
        return;
    }
    let Ok(file) = File::open(path) else { return };
    if file.try_lock().is_ok() {
        let removed = fs::remove_dir_all(path);
        tracing::warn!(path = %path.display(), ?removed, "an earlier backup ended in its middle");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_private_and_ends_with_its_owner() {
        let place = tempfile::tempdir().unwrap();
        let workplace = Workplace::make_in(place.path()).unwrap();
        let folder = workplace.folder.path().to_owned();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(workplace.file("secret"), "secret").unwrap();
        drop(workplace);
        assert!(!folder.exists());
    }

    #[test]
    fn what_a_killed_program_left_is_removed_and_what_another_uses_is_not() {
        let place = tempfile::tempdir().unwrap();
        let used = Workplace::make_in(place.path()).unwrap();
        let left = place.path().join(".svc-backup-left");
        fs::create_dir(&left).unwrap();
        fs::write(left.join("secret"), "secret").unwrap();
        fs::create_dir(place.path().join("other")).unwrap();
        let next = Workplace::make_in(place.path()).unwrap();
        assert!(!left.exists() && place.path().join("other").exists());
        assert!(used.folder.path().exists() && next.folder.path().exists());
    }
}
