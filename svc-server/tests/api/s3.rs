//! A store that speaks S3, by moto in Python, behind a gate that opens and closes.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;
use svc_server::testing::in_time;
use svc_store::testing::left_out;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::spawn_blocking;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/foreign/s3.py");

/// Whether Python has what the script needs.
const LOOK: &str = "from importlib.util import find_spec as f; assert f('boto3') and f('moto')";

/// One for all tests of a program. It ends with its input, when the program does.
static MOTO: OnceLock<Option<Moto>> = OnceLock::new();

/// How many tests have used it.
static TESTS: AtomicUsize = AtomicUsize::new(0);

struct Moto {
    address: String,
    id: String,
    secret: String,
    talk: Mutex<Talk>,
}

struct Talk {
    _child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

/// What happens to connections to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    Closed,
    /// They are accepted, and nothing is answered.
    Silent,
    /// The store does what it is asked for, and its answer is lost.
    Unanswered,
    /// The answer is none of a store.
    Garbage,
}

/// The part of the store that one test uses.
pub(crate) struct S3 {
    moto: &'static Moto,
    prefix: String,
    gate: Arc<Mutex<Gate>>,
    blobs: String,
    endpoint: String,
    secret_file: String,
    _folder: TempDir,
}

impl S3 {
    /// None where Python has no moto; that is said, or fails where all services are required.
    pub(crate) async fn start() -> Option<Self> {
        let starting = spawn_blocking(|| MOTO.get_or_init(Moto::start).as_ref());
        let moto = in_time("moto", starting).await.unwrap()?;
        let prefix = format!("test-{}", TESTS.fetch_add(1, Ordering::Relaxed));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let gate = Arc::new(Mutex::new(Gate::Open));
        tokio::spawn(pass(listener, moto.address.clone(), Arc::clone(&gate)));
        let folder = TempDir::with_prefix("svc-s3-").unwrap();
        let file = folder.path().join("secret");
        fs::write(&file, format!("{}\n", moto.secret)).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        let (blobs, secret_file) = (format!("s3://files/{prefix}"), file.display().to_string());
        Some(Self { moto, prefix, gate, blobs, endpoint, secret_file, _folder: folder })
    }

    /// The settings of a server whose files are here.
    pub(crate) fn settings(&self) -> [(&str, &str); 5] {
        self.settings_by("storage.blobs")
    }

    /// The settings of one that has older files here.
    pub(crate) fn settings_of_older(&self) -> [(&str, &str); 5] {
        self.settings_by("storage.s3.older")
    }

    fn settings_by(&self, setting: &'static str) -> [(&str, &str); 5] {
        [
            (setting, &self.blobs),
            ("storage.s3.endpoint", &self.endpoint),
            ("storage.s3.access_key", &self.moto.id),
            ("storage.s3.secret_key_file", &self.secret_file),
            // A busy machine may need long.
            ("storage.s3.timeout", "60s"),
        ]
    }

    pub(crate) fn set(&self, gate: Gate) {
        *self.gate.lock().unwrap() = gate;
    }

    /// The names of all objects.
    pub(crate) async fn objects(&self) -> Vec<String> {
        self.objects_with(&[]).await
    }

    /// The same, once there are empty ones of these names, too.
    pub(crate) async fn objects_with(&self, names: &[&str]) -> Vec<String> {
        let line = [&[self.prefix.as_str()][..], names].concat().join(" ");
        let moto = self.moto;
        in_time("the objects", spawn_blocking(move || moto.list(&line))).await.unwrap()
    }

    /// How many objects there are of a kind.
    pub(crate) async fn count(&self, kind: &str) -> usize {
        let objects = self.objects().await;
        objects.iter().filter(|name| name.split('/').next() == Some(kind)).count()
    }
}

/// Passes connections on while the gate is open.
async fn pass(listener: TcpListener, address: String, gate: Arc<Mutex<Gate>>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let (address, gate) = (address.clone(), *gate.lock().unwrap());
        tokio::spawn(async move {
            match gate {
                Gate::Closed => {}
                Gate::Silent => std::future::pending().await,
                Gate::Open => {
                    let mut server = TcpStream::connect(&address).await.unwrap();
                    // Either end may break off.
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                }
                Gate::Unanswered => {
                    let mut server = TcpStream::connect(&address).await.unwrap();
                    let (mut answer, mut request) = server.split();
                    tokio::select! {
                        _ = copy(&mut client, &mut request) => {}
                        _ = answer.read_u8() => {}
                    }
                }
                Gate::Garbage => {
                    let _ = client.read_u8().await;
                    let _ =
                        client.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwhat").await;
                }
            }
        });
    }
}

impl Moto {
    fn start() -> Option<Self> {
        let mut look = Command::new("python3");
        look.args(["-c", LOOK]).stderr(Stdio::null());
        if !look.status().is_ok_and(|status| status.success()) {
            left_out("moto or boto3 of Python");
            return None;
        }
        let mut command = Command::new("python3");
        command.arg(SCRIPT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // It tells two names at once, so that there is more than one page.
        command.env("MOTO_S3_DEFAULT_MAX_KEYS", "2");
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut talk = Talk { _child: child, input, output };
        let known = talk.hear();
        let text = |member: &str| known[member].as_str().unwrap().to_owned();
        let [address, id, secret] = ["address", "id", "secret"].map(text);
        Some(Self { address, id, secret, talk: Mutex::new(talk) })
    }

    /// The names of objects below the prefix with which a line begins; the script says what may follow.
    fn list(&self, line: &str) -> Vec<String> {
        let mut talk = self.talk.lock().unwrap();
        talk.input.write_all(format!("{line}\n").as_bytes()).unwrap();
        serde_json::from_value(talk.hear()).unwrap()
    }
}

impl Talk {
    fn hear(&mut self) -> Value {
        let line = self.output.next().expect("moto still runs").unwrap();
        serde_json::from_str(&line).unwrap()
    }
}
