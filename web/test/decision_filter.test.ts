/** Which decisions are told. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL, choicesOf, filtered } from '../src/pure/decision_filter';
import { readDecisions } from '../src/pure/decisions';

/** At this time of the reader's day. */
function at(hour: number, minute: number): string {
  return new Date(2026, 10, 20, hour, minute).toISOString();
}

const line = (table: number, by: string, when: string, article: string, white: string) => {
  const alert = { id: `${table}-1-1`, article };
  const players = { white: { name: white }, black: { name: 'Roe, Max' } };
  return { at: when, what: 'request', table, by, verb: 'rule', request: {}, alert, players };
};

const LINES = [
  line(1, 'Claire', at(14, 5), '7.5.1', 'Đorđević, Milica'),
  line(12, 'Jean', at(14, 59), '4.3.1', 'Doe, Jane'),
  line(2, 'Claire', at(15, 0), '4.3.1', 'Doe, Jane'),
];
const decisions = readDecisions(JSON.stringify(LINES)) ?? [];

const told = (asked: object) => filtered(decisions, { ...ALL, ...asked }).map(({ table }) => table);

test('decisions are chosen by table, player, arbiter, Article and time of day', () => {
  assert.deepEqual(told({}), [1, 12, 2]);
  assert.deepEqual(told({ typed: '1' }), [1], 'table 12 is another one');
  assert.deepEqual(told({ typed: 'dordevic' }), [1]);
  assert.deepEqual(told({ typed: 'Doe', by: 'Claire' }), [2]);
  assert.deepEqual(told({ article: '4.3.1' }), [12, 2]);
  assert.deepEqual(told({ from: '14:06' }), [12, 2]);
  assert.deepEqual(told({ from: '14:05', to: '14:59' }), [1, 12]);
  assert.deepEqual(told({ by: 'Paul' }), []);
});

test('what can be chosen is what there is', () => {
  assert.deepEqual(choicesOf(decisions, 'by'), ['Claire', 'Jean']);
  assert.deepEqual(choicesOf(decisions, 'article'), ['4.3.1', '7.5.1']);
});
