//! What systemd is told: ready, alive, reloading, stopping. Silent without systemd.

use std::time::Duration;

use sd_notify::NotifyState;

/// The daemon serves.
pub fn ready(status: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// The run loop went round.
pub fn alive() {
    tell(&[NotifyState::Watchdog]);
}

/// The daemon is on its way out.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// How often [`alive`] is to be called: half of what systemd allows, if it watches.
#[must_use]
pub fn period() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|allowed| allowed / 2)
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!("systemd was not told: {error}");
    }
}
