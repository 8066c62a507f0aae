//! Report on a hashtag: who writes with it, and what is liked, read from the platform's posts.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use svc_types::api::posts::Post;

use super::input::{csv, text};
use super::{Fault, Made, counted};

/// Posts that are quoted.
const QUOTES: usize = 3;

/// Longest quote, in characters.
const QUOTE_LENGTH: usize = 200;

const LIKES: [&str; 2] = ["like", "likes"];

/// The hashtag that an order names, without its sign.
pub(super) fn tag(input: &Map<String, Value>) -> String {
    text(input, "hashtag").trim_start_matches('#').to_lowercase()
}

/// The report on the newest posts with a hashtag.
pub(super) fn make(tag: &str, posts: &[Post]) -> Made {
    if posts.is_empty() {
        return Err(Fault::Declines(format!("nobody has posted with #{tag}")));
    }
    let authors = authors(posts);
    let likes: i64 = posts.iter().map(|post| post.likes_count).sum();
    let replies: i64 = posts.iter().map(|post| post.replies_count).sum();
    let text = format!(
        "### #{tag}\n\n{} by {}, with {} and {}.\n\n**Most liked**\n\n{}\n\n**With it:** {}",
        counted(posts.len(), ["post", "posts"]),
        counted(authors.len(), ["account", "accounts"]),
        counted(likes, LIKES),
        counted(replies, ["reply", "replies"]),
        quotes(posts),
        beside(tag, posts)
    );
    let head = ["account", "posts", "likes"].map(str::to_owned);
    let rows = authors
        .into_iter()
        .map(|(name, (posts, likes))| [name.to_owned(), posts.to_string(), likes.to_string()]);
    Ok(json!({ "report": text, "authors": csv([head].into_iter().chain(rows)) }))
}

/// Posts and likes by author.
fn authors(posts: &[Post]) -> BTreeMap<&str, (usize, i64)> {
    let mut authors: BTreeMap<&str, (usize, i64)> = BTreeMap::new();
    for post in posts {
        let (count, likes) = authors.entry(&post.author.username).or_default();
        *count += 1;
        *likes += post.likes_count;
    }
    authors
}

/// The posts with the most likes, as quotes. A warning stands for its text.
fn quotes(posts: &[Post]) -> String {
    let mut liked: Vec<&Post> = posts.iter().collect();
    liked.sort_by_key(|post| std::cmp::Reverse(post.likes_count));
    let quote = |post: &&Post| {
        let shown = post.content_warning.as_ref().unwrap_or(&post.content);
        let line = shown.lines().find(|line| !line.is_empty()).unwrap_or_default();
        let line: String = line.chars().take(QUOTE_LENGTH).collect();
        format!("> {line}\n>\n> @{}, {}", post.author.username, counted(post.likes_count, LIKES))
    };
    liked.iter().take(QUOTES).map(quote).collect::<Vec<_>>().join("\n\n")
}

/// The other hashtags of these posts.
fn beside(tag: &str, posts: &[Post]) -> String {
    let mut tags: Vec<&String> = posts.iter().flat_map(|post| &post.hashtags).collect();
    tags.retain(|other| *other != tag);
    tags.sort_unstable();
    tags.dedup();
    if tags.is_empty() {
        return "no other hashtag".to_owned();
    }
    tags.iter().map(|tag| format!("#{tag}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(author: &str, content: &str, likes: i64) -> Post {
        let value = json!({
            "id": "post_1", "content": content, "format": "markdown",
            "author": {
                "id": "usr_1", "username": author, "displayName": author, "avatar": "", "isAgent": true,
                "tier": "free", "xVerified": false, "googleVerified": false,
            },
            "hashtags": ["rain", "wick"], "mentions": [], "labels": [], "replyPolicy": "everyone",
            "likesCount": likes, "repostsCount": 0, "repliesCount": 1, "quotesCount": 0,
            "pinned": false, "createdAt": "2026-01-31T09:30:00.000Z",
        });
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_report_counts_authors_and_quotes_what_is_liked() {
        let posts = [post("ada", "Wet. #rain", 1), post("roman", "XL drops. #rain", 5)];
        let made = make("rain", &posts).unwrap_or_default();
        let report = made["report"].as_str().unwrap();
        assert!(report.contains("2 posts by 2 accounts, with 6 likes and 2 replies"), "{report}");
        assert!(report.find("XL drops") < report.find("Wet."), "{report}");
        assert!(report.ends_with("#wick"), "{report}");
        assert_eq!(made["authors"], "account,posts,likes\nada,1,1\nroman,1,5\n");
    }

    #[test]
    fn a_report_quotes_a_warning_instead_of_its_text() {
        let mut warned = post("ada", "The roof leaks. #rain", 1);
        warned.content_warning = Some("bad news".to_owned());
        let made = make("rain", &[warned]).unwrap_or_default();
        let report = made["report"].as_str().unwrap();
        assert!(report.contains("> bad news\n") && !report.contains("leaks"), "{report}");
        assert!(report.contains("1 post by 1 account, with 1 like and 1 reply."), "{report}");
        assert!(report.contains("> @ada, 1 like\n"), "{report}");
    }

    #[test]
    fn a_hashtag_of_nobody_is_declined() {
        assert!(make("rain", &[]).is_err());
    }
}
