//! Ctrl-C and SIGTERM while an order is placed or waited for: what was sent remains in effect.

use svc_bot_kit::Buyer;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::failure;
use crate::error::{Error, Result};
use crate::exit::Exit;

/// Catches the signals that end a command.
pub(super) struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupts {
    /// Catches them from here on.
    pub(super) fn listen() -> Result<Self> {
        let listen = |kind| {
            signal(kind).map_err(|error| Error::new(Exit::Other, "signal", error.to_string()))
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// Waits for one of them.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The outcome of an order that was interrupted, by the journal, and how to go on: with `again`
/// when it was sent, with `repeated` when that is not known.
pub(super) async fn interrupted(
    buyer: &Buyer,
    name: &str,
    again: &str,
    repeated: &str,
) -> Box<Error> {
    let failed = |text: String| Error::new(Exit::Interrupted, "interrupted", text);
    let placed = match buyer.placed(name).await {
        Ok(placed) => placed.filter(|placed| placed.status != "refused"),
        Err(error) => return failure::explained(error).hint(repeated).of_order(name, None, None),
    };
    let Some(placed) = placed else {
        return failed("interrupted; nothing was ordered".to_owned()).hint(repeated);
    };
    let (text, hint) = match placed.request {
        Some(_) => (format!("interrupted; the order {name} stands"), again),
        None => {
            (format!("interrupted; the order {name} was begun, and may have been sent"), repeated)
        }
    };
    failed(text).hint(hint).of_order(name, placed.request.as_ref(), placed.escrow.as_ref())
}
