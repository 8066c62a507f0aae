use super::*;

#[test]
fn one_is_told_from_many() {
    assert_eq!(
        [noun(1, "credit"), noun("0.5", "credit"), noun(0, "credit")],
        ["credit", "credits", "credits"]
    );
    for (seconds, words) in
        [(1, "1 second"), (119, "119 seconds"), (1741, "30 minutes"), (7200, "2 hours")]
    {
        assert_eq!(span(seconds), words);
    }
}

#[test]
fn an_excerpt_ends_between_words_and_characters() {
    let (text, cut) = excerpt("short");
    assert_eq!((&*text, cut), ("short", false));
    let long = "wörd ".repeat(200);
    let (text, cut) = excerpt(&long);
    assert!(cut && text.ends_with("wörd…") && text.len() <= EXCERPT_BYTES + 3, "{text}");
    assert!(is_long(&"ä".repeat(400)));
}
