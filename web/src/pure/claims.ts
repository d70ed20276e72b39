/** The daemon's answer to a claim of a draw. */

import type { Bilingual } from './alerts';
import { each, fields, finite, text } from './json';

export interface ClaimAnswer {
  readonly right: boolean;
  readonly article: string;
  readonly text: Bilingual | null;
  /** Plies after which the position stood there; 0 is the beginning. */
  readonly occurrences: readonly number[];
  readonly touched: readonly string[];
  /** What the opponent gets if the claim is wrong, in s. */
  readonly penaltyS: number | null;
}

export function readClaim(value: unknown): ClaimAnswer | null {
  const data = fields(value);
  if (data === null || typeof data['right'] !== 'boolean') return null;
  const told = fields(data['text']);
  const [en, fr] = [text(told?.['en']), text(told?.['fr'])];
  return {
    right: data['right'],
    article: text(data['article']) ?? '',
    text: en === null ? null : { en, fr: fr ?? en },
    occurrences: each(data['occurrences'], (item) => finite(fields(item)?.['ply'])),
    touched: each(data['touched'], text),
    penaltyS: finite(data['penalty_s']),
  };
}
