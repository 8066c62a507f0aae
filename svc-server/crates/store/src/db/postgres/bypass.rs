//! The way past a pooler. It has to lead to the database that the pooler leads to: migrations run there, and hints
//! between nodes pass through it.

use ::postgres::Client;
use svc_types::Timestamp;

use super::defaults::text;
use super::failure::failed;
use super::migrating;
use super::target::Target;
use crate::error::{Error, Result};

/// Whether this role has defaults in this database, so that a server has migrated it.
const HAS_DEFAULTS: &str = "
    select exists (select 1 from pg_db_role_setting
        where setrole = (select oid from pg_roles where rolname = current_user)
            and setdatabase = (select oid from pg_database where datname = current_database()))";

/// The cluster, and the number of the database in it.
const SELECT_DATABASE: &str = "
    select concat(system_identifier, '-', oid) from pg_control_system(), pg_database
    where datname = current_database()";

/// Migrates by `direct`, whose client this is, what `pooled` leads to.
pub(super) fn migrate(
    pooled: &Target,
    direct: &Target,
    client: &mut Client,
    now: Timestamp,
) -> Result<()> {
    let answer = client.simple_query(HAS_DEFAULTS).map_err(failed)?;
    // Without them nothing can be spoilt yet, and a pooler must not connect before they are set.
    let is_migrated = answer.iter().find_map(text).as_deref() == Some("t");
    if is_migrated {
        refuse_other(pooled, direct, client)?;
    }
    migrating::run(client, now)?;
    if is_migrated { Ok(()) } else { refuse_other(pooled, direct, client) }
}

fn refuse_other(pooled: &Target, direct: &Target, client: &mut Client) -> Result<()> {
    let mut through = pooled.connect_for_long()?;
    match (database_of(&mut through), database_of(client)) {
        (Some(behind), Some(found)) if behind != found => Err(Error::setup(format!(
            "{}: {} must be the database of database_url, but {} is another one",
            direct.setting(),
            direct.place(),
            pooled.place()
        ))),
        _ => Ok(()),
    }
}

/// Which database it is; none if the role may not ask.
fn database_of(client: &mut Client) -> Option<String> {
    client.simple_query(SELECT_DATABASE).ok()?.iter().find_map(text)
}
