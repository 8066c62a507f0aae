//! Writes `openapi/openapi.json`, `openapi/asyncapi.json` and the client's methods in
//! `svc-client/src/methods`; run by `cargo document`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let openapi = svc_openapi::document(svc_openapi::BASE_PATH).to_json();
    std::fs::write(folder.join("openapi.json"), openapi)?;
    std::fs::write(folder.join("asyncapi.json"), svc_openapi::asyncapi())?;
    let methods = folder.join("../svc-client/src/methods");
    std::fs::create_dir_all(&methods)?;
    for (name, source) in svc_openapi::client_files() {
        std::fs::write(methods.join(name), source)?;
    }
    Ok(())
}
