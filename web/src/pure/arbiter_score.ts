/** The score of a game with what an arbiter has to know of each move. */

import type { Alert, Gravity } from './alerts';
import type { ClosedAlert } from './dossier';
import type { Fault, Ledger } from './ledger';
import { moveRows, type MoveRow } from './moves';
import type { Game, Side } from './payloads';

/** Something that happened at a move: an alert, open or closed, or what stands in the ledger. */
export type Remark =
  | { readonly about: 'alert'; readonly alert: Alert; readonly gravity: Gravity }
  | { readonly about: 'closed'; readonly closed: ClosedAlert }
  | { readonly about: 'fault'; readonly side: Side; readonly fault: Fault };

export interface ScoreRow extends MoveRow {
  readonly remarks: readonly Remark[];
}

const SIDES = ['white', 'black'] as const;

/** `alerts`: those of this game. A move that was tried and not made has a row too. */
export function scoreRows(
  game: Game,
  alerts: readonly Alert[],
  ledger: Ledger | undefined,
  closed: readonly ClosedAlert[] = [],
): ScoreRow[] {
  const rows = new Map<number, MoveRow>(moveRows(game).map((row) => [row.number, row]));
  const remarks = new Map<number, Remark[]>();
  const note = (number: number | null, remark: Remark) => {
    if (number === null) return;
    remarks.set(number, [...(remarks.get(number) ?? []), remark]);
  };
  for (const alert of alerts) {
    note(alert.moveNumber, { about: 'alert', alert, gravity: alert.gravity });
  }
  const open = new Set(alerts.map(({ id }) => id));
  const over = closed.filter(({ id }) => !open.has(id));
  over.forEach((it) => note(it.moveNumber, { about: 'closed', closed: it }));
  const told = new Set([...open, ...over.map(({ id }) => id)]);
  for (const side of SIDES) {
    const faults = ledger?.[side].faults ?? [];
    // The alert says more than the ledger does.
    const own = faults.filter(({ alert }) => alert === null || !told.has(alert));
    own.forEach((fault) => note(fault.moveNumber, { about: 'fault', side, fault }));
  }
  const numbers = new Set([...rows.keys(), ...remarks.keys()]);
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => ({
      number,
      white: rows.get(number)?.white ?? null,
      black: rows.get(number)?.black ?? null,
      remarks: remarks.get(number) ?? [],
    }));
}
