//! `[lichess]`: pushes the games of a round to a broadcast on lichess.org.
//!
//! A push is due when a game has changed, and a few seconds after the one before. It is made from
//! the games as they are at that moment, so nothing piles up and nothing waits for a slow server.

mod answer;
mod fault;
mod plan;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use eboard::Moment;
use tokio::time::sleep;

use super::documents::joined;
use super::patience::{Backoff, Complaints, about};
use super::{Games, Played, Reports, Settings};
use crate::config::Lichess;
use crate::net::post::{Client, Target, Token};
use crate::tasks::Tasks;
use crate::time::Clock;
use fault::Fault;
use plan::{Call, Plan};

/// The name of the outlet in `/healthz` and `/metrics`.
pub const NAME: &str = "lichess";

/// The time between two pushes, give or take a fifth.
const REST: Duration = Duration::from_secs(3);
/// The time a push may take. Lichess writes its hundred games into a study one after the other.
const WITHIN: Duration = Duration::from_secs(30);
/// The longest wait before a failed push is tried again, whatever the fault.
const LONGEST: Duration = Duration::from_secs(60);

/// Starts the outlet. It pushes these games while `[lichess]` is configured.
pub fn start(settings: Settings, games: Arc<Games>, reports: &Arc<Reports>, tasks: &mut Tasks) {
    let reports = Arc::clone(reports);
    tasks.spawn("the broadcast on Lichess", async move {
        let mut settings = settings;
        loop {
            let lichess = settings.borrow_and_update().lichess.clone();
            let gone = if lichess.is_on() {
                Pusher::new(lichess, &games, &reports).go(&mut settings).await
            } else {
                reports.forget(NAME);
                settings.changed().await.is_err()
            };
            if gone {
                return std::future::pending().await;
            }
        }
    });
}

/// Content Too Large. Lichess documents how many games a push may have, and not how many bytes.
const TOO_LONG: u16 = 413;

/// Pushes under one configuration.
struct Pusher {
    lichess: Lichess,
    /// The address and the client; or why there can be none.
    way: Result<(Target, Client), String>,
    games: Arc<Games>,
    reports: Arc<Reports>,
    plan: Plan,
    backoff: Backoff,
    complaints: Complaints,
    clock: Clock,
}

impl Pusher {
    fn new(lichess: Lichess, games: &Arc<Games>, reports: &Arc<Reports>) -> Self {
        let way = Target::read(&lichess.url).and_then(|target| {
            let client = Client::new(&target, &lichess.ca_file, WITHIN)?.keeping();
            Ok((target, client))
        });
        Self {
            lichess,
            way,
            games: Arc::clone(games),
            reports: Arc::clone(reports),
            plan: Plan::default(),
            backoff: Backoff::default(),
            complaints: Complaints::default(),
            clock: Clock::starting_at(Moment::ZERO),
        }
    }

    /// Pushes until the configuration is read again. Returns whether its sender is gone.
    async fn go(mut self, settings: &mut Settings) -> bool {
        let mut changes = self.games.changes();
        loop {
            changes.mark_unchanged();
            let wait = self.pass().await;
            // The pause also precedes another configuration, so that reloading does not make pushes
            // more frequent.
            let rest = about(REST);
            sleep(rest).await;
            let due = async {
                match wait {
                    Wait::For(wait) => sleep(wait.saturating_sub(rest)).await,
                    Wait::Change(Some(most)) => {
                        let _ = tokio::time::timeout(most, changes.changed()).await;
                    }
                    Wait::Change(None) => {
                        let _ = changes.changed().await;
                    }
                }
            };
            tokio::select! {
                changed = settings.changed() => return changed.is_err(),
                () = due => {}
            }
        }
    }

    /// Pushes everything that Lichess does not know yet.
    async fn pass(&mut self) -> Wait {
        let began = self.clock.now();
        self.note_a_round_without_a_place();
        while let Some(call) = self.plan.next(&self.lichess, &self.games, (began, self.clock.now()))
        {
            match self.push(&call).await {
                Ok((status, refusals)) => {
                    self.backoff.succeeds();
                    let now = self.clock.now();
                    for refusal in &refusals {
                        self.complain(&Fault::of_game(refusal));
                    }
                    self.plan.answered(call, refusals, now);
                    self.report(Some(status));
                }
                Err(fault) => {
                    if fault.status == Some(TOO_LONG) {
                        self.plan.halve(&call);
                    }
                    self.complain(&fault);
                    let last = fault.words.clone();
                    self.reports.answered(NAME, false, fault.status, last);
                    let grown = self.backoff.fails(fault.first_wait, LONGEST.max(fault.first_wait));
                    return Wait::For(fault.said_wait.unwrap_or(grown));
                }
            }
        }
        self.report(None);
        Wait::Change(self.plan.due_again(self.clock.now()))
    }

    async fn push(&mut self, call: &Call) -> Result<(u16, Vec<answer::Refusal>), Fault> {
        let (target, client) = self.way.as_mut().map_err(|problem| Fault::here(problem))?;
        let token = Token::read_aside(&self.lichess.token_file).await;
        let token = token.map_err(|problem| Fault::here(&problem))?;
        let mut headers = HeaderMap::new();
        let kind = HeaderValue::from_static("text/plain; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        headers.extend(token.header().map(|it| (header::AUTHORIZATION, it)));
        let target = target.below(&format!("/api/broadcast/round/{}/push", call.key.0));
        let text = Bytes::from(joined(&call.games));
        match client.post(&target, headers, text).await {
            Ok(answer) => fault::judge(call, &answer, &token),
            Err(trouble) => Err(Fault::of_trouble(&target.server(), &trouble)),
        }
    }

    fn complain(&mut self, fault: &Fault) {
        if self.complaints.is_news(self.clock.now(), &fault.kind) {
            tracing::warn!("Lichess: {}; {}", fault.words, fault.remedy);
        }
    }

    /// Complains if the current round has no round on Lichess.
    fn note_a_round_without_a_place(&mut self) {
        if let Some(fault) = self.without_a_place() {
            self.complain(&fault);
        }
    }

    fn without_a_place(&self) -> Option<Fault> {
        let round = self.games.event().round.clone();
        let known = !self.lichess.round.is_empty() || self.lichess.rounds.contains_key(&round);
        (!known).then(|| Fault::without_a_place(&round))
    }

    /// Reports the state of the broadcast. `status`: the HTTP status of the last answer.
    fn report(&mut self, status: Option<u16>) {
        let (taken, refusals) = self.plan.stand();
        let refused: Vec<_> = refusals.iter().map(|it| Fault::of_game(it).words).collect();
        let mut words = match (taken, refused.is_empty()) {
            (0, true) => "nothing to push yet".to_owned(),
            _ => format!("games taken: {taken}"),
        };
        let without = self.without_a_place().map(|it| it.words);
        let works = refused.is_empty() && without.is_none();
        for more in refused.into_iter().take(NAMED_MAX).chain(without) {
            words.push_str("; ");
            words.push_str(&more);
        }
        let before = self.reports.status(NAME);
        let news = self.reports.answered(NAME, works, status.or(before), words.clone());
        if news && works && taken > 0 && self.complaints.is_news(self.clock.now(), "works") {
            tracing::info!("Lichess: {words}");
        }
    }
}

/// The most refused games that one report names. The log names more.
const NAMED_MAX: usize = 5;

/// How long to wait before the next pass.
enum Wait {
    /// This long, whatever changes.
    For(Duration),
    /// Until something changes, and no longer than this.
    Change(Option<Duration>),
}

#[cfg(test)]
mod tests;
