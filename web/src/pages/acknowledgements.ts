/** Requests to acknowledge alerts and what came of them. */

import { randomToken } from '../data/connection';
import { text, type Fields } from '../pure/json';

/** How long (ms) the daemon may take before the arbiter is told that nothing came. */
const PATIENCE_MS = 8000;

export interface Failure {
  readonly kind: 'no_answer' | 'not_connected' | 'refused';
  /** The daemon's own words; empty when there are none. */
  readonly text: string;
}

interface Pending {
  readonly alert: string;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Acknowledgements {
  private readonly pending = new Map<string, Pending>();
  private readonly failures = new Map<string, Failure>();

  constructor(
    private readonly send: (payload: object) => boolean,
    private readonly onOutcome: () => void,
  ) {}

  request(alert: string): void {
    const transaction = randomToken();
    this.failures.delete(alert);
    if (this.send({ transaction, alert })) {
      const timer = setTimeout(() => this.finish(transaction, noAnswer), PATIENCE_MS);
      this.pending.set(transaction, { alert, timer });
    } else {
      this.failures.set(alert, { kind: 'not_connected', text: '' });
    }
    this.onOutcome();
  }

  /** Answers to other arbiters' requests pass by unnoticed. */
  answer(payload: Fields): void {
    const transaction = text(payload['transaction']);
    if (transaction === null || !this.pending.has(transaction)) return;
    const error = text(payload['error']) ?? '';
    const accepted = payload['status'] === 'ok';
    this.finish(transaction, accepted ? null : { kind: 'refused', text: error });
  }

  sending(alert: string): boolean {
    return [...this.pending.values()].some((pending) => pending.alert === alert);
  }

  failure(alert: string): Failure | null {
    return this.failures.get(alert) ?? null;
  }

  private finish(transaction: string, failure: Failure | null): void {
    const pending = this.pending.get(transaction);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    this.pending.delete(transaction);
    if (failure !== null) this.failures.set(pending.alert, failure);
    this.onOutcome();
  }
}

const noAnswer: Failure = { kind: 'no_answer', text: '' };
