/** Lines of the time sheet, to read and to print; on a narrow screen each takes two rows. */

import type { Words } from '../i18n/words';
import { cellsOf, type SheetLine } from '../pure/time_sheet';
import { h } from './dom';

/** The cells of a line by what they are: where each stands is a matter of style. */
const PARTS = [
  'table',
  'white',
  'black',
  'white-moves',
  'black-moves',
  'white-time',
  'black-time',
] as const;

/** `when`: how a moment is told; null: all lines are of the same. */
export function sheetTable(
  lines: readonly SheetLine[],
  words: Words,
  when: ((at: number) => string) | null,
): HTMLElement {
  const heads = PARTS.map((part, index) => cell('th', part, words.sheetColumns[index] ?? ''));
  const head = h('tr', {}, ...heads, cell('th', 'when', words.sheetWhen));
  const rows = lines.map((line) => {
    const cells = cellsOf(line).map((text, index) => cell('td', PARTS[index] ?? '', text));
    return h('tr', {}, ...cells, cell('td', 'when', remark(line, words, when)));
  });
  return h('table', { class: 'time-sheet' }, h('thead', {}, head), h('tbody', {}, ...rows));
}

/** "16:00", "16:12 new period" */
export function remark(
  { at, cause }: SheetLine,
  words: Words,
  when: ((at: number) => string) | null,
): string {
  const why = cause === null ? '' : words.sheetCause[cause];
  return [when?.(at), why].filter(Boolean).join(' ');
}

function cell(name: 'th' | 'td', part: string, text: string): HTMLElement {
  return h(name, { class: `is-${part}` }, text);
}
