//! One server process per SQLite file.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process;

use svc_types::Code;

use crate::error::{Error, Refusal, Result};

/// The right to serve a SQLite file, held until it is dropped or the process ends.
///
/// The lock is on `<file>.lock`, which holds the process id of the server. Commands that work on
/// the same database beside a running server do not take it.
#[derive(Debug)]
pub struct ServerLock {
    file: File,
}

impl ServerLock {
    /// Takes the lock for the database at `path`; an error names the process that has it.
    pub fn acquire(path: &Path) -> Result<Self> {
        // Links to the file lead to one lock.
        let real = path.canonicalize();
        let mut lock_path = real.as_deref().unwrap_or(path).as_os_str().to_owned();
        lock_path.push(".lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&lock_path)
            .map_err(|error| unusable(Path::new(&lock_path), &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(taken(path, &mut file)),
            Err(TryLockError::Error(error)) => return Err(Error::internal(error)),
        }
        // The id only helps operators. A full disk must not keep the server from answering what it can read.
        let _ = write_process_id(&mut file);
        Ok(Self { file })
    }
}

impl Drop for ServerLock {
    /// Unlocks explicitly. Closing the file is not enough: a child process has a copy of the open
    /// file between `fork` and `exec`, and the lock lasts until the last copy is closed.
    fn drop(&mut self) {
        // If this fails, the lock ends with the last copy.
        let _ = self.file.unlock();
    }
}

fn write_process_id(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", process::id())
}

fn unusable(lock: &Path, error: &io::Error) -> Error {
    Error::setup(format!(
        "can't use {}: {error}; the database (database_url, or svc.db in data_dir) must be in a folder in which \
         this program may write",
        lock.display()
    ))
}

fn taken(path: &Path, file: &mut File) -> Error {
    let mut owner = String::new();
    // Without the id the message is only less helpful.
    let _ = file.read_to_string(&mut owner);
    let owner = match owner.trim() {
        "" => "another process".to_owned(),
        id => format!("process {id}"),
    };
    let message = format!("{} is served by {owner} already", path.display());
    Refusal::new(Code::StorageUnavailable, message)
        .hint("stop that server or name another database")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_no_folder_is_refused_with_the_settings_that_name_it() {
        let folder = tempfile::tempdir().unwrap();
        let error = ServerLock::acquire(&folder.path().join("none/svc.db")).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("svc.db.lock") && error.contains("database_url"), "{error}");
    }

    #[test]
    fn a_second_server_is_refused_with_the_process_id_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        let first = ServerLock::acquire(&path).unwrap();
        let refusal = ServerLock::acquire(&path).unwrap_err().to_string();
        assert!(refusal.contains(&format!("process {} already", process::id())), "{refusal}");
        drop(first);
        ServerLock::acquire(&path).unwrap();
    }

    #[test]
    fn a_server_whose_process_id_could_not_be_noted_keeps_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        let first = ServerLock::acquire(&path).unwrap();
        first.file.set_len(0).unwrap();
        let refusal = ServerLock::acquire(&path).unwrap_err().to_string();
        assert!(refusal.contains("svc.db is served by another process already"), "{refusal}");
    }

    #[test]
    fn a_dropped_lock_is_free_although_a_copy_of_its_file_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.db");
        let first = ServerLock::acquire(&path).unwrap();
        let _copy = first.file.try_clone().unwrap();
        drop(first);
        ServerLock::acquire(&path).unwrap();
    }

    #[test]
    fn a_link_to_the_file_leads_to_the_same_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("svc.db"), folder.path().join("link.db"));
        File::create(&path).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let first = ServerLock::acquire(&path).unwrap();
        ServerLock::acquire(&link).unwrap_err();
        drop(first);
        ServerLock::acquire(&link).unwrap();
    }
}
