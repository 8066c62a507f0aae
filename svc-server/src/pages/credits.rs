//! Your balance and transactions.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::credits::{
    CreditBalance, GetCredits, ListTransactions, Transaction, TransferKind,
};

use super::Frame;
use crate::http::{Html, PageContext, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/credits", show)
}

#[derive(Template)]
#[template(path = "credits.html")]
struct Page<'a> {
    frame: Frame,
    credits: CreditBalance,
    /// Filters of transactions: all, or one kind.
    kind: &'a str,
    transactions: Vec<Transaction>,
    next: Option<String>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let credits = context.ask(&GetCredits {})?.credits;
    let page = context.ask(&request.decode::<ListTransactions>()?)?;
    Html::of(&Page {
        frame: Frame::of(context, request, "Credits")?,
        credits,
        kind: request.field("kind").unwrap_or_default(),
        next: request.next(page.next_cursor.as_ref()),
        transactions: page.transactions,
    })
}

/// Why credits moved, in words. A hold is labelled as paid or returned once it is settled.
fn why(one: &Transaction) -> &'static str {
    match (&one.kind, &one.returned) {
        (TransferKind::Grant, _) => "Welcome credits",
        (TransferKind::Topup, _) => "Issued",
        (TransferKind::Hold, None) => "Held",
        (TransferKind::Hold, Some(returned)) if returned.micros() == 0 => "Paid",
        (TransferKind::Hold, Some(returned)) if returned.micros() == -one.amount.micros() => {
            "Held, then refunded"
        }
        (TransferKind::Hold, Some(_)) => "Held, then paid in part",
        (TransferKind::Settle, _) => "Paid or refunded",
        (TransferKind::Forfeit, _) => "Forfeited",
        _ => "Transfer",
    }
}
