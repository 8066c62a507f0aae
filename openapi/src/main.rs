//! Writes `openapi/openapi.json`; run by `cargo document`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    std::fs::write(file, svc_openapi::document(svc_openapi::BASE_PATH).to_json())
}
