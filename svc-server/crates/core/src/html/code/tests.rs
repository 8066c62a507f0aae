use proptest::prelude::*;

use super::*;

fn written(pieces: &[&str], marks: &str) -> String {
    let (mut writer, mut out) = (Writer::new(marks), String::new());
    for piece in pieces {
        writer.write(&mut out, piece).expect("a string takes what is written");
    }
    out
}

/// The text of HTML of spans.
fn text_of(html: &str) -> String {
    let mut text = html.to_owned();
    for class in Class::ALL {
        text = text.replace(&format!("<span class=\"{}\">", class.letter()), "");
    }
    let text = text.replace("</span>", "");
    assert!(!text.contains(['<', '>', '"', '\'']), "{html}");
    let unescaped =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    unescaped.into_iter().fold(text, |text, (from, to)| text.replace(from, to))
}

#[test]
fn marks_become_spans() {
    for (pieces, marks, expected) in [
        (
            &["fn f<T>"][..],
            "2k1.1f1.1t",
            "<span class=\"k\">fn</span> <span class=\"f\">f</span>&lt;<span class=\"t\">T</span>&gt;",
        ),
        (&["12", "34"], "3n", "<span class=\"n\">12</span><span class=\"n\">3</span>4"),
        (&["</span><script>"], "99s", "<span class=\"s\">&lt;/span&gt;&lt;script&gt;</span>"),
        (&["a"], "", "a"),
    ] {
        assert_eq!(written(pieces, marks), expected);
    }
}

#[test]
fn marks_that_do_not_fit_leave_code_plain() {
    for marks in ["1s", "s", "0k1s", "99999999999999999999k", "2", "2x", "-1k", "é", ";1k"] {
        assert_eq!(written(&["é<"], marks), "é&lt;", "{marks}");
    }
}

#[test]
fn a_fence_names_its_language_by_its_first_word() {
    for (info, grammar) in [
        ("rust", Some("Rust")),
        ("rust,ignore", Some("Rust")),
        ("RS title=\"a\"", Some("Rust")),
        ("js{1,3}", Some("JavaScript")),
        (" py ", Some("Python")),
        ("ts", Some("TypeScript")),
        ("sh", Some("Bourne Again Shell (bash)")),
        ("bash", Some("Bourne Again Shell (bash)")),
        ("yml", Some("YAML")),
        ("golang", Some("Go")),
        ("md", Some("Markdown")),
        ("htm", Some("HTML")),
        ("json", Some("JSON")),
        ("", None),
        ("rustic", None),
        ("text rust", None),
        (&"rust".repeat(2500), None),
        ("\"><script>", None),
    ] {
        assert_eq!(Language::of_fence(info).map(|language| language.grammar), grammar, "{info}");
    }
}

#[test]
fn every_word_names_one_language() {
    let mut words: Vec<&str> =
        LANGUAGES.iter().flat_map(|language| language.words).copied().collect();
    let count = words.len();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), count);
}

#[test]
fn texts_with_a_fence_of_a_known_language_may_have_code() {
    for text in ["```rust\na\n```", "a\n\n~~~~ py\n", "> - ```js", "```\na\n```\n```c"] {
        assert!(may_be_in(text), "{text}");
    }
    for text in ["rust", "```\nrust\n```", "```text\n", "`` rust", "```\n\nrust", ""] {
        assert!(!may_be_in(text), "{text}");
    }
    // Each is read once.
    for text in [
        "`".repeat(40_000),
        "```a".repeat(10_000),
        "``` ".repeat(10_000),
        "~~~`".repeat(10_000),
        "```\n".repeat(100_000),
        "~~~\n".repeat(100_000),
    ] {
        assert!(!may_be_in(&text));
    }
    assert!(may_be_in(&format!("{}~~~rust", "```\n".repeat(100_000))));
    assert!(may_be_in(&format!("{}```rust", "é~~~\n".repeat(100_000))));
}

proptest! {
    #[test]
    fn whatever_the_marks_say_the_text_is_the_code(
        pieces in prop::collection::vec("[a-z<>&\"'\n]{0,5}|\\PC{0,5}|[\u{202a}-\u{202e}é]{0,3}|</span>|<script>", 0..6),
        marks in "([0-9]{1,2}[ksncft.]|[0-9]{1,25}|\\PC|;){0,12}",
    ) {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        prop_assert_eq!(text_of(&written(&pieces, &marks)), pieces.concat());
    }

    #[test]
    fn marks_are_read_as_they_were_made(
        parts in prop::collection::vec(("\\PC{1,8}", prop::option::of(prop::sample::select(&Class::ALL[..]))), 0..12)
    ) {
        let mut made = Parts::default();
        for (text, class) in &parts {
            made.push(text.len(), *class);
        }
        let code: String = parts.iter().map(|(text, _)| text.as_str()).collect();
        let html = written(&[&code], &made.marks());
        prop_assert_eq!(text_of(&html), code);
        for class in Class::ALL {
            let is_marked = html.contains(&format!("class=\"{}\"", class.letter()));
            prop_assert_eq!(is_marked, parts.iter().any(|(_, of_part)| *of_part == Some(class)));
        }
    }
}
