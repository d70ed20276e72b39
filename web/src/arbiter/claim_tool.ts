/** Whether a claim of a draw is right (9.2, 9.3), and where the position stood before. */

import { readClaim, type ClaimAnswer } from '../pure/claims';
import { moveLabel } from '../pure/moves';
import { positionsOf } from '../pure/positions';
import { englishSan, localSan, toldTo } from '../pure/san';
import { Board } from '../view/board';
import { h, onceLaidOut } from '../view/dom';
import { choiceGroup, field } from '../view/form';
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
    const { right, article, touched, penaltyS } = answer;
    const spelled = answer.text === null ? null : toldTo(app, answer.text);
    const told = spelled ?? (right ? words.claimRight : words.claimWrong);
    const lost = touched.length === 0 ? null : h('p', {}, words.claimTouched(touched.join(', ')));
    const wrong = !right && penaltyS ? h('p', {}, words.claimPenalty(penaltyS)) : null;
    const parts = [
      h('p', { class: 'claim', 'data-right': right }, `${told} (${article})`),
      lost,
      wrong,
      this.occurrences(answer.occurrences),
    ];
    return parts.filter((part) => part !== null);
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
