/** Results as written in PGN, shared out between the players. */

import type { Side } from './payloads';

const POINTS: Readonly<Record<string, string>> = { '1': '1', '0': '0', '1/2': '½' };
const FORFEITS: Readonly<Record<string, string>> = { '1-0': '+/-', '0-1': '-/+', '0-0': '-/-' };

/** `1`, `½` or `0`; null while the game goes on or when the result is not understood. */
export function pointsOf(result: string, side: Side): string | null {
  const [white, black] = result.split('-');
  return POINTS[(side === 'white' ? white : black) ?? ''] ?? null;
}

/** As it is entered, `+/-` for a game that was not played, as it is read: `1–0`, `½–½`, `+/−`. */
export function writtenText(written: string): string {
  return resultText(written) ?? written.replaceAll('-', '−');
}

/** The result as it would be entered: of a game that was not played by signs. */
export function writtenAs(result: string, termination: string | null): string {
  return termination === 'forfeit' ? (FORFEITS[result] ?? result) : result;
}

/** `1–0`, `½–½`; null without a result. */
export function resultText(result: string): string | null {
  const white = pointsOf(result, 'white');
  const black = pointsOf(result, 'black');
  return white === null || black === null ? null : `${white}–${black}`;
}
