//! The external broker: its addresses, and the version of MQTT that it speaks.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use witness::Message;

use super::{Mqtt, say};
use crate::net::link::{Address, Link};

/// The most addresses. Behind one of them is a whole cluster.
const URLS_MAX: usize = 16;

/// Addresses of brokers, written as one text or as a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Urls(pub Vec<String>);

/// Which version of MQTT is spoken with the external broker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum Version {
    /// 5, and 3.1.1 with a broker that does not speak it.
    #[default]
    #[serde(rename = "auto")]
    Auto,
    /// 5 and nothing else.
    #[serde(rename = "5")]
    Five,
    /// 3.1.1 and nothing else.
    #[serde(rename = "3.1.1")]
    Three,
}

impl Mqtt {
    /// The link to the external broker.
    ///
    /// # Errors
    /// With the wrong key, and what to write.
    pub fn link(&self) -> Result<Link, (&'static str, Message)> {
        let Urls(urls) = &self.url;
        let addresses: Option<Vec<_>> = urls.iter().map(|url| Address::read(url)).collect();
        let mut addresses =
            addresses.filter(|it| it.len() <= URLS_MAX).unwrap_or_default().into_iter();
        let Some(first) = addresses.next() else {
            return Err(("url", say::conf_broker_url()));
        };
        let others: Vec<_> = addresses.collect();
        let open = !first.encrypted || others.iter().any(|it| !it.encrypted);
        if open && !self.ca_file.as_os_str().is_empty() {
            return Err(("ca_file", say::conf_broker_plain()));
        }
        Link::new(first, others, &self.ca_file).map_err(|it| ("ca_file", say::conf_said(&it)))
    }
}

impl fmt::Display for Urls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", or "))
    }
}

impl<'de> Deserialize<'de> for Urls {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMany)
    }
}

struct OneOrMany;

impl<'de> Visitor<'de> for OneOrMany {
    type Value = Urls;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address, or a list of addresses")
    }

    fn visit_str<E>(self, url: &str) -> Result<Urls, E> {
        // Without an external broker the address is left empty.
        Ok(Urls(Some(url).filter(|it| !it.is_empty()).map(str::to_owned).into_iter().collect()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Urls, A::Error> {
        let mut urls = Vec::new();
        while let Some(url) = seq.next_element()? {
            urls.push(url);
        }
        Ok(Urls(urls))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_or_a_list() {
        let read = |url: &str| toml::from_str::<Mqtt>(&format!("url = {url}"));
        assert_eq!(read("\"mqtt://a\"").unwrap().url.0, ["mqtt://a"]);
        assert_eq!(read("[\"mqtt://a\", \"mqtt://b\"]").unwrap().url.0, ["mqtt://a", "mqtt://b"]);
        assert!(read("\"\"").unwrap().url.0.is_empty());
        let refused = read("3").unwrap_err();
        assert!(refused.message().contains("an address, or a list of addresses"), "{refused}");
        let wrong = |url: &str| read(url).unwrap().link().unwrap_err().0;
        assert_eq!(wrong("[]"), "url");
        assert_eq!(wrong("[\"mqtt://a\", \"http://b\"]"), "url");
        let mixed =
            Mqtt { ca_file: "/ca".into(), ..read("[\"mqtts://a\", \"mqtt://b\"]").unwrap() };
        assert_eq!(mixed.link().unwrap_err().0, "ca_file");
    }

    #[test]
    fn versions() {
        let read = |it: &str| toml::from_str::<Mqtt>(&format!("version = \"{it}\"")).ok();
        assert_eq!(read("auto").unwrap().version, Version::Auto);
        assert_eq!(read("5").unwrap().version, Version::Five);
        assert_eq!(read("3.1.1").unwrap().version, Version::Three);
        assert!(read("3").is_none());
    }
}
