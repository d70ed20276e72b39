//! Article 6 beside the flag: how a clock is set and handled, and what is wrong with it. Words and
//! advice; what was found is found elsewhere.

use eboard::FaceTime;
use shakmaty::{ByColor, Color};

use crate::clock::{Fault, Manner};
use crate::incident::{Advice, Bilingual, Kind};
use crate::laws::words::{
    bare_player_fr, both, of_player_fr, player_en, player_fr, the_player_fr, to_player_fr,
};
use crate::laws::{editions, settlement};
use crate::settings::Edition;
use crate::time_control::{Extra, Period};

/// `White 1:30:30, Black 1:30:30`.
fn times(times: ByColor<FaceTime>) -> Bilingual {
    both(
        format!("White {}, Black {}", times.white, times.black),
        format!("Blancs {}, Noirs {}", times.white, times.black),
    )
}

/// `White +2:00`, for each side whose time changed.
fn changes(before: ByColor<FaceTime>, after: ByColor<FaceTime>) -> Bilingual {
    let signed = |side: Color| {
        let (before, after) = (before.get(side).as_ms(), after.get(side).as_ms());
        let sign = if after < before { '−' } else { '+' };
        (before != after).then(|| format!("{sign}{}", FaceTime::from_ms(before.abs_diff(after))))
    };
    let list = |name: fn(Color) -> &'static str| {
        let parts = Color::ALL.into_iter();
        let parts = parts.filter_map(|side| Some(format!("{} {}", name(side), signed(side)?)));
        parts.collect::<Vec<_>>().join(", ")
    };
    both(list(player_en), list(bare_player_fr))
}

pub(crate) fn wrong_start(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Bilingual {
    let (off, seen) = (changes(expected, seen), times(seen));
    both(
        format!("The clock was started at {}: off by {}.", seen.en, off.en),
        format!("La pendule a été lancée à {} : écart {}.", seen.fr, off.fr),
    )
}

/// A clock that is heard in the midst of a game for the first time.
pub(crate) fn plugged_in(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Bilingual {
    let (expected, seen) = (times(expected), times(seen));
    both(
        format!(
            "The clock is heard for the first time and shows {}: by the moves and our own clock \
             it would be about {}.",
            seen.en, expected.en
        ),
        format!(
            "La pendule se fait entendre pour la première fois et montre {} : selon les coups et \
             notre horloge ce serait environ {}.",
            seen.fr, expected.fr
        ),
    )
}

pub(crate) fn plugged_in_advice() -> Advice {
    both(
        "If it has stood for a while, more time may be right.",
        "Si elle a été arrêtée un moment, un temps plus long peut être juste.",
    )
}

pub(crate) fn wrongly_set(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Bilingual {
    let (off, told) = (changes(expected, seen), times(expected));
    both(
        format!("The clock was to be set to {}, and is not: off by {}.", told.en, off.en),
        format!("La pendule devait être réglée à {} ; écart {}.", told.fr, off.fr),
    )
}

/// `control`: the time control in words.
pub(crate) fn wrong_start_advice(control: &Bilingual, expected: ByColor<FaceTime>) -> Advice {
    let expected = times(expected);
    both(
        format!("{}: it should have shown {}.", control.en, expected.en),
        format!("{} : elle devait montrer {}.", control.fr, expected.fr),
    )
}

pub(crate) fn wrong_mode(expected: &Period, seen: Manner) -> Bilingual {
    let at_once =
        matches!(seen, Manner::Delay(_) | Manner::Still(_)) && expected.extra == Extra::None;
    let seen = manner(seen);
    let wanted = match at_once {
        true => both("count at once", "décompter aussitôt"),
        false => mode(expected),
    };
    both(
        format!("{}; it should {}.", seen.en, wanted.en),
        format!("{} ; elle devrait {}.", seen.fr, wanted.fr),
    )
}

/// What the clock does.
fn manner(seen: Manner) -> Bilingual {
    let (en, fr) = match seen {
        Manner::Increment(0) | Manner::Nothing => {
            ("nothing".to_owned(), "ne donne rien".to_owned())
        }
        Manner::Increment(seconds) => (format!("{seconds} s"), format!("donne {seconds} s")),
        Manner::Bronstein => (
            "back what was used (Bronstein)".to_owned(),
            "rend le temps utilisé (Bronstein)".to_owned(),
        ),
        Manner::Either(seconds) => (
            format!("{seconds} s or back what was used (Bronstein)"),
            format!("donne {seconds} s ou rend le temps utilisé (Bronstein)"),
        ),
        Manner::Delay(seconds) => {
            return both(
                format!("At every move the clock waits about {seconds} s before it counts (delay)"),
                format!(
                    "À chaque coup la pendule attend environ {seconds} s avant de décompter (délai)"
                ),
            );
        }
        Manner::Still(seconds) => {
            return both(
                format!(
                    "The clock has not counted in turns of up to {seconds} s (a delay, or it \
                     stands still)"
                ),
                format!(
                    "La pendule n'a rien décompté pendant des tours de {seconds} s au plus (un \
                     délai, ou elle est arrêtée)"
                ),
            );
        }
    };
    both(
        format!("With every press the clock gives {en}"),
        format!("À chaque appui la pendule {fr}"),
    )
}

/// What it should do.
fn mode(period: &Period) -> Bilingual {
    match period.extra {
        Extra::Increment { seconds, .. } => {
            both(format!("give {seconds} s"), format!("donner {seconds} s"))
        }
        Extra::Bronstein(seconds) => both(
            format!("give back what was used, up to {seconds} s (Bronstein)"),
            format!("rendre le temps utilisé, jusqu'à {seconds} s (Bronstein)"),
        ),
        Extra::Delay(seconds) => both(
            format!("wait {seconds} s before it counts (delay)"),
            format!("attendre {seconds} s avant de décompter (délai)"),
        ),
        _ => both("give nothing", "ne rien donner"),
    }
}

pub(crate) fn wrong_addition(side: Color, expected: FaceTime, seen: FaceTime) -> Bilingual {
    let (en, fr) = (player_en(side), player_fr(side));
    both(
        format!("The next period brought {en} {seen} instead of {expected}."),
        format!("{fr} ont reçu {seen} pour la période suivante au lieu de {expected}."),
    )
}

pub(crate) fn nothing_added(side: Color, expected: FaceTime) -> Bilingual {
    let (en, fr) = (player_en(side), player_fr(side));
    both(
        format!("{en} has made the moves of the period, but the clock has not added {expected}."),
        format!(
            "{fr} ont fait les coups de la période, mais la pendule n'a pas ajouté {expected}."
        ),
    )
}

/// The clock has added the next period by its own count of moves, and that is another one.
pub(crate) fn added_at(side: Color, moves: u32, required: u32) -> Bilingual {
    both(
        format!(
            "The clock gave {} the next period with the press for move {moves}; by the time \
             control the period ends with move {required}.",
            player_en(side)
        ),
        format!(
            "La pendule a donné {} la période suivante avec l'appui du coup {moves} ; selon la \
             cadence la période finit avec le coup {required}.",
            to_player_fr(side)
        ),
    )
}

/// It has done so for one player; `moves`: this one's, of whom it has not.
pub(crate) fn added_to_one(side: Color, given_at: u32, moves: u32) -> Bilingual {
    both(
        format!(
            "{} was given the next period with move {given_at}; {} has completed {moves} moves, \
             and the clock has not added it.",
            player_en(side.other()),
            player_en(side)
        ),
        format!(
            "{} ont reçu la période suivante au coup {given_at} ; {} ont achevé {moves} coups et \
             la pendule ne l'a pas ajoutée.",
            player_fr(side.other()),
            the_player_fr(side)
        ),
    )
}

/// The clock, or another one, is heard again.
pub(crate) fn returned(expected: ByColor<FaceTime>, seen: ByColor<FaceTime>) -> Bilingual {
    let (off, seen) = (changes(expected, seen), times(seen));
    both(
        format!(
            "The clock is heard again with other times than reckoned: {}; {}.",
            off.en, seen.en
        ),
        format!(
            "La pendule se fait de nouveau entendre avec d'autres temps que ceux calculés : {} ; \
             {}.",
            off.fr, seen.fr
        ),
    )
}

pub(crate) fn returned_advice(edition: Edition) -> Advice {
    let article = editions::article(Kind::ClockSetting, edition);
    both(
        format!(
            "Unless it was set so: stop it, and set the times with your best judgement ({article})."
        ),
        format!(
            "Si ce n'est pas voulu : l'arrêter et régler les temps au mieux de son jugement \
             ({article})."
        ),
    )
}

/// What Article 6.10.2 provides.
pub(crate) fn setting_advice(edition: Edition) -> Advice {
    let article = editions::article(Kind::ClockSetting, edition);
    both(
        format!(
            "Stop the clock, set it right and adjust times and move counter, with your best \
             judgement ({article})."
        ),
        format!(
            "Arrêter la pendule, la régler, corriger temps et compteur de coups, au mieux de son \
             jugement ({article})."
        ),
    )
}

/// How a clock is set that nobody can have set anew after ten moves: in rapid and blitz without
/// adequate supervision. `by_now`: they have been completed by each.
pub(crate) fn setting_stands(by_now: bool, edition: Edition) -> Advice {
    let (article, moves) = (editions::standing_article(edition), editions::standing_moves(edition));
    match by_now {
        true => both(
            format!(
                "{moves} moves have been completed by each: the setting stands, unless the \
                 schedule of the event would suffer ({article})."
            ),
            format!(
                "{moves} coups ont été joués par chacun : le réglage est acquis, sauf si \
                 l'horaire de l'épreuve devait en souffrir ({article})."
            ),
        ),
        false => both(
            format!(
                "Only until {moves} moves have been completed by each; then the setting stands, \
                 unless the schedule of the event would suffer ({article})."
            ),
            format!(
                "Seulement avant {moves} coups joués par chacun ; ensuite le réglage est acquis, \
                 sauf si l'horaire de l'épreuve devait en souffrir ({article})."
            ),
        ),
    }
}

pub(crate) fn adjusted(before: ByColor<FaceTime>, after: ByColor<FaceTime>) -> Bilingual {
    let (change, after) = (changes(before, after), times(after));
    both(
        format!("The times were changed: {}; now {}.", change.en, after.en),
        format!("Les temps ont été changés : {} ; maintenant {}.", change.fr, after.fr),
    )
}

/// The time that an illegal move gave the opponent has been given.
pub(crate) fn penalty_given(side: Color, given: FaceTime) -> Advice {
    both(
        format!("+{given} to {}: the penalty that was due.", player_en(side)),
        format!("+{given} {} : la pénalité due.", to_player_fr(side)),
    )
}

/// It was given to this player, whom it is against.
pub(crate) fn penalty_amiss(side: Color, given: FaceTime) -> Advice {
    both(
        format!(
            "+{given} to {}, and it is {} to whom that penalty is due.",
            player_en(side),
            player_en(!side)
        ),
        format!(
            "+{given} {}, alors que cette pénalité est due {}.",
            to_player_fr(side),
            to_player_fr(!side)
        ),
    )
}

/// So has what a wrong claim of a draw cost.
pub(crate) fn claim_paid(side: Color, given: FaceTime, edition: Edition) -> Advice {
    let article = editions::wrong_claim_article(edition);
    both(
        format!("+{given} to {}: the wrong claim of a draw ({article}).", player_en(side)),
        format!("+{given} {} : la demande de nulle infondée ({article}).", to_player_fr(side)),
    )
}

pub(crate) fn fault(fault: Fault, shown: ByColor<FaceTime>) -> Bilingual {
    let shown = times(shown);
    let what = match fault {
        Fault::BothRun => both("Both times count at once", "Les deux temps défilent à la fois"),
        Fault::NeverStops(side) => both(
            format!("Both times count at once: {}'s does not stop", player_en(side)),
            format!(
                "Les deux temps défilent à la fois : celui {} ne s'arrête pas",
                of_player_fr(side)
            ),
        ),
        Fault::StandsStill(side) => both(
            format!("The clock runs but {}'s time stands still", player_en(side)),
            format!("La pendule marche mais le temps {} n'avance pas", of_player_fr(side)),
        ),
        Fault::BothStand => both(
            "The clock runs but neither time counts",
            "La pendule marche mais aucun des deux temps n'avance",
        ),
        Fault::Jumped(side) => both(
            format!("{}'s time has jumped", player_en(side)),
            format!("Le temps {} a sauté", of_player_fr(side)),
        ),
        Fault::AddsAfterFlag(side) => both(
            format!("{}'s time was used up, and a press has added to it", player_en(side)),
            format!("Le temps {} était épuisé, et un appui y a ajouté", of_player_fr(side)),
        ),
        Fault::Fast => both("The clock is fast", "La pendule avance"),
        Fault::Slow => both("The clock is slow", "La pendule retarde"),
    };
    both(format!("{}: {}.", what.en, shown.en), format!("{} : {}.", what.fr, shown.fr))
}

pub(crate) fn fault_advice(fault: Fault, ours: ByColor<FaceTime>, edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::ClockFault, edition);
    let share = settlement::of(fault);
    let ours = times(ours);
    let adds = matches!(fault, Fault::AddsAfterFlag(_)).then(|| {
        both(
            "Nothing is added once a time is used up: such a clock is not to be used (C.02).",
            "Rien ne s'ajoute à un temps épuisé : cette pendule n'est pas réglementaire (C.02).",
        )
    });
    let mut advice = vec![
        both(
            format!("By our own clock it would be {}: {}.", ours.en, share.en),
            format!("Selon notre horloge ce serait {} : {}.", ours.fr, share.fr),
        ),
        both(
            format!("Replace the clock and set the times with your best judgement ({article})."),
            format!(
                "Remplacer la pendule et régler les temps au mieux de son jugement ({article})."
            ),
        ),
    ];
    advice.extend(adds);
    advice
}

pub(crate) fn missed_press(side: Color, missing: ByColor<u32>) -> Bilingual {
    both(
        format!(
            "{} moved again without having pressed. Presses missing: White {}, Black {}.",
            player_en(side),
            missing.white,
            missing.black
        ),
        format!(
            "{} ont rejoué sans avoir appuyé. Appuis manquants : Blancs {}, Noirs {}.",
            player_fr(side),
            missing.white,
            missing.black
        ),
    )
}

/// `lacking`: seconds of increment that were not given; `counted`: a period ends by a count.
pub(crate) fn missed_press_advice(
    lacking: ByColor<u32>,
    counted: bool,
    edition: Edition,
) -> Vec<Advice> {
    let article = editions::article(Kind::MissedPress, edition);
    let mut advice = vec![both(
        format!(
            "The move counts as completed ({article}). Nobody is told that he has not pressed \
             (12.6)."
        ),
        format!(
            "Le coup compte comme achevé ({article}). On ne dit à personne qu'il n'a pas appuyé \
             (12.6)."
        ),
    )];
    if lacking.white + lacking.black > 0 {
        advice.push(both(
            format!("Increment not given: White {} s, Black {} s.", lacking.white, lacking.black),
            format!("Incrément manquant : Blancs {} s, Noirs {} s.", lacking.white, lacking.black),
        ));
    }
    if counted {
        advice.push(both(
            "The clock's move counter is behind: it would begin the next period at a wrong move.",
            "Le compteur de coups retarde : la période suivante commencerait à un mauvais coup.",
        ));
    }
    advice
}

pub(crate) fn wrong_clock(counting: Color, forgotten: bool, seconds: u64) -> Bilingual {
    let (en, fr) = (player_en(counting), of_player_fr(counting));
    match forgotten {
        true => both(
            format!("{en} made a move {seconds} s ago and has not pressed: {en}'s time is lost."),
            format!("Coup {fr} joué il y a {seconds} s sans appui : c'est leur temps qui passe."),
        ),
        false => both(
            format!("{en}'s time counts although the opponent has the move, for {seconds} s."),
            format!("Le temps {fr} défile alors que l'adversaire a le trait, depuis {seconds} s."),
        ),
    }
}

pub(crate) fn wrong_clock_advice(forgotten: bool, edition: Edition) -> Vec<Advice> {
    let pressing = editions::article(Kind::WrongClockRunning, edition);
    let setting = editions::article(Kind::ClockSetting, edition);
    vec![match forgotten {
        true => both(
            format!("A player who forgets to press is not told so ({pressing}, 12.6)."),
            format!("On ne dit pas à un joueur qu'il oublie d'appuyer ({pressing}, 12.6)."),
        ),
        false => both(
            format!(
                "See whether a move or a press was missed; correct the times if so ({setting})."
            ),
            format!(
                "Voir si un coup ou un appui a échappé ; corriger alors les temps ({setting})."
            ),
        ),
    }]
}

pub(crate) fn stopped(turn: Color, shown: Option<ByColor<FaceTime>>) -> Bilingual {
    let shown = shown.map_or_else(|| both("", ""), times);
    both(
        format!("Both clocks are stopped, {} to move: {}.", player_en(turn), shown.en),
        format!("Les deux pendules sont arrêtées, trait {} : {}.", of_player_fr(turn), shown.fr),
    )
}

pub(crate) fn stopped_advice(edition: Edition) -> Vec<Advice> {
    let article = editions::article(Kind::ClockStopped, edition);
    vec![both(
        format!(
            "Somebody asks for the arbiter, or the game is over and its result is not told \
             ({article})."
        ),
        format!("On demande l'arbitre, ou la partie est finie sans résultat signalé ({article})."),
    )]
}

/// A player may stop the clock for it.
pub(crate) fn piece_wanted(edition: Edition) -> Advice {
    let article = editions::player_stops_article(edition);
    both(
        format!("A promotion lacks its piece: the player may have stopped for it ({article})."),
        format!("Il manque la pièce d'une promotion : c'est un motif d'arrêt ({article})."),
    )
}

pub(crate) fn low_battery() -> Bilingual {
    both("The clock's battery is low.", "La pile de la pendule est faible.")
}

/// Before a game: `true`; during one: `false`.
pub(crate) fn low_battery_advice(before: bool) -> Vec<Advice> {
    vec![if before {
        both(
            "A game is not begun with a clock that shows this sign: another battery, or another \
             clock (C.02).",
            "On ne commence pas une partie avec une pendule qui l'indique : changer la pile, ou la \
             pendule (C.02).",
        )
    } else {
        both(
            "It lasts for this game (ten hours at least); change it before the next.",
            "Elle suffit pour cette partie (dix heures au moins) ; la changer avant la suivante.",
        )
    }]
}

pub(crate) fn clock_lost() -> Bilingual {
    both("The clock is not heard any more.", "La pendule ne se fait plus entendre.")
}

pub(crate) fn board_lost() -> Bilingual {
    both("The board is not heard any more.", "L'échiquier ne se fait plus entendre.")
}

/// Of the two boards of a game with a visually impaired player.
pub(crate) fn one_board_lost(whose: Color) -> Bilingual {
    both(
        format!("{}'s board is not heard any more: the other one is read.", player_en(whose)),
        format!("L'échiquier {} ne se fait plus entendre : l'autre est lu.", of_player_fr(whose)),
    )
}

pub(crate) fn lost_advice() -> Advice {
    both(
        "The game goes on; look at the cable without disturbing the players.",
        "La partie continue ; vérifier le câble sans déranger les joueurs.",
    )
}

/// What another clock is to be set to; `last`: what was read `ago` seconds ago.
pub(crate) fn replaced_advice(
    by_now: ByColor<FaceTime>,
    last: ByColor<FaceTime>,
    ago: u64,
) -> Advice {
    let (by_now, last) = (times(by_now), times(last));
    both(
        format!(
            "If it must be replaced: {}, by our own clock and the moves made (read {ago} s ago: \
             {}).",
            by_now.en, last.en
        ),
        format!(
            "S'il faut la remplacer : {}, selon notre horloge et les coups joués (lu il y a {ago} \
             s : {}).",
            by_now.fr, last.fr
        ),
    )
}
