// The tools of a table, of the round and of the ledger: in a hall where play goes on meanwhile.

import assert from 'node:assert/strict';
import { Chess } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { makeSquare } from 'chessops/util';
import { shoot } from './browser.mjs';
import { INCIDENT, reads, said, smallTargets, until } from './checks.mjs';
import { thinks } from './observer.mjs';

/** As long as an unhurried finger rests on what it presses, in ms. */
const RESTS_MS = 400;

/** The dialogs of a table, by the request they end in. */
export const TOOLS = [
  'set_position',
  'take_back',
  'correct_score',
  'set_time',
  'grant_time',
  'score_shown',
  'set_pairing',
  'adjourn',
  'flip',
];

export async function openTool(page, table, verb) {
  await go(page, `table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  const open = page.locator('.table-tools .editor .confirm .is-quiet');
  if ((await open.count()) > 0) await open.click();
  await page.locator(`[data-verb=${verb}]`).click();
  await page.locator('.table-tools .editor').waitFor();
}

export const send = (page) => page.locator('.editor .confirm .button').first();
const refusal = (page) => page.locator('.editor .error');

export function go(page, place) {
  return page.goto(`${page.url().split('#')[0]}#/${place}`);
}

/** The last three moves go; the position before them is shown first. */
export async function movesTakenBack(page, { hall }) {
  // Not one that is about to end.
  const some = (it) => thinks(it) && it.game.moves.length < 30;
  const table = await hall.find(some, 'no game with some moves', INCIDENT);
  await openTool(page, table, 'take_back');
  const marked = () =>
    page.locator('.editor [data-index]').evaluateAll((all) => {
      return all.map((it) => [Number(it.dataset.index), it.ariaPressed === 'true']);
    });
  assert.equal((await marked()).filter(([, gone]) => gone).length, 1);
  const from = await page.locator('.editor [data-index]').evaluateAll((all) => {
    all.at(-3).click();
    return Number(all.at(-3).dataset.index);
  });
  for (const [index, gone] of await marked()) assert.equal(gone, index >= from, `move ${index}`);
  await page.locator('.editor .board piece').first().waitFor();
  await smallTargets(page);
  await shoot(page, 'tool-take-back');
  const { rev } = hall.of(table).game;
  const shorter = hall.says(table, 'game', (it) => it.moves.length === from && it.rev !== rev);
  const done = () => said(page, new RegExp(`Table ${table}.*(repris|taken back)`));
  await send(page).click();
  await until(done, 'not said');
  await shorter;
  return `table ${table}, to ${from} half moves`;
}

/** Where the clock stands: the form refuses what no clock shows, and adds up. */
export async function clockWasSet(page, { hall }) {
  const stands = ({ clock, game }) => clock.running === null && game.moves.length > 0;
  const table = await hall.find(stands, 'no clock stands');
  await fillTimes(page, hall, table);
  await page.locator('.editor .choices').nth(1).locator('button').nth(1).click();
  const black = page.locator('.editor input').nth(1);
  assert.equal(await black.inputValue(), '0:12:00');
  await shoot(page, 'tool-clock');
  await smallTargets(page);
  await send(page).click();
  await until(() => said(page, /0:14:37.*0:12:00/), 'not said');
  assert.equal(await page.locator('.editor').count(), 0);
  return `table ${table}`;
}

async function fillTimes(page, hall, table) {
  await openTool(page, table, 'set_time');
  const [white, black] = await page.locator('.editor input').all();
  await until(async () => (await black.inputValue()) !== '', 'what the clock shows is not there');
  await white.fill('0:61:00');
  assert.ok(await send(page).isDisabled(), 'no clock shows 61 minutes so');
  await white.fill('0:14:37');
  await black.fill('0:10:00');
  // All that will be written, and nothing else; who has the move is not known in doubt.
  const written = await page.locator('.editor .written').innerText();
  assert.match(written, /^Blancs 0:14:37, Noirs 0:10:00/);
  const doubt = hall.of(table).position.phase === 'adrift';
  assert.equal(/; puis le temps des (Blancs|Noirs) court/.test(written), !doubt, written);
}

/** Nobody sets a clock that runs: the arbiter is told so, in his language. */
export async function runningClock(page, { hall }) {
  const table = await hall.find(thinks, 'nobody thinks');
  await fillTimes(page, hall, table);
  await send(page).click();
  await refusal(page).waitFor();
  await reads(refusal(page), /tourne|ne l’a réglée/);
  assert.equal(await page.locator('.editor input').first().inputValue(), '0:14:37');
  await shoot(page, 'tool-clock-refused');
  return `table ${table}`;
}

export async function coloursExchanged(page, { hall }) {
  const named = ({ players }) => Boolean(players.white?.name && players.black?.name);
  const table = await hall.find((it) => thinks(it) && named(it.game), 'nobody has a name');
  await openTool(page, table, 'set_pairing');
  const names = () => page.locator('.table-view .player-name').allTextContents();
  const { white, black } = hall.of(table).game.players;
  const exchanged = [...(await names())].reverse();
  await page.locator('.editor > .tool-row button').click();
  assert.equal(await page.locator('.person input').first().inputValue(), black.name);
  await shoot(page, 'tool-pairing');
  await smallTargets(page);
  await send(page).click();
  const swapped = ({ players }) => players.white?.name === black.name;
  const { players } = await hall.says(table, 'game', swapped);
  assert.equal(players.black.name, white.name);
  await until(async () => (await names()).join() === exchanged.join(), 'same colours');
}

/** Adjourned, and resumed: what is not as on the sheet is told. */
export async function adjournedAndResumed(page, { hall }) {
  const table = await hall.find(thinks, 'nobody thinks');
  await openTool(page, table, 'adjourn');
  assert.equal(await page.locator('[data-verb=resume]').count(), 0);
  await page.locator('.editor input').first().fill('21.11., 10:00');
  await shoot(page, 'tool-adjourn');
  await smallTargets(page);
  const away = () => said(page, /ajournée|adjourned/);
  await send(page).click();
  await until(away, 'not said');
  const state = page.locator('.one-table .sheet-head .tile-state');
  await until(async () => /^(Ajournée|Adjourned)$/.test(await state.innerText()), 'not so told');
  const { envelope } = await hall.says(table, 'game', (it) => it.envelope !== null);
  await sealedMoveChecked(page, hall.of(table).position.fen);
  await page.locator('[data-verb=resume]').click();
  const absentee = page.locator('.editor .choice', { hasText: /^(Blancs|Noirs)$/ });
  await absentee.nth(envelope.by === 'white' ? 0 : 1).click();
  await reads(page.locator('.editor'), /21\.11\., 10:00/);
  await sheetPrinted(page);
  await send(page).click();
  await hall.says(table, 'game', ({ adjournment }) => adjournment === null);
  const differs = page.locator('.editor .claim');
  const as = async () => (await differs.isVisible()) || said(page, /reprise|resumed/);
  await until(as, 'nothing is told of the resumption');
  await shoot(page, 'tool-resume');
  const told = (await differs.isVisible()) ? await differs.innerText() : 'as on the sheet';
  if ((await page.locator('.editor').count()) > 0) {
    await page.locator('.editor .confirm .is-quiet').click();
  }
  await page.locator('[data-verb=adjourn]').waitFor();
  assert.doesNotMatch(await state.innerText(), /Ajournée|Adjourned/);
  return `table ${table}: ${told}`;
}

/** What is in the envelope is no move, no legal one, and one: each is said, with the Laws. */
async function sealedMoveChecked(page, fen) {
  await page.locator('[data-verb=sealed_move]').click();
  const written = page.locator('.editor input');
  await written.waitFor();
  assert.ok(await send(page).isDisabled(), 'nothing is written');
  const [from, to] = legalMove(fen);
  const verdicts = [
    ['??', /Illisible/],
    [`${from}${from}`, /Illégal/],
    [`${from}${to}`, /Légal/],
  ];
  for (const [move, verdict] of verdicts) {
    await written.fill(move);
    await send(page).click();
    await page.locator('.editor .claim', { hasText: verdict }).waitFor();
    const right = (await page.locator('.editor .claim[data-right]').count()) === 1;
    assert.equal(right, verdict.test('Légal'), move);
    await shoot(page, `tool-sealed-move-${verdicts.findIndex(([it]) => it === move)}`);
  }
  await smallTargets(page);
  await page.locator('.editor .confirm .is-quiet').click();
}

/** Any legal move that is no promotion, as its two squares. */
function legalMove(fen) {
  const position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
  for (const [from, squares] of position.allDests()) {
    const to = [...squares].find((square) => square > 7 && square < 56);
    if (to !== undefined) return [makeSquare(from), makeSquare(to)];
  }
  throw new Error(`nothing can be moved in ${fen}`);
}

/** Seconds for each move and minutes at once: what both clocks will show is seen first. */
export async function timeGranted(page, { hall }) {
  const sent = sentBy(page);
  await page.reload();
  const stands = ({ clock, game }) => clock.running === null && game.moves.length > 0;
  const table = await hall.find(stands, 'no game for it');
  await openTool(page, table, 'grant_time');
  assert.ok(await send(page).isDisabled(), 'nothing is granted');
  await page.locator('.editor .choices').first().locator('button').nth(1).click();
  const [perMove, white] = await page.locator('.editor input').all();
  await perMove.fill('61');
  assert.ok(await send(page).isDisabled(), 'no clock gives 61 s for a move');
  await perMove.fill('5');
  await page.locator('.editor .choices').nth(2).locator('button').nth(1).click();
  assert.equal(await white.inputValue(), '0:00:00');
  const will = await page.locator('.editor .two-fields p').nth(1).innerText();
  const [before, after] = will.split(' → ').map(seconds);
  assert.equal(after - before, 120, will);
  assert.doesNotMatch(await page.locator('.editor .two-fields p').first().innerText(), /→/);
  await shoot(page, 'tool-grant-time');
  await smallTargets(page);
  await send(page).click();
  await until(() => said(page, /temps accordé/), 'not said');
  assert.equal(await page.locator('.editor').count(), 0);
  assert.match(sent.join(), /request\/grant_time.*"white_s":0,"black_s":120/s);
  return `table ${table}: ${will}`;
}

/** Five requests in a game; with the sixth the arbiter reads what it is. */
export async function scoreShownCounted(page, { hall }) {
  const table = await hall.find(thinks, 'nobody thinks');
  const counted = page.locator('.editor > p').nth(1);
  for (let count = 1; count <= 6; count += 1) {
    await openTool(page, table, 'score_shown');
    await reads(counted, new RegExp(`Blancs.: ${count - 1} sur 5`));
    await page.locator('.editor .choice').first().click();
    if (count === 5) await shoot(page, 'tool-score-shown');
    await send(page).click();
    await until(() => said(page, new RegExp(`Blancs.: ${count} sur 5`)), 'not said');
  }
  await reads(page.locator('.editor .claim'), /11\.5/);
  await reads(counted, /Blancs.: 6 sur 5 · Noirs.: 0 sur 5/);
  await smallTargets(page);
  return `table ${table}`;
}

async function sheetPrinted(page) {
  await page.evaluate(() => (window.print = () => (window.printed = true)));
  await page.locator('.editor > .tool-row button').click();
  await until(() => page.evaluate(() => window.printed === true), 'no sheet is printed');
  await page.emulateMedia({ media: 'print' });
  const heading = page.locator('.paper h1', { hasText: /sheet|ajournement/ });
  assert.ok(await heading.isVisible(), 'the sheet is not on the paper');
  assert.equal(await page.locator('.table-view').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
}

/**
 * One tap on what is to be set: it is written down, and the clock, if it stands, expected to show
 * it.
 */
export async function timeGiven(page, { hall, another }) {
  const sent = sentBy(page);
  await page.reload();
  const table = await openPenalty(page);
  const shown = await settingOf(page);
  const [side, before, after] = /(\S+) (\S+) → (\S+)/.exec(shown.times).slice(1);
  const given = seconds(after) - seconds(before);
  assert.ok(given === 60 || given === 120, `${before} → ${after}`);
  const other = await another(page.url());
  await until(async () => (await settingOf(other)).times === shown.times, 'not the same there');
  const y = await onPaper(page.locator('.setting .button'));
  await page.locator('.setting .button').click();
  await page.locator('.is-settling .button').nth(1).click();
  await until(() => said(page, /[12]\scoups? illéga/), 'the ledger is not told');
  const offender = side === 'Noirs' ? 'white' : 'black';
  const wire = () => sent.join();
  assert.match(wire(), new RegExp(`request/penalty_given.*"side":"${offender}"`, 's'));
  // What was shown was sent, and nothing else: both times and whose runs then, or none of them.
  const asked = /"seconds":(\d+),"alert":"[\d-]+"(,"clock":.*?})?/.exec(wire());
  assert.equal(Number(asked[1]), given);
  const runs = hall.of(table).clock.running !== null;
  assert.equal(asked[2] === undefined, runs, shown.then);
  assert.match(shown.then, runs ? /non arrêtée/ : /puis le temps des (Blancs|Noirs)/);
  if (!runs) assert.match(shown.times, timesIn(asked[2]));
  assert.equal(await page.locator('.alert-sheet .error').isVisible(), false, 'it was refused');
  await givenEverywhere(page, other);
  assert.equal(await onPaper(page.locator('.setting .button')), y, 'the button has moved');
  await shoot(page, runs ? 'time-given' : 'time-given-set');
  await withdrawn(page, other, table);
  return `table ${table}, clock ${runs ? 'runs' : 'stands'}`;
}

/**
 * How far down on the page it stands. In the window it may move without being moved: a click that
 * meets something else at first scrolls before it is tried again.
 */
function onPaper(element) {
  return element.evaluate((node) => node.getBoundingClientRect().top + window.scrollY);
}

/** What the page will have sent, once it is loaded again. */
function sentBy(page) {
  const sent = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => sent.push(payload.toString('latin1')));
  });
  return sent;
}

async function settingOf(page) {
  await page.locator('.setting').waitFor();
  const [times, then] = await Promise.all(
    ['.setting-times', '.setting-then'].map((part) => {
      return page.locator(part).innerText();
    }),
  );
  return { times: times.replaceAll('\n', ' '), then };
}

/** Both times of a request, as they stand on the page. */
function timesIn(clock) {
  const { white_ms, black_ms } = JSON.parse(`{${clock.slice(1)}}`).clock;
  const face = (ms) => new Date(ms).toISOString().slice(12, 19);
  return new RegExp(`Blancs (\\S+ → )?${face(white_ms)}.*Noirs (\\S+ → )?${face(black_ms)}`);
}

/** Every tablet shows at once by whom, also one that is loaded anew, and none gives it again. */
async function givenEverywhere(...tablets) {
  await tablets[1].reload();
  for (const tablet of tablets) {
    const then = tablet.locator('.setting-then');
    await until(async () => /^Donné par .+, \d\d:\d\d/.test(await then.innerText()), 'not told');
    const give = tablet.locator('.setting .button');
    assert.equal(await give.getAttribute('aria-disabled'), 'true', 'it could be given again');
  }
}

/** With a reason, which stays in the ledger; then it can be given after all. */
async function withdrawn(page, other, table) {
  await go(page, `table/${table}`);
  await page.locator('.ledger-given button').last().click();
  await shoot(page, 'tool-withdraw');
  assert.ok(await send(page).isDisabled(), 'without a reason');
  await page.locator('.editor input').fill('Mauvaise table');
  await send(page).click();
  const line = page.locator('.ledger-given li').last();
  await until(async () => /annulé par .*Mauvaise table/.test(await line.innerText()), 'no reason');
  assert.equal(await page.locator('.ledger-given li').last().locator('button').count(), 0);
  const give = other.locator('.setting .button');
  const offered = async () => (await give.getAttribute('aria-disabled')) === null;
  await until(offered, 'it is still said to be given');
}

/** Opens the first alert for which the Laws give time to the opponent. */
async function openPenalty(page) {
  const setting = page.locator('.setting .button');
  await until(
    async () => {
      await go(page, '');
      await page.locator('.queue .alert').first().waitFor();
      const ids = await page
        .locator('.queue .alert')
        .evaluateAll((all) => all.map((it) => it.dataset.id));
      for (const id of ids) {
        await go(page, `alert/${id}`);
        await page.locator('.alert-sheet h2').waitFor();
        if ((await setting.count()) > 0) return true;
      }
      return false;
    },
    'no alert with time for the opponent',
    INCIDENT,
  );
  return Number(/\d+/.exec(await page.locator('.alert-sheet .sheet-head b').innerText())[0]);
}

function seconds(face) {
  return face.split(':').reduce((total, part) => total * 60 + Number(part), 0);
}

export async function roundStarts(page, { hall }) {
  await go(page, 'tables');
  await page.locator('.table-list a').nth(5).waitFor();
  await page.locator('.papers button').first().click();
  const tables = page.locator('.editor input').nth(1);
  await tables.fill('nonsense');
  assert.ok(await send(page).isDisabled());
  const before = hall.of(3).game.start_at;
  await tables.fill('1-6,9999');
  await send(page).click();
  // What it comes to is said first, and asked.
  const about = page.locator('.round-about');
  const asked = async () => /à 7 tables\..*: tables \d/.test(await about.innerText());
  await until(asked, 'what it comes to is not said');
  assert.equal(await refusal(page).isVisible(), false, 'it was sent without a question');
  await send(page).click();
  await refusal(page).waitFor();
  await reads(refusal(page), /: 9999/, 'which table is unknown is not told');
  assert.equal(hall.of(3).game.start_at, before, 'it has started at the others');
  await tables.fill('1-6');
  await shoot(page, 'tool-round');
  await smallTargets(page);
  await send(page).click();
  await until(async () => /6 tables/.test(await send(page).innerText()), 'not asked');
  await send(page).click();
  await until(() => said(page, /Ronde/), 'not said');
  assert.equal(await page.locator('.editor').count(), 0);
  await hall.says(3, 'game', ({ start_at }) => start_at && start_at !== before);
}

export async function penaltiesListed(page, { own }) {
  await go(page, 'penalties');
  const lines = page.locator('.ledgers > li');
  await lines.first().waitFor();
  if (!own.foreign) assert.equal(await lines.count(), 1, 'a clean page is listed');
  await reads(lines.first(), /Article \d+\.\d/);
  await smallTargets(page);
  await shoot(page, 'penalties');
  await lines.first().locator('a').click();
  await page.locator('.table-ledger .ledger-page').first().waitFor();
}

/** Each half hour that was kept. */
export async function earlierHalfHours(page) {
  await go(page, 'times');
  const rows = page.locator('.time-sheets tbody tr');
  await until(async () => (await rows.count()) >= 12, 'tables are missing');
  const moments = page.locator('.moments .choice');
  await until(async () => (await moments.count()) === 4, 'half hours are missing');
  await moments.nth(1).click();
  assert.equal(await rows.count(), 12);
  await reads(rows.nth(9), /^10\b[^:]*\d:\d\d:\d\d\s*$/s, 'a clock not heard');
}

/** Every table now, and all that was kept; on paper too. */
export async function timeSheets(page, { hall }) {
  const table = await hall.find(thinks, 'no game is in play', INCIDENT);
  const result = page.locator('.time-sheets tr', { hasText: /résultat/ });
  await enterResult(page, table);
  await go(page, 'tables');
  await page.locator('.papers a[href="#/times"]').click();
  const rows = page.locator('.time-sheets tbody tr');
  await until(async () => (await rows.count()) >= 6, 'tables are missing');
  const running = page.locator('.time-sheets tr', { hasText: /\d:\d\d:\d\d.*\d:\d\d:\d\d/s });
  await running.first().waitFor();
  await smallTargets(page);
  await shoot(page, 'time-sheet');
  const moments = page.locator('.moments .choice');
  await moments.last().click();
  await result.first().waitFor();
  await shoot(page, 'time-sheet-all');
  await page.emulateMedia({ media: 'print' });
  for (const ours of ['.bar', '.tabs', '.moments', '.papers']) {
    assert.equal(await page.locator(ours).locator('visible=true').count(), 0, `${ours} is printed`);
  }
  assert.ok(await result.first().isVisible());
  await page.emulateMedia({ media: 'screen' });
  await go(page, `table/${table}`);
  await page.locator('.table-times summary').click();
  await page
    .locator('.table-times tr', { hasText: /résultat/ })
    .first()
    .waitFor();
  return `table ${table}`;
}

/** A game that was not played is entered, listed with its signs, printed and downloaded. */
export async function resultsOfTheRound(page, { hall }) {
  const table = await hall.find(thinks, 'nobody thinks', INCIDENT);
  await enterForfeit(page, table);
  await go(page, 'tables');
  await page.locator('.papers a[href="#/results"]').click();
  const number = page.locator(`a[href="#/table/${table}"]`);
  const row = page.locator('.results tbody tr', { has: number });
  await row.waitFor();
  await reads(row, /\+\/−/);
  // What is still to be done before the round can be closed.
  const end = page.locator('.round-end');
  await reads(end, /Terminées\s: [1-9]\d* sur \d+/);
  await reads(end, /Sans résultat\s: \d/);
  await smallTargets(page);
  await shoot(page, 'results');
  const file = page.waitForEvent('download');
  await page.locator('.results .papers button', { hasText: 'CSV' }).click();
  assert.match((await file).suggestedFilename(), /^round-.*\.csv$/);
  await page.evaluate(() => (window.print = () => {}));
  await page.locator('.results .papers button').first().click();
  await page.locator('.results .paper td').first().waitFor({ state: 'attached' });
  await page.emulateMedia({ media: 'print' });
  const printed = page.locator('.results .paper td', { hasText: /\+ ?\/ ?−/ });
  assert.ok(await printed.first().isVisible(), 'the forfeit is not printed');
  assert.ok(await page.locator('.results .journal-signature').isVisible(), 'no place to sign');
  for (const ours of ['.bar', '.tabs', '.results .papers', '.results .remarks']) {
    assert.equal(await page.locator(ours).locator('visible=true').count(), 0, `${ours} is printed`);
  }
  await page.emulateMedia({ media: 'screen' });
  return `table ${table}`;
}

async function enterForfeit(page, table) {
  await go(page, `table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  await page.locator('.seldom summary').click();
  await page.locator('[data-result="+/-"]').click();
  await page.locator('.table-tools .confirm .button').first().click();
  const state = page.locator('.one-table .sheet-head .tile-state');
  await until(async () => (await state.innerText()) === '+/−', 'the forfeit is not told');
}

async function enterResult(page, table) {
  await go(page, `table/${table}`);
  await page.locator('.table-view piece').first().waitFor();
  await page.locator('.table-tools .choice').nth(1).click();
  await page.locator('.table-tools .confirm .button').first().click();
  await until(() => said(page, /½–½/), 'no result');
}

/** A finger takes its time, and the hall goes on under it: it opens what it came down on. */
export async function fingerRests(page) {
  await go(page, 'tables');
  await page.locator('.table-list a').nth(9).waitFor();
  for (const index of [9, 4, 7]) {
    await go(page, 'tables');
    const line = page.locator('.table-list a').nth(index);
    await press(page, line);
    const there = `#/table/${index + 1}`;
    await until(async () => page.url().endsWith(there), `not at ${there}`);
  }
  await go(page, 'table/3');
  await press(page, page.locator('.table-alerts a').first());
  await until(async () => /#\/alert\/3-/.test(page.url()), 'the alert is not opened');
}

async function press(page, target) {
  await target.waitFor();
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await target.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.waitForTimeout(RESTS_MS);
  await page.mouse.up();
}

/** Clocks run and moves are made meanwhile; the letters beside a board come when it is laid out. */
function wordsApartFromTheGame(editor) {
  const parts = [...editor.querySelectorAll('h3, p, label, legend, button, option, [role=status]')];
  const outside = parts.filter((it) => it.closest('.board, [data-index]') === null);
  return outside.map((it) => it.textContent.replace(/\d/g, '')).join('\n');
}

/** All of an open tool is in the language that was chosen last. */
export async function languageSwitched(page) {
  const words = () => page.locator('.editor').evaluate(wordsApartFromTheGame);
  const rested = async () => {
    let now;
    // Some of it comes once the tool is laid out, or with the first news of the game.
    await until(async () => {
      const before = now;
      now = await words();
      return now === before;
    }, 'words that never rest');
    return now;
  };
  const english = (text) => !/Fermer|Annuler/.test(text);
  for (const verb of TOOLS) {
    await openTool(page, 2, verb);
    const french = await rested();
    assert.ok(!english(french), `${verb} is not in French`);
    await page.locator('.bar-tools [lang=en]').click();
    await until(async () => english(await words()), `${verb} stays in French`);
    assert.notEqual(await rested(), french, verb);
    await page.locator('.bar-tools [lang=fr]').click();
    await until(async () => (await words()) === french, verb);
  }
}
