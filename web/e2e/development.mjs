// The scenarios that need what the program cannot show at will: alerts whose gestures are known,
// three hundred tables, a connection that is cut, an answer that is lost.

import { startDevelopment } from '../dev/serve.mjs';
import {
  arbiterAccessible,
  hallAccessible,
  lettersDoubled,
  lettersDoubledInTheHall,
  nothingSticksOut,
  ownColours,
} from './access.mjs';
import {
  alertOfEarlierGame,
  allInSight,
  answerLost,
  gesturesReplay,
  journalInWords,
  orderTooLate,
  ownLanguage,
  recordNotKept,
  replayInOneLine,
  restarted,
  rulingUnanswered,
  signingIn,
  staleAlert,
  withoutPowers,
} from './arbiter.mjs';
import { articleIsRead } from './articles.mjs';
import { bellRings, summonsWhileOpen, windowCloses } from './calling.mjs';
import {
  dark,
  LAPTOP,
  ORGANIZERS_PHONE,
  PHONE,
  PHONE_ASIDE,
  PORTRAIT_TV,
  SIDE,
  SMALL,
  TABLET,
  TABLET_ASIDE,
  TV,
  UHD,
} from './devices.mjs';
import { deadNetwork, ownTables, worstTables } from './sector.mjs';
import { notSettledByHalf, settledInThreeTaps } from './do_now.mjs';
import {
  hiddenByConfiguration,
  kioskTurns,
  manyTables,
  noSuchTable,
  playerFollowed,
  resultsScreen,
  namesAreWhole,
  namesAsLarge,
  saidAtOnce,
  screenFilled,
  tableInSight,
} from './hall.mjs';
import { earlierCleared, queueHeld, tapsAreMeant } from './held.mjs';
import { longJournal } from './journal.mjs';
import { heard, ruledByKeyboard, toolsByKeyboard } from './keyboard.mjs';
import { noBoard, resultOfAFlag, squaresStillDiffer, timeTakenBack } from './results.mjs';
import { alertAndScore, scoreFollows } from './score.mjs';
import { halfWritten, namesBreak, tappedTwice } from './slips.mjs';
import { fewTaps } from './taps.mjs';
import { earlierHalfHours, fingerRests, languageSwitched } from './tools.mjs';

const french = (device) => ({ ...device, language: 'fr' });

export function ofDevelopment() {
  return [
    { open: quick, scenarios: letters() },
    ...['fr', 'en'].flatMap((language) =>
      [TABLET, dark(TABLET)].map((device) => {
        return { open: quick, scenarios: withAxe(language, device) };
      }),
    ),
    ...filled(),
    { open: quick, scenarios: names() },
    { open: quick, scenarios: inSight() },
    { open: quick, scenarios: replays() },
    // Each with alerts of its own: what one leaves undone must not fail another.
    ...alone().map((scenario) => ({ open: () => startDevelopment(), scenarios: [scenario] })),
    ...others(),
  ];
}

/** Games at twice the speed. */
function quick() {
  return startDevelopment({ speed: 2 });
}

function withAxe(language, tablet) {
  const { colorScheme } = tablet;
  const how = `${colorScheme}, ${language}`;
  const screen = { ...TV, colorScheme, language };
  const pages = ['/', '/table/1', '/embed/1', '/kiosk'];
  return [
    [`the arbiter with axe, ${how}`, { ...tablet, language }, '/arbiter', arbiterAccessible],
    ...pages.map((path) => [`${path} with axe, ${how}`, screen, path, hallAccessible]),
  ];
}

function letters() {
  const colours = { ...TABLET, forcedColors: 'active' };
  const devices = { phone: PHONE, tablet: TABLET, laptop: LAPTOP };
  return [
    ['a small phone', SMALL, '/arbiter', nothingSticksOut],
    ['a small tablet', TABLET, '/arbiter', nothingSticksOut],
    ['the reader’s own colours', colours, '/arbiter', ownColours],
    ...Object.entries(devices).flatMap(([name, device]) => [
      [`letters doubled, ${name}`, french(device), '/arbiter', lettersDoubled],
      ...['/', '/table/7'].map((path) => [
        `letters doubled on ${path}, ${name}`,
        french(device),
        path,
        lettersDoubledInTheHall,
      ]),
    ]),
  ];
}

function names() {
  const devices = { television: TV, '4K': UHD, phone: PHONE };
  const asked = { 'a small screen': SIDE, 'a tablet': TABLET, television: TV };
  const large = '/kiosk?boards=12&letters=28';
  const letters = Object.entries(asked).map(([name, device]) => {
    return [`names on ${large}, ${name}`, device, large, namesAsLarge];
  });
  return Object.entries(devices)
    .flatMap(([name, device]) =>
      ['/', '/kiosk', '/table/7', '/embed/7'].map((path) => [
        `names on ${path}, ${name}`,
        device,
        path,
        namesAreWhole,
      ]),
    )
    .concat(letters);
}

function inSight() {
  const wide = { television: TV, '4K': UHD, 'phone on its side': PHONE_ASIDE };
  const across = { 'a tablet on its side': SIDE, 'a laptop': LAPTOP, 'a large screen': TV };
  return [
    ...Object.entries(wide).map(([name, device]) => [
      `all of a table, ${name}`,
      device,
      '/table/7',
      tableInSight,
    ]),
    ['a player is followed', PHONE, '/', playerFollowed],
    ['a player is followed on a television', TV, '/', playerFollowed],
    ...Object.entries(across).flatMap(([name, device]) =>
      ['fr', 'en'].map((language) => [
        `an alert on ${name}, ${language}`,
        { ...device, language },
        '/arbiter',
        allInSight,
      ]),
    ),
  ];
}

/** The last one closes the alert of the others. */
function replays() {
  const phones = [
    [360, 740],
    [390, 844],
  ];
  return [
    ...['fr', 'en'].flatMap((language) =>
      phones.map(([width, height]) => {
        const phone = { ...PHONE, viewport: { width, height }, language };
        const name = `replay on a phone of ${width} px, ${language}`;
        return [name, phone, '/arbiter', replayInOneLine];
      }),
    ),
    ['gestures are replayed', TABLET, '/arbiter', gesturesReplay],
    ['the journal in words', TABLET, '/arbiter', journalInWords],
    ['the time sheet of earlier half hours', TABLET, '/arbiter', earlierHalfHours],
    ['an alert closed while away disappears', TABLET, '/arbiter', staleAlert],
  ];
}

/** In whatever hand it is. */
function slips() {
  const devices = { phone: ORGANIZERS_PHONE, tablet: TABLET, laptop: LAPTOP };
  return Object.entries(devices).flatMap(([name, device]) => [
    [`a finger taps twice, ${name}`, french(device), '/arbiter', tappedTwice],
    [`names of a hundred letters, ${name}`, french(device), '/arbiter', namesBreak],
    [`a note half written, ${name}`, french(device), '/arbiter', halfWritten],
  ]);
}

function alone() {
  return [
    ['over plain http', { ...TABLET, named: true }, '/arbiter', withoutPowers],
    ['what is drawn is told', french(TABLET), '/arbiter', heard],
    ['the tools by keyboard', TABLET, '/arbiter', toolsByKeyboard],
    ['another language', french(TABLET), '/arbiter', languageSwitched],
    ['a ruling without an answer', french(TABLET), '/arbiter', rulingUnanswered],
    ['an alert of an earlier game', french(TABLET), '/arbiter', alertOfEarlierGame],
    ['an order that comes too late', french(TABLET), '/arbiter', orderTooLate],
    ['an answer that was lost', french(TABLET), '/arbiter', answerLost],
    ['the record is not kept', TABLET, '/arbiter', recordNotKept],
    ['a ruling by keyboard', TV, '/arbiter', ruledByKeyboard],
    ['the bell rings for a summons', TABLET, '/arbiter', bellRings],
    ...carried(),
    ...ownAndWorst(),
    ['a dead network', french(TABLET), '/arbiter', deadNetwork],
    ...scores(),
    ...settled(),
    ...slips(),
    ['earlier games are cleared together', TABLET, '/arbiter', earlierCleared],
    ['a journal of ten thousand rows', TABLET, '/arbiter', longJournal],
    ['a browser’s own language', { ...TABLET, locale: 'en-GB' }, '/arbiter', ownLanguage],
    ['a table that is not there, for all', TABLET, '/table/999', noSuchTable],
    ['a table is awaited', TABLET, '/table/1', saidAtOnce],
    ['where time is shortest is awaited', TV, '/kiosk/time', saidAtOnce],
    ['the queue under a finger', PHONE, '/arbiter', queueHeld],
    ['the queue under a mouse', LAPTOP, '/arbiter', queueHeld],
    ['taps open what was meant', TABLET, '/arbiter', tapsAreMeant],
    ['an alert not settled by half', french(TABLET), '/arbiter', notSettledByHalf],
    ['the result of a flag', french(TABLET), '/arbiter', resultOfAFlag],
    ['a table without a board', french(TABLET), '/arbiter', noBoard],
    ['time is taken back', french(TABLET), '/arbiter', timeTakenBack],
    ['squares still differ', french(TABLET), '/arbiter', squaresStillDiffer],
    ['the time to act runs out', TABLET, '/arbiter', windowCloses],
  ];
}

/** What an arbiter carries upright: the queue has no room beside an alert. */
function carried() {
  const phone = { ...french(PHONE), viewport: { width: 390, height: 844 } };
  const tablet = { ...TABLET, viewport: { width: 800, height: 1280 }, language: 'en' };
  return Object.entries({ phone, tablet }).map(([name, device]) => [
    `a summons while an alert is open, ${name}`,
    device,
    '/arbiter',
    summonsWhileOpen,
  ]);
}

function ownAndWorst() {
  const phone = { ...ORGANIZERS_PHONE, language: 'fr' };
  const tablet = { ...dark(TABLET_ASIDE), language: 'en' };
  const arbiters = { phone, tablet };
  return [
    ...Object.entries(arbiters).flatMap(([name, device]) => [
      [`tables of one’s own, ${name}`, device, '/arbiter', ownTables(name)],
      [`where time is shortest, ${name}`, device, '/arbiter', worstTables(name)],
    ]),
    ['where time is shortest, a screen', TV, '/kiosk/time', worstTables('screen')],
  ];
}

/** Once the last alert has come that comes by itself: nothing moves under a tap. */
function calmly(check) {
  return async (page, hall) => {
    await page.locator('.alert[data-id="5-1-31"]').waitFor();
    return check(page, hall);
  };
}

/** The score, on what arbiters have in their hands. */
function scores() {
  const sizes = [
    [600, 960],
    [1024, 768],
    [1280, 800],
    [1366, 768],
    [390, 844],
  ];
  return sizes.flatMap(([width, height]) => {
    const device = { ...french(TABLET), viewport: { width, height } };
    const size = `${width}×${height}`;
    return [
      [`an Article, ${size}`, device, '/arbiter', calmly(articleIsRead)],
      [`to the score, ${size}`, device, '/arbiter', calmly(alertAndScore)],
      [`the score follows, ${size}`, device, '/arbiter', scoreFollows],
      [`few taps, ${size}`, device, '/arbiter', calmly(fewTaps)],
    ];
  });
}

/** An alert opened and settled, on what arbiters have in their hands. */
function settled() {
  const sizes = [
    [1024, 768],
    [1180, 820],
    [1280, 800],
    [390, 844],
    [412, 915],
  ];
  return ['fr', 'en'].flatMap((language) =>
    sizes.map(([width, height]) => [
      `settled in three taps, ${width}×${height}, ${language}`,
      { ...TABLET, viewport: { width, height }, language },
      '/arbiter',
      settledInThreeTaps,
    ]),
  );
}

/** Walls of so many tables, of which some are featured. */
function filled() {
  const walls = [
    [8, '', TV],
    [16, '', TV],
    [12, '1-2', TV],
    [8, '', PORTRAIT_TV],
    [20, '', UHD],
  ];
  return walls.map(([tables, featured, device]) => {
    const { width } = device.viewport;
    const name = `${tables} tables${featured && `, ${featured} featured`} on ${width} px`;
    const open = () => startDevelopment({ tables, screens: { featured } });
    return { open, scenarios: [[name, device, '/', screenFilled]] };
  });
}

function others() {
  const login = { name: 'Jane', password: 'kibitz' };
  const turning = { tables: 120, screens: { featured: '1-2', page_s: 5 } };
  const hidden = { screens: { clocks: false, moves: false } };
  return [
    [() => startDevelopment({ login }), 'signing in', TABLET, '/arbiter', signingIn],
    [startRestartable, 'a server that was started again', TABLET, '/arbiter', restarted],
    [() => startDevelopment(turning), 'a kiosk turns its pages', TV, '/kiosk', kioskTurns],
    [
      () => startDevelopment({ tables: 12, screens: { page_s: 5 } }),
      'a screen with results',
      TV,
      '/kiosk?boards=6&letters=30&first=live&ticker',
      resultsScreen,
    ],
    [
      () => startDevelopment({ tables: 60, speed: 8 }),
      'a finger that rests',
      TABLET,
      '/arbiter',
      fingerRests,
    ],
    [
      () => startDevelopment(hidden),
      'clocks and moves are hidden if so configured',
      TV,
      '/',
      hiddenByConfiguration,
    ],
    [() => startDevelopment({ tables: 300 }), '300 tables', TV, '/', manyTables],
  ].map(([open, ...scenario]) => ({ open, scenarios: [scenario] }));
}

/** A server that can be stopped and started again at the same address. */
async function startRestartable() {
  let server = await startDevelopment();
  const { url } = server;
  const restart = async (meanwhile) => {
    await server.stop();
    await meanwhile();
    server = await startDevelopment({ port: Number(new URL(url).port) });
  };
  return { url, restart, stop: () => server.stop() };
}
