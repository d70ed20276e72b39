/** What the pages say: plurals, French spacing, a position in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FluentResource } from '@fluent/bundle';
import { LANGUAGES } from 'words:languages';
import { languageFor } from '../src/i18n/language';
import { wordsOf } from '../src/i18n/words';
import { toldTo } from '../src/pure/san';
import { positionTold } from '../src/pure/spoken';
import { en, es, FILES, fr } from './languages';

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

test('in no language does a unit begin a line', () => {
  for (const words of [en, es, fr]) {
    const all = texts({ ...words, confirm: words.confirm('x') });
    for (const text of all) assert.doesNotMatch(text, /\d (s|min|h)\b/, text);
  }
});

/** The variables of a sentence, wherever they stand in it. */
function variables(of: unknown): string[] {
  if (typeof of !== 'object' || of === null) return [];
  const { type, name } = of as { type?: string; name?: string };
  if (type === 'var' && name !== undefined) return [name];
  return Object.values(of).flatMap(variables);
}

/** Every message that the pages say, with what they offer it. */
function said(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const words = wordsOf((name, values = {}) => {
    const known = all.get(name) ?? new Set();
    Object.keys(values).forEach((key) => known.add(key));
    all.set(name, known);
    return name;
  });
  const call = (value: unknown): void => {
    // What takes something or nothing is given both.
    if (typeof value === 'function') {
      for (const it of ['x', null, '', 0, 90]) value(...['x', 'x'].map(() => it), it);
      value('x', 1, 2);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(call);
  };
  const { confirm, ...others } = words;
  confirm('x');
  call(others);
  return all;
}

test('every language says everything that the pages say, and nothing else', () => {
  const wanted = said();
  assert.deepEqual(Object.keys(LANGUAGES).sort(), Object.keys(FILES).sort());
  for (const [language, file] of Object.entries(FILES)) {
    const { body } = new FluentResource(file);
    const names = body.map(({ id }) => id);
    assert.equal(new Set(names).size, names.length, `${language}: a message is there twice`);
    const missing = [...wanted.keys()].filter((name) => !names.includes(name));
    assert.deepEqual(missing, [], `${language} lacks messages`);
    for (const { id, value } of body) {
      const offered = wanted.get(id);
      assert.ok(offered !== undefined, `${language}: ${id} is said nowhere`);
      const used = new Set(variables(value));
      const strange = [...used].filter((name) => !offered.has(name));
      assert.deepEqual(strange, [], `${language}: ${id} has variables that are not there`);
      const unsaid = [...offered].filter((name) => !used.has(name));
      assert.deepEqual(unsaid, [], `${language}: ${id} does not say everything`);
    }
  }
});

test('what cannot be read of a file is found, as a message that is missing', () => {
  const { body } = new FluentResource('one = One\ntwo = { $broken\nthree = Three\n');
  assert.deepEqual(
    body.map(({ id }) => id),
    ['one', 'three'],
  );
});

test('the letters of moves are those of each language', () => {
  const pieces = Object.entries(LANGUAGES).map(([code, { name, pieces: own }]) => [
    code,
    name,
    own,
  ]);
  assert.deepEqual(pieces, [
    ['en', 'English', 'KQRBN'],
    ['es', 'Español', 'RDTAC'],
    ['fr', 'Français', 'RDTFC'],
  ]);
});

test('what is counted agrees in number', () => {
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  assert.equal(plain(fr.ledger(1, 0)), '1 coup illégal · aucun temps ajouté');
  assert.equal(plain(fr.ledger(2, 120)), '2 coups illégaux · 2 minutes ajoutées à l’adversaire');
  assert.equal(plain(fr.ledger(0, 60)), '0 coup illégal · 1 minute ajoutée à l’adversaire');
  assert.equal(en.ledger(1, 0), '1 illegal move · no time given to the opponent');
  assert.equal(en.ledger(2, 120), '2 illegal moves · 2\u00a0min given to the opponent');
  assert.equal(es.ledger(1, 90), '1 jugada ilegal · 1,5\u00a0min dados al rival');
  assert.equal(en.table('1234'), 'Table 1234');
  assert.deepEqual(
    [1, 2].map((n) => plain(fr.movesToGo(n))),
    ['encore 1 coup', 'encore 2 coups'],
  );
});

test('a position is told piece by piece', () => {
  const fen = '8/P6k/8/8/8/8/r7/K6R w - - 0 1';
  assert.equal(positionTold(fen, en), 'White: king a1, rook h1, pawn a7. Black: king h7, rook a2.');
  assert.match(positionTold(fen, fr), /^Blancs.: roi a1, tour h1, pion a7\. Noirs.: roi h7/);
  assert.equal(positionTold('nonsense', fr), fr.phase.unset);
});

test('a French browser begins in French, if that is offered and nothing else was chosen', () => {
  const offered = ['en', 'fr'];
  assert.equal(languageFor(null, ['fr-BE', 'en'], offered), 'fr');
  assert.equal(languageFor(null, ['nl', 'en-GB', 'fr'], offered), 'en');
  assert.equal(languageFor('en', ['fr'], offered), 'en');
  assert.equal(languageFor('es', ['fr'], offered), 'fr', 'what is not offered any more');
  assert.equal(languageFor(null, [], offered), null, 'a screen for all: the event says it');
});

test('half points are never shown as they are entered', () => {
  const reader = { language: 'en', letters: 'en' };
  const told = (text: string) => toldTo(reader, { en: text });
  assert.equal(told('The result is 1/2-1/2.'), 'The result is ½–½.');
  assert.equal(told('0-1/2 or 1/2-0'), '0–½ or ½–0');
  assert.equal(told('clocks 1/2-1/25'), 'clocks 1/2-1/25');
});
