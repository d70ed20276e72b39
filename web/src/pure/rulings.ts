/** What the answer to a ruling tells everybody who listens. */

import { fields, moment, oneOf, text, type Fields } from './json';
import type { Naming } from './topics';

const RULINGS = ['upheld', 'dismissed', 'noted'] as const;

export interface Ruled {
  readonly alert: string;
  readonly ruling: (typeof RULINGS)[number];
  readonly by: string;
  /** Ms since 1970. */
  readonly at: number | null;
}

/** Null for any other answer. */
export function readRuled(response: Fields, hall: Naming): Ruled | null {
  const data = fields(response['data']);
  const [alert, by] = [text(data?.['alert']), text(data?.['by'])];
  const ruling = oneOf(data?.['ruling'], RULINGS);
  if (response['status'] !== 'ok' || alert === null || by === null || ruling === null) return null;
  return { alert: hall.idOf(alert), ruling, by, at: moment(response['at']) };
}
