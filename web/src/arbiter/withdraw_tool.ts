/** Withdrawing time that was given: with a reason, which stays in the ledger. */

import type { Side } from '../pure/payloads';
import { field } from '../view/form';
import { TableTool, type ToolOptions } from './table_tool';

export class WithdrawTool extends TableTool {
  private readonly reason: HTMLInputElement;

  /** `given`: its number on the player's page of the ledger, counted from 1. */
  constructor(
    options: ToolOptions,
    private readonly side: Side,
    private readonly given: number,
  ) {
    const { words } = options.desk.app;
    super(options, words.withdrawGiven, words.withdrawDo);
    const { label, input } = field(words.withdrawReason);
    input.maxLength = 200;
    input.addEventListener('input', () => this.judge());
    this.reason = input;
    this.place(label);
  }

  focus(): void {
    this.reason.focus();
  }

  protected override request() {
    const reason = this.reason?.value.trim() ?? '';
    if (reason === '') return null;
    return { verb: 'penalty_withdrawn', body: { side: this.side, given: this.given, reason } };
  }

  protected override done(): string {
    return this.words.givenWithdrawn;
  }
}
