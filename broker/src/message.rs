//! One published message, shared by all who are to get it.

use std::sync::Arc;

use mqtt_protocol_core::mqtt::ArcPayload;
use mqtt_protocol_core::mqtt::packet::{PropertiesSize, Property, Qos};
use tokio::time::Instant;

use crate::limits::MESSAGE_BYTES;

/// A message as it was published. Never changed, never copied: whoever waits for it holds a count.
#[derive(Debug)]
pub(crate) struct Message {
    pub topic: Arc<str>,
    pub payload: ArcPayload,
    /// Those that are passed on as they came.
    pub properties: Vec<Property>,
    pub qos: Qos,
    pub retain: bool,
    /// When it is out of date.
    pub expires: Option<Instant>,
    /// The client id it came from.
    pub origin: Arc<str>,
    /// The user it came from, if not a guest.
    pub sender: Option<Arc<str>>,
    /// Whether it is from the one whom the broker is run for.
    pub of_host: bool,
}

impl Message {
    /// One that the daemon publishes.
    #[cfg(test)]
    pub(crate) fn of_daemon(topic: &str, payload: &[u8], retain: bool) -> Self {
        use mqtt_protocol_core::mqtt::IntoPayload;
        Self {
            topic: topic.into(),
            payload: payload.into_payload(),
            properties: Vec::new(),
            qos: Qos::AtLeastOnce,
            retain,
            expires: None,
            origin: "daemon".into(),
            sender: None,
            of_host: true,
        }
    }

    /// What it holds of memory.
    pub(crate) fn bytes(&self) -> usize {
        // The bytes of the payload are the tail of the packet it came in.
        let packet = self.payload.arc_data().map_or(0, |packet| packet.len());
        MESSAGE_BYTES + self.topic.len() + self.properties.size() + packet
    }

    /// Whether this clears a retained topic.
    pub(crate) fn clears(&self) -> bool {
        self.retain && self.payload.is_empty()
    }

    /// Whether it is out of date.
    pub(crate) fn is_over(&self, now: Instant) -> bool {
        self.expires.is_some_and(|at| at <= now)
    }
}
