//! What stands against the players of a game: for arbiters only.

use serde::Serialize;
use serde_json::json;
use shakmaty::Color;
use witness::laws::editions;
use witness::laws::penalties::Penalty;
use witness::{Account, Given, LedgerFault, Ruling, Table};

use super::{Stamp, VERSION, alert_id};

/// What the Laws provide for an illegal move.
#[derive(Debug, Serialize)]
struct Provided {
    penalty: &'static str,
    penalty_s: Option<u32>,
}

/// One illegal move.
#[derive(Debug, Serialize)]
struct Entered {
    number: u32,
    alert: String,
    kind: &'static str,
    article: &'static str,
    move_number: u32,
    at: String,
    #[serde(flatten)]
    provided: Provided,
    ruling: Option<&'static str>,
}

/// One penalty that was given.
#[derive(Debug, Serialize)]
struct GivenPayload {
    at: String,
    seconds: u32,
    by: String,
    alert: Option<String>,
    withdrawn: Option<WithdrawnPayload>,
}

/// Why it does not count any more.
#[derive(Debug, Serialize)]
struct WithdrawnPayload {
    at: String,
    by: String,
    reason: Option<String>,
}

/// What a request about penalties is answered with, for each player.
#[derive(Debug, Serialize)]
struct Sums {
    illegal_moves: u32,
    penalties: u32,
    given_s: u32,
}

/// One player's page.
#[derive(Debug, Serialize)]
struct Page {
    #[serde(flatten)]
    sums: Sums,
    next: Provided,
    faults: Vec<Entered>,
    given: Vec<GivenPayload>,
}

/// The sums of both players.
#[derive(Debug, Serialize)]
struct Accounts {
    white: Sums,
    black: Sums,
}

/// How often each player was shown the arbiter's score, and how often he may ask.
#[derive(Debug, Serialize)]
struct ScoresShown {
    white: u32,
    black: u32,
    of: Option<u32>,
}

/// The ledger of one table.
#[derive(Debug, Serialize)]
pub struct Ledger {
    v: u8,
    seq: u64,
    at: String,
    table: u32,
    game: u32,
    edition: &'static str,
    article: &'static str,
    white: Page,
    black: Page,
    score_shown: ScoresShown,
}

/// The ledger of a table as it is published.
#[must_use]
pub fn ledger(stamp: Stamp<'_>, number: u32, table: &Table) -> Ledger {
    let edition = table.settings().edition;
    let page = |side| page(stamp, number, table, side);
    Ledger {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        table: number,
        game: table.game_number(),
        edition: edition.year(),
        article: editions::penalty_article(edition),
        white: page(Color::White),
        black: page(Color::Black),
        score_shown: shown(table),
    }
}

/// The answer to `score_shown`.
#[must_use]
pub fn scores_shown(table: &Table) -> serde_json::Value {
    json!(shown(table))
}

fn shown(table: &Table) -> ScoresShown {
    let (shown, of) = table.scores_shown();
    ScoresShown { white: shown.white, black: shown.black, of }
}

/// The sums of a game, as a request about penalties is answered.
#[must_use]
pub fn accounts(table: &Table) -> serde_json::Value {
    let [white, black] = [Color::White, Color::Black].map(|side| sums(table.account(side)));
    // A plain struct with string keys: there is nothing in it that can fail.
    serde_json::to_value(Accounts { white, black }).unwrap_or_default()
}

fn page(stamp: Stamp<'_>, number: u32, table: &Table, side: Color) -> Page {
    let given = table.penalties_given(side).iter();
    let faults = table.faults(side).into_iter();
    let edition = table.settings().edition;
    Page {
        sums: sums(table.account(side)),
        next: provided(table.next_penalty(side), false),
        faults: faults
            .map(|(offence, penalty, fault)| Entered {
                number: offence,
                alert: format!("{number}-{}", fault.incident),
                kind: fault.kind.name(),
                article: editions::article(fault.kind, edition),
                move_number: fault.move_number,
                at: stamp.wall(fault.at),
                provided: provided(penalty, fault.drawn),
                ruling: ruling(&fault),
            })
            .collect(),
        given: given.map(|given| given_payload(stamp, number, given)).collect(),
    }
}

fn given_payload(stamp: Stamp<'_>, number: u32, given: &Given) -> GivenPayload {
    let withdrawn = given.withdrawn.as_ref().map(|it| WithdrawnPayload {
        at: stamp.wall(it.at),
        by: it.by.clone(),
        reason: it.reason.clone(),
    });
    GivenPayload {
        at: stamp.wall(given.at),
        seconds: given.seconds,
        by: given.by.clone(),
        alert: given.incident.map(|incident| alert_id(number, incident)),
        withdrawn,
    }
}

fn sums(Account { illegal_moves, penalties, given_s }: Account) -> Sums {
    Sums { illegal_moves, penalties, given_s }
}

fn provided(penalty: Penalty, drawn: bool) -> Provided {
    match penalty {
        Penalty::Time(seconds) => Provided { penalty: "time", penalty_s: Some(seconds) },
        Penalty::Loss if drawn => Provided { penalty: "draw", penalty_s: None },
        Penalty::Loss => Provided { penalty: "loss", penalty_s: None },
    }
}

const fn ruling(fault: &LedgerFault) -> Option<&'static str> {
    match fault.ruling {
        Some(Ruling::Upheld) => Some("upheld"),
        Some(Ruling::Noted) => Some("noted"),
        Some(Ruling::Dismissed) | None => None,
    }
}
