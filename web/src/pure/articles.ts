/** Which text tells what an Article says, edition by edition. The texts are in `words/`. */

/** Numbers of 2005, 2014, 2018 and 2023; null where an edition has none, or other words. */
type Numbers = readonly [string | null, string | null, string | null, string | null];

const EDITIONS = ['2005', '2014', '2018', '2023'];

/** In all editions but that of 2005, of which Articles 1 to 5 are known. */
const since2014 = (number: string): Numbers => [null, number, number, number];
/** Letters first, then figures. */
const figures = (letter: string, figure: string): Numbers => [null, letter, figure, figure];
const all = (letter: string, figure: string): Numbers => [letter, letter, figure, figure];
const since2018 = (number: string): Numbers => [null, null, number, number];
const only2014 = (number: string): Numbers => [null, number, null, null];

const RULES: Readonly<Record<string, Numbers>> = {
  adjust: all('4.2', '4.2.1'),
  touched_own: all('4.3.a', '4.3.1'),
  touched_theirs: all('4.3.b', '4.3.2'),
  touched_both: all('4.3.c', '4.3.3'),
  castle_king_first: all('4.4.a', '4.4.1'),
  castle_rook_first: all('4.4.b', '4.4.2'),
  castle_illegal: all('4.4.c', '4.4.3'),
  promotion_choice: all('4.4.d', '4.4.4'),
  released: ['4.6', '4.7', '4.7', '4.7'],
  claim_touch: ['4.7', '4.8', '4.8', '4.8'],
  one_hand: ['4.1', '4.1', null, null],
  two_hands: since2018('7.5.4'),
  dead: all('5.2.b', '5.2.2'),
  agreed_moves: since2018('5.2.3'),
  agreed_rules: figures('9.1.a', '9.1.1'),
  press_properly: only2014('6.2.c'),
  completes: figures('6.2.a', '6.2.1.2'),
  may_press: since2018('6.2.2'),
  clock_place: since2014('6.5'),
  start: since2014('6.6'),
  default_time_2014: only2014('6.7.a'),
  default_time: since2018('6.7.1'),
  flag: since2014('6.8'),
  flag_loses: since2014('6.9'),
  flag_moves: since2018('6.4'),
  clock_defect: figures('6.10.a', '6.10.1'),
  clock_setting: figures('6.10.b', '6.10.2'),
  both_flags: figures('6.11', 'III.3.1'),
  interrupt: figures('6.12', '6.11'),
  wrong_setup: figures('7.2.a', '7.2.1'),
  board_turned: figures('7.2.b', '7.2.2'),
  colours_2014: only2014('7.3'),
  colours: since2018('7.3'),
  displaced: since2014('7.4'),
  illegal_2014: only2014('7.5.a'),
  illegal: since2018('7.5.1'),
  not_promoted: since2018('7.5.2'),
  press_without: since2018('7.5.3'),
  illegal_penalty: [null, '7.5.b', '7.5.5', null],
  illegal_penalty_2023: [null, null, null, '7.5.5'],
  shifted: since2014('7.6'),
  no_writing: since2014('8.4'),
  signed: since2014('8.7'),
  threefold: ['5.2.d', '9.2', '9.2', '9.2'],
  fifty: ['5.2.e', '9.3', '9.3', '9.3'],
  fivefold_2014: only2014('9.6.a'),
  fivefold: since2018('9.6.1'),
  seventy_five: figures('9.6.b', '9.6.2'),
  duties: since2014('12.2'),
  illegal_stands_2014: only2014('A.4.b'),
  illegal_stands: [null, null, 'A.4.2', 'A.5.2'],
  kings_in_check: [null, 'A.4.d', 'A.4.4', 'A.5.4'],
  equipment: ['C.02', 'C.02', 'C.02', 'C.02'],
  two_boards: figures('D.2.8', 'D.2.9'),
  resumption: figures('E.5', 'I.5'),
  sealed_reply: figures('E.9.c', 'I.9.3'),
  two_minutes: figures('G.4', 'III.4'),
  normal_means: figures('G.5', 'III.5'),
};

/** What is read with it: what an illegal move costs, when a claim is lost, who loses on time. */
const WITH: readonly (readonly [RegExp, string])[] = [
  [/^(illegal(_2014)?|not_promoted|press_without|two_hands)$/, 'illegal_penalty'],
  [/^(touched_.*|castle_.*|promotion_choice|released)$/, 'claim_touch'],
  [/^flag$/, 'flag_loses'],
];

export const RULE_NAMES: readonly string[] = Object.keys(RULES);

export interface Rule {
  /** Of its message. */
  readonly name: string;
  readonly number: string;
}

/** The Article, and what is read with it; empty where there is no text of it. */
export function rulesOf(article: string, edition: string): Rule[] {
  const column = EDITIONS.indexOf(edition);
  const ofEdition = (name: string) => {
    const number = RULES[name]?.[column] ?? null;
    return number === null ? [] : [{ name, number }];
  };
  const own = RULE_NAMES.flatMap(ofEdition).find(({ number }) => number === article);
  if (own === undefined) return [];
  const others = WITH.filter(([pattern]) => pattern.test(own.name));
  const more = others.flatMap(([, name]) => [...ofEdition(name), ...ofEdition(`${name}_2023`)]);
  return [own, ...more];
}
