//! The adjournment sheet (Guideline I.2) as a page to print: what stands on the envelope, with the
//! position before the sealed move as a diagram and as a FEN. It is made from the record.

use std::fmt::Write as _;

use eboard::FaceTime;
use shakmaty::{Board, ByColor, Color, EnPassantMode, File, Piece, Rank, Square, fen::Fen};
use witness::{Adjournment, TableNo};
use words::Language;

use crate::config::Config;
use crate::entry::Entry;
use crate::entry::Record;
use crate::html::escaped;
use crate::pairings::Players;
use crate::say;
use crate::time::{Anchor, WallTime};
use crate::works::Works;

/// A game that is adjourned at the end of a record.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The table.
    pub table: TableNo,
    /// The content of the sheet.
    pub adjournment: Adjournment,
    /// The players, if pairings or an arbiter name them.
    pub players: Option<Players>,
    /// When the game was adjourned; none: the record has no time of day for it.
    pub at: Option<WallTime>,
}

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

/// One sheet for each game on a page of its own, in one of the languages of the event.
#[must_use]
pub fn html(sheets: &[Sheet], config: &Config, language: &str) -> String {
    let language = Language::of(language).unwrap_or(Language::ENGLISH);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><meta charset=\"utf-8\"><title>{}</title>\n\
         <style>body{{font:12pt sans-serif}}section{{break-after:page}}\
         table{{border-collapse:collapse;margin:1em 0}}\
         .facts td,.facts th{{border:1px solid #888;padding:.3em .6em;text-align:left;\
         min-width:8em;height:1.2em}}\
         .board td{{width:1.5em;height:1.5em;text-align:center;font-size:20pt;\
         border:1px solid #888}}.board .dark{{background:#ddd;print-color-adjust:exact}}\
         .board th{{font-weight:normal;padding:.2em .5em}}@page{{margin:1.5cm}}</style>\n",
        language.say(&say::adjournment_sheet())
    );
    for sheet in sheets {
        section(&mut page, sheet, config, language);
    }
    page.push_str("</html>\n");
    page
}

fn section(page: &mut String, sheet: &Sheet, config: &Config, language: Language) {
    let event = &config.event;
    let round = match event.round.as_str() {
        "" => String::new(),
        round => language.say(&say::paper_round(round)),
    };
    let table = language.say(&say::paper_table(sheet.table));
    let line = [&event.name, &event.site, &round, &table];
    let line: Vec<_> =
        line.into_iter().filter(|part| !part.is_empty()).map(|it| escaped(it)).collect();
    let title = language.say(&say::adjournment_sheet());
    let _ = writeln!(page, "<section>\n<h1>{title}</h1>\n<p>{}", line.join(" · "));
    let position = &sheet.adjournment.position;
    let named = sheet.players.clone().unwrap_or_else(|| config.players(sheet.table));
    players(page, sheet, &named, language);
    let _ = writeln!(page, "<h2>{}</h2>", language.say(&say::before_sealed_move()));
    diagram(page, shakmaty::Position::board(position));
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let _ = writeln!(page, "<p>FEN <code>{fen}</code>");
    facts(page, sheet, &named, language);
    page.push_str("</section>\n");
}

fn players(page: &mut String, sheet: &Sheet, players: &Players, language: Language) {
    let Adjournment { left, used, .. } = &sheet.adjournment;
    let _ = writeln!(
        page,
        "<table class=\"facts\"><tr><th><th><th>{}<th>{}</tr>",
        language.say(&say::time_left()),
        language.say(&say::time_used())
    );
    for side in Color::ALL {
        let name = name(players, side);
        let _ = writeln!(
            page,
            "<tr><th>{}<td>{}<td>{}<td>{}</tr>",
            side_name(language, side),
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

/// The position in signs of pieces, with White's first rank at the bottom.
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

fn facts(page: &mut String, sheet: &Sheet, players: &Players, language: Language) {
    let adjournment = &sheet.adjournment;
    let by = adjournment.sealed_by;
    let sealed = match escaped(name(players, by)) {
        name if name.is_empty() => side_name(language, by),
        name => format!("{} · {name}", side_name(language, by)),
    };
    let offer = match adjournment.draw_offer {
        Some(side) => side_name(language, side),
        None => language.say(&say::no_draw_offer()),
    };
    let rows = [
        (say::move_sealed_by(), sealed),
        (say::sealed_move_number(), adjournment.move_number().to_string()),
        (say::envelope(), language.say(&say::envelope_waits(!by))),
        (say::draw_offer(), offer),
        (say::adjourned(), sheet.at.map_or_else(String::new, WallTime::rfc3339)),
        (say::resumption(), escaped(&adjournment.resumption)),
        (say::place(), escaped(&adjournment.place)),
        (say::arbiter(), String::new()),
    ];
    page.push_str("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(page, "<tr><th>{}<td>{value}</tr>", language.say(&name));
    }
    page.push_str("</table>\n");
}

fn side_name(language: Language, side: Color) -> String {
    language.say(&match side {
        Color::White => say::column_white(),
        Color::Black => say::column_black(),
    })
}

fn shown(times: Option<&ByColor<FaceTime>>, side: Color) -> String {
    times.map_or_else(String::new, |times| times.get(side).to_string())
}
