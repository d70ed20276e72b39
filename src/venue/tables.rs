//! Virtual tables: emulated boards at the far ends of lines, moved by virtual hands.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;
use std::{future, io};

use eboard::{Driver, Emulator, Moment, Said, Station, Stimulus};
use rehearsal::{Stage, Unplug};
use tokio::sync::mpsc;

use crate::lines::far_end::FarEnd;
use crate::time::Clock;

/// How long an idle board waits before it checks for something to do.
const IDLE: Duration = Duration::from_secs(3600);

/// One emulated board at the far end of a line, or several on a bus.
pub struct VirtualTable {
    /// The far end; none while the cable is out.
    end: Option<FarEnd>,
    pulls: Pulls,
    board: Box<dyn Emulator>,
    clock: Clock,
    /// What somebody lets its hands do, in place of what they do.
    orders: Option<mpsc::Receiver<Stage>>,
}

/// When cables are unplugged and plugged in, in order, each with its board.
#[derive(Default)]
struct Pulls {
    coming: VecDeque<Unplug>,
    again: Option<(&'static Driver, Option<PathBuf>)>,
}

impl VirtualTable {
    /// The boards at this far end.
    #[must_use]
    pub fn new(end: FarEnd, board: Box<dyn Emulator>, clock: Clock) -> Self {
        Self { end: Some(end), pulls: Pulls::default(), board, clock, orders: None }
    }

    /// The same, with a cable that is unplugged at times. A board of this family is then plugged in
    /// under this link.
    #[must_use]
    pub fn pulled(
        self,
        (driver, link): (&'static Driver, Option<PathBuf>),
        pulls: impl IntoIterator<Item = Unplug>,
    ) -> Self {
        let coming = pulls.into_iter().collect();
        Self { pulls: Pulls { coming, again: Some((driver, link)) }, ..self }
    }

    /// The same, whose hands do at its first station what is ordered.
    #[must_use]
    pub fn ordered(self, orders: mpsc::Receiver<Stage>) -> Self {
        Self { orders: Some(orders), ..self }
    }

    /// Plays stage after stage. After the last one the board stands still and answers.
    ///
    /// # Errors
    /// If the line is broken.
    pub async fn live(self, stages: impl FnMut(Moment) -> Option<Stage>) -> io::Result<()> {
        self.live_at(vec![(Station::ONLY, stages)]).await
    }

    /// The same, at several stations of the line.
    ///
    /// # Errors
    /// If the line is broken.
    pub async fn live_at<F: FnMut(Moment) -> Option<Stage>>(
        mut self,
        mut places: Vec<(Station, F)>,
    ) -> io::Result<()> {
        let now = self.clock.now();
        let mut stages: Vec<_> = places.iter_mut().map(|(_, next)| next(now)).collect();
        let mut buffer = vec![0; 512];
        loop {
            for (stage, (station, next)) in stages.iter_mut().zip(&mut places) {
                let Some(over) = stage.take_if(|it| it.over()) else { continue };
                let now = self.clock.now();
                *stage = next(now);
                // The game is over, so its clock must stop. It would count on otherwise.
                let stands = if stage.is_none() { over.stopped(now) } else { None };
                if let Some(stands) = stands {
                    self.feel(stands.change().at(*station))?;
                }
            }
            let wake = self.wake(&stages);
            tokio::select! {
                Some(stage) = next(&mut self.orders) => {
                    if let Some(first) = stages.first_mut() {
                        *first = Some(stage);
                    }
                }
                count = read(self.end.as_mut(), &mut buffer) => {
                    let asked = buffer.get(..count?).unwrap_or_default().to_vec();
                    self.feel(Stimulus::Host(&asked))?;
                }
                () = tokio::time::sleep(wake) => {
                    let now = self.clock.now();
                    self.pull(now)?;
                    if self.board.deadline().is_some_and(|(at, _)| at <= now) {
                        self.feel(Stimulus::Due)?;
                    }
                    for (stage, (station, _)) in stages.iter_mut().zip(&places) {
                        for happening in stage.as_mut().map(|it| it.due(now)).unwrap_or_default() {
                            self.feel(happening.change().at(*station))?;
                        }
                    }
                }
            }
        }
    }

    fn wake(&self, stages: &[Option<Stage>]) -> Duration {
        let board = self.board.deadline().map(|(at, _)| at);
        let stages = stages.iter().flatten().filter_map(Stage::next);
        let pulled = self.pulled_at();
        board.into_iter().chain(stages).chain(pulled).min().map_or(IDLE, |at| self.clock.until(at))
    }

    /// The next time a cable is unplugged or plugged in.
    fn pulled_at(&self) -> Option<Moment> {
        let next = self.pulls.coming.front()?;
        Some(if self.end.is_some() { next.at } else { next.end() })
    }

    fn pull(&mut self, now: Moment) -> io::Result<()> {
        if self.pulled_at().is_none_or(|at| now < at) {
            return Ok(());
        }
        if self.end.take().is_some() {
            return Ok(());
        }
        self.pulls.coming.pop_front();
        if let Some((driver, link)) = &self.pulls.again {
            self.end = Some(FarEnd::of(driver, link.as_deref())?);
        }
        Ok(())
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) -> io::Result<()> {
        let mut said = Said::default();
        self.board.handle(self.clock.now(), stimulus, &mut said);
        match &mut self.end {
            Some(end) => end.say(said),
            // The cable is out, so the bytes are lost.
            None => Ok(()),
        }
    }
}

/// The next order; it never comes where nobody gives any.
async fn next(orders: &mut Option<mpsc::Receiver<Stage>>) -> Option<Stage> {
    match orders {
        Some(orders) => orders.recv().await,
        None => future::pending().await,
    }
}

/// The bytes from the other end; none while the cable is out.
async fn read(end: Option<&mut FarEnd>, buffer: &mut [u8]) -> io::Result<usize> {
    match end {
        Some(end) => end.read(buffer).await,
        None => future::pending().await,
    }
}
