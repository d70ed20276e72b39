/** A chess board to look at; chessground draws it, nobody can move on it. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { Key } from '@lichess-org/chessground/types';
import type { Words } from '../i18n/words';
import type { Position, Side } from '../pure/payloads';
import { squaresOf } from '../pure/placement';
import { positionTold } from '../pure/spoken';
import { setAttribute } from './dom';

export const EMPTY_BOARD = '8/8/8/8/8/8/8/8';

export interface BoardPicture {
  /** A FEN or a placement; what cannot be read is drawn as an empty board. */
  readonly fen: string | null;
  readonly lastUci: string | null;
  /** The side whose king is in check. */
  readonly check: Side | null;
  readonly orientation: Side;
  /** Squares to point out. */
  readonly marked?: readonly string[];
}

/** The position of the game; nothing where none is known. */
export function pictureOf(position: Position | undefined, orientation: Side): BoardPicture {
  return {
    fen: position?.fen ?? null,
    lastUci: position?.last?.uci ?? null,
    check: position?.check ? position.turn : null,
    orientation,
  };
}

export class Board {
  private readonly element: HTMLElement;
  private api: Api | null = null;
  private drawn = '';

  constructor(
    element: HTMLElement,
    private readonly coordinates: boolean,
  ) {
    this.element = element;
  }

  /** `words`: the position is told to those who do not see it. */
  draw(picture: BoardPicture, words: Words | null = null): void {
    const told = words === null ? null : positionTold(picture.fen, words);
    const key = JSON.stringify([picture, told]);
    if (key === this.drawn) return;
    this.drawn = key;
    tellPosition(this.element, told);
    const config = configOf(picture);
    if (this.api === null) this.api = Chessground(this.element, { ...this.fixed(), ...config });
    else this.api.set(config);
  }

  private fixed(): Config {
    return {
      viewOnly: true,
      coordinates: this.coordinates,
      animation: { enabled: false },
      drawable: { enabled: false, visible: false },
      highlight: { lastMove: true, check: true },
    };
  }
}

/** The pieces are drawn without any text. */
export function tellPosition(element: HTMLElement, told: string | null): void {
  setAttribute(element, 'role', told === null ? null : 'img');
  setAttribute(element, 'aria-label', told);
}

function configOf(picture: BoardPicture): Config {
  const readable = picture.fen !== null && squaresOf(picture.fen) !== null;
  const marks = (picture.marked ?? []).map((square) => [square as Key, 'marked'] as const);
  return {
    fen: readable && picture.fen !== null ? picture.fen : EMPTY_BOARD,
    orientation: picture.orientation,
    lastMove: squaresOfUci(picture.lastUci),
    check: picture.check ?? false,
    highlight: { custom: new Map(marks) },
  };
}

/** Origin and destination; a drop or an unknown notation marks nothing. */
function squaresOfUci(uci: string | null): Key[] {
  const match = /^([a-h][1-8])([a-h][1-8])[qrbnk]?$/.exec(uci ?? '');
  return match ? [match[1] as Key, match[2] as Key] : [];
}
