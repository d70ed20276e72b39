/** What stands against one player, line by line. */

import type { Words } from '../i18n/words';
import { timeOfDay } from '../pure/format';
import type { Fault, Given, LedgerPage, Provided } from '../pure/ledger';
import { h } from './dom';
import { quiet } from './form';
import { endText, givenText } from './ledger_text';

/** `onWithdraw`: with the number of what was given, where it can be withdrawn. */
export function ledgerPage(
  page: LedgerPage,
  words: Words,
  onWithdraw: ((given: number) => void) | null = null,
): HTMLElement {
  const { illegalMoves, givenS, next, faults, given } = page;
  const due = next === null ? null : words.nextPenalty(providedText(next, words));
  const sums = h('span', {}, words.ledger(illegalMoves, givenS));
  const head = h('p', { class: 'ledger-sums' }, sums, h('b', {}, due));
  const gifts = given.map((it, index) => {
    const withdraw = onWithdraw === null ? null : () => onWithdraw(index + 1);
    return gift(it, words, withdraw);
  });
  const all = gifts.length === 0 ? null : h('ul', { class: 'ledger-given' }, ...gifts);
  return h('div', { class: 'ledger-page' }, head, faultList(faults, words), all);
}

function gift(given: Given, words: Words, onWithdraw: (() => void) | null): HTMLElement {
  const { seconds, withdrawn } = given;
  const what = seconds === 0 ? words.warning : words.timeGiven(seconds / 60);
  const about = [givenText(given, words), withdrawn === null ? null : endText(withdrawn, words)];
  const told = h('small', {}, about.filter((part) => part !== null).join(' · '));
  const line = h('span', {}, withdrawn === null ? what : h('s', {}, what), told);
  const offered = withdrawn === null && onWithdraw !== null;
  return h('li', {}, line, offered ? quiet(words.withdraw, onWithdraw) : null);
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
