use super::*;

#[test]
fn the_language_is_the_best_that_a_browser_accepts() {
    let cases = [
        ("de", Some(Language::German)),
        ("de-AT,de;q=0.9,en;q=0.8", Some(Language::German)),
        ("en;q=0.5, de", Some(Language::German)),
        ("fr, en-GB;q=0.3, DE;q=0.2", Some(Language::English)),
        ("de;q=0, en;q=0.1", Some(Language::English)),
        ("fr", None),
        ("de;q=x, ;;, *", None),
        ("", None),
    ];
    for (header, language) in cases {
        assert_eq!(Language::accepted(header), language, "{header}");
    }
}

#[test]
fn counters_are_grouped_then_short() {
    let pairs = [(0, "0"), (999, "999"), (1_240, "1,240"), (9_999, "9,999"), (10_000, "10K")];
    let more = [(12_345, "12.3K"), (999_999, "999K"), (3_400_000, "3.4M"), (2_000_000_000, "2B")];
    for (number, text) in pairs.into_iter().chain(more) {
        assert_eq!(number::count(Language::English, number), text);
        let german = text.replace(',', "_").replace('.', ",").replace('_', ".");
        let german =
            german.replace('K', "\u{a0}Tsd.").replace('M', "\u{a0}Mio.").replace('B', "\u{a0}Mrd.");
        assert_eq!(number::count(Language::German, number), german);
    }
}
