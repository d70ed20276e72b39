/** Who may sign in: arbiters and organizers are named, and taken off the list again. */

import { askSetup, type Credentials } from '../data/session';
import type { Language } from '../i18n/language';
import type { Words } from '../i18n/words';
import type { People } from '../pure/settings';
import { h, setText } from '../view/dom';
import { act, choiceGroup, field, quiet } from '../view/form';

export interface PeopleFormOptions {
  words(): Words;
  language(): Language;
  credentials(): Credentials | null;
}

type Role = 'arbiter' | 'organizer';

/** The shortest password that is taken, in characters. */
const PASSWORD_MIN = 8;

export class PeopleForm {
  readonly element = h('section', { class: 'people-form setup-form' });
  private readonly list = h('ul', { class: 'condition-list' });
  private readonly refused = h('p', { class: 'error', role: 'alert' });
  private readonly said = h('p', { class: 'setup-said', role: 'status' });
  private people: People | null = null;
  private role: Role = 'arbiter';
  /** Whose removal was tapped once. */
  private leaving: string | null = null;
  private shown = '';

  constructor(private readonly options: PeopleFormOptions) {}

  heard(people: People | null): void {
    this.people = people;
    this.draw();
  }

  draw(): void {
    const now = JSON.stringify([this.options.language(), this.people !== null]);
    if (now !== this.shown) {
      this.shown = now;
      this.build();
    }
    this.drawList();
  }

  private build(): void {
    const words = this.options.words();
    const { setUp } = words;
    const title = h('h2', {}, setUp.people);
    if (this.people === null) return this.element.replaceChildren(title);
    const name = field(words.name);
    const password = field(words.accountPassword);
    name.input.name = 'person';
    name.input.dir = 'auto';
    password.input.type = 'password';
    password.input.autocomplete = 'new-password';
    password.input.name = 'person-password';
    const roles = (['arbiter', 'organizer'] as const).map((value) => {
      return { value, name: setUp.role[value] };
    });
    const onChoose = (role: Role) => {
      this.role = role;
    };
    const chosen = { label: setUp.roleWord, across: 'is-two', chosen: this.role } as const;
    const give = act(setUp.personGive, () => {
      void this.give(name.input, password.input);
    });
    this.element.replaceChildren(
      title,
      h('p', {}, setUp.peopleHint),
      this.list,
      h('h3', {}, setUp.personMore),
      h('div', { class: 'setup-fields' }, name.label, password.label),
      choiceGroup(roles, { ...chosen, onChoose }),
      this.refused,
      this.said,
      h('p', { class: 'confirm' }, give),
    );
  }

  private drawList(): void {
    if (this.people === null) return;
    const { setUp } = this.options.words();
    const { organizers, arbiters } = this.people;
    const row = (role: Role) => (name: string) => {
      const sure = this.leaving === name;
      const remove = quiet(sure ? setUp.personSure : setUp.personRemove, () => {
        void this.remove(name);
      });
      remove.setAttribute('aria-label', `${sure ? setUp.personSure : setUp.personRemove}: ${name}`);
      return h('li', {}, h('b', {}, h('bdi', {}, name)), ` ${setUp.role[role]} `, remove);
    };
    const rows = [...organizers.map(row('organizer')), ...arbiters.map(row('arbiter'))];
    this.list.replaceChildren(...rows);
  }

  private async give(name: HTMLInputElement, password: HTMLInputElement): Promise<void> {
    const [who, secret] = [name.value.trim(), password.value];
    const { setUp } = this.options.words();
    if (who === '' || secret.length < PASSWORD_MIN) {
      return setText(this.refused, setUp.personUnfit(PASSWORD_MIN));
    }
    if (!(await this.ask({ name: who, role: this.role, new_password: secret }))) return;
    [name.value, password.value] = ['', ''];
    setText(this.said, setUp.personGiven(who));
  }

  private async remove(name: string): Promise<void> {
    if (this.leaving !== name) {
      this.leaving = name;
      return this.drawList();
    }
    this.leaving = null;
    await this.ask({ name, role: null });
    this.drawList();
  }

  private async ask(wanted: object): Promise<boolean> {
    const credentials = this.options.credentials();
    if (credentials === null) return false;
    const told = await askSetup('person', credentials, wanted);
    const words = this.options.words();
    const why = told?.kind === 'refused' ? told.why : null;
    const done = told?.kind === 'told';
    setText(this.said, '');
    const reason = why?.[this.options.language()] ?? why?.en ?? words.sessionFailed;
    setText(this.refused, done ? '' : reason);
    return done;
  }
}
