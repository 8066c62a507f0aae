//! Writes `openapi/openapi.json` and `openapi/asyncapi.json`; run by `cargo document`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let openapi = svc_openapi::document(svc_openapi::BASE_PATH).to_json();
    std::fs::write(folder.join("openapi.json"), openapi)?;
    std::fs::write(folder.join("asyncapi.json"), svc_openapi::asyncapi())
}
