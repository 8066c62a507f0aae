//! Posts as people read them.

use svc_client::types::PostId;
use svc_client::types::api::media::Attachment;
use svc_client::types::api::posts::{Post, PostRef};

use crate::output::{self, one_line};
use crate::time;

/// Longest text in a list, in characters and in lines.
const CHARS_MAX: usize = 1000;
const LINES_MAX: usize = 12;

/// Longest quoted text, in characters.
const QUOTE_CHARS_MAX: usize = 140;

/// Widest line of a text on a terminal, and the narrowest.
const COLUMNS_MAX: usize = 100;
const COLUMNS_MIN: usize = 20;

/// How posts are shown.
pub(crate) struct Format {
    /// Whether long texts are cut.
    cuts: bool,
    /// Whether a warning replaces the text.
    folds: bool,
    /// Whether a warning replaces the text of a quoted post.
    folds_quotes: bool,
    /// Columns of the terminal; a pipe gets lines as they are.
    columns: Option<usize>,
}

impl Format {
    /// For a post that was asked for, which those that it quotes were not.
    pub(crate) fn whole() -> Self {
        Self { cuts: false, folds: false, folds_quotes: true, columns: output::columns() }
    }

    /// For posts of a list, with their warned texts or without.
    pub(crate) fn in_list(show_warned: bool) -> Self {
        let folds = !show_warned;
        Self { cuts: true, folds, folds_quotes: folds, columns: output::columns() }
    }

    /// Sets whether warnings replace texts.
    pub(crate) fn fold_warned(self, folds: bool) -> Self {
        Self { folds, folds_quotes: folds, ..self }
    }

    /// Posts of a list, or a word for none.
    pub(crate) fn all(&self, posts: &[Post], none: &str) -> String {
        let posts: Vec<String> = posts.iter().map(|post| self.one(post)).collect();
        if posts.is_empty() { none.to_owned() } else { posts.join("\n\n") }
    }

    /// A post. Untrusted lines are indented by two spaces, so that none passes for one of ours.
    pub(crate) fn one(&self, post: &Post) -> String {
        let mut lines = Vec::new();
        if let Some(repost) = &post.repost {
            let when = time::minute(repost.created_at);
            lines.push(format!("@{} reposted  {when}", repost.by.username));
        }
        lines.push(head(post));
        let warning = post.content_warning.as_deref();
        lines.extend(warning.map(|warning| self.warning(warning)));
        if self.folds && warning.is_some() {
            lines.push(folded(&post.id));
        } else {
            lines.push(self.text(post));
            lines.extend(post.attachments.iter().map(|image| self.image(image)));
            lines.extend(post.quote.as_ref().map(|quote| self.quote(quote)));
        }
        lines.push(counts(post));
        lines.join("\n")
    }

    fn warning(&self, warning: &str) -> String {
        // Only the line that says what it is begins like one of ours.
        let lines = self.set_off(&output::warning(warning));
        lines.trim_start().to_owned()
    }

    fn text(&self, post: &Post) -> String {
        if !self.cuts {
            return self.set_off(&post.content);
        }
        let short: String = post.content.chars().take(CHARS_MAX).collect();
        let text = self.set_off(&short);
        let mut lines: Vec<&str> = text.lines().take(LINES_MAX).collect();
        let is_cut = short.len() < post.content.len() || lines.len() < text.lines().count();
        let more = format!("  … svc read {}", post.id);
        if is_cut {
            lines.push(&more);
        }
        lines.join("\n")
    }

    fn image(&self, image: &Attachment) -> String {
        format!("image {}\n{}", image.url, self.set_off(&one_line(&image.alt)))
    }

    fn quote(&self, quote: &PostRef) -> String {
        let (author, id) = (&quote.author.username, &quote.id);
        let mut lines = vec![format!("quotes @{author}  {id}")];
        let warning = quote.content_warning.as_deref();
        lines.extend(warning.map(|warning| self.warning(warning)));
        lines.push(match warning {
            Some(_) if self.folds => folded(id),
            Some(_) if self.folds_quotes => format!("(folded: svc read {id})"),
            _ => self.quoted(&quote.content),
        });
        lines.join("\n")
    }

    fn quoted(&self, text: &str) -> String {
        let text = one_line(text);
        let short: String = text.chars().take(QUOTE_CHARS_MAX).collect();
        let end = if short.len() < text.len() { "…" } else { "" };
        self.set_off(&format!("{short}{end}"))
    }

    /// Untrusted text with its lines indented, and wrapped where a terminal would break them.
    fn set_off(&self, text: &str) -> String {
        match self.columns {
            None => indented(text),
            Some(columns) => indented(&wrapped(text, columns)),
        }
    }
}

/// What stands for a text with a warning.
fn folded(id: &PostId) -> String {
    format!("(folded: svc read {id}, or --show-warned)")
}

/// Who, when and what.
fn head(post: &Post) -> String {
    let author = &post.author.username;
    let mut head = format!("@{author}  {}  {}", time::minute(post.created_at), post.id);
    if let Some(parent) = &post.reply_to_id {
        head = format!("{head}  answers {parent}");
    }
    let states = [
        (post.pinned, "pinned"),
        (post.edited_at.is_some(), "edited"),
        (post.author.is_agent, "by an agent"),
    ];
    let states = states.into_iter().filter(|(is, _)| *is).map(|(_, word)| word.to_owned());
    let labels = post.labels.iter().map(|label| format!("[{}]", one_line(label)));
    states.chain(labels).fold(head, |head, part| format!("{head}  {part}"))
}

/// What others did to it, and a mark for what the reader did.
fn counts(post: &Post) -> String {
    let viewer = post.viewer.as_ref();
    let liked = viewer.is_some_and(|viewer| viewer.liked);
    let reposted = viewer.is_some_and(|viewer| viewer.reposted);
    let count = |name: &str, count: i64, mark: &str| format!("{name} {count}{mark}");
    let mut parts = vec![count("likes", post.likes_count, if liked { " ♥" } else { "" })];
    if post.reposts_count > 0 || reposted {
        parts.push(count("reposts", post.reposts_count, if reposted { " ↻" } else { "" }));
    }
    parts.push(count("replies", post.replies_count, ""));
    if post.quotes_count > 0 {
        parts.push(count("quotes", post.quotes_count, ""));
    }
    if viewer.is_some_and(|viewer| viewer.bookmarked) {
        parts.push("bookmarked".to_owned());
    }
    if viewer.is_some_and(|viewer| viewer.muted) {
        parts.push("thread muted".to_owned());
    }
    parts.join("  ")
}

/// Untrusted text, indented so that none of its lines passes for one of ours.
pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}")).collect();
    lines.join("\n")
}

/// A row of a list that ends with untrusted text. Where a terminal would break it, the rest is indented: it must not
/// pass for the next row.
pub(crate) fn hanging(row: &str) -> String {
    match output::columns() {
        None => row.to_owned(),
        Some(columns) => broken(row, columns.max(COLUMNS_MIN) - 2).join("\n  "),
    }
}

/// Text in lines that a terminal with this many columns does not break, two of them kept free.
///
/// A line the terminal broke would go on in its first column, where our own words begin.
fn wrapped(text: &str, columns: usize) -> String {
    let width = columns.clamp(COLUMNS_MIN, COLUMNS_MAX) - 2;
    let lines: Vec<String> = text.lines().flat_map(|line| broken(line, width)).collect();
    lines.join("\n")
}

/// A line in parts that fit, broken between words where that can be.
fn broken(line: &str, width: usize) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut part, mut used) = (String::new(), 0);
    for c in line.replace('\t', "    ").chars() {
        if used + columns(c) > width {
            let at = part.rfind(' ').filter(|_| c != ' ').map_or(part.len(), |space| space + 1);
            let rest = part.split_off(at);
            parts.push(std::mem::replace(&mut part, rest).trim_end().to_owned());
            used = part.chars().map(columns).sum();
            if c == ' ' {
                continue;
            }
        }
        part.push(c);
        used += columns(c);
    }
    parts.push(part);
    parts
}

/// Columns a character takes at most; those of scripts that begin here may take two.
fn columns(c: char) -> usize {
    if c < '\u{1100}' { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "one two three four five\n\nsix";
        assert_eq!(wrapped(text, 20), "one two three four\nfive\n\nsix");
        assert_eq!(wrapped("a\tb", 20), "a    b");
    }

    #[test]
    fn a_long_word_is_broken_where_the_line_ends() {
        let word = "x".repeat(40);
        let lines = wrapped(&word, 20);
        assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [18, 18, 4]);
        let wide = "語".repeat(10);
        assert_eq!(wrapped(&wide, 20).lines().map(|line| line.chars().count()).max(), Some(9));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let text = format!("{}likes 999 {}", " ".repeat(78), "word ".repeat(60));
        for columns in [0, 20, 33, 80, 300] {
            let most = columns.clamp(COLUMNS_MIN, COLUMNS_MAX) - 2;
            assert!(wrapped(&text, columns).lines().all(|line| line.chars().count() <= most));
        }
    }
}
