use super::*;

#[test]
fn an_excerpt_ends_between_words_and_characters() {
    let (text, cut) = excerpt("short");
    assert_eq!((&*text, cut), ("short", false));
    let long = "wörd ".repeat(200);
    let (text, cut) = excerpt(&long);
    assert!(cut && text.ends_with("wörd…") && text.len() <= EXCERPT_BYTES + 3, "{text}");
    assert!(is_long(&"ä".repeat(400)));
}
