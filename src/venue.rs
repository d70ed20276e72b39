//! Virtual tables: emulated boards at the far ends of lines, with virtual hands over them.

use std::time::Duration;

use eboard::{Emulator, Moment, Said, Station, Stimulus};
use rehearsal::Stage;

use crate::far_end::FarEnd;
use crate::time::Clock;

/// How long an idle virtual board waits before it looks at itself again.
const IDLE: Duration = Duration::from_secs(3600);

/// One emulated board at the far end of a line, or several where the line is a bus.
pub struct VirtualTable {
    end: FarEnd,
    board: Box<dyn Emulator>,
    clock: Clock,
}

impl VirtualTable {
    /// A board at this end, or several.
    #[must_use]
    pub fn new(end: FarEnd, board: Box<dyn Emulator>, clock: Clock) -> Self {
        Self { end, board, clock }
    }

    /// Stages follow one another until there are none; then the board stands still and answers.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn live(self, stages: impl FnMut(Moment) -> Option<Stage>) -> std::io::Result<()> {
        self.live_at(vec![(Station::ONLY, stages)]).await
    }

    /// The same at several places of the line.
    ///
    /// # Errors
    /// When the line is broken.
    pub async fn live_at<F: FnMut(Moment) -> Option<Stage>>(
        mut self,
        mut places: Vec<(Station, F)>,
    ) -> std::io::Result<()> {
        let now = self.clock.now();
        let mut stages: Vec<_> = places.iter_mut().map(|(_, next)| next(now)).collect();
        let mut buffer = vec![0; 512];
        loop {
            for (stage, (_, next)) in stages.iter_mut().zip(&mut places) {
                if stage.as_ref().is_some_and(Stage::over) {
                    *stage = next(self.clock.now());
                }
            }
            let wake = self.wake(&stages);
            tokio::select! {
                count = self.end.read(&mut buffer) => {
                    let asked = buffer.get(..count?).unwrap_or_default().to_vec();
                    self.feel(Stimulus::Host(&asked))?;
                }
                () = tokio::time::sleep(wake) => {
                    let now = self.clock.now();
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
        board.into_iter().chain(stages).min().map_or(IDLE, |at| self.clock.until(at))
    }

    fn feel(&mut self, stimulus: Stimulus<'_>) -> std::io::Result<()> {
        let mut said = Said::default();
        self.board.handle(self.clock.now(), stimulus, &mut said);
        self.end.say(said)
    }
}
