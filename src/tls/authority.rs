//! The certificate authority of one hall. It is made once and kept in the state directory. Its own
//! certificate limits it to names that mean something in that hall only, so a thief of its key
//! cannot impersonate a bank.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose,
    NameConstraints, date_time_ymd,
};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

use super::credentials::{Credentials, unreadable};
use super::names::{self, DOMAINS, NETWORKS};
use crate::exit::{self, Failure};
use crate::time::WallTime;

const DAY_S: i64 = 24 * 3600;
/// The clocks of tablets differ from ours, so certificates begin earlier.
const BEFORE_S: i64 = DAY_S;
/// Long, because tablets must be made to trust it by hand.
const AUTHORITY_LASTS_S: i64 = 3650 * DAY_S;
/// Apple's devices refuse more than 825 days.
const SERVER_LASTS_S: i64 = 397 * DAY_S;
/// How long before its end a certificate is replaced.
const RENEWED_S: i64 = 30 * DAY_S;

/// The authority.
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(super) certificate: CertificateDer<'static>,
    /// The certificate in PEM.
    pub(super) pem: String,
}

/// The authority of this directory, and a certificate for these names. What exists is used as long
/// as it serves; the rest is made.
///
/// # Errors
/// If the directory cannot be used, or holds something else.
pub(super) fn credentials(
    directory: &Path,
    wanted: &[String],
    now: WallTime,
) -> Result<(Authority, Credentials), Failure> {
    let authority = match Authority::open(directory)? {
        Some(kept) if kept.serves(wanted, now) => kept,
        kept => {
            if kept.is_some() {
                tracing::warn!(
                    "the authority in {} may not vouch for all of {}, or ends soon: a new one is \
                     made, and tablets must be told to trust it",
                    directory.display(),
                    wanted.join(", ")
                );
            }
            Authority::make(directory, wanted, now)?
        }
    };
    let (certificate, key) = (directory.join("server.crt"), directory.join("server.key"));
    let serves = |kept: &Credentials| {
        kept.chain.get(1) == Some(&authority.certificate)
            && wanted.iter().all(|name| kept.names.contains(name))
            && seconds(kept.expires) > seconds(now) + RENEWED_S
    };
    if let Some(kept) = Credentials::read(&certificate, &key, now).ok().filter(serves) {
        return Ok((authority, kept));
    }
    authority.issue(&certificate, &key, wanted, now)?;
    let made = Credentials::read(&certificate, &key, now)
        .map_err(|error| Failure::new(exit::SOFTWARE, error))?;
    Ok((authority, made))
}

impl Authority {
    fn files(directory: &Path) -> (PathBuf, PathBuf) {
        (directory.join("authority.crt"), directory.join("authority.key"))
    }

    /// Opens the authority; none: there is none.
    fn open(directory: &Path) -> Result<Option<Self>, Failure> {
        let (certificate, key) = Self::files(directory);
        if !certificate.exists() && !key.exists() {
            return Ok(None);
        }
        let damaged = |path: &Path, problem: String| {
            let remedy = format!(
                "delete {} to have a new authority made, which tablets must be told to trust",
                directory.display()
            );
            Failure::new(exit::DATA, format!("{} {problem}; {remedy}", path.display()))
        };
        let text = fs::read_to_string(&key).map_err(|error| Failure::file(&key, &error))?;
        let pair = KeyPair::from_pem(&text)
            .map_err(|_| damaged(&key, "holds no private key in PEM".to_owned()))?;
        let pem = fs::read_to_string(&certificate)
            .map_err(|error| Failure::file(&certificate, &error))?;
        let held = CertificateDer::from_pem_slice(pem.as_bytes())
            .map_err(|error| damaged(&certificate, unreadable(&error)))?;
        let issuer = Issuer::from_ca_cert_der(&held, pair)
            .map_err(|error| damaged(&certificate, format!("cannot be used: {error}")))?;
        Ok(Some(Self { issuer, certificate: held, pem }))
    }

    fn make(directory: &Path, wanted: &[String], now: WallTime) -> Result<Self, Failure> {
        let fail = |error: rcgen::Error| Failure::new(exit::SOFTWARE, error);
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(directory)
            .map_err(|error| Failure::file(directory, &error))?;
        let mut params = valid(CertificateParams::default(), now, AUTHORITY_LASTS_S);
        let place = wanted.iter().find(|name| name.ends_with(".local"));
        let place = place.and_then(|name| name.strip_suffix(".local")).unwrap_or("hall");
        params.distinguished_name.push(DnType::OrganizationName, "adoubed");
        let common = format!("adoubed on {place}, {}", now.date());
        params.distinguished_name.push(DnType::CommonName, common);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: permitted(wanted),
            excluded_subtrees: Vec::new(),
        });
        let pair = KeyPair::generate().map_err(fail)?;
        let made = params.self_signed(&pair).map_err(fail)?;
        let (certificate, key) = Self::files(directory);
        write_secret(&key, &pair.serialize_pem())?;
        let (held, pem) = (made.der().clone(), made.pem());
        write_secret(&certificate, &pem)?;
        Ok(Self { issuer: Issuer::new(params, pair), certificate: held, pem })
    }

    /// Whether it may sign for all these names, and is valid longer than what it signs now.
    fn serves(&self, wanted: &[String], now: WallTime) -> bool {
        let Ok((_, parsed)) = X509Certificate::from_der(&self.certificate) else { return false };
        let constraints = parsed.name_constraints().ok().flatten();
        let permitted = constraints.and_then(|it| it.value.permitted_subtrees.as_deref());
        let may_vouch = |name: &String| {
            permitted.is_none_or(|all| all.iter().any(|subtree| covers(&subtree.base, name)))
        };
        let ends = parsed.tbs_certificate.validity.not_after.timestamp();
        wanted.iter().all(may_vouch) && ends > seconds(now) + SERVER_LASTS_S
    }

    /// Signs a new server certificate with a new key.
    fn issue(
        &self,
        certificate: &Path,
        key: &Path,
        wanted: &[String],
        now: WallTime,
    ) -> Result<(), Failure> {
        let fail = |error: rcgen::Error| Failure::new(exit::SOFTWARE, error);
        let params = CertificateParams::new(wanted).map_err(fail)?;
        let mut params = valid(params, now, SERVER_LASTS_S);
        params.distinguished_name.push(DnType::CommonName, "adoubed");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let pair = KeyPair::generate().map_err(fail)?;
        let made = params.signed_by(&pair, &self.issuer).map_err(fail)?;
        write_secret(key, &pair.serialize_pem())?;
        write_secret(certificate, &format!("{}{}", made.pem(), self.pem))
    }
}

/// Makes a certificate valid from shortly before now.
fn valid(mut params: CertificateParams, now: WallTime, lasts_s: i64) -> CertificateParams {
    let at = |seconds: i64| {
        date_time_ymd(1970, 1, 1) + Duration::from_secs(u64::try_from(seconds).unwrap_or(0))
    };
    params.not_before = at(seconds(now) - BEFORE_S);
    params.not_after = at(seconds(now) + lasts_s);
    params.distinguished_name = DistinguishedName::new();
    params
}

/// The names that an authority may sign for: all local ones, and those it was made for.
fn permitted(wanted: &[String]) -> Vec<GeneralSubtree> {
    let networks = NETWORKS.map(|(first, length)| CidrSubnet::from_addr_prefix(first, length));
    let domains = DOMAINS.map(|domain| GeneralSubtree::DnsName(domain.to_owned()));
    let named = wanted.iter().filter(|name| !may_always(name)).map(|name| match name.parse() {
        Ok(address @ IpAddr::V4(_)) => {
            GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, 32))
        }
        Ok(address) => GeneralSubtree::IpAddress(CidrSubnet::from_addr_prefix(address, 128)),
        Err(_) => GeneralSubtree::DnsName(name.clone()),
    });
    networks.map(GeneralSubtree::IpAddress).into_iter().chain(domains).chain(named).collect()
}

/// Whether every authority of ours may sign for this name. The bare name of a machine must be given
/// when the authority is made.
fn may_always(name: &str) -> bool {
    names::is_at_home(name) && (name.contains(['.', ':']) || name == "localhost")
}

fn covers(subtree: &GeneralName<'_>, name: &str) -> bool {
    match (subtree, name.parse::<IpAddr>()) {
        (GeneralName::DNSName(domain), Err(_)) => names::is_under(name, domain),
        (GeneralName::IPAddress(bytes), Ok(address)) => {
            let (first, mask) = bytes.split_at(bytes.len() / 2);
            let length = mask.iter().map(|byte| byte.leading_ones() as u8).sum();
            names::address(first).is_some_and(|first| names::contains((first, length), address))
        }
        _ => false,
    }
}

fn seconds(at: WallTime) -> i64 {
    at.as_micros().div_euclid(1_000_000)
}

/// Writes a file that only we can read, whole or not at all.
fn write_secret(path: &Path, text: &str) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::file(path, &error);
    let begun = path.with_extension("new");
    let _ = fs::remove_file(&begun);
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(&begun).map_err(fail)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(fail)?;
    fs::rename(&begun, path).map_err(fail)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    const DAY: i64 = DAY_S * 1_000_000;
    const NOW: i64 = 1_795_269_600_000_000;

    fn at(micros: i64) -> WallTime {
        WallTime::from_micros(micros)
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// The certificate that is shown for these names at this time, and its authority.
    fn shown(directory: &Path, wanted: &[&str], now: i64) -> (Vec<u8>, Credentials) {
        let (authority, credentials) = credentials(directory, &names(wanted), at(now)).unwrap();
        (authority.certificate.to_vec(), credentials)
    }

    #[test]
    fn keys_are_for_our_eyes_only() {
        let house = tempfile::tempdir().unwrap();
        let directory = house.path().join("state/tls");
        let _ = shown(&directory, &["hall.local"], NOW);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&directory), 0o700);
        for file in ["authority.key", "server.key"] {
            assert_eq!(mode(&directory.join(file)), 0o600, "{file}");
        }
    }

    #[test]
    fn what_serves_is_kept_and_what_does_not_is_made_anew_by_the_same_authority() {
        let house = tempfile::tempdir().unwrap();
        let first = shown(house.path(), &["hall.local", "192.168.1.10"], NOW);
        let again = shown(house.path(), &["hall.local"], NOW + 366 * DAY);
        assert_eq!(first.1.chain, again.1.chain);
        assert_eq!(first.1.names, names(&["hall.local", "192.168.1.10"]));

        let moved = shown(house.path(), &["hall.local", "10.0.0.7"], NOW + 366 * DAY);
        assert_eq!(moved.1.names, names(&["hall.local", "10.0.0.7"]));
        let old = shown(house.path(), &["hall.local"], NOW + (366 + 367 + 1) * DAY);
        assert_ne!(old.1.chain, moved.1.chain, "a month before the end");
        assert!([&moved, &old].iter().all(|it| it.0 == first.0), "tablets trust it still");
    }

    #[test]
    fn an_authority_vouches_for_what_is_at_home_and_what_it_was_made_for() {
        let house = tempfile::tempdir().unwrap();
        let first = shown(house.path(), &["chess.example.org", "box"], NOW);
        let inside = shown(house.path(), &["tv.chess.example.org", "10.1.1.1", "x.local"], NOW);
        assert_eq!(first.0, inside.0);
        for outside in ["example.org", "notchess.example.org", "8.8.8.8", "2001:db8::1", "other"] {
            let other = shown(house.path(), &[outside], NOW);
            assert_ne!(first.0, other.0, "{outside}");
            let back = shown(house.path(), &["chess.example.org", "box"], NOW);
            assert_ne!(other.0, back.0, "{outside}");
        }
    }

    #[test]
    fn an_authority_that_ends_soon_is_replaced() {
        let house = tempfile::tempdir().unwrap();
        let first = shown(house.path(), &["hall.local"], NOW);
        let late = shown(house.path(), &["hall.local"], NOW + 3600 * DAY);
        assert_ne!(first.0, late.0);
    }

    #[test]
    fn damage_is_told_with_a_remedy() {
        let house = tempfile::tempdir().unwrap();
        let _ = shown(house.path(), &["hall.local"], NOW);
        for file in ["authority.crt", "authority.key"] {
            let path = house.path().join(file);
            let kept = fs::read(&path).unwrap();
            fs::write(&path, "nonsense").unwrap();
            let failure = credentials(house.path(), &names(&["hall.local"]), at(NOW)).err();
            let message = failure.unwrap().message;
            assert!(message.contains(file) && message.contains("; delete "), "{message}");
            fs::write(&path, kept).unwrap();
        }
        // No tablet was made to trust that one.
        fs::write(house.path().join("server.crt"), "nonsense").unwrap();
        let _ = shown(house.path(), &["hall.local"], NOW);
    }
}
