//! The words of services, kept for searches in the background, like the other index of words.

use std::collections::BTreeMap;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::ServiceId;

use super::{meaning, near, stem};
use crate::app::Ctx;
use crate::services::search::words;

/// Words of a service that are kept: those of the name first, then of tags and description.
const WORDS_KEPT: usize = 500;

/// How much longer it takes to store words than to read their text.
const WEIGHT: usize = 4;

/// Where in a service a word is.
const NAME: i64 = 0;
const TAG: i64 = 1;
const DESCRIPTION: i64 = 2;

struct Known {
    stem: String,
    word: String,
    place: i64,
}
row!(Known { stem: "stem", word: "word", place: "place" });

/// Keeps the words that a service has now, and returns how much work that was, in bytes of text.
pub fn index(ctx: &mut Ctx<'_, '_>, service: &ServiceId) -> Result<usize> {
    ctx.tx.lock(sql!("select id from service_index where id = 1 for update"), &[])?;
    let known: Vec<Known> = ctx.tx.all(
        sql!(
            "select ",
            Known::COLUMNS,
            " from service_word where service = $1 order by stem, word"
        ),
        values![service],
    )?;
    let (mut wanted, bytes) = wanted(ctx, service)?;
    meaning::note(ctx, service, bytes > 0)?;
    for Known { stem, word, place } in known {
        match wanted.remove(&word) {
            Some(now) if now == place => {}
            Some(now) => {
                let sql = sql!(
                    "update service_word set place = $1
                     where stem = $2 and word = $3 and service = $4"
                );
                ctx.tx.execute(sql, values![now, stem, word, service])?;
            }
            None => forget(ctx, service, &stem, &word)?,
        }
    }
    for (word, place) in wanted {
        learn(ctx, service, &word, place)?;
    }
    Ok(bytes * WEIGHT)
}

/// The words of a service, each with its first place, and the bytes of its texts.
fn wanted(ctx: &mut Ctx<'_, '_>, service: &ServiceId) -> Result<(BTreeMap<String, i64>, usize)> {
    let found: Option<(String, String, String)> = ctx.tx.optional(
        sql!(
            "select name, tags, description from service
             where id = $1 and deleted_at is null"
        ),
        values![service],
    )?;
    let mut wanted = BTreeMap::new();
    let Some((name, tags, description)) = found else { return Ok((wanted, 0)) };
    let tags: Vec<String> = serde_json::from_str(&tags).map_err(Error::internal)?;
    let bytes = name.len() + description.len();
    for (text, place) in [(name, NAME), (tags.join("\n"), TAG), (description, DESCRIPTION)] {
        for word in words::words(&text) {
            if wanted.len() < WORDS_KEPT {
                wanted.entry(word).or_insert(place);
            }
        }
    }
    Ok((wanted, bytes))
}

/// Whether a service has this word.
fn is_known(ctx: &mut Ctx<'_, '_>, stem: &str, word: &str) -> Result<bool> {
    let sql = sql!("select 1 from service_word where stem = $1 and word = $2 limit 1");
    Ok(ctx.tx.optional::<i64>(sql, values![stem, word])?.is_some())
}

/// Whether words of this length are looked for when a term is misspelt, and how long it is.
fn length(word: &str) -> Option<i64> {
    let letters = word.chars().count();
    i64::try_from(letters).ok().filter(|_| near::LENGTHS.contains(&letters))
}

fn learn(ctx: &mut Ctx<'_, '_>, service: &ServiceId, word: &str, place: i64) -> Result<()> {
    let stem = stem(word);
    let is_new = !is_known(ctx, &stem, word)?;
    ctx.tx.execute(
        sql!("insert into service_word (stem, word, service, place) values ($1, $2, $3, $4)"),
        values![stem, word, service, place],
    )?;
    let Some(length) = length(word).filter(|_| is_new) else { return Ok(()) };
    for gram in near::grams(word) {
        let sql = sql!(
            "insert into service_gram (gram, length, word) values ($1, $2, $3)
             on conflict do nothing"
        );
        ctx.tx.execute(sql, values![gram, length, word])?;
    }
    Ok(())
}

fn forget(ctx: &mut Ctx<'_, '_>, service: &ServiceId, stem: &str, word: &str) -> Result<()> {
    let sql = sql!("delete from service_word where stem = $1 and word = $2 and service = $3");
    ctx.tx.execute(sql, values![stem, word, service])?;
    let Some(length) = length(word) else { return Ok(()) };
    if is_known(ctx, stem, word)? {
        return Ok(());
    }
    for gram in near::grams(word) {
        let sql = sql!("delete from service_gram where gram = $1 and length = $2 and word = $3");
        ctx.tx.execute(sql, values![gram, length, word])?;
    }
    Ok(())
}
