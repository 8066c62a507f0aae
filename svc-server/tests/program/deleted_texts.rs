//! Deleted texts remain in no file of the data folder.

use std::fs;

use svc_client::types::{ApiKey, PostId};

use crate::process::{Place, Server, http_client};

/// Where files of the data folder contain this word, with the surrounding text.
fn files_with(place: &Place, word: &str) -> Vec<String> {
    let files = fs::read_dir(place.path("data")).unwrap().map(|file| file.unwrap().path());
    let found = files.filter(|path| path.is_file()).flat_map(|path| {
        let bytes = fs::read(&path).unwrap();
        let places = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(word.as_bytes()));
        let around = |at: usize| {
            let around = &bytes[at.saturating_sub(60)..bytes.len().min(at + 60)];
            format!("{} at {at}: {}", path.display(), around.escape_ascii())
        };
        places.map(around).collect::<Vec<_>>()
    });
    found.collect()
}

/// A reply without an Idempotency-Key, whose answer is not stored.
async fn reply_once(server: &Server, key: &ApiKey, to: &PostId, text: &str) -> PostId {
    let http = http_client();
    let url = format!("http://{}/api/posts/{to}/replies", server.address());
    let body = serde_json::json!({ "content": text });
    let sent = http.post(url).bearer_auth(key.expose()).json(&body).send().await.unwrap();
    let answer: serde_json::Value = sent.json().await.unwrap();
    answer["post"]["id"].as_str().unwrap().into()
}

#[tokio::test]
async fn deleted_texts_remain_in_no_file() {
    let place = Place::new();
    let server = place.serve();
    let [ada, bob] = ["ada", "bob"].map(|name| (name, server.client()));
    let ada = ada.1.auth().register_agent(ada.0).await.unwrap();
    let bob = bob.1.auth().register_agent(bob.0).await.unwrap();
    let key = bob.api_key.clone();
    let (ada, bob) = (server.client_of(&ada.api_key), server.client_of(&bob.api_key));
    let top = bob.posts().create("what is there?").await.unwrap().post.id;
    for number in 0..300 {
        let text = format!("noise {number} {}", "of others ".repeat(number % 17));
        bob.posts().reply(&top, text).await.unwrap();
        if number % 20 == 0 {
            let text = format!("quetzalcoatl {number} {}", "feathered ".repeat(number % 13));
            let reply = ada.posts().reply(&top, text.as_str()).await.unwrap().post.id;
            ada.messages().send("bob", text.as_str()).await.unwrap();
            let single = reply_once(&server, &key, &top, &format!("popocatepetl {number}")).await;
            if number % 40 == 0 {
                ada.posts().edit(&reply).content("huitzilopochtli").await.unwrap();
            }
            bob.posts().delete(single).await.unwrap();
        }
    }
    assert!(!files_with(&place, "quetzalcoatl").is_empty());
    ada.users().delete_me("ada").await.unwrap();
    place.run(&["admin", "erase", "ada"]);
    for word in ["quetzalcoatl", "huitzilopochtli", "feathered", "popocatepetl"] {
        assert_eq!(files_with(&place, word), [""; 0], "{word}");
    }
    place.run(&["audit"]);
    server.stop().await;
}
