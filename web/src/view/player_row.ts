/** One player's line: colour, name, points, clock. Where it stands is the page's business. */

import type { ClockReading, Player, Side } from '../pure/payloads';
import { fitting, nameForms } from '../pure/names';
import { pointsOf } from '../pure/result';
import type { Words } from '../i18n/words';
import { ClockFace } from './clock_face';
import { h, setAttribute, setText } from './dom';

export interface PlayerLine {
  readonly player: Player | null;
  readonly side: Side;
  readonly result: string;
  readonly words: Words;
}

/** How wide a name may be; null: it wraps instead. */
export type NameRoom = { readonly width: number; measure(text: string): number } | null;

/** How much smaller a name is set as the last resort; `player.css` does it. */
const TIGHT = 0.86;

export class PlayerRow {
  readonly element: HTMLElement;
  private readonly name = h('span', { class: 'player-name' });
  private readonly about = h('span', { class: 'player-about' });
  private readonly points = h('span', { class: 'player-points' });
  private readonly clock = new ClockFace();

  constructor() {
    const person = h('span', { class: 'player-person' }, this.name, this.about);
    this.element = h('div', { class: 'player' }, person, this.points, this.clock.element);
  }

  draw(line: PlayerLine, room: NameRoom): void {
    const { player, side, words } = line;
    const sideName = side === 'white' ? words.white : words.black;
    const name = player?.name ?? sideName;
    setAttribute(this.element, 'data-side', side);
    setAttribute(this.element, 'data-unnamed', player === null ? '' : null);
    setAttribute(this.name, 'title', `${name} (${sideName})`);
    this.drawName(name, room);
    setText(this.about, player === null ? '' : aboutPlayer(player));
    this.drawPoints(pointsOf(line.result, side), words);
  }

  tick(reading: ClockReading | undefined, side: Side, daemonNow: number | null): void {
    this.clock.draw(reading, side, daemonNow);
  }

  private drawName(name: string, room: NameRoom): void {
    if (room === null) return setText(this.name, name);
    const tight = Math.min(...nameForms(name).map(room.measure)) > room.width;
    const width = tight ? room.width / TIGHT : room.width;
    setAttribute(this.name, 'data-tight', tight ? '' : null);
    setText(this.name, fitting(nameForms(name), width, room.measure));
  }

  private drawPoints(points: string | null, words: Words): void {
    setText(this.points, points ?? '');
    setAttribute(this.points, 'aria-label', points === null ? null : words.score(points));
    setAttribute(this.element, 'data-points', points);
  }
}

function aboutPlayer(player: Player): string {
  return [player.title, player.rating, player.federation]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
}
