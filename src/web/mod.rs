//! The pages, and everything else behind the one port to open: the feed over WebSocket, health,
//! figures. The pages get their data over MQTT; nothing of a game passes through here.

mod assets;
mod decisions;
mod feed;
mod session;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adoubed_broker::Door;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use eboard::Moment;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::config::pages::{self, Screens, Section};
use crate::exit::{self, Failure};
use crate::mqtt::access::HallAccess;
use crate::mqtt::client;
use crate::mqtt::guard::Guard;
use crate::mqtt::requests;
use crate::mqtt::snapshot::Snapshot;
use crate::time::Clock;

/// Passwords checked at once.
const LOGINS: usize = 2;

/// What the pages need.
#[derive(Clone)]
pub struct Pages {
    door: Option<Door>,
    broker: Option<(String, u16)>,
    access: Option<Arc<HallAccess>>,
    snapshot: Arc<Snapshot>,
    about: Arc<About>,
    /// Turns for those whose password is checked.
    logins: Arc<Semaphore>,
    /// Where everything is kept, and turns for those who read it again.
    record: Arc<PathBuf>,
    readers: Arc<Semaphore>,
    /// Addresses from which wrong passwords came.
    guard: Arc<Mutex<Guard>>,
    clock: Clock,
}

/// What a page is told before it connects to the feed.
#[derive(Debug, Serialize)]
struct About {
    base: String,
    language: String,
    event: String,
    version: &'static str,
    /// The requests this daemon answers.
    requests: &'static [&'static str],
    sections: Vec<Section>,
    screens: Screens,
}

impl Pages {
    /// The pages of a daemon; `door` leads to the embedded broker, if there is one.
    #[must_use]
    pub fn new(
        config: &Config,
        door: Option<Door>,
        access: Option<Arc<HallAccess>>,
        snapshot: &Arc<Snapshot>,
    ) -> Self {
        let about = About {
            base: config.mqtt.base.clone(),
            language: config.event.language.clone(),
            event: config.event.name.clone(),
            version: env!("CARGO_PKG_VERSION"),
            requests: &requests::VERBS,
            sections: pages::sections(&config.web.sections),
            screens: config.web.screens.clone(),
        };
        let broker = client::address(&config.mqtt.url);
        let snapshot = Arc::clone(snapshot);
        let logins = Arc::new(Semaphore::new(LOGINS));
        let record = Arc::new(config.journal_directory());
        let readers = Arc::new(Semaphore::new(1));
        let guard = Arc::new(Mutex::new(Guard::default()));
        let (about, clock) = (Arc::new(about), Clock::starting_at(Moment::ZERO));
        Self { door, broker, access, snapshot, about, logins, record, readers, guard, clock }
    }

    fn guard(&self) -> MutexGuard<'_, Guard> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens.
///
/// # Errors
/// When the address is in use or not ours.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| {
        let text = format!(
            "failed to serve the pages on {address}: {error}; set [web] listen to another address"
        );
        Failure::new(exit::UNAVAILABLE, text)
    })
}

/// Serves until it is dropped.
pub async fn serve(listener: TcpListener, pages: Pages) {
    let app = Router::new()
        .route("/", get(|| assets::page("index.html")))
        .route("/kiosk", get(|| assets::page("index.html")))
        .route("/table/{number}", get(|| assets::page("table.html")))
        .route("/embed/{number}", get(assets::embedded_elsewhere))
        .route("/arbiter", get(|| assets::page("arbiter.html")))
        .route("/arbiter/session", post(session::open))
        .route("/arbiter/decisions", post(decisions::list))
        .route("/assets/{*path}", get(assets::file))
        .route("/config.json", get(about))
        .route("/mqtt", get(feed::connect))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/metrics", get(figures))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page\n") })
        .with_state(pages);
    let service = app.into_make_service_with_connect_info::<SocketAddr>();
    if let Err(error) = axum::serve(listener, service).await {
        tracing::error!("the pages are served no more: {error}");
    }
}

async fn about(State(pages): State<Pages>) -> impl IntoResponse {
    let json = serde_json::to_string(&*pages.about).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], json)
}

/// Prometheus text.
async fn figures(State(pages): State<Pages>) -> impl IntoResponse {
    let mut text = String::new();
    let mut figure = |name: &str, help: &str, value: u64| {
        text.push_str(&format!("# HELP adoubed_{name} {help}\n# TYPE adoubed_{name} gauge\n"));
        text.push_str(&format!("adoubed_{name} {value}\n"));
    };
    figure(
        "events_dropped",
        "Events given up while the broker was away.",
        pages.snapshot.dropped(),
    );
    if let Some(door) = &pages.door {
        let broker = door.figures().await;
        figure("broker_clients", "Clients of the embedded broker.", broker.clients as u64);
        figure("broker_retained", "Retained messages.", broker.retained as u64);
        figure("broker_refused", "Publishes and subscriptions refused.", broker.refused);
        figure("broker_laggards", "Clients cut because they did not read.", broker.laggards);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}
