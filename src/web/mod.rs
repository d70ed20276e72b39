//! The pages, and what else is served on their port: the feed over WebSocket, and the health of the
//! daemon. The pages get games over MQTT and not from here.

mod adjournment;
mod alerts;
mod archive;
mod assets;
mod decisions;
mod feed;
mod figures;
mod organizer;
mod outlets;
mod pairings;
mod pgn;
mod qr;
mod results;
mod session;
mod setup;
mod trust;
mod who;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use adoubed_broker::{Door, Refusals, Seats, Turns};
use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use eboard::Moment;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};

use crate::config::pages::{self, Screens, Section};
use crate::config::{Broker, Config, ShownHall, Web};
use crate::descriptors::Shares;
use crate::door::encrypted::Encrypted;
pub use crate::door::visitor::Usher;
use crate::door::{self, Peer};
use crate::exit::{self, Failure};
use crate::health::Health;
use crate::health::Recalled;
use crate::mqtt::access::HallAccess;
use crate::mqtt::guard::Guard;
use crate::mqtt::snapshot::Snapshot;
use crate::net::link::Link;
use crate::outlets::documents::Documents;
use crate::outlets::livechess;
use crate::outlets::{Games, Outlets, Reports};
use crate::requests;
use crate::setup::Wish;
use crate::tasks::Tasks;
use crate::time::Clock;
use crate::tls::{Certificates, Shown};
use trust::Doors;

/// The longest body of a request. Pages send a few lines.
const BODY_BYTES: usize = 16 * 1024;
/// How many passwords are checked at once.
const LOGINS: usize = 2;

/// What the pages are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Serves {
    /// The hall of this daemon, with its record.
    Hall,
    /// Halls of other daemons.
    Others,
}

/// What the handlers share.
#[derive(Clone)]
pub struct Pages {
    serves: Serves,
    door: Option<Door>,
    /// The link to the broker that `door` does not lead to.
    broker: Arc<Link>,
    /// The last attempt to reach it failed.
    broker_missed: Arc<AtomicBool>,
    access: Option<Arc<HallAccess>>,
    snapshot: Arc<Snapshot>,
    /// The base of all topics. It stays until the daemon ends.
    base: Arc<str>,
    config: Arc<RwLock<Arc<Config>>>,
    /// The doors and the certificate, if one of them is encrypted.
    certificates: Option<(Doors, Arc<Certificates>)>,
    /// The turns of password checks.
    logins: Arc<Turns>,
    /// The directory of the record, and the turns for reading it again.
    record: Arc<PathBuf>,
    readers: Arc<Semaphore>,
    /// The turns for large bodies.
    uploads: Arc<Semaphore>,
    /// Addresses from which wrong passwords came.
    guard: Arc<Mutex<Guard>>,
    refusals: Arc<Refusals>,
    /// The figures for strangers.
    figures: Arc<figures::Shared>,
    clock: Clock,
    recalled: Recalled,
    health: Arc<Health>,
    documents: Arc<Documents>,
    games: Arc<Games>,
    reports: Arc<Reports>,
    livechess: Arc<livechess::Figures>,
    /// Where changes of the configuration are asked for.
    wishes: Option<mpsc::Sender<Wish>>,
}

/// What a page must know before it connects to the feed.
#[derive(Debug, Serialize)]
struct About {
    base: String,
    language: String,
    /// The languages that the reader can choose.
    languages: Vec<String>,
    event: String,
    version: &'static str,
    /// The requests that this daemon answers.
    requests: &'static [&'static str],
    sections: Vec<Section>,
    screens: Screens,
    set_up: SetUp,
    /// The halls of other daemons that are shown; none: the hall of this one.
    halls: Vec<ShownHall>,
}

/// Who can set this hall up from its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum SetUp {
    /// Organizers.
    Organizers,
    /// Nobody is named yet: the first organizer makes an account with the code.
    FirstOrganizer,
    /// Nobody: another broker does not say who is an organizer.
    OtherBroker,
    /// Nobody: this daemon has no file that it could change.
    NoFile,
}

impl SetUp {
    fn of(config: &Config, has_file: bool) -> Self {
        match config.mqtt.broker {
            Broker::External => Self::OtherBroker,
            Broker::Embedded if !has_file => Self::NoFile,
            Broker::Embedded if config.web.organizers.is_empty() => Self::FirstOrganizer,
            Broker::Embedded => Self::Organizers,
        }
    }
}

impl About {
    fn of(config: &Config, base: &str, set_up: SetUp) -> Self {
        Self {
            base: base.to_owned(),
            language: config.event.language.clone(),
            languages: config.event.languages(),
            event: config.event.name.clone(),
            version: env!("CARGO_PKG_VERSION"),
            requests: &requests::VERBS,
            sections: pages::sections(&config.web.sections),
            screens: config.web.screens.clone(),
            set_up,
            halls: config.web.halls.0.clone(),
        }
    }
}

impl Pages {
    /// The pages of a daemon. `door` leads to the embedded broker, if there is one, and `broker` to
    /// whichever broker carries the feed.
    #[must_use]
    pub fn new(
        config: &Config,
        door: Option<Door>,
        broker: Arc<Link>,
        access: Option<Arc<HallAccess>>,
        (snapshot, outlets): (&Arc<Snapshot>, &Outlets),
        (recalled, health): (Recalled, Arc<Health>),
    ) -> Self {
        Self {
            serves: Serves::Hall,
            door,
            recalled,
            health,
            games: Arc::clone(&outlets.games),
            documents: Arc::new(Documents::new(Arc::clone(
                outlets.games(config.feed(config.pgn.feed)),
            ))),
            reports: Arc::clone(&outlets.reports),
            livechess: Arc::clone(&outlets.livechess),
            broker,
            broker_missed: Arc::default(),
            access,
            snapshot: Arc::clone(snapshot),
            base: Arc::from(config.mqtt.base.as_str()),
            config: Arc::new(RwLock::new(Arc::new(config.clone()))),
            certificates: None,
            logins: Arc::new(Turns::new(LOGINS)),
            record: Arc::new(config.journal_directory()),
            readers: Arc::new(Semaphore::new(1)),
            uploads: Arc::new(Semaphore::new(1)),
            guard: Arc::new(Mutex::new(Guard::default())),
            refusals: Arc::new(Refusals::of("a login", "logins")),
            figures: Arc::default(),
            wishes: None,
            clock: Clock::starting_at(Moment::ZERO),
        }
    }

    /// Pages of other daemons' halls, which are read at this broker.
    #[must_use]
    pub fn of_others(config: &Config, broker: Arc<Link>) -> Self {
        let nothing = (&Arc::default(), &Outlets::default());
        let was = (Recalled::default(), Arc::default());
        Self { serves: Serves::Others, ..Self::new(config, None, broker, None, nothing, was) }
    }

    /// The same pages, which ask there for changes of the configuration.
    #[must_use]
    pub fn set_up(self, wishes: Option<mpsc::Sender<Wish>>) -> Self {
        Self { wishes, ..self }
    }

    /// Takes up another configuration, as far as that needs no restart. Arbiters who were removed
    /// or have another password are disconnected at once.
    pub fn configure(&self, config: &Config) {
        *self.config.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config.clone());
        if let Some((_, certificates)) = &self.certificates {
            certificates.configure(config.certificate());
        }
        if let Some(access) = &self.access {
            let gone = access.appoint(config.web.accounts());
            if let Some(door) = self.door.as_ref().filter(|_| !gone.is_empty()) {
                door.dismiss(gone);
            }
        }
    }

    /// The current configuration.
    fn config(&self) -> Arc<Config> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn language(&self) -> String {
        self.config().event.language.clone()
    }

    /// The doors and the certificate of the encrypted one, if there is one.
    fn encrypted(&self) -> Option<(Doors, Shown)> {
        let (doors, certificates) = self.certificates.as_ref()?;
        Some((*doors, certificates.shown()))
    }

    /// Whether this client must use the encrypted door for an arbiter's work.
    fn must_encrypt(&self, peer: &Peer) -> bool {
        self.certificates.is_some() && !peer.encrypted && !peer.address.ip().is_loopback()
    }

    fn guard(&self) -> MutexGuard<'_, Guard> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The open listeners of the pages.
pub struct Listeners {
    plain: TcpListener,
    encrypted: Option<TcpListener>,
}

/// Opens the listeners.
///
/// # Errors
/// If an address is in use, or not one of this machine.
pub fn bind(web: &Web) -> Result<Listeners, Failure> {
    let plain = bind_one("listen", web.listen)?;
    let encrypted = match web.listen_tls {
        Some(address) => Some(bind_one("listen_tls", address)?),
        None => None,
    };
    Ok(Listeners { plain, encrypted })
}

fn bind_one(key: &str, address: SocketAddr) -> Result<TcpListener, Failure> {
    adoubed_broker::listen(address).map_err(|error| {
        let text = format!(
            "failed to serve the pages on {address}: {error}; set [web] {key} to another address"
        );
        Failure::new(exit::UNAVAILABLE, text)
    })
}

impl Listeners {
    /// The address of the pages.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn plain(&self) -> Result<SocketAddr, Failure> {
        self.plain.local_addr().map_err(|error| Failure::new(exit::IO, error))
    }

    /// The address of the encrypted pages, if there are any.
    #[must_use]
    pub fn encrypted(&self) -> Option<SocketAddr> {
        self.encrypted.as_ref().and_then(|listener| listener.local_addr().ok())
    }
}

/// Serves until the tasks end. Returns the pages, which take later configurations.
///
/// # Errors
/// If the system does not report the addresses.
pub fn serve(
    listeners: Listeners,
    certificates: Option<Arc<Certificates>>,
    mut pages: Pages,
    usher: &Arc<Usher>,
    tasks: &mut Tasks,
) -> Result<Pages, Failure> {
    let plain = listeners.plain()?;
    let doors = listeners.encrypted().map(|encrypted| Doors { plain, encrypted });
    pages.certificates = doors.zip(certificates);
    let per_address = pages.config().mqtt.guests_per_address;
    let livechess = pages.config().livechess.address().is_some();
    let shares = Shares::of_this_process().with_livechess(livechess);
    let seats = Seats::new(shares.pages, per_address);
    if let (Some(listener), Some((_, certificates))) = (listeners.encrypted, &pages.certificates) {
        let usher = Arc::clone(usher);
        let door = Encrypted::new(listener, seats.clone(), usher, certificates.watch());
        tasks.spawn("the keeper of certificates", Arc::clone(certificates).keep());
        tasks.spawn("the encrypted pages", door::serve(door, routes(pages.clone())));
    }
    let open = door::Open::new(listeners.plain, seats, Arc::clone(usher));
    tasks.spawn("the pages", door::serve(open, routes(pages.clone())));
    Ok(pages)
}

fn routes(pages: Pages) -> Router {
    let of_the_hall = match pages.serves {
        Serves::Hall => of_the_hall(),
        Serves::Others => Router::new().route("/healthz", get(feed::health)),
    };
    of_the_hall
        .route("/", get(hall))
        .route("/kiosk", get(hall))
        .route("/kiosk/time", get(arbiter))
        .route("/table/{number}", get(hall))
        .route("/embed/{number}", get(hall))
        .route("/public", get(public))
        .route("/public/table/{number}", get(public))
        .route("/public/embed/{number}", get(public))
        .route("/arbiter", get(arbiter))
        .route("/arbiter/session", post(session::open).delete(session::close))
        .route("/setup", get(setup_page))
        .route("/assets/{*path}", get(assets::file))
        .route("/service-worker.js", get(assets::service_worker))
        .route("/config.json", get(about))
        .route("/mqtt", get(feed::connect))
        .route("/trust", get(trust::page))
        .route("/trust/{what}", get(trust::page_in))
        .fallback(|| async { (StatusCode::NOT_FOUND, "no such page\n") })
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(pages)
}

/// What is made of this daemon's record, its state and its configuration.
fn of_the_hall() -> Router<Pages> {
    Router::new()
        .route("/arbiter/decisions", post(decisions::list))
        .route("/arbiter/alerts", post(alerts::list))
        .route("/arbiter/adjournment", post(adjournment::sheet))
        .route("/arbiter/outlets", post(outlets::list))
        .route("/arbiter/results", post(results::serve))
        .route("/setup/account", post(setup::first_organizer))
        .route("/setup/person", post(setup::person))
        .route("/setup/token", post(setup::token))
        .route("/setup/time_control", post(organizer::time_control))
        .route("/setup/keys", post(organizer::keys))
        .route("/setup/qr", post(organizer::code))
        .route("/setup/try", post(outlets::attempt))
        .route("/setup/archive", post(archive::serve))
        .route("/setup/pairings", post(pairings::keep))
        .route("/setup/pairings/now", post(pairings::now))
        .route("/setup/pairings/read", post(pairings::read))
        .route("/setup/pairings/report", post(pairings::report))
        .route("/pgn/games.pgn", get(pgn::games).options(pgn::games))
        .route("/pgn/round.pgn", get(pgn::round).options(pgn::round))
        .route("/pgn/table/{file}", get(pgn::table).options(pgn::table))
        .route("/healthz", get(figures::health))
        .route("/metrics", get(figures::metrics))
        .route("/plugged.json", get(figures::plugged))
}

/// Serves the pages of the hall. They log in as guests. If guests may read only the delayed copy,
/// they are redirected to it.
async fn hall(State(pages): State<Pages>, headers: HeaderMap, uri: Uri) -> Response {
    let config = pages.config();
    if config.public.is_none() || config.guests_may_read_the_hall() {
        return shown(uri.path().split('/').nth(1), headers).await;
    }
    let path = if uri.path() == "/" || uri.path() == "/kiosk" { "" } else { uri.path() };
    let query = uri.query().map(|it| format!("?{it}")).unwrap_or_default();
    let there = [(header::LOCATION, format!("/public{path}{query}"))];
    // Another configuration may change this later.
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::TEMPORARY_REDIRECT, there, unkept).into_response()
}

/// Serves the same pages for the delayed copy. Their address tells them which feed to read.
async fn public(State(pages): State<Pages>, headers: HeaderMap, uri: Uri) -> Response {
    if pages.config().public.is_none() {
        let text = "there is no delayed copy: write [public] into the configuration\n";
        return (StatusCode::NOT_FOUND, text).into_response();
    }
    shown(uri.path().split('/').nth(2), headers).await
}

/// Serves the page of this name to guests.
async fn shown(name: Option<&str>, headers: HeaderMap) -> Response {
    match name {
        Some("embed") => assets::embedded_elsewhere(headers).await,
        Some("table") => assets::page("table.html", headers).await,
        _ => assets::page("index.html", headers).await,
    }
}

/// Serves the arbiter's page.
async fn arbiter(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Response {
    with_a_password("arbiter.html", &pages, &peer, headers).await
}

/// Serves the organizer's page.
async fn setup_page(
    State(pages): State<Pages>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Response {
    with_a_password("setup.html", &pages, &peer, headers).await
}

/// Serves a page that asks for a password. If there is an encrypted door, the open one does not.
async fn with_a_password(
    page: &'static str,
    pages: &Pages,
    peer: &Peer,
    headers: HeaderMap,
) -> Response {
    match pages.encrypted().filter(|_| pages.must_encrypt(peer)) {
        Some((doors, shown)) => trust::instead(&headers, doors, &shown).into_response(),
        None => assets::page(page, headers).await,
    }
}

async fn about(State(pages): State<Pages>) -> impl IntoResponse {
    let config = pages.config();
    let set_up = SetUp::of(&config, pages.wishes.is_some());
    let about = About::of(&config, &pages.base, set_up);
    let json = serde_json::to_string(&about).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], json)
}
