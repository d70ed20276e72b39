/** What the daemon answers where it is asked for a judgement: a claim of a draw, a sealed move. */

import { readTexts, type Texts } from './alerts';
import { each, fields, finite, oneOf, text } from './json';

export interface ClaimAnswer {
  readonly right: boolean;
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
    article: text(data['article']) ?? '',
    text: readTexts(data['text']),
    occurrences: each(data['occurrences'], (item) => finite(fields(item)?.['ply'])),
    touched: each(data['touched'], text),
    penaltyS: finite(data['penalty_s']),
  };
}
