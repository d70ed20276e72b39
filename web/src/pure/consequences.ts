/** The clock times an arbiter has to set, from what the daemon says the Laws provide. */

import type { Alert } from './alerts';
import type { Side } from './payloads';

export interface ClockChange {
  readonly side: Side;
  readonly beforeMs: number;
  readonly afterMs: number;
}

/** Time added to the opponent of the player concerned; null where none is due. */
export function clockChange({ side, facts }: Alert): ClockChange | null {
  const { clocks, penaltyS } = facts;
  if (side === null || clocks === null || penaltyS === null || penaltyS <= 0) return null;
  const opponent = side === 'white' ? 'black' : 'white';
  const beforeMs = clocks[opponent];
  return { side: opponent, beforeMs, afterMs: beforeMs + penaltyS * 1000 };
}
