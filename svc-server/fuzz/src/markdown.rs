//! Texts of posts, which become HTML.

use svc_core::html::{Links, markdown, plain};
use url::Url;

use crate::text::text;

/// The elements that may come out without attributes; `br` has no end.
const PLAIN: [&str; 19] = [
    "p",
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

const SITE: &str = "https://svc.example";

pub(crate) fn judge(input: &[u8]) {
    let text = text(input);
    for links in [Links::ON_PAGES, Links::from_elsewhere(SITE)] {
        for html in [markdown(&text, links), plain(&text, links)] {
            let html = html.expect("a string takes what is written");
            assert!(html.len() <= 64 * 1024 + 200 * text.len(), "{} bytes", html.len());
            judge_html(&html);
        }
    }
}

/// Known elements, each closed in its place, and links to the web or to pages for names.
fn judge_html(html: &str) {
    let (mut open, mut rest) = (Vec::new(), html);
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "{html}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
        } else if tag != "br" {
            let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
            judge_attributes(name, attributes);
            open.push(name);
        }
        rest = &rest[end + 1..];
    }
    assert!(!rest.contains('>') && open.is_empty(), "{open:?} in {html}");
}

fn judge_attributes(name: &str, attributes: &str) {
    let quoted = |start: &str| attributes.strip_prefix(start)?.strip_suffix('"');
    match (name, attributes) {
        (name, "") => assert!(PLAIN.contains(&name), "{name}"),
        ("ol", _) => {
            let start = quoted("start=\"").and_then(|start| start.parse::<u64>().ok());
            assert!(start.is_some(), "{attributes}");
        }
        ("a", _) => {
            let outside = quoted("rel=\"nofollow ugc noopener\" href=\"");
            let target = outside.or_else(|| quoted("href=\"")).expect("a link leads somewhere");
            assert!(
                !target.contains(['"', '\'', '<']) && !target.contains(char::is_control),
                "{target}"
            );
            let local = target.strip_prefix(SITE).unwrap_or(target);
            let is_name = local.starts_with("/@") || local.starts_with("/tag/");
            if outside.is_none() {
                return assert!(is_name, "{target}");
            }
            let url = Url::parse(&unescaped(target)).expect("a link of a text is a URL");
            assert!(matches!(url.scheme(), "http" | "https"), "{url}");
            assert!(url.username().is_empty() && url.password().is_none(), "{url}");
        }
        _ => panic!("{name} {attributes}"),
    }
}

/// The text of an attribute.
fn unescaped(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "# a\n\n**b** *c* ~~d~~ `e<`\n\n> f\n\n- g\n  - h\n\n3. i\n",
        "|a|b|\n|-|:-:|\n|1|`2`|\n|[x](https://a.example)|@ada|\n",
        "```rust\nlet a = \"<b>\";\n```\n\n    indented\n\n~~~\nx\n~~~\n",
        "hi @ada, see #rust https://b.example/?c=1&d=(x). <https://c.example> <script>alert(1)</script>",
        "[a @ada](https://b.example 'title') ![i](https://c.example/d.png) [r]\n\n[r]: <https://d.example>\n",
        "[a](javascript:alert(1)) [b](https://u:p@c.example) &lt;b&gt; &#x202e; \\<i\\>\u{202e}https://e.example/\u{200b}x",
        "line\\\nbreak  \nmore\n***\n<div>\n\n*x*\n</div>\n#tag_1\u{301}#two",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
