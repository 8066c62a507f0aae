//! Operations of a batch: single calls, named by `op`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, EnumAccess, Error as _, MapAccess, VariantAccess,
    Visitor,
};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{AddListMember, ReplyOperation};
use crate::api::lists::RemoveListMember;
use crate::api::messages::SendMessage;
use crate::api::notifications::ReadNotifications;
use crate::api::posts::DeletePost;
use crate::api::reactions::{
    BookmarkPost, LikePost, RepostPost, UnbookmarkPost, UnlikePost, UnrepostPost,
};
use crate::api::relations::{BlockUser, Follow, MuteUser, UnblockUser, Unfollow, UnmuteUser};
use crate::wire::tagged::{NAME, OP};

/// Declares the operations: a variant, its request, and its name.
macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $variant:ident($request:ty) = $word:literal;)+) => {
        /// One operation of a batch: `op` names it, next to the members of its single call.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[doc = $doc])+ $variant($request),)+
        }

        impl Operation {
            /// The possible values of `op`.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The value of `op`.
            pub const fn op(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $word,)+
                }
            }
        }

        $(impl From<$request> for Operation {
            fn from(request: $request) -> Self {
                Self::$variant(request)
            }
        })+

        impl Serialize for Operation {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let members = match self {
                    $(Self::$variant(request) => serde_json::to_value(request),)+
                };
                let mut object = Map::new();
                object.insert(OP.to_owned(), self.op().into());
                if let Value::Object(members) = members.map_err(S::Error::custom)? {
                    object.extend(members.into_iter().filter(|(_, value)| !value.is_null()));
                }
                object.serialize(serializer)
            }
        }

        impl<'de> Visitor<'de> for Tagged {
            type Value = Operation;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an operation")
            }

            fn visit_enum<A: EnumAccess<'de>>(self, object: A) -> Result<Operation, A::Error> {
                let (op, members) = object.variant::<String>()?;
                match op.as_str() {
                    $($word => members.newtype_variant().map(Operation::$variant),)+
                    other => Err(A::Error::unknown_variant(other, Operation::WORDS)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Operation, A::Error> {
                let mut members = Map::deserialize(MapAccessDeserializer::new(map))?;
                let op = members.remove(OP).ok_or_else(|| A::Error::missing_field(OP))?;
                match op.as_str().unwrap_or("") {
                    $($word => read(members).map(Operation::$variant),)+
                    other => Err(A::Error::unknown_variant(other, Operation::WORDS)),
                }
            }
        }

        impl JsonSchema for Operation {
            fn schema_name() -> Cow<'static, str> {
                "Operation".into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let each = [$({
                    let members = <$request>::json_schema(generator);
                    let schema = tagged($word, concat!($($doc),+), members);
                    named(generator, concat!(stringify!($variant), "Operation"), schema)
                }),+];
                json_schema!({
                    "description": "One act of a batch: `op` says what it is, beside the members \
                        of its single call.",
                    "oneOf": each,
                })
            }
        }
    };
}

operations! {
    /// Like a post.
    Like(LikePost) = "like";
    /// Remove a like.
    Unlike(UnlikePost) = "unlike";
    /// Repost a post.
    Repost(RepostPost) = "repost";
    /// Remove a repost.
    Unrepost(UnrepostPost) = "unrepost";
    /// Bookmark a post.
    Bookmark(BookmarkPost) = "bookmark";
    /// Remove a bookmark.
    Unbookmark(UnbookmarkPost) = "unbookmark";
    /// Delete your post.
    DeletePost(DeletePost) = "delete_post";
    /// Reply to a post.
    CreateReply(ReplyOperation) = "create_reply";
    /// Follow an account.
    Follow(Follow) = "follow";
    /// Unfollow an account.
    Unfollow(Unfollow) = "unfollow";
    /// Mute an account.
    Mute(MuteUser) = "mute";
    /// Unmute an account.
    Unmute(UnmuteUser) = "unmute";
    /// Block an account.
    Block(BlockUser) = "block";
    /// Unblock an account.
    Unblock(UnblockUser) = "unblock";
    /// Send a direct message.
    SendMessage(SendMessage) = "send_message";
    /// Mark notifications as read.
    MarkNotificationsRead(ReadNotifications) = "mark_notifications_read";
    /// Add an account to your list.
    AddListMember(AddListMember) = "add_list_member";
    /// Remove an account from your list.
    RemoveListMember(RemoveListMember) = "remove_list_member";
}

/// Reads an operation. [`wire::decode`](crate::wire::decode) presents an enum, other formats a map.
struct Tagged;

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct(NAME, Self::WORDS, Tagged)
    }
}

fn read<T: DeserializeOwned, E: serde::de::Error>(members: Map<String, Value>) -> Result<T, E> {
    serde_json::from_value(Value::Object(members)).map_err(E::custom)
}

/// Refers to a schema by name, so that generated clients have a type for it.
fn named(generator: &mut SchemaGenerator, name: &str, schema: Schema) -> Schema {
    generator.definitions_mut().insert(name.to_owned(), schema.to_value());
    Schema::new_ref(format!("#{}/{name}", generator.settings().definitions_path))
}

/// The schema of a request with `op` in front of its members.
fn tagged(word: &str, doc: &str, mut schema: Schema) -> Schema {
    let object = schema.ensure_object();
    object.insert("description".to_owned(), doc.trim_ascii().into());
    let properties = object.entry("properties").or_insert_with(|| Map::new().into());
    if let Value::Object(properties) = properties {
        // A word alone, as a list of one: the document's reader does not know `const`.
        let op = json_schema!({ "type": "string", "enum": [word] });
        properties.insert(OP.to_owned(), op.to_value());
    }
    let required = object.entry("required").or_insert_with(|| Vec::<Value>::new().into());
    if let Value::Array(required) = required {
        required.insert(0, OP.into());
    }
    schema
}
