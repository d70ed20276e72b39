/** Looking for tables by number or by name, as it is typed on a tablet in a hurry. */

import { withoutHall, type TableId } from './table_id';

/** Letters that are no letter with a mark. */
const OTHERS: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
};

/** `Đorđević, Milica` is found as `dordevic`: nobody has every letter at hand. */
export function plain(text: string): string {
  const bare = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return bare.replace(/[łđðøßæœþı]/g, (letter) => OTHERS[letter] ?? letter).trim();
}

/** Whether what was typed means this table; `names`: made plain. */
export function means(typed: string, table: TableId, names: string): boolean {
  const wanted = plain(typed);
  if (wanted === '' || wanted === plain(table) || wanted === withoutHall(table)) return true;
  return names.includes(wanted);
}
