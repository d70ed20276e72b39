/** The journal of decisions as the server tells it. */

import { each, fields, finite, moment, oneOf, text, type Fields } from './json';
import { readTexts, type Texts } from './alerts';
import { readPlayers, tableNumber, type Players } from './payloads';

export interface Decision {
  /** Ms since 1970. */
  readonly at: number | null;
  readonly what: 'raised' | 'closed' | 'set_aside' | 'request';
  readonly table: number | null;
  /** Who played there then. */
  readonly players: Players;
  readonly moveNumber: number | null;
  /** The alert it is about. */
  readonly alert: string | null;
  readonly article: string | null;
  readonly text: Texts | null;
  readonly gravity: string | null;
  readonly by: string | null;
  readonly verb: string | null;
  readonly request: Fields;
  /** Why it was refused. */
  readonly refusal: Texts | null;
}

const WHATS = ['raised', 'closed', 'set_aside', 'request'] as const;

export function readDecisions(raw: string): Decision[] | null {
  try {
    const value: unknown = JSON.parse(raw);
    return Array.isArray(value) ? spelledOut(each(value, readDecision)) : null;
  } catch {
    return null;
  }
}

function readDecision(value: unknown): Decision | null {
  const line = fields(value);
  const what = oneOf(line?.['what'], WHATS);
  if (line === null || what === null) return null;
  const alert = fields(line['alert']);
  return {
    at: moment(line['at']),
    what,
    table: tableNumber(line['table']),
    players: readPlayers(line['players']),
    moveNumber: finite(alert?.['move_number']),
    alert: text(alert?.['id']) ?? text(fields(line['request'])?.['alert']),
    article: text(alert?.['article']),
    text: readTexts(alert?.['text']),
    gravity: text(alert?.['gravity']),
    by: text(line['by']),
    verb: text(line['verb']),
    request: fields(line['request']) ?? {},
    refusal: readTexts(line['refusal']),
  };
}

/** A request may name its alert by the number alone: it is told as it was last raised before. */
function spelledOut(decisions: readonly Decision[]): Decision[] {
  const raised = new Map<string, Pick<Decision, 'text' | 'article' | 'moveNumber'>>();
  return decisions.map((decision) => {
    const { alert, text, article, moveNumber } = decision;
    if (alert === null) return decision;
    if (text === null) return { ...decision, ...raised.get(alert) };
    raised.set(alert, { text, article, moveNumber });
    return decision;
  });
}

/** What people did and were asked to decide, the newest first: not what was only noted. */
export function worthTelling(decisions: readonly Decision[]): Decision[] {
  const told = decisions.filter(({ what, gravity }) => what === 'request' || gravity !== 'note');
  return told.reverse();
}

/** What an arbiter did, or was refused. */
export function byPeople(decisions: readonly Decision[]): Decision[] {
  return decisions.filter(({ what }) => what === 'request');
}
