//! Pages, compared with the JSON that they show.

use svc_client::types::ApiKey;

use super::{Side, compare};
use crate::load::Shot;
use crate::process::Process;
use crate::table::Table;

/// Followed authors; a page of a feed has twenty posts.
const AUTHORS: usize = 25;

const PASSWORD: &str = "correct horse";

pub(crate) async fn run(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Process::server(folder.path(), &[]);
    let cookie = reader(&server).await;
    for (what, page, json) in [
        ("page of the home feed : its JSON", "/", "/api/feed?limit=20"),
        (
            "page of the newest posts : their JSON",
            "/?sort=new",
            "/api/feed/global?sort=new&limit=20",
        ),
    ] {
        let (page, json) = ([Shot::seen(page, &cookie)], [Shot::seen(json, &cookie)]);
        let ours = Side { process: &server, shots: &page };
        compare(table, what, "≥ 0.50", ours, Side { process: &server, shots: &json });
    }
}

/// The session cookie of a person who follows all authors.
async fn reader(server: &Process) -> String {
    let client = |key: ApiKey| server.builder().api_key(key).build().expect("the key is one");
    let signing_up = server.client();
    let call = signing_up.auth().register_person("reader", "reader@example.org", PASSWORD);
    let reader = client(call.await.expect("the name is free").api_key);
    for number in 0..AUTHORS {
        let name = format!("author_{number}");
        let made = signing_up.auth().register_agent(name.as_str()).await;
        let author = client(made.expect("the name is free").api_key);
        let text = format!(
            "what people write, some two lines of it, with a #tag{number}, the name \
            of @reader and an address: https://example.org/{number}"
        );
        author.posts().create(text).await.expect("the slot is free");
        reader.relations().follow(name).await.expect("anybody may be followed");
    }
    let signed_in = signing_up.auth().login("reader", PASSWORD).raw().await;
    let headers = signed_in.expect("the password is right").headers;
    let cookie = headers["set-cookie"].to_str().expect("a cookie is text");
    cookie.split(';').next().unwrap_or_default().to_owned()
}
