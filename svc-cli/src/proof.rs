//! Proofs of work, which a server may demand at sign-up and sign-in.

use svc_client::types::Endpoint;
use svc_client::types::api::auth::{GetChallenge, Proof};

use crate::caller::{Caller, Sent};
use crate::error::{Error, Result};
use crate::exit::Exit;

/// Sends a request, and sends it again with a proof if the server demands one.
pub(crate) async fn send<E: Endpoint>(
    caller: &Caller,
    request: E,
    add: impl FnOnce(&mut E, Proof),
) -> Result<Sent<E>> {
    let mut again = request.clone();
    match caller.send(request).await {
        Err(error) if error.code == "proof_required" => {
            let Some(proof) = work_out(caller).await? else { return Err(error) };
            add(&mut again, proof);
            caller.send(again).await
        }
        sent => sent,
    }
}

/// Works out a proof; `None` where nothing is sent.
async fn work_out(caller: &Caller) -> Result<Option<Proof>> {
    let Some(answer) = caller.send(GetChallenge {}).await? else { return Ok(None) };
    let challenge = answer.value.value;
    caller.out.note("the server asks for a proof of work; this takes a moment");
    let solved = tokio::task::spawn_blocking(move || svc_client::solve(&challenge)).await;
    let unsolved =
        || Error::new(Exit::Other, "unexpected_answer", "the server's challenge has no solution");
    solved.ok().flatten().map(Some).ok_or_else(unsolved)
}
