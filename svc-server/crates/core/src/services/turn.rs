//! Whose turn it is to publish what an external broker lacks. After an outage every node finds the same events.

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{sql, values};

use crate::app::Ctx;

/// How long a node has the turn: longer than a batch takes until the broker has acknowledged it, or the node has given
/// it up. Others wait for it after a node that ended amid a batch. For as long, they leave to a node what it committed.
pub const LASTS: Duration = Duration::from_secs(45);

/// The turn of a node, until it gives it back or the time is over.
#[derive(Debug)]
pub struct Turn(String);

/// Takes the turn, unless another node has it. A time too far off was noted by a clock that was ahead.
pub fn take(ctx: &mut Ctx<'_, '_>) -> Result<Option<Turn>> {
    let now = ctx.now();
    let until = now.plus(LASTS);
    let turn = until.as_millis().to_string();
    let taken = ctx.tx.execute(
        sql!(
            "insert into provider_state (name, value) values ('relay', $1)
             on conflict (name) do update set value = excluded.value
             where cast(provider_state.value as bigint) not between $2 and $3"
        ),
        values![turn, now, until],
    )?;
    Ok((taken > 0).then_some(Turn(turn)))
}

/// Gives the turn back, unless another node has it by now.
pub fn give_back(ctx: &mut Ctx<'_, '_>, turn: &Turn) -> Result<()> {
    let sql = sql!("update provider_state set value = '0' where name = 'relay' and value = $1");
    ctx.tx.write(sql, values![turn.0])
}
