//! `svc-server blobs move`: moves files to where new ones go, also while servers run.

use std::sync::Arc;

use svc_core::services::blob::moving::{self, Key, TABLES, Table};
use svc_store::error::{Error, Result};

use super::{keep, read_whole};
use crate::app::ServerApp;

/// Moves avatars and images of posts one after the other; the answer is how many.
pub async fn move_all(app: &Arc<ServerApp>) -> Result<u64> {
    // Commands write no log that would name it.
    if let Some(why) = super::open(app).await? {
        let place = app.store().map(super::Store::place).unwrap_or_default();
        return Err(Error::internal(format!("the store of files does not answer, {place}: {why}")));
    }
    let mut count = 0;
    for table in &TABLES {
        count += move_table(app, table).await?;
    }
    Ok(count)
}

async fn move_table(app: &Arc<ServerApp>, table: &'static Table) -> Result<u64> {
    // To the store if new files go there, otherwise from it.
    let is_leaving = app.store().is_some_and(super::Store::is_for_new);
    let (mut count, mut after) = (0, Key::default());
    loop {
        let (before, from) = (after.clone(), after.clone());
        let next = app.read(move |ctx| moving::next(ctx, table, &from, is_leaving)).await?;
        let Some(file) = next else { return Ok(count) };
        after.clone_from(&file.key);
        let Some(bytes) = read_whole(app, file.blob.clone()).await? else {
            let again = app.read(move |ctx| moving::next(ctx, table, &before, is_leaving)).await?;
            if again.is_none_or(|again| again.key != file.key) {
                // It was deleted in the meantime.
                continue;
            }
            let name = file.blob.object().unwrap_or_default();
            return Err(Error::internal(format!("the bucket lacks the object {name}")));
        };
        let blob = keep(app, table.kind, &file.hash, bytes).await?;
        let is_moved = app.write(move |ctx| moving::replace(ctx, table, &file, &blob)).await?;
        count += u64::from(is_moved);
    }
}
