//! Everything that the witness can say. A name here is a name in every folder of `words/`, and what
//! it takes are the variables of the sentence there.

use std::time::Duration;

use eboard::FaceTime;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::message::{List, Message, Span, Value, Written};
use crate::number::TableNo;

crate::messages! {
    // words/*/results.ftl
    no_result_stood(minutes: u64);
    no_result_quiet(minutes: u64);
    enter_signed_result();
    result_still_missing();
    left_without_result();
    ask_for_sheets();
    player_twice(player: Color, table: TableNo);
    pairing_put_right();

    // words/*/article4.ftl
    straight_after_move(player: Color, piece: Role, square: Square);
    touched_out_of_turn(player: Color, piece: Role, square: Square, turn: Color);
    hand_not_sensed(turn: Color, other: Color, article: &str);
    pawn_and_piece_crossed(player: Color, piece: Role);
    promotion_exchanged(player: Color, first: Role, then: Role, square: Square);
    promotion_final(piece: Role, square: Square);

    // words/*/claims.ftl
    no_legal_move(mv: Value);
    claim_game_over();
    announced_must_be_played(mv: Written, article: &str);
    score_in_doubt();
    same_position_times(times: usize, article: &str);
    drawn_intervene();
    same_position_third(article: &str);
    changed_before_press(article: &str);
    quiet_moves(moves: u32);
    nobody_can_mate();
    drawn_and_over();
    dead_if_rightly_made(article: &str);
    rule_first(article: &str);
    player_may_claim(player: Color);

    // words/*/position.ftl
    lies_across();
    not_as_paired();
    transferred(article: &str);
    void(article: &str);
    start_stands_later(moves: u32, article: &str);
    lies_turned();
    colours_reversed(moves: usize);
    reversed_goes_on();
    reversed_anew();
    reversed_too_late();

    // words/*/clock.ftl
    not_started();
    unrecorded();
    start_to_record();
    record_without_clock();
    start_white();
    white_loses_time(article: &str);
    shared_unequally(late: u32, white: u32, black: u32);
    no_sign_since_start(player: Color, minutes: u64);
    no_sign_since_resumed(player: Color, minutes: u64);
    envelope_unopened(player: Color, minutes: u64);
    late_for_resumption(article: &str);
    late_for_round();
    times_shown(white: FaceTime, black: FaceTime);
    started_wrongly(seen: Message, off: Message);
    heard_first(seen: Message, expected: Message);
    more_time_may_be_right();
    not_set_as_said(expected: Message, off: Message);
    should_have_shown(control: Message, expected: Message);
    should_count_at_once();
    does_and_should(does: Message, should: Message);
    clock_waits(seconds: u32);
    clock_has_not_counted(seconds: u32);
    should_give(seconds: u32);
    should_give_back(seconds: u32);
    should_wait(seconds: u32);
    should_give_nothing();
    period_brought(player: Color, seen: FaceTime, expected: FaceTime);
    period_not_added(player: Color, expected: FaceTime);
    period_given_at(player: Color, moves: u32, required: u32);
    period_given_to_one(other: Color, given_at: u32, player: Color, moves: u32);
    heard_again(off: Message, seen: Message);
    unless_set_so(article: &str);
    set_the_clock_right(article: &str);
    setting_stands(moves: u32, article: &str);
    setting_stands_later(moves: u32, article: &str);
    times_changed(change: Message, now: Message);
    penalty_paid(given: FaceTime, player: Color);
    penalty_amiss(given: FaceTime, player: Color, due: Color);
    claim_paid(given: FaceTime, player: Color, article: &str);
    both_count();
    one_never_stops(player: Color);
    one_stands_still(player: Color);
    both_stand();
    time_jumped(player: Color);
    adds_after_flag(player: Color);
    clock_fast();
    clock_slow();
    fault_and_times(fault: Message, shown: Message);
    nothing_is_added_then();
    by_our_clock(ours: Message, share: Message);
    replace_the_clock(article: &str);
    missed_press(player: Color, white: u32, black: u32);
    counts_as_completed(article: &str);
    increment_lacking(white: u32, black: u32);
    counter_behind();
    forgot_to_press(player: Color, seconds: u64);
    wrong_time_counts(player: Color, seconds: u64);
    is_not_told(article: &str);
    look_for_missed(article: &str);
    somebody_asks(article: &str);
    promotion_lacks_piece(article: &str);
    battery_low();
    battery_before();
    battery_during();
    clock_lost();
    board_lost();
    one_board_lost(player: Color);
    look_at_the_cable();
    if_replaced(now: Message, ago: u64, last: Message);

    // words/*/position.ftl
    boards_differ(squares: &[Square]);
    boards_differ_one_right(squares: &[Square], right: Color, wrong: Color);
    put_boards_right();

    // words/*/clock.ftl
    short_moves_made(player: Color, left: FaceTime);
    short_one_move(player: Color, left: FaceTime);
    short_moves(player: Color, left: FaceTime, moves: u32);
    short_all_moves(player: Color, left: FaceTime);
    need_not_write();
    two_minutes(player: Color, left: FaceTime);
    five_seconds_more(article: &str);

    // words/*/article4.ftl
    released(player: Color, what: Message, span: Duration, played: Written);
    released_stands(article: &str, mv: Written);
    promoted_there(square: Square, article: &str);
    only_that_castling(article: &str, mv: Written);

    // words/*/results.ftl
    result_mismatch(result: &str, shown: &str);
    signed_otherwise(result: &str, signed: &str);
    ask_both(result: &str);
    nobody_has_signed();
    end_awaits_ruling(end: Message, article: &str);
    ends_as_released(end: Message, article: &str);
    end_came_after(end: Message);
    end_came_after_illegal(end: Message, article: &str);
    end_after_flag(end: Message);
    signed_after_flag(signed: &str);
    end_while_stopped(end: Message);
    ended_earlier(end: Message, article: &str);
    signed_stands();
    draw_before_moves();
    draw_once_moved(article: &str);
    draw_needs_consent(article: &str);
    may_be_claimed(mv: Written);
    may_be_granted(article: &str);
    sealed_ambiguous(written: &str, lost: Message);
    sealed_illegal(written: &str, lost: Message);
    sealed_unreadable(written: &str, lost: Message);
    sealer_loses(player: Color, article: &str);
    sealed_reply(player: Color, other: Color);
    maybe_sealed_reply(player: Color, other: Color);
    keep_the_envelope(other: Color, article: &str);
    if_at_the_board(other: Color, article: &str);

    // words/*/flag.ftl
    end_as_flag_fell(end: Message, number: u32, article: &str);
    end_before_flag(end: Message, number: u32, article: &str);
    if_dismissed();
    lost_without_a_move(player: Color);
    never_had_the_move(player: Color);
    flag_of_either();

    // words/*/position.ftl
    differ_on(squares: Bitboard);
    missed_one_order(squares: Bitboard);
    missed_orders(many: usize, squares: Bitboard);
    several_orders(ways: usize);
    position_never_reported();
    not_set_up(squares: Bitboard);
    made_while_stopped();
    moves_unseen();
    order_contradicted();
    line_was_out();
    goes_on_from_there();
    turn_passed(player: Color);
    last_moves_to_check();
    result_to_check();
    kings_to_check();
    kings_left();
    failed_again();
    failed_once();
    compare_and_set();
    illegal_move(player: Color, piece: Role, from: Square, sign: &str, to: Square, why: Message);
    not_pointed_out();
    penalty_applies(article: &str);
    reinstate_with_times(white: FaceTime, black: FaceTime);
    reinstate();
    replaced_by_queen(square: Square);
    king_put_to_castle(square: Square, article: &str);
    must_be_moved(piece: Role, square: Square, article: &str);
    must_be_captured(square: Square);
    any_move_will_do(piece: Role, square: Square);
    castling_must_be_played(mv: Written, article: &str);
    rook_must_be_moved(square: Square, article: &str);

    // words/*/clock.ftl
    kings_in_check();
    pawn_on_last_rank();
    declared_drawn();
    pressed_without_move(player: Color);
    before_the_first_move();
    started_for_either();
    no_press_yet();
    improper_use();
    penalized_as_illegal();
    press_stands(article: &str);
    arbiter_decides_position();
    illegal_stands(player: Color);
    share_each_back();
    share_whole_back(player: Color);
    share_half_each();
    share_shown_stand();
    share_taken_off(player: Color);
    share_between_both();
    share_lost_and_gained();

    // words/*/flag.ftl
    flag_fell(player: Color, left: FaceTime);
    flag_fell_within(player: Color, seconds: u64, left: FaceTime);
    fell_first(player: Color);
    no_moves_asked();
    moves_were_made();
    lost_on_time();
    drawn_on_time();
    undetermined_on_time();
    to_claim_the_win(player: Color, article: &str);
    nobody_can_claim(article: &str);
    neither_wrote(article: &str);
    only_one_wrote_not(player: Color, article: &str);
    clock_keeps_no_time(player: Color, left: FaceTime);
    if_it_counts();
    zero_without_sign();
    flag_blocked();
    flag_runs_on();
    end_after_fall(end: Message, after: Message, article: &str);
    end_with_fall(end: Message, article: &str);
    if_somebody_had();
    moves_required(player: Color, required: u32, completed: u32);
    check_moves(player: Color, completed: u32);
    one_more_unpressed();
    not_every_move_seen();
    one_worked_out();
    some_worked_out(moves: u32);
    if_not_wins(player: Color);
    if_not_draw(player: Color);
    if_not_undetermined(player: Color);

    // words/*/article4.ftl
    both_clocks_stood();
    may_not_have_begun();
    touch_may_be_missed(shorter: Duration);
    touched_not_moved(player: Color, piece: Role, square: Square, played: Written);
    unless_adjusted_move(piece: Role, square: Square);
    touched_not_captured(piece: Role, square: Square, owner: Color, player: Color, played: Written);
    if_that_hand_capture(player: Color, piece: Role, square: Square, article: &str);
    touched_both(
        player: Color,
        own: Role,
        from: Square,
        theirs: Role,
        target: Square,
        played: Written,
    );
    unless_adjusted_capture(mv: Written);
    lifted_and_put_back(player: Color, squares: &[Square]);
    touched_before_press(piece: Role, square: Square, player: Color, played: Written);
    claim_until_touched(article: &str);
    castled_unseen_order(player: Color, played: Written);
    castled_rook_first(player: Color, played: Written, square: Square);
    no_castling_free();
    no_castling_move_rook(square: Square);
    king_then_rook(player: Color, square: Square, played: Written);
    castling_obligatory(mv: Written);
    king_and_rook(player: Color, square: Square, played: Written);
    king_move_obligatory();
    castled_with_two_hands(castling: &str, player: Color);

    // words/*/flag.ftl
    both_flags_fell();
    both_made_their_moves();
    only_one_flag_counts(player: Color);
    if_clock_shows_not(article: &str);
    is_last_period();
    another_follows();
    sign_decides(article: &str);
    if_decides_draw(player: Color, other: Color);
    if_decides_undetermined(player: Color, other: Color);
    each_fell_within(player: Color, first: u64, other: Color, second: u64);

    // words/*/results.ftl
    as_on_the_sheet();
    square_missing(square: Square, man: Piece);
    square_too_many(square: Square, man: Piece);
    square_other(square: Square, man: Piece, wanted: Piece);
    square_alone(square: Square);
    clock_instead(player: Color, seen: FaceTime, expected: FaceTime);
    clock_unheard(player: Color, expected: FaceTime);

    // words/*/evidence.ftl
    seen_stop();
    seen_start();
    seen_times(white: FaceTime, black: FaceTime);
    seen_touch(square: Square);

    // words/*/results.ftl
    set_up_the_sheet();

    // words/*/clock.ftl
    neighbour_pressed(table: TableNo);
    see_the_neighbour();

    // words/*/position.ftl
    put_right_on_time_of(player: Color);
    in_his_own_time();
    displaced(squares: Bitboard);
    displaced_restored(seconds: u64);

    // words/*/clock.ftl
    offence_warning(offence: u32, player: Color);
    offence_time(offence: u32, player: Color, other: Color, time: Span);
    offence_drawn(offence: u32, player: Color);
    offence_lost(offence: u32, player: Color);

    // words/*/claims.ftl
    claim_right();
    claim_wrong();
    claim_repeated(verdict: Message, times: usize);
    claim_repeated_after(verdict: Message, mv: Written, times: usize);
    claim_quiet(verdict: Message, moves: &str);
    claim_quiet_after(verdict: Message, moves: &str, mv: Written);

    // words/*/position.ftl
    stands_as_960(number: u32);
    set_up_wrongly();
    set_up_how(sides: List);
    side_has(player: Color, what: List);
    swapped_royal(first: Role, second: Role);
    swapped(first: Role, from: Square, second: Role, to: Square);
    piece_on(piece: Role, square: Square);

    // words/*/clock.ftl
    time_change(player: Color, change: &str);
    changes(changes: List);
    gives_nothing();
    gives(seconds: u32);
    gives_back();
    gives_either(seconds: u32);
    clocks_stopped(player: Color);
    clocks_stopped_at(player: Color, shown: Message);
    he_may_claim_draw(article: &str);
    or_he_may_claim_draw(article: &str);
    played_on(other: Color, player: Color);

    // words/*/article4.ftl
    released_move(mv: Written);
    released_king(square: Square);
    released_pawn(square: Square);

    // words/*/results.ftl
    mate_withdrawn(outcome: &str);
    stalemate_withdrawn(outcome: &str);
    kings_withdrawn(outcome: &str);
    the_checkmate();
    the_stalemate();
    early_draw(moves: u32, least: u32);
    sealed_legal(mv: Written, player: Color);
    sealed_mates(article: &str);
    sealed_stalemates(article: &str);

    // words/*/flag.ftl
    end_checkmate();
    end_stalemate();
    end_dead();
    end_fivefold();
    end_seventy_five();
    less_than_a_second();
    seconds_after(seconds: u64);
    guideline_not_blitz();
    guideline_not_increment();
    guideline_unannounced();
    end_open_before(end: Message, article: &str);
    end_open_with(end: Message, article: &str);
    pressed_before_flag(player: Color, article: &str);
    illegal_before_flag(player: Color, article: &str);
    rule_on_that_first();
    pressed_upheld(player: Color, article: &str);
    illegal_upheld(player: Color, article: &str);
    flag_was_first(player: Color);
    both_flags_were_first();

    // words/*/position.ftl
    earlier_doubt(number: u32);
    piece_at(piece: Role, square: Square);
    why_geometry(piece: Role);
    why_through(square: Square);
    why_own_piece();
    why_king_in_check(attackers: List);
    why_king_captured();
    why_en_passant();
    why_not_promoted();
    castling_right_lost();
    castling_over_piece(square: Square);
    castling_out_of_check(attackers: List);
    castling_attacked(square: Square, attackers: List);
    castling_rook_left();
    castling_elsewhere();

    // words/*/results.ftl
    not_as_on_the_sheet(differences: List);

    // words/*/control.ftl
    control_untimed();
    control_each(white: Message, black: Message);
    control_periods(periods: List);
    control_period(parts: List);
    no_main_time();
    hours(count: u32);
    minutes(count: u32);
    seconds(count: u32);
    for_every_move();
    for_every_moves(moves: u32);
    for_moves(moves: u32);
    with_increment(span: List);
    with_increment_from(span: List, from: u32);
    with_delay(span: List);
    with_bronstein(span: List, seconds: u32);
    with_japanese(periods: u32, span: List);
    with_canadian(span: List, moves: u32);
    with_hourglass();

    // words/*/evidence.ftl
    seen_press(player: Color);
    seen_lift(man: Piece, square: Square);
    seen_put(man: Piece, square: Square);

    // words/*/orders.ftl
    not_given_already();
    not_given_closed();
    not_given_earlier_game();
    not_given_other_player();
    not_given_no_such_penalty();
    not_given_withdrawn_already();
    not_undone_no_such_act();
    not_undone_too_late();
    not_undone_decided_since();
    not_undone_another_game();
    not_undone_put_right();
    refused_no_such_incident();
    refused_acknowledged();
    refused_lapsed();
    refused_no_such_table();
    refused_fault();
    refused_not_in_play();
    refused_no_result_yet();
    refused_disagrees();
    refused_has_not_the_move();
    refused_adjourned();
    refused_not_adjourned();
    refused_too_few_moves();
    refused_moved_on();
    refused_not_written_so(number: u32, player: Color);
    refused_rest_unplayable(number: u32, player: Color);
    refused_no_envelope();
    refused_no_clock();
    refused_clock_runs();

    // words/*/results.ftl
    no_board_here();
    game_without_pairing_at(tables: Message);
    see_to_the_board();
    no_pairing_here();
    pairing_without_board_at(tables: Message);
    name_the_players_here();
    one_table(table: TableNo);
    one_of_tables(others: &str, last: TableNo);
}
