/** The few words that say how a table stands: its last move, its phase, its result, its board. */

import type { Words } from '../i18n/words';
import type { TableState } from '../pure/halls';
import { moveLabel } from '../pure/moves';
import { resultText, writtenAs, writtenText } from '../pure/result';
import { localSan, type Letters } from '../pure/san';

export type Mood = 'plain' | 'result' | 'quiet' | 'device' | 'adrift';

export interface StateLine {
  readonly mood: Mood;
  readonly text: string;
  /** For where `text` has no room. */
  readonly short: string;
}

/**
 * The result comes first, then what is wrong with the picture, then the game; `moves`: whether
 * its last move may be told.
 */
export function stateLine(
  state: TableState,
  words: Words,
  letters: Letters,
  moves = true,
): StateLine {
  const { position, device } = state;
  const result = resultOf(state);
  if (result !== null) return line('result', result);
  if (position?.phase === 'ended') return line('quiet', words.phase.ended);
  // The board may be put away meanwhile: that is nothing to be told.
  if ((state.game?.adjournment ?? null) !== null) return line('quiet', words.atRest);
  if (device !== undefined && device.state !== 'online') {
    return line('device', words.device[device.state]);
  }
  if (position === undefined) return line('quiet', '');
  const withdrawn = resultText(position.withdrawn ?? '*');
  if (withdrawn !== null) {
    return withdrawnLine(withdrawn, words, moves ? lastMove(state, letters) : null);
  }
  if (position.phase === 'adrift') return line('adrift', words.phase.adrift, words.adriftShort);
  if (position.phase !== 'in_play') return line('quiet', words.phase[position.phase]);
  const told = moves ? lastMove(state, letters) : null;
  return line('plain', told ?? words.phase.in_play);
}

/** Whoever has read the result is to read that it is none, and the game is to be seen beside it. */
function withdrawnLine(result: string, words: Words, told: string | null): StateLine {
  const short = words.withdrawn(result);
  return line('adrift', told === null ? short : `${short} · ${told}`, short);
}

/** `23… Cf6`, or null before the first move. */
export function lastMove(state: TableState, letters: Letters): string | null {
  const position = state.position;
  if (!position?.last) return null;
  const label = moveLabel(position.ply, state.game?.startFen ?? null);
  return `${label} ${localSan(position.last.san, letters)}`;
}

function line(mood: Mood, text: string, short = text): StateLine {
  return { mood, text, short };
}

function resultOf(state: TableState): string | null {
  const raw = rawResult(state);
  if (resultText(raw) === null) return null;
  return writtenText(writtenAs(raw, state.game?.termination ?? null));
}

/** The result as the topics write it, `*` while the game goes on. */
export function rawResult(state: TableState): string {
  const position = state.position?.result ?? '*';
  return position === '*' ? (state.game?.result ?? '*') : position;
}
