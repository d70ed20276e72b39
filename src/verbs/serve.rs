//! `adoubed serve`: the pages of halls whose daemons are on other machines. It has no boards, keeps
//! no record, and speaks no MQTT itself: its pages read the broker of these halls through it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tokio::signal::unix::{SignalKind, signal};

use super::runtime;
use crate::config::{self, Config};
use crate::exit::{self, Failure};
use crate::notify;
use crate::tasks::Tasks;
use crate::tls::Certificates;
use crate::web::{self, Usher};
use words::InWords as _;

/// How often systemd is told, where it does not watch.
const UNWATCHED: Duration = Duration::from_secs(3600);

#[derive(Args)]
pub struct Arguments {
    /// The configuration: [web] halls, the broker in [mqtt], the name in [event]
    #[arg(long, value_name = "FILE", default_value = "adoubed.toml")]
    config: PathBuf,
}

pub fn serve(arguments: &Arguments) -> Result<(), Failure> {
    let path = &arguments.config;
    let config = load(path)?;
    runtime()?.block_on(until_told(config, path))
}

fn load(path: &Path) -> Result<Config, Failure> {
    config::load_for_pages(path).map_err(|error| Failure::new(exit::CONFIG, error))
}

async fn until_told(config: Config, path: &Path) -> Result<(), Failure> {
    let fail = |error| Failure::new(exit::SOFTWARE, error);
    let mut hang_up = signal(SignalKind::hangup()).map_err(fail)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(fail)?;
    let link = config.mqtt.link().map_err(|it| Failure::new(exit::CONFIG, it.1.en()))?;
    let certificates =
        config.web.listen_tls.map(|_| Certificates::open(config.certificate())).transpose()?;
    let listeners = web::bind(&config.web)?;
    let (plain, encrypted) = (listeners.plain()?, listeners.encrypted());
    let mut tasks = Tasks::default();
    let pages = web::Pages::of_others(&config, Arc::new(link));
    let pages = web::serve(listeners, certificates, pages, &Arc::<Usher>::default(), &mut tasks)?;
    tracing::info!("pages http://{plain} feed {}", config.mqtt.url);
    if let Some(encrypted) = encrypted {
        tracing::info!("pages encrypted at https://{encrypted}");
    }
    notify::ready(&format!("pages http://{plain}"));
    let mut alive = tokio::time::interval(notify::period().unwrap_or(UNWATCHED));
    let outcome = loop {
        tokio::select! {
            _ = alive.tick() => notify::alive(),
            _ = hang_up.recv() => match load(path) {
                Ok(other) => {
                    for key in config.fixed_that_differ(&other) {
                        tracing::warn!("{key} has changed: that takes effect at the next start");
                    }
                    pages.configure(&other);
                    tracing::info!("the configuration was read again");
                }
                Err(failure) => {
                    tracing::warn!("the old configuration stays: {}", failure.message);
                }
            },
            _ = terminate.recv() => break Ok(()),
            _ = tokio::signal::ctrl_c() => break Ok(()),
            part = tasks.ended() => break Err(super::ended(part)),
        }
    };
    notify::stopping();
    tasks.shutdown().await;
    outcome
}
