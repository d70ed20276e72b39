//! The host's side of a conversation, the same for both kinds of board: these boards talk by
//! themselves, so it only listens and never sends. What stands where is the [`Family`]'s business.

use bincode::{BorrowDecode, Decode, Encode};
use eboard::{
    Anomaly, Device, Identity, Input, Lessons, Moment, Outbox, Presence, Reason, Sense, Sighting,
    Square, Station,
};

use crate::decoder::Decoder;
use crate::frame::Message;

/// If more squares than these change at once, the whole board is told instead.
const SINGLY: usize = 8;

/// One kind of board: how its frames become a picture.
pub trait Family: Default + Send + Encode + Decode<()> {
    /// What its boards sense.
    type Senses: Sense<Content = Self::Content>;
    /// What one square can hold.
    type Content: Copy + PartialEq + Send + Encode + Decode<()>;
    /// The name of its driver.
    const NAME: &'static str;
    /// An empty square.
    const EMPTY: Self::Content;

    /// Takes a frame in.
    ///
    /// # Errors
    /// When this kind of board does not send such a frame.
    fn take(&mut self, frame: &Message) -> Result<(), Anomaly>;

    /// Bytes came that were no message.
    fn disturbed(&mut self);

    /// Whether enough was heard to know that it is this kind of board.
    fn recognised(&self) -> bool;

    /// What stands on the 64 squares, a8 first; `None` as long as that is not known.
    fn picture(&self) -> Option<[Self::Content; 64]>;

    /// The picture as the contract wants it.
    fn board(picture: &[Self::Content; 64]) -> <Self::Senses as Sense>::Board;

    /// The board was silent: what it showed last is no evidence any more.
    fn begin_again(&mut self);

    /// Adds what holds on every line.
    fn teach(&self, _lessons: &mut Lessons) {}

    /// Takes what was learned on other lines.
    fn recall(&mut self, _lessons: &Lessons) {}
}

/// One conversation with a board that talks by itself.
#[derive(Debug, Encode, Decode)]
#[bincode(
    decode_bounds = "F: Decode<__Context>, F::Content: Decode<__Context>",
    borrow_decode_bounds = "F: BorrowDecode<'__de, __Context>,
                            F::Content: BorrowDecode<'__de, __Context>"
)]
pub struct Stream<F: Family> {
    decoder: Decoder,
    family: F,
    presence: Presence,
    /// The board has been recognised, and this has been said.
    known: bool,
    /// The whole board is to be told with the next frame.
    survey: bool,
    shown: Option<[F::Content; 64]>,
}

impl<F: Family> Default for Stream<F> {
    fn default() -> Self {
        Self {
            decoder: Decoder::default(),
            family: F::default(),
            presence: Presence::default(),
            known: false,
            survey: false,
            shown: None,
        }
    }
}

impl<F: Family> Device for Stream<F> {
    type Senses = F::Senses;

    fn handle(&mut self, now: Moment, input: Input<'_>, out: &mut Outbox<'_, F::Senses>) {
        match input {
            Input::Opened => self.open(now),
            Input::Bytes(bytes) => self.listen(now, bytes, out),
            Input::Due => self.mind_silence(now, out),
            Input::Survey(_) => self.survey = true,
        }
    }

    fn deadline(&self) -> Option<(Moment, Reason)> {
        self.presence.deadline()
    }

    fn teach(&self, lessons: &mut Lessons) {
        self.family.teach(lessons);
    }

    fn recall(&mut self, lessons: &Lessons) {
        self.family.recall(lessons);
    }
}

impl<F: Family> Stream<F> {
    /// What was learned by listening is kept: after a search the line goes on where it was.
    fn open(&mut self, now: Moment) {
        // Half a frame is nobody's when the rest of it is gone.
        self.decoder = Decoder::default();
        self.presence = Presence::opened(now);
        self.known = false;
    }

    fn listen(&mut self, now: Moment, bytes: &[u8], out: &mut Outbox<'_, F::Senses>) {
        for message in self.decoder.feed(bytes) {
            match message {
                Ok(Message::Lit(_)) => {}
                Ok(frame) => self.hear(now, &frame, out),
                Err(anomaly) => {
                    self.family.disturbed();
                    out.noise(anomaly);
                }
            }
        }
    }

    fn hear(&mut self, now: Moment, frame: &Message, out: &mut Outbox<'_, F::Senses>) {
        if let Err(anomaly) = self.family.take(frame) {
            return out.noise(anomaly);
        }
        self.presence.heard(now);
        if !self.family.recognised() {
            return;
        }
        if !self.known {
            let identity = Identity { driver: F::NAME.into(), ..Identity::default() };
            out.beside(Station::ONLY, Sighting::Identified(identity));
            self.known = true;
            self.survey = true;
        }
        if let Some(picture) = self.family.picture() {
            self.tell(picture, out);
        }
    }

    /// Tells what is new. Within one frame nothing says what came first: lifts are told first, as
    /// a hand must.
    fn tell(&mut self, picture: [F::Content; 64], out: &mut Outbox<'_, F::Senses>) {
        let shown = self.shown.replace(picture).filter(|_| !self.survey);
        let news = shown.map(|shown| news::<F>(&shown, &picture));
        match news.filter(|news| news.len() <= SINGLY) {
            Some(news) => {
                for (square, content) in news {
                    out.square(Station::ONLY, square, content);
                }
            }
            None => out.board(Station::ONLY, F::board(&picture)),
        }
        self.survey = false;
    }

    fn mind_silence(&mut self, now: Moment, out: &mut Outbox<'_, F::Senses>) {
        if !self.presence.falls_silent(now) {
            return;
        }
        out.beside(Station::ONLY, Sighting::Silent);
        self.known = false;
        self.family.begin_again();
    }
}

fn news<F: Family>(was: &[F::Content; 64], is: &[F::Content; 64]) -> Vec<(Square, F::Content)> {
    let pairs = Square::all().zip(was.iter().zip(is));
    let changes = pairs.filter(|(_, (was, is))| was != is).map(|(square, (_, is))| (square, *is));
    let (lifted, placed): (Vec<_>, Vec<_>) = changes.partition(|(_, is)| *is == F::EMPTY);
    lifted.into_iter().chain(placed).collect()
}
