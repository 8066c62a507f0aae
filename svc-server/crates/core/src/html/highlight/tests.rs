use std::cell::Cell;
use std::sync::mpsc;
use std::thread;

use proptest::prelude::*;

use super::*;
use crate::html::code::LANGUAGES;
use crate::html::{Links, markdown, markdown_with_marks};

/// A thread whose work takes no time.
fn still() -> Duration {
    Duration::ZERO
}

/// The marks of a text, on a thread of its own: no limit ends a grammar that goes round in circles.
fn marks_in_time(text: &str) -> String {
    let (sender, marks) = mpsc::channel();
    let of = text.to_owned();
    thread::spawn(move || sender.send(Highlighter::default().marks_of(&of, &still)));
    let marks = marks.recv_timeout(Duration::from_secs(30));
    marks.unwrap_or_else(|_| panic!("highlighting never ends: {text:?}"))
}

fn language(word: &str) -> &'static Language {
    Language::of_fence(word).unwrap()
}

/// Code of a language as HTML.
fn shown(word: &str, code: &str) -> String {
    let text = format!("```{word}\n{code}\n```");
    let marks = Highlighter::default().marks_of(&text, &still);
    let html = markdown_with_marks(&text, Links::ON_PAGES, &marks).unwrap();
    let html = html.trim().strip_prefix("<pre><code>").unwrap();
    html.strip_suffix("</code></pre>").unwrap().to_owned()
}

/// HTML without its spans.
fn without_spans(html: &str) -> String {
    let mut text = html.replace("</span>", "");
    for class in Class::ALL {
        text = text.replace(&format!("<span class=\"{}\">", class.letter()), "");
    }
    text
}

/// The parts that have a class, in short.
fn parts(word: &str, code: &str) -> Vec<String> {
    let html = shown(word, code);
    let part = |span: &str| {
        let (class, rest) = span.split_once("\">").unwrap();
        let text = rest.split_once("</span>").unwrap().0;
        let text = text
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&gt;", ">");
        format!("{class} {}", text.trim())
    };
    html.split("<span class=\"").skip(1).map(part).collect()
}

#[test]
fn each_language_has_its_classes() {
    for (word, code, expected) in [
        (
            "rust",
            "// a\nfn f() -> Id { \"b\"; 1 }",
            &["c // a", "k fn", "f f", "s \"b\"", "n 1"][..],
        ),
        (
            "py",
            "def f(a): # c\n    return \"b\" + 1",
            &["k def", "f f", "c # c", "k return", "s \"b\"", "n 1"],
        ),
        ("js", "const a = f(\"b\"); // c", &["k const", "f f", "s \"b\"", "c // c"]),
        ("ts", "let a: string = 'b'; f(1)", &["k let", "t string", "s 'b'", "f f", "n 1"]),
        ("json", "{ \"a\": [1, \"b\", true] }", &["t \"a\"", "n 1", "s \"b\"", "n true"]),
        ("yaml", "a: 1 # c\nb: \"d\"", &["k a", "n 1", "c # c", "k b", "s \"d\""]),
        ("toml", "[a]\nb = \"c\" # d\ne = 1", &["t a", "k b", "s \"c\"", "c # d", "k e", "n 1"]),
        (
            "html",
            "<a href=\"b\">c</a><!-- d -->",
            &["k a", "t href", "s \"b\"", "k a", "c <!-- d -->"],
        ),
        ("css", ".a { color: #fff } /* b */", &["t .a", "t color", "n #fff", "c /* b */"]),
        (
            "sql",
            "select a.b from c where d = 'e' -- f",
            &["k select", "k from", "k where", "s 'e'", "c -- f"],
        ),
        (
            "sh",
            "if cd a; then echo 'b'; fi # c",
            &["k if", "f cd", "k then", "f echo", "s 'b'", "k fi", "c # c"],
        ),
        (
            "c",
            "int f(void) { return 1; } /* a */",
            &["k int", "f f", "k void", "k return", "n 1", "c /* a */"],
        ),
        (
            "go",
            "func f() string { return \"a\" } // b",
            &["k func", "f f", "t string", "k return", "s \"a\"", "c // b"],
        ),
        (
            "java",
            "class A { int f() { return 1; } } // b",
            &["k class", "t A", "k int", "f f", "k return", "n 1", "c // b"],
        ),
        ("md", "# a\n\n`b` [c](http://d)", &["t # a", "s `b`", "s http://d"]),
        ("diff", "--- a\n@@ -1 +1 @@\n-c\n+d", &["t --- a", "n @@ -1 +1 @@", "k -c", "s +d"]),
    ] {
        assert_eq!(parts(word, code), expected, "{word}");
    }
}

#[test]
fn hostile_code_stays_text() {
    for code in [
        "</span><script>alert(1)</script>",
        "</code></pre><img src=x onerror=alert(1)>",
        "\"</span>\" /* <!-- */ '&lt;' ]]>",
        "a\u{202e}b\u{2066}c\u{0}\u{feff}\u{200b}",
        "\u{10ffff}é\r\n\tß",
    ] {
        for language in &LANGUAGES {
            let word = language.words[0];
            let plain = markdown(&format!("```{word}\n{code}\n```"), Links::ON_PAGES).unwrap();
            let plain = plain.trim().strip_prefix("<pre><code>").unwrap();
            let plain = plain.strip_suffix("</code></pre>").unwrap();
            assert_eq!(without_spans(&shown(word, code)), plain, "{word}: {code}");
        }
    }
}

#[test]
fn large_blocks_and_long_lines_stay_plain() {
    let mut highlighter = Highlighter::default();
    let mut marks = |code: &str| highlighter.marks(language("json"), code, &still);
    let line = "1\n".repeat(BLOCK_BYTES_MAX / 2);
    assert!(marks(&line).is_some());
    assert!(marks(&format!("{line}1")).is_none());
    let line = "1 ".repeat(LINE_BYTES_MAX / 2);
    assert!(marks(&line).is_some());
    assert!(marks(&format!("{line}1")).is_none());
}

/// A measure of work that advances by `step` milliseconds each time it is read.
fn slow(step: u64) -> impl Fn() -> Duration {
    let worked = Cell::new(Duration::ZERO);
    move || worked.replace(worked.get() + Duration::from_millis(step))
}

#[test]
fn a_block_that_takes_too_long_stays_plain() {
    let code = "1\n".repeat(10);
    let too_slow = Highlighter::default().marks(language("json"), &code, &slow(221));
    assert!(too_slow.is_none());
    let mut highlighter = Highlighter::default();
    let mut marks = |word: &str, step: u64| highlighter.marks(language(word), &code, &slow(step));
    assert!(marks("json", 220).is_some(), "expressions are compiled");
    assert!(marks("json", 21).is_none(), "by now they are");
    assert!(marks("json", 20).is_some());
    assert!(marks("yaml", 220).is_some(), "those of another language are not");
}

#[test]
fn after_slow_blocks_the_others_are_highlighted_until_the_time_of_their_text_is_over() {
    let slow_one = format!("```json\n{}```\n", "1\n".repeat(20));
    let marks = |text: &str| Highlighter::default().marks_of(text, &slow(115));
    assert_eq!(marks(&format!("{slow_one}```json\n1\n```")), ";1n");
    // A language is highlighted at once, wherever its blocks stand.
    assert_eq!(marks(&format!("```yaml\n1\n```\n{slow_one}```json\n1\n```")), "1n;;1n");
    assert_eq!(marks(&format!("```yaml\n1\n```\n{}", slow_one.repeat(2))), "1n");
    assert_eq!(marks(&format!("```yaml\n1\n```\n{}", slow_one.repeat(19))), "");
}

#[test]
fn marks_belong_to_the_blocks_of_known_languages() {
    let text = "    indented\n\n```\na\n```\n```text\nb\n```\n```json\n1\n```\n> - ```json\n>   2\n>   3\n\n```json\n4\n";
    let marks = Highlighter::default().marks_of(text, &still);
    assert_eq!(marks, "1n;1n1.1n;1n");
    let html = markdown_with_marks(text, Links::ON_PAGES, &marks).unwrap();
    for number in 1..=4 {
        assert!(html.contains(&format!("<span class=\"n\">{number}</span>")), "{html}");
    }
    assert_eq!(without_spans(&html), markdown(text, Links::ON_PAGES).unwrap());
}

#[test]
fn the_beginning_of_a_text_is_highlighted_by_the_marks_of_all() {
    let text = "```json\n123\n```\n\n```json\n[45,67]\n```";
    let marks = Highlighter::default().marks_of(text, &still);
    let beginning =
        markdown_with_marks(&text[..text.find('5').unwrap()], Links::ON_PAGES, &marks).unwrap();
    assert!(
        beginning.ends_with("<pre><code>[<span class=\"n\">4</span></code></pre>\n"),
        "{beginning}"
    );
}

#[test]
fn further_blocks_stay_plain() {
    let text = "```json\n1\n```\n".repeat(1000);
    let marks = Highlighter::default().marks_of(&text, &still);
    assert_eq!(marks.matches('n').count(), BLOCKS_MAX);
    let html = markdown_with_marks(&text, Links::ON_PAGES, &marks).unwrap();
    assert_eq!(html.matches("<span").count(), BLOCKS_MAX);
    assert_eq!(html.matches("<pre>").count(), 1000);
}

#[test]
fn blocks_of_further_languages_stay_plain() {
    let languages = ["json", "yaml", "toml", "py", "js", "ts", "json", "py"];
    let blocks = languages.map(|word| format!("```{word}\n1\n```\n"));
    let marks = Highlighter::default().marks_of(&blocks.concat(), &still);
    let is_marked: Vec<bool> = marks.split(';').map(|marks| !marks.is_empty()).collect();
    assert_eq!(is_marked[3..], [true, false, false, true, true], "{marks}");
}

#[test]
fn nesting_without_end_is_bounded() {
    let mut highlighter = Highlighter::default();
    for unit in ["(", "[", "{", "<a>", "${", "$(", "/*", "f(", "`", "\"", "'", "- ", "> "] {
        let code = format!("{unit}\n").repeat(200);
        for word in ["rust", "ts", "sh", "md", "html", "yaml"] {
            highlighter.marks(language(word), &code, &still).expect("it ends in time");
        }
    }
}

#[test]
fn comments_behind_expressions_come_to_an_end() {
    for language in &LANGUAGES {
        let codes = ["x /* a */", "x /*", "x // a", "x /* a\n*/ + 1", "let a = 1 /* b */\n, c /*"];
        for code in codes {
            marks_in_time(&format!("```{}\n{code}\n```", language.words[0]));
        }
    }
    assert_eq!(parts("js", "let a = b /* c */\n/ 2"), ["k let", "c /* c */", "n 2"]);
}

#[test]
fn a_text_whose_spans_would_be_too_long_has_plain_code() {
    // A span for every other byte, and much else.
    let code = "1'a'".repeat(1000);
    let text = format!("```js\n{}\n```\n", code.replace("1'a'1", "1'a'\n1")).repeat(9);
    let marks = Highlighter::default().marks_of(&text, &still);
    let html = markdown_with_marks(&text, Links::ON_PAGES, &marks).unwrap();
    assert_eq!(without_spans(&html), markdown(&text, Links::ON_PAGES).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_text_of_highlighted_code_is_the_code(
        index in 0..LANGUAGES.len(),
        code in "(fn |let |\"|'|`[^`]|#|//|/\\*|\\*/|<[a-z]|</span>|&amp;|\\$\\{|[(){}\\[\\]=+*-]|[0-9]{1,3}|[a-z]{1,4}|\\PC|\n| ){0,60}",
    ) {
        let word = LANGUAGES[index].words[0];
        let text = format!("~~~~~~~~{word}\n{code}\n~~~~~~~~");
        let marks = marks_in_time(&text);
        let html = markdown_with_marks(&text, Links::ON_PAGES, &marks).unwrap();
        prop_assert_eq!(without_spans(&html), markdown(&text, Links::ON_PAGES).unwrap());
    }
}
