//! What the broker's tests share: a house with its rules, a way in by each door, and the rule
//! that no test may log an error. It tests nothing itself.

#![allow(dead_code, reason = "each test uses its own part")]
#![allow(clippy::print_stderr, reason = "a failed test should say why")]

pub mod client;
pub mod hall;
pub mod hostile;

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;

use adoubed_broker::{Access, Broker, Principal, Settings, filter};
use axum::Router;
use axum::extract::{ConnectInfo, WebSocketUpgrade};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// The longest any single answer may take before a test gives up.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub const DAEMON: (&str, &str) = ("daemon", "drawn at boot");
pub const ARBITER: (&str, &str) = ("arbiter", "whistle");

/// The rules of a hall, as the daemon's are.
pub struct Hall {
    pub open: AtomicBool,
}

impl Hall {
    fn guests_read(&self) -> impl Iterator<Item = &'static str> {
        let tables = self.open.load(Ordering::Relaxed).then_some("adoubed/v1/table/#");
        ["adoubed/v1/bridge/#", "adoubed/v1/public/#"].into_iter().chain(tables)
    }
}

impl Access for Hall {
    fn authenticate(
        &self,
        _: IpAddr,
        user: Option<&str>,
        password: Option<&[u8]>,
    ) -> Option<Principal> {
        let Some(user) = user else { return Some(Principal::Guest) };
        [DAEMON, ARBITER]
            .into_iter()
            .find(|known| known.0 == user && Some(known.1.as_bytes()) == password)
            .map(|known| Principal::User(known.0.into()))
    }

    fn may_publish(&self, who: &Principal, topic: &str) -> bool {
        match who {
            Principal::Guest => false,
            Principal::User(name) if name == DAEMON.0 => true,
            Principal::User(_) => filter::matches("adoubed/v1/request/#", topic),
        }
    }

    fn may_subscribe(&self, who: &Principal, wanted: &str) -> bool {
        *who != Principal::Guest || self.guests_read().any(|mine| filter::overlaps(mine, wanted))
    }

    fn may_read(&self, who: &Principal, topic: &str) -> bool {
        *who != Principal::Guest || self.guests_read().any(|mine| filter::matches(mine, topic))
    }

    fn is_host(&self, who: &Principal) -> bool {
        *who == Principal::User(DAEMON.0.into())
    }
}

/// Where a broker is.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    pub tcp: SocketAddr,
    pub web: SocketAddr,
}

/// A broker with both doors open.
pub struct House {
    pub hall: Arc<Hall>,
    pub broker: Broker,
    pub tcp: SocketAddr,
    pub web: SocketAddr,
    pages: JoinHandle<()>,
}

impl House {
    pub async fn open() -> Self {
        watch_for_errors();
        let hall = Arc::new(Hall { open: AtomicBool::new(true) });
        let access: Arc<dyn Access> = hall.clone();
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let broker =
            Broker::start(Settings { listen, access, guests: 2500, guests_per_address: 128 })
                .await
                .expect("port 0 is free");
        let door = broker.door();
        let answer = move |upgrade: WebSocketUpgrade,
                           ConnectInfo(peer): ConnectInfo<SocketAddr>| {
            let door = door.clone();
            async move { door.upgrade(upgrade, peer) }
        };
        let router = Router::new().route("/mqtt", get(answer));
        let listener = TcpListener::bind(listen).await.unwrap();
        let web = listener.local_addr().unwrap();
        let pages = tokio::spawn(serve(listener, router));
        Self { hall, tcp: broker.local_addr(), web, broker, pages }
    }

    /// Shuts down and looks at the log.
    pub async fn close(self) {
        let closed = tokio::time::timeout(PATIENCE, self.broker.shutdown()).await;
        assert!(closed.is_ok(), "shutdown hangs");
        self.pages.abort();
        assert_eq!(ERRORS.load(Ordering::Relaxed), 0, "an ERROR was logged");
        assert_eq!(PANICS.load(Ordering::Relaxed), 0, "something panicked");
    }
}

async fn serve(listener: TcpListener, router: Router) {
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    // As the daemon's own doors do.
    let listener = listener.tap_io(|socket| drop(socket.set_nodelay(true)));
    axum::serve(listener, service).await.unwrap();
}

static ERRORS: AtomicUsize = AtomicUsize::new(0);
static PANICS: AtomicUsize = AtomicUsize::new(0);

struct CountErrors;

impl<S: tracing::Subscriber> Layer<S> for CountErrors {
    fn enabled(&self, metadata: &tracing::Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() == tracing::Level::ERROR
    }

    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        eprintln!("ERROR logged: {event:?}");
        ERRORS.fetch_add(1, Ordering::Relaxed);
    }
}

fn watch_for_errors() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::registry().with(CountErrors);
        tracing::subscriber::set_global_default(subscriber).expect("nobody else sets one");
        let report = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let failed_test = panic.location().is_some_and(|place| place.file().contains("tests/"));
            PANICS.fetch_add(usize::from(!failed_test), Ordering::Relaxed);
            report(panic);
        }));
    });
}

/// Waits until `condition` holds; panics with `what` if it never does.
pub async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while !condition().await {
        assert!(tokio::time::Instant::now() < deadline, "never happened: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Memory of this process in bytes.
pub fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
}
