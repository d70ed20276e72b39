/** A sign for what an alert is about: read before its words are. */

import { h, icon } from './dom';

const SIGNS = {
  hand: 'M8 21h8M9 21v-4l-2-5 3-2V6a2 2 0 1 1 4 0v4l3 2-2 5v4',
  illegal: 'M4 4h16v16H4zM8 8l8 8m0-8-8 8',
  clock: 'M12 6a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M12 9.5V14l3 2M9 2.5h6M12 2.5V6',
  flag: 'M6 21V4m0 1h11l-3 4 3 4H6',
  draw: 'M5 9h14M5 15h14',
  board: 'M4 4h16v16H4zM4 12h16M12 4v16',
  cable: 'M9 3v5m6-5v5M7 8h10v3a5 5 0 0 1-10 0zM12 16v5',
  people:
    'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M2.5 20a5.5 5.5 0 0 1 11 0' +
    'M16 6a2.5 2.5 0 1 1 0 5M16 14a5 5 0 0 1 5.5 5',
  sheet: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
} as const;

type Sign = keyof typeof SIGNS;

const OF_KINDS: Readonly<Record<Sign, readonly string[]>> = {
  hand: [
    'adjusted',
    'castled_rook_first',
    'must_castle',
    'must_move_king',
    'promotion_changed',
    'released_then_changed',
    'touched_both',
    'touched_not_captured',
    'touched_not_moved',
    'touched_out_of_turn',
    'two_hands',
  ],
  illegal: [
    'illegal_move',
    'illegal_stands',
    'kings_in_check',
    'pawn_not_promoted',
    'pawn_on_last_rank',
  ],
  clock: [
    'clock_adjusted',
    'clock_fault',
    'clock_setting',
    'clock_stopped',
    'default_time',
    'missed_press',
    'neighbour_pressed',
    'not_started',
    'pressed_without_move',
    'time_trouble',
    'two_minutes',
    'wrong_clock_running',
  ],
  flag: ['both_flags', 'flag_fall'],
  draw: [
    'dead_position',
    'early_draw',
    'fifty_possible',
    'fivefold',
    'seventy_five',
    'threefold_possible',
  ],
  board: ['board_turned', 'boards_differ', 'displaced', 'position_to_check', 'wrong_start'],
  cable: ['board_lost', 'clock_lost', 'low_battery', 'no_board'],
  people: ['colours_reversed', 'no_pairing', 'player_twice'],
  sheet: ['no_result', 'result_mismatch', 'resumption_differs', 'sealed_reply'],
};

/** Null for a kind that has none: a daemon may know more than this page. */
export function signOf(kind: string): Sign | null {
  const signs = Object.keys(OF_KINDS) as Sign[];
  return signs.find((sign) => OF_KINDS[sign].includes(kind)) ?? null;
}

export function kindIcon(kind: string): HTMLElement | null {
  const sign = signOf(kind);
  return sign === null ? null : h('span', { class: 'kind-icon' }, icon(SIGNS[sign]));
}
