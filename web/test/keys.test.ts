/** Every key of the configuration: what is typed, what of it changes the file, and what is said. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import enFile from 'words:en/settings';
import esFile from 'words:es/settings';
import frFile from 'words:fr/settings';
import {
  changesOfKeys,
  isShown,
  moved,
  readKeys,
  shownValue,
  typedValue,
  undone,
  type Key,
} from '../src/pure/keys';
import type { Setup } from '../src/pure/setup';

const key = (name: string, kind: string, more: object = {}) => ({
  key: name,
  word: name.replaceAll('.', '-'),
  kind,
  value: null,
  ...more,
});
const ALL = readKeys({
  revision: 'r1',
  keys: [
    key('web.listen', 'text', { value: '127.0.0.1:8380', asks: true }),
    key('mqtt.url', 'list'),
    key('journal.flush_ms', 'number', { range: [1, 10_000], default: 200, holds: 'next_start' }),
    key('web.sections', 'named', { value: { A: '1-20', B: '21' } }),
    key('event.laws', 'choice', { default: '2023' }),
    key('laws.penalties.2023.blitz', 'steps'),
    key('laws.penalties.2014.blitz', 'steps'),
    key('laws.penalties.2005.blitz', 'steps', { value: ['loss'] }),
    key('web.screens.clocks', 'truth', { default: true }),
    key('table.laws', 'choice'),
    key('table.port', 'text'),
    key('of a later daemon', 'shape'),
  ],
  tables: [{ number: 7, values: { 'table.laws': '2018' } }, { number: 'x' }],
});
const of = (name: string): Key => {
  const found = ALL.keys.find((it) => it.key === name);
  assert.ok(found !== undefined, name);
  return found;
};

test('what a later daemon lists, and this page does not know, is left out', () => {
  assert.equal(ALL.keys.length, 11);
  assert.deepEqual([...ALL.tables.keys()], [7]);
  assert.deepEqual(of('journal.flush_ms').range, [1, 10_000]);
  assert.equal(of('web.listen').range, null);
});

test('what is typed becomes what somebody would write in the file', () => {
  const typed = (name: string, text: string) => typedValue(of(name), text);
  assert.equal(typed('web.listen', ' 0.0.0.0:8380 '), '0.0.0.0:8380');
  assert.equal(typed('web.listen', ' '), null);
  assert.equal(typed('journal.flush_ms', '100'), 100);
  assert.equal(typed('journal.flush_ms', 'soon'), 'soon', 'the daemon says why not');
  assert.equal(typed('mqtt.url', 'mqtt://a'), 'mqtt://a');
  assert.deepEqual(typed('mqtt.url', 'mqtt://a, mqtt://b'), ['mqtt://a', 'mqtt://b']);
  assert.deepEqual(typed('laws.penalties.2023.blitz', '1, 0.5, loss'), [1, 0.5, 'loss']);
  assert.equal(typed('web.screens.clocks', 'false'), false);
  assert.equal(typed('web.screens.clocks', ''), null);
  assert.equal(shownValue([1, 0.5, 'loss']), '1, 0.5, loss');
});

test('only what differs from the file changes it, and a table is named', () => {
  const draft = {
    'web.listen': '127.0.0.1:8380',
    'web.sections': { B: '21', A: '1-20' },
    'journal.flush_ms': 100,
    '7/table.laws': null,
    '9/table.port': '/dev/a',
  };
  assert.deepEqual(undone(ALL, draft), ['journal.flush_ms', '7/table.laws', '9/table.port']);
  assert.deepEqual(changesOfKeys(ALL, draft), [
    { change: 'set', key: 'journal.flush_ms', value: 100 },
    { change: 'set', key: 'table.laws', value: null, table: 7 },
    { change: 'set', key: 'table.port', value: '/dev/a', table: 9 },
  ]);
});

test('it is asked again before pages move or a game loses its board, and not for a rule', () => {
  const at = (table: number, inPlay: boolean) => {
    return { table, configured: true, board: true, inPlay, missingSince: null };
  };
  const setup: Setup = { file: '', revision: '', boards: [], tables: [at(7, true), at(9, false)] };
  const would = (draft: object) => moved(ALL, { ...draft }, setup);
  assert.deepEqual(would({ 'web.listen': '0.0.0.0:1' }), { keys: ['web.listen'], tables: [] });
  assert.deepEqual(would({ '7/table.port': '/a', '9/table.port': '/b' }).tables, [7]);
  assert.deepEqual(would({ '7/table.laws': '2014' }), { keys: [], tables: [] });
});

test('of the penalties those are listed that somebody plays by or has written', () => {
  const shown = ALL.keys.filter((it) => isShown(ALL, it)).map((it) => it.key);
  const penalties = shown.filter((it) => it.startsWith('laws.'));
  assert.deepEqual(penalties, ['laws.penalties.2023.blitz', 'laws.penalties.2005.blitz']);
});

test('every language says the same of the keys', () => {
  const named = (file: string) =>
    file.split('\n').map((line) => {
      const [name] = line.split(' = ');
      return [name, ...(line.match(/\{ \$\w+ \}/g) ?? []).sort()].join(' ');
    });
  const english = named(enFile);
  assert.ok(english.length > 110);
  assert.deepEqual(named(frFile), english);
  assert.deepEqual(named(esFile), english);
  // No line of French breaks before a colon or a mark.
  assert.doesNotMatch(frFile, / [:;!?»]|« /);
});
