import type { TableId } from './table_id';

/** Which of the two feeds a page shows: the hall as it is, or what the public is told, later. */

export type Feed = 'hall' | 'public';

const PUBLIC = '/public';

/** `/public`, `/public/table/7`, … are of the delayed copy. */
export function feedOf(path: string): Feed {
  return path === PUBLIC || path.startsWith(`${PUBLIC}/`) ? 'public' : 'hall';
}

export function wallOf(feed: Feed): string {
  return feed === 'public' ? PUBLIC : '/';
}

export function tablePath(feed: Feed, table: TableId): string {
  return feed === 'public' ? `${PUBLIC}/table/${table}` : `/table/${table}`;
}
