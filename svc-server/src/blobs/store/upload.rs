//! Large objects, which go up in parts and appear once all of them are there.

use std::fs::File;
use std::io::{self, Read};

use bytes::Bytes;
use object_store::{MultipartUpload, ObjectStore, PutMultipartOptions, PutPayload};
use tokio::task::spawn_blocking;

use super::{Failure, Store};

/// Bytes of a part, unless there would be too many. Stores want 5 MiB at least.
const PART: u64 = 8 * 1024 * 1024;

/// Most parts of an object.
const PARTS_MAX: u64 = 10_000;

impl Store {
    /// Makes an object of a file, unless `stopped` ends first. A future that was dropped instead would leave its parts
    /// at the store, which no reader sees and which cost as much as an object.
    pub(in crate::blobs) async fn put_file(
        &self,
        name: &str,
        file: File,
        stopped: impl Future<Output = ()>,
    ) -> Result<(), Failure> {
        let size = file.metadata().map_err(|error| unreadable(&error))?.len();
        let path = self.path(name);
        let beginning = self.objects.put_multipart_opts(&path, PutMultipartOptions::default());
        let mut upload = self.in_time("put", beginning).await?;
        let sent = tokio::select! {
            sent = self.put_parts(&mut *upload, file, size) => sent,
            () = stopped => Err(Failure::Silent("stopped before all was sent".to_owned())),
        };
        let done = match sent {
            Ok(()) => self.in_time("put", upload.complete()).await.map(drop),
            Err(failure) => Err(failure),
        };
        if done.is_err() {
            // Otherwise the store keeps the parts until a rule of the bucket removes them.
            let _ = self.in_time("delete", upload.abort()).await;
        }
        done
    }

    /// Sends one part after the other, of which one is in memory.
    async fn put_parts(
        &self,
        upload: &mut dyn MultipartUpload,
        mut file: File,
        size: u64,
    ) -> Result<(), Failure> {
        let (part, mut left) = (PART.max(size.div_ceil(PARTS_MAX)), size);
        while left > 0 {
            let count = part.min(left);
            let (rest, bytes) = read(file, count).await.map_err(|error| unreadable(&error))?;
            (file, left) = (rest, left - count);
            self.in_time("put", upload.put_part(PutPayload::from(bytes))).await?;
        }
        Ok(())
    }
}

/// The next bytes of a file, and the file.
async fn read(mut file: File, count: u64) -> io::Result<(File, Bytes)> {
    let reading = move || -> io::Result<(File, Bytes)> {
        let mut bytes = vec![0; usize::try_from(count).map_err(io::Error::other)?];
        file.read_exact(&mut bytes)?;
        Ok((file, Bytes::from(bytes)))
    };
    spawn_blocking(reading).await.map_err(io::Error::other)?
}

fn unreadable(error: &io::Error) -> Failure {
    Failure::Silent(format!("the file that goes up can't be read: {error}"))
}
