/** One player's line: colour, name, points, clock. Where it stands is the page's business. */

import type { ClockReading, Player, Side } from '../pure/payloads';
import { fitting, nameForms, personForms, spelled, type NameForm } from '../pure/names';
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

/** How much smaller a name may be set as the last resort, rather than cut off. */
const SMALLEST = 0.6;

export class PlayerRow {
  readonly element: HTMLElement;
  private readonly name = h('span', { class: 'player-name' });
  private readonly about = h('span', { class: 'player-about' });
  private readonly points = h('span', { class: 'player-points' });
  private readonly clock = new ClockFace();
  private spelled = '';

  constructor() {
    const person = h('span', { class: 'player-person' }, this.name, this.about);
    this.element = h('div', { class: 'player' }, person, this.points, this.clock.element);
  }

  draw(line: PlayerLine, room: NameRoom): void {
    const { player, side, words } = line;
    const sideName = side === 'white' ? words.white : words.black;
    const person = player ?? { name: sideName, title: null, federation: null };
    setAttribute(this.element, 'data-side', side);
    setAttribute(this.element, 'data-unnamed', player === null ? '' : null);
    setAttribute(this.name, 'title', `${person.name} (${sideName})`);
    this.drawName(person, room);
    setText(this.about, player === null ? '' : aboutPlayer(player));
    this.drawPoints(pointsOf(line.result, side), words);
  }

  tick(reading: ClockReading | undefined, side: Side, daemonNow: number | null): void {
    this.clock.draw(reading, side, daemonNow);
  }

  private drawName(person: Pick<Player, 'name' | 'title' | 'federation'>, room: NameRoom): void {
    if (room === null) return this.spell({ title: '', name: person.name, federation: '' });
    const shortest = Math.min(...nameForms(person.name).map(room.measure));
    const scale = Math.max(SMALLEST, Math.min(1, room.width / shortest));
    const width = room.width / scale;
    this.name.style.fontSize = scale < 1 ? `${scale.toFixed(3)}em` : '';
    const forms = personForms(person);
    const chosen = fitting(forms.map(spelled), width, room.measure);
    this.spell(forms.find((form) => spelled(form) === chosen) ?? forms[forms.length - 1]);
  }

  private spell(form: NameForm | undefined): void {
    if (form === undefined || spelled(form) === this.spelled) return;
    this.spelled = spelled(form);
    const { title, name, federation } = form;
    const about = (text: string) => (text === '' ? null : h('small', {}, text));
    const parts = [about(title), name, about(federation)].filter((part) => part !== null);
    const spaced = parts.flatMap((part, index) => (index === 0 ? [part] : [' ', part]));
    this.name.replaceChildren(...spaced);
  }

  private drawPoints(points: string | null, words: Words): void {
    setText(this.points, points ?? '');
    setAttribute(this.points, 'aria-label', points === null ? null : words.score(points));
    setAttribute(this.element, 'data-points', points);
  }
}

/** Who sits at which edge of a board with this side below. */
export function seated<Row>(top: Row, bottom: Row, below: Side): [Row, Side][] {
  return [
    [top, below === 'white' ? 'black' : 'white'],
    [bottom, below],
  ];
}

function aboutPlayer(player: Player): string {
  return [player.title, player.rating, player.federation]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
}
