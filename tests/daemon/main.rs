//! The whole program, as its users meet it: the real binary on pseudo-terminals, with real clients
//! and judges. Each file is a claim.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;

mod a_hall_is_rehearsed_at_home;
mod a_spare_machine_goes_on;
mod adjourned_games_go_on;
mod alerts_reach_the_arbiter;
mod an_arbiter_says_which_table_a_board_is;
mod an_organizer_gives_the_pairings;
mod an_organizer_names_the_event;
mod an_organizer_seats_the_hall;
mod an_organizer_sets_any_key;
mod an_organizer_takes_the_round_home;
mod arbiters_are_named_anew;
mod arbiters_set_the_game_right;
mod bad_configurations_are_refused;
mod bad_lines_disturb_nobody;
mod boards_find_their_tables;
mod boards_on_hid_are_read;
mod brokers_die_and_lack_something;
mod cables_are_pulled_and_swapped;
mod clocks_have_lines_of_their_own;
mod clumsy_games_on_real_lines;
mod damaged_records_are_named;
mod deaf_clients_delay_nobody;
mod decisions_are_taken_back;
mod emulated_boards_do_what_scripts_say;
mod every_topic_tells_the_game;
mod feed_through_an_external_broker;
mod games_are_pushed_to_lichess;
mod games_go_on_without_a_disk;
mod games_leave_as_pgn;
mod guests_hear_nothing_for_arbiters;
mod halls_are_shown_together;
mod hard_questions_hold_up_nobody;
mod illegal_moves_cost_what_the_edition_says;
mod late_subscribers_get_everything;
mod livechess_clients_see_the_boards;
mod long_trials;
mod nothing_is_lost_when_killed;
mod pages_and_feed_behind_one_port;
mod pages_are_encrypted;
mod refused_requests_change_nothing;
mod replays_are_the_games_played;
mod results_are_withdrawn_in_words;
mod results_go_home;
mod rounds_begin_with_their_pairings;
mod starts_go_on_from_checkpoints;
mod strangers_leave_the_hall_its_time;
mod summons_wake_arbiters;
mod the_public_is_told_later;
mod time_is_given_once;
mod two_boards_are_one_game;
mod watchers_see_how_it_is;
mod what_a_broker_refuses_is_an_alarm;

use common::{Board, Daemon, Feed, House};

/// One board at the first table with the pieces set up, a daemon that has seen them, and somebody
/// who listens.
fn at_a_board(house: &mut House) -> (Board, Daemon, Feed) {
    house.table(1, "driver = \"dgt\"");
    let board = Board::dgt(&house.line("1"), "1");
    let daemon = Daemon::start(house);
    let feed = Feed::guest(daemon.feed());
    feed.topic("table/1/position", "ready", |it| it["phase"] == "ready");
    (board, daemon, feed)
}
