//! The only place that prints: data to stdout, everything else to stderr.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, IsTerminal, Write};

use rustix::termios::tcgetwinsize;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use svc_client::types::Credits;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::raw::WithRaw;
use crate::shell::quoted;

const RED: &str = "\x1b[1;31m";
const CYAN: &str = "\x1b[36m";
const PLAIN: &str = "\x1b[0m";

/// Columns of a terminal of unknown size.
const COLUMNS_DEFAULT: usize = 80;

/// Commands that depend on neither a profile nor a server.
const WITHOUT_PROFILE: [&str; 3] = ["help", "profile list", "serve"];

/// How answers are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    /// For programs rather than people.
    pub(crate) json: bool,
    /// Without notes and hints of success.
    pub(crate) quiet: bool,
    /// The profile that was named, which the next command needs too.
    pub(crate) profile: Option<&'static str>,
    /// The server that was named, to which the next command has to go too.
    pub(crate) url: Option<&'static str>,
}

impl Output {
    /// Prints a response: the JSON for programs, `people` for people.
    pub(crate) fn answer<T>(
        self,
        answer: &WithRaw<T>,
        people: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        if self.json {
            return raw(&answer.raw);
        }
        data(&plain(&people(&answer.value)))
    }

    /// Prints a list, or one line of one.
    pub(crate) fn page(self, answer: &RawValue, people: &str) -> Result<()> {
        if self.json {
            return raw(answer);
        }
        data(&plain(people))
    }

    /// Prints a value that does not come from a server.
    pub(crate) fn local(self, value: &impl Serialize, people: &str) -> Result<()> {
        if self.json {
            return programs(&json(value));
        }
        data(&plain(people))
    }

    /// Prints a response without a format: unchanged for programs, indented for people.
    pub(crate) fn any(self, answer: &RawValue) -> Result<()> {
        if self.json {
            return raw(answer);
        }
        let value: Value = serde_json::from_str(answer.get()).unwrap_or_default();
        data(&plain(&format!("{value:#}")))
    }

    /// Prints a line with a note, which goes to stderr unless stdout is a terminal.
    pub(crate) fn noted(self, line: &str, note: &str) -> Result<()> {
        if io::stdout().is_terminal() && !self.quiet {
            return data(&plain(&format!("{line}  {}", self.repeatable(note))));
        }
        data(&plain(line))?;
        self.note(note);
        Ok(())
    }

    /// Prints a note to stderr.
    pub(crate) fn note(self, text: &str) {
        if !self.json && !self.quiet {
            note_line(&plain(&self.repeatable(text)));
        }
    }

    /// Prints to stderr what a person has to do now, even if notes are off.
    pub(crate) fn ask(text: &str) {
        note_line(&plain(text));
    }

    /// A hint whose commands use the same profile and the same server.
    pub(crate) fn repeatable(self, hint: &str) -> String {
        let named = [("--profile", self.profile), ("--url", self.url)];
        let named = named.iter().filter_map(|(flag, value)| Some((flag, (*value)?)));
        let with_flags = named.fold("svc ".to_owned(), |line, (flag, value)| {
            format!("{line}{flag} {} ", quoted(value))
        });
        let mut text = String::new();
        for (index, part) in hint.split("svc ").enumerate() {
            // A command is a word of its own, and another word follows.
            let is_command = part.starts_with(|c: char| c.is_ascii_lowercase())
                && (text.is_empty() || text.ends_with(' '))
                && !ends_in_quotes(&text)
                && !WITHOUT_PROFILE.iter().any(|command| part.starts_with(command));
            match index {
                0 => {}
                _ if is_command => text.push_str(&with_flags),
                _ => text.push_str("svc "),
            }
            text.push_str(part);
        }
        text
    }

    /// Prints why the command failed.
    pub(crate) fn error(self, error: &mut Error) {
        if error.exit == Exit::Done || error.is_printed {
            return;
        }
        error.hint = error.hint.take().map(|hint| self.repeatable(&hint));
        if self.json {
            return note_line(&escaped(&json(error)));
        }
        let mut text = format!("{RED}error:{PLAIN} {}", plain(&one_line(&error.message)));
        if let Some(untrusted) = &error.untrusted {
            let _ = write!(text, ": {}", plain(&untrusted.people()));
        }
        if let Some(key) = &error.idempotency_key {
            let _ = write!(text, "\nrepeat safely with --idempotency-key {key}");
        }
        if let Some(hint) = error.hint.as_ref().filter(|hint| !names_state(error, hint)) {
            let hint = sentence(&error.code, hint);
            // Spaces within a line stay: they may be part of a text that was typed.
            let lines: Vec<&str> = hint.lines().map(str::trim).collect();
            let _ = write!(text, "\n{CYAN}hint:{PLAIN} {}", plain(&lines.join(" ")));
        }
        note_line(&text);
    }
}

/// Prints one line of JSON as it came.
pub(crate) fn raw(answer: &RawValue) -> Result<()> {
    programs(answer.get())
}

/// Prints JSON: unchanged for programs. A terminal obeys characters that JSON does not have to escape.
fn programs(text: &str) -> Result<()> {
    if io::stdout().is_terminal() { data(&escaped(text)) } else { data(text) }
}

/// Prints a generated text as it is.
pub(crate) fn text(text: &str) -> Result<()> {
    data(text.trim_end())
}

/// Prints text from another account unchanged, except for control characters on a terminal.
pub(crate) fn foreign(text: &str) -> Result<()> {
    if io::stdout().is_terminal() { data(&plain(text)) } else { data(text.trim_end()) }
}

/// Columns of the terminal that reads stdout, if one does.
pub(crate) fn columns() -> Option<usize> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let columns = tcgetwinsize(stdout).map_or(0, |size| size.ws_col);
    Some(if columns == 0 { COLUMNS_DEFAULT } else { columns.into() })
}

/// One line of JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("our own values have text keys")
}

/// Writes to stdout; a reader that has gone ends the command quietly.
fn data(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Error::closed_pipe(),
        _ => Error::new(Exit::Other, "file", format!("can't write to stdout: {error}")),
    })
}

/// Writes to stderr; a failure cannot be reported anywhere.
fn note_line(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Text without what could drive a terminal or turn its reading direction.
///
/// All that people see passes through here, so text of other accounts can't be forgotten.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| is_harmless(*c)).collect()
}

/// JSON with the same meaning that can't drive a terminal. Outside of its texts, line ends are the only such
/// characters.
fn escaped(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut text, c| {
        if c == '\r' || is_harmless(c) {
            text.push(c);
        } else {
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        }
        text
    })
}

/// Whether a character neither drives a terminal nor turns its reading direction.
fn is_harmless(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        _ => !c.is_control(),
    }
}

/// Whether a text ends within a word that is quoted for a shell: what a person typed stays as it is. An apostrophe
/// follows a letter, and `\'` is a character of the word around it.
fn ends_in_quotes(text: &str) -> bool {
    let (mut is_inside, mut before) = (false, ' ');
    for c in text.chars() {
        if c == '\'' && (is_inside || !(before.is_alphanumeric() || before == '\\')) {
            is_inside = !is_inside;
        }
        before = c;
    }
    is_inside
}

/// Codes whose hint is only the state, a word for programs.
const STATE_CODES: [&str; 2] = ["wrong_state", "request_closed"];

/// Whether the message names the state that the hint is.
fn names_state(error: &Error, hint: &str) -> bool {
    STATE_CODES.contains(&error.code.as_str()) && error.message.contains(hint)
}

/// A hint for people. Where the hint of the platform is for programs, only a state or an amount, it becomes
/// a sentence.
fn sentence(code: &str, hint: &str) -> String {
    let is_word = hint.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    if is_word && STATE_CODES.contains(&code) {
        return format!("it is {}", hint.replace('_', " "));
    }
    let Ok(amount) = hint.parse::<Credits>().map(Credits::in_words) else {
        return hint.to_owned();
    };
    match code {
        "amount_not_exact" => format!("for example {amount}"),
        "not_refundable" | "not_redeemable" => format!("at most {amount}"),
        "debt_open" => format!("{amount} owed; what you earn or buy pays that first"),
        _ => hint.to_owned(),
    }
}

/// A number and what it counts, such as `1 order`.
pub(crate) fn counted(count: i64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Text on one line, for a row of a list.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A content warning on its line.
pub(crate) fn warning(text: &str) -> String {
    format!("warning: {}", one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_a_hint_use_the_profile_and_the_server_that_were_named() {
        let out = |profile| Output { json: false, quiet: false, profile, url: None };
        let hint = "svc credits; then svc order again, or ask svc-server, or svc";
        assert_eq!(out(None).repeatable(hint), hint);
        let ada = out(Some("ada"));
        let expected = "svc --profile ada credits; then svc --profile ada order again, or ask \
                        svc-server, or svc";
        assert_eq!(ada.repeatable(hint), expected);
        let next = out(Some("two words")).repeatable("next: svc post -");
        assert_eq!(next, "next: svc --profile 'two words' post -");
        assert_eq!(ada.repeatable("xsvc post"), "xsvc post");
        let there = Output { url: Some("https://svc.example"), ..ada };
        let expected = "svc --profile ada --url https://svc.example login, or svc serve";
        assert_eq!(there.repeatable("svc login, or svc serve"), expected);
    }

    #[test]
    fn what_was_typed_stays_as_it_is_in_a_hint() {
        let ada = Output { json: false, quiet: false, profile: Some("ada"), url: None };
        for typed in ["how svc works", "it's how svc works", "svc's way, how svc works"] {
            let typed = quoted(typed);
            let hint = ada.repeatable(&format!("more: svc search {typed} --limit 1; svc credits"));
            let expected = format!(
                "more: svc --profile ada search {typed} --limit 1; svc --profile ada credits"
            );
            assert_eq!(hint, expected);
        }
        let prose = ada.repeatable("the agents' key; the bot's way: svc credits");
        assert_eq!(prose, "the agents' key; the bot's way: svc --profile ada credits");
    }

    #[test]
    fn a_state_becomes_a_sentence() {
        assert_eq!(sentence("wrong_state", "input_required"), "it is input required");
        assert_eq!(sentence("wrong_state", "svc credits"), "svc credits");
        assert_eq!(sentence("already_exists", "username"), "username");
    }

    #[test]
    fn an_amount_becomes_a_sentence() {
        assert_eq!(sentence("amount_not_exact", "501"), "for example 501 credits");
        assert_eq!(sentence("not_redeemable", "34.5"), "at most 34.5 credits");
        assert_eq!(sentence("not_refundable", "1"), "at most 1 credit");
        let owed = "155.5 credits owed; what you earn or buy pays that first";
        assert_eq!(sentence("debt_open", "155.5"), owed);
        assert_eq!(sentence("price_above_max", "5"), "5");
        assert_eq!(sentence("not_refundable", "refund at most 5"), "refund at most 5");
    }

    #[test]
    fn text_from_other_accounts_cannot_drive_a_terminal() {
        let hostile = "a\x1b[2Jb\u{9b}31mc\x07\r\u{202e}d\ne\tf";
        assert_eq!(plain(hostile), "a[2Jb31mcd\ne\tf");
        let json = r#"{"a":"b\u001b"}"#;
        assert_eq!(escaped(json), json);
        let hostile = "[\"\u{9b}31m\u{7f}\u{202e}ü\"]\r\n";
        assert_eq!(escaped(hostile), "[\"\\u009b31m\\u007f\\u202eü\"]\r\n");
        assert_eq!(one_line("a\r\n b\t\tc"), "a b c");
    }
}
