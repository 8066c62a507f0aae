//! Pieces of source text.

/// The longest line of a source file.
pub(crate) const LINE_MAX: usize = 100;

/// `in_progress` as `InProgress`, `exchange:sell` as `ExchangeSell`.
pub(crate) fn pascal(name: &str) -> String {
    let words = name.split(['_', ':']).map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

/// A text as doc comment.
pub(crate) fn doc(text: &str, indent: usize) -> String {
    let line = |line: &str| format!("{:indent$}/// {line}", "").trim_end().to_owned() + "\n";
    text.lines().map(line).collect()
}

/// A text on lines of at most `width` characters; its own line breaks go.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, String::len);
        if line > 0 && line + 1 + word.len() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let space = if line.is_empty() { "" } else { " " };
            line.push_str(space);
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// The texts of several things, one after another.
pub(crate) fn each<T>(all: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    all.into_iter().map(text).collect::<Vec<_>>().concat()
}
