/** Which tables an address asks for: `/table/7`, `?tables=1-24,30`. */

/** The number in `/table/<n>`, or null. */
export function tableOfPath(path: string): number | null {
  const match = /^\/table\/([1-9]\d{0,5})\/?$/.exec(path);
  return match ? Number(match[1]) : null;
}

export type Selection = (table: number) => boolean;

/** `1-24,30`: those tables; absent or not understood: all of them. */
export function parseSelection(query: string | null): Selection {
  const ranges = (query ?? '').split(',').flatMap(readRange);
  if (ranges.length === 0) return () => true;
  return (table) => ranges.some(([first, last]) => table >= first && table <= last);
}

function readRange(part: string): [number, number][] {
  const match = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(part);
  if (!match) return [];
  return [[Number(match[1]), Number(match[2] ?? match[1])]];
}
