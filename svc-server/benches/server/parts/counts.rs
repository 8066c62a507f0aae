//! The database cost of each kind of operation; a test checks the same figures.

#[path = "../../../tests/api/costs/crowd.rs"]
mod crowd;

use self::crowd::{Cost, Crowd};

pub(crate) async fn run() {
    println!("{}", Cost::HEAD);
    for cost in Crowd::new().await.costs().await {
        println!("{cost}");
    }
}
