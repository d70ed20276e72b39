/** What the address of a wall asks for: `?tables=1-24&player=doe&boards=12&hall=A`, … */

import { finite } from './json';
import { parseSelection, type Selection } from './selection';

/** The largest letters (px) that are asked for in earnest. */
const LARGEST_LETTERS = 120;
/** As many boards as a hall has. */
const MOST_BOARDS = 1000;

export interface WallChoices {
  readonly tables: Selection;
  /** The names of the halls that are wanted; empty: all of them. */
  readonly halls: readonly string[];
  /** The names to follow, as they were written; empty: everybody. */
  readonly players: readonly string[];
  /** The most boards of a page; null: as many as can be read. */
  readonly boards: number | null;
  /** The smallest letters, in px; null: the usual ones. */
  readonly letters: number | null;
  /** Short of time first, then what was just decided, then what is in play. */
  readonly liveFirst: boolean;
  /** A line with the results. */
  readonly ticker: boolean;
}

/** `Doe; Roe, Max`: names and tables, as somebody types them. */
export function readPlayers(typed: string): string[] {
  return typed.split(';').flatMap((it) => it.trim() || []);
}

export function wallChoices(query: URLSearchParams): WallChoices {
  const number = (name: string, most: number) => {
    const value = finite(Number(query.get(name) ?? NaN));
    return value === null || value < 1 ? null : Math.min(Math.floor(value), most);
  };
  return {
    tables: parseSelection(query.get('tables')),
    halls: (query.get('hall') ?? '').split(',').flatMap((it) => it.trim() || []),
    players: readPlayers(query.get('player') ?? ''),
    boards: number('boards', MOST_BOARDS),
    letters: number('letters', LARGEST_LETTERS),
    liveFirst: query.get('first') === 'live',
    ticker: query.has('ticker') && query.get('ticker') !== '0',
  };
}
