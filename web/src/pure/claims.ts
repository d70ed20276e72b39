/** What the daemon answers where it is asked for a judgement: a claim of a draw, a sealed move. */

import { readTexts, type Texts } from './alerts';
import { timesAsked, type Setting } from './consequences';
import { each, fields, finite, oneOf, text } from './json';
import { readSide, type ClockReading, type Side } from './payloads';

export interface ClaimAnswer {
  readonly right: boolean;
  /** Who claims: the player having the move. */
  readonly by: Side | null;
  readonly article: string;
  readonly text: Texts | null;
  /** Plies after which the position stood there; 0 is the beginning. */
  readonly occurrences: readonly number[];
  readonly touched: readonly string[];
  /** What the opponent gets if the claim is wrong, in s. */
  readonly penaltyS: number | null;
}

const VERDICTS = ['legal', 'ambiguous', 'illegal', 'unreadable'] as const;

/** What is written in an envelope, and what the Laws say of it (I.8). */
export interface SealedAnswer {
  readonly verdict: (typeof VERDICTS)[number];
  readonly text: Texts | null;
}

export function readSealed(value: unknown): SealedAnswer | null {
  const data = fields(value);
  const verdict = oneOf(data?.['verdict'], VERDICTS);
  return verdict === null ? null : { verdict, text: readTexts(data?.['text']) };
}

export function readClaim(value: unknown): ClaimAnswer | null {
  const data = fields(value);
  if (data === null || typeof data['right'] !== 'boolean') return null;
  return {
    right: data['right'],
    by: readSide(data['by']),
    article: text(data['article']) ?? '',
    text: readTexts(data['text']),
    occurrences: each(data['occurrences'], (item) => finite(fields(item)?.['ply'])),
    touched: each(data['touched'], text),
    penaltyS: finite(data['penalty_s']),
  };
}

/** What a wrong claim gives to the opponent, ready to be written down. */
export interface ClaimGift {
  readonly to: Side;
  readonly minutes: number;
  /** The times to set; null where the clock is not heard. */
  readonly setting: Setting | null;
  readonly asked: object;
}

/** `clock`: as it stands; its times are written down only where it does. Null: nothing is due. */
export function giftOfClaim(
  answer: ClaimAnswer,
  clock: ClockReading | undefined,
): ClaimGift | null {
  const { right, by, penaltyS } = answer;
  if (right || by === null || penaltyS === null || penaltyS <= 0) return null;
  const to = by === 'white' ? 'black' : 'white';
  const asked = { side: by, seconds: penaltyS };
  const gift = { to, minutes: penaltyS / 60, asked } as const;
  const { white = null, black = null, current = false, running = null } = clock ?? {};
  if (white === null || black === null || !current) return { ...gift, setting: null };
  const before = { white, black };
  const after = { ...before, [to]: before[to] + penaltyS * 1000 };
  // The claimant has the move still.
  const setting = { before, after, running: by };
  if (running !== null) return { ...gift, setting };
  return { ...gift, setting, asked: { ...asked, clock: timesAsked(setting) } };
}
