//! The far end of a connection, and whether it is this machine.

use std::convert::Infallible;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, Version, header};

/// The first parts of the headers in which proxies name the sender of a request.
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

/// The far end, and the door it came through.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// From where.
    pub address: SocketAddr,
    /// Whether the connection is encrypted.
    pub encrypted: bool,
}

impl Peer {
    /// An IPv4 address that arrives as a mapped IPv6 address becomes IPv4 again. So this machine is
    /// recognised at both kinds of door.
    pub fn new(address: SocketAddr, encrypted: bool) -> Self {
        let ip = address.ip().to_canonical();
        Self { address: SocketAddr::new(ip, address.port()), encrypted }
    }
}

/// Whether the request comes from this machine itself and is not passed on for another one.
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

/// Whether a program on this machine passes on the request of another machine. nginx without
/// further configuration names this machine as the host and names no sender. But it speaks
/// HTTP/1.0, as no browser and no tool of ours does.
fn came_through_others(version: Version, headers: &HeaderMap) -> bool {
    let of_a_proxy = |name: &str| PROXY_HEADERS.iter().any(|it| name.starts_with(it));
    version < Version::HTTP_11 || headers.keys().any(|name| of_a_proxy(name.as_str()))
}

/// Whether one of our own pages sends the request, or no page at all. Browsers name the site of a
/// page; other programs do not.
pub(crate) fn is_own_page(headers: &HeaderMap) -> bool {
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

pub(crate) fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
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
            let Ok(FromHere(found)) = FromHere::from_request_parts(&mut parts, &()).await;
            assert_eq!(found, here, "{address}");
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
