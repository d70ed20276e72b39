//! `/healthz` and `/metrics`: the health of the daemon, for monitoring (docs/monitoring.md).
//!
//! Players can read these pages like everybody else. So open alerts, and all counts that rise with
//! alerts, are shown to this machine only.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use eboard::Moment;
use prometheus_client::encoding::{EncodeMetric, MetricEncoder, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::Pages;
use crate::door::FromHere;
use crate::health::Counts;
use crate::health::Recalled;
use crate::mqtt::payload::{AlertState, Connection, Gravity};
use crate::mqtt::snapshot::{self, Retains};
use crate::outlets::Report;
use crate::outlets::livechess;
use crate::record::journal;

/// Serves a few lines for people. Machines read the status.
pub async fn health(State(pages): State<Pages>, FromHere(from_here): FromHere) -> Response {
    if let Some(still) = pages.health.stands_still() {
        let text = format!("stalled: nothing has been understood for {} s\n", still.as_secs());
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    }
    let counts = pages.health.counts();
    let (broker, refused) = (pages.snapshot.counts(), pages.snapshot.refused());
    let kept = counts.journal == journal::State::Kept;
    let damaged = pages.recalled.damaged;
    let outlets = pages.reports.all(from_here);
    let present = tells_the_present(&pages, from_here);
    let well = broker.connected
        && broker.retains != Retains::No
        && refused.count(from_here) == 0
        && kept
        && (!present || counts.missing.is_empty() && counts.floods.is_empty())
        && outlets.values().all(|outlet| outlet.works)
        && damaged == 0;
    let mut text = if well { "ok\n" } else { "degraded\n" }.to_owned();
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name}: {value}\n"));
    if present {
        line("tables", &listed(counts.tables));
    }
    if from_here {
        let alerts = counts.alerts.into_iter();
        line(
            "alerts",
            &listed(alerts.map(|((gravity, state), it)| (format!("{gravity} {state}"), it))),
        );
    }
    line("broker", broker_state(&broker));
    let refused = refused.lines(&pages.base, from_here);
    refused.iter().for_each(|it| line("refused", it));
    if let Some(handed) = pages.health.handed() {
        line("machine", &handed.to_string());
    }
    line("journal", counts.journal.name());
    for (name, outlet) in &outlets {
        let works = if outlet.works { "works" } else { "fails" };
        let since = outlet.since.rfc3339();
        let last = if from_here { format!(": {}", outlet.last) } else { String::new() };
        line(name, &format!("{works} since {since}{last}"));
    }
    if damaged > 0 {
        line("record", &format!("damaged places: {damaged} (adoubed verify says where)"));
    }
    if present {
        counts.missing.iter().for_each(|missing| line("missing", missing));
        counts.floods.iter().for_each(|flood| line("flood", flood));
    }
    text.into_response()
}

/// Whether to show the present state of the hall. With a public delay only an open hall shows it to
/// everybody.
fn tells_the_present(pages: &Pages, from_here: bool) -> bool {
    let config = pages.config();
    from_here || config.public.is_none() || config.hall_is_open()
}

/// Serves every board on the open lines, to `adoubed list` on this machine.
pub async fn plugged(State(pages): State<Pages>, FromHere(from_here): FromHere) -> Response {
    if !from_here {
        return (StatusCode::NOT_FOUND, "no such page\n").into_response();
    }
    axum::Json(&*pages.health.counts().plugged).into_response()
}

fn broker_state(broker: &snapshot::Counts) -> &'static str {
    match (broker.connected, broker.retains) {
        (false, _) => "away",
        (true, Retains::No) => "connected, but keeps nothing for screens that come late",
        (true, Retains::Unknown | Retains::Yes) => "connected",
    }
}

fn listed<N: Display>(counts: impl IntoIterator<Item = (N, u64)>) -> String {
    let parts: Vec<_> = counts.into_iter().map(|(name, it)| format!("{it} {name}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long strangers are shown the same figures.
const SHARED: Duration = Duration::from_secs(1);

/// The figures for strangers, made once for all of them.
#[derive(Default)]
pub struct Shared(Mutex<Option<(Moment, Bytes)>>);

impl Shared {
    fn get(&self, now: Moment) -> Option<Bytes> {
        let registry = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, text) = registry.as_ref().filter(|(at, _)| now.since(*at) < SHARED)?;
        Some(text.clone())
    }

    fn put(&self, now: Moment, text: &Bytes) {
        let mut registry = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *registry = Some((now, text.clone()));
    }
}

/// Serves `/metrics`, for Prometheus and programs that read its formats.
pub async fn metrics(State(pages): State<Pages>, FromHere(from_here): FromHere) -> Response {
    let now = pages.clock.now();
    let kind = [(header::CONTENT_TYPE, OPEN_METRICS)];
    if !from_here && let Some(text) = pages.figures.get(now) {
        return (kind, text).into_response();
    }
    match written(&pages, from_here).await.map(Bytes::from) {
        Ok(text) => {
            if !from_here {
                pages.figures.put(now, &text);
            }
            (kind, text).into_response()
        }
        Err(error) => {
            tracing::error!("the figures cannot be written: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Writes all figures. Other modules own them, so they are registered anew each time.
async fn written(pages: &Pages, from_here: bool) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::with_prefix("adoubed");
    let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
    registry.register("build", "Which version this is", version);
    hall(pages, from_here, &mut registry);
    let connected = ConstGauge::new(u64::from(pages.snapshot.counts().connected));
    let help = "1 while the daemon is connected to the broker";
    registry.register("broker_connected", help, connected);
    start(pages, from_here, &mut registry);
    if tells_the_present(pages, from_here) {
        clients_of_livechess(pages, &mut registry);
    }
    if from_here {
        messages(pages, &mut registry);
        broker(pages, &mut registry).await;
        let refused = ConstCounter::new(pages.refusals.all());
        let help = "Logins at the pages that were refused for their name or password";
        registry.register("logins_refused", help, refused);
    }
    let mut text = String::new();
    text::encode(&mut text, &registry)?;
    Ok(text)
}

fn hall(pages: &Pages, from_here: bool, registry: &mut Registry) {
    let counts = pages.health.counts();
    if tells_the_present(pages, from_here) {
        present(&counts, registry);
    }
    if from_here {
        let states = [AlertState::Open, AlertState::Acknowledged, AlertState::Lapsed];
        let kinds = [Gravity::Summon, Gravity::Look, Gravity::Note]
            .into_iter()
            .flat_map(|gravity| states.map(|state| (gravity, state)));
        let alerts = kinds.map(|kind| {
            let labels = [("gravity", kind.0.name()), ("state", kind.1.name())];
            (labels, counts.alerts.get(&kind).copied().unwrap_or_default())
        });
        registry.register("alerts", "Alerts that nobody has ruled on", Labelled(alerts.collect()));
    }
    outlets(pages, from_here, registry);
    let states = journal::State::ALL;
    let states = states.map(|it| ([("state", it.name())], u64::from(it == counts.journal)));
    let help = "1 for what the journal is: kept, late (its disk does not answer) or failed";
    registry.register("journal_state", help, Labelled(states.into()));
}

/// Registers the figures that show how the boards of the hall are now.
fn present(counts: &Counts, registry: &mut Registry) {
    let tables =
        [Connection::Online, Connection::Silent, Connection::Absent, Connection::Unidentified];
    let tables = tables.map(|device| {
        ([("device", device.name())], counts.tables.get(&device).copied().unwrap_or_default())
    });
    registry.register("tables", "Tables by the state of their board", Labelled(tables.into()));
    let missing = ConstGauge::new(counts.missing.len() as u64);
    registry.register("boards_missing", "Configured boards that are not there", missing);
    let shed = ConstCounter::new(counts.shed);
    let help = "Bytes left out of what lines said, because it was more than any board can say";
    registry.register_with_unit("lines_shed", help, Unit::Bytes, shed);
}

fn outlets(pages: &Pages, from_here: bool, registry: &mut Registry) {
    let all = pages.reports.all(from_here);
    let each = |figure: fn(&Report) -> Option<u64>| {
        let figures = all.iter().filter_map(|(name, it)| Some(([("outlet", *name)], figure(it)?)));
        Labelled(figures.collect())
    };
    let works = each(|outlet| Some(u64::from(outlet.works)));
    registry.register("outlet_up", "1 for each outlet that works", works);
    let help = "Since when an outlet works, or does not, since 1970";
    let since = each(|outlet| u64::try_from(outlet.since.as_micros() / 1_000_000).ok());
    registry.register_with_unit("outlet_since_timestamp", help, Unit::Seconds, since);
    let help = "What a server at the other side of an outlet answered last, if it answered";
    let status = each(|outlet| outlet.status.map(u64::from));
    registry.register("outlet_status", help, status);
}

fn messages(pages: &Pages, registry: &mut Registry) {
    let counts = pages.snapshot.counts();
    let handed = ConstCounter::new(counts.handed);
    registry.register("messages_published", "Messages given to the broker", handed);
    let waiting = ConstGauge::new(counts.waiting);
    registry.register("messages_waiting", "Messages that wait for the broker", waiting);
    let refused = ConstGauge::new(pages.snapshot.refused().count(true) as u64);
    registry.register("broker_refused_topics", "Topics that the broker does not take", refused);
    let dropped = ConstCounter::new(counts.dropped);
    registry.register("events_dropped", "Events given up while the broker was away", dropped);
}

fn start(pages: &Pages, from_here: bool, registry: &mut Registry) {
    let Recalled { checkpoint, records, damaged } = pages.recalled;
    let checkpoint = ConstGauge::new(u64::from(checkpoint));
    let help = "1 if the start went on from a checkpoint, 0 if it read the journal alone";
    registry.register("start_checkpoint", help, checkpoint);
    let help = "Damaged places in the records that the start has read";
    registry.register("start_damaged", help, ConstGauge::new(damaged));
    if from_here {
        let help = "Records of the journal that the start has read";
        registry.register("start_records", help, ConstGauge::new(records));
    }
    if let Some((_, shown)) = pages.encrypted() {
        let expires = ConstGauge::new(shown.expires.as_micros() / 1_000_000);
        let help = "When the certificate of the pages ends, since 1970";
        registry.register_with_unit("certificate_expiry_timestamp", help, Unit::Seconds, expires);
    }
}

/// Registers them only if they are served.
fn clients_of_livechess(pages: &Pages, registry: &mut Registry) {
    if !pages.reports.all(false).contains_key(livechess::NAME) {
        return;
    }
    let counts = pages.livechess.counts();
    let clients = ConstGauge::new(counts.clients);
    registry.register("livechess_clients", "Clients of LiveChess on WebSocket", clients);
    let messages = ConstCounter::new(counts.messages);
    registry.register("livechess_messages", "Messages told to clients of LiveChess", messages);
    let refused = ConstCounter::new(counts.refused);
    let help = "Calls of clients of LiveChess that were answered with an error";
    registry.register("livechess_refused", help, refused);
    let laggards = ConstCounter::new(counts.laggards);
    let help = "Clients of LiveChess cut because they took nothing";
    registry.register("livechess_laggards", help, laggards);
}

async fn broker(pages: &Pages, registry: &mut Registry) {
    let Some(door) = &pages.door else { return };
    let broker = door.figures().await;
    let clients = ConstGauge::new(broker.clients as u64);
    registry.register("broker_clients", "Clients of the embedded broker", clients);
    let retained = ConstGauge::new(broker.retained as u64);
    registry.register("broker_retained", "Retained messages", retained);
    let guests = ConstGauge::new(broker.guests_bytes as u64);
    registry.register_with_unit("broker_guests", "Memory all guests hold", Unit::Bytes, guests);
    let refused = ConstCounter::new(broker.refused);
    let help = "Clients refused for their name, password or client id";
    registry.register("broker_refused", help, refused);
    let turned_away = ConstCounter::new(broker.turned_away);
    registry.register("broker_turned_away", "Clients for whom there was no seat", turned_away);
    let laggards = ConstCounter::new(broker.laggards);
    registry.register("broker_laggards", "Clients cut because they made no progress", laggards);
}

/// A gauge for each label, in order.
#[derive(Debug)]
struct Labelled<const N: usize>(Vec<([(&'static str, &'static str); N], u64)>);

impl<const N: usize> EncodeMetric for Labelled<N> {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|(labels, value)| encoder.encode_family(labels)?.encode_gauge(value))
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Gauge
    }
}
