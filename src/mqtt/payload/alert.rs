//! Alerts: for arbiters only.

use eboard::Moment;
use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{ByColor, Piece, Square};
use witness::{Award, Evidence, Facts, Incident, Kind, State, TableNo, Trace};

use super::table::{grade, square};
use super::{AlertState, Gravity, Stamp, VERSION, alert_id, colour};
use crate::languages::{Languages, Text};
use crate::pairings::Players;
use crate::works::unmatched::Sitting;

#[derive(Debug, Serialize)]
struct Times {
    white: u32,
    black: u32,
}

#[derive(Debug, Serialize)]
struct Presses {
    white: u32,
    black: u32,
}

#[derive(Debug, Serialize)]
struct Between {
    last_above_zero: Option<String>,
    first_at_zero: String,
}

#[derive(Debug, Serialize)]
struct Falls {
    white: Between,
    black: Between,
}

#[derive(Debug, Serialize)]
struct FactsPayload {
    fen: String,
    surface: Option<String>,
    clocks_ms: Option<Times>,
    #[serde(rename = "move")]
    mv: Option<String>,
    reason: Option<String>,
    attackers: Vec<String>,
    squares: Vec<String>,
    candidates: Vec<String>,
    between: Option<Between>,
    falls: Option<Falls>,
    moves_completed: Option<u32>,
    obliged: Vec<String>,
    occurrences: Vec<u32>,
    offence: Option<u32>,
    penalty_s: Option<u32>,
    moves_required: Option<u32>,
    flag_grade: Option<&'static str>,
    consequence: Option<String>,
    expected_ms: Option<Times>,
    presses_missing: Option<Presses>,
    since: Option<String>,
    neighbour: Option<TableNo>,
    tables: Vec<TableNo>,
    /// The result that the board or the kings show.
    shown: Option<&'static str>,
}

/// One observation. `T` is the form of moments.
#[derive(Debug, Serialize)]
pub struct EvidencePayload<T> {
    at: T,
    /// Milliseconds before the alert was opened, as a negative number.
    t_ms: i64,
    what: &'static str,
    square: Option<String>,
    piece: Option<char>,
    /// The side that pressed.
    side: Option<&'static str>,
    /// The times that the clock showed.
    clocks_ms: Option<Times>,
    text: Text,
}

/// One open alert.
#[derive(Debug, Serialize)]
pub struct Alert {
    v: u8,
    seq: u64,
    at: String,
    id: String,
    kind: &'static str,
    article: String,
    edition: &'static str,
    table: TableNo,
    players: Players,
    earlier_game: bool,
    side: Option<&'static str>,
    move_number: u32,
    gravity: Gravity,
    state: AlertState,
    revision: u32,
    by: Option<String>,
    opened_at: String,
    lapses_at: Option<String>,
    text: Text,
    facts: FactsPayload,
    evidence: Vec<EvidencePayload<String>>,
    advice: Vec<Text>,
    mend: Vec<Mend>,
}

/// A request, ready to be sent, that would settle the alert.
#[derive(Debug, Serialize)]
struct Mend {
    verb: &'static str,
    body: Value,
}

/// Facts of the game or the round that belong to an alert.
#[derive(Debug, Default)]
pub struct AlertGame {
    /// The players of its game.
    pub players: Players,
    /// Whether it is an earlier game of the table.
    pub earlier: bool,
    /// Who may sit where, if that is in doubt.
    pub sittings: Vec<Sitting>,
}

/// The payload of an incident.
#[must_use]
pub fn alert(stamp: Stamp<'_>, table: TableNo, incident: &Incident, game: AlertGame) -> Alert {
    let mend = mends(table, incident, &game);
    let by = match &incident.state {
        State::Acknowledged { by } => Some(by.clone()),
        State::Open | State::Lapsed | State::SetAside => None,
    };
    Alert {
        v: VERSION,
        seq: stamp.seq,
        at: stamp.at(),
        id: alert_id(table, incident.id),
        kind: incident.kind.name(),
        article: incident.article.to_string(),
        edition: incident.edition.year(),
        table,
        players: game.players,
        earlier_game: game.earlier,
        side: incident.side.map(colour),
        move_number: incident.move_number,
        gravity: incident.gravity.into(),
        state: AlertState::from(&incident.state),
        revision: incident.revision,
        by,
        opened_at: stamp.wall(incident.opened),
        lapses_at: None,
        text: stamp.languages.text(&incident.text),
        facts: facts(stamp, &incident.facts),
        evidence: evidence(incident, stamp.languages, |moment| stamp.wall(moment)),
        advice: incident.advice.iter().map(|it| stamp.languages.text(it)).collect(),
        mend,
    }
}

/// The requests that one tap can send: a result that the board shows or the alert names, or any of
/// the usual three if both clocks stand and the game may be over; and players who sit at another
/// table than the pairings say.
fn mends(table: TableNo, incident: &Incident, game: &AlertGame) -> Vec<Mend> {
    // After the pieces are set up again, only a missing result can still be entered.
    if game.earlier && incident.kind != Kind::NoResult {
        return Vec::new();
    }
    let results: Vec<&str> = match incident.kind {
        Kind::ResultMismatch => incident.facts.shown.iter().map(|it| it.as_str()).collect(),
        Kind::ClockStopped | Kind::NoResult => vec!["1-0", "1/2-1/2", "0-1"],
        _ => incident.names().iter().map(|it| it.as_str()).collect(),
    };
    let mend = |result| {
        let body = match game.earlier {
            true => json!({"table": table, "game": incident.id.game, "result": result}),
            false => json!({"table": table, "result": result}),
        };
        Mend { verb: "set_result", body }
    };
    let named = |it: &Sitting| Mend {
        verb: "set_pairing",
        body: json!({"table": it.table, "round": it.round, "white": it.players.white,
                     "black": it.players.black}),
    };
    results.into_iter().map(mend).chain(game.sittings.iter().map(named)).collect()
}

/// The observations in order. `tell` puts moments into words.
#[must_use]
pub fn evidence<T>(
    incident: &Incident,
    languages: &Languages,
    tell: impl Fn(Moment) -> T,
) -> Vec<EvidencePayload<T>> {
    let all = incident.evidence.iter();
    all.flat_map(|it| parts(incident.opened, it, languages, &tell)).collect()
}

fn facts(stamp: Stamp<'_>, facts: &Facts) -> FactsPayload {
    let between = |(above, zero): (Option<Moment>, Moment)| Between {
        last_above_zero: above.map(|moment| stamp.wall(moment)),
        first_at_zero: stamp.wall(zero),
    };
    FactsPayload {
        fen: facts.position.to_string(),
        surface: facts.surface.clone(),
        clocks_ms: facts.clocks.map(times),
        mv: facts.mv.map(|(from, to)| format!("{from}{to}")),
        reason: facts.detail.map(|it| it.name().to_owned()),
        attackers: facts.attackers.iter().copied().map(square).collect(),
        squares: facts.squares.iter().copied().map(square).collect(),
        candidates: facts.candidates.clone(),
        between: facts.between.map(between),
        falls: facts.falls.map(|it| Falls { white: between(it.white), black: between(it.black) }),
        moves_completed: facts.moves_completed,
        obliged: facts.obliged.clone(),
        occurrences: facts.occurrences.clone(),
        offence: facts.offence,
        penalty_s: facts.penalty_s,
        moves_required: facts.moves_required,
        flag_grade: facts.grade.map(grade),
        consequence: facts.consequence.map(|it| it.name().to_owned()),
        expected_ms: facts.expected.map(times),
        presses_missing: facts
            .presses_missing
            .map(|ByColor { white, black }| Presses { white, black }),
        since: facts.since.map(|moment| stamp.wall(moment)),
        neighbour: facts.tables.first().copied(),
        tables: facts.tables.clone(),
        shown: facts.shown.map(Award::as_str),
    }
}

fn times(times: ByColor<eboard::FaceTime>) -> Times {
    Times { white: times.white.as_ms(), black: times.black.as_ms() }
}

fn parts<T>(
    opened: Moment,
    evidence: &Evidence,
    languages: &Languages,
    tell: impl Fn(Moment) -> T,
) -> Vec<EvidencePayload<T>> {
    let t_ms = i64::try_from(opened.since(evidence.at).as_millis()).map_or(i64::MIN, |ms| -ms);
    let payloads = evidence.trace.parts().map(|trace| {
        let (what, place, piece) = named(&trace);
        EvidencePayload {
            at: tell(evidence.at),
            t_ms,
            what,
            square: place.map(square),
            piece: piece.map(Piece::char),
            side: match trace {
                Trace::Pressed(side) => Some(colour(side)),
                _ => None,
            },
            clocks_ms: match trace {
                Trace::Face(shown) => Some(times(shown)),
                _ => None,
            },
            text: languages.text(&trace.text()),
        }
    });
    payloads.collect()
}

fn named(trace: &Trace) -> (&'static str, Option<Square>, Option<Piece>) {
    match trace {
        Trace::Touched(touched) => match touched.lifted {
            Some(piece) => ("lift", Some(touched.square), Some(piece)),
            None => ("put", Some(touched.square), touched.put),
        },
        Trace::Pressed(_) => ("press", None, None),
        Trace::Stopped | Trace::Started | Trace::Face(_) => ("clock", None, None),
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;
    use witness::laws::flag::Consequence;
    use witness::{Edition, GameNo};

    use witness::IncidentId;

    use super::*;

    fn offered(kind: Kind, consequence: Option<Consequence>) -> Vec<String> {
        let words = witness::say::drawn_intervene();
        let incident = Incident {
            id: IncidentId { game: GameNo::new(1), number: 1 },
            kind,
            article: "6.9".into(),
            edition: Edition::Y2023,
            side: Some(Color::White),
            move_number: 3,
            gravity: witness::Gravity::Summon,
            state: State::Open,
            revision: 1,
            opened: Moment::ZERO,
            text: words,
            facts: Facts { consequence, ..Facts::default() },
            evidence: Vec::new(),
            advice: Vec::new(),
        };
        let mends = mends(TableNo::new(7), &incident, &AlertGame::default());
        let result = |it: &Mend| {
            assert_eq!((it.verb, &it.body["table"]), ("set_result", &json!(7)));
            it.body["result"].as_str().unwrap().to_owned()
        };
        mends.iter().map(result).collect()
    }

    #[test]
    fn the_result_that_an_alert_names_is_offered_and_none_that_it_does_not() {
        let cases: [(Kind, Option<Consequence>, &[&str]); 7] = [
            (Kind::FlagFall, Some(Consequence::Loss), &["0-1"]),
            (Kind::FlagFall, Some(Consequence::Draw), &["1/2-1/2"]),
            (Kind::FlagFall, Some(Consequence::Undetermined), &["0-1", "1/2-1/2"]),
            (Kind::FlagFall, Some(Consequence::PeriodPassed), &[]),
            (Kind::FlagFall, None, &[]),
            (Kind::IllegalMove, Some(Consequence::Loss), &["0-1"]),
            (Kind::IllegalMove, None, &[]),
        ];
        for (kind, consequence, results) in cases {
            assert_eq!(offered(kind, consequence), results, "{kind:?} {consequence:?}");
        }
    }
}
