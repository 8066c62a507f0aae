//! Backups by a schedule: each is verified before it gets its name, and old ones are deleted.
//!
//! A round begins when the newest archive is as old as the interval. So a program that is started again makes no second
//! one, and several on the same place make no more than one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use svc_core::config::Config;
use svc_store::clock::Clock;
use svc_store::error::{Error, Result};
use svc_types::{Span, Timestamp};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::due;
use super::name::{Expired, expired, newest};
use super::pack::pack_copy;
use super::target::Target;
use super::verify::{Contents, refuse_stopped, verify};
use super::workplace::Workplace;
use super::{DATABASE, workplace_in};

/// Shortest time between two backups.
const EVERY_MIN: Duration = Duration::from_mins(1);

/// Longest time until a round that failed is tried again.
const RETRIED_AFTER_MAX: Duration = Duration::from_mins(15);

/// How much sooner archives are deleted than `backup.horizon` says, unless `--keep` says when.
const MARGIN: Duration = Duration::from_hours(24);

/// What the system and SQLite say about a full disk.
const FULL: [&str; 2] = ["No space left on device", "disk is full"];

/// What is said where only some of the old archives are deleted.
const PAUSE: &str = "no backup was made for longer than they are kept, or the clock is wrong: older ones are deleted a \
                     few at a time";

/// The name of an archive that is not verified yet.
const UNVERIFIED: &str = "unverified.tar";

/// Where and how backups are made.
#[derive(Debug)]
pub(super) struct Schedule {
    config: Config,
    database: PathBuf,
    target: Target,
    /// Where archives are restored to be verified.
    aside: PathBuf,
    keep: Duration,
}

impl Schedule {
    /// Backups of the file `database` at the place `to`. What can never work is refused.
    pub(super) async fn open(
        config: Config,
        database: PathBuf,
        to: &Path,
        aside: PathBuf,
        keep: Option<Span>,
    ) -> Result<Self> {
        let keep = keep_of(config.backup.horizon, keep)?;
        workplace_in(&aside)?;
        let target = Target::open(&config, to).await?;
        Ok(Self { config, database, target, aside, keep })
    }

    /// Makes a backup, and deletes those that are too old. If they can't be deleted, there is a backup all the same.
    pub(super) async fn once(&self, stop: &CancellationToken, say: fn(&str)) -> Result<()> {
        let now = now();
        let contents = self.back_up(now, stop).await?;
        say(&format!("wrote {}: {contents}", self.target.place_of(now)));
        if let Err(error) = self.delete_expired(now, say).await {
            // Without --every there is no log.
            say(&format!("old backups could not be deleted: {}", cause(&error)));
            tracing::error!(%error, "old backups could not be deleted; the next one tries again");
        }
        Ok(())
    }

    /// Makes backups until `stop` is cancelled. A round that fails is logged and tried again: the disk may get space,
    /// the store may answer. Only settings that were wrong from the beginning end it.
    pub(super) async fn run(
        &self,
        every: Duration,
        stop: &CancellationToken,
        say: fn(&str),
    ) -> Result<()> {
        let (mut earliest, mut has_worked) = (now(), false);
        due::note_first(&self.config.data_dir, earliest);
        while stop.run_until_cancelled(self.wait(earliest, every)).await.is_some() {
            earliest = now().plus(every);
            match self.once(stop, say).await {
                Ok(()) => has_worked = true,
                Err(_) if stop.is_cancelled() => break,
                Err(error) if error.is_setup() && !has_worked => return Err(error),
                Err(error) => {
                    tracing::error!(%error, "a backup failed, and is tried again");
                    earliest = now().plus(every.min(RETRIED_AFTER_MAX));
                }
            }
        }
        Ok(())
    }

    /// The time between two backups, if it can be that.
    pub(super) fn interval(&self, every: Span) -> Result<Duration> {
        let every = every.duration();
        if every < EVERY_MIN || every > self.keep {
            let keep = span(self.keep);
            let message =
                format!("--every must be from 1m to the {keep} for which backups are kept");
            return Err(Error::setup(message));
        }
        Ok(every)
    }

    /// Waits until the newest archive is as old as the interval, and until `earliest` in any case. If archives can't be
    /// listed, that is the time, and the round says why it fails.
    async fn wait(&self, mut earliest: Timestamp, every: Duration) {
        loop {
            let now = now();
            let times = self.target.times().await.unwrap_or_default();
            let newest = newest(&times, now);
            if let Some(newest) = newest {
                due::note(&self.config.data_dir, newest.plus(every));
            }
            let due = next_due(newest, &mut earliest, now, every);
            if due <= now {
                return;
            }
            tracing::info!(next = %due, "waiting for the next backup");
            Clock::system().sleep_until(due).await;
        }
    }

    /// Writes an archive, verifies it, and puts it in its place.
    async fn back_up(&self, now: Timestamp, stop: &CancellationToken) -> Result<Contents> {
        let (work, beside) = (workplace_in(&self.aside)?, self.target.workplace()?);
        let archive = beside.as_ref().unwrap_or(&work).file(UNVERIFIED);
        let written = self.write(&work, archive.clone(), now).await;
        written.map_err(|error| self.with_room(error))?;
        refuse_stopped(stop)?;
        let aside = work.file("restored");
        let clock = Clock::system();
        let verified = verify(&self.config, archive.clone(), &aside, &clock, stop).await;
        let contents = verified.map_err(|error| self.with_room(error))?;
        self.target.put(&archive, now, stop).await?;
        Ok(contents)
    }

    /// Names `--aside` if the disk of what is restored aside is full. The archive may be on another one.
    fn with_room(&self, error: Error) -> Error {
        let Error::Internal(fault) = &error else { return error };
        let (cause, aside) = (fault.cause.to_string(), self.aside.to_string_lossy());
        let is_full = FULL.iter().any(|text| cause.contains(text));
        if !is_full || !cause.contains(&*aside) {
            return error;
        }
        Error::internal(format!("{cause}; --aside names a folder on a disk with more room"))
    }

    async fn write(&self, work: &Workplace, archive: PathBuf, now: Timestamp) -> Result<()> {
        let (config, database) = (self.config.clone(), self.database.clone());
        let copy = work.file(DATABASE);
        let writing = move || {
            svc_store::db::copy_file(&database, &copy)?;
            pack_copy(&config, &copy, &archive, now)?;
            // There is to be room for what is restored.
            std::fs::remove_file(copy).map_err(Error::internal)
        };
        spawn_blocking(writing).await.map_err(Error::internal)?
    }

    /// Deletes archives that are too old, and says how many. Where one can't be deleted, the others are.
    async fn delete_expired(&self, now: Timestamp, say: fn(&str)) -> Result<()> {
        let Expired { times, left } = expired(&self.target.times().await?, now, self.keep);
        if left > 0 {
            say(&format!("{PAUSE} ({left} more)"));
            tracing::warn!(left, "{PAUSE}");
        }
        let mut failed = None;
        for time in &times {
            if let Err(error) = self.target.delete(*time).await {
                failed = failed.or(Some(error));
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        if !times.is_empty() {
            say(&format!("deleted {} older than {}", times.len(), span(self.keep)));
        }
        Ok(())
    }
}

/// The time of this machine as it is: one that was far ahead and was set right counts at once. The server's clock would
/// stand still instead, no backup would be made until then, and no alert would say so.
fn now() -> Timestamp {
    Clock::system().now()
}

/// When the next backup is due. A clock that was set back postpones it by the interval at most.
fn next_due(
    newest: Option<Timestamp>,
    earliest: &mut Timestamp,
    now: Timestamp,
    every: Duration,
) -> Timestamp {
    *earliest = (*earliest).min(now.plus(every));
    newest.map_or(*earliest, |newest| newest.plus(every).max(*earliest))
}

/// An error without its place in the sources, which tells an operator nothing.
fn cause(error: &Error) -> String {
    match error {
        Error::Internal(fault) => fault.cause.to_string(),
        other => other.to_string(),
    }
}

/// How long archives are kept: no longer than they could be restored.
fn keep_of(horizon: Duration, keep: Option<Span>) -> Result<Duration> {
    let Some(keep) = keep.map(Span::duration) else {
        let sooner = horizon.checked_sub(MARGIN).filter(|keep| !keep.is_zero());
        return Ok(sooner.unwrap_or(horizon));
    };
    if keep > horizon {
        let horizon = span(horizon);
        let message = format!(
            "--keep must be at most backup.horizon ({horizon}): older backups are not restored"
        );
        return Err(Error::setup(message));
    }
    Ok(keep)
}

fn span(duration: Duration) -> Span {
    Span::from_secs(duration.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_postpones_the_next_backup_by_the_interval_at_most() {
        let (right, every) = (now(), Duration::from_mins(15));
        let (wrong, made) = (right.plus(Duration::from_hours(72)), right.minus(every));
        let mut earliest = wrong.plus(every);
        assert_eq!(next_due(Some(wrong), &mut earliest, wrong, every), wrong.plus(every));
        assert_eq!(next_due(Some(made), &mut earliest, right, every), right.plus(every));
        let later = right.plus(every);
        assert_eq!(next_due(Some(made), &mut earliest, later, every), later);
    }
}
