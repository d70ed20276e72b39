/** What the pages say: plurals, French spacing, a position in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../src/i18n/en';
import { fr } from '../src/i18n/fr';
import { positionTold } from '../src/pure/spoken';

/** Every text of a language; what takes something is given numbers and names. */
function texts(words: object): string[] {
  return Object.values(words).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value];
    if (typeof value === 'function') return [0, 1, 2, 60].map((n) => String(value(n, n)));
    return texts(value as object);
  });
}

test('no line of French breaks before a colon, a mark or a unit', () => {
  for (const text of texts({ ...fr, confirm: fr.confirm('x'), quoted: fr.quoted('x') })) {
    assert.doesNotMatch(text, / [:;!?»]|« |[^\u00a0\u202f\s:][;!?»]|\d (min|s|h)\b/, text);
  }
});

test('what is counted agrees in number', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  assert.equal(plain(fr.ledger(1, 0)), '1 coup illégal · aucun temps ajouté');
  assert.equal(plain(fr.ledger(2, 120)), '2 coups illégaux · 2 minutes ajoutées à l’adversaire');
  assert.equal(plain(fr.ledger(0, 60)), '0 coup illégal · 1 minute ajoutée à l’adversaire');
  assert.equal(en.ledger(1, 0), '1 illegal move · no time given to the opponent');
  assert.equal(en.ledger(2, 120), '2 illegal moves · 2 min given to the opponent');
  assert.deepEqual([1, 2].map(fr.movesToGo).map(plain), ['encore 1 coup', 'encore 2 coups']);
});

test('a position is told piece by piece', () => {
  const fen = '8/P6k/8/8/8/8/r7/K6R w - - 0 1';
  assert.equal(positionTold(fen, en), 'White: king a1, rook h1, pawn a7. Black: king h7, rook a2.');
  assert.match(positionTold(fen, fr), /^Blancs.: roi a1, tour h1, pion a7\. Noirs.: roi h7/);
  assert.equal(positionTold('nonsense', fr), fr.phase.unset);
});
