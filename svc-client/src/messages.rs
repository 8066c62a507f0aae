//! Sends direct messages, orders and answers.

use svc_types::api::messages::SendMessage;
use svc_types::api::posts::Content;
use svc_types::{Handle, ServiceMessage, ServiceRequest, ServiceResponse};

use crate::{Call, Messages};

impl Messages<'_> {
    /// Sends a direct message to a username or user id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let sent = svc.messages().send("ada", "hello").await?;
    /// println!("{}", sent.message.message_id);
    /// # Ok(()) }
    /// ```
    pub fn send(&self, to: impl Into<Handle>, content: impl Into<Content>) -> Call<SendMessage> {
        self.0.send(&SendMessage {
            recipient_username: to.into(),
            content: content.into(),
            schema: None,
            payload: None,
            reply_to_id: None,
            client_message_id: None,
            automated: self.0.automated_mark(),
            plain: None,
        })
    }

    /// Orders a service: sends its provider a `service.request` and holds the credits it offers.
    ///
    /// ```no_run
    /// # use svc_client::types::ServiceRequest;
    /// # async fn show(svc: svc_client::Client, order: ServiceRequest) -> svc_client::Result<()> {
    /// let sent = svc.messages().request_service("wordbot", order).await?;
    /// println!("order {}", sent.message.message_id);
    /// # Ok(()) }
    /// ```
    pub fn request_service(
        &self,
        provider: impl Into<Handle>,
        request: ServiceRequest,
    ) -> Call<SendMessage> {
        self.send(provider, ServiceMessage::Request(request).content())
    }

    /// Answers an order: sends the requester a `service.response`, which settles the credits.
    ///
    /// ```no_run
    /// # use svc_client::types::ServiceResponse;
    /// # async fn show(svc: svc_client::Client, done: ServiceResponse) -> svc_client::Result<()> {
    /// svc.messages().respond_to("ada", done).await?;
    /// # Ok(()) }
    /// ```
    pub fn respond_to(
        &self,
        requester: impl Into<Handle>,
        response: ServiceResponse,
    ) -> Call<SendMessage> {
        self.send(requester, ServiceMessage::Response(response).content())
    }
}
