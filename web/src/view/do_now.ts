/**
 * "Do this now": both clocks, the board, and what is said to the players, in three lines. They hold
 * if the alert is right, and stay after that was confirmed: then it is done.
 */

import type { Words } from '../i18n/words';
import type { Alert } from '../pure/alerts';
import { doNow, type DoNow, type Told, type Ways } from '../pure/do_now';
import { manOf } from '../pure/placement';
import { writtenText } from '../pure/result';
import { localSan, toldTo, type Reader } from '../pure/san';
import { h, icon } from './dom';
import { ICONS } from './icons';
import type { Setting } from './setting';

export interface CardContext extends Reader {
  readonly words: Words;
}

export class DoNowCard {
  readonly element: HTMLElement;
  /** Whether the card says what must be played: nothing else needs to say it again. */
  readonly saysMoves: boolean;
  private readonly lines: readonly HTMLElement[];

  /** Null where nothing is to be done that the alert could say in a line. */
  static of(alert: Alert, setting: Setting | null, context: CardContext): DoNowCard | null {
    const card = new DoNowCard(alert, setting, context);
    return setting === null && card.lines.length === 0 ? null : card;
  }

  private constructor(
    alert: Alert,
    private readonly setting: Setting | null,
    context: CardContext,
  ) {
    const { words } = context;
    const now = doNow(alert);
    this.saysMoves = now.ways.length > 0;
    const first = alert.advice[0];
    const said = now.told === null ? null : toldText(now.told, now.ways, context);
    const spoken = said ?? (first === undefined ? null : toldTo(context, first));
    const lines = [
      line(ICONS.hand, boardText(now, words), 'do-board'),
      line(ICONS.speech, spoken, 'do-tell'),
    ];
    this.lines = lines.filter((it) => it !== null);
    const title = h('h3', {}, words.doNow);
    const clock = setting?.element ?? null;
    this.element = h('section', { class: 'do-now', 'aria-label': words.doNow }, title, clock);
    this.element.append(...this.lines);
  }

  /** Its alert is over; `upheld`: what was to be done may still be under way. */
  close(upheld: boolean): void {
    this.setting?.close();
    this.lines.forEach((it) => (it.hidden = !upheld));
    this.element.classList.toggle('is-over', !upheld);
  }

  update(): void {
    this.setting?.update();
  }
}

function line(drawing: string, told: string | null, name: string): HTMLElement | null {
  if (told === null || told === '') return null;
  return h('p', { class: `do-line ${name}` }, icon(drawing), h('span', {}, told));
}

/** "Put back: White knight c3, e5 empty. To be played: pawn d4 → e5." */
function boardText({ put, ways }: DoNow, words: Words): string {
  const pieces = put.map(({ square, piece }) => {
    return piece === null ? words.emptySquare(square) : `${named(piece, words)} ${square}`;
  });
  const back = pieces.length === 0 ? '' : words.putBack(pieces.join(', '));
  const moves = ways.map((it) => wayText(it, words)).join(words.or);
  const played = moves === '' ? '' : words.obliged(moves);
  return [back, played].filter(Boolean).join(' ');
}

function wayText(way: Ways, words: Words): string {
  return `${pieceText(way, words)} → ${way.to.join(', ')}`;
}

/** "bishop f1" */
function pieceText({ piece, from }: Ways, words: Words): string {
  const man = manOf(piece);
  return man === null ? from : `${words.men[man]} ${from}`;
}

function named(piece: string, words: Words): string {
  const man = manOf(piece) ?? 'pawn';
  const side = piece === piece.toUpperCase() ? 'white' : 'black';
  return words.piece[`${side} ${man}`] ?? man;
}

/** "Tell both: Illegal move, 2 min more for Black. White must play dxe5." */
function toldText(told: Told, ways: readonly Ways[], context: CardContext): string | null {
  const { words, letters } = context;
  const { kind, gift, result, mover } = told;
  const fault = words.kinds[kind];
  if (fault === undefined) return null;
  if (gift === null) {
    return result === null ? null : words.tell(words.tellEnd(fault, writtenText(result)));
  }
  const time = words.tellTime(fault, gift.seconds / 60, words[gift.to]);
  const sans = told.moves.map((san) => localSan(san, letters));
  const moves = (sans.length > 0 ? sans : ways.map((it) => pieceText(it, words))).join(words.or);
  if (moves === '' || mover === null) return words.tell(time);
  return words.tell(words.tellMoves(time, words[mover], moves));
}
