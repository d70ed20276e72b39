//! Arbiters come, go and get other passwords while games are in play: what they may do changes at
//! once, and what needs a restart is said.

use serde_json::json;

use crate::common::{Daemon, Feed, House, Reply, password_hash, post};

fn log_in(daemon: &Daemon, name: &str, password: &str) -> Reply {
    let login = json!({"name": name, "password": password});
    post(daemon.pages, "/arbiter/session", &login.to_string())
}

/// A client with a session, as his page has it.
fn page(daemon: &Daemon, session: &Reply) -> Feed {
    let word = |key: &str| session.json()[key].as_str().expect("a word").to_owned();
    Feed::open(daemon.feed(), Some((word("username"), word("password"))))
}

fn is_sent_away(feed: &Feed) {
    feed.wait("the end of the connection", |heard| heard.ended.clone());
}

#[test]
fn who_is_named_no_more_is_sent_away_and_who_is_named_now_is_let_in() {
    let mut house = House::new();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    house.put("web.arbiters", "Bob", &password_hash("Bob", "bob"));
    let daemon = Daemon::start(&house);
    let sessions = [("Ann", "ann"), ("Bob", "bob")].map(|(name, word)| log_in(&daemon, name, word));
    let [ann, bob] = sessions.each_ref().map(|session| page(&daemon, session));
    let tool = Feed::open(daemon.feed(), Some(("Bob".into(), "bob".into())));
    let guest = Feed::guest(daemon.feed());

    house.put("web.arbiters", "Bob", &password_hash("Bob", "another"));
    house.put("web.arbiters", "Cleo", &password_hash("Cleo", "cleo"));
    house.write();
    daemon.hang_up();
    is_sent_away(&bob);
    is_sent_away(&tool);
    daemon.logged("the configuration was read again");
    let word = |key: &str| sessions[1].json()[key].as_str().expect("a word").to_owned();
    Feed::refused(daemon.feed(), Some((word("username"), word("password"))));
    assert_eq!(log_in(&daemon, "Bob", "bob").status, 401);
    assert_eq!(log_in(&daemon, "Bob", "another").status, 200);
    assert_eq!(log_in(&daemon, "Cleo", "cleo").status, 200);
    let answer = ann.ask("acknowledge", json!({"alert": "1-1-1"}));
    assert_eq!(answer["status"], "error", "the others stay as they were");
    assert_eq!((ann.end(), guest.end()), (None, None));
    let decisions = |session: &Reply| post(daemon.pages, "/arbiter/decisions", &session.text());
    assert_eq!((decisions(&sessions[0]).status, decisions(&sessions[1]).status), (200, 401));
}

#[test]
fn a_session_outlives_its_page_until_its_arbiter_signs_out() {
    let mut house = House::new();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    let daemon = Daemon::start(&house);
    let session = log_in(&daemon, "Ann", "ann");
    assert_eq!(session.json()["arbiter"], "Ann");
    let first = page(&daemon, &session);

    let again = post(daemon.pages, "/arbiter/session", &session.text());
    assert_eq!(again.status, 200, "{}", again.text());
    assert!(again.head.to_lowercase().contains("cache-control: no-store"), "{}", again.head);
    for key in ["username", "password", "arbiter"] {
        assert_eq!(again.json()[key], session.json()[key], "{key}: no other session than before");
    }
    assert!(again.json()["lasts_s"].as_u64() <= session.json()["lasts_s"].as_u64());
    let second = page(&daemon, &again);
    assert_eq!(second.ask("acknowledge", json!({"alert": "9-9-9"}))["status"], "error", "it asks");

    let end = |body: &str| {
        let host = daemon.pages.to_string();
        crate::common::request(daemon.pages, &host, "DELETE", "/arbiter/session", body).status
    };
    let mut guess = session.json();
    guess["password"] = json!("a guess");
    let login = json!({"name": "Ann", "password": "ann"}).to_string();
    for wrong in ["", "{}", &guess.to_string(), &login] {
        assert_eq!(end(wrong), 401, "{wrong}");
    }
    assert_eq!(post(daemon.pages, "/arbiter/session", &guess.to_string()).status, 401);
    assert_eq!(end(&session.text()), 204);
    assert_eq!(post(daemon.pages, "/arbiter/session", &session.text()).status, 401);
    let word = |key: &str| session.json()[key].as_str().expect("a word").to_owned();
    Feed::refused(daemon.feed(), Some((word("username"), word("password"))));
    assert_eq!(post(daemon.pages, "/arbiter/decisions", &session.text()).status, 401);
    drop((first, second));
}

#[test]
fn the_first_arbiter_ends_the_sessions_of_this_machine() {
    let mut house = House::new();
    let daemon = Daemon::start(&house);
    let here = daemon.arbiter();
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann")).write();
    daemon.hang_up();
    is_sent_away(&here);
    assert_eq!(post(daemon.pages, "/arbiter/session", "").status, 401);
    assert_eq!(log_in(&daemon, "Ann", "ann").status, 200);
}

#[test]
fn pages_are_told_anew_what_to_show_and_what_waits_for_a_restart_is_named() {
    let mut house = House::new();
    let daemon = Daemon::start(&house);
    house.set("event", "language", "fr").put("web.screens", "clocks", "false");
    house.set("web.sections", "\"Open A\"", "1-20").set("mqtt", "base", "elsewhere");
    house.set("web", "listen", "127.0.0.1:1").write();
    daemon.hang_up();
    daemon.logged("the configuration was read again");
    let shown = crate::common::get(daemon.pages, "/config.json").json();
    assert_eq!((&shown["language"], &shown["screens"]["clocks"]), (&json!("fr"), &json!(false)));
    assert_eq!(shown["sections"][0]["name"], "Open A");
    for key in ["mqtt.base", "web.listen"] {
        daemon.logged(&format!("{key} has changed: that takes effect when"));
    }
    assert_eq!(shown["base"], "adoubed", "the feed is where it was");
    assert_eq!(daemon.said("has changed"), 2, "{}", daemon.words());
}
