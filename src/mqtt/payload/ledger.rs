//! Illegal moves and penalties of the players, for arbiters only.

use serde::Serialize;
use shakmaty::Color;
use witness::laws::editions;
use witness::laws::penalties::Penalty;
use witness::{GameNo, Given, LedgerFault, Reason, Ruling, Table, TableNo};

use super::{Stamp, VERSION, alert_id};
use crate::answers::{ScoresShown, Sums, shown, sums};
use crate::works::Undoable;

/// The penalty in the Laws for an illegal move.
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
    undone: bool,
}

/// The entries of one player.
#[derive(Debug, Serialize)]
struct Page {
    #[serde(flatten)]
    sums: Sums,
    next: Provided,
    faults: Vec<Entered>,
    given: Vec<GivenPayload>,
}

/// The ledger of one table.
#[derive(Debug, Serialize)]
pub struct Ledger {
    v: u8,
    seq: u64,
    at: String,
    table: TableNo,
    game: GameNo,
    edition: &'static str,
    article: &'static str,
    white: Page,
    black: Page,
    score_shown: ScoresShown,
    undo: Vec<UndoPayload>,
}

/// A decision that can be taken back.
#[derive(Debug, Serialize)]
struct UndoPayload {
    act: u32,
    by: String,
    at: String,
    until: String,
    verb: String,
    body: serde_json::Value,
    group: Option<String>,
}

/// The payload of a table's ledger.
#[must_use]
pub fn ledger<'a>(
    stamp: Stamp<'_>,
    number: TableNo,
    table: &Table,
    undo: impl Iterator<Item = Undoable<'a>>,
) -> Ledger {
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
        undo: undo.map(|it| undo_payload(stamp, it)).collect(),
    }
}

fn page(stamp: Stamp<'_>, number: TableNo, table: &Table, side: Color) -> Page {
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

fn undo_payload(stamp: Stamp<'_>, undoable: Undoable<'_>) -> UndoPayload {
    let Undoable { act, by, verb, body, group } = undoable;
    UndoPayload {
        act: act.number,
        by: by.to_owned(),
        at: stamp.wall(act.at),
        until: stamp.wall(act.until),
        verb: verb.to_owned(),
        body,
        group: group.map(str::to_owned),
    }
}

fn given_payload(stamp: Stamp<'_>, number: TableNo, given: &Given) -> GivenPayload {
    let withdrawn = given.withdrawn.as_ref().map(|it| WithdrawnPayload {
        at: stamp.wall(it.at),
        by: it.by.clone(),
        reason: match &it.reason {
            Reason::Said(reason) => Some(reason.clone()),
            Reason::Dismissed | Reason::Undone => None,
        },
        undone: it.reason == Reason::Undone,
    });
    GivenPayload {
        at: stamp.wall(given.at),
        seconds: given.seconds,
        by: given.by.clone(),
        alert: given.incident.map(|incident| alert_id(number, incident)),
        withdrawn,
    }
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
