/** A position for those who hear the page: which piece stands where. */

import type { Words } from '../i18n/words';
import { MEN, squaresOf } from './placement';

/** "White: king g1, queen d1, … Black: king g8, …" */
export function positionTold(placement: string | null, words: Words): string {
  const squares = placement === null ? null : squaresOf(placement);
  if (squares === null) return words.phase.unset;
  const sides = [
    [words.white, (letter: string) => letter === letter.toUpperCase()],
    [words.black, (letter: string) => letter !== letter.toUpperCase()],
  ] as const;
  const told = sides.map(([name, own]) => {
    const men = [...squares].filter(([, letter]) => own(letter));
    const each = Object.entries(MEN).flatMap(([letter, role]) => {
      const there = men.filter(([, man]) => man.toLowerCase() === letter);
      return there.map(([square]) => `${words.men[role]} ${square}`);
    });
    return words.about(name, each.length === 0 ? '–' : each.join(', '));
  });
  return told.map((side) => `${side}.`).join(' ');
}
