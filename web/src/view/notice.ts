/** How fresh the picture is, said plainly. */

import type { LinkState } from '../data/connection';
import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';
import type { Recorded } from '../pure/record';

export interface Notice {
  readonly mood: 'live' | 'waiting' | 'stale' | 'again';
  readonly text: string;
}

export interface Freshness {
  readonly link: LinkState;
  /** False when the daemon says, or its last will says, that it has stopped. */
  readonly daemonOnline: boolean;
  /** When the last message came, in ms since 1970 by this device's clock. */
  readonly lastNews: number | null;
  /** Where it is for the reader to know: whether the record is kept. */
  readonly record?: Recorded;
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
      return fresh.daemonOnline
        ? onlineNotice(fresh, words)
        : { mood: 'stale', text: words.daemonOffline };
  }
}

function onlineNotice({ record, delayS }: Freshness, words: Words): Notice {
  if (delayS === undefined) return recordNotice(record, words);
  return { mood: 'live', text: words.later(delayS === null ? null : spanOf(delayS)) };
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
