//! A standby: what it says of itself, and what makes it the wrong one.

use std::str::FromStr;
use std::sync::Arc;
use std::thread;

use super::client::Client;
use super::introduce::first_column;
use super::target::Target;
use super::tls;
use crate::db::position::Position;
use crate::db::tx::Failure;
use crate::error::{Error, Result};

/// Asks which database this is, whether it is a standby, and where it is: the timeline that it follows, and
/// what it has replayed.
///
/// A role with `pg_read_all_stats` sees the timeline that the standby receives; what was replayed precedes it.
/// Other roles see that of the last restartpoint.
pub(super) const SELECT_REPORT: &str = "
    select concat(system_identifier, '-', oid, ' ', pg_is_in_recovery(), ' ',
        greatest(timeline_id, min_recovery_end_timeline,
            (select max(received_tli) from pg_stat_wal_receiver)),
        '-', pg_last_wal_replay_lsn())
    from pg_control_system(), pg_control_checkpoint(), pg_control_recovery(), pg_database
    where datname = current_database()";

const OTHER: &str = "it is a server of another database";

/// What a server says of itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Report {
    /// The cluster and the number of the database in it. A standby has those of its primary.
    database: String,
    is_standby: bool,
    replayed: Option<Position>,
}

impl Report {
    /// Reads the answer to [`SELECT_REPORT`].
    pub(super) fn parse(row: &str) -> Option<Self> {
        let [database, recovers, place] = row.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Self {
            database: database.to_owned(),
            is_standby: recovers == "t",
            replayed: Position::from_str(place).ok(),
        })
    }

    /// What a standby of this database has replayed, or why the server is not read.
    pub(super) fn of(&self, database: &str) -> Result<Position, &'static str> {
        match self.replayed {
            _ if self.database != database => Err(OTHER),
            Some(position) if self.is_standby => Ok(position),
            _ => Err("it is no standby, or was promoted"),
        }
    }

    /// Why it is wrong in the settings. After a failover a primary may have been a standby when they were
    /// written, or be an old one that came back: that must not keep nodes from starting.
    fn why_wrong(&self, database: &str, failed_over: bool) -> Option<&'static str> {
        if self.database != database {
            return Some(OTHER);
        }
        (!self.is_standby && !failed_over).then_some("it is a primary")
    }
}

/// Refuses servers that are no standbys of the primary, and returns what identifies its database. One that
/// does not answer is left for later.
pub(super) fn check(
    targets: &[Target],
    primary: &mut ::postgres::Client,
    failed_over: bool,
) -> Result<Arc<str>> {
    if targets.is_empty() {
        return Ok(Arc::default());
    }
    let rows = primary.simple_query(SELECT_REPORT).map_err(Error::internal)?;
    let report = rows.iter().find_map(first_column).and_then(Report::parse);
    let report = report.ok_or_else(|| Error::internal("the primary does not say who it is"))?;
    let database = report.database.as_str();
    thread::scope(|scope| {
        let ask = |target| scope.spawn(move || refuse_if_wrong(target, database, failed_over));
        let asked: Vec<_> = targets.iter().map(ask).collect();
        asked.into_iter().try_for_each(|asking| match asking.join() {
            Ok(answered) => answered,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(database.into())
}

fn refuse_if_wrong(target: &Target, database: &str, failed_over: bool) -> Result<()> {
    let asked = Client::connect(target).and_then(|client| {
        let rows = client.simple_query("introduce", SELECT_REPORT)?;
        Ok(rows.iter().find_map(first_column).and_then(Report::parse))
    });
    match asked {
        Ok(report) => {
            let why = report.and_then(|report| report.why_wrong(database, failed_over));
            why.map_or(Ok(()), |why| Err(wrong(target, why)))
        }
        Err(Failure::Postgres(error)) if tls::explain(&error).is_some() => {
            Err(target.refusal(&error))
        }
        // Its reader says so.
        Err(_) => Ok(()),
    }
}

fn wrong(target: &Target, why: &str) -> Error {
    let (setting, place) = (target.setting(), target.place());
    Error::setup(format!("{setting}: {place} must be a standby of database_url, but {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(row: &str) -> Report {
        Report::parse(row).unwrap()
    }

    #[test]
    fn a_standby_of_the_same_database_is_read() {
        let standby = "77-5 t 3-0/2A";
        assert_eq!(report(standby).of("77-5").unwrap().to_string(), "3-0/2A");
        for (row, why) in [
            ("77-5 f 3-", "no standby"),
            ("77-5 t 3-", "no standby"),
            ("77-6 t 3-0/2A", "another database"),
            ("78-5 t 3-0/2A", "another database"),
        ] {
            let refused = report(row).of("77-5").unwrap_err();
            assert!(refused.contains(why), "{row}: {refused}");
        }
        assert_eq!((Report::parse(""), Report::parse("a b")), (None, None));
    }

    #[test]
    fn a_primary_is_a_wrong_setting_until_there_was_a_failover() {
        let why = |row, failed_over| report(row).why_wrong("77-5", failed_over);
        assert_eq!((why("77-5 t 1-0/2A", false), why("77-5 f 2-", true)), (None, None));
        assert_eq!(why("77-5 f 1-", false), Some("it is a primary"));
        assert_eq!(
            (why("77-6 t 1-0/2A", false), why("78-5 f 2-", true)),
            (Some(OTHER), Some(OTHER))
        );
    }
}
