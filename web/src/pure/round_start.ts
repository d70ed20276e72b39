/** What a round is about to start at. */

import type { TableState } from './halls';
import type { TableId } from './table_id';

export interface AboutToStart {
  readonly tables: number;
  /** Those at which a game is not over. */
  readonly playing: readonly TableId[];
}

export function aboutToStart(
  wanted: readonly TableId[],
  states: ReadonlyMap<TableId, TableState>,
): AboutToStart {
  const plays = (table: TableId) => {
    const { game, position } = states.get(table) ?? {};
    if (game === undefined || game.moves.length === 0 || game.adjournment !== null) return false;
    return game.result === '*' && position?.phase !== 'ended';
  };
  return { tables: wanted.length, playing: wanted.filter(plays) };
}
