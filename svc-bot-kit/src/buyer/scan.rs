//! Reads a list page by page.

use std::ops::ControlFlow;

use svc_client::Call;
use svc_client::types::Paged;

use crate::error::Result;

/// Items to read per list at most, newest first.
const ITEMS_MAX: usize = 10_000;

/// Items per page.
pub(super) const PAGE: u32 = 100;

/// Visits the items of a list, newest first, until the visitor breaks.
pub(super) async fn scan<E: Paged>(
    list: impl Fn() -> Call<E>,
    mut visit: impl FnMut(E::Item) -> ControlFlow<()>,
) -> Result<()> {
    let (mut page, mut scanned) = (list().page().await?, 0);
    loop {
        // A page may be empty although more follow, so each counts as at least one item.
        scanned += page.items.len().max(1);
        if page.items.into_iter().try_for_each(&mut visit).is_break() {
            return Ok(());
        }
        match page.next_cursor {
            Some(next) if scanned < ITEMS_MAX => page = list().after(next).page().await?,
            _ => return Ok(()),
        }
    }
}
