//! `[lichess]`: the games of a round, pushed to a broadcast on lichess.org. Only when something has
//! changed, a few seconds apart, and always as they are then: however slow the other side is,
//! nobody waits for it and nothing piles up.

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
use super::post::{Client, Target, Token};
use super::{Games, Played, Reports, Settings};
use crate::config::Lichess;
use crate::tasks::Tasks;
use crate::time::Clock;
use fault::Fault;
use plan::{Call, Plan};

/// The outlet among the others.
pub const NAME: &str = "lichess";

/// Between two pushes, about.
const REST: Duration = Duration::from_secs(3);
/// A hundred games are written into a study one after the other: that may take a while.
const WITHIN: Duration = Duration::from_secs(30);
/// Until a push is tried again: while nobody is there, and where a person has to do something.
const LONGEST: Duration = Duration::from_secs(60);

/// Pushes these games for as long as `[lichess]` says so.
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

/// Content Too Large: how long a push may be is documented in games only.
const TOO_LONG: u16 = 413;

/// One broadcast.
struct Pusher {
    lichess: Lichess,
    /// Where to, and by whom; or why that cannot be.
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

    /// Goes on until the configuration is read again. Gives whether nobody is left to read it.
    async fn go(mut self, settings: &mut Settings) -> bool {
        let mut changes = self.games.changes();
        loop {
            changes.mark_unchanged();
            let wait = self.pass().await;
            // Also before another configuration is used: a server is not asked more often for it.
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

    /// Says everything that Lichess does not know yet.
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

    /// A round that is played here and has no place there is not broadcast.
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

    /// Where the broadcast stands; `status`: what was answered just now.
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
        let before = self.reports.all(true).remove(NAME).and_then(|it| it.status);
        let news = self.reports.answered(NAME, works, status.or(before), words.clone());
        if news && works && taken > 0 && self.complaints.is_news(self.clock.now(), "works") {
            tracing::info!("Lichess: {words}");
        }
    }
}

/// Refused games named at once: who wants more reads the log.
const NAMED_MAX: usize = 5;

/// How long nothing is to be pushed.
enum Wait {
    /// So long.
    For(Duration),
    /// Until something changes, or so long at most.
    Change(Option<Duration>),
}

#[cfg(test)]
mod tests;
