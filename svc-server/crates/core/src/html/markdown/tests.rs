use proptest::prelude::*;

use super::writer::DEPTH_MAX;
use super::*;
use crate::services::post::text;

fn html(text: &str) -> String {
    written(text, Links::ON_PAGES)
}

fn written(text: &str, links: Links<'_>) -> String {
    markdown(text, links).expect("a string takes what is written").trim().to_owned()
}

#[test]
fn the_subset_becomes_elements() {
    for (text, expected) in [
        ("one\ntwo", "<p>one<br>\ntwo</p>"),
        (
            "**a** *b* ~~c~~ `d<`",
            "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d&lt;</code></p>",
        ),
        ("# a\n## b\n###### c", "<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>"),
        ("> a", "<blockquote><p>a</p>\n</blockquote>"),
        ("- a\n- b", "<ul><li>a</li>\n<li>b</li>\n</ul>"),
        ("3. a", "<ol start=\"3\"><li>a</li>\n</ol>"),
        (
            "```rust\nlet a = \"<b>\";\n```",
            "<pre><code>let a = &quot;&lt;b&gt;&quot;;\n</code></pre>",
        ),
        (
            "|a|b|\n|-|-|\n|1|2|",
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        ),
        (
            "hi @ada, see #rust",
            "<p>hi <a href=\"/@ada\">@ada</a>, see <a href=\"/tag/rust\">#rust</a></p>",
        ),
        ("`@ada` x@ada", "<p><code>@ada</code> x@ada</p>"),
        (
            "[a @ada](https://b.example/?c=1&d)",
            "<p><a rel=\"nofollow ugc noopener\" href=\"https://b.example/?c=1&amp;d\">a @ada</a></p>",
        ),
        (
            "![a cat](https://b.example/c.png)",
            "<p><a rel=\"nofollow ugc noopener\" href=\"https://b.example/c.png\">a cat</a></p>",
        ),
    ] {
        assert_eq!(html(text), expected, "{text}");
    }
}

#[test]
fn a_link_without_a_text_shows_its_url() {
    let link = "<p><a rel=\"nofollow ugc noopener\" href=\"https://b.example/c.png\">\
                https://b.example/c.png</a></p>";
    for text in [
        "![](https://b.example/c.png)",
        "[](https://b.example/c.png)",
        "[ ](https://b.example/c.png)",
        "[![](https://d.example)](https://b.example/c.png)",
    ] {
        let shown = html(text);
        assert_eq!(shown.replace("> https", ">https"), link, "{text}");
    }
    let named = html("[![a](https://d.example)](https://b.example/c.png)");
    assert!(named.ends_with(">a</a></p>"), "{named}");
    let long = html(&format!("![](https://b.example/{})", "c".repeat(100)));
    assert!(long.ends_with("c…</a></p>"), "{long}");
}

#[test]
fn a_text_of_which_nothing_would_be_seen_is_shown_as_it_was_written() {
    for text in ["[a]: https://b.example", "---", "#", "> ", "![](c.png)", "```\n```"] {
        assert_eq!(html(text), format!("<pre>{}</pre>", text.replace('>', "&gt;")), "{text}");
    }
    assert_eq!((html(" \n"), html("a\n\n---")), (String::new(), "<p>a</p>".to_owned()));
}

#[test]
fn what_is_not_shown_is_cut_out_of_a_text_and_so_is_code() {
    for (text, kept) in [
        ("no code #a", "no code #a"),
        ("a `@b` c", "a   c"),
        ("a ``@b ` c`` d", "a   d"),
        ("a\n\n```rust\n#[test]\n```\nb", "a\n\n \nb"),
        ("a\n\n    @b\n\nc", "a\n\n     c"),
        ("- a\n\n  ~~~\n  @b\n  ~~~\n- c", "a c"),
        ("a ` @b", "a ` @b"),
        ("> ```\n> @b\n\n@c", "@c"),
        ("é`#`é", "é é"),
        ("_@ada_ __@bob__", "@ada @bob"),
        ("_see ___@ada___, #a_b_", "see @ada , #a_b"),
        ("@_ada_ _@bob", "@ ada _@bob"),
        ("[a](@b) [@c](d \"#e\")", "a @c"),
        ("![@b](https://c.example '@d')", "@b"),
        ("[a]: b \"@c\"\n[a]: @d\n\n[a] [e][a] @f", "a e @f"),
        ("|a|\n|-|\n|b|@c|", "a b"),
        ("@a\\_b \\#c &#64;d", "@a_b #c @d"),
        ("@a&lowbar;b R&D", "@a_b R&D"),
        ("- a\n  ```\n  ```\n  @b", "a @b"),
    ] {
        let cut = without_code(text);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&cut), words(kept), "{text:?}: {cut:?}");
    }
}

proptest! {
    #[test]
    fn whatever_is_cut_out_is_no_link_on_a_page(
        text in "(`{1,3}|~~~|\n|    |\t|> |- |_{1,2}|@[a-z]{3,5}|#[a-z]{2,5}|[a-z]| |\\||\\[|\\]|\\]\\(|\\*|\\\\|&#64;){0,20}"
    ) {
        let cut = without_code(&text);
        let (names, tags) = (text::names(&cut), text::hashtags(&cut));
        let shown = html(&text);
        for linked in shown.split("href=\"/").skip(1) {
            let linked = linked.split('"').next().unwrap_or_default();
            let is_said = match linked.strip_prefix('@') {
                Some(name) => names.iter().any(|said| said == name),
                None => tags.iter().any(|said| linked.strip_prefix("tag/") == Some(&**said)),
            };
            prop_assert!(is_said, "{linked} in {shown}");
        }
    }
}

#[test]
fn a_name_beside_markup_is_a_link_as_it_is_a_name() {
    for text in ["*a*@ada", "**a**@ada", "~~a~~@ada", "[a](https://b.example)@ada"] {
        assert_eq!(text::names(&without_code(text)), ["ada"], "{text}");
        assert!(html(text).contains("href=\"/@ada\""), "{text}: {}", html(text));
    }
}

#[test]
fn hostile_markup_is_text() {
    for text in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onclick=\"x\">b</b>",
        "<div>\n\n**a**\n\n</div>",
        "[a](javascript:alert(1))",
        "[a](data:text/html,x)",
        "[a](//evil.example)",
        "[a](/logout)",
        "[a](https://bank.example@evil.example/)",
        "![a](javascript:x)",
        "<javascript:alert(1)>",
        "[a]: javascript:x\n\n[a]",
        "`<script>`",
        "```\"><script>\nx\n```",
    ] {
        let html = html(text);
        for part in [
            "<script",
            "<img",
            "<b",
            "<div",
            "href=\"javascript",
            "href=\"data",
            "href=\"/",
            "evil.example\"",
        ] {
            let is_quote = part == "<b" && html.contains("<br>");
            assert!(!html.contains(part) || is_quote, "{text}: {html}");
        }
    }
}

#[test]
fn size_and_depth_are_bounded() {
    let row = format!("{}|\n", "|a".repeat(3000));
    let table = format!("{row}{}|\n{}", "|-".repeat(3000), "|a\n".repeat(9000));
    for text in [
        &*">".repeat(40_000),
        &*"- ".repeat(20_000),
        &*"[a](".repeat(10_000),
        &*"*a".repeat(20_000),
        &table,
    ] {
        let html = html(text);
        assert!(html.len() <= bytes_max(text.len()) + 8 * text.len(), "{}", html.len());
        assert!(html.matches("<blockquote>").count() <= DEPTH_MAX);
    }
}

#[test]
fn a_text_that_is_nested_too_deep_is_shown_as_it_was_written() {
    for mark in [">", "- ", "1. ", "-\t"] {
        let levels = |count: usize| format!("a\r\r{}a\n", mark.repeat(count));
        let deep = format!("{}{}@ada\n", levels(LEVELS_MAX + 1), "b\n".repeat(9_000));
        let html = html(&deep);
        assert!(html.starts_with("<pre>") && html.ends_with("@ada\n</pre>"), "{html:.80}");
        assert_eq!(without_code(&deep), deep);
        assert!(!self::html(&levels(LEVELS_MAX / 4)).contains("<pre>"), "{mark}");
    }
    let quoted = html(&format!("{}a", ">".repeat(LEVELS_MAX)));
    assert_eq!(quoted.matches("<blockquote>").count(), DEPTH_MAX);
}

#[test]
fn headings_right_below_the_title_of_a_page_begin_at_the_second_level() {
    let html = markdown_below_title("# a\n## b\n### c\n#### d", Links::OF_SERVER).unwrap();
    assert_eq!(html, "<h2>a</h2>\n<h3>b</h3>\n<h4>c</h4>\n<h4>d</h4>\n");
}

#[test]
fn only_texts_of_the_server_link_to_pages() {
    let own = written("[a](/docs)", Links::OF_SERVER);
    assert_eq!(own, "<p><a href=\"/docs\">a</a></p>");
}

#[test]
fn elsewhere_links_to_accounts_and_hashtags_have_the_url_of_the_server() {
    let links = Links::from_elsewhere("https://svc.example/");
    assert_eq!(
        written("@ada #rust [a](/docs)", links),
        "<p><a href=\"https://svc.example/@ada\">@ada</a> \
         <a href=\"https://svc.example/tag/rust\">#rust</a> a</p>"
    );
}

/// The elements that may come out, each with its attributes as they are written.
fn is_known(tag: &str) -> bool {
    const PLAIN: [&str; 20] = [
        "p",
        "br",
        "strong",
        "em",
        "del",
        "code",
        "pre",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "h3",
        "h4",
        "h5",
    ];
    let name = tag.trim_start_matches('/');
    PLAIN.contains(&name)
        || tag == "/a"
        || tag.starts_with("ol start=\"")
        || tag.starts_with("a href=\"/@")
        || tag.starts_with("a href=\"/tag/")
        || tag == "/span"
        || "ksncft".chars().any(|class| tag == format!("span class=\"{class}\""))
        || tag.starts_with("a rel=\"nofollow ugc noopener\" href=\"http")
}

proptest! {
    #[test]
    fn nothing_but_the_subset_ever_comes_out(
        text in "([#>*_~`|<\\[\\]()!-]|https?://a.b|javascript:|@ada|<b |onx=|&lt;|\"|'|[a-z ]{1,4}|\\PC|\n|\n```(js|rs)\n){0,80}",
        marks in "([0-9]{1,2}[ksncft.]|;|<b>|\\PC){0,12}",
    ) {
        let html = markdown_with_marks(&text, Links::ON_PAGES, &marks)?;
        let mut depth = 0i32;
        let mut rest = &*html;
        while let Some(start) = rest.find('<') {
            let end = rest[start..].find('>').expect("a tag ends") + start;
            let tag = &rest[start + 1..end];
            prop_assert!(is_known(tag), "{tag} in {html}");
            depth += match tag { "br" => 0, tag if tag.starts_with('/') => -1, _ => 1 };
            rest = &rest[end + 1..];
        }
        prop_assert_eq!(depth, 0, "{}", html);
    }
}
