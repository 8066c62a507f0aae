//! Settings of where files are kept: avatars, images of posts, exports.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use url::{Host, Url};

use super::{SetupError, links, span};

/// Bounds of a bucket's name.
const BUCKET_LENGTHS: std::ops::RangeInclusive<usize> = 3..=63;

/// Longest prefix of names; those of objects have 1024 bytes at most.
const PREFIX_LENGTH_MAX: usize = 512;

/// Most time for a call of the store.
const TIMEOUT_MAX: Duration = Duration::from_mins(1);

/// Region of a store other than AWS if the settings name none.
const REGION: &str = "us-east-1";

/// What names a bucket.
const LOCATION: &str = "s3://bucket/prefix, in letters, digits, dots and hyphens";

/// Where files are kept.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StorageSettings {
    blobs: String,
    /// The store of buckets.
    pub s3: S3Settings,
}

/// A store that speaks S3, and who uses it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S3Settings {
    older: String,
    endpoint: String,
    allow_http: bool,
    region: String,
    path_style: bool,
    /// Id of the access key; empty for that of the environment.
    pub access_key: String,
    /// File with the secret of the access key; empty for that of the environment.
    pub secret_key_file: PathBuf,
    /// Time for a call.
    #[serde(deserialize_with = "span")]
    pub timeout: Duration,
}

/// A bucket, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// What names of objects begin with, before a slash; empty for nothing.
    pub prefix: String,
    /// URL of the store, with the bucket in it if the host names that; `None` for AWS.
    pub endpoint: Option<String>,
    /// Whether the path of URLs names the bucket, and not the host.
    pub has_path_style: bool,
    /// Its region.
    pub region: String,
    /// Whether new files go there; otherwise it only has older ones.
    pub is_for_new: bool,
}

impl StorageSettings {
    /// The bucket of files; `None` if all are in the database.
    pub fn bucket(&self) -> Result<Option<Bucket>, SetupError> {
        let older = self.s3.older.as_str();
        let (setting, url) = match &*self.blobs {
            "database" if older.is_empty() => return Ok(None),
            "database" => ("storage.s3.older", older),
            url if older.is_empty() => ("storage.blobs", url),
            _ => return Err(wrong("storage.s3.older is for storage.blobs = \"database\"")),
        };
        let Some((name, prefix)) = location(url) else {
            let none = if setting == "storage.blobs" { "database or " } else { "" };
            return Err(wrong(&format!("{setting} must be {none}{LOCATION}")));
        };
        let is_for_new = setting == "storage.blobs";
        self.s3.bucket(name, prefix, is_for_new).map(Some)
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        self.bucket()?;
        // A span is never empty.
        if self.s3.timeout > TIMEOUT_MAX {
            return Err(wrong("storage.s3.timeout must be from 1s to 60s"));
        }
        Ok(())
    }
}

impl S3Settings {
    /// The bucket at an `s3://` URL that no setting gives, but `what`.
    pub fn bucket_at(&self, what: &str, url: &str) -> Result<Bucket, SetupError> {
        let (name, prefix) =
            location(url).ok_or_else(|| wrong(&format!("{what} must be {LOCATION}")))?;
        self.bucket(name, prefix, true)
    }

    fn bucket(&self, name: &str, prefix: &str, is_for_new: bool) -> Result<Bucket, SetupError> {
        if self.access_key.is_empty() != self.secret_key_file.as_os_str().is_empty() {
            let rule = "storage.s3.access_key and storage.s3.secret_key_file belong together";
            return Err(wrong(rule));
        }
        let endpoint = self.endpoint(name)?;
        let region = match &*self.region {
            "" if endpoint.is_none() => {
                return Err(wrong("storage.s3.region must name the region of the bucket at AWS"));
            }
            "" => REGION,
            region => region,
        };
        let (name, prefix, region) = (name.to_owned(), prefix.to_owned(), region.to_owned());
        let has_path_style = endpoint.is_some() && self.path_style;
        Ok(Bucket { name, prefix, endpoint, has_path_style, region, is_for_new })
    }

    /// The URL of the store. Where its host names the bucket, the bucket comes before it.
    fn endpoint(&self, bucket: &str) -> Result<Option<String>, SetupError> {
        if self.endpoint.is_empty() {
            return Ok(None);
        }
        let refused = || {
            wrong(
                "storage.s3.endpoint must be an https URL of a host alone; http is for this machine, or for \
                 storage.s3.allow_http = true",
            )
        };
        let url = Url::parse(&self.endpoint).map_err(|_| refused())?;
        let is_allowed = links::is_permitted(&self.endpoint)
            || self.allow_http && url.scheme() == "http" && url.username().is_empty();
        if !is_allowed || url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(refused());
        }
        if self.path_style {
            return Ok(Some(url.as_str().trim_end_matches('/').to_owned()));
        }
        let Some(Host::Domain(host)) = url.host() else {
            let rule = "storage.s3.path_style must be true for an endpoint that is an address";
            return Err(wrong(rule));
        };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        Ok(Some(format!("{}://{bucket}.{host}{port}", url.scheme())))
    }
}

/// Bucket and prefix of an `s3://` URL.
fn location(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("s3://")?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_bucket = BUCKET_LENGTHS.contains(&bucket.len())
        && bucket.bytes().all(|byte| is_name(byte) || byte == b'.');
    let is_prefix = prefix.len() <= PREFIX_LENGTH_MAX
        && (prefix.is_empty() || prefix.split('/').all(is_segment));
    (is_bucket && is_prefix).then_some((bucket, prefix))
}

fn is_segment(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !["", ".", ".."].contains(&text) && text.bytes().all(is_plain)
}

fn wrong(what: &str) -> SetupError {
    SetupError::new(what)
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Overrides};
    use super::*;

    fn bucket(settings: &[(&str, &str)]) -> Result<Option<Bucket>, String> {
        let owned: Overrides =
            settings.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
        let config = Config::load(None, &owned).map_err(|error| error.to_string())?;
        Ok(config.storage.bucket().expect("it was checked"))
    }

    const BLOBS: (&str, &str) = ("storage.blobs", "s3://files/svc/live/");
    const MINIO: (&str, &str) = ("storage.s3.endpoint", "https://minio.example.org:9000/");

    #[test]
    fn files_are_in_the_database_by_default() {
        assert_eq!(bucket(&[]), Ok(None));
    }

    #[test]
    fn a_bucket_has_a_prefix_and_a_region() {
        let found = bucket(&[BLOBS, MINIO]).unwrap().unwrap();
        assert_eq!(
            (&*found.name, &*found.prefix, &*found.region),
            ("files", "svc/live", "us-east-1")
        );
        assert_eq!(found.endpoint.as_deref(), Some("https://minio.example.org:9000"));
        assert!(found.has_path_style && found.is_for_new);
        let found = bucket(&[("storage.blobs", "s3://files"), ("storage.s3.region", "eu-north-1")]);
        let found = found.unwrap().unwrap();
        assert_eq!((&*found.prefix, &*found.region), ("", "eu-north-1"));
        assert_eq!((found.endpoint, found.has_path_style), (None, false));
        let older = bucket(&[("storage.s3.older", "s3://files"), MINIO]).unwrap().unwrap();
        assert!(!older.is_for_new);
    }

    #[test]
    fn the_host_may_name_the_bucket() {
        let found = bucket(&[BLOBS, MINIO, ("storage.s3.path_style", "false")]).unwrap().unwrap();
        assert_eq!(found.endpoint.as_deref(), Some("https://files.minio.example.org:9000"));
        assert!(!found.has_path_style);
    }

    #[test]
    fn http_leaves_this_machine_only_if_that_is_written() {
        let at = |url: &str, allowed: &str| {
            let settings =
                [BLOBS, ("storage.s3.endpoint", url), ("storage.s3.allow_http", allowed)];
            bucket(&settings).is_ok()
        };
        assert!(at("http://127.0.0.1:9000", "false") && at("http://localhost:9000", "false"));
        assert!(!at("http://minio:9000", "false") && at("http://minio:9000", "true"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let key = ("storage.s3.access_key", "AKIA");
        for (settings, named) in [
            (&[("storage.blobs", "folder"), MINIO][..], "storage.blobs must be database or s3://"),
            (&[("storage.blobs", "s3://"), MINIO], "storage.blobs must be database or s3://"),
            (&[("storage.blobs", "s3://Files"), MINIO], "storage.blobs must be database or s3://"),
            (&[("storage.blobs", "s3://files/a/../b"), MINIO], "storage.blobs must be"),
            (&[("storage.blobs", "s3://files//a"), MINIO], "storage.blobs must be"),
            (&[("storage.s3.older", "files"), MINIO], "storage.s3.older must be s3://"),
            (&[BLOBS, MINIO, ("storage.s3.older", "s3://files")], "storage.s3.older is for"),
            (&[BLOBS], "storage.s3.region"),
            (&[BLOBS, MINIO, key], "storage.s3.secret_key_file"),
            (&[BLOBS, ("storage.s3.endpoint", "minio:9000")], "storage.s3.endpoint"),
            (&[BLOBS, ("storage.s3.endpoint", "https://me:pw@minio")], "storage.s3.endpoint"),
            (&[BLOBS, ("storage.s3.endpoint", "https://minio/files")], "storage.s3.endpoint"),
            (&[BLOBS, MINIO, ("storage.s3.timeout", "61s")], "storage.s3.timeout"),
        ] {
            let error = bucket(settings).unwrap_err();
            assert!(
                error.starts_with("storage.") && error.contains(named),
                "{settings:?}: {error}"
            );
        }
    }
}
