/** Whether a table is ready for the round, as far as it can be seen from here. */

import { INITIAL_FEN } from 'chessops/fen';
import type { TableState } from './halls';
import type { Section } from './sections';
import type { Side } from './payloads';
import { byTable, type TableId } from './table_id';
import { startMs } from './time_control';

/** Times that differ by less are those of a clock that was read late. */
const SLACK_MS = 2500;
/** Below so many percent a battery may not last for a round. An estimate. */
const BATTERY_LOW = 25;
/** A line that was just opened may have cut a message or two. An estimate. */
const NOISE_MAX = 10;

export type Times = Readonly<Record<Side, number>>;

/** What is not right, or cannot be seen. */
export type Finding =
  | { readonly kind: 'no_board' | 'silent' | 'plays' | 'over' | 'no_names' }
  | { readonly kind: 'pieces'; readonly squares: readonly string[] }
  /** Unseen: none was ever read here, and none has to be. */
  | { readonly kind: 'clock_unheard' | 'clock_unseen' | 'clock_low' | 'clock_exchanged' }
  | { readonly kind: 'clock_runs' | 'clock_unknown' }
  | { readonly kind: 'clock_set'; readonly shows: Times; readonly wanted: Times }
  | { readonly kind: 'battery'; readonly percent: number }
  | { readonly kind: 'noise'; readonly count: number };

/** What may stay as it is: nobody can say whether it is right. */
const ONLY_TOLD: readonly Finding['kind'][] = ['clock_unseen', 'clock_unknown', 'no_names'];

export interface Checked {
  readonly table: TableId;
  readonly ready: boolean;
  readonly findings: readonly Finding[];
  /** Null: no board says how it lies. */
  readonly turned: boolean | null;
  readonly names: Readonly<Record<Side, string>>;
  /** What the clock shows. */
  readonly times: Times | null;
}

/** `clocks`: the kinds of boards through which clocks are read in this hall. */
export function checked(
  table: TableId,
  state: TableState,
  clocks = kindsWithClocks([state]),
): Checked {
  const { game, clock, device } = state;
  const findings = [...ofBoard(state), ...ofClock(state, clocks), ...ofNames(state)];
  const [white, black] = [clock?.white ?? null, clock?.black ?? null];
  return {
    table,
    findings,
    ready: findings.every(({ kind }) => ONLY_TOLD.includes(kind)),
    turned: device?.state === 'online' ? device.turned : null,
    names: { white: game?.white?.name ?? '', black: game?.black?.name ?? '' },
    times: white === null || black === null ? null : { white, black },
  };
}

/** In the order in which somebody walks: part by part of the hall, and by number in each. */
export function walkingOrder(tables: readonly TableId[], sections: readonly Section[]): TableId[] {
  const part = (table: TableId) => {
    const at = sections.findIndex(({ holds }) => holds(table));
    return at < 0 ? sections.length : at;
  };
  return [...tables].sort((a, b) => part(a) - part(b) || byTable(a, b));
}

function ofBoard({ device, position, game, board }: TableState): Finding[] {
  if (device === undefined || device.state === 'absent') return [{ kind: 'no_board' }];
  if (device.state !== 'online') return [{ kind: 'silent' }];
  const found: Finding[] = [];
  const phase = position?.phase;
  if (phase === 'ended') found.push({ kind: 'over' });
  else if (phase === 'in_play' || phase === 'paused' || phase === 'adrift') {
    found.push({ kind: 'plays' });
  } else if (phase !== 'ready') {
    const wanted = game?.startFen ?? INITIAL_FEN;
    found.push({ kind: 'pieces', squares: differing(board?.placement ?? null, wanted) });
  }
  if (device.battery !== null && device.battery < BATTERY_LOW) {
    found.push({ kind: 'battery', percent: device.battery });
  }
  if (device.noise > NOISE_MAX) found.push({ kind: 'noise', count: device.noise });
  return found;
}

/** The kinds of boards of which at least one has told of a clock. */
export function kindsWithClocks(tables: Iterable<TableState>): ReadonlySet<string | null> {
  const read = ({ clock }: TableState) => clock !== undefined && clock.white !== null;
  return new Set([...tables].filter(read).map(({ device }) => device?.driver ?? null));
}

function ofClock(
  { device, clock, game, position }: TableState,
  clocks: ReadonlySet<string | null>,
): Finding[] {
  const control = game?.timeControl ?? '';
  // Who is not timed needs no clock, and of a game in play nothing is to be set.
  if (control === '-' || position?.phase === 'in_play' || device?.state !== 'online') return [];
  const [white, black] = [clock?.white ?? null, clock?.black ?? null];
  if (clock === undefined || !clock.current || white === null || black === null) {
    return [{ kind: clocks.has(device.driver) ? 'clock_unheard' : 'clock_unseen' }];
  }
  const found: Finding[] = [];
  if (clock.lowBattery) found.push({ kind: 'clock_low' });
  if (clock.running !== null) found.push({ kind: 'clock_runs' });
  const wanted = startMs(control);
  if (wanted === null) return [...found, { kind: 'clock_unknown' }];
  const shows = { white, black };
  if (near(shows, wanted)) return found;
  const exchanged = near({ white: black, black: white }, wanted);
  const wrong = exchanged ? ({ kind: 'clock_exchanged' } as const) : null;
  return [...found, wrong ?? { kind: 'clock_set', shows, wanted }];
}

function near(shows: Times, wanted: Times): boolean {
  const off = (side: Side) => Math.abs(shows[side] - wanted[side]);
  return off('white') <= SLACK_MS && off('black') <= SLACK_MS;
}

function ofNames({ game }: TableState): Finding[] {
  return game?.white && game.black ? [] : [{ kind: 'no_names' }];
}

/** The squares on which something else stands; none where nobody can tell. */
export function differing(placement: string | null, fen: string): string[] {
  const [is, wanted] = [placement === null ? null : spread(placement), spread(fen)];
  if (is === null || wanted === null) return [];
  return wanted.flatMap((piece, index) => (is[index] === piece ? [] : [squareName(index)]));
}

function squareName(index: number): string {
  return `${'abcdefgh'[index % 8] ?? ''}${8 - Math.floor(index / 8)}`;
}

/** Sixty-four squares from a8, blanks for empty ones. */
function spread(fen: string): string[] | null {
  const [placement = ''] = fen.split(' ');
  const letters = placement.replaceAll('/', '').replace(/\d/g, (n) => ' '.repeat(Number(n)));
  return letters.length === 64 ? [...letters] : null;
}
