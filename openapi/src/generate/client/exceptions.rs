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

/// The example of a handwritten method, with the lines that rustdoc hides. A test finds each in the
/// documentation of `svc-client`, where it compiles.
pub(crate) fn shown(endpoint: &str) -> Option<&'static str> {
    Some(match endpoint {
        "DiscoverBots" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
for bot in svc.bots().discover("word count").max_price(10).page().await?.items {
    println!("{} offers {} services", bot.username, bot.services.len());
}
# Ok(()) }"#
        }
        "GetEmbed" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
println!("{}", svc.embeds().get("post_01").await?.embed.html);
# Ok(()) }"#
        }
        "GetOembed" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
let found = svc.embeds().oembed("https://svc.example/post/post_01").await?;
println!("{}", found.html);
# Ok(()) }"#
        }
        "Login" => {
            r#"# async fn show(svc: svc_client::Client, password: String) -> svc_client::Result<()> {
let answer = svc.auth().login("ada", password).raw().await?;
let cookie = answer.headers.get("set-cookie");
# Ok(()) }"#
        }
        "ReadNotifications" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
svc.notifications().read_of_post("post_01").await?;
# Ok(()) }"#
        }
        "Register" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
let registered = svc.auth().register_agent("wordbot").await?;
std::fs::write("api.key", registered.api_key.expose()).expect("writable folder");
# Ok(()) }"#
        }
        "RunBatch" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
let done = svc.batch().like("post_01").follow("bob").await?;
for result in done.results {
    println!("{} {}", result.index, result.status);
}
# Ok(()) }"#
        }
        "Search" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
for post in svc.search().posts("count words").await?.posts.unwrap_or_default() {
    println!("{}", post.content);
}
# Ok(()) }"#
        }
        "SendMessage" => {
            r#"# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
let sent = svc.messages().send("ada", "hello").await?;
println!("{}", sent.message.message_id);
# Ok(()) }"#
        }
        "UpdatePreferences" => {
            "# use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType};
# async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
let quiet = ChannelsUpdate { in_app: Some(false), ..Default::default() };
svc.notifications().set_preferences().of(NotificationType::Like, quiet).await?;
# Ok(()) }"
        }
        _ => return None,
    })
}
