//! Calls whose body is a file.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;

use http::{HeaderValue, Method};
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::call::Call;
use crate::client::Client;
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

/// A form with a text, and the file as its field `file`.
fn form(file: &[u8], (name, text): (&str, &str)) -> (HeaderValue, Vec<u8>) {
    let boundary = boundary(&[text.as_bytes(), file]);
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    let body = [head.as_bytes(), file, format!("\r\n--{boundary}--\r\n").as_bytes()].concat();
    let content_type = HeaderValue::try_from(format!("multipart/form-data; boundary={boundary}"));
    (content_type.expect("the boundary is visible ASCII"), body)
}

/// What stands between the fields: the first of these texts that none of them holds. It follows from the
/// fields, so that a call with the idempotency key of an earlier program sends the same bytes.
fn boundary(fields: &[&[u8]]) -> String {
    let is_free = |name: &String| !fields.iter().any(|field| holds(field, name.as_bytes()));
    let mut names = (0_u64..).map(|number| format!("svc-form-{number}")).filter(is_free);
    names.next().expect("a field holds only some texts")
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_the_same_bytes_each_time_and_a_boundary_that_no_field_holds() {
        assert_eq!(form(b"GIF", ("alt", "a cat")), form(b"GIF", ("alt", "a cat")));
        let (content_type, body) = form(b"..svc-form-0..", ("alt", "svc-form-1"));
        assert_eq!(content_type, "multipart/form-data; boundary=svc-form-2");
        assert!(body.starts_with(b"--svc-form-2\r\n") && body.ends_with(b"--svc-form-2--\r\n"));
    }
}
