//! Pages of what is found by looking at many things one after another and passing over some.
//!
//! A page takes a bounded number of reads. When they don't fill it, it is short, and its cursor
//! stands behind what was read last: the next page continues there.

use svc_store::error::Result;
use svc_types::Cursor;

use crate::app::Ctx;
use crate::page::Page;

/// Looks a page takes at most.
const LOOKS_MAX: u32 = 4;

/// Items of the first read beyond those the page needs; each further read is twice as long.
const SPARE: i64 = 10;

/// An item that was read.
#[derive(Clone, Debug)]
pub struct Step<T> {
    /// What it is sorted by.
    pub key: String,
    /// The thing, unless it is passed over.
    pub item: Option<T>,
}

/// A page of the items that are not skipped. `look` gets the key to start after and the number of items
/// to read.
pub fn page<T>(
    ctx: &mut Ctx<'_, '_>,
    page: &Page,
    load: impl FnMut(&mut Ctx<'_, '_>, Option<&str>, i64) -> Result<Vec<Step<T>>>,
) -> Result<(Vec<T>, Option<Cursor>)> {
    page_within(ctx, page, i64::MAX, load)
}

/// The same with a maximum number of items per read, because each item is expensive.
pub fn page_within<T>(
    ctx: &mut Ctx<'_, '_>,
    page: &Page,
    at_once: i64,
    mut load: impl FnMut(&mut Ctx<'_, '_>, Option<&str>, i64) -> Result<Vec<Step<T>>>,
) -> Result<(Vec<T>, Option<Cursor>)> {
    let mut found: Vec<(String, T)> = Vec::new();
    let mut before = page.after_one().map(str::to_owned);
    let mut is_ended = false;
    let mut most = (page.rows() + SPARE).min(at_once);
    for _ in 0..LOOKS_MAX {
        let steps = load(ctx, before.as_deref(), most)?;
        is_ended = i64::try_from(steps.len()).is_ok_and(|seen| seen < most);
        before = steps.last().map(|step| step.key.clone()).or(before);
        found.extend(steps.into_iter().filter_map(|step| Some((step.key, step.item?))));
        if is_ended || i64::try_from(found.len()).is_ok_and(|rows| rows >= page.rows()) {
            break;
        }
        most = (most * 2).min(at_once);
    }
    let is_full = i64::try_from(found.len()).is_ok_and(|rows| rows >= page.rows());
    let next = if is_full {
        page.cut(&mut found, |(key, _)| vec![key.clone()])
    } else {
        before.filter(|_| !is_ended).map(|key| page.cursor(&[key]))
    };
    Ok((found.into_iter().map(|(_, item)| item).collect(), next))
}
