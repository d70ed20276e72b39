//! Plays a gesture script at one table and tells what the table made of it.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

pub mod desk;

use eboard::{Colour, Moment, Placement, Sighting};
use rehearsal::{Gesture, Happening, Sensing};
use shakmaty::{CastlingMode, Color, fen::Fen};
use witness::unwinnable::Mate;
use witness::{
    Effect, Ending, Event, Incident, Input, Order, Part, Phase, Refusal, Round, Sealing, Settings,
    Table, Which,
};

/// What may enter at a table, each by its name.
pub trait Doors {
    fn input(&mut self, now: Moment, input: Input, out: &mut Vec<Effect>) -> Result<(), Refusal>;

    fn sight(&mut self, now: Moment, sighting: Sighting, out: &mut Vec<Effect>) {
        self.sight_at(now, Which::First, sighting, out);
    }

    fn sight_at(&mut self, now: Moment, at: Which, sighting: Sighting, out: &mut Vec<Effect>) {
        self.input(now, Input::Seen(Part::Board(at), sighting), out).unwrap();
    }

    fn line(&mut self, now: Moment, present: bool, out: &mut Vec<Effect>) {
        self.line_at(now, Which::First, present, out);
    }

    fn line_at(&mut self, now: Moment, at: Which, present: bool, out: &mut Vec<Effect>) {
        self.input(now, Input::Line(Part::Board(at), present), out).unwrap();
    }

    fn order(&mut self, now: Moment, order: Order, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.input(now, Input::Ordered(order), out)
    }

    fn answer(&mut self, now: Moment, number: u32, mate: Mate, out: &mut Vec<Effect>) {
        self.input(now, Input::Answered(number, mate), out).unwrap();
    }

    fn announce(&mut self, now: Moment, round: Round, out: &mut Vec<Effect>) {
        self.input(now, Input::Announced(Box::new(round)), out).unwrap();
    }

    fn due(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.input(now, Input::Due, out).unwrap();
    }
}

impl Doors for Table {
    fn input(&mut self, now: Moment, input: Input, out: &mut Vec<Effect>) -> Result<(), Refusal> {
        self.handle(now, input, out)
    }
}

/// What a table made of a script.
pub struct Record {
    pub table: Table,
    pub effects: Vec<(Moment, Effect)>,
    /// What stands on a board that reports it when it is asked.
    standing: Option<Placement>,
}

impl Record {
    fn stands(&mut self, happening: Happening) {
        match happening {
            Happening::Board(placement) => self.standing = Some(placement),
            Happening::Square { square, piece } => {
                self.standing.iter_mut().for_each(|it| it[square] = piece);
            }
            _ => {}
        }
    }

    /// The moves in UCI notation.
    pub fn moves(&self) -> String {
        let moves: Vec<_> = self.table.score().plies().iter().map(|ply| ply.uci.as_str()).collect();
        moves.join(" ")
    }

    /// The moves as they were announced at first, with every revision marked `!ply`.
    pub fn announced(&self) -> String {
        let mut words = Vec::new();
        for (_, effect) in &self.effects {
            match effect {
                Effect::Event(Event::Released { index, .. }) => words.push((index + 1).to_string()),
                Effect::Event(Event::Revised { from, .. }) => words.push(format!("!{}", from + 1)),
                _ => {}
            }
        }
        words.join(" ")
    }

    /// Every incident when it was raised.
    pub fn raised(&self) -> Vec<&Incident> {
        raised(&self.effects)
    }

    /// The kinds of all incidents in the order in which they were raised, but for those about how a
    /// move was made (Article 4): these have scenarios of their own.
    pub fn kinds(&self) -> Vec<&'static str> {
        let manners =
            |it: &&&Incident| it.article.starts_with('4') || it.kind == witness::Kind::TwoHands;
        let raised = self.raised();
        raised.iter().filter(|it| !manners(it)).map(|incident| incident.kind.name()).collect()
    }

    /// When a phase began, in milliseconds.
    pub fn began(&self, wanted: Phase) -> Option<u64> {
        self.effects.iter().find_map(|(at, effect)| match effect {
            Effect::Event(Event::Phase(phase)) if *phase == wanted => Some(at.as_micros() / 1000),
            _ => None,
        })
    }
}

/// Plays a script from the first gesture to two seconds after the last.
pub fn play(script: &str) -> Record {
    play_with(script, Settings::default())
}

/// The same with other settings.
pub fn play_with(script: &str, settings: Settings) -> Record {
    play_through(script, settings, |sighting| vec![sighting])
}

/// The same on a board that answers when it is asked for all its squares.
pub fn play_answered(script: &str, settings: Settings) -> Record {
    played(script, settings, |sighting| vec![sighting], Kept { answers: true, ..Kept::default() })
}

/// Plays a script at a table that is put down and taken up again after whatever happens at it.
pub fn play_restarted(script: &str) -> Record {
    let kept = Kept { restarts: true, ..Kept::default() };
    played(script, Settings::default(), |sighting| vec![sighting], kept)
}

/// The same table, as it is after it was written down.
pub fn taken_up(table: &Table) -> Table {
    let kept = bincode::encode_to_vec(table, bincode::config::standard()).unwrap();
    bincode::decode_from_slice(&kept, bincode::config::standard()).unwrap().0
}

/// The same over a line that does this to what the board and its clock say.
pub fn play_through_answered(
    script: &str,
    settings: Settings,
    line: impl FnMut(Sighting) -> Vec<Sighting>,
) -> Record {
    played(script, settings, line, Kept { answers: true, ..Kept::default() })
}

/// Every incident among these when it was raised.
pub fn raised(effects: &[(Moment, Effect)]) -> Vec<&Incident> {
    let raised = effects.iter().filter_map(|(_, effect)| match effect {
        Effect::Raised(incident) => Some(&**incident),
        _ => None,
    });
    raised.collect()
}

/// The same over a line that does this to what the board says after its first picture.
pub fn play_through(
    script: &str,
    settings: Settings,
    line: impl FnMut(Sighting) -> Vec<Sighting>,
) -> Record {
    played(script, settings, line, Kept::default())
}

/// How the table of a script is kept.
#[derive(Clone, Copy, Default)]
struct Kept {
    /// Its board answers when it is asked for all its squares.
    answers: bool,
    /// It is put down and taken up again all the time.
    restarts: bool,
}

fn played(
    script: &str,
    settings: Settings,
    mut line: impl FnMut(Sighting) -> Vec<Sighting>,
    Kept { answers, restarts }: Kept,
) -> Record {
    let script = rehearsal::parse(script).unwrap_or_else(|error| panic!("{error}"));
    let second_board = script.header().second_board.map(|it| match it {
        Colour::White => Color::White,
        Colour::Black => Color::Black,
    });
    let settings = Settings { second_board, ..settings };
    let (table, effects) = (Table::new(settings), Vec::new());
    let mut record = Record { table, effects, standing: None };
    let mut out = Vec::new();
    record.table.line(Moment::ZERO, true, &mut out);
    if script.header().second_board.is_some() {
        record.table.line_at(Moment::ZERO, Which::Second, true, &mut out);
    }
    let mut orders = script.orders();
    for (at, board, happening) in happenings(&script) {
        ask(&mut record, &mut orders, at);
        wake(&mut record, at);
        let begins = matches!(happening, Happening::Board(_));
        if answers && board == Which::First && script.header().sensing == Sensing::Identity {
            record.stands(happening);
        }
        let Some(sighting) = sighting(happening, script.header().sensing) else { continue };
        let heard = if begins { vec![sighting] } else { line(sighting) };
        for sighting in heard {
            record.table.sight_at(at, board, sighting, &mut out);
        }
        let first = begins && board == Which::First;
        if let Some(fen) = script.header().fen.as_ref().filter(|_| first) {
            record.table.order(at, set_position(fen), &mut out).unwrap();
        }
        record.effects.extend(out.drain(..).map(|effect| (at, effect)));
        if restarts {
            record.table = taken_up(&record.table);
        }
    }
    ask(&mut record, &mut orders, script.end());
    wake(&mut record, script.end());
    record
}

/// What happens at both boards, in order.
fn happenings(script: &rehearsal::Script) -> Vec<(Moment, Which, Happening)> {
    let seen = script.header().readings.of(script.play(), 0);
    let first = seen.into_iter().map(|(at, it)| (at, Which::First, it));
    let second = script.play_second().into_iter().map(|(at, it)| (at, Which::Second, it));
    let mut all: Vec<_> = first.chain(second).collect();
    all.sort_by_key(|(at, ..)| *at);
    all
}

fn sighting(happening: Happening, sensing: Sensing) -> Option<Sighting> {
    let blind = sensing == Sensing::Occupancy;
    let sighting = match happening {
        Happening::Board(placement) if blind => Sighting::Occupancy(placement.occupancy()),
        Happening::Board(placement) => Sighting::Position(placement),
        Happening::Square { square, piece } if blind => {
            Sighting::Presence { square, occupied: piece.is_some() }
        }
        Happening::Square { square, piece } => Sighting::Square { square, piece },
        Happening::Clock(face) => Sighting::Clock(face),
        Happening::NoClock => Sighting::ClockLost,
        // The wire's affair.
        Happening::Disturbed(_) => return None,
    };
    Some(sighting)
}

/// The orders of the script that were given before that moment.
fn ask(record: &mut Record, orders: &mut &[(Moment, Gesture)], until: Moment) {
    while let Some((&(at, order), rest)) = orders.split_first().filter(|(it, _)| it.0 < until) {
        *orders = rest;
        wake(record, at);
        let order = match order {
            Gesture::Adjourn => Order::Adjourn(Sealing::default()),
            Gesture::Colours(reversed) => Order::ColoursReversed(reversed),
            Gesture::Result(written) => Order::SetResult(Ending::entered(written)),
            _ => Order::ResumePlay(None),
        };
        let mut out = Vec::new();
        record.table.order(at, order, &mut out).unwrap();
        record.effects.extend(out.into_iter().map(|effect| (at, effect)));
    }
}

/// A game that does not begin at the beginning needs an arbiter's word.
fn set_position(fen: &str) -> Order {
    let mode = CastlingMode::Standard;
    let position = fen.parse::<Fen>().unwrap().into_position(mode).unwrap();
    Order::SetPosition { position: Box::new(position), mode }
}

fn wake(record: &mut Record, until: Moment) {
    let mut out = Vec::new();
    while let Some((at, _)) = record.table.deadline().filter(|(at, _)| *at <= until) {
        record.table.due(at, &mut out);
        let asked = out.iter().any(|effect| matches!(effect, Effect::Survey));
        if let Some(placement) = record.standing.filter(|_| asked) {
            record.table.sight(at, Sighting::Position(placement), &mut out);
        }
        record.effects.extend(out.drain(..).map(|effect| (at, effect)));
    }
}
