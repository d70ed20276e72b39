//! Games from a PGN file, for virtual hands. A game ends before its first impossible move:
//! broadcasts often end with kings on the centre squares, which show the result.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use rehearsal::Game;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Outcome, Position};

use crate::exit::{self, Failure};

/// The games of a file that have at least one move.
///
/// # Errors
/// If the file cannot be read, or contains no game.
pub fn read(path: &Path) -> Result<Vec<Game>, Failure> {
    let fail = |error: &std::io::Error| Failure::file(path, error);
    let file = File::open(path).map_err(|error| fail(&error))?;
    let mut reader = Reader::new(BufReader::new(file));
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Collector).map_err(|error| fail(&error))? {
        games.extend(Some(game).filter(|game| !game.moves.is_empty()));
    }
    if games.is_empty() {
        return Err(Failure::new(exit::DATA, format!("{}: no game in it", path.display())));
    }
    Ok(games)
}

/// Collects the parts of a game.
struct Collector;

/// The parts collected so far.
#[derive(Default)]
struct Tags {
    names: [String; 5],
    start: Option<Chess>,
}

/// The tags that are kept, in the order of [`Tags::names`].
const KEPT: [&[u8]; 5] = [b"White", b"Black", b"Event", b"Site", b"Date"];

struct Movetext {
    tags: Tags,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    legal: bool,
    outcome: Outcome,
}

impl Visitor for Collector {
    type Tags = Tags;
    type Movetext = Movetext;
    type Output = Game;

    fn begin_tags(&mut self) -> ControlFlow<Game, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Game> {
        if let Some(kept) = KEPT.iter().position(|kept| *kept == name) {
            tags.names[kept] = value.decode_utf8_lossy().into_owned();
        } else if name == b"FEN" {
            tags.start = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, mut tags: Tags) -> ControlFlow<Game, Movetext> {
        let start = tags.start.take().unwrap_or_default();
        let position = start.clone();
        let outcome = Outcome::Unknown;
        ControlFlow::Continue(Movetext {
            tags,
            start,
            position,
            moves: Vec::new(),
            legal: true,
            outcome,
        })
    }

    fn san(&mut self, game: &mut Movetext, san: SanPlus) -> ControlFlow<Game> {
        match san.san.to_move(&game.position) {
            Ok(mv) if game.legal => {
                game.position.play_unchecked(mv);
                game.moves.push(mv);
            }
            _ => game.legal = false,
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Movetext) -> ControlFlow<Game, pgn_reader::Skip> {
        ControlFlow::Continue(pgn_reader::Skip(true))
    }

    fn outcome(&mut self, game: &mut Movetext, outcome: Outcome) -> ControlFlow<Game> {
        game.outcome = outcome;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, movetext: Movetext) -> Game {
        let [white, black, event, site, date] = movetext.tags.names;
        let Movetext { start, moves, outcome, .. } = movetext;
        Game { white, black, event, site, date, start, moves, irregular: None, outcome }
    }
}
