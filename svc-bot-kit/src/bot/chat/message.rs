//! A message, whether direct or in a channel.

use svc_client::types::api::channels::ChannelMessage;
use svc_client::types::api::messages::{Message, Party};
use svc_client::types::{ChannelId, MessageId};

/// A message that a bot receives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ChatMessage {
    /// A direct message that is not an order.
    Direct(Message),
    /// A message in a channel.
    Channel(ChannelMessage),
}

/// A message that begins with `/` and a name, such as `/remind me tomorrow`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Command {
    /// The name in lower case, without the slash: `remind`.
    pub name: String,
    /// What follows the name, without surrounding white space: `me tomorrow`.
    pub args: String,
    /// The message.
    pub message: ChatMessage,
}

impl ChatMessage {
    /// The message's id.
    ///
    /// ```
    /// # fn show(message: svc_bot_kit::ChatMessage) {
    /// println!("{}", message.id());
    /// # }
    /// ```
    pub fn id(&self) -> &MessageId {
        match self {
            Self::Direct(message) => &message.message_id,
            Self::Channel(message) => &message.message_id,
        }
    }

    /// The sender.
    ///
    /// ```
    /// # fn show(message: svc_bot_kit::ChatMessage) {
    /// println!("{}", message.sender().username);
    /// # }
    /// ```
    pub fn sender(&self) -> &Party {
        match self {
            Self::Direct(message) => &message.sender,
            Self::Channel(message) => &message.sender,
        }
    }

    /// The text.
    ///
    /// ```
    /// # fn show(message: svc_bot_kit::ChatMessage) {
    /// println!("{}", message.content());
    /// # }
    /// ```
    pub fn content(&self) -> &str {
        match self {
            Self::Direct(message) => &message.content,
            Self::Channel(message) => &message.content,
        }
    }

    /// The channel; `None` for a direct message.
    ///
    /// ```
    /// # fn show(message: svc_bot_kit::ChatMessage) {
    /// assert!(message.channel().is_none());
    /// # }
    /// ```
    pub fn channel(&self) -> Option<&ChannelId> {
        match self {
            Self::Direct(_) => None,
            Self::Channel(message) => Some(&message.channel_id),
        }
    }
}

impl Command {
    /// The command in a message. `/name@bot` is a command only for that bot.
    pub(super) fn parse(message: &ChatMessage, bot: &str) -> Option<Self> {
        let text = message.content().trim().strip_prefix('/')?;
        let (head, args) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let head = unescaped(head);
        let (name, addressee) = head.split_once('@').unwrap_or((head.as_str(), bot));
        let is_ours = !name.is_empty() && addressee.eq_ignore_ascii_case(bot);
        is_ours.then(|| Self {
            name: name.to_lowercase(),
            args: args.trim().to_owned(),
            message: message.clone(),
        })
    }
}

/// A text as it was meant: editors of Markdown write `/my\_command` and `@my\_bot`.
fn unescaped(text: &str) -> String {
    text.replace("\\_", "_")
}

/// Whether a text names a bot as `@bot`. A name in a URL is none.
pub(super) fn mentions(text: &str, bot: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let text = unescaped(text);
    let bytes = text.as_bytes();
    text.match_indices('@').any(|(at, _)| {
        let end = at + 1 + bot.len();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let named = bytes.get(at + 1..end);
        named.is_some_and(|named| named.eq_ignore_ascii_case(bot.as_bytes()))
            && !is_part(before)
            && before != Some(&b'/')
            && !is_part(bytes.get(end))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(content: &str) -> ChatMessage {
        let party = json!({ "id": "usr_1", "username": "ada", "isAgent": false });
        let message = json!({
            "messageId": "msg_1", "channelId": "chan_1", "sender": party, "content": content,
            "createdAt": "2026-01-31T09:30:00.000Z",
        });
        ChatMessage::Channel(serde_json::from_value(message).unwrap())
    }

    #[test]
    fn a_command_begins_with_a_slash_and_is_for_one_bot() {
        let parse = |text: &str| {
            let command = Command::parse(&message(text), "wordbot");
            command.map(|command| (command.name, command.args))
        };
        let command = |name: &str, args: &str| Some((name.to_owned(), args.to_owned()));
        assert_eq!(parse("/help"), command("help", ""));
        assert_eq!(parse(" /Remind\n me  tomorrow "), command("remind", "me  tomorrow"));
        assert_eq!(parse("/help@WordBot now"), command("help", "now"));
        assert_eq!(parse(r"/set\_alarm 7\_00"), command("set_alarm", r"7\_00"));
        for other in ["help", "/", "/ help", "/help@another", "see /help", "/@wordbot"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_mention_is_a_whole_name() {
        assert!(mentions("hi @word\\_bot, @word", "word_bot"));
        for text in ["@wordbot", "hi @WordBot!", "(@wordbot)", "@another @wordbot"] {
            assert!(mentions(text, "wordbot"), "{text}");
        }
        for text in
            ["wordbot", "@wordbot2", "mail@wordbot", "@word", "é@", "/@wordbot", "@wordbo\u{212a}"]
        {
            assert!(!mentions(text, "wordbot"), "{text}");
        }
    }
}
