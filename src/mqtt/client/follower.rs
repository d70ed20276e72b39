//! A client that only follows: of a machine that does not speak for its hall.

use tokio::sync::mpsc;

use super::connection::{self, Arrived, Heard, Outgoing, Sender};
use super::search::Search;
use super::{RETRY, Reach};
use crate::tasks::Tasks;

/// The most messages that wait to be read.
const WAITING: usize = 1024;

/// What a follower hears.
#[derive(Debug, PartialEq, Eq)]
pub enum Followed {
    /// All filters are subscribed to: what is retained follows.
    Subscribed,
    /// The connection is gone.
    Away,
    /// A message, with its topic.
    Said(String, Vec<u8>),
}

/// Follows some filters until the tasks end. What is given to `to_say` is published and retained.
pub fn start(
    reach: Reach,
    filters: Vec<String>,
    to_say: mpsc::Receiver<(String, Vec<u8>)>,
    tasks: &mut Tasks,
) -> mpsc::Receiver<Followed> {
    let (heard, hears) = mpsc::channel(WAITING);
    tasks.spawn("the follower", follow(reach, filters, to_say, heard));
    hears
}

async fn follow(
    reach: Reach,
    filters: Vec<String>,
    mut to_say: mpsc::Receiver<(String, Vec<u8>)>,
    heard: mpsc::Sender<Followed>,
) {
    let mut search = Search::new(&reach);
    let open = |search: &Search| connection::open(&reach, search.version(), search.reached());
    let (mut sender, mut connection) = open(&search);
    let mut answered = 0;
    loop {
        let next = tokio::select! {
            next = connection.next() => next,
            Some((topic, payload)) = to_say.recv() => {
                say(&sender, topic, payload);
                continue;
            }
        };
        let followed = match next {
            Ok(Heard::Connected) => {
                answered = 0;
                search.found();
                subscribe(&sender, &filters);
                continue;
            }
            Ok(Heard::Subscribed) => {
                answered += 1;
                if answered != filters.len() {
                    continue;
                }
                Followed::Subscribed
            }
            Ok(Heard::Arrived(Arrived { topic, payload, .. })) => Followed::Said(topic, payload),
            Ok(_) => continue,
            Err(trouble) => {
                if search.look_again(&trouble) {
                    (sender, connection) = open(&search);
                }
                if search.rests() {
                    tokio::time::sleep(RETRY).await;
                }
                Followed::Away
            }
        };
        if heard.send(followed).await.is_err() {
            return;
        }
    }
}

/// In a task of its own: what is sent is taken up only while the connection is polled.
fn subscribe(sender: &Sender, filters: &[String]) {
    let (sender, filters) = (sender.clone(), filters.to_vec());
    tokio::spawn(async move {
        for filter in filters {
            let _ = sender.subscribe(filter).await;
        }
    });
}

fn say(sender: &Sender, topic: String, payload: Vec<u8>) {
    let sender = sender.clone();
    tokio::spawn(async move {
        let message = Outgoing { topic, payload, retain: true, correlation: None };
        let _ = sender.publish(message).await;
    });
}
