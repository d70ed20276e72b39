/**
 * Which tables an address asks for: `/table/7`, `?tables=1-24,30`; of one of several halls
 * `A-1-24`.
 */

import { byTable, hallIn, idIn, numberOf, readTableId, type TableId } from './table_id';

/** The table in `/table/<n>` or `/embed/<n>`, also below `/public`, or null. */
export function tableOfPath(path: string): TableId | null {
  const match = /^(?:\/public)?\/(?:table|embed)\/([A-Za-z0-9-]+)\/?$/.exec(path);
  return readTableId(match?.[1] ?? '');
}

export interface EmbedChoices {
  readonly flip: boolean;
  readonly clocks: boolean;
  readonly names: boolean;
  readonly coordinates: boolean;
}

/** `?flip&clocks=0&names=0&coordinates=1` */
export function embedChoices(query: URLSearchParams): EmbedChoices {
  const said = (name: string, otherwise: boolean) => {
    const value = query.get(name);
    return value === null ? otherwise : value !== '0';
  };
  return {
    flip: said('flip', false),
    clocks: said('clocks', true),
    names: said('names', true),
    coordinates: said('coordinates', false),
  };
}

export type Selection = (table: TableId) => boolean;

/** `1-24,30`: those tables; absent or not understood: all of them. */
export function parseSelection(query: string | null): Selection {
  const ranges = (query ?? '').split(',').flatMap(readRange);
  if (ranges.length === 0) return () => true;
  return (table) => ranges.some((range) => isIn(range, table));
}

/**
 * What `1-24,30` names: those of `all`, and every number that is written, also if there is no such
 * table: whoever has written it is to be told. Null where it cannot be read.
 */
export function tablesOf(text: string, all: readonly TableId[]): TableId[] | null {
  const ranges = text.split(',').map(readRange);
  if (ranges.some(({ length }) => length === 0)) return null;
  const tables = new Set([...all.filter(parseSelection(text)), ...ranges.flat().flatMap(endsOf)]);
  return [...tables].sort(byTable);
}

/** `A-1-24`, `1-24`: of one hall, or of every one; `A-*`: a whole hall. */
const RANGE = /^\s*(?:([A-Za-z][A-Za-z0-9]{0,7})-)?(?:(\d{1,6})(?:\s*-\s*(\d{1,6}))?|\*)\s*$/;

interface Range {
  /** Empty: any. */
  readonly hall: string;
  /** Null: the whole hall. */
  readonly ends: readonly [number, number] | null;
}

function isIn({ hall, ends }: Range, table: TableId): boolean {
  if (hall !== '' && hall.toLowerCase() !== hallIn(table).toLowerCase()) return false;
  const number = numberOf(table);
  return ends === null || (number >= ends[0] && number <= ends[1]);
}

function endsOf({ hall, ends }: Range): TableId[] {
  return (ends ?? []).map((number) => idIn(hall, number));
}

function readRange(part: string): Range[] {
  const [whole, hall = '', first, last = first] = RANGE.exec(part) ?? [];
  if (whole === undefined || (first === undefined && hall === '')) return [];
  if (first === undefined) return [{ hall, ends: null }];
  const ends = [Number(first), Number(last)] as const;
  return [{ hall, ends: [Math.min(...ends), Math.max(...ends)] }];
}
