/** How fresh the picture is, said plainly. */

import type { LinkState } from '../data/connection';
import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';

export interface Notice {
  readonly mood: 'live' | 'waiting' | 'stale';
  readonly text: string;
}

export interface Freshness {
  readonly link: LinkState;
  /** False when the daemon says, or its last will says, that it has stopped. */
  readonly daemonOnline: boolean;
  /** When the last message came, in ms since 1970 by this device's clock. */
  readonly lastNews: number | null;
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
        ? { mood: 'live', text: words.live }
        : { mood: 'stale', text: words.daemonOffline };
  }
}

function lostText({ lastNews }: Freshness, words: Words): string {
  return lastNews === null ? words.neverConnected : words.lost(timeOfDay(lastNews));
}
