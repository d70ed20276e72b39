/** What the organizer wants shown on the screens of the hall. */

import { fields, finite, text } from './json';
import { parseSelection, type Selection } from './selection';

export interface Screens {
  readonly clocks: boolean;
  /** Moves, their numbers and notation; the board itself is always shown. */
  readonly moves: boolean;
  /** Whether a move was completed with the clock: players must not be told that it was not. */
  readonly presses: boolean;
  /** The tables that are shown larger. */
  readonly featured: Selection;
  /** Moves with figurines, where the reader has not chosen otherwise. */
  readonly figurines: boolean;
  /** How long a page of the wall stays, in s. */
  readonly pageS: number;
}

const PAGE_S = 20;

export function readScreens(value: unknown): Screens {
  const screens = fields(value);
  const featured = text(screens?.['featured']);
  return {
    clocks: screens?.['clocks'] !== false,
    moves: screens?.['moves'] !== false,
    presses: screens?.['presses'] === true,
    figurines: screens?.['figurines'] === true,
    featured: featured ? parseSelection(featured) : () => false,
    pageS: Math.max(5, finite(screens?.['page_s']) ?? PAGE_S),
  };
}
