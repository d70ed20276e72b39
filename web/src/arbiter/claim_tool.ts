/** Whether a claim of a draw is right (9.2, 9.3), and where the position stood before. */

import { giftOfClaim, readClaim, type ClaimAnswer, type ClaimGift } from '../pure/claims';
import { clockSetting } from '../pure/format';
import { moveLabel } from '../pure/moves';
import { positionsOf } from '../pure/positions';
import { englishSan, localSan, toldTo } from '../pure/san';
import { Board } from '../view/board';
import { h, onceLaidOut } from '../view/dom';
import { act, choiceGroup, field } from '../view/form';
import { complaint, offers } from './desk';
import { TableTool, type Shown, type ToolOptions } from './table_tool';

const KINDS = ['threefold', 'fifty'] as const;

export class ClaimTool extends TableTool {
  private kind: (typeof KINDS)[number] = 'threefold';
  private readonly move: HTMLInputElement;

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.claim, words.checkClaim);
    const { label, input } = field(words.announcedMove);
    this.move = input;
    this.place(this.kinds(), label);
  }

  protected override request() {
    const typed = this.move.value.trim();
    const move = typed === '' ? null : englishSan(typed, this.options.desk.app.language);
    return { verb: 'claim_check', body: { kind: this.kind, move } };
  }

  protected override show(data: unknown): Shown {
    const answer = readClaim(data);
    return answer === null ? null : this.told(answer);
  }

  private kinds(): HTMLElement {
    const { words } = this;
    const choices = KINDS.map((value) => ({ value, name: words.claims[value] }));
    const onChoose = (kind: (typeof KINDS)[number]) => (this.kind = kind);
    const about = { label: words.claim, across: 'is-two', chosen: this.kind, onChoose } as const;
    return choiceGroup(choices, about);
  }

  private told(answer: ClaimAnswer): HTMLElement[] {
    const { app } = this.options.desk;
    const { words } = app;
    const { right, by, article, touched, penaltyS } = answer;
    const spelled = answer.text === null ? null : toldTo(app, answer.text);
    const told = spelled ?? (right ? words.claimRight : words.claimWrong);
    const lost = touched.length === 0 ? null : h('p', {}, words.claimTouched(touched.join(', ')));
    const wrong = !right && penaltyS ? h('p', {}, words.claimPenalty(penaltyS)) : null;
    const { table } = this.options;
    const name = by === null ? null : this.options.desk.playerName(table, by);
    const who = by === null ? [] : [...new Set([words[by], name])];
    const claimant = by === null ? null : h('p', {}, words.claimBy(who.join(', ')));
    const parts = [
      claimant,
      h('p', { class: 'claim', 'data-right': right }, `${told} (${article})`),
      lost,
      wrong,
      this.consequence(answer),
      this.occurrences(answer.occurrences),
    ];
    return parts.filter((part) => part !== null);
  }

  /** What follows, with one tap: the draw, or the time for the opponent. */
  private consequence(answer: ClaimAnswer): HTMLElement | null {
    const { words, options, state } = this;
    if (answer.right) {
      if (!offers(options.desk, 'set_result') || answer.touched.length > 0) return null;
      const name = words.enterResult('½–½');
      return this.offer(name, 'set_result', { result: '1/2-1/2' }, words.resultSet('½–½'));
    }
    const gift = giftOfClaim(answer, state.clock);
    if (gift === null || !offers(options.desk, 'penalty_given')) return null;
    const done = words.about(words[gift.to], words.timeGiven(gift.minutes));
    const button = this.offer(words.claimGive(gift.minutes), 'penalty_given', gift.asked, done);
    return h('div', { class: 'claim-gift' }, this.toSet(gift), button);
  }

  private toSet({ setting }: ClaimGift): HTMLElement | null {
    if (setting === null) return null;
    const { words } = this;
    const { before, after } = setting;
    const sides = (['white', 'black'] as const).map((side) => {
      const [was, is] = [clockSetting(before[side]), clockSetting(after[side])];
      const told = was === is ? h('b', {}, is) : h('span', {}, `${was} → `, h('b', {}, is));
      return h('span', {}, `${words[side]} `, told);
    });
    return h('p', { class: 'claim-times' }, `${words.clockToSet}: `, ...sides);
  }

  private offer(name: string, verb: string, body: object, told: string): HTMLElement {
    const { desk, table } = this.options;
    const button = act(name, () => void send());
    const send = async () => {
      if (button.getAttribute('aria-disabled') !== null) return;
      button.setAttribute('aria-disabled', 'true');
      const failed = complaint(await desk.requests.ask(verb, { table, ...body }), desk);
      if (failed === null) button.setAttribute('data-done', '');
      else button.removeAttribute('aria-disabled');
      if (failed === null && verb === 'set_result') return desk.decided(table, told);
      desk.say(this.words.about(this.words.table(table), failed ?? told));
    };
    return button;
  }

  /** Each time the position stood there, on a board. */
  private occurrences(plies: readonly number[]): HTMLElement | null {
    const { game } = this.state;
    if (game === undefined || plies.length === 0) return null;
    const shown = positionsOf(game);
    const element = h('div', { class: 'board' });
    const board = new Board(element, true);
    const view = (ply: number) => {
      const position = shown[ply];
      if (position !== undefined) board.draw({ ...position, orientation: 'white' }, this.words);
    };
    const choices = plies.map((ply) => {
      const onclick = () => view(ply);
      return h('button', { class: 'choice', type: 'button', onclick }, this.after(ply));
    });
    onceLaidOut(element, () => view(plies[plies.length - 1] ?? 0));
    return h('div', {}, h('div', { class: 'tool-row' }, ...choices), element);
  }

  private after(ply: number): string {
    const { app } = this.options.desk;
    const { game } = this.state;
    const move = game?.moves.find((it) => it.ply === ply);
    if (move === undefined) return app.words.begun;
    const label = moveLabel(ply, game?.startFen ?? null);
    return `${label} ${localSan(move.san, app.letters)}`;
  }
}
