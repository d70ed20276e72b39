/** Players' names shortened the way pairing lists do it, never in the middle of a word. */

/**
 * From the fullest form to the shortest: "Fernández-Villaverde, Inés", then
 * "Fernández-Villaverde, I.", "Fernández-Villaverde", "Fernández-V.".
 */
export function nameForms(name: string): string[] {
  const comma = name.indexOf(',');
  const surname = (comma < 0 ? name : name.slice(0, comma)).trim();
  const given = comma < 0 ? '' : name.slice(comma + 1).trim();
  if (given === '' || surname === '') return [name.trim()];
  const initials = given
    .split(/\s+/)
    .map((part) => `${[...part][0] ?? ''}.`)
    .join(' ');
  const forms = [`${surname}, ${given}`, `${surname}, ${initials}`, surname];
  const hyphenated = /^([^-]+-)(.)./u.exec(surname);
  return hyphenated ? [...forms, `${hyphenated[1]}${hyphenated[2]}.`] : forms;
}

/** A name with what distinguishes it, as far as there is room. */
export interface NameForm {
  readonly title: string;
  readonly name: string;
  readonly federation: string;
}

/** From the fullest to the shortest; the title goes after the given name, the flag before it. */
export function personForms(player: Titled): NameForm[] {
  const [title, federation] = [player.title ?? '', player.federation ?? ''];
  const names = nameForms(player.name);
  const titled = names.slice(0, 3).flatMap((name, index) => {
    const short = { title, name, federation: '' };
    return index < 2 ? [{ title, name, federation }, short] : [short];
  });
  return [...titled, ...names.map((name) => ({ title: '', name, federation: '' }))];
}

interface Titled {
  readonly name: string;
  readonly title: string | null;
  readonly federation: string | null;
}

/** The form as it will be read, for measuring. */
export function spelled({ title, name, federation }: NameForm): string {
  return [title, name, federation].filter(Boolean).join(' ');
}

/** The first of `forms` that `measure` (px) fits into `width` (px); else the last. */
export function fitting(
  forms: readonly string[],
  width: number,
  measure: (text: string) => number,
): string {
  return forms.find((form) => measure(form) <= width) ?? forms[forms.length - 1] ?? '';
}
