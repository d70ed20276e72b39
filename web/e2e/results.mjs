// Results that are entered on one tablet, and seen on another that has the list open.

import assert from 'node:assert/strict';
import { alertOf } from './alerts.mjs';
import { shoot } from './browser.mjs';
import { INCIDENT, reads, smallTargets, until } from './checks.mjs';

/** Both times stand: the alert offers the three results, and one tap enters one of them. */
export async function resultWithOneTap(page, { url, another }) {
  const alert = page.locator('.alert', { hasText: /6\.11/ }).last();
  await alert.waitFor({ timeout: INCIDENT });
  const id = await alert.getAttribute('data-id');
  const table = id.split('-')[0];
  const results = await another(`${url}/arbiter#/results`);
  const number = results.locator(`a[href="#/table/${table}"]`);
  const row = results.locator('.results tbody tr', { has: number });
  await row.waitFor();
  assert.equal(await row.locator('.is-result').innerText(), '', 'it has a result already');
  await page.locator(`.alert[data-id="${id}"] .alert-link`).click();
  const offered = page.locator('.mends button');
  await offered.nth(2).waitFor();
  assert.deepEqual(await offered.allInnerTexts(), ['Saisir 1–0', 'Saisir ½–½', 'Saisir 0–1']);
  await offered.nth(1).click();
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  await reads(page.locator('.sheet-state'), /½–½/);
  const told = async () => (await row.locator('.is-result').innerText()) === '½–½';
  await until(told, 'the open list does not follow');
  return `table ${table}`;
}

/**
 * The pieces of one game are set up again, the board of another one is gone: both results are
 * entered in the list, each of its own round.
 */
export async function resultsOfOtherGames(page, { own, hall, url }) {
  await page.goto(`${url}/arbiter#/results`);
  const row = (table) => {
    const number = page.locator(`a[href="#/table/${table}"]`);
    return page.locator('.results tbody tr', { has: number });
  };
  const round = (name) => page.locator('.results .moments button', { hasText: name }).click();
  const enters = async (table, offered, result) => {
    const buttons = row(table).locator('.mends button');
    await buttons.first().waitFor({ timeout: INCIDENT });
    assert.deepEqual(await buttons.allInnerTexts(), offered);
    await buttons.filter({ hasText: result }).click();
    await shows(table, result);
  };
  const shows = (table, result) => {
    const told = async () => (await row(table).locator('.is-result').innerText()) === result;
    return until(told, `table ${table} does not show ${result}`);
  };
  await hall.says(2, 'game', ({ result }) => result === '0-1');
  await own.boards[1].stop();
  await enters(1, ['1–0', '½–½', '0–1'], '½–½');
  await round('2');
  await smallTargets(page);
  await shoot(page, 'results-of-other-games');
  await enters(2, ['1–0', '½–½', '0–1', '+/−', '−/+', '−/−'], '−/+');
  assert.equal(await row(1).locator('.mends').count(), 0, 'its pieces are set up');
  await round('1');
  await shows(1, '½–½');
  await shows(2, '0–1');
}

/** They sit at another table than the pairings say: one tap writes their names where they play. */
export async function playersWithOneTap(page, { hall }) {
  const alert = page.locator('.alert[data-id^="2-"]');
  await alert.waitFor({ timeout: INCIDENT });
  await alert.locator('.alert-link').click();
  const offered = page.locator('.mends button');
  await offered.first().waitFor();
  assert.deepEqual(await offered.allInnerTexts(), ['Table 2\u00a0: Cy – Di']);
  await shoot(page, 'players-with-one-tap');
  await offered.click();
  const named = ({ players }) => players?.white?.name === 'Cy' && players.black?.name === 'Di';
  await hall.says(2, 'game', named);
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
}

/** A table has a pairing and no board: it is named where they seem to play. */
export async function noBoard(page, { url, own }) {
  const names = { white: { name: 'Cy' }, black: { name: 'Di' } };
  const missing = {
    gravity: 'look',
    kind: 'no_board',
    article: '12.2',
    side: null,
    text: { en: 'No board.', fr: 'Pas d’échiquier.' },
    facts: { tables: [8] },
    mend: [{ verb: 'set_pairing', body: { table: 8, round: '3', ...names } }],
  };
  own.hall.publish('alert/99-0-1', alertOf('99-0-1', 99, missing));
  await page.goto(`${url}/arbiter#/alert/99-0-1`);
  const offered = page.locator('.mends button:visible');
  await offered.first().waitFor();
  assert.deepEqual(await offered.allInnerTexts(), ['Table 8\u00a0: Cy – Di']);
  await offered.click();
  const { asked } = own.hall;
  await until(() => asked.some(({ verb }) => verb === 'set_pairing'), 'nobody was named');
  const { table, round, white, black } = asked.find(({ verb }) => verb === 'set_pairing');
  assert.deepEqual({ table, round, white, black }, { table: 8, round: '3', ...names });
  own.hall.publish('alert/99-0-1', null);
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
}

const AT = '2026-11-20T14:03:16.000Z';
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
/** Another arbiter has ruled: every tablet hears the answer, and the alert goes. */
function ruledBy(own, alert, ruling) {
  const data = { alert, ruling, by: 'Paul' };
  own.hall.publish('response/rule', { status: 'ok', transaction: 'x', data, at: AT });
  own.hall.publish(`alert/${alert}`, null);
}

/** The alert names how the game ends: that is offered, also after it was upheld, until entered. */
export async function resultOfAFlag(page, { url, own }) {
  const tell = (result, game = 1) => {
    own.hall.publish('table/99/game', { game, players: {}, moves: [], result });
  };
  tell('*');
  const flag = {
    kind: 'flag_fall',
    article: '6.8',
    opened_at: AT,
    text: { en: 'White’s flag has fallen.', fr: 'Le drapeau des Blancs est tombé.' },
    mend: [{ verb: 'set_result', body: { table: 99, result: '0-1' } }],
  };
  own.hall.publish('alert/99-1-1', alertOf('99-1-1', 99, flag));
  await page.goto(`${url}/arbiter#/alert/99-1-1`);
  const offered = page.locator('.mends button:visible');
  await offered.first().waitFor();
  ruledBy(own, '99-1-1', 'upheld');
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  const state = await page.locator('.sheet-state').innerText();
  assert.match(state, /^Close\s: confirmée par Paul, \d\d:\d\d:\d\d\./);
  assert.deepEqual(await offered.allInnerTexts(), ['Saisir 0–1'], 'it was left without a result');
  await shoot(page, 'flag-upheld');
  tell('*', 2);
  await until(async () => (await offered.count()) === 0, 'it is offered for another game');
  tell('*', 1);
  await until(async () => (await offered.count()) === 1, 'it is not offered for its own');
  tell('0-1');
  await until(async () => (await offered.count()) === 0, 'it is offered once more');
}

/** A minute that was given for an alert that is then dismissed comes off the clock again. */
export async function timeTakenBack(page, { url, own }) {
  const clock = (white_ms, black_ms, running = null) =>
    own.hall.publish('table/99/clock', {
      white_ms,
      black_ms,
      running,
      flag: null,
      sampled_at: new Date().toISOString(),
      current: true,
    });
  const given = { at: AT, seconds: 60, by: 'Claire', alert: '99-1-1', withdrawn: null };
  const page0 = { illegal_moves: 0, penalties: 0, given_s: 0, next: null, faults: [], given: [] };
  const ledger = (gift) =>
    own.hall.publish('arbiter/ledger/99', {
      table: 99,
      game: 1,
      white: { ...page0, given: [gift] },
      black: page0,
    });
  own.hall.publish('table/99/game', { game: 1, players: {}, moves: [], result: '*' });
  own.hall.publish('table/99/position', {
    fen: START,
    ply: 0,
    phase: 'in_play',
    turn: 'white',
    status: null,
    result: '*',
    last: null,
  });
  clock(284_000, 279_000);
  const facts = { fen: START, penalty_s: 60, clocks_ms: { white: 284_000, black: 279_000 } };
  own.hall.publish('alert/99-1-1', alertOf('99-1-1', 99, { opened_at: AT, facts }));
  await page.goto(`${url}/arbiter#/alert/99-1-1`);
  const setting = page.locator('.setting');
  const told = async () => (await setting.innerText()).replaceAll(/\s+/g, ' ');
  await setting.waitFor();
  assert.match(await told(), /Noirs 0:04:39 → 0:05:39/);
  ledger(given);
  clock(284_000, 339_000);
  await until(async () => /Donné par Claire/.test(await told()), 'who gave it is not told');
  ledger({ ...given, withdrawn: { at: AT, by: 'Paul', reason: null } });
  ruledBy(own, '99-1-1', 'dismissed');
  await page.locator('.alert-sheet[data-state=closed]').waitFor();
  const off = /Pendule à régler Blancs 0:04:44 Noirs 0:05:39 → 0:04:39/;
  await until(async () => off.test(await told()), 'both times to set are not told');
  const whole = await told();
  assert.match(whole, /Retirer 1 min du temps des Noirs/);
  assert.match(whole, /Donné par Claire, \d.*annulé par Paul, \d.*rejetée/);
  assert.doesNotMatch(whole, /Consignés|C’est fait/, 'it could be given once more');
  const { asked } = own.hall;
  await shoot(page, 'time-to-take-back');
  await setting.locator('button').click();
  await until(() => asked.some(({ verb }) => verb === 'set_time'), 'nothing was written down');
  const sent = asked.find(({ verb }) => verb === 'set_time');
  assert.deepEqual(
    [sent.table, sent.white_ms, sent.black_ms, sent.running],
    [99, 284_000, 279_000, 'white'],
  );
  clock(284_000, 279_000);
  await until(async () => /n’est plus à la pendule/.test(await told()), 'it is still asked for');
  assert.equal(await setting.locator('button').isVisible(), false);
}

/** Nobody is called any more, and the squares still show something else: that is to be seen. */
export async function squaresStillDiffer(page, { url, own }) {
  const since = new Date(Date.now() - 12.5 * 60_000).toISOString();
  const [position, board] = [
    { fen: START, ply: 0, phase: 'adrift', adrift_since: since, turn: 'white', result: '*' },
    { placement: 'r1bqkbnr/pppppppp/1n6/8/8/8/PPPPPPPP/RNBQKBNR', agrees: false, lifted: [] },
  ];
  own.hall.publish('bridge/info', { event: {}, tables: [1, 99], uptime_s: 0 });
  own.hall.publish('table/99/board', board);
  own.hall.publish('table/99/position', { ...position, last: null, status: null, check: false });
  await page.goto(`${url}/arbiter#/tables`);
  const line = page.locator('.table-list a[href="#/table/99"]');
  await line.waitFor();
  const framed = async () => (await line.getAttribute('data-gravity')) === 'look';
  await until(framed, 'no frame');
  const told = /diffèrent depuis 12\smin/;
  await until(async () => told.test(await line.innerText()), 'nothing says for how long');
  await shoot(page, 'squares-differ');
  await line.click();
  const facts = page.locator('.table-facts');
  await until(async () => told.test(await facts.innerText()), 'nor does its own page');
  // The squares of a table are asked for only where they are looked at.
  await until(async () => /b8, b6/.test(await facts.innerText()), 'nor on which squares');
  own.hall.publish('table/99/board', { ...board, placement: START.split(' ')[0], agrees: true });
  own.hall.publish('table/99/position', { ...position, phase: 'in_play', adrift_since: undefined });
  await until(async () => !told.test(await facts.innerText()), 'it is told for ever');
}
