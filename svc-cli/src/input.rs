//! Input from files, stdin and a terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use serde_json::{Map, Value};
use svc_client::types::credits::Amount;
use svc_client::types::{Balance, Credits, PositiveCredits, Rating, Share};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::output::plain;

/// Most bytes read from a file or stdin: the largest request body of the API.
const INPUT_BYTES_MAX: u64 = 1024 * 1024;

/// Text as it was typed, or all of stdin for `-`.
pub(crate) fn text(argument: &str) -> Result<String> {
    match argument {
        "-" => stdin(),
        text => Ok(text.to_owned()),
    }
}

/// The value of a flag: all of stdin for `-`, a file for `@FILE`, and `@@` for a text with `@`.
pub(crate) fn value(argument: &str) -> Result<String> {
    match argument.strip_prefix('@') {
        Some(rest) if rest.starts_with('@') => Ok(rest.to_owned()),
        Some(path) => content(path, "write @@ for a text that begins with @"),
        None => text(argument),
    }
}

/// The text of a file, or all of stdin for `-`.
pub(crate) fn file(path: &str) -> Result<String> {
    if path == "-" { stdin() } else { content(path, "name a file that is there, or - for stdin") }
}

fn content(path: &str, hint: &str) -> Result<String> {
    let path = Path::new(path);
    let file = std::fs::File::open(path);
    let file = file.map_err(|error| Error::file("read", path, error).hint(hint))?;
    read(file).map_err(|error| Error::file("read", path, error))
}

/// All of stdin, which can be read once.
pub(crate) fn stdin() -> Result<String> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Relaxed) {
        return Err(Error::usage("- can be used once only").hint("use @FILE for the other"));
    }
    read(io::stdin().lock()).map_err(|error| Error::usage(format!("can't read stdin: {error}")))
}

/// The bytes of a file, or of stdin for `-`; an error when there are more than `most`.
pub(crate) fn bytes(path: &str, most: usize) -> Result<Vec<u8>> {
    let source: Box<dyn Read> = match path {
        "-" => Box::new(io::stdin().lock()),
        path => {
            let opened = std::fs::File::open(path);
            Box::new(opened.map_err(|error| Error::file("read", Path::new(path), error))?)
        }
    };
    let mut bytes = Vec::new();
    let read = source.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::file("read", Path::new(path), error))?;
    if bytes.len() > most {
        return Err(Error::usage(format!("{path} must have at most {most} bytes")));
    }
    Ok(bytes)
}

/// A JSON object in a file, or on stdin for `-`.
pub(crate) fn object(path: &str) -> Result<Map<String, Value>> {
    let name = if path == "-" { "stdin" } else { path };
    let text = file(path)?;
    let wrong = |error| Error::usage(format!("{name} must hold a JSON object: {error}"));
    serde_json::from_str(&text).map_err(wrong)
}

/// An amount of credits on a command line.
pub(crate) fn credits(text: &str) -> Result<Credits, String> {
    amount(text)
}

/// An amount of credits above 0 on a command line.
pub(crate) fn positive_credits(text: &str) -> Result<PositiveCredits, String> {
    amount(text)
}

fn amount<const MIN: i64, const MAX: i64>(text: &str) -> Result<Amount<MIN, MAX>, String> {
    let [least, most] = [MIN, MAX].map(Balance::from_micros);
    text.parse().map_err(|_| {
        format!("must be a number of credits from {least} to {most} with at most 6 decimals")
    })
}

/// A rating on a command line.
pub(crate) fn rating(text: &str) -> Result<Rating, &'static str> {
    let value = text.parse().ok().and_then(Rating::from_value);
    value.ok_or("must be a number from 1 to 5 in half steps")
}

/// A share on a command line.
pub(crate) fn share(text: &str) -> Result<Share, &'static str> {
    let value = text.parse().ok().and_then(Share::from_value);
    value.ok_or("must be a number from 0 to 1")
}

/// Reads everything, without the final line break that `echo` adds and the mark that editors put before the text.
fn read(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(INPUT_BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > INPUT_BYTES_MAX {
        let rule = format!("it must have at most {INPUT_BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, rule));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let trimmed = text.strip_suffix('\n').unwrap_or(text);
    Ok(trimmed.strip_suffix('\r').unwrap_or(trimmed).to_owned())
}

/// Whether there is a person to ask, and how they answered beforehand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Person {
    /// A terminal on both ends, and no agent in front of it.
    pub(crate) present: bool,
    /// `--yes`.
    pub(crate) agreed: bool,
}

impl Person {
    /// Whether someone sits at a terminal, unless an agent does.
    pub(crate) fn new(agent: bool, agreed: bool) -> Self {
        let present = !agent && io::stdin().is_terminal() && io::stderr().is_terminal();
        Self { present, agreed }
    }

    /// Asks before what can't be undone; without a person it never waits.
    pub(crate) fn confirm(self, what: &str) -> Result<()> {
        if self.has_to_be_asked(what)? { answer(&format!("{what} Go on?")) } else { Ok(()) }
    }

    /// Whether a question is to be asked; an error when it is and there is no terminal.
    pub(crate) fn has_to_be_asked(self, what: &str) -> Result<bool> {
        if self.agreed || self.present {
            return Ok(!self.agreed);
        }
        let message = format!("this needs a confirmation: {what}");
        Err(Error::new(Exit::Usage, "confirmation_missing", message)
            .hint("repeat the command with --yes"))
    }

    /// Asks for a secret without echoing it.
    pub(crate) fn secret(self, label: &str, instead: &str) -> Result<String> {
        if !self.present {
            let message = format!("no terminal to ask for the {label}");
            return Err(Error::new(Exit::Usage, "secret_missing", message).hint(instead));
        }
        let hidden = Hidden::begin().map_err(|error| Error::usage(error.to_string()))?;
        let typed = prompt(&format!("{label}: ")).and_then(|()| hidden.line());
        // The terminal does not echo the line break either.
        let _ = writeln!(io::stderr());
        typed
    }
}

/// Asks a question to be answered with yes; for who found that it [has to be
/// asked](Person::has_to_be_asked).
pub(crate) fn answer(question: &str) -> Result<()> {
    let typed = ask(&format!("{} [y/N] ", plain(question)))?;
    match typed.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Error::new(Exit::Usage, "not_confirmed", "not confirmed, nothing was done")),
    }
}

fn ask(question: &str) -> Result<String> {
    let mut answer = String::new();
    prompt(question)?;
    let mut line = io::stdin().lock().take(INPUT_BYTES_MAX);
    line.read_line(&mut answer).map_err(|error| unreadable(&error))?;
    Ok(answer.trim_end_matches(['\r', '\n']).to_owned())
}

fn prompt(question: &str) -> Result<()> {
    write!(io::stderr(), "{question}").map_err(|error| unreadable(&error))
}

fn unreadable(error: &io::Error) -> Box<Error> {
    Error::usage(format!("can't read the answer: {error}"))
}

/// Turns off echo of the terminal until it is dropped. Ctrl-C is read meanwhile, and ends the line: as a signal it
/// would end the command before the echo is back.
struct Hidden {
    before: Termios,
    interrupt: u8,
}

impl Hidden {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let interrupt = before.special_codes[SpecialCodeIndex::VINTR];
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        hidden.special_codes[SpecialCodeIndex::VEOL] = interrupt;
        tcsetattr(io::stdin(), OptionalActions::Flush, &hidden)?;
        Ok(Self { before, interrupt })
    }

    /// The line that is typed.
    fn line(&self) -> Result<String> {
        let mut typed = Vec::new();
        for byte in io::stdin().lock().take(INPUT_BYTES_MAX).bytes() {
            match byte.map_err(|error| unreadable(&error))? {
                b'\n' => break,
                byte if byte == self.interrupt => {
                    let message = "interrupted; nothing was done";
                    return Err(Error::new(Exit::Interrupted, "interrupted", message));
                }
                byte => typed.push(byte),
            }
        }
        let typed = String::from_utf8(typed);
        let typed = typed.map_err(|_| Error::usage("what was typed is no UTF-8"))?;
        Ok(typed.trim_end_matches('\r').to_owned())
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_at_the_beginning_is_not_meant() {
        assert_eq!(read("\u{feff}{}\r\n".as_bytes()).unwrap(), "{}");
        assert_eq!(read("a\u{feff}".as_bytes()).unwrap(), "a\u{feff}");
    }

    #[test]
    fn one_line_break_at_the_end_is_not_meant() {
        assert_eq!(read("a\n\n".as_bytes()).unwrap(), "a\n");
        assert_eq!(read("a\r\n".as_bytes()).unwrap(), "a");
    }

    #[test]
    fn a_doubled_at_sign_is_a_text() {
        assert_eq!(value("@@bob hello").unwrap(), "@bob hello");
    }
}
