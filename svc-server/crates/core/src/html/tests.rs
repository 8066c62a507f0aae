use proptest::prelude::*;

use super::*;

fn html(text: &str) -> String {
    let mut out = String::new();
    write_linked(&mut out, Links::ON_PAGES, text).expect("a string takes what is written");
    out
}

#[test]
fn addresses_names_and_hashtags_are_links() {
    assert_eq!(
        html("see https://a.example/b?c=1&d=2."),
        "see <a rel=\"nofollow ugc noopener\" href=\"https://a.example/b?c=1&amp;d=2\">\
         https://a.example/b?c=1&amp;d=2</a>."
    );
    assert_eq!(
        html("hi @Ada, #Rust!"),
        "hi <a href=\"/@Ada\">@Ada</a>, <a href=\"/tag/rust\">#Rust</a>!"
    );
    assert_eq!(html("(#größe)"), "(<a href=\"/tag/gr%C3%B6%C3%9Fe\">#größe</a>)");
}

#[test]
fn of_known_names_only_those_of_accounts_are_links() {
    let ada = [Mention { id: "usr_1".into(), username: "ada".to_owned() }];
    let mut out = String::new();
    write_linked(&mut out, Links::ON_PAGES.naming(&ada), "@Ada, @nobody #tag").unwrap();
    assert_eq!(out, "<a href=\"/@Ada\">@Ada</a>, @nobody <a href=\"/tag/tag\">#tag</a>");
}

#[test]
fn what_only_looks_like_a_link_is_text() {
    for text in [
        "mail@example.org",
        "a#b",
        "#1984",
        "@x",
        "http://",
        "javascript:alert",
        "hhttp://a",
        "@ada@social.example",
        "# @",
    ] {
        assert!(!html(text).contains("<a"), "{text}: {}", html(text));
    }
}

#[test]
fn brackets_around_an_address_are_none_of_it() {
    assert!(html("(https://a.example/b)").ends_with("https://a.example/b</a>)"));
    assert!(html("https://a.example/b_(c)").contains("b_(c)</a>"));
    assert!(html("(see https://a.example/b_(c)).").ends_with("b_(c)</a>)."));
    assert!(html("https://a.example/b(").ends_with("b</a>("));
}

#[test]
fn quotation_marks_and_the_punctuation_of_other_scripts_end_an_address() {
    for end in ["“", "”", "’", "»", "›", "…", "。", "，然后", "！", "）", "」", "》", "؟", "।"]
    {
        let shown = html(&format!("https://a.example/b{end}"));
        assert!(shown.contains("href=\"https://a.example/b\">"), "{shown}");
        assert!(shown.ends_with(&format!("b</a>{end}")), "{shown}");
    }
}

#[test]
fn names_and_addresses_may_follow_a_script_without_spaces() {
    let url = "<a rel=\"nofollow ugc noopener\" href=\"https://a.example/\">https://a.example/</a>";
    assert_eq!(
        html("请看https://a.example/。感谢@ada#tag"),
        format!("请看{url}。感谢<a href=\"/@ada\">@ada</a>#tag")
    );
    for text in ["josé@ada", "jose\u{301}@ada", "감사@ada", "éhttps://a.example"] {
        assert!(!html(text).contains("<a"), "{text}: {}", html(text));
    }
}

#[test]
fn a_text_on_one_line_turns_no_other_words() {
    for (text, line) in [
        ("a\u{202e}b\u{2067}c\u{2069} (@ada)", "abc (@ada)"),
        (" a\r\n\u{2028}b\u{1b}[1m \u{7}\t", "a b[1m"),
        (
            "5\u{a0}s \u{5e9}\u{200f} \u{1f469}\u{200d}\u{1f680}",
            "5\u{a0}s \u{5e9}\u{200f} \u{1f469}\u{200d}\u{1f680}",
        ),
        ("\u{202e}\n", ""),
    ] {
        assert_eq!(on_one_line(text), line, "{text:?}");
    }
}

#[test]
fn a_long_address_shows_its_whole_host() {
    let host = format!("https://bank.example.{}.evil.example", "a".repeat(50));
    for (address, shown) in [
        (host.clone(), host.clone()),
        (format!("{host}/"), format!("{host}…")),
        (format!("{host}?b#c"), format!("{host}…")),
        (
            format!("https://a.example/{}", "b".repeat(50)),
            format!("https://a.example/{}…", "b".repeat(42)),
        ),
    ] {
        assert!(html(&address).ends_with(&format!(">{shown}</a>")), "{}", html(&address));
    }
}

#[test]
fn an_address_that_names_somebody_is_no_link() {
    for text in [
        "https://user:pw@evil.example/",
        "https://bank.example@evil.example/",
        "https://:pw@evil.example",
    ] {
        assert!(!html(text).contains("href=\"http"), "{}", html(text));
    }
    assert!(html("https://a.example/@ada?b=c@d").contains("href"));
}

#[test]
fn an_address_ends_where_something_invisible_stands() {
    for c in ['\u{202e}', '\u{200b}', '\u{2066}', '\u{feff}', '\u{ad}', '\u{61c}', '\u{e0041}'] {
        let shown = html(&format!("https://a.example/b{c}c"));
        assert_eq!(
            shown,
            format!(
                "<a rel=\"nofollow ugc noopener\" href=\"https://a.example/b\">\
                 https://a.example/b</a>{c}c"
            )
        );
    }
}

#[test]
fn what_is_too_long_for_a_link_is_text() {
    let marks = format!("#a{}", "\u{301}".repeat(39_998));
    assert_eq!(html(&marks), marks);
    assert!(html(&"-http://a".repeat(4_444)).starts_with("-http://a-http://a"));
    for end in [".", ")", "é"] {
        let address = format!("http://a.example/{}", end.repeat(30_000));
        assert_eq!(html(&address), address);
    }
    assert_eq!(html("#a\u{301}b—c"), "<a href=\"/tag/%C3%A1b\">#a\u{301}b</a>—c");
}

#[test]
fn a_plain_text_keeps_its_lines_and_has_no_markup() {
    assert_eq!(
        plain("**a** <b>\n@ada", Links::from_elsewhere("https://svc.example")),
        Ok("<p>**a** &lt;b&gt;<br>\n<a href=\"https://svc.example/@ada\">@ada</a></p>\n"
            .to_owned())
    );
}

#[test]
fn markup_is_text() {
    assert_eq!(
        html("<b onclick='x'>&\"</b>"),
        "&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;&lt;/b&gt;"
    );
    let address = html("https://a.example/\"onmouseover=\"x");
    assert!(!address.contains("\"onmouseover"), "{address}");
}

/// The text of HTML that contains nothing but our links, or what is wrong with it.
fn unlinked(html: &str) -> Result<String, String> {
    let (mut text, mut rest) = (String::new(), html);
    while let Some(start) = rest.find(['<', '>', '"', '\'']) {
        text.push_str(&rest[..start]);
        let tag_end = rest[start..].find('>').ok_or("a tag does not end")?;
        let tag = &rest[start..=start + tag_end];
        let is_ours = tag == "</a>"
            || ["<a href=\"/@", "<a href=\"/tag/", "<a rel=\"nofollow ugc noopener\" href=\"http"]
                .iter()
                .any(|begin| tag.starts_with(begin))
                && tag.ends_with("\">")
                && tag.matches('"').count() == if tag.contains("rel=") { 4 } else { 2 };
        if !is_ours {
            return Err(format!("{tag} is none of our tags"));
        }
        rest = &rest[start + tag_end + 1..];
    }
    text.push_str(rest);
    Ok(text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&"))
}

proptest! {
    #[test]
    fn nothing_but_our_links_ever_gets_out(
        text in "(https?://|#|@|<|>|\"|'|&|/|[a-z.]{1,8}|\\PC| |\u{202e}|\n){0,60}"
    ) {
        let shown = unlinked(&html(&text)).map_err(TestCaseError::fail)?;
        if !shown.contains('…') {
            prop_assert_eq!(shown, text);
        }
    }
}
