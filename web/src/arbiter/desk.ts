/** What the views of the arbiter's page share: the hall, the words, and a way to ask the daemon. */

import type { Credentials } from '../data/session';
import type { App } from '../pages/app';
import type { Side } from '../pure/payloads';
import { toldTo } from '../pure/san';
import type { TableId } from '../pure/table_id';
import type { Outcome, Requests } from '../pages/requests';
import type { Sector } from './sector';

export interface Desk {
  readonly app: App;
  readonly requests: Requests;
  /** Of this session; null before it. */
  readonly credentials: Credentials | null;
  /** Whose session it is; null where nobody had to say so. */
  readonly signedIn: string | null;
  /** The tables of this tablet. */
  readonly sector: Sector;
  signOut(): void;
  /** The player's name, or the colour where nobody has told it. */
  playerName(table: TableId, side: Side): string;
  /** Something worth saying was done; it is told for a moment, on every view. */
  say(text: string): void;
  /** The same of a ruling or a result, which *Undo* says in the same words while it is offered. */
  decided(table: TableId | null, text: string): void;
}

/** One of the places of the page. */
export interface View {
  readonly element: HTMLElement;
  draw(): void;
  /** Once a second. */
  tick(): void;
}

/** Whether the daemon answers this request: otherwise it is not offered. */
export function offers({ app }: Desk, verb: string): boolean {
  return app.config.requests.includes(verb);
}

/** What to tell the arbiter; null when it was done. */
export function complaint(outcome: Outcome, { app }: Desk): string | null {
  const { words } = app;
  switch (outcome.kind) {
    case 'done':
      return null;
    case 'not_connected':
      return words.notConnected;
    case 'not_allowed':
      return words.notAllowed;
    case 'no_answer':
      return words.noAnswer;
    case 'refused':
      return outcome.why === null ? words.noAnswer : toldTo(app, outcome.why);
  }
}
