/** Parts of the hall: which tables belong to which, and alerts sorted into them. */

import { each, fields, text } from './json';
import { parseSelection, type Selection } from './selection';
import type { TableId } from './table_id';

export interface Section {
  readonly name: string;
  readonly holds: Selection;
}

/** As `/config.json` gives them: name and tables, `1-40,50`. */
export function readSections(value: unknown): Section[] {
  return each(value, (item) => {
    const section = fields(item);
    const name = text(section?.['name']);
    const tables = text(section?.['tables']);
    return name === null || tables === null ? null : { name, holds: parseSelection(tables) };
  });
}

export function sectionOf(sections: readonly Section[], table: TableId | null): Section | null {
  if (table === null) return null;
  return sections.find(({ holds }) => holds(table)) ?? null;
}

export interface Group<T> {
  /** Null: of no section. */
  readonly name: string | null;
  readonly items: readonly T[];
}

/**
 * Keeps the order within each group; the group whose first item came first stands first, so that
 * the gravest alert of the hall is at the top whatever its section.
 */
export function grouped<T extends { readonly table: TableId | null }>(
  items: readonly T[],
  sections: readonly Section[],
): Group<T>[] {
  const groups = new Map<string | null, T[]>();
  for (const item of items) {
    const name = sectionOf(sections, item.table)?.name ?? null;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(([name, members]) => ({ name, items: members }));
}
