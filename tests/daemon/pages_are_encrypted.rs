//! Pages and feed behind TLS: with the organizer's certificate, or with one of an authority of the
//! hall's own that tablets are helped to trust.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use rustls::ClientConfig;
use serde_json::{Value, json};

use crate::common::{
    Board, Daemon, Feed, House, Organizer, Outcome, Reply, adoubed, ask_encrypted, believing,
    finish, get, password_hash, request, skipped,
};

/// What a client that believes this authority is answered, and the certificate it was shown.
fn encrypted(client: &Arc<ClientConfig>, daemon: &Daemon, path: &str) -> (Reply, Vec<u8>) {
    let asked = ask_encrypted(client, daemon.encrypted(), "127.0.0.1", "GET", path, "");
    asked.unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn with_own_authority() -> House {
    let mut house = House::new();
    house.set("web", "listen_tls", "127.0.0.1:0");
    house
}

#[test]
fn an_own_authority_is_made_on_request_and_tablets_are_helped_to_trust_it() {
    let house = with_own_authority();
    let daemon = Daemon::start(&house);
    let download = get(daemon.pages, "/trust/adoubed.pem");
    assert!(download.head.contains("content-type: application/x-pem-file"), "{}", download.head);
    let client = believing(&download.text());
    let (page, shown) = encrypted(&client, &daemon, "/arbiter");
    assert_eq!(page.status, 200);
    for name in ["localhost", "127.0.0.1"] {
        let reply = ask_encrypted(&client, daemon.encrypted(), name, "GET", "/healthz", "");
        assert!(reply.unwrap().0.text().starts_with("ok\n"), "{name}");
    }
    // Who does not trust it, or calls it by a name that is not its own, is not deceived.
    let stranger = believing(&Organizer::new(house.path()).pem);
    for (client, name) in [(&stranger, "127.0.0.1"), (&client, "chess.example.org")] {
        let refusal = ask_encrypted(client, daemon.encrypted(), name, "GET", "/", "").unwrap_err();
        assert!(refusal.to_string().contains("invalid peer certificate"), "{refusal}");
    }
    let certificate = get(daemon.pages, "/trust/adoubed.crt");
    assert!(certificate.head.contains("content-type: application/x-x509-ca-cert"));
    assert_eq!(encrypted(&client, &daemon, "/trust/adoubed.crt").0.body, certificate.body);
    assert_trust_page(&daemon, &house);

    drop(daemon);
    let daemon = Daemon::again(&house);
    assert_eq!(get(daemon.pages, "/trust/adoubed.crt").body, certificate.body);
    assert_eq!(encrypted(&client, &daemon, "/").1, shown, "nothing was made anew");
    let figures = get(daemon.pages, "/metrics").text();
    let line =
        figures.lines().find(|it| it.starts_with("adoubed_certificate_expiry_timestamp_seconds "));
    let expires: i64 = line.unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let days = (expires - adoubed::time::wall_now().as_micros() / 1_000_000) / 86_400;
    assert!((395..=397).contains(&days), "{days}");
}

/// Both languages, the fingerprint that `openssl` finds too, and nothing from elsewhere.
fn assert_trust_page(daemon: &Daemon, house: &House) {
    let file = house.journal().join("tls/authority.crt");
    let mut openssl = std::process::Command::new("openssl");
    let openssl = openssl.args(["x509", "-noout", "-fingerprint", "-sha256", "-in"]).arg(&file);
    let fingerprint = openssl.output().ok().and_then(|it| String::from_utf8(it.stdout).ok());
    let logged = daemon.logged("SHA-256 ");
    for (path, words) in [("/trust/en", "Let this device trust"), ("/trust/fr", "Faire confiance")]
    {
        let page = get(daemon.pages, path);
        assert!(page.head.contains("content-type: text/html; charset=utf-8"), "{}", page.head);
        let text = page.text();
        assert!(text.contains(words) && !text.contains("{{"), "{text}");
        assert!(!text.contains("src=\"http"), "{path} asks elsewhere");
        let link = format!("https://127.0.0.1:{}/arbiter", daemon.encrypted().port());
        assert!(text.contains(&link), "{link} is not in {text}");
        match fingerprint.as_deref().and_then(|it| it.trim().split_once('=')) {
            Some((_, heard)) => assert!(text.contains(heard) && logged.contains(heard), "{heard}"),
            None => skipped("fingerprint", "openssl is not installed"),
        }
    }
    let asked = |language: &str| {
        let host = format!("127.0.0.1\r\nAccept-Language: {language}");
        request(daemon.pages, &host, "GET", "/trust", "").text()
    };
    assert!(asked("fr-BE,en;q=0.5").contains("lang=\"fr\""));
    assert!(asked("de").contains("<html lang=\"en\""), "that of the event");
}

#[test]
fn the_feed_comes_over_encrypted_websockets() {
    let mut house = with_own_authority();
    house.table(1, "driver = \"dgt\"");
    let _board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(&house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    let client = believing(&get(daemon.pages, "/trust/adoubed.pem").text());
    for version in [4, 5] {
        super::pages_and_feed_behind_one_port::assert_feed_encrypted(&daemon, &client, version);
    }
}

#[test]
fn without_an_encrypted_door_there_is_nothing_to_trust() {
    let daemon = Daemon::start(&House::new());
    for path in ["/trust", "/trust/fr", "/trust/adoubed.crt", "/trust/nothing"] {
        assert_eq!(get(daemon.pages, path).status, 404, "{path}");
    }
    assert!(!get(daemon.pages, "/metrics").text().contains("certificate"));
}

/// An address of this machine that is not a loopback one, if it has any.
fn own_address() -> Option<IpAddr> {
    let interfaces = nix::ifaddrs::getifaddrs().ok()?;
    let addresses = interfaces.filter_map(|it| Some(it.address?.as_sockaddr_in()?.ip()));
    addresses.map(IpAddr::V4).find(|it| !it.is_loopback())
}

#[test]
fn from_elsewhere_no_password_is_taken_without_encryption() {
    let Some(address) = own_address() else {
        return skipped("passwords from elsewhere", "this machine has no address but its own");
    };
    let mut house = House::new();
    house.set("web", "listen", "0.0.0.0:0").set("web", "listen_tls", "0.0.0.0:0");
    house.put("web", "names", &format!("[\"{address}\"]"));
    house.put("web.arbiters", "Ann", &password_hash("Ann", "ann"));
    let daemon = Daemon::start(&house);
    let open = SocketAddr::new(address, daemon.pages.port());
    let shut = SocketAddr::new(address, daemon.encrypted().port());
    let login = json!({"name": "Ann", "password": "ann"}).to_string();
    let called = open.to_string();
    let ask = |method: &str, path: &str| request(open, &called, method, path, &login);

    let page = ask("GET", "/arbiter");
    assert_eq!(page.status, 307);
    assert!(page.head.contains("location: /trust"), "{}", page.head);
    let refused = ask("POST", "/arbiter/session");
    assert_eq!((refused.status, &refused.json()["password"]), (403, &Value::Null));
    assert_eq!((ask("GET", "/").status, ask("GET", "/kiosk").status), (200, 200), "screens stay");
    let trust = ask("GET", "/trust").text();
    assert!(trust.contains(&format!("http://{open}/trust</figcaption>")), "{trust}");
    assert!(trust.contains(&format!("https://{shut}/arbiter")), "{trust}");

    let client = believing(&ask("GET", "/trust/adoubed.pem").text());
    let name = address.to_string();
    let granted = ask_encrypted(&client, shut, &name, "POST", "/arbiter/session", &login).unwrap();
    assert_eq!(granted.0.status, 200, "{}", granted.0.text());
    let here = crate::common::post(
        SocketAddr::from(([127, 0, 0, 1], daemon.pages.port())),
        "/arbiter/session",
        &login,
    );
    assert_eq!(here.status, 200, "on the machine itself nobody reads along");
}

/// A daemon with the organizer's files.
fn given(house: &mut House, certificate: &std::path::Path, key: &std::path::Path) {
    house.set("web", "listen_tls", "127.0.0.1:0");
    house.set("web", "certificate", &certificate.display().to_string());
    house.set("web", "key", &key.display().to_string());
}

#[test]
fn the_organizers_certificate_is_shown_and_read_again() {
    let mut house = House::new();
    let organizer = Organizer::new(house.path());
    let (certificate, key) = organizer.issue("hall", 2099);
    given(&mut house, &certificate, &key);
    let daemon = Daemon::start(&house);
    let client = believing(&organizer.pem);
    let (page, first) = encrypted(&client, &daemon, "/arbiter");
    assert_eq!(page.status, 200);
    let trust = get(daemon.pages, "/trust");
    assert!(trust.head.contains("location: https://127.0.0.1:"), "{}", trust.head);
    assert_eq!(get(daemon.pages, "/trust/adoubed.crt").status, 404);

    fs::write(&key, "nonsense").unwrap();
    daemon.hang_up();
    let heard = daemon.logged("the old configuration stays");
    assert!(heard.contains("key: ") && heard.contains("no private key in PEM"), "{heard}");
    assert_eq!(encrypted(&client, &daemon, "/").1, first);

    organizer.issue("hall", 2098);
    daemon.hang_up();
    daemon.logged("is good until 2098-12-31");
    let (_, second) = encrypted(&client, &daemon, "/");
    assert_ne!(first, second, "connections that begin now are shown the new one");
    let words = daemon.words();
    let secret = fs::read_to_string(&key).unwrap();
    let secret = secret.lines().nth(1).unwrap();
    assert!(!words.contains(secret) && !words.contains("PRIVATE"), "{words}");
}

#[test]
fn a_certificate_that_cannot_be_used_is_refused_with_file_key_and_remedy() {
    let mut house = House::new();
    let organizer = Organizer::new(house.path());
    let (good, good_key) = organizer.issue("good", 2099);
    let (old, old_key) = organizer.issue("old", 2024);
    let (missing, empty) = (house.path().join("missing.pem"), house.path().join("empty.pem"));
    fs::write(&empty, "").unwrap();
    for (certificate, key, blamed, problem, remedy) in [
        (&missing, &good_key, "certificate", "missing.pem cannot be read: no such file", ""),
        (&good, &missing, "key", "missing.pem cannot be read: no such file", ""),
        (&empty, &good_key, "certificate", "empty.pem holds no certificate in PEM", "BEGIN CERT"),
        (&good, &empty, "key", "empty.pem holds no private key", "openssl pkey"),
        (&good, &old_key, "key", "old.key is not the key of", "good.crt"),
        (&old, &old_key, "certificate", "old.crt expired on 2024-12-31", "put a new one there"),
    ] {
        given(&mut house, certificate, key);
        house.write();
        let config = house.config().display().to_string();
        for verb in [&["run", "--config", &config][..], &["check", &config]] {
            let Outcome { code, stderr, .. } = finish(&mut adoubed(verb.iter().copied()));
            assert_eq!(code, Some(78), "{verb:?}: {stderr}");
            assert!(stderr.contains(&format!("{config}:")), "{stderr}");
            assert!(stderr.contains(&format!(": {blamed}: ")), "{blamed}: {stderr}");
            assert!(stderr.contains(problem) && stderr.contains(remedy), "{stderr}");
        }
    }
}

#[test]
fn what_cannot_be_meant_of_encryption_is_refused() {
    for (text, refusal) in [
        ("certificate = \"/a\"\nkey = \"/b\"", ":2: certificate: write also where to listen"),
        (
            "listen_tls = \"127.0.0.1:0\"\nkey = \"/b\"",
            ":3: key: write the file with the other half",
        ),
        ("listen_tls = \"127.0.0.1:8380\"", ":2: listen_tls: write another port"),
        ("names = [\"a b\"]", ":2: names: \"a b\" is neither a name nor an address"),
    ] {
        let house = House::new();
        fs::write(house.config(), format!("[web]\n{text}\n")).unwrap();
        let config = house.config().display().to_string();
        let outcome = finish(&mut adoubed(["check", &config]));
        assert_eq!(outcome.code, Some(78));
        assert!(outcome.stderr.contains(refusal), "{}\nnot {refusal}", outcome.stderr);
    }
}
