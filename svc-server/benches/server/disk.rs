//! Latency of a durable write on this disk, to interpret the durable figures.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Timed syncs.
const SAMPLES: usize = 200;

/// Median and 99th percentile of `fdatasync` after a write of 4 KiB, in milliseconds.
pub(crate) fn sync_millis(folder: &Path) -> (f64, f64) {
    let mut file = File::create(folder.join("sync")).expect("the folder can be written");
    let mut times: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            file.write_all(&[7; 4096]).expect("the disk has room");
            let began = Instant::now();
            file.sync_data().expect("the disk works");
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[SAMPLES / 2], times[SAMPLES * 99 / 100])
}
