/** Counting how often a player was shown the arbiter's score (A.3.2, B.3.2 since 2018). */

import { readScoreShown, type ScoreShown } from '../pure/ledger';
import type { Side } from '../pure/payloads';
import { h, setText } from '../view/dom';
import { choiceGroup } from '../view/form';
import { TableTool, type Shown, type ToolOptions } from './table_tool';

const SIDES: readonly Side[] = ['white', 'black'];

export class ScoreTool extends TableTool {
  private side: Side;
  private readonly counted = h('p', {});

  constructor(options: ToolOptions) {
    const { words } = options.desk.app;
    super(options, words.scoreShown, words.scoreShownDo);
    // Only the player who has the move may ask.
    this.side = this.state.position?.turn ?? 'white';
    const choices = SIDES.map((value) => ({ value, name: words[value] }));
    const onChoose = (side: Side) => (this.side = side);
    const { side: chosen } = this;
    const about = { label: words.scoreShown, across: 'is-two', chosen, onChoose } as const;
    this.place(h('p', {}, words.scoreShownHint), choiceGroup(choices, about), this.counted);
    this.news();
  }

  override news(): void {
    const { desk, table } = this.options;
    const counts = desk.app.halls.ledgers.get(table)?.scoreShown ?? null;
    const told = counts === null ? [] : SIDES.map((side) => this.told(side, counts));
    setText(this.counted, told.join(' · '));
    this.judge();
  }

  protected override request() {
    return { verb: 'score_shown', body: { side: this.side } };
  }

  protected override done(data: unknown): string {
    const counts = readScoreShown(data);
    return counts === null ? this.words.scoreShownDo : this.told(this.side, counts);
  }

  protected override show(data: unknown): Shown {
    const counts = readScoreShown(data);
    const over = counts !== null && counts.of !== null && counts[this.side] > counts.of;
    return over ? [h('p', { class: 'claim' }, this.words.scoreShownOften)] : null;
  }

  private told(side: Side, counts: ScoreShown): string {
    return this.words.scoreShownTimes(this.words[side], counts[side], counts.of);
  }
}
