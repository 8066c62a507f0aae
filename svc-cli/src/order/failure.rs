//! Why an order was not placed, in the words and exit codes of the command.

use serde_json::json;
use svc_bot_kit::Error as KitError;

use crate::discover::no_service;
use crate::error::Error;
use crate::exit::Exit;

/// What the kit says, with the next command unless that depends on what was ordered.
pub(crate) fn explained(error: KitError) -> Box<Error> {
    let text = error.to_string();
    match error {
        KitError::Client(error) => error.into(),
        KitError::SpendLimit { limit, asked, left, .. } => match limit {
            "max_credits" => {
                let text = format!("it costs {}, more than --max-credits {left}", asked.in_words());
                Error::new(Exit::Money, "spend_limit", text)
                    .hint(format!("--max-credits {asked} agrees to it"))
            }
            _ => Error::new(Exit::Money, "spend_limit", text).hint("svc profile limit"),
        },
        KitError::NoService { offers, provider, service, .. } => {
            no_service(&provider, &service, &offers)
        }
        KitError::Input { faults, .. } => {
            // They name members of the schema, which another account published.
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Error::usage("the input does not fit").untrusted(json!({ "faults": faults }))
        }
        KitError::InsufficientCredits { .. } => {
            Error::new(Exit::Money, "insufficient_credits", text)
                .hint("svc credits; order again under another --id")
        }
        KitError::OrderExists { id, service, .. } => {
            let text = format!("the order {id} is for another service");
            Error::new(Exit::Conflict, "order_exists", text)
                .hint("name a new order by another --id")
                .untrusted(json!({ "service": service }))
                .of_order(&id, None, None)
        }
        KitError::OrderDiffers { id, .. } => {
            Error::new(Exit::Conflict, "order_differs", text).of_order(&id, None, None)
        }
        KitError::Checksum { .. } => Error::new(Exit::Conflict, "checksum_mismatch", text),
        KitError::OrderEnded { id, escrow, .. } => Error::new(Exit::Conflict, "order_ended", text)
            .hint("name a new order by another --id")
            .of_order(&id, None, Some(&escrow)),
        KitError::Journal { .. } => Error::new(Exit::Other, "journal", text),
        _ => Error::usage(text),
    }
}

/// Names the order, and how to continue it, where that helps.
pub(crate) fn goes_on(mut error: Box<Error>, name: &str, repeated: &str) -> Box<Error> {
    let is_unclear = ["journal", "unexpected_answer"].contains(&error.code.as_str());
    if is_unclear || matches!(error.exit, Exit::Network | Exit::RateLimited) {
        // The key of one step is not the name of the order.
        error.idempotency_key = None;
        return error.hint(repeated).of_order(name, None, None);
    }
    error
}
