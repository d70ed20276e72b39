//! Requests of arbiters: from verb and payload to an order for one table, or a plain refusal.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use shakmaty::{CastlingMode, Color};
use witness::laws::claims::Claim;
use witness::{Absent, Ending, IncidentId, Message, Order, Ruling, Sealing};

use super::{grants, misread, penalties, results};
use crate::entry::Request;
use crate::pairings::{self, NAME_MAX, Pairing, Player, Players};
use crate::say;
use words::InWords as _;

/// No clock shows as much.
pub(super) const CLOCK_END_MS: u32 = 36_000_000;

/// The verbs that are answered: the pages offer what is named here and nothing else.
pub const VERBS: [&str; 18] = [
    "acknowledge",
    "adjourn",
    "claim_check",
    "flip",
    "grant_time",
    "penalty_given",
    "penalty_withdrawn",
    "resume",
    "rule",
    "score_shown",
    "sealed_move",
    "seat",
    "set_pairing",
    "set_position",
    "set_result",
    "set_time",
    "start_round",
    "take_back",
];

/// The longest date or place that is written on an adjournment sheet, in characters.
const SHEET_LINE_MAX: usize = 200;

/// What a request asks for.
#[derive(Debug)]
pub enum Asked {
    /// To change something at this table.
    Order(u32, Order),
    /// The result of this game of a table, which may not be the one that is played there now.
    ResultOf(u32, u32, Option<Ending>),
    /// Whether a claim of a draw is right, on the position or after this move.
    Claim(u32, Claim, Option<String>),
    /// Whether what is written in an envelope is one legal move.
    Sealed(u32, String),
    /// Who plays at a table.
    Pairing(Box<SetPairing>),
    /// A round starts.
    Start(StartRound),
    /// Which table a board is.
    Seat(SeatBoard),
}

impl Asked {
    /// Whether it is carried out once, however many ask for it: then the second is answered with
    /// who was first.
    #[must_use]
    pub fn counts_once(&self) -> bool {
        matches!(self, Self::Order(_, Order::PenaltyGiven(penalty)) if penalty.incident.is_some())
    }
}

/// Who plays at a table, in the game that is on or, after a result, in the next one.
#[derive(Debug)]
pub struct SetPairing {
    /// The table.
    pub table: u32,
    /// The round, if it is another one.
    pub round: Option<String>,
    /// Who, and with which pieces; none: as it was.
    pub pairing: Option<Pairing>,
    /// Whether they have each other's colours.
    pub reversed: Option<bool>,
}

/// The board there is the one of this table.
#[derive(Debug, Deserialize)]
pub struct SeatBoard {
    /// Its line, by any of its names.
    pub line: String,
    /// Its place on a bus.
    pub station: Option<u16>,
    /// The table; none: a new one.
    pub table: Option<u32>,
}

/// A round starts now.
#[derive(Debug)]
pub struct StartRound {
    /// Which; none: the one each table is at.
    pub round: Option<String>,
    /// Where; none: at all tables.
    pub tables: Option<Vec<u32>>,
}

/// Why a request was not understood, for a person.
#[derive(Debug, PartialEq, Eq)]
pub struct BadRequest(pub Message);

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en())
    }
}

impl std::error::Error for BadRequest {}

#[derive(Deserialize)]
struct Acknowledge {
    alert: String,
}

#[derive(Deserialize)]
struct Rule {
    alert: String,
    #[serde(with = "RulingWord")]
    ruling: Ruling,
}

#[derive(Deserialize)]
#[serde(remote = "Ruling", rename_all = "snake_case")]
enum RulingWord {
    Upheld,
    Dismissed,
    Noted,
}

#[derive(Deserialize)]
struct SetPosition {
    table: u32,
    fen: String,
    #[serde(default)]
    chess960: bool,
}

#[derive(Deserialize)]
struct ClaimCheck {
    table: u32,
    #[serde(with = "ClaimWord")]
    kind: Claim,
    #[serde(rename = "move")]
    mv: Option<String>,
}

#[derive(Deserialize)]
#[serde(remote = "Claim", rename_all = "snake_case")]
enum ClaimWord {
    Threefold,
    Fifty,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SideWord {
    White,
    Black,
}

#[derive(Deserialize)]
struct SetPairingBody {
    table: u32,
    round: Option<Name>,
    white: Option<PlayerWord>,
    black: Option<PlayerWord>,
    colours_reversed: Option<bool>,
    start_fen: Option<String>,
    #[serde(default)]
    chess960: bool,
}

#[derive(Deserialize)]
struct StartRoundBody {
    round: Option<Name>,
    tables: Option<Vec<u32>>,
}

/// A round is called by a number as a rule.
#[derive(Deserialize)]
#[serde(untagged, expecting = "write the name of a round")]
enum Name {
    Text(String),
    Number(u32),
}

/// A player by his name alone, or as the game's payload has him.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "write a name, or an object with name, title, rating, federation and fide_id"
)]
enum PlayerWord {
    Name(String),
    Whole(Player),
}

#[derive(Deserialize)]
struct Adjourn {
    table: u32,
    sealed_by: Option<SideWord>,
    draw_offer: Option<SideWord>,
    #[serde(default)]
    resumption: String,
    #[serde(default)]
    place: String,
}

#[derive(Deserialize)]
struct ScoreShown {
    table: u32,
    side: SideWord,
}

#[derive(Deserialize)]
struct Resume {
    table: u32,
    absent: Option<AbsentWord>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum AbsentWord {
    Nobody,
    White,
    Black,
    Both,
}

#[derive(Deserialize)]
struct SealedMove {
    table: u32,
    #[serde(rename = "move")]
    written: String,
}

#[derive(Deserialize)]
struct TakeBack {
    table: u32,
    plies: usize,
    of: Option<usize>,
}

/// A request that names a table and says nothing else.
#[derive(Deserialize)]
struct ToTable {
    table: u32,
}

impl From<AbsentWord> for Absent {
    fn from(absent: AbsentWord) -> Self {
        match absent {
            AbsentWord::Nobody => Self::Nobody,
            AbsentWord::White => Self::One(Color::White),
            AbsentWord::Black => Self::One(Color::Black),
            AbsentWord::Both => Self::Both,
        }
    }
}

impl From<SideWord> for Color {
    fn from(side: SideWord) -> Self {
        match side {
            SideWord::White => Self::White,
            SideWord::Black => Self::Black,
        }
    }
}

/// What a request asks for.
///
/// # Errors
/// With a sentence for the person who asked.
pub fn read(request: &Request) -> Result<Asked, BadRequest> {
    match request.verb.as_str() {
        "claim_check" => {
            let ClaimCheck { table, kind, mv } = body(request)?;
            Ok(Asked::Claim(table, kind, mv))
        }
        "sealed_move" => {
            let SealedMove { table, written } = body(request)?;
            short_line("move", &written)?;
            Ok(Asked::Sealed(table, written))
        }
        "seat" => {
            let asked: SeatBoard = body(request)?;
            // It stands in the log, and in what is answered.
            short_line("line", &asked.line)?;
            Ok(Asked::Seat(asked))
        }
        "set_result" => results::read(&body(request)?),
        "set_pairing" => set_pairing(body(request)?).map(|it| Asked::Pairing(Box::new(it))),
        "start_round" => {
            let StartRoundBody { round, tables } = body(request)?;
            if tables.as_ref().is_some_and(Vec::is_empty) {
                return Err(BadRequest(say::names_no_table()));
            }
            Ok(Asked::Start(StartRound { round: round.map(Name::text).transpose()?, tables }))
        }
        _ => order(request).map(|(table, order)| Asked::Order(table, order)),
    }
}

impl Name {
    fn text(self) -> Result<String, BadRequest> {
        let text = match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        };
        short(text, Said::Round)
    }
}

impl PlayerWord {
    fn player(self) -> Result<Player, BadRequest> {
        let player = match self {
            Self::Name(name) => Player { name, ..Player::default() },
            Self::Whole(player) => player,
        };
        let words = [Some(&player.name), player.title.as_ref(), player.federation.as_ref()];
        words.into_iter().flatten().try_for_each(|it| short(it, Said::Player).map(|_| ()))?;
        Ok(player)
    }
}

/// What a word is about.
#[derive(Clone, Copy)]
enum Said {
    Round,
    Player,
}

fn short<T: AsRef<str>>(text: T, of: Said) -> Result<T, BadRequest> {
    if !pairings::is_plain(text.as_ref()) {
        return Err(BadRequest(match of {
            Said::Round => say::round_in_one_line(),
            Said::Player => say::player_in_one_line(),
        }));
    }
    if text.as_ref().chars().count() <= NAME_MAX {
        return Ok(text);
    }
    Err(BadRequest(match of {
        Said::Round => say::round_too_long(NAME_MAX),
        Said::Player => say::player_too_long(NAME_MAX),
    }))
}

fn set_pairing(body: SetPairingBody) -> Result<SetPairing, BadRequest> {
    let SetPairingBody { table, round, white, black, start_fen, chess960, .. } = body;
    let reversed = body.colours_reversed;
    let pairing = match (white, black) {
        (Some(white), Some(black)) => {
            let players = Players { white: white.player()?, black: black.player()? };
            Some(Pairing { table, players, start_fen, chess960 })
        }
        (None, None) if reversed.is_some() && start_fen.is_none() => None,
        _ => {
            return Err(BadRequest(say::pairing_unread()));
        }
    };
    let array = pairing.as_ref().map(Pairing::array).transpose();
    array.map_err(|error| BadRequest(error.text()))?;
    Ok(SetPairing { table, round: round.map(Name::text).transpose()?, pairing, reversed })
}

fn order(request: &Request) -> Result<(u32, Order), BadRequest> {
    if !VERBS.contains(&request.verb.as_str()) {
        return Err(no_such_request(&request.verb));
    }
    match request.verb.as_str() {
        "acknowledge" => {
            let body: Acknowledge = body(request)?;
            let (table, incident) = alert(&body.alert)?;
            Ok((table, Order::Acknowledge { incident, by: request.by.clone() }))
        }
        "rule" => {
            let Rule { alert: id, ruling } = body(request)?;
            let (table, incident) = alert(&id)?;
            Ok((table, Order::Rule { incident, ruling, by: request.by.clone() }))
        }
        "set_position" => set_position(&body(request)?),
        "adjourn" => adjourn(body(request)?),
        "grant_time" => grants::read(&body(request)?),
        "score_shown" => {
            body(request).map(|ScoreShown { table, side }| (table, Order::ScoreShown(side.into())))
        }
        "flip" => body(request).map(|ToTable { table }| (table, Order::Flip)),
        "resume" => body(request)
            .map(|Resume { table, absent }| (table, Order::ResumePlay(absent.map(Absent::from)))),
        "penalty_given" => penalties::given(body(request)?, &request.by),
        "penalty_withdrawn" => penalties::withdrawn(body(request)?, &request.by),
        "take_back" => {
            let TakeBack { table, plies, of } = body(request)?;
            Ok((table, Order::TakeBack { plies, of }))
        }
        "set_time" => penalties::set_time(&body(request)?),
        verb => Err(no_such_request(verb)),
    }
}

/// An alert's id, `table-game-number`, taken apart.
///
/// # Errors
/// When it is no alert's id.
pub fn alert(id: &str) -> Result<(u32, IncidentId), BadRequest> {
    let mut numbers = id.split('-').map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    let (table, game, number) = (next(), next(), next());
    match (table, game, number, numbers.next()) {
        (Some(table), Some(game), Some(number), None) => Ok((table, IncidentId { game, number })),
        _ => Err(BadRequest(say::no_such_alert(id))),
    }
}

fn set_position(body: &SetPosition) -> Result<(u32, Order), BadRequest> {
    let mode = if body.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let position = pairings::position(&body.fen, mode).map_err(|error| BadRequest(error.text()))?;
    Ok((body.table, Order::SetPosition { position: Box::new(position), mode }))
}

fn adjourn(body: Adjourn) -> Result<(u32, Order), BadRequest> {
    let Adjourn { table, sealed_by, draw_offer, resumption, place } = body;
    for (key, line) in [("resumption", &resumption), ("place", &place)] {
        short_line(key, line)?;
    }
    let sealing = Sealing {
        sealed_by: sealed_by.map(Color::from),
        draw_offer: draw_offer.map(Color::from),
        resumption,
        place,
    };
    Ok((table, Order::Adjourn(sealing)))
}

pub(super) fn short_line(key: &str, line: &str) -> Result<(), BadRequest> {
    if !pairings::is_plain(line) {
        return Err(BadRequest(say::line_in_one_line(key)));
    }
    if line.chars().count() <= SHEET_LINE_MAX {
        return Ok(());
    }
    Err(BadRequest(say::line_too_long(key, SHEET_LINE_MAX)))
}

fn body<T: DeserializeOwned>(request: &Request) -> Result<T, BadRequest> {
    let verb = &request.verb;
    if !request.body.is_object() {
        return Err(BadRequest(say::no_object(verb)));
    }
    serde_path_to_error::deserialize(&request.body).map_err(|error| {
        let why = misread::why(&for_a_person(error.inner()));
        BadRequest(match error.path().to_string().as_str() {
            "." => say::misread(verb, why),
            key => say::misread_key(verb, key, why),
        })
    })
}

/// What was expected, without the names that numbers have in the program.
fn for_a_person(error: &serde_json::Error) -> String {
    let number = "expected a whole number";
    error.to_string().replace("expected u32", number).replace("expected usize", number)
}

pub(super) fn too_long_for_a_clock() -> BadRequest {
    BadRequest(say::no_clock_shows_that())
}

fn no_such_request(verb: &str) -> BadRequest {
    BadRequest(say::no_such_request(verb))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(verb: &str, body: serde_json::Value) -> Result<(u32, Order), BadRequest> {
        let asked = read(&Request { verb: verb.to_owned(), body, by: "Ann".to_owned() })?;
        let Asked::Order(table, order) = asked else { panic!("{asked:?}") };
        Ok((table, order))
    }

    #[test]
    fn requests_become_orders() {
        let (table, order) = request("acknowledge", json!({"alert": "3-1-2"})).unwrap();
        let incident = IncidentId { game: 1, number: 2 };
        assert_eq!(table, 3);
        let Order::Acknowledge { incident: it, by } = order else { panic!("{order:?}") };
        assert_eq!((it, by.as_str()), (incident, "Ann"));
        let (table, order) =
            request("set_result", json!({"table": 4, "result": "1/2-1/2"})).unwrap();
        assert_eq!(table, 4);
        let Order::SetResult(Some(ending)) = order else { panic!("{order:?}") };
        assert_eq!(ending.outcome, shakmaty::KnownOutcome::Draw);
        let (_, order) = request("set_result", json!({"table": 4, "result": "-/+"})).unwrap();
        let Order::SetResult(Some(ending)) = order else { panic!("{order:?}") };
        assert_eq!((ending.outcome.as_str(), ending.reason), ("0-1", witness::EndedBy::Forfeit));
    }

    #[test]
    fn every_verb_that_is_offered_is_known() {
        for verb in VERBS {
            let body = json!(7);
            let refusal =
                read(&Request { verb: verb.to_owned(), body, by: "Ann".to_owned() }).unwrap_err();
            assert_ne!(refusal, no_such_request(verb));
        }
    }

    #[test]
    fn a_refusal_names_the_key_and_no_type_of_the_program() {
        let body = json!({"table": 4, "side": "white", "seconds": "two"});
        let BadRequest(why) = request("penalty_given", body).unwrap_err();
        assert!(why.en().contains("seconds: invalid type"), "{why:?}");
        assert!(why.en().ends_with("expected a whole number"), "{why:?}");
        let wanted = "seconds : un nombre entier était attendu, et non le texte two";
        assert!(why.fr().replace('\u{a0}', " ").ends_with(wanted), "{why:?}");
        for body in [json!(null), json!([]), json!("flip")] {
            let BadRequest(why) = request("flip", body).unwrap_err();
            assert!(
                why.en().contains("no JSON object") && why.fr().contains("objet JSON"),
                "{why:?}"
            );
        }
    }

    #[test]
    fn what_is_no_request_is_refused_in_words() {
        for (verb, body) in [
            ("dance", json!({})),
            ("acknowledge", json!({"alert": "3-1"})),
            ("acknowledge", json!(7)),
            ("rule", json!({"alert": "1-1-1", "ruling": "maybe"})),
            ("set_result", json!({"table": 4, "result": "2-0"})),
            ("set_pairing", json!({"table": 4, "white": "A", "black": "B\n1. e4 1-0"})),
            ("penalty_given", json!({"table": 4, "side": "white", "seconds": 36_000})),
            (
                "penalty_given",
                json!({"table": 4, "side": "white", "seconds": 120, "alert": "5-1-1"}),
            ),
            ("penalty_withdrawn", json!({"table": 4, "side": "white", "given": 1, "reason": "  "})),
            ("adjourn", json!({"table": 4, "sealed_by": "red"})),
            ("adjourn", json!({"table": 4, "place": "x".repeat(201)})),
            ("resume", json!({})),
            ("set_position", json!({"table": 4, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"})),
        ] {
            let BadRequest(why) = request(verb, body).unwrap_err();
            assert!(
                !why.en().is_empty() && !why.fr().is_empty() && why.en() != why.fr(),
                "{why:?}"
            );
            let english = ["expected", "invalid", "missing", "unknown"];
            assert!(!english.iter().any(|word| why.fr().contains(word)), "{why:?}");
            assert!(!why.fr().contains("est une autre"), "no detail: {why:?}");
        }
    }
}
