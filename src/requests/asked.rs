//! Turns a request into something that can be carried out, at one table as a rule, or into a
//! refusal in plain words.

use std::fmt;

use shakmaty::{CastlingMode, Color};
use witness::laws::claims::Claim;
use witness::{Absent, Ending, GameNo, IncidentId, Message, Order, Passage, Sealing, TableNo};

use super::bodies::{self, Adjourn, CorrectScore, Name, PlayerWord, SeatBoard, SetPosition};
use super::configure::{CHANGES_MAX, Change, Configure};
use super::{Asks, Request, grants, penalties, results};
use crate::pairings::{self, NAME_MAX, Pairing, Player, Players};
use crate::say;
use words::InWords as _;

/// The most that a clock can show: ten hours.
pub(super) const CLOCK_END_MS: u32 = 36_000_000;

/// The most half moves of one passage: nobody misses more of a game, and the text of a request ends
/// at 16 KiB.
const PASSAGE_MAX: usize = 400;

/// The longest date or place on an adjournment sheet, in characters.
const SHEET_LINE_MAX: usize = 200;

/// What a request asks for.
#[derive(Debug)]
pub enum Asked {
    /// An order to this table.
    Order(TableNo, Order),
    /// What was decided at this table by the act of this number is taken back.
    Undo(TableNo, u32),
    /// The result of a game of this table, which may not be the current one.
    ResultOf(TableNo, ResultOf),
    /// Whether a claim of a draw is right, in the position or after a written move.
    Claim(TableNo, Claim, Option<String>),
    /// Whether the text in an envelope is one legal move.
    Sealed(TableNo, String),
    /// The players at a table.
    Pairing(Box<SetPairing>),
    /// The start of a round.
    Start(StartRound),
    /// A table for a board.
    Seat(SeatBoard),
    /// Another configuration.
    Configure(Configure),
}

impl Asked {
    /// Whether only the first such request is carried out. A second one is answered with the name
    /// of the first arbiter.
    #[must_use]
    pub fn counts_once(&self) -> bool {
        matches!(self, Self::Order(_, Order::PenaltyGiven(penalty)) if penalty.incident.is_some())
    }
}

/// The result of a game of a table, which may not be the current one.
#[derive(Debug)]
pub struct ResultOf {
    /// Its number at the table; none: the current game.
    pub game: Option<GameNo>,
    /// The round of the game; none: not checked.
    pub round: Option<String>,
    /// The result; none: takes it away.
    pub ending: Option<Ending>,
}

/// The players at a table, for the game in play or, after a result, for the next one.
#[derive(Debug)]
pub struct SetPairing {
    /// The table.
    pub table: TableNo,
    /// The round; none: unchanged.
    pub round: Option<String>,
    /// Players and colours; none: unchanged.
    pub pairing: Option<Pairing>,
    /// Whether the players sit with each other's colours.
    pub colours: Colours,
}

/// What a request says about the colours of the players at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Nothing: they stay as they are.
    Unchanged,
    /// Each player has his own.
    Own,
    /// The players sit with each other's colours.
    Reversed,
}

/// The start of a round.
#[derive(Debug)]
pub struct StartRound {
    /// The round; none: the current one of each table.
    pub round: Option<String>,
    /// The tables; none: all.
    pub tables: Option<Vec<TableNo>>,
}

/// Why a request was not understood, for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest(pub Message);

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en())
    }
}

impl std::error::Error for BadRequest {}

impl Request {
    /// Turns the request into what can be carried out.
    ///
    /// # Errors
    /// With a sentence for the person who asked.
    pub fn asked(&self) -> Result<Asked, BadRequest> {
        let by = || self.by.clone();
        let (table, order) = match &*self.asks {
            Asks::Misread(it) => return Err(it.why.clone()),
            Asks::ClaimCheck(it) => return Ok(Asked::Claim(it.table, it.kind, it.mv.clone())),
            Asks::SealedMove(it) => {
                short_line("move", &it.written)?;
                return Ok(Asked::Sealed(it.table, it.written.clone()));
            }
            Asks::Seat(it) => {
                // The line appears in the log and in the answer, so its length is limited.
                short_line("line", &it.line)?;
                return Ok(Asked::Seat(it.clone()));
            }
            Asks::Configure(it) => return configure(it).map(Asked::Configure),
            Asks::SetResult(it) => return results::read(it),
            Asks::Undo(it) => return Ok(Asked::Undo(it.table, it.act)),
            Asks::SetPairing(it) => {
                return set_pairing(it).map(|it| Asked::Pairing(Box::new(it)));
            }
            Asks::StartRound(it) => return start_round(it).map(Asked::Start),
            Asks::Acknowledge(it) => {
                let (table, incident) = alert(&it.alert)?;
                (table, Order::Acknowledge { incident, by: by() })
            }
            Asks::Rule(it) => {
                let (table, incident) = alert(&it.alert)?;
                (table, Order::Rule { incident, ruling: it.ruling, by: by() })
            }
            Asks::SetPosition(it) => set_position(it)?,
            Asks::Adjourn(it) => adjourn(it)?,
            Asks::GrantTime(it) => grants::read(it)?,
            Asks::ScoreShown(it) => (it.table, Order::ScoreShown(it.side.into())),
            Asks::Flip(it) => (it.table, Order::Flip),
            Asks::Resume(it) => (it.table, Order::ResumePlay(it.absent.map(Absent::from))),
            Asks::PenaltyGiven(it) => penalties::given(it, &self.by)?,
            Asks::PenaltyWithdrawn(it) => penalties::withdrawn(it, &self.by)?,
            Asks::TakeBack(it) => (it.table, Order::TakeBack { plies: it.plies, of: it.of }),
            Asks::CorrectScore(it) => correct_score(it)?,
            Asks::SetTime(it) => penalties::set_time(it)?,
        };
        Ok(Asked::Order(table, order))
    }
}

impl Name {
    pub(super) fn text(&self) -> Result<String, BadRequest> {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        };
        short(text, Said::Round)
    }
}

impl PlayerWord {
    fn player(&self) -> Result<Player, BadRequest> {
        let player = match self {
            Self::Name(name) => Player { name: name.clone(), ..Player::default() },
            Self::Whole(player) => player.clone(),
        };
        let words = [Some(&player.name), player.title.as_ref(), player.federation.as_ref()];
        words.into_iter().flatten().try_for_each(|it| short(it, Said::Player).map(|_| ()))?;
        Ok(player)
    }
}

/// The kind of thing that a word in a request names.
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

/// Lines appear in answers, so their length is limited. What else is wrong the file's checks say.
fn configure(body: &Configure) -> Result<Configure, BadRequest> {
    if body.changes.len() > CHANGES_MAX {
        return Err(BadRequest(say::too_many_changes(CHANGES_MAX)));
    }
    for change in &body.changes {
        if let Change::Seat(seat) = change {
            seat.line.as_ref().map_or(Ok(()), |line| short_line("line", line))?;
        }
    }
    Ok(body.clone())
}

fn set_pairing(body: &bodies::SetPairing) -> Result<SetPairing, BadRequest> {
    let bodies::SetPairing { table, chess960, colours_reversed, .. } = *body;
    let colours = match colours_reversed {
        None => Colours::Unchanged,
        Some(false) => Colours::Own,
        Some(true) => Colours::Reversed,
    };
    let start_fen = body.start_fen.clone();
    let pairing = match (&body.white, &body.black) {
        (Some(white), Some(black)) => {
            let players = Players { white: white.player()?, black: black.player()? };
            Some(Pairing { table, players, start_fen, chess960 })
        }
        (None, None) if colours_reversed.is_some() && start_fen.is_none() => None,
        _ => {
            return Err(BadRequest(say::pairing_unread()));
        }
    };
    let array = pairing.as_ref().map(Pairing::array).transpose();
    array.map_err(|error| BadRequest(error.text()))?;
    let round = body.round.as_ref().map(Name::text).transpose()?;
    Ok(SetPairing { table, round, pairing, colours })
}

fn start_round(body: &bodies::StartRound) -> Result<StartRound, BadRequest> {
    if body.tables.as_ref().is_some_and(Vec::is_empty) {
        return Err(BadRequest(say::names_no_table()));
    }
    let round = body.round.as_ref().map(Name::text).transpose()?;
    Ok(StartRound { round, tables: body.tables.clone() })
}

/// Parses the id of an alert, `table-game-number`.
///
/// # Errors
/// If the text is no id of an alert.
pub fn alert(id: &str) -> Result<(TableNo, IncidentId), BadRequest> {
    let mut numbers = id.split('-').map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    let (table, game, number) = (next(), next(), next());
    match (table, game, number, numbers.next()) {
        (Some(table), Some(game), Some(number), None) => {
            Ok((TableNo::new(table), IncidentId { game: GameNo::new(game), number }))
        }
        _ => Err(BadRequest(say::no_such_alert(id))),
    }
}

fn set_position(body: &SetPosition) -> Result<(TableNo, Order), BadRequest> {
    let mode = if body.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let position = pairings::position(&body.fen, mode).map_err(|error| BadRequest(error.text()))?;
    Ok((body.table, Order::SetPosition { position: Box::new(position), mode }))
}

fn correct_score(body: &CorrectScore) -> Result<(TableNo, Order), BadRequest> {
    if body.moves.len() > PASSAGE_MAX {
        return Err(BadRequest(say::passage_too_long(PASSAGE_MAX)));
    }
    body.moves.iter().try_for_each(|it| short_line("moves", it))?;
    let CorrectScore { table, after, replaces, of, .. } = *body;
    let passage = Passage { after, replaces, moves: body.moves.clone() };
    Ok((table, Order::CorrectScore { passage, of }))
}

fn adjourn(body: &Adjourn) -> Result<(TableNo, Order), BadRequest> {
    for (key, line) in [("resumption", &body.resumption), ("place", &body.place)] {
        short_line(key, line)?;
    }
    let sealing = Sealing {
        sealed_by: body.sealed_by.map(Color::from),
        draw_offer: body.draw_offer.map(Color::from),
        resumption: body.resumption.clone(),
        place: body.place.clone(),
    };
    Ok((body.table, Order::Adjourn(sealing)))
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

pub(super) fn too_long_for_a_clock() -> BadRequest {
    BadRequest(say::no_clock_shows_that())
}
