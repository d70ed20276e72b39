//! The results of a round and the crosstable after it, as a page to print.

use std::fmt::Write as _;

use witness::{Ending, Message};
use words::Language;

use super::crosstable::{Standing, standings};
use super::points::in_points;
use super::{RoundResults, Row};
use crate::config::Config;
use crate::html::escaped;
use crate::pairings::Player;
use crate::say;

/// What stands above the columns of the list.
const LIST: [fn() -> Message; 6] = [
    say::column_table,
    say::column_number,
    say::column_white,
    say::column_result,
    say::column_black,
    say::column_number,
];

/// And of the crosstable, before the rounds; the title of a player has a column without a name.
const STANDING: [Option<fn() -> Message>; 6] = [
    Some(say::column_rank),
    Some(say::column_number),
    None,
    Some(say::column_name),
    Some(say::column_rating),
    Some(say::column_federation),
];

const STYLE: &str = "body{font:10pt sans-serif}table{border-collapse:collapse;width:100%}\
    th,td{border:1px solid #888;padding:.15em .4em;text-align:left}\
    .n{text-align:right}.r{text-align:center;white-space:nowrap}\
    .wide{font-size:8.5pt}.wide td,.wide th{padding:.1em .25em}\
    thead{display:table-header-group}tr{break-inside:avoid}\
    h2{break-before:page}@page{margin:1.2cm}";

/// The page, in one of the languages of the house.
#[must_use]
pub fn html(results: &RoundResults, config: &Config, language: &str) -> String {
    let language = Language::of(language).unwrap_or(Language::ENGLISH);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"{language}\"><meta charset=\"utf-8\"><title>{0}</title>\n\
         <style>{STYLE}</style>\n<h1>{0}</h1>\n",
        language.say(&say::results())
    );
    let event = &config.event;
    let round = Some(&results.round).filter(|it| !it.is_empty());
    let round = round.map_or_else(String::new, |round| language.say(&say::paper_round(round)));
    let line = [&event.name, &event.site, &round];
    let line: Vec<_> = line.into_iter().filter(|it| !it.is_empty()).map(|it| escaped(it)).collect();
    let _ = writeln!(page, "<p>{}", line.join(" · "));
    list(&mut page, results, language);
    let missing = results.rows.iter().filter(|it| it.ending.is_none());
    let missing: Vec<_> = missing.map(|it| it.table.to_string()).collect();
    if !missing.is_empty() {
        let _ = writeln!(
            page,
            "<p>{} {}",
            language.say(&say::tables_without_result()),
            missing.join(", ")
        );
    }
    let standings = standings(&results.report, &results.system, results.rounds);
    if !standings.is_empty() {
        crosstable(&mut page, results, &standings, language);
    }
    page.push_str("</html>\n");
    page
}

fn list(page: &mut String, results: &RoundResults, language: Language) {
    page.push_str("<table><thead><tr>");
    for head in LIST {
        let _ = write!(page, "<th>{}", language.say(&head()));
    }
    page.push_str("</tr></thead>\n");
    for Row { table, numbers, players, ending } in &results.rows {
        let number = |it: Option<u32>| it.map(|it| it.to_string()).unwrap_or_default();
        let _ = writeln!(
            page,
            "<tr><td class=\"n\">{table}<td class=\"n\">{}<td>{}<td class=\"r\">{}<td>{}\
             <td class=\"n\">{}</tr>",
            number(numbers[0]),
            named(&players.white),
            ending.map(on_paper).unwrap_or_default(),
            named(&players.black),
            number(numbers[1]),
        );
    }
    page.push_str("</table>\n");
}

/// `IM Doe, Jane (2401)`.
fn named(player: &Player) -> String {
    let title = player.title.as_ref().map(|it| format!("{it} ")).unwrap_or_default();
    let rating = player.rating.map(|it| format!(" ({it})")).unwrap_or_default();
    escaped(&format!("{title}{}{rating}", player.name))
}

/// A result as it is printed: `½–½`. A game that was not played keeps its signs.
fn on_paper(ending: Ending) -> String {
    let result = ending.written();
    if !ending.was_played() {
        return result.replace('-', "−").replace('/', " / ");
    }
    result.replace('-', "–").replace("1/2", "½")
}

fn crosstable(
    page: &mut String,
    results: &RoundResults,
    standings: &[Standing],
    language: Language,
) {
    let title = language.say(&say::crosstable_after(&results.round));
    let _ = writeln!(page, "<h2>{}</h2>", escaped(&title));
    page.push_str("<table class=\"wide\"><thead><tr>");
    for head in STANDING {
        let head = head.map(|it| language.say(&it())).unwrap_or_default();
        let _ = write!(page, "<th>{head}");
    }
    for round in 1..=results.rounds {
        let _ = write!(page, "<th class=\"r\">{round}");
    }
    let _ = writeln!(page, "<th>{}</tr></thead>", language.say(&say::column_points()));
    for it in standings {
        let rating = it.player.rating.map(|it| it.to_string()).unwrap_or_default();
        let _ = write!(
            page,
            "<tr><td class=\"n\">{}<td class=\"n\">{}<td>{}<td>{}<td class=\"n\">{rating}<td>{}",
            it.rank,
            it.number,
            escaped(it.player.title.as_deref().unwrap_or_default()),
            escaped(&it.player.name),
            escaped(it.player.federation.as_deref().unwrap_or_default()),
        );
        for cell in &it.cells {
            let _ = write!(page, "<td class=\"r\">{}", escaped(cell));
        }
        let _ = writeln!(page, "<td class=\"n\">{}</tr>", in_points(it.tenths));
    }
    let _ = writeln!(page, "</table>\n<p>{}", language.say(&say::ties_unbroken()));
}
