/** A small board on which hands are seen: pieces rise, hover, come down; squares are marked. */

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Key } from '@lichess-org/chessground/types';
import type { Marks } from '../pure/marks';
import type { Side } from '../pure/payloads';
import { manOf, squaresOf } from '../pure/placement';
import type { Airborne, Path, Step } from '../pure/replay';
import { h } from './dom';

/** How long a piece takes to come down or to rise, in ms of the replay. */
const FALL_MS = 160;

export class GestureBoard {
  readonly element = h('div', { class: 'board gestures' });
  private readonly sky = h('div', { class: 'sky' });
  private readonly pieces = new Map<Airborne, HTMLElement>();
  private api: Api | null = null;
  private placement = '';

  constructor(
    private readonly marks: Marks,
    private readonly paths: readonly Path[],
    private readonly orientation: Side,
  ) {}

  /** Needs a place on the page: chessground measures itself. */
  draw(step: Step, ms: number, marked: boolean): void {
    this.api ??= this.begin();
    const key = `${step.placement} ${marked}`;
    if (key !== this.placement) this.api.set(this.picture(step.placement, marked));
    this.placement = key;
    const squares = squaresOf(step.placement);
    // What was captured makes room for what stands there now.
    const seen = step.air.filter(({ to, from }) => to !== null || squares?.has(from) !== true);
    this.drawSky(seen, ms);
  }

  private begin(): Api {
    const api = Chessground(this.element, {
      viewOnly: true,
      coordinates: true,
      orientation: this.orientation,
      animation: { enabled: false },
      drawable: { enabled: false, visible: true },
    });
    this.element.append(this.sky);
    return api;
  }

  private picture(fen: string, marked: boolean) {
    const marks = [...this.marks.squares].map(
      ([key, mark]) => [key as Key, `mark-${mark}`] as const,
    );
    const drawn =
      (brush: string, lineWidth: number) =>
      ([orig, dest]: Path) => {
        return { orig: orig as Key, dest: dest as Key, brush, modifiers: { lineWidth } };
      };
    const paths = this.paths.map(drawn('yellow', 7));
    const arrows = [...paths, ...this.marks.arrows.map(drawn('red', 10))];
    return {
      fen,
      highlight: { custom: new Map(marked ? marks : []) },
      drawable: { autoShapes: marked ? arrows : [] },
    };
  }

  private drawSky(air: readonly Airborne[], ms: number): void {
    for (const [flight, piece] of this.pieces) {
      if (air.includes(flight)) continue;
      piece.remove();
      this.pieces.delete(flight);
    }
    for (const flight of air) this.place(flight, ms);
  }

  /** Without a destination it rises and stays where it was, faded: it is off the board. */
  private place(flight: Airborne, ms: number): void {
    const piece = this.pieces.get(flight) ?? this.rise(flight);
    const [x, y] = this.corner(flight.from);
    const [toX, toY] = flight.to === null ? [x, y] : this.corner(flight.to);
    const way = progress(flight, ms);
    const height = Math.min(1, (ms - flight.liftedMs) / FALL_MS + 0.4);
    piece.style.transform =
      `translate(${x + (toX - x) * way}%, ${y + (toY - y) * way - height * 14}%) ` +
      `scale(${1 + height * 0.16})`;
  }

  private rise(flight: Airborne): HTMLElement {
    const piece = document.createElement('piece');
    const colour = flight.piece === flight.piece.toUpperCase() ? 'white' : 'black';
    piece.className = `${colour} ${manOf(flight.piece) ?? ''}`;
    piece.toggleAttribute('data-gone', flight.to === null);
    this.pieces.set(flight, piece);
    this.sky.append(piece);
    return piece;
  }

  /** In per cent of a square, from the upper left. */
  private corner(square: string): [number, number] {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    const white = this.orientation === 'white';
    return [(white ? file : 7 - file) * 100, (white ? 7 - rank : rank) * 100];
  }
}

/** 0 at the origin, 1 at the destination: a hand hesitates at both ends. */
function progress({ liftedMs, putMs }: Airborne, ms: number): number {
  if (putMs === null || putMs <= liftedMs) return 0;
  const part = Math.min(1, Math.max(0, (ms - liftedMs) / (putMs - liftedMs)));
  return part * part * (3 - 2 * part);
}
