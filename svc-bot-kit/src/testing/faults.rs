//! A network on which anything gets lost.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::exchange::{self, Request};

/// What goes wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// It does not arrive: the connection breaks.
    LoseRequest,
    /// It arrives and has its effect; the connection breaks before the answer.
    LoseAnswer,
    /// It takes so much longer to arrive.
    Delay(Duration),
    /// It arrives twice, one after the other; the second answer comes back.
    Duplicate,
    /// It arrives behind the next request that comes in after it.
    Reorder,
    /// It does not arrive; this status comes back, with `Retry-After` in seconds if there is one.
    Refuse {
        /// The status, such as 429 or 503.
        status: u16,
        /// Seconds that the answer asks to wait.
        retry_after: Option<u32>,
    },
    /// It arrives and has its effect; this status comes back all the same.
    Deny {
        /// The status, such as 500 or 504.
        status: u16,
    },
    /// It arrives and has its effect; the answer breaks off after so many bytes, its head included.
    Cut {
        /// The bytes that come back.
        after: usize,
    },
}

/// Stands between clients and a server, and has things go wrong as a test asks.
///
/// It works before any server that speaks HTTP/1.1 in the clear. Requests are matched by how they
/// begin: method, a space, path. Those without a fault arrive as they are, each on a connection of
/// its own. It ends when it is dropped.
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
    /// Where the server is: host and port.
    server: String,
    plan: Mutex<Plan>,
    /// How many requests were done with, for those that let another go first.
    passed: watch::Sender<usize>,
}

#[derive(Default)]
struct Plan {
    rules: Vec<Rule>,
    /// First lines of all requests, in the order in which they came in.
    seen: Vec<String>,
}

struct Rule {
    begins: String,
    fault: Fault,
    /// How many more requests it is for; none for all.
    left: Option<usize>,
}

impl FaultProxy {
    /// Listens on this machine, before a server with this base URL, such as
    /// `http://127.0.0.1:8080/api`.
    ///
    /// Fails when there is no port left.
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

    /// The base URL for clients: the server's, with this in the place of its host.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// println!("{}", proxy.url());
    /// # }
    /// ```
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Has this go wrong with the next request that begins so.
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

    /// Has this go wrong with the next requests that begin so; faults for the same requests come one
    /// after the other.
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

    /// Has this go wrong with all requests that begin so, until it is [healed](Self::heal).
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// use svc_bot_kit::testing::Fault;
    /// proxy.always("", Fault::LoseRequest); // nobody gets through
    /// # }
    /// ```
    pub fn always(&self, begins: impl Into<String>, fault: Fault) {
        self.shared.plan().rules.push(Rule { begins: begins.into(), fault, left: None });
    }

    /// Nothing goes wrong from now on.
    ///
    /// ```
    /// # fn show(proxy: svc_bot_kit::testing::FaultProxy) {
    /// proxy.heal();
    /// # }
    /// ```
    pub fn heal(&self) {
        self.shared.plan().rules.clear();
    }

    /// How many requests that begin so have come in, whatever became of them.
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
            // A connection that breaks is what this is for.
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
            None => exchange::pass(&request, server, &mut client).await,
            Some(Fault::LoseRequest) => Ok(()),
            Some(Fault::LoseAnswer) => request.ask(server).await.map(drop),
            Some(Fault::Delay(pause)) => {
                tokio::time::sleep(pause).await;
                exchange::pass(&request, server, &mut client).await
            }
            Some(Fault::Duplicate) => {
                request.ask(server).await?;
                exchange::pass(&request, server, &mut client).await
            }
            Some(Fault::Reorder) => {
                self.wait_for_another(number).await;
                exchange::pass(&request, server, &mut client).await
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

    /// What goes wrong with a request, and how many came before it.
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

    /// Waits until a request that came in later is done with.
    async fn wait_for_another(&self, number: usize) {
        let mut passed = self.passed.subscribe();
        // More than came before it: one of them came later.
        let _ = passed.wait_for(|passed| *passed > number).await;
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
