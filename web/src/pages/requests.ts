/** Requests to the daemon and what came of them. */

import { randomToken } from '../data/connection';
import { readTexts, type Texts } from '../pure/alerts';
import { text, type Fields } from '../pure/json';

/** How long (ms) an order holds: the daemon refuses it afterwards. */
const HOLDS_MS = 6000;
/** How long (ms) the daemon may take before the arbiter is told that nothing came. */
const PATIENCE_MS = 8000;
/** How often (ms) it is asked what became of an order without an answer. */
const ASK_AGAIN_MS = 4000;

export type Outcome =
  | { readonly kind: 'done'; readonly data: unknown }
  /** The daemon's own words, if it has any. */
  | { readonly kind: 'refused'; readonly why: Texts | null }
  /** `later`: what it came to, as soon as that is heard. */
  | { readonly kind: 'no_answer'; readonly later: Promise<Outcome> }
  /** The broker lets nobody of this name give orders there. */
  | { readonly kind: 'not_allowed' }
  | { readonly kind: 'not_connected' };

/** An order as it was sent. */
export interface Sent {
  readonly verb: string;
  readonly body: Fields;
}

/** An order without an answer, and who wants to hear of it all the same. */
interface Unanswered {
  readonly sent: Sent;
  tell(outcome: Outcome): void;
}

interface Pending {
  readonly timer: ReturnType<typeof setTimeout>;
  finish(outcome: Outcome): void;
}

export interface RequestsOptions {
  /** False: there is no way to send it. */
  send(sent: Sent, onRefused: () => void): boolean;
  /** Ms since 1970 in the hall that this is for: by its clock an order expires, not by ours. */
  now(body: Fields): number | null;
  /** What became of an order that had got no answer. */
  onAfterwards(sent: Sent, outcome: Outcome): void;
}

export class Requests {
  private readonly pending = new Map<string, Pending>();
  /** Without an answer. Sent again as they were, they are never carried out late or twice. */
  private readonly unanswered = new Map<string, Unanswered>();
  private readonly groups = new Set<string>();

  constructor(private readonly options: RequestsOptions) {
    setInterval(() => this.askAgain(), ASK_AGAIN_MS);
  }

  /** Several orders that one tap sends: by the name of their group they are taken back together. */
  async together(orders: (group: string) => Promise<void>): Promise<void> {
    const group = randomToken();
    this.groups.add(group);
    try {
      await orders(group);
    } finally {
      this.groups.delete(group);
    }
  }

  /** Whether orders of this group are still to come. */
  sends(group: string): boolean {
    return this.groups.has(group);
  }

  /** Always comes to an end: an answer, or that there was none. */
  ask(verb: string, body: Fields, group?: string): Promise<Outcome> {
    const transaction = randomToken();
    const now = this.options.now(body);
    if (now === null) return Promise.resolve({ kind: 'not_connected' });
    const expires_at = new Date(now + HOLDS_MS).toISOString();
    const sent = { verb, body: { transaction, expires_at, group, ...body } };
    const refused = () => this.finish(transaction, { kind: 'not_allowed' });
    if (!this.options.send(sent, refused)) return Promise.resolve({ kind: 'not_connected' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const later = new Promise<Outcome>((tell) => {
          this.unanswered.set(transaction, { sent, tell });
        });
        this.finish(transaction, { kind: 'no_answer', later });
      }, PATIENCE_MS);
      this.pending.set(transaction, { timer, finish: resolve });
    });
  }

  /** Answers to other arbiters' requests pass by unnoticed. */
  answer(payload: Fields): void {
    const transaction = text(payload['transaction']);
    if (transaction === null) return;
    const accepted = payload['status'] === 'ok';
    const refused = { kind: 'refused', why: readTexts(payload['text']) } as const;
    const outcome = accepted ? ({ kind: 'done', data: payload['data'] } as const) : refused;
    const waiting = this.unanswered.get(transaction);
    if (waiting === undefined) return this.finish(transaction, outcome);
    this.unanswered.delete(transaction);
    waiting.tell(outcome);
    this.options.onAfterwards(waiting.sent, outcome);
  }

  /** Another arbiter has signed in: the orders of the one before are not his. */
  forget(): void {
    this.unanswered.clear();
  }

  private askAgain(): void {
    this.unanswered.forEach(({ sent }) => this.options.send(sent, () => undefined));
  }

  private finish(transaction: string, outcome: Outcome): void {
    const pending = this.pending.get(transaction);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.pending.delete(transaction);
    pending.finish(outcome);
  }
}
