//! A proxy in front of PostgreSQL that fails as networks and frozen servers do.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use url::Url;

/// How often a direction looks at what the proxy is to do.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What the proxy does with what it receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mode {
    /// It passes everything on.
    Open,
    /// It accepts connections and passes nothing on, as a frozen server does.
    Frozen,
    /// It passes COMMIT on, and nothing that the server sends afterwards.
    CommitUnanswered,
}

/// A proxy on a port of this machine, until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    database: Url,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    mode: AtomicU8,
    /// Where new connections lead.
    socket: Mutex<String>,
    /// Connections of an earlier number are cut.
    number: AtomicU64,
    has_ended: AtomicBool,
}

impl Proxy {
    /// A proxy to the database of this URL, which names a Unix socket.
    ///
    /// # Panics
    /// If there is no free port.
    pub fn to(database: &str) -> Self {
        let database = Url::parse(database).expect("the database has a URL");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let state = Arc::new(State {
            mode: AtomicU8::new(Mode::Open as u8),
            socket: Mutex::new(socket_of(&database)),
            number: AtomicU64::new(0),
            has_ended: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if shared.has_ended.load(Ordering::SeqCst) {
                    return;
                }
                if let Ok(server) = UnixStream::connect(shared.socket()) {
                    join(client, server, &shared);
                }
            }
        });
        Self { address, database, state }
    }

    /// The URL of the database behind the proxy.
    ///
    /// # Panics
    /// Never: a URL of PostgreSQL has a host.
    pub fn url(&self) -> String {
        let mut url = self.database.clone();
        url.set_host(Some("127.0.0.1")).expect("the URL has a host");
        url.set_port(Some(self.address.port())).expect("the URL has a port");
        url.into()
    }

    /// Its host and port.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Does this from now on.
    pub fn set(&self, mode: Mode) {
        self.state.mode.store(mode as u8, Ordering::SeqCst);
    }

    /// Leads new connections to the server of this URL, and cuts the present ones.
    ///
    /// # Panics
    /// If it is no URL.
    pub fn redirect(&self, database: &str) {
        let socket = socket_of(&Url::parse(database).expect("the database has a URL"));
        *self.state.socket.lock().unwrap_or_else(PoisonError::into_inner) = socket;
        self.cut();
    }

    /// Cuts the present connections.
    pub fn cut(&self) {
        self.state.number.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.state.has_ended.store(true, Ordering::SeqCst);
        self.cut();
        // The listener waits for a connection before it looks.
        let _ = TcpStream::connect(self.address);
    }
}

/// The socket of the server of this URL.
fn socket_of(database: &Url) -> String {
    let folder = database.host_str().unwrap_or_default().replace("%2F", "/");
    format!("{folder}/.s.PGSQL.5432")
}

impl State {
    fn socket(&self) -> String {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether connections of this number are not cut.
    fn leads(&self, number: u64) -> bool {
        self.number.load(Ordering::SeqCst) == number
    }

    fn is(&self, mode: Mode) -> bool {
        self.mode.load(Ordering::SeqCst) == mode as u8
    }
}

/// Passes on what both ends send, on two threads.
fn join(client: TcpStream, server: UnixStream, state: &Arc<State>) {
    let number = state.number.load(Ordering::SeqCst);
    let is_muted = Arc::new(AtomicBool::new(false));
    let limits =
        (client.set_read_timeout(Some(LOOK_EVERY)), server.set_read_timeout(Some(LOOK_EVERY)));
    let (Ok(()), Ok(())) = limits else { return };
    let (Ok(to_client), Ok(to_server)) = (client.try_clone(), server.try_clone()) else { return };
    let (forth, muting) = (Arc::clone(state), Arc::clone(&is_muted));
    thread::spawn(move || {
        let note = |bytes: &[u8]| {
            let is_commit = bytes.windows(7).any(|part| part == b"commit\0");
            if is_commit && forth.is(Mode::CommitUnanswered) {
                muting.store(true, Ordering::SeqCst);
            }
            true
        };
        pump(&client, &to_server, (&forth, number), note);
        let _ = (client.shutdown(Shutdown::Both), to_server.shutdown(Shutdown::Both));
    });
    let back = Arc::clone(state);
    thread::spawn(move || {
        pump(&server, &to_client, (&back, number), |_| !is_muted.load(Ordering::SeqCst));
        let _ = (server.shutdown(Shutdown::Both), to_client.shutdown(Shutdown::Both));
    });
}

/// Passes on what `passes` allows, until one end closes or the connection is cut.
fn pump<'a, R, W>(
    from: &'a R,
    to: &'a W,
    (state, number): (&State, u64),
    passes: impl Fn(&[u8]) -> bool,
) where
    &'a R: Read,
    &'a W: Write,
{
    let (mut from, mut to, mut bytes) = (from, to, [0; 16_384]);
    while state.leads(number) {
        match from.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) => {
                let read = &bytes[..count];
                while state.is(Mode::Frozen) && state.leads(number) {
                    thread::sleep(LOOK_EVERY);
                }
                if !state.leads(number) {
                    return;
                }
                if passes(read) && to.write_all(read).is_err() {
                    return;
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}
