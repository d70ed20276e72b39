//! What the commentaries of arbiters and the rules of competitions speak of beside the kinds of
//! incidents: each with how a board and a clock witness it, or why they cannot. One row each, in
//! our own words.

use std::fmt::Write as _;

/// Where it stands, what it is about, and what becomes of it here.
type Row = [&'static str; 3];

/// Both tables.
#[must_use]
pub fn section() -> String {
    let mut section = HEAD.to_owned();
    for (title, rows) in [(TITLE_2014, COMMENTARY), (TITLE_2018, COMPETITIONS)] {
        let _ = write!(section, "\n### {title}\n\n| where | what | here |\n|---|---|---|\n");
        for [place, what, here] in rows {
            let _ = writeln!(section, "| {place} | {what} | {here} |");
        }
    }
    section
}

const HEAD: &str = "
## What else the texts speak of

Arbiters comment on the Articles, and competitions have rules of their own. Each row says by which
kind or request it is witnessed here; *not sensed* is what neither board nor clock can tell, and
*not a machine's matter* what only people decide.
";

const TITLE_2014: &str = "The Laws of 2014 with their commentary";
const TITLE_2018: &str = "The book of 2018: commentary, rules of competition, equipment";

#[rustfmt::skip]
const COMMENTARY: &[Row] = &[
    ["2.1, 7.2.b", "The board lies across or the other way round.", "`board_turned`"],
    [
        "3.10.c",
        "Positions no series of legal moves leads to.",
        "`position_to_check`, `wrong_start`, `kings_in_check`, `pawn_on_last_rank`; composed \
         positions are not judged",
    ],
    [
        "4.6",
        "The new piece is put before the pawn is taken off.",
        "Followed as one move; `promotion_changed` when it is exchanged",
    ],
    ["5.1.a", "A legal mate is stronger than the clock.", "`flag_fall` says what was first"],
    [
        "5.1.b",
        "Resigning: the clock stopped, the king laid down, a hand given, a signature.",
        "`clock_stopped` and `displaced` show that somebody is needed; what was meant is for \
         people",
    ],
    [
        "5.2.a",
        "Stalemate that nobody notices ends the game before a later resignation.",
        "The result on the board is published; `result_mismatch` when another one is entered",
    ],
    ["5.2.c", "A draw agreed beforehand, or without play.", "`early_draw`; intent is not sensed"],
    [
        "6.1",
        "Whether a clock keeps time; its model.",
        "`clock_fault`; the model is not reported by every clock",
    ],
    [
        "6.1",
        "An electronic clock that fails takes its times with it: times are written down.",
        "`clock_lost`, and the time sheet",
    ],
    ["6.2.a", "A move completed by the next one, without its increment.", "`missed_press`"],
    [
        "6.2.b",
        "Pressing with the other hand, a finger kept on the button.",
        "Not sensed: no hand is",
    ],
    [
        "6.2.c",
        "A clock hit, lifted or knocked over.",
        "Not sensed; `clock_lost` or `clock_stopped` where it goes off",
    ],
    [
        "6.5",
        "Where the clock stands, and whether each clock was set rightly.",
        "`clock_setting`; where it stands is not sensed",
    ],
    [
        "6.5",
        "Black starts White's clock at the signal, or White moves and starts Black's.",
        "The clock's sides are found from the first moves; `not_started`",
    ],
    [
        "6.6, 6.7",
        "Lateness counts from the official start of the round.",
        "`default_time`, from `start` or `start_round`",
    ],
    [
        "6.8",
        "A flag counts when it is observed or claimed.",
        "`flag_fall` has its interval; a claim is not heard",
    ],
    [
        "6.8, 6.11",
        "Both flags, and the stopped side as the one that fell first.",
        "`flag_fall` by the clock's own sign; `both_flags`",
    ],
    [
        "6.8",
        "Two players agree on more moves than were made.",
        "Moves are counted from the board (`flag_fall`); the agreement is not heard",
    ],
    ["6.10", "A forgotten increment is put right.", "`clock_setting`"],
    [
        "6.12",
        "The six ways in which two clocks go wrong, and how times are shared then.",
        "`clock_fault`, with the times it should show",
    ],
    ["6.12", "A flag that does not fall.", "`flag_fall` at zero, also without a sign"],
    [
        "7.1",
        "The times may be left as they are after an irregularity.",
        "Not a machine's matter; both times before it are in the alert",
    ],
    [
        "7.5",
        "An irregularity is claimed during the game only.",
        "Alerts of a game that is over stay for the record",
    ],
    [
        "7.5",
        "An error found at the adjournment: the game and its times are reconstructed.",
        "`take_back`, `set_position`, `set_time`; finding it in the score is for people",
    ],
    ["7.5.a", "A pawn left on the last rank.", "`pawn_not_promoted`"],
    [
        "8.1",
        "Moves written beforehand or in pairs; the offer of a draw written down.",
        "Not sensed: nobody reads the score sheet",
    ],
    [
        "8.1, 6.2.e",
        "An assistant writes or presses; the opponent's time is corrected.",
        "`set_time`; who presses is not sensed",
    ],
    [
        "8.5",
        "Somebody writes when both players need not, and says nothing before a flag.",
        "`time_trouble`; the score is there at the flag, and no number of moves is shown to \
         players",
    ],
    [
        "8.6",
        "Moves nobody has written down.",
        "The score is complete while the board is heard; `position_to_check` where it is not",
    ],
    ["9.1", "Repeated offers of a draw; conditions of one.", "Not sensed: nothing is heard"],
    [
        "9.2",
        "The move that repeats is written and not played; the same player has the move; \
         castling and en passant count.",
        "`threefold_possible`, `claim_check` with `move`",
    ],
    [
        "9.3",
        "Fifty moves, whatever a position may need to be won.",
        "`fifty_possible`, `claim_check`",
    ],
    [
        "9.5",
        "A claim stops the clock, and is checked in the presence of both.",
        "`clock_stopped`, `claim_check`; who is present is not sensed",
    ],
    ["9.6, 9.7", "The game that ends by itself.", "`fivefold`, `seventy_five`, `dead_position`"],
    ["11", "Leaving the room, talking, phones, notes, dress, food.", "Not a machine's matter"],
    [
        "11.3.b",
        "A game in which not both have moved counts as not played.",
        "The moves are in the score; rating is not a machine's matter here",
    ],
    ["11.8", "Both players lose.", "Not entered as a result: the pairing program has it"],
    [
        "12.6, 12.7",
        "Nobody is told that he has not pressed, or how many moves were made.",
        "Alerts are for arbiters alone; `missed_press` says so",
    ],
    [
        "12.9",
        "Penalties of time, points, expulsion.",
        "`penalty_given` and the ledger for time; the others are people's",
    ],
    [
        "A.4.a",
        "Ten moves after which set-up and setting stand.",
        "`wrong_start`, `board_turned` and `clock_setting` lapse",
    ],
    [
        "A.4.b, B.3",
        "A king captured is an illegal move; pressed for it may be claimed, not pressed for \
         it is taken back.",
        "`illegal_move` at the press; nothing before it",
    ],
    [
        "A.4.d",
        "Both kings attacked, or a pawn left: wait for the next move.",
        "`kings_in_check`, `pawn_on_last_rank`",
    ],
    ["C", "Notation.", "SAN in the score; how players write is not sensed"],
    ["D", "Announced moves, the assistant's work.", "`boards_differ`; words are not heard"],
    [
        "E.1.a",
        "A move made on the board after the request to seal is the sealed one.",
        "Squares are at rest once `adjourn` is asked; the sheet has the position before it",
    ],
    [
        "E.1.b",
        "Who adjourns before the end of the session is charged to its end.",
        "`set_time` before play is resumed changes the sheet",
    ],
    [
        "E.2, E.3",
        "What stands on the envelope; who keeps it.",
        "The adjournment sheet; keeping it is people's",
    ],
    ["E.5, E.13", "Position and times at the resumption.", "`resumption_differs`"],
    ["E.8", "A sealed move that is none, or more than one.", "`sealed_move`"],
    [
        "E.9, E.10",
        "Who is absent at the resumption.",
        "`sealed_reply`, `default_time`, and no `wrong_clock_running`",
    ],
    ["E.12", "The envelope is lost.", "`set_position`, `set_time`; what was in it is not known"],
    [
        "F",
        "Castling of Chess960 in four ways.",
        "Followed; `castled_rook_first` as of any castling",
    ],
    [
        "G.4",
        "5 s with every move from now on, two minutes to the opponent.",
        "`two_minutes`, `grant_time`, then `clock_setting`",
    ],
    ["G.5, G.6", "Whether the opponent tries to win by normal means.", "Not a machine's matter"],
];

#[rustfmt::skip]
const COMPETITIONS: &[Row] = &[
    [
        "4.2.1",
        "Adjusting in the opponent's absence: the arbiter is told.",
        "`adjusted`; absence and words are not sensed",
    ],
    [
        "4.2.2",
        "Any touch but an accidental one was meant.",
        "`touched_not_moved` and its kin; accident is for people",
    ],
    ["4", "An arbiter intervenes without a claim.", "The alerts of Article 4 call him"],
    [
        "5.1.2",
        "A player who leaves without resigning.",
        "`flag_fall` in the end; leaving is not sensed",
    ],
    [
        "5.2.3, 9.1.1",
        "A draw before each has moved, or before the number the event sets.",
        "`early_draw`",
    ],
    [
        "6.2.1",
        "The opponent waits, says it, or plays on when a press was forgotten; the arbiter \
         makes up with two presses.",
        "`wrong_clock_running`, `missed_press`, which the two presses close",
    ],
    [
        "6.2.2",
        "Back at the board a player finds his clock running and does not know whether the \
         other has moved.",
        "The score says whether a move was completed; `wrong_clock_running`",
    ],
    ["6.2.3", "The other hand, a hovering finger.", "Not sensed"],
    ["6.2.4, 7.5.3", "A press without a move is an illegal move.", "`pressed_without_move`"],
    [
        "6.3.2",
        "What three kinds of clocks show after 20 s and 40 s.",
        "`clock_setting` tells the kinds apart",
    ],
    [
        "6.4",
        "A counter of presses is no count of moves; the clock's sign tells who was first; a \
         board's record may help.",
        "`flag_fall` counts on the board",
    ],
    ["6.5", "Somebody presses the clock of his neighbour.", "`neighbour_pressed`"],
    ["6.7", "The start is when the arbiter announces it.", "`start_round`"],
    [
        "6.9",
        "Whether any series of legal moves mates, forced ones too.",
        "`flag_fall` with the analysis",
    ],
    [
        "6.10.1",
        "Times and moves written down every half hour; a faulty clock is kept apart.",
        "The time sheet; which clock it was is not known",
    ],
    [
        "6.10.2",
        "What the clock showed is written down before it is set.",
        "`clock_adjusted` has before and after",
    ],
    ["6.12.2", "No claim on a screen alone.", "Not a machine's matter"],
    [
        "7.2.1",
        "A transmission that stops at an illegal move: somebody tells the arbiter.",
        "`position_to_check`",
    ],
    [
        "7.3",
        "Colours reversed: under ten moves, later, or a game that has ended.",
        "`colours_reversed`, told by an arbiter",
    ],
    [
        "7.4",
        "Pieces knocked over by the opponent in a player's time.",
        "`displaced`, with whose time counts; whose sleeve it was is not sensed",
    ],
    [
        "7.5.1",
        "What replaces an illegal move is bound by touch; a move not pressed for may be put \
         right.",
        "`illegal_move` names what is obliged; nothing before the press",
    ],
    ["7.5.4", "Two hands.", "`two_hands`, as a note to look at"],
    ["7.6", "Two faults in one move count once.", "The ledger"],
    [
        "8.4, 8.5",
        "Who writes in time trouble; clocks stopped at the flag if neither did.",
        "`time_trouble`, `flag_fall`; writing is not sensed",
    ],
    [
        "8.5.3, 8.6",
        "Reconstruction; the move after a control that nobody can count.",
        "The score and the times at the flag; `take_back`",
    ],
    ["8.7", "A wrong result that was signed.", "`result_mismatch`"],
    ["9.1.2", "When a draw is offered.", "Not sensed"],
    [
        "9.2.2, 9.3",
        "A claim is checked by replaying; a computer may be used where games are transmitted.",
        "`claim_check`",
    ],
    [
        "9.5.3",
        "The announced move must be played; if it is illegal its piece was touched.",
        "`claim_check` says so; the move that follows is judged as any other",
    ],
    [
        "9.6",
        "Five times, 75 moves: the arbiter intervenes at once.",
        "`fivefold`, `seventy_five`",
    ],
    ["10.2, 11, 12", "Scores, conduct, penalties beyond time.", "Not a machine's matter"],
    [
        "A.3.2, B.3.2",
        "Five requests to see the arbiter's score, with the clocks running.",
        "`score_shown`; `clock_stopped` where somebody stops it",
    ],
    ["A.4.2", "An illegal move stands once the opponent has made his next.", "`illegal_stands`"],
    [
        "A.4.3",
        "The first of two flags decides, by the clock's sign.",
        "`flag_fall`, `both_flags`",
    ],
    [
        "A.4.4",
        "A check answered by a check: when the position has become legal nothing can be \
         claimed.",
        "`kings_in_check` is closed then",
    ],
    ["A.5, B", "The arbiter calls a flag in rapid and blitz.", "`flag_fall`"],
    ["I to III", "Adjournment, Chess960, the last minutes.", "As under E, F and G of 2014"],
    [
        "rules 5.2, 5.3",
        "When an arbiter intervenes; delayed penalties.",
        "Not a machine's matter; alerts stay until somebody rules",
    ],
    [
        "rules 5.15",
        "A player who refuses to go on: his clock is started.",
        "`flag_fall` in the end",
    ],
    [
        "rules 5.16",
        "Position and times are written down before a game goes on under protest.",
        "They stand in the record (`explain`)",
    ],
    [
        "rules 7.2, 7.3",
        "How board, clock and players are placed.",
        "`board_turned`; the seats are not sensed",
    ],
    [
        "rules 7.5",
        "Both absent, no set or no clock: the time that has passed is shared equally.",
        "`not_started`, and `clock_setting` where another share is set",
    ],
    [
        "rules 7.6, 7.7",
        "The hour of the adjournment; play after it.",
        "Not sensed: the arbiter asks for `adjourn`",
    ],
    ["rules 7.8", "The order of adjourned games.", "Not a machine's matter"],
    [
        "rules 10.7",
        "Two players without opponents are paired during the round, with less time.",
        "`set_pairing`; `clock_setting` tells the times, `set_time` that they are meant",
    ],
    ["rules 10.8", "Only one has to write and does not.", "Not sensed"],
    [
        "rules 10.9 to 11.7",
        "Talk, complaints, agreed results, computers.",
        "Not a machine's matter",
    ],
    [
        "rules 12.3 to 12.8",
        "Whose equipment is used, late exchange of it.",
        "`clock_lost` and `clock_adjusted` show another clock; whose it is is not sensed",
    ],
    [
        "rules 12.11",
        "No other equipment after three moves of each, unless both agree.",
        "The moment is in the record; agreement is not heard",
    ],
    [
        "rules 13",
        "An increment in every game.",
        "`adoubed check` says what is configured; `clock_setting`",
    ],
    [
        "rules 15",
        "A pause asked for when only the increment is left.",
        "`clock_stopped`; what for is not sensed",
    ],
    [
        "rules 21",
        "Forfeit: not at the board within 60 minutes, or lost on time without a move.",
        "`default_time` (`default_time_s = 3600`), `flag_fall`",
    ],
    [
        "rules 1 to 6, 8, 9, 14, 16 to 20, 22 to 26",
        "Officials, entries, titles, phones, rating.",
        "Not a machine's matter",
    ],
    ["equipment 1 to 3", "Pieces, boards, tables.", "Not sensed"],
    [
        "equipment 4.2, 4.7",
        "A sign on the side that fell first.",
        "`both_flags` where there is none",
    ],
    ["equipment 4.4, 4.5", "Analogue clocks.", "Not sensed: they have no line"],
    [
        "equipment 4.8, 4.12, 4.14.7, 4.14.8",
        "Low batteries: none begins a game, one that comes in a game lasts for it.",
        "`low_battery`",
    ],
    [
        "equipment 4.9",
        "A clock that beeps: its owner is penalized, and the player does not lose on time \
         then.",
        "Not sensed: no sound is; `grant_time` gives the two minutes",
    ],
    ["equipment 4.13", "Who has set the clock.", "`clock_setting`; who did it is not sensed"],
    [
        "equipment 4.14.1",
        "A fallen flag leaves zero and the opponent's time.",
        "`flag_fall`; in rapid and blitz the other time may go on",
    ],
    [
        "equipment 4.14.6, 4.14.9",
        "The passing of a control.",
        "`flag_fall` (`period_passed`), `clock_setting` for what is added, when and to whom",
    ],
    [
        "equipment 4.14.10",
        "Nothing is added after the time allowed.",
        "`clock_fault` (`adds_after_flag`), once",
    ],
    [
        "equipment 4.14.11",
        "Penalties set within a minute.",
        "`clock_adjusted`; how long it took stands in the evidence",
    ],
    [
        "equipment 4.14.12",
        "Times not erased by a simple push.",
        "`clock_adjusted`, also after nothing was heard",
    ],
    [
        "handicaps 5.1, 5.5",
        "No penalty for who cannot press or write; an assistant presses.",
        "`[laws.gravity]` for that event; who presses is not sensed",
    ],
    [
        "handicaps 5.6",
        "A blind player need not write below five minutes, even with an increment.",
        "`time_trouble` follows 8.4 alone",
    ],
    [
        "pairings, tie-breaks",
        "Swiss systems, round robins, teams, prizes, rating.",
        "Not a machine's matter; `pairings` are read",
    ],
    [
        "teams 4.1",
        "A late line-up is charged to all clocks of the team.",
        "`clock_setting`; `set_time` says that it is meant",
    ],
    [
        "tie-breaks 7",
        "Games of a tie-break under the rules of standard play whatever their rate.",
        "`supervision = \"adequate\"` for that table; penalties stay those of the rate",
    ],
    [
        "tie-breaks 8",
        "Five minutes against four, 3 s from move 60, a draw for Black.",
        "A time for each player and `+3@60`: `clock_setting` holds presses to it, a move earlier \
         or later; who advances is people's",
    ],
];
