//! Search queries and pages of results.

use svc_store::db::{FromRow, Pair, Range, Wanted};
use svc_store::error::{Error, Result};
use svc_store::{select_found, sql, values};
use svc_types::{Cursor, PostId, Timestamp, UserId};

use super::words::{self, Unit};
use crate::app::Ctx;
use crate::identity::Account;
use crate::ids;
use crate::page::Page;
use crate::services::scan::{self, Step};

/// Most words of a query.
const WORDS_MAX: usize = 100;

/// Lengths, in characters, of a last word that may be the beginning of a longer one: of these the
/// index has a list of its own.
const BEGINNING: std::ops::RangeInclusive<usize> = 2..=12;

/// Documents that may be numbered before earlier posts, when several servers index at once.
const OUT_OF_ORDER: i64 = 256;

/// What a query asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    wanted: Wanted,
    /// Words that must follow each other.
    phrases: Vec<Vec<String>>,
}

impl Query {
    /// Reads a query. Whatever is no letter, digit or quotation mark only divides words.
    pub fn read(q: &str) -> Result<Self> {
        let mut query = Self::default();
        let parts: Vec<&str> = q.split('"').collect();
        for (number, part) in parts.iter().enumerate() {
            let units = words::units(part);
            let is_last = number + 1 == parts.len();
            let is_quoted = number % 2 == 1 && !is_last;
            let texts = |units: &[Unit]| units.iter().map(|unit| unit.text.clone()).collect();
            if is_quoted && units.len() > 1 {
                query.phrases.push(texts(&units));
            }
            let (begins, whole) = match units.split_last() {
                Some((last, rest)) if is_last && is_beginning(last) => (Some(last), rest),
                _ => (None, &units[..]),
            };
            query.wanted.words.extend(asked(whole));
            query.wanted.beginning = begins.map(|unit| unit.text.clone());
        }
        query.wanted.words.sort();
        query.wanted.words.dedup();
        let count = query.wanted.words.len() + query.wanted.beginning.iter().count();
        match count {
            0 => Err(Error::invalid("q", "q must hold a word to look for")),
            1..=WORDS_MAX => Ok(query),
            _ => Err(Error::invalid("q", format!("q must hold at most {WORDS_MAX} words"))),
        }
    }

    /// The words as those of a kind of documents are marked.
    pub fn marked(&self, kind: Kind) -> Wanted {
        let mark = kind.mark();
        let marked = |word: &String| format!("{mark}{word}");
        Wanted {
            words: self.wanted.words.iter().map(marked).collect(),
            beginning: self.wanted.beginning.as_ref().map(marked),
        }
    }

    /// Whether texts, which together have all wanted words, hold them as they were quoted: each
    /// phrase stands in one of them.
    pub fn is_in(&self, texts: &[&str]) -> bool {
        if self.phrases.is_empty() {
            return true;
        }
        let plain = |word: &str| words::plain(word).unwrap_or_else(|| word.to_owned());
        let units = |text: &&str| words::units(text).iter().map(|unit| plain(&unit.text)).collect();
        let texts: Vec<Vec<String>> = texts.iter().map(units).collect();
        let is_in = |phrase: &[String], units: &Vec<String>| {
            units.windows(phrase.len()).any(|some| some == phrase)
        };
        self.phrases.iter().all(|phrase| {
            let phrase: Vec<String> = phrase.iter().map(|word| plain(word)).collect();
            texts.iter().any(|units| is_in(&phrase, units))
        })
    }
}

fn is_beginning(unit: &Unit) -> bool {
    !unit.is_single && BEGINNING.contains(&unit.text.chars().count())
}

/// The words to ask for: where characters stand in a row, their pairs.
pub(in crate::services) fn asked(units: &[Unit]) -> Vec<String> {
    let is_row = |one: &Unit, next: &Unit| one.is_single && next.is_single && next.is_joined;
    let alone = units.iter().enumerate().filter(|(index, unit)| {
        let after_one = *index > 0 && is_row(&units[index - 1], unit);
        let before_one = units.get(index + 1).is_some_and(|next| is_row(unit, next));
        !after_one && !before_one
    });
    let alone = alone.map(|(_, unit)| unit.text.clone());
    alone.chain(words::pairs(units)).collect()
}

/// What a service's or account's words are marked with.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Accounts.
    Account,
    /// Services.
    Service,
}

impl Kind {
    pub(super) const fn mark(self) -> char {
        match self {
            Self::Account => '@',
            Self::Service => '$',
        }
    }
}

/// A page of accounts or services with marked words, newest first. The statement answers the document,
/// whether it is passed over, and the rest of `T`; `step` also passes over what has no quoted words.
pub fn find<T: FromRow>(
    ctx: &mut Ctx<'_, '_>,
    wanted: &Wanted,
    page: &Page,
    statement: Pair,
    step: impl Fn(T) -> Step<T>,
) -> Result<(Vec<T>, Option<Cursor>)> {
    scan::page(ctx, page, |ctx, before, most| {
        let range = Range { before: number(before)?, after: 0, most };
        let rows: Vec<T> = ctx.tx.search(statement, wanted, range, &[])?;
        Ok(rows.into_iter().map(&step).collect())
    })
}

/// The filter of a search for posts.
#[derive(Clone, Copy, Debug)]
pub struct Seeking<'a> {
    /// What their texts hold.
    pub query: &'a Query,
    /// Who wrote them.
    pub author: Option<&'a UserId>,
    /// A hashtag they have, as it is kept.
    pub tag: Option<&'a str>,
    /// From when on they were published.
    pub since: Option<Timestamp>,
    /// Before when they were published.
    pub until: Option<Timestamp>,
}

impl Seeking<'_> {
    fn wanted(&self) -> Wanted {
        let mut wanted = self.query.wanted.clone();
        wanted.words.extend(self.author.map(author_word));
        wanted.words.extend(self.tag.map(tag_word));
        wanted
    }
}

/// The word that all posts of an account have.
pub(super) fn author_word(id: &UserId) -> String {
    let id = id.as_str();
    format!("!{}", &id[id.len().saturating_sub(12)..])
}

/// The word that all posts with a hashtag have.
pub(super) fn tag_word(tag: &str) -> String {
    format!("#{tag}")
}

/// Texts that are searched for a phrase at once: each may have 40,000 characters.
const TEXTS_AT_ONCE: i64 = 25;

/// What a search for posts finds: the document, the post, whether the viewer sees it, and its text if that is read.
type Found = (i64, PostId, bool, Option<String>);

/// A page of posts, newest first. Those of limited accounts are excluded.
pub fn posts(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    seeking: &Seeking<'_>,
    page: &Page,
) -> Result<(Vec<PostId>, Option<Cursor>)> {
    let wanted = seeking.wanted();
    let shown = Shown {
        author: seeking.author,
        first: seeking.since.map(ids::first_of::<PostId>),
        last: seeking.until.map(ids::first_of::<PostId>),
        viewer: viewer.map_or("", |viewer| viewer.id.as_str()),
        reads_text: !seeking.query.phrases.is_empty(),
    };
    let (after, end) = documents(ctx, shown.first.as_ref(), shown.last.as_ref())?;
    let at_once = if shown.reads_text { TEXTS_AT_ONCE } else { i64::MAX };
    scan::page_within(ctx, page, at_once, |ctx, before, most| {
        let range = Range { before: number(before)?.min(end), after, most };
        let rows = shown.rows(ctx, &wanted, range)?;
        let step = |(doc, id, is_shown, text): Found| {
            let is_quoted = || text.as_deref().is_none_or(|text| seeking.query.is_in(&[text]));
            Step { key: doc.to_string(), item: (is_shown && is_quoted()).then_some(id) }
        };
        Ok(rows.into_iter().map(step).collect())
    })
}

/// Which posts of those with the wanted words a search shows.
struct Shown<'a> {
    author: Option<&'a UserId>,
    first: Option<PostId>,
    /// The first that is too new.
    last: Option<PostId>,
    viewer: &'a str,
    /// Whether their texts are read, to look for phrases.
    reads_text: bool,
}

impl Shown<'_> {
    /// The posts with the wanted words in a range of documents, also those that are not shown.
    fn rows(&self, ctx: &mut Ctx<'_, '_>, wanted: &Wanted, range: Range) -> Result<Vec<Found>> {
        let now = ctx.now();
        ctx.tx.search(
            select_found!(
                "select found.doc, p.id,
                    p.deleted_at is null and p.hidden = false and a.deleted_at is null
                        and a.status = 'active'
                        and (cast($5 as text) is null or p.author = $5)
                        and (cast($6 as text) is null or p.id >= $6)
                        and (cast($7 as text) is null or p.id < $7)
                        and not exists (
                            select 1 from block b where b.blocker = $8 and b.blocked = a.id
                        )
                        and not exists (
                            select 1 from block b where b.blocker = a.id and b.blocked = $8
                        )
                        and not exists (
                            select 1 from account_mute m
                            where m.muter = $8 and m.muted = a.id
                                and (m.expires_at is null or m.expires_at > $9)
                        ),
                    case when $10 then p.content end
                 from found
                 cross join search_doc d
                 cross join post p
                 cross join account a
                 where d.doc = found.doc and p.id = d.id and a.id = p.author
                 order by found.doc desc"
            ),
            wanted,
            range,
            values![self.author, self.first, self.last, self.viewer, now, self.reads_text],
        )
    }
}

/// The documents after and before which the posts between two ids are, with room for those out of order.
fn documents(
    ctx: &mut Ctx<'_, '_>,
    first: Option<&PostId>,
    last: Option<&PostId>,
) -> Result<(i64, i64)> {
    let after = first.map(|id| near(ctx, id)).transpose()?;
    let end = last.map(|id| near(ctx, id)).transpose()?;
    let end = end.map_or(i64::MAX, |doc| doc + OUT_OF_ORDER);
    Ok((after.map_or(0, |doc| doc - OUT_OF_ORDER), end))
}

/// The document of the first post from an id on, or the newest of all.
fn near(ctx: &mut Ctx<'_, '_>, id: &PostId) -> Result<i64> {
    ctx.tx.one(
        sql!(
            "select coalesce(
                (select doc from search_doc where id >= $1 and id < 'post_z' order by id limit 1),
                (select max(doc) from search_doc),
                0
            )"
        ),
        values![id],
    )
}

/// The document a page begins behind; no cursor was made of another text.
fn number(before: Option<&str>) -> Result<i64> {
    before.map_or(Ok(i64::MAX), |text| text.parse().map_err(|_| Page::damaged()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(q: &str) -> (Vec<String>, Option<String>, Vec<Vec<String>>) {
        let query = Query::read(q).unwrap();
        (query.wanted.words, query.wanted.beginning, query.phrases)
    }

    fn texts(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn the_last_word_may_be_a_beginning() {
        let beginning = |word: &str| Some(word.to_owned());
        assert_eq!(read("Ada  LOVE"), (texts(&["ada"]), beginning("love"), vec![]));
        assert_eq!(read("a"), (texts(&["a"]), None, vec![]));
        assert_eq!(read("thirteenchars"), (texts(&["thirteenchars"]), None, vec![]));
        assert_eq!(read("語"), (texts(&["語"]), None, vec![]));
        assert_eq!(read("日本語 ai!"), (texts(&["日本", "本語"]), beginning("ai"), vec![]));
    }

    #[test]
    fn quoted_words_follow_each_other() {
        let phrases = vec![texts(&["one", "two"])];
        assert_eq!(read("\"One, two\""), (texts(&["one", "two"]), None, phrases.clone()));
        let beginning = Some("three".to_owned());
        assert_eq!(read("\"one two\" three"), (texts(&["one", "two"]), beginning, phrases));
        assert_eq!(read("\"one\""), (texts(&["one"]), None, vec![]));
        let unclosed = Some("two".to_owned());
        assert_eq!(read("\"one two"), (texts(&["one"]), unclosed, vec![]));
        let query = Query::read("\"日本語\" \"b c\"").unwrap();
        assert!(query.is_in(&["a b, C d 日本語"]));
        assert!(!query.is_in(&["a b, d c 日本語"]));
        assert!(query.is_in(&["b c", "日本語"]), "each stands in one of them");
        assert!(!query.is_in(&["b", "c 日本語"]), "none goes on in the next");
    }

    #[test]
    fn a_query_without_a_word_is_refused() {
        for q in ["", " ", "\"\"", "*", "😀", "&|!<->():*", "\u{200d}\u{301}"] {
            assert!(Query::read(q).is_err(), "{q}");
        }
        let many: Vec<String> = (0..=WORDS_MAX).map(|n| format!("w{n}")).collect();
        assert!(Query::read(&many.join(" ")).is_err());
        assert!(Query::read(&many[1..].join(" ")).is_ok());
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused(q in "\\PC{0,40}|[\"a-c日本 *:]{0,40}") {
            if let Ok(query) = Query::read(&q) {
                prop_assert!(query.phrases.is_empty() || query.is_in(&[&q]));
            }
        }
    }
}
