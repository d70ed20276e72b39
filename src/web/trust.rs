//! `/trust` helps a tablet to trust the certificate of our own authority. Requests without
//! encryption for pages that need it are redirected here.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use words::Language;

use super::qr::{self, Drawn};
use super::{Pages, assets};
use crate::door;
use crate::tls::{Shown, Trusted};

const FRAME: &str = include_str!("trust/frame.html");

/// The most addresses that are shown. A machine has few useful ones.
const SHOWN_MAX: usize = 4;

/// The addresses of the doors.
#[derive(Clone, Copy, Debug)]
pub struct Doors {
    /// Without encryption.
    pub plain: SocketAddr,
    /// With it.
    pub encrypted: SocketAddr,
}

/// Serves the page in the reader's language.
pub async fn page(State(pages): State<Pages>, headers: HeaderMap) -> Response {
    let wanted = door::text(&headers, header::ACCEPT_LANGUAGE).unwrap_or_default();
    let first = wanted.split([',', '-', ';']).next().unwrap_or_default().trim();
    let language = Language::of(first).or_else(|| Language::of(&pages.language()));
    show(&pages, &headers, language.unwrap_or(Language::ENGLISH))
}

/// Serves the page in the language of the address.
pub async fn page_in(
    State(pages): State<Pages>,
    Path(language): Path<String>,
    headers: HeaderMap,
) -> Response {
    match language.as_str() {
        "adoubed.crt" | "adoubed.pem" => download(&pages, language == "adoubed.pem"),
        code => Language::of(code).map_or_else(nothing, |it| show(&pages, &headers, it)),
    }
}

fn show(pages: &Pages, headers: &HeaderMap, language: Language) -> Response {
    let Some((doors, shown)) = pages.encrypted() else { return nothing() };
    let Some(trusted) = &shown.authority else {
        return Redirect::temporary(&arbiter(headers, doors)).into_response();
    };
    let text = FRAME
        .replace("{{words}}", language.page("trust.html"))
        .replace("{{language}}", language.code())
        .replace("{{arbiter}}", &arbiter(headers, doors))
        .replace("{{fingerprint}}", &trusted.fingerprint)
        .replace("{{expires}}", &shown.expires.date())
        .replace("{{codes}}", &codes(headers, doors, &shown));
    assets::html(text)
}

/// The certificate to download. Phones, browsers and Windows recognise it by its media type. `pem`:
/// as text, for other programs.
fn download(pages: &Pages, pem: bool) -> Response {
    let Some(Trusted { der, pem: text, .. }) = pages.encrypted().and_then(|it| it.1.authority)
    else {
        return nothing();
    };
    let (kind, name, body) = match pem {
        true => ("application/x-pem-file", "adoubed.pem", text.into_bytes()),
        false => ("application/x-x509-ca-cert", "adoubed.crt", der),
    };
    let place = format!("attachment; filename=\"{name}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, place),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, body).into_response()
}

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "no such page\n").into_response()
}

/// Redirects to the encrypted arbiter's page, by way of this page if the certificate is our own.
pub fn instead(headers: &HeaderMap, doors: Doors, shown: &Shown) -> Redirect {
    match shown.authority {
        Some(_) => Redirect::temporary("/trust"),
        None => Redirect::temporary(&arbiter(headers, doors)),
    }
}

fn arbiter(headers: &HeaderMap, doors: Doors) -> String {
    let host = host(headers).unwrap_or_else(|| written(doors.encrypted.ip()));
    format!("https://{host}:{}/arbiter", doors.encrypted.port())
}

/// The host name in the request without its port, if it can be a machine's name.
fn host(headers: &HeaderMap) -> Option<String> {
    let host = door::text(headers, header::HOST)?;
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|it| it.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let good = bare.parse::<IpAddr>().is_ok() || crate::tls::is_name(bare);
    good.then(|| name.to_owned())
}

/// An address in the notation of URLs.
fn written(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// The addresses of this page as QR codes, for a tablet's camera.
fn codes(headers: &HeaderMap, doors: Doors, shown: &Shown) -> String {
    let hosts = match host(headers).filter(|host| shown.names.contains(host) && !is_here(host)) {
        Some(host) => vec![host],
        None => shown.names.iter().filter_map(|name| elsewhere(name, doors)).collect(),
    };
    let mut text = String::new();
    for host in hosts.iter().take(SHOWN_MAX) {
        // If the open door cannot be reached from there, the tablet sees the warning that this page
        // should avoid.
        let url = match reaches(doors.plain.ip(), host) {
            true => format!("http://{host}:{}/trust", doors.plain.port()),
            false => format!("https://{host}:{}/trust", doors.encrypted.port()),
        };
        if let Some(code) = qr::draw(&url) {
            let _ = write!(text, "<figure>{}<figcaption>{url}</figcaption></figure>", svg(&code));
        }
    }
    text
}

/// An address of this machine through which other machines reach a door.
fn elsewhere(name: &str, doors: Doors) -> Option<String> {
    let address: IpAddr = name.parse().ok()?;
    let host = written(address);
    let open = [doors.plain, doors.encrypted].iter().any(|door| reaches(door.ip(), &host));
    (!address.is_loopback() && open).then_some(host)
}

/// Whether a door that listens there can be reached under this host name.
fn reaches(listen: IpAddr, host: &str) -> bool {
    listen.is_unspecified() || written(listen) == host || (!listen.is_loopback() && !is_here(host))
}

/// Whether a host name means the machine itself.
fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn svg(Drawn { size, path }: &Drawn) -> String {
    format!(
        "<svg viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"QR\">\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/><path d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(host: &str) -> HeaderMap {
        [(header::HOST, host.parse().unwrap())].into_iter().collect()
    }

    fn doors(plain: &str, encrypted: &str) -> Doors {
        Doors { plain: plain.parse().unwrap(), encrypted: encrypted.parse().unwrap() }
    }

    #[test]
    fn the_encrypted_door_has_the_name_that_was_asked_for() {
        let doors = doors("0.0.0.0:8380", "0.0.0.0:8443");
        for (host, expected) in [
            ("hall.local:8380", "https://hall.local:8443/arbiter"),
            ("192.168.1.10:8380", "https://192.168.1.10:8443/arbiter"),
            ("[fd00::1]:8380", "https://[fd00::1]:8443/arbiter"),
            ("hall", "https://hall:8443/arbiter"),
            // Nothing that a stranger writes there gets into a page.
            ("\"><script>:1", "https://0.0.0.0:8443/arbiter"),
        ] {
            assert_eq!(arbiter(&called(host), doors), expected);
        }
    }

    #[test]
    fn a_tablet_is_shown_an_address_it_can_reach() {
        let reached = |plain: &str, host: &str| reaches(plain.parse().unwrap(), host);
        assert!(reached("0.0.0.0", "192.168.1.10") && reached("192.168.1.10", "192.168.1.10"));
        assert!(!reached("127.0.0.1", "192.168.1.10") && !reached("127.0.0.1", "hall.local"));
        assert!(is_here("localhost") && is_here("[::1]") && !is_here("10.0.0.1"));
        let doors = doors("127.0.0.1:8380", "0.0.0.0:8443");
        assert_eq!(elsewhere("10.0.0.1", doors).as_deref(), Some("10.0.0.1"));
        assert_eq!(elsewhere("127.0.0.1", doors), None);
        assert_eq!(elsewhere("hall.local", doors), None);
    }
}
