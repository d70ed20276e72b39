/** Setting up a position by hand: pieces are moved, taken from the tray, or the FEN is written. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key, Piece } from '@lichess-org/chessground/types';
import type { Words } from '../i18n/words';
import { draftOf, fenOf, isPlayable, withRight, type Draft } from '../pure/editing';
import type { Side } from '../pure/payloads';
import { h, onceLaidOut, setAttribute, setText } from './dom';
import { act, choiceGroup, confirmation, quiet } from './form';

const ROLES = ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'] as const;
const RIGHTS = ['K', 'Q', 'k', 'q'] as const;

/** A position to begin with; null: it is not known yet. */
export interface Source {
  readonly name: string;
  fen(): string | null;
}

export interface EditorActions {
  onSend(fen: string): void;
  onCancel(): void;
}

export class PositionEditor {
  readonly element: HTMLElement;
  private readonly board = h('div', { class: 'board' });
  private readonly fen = h('input', { type: 'text', spellcheck: 'false', autocomplete: 'off' });
  private readonly fault = h('p', { class: 'error', role: 'alert', hidden: true });
  private readonly send: HTMLButtonElement;
  private readonly tray: HTMLButtonElement[] = [];
  private readonly options = h('div', { class: 'editor-options' });
  private api: Api | null = null;
  private draft: Draft;
  /** Nothing has been put, written or chosen yet. */
  private untouched = true;
  private readonly begun: readonly HTMLButtonElement[];
  /** What a tap on a square puts there; null: nothing, pieces are moved. */
  private inHand: Piece | 'none' | null = null;

  /** `sources`: the first one that is known is begun with. */
  constructor(
    private readonly sources: readonly Source[],
    private readonly words: Words,
    actions: EditorActions,
  ) {
    this.draft = draftOf(this.first());
    this.begun = sources.map((source) => this.sourceButton(source));
    this.send = act(words.setPosition, () => actions.onSend(this.fen.value.trim()));
    const cancel = quiet(words.cancel, () => actions.onCancel());
    this.fen.addEventListener('input', () => {
      this.untouched = false;
      this.read(this.fen.value);
    });
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': words.editPosition },
      h('div', { class: 'choices' }, ...this.begun),
      this.trayOf('black'),
      this.board,
      this.trayOf('white'),
      this.options,
      h('label', {}, 'FEN', this.fen),
      this.fault,
      confirmation(this.send, cancel),
    );
    onceLaidOut(this.board, () => this.begin());
    this.write();
    this.news();
  }

  /** A position that comes only now is begun with, unless somebody has begun already. */
  news(): void {
    this.begun.forEach((button, index) => (button.disabled = this.sources[index]?.fen() === null));
    const fen = this.first();
    if (!this.untouched || draftOf(fen).placement === this.draft.placement) return;
    this.read(fen, true);
  }

  private first(): string {
    return this.sources.map((source) => source.fen()).find((fen) => fen !== null) ?? '';
  }

  private sourceButton({ name, fen }: Source): HTMLButtonElement {
    const onclick = () => {
      const known = fen();
      this.untouched = false;
      if (known !== null) this.read(known, true);
    };
    return h('button', { class: 'choice', type: 'button', onclick }, name);
  }

  private trayOf(colour: Side): HTMLElement {
    const pieces = ROLES.map((role) => this.trayButton({ color: colour, role }));
    const eraser = colour === 'black' ? [] : [this.trayButton('none')];
    return h('div', { class: 'tray cg-wrap' }, ...pieces, ...eraser);
  }

  private trayButton(piece: Piece | 'none'): HTMLButtonElement {
    const { words } = this;
    const face = piece === 'none' ? '✕' : document.createElement('piece');
    const name = piece === 'none' ? words.takeOff : words.piece[`${piece.color} ${piece.role}`];
    if (piece !== 'none' && face instanceof HTMLElement) {
      face.className = `${piece.color} ${piece.role}`;
    }
    const button = h('button', { class: 'tool', type: 'button', 'aria-pressed': 'false' }, face);
    button.setAttribute('aria-label', name ?? '');
    button.addEventListener('click', () => this.take(piece, button));
    this.tray.push(button);
    return button;
  }

  private take(piece: Piece | 'none', button: HTMLButtonElement): void {
    this.untouched = false;
    const again = button.getAttribute('aria-pressed') === 'true';
    this.inHand = again ? null : piece;
    this.tray.forEach((it) => it.setAttribute('aria-pressed', String(it === button && !again)));
    this.api?.set({ movable: { free: this.inHand === null } });
  }

  private begin(): void {
    this.api = Chessground(this.board, {
      fen: this.draft.placement,
      coordinates: true,
      animation: { enabled: false },
      highlight: { lastMove: false },
      movable: { free: true, color: 'both' },
      premovable: { enabled: false },
      draggable: { deleteOnDropOff: true, showGhost: true },
      drawable: { enabled: false, visible: false },
      events: { select: (key) => this.tap(key), change: () => this.moved() },
    });
  }

  private tap(key: Key): void {
    if (this.inHand === null || this.api === null) return;
    const piece = this.inHand === 'none' ? undefined : this.inHand;
    this.api.setPieces(new Map([[key, piece]]));
    this.api.selectSquare(null);
    this.moved();
  }

  private moved(): void {
    this.untouched = false;
    const placement = this.api?.getFen() ?? this.draft.placement;
    this.draft = { ...this.draft, placement };
    this.write();
  }

  /** `normal`: a position from elsewhere, without its counters; else what somebody types. */
  private read(fen: string, normal = false): void {
    this.draft = draftOf(fen);
    this.api?.set({ fen: this.draft.placement });
    if (normal) return this.write();
    this.drawOptions();
    this.judge();
  }

  private write(): void {
    this.fen.value = fenOf(this.draft);
    this.drawOptions();
    this.judge();
  }

  private judge(): void {
    const playable = isPlayable(this.fen.value);
    this.send.disabled = !playable;
    this.fault.hidden = playable;
    setText(this.fault, playable ? '' : this.words.notPlayable);
  }

  private drawOptions(): void {
    const { words, draft } = this;
    const turns = choiceGroup<Side>(
      [
        { value: 'white', name: words.whiteToMove },
        { value: 'black', name: words.blackToMove },
      ],
      {
        label: words.toMove,
        across: 'is-two',
        chosen: draft.turn,
        onChoose: (turn) => this.change({ turn }),
      },
    );
    const rights = RIGHTS.map((right) => {
      const held = draft.castling.includes(right);
      const toggle = () => this.change({ castling: withRight(draft.castling, right, !held) });
      const button = h('button', { class: 'choice', type: 'button', onclick: toggle });
      setText(button, words.castling[right]);
      setAttribute(button, 'aria-pressed', String(held));
      return button;
    });
    const focused = this.options.contains(document.activeElement)
      ? [...this.options.querySelectorAll('button')].indexOf(
          document.activeElement as HTMLButtonElement,
        )
      : -1;
    this.options.replaceChildren(turns, h('div', { class: 'choices is-four' }, ...rights));
    this.options.querySelectorAll('button')[focused]?.focus();
  }

  private change(part: Partial<Draft>): void {
    this.untouched = false;
    this.draft = { ...this.draft, ...part };
    this.write();
  }
}
