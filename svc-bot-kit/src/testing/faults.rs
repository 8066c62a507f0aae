//! A proxy that injects network faults.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::exchange::{self, Request};

/// A fault to inject into a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The request is lost: the connection breaks before it arrives.
    LoseRequest,
    /// The request is processed, but the connection breaks before the response.
    LoseAnswer,
    /// The request arrives this much later.
    Delay(Duration),
    /// The request arrives twice in a row; the client gets the second response.
    Duplicate,
    /// The request arrives after the next one.
    Reorder,
    /// The request does not arrive; the client gets this status.
    Refuse {
        /// The status, such as 429 or 503.
        status: u16,
        /// The `Retry-After` header, in seconds.
        retry_after: Option<u32>,
    },
    /// The request is processed, but the client gets this status.
    Deny {
        /// The status, such as 500 or 504.
        status: u16,
    },
    /// The request is processed, but the response is truncated.
    Cut {
        /// The length of the truncated response in bytes, including its head.
        after: usize,
    },
}

/// A proxy between clients and a server that injects faults.
///
/// It works with any HTTP/1.1 server without TLS. A rule matches requests whose first line starts with
/// its prefix, such as `POST /api/messages`. Other requests are forwarded unchanged, each on a new
/// connection. Dropping the proxy stops it.
///
/// ```
/// use svc_bot_kit::testing::{Fault, FaultProxy};
/// # use svc_bot_kit::client::Client;
///
/// # async fn show(server: &str) -> Result<(), Box<dyn std::error::Error>> {
/// let proxy = FaultProxy::start(server).await?;
/// let svc = Client::builder(proxy.url()).api_key("svc_ak_..").build()?;
/// proxy.next("POST /api/messages", Fault::LoseAnswer);
/// let sent = svc.messages().send("ada", "hello").await; // goes out twice, under one key
/// assert_eq!(proxy.seen("POST /api/messages"), 2);
/// # Ok(()) }
/// ```
pub struct FaultProxy {
    url: String,
    shared: Arc<Shared>,
    task: AbortHandle,
}

struct Shared {
    /// The server's host and port.
    server: String,
    plan: Mutex<Plan>,
    /// The number of completed requests, for `Fault::Reorder`.
    passed: watch::Sender<usize>,
}

#[derive(Default)]
struct Plan {
    rules: Vec<Rule>,
    /// The first lines of all requests, in order of arrival.
    seen: Vec<String>,
}

struct Rule {
    begins: String,
    fault: Fault,
    /// How many more requests it applies to; `None` for all.
    left: Option<usize>,
}

impl FaultProxy {
    /// Starts a proxy on a free local port for the server with this base URL, such as
    /// `http://127.0.0.1:8080/api`.
    ///
    /// # Errors
    /// If no port can be bound.
    ///
    /// ```
    /// # async fn show(server: &str) -> std::io::Result<()> {
    /// let proxy = svc_bot_kit::testing::FaultProxy::start(server).await?;
    /// # Ok(()) }
    /// ```
    pub async fn start(server: impl AsRef<str>) -> io::Result<Self> {
        let server = server.as_ref();
        let address = server.strip_prefix("http://").unwrap_or(server);
        let (host, base) = address.split_once('/').unwrap_or((address, ""));
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/{base}", listener.local_addr()?);
        let passed = watch::Sender::new(0);
        let shared = Arc::new(Shared { server: host.to_owned(), plan: Mutex::default(), passed });
        let task = tokio::spawn(serve(listener, Arc::clone(&shared))).abort_handle();
        Ok(Self { url, shared, task })
    }

    /// The base URL for clients: the server's with the proxy's host and port.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// println!("{}", proxy.url());
    /// # }
    /// ```
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Injects a fault into the next request that starts with this prefix.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// use svc_bot_kit::testing::Fault;
    /// proxy.next("POST /api/messages", Fault::Refuse { status: 429, retry_after: Some(1) });
    /// # }
    /// ```
    pub fn next(&self, begins: impl Into<String>, fault: Fault) {
        self.times(begins, fault, 1);
    }

    /// Injects a fault into the next `times` requests that start with this prefix. Rules apply in the
    /// order in which they were added.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// use svc_bot_kit::testing::Fault;
    /// proxy.times("GET /", Fault::Refuse { status: 503, retry_after: None }, 3);
    /// # }
    /// ```
    pub fn times(&self, begins: impl Into<String>, fault: Fault, times: usize) {
        self.shared.plan().rules.push(Rule { begins: begins.into(), fault, left: Some(times) });
    }

    /// Injects a fault into all requests that start with this prefix, until [`heal`](Self::heal).
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// use svc_bot_kit::testing::Fault;
    /// proxy.always("", Fault::LoseRequest); // every request is lost
    /// # }
    /// ```
    pub fn always(&self, begins: impl Into<String>, fault: Fault) {
        self.shared.plan().rules.push(Rule { begins: begins.into(), fault, left: None });
    }

    /// Removes all rules.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// proxy.heal();
    /// # }
    /// ```
    pub fn heal(&self) {
        self.shared.plan().rules.clear();
    }

    /// The number of requests received that start with this prefix, including faulty ones.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// assert_eq!(proxy.seen("POST /api/v1/escrow"), 1);
    /// # }
    /// ```
    pub fn seen(&self, begins: &str) -> usize {
        self.shared.plan().seen.iter().filter(|line| line.starts_with(begins)).count()
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl fmt::Debug for FaultProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FaultProxy").field("url", &self.url).finish_non_exhaustive()
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((client, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            // Broken connections are expected.
            let _ = shared.serve(client).await;
            shared.passed.send_modify(|passed| *passed += 1);
        });
    }
}

impl Shared {
    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let Some(request) = Request::read(&mut client).await? else { return Ok(()) };
        let (fault, number) = self.meets(request.line());
        let server = &self.server;
        match fault {
            None => exchange::forward(&request, server, &mut client).await,
            Some(Fault::LoseRequest) => Ok(()),
            Some(Fault::LoseAnswer) => request.ask(server).await.map(drop),
            Some(Fault::Delay(pause)) => {
                tokio::time::sleep(pause).await;
                exchange::forward(&request, server, &mut client).await
            }
            Some(Fault::Duplicate) => {
                request.ask(server).await?;
                exchange::forward(&request, server, &mut client).await
            }
            Some(Fault::Reorder) => {
                self.wait_for_another(number).await;
                exchange::forward(&request, server, &mut client).await
            }
            Some(Fault::Refuse { status, retry_after }) => {
                exchange::answer(&mut client, status, retry_after).await
            }
            Some(Fault::Deny { status }) => {
                request.ask(server).await?;
                exchange::answer(&mut client, status, None).await
            }
            Some(Fault::Cut { after }) => {
                let answer = request.ask(server).await?;
                exchange::send(&mut client, &answer[..after.min(answer.len())]).await
            }
        }
    }

    /// The fault for a request, if any, and the number of requests before it.
    fn meets(&self, line: &str) -> (Option<Fault>, usize) {
        let mut plan = self.plan();
        let number = plan.seen.len();
        plan.seen.push(line.to_owned());
        let rule = plan
            .rules
            .iter_mut()
            .find(|rule| line.starts_with(&rule.begins) && rule.left != Some(0));
        let fault = rule.map(|rule| {
            rule.left = rule.left.map(|left| left - 1);
            rule.fault.clone()
        });
        (fault, number)
    }

    /// Waits until a later request has completed.
    async fn wait_for_another(&self, number: usize) {
        let mut passed = self.passed.subscribe();
        // More requests completed than came before this one, so one of them came later.
        let _ = passed.wait_for(|passed| *passed > number).await;
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
