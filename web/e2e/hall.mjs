// What the hall pages must do: the wall and the single table.

import assert from 'node:assert/strict';
import { shoot } from './browser.mjs';
import {
  INCIDENT,
  background,
  boardsDrawn,
  changed,
  clocksCount,
  framesFor,
  lastMoves,
  noneNegative,
  reads,
  smallTargets,
  until,
} from './checks.mjs';

const LEAST_BOARDS = 12;

export async function wallMoves(page) {
  await boardsDrawn(page);
  const boards = await page.locator('.tile cg-board').count();
  assert.ok(boards >= LEAST_BOARDS, `${boards} boards`);
  const before = await lastMoves(page);
  const clock = page.locator('.clock[data-running]').first();
  await clock.waitFor();
  await clocksCount(page);
  await until(async () => changed(before, await lastMoves(page)) >= 3, 'boards do not move');
  await noneNegative(page);
  await shoot(page, 'wall-tv');
  return `${boards} boards`;
}

export async function wallOnPhone(page) {
  await boardsDrawn(page);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0, 'the page scrolls sideways');
  await smallTargets(page);
  await shoot(page, 'wall-phone');
}

export async function switches(page) {
  await boardsDrawn(page);
  const language = await page.getAttribute('html', 'lang');
  const board = page.locator('.tile .board').first();
  assert.match(await board.getAttribute('class'), /orientation-white/);
  const [flip, letters, other, theme] = await page.locator('.bar-tools .tool').all();
  await flip.click();
  await until(async () => /orientation-black/.test(await board.getAttribute('class')), 'no flip');
  await letters.click();
  const figurine = page.locator('.tile-state', { hasText: /[♔-♘]/ });
  await figurine.first().waitFor();
  await other.click();
  await until(async () => (await page.getAttribute('html', 'lang')) !== language, 'no language');
  const paper = await background(page);
  await theme.click();
  assert.notEqual(await background(page), paper, 'colours stay');
  await page.reload();
  await boardsDrawn(page);
  assert.notEqual(await page.getAttribute('html', 'lang'), language, 'language forgotten');
  await figurine.first().waitFor();
}

export async function oneTable(page) {
  await page.locator('.board piece').first().waitFor();
  const moves = page.locator('.move b');
  await moves.first().waitFor();
  await until(async () => (await page.locator('.clock').first().textContent()) !== '', 'no clock');
  const count = await moves.count();
  await clocksCount(page);
  // Somebody may think.
  await until(async () => (await moves.count()) > count, 'no further move', INCIDENT);
  assert.ok(await page.locator('.move[data-last]').isVisible(), 'the last move is out of view');
  await shoot(page, 'table-tv');
}

/** Board and both players, without scrolling. */
export async function tableInSight(page) {
  await page.locator('.board piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  const beyond = await page.locator('.board, .sheet, .player, .clock').evaluateAll((all) =>
    all
      .filter((it) => {
        const { left, top, right, bottom } = it.getBoundingClientRect();
        return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
      })
      .map((it) => it.className),
  );
  assert.deepEqual(beyond, [], 'not in sight');
}

/** A move back, from the list and from the keyboard; the latest position comes back by itself. */
export async function earlierPositions(page) {
  await page.locator('.move').nth(3).waitFor();
  const now = await pieces(page);
  await page.locator('.move').first().click();
  await page.locator('.earlier:not(:empty)').waitFor();
  await until(async () => (await pieces(page)) !== now, 'the board stays');
  await page.keyboard.press('Home');
  await until(async () => (await page.locator('.board piece').count()) === 32, 'no beginning');
  await shoot(page, 'table-earlier');
  await page.keyboard.press('End');
  await page.locator('.earlier:empty').waitFor({ state: 'attached' });
}

function pieces(page) {
  const each = (all) =>
    all
      .map((it) => it.className + it.style.transform)
      .sort()
      .join();
  return page.locator('.board piece').evaluateAll(each);
}

/** Nothing but the board and the players, over whatever is behind. */
export async function overlay(page) {
  await page.locator('.board piece').first().waitFor();
  assert.equal(await background(page), 'rgba(0, 0, 0, 0)');
  assert.equal(await page.locator('.bar').count(), 0);
  await shoot(page, 'embed');
}

/** Pages turn by themselves, featured tables stay, nothing has to be pressed. */
export async function kioskTurns(page) {
  await boardsDrawn(page);
  const numbers = () => page.locator('.tile-head b').allTextContents();
  assert.ok(await page.locator('.is-featured').first().isVisible());
  assert.equal(await page.locator('.bar-tools').isVisible(), false);
  const first = await numbers();
  assert.deepEqual(first.slice(0, 2), ['1', '2']);
  const size = await page.evaluate(() => [document.body.scrollHeight, window.innerHeight]);
  assert.ok(size[0] <= size[1], `a page does not fit: ${size}`);
  await shoot(page, 'kiosk');
  await until(async () => (await numbers())[5] !== first[5], 'the pages do not turn');
  assert.deepEqual((await numbers()).slice(0, 2), ['1', '2'], 'featured tables went away');
  const cut = await page
    .locator('.player-name')
    .evaluateAll((names) => names.filter((it) => it.scrollWidth > it.clientWidth + 1).length);
  assert.equal(cut, 0, 'names are cut off');
  return `${first.length} tables a page`;
}

/** Who is typed in is shown alone, wherever he sits; the address says so to others. */
export async function playerFollowed(page, { own }) {
  await boardsDrawn(page);
  const boards = page.locator('.tile cg-board');
  // Until it is known who plays, the colours stand there.
  const named = page.locator('.tile .player-name[title*=","]');
  // The text may begin with a title such as WFM, which nobody is found by. However it is shortened,
  // what stands before a hyphen of the surname stays.
  const [kept] = (await named.nth(4).getAttribute('title')).split(/[-,]/);
  const words = kept.toLowerCase().match(/\p{L}+/gu);
  const typed = words.sort((a, b) => b.length - a.length)[0];
  const all = await boards.count();
  await page.fill('.find', typed);
  const found = async () => {
    const shown = await page.locator('.tile').allInnerTexts();
    const fit = shown.every((it) => it.toLowerCase().includes(typed));
    return fit && shown.length > 0 && (await boards.count()) < all;
  };
  await until(found, `others than ${typed} are shown, or nobody`);
  await shoot(page, `wall-followed-${page.viewportSize().width}`);
  await page.reload();
  await boardsDrawn(page);
  assert.equal(await page.inputValue('.find'), typed);
  await page.fill('.find', 'nobody at all');
  const nobody = page.locator('.empty', { hasText: /Nobody of this name|Personne de ce nom/ });
  await nobody.waitFor();
  const before = own.hall.seats(3, { white: { name: 'Nobody At All' } });
  await page.locator('.tile', { hasText: 'Nobody At All' }).waitFor();
  assert.equal(await boards.count(), 1);
  own.hall.seats(3, before);
  await nobody.waitFor();
  await page.fill('.find', '');
  await until(async () => (await boards.count()) === all, 'not all are shown again');
  assert.equal(new URL(page.url()).search, '');
}

/** A results screen: few boards with large letters, and the results below them. */
export async function resultsScreen(page, { own }) {
  await boardsDrawn(page);
  const texts = page.locator('.tile-head');
  assert.ok((await texts.count()) <= 6, 'more boards than were asked for');
  const size = await texts
    .first()
    .evaluate((it) => Number.parseFloat(getComputedStyle(it.closest('.wall')).fontSize));
  assert.ok(size >= 30, `letters of ${size} px`);
  own.hall.ends(9, '1-0');
  // By number it stands on the second page, away from tables 1 to 6.
  const early = async () => {
    const numbers = await page.locator('.tile-head b').allTextContents();
    return numbers.includes('9') && numbers.some((it) => Number(it) < 7);
  };
  await until(early, 'what was decided does not come early', 60_000);
  await page
    .locator('.ticker li', { hasText: /^9 .*1–0/ })
    .first()
    .waitFor();
  const sizes = await page.evaluate(() => [document.body.scrollHeight, window.innerHeight]);
  assert.ok(sizes[0] <= sizes[1], `a page does not fit: ${sizes}`);
  await shoot(page, 'kiosk-results');
}

export async function hiddenByConfiguration(page, { url }) {
  for (const path of ['/', '/kiosk', '/table/1', '/embed/1']) {
    await page.goto(url + path);
    await page.locator('.board piece').first().waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await page.locator('.clock:not(:empty)').count(), 0, `${path} shows clocks`);
    assert.equal(await page.locator('.move, .walk:visible').count(), 0, `${path} shows moves`);
    const states = (await lastMoves(page)).join();
    assert.doesNotMatch(states, /\d+(\.|…)/, `${path} shows moves`);
  }
}

/** Neither in sight nor on the wire: the page does not ask for them, and is sent none. */
export async function noAlertInTheHall(page, { url }) {
  for (const path of ['/', '/kiosk', '/table/3', '/embed/3']) {
    const frames = [];
    page.on('websocket', (socket) => {
      const note = ({ payload }) => frames.push(payload.toString('latin1'));
      socket.on('framesent', note).on('framereceived', note);
    });
    await page.goto(url + path);
    await page.locator('.board piece').first().waitFor();
    await page.waitForTimeout(2000);
    const text = await page.locator('body').innerText();
    assert.doesNotMatch(text, /illegal|illégal|Article|nulle|draw/i, path);
    const wire = frames.join('\n');
    assert.match(wire, /\/v1\/table\//, `${path} reads no tables`);
    assert.doesNotMatch(wire, /\/v1\/(alert|arbiter|response|request)/, path);
    page.removeAllListeners('websocket');
  }
}

/** Every name is whole: shortened as pairing lists do it, never cut off. */
export async function namesAreWhole(page) {
  await page.locator('.board piece').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(1500);
  const cut = await page.locator('.player-name').evaluateAll((names) => {
    const row = (it) => it.closest('.player').getBoundingClientRect();
    const box = (it) => it.getBoundingClientRect();
    const sticksOut = (it) => box(it).right > row(it).right + 1 || box(it).height > row(it).height;
    const cutOff = (it) => it.scrollWidth > it.parentElement.clientWidth + 1;
    return names.filter((it) => sticksOut(it) || cutOff(it)).map((it) => it.textContent);
  });
  assert.deepEqual(cut, [], 'names are cut off');
}

/** Where letters of a size were asked for, names are whole in them, in fewer columns. */
export async function namesAsLarge(page) {
  await namesAreWhole(page);
  const asked = Number(new URL(page.url()).searchParams.get('letters'));
  const sizes = await page
    .locator('.player-name')
    .evaluateAll((names) => names.map((it) => parseFloat(getComputedStyle(it).fontSize)));
  assert.ok(sizes.length > 0 && Math.min(...sizes) >= asked, `smaller than ${asked}: ${sizes}`);
}

/** A screen is used to its edges, and in no tile anything is cut or covered. */
export async function screenFilled(page) {
  await boardsDrawn(page);
  await namesAreWhole(page);
  const layout = await page.locator('.wall').getAttribute('data-layout');
  const { tiles, used } = await page.locator('.wall').evaluate((wall) => {
    const box = (it) => it.getBoundingClientRect().toJSON();
    const tiles = [...wall.querySelectorAll('.tile')].map((tile) => {
      const parts = tile.querySelectorAll('.tile-head, .tile-state, .player, .board');
      return { tile: box(tile), parts: [...parts].map(box) };
    });
    const area = ({ width, height }) => width * height;
    const used = tiles.reduce((sum, { tile }) => sum + area(tile), 0) / area(box(wall));
    return { tiles, used };
  });
  const { width, height } = page.viewportSize();
  for (const { tile, parts } of tiles) {
    assert.ok(tile.right <= width && tile.bottom <= height, 'a tile is not all in sight');
    for (const part of parts) assert.ok(within(part, tile), 'something does not fit its tile');
    const [head, , ...others] = parts;
    for (const other of others) assert.ok(!overlap(head, other), 'number and move are covered');
    others.forEach((one, at) => {
      others.slice(at + 1).forEach((other) => assert.ok(!overlap(one, other), 'parts meet'));
    });
  }
  assert.ok(used > 0.8, `tables take ${Math.round(100 * used)} % of the wall`);
  await shoot(page, `wall-${tiles.length}-${layout}`);
  return `${tiles.length} tables ${layout}, ${Math.round(100 * used)} %`;
}

function within(inner, outer) {
  const across = inner.left >= outer.left - 1 && inner.right <= outer.right + 1;
  return across && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
}

function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  return across > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
}

export async function manyTables(page) {
  const start = Date.now();
  await page.getByText(/Tout voir|Show all/).click();
  await page.locator('.tile').nth(299).waitFor({ state: 'attached' });
  await boardsDrawn(page);
  const drawn = Date.now() - start;
  const { frames, longest } = await framesFor(page, 5000);
  await shoot(page, 'wall-300');
  return `drawn in ${drawn} ms; in 5 s ${frames} frames, the longest ${longest} ms`;
}

/** The own server is stopped; somebody else's is only cut off from this page. */
export async function lostServer(page, { watch, own, line }) {
  await page.locator('.status[data-mood=live]').waitFor();
  await page.locator('.tile piece').first().waitFor();
  await until(async () => (await page.locator('.tile .clock:empty').count()) === 0, 'no clocks');
  watch.tolerant = true;
  if (own.foreign) line.cut();
  else await own.stop();
  const status = page.locator('.status[data-mood=stale]');
  await status.waitFor();
  await reads(status, /\d\d:\d\d:\d\d/, 'it does not say since when');
  const clocks = await page.locator('.clock').allTextContents();
  await page.waitForTimeout(2500);
  assert.deepEqual(await page.locator('.clock').allTextContents(), clocks, 'clocks run on');
  await shoot(page, 'wall-lost');
}

/** Where there is no such table the page says so, and draws no board of nobody. */
/** Until it is known what there is, the page says that it is reading it. */
export async function saidAtOnce(page) {
  const held = [];
  let hold = true;
  await page.routeWebSocket(/\/mqtt$/, (route) => {
    const server = route.connectToServer();
    // The first answer opens the connection.
    let answered = false;
    server.onMessage((message) => {
      const send = () => route.send(message);
      if (hold && answered) held.push(send);
      else send();
      answered = true;
    });
  });
  await page.reload();
  const said = page.locator('main').getByText('Lecture de la salle…');
  await said.waitFor();
  hold = false;
  held.forEach((send) => send());
  await said.waitFor({ state: 'hidden' });
}

export async function noSuchTable(page) {
  await page.locator('.table-state', { hasText: '999' }).waitFor();
  assert.equal(await page.locator('.board').isVisible(), false);
  await shoot(page, 'table-not-there');
}
