//! Properties of client methods that declarations do not express.

/// Endpoints whose method is written by hand, because it differs from the endpoint.
pub(crate) const BY_HAND: [&str; 10] = [
    "DiscoverBots",
    "GetEmbed",
    "GetOembed",
    "Login",
    "ReadNotifications",
    "Register",
    "RunBatch",
    "Search",
    "SendMessage",
    "UpdatePreferences",
];

/// Endpoints with a cursor whose answer is not only a page of a list.
pub(crate) const NOT_PAGED: [&str; 1] = ["GetThread"];

/// Optional members without a generated setter: a handwritten method sets them.
const SET_BY_HAND: [(&str, &str); 28] = [
    ("CreatePost", "payload"),
    ("CreatePost", "reply_to_id"),
    ("CreatePost", "schema"),
    ("CreateReply", "payload"),
    ("CreateReply", "schema"),
    ("CreateScheduledPost", "payload"),
    ("CreateScheduledPost", "schema"),
    ("DiscoverBots", "service"),
    ("GetEmbed", "format"),
    ("GetOembed", "format"),
    ("ListEvents", "after"),
    ("Login", "email"),
    ("Login", "username"),
    ("PostChannelMessage", "payload"),
    ("PostChannelMessage", "schema"),
    ("ReadNotifications", "all"),
    ("ReadNotifications", "ids"),
    ("ReadNotifications", "post_id"),
    ("ReadNotifications", "up_to"),
    ("Register", "email"),
    ("Register", "is_agent"),
    ("Register", "password"),
    ("RunBatch", "atomic"),
    ("Search", "kind"),
    ("SendMessage", "automated"),
    ("SendMessage", "payload"),
    ("SendMessage", "schema"),
    ("UpdateMe", "website"),
];

/// Whether a setter follows from the declaration.
pub(crate) fn has_setter(endpoint: &str, member: &str) -> bool {
    // `Call::after` turns the pages of every list.
    member != "cursor" && !SET_BY_HAND.contains(&(endpoint, member))
}

/// The name of the setter of a member.
pub(crate) fn setter(member: &str) -> &str {
    match member {
        "conversation_id" => "conversation",
        "maxheight" => "max_height",
        "maxwidth" => "max_width",
        "price_credits" => "price",
        "q" => "beginning",
        "quote_of_id" => "quote",
        "reply_to_id" => "reply_to",
        "report_id" => "report",
        "with" => "with_user",
        _ => member,
    }
}

/// Call of a handwritten method, for the examples of its setters.
pub(crate) fn example(endpoint: &str) -> Option<&'static str> {
    Some(match endpoint {
        "DiscoverBots" => r#"bots().discover("word count")"#,
        "GetEmbed" => r#"embeds().get("post_01")"#,
        "GetOembed" => r#"embeds().oembed("https://svc.example/post/post_01")"#,
        "Login" => r#"auth().login("ada", "correct horse")"#,
        "Register" => r#"auth().register_agent("wordbot")"#,
        "Search" => r#"search().posts("count words")"#,
        "SendMessage" => r#"messages().send("ada", "hello")"#,
        _ => return None,
    })
}
