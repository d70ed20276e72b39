//! `[notify]`: posts summons, and no other alerts, to a service that wakes tablets (ntfy).
//!
//! Each summons is one post. One that cannot be sent soon is dropped: by then an arbiter has seen
//! it on his page.

mod summons;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use eboard::Moment;
use tokio::sync::Notify;
use tokio::time::sleep;

use super::patience::{Backoff, Complaints};
use super::{Reports, Settings};
use crate::config::Config;
use crate::mqtt::snapshot::Source;
use crate::mqtt::topic::Topic;
use crate::net::post::{Answer, Client, Target, Token, shown};
use crate::say;
use crate::tasks::Tasks;
use crate::time::{Clock, wall_now};
use summons::{Summons, Waiting};
use words::Language;

/// The name of the outlet in `/healthz` and `/metrics`, which show it to this machine only.
pub const NAME: &str = "notify";

/// The time a post may take. It is one line, which a service takes at once or not at all.
const WITHIN: Duration = Duration::from_secs(10);
/// How often a summons is tried.
const ATTEMPTS: u32 = 5;
/// The first and the longest wait before it is tried again.
const WAITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Starts the outlet. It sends the summons among these alerts while `[notify]` is configured. One
/// task hears alerts and another one sends, so that a slow service never delays the feed.
pub fn start(
    settings: Settings,
    mut alerts: impl Source,
    reports: &Arc<Reports>,
    tasks: &mut Tasks,
) {
    let heard = Arc::<Heard>::default();
    let mut herald = Herald::new(settings, Arc::clone(&heard), Arc::clone(reports));
    tasks.spawn("the reader of summons", async move {
        loop {
            heard.take(alerts.changes().await);
        }
    });
    tasks.spawn("the herald of summons", async move {
        loop {
            herald.work().await;
        }
    });
}

/// The summons that were heard and not sent yet.
#[derive(Default)]
struct Heard {
    waiting: Mutex<Waiting>,
    more: Notify,
}

impl Heard {
    fn take(&self, changes: Vec<(Topic, Vec<u8>)>) {
        let now = wall_now();
        for (topic, payload) in changes {
            if let Topic::Alert(id) = topic {
                self.waiting().take(&id, &payload, now);
            }
        }
        self.more.notify_one();
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sends the summons one after the other.
struct Herald {
    settings: Settings,
    heard: Arc<Heard>,
    reports: Arc<Reports>,
    complaints: Complaints,
    clock: Clock,
    /// The id of the summons that was tried last, and the number of attempts.
    trying: (String, u32),
    backoff: Backoff,
}

impl Herald {
    fn new(settings: Settings, heard: Arc<Heard>, reports: Arc<Reports>) -> Self {
        Self {
            settings,
            heard,
            reports,
            complaints: Complaints::default(),
            clock: Clock::starting_at(Moment::ZERO),
            trying: (String::new(), 0),
            backoff: Backoff::default(),
        }
    }

    /// Sends the next summons, or waits for one.
    async fn work(&mut self) {
        let config = Arc::clone(&self.settings.borrow_and_update());
        self.introduce(&config);
        let next = self.heard.waiting().next(wall_now());
        let wait = match next.filter(|_| config.notify.is_on()) {
            Some(summons) => self.send(&config, &summons).await,
            None => None,
        };
        let done = async {
            match wait {
                Some(wait) => sleep(wait).await,
                None => self.heard.more.notified().await,
            }
        };
        tokio::select! {
            changed = self.settings.changed() => if changed.is_err() {
                std::future::pending::<()>().await;
            },
            () = done => {}
        }
    }

    fn introduce(&self, config: &Config) {
        if !config.notify.is_on() {
            self.reports.forget(NAME);
        } else if !self.reports.all(true).contains_key(NAME) {
            self.reports.tell(NAME, true, "nothing to send yet".to_owned());
        }
    }

    /// Tries once. Returns the wait before the next attempt.
    async fn send(&mut self, config: &Config, summons: &Summons) -> Option<Duration> {
        if self.trying.0 != summons.id {
            self.trying = (summons.id.clone(), 0);
        }
        self.trying.1 += 1;
        match post(config, summons).await {
            Ok(status) => {
                self.backoff.succeeds();
                self.heard.waiting().done(&summons.id, true);
                let words = format!("{status}: the summons to table {} was taken", summons.table);
                self.reports.answered(NAME, true, Some(status), words);
                Some(Duration::ZERO)
            }
            Err(fault) => {
                let Fault { kind, words, remedy, .. } = &fault;
                self.reports.answered(NAME, false, fault.status, words.clone());
                if self.complaints.is_news(self.clock.now(), kind) {
                    tracing::warn!("a summons cannot be sent: {words}; {remedy}");
                }
                if fault.is_final || self.trying.1 >= ATTEMPTS {
                    self.heard.waiting().done(&summons.id, false);
                }
                let (first, longest) = WAITS;
                Some(fault.said_wait.unwrap_or_else(|| self.backoff.fails(first, longest)))
            }
        }
    }
}

/// Why a summons was not taken.
#[derive(Debug)]
struct Fault {
    kind: String,
    words: String,
    remedy: &'static str,
    status: Option<u16>,
    said_wait: Option<Duration>,
    /// The service would answer the same again, so no further attempt is made.
    is_final: bool,
}

impl Fault {
    fn here(problem: String) -> Self {
        let (kind, remedy) = ("here".to_owned(), "mend [notify] or the file it names");
        Self { kind, words: problem, remedy, status: None, said_wait: None, is_final: false }
    }
}

async fn post(config: &Config, summons: &Summons) -> Result<u16, Fault> {
    let words = summons.words(&config.event.language, config.notify.names);
    post_words(config, headers(config, summons), words).await
}

/// Posts a few words that are no summons, so that an organizer sees whether they arrive.
///
/// # Errors
/// With what was answered, and what to do.
pub async fn hello(config: &Config) -> Result<u16, String> {
    let language = Language::of(&config.event.language).unwrap_or(Language::ENGLISH);
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    let headers = [(header::CONTENT_TYPE, kind)].into_iter().collect();
    let sent = post_words(config, headers, language.say(&say::notify_hello())).await;
    sent.map_err(|Fault { words, remedy, .. }| format!("{words}; {remedy}"))
}

async fn post_words(config: &Config, headers: HeaderMap, words: String) -> Result<u16, Fault> {
    let notify = &config.notify;
    let target = Target::read(&notify.url).map_err(Fault::here)?;
    let token = match notify.token_file.as_os_str().is_empty() {
        true => None,
        false => Some(Token::read_aside(&notify.token_file).await.map_err(Fault::here)?),
    };
    // Each summons has a connection of its own: there are few, and none is to be sent twice
    // because an old connection broke.
    let mut client = Client::new(&target, &notify.ca_file, WITHIN).map_err(Fault::here)?;
    let mut headers = headers;
    headers.extend(token.as_ref().and_then(Token::header).map(|it| (header::AUTHORIZATION, it)));
    match client.post(&target, headers, Bytes::from(words)).await {
        Ok(answer) => judge(&answer, token.as_ref()),
        Err(trouble) => Err(Fault {
            kind: trouble.kind().to_owned(),
            words: format!("{} {trouble}", target.server()),
            remedy: "it is tried again a few times; the alert is on the arbiters' page",
            ..Fault::here(String::new())
        }),
    }
}

/// The title, if it is ASCII, because headers allow nothing else. The text says the same.
fn title(summons: &Summons, language: &str) -> String {
    let language = Language::of(language).unwrap_or(Language::ENGLISH);
    language.say(&say::summons_title(summons.table, &summons.article))
}

/// The headers of ntfy, in ASCII.
fn headers(config: &Config, summons: &Summons) -> HeaderMap {
    let page = config.pages_elsewhere();
    let fields = [
        ("content-type", Some("text/plain; charset=utf-8".to_owned())),
        ("title", Some(title(summons, &config.event.language))),
        ("priority", Some("high".to_owned())),
        ("tags", Some(format!("rotating_light,{}", summons.kind))),
        ("click", page.map(|it| format!("{it}/arbiter#/alert/{}", summons.id))),
        // By this id a service knows a message that it was sent before.
        ("x-sequence-id", Some(format!("adoubed-{}", summons.id))),
    ];
    let fields = fields.into_iter().filter_map(|(name, value)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value?).ok()?))
    });
    fields.collect()
}

fn judge(answer: &Answer, token: Option<&Token>) -> Result<u16, Fault> {
    let status = answer.status.as_u16();
    let (remedy, is_final) = match status {
        200..=299 => return Ok(status),
        300..=399 => ("write in [notify] url where the service is", true),
        401 | 403 => ("look whether the token in token_file may write to this topic", true),
        429 => ("the service is left alone for as long as it wants", false),
        400..=499 => ("look whether [notify] url names a topic of the service", true),
        _ => ("it is tried again a few times; the alert is on the arbiters' page", false),
    };
    let said = shown(&String::from_utf8_lossy(&answer.body), token);
    Err(Fault {
        kind: status.to_string(),
        words: format!("{status}: {said}"),
        remedy,
        status: Some(status),
        said_wait: answer.retry_after.filter(|_| !is_final),
        is_final,
    })
}

#[cfg(test)]
mod tests;
