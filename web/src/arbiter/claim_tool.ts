/** Whether a claim of a draw is right (9.2, 9.3), and where the position stood before. */

import { readClaim, type ClaimAnswer } from '../pure/claims';
import { moveLabel } from '../pure/moves';
import { positionsOf } from '../pure/positions';
import { englishSan, localSan } from '../pure/san';
import { Board } from '../view/board';
import { h } from '../view/dom';
import { complaint, type Desk } from './desk';

const KINDS = ['threefold', 'fifty'] as const;

export class ClaimTool {
  readonly element: HTMLElement;
  private kind: (typeof KINDS)[number] = 'threefold';
  private readonly move = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  private readonly kinds = h('div', { class: 'choices is-two', role: 'group' });
  private readonly answer = h('div', { class: 'claim-answer', role: 'status' });

  constructor(
    private readonly desk: Desk,
    private readonly table: number,
    onClose: () => void,
  ) {
    const { words } = desk.app;
    const check = () => void this.check();
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': words.claim },
      h('h3', {}, words.claim),
      this.kinds,
      h('label', {}, words.announcedMove, this.move),
      h(
        'p',
        { class: 'confirm' },
        h('button', { class: 'button', type: 'button', onclick: check }, words.checkClaim),
        h('button', { class: 'button is-quiet', type: 'button', onclick: onClose }, words.close),
      ),
      this.answer,
    );
    this.drawKinds();
  }

  private drawKinds(): void {
    const { words } = this.desk.app;
    const choices = KINDS.map((kind) => {
      const choose = () => {
        this.kind = kind;
        this.drawKinds();
      };
      const pressed = String(kind === this.kind);
      const button = { class: 'choice', type: 'button', 'aria-pressed': pressed, onclick: choose };
      return h('button', button, words.claims[kind]);
    });
    this.kinds.replaceChildren(...choices);
  }

  private async check(): Promise<void> {
    const { language } = this.desk.app;
    const typed = this.move.value.trim();
    const move = typed === '' ? null : englishSan(typed, language);
    const body = { table: this.table, kind: this.kind, move };
    const outcome = await this.desk.requests.ask('claim_check', body);
    const failed = complaint(outcome, this.desk);
    const answer = outcome.kind === 'done' ? readClaim(outcome.data) : null;
    if (answer !== null) return this.show(answer);
    const why = failed ?? this.desk.app.words.noAnswer;
    this.answer.replaceChildren(h('p', { class: 'error', role: 'alert' }, why));
  }

  private show(answer: ClaimAnswer): void {
    const { words, language } = this.desk.app;
    const { right, article, touched, penaltyS } = answer;
    const told = answer.text?.[language] ?? (right ? words.claimRight : words.claimWrong);
    const lost = touched.length === 0 ? null : h('p', {}, words.claimTouched(touched.join(', ')));
    const wrong = !right && penaltyS ? h('p', {}, words.claimPenalty(penaltyS)) : null;
    const parts = [
      h('p', { class: 'claim', 'data-right': right }, `${told} (${article})`),
      lost,
      wrong,
      this.occurrences(answer.occurrences),
    ];
    this.answer.replaceChildren(...parts.filter((part) => part !== null));
  }

  /** Each time the position stood there, on a board. */
  private occurrences(plies: readonly number[]): HTMLElement | null {
    const game = this.desk.app.hall.tables.get(this.table)?.game;
    if (game === undefined || plies.length === 0) return null;
    const shown = positionsOf(game);
    const element = h('div', { class: 'board' });
    const board = new Board(element, true);
    const view = (ply: number) => {
      const position = shown[ply];
      if (position !== undefined) board.draw({ ...position, orientation: 'white' });
    };
    const choices = plies.map((ply) => {
      const onclick = () => view(ply);
      return h('button', { class: 'choice', type: 'button', onclick }, this.after(ply));
    });
    new ResizeObserver((_, observer) => {
      if (element.clientWidth === 0) return;
      observer.disconnect();
      view(plies[plies.length - 1] ?? 0);
    }).observe(element);
    return h('div', {}, h('div', { class: 'tool-row' }, ...choices), element);
  }

  private after(ply: number): string {
    const { app } = this.desk;
    const game = app.hall.tables.get(this.table)?.game;
    const move = game?.moves.find((it) => it.ply === ply);
    if (move === undefined) return app.words.begun;
    const label = moveLabel(ply, game?.startFen ?? null);
    return `${label} ${localSan(move.san, app.language)}`;
  }
}
