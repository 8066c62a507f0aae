//! Writes the documents into `openapi`, and the client's methods into `svc-client/src/methods`; run by
//! `cargo document`.

use std::path::Path;

use svc_openapi::generate;

fn main() -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::write(folder.join("openapi.json"), generate::document().to_json())?;
    std::fs::write(folder.join("asyncapi.json"), generate::asyncapi())?;
    std::fs::write(folder.join("skill.md"), generate::skill())?;
    std::fs::write(folder.join("llms.txt"), generate::llms())?;
    let methods = folder.join("../svc-client/src/methods");
    std::fs::create_dir_all(&methods)?;
    for (name, source) in generate::client_files() {
        std::fs::write(methods.join(name), source)?;
    }
    Ok(())
}
