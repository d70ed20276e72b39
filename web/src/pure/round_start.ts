/** What a round is about to start at. */

import type { TableState } from './hall';

export interface AboutToStart {
  readonly tables: number;
  /** Those at which a game is not over. */
  readonly playing: readonly number[];
}

export function aboutToStart(
  wanted: readonly number[],
  states: ReadonlyMap<number, TableState>,
): AboutToStart {
  const plays = (table: number) => {
    const { game, position } = states.get(table) ?? {};
    if (game === undefined || game.moves.length === 0 || game.adjournment !== null) return false;
    return game.result === '*' && position?.phase !== 'ended';
  };
  return { tables: wanted.length, playing: wanted.filter(plays) };
}
