//! Asks a broker that is not our own whether it does what screens need: a screen that comes late
//! subscribes with a wildcard, and is shown what was retained before it came.

use std::time::Duration;

use tokio::sync::Notify;

use super::connection::{Arrived, Outgoing, Sender};
use crate::mqtt::snapshot::Retains;
use crate::mqtt::topic;

/// A cluster takes a moment to carry what is retained to all its machines.
const SETTLES: Duration = Duration::from_secs(1);
/// The wait for the message, on a slow line too.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether this is the retained message of the probe.
pub fn is_kept(base: &str, message: &Arrived) -> bool {
    message.retain && !message.payload.is_empty() && message.topic == topic::probe(base)
}

/// Publishes a retained message, asks for it with a wildcard, and clears it.
///
/// # Errors
/// If there is no client any more.
pub async fn run(sender: &Sender, base: &str, seen: &Notify) -> Result<Retains, String> {
    let probe = |payload: &[u8]| Outgoing {
        topic: topic::probe(base),
        payload: payload.to_vec(),
        retain: true,
        correlation: None,
    };
    let filter = topic::probes(base);
    sender.publish(probe(b"{}")).await?;
    tokio::time::sleep(SETTLES).await;
    sender.subscribe(filter.clone()).await?;
    let came = tokio::time::timeout(PATIENCE, seen.notified()).await.is_ok();
    sender.unsubscribe(filter).await?;
    sender.publish(probe(b"")).await?;
    Ok(if came { Retains::Yes } else { Retains::No })
}
