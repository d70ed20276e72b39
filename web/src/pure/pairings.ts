/** Pairings as an organizer looks at them and mends them before they hold. */

import { each, fields, text, type Fields } from './json';
import { tableNumber } from './payloads';

/** A player of a file: what else is known of him goes with his name. */
type Player = Fields;

export interface Pairing {
  readonly table: number;
  readonly white: Player;
  readonly black: Player;
  /** The position and the castling of the game, where they are unusual. */
  readonly rest: Fields;
}

export interface Round {
  readonly name: string;
  readonly pairings: readonly Pairing[];
}

export type Seat = 'white' | 'black';

/** The most letters of a name that is kept: the rest of a longer one in a file is cut off. */
export const NAME_MAX = 100;

export function readRounds(value: unknown): Round[] {
  return each(value, (item) => {
    const round = fields(item);
    const name = text(round?.['name']);
    if (round === null || name === null) return null;
    return { name, pairings: each(round['pairings'], readPairing) };
  });
}

function readPairing(item: unknown): Pairing | null {
  const { table, white, black, ...rest } = fields(item) ?? {};
  const [number, first, second] = [tableNumber(table), fields(white), fields(black)];
  if (number === null || first === null || second === null) return null;
  return { table: number, white: first, black: second, rest };
}

/** As the daemon reads them. */
export function sent(rounds: readonly Round[]): object[] {
  return rounds.map(({ name, pairings }) => ({
    name,
    pairings: pairings.map(({ table, white, black, rest }) => ({ ...rest, table, white, black })),
  }));
}

export function nameIn(pairing: Pairing, seat: Seat): string {
  return text(pairing[seat]['name']) ?? '';
}

/** Another name at a seat is another player: what was known of the one before is not his. */
export function renamed(pairing: Pairing, seat: Seat, name: string): Pairing {
  const before = nameIn(pairing, seat);
  // Who is only spelled otherwise begins with the same letter.
  const same = before !== '' && name !== '' && before[0] === name[0];
  return { ...pairing, [seat]: same ? { ...pairing[seat], name } : { name } };
}

export function exchanged(pairing: Pairing): Pairing {
  return { ...pairing, white: pairing.black, black: pairing.white };
}

/** Rounds of a file in place of those of the same name; the others stay. */
export function merged(before: readonly Round[], file: readonly Round[]): Round[] {
  const of = (name: string) => file.find((it) => it.name === name);
  const stay = before.map((it) => of(it.name) ?? it);
  const more = file.filter((it) => before.every(({ name }) => name !== it.name));
  const all = [...stay, ...more];
  const numbered = all.every(({ name }) => /^\d+$/.test(name));
  return numbered ? all.sort((a, b) => Number(a.name) - Number(b.name)) : all;
}

/** The round after this one, if the pairings have it. */
export function roundAfter(rounds: readonly Round[], name: string): string | null {
  const at = rounds.findIndex((it) => it.name === name);
  return at < 0 ? null : (rounds[at + 1]?.name ?? null);
}

/** What a new round is called: `4` after `3`. */
export function nextName(rounds: readonly Round[]): string {
  const numbers = rounds.map(({ name }) => Number(name)).filter(Number.isInteger);
  return String(Math.max(0, ...numbers) + 1);
}

export type Fault =
  | { readonly kind: 'table_twice'; readonly table: number }
  | { readonly kind: 'player_twice'; readonly name: string; readonly tables: string }
  | { readonly kind: 'no_name'; readonly table: number }
  | { readonly kind: 'long'; readonly table: number };

/** What is to be looked at in a round before it holds. */
export function faults({ pairings }: Round): Fault[] {
  const found: Fault[] = [];
  const tables = new Set<number>();
  const players = new Map<string, number>();
  for (const pairing of pairings) {
    const { table } = pairing;
    if (tables.has(table)) found.push({ kind: 'table_twice', table });
    tables.add(table);
    const names = [nameIn(pairing, 'white'), nameIn(pairing, 'black')];
    if (names.some((it) => it.trim() === '')) found.push({ kind: 'no_name', table });
    for (const seat of ['white', 'black'] as const) {
      const name = nameIn(pairing, seat).trim();
      if ([...name].length >= NAME_MAX) found.push({ kind: 'long', table });
      const other = players.get(name);
      if (name !== '' && other !== undefined) {
        found.push({ kind: 'player_twice', name, tables: `${other}, ${table}` });
      }
      players.set(name, table);
    }
  }
  return found;
}

/** Tables at which the players of this round are others than before. */
export function changedTables(before: Round | undefined, now: Round | undefined): number[] {
  const told = (it: Pairing) => [nameIn(it, 'white'), nameIn(it, 'black')].join('\n');
  const at = (round: Round | undefined) => {
    return new Map((round?.pairings ?? []).map((it) => [it.table, told(it)]));
  };
  const [was, is] = [at(before), at(now)];
  return [...was.keys()].filter((table) => was.get(table) !== is.get(table));
}
