//! The host's side of a bus: one question on the line at a time, and every board in its turn.
//!
//! Bytes only change what is known; whatever is to be sent is sent when its moment has come.

use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};
use std::time::Duration;

use bincode::{Decode, Encode};
use eboard::{Anomaly, Device, Input, Moment, Outbox, Pieces, Reason, Station};

use super::board::Board;
use super::discovery::{Discovery, MOST};
use super::frame::{Answer, BusDecoder, BusHeard, EVERYBODY, Request};

/// A line just opened is left alone for so long.
const SETTLE: Duration = Duration::from_millis(500);
/// After an answer the line is left alone for so long: the board lets go of it.
pub(crate) const GAP: Duration = Duration::from_millis(2);
/// Boards answer within milliseconds, within 20 ms while they write (the maker's header, which
/// advises 80 ms). Counted from the last byte that came.
const TIMEOUT: Duration = Duration::from_millis(80);
/// The longest answer takes 8.3 s of the line. A line that never ends to talk is not waited for.
const LONGEST: Duration = Duration::from_secs(9);

/// A board is not asked for changes more often than this: boards on lines of their own scan their
/// squares as often, and the journal stays small.
const REST: Duration = Duration::from_millis(250);

/// One conversation with all boards of a bus.
#[derive(Debug, Default, Encode, Decode)]
pub struct BusHost {
    decoder: BusDecoder,
    talk: Talk,
}

impl BusHost {
    /// A conversation in which each board is asked for changes at most once in so long.
    #[must_use]
    pub fn resting(rest: Duration) -> Self {
        let talk = Talk { rest: Some(rest), ..Talk::default() };
        Self { talk, ..Self::default() }
    }
}

impl Device for BusHost {
    type Senses = Pieces;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, Pieces>) {
        let talk = &mut self.talk;
        match input {
            Input::Opened => {
                self.decoder = BusDecoder::default();
                talk.open(now);
            }
            Input::Bytes([]) => {}
            Input::Bytes(bytes) => {
                if let Some(asked) = talk.line.as_mut().and_then(|line| line.asked.as_mut()) {
                    asked.quiet_since = now;
                }
                self.decoder.feed(bytes, |heard| match heard {
                    BusHeard::Answer(station, answer) => talk.hear((now, station), &answer, out),
                    BusHeard::Noise(anomaly) => talk.noise(anomaly, out),
                });
            }
            Input::Survey(station) => {
                if let Some(board) = talk.boards.get_mut(&station) {
                    board.survey(now);
                }
            }
            Input::Due => talk.act(now, out),
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        let line = self.talk.line.as_ref()?;
        if let Some(asked) = &line.asked {
            return Some((asked.until(), Reason("a board has not answered")));
        }
        if let Some(until) = line.discovery.until() {
            return Some((until, Reason("everybody on the bus has been asked")));
        }
        let (at, reason) = self.talk.next(line);
        Some((at.max(line.free), reason))
    }
}

/// Everything of a conversation but the bytes.
#[derive(Debug, Default, Encode, Decode)]
struct Talk {
    boards: BTreeMap<Station, Board>,
    /// How long a board is left alone, if not as usual.
    rest: Option<Duration>,
    /// Only a line that has been opened may be written to.
    line: Option<Line>,
}

#[derive(Debug, Encode, Decode)]
struct Line {
    /// Nothing is sent before.
    free: Moment,
    asked: Option<Asked>,
    /// Whose turn was last.
    turn: Station,
    /// It has answered, and may be asked one thing more.
    visiting: bool,
    discovery: Discovery,
}

/// The question on the line.
#[derive(Clone, Copy, Debug, Encode, Decode)]
struct Asked {
    station: Station,
    request: Request,
    at: Moment,
    quiet_since: Moment,
}

impl Asked {
    fn until(&self) -> Moment {
        (self.quiet_since + TIMEOUT).min(self.at + LONGEST)
    }
}

impl Talk {
    fn open(&mut self, now: Moment) {
        let begin = now + SETTLE;
        for board in self.boards.values_mut() {
            *board = Board::known(begin);
        }
        self.line = Some(Line {
            free: begin,
            asked: None,
            turn: EVERYBODY,
            visiting: false,
            discovery: Discovery::begin(begin),
        });
    }

    fn hear(
        &mut self,
        (now, station): (Moment, Station),
        answer: &Answer<'_>,
        out: &mut Outbox<'_, Pieces>,
    ) {
        let Some(line) = &mut self.line else {
            if self.boards.len() < MOST || self.boards.contains_key(&station) {
                let board = self.boards.entry(station).or_insert_with(|| Board::unheard(now));
                board.answered((now, station), answer, None, out);
            }
            return;
        };
        let mine = |asked: &mut Asked| asked.station == station && answers(answer, asked.request);
        let to = line.asked.take_if(mine).map(|asked| asked.request);
        if to.is_some() {
            line.free = line.free.max(now + GAP);
        }
        if let Some(board) = self.boards.get_mut(&station) {
            board.answered((now, station), answer, to, out);
            // What it showed is reported after the log has reported what came before.
            line.visiting |= to.is_some() && station == line.turn && board.wants_log();
        } else if to.is_some() || matches!(answer, Answer::Board(_)) {
            // A whole board is no accident. In a recording nobody confirms anything.
            line.discovery.confirmed(station);
            let mut board = Board::known(now);
            board.hushed = to.is_some();
            board.answered((now, station), answer, to, out);
            self.make_room();
            self.boards.insert(station, board);
        } else {
            line.discovery.stranger(station);
        }
    }

    /// Whoever is silent makes room for whoever is there.
    fn make_room(&mut self) {
        if self.boards.len() >= MOST {
            let silent = self.boards.iter().find(|(_, board)| board.is_silent());
            if let Some(station) = silent.map(|(station, _)| *station) {
                self.boards.remove(&station);
            }
        }
    }

    fn noise(&mut self, anomaly: Anomaly, out: &mut Outbox<'_, Pieces>) {
        out.noise(anomaly);
        match &mut self.line {
            Some(line) => line.discovery.noise(),
            None => self.boards.values_mut().for_each(Board::noise),
        }
    }

    fn act(&mut self, now: Moment, out: &mut Outbox<'_, Pieces>) {
        let Some(line) = &mut self.line else { return };
        if let Some(asked) = line.asked.take_if(|asked| asked.until() <= now) {
            let Asked { station, request, .. } = asked;
            line.visiting = false;
            match self.boards.get_mut(&station) {
                Some(board) => board.missed((now, station), request, out),
                None => line.discovery.unconfirmed(station),
            }
        }
        line.discovery.close(now, !self.boards.is_empty());
        if line.asked.is_some() || line.discovery.until().is_some() || now < line.free {
            return;
        }
        let Some((station, request)) = self.choose(now) else { return };
        out.send(request.to(station));
        let Some(line) = &mut self.line else { return };
        if station == EVERYBODY {
            line.discovery.asked(now);
            self.boards.values_mut().for_each(|board| board.hushed = false);
            return;
        }
        line.asked = Some(Asked { station, request, at: now, quiet_since: now });
        if let Some(board) = self.boards.get_mut(&station) {
            board.asked(now, request, self.rest.unwrap_or(REST));
        }
    }

    /// Who is asked now, and what. Boards come in turn by address; with its turn each may be asked
    /// one thing more, so that a board with much to tell does not keep the others waiting.
    fn choose(&mut self, now: Moment) -> Option<(Station, Request)> {
        let line = self.line.as_mut()?;
        let hush = line.discovery.at() <= now;
        if std::mem::take(&mut line.visiting)
            && let Some(request) = self.boards.get(&line.turn)?.extra(now, hush)
        {
            return Some((line.turn, request));
        }
        if let Some(station) = line.discovery.doubtful() {
            if self.boards.len() < MOST || self.boards.values().any(Board::is_silent) {
                return Some((station, Request::PingAndHush));
            }
            line.discovery.confirmed(station);
        }
        if hush && self.boards.values().all(|board| board.hushed || board.is_missed()) {
            return Some((EVERYBODY, Request::Ping));
        }
        let after = self.boards.range((Excluded(line.turn), Unbounded));
        let mut in_turn = after.chain(self.boards.range(..=line.turn));
        let Some((station, board)) = in_turn.find(|(_, board)| board.turn().0 <= now) else {
            let idle = self.boards.iter().filter_map(|(it, board)| Some((board.idle()?, *it)));
            let (_, station) = idle.filter(|(at, _)| *at <= now).min()?;
            line.turn = station;
            return Some((station, Request::Clock));
        };
        (line.turn, line.visiting) = (*station, !board.is_missed());
        Some((*station, board.turn().1))
    }

    /// When something is to be sent next, and what for.
    fn next(&self, line: &Line) -> (Moment, Reason) {
        let turn = self.boards.values().map(|board| board.turn().0).min();
        let turn = turn.map(|at| (at, Reason("a board is to tell what has changed")));
        let hushed = self.boards.values().all(|board| board.hushed || board.is_missed());
        let search = (line.discovery.at(), Reason("who is on the bus"));
        let search = Some(search).filter(|_| hushed || turn.is_none());
        let more = line.discovery.doubtful().is_some() || line.visiting;
        let more = more.then_some((line.free, Reason("a board is to tell more")));
        let idle = self.boards.values().filter_map(Board::idle).min();
        let idle = idle.map(|at| (at, Reason("a clock is asked while nobody else is")));
        let next = [more, turn, search, idle].into_iter().flatten().min_by_key(|(at, _)| *at);
        next.unwrap_or((line.discovery.at(), Reason("who is on the bus")))
    }
}

/// Whether this is what that question asks for.
const fn answers(answer: &Answer<'_>, request: Request) -> bool {
    matches!(
        (answer, request),
        (Answer::Board(_), Request::Board)
            | (Answer::Clock(_), Request::Clock)
            | (Answer::Changes { .. }, Request::Changes | Request::Repeat)
            | (Answer::Ping, Request::Ping | Request::PingAndHush)
            | (Answer::Version(_), Request::Version)
    )
}
