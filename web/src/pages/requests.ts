/** Requests to the daemon and what came of them. */

import { randomToken } from '../data/connection';
import { readBilingual, type Bilingual } from '../pure/alerts';
import { text, type Fields } from '../pure/json';

/** How long (ms) the daemon may take before the arbiter is told that nothing came. */
const PATIENCE_MS = 8000;

export type Outcome =
  | { readonly kind: 'done'; readonly data: unknown }
  /** The daemon's own words, if it has any. */
  | { readonly kind: 'refused'; readonly why: Bilingual | null }
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'not_connected' };

interface Pending {
  readonly timer: ReturnType<typeof setTimeout>;
  finish(outcome: Outcome): void;
}

export class Requests {
  private readonly pending = new Map<string, Pending>();

  constructor(private readonly send: (verb: string, payload: object) => boolean) {}

  /** Always comes to an end: an answer, or that there was none. */
  ask(verb: string, body: object): Promise<Outcome> {
    const transaction = randomToken();
    if (!this.send(verb, { transaction, ...body })) {
      return Promise.resolve({ kind: 'not_connected' });
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.finish(transaction, { kind: 'no_answer' }), PATIENCE_MS);
      this.pending.set(transaction, { timer, finish: resolve });
    });
  }

  /** Answers to other arbiters' requests pass by unnoticed. */
  answer(payload: Fields): void {
    const transaction = text(payload['transaction']);
    if (transaction === null) return;
    const accepted = payload['status'] === 'ok';
    const refused = { kind: 'refused', why: readBilingual(payload['text']) } as const;
    this.finish(transaction, accepted ? { kind: 'done', data: payload['data'] } : refused);
  }

  private finish(transaction: string, outcome: Outcome): void {
    const pending = this.pending.get(transaction);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.pending.delete(transaction);
    pending.finish(outcome);
  }
}
