//! How an arbiter's page gets its rights on the feed: with a name and a password, or, as long as
//! nobody has been named an arbiter, from this machine itself.

use std::convert::Infallible;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, Version, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::json;
use witness::Message;

use super::door::visitor::Visitor;
use super::{Pages, Peer};
use crate::languages::Languages;
use crate::mqtt::access::{HallAccess, SESSION_LASTS};
use crate::say;
use crate::time;
use words::InWords as _;

/// Nobody is called by a longer name: it would only fill the log.
const NAME_BYTES: usize = 256;

/// How the headers begin by which proxies tell who asked.
const PROXY_HEADERS: [&str; 8] = [
    "cf-connecting-ip",
    "forwarded",
    "true-client-ip",
    "via",
    "x-client-ip",
    "x-forwarded-",
    "x-original-",
    "x-real-ip",
];

/// What a page has to show.
#[derive(Deserialize)]
#[serde(untagged)]
enum Shown {
    /// An arbiter's own.
    Login { name: String, password: String },
    /// What it was given here before it was loaded again.
    Session { username: String, password: String },
}

/// A user and password for one page.
pub async fn open(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    Extension(visitor): Extension<Arc<Visitor>>,
    FromHere(here): FromHere,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if !is_own_page(&headers) {
        return forbidden(&say::page_of_another_site());
    }
    if pages.must_encrypt(&peer) {
        return forbidden(&say::over_https_only());
    }
    let shown: Option<Shown> = serde_json::from_slice(&body).ok();
    let Some(access) = pages.access.clone() else {
        return match shown {
            // The external broker knows its users; we do not.
            Some(Shown::Login { name, password }) => granted(&name, &password, None),
            _ => unauthorized(&say::log_in_at_broker()),
        };
    };
    if !access.has_arbiters() {
        return match here.then(|| access.open_session_here()).flatten() {
            Some((user, password)) => granted(&user, &password, None),
            None => forbidden(&say::no_arbiter_named()),
        };
    }
    let (name, password) = match shown {
        Some(Shown::Login { name, password }) => (name, password),
        Some(Shown::Session { username, password }) => {
            return match access.session_left(&username, &password) {
                Some(left) => {
                    visitor.is_arbiter();
                    named(&access, &username, &password, left)
                }
                None => unauthorized(&say::session_ended()),
            };
        }
        None => return unauthorized(&say::log_in()),
    };
    log_in(&pages, access, (&peer, &visitor), (name, password)).await
}

/// With an arbiter's own name and password, when it is this address's turn.
async fn log_in(
    pages: &Pages,
    access: Arc<HallAccess>,
    (peer, visitor): (&Peer, &Visitor),
    (name, password): (String, String),
) -> Response {
    if name.len() > NAME_BYTES {
        return unauthorized(&say::wrong_password());
    }
    let who = peer.address.ip();
    if let Some(wait) = pages.guard().wait(pages.clock.now(), who) {
        return slowed(wait);
    }
    // Each check takes 19 MiB and a core for a while.
    let _turn = pages.logins.take(who).await;
    // Those who had their turn before may have been wrong too often.
    if let Some(wait) = pages.guard().wait(pages.clock.now(), who) {
        return slowed(wait);
    }
    let (checking, as_whom) = (access.clone(), name.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let begun = time::processor_of_this_thread();
        let session = checking.log_in(&as_whom, password.as_bytes());
        (session, time::processor_of_this_thread().saturating_sub(begun))
    });
    let (session, took) = checked.await.unwrap_or_default();
    visitor.spent(took);
    if let Some((user, password)) = session {
        pages.guard().succeeded(who);
        visitor.is_arbiter();
        named(&access, &user, &password, SESSION_LASTS)
    } else {
        pages.guard().failed(pages.clock.now(), who);
        pages.refusals.add(format!("as {name:?} from {}", peer.address));
        unauthorized(&say::wrong_password())
    }
}

/// The arbiter gives the page away: its session ends.
pub async fn close(State(pages): State<Pages>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let shown = serde_json::from_slice(&body).ok().filter(|_| is_own_page(&headers));
    let closed = match (shown, pages.access.as_deref()) {
        (Some(Shown::Session { username, password }), Some(access)) => {
            access.close_session(&username, &password)
        }
        _ => false,
    };
    if closed { StatusCode::NO_CONTENT } else { StatusCode::UNAUTHORIZED }
}

/// Whether this is asked on this very machine, and for nobody else.
pub struct FromHere(pub bool);

impl<S: Sync> FromRequestParts<S> for FromHere {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<Peer>>();
        let here = peer.is_some_and(|ConnectInfo(peer)| peer.address.ip().is_loopback());
        let names = names_this_machine(&parts.uri, &parts.headers);
        Ok(Self(here && names && !came_through_others(parts.version, &parts.headers)))
    }
}

/// Whether a request names this machine. A page of a foreign site that points its name here does
/// not. Nor does a request with several names, because a proxy may read it differently.
fn names_this_machine(asked: &Uri, headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (host, more) = (hosts.next().and_then(|it| it.to_str().ok()), hosts.next());
    let named = asked.authority().is_none_or(|it| is_this_machine(it.as_str()));
    named && more.is_none() && host.is_some_and(is_this_machine)
}

/// Whether a host names this machine: a name or an address, with or without a port.
fn is_this_machine(host: &str) -> bool {
    let (address, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => (Err(address), port),
        None => host.find(':').map_or((Ok(host), ""), |at| (Ok(&host[..at]), &host[at..])),
    };
    let digits = port.strip_prefix(':').is_some_and(|it| it.parse::<u16>().is_ok());
    let named = match address {
        Ok(name) => {
            name.eq_ignore_ascii_case("localhost")
                || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        }
        Err(address) => address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
    };
    named && (port.is_empty() || digits)
}

/// Whether somebody on this machine passes on what another machine asks. A common proxy that was
/// told nothing else (nginx) names this machine as the host and says of nobody that he asked, but
/// speaks HTTP/1.0, as no browser and no tool of ours does.
fn came_through_others(version: Version, headers: &HeaderMap) -> bool {
    let of_a_proxy = |name: &str| PROXY_HEADERS.iter().any(|it| name.starts_with(it));
    version < Version::HTTP_11 || headers.keys().any(|name| of_a_proxy(name.as_str()))
}

/// Whether this is asked by one of our own pages, or by no page at all. Browsers name the site of
/// a page; other programs do not.
pub(super) fn is_own_page(headers: &HeaderMap) -> bool {
    if !headers.contains_key(header::ORIGIN) {
        return true;
    }
    let site = text(headers, header::ORIGIN).and_then(|origin| origin.split_once("://"));
    let (Some((scheme, site)), Some(host)) = (site, text(headers, header::HOST)) else {
        return false;
    };
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let bare = |name: &str| name.strip_suffix(usual).unwrap_or(name).to_ascii_lowercase();
    bare(site) == bare(host)
}

pub(super) fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn granted(user: &str, password: &str, more: Option<(String, Duration)>) -> Response {
    let (arbiter, left) = more.unzip();
    let lasts = left.unwrap_or(SESSION_LASTS).as_secs();
    let body =
        json!({"username": user, "password": password, "lasts_s": lasts, "arbiter": arbiter});
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// With the name of whose session it is: such a page may keep it until it ends.
fn named(access: &HallAccess, user: &str, password: &str, left: Duration) -> Response {
    granted(user, password, Some((access.person(user), left)))
}

/// Wrong passwords came from there: `wait_s` until another one is looked at.
fn slowed(wait: Duration) -> Response {
    let seconds = wait.as_secs() + 1;
    let why = format!("too many wrong passwords: wait {seconds} s");
    let retry = [(header::RETRY_AFTER, seconds.to_string())];
    let body = Json(json!({"error": why, "wait_s": seconds}));
    (StatusCode::TOO_MANY_REQUESTS, retry, body).into_response()
}

/// No name would help.
fn forbidden(why: &Message) -> Response {
    refused(StatusCode::FORBIDDEN, why)
}

/// A name and a password would help.
fn unauthorized(why: &Message) -> Response {
    refused(StatusCode::UNAUTHORIZED, why)
}

/// A page shows it in the language of its reader.
fn refused(status: StatusCode, why: &Message) -> Response {
    let text = Languages::all().text(why);
    (status, Json(json!({"error": why.en(), "text": text}))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (header::HeaderName::from_static(name), value.parse().unwrap()));
        pairs.collect()
    }

    #[test]
    fn only_addresses_and_names_of_this_machine_name_it() {
        let page = Uri::from_static("/metrics");
        let named = |host: &str| names_this_machine(&page, &headers(&[("host", host)]));
        for host in ["localhost", "LOCALHOST:8380", "127.0.0.1:8380", "127.1.2.3", "[::1]:8380"] {
            assert!(named(host), "{host}");
        }
        for host in [
            "127.attacker.example",
            "127.0.0.1.attacker.example:8380",
            "localhost.attacker.example",
            "localhost:80:attacker.example",
            "localhost:",
            "[::1]attacker.example",
            "[localhost]",
            "::1",
            "192.168.1.7:8380",
            "[2001:db8::1]:8380",
            "[::1",
            "",
        ] {
            assert!(!named(host), "{host}");
        }
        assert!(!names_this_machine(&page, &HeaderMap::new()));
    }

    #[test]
    fn whoever_names_two_machines_names_none() {
        let here = headers(&[("host", "localhost")]);
        let whole = |uri: &'static str| names_this_machine(&Uri::from_static(uri), &here);
        assert!(whole("/metrics") && whole("http://localhost:8380/metrics"));
        assert!(!whole("http://hall/metrics") && !whole("http://localhost@hall/metrics"));
        for others in [["localhost", "hall"], ["hall", "localhost"], ["localhost", "localhost"]] {
            let mut hosts = HeaderMap::new();
            for host in others {
                hosts.append(header::HOST, host.parse().unwrap());
            }
            assert!(!names_this_machine(&Uri::from_static("/"), &hosts), "{others:?}");
        }
    }

    #[test]
    fn a_proxy_on_this_machine_is_not_this_machine() {
        let passed_on = |version, name| {
            let headers = headers(&[("host", "localhost"), (name, "203.0.113.7")]);
            came_through_others(version, &headers)
        };
        for name in ["accept", "origin", "x-requested-with"] {
            assert!(!passed_on(Version::HTTP_11, name), "{name}");
            assert!(passed_on(Version::HTTP_10, name), "nginx, which was told nothing of headers");
        }
        for name in ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"] {
            assert!(passed_on(Version::HTTP_11, name), "{name}");
        }
    }

    #[tokio::test]
    async fn this_machine_is_here_at_each_of_its_addresses_and_others_are_not() {
        for (address, here) in [
            ("127.0.0.1:50000", true),
            ("[::1]:50000", true),
            ("[::ffff:127.0.0.1]:50000", true),
            ("[::ffff:10.0.0.7]:50000", false),
            ("10.0.0.7:50000", false),
            ("[fe80::1]:50000", false),
        ] {
            let peer = Peer::new(address.parse().unwrap(), false);
            let request = axum::http::Request::get("/").header("host", "localhost:8380");
            let request = request.extension(ConnectInfo(peer)).body(()).unwrap();
            let (mut parts, ()) = request.into_parts();
            let Ok(FromHere(told)) = FromHere::from_request_parts(&mut parts, &()).await;
            assert_eq!(told, here, "{address}");
        }
    }

    #[test]
    fn pages_of_other_sites_are_known_by_their_origin() {
        let own = |origin, host| is_own_page(&headers(&[("origin", origin), ("host", host)]));
        assert!(is_own_page(&headers(&[("host", "hall:8380")])), "no page at all");
        assert!(own("http://hall:8380", "hall:8380"));
        assert!(own("https://Hall", "hall:443"));
        assert!(own("http://hall", "hall"));
        assert!(!own("http://hall:8381", "hall:8380"));
        assert!(!own("https://attacker.example", "hall:8380"));
        assert!(!own("null", "hall:8380"));
        assert!(!is_own_page(&headers(&[("origin", "http://hall")])));
    }
}
