/** Time controls in PGN's notation, as far as a watch list needs them. */

export interface Period {
  /** Moves until the next period; null: to the end of the game. */
  readonly moves: number | null;
  /** Seconds added with each move. */
  readonly incrementS: number;
}

/** `40/5400+30:1800+30`; delays and Bronstein (`+d3`, `+b3`) add nothing that can be saved up. */
export function periodsOf(timeControl: string): Period[] {
  const parts = timeControl.split(':').map((part) => {
    return /^(?:(\d+)\/)?\d+(?:\+([db])?(\d+))?/.exec(part.trim());
  });
  if (parts.some((part) => part === null)) return [];
  return parts.map((part) => ({
    moves: part?.[1] === undefined ? null : Number(part[1]),
    incrementS: part?.[2] === undefined ? Number(part?.[3] ?? 0) : 0,
  }));
}

/**
 * Moves a player still has to make before the control of the period his clock is in; null where
 * there is none. `completed`: the moves he has made, `period` counts from 1.
 */
export function movesToGo(
  periods: readonly Period[],
  period: number,
  completed: number,
): number | null {
  const own = periods[period - 1];
  if (own === undefined || own.moves === null) return null;
  const due = periods.slice(0, period).reduce((sum, { moves }) => sum + (moves ?? 0), 0);
  return Math.max(0, due - completed);
}
