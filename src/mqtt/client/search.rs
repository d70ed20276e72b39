//! The search for a broker: which address is tried next, and in which version of MQTT.

use std::sync::Arc;

use super::Reach;
use super::connection::{Reached, Trouble, Version};
use crate::config;
use crate::net::link::Link;

/// The search for a broker, from one connection to the next.
pub(super) struct Search {
    link: Arc<Link>,
    wanted: config::Version,
    version: Version,
    reached: Reached,
    /// How often an address was reached before.
    before: u64,
    /// Whether the broker was found.
    found: bool,
    /// Whether the other version was tried at this address.
    turned: bool,
    /// The addresses without success.
    failed: usize,
}

impl Search {
    pub(super) fn new(reach: &Reach) -> Self {
        Self {
            link: Arc::clone(&reach.link),
            wanted: reach.version,
            version: Version::first(reach.version),
            reached: Reached::default(),
            before: 0,
            found: false,
            turned: false,
            failed: 0,
        }
    }

    /// The version that is tried now.
    pub(super) const fn version(&self) -> Version {
        self.version
    }

    /// How often an address was reached.
    pub(super) const fn reached(&self) -> &Reached {
        &self.reached
    }

    /// Notes that the broker lets this client in.
    pub(super) fn found(&mut self) {
        let (address, version) = (self.link.address(), self.version.name());
        tracing::info!("connected to the broker at {address} with {version}");
        self.before = self.reached.count();
        (self.found, self.turned, self.failed) = (true, false, 0);
    }

    /// Goes on after a trouble: at the same address with the other version of MQTT, or at the next
    /// one. A connection that broke is tried again where it was. Returns whether the version is
    /// another one now.
    pub(super) fn look_again(&mut self, trouble: &Trouble) -> bool {
        let reached = self.reached.count();
        let answered = reached > std::mem::replace(&mut self.before, reached);
        if std::mem::take(&mut self.found) {
            let address = self.link.address();
            tracing::warn!("the broker at {address} is away: {}", trouble.text);
            return false;
        }
        let turns = self.wanted == config::Version::Auto && answered && !trouble.understood;
        if turns && !std::mem::replace(&mut self.turned, true) {
            self.version = self.version.other();
            return true;
        }
        if self.failed < self.link.addresses() {
            tracing::warn!("no broker at {}: {}", self.link.address(), trouble.text);
        }
        self.link.give_up();
        self.turned = false;
        self.failed += 1;
        false
    }

    /// Whether every address was tried as often as the others.
    pub(super) fn rests(&self) -> bool {
        self.failed.is_multiple_of(self.link.addresses())
    }
}
