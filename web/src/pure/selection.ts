/** Which tables an address asks for: `/table/7`, `?tables=1-24,30`. */

/** The number in `/table/<n>` or `/embed/<n>`, also below `/public`, or null. */
export function tableOfPath(path: string): number | null {
  const match = /^(?:\/public)?\/(?:table|embed)\/([1-9]\d{0,5})\/?$/.exec(path);
  return match ? Number(match[1]) : null;
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

export type Selection = (table: number) => boolean;

/** `1-24,30`: those tables; absent or not understood: all of them. */
export function parseSelection(query: string | null): Selection {
  const ranges = (query ?? '').split(',').flatMap(readRange);
  if (ranges.length === 0) return () => true;
  return (table) => ranges.some(([first, last]) => table >= first && table <= last);
}

/**
 * What `1-24,30` names: those of `all`, and every number that is written, also if there is no such
 * table: whoever has written it is to be told. Null where it cannot be read.
 */
export function tablesOf(text: string, all: readonly number[]): number[] | null {
  const ranges = text.split(',').map(readRange);
  if (ranges.some(({ length }) => length === 0)) return null;
  const tables = new Set([...all.filter(parseSelection(text)), ...ranges.flat(2)]);
  return [...tables].sort((a, b) => a - b);
}

function readRange(part: string): [number, number][] {
  const match = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part);
  if (!match) return [];
  const ends = [Number(match[1]), Number(match[2] ?? match[1])] as const;
  return [[Math.min(...ends), Math.max(...ends)]];
}
