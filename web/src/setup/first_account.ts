/** The first organizer makes an account with the one-time code. */

import { askFirstAccount, type Opened } from '../data/session';
import type { Words } from '../i18n/words';
import { h } from '../view/dom';

export class FirstAccount {
  readonly element = h('section', { class: 'sign-in', hidden: true });
  private error: string | null = null;
  private readonly code = input('code', 'text', 'one-time-code');
  private readonly name = input('name', 'text', 'username');
  private readonly password = input('password', 'password', 'new-password');
  private readonly button = h('button', { class: 'button', type: 'submit' });

  constructor(
    private readonly language: () => { words: Words; code: string },
    private readonly onOpen: (session: Opened) => void,
  ) {
    this.password.minLength = 8;
  }

  show(): void {
    this.element.hidden = false;
    this.draw();
    this.code.focus();
  }

  draw(): void {
    if (this.element.hidden) return;
    const { words } = this.language();
    this.button.textContent = words.accountMake;
    const form = h(
      'form',
      {},
      h('h2', {}, words.accountTitle),
      h('p', {}, words.accountHint),
      h('label', {}, words.accountCode, this.code),
      h('label', {}, words.name, this.name),
      h('label', {}, words.accountPassword, this.password),
      this.error === null ? null : h('p', { class: 'error', role: 'alert' }, this.error),
      this.button,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit();
    });
    this.element.replaceChildren(form);
  }

  private async submit(): Promise<void> {
    this.button.disabled = true;
    const [code, name, password] = [this.code.value, this.name.value.trim(), this.password.value];
    const answer = await askFirstAccount({ code, name, password });
    this.button.disabled = false;
    if (answer.kind === 'open') {
      this.element.hidden = true;
      return this.onOpen(answer);
    }
    const { words, code: language } = this.language();
    const why = answer.kind === 'closed' ? (answer.why[language] ?? answer.why.en) : null;
    const waits = answer.kind === 'sign_in' && answer.waitS !== null;
    this.error = why ?? (waits ? words.signInWait(answer.waitS) : words.sessionFailed);
    this.draw();
    this.code.focus();
  }
}

function input(name: string, type: string, autocomplete: string): HTMLInputElement {
  const about = { name, type, autocomplete, required: true, spellcheck: 'false' };
  return h('input', about);
}
