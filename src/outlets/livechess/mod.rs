//! An outlet for clients written for DGT LiveChess: its WebSocket and its REST, as far as clients
//! and recordings show them. It reads what guests may read and changes nothing at any table. Every
//! client is served, because the protocol has no login.

mod calls;
mod feed;
mod figures;
mod hall;
mod names;
mod rest;
mod session;
mod shapes;
mod tournament;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use adoubed_broker::Seats;
use axum::Extension;
use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::sleep;

use crate::door::visitor::{Usher, Visitor};
use crate::door::{self, Seated};
use crate::mqtt::snapshot::Source;
use crate::outlets::{Outlets, Reports};
use crate::tasks::Tasks;
pub use figures::{Counts, Figures};
use hall::Hall;

/// The wait before the address is tried again. DGT LiveChess itself may be using it.
const RETRY: Duration = Duration::from_secs(5);
/// Changes within this time are sent together. It bounds what clients cost in a hall of 300 boards.
const TOGETHER: Duration = Duration::from_millis(10);

/// The newest state of the hall. A slow client skips the states in between.
type Looks = watch::Receiver<Arc<Hall>>;

/// The name of the outlet in reports.
pub const NAME: &str = "livechess";

/// What the handlers share.
#[derive(Clone)]
struct Shown {
    hall: Looks,
    figures: Arc<Figures>,
    reports: Arc<Reports>,
    /// The answers over HTTP.
    answers: Arc<rest::Answers>,
    /// The address of the door.
    address: SocketAddr,
}

/// Counts a client for as long as it exists.
struct Present(Shown);

/// Serves until the tasks end. If another program uses the address, it is tried again, and the
/// report says so. The rest of the daemon does not depend on it.
pub fn start(
    (address, seats, usher): (SocketAddr, usize, Arc<Usher>),
    source: impl Source,
    outlets: &Outlets,
    tasks: &mut Tasks,
) {
    let (looks, hall) = watch::channel(Arc::<Hall>::default());
    let (figures, reports) = (Arc::clone(&outlets.livechess), Arc::clone(&outlets.reports));
    let mut shown = Shown { hall, figures, reports, answers: Arc::default(), address };
    let mut listener = listen(&mut shown);
    tasks.spawn("the reader of LiveChess clients", keep(source, looks));
    tasks.spawn("the door of LiveChess clients", async move {
        loop {
            if let Some(listener) = listener {
                // Most clients are on one machine, so one address may have all seats.
                let door = door::Open::new(listener, Seats::new(seats, seats), usher);
                return door::serve(door, routes(shown)).await;
            }
            sleep(RETRY).await;
            listener = listen(&mut shown);
        }
    });
}

/// Opens the listener, if the address is free.
fn listen(shown: &mut Shown) -> Option<TcpListener> {
    let address = shown.address;
    let listener = adoubed_broker::listen(address);
    match listener.and_then(|it| it.local_addr().map(|address| (it, address))) {
        Ok((listener, address)) => {
            shown.address = address;
            tracing::info!("LiveChess clients at ws://{address}{API}");
            if !address.ip().is_loopback() {
                tracing::warn!("[livechess] listen is open: whoever reaches {address} reads");
            }
            shown.report();
            Some(listener)
        }
        Err(error) => {
            if shown.reports.tell(NAME, false, format!("{address}: {error}")) {
                tracing::warn!(
                    "LiveChess clients cannot be served at {address}: {error}; end the program \
                     that has it, or set [livechess] listen to another address"
                );
            }
            None
        }
    }
}

impl Shown {
    fn report(&self) {
        let clients = self.figures.counts().clients;
        self.reports.tell(NAME, true, format!("{}, clients: {clients}", self.address));
    }

    fn client(&self) -> Present {
        self.figures.comes();
        self.report();
        Present(self.clone())
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.figures.goes();
        self.0.report();
    }
}

/// Keeps the newest state of the hall.
async fn keep(mut source: impl Source, shown: watch::Sender<Arc<Hall>>) {
    let mut hall = Hall::default();
    loop {
        for (topic, payload) in source.changes().await {
            hall.take(&topic, &payload);
        }
        hall.name_boards();
        shown.send_replace(Arc::new(hall.clone()));
        sleep(TOGETHER).await;
    }
}

/// The prefix of paths, as LiveChess and its clients write it.
const API: &str = "/api/v1.0";

fn routes(shown: Shown) -> Router {
    Router::new()
        .route(API, get(connect))
        .route(&format!("{API}/"), get(connect))
        .route(&format!("{API}/eboards"), get(rest::eboards))
        .route(&format!("{API}/tournaments"), get(rest::tournaments))
        .route(&format!("{API}/tournament/{{uuid}}"), get(rest::tournament))
        .route(&format!("{API}/round/{{uuid}}/{{number}}"), get(rest::round))
        .route(&format!("{API}/game/{{uuid}}"), get(rest::game))
        .route("/", get(about))
        .route("/doc/index.html", get(about))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page\n") })
        .with_state(shown)
}

async fn connect(
    State(shown): State<Shown>,
    Extension(seat): Extension<Seated>,
    Extension(visitor): Extension<Arc<Visitor>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    adoubed_broker::bounded(upgrade, session::MESSAGE_MAX).on_upgrade(move |socket| async move {
        visitor.serves(session::serve(socket, shown, seat)).await;
    })
}

/// A page to which lichess.org sends people, to see whether LiveChess is running.
async fn about() -> impl IntoResponse {
    let text = "adoubed serves clients of DGT LiveChess here:\n\n\
                WebSocket  /api/v1.0\n\
                REST       /api/v1.0/eboards\n\
                \x20          /api/v1.0/tournaments\n\
                \x20          /api/v1.0/tournament/{uuid}\n\
                \x20          /api/v1.0/round/{uuid}/{round, from 0}\n\
                \x20          /api/v1.0/game/{uuid}\n";
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text)
}

#[cfg(test)]
mod tests;
