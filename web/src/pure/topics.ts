/** The topics of the pages: how they are named, and what an incoming one is about. */

import type { Feed } from './feed';
import type { Hall } from './hall';
import { numberOf, type TableId } from './table_id';

export type TableKind = 'device' | 'position' | 'game' | 'clock' | 'board';

export type Subject =
  | { readonly about: 'bridge_state' }
  | { readonly about: 'bridge_info' }
  | { readonly about: 'table'; readonly table: TableId; readonly kind: TableKind }
  | { readonly about: 'alert'; readonly id: string }
  | { readonly about: 'watch_list' }
  | { readonly about: 'unseated' }
  | { readonly about: 'setup_boards' }
  | { readonly about: 'setup_event' }
  | { readonly about: 'setup_lift' }
  | { readonly about: 'ledger'; readonly table: TableId }
  | { readonly about: 'time_sheet'; readonly table: TableId }
  | { readonly about: 'response'; readonly verb: string };

/** How the tables and alerts of a hall are called here. */
export type Naming = Pick<Hall, 'name' | 'idOf'>;

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
export function squaresFilter(base: string, table: TableId): string {
  return `${base}/v1/table/${numberOf(table)}/board`;
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

/** Which halls there are, and whether they are there. */
export function stateFilters(base: string): string[] {
  return [`${base}/v1/bridge/#`];
}

/** All of every table, while an organizer walks through the hall before a round. */
export function walkFilter(base: string): string {
  return `${base}/v1/table/+/+`;
}

export function requestTopic(base: string, verb: string): string {
  return `${base}/v1/request/${verb}`;
}

export function isBelow(base: string, topic: string): boolean {
  return topic.startsWith(`${base}/v1/`);
}

/** `pattern`: `liege/+`. For a topic of any hall there: the base of that hall. */
export function baseBelow(pattern: string): (topic: string) => string | null {
  const fixed = pattern.slice(0, -1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const below = new RegExp(`^(${fixed}[^/]+)/v1/`);
  return (topic) => below.exec(topic)?.[1] ?? null;
}

/** Null for every topic the pages have no use for. */
export function subjectOf(hall: Naming & Pick<Hall, 'base'>, topic: string): Subject | null {
  const prefix = `${hall.base}/v1/`;
  if (!topic.startsWith(prefix)) return null;
  const own = topic.slice(prefix.length);
  if (own.startsWith('public/')) return publicSubject(hall, own.split('/').slice(1));
  const [room, name, kind, ...rest] = own.split('/');
  if (!room || !name || rest.length > 0) return null;
  if (room === 'table') return tableSubject(hall, name, kind);
  if (room === 'arbiter' && (name === 'ledger' || name === 'time_sheet')) {
    return NUMBER.test(kind ?? '') ? { about: name, table: hall.idOf(Number(kind)) } : null;
  }
  if (kind !== undefined) return null;
  if (room === 'bridge' && name === 'state') return { about: 'bridge_state' };
  if (room === 'bridge' && name === 'info') return { about: 'bridge_info' };
  if (room === 'alert') return { about: 'alert', id: hall.idOf(name) };
  if (room === 'arbiter' && name === 'watch_list') return { about: 'watch_list' };
  if (room === 'arbiter' && name === 'unseated') return { about: 'unseated' };
  if (room === 'setup' && name === 'boards') return { about: 'setup_boards' };
  if (room === 'setup' && name === 'event') return { about: 'setup_event' };
  if (room === 'setup' && name === 'lift') return { about: 'setup_lift' };
  if (room === 'response') return { about: 'response', verb: name };
  return null;
}

/** As those of the hall. */
function publicSubject(hall: Naming, [room, name, kind, ...rest]: string[]): Subject | null {
  if (room === 'info' && name === undefined) return { about: 'bridge_info' };
  if (room !== 'table' || !name || rest.length > 0) return null;
  return tableSubject(hall, name, kind);
}

function tableSubject(hall: Naming, name: string, kind: string | undefined): Subject | null {
  if (!NUMBER.test(name) || kind === undefined) return null;
  if (!TABLE_KINDS.includes(kind)) return null;
  return { about: 'table', table: hall.idOf(Number(name)), kind: kind as TableKind };
}
