/** Getting an arbiter's session: silently where the server allows it, else by a form. */

import { pause } from '../data/config';
import { keepSession, keptSession } from '../data/kept';
import {
  askSession,
  endSession,
  isLogin,
  type Credentials,
  type Login,
  type Opened,
} from '../data/session';
import type { Texts } from '../pure/alerts';
import { backoffMs } from '../pure/backoff';
import { h, setText } from '../view/dom';
import type { App } from './app';

/** How long (ms) before its end a session is renewed. */
const BEFORE_ITS_END_MS = 60_000;

type Stage = 'idle' | 'form' | 'closed' | 'unreachable';

export class SignIn {
  private readonly element = h('section', { class: 'sign-in', hidden: true });
  private stage: Stage = 'idle';
  private error: string | null = null;
  /** Why no name would help. */
  private closed: Texts | null = null;
  private busy = false;
  private typedName = '';
  private ending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    host: HTMLElement,
    private readonly app: App,
    private readonly onOpen: (session: Opened) => void,
  ) {
    host.prepend(this.element);
  }

  /** The page is loaded, perhaps again: then its session goes on. */
  start(): Promise<void> {
    return this.from(keptSession());
  }

  /** Also the way back when the broker no longer accepts an earlier session. */
  begin(): Promise<void> {
    return this.from(null);
  }

  /** What this page knows is forgotten with the session. */
  async end(credentials: Credentials): Promise<void> {
    keepSession(null);
    this.app.disconnect();
    await endSession(credentials);
    location.reload();
  }

  private async from(kept: Credentials | null): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.app.disconnect();
    await this.ask(kept);
    this.busy = false;
  }

  draw(): void {
    this.element.hidden = this.stage === 'idle';
    const { words } = this.app;
    if (this.stage === 'closed') this.say(this.closed?.[this.app.language] ?? '');
    if (this.stage === 'unreachable') this.say(words.sessionFailed);
    if (this.stage === 'form') this.drawForm();
  }

  private async ask(shown: Login | Credentials | null): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      const answer = await askSession(shown);
      if (answer.kind !== 'unreachable') return this.take(answer, isLogin(shown));
      this.enter('unreachable', null);
      await pause(backoffMs(failures, Math.random()));
    }
  }

  private take(
    answer: Exclude<Awaited<ReturnType<typeof askSession>>, { kind: 'unreachable' }>,
    triedLogin: boolean,
  ): void {
    // A person's own password is never kept.
    const named = answer.kind === 'open' && answer.arbiter !== null;
    keepSession(named ? answer.credentials : null);
    this.closed = answer.kind === 'closed' ? answer.why : null;
    if (answer.kind === 'closed') return this.enter('closed', null);
    if (answer.kind === 'open') {
      this.enter('idle', null);
      this.beginAgainAfter(answer.lastsS);
      return this.onOpen(answer);
    }
    const { words } = this.app;
    const refused = triedLogin ? words.signInRefused : null;
    this.enter('form', answer.waitS === null ? refused : words.signInWait(answer.waitS));
  }

  /** A session that has ended is no longer told of alerts: better to ask for the name in time. */
  private beginAgainAfter(seconds: number | null): void {
    clearTimeout(this.ending);
    if (seconds === null) return;
    this.ending = setTimeout(() => void this.begin(), seconds * 1000 - BEFORE_ITS_END_MS);
  }

  private enter(stage: Stage, error: string | null): void {
    this.stage = stage;
    this.error = error;
    this.element.replaceChildren();
    this.draw();
  }

  private say(words: string): void {
    this.element.replaceChildren(h('p', { class: 'error', role: 'alert' }, words));
  }

  private drawForm(): void {
    const { words } = this.app;
    const name = field('name', 'text', 'username');
    const password = field('password', 'password', 'current-password');
    name.value = this.typedName;
    name.addEventListener('input', () => (this.typedName = name.value));
    const form = h(
      'form',
      {},
      h('h2', {}, words.signIn),
      h('p', {}, words.signInHint),
      h('label', {}, words.name, name),
      h('label', {}, words.password, password),
      this.error === null ? null : h('p', { class: 'error', role: 'alert' }, this.error),
      h('button', { class: 'button', type: 'submit' }, words.signInButton),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit({ name: name.value, password: password.value }, form);
    });
    this.element.replaceChildren(form);
  }

  private async submit(login: Login, form: HTMLFormElement): Promise<void> {
    form.querySelectorAll('button').forEach((button) => {
      button.disabled = true;
      setText(button, this.app.words.connecting);
    });
    await this.ask(login);
    this.element.querySelector<HTMLInputElement>('input[type=password]')?.focus();
  }
}

function field(name: string, type: string, autocomplete: 'username' | 'current-password') {
  return h('input', { name, type, autocomplete, required: true });
}
