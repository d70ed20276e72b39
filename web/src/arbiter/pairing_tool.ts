/** Who plays at a table: names put right, or the two with the other colours. */

import { fields } from '../pure/json';
import type { Player, Side } from '../pure/payloads';
import { h } from '../view/dom';
import { field, quiet, tick } from '../view/form';
import { TableTool, type ToolOptions } from './table_tool';

const PARTS = ['name', 'title', 'federation', 'rating'] as const;

type Fields = Readonly<Record<(typeof PARTS)[number], HTMLInputElement>>;

export class PairingTool extends TableTool {
  private readonly fields: Readonly<Record<Side, Fields>>;
  /** The game was begun with the wrong colours (7.3): it is judged, the names change sides. */
  private readonly reversed: ReturnType<typeof tick>;

  private untouched = true;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.pairing, words.pairingDo);
    const [white, black] = [this.person('white'), this.person('black')];
    this.fields = { white: white.fields, black: black.fields };
    const swap = h(
      'div',
      { class: 'tool-row' },
      quiet(words.swapColours, () => this.swap()),
    );
    this.reversed = tick(words.coloursReversed);
    this.reversed.label.hidden = (this.state.game?.moves.length ?? 0) === 0;
    this.place(white.element, black.element, swap, this.reversed.label);
    this.element.addEventListener('input', () => (this.untouched = false));
  }

  /** Names that come only now are those of the form, unless somebody writes already. */
  override news(): void {
    this.reversed.label.hidden = (this.state.game?.moves.length ?? 0) === 0;
    if (!this.untouched) return;
    for (const side of ['white', 'black'] as const) {
      const player = this.state.game?.[side] ?? null;
      PARTS.forEach((part) => (this.fields[side][part].value = said(player, part)));
    }
    this.judge();
  }

  protected override request() {
    const [white, black] = [this.read('white'), this.read('black')];
    if (white === null || black === null) return null;
    const body = this.reversed.input.checked ? { colours_reversed: true } : { white, black };
    return { verb: 'set_pairing', body };
  }

  /** After a result it is the next game that they play. */
  protected override done(data: unknown): string {
    if (this.reversed.input.checked) return this.words.coloursReversed;
    const { white, black } = this.fields;
    const both = `${white.name.value.trim()} – ${black.name.value.trim()}`;
    const next = fields(data)?.['next_game'] === true;
    return next ? `${both} (${this.words.nextGame})` : both;
  }

  private person(side: Side) {
    const { words } = this;
    const player = this.state.game?.[side] ?? null;
    const made = PARTS.map((part) => {
      const { label, input } = field(words.person[part], said(player, part));
      input.maxLength = part === 'name' ? 100 : part === 'rating' ? 4 : 3;
      if (part === 'rating') input.inputMode = 'numeric';
      input.addEventListener('input', () => this.judge());
      return [part, label, input] as const;
    });
    const labels = made.map(([, label]) => label);
    const colour = side === 'white' ? words.white : words.black;
    const element = h('fieldset', { class: 'person' }, h('legend', {}, colour), ...labels);
    const fields = Object.fromEntries(made.map(([part, , input]) => [part, input]));
    return { element, fields: fields as Fields };
  }

  /** Null without a name, or where the rating is no number. */
  private read(side: Side): object | null {
    const { name, title, federation, rating } = this.fields[side];
    const [person, number] = [name.value.trim(), rating.value.trim()];
    if (person === '' || !/^\d*$/.test(number)) return null;
    return {
      name: person,
      title: title.value.trim() || null,
      federation: federation.value.trim().toUpperCase() || null,
      rating: number === '' ? null : Number(number),
      fide_id: this.fideId(person),
    };
  }

  /** It belongs to a person, and goes with him to the other side. */
  private fideId(name: string): number | null {
    const { white = null, black = null } = this.state.game ?? {};
    return [white, black].find((player) => player?.name === name)?.fideId ?? null;
  }

  private swap(): void {
    this.untouched = false;
    const { white, black } = this.fields;
    for (const part of PARTS) {
      [white[part].value, black[part].value] = [black[part].value, white[part].value];
    }
    this.judge();
  }
}

function said(player: Player | null, part: (typeof PARTS)[number]): string {
  return String(player?.[part] ?? '');
}
