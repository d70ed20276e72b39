/** What stands against one player, line by line. */

import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';
import type { Fault, LedgerPage, Provided } from '../pure/ledger';
import { h } from './dom';

export function ledgerPage(page: LedgerPage, words: Words): HTMLElement {
  const { illegalMoves, givenS, next, faults } = page;
  const due = next === null ? null : words.nextPenalty(providedText(next, words));
  const sums = h('span', {}, words.ledger(illegalMoves, givenS));
  const head = h('p', { class: 'ledger-sums' }, sums, h('b', {}, due));
  return h('div', { class: 'ledger-page' }, head, faultList(faults, words));
}

function faultList(faults: readonly Fault[], words: Words): HTMLElement {
  const lines = faults.map((fault) => {
    const { number, kind, article, moveNumber, at, provided, ruling } = fault;
    const what = words.kinds[kind] ?? kind.replaceAll('_', ' ');
    const parts = [
      moveNumber === null ? null : words.moveNumber(moveNumber),
      words.article(article),
      provided === null ? null : providedText(provided, words),
      ruling === null ? words.notRuled : words.ruled[ruling],
      at === null ? null : timeOfDay(at),
    ];
    const about = parts.filter((part) => part !== null).join(' · ');
    return h('li', {}, h('b', {}, `${number}.`), h('span', {}, what, h('small', {}, about)));
  });
  return h('ol', {}, ...lines);
}

function providedText({ penalty, seconds }: Provided, words: Words): string {
  return penalty === 'time' ? words.timeGiven((seconds ?? 0) / 60) : words.penalties[penalty];
}
