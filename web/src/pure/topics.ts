/** The topics of the pages: how they are named, and what an incoming one is about. */

import type { Feed } from './feed';

export type TableKind = 'device' | 'position' | 'game' | 'clock' | 'board';

export type Subject =
  | { readonly about: 'bridge_state' }
  | { readonly about: 'bridge_info' }
  | { readonly about: 'table'; readonly table: number; readonly kind: TableKind }
  | { readonly about: 'alert'; readonly id: string }
  | { readonly about: 'watch_list' }
  | { readonly about: 'unseated' }
  | { readonly about: 'setup_boards' }
  | { readonly about: 'setup_lift' }
  | { readonly about: 'ledger'; readonly table: number }
  | { readonly about: 'time_sheet'; readonly table: number }
  | { readonly about: 'response'; readonly verb: string };

const NUMBER = /^[1-9]\d{0,5}$/;
const HALL_KINDS: readonly string[] = ['device', 'position', 'game', 'clock'];
const TABLE_KINDS: readonly string[] = [...HALL_KINDS, 'board'];

/** What the screens of the hall draw: not the squares and touches, which are many. */
export function hallFilters(base: string): string[] {
  return [`${base}/v1/bridge/#`, ...HALL_KINDS.map((kind) => `${base}/v1/table/+/${kind}`)];
}

/** What the screens read of the delayed copy, and besides whether the daemon is there. */
function publicFilters(base: string): string[] {
  return [`${base}/v1/bridge/state`, `${base}/v1/public/#`];
}

export function screenFilters(feed: Feed): (base: string) => string[] {
  return feed === 'public' ? publicFilters : hallFilters;
}

/** The physical squares of one table, for who looks at it closely. */
export function squaresFilter(base: string, table: number): string {
  return `${base}/v1/table/${table}/board`;
}

/** What an arbiter reads besides. */
export function arbiterFilters(base: string): string[] {
  const own = ['alert', 'arbiter', 'response'].map((room) => `${base}/v1/${room}/#`);
  return [...hallFilters(base), ...own];
}

/** What an organizer reads: the hall is seated before anybody plays. */
export function setupFilters(base: string): string[] {
  return ['bridge', 'setup', 'response'].map((room) => `${base}/v1/${room}/#`);
}

export function requestTopic(base: string, verb: string): string {
  return `${base}/v1/request/${verb}`;
}

/** Null for every topic the pages have no use for. */
export function subjectOf(base: string, topic: string): Subject | null {
  const prefix = `${base}/v1/`;
  if (!topic.startsWith(prefix)) return null;
  const own = topic.slice(prefix.length);
  if (own.startsWith('public/')) return publicSubject(own.split('/').slice(1));
  const [room, name, kind, ...rest] = own.split('/');
  if (!room || !name || rest.length > 0) return null;
  if (room === 'table') return tableSubject(name, kind);
  if (room === 'arbiter' && (name === 'ledger' || name === 'time_sheet')) {
    return NUMBER.test(kind ?? '') ? { about: name, table: Number(kind) } : null;
  }
  if (kind !== undefined) return null;
  if (room === 'bridge' && name === 'state') return { about: 'bridge_state' };
  if (room === 'bridge' && name === 'info') return { about: 'bridge_info' };
  if (room === 'alert') return { about: 'alert', id: name };
  if (room === 'arbiter' && name === 'watch_list') return { about: 'watch_list' };
  if (room === 'arbiter' && name === 'unseated') return { about: 'unseated' };
  if (room === 'setup' && name === 'boards') return { about: 'setup_boards' };
  if (room === 'setup' && name === 'lift') return { about: 'setup_lift' };
  if (room === 'response') return { about: 'response', verb: name };
  return null;
}

/** As those of the hall. */
function publicSubject([room, name, kind, ...rest]: string[]): Subject | null {
  if (room === 'info' && name === undefined) return { about: 'bridge_info' };
  if (room !== 'table' || !name || rest.length > 0) return null;
  return tableSubject(name, kind);
}

function tableSubject(name: string, kind: string | undefined): Subject | null {
  if (!NUMBER.test(name) || kind === undefined) return null;
  if (!TABLE_KINDS.includes(kind)) return null;
  return { about: 'table', table: Number(name), kind: kind as TableKind };
}
