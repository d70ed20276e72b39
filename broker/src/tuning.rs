//! The library's settings: its storage, its limits, and how it is kept from waiting for slow
//! clients. What each connection is given of them is the engine's choice.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use mqtt5::broker::BrokerConfig;
use mqtt5::broker::events::{BrokerEventHandler, ClientConnectEvent};
use mqtt5::broker::resource_monitor::ResourceLimits;
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::storage::{DynamicStorage, MemoryBackend, QueueLimits};

use crate::limits;

/// Memory only: the daemon publishes its whole state whenever it connects.
pub(crate) fn storage() -> DynamicStorage {
    DynamicStorage::Memory(MemoryBackend::with_queue_limits(QueueLimits {
        max_messages: limits::QUEUED_MESSAGES,
        max_bytes: limits::QUEUED_BYTES,
    }))
}

/// For clients whose session may outlive the connection by `session`.
pub(crate) fn config(router: &Arc<MessageRouter>, session: Duration) -> BrokerConfig {
    BrokerConfig {
        bind_addresses: Vec::new(),
        session_expiry_interval: session,
        max_packet_size: limits::PACKET_BYTES,
        topic_alias_maximum: limits::TOPIC_ALIASES,
        shared_subscription_available: false,
        max_subscriptions_per_client: limits::SUBSCRIPTIONS,
        max_retained_messages: limits::RETAINED_MESSAGES,
        max_retained_message_size: limits::PACKET_BYTES,
        client_channel_capacity: limits::QUEUED_MESSAGES,
        max_outbound_inflight: limits::IN_FLIGHT,
        server_receive_maximum: Some(limits::RECEIVE_MAXIMUM),
        sys_topics_enabled: false,
        event_handler: Some(Arc::new(Unhurried { router: Arc::clone(router) })),
        ..BrokerConfig::default()
    }
}

/// The seats are counted at our own doors; the library's count must not refuse anyone before.
pub(crate) fn unlimited() -> ResourceLimits {
    ResourceLimits {
        max_connections: usize::MAX,
        max_connections_per_ip: usize::MAX,
        max_message_rate_per_client: 0,
        max_bandwidth_per_client: 0,
        max_connection_rate: u32::MAX,
        rate_limit_window: Duration::from_secs(1),
    }
}

/// Keeps publishers from waiting for slow subscribers.
///
/// A PUBLISH of QoS 1 or 2 goes to a subscriber's lane, and waits there up to 2 s when it is full,
/// unless the subscriber counts as *behind*: then it goes to the session's queue, which never
/// makes anyone wait and drops its oldest message when full. A client is behind, among other
/// cases, while a registered connection has not yet been bound; expecting one that will never
/// come leaves it so. Delivery from the queue does not look at this mark.
struct Unhurried {
    router: Arc<MessageRouter>,
}

impl BrokerEventHandler for Unhurried {
    fn on_client_connect<'a>(
        &'a self,
        event: ClientConnectEvent,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        self.router.queue_handle(&event.client_id).expect_bind(u64::MAX);
        Box::pin(std::future::ready(()))
    }
}
