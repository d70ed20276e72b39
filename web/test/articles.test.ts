/** What an Article says can be read of each that an alert may name, in every language. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FluentResource } from '@fluent/bundle';
import { LANGUAGES } from 'words:languages';
import { RULE_NAMES, rulesOf } from '../src/pure/articles';

const EDITIONS = readFileSync(join(process.cwd(), '../witness/src/laws/editions.rs'), 'utf8');

test('every Article that an alert may name has a text, in its edition', () => {
  const rows = [...EDITIONS.matchAll(/row\(Kind::\w+, \["(.+?)", "(.+?)", "(.+?)"\]/g)];
  assert.ok(rows.length > 45, `${rows.length} rows`);
  for (const [, ...numbers] of rows) {
    ['2014', '2018', '2023'].forEach((edition, index) => {
      const article = numbers[index] ?? '';
      assert.equal(rulesOf(article, edition)[0]?.number, article, `${article}, ${edition}`);
    });
  }
  const of2005 = [...EDITIONS.matchAll(/^ {4}\(Kind::\w+, "(.+?)"\),$/gm)];
  assert.ok(of2005.length > 10);
  for (const [, article = ''] of of2005) {
    assert.equal(rulesOf(article, '2005')[0]?.number, article, `${article}, 2005`);
  }
});

test('what is read with an Article is that of the edition', () => {
  const read = (article: string, edition: string) =>
    rulesOf(article, edition).map(({ name, number }) => `${number} ${name}`);
  assert.deepEqual(read('7.5.1', '2018'), ['7.5.1 illegal', '7.5.5 illegal_penalty']);
  assert.deepEqual(read('7.5.1', '2023'), ['7.5.1 illegal', '7.5.5 illegal_penalty_2023']);
  assert.deepEqual(read('7.5.a', '2014'), ['7.5.a illegal_2014', '7.5.b illegal_penalty']);
  assert.deepEqual(read('4.3.a', '2005'), ['4.3.a touched_own', '4.7 claim_touch']);
  assert.deepEqual(read('99', '2023'), []);
  assert.deepEqual(read('7.5.1', '1997'), []);
});

test('every language tells every Article, and nothing else', async () => {
  for (const [language, { articles }] of Object.entries(LANGUAGES)) {
    const { body } = new FluentResource((await articles()).default);
    assert.deepEqual(body.map(({ id }) => id).sort(), [...RULE_NAMES].sort(), language);
    const texts = body.map(({ value }) => JSON.stringify(value));
    assert.equal(new Set(texts).size, texts.length, `${language}: a text stands there twice`);
    if (language !== 'fr') continue;
    texts.forEach((text) => assert.doesNotMatch(text, / [:;!?»]|« /));
  }
});
