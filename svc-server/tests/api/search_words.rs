//! What a search finds: one table for both engines, and hostile queries.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::search::Search;

use crate::app::{TestApp, fault};
use crate::on_both_engines;

/// Posts by number.
const POSTS: &[&str] = &[
    "The quick brown fox jumps over the lazy dog",
    "Crème brûlée and a café in ÎLE",
    "CREME caramel, cafe\u{301} au lait",
    "Die Straße nach Größe, STRASSENBAHN",
    "İSTANBUL'da ısırgan; Isparta",
    "日本語のテキスト検索 AI",
    "東京都に住む。日本",
    "مُحَمَّد يكتب اللغة العربية",
    "محمد كتب",
    "שָׁלוֹם עולם",
    "हिन्दी में लिखा है।",
    "emoji 👩\u{200d}💻🎉 party",
    "co\u{ad}operate می\u{200c}روم",
    "C++ and C# and .NET, snake_case; user@example.org https://a.example/path?q=1",
    "ΟΔΥΣΣΕΥΣ στην οδός",
    "ＦＵＬＬ ｗｉｄｔｈ ﬁne",
    "ภาษาไทยง่ายมาก",
    "한국어 검색 테스트",
    "NEAR OR AND NOT words: content *",
    "'quotes' \"double\" back\\slash & | ! <-> (a)",
    "one two three; two one",
    "internationalization of text",
    "Ёлка и мой чай",
    "1984 v2.0.1 −5",
    "Wieża w Łodzi; smørrebrød og Æbler",
];

/// Queries, and the numbers of the posts they find, newest first.
const QUERIES: &[(&str, &[usize])] = &[
    ("quick", &[0]),
    ("QUICK Fox", &[0]),
    ("fox quick", &[0]),
    ("quick cat", &[]),
    ("qui", &[0]),
    ("qui fox", &[]),
    ("fox qui", &[0]),
    ("q", &[13]),
    ("a", &[19, 13, 1]),
    ("cafe", &[2, 1]),
    ("café", &[2, 1]),
    ("cafe\u{301}", &[2, 1]),
    ("CRÈME", &[2, 1]),
    ("ile", &[1]),
    ("strasse", &[3]),
    ("straße nach", &[3]),
    ("strassen", &[3]),
    ("grosse", &[3]),
    ("Größe", &[3]),
    ("istanbul", &[4]),
    ("İstanbul", &[4]),
    ("ISPARTA", &[4]),
    ("isirgan", &[4]),
    ("日本", &[6, 5]),
    ("日本語", &[5]),
    ("語", &[5]),
    ("本語の", &[5]),
    ("本語テ", &[]),
    ("京都", &[6]),
    ("都京", &[]),
    ("日本 ai", &[5]),
    ("ＡＩ", &[5]),
    ("محمد", &[8, 7]),
    ("مُحَمَّد", &[8, 7]),
    ("اللغة العربية", &[7]),
    ("שלום", &[9]),
    ("שָׁלוֹם", &[9]),
    ("हिन्दी", &[10]),
    ("हिन", &[10]),
    ("party", &[11]),
    ("🎉 party", &[11]),
    ("cooperate", &[12]),
    ("میروم", &[12]),
    ("می\u{200c}روم", &[12]),
    ("c++", &[13]),
    ("snake", &[13]),
    ("snake_case", &[13]),
    ("user@example.org", &[13]),
    ("path?q=1", &[13]),
    ("οδυσσευς", &[14]),
    ("ΟΔΥΣΣΕΎΣ", &[14]),
    ("οδος", &[14]),
    ("full width", &[15]),
    ("fine", &[15]),
    ("ไทย", &[16]),
    ("한국어", &[17]),
    ("한국", &[17]),
    ("near", &[18]),
    ("NEAR(words content)", &[18]),
    ("content: words", &[18]),
    ("quick OR words", &[]),
    ("or and not", &[18]),
    ("quick -fox", &[0]),
    ("quo*", &[19]),
    ("'quotes'", &[19]),
    ("back\\slash", &[19]),
    ("double & | ! <-> (quotes)", &[19]),
    ("\"one two\"", &[20]),
    ("\"two one\"", &[20]),
    ("\"one three\"", &[]),
    ("\"two three\" one", &[20]),
    ("\"three one\"", &[]),
    ("one two three", &[20]),
    ("\"日本語の\"", &[5]),
    ("international", &[]),
    ("internationa", &[21]),
    ("internationalization", &[21]),
    ("елка", &[22]),
    ("Ёлка", &[22]),
    ("1984", &[23]),
    ("v2.0", &[23]),
    ("2.0", &[]),
    ("Łodzi", &[24]),
    ("lodzi", &[24]),
    ("smorrebrod", &[24]),
    ("aeb", &[24]),
    ("\"w lodzi\"", &[24]),
    ("\"lodzi w\"", &[]),
];

/// Queries that an engine might read as its own language.
const HOSTILE: &[&str] = &[
    "\"",
    "\"\"",
    "\"\"\"",
    "\"a",
    "a\"b",
    "a\" OR \"b",
    "*",
    "a*",
    "* *",
    "^a",
    "a + b",
    "-a",
    "NEAR(a b, 5)",
    "NEAR/2",
    "words:a",
    "{words}: a",
    "words : \"a\"",
    "a AND",
    "AND",
    "NOT a",
    "(",
    ")",
    "((a",
    "a:*",
    "a:ABCD",
    "a & b",
    "a | ",
    "!a",
    "!!a",
    "a <-> b",
    "<1>",
    "&",
    "|",
    "'",
    "''",
    "'a",
    "a'b",
    "a\\'b",
    "\\",
    "\\\\",
    "a\\",
    "$1",
    "%",
    "_",
    "%s",
    ";",
    "--",
    "'; drop table post; --",
    "a\tb\nc",
    "\u{feff}a",
    "\u{202e}a",
    "\u{e000}",
    "\u{fffd}",
    "\u{10ffff}",
    "a\u{301}\u{301}\u{301}",
    "\u{301}",
    "\u{fdfa}",
    "ﷺ ﷺ",
    "İ",
    "ǅ",
    "ŉ",
    "𝕏",
    "①",
    "𐐀",
    "ﬀﬁﬂ",
    "@ada",
    "!ada",
    "#ada",
    "$ada",
];

async fn find(client: &Client, q: &str) -> Vec<String> {
    let found = client.search().posts(q).await.unwrap_or_else(|error| panic!("{q}: {error}"));
    found.posts.unwrap().into_iter().map(|post| post.content).collect()
}

/// Publishes all of them as replies of one account.
async fn publish(app: &TestApp, texts: &[&str]) {
    let ada = app.agent("ada").await;
    let mut top = ada.post(texts[0]).await;
    for text in &texts[1..] {
        top = ada.reply(&top, text).await;
    }
    app.index().await;
}

on_both_engines! {
    async fn both_engines_find_the_same(app: TestApp) {
        publish(&app, POSTS).await;
        let mut wrong = Vec::new();
        for (q, numbers) in QUERIES {
            let expected: Vec<&str> = numbers.iter().map(|number| POSTS[*number]).collect();
            let found = find(&app.anonymous, q).await;
            if found != expected {
                wrong.push((q, found));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    async fn no_query_is_parsed_as_engine_syntax(app: TestApp) {
        publish(&app, &["a b c", "words drop table post", "b"]).await;
        let drawn = "[\"'*():&|!<>^+\\-\\\\{}a-c ]{1,30}|\\PC{1,20}|(\"?[aい日\u{301}]{0,3}[ \"]?){1,8}";
        let (drawn, mut runner) = (proptest::string::string_regex(drawn).unwrap(), TestRunner::deterministic());
        let mut draw = || drawn.new_tree(&mut runner).unwrap().current();
        let drawn: Vec<String> = (0..150).map(|_| draw()).collect();
        for q in HOSTILE.iter().copied().chain(drawn.iter().map(String::as_str)) {
            for found in [app.anonymous.search().posts(q), app.anonymous.search().users(q),
                app.anonymous.search().services(q), app.anonymous.search().hashtags(q)] {
                match found.await {
                    Ok(_) => {}
                    refused if !q.is_empty() && !q.contains('\0') => {
                        let refused = fault::<Search>(refused);
                        assert_eq!(refused, (Code::ValidationFailed, "q".to_owned()), "{q:?}");
                    }
                    Err(_) => {}
                }
            }
        }
        assert_eq!(find(&app.anonymous, "table post").await, ["words drop table post"]);
    }

    async fn a_query_holds_1_to_100_words(app: TestApp) {
        let search = app.anonymous.search();
        let many = |count: usize| {
            let words: Vec<String> = (0..count).map(|n| format!("w{n}")).collect();
            words.join(" ")
        };
        assert_eq!(search.posts(many(100)).await.unwrap().posts, Some(vec![]));
        let long = "x".repeat(501);
        for q in ["", "...", "🎉", "\"\"", &many(101), &long] {
            let refused = fault::<Search>(search.posts(q).await);
            assert_eq!(refused, (Code::ValidationFailed, "q".to_owned()), "{q}");
        }
    }

    async fn long_texts_are_indexed_completely(app: TestApp) {
        let long: Vec<String> = (0..5_700).map(|n| format!("w{n:05}")).collect();
        let long = long.join(" ");
        let unspaced: String = ('\u{4e00}'..).take(20_000).collect::<String>() + "日本";
        let one = "z".repeat(40_000);
        publish(&app, &[&long, &unspaced, &one]).await;
        for q in ["w00000 w05699", "\"w05698 w05699\"", "w0569"] {
            assert_eq!(find(&app.anonymous, q).await.len(), 1, "{q}");
        }
        assert_eq!(find(&app.anonymous, "日本").await, [unspaced]);
        assert_eq!(find(&app.anonymous, &"z".repeat(500)).await, [one]);
    }
}
