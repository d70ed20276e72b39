//! The names and addresses under which tablets reach this machine, and which of them mean something
//! in one network only. It judges no certificate.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A network: its first address, and the length of its prefix.
pub(super) type Network = (IpAddr, u8);

/// Private networks. An address in them means nothing elsewhere.
pub(super) const NETWORKS: [Network; 8] = [
    (IpAddr::V4(Ipv4Addr::new(10, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(127, 0, 0, 0)), 8),
    (IpAddr::V4(Ipv4Addr::new(169, 254, 0, 0)), 16),
    (IpAddr::V4(Ipv4Addr::new(172, 16, 0, 0)), 12),
    (IpAddr::V4(Ipv4Addr::new(192, 168, 0, 0)), 16),
    (IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
    (IpAddr::V6(Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0)), 7),
    (IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0)), 10),
];

/// Private domains (RFC 6761, 6762, 8375, and those that routers hand out).
pub(super) const DOMAINS: [&str; 5] = ["localhost", "local", "lan", "home.arpa", "internal"];

/// The names of this machine in its networks: its own, that for neighbours, and its addresses.
pub(super) fn of_this_machine() -> Vec<String> {
    let mut names = vec!["localhost".to_owned()];
    let own = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    if let Some(own) = own.filter(|name| is_name(name)) {
        let own = own.to_ascii_lowercase();
        if !own.contains('.') {
            names.push(format!("{own}.local"));
        }
        names.push(own);
    }
    names.extend(addresses().into_iter().map(|address| address.to_string()));
    names.sort();
    names.dedup();
    names
}

/// Its addresses in private networks.
fn addresses() -> Vec<IpAddr> {
    let interfaces = match nix::ifaddrs::getifaddrs() {
        Ok(interfaces) => interfaces,
        Err(error) => {
            tracing::warn!(
                "this machine's addresses cannot be told ({error}): [web] names names it"
            );
            return vec![Ipv4Addr::LOCALHOST.into()];
        }
    };
    let address = |interface: nix::ifaddrs::InterfaceAddress| {
        let address = interface.address?;
        let v4 = address.as_sockaddr_in().map(|it| IpAddr::V4(it.ip()));
        v4.or_else(|| address.as_sockaddr_in6().map(|it| IpAddr::V6(it.ip())))
    };
    // An address that needs the name of an interface is of no use in a URL.
    let usable = |address: &IpAddr| match address {
        IpAddr::V6(address) => !address.is_unicast_link_local(),
        IpAddr::V4(_) => true,
    };
    interfaces.filter_map(address).filter(|it| is_private(*it) && usable(it)).collect()
}

/// Whether an address is private.
fn is_private(address: IpAddr) -> bool {
    NETWORKS.iter().any(|network| contains(*network, address))
}

/// Whether a name or an address means something in one network only.
#[must_use]
pub fn is_at_home(name: &str) -> bool {
    match name.parse() {
        Ok(address) => is_private(address),
        Err(_) => !name.contains('.') || DOMAINS.iter().any(|domain| is_under(name, domain)),
    }
}

/// Whether a name is this domain or one in it.
pub(super) fn is_under(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain).is_some_and(|host| host.is_empty() || host.ends_with('.'))
}

/// Whether an address is in this network.
pub(super) fn contains((first, length): Network, address: IpAddr) -> bool {
    let bit = |bytes: &[u8], at: u8| {
        bytes.get(usize::from(at / 8)).is_some_and(|byte| byte & (0x80 >> (at % 8)) != 0)
    };
    let same =
        |first: &[u8], address: &[u8]| (0..length).all(|at| bit(first, at) == bit(address, at));
    match (first, address) {
        (IpAddr::V4(first), IpAddr::V4(address)) => same(&first.octets(), &address.octets()),
        (IpAddr::V6(first), IpAddr::V6(address)) => same(&first.octets(), &address.octets()),
        _ => false,
    }
}

/// An address in the notation of certificates.
pub(super) fn address(bytes: &[u8]) -> Option<IpAddr> {
    let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok()
}

/// Whether this can be the name of a machine: letters, digits and `-`, separated by dots.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        (1..=63).contains(&part.len())
            && !part.starts_with('-')
            && !part.ends_with('-')
            && part.chars().all(|it| it.is_ascii_alphanumeric() || it == '-')
    };
    name.len() <= 253 && name.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_and_domains_are_at_home() {
        for name in [
            "10.1.2.3",
            "172.31.0.1",
            "192.168.1.10",
            "127.0.0.1",
            "::1",
            "fd00::1",
            "hall",
            "hall.local",
            "localhost",
            "box.home.arpa",
        ] {
            assert!(is_at_home(name), "{name}");
        }
        for name in ["172.32.0.1", "8.8.8.8", "2001:db8::1", "example.org", "notlocal.org"] {
            assert!(!is_at_home(name), "{name}");
        }
    }

    #[test]
    fn names_are_told_from_what_is_none() {
        assert!(["hall", "Hall-1.example.org", "7"].iter().all(|it| is_name(it)));
        assert!(["", "a b", "-a", "a.", "hall:8443", "é", "*.org"].iter().all(|it| !is_name(it)));
    }

    #[test]
    fn this_machine_knows_itself() {
        let names = of_this_machine();
        assert!(names.iter().any(|name| name == "localhost"), "{names:?}");
        assert!(names.iter().any(|name| name == "127.0.0.1"), "{names:?}");
        assert!(names.iter().all(|name| name.parse::<IpAddr>().is_ok() || is_name(name)));
    }
}
