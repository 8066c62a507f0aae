//! The files of profiles: `config.toml` and `credentials.toml`, and `listen.toml`.

mod former;

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_client::types::{ApiKey, DeveloperKey};

use self::former::Former;
use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::limits::Limits;

/// What helps where the directory can't be used, for example that of another user.
const ELSEWHERE: &str = "set SVC_CONFIG_DIR to a folder that you can read and write";

/// The directory of the profiles.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// Everything that is kept.
#[derive(Default)]
pub(crate) struct Profiles {
    /// What may be read by everybody.
    pub(crate) config: Config,
    /// What may not, by profile.
    pub(crate) credentials: BTreeMap<String, Credentials>,
}

/// `config.toml`.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Config {
    /// The profile that is used when none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<String>,
    /// The profiles by name.
    #[serde(default)]
    pub(crate) profiles: BTreeMap<String, Profile>,
}

/// Whose account it is, and where.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// The only base URL its keys are sent to.
    pub(crate) url: String,
    /// The account, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) username: Option<String>,
    /// What its orders may cost.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub(crate) spend: Limits,
}

impl Profile {
    /// An account without limits.
    pub(crate) fn new(url: String, username: Option<String>) -> Self {
        Self { url, username, spend: Limits::default() }
    }
}

/// The secrets of a profile.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Credentials {
    /// The account's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) api_key: Option<ApiKey>,
    /// The key of a developer's app.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) developer_key: Option<DeveloperKey>,
    /// The cookie of a sign-in with a password, `name=value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cookie: Option<String>,
    /// The tokens of a sign-in by a browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) oauth: Option<Tokens>,
}

impl Credentials {
    /// The key or token that requests are signed with, unless a cookie signs them.
    pub(crate) fn bearer(&self) -> Option<&ApiKey> {
        let tokens = self.oauth.as_ref().map(|tokens| &tokens.access);
        tokens.or(self.api_key.as_ref()).filter(|_| self.cookie.is_none())
    }

    /// Whether there is something to act for an account with.
    pub(crate) fn has_account(&self) -> bool {
        self.api_key.is_some() || self.cookie.is_some() || self.oauth.is_some()
    }
}

/// The tokens of a sign-in by a browser.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Tokens {
    /// What requests are signed with, for an hour.
    pub(crate) access: ApiKey,
    /// What brings new tokens, once.
    pub(crate) refresh: ApiKey,
    /// When the access token ends, in seconds since 1970.
    pub(crate) expires_at: i64,
}

/// What `svc listen` keeps for a profile, in `listen.toml`.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Listening {
    /// What events are signed with on their way to your receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
    /// The last event that arrived, by account and target.
    #[serde(default)]
    pub(crate) cursors: BTreeMap<String, u64>,
}

impl Store {
    /// The store in this folder, which is made when something is kept.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the secrets are.
    pub(crate) fn credentials_path(&self) -> PathBuf {
        self.folder.join("credentials.toml")
    }

    fn config_path(&self) -> PathBuf {
        self.folder.join("config.toml")
    }

    fn listening_path(&self) -> PathBuf {
        self.folder.join("listen.toml")
    }

    /// Where it is kept what an account has spent; makes the folder if need be.
    pub(crate) fn spend_path(&self, account: &str) -> Result<PathBuf> {
        drop(self.lock()?);
        Ok(self.folder.join(format!("spend-{account}.db")))
    }

    /// What `svc listen` keeps, by profile.
    pub(crate) fn listening(&self) -> Result<BTreeMap<String, Listening>> {
        read(&self.listening_path())
    }

    /// Changes what `svc listen` keeps.
    pub(crate) fn update_listening<T>(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, Listening>) -> Result<T>,
    ) -> Result<T> {
        let _lock = self.lock()?;
        let mut kept = self.listening()?;
        let former = Former::of(self.listening_path(), &kept);
        let result = change(&mut kept)?;
        former.replace(&kept)?;
        Ok(result)
    }

    /// Reads everything; nothing is there at first.
    pub(crate) fn read(&self) -> Result<Profiles> {
        Ok(Profiles {
            config: read(&self.config_path())?,
            credentials: read(&self.credentials_path())?,
        })
    }

    /// Changes what is kept; commands that run at once wait for each other, so no key is lost.
    pub(crate) fn update<T>(&self, change: impl FnOnce(&mut Profiles) -> Result<T>) -> Result<T> {
        let _lock = self.lock()?;
        let mut profiles = self.read()?;
        let credentials = Former::of(self.credentials_path(), &profiles.credentials)
            .only_of(|name| profiles.config.profiles.contains_key(name));
        let config = Former::of(self.config_path(), &profiles.config);
        let result = change(&mut profiles)?;
        credentials.replace(&profiles.credentials)?;
        config.replace(&profiles.config)?;
        Ok(result)
    }

    /// Keeps other commands from renewing tokens until it is dropped. They may change the files meanwhile.
    pub(crate) fn lock_renewal(&self) -> Result<File> {
        self.lock_file("renewal.lock")
    }

    /// Keeps other commands from looking for an order like theirs until it is dropped.
    pub(crate) fn lock_orders(&self) -> Result<File> {
        self.lock_file("orders.lock")
    }

    /// Keeps other commands from changing the files until it is dropped.
    fn lock(&self) -> Result<File> {
        self.lock_file("lock")
    }

    /// Waits for a lock and holds it until it is dropped; creates the folder if it is missing.
    fn lock_file(&self, name: &str) -> Result<File> {
        let mut folder = DirBuilder::new();
        let made = folder.recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| Error::file("make", &self.folder, error).hint(ELSEWHERE))?;
        let path = self.folder.join(name);
        let lock = File::create(&path).and_then(|file| file.lock().map(|()| file));
        lock.map_err(|error| Error::file("lock", &path, error).hint(ELSEWHERE))
    }
}

fn read<T: Default + DeserializeOwned>(path: &Path) -> Result<T> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
        Err(error) => return Err(Error::file("read", path, error).hint(ELSEWHERE)),
    };
    // The error of the parser would repeat the line, and the line may hold a key.
    toml::from_str(&text).map_err(|_| {
        let message = format!("{} is not as svc wrote it", path.display());
        Error::new(Exit::Other, "file", message).hint("mend the file, or move it away")
    })
}

/// Writes a whole file that only its owner can read, then puts it in place of the former.
fn write(path: &Path, content: &impl Serialize) -> Result<()> {
    let text = toml::to_string(content).expect("names and texts are TOML");
    let place = place(path);
    let draft = place.with_extension("toml.new");
    let written = || -> std::io::Result<()> {
        if let Err(error) = fs::remove_file(&draft)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&draft)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &place)
    };
    written().map_err(|error| Error::file("write", path, error))
}

/// The file itself, behind links: one may lead to a disk that is encrypted, or to a repository, and stays.
fn place(path: &Path) -> PathBuf {
    // A link may lead to a file that is not there yet.
    let target = |_| fs::read_link(path).map(|target| path.with_file_name(target));
    fs::canonicalize(path).or_else(target).unwrap_or_else(|_| path.to_owned())
}

impl Profiles {
    /// A profile that must exist.
    pub(crate) fn profile(&self, name: &str) -> Result<&Profile> {
        self.config.profiles.get(name).ok_or_else(|| {
            let message = format!("there is no profile \"{name}\"");
            Error::new(Exit::NotFound, "no_profile", message).hint("svc profile list")
        })
    }

    /// What a profile holds; nothing when it does not exist.
    pub(crate) fn credentials(&self, name: &str) -> Credentials {
        self.credentials.get(name).cloned().unwrap_or_default()
    }

    /// Adds a profile or goes on with one, and makes it the current one if there is none.
    pub(crate) fn save(
        &mut self,
        name: &str,
        profile: Profile,
        add: impl FnOnce(&mut Credentials),
    ) {
        if !self.config.profiles.contains_key(name) {
            // Keys of a deleted profile of this name may belong to another server.
            self.credentials.remove(name);
        }
        // Signing in again does not lift the limits.
        let limits = self.config.profiles.get(name).map(|former| former.spend);
        let profile = Profile { spend: limits.unwrap_or(profile.spend), ..profile };
        self.config.profiles.insert(name.to_owned(), profile);
        self.config.current.get_or_insert_with(|| name.to_owned());
        add(self.credentials.entry(name.to_owned()).or_default());
    }

    /// Removes a profile and its secrets.
    pub(crate) fn remove(&mut self, name: &str) {
        self.config.profiles.remove(name);
        self.credentials.remove(name);
        if self.config.current.as_deref() == Some(name) {
            self.config.current = None;
        }
    }
}
