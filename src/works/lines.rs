//! The lines of the works: opening and closing, finding the language, talking. Seats are given in
//! `seats`.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use eboard::{Driver, Input, Moment, Output, Probe, Probed, Reason, Sighting, Station};
use witness::{LineNo, Place, Seat};

use super::{Act, Board, Line, Machine, Works};
use crate::entry::LineId;

impl Line {
    /// When the line next wants to be woken, and why.
    fn deadline(&self) -> Option<(Moment, Reason)> {
        let machine = match &self.machine {
            Machine::Probing(probe) => probe.deadline(),
            Machine::Talking(_, conversation) => conversation.deadline(),
        };
        let seat_by = self.boards.values().filter_map(|board| board.seat_by).min();
        let seat = seat_by.map(|at| (at, Reason("a board has no table yet")));
        machine.into_iter().chain(seat).min_by_key(|(at, _)| *at)
    }
}

impl Works {
    pub(super) fn opened(&mut self, number: LineNo, id: &LineId, out: &mut Vec<Act>) {
        let fixed = self.fixed_driver(id);
        let machine = match fixed {
            Some(driver) => {
                out.extend(driver.settings().map(|it| Act::Set(number, it)));
                let mut conversation = (driver.converse)();
                conversation.recall(&self.lessons);
                Machine::Talking(driver, conversation)
            }
            None => {
                let probe = Probe::new(self.now, &self.drivers, id.carrier);
                let probe = probe.favouring(&self.languages());
                let known = id.names.iter().find_map(|name| self.spoken.get(name));
                let probe = match known {
                    Some(language) => probe.expecting(self.now, language),
                    None => probe,
                };
                out.extend(probe.settings().map(|settings| Act::Set(number, settings)));
                Machine::Probing(probe)
            }
        };
        let boards = [(Station::ONLY, Board::default())].into();
        self.lines.insert(number, Line { id: id.clone(), noise: 0, machine, boards });
        self.present(Seat::only(number), out);
        self.converse(number, Input::Opened, out);
    }

    /// The languages of the other lines, the most frequent first. The next board is probably of the
    /// same kind.
    fn languages(&self) -> Vec<&str> {
        let mut spoken: BTreeMap<&str, usize> = BTreeMap::new();
        for language in self.spoken.values() {
            *spoken.entry(language).or_default() += 1;
        }
        let mut languages: Vec<_> = spoken.into_iter().collect();
        languages.sort_by_key(|(name, lines)| (Reverse(*lines), *name));
        languages.into_iter().map(|(name, _)| name).collect()
    }

    pub(super) fn fixed_driver(&self, id: &LineId) -> Option<&'static Driver> {
        let is_here = |place: &Place| place.port.as_ref().is_some_and(|it| id.names.contains(it));
        let name = self.plan.places().find(is_here)?.language?;
        let here = |driver: &&&Driver| driver.name == name && driver.speaks_over(id.carrier);
        self.drivers.iter().find(here).copied()
    }

    pub(super) fn closed(&mut self, number: LineNo, out: &mut Vec<Act>) {
        for at in self.seats_on(number) {
            self.leave(at, out);
        }
        let line = self.lines.remove(&number);
        if let Some(Machine::Talking(_, conversation)) = line.map(|line| line.machine) {
            conversation.teach(&mut self.lessons);
        }
        self.agenda.set(number, None);
        self.lifts.gone(number);
        self.seating.gone(number);
        self.seat(out);
    }

    pub(super) fn bytes(&mut self, number: LineNo, bytes: &[u8], out: &mut Vec<Act>) {
        match self.lines.get_mut(&number).map(|line| &mut line.machine) {
            Some(Machine::Probing(probe)) => {
                let mut probed = Vec::new();
                probe.heard(self.now, bytes, &mut probed);
                self.probed(number, probed, out);
            }
            Some(Machine::Talking(..)) => self.converse(number, Input::Bytes(bytes), out),
            None => {}
        }
    }

    pub(super) fn line_due(&mut self, number: LineNo, out: &mut Vec<Act>) {
        let now = self.now;
        let late = |(station, board): (&Station, &Board)| {
            board.seat_by.is_some_and(|at| at <= now).then_some(*station)
        };
        let line = self.lines.get(&number);
        if let Some(station) = line.and_then(|line| line.boards.iter().find_map(late)) {
            return self.waited(Seat { line: number, station }, out);
        }
        match self.lines.get_mut(&number).map(|line| &mut line.machine) {
            Some(Machine::Probing(probe)) => {
                let mut probed = Vec::new();
                probe.due(self.now, &mut probed);
                self.probed(number, probed, out);
            }
            Some(Machine::Talking(..)) => self.converse(number, Input::Due, out),
            None => self.agenda.set(number, None),
        }
    }

    pub(super) fn probed(&mut self, number: LineNo, probed: Vec<Probed>, out: &mut Vec<Act>) {
        for probed in probed {
            match probed {
                Probed::Set(settings) => out.push(Act::Set(number, settings)),
                Probed::Send(bytes) => out.push(Act::Send(number, bytes)),
                Probed::Found { driver, mut conversation, answers } => {
                    conversation.recall(&self.lessons);
                    out.extend(driver.settings().map(|it| Act::Set(number, it)));
                    if let Some(line) = self.lines.get_mut(&number) {
                        line.machine = Machine::Talking(driver, conversation);
                        let names = line.id.names.iter().cloned();
                        self.spoken.extend(names.map(|name| (name, driver.name.to_owned())));
                    }
                    self.answered(number, answers, out);
                    return self.converse(number, Input::Opened, out);
                }
            }
        }
        self.reschedule(number);
    }

    pub(super) fn converse(&mut self, number: LineNo, input: Input<'_>, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        let mut answers = std::mem::take(&mut self.answers);
        if let Machine::Talking(_, conversation) = &mut line.machine {
            conversation.handle(self.now, input, &mut answers);
        }
        self.agenda.set(number, line.deadline());
        self.answered(number, answers.drain(..), out);
        self.answers = answers;
    }

    pub(super) fn reschedule(&mut self, number: LineNo) {
        self.agenda.set(number, self.lines.get(&number).and_then(Line::deadline));
    }

    pub(super) fn answered(
        &mut self,
        number: LineNo,
        answers: impl IntoIterator<Item = Output>,
        out: &mut Vec<Act>,
    ) {
        for answer in answers {
            match answer {
                Output::Send(bytes) => out.push(Act::Send(number, bytes)),
                Output::Noise(_) => self.noise(number, out),
                Output::Saw(station, sighting) => {
                    let seat = Seat { line: number, station };
                    if let Sighting::Identified(identity) = &sighting {
                        self.identified(seat, identity, out);
                    }
                    // Most sightings are seconds of a clock.
                    if sighting.is_of_squares() {
                        self.shows(seat, &sighting, out);
                        let lifted = self.lifts.seen(seat, &sighting);
                        out.extend(lifted.map(|square| Act::KingLifted(seat, square)));
                    }
                    if self.seating.awaits_number(seat) {
                        continue;
                    }
                    let identified = matches!(sighting, Sighting::Identified(_));
                    self.with_hall(out, |hall, now, effects| {
                        hall.sight(now, seat, sighting, effects);
                    });
                    if identified {
                        self.tell_misses(seat, out);
                    }
                }
            }
        }
    }

    pub(super) fn noise(&mut self, number: LineNo, out: &mut Vec<Act>) {
        let Some(line) = self.lines.get_mut(&number) else { return };
        line.noise += 1;
        // The count is published with the device, so it is reported at powers of two only.
        if line.noise.is_power_of_two() {
            out.extend(self.seats_on(number).into_iter().map(Act::Recognised));
        }
    }
}
