/** How fresh the picture is, said plainly. */

import type { LinkState } from '../data/connection';
import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';
import type { Recorded } from '../pure/record';

export interface Notice {
  readonly mood: 'live' | 'waiting' | 'stale' | 'again';
  readonly text: string;
}

/** The daemon of one hall. */
export interface HallFreshness {
  /** Empty where there is but one. */
  readonly name: string;
  /** False when it says, or its last will says, that it has stopped. */
  readonly online: boolean;
  /** When it sent the latest message that is known, in ms since 1970; null: nothing was heard. */
  readonly since: number | null;
  /** Not everything may be read there by who has signed in. */
  readonly barred: boolean;
  /** Where it is for the reader to know: whether the record is kept. */
  readonly record?: Recorded;
}

export interface Freshness {
  readonly link: LinkState;
  readonly halls: readonly HallFreshness[];
  /** Bases of halls that cannot be told apart by a name. */
  readonly nameless?: readonly string[];
  /** Whether it is known what there is. */
  readonly settled?: boolean;
  /** When the last message came, in ms since 1970 by this device's clock. */
  readonly lastNews: number | null;
  /** How many seconds this is behind the hall, null where nobody knows yet; none: it is live. */
  readonly delayS?: number | null;
}

export function noticeOf(fresh: Freshness, words: Words): Notice {
  switch (fresh.link) {
    case 'idle':
      return { mood: 'waiting', text: '' };
    case 'connecting':
      return { mood: 'waiting', text: words.connecting };
    case 'refused':
      return { mood: 'stale', text: words.refused };
    case 'lost':
      return { mood: 'stale', text: `${lostText(fresh, words)} · ${words.retrying}` };
    case 'online':
      return hallsNotice(fresh, words) ?? onlineNotice(fresh, words);
  }
}

/** What is wrong with some of the halls. */
function hallsNotice(fresh: Freshness, words: Words): Notice | null {
  const { halls, nameless = [], settled = false } = fresh;
  const [only] = halls;
  if (only?.name === '') {
    return only.online ? null : { mood: 'stale', text: words.daemonOffline };
  }
  const silent = halls
    .filter(({ online }) => !online)
    .map(({ name, since }) => {
      return since === null ? words.hallUnheard(name) : words.hallSilent(name, timeOfDay(since));
    });
  const barred = halls
    .filter((it) => it.barred && it.online)
    .map(({ name }) => words.hallBarred(name));
  const unnamed = nameless.map((base) => words.hallNameless(base));
  const none = settled && halls.length === 0 && unnamed.length === 0 ? [words.hallsUnheard] : [];
  const told = [...silent, ...barred, ...unnamed, ...none];
  // Since when is known with the last of the retained messages.
  if (!settled && told.length > 0) return { mood: 'waiting', text: words.connecting };
  return told.length === 0 ? null : { mood: 'stale', text: told.join(' · ') };
}

function onlineNotice({ halls, delayS }: Freshness, words: Words): Notice {
  if (delayS !== undefined) {
    return { mood: 'live', text: words.later(delayS === null ? null : spanOf(delayS)) };
  }
  const wrong = halls.find(({ record }) => record !== undefined && record.state !== 'kept');
  const told = recordNotice(wrong?.record, words);
  if (wrong === undefined || wrong.name === '') return told;
  return { ...told, text: words.about(words.hall(wrong.name), told.text) };
}

/** Whole minutes as such, everything else in seconds. */
function spanOf(seconds: number): string {
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function recordNotice(record: Recorded | undefined, words: Words): Notice {
  switch (record?.state) {
    case 'failed':
      return { mood: 'stale', text: words.recordFailed(timeOfDay(record.since)) };
    case 'again': {
      const [since, from] = [timeOfDay(record.since), timeOfDay(record.from)];
      return { mood: 'again', text: words.recordAgain(since, from) };
    }
    default:
      return { mood: 'live', text: words.live };
  }
}

function lostText({ lastNews }: Freshness, words: Words): string {
  return lastNews === null ? words.neverConnected : words.lost(timeOfDay(lastNews));
}
