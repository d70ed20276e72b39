//! Somebody else's broker with rights of its own: those of docs/brokers.md let the daemon publish
//! everything, and where they are for another base, whoever watches is alarmed.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use crate::common::http::once;
use crate::common::{
    Board, Daemon, Feed, House, Judge, Mosquitto, PATIENCE, alone, finish, here, skipped,
};

const PAGE: &str = include_str!("../../docs/brokers.md");
const PASSWORD: &str = "for the broker alone";

/// The block of the page in this language that begins so.
fn block(language: &str, begins: &str) -> &'static str {
    let fence = format!("```{language}\n");
    let mut blocks = PAGE.split(fence.as_str()).skip(1);
    let found = blocks.find_map(|it| it.starts_with(begins).then(|| it.split("```").next()));
    found.flatten().unwrap_or_else(|| panic!("no block that begins {begins}"))
}

/// What the example of the page says for a key.
fn example(key: &str) -> &'static str {
    let mut lines = block("toml", "[mqtt]\n").lines().filter_map(|it| it.split_once(" = \""));
    let found = lines.find_map(|(name, value)| (name == key).then(|| value.split('"').next()));
    found.flatten().unwrap_or_else(|| panic!("no {key}"))
}

/// A broker with these rights, where the daemon and an arbiter have a password.
fn guarded(test: &str, house: &mut House, rights: &str) -> Option<Mosquitto> {
    if !here("mosquitto_passwd") {
        skipped(test, "mosquitto_passwd is not installed (package mosquitto)");
        return None;
    }
    let at = |name: &str| house.path().join(name);
    let (users, list, password) = (at("users"), at("rights"), at("password"));
    fs::write(&users, "").unwrap();
    fs::write(&list, rights).unwrap();
    fs::write(&password, PASSWORD).unwrap();
    for user in [example("username"), "claire"] {
        let made = finish(alone("mosquitto_passwd").arg("-b").arg(&users).args([user, PASSWORD]));
        assert_eq!(made.code, Some(0), "{made:?}");
    }
    // As root it would read them as another user, who may not look into this directory.
    let more =
        format!("user root\npassword_file {}\nacl_file {}\n", users.display(), list.display());
    let broker = Mosquitto::with(test, house.path(), &more)?;
    house.set("mqtt", "broker", "external");
    house.set("mqtt", "url", &format!("mqtt://{}", broker.address));
    house.set("mqtt", "username", example("username"));
    house.set("mqtt", "password_file", &path(&password));
    house.set("mqtt", "base", example("base"));
    house.table(1, "driver = \"dgt\"");
    Some(broker)
}

fn path(path: &Path) -> String {
    path.display().to_string()
}

fn reader(address: SocketAddr, more: &[&str]) -> Judge {
    Judge::call(address, &format!("{}/v1/#", example("base")), "5", 1, more)
}

fn has(judge: &Judge, topic: &str, what: &str) {
    let topic = format!("{}/v1/{topic}", example("base"));
    judge.wait(&topic, |all| {
        let mut payloads = all.iter().filter(|it| it.topic == topic).map(|it| &it.payload);
        payloads.any(|it| String::from_utf8_lossy(it).contains(what)).then_some(())
    });
}

/// What `/healthz` says, once it is so.
fn health(daemon: &Daemon, good: impl Fn(&str) -> bool) -> String {
    let within = ("what is wanted", PATIENCE);
    once(daemon.pages, "/healthz", within, |reply| good(&reply.text())).text()
}

#[test]
fn the_example_and_the_rights_of_the_page_about_brokers_fit_each_other() {
    let mut house = House::new();
    let rights = block("text", "topic read ");
    let Some(broker) = guarded("rights of docs/brokers.md", &mut house, rights) else { return };
    let mut board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    let arbiter = reader(broker.address, &["-u", "claire", "-P", PASSWORD]);
    let guest = reader(broker.address, &[]);
    has(&arbiter, "table/1/position", "\"ready\"");
    board.start_clock();
    board.lift("g1");
    board.put("g3", 'N');
    board.press(178);
    has(&arbiter, "alert/1-1-1", "illegal_move");
    has(&guest, "bridge/state", "online");
    has(&guest, "table/1/game", "moves");
    let heard = guest.heard();
    assert!(heard.iter().all(|it| !it.topic.contains("/alert/")), "for arbiters only");
    self::health(&daemon, |text| text.starts_with("ok\n") && !text.contains("refused"));
}

#[test]
fn rights_for_another_base_are_an_alarm_with_topic_reason_and_remedy() {
    let mut house = House::new();
    let rights = block("text", "topic read ").replace(example("base"), "liege/hall-b");
    let Some(mut broker) = guarded("rights for another base", &mut house, &rights) else { return };
    let _board = Board::dgt(&house.line("1"), "26015");
    let daemon = Daemon::start(&house);
    let line = daemon.logged("the broker refuses");
    let base = example("base");
    for said in ["WARN", "not authorised (reason 135)", &format!("the right to publish {base}/#")] {
        assert!(line.contains(said), "{said} is not in {line}");
    }
    let wanted = format!("\nrefused: {base}/v1/bridge/info since ");
    let health = health(&daemon, |text| text.contains(&wanted));
    assert!(health.starts_with("degraded\n"), "{health}");
    assert!(health.contains("publishing: not authorised (reason 135); give"), "{health}");
    // The broker answers one topic after another.
    let refused = |figures: &str| {
        let figure = |it: &str| it.strip_prefix("adoubed_broker_refused_topics ")?.parse().ok();
        figures.lines().find_map(figure).is_some_and(|it: u32| it > 3)
    };
    let within = ("more than three refused topics", PATIENCE);
    once(daemon.pages, "/metrics", within, |reply| refused(&reply.text()));

    // Another broker, other rights: it is over.
    fs::write(house.path().join("rights"), block("text", "topic read ")).unwrap();
    broker.forget(house.path());
    has(&reader(broker.address, &[]), "bridge/state", "online");
    self::health(&daemon, |text| text.starts_with("ok\n"));
}

/// It would flap for ever, and nobody would know why.
#[test]
fn a_broker_that_takes_short_messages_only_is_named_and_gets_those() {
    // The first is said by the broker itself, the second has to be found out.
    for limit in ["max_packet_size 1000\n", "message_size_limit 1000\n"] {
        let mut house = House::new();
        let broker = Mosquitto::with("short messages only", house.path(), limit);
        let Some(broker) = broker else { return };
        house.set("mqtt", "broker", "external");
        house.set("mqtt", "url", &format!("mqtt://{}", broker.address));
        house.set("mqtt", "machine", "first");
        house.table(1, "driver = \"dgt\"");
        let mut board = Board::dgt(&house.line("1"), "26015");
        let daemon = Daemon::start(&house);
        let feed = Feed::guest(broker.address);
        feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
        board.start_clock();
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
        for (ply, san) in moves.into_iter().enumerate() {
            board.play_and_press(san, 178 - ply as u32 / 2);
            feed.topic("table/1/position", san, |it| it["ply"] == ply + 1);
        }
        let line = daemon.logged("the broker refuses adoubed/v1/");
        assert!(line.contains("(reason 149); let it take messages of 1 MiB"), "{line}");
        let refused = "\nrefused: adoubed/v1/record/tail/";
        let good = |text: &str| text.contains(refused) && text.contains("broker: connected\n");
        let health = health(&daemon, good);
        assert!(health.starts_with("degraded\n"), "{health}");
        let away = daemon.said("is away");
        board.play_and_press("O-O", 170);
        feed.topic("table/1/position", "the next move", |it| it["ply"] == moves.len() + 1);
        assert_eq!(daemon.said("is away"), away, "{limit}: it goes on breaking");
    }
}
