/** Names, measures, addresses and sentences of the pages. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../src/data/session';
import { en, fr } from './languages';
import { backoffMs } from '../src/pure/backoff';
import { dayAndMinute, signedSeconds, spanOf } from '../src/pure/format';
import { gridFor } from '../src/pure/grid';
import { fitting, nameForms } from '../src/pure/names';
import { parseSelection, tableOfPath } from '../src/pure/selection';
import { RecordWatch } from '../src/pure/record';
import { noticeOf } from '../src/view/notice';
import { THERE } from './one_hall';

const perLetter = (text: string) => text.length * 10;

test('names are shortened as in pairing lists, never inside a word', () => {
  const forms = nameForms('Praggnanandhaa, Rameshbabu');
  assert.equal(fitting(forms, 300, perLetter), 'Praggnanandhaa, Rameshbabu');
  assert.equal(fitting(forms, 200, perLetter), 'Praggnanandhaa, R.');
  assert.equal(fitting(forms, 150, perLetter), 'Praggnanandhaa');
  assert.equal(fitting(forms, 20, perLetter), 'Praggnanandhaa');
});

test('several given names, hyphens, no comma, letters beyond the basic plane', () => {
  assert.deepEqual(nameForms('Doe, Jane Émilie')[1], 'Doe, J. É.');
  assert.equal(nameForms('Fernández-Villaverde, Inés').at(-1), 'Fernández-V.');
  assert.deepEqual(nameForms('Mononym'), ['Mononym']);
  assert.deepEqual(nameForms(', Jane'), [', Jane']);
  assert.equal(nameForms('X, 𝒜nn')[1], 'X, 𝒜.');
});

/** Every text of a list of words; what is told of something is told of X. */
function textsOf(words: object): string[] {
  return Object.values(words).flatMap((word: unknown) => {
    if (typeof word === 'string') return [word];
    if (typeof word === 'function') return [String(word('X', 'X'))];
    return typeof word === 'object' && word !== null ? textsOf(word) : [];
  });
}

test('in French no line can begin with a mark, and no mark sticks to its word', () => {
  const texts = textsOf(fr);
  assert.ok(texts.length > 200, `${texts.length} texts`);
  const plain = texts.filter((text) => / [:;!?»]|« /.test(text));
  assert.deepEqual(plain, []);
  const stuck = texts.filter((text) => /[\p{L}\d)][:;!?»](\s|$)/u.test(text));
  assert.deepEqual(stuck, []);
});

test('a television holds twelve boards without scrolling, as large as they go', () => {
  const room = { width: 1880, height: 980, gap: 16 };
  const { columns, board, text } = gridFor(12, room);
  const rows = Math.ceil(12 / columns);
  assert.ok(columns * board + (columns - 1) * room.gap <= room.width);
  assert.ok(rows * (board + 6.1 * text) + (rows - 1) * room.gap <= room.height + 1);
  assert.ok(board >= 280, `${board}`);
});

test('boards are whole squares wide', () => {
  for (let count = 0; count <= 300; count += 7) {
    assert.equal(gridFor(count, { width: 1333, height: 777, gap: 16 }).board % 8, 0);
  }
});

test('two columns on a phone, many rows where nothing else fits', () => {
  assert.equal(gridFor(12, { width: 374, height: 780, gap: 8 }).columns, 2);
  assert.equal(gridFor(12, { width: 344, height: 600, gap: 8 }).columns, 2);
  const crowd = gridFor(300, { width: 1880, height: 980, gap: 16 });
  assert.ok(crowd.board >= 168 && crowd.columns * (crowd.board + 16) - 16 <= 1880);
});

test('addresses', () => {
  assert.equal(tableOfPath('/table/7'), '7');
  assert.equal(tableOfPath('/table/07'), null);
  assert.equal(tableOfPath('/table/'), null);
  const chosen = parseSelection('1-3, 9');
  assert.deepEqual(['1', '3', '4', '9'].filter(chosen), ['1', '3', '9']);
  assert.ok(parseSelection(null)('250') && parseSelection('x')('250'));
});

test('attempts are spread and bounded', () => {
  assert.equal(backoffMs(0, 1), 500);
  assert.equal(backoffMs(0, 0), 250);
  assert.equal(backoffMs(3, 1), 4000);
  assert.equal(backoffMs(1_000, 1), 15_000);
});

test('durations in words', () => {
  assert.deepEqual(spanOf(59_999), { unit: 's', count: 59 });
  assert.deepEqual(spanOf(60_000), { unit: 'min', count: 1 });
  assert.deepEqual(spanOf(7_300_000), { unit: 'h', count: 2 });
  assert.deepEqual(spanOf(-5), { unit: 's', count: 0 });
  assert.equal(signedSeconds(-2_400, ','), '−2,4 s');
  assert.equal(signedSeconds(0, '.'), '0.0 s');
});

test('a lost connection says since when, in both languages', () => {
  const lastNews = new Date(2026, 10, 20, 14, 3, 12).getTime();
  const lost = { link: 'lost', halls: [THERE], lastNews } as const;
  assert.match(noticeOf(lost, en).text, /14:03:12/);
  assert.match(noticeOf(lost, fr).text, /14:03:12/);
  assert.equal(noticeOf({ ...lost, link: 'online' }, en).mood, 'live');
});

test('that the record is not kept is said while it is so, and for a while that it is again', () => {
  const at = (minute: number) => new Date(2026, 10, 20, 14, minute).getTime();
  const watch = new RecordWatch();
  const told = (minute: number) => {
    const halls = [{ ...THERE, record: watch.at(at(minute)) }];
    const { mood, text } = noticeOf({ link: 'online', halls, lastNews: null }, en);
    return `${mood}: ${text}`;
  };
  watch.note(false, at(1));
  assert.equal(told(2), 'live: Live');
  watch.note(true, at(3));
  watch.note(true, at(4));
  assert.match(told(5), /^stale: Since 14:03:00 the record cannot be written/);
  watch.note(false, at(10));
  assert.match(told(11), /^again: .* since 14:10:00; it was not from 14:03:00 on/);
  assert.equal(told(21), 'live: Live');
});

test('a daemon that is gone is said plainly', () => {
  const halls = [{ ...THERE, online: false }];
  assert.equal(noticeOf({ link: 'online', halls, lastNews: null }, en).mood, 'stale');
});

test('the server’s answers to a session', () => {
  const open = readAnswer(200, '{"username":"u","password":"p","lasts_s":43200}', false);
  const credentials = { username: 'u', password: 'p' };
  assert.deepEqual(open, {
    kind: 'open',
    credentials,
    lastsS: 43_200,
    arbiter: null,
    organizer: false,
  });
  const named = readAnswer(200, '{"username":"u","password":"p","arbiter":"Claire"}', false);
  assert.deepEqual(named, {
    kind: 'open',
    credentials,
    lastsS: null,
    arbiter: 'Claire',
    organizer: false,
  });
  assert.equal(readAnswer(200, 'nonsense', false).kind, 'unreachable');
  assert.equal(readAnswer(401, '', false).kind, 'sign_in');
  assert.equal(readAnswer(403, '{}', false).kind, 'sign_in');
  const why = { en: 'only here', fr: 'ici seulement' };
  const closed = JSON.stringify({ error: why.en, text: why });
  assert.deepEqual(readAnswer(403, closed, false), { kind: 'closed', why });
  assert.deepEqual(readAnswer(401, '{"error":"wrong"}', true), { kind: 'sign_in', waitS: null });
  assert.deepEqual(readAnswer(429, '{"wait_s":8}', true), { kind: 'sign_in', waitS: 8 });
  assert.equal(readAnswer(503, '', false).kind, 'unreachable');
});

test('a day and its minute are written as the clocks of the hall go', () => {
  const at = new Date(2026, 10, 27, 6, 7).getTime();
  const evening = new Date(2026, 10, 27, 18, 7).getTime();
  for (const language of ['en', 'en-GB', 'fr', 'es']) {
    assert.match(dayAndMinute(at, language), /2026.*\b0?6:07$/, language);
    assert.match(dayAndMinute(evening, language), /2026.*\b18:07$/, language);
  }
  const midnight = new Date(2026, 10, 27, 0, 30).getTime();
  assert.match(dayAndMinute(midnight, 'en'), /\b00:30$/);
});
