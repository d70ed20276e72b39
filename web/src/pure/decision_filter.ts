/** Which decisions are asked for: of a table or player, an arbiter, an Article, a time of day. */

import type { Decision } from './decisions';
import { plain } from './search';

export interface Asked {
  /** A table's number, or part of a player's name. */
  readonly typed: string;
  /** Who did it; empty: anybody. */
  readonly by: string;
  /** Empty: any. */
  readonly article: string;
  /** "14:05", as a field for times has it; empty: from the beginning. */
  readonly from: string;
  /** The last minute that is told; empty: to the end. */
  readonly to: string;
}

export const ALL: Asked = { typed: '', by: '', article: '', from: '', to: '' };

export function filtered(decisions: readonly Decision[], asked: Asked): readonly Decision[] {
  if (Object.values(asked).every((it) => it.trim() === '')) return decisions;
  const typed = plain(asked.typed);
  return decisions.filter((decision) => {
    const { by, article, at } = decision;
    if (asked.by !== '' && by !== asked.by) return false;
    if (asked.article !== '' && article !== asked.article) return false;
    const minute = at === null ? '' : minuteOf(at);
    if (asked.from !== '' && minute < asked.from) return false;
    if (asked.to !== '' && minute > asked.to) return false;
    return typed === '' || concerns(decision, typed);
  });
}

/** What can be chosen: those that are there, in order. */
export function choicesOf(decisions: readonly Decision[], of: 'by' | 'article'): string[] {
  const all = new Set(decisions.map((decision) => decision[of]).filter((it) => it !== null));
  return [...all].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

function concerns({ table, players }: Decision, typed: string): boolean {
  if (/^\d+$/.test(typed)) return table === Number(typed);
  const names = [players.white?.name, players.black?.name];
  return names.some((name) => name !== undefined && plain(name).includes(typed));
}

/** Of the reader's day, as a field for times writes it. */
function minuteOf(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
