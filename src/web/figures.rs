//! `/healthz` and `/metrics`: how the daemon is, for whoever watches over it (docs/monitoring.md).
//! That an alert is open is told to this machine only: players see these pages as everybody does.

use std::fmt::{Display, Write};

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{Pages, Peer, session};
use crate::journal;
use crate::run::Recalled;

/// A few lines for a person; the status is for machines.
pub async fn health(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Response {
    if let Some(still) = pages.health.stands_still() {
        let text = format!("stalled: nothing has been understood for {} s\n", still.as_secs());
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    }
    let counts = pages.health.counts();
    let connected = pages.snapshot.counts().connected;
    let well = connected && counts.journal == journal::State::Kept;
    let mut text = if well { "ok\n" } else { "degraded\n" }.to_owned();
    let mut line = |name: &str, told: &str| text.push_str(&format!("{name}: {told}\n"));
    line("tables", &listed(counts.tables));
    if session::is_from_here(&peer, &headers) {
        let alerts = counts.alerts.into_iter();
        line(
            "alerts",
            &listed(alerts.map(|((gravity, state), it)| (format!("{gravity} {state}"), it))),
        );
    }
    line("broker", if connected { "connected" } else { "away" });
    line("journal", counts.journal.name());
    text.into_response()
}

fn listed<N: Display>(counts: impl IntoIterator<Item = (N, u64)>) -> String {
    let told: Vec<_> = counts.into_iter().map(|(name, it)| format!("{it} {name}")).collect();
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}

/// Prometheus text.
pub async fn metrics(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> impl IntoResponse {
    let mut told = Exposition::default();
    told.about("build_info", Kind::Gauge, "Which version this is.");
    told.labelled("build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    hall(&pages, session::is_from_here(&peer, &headers), &mut told);
    messages(&pages, &mut told);
    let Recalled { checkpoint, records } = pages.recalled;
    let help = "1 if the start went on from a checkpoint, 0 if it read the journal alone.";
    told.gauge("start_checkpoint", help, checkpoint.into());
    told.gauge("start_records", "Records of the journal that the start has read.", records);
    if let Some((_, shown)) = pages.encrypted() {
        let expires = u64::try_from(shown.expires.as_micros() / 1_000_000).unwrap_or(0);
        let help = "When the certificate of the pages ends, in seconds since 1970.";
        told.gauge("certificate_expiry_timestamp_seconds", help, expires);
    }
    if let Some(door) = &pages.door {
        let broker = door.figures().await;
        told.gauge("broker_clients", "Clients of the embedded broker.", broker.clients as u64);
        told.gauge("broker_retained", "Retained messages.", broker.retained as u64);
        let help = "Publishes and subscriptions refused.";
        told.counter("broker_refused_total", help, broker.refused);
        let help = "Clients cut because they did not read.";
        told.counter("broker_laggards_total", help, broker.laggards);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], told.text)
}

fn hall(pages: &Pages, from_here: bool, told: &mut Exposition) {
    let counts = pages.health.counts();
    told.about("tables", Kind::Gauge, "Tables by the state of their board.");
    for device in ["online", "silent", "absent", "unidentified"] {
        let tables = counts.tables.get(device).copied().unwrap_or(0);
        told.labelled("tables", &[("device", device)], tables);
    }
    if from_here {
        told.about("alerts", Kind::Gauge, "Alerts that nobody has ruled on.");
        for gravity in ["summon", "look", "note"] {
            for state in ["open", "acknowledged", "lapsed"] {
                let alerts = counts.alerts.get(&(gravity, state)).copied().unwrap_or(0);
                told.labelled("alerts", &[("gravity", gravity), ("state", state)], alerts);
            }
        }
    }
    let help =
        "1 for the state the journal is in: kept, late (the disk does not answer) or failed.";
    told.about("journal_state", Kind::Gauge, help);
    for state in journal::State::ALL {
        let holds = u64::from(state == counts.journal);
        told.labelled("journal_state", &[("state", state.name())], holds);
    }
}

fn messages(pages: &Pages, told: &mut Exposition) {
    let counts = pages.snapshot.counts();
    let help = "Messages given to the broker.";
    told.counter("messages_published_total", help, counts.handed);
    told.gauge("messages_waiting", "Messages that wait for the broker.", counts.waiting);
    let help = "Events given up while the broker was away.";
    told.counter("events_dropped_total", help, counts.dropped);
    let help = "1 while the daemon is connected to the broker.";
    told.gauge("broker_connected", help, counts.connected.into());
}

/// What a figure can do.
#[derive(Clone, Copy)]
enum Kind {
    Gauge,
    Counter,
}

/// Figures, each with its help and its type.
#[derive(Default)]
struct Exposition {
    text: String,
}

impl Exposition {
    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.about(name, Kind::Gauge, help);
        self.labelled(name, &[], value);
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.about(name, Kind::Counter, help);
        self.labelled(name, &[], value);
    }

    fn about(&mut self, name: &str, kind: Kind, help: &str) {
        let kind = match kind {
            Kind::Gauge => "gauge",
            Kind::Counter => "counter",
        };
        self.line(format_args!("# HELP adoubed_{name} {help}\n# TYPE adoubed_{name} {kind}"));
    }

    /// The values of labels are our own words: nothing in them is to be escaped.
    fn labelled(&mut self, name: &str, labels: &[(&str, &str)], value: u64) {
        let pairs: Vec<_> = labels.iter().map(|(name, it)| format!("{name}=\"{it}\"")).collect();
        let braces = match pairs.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", pairs.join(",")),
        };
        self.line(format_args!("adoubed_{name}{braces} {value}"));
    }

    fn line(&mut self, line: impl Display) {
        // Writing into a text does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}
