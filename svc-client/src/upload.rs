//! Calls whose body is a file.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;

use http::{HeaderValue, Method};
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::call::Call;
use crate::client::Client;
use crate::clock::random;
use crate::error::Result;
use crate::untyped::Untyped;

/// A request whose body is a file and whose answer is a `T`.
pub struct Upload<T> {
    request: Untyped,
    answer: PhantomData<fn() -> T>,
}

impl<T> Clone for Upload<T> {
    fn clone(&self) -> Self {
        Self { request: self.request.clone(), answer: PhantomData }
    }
}

impl<T> fmt::Debug for Upload<T> {
    /// Without the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Upload").field(&self.request).finish()
    }
}

impl<T: DeserializeOwned + 'static> Call<Upload<T>> {
    /// Uploads a file of any type to a path.
    pub(crate) fn upload(client: &Client, method: Method, path: &str, file: Vec<u8>) -> Self {
        let any = HeaderValue::from_static("application/octet-stream");
        Self::sending(client.request(method, path).bytes(any, file))
    }

    /// Uploads a file with a text beside it to a path, as a form.
    pub(crate) fn form(client: &Client, path: &str, file: &[u8], text: (&str, &str)) -> Self {
        let (content_type, body) = form(file, text);
        Self::sending(client.request(Method::POST, path).bytes(content_type, body))
    }

    fn sending(Call { client, request, options }: Call<Untyped>) -> Self {
        Self { client, request: Upload { request, answer: PhantomData }, options }
    }

    /// Sends the file and returns its answer with status, headers and request id.
    ///
    /// ```no_run
    /// # async fn show(svc: svc_client::Client) -> svc_client::Result<()> {
    /// let file = std::fs::read("ada.png").unwrap_or_default();
    /// println!("{:?}", svc.users().upload_avatar(file).raw().await?.request_id);
    /// # Ok(()) }
    /// ```
    pub async fn raw(self) -> Result<Answer<T>> {
        let Self { client, request, options } = self;
        Call { client, request: request.request, options }.raw().await
    }
}

impl<T: DeserializeOwned + 'static> IntoFuture for Call<Upload<T>> {
    type Output = Result<T>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move { Ok(self.raw().await?.value) })
    }
}

/// A form with a text, and the file as its field `file`. What stands between the fields is random, so
/// that no file holds it.
fn form(file: &[u8], (name, text): (&str, &str)) -> (HeaderValue, Vec<u8>) {
    let boundary = format!("{:032x}", u128::from_be_bytes(random()));
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    let body = [head.as_bytes(), file, format!("\r\n--{boundary}--\r\n").as_bytes()].concat();
    let content_type = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
    (content_type.expect("the boundary is of hexadecimal digits"), body)
}
