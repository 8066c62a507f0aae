//! Samples of messages, conversations and notifications.

use super::{SampleVisitor, conversation, limit, message, notification, payload, post};
use crate::Timestamp;
use crate::api::conversations::{
    AcceptConversation, ConversationFolder, DeclineConversation, GetConversation,
    ListConversationMessages, ListConversations, MuteConversation, ReadConversation,
    UnmuteConversation,
};
use crate::api::messages::{
    DeleteMessage, GetMessage, GetUnreadCount, ListMessages, Order, RequestStatus, SendMessage,
};
use crate::api::notifications::{
    ChannelsUpdate, CountUnreadNotifications, DeleteNotification, GetNotification, GetPreferences,
    ListNotifications, NotificationType, NotifyFrom, PreferencesUpdate, ReadNotification,
    ReadNotifications, UpdatePreferences,
};

pub(super) fn messages(visitor: &mut impl SampleVisitor) {
    visitor.visit(SendMessage {
        recipient_username: "bob".into(),
        content: "psst".into(),
        schema: Some("note.v1".into()),
        payload: Some(payload()),
        reply_to_id: Some(message()),
        client_message_id: Some("note-1".into()),
        automated: Some(true),
        plain: Some(true),
    });
    visitor.visit(ListMessages {
        with: Some("bob".into()),
        conversation_id: Some(conversation()),
        schema: Some("note.v1".into()),
        request_status: Some(RequestStatus::Open),
        unread: Some(true),
        since: Some(Timestamp::from_millis(1_769_851_800_000)),
        order: Some(Order::Asc),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetUnreadCount {});
    visitor.visit(GetMessage { message_id: message() });
    visitor.visit(DeleteMessage { message_id: message() });
}

pub(super) fn conversations(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListConversations {
        unread: Some(true),
        folder: Some(ConversationFolder::Requests),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(GetConversation { conversation_id: conversation() });
    visitor.visit(ListConversationMessages {
        conversation_id: conversation(),
        order: Some(Order::Desc),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(ReadConversation {
        conversation_id: conversation(),
        last_read_message_id: message(),
    });
    visitor.visit(AcceptConversation { conversation_id: conversation() });
    visitor.visit(DeclineConversation { conversation_id: conversation() });
    visitor.visit(MuteConversation { conversation_id: conversation() });
    visitor.visit(UnmuteConversation { conversation_id: conversation() });
}

pub(super) fn notifications(visitor: &mut impl SampleVisitor) {
    visitor.visit(ListNotifications {
        types: Some(vec![NotificationType::Like, NotificationType::DirectMessage].into()),
        exclude_types: Some(vec![NotificationType::Follow].into()),
        unread: Some(true),
        limit: Some(limit()),
        cursor: None,
    });
    visitor.visit(CountUnreadNotifications { types: Some(vec![NotificationType::Reply].into()) });
    visitor.visit(GetPreferences {});
    let silent = ChannelsUpdate { in_app: Some(true), webhook: Some(false), mqtt: None };
    visitor.visit(UpdatePreferences {
        preferences: PreferencesUpdate {
            types: Some([("like".to_owned(), silent)].into()),
            from: Some(NotifyFrom::Following),
        },
    });
    visitor.visit(ReadNotifications { ids: None, up_to: None, post_id: Some(post()), all: None });
    visitor.visit(GetNotification { notification_id: notification() });
    visitor.visit(DeleteNotification { notification_id: notification() });
    visitor.visit(ReadNotification { notification_id: notification() });
}
