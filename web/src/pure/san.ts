/** Moves in the letters the reader wants; the topics always use the English ones. */

import { piecesOf, type Language } from '../i18n/language';
import type { Texts } from './alerts';
import { writtenText } from './result';

/** Figurines are understood in every language. */
export type Letters = Language | 'figurines';

export interface Reader {
  readonly language: Language;
  readonly letters: Letters;
}

/** A result with half points as it is entered, among other words. */
const HALF_POINTS = /(?<![\d/-])(?:1\/2-(?:1\/2|0)|0-1\/2)(?![\d/-])/g;

const FIGURINES = '♔♕♖♗♘';

/** King, queen, rook, bishop, knight. */
function pieces(letters: Letters): string {
  return letters === 'figurines' ? FIGURINES : piecesOf(letters);
}

/** `Nf6` is `Cf6` in French and `♘f6` anywhere; squares and castling stay as they are. */
export function localSan(san: string, letters: Letters): string {
  return respelled(san, 'en', letters);
}

/** What a reader has typed, in the letters of the topics: `Cf6` is `Nf6` to a French reader. */
export function englishSan(typed: string, language: Language): string {
  return respelled(respelled(typed, 'figurines', language), language, 'en');
}

/** Moves among other words, which keep theirs; `from`: in whose letters they are written. */
export function localText(text: string, from: Language, letters: Letters): string {
  const own = pieces(from);
  const square = '[a-h][1-8]';
  const san = `\\b(?:[${own}][a-h]?[1-8]?x?${square}|[a-h](?:x[a-h])?[18]=[${own}])`;
  return text.replace(new RegExp(san, 'g'), (move) => respelled(move, from, letters));
}

/** A sentence of the daemon for this reader. */
export function toldTo({ language, letters }: Reader, text: Texts): string {
  const told = text[language];
  // Texts that are not in this language are in English, moves included.
  const spelled =
    told === undefined ? localText(text.en, 'en', letters) : localText(told, language, letters);
  return spelled.replace(HALF_POINTS, (result) => writtenText(result));
}

function respelled(moves: string, from: Letters, to: Letters): string {
  if (from === to) return moves;
  return moves.replace(/[A-Z♔-♘]/gu, (piece) => pieces(to)[pieces(from).indexOf(piece)] ?? piece);
}
