/**
 * How a table is named on the pages: `12`, and where several halls are shown `A-12`, with the name
 * of its hall before it. An alert is named in the same way: `A-12-1-3`.
 */

/** The name of a table; as such it stands in addresses, too. */
export type TableId = string;

const HALL = '[A-Za-z][A-Za-z0-9]{0,7}';
const TABLE = new RegExp(`^(?:(${HALL})-)?([1-9]\\d{0,5})$`);
const BEFORE = new RegExp(`^(${HALL})-`);
const NAME = new RegExp(`^${HALL}$`);

/** A name that can stand before the numbers of tables: a letter, and up to seven more signs. */
export function isHallName(name: string): boolean {
  return NAME.test(name);
}

/** `hall`: its name, or nothing where only one is shown. */
export function idIn(hall: string, own: number | string): TableId {
  return hall === '' ? String(own) : `${hall}-${own}`;
}

/** The name of the hall in front of a table's or an alert's name; nothing where there is none. */
export function hallIn(id: string): string {
  return BEFORE.exec(id)?.[1] ?? '';
}

/** What the hall itself calls it. */
export function withoutHall(id: string): string {
  return id.replace(BEFORE, '');
}

export function numberOf(table: TableId): number {
  return Number(withoutHall(table));
}

/** Null where it names no table. */
export function readTableId(text: string): TableId | null {
  return TABLE.test(text) ? text : null;
}

/** By hall, then by number. */
export function byTable(a: TableId, b: TableId): number {
  return byName(hallIn(a), hallIn(b)) || numberOf(a) - numberOf(b);
}

/** As people count: `H2` before `H10`. */
export function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
