//! The database cost of each kind of operation; a test checks the same figures.

#[path = "../../../tests/api/costs/crowd.rs"]
mod crowd;

use self::crowd::{Cost, Crowd, Trips};

pub(crate) async fn run() {
    println!("{}", Cost::HEAD);
    for cost in Crowd::new().await.costs().await {
        println!("{cost}");
    }
    let Some(crowd) = Crowd::on_postgres().await else { return };
    println!("{}", Trips::HEAD);
    for trips in crowd.trips().await {
        println!("{trips}");
    }
}
