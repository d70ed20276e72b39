//! The adjournment sheet (Guideline I.2) as a page to be printed: what stands on the envelope, with
//! the position before the sealed move as a diagram and as FEN. Made from the record.

use std::fmt::Write as _;

use eboard::FaceTime;
use shakmaty::{Board, ByColor, Color, EnPassantMode, File, Piece, Rank, Square, fen::Fen};
use witness::Adjournment;

use crate::config::Config;
use crate::entry::Entry;
use crate::journal::Record;
use crate::pairings::Players;
use crate::time::{Anchor, WallTime};
use crate::works::Works;

/// A game that is adjourned at the end of a record.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The table.
    pub table: u32,
    /// What stands on it.
    pub adjournment: Adjournment,
    /// Who plays, where pairings or an arbiter said so.
    pub players: Option<Players>,
    /// When the game was adjourned; none: the record does not say what time of day it was.
    pub at: Option<WallTime>,
}

/// Words of the page in one language.
struct Words {
    title: &'static str,
    table: &'static str,
    round: &'static str,
    sides: [&'static str; 2],
    left: &'static str,
    used: &'static str,
    to_move: &'static str,
    sealed: &'static str,
    number: &'static str,
    envelope: &'static str,
    /// When the envelope is opened (I.7): as White is to reply, or Black.
    opened: [&'static str; 2],
    offer: [&'static str; 2],
    adjourned: &'static str,
    resumption: &'static str,
    place: &'static str,
    arbiter: &'static str,
}

const EN: Words = Words {
    title: "Adjournment sheet",
    table: "Table",
    round: "Round",
    sides: ["White", "Black"],
    left: "Time left",
    used: "Time used",
    to_move: "Position immediately before the sealed move",
    sealed: "Move sealed by",
    number: "Number of the sealed move",
    envelope: "Envelope",
    opened: [
        "waits with the arbiter; opened when White, who is to reply, is there",
        "waits with the arbiter; opened when Black, who is to reply, is there",
    ],
    offer: ["Offer of a draw", "none"],
    adjourned: "Adjourned",
    resumption: "Resumption, date and time",
    place: "Place",
    arbiter: "Arbiter",
};
const FR: Words = Words {
    title: "Feuille d'ajournement",
    table: "Table",
    round: "Ronde",
    sides: ["Blancs", "Noirs"],
    left: "Temps restant",
    used: "Temps utilisé",
    to_move: "Position juste avant le coup mis sous pli",
    sealed: "Coup mis sous pli par",
    number: "Numéro du coup mis sous pli",
    envelope: "Enveloppe",
    opened: [
        "attend chez l'arbitre ; ouverte quand les Blancs, qui doivent répondre, sont là",
        "attend chez l'arbitre ; ouverte quand les Noirs, qui doivent répondre, sont là",
    ],
    offer: ["Proposition de nulle", "aucune"],
    adjourned: "Ajournée",
    resumption: "Reprise, date et heure",
    place: "Lieu",
    arbiter: "Arbitre",
};

/// The games that are adjourned at the end of a record, by table.
#[must_use]
pub fn sheets(records: &[Record]) -> Vec<Sheet> {
    let mut works = Works::new(catalog::languages());
    let (mut acts, mut anchor) = (Vec::new(), None);
    for (at, entry) in records {
        if let Entry::Wall(micros) = entry {
            anchor = Some(Anchor { moment: *at, wall: WallTime::from_micros(*micros) });
        }
        works.enter(*at, entry, &mut acts);
        acts.clear();
    }
    let tables = works.hall().tables();
    let adjourned = tables.filter_map(|(table, machine)| {
        let adjournment = machine.adjournment()?.clone();
        let at = anchor.as_ref().map(|anchor| anchor.wall(adjournment.at));
        Some(Sheet { table, adjournment, players: works.players(table), at })
    });
    adjourned.collect()
}

/// One sheet for each game, each on a page of its own, in one of the languages of the house.
#[must_use]
pub fn html(sheets: &[Sheet], config: &Config, language: &str) -> String {
    let words = if language == "fr" { &FR } else { &EN };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><meta charset=\"utf-8\"><title>{}</title>\n\
         <style>body{{font:12pt sans-serif}}section{{break-after:page}}\
         table{{border-collapse:collapse;margin:1em 0}}\
         .facts td,.facts th{{border:1px solid #888;padding:.3em .6em;text-align:left;\
         min-width:8em;height:1.2em}}\
         .board td{{width:1.5em;height:1.5em;text-align:center;font-size:20pt;\
         border:1px solid #888}}.board .dark{{background:#ddd;print-color-adjust:exact}}\
         .board th{{font-weight:normal;padding:.2em .5em}}@page{{margin:1.5cm}}</style>\n",
        words.title
    );
    for sheet in sheets {
        section(&mut page, sheet, config, words);
    }
    page.push_str("</html>\n");
    page
}

fn section(page: &mut String, sheet: &Sheet, config: &Config, words: &Words) {
    let event = &config.event;
    let round = match event.round.as_str() {
        "" => String::new(),
        round => format!("{} {round}", words.round),
    };
    let table = format!("{} {}", words.table, sheet.table);
    let line = [&event.name, &event.site, &round, &table];
    let line: Vec<_> =
        line.into_iter().filter(|part| !part.is_empty()).map(|it| escaped(it)).collect();
    let _ = writeln!(page, "<section>\n<h1>{}</h1>\n<p>{}", words.title, line.join(" · "));
    let position = &sheet.adjournment.position;
    let named = sheet.players.clone().unwrap_or_else(|| config.players(sheet.table));
    players(page, sheet, &named, words);
    let _ = writeln!(page, "<h2>{}</h2>", words.to_move);
    diagram(page, shakmaty::Position::board(position));
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let _ = writeln!(page, "<p>FEN <code>{fen}</code>");
    facts(page, sheet, &named, words);
    page.push_str("</section>\n");
}

fn players(page: &mut String, sheet: &Sheet, players: &Players, words: &Words) {
    let Adjournment { left, used, .. } = &sheet.adjournment;
    let _ = writeln!(
        page,
        "<table class=\"facts\"><tr><th><th><th>{}<th>{}</tr>",
        words.left, words.used
    );
    for side in Color::ALL {
        let name = name(players, side);
        let _ = writeln!(
            page,
            "<tr><th>{}<td>{}<td>{}<td>{}</tr>",
            words.side(side),
            escaped(name),
            shown(left.as_ref(), side),
            shown(used.as_ref(), side)
        );
    }
    page.push_str("</table>\n");
}

fn name(players: &Players, side: Color) -> &str {
    match side {
        Color::White => &players.white.name,
        Color::Black => &players.black.name,
    }
}

/// The position in signs of pieces, White's first rank at the bottom.
fn diagram(page: &mut String, board: &Board) {
    page.push_str("<table class=\"board\">\n");
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(page, "<tr><th>{rank}");
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let class = if square.is_dark() { " class=\"dark\"" } else { "" };
            let sign = board.piece_at(square).map_or(' ', figurine);
            let _ = write!(page, "<td{class}>{sign}");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("<tr><th>");
    for file in File::ALL {
        let _ = write!(page, "<th>{file}");
    }
    page.push_str("</tr>\n</table>\n");
}

fn figurine(piece: Piece) -> char {
    let signs = match piece.color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    signs[usize::from(piece.role) - 1]
}

fn facts(page: &mut String, sheet: &Sheet, players: &Players, words: &Words) {
    let adjournment = &sheet.adjournment;
    let by = adjournment.sealed_by;
    let sealed = match escaped(name(players, by)) {
        name if name.is_empty() => words.side(by).to_owned(),
        name => format!("{} · {name}", words.side(by)),
    };
    let offer = adjournment.draw_offer.map_or(words.offer[1], |side| words.side(side));
    let rows = [
        (words.sealed, sealed),
        (words.number, adjournment.move_number().to_string()),
        (words.envelope, words.opened_for(!by).to_owned()),
        (words.offer[0], offer.to_owned()),
        (words.adjourned, sheet.at.map_or_else(String::new, WallTime::rfc3339)),
        (words.resumption, escaped(&adjournment.resumption)),
        (words.place, escaped(&adjournment.place)),
        (words.arbiter, String::new()),
    ];
    page.push_str("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(page, "<tr><th>{name}<td>{value}</tr>");
    }
    page.push_str("</table>\n");
}

impl Words {
    const fn side(&self, side: Color) -> &'static str {
        match side {
            Color::White => self.sides[0],
            Color::Black => self.sides[1],
        }
    }

    const fn opened_for(&self, reply: Color) -> &'static str {
        match reply {
            Color::White => self.opened[0],
            Color::Black => self.opened[1],
        }
    }
}

fn shown(times: Option<&ByColor<FaceTime>>, side: Color) -> String {
    times.map_or_else(String::new, |times| times.get(side).to_string())
}

/// What somebody has written, as text of a page.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
