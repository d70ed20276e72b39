//! Reports to systemd: ready, alive, reloading, stopping. Without systemd nothing is sent.

use std::time::Duration;

use sd_notify::NotifyState;

/// The daemon serves.
pub fn ready(status: &str) {
    tell(&[NotifyState::Ready, NotifyState::Status(status)]);
}

/// The run loop is alive.
pub fn alive() {
    tell(&[NotifyState::Watchdog]);
}

/// The daemon is stopping.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// How often to call [`alive`]: twice in the time that systemd allows, if it watches.
#[must_use]
pub fn period() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|allowed| allowed / 2)
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::debug!("systemd was not told: {error}");
    }
}
